//! STL: what is read, and what is refused in which words.

use nearhit::RawMesh;
use nearhit_io::{Format, parse};

const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.1]];
const FACET: &str =
    "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\n";

#[track_caller]
fn mesh(bytes: impl AsRef<[u8]>) -> RawMesh {
    parse(bytes.as_ref(), Format::Stl).expect("a good file")
}

#[track_caller]
fn refusal(bytes: impl AsRef<[u8]>) -> String {
    parse(bytes.as_ref(), Format::Stl).expect_err("a bad file").to_string()
}

/// A binary file that declares `count` triangles.
fn binary(header: &str, count: u32, triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = header.as_bytes().to_vec();
    bytes.resize(80, 0);
    bytes.extend(count.to_le_bytes());
    for corners in triangles {
        // The normal is NaN and the attribute is not zero: neither is looked at.
        let numbers = [f32::NAN; 3].into_iter().chain(corners.iter().flatten().copied());
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
        bytes.extend([7, 7]);
    }
    bytes
}

fn solid(facets: &str) -> String {
    format!("solid a part\n{facets}endsolid a part\n")
}

#[test]
fn binary_corners_are_merged_and_widen_exactly() {
    let [a, b, c] = CORNERS;
    let mesh = mesh(binary("made by hand", 3, &[[a, b, c], [c, b, [2.0; 3]], [a, a, a]]));
    assert_eq!(mesh.triangles, [[0, 1, 2], [2, 1, 3], [0, 0, 0]]);
    assert_eq!(mesh.vertices, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, f64::from(0.1_f32)], [2.0; 3]]);
}

#[test]
fn minus_zero_is_zero_and_the_last_bit_separates() {
    let next = f32::from_bits(1.0_f32.to_bits() + 1);
    let mesh = mesh(binary("", 1, &[[[-0.0, 1.0, 0.0], [0.0, next, 0.0], [0.0, 1.0, -0.0]]]));
    assert_eq!(mesh.triangles, [[0, 1, 0]]);
    assert_eq!(mesh.vertices, [[0.0, 1.0, 0.0], [0.0, f64::from(next), 0.0]]);
    assert!(mesh.vertices[0][0].is_sign_positive());
}

#[test]
fn a_binary_file_may_begin_with_solid() {
    assert_eq!(mesh(binary("solid with a trap", 1, &[CORNERS])).triangles, [[0, 1, 2]]);
    let blank = format!("{:80}", "solid padded with blanks");
    assert_eq!(mesh(binary(&blank, 1, &[CORNERS])).triangles, [[0, 1, 2]]);
    let message = "the header declares 2 triangles, but the 134 bytes of the file hold 1";
    assert_eq!(refusal(binary(&blank, 2, &[CORNERS])), message);
}

#[test]
fn a_count_is_checked_against_the_length() {
    let cases = [
        (u32::MAX, 16, "the header declares 4294967295 triangles, but the 100 bytes of the file hold 0"),
        (3, 149, "the header declares 3 triangles, but the 233 bytes of the file hold 2"),
        (1, 100, "the header declares 1 triangles, but 50 bytes follow the last one"),
        (0, 1000, "the header declares 0 triangles, but 1000 bytes follow the last one"),
    ];
    for (count, length, message) in cases {
        let mut bytes = binary("", count, &[CORNERS; 20]);
        bytes.truncate(84 + length);
        assert_eq!(refusal(bytes), message);
    }
}

#[test]
fn less_than_a_triangle_may_follow_a_binary_file() {
    let mut bytes = binary("", 1, &[CORNERS]);
    let expected = mesh(&bytes);
    bytes.extend([b'\n'; 49]);
    assert_eq!(mesh(&bytes), expected);
    bytes.push(b'\n');
    assert_eq!(refusal(&bytes), "the header declares 1 triangles, but 50 bytes follow the last one");
}

#[test]
fn binary_numbers_that_are_not_finite_are_named() {
    let mut triangles = [CORNERS; 3];
    triangles[1][2][0] = f32::NEG_INFINITY;
    let message = "triangle 1: corner 2: coordinate x is -inf, not a finite number";
    assert_eq!(refusal(binary("", 3, &triangles)), message);
    triangles[0][1][2] = f32::NAN;
    let message = "triangle 0: corner 1: coordinate z is NaN, not a finite number";
    assert_eq!(refusal(binary("", 3, &triangles)), message);
}

#[test]
fn what_is_neither_kind_is_refused() {
    let message = "not an STL file: it does not begin with \"solid\", and it is no binary STL file either";
    assert_eq!(refusal("facet"), message);
    assert_eq!(refusal(FACET), message);
    assert_eq!(refusal(&binary("", 0, &[])[..83]), message);
    assert_eq!(refusal(""), "the file is empty");
}

#[test]
fn text_corners_are_merged_and_read_in_double_precision() {
    let mesh = mesh(solid(&format!("{FACET}{}", FACET.replace("vertex 0 1 0", "vertex 1 -0 0.1"))));
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 1, 3]]);
    assert_eq!(mesh.vertices, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.1]]);
}

#[test]
fn text_may_come_in_any_case_and_white_space() {
    let expected = mesh(solid(FACET));
    assert_eq!(expected.triangles, [[0, 1, 2]]);
    let text = solid(FACET);
    assert_eq!(mesh(text.to_uppercase()), expected);
    assert_eq!(mesh(text.replace('\n', "\r\n")), expected);
    assert_eq!(mesh(text.replace('\n', "\r").replace("  ", "\t")), expected);
    assert_eq!(mesh(format!("\u{feff} \n\n{text}")), expected);
    let on_one_line = format!("solid\n{}endsolid", FACET.replace('\n', " "));
    assert_eq!(mesh(on_one_line), expected);
    assert_eq!(mesh(text.replace("0 0 1", "-nan(ind) 1,5 #")), expected);
    assert_eq!(mesh(text.replace(" 0 0 1", "")), expected);
}

#[test]
fn several_solids_make_one_mesh() {
    let text = format!("{}{}solid\nendsolid", solid(FACET), solid(&FACET.replace("1 0 0", "5 0 0")));
    assert_eq!(mesh(text).triangles, [[0, 1, 2], [0, 3, 2]]);
    assert_eq!(mesh("solid facet vertex endsolid\nendsolid solid facet"), RawMesh::default());
}

#[test]
fn text_errors_name_the_line() {
    let facet_expected = "expected \"facet\" or \"endsolid\"";
    let vertex_expected = "expected \"vertex\" or \"endloop\"";
    let cases = [
        ("vertex 1 0 0", "vertex 1 O 0", "line 5: vertex coordinate y is \"O\", not a number".into()),
        ("vertex 1 0 0", "vertex 1 NaN 0", "line 5: vertex coordinate y is \"NaN\", not a finite number".into()),
        (
            "vertex 1 0 0",
            "vertex 1 0 2e300",
            "line 5: vertex coordinate z is \"2e300\", beyond the limit of 1e300".into(),
        ),
        ("vertex 1 0 0", "vertex 1 0", "line 5: too few coordinates: a vertex has 3, this one has 2".into()),
        ("vertex 1 0 0", "vertex 1 0 0 7", format!("line 5: {vertex_expected}, found \"7\"")),
        ("vertex 1 0 0", "", "line 2: a facet has 3 vertices, this one has 2".into()),
        ("vertex 1 0 0", "vertex 1 0 0\nvertex 1 0 0", "line 2: a facet has 3 vertices, this one has 4".into()),
        ("endloop", "", format!("line 8: {vertex_expected}, found \"endfacet\"")),
        ("endfacet", "end facet", "line 8: expected \"endfacet\", found \"end\"".into()),
        ("outer", "inner", "line 3: expected \"outer\", found \"inner\"".into()),
        ("loop\n", "\n", "line 4: expected \"loop\", found \"vertex\"".into()),
        ("normal", "abnormal", "line 2: expected \"normal\", found \"abnormal\"".into()),
        ("facet normal", "face normal", format!("line 2: {facet_expected}, found \"face\"")),
        ("endsolid a part\n", "", format!("line 9: {facet_expected}, but the file ends")),
        ("endsolid a part\n", "solid b\n", format!("line 9: {facet_expected}, found \"solid\"")),
        (
            "endsolid a part\n",
            "endsolid\nmore",
            "line 10: expected \"solid\" or the end of the file, found \"more\"".into(),
        ),
        (
            "solid a part\nf",
            "solid_a\nf",
            "line 1: expected \"solid\" or the end of the file, found \"solid_a\"".into(),
        ),
    ];
    for (original, replacement, message) in cases {
        let text = solid(FACET).replacen(original, replacement, 1);
        assert_eq!(refusal(&text), message, "{text}");
    }
}

#[test]
fn a_cut_text_never_passes_for_a_whole_one() {
    let text = solid(&FACET.repeat(3));
    let whole = text.find("endsolid").expect("its end") + "endsolid".len();
    for length in 1..whole {
        assert!(parse(&text.as_bytes()[..length], Format::Stl).is_err(), "{length} bytes");
    }
    assert_eq!(mesh(&text[..whole]), mesh(&text));
}

#[test]
fn a_zero_byte_in_a_text_is_named() {
    let message = "there is a zero byte: this is a binary (or UTF-16) file, not a text file";
    assert_eq!(refusal("solid\n\0"), format!("line 2: {message}"));
    let text = solid(&FACET.repeat(3)).replace("endsolid", "\0endsolid");
    assert_eq!(refusal(text), format!("line 23: {message}"));
}
