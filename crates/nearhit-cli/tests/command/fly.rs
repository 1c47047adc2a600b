//! `nearhit fly` flies, writes what its frames took, and refuses what makes no flight.

use crate::support::{Folder, complains, says};

fn fleet() -> Folder {
    let folder = Folder::with_case();
    folder.write("fleet.json", r#"{"ship": "a.obj", "drones": [{"mesh": "b.obj", "count": 5}], "room": 3}"#);
    folder
}

#[test]
fn a_flight_writes_a_line_for_each_frame() {
    let folder = fleet();
    for detect in ["exact", "octree"] {
        let arguments = ["fly", "--scene", "fleet.json", "--frames", "30", "--detect", detect, "--seed", "3"];
        let text = says(&folder, &[&arguments[..], &["--csv", "frames.csv", "--headless"]].concat(), 0);
        assert!(text.starts_with("30 frames, ") && text.contains("of 30 frames within 100000 µs"), "{text}");
        let csv = folder.read("frames.csv");
        let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(lines.len(), 31);
        assert!(lines.iter().all(|line| line.len() == lines[0].len()));
        let column = |name: &str| lines[0].iter().position(|known| *known == name).expect("a column");
        let number = |line: &Vec<&str>, name: &str| line[column(name)].parse::<f64>().expect("a number");
        let collisions: f64 = lines[1..].iter().map(|line| number(line, "collisions")).sum();
        assert!(collisions > 5.0, "{collisions}");
        for (index, line) in lines[1..].iter().enumerate() {
            assert_eq!(number(line, "frame"), index as f64);
            let (busy, slack) = (number(line, "busy_us"), number(line, "slack_us"));
            assert!((busy + slack - number(line, "frame_us")).abs() < 0.01);
            assert!(number(line, "detection_us") + number(line, "response_us") <= busy + 0.01);
        }
    }
}

#[test]
fn flights_that_cannot_be_are_refused() {
    let folder = fleet();
    let live = complains(&folder, &["fly", "--scene", "fleet.json"]);
    assert!(live.contains("not there yet") && live.contains("--headless"), "{live}");
    let refused = |arguments: &[&str]| complains(&folder, &[&["fly", "--headless"], arguments].concat());
    assert!(refused(&["--budget-us", "-5"]).contains("--budget-us -5"));
    assert!(refused(&["--budget-us", "NaN"]).contains("--budget-us NaN"));
    assert!(refused(&["--scene", "nowhere.json"]).contains("nowhere.json"));
    assert!(refused(&["--frames", "0"]).contains("--frames"));
    folder.write("bad.json", r#"{"ship": "a.obj", "drones": [], "room": 3}"#);
    assert!(refused(&["--scene", "bad.json"]).contains("0 drones"));
    folder.write("bad.json", r#"{"ship": "a.obj", "drones": [{"mesh": "no.obj", "count": 1}]}"#);
    assert!(refused(&["--scene", "bad.json"]).contains("no.obj"));
    folder.write("bad.json", r#"{"ship": "a.obj", "drones": [{"mesh": "b.obj", "count": 1}], "room": -1}"#);
    assert!(refused(&["--scene", "bad.json"]).contains("room is -1"));
    folder.write("bad.json", r#"{"ship": "a.obj", "drones": [{"mesh": "b.obj", "count": 1}], "rom": 1}"#);
    assert!(refused(&["--scene", "bad.json"]).contains("rom"));
    assert!(refused(&["--scene", "fleet.json", "--csv", "no/such/folder.csv"]).contains("cannot be written"));
}
