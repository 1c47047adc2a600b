//! A small case on disk, and the binary to run on it.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is removed when the test is over.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("nearhit-test-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    /// With two cubes of side 2 that pass each other: [`HITS`] tells at which poses they touch.
    pub(crate) fn with_case() -> Self {
        let folder = Self::new();
        folder.write("a.obj", CUBE);
        folder.write("b.obj", CUBE);
        folder.write("poses.txt", &poses());
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).expect("a writable folder");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).expect("a readable file")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const CUBE: &str = "\
v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 3 4 8\nf 3 8 7\nf 1 5 8\nf 1 8 4\nf 2 3 7\nf 2 7 6\n";

/// Apart, face on face, overlapping, turned and overlapping, corner in face, far away, one in the
/// other's place, and apart.
const OFFSETS: [f64; 8] = [2.5, 2.0, 1.5, 1.5, 2.2, 1e6, 0.0, -2.000001];
pub(crate) const HITS: [bool; 8] = [false, true, true, true, true, false, true, false];

fn poses() -> String {
    const STILL: &str = "1 0 0 0 1 0 0 0 1";
    const TURNED: &str = "0.6 0.8 0 -0.8 0.6 0 0 0 1";
    let mut text = "# two cubes pass\n\n".to_owned();
    for (index, offset) in OFFSETS.into_iter().enumerate() {
        let rotation = if index == 3 || index == 4 { TURNED } else { STILL };
        text += &format!("{rotation} {offset:?} 0.25 0.125 {STILL} 0 0 0\n");
    }
    text
}

/// Names of all volumes that the library has.
pub(crate) fn volumes() -> impl Iterator<Item = &'static str> {
    nearhit::research::VolumeKind::ALL.iter().map(|kind| kind.name())
}

/// `nearhit` with these arguments.
pub(crate) fn nearhit(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nearhit")).args(arguments).output().expect("the binary runs")
}

/// `nearhit` with these arguments, in a folder.
pub(crate) fn nearhit_in(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearhit"));
    command.args(arguments).current_dir(folder.path()).output().expect("the binary runs")
}

/// What it says, when it must end with this code and without a complaint.
#[track_caller]
pub(crate) fn says(folder: &Folder, arguments: &[&str], code: i32) -> String {
    let output = nearhit_in(folder, arguments);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(code), ""), "{}", stdout(&output));
    stdout(&output)
}

/// The same as JSON.
#[track_caller]
pub(crate) fn tells(folder: &Folder, arguments: &[&str], code: i32) -> Value {
    let text = says(folder, &[arguments, &["--json"]].concat(), code);
    assert_eq!(text.matches('\n').count(), 1, "one line: {text}");
    serde_json::from_str(&text).expect("JSON")
}

/// What it complains about, when it must fail and say nothing on stdout.
#[track_caller]
pub(crate) fn complains(folder: &Folder, arguments: &[&str]) -> String {
    let output = nearhit_in(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    assert!(output.stdout.is_empty());
    let text = stderr(&output);
    assert!(!text.contains("panicked"), "{text}");
    text
}

/// Keys in the order of the text, of a flat object.
pub(crate) fn keys(text: &str) -> Vec<String> {
    let object: serde_json::Map<String, Value> = serde_json::from_str(text).expect("an object");
    let mut keys: Vec<String> = object.keys().cloned().collect();
    keys.sort_by_key(|key| text.find(&format!("\"{key}\":")));
    keys
}

/// `nearhit run` on a folder.
pub(crate) fn run(folder: &Folder, options: &[&str]) -> Output {
    let case = folder.path().to_str().expect("a plain name");
    nearhit(&[&["run", case], options].concat())
}

/// Its line of JSON, when it must succeed.
pub(crate) fn run_json(folder: &Folder, options: &[&str]) -> Value {
    let output = run(folder, &[options, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(text.matches('\n').count(), 1, "one line: {text}");
    serde_json::from_str(&text).expect("JSON")
}

/// What `nearhit run` complains about.
#[track_caller]
pub(crate) fn complaint(folder: &Folder, options: &[&str]) -> String {
    complains(folder, &[&["run", "."], options].concat())
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}
