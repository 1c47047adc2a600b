//! `nearhit check`, `distance` and `within` on two files: sentences, JSON, exit codes.

use crate::support::{Folder, keys, nearhit_in, says, tells, volumes};
use serde_json::{Value, json};

/// b beside a, with a gap of 0.25 along x.
const APART: [&str; 4] = ["a.obj", "b.obj", "--b-translate", "2.25 0.5 0.5"];
/// b through the corner of a.
const THROUGH: [&str; 4] = ["a.obj", "b.obj", "--b-translate", "1.5,1.5,1.5"];

fn with<'s>(command: &[&'s str], bodies: &[&'s str], options: &[&'s str]) -> Vec<&'s str> {
    [command, bodies, options].concat()
}

#[test]
fn check_answers_in_sentences() {
    let folder = Folder::with_case();
    assert_eq!(says(&folder, &with(&["check"], &APART, &[]), 0), "a.obj and b.obj do not touch.\n");
    let text = says(&folder, &with(&["check"], &THROUGH, &[]), 1);
    let mut lines = text.lines();
    let verdict = lines.next().expect("a verdict");
    assert!(verdict.starts_with("a.obj and b.obj touch: ") && verdict.ends_with(" triangle pairs."), "{text}");
    let first = lines.next().expect("the first");
    assert!(first.starts_with("The first: triangle 2 of a.obj and triangle "), "{text}");
    assert!(first.contains(" of b.obj share the "), "{text}");
    let same = says(&folder, &["check", "a.obj", "a.obj", "--b-translate", "3 0 0"], 0);
    assert_eq!(same, "a.obj (a) and a.obj (b) do not touch.\n");
}

#[test]
fn check_lists_contacts_when_asked_to() {
    let folder = Folder::with_case();
    let line = tells(&folder, &with(&["check"], &THROUGH, &["--contacts"]), 1);
    let pairs = line["pairs"].as_array().expect("a list");
    assert_eq!(line["contacts"], pairs.len());
    assert_eq!(line["first"], pairs[0]);
    let inside = |point: &Value| (0..3).all(|axis| (0.5..=1.0).contains(&point[axis].as_f64().expect("a number")));
    for pair in pairs {
        let points = pair["points"].as_array().expect("points");
        assert!(!points.is_empty() && points.iter().all(inside), "{pair}");
    }
    let text = says(&folder, &with(&["check"], &THROUGH, &["--contacts"]), 1);
    assert_eq!(text.lines().count(), 2 + pairs.len());
    assert!(text.contains("\nTriangles of a.obj and of b.obj, and what they share:\n  2 and "), "{text}");
    let short = tells(&folder, &with(&["check"], &THROUGH, &[]), 1);
    assert_eq!((&short["pairs"], &short["contacts"]), (&Value::Null, &line["contacts"]));
}

#[test]
fn points_are_in_the_world() {
    let folder = Folder::with_case();
    let moved = ["a.obj", "b.obj", "--a-translate", "10 20 30", "--a-euler", "0 0 90", "--b-translate", "12.25 20 30"];
    let line = tells(&folder, &with(&["distance"], &moved, &[]), 0);
    assert_eq!(line["upper"], 0.25);
    assert_eq!([&line["points"][0][0], &line["points"][1][0]], [11.0, 11.25]);
    let line = tells(&folder, &with(&["within", "0.25"], &moved, &[]), 1);
    assert_eq!([&line["points"][0][0], &line["points"][1][0]], [11.0, 11.25]);
    let touching = ["a.obj", "b.obj", "--a-translate", "10 20 30", "--b-translate", "12 20 30"];
    let line = tells(&folder, &with(&["check"], &touching, &["--contacts"]), 1);
    let pairs = line["pairs"].as_array().expect("a list");
    assert!(pairs.iter().flat_map(|pair| pair["points"].as_array()).flatten().all(|point| point[0] == 11.0), "{line}");
}

#[test]
fn distance_answers_in_sentences() {
    let folder = Folder::with_case();
    let text = says(&folder, &with(&["distance"], &APART, &[]), 0);
    assert!(text.starts_with("a.obj and b.obj are 0.25 apart,\nbetween triangle "), "{text}");
    assert!(text.contains(" of a.obj at (1, ") && text.contains(" of b.obj at (1.25, "), "{text}");
    let text = says(&folder, &with(&["distance"], &THROUGH, &[]), 0);
    assert!(text.starts_with("a.obj and b.obj touch.\nFor example, triangle "), "{text}");
    let text = says(&folder, &with(&["distance"], &APART, &["--rel-error", "9"]), 0);
    assert!(text.contains(" are between ") && text.contains("(as exact as asked for)"), "{text}");
}

#[test]
fn within_answers_in_sentences() {
    let folder = Folder::with_case();
    let text = says(&folder, &with(&["within", "0.5"], &APART, &[]), 1);
    assert!(text.starts_with("a.obj and b.obj are at most 0.5 apart:\n0.25 between triangle "), "{text}");
    let text = says(&folder, &with(&["within", "0.125"], &APART, &["--volume", "obb"]), 0);
    assert!(text.starts_with("a.obj and b.obj are more than 0.125 apart (at least 0.2"), "{text}");
    assert!(says(&folder, &with(&["within", "0.25"], &APART, &[]), 1).contains("at most 0.25"));
    assert!(says(&folder, &with(&["within", "0"], &THROUGH, &[]), 1).contains("\n0 between triangle"));
}

#[test]
fn machines_get_stable_fields() {
    let folder = Folder::with_case();
    let all: [(&[&str], &[&str]); 3] = [
        (
            &["check"],
            &[
                "a",
                "b",
                "volume",
                "collides",
                "complete",
                "contacts",
                "contacts_at_least",
                "first",
                "pairs",
                "n_v",
                "n_p",
                "n_u",
            ],
        ),
        (
            &["distance"],
            &["a", "b", "volume", "collides", "lower", "upper", "complete", "triangles", "points", "n_v", "n_p", "n_u"],
        ),
        (
            &["within", "0.125"],
            &[
                "a",
                "b",
                "volume",
                "limit",
                "within",
                "complete",
                "lower",
                "upper",
                "triangles",
                "points",
                "n_v",
                "n_p",
                "n_u",
            ],
        ),
    ];
    for (command, fields) in all {
        let text = says(&folder, &with(command, &APART, &["--json"]), 0);
        assert_eq!(keys(&text), fields);
        let line: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!([&line["a"], &line["b"], &line["volume"]], ["a.obj", "b.obj", "auto"]);
    }
    let line = tells(&folder, &with(&["check"], &APART, &["--contacts"]), 0);
    assert_eq!((&line["collides"], &line["contacts"]), (&json!(false), &json!(0)));
    assert_eq!((&line["first"], &line["pairs"]), (&Value::Null, &json!([])));
    let line = tells(&folder, &with(&["distance"], &APART, &[]), 0);
    assert_eq!((&line["lower"], &line["upper"], &line["complete"]), (&json!(0.25), &json!(0.25), &json!(true)));
    let line = tells(&folder, &with(&["within", "0.125"], &APART, &[]), 0);
    assert_eq!((&line["within"], &line["triangles"], &line["points"]), (&json!(false), &Value::Null, &Value::Null));
}

#[test]
fn every_volume_answers_the_same() {
    let folder = Folder::with_case();
    for volume in volumes() {
        let line = tells(&folder, &with(&["check"], &THROUGH, &["--contacts", "--volume", volume]), 1);
        assert_eq!(line["pairs"], tells(&folder, &with(&["check"], &THROUGH, &["--contacts"]), 1)["pairs"], "{volume}");
        assert_eq!(line["volume"], volume);
        assert_eq!(tells(&folder, &with(&["distance"], &APART, &["--volume", volume]), 0)["upper"], 0.25, "{volume}");
    }
}

#[test]
fn a_budget_that_runs_out_is_told_by_exit_code_3() {
    let folder = Folder::with_case();
    for limit in [["--work", "1"], ["--budget-us", "0"]] {
        let text = says(&folder, &with(&["check"], &THROUGH, &limit), 3);
        let sentences: Vec<&str> = text.lines().collect();
        assert_eq!(sentences[0], "It is not known whether a.obj and b.obj touch: the budget ran out.");
        assert!(sentences[1].starts_with("They are at most "), "{text}");
        assert!(
            sentences[2].starts_with("Moving b.obj by ")
                && sentences[2].ends_with(" certainly separates the surfaces."),
            "{text}"
        );
        let line = tells(&folder, &with(&["check"], &THROUGH, &limit), 3);
        assert_eq!((&line["collides"], &line["contacts"]), (&Value::Null, &Value::Null));
        let text = says(&folder, &with(&["distance"], &APART, &limit), 3);
        assert!(text.contains(" are between ") && text.contains("(the budget ran out)"), "{text}");
        let line = tells(&folder, &with(&["distance"], &APART, &limit), 3);
        assert_eq!(line["complete"], false);
        let text = says(&folder, &with(&["within", "0.25"], &APART, &limit), 3);
        assert!(text.starts_with("It is not known whether a.obj and b.obj are at most 0.25 apart"), "{text}");
        assert_eq!(tells(&folder, &with(&["within", "0.25"], &APART, &limit), 3)["within"], Value::Null);
    }
    let some = ["--volume", "obb", "--work", "60"];
    let text = says(&folder, &with(&["check"], &THROUGH, &some), 1);
    assert!(
        text.contains(" touch: at least ") && text.contains("(the budget ran out)"),
        "one contact is an answer: {text}"
    );
    assert!(text.contains("certainly separates the surfaces"), "{text}");
    says(&folder, &with(&["check", "--contacts"], &THROUGH, &some), 3);
    says(&folder, &with(&["check"], &THROUGH, &["--work", "100000", "--contacts"]), 1);
}

/// What is certain when the budget ends: it never grows, and moving b by the translation does take
/// the surfaces apart.
#[test]
fn bounds_never_grow_with_the_budget_and_are_true() {
    let folder = Folder::with_case();
    let mut seen: Vec<[f64; 2]> = Vec::new();
    for work in ["0", "2", "8", "30", "60", "100"] {
        let options = ["--volume", "kdop26", "--work", work, "--json"];
        let output = nearhit_in(&folder, &with(&["check"], &THROUGH, &options));
        let line: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let known = &line["known"];
        assert_eq!([&known["separation"]["lower"], &known["penetration"]["lower"]], [0.0, 0.0]);
        seen.push(["separation", "penetration"].map(|of| known[of]["upper"].as_f64().expect("k-DOPs know")));
        let moved = [0, 1, 2].map(|axis| 1.5 + known["translation"][axis].as_f64().expect("a number"));
        let moved = moved.map(|number| number.to_string()).join(" ");
        says(&folder, &["check", "a.obj", "b.obj", "--b-translate", &moved], 0);
    }
    assert!(seen.windows(2).all(|two| two[1][0] <= two[0][0] && two[1][1] <= two[0][1]), "{seen:?}");
    assert!(seen[seen.len() - 1][0] < seen[0][0], "{seen:?}");
}
