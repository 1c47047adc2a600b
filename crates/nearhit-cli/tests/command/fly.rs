//! `nearhit fly` flies, writes what its frames took, and refuses what makes no flight.

use crate::support::{Folder, complains, says};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};

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
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let live = |arguments: &[&str]| complains(&folder, &[&["fly", "--detect", "exact"], arguments].concat());
    assert!(live(&["--port", &port]).contains(&format!("--port {port}: cannot listen there")));
    assert!(live(&["--port", "70000"]).contains("--port"));
    assert!(live(&["--headless", "--no-open"]).contains("--no-open"));
    assert!(live(&["--headless", "--port", "8080"]).contains("--port"));
    assert!(live(&["--budget-us", "-5"]).contains("--budget-us -5: the budget must be a finite number"));
    let refused = |arguments: &[&str]| complains(&folder, &[&["fly", "--headless"], arguments].concat());
    assert!(refused(&["--budget-us", "-5"]).contains("--budget-us -5"));
    assert!(refused(&["--budget-us", "NaN"]).contains("--budget-us NaN"));
    assert!(refused(&["--scene", "nowhere.json"]).contains("nowhere.json"));
    assert!(refused(&["--frames", "0"]).contains("--frames"));
    assert!(refused(&["--detect", "guess"]).contains("[possible values: exact, octree, medial, average]"));
    folder.write("bad.json", r#"{"ship": "a.obj", "drones": [], "room": 3}"#);
    assert!(refused(&["--scene", "bad.json"]).contains("0 drones"));
    folder.write("bad.json", r#"{"ship": "a.obj", "drones": [{"mesh": "no.obj", "count": 1}]}"#);
    assert!(refused(&["--scene", "bad.json"]).contains("no.obj"));
    folder.write("bad.json", r#"{"ship": "a.obj", "drones": [{"mesh": "b.obj", "count": 1}], "room": -1}"#);
    assert!(refused(&["--scene", "bad.json"]).contains("room is -1"));
    folder.write("bad.json", r#"{"ship": "a.obj", "drones": [{"mesh": "b.obj", "count": 1}], "rom": 1}"#);
    assert!(refused(&["--scene", "bad.json"]).contains("rom"));
    for scene in ["[1, 2]", "{\"ship\": 1, \"drones\": []}", "{}", "{"] {
        folder.write("bad.json", scene);
        let told = refused(&["--scene", "bad.json"]);
        assert!(told.contains("bad.json:1:") && told.contains("a scene is {\"ship\": FILE"), "{told}");
        assert!(!told.contains("struct") && !told.contains("Written"), "{told}");
    }
    assert!(refused(&["--scene", "fleet.json", "--csv", "no/such/folder.csv"]).contains("cannot be written"));
    for input in ["fleet.json", "a.obj"] {
        assert!(refused(&["--scene", "fleet.json", "--csv", input]).contains("belongs to the scene"), "{input}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_flight_with_what_it_took() {
    let folder = fleet();
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearhit"));
    command.args(["fly", "--scene", "fleet.json", "--headless", "--detect", "exact", "--frames", "100000000"]);
    command.args(["--csv", "frames.csv"]).current_dir(folder.path()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    while !folder.file("frames.csv").is_file() || folder.read("frames.csv").lines().count() < 5 {
        assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("a shell's kill");
    let output = child.wait_with_output().expect("an end");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(killed.success() && output.status.code() == Some(3) && text.contains(" frames, "), "{output:?}");
}

/// A flight with a page; it ends with its last frame.
struct Live {
    child: Child,
    out: BufReader<ChildStdout>,
    host: String,
    base: String,
}

impl Live {
    fn new(folder: &Folder, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nearhit"));
        command.args(["fly", "--scene", "fleet.json", "--no-open"]).args(arguments);
        let mut child = command.current_dir(folder.path()).stdout(Stdio::piped()).spawn().expect("the binary runs");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        let address = line.strip_prefix("The flight: http://").expect("an address").trim_end();
        let (host, base) = address.split_once('/').expect("a path");
        Self { child, out, host: host.to_owned(), base: format!("/{base}") }
    }

    /// Status and body.
    fn request(&self, method: &str, path: &str, host: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        // Only a fault takes so long; it fails instead of hanging.
        let guard = Some(std::time::Duration::from_secs(120));
        stream.set_read_timeout(guard).and_then(|()| stream.set_write_timeout(guard)).expect("limits");
        let (base, length) = (&self.base, body.len());
        let text = format!(
            "{method} {base}{path} HTTP/1.0\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(text.as_bytes()).expect("a listener");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("an answer");
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").expect("headers");
        (head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status"), body.to_owned())
    }

    fn post(&self, path: &str, question: &Value) -> (u16, String) {
        self.request("POST", path, &self.host, &question.to_string())
    }

    fn told(&self, path: &str, question: &Value) -> Value {
        let (status, body) = self.post(path, question);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).expect("JSON")
    }

    /// The rest of what it says, when it ends by itself.
    fn end(mut self) -> String {
        let mut text = String::new();
        self.out.read_to_string(&mut text).expect("its output");
        assert_eq!(self.child.wait().expect("an end").code(), Some(0));
        text
    }
}

/// Keys as the page sends them.
fn asked(detect: &str, budget_us: f64, thrust: f64) -> Value {
    json!({ "detect": detect, "budget_us": budget_us, "keys": { "thrust": thrust, "turning": [0, 1, 0] } })
}

#[test]
fn a_live_flight_answers_each_question_with_a_frame() {
    let folder = fleet();
    let live = Live::new(&folder, &["--frames", "6", "--detect", "exact", "--seed", "3", "--csv", "live.csv"]);
    let scene: Value = serde_json::from_str(&live.request("GET", "scene", &live.host, "").1).expect("JSON");
    assert_eq!((&scene["models"], &scene["room"]), (&json!([0, 1, 1, 1, 1, 1]), &json!(3.0)));
    assert_eq!((&scene["triangles"], &scene["limit"]), (&json!([12, 12]), &json!(6)));
    assert_eq!(live.request("GET", "mesh/1", &live.host, "").0, 200);
    let ship = |state: &Value| state["places"][0].clone();
    let still = live.told("frame", &asked("exact", 1e5, 0.0));
    let fast = live.told("frame", &asked("exact", 1e5, 1.0));
    assert_eq!((&still["frame"], &fast["frame"]), (&json!(1), &json!(2)));
    assert_eq!(ship(&still).as_array().map(|place| place[4..].to_vec()), Some(vec![json!(0.0); 3]));
    let again = live.told("restart", &asked("exact", 1e5, 0.0));
    assert_eq!((&again["frame"], ship(&again)), (&json!(0), ship(&scene["state"])));
    assert_eq!(
        live.told("frame", &asked("exact", 1e5, 0.0))["places"],
        still["places"],
        "the same keys, the same frame"
    );
    assert_eq!(live.told("frame", &asked("exact", 1e5, 1.0))["places"], fast["places"]);
    // From the last one on in another way; with no time at all nothing is looked at.
    let hurried = live.told("frame", &asked("octree", 0.0, 0.0));
    assert_eq!((&hurried["detect"], &hurried["unseen"]), (&json!("octree"), &json!([0, 1, 2, 3, 4, 5])));
    assert_eq!(hurried["over"], false);
    assert_eq!(live.told("frame", &json!({ "detect": "exact", "budget_us": 10, "keys": null }))["over"], true);
    let text = live.end();
    assert!(text.contains("6 frames, ") && text.contains("within their 0 µs to 100000 µs"), "{text}");
    let csv = folder.read("live.csv");
    let frames: Vec<&str> = csv.lines().map(|line| line.split(',').next().unwrap_or_default()).collect();
    assert_eq!(frames, ["frame", "0", "1", "0", "1", "2", "3"]);
}

#[test]
fn a_live_flight_refuses_what_makes_no_frame() {
    let folder = fleet();
    let live = Live::new(&folder, &["--frames", "1", "--detect", "exact"]);
    let refused = |question: &Value, expected: &str| {
        let (status, told) = live.post("frame", question);
        assert!(status == 400 && told.contains(expected), "{status} {told}");
    };
    refused(&json!({}), "missing field");
    refused(&asked("guess", 1e5, 0.0), "unknown detection \"guess\"; known: exact, octree, medial, average");
    refused(&asked("exact", -1.0, 0.0), "-1: the budget must be a finite number of microseconds");
    refused(&asked("exact", 1e300, 0.0), "the budget must be a finite number of microseconds");
    refused(&asked("exact", 1e5, 1.5), "1.5: a key must be from -1 to 1");
    for drawing in [-1.0, 1e300] {
        let slow = json!({ "detect": "exact", "budget_us": 1e5, "keys": null, "drawing_us": drawing });
        refused(&slow, "must be from 0 to 10000000");
    }
    assert_eq!(live.request("GET", "scene", "evil.example", "").0, 403);
    for path in ["frame", "mesh/2", "mesh/-1", "mesh/../scene", "fleet.json", "view.js", "ask"] {
        assert_eq!(live.request("GET", path, &live.host, "").0, 404, "{path}");
    }
    assert_eq!(live.post("ask", &json!({})).0, 404);
    assert_eq!(live.told("frame", &asked("exact", 1e5, 0.0))["frame"], 1, "it was not moved by any of that");
    live.end();
}
