//! The whole search: known findings, threads, rules, cancellation, sizes, refusals.

use crate::common::mesh;
use nearhit::Pose;
use nearhit::clash::{Assembly, ClashError, Class, Options, Progress, Report, Rules};
use nearhit_testkit::assembly::{CLEARANCE, Known, assembly};
use nearhit_testkit::shapes::cuboid;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn generated(parts: usize) -> (Assembly, nearhit_testkit::assembly::Assembly) {
    let made = assembly(parts, 0xc1a5);
    let mut built = Assembly::new();
    made.shapes.iter().for_each(|soup| {
        built.add_mesh(mesh(soup));
    });
    for part in &made.parts {
        let pose = Pose::from_rows(part.rotation, part.translation).expect("rigid");
        built.add_part(&part.name, part.shape, pose).expect("in range");
    }
    (built, made)
}

/// Cubes of half side `half` about `(x, 0, 0)`.
fn cubes(cubes: &[(&str, f64, f64)]) -> Assembly {
    let mut built = Assembly::new();
    for (name, half, x) in cubes {
        let shape = built.add_mesh(mesh(&cuboid([x - half, -half, -half], [x + half, *half, *half])));
        built.add_part(*name, shape, Pose::IDENTITY).expect("in range");
    }
    built
}

fn classes(report: &Report) -> Vec<Class> {
    report.findings.iter().map(|finding| finding.class).collect()
}

fn with_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("a pool").install(work)
}

/// All that was planted is found, and nothing else; the same on one thread and on three.
#[test]
fn planted_findings() {
    let (mut built, made) = generated(200);
    let options = Options::new().clearance(CLEARANCE);
    let report = with_threads(1, || built.clashes(&options)).expect("an answer");
    assert_eq!(with_threads(3, || built.clashes(&options)).expect("an answer"), report);
    let mut found: Vec<([&str; 2], Class)> = (report.findings.iter())
        .map(|finding| {
            let mut names = finding.parts.map(|part| built.parts()[part].name.as_str());
            names.sort_unstable();
            (names, finding.class)
        })
        .collect();
    found.sort_unstable();
    let class =
        |known: &Known| Class::ALL.into_iter().find(|class| class.to_string() == known.class()).expect("a class");
    let known: Vec<([&str; 2], Class)> =
        made.expected.iter().map(|one| ([one.names[0].as_str(), one.names[1].as_str()], class(&one.known))).collect();
    assert_eq!(found, known);
}

#[test]
fn a_search_can_be_cancelled_within_a_pair() {
    let (mut built, _) = generated(60);
    let (cancel, begun) = (AtomicBool::new(false), AtomicUsize::new(0));
    let tell = |progress: Progress<'_>| {
        // Within the third pair: it has begun, and is not done.
        if matches!(progress, Progress::Begun { .. }) && begun.fetch_add(1, Ordering::SeqCst) == 2 {
            cancel.store(true, Ordering::SeqCst);
        }
    };
    let options = Options::new().cancel(&cancel).progress(&tell);
    let report = with_threads(1, || built.clashes(&options)).expect("an answer");
    assert!(!report.is_complete);
    assert_eq!(report.pairs_judged, 2);
    assert!(report.unused_rules.is_empty());
    // Nothing is begun, no tree is made.
    let (mut built, _) = generated(60);
    let report = built.clashes(&Options::new().cancel(&cancel)).expect("an answer");
    assert_eq!((report.pairs_judged, report.findings.len()), (0, 0));
}

#[test]
fn rules_and_ignored_classes() {
    let mut built = cubes(&[("plate", 1.0, 0.0), ("bolt_1", 0.25, 1.0), ("bolt_2", 0.25, -1.0), ("shim", 0.5, 1.75)]);
    let rules = Rules::new(&["@bolts:plate", "no:one"], &["bolts=bolt_?"]).expect("rules");
    let report = built.clashes(&Options::new().rules(&rules)).expect("an answer");
    assert_eq!((classes(&report), report.allowed), (vec![Class::Touching], 2));
    assert_eq!(report.unused_rules, ["no:one"]);
    let report = built.clashes(&Options::new().ignore(Class::Hard)).expect("an answer");
    assert_eq!(classes(&report), [Class::Touching]);
}

/// In any unit of length, the same.
#[test]
fn sizes_from_the_smallest_to_the_largest() {
    for size in [1e-320, 1e-310, 1e-280, 1e-150, 1e-60, 1e-3, 1.0, 1e6, 1e60, 1e150, 4e299] {
        let mut built = Assembly::new();
        for (name, half, x) in [("a", 1.0, 0.0), ("b", 0.5, 1.25), ("c", 1.0, -2.0)] {
            let corner = |sign: f64| [x + sign * half, sign * half, sign * half].map(|value| value * 0.5 * size);
            let shape = built.add_mesh(mesh(&cuboid(corner(-1.0), corner(1.0))));
            built.add_part(name, shape, Pose::IDENTITY).expect("in range");
        }
        let report = built.clashes(&Options::new()).expect("an answer");
        assert_eq!(classes(&report), [Class::Hard, Class::Touching], "{size}");
        let depth = report.findings[0].depth.expect("closed") / size;
        // The smallest numbers have few digits.
        assert!((depth - 0.125).abs() < 1e-9_f64.max(5e-324 / size), "{size}: {depth}");
        let volume = report.findings[0].overlap.expect("closed").volume;
        assert!(volume.lower.is_finite() && volume.lower <= volume.upper, "{size}: {volume:?}");
    }
}

/// Two triangles of denormal size that touch where the smallest numbers round them, and are apart
/// by less than such a number where an enlarged assembly does not: the tolerance counts for that.
#[test]
fn what_touches_among_denormals_is_touching() {
    let corner = |units: [i64; 3]| units.map(|unit| unit as f64 * f64::from_bits(1));
    let triangle =
        |corners: [[i64; 3]; 3]| nearhit::Mesh::new(&corners.map(corner), &[[0, 1, 2]]).expect("a legal mesh");
    let a = triangle([[5479, -942, -2919], [8276, -1125, -4292], [5704, -3186, -5312]]);
    let b = triangle([[1040, -1040, -2080], [-1040, 1040, -1040], [-2080, -2080, -2080]]);
    let rows = [
        [3.131148336771168e-1, -7.229888133355304e-1, -6.15829746539604e-1],
        [-4.931876377433316e-1, -6.779310498475597e-1, 5.451380060404316e-1],
        [-8.116187866902193e-1, 1.3302882185551715e-1, -5.688394128813765e-1],
    ];
    let mut touching = 0;
    for place in 0..49 {
        let place = [3117 + place % 7, 0, -3123 + place / 7];
        let place = Pose::from_rows(rows, corner(place)).expect("rigid");
        let models = [&a, &b].map(|mesh| nearhit::Model::new(mesh.clone()));
        let touch = nearhit::collide(&models[0], &Pose::IDENTITY, &models[1], &place).expect("in range");
        let mut built = Assembly::new();
        for (name, mesh, pose) in [("a", &a, Pose::IDENTITY), ("b", &b, place)] {
            let shape = built.add_mesh(mesh.clone());
            built.add_part(name, shape, pose).expect("in range");
        }
        let report = built.clashes(&Options::new()).expect("an answer");
        assert!(!touch || classes(&report) == [Class::Touching], "{place:?}: {report:?}");
        touching += usize::from(touch);
    }
    assert!((1..49).contains(&touching), "{touching} of 49 touch");
}

/// Cubes of lengths leave the range of numbers long before lengths do.
#[test]
fn least_volumes_of_every_size() {
    for (size, least, class) in [
        (1e-150, 0.0, Class::Hard),
        (1e-150, 1e-300, Class::Touching),
        (1e-100, 1e-300, Class::Hard),
        (1e-100, 3e-300, Class::Touching),
        (1e99, 1e297, Class::Hard),
        (1e99, 1e299, Class::Touching),
        (1e150, 1e300, Class::Hard),
    ] {
        let mut built = cubes(&[("a", size, 0.0), ("b", size, 1.5 * size)]);
        let report = built.clashes(&Options::new().min_volume(least)).expect("an answer");
        assert_eq!(classes(&report), [class], "{size:e}, {least:e}");
    }
}

/// Beside the huge part the other is a point on its side.
#[test]
fn a_tiny_part_on_a_huge_one_touches_it() {
    let report = cubes(&[("huge", 4e299, 4e299), ("tiny", 0.5, 0.5)]).clashes(&Options::new()).expect("an answer");
    assert_eq!(classes(&report), [Class::Touching]);
    let report = cubes(&[("huge", 4e299, 0.0), ("tiny", 0.5, 0.5)]).clashes(&Options::new()).expect("an answer");
    assert_eq!(classes(&report), [Class::Inside]);
}

#[test]
fn refusals() {
    let mut built = cubes(&[("a", 1.0, 0.0), ("b", 0.5, 1.25)]);
    let refused =
        |built: &mut Assembly, options: Options<'_>| built.clashes(&options).expect_err("refused").to_string();
    assert!(
        refused(&mut built, Options::new().tolerance(0.0)).starts_with("tolerance 0: must be a number and at least")
    );
    assert!(refused(&mut built, Options::new().tolerance(f64::NAN)).starts_with("tolerance NaN"));
    assert_eq!(
        refused(&mut built, Options::new().clearance(-1.0)),
        "clearance -1: must be a finite number, at least 0"
    );
    assert_eq!(
        built.add_part("c", 7, Pose::IDENTITY),
        Err(ClashError::UnknownShape { part: "c".to_owned(), shape: 7, shapes: 2 })
    );
    let (far, large) = (Pose::from_translation([1e300, 0.0, 0.0]).expect("finite"), cuboid([-1e299; 3], [1e299; 3]));
    let large = built.add_mesh(mesh(&large));
    assert!(matches!(built.add_part("d", large, far), Err(ClashError::TooFar { .. })));
    assert!(matches!(Rules::new(&["a"], &[] as &[&str]), Err(ClashError::Rule { .. })));
    assert!(matches!(Rules::new(&["@x:b"], &[] as &[&str]), Err(ClashError::UnknownGroup { .. })));
    assert!(matches!(Rules::new(&[] as &[&str], &["x"]), Err(ClashError::Group { .. })));
    assert!(Assembly::new().clashes(&Options::new()).expect("nothing").findings.is_empty());
}
