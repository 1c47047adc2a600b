//! PLY: what is refused, in which words and at which place.

use nearhit_io::{Format, parse};

const VERTEX: &str = "property float x\nproperty float y\nproperty float z\n";
const CORNERS: &str = "property list uchar int vertex_indices\n";

#[track_caller]
fn refusal(bytes: impl AsRef<[u8]>) -> String {
    parse(bytes.as_ref(), Format::Ply).expect_err("a bad file").to_string()
}

/// A file of one triangle on lines 10 to 13, in which something is replaced.
#[track_caller]
fn replaced(original: &str, replacement: &str) -> String {
    let text = format!(
        "ply\nformat ascii 1.0\nelement vertex 3\n{VERTEX}element face 1\n{CORNERS}end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
    );
    assert!(parse(text.as_bytes(), Format::Ply).is_ok());
    assert!(text.contains(original), "{original}");
    refusal(text.replacen(original, replacement, 1))
}

#[test]
fn bad_headers_are_named() {
    let statements = "\"format\", \"element\", \"property\", \"comment\", \"obj_info\" or \"end_header\"";
    let unknown = format!("line 2: expected {statements}, found \"Format\"");
    let cases = [
        ("ply", "PLY", "line 1: expected \"ply\", found \"PLY\""),
        ("ply\n", "ply 1\n", "line 1: expected the end of the line, found \"1\""),
        ("format", "Format", &unknown),
        ("format ascii 1.0\n", "", "line 8: expected \"format\", but the file ends"),
        (
            "ascii",
            "binary",
            "line 2: expected \"ascii\", \"binary_little_endian\" or \"binary_big_endian\", found \"binary\"",
        ),
        ("1.0", "2.0", "line 2: expected \"1.0\", found \"2.0\""),
        (" 1.0", "", "line 2: expected \"1.0\", found \"\""),
        ("element", "format ascii 1.0\nelement", "line 3: expected one \"format\" only, found \"format\""),
        ("vertex 3", "vertex", "line 3: expected the number of elements, found \"\""),
        ("vertex 3", "vertex -3", "line 3: the number of elements is \"-3\", not a count"),
        ("vertex 3", "vertex 3 4", "line 3: expected the end of the line, found \"4\""),
        (
            "element",
            "property int a\nelement",
            "line 3: expected \"element\" before the first property, found \"property\"",
        ),
        ("float x", "flot x", "line 4: expected a type or \"list\", found \"flot\""),
        ("float x", "float", "line 4: expected the name of a property, found \"\""),
        ("uchar int", "int64 int", "line 8: expected the type of the length, found \"int64\""),
        ("uchar int", "uchar list", "line 8: expected the type of the values, found \"list\""),
        ("end_header\n", "end_head\n", &format!("line 9: expected {statements}, found \"end_head\"")),
    ];
    for (original, replacement, message) in cases {
        assert_eq!(replaced(original, replacement), message);
    }
    assert_eq!(refusal("ply\nformat ascii 1.0\n"), "line 3: expected \"end_header\", but the file ends");
    let message = "line 1: there is a zero byte: this is a binary (or UTF-16) file, not a text file";
    assert_eq!(refusal("ply\0"), "line 1: expected \"ply\", found \"ply\\0\"");
    assert_eq!(refusal("ply \0"), message);
    assert_eq!(refusal(""), "the file is empty");
}

#[test]
fn headers_that_describe_no_mesh_are_refused() {
    let cases = [
        ("float y", "float Y", "line 3: element \"vertex\": it has no property \"y\""),
        ("float z", "list uchar float z", "line 3: element \"vertex\": property \"z\" is not a number"),
        ("float z", "float x", "line 3: element \"vertex\": property \"x\" is declared twice"),
        ("list uchar int vertex_indices", "int a", "line 7: element \"face\": it has no property \"vertex_indices\""),
        (
            "list uchar int vertex_indices",
            "int vertex_index",
            "line 7: element \"face\": property \"vertex_index\" is not a list",
        ),
        (
            "end_header",
            "property list int int vertex_index\nend_header",
            "line 7: element \"face\": property \"vertex_index\" is declared twice",
        ),
        ("end_header", "element vertex 0\nend_header", "line 9: element \"vertex\": it is declared twice"),
        (
            "element face",
            "element polygon",
            "line 7: element \"polygon\": it is not known, but has \"vertex_indices\": it may hold surfaces that would be lost",
        ),
    ];
    for (original, replacement, message) in cases {
        assert_eq!(replaced(original, replacement), message);
    }
}

#[test]
fn bad_lines_are_named() {
    let nowhere = "names a vertex that does not exist: the file has 3, numbered from 0";
    let cases = [
        ("\n1 0 0\n", "\n1 0\n", "line 11: the line ends before property \"z\""),
        ("\n1 0 0\n", "\n1 0 0 0\n", "line 11: expected the end of the line, found \"0\""),
        ("\n1 0 0\n", "\n1 O 0\n", "line 11: vertex coordinate y is \"O\", not a number"),
        ("\n1 0 0\n", "\n1 0 -nan\n", "line 11: vertex coordinate z is \"-nan\", not a finite number"),
        ("\n1 0 0\n", "\n1e999 0 0\n", "line 11: vertex coordinate x is \"1e999\", beyond the limit of 1e300"),
        ("3 0 1 2", "4 0 1 2", "line 13: the line ends before property \"vertex_indices\""),
        ("3 0 1 2", "3 0 1 2 0", "line 13: expected the end of the line, found \"0\""),
        ("3 0 1 2", "2 0 1", "line 13: too few corners: a face has at least 3, this one has 2"),
        ("3 0 1 2", "0", "line 13: too few corners: a face has at least 3, this one has 0"),
        ("3 0 1 2", "-3 0 1 2", "line 13: the length of a list is \"-3\", not a count"),
        ("3 0 1 2", "2.5 0 1 2", "line 13: the length of a list is \"2.5\", not a count"),
        ("3 0 1 2", "x 0 1 2", "line 13: the length of a list is \"x\", not a count"),
        ("3 0 1 2", "1e300 0 1 2", "line 13: the line ends before property \"vertex_indices\""),
        ("3 0 1 2", "3 0 1 3", &format!("line 13: face corner \"3\" {nowhere}")),
        ("3 0 1 2", "3 0 -1 2", &format!("line 13: face corner \"-1\" {nowhere}")),
        ("3 0 1 2", "3 0 4294967296 2", &format!("line 13: face corner \"4294967296\" {nowhere}")),
        ("3 0 1 2", "3 0 1.5 2", "line 13: face corner \"1.5\" is not a vertex index"),
        ("3 0 1 2", "3 0 nan 2", "line 13: face corner \"nan\" is not a vertex index"),
        ("3 0 1 2", "3 0 a 2", "line 13: face corner \"a\" is not a vertex index"),
        ("3 0 1 2", "", "line 14: the file ends before face 0: the header declares 1"),
        ("3 0 1 2", "3 0 1 2\n\n3 0 1 2", "line 15: expected the end of the file, found \"3\""),
        ("vertex 3", "vertex 2", "line 12: too few corners: a face has at least 3, this one has 0"),
        (
            "face 1",
            "face 18446744073709551616",
            "line 14: the file ends before face 1: the header declares 18446744073709551615",
        ),
    ];
    for (original, replacement, message) in cases {
        assert_eq!(replaced(original, replacement), message);
    }
}

fn binary(elements: &str, body: &[u8]) -> Vec<u8> {
    [format!("ply\nformat binary_little_endian 1.0\n{elements}end_header\n").as_bytes(), body].concat()
}

#[test]
fn bad_bytes_are_named_by_their_offset() {
    let elements = format!("element vertex 1\n{VERTEX}element face 1\n{CORNERS}");
    let start = binary(&elements, b"").len();
    let point = [0_f32; 3].map(f32::to_le_bytes).concat();
    let nan = [0.0, f32::NAN, 0.0].map(f32::to_le_bytes).concat();
    let infinite = [0.0, 0.0, f32::NEG_INFINITY].map(f32::to_le_bytes).concat();
    let face = |corners: [i32; 3]| [&point[..], &[3], &corners.map(i32::to_le_bytes).concat()].concat();
    let nowhere = "names a vertex that does not exist: the file has 1, numbered from 0";
    let cases = [
        (nan, 4, "vertex coordinate y is \"NaN\", not a finite number"),
        (infinite, 8, "vertex coordinate z is \"-inf\", not a finite number"),
        (vec![0; 11], 8, "the file ends before vertex 0: the header declares 1"),
        (vec![], 0, "the file ends before vertex 0: the header declares 1"),
        (point.clone(), 12, "the file ends before face 0: the header declares 1"),
        (face([0, 0, 0])[..24].to_vec(), 21, "the file ends before face 0: the header declares 1"),
        ([&point[..], &[2]].concat(), 12, "too few corners: a face has at least 3, this one has 2"),
        (face([0, 1, 0]), 17, &format!("face corner \"1\" {nowhere}")),
        (face([0, 0, -1]), 21, &format!("face corner \"-1\" {nowhere}")),
        ([face([0; 3]), vec![0, 0, 3]].concat(), 25, "3 bytes follow the last element"),
    ];
    for (body, offset, problem) in cases {
        let bytes = binary(&elements, &body);
        assert_eq!(refusal(bytes), format!("byte {}: {problem}", start + offset));
    }
}

#[test]
fn doubles_and_float_lengths_are_checked_too() {
    let elements = "element vertex 1\nproperty double x\nproperty double y\nproperty double z\n";
    let start = binary(elements, b"").len();
    let body = [0.0, 1.5e300, 0.0].map(f64::to_le_bytes).concat();
    let message = format!("byte {}: vertex coordinate y is \"1.5e300\", beyond the limit of 1e300", start + 8);
    assert_eq!(refusal(binary(elements, &body)), message);
    let elements = "element a 1\nproperty list float uchar b\n";
    let start = binary(elements, b"").len();
    for (length, text) in [(-1.0, "-1"), (0.5, "0.5"), (f32::NAN, "NaN"), (f32::INFINITY, "inf")] {
        let message = format!("byte {start}: the length of a list is \"{text}\", not a count");
        assert_eq!(refusal(binary(elements, &length.to_le_bytes())), message);
    }
}

#[test]
fn a_count_in_a_header_is_not_believed() {
    let elements = format!("element vertex 18446744073709551615\n{VERTEX}");
    let offset = binary(&elements, b"").len() + 12;
    let message = format!("byte {offset}: the file ends before vertex 1: the header declares 18446744073709551615");
    assert_eq!(refusal(binary(&elements, &[0; 12])), message);
    let elements = format!("element vertex 1\n{VERTEX}element face 1\nproperty list uint uchar vertex_index\n");
    let offset = binary(&elements, b"").len() + 16;
    let message = format!("byte {offset}: the file ends before face 0: the header declares 1");
    assert_eq!(refusal(binary(&elements, &[[0; 12].as_slice(), &[255; 4]].concat())), message);
}
