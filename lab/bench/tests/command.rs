//! `nearhit-bench` complains before it works.

use std::process::Command;

/// What it complains about: without having printed anything.
#[track_caller]
fn complains(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_nearhit-bench")).args(arguments).output().expect("the binary runs");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_the_work() {
    let file = std::env::temp_dir().join(format!("nearhit-bench-test-{}", std::process::id()));
    std::fs::write(&file, "a file").expect("a writable folder");
    let folder = file.to_str().expect("a plain name");
    for what in [["solids", "speed"], ["scenes", "runs"]] {
        let text = complains(&[&what[..], &["--out", folder]].concat());
        assert_eq!(text.lines().count(), 1, "no work was begun: {text}");
        assert!(text.starts_with(&format!("nearhit-bench: cannot make {folder}: ")), "{text}");
    }
    std::fs::remove_file(&file).expect("was written");
}

#[test]
fn unknown_parts_are_refused() {
    assert!(complains(&["solids", "depth"]).contains("invalid value 'depth'"));
}
