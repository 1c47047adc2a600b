//! Gives the shared library the name that programs look for when they start: `libnearhit.so.0` for
//! every version 0 of the interface. The file is renamed when it is installed (scripts/install-c).

/// `NEARHIT_ABI_VERSION` of the header; a test compares the two.
const ABI_VERSION: u32 = 0;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    match system.as_str() {
        "linux" | "freebsd" | "netbsd" | "openbsd" | "android" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libnearhit.so.{ABI_VERSION}");
        }
        "macos" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libnearhit.{ABI_VERSION}.dylib");
        }
        _ => {}
    }
}
