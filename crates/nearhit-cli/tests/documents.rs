//! The console examples of README.md and of the guide say what the command says.
//!
//! In a block that begins with ```` ```console ````, a line `$ nearhit …` is a command and what
//! follows is its output. A line `…` stands for any lines; numbers before ms, µs, s, KB and MB, and
//! counters of work in JSON, may differ. All commands of a document run in one fresh folder, one
//! after the other. `NEARHIT_UPDATE=1 cargo test -p nearhit-cli --test documents` writes what the
//! command says now into the documents.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command of a console block, its output in the document, and where that is: from one line to
/// before another.
struct Example {
    command: String,
    expected: Vec<String>,
    lines: std::ops::Range<usize>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn documents() -> Vec<PathBuf> {
    let guide = fs::read_dir(root().join("docs/guide/src")).expect("the guide");
    let mut found: Vec<PathBuf> = guide.map(|entry| entry.expect("an entry").path()).collect();
    found.sort();
    found.insert(0, root().join("README.md"));
    found
}

fn examples(text: &str) -> Vec<Example> {
    let (mut is_console, mut found) = (false, Vec::<Example>::new());
    let mut is_open = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            (is_console, is_open) = (line == "```console", false);
        } else if let (true, Some(command)) = (is_console, line.strip_prefix("$ ")) {
            found.push(Example { command: command.into(), expected: Vec::new(), lines: number + 1..number + 1 });
            is_open = true;
        } else if let (true, Some(last)) = (is_open, found.last_mut()) {
            last.expected.push(line.to_owned());
            last.lines.end = number + 1;
        }
    }
    found
}

/// Words of a command, with quotes as a shell has them.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote, mut begun) = (String::new(), None, false);
    for letter in command.chars() {
        match (quote, letter) {
            (None, '"' | '\'') => (quote, begun) = (Some(letter), true),
            (Some(open), letter) if letter == open => quote = None,
            (None, ' ') => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (_, letter) => {
                word.push(letter);
                begun = true;
            }
        }
    }
    assert_eq!(quote, None, "{command}: a quote is open");
    if begun {
        words.push(word);
    }
    words
}

/// What it prints; `code` is the exit code of the command before, then of this one.
fn run(command: &str, folder: &Path, code: &mut i32) -> Vec<String> {
    if command == "echo $?" {
        return vec![code.to_string()];
    }
    let words = words(command);
    assert_eq!(words[0], "nearhit", "{command}: console examples run nearhit alone");
    let mut nearhit = Command::new(env!("CARGO_BIN_EXE_nearhit"));
    let output = nearhit.args(&words[1..]).current_dir(folder).output().expect("the binary runs");
    *code = output.status.code().expect("it was not killed");
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).expect("UTF-8").trim_end().lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Numbers that a unit of time or memory follows as `#`, blanks as one, without the counters of a
/// line of JSON.
fn plain(line: &str) -> String {
    // Paths on Windows, in JSON too.
    let line = line.replace("\\\\", "/").replace('\\', "/");
    let words: Vec<&str> = line.split("\"n_v\":").next().unwrap_or_default().split_whitespace().collect();
    let is_number = |word: &str| word.chars().all(|letter| letter.is_ascii_digit() || ",.".contains(letter));
    let is_unit = |word: &str| ["ms", "µs", "s", "KB", "MB"].contains(&word.trim_end_matches([',', ')', ';']));
    let mut plain = Vec::new();
    for (index, &word) in words.iter().enumerate() {
        let measured = is_number(word) && words.get(index + 1).is_some_and(|next| is_unit(next));
        plain.push(if measured { "#" } else { word });
    }
    plain.join(" ")
}

/// Is it what the document says? A line `…` stands for any lines.
fn matches(expected: &[String], said: &[String]) -> bool {
    match expected.split_first() {
        None => said.is_empty(),
        Some((line, rest)) if line == "…" => (0..=said.len()).any(|skipped| matches(rest, &said[skipped..])),
        Some((line, rest)) => {
            said.split_first().is_some_and(|(first, more)| plain(first) == plain(line) && matches(rest, more))
        }
    }
}

#[test]
fn console_examples_are_true() {
    let update = std::env::var_os("NEARHIT_UPDATE").is_some();
    let mut count = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a document");
        let folder = std::env::temp_dir().join(format!("nearhit-documents-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let (mut lines, mut code) = (text.lines().map(str::to_owned).collect::<Vec<_>>(), 0);
        let mut changes = Vec::new();
        for example in examples(&text) {
            let said = run(&example.command, &folder, &mut code);
            count += 1;
            if !matches(&example.expected, &said) {
                let (place, said) = (format!("{}:{}", path.display(), example.lines.start), said.join("\n"));
                assert!(update, "{place}: {} says\n{said}\n\nNEARHIT_UPDATE=1 corrects it", example.command);
                changes.push((example.lines, said));
            }
        }
        for (range, said) in changes.into_iter().rev() {
            lines.splice(range, said.lines().map(str::to_owned));
        }
        if update {
            fs::write(&path, lines.join("\n") + "\n").expect("a writable document");
        }
        fs::remove_dir_all(&folder).expect("the temporary folder");
    }
    assert!(count >= 15, "only {count} console examples: they are no longer recognised");
}

#[test]
fn what_counts_as_the_same() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let said = lines("built in    12.0 ms\ncolliding   607 of 1,000\ntime        mean 1.32 µs, max 20.1 µs");
    assert!(matches(&lines("built in    9.1 ms\ncolliding   607 of 1,000\ntime  mean 3 µs, max 4,000 µs"), &said));
    assert!(matches(&lines("built in    9.1 ms\n…"), &said) && matches(&lines("…"), &[]));
    assert!(!matches(&lines("built in    9.1 ms\ncolliding   606 of 1,000\n…"), &said));
    assert!(!matches(&lines("built in    9.1 ms"), &said));
    assert_eq!(words("nearhit check a.obj --b-translate \"2 0 0\" --allow 'x*:y'")[4..], ["2 0 0", "--allow", "x*:y"]);
}
