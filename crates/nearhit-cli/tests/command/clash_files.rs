//! `nearhit clash` and files: baselines, BCF, tables of parts, rules that are no regular files.

use crate::clash::{cube, folder};
use crate::support::{complains, says, tells};
use serde_json::json;

/// As a pipeline runs it: accept what there is, then only what is new fails; assertions by name.
#[test]
fn findings_since_a_baseline() {
    let folder = folder(&[("base.obj", 1.0, 0.0), ("press.obj", 0.5, 1.25), ("cover.obj", 1.0, 6.0)]);
    let parts = ["clash", "base.obj", "press.obj", "cover.obj"];
    let line = tells(&folder, &parts, 1);
    folder.write("accepted.json", &line.to_string());
    let with = |more: &[&'static str]| [&parts[..], more].concat();
    let line = tells(&folder, &with(&["--baseline", "accepted.json"]), 0);
    assert_eq!((&line["baseline"]["new"], &line["baseline"]["persistent"]), (&json!(0), &json!(1)));
    assert_eq!(line["findings"][0]["change"], "persistent");
    // Deeper, and a new one.
    folder.write("press.obj", &cube(0.5, 1.0));
    folder.write("cover.obj", &cube(1.0, 2.25));
    let line = tells(&folder, &with(&["--baseline", "accepted.json"]), 1);
    assert_eq!((&line["baseline"]["new"], &line["baseline"]["changed"]), (&json!(1), &json!(1)));
    // All apart.
    folder.write("press.obj", &cube(0.5, 20.0));
    folder.write("cover.obj", &cube(1.0, 6.0));
    let text = says(&folder, &with(&["--baseline", "accepted.json"]), 0);
    assert!(text.contains("1 resolved") && text.contains("resolved: hard clash of base and press"), "{text}");
    folder.write("rules.txt", "assert room = base*:cover* clears 3.5\nassert more room = base*:cover* clears 4.5\n");
    let text = says(&folder, &with(&["--rules", "rules.txt"]), 1);
    assert!(text.contains("holds: room") && text.contains("violated: more room"), "{text}");
    folder.write("rules.txt", "assert room = base*:cover* clears 3.5\nassert gone = lid:cover* clears 1\n");
    assert!(says(&folder, &with(&["--rules", "rules.txt"]), 1).contains("stale: gone"));
    folder.write("rules.txt", "clearance base*:cover* 4.5 # a matrix\ntolerance 0.001\n");
    let line = tells(&folder, &with(&["--rules", "rules.txt"]), 1);
    assert_eq!((&line["findings"][0]["class"], &line["tolerance"]), (&json!("close"), &json!(0.001)));
    folder.write("rules.txt", "clearance base*:cover* wide\n");
    assert!(complains(&folder, &with(&["--rules", "rules.txt"])).contains("rules.txt:1: wide: the clearance"));
    folder.write("bad.json", "{\"findings\": [{\"class\": \"odd\"}]}");
    let complaint = complains(&folder, &with(&["--baseline", "bad.json"]));
    assert!(complaint.contains("bad.json: findings[0]") && complaint.contains("odd"), "{complaint}");
}

/// BCF, read back: a topic and a viewpoint for each finding, the same in every run, whatever the
/// names.
#[test]
fn findings_as_bcf() {
    let folder = folder(&[("a<&b.obj", 1.0, 0.0), ("2O2Fr$t4X7Zf8NOew3FLOH.obj", 0.5, 1.25)]);
    for version in ["2.1", "3.0"] {
        let name = format!("found{version}.bcf");
        let options = ["--unit", "mm", "--bcf-version", version, "--bcf", &name];
        let line = tells(&folder, &[&["clash", "a<&b.obj", "2O2Fr$t4X7Zf8NOew3FLOH.obj"][..], &options].concat(), 1);
        let id = line["findings"][0]["id"].as_str().expect("an identity").to_owned();
        let bytes = std::fs::File::open(folder.file(&name)).expect("a file");
        let mut archive = zip::ZipArchive::new(bytes).expect("an archive");
        let mut text = |name: &str| {
            let mut text = String::new();
            std::io::Read::read_to_string(&mut archive.by_name(name).expect(name), &mut text).expect("text");
            text
        };
        assert!(text("bcf.version").contains(&format!("VersionId=\"{version}\"")));
        let markup = text(&format!("{id}/markup.bcf"));
        let markup = roxmltree::Document::parse(&markup).expect("XML");
        let topic = markup.descendants().find(|node| node.has_tag_name("Topic")).expect("a topic");
        assert_eq!((topic.attribute("Guid"), topic.attribute("TopicStatus")), (Some(id.as_str()), Some("Open")));
        let titled = topic.children().find(|node| node.has_tag_name("Title")).and_then(|node| node.text());
        assert_eq!(titled, Some("hard clash: a<&b and 2O2Fr$t4X7Zf8NOew3FLOH"));
        let view = text(&format!("{id}/viewpoint.bcfv"));
        let view = roxmltree::Document::parse(&view).expect("XML");
        let parts: Vec<_> = view.descendants().filter(|node| node.has_tag_name("Component")).collect();
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[1].attribute("IfcGuid"), Some("2O2Fr$t4X7Zf8NOew3FLOH"));
        let camera = view.descendants().find(|node| node.has_tag_name("CameraViewPoint")).expect("a camera");
        let x: f64 = camera.first_element_child().and_then(|x| x.text()?.parse().ok()).expect("a number");
        // Millimetres are metres.
        assert!(x.abs() < 0.01, "{x}");
        let named = markup.descendants().find(|node| node.has_tag_name("Snapshot")).and_then(|node| node.text());
        assert_eq!(named, Some("snapshot.png"));
        let mut picture = Vec::new();
        let mut file = archive.by_name(&format!("{id}/snapshot.png")).expect("a snapshot");
        std::io::Read::read_to_end(&mut file, &mut picture).expect("bytes");
        let colours = colours(&picture);
        // Both parts, where they overlap, the paper around them, and the mark.
        assert!(
            colours.len() > 4 && colours.contains(&[247, 247, 247]) && colours.contains(&[209, 13, 26]),
            "{colours:?}"
        );
    }
}

/// The colours of a PNG file of 360 × 240 pixels in one piece, as they come.
fn colours(file: &[u8]) -> std::collections::HashSet<[u8; 3]> {
    assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(file[8..29], *b"\0\0\0\x0dIHDR\0\0\x01\x68\0\0\0\xf0\x08\x02\0\0\0");
    let length = u32::from_be_bytes(file[33..37].try_into().expect("four bytes")) as usize;
    assert_eq!((&file[37..41], &file[45 + length + 4..45 + length + 8]), (&b"IDAT"[..], &b"IEND"[..]));
    let mut pixels = Vec::new();
    let mut data = flate2::read::ZlibDecoder::new(&file[41..41 + length]);
    std::io::Read::read_to_end(&mut data, &mut pixels).expect("compressed");
    assert_eq!(pixels.len(), 240 * (1 + 3 * 360));
    pixels.chunks(1 + 3 * 360).flat_map(|row| row[1..].chunks(3).map(|pixel| [pixel[0], pixel[1], pixel[2]])).collect()
}

/// Mesh files in their places, by a table; files that need another program say which.
#[test]
fn findings_of_a_table() {
    let folder = folder(&[("cube.obj", 1.0, 0.0)]);
    let at = |x: f64| format!("1,0,0,{x},0,1,0,0,0,0,1,0");
    folder.write("parts.csv", &format!("# parts\ncube.obj,left,{}\ncube.obj, right ,{}\n", at(0.0), at(1.5)));
    let line = tells(&folder, &["clash", "--table", "parts.csv"], 1);
    assert_eq!((&line["shapes"], &line["findings"][0]["b"]), (&json!(1), &json!("right")));
    assert_eq!(line["findings"][0]["depth"], 0.5);
    folder.write("parts.csv", "cube.obj,left,1,0\n");
    assert!(complains(&folder, &["clash", "--table", "parts.csv"]).contains("parts.csv:1: a line is FILE,NAME"));
    folder.write("parts.csv", &format!("cube.obj,left,{}\n", at(0.0).replacen('1', "2", 1)));
    assert!(complains(&folder, &["clash", "--table", "parts.csv"]).contains("parts.csv:1"));
    folder.write("part.step", "ISO-10303-21;");
    assert!(complains(&folder, &["clash", "part.step", "cube.obj"]).contains("pip install nearhit cascadio"));
}

/// Neither is waited for: a pipe nobody writes to, and a device without end.
#[cfg(unix)]
#[test]
fn rules_baselines_and_tables_are_regular_files() {
    let folder = folder(&[("a.obj", 1.0, 0.0), ("b.obj", 1.0, 3.0)]);
    let path = folder.file("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo runs").success());
    // With a writer, who reads it nevertheless is not kept waiting and is found out.
    std::thread::spawn(move || (0..3).try_for_each(|_| std::fs::write(&path, "*:*\n")));
    for flag in ["--rules", "--baseline", "--table"] {
        for (file, message) in [
            ("pipe", "pipe: is not a regular file"),
            ("/dev/null", "/dev/null: is not a regular file"),
            ("none", "none: cannot be read: "),
        ] {
            let complaint = complains(&folder, &["clash", "a.obj", "b.obj", flag, file]);
            assert!(complaint.contains(message), "{flag} {file}: {complaint}");
        }
    }
}
