//! The list of the papers' points: its numbers are those of its rows, and its paths exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Rows of the tables: id, section, what, where, verdict, evidence.
fn rows(text: &str) -> Vec<Vec<String>> {
    let is_row = |line: &&str| {
        let mut letters = line.chars().skip(2);
        line.starts_with("| ")
            && letters.next().is_some_and(|it| "KLHA".contains(it))
            && letters.next().is_some_and(|it| it.is_ascii_digit())
    };
    let cells = |line: &str| line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
    text.lines().filter(is_row).map(cells).collect()
}

fn audit() -> String {
    std::fs::read_to_string(root().join("lab/papers/AUDIT.md")).expect("the list")
}

#[test]
fn the_numbers_are_those_of_the_rows() {
    let (text, mut counts, mut ids) = (audit(), BTreeMap::<String, usize>::new(), BTreeSet::new());
    for row in rows(&text) {
        assert_eq!(row.len(), 6, "{row:?}");
        assert!(ids.insert(row[0].clone()), "{} twice", row[0]);
        // What is done names what shows it; what is missing or contradicts, why.
        assert!(row[5].len() > 10, "{} has no evidence", row[0]);
        *counts.entry(row[4].clone()).or_default() += 1;
    }
    assert_eq!(ids.len(), 179);
    let of = |verdict: &str| counts.remove(verdict).unwrap_or(0);
    let [done, partial, missing, contradicts] = ["done", "partial", "missing", "contradicts"].map(of);
    assert!(counts.is_empty(), "other verdicts: {counts:?}");
    let told = format!("179 points: {done} done, {partial} partial, {missing} missing, {contradicts} contradict.");
    assert!(text.replace('\n', " ").contains(&told), "{told}");
}

/// Whole paths, and names of source files wherever they are.
#[test]
fn the_places_exist() {
    let mut names = BTreeSet::new();
    let mut folders: Vec<PathBuf> =
        ["crates", "lab", "scripts", "python", "docs"].map(|folder| root().join(folder)).into();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else {
                names.insert(entry.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    let text = audit();
    let words = text.split(|it: char| !(it.is_alphanumeric() || "_./-".contains(it)));
    let sources =
        words.map(|word| word.trim_matches('.')).filter(|word| word.ends_with(".rs") || word.ends_with(".py"));
    let mut judged = 0;
    for word in sources {
        let end = format!("/{word}");
        assert!(names.iter().any(|name| name.ends_with(&end)), "{word} is nowhere");
        judged += 1;
    }
    assert!(judged > 100, "{judged}");
}
