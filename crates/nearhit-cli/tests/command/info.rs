//! `nearhit info` tells what is in files.

use crate::support::{Folder, keys, nearhit_in, says, stderr, stdout, tells};
use serde_json::{Value, json};

/// A square of two triangles, one of them twice, a segment, and a vertex for nothing.
const ODD: &str = "v 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\nv 9 9 9\nf 1 2 3\nf 1 3 4\nf 3 4 1\nf 1 2 2\n";

#[test]
fn people_read_what_is_unusual() {
    let folder = Folder::with_case();
    folder.write("odd.obj", ODD);
    let clean = "a.obj: 12 triangles, 8 vertices, closed\n  box from (-1, -1, -1) to (1, 1, 1), size (2, 2, 2)\n";
    assert_eq!(says(&folder, &["info", "a.obj"], 0), clean);
    let text = says(&folder, &["info", "a.obj", "odd.obj"], 0);
    let odd = text.strip_prefix(clean).expect("the first file first");
    assert!(odd.starts_with("\nodd.obj: 4 triangles, 5 vertices, not closed\n"), "{odd}");
    for part in ["1 degenerate triangles", "1 duplicate triangles", "1 unused vertices", "4 open edges"] {
        assert!(odd.contains(part), "{part} is missing:\n{odd}");
    }
    assert!(
        odd.ends_with("  box from (0, 0, 0) to (2, 3, 0), size (2, 3, 0)\n"),
        "unused vertices do not count:\n{odd}"
    );
}

#[test]
fn machines_get_a_line_a_file() {
    let folder = Folder::with_case();
    folder.write("odd.obj", ODD);
    let line = tells(&folder, &["info", "odd.obj"], 0);
    let expected = json!({"file": "odd.obj", "triangles": 4, "vertices": 5, "min": [0.0, 0.0, 0.0],
        "max": [2.0, 3.0, 0.0], "closed": false, "degenerate": 1, "duplicate": 1, "unused_vertices": 1,
        "coincident_vertices": 0, "open_edges": 4, "crowded_edges": 0, "flipped_edges": 0, "self_intersections": 0, "complete": true});
    assert_eq!(line, expected);
    let text = says(&folder, &["info", "odd.obj", "--json"], 0);
    assert_eq!(keys(&text)[..6], ["file", "triangles", "vertices", "min", "max", "closed"]);
    let text = says(&folder, &["info", "a.obj", "b.obj", "--json"], 0);
    let files: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(files.iter().map(|line| &line["file"]).collect::<Vec<_>>(), ["a.obj", "b.obj"]);
}

#[test]
fn one_bad_file_does_not_silence_the_others() {
    let folder = Folder::with_case();
    let output = nearhit_in(&folder, &["info", "a.obj", "none.obj", "b.obj"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("a.obj: 12 triangles") && stdout(&output).contains("b.obj: 12 triangles"));
    let complaint = stderr(&output);
    assert!(complaint.starts_with("nearhit: none.obj: cannot be read"), "{complaint}");
    assert!(complaint.ends_with("nearhit: 1 of 3 files could not be read\n"), "{complaint}");
}
