//! Any bytes as 3MF, and as the model in an archive.

#![no_main]

use nearhit_fuzz::{check, stored};
use nearhit_io::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    check(bytes, Format::ThreeMf);
    check(&stored("3D/3dmodel.model", bytes), Format::ThreeMf);
});
