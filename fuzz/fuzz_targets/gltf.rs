//! Any bytes as glTF or GLB.

#![no_main]

use nearhit_fuzz::{check, reframed};
use nearhit_io::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    check(bytes, Format::Gltf);
    if let Some(bytes) = reframed(bytes) {
        check(&bytes, Format::Gltf);
    }
});
