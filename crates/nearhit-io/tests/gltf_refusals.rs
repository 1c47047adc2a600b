//! glTF: what is refused in which words.

mod support;

use nearhit_io::{Format, parse};
use serde_json::{Value, json};
use support::{binary, glb, positions, triangle, triangle_with};

#[track_caller]
fn refusal(bytes: impl AsRef<[u8]>) -> String {
    parse(bytes.as_ref(), Format::Gltf).expect_err("a bad file").to_string()
}

#[track_caller]
fn assert_refused(cases: &[(&str, Value, &str)]) {
    for (path, value, message) in cases {
        let document = triangle_with(&[(path, value.clone())]);
        assert_eq!(refusal(glb(&document, &binary())), *message, "{path} = {value}");
    }
}

#[test]
fn bad_json_is_named_by_line_and_column() {
    assert_eq!(refusal("{\n  \"asset\": 1\n}"), "line 2: column 12: invalid type: integer `1`, expected struct Asset");
    assert_eq!(refusal("{}"), "line 1: column 2: missing field `asset`");
    assert_eq!(refusal("solid"), "line 1: column 1: expected value");
    assert_eq!(refusal("{\"a\":\n"), "line 2: column 0: EOF while parsing a value");
    assert_eq!(refusal(""), "the file is empty");
    assert_eq!(
        refusal(glb(&json!(1), b"")),
        "the JSON chunk: line 1 column 1: invalid type: integer `1`, expected struct Document"
    );
    let deep = format!("{{\"asset\":{}", "[".repeat(100_000));
    assert!(refusal(deep).starts_with("line 1: column "));
    let negative = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":-1}]}"#;
    assert_eq!(refusal(negative), "line 1: column 54: invalid value: integer `-1`, expected u64");
}

#[test]
fn damaged_frames_are_named_by_their_offset() {
    let good = glb(&triangle(), &binary());
    let length = good.len();
    let with = |place: usize, value: u32| {
        let mut bytes = good.clone();
        bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    assert_eq!(refusal(&good[..7]), "byte 4: the file ends in a header");
    assert_eq!(refusal(with(4, 1)), "byte 4: the version of the GLB container is 1, not 2");
    let message = format!("byte 8: the header declares a length of {length} bytes, but the file has {}", length - 1);
    assert_eq!(refusal(&good[..length - 1]), message);
    let left = length - 20;
    let message = format!("byte 12: a chunk of 4294967295 bytes, but {left} are left");
    assert_eq!(refusal(with(12, u32::MAX)), message);
    assert_eq!(
        refusal(with(16, u32::from_le_bytes(*b"BIN\0"))),
        "byte 12: the first chunk is \"BIN\\0\", not \"JSON\""
    );
    let chunk = length - 56 - 8;
    assert_eq!(refusal(with(chunk, 57)), format!("byte {chunk}: a chunk of 57 bytes, but 56 are left"));
    let unknown = with(chunk + 4, 7);
    assert_eq!(refusal(unknown), "buffer 0: it has neither an address nor a chunk of a GLB file");
}

#[test]
fn versions_and_extensions_are_named() {
    assert_refused(&[
        ("/asset/version", json!("1.0"), "glTF version \"1.0\" is not supported: 2.0 is"),
        ("/asset/version", json!("20"), "glTF version \"20\" is not supported: 2.0 is"),
        (
            "/extensionsRequired",
            json!(["KHR_texture_transform", "KHR_draco_mesh_compression"]),
            "the extension \"KHR_draco_mesh_compression\" is required, but not supported",
        ),
        (
            "/extensionsRequired",
            json!(["EXT_meshopt_compression"]),
            "the extension \"EXT_meshopt_compression\" is required, but not supported",
        ),
    ]);
}

#[test]
fn node_graphs_that_are_no_trees_are_refused() {
    assert_refused(&[
        ("/nodes", json!([{ "children": [0] }]), "node 0: it is its own ancestor"),
        (
            "/nodes",
            json!([{}, { "children": [3] }, { "children": [1, 4] }, { "children": [2] }, {}]),
            "node 1: it is its own ancestor",
        ),
        (
            "/nodes",
            json!([{ "children": [2] }, { "children": [2] }, {}]),
            "node 2: it is a child of node 0 and again of node 1",
        ),
        ("/nodes", json!([{ "children": [1, 1] }, {}]), "node 1: it is a child of node 0 and again of node 0"),
        ("/nodes", json!([{ "children": [5] }]), "node 0: there is no node 5: the file has 1"),
        ("/nodes/0/mesh", json!(1), "node 0: there is no mesh 1: the file has 1"),
    ]);
}

#[test]
fn transforms_that_are_none_are_refused() {
    let projective = [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    let both = json!({ "mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], "scale": [1, 1, 1] });
    assert_refused(&[
        (
            "/nodes/0/matrix",
            json!(projective),
            "node 0: the last row of its matrix is [1.0, 0.0, 0.0, 1.0], not [0, 0, 0, 1]",
        ),
        ("/nodes/0", both, "node 0: it has a matrix, and also a translation, rotation or scale"),
        ("/nodes/0/rotation", json!([0, 0, 0, 0]), "node 0: the length of its rotation is 0, not 1"),
        ("/nodes/0/rotation", json!([1, 1, 1, 1]), "node 0: the length of its rotation is 2, not 1"),
        (
            "/nodes/0/scale",
            json!([1, 1e301, 1]),
            "accessor 0: vertex 2: coordinate y is 1e301 in the scene, beyond the limit of 1e300",
        ),
    ]);
}

#[test]
fn shapes_that_are_not_in_the_accessors_are_refused() {
    assert_refused(&[
        ("/nodes/0/skin", json!(0), "node 0: a mesh with a skin, whose place the joints decide, is not supported"),
        ("/nodes/0/weights", json!([0, 0.5]), "node 0: a mesh with morph targets that are not off is not supported"),
        ("/meshes/0/weights", json!([1]), "node 0: a mesh with morph targets that are not off is not supported"),
        (
            "/nodes/0/extensions",
            json!({ "EXT_mesh_gpu_instancing": {} }),
            "node 0: EXT_mesh_gpu_instancing, which adds copies of the mesh, is not supported",
        ),
    ]);
}

#[test]
fn bad_primitives_are_named() {
    let indexed = |index: u8| json!({ "attributes": { "POSITION": 0 }, "indices": index });
    assert_refused(&[
        ("/meshes/0/primitives/0/mode", json!(7), "mesh 0: primitive 0: its mode is 7, which does not exist"),
        ("/meshes/0/primitives/0/attributes", json!({}), "mesh 0: primitive 0: it has no POSITION"),
        (
            "/meshes/0/primitives/0/attributes/POSITION",
            json!(2),
            "mesh 0: primitive 0: there is no accessor 2: the file has 2",
        ),
        ("/meshes/0/primitives/0", indexed(9), "mesh 0: primitive 0: there is no accessor 9: the file has 2"),
        (
            "/meshes/0/primitives/0",
            indexed(1),
            "mesh 0: primitive 0: index 3 is 3, but there are 3 vertices (numbered from 0)",
        ),
        ("/accessors/0/count", json!(4), "mesh 0: primitive 0: its 4 corners do not make whole triangles"),
        ("/meshes/0/primitives/0", indexed(0), "accessor 0: its type is \"VEC3\", but indices are \"SCALAR\""),
    ]);
    let strip = [("/meshes/0/primitives/0/mode", json!(5)), ("/accessors/0/count", json!(2))];
    let message = "mesh 0: primitive 0: its 2 corners do not make whole triangles";
    assert_eq!(refusal(glb(&triangle_with(&strip), &binary())), message);
}

#[test]
fn accessors_are_checked_before_a_byte_is_touched() {
    let most = u64::MAX;
    assert_refused(&[
        ("/accessors/0/count", json!(5), "accessor 0: it reaches to byte 60, but its buffer view has 48"),
        ("/accessors/0/byteOffset", json!(13), "accessor 0: it reaches to byte 49, but its buffer view has 48"),
        (
            "/accessors/0/byteOffset",
            json!(most),
            "accessor 0: it reaches to byte 18446744073709551615, but its buffer view has 48",
        ),
        ("/accessors/0/bufferView", json!(2), "accessor 0: there is no buffer view 2: the file has 2"),
        (
            "/accessors/0/componentType",
            json!(5125),
            "accessor 0: its component type is 5125, which positions cannot have",
        ),
        ("/accessors/0/componentType", json!(1), "accessor 0: its component type is 1, which positions cannot have"),
        ("/accessors/0/type", json!("VEC2"), "accessor 0: its type is \"VEC2\", but positions are \"VEC3\""),
        (
            "/accessors/0",
            json!({ "componentType": 5126, "count": 3, "type": "VEC3" }),
            "accessor 0: it has no buffer view: all its numbers would be zero",
        ),
        (
            "/bufferViews/0/byteStride",
            json!(4),
            "accessor 0: its elements have 12 bytes, but its buffer view a stride of 4",
        ),
        (
            "/bufferViews/0/byteStride",
            json!(most),
            "accessor 0: it reaches to byte 18446744073709551615, but its buffer view has 48",
        ),
        ("/bufferViews/0/byteLength", json!(57), "buffer view 0: it reaches to byte 57, but buffer 0 has 56"),
        (
            "/bufferViews/0/byteOffset",
            json!(most),
            "buffer view 0: it reaches to byte 18446744073709551615, but buffer 0 has 56",
        ),
        ("/bufferViews/0/buffer", json!(1), "buffer view 0: there is no buffer 1: the file has 1"),
        ("/buffers/0/byteLength", json!(57), "buffer 0: it declares 57 bytes, but has 56"),
        ("/buffers/0/byteLength", json!(47), "buffer view 0: it reaches to byte 48, but buffer 0 has 47"),
    ]);
}

#[test]
fn bad_sparse_accessors_are_named() {
    let sparse = |count: u64, offset: u64, component: u32| {
        json!({
            "count": count,
            "indices": { "bufferView": 1, "byteOffset": offset, "componentType": component },
            "values": { "bufferView": 0 },
        })
    };
    let path = "/accessors/0/sparse";
    assert_refused(&[
        (path, sparse(1, 3, 5121), "accessor 0: it replaces element 3, but it has 3 (numbered from 0)"),
        (path, sparse(4, 0, 5121), "accessor 0: it replaces 4 elements, but it has 3"),
        (path, sparse(u64::MAX, 0, 5121), "accessor 0: it replaces 18446744073709551615 elements, but it has 3"),
        (path, sparse(3, 6, 5121), "accessor 0: it reaches to byte 9, but its buffer view has 8"),
        (path, sparse(3, 0, 5125), "accessor 0: it reaches to byte 12, but its buffer view has 8"),
        (path, sparse(1, 0, 5126), "accessor 0: its component type is 5126, which sparse indices cannot have"),
    ]);
}

#[test]
fn numbers_that_are_not_finite_are_named() {
    let bytes = [positions(&[[0.0; 3], [0.0, f32::NAN, 0.0], [0.0; 3], [0.0; 3]]), vec![0; 8]].concat();
    let message = "accessor 0: vertex 1: coordinate y is NaN, not a finite number";
    assert_eq!(refusal(glb(&triangle(), &bytes)), message);
}

#[test]
fn much_out_of_little_is_refused() {
    let limit = |length: usize| (1 << 20) + 64 * length;
    let message = |length: usize| {
        format!(
            "the scene has more than {} vertices and triangles, too many for a file of {length} bytes",
            limit(length)
        )
    };
    let sparse = json!({
        "count": 1, "indices": { "bufferView": 1, "componentType": 5121 }, "values": { "bufferView": 0 }
    });
    for count in [u64::MAX, 1_000_000_000] {
        let zeros = json!({ "componentType": 5126, "count": count, "type": "VEC3", "sparse": sparse });
        let bytes = glb(&triangle_with(&[("/accessors/0", zeros)]), &binary());
        assert_eq!(refusal(&bytes), message(bytes.len()));
    }
    let mut document = triangle_with(&[
        ("/accessors/0/count", json!(30_000)),
        ("/bufferViews/0/byteLength", json!(360_000)),
        ("/buffers/0/byteLength", json!(360_000)),
    ]);
    document["nodes"] = vec![json!({ "mesh": 0 }); 5_000].into();
    let bytes = glb(&document, &[0; 360_000]);
    assert_eq!(refusal(&bytes), message(bytes.len()));
    let mut lines = triangle_with(&[("/meshes/0/primitives/0/mode", json!(1))]);
    lines["nodes"] = document["nodes"].clone();
    lines["meshes"][0]["primitives"] = vec![lines["meshes"][0]["primitives"][0].clone(); 20_000].into();
    let bytes = glb(&lines, &binary());
    assert_eq!(refusal(&bytes), message(bytes.len()));
    let mut weighted = triangle_with(&[("/meshes/0/weights", vec![0; 100_000].into())]);
    weighted["nodes"] = document["nodes"].clone();
    let bytes = glb(&weighted, &binary());
    assert_eq!(refusal(&bytes), message(bytes.len()));
    document["meshes"][0]["name"] = "x".repeat(400_000).into();
    document["accessors"][0]["count"] = 0.into();
    let bytes = glb(&document, &[0; 360_000]);
    assert_eq!(refusal(&bytes), message(bytes.len()));
}
