//! The same mesh in every format gives the same triangles.

mod support;
#[path = "support/zip.rs"]
mod zip_writer;

use nearhit::RawMesh;
use nearhit_io::{Format, Part, parse, read_parts};
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use support::{glb, positions};

/// A wavy sheet whose coordinates are single precision numbers, its vertices numbered as the
/// triangles need them.
fn sheet() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let side = 6_u32;
    let mut triangles = Vec::new();
    for (row, column) in (0..side - 1).flat_map(|row| (0..side - 1).map(move |column| (row, column))) {
        let corner = row * side + column;
        triangles.push([corner, corner + 1, corner + side]);
        triangles.push([corner + 1, corner + side + 1, corner + side]);
    }
    let point = |index: u32| {
        let (row, column) = ((index / side) as f32, (index % side) as f32);
        [0.1 * column, 0.3 * row, (row * 0.7 + column).sin() * 1e-3]
    };
    ((0..side * side).map(point).collect(), triangles)
}

fn corners(mesh: &RawMesh) -> Vec<[[f64; 3]; 3]> {
    mesh.triangles.iter().map(|corners| corners.map(|index| mesh.vertices[index as usize])).collect()
}

fn obj(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut text = String::new();
    for &point in points {
        let [x, y, z] = point.map(f64::from);
        writeln!(text, "v {x} {y} {z}").expect("a string");
    }
    for [a, b, c] in triangles.iter().map(|corners| corners.map(|index| index + 1)) {
        writeln!(text, "f {a} {b} {c}").expect("a string");
    }
    text.into_bytes()
}

fn off(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut text = format!("OFF\n{} {} 0\n", points.len(), triangles.len());
    body(&mut text, points, triangles);
    text.into_bytes()
}

fn body(text: &mut String, points: &[[f32; 3]], triangles: &[[u32; 3]]) {
    for &point in points {
        let [x, y, z] = point.map(f64::from);
        writeln!(text, "{x:e} {y} {z}").expect("a string");
    }
    for [a, b, c] in triangles {
        writeln!(text, "3 {a} {b} {c}").expect("a string");
    }
}

fn stl(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for corners in triangles {
        bytes.extend([0; 12]);
        bytes.extend(positions(&corners.map(|index| points[index as usize])));
        bytes.extend([0; 2]);
    }
    bytes
}

fn ply_header(format: &str, points: &[[f32; 3]], triangles: &[[u32; 3]]) -> String {
    let (points, triangles) = (points.len(), triangles.len());
    format!(
        "ply\nformat {format} 1.0\nelement vertex {points}\nproperty float x\nproperty float y\nproperty float z\n\
         element face {triangles}\nproperty list uchar uint vertex_indices\nend_header\n"
    )
}

fn ply_text(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut text = ply_header("ascii", points, triangles);
    body(&mut text, points, triangles);
    text.into_bytes()
}

fn ply_little_endian(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut bytes = ply_header("binary_little_endian", points, triangles).into_bytes();
    bytes.extend(positions(points));
    for corners in triangles {
        bytes.push(3);
        bytes.extend(corners.map(u32::to_le_bytes).concat());
    }
    bytes
}

fn ply_big_endian(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut bytes = ply_header("binary_big_endian", points, triangles).into_bytes();
    bytes.extend(points.iter().flatten().flat_map(|number| number.to_be_bytes()));
    for corners in triangles {
        bytes.push(3);
        bytes.extend(corners.map(u32::to_be_bytes).concat());
    }
    bytes
}

fn gltf(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let indices: Vec<u8> = triangles.iter().flatten().flat_map(|index| index.to_le_bytes()).collect();
    let places = positions(points);
    let document = json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "mesh": 0, "name": "sheet" }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": points.len(), "type": "VEC3" },
            { "bufferView": 1, "componentType": 5125, "count": 3 * triangles.len(), "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": places.len() },
            { "buffer": 0, "byteOffset": places.len(), "byteLength": indices.len() },
        ],
        "buffers": [{ "byteLength": places.len() + indices.len() }],
    });
    glb(&document, &[places, indices].concat())
}

fn collada(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let numbers: Vec<String> = points.iter().flatten().map(|&number| f64::from(number).to_string()).collect();
    let indices: Vec<String> = triangles.iter().flatten().map(u32::to_string).collect();
    let (count, corners) = (points.len(), indices.join(" "));
    format!(
        r##"<COLLADA><library_geometries><geometry id="g"><mesh>
        <source id="s"><float_array id="a" count="{}">{}</float_array><technique_common>
        <accessor source="#a" count="{count}" stride="3"/></technique_common></source>
        <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
        <triangles count="{}"><input semantic="VERTEX" source="#v" offset="0"/><p>{corners}</p></triangles>
        </mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="w">
        <node name="sheet"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes></COLLADA>"##,
        numbers.len(),
        numbers.join(" "),
        triangles.len(),
    )
    .into_bytes()
}

fn threemf(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut text = String::from("<model><resources><object id=\"1\" name=\"sheet\"><mesh><vertices>");
    for &point in points {
        let [x, y, z] = point.map(f64::from);
        writeln!(text, "<vertex x=\"{x}\" y=\"{y}\" z=\"{z}\"/>").expect("a string");
    }
    text += "</vertices><triangles>";
    for [a, b, c] in triangles {
        writeln!(text, "<triangle v1=\"{a}\" v2=\"{b}\" v3=\"{c}\"/>").expect("a string");
    }
    text += "</triangles></mesh></object></resources><build><item objectid=\"1\"/></build></model>";
    zip_writer::stored(&[("3D/3dmodel.model", text.as_bytes())])
}

type Writer = fn(&[[f32; 3]], &[[u32; 3]]) -> Vec<u8>;

const WRITERS: [(Format, &str, Writer); 9] = [
    (Format::Obj, "obj", obj),
    (Format::Stl, "stl", stl),
    (Format::Ply, "ply", ply_text),
    (Format::Ply, "ply", ply_little_endian),
    (Format::Ply, "ply", ply_big_endian),
    (Format::Off, "off", off),
    (Format::Gltf, "glb", gltf),
    (Format::Collada, "dae", collada),
    (Format::ThreeMf, "3mf", threemf),
];

#[test]
fn every_format_has_a_writer() {
    for &format in Format::ALL {
        assert!(WRITERS.iter().any(|(of, ..)| *of == format), "{format:?}: WRITERS has no line for it");
    }
}

#[test]
fn every_format_gives_the_same_triangles() {
    let (points, triangles) = sheet();
    let expected: Vec<_> =
        triangles.iter().map(|corners| corners.map(|index| points[index as usize].map(f64::from))).collect();
    for (format, _, write) in WRITERS {
        let mesh = parse(&write(&points, &triangles), format).expect("a good file");
        assert_eq!(corners(&mesh), expected, "{format:?}");
        if format != Format::Stl {
            assert_eq!(mesh.triangles, triangles, "{format:?}");
        }
    }
}

#[test]
fn every_format_can_be_read_in_parts() {
    let (points, triangles) = sheet();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("same_mesh");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    for (format, extension, write) in WRITERS {
        let bytes = write(&points, &triangles);
        let path = folder.join(format!("sheet.1.{extension}"));
        std::fs::write(&path, &bytes).expect("a file for the test");
        let has_parts = matches!(format, Format::Gltf | Format::Collada | Format::ThreeMf);
        let name = if has_parts { "sheet" } else { "sheet.1" }.into();
        let mesh = parse(&bytes, format).expect("a good file");
        assert_eq!(read_parts(&path).expect("a good file"), [Part { name, mesh }]);
    }
}
