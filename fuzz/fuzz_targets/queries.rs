//! Two small meshes and a pose from bytes: all queries, and what must hold between them.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    nearhit_fuzz::queries::check_all_queries(bytes);
});
