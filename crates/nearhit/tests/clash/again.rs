//! After some parts have moved: the findings of a search of their neighbourhood are those of a
//! search of everything. Also what a search may take, and what a picture of a finding shows.

use crate::common::mesh;
use nearhit::Pose;
use nearhit::clash::{Assembly, ClashError, Class, Options, Report, Rules};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes::{cuboid, cylinder, torus};

/// Places on a coarse grid: contacts and copies are common.
fn place(rng: &mut Rng) -> Pose {
    Pose::from_translation(std::array::from_fn(|_| 0.75 * rng.integer(0, 7) as f64)).expect("finite")
}

fn random(parts: usize, rng: &mut Rng) -> Assembly {
    let mut built = Assembly::new();
    let shapes = [cuboid([-0.5; 3], [0.5; 3]), cuboid([-0.3, -0.5, -1.0], [0.3, 0.5, 1.0]), torus(8, 6, 0.6, 0.2)];
    shapes.iter().for_each(|soup| {
        built.add_mesh(mesh(soup));
    });
    for number in 0..parts {
        built.add_part(format!("part_{number}"), rng.below(3), place(rng)).expect("in range");
    }
    built
}

/// Moved, apart again, on each other, with copies folded or not, allowed or not.
#[test]
fn the_neighbourhood_of_moved_parts() {
    let mut rng = Rng::new(2701);
    let (mut come, mut gone, mut copies, mut allowed, mut asked, mut all) = (0, 0, 0, 0, 0, 0);
    // All where there is time.
    let rounds = if std::env::var_os("NEARHIT_LONG").is_some() { 60 } else { 10 };
    for round in 0..rounds {
        let mut built = random(24, &mut rng);
        // New ones each time: rules remember what they allowed.
        let rules = || Rules::new(&["part_1*:part_2*", "no:one"], &[""; 0]).expect("rules");
        let mut options = Options::new().clearance(0.1).tolerance(1e-5).without_overlaps();
        if round % 2 == 0 {
            options = options.fold_copies();
        }
        let mut before = built.clashes(&options.rules(&rules())).expect("an answer");
        for _ in 0..3 {
            let moved = [rng.below(24), rng.below(24)];
            // Now and then onto another one.
            let onto = rng.chance(0.3).then(|| built.parts()[rng.below(24)].world_from_shape);
            for part in moved {
                built.move_part(part, onto.unwrap_or_else(|| place(&mut rng))).expect("in range");
            }
            let after = built.clashes_after(&before, &moved, &options.rules(&rules())).expect("an answer");
            let whole = built.clashes(&options.rules(&rules())).expect("an answer");
            assert_eq!(after.findings, whole.findings, "round {round}, {moved:?}");
            assert_eq!((after.allowed, &after.unused_rules), (whole.allowed, &whole.unused_rules));
            assert!(after.is_complete && after.pairs_judged < whole.pairs_judged);
            let known = |report: &Report, finding: &nearhit::clash::Finding| report.findings.contains(finding);
            come += after.findings.iter().filter(|finding| !known(&before, finding)).count();
            gone += before.findings.iter().filter(|finding| !known(&after, finding)).count();
            copies += after.findings.iter().filter(|finding| finding.class == Class::Duplicate).count();
            (allowed, asked, all) = (allowed + after.allowed, asked + after.pairs_judged, all + whole.pairs_judged);
            before = after;
        }
    }
    assert!(come > rounds && gone > rounds && copies > 0 && allowed > rounds, "{come} {gone} {copies} {allowed}");
    assert!(3 * asked < all, "{asked} of {all} pairs");
}

/// Findings of one of some copies stand for all of them: when that one goes, the others have
/// theirs.
#[test]
fn copies_left_behind_have_findings_of_their_own() {
    let mut built = Assembly::new();
    let shape = built.add_mesh(mesh(&cuboid([-1.0; 3], [1.0; 3])));
    let at = |x: f64| Pose::from_translation([x, 0.25, 0.5]).expect("finite");
    for (name, x) in [("one", 0.0), ("two", 0.0), ("three", 0.0), ("beside", 1.5)] {
        built.add_part(name, shape, at(x)).expect("in range");
    }
    let options = Options::new().fold_copies();
    for moved in 0..3 {
        let mut built = built.clone();
        let before = built.clashes(&options).expect("an answer");
        built.move_part(moved, at(50.0)).expect("in range");
        let after = built.clashes_after(&before, &[moved], &options).expect("an answer");
        let whole = built.clashes(&options).expect("an answer");
        assert_eq!(after.findings, whole.findings, "part {moved}");
        assert_eq!(after.findings.len(), 2, "the two that are left are copies, and clash");
    }
}

/// A report of another assembly, and parts that do not exist, are no reason to panic.
#[test]
fn moved_parts_are_checked() {
    let mut rng = Rng::new(2702);
    let mut built = random(6, &mut rng);
    let before = random(40, &mut rng).clashes(&Options::new()).expect("an answer");
    let found = built.clashes_after(&before, &[0], &Options::new().fold_copies()).expect("an answer");
    assert!(found.findings.iter().all(|finding| finding.parts.iter().all(|&part| part < 6)));
    let refused = built.clashes_after(&before, &[6], &Options::new());
    assert_eq!(refused.err(), Some(ClashError::UnknownPart { part: 6, parts: 6 }));
    assert_eq!(built.move_part(6, Pose::IDENTITY), Err(ClashError::UnknownPart { part: 6, parts: 6 }));
}

/// More memory than allowed is an error before anything is built; what fits is not refused.
#[test]
fn memory_has_a_limit() {
    let mut rng = Rng::new(2703);
    let mut built = random(40, &mut rng);
    let Err(ClashError::Memory { needed, limit: 1000 }) = built.clashes(&Options::new().memory(1000)) else {
        panic!("a thousand bytes are not enough")
    };
    assert!((10_000..10_000_000).contains(&needed), "{needed}");
    assert!(built.clone().clashes(&Options::new().memory(needed)).is_ok());
    assert!(built.clashes(&Options::new().memory(needed - 1)).is_err());
}

/// Thousands of parts in one place are millions of pairs: an error instead of all memory, unless
/// what is asked about is less.
#[test]
fn pairs_without_end_are_refused() {
    let mut built = Assembly::new();
    let shape = built.add_mesh(mesh(&cylinder([0.0; 3], [0.0, 0.0, 1.0], [1.0; 2], 8)));
    for number in 0..6000 {
        built.add_part(format!("part_{number}"), shape, Pose::IDENTITY).expect("in range");
    }
    assert!(matches!(built.clashes(&Options::new()), Err(ClashError::Memory { needed, .. }) if needed > 1 << 30));
    let few = Rules::new(&["only part_1:part_2"], &[""; 0]).expect("rules");
    assert_eq!(built.clashes(&Options::new().rules(&few)).expect("a pair").findings.len(), 1);
}

/// A pin in its bore, both with facets, turned against each other: they overlap by no more than the
/// facets are off the circle, and that is said. With the tolerance given they touch.
#[test]
fn depths_within_the_facets_are_marked() {
    let mut built = Assembly::new();
    let pin = built.add_mesh(mesh(&cylinder([0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [1.0; 2], 24)));
    let block = built.add_mesh(mesh(&cuboid([0.9, -0.5, -0.5], [2.0, 0.5, 0.5])));
    let half = std::f64::consts::PI / 24.0;
    let turned = Pose::from_rows(
        [[half.cos(), -half.sin(), 0.0], [half.sin(), half.cos(), 0.0], [0.0, 0.0, 1.0]],
        [1.99, 0.0, 0.5],
    );
    built.add_part("pin", pin, Pose::IDENTITY).expect("in range");
    built.add_part("other pin", pin, turned.expect("a rotation")).expect("in range");
    built.add_part("block", block, Pose::from_translation([-4.0, 0.0, 0.0]).expect("finite")).expect("in range");
    built.add_part("last pin", pin, Pose::from_translation([-4.0, 0.0, 0.0]).expect("finite")).expect("in range");
    let report = built.clashes(&Options::new()).expect("an answer");
    let of = |report: &Report, parts: [usize; 2]| {
        report.findings.iter().find(|finding| finding.parts == parts).cloned().expect("a finding")
    };
    // Two arcs are each off by up to 0.0086; the overlap is less than 0.01.
    let shallow = of(&report, [0, 1]);
    let tolerance = shallow.touching_with.expect("within the facets");
    assert!(shallow.depth.is_some_and(|depth| depth > 0.0 && 2.0 * depth <= tolerance), "{shallow:?}");
    assert_eq!(of(&report, [2, 3]).touching_with, None, "0.1 deep");
    let again = built.clashes(&Options::new().tolerance(tolerance)).expect("an answer");
    assert_eq!(of(&again, [0, 1]).class, Class::Touching);
    assert_eq!(of(&again, [2, 3]).class, Class::Hard);
}

/// The curve along which two cubes meet is in both surfaces, and as long as it must be.
#[test]
fn outlines_are_where_surfaces_meet() {
    let mut built = Assembly::new();
    let cube = built.add_mesh(mesh(&cuboid([-1.0; 3], [1.0; 3])));
    for (name, at) in [("a", [10.0, 0.0, 0.0]), ("b", [11.5, 0.5, 0.25]), ("far", [90.0, 0.0, 0.0])] {
        built.add_part(name, cube, Pose::from_translation(at).expect("finite")).expect("in range");
    }
    let report = built.clashes(&Options::new()).expect("an answer");
    let curve = built.outline(&report.findings[0], 1000).expect("a pair");
    let on = |point: glam::DVec3, middle: [f64; 3]| {
        let offset = (point - glam::DVec3::from_array(middle)).abs().max_element();
        (offset - 1.0).abs() < 1e-9
    };
    assert!(curve.iter().flatten().all(|&point| on(point, [10.0, 0.0, 0.0]) && on(point, [11.5, 0.5, 0.25])));
    // A corner of each is in the other: two hexagons' worth of edges, 0.5, 1.5 and 1.75 long,
    // twice.
    let length: f64 = curve.iter().map(|[from, to]| (*to - *from).length()).sum();
    assert!((length - 2.0 * (0.5 + 1.5 + 1.75)).abs() < 1e-9, "{length}");
    assert_eq!(built.outline(&report.findings[0], 3).expect("a pair").len(), 3);
}
