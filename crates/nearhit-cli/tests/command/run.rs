//! `nearhit run` answers by its contract: fields, nulls, lines, the same for every volume and
//! number of threads.

use crate::support::{Folder, HITS, keys, nearhit, run, run_json, stderr, stdout, volumes};
use serde_json::{Value, json};

const FIELDS: [&str; 18] = [
    "case",
    "query",
    "volume",
    "poses",
    "colliding",
    "contacts",
    "sum_distance",
    "mean_us",
    "p50_us",
    "p99_us",
    "max_us",
    "build_ms",
    "bytes",
    "n_v",
    "n_p",
    "n_u",
    "within",
    "undecided",
];

const LINE_FIELDS: [&str; 9] =
    ["pose", "collides", "contacts", "within", "lower", "upper", "level", "probability", "us"];

fn lines(folder: &Folder, name: &str) -> Vec<Value> {
    folder.read(name).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn the_line_has_the_fields_of_the_contract() {
    let folder = Folder::with_case();
    folder.write("case.json", r#"{"name": "two cubes", "note": "pass"}"#);
    let output = run(&folder, &["--query", "collide", "--json"]);
    assert_eq!(keys(&stdout(&output)), FIELDS);
    let line = run_json(&folder, &["--query", "collide"]);
    assert_eq!(line["case"], "two cubes");
    assert_eq!(line["query"], "collide");
    assert_eq!(line["volume"], "auto");
    assert_eq!(line["poses"], HITS.len());
    assert_eq!(line["colliding"], HITS.iter().filter(|hit| **hit).count());
    assert_eq!([&line["contacts"], &line["sum_distance"], &line["within"]], [&Value::Null; 3]);
    let number = |name: &str| line[name].as_f64().expect("a number");
    assert!(number("p50_us") <= number("p99_us") && number("p99_us") <= number("max_us"));
    assert!(number("mean_us") > 0.0 && number("mean_us") <= number("max_us"));
    assert!(["build_ms", "bytes", "n_v", "n_p"].iter().all(|name| number(name) > 0.0));
    assert!(number("n_u") >= 0.0, "the default engine may have none");
}

#[test]
fn without_a_description_the_folder_gives_the_name() {
    let folder = Folder::with_case();
    let name = folder.path().file_name().and_then(|name| name.to_str()).expect("a name");
    assert_eq!(run_json(&folder, &["--query", "collide"])["case"], name);
}

#[test]
fn a_pose_has_its_line() {
    let folder = Folder::with_case();
    let file = folder.file("out.jsonl");
    let to_file = ["--per-pose", file.to_str().expect("a plain name")];
    run_json(&folder, &[&["--query", "collide"], &to_file[..]].concat());
    let text = folder.read("out.jsonl");
    assert!(text.ends_with('\n'));
    for (pose, (line, hit)) in text.lines().zip(HITS).enumerate() {
        assert_eq!(keys(line), LINE_FIELDS);
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        assert!(line["us"].as_f64().expect("a time") > 0.0);
        line["us"] = json!(0);
        let expected = json!({"pose": pose, "collides": hit, "contacts": null, "within": null, "lower": null,
            "upper": null, "level": null, "probability": null, "us": 0});
        assert_eq!(line, expected);
    }
    let total = run_json(&folder, &[&["--query", "contacts"], &to_file[..]].concat());
    let lines = lines(&folder, "out.jsonl");
    let contacts: Vec<u64> = lines.iter().map(|line| line["contacts"].as_u64().expect("a count")).collect();
    assert_eq!(total["contacts"], contacts.iter().sum::<u64>());
    assert_eq!(contacts.iter().map(|count| *count > 0).collect::<Vec<_>>(), HITS);
    assert!(lines.iter().zip(HITS).all(|(line, hit)| line["collides"] == hit));
}

#[test]
fn every_volume_and_agenda_answers_the_same() {
    let folder = Folder::with_case();
    let expected = run_json(&folder, &["--query", "contacts"]);
    for volume in std::iter::once("auto").chain(volumes()) {
        for agenda in ["depth", "best", "breadth"] {
            for query in ["collide", "contacts"] {
                let line = run_json(&folder, &["--query", query, "--volume", volume, "--agenda", agenda]);
                assert_eq!(line["volume"], volume);
                assert_eq!(line["colliding"], expected["colliding"], "{volume} {agenda}");
                let contacts = if query == "contacts" { &expected["contacts"] } else { &Value::Null };
                assert_eq!(&line["contacts"], contacts, "{volume} {agenda}");
            }
        }
    }
}

#[test]
fn the_number_of_threads_changes_times_only() {
    let folder = Folder::with_case();
    let answers = |threads: &str| {
        let file = folder.file("out.jsonl");
        let options = ["--query", "contacts", "--threads", threads, "--per-pose", file.to_str().expect("a plain name")];
        let mut total = run_json(&folder, &options);
        for time in ["mean_us", "p50_us", "p99_us", "max_us", "build_ms"] {
            total[time] = Value::Null;
        }
        let cut = |line: &str| line.split(",\"us\":").next().map(str::to_owned);
        (total, folder.read("out.jsonl").lines().map(cut).collect::<Vec<_>>())
    };
    let one = answers("1");
    for threads in ["2", "3", "8", "50"] {
        assert_eq!(answers(threads), one, "{threads} threads");
    }
}

#[test]
fn a_budget_leaves_what_is_not_known_open() {
    let folder = Folder::with_case();
    let file = folder.file("out.jsonl");
    let to_file = ["--per-pose", file.to_str().expect("a plain name")];
    for limit in [["--work", "1"], ["--budget-us", "0"]] {
        for query in ["collide", "contacts"] {
            let total = run_json(&folder, &[&["--query", query, "--volume", "obb"], &limit[..], &to_file].concat());
            assert_eq!(total["contacts"], Value::Null);
            let lines = lines(&folder, "out.jsonl");
            let of_hits: Vec<&Value> = lines.iter().zip(HITS).filter(|(_, hit)| *hit).map(|(line, _)| line).collect();
            assert!(of_hits.iter().all(|line| line["collides"].is_null() && line["contacts"].is_null()), "{query}");
            // The volumes of the root are always compared: what is far away is certainly free.
            assert_eq!(lines[5]["collides"], false);
        }
    }
    let enough = run_json(&folder, &["--query", "contacts", "--work", "1000000"]);
    let unlimited = run_json(&folder, &["--query", "contacts", "--budget-us", "1e9"]);
    assert_eq!(enough["contacts"], unlimited["contacts"]);
    let some = run_json(&folder, &["--query", "collide", "--work", "12"]);
    assert_eq!(some["n_v"], run_json(&folder, &["--query", "collide", "--work", "12"])["n_v"], "work is repeatable");
    let table = stdout(&run(&folder, &["--query", "collide", "--volume", "obb", "--work", "1"]));
    assert!(table.contains("undecided   5 of 8 (the budget ran out)"), "{table}");
}

#[test]
fn people_get_a_table() {
    let folder = Folder::with_case();
    let output = run(&folder, &["--query", "contacts", "--repeat", "1"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).is_empty());
    let text = stdout(&output);
    assert!(!text.contains('\x1b'), "no colours in a pipe");
    for part in
        ["a 12, b 12", "volume      auto", "contacts, 8 poses", "colliding   5 of 8", "triangle pairs", "N_v", "p99"]
    {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
}

#[test]
fn help_teaches_by_example() {
    const COMMANDS: [&str; 7] = ["check", "distance", "within", "info", "run", "demo", "completions"];
    let of_command = COMMANDS.map(|name| vec![name, "--help"]);
    for arguments in of_command.into_iter().chain([vec!["--help"]]) {
        let output = nearhit(&arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).matches("nearhit ").count() > 2, "{}", stdout(&output));
        assert!(stdout(&output).contains("Examples:"));
    }
    assert!(stdout(&nearhit(&["--version"])).starts_with("nearhit 0."));
    assert!(COMMANDS.iter().all(|name| stdout(&nearhit(&["--help"])).contains(&format!("\n  {name} "))));
}

/// Short and long help of every command, wrapped at 100 columns.
#[test]
fn help_is_wrapped() {
    let overview = stdout(&nearhit(&["--help"]));
    let commands = overview.split("Commands:\n").nth(1).and_then(|rest| rest.split("Options:").next()).expect("a list");
    let names: Vec<&str> = commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
        .collect();
    assert!(names.len() > 10 && names.contains(&"clash"), "{names:?}");
    let all = names.iter().flat_map(|name| [vec![*name, "--help"], vec![*name, "-h"]]);
    for arguments in all.chain([vec!["--help"], vec!["-h"]]) {
        let text = stdout(&nearhit(&arguments));
        let wide = text.lines().find(|line| line.chars().count() > 100);
        assert_eq!(wide, None, "{arguments:?}");
    }
}

#[test]
fn average_case_answers_have_probabilities() {
    let folder = Folder::with_case();
    let file = folder.file("lines.jsonl");
    let file = file.to_str().expect("a path");
    for volume in ["auto", "aabb", "kdop18", "sphere"] {
        let line = run_json(&folder, &["--query", "adb", "--volume", volume, "--per-pose", file]);
        assert_eq!((&line["query"], &line["undecided"]), (&json!("adb"), &json!(0)));
        for (pose, line) in lines(&folder, "lines.jsonl").iter().enumerate() {
            let probability = line["probability"].as_f64().expect("a number");
            assert!((0.0..=1.0).contains(&probability), "{line}");
            assert_eq!(line["collides"], HITS[pose], "{line}");
            if pose == 5 {
                assert_eq!((&line["collides"], probability), (&json!(false), 0.0), "far away is certain");
            }
        }
    }
    // Whoever says that nothing ever touches is not told that it does where that is unlikely.
    for rule in ["crossings", "anywhere"] {
        for rate in ["0", "0.5", "1"] {
            run_json(&folder, &["--query", "adb", "--rule", rule, "--base-rate", rate, "--per-pose", file]);
            for line in lines(&folder, "lines.jsonl") {
                let share = line["probability"].as_f64().expect("a number");
                let is_likely = match line["collides"].as_bool() {
                    Some(true) => share >= 0.5,
                    Some(false) => share <= 0.5,
                    None => true,
                };
                assert!(is_likely, "{rule} {rate}: {line}");
            }
        }
    }
    let paper = run_json(&folder, &["--query", "adb", "--rule", "anywhere"]);
    assert_eq!((&paper["undecided"], &paper["n_p"]), (&json!(0), &json!(0)), "the paper's search looks at no triangle");
    let hurried =
        run_json(&folder, &["--query", "adb", "--work", "1", "--k-min", "1", "--p-min", "0.5", "--per-pose", file]);
    let undecided = hurried["undecided"].as_u64().expect("a count");
    assert!(
        (5..=6).contains(&undecided),
        "all that are not settled by the first test: those that touch, and at most one that is close"
    );
    let interrupted = lines(&folder, "lines.jsonl");
    assert!(interrupted.iter().filter(|line| line["collides"].is_null()).all(|line| line["probability"].is_number()));
}
