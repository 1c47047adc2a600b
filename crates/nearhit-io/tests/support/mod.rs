//! Makes glTF files.

#![allow(dead_code, reason = "every test file uses some of it")]

use serde_json::{Value, json};

/// A GLB file of these two chunks, the first padded as it must be.
pub(crate) fn glb(document: &Value, binary: &[u8]) -> Vec<u8> {
    let mut json = document.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let number = |length: usize| (length as u32).to_le_bytes();
    let length = 28 + json.len() + binary.len();
    let header = [*b"glTF", number(2), number(length), number(json.len()), *b"JSON"].concat();
    [&header, &json[..], &number(binary.len()), b"BIN\0", binary].concat()
}

/// The bytes of points.
pub(crate) fn positions(points: &[[f32; 3]]) -> Vec<u8> {
    points.iter().flatten().flat_map(|number| number.to_le_bytes()).collect()
}

/// Three corners, and what follows them for the indices of some tests.
pub(crate) const POINTS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The binary chunk: `POINTS`, then eight bytes from 0 to 3.
pub(crate) fn binary() -> Vec<u8> {
    let mut bytes = positions(&POINTS);
    bytes.extend([0, 1, 2, 3, 2, 1, 0, 3]);
    bytes
}

/// One node, one mesh, one primitive: the first three of `POINTS`.
pub(crate) fn triangle() -> Value {
    json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5121, "count": 6, "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 8 },
        ],
        "buffers": [{ "byteLength": 56 }],
    })
}

/// The triangle with some values replaced or added, each given by its path, as `/nodes/0/name`.
pub(crate) fn triangle_with(changes: &[(&str, Value)]) -> Value {
    let mut document = triangle();
    for (path, value) in changes {
        let (parent, key) = path.rsplit_once('/').expect("a path");
        match document.pointer_mut(parent).expect("a place") {
            Value::Array(list) => match key.parse::<usize>().expect("an index") {
                end if end == list.len() => list.push(value.clone()),
                index => list[index] = value.clone(),
            },
            object => object[key] = value.clone(),
        }
    }
    document
}
