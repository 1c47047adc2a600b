//! `nearhit nc`.

use crate::support::{Folder, complains, says, tells};

const TOOLS: &str = r#"{"tools": [{"number": 1, "shape": "flat", "diameter": 10, "cutting_length": 20, "stick_out": 30,
    "holder": [{"diameter": 40, "length": 30}]}]}"#;
const SEVERAL: &str = r#"{"tools": [{"number": 1, "shape": "flat", "diameter": 10, "cutting_length": 20},
    {"number": 2, "shape": "ball", "diameter": 4, "cutting_length": 20}]}"#;
const PROGRAM: &str = "G21\nT1 M6\nG0 X-20 Y0 Z5\nG1 X20\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("tools.json", TOOLS);
    folder.write("op.nc", PROGRAM);
    folder
}

#[test]
fn clear_programs_end_with_0() {
    let folder = folder();
    let text = says(&folder, &["nc", "op.nc", "--tools", "tools.json", "--part", "box:10,10,10@0,0,-1"], 0);
    assert!(text.starts_with("1 of 2 moves clear at every instant, 1 only at its end.\nNothing found.\n"), "{text}");
    assert!(text.contains("Line 3 comes from a place that is not known"), "{text}");
}

/// Its height is never set: no move has a known place.
#[test]
fn programs_that_cannot_be_checked_end_with_3() {
    let folder = folder();
    folder.write("flat.nc", "G21\nT1 M6\nG0 X-20 Y0\nG1 X20\n");
    let text = says(&folder, &["nc", "flat.nc", "--tools", "tools.json", "--part", "box:10,10,10@0,0,-1"], 3);
    assert!(text.contains("No move could be checked."), "{text}");
}

/// Of moves from an unknown place only the ends are checked, which is no proof.
#[test]
fn ends_alone_are_counted_apart_and_end_with_3() {
    let folder = folder();
    folder.write("there.nc", "T1 M6\nG0 X50 Y50 Z50\n");
    let with =
        |more: &[&'static str]| [&["nc", "there.nc", "--tools", "tools.json", "--part", "box:1,1,1"], more].concat();
    let text = says(&folder, &with(&[]), 3);
    assert!(text.starts_with("0 of 1 move clear at every instant, 1 only at its end.\n"), "{text}");
    assert!(text.contains("Of no move more than its end could be checked.") && !text.contains("Nothing"), "{text}");
    let told = tells(&folder, &with(&[]), 3);
    assert_eq!((&told["checked"], &told["clear"], &told["ends_only"]), (&1.into(), &0.into(), &1.into()), "{told}");
    // The same move from a known place is proven.
    let told = tells(&folder, &with(&["--start", "40,50,50", "--tool-change", "same"]), 0);
    assert_eq!((&told["clear"], &told["ends_only"]), (&1.into(), &0.into()), "{told}");
    // A contact at the end is found all the same.
    let told = tells(&folder, &with(&["--fixture", "box:2,2,2@50,50,50"]), 1);
    assert_eq!((&told["clear"], &told["ends_only"]), (&0.into(), &0.into()), "{told}");
}

/// Nothing to check is not clear: without moves there is no proof, and an empty file is a mistake.
#[test]
fn programs_without_moves_are_not_clear() {
    let folder = folder();
    let with = |name: &'static str| ["nc", name, "--tools", "tools.json", "--part", "box:1,1,1"];
    for (name, text) in [("percent.nc", "%\n%\n"), ("change.nc", "T1 M6\nM30\n"), ("header.csv", "x,y,z\n")] {
        folder.write(name, text);
        let text = says(&folder, &with(name), 3);
        assert!(text.contains("The program has no moves.") && !text.contains("Nothing found"), "{text}");
    }
    for name in ["empty.nc", "empty.csv", "empty.apt"] {
        folder.write(name, "\n \n");
        assert!(complains(&folder, &with(name)).contains(&format!("{name}: the program is empty")));
    }
}

#[test]
fn findings_end_with_1_and_are_in_the_table_and_in_csv() {
    let folder = folder();
    let arguments = [
        "nc",
        "op.nc",
        "--tools",
        "tools.json",
        "--fixture",
        "box:2,2,12",
        "--stock",
        "box:20,20,8",
        "--csv",
        "out.csv",
    ];
    let text = says(&folder, &arguments, 1);
    assert!(text.contains("4  contact  T1 cutter  box:2,2,12  1 deep"), "{text}");
    let csv = folder.read("out.csv");
    assert_eq!(csv.lines().count(), 2);
    assert!(
        csv.lines().nth(1).is_some_and(|line| line.starts_with("contact,4,1,feed,1,cutter,\"box:2,2,12\",fixture,")),
        "{csv}"
    );
    let found = tells(&folder, &arguments, 1);
    let finding = &found["findings"][0];
    // The cutter has a radius of 5, the box half a width of 1.
    assert!((finding["tip"][0].as_f64().expect("a number") + 6.0).abs() < 2e-3, "{finding}");
}

#[test]
fn rules_come_from_options() {
    let folder = folder();
    let with = |more: &[&str], code: i32| {
        let arguments = [&["nc", "op.nc", "--tools", "tools.json"], more].concat();
        tells(&folder, &arguments, code)["findings"].as_array().expect("a list").len()
    };
    assert_eq!(with(&["--fixture", "box:2,2,8"], 0), 0);
    assert_eq!(with(&["--fixture", "box:2,2,8", "--clearance", "2", "--holder-clearance", "0"], 1), 1);
    assert_eq!(with(&["--part", "box:2,2,10.1", "--gouge", "0.1"], 0), 0);
    assert_eq!(with(&["--part", "box:2,2,10.1", "--gouge", "0.01"], 1), 1);
    assert_eq!(with(&["--stock", "box:2,2,20"], 0), 0);
    assert_eq!(
        with(&["--stock", "box:2,2,20", "--start", "20,0,5", "--tool-change", "same"], 1),
        1,
        "a rapid through it"
    );
    assert_eq!(with(&["--machine", "box:2,2,20@0,15,45"], 1), 1, "the holder");
}

/// A line for every move, with the pair that is nearest and how far it stays away.
#[test]
fn every_move_is_in_its_csv() {
    let folder = folder();
    folder.write("op.nc", "G21\nT1 M6\nG0 X-20 Y0 Z5\nG1 X20\nG1 Z-1\n");
    let arguments = ["nc", "op.nc", "--tools", "tools.json", "--moves", "moves.csv"];
    let with = |more: &[&'static str]| [&arguments[..], more].concat();
    let bodies = ["--fixture", "box:2,2,8", "--part", "box:8,8,2@20,0,-4"];
    let text = says(&folder, &with(&bodies), 0);
    assert!(text.contains("Least clearance of cutter and box:2,2,8 in moves that are clear: at least 1"), "{text}");
    let rows = folder.read("moves.csv");
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows[0], ["line", "move", "class", "clear_by", "piece", "body", "from_part"]);
    assert_eq!(rows.len(), 4);
    assert_eq!((&rows[1][..3], rows[1][4]), (&["3", "0", "end"][..], ""), "nothing within 10 mm");
    // Over the box, 1 mm above it; the part's top is at -3.
    assert_eq!(&rows[2][..3], ["4", "1", "clear"]);
    let number = |text: &str| text.parse::<f64>().expect("a number");
    assert!((number(rows[2][3]) - 1.0).abs() < 1e-9 && rows[2][4] == "cutter" && rows[2][5] == "\"box:2", "{rows:?}");
    assert!((number(rows[2].last().expect("a cell")) - 8.0).abs() < 1e-9, "{rows:?}");
    assert!((number(rows[3].last().expect("a cell")) - 2.0).abs() < 1e-9, "{rows:?}");
    // As JSON; what may touch is not deeper than the tolerance.
    let told = tells(&folder, &with(&["--part", "box:8,8,2@20,0,-2", "--measure", "3"]), 0);
    let last = &told["each"][2];
    assert_eq!((&last["line"], &last["class"], &last["body"]), (&5.into(), &"clear".into(), &serde_json::Value::Null));
    assert_eq!((last["clear_by"].as_f64(), last["from_part"].as_f64()), (Some(3.0), Some(-0.01)), "{last}");
    assert!(
        tells(&folder, &["nc", "op.nc", "--tools", "tools.json", "--part", "box:1,1,1@0,0,-9"], 0)["each"][0].is_null()
    );
}

/// Where the limit of work ends the search no place is known, and none is told: in the table, as
/// CSV, as JSON and on the page it is how far the move is certain.
#[test]
fn what_is_not_located_has_no_place() {
    let folder = folder();
    folder.write("op.nc", "G21\nT1 M6\nG0 X-20 Y0 Z5\nG1 X20\nG3 X-20 I-20\nG0 X20 Y60\n");
    let bodies = ["--fixture", "box:2,2,12", "--part", "box:2,2,12@0,20,0"];
    let files = ["nc", "op.nc", "--tools", "tools.json", "--csv", "out.csv", "--html", "out.html"];
    let with = |work: &'static str| [&files[..], &bodies, &["--work", work]].concat();
    for work in ["0", "8"] {
        let text = says(&folder, &with(work), 1);
        let line = |number: &str| text.lines().find(|line| line.trim().starts_with(number)).expect("a row").to_owned();
        // How deep a straight move goes is one question.
        assert!(line("4  ").contains("1 deep") && line("4  ").contains("certain up to "), "{text}");
        let told = tells(&folder, &with(work), 1);
        let (csv, page) = (folder.read("out.csv"), folder.read("out.html"));
        let found = told["findings"].as_array().expect("a list");
        assert!(found.len() > 3 && csv.lines().count() == found.len() + 1, "{csv}");
        for (finding, row) in found.iter().zip(csv.lines().skip(1)) {
            assert!(finding["tip"].is_null() && finding["point"].is_null(), "{finding}");
            let after = finding["after"].as_f64().expect("a number");
            assert!(row.contains(&format!("{after:?},")) && row.contains(",,,,,,"), "{row}");
            if finding["class"] != "possible" {
                let certain = format!("certain up to {} %", (after * 1e3).floor() / 10.0);
                assert!(text.contains(&certain) && page.contains(&certain), "{finding} {text}");
            }
        }
        assert!(page.contains("\"tip\":null"));
    }
    // With enough of them all have their places, but what depends on the way of a rapid's axes.
    let text = says(&folder, &with("10000"), 1);
    assert!(!text.contains("certain up to") && text.contains("the place depends on the way"), "{text}");
}

/// Tables of LinuxCNC are in the unit of the machine, which they do not say.
#[test]
fn the_unit_of_a_table_is_said_or_told() {
    let folder = folder();
    folder.write("mill.tbl", "T1 P1 Z2 D0.25 ; end mill\n");
    let with = |more: &[&'static str], code| {
        says(&folder, &[&["nc", "op.nc", "--tools", "mill.tbl", "--fixture", "box:2,2,9@0,3,0"], more].concat(), code)
    };
    // A radius of 3.175 mm, or 0.125.
    assert!(with(&[], 0).contains("mill.tbl: it does not say its unit; lengths are taken as millimetres."));
    assert!(with(&["--tool-unit", "inch", "--clearance", "0.5"], 1).contains("lengths are taken as inches."));
    let complaint =
        complains(&folder, &["nc", "op.nc", "--tools", "mill.tbl", "--part", "box:1,1,1", "--tool-unit", "m"]);
    assert!(complaint.contains("--tool-unit is 'm'; known: mm, inch"), "{complaint}");
}

/// Before the check, and before anything is read: what is there stays, and nothing is left behind.
#[test]
fn outputs_that_cannot_be_written_are_told_at_once() {
    let folder = folder();
    for flag in ["--html", "--csv"] {
        let complaint = complains(&folder, &["nc", "none.nc", "--tools", "tools.json", flag, "no/where"]);
        assert!(complaint.contains("where: cannot be written"), "{complaint}");
        let complaint = complains(&folder, &["nc", "none.nc", "--tools", "tools.json", flag, "."]);
        assert!(complaint.contains(".: cannot be written"), "{complaint}");
    }
    folder.write("old.csv", "kept");
    for output in ["old.csv", "new.csv"] {
        let complaint = complains(&folder, &["nc", "none.nc", "--tools", "tools.json", "--csv", output]);
        assert!(complaint.contains("none.nc: cannot be read"), "{complaint}");
    }
    assert_eq!(folder.read("old.csv"), "kept");
    assert!(!folder.file("new.csv").exists());
    for flag in ["--html", "--csv", "--bcf"] {
        let complaint = complains(&folder, &["clash", "none.obj", "nil.obj", flag, "no/where"]);
        assert!(complaint.contains("where: cannot be written"), "{complaint}");
    }
}

/// One file with bodies, tools, moves and a row for each finding; names are escaped.
#[test]
fn the_page_has_the_way_and_the_findings() {
    let folder = folder();
    let all = ["nc", "--demo", "--html", "out.html"];
    let found = tells(&folder, &all, 1);
    let page = folder.read("out.html");
    let data = page.split_once("type=\"application/json\">").expect("data").1;
    let data = data.split_once("</script>").expect("an end").0.replace("<\\/", "</");
    let data: serde_json::Value = serde_json::from_str(&data).expect("JSON");
    let count = |value: &serde_json::Value| value.as_array().expect("a list").len();
    assert_eq!(count(&data["moves"]) as u64, found["moves"].as_u64().expect("a number"));
    assert_eq!(count(&data["findings"]), count(&found["findings"]));
    assert_eq!(page.matches("<tr tabindex").count(), count(&found["findings"]));
    assert!(count(&data["findings"]) > 2 && count(&data["bodies"]) > 1 && count(&data["tools"]) > 1, "{found}");
    // Every tip of a finding lies on the way of its move.
    for finding in data["findings"].as_array().expect("a list") {
        let way = &data["moves"][finding["index"].as_u64().expect("a number") as usize];
        assert_eq!(way["line"], finding["line"]);
        let number = |value: &serde_json::Value| value.as_f64().expect("a number");
        let tips: Vec<f64> = way["tips"].as_array().expect("a list").iter().map(number).collect();
        for axis in 0..3 {
            let along = || tips.iter().skip(axis).step_by(3).copied();
            let (low, high) = (along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max));
            let tip = number(&finding["tip"][axis]);
            // An arc may leave the box of its points by a little.
            let room = 0.01 * (high - low) + 1e-5;
            assert!(tip >= low - room && tip <= high + room, "{tip} not in {low}..{high}: {finding}");
        }
    }
    assert!(
        page.contains("WebGL") && !page.contains("http://") && !page.contains("https://"),
        "fetched from elsewhere"
    );
    folder.write("<b>.nc", "G0 X0 Y0 Z50\nG1 Z0\n");
    says(&folder, &["nc", "<b>.nc", "--tools", "tools.json", "--part", "box:1,1,1", "--html", "b.html"], 1);
    let page = folder.read("b.html");
    assert!(page.contains("<h1>&lt;b&gt;.nc</h1>"), "{}", &page[..400]);
    assert!(
        complains(&folder, &["nc", "op.nc", "--tools", "tools.json", "--part", "box:1,1,1", "--html", "op.nc"])
            .contains("is one of the inputs")
    );
}

#[test]
fn mistakes_are_told() {
    let folder = folder();
    folder.write("bad.nc", "G1 X1\nG1 X2 Y\n");
    folder.write("two.nc", "T2 M6\nG0 X0 Y0 Z0\nG1 X2\n");
    let complaint = |arguments: &[&str]| complains(&folder, &[&["nc"], arguments].concat());
    assert!(
        complaint(&["bad.nc", "--tools", "tools.json", "--part", "box:1,1,1"]).contains("bad.nc:2: Y: is not a number")
    );
    assert!(
        complaint(&["two.nc", "--tools", "tools.json", "--part", "box:1,1,1"])
            .contains("two.nc:2: tool 2 is not in the tool table")
    );
    folder.write("several.json", SEVERAL);
    folder.write("loaded.nc", "G1 X1 Y0 Z30\nG1 X2\n");
    let several = ["loaded.nc", "--tools", "several.json", "--part", "box:1,1,1"];
    assert!(
        complaint(&several)
            .contains("loaded.nc:1: no tool was changed to before this move, and the tool table has 1, 2")
    );
    says(&folder, &[&["nc"], &several[..], &["--tool", "2", "--start", "0,0,30"]].concat(), 0);
    let with =
        |more: [&str; 2]| complaint(&["op.nc", "--tools", "tools.json", "--part", "box:1,1,1", more[0], more[1]]);
    assert!(with(["--rapid", "foo"]).contains("--rapid foo: anywhere, straight, or the speeds of x, y and z"));
    assert!(with(["--offset", "G55=1"]).contains("--offset G55=1: three numbers"));
    assert!(with(["--tool-change", "foo"]).contains("or unknown, or same"));
    folder.write("none.json", "[]");
    assert!(with(["--kinematics", "none.json"]).contains("expected an object with a list of axes"));
    folder.write("word.json", &TOOLS.replace(r#""number": 1"#, r#""number": "x""#));
    assert!(with(["--tools", "word.json"]).contains(r#"string "x", expected a whole number"#));
    folder.write("zero.nc", "G21\n#1=[1/0]\nG1 X#1\n");
    assert!(
        complaint(&["zero.nc", "--tools", "tools.json", "--part", "box:1,1,1"]).contains("zero.nc:2: ")
            && complaint(&["zero.nc", "--tools", "tools.json", "--part", "box:1,1,1"]).contains("divides by 0")
    );
    assert!(complaint(&["op.nc", "--tools", "tools.json"]).contains("nothing to check against"));
    assert!(
        complaint(&["none.nc", "--tools", "tools.json", "--part", "box:1,1,1"]).contains("none.nc: cannot be read")
    );
    assert!(complaint(&["op.nc", "--tools", "tools.json", "--part", "box:1,1"]).contains("--part box:1,1"));
    assert!(complaint(&["op.nc", "--tools", "tools.json", "--part", "none.stl"]).contains("none.stl"));
    assert!(
        complaint(&["op.nc", "--tools", "tools.json", "--part", "box:1,1,1", "--gouge", "-1"]).contains("--gouge -1")
    );
    assert!(
        complaint(&["op.nc", "--tools", "tools.json", "--part", "box:1,1,1", "--csv", "op.nc"])
            .contains("op.nc: is one of the inputs")
    );
}
