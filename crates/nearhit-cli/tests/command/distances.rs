//! `nearhit run --query distance` and `within=T`: intervals, seeds, witnesses.

use crate::support::{Folder, HITS, run, run_json, stdout, volumes};
use serde_json::{Value, json};

/// What the cubes of the case are apart; where they are turned, they touch.
const DISTANCES: [f64; 8] = [0.5, 0.0, 0.0, 0.0, 0.0, 999_998.0, 0.0, 1e-6];

fn poses(folder: &Folder, options: &[&str]) -> (Value, Vec<Value>) {
    let file = folder.file("out.jsonl");
    let to_file = ["--per-pose", file.to_str().expect("a plain name")];
    let total = run_json(folder, &[options, &to_file].concat());
    let text = folder.read("out.jsonl");
    (total, text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

fn number(line: &Value, field: &str) -> f64 {
    line[field].as_f64().expect("a number")
}

/// Lines without what may differ from run to run.
fn without(lines: &[Value], fields: &[&str]) -> Vec<Value> {
    let mut lines = lines.to_vec();
    for line in &mut lines {
        for field in fields {
            line[*field] = Value::Null;
        }
    }
    lines
}

#[test]
fn a_distance_is_an_interval_that_has_closed() {
    let folder = Folder::with_case();
    let (total, lines) = poses(&folder, &["--query", "distance"]);
    for (line, expected) in lines.iter().zip(DISTANCES) {
        assert!((number(line, "upper") - expected).abs() <= 1e-9, "{line}");
        assert_eq!(line["lower"], line["upper"]);
        assert_eq!(line["collides"], expected == 0.0);
        assert_eq!([&line["contacts"], &line["within"]], [&Value::Null; 2]);
    }
    let sum: f64 = lines.iter().map(|line| number(line, "upper")).sum();
    assert_eq!(number(&total, "sum_distance"), sum);
    assert_eq!(total["colliding"], HITS.iter().filter(|hit| **hit).count());
    assert_eq!([&total["contacts"], &total["within"]], [&Value::Null; 2]);
    let table = stdout(&run(&folder, &["--query", "distance"]));
    assert!(table.contains("distance    124999.8125") && !table.contains("at most"), "{table}");
}

#[test]
fn every_volume_agenda_and_start_gives_the_same_distances() {
    let folder = Folder::with_case();
    let expected = without(&poses(&folder, &["--query", "distance"]).1, &["us"]);
    for volume in volumes() {
        for agenda in ["depth", "best", "breadth"] {
            let options = ["--query", "distance", "--volume", volume, "--agenda", agenda];
            for more in [&[][..], &["--warm"], &["--warm", "--threads", "3"]] {
                let (_, lines) = poses(&folder, &[&options, more].concat());
                assert_eq!(without(&lines, &["us"]), expected, "{volume} {agenda} {more:?}");
            }
        }
    }
}

#[test]
fn warm_queries_answer_the_same_with_less_work() {
    let folder = Folder::with_case();
    for query in ["collide", "distance", "within=0.25", "refine"] {
        let (cold, cold_lines) = poses(&folder, &["--query", query]);
        let (warm, warm_lines) = poses(&folder, &["--query", query, "--warm"]);
        // What is known of a distance beside the verdict of within may depend on where the search
        // began.
        let ignored: &[&str] = match query {
            "within=0.25" => &["us", "lower", "upper"],
            "refine" => &["us", "lower", "upper", "level"],
            _ => &["us"],
        };
        assert_eq!(without(&warm_lines, ignored), without(&cold_lines, ignored), "{query}");
        assert!(number(&warm, "n_v") < number(&cold, "n_v"), "{query}");
        let again = run_json(&folder, &["--query", query, "--warm", "--repeat", "5"]);
        assert_eq!([&again["n_v"], &again["n_p"]], [&warm["n_v"], &warm["n_p"]], "every pass begins cold");
    }
}

#[test]
fn within_says_who_is_close() {
    let folder = Folder::with_case();
    for (limit, expected) in [("0", 5), ("0.000001", 5), ("0.00001", 6), ("0.5", 7), ("1e9", 8)] {
        let (total, lines) = poses(&folder, &["--query", &format!("within={limit}")]);
        assert_eq!(total["within"], expected, "{limit}");
        assert_eq!([&total["colliding"], &total["sum_distance"], &total["contacts"]], [&Value::Null; 3]);
        let limit: f64 = limit.parse().expect("a number");
        for (line, distance) in lines.iter().zip(DISTANCES) {
            let close = line["within"].as_bool().expect("known");
            assert_eq!([&line["collides"], &line["contacts"]], [&Value::Null; 2]);
            assert!(number(line, "lower") <= distance + 1e-9, "{line}");
            assert!(!close || number(line, "upper") <= limit, "{line}");
            assert!(close || line["upper"].is_null(), "{line}");
        }
    }
    let table = stdout(&run(&folder, &["--query", "within=0.5"]));
    assert!(table.contains("within      7 of 8") && !table.contains("colliding"), "{table}");
}

#[test]
fn an_allowed_error_is_kept() {
    let folder = Folder::with_case();
    for (option, allowed) in [(["--rel-error", "0.2"], [1.2, 0.0]), (["--abs-error", "0.1"], [1.0, 0.1])] {
        let (_, lines) = poses(&folder, &[&["--query", "distance"], &option[..]].concat());
        for (line, distance) in lines.iter().zip(DISTANCES) {
            let [factor, summand] = allowed;
            let slack = 1e-9 * distance + 1e-9;
            assert!(number(line, "lower") <= distance + slack && distance <= number(line, "upper") + slack, "{line}");
            assert!(number(line, "upper") <= factor * distance + summand + slack, "{line}");
        }
    }
    let table = stdout(&run(&folder, &["--query", "distance", "--rel-error", "0.2"]));
    assert!(table.contains("distance    at most ") && !table.contains("undecided"), "{table}");
}

#[test]
fn a_budget_widens_the_interval() {
    let folder = Folder::with_case();
    for limit in [["--work", "1"], ["--budget-us", "0"]] {
        let (total, lines) = poses(&folder, &[&["--query", "distance"], &limit[..]].concat());
        assert!(total["sum_distance"].is_f64());
        for (line, distance) in lines.iter().zip(DISTANCES) {
            let (lower, upper) = (number(line, "lower"), number(line, "upper"));
            assert!(lower <= distance + 1e-9 && distance <= upper + 1e-9, "{line}");
            let known = if upper == 0.0 { json!(true) } else { if lower > 0.0 { json!(false) } else { Value::Null } };
            assert_eq!(line["collides"], known);
        }
        assert!(lines.iter().any(|line| line["collides"].is_null()));
        let (_, lines) = poses(&folder, &[&["--query", "within=0.25", "--volume", "obb"], &limit[..]].concat());
        assert!(lines.iter().zip(HITS).all(|(line, hit)| !hit || line["within"].is_null()));
        assert_eq!(lines[5]["within"], false, "far away at the first look");
    }
    let table = stdout(&run(&folder, &["--query", "distance", "--work", "1"]));
    assert!(table.contains("(the budget ran out)") && table.contains("at most"), "{table}");
}

#[test]
fn witnesses_are_told_when_asked_for() {
    let folder = Folder::with_case();
    for query in ["collide", "contacts", "distance", "within=0.75"] {
        let (_, lines) = poses(&folder, &["--query", query]);
        assert!(lines.iter().all(|line| line.get("triangles").is_none() && line.get("points").is_none()));
        let (_, lines) = poses(&folder, &["--query", query, "--witness"]);
        for (line, distance) in lines.iter().zip(DISTANCES) {
            let found = match query {
                "distance" => true,
                "within=0.75" => distance <= 0.75,
                _ => distance == 0.0,
            };
            assert_eq!(line["triangles"].is_array(), found, "{query} {line}");
            assert_eq!(line["points"].is_array(), found, "{query} {line}");
            if found {
                let apart = apart(&line["points"]);
                let expected = if query == "within=0.75" { number(line, "upper") } else { distance };
                assert!((apart - expected).abs() <= 1e-9, "{query} {line}");
            }
        }
    }
}

fn apart(points: &Value) -> f64 {
    let coordinate = |side: usize, axis: usize| points[side][axis].as_f64().expect("a coordinate");
    (0..3).map(|axis| (coordinate(0, axis) - coordinate(1, axis)).powi(2)).sum::<f64>().sqrt()
}
