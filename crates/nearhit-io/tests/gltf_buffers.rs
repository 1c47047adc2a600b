//! glTF: which files and addresses the buffers may be in.

mod support;

use nearhit_io::{Format, parse, read};
use serde_json::json;
use std::path::{Path, PathBuf};
use support::{binary, glb, triangle_with};

#[track_caller]
fn refusal(bytes: impl AsRef<[u8]>) -> String {
    parse(bytes.as_ref(), Format::Gltf).expect_err("a bad file").to_string()
}

/// Writes a document beside which other files are, and reads it.
#[track_caller]
fn buffer_refusal(folder: &Path, uri: &str) -> String {
    std::fs::create_dir_all(folder).expect("a folder for the test");
    let path = folder.join("document.gltf");
    let document = triangle_with(&[("/buffers/0/uri", json!(uri))]);
    std::fs::write(&path, document.to_string()).expect("a file for the test");
    let message = read(&path).expect_err("a bad file").to_string();
    message.strip_prefix(&format!("{}: buffer 0: ", path.display())).expect("the buffer is named").to_owned()
}

#[test]
fn buffers_elsewhere_are_refused() {
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gltf_refusals");
    let below = folder.join("below");
    std::fs::create_dir_all(below.join("folder.bin")).expect("a folder for the test");
    std::fs::write(folder.join("outside.bin"), binary()).expect("a file for the test");
    std::fs::write(below.join("short.bin"), &binary()[1..]).expect("a file for the test");
    assert_eq!(
        buffer_refusal(&below, "../outside.bin"),
        "the address \"../outside.bin\" leads out of the file's folder"
    );
    assert_eq!(
        buffer_refusal(&below, "https://example.org/a.bin"),
        "the address \"https://example.org/a.bin\" is not a path below the file's folder: only those and data: addresses are read"
    );
    assert_eq!(buffer_refusal(&below, "short.bin"), "it declares 56 bytes, but has 55");
    assert_eq!(buffer_refusal(&below, "folder.bin"), "\"folder.bin\" is not a file");
    assert!(buffer_refusal(&below, "missing.bin").starts_with("the file \"missing.bin\" cannot be read: "));
    assert_eq!(buffer_refusal(&below, "data:,x"), "the data: address is not in base64");
    let document = triangle_with(&[("/buffers/0/uri", json!("a.bin"))]).to_string();
    assert_eq!(refusal(document), "buffer 0: it is in the file \"a.bin\", which cannot be read without a folder");
    let document = triangle_with(&[("/buffers/1", json!({ "byteLength": 1 }))]);
    assert_eq!(refusal(glb(&document, &binary())), "buffer 1: it has neither an address nor a chunk of a GLB file");
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_not_followed() {
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gltf_link");
    let below = folder.join("below");
    std::fs::create_dir_all(&below).expect("a folder for the test");
    std::fs::write(folder.join("outside.bin"), binary()).expect("a file for the test");
    let link = below.join("link.bin");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(folder.join("outside.bin"), &link).expect("a link for the test");
    let message = "the file \"link.bin\" is a link that leads out of the file's folder";
    assert_eq!(buffer_refusal(&below, "link.bin"), message);
}
