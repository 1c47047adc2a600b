//! §12: hybrid hierarchies, boxes for flat walls under spheres.
//!
//! In the leaves' place: of a node of the last level whose parts of triangles fit into a box much
//! smaller than its ball, the box is the leaf. Two leaves are compared by spheres; where these meet
//! and both have a box, by the boxes too. Only then triangles are looked at.

use super::models::lamp;
use glam::DVec3;
use lab_report::scale::Scale;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::primitive::intersect::intersects;
use nearhit::research::sphere_tree::{SphereMethod, SphereOptions, TreeSphere};
use nearhit::research::volume::obb::Obb;
use nearhit::research::volume::{BoundingVolume, Placement};
use nearhit::research::{MeshExt, SphereTreeExt};
use nearhit::{Mesh, Model, Pose, SphereTree, Triangle};
use nearhit_cases::generated;
use nearhit_testkit::Soup;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes::{cuboid, engine_block, icosphere};

/// A model, its spheres, and for each sphere of the last level a box if it is worth one.
struct Subject {
    name: &'static str,
    model: Model,
    tree: SphereTree,
    boxes: Vec<Option<Obb>>,
}

/// A box is worth it at less than this part of its ball's volume.
const FLAT: f64 = 0.2;

fn subject(name: &'static str, model: Model, tree: SphereTree) -> Subject {
    let boxed = |sphere: &TreeSphere| {
        let parts: Vec<Triangle> = tree
            .triangles(sphere)
            .iter()
            .flat_map(|&index| clipped(&model.mesh().triangle(index), sphere))
            .map(|corner| [corner; 3])
            .collect();
        if parts.is_empty() {
            return None;
        }
        let wall = Obb::fit(&parts);
        let ball = 4.0 / 3.0 * std::f64::consts::PI * sphere.radius.powi(3);
        (8.0 * wall.half_extents().element_product() < FLAT * ball).then_some(wall)
    };
    let boxes = tree.spheres().iter().map(boxed).collect();
    Subject { name, model, tree, boxes }
}

/// The corners of what is left of a triangle in the cube around a ball: leaves have parts of large
/// triangles, and boxes around all of those would be no smaller.
fn clipped(triangle: &Triangle, ball: &TreeSphere) -> Vec<DVec3> {
    let mut corners = triangle.to_vec();
    for (axis, side) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)] {
        let height = |corner: DVec3| (corner - ball.center)[axis] * side - ball.radius;
        let edges = (0..corners.len()).map(|index| (corners[index], corners[(index + 1) % corners.len()]));
        let kept = edges.flat_map(|(from, to)| {
            let (low, high) = (height(from), height(to));
            let crossing = (low * high < 0.0).then(|| from.lerp(to, low / (low - high)));
            [(low <= 0.0).then_some(from), crossing].into_iter().flatten()
        });
        corners = kept.collect();
    }
    corners
}

/// Pairs of spheres, of boxes and of triangles looked at, and whether they meet.
#[derive(Debug, Clone, Copy, Default)]
struct Work {
    spheres: u64,
    boxes: u64,
    triangles: u64,
    hits: u64,
}

fn collide(subject: &Subject, pose: &Pose, with_boxes: bool, work: &mut Work) {
    let (tree, mesh) = (&subject.tree, subject.model.mesh());
    let placement = Placement::new(pose, mesh.max_coordinate(), mesh.max_coordinate());
    let spheres = tree.spheres();
    let mut open = vec![(0_u32, 0_u32)];
    let mut found = false;
    while let Some((i, j)) = open.pop() {
        let (a, b) = (&spheres[i as usize], &spheres[j as usize]);
        work.spheres += 1;
        if a.center.distance(pose.apply(b.center)) > a.radius + b.radius {
            continue;
        }
        let (below_a, below_b) = (a.children.clone(), b.children.clone());
        if !below_a.is_empty() && (below_b.is_empty() || a.radius >= b.radius) {
            open.extend(below_a.map(|child| (child, j)));
            continue;
        }
        if !below_b.is_empty() {
            open.extend(below_b.map(|child| (i, child)));
            continue;
        }
        if with_boxes && let (Some(wall_a), Some(wall_b)) = (subject.boxes[i as usize], subject.boxes[j as usize]) {
            work.boxes += 1;
            if wall_b.disjoint(&wall_a.place(&Obb::motion(&placement))) {
                continue;
            }
        }
        for &index_b in tree.triangles(b) {
            let posed = mesh.triangle(index_b).map(|corner| pose.apply(corner));
            for &index_a in tree.triangles(a) {
                work.triangles += 1;
                found |= intersects(&mesh.triangle(index_a), &posed);
            }
        }
    }
    work.hits += u64::from(found);
}

/// A house of flat walls.
fn walls() -> Soup {
    let mut soup = Soup::default();
    for (low, high) in [
        ([-1.0, -1.0, -1.0], [1.0, 1.0, -0.97]),
        ([-1.0, -1.0, -1.0], [-0.97, 1.0, 1.0]),
        ([-1.0, 0.0, -1.0], [1.0, 0.03, 1.0]),
        ([0.4, -1.0, -1.0], [0.43, 1.0, 1.0]),
    ] {
        soup.append(&cuboid(low, high));
    }
    soup
}

/// Adds the table and the claim.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§12: boxes for flat walls under spheres");
    let build = |name, mesh: Mesh| {
        let model = Model::new(mesh);
        let options = SphereOptions::new().method(SphereMethod::Octree).depth(scale.pick(3, 4));
        let tree = SphereTree::build(&model, &options);
        subject(name, model, tree)
    };
    let subjects = [
        build("walls", generated::mesh(&walls())),
        build("engine block", generated::mesh(&engine_block(3, 16, 3))),
        build("ball", generated::mesh(&icosphere(scale.pick(6, 12)))),
        build("lamp", lamp(scale).model.mesh().clone()),
    ];
    let columns =
        ["model", "leaves", "boxes", "spheres", "box tests", "triangle tests", "without boxes", "saved %", "same"];
    let mut table = Table::new("§12: spheres alone, and boxes where leaves are flat", &columns);
    let (mut saved, mut same) = (Vec::new(), true);
    for subject in &subjects {
        let (mut rng, size) = (Rng::new(43), subject.tree.spheres()[0].radius);
        let (mut plain, mut hybrid) = (Work::default(), Work::default());
        for _ in 0..scale.pick(12, 150) {
            let pose = Pose::from_rows(rng.rotation(), rng.point(-0.8 * size, 0.8 * size)).expect("a rotation");
            let before = (plain.hits, hybrid.hits);
            collide(subject, &pose, false, &mut plain);
            collide(subject, &pose, true, &mut hybrid);
            same &= plain.hits - before.0 == hybrid.hits - before.1;
        }
        let last = subject.tree.levels().last().map_or(0, |level| level.len());
        let share = 1.0 - hybrid.triangles as f64 / plain.triangles.max(1) as f64;
        table.row([
            subject.name.into(),
            Cell::Count(last as u64),
            Cell::Count(subject.boxes.iter().flatten().count() as u64),
            Cell::Count(hybrid.spheres),
            Cell::Count(hybrid.boxes),
            Cell::Count(hybrid.triangles),
            Cell::Count(plain.triangles),
            Cell::Number(100.0 * share, 1),
            if plain.hits == hybrid.hits { "yes".into() } else { "no".into() },
        ]);
        saved.push((share, hybrid.boxes as f64 / (plain.triangles - hybrid.triangles).max(1) as f64));
    }
    report.table(table);
    let listed: Vec<String> = saved.iter().map(|(share, _)| format!("{:.1} %", 100.0 * share)).collect();
    report.claim(Claim {
        place: "§12, hybrid hierarchies".into(),
        claim: "Boxes under spheres help with flat walls: the same answers with fewer triangles looked at, half or less on walls".into(),
        verdict: match (same, saved[0].0 >= 0.5) {
            (true, true) => Verdict::Holds,
            (true, false) => Verdict::Differs,
            _ => Verdict::Fails,
        },
        evidence: format!("triangle tests saved on walls, engine, ball, lamp: {}", listed.join(", ")),
        counts_work: true,
    });
}
