//! Any bytes as COLLADA.

#![no_main]

use nearhit_fuzz::check;
use nearhit_io::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes, Format::Collada));
