//! What an interrupted query says is true, and sharper with more time: against brute force.

mod common;

use common::{model, plain, poses, small_cases};
use nearhit::research::ModelExt as _;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::research::{Footing, PairExt};
use nearhit::{Assessment, Budget, Mesh, Model, Pair, Pose, Scratch, Settings, Verdict};
use nearhit_testkit::brute;
use nearhit_testkit::cases::{self, Case};
use nearhit_testkit::escape::first_free;
use rayon::prelude::*;

const BUDGETS: [Option<u64>; 5] = [Some(0), Some(100), Some(400), Some(3000), None];

/// The default engine, and one of each way to be in the way; a swept volume knows none.
const VOLUMES: [Option<VolumeKind>; 7] = [
    None,
    Some(VolumeKind::Sphere),
    Some(VolumeKind::Aabb),
    Some(VolumeKind::Obb),
    Some(VolumeKind::KDop18),
    Some(VolumeKind::KDop98),
    Some(VolumeKind::Rss),
];

fn settings(work: Option<u64>) -> Settings<'static> {
    Settings::new().budget(work.map_or(Budget::UNLIMITED, Budget::work))
}

/// What the oracles know of a pose.
struct Truth {
    touching: bool,
    distance: f64,
}

fn truth(case: &Case, a_from_b: &Pose) -> Truth {
    let (rotation, translation) = plain(a_from_b);
    let nearest = brute::min_squared_distance(&case.a, &case.b, &rotation, &translation).expect("not empty");
    Truth { touching: nearest.squared.is_zero(), distance: nearest.distance.high }
}

/// No certificate is wrong: verdict, both intervals, and the translation, which is carried out and
/// tried on all pairs in exact arithmetic.
fn assert_true(case: &Case, a_from_b: &Pose, truth: &Truth, said: &Assessment, at: &dyn Fn() -> String) {
    assert!(said.verdict.known().is_none_or(|yes| yes == truth.touching), "{}", at());
    assert_eq!(said.witness.is_some(), said.verdict == Verdict::Yes, "{}", at());
    let (low, high) = (said.separation.lower, said.separation.upper);
    assert!(low <= truth.distance && truth.distance * (1.0 - 1e-15) <= high, "{}", at());
    assert!(low == 0.0 || said.verdict == Verdict::No, "{}: a lower bound before all is resolved", at());
    assert!(said.penetration.lower == 0.0 && said.penetration.upper >= 0.0, "{}", at());
    assert_eq!(said.translation.is_some(), said.penetration.upper.is_finite(), "{}", at());
    if let Some(by) = said.translation {
        assert!(by.length() <= said.penetration.upper, "{}", at());
        let (rotation, translation) = plain(a_from_b);
        let moved = (glam::DVec3::from_array(translation) + by).to_array();
        assert!(!brute::collides(&case.a, &case.b, &rotation, &moved), "{}: moved by {by}", at());
    }
}

#[test]
fn certificates_hold_and_never_widen_with_the_budget() {
    let cases: Vec<Case> = small_cases().into_iter().filter(|case| case.a.len() * case.b.len() < 200_000).collect();
    assert!(cases.len() >= 8, "{} cases are small enough", cases.len());
    let counts: Vec<[usize; 4]> = cases.par_iter().map(holds_for).collect();
    let [maybes, answers, shrunk, poses] =
        counts.iter().fold([0; 4], |sum, of| std::array::from_fn(|i| sum[i] + of[i]));
    assert!(maybes * 8 > answers && maybes * 4 < answers * 3, "{maybes} of {answers} are maybe");
    assert!(shrunk * 10 > poses * 9, "bounds shrank in {shrunk} of {poses}");
}

fn holds_for(case: &Case) -> [usize; 4] {
    let mut scratch = Scratch::new();
    let [mut maybes, mut answers, mut shrunk, mut all] = [0; 4];
    for pose in case.poses.iter().step_by(3).take(3) {
        let (world_from_a, world_from_b) = poses(pose);
        let a_from_b = Pose::a_from_b(&world_from_a, &world_from_b);
        let truth = truth(case, &a_from_b);
        for kind in VOLUMES {
            let options = BuildOptions::new().leaf_size(2);
            let (a, b) = (model(&case.a, kind, &options), model(&case.b, kind, &options));
            let pair = Pair::relative(&a, &b, &a_from_b).expect("in range");
            let mut before: Option<Assessment> = None;
            let mut first = None;
            let budgets = if kind == Some(VolumeKind::Rss) { &BUDGETS[..4] } else { &BUDGETS[..] };
            for &work in budgets {
                let said = pair.assess(&settings(work), &mut scratch);
                let at = || format!("{}, {kind:?}, budget {work:?}: {said:?}", case.name);
                assert_true(case, &a_from_b, &truth, &said, &at);
                assert!(work.is_some() || said.verdict != Verdict::Maybe, "{}", at());
                if let Some(before) = before {
                    assert!(said.separation.upper <= before.separation.upper, "{} after {before:?}", at());
                    assert!(said.separation.lower >= before.separation.lower, "{} after {before:?}", at());
                    assert!(said.penetration.upper <= before.penetration.upper, "{} after {before:?}", at());
                }
                maybes += usize::from(said.verdict == Verdict::Maybe);
                answers += 1;
                first.get_or_insert(said);
                before = Some(said);
            }
            let (Some(first), Some(last)) = (first, before) else { continue };
            all += 1;
            let better = |from: f64, to: f64| to < 0.99 * from || to == 0.0;
            shrunk += usize::from(
                (better(first.penetration.upper, last.penetration.upper) || kind == Some(VolumeKind::Rss))
                    && (better(first.separation.upper, last.separation.upper) || last.verdict == Verdict::No),
            );
        }
    }
    [maybes, answers, shrunk, all]
}

/// From pose to pose, whatever the budget left behind: as certain as from the roots; complete
/// answers are the same; and a footing of other models is forgotten.
#[test]
fn certificates_from_a_footing_are_true() {
    let cases: Vec<Case> = small_cases().into_iter().filter(|case| case.a.len() * case.b.len() < 60_000).collect();
    assert!(cases.len() >= 5, "{} cases are small enough", cases.len());
    let counts: Vec<[usize; 3]> = cases
        .par_iter()
        .map(|case| {
            let (mut scratch, mut counts) = (Scratch::new(), [0; 3]);
            let mut footing = Footing::default();
            for kind in [VolumeKind::KDop18, VolumeKind::Obb, VolumeKind::Rss] {
                let options = BuildOptions::new().leaf_size(2);
                let (a, b) = (model(&case.a, Some(kind), &options), model(&case.b, Some(kind), &options));
                for (index, pose) in case.poses.iter().take(6).enumerate() {
                    let (world_from_a, world_from_b) = poses(pose);
                    let a_from_b = Pose::a_from_b(&world_from_a, &world_from_b);
                    let truth = truth(case, &a_from_b);
                    let pair = Pair::relative(&a, &b, &a_from_b).expect("in range");
                    // Twice the same pose, too: nothing is new then.
                    for work in [Some(150), Some(3000), [None, Some(40)][index % 2], Some(40)] {
                        if work.is_none() && kind == VolumeKind::Rss {
                            continue;
                        }
                        let said = pair.assess_from(&mut footing, &settings(work), &mut scratch);
                        let at = || format!("{}, {kind:?}, budget {work:?}: {said:?}", case.name);
                        assert_true(case, &a_from_b, &truth, &said, &at);
                        assert!(work.is_some() || said.verdict != Verdict::Maybe, "{}", at());
                        counts[0] += usize::from(said.verdict == Verdict::Maybe);
                        counts[1] += usize::from(said.verdict == Verdict::No);
                        counts[2] += usize::from(said.verdict == Verdict::Yes);
                    }
                }
            }
            counts
        })
        .collect();
    let sum = counts.iter().fold([0; 3], |sum, of| std::array::from_fn(|i| sum[i] + of[i]));
    assert!(sum.iter().all(|&count| count > 20), "maybe, no, yes: {sum:?}");
}

/// A footing of other models, larger or smaller, is as good as none.
#[test]
fn a_footing_of_other_models_is_forgotten() {
    let cases: Vec<Case> = small_cases().into_iter().filter(|case| case.a.len() * case.b.len() < 60_000).collect();
    let options = BuildOptions::new().leaf_size(2);
    let models: Vec<[Model; 2]> = cases
        .iter()
        .map(|case| [&case.a, &case.b].map(|soup| model(soup, Some(VolumeKind::KDop18), &options)))
        .collect();
    let placed = |number: usize, pose: usize| {
        let (world_from_a, world_from_b) = poses(&cases[number].poses[pose % cases[number].poses.len()]);
        Pair::new(&models[number][0], &world_from_a, &models[number][1], &world_from_b).expect("in range")
    };
    let mut scratch = Scratch::new();
    let mut verdicts = [0; 2];
    for (first, second) in (0..cases.len()).flat_map(|i| (0..cases.len()).map(move |j| (i, j))).filter(|(i, j)| i != j)
    {
        for pose in 0..3 {
            let (mut footing, mut fresh) = (Footing::default(), Footing::default());
            let _ = placed(first, pose).assess_from(&mut footing, &settings(None), &mut scratch);
            let pair = placed(second, pose);
            for work in [Some(400), None] {
                let said = pair.assess_from(&mut footing, &settings(work), &mut scratch);
                let expected = pair.assess_from(&mut fresh, &settings(work), &mut scratch);
                assert_eq!(said, expected, "{} after {}", cases[second].name, cases[first].name);
                verdicts[0] += usize::from(said.verdict == Verdict::Yes);
                verdicts[1] += usize::from(said.verdict == Verdict::No);
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > 20), "yes, no: {verdicts:?}");
}

/// With all the time it wants, the translation is the shortest along any of its directions,
/// whatever the volume.
#[test]
fn unlimited_it_finds_the_shortest_along_its_directions() {
    let all = [cases::tori(6, 16, 21), cases::nested(80, 0.001, 1, 22), cases::wavy_sheets(4, 12, 24)];
    let found: Vec<usize> = all.par_iter().map(shortest_in).collect();
    assert!(found.iter().sum::<usize>() >= 6, "touching poses: {found:?}");
}

fn shortest_in(case: &Case) -> usize {
    let mut scratch = Scratch::new();
    let mut touching = 0;
    for pose in &case.poses {
        let (world_from_a, world_from_b) = poses(pose);
        let a_from_b = Pose::a_from_b(&world_from_a, &world_from_b);
        let (rotation, translation) = plain(&a_from_b);
        if !brute::collides(&case.a, &case.b, &rotation, &translation) {
            continue;
        }
        touching += 1;
        let shortest = directions()
            .map(|direction| a_from_b.rotation() * direction)
            .map(|direction| first_free(&case.a, &case.b, &rotation, &translation, direction.to_array()))
            .fold(f64::INFINITY, f64::min);
        for kind in [VolumeKind::KDop26, VolumeKind::KDop6, VolumeKind::Obb, VolumeKind::Sphere, VolumeKind::Rss] {
            let options = BuildOptions::new().leaf_size(2);
            let (a, b) = (model(&case.a, Some(kind), &options), model(&case.b, Some(kind), &options));
            let said = Pair::relative(&a, &b, &a_from_b).expect("in range").assess(&settings(None), &mut scratch);
            let found = said.penetration.upper;
            assert!(
                (found - shortest).abs() <= 1e-9 * (1.0 + shortest),
                "{} {kind}: {found} for {shortest}",
                case.name
            );
        }
    }
    touching
}

fn directions() -> impl Iterator<Item = glam::DVec3> {
    let steps = || [-1.0, 0.0, 1.0].into_iter();
    steps()
        .flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| glam::DVec3::new(x, y, z))))
        .filter(|direction| *direction != glam::DVec3::ZERO)
        .map(glam::DVec3::normalize)
}

/// The soak found it: between balls whose squared distance is denormal the direction was longer
/// than one, and a triangle that both meshes have was said not to be touched.
#[test]
fn distances_with_denormal_squares_are_no_reason_to_be_apart() {
    let mut rng = nearhit_testkit::rng::Rng::new(29);
    let (mut scratch, mut touching) = (Scratch::new(), 0);
    for round in 0..600 {
        // A triangle of b in a mesh of others, all of sizes whose squares have few digits or none.
        let triangle = |rng: &mut nearhit_testkit::rng::Rng, size: f64| -> [[f64; 3]; 3] {
            std::array::from_fn(|_| std::array::from_fn(|_| rng.range(-3.0, 3.0) * size))
        };
        let tiny = triangle(&mut rng, 1e-280);
        let size = 10_f64.powf(rng.range(-164.0, -155.0));
        let large = triangle(&mut rng, size);
        let soup = |triangles: &[[[f64; 3]; 3]]| {
            let corners: Vec<[f64; 3]> = triangles.iter().flatten().copied().collect();
            let ids: Vec<[u32; 3]> = (0..triangles.len() as u32).map(|at| [3 * at, 3 * at + 1, 3 * at + 2]).collect();
            Mesh::new(&corners, &ids).expect("legal")
        };
        let (a, b) = (soup(&[tiny]), soup(&[large, tiny]));
        for volume in VOLUMES.into_iter().flatten() {
            let options = BuildOptions::default();
            let models = [&a, &b].map(|mesh| Model::with(mesh.clone(), volume, &options));
            let pair = Pair::new(&models[0], &Pose::IDENTITY, &models[1], &Pose::IDENTITY).expect("in range");
            for work in BUDGETS {
                let said = pair.assess(&settings(work), &mut scratch);
                assert_ne!(said.verdict, Verdict::No, "{volume:?}, round {round}, size {size:e}: {said:?}");
                touching += usize::from(said.verdict == Verdict::Yes);
            }
        }
    }
    assert!(touching > 5000, "{touching}");
}
