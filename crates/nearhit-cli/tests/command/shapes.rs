//! Shapes in the place of files: sentences, JSON, exit codes, refusals.

use crate::support::{Folder, complains, says, tells};

const OVERLAP: [&str; 4] = ["box:2,2,2", "box:1,1,1", "--b-translate", "1.25 0 0"];

#[test]
fn check_says_how_deep_two_shapes_overlap() {
    let folder = Folder::new();
    let text = says(&folder, &[&["check"][..], &OVERLAP].concat(), 1);
    assert!(
        text.starts_with("box:2,2,2 and box:1,1,1 touch.\n") && text.contains("Penetration depth: between "),
        "{text}"
    );
    assert!(!text.contains("triangle"), "{text}");
    let line = tells(&folder, &[&["check"][..], &OVERLAP].concat(), 1);
    assert_eq!((line["collides"].as_bool(), line["complete"].as_bool()), (Some(true), Some(true)));
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let depth = &line["known"]["penetration"];
    assert!(number(&depth["lower"]) <= 0.25 && number(&depth["upper"]) >= 0.25, "{line}");
    assert!(number(&depth["upper"]) - number(&depth["lower"]) < 1e-12, "{line}");
    assert!((number(&line["known"]["translation"][0]) - 0.25).abs() < 1e-9, "{line}");
    let apart = says(&folder, &["check", "box:2,2,2", "ball:0.5", "--b-translate", "0 0 3"], 0);
    assert_eq!(apart, "box:2,2,2 and ball:0.5 do not touch.\n");
}

#[test]
fn only_meshes_have_triangles() {
    let folder = Folder::with_case();
    // About the middle of a face of the cube; inside the cube, away from its surface, it touches
    // nothing.
    let text = says(&folder, &["check", "a.obj", "ball:0.25", "--b-translate", "1 0 0"], 1);
    assert!(
        text.contains("For example, triangle ") && text.contains(" of a.obj and ball:0.25 share the point"),
        "{text}"
    );
    assert!(!text.contains("Penetration"), "a mesh beside a shape is a surface: {text}");
    assert_eq!(says(&folder, &["check", "a.obj", "ball:0.25"], 0), "a.obj and ball:0.25 do not touch.\n");
    let text = says(&folder, &["distance", "ball:0.25", "a.obj", "--a-translate", "0 0 50"], 0);
    assert!(text.contains("between ball:0.25 at ") && text.contains(" and triangle "), "{text}");
}

#[test]
fn distance_and_within_agree() {
    let folder = Folder::new();
    let pair = ["capsule:0.5,1", "half-space:0,0,1,0", "--a-translate", "0 0 2"];
    let line = tells(&folder, &[&["distance"][..], &pair].concat(), 0);
    let upper = line["upper"].as_f64().expect("a number");
    assert!((upper - 1.0).abs() < 1e-12 && line["collides"] == false, "{line}");
    assert_eq!(tells(&folder, &[&["within", "1"][..], &pair].concat(), 1)["within"], true);
    assert_eq!(tells(&folder, &[&["within", "0.999"][..], &pair].concat(), 0)["within"], false);
    // A margin is subtracted.
    let grown = ["capsule:0.5,1+0.25", "half-space:0,0,1,0", "--a-translate", "0 0 2"];
    let line = tells(&folder, &[&["distance"][..], &grown].concat(), 0);
    assert!((line["upper"].as_f64().expect("a number") - 0.75).abs() < 1e-12, "{line}");
}

#[test]
fn refusals_say_what_is_wrong() {
    let folder = Folder::with_case();
    let refused = [
        (&["check", "box:1,2", "a.obj"][..], "'box:1,2' is not a shape: a box needs 3 numbers: x,y,z (found 2)"),
        (&["distance", "a.obj", "ball:-1"], "ball: radius is -1;"),
        (&["check", "a.obj", "ball:1", "--solid"], "--solid is for two meshes: ball:1 is a shape"),
        (&["check", "a.obj", "ball:1", "--contacts"], "--contacts lists triangles of two meshes"),
        (
            &["check", "blob:1", "a.obj"],
            "'blob:1' is not a shape: unknown shape 'blob' (known: ball, sphere, capsule, ",
        ),
        (&["distance", "a.obj", "BOX:1,2,3+0.1"], "unknown shape 'BOX' (known: "),
        (&["check", "part:one", "a.obj"], "has no extension"),
    ];
    for (arguments, message) in refused {
        let text = complains(&folder, arguments);
        assert!(text.contains(message), "{text}");
    }
}

#[test]
fn clouds_heights_and_octrees_come_from_files() {
    let folder = Folder::new();
    folder.write("seen.xyz", "# x y z intensity\n1 0 0 7\n1 2 0 9\n");
    folder.write("ground.txt", "0 0 0\n0 1 0\n0 0 0\n");
    let text = says(&folder, &["distance", "cloud:seen.xyz,0.25", "ball:0.5", "--b-translate", "3 2 0"], 0);
    assert!(text.contains("point 1 of cloud:seen.xyz,0.25 at (1.25, 2, 0)"), "{text}");
    let line = tells(&folder, &["distance", "cloud:seen.xyz,0.25+0.25", "ball:0.5", "--b-translate", "3 2 0"], 0);
    assert_eq!(line["upper"].as_f64().map(|gap| (gap * 1e9).round()), Some(1e9), "{line}");
    // Above the top, and below the ground.
    assert_eq!(
        tells(&folder, &["within", "0.5", "heights:ground.txt,1,1", "ball:0.5", "--b-translate", "1 1 2"], 1)["within"],
        true
    );
    let below = ["ball:0.1", "--b-translate", "1 1 -1"];
    assert_eq!(tells(&folder, &[&["check", "heights:ground.txt,1,1"][..], &below].concat(), 0)["collides"], false);
    assert_eq!(tells(&folder, &[&["check", "heights:ground.txt,1,1,-2"][..], &below].concat(), 1)["collides"], true);
    assert_eq!(
        tells(&folder, &["check", "octree:seen.xyz,0.5", "ball:0.1", "--b-translate", "1.25 0.25 0.25"], 1)["collides"],
        true
    );
    for (shape, reason) in [
        ("cloud:seen.xyz", "cloud:FILE,RADIUS"),
        ("cloud:seen.xyz,-1", "radius"),
        ("cloud:none.xyz,1", "none.xyz"),
        ("octree:seen.xyz,0", "resolution"),
        ("heights:seen.xyz,1", "heights:FILE,DX,DY"),
    ] {
        let text = complains(&folder, &["check", shape, "ball:1"]);
        assert!(text.contains(reason), "{shape}: {text}");
    }
}
