//! Every volume, agenda, opening rule, leaf size and thread count against brute force in exact
//! arithmetic.

mod common;

use common::{Kind, a_third, every_volume, model, plain, poses, small_cases};
use nearhit::research::AgendaKind;
use nearhit::research::ModelExt;
use nearhit::research::SettingsExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::{AxisRule, BuildOptions, PositionRule};
use nearhit::research::traverse::Opening;
use nearhit::{Budget, Pair, Pose, Preset, Scratch, Settings, Tolerance, TrianglePair, Verdict};
use nearhit_testkit::brute;
use nearhit_testkit::cases::Case;
use rayon::prelude::*;

/// For each pose: the pose that maps b into a, as the library composes it, and all triangle pairs
/// that touch.
fn truth(case: &Case) -> Vec<(Pose, Vec<TrianglePair>)> {
    let judge = |pose| {
        let (world_from_a, world_from_b) = poses(pose);
        let a_from_b = Pose::a_from_b(&world_from_a, &world_from_b);
        let (rotation, translation) = plain(&a_from_b);
        let pairs = brute::colliding_pairs(&case.a, &case.b, &rotation, &translation);
        (a_from_b, pairs.into_iter().map(|(a, b)| TrianglePair { a, b }).collect())
    };
    case.poses.iter().map(judge).collect()
}

fn every_settings() -> Vec<Settings<'static>> {
    let agendas = [AgendaKind::Depth, AgendaKind::BEST, AgendaKind::Best { queue: 2 }, AgendaKind::Breadth];
    let openings = [Opening::Larger, Opening::EnvironmentFirst];
    let others = [Opening::ObjectFirst, Opening::Both, Opening::Restart];
    agendas
        .iter()
        .flat_map(|&agenda| openings.map(|opening| Settings::new().agenda(agenda).opening(opening)))
        .chain(others.map(|opening| Settings::new().opening(opening)))
        .chain([Settings::new().agenda(AgendaKind::BestNested { queue: 3 }).opening(Opening::Both)])
        .collect()
}

fn every_build() -> Vec<BuildOptions> {
    vec![
        BuildOptions::default(),
        BuildOptions::new().axis(AxisRule::LongestSide).position(PositionRule::Median).leaf_size(4),
        BuildOptions::new().leaf_size(30),
        BuildOptions::obb_tree(),
    ]
}

#[test]
fn every_way_agrees_with_brute_force() {
    let shares: Vec<(usize, usize)> =
        small_cases().into_par_iter().map(|case| agrees_with_brute_force(&case)).collect();
    let (touching, all) = shares.iter().fold((0, 0), |sum, share| (sum.0 + share.0, sum.1 + share.1));
    assert!((0.25..0.75).contains(&(touching as f64 / all as f64)), "{touching} of {all} poses touch");
}

/// How many poses touch, of how many.
fn agrees_with_brute_force(case: &Case) -> (usize, usize) {
    let mut scratch = Scratch::new();
    let truth = truth(case);
    for kind in every_volume() {
        let builds = if matches!(kind, Kind::Auto(_)) { 1 } else { usize::MAX };
        for (number, options) in every_build().into_iter().take(builds).enumerate() {
            let (a, b) = (model(&case.a, kind, &options), model(&case.b, kind, &options));
            a.check().expect("a's tree is well formed");
            b.check().expect("b's tree is well formed");
            for (index, (a_from_b, pairs)) in truth.iter().enumerate() {
                let pair = Pair::relative(&a, &b, a_from_b).expect("in range");
                for settings in a_third(every_settings(), index + number) {
                    let at = || format!("{}, pose {index}, {kind:?}, {options:?}, {settings:?}", case.name);
                    assert_answers(&pair, &settings, &mut scratch, pairs, &at);
                }
            }
        }
    }
    (truth.iter().filter(|(_, pairs)| !pairs.is_empty()).count(), truth.len())
}

/// To the letter of the k-DOP paper's variant the search for a node's children begins anew for
/// every leaf that the node meets: shallow trees, so that it ends.
#[test]
fn restarting_for_every_leaf_agrees_with_brute_force() {
    let (mut complete, mut all, mut scratch) = (0, 0, Scratch::new());
    for case in small_cases().into_iter().step_by(2) {
        let truth = truth(&case);
        let flying = BuildOptions::new().leaf_size(case.a.triangles.len().div_ceil(3));
        for kind in [VolumeKind::Obb, VolumeKind::KDop18].map(Kind::Volume) {
            let (a, b) = (model(&case.a, kind, &flying), model(&case.b, kind, &BuildOptions::default()));
            for (a_from_b, pairs) in &truth {
                let pair = Pair::relative(&a, &b, a_from_b).expect("in range");
                let settings = Settings::new().opening(Opening::RestartEvery).budget(Budget::work(200_000));
                let found = pair.contacts(&settings, &mut scratch);
                all += 1;
                assert!(found.pairs.iter().all(|known| pairs.contains(known)), "{}", case.name);
                if found.is_complete {
                    complete += 1;
                    assert_eq!(found.pairs, pairs, "{}, {kind:?}", case.name);
                }
            }
        }
    }
    assert!(complete * 10 > all * 6, "{complete} of {all}");
}

/// The default engine's presets in any mix: one pair, the same answers.
#[test]
fn mixed_presets_agree_with_brute_force() {
    let cases = small_cases();
    let (mut touching, mut apart, mut scratch) = (0, 0, Scratch::new());
    for case in &cases {
        for (index, (a_from_b, pairs)) in truth(case).iter().enumerate().step_by(8) {
            let models = |soup| Preset::ALL.map(|preset| model(soup, Kind::Auto(preset), &BuildOptions::default()));
            for (a, preset_a) in models(&case.a).iter().zip(Preset::ALL) {
                let distances = models(&case.b).map(|b| {
                    let pair = Pair::relative(a, &b, a_from_b).expect("one engine");
                    let at = || format!("{}, pose {index}, {preset_a} and {}", case.name, b.volume_name());
                    assert_answers(&pair, &Settings::default(), &mut scratch, pairs, &at);
                    pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper
                });
                assert_eq!(distances, [distances[0]; 4], "{}, pose {index}, {preset_a}", case.name);
                assert_eq!(distances[0] == 0.0, !pairs.is_empty(), "{}, pose {index}, {preset_a}", case.name);
            }
            *(if pairs.is_empty() { &mut apart } else { &mut touching }) += 1;
        }
    }
    assert!(touching > 3 && apart > 3, "{touching} touch, {apart} do not");
}

fn assert_answers(
    pair: &Pair<'_>,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
    truth: &[TrianglePair],
    at: &dyn Fn() -> String,
) {
    let collision = pair.collide(settings, scratch);
    assert_eq!(collision.verdict.known(), Some(!truth.is_empty()), "{}", at());
    assert_eq!(collision.witness.is_some(), !truth.is_empty(), "{}", at());
    assert!(collision.witness.is_none_or(|witness| truth.contains(&witness)), "{}", at());
    let contacts = pair.contacts(settings, scratch);
    assert_eq!(contacts.pairs, truth, "{}", at());
    assert!(contacts.is_complete && contacts.stats.volume_tests > 0, "{}", at());
}

/// A budget turns an answer into "maybe" or into fewer contacts, never into a wrong one; enough
/// budget is the full answer.
#[test]
fn a_budget_never_lies() {
    let mut scratch = Scratch::new();
    let (mut maybes, mut all) = (0, 0);
    for case in small_cases().into_iter().take(8) {
        for kind in every_volume() {
            let (a, b) =
                (model(&case.a, kind, &BuildOptions::default()), model(&case.b, kind, &BuildOptions::default()));
            for (a_from_b, pairs) in truth(&case).into_iter().take(4) {
                let pair = Pair::relative(&a, &b, &a_from_b).expect("in range");
                let needed = pair.collide(&Settings::default(), &mut scratch).stats;
                let needed = needed.volume_tests + needed.triangle_tests;
                for work in [0, 1, 5, needed / 2, needed - 1, needed] {
                    let settings = Settings::new().budget(Budget::work(work));
                    let collision = pair.collide(&settings, &mut scratch);
                    assert!(
                        collision.verdict == Verdict::Maybe || collision.verdict.known() == Some(!pairs.is_empty())
                    );
                    maybes += u32::from(collision.verdict == Verdict::Maybe);
                    all += 1;
                    let contacts = pair.contacts(&settings, &mut scratch);
                    assert!(contacts.pairs.iter().all(|found| pairs.contains(found)));
                    assert!(!contacts.is_complete || contacts.pairs == pairs);
                    if work == needed {
                        assert_ne!(collision.verdict, Verdict::Maybe, "{}: {kind:?}", case.name);
                    }
                }
            }
        }
    }
    assert!(maybes * 4 > all && maybes < all, "{maybes} of {all} answers were maybe");
}

/// The tree is a function of the mesh and the options alone.
#[test]
fn any_number_of_threads_builds_the_same_tree() {
    for soup in [nearhit_testkit::shapes::pipes(9000, 1), nearhit_testkit::shapes::disjoint_tetrahedra(2500, 0.02, 2)] {
        for kind in every_volume() {
            let build = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool");
                pool.install(|| model(&soup, kind, &BuildOptions::default()))
            };
            let alone = build(1);
            assert!(alone.mesh().triangles().len() > 8000);
            for threads in [2, 3, 8] {
                assert!(build(threads).is_same_tree(&alone), "{kind:?} with {threads} threads");
            }
        }
    }
}
