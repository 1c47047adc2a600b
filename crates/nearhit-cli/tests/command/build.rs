//! `nearhit build` keeps trees, and every command takes them for the mesh.

use crate::support::{Folder, complains, says, tells, volumes};

#[test]
fn a_built_tree_answers_as_the_mesh_does() {
    let folder = Folder::with_case();
    for volume in volumes().chain(["auto"]) {
        let line = tells(&folder, &["build", "a.obj", "--volume", volume, "-o", "kept.nhm"], 0);
        assert_eq!((&line["volume"], &line["triangles"]), (&volume.into(), &12.into()), "{line}");
        assert_eq!(line["levels"][0]["nodes"], 1);
        for place in ["2.5 0 0", "1.5 0.2 0.1"] {
            let ask = |a: &str, options: &[&str]| {
                let code = i32::from(place != "2.5 0 0");
                let mut line =
                    tells(&folder, &[&["check", a, "b.obj", "--a-translate", place], options].concat(), code);
                line["a"] = "".into();
                line
            };
            // The other mesh gets the same volume without being told.
            assert_eq!(ask("kept.nhm", &[]), ask("a.obj", &["--volume", volume]), "{volume} at {place}");
        }
    }
    assert!(says(&folder, &["info", "kept.nhm"], 0).starts_with("kept.nhm: 12 triangles, 8 vertices, closed\n"));
}

#[test]
fn people_get_a_table_of_levels() {
    let folder = Folder::with_case();
    let text = says(&folder, &["build", "a.obj", "--volume", "kdop26", "--rule", "min-sum", "--flying"], 0);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("a.nhm: 12 triangles, kdop26, built in "), "{text}");
    assert_eq!(
        lines[1].split_whitespace().collect::<Vec<_>>(),
        ["level", "nodes", "leaves", "volume", "surface", "bytes"]
    );
    assert_eq!(lines[2].split_whitespace().collect::<Vec<_>>()[..5], ["0", "1", "0", "1.0000", "1.0000"]);
    let leaves: u32 = lines[2..]
        .iter()
        .map(|line| line.split_whitespace().nth(2).expect("leaves").parse::<u32>().expect("a number"))
        .sum();
    assert_eq!(leaves, 12);
    assert!(folder.file("a.nhm").exists());
}

#[test]
fn refusals_name_the_file_and_the_reason() {
    let folder = Folder::with_case();
    assert_eq!(
        complains(&folder, &["build", "a.obj", "-o", "a.tree"]),
        "nearhit: a.tree: the name of a model file must end in .nhm\n"
    );
    assert!(complains(&folder, &["build", "a.obj", "--flying"]).contains("need a --volume other than auto"));
    assert_eq!(
        complains(&folder, &["build", "a.obj", "--volume", "obb", "--flying"]),
        "nearhit: --flying needs k-DOPs, not --volume obb\n"
    );
    assert!(
        complains(&folder, &["build", "a.obj", "--volume", "obb", "--leaf-size", "0"])
            .contains("--leaf-size must be at least 1")
    );
    says(&folder, &["build", "a.obj", "--volume", "obb"], 0);
    let mut bytes = std::fs::read(folder.file("a.nhm")).expect("just written");
    bytes[200] ^= 4;
    std::fs::write(folder.file("a.nhm"), &bytes).expect("writable");
    let complaint = complains(&folder, &["check", "a.nhm", "b.obj"]);
    assert!(complaint.starts_with("nearhit: a.nhm: byte 40: the mesh is damaged: its checksum is "), "{complaint}");
    says(&folder, &["build", "b.obj", "--volume", "rss"], 0);
    says(&folder, &["build", "a.obj", "--volume", "obb"], 0);
    let complaint = complains(&folder, &["check", "a.nhm", "b.nhm"]);
    assert_eq!(complaint, "nearhit: model a is a tree of obb, model b of rss: build both with the same volume\n");
    assert!(complains(&folder, &["check", "none.nhm", "b.obj"]).starts_with("nearhit: none.nhm: cannot be read"));
}

/// Each complaint names the file.
#[test]
fn folders_and_models_are_no_meshes() {
    let folder = Folder::with_case();
    std::fs::create_dir(folder.file("folder.nhm")).expect("writable");
    says(&folder, &["build", "a.obj"], 0);
    assert_eq!(complains(&folder, &["info", "folder.nhm"]), "nearhit: folder.nhm: is a directory, not a file\n");
    assert_eq!(complains(&folder, &["build", "."]), "nearhit: .: is a directory, not a mesh file\n");
    let complaint = complains(&folder, &["build", "a.nhm"]);
    assert_eq!(complaint, "nearhit: a.nhm: is already a model file; give the mesh that it was built from\n");
    let complaint = complains(&folder, &["check", "a.obj", "b.obj", "--work", "-1"]);
    assert!(complaint.contains("invalid value '-1' for '--work <N>'"), "{complaint}");
}
