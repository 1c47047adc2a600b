//! Makes the case that the README's Rust program reads, as `nearhit cases rings` does, in the
//! folder in which the program is run as a documentation test.

use nearhit_datasets::cases::falling_rings;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(|folder| Path::new(&folder).join("cases/rings"));
    let folder = folder.ok_or_else(|| io::Error::other("cargo gives the package's folder"))?;
    fs::create_dir_all(&folder)?;
    let case = falling_rings(16, 8, 1, 42);
    fs::write(folder.join("a.obj"), case.a.to_obj())?;
    fs::write(folder.join("b.obj"), case.b.to_obj())
}
