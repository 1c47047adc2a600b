//! Links of the documents lead somewhere, their prose and the documentation of the code are
//! wrapped, every chapter and decision is listed and compiled.

use std::fs;
use std::path::{Path, PathBuf};

/// Where prose is wrapped.
const COLUMNS: usize = 100;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The Markdown files of a folder, without those in folders below it.
fn markdown(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).expect("a folder of documents");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    found.sort();
    found
}

/// Folders with files that nobody here wrote.
const GENERATED: [&str; 4] = [".git", "target", "node_modules", "corpus"];

/// The files of the tree with an extension, wherever they are.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        let is_generated = GENERATED.iter().any(|name| path.file_name().is_some_and(|found| found == *name));
        if path.is_dir() && !is_generated && !path.is_symlink() {
            files(&path, extension, found);
        } else if path.is_file() && path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

fn all(extension: &str, at_least: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&root(), extension, &mut found);
    found.sort();
    assert!(found.len() > at_least, "only {} .{extension} files: this test looks in the wrong places", found.len());
    found
}

fn documents() -> Vec<PathBuf> {
    all("md", 50)
}

/// Lines outside of code, with their numbers.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let (mut is_code, mut lines) = (false, Vec::new());
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            lines.push((number + 1, line));
        }
    }
    lines
}

/// Targets of `[text](target)`.
fn links(line: &str) -> Vec<&str> {
    line.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect()
}

/// As forges and mdBook make them from a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        letter if letter.is_alphanumeric() || letter == '-' || letter == '_' => Some(letter.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

#[test]
fn links_lead_somewhere() {
    let mut count = 0;
    for path in documents() {
        for (number, line) in prose(&read(&path)) {
            for link in links(line).into_iter().filter(|link| !link.contains("://")) {
                let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
                let folder = path.parent().expect("a file is in a folder");
                let target = if file.is_empty() { path.clone() } else { folder.join(file) };
                assert!(target.exists(), "{}:{number}: {link} does not exist", path.display());
                let text = if fragment.is_empty() { String::new() } else { read(&target) };
                let has = prose(&text).iter().any(|(_, line)| line.starts_with('#') && anchor(line) == fragment);
                assert!(fragment.is_empty() || has, "{}:{number}: no heading for {link}", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 60, "only {count} links: they are no longer recognised");
}

/// Lines that are too wide, of those that are prose: tables, and lines that are one long word,
/// cannot be wrapped.
fn too_wide(path: &Path, lines: &[(usize, &str)], text: fn(&str) -> &str) -> Vec<String> {
    let is_wide = |line: &&(usize, &str)| {
        let text = text(line.1).trim_start();
        line.1.chars().count() > COLUMNS && !text.starts_with('|') && text.split_whitespace().count() > 1
    };
    let place =
        |(number, line): &(usize, &str)| format!("{}:{number}: {} columns", path.display(), line.chars().count());
    lines.iter().filter(is_wide).map(place).collect()
}

#[test]
fn prose_is_wrapped() {
    let wide: Vec<String> =
        documents().iter().flat_map(|path| too_wide(path, &prose(&read(path)), |line| line)).collect();
    assert!(wide.is_empty(), "wrap at {COLUMNS} columns:\n{}", wide.join("\n"));
}

/// Without indentation and slashes.
fn comment(line: &str) -> &str {
    line.trim_start().trim_start_matches('/').trim_start_matches('!')
}

/// Lines of documentation comments outside of their code, with their numbers.
fn documentation(text: &str) -> Vec<(usize, &str)> {
    let (mut is_code, mut lines) = (false, Vec::new());
    for (number, line) in text.lines().enumerate() {
        let is_comment = line.trim_start().starts_with("///") || line.trim_start().starts_with("//!");
        if !is_comment {
            is_code = false;
        } else if comment(line).trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code && !line.contains("\\n") {
            // With line ends of its own it is within a text.
            lines.push((number + 1, line));
        }
    }
    lines
}

#[test]
fn documentation_comments_are_wrapped() {
    let of = |path: &PathBuf| too_wide(path, &documentation(&read(path)), comment);
    let wide: Vec<String> = all("rs", 500).iter().flat_map(of).collect();
    assert!(wide.is_empty(), "wrap at {COLUMNS} columns:\n{}", wide.join("\n"));
}

/// The help of `nearhit clash` and the library's documentation state the limit that the code has.
#[test]
fn the_limit_of_clash_detection_is_stated() {
    let code = read(&root().join("crates/nearhit/src/clash/find.rs"));
    let line = code.lines().find(|line| line.starts_with("const PAIR_WORK")).expect("the limit is where it was");
    let digits = line.split(" = ").nth(1).map(|values| values.replace(['[', ']', ';', '_'], "")).expect("values");
    let [pair, triangle]: [u64; 2] =
        digits.split(", ").map(|value| value.parse().expect("a number")).collect::<Vec<_>>().try_into().expect("two");
    let stated =
        format!("{} million and {},{:03} for each triangle", pair / 1_000_000, triangle / 1000, triangle % 1000);
    for path in ["crates/nearhit/src/clash/options.rs", "crates/nearhit-cli/src/clash/mod.rs"] {
        assert!(read(&root().join(path)).contains(&stated), "{path} does not state {stated:?}");
    }
}

#[test]
fn chapters_and_decisions_are_listed() {
    let (compiled, summary) =
        (read(&root().join("lab/docs/src/lib.rs")), read(&root().join("docs/guide/src/SUMMARY.md")));
    for path in markdown("docs/guide/src") {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        if name != "SUMMARY.md" {
            assert!(summary.contains(&format!("({name})")), "{name} is not in SUMMARY.md");
            assert!(compiled.contains(&format!("/{name}\"")) || name == "introduction.md", "{name} is not compiled");
        }
    }
    let index = read(&root().join("docs/adr/README.md"));
    for path in markdown("docs/adr") {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        let text = read(&path);
        if name != "README.md" {
            assert!(index.contains(&format!("({name})")), "{name} is not in docs/adr/README.md");
            assert!(text.lines().any(|line| line.starts_with("Status: ")), "{name} has no status");
            assert!(text.lines().count() <= 75, "{name} is longer than a page: move what was measured to notes/");
        }
    }
}
