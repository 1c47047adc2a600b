//! Every query of the library, of robots and of files has an example in its documentation, and
//! answers and options that users see can grow.

use std::fs;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates")
}

/// Rooms that only `nearhit::research` shows.
const RESEARCH: [&str; 13] = [
    "anytime/adb",
    "anytime/sphere_tree",
    "build",
    "bytes",
    "hierarchy",
    "inside",
    "packed",
    "parallel",
    "primitive",
    "research",
    "scene/broad",
    "traverse",
    "volume",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).expect("a folder of sources").map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Something public: its place, what stands above it (documentation, attributes), and its text up
/// to the brace that opens it.
struct Item {
    place: String,
    above: String,
    head: String,
    /// The lines of its body.
    body: Vec<String>,
}

impl Item {
    fn is_hidden(&self) -> bool {
        self.above.contains("doc(hidden)")
    }
}

/// Public items of a crate that begin with one of these words, free or of an implementation.
fn items(name: &str, skipped: &[&str], words: &[&str]) -> Vec<Item> {
    let root = crates().join(name).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.sort();
    let mut found = Vec::new();
    for path in files {
        let within = path.strip_prefix(&root).expect("below it");
        if skipped.iter().any(|room| within.starts_with(room)) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let indent = line.len() - line.trim_start().len();
            if indent > 4 || !words.iter().any(|word| line.trim_start().starts_with(word)) {
                continue;
            }
            let is_above = |line: &&&str| line.trim_start().starts_with("///") || line.trim_start().starts_with("#[");
            let above: Vec<&str> = lines[..index].iter().rev().take_while(is_above).copied().collect();
            let opens = |line: &&str| line.ends_with('{') || line.ends_with(';') || line.ends_with('}');
            let count = 1 + lines[index..].iter().position(opens).expect("it begins somewhere");
            let body = lines[index + count..].iter().take_while(|line| !line.starts_with('}'));
            found.push(Item {
                place: format!("{name}/src/{}:{}: {}", within.display(), index + 1, line.trim()),
                above: above.join("\n"),
                head: lines[index..index + count].join(" "),
                body: body.map(|line| (*line).to_owned()).collect(),
            });
        }
    }
    found
}

/// Does a function ask something? In the library what takes working memory, settings or a budget
/// does; in the other crates what takes working memory or configurations, and what can be
/// refused.
fn is_query(name: &str, head: &str) -> bool {
    let common = ["Scratch,", "Scratch)", "&Settings<'_>", "&Budget<'_>"];
    let other = ["configurations: &[f64]", "-> Result<"];
    common.iter().any(|word| head.contains(word)) || name != "nearhit" && other.iter().any(|word| head.contains(word))
}

#[test]
fn every_query_has_an_example() {
    for (name, skipped, at_least) in
        [("nearhit", &RESEARCH[..], 40), ("nearhit-robot", &[], 25), ("nearhit-io", &[], 10), ("nearhit-nc", &[], 15)]
    {
        let queries: Vec<Item> =
            items(name, skipped, &["pub fn "]).into_iter().filter(|item| is_query(name, &item.head)).collect();
        assert!(queries.len() >= at_least, "{name}: only {} queries: they are no longer recognised", queries.len());
        let bare: Vec<&str> = queries
            .iter()
            .filter(|item| !item.above.contains("```") && !item.is_hidden())
            .map(|item| item.place.as_str())
            .collect();
        assert!(bare.is_empty(), "without an example:\n{}", bare.join("\n"));
    }
}

/// Plain data that is all there can be: two ends of an interval, two triangles, a mesh as read.
const CLOSED: [&str; 9] =
    ["BodyPair", "Bounds", "Convention", "Interval", "Moving", "Part", "PartId", "RawMesh", "TrianglePair"];

#[test]
fn answers_and_options_can_grow() {
    for (name, skipped) in [("nearhit", &RESEARCH[..]), ("nearhit-robot", &[]), ("nearhit-io", &[])] {
        let open = |item: &&Item| {
            let fields: Vec<&str> = item.body.iter().map(|line| line.as_str()).filter(|line| is_field(line)).collect();
            !item.above.contains("non_exhaustive")
                && !item.is_hidden()
                && !fields.is_empty()
                && fields.iter().all(|line| line.trim_start().starts_with("pub "))
                && !CLOSED.contains(&type_name(&item.head))
        };
        let found = items(name, skipped, &["pub struct "]);
        let places: Vec<&str> = found.iter().filter(open).map(|item| item.place.as_str()).collect();
        assert!(found.len() >= 5, "{name}: only {} types: they are no longer recognised", found.len());
        assert!(places.is_empty(), "can be made by users, and so cannot grow:\n{}", places.join("\n"));
    }
}

/// Of `pub struct Name<'a> {`.
fn type_name(head: &str) -> &str {
    let name = head.trim_start_matches("pub struct ");
    name.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or(name)
}

/// `name: Type,` of a struct, with whatever visibility.
fn is_field(line: &str) -> bool {
    let line = line.trim_start();
    let is_comment = line.starts_with("//") || line.starts_with('#');
    !is_comment && line.ends_with(',') && line.contains(": ")
}
