//! The rooms of the library use each other one way only: each uses those above it in this list.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From what depends on nothing to what depends on nearly all. A new room goes below everything
/// that it uses.
const ROOMS: &[&str] = &[
    "parallel",
    "lazy",
    "error",
    "vector",
    "pose",
    "bounds",
    "mesh",
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
    "anytime",
    "shape",
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

/// Which rooms each room uses; what is not as it should be; how many uses there are.
fn uses() -> (BTreeMap<String, BTreeSet<String>>, Vec<String>, usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let level: BTreeMap<&str, usize> = ROOMS.iter().enumerate().map(|(level, room)| (*room, level)).collect();
    let mut files = Vec::new();
    sources(&root, &mut files);
    let (mut graph, mut wrong, mut uses) = (BTreeMap::<String, BTreeSet<String>>::new(), Vec::new(), 0);
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
            if other != own {
                uses += 1;
                graph.entry(room.to_owned()).or_default().insert(name.clone());
            }
            if other > own {
                wrong.push(format!("{}: {room} must not use {name}", inside.display()));
            }
        }
    }
    (graph, wrong, uses)
}

#[test]
fn rooms_use_each_other_one_way() {
    let (_, wrong, uses) = uses();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(uses > 300, "only {uses} uses were seen");
}

/// Rooms that every other may use: arrows to them would say nothing.
const COMMON: [&str; 5] = ["parallel", "lazy", "error", "vector", "bytes"];

/// All that a room uses, by way of others, too.
fn reach(graph: &BTreeMap<String, BTreeSet<String>>, room: &str, found: &mut BTreeSet<String>) {
    for next in graph.get(room).into_iter().flatten() {
        if found.insert(next.clone()) {
            reach(graph, next, found);
        }
    }
}

/// An arrow from each room to those that it uses, but for those that it reaches by another arrow.
fn arrows() -> String {
    let mut graph = uses().0;
    graph.retain(|room, _| !COMMON.contains(&room.as_str()));
    graph.values_mut().for_each(|used| used.retain(|room| !COMMON.contains(&room.as_str())));
    let mut text = String::new();
    for room in ROOMS.iter().filter_map(|room| graph.get_key_value(*room)) {
        let mut indirect = BTreeSet::new();
        room.1.iter().for_each(|next| reach(&graph, next, &mut indirect));
        let direct: Vec<&str> = room.1.difference(&indirect).map(String::as_str).collect();
        if !direct.is_empty() {
            text += &format!("    {} --> {}\n", room.0, direct.join(" & "));
        }
    }
    text
}

/// `NEARHIT_UPDATE=1 cargo test --workspace --test rooms` draws it anew.
#[test]
fn the_graph_of_rooms_is_drawn() {
    const BEGIN: &str = "```mermaid\ngraph TD\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    // A crate from the registry has no such file.
    let Ok(text) = fs::read_to_string(&path) else { return };
    let start = text.find(BEGIN).expect("a graph") + BEGIN.len();
    let end = start + text[start..].find("```").expect("its end");
    let drawn = arrows();
    if std::env::var_os("NEARHIT_UPDATE").is_some() {
        fs::write(&path, format!("{}{drawn}{}", &text[..start], &text[end..])).expect("written");
    } else {
        assert_eq!(text[start..end], drawn, "NEARHIT_UPDATE=1 cargo test --workspace --test rooms draws it anew");
    }
}
