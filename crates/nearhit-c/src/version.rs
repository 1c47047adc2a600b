//! Library version and ABI version.

use std::ffi::{CStr, c_char};

/// Of the binary interface: programs work with every library that has the same number. It changes
/// with the first number of the version, or the second while the first is 0.
pub const NEARHIT_ABI_VERSION: u32 = 0;

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

/// The version of the library, such as "0.1.0". The text is the library's and lives as long as it
/// is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_version() -> *const c_char {
    VERSION.as_ptr()
}

/// NEARHIT_ABI_VERSION of the library: compare it with that of the header that a program was
/// compiled with.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_abi_version() -> u32 {
    NEARHIT_ABI_VERSION
}
