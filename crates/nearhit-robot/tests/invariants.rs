//! What must hold between the answers about a robot: the checks of the fuzz target `robots`, on
//! seeded bytes.
//!
//! `NEARHIT_LONG=1` tries a hundred times as many.

#[path = "../../../fuzz/src/bytes.rs"]
mod bytes;
#[allow(unreachable_pub)]
#[path = "../../../fuzz/src/robots.rs"]
mod robots;

/// Bytes of a generator that repeats (splitmix64); of few different values now and then.
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    let (length, values) = (20 + next() % 100, if next() % 2 == 0 { 256 } else { 1 + next() % 12 });
    (0..length).map(|_| (next() % values) as u8).collect()
}

#[test]
fn answers_agree_with_each_other() {
    let count = if std::env::var_os("NEARHIT_LONG").is_some() { 100_000 } else { 1_000 };
    let asked = (0..count).filter(|&seed| robots::check_robots(&bytes(seed))).count() as u64;
    assert!(2 * asked > count, "{asked} of {count} were robots");
}
