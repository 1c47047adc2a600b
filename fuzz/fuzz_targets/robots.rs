//! A robot of primitives and two configurations from bytes: all queries, and what must hold between
//! them.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    nearhit_fuzz::robots::check_robots(bytes);
});
