//! Any text as an NC program or tool table.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| nearhit_fuzz::nc::check_nc(text));
