//! Round trips, and what is not believed. Files of every volume are damaged byte by byte, with
//! right checksums, too.

use super::*;
use crate::build::BuildOptions;
use crate::hierarchy::Tumbling;
use crate::mesh::Mesh;
use crate::pose::Pose;
use crate::query::{Pair, Scratch, Settings, Tolerance};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;

fn mesh_of(soup: &nearhit_testkit::soup::Soup) -> Mesh {
    Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh")
}

fn saved(model: &Model) -> Vec<u8> {
    let mut file = Vec::new();
    model.save(&mut file).expect("memory takes everything");
    file
}

/// One of every kind: the default engine, every volume, and k-DOPs with flying data of every kind.
fn models(mesh: &Mesh, leaf_size: usize) -> Vec<Model> {
    let options = BuildOptions { leaf_size, ..BuildOptions::default() };
    let classic = |kind| Model::with(mesh.clone(), kind, &options);
    let flying = [Tumbling::PAPER, Tumbling { hull_levels: 3, corner_levels: 2 }];
    let mut models = vec![Model::new(mesh.clone()), Model::with_preset(mesh.clone(), Preset::Compact)];
    models.extend(VolumeKind::ALL.iter().map(|&kind| classic(kind)));
    models.extend(flying.map(|tumbling| classic(VolumeKind::KDop14).tumbling(tumbling)));
    models.push(classic(VolumeKind::KDop98).tumbling(Tumbling::PAPER));
    models
}

/// What a model answers about itself, elsewhere: verdicts, distances and counters, bit by bit.
fn answers(a: &Model, b: &Model) -> Vec<String> {
    let (mut rng, mut scratch) = (Rng::new(7), Scratch::new());
    let size = a.mesh().max_coordinate();
    let mut answers = Vec::new();
    for _ in 0..12 {
        let pose = Pose::from_rows(rng.rotation(), rng.point(-2.0 * size, 2.0 * size)).expect("a rotation");
        let pair = Pair::new(a, &Pose::IDENTITY, b, &pose).expect("in range");
        let collision = pair.collide(&Settings::default(), &mut scratch);
        let distance = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
        answers.push(format!("{collision:?} {distance:?}"));
    }
    answers
}

#[test]
fn what_is_loaded_is_what_was_saved() {
    let far = |soup: nearhit_testkit::soup::Soup, by: f64| {
        let moved: Vec<[f64; 3]> = soup.vertices.iter().map(|p| p.map(|x| x * by)).collect();
        Mesh::new(&moved, &soup.triangles).expect("a mesh")
    };
    let meshes = [
        mesh_of(&shapes::wrinkled_torus(24, 12, 3)),
        mesh_of(&shapes::cuboid([-1.0, 0.0, 0.0], [1.0, 0.5, 0.0])),
        mesh_of(&shapes::disjoint_tetrahedra(60, 0.1, 5)),
        far(shapes::wrinkled_torus(10, 6, 4), 1e290),
        far(shapes::wrinkled_torus(10, 6, 4), 1e-300),
        far(shapes::wrinkled_torus(10, 6, 4), 0.0),
    ];
    for mesh in &meshes {
        for leaf_size in [1, 6] {
            for model in models(mesh, leaf_size) {
                let file = saved(&model);
                let loaded =
                    Model::load(file.as_slice()).unwrap_or_else(|error| panic!("{}: {error}", model.volume_name()));
                assert!(loaded.is_same_tree(&model), "{} {}", model.volume_name(), mesh.max_coordinate());
                assert_eq!(saved(&loaded), file);
                assert_eq!(answers(&loaded, &loaded), answers(&model, &model));
            }
        }
    }
}

/// Makes the checksums of a damaged file right, as far as its parts can be found.
fn resealed(mut file: Vec<u8>) -> Vec<u8> {
    let seal = |file: &mut [u8], from: usize, to: usize| {
        let sum = crc32fast::hash(&file[from..to]).to_le_bytes();
        file[to..to + 4].copy_from_slice(&sum);
        u32::from_le_bytes(sum)
    };
    if file.len() < HEADER_BYTES {
        return file;
    }
    seal(&mut file, 0, HEADER_BYTES - 4);
    let mut start = HEADER_BYTES;
    for part in PARTS {
        let Some(length) = file.get(start..start + 8) else { break };
        let length = u64::from_le_bytes(length.try_into().expect("eight bytes"));
        let end = start as u64 + 8 + length;
        if end.saturating_add(4) > file.len() as u64 {
            break;
        }
        let sum = seal(&mut file, start + 8, end as usize);
        start = end as usize + 4;
        // The tree names the mesh it belongs to.
        if part == "mesh" && file.len() >= start + 12 {
            file[start + 8..start + 12].copy_from_slice(&sum.to_le_bytes());
        }
    }
    file
}

/// Small files of every kind.
fn small_files() -> Vec<Vec<u8>> {
    let mesh = mesh_of(&shapes::tetrahedron([[0.0; 3], [1.0, 0.0, 0.1], [0.2, 1.0, 0.0], [0.3, 0.1, 0.9]]));
    models(&mesh, 1).iter().map(saved).collect()
}

#[test]
fn every_changed_byte_is_found() {
    for file in small_files() {
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(Model::from_bytes(&damaged).is_err(), "byte {at} of {}", file.len());
        }
    }
}

#[test]
fn every_truncation_is_found() {
    for file in small_files() {
        for length in 0..file.len() {
            assert!(Model::from_bytes(&file[..length]).is_err(), "{length} of {}", file.len());
            assert!(Model::from_bytes(&resealed(file[..length].to_vec())).is_err(), "{length} of {}", file.len());
        }
        let longer = [file.as_slice(), &[0]].concat();
        let error = Model::from_bytes(&longer).expect_err("one byte too many").to_string();
        assert_eq!(error, format!("byte {}: 1 bytes too many at the end of the file", file.len()));
    }
}

/// Does what every file must that loads, whoever wrote it: its answers are those of a fresh model
/// of its mesh.
fn check_believed(loaded: &Model) {
    loaded.check().expect("it was checked");
    // Answers of poses beyond the limits are errors of their own.
    if loaded.mesh().max_coordinate() > 1e6 {
        return;
    }
    let fresh = Model::with(loaded.mesh().clone(), VolumeKind::Aabb, &BuildOptions::default());
    let told = |model: &Model| -> Vec<(String, u64)> {
        let (mut rng, mut scratch) = (Rng::new(8), Scratch::new());
        let ask = |_| {
            let pose = Pose::from_rows(rng.rotation(), rng.point(-1.0, 1.0)).expect("a rotation");
            let pair = Pair::new(model, &Pose::IDENTITY, model, &pose).expect("in range");
            let collision = pair.collide(&Settings::default(), &mut scratch);
            (
                format!("{:?}", collision.verdict),
                pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper.to_bits(),
            )
        };
        (0..4).map(ask).collect()
    };
    assert_eq!(told(loaded), told(&fresh));
}

/// Checksums that are right do not make a file right. Every byte is changed, to its neighbours in
/// value and to the extremes.
#[test]
fn whatever_loads_answers_right() {
    let (mut loaded, mut refused) = (0, 0);
    for file in small_files() {
        for at in HEADER_BYTES..file.len() {
            for change in [1, 0x80] {
                let mut damaged = file.clone();
                damaged[at] ^= change;
                match Model::from_bytes(&resealed(damaged)) {
                    Ok(model) => {
                        loaded += 1;
                        check_believed(&model);
                    }
                    Err(error) => {
                        refused += 1;
                        assert!(!error.to_string().is_empty());
                    }
                }
            }
        }
    }
    assert!(loaded > 1000 && refused > 1000, "{loaded} loaded, {refused} refused");
}

/// Larger damage: runs of bytes copied, zeroed and drawn, in files with flying data.
#[test]
fn scrambled_files_are_refused_or_right() {
    let mut rng = Rng::new(9);
    let mesh = mesh_of(&shapes::wrinkled_torus(8, 5, 3));
    let files: Vec<Vec<u8>> = models(&mesh, 2).iter().map(saved).collect();
    let (mut loaded, mut refused) = (0, 0);
    for round in 0..2000 {
        let mut file = files[round % files.len()].clone();
        for _ in 0..=rng.below(2) {
            let length = 1 + rng.below(12);
            let (from, to) =
                (rng.below(file.len() - length), HEADER_BYTES + rng.below(file.len() - length - HEADER_BYTES));
            match rng.below(3) {
                0 => file.copy_within(from..from + length, to),
                1 => file[to..to + length].fill(0),
                _ => file[to..to + length].iter_mut().for_each(|byte| *byte = rng.below(256) as u8),
            }
        }
        match Model::from_bytes(&resealed(file)) {
            Ok(model) => {
                loaded += 1;
                check_believed(&model);
            }
            Err(_) => refused += 1,
        }
    }
    assert!(loaded > 25 && refused > 800, "{loaded} loaded, {refused} refused");
}

fn refusal(file: Vec<u8>) -> String {
    Model::from_bytes(&resealed(file)).expect_err("not a model").to_string()
}

#[test]
fn refusals_say_what_and_where() {
    let mesh = mesh_of(&shapes::wrinkled_torus(8, 5, 3));
    let file = saved(&Model::with(mesh.clone(), VolumeKind::Obb, &BuildOptions::default()));
    let mut other = file.clone();
    other[..8].copy_from_slice(b"solid ex");
    assert_eq!(refusal(other), "not a nearhit model: it begins with \"solid ex\"");
    let mut newer = file.clone();
    newer[8] = 2;
    assert_eq!(refusal(newer), "its format has version 2, but only version 1 is known here");
    let mut renamed = file.clone();
    renamed[12..15].copy_from_slice(b"cob");
    assert_eq!(refusal(renamed), "byte 12: the volume is \"cob\", which is not known here");
    let mut many = file.clone();
    many[HEADER_BYTES + 8..HEADER_BYTES + 16].fill(0xff);
    assert!(refusal(many).starts_with("byte 56: the vertices needs 442721857769029238760 bytes, but "));
    let mut lost = file.clone();
    let mesh_bytes = 16 + 24 * mesh.vertices().len() + 12 * mesh.triangles().len();
    let order = lost.len() - 4 - 8 - 4 - 4 * mesh.triangles().len();
    let (first, second) = (order..order + 4, order + 4);
    lost.copy_within(first, second);
    assert!(refusal(lost).starts_with("its tree: triangle "));
    let mut thrown = file;
    let center = HEADER_BYTES + 8 + mesh_bytes + 4 + 8 + 4 + 8 + 8;
    thrown[center..center + 8].copy_from_slice(&0.9_f64.to_le_bytes());
    assert_eq!(refusal(thrown), "its tree: node 0 does not enclose triangle 49");
}

/// A report that walks an error's sources says nothing twice.
#[test]
fn messages_are_whole() {
    let mesh = mesh_of(&shapes::wrinkled_torus(8, 5, 3));
    let file = saved(&Model::with(mesh.clone(), VolumeKind::Obb, &BuildOptions::default()));
    let mut no_tree = file.clone();
    let order = no_tree.len() - 4 - 8 - 4 - 4 * mesh.triangles().len();
    no_tree.copy_within(order..order + 4, order + 4);
    let mut no_mesh = file;
    no_mesh[HEADER_BYTES + 24..HEADER_BYTES + 32].copy_from_slice(&f64::NAN.to_le_bytes());
    for (bytes, begins) in [(no_tree, "its tree: triangle "), (no_mesh, "its mesh: vertex 0: coordinate x is NaN")] {
        let error = Model::from_bytes(&resealed(bytes)).expect_err("refused");
        assert!(error.to_string().starts_with(begins), "{error}");
        assert!(std::error::Error::source(&error).is_none(), "{error:?}");
    }
}

/// Files are read by later versions on other machines: whoever changes these bytes changes
/// [`VERSION`], too.
#[test]
fn the_format_stays_as_it_is() {
    let mesh = mesh_of(&shapes::cuboid([-1.0, 0.0, 0.25], [1.0, 0.5, 2.0]));
    let file = saved(&Model::with(mesh, VolumeKind::Aabb, &BuildOptions::default()));
    assert_eq!(file[..12], *b"nearhit\n\x01\0\0\0");
    assert_eq!((file.len(), crc32fast::hash(&file)), (1768, 149973232));
}
