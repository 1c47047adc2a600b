//! The common test bench: answers of independent libraries, every volume.
//!
//! The folder of cases is not part of the tree; without it this says so and passes.

#[path = "public_cases/expected.rs"]
mod expected;

use expected::Expected;
use nearhit::Tolerance;
use nearhit::batch::Seeding;
use nearhit::research::{AgendaKind, VolumeKind};
use nearhit_cases::folder::Case;
use nearhit_cli::run::{Answer, Built, Plan, Query};
use nearhit_cli::volume::Engine;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases")
}

const EXACT: Query = Query::Distance(Tolerance::EXACT);

/// One pass on two threads: nothing is timed here.
fn plan(query: Query, volume: Engine) -> Plan {
    Plan { passes: 1, threads: 2, ..Plan::of(query, volume) }
}

/// Volumes that a case is asked with in the quick run, beside the default engine and oriented
/// boxes.
const OTHERS: usize = 2;

/// The default engine and every volume with `NEARHIT_LONG=1`. Otherwise two other volumes for each
/// case, so that all cases together have every volume.
fn engines(name: &str) -> Vec<Engine> {
    let (default, all) = (Engine::default(), VolumeKind::ALL);
    if std::env::var_os("NEARHIT_LONG").is_some() {
        return std::iter::once(default).chain(all.iter().map(|&kind| kind.into())).collect();
    }
    let first = OTHERS * NAMES.iter().position(|known| *known == name).expect("a known case");
    let others = (first..first + OTHERS).map(|index| all[index % all.len()]).filter(|kind| *kind != VolumeKind::Obb);
    [default, VolumeKind::Obb.into()].into_iter().chain(others.map(Into::into)).collect()
}

/// A case with one volume's models.
struct Bench {
    case: Case,
    built: Built,
    volume: Engine,
}

impl Bench {
    fn new(case: &Case, volume: Engine) -> Self {
        let built = Built::new(case, &plan(EXACT, volume)).expect("threads");
        Self { case: case.clone(), built, volume }
    }

    fn answers(&self, query: Query) -> Vec<Answer> {
        self.asked(&self.case, &plan(query, self.volume))
    }

    fn asked(&self, case: &Case, plan: &Plan) -> Vec<Answer> {
        self.built.measure(case, plan).expect("every pose can be asked").answers
    }
}

/// A case with every n-th of its poses, and the indices of these.
fn thinned(case: &Case, step: usize) -> (Case, Vec<usize>) {
    let kept: Vec<usize> = (0..case.poses.len()).step_by(step).collect();
    let poses = kept.iter().map(|&pose| case.poses[pose]).collect();
    (Case { poses, ..case.clone() }, kept)
}

fn uppers(answers: &[Answer]) -> Vec<f64> {
    answers
        .iter()
        .map(|answer| {
            assert_eq!(answer.lower, answer.upper, "exact");
            answer.upper.expect("a distance")
        })
        .collect()
}

/// Every how many poses every volume is asked for distances, in every order of search. The default
/// engine and boxes are asked at every pose, too.
fn step(name: &str) -> usize {
    match name {
        "nested-2k-a0.1" | "nested-2k-a0.01" => 10,
        "tetra-747" => 50,
        _ => 20,
    }
}

fn check(name: &str) {
    let path = folder().join(name);
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
        return;
    }
    let case = Case::load(&path).expect("a case");
    let expected = Expected::load(&path, &case);
    let (mut first_counts, mut first_distances) = (None, None);
    for volume in engines(name) {
        let bench = Bench::new(&case, volume);
        let counts = contacts_and_collide(name, &bench, &expected);
        assert_eq!(*first_counts.get_or_insert(counts.clone()), counts, "{name} {volume}: pose by pose");
        if [Engine::default(), VolumeKind::Obb.into()].contains(&volume) {
            let all: Vec<usize> = (0..case.poses.len()).collect();
            expected.check_distances(&all, &uppers(&bench.answers(EXACT)), volume);
        }
        let distances = distance_and_within(&bench, &expected, step(name));
        assert_eq!(*first_distances.get_or_insert(distances.clone()), distances, "{name} {volume}: not the same bits");
    }
}

/// Returns the number of contacts, pose by pose.
fn contacts_and_collide(name: &str, bench: &Bench, expected: &Expected) -> Vec<u64> {
    let volume = bench.volume;
    let (collide, all) = (bench.answers(Query::Collide), bench.answers(Query::Contacts));
    for (pose, (collide, all)) in collide.iter().zip(&all).enumerate() {
        let hit = collide.collides.expect("no budget");
        assert_eq!(Some(hit), all.contacts.map(|count| count > 0), "{name} {volume} pose {pose}: queries differ");
        expected.check_contact(pose, hit, volume);
    }
    let found: Vec<u64> = all.iter().filter_map(|answer| answer.contacts).collect();
    let total: u64 = found.iter().sum();
    assert_eq!(total, expected.contacts(), "{name} {volume}: intersecting triangle pairs");
    found
}

/// The same bits in any order of search, cold or warm, and `within` agrees with them. Returns them.
fn distance_and_within(bench: &Bench, expected: &Expected, step: usize) -> Vec<f64> {
    let volume = bench.volume;
    let (thin, kept) = thinned(&bench.case, step);
    let depth_first = plan(EXACT, volume);
    let distances = uppers(&bench.asked(&thin, &depth_first));
    expected.check_distances(&kept, &distances, volume);
    let best_first = Plan { agenda: AgendaKind::BEST, start: Seeding::Warm, ..depth_first };
    assert_eq!(uppers(&bench.asked(&thin, &best_first)), distances, "{volume}: best first and warm");
    let limit = 0.01 * expected.diagonal_of_a;
    let within = bench.asked(&thin, &plan(Query::Within(limit), volume));
    for (answer, (distance, pose)) in within.iter().zip(distances.iter().zip(kept)) {
        assert_eq!(answer.within, Some(*distance <= limit), "{volume} pose {pose}: {distance} within {limit}");
    }
    distances
}

macro_rules! cases {
    ($($test:ident = $name:literal,)+) => {
        const NAMES: &[&str] = &[$($name),+];

        $(#[test]
        fn $test() {
            check($name);
        })+

        #[test]
        fn no_volume_is_forgotten() {
            assert!(OTHERS * NAMES.len() >= VolumeKind::ALL.len());
        }

        #[test]
        fn no_case_is_forgotten() {
            let Ok(entries) = std::fs::read_dir(folder()) else {
                println!("skipped: {} is not there", folder().display());
                return;
            };
            let folders = entries.filter_map(Result::ok).filter(|entry| entry.path().is_dir());
            let mut names: Vec<String> = folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort_unstable();
            let mut known = NAMES.to_vec();
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
