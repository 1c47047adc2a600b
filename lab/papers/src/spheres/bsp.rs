//! The baseline of §11: a binary space partitioning tree of a polyhedron's faces (Thibault and
//! Naylor 1987), and a collision test that filters another one's faces down it.
//!
//! Every node's plane is that of a face, which stays there with all faces in the same plane; others
//! go to the side that they are on, or are split. The face that splits the fewest others is taken
//! ("optimized to avoid face-splitting", §11.1), of a sample of them. A face that comes down meets
//! the tree's surface where it reaches the plane of a node within one of the node's faces: that is
//! tested with the library's exact predicate, on whole triangles.

use glam::DVec3;
use nearhit::research::MeshExt;
use nearhit::research::primitive::intersect::intersects;
use nearhit::{Mesh, Pair, TrianglePair};

/// Faces among which the next plane is chosen.
const CANDIDATES: usize = 24;

#[derive(Debug)]
struct Node {
    normal: DVec3,
    offset: f64,
    /// Triangles of the mesh in the plane.
    faces: Vec<u32>,
    /// In front of the plane, and behind it.
    sides: [Option<u32>; 2],
}

/// A face, or what is left of one.
#[derive(Debug, Clone)]
struct Face {
    triangle: u32,
    corners: Vec<DVec3>,
}

/// A tree of a mesh's faces.
#[derive(Debug)]
pub(super) struct Bsp {
    nodes: Vec<Node>,
    /// What counts as in a plane.
    hair: f64,
    /// Pieces beyond one for each face.
    pub(super) splits: usize,
}

impl Bsp {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let faces: Vec<Face> = (0..mesh.triangles().len() as u32)
            .map(|triangle| Face { triangle, corners: mesh.triangle(triangle).to_vec() })
            .filter(|face| plane(&face.corners).is_some())
            .collect();
        let count = faces.len();
        let mut tree = Self { nodes: Vec::new(), hair: 1e-9 * mesh.max_coordinate(), splits: 0 };
        let mut open = vec![(faces, None)];
        let mut kept = 0;
        while let Some((faces, above)) = open.pop() {
            let Some((normal, offset)) = tree.choose(&faces) else { continue };
            let number = tree.nodes.len() as u32;
            if let Some((parent, side)) = above {
                let parent: &mut Node = &mut tree.nodes[parent as usize];
                parent.sides[side] = Some(number);
            }
            let mut parts = [Vec::new(), Vec::new()];
            let mut node = Node { normal, offset, faces: Vec::new(), sides: [None; 2] };
            for face in faces {
                match node.place(&face.corners, tree.hair) {
                    Place::On => node.faces.push(face.triangle),
                    Place::Side(side) => parts[side].push(face),
                    Place::Across => {
                        for (side, part) in parts.iter_mut().enumerate() {
                            part.push(Face { corners: node.cut(&face.corners, side), ..face });
                        }
                    }
                }
            }
            kept += node.faces.len();
            tree.nodes.push(node);
            for (side, part) in parts.into_iter().enumerate().filter(|(_, part)| !part.is_empty()) {
                open.push((part, Some((number, side))));
            }
        }
        tree.splits = kept - count;
        tree
    }

    /// How many nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The plane of the face, of a sample, that splits the fewest others.
    fn choose(&self, faces: &[Face]) -> Option<(DVec3, f64)> {
        let step = faces.len().div_ceil(CANDIDATES).max(1);
        let planes = faces.iter().step_by(step).filter_map(|face| plane(&face.corners));
        // Slivers of splits may have lost their plane; then any face of the list has one.
        let any = faces.iter().find_map(|face| plane(&face.corners));
        let splits = |&(normal, offset): &(DVec3, f64)| {
            let node = Node { normal, offset, faces: Vec::new(), sides: [None; 2] };
            faces.iter().filter(|face| matches!(node.place(&face.corners, self.hair), Place::Across)).count()
        };
        planes.min_by_key(splits).or(any)
    }

    /// Do the surfaces of two bodies meet? This is the tree of the pair's a; b's faces are filtered
    /// down it.
    pub(super) fn collides(&self, pair: &Pair<'_>, b: &Mesh) -> bool {
        (0..b.triangles().len() as u32).any(|index| {
            let corners = b.triangle(index).map(|corner| pair.a_from_b().apply(corner));
            self.meets(pair, Face { triangle: index, corners: corners.to_vec() })
        })
    }

    fn meets(&self, pair: &Pair<'_>, face: Face) -> bool {
        let whole = face.triangle;
        let touches = |&a: &u32| {
            let (a, b) = pair.triangles(TrianglePair { a, b: whole });
            intersects(&a, &b)
        };
        let mut open = vec![(0, face.corners)];
        while let Some((number, corners)) = open.pop() {
            let node = &self.nodes[number as usize];
            match node.apart(&corners, self.hair) {
                Some(side) => open.extend(node.sides[side].map(|child| (child, corners))),
                None if node.faces.iter().any(touches) => return true,
                // In the plane, or on both sides of it: what is left may meet faces on either side.
                None => {
                    let below =
                        |side: usize| node.sides[side].map(|child| (child, node.part(&corners, side, self.hair)));
                    open.extend([0, 1].into_iter().filter_map(below).filter(|(_, corners)| !corners.is_empty()));
                }
            }
        }
        false
    }
}

/// Where a face is, seen from a plane.
enum Place {
    On,
    /// 0: in front, 1: behind.
    Side(usize),
    Across,
}

impl Node {
    fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    fn heights(&self, corners: &[DVec3]) -> (f64, f64) {
        let heights = corners.iter().map(|&corner| self.height(corner));
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    }

    /// The side that a polygon is on, unless it reaches the plane.
    fn apart(&self, corners: &[DVec3], hair: f64) -> Option<usize> {
        let (low, high) = self.heights(corners);
        if low > hair { Some(0) } else { (high < -hair).then_some(1) }
    }

    fn place(&self, corners: &[DVec3], hair: f64) -> Place {
        let (low, high) = self.heights(corners);
        match (low < -hair, high > hair) {
            (false, false) => Place::On,
            // A face that only touches the plane is on one side.
            (false, true) => Place::Side(0),
            (true, false) => Place::Side(1),
            (true, true) => Place::Across,
        }
    }

    /// The part of a polygon on one side of the plane.
    fn cut(&self, corners: &[DVec3], side: usize) -> Vec<DVec3> {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let mut part = Vec::with_capacity(corners.len() + 1);
        for (index, &p) in corners.iter().enumerate() {
            let q = corners[(index + 1) % corners.len()];
            let (from, to) = (sign * self.height(p), sign * self.height(q));
            if from >= 0.0 {
                part.push(p);
            }
            if (from < 0.0) != (to < 0.0) {
                part.push(p + (q - p) * (from / (from - to)));
            }
        }
        part
    }

    /// The same, with a hair more: nothing that touches is lost.
    fn part(&self, corners: &[DVec3], side: usize, hair: f64) -> Vec<DVec3> {
        let shifted =
            Self { offset: self.offset + if side == 0 { -2.0 * hair } else { 2.0 * hair }, faces: Vec::new(), ..*self };
        shifted.cut(corners, side)
    }
}

/// Through the corners of a convex polygon.
fn plane(corners: &[DVec3]) -> Option<(DVec3, f64)> {
    let first = *corners.first()?;
    let area = corners.windows(2).fold(DVec3::ZERO, |sum, two| sum + (two[0] - first).cross(two[1] - first));
    let normal = area.try_normalize()?;
    Some((normal, normal.dot(first)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit::{Model, Pose, Scratch, Settings, Verdict};
    use nearhit_cases::generated;
    use nearhit_testkit::brute;
    use nearhit_testkit::rng::Rng;
    use nearhit_testkit::shapes::{axis_bars, cuboid, robot_arm, torus};

    /// Against brute force in exact arithmetic over all pairs of triangles.
    #[test]
    fn finds_what_brute_force_finds() {
        let mut rng = Rng::new(3);
        let soups = [torus(12, 6, 1.0, 0.3), robot_arm(2, 0.7), axis_bars(1.0, 0.2), cuboid([-1.0; 3], [1.0; 3])];
        let (mut touching, mut all) = (0, 0);
        for a in &soups {
            let model_a = Model::new(generated::mesh(a));
            let tree = Bsp::new(model_a.mesh());
            for b in &soups {
                let model_b = Model::new(generated::mesh(b));
                for _ in 0..12 {
                    let pose = Pose::from_rows(rng.rotation(), rng.point(-2.0, 2.0)).expect("a rotation");
                    let pair = Pair::relative(&model_a, &model_b, &pose).expect("near");
                    let rows: [[f64; 3]; 3] = pose.rotation().transpose().to_cols_array_2d();
                    let truth = !brute::colliding_pairs(a, b, &rows, &pose.translation().to_array()).is_empty();
                    assert_eq!(tree.collides(&pair, model_b.mesh()), truth, "{pose:?}");
                    let ours = pair.collide(&Settings::default(), &mut Scratch::new()).verdict;
                    assert_eq!(ours == Verdict::Yes, truth);
                    touching += usize::from(truth);
                    all += 1;
                }
            }
        }
        assert!((all / 5..4 * all / 5).contains(&touching), "{touching} of {all}");
    }

    /// Two plates that cross: one is split by the other's plane, and a needle through any of the
    /// four arms is found.
    #[test]
    fn both_parts_of_a_split_face_are_there() {
        let corners = [
            [0.0, -1.0, -1.0],
            [0.0, 1.0, -1.0],
            [0.0, 1.0, 1.0],
            [0.0, -1.0, 1.0],
            [-1.0, 0.0, -1.0],
            [1.0, 0.0, -1.0],
            [1.0, 0.0, 1.0],
            [-1.0, 0.0, 1.0],
        ];
        let plates = Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]).expect("plates");
        let needle =
            Mesh::new(&[[-0.1, -0.1, 0.0], [0.1, 0.1, 0.0], [0.1, 0.1, 0.01]], &[[0, 1, 2]]).expect("a needle");
        let [a, b] = [plates, needle].map(Model::new);
        let tree = Bsp::new(a.mesh());
        assert!(tree.splits > 0);
        for place in [[0.5, 0.0], [-0.5, 0.0], [0.0, 0.5], [0.0, -0.5]] {
            for height in [-0.7, -0.3, 0.2, 0.8] {
                let pose = Pose::from_translation([place[0], place[1], height]).expect("finite");
                let pair = Pair::relative(&a, &b, &pose).expect("near");
                assert!(tree.collides(&pair, b.mesh()), "{place:?} {height}");
            }
        }
    }

    /// A cube's faces are in six planes, and no plane of a face of a convex body splits another.
    #[test]
    fn convex_bodies_are_not_split() {
        let cube = generated::mesh(&cuboid([0.0; 3], [1.0; 3]));
        let tree = Bsp::new(&cube);
        assert_eq!((tree.len(), tree.splits), (6, 0));
    }
}
