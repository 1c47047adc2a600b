//! Possible collision cells of the nodes of real trees, against triangles clipped in rational
//! arithmetic.

use glam::DVec3;
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::adb::{Averages, FLATTEST, Options, Partition, largest_section, octree_model, thickened};
use nearhit::research::build::BuildOptions;
use nearhit::research::build::OctreeLimits;
use nearhit::research::hierarchy::TreeOperation;
use nearhit::research::hierarchy::{Content, Hierarchy};
use nearhit::research::volume::Support;
use nearhit::research::volume::region::{Region, Shape};
use nearhit::{Mesh, Model};
use nearhit_testkit::clip::share_in_box;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;

struct Regions;

impl TreeOperation for Regions {
    type Output = Vec<Region>;
    fn run<V: Support>(self, tree: &Hierarchy<V>) -> Vec<Region> {
        tree.nodes().iter().map(|node| thickened(node.volume.region(), FLATTEST)).collect()
    }
}

/// The triangles below a node.
struct Below(u32);

impl TreeOperation for Below {
    type Output = Vec<u32>;
    fn run<V: Support>(self, tree: &Hierarchy<V>) -> Vec<u32> {
        tree.triangles_below(self.0)
    }
}

fn part(mesh: &Mesh, triangles: &[u32]) -> Mesh {
    let vertices: Vec<[f64; 3]> = mesh.vertices().iter().map(|vertex| vertex.to_array()).collect();
    let kept: Vec<[u32; 3]> = triangles.iter().map(|&index| mesh.triangles()[index as usize]).collect();
    Mesh::new(&vertices, &kept).expect("a part of a mesh")
}

/// Definition 2 by its words: every triangle of the mesh clipped to every cell.
fn possible(region: &Region, mesh: &Mesh, enough: f64) -> Vec<usize> {
    let sides = region.half_extents * 0.25;
    let local = |corner: DVec3| {
        (region.axes.transpose() * (corner - region.center) / sides).to_array().map(|along| along + 4.0)
    };
    let triangles: Vec<_> = (0..mesh.triangles().len() as u32)
        .map(|index| {
            let [a, b, c] = mesh.triangle(index);
            ([local(a), local(b), local(c)], 0.5 * (b - a).cross(c - a).length())
        })
        .collect();
    let holds = |&cell: &usize| {
        let low = [cell % 8, cell / 8 % 8, cell / 64].map(|index| index as f64);
        let from_middle: f64 = low.iter().map(|along| (along - 3.5).powi(2)).sum();
        if region.shape == Shape::Ball && from_middle > 16.0 {
            return false;
        }
        let near = |corners: &[[f64; 3]; 3]| {
            (0..3).all(|axis| {
                corners.iter().any(|corner| corner[axis] >= low[axis])
                    && corners.iter().any(|corner| corner[axis] <= low[axis] + 1.0)
            })
        };
        let shares = triangles.iter().filter(|(corners, _)| near(corners));
        let area: f64 =
            shares.map(|(corners, area)| area * share_in_box(corners, low, low.map(|along| along + 1.0))).sum();
        area >= enough * largest_section(sides)
    };
    (0..512).filter(holds).collect()
}

#[test]
fn counts_are_those_of_the_definition() {
    let soup = shapes::wrinkled_torus(9, 6, 3);
    let mesh = Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh");
    let mut by_others = 0;
    for volume in [VolumeKind::Obb, VolumeKind::Aabb, VolumeKind::KDop18, VolumeKind::Sphere] {
        let model = Model::with(mesh.clone(), volume, &BuildOptions::default());
        let options = Options::new().enough(0.1).partition(Partition::Octants).least_triangles(1);
        let averages = Averages::new(&model, &options);
        let regions = model.hierarchy().with(Regions);
        // The root and some below. No leaves: a single triangle in the middle of its oriented box
        // lies in the plane between cells, and rounding decides.
        for node in [0, 1, 7, 30] {
            let truth = possible(&regions[node], &mesh, options.enough);
            assert_eq!(averages.cells(node as u32).0 as usize, truth.len(), "{volume}: node {node}");
            let mut groups = vec![0; 8];
            truth.iter().for_each(|&cell| groups[Partition::Octants.group(cell)] += 1);
            assert_eq!(averages.groups(node as u32), groups, "{volume}: node {node}");
            let own = part(&mesh, &model.hierarchy().with(Below(node as u32)));
            by_others += usize::from(possible(&regions[node], &own, options.enough).len() < truth.len());
        }
    }
    assert!(by_others > 3, "triangles that merely reach into a node matter: {by_others}");
}

/// Parents, and how many triangles are below each node.
struct Parents;

impl TreeOperation for Parents {
    type Output = Vec<(Option<u32>, usize)>;
    fn run<V: Support>(self, tree: &Hierarchy<V>) -> Self::Output {
        let mut nodes: Vec<_> =
            (0..tree.nodes().len() as u32).map(|id| (None, tree.triangles_below(id).len())).collect();
        for (id, node) in tree.nodes().iter().enumerate() {
            if let Content::Children(children) = node.content() {
                children.for_each(|child| nodes[child as usize].0 = Some(id as u32));
            }
        }
        nodes
    }
}

/// Counting stops at small nodes, which take over the count above them; what is counted is what
/// would be counted anyway, by however many threads.
#[test]
fn small_nodes_have_the_cells_of_those_above() {
    // Enough triangles that several threads count.
    let soup = shapes::wrinkled_torus(60, 40, 3);
    let model = Model::new(Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh"));
    let all = Averages::new(&model, &Options::new().least_triangles(1));
    let some = Averages::new(&model, &Options::new().least_triangles(9));
    let (mut counted, mut taken_over, mut different) = (0, 0, 0);
    for (id, (parent, below)) in (0..).zip(model.hierarchy().with(Parents)) {
        if below >= 9 {
            counted += 1;
            assert_eq!(some.cells(id), all.cells(id), "node {id} with {below} triangles");
        } else {
            taken_over += 1;
            assert_eq!(some.cells(id), some.cells(parent.expect("not the root")), "node {id} with {below} triangles");
            different += usize::from(some.cells(id) != all.cells(id));
        }
    }
    assert!(counted > 500 && taken_over > 5_000 && different > 4_000, "{counted} {taken_over} {different}");
}

/// Sections of boxes by random planes: none is larger than MaxArea.
#[test]
fn no_section_of_a_box_is_larger() {
    let mut rng = Rng::new(721);
    let mut nearest = 0.0_f64;
    for _ in 0..60_000 {
        let sides = DVec3::from_array(rng.point(0.1, 1.0));
        let normal = DVec3::from_array(rng.unit_vector());
        // Through the middle: sections there are the largest (Brunn). Shadows along the longest
        // part of the normal.
        let area = section(sides * 0.5, normal);
        let most = largest_section(sides);
        assert!(area <= most * (1.0 + 1e-9), "{area} in {sides}, across {normal}");
        nearest = nearest.max(area / most);
    }
    assert!(nearest > 0.98, "some come near: {nearest}");
    assert!((largest_section(DVec3::ONE) - 2f64.sqrt()).abs() < 1e-15);
    assert_eq!(largest_section(DVec3::new(3.0, 4.0, 5.0)), 25.0);
}

/// Area of the section of a box by the plane through its middle: corners on its edges, by angle.
fn section(half: DVec3, normal: DVec3) -> f64 {
    let mut corners = Vec::new();
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for (p, q) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let mut corner = DVec3::ZERO;
            (corner[u], corner[v]) = (p * half[u], q * half[v]);
            corner[axis] = -(corner.dot(normal)) / normal[axis];
            if corner[axis].abs() <= half[axis] {
                corners.push(corner);
            }
        }
    }
    let along = normal.any_orthonormal_vector();
    let across = normal.cross(along);
    corners.sort_by(|p, q| p.dot(across).atan2(p.dot(along)).total_cmp(&q.dot(across).atan2(q.dot(along))));
    (0..corners.len()).map(|i| corners[i].cross(corners[(i + 1) % corners.len()]).dot(normal)).sum::<f64>().abs() * 0.5
}

/// An octree's tree answers the exact questions like any other.
#[test]
fn octrees_are_trees() {
    use nearhit::{Pair, Pose, Scratch, Settings};
    let soup = shapes::wrinkled_torus(20, 12, 4);
    let mesh = Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh");
    let octree = octree_model(mesh.clone(), OctreeLimits { depth: 5, stop_count: 3 });
    let usual = Model::new(mesh);
    let mut rng = Rng::new(722);
    let (mut scratch, mut touching) = (Scratch::new(), 0);
    for _ in 0..40 {
        let pose = Pose::from_rows(rng.rotation(), rng.point(-1.5, 1.5)).expect("a pose");
        let (a, b) = (
            Pair::relative(&octree, &octree, &pose).expect("near"),
            Pair::relative(&usual, &usual, &pose).expect("near"),
        );
        let mut pairs = a.contacts(&Settings::default(), &mut scratch).pairs.to_vec();
        let mut truth = b.contacts(&Settings::default(), &mut scratch).pairs.to_vec();
        pairs.sort();
        truth.sort();
        touching += usize::from(!truth.is_empty());
        assert_eq!(pairs, truth);
    }
    assert!((10..40).contains(&touching), "{touching}");
}
