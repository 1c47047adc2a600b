//! Any bytes as a model file, as they are and with checksums put right.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    nearhit_fuzz::check_model(bytes);
    nearhit_fuzz::check_model(&nearhit_fuzz::resealed(bytes));
});
