//! Files: the format is told by the name, and every error names the file.

use nearhit::{Mesh, MeshError};
use nearhit_io::{Format, ReadError, read, read_mesh};
use std::path::{Path, PathBuf};

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// A file of this name and contents, in a folder of its own for each test.
fn file(test: &str, name: &str, contents: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let path = folder.join(name);
    std::fs::write(&path, contents).expect("a file for the test");
    path
}

/// The message after the path.
#[track_caller]
fn refusal(path: &Path) -> String {
    let message = read_mesh(path).expect_err("a bad file").to_string();
    message.strip_prefix(&path.display().to_string()).expect("the path comes first").to_owned()
}

#[test]
fn a_good_file_becomes_a_mesh() {
    let path = file("good", "triangle.OBJ", TRIANGLE);
    let expected = Mesh::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]);
    assert_eq!(read_mesh(&path).ok(), expected.ok());
    let path = file("good", "two.dots.stl", "solid\nendsolid");
    assert!(read(&path).expect("a good file").triangles.is_empty());
}

#[test]
fn an_error_in_a_line_can_be_jumped_to() {
    let path = file("line", "wheel.obj", "v 0 0 0\nv 1 1.2.3 0\n");
    assert_eq!(refusal(&path), ":2: vertex coordinate y is \"1.2.3\", not a number");
    let path = file("line", "wheel.stl", "solid\nfacet nomal");
    assert_eq!(refusal(&path), ":2: expected \"normal\", found \"nomal\"");
}

#[test]
fn a_file_without_triangles_is_no_mesh() {
    let path = file("none", "points.obj", "v 0 0 0\n");
    assert_eq!(refusal(&path), ": the mesh has no triangles");
    assert!(matches!(read_mesh(&path), Err(ReadError::Mesh { error: MeshError::NoTriangles, .. })));
}

#[test]
fn an_error_without_a_line_names_the_file() {
    assert_eq!(refusal(&file("whole", "empty.obj", "")), ": the file is empty");
    assert_eq!(refusal(&file("whole", "empty.stl", "")), ": the file is empty");
    let path = file("whole", "short.stl", "\u{1}");
    assert_eq!(
        refusal(&path),
        ": not an STL file: it does not begin with \"solid\", and it is no binary STL file either"
    );
}

#[test]
fn a_name_that_tells_no_format_is_refused() {
    assert_eq!(
        refusal(&file("name", "part.step", TRIANGLE)),
        ": unknown extension \"step\" (known: obj, stl, ply, off, gltf, glb, dae, 3mf); convert it to glTF or STL first, for example with FreeCAD"
    );
    assert_eq!(
        refusal(&file("name", "part", TRIANGLE)),
        ": has no extension to tell its format by (known: obj, stl, ply, off, gltf, glb, dae, 3mf)"
    );
    assert_eq!(
        refusal(&file("name", ".obj", TRIANGLE)),
        ": has no extension to tell its format by (known: obj, stl, ply, off, gltf, glb, dae, 3mf)"
    );
}

#[test]
fn a_missing_file_and_a_directory_are_named() {
    let missing = Path::new(env!("CARGO_TARGET_TMPDIR")).join("missing.obj");
    assert!(refusal(&missing).starts_with(": cannot be read: "));
    let Err(ReadError::Io { path, error }) = read(&missing) else { panic!("there is no such file") };
    assert_eq!((path, error.kind()), (missing, std::io::ErrorKind::NotFound));

    let folder = file("folder.obj", "part.obj", TRIANGLE).parent().expect("its folder").to_owned();
    assert_eq!(refusal(&folder), ": is a directory, not a file");
}

#[test]
fn formats_are_found_by_extension_in_any_case() {
    for &format in Format::ALL {
        for extension in format.extensions() {
            assert_eq!(Format::from_extension(extension), Some(format));
            assert_eq!(Format::from_extension(&extension.to_uppercase()), Some(format));
        }
        // A name in code cannot begin with a digit.
        let spelled = format.name().replace('3', "Three");
        assert!(spelled.eq_ignore_ascii_case(&format!("{format:?}")));
    }
    assert_eq!(Format::from_extension("objx"), None);
    assert_eq!(Format::from_extension(""), None);
}
