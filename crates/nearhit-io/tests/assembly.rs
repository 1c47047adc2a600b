//! Shapes and placed parts: the same scene as [`read_parts`] gives, with every mesh once.

mod support;

use nearhit_io::{Assembly, Part, read_assembly, read_parts};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use support::{binary, glb, triangle_with};

fn file(name: &str, contents: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("assembly");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let path = folder.join(name);
    std::fs::write(&path, contents).expect("a file for the test");
    path
}

fn both(name: &str, nodes: Value) -> (Assembly, Vec<Part>) {
    let path = file(name, &glb(&triangle_with(&[("/nodes", nodes)]), &binary()));
    (read_assembly(&path).expect("a good file"), read_parts(&path).expect("a good file"))
}

/// Every part is where `read_parts` puts it, but for rounding.
fn assert_same_scene(assembly: &Assembly, parts: &[Part]) {
    assert_eq!(assembly.parts.len(), parts.len());
    for (placed, part) in assembly.parts.iter().zip(parts) {
        assert_eq!(placed.name, part.name);
        let shape = &assembly.shapes[placed.shape];
        assert_eq!(shape.triangles, part.mesh.triangles);
        for (&own, &expected) in shape.vertices.iter().zip(&part.mesh.vertices) {
            let point = placed.world_from_shape.apply(own.into()).to_array();
            assert!((0..3).all(|axis| (point[axis] - expected[axis]).abs() < 1e-14), "{point:?} {expected:?}");
        }
    }
}

#[test]
fn nodes_that_show_a_mesh_share_its_shape() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let (assembly, parts) = both(
        "shared.glb",
        json!([
            { "mesh": 0, "name": "bolt" },
            { "mesh": 0, "name": "bolt", "translation": [5, 0, 0.25] },
            { "name": "frame", "rotation": [0, 0, half, half], "translation": [0, 1, 0], "children": [3] },
            { "mesh": 0, "name": "nut", "translation": [1, 2, 3] },
        ]),
    );
    let names: Vec<&str> = assembly.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!((names, assembly.shapes.len()), (vec!["bolt", "bolt_2", "frame/nut"], 1));
    assert_same_scene(&assembly, &parts);
}

#[test]
fn a_scale_or_a_mirror_is_in_the_shape() {
    let (assembly, parts) = both(
        "scaled.glb",
        json!([
            { "mesh": 0 },
            { "mesh": 0, "scale": [2, 2, 2], "translation": [3, 0, 0] },
            { "mesh": 0, "scale": [2, 2, 2], "translation": [0, 7, 0] },
            { "mesh": 0, "scale": [-1, 1, 1] },
        ]),
    );
    let shapes: Vec<usize> = assembly.parts.iter().map(|part| part.shape).collect();
    assert_eq!(shapes, [0, 1, 1, 2]);
    assert_same_scene(&assembly, &parts);
}

#[test]
fn a_file_of_another_format_is_one_part() {
    let path = file("wheel.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let (assembly, parts) = (read_assembly(&path).expect("a good file"), read_parts(&path).expect("a good file"));
    assert_eq!((assembly.shapes.len(), assembly.parts[0].name.as_str()), (1, "wheel"));
    assert_same_scene(&assembly, &parts);
    assert!(read_assembly(Path::new("missing.glb")).is_err());
}

/// Two bodies called alike are told apart by where they are, and none takes the name of another.
#[test]
fn names_are_paths_that_differ() {
    let (assembly, parts) = both(
        "paths.glb",
        json!([
            { "name": "machine", "children": [1, 2, 3] },
            { "name": "left", "children": [4] },
            { "name": "right", "children": [5, 6, 7] },
            { "children": [8] },
            { "mesh": 0, "name": "body" },
            { "mesh": 0, "name": "body" },
            { "mesh": 0, "name": "body" },
            { "mesh": 0, "name": "body_2" },
            { "mesh": 0, "name": "cap" },
        ]),
    );
    let names: Vec<&str> = assembly.parts.iter().map(|part| part.name.as_str()).collect();
    let right = ["machine/right/body", "machine/right/body_3", "machine/right/body_2"];
    assert_eq!(names, ["machine/left/body", right[0], right[1], right[2], "machine/cap"]);
    assert_same_scene(&assembly, &parts);
}

/// A chain of nodes in each other would have names as long as its square.
#[test]
fn paths_that_grow_without_end_are_refused() {
    let count = 6000;
    let node = |index: usize| json!({ "mesh": 0, "name": "n", "children": [index + 1] });
    let nodes: Vec<Value> = (0..count).map(node).chain([json!({ "mesh": 0, "name": "n" })]).collect();
    let path = file("chain.glb", &glb(&triangle_with(&[("/nodes", json!(nodes))]), &binary()));
    let error = read_assembly(&path).expect_err("too long").to_string();
    assert!(error.contains("more than"), "{error}");
}
