//! §3: comparison with an algorithm that subdivides space when it is asked, without trees made
//! before: octrees of the region that two bodies share (Smith et al. 1995).
//!
//! Faces whose boxes do not meet the other body's are put aside; the box that both lists share is
//! divided into eight as long as it holds faces of both and many of them; in the last cubes all
//! faces of one are tested against all of the other, exactly.

use super::bare::Bare;
use super::bsp::Bsp;
use super::models::lamp;
use glam::DVec3;
use lab_report::scale::Scale;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::primitive::intersect::intersects;
use nearhit::research::{RefinementExt, SphereTreeExt};
use nearhit::{Budget, Mesh, Pair, Pose, Refinement, SpherePair, Stats, Triangle};
use nearhit_testkit::rng::Rng;
use std::time::Instant;

/// Cubes with as many pairs of faces or fewer are not divided, nor those so deep.
const FEW: usize = 64;
const DEEPEST: u32 = 6;

#[derive(Debug, Clone, Copy)]
struct Face {
    corners: Triangle,
    low: DVec3,
    high: DVec3,
}

impl Face {
    fn new(corners: Triangle) -> Self {
        let [a, b, c] = corners;
        Self { corners, low: a.min(b).min(c), high: a.max(b).max(c) }
    }

    fn meets(&self, (low, high): (DVec3, DVec3)) -> bool {
        self.low.cmple(high).all() && self.high.cmpge(low).all()
    }
}

fn around(faces: &[Face]) -> (DVec3, DVec3) {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    faces.iter().fold(none, |(low, high), face| (low.min(face.low), high.max(face.high)))
}

/// Do the surfaces meet? With the pairs of triangles tested.
fn collides(a: &Mesh, b: &Mesh, pose: &Pose, tests: &mut u64) -> bool {
    let faces = |mesh: &Mesh, place: &dyn Fn(DVec3) -> DVec3| -> Vec<Face> {
        (0..mesh.triangles().len() as u32).map(|index| Face::new(mesh.triangle(index).map(place))).collect()
    };
    let (of_a, of_b) = (faces(a, &|corner| corner), faces(b, &|corner| pose.apply(corner)));
    let ((low_a, high_a), (low_b, high_b)) = (around(&of_a), around(&of_b));
    let shared = (low_a.max(low_b), high_a.min(high_b));
    let mut open = vec![(shared, of_a, of_b, 0)];
    while let Some((cube, of_a, of_b, depth)) = open.pop() {
        let within = |faces: Vec<Face>| faces.into_iter().filter(|face| face.meets(cube)).collect::<Vec<_>>();
        let (of_a, of_b) = (within(of_a), within(of_b));
        if of_a.is_empty() || of_b.is_empty() {
            continue;
        }
        if of_a.len() * of_b.len() <= FEW || depth == DEEPEST {
            for p in &of_a {
                for q in of_b.iter().filter(|q| q.meets((p.low, p.high))) {
                    *tests += 1;
                    if intersects(&p.corners, &q.corners) {
                        return true;
                    }
                }
            }
            continue;
        }
        let middle = (cube.0 + cube.1) * 0.5;
        for part in 0..8 {
            let upper = glam::BVec3::new(part & 1 > 0, part & 2 > 0, part & 4 > 0);
            let eighth = (DVec3::select(upper, middle, cube.0), DVec3::select(upper, cube.1, middle));
            open.push((eighth, of_a.clone(), of_b.clone(), depth + 1));
        }
    }
    false
}

/// Adds the table and the claims.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§3: an algorithm that subdivides space");
    let craft = lamp(scale);
    let (model, tree) = (&craft.model, &craft.tree);
    let bsp: &Bsp = craft.bsp.as_ref().expect("made with it");
    let (mut rng, size) = (Rng::new(46), 2.0 * craft.tree.spheres()[0].radius);
    let (mut calls, mut same, mut hits, mut tests, mut missed) = (0_u64, 0_u64, 0_u64, 0_u64, 0_u64);
    let (mut seconds, depth) = ([0.0; 4], scale.pick(3, 4));
    let mut speeds = Vec::new();
    while calls < scale.pick_of(60, 3_000, 20_000) {
        let pose = Pose::from_rows(rng.rotation(), rng.point(-size, size)).expect("a rotation");
        if pose.translation().length() > size {
            continue;
        }
        calls += 1;
        let pair = Pair::relative(model, model, &pose).expect("near");
        let start = Instant::now();
        let by_bsp = bsp.collides(&pair, model.mesh());
        seconds[0] += start.elapsed().as_secs_f64();
        let start = Instant::now();
        let found = collides(model.mesh(), model.mesh(), &pose, &mut tests);
        let divided = start.elapsed().as_secs_f64();
        seconds[1] += divided;
        let start = Instant::now();
        let mut bare = Bare::new(tree, &pair);
        let by_spheres = (0..depth).all(|_| bare.step()) && bare.polygons();
        let descended = start.elapsed().as_secs_f64();
        seconds[2] += descended;
        speeds.push(divided / descended);
        let pair = SpherePair::new(pair, tree, tree);
        let (mut refinement, mut spent) = (Refinement::default(), Stats::default());
        let start = Instant::now();
        while !refinement.is_done() {
            refinement.step(&pair, &Budget::UNLIMITED, &mut spent);
        }
        seconds[3] += start.elapsed().as_secs_f64();
        hits += u64::from(found);
        same += u64::from(found == by_bsp);
        missed += u64::from(found && !by_spheres);
    }
    speeds.sort_by(f64::total_cmp);
    let columns = ["algorithm", "µs a call", ": sphere-tree"];
    let mut table =
        Table::new(format!("§3: {calls} calls of two lamps whose spheres are near, {hits} collisions"), &columns);
    let names = [
        "BSP trees",
        "octree of the shared region",
        "sphere-tree with polygons, as in Figure 3",
        "the same with witnesses and bounds",
    ];
    for (name, took) in names.iter().zip(seconds) {
        table.row([(*name).into(), Cell::Number(took * 1e6 / calls as f64, 1), Cell::Number(took / seconds[2], 2)]);
    }
    report.table(table);
    let mut claim = |claim: &str, holds, evidence, counts_work| {
        let (place, claim, verdict) = ("§3, subdivision".into(), claim.into(), Verdict::of(holds));
        report.claim(Claim { place, claim, verdict, evidence, counts_work });
    };
    claim(
        "Subdivision finds the collisions that BSP trees find",
        same == calls && hits > 0,
        format!(
            "the same in {same} of {calls} calls, {hits} collisions, {tests} pairs of triangles; the paper's sphere-tree, by its looser coverage, misses {missed}"
        ),
        true,
    );
    let faster = speeds.iter().filter(|&&speed| speed > 1.0).count();
    claim(
        "Sphere-trees down to the polygons are faster than an octree of the shared region in most calls",
        2 * faster > speeds.len(),
        format!("in {faster} of {calls}; half of the calls {:.1} times or more", speeds[speeds.len() / 2]),
        false,
    );
    claim(
        "No report of subdivision that outperforms BSP trees is known (§3): nor does it here",
        seconds[1] >= seconds[0],
        format!("{:.2} times BSP trees' time", seconds[1] / seconds[0]),
        false,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit::research::MeshExt;
    use nearhit::{Model, Scratch, Settings, Verdict};
    use nearhit_cases::generated;
    use nearhit_testkit::shapes::{robot_arm, torus};

    #[test]
    fn it_finds_what_the_exact_engine_finds() {
        let [a, b] = [robot_arm(3, 0.7), torus(24, 12, 1.0, 0.2)].map(|soup| Model::new(generated::mesh(&soup)));
        let (mut rng, mut found, mut tests) = (Rng::new(47), [0, 0], 0);
        let reach = a.mesh().max_coordinate();
        for _ in 0..200 {
            let pose = Pose::from_rows(rng.rotation(), rng.point(-reach, reach)).expect("a rotation");
            let pair = Pair::relative(&a, &b, &pose).expect("near");
            let truth = pair.collide(&Settings::default(), &mut Scratch::new()).verdict == Verdict::Yes;
            assert_eq!(collides(a.mesh(), b.mesh(), &pose, &mut tests), truth);
            found[usize::from(truth)] += 1;
        }
        assert!(found.iter().all(|&count| count > 20), "{found:?}");
    }
}
