//! `nearhit cases`: what is made can be run.

use crate::support::{Folder, complains, says, tells};
use serde_json::json;

#[test]
fn what_there_is() {
    let text = says(&Folder::new(), &["cases"], 0);
    assert!(text.lines().count() == 21 && text.contains("\n  pipes         k-DOP paper: a pipe network"), "{text}");
}

#[test]
fn cases_are_made_and_run() {
    let folder = Folder::new();
    let text = says(&folder, &["cases", "engine", "rings", "--quick", "--out", "made"], 0);
    assert_eq!(text.lines().count(), 2, "{text}");
    let described: serde_json::Value = serde_json::from_str(&folder.read("made/engine/case.json")).expect("JSON");
    assert_eq!((&described["name"], &described["queries"]), (&json!("engine"), &json!(32)));
    let line = tells(&folder, &["run", "made/engine", "--query", "distance"], 0);
    assert_eq!(line["poses"], 32);
    says(&folder, &["cases", "engine", "--quick", "--out", "again"], 0);
    assert_eq!(folder.read("made/engine/b.obj"), folder.read("again/engine/b.obj"));
}

#[test]
fn an_assembly_comes_with_its_expected_clashes() {
    let folder = Folder::new();
    let text = says(&folder, &["cases", "assembly", "--parts", "45"], 0);
    assert!(text.contains("assembly.glb: 45 parts; expected.csv lists the"), "{text}");
    let expected = folder.read("cases/assembly/expected.csv").lines().count() - 1;
    let line = tells(&folder, &["clash", "cases/assembly/assembly.glb", "--clearance", "0.05"], 1);
    assert_eq!(line["findings"].as_array().map(Vec::len), Some(expected));
}

#[test]
fn refusals() {
    let folder = Folder::new();
    folder.write("file", "");
    let known = "unknown data set 'teapot'; known: pipes, torus, 747, swept, interior";
    assert!(complains(&folder, &["cases", "teapot"]).contains(known));
    assert!(complains(&folder, &["cases", "assembly", "--parts", "1"]).contains("--parts 1: must be from 2 to 100000"));
    for flag in [&["--parts", "3"][..], &["--unshared"]] {
        let message = complains(&folder, &[&["cases", "rings", "--quick"], flag].concat());
        assert!(message.contains("--parts, --every and --unshared have no effect without"), "{message}");
    }
    assert!(complains(&folder, &["cases", "rings", "--quick", "--out", "file"]).contains("cannot be written"));
}
