//! glTF: what is read.

mod support;

use nearhit::RawMesh;
use nearhit_io::{Format, Part, parse, read, read_parts};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use support::{POINTS, binary, glb, positions, triangle, triangle_with};

#[track_caller]
fn mesh(changes: &[(&str, Value)]) -> RawMesh {
    parse(&glb(&triangle_with(changes), &binary()), Format::Gltf).expect("a good file")
}

fn points(points: &[[f32; 3]]) -> Vec<[f64; 3]> {
    points.iter().map(|point| point.map(f64::from)).collect()
}

/// Writes a file in a folder of its own for each test.
fn file(test: &str, name: &str, contents: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gltf").join(test);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let path = folder.join(name);
    std::fs::write(&path, contents).expect("a file for the test");
    path
}

#[track_caller]
fn parts(test: &str, changes: &[(&str, Value)]) -> Vec<Part> {
    read_parts(&file(test, "file.glb", &glb(&triangle_with(changes), &binary()))).expect("a good file")
}

#[test]
fn a_primitive_may_have_no_indices() {
    let expected = RawMesh { vertices: points(&POINTS[..3]), triangles: vec![[0, 1, 2]] };
    assert_eq!(mesh(&[]), expected);
    assert_eq!(mesh(&[("/meshes/0/primitives/0/mode", json!(4))]), expected);
}

#[test]
fn indices_may_have_any_width() {
    let primitive = json!({ "attributes": { "POSITION": 0 }, "indices": 1 });
    let corners = [2_u8, 0, 1, 1, 0, 2];
    let widths: [(u32, Vec<u8>); 3] = [
        (5121, corners.to_vec()),
        (5123, corners.iter().flat_map(|&index| u16::from(index).to_le_bytes()).collect()),
        (5125, corners.iter().flat_map(|&index| u32::from(index).to_le_bytes()).collect()),
    ];
    for (component, indices) in widths {
        let document = triangle_with(&[
            ("/meshes/0/primitives/0", primitive.clone()),
            ("/accessors/1/componentType", json!(component)),
            ("/bufferViews/1/byteLength", json!(indices.len())),
            ("/buffers/0/byteLength", json!(48 + indices.len())),
        ]);
        let bytes = glb(&document, &[positions(&POINTS), indices].concat());
        let mesh = parse(&bytes, Format::Gltf).expect("a good file");
        assert_eq!(mesh.triangles, [[2, 0, 1], [1, 0, 2]], "{component}");
    }
}

#[test]
fn strips_and_fans_become_triangles() {
    let all = ("/accessors/0/count", json!(4));
    let mode = |mode: u8| ("/meshes/0/primitives/0/mode", json!(mode));
    let indices = ("/meshes/0/primitives/0/indices", json!(1));
    assert_eq!(mesh(&[all.clone(), mode(5)]).triangles, [[0, 1, 2], [1, 3, 2]]);
    assert_eq!(mesh(&[all.clone(), mode(6)]).triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh(&[all.clone(), mode(5), indices.clone()]).triangles, [[0, 1, 2], [1, 3, 2], [2, 3, 2], [3, 1, 2]]);
    assert_eq!(mesh(&[all, mode(6), indices]).triangles, [[0, 1, 2], [0, 2, 3], [0, 3, 2], [0, 2, 1]]);
}

#[test]
fn points_and_lines_have_no_triangles_but_their_part_is_there() {
    for mode in 0..=3 {
        let parts = parts("lines", &[("/meshes/0/primitives/0/mode", json!(mode))]);
        assert_eq!(parts, [Part { name: "node_0".into(), mesh: RawMesh::default() }]);
    }
}

#[test]
fn accessors_may_have_an_offset_and_a_stride() {
    let moved = [("/accessors/0/byteOffset", json!(12)), ("/bufferViews/0/byteStride", json!(12))];
    assert_eq!(mesh(&moved).vertices, points(&POINTS[1..]));
    let far = [
        ("/accessors/0", json!({ "bufferView": 0, "componentType": 5126, "count": 2, "type": "VEC3" })),
        ("/bufferViews/0/byteStride", json!(24)),
        ("/meshes/0/primitives/0/indices", json!(2)),
        (
            "/accessors/2",
            json!({ "bufferView": 1, "byteOffset": 0, "componentType": 5121, "count": 0, "type": "SCALAR" }),
        ),
    ];
    assert_eq!(mesh(&far).vertices, points(&[POINTS[0], POINTS[2]]));
}

#[test]
fn sparse_accessors_replace_what_they_list() {
    let sparse = json!({
        "count": 2,
        "indices": { "bufferView": 1, "byteOffset": 1, "componentType": 5121 },
        "values": { "bufferView": 0, "byteOffset": 24 },
    });
    let replaced = mesh(&[("/accessors/0/sparse", sparse.clone())]);
    assert_eq!(replaced.vertices, points(&[POINTS[0], POINTS[2], POINTS[3]]));
    let zeros = json!({ "componentType": 5126, "count": 3, "type": "VEC3", "sparse": sparse });
    assert_eq!(mesh(&[("/accessors/0", zeros)]).vertices, points(&[[0.0; 3], POINTS[2], POINTS[3]]));
}

#[test]
fn positions_may_be_small_integers() {
    let quantized = |component: u32, normalized: bool| {
        let accessor = json!({
            "bufferView": 1, "componentType": component, "normalized": normalized, "count": 1, "type": "VEC3"
        });
        let indices = json!({ "bufferView": 1, "componentType": 5121, "count": 0, "type": "SCALAR" });
        let changes = [
            ("/extensionsRequired", json!(["KHR_mesh_quantization", "KHR_materials_unlit"])),
            ("/accessors/0", accessor),
            ("/accessors/1", indices),
            ("/meshes/0/primitives/0/indices", json!(1)),
        ];
        let bytes = glb(&triangle_with(&changes), &[vec![0; 48], vec![0, 128, 255, 127, 1, 0, 0, 0]].concat());
        parse(&bytes, Format::Gltf).expect("a good file").vertices[0]
    };
    assert_eq!(quantized(5120, false), [0.0, -128.0, -1.0]);
    assert_eq!(quantized(5121, true), [0.0, 128.0 / 255.0, 1.0]);
    assert_eq!(quantized(5122, true), [-1.0, 1.0, 1.0 / 32767.0]);
    assert_eq!(quantized(5123, false), [32768.0, 32767.0, 1.0]);
}

#[test]
fn nodes_place_their_meshes() {
    let nodes = json!([
        { "mesh": 0, "translation": [0.1, 0, 0] },
        { "children": [2], "scale": [2, 3, 4], "translation": [10, 0, 0] },
        { "mesh": 0, "rotation": [0, 0, 1, 0], "translation": [1, 1, 0] },
        { "mesh": 0, "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1] },
    ]);
    let vertices: Vec<_> = parts("place", &[("/nodes", nodes)]).into_iter().map(|part| part.mesh.vertices).collect();
    assert_eq!(vertices[0], [[0.1, 0.0, 0.0], [1.1, 0.0, 0.0], [0.1, 1.0, 0.0]]);
    assert_eq!(vertices[1], [[12.0, 3.0, 0.0], [10.0, 3.0, 0.0], [12.0, 0.0, 0.0]]);
    assert_eq!(vertices[2], [[5.0, 6.0, 7.0], [5.0, 7.0, 7.0], [4.0, 6.0, 7.0]]);
}

#[test]
fn mirrored_triangles_are_turned_round() {
    let mirrored = mesh(&[("/nodes/0/scale", json!([1, 1, -1]))]);
    assert_eq!(mirrored.triangles, [[0, 2, 1]]);
    assert_eq!(mesh(&[("/nodes/0/scale", json!([-1, 1, -1]))]).triangles, [[0, 1, 2]]);
}

#[test]
fn parts_are_named_by_nodes_then_meshes_and_merged_in_order() {
    let changes = [
        ("/meshes/0/name", json!("wheel")),
        (
            "/nodes",
            json!([{ "mesh": 0, "name": "wheel" }, {}, { "mesh": 0 }, { "mesh": 1, "name": "" }, { "mesh": 0 }]),
        ),
        ("/meshes/1", json!({ "primitives": [] })),
    ];
    let parts = parts("names", &changes);
    let names: Vec<&str> = parts.iter().map(|part| &part.name[..]).collect();
    assert_eq!(names, ["wheel", "wheel_2", "node_3", "wheel_3"]);
    let merged = mesh(&changes);
    assert_eq!(merged.triangles, [[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
    assert_eq!(merged.vertices, parts.into_iter().flat_map(|part| part.mesh.vertices).collect::<Vec<_>>());
}

#[test]
fn primitives_share_the_vertices_of_an_accessor() {
    let primitive = json!({ "attributes": { "POSITION": 0 }, "indices": 1 });
    let shared = mesh(&[
        ("/accessors/0/count", json!(4)),
        ("/meshes/0/primitives", json!([primitive, { "attributes": { "POSITION": 2 } }, primitive])),
        ("/accessors/2", json!({ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" })),
    ]);
    assert_eq!(shared.vertices.len(), 7);
    assert_eq!(shared.triangles, [[0, 1, 2], [3, 2, 1], [4, 5, 6], [0, 1, 2], [3, 2, 1]]);
}

#[test]
fn buffers_are_read_from_files_below_the_folder_and_from_addresses() {
    let expected = mesh(&[]);
    file("files", "the data.bin", &binary());
    file("files/sub", "more.bin", &[binary(), vec![7; 100]].concat());
    for uri in ["the%20data.bin", "./sub/more.bin"] {
        let document = triangle_with(&[("/buffers/0/uri", json!(uri))]).to_string();
        let path = file("files", "document.gltf", document.as_bytes());
        assert_eq!(read(&path).expect("a good file"), expected, "{uri}");
    }
    let uri = "data:application/gltf-buffer;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    let changes = [("/buffers/0", json!({ "uri": uri, "byteLength": 36 })), ("/bufferViews/0/byteLength", json!(36))];
    let document = format!("\u{feff}{:#}", triangle_with(&changes));
    assert_eq!(parse(document.as_bytes(), Format::Gltf).expect("a good file"), expected);
}

#[test]
fn what_is_not_about_triangles_is_skipped() {
    let changes = [
        ("/scene", json!(7)),
        ("/materials", json!([{ "extensions": { "a": 1 } }])),
        ("/nodes/0/camera", json!(3)),
        ("/nodes/0/weights", json!([0, 0.0])),
        ("/meshes/0/primitives/0/targets", json!([{ "POSITION": 9 }])),
        ("/meshes/0/primitives/0/attributes/NORMAL", json!(9)),
        ("/extensionsUsed", json!(["KHR_draco_mesh_compression"])),
        ("/asset/generator", json!("a test")),
    ];
    assert_eq!(mesh(&changes), mesh(&[]));
    assert_eq!(parse(br#"{"asset":{"version":"2.1"}}"#, Format::Gltf), Ok(RawMesh::default()));
}

#[test]
fn the_json_chunk_may_be_filled_up_with_zeros() {
    let name = ["", "x", "xx", "xxx"].into_iter().find(|name| named(name).ends_with(b" "));
    let json = named(name.expect("one of four lengths needs to be filled up"));
    let mut bytes = glb(&triangle_with(&[("/nodes/0/name", json!(name))]), &binary());
    bytes[20 + json.len() - 1] = 0;
    assert_eq!(parse(&bytes, Format::Gltf).expect("a good file"), mesh(&[]));
}

/// The JSON chunk of the triangle with a name.
fn named(name: &str) -> Vec<u8> {
    let bytes = glb(&triangle_with(&[("/nodes/0/name", json!(name))]), b"");
    bytes[20..bytes.len() - 8].to_vec()
}

#[test]
fn a_chain_of_many_nodes_is_no_deeper_than_one() {
    let count = 200_000;
    let node = |index: usize| match index {
        0 => json!({ "mesh": 0, "translation": [1, 0, 0] }),
        _ => json!({ "children": [index - 1], "translation": [1, 0, 0] }),
    };
    let mut document = triangle();
    document["nodes"] = (0..count).map(node).collect();
    let mesh = parse(&glb(&document, &binary()), Format::Gltf).expect("a good file");
    assert_eq!(mesh.vertices[0], [count as f64, 0.0, 0.0]);
}
