//! OBJ: what is read, and what is refused in which words.

use nearhit::RawMesh;
use nearhit_io::{Format, ParseError, parse};

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
const SQUARE_POINTS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

#[track_caller]
fn mesh(text: impl AsRef<[u8]>) -> RawMesh {
    parse(text.as_ref(), Format::Obj).expect("a good file")
}

#[track_caller]
fn refusal(text: impl AsRef<[u8]>) -> String {
    parse(text.as_ref(), Format::Obj).expect_err("a bad file").to_string()
}

/// The triangles of faces over the square.
#[track_caller]
fn faces(faces: &str) -> Vec<[u32; 3]> {
    let mesh = mesh(format!("{SQUARE}{faces}"));
    assert_eq!(mesh.vertices, SQUARE_POINTS);
    mesh.triangles
}

#[test]
fn polygons_become_fans_around_their_first_corner_in_order() {
    assert_eq!(faces("f 2 3 4"), [[1, 2, 3]]);
    assert_eq!(faces("f 2 3 4 1\nf 1 1 1"), [[1, 2, 3], [1, 3, 0], [0, 0, 0]]);
    assert_eq!(faces("f 1 2 3 4 1 2"), [[0, 1, 2], [0, 2, 3], [0, 3, 0], [0, 0, 1]]);
}

#[test]
fn corners_may_have_texture_and_normal_indices() {
    assert_eq!(faces("f 1/9 2//9 3/9/9"), [[0, 1, 2]]);
    assert_eq!(faces("f 1/ 2/x +3/-1/-1"), [[0, 1, 2]]);
}

#[test]
fn negative_indices_count_back_from_their_face() {
    assert_eq!(faces("f -1 -2 -4"), [[3, 2, 0]]);
    assert_eq!(mesh("v 0 0 0\nf -1 -1 -1\nv 1 0 0\nf -1 -2/-9 1\n").triangles, [[0, 0, 0], [1, 0, 0]]);
}

#[test]
fn a_positive_index_may_name_a_later_vertex() {
    assert_eq!(mesh(format!("f 1 2 3\nf 4 3 2\n{SQUARE}")).triangles, [[0, 1, 2], [3, 2, 1]]);
}

#[test]
fn coordinates_are_read_to_the_last_bit_and_more_of_them_ignored() {
    let mesh = mesh("v 0.1 -1e-320 +1E300\nv .5 5. -0 0.25\nv 1 2 3 1.0 0.5 red\n");
    assert_eq!(mesh.vertices, [[0.1, -1e-320, 1e300], [0.5, 5.0, 0.0], [1.0, 2.0, 3.0]]);
    assert!(mesh.vertices[1][2].is_sign_negative(), "kept as written");
}

#[test]
fn every_kind_of_line_end_and_white_space_will_do() {
    let expected = mesh(format!("{SQUARE}f 1 2 3 4\n"));
    for (line_end, blank) in [("\r\n", " "), ("\r", "\t"), ("\n", " \t\x0b\x0c"), ("\n\n \r\n", "  ")] {
        let text = format!("\u{feff}{SQUARE}f 1 2 3 4").replace(' ', blank).replace('\n', line_end);
        assert_eq!(mesh(&text), expected, "{text:?}");
    }
}

#[test]
fn other_statements_and_comments_are_skipped() {
    let text = b"# caf\xe9 \\\nmtllib \xff.mtl\no a b\n  v 0 0 0 # first\nvn 0 0 1\nvt x\nvp 1\ng\ns off\nusemtl m\nl 1 2\np 9\nf 1 1 1# no comment";
    assert_eq!(refusal(text), "line 13: face corner \"1#\" does not begin with a vertex index");
    assert_eq!(mesh(&text[..text.len() - "# no comment".len()]).triangles, [[0, 0, 0]]);
    assert_eq!(mesh("#\nV 0 0 0\nF 1 1 1\nfo 1 1 1").triangles, [[0, 0, 0]; 2]);
}

#[test]
fn a_backslash_at_the_end_goes_on_with_the_next_line() {
    let text =
        "v 0 0 \\\n0\nv\\\r\n1 0\\\r0\n# but not in a comment \\\nf 1 2\\\n\\\n \\\n2\ng name \\\nf 1 1 1\nf 1 1 9";
    assert_eq!(refusal(text), "line 13: face corner \"9\" names a vertex that does not exist: the file has 2");
    let mesh = mesh(&text[..text.len() - "f 1 1 9".len()]);
    assert_eq!(mesh.vertices, [[0.0; 3], [1.0, 0.0, 0.0]]);
    assert_eq!(mesh.triangles, [[0, 1, 1]]);
    assert_eq!(refusal("v 0 0 \\\nx"), "line 2: vertex coordinate z is \"x\", not a number");
    assert_eq!(refusal("\nv 0 0 \\\n\\\n"), "line 2: too few coordinates: a vertex has 3, this one has 2");
    assert_eq!(refusal("v 0 0 0\\"), "line 1: vertex coordinate z is \"0\\\\\", not a number");
}

#[test]
fn bad_coordinates_are_named() {
    let cases = [
        ("v 1 1.2.3 0", "line 1: vertex coordinate y is \"1.2.3\", not a number"),
        ("\r\nv 1 0 1,5", "line 2: vertex coordinate z is \"1,5\", not a number"),
        ("v 1.#QNAN 0 0", "line 1: vertex coordinate x is \"1.#QNAN\", not a number"),
        ("v nan 0 0", "line 1: vertex coordinate x is \"nan\", not a finite number"),
        ("v 0 -inf 0", "line 1: vertex coordinate y is \"-inf\", not a finite number"),
        ("v 0 0 1e999", "line 1: vertex coordinate z is \"1e999\", beyond the limit of 1e300"),
        ("v 0 -1.0000001e300 0", "line 1: vertex coordinate y is \"-1.0000001e300\", beyond the limit of 1e300"),
        ("v 0 0", "line 1: too few coordinates: a vertex has 3, this one has 2"),
        ("v", "line 1: too few coordinates: a vertex has 3, this one has 0"),
        ("v 1 # 2 3", "line 1: too few coordinates: a vertex has 3, this one has 1"),
    ];
    for (text, message) in cases {
        assert_eq!(refusal(text), message);
    }
    assert_eq!(refusal(b"v 0 \xff\"\n0"), "line 1: vertex coordinate y is \"\u{fffd}\\\"\", not a number");
}

#[test]
fn bad_faces_are_named() {
    let cases = [
        ("f 1 2", "line 5: too few corners: a face has at least 3, this one has 2"),
        ("f", "line 5: too few corners: a face has at least 3, this one has 0"),
        ("\nf 1 2 \\\n 0/1", "line 7: face corner \"0/1\" names vertex 0, but vertices are numbered from 1"),
        ("f -0 1 2", "line 5: face corner \"-0\" names vertex 0, but vertices are numbered from 1"),
        ("f 1 x 2", "line 5: face corner \"x\" does not begin with a vertex index"),
        ("f 1 /2 2", "line 5: face corner \"/2\" does not begin with a vertex index"),
        ("f 1 2.0 2", "line 5: face corner \"2.0\" does not begin with a vertex index"),
        ("f 1 - 2", "line 5: face corner \"-\" does not begin with a vertex index"),
        ("f 1 +-1 2", "line 5: face corner \"+-1\" does not begin with a vertex index"),
        (
            "f 1 -5//1 2",
            "line 5: face corner \"-5//1\" reaches back before the first vertex: there are 4 before this face",
        ),
        (
            "f 1 2 -99999999999999999999",
            "line 5: face corner \"-99999999999999999999\" reaches back before the first vertex: there are 4 before this face",
        ),
    ];
    for (faces, message) in cases {
        assert_eq!(refusal(format!("{SQUARE}{faces}")), message);
    }
}

#[test]
fn an_index_beyond_any_integer_names_no_vertex() {
    for index in ["5", "4294967296", "4294967297", "18446744073709551617", "99999999999999999999"] {
        assert_eq!(refusal(format!("{SQUARE}f 1 2 {index}")), out_of_range(5, index));
    }
}

fn out_of_range(line: usize, corner: &str) -> String {
    format!("line {line}: face corner \"{corner}\" names a vertex that does not exist: the file has 4")
}

#[test]
fn the_first_corner_that_names_no_vertex_is_reported() {
    let early = format!("f 1 2 4\nf 3 4 2\nf 1 5/1 2\nf 1 1 6\n{SQUARE}f 7 1 1");
    assert_eq!(refusal(early), out_of_range(3, "5/1"));
    let late = format!("f 4 3 1\n{SQUARE}f 1 2 3\nf 9 5 1\nf 5 1 1");
    assert_eq!(refusal(late), out_of_range(7, "9"));
}

#[test]
fn what_is_not_an_obj_file_is_refused_rather_than_empty() {
    let zero = "there is a zero byte: this is a binary (or UTF-16) file, not a text file";
    assert_eq!(refusal(b"# a\r\n\r\0\n"), format!("line 3: {zero}"));
    assert_eq!(refusal(b"\xff\xfev\0 \0"), format!("line 1: {zero}"));
    assert_eq!(refusal(b"\x1f\x8b\x08 \n"), "line 1: \"\\u{1f}\u{fffd}\\u{8}\" is not the beginning of a statement");
    assert_eq!(refusal("OFF\n8 6 0\n"), "line 2: \"8\" is not the beginning of a statement");
    assert_eq!(refusal(""), "the file is empty");
}

#[test]
fn surfaces_that_would_be_lost_are_refused() {
    for keyword in ["surf", "bzp", "bsp", "cdp", "call"] {
        let message = format!(
            "line 5: the statement {keyword:?} is not supported: it may add surfaces that are not triangles or polygons"
        );
        assert_eq!(refusal(format!("{SQUARE}{keyword} 0 1\n")), message);
    }
}

#[test]
fn a_file_without_faces_is_an_empty_mesh() {
    assert_eq!(mesh(SQUARE), RawMesh { vertices: SQUARE_POINTS.to_vec(), triangles: vec![] });
    assert_eq!(mesh(" \n"), RawMesh::default());
}

#[test]
fn long_words_are_cut_short_in_messages_and_long_lines_are_read() {
    let forty = "x".repeat(40);
    let whole = format!("line 1: vertex coordinate x is \"{forty}\", not a number");
    assert_eq!(refusal(format!("v {forty} 0 0")), whole);
    let cut = whole.replace("x\"", "x…\"");
    for length in [41, 161, 1_000_000] {
        assert_eq!(refusal(format!("v {} 0 0", "x".repeat(length))), cut);
    }
    let corners = " 1 2 3 4".repeat(50_000);
    assert_eq!(faces(&format!("# {}\nf{corners}", "long ".repeat(100_000))).len(), 199_998);
}

#[test]
fn an_error_knows_its_line() {
    let error = parse(b"\n\nv", Format::Obj).expect_err("no coordinates");
    assert_eq!(error.line(), Some(3));
    assert_eq!(ParseError::Empty.line(), None);
}
