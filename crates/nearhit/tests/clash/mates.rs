//! Mated faces of every kind are decided, with work that grows like the number of corners.

use crate::common::mesh;
use nearhit::Pose;
use nearhit::clash::{Assembly, Class, Options, Report};
use nearhit_testkit::Soup;
use nearhit_testkit::mates::{Mate, duplicates, fitted, screw, stacked};

/// Much more than the tolerance, much less than the parts.
const STEP: f64 = 1e-4;

fn judged(a: &Soup, b: &Soup, moved: [f64; 3]) -> Report {
    let mut assembly = Assembly::new();
    let (a, b) = (assembly.add_mesh(mesh(a)), assembly.add_mesh(mesh(b)));
    assembly.add_part("a", a, Pose::IDENTITY).expect("in range");
    assembly.add_part("b", b, Pose::from_translation(moved).expect("finite")).expect("in range");
    assembly.clashes(&Options::new().tolerance(1e-6)).expect("an answer")
}

fn class(report: &Report) -> Option<Class> {
    report.findings.first().map(|finding| finding.class)
}

fn work(report: &Report) -> u64 {
    report.stats.volume_tests + report.stats.triangle_tests
}

/// Where they are: touching. Moved in: a hard clash, that deep. Moved out: free.
fn decides(mate: &Mate) -> u64 {
    let Mate { name, a, b, inwards } = mate;
    let touching = judged(a, b, [0.0; 3]);
    assert_eq!(class(&touching), Some(Class::Touching), "{name}: {:?}", touching.findings);
    if let Some(inwards) = inwards {
        let hard = judged(a, b, inwards.map(|x| STEP * x));
        assert_eq!(class(&hard), Some(Class::Hard), "{name} moved in");
        let depth = hard.findings[0].depth.expect("closed meshes");
        assert!((0.98 * STEP..=1.001 * STEP).contains(&depth), "{name}: {depth}");
        assert_eq!(class(&judged(a, b, inwards.map(|x| -STEP * x))), None, "{name} moved out");
    }
    work(&touching)
}

#[test]
fn faces_on_each_other_touch() {
    for corners in [10, 33, 180] {
        stacked(corners).iter().for_each(|mate| {
            decides(mate);
        });
    }
}

#[test]
fn shafts_wheels_and_screws_fit() {
    for corners in [12, 64, 180] {
        for mate in fitted(corners, 0.0) {
            decides(&mate);
        }
        // With play they are free; pressed in, they clash.
        for mate in fitted(corners, 0.01) {
            assert_eq!(class(&judged(&mate.a, &mate.b, [0.0; 3])), None, "{} with play", mate.name);
        }
        for mate in fitted(corners, -0.01) {
            assert_eq!(class(&judged(&mate.a, &mate.b, [0.0; 3])), Some(Class::Hard), "{} pressed", mate.name);
        }
    }
}

/// All families, with how much each may take for a triangle.
fn families(corners: usize) -> Vec<(Mate, u64)> {
    let flush = stacked(corners).into_iter().map(|mate| (mate, FLUSH));
    flush.chain(fitted(corners, 0.0).into_iter().map(|mate| (mate, FITTED))).collect()
}

/// Tests for each triangle that faces on each other may take, and parts that are held all around:
/// there every triangle touches.
const FLUSH: u64 = 600;
const FITTED: u64 = 800;

/// Ten times the corners, about ten times the work: no family grows like the square.
#[test]
fn work_grows_like_the_corners() {
    for ((few, _), (many, most)) in families(100).iter().zip(&families(1000)) {
        let works = [few, many].map(|mate| work(&judged(&mate.a, &mate.b, [0.0; 3])));
        assert!(works[1] < 30 * works[0].max(10_000), "{}: {works:?}", few.name);
        let triangles = (many.a.len() + many.b.len()) as u64;
        assert!(works[1] < most * triangles, "{}: {} tests for {triangles} triangles", many.name, works[1]);
    }
}

/// 10,000 corners, in full where there is time (`NEARHIT_LONG=1`).
#[test]
fn ten_thousand_corners() {
    let is_long = std::env::var_os("NEARHIT_LONG").is_some();
    for (index, (mate, most)) in families(10_000).iter().enumerate() {
        if !is_long && index >= 3 {
            break;
        }
        let found = judged(&mate.a, &mate.b, [0.0; 3]);
        assert_eq!(class(&found), Some(Class::Touching), "{}", mate.name);
        let triangles = (mate.a.len() + mate.b.len()) as u64;
        // Trees are one or two levels deeper.
        assert!(work(&found) < most * 3 / 2 * triangles, "{}: {} tests", mate.name, work(&found));
    }
}

/// Faces that are there thousands of times.
#[test]
fn thousands_of_duplicates() {
    for times in [1, 100, 2000] {
        let mate = duplicates(times);
        let spent = decides(&mate);
        assert!(spent < 100_000 + 100 * (mate.a.len() + mate.b.len()) as u64, "{}: {spent}", mate.name);
    }
}

/// At the limit of its work a pair is undecided, and the bound on its depth holds.
#[test]
fn a_limit_for_each_pair() {
    let mate = &stacked(180)[0];
    let mut assembly = Assembly::new();
    let (a, b) = (assembly.add_mesh(mesh(&mate.a)), assembly.add_mesh(mesh(&mate.b)));
    assembly.add_part("a", a, Pose::IDENTITY).expect("in range");
    assembly.add_part("b", b, Pose::IDENTITY).expect("in range");
    let found = assembly.clashes(&Options::new().pair_work(2000)).expect("an answer");
    let finding = &found.findings[0];
    assert_eq!(finding.class, Class::Undecided);
    assert!(finding.depth_at_most.is_some_and(|most| most >= found.tolerance && most < 0.25), "{finding:?}");
    assert!(found.is_complete && finding.depth.is_none());
}

/// The limit is for all of a pair's work, and all of it may be used: a limit of what a pair takes
/// decides it.
#[test]
fn the_whole_limit_may_be_used() {
    for mate in fitted(64, 0.0).iter().chain(&stacked(48)) {
        let free = judged(&mate.a, &mate.b, [0.0; 3]);
        let mut assembly = Assembly::new();
        let (a, b) = (assembly.add_mesh(mesh(&mate.a)), assembly.add_mesh(mesh(&mate.b)));
        assembly.add_part("a", a, Pose::IDENTITY).expect("in range");
        assembly.add_part("b", b, Pose::IDENTITY).expect("in range");
        let options = Options::new().tolerance(1e-6).pair_work(work(&free) + 1);
        let found = assembly.clashes(&options).expect("an answer");
        assert_eq!(class(&found), Some(Class::Touching), "{}", mate.name);
    }
}

/// The screw alone is a solid: a promise of the generator that the tests above rest on.
#[test]
fn a_screw_turns() {
    let outline = nearhit_testkit::mates::gear(8, 0.9, 1.0);
    let twist = nearhit_testkit::mates::Twist { layers: 8, turns: 0.5 };
    let turned = screw(&outline, 0.0, 1.0, twist);
    assert_eq!(nearhit_testkit::shapes::unmatched_edges(&turned), 0);
}

/// Deeper than the tolerance is a hard clash, less deep than half of it is none: for faces of every
/// cut.
#[test]
fn the_tolerance_decides() {
    const TOLERANCE: f64 = 1e-6;
    for Mate { name, a, b, inwards } in &stacked(24) {
        let inwards = inwards.expect("stacked");
        let sunk = |tolerances: f64| class(&judged(a, b, inwards.map(|x| tolerances * TOLERANCE * x)));
        assert_eq!(sunk(0.49), Some(Class::Touching), "{name}");
        assert_eq!(sunk(1.02), Some(Class::Hard), "{name}");
        assert_eq!(sunk(-0.98), Some(Class::Touching), "{name}");
        assert_eq!(sunk(-1.02), None, "{name}");
    }
}

/// No edge of either part is deep inside the other: a pole with three sides goes through a foil
/// that is thinner than the tolerance.
#[test]
fn a_pole_through_a_foil() {
    let foil = nearhit_testkit::shapes::cuboid([-1.0, -1.0, 0.0], [1.0, 1.0, 1e-7]);
    let pole = nearhit_testkit::mates::prism(
        &nearhit_testkit::mates::circle(3, 0.3, 0.1),
        -1.0,
        1.0,
        nearhit_testkit::mates::Cut::RimFan,
    );
    let found = judged(&foil, &pole, [0.0; 3]);
    assert_eq!(class(&found), Some(Class::Hard));
    assert!(found.findings[0].depth.is_some_and(|depth| depth > 0.1 && depth <= 0.15 + 1e-9), "{:?}", found.findings);
}
