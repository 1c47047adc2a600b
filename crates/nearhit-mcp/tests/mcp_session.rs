//! Sessions with the server, message by message, without the protocol's library: what a client
//! sends is written here by hand.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Two corners of cubes that overlap in a tetrahedron, and one away from both.
const CORNER: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const SHIFTED: &str = "v .5 0 0\nv 1.5 0 0\nv .5 1 0\nv .5 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const AWAY: &str = "v 3 0 0\nv 4 0 0\nv 3 1 0\nv 3 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

struct Session {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    folder: std::path::PathBuf,
    next: u64,
}

impl Session {
    /// Begun as clients begin one.
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("nearhit-mcp-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        for (name, text) in [("a.obj", CORNER), ("b.obj", SHIFTED), ("c.obj", AWAY), ("bad.obj", "v 1 2\n")] {
            std::fs::write(folder.join(name), text).expect("a file");
        }
        let mut server = Command::new(env!("CARGO_BIN_EXE_nearhit-mcp"))
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server");
        let (input, output) = (server.stdin.take(), BufReader::new(server.stdout.take().expect("a pipe")));
        let mut session = Self { server, input, output, folder, next: 0 };
        let client = json!({ "name": "test", "version": "1" });
        let version = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let begun = session.ask("initialize", version);
        assert_eq!(begun["result"]["serverInfo"]["name"], "nearhit", "{begun}");
        assert_eq!(begun["result"]["protocolVersion"], "2025-06-18", "{begun}");
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        session
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("open");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("the server reads");
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server writes");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": parameters });
        self.send(&request.to_string());
        let answer = self.receive();
        assert_eq!(answer["id"], self.next, "{answer}");
        answer
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// The report of a call that works, which is told twice: as data and as text.
    fn report(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments);
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
        let report = answer["result"]["structuredContent"].clone();
        assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), report);
        report
    }

    /// What a call complains about.
    fn complaint(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["content"][0]["text"].as_str().expect("a text").to_owned()
    }
}

impl Drop for Session {
    /// The end of its input ends the server.
    fn drop(&mut self) {
        drop(self.input.take());
        let ended = self.server.wait().map(|status| status.success());
        let _ = std::fs::remove_dir_all(&self.folder);
        if !std::thread::panicking() {
            assert!(matches!(ended, Ok(true)), "{ended:?}");
        }
    }
}

#[test]
fn tools_answer_with_the_report() {
    let mut session = Session::new();
    let listed = session.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().expect("a list");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["info", "distance", "overlap", "clash", "assertions"]);
    assert!(tools.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true), "{listed}");

    let info = session.report("info", json!({ "file": "a.obj" }));
    assert_eq!((&info["file"], &info["triangles"]), (&json!("a.obj"), &json!(4)));
    let apart = session.report("distance", json!({ "a": "a.obj", "b": "c.obj", "b_translate": [0, 0, 0] }));
    assert_eq!(apart["upper"], 2.0, "{apart}");
    let moved = session.report("distance", json!({ "a": "a.obj", "b": "c.obj", "b_translate": [-2, 0, 0] }));
    assert_eq!((&moved["upper"], &moved["collides"]), (&json!(0.0), &json!(true)), "{moved}");
    let overlap = session.report("overlap", json!({ "a": "a.obj", "b": "b.obj" }));
    let volume = overlap["solid"]["overlap"]["volume"]["upper"].as_f64().expect("a volume");
    // A corner half as long.
    assert!((volume - 1.0 / 48.0).abs() < 1e-9, "{overlap}");

    let files = json!(["a.obj", "b.obj", "c.obj"]);
    let clash = session.report("clash", json!({ "files": files, "clearance": 2.5 }));
    assert_eq!((&clash["counts"]["hard"], &clash["counts"]["close"]), (&json!(1), &json!(2)), "{clash}");
    assert_eq!(clash["findings"][0]["a"], "a");
    let cut = session.call("clash", json!({ "files": files, "clearance": 2.5, "most_findings": 1 }));
    let listed = cut["result"]["structuredContent"]["findings"].as_array().map(Vec::len);
    let remark = cut["result"]["content"][1]["text"].as_str().unwrap_or_default();
    assert_eq!((listed, remark), (Some(1), "The 1 worst of 3 findings are listed: most_findings gives more."));

    let asserted = ["room = a:c clears 1.5", "tight = b:c clears 2", "gone = a:d touches"];
    let checked = session.report("assertions", json!({ "files": files, "assert": asserted }));
    let standings: Vec<&str> =
        checked["assertions"].as_array().into_iter().flatten().filter_map(|one| one["standing"].as_str()).collect();
    assert_eq!(standings, ["holds", "violated", "stale"], "{checked}");
    assert_eq!((&checked["findings"], &checked["pairs_judged"]), (&json!([]), &json!(0)), "clashes are not sought");
}

/// Whatever is sent, the answer is an error under its own identity, and the next call works.
#[test]
fn hostile_messages_are_refused() {
    let mut session = Session::new();
    assert!(session.complaint("info", json!({ "file": "missing.stl" })).starts_with("missing.stl: "));
    let bad = session.complaint("info", json!({ "file": "bad.obj" }));
    assert!(bad.starts_with("bad.obj:1"), "{bad}");
    for file in ["", "/", "--help", "a\u{0}b", "/dev/stdin"] {
        let complaint = session.complaint("info", json!({ "file": file }));
        assert!(!complaint.is_empty() && !complaint.contains("panicked"), "{file:?}: {complaint}");
    }
    assert_eq!(session.complaint("info", json!({})), "info needs \"file\"");
    assert_eq!(session.complaint("distance", json!({ "a": 1, "b": "b.obj" })), "\"a\": must be a text, not 1");
    let written = json!({ "files": ["a.obj", "b.obj"], "html": "out.html" });
    assert!(session.complaint("clash", written).starts_with("clash has no argument \"html\""));
    let huge = json!({ "a": "a.obj", "b": "b.obj", "b_translate": [1e308, -1e308, 1e308] });
    let far = session.call("distance", huge);
    assert!(far["result"]["isError"].is_boolean(), "{far}");
    let numbers = json!({ "files": ["a.obj", "b.obj"], "clearance": -1.0 });
    assert!(session.complaint("clash", numbers).contains("must be a finite number, at least 0"));

    assert!(session.call("rm", json!({}))["error"]["message"].as_str().is_some_and(|told| told.contains("no tool")));
    assert!(session.ask("tools/call", json!({ "name": 3 }))["error"].is_object());
    session.send("no JSON");
    session.send("{}");
    assert!(session.receive()["error"].is_object());
    let digits = "9".repeat(400);
    let arguments = format!(r#"{{"a":"a.obj","b":"b.obj","abs_error":{digits}}}"#);
    session.send(&format!(
        r#"{{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{{"name":"distance","arguments":{arguments}}}}}"#
    ));
    let refused = session.receive();
    assert_eq!(refused["id"], "x");
    assert!(refused["error"]["message"].as_str().is_some_and(|told| told.contains("out of range")), "{refused}");
    assert_eq!(session.report("info", json!({ "file": "a.obj" }))["triangles"], 4);
    assert_eq!(std::fs::read_dir(&session.folder).expect("a folder").count(), 4, "nothing is written");
}

/// A call that is cancelled ends, and with it its process.
#[test]
fn a_cancelled_call_makes_room() {
    let mut session = Session::new();
    // Reading a pipe that no one writes to is refused, so a long search has to do: a file of many
    // parts is cancelled at once.
    let files: Vec<&str> = std::iter::repeat_n("b.obj", 400).collect();
    let call = json!({ "name": "clash", "arguments": { "files": files } });
    session.send(&json!({ "jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": call }).to_string());
    let cancelled = json!({ "requestId": 900 });
    session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled }).to_string());
    assert_eq!(session.report("info", json!({ "file": "a.obj" }))["triangles"], 4);
}
