//! No query goes on for ever: for every query a number of units of work that it keeps to on small
//! meshes, whatever they are like, and a clock that it asks.
//!
//! `NEARHIT_LONG=1` tries fifty times as many setups.

#[path = "../common/mod.rs"]
mod common;
mod families;
mod queries;

use common::{ends, mesh};
use families::{FAMILIES, Family};
use nearhit::{Budget, Clock, Model, Pair, Pose, Scratch, Settings, TranslationalDepth, Verdict};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Soup, shapes};
use queries::{COSTLY, QUERIES, Query};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn rounds(usual: u64) -> u64 {
    if std::env::var_os("NEARHIT_LONG").is_some() { 50 * usual } else { usual }
}

/// Asks all of it of one setup of a family, and says what each query took.
fn ask_all((family, make): Family, queries: &[Query], seed: u64) -> Vec<u64> {
    let (setup, mut scratch) = (make(&mut Rng::new(seed)), Scratch::new());
    let ask = |query: &Query| {
        let units = (query.ask)(&setup, &Settings::default(), &mut scratch);
        assert!(units <= query.most, "{}: {units} units for {family}, seed {seed}", query.name);
        units
    };
    queries.iter().map(ask).collect()
}

fn soak_all(queries: &'static [Query], count: u64) {
    let mut most = vec![0; queries.len()];
    for (family, seed) in FAMILIES.into_iter().flat_map(|family| (0..count).map(move |seed| (family, seed))) {
        let taken = ends(family.0, move || ask_all(family, queries, seed));
        most.iter_mut().zip(taken).for_each(|(most, taken)| *most = taken.max(*most));
    }
    for (query, most) in queries.iter().zip(most) {
        println!("{}: {most} of {} units", query.name, query.most);
        // A limit that nothing comes near shows nothing.
        assert!(200 * most > query.most, "{}: at most {most} of {} units", query.name, query.most);
    }
}

#[test]
fn queries_keep_to_their_limits_of_work() {
    soak_all(&QUERIES, rounds(8));
}

#[test]
fn queries_that_need_more_to_be_made_keep_to_their_limits_of_work() {
    soak_all(&COSTLY, rounds(2));
}

/// Time is how often it was looked at.
#[derive(Debug, Default)]
struct Looks(AtomicU64);

impl Clock for Looks {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// After its time is over a query looks at the clock a few times more, once in each stage that it
/// leaves out.
const AFTERWARDS: u64 = 200;
/// What a query may take that is out of time from the beginning: a few pairs, the proof of a
/// translation, and a depth at every corner where there is no tree for points.
const AT_LEAST: u64 = 50_000;

/// Gives each query no time, and hardly any: how often each had to stop.
fn interrupt((family, make): Family, seed: u64) -> [u64; QUERIES.len()] {
    let (setup, mut scratch, mut stopped) = (make(&mut Rng::new(seed)), Scratch::new(), [0; QUERIES.len()]);
    for (number, limit) in (0..QUERIES.len()).flat_map(|number| [(number, 0), (number, 5)]) {
        let (query, clock) = (&QUERIES[number], Looks::default());
        let budget = Budget::until(&clock, Duration::from_nanos(limit));
        let units = (query.ask)(&setup, &Settings::new().budget(budget), &mut scratch);
        let looks = clock.0.into_inner();
        assert!(looks <= limit + AFTERWARDS, "{}: {looks} looks for {family}, seed {seed}", query.name);
        assert!(units <= AT_LEAST, "{}: {units} units for {family}, seed {seed}", query.name);
        stopped[number] += u64::from(looks > limit);
    }
    stopped
}

#[test]
fn queries_ask_the_clock_and_stop() {
    let mut all = [0; QUERIES.len()];
    for (family, seed) in FAMILIES.into_iter().flat_map(|family| (0..rounds(10)).map(move |seed| (family, seed))) {
        let stopped = ends(family.0, move || interrupt(family, seed));
        all.iter_mut().zip(stopped).for_each(|(all, stopped)| *all += stopped);
    }
    for (query, stopped) in QUERIES.iter().zip(all) {
        assert!(stopped > 10, "{} was stopped {stopped} times", query.name);
    }
}

/// A tenth of the work that it would take is hardly exceeded, and the answer says that it was cut.
#[test]
fn translational_depth_keeps_to_its_work() {
    let torus = shapes::wrinkled_torus(24, 16, 5);
    let model = Model::new(mesh(&torus));
    let (mut rng, mut scratch, mut cut) = (Rng::new(8), Scratch::new(), 0);
    for _ in 0..12 {
        let pose = Pose::from_rows(rng.rotation(), rng.point(-0.5, 0.5)).expect("a rotation");
        let pair = Pair::relative(&model, &model, &pose).expect("in range");
        let mut ask = |budget| {
            let settings = Settings::new().budget(budget);
            let found = pair.solid().translational_depth(&settings, &mut scratch).expect("in range");
            (found.is_complete, found.stats.volume_tests + found.stats.triangle_tests)
        };
        let (complete, whole) = ask(Budget::UNLIMITED);
        assert!(complete);
        let (complete, part) = ask(Budget::work(whole / 10));
        // What takes next to nothing is done before it is asked.
        assert!(whole < 1_000 || !complete && part <= whole / 2, "{part} of {whole}");
        cut += usize::from(!complete);
    }
    assert!(cut > 6, "{cut} of 12 were cut");
}

fn touches(pair: &Pair<'_>, by: [f64; 3], scratch: &mut Scratch) -> bool {
    let moved = Pose::from_translation(by).expect("finite") * *pair.a_from_b();
    let moved = Pair::relative(pair.a(), pair.b(), &moved).expect("in range");
    moved.solid().collide(&Settings::default(), scratch).verdict == Verdict::Yes
}

/// Three boxes and a fourth in one of them: the sum of the depths below both surfaces is the same
/// all along a ridge, but for rounding.
#[test]
fn a_climb_along_a_ridge_ends() {
    ends("a ridge", || {
        let boxes = [
            ([1.0, 4.0, 4.0], [3.0, 5.0, 5.0]),
            ([1.0, 0.0, 4.0], [3.0, 1.0, 6.0]),
            ([0.0, 3.0, 0.0], [3.0, 5.0, 3.0]),
        ];
        let mut whole = Soup::default();
        boxes.into_iter().for_each(|(low, high)| whole.append(&shapes::cuboid(low, high)));
        let (a, b) = (Model::new(mesh(&whole)), Model::new(mesh(&shapes::cuboid([1.0, 1.0, 1.0], [2.0, 4.0, 2.0]))));
        let mut scratch = Scratch::new();
        for budget in [Budget::UNLIMITED, Budget::work(1000)] {
            let pose = Pose::from_translation([0.25, -0.875, 4.125]).expect("finite");
            let pair = Pair::relative(&a, &b, &pose).expect("in range");
            let settings = Settings::new().budget(budget);
            let found = pair.solid().translational_depth(&settings, &mut scratch).expect("in range");
            check(&pair, &found, &mut scratch);
        }
    });
}

/// The interval holds: the translation separates, and shorter ones than the lower bound do not.
fn check(pair: &Pair<'_>, found: &TranslationalDepth, scratch: &mut Scratch) {
    let TranslationalDepth { lower, upper, translation, .. } = *found;
    assert!(0.0 <= lower && lower <= upper, "{found:?}");
    assert!(!touches(pair, translation.to_array(), scratch), "{found:?}");
    for i in (0..27_u32).filter(|&i| i != 13) {
        let along = [i % 3, i / 3 % 3, i / 9].map(|step| f64::from(step) - 1.0);
        let length = along.iter().map(|part| part * part).sum::<f64>().sqrt();
        let by = along.map(|part| part / length * lower * (1.0 - 1e-9));
        assert!(lower == 0.0 || touches(pair, by, scratch), "{found:?} {by:?}");
    }
}

/// Of thousands of contacts of unions of boxes on a grid, one in six hundred had such a ridge.
#[test]
fn depths_of_unions_of_boxes_are_found() {
    let count = rounds(300);
    let is_in_contact = |seed: u64| {
        let (setup, mut scratch) = ((FAMILIES[0].1)(&mut Rng::new(seed + 1_000_000)), Scratch::new());
        let pair = Pair::relative(&setup.a, &setup.b, &setup.a_from_b).expect("in range");
        let budget = Budget::work(if seed.is_multiple_of(2) { 1_000 } else { 100_000 });
        let settings = Settings::new().budget(budget);
        let found = pair.solid().translational_depth(&settings, &mut scratch).expect("in range");
        check(&pair, &found, &mut scratch);
        found.upper > 0.0
    };
    let in_contact = (0..count).filter(|&seed| ends("unions of boxes", move || is_in_contact(seed))).count() as u64;
    assert!(5 * in_contact > count, "{in_contact} of {count} in contact");
}

/// Beyond its budget a query finishes what it has opened, and no more: the parts of one query share
/// one budget.
const FINISHED: u64 = 2000;

#[test]
fn all_of_a_query_shares_one_budget() {
    let (mut cut, mut most) = (vec![0; QUERIES.len()], vec![0; QUERIES.len()]);
    for ((family, make), seed) in FAMILIES.into_iter().flat_map(|family| (0..rounds(4)).map(move |seed| (family, seed)))
    {
        let (setup, mut scratch) = (make(&mut Rng::new(seed)), Scratch::new());
        for (index, query) in QUERIES.iter().enumerate() {
            let whole = (query.ask)(&setup, &Settings::default(), &mut scratch);
            for work in [whole / 4, whole / 2, 3 * whole / 4] {
                let units = (query.ask)(&setup, &Settings::new().budget(Budget::work(work)), &mut scratch);
                most[index] = units.saturating_sub(work).max(most[index]);
                // Beyond the engine's range there are no trees to look at one triangle by.
                let finished = if family.contains("any scale") { 4 * FINISHED } else { FINISHED };
                assert!(units <= work + finished, "{}: {units} of {work} for {family}, seed {seed}", query.name);
                cut[index] += usize::from(units < whole);
            }
        }
    }
    for ((query, most), cut) in QUERIES.iter().zip(most).zip(cut) {
        println!("{}: at most {most} beyond the budget, cut {cut} times", query.name);
    }
}

/// An overlap looks at every triangle of both bodies, also where nothing meets: it looks at the
/// clock there, too.
#[test]
fn an_overlap_asks_the_clock_all_the_way() {
    let [inner, outer] = [0.5, 1.0].map(|radius| Model::new(mesh(&shapes::icosphere(24).scaled(radius))));
    let triangles = (inner.mesh().triangles().len() + outer.mesh().triangles().len()) as u64;
    let (pair, mut scratch) = (Pair::relative(&inner, &outer, &Pose::IDENTITY).expect("in range"), Scratch::new());
    let mut ask = |limit: u64| {
        let clock = Looks::default();
        let budget = Budget::until(&clock, Duration::from_nanos(limit));
        let found = pair.solid().overlap(&Settings::new().budget(budget), &mut scratch);
        (found.is_complete, clock.0.into_inner())
    };
    // What a mesh keeps about itself is made once.
    assert!(ask(u64::MAX).0);
    let (is_complete, looks) = ask(u64::MAX);
    assert!(is_complete && looks > triangles / 64, "{looks} looks for {triangles} triangles");
    let (is_complete, stopped) = ask(looks / 2);
    assert!(!is_complete && stopped <= looks / 2 + AFTERWARDS, "{stopped} of {looks} looks");
}

/// Eight pairs that are taken together are eight pairs: each asks whether there is budget for it.
#[test]
fn a_search_for_contact_ends_within_an_opening_of_its_budget() {
    let [inner, outer] = [1.0, 1.02].map(|radius| Model::new(mesh(&shapes::icosphere(4).scaled(radius))));
    let pair = Pair::relative(&inner, &outer, &Pose::IDENTITY).expect("in range");
    let (mut scratch, mut cut) = (Scratch::new(), 0);
    for work in (100..20_000).step_by(173) {
        let found = pair.collide(&Settings::new().budget(Budget::work(work)), &mut scratch);
        // The wholes of the eight, and one opening: 64 pairs of slots and their wholes.
        let taken = found.stats.volume_tests + found.stats.triangle_tests;
        assert!(taken <= work + 8 + 65 + 64, "{taken} units of {work}");
        cut += usize::from(found.verdict == Verdict::Maybe);
    }
    assert!(cut > 50, "{cut} searches were cut short");
}
