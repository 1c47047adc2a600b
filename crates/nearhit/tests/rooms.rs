//! The rooms of the library use each other one way only: each uses those above it in this list.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// From what depends on nothing to what depends on nearly all. A new room goes below everything
/// that it uses.
const ROOMS: &[&str] = &[
    "parallel",
    "lazy",
    "error",
    "vector",
    "mesh",
    "pose",
    "interop",
    "primitive",
    "bytes",
    "volume",
    "hierarchy",
    "build",
    "traverse",
    "packed",
    "inside",
    "model",
    "file",
    "query",
    "batch",
    "shortcuts",
    "diagnostics",
    "point",
    "solid",
    "shape",
    "anytime",
    "scene",
    "clash",
    "report",
    "research",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

/// The text without comments and without what is only compiled for tests.
fn code(text: &str) -> String {
    let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    shipped.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Names after `crate::`, also those in braces.
fn used(code: &str) -> Vec<String> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut names = Vec::new();
    for rest in code.split("crate::").skip(1) {
        if let Some(list) = rest.strip_prefix('{') {
            let (mut depth, mut start) = (0, true);
            let mut name = String::new();
            for letter in list.chars() {
                match letter {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => start = true,
                    _ if depth == 0 && start && is_name(letter) => name.push(letter),
                    _ if depth == 0 && start && !name.is_empty() => {
                        names.push(std::mem::take(&mut name));
                        start = false;
                    }
                    _ => {}
                }
            }
            names.extend((!name.is_empty()).then_some(name));
        } else {
            names.push(rest.chars().take_while(|&letter| is_name(letter)).collect());
        }
    }
    names
}

/// Modules of tests, wherever they stand.
fn is_test(path: &Path) -> bool {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    name.ends_with("tests") || name == "contract" || name == "oracle"
}

#[test]
fn rooms_use_each_other_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let level: BTreeMap<&str, usize> = ROOMS.iter().enumerate().map(|(level, room)| (*room, level)).collect();
    let mut files = Vec::new();
    sources(&root, &mut files);
    let (mut wrong, mut uses) = (Vec::new(), 0);
    for file in files.iter().filter(|file| !is_test(file)) {
        let inside = file.strip_prefix(&root).expect("below the root");
        let room = inside.iter().next().and_then(|name| name.to_str()).unwrap_or_default().trim_end_matches(".rs");
        if room == "lib" {
            continue;
        }
        let own = *level.get(room).unwrap_or_else(|| panic!("{room} is not in the list of rooms"));
        for name in used(&code(&fs::read_to_string(file).expect("text"))) {
            // What is not a room is exported from the root, and is not to be used from there.
            let Some(&other) = level.get(name.as_str()) else {
                wrong.push(format!("{}: crate::{name} is not a room", inside.display()));
                continue;
            };
            uses += usize::from(other != own);
            if other > own {
                wrong.push(format!("{}: {room} must not use {name}", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(uses > 300, "only {uses} uses were seen");
}
