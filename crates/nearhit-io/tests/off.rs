//! OFF: what is read, and what is refused in which words.

use nearhit::RawMesh;
use nearhit_io::{Format, parse};

const SQUARE: &str = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
const SQUARE_POINTS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

#[track_caller]
fn mesh(text: impl AsRef<[u8]>) -> RawMesh {
    parse(text.as_ref(), Format::Off).expect("a good file")
}

#[track_caller]
fn refusal(text: impl AsRef<[u8]>) -> String {
    parse(text.as_ref(), Format::Off).expect_err("a bad file").to_string()
}

/// A file of the square and these faces.
fn file(faces: &[&str]) -> String {
    format!("OFF\n4 {} 0\n{SQUARE}{}\n", faces.len(), faces.join("\n"))
}

#[test]
fn polygons_become_fans_and_their_colours_are_skipped() {
    let mesh = mesh(file(&["3 0 1 2", "4 0 1 2 3 255 0 0", "3 3 3 3 0.1 0.2 0.3 1 # red", "3 1 2 3 red"]));
    assert_eq!(mesh.vertices, SQUARE_POINTS);
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 1, 2], [0, 2, 3], [3, 3, 3], [1, 2, 3]]);
}

#[test]
fn the_counts_may_be_beside_the_header_or_below_it() {
    let expected = mesh(file(&["4 0 1 2 3"]));
    for header in ["OFF\n4 1 0", "OFF 4 1 0", "OFF4 1 4", "OFF # 9 9\n\n# 9 9 9\n 4 1 # edges", "\n\u{b}OFF\n4 1 x"] {
        assert_eq!(mesh(format!("{header}\n{SQUARE}4 0 1 2 3")), expected, "{header}");
    }
}

#[test]
fn every_kind_of_line_end_and_empty_lines_will_do() {
    let expected = mesh(file(&["4 0 1 2 3"]));
    for line_end in ["\r\n", "\r", "\n\n \t\n", " # a comment\n"] {
        assert_eq!(mesh(format!("\u{feff}{}", file(&["4 0 1 2 3"])).replace('\n', line_end)), expected);
    }
}

#[test]
fn what_the_letters_before_the_header_announce_is_skipped() {
    for (header, more) in [
        ("COFF", "255 0 0 255"),
        ("COFF", "1 0 0"),
        ("NOFF", "0 0 1"),
        ("STOFF", "0.5 0.5"),
        ("CNOFF", "0 0 1 1 0 0 1"),
        ("NCSTOFF", "0 0 1 1 0 0 1 0 0"),
        ("STCNOFF", "nan nan nan 1 0 0 1 0 0"),
        ("OFF", "255 0 0"),
    ] {
        let vertices = SQUARE.replace('\n', &format!(" {more}\n"));
        let mesh = mesh(format!("{header}\n4 1 0\n{vertices}4 0 1 2 3"));
        assert_eq!(mesh.vertices, SQUARE_POINTS, "{header}");
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    }
}

#[test]
fn coordinates_are_read_to_the_last_bit() {
    assert_eq!(mesh("OFF 1 0\n0.1 -1e-320 +1E300").vertices, [[0.1, -1e-320, 1e300]]);
}

#[test]
fn other_kinds_are_refused_by_name() {
    let cases = [
        ("4OFF\n1 0 0\n", "line 1: \"4OFF\" is not supported: its vertices have four coordinates"),
        ("C4OFF\n1 0 0\n", "line 1: \"C4OFF\" is not supported: its vertices have four coordinates"),
        ("nOFF\n3\n1 0 0\n", "line 1: \"nOFF\" is not supported: its vertices may have any number of coordinates"),
        ("4nOFF 3\n", "line 1: \"4nOFF\" is not supported: its vertices have four coordinates"),
        ("XOFF\n", "line 1: \"XOFF\" is not supported: the letters before OFF may be C, N and ST"),
        ("OFF BINARY\n\0\0", "line 1: \"BINARY\" is not supported: a binary OFF file must be converted to a text file"),
        ("CNOFF BINARY\n", "line 1: \"BINARY\" is not supported: a binary OFF file must be converted to a text file"),
        ("# a\nply\n", "line 2: expected \"OFF\", found \"ply\""),
        ("OFFSET 3 1 0", "line 1: expected \"OFF\", found \"OFFSET\""),
        ("4 1 0\n", "line 1: expected \"OFF\", found \"4\""),
        ("\n#\n", "line 3: expected \"OFF\", but the file ends"),
        ("", "the file is empty"),
        ("OFF\n\0", "line 2: there is a zero byte: this is a binary (or UTF-16) file, not a text file"),
    ];
    for (text, message) in cases {
        assert_eq!(refusal(text), message);
    }
}

#[test]
fn bad_counts_are_named() {
    let cases = [
        ("OFF", "line 1: the number of vertices is \"\", not a count"),
        ("OFF\n-1 0 0", "line 2: the number of vertices is \"-1\", not a count"),
        ("OFF\n3\n1 0", "line 2: the number of faces is \"\", not a count"),
        ("OFF\n3 1.0 0", "line 2: the number of faces is \"1.0\", not a count"),
        ("OFF 4 1 0\n0 0 0\n", "line 3: the file ends before vertex 1: the header declares 4"),
        (
            "OFF 99999999999999999999 1 0\n0 0 0",
            "line 2: the file ends before vertex 1: the header declares 18446744073709551615",
        ),
        (
            "OFF 0 18446744073709551615 0",
            "line 1: the file ends before face 0: the header declares 18446744073709551615",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(refusal(text), message);
    }
    assert_eq!(refusal(file(&[]) + "\n\n3 0 1 2"), "line 10: expected the end of the file, found \"3\"");
}

#[test]
fn bad_vertices_are_named() {
    let cases = [
        ("0 0", "line 2: too few coordinates: a vertex has 3, this one has 2"),
        ("0 O 0", "line 2: vertex coordinate y is \"O\", not a number"),
        ("0 0 nan", "line 2: vertex coordinate z is \"nan\", not a finite number"),
        ("-1e301 0 0", "line 2: vertex coordinate x is \"-1e301\", beyond the limit of 1e300"),
    ];
    for (vertex, message) in cases {
        assert_eq!(refusal(format!("OFF 1 0 0\n{vertex}\n")), message);
    }
}

#[test]
fn bad_faces_are_named() {
    let cases = [
        ("2 0 1", "line 7: too few corners: a face has at least 3, this one has 2"),
        ("0", "line 7: too few corners: a face has at least 3, this one has 0"),
        ("4 0 1 2", "line 7: the face declares 4 corners, but its line has 3"),
        ("18446744073709551615 0", "line 7: the face declares 18446744073709551615 corners, but its line has 1"),
        ("3.0 0 1 2", "line 7: the number of corners is \"3.0\", not a count"),
        ("3 0 -1 2", "line 7: face corner \"-1\" is not a vertex index"),
        ("3 0 1 4", "line 7: face corner \"4\" names a vertex that does not exist: the file has 4, numbered from 0"),
        (
            "3 0 4294967296 1",
            "line 7: face corner \"4294967296\" names a vertex that does not exist: the file has 4, numbered from 0",
        ),
    ];
    for (face, message) in cases {
        assert_eq!(refusal(file(&[face])), message);
    }
}

#[test]
fn other_line_breaks_never_pass_for_lines() {
    let two_on_a_line = "OFF 4 3 0\n0 0 0 1 0 0\n1 1 0 0 1 0\n3 0 1 2\n3 0 1 2\n3 0 1 2\n";
    assert_eq!(refusal(two_on_a_line), "line 7: the file ends before face 1: the header declares 3");
    assert_eq!(refusal("OFF 1 0 0\n0\n0\n0\n"), "line 2: too few coordinates: a vertex has 3, this one has 1");
}
