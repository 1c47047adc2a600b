//! COLLADA: what is read, where it is put, and what is refused.

use nearhit_io::{Convention, Format, Length, Part, UpAxis, parse, read_assembly, read_parts, read_with};
use std::path::{Path, PathBuf};

/// A document with one triangle, what its scene shows, and what `<asset>` says.
fn document(asset: &str, nodes: &str) -> String {
    with_geometry(asset, nodes, TRIANGLE)
}

const TRIANGLE: &str =
    r##"<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>"##;

/// Four points, of which the primitives make triangles.
fn with_geometry(asset: &str, nodes: &str, primitives: &str) -> String {
    format!(
        r##"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset>{asset}</asset>
  <library_geometries><geometry id="g" name="plate"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0  1 0 0  0 2 0  0 0 3</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3">
        <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
      </accessor></technique_common></source>
    <source id="n"><float_array id="na" count="3">NaN 0 1</float_array></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    {primitives}
  </mesh></geometry></library_geometries>
  <library_nodes><node id="leaf" name="leaf"><instance_geometry url="#g"/></node>
    <node id="loop"><node><instance_node url="#loop"/></node></node></library_nodes>
  <library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
"##
    )
}

const SHOWN: &str = r##"<node name="a"><instance_geometry url="#g"/></node>"##;

fn file(name: &str, contents: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("collada");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let path = folder.join(name);
    std::fs::write(&path, contents).expect("a file for the test");
    path
}

fn parts(name: &str, nodes: &str) -> Vec<Part> {
    read_parts(&file(name, &document("", nodes))).expect("a good file")
}

#[track_caller]
fn refusal(contents: &str) -> String {
    parse(contents.as_bytes(), Format::Collada).expect_err("a bad file").to_string()
}

#[track_caller]
fn assert_near(found: [f64; 3], expected: [f64; 3]) {
    assert!((0..3).all(|axis| (found[axis] - expected[axis]).abs() < 1e-14), "{found:?} {expected:?}");
}

#[test]
fn transforms_apply_in_the_order_of_the_file() {
    let nodes = r##"<node name="a"><translate>10 0 0</translate><rotate>0 0 2 90</rotate><scale>2 3 4</scale>
        <node name="b"><matrix>1 0 0 5 0 1 0 6 0 0 1 7 0 0 0 1</matrix><instance_geometry url="#g"/></node></node>"##;
    let [part] = &parts("order.dae", nodes)[..] else { panic!("one part") };
    assert_eq!(part.name, "a/b");
    // (1, 0, 0) + (5, 6, 7) = (6, 6, 7); scaled (12, 18, 28); turned (-18, 12, 28); moved.
    assert_near(part.mesh.vertices[1], [-8.0, 12.0, 28.0]);
}

#[test]
fn a_node_looks_at_its_point_of_interest() {
    let nodes = r##"<node name="a"><lookat>1 2 3  1 2 -7  0 5 0</lookat><instance_geometry url="#g"/></node>
        <node name="b"><lookat>0 0 0  10 0 0  0 0 1</lookat><instance_geometry url="#g"/></node>"##;
    let parts = parts("lookat.dae", nodes);
    assert_near(parts[0].mesh.vertices[3], [1.0, 2.0, 6.0]);
    // Back is -x, up is z: right is z cross -x, which is -y.
    assert_near(parts[1].mesh.vertices[1], [0.0, -1.0, 0.0]);
    assert_near(parts[1].mesh.vertices[2], [0.0, 0.0, 2.0]);
}

#[test]
fn mirrored_triangles_are_turned_round() {
    let nodes = r##"<node name="a"><scale>-1 1 1</scale><instance_geometry url="#g"/></node>"##;
    assert_eq!(parts("mirror.dae", nodes)[0].mesh.triangles, [[0, 2, 1]]);
}

#[test]
fn nodes_of_libraries_are_shown_where_they_are_instanced() {
    let nodes = r##"<node name="left"><translate>1 0 0</translate><instance_node url="#leaf"/></node>
        <node name="right"><translate>2 0 0</translate><instance_node url="#leaf"/></node>"##;
    let path = file("library.dae", &document("", nodes));
    let assembly = read_assembly(&path).expect("a good file");
    assert_eq!(assembly.shapes.len(), 1, "both are the same shape");
    let names: Vec<_> = assembly.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["left/leaf", "right/leaf"]);
    let places: Vec<_> = assembly.parts.iter().map(|part| part.world_from_shape.translation().x).collect();
    assert_eq!(places, [1.0, 2.0]);
}

#[test]
fn every_kind_of_primitive_makes_its_triangles() {
    let input = r##"<input semantic="NORMAL" source="#n" offset="0"/><input semantic="VERTEX" source="#v" offset="1"/>
        <input semantic="TEXCOORD" source="#n" offset="1" set="0"/>"##;
    let cases = [
        (
            format!("<triangles count=\"2\">{input}<p>9 0 9 1 9 2 9 1 9 3 9 2</p></triangles>"),
            vec![[0, 1, 2], [1, 3, 2]],
        ),
        (
            format!("<polylist count=\"2\">{input}<vcount>4 3</vcount><p>9 0 9 1 9 3 9 2 9 0 9 1 9 2</p></polylist>"),
            vec![[0, 1, 3], [0, 3, 2], [0, 1, 2]],
        ),
        (
            format!("<polygons count=\"2\">{input}<p>9 0 9 1 9 3 9 2</p><p>9 2 9 1 9 0</p></polygons>"),
            vec![[0, 1, 3], [0, 3, 2], [2, 1, 0]],
        ),
        (format!("<tristrips count=\"1\">{input}<p>9 0 9 1 9 2 9 3</p></tristrips>"), vec![[0, 1, 2], [1, 3, 2]]),
        (format!("<trifans count=\"1\">{input}<p>9 0 9 1 9 2 9 3</p></trifans>"), vec![[0, 1, 2], [0, 2, 3]]),
        (format!("<lines count=\"1\">{input}<p>9 0 9 1</p></lines>"), vec![]),
    ];
    for (primitives, expected) in cases {
        let text = with_geometry("", SHOWN, &primitives);
        let mesh = parse(text.as_bytes(), Format::Collada).expect("a good file");
        assert_eq!(mesh.triangles, expected, "{primitives}");
    }
}

#[test]
fn points_come_from_the_named_parameters() {
    let text = document("", SHOWN)
        .replace("count=\"12\">0 0 0  1 0 0  0 2 0  0 0 3<", "count=\"13\">7 8 0 0 0  9 1 0 0  9 0 2 0<")
        .replace("count=\"4\" stride=\"3\">", "count=\"3\" stride=\"4\" offset=\"1\"><param type=\"float\"/>");
    let mesh = parse(text.as_bytes(), Format::Collada).expect("a good file");
    assert_eq!(mesh.vertices, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
}

#[test]
fn units_are_told_and_changed_only_when_asked() {
    let asset = r#"<unit name="inch" meter="0.0254"/><up_axis>Y_UP</up_axis>"#;
    let path = file("units.dae", &document(asset, SHOWN));
    let assembly = read_assembly(&path).expect("a good file");
    assert_eq!((assembly.units.metres_per_unit, assembly.units.up), (Some(0.0254), Some(UpAxis::Y)));
    assert_eq!(assembly.shapes[0].vertices[2], [0.0, 2.0, 0.0]);

    let metres = Convention { length: Length::Metres, up: None };
    assert_eq!(read_with(&path, metres).expect("a good file").vertices[2], [0.0, 0.0508, 0.0]);
    let upright = Convention { length: Length::Metres, up: Some(UpAxis::Z) };
    let turned = read_with(&path, upright).expect("a good file");
    assert_eq!(turned.vertices[2], [0.0, 0.0, 0.0508]);
    assert_near(turned.vertices[3], [0.0, -3.0 * 0.0254, 0.0]);
    let assembly = nearhit_io::read_assembly_with(&path, upright).expect("a good file");
    let placed = assembly.parts[0].world_from_shape.apply(assembly.shapes[0].vertices[3].into());
    assert_near(placed.to_array(), turned.vertices[3]);
    assert_eq!((assembly.units.metres_per_unit, assembly.units.up), (Some(1.0), Some(UpAxis::Z)));

    let nothing_said = read_assembly(&file("said.dae", &document("", SHOWN))).expect("a good file");
    assert_eq!((nothing_said.units.metres_per_unit, nothing_said.units.up), (Some(1.0), Some(UpAxis::Y)));
}

#[test]
fn every_up_axis_turns_into_every_other_and_back() {
    let axes = [
        ("X_UP", UpAxis::X, [1.0, 0.0, 0.0]),
        ("Y_UP", UpAxis::Y, [0.0, 1.0, 0.0]),
        ("Z_UP", UpAxis::Z, [0.0, 0.0, 1.0]),
    ];
    for (given, _, up) in axes {
        for (_, wanted, expected) in axes {
            let text = document(&format!("<up_axis>{given}</up_axis>"), SHOWN)
                .replace("0 0 0  1 0 0", &format!("{} {} {}  1 0 0", up[0], up[1], up[2]));
            let path = file("up.dae", &text);
            let turned =
                read_with(&path, Convention { length: Length::AsWritten, up: Some(wanted) }).expect("a good file");
            assert_eq!(turned.vertices[0], expected, "{given} to {wanted:?}");
            // A rotation: the volume of the three axes keeps its sign.
            let [a, b, c] = [1, 2, 3].map(|index| glam::DVec3::from(turned.vertices[index]));
            assert_eq!(a.cross(b).dot(c), 6.0, "{given} to {wanted:?}");
        }
    }
}

#[test]
fn without_a_scene_everything_is_shown() {
    let text = document("", SHOWN).replace("<scene><instance_visual_scene url=\"#s\"/></scene>", "");
    assert_eq!(parse(text.as_bytes(), Format::Collada).expect("a good file").triangles.len(), 1);
    let start = text.find("<library_visual_scenes>").expect("scenes");
    let text = format!("{}</COLLADA>", &text[..start]);
    assert_eq!(parse(text.as_bytes(), Format::Collada).expect("a good file").triangles.len(), 1);
}

#[test]
fn refusals_name_line_and_element() {
    let good = document("", SHOWN);
    let changed = |from: &str, to: &str| refusal(&good.replacen(from, to, 1));
    let shown = "name=\"a\"><instance_geometry url=\"#g\"";
    assert_eq!(changed("1 0 0", "1 x 0"), "line 5: <float_array id=\"pa\">: a coordinate is \"x\", not a number");
    assert_eq!(
        changed("1 0 0", "\n\n1 1e301 0"),
        "line 7: <float_array id=\"pa\">: a coordinate is \"1e301\", not a finite number of at most 1e300"
    );
    assert_eq!(
        changed("1 0 0", "1 nan 0"),
        "line 5: <float_array id=\"pa\">: a coordinate is \"nan\", not a finite number of at most 1e300"
    );
    assert_eq!(
        changed("count=\"12\"", "count=\"11\""),
        "line 5: <float_array id=\"pa\">: there should be 11 numbers, but there are 12"
    );
    assert_eq!(
        changed("count=\"4\"", "count=\"5\""),
        "line 6: <accessor>: there should be 15 numbers in its array, but there are 12"
    );
    assert_eq!(
        changed("count=\"4\"", "count=\"18446744073709551615\""),
        format!("line 6: <accessor>: there should be {} numbers in its array, but there are 12", u64::MAX)
    );
    assert_eq!(
        changed("0 1 2</p>", "0 1 4</p>"),
        "line 11: <p>: a corner names vertex 4, but there are 4 (numbered from 0)"
    );
    assert_eq!(changed("0 1 2</p>", "0 1</p>"), "line 11: <p>: its 2 corners do not make whole triangles");
    assert_eq!(
        changed("<triangles count=\"1\"", "<triangles count=\"2\""),
        "line 11: <triangles>: there should be 2 primitives, but there are 1"
    );
    assert_eq!(
        changed(shown, "name=\"a\"><instance_geometry url=\"#h\""),
        "line 15: <instance_geometry url=\"#h\">: there is no geometry \"h\""
    );
    assert_eq!(
        changed(shown, "name=\"a\"><instance_geometry url=\"b.dae#g\""),
        "line 15: <instance_geometry url=\"b.dae#g\">: an address of another file (b.dae#g) is not supported"
    );
    assert_eq!(
        changed("id=\"leaf\"", "id=\"g\""),
        "line 13: <node id=\"g\">: there is another element with the id \"g\""
    );
    assert!(changed("</mesh>", "").starts_with("line 12: column 3: "), "{}", changed("</mesh>", ""));
    assert_eq!(refusal("<gltf/>"), "line 1: <gltf>: the file does not begin with <COLLADA>");
}

#[test]
fn what_may_hide_triangles_is_refused() {
    let refused = |nodes: &str| refusal(&document("", nodes));
    assert!(refused(r##"<node><instance_controller url="#c"/></node>"##).contains("a skin or morph"));
    assert!(refused("<node><skew>1 2 3 4 5 6 7</skew></node>").contains("a skewed node is not supported"));
    assert!(refused("<node><rotate>0 0 0 90</rotate></node>").contains("an axis of rotation"));
    assert!(
        refused("<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1</matrix></node>").contains("a matrix whose last row is")
    );
    let holes = r##"<polygons count="1"><input semantic="VERTEX" source="#v" offset="0"/><ph><p>0 1 2</p><h>1 2 3</h></ph></polygons>"##;
    assert!(refusal(&with_geometry("", SHOWN, holes)).contains("a polygon with holes is not supported"));
    let far =
        r##"<node><scale>1e151 1 1</scale><node><scale>1e151 1 1</scale><instance_geometry url="#g"/></node></node>"##;
    assert!(refused(far).contains("vertex 1: coordinate x is 1e302 where it is placed"));
    assert!(refusal(&document("<unit meter=\"0\"/>", SHOWN)).contains("the length of the unit is \"0\""));
    assert!(refusal(&document("<up_axis>W_UP</up_axis>", SHOWN)).contains("the axis is \"W_UP\""));
}

#[test]
fn nodes_that_contain_themselves_are_refused() {
    assert_eq!(
        refusal(&document("", r##"<node><instance_node url="#loop"/></node>"##)),
        "line 14: <instance_node url=\"#loop\">: it contains itself, by way of \"loop\""
    );
}

#[test]
fn much_out_of_little_is_refused() {
    // Each node shows the next twice: 2^40 triangles.
    let mut library = String::new();
    for level in 0..40 {
        let next = level + 1;
        library +=
            &format!(r##"<node id="n{level}"><instance_node url="#n{next}"/><instance_node url="#n{next}"/></node>"##);
    }
    library += r##"<node id="n40"><instance_geometry url="#g"/></node>"##;
    let text = document("", r##"<node><instance_node url="#n0"/></node>"##)
        .replace("<library_nodes>", &format!("<library_nodes>{library}"));
    assert!(refusal(&text).contains("too many for"), "{}", refusal(&text));
}

#[test]
fn entities_that_grow_are_refused() {
    let text = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]><COLLADA>&b;</COLLADA>";
    assert!(refusal(text).contains("DTD"), "{}", refusal(text));
    let bytes = b"<COLLADA>\n\xff</COLLADA>";
    assert_eq!(
        parse(bytes, Format::Collada).expect_err("a bad file").to_string(),
        "line 2: a byte is not UTF-8: save the file in that encoding"
    );
}

#[test]
fn deep_nodes_are_read() {
    let depth = 50_000;
    let nodes = format!("{}{SHOWN}{}", "<node><translate>1 0 0</translate>".repeat(depth), "</node>".repeat(depth));
    let mesh = parse(document("", &nodes).as_bytes(), Format::Collada).expect("a good file");
    assert_eq!(mesh.vertices[0], [depth as f64, 0.0, 0.0]);
}
