//! `nearhit path`: smallest clearance and first contact along a path, its table and its drawing.

use crate::support::{Folder, nearhit_in, says, stderr, tells};
use serde_json::{Value, json};

const SMALL: &str = "v 0 0 0\nv 0.5 0 0\nv 0 0.5 0\nv 0 0 0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

/// The cubes of the case touch at pose 1 first.
#[test]
fn a_case_is_a_path() {
    let folder = Folder::with_case();
    let found = tells(&folder, &["path", "a.obj", "b.obj", "--poses", "poses.txt"], 1);
    assert_eq!((&found["collides"], &found["first_contact"], &found["pose"]), (&json!(true), &json!(1), &json!(1)));
    assert_eq!((&found["upper"], &found["poses"], &found["complete"]), (&json!(0.0), &json!(8), &json!(true)));
    let text = says(&folder, &["path", "a.obj", "b.obj", "--poses", "poses.txt"], 1);
    assert!(text.starts_with("a.obj and b.obj touch, for the first time at pose 1 of 8.\n"), "{text}");
}

/// Past a cube, a quarter above it.
const PASS: [&str; 9] = ["path", "a.obj", "b.obj", "--from", "-5 0 2.25", "--to", "5 0 2.25", "--steps", "1000"];

#[test]
fn the_smallest_clearance_comes_first() {
    let folder = Folder::with_case();
    let found = tells(&folder, &PASS, 0);
    assert_eq!(
        (&found["collides"], &found["first_contact"], &found["upper"]),
        (&json!(false), &Value::Null, &json!(0.25))
    );
    // The first of all poses above the cube.
    assert_eq!((&found["pose"], &found["poses"]), (&json!(300), &json!(1001)));
    let text = says(&folder, &PASS, 0);
    assert!(
        text.starts_with("a.obj and b.obj are at least 0.25 apart: at pose 300 of 1,001\nbetween triangle "),
        "{text}"
    );
    assert!(text.contains("They touch at no pose. Asked about "), "{text}");
    // As close as that, it is too close.
    let close = [&PASS[..], &["--clearance", "0.25"]].concat();
    assert_eq!(tells(&folder, &close, 1)["too_close"], json!(true));
    assert!(says(&folder, &close, 1).contains("That is not more than 0.25.\n"));
    says(&folder, &[&PASS[..], &["--clearance", "0.2499"]].concat(), 0);
    // So far away that a budget of one pose says nothing of the rest.
    let short = tells(&folder, &[&PASS[..], &["--work", "1"]].concat(), 3);
    assert_eq!(
        (&short["complete"], &short["collides"], &short["too_close"]),
        (&json!(false), &Value::Null, &Value::Null)
    );
    assert!(says(&folder, &[&PASS[..], &["--work", "1"]].concat(), 3).contains("the budget ran out"));
}

/// A part inside another touches it as a solid only; a shape always.
#[test]
fn solids_and_shapes() {
    let folder = Folder::with_case();
    folder.write("small.obj", SMALL);
    let inside = ["path", "a.obj", "small.obj", "--from", "0 0 0", "--to", "0.2 0 0"];
    assert_eq!(tells(&folder, &inside, 0)["pose"], json!(100));
    assert_eq!(tells(&folder, &[&inside[..], &["--solid"]].concat(), 1)["first_contact"], json!(0));
    let ball = ["path", "a.obj", "ball:0.1", "--from", "0 0 0", "--to", "0.2 0 0"];
    tells(&folder, &ball, 0);
    assert_eq!(tells(&folder, &[&ball[..], &["--solid"]].concat(), 1)["first_contact"], json!(0));
    let fall = ["path", "half-space:0,0,1,0", "a.obj", "--from", "0 0 2", "--to", "0 0 0"];
    assert_eq!(tells(&folder, &fall, 1)["first_contact"], json!(50));
}

#[test]
fn the_table_and_the_drawing_have_every_pose() {
    let folder = Folder::with_case();
    for name in ["out.svg", "out.html"] {
        says(&folder, &[&PASS[..], &["--csv", "out.csv", "--plot", name]].concat(), 0);
        let drawing = folder.read(name);
        assert_eq!(drawing.matches("<polyline").count(), 1);
        let points = drawing.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("points");
        assert_eq!(points.split(' ').count(), 1001);
        assert!(
            drawing.contains("smallest 0.25 at pose 300") && !drawing.contains("class=\"touching\" x"),
            "{drawing}"
        );
        let svg = &drawing[drawing.find("<svg").expect("a drawing")..drawing.find("</svg>").expect("its end") + 6];
        roxmltree::Document::parse(svg).expect("XML");
    }
    let table = folder.read("out.csv");
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0], ["pose", "touches", "lower", "upper", "a_x", "a_y", "a_z", "b_x", "b_y", "b_z"]);
    assert_eq!(lines.len(), 1002);
    assert_eq!((lines[301][0], lines[301][1], lines[301][3]), ("300", "0", "0.25"));
    says(&folder, &["path", "a.obj", "b.obj", "--poses", "poses.txt", "--plot", "hit.svg"], 1);
    let drawing = folder.read("hit.svg");
    assert!(drawing.contains("first contact at pose 1") && drawing.matches("class=\"touching\" x").count() == 2);
}

#[test]
fn says_what_is_wrong() {
    let folder = Folder::with_case();
    folder.write("bad.txt", "0 0 0\n# a comment\n1 2\n");
    folder.write("empty.txt", "# nothing\n");
    let complains = |arguments: &[&str], expected: &str| {
        let output = nearhit_in(&folder, &[&["path", "a.obj", "b.obj"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    };
    complains(&["--poses", "bad.txt"], "bad.txt:3: 2 numbers, but a pose has 3 (x y z), 7");
    complains(&["--poses", "empty.txt"], "empty.txt: there are no poses in it");
    complains(&["--poses", "none.txt"], "none.txt");
    complains(
        &["--poses", "poses.txt", "--a-translate", "1 0 0"],
        "poses.txt:3: the line has a pose of a: leave out --a-",
    );
    complains(&["--poses", "poses.txt", "--b-translate", "1 0 0"], "--b-…: the poses of b are those of the path");
    complains(&["--from", "0 0 0"], "--to");
    complains(&[], "--poses");
    complains(&["--from", "0 0 0", "--to", "0 0 0", "--steps", "0"], "at least one step");
    complains(&["--from", "0 0 0", "--to", "0 0 1", "--steps", "4294967295"], "--steps 4294967295: must be at most");
    complains(&["--from", "0 0 0", "--to", "1 nan 0"], "--to: t[1] is NaN");
    complains(
        &["--poses", "poses.txt", "--plot", "out.pdf"],
        "--plot out.pdf: the drawing is written as .svg or .html",
    );
    complains(&["--poses", "poses.txt", "--csv", "poses.txt"], "--csv would write over a file that is read");
    complains(
        &["--poses", "poses.txt", "--csv", "out.csv", "--work", "9"],
        "--csv asks about every pose: it takes no budget",
    );
    complains(&["--poses", "poses.txt", "--clearance", "-1"], "--clearance -1: the clearance must be");
}
