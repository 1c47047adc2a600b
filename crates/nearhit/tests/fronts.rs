//! A hot start changes the work, never the answer; and it does less of it on a smooth path.

mod common;

use common::{mesh, poses, small_cases};
use nearhit::research::ModelExt;
use nearhit::research::PairExt;
use nearhit::research::SettingsExt;
use nearhit::research::build::BuildOptions;
use nearhit::research::traverse::{Front, Opening};
use nearhit::research::{AgendaKind, VolumeKind};
use nearhit::{Budget, Model, Pair, Scratch, Settings, Tolerance, Verdict};
use nearhit_testkit::cases::Case;
use rayon::prelude::*;

const KINDS: [VolumeKind; 4] = [VolumeKind::KDop18, VolumeKind::Obb, VolumeKind::Sphere, VolumeKind::Rss];

fn pair_at<'m>(case: &Case, index: usize, a: &'m Model, b: &'m Model) -> Pair<'m> {
    let (world_from_a, world_from_b) = poses(&case.poses[index]);
    Pair::new(a, &world_from_a, b, &world_from_b).expect("in range")
}

/// Every question in turn over one front, poses far apart and near, budgets that leave pairs open
/// in between.
#[test]
fn every_question_from_a_front_has_the_same_answer() {
    small_cases().par_iter().for_each(|case| {
        let mut scratch = Scratch::new();
        for kind in KINDS {
            let options = BuildOptions::new().leaf_size(3);
            let (a, b) = (Model::with(mesh(&case.a), kind, &options), Model::with(mesh(&case.b), kind, &options));
            let openings =
                [Opening::Larger, Opening::EnvironmentFirst, Opening::ObjectFirst, Opening::Both, Opening::Restart];
            for opening in openings {
                {
                    let agenda = if opening == Opening::Larger { AgendaKind::BEST } else { AgendaKind::Depth };
                    let settings = Settings::new().opening(opening).agenda(agenda);
                    let mut front = Front::new();
                    for index in 0..case.poses.len() {
                        let at = || format!("{}, pose {index}, {kind}, {settings:?}", case.name);
                        assert_same(&pair_at(case, index, &a, &b), &mut front, &settings, &mut scratch, &at);
                    }
                }
            }
        }
    });
}

fn assert_same(
    pair: &Pair<'_>,
    front: &mut Front,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
    at: &dyn Fn() -> String,
) {
    let truth = pair.contacts(settings, scratch).pairs.to_vec();
    let distance = pair.distance(Tolerance::EXACT, settings, scratch).upper;
    assert_eq!(pair.contacts_from_front(front, settings, scratch).pairs, truth, "{}", at());
    assert_eq!(pair.collide_from_front(front, settings, scratch).verdict.known(), Some(!truth.is_empty()), "{}", at());
    let tight = settings.budget(Budget::work(9));
    let verdict = pair.collide_from_front(front, &tight, scratch).verdict;
    assert!(verdict == Verdict::Maybe || verdict.known() == Some(!truth.is_empty()), "{}", at());
    let hurried = pair.distance_from_front(front, Tolerance::EXACT, &tight, scratch);
    assert!(hurried.lower <= distance && distance <= hurried.upper, "{}: {hurried:?} of {distance}", at());
    let found = pair.distance_from_front(front, Tolerance::EXACT, settings, scratch);
    assert_eq!((found.lower, found.upper), (distance, distance), "{}", at());
    for limit in [distance, 0.9 * distance] {
        let expected = pair.within(limit, settings, scratch).verdict;
        assert_eq!(pair.within_from_front(limit, front, settings, scratch).verdict, expected, "{}", at());
    }
    assert_eq!(pair.contacts_from_front(front, settings, scratch).pairs, truth, "{}", at());
}

/// A front of other models, of the same models the other way round, or of another volume's trees is
/// not used.
#[test]
fn a_foreign_front_is_forgotten() {
    let cases = small_cases();
    let mut scratch = Scratch::new();
    let mut front = Front::new();
    let models: Vec<Model> = cases
        .iter()
        .flat_map(|case| [&case.a, &case.b])
        .flat_map(|soup| [1, 4].map(|leaf_size| (soup, leaf_size)))
        .map(|(soup, leaf_size)| Model::with(mesh(soup), VolumeKind::KDop14, &BuildOptions::new().leaf_size(leaf_size)))
        .collect();
    let (mut touching, mut asked) = (0, 0);
    for (i, a) in models.iter().enumerate() {
        for b in [&models[i ^ 2], &models[i ^ 1], &models[(i + 5) % models.len()]] {
            let (world_from_a, world_from_b) = poses(&cases[i / 4].poses[0]);
            let pair = Pair::new(a, &world_from_a, b, &world_from_b).expect("in range");
            let truth = pair.contacts(&Settings::default(), &mut scratch).pairs.to_vec();
            let found = pair.contacts_from_front(&mut front, &Settings::default(), &mut scratch);
            assert_eq!(found.pairs, truth, "model {i}");
            touching += usize::from(!truth.is_empty());
            asked += 1;
        }
    }
    assert!(touching * 4 > asked && touching < asked, "{touching} of {asked} touch");
}

/// On a path of small steps the tests above the front are saved.
#[test]
fn a_smooth_path_takes_fewer_tests() {
    let case = nearhit_testkit::cases::tori(24, 400, 5);
    let options = BuildOptions::default();
    let (a, b) = (
        Model::with(mesh(&case.a), VolumeKind::KDop18, &options),
        Model::with(mesh(&case.b), VolumeKind::KDop18, &options),
    );
    let (mut cold, mut hot, mut hot_starts) = (0, 0, 0);
    let (mut front, mut scratch) = (Front::new(), Scratch::new());
    for index in 0..case.poses.len() {
        let pair = pair_at(&case, index, &a, &b);
        cold += pair.contacts(&Settings::default(), &mut scratch).stats.volume_tests;
        hot_starts += usize::from(front.len() > 1);
        hot += pair.contacts_from_front(&mut front, &Settings::default(), &mut scratch).stats.volume_tests;
    }
    assert!(hot < cold, "{hot} tests from the front, {cold} from the roots");
    assert!(hot_starts * 4 > case.poses.len(), "{hot_starts} of {} started from a front", case.poses.len());
}
