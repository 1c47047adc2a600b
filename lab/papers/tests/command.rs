//! `nearhit-papers` refuses before it works.

use std::process::Command;

/// The error, given that nothing was printed.
#[track_caller]
fn complains(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_nearhit-papers")).args(arguments).output().expect("the binary runs");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_the_work() {
    let file = std::env::temp_dir().join(format!("nearhit-papers-test-{}", std::process::id()));
    std::fs::write(&file, "a file").expect("a writable folder");
    let folder = file.to_str().expect("a plain name");
    let text = complains(&["kdop", "--out", folder]);
    assert_eq!(text.lines().count(), 1, "no work was begun: {text}");
    assert!(text.starts_with(&format!("nearhit-papers: cannot make {folder}: ")), "{text}");
    std::fs::remove_file(&file).expect("was written");
}

#[test]
fn unknown_experiments_are_refused() {
    let text = complains(&["kdop", "adp"]);
    assert!(text.starts_with("nearhit-papers: there are no experiments \"adp\"; known: "), "{text}");
    let text = complains(&["swept", "kdop/rule"]);
    assert!(text.starts_with("nearhit-papers: kdop has no part \"rule\"; known: flights, "), "{text}");
}
