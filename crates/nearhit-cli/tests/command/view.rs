//! `nearhit view`: what it refuses. The page is tested in a browser: scripts/test-viewer.

use crate::support::{Folder, complains};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};

#[test]
fn refusals() {
    let folder = Folder::with_case();
    let refuses = |arguments: &[&str], expected: &str| {
        let text = complains(&folder, &[&["view", "--no-open"], arguments].concat());
        assert!(text.contains(expected), "{text}\ndoes not say\n{expected}");
    };
    refuses(&["a.obj"], "a.obj: a second mesh is missing (or give a case folder, or a robot)");
    refuses(&["a.obj", "none.obj"], "none.obj");
    refuses(&["a.obj", "b.obj", "--a-translate", "1 2"], "--a-translate");
    refuses(&[".", "--b-translate", "1 2 3"], ".: a case has its own poses; --a-… and --b-… have no effect");
    refuses(&["a.obj", "b.obj", "--world", "ball=ball:1"], "are for robots (FILE.urdf)");
    crate::support::says(&folder, &["robot", "example", "-o", "arm.urdf"], 0);
    refuses(&["arm.urdf", "b.obj"], "arm.urdf: a robot is viewed by itself");
    refuses(&["arm.urdf", "--a-translate", "1 2 3"], "arm.urdf: a robot is viewed by itself");
    refuses(&["arm.urdf", "--world", "ball"], "--world ball: it has no '='");
    refuses(&["none.urdf"], "none.urdf");
    std::fs::remove_file(folder.file("poses.txt")).expect("a case");
    refuses(&["."], "poses.txt is missing");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("an address").port().to_string();
    refuses(&["a.obj", "b.obj", "--port", &port], &format!("--port {port}: cannot listen there"));
}

#[test]
fn it_says_where_it_is() {
    let folder = Folder::with_case();
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearhit"));
    command.args(["view", ".", "--no-open"]).current_dir(folder.path()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    child.kill().expect("it runs until it is ended");
    let _ = child.wait();
    assert!(line.starts_with("The view: http://127.0.0.1:"), "{line}");
}
