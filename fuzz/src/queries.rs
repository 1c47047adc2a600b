//! What must hold between the answers to different queries about the same two meshes, whatever the
//! meshes.

use crate::further;
use crate::setup::Setup;
use nearhit::research::ModelExt;
use nearhit::{
    Budget, Distance, Pair, Pose, QueryError, Scratch, Settings, Stats, Tolerance, TranslationalDepth, Verdict,
};

/// The most units of work for two meshes of up to 24 triangles each, all pairs of them and the
/// volumes above.
const MOST_UNITS: u64 = 10_000;
/// The same for questions about solids, which look at many points.
const MOST_SOLID_UNITS: u64 = 400_000;

/// Makes two models and a pose, and asks everything. False if the bytes made none.
pub fn check_queries(bytes: &[u8]) -> bool {
    let Some(setup) = Setup::from_bytes(bytes) else { return false };
    let Setup { a, b, a_from_b, .. } = &setup;
    let Ok(pair) = Pair::relative(a, b, a_from_b) else { return false };
    let mut scratch = Scratch::new();
    let distance = check_surfaces(&pair, &mut scratch);
    check_budgets(&pair, &distance, &mut scratch);
    check_engines(&setup, &distance, &mut scratch);
    if *a_from_b == Pose::IDENTITY {
        check_exchange(&pair, &distance, &mut scratch);
    }
    check_solids(&pair, &distance, &mut scratch);
    true
}

/// The same with questions that take longer.
pub fn check_all_queries(bytes: &[u8]) -> bool {
    let is_asked = check_queries(bytes);
    if is_asked && let Some(setup) = Setup::from_bytes(bytes) {
        further::check(&setup);
    }
    is_asked
}

fn units(stats: Stats) -> u64 {
    stats.volume_tests + stats.triangle_tests
}

/// Contact, list of contacts and distance zero are the same; a limit is kept exactly when the
/// distance is no larger.
fn check_surfaces(pair: &Pair<'_>, scratch: &mut Scratch) -> Distance {
    let settings = Settings::default();
    let distance = pair.distance(Tolerance::EXACT, &settings, scratch);
    assert!(distance.lower == distance.upper && distance.upper >= 0.0, "{distance:?} {pair:?}");
    assert!(units(distance.stats) <= MOST_UNITS, "{distance:?}");
    let touching = distance.upper == 0.0;
    let collision = pair.collide(&settings, scratch);
    assert_eq!(collision.verdict == Verdict::Yes, touching, "{distance:?}");
    let contacts = pair.contacts(&settings, scratch);
    assert!(contacts.pairs.is_empty() != touching && contacts.is_complete);
    let count = contacts.pairs.len();
    let d = distance.upper;
    for limit in [0.0, 0.5 * d, d.next_down().max(0.0), d, d.next_up(), 2.0 * d] {
        let within = pair.within(limit, &settings, scratch);
        assert_eq!(within.verdict == Verdict::Yes, d <= limit, "{limit}: {distance:?}");
        assert_ne!(within.verdict, Verdict::Maybe);
        let near = pair.pairs_within(limit, &settings, scratch);
        assert_eq!(near.pairs.is_empty(), d > limit, "{limit}: {distance:?}");
        assert!(near.pairs.iter().all(|pair| pair.distance <= limit));
        if limit == 0.0 {
            assert_eq!(near.pairs.len(), count);
        }
    }
    let nearest = pair.nearest_pairs(3, &settings, scratch);
    assert_eq!(nearest.pairs[0].distance, d);
    assert!(nearest.pairs.is_sorted_by(|one, other| one.distance <= other.distance));
    distance
}

/// Whatever the budget, what is said holds, and more budget says no less.
fn check_budgets(pair: &Pair<'_>, truth: &Distance, scratch: &mut Scratch) {
    let (mut upper, mut separation, mut penetration) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for work in [0, 1, 2, 5, 10, 30, 100, 1000] {
        let settings = Settings::new().budget(Budget::work(work));
        let found = pair.distance(Tolerance::EXACT, &settings, scratch);
        assert!(found.lower <= truth.upper && truth.upper <= found.upper && found.upper <= upper, "{work}: {found:?}");
        upper = found.upper;
        let verdict = pair.collide(&settings, scratch).verdict;
        assert!(verdict.known().is_none_or(|touch| touch == (truth.upper == 0.0)), "{work}: {verdict:?}");
        let said = pair.assess(&settings, scratch);
        assert!(said.verdict.known().is_none_or(|touch| touch == (truth.upper == 0.0)), "{work}: {said:?}");
        assert!(said.separation.lower <= truth.upper && truth.upper <= said.separation.upper, "{work}: {said:?}");
        assert!(said.separation.upper <= separation && said.penetration.upper <= penetration, "{work}: {said:?}");
        (separation, penetration) = (said.separation.upper, said.penetration.upper);
    }
}

/// Another volume, the same bits.
fn check_engines(setup: &Setup, truth: &Distance, scratch: &mut Scratch) {
    let [a, b] = [&setup.a, &setup.b].map(|model| setup.other_engine(model));
    let Ok(pair) = Pair::relative(&a, &b, &setup.a_from_b) else { return };
    let settings = Settings::default();
    let distance = pair.distance(Tolerance::EXACT, &settings, scratch);
    assert_eq!(distance.upper.to_bits(), truth.upper.to_bits(), "{}", a.volume_name());
    assert_eq!(pair.collide(&settings, scratch).verdict == Verdict::Yes, truth.upper == 0.0, "{}", a.volume_name());
}

/// Where nothing is moved, nothing is rounded: a and b may be exchanged.
fn check_exchange(pair: &Pair<'_>, truth: &Distance, scratch: &mut Scratch) {
    let settings = Settings::default();
    let count = pair.contacts(&settings, scratch).pairs.len();
    let Ok(other) = Pair::relative(pair.b(), pair.a(), &Pose::IDENTITY) else { return };
    assert_eq!(other.distance(Tolerance::EXACT, &settings, scratch).upper.to_bits(), truth.upper.to_bits());
    assert_eq!(other.contacts(&settings, scratch).pairs.len(), count);
}

fn check_solids(pair: &Pair<'_>, truth: &Distance, scratch: &mut Scratch) {
    let solid = pair.solid();
    let settings = Settings::new().budget(Budget::work(MOST_SOLID_UNITS / 4));
    let collision = solid.collide(&settings, scratch);
    assert!(units(collision.stats) <= MOST_UNITS);
    assert!(collision.verdict == Verdict::Yes || collision.verdict == Verdict::No && truth.upper > 0.0);
    let tolerance = Tolerance::relative(0.05);
    let signed = solid.distance(tolerance, &settings, scratch);
    assert!(signed.lower <= signed.upper && units(signed.stats) <= MOST_SOLID_UNITS, "{signed:?}");
    assert_eq!(signed.lower > 0.0, collision.verdict == Verdict::No, "{signed:?}");
    let regions = solid.contact_regions(&settings, scratch);
    assert!(units(regions.stats) <= MOST_SOLID_UNITS && regions.regions.is_empty() == (truth.upper > 0.0));
    check_depth(pair, collision.verdict, &settings, scratch);
}

/// The translation separates; bounds found with different budgets do not contradict each other.
fn check_depth(pair: &Pair<'_>, verdict: Verdict, settings: &Settings<'_>, scratch: &mut Scratch) {
    let mut found: Vec<TranslationalDepth> = Vec::new();
    for budget in [Budget::work(50), Budget::work(2000), settings.budget] {
        let depth = match pair.solid().translational_depth(&settings.budget(budget), scratch) {
            Ok(depth) => depth,
            Err(QueryError::TooFarApart { .. } | QueryError::PosedTooLarge { .. }) => return,
            Err(error) => panic!("{error}"),
        };
        assert!(depth.lower <= depth.upper && units(depth.stats) <= MOST_SOLID_UNITS, "{depth:?}");
        assert!(verdict == Verdict::Yes || depth.lower == 0.0, "{depth:?}");
        let moved = Pose::from_translation(depth.translation.to_array()).expect("finite") * *pair.a_from_b();
        let moved = Pair::relative(pair.a(), pair.b(), &moved).expect("was asked before");
        assert_eq!(moved.solid().collide(&Settings::default(), scratch).verdict, Verdict::No, "{depth:?}");
        assert!(
            found.iter().all(|known| depth.lower <= known.upper && known.lower <= depth.upper),
            "{found:?} {depth:?}"
        );
        found.push(depth);
    }
}
