//! What is wrong with two files or their places is said before anything else, with exit code 2.

use crate::support::{Folder, complains, nearhit_in, stdout, tells};
use std::process::Command;

#[track_caller]
fn refuses(folder: &Folder, options: &[&str], expected: &str) {
    for command in [&["check"][..], &["distance"], &["within", "1"]] {
        let message = complains(folder, &[command, &["a.obj", "b.obj"], options].concat());
        assert!(message.contains(expected), "{message}\ndoes not say\n{expected}");
    }
}

#[test]
fn poses() {
    let folder = Folder::with_case();
    refuses(&folder, &["--a-translate", "1 2"], "nearhit: --a-translate: 2 numbers, but 3 are needed: x y z");
    refuses(&folder, &["--b-translate", "1 2 x"], "nearhit: --b-translate: \"x\" is not a number");
    refuses(&folder, &["--b-translate", "1 2 inf"], "nearhit: --b-translate: t[2] is inf, not a finite number");
    refuses(&folder, &["--a-euler", "1;2;3"], "nearhit: --a-euler: \"1;2;3\" is not a number");
    refuses(&folder, &["--b-quaternion", "1 1 1 1"], "nearhit: --b-quaternion: the quaternion has length 2, not 1");
    refuses(&folder, &["--b-matrix", "1 2 3"], "nearhit: --b-matrix: 3 numbers, but a matrix has 16, 12");
    refuses(&folder, &["--b-matrix", "-1 0 0 0 1 0 0 0 1"], "nearhit: --b-matrix: the matrix mirrors");
    refuses(&folder, &["--a-matrix", "3 0 0 0 3 0 0 0 3"], "--a-matrix: the matrix is not a rotation");
    refuses(&folder, &["--a-euler", "1 2 3", "--a-matrix", "1 0 0 0 1 0 0 0 1"], "cannot be used with");
    refuses(&folder, &["--b-euler", "1 2 3", "--b-quaternion", "0 0 0 1"], "cannot be used with");
    refuses(&folder, &["--b-translate", "1.5e300 0 0"], "the two poses are too far apart");
}

#[test]
fn options() {
    let folder = Folder::with_case();
    refuses(&folder, &["--volume", "cube"], "unknown volume 'cube'; known: auto");
    refuses(&folder, &["--volume", "kdop22"], "unknown volume 'kdop22'");
    refuses(&folder, &["--budget-us", "-1"], "--budget-us -1: the budget must be a finite number of microseconds");
    refuses(&folder, &["--budget-us", "5", "--work", "5"], "cannot be used with");
    refuses(&folder, &["--colour"], "unexpected argument '--colour'");
    for (option, value) in [("--rel-error", "-1"), ("--abs-error", "nan"), ("--abs-error", "inf")] {
        let message = complains(&folder, &["distance", "a.obj", "b.obj", option, value]);
        assert!(message.contains(": must be a finite number, at least 0"), "{message}");
    }
    assert!(complains(&folder, &["check", "a.obj", "b.obj", "--rel-error", "1"]).contains("unexpected argument"));
    for limit in ["-1", "nan", "inf", "near"] {
        let message = complains(&folder, &["within", limit, "a.obj", "b.obj"]);
        assert!(
            message.contains(&format!("within {limit}: the tolerance must be a finite number, at least 0")),
            "{message}"
        );
    }
    assert!(complains(&folder, &["completions", "tcsh"]).contains("possible values: bash"));
}

#[test]
fn files() {
    let folder = Folder::with_case();
    folder.write("empty.obj", "");
    folder.write("points.obj", "v 0 0 0\nv 1 0 0\n");
    folder.write("broken.obj", "v 0 0 0\nv 1 x 0\n");
    folder.write("mesh.doc", "hello");
    let wrong = [
        ("none.stl", "nearhit: none.stl: cannot be read"),
        (".", "nearhit: .: is a directory"),
        ("empty.obj", "nearhit: empty.obj: the file is empty"),
        ("points.obj", "nearhit: points.obj: the mesh has no triangles"),
        ("broken.obj", "nearhit: broken.obj:2: vertex coordinate y is \"x\", not a number"),
        ("mesh.doc", "nearhit: mesh.doc: unknown extension \"doc\""),
        ("mesh.step", "convert it to glTF or STL first, for example with FreeCAD"),
    ];
    for (file, expected) in wrong {
        for command in [&["check", "a.obj", file][..], &["distance", file, "a.obj"], &["within", "1", file, file]] {
            let message = complains(&folder, command);
            assert!(message.contains(expected), "{message}\ndoes not say\n{expected}");
        }
        let message = complains(&folder, &["info", file]);
        assert!(message.contains(expected), "{message}\ndoes not say\n{expected}");
    }
    assert!(complains(&folder, &["check", "a.obj"]).contains("<B>"));
    assert!(complains(&folder, &["within", "a.obj", "b.obj"]).contains("<B>"));
    assert!(complains(&folder, &["info"]).contains("<FILE>"));
}

#[test]
fn every_way_to_say_where_a_body_is() {
    let folder = Folder::with_case();
    // A cube of side 2 turned by 45 degrees about z is √8 across; one of its edges is in front.
    let half = "0.7071067811865476";
    let matrix = format!("{half} -{half} 0 3  {half} {half} 0 0  0 0 1 0");
    let nine = format!("{half},-{half},0, {half},{half},0, 0,0,1");
    let quaternion = "0 0 0.3826834323650898 0.9238795325112867";
    let ways = [
        vec!["--b-matrix", &*matrix],
        vec!["--b-matrix", &nine, "--b-translate", "3,0,0"],
        vec!["--b-quaternion", quaternion, "--b-translate", "3 0 0"],
        vec!["--b-euler", "0 0 45", "--b-translate", "3 0 0"],
        vec!["--a-euler", "0 0 45", "--a-translate", "-3 0 0"],
    ];
    for way in ways {
        let line = tells(&folder, &[&["distance", "a.obj", "b.obj"][..], &way].concat(), 0);
        let upper = line["upper"].as_f64().expect("a number");
        assert!((upper - (2.0 - 2_f64.sqrt())).abs() < 1e-14, "{way:?}: {upper}");
    }
    let straight = ["check", "a.obj", "b.obj", "--b-euler", "90 -180 270", "--b-translate", "2 0 0"];
    assert_eq!(nearhit_in(&folder, &straight).status.code(), Some(1), "quarter turns are exact: faces meet");
}

#[test]
fn no_color_means_no_colours() {
    let folder = Folder::with_case();
    for arguments in [&["check", "a.obj", "b.obj"][..], &["info", "a.obj"], &["--help"], &["check"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nearhit"));
        let output = command.args(arguments).current_dir(folder.path()).env("NO_COLOR", "1").output().expect("it runs");
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{arguments:?}");
    }
}

#[test]
fn shells_get_their_completions() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = nearhit_in(&folder, &["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        let script = stdout(&output);
        assert!(
            script.contains("nearhit") && script.contains("b-quaternion") && script.contains("per-pose"),
            "{shell}"
        );
    }
}
