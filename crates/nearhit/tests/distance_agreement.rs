//! Distance, within, nearest pairs and pairs within a limit, for every volume and agenda, against
//! brute force.
//!
//! "Exact" means the smallest canonical distance over all pairs, to the bit; that the canonical
//! function is right is judged by rational arithmetic, here on whole meshes and in
//! `triangle_distance.rs` on pairs.

mod common;

use common::{a_third, every_volume, mesh, model, plain, poses, small_cases};
use nearhit::research::AgendaKind;
use nearhit::research::MeshExt;
use nearhit::research::SettingsExt;
use nearhit::research::build::BuildOptions;
use nearhit::research::primitive::distance::{distance, error_bound};
use nearhit::research::traverse::Opening;
use nearhit::{Budget, Distance, NearPair, Pair, Pose, Scratch, Seed, Settings, Tolerance, TrianglePair, Verdict};
use nearhit_testkit::brute;
use nearhit_testkit::cases::Case;
use rayon::prelude::*;

/// Two triangles and how far they are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Near {
    pair: TrianglePair,
    distance: f64,
}

impl From<&NearPair> for Near {
    fn from(found: &NearPair) -> Self {
        Self { pair: found.pair, distance: found.distance }
    }
}

fn near(found: &[NearPair]) -> Vec<Near> {
    found.iter().map(Near::from).collect()
}

/// The canonical distances of all pairs, nearest first, for one pose.
struct Truth {
    a_from_b: Pose,
    near: Vec<Near>,
    /// Largest coordinate: the unit of the canonical function's error.
    size: f64,
}

fn truth(case: &Case, a_from_b: Pose) -> Truth {
    let (a, b) = (mesh(&case.a), mesh(&case.b));
    let posed: Vec<_> =
        (0..b.triangles().len() as u32).map(|j| b.triangle(j).map(|corner| a_from_b.apply(corner))).collect();
    let mut near: Vec<Near> = (0..a.triangles().len() as u32)
        .flat_map(|i| posed.iter().zip(0..).map(move |(triangle, j)| (i, j, triangle)))
        .map(|(i, j, triangle)| Near {
            pair: TrianglePair { a: i, b: j },
            distance: distance(&a.triangle(i), triangle).distance,
        })
        .collect();
    near.sort_by(|p, q| p.distance.total_cmp(&q.distance).then(p.pair.cmp(&q.pair)));
    let size = posed.iter().flatten().fold(a.max_coordinate(), |size, corner| size.max(corner.abs().max_element()));
    Truth { a_from_b, near, size }
}

/// Every third pose of every case: brute force over all pairs is slow.
fn truths(case: &Case) -> Vec<Truth> {
    let relative = |pose| {
        let (world_from_a, world_from_b) = poses(pose);
        Pose::a_from_b(&world_from_a, &world_from_b)
    };
    case.poses.iter().step_by(3).take(6).map(|pose| truth(case, relative(pose))).collect()
}

fn every_settings() -> Vec<Settings<'static>> {
    let agendas =
        [AgendaKind::Auto, AgendaKind::Depth, AgendaKind::BEST, AgendaKind::Best { queue: 3 }, AgendaKind::Breadth];
    let openings = [Opening::Larger, Opening::EnvironmentFirst];
    agendas
        .iter()
        .flat_map(|&agenda| openings.map(|opening| Settings::new().agenda(agenda).opening(opening)))
        .chain([Settings::new().agenda(AgendaKind::Plain)])
        .chain([Opening::ObjectFirst, Opening::Both].map(|opening| Settings::new().opening(opening)))
        .chain([AgendaKind::PAPER, AgendaKind::BestNested { queue: 3 }].map(|agenda| Settings::new().agenda(agenda)))
        .collect()
}

#[test]
fn every_way_agrees_with_brute_force() {
    let shares: Vec<(usize, usize)> = small_cases().into_par_iter().map(|case| check_case(&case)).collect();
    let (touching, all) = shares.iter().fold((0, 0), |sum, share| (sum.0 + share.0, sum.1 + share.1));
    assert!((0.15..0.75).contains(&(touching as f64 / all as f64)), "{touching} of {all} poses touch");
}

fn check_case(case: &Case) -> (usize, usize) {
    let truths = truths(case);
    for truth in &truths {
        let (rotation, translation) = plain(&truth.a_from_b);
        let exact = brute::min_squared_distance(&case.a, &case.b, &rotation, &translation).expect("not empty").distance;
        let error = error_bound(truth.size);
        let ours = truth.near[0].distance;
        assert!(ours >= exact.low - error && ours <= exact.high + error, "{}: {ours} is not {exact:?}", case.name);
    }
    let mut scratch = Scratch::new();
    for kind in every_volume() {
        let options = BuildOptions::new().leaf_size(2);
        let (a, b) = (model(&case.a, kind, &options), model(&case.b, kind, &options));
        for (index, truth) in truths.iter().enumerate() {
            let pair = Pair::relative(&a, &b, &truth.a_from_b).expect("in range");
            for settings in a_third(every_settings(), index) {
                let at = format!("{}, pose {index}, {kind:?}, {settings:?}", case.name);
                check_exact(&pair, truth, &settings, &mut scratch, &at);
                check_approximate(&pair, truth, &settings, &mut scratch, &at);
                check_limits(&pair, truth, &settings, &mut scratch, &at);
            }
        }
    }
    (truths.iter().filter(|truth| truth.near[0].distance == 0.0).count(), truths.len())
}

fn check_exact(pair: &Pair<'_>, truth: &Truth, settings: &Settings<'_>, scratch: &mut Scratch, at: &str) {
    let best = truth.near[0].distance;
    let cold = pair.distance(Tolerance::EXACT, settings, scratch);
    assert_eq!((cold.lower, cold.upper), (best, best), "{at}");
    let (a, b) = pair.triangles(cold.witness);
    assert_eq!(distance(&a, &b).distance, best, "{at}: the witness is as near");
    let apart = cold.on_a.distance(cold.on_b);
    assert!((apart - best).abs() <= 4.0 * error_bound(truth.size), "{at}: the points are {apart} apart, not {best}");
    for seed in [cold.witness, truth.near[truth.near.len() / 2].pair, TrianglePair { a: u32::MAX, b: 0 }] {
        let warm = pair.distance(Tolerance::EXACT, &settings.seed(Seed(seed)), scratch);
        assert_eq!((warm.lower, warm.upper), (best, best), "{at}: seeded by {seed:?}");
    }
    let collision = pair.collide(settings, scratch);
    assert_eq!(collision.verdict.known(), Some(best == 0.0), "{at}: one engine, one truth");
}

fn check_interval(answer: &Distance, best: f64, at: &str) {
    assert!(answer.lower <= best && best <= answer.upper && answer.lower >= 0.0, "{at}: {best} is not in {answer:?}");
    assert!(answer.upper.is_finite(), "{at}");
}

fn check_approximate(pair: &Pair<'_>, truth: &Truth, settings: &Settings<'_>, scratch: &mut Scratch, at: &str) {
    let best = truth.near[0].distance;
    for relative in [0.01, 0.1, 1.0] {
        let answer = pair.distance(Tolerance::relative(relative), settings, scratch);
        check_interval(&answer, best, at);
        assert!(
            answer.upper <= (1.0 + relative) * best * (1.0 + 1e-15),
            "{at}: {answer:?} for {best}, relative {relative}"
        );
    }
    for absolute in [1e-3 * truth.size, 0.1 * truth.size] {
        let answer = pair.distance(Tolerance::absolute(absolute), settings, scratch);
        check_interval(&answer, best, at);
        assert!(answer.upper <= best + absolute, "{at}: {answer:?} for {best}, absolute {absolute}");
    }
    for work in [0, 7, 60, 500] {
        let limited = settings.budget(Budget::work(work));
        check_interval(&pair.distance(Tolerance::EXACT, &limited, scratch), best, at);
        let close = pair.within(best, &limited, scratch);
        assert!(close.verdict != Verdict::No && close.lower <= best, "{at}: {close:?}");
        assert!(close.upper.is_none_or(|upper| upper >= best), "{at}: {close:?}");
    }
}

fn check_limits(pair: &Pair<'_>, truth: &Truth, settings: &Settings<'_>, scratch: &mut Scratch, at: &str) {
    let best = truth.near[0].distance;
    for limit in [best, best.next_down(), best * 1.5 + 1e-9, best * 0.5, 0.0, -1.0, f64::NAN] {
        let answer = pair.within(limit, settings, scratch);
        assert_eq!(answer.verdict.known(), Some(best <= limit), "{at}: {best} within {limit}");
        assert!(answer.lower <= best && answer.upper.is_none_or(|upper| upper >= best), "{at}: {answer:?} for {best}");
        assert_eq!(answer.witness.is_some(), best <= limit, "{at}");
    }
    for count in [0, 1, 5, 17] {
        let nearest = pair.nearest_pairs(count, settings, scratch);
        assert_eq!(near(nearest.pairs), &truth.near[..count.min(truth.near.len())], "{at}: {count} nearest");
        assert!(nearest.is_complete, "{at}");
    }
    let limit = truth.near[20.min(truth.near.len() - 1)].distance;
    let mut expected: Vec<Near> = truth.near.iter().copied().filter(|near| near.distance <= limit).collect();
    expected.sort_by_key(|near| near.pair);
    assert_eq!(near(pair.pairs_within(limit, settings, scratch).pairs), expected, "{at}: within {limit}");
}
