//! `nearhit clash`: a generated assembly with known findings, small ones, rules, refusals.

use crate::support::{Folder, complains, keys, nearhit_in, says, stderr, stdout, tells};
use nearhit_testkit::assembly::{Assembly, CLEARANCE, Expected, Known, assembly};
use serde_json::{Value, json};

const SEED: u64 = 0xc1a5;

/// A cube of half side `half` about `(x, 0, 0)`.
pub(crate) fn cube(half: f64, x: f64) -> String {
    nearhit_testkit::shapes::cuboid([x - half, -half, -half], [x + half, half, half]).to_obj()
}

pub(crate) fn folder(cubes: &[(&str, f64, f64)]) -> Folder {
    let folder = Folder::new();
    cubes.iter().for_each(|(name, half, x)| folder.write(name, &cube(*half, *x)));
    folder
}

fn finds(made: &Assembly, line: &Value) {
    let findings = line["findings"].as_array().expect("a list");
    let mut found: Vec<([String; 2], &Value)> = findings
        .iter()
        .map(|finding| ([&finding["a"], &finding["b"]].map(|name| name.as_str().expect("a name").to_owned()), finding))
        .map(|(mut names, finding)| {
            names.sort();
            (names, finding)
        })
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    let names = |expected: &Expected| expected.names.clone();
    let wanted: Vec<[String; 2]> = made.expected.iter().map(names).collect();
    let got: Vec<[String; 2]> = found.iter().map(|(names, _)| names.clone()).collect();
    let missing: Vec<_> = wanted.iter().filter(|names| !got.contains(names)).collect();
    let extra: Vec<_> = found.iter().filter(|(names, _)| !wanted.contains(names)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing: {missing:?}\nextra: {extra:?}");
    for (Expected { names, known }, (_, finding)) in made.expected.iter().zip(&found) {
        let number = |field: &str| finding[field].as_f64().expect("a number");
        assert_eq!(finding["class"], known.class(), "{names:?}");
        // A millionth of the size, for rounding; f32 positions are rounded more than that.
        let slack = line["tolerance"].as_f64().expect("a number");
        match *known {
            Known::Hard(low, high) => {
                let (depth, at_most) = (number("depth"), number("depth_at_most"));
                assert!(depth >= 0.99 * low - slack && depth <= high + slack, "{names:?} {finding}");
                assert!(at_most >= low - slack, "{names:?} {finding}");
            }
            Known::Close(low, high) => {
                assert!((low - slack..=high + slack).contains(&number("gap")), "{names:?} {finding}")
            }
            Known::Inside => assert_eq!(finding["inside"], names[1].as_str()),
            Known::Touching | Known::Duplicate => {}
        }
    }
}

/// 200 parts, about 200,000 triangles: all right, none missing, none extra, whether parts share
/// shapes or not.
#[test]
fn known_findings_of_every_class() {
    let made = assembly(200, SEED);
    let folder = Folder::new();
    std::fs::write(folder.file("shared.glb"), made.to_glb()).expect("a writable folder");
    std::fs::write(folder.file("apart.glb"), made.to_glb_unshared()).expect("a writable folder");
    let clearance = CLEARANCE.to_string();
    for (file, shapes) in [("shared.glb", made.shapes.len()), ("apart.glb", 200)] {
        let line = tells(&folder, &["clash", file, "--clearance", &clearance], 1);
        assert_eq!((&line["parts"], &line["complete"]), (&json!(200), &json!(true)));
        assert!(line["shapes"].as_u64().expect("a count") as usize <= shapes);
        finds(&made, &line);
    }
}

#[test]
fn the_table() {
    let folder = folder(&[
        ("big.obj", 1.0, 0.0),
        ("press.obj", 0.5, 1.25),
        ("lost.obj", 0.25, 0.0),
        ("face.obj", 1.0, -2.0),
        ("near.obj", 0.5, 2.3125),
        ("copy.obj", 0.25, 0.0),
    ]);
    let files = ["clash", "big.obj", "press.obj", "lost.obj", "face.obj", "near.obj", "copy.obj"];
    let text = says(&folder, &[&files[..], &["--clearance", "0.1"]].concat(), 1);
    assert_eq!(
        text,
        "6 parts (72 triangles, 5 shapes), 6 pairs near each other.
Found: 1 hard clash, 1 inside, 1 duplicate, 1 touching, 1 too close.

  what        a      b      how much
  hard clash  big    press  0.25 deep, volume 0.25
  inside      big    copy   copy is inside, and lost
  duplicate   lost   copy
  touching    big    face
  too close   press  near   gap 0.0625
"
    );
    assert_eq!(
        says(&folder, &["clash", "face.obj", "near.obj"], 0),
        "2 parts (24 triangles, 2 shapes), 0 pairs near each other.\nNo clashes found.\n"
    );
}

#[test]
fn json_and_csv_tell_the_same() {
    let folder = folder(&[("a.obj", 1.0, 0.0), ("b.obj", 0.5, 1.25), ("c.obj", 0.25, 0.0)]);
    let arguments = ["clash", "a.obj", "b.obj", "c.obj", "--csv", "out.csv"];
    let text = says(&folder, &[&arguments[..], &["--json"]].concat(), 1);
    let expected = "files empty_parts parts shapes triangles tolerance clearance pairs_near pairs_judged complete allowed unused_rules counts";
    let found: Vec<String> = keys(&text).into_iter().take(13).collect();
    assert_eq!(found.join(" "), expected);
    let line: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        line["counts"],
        json!({"hard": 1, "inside": 1, "duplicate": 0, "undecided": 0, "touching": 0, "close": 0})
    );
    let finding = &line["findings"][0];
    assert_eq!((&finding["class"], &finding["depth"], &finding["gap"]), (&json!("hard"), &json!(0.25), &Value::Null));
    assert_eq!((&finding["points"][0][0], &finding["points"][1][0]), (&json!(1.0), &json!(0.75)));
    let at_most = finding["depth_at_most"].as_f64().expect("a number");
    let csv = folder.read("out.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "class,a,b,depth,depth_at_most,depth_basis,gap,inside,x,y,z,volume,volume_at_most,through,id,severity,change,copies,touches,touching_with"
    );
    assert!(lines[1].starts_with(&format!("hard clash,a,b,0.25,{at_most:?},exact,,,0.875,")), "{csv}");
    assert!(lines[2].starts_with("inside,a,c,,,,0.75,c,"), "{csv}");
}

#[test]
fn rules_allow_pairs_groups_and_classes() {
    let folder = folder(&[
        ("plate_1.obj", 1.0, 0.0),
        ("bolt_1.obj", 0.25, 1.0),
        ("bolt_2.obj", 0.25, -1.0),
        ("shim.obj", 0.5, 1.75),
    ]);
    folder.write("rules.txt", "# what is meant\ngroup bolts = bolt_?, nut_*\n\n@bolts : plate*  # in their holes\n");
    let files = ["clash", "plate_1.obj", "bolt_1.obj", "bolt_2.obj", "shim.obj"];
    let pairs = |options: &[&str], code: i32| {
        let line = tells(&folder, &[&files[..], options].concat(), code);
        let name = |finding: &Value, side: &str| finding[side].as_str().expect("a name").to_owned();
        let list = line["findings"].as_array().expect("a list").clone();
        let pairs: Vec<String> = list.iter().map(|one| name(one, "a") + ":" + &name(one, "b")).collect();
        (pairs.join(" "), line["allowed"].as_u64().expect("a number"))
    };
    assert_eq!(pairs(&[], 1), ("plate_1:bolt_1 plate_1:bolt_2 bolt_1:shim".to_owned(), 0));
    assert_eq!(pairs(&["--rules", "rules.txt"], 1), ("bolt_1:shim".to_owned(), 2));
    assert_eq!(pairs(&["--rules", "rules.txt", "--ignore", "touching"], 0), (String::new(), 2));
    assert_eq!(pairs(&["--group", "x=bolt_1,shim", "--allow", "@x:*"], 1), ("plate_1:bolt_2".to_owned(), 2));
    let text = says(&folder, &[&files[..], &["--allow", "shim:bolt_1", "--allow", "nut:bolt"]].concat(), 1);
    assert!(
        text.ends_with("1 finding allowed by rules.\nThe rule nut:bolt allowed nothing: check its names.\n"),
        "{text}"
    );
}

#[test]
fn the_page_has_a_row_and_a_picture_for_each() {
    let folder = folder(&[("a&b.obj", 1.0, 0.0), ("{{data}}.obj", 0.5, 1.25)]);
    says(&folder, &["clash", "a&b.obj", "{{data}}.obj", "--html", "out.html", "--unit", "mm"], 1);
    let page = folder.read("out.html");
    assert!(page.contains("<td>a&amp;b</td><td>{{data}}</td><td data-sort=\"0.25\">0.25 mm deep</td>"));
    assert!(page.contains(">0.25 mm³</td>") && page.contains("Lengths in mm."));
    assert!(!page.contains("http://") && !page.contains("https://"), "nothing is fetched");
    let data = page.split("type=\"application/json\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let data: Value = serde_json::from_str(data.expect("data")).expect("JSON");
    assert_eq!(
        (data["meshes"].as_array().map(Vec::len), data["pictures"].as_array().map(Vec::len)),
        (Some(2), Some(1))
    );
    assert_eq!(data["pictures"][0]["bodies"][1]["translation"], json!([1.25, 0.0, 0.0]));
    // The curve along which they meet: segments of six single precision numbers, as base64.
    let curve = data["pictures"][0]["curve"].as_str().expect("text").len();
    assert!(curve > 0 && curve.is_multiple_of(32), "{curve} letters");
    assert_eq!(data["whole"]["bodies"].as_array().map(Vec::len), Some(2));
    assert_eq!(data["whole"]["boxes"], json!(""));
}

/// What may be taken is said in bytes, and refused by name.
#[test]
fn memory_has_a_limit() {
    let folder = folder(&[("a.obj", 1.0, 0.0), ("b.obj", 0.5, 1.25)]);
    let with = |limit: &str| nearhit_in(&folder, &["clash", "a.obj", "b.obj", "--max-memory", limit]);
    assert_eq!(with("1G").status.code(), Some(1));
    let refused = with("1K");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("bytes of memory, more than the limit of 1000"), "{}", stderr(&refused));
    for wrong in ["", "G", "1X", "1KM", "-1", "99999999999T"] {
        let refused = with(wrong);
        assert_eq!(refused.status.code(), Some(2), "{wrong}");
    }
}

/// Of a part of two pieces one only touches; the other is inside, far from any surface.
#[test]
fn a_piece_inside_while_another_touches() {
    let folder = folder(&[("block.obj", 1.0, 0.0)]);
    let mut pieces = nearhit_testkit::shapes::cuboid([1.0, -0.5, -0.5], [2.0, 0.5, 0.5]);
    folder.write("outside.obj", &pieces.to_obj());
    pieces.append(&nearhit_testkit::shapes::cuboid([-0.25; 3], [0.25; 3]));
    folder.write("both.obj", &pieces.to_obj());
    assert_eq!(tells(&folder, &["clash", "block.obj", "outside.obj"], 1)["findings"][0]["class"], "touching");
    let finding = &tells(&folder, &["clash", "block.obj", "both.obj"], 1)["findings"][0];
    assert_eq!(finding["class"], "hard");
    assert!(finding["depth"].as_f64() >= Some(0.75), "{finding}");
}

/// Sheets have no inside: that they cross is all that can be said.
#[test]
fn surfaces_with_holes() {
    let folder = Folder::new();
    folder.write("flat.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n");
    folder.write("upright.obj", "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 2 3 4\n");
    folder.write("standing.obj", "v -1 0 0\nv 1 0 0\nv 1 0 1\nv -1 0 1\nf 1 2 3 4\n");
    let class = |file| tells(&folder, &["clash", "flat.obj", file], 1)["findings"][0].clone();
    let crossing = class("upright.obj");
    assert_eq!((&crossing["class"], &crossing["depth"]), (&json!("hard"), &Value::Null));
    assert_eq!(class("standing.obj")["class"], "touching");
}

/// Beside the huge one the other is a point on its side.
#[test]
fn a_tiny_part_on_a_huge_one_touches_it() {
    let folder = folder(&[("huge.obj", 4e299, 4e299), ("tiny.obj", 0.5, 0.5)]);
    let line = tells(&folder, &["clash", "huge.obj", "tiny.obj"], 1);
    assert_eq!((&line["findings"][0]["class"], &line["counts"]["hard"]), (&json!("touching"), &json!(0)), "{line}");
}

#[test]
fn refusals() {
    let folder = folder(&[("a.obj", 1.0, 0.0), ("b.obj", 0.5, 1.25)]);
    folder.write("empty.obj", "v 0 0 0\n");
    folder.write("bad.txt", "# fine\na:b\na\n");
    let refuses = |arguments: &[&str], expected: &str| {
        let text = complains(&folder, &[&["clash"], arguments].concat());
        assert!(text.contains(expected), "{text}\ndoes not say\n{expected}");
    };
    refuses(&["a.obj"], "an assembly needs at least two parts with triangles, found 1: give several files");
    refuses(&["a.obj", "empty.obj"], "at least two parts with triangles, found 1");
    refuses(&["a.obj", "no.obj"], "no.obj");
    refuses(
        &["a.obj", "b.obj", "--clearance", "-1"],
        "--clearance -1: the clearance must be a finite number, at least 0",
    );
    refuses(&["a.obj", "b.obj", "--tolerance", "0"], "--tolerance 0: must be a number and at least");
    refuses(&["a.obj", "b.obj", "--allow", "a"], "--allow a: a rule is A:B");
    refuses(&["a.obj", "b.obj", "--allow", "@x:b"], "there is no group \"x\"; define it with --group x=");
    refuses(&["a.obj", "b.obj", "--group", "x"], "--group x: a group is NAME=PATTERN");
    refuses(&["a.obj", "b.obj", "--rules", "bad.txt"], "bad.txt:3: a: a rule is A:B");
    refuses(&["a.obj", "b.obj", "--rules", "none.txt"], "none.txt");
    refuses(&["a.obj", "b.obj", "--ignore", "soft"], "invalid value 'soft'");
    let output = nearhit_in(&folder, &["clash", "a.obj", "b.obj", "--html", "no/where.html"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(stderr(&output).contains("where.html: cannot be written"));
}

/// Depths that rest on winding numbers are marked in the table, in CSV, JSON and the page.
#[test]
fn depths_of_parts_with_holes_are_marked() {
    let folder = folder(&[("whole.obj", 0.5, 1.25)]);
    let mut open = nearhit_testkit::shapes::cuboid([-1.0; 3], [1.0; 3]);
    open.triangles.remove(0);
    folder.write("open.obj", &open.to_obj());
    let arguments = ["clash", "open.obj", "whole.obj", "--csv", "out.csv", "--html", "out.html"];
    let text = says(&folder, &arguments, 1);
    assert!(text.contains("deep (by winding number: a mesh has holes)"), "{text}");
    let finding = &tells(&folder, &arguments, 1)["findings"][0];
    assert_eq!((&finding["depth_basis"], &finding["depth_at_most"]), (&json!("winding-number"), &Value::Null));
    assert!(finding["depth"].as_f64().is_some_and(|depth| depth > 0.0 && depth <= 0.25 + 1e-9), "{finding}");
    assert!(folder.read("out.csv").contains(",winding-number,"));
    assert!(folder.read("out.html").contains("data-note=\"by winding number: a mesh has holes"));
}

/// A limit that ends before contact is known does not say that parts touch.
#[test]
fn undecided_pairs_that_are_apart_are_not_said_to_touch() {
    let folder = Folder::new();
    // Corners whose boxes meet, and which are apart.
    folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    folder.write("b.obj", "v 1 1 1\nv 0 1 1\nv 1 0 1\nv 1 1 0\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
    let arguments = ["clash", "a.obj", "b.obj", "--pair-work", "0", "--csv", "out.csv", "--html", "out.html"];
    let text = says(&folder, &arguments, 1);
    assert!(text.contains("Found: 1 undecided.") && text.contains("surfaces apart, one may be inside"), "{text}");
    assert!(!text.contains("touching or"), "{text}");
    assert!(folder.read("out.html").contains(">surfaces apart, one may be inside the other, at most "));
    let table = folder.read("out.csv");
    let mut rows = table.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let (names, row) = (rows.next().expect("a header"), rows.next().expect("a finding"));
    let column = names.iter().position(|&name| name == "touches").expect("a column of that name");
    assert_eq!(row.get(column), Some(&"false"), "{table}");
    let finding = &tells(&folder, &arguments, 1)["findings"][0];
    assert_eq!((&finding["class"], &finding["touches"]), (&json!("undecided"), &json!(false)));
}

/// A pair that reaches its limit of work is undecided, everywhere.
#[test]
fn undecided_pairs_are_reported_as_such() {
    let folder = Folder::new();
    let mate = &nearhit_testkit::mates::stacked(90)[0];
    folder.write("ring.obj", &mate.a.to_obj());
    folder.write("disc.obj", &mate.b.to_obj());
    let arguments = ["clash", "ring.obj", "disc.obj", "--pair-work", "2000", "--csv", "out.csv"];
    let text = says(&folder, &arguments, 1);
    assert!(text.contains("Found: 1 undecided.") && text.contains("touching or at most "), "{text}");
    let told = tells(&folder, &arguments, 1);
    assert_eq!((&told["counts"]["undecided"], &told["findings"][0]["touches"]), (&json!(1), &json!(true)));
    assert!(folder.read("out.csv").contains("\nundecided,ring,disc,,"));
    assert_eq!(says(&folder, &[&arguments[..3], &["--ignore", "touching"]].concat(), 0).lines().count(), 2);
}

/// Names from a file reach the terminal without their escape sequences.
#[test]
fn names_cannot_write_to_the_terminal() {
    let folder = Folder::new();
    let mut made = assembly(2, SEED);
    made.parts.truncate(1);
    let mut copy = made.parts[0].clone();
    copy.name = "\\u001b[2Jgone\\nrow".to_owned();
    made.parts.push(copy);
    std::fs::write(folder.file("evil.glb"), made.to_glb()).expect("a writable folder");
    let text = says(&folder, &["clash", "evil.glb"], 1);
    assert!(!text.contains('\u{1b}') && text.contains("\\u{1b}[2Jgone\\nrow"), "{text}");
}

/// Two nodes, "bolt" and "nut", that show the same tetrahedron.
const COLLADA: &str = r##"<COLLADA><library_geometries><geometry id="g"><mesh>
    <source id="s"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>
    <accessor source="#a" count="4" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
    <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
    </mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="w">
    <node name="bolt"><instance_geometry url="#g"/></node><node name="nut"><instance_geometry url="#g"/></node>
    </visual_scene></library_visual_scenes></COLLADA>"##;

/// The names of nodes come after their file's, in every format that has nodes, if there are several
/// files.
#[test]
fn parts_of_several_files_are_named_by_file_and_node() {
    let folder = folder(&[("far.obj", 0.5, 9.0)]);
    folder.write("machine.dae", COLLADA);
    let names = |files: &[&str]| {
        let line = tells(&folder, &[&["clash"], files].concat(), 1);
        [&line["findings"][0]["a"], &line["findings"][0]["b"]].map(|name| name.as_str().expect("a name").to_owned())
    };
    assert_eq!(names(&["machine.dae"]), ["bolt", "nut"]);
    assert_eq!(names(&["machine.dae", "far.obj"]), ["machine.dae/bolt", "machine.dae/nut"]);
}

/// Sent when the command listens for it, which Linux tells.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_gives_the_partial_report() {
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    std::fs::write(folder.file("many.glb"), assembly(400, SEED).to_glb()).expect("a writable folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearhit"));
    command.args(["clash", "many.glb", "--json", "--html", "part.html"]).current_dir(folder.path());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let listens = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a mask");
        u64::from_str_radix(caught.trim(), 16).expect("a mask") & 0b10 != 0
    };
    while !listens() {
        std::thread::yield_now();
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    let output = child.wait_with_output().expect("an end");
    assert!(sent.success() && output.status.code() == Some(3), "{:?} {}", output.status, stderr(&output));
    let line: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(line["complete"], false);
    assert!(line["pairs_judged"].as_u64() < line["pairs_near"].as_u64());
    assert!(folder.read("part.html").contains("This report is not complete:"));
}

/// Volumes in the table, the JSON and the CSV; a least volume; groups.
#[test]
fn findings_have_volumes_and_groups() {
    let folder =
        folder(&[("a_1.obj", 1.0, 0.0), ("b_1.obj", 1.0, 1.5), ("a_2.obj", 1.0, 10.0), ("b_2.obj", 1.0, 11.5)]);
    let parts = ["clash", "a_1.obj", "a_2.obj", "b_1.obj", "b_2.obj"];
    let text = says(&folder, &[&parts[..], &["--group-by", "names", "--csv", "found.csv"]].concat(), 1);
    assert!(text.contains("volume 2") && text.contains("2 × hard: a_* and b_*"), "{text}");
    assert!(
        folder
            .read("found.csv")
            .lines()
            .next()
            .expect("a header")
            .ends_with("id,severity,change,copies,touches,touching_with")
    );
    let line = tells(&folder, &[&parts[..], &["--min-volume", "2.5"]].concat(), 1);
    assert_eq!((&line["counts"]["hard"], &line["counts"]["touching"]), (&json!(0), &json!(2)));
    let line = tells(&folder, &parts, 1);
    let volume = &line["findings"][0]["overlap"]["volume"];
    let [lower, upper] = ["lower", "upper"].map(|end| volume[end].as_f64().expect("a number"));
    assert!(lower <= 2.0 && 2.0 <= upper && upper - lower < 1e-9, "{volume}");
    assert!(complains(&folder, &[&parts[..], &["--min-volume", "-1"]].concat()).contains("--min-volume -1"));
}

/// A machine with two halves in which the bodies are called alike, and one that is called as a
/// second namesake would be.
const HALVES: &str = r##"<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
    <library_geometries><geometry id="g"><mesh><source id="p"><float_array id="f" count="12">
    0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor source="#f" count="4" stride="3">
    <param type="float"/><param type="float"/><param type="float"/></accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
    </mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="w">
    <node name="left"><node name="body"><instance_geometry url="#g"/></node></node>
    <node name="right"><translate>0.25 0 0</translate><node name="body"><instance_geometry url="#g"/></node>
    <node name="body"><translate>0.25 0 0</translate><instance_geometry url="#g"/></node>
    <node name="body_2"><translate>0 0.25 0</translate><instance_geometry url="#g"/></node></node>
    </visual_scene></library_visual_scenes></COLLADA>"##;

/// Names are paths, none is taken by another part, and sets of them can be looked at.
#[test]
fn sets_of_parts_by_their_paths() {
    let folder = folder(&[]);
    folder.write("halves.dae", HALVES);
    folder.write("rules.txt", "group halves=left/*,right/*\nonly left/*:@halves # across\n");
    let pairs = |arguments: &[&str], code: i32| {
        let line = tells(&folder, &[&["clash", "halves.dae"], arguments].concat(), code);
        let findings = line["findings"].as_array().expect("findings").clone();
        let name = |finding: &Value, key: &str| finding[key].as_str().expect("a name").to_owned();
        let mut pairs: Vec<String> =
            findings.iter().map(|finding| format!("{} {}", name(finding, "a"), name(finding, "b"))).collect();
        pairs.sort();
        pairs
    };
    assert_eq!(pairs(&[], 1).len(), 6);
    let across = ["left/body right/body", "left/body right/body_2", "left/body right/body_3"];
    assert_eq!(pairs(&["--only", "left/*:right/*"], 1), across);
    assert_eq!(pairs(&["--rules", "rules.txt"], 1), across);
    let both = ["left/body right/body_2", "right/body_3 right/body_2"];
    assert_eq!(pairs(&["--only", "left/*:body_2", "--only", "body_3:body_2"], 1), both);
    assert!(pairs(&["--only", "left/*:none"], 0).is_empty());
    let told = complains(&folder, &["clash", "halves.dae", "--only", "left"]);
    assert!(told.contains("--only left: a rule is A:B"), "{told}");
}
