//! `--solid` on `check`, `distance` and `within`.

use crate::support::{Folder, says, tells};
use serde_json::{Value, json};

fn scaled(text: &str, factor: f64) -> String {
    let line = |line: &str| match line.strip_prefix("v ") {
        Some(numbers) => {
            let times = |word: &str| (word.parse::<f64>().expect("a number") * factor).to_string();
            format!("v {}\n", numbers.split(' ').map(times).collect::<Vec<_>>().join(" "))
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// A cube of side 2, a cube of side 0.5, the same with a triangle missing, a tiny one, and one with
/// a cavity.
fn folder() -> Folder {
    let folder = Folder::with_case();
    let text = folder.read("a.obj");
    let small = scaled(&text, 0.25);
    folder.write("small.obj", &small);
    folder.write("tiny.obj", &scaled(&text, 0.05));
    // A cube of side 2 with a cavity of side 1: its shell faces inwards.
    let inner = scaled(&text, 0.5);
    let cavity: String = inner
        .lines()
        .map(|line| match line.strip_prefix("f ") {
            Some(numbers) => {
                let corners: Vec<u32> = numbers.split(' ').map(|word| word.parse().expect("a number")).collect();
                format!("f {} {} {}\n", corners[1] + 8, corners[0] + 8, corners[2] + 8)
            }
            None => format!("{line}\n"),
        })
        .collect();
    folder.write("hollow.obj", &(text + &cavity));
    folder.write("open.obj", small.trim_end().rsplit_once('\n').expect("lines").0);
    folder
}

#[test]
fn a_part_inside_another_is_contact() {
    let folder = folder();
    let inside = ["a.obj", "small.obj", "--b-translate", "0.25 0 0"];
    let hint = "small.obj, or a piece of it, is inside a.obj: use --solid to count that as contact.\n";
    let surfaces = says(&folder, &[&["check"], &inside[..]].concat(), 0);
    assert_eq!(surfaces, format!("a.obj and small.obj do not touch.\n{hint}"));
    let text = says(&folder, &[&["check", "--solid"], &inside[..]].concat(), 1);
    assert!(text.starts_with("small.obj, or a piece of it, is inside a.obj. Their surfaces do not touch.\n"), "{text}");
    // What is said has all digits: it does separate them.
    let by = text.split_once("Moving small.obj by (").and_then(|(_, rest)| rest.split_once(')')).expect("a way out").0;
    let numbers: Vec<f64> = by.split(", ").map(|word| word.parse().expect("a number")).collect();
    assert!((1.0..1.000_001).contains(&numbers[0]) && numbers[1] == 0.0 && numbers[2] == 0.0, "{text}");
    let out = format!("{} 0 0", 0.25 + numbers[0]);
    assert_eq!(
        tells(&folder, &["check", "--solid", "a.obj", "small.obj", "--b-translate", &out], 0)["collides"],
        false
    );
    let line = tells(&folder, &[&["check", "--solid"], &inside[..]].concat(), 1);
    assert_eq!(
        (&line["collides"], &line["contacts"], &line["solid"]["contained"]),
        (&json!(true), &json!(0), &json!("b"))
    );
    assert_eq!(line["solid"]["methods"], json!(["exact", "exact"]));
    let swapped = ["check", "--solid", "small.obj", "a.obj"];
    assert_eq!(tells(&folder, &swapped, 1)["solid"]["contained"], "a");
    let open = ["check", "--solid", "a.obj", "open.obj"];
    assert_eq!(tells(&folder, &open, 1)["solid"]["methods"], json!(["exact", "generalised"]));
    assert!(says(&folder, &open, 1).contains("open.obj has holes"));
}

/// Whoever asks about surfaces is told when one part is inside the other, and how to ask; nothing
/// else of the answer changes.
#[test]
fn a_part_inside_another_is_hinted_at() {
    let folder = folder();
    let hint = |inner: &str, outer: &str| {
        format!("{inner}, or a piece of it, is inside {outer}: use --solid to count that as contact.\n")
    };
    let questions: [&[&str]; 3] = [&["check"], &["within", "0.25"], &["distance"]];
    for question in questions {
        for (files, told, inner, outer) in [
            (["a.obj", "small.obj"], "b_in_a", "small.obj", "a.obj"),
            (["small.obj", "a.obj"], "a_in_b", "small.obj", "a.obj"),
            (["a.obj", "open.obj"], "b_in_a", "open.obj", "a.obj"),
            // Of a solid in an open shell, the winding number tells.
            (["tiny.obj", "open.obj"], "a_in_b", "tiny.obj", "open.obj"),
        ] {
            let within = if files[0] == "tiny.obj" { "0.125" } else { "0.25" };
            let question: Vec<&str> = question.iter().map(|&word| if word == "0.25" { within } else { word }).collect();
            let line = tells(&folder, &[&question[..], &files].concat(), 0);
            assert_eq!(line["inside"], told, "{question:?} {files:?}: {line}");
            let text = says(&folder, &[&question[..], &files].concat(), 0);
            assert!(text.ends_with(&hint(inner, outer)), "{question:?} {files:?}: {text}");
        }
        // Turned: the boxes in a's frame still nest.
        let turned = [
            question,
            &["small.obj", "a.obj", "--a-euler", "30 20 10", "--a-translate", "9 9 9"],
            &["--b-euler", "50 0 10", "--b-translate", "9.1 9 9"],
        ]
        .concat();
        assert_eq!(tells(&folder, &turned, 0)["inside"], "a_in_b", "{question:?}");
        // Beside it, or asked about as solids, there is nothing to hint at.
        let beside = [question, &["a.obj", "small.obj", "--b-translate", "5 0 0"]].concat();
        assert!(tells(&folder, &beside, 0).get("inside").is_none() && !says(&folder, &beside, 0).contains("--solid"));
    }
    assert!(tells(&folder, &["check", "a.obj", "small.obj", "--solid"], 1).get("inside").is_none());
    // In the hollow of a hollow part: the boxes nest, and nothing is inside.
    assert!(tells(&folder, &["check", "hollow.obj", "tiny.obj"], 0).get("inside").is_none());
}

#[test]
fn depth_and_regions_of_crossing_solids() {
    let folder = folder();
    let line = tells(&folder, &["check", "--solid", "a.obj", "small.obj", "--b-translate", "1.125 0.1 0.05"], 1);
    let solid = &line["solid"];
    assert_eq!((&solid["contained"], solid["regions"].as_array().map(Vec::len)), (&Value::Null, Some(1)));
    assert_eq!(solid["regions"][0]["depth"], 0.125);
    let normal = |axis: usize| solid["regions"][0]["normal"][axis].as_f64().expect("a number");
    assert!((normal(0) - 1.0).abs() + normal(1).abs() + normal(2).abs() < 1e-12, "{solid}");
    let upper = solid["separation"]["upper"].as_f64().expect("a length");
    assert!((0.125..0.12501).contains(&upper), "{solid}");
    let apart = tells(&folder, &["check", "--solid", "a.obj", "small.obj", "--b-translate", "3 0 0"], 0);
    assert_eq!((&apart["collides"], &apart["solid"]["separation"]), (&json!(false), &Value::Null));
}

#[test]
fn distance_is_signed_and_within_counts_containment() {
    let folder = folder();
    let inside = ["a.obj", "small.obj", "--solid"];
    let line = tells(&folder, &[&["distance"], &inside[..]].concat(), 0);
    let number = |field: &str| line[field].as_f64().expect("a number");
    assert_eq!((&line["collides"], &line["complete"]), (&json!(true), &json!(true)));
    assert!(number("upper") <= -0.75 && -0.78 <= number("lower"), "{line}");
    assert!(
        says(&folder, &[&["distance"], &inside[..]].concat(), 0)
            .starts_with("a.obj and small.obj are in contact, penetration depth 0.75")
    );
    let apart = ["distance", "a.obj", "small.obj", "--solid", "--b-translate", "3 0 0"];
    assert_eq!(tells(&folder, &apart, 0)["upper"], 1.75);
    assert_eq!(tells(&folder, &["within", "0.25", "a.obj", "small.obj"], 0)["within"], false);
    let line = tells(&folder, &[&["within", "0.25"], &inside[..]].concat(), 1);
    assert_eq!((&line["within"], &line["contained"]), (&json!(true), &json!("b")));
    says(&folder, &["within", "1", "a.obj", "small.obj", "--solid", "--b-translate", "3 0 0"], 0);
    // Both name the method.
    for query in [&["distance"][..], &["within", "0.25"]] {
        let methods = |file: &str| {
            tells(&folder, &[query, &["a.obj", file, "--solid"]].concat(), i32::from(query.len() > 1))["methods"]
                .clone()
        };
        assert_eq!(
            (methods("small.obj"), methods("open.obj")),
            (json!(["exact", "exact"]), json!(["exact", "generalised"]))
        );
        let text = says(&folder, &[query, &["a.obj", "open.obj", "--solid"]].concat(), i32::from(query.len() > 1));
        assert!(text.contains("open.obj has holes"), "{text}");
    }
    says(&folder, &[&["check", "--work", "1"], &inside[..]].concat(), 3);
    // What is partial is said, and why.
    folder.write("flat.obj", "v -2 -2 0\nv 2 -2 0\nv 0 2 0\nf 1 2 3\n");
    let text = says(&folder, &["distance", "--solid", "flat.obj", "a.obj"], 3);
    assert!(text.contains("is partial: flat.obj is no closed mesh"), "{text}");
    let text = says(&folder, &["distance", "--solid", "--work", "300", "a.obj", "a.obj", "--b-euler", "30 40 50"], 3);
    assert!(text.contains("is partial: the budget ran out"), "{text}");
}

/// Cubes that share a face: the interval is closed.
#[test]
fn touching_is_zero_deep() {
    let folder = folder();
    let line = tells(&folder, &["distance", "a.obj", "a.obj", "--solid", "--b-translate", "2 0.5 0"], 0);
    assert_eq!((&line["lower"], &line["upper"], &line["complete"]), (&json!(0.0), &json!(0.0), &json!(true)));
}

/// Squares of these lengths are no doubles: the answer comes all the same.
#[test]
fn huge_solids_have_a_depth() {
    let folder = folder();
    let huge: String = folder
        .read("a.obj")
        .lines()
        .map(|line| match line.strip_prefix("v ") {
            Some(numbers) => format!("v {}\n", numbers.replace('1', "1e300")),
            None => format!("{line}\n"),
        })
        .collect();
    folder.write("huge.obj", &huge);
    let line = tells(&folder, &["check", "--solid", "huge.obj", "huge.obj"], 1);
    assert_eq!((&line["collides"], &line["solid"]["collides"]), (&json!(true), &json!(true)));
    let line = tells(&folder, &["distance", "--solid", "huge.obj", "small.obj"], 0);
    assert!(line["upper"].as_f64().is_some_and(|upper| upper < -9e299), "{line}");
}
