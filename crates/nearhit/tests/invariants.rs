//! What must hold between the answers to different queries: the checks of the fuzz targets
//! `queries` and `shape_pairs`, on seeded bytes.
//!
//! `NEARHIT_LONG=1` tries a hundred times as many.

#[path = "../../../fuzz/src/bytes.rs"]
mod bytes;
mod common;
#[allow(unreachable_pub)]
#[path = "../../../fuzz/src/further.rs"]
mod further;
#[allow(unreachable_pub)]
#[path = "../../../fuzz/src/queries.rs"]
mod queries;
#[allow(unreachable_pub)]
#[path = "../../../fuzz/src/setup.rs"]
mod setup;
#[allow(unreachable_pub)]
#[path = "../../../fuzz/src/shapes.rs"]
mod shapes;

use nearhit_testkit::rng::Rng;

/// Bytes of few different values now and then: then corners and poses coincide more often.
fn bytes(rng: &mut Rng) -> Vec<u8> {
    let length = 40 + rng.below(240);
    let values = if rng.chance(0.5) { 256 } else { 1 + rng.below(8) };
    let steps = if rng.chance(0.5) { 1 } else { 8 };
    (0..length).map(|i| if i < 3 { rng.u64() as u8 } else { (steps * rng.below(values)) as u8 }).collect()
}

#[test]
fn answers_agree_with_each_other() {
    let count = if std::env::var_os("NEARHIT_LONG").is_some() { 100_000 } else { 1_000 };
    let check = |seed: u64| queries::check_queries(&bytes(&mut Rng::new(seed)));
    let asked = (0..count).filter(|&seed| common::ends("seeded bytes", move || check(seed))).count() as u64;
    assert!(2 * asked > count, "{asked} of {count} were meshes and poses");
}

#[test]
fn answers_to_further_questions_agree_with_each_other() {
    let count = if std::env::var_os("NEARHIT_LONG").is_some() { 10_000 } else { 20 };
    let check = |seed: u64| queries::check_all_queries(&bytes(&mut Rng::new(seed)));
    let asked = (0..count).filter(|&seed| common::ends("seeded bytes", move || check(seed))).count() as u64;
    assert!(2 * asked > count, "{asked} of {count} were meshes and poses");
}

/// Every seed of the fuzz target makes something to ask about, and the answers agree.
fn seeds(target: &str, check: fn(&[u8]) -> bool) {
    let folder = format!("{}/../../fuzz/corpus/{target}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(&folder).expect("seeds").map(|file| file.expect("a seed").path());
    let mut count = 0;
    for file in files {
        let bytes = std::fs::read(&file).expect("a readable seed");
        assert!(common::ends("a seed", move || check(&bytes)), "{} makes nothing", file.display());
        count += 1;
    }
    assert!(count >= 8, "{count} seeds for {target}");
}

#[test]
fn seeds_of_the_fuzzer_make_something() {
    seeds("queries", queries::check_queries);
    seeds("shape_pairs", shapes::check_shapes);
}

#[test]
fn answers_about_shapes_agree_with_each_other() {
    let count = if std::env::var_os("NEARHIT_LONG").is_some() { 1_000_000 } else { 3_000 };
    let check = |seed: u64| shapes::check_shapes(&bytes(&mut Rng::new(seed)));
    let hundred = move |first: u64| (first..first + 100).filter(|&seed| check(seed)).count() as u64;
    let asked: u64 = (0..count / 100).map(|part| common::ends("seeded shapes", move || hundred(100 * part))).sum();
    assert!(2 * asked > count, "{asked} of {count} were shapes and poses");
}
