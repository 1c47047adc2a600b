//! Meshes that change answer as if they were built afresh, and stay as good to search.

use crate::common;
use glam::DVec3;
use nearhit::research::Buffer;
use nearhit::research::DeformingExt;
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::scene::{DeformError, Deforming};
use nearhit::{Mesh, MeshError, Model, Pair, Pose, Scratch, Settings, Tolerance};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;

const KINDS: [VolumeKind; 3] = [VolumeKind::Aabb, VolumeKind::KDop18, VolumeKind::Obb];

fn flat(mesh: &Mesh) -> Vec<[f64; 3]> {
    mesh.vertices().iter().map(|vertex| vertex.to_array()).collect()
}

/// Asks both models the same; answers must be equal to the bit. Returns N_v of both.
fn compare(a: &Model, b: &Model, rng: &mut Rng, rounds: usize) -> [u64; 2] {
    let (mut scratch, settings) = (Scratch::new(), Settings::default());
    let mut tests = [0; 2];
    for _ in 0..rounds {
        let pose = Pose::from_quaternion(rng.quaternion(), rng.point(-1.2, 1.2)).expect("a unit quaternion");
        let mut said = Vec::new();
        for (place, model) in [a, b].into_iter().enumerate() {
            let pair = Pair::relative(model, model, &pose).expect("near");
            let contacts = pair.contacts(&settings, &mut scratch);
            tests[place] += contacts.stats.volume_tests;
            let contacts = contacts.pairs.to_vec();
            let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
            said.push((contacts, distance.upper));
        }
        assert!(said[0] == said[1]);
    }
    tests
}

#[test]
fn refitted_trees_answer_like_fresh_ones() {
    let mesh = common::mesh(&shapes::torus(20, 10, 1.0, 0.3));
    let mut rng = Rng::new(21);
    let mut left = 0;
    for kind in KINDS {
        for buffer in [Buffer::default(), Buffer::new(4.0, 0.002)] {
            let mut deforming = Deforming::with_volume(&mesh, kind, buffer).expect("a buffer");
            let rest = flat(&mesh);
            for step in 1..=20 {
                // A wave through the ring, then a crumpling that no tree foresaw.
                let wave = |p: &[f64; 3]| {
                    let phase = 0.05 * f64::from(step) + 3.0 * p[0];
                    [p[0], p[1] * (1.0 + 0.2 * phase.sin()), p[2] + 0.4 * (phase + p[1]).cos()]
                };
                let mut positions: Vec<[f64; 3]> = rest.iter().map(wave).collect();
                if step % 10 == 0 {
                    positions.iter_mut().for_each(|p| *p = rng.point(-1.0, 1.0));
                }
                let refit = deforming.move_vertices(&positions).expect("as many");
                left += refit;
                let model = deforming.model().expect("a mesh");
                assert_eq!(model.check(), Ok(()), "{kind} {buffer:?} step {step}");
                let fresh = Model::with(model.mesh().clone(), kind, &BuildOptions::default());
                assert_eq!(flat(model.mesh()), positions);
                compare(&model, &fresh, &mut rng, if step % 10 == 0 { 1 } else { 2 });
            }
        }
    }
    assert!(left > 1000, "{left}");
}

/// Each triangle is mirrored in its own box, which stays the same; what is tighter than a box does
/// not.
#[test]
fn moves_within_a_box_are_noticed() {
    let mut rng = Rng::new(23);
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    for _ in 0..200 {
        // In sixty-fourths: mirroring is exact.
        let middle = rng.point(-64.0, 64.0);
        vertices.extend((0..3).map(|_| [0, 1, 2].map(|axis| (middle[axis] + rng.range(-12.0, 12.0)).round() / 64.0)));
    }
    let triangles: Vec<[u32; 3]> = (0..200).map(|triangle| [0, 1, 2].map(|corner| 3 * triangle + corner)).collect();
    let mesh = Mesh::new(&vertices, &triangles).expect("legal");
    for kind in KINDS {
        let mut deforming = Deforming::with_volume(&mesh, kind, Buffer::default()).expect("a buffer");
        let mut positions = vertices.clone();
        for axis in 0..3 {
            for triangle in positions.chunks_mut(3) {
                let (low, high) = triangle.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), corner| {
                    (low.min(corner[axis]), high.max(corner[axis]))
                });
                triangle.iter_mut().for_each(|corner| corner[axis] = low + high - corner[axis]);
            }
            deforming.move_vertices(&positions).expect("as many");
            let model = deforming.model().expect("a mesh");
            assert_eq!(model.check(), Ok(()), "{kind} mirrored along {axis}");
            let fresh = Model::with(model.mesh().clone(), kind, &BuildOptions::default());
            compare(&model, &fresh, &mut rng, 2);
        }
    }
}

/// With room for some moves the tree is not touched in most of them.
#[test]
fn a_buffer_spares_refits() {
    let mesh = common::mesh(&shapes::wavy_sheet(20, 0.2, 3));
    let count = |buffer: Buffer| {
        let mut deforming = Deforming::with_volume(&mesh, VolumeKind::KDop18, buffer).expect("a buffer");
        let mut positions = flat(&mesh);
        let mut refits = 0;
        for _ in 0..60 {
            positions.iter_mut().for_each(|p| p[2] += 0.01 * (1.0 + p[0]));
            refits += usize::from(deforming.move_vertices(&positions).expect("as many") > 0);
            assert_eq!(deforming.model().expect("a mesh").check(), Ok(()));
        }
        refits
    };
    let (without, with) = (count(Buffer::default()), count(Buffer::new(9.0, 0.0)));
    assert!(without == 60 && with <= 30, "{without} {with}");
}

#[test]
fn after_ten_thousand_edits_the_tree_is_as_good_as_new() {
    let mut rng = Rng::new(22);
    let mesh = common::mesh(&shapes::torus(40, 20, 1.0, 0.3));
    let mut deforming = Deforming::with_volume(&mesh, VolumeKind::KDop18, Buffer::default()).expect("a buffer");
    // Bits are cut out of the ring and put in elsewhere, until it is another shape.
    for _ in 0..5_000 {
        let index = rng.below(deforming.mesh().triangles.len()) as u32;
        deforming.remove(&[index]).expect("there");
        let center = DVec3::from_array(rng.point(-1.0, 1.0));
        let corners = [0; 3].map(|_| center + DVec3::from_array(rng.point(-0.08, 0.08)));
        deforming.insert(&[corners]).expect("finite");
    }
    let model = deforming.model().expect("a mesh");
    assert_eq!(model.check(), Ok(()));
    assert_eq!(model.mesh().triangles().len(), mesh.triangles().len());
    let fresh = Model::with(model.mesh().clone(), VolumeKind::KDop18, &BuildOptions::default());
    let [edited, new] = compare(&model, &fresh, &mut rng, 60);
    // 1.16 if worn subtrees were not built afresh.
    assert!(edited as f64 <= 1.1 * new as f64, "{edited} volume tests, a fresh tree takes {new}");
    println!("N_v after 10,000 edits: {edited}, of a fresh build: {new}");
}

/// Every triangle goes to where another was: what is near what in the tree says nothing any more.
#[test]
fn a_shuffled_mesh_is_as_good_as_new() {
    let mut rng = Rng::new(24);
    let ring = common::mesh(&shapes::torus(40, 20, 1.0, 0.3));
    let corners: Vec<[f64; 3]> =
        ring.triangles().iter().flatten().map(|&corner| flat(&ring)[corner as usize]).collect();
    let triangles: Vec<[u32; 3]> =
        (0..corners.len() as u32 / 3).map(|index| [0, 1, 2].map(|corner| 3 * index + corner)).collect();
    let mesh = Mesh::new(&corners, &triangles).expect("legal");
    let mut deforming = Deforming::with_volume(&mesh, VolumeKind::KDop18, Buffer::default()).expect("a buffer");
    let mut places: Vec<&[[f64; 3]]> = corners.chunks(3).collect();
    (1..places.len()).for_each(|place| places.swap(place, rng.below(place + 1)));
    deforming.move_vertices(&places.concat()).expect("as many");
    let model = deforming.model().expect("a mesh");
    let fresh = Model::with(model.mesh().clone(), VolumeKind::KDop18, &BuildOptions::default());
    let [moved, new] = compare(&model, &fresh, &mut rng, 20);
    assert!(moved as f64 <= 1.2 * new as f64, "{moved} volume tests, a fresh tree takes {new}");
}

#[test]
fn parts_come_and_go() {
    let mut rng = Rng::new(23);
    let (ring, cube) =
        (common::mesh(&shapes::torus(12, 6, 1.0, 0.3)), common::mesh(&shapes::cuboid([0.0; 3], [0.4; 3])));
    let mut deforming = Deforming::with_volume(&ring, VolumeKind::Aabb, Buffer::default()).expect("a buffer");
    let part: Vec<_> = (0..cube.triangles().len() as u32).map(|index| cube.triangle(index)).collect();
    let vertices = |deforming: &Deforming| deforming.mesh().vertices.len();
    let mut most = 0;
    for round in 0..50 {
        let first = deforming.insert(&part).expect("finite");
        assert_eq!(first as usize, ring.triangles().len());
        let model = deforming.model().expect("a mesh");
        assert_eq!(model.check(), Ok(()), "round {round}");
        let fresh = Model::with(model.mesh().clone(), VolumeKind::Aabb, &BuildOptions::default());
        compare(&model, &fresh, &mut rng, 1);
        let gone: Vec<u32> = (first..first + part.len() as u32).collect();
        deforming.remove(&gone).expect("there");
        most = most.max(vertices(&deforming));
    }
    // What was deleted is used again.
    assert_eq!(most, ring.vertices().len() + 3 * part.len());
    let all: Vec<u32> = (0..deforming.mesh().triangles.len() as u32).collect();
    assert_eq!(deforming.remove(&all), Err(DeformError::Mesh(MeshError::NoTriangles)));
    let beyond = all.len() as u32;
    assert_eq!(
        deforming.remove(&[beyond]),
        Err(DeformError::UnknownTriangle { triangle: beyond, triangles: all.len() })
    );
    assert_eq!(
        deforming.move_vertices(&[]).expect_err("too few").to_string(),
        format!("0 positions for {most} vertices")
    );
    let mut positions = deforming.mesh().vertices.clone();
    positions[3][1] = f64::NAN;
    assert!(matches!(
        deforming.move_vertices(&positions),
        Err(DeformError::Mesh(MeshError::NotFinite { vertex: 3, .. }))
    ));
    assert!(deforming.insert(&[[DVec3::NAN; 3]]).is_err());
    assert!(Deforming::with_volume(&ring, VolumeKind::Aabb, Buffer::new(-1.0, 0.0)).is_err());
    assert_eq!(deforming.model().expect("as before").check(), Ok(()));
    // Room without end ends where coordinates do.
    for kind in KINDS {
        let mut roomy = Deforming::with_volume(&ring, kind, Buffer::new(1e300, f64::MAX)).expect("a buffer");
        roomy.insert(&part).expect("finite");
        assert_eq!(roomy.model().expect("a mesh").check(), Ok(()), "{kind}");
    }
}
