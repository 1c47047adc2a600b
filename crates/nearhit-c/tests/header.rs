//! The committed header is the one that cbindgen makes of the sources.

use std::path::Path;

const HEADER: &str = "include/nearhit.h";

fn made() -> String {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(crate_folder.join("cbindgen.toml")).expect("cbindgen.toml");
    let bindings = cbindgen::Builder::new().with_crate(crate_folder).with_config(config).generate().expect("bindings");
    let mut text = Vec::new();
    bindings.write(&mut text);
    String::from_utf8(text).expect("UTF-8")
}

/// `NEARHIT_WRITE_HEADER=1 cargo test --workspace --test header` writes it anew.
#[test]
fn the_committed_header_is_up_to_date() {
    let (made, path) = (made(), Path::new(env!("CARGO_MANIFEST_DIR")).join(HEADER));
    if std::env::var_os("NEARHIT_WRITE_HEADER").is_some() {
        std::fs::write(&path, &made).expect("written");
    }
    let committed = std::fs::read_to_string(&path).expect("header");
    let differs = made.lines().zip(committed.lines()).position(|(made, committed)| made != committed);
    let line = differs.unwrap_or(made.lines().count().min(committed.lines().count())) + 1;
    assert!(
        made == committed,
        "{HEADER} is not what the sources say, from line {line} on: run\n\
         NEARHIT_WRITE_HEADER=1 cargo test --workspace --test header"
    );
}

/// What C has one name space for must not take names of others.
#[test]
fn every_name_of_the_header_begins_with_nearhit() {
    let header = made();
    let mut names = 0;
    for line in header.lines() {
        let name = if let Some(defined) = line.strip_prefix("#define ") {
            defined.split_whitespace().next()
        } else if line.starts_with("typedef ") && line.ends_with('{') {
            line.split_whitespace().nth(2)
        } else if line.starts_with("} ") {
            line.trim_start_matches("} ").strip_suffix(';')
        } else {
            None
        };
        if let Some(name) = name {
            names += 1;
            assert!(name.to_lowercase().starts_with("nearhit"), "{name} in: {line}");
        }
    }
    assert!(names > 40, "only {names} names found: the test looks for them in the wrong way");
}

/// The name of the shared library, the header and the library agree on the versions.
#[test]
fn versions_agree() {
    let header = made();
    let abi = nearhit_c::version::nearhit_abi_version();
    assert!(header.contains(&format!("#define NEARHIT_ABI_VERSION {abi}\n")));
    let build = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs")).expect("build.rs");
    assert!(build.contains(&format!("const ABI_VERSION: u32 = {abi};")));
    let parts: Vec<&str> = env!("CARGO_PKG_VERSION").split('.').collect();
    for (part, name) in parts.iter().zip(["MAJOR", "MINOR", "PATCH"]) {
        assert!(header.contains(&format!("#define NEARHIT_VERSION_{name} {part}\n")), "{name}");
    }
}
