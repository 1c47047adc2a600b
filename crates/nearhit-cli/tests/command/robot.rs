//! `nearhit robot`: sentences, JSON, exit codes, refusals, on the built-in robot.

use crate::support::{Folder, complains, says, tells};
use nearhit_robot::{CheckOptions, Checker, Random, Robot};

fn folder() -> Folder {
    let folder = Folder::new();
    assert_eq!(says(&folder, &["robot", "example", "-o", "arm.urdf"], 0), "arm.urdf\narm.srdf\n");
    folder
}

const SHEET: &str = "sheet=box:0.0001,2,2@0.6,0,0.5";

#[test]
fn info_tells_of_joints_bodies_and_pairs() {
    let folder = folder();
    let text = says(&folder, &["robot", "info", "arm.urdf", "--srdf", "arm.srdf"], 0);
    assert!(text.starts_with("example: 7 links, 6 joints, 7 bodies, 14 pairs checked\n"), "{text}");
    assert!(text.contains("  lift    -2.4 to 2.4\n") && text.contains("states: rest\n"), "{text}");
    let line = tells(&folder, &["robot", "info", "arm.urdf"], 0);
    assert_eq!(line["pairs"].as_u64(), Some(15));
    assert_eq!(line["joints"][5]["mimics"].as_str(), Some("finger"));
    assert_eq!(line["coordinates"].as_array().map(Vec::len), Some(5));
}

#[test]
fn check_names_pairs_and_the_closest() {
    let folder = folder();
    let text = says(&folder, &["robot", "check", "arm.urdf", "--q", "0 1.9 2.5 0 0.02"], 1);
    assert!(text.starts_with("6 pairs touch:\n  base and fore\n"), "{text}");
    let apart = says(&folder, &["robot", "check", "arm.urdf", "--q", "lift=0.5,elbow=2"], 0);
    assert!(apart.starts_with("nothing touches.\nClosest: left at "), "{apart}");
    let near = ["robot", "check", "arm.urdf", "--q", "lift=0.5,elbow=2", "--within", "0.2"];
    assert!(says(&folder, &near, 1).contains("4 pairs are at most 0.2 apart"));
    let state = ["robot", "check", "arm.urdf", "--srdf", "arm.srdf", "--q", "rest", "--world", SHEET];
    assert!(says(&folder, &state, 1).contains("and sheet\n"));
    let line = tells(&folder, &state, 1);
    assert_eq!((line["configurations"].as_u64(), line["colliding"].as_u64()), (Some(1), Some(1)));
    assert_eq!(line["found"][0]["pairs"][0][1].as_str(), Some("sheet"));
}

/// What a joint cannot do is answered, and told.
#[test]
fn joints_out_of_their_limits_are_told() {
    let folder = folder();
    let text = says(&folder, &["robot", "check", "arm.urdf", "--q", "lift=2.5,elbow=2"], 1);
    assert!(text.contains("Outside of its limits: lift is 2.5, not from -2.4 to 2.4.\n"), "{text}");
    assert!(!text.contains("elbow is"), "{text}");
    let line =
        tells(&folder, &["robot", "check", "arm.urdf", "--q", "lift=2.5", "--q", "lift=2.4", "--q", "lift=-3"], 1);
    let outside = &line["found"][0]["outside"][0];
    assert_eq!((outside["coordinate"].as_str(), outside["value"].as_f64()), (Some("lift"), Some(2.5)));
    assert_eq!((outside["lower"].as_f64(), outside["upper"].as_f64()), (Some(-2.4), Some(2.4)));
    assert_eq!(line["found"][1]["outside"].as_array().map(Vec::len), Some(0));
    assert_eq!(line["found"][2]["outside"][0]["value"].as_f64(), Some(-3.0));
    let path = ["robot", "path", "arm.urdf", "--from", "turn=9", "--to", "turn=0"];
    let line = tells(&folder, &path, 0);
    assert_eq!(line["outside"].as_array().map(Vec::len), Some(1), "{line}");
    assert_eq!(line["outside"][0]["value"].as_f64(), Some(9.0));
    assert!(says(&folder, &path, 0).ends_with("Outside of its limits: turn is 9, not from -3.14159 to 3.14159.\n"));
}

#[test]
fn many_configurations_are_counted() {
    let folder = folder();
    let line = tells(&folder, &["robot", "check", "arm.urdf", "--random", "500"], 1);
    let colliding = line["colliding"].as_u64().expect("a count");
    assert!((50..450).contains(&colliding), "{line}");
    assert!(line["pairs"][0]["count"].as_u64().expect("a count") <= colliding);
    // More than are in memory at a time.
    let more = tells(&folder, &["robot", "check", "arm.urdf", "--random", "5000"], 1);
    let checker = Checker::new(Robot::example(), CheckOptions::default()).expect("a good robot");
    let mut random = Random::new(0);
    let all: Vec<f64> = (0..5000).flat_map(|_| checker.robot().random_configuration(&mut random)).collect();
    let hits = checker.collides_each(&all).expect("good configurations").into_iter().filter(|&hits| hits).count();
    assert_eq!(more["configurations"].as_u64(), Some(5000));
    assert_eq!(more["colliding"].as_u64(), Some(hits as u64));
    folder.write("some.txt", "# two\n0 0 0 0 0\n\n0 1.9 2.5 0 0 # hits\n");
    let text = says(&folder, &["robot", "check", "arm.urdf", "--file", "some.txt"], 1);
    assert!(text.contains("configuration 0: nothing touches.") && text.ends_with("1 of 2 configurations collide.\n"));
}

#[test]
fn changes_of_the_robot_change_the_answer() {
    let folder = folder();
    let base = ["robot", "check", "arm.urdf", "--q", "lift=1.2"];
    assert!(says(&folder, &base, 0).starts_with("nothing touches"));
    let with = |more: &[&str], code| says(&folder, &[&base[..], more].concat(), code);
    let wall = ["--world", "wall=box:0.1,2,2@1.2,0,0.5"];
    with(&wall, 0);
    assert!(with(&[&wall[..], &["--attach", "hand=cylinder:0.01,0.5@0,0,0.3"]].concat(), 1).contains("wall"));
    assert!(with(&[&wall[..], &["--pad", "hand=0.5"]].concat(), 1).contains("hand"));
    let hit = ["robot", "check", "arm.urdf", "--q", "0 1.9 2.5 0 0.02"];
    let allowed = ["base:fore", "base:hand", "base:left", "base:right", "shoulder:fore", "shoulder:hand"]
        .map(|pair| ["--allow", pair])
        .concat();
    says(&folder, &[&hit[..], &allowed].concat(), 0);
}

#[test]
fn paths_are_clear_or_hit_or_not_known() {
    let folder = folder();
    let clear = ["robot", "path", "arm.urdf", "--from", "0 0 0 0 0", "--to", "1 0.5 1 0 0", "--clearance", "0.005"];
    assert!(says(&folder, &clear, 0).starts_with("Clear by more than 0.005 at every instant.\n"));
    let hit = ["robot", "path", "arm.urdf", "--from", "lift=0.2", "--to", "lift=1.2", "--world", SHEET];
    let line = tells(&folder, &hit, 1);
    let [until, at] = ["certain_until", "contact"].map(|key| line[key].as_f64().expect("a share"));
    assert!(0.0 < until && until <= at && at - until < 1e-4, "{line}");
    assert_eq!(line["pair"][1].as_str(), Some("sheet"));
    assert!(says(&folder, &[&hit[..], &["--budget", "3"]].concat(), 3).starts_with("Not known for "));
    folder.write("plan.txt", "0 0 0 0 0\n1 0 0 0 0\n1 1.9 2.5 0 0\n0 0 0 0 0\n");
    let line = tells(&folder, &["robot", "path", "arm.urdf", "--file", "plan.txt"], 1);
    assert_eq!((line["lines"].as_u64(), line["line"].as_u64()), (Some(3), Some(1)));
}

#[test]
fn refusals_name_what_is_wrong() {
    let folder = folder();
    let check = |more: &[&str]| complains(&folder, &[&["robot", "check", "arm.urdf"][..], more].concat());
    assert!(check(&["--q", "0 0 0"]).contains("3 numbers, but the robot has 5: turn lift elbow roll finger"));
    assert!(check(&["--q", "elbow=a"]).contains("\"a\" is not a number"));
    assert!(check(&["--q", "knee=1"]).contains("there is no coordinate \"knee\""));
    assert!(check(&["--q", "0 0 0 0 nan"]).contains("coordinate 4 (finger) is NaN"));
    assert!(check(&["--q", "lift=0", "--world", "box:1,1,1"]).contains("no '='"));
    assert!(check(&["--q", "lift=0", "--world", "a=box:1,1,1@1,2"]).contains("2 numbers behind '@'"));
    assert!(check(&["--q", "lift=0", "--pad", "wing=1"]).contains("there is no link \"wing\""));
    assert!(check(&["--q", "lift=0", "--allow", "wing:hand"]).contains("there is no link \"wing\""));
    assert!(check(&["--q", "lift=0", "--within", "-1"]).contains("--within -1"));
    assert!(check(&["--q", "rest"]).contains("names of states need --srdf"));
    assert!(check(&["--q", "nap", "--srdf", "arm.srdf"]).contains("nor a state of the SRDF; known: rest"));
    folder.write("none.txt", "# nothing\n\n");
    assert!(check(&["--file", "none.txt"]).contains("none.txt: has no configurations"));
    assert!(check(&["--random", "0"]).contains("--random 0: must be from 1"));
    let info = |text: &str| {
        folder.write("odd.urdf", text);
        complains(&folder, &["robot", "info", "odd.urdf"])
    };
    assert!(info("\n").contains("odd.urdf: the file is empty"));
    assert!(info("<robot>\n<xacro:include filename=\"a\"/></robot>").contains("odd.urdf:2: this is a xacro file"));
    let mesh = "<mesh filename=\"package://nowhere/b.stl\"/>";
    let link = format!("<link name=\"a\"><collision><geometry>{mesh}</geometry></collision></link>");
    assert!(info(&format!("<robot>{link}</robot>")).contains("--package FOLDER"));
    let pair = complains(&folder, &["check", "arm.urdf", "arm.urdf"]);
    assert!(pair.contains("nearhit robot check"), "{pair}");
    let urdf = check(&["--q", "lift=0", "--srdf", "arm.urdf"]);
    assert!(urdf.contains("arm.urdf:") && urdf.contains("this is a URDF, which describes links; an SRDF"), "{urdf}");
    assert!(complains(&folder, &["robot", "example", "-o", "x.srdf"]).contains("x.srdf: two outputs would be written"));
    folder.write("bad.txt", "0 0 0 0 0\n1 2\n");
    assert!(check(&["--file", "bad.txt"]).contains("bad.txt:2:"));
    assert!(complains(&folder, &["robot", "path", "arm.urdf", "--file", "arm.srdf"]).contains("arm.srdf:1:"));
    folder.write("bad.urdf", "<robot name=\"x\">\n<link/></robot>");
    assert!(complains(&folder, &["robot", "info", "bad.urdf"]).contains("bad.urdf:2:"));
    assert!(complains(&folder, &["robot", "info", "none.urdf"]).contains("none.urdf: cannot be read"));
}

#[test]
fn more_than_can_be_made_is_refused() {
    let folder = folder();
    let many = complains(&folder, &["robot", "check", "arm.urdf", "--random", "99999999999999"]);
    assert!(many.contains("--random 99999999999999: must be from 1 to 1000000000"), "{many}");
    let balls = complains(&folder, &["robot", "spheres", "arm.urdf", "--count", "999999999999"]);
    assert!(balls.contains("the number of balls is 999999999999: it must be at most 7168"), "{balls}");
    let each = complains(&folder, &["robot", "spheres", "arm.urdf", "--per-link", "1025"]);
    assert!(each.contains("it must be at most 1024"), "{each}");
}

#[test]
fn a_matrix_is_proven_saved_and_resumed() {
    let folder = folder();
    let base = ["robot", "matrix", "arm.urdf", "--srdf", "arm.srdf", "--samples", "100"];
    let some = [&base[..], &["--tests", "2000", "--state", "arm.state"]].concat();
    let line = tells(&folder, &some, 3);
    let more = tells(&folder, &some, 3);
    let count = |line: &serde_json::Value, key: &str| line[key].as_u64().expect("a count");
    assert!(count(&more, "tests") > count(&line, "tests") && count(&more, "open") <= count(&line, "open"));
    assert!(count(&line, "never") >= 2 && count(&line, "sometimes") >= 5, "{line}");
    assert_eq!(line["srdf_never"], serde_json::json!([1, 0, 0]));
    says(&folder, &[&base[..], &["--tests", "2000", "-o", "proven.srdf"]].concat(), 3);
    let proven = folder.read("proven.srdf");
    assert!(proven.contains(r#"link1="left" link2="right" reason="Never""#) && proven.contains("not sampled"));
    let pairs = |srdf| tells(&folder, &["robot", "info", "arm.urdf", "--srdf", srdf], 0)["pairs"].as_u64();
    assert!(pairs("proven.srdf") < pairs("arm.srdf"));
    // A pair that does touch, called "Never".
    folder.write("lie.srdf", &folder.read("arm.srdf").replace("link1=\"left\"", "link1=\"base\""));
    let lie = ["robot", "matrix", "arm.urdf", "--srdf", "lie.srdf", "--tests", "2000"];
    assert!(says(&folder, &lie, 1).contains("0 proven, 1 refuted, 0 open"));
    folder.write("arm.state", &folder.read("arm.state").replace("matrix 1", "matrix 9"));
    assert!(complains(&folder, &some).contains("line 1: it does not begin with"));
    assert!(
        complains(&folder, &["robot", "matrix", "arm.urdf", "-o", "arm.urdf"]).contains("one of the robot's files")
    );
}

#[test]
fn balls_are_written_for_planners() {
    let folder = folder();
    let base = ["robot", "spheres", "arm.urdf", "--count", "20"];
    let line = tells(&folder, &base, 0);
    assert_eq!((line["links"].as_array().map(Vec::len), line["spheres"].as_u64()), (Some(7), Some(20)));
    for (format, said) in [
        ("json", "\"radius\""),
        ("srdf", "<sphere center="),
        ("curobo", "collision_spheres:"),
        ("xrdf", "format: xrdf"),
    ] {
        says(&folder, &[&base[..], &["-o", "out", "--format", format]].concat(), 0);
        assert!(folder.read("out").contains(said), "{format}");
    }
    // What is written as a robot is one: where the arm touches, so do its balls.
    says(&folder, &[&base[..], &["-o", "balls.urdf", "--format", "urdf"]].concat(), 0);
    let line = tells(&folder, &["robot", "info", "balls.urdf"], 0);
    assert_eq!(line["bodies"].as_array().map(Vec::len), Some(20));
    says(&folder, &["robot", "check", "balls.urdf", "--q", "0 1.9 2.5 0 0.02"], 1);
    assert!(complains(&folder, &["robot", "spheres", "arm.urdf", "--count", "0"]).contains("at least 1"));
}
