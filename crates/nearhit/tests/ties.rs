//! Many triangles in one place: one pair of them stands for all where any will do, and all are
//! found where all are asked for.

mod common;

use common::{mesh, model};
use nearhit::research::build::BuildOptions;
use nearhit::{Model, NearPair, Pair, Pose, Preset, Scratch, Settings, Tolerance, TrianglePair};
use nearhit_testkit::Soup;
use nearhit_testkit::rng::Rng;

/// So many copies of each of a few triangles, in any order.
fn copies(rng: &mut Rng, kinds: u32, each: u32) -> Soup {
    let vertices = (0..3 * kinds).map(|_| rng.point(-1.0, 1.0)).collect();
    let mut triangles: Vec<[u32; 3]> =
        (0..kinds * each).map(|index| [0, 1, 2].map(|corner| 3 * (index % kinds) + corner)).collect();
    rng.shuffle(&mut triangles);
    Soup { vertices, triangles }
}

fn one_of_each(soup: &Soup) -> Soup {
    let mut triangles = soup.triangles.clone();
    triangles.sort_unstable();
    triangles.dedup();
    Soup { vertices: soup.vertices.clone(), triangles }
}

fn engine(soup: &Soup, preset: Preset) -> Model {
    Model::with_preset(mesh(soup), preset)
}

/// Tests of triangles grow with the kinds, not with the copies: 1,000 by 1,000 copies were a
/// million tests.
#[test]
fn copies_are_not_tested_one_by_one() {
    let mut rng = Rng::new(17);
    for preset in Preset::ALL {
        for kinds in [1, 3] {
            let (a, b) = (copies(&mut rng, kinds, 1_000), copies(&mut rng, kinds, 1_000));
            let models = [&a, &b].map(|soup| engine(soup, preset));
            let singles = [&a, &b].map(|soup| engine(&one_of_each(soup), preset));
            for distance in [0.0, 1.0, 3.0] {
                let pose = Pose::from_rows(rng.rotation(), rng.unit_vector().map(|x| x * distance)).expect("a pose");
                let mut scratch = Scratch::new();
                let mut ask = |models: &[Model; 2]| {
                    let pair = Pair::relative(&models[0], &models[1], &pose).expect("in range");
                    let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
                    let touch = pair.collide(&Settings::default(), &mut scratch);
                    let close = pair.within(found.lower * 0.999, &Settings::default(), &mut scratch);
                    let tests = [found.stats, touch.stats, close.stats].map(|stats| stats.triangle_tests);
                    let answers = (found.lower, found.upper, touch.verdict, close.verdict);
                    (answers, tests.into_iter().sum::<u64>())
                };
                let ((all, tests), (one, _)) = (ask(&models), ask(&singles));
                assert_eq!(all, one, "{preset} {kinds} {distance}");
                // At most 64 pairs of two leaves for each pair of kinds, and some leaves with
                // several kinds.
                assert!(tests <= 3 * 64 * 4 * u64::from(kinds * kinds), "{preset} {kinds} {distance}: {tests} tests");
            }
        }
    }
}

/// Lists are complete: of contacts, of nearest pairs and of pairs within a limit.
#[test]
fn lists_have_every_copy() {
    let mut rng = Rng::new(18);
    let mut touching = 0;
    for preset in Preset::ALL {
        let (a, b) = (copies(&mut rng, 2, 40), copies(&mut rng, 2, 40));
        let of = |soup, volume| model(soup, Some(volume), &BuildOptions::default());
        let models = [&a, &b].map(|soup| engine(soup, preset));
        let other = [&a, &b].map(|soup| of(soup, nearhit::research::VolumeKind::Aabb));
        for _ in 0..20 {
            let pose = Pose::from_rows(rng.rotation(), rng.point(-0.7, 0.7)).expect("a pose");
            let mut scratch = Scratch::new();
            let mut ask = |models: &[Model; 2]| {
                let pair = Pair::relative(&models[0], &models[1], &pose).expect("in range");
                let settings = Settings::default();
                let contacts: Vec<TrianglePair> = pair.contacts(&settings, &mut scratch).pairs.to_vec();
                let nearest = pair.nearest_pairs(100, &settings, &mut scratch).pairs.to_vec();
                let limit = nearest.last().map_or(0.0, |last| last.distance);
                (contacts, nearest, pair.pairs_within(limit, &settings, &mut scratch).pairs.to_vec())
            };
            let found = ask(&models);
            assert_eq!(found, ask(&other), "{preset}");
            assert!(found.2.len() >= 40 * 40);
            // The order is part of the answer, among equal distances too.
            let in_order = |near: &[NearPair]| {
                let [one, other] = near else { return true };
                (one.distance, one.pair) < (other.distance, other.pair)
            };
            assert!(found.1.windows(2).all(in_order), "{preset}");
            touching += usize::from(!found.0.is_empty());
        }
    }
    assert!((10..70).contains(&touching), "{touching} of 80 touch");
}
