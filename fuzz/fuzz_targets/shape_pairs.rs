//! Two shapes and a pose from bytes: all queries, and what must hold between them.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    nearhit_fuzz::shapes::check_shapes(bytes);
});
