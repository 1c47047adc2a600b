//! Mated faces of every kind are decided, with work that grows like the number of corners.

use crate::common::mesh;
use nearhit::Pose;
use nearhit::clash::{Assembly, Class, Options, Report};
use nearhit_testkit::Soup;
use nearhit_testkit::mates::{Mate, fitted, screw, stacked};

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

/// Ten times the corners, about ten times the work: no family grows like the square.
#[test]
fn work_grows_like_the_corners() {
    let (few, many) = (stacked(100), stacked(1000));
    for (few, many) in few.iter().zip(&many) {
        let works = [few, many].map(|mate| work(&judged(&mate.a, &mate.b, [0.0; 3])));
        assert!(works[1] < 30 * works[0].max(10_000), "{}: {works:?}", few.name);
        let triangles = (many.a.len() + many.b.len()) as u64;
        assert!(works[1] < 1500 * triangles, "{}: {} tests for {triangles} triangles", many.name, works[1]);
    }
}

/// 10,000 corners, in full where there is time (`NEARHIT_LONG=1`).
#[test]
fn ten_thousand_corners() {
    let mates = stacked(10_000);
    let is_long = std::env::var_os("NEARHIT_LONG").is_some();
    for mate in mates.iter().take(if is_long { usize::MAX } else { 3 }) {
        let found = judged(&mate.a, &mate.b, [0.0; 3]);
        assert_eq!(class(&found), Some(Class::Touching), "{}", mate.name);
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
    assert!(found.is_complete() && finding.depth.is_none());
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

#[test]
fn zz_measure() {
    let Ok(sizes) = std::env::var("MEASURE") else { return };
    for n in sizes.split(',').map(|n| n.parse::<usize>().unwrap()) {
        let mut mates = stacked(n);
        mates.extend(fitted(n, 0.0));
        mates.extend(fitted(n, 0.01).into_iter().map(|m| Mate { name: format!("{} play", m.name), ..m }));
        mates.extend(fitted(n, -0.01).into_iter().map(|m| Mate { name: format!("{} press", m.name), ..m }));
        for mate in mates {
            if std::env::var("ONLY").is_ok_and(|only| !mate.name.contains(&only)) { continue }
            let cpu = || std::fs::read_dir("/proc/self/task").unwrap().map(|t| std::fs::read_to_string(t.unwrap().path().join("schedstat")).unwrap_or_default().split(' ').next().unwrap_or("0").parse::<f64>().unwrap_or(0.0)).sum::<f64>() * 1e-9;
            let start = cpu();
            let found = judged(&mate.a, &mate.b, [0.0; 3]);
            let t = cpu() - start;
            let triangles = (mate.a.len() + mate.b.len()) as u64;
            println!("{n:6} {:28} {:?} tri {triangles} work {} = {}/tri  {t:.2} s", mate.name, class(&found), work(&found), work(&found) / triangles);
        }
    }
}
