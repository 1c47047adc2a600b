//! The common test bench: answers of independent libraries, every volume, every pose.
//!
//! The folder of cases is not part of the tree; without it this says so and passes.

use nearhit::VolumeKind;
use nearhit_cli::case::Case;
use nearhit_cli::run::{Answer, Plan, Query, measure};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What the other libraries said.
#[derive(Deserialize)]
struct Expected {
    colliding: Vec<bool>,
    /// Poses too close to call in rounded arithmetic: not scored.
    ambiguous: Vec<usize>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases")
}

/// Intersecting triangle pairs over all poses, by two libraries and, where tried, exact predicates.
fn contacts(case: &str) -> u64 {
    match case {
        "falling-tori" => 7540,
        "bunny-close" => 4158,
        "pipes" => 2076,
        "tetra-747" => 1670,
        "piano" => 81663,
        "nested-2k-a0.001" => 127_004,
        _ => 0,
    }
}

/// One pass on two threads: nothing is timed here.
fn answers(case: &Case, query: Query, volume: VolumeKind) -> Vec<Answer> {
    let plan = Plan { passes: 1, threads: 2, ..Plan::of(query, volume) };
    measure(case, &plan).expect("every pose can be asked").answers
}

fn check(name: &str) {
    let path = folder().join(name);
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
        return;
    }
    let case = Case::load(&path).expect("a case");
    let text = std::fs::read_to_string(path.join("expected.json")).expect("the expected answers");
    let expected: Expected = serde_json::from_str(&text).expect("answers");
    assert_eq!(case.poses.len(), expected.colliding.len());
    let mut counts = None;
    for &volume in VolumeKind::ALL {
        let collide = answers(&case, Query::Collide, volume);
        let all = answers(&case, Query::Contacts, volume);
        for (pose, touches) in expected.colliding.iter().enumerate() {
            let hit = collide[pose].collides.expect("no budget");
            assert_eq!(
                Some(hit),
                all[pose].contacts.map(|count| count > 0),
                "{name} {volume} pose {pose}: queries differ"
            );
            let scored = !expected.ambiguous.contains(&pose);
            assert!(!scored || hit == *touches, "{name} {volume} pose {pose}: {hit}, expected {touches}");
        }
        let found: Vec<u64> = all.iter().filter_map(|answer| answer.contacts).collect();
        let total: u64 = found.iter().sum();
        assert_eq!(total, contacts(name), "{name} {volume}: intersecting triangle pairs");
        assert_eq!(*counts.get_or_insert(found.clone()), found, "{name} {volume}: pose by pose");
    }
}

macro_rules! cases {
    ($($test:ident = $name:literal,)+) => {
        $(#[test]
        fn $test() {
            check($name);
        })+

        #[test]
        fn no_case_is_forgotten() {
            let Ok(entries) = std::fs::read_dir(folder()) else {
                println!("skipped: {} is not there", folder().display());
                return;
            };
            let folders = entries.filter_map(Result::ok).filter(|entry| entry.path().is_dir());
            let mut names: Vec<String> = folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort_unstable();
            let mut known = vec![$($name),+];
            known.sort_unstable();
            assert_eq!(names, known);
        }
    };
}

cases! {
    bunny_close = "bunny-close",
    falling_tori = "falling-tori",
    nested_20k_far = "nested-20k-a0.1",
    nested_20k = "nested-20k-a0.01",
    nested_20k_close = "nested-20k-a0.001",
    nested_2k_far = "nested-2k-a0.1",
    nested_2k = "nested-2k-a0.01",
    nested_2k_close = "nested-2k-a0.001",
    piano = "piano",
    pipes = "pipes",
    separated_spheres = "separated-spheres-40k",
    swept = "swept",
    tetrahedra = "tetra-747",
}
