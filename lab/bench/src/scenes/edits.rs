//! Meshes that change: what refitting costs beside rebuilding, and how good a tree is after ten
//! thousand edits.

use glam::DVec3;
use lab_report::scale::Scale;
use lab_report::stopwatch::time;
use lab_report::{Cell, Report, Table};
use nearhit::research::Buffer;
use nearhit::research::DeformingExt;
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::scene::Deforming;
use nearhit::{Model, Pair, Pose, Scratch, Settings};
use nearhit_cases::generated::mesh;
use nearhit_datasets::rng::Rng;
use std::hint::black_box;

/// N_v of contacts at random poses.
fn work(model: &Model, seed: u64) -> u64 {
    let (mut rng, mut scratch) = (Rng::new(seed), Scratch::new());
    (0..100)
        .map(|_| {
            let pose = Pose::from_quaternion(rng.quaternion(), rng.point(-1.2, 1.2)).expect("a unit quaternion");
            let pair = Pair::relative(model, model, &pose).expect("near");
            pair.contacts(&Settings::default(), &mut scratch).stats.volume_tests
        })
        .sum()
}

pub(super) fn run(scale: Scale) -> anyhow::Result<Report> {
    let mut report = Report::new("Meshes that change");
    let side = scale.pick(20, 70);
    let ring = mesh(&nearhit_datasets::shapes::torus(2 * side, side, 1.0, 0.3));
    report.text(format!("A ring of {} triangles, k-DOPs of 18 and boxes. Edits: a triangle is deleted, or one is put in at random. Deforming: a wave of 300 frames.", ring.triangles().len()));
    let mut table = Table::new(
        "N_v of 100 contact queries after edits, beside a fresh build's",
        &["volume", "edits", "N_v", "fresh", "ratio", "µs an edit", "ms to fit the model", "ms to build afresh"],
    );
    let mut waves = Table::new(
        "N_v after a wave, and what a frame takes",
        &["volume", "buffer, moves", "frames refitted", "N_v", "fresh", "ratio", "ms a frame", "ms to build afresh"],
    );
    for kind in [VolumeKind::Aabb, VolumeKind::KDop18] {
        let mut deforming = Deforming::with_volume(&ring, kind, Buffer::default())?;
        let mut rng = Rng::new(31);
        for edits in [1_000_u64, 10_000] {
            let rounds = (edits - if edits == 1_000 { 0 } else { 1_000 }) / 2;
            let mut took = 0.0;
            for _ in 0..rounds {
                let index = rng.below(deforming.mesh().triangles.len()) as u32;
                let center = DVec3::from_array(rng.point(-1.0, 1.0));
                let corners = [0; 3].map(|_| center + DVec3::from_array(rng.point(-0.05, 0.05)));
                took += time(|| {
                    deforming.remove(&[index]).expect("there");
                    deforming.insert(&[corners]).expect("finite");
                })
                .as_secs_f64();
            }
            let mut model = None;
            let fit = time(|| model = Some(deforming.model().expect("a mesh"))).as_secs_f64() * 1e3;
            let model = model.expect("made");
            let mut fresh = None;
            let build = time(|| fresh = Some(Model::with(model.mesh().clone(), kind, &BuildOptions::default())));
            let (edited, new) = (work(&model, 5), work(&fresh.expect("made"), 5));
            table.row([
                kind.name().into(),
                Cell::Count(edits),
                Cell::Count(edited),
                Cell::Count(new),
                Cell::Number(edited as f64 / new as f64, 3),
                Cell::Number(took / (2 * rounds) as f64 * 1e6, 2),
                Cell::Number(fit, 2),
                Cell::Number(build.as_secs_f64() * 1e3, 2),
            ]);
        }
        for moves in [0.0, 4.0] {
            let mut deforming = Deforming::with_volume(&ring, kind, Buffer::new(moves, 0.0))?;
            let rest: Vec<[f64; 3]> = ring.vertices().iter().map(|vertex| vertex.to_array()).collect();
            let (mut refits, mut took) = (0, 0.0);
            for frame in 0..300 {
                let phase = 0.02 * f64::from(frame);
                let wave = |p: &[f64; 3]| {
                    [p[0], p[1] * (1.0 + 0.3 * (phase + 3.0 * p[0]).sin()), p[2] + 0.5 * (phase + 2.0 * p[1]).cos()]
                };
                let positions: Vec<[f64; 3]> = rest.iter().map(wave).collect();
                took += time(|| {
                    refits += u64::from(deforming.move_vertices(&positions).expect("as many") > 0);
                    black_box(deforming.model().expect("a mesh"));
                })
                .as_secs_f64();
            }
            let model = deforming.model()?;
            let mut fresh = None;
            let build = time(|| fresh = Some(Model::with(model.mesh().clone(), kind, &BuildOptions::default())));
            let (refitted, new) = (work(&model, 6), work(&fresh.expect("made"), 6));
            waves.row([
                kind.name().into(),
                Cell::Number(moves, 0),
                Cell::Count(refits),
                Cell::Count(refitted),
                Cell::Count(new),
                Cell::Number(refitted as f64 / new as f64, 3),
                Cell::Number(took / 300.0 * 1e3, 2),
                Cell::Number(build.as_secs_f64() * 1e3, 2),
            ]);
        }
    }
    report.table(table);
    report.table(waves);
    Ok(report)
}
