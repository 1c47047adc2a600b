//! What must hold between the answers to different queries: the checks of the fuzz targets
//! `queries` and `shape_pairs`, on seeded bytes.
//!
//! `NEARHIT_LONG=1` tries a hundred times as many.

mod common;
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
fn answers_about_shapes_agree_with_each_other() {
    let count = if std::env::var_os("NEARHIT_LONG").is_some() { 1_000_000 } else { 3_000 };
    let check = |seed: u64| shapes::check_shapes(&bytes(&mut Rng::new(seed)));
    let hundred = move |first: u64| (first..first + 100).filter(|&seed| check(seed)).count() as u64;
    let asked: u64 = (0..count / 100).map(|part| common::ends("seeded shapes", move || hundred(100 * part))).sum();
    assert!(2 * asked > count, "{asked} of {count} were shapes and poses");
}
