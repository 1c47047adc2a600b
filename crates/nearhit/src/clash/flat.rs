//! Flat faces of a triangulated surface, and its feature edges: what is left of a mesh when it does
//! not matter how flat faces are cut into triangles.

use crate::mesh::Mesh;
use glam::DVec3;
use std::collections::VecDeque;
use std::ops::Range;

/// A surface without the seams inside its flat faces.
#[derive(Debug, Default)]
pub(super) struct Flats {
    pub(super) faces: Vec<FlatFace>,
    pub(super) edges: Vec<FeatureEdge>,
}

/// Connected triangles in one plane, by the rectangle around them.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlatFace {
    pub(super) center: DVec3,
    /// Unit vectors: two along the rectangle, and the normal.
    pub(super) axes: [DVec3; 3],
    pub(super) half: [f64; 2],
}

/// An edge that is not inside a flat face.
#[derive(Debug, Clone, Copy)]
pub(super) struct FeatureEdge {
    pub(super) ends: [DVec3; 2],
    /// Of a face at the edge; zero where there is none.
    pub(super) normal: DVec3,
}

impl Flats {
    /// Triangles whose corners are within `flat` of the plane of one of them are one face. Those
    /// that are thinner than `flat` are no faces, only edges.
    pub(super) fn new(mesh: &Mesh, flat: f64) -> Self {
        let topology = Topology::new(mesh);
        let mut growth = Growth { mesh, flat, face_of: vec![None; mesh.triangles().len()], planes: Vec::new() };
        let mut order: Vec<(f64, u32)> = (0..mesh.triangles().len() as u32)
            .filter_map(|index| area_if_thick(mesh, index, flat).map(|area| (area, index)))
            .collect();
        // The largest first: its plane is the best known.
        order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut members: Vec<Vec<u32>> = Vec::new();
        for (_, seed) in order {
            if growth.face_of[seed as usize].is_none() {
                members.push(growth.grow(seed, &topology));
            }
        }
        let faces =
            members.iter().zip(&growth.planes).map(|(members, plane)| rectangle(mesh, members, plane)).collect();
        let edges = topology.edges().filter(|uses| !growth.is_seam(uses)).map(|uses| growth.feature(uses)).collect();
        Self { faces, edges }
    }
}

/// Twice the area, unless the triangle is thinner than `flat`.
fn area_if_thick(mesh: &Mesh, index: u32, flat: f64) -> Option<f64> {
    let [a, b, c] = mesh.triangle(index);
    let area = (b - a).cross(c - a).length();
    let longest = (b - a).length().max((c - b).length()).max((a - c).length());
    (area > flat * longest).then_some(area)
}

/// Which triangles are at which edge.
struct Topology {
    /// Ends (smaller first) and a triangle, sorted.
    uses: Vec<Use>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    ends: [u32; 2],
    triangle: u32,
    /// The corner opposite.
    apex: u32,
}

impl Topology {
    fn new(mesh: &Mesh) -> Self {
        let corners = mesh.triangles().iter().enumerate();
        let sides = |(index, &[a, b, c]): (usize, &[u32; 3])| {
            [(a, b, c), (b, c, a), (c, a, b)].map(|(from, to, apex)| Use {
                ends: [from.min(to), from.max(to)],
                triangle: index as u32,
                apex,
            })
        };
        let mut uses: Vec<Use> = corners.flat_map(sides).collect();
        uses.sort_unstable();
        Self { uses }
    }

    fn edges(&self) -> impl Iterator<Item = &[Use]> {
        self.uses.chunk_by(|one, other| one.ends == other.ends)
    }

    fn at(&self, ends: [u32; 2]) -> Range<usize> {
        let first = self.uses.partition_point(|known| known.ends < ends);
        first..first + self.uses[first..].partition_point(|known| known.ends == ends)
    }
}

struct Plane {
    through: DVec3,
    normal: DVec3,
    along: DVec3,
}

struct Growth<'m> {
    mesh: &'m Mesh,
    flat: f64,
    face_of: Vec<Option<u32>>,
    planes: Vec<Plane>,
}

impl Growth<'_> {
    /// The face around a triangle that belongs to none yet.
    fn grow(&mut self, seed: u32, topology: &Topology) -> Vec<u32> {
        let [a, b, c] = self.mesh.triangle(seed);
        let longest = [b - a, c - b, a - c]
            .into_iter()
            .fold(DVec3::ZERO, |best, next| if next.length_squared() > best.length_squared() { next } else { best });
        let face = self.planes.len() as u32;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        self.planes.push(Plane { through: a, normal, along: longest.normalize_or_zero() });
        self.face_of[seed as usize] = Some(face);
        let (mut members, mut open) = (vec![seed], VecDeque::from([seed]));
        while let Some(triangle) = open.pop_front() {
            let [a, b, c] = self.mesh.triangles()[triangle as usize];
            for (from, to) in [(a, b), (b, c), (c, a)] {
                for index in topology.at([from.min(to), from.max(to)]) {
                    let next = topology.uses[index].triangle;
                    if self.face_of[next as usize].is_none() && self.is_in_plane(next, face) {
                        self.face_of[next as usize] = Some(face);
                        members.push(next);
                        open.push_back(next);
                    }
                }
            }
        }
        members
    }

    fn is_in_plane(&self, triangle: u32, face: u32) -> bool {
        let Plane { through, normal, .. } = self.planes[face as usize];
        self.mesh.triangle(triangle).iter().all(|corner| normal.dot(*corner - through).abs() <= self.flat)
    }

    /// All triangles at the edge are of one face, and lie on both sides of it.
    fn is_seam(&self, uses: &[Use]) -> bool {
        let Some(face) = self.face_of[uses[0].triangle as usize] else { return false };
        if uses.iter().any(|other| self.face_of[other.triangle as usize] != Some(face)) {
            return false;
        }
        let normal = self.planes[face as usize].normal;
        let [p, q] = uses[0].ends.map(|end| self.mesh.vertices()[end as usize]);
        let sides: Vec<f64> =
            uses.iter().map(|other| normal.dot((q - p).cross(self.mesh.vertices()[other.apex as usize] - p))).collect();
        sides.iter().any(|&side| side > 0.0) && sides.iter().any(|&side| side < 0.0)
    }

    fn feature(&self, uses: &[Use]) -> FeatureEdge {
        let ends = uses[0].ends.map(|end| self.mesh.vertices()[end as usize]);
        let face = uses.iter().find_map(|other| self.face_of[other.triangle as usize]);
        let normal = face.map_or(DVec3::ZERO, |face| self.planes[face as usize].normal);
        FeatureEdge { ends, normal }
    }
}

fn rectangle(mesh: &Mesh, members: &[u32], plane: &Plane) -> FlatFace {
    let axes = [plane.along, plane.normal.cross(plane.along), plane.normal];
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for corner in members.iter().flat_map(|&triangle| mesh.triangle(triangle)) {
        for axis in 0..2 {
            let along = axes[axis].dot(corner - plane.through);
            low[axis] = low[axis].min(along);
            high[axis] = high[axis].max(along);
        }
    }
    let middle = [0, 1].map(|axis| 0.5 * low[axis] + 0.5 * high[axis]);
    let center = plane.through + axes[0] * middle[0] + axes[1] * middle[1];
    FlatFace { center, axes, half: [0, 1].map(|axis| 0.5 * high[axis] - 0.5 * low[axis]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::{Soup, shapes};

    fn flats(soup: &Soup) -> Flats {
        Flats::new(&Mesh::new(&soup.vertices, &soup.triangles).expect("legal"), 1e-9)
    }

    #[test]
    fn a_box_has_six_faces_and_twelve_edges_however_it_is_cut() {
        let plain = flats(&shapes::cuboid([0.0; 3], [1.0, 2.0, 3.0]));
        assert_eq!((plain.faces.len(), plain.edges.len()), (6, 12));
        // A fan of a face about its middle has no edges more.
        let mut fan = shapes::cuboid([0.0; 3], [1.0, 2.0, 3.0]);
        let [a, b, c] = fan.triangles.remove(0);
        let middle = [0, 1, 2]
            .map(|axis| [a, b, c].iter().map(|&vertex| fan.vertices[vertex as usize][axis]).sum::<f64>() / 3.0);
        let middle = fan.push_vertex(middle);
        fan.triangles.extend([[a, b, middle], [b, c, middle], [c, a, middle]]);
        let fan = flats(&fan);
        assert_eq!((fan.faces.len(), fan.edges.len()), (6, 12));
        let area: f64 = plain.faces.iter().map(|face| 4.0 * face.half[0] * face.half[1]).sum();
        // Rectangles along diagonals are larger than the faces.
        assert!(area >= 22.0, "{area}");
    }

    #[test]
    fn an_edge_that_folds_back_is_no_seam() {
        let folded = Soup {
            vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]],
            triangles: vec![[0, 1, 2], [1, 0, 3]],
        };
        let folded = flats(&folded);
        assert_eq!((folded.faces.len(), folded.edges.len()), (1, 5));
    }
}
