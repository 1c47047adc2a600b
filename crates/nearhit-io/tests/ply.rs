//! PLY: what is read, and what is refused in which words.

use nearhit::RawMesh;
use nearhit_io::{Format, parse};

const SQUARE: &str = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
const SQUARE_POINTS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
const VERTEX: &str = "property float x\nproperty float y\nproperty float z\n";
const CORNERS: &str = "property list uchar int vertex_indices\n";

#[track_caller]
fn mesh(bytes: impl AsRef<[u8]>) -> RawMesh {
    parse(bytes.as_ref(), Format::Ply).expect("a good file")
}

#[track_caller]
fn refusal(bytes: impl AsRef<[u8]>) -> String {
    parse(bytes.as_ref(), Format::Ply).expect_err("a bad file").to_string()
}

fn header(format: &str, elements: &str) -> String {
    format!("ply\nformat {format} 1.0\n{elements}end_header\n")
}

/// A text file of the square and these faces, the first on line 14.
fn file(faces: &[&str]) -> String {
    let elements = format!("element vertex 4\n{VERTEX}element face {}\n{CORNERS}", faces.len());
    format!("{}{SQUARE}{}\n", header("ascii", &elements), faces.join("\n"))
}

/// A binary file of these elements.
fn binary(elements: &str, values: &[&[u8]]) -> Vec<u8> {
    [header("binary_little_endian", elements).as_bytes(), &values.concat()].concat()
}

#[test]
fn polygons_become_fans() {
    let mesh = mesh(file(&["3 0 1 2", "4 0 1 2 3", "5 3 3 3 3 3"]));
    assert_eq!(mesh.vertices, SQUARE_POINTS);
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 1, 2], [0, 2, 3], [3, 3, 3], [3, 3, 3], [3, 3, 3]]);
}

#[test]
fn every_kind_of_line_end_will_do() {
    let expected = mesh(file(&["4 0 1 2 3"]));
    for line_end in ["\r\n", "\r", "\n\n", " \n"] {
        assert_eq!(mesh(format!("\u{feff}{}", file(&["4 0 1 2 3"])).replace('\n', line_end)), expected, "{line_end:?}");
    }
    assert_eq!(mesh(file(&["4 0 1 2 3"]).trim_end()), expected);
    let commented = file(&["4 0 1 2 3"]).replace("element", "comment end_header\nobj_info caf\u{e9}\nelement");
    assert_eq!(mesh(commented), expected);
}

#[test]
fn a_line_feed_after_the_header_may_be_data() {
    let elements = "element vertex 1\nproperty uchar x\nproperty uchar y\nproperty uchar z\n";
    for (line_end, x) in [("\n", 10), ("\r", 10), ("\r\n", 10), ("\r\n", 13)] {
        let mut bytes = header("binary_big_endian", elements).replace('\n', line_end).into_bytes();
        bytes.extend([x, 13, 10]);
        assert_eq!(mesh(bytes).vertices, [[f64::from(x), 13.0, 10.0]], "{line_end:?}");
    }
}

/// Every type under both names, in both byte orders and as text.
#[test]
fn coordinates_may_have_any_type() {
    let types: [(&str, &str, f64, &[u8]); 8] = [
        ("char", "int8", -2.0, &[0xfe]),
        ("uchar", "uint8", 254.0, &[0xfe]),
        ("short", "int16", -2.0, &[0xff, 0xfe]),
        ("ushort", "uint16", 65534.0, &[0xff, 0xfe]),
        ("int", "int32", -2.0, &[0xff, 0xff, 0xff, 0xfe]),
        ("uint", "uint32", 4294967294.0, &[0xff, 0xff, 0xff, 0xfe]),
        ("float", "float32", f64::from(0.1_f32), &0.1_f32.to_be_bytes()),
        ("double", "float64", -1e300, &(-1e300_f64).to_be_bytes()),
    ];
    for (old, new, value, big_endian) in types {
        let little_endian: Vec<u8> = big_endian.iter().rev().copied().collect();
        for name in [old, new] {
            let elements = format!("element vertex 1\nproperty {name} z\nproperty char x\nproperty {name} y\n");
            let bodies = [
                ("ascii", format!("{value} 7 {value}\n").into_bytes()),
                ("binary_big_endian", [big_endian, &[7], big_endian].concat()),
                ("binary_little_endian", [&little_endian[..], &[7], &little_endian].concat()),
            ];
            for (format, body) in bodies {
                let bytes = [header(format, &elements).as_bytes(), &body].concat();
                assert_eq!(mesh(bytes).vertices, [[7.0, value, value]], "{name} {format}");
            }
        }
    }
}

#[test]
fn corners_and_lengths_may_have_any_type() {
    for (length, corner) in [("uchar", "uint"), ("int", "uchar"), ("float", "double"), ("ushort", "char")] {
        let elements =
            format!("element vertex 4\n{VERTEX}element face 1\nproperty list {length} {corner} vertex_index\n");
        assert_eq!(mesh(header("ascii", &elements) + SQUARE + "3 2 1 0").triangles, [[2, 1, 0]]);
        let number = |name: &str, value: u8| match name {
            "uchar" | "char" => vec![value],
            "ushort" => u16::from(value).to_le_bytes().to_vec(),
            "uint" | "int" => u32::from(value).to_le_bytes().to_vec(),
            "float" => f32::from(value).to_le_bytes().to_vec(),
            _ => f64::from(value).to_le_bytes().to_vec(),
        };
        let mut bytes = binary(&elements, &[&[0; 48], &number(length, 3)]);
        bytes.extend([2, 1, 0].into_iter().flat_map(|value| number(corner, value)));
        assert_eq!(mesh(bytes).triangles, [[2, 1, 0]], "{length} {corner}");
    }
}

#[test]
fn other_elements_and_properties_are_skipped() {
    let elements = format!(
        "element nothing 18446744073709551615\nelement camera 1\nproperty list uchar double view\nproperty int id\n\
         element vertex 2\nproperty list char short tags\n{VERTEX}property uchar red\n\
         element face 1\nproperty int flags\nproperty list uchar float texcoord\n{CORNERS}property short vertex_inde\n\
         element edge 1\nproperty int vertex1\nproperty int vertex2\n"
    );
    let text = "2 nan x 7\n0 0 0 0 255\n3 7 7 7 1 0 0 255\n9 2 inf -inf 3 0 1 1 9\n0 1";
    let expected = RawMesh { vertices: vec![[0.0; 3], [1.0, 0.0, 0.0]], triangles: vec![[0, 1, 1]] };
    assert_eq!(mesh(header("ascii", &elements) + text), expected);
    let one = 1_f32.to_le_bytes();
    let values: [&[u8]; 14] = [
        &[2],
        &[9; 20],
        &[0],
        &[0; 12],
        &[255],
        &[3, 7, 7, 7, 7, 7, 7],
        &one,
        &[0; 8],
        &[255],
        &[9, 9, 9, 9, 2, 7, 7, 7, 7, 7, 7, 7, 7],
        &[3, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
        &[8, 8],
        &[5; 8],
        b"\n\0\0",
    ];
    assert_eq!(mesh(binary(&elements, &values)), expected);
}

#[test]
fn faces_may_come_before_vertices() {
    let elements = format!("element face 1\n{CORNERS}element vertex 4\n{VERTEX}");
    assert_eq!(mesh(header("ascii", &elements) + "3 0 1 3\n" + SQUARE).triangles, [[0, 1, 3]]);
    let message = "line 10: face corner \"4\" names a vertex that does not exist: the file has 4, numbered from 0";
    assert_eq!(refusal(header("ascii", &elements) + "3 0 1 4\n" + SQUARE), message);
}

#[test]
fn strips_are_read_with_alternating_turns() {
    let elements = format!("element vertex 4\n{VERTEX}element tristrips 1\nproperty list int int vertex_indices\n");
    let text = |strips: &str| header("ascii", &elements) + SQUARE + strips;
    assert_eq!(mesh(text("5 0 1 2 3 0")).triangles, [[0, 1, 2], [1, 3, 2], [2, 3, 0]]);
    assert_eq!(mesh(text("9 -1 0 1 2 -1 3 2 1 -1")).triangles, [[0, 1, 2], [3, 2, 1]]);
    assert_eq!(refusal(text("5 0 1 2 -1 3")), "line 14: too few corners: a face has at least 3, this one has 1");
    assert_eq!(refusal(text("3 0 1 -1")), "line 14: too few corners: a face has at least 3, this one has 2");
    let message = "line 14: face corner \"-2\" names a vertex that does not exist: the file has 4, numbered from 0";
    assert_eq!(refusal(text("3 0 1 -2")), message);
}

#[test]
fn a_file_without_faces_is_an_empty_mesh() {
    let points = header("ascii", &format!("element vertex 4\n{VERTEX}")) + SQUARE;
    assert_eq!(mesh(points), RawMesh { vertices: SQUARE_POINTS.to_vec(), triangles: vec![] });
    assert_eq!(mesh(header("binary_big_endian", "element face 0\nelement vertex 0\n")), RawMesh::default());
    assert_eq!(mesh("ply\nformat ascii 1.0\nend_header"), RawMesh::default());
}
