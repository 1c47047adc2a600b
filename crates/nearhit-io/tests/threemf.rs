//! 3MF: what is read, where it is put, and what is refused.

#[path = "support/zip.rs"]
mod zip_writer;

use nearhit_io::{Convention, Format, Length, UpAxis, parse, read_assembly, read_parts, read_with};
use std::path::{Path, PathBuf};
use zip_writer::stored;

const CORE: &str = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";
const PRODUCTION: &str = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06";

const MESH: &str = r#"<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="2" z="0"/>
<vertex x="0" y="0" z="3"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/><triangle v1="1" v2="3" v3="2"/></triangles></mesh>"#;

fn model(attributes: &str, objects: &str, build: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<model xmlns="{CORE}" xmlns:p="{PRODUCTION}" {attributes}>
<resources><object id="1" name="plate">{MESH}</object>{objects}</resources>
<build>{build}</build></model>"#
    )
}

fn archive(model: &str) -> Vec<u8> {
    stored(&[("[Content_Types].xml", b"<Types/>"), ("3D/3dmodel.model", model.as_bytes())])
}

fn file(name: &str, contents: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("threemf");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let path = folder.join(name);
    std::fs::write(&path, contents).expect("a file for the test");
    path
}

#[track_caller]
fn refusal(bytes: &[u8]) -> String {
    parse(bytes, Format::ThreeMf).expect_err("a bad file").to_string()
}

#[test]
fn items_and_components_are_placed() {
    // The second row of the matrix is where y goes.
    let objects = r#"<object id="2"><components><component objectid="1" transform="0 1 0 -1 0 0 0 0 1 10 0 0"/>
        <component objectid="1"/></components></object>"#;
    let build = r#"<item objectid="2" transform="1 0 0 0 1 0 0 0 1 0 0 5"/><item objectid="1"/>"#;
    let path = file("placed.3mf", &archive(&model("", objects, build)));
    let parts = read_parts(&path).expect("a good file");
    let names: Vec<_> = parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["object_2/plate", "object_2/plate_2", "plate"]);
    assert_eq!(parts[0].mesh.vertices, [[10.0, 0.0, 5.0], [10.0, 1.0, 5.0], [8.0, 0.0, 5.0], [10.0, 0.0, 8.0]]);
    assert_eq!(parts[1].mesh.vertices[1], [1.0, 0.0, 5.0]);
    assert_eq!(parts[2].mesh.vertices[1], [1.0, 0.0, 0.0]);
    assert_eq!(parts[0].mesh.triangles, [[0, 1, 2], [1, 3, 2]]);
    let assembly = read_assembly(&path).expect("a good file");
    assert_eq!((assembly.shapes.len(), assembly.parts.len()), (1, 3));
}

#[test]
fn a_mirroring_item_turns_triangles_round() {
    let bytes = archive(&model("", "", r#"<item objectid="1" transform="-1 0 0 0 1 0 0 0 1 0 0 0"/>"#));
    assert_eq!(parse(&bytes, Format::ThreeMf).expect("a good file").triangles[0], [0, 2, 1]);
}

#[test]
fn units_are_told_and_changed_only_when_asked() {
    for (unit, metres) in [
        ("", 1e-3),
        ("unit=\"micron\"", 1e-6),
        ("unit=\"centimeter\"", 1e-2),
        ("unit=\"inch\"", 0.0254),
        ("unit=\"foot\"", 0.3048),
        ("unit=\"meter\"", 1.0),
    ] {
        let path = file("units.3mf", &archive(&model(unit, "", r#"<item objectid="1"/>"#)));
        let assembly = read_assembly(&path).expect("a good file");
        assert_eq!((assembly.units.metres_per_unit, assembly.units.up), (Some(metres), Some(UpAxis::Z)));
        assert_eq!(assembly.shapes[0].vertices[2], [0.0, 2.0, 0.0]);
        let wanted = Convention { length: Length::Metres, up: None };
        assert_eq!(read_with(&path, wanted).expect("a good file").vertices[2], [0.0, 2.0 * metres, 0.0]);
    }
}

#[test]
fn models_in_other_files_of_the_archive_are_followed() {
    let objects = r#"<object id="2"><components><component objectid="1" p:path="/3D/Objects/Other.model"/></components></object>"#;
    let root = model("requiredextensions=\"p\"", objects, r#"<item objectid="2"/>"#);
    let other = model("", "", "").replace("x=\"1\"", "x=\"7\"");
    let relationships = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
        <Relationship Target="/3d/start.model" Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>"#;
    let bytes = stored(&[
        ("_rels/.rels", relationships.as_bytes()),
        ("3D/Start.model", root.as_bytes()),
        ("3D/Objects/Other.model", other.as_bytes()),
    ]);
    let mesh = parse(&bytes, Format::ThreeMf).expect("a good file");
    assert_eq!(mesh.vertices[1], [7.0, 0.0, 0.0]);
    let bytes = stored(&[("3D/3dmodel.model", root.as_bytes())]);
    assert_eq!(refusal(&bytes), "there is no file \"/3D/Objects/Other.model\" in the archive");
}

#[test]
fn packed_archives_are_read() {
    use std::io::Write;
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    writer.start_file("3D/3dmodel.model", options).expect("an archive");
    writer.write_all(model("", "", r#"<item objectid="1"/>"#).as_bytes()).expect("an archive");
    let bytes = writer.finish().expect("an archive").into_inner();
    assert_eq!(parse(&bytes, Format::ThreeMf).expect("a good file").triangles.len(), 2);
}

#[test]
fn refusals_name_file_line_and_element() {
    let item = r#"<item objectid="1"/>"#;
    let good = model("", "", item);
    let changed = |from: &str, to: &str| refusal(&archive(&good.replacen(from, to, 1)));
    let line = |line: usize| format!("3D/3dmodel.model: line {line}: ");
    assert_eq!(changed("x=\"1\"", "x=\"a\""), line(3) + "<vertex>: attribute \"x\" is \"a\", not a number");
    assert_eq!(
        changed("x=\"1\"", "x=\"inf\""),
        line(3) + "<vertex>: attribute \"x\" is \"inf\", not a finite number of at most 1e300"
    );
    assert_eq!(changed("x=\"1\"", ""), line(3) + "<vertex>: it has no attribute \"x\"");
    assert_eq!(
        changed("v2=\"3\"", "v2=\"4\""),
        line(4) + "<triangle>: a corner names vertex 4, but there are 4 (numbered from 0)"
    );
    assert_eq!(changed("v2=\"3\"", "v2=\"-1\""), line(4) + "<triangle>: attribute \"v2\" is \"-1\", not a count");
    assert_eq!(
        changed("objectid=\"1\"", "objectid=\"9\""),
        "3d/3dmodel.model: line 5: <item objectid=\"9\">: there is no object \"9\""
    );
    assert_eq!(
        changed("objectid=\"1\"", "objectid=\"1\" transform=\"1 2\""),
        line(5) + "<item objectid=\"1\">: there should be 12 numbers, but there are 2"
    );
    assert_eq!(
        changed("<model ", "<model unit=\"mile\" "),
        line(2) + "<model>: the unit is \"mile\", which the format does not have"
    );
    assert_eq!(
        changed("<model ", "<model requiredextensions=\"b\" "),
        line(2) + "<model>: the required extension \"b\" is not supported"
    );
    assert_eq!(
        changed("</triangles>", "</triangles><beamlattice/>"),
        line(4) + "<beamlattice>: a lattice of beams is not supported"
    );
    let twice = model("", "<object id=\"1\"/>", item);
    assert_eq!(refusal(&archive(&twice)), line(4) + "<object id=\"1\">: there is another object \"1\"");
    assert_eq!(refusal(&stored(&[("a.txt", b"")])), "there is no file \"3D/3dmodel.model\" in the archive");
    assert!(refusal(b"PK").starts_with("not a 3MF archive: "));
}

#[test]
fn damage_is_seen_by_the_checksum() {
    let mut bytes = archive(&model("", "", r#"<item objectid="1"/>"#));
    let place = bytes.windows(5).position(|window| window == b"y=\"2\"").expect("a coordinate");
    bytes[place + 3] = b'3';
    assert!(refusal(&bytes).contains("cannot be unpacked"), "{}", refusal(&bytes));
}

#[test]
fn objects_that_contain_themselves_are_refused() {
    let objects = r#"<object id="2"><components><component objectid="3"/></components></object>
        <object id="3"><components><component objectid="2"/></components></object>"#;
    let bytes = archive(&model("", objects, r#"<item objectid="2"/>"#));
    assert!(
        refusal(&bytes).contains("<component objectid=\"2\">: it contains itself, by way of \"2\""),
        "{}",
        refusal(&bytes)
    );
}

#[test]
fn much_out_of_little_is_refused() {
    let mut objects = String::new();
    for level in 2..42 {
        let next = if level == 41 { 1 } else { level + 1 };
        objects += &format!(
            r#"<object id="{level}"><components><component objectid="{next}"/><component objectid="{next}"/></components></object>"#
        );
    }
    let bytes = archive(&model("", &objects, r#"<item objectid="2"/>"#));
    assert!(refusal(&bytes).contains("too many for"), "{}", refusal(&bytes));
}

#[test]
fn archives_that_fill_a_memory_are_refused() {
    use std::io::Write;
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    writer.start_file("3D/3dmodel.model", options).expect("an archive");
    for _ in 0..64 {
        writer.write_all(&vec![b' '; 1 << 20]).expect("an archive");
    }
    let bytes = writer.finish().expect("an archive").into_inner();
    assert!(bytes.len() < 1 << 17, "{}", bytes.len());
    assert!(refusal(&bytes).contains("unpacks to more than"), "{}", refusal(&bytes));
}
