//! Findings that people can work with: volumes, copies, groups, clearances by pair, assertions,
//! severity.

use crate::common::mesh;
use nearhit::Pose;
use nearhit::clash::{Assembly, Claim, Class, GroupBy, Options, Report, Rules, Severity, Standing};
use nearhit_testkit::shapes::cuboid;

/// A cube of side 2 in each place.
fn cubes(places: &[(&str, [f64; 3])]) -> Assembly {
    let mut built = Assembly::new();
    let shape = built.add_mesh(mesh(&cuboid([-1.0; 3], [1.0; 3])));
    for (name, place) in places {
        built.add_part(*name, shape, Pose::from_translation(*place).expect("finite")).expect("in range");
    }
    built
}

fn clashes(built: &mut Assembly, options: &Options<'_>) -> Report {
    built.clashes(options).expect("an answer")
}

/// The overlap of a hard clash in the world, and slivers that a least volume turns into contacts.
#[test]
fn overlap_volumes_of_findings() {
    let mut built = cubes(&[("a", [10.0, 0.0, 0.0]), ("b", [11.5, 0.5, 0.0]), ("c", [10.0, 1.875, 0.0])]);
    let report = clashes(&mut built, &Options::new());
    let of = |report: &Report, parts: [usize; 2]| {
        report.findings.iter().find(|finding| finding.parts == parts).cloned().expect("a finding")
    };
    let overlap = of(&report, [0, 1]).overlap.expect("closed");
    assert!(overlap.volume.lower <= 1.5 && 1.5 <= overlap.volume.upper && overlap.volume.upper < 1.5 + 1e-9);
    let bounds = overlap.bounds.expect("not empty");
    assert!((bounds.low - glam::DVec3::new(10.5, -0.5, -1.0)).length() < 1e-9, "{bounds:?}");
    assert!((bounds.high - glam::DVec3::new(11.0, 1.0, 1.0)).length() < 1e-9, "{bounds:?}");
    // 2 · 0.125 · 2 is less than one, and the other two are not.
    let least = clashes(&mut built, &Options::new().min_volume(1.0));
    assert_eq!(of(&least, [0, 2]).class, Class::Touching);
    assert_eq!(of(&least, [0, 1]).class, Class::Hard);
    let without = clashes(&mut built, &Options::new().without_overlaps());
    assert!(without.findings.iter().all(|finding| finding.overlap.is_none()));
    assert_eq!(without.findings.len(), report.findings.len());
    assert!(built.clashes(&Options::new().min_volume(f64::NAN)).is_err());
}

/// Four copies of a part are one finding, and what clashes with them another.
#[test]
fn findings_of_copies_are_folded() {
    let place = [0.0; 3];
    let mut built = cubes(&[("a", place), ("b", place), ("c", place), ("d", place), ("other", [1.5, 0.25, 0.25])]);
    assert_eq!(clashes(&mut built, &Options::new()).findings.len(), 10);
    let report = clashes(&mut built, &Options::new().fold_copies());
    let found: Vec<_> =
        report.findings.iter().map(|finding| (finding.class, finding.parts, finding.copies.clone())).collect();
    assert_eq!(found, [(Class::Hard, [0, 4], vec![1, 2, 3]), (Class::Duplicate, [0, 1], vec![2, 3])]);
}

/// Every finding is in one group, and groups are what they say.
#[test]
fn findings_in_groups() {
    let mut places = Vec::new();
    let names: Vec<[String; 2]> = (0..6).map(|number| [format!("plate_{number}"), format!("bolt_{number}")]).collect();
    for (number, [plate, bolt]) in names.iter().enumerate() {
        let x = 10.0 * number as f64;
        places.push((plate.as_str(), [x, 0.0, 0.0]));
        // The last two are deeper.
        places.push((bolt.as_str(), [x + if number < 4 { 1.5 } else { 1.25 }, 0.25, 0.25]));
    }
    places.push(("lid", [0.0, 0.0, 2.0]));
    let mut built = cubes(&places);
    let report = clashes(&mut built, &Options::new());
    let sizes = |by: GroupBy| -> Vec<usize> {
        let groups = report.groups(&built, by);
        let mut all: Vec<usize> = groups.iter().flat_map(|group| group.findings.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..report.findings.len()).collect::<Vec<_>>());
        groups.iter().map(|group| group.findings.len()).collect()
    };
    // The lid touches plate and bolt 0.
    assert_eq!(sizes(GroupBy::Names), [6, 1, 1]);
    assert_eq!(sizes(GroupBy::Repetition), [4, 2, 1, 1]);
    assert_eq!(sizes(GroupBy::Place(4.0)), [3, 1, 1, 1, 1, 1]);
}

/// Walls are walls whatever they are called; of paths the last name counts.
#[test]
fn findings_in_groups_of_classes() {
    let mut built = cubes(&[
        ("IfcWall/north/1UGmCGUK10t9RYpv5v7teC", [0.0; 3]),
        ("IfcDuctSegment/supply/01b8XApnT0ShEX$d9wdrrR", [1.5, 0.0, 0.0]),
        ("site.ifc/IfcWall/a/b/1UGmCGUK10t9RYpv5v7teD", [50.0, 0.0, 0.0]),
        ("IfcDuctSegment/return/01b8XApnT0ShEX$d9wdrrS", [51.0, 0.0, 0.0]),
        ("left/bolt_1", [100.0, 0.0, 0.0]),
        ("right/plate", [101.0, 0.0, 0.0]),
    ]);
    let report = clashes(&mut built, &Options::new());
    let groups = report.groups(&built, GroupBy::Names);
    let told: Vec<_> = groups.iter().map(|group| (group.name.as_str(), group.findings.len())).collect();
    assert_eq!(told, [("hard: IfcDuctSegment and IfcWall", 2), ("hard: bolt_* and plate", 1)]);
}

/// A matrix of clearances: the last that names a pair counts.
#[test]
fn findings_by_clearances_of_pairs() {
    let mut built = cubes(&[("pump", [0.0; 3]), ("pipe", [3.0, 0.0, 0.0]), ("shield", [0.0, 3.0, 0.0])]);
    let mut rules = Rules::default();
    rules.clearance("pump:*", 2.0).expect("a rule");
    rules.clearance("pump:shield", 0.5).expect("a rule");
    let report = clashes(&mut built, &Options::new().rules(&rules));
    let found: Vec<_> = report.findings.iter().map(|finding| (finding.class, finding.parts)).collect();
    assert_eq!(found, [(Class::Close, [0, 1])]);
    assert!(rules.clearance("pump", 1.0).is_err() && rules.clearance("a:b", -1.0).is_err());
    assert!(rules.clearance("@none:b", 1.0).is_err());
}

/// Assertions hold, are violated or stale, near and far, also where a part is inside another.
#[test]
fn findings_of_assertions() {
    let mut built = cubes(&[("bolt_1", [0.0; 3]), ("bolt_2", [0.0, 50.0, 0.0]), ("cover", [4.0, 0.0, 0.0])]);
    let small = built.add_mesh(mesh(&cuboid([-0.25; 3], [0.25; 3])));
    built.add_part("lost", small, Pose::from_translation([4.0, 0.0, 0.0]).expect("finite")).expect("in range");
    built.add_part("foot", small, Pose::from_translation([0.0, 0.0, -1.25]).expect("finite")).expect("in range");
    let mut rules = Rules::default();
    let asserted = [
        ("exactly", "bolt_*:cover", Claim::Clears(2.0), Standing::Holds),
        ("too much", "bolt_*:cover", Claim::Clears(2.5), Standing::Violated),
        ("renamed", "screw:cover", Claim::Clears(1.0), Standing::Stale),
        ("inside", "lost:cover", Claim::Clears(0.0), Standing::Violated),
        ("stands", "foot:bolt_1", Claim::Touches, Standing::Holds),
        ("does not stand", "foot:bolt_2", Claim::Touches, Standing::Violated),
        ("not on", "foot:bolt_1", Claim::Clears(0.0), Standing::Violated),
    ];
    for (name, pair, claim, _) in asserted {
        rules.assert(name, pair, claim).expect("an assertion");
    }
    let found = built.check(&rules, &Options::new()).expect("an answer");
    for ((name, .., standing), found) in asserted.iter().zip(&found) {
        assert_eq!((found.name.as_str(), found.standing), (*name, *standing));
        assert_eq!(found.worst.is_some(), *standing == Standing::Violated, "{name}");
    }
    let (parts, distance) = found[1].worst.expect("violated");
    assert!(parts == [0, 2] && (distance.upper - 2.0).abs() < 1e-6, "{distance:?}");
    assert!(found[3].worst.expect("violated").1.upper < 0.0);
    assert!(rules.assert("no distance", "a:b", Claim::Clears(f64::NAN)).is_err());
}

#[test]
fn findings_have_a_severity() {
    let mut built = cubes(&[
        ("a", [0.0; 3]),
        ("deep", [1.5, 0.0, 0.0]),
        ("face", [-2.0, 0.0, 0.0]),
        ("graze", [0.0, 2.0 - 1e-4, 0.0]),
        ("gap", [0.0, -2.4, 0.0]),
    ]);
    let report = clashes(&mut built, &Options::new().clearance(1.0).tolerance(2e-5));
    let of = |other: usize| {
        let finding = report.findings.iter().find(|finding| finding.parts == [0, other]).expect("a finding");
        report.severity(&built, finding)
    };
    assert_eq!([of(1), of(2), of(3), of(4)], [Severity::Critical, Severity::Info, Severity::Minor, Severity::Major]);
}

/// A depth is beside the smaller part's side, whichever of the two is named first.
#[test]
fn a_corner_that_is_deep_for_the_smaller_part_is_critical() {
    for big_first in [true, false] {
        let mut built = cubes(if big_first { &[] } else { &[("small", [10.5, 10.5, 10.75])] });
        let big = built.add_mesh(mesh(&cuboid([-10.0; 3], [10.0; 3])));
        built.add_part("big", big, Pose::IDENTITY).expect("in range");
        if big_first {
            let small = built.add_mesh(mesh(&cuboid([-1.0; 3], [1.0; 3])));
            let place = Pose::from_translation([10.5, 10.5, 10.75]).expect("finite");
            built.add_part("small", small, place).expect("in range");
        }
        let report = clashes(&mut built, &Options::new());
        let [finding] = &report.findings[..] else { panic!("{:?}", report.findings) };
        // The overlap of 0.5 by 0.5 by 0.25 is less than a hundredth of the smaller part.
        assert!(finding.overlap.expect("closed").volume.upper < 0.01 * 8.0);
        assert!((finding.depth.expect("closed") - 0.25).abs() < 1e-6);
        assert_eq!(report.severity(&built, finding), Severity::Critical);
    }
}
