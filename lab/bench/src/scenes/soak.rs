//! A long run: bodies come, go, jump and change shape; memory must not grow, and answers must stay
//! those of brute force.

use anyhow::{Context, ensure};
use glam::DVec3;
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::{Cell, Report, Table};
use nearhit::research::Buffer;
use nearhit::research::DeformingExt;
use nearhit::research::SceneExt;
use nearhit::research::VolumeKind;
use nearhit::research::broad::BroadKind;
use nearhit::scene::{BodyId, BodySpec, Deforming, PartId, Scene, Shape};
use nearhit::{Pair, Pose, Scratch, Settings};
use nearhit_cases::generated::mesh;
use nearhit_datasets::rng::Rng;
use nearhit_datasets::shapes;

const BODIES: usize = 60;

pub(super) fn run(scale: Scale) -> anyhow::Result<Report> {
    let mut report = Report::new("Soak");
    let frames = scale.pick(2_000, 100_000);
    report.text(format!("{BODIES} bodies, {frames} frames; in each all move, one in four frames a body goes and another comes, one in ten a mesh is deformed or edited. Every 50th frame is compared with asking about every pair."));
    let columns = [
        "broad phase",
        "frames",
        "came and went",
        "deformed",
        "compared",
        "touching pairs",
        "MB after a tenth",
        "MB at the end",
    ];
    let mut table = Table::new("Long runs; memory is what the process holds", &columns);
    for kind in BroadKind::ALL {
        progress::begins(&format!("  {}", kind.make().name()));
        let share = frames / BroadKind::ALL.len() as u64;
        table.row(soak(kind, share)?);
    }
    report.table(table);
    Ok(report)
}

struct Deformed {
    deforming: Deforming,
    /// Of the wave that runs through its vertices.
    phase: f64,
}

fn soak(kind: BroadKind, frames: u64) -> anyhow::Result<Vec<Cell>> {
    let mut rng = Rng::new(99);
    let soups = [shapes::torus(10, 6, 1.0, 0.3), shapes::axis_bars(1.0, 0.15), shapes::icosphere(2)];
    let mut shapes: Vec<Deformed> = Vec::new();
    for soup in &soups {
        let mesh = mesh(soup);
        shapes.push(Deformed {
            deforming: Deforming::with_volume(&mesh, VolumeKind::Aabb, Buffer::new(2.0, 0.01))?,
            phase: 0.0,
        });
    }
    let mut scene = Scene::with_broad_phase(kind);
    let (mut bodies, mut made): (Vec<BodyId>, u64) = (Vec::new(), 0);
    let (mut exchanged, mut deformed, mut compared, mut touching, mut early) = (0, 0, 0, 0, 0.0);
    let pose = |rng: &mut Rng| Pose::from_quaternion(rng.quaternion(), rng.point(0.0, 9.0));
    for frame in 0..frames {
        while bodies.len() < BODIES {
            made += 1;
            let chosen = rng.below(shapes.len());
            let shape = Shape::mesh(shapes[chosen].deforming.model()?);
            let spec = BodySpec::rigid(format!("{made}"), shape).at(pose(&mut rng)?);
            bodies.push(scene.insert(if made % 7 == 0 { spec.fixed() } else { spec })?);
        }
        scene.advance(0.02)?;
        for &id in &bodies {
            let step = DVec3::from_array(rng.unit_vector()) * 0.05;
            let old = scene.body(id)?.pose;
            let moved =
                if rng.chance(0.002) { pose(&mut rng)? } else { Pose::from_translation(step.to_array())? * old };
            scene.set_pose(id, moved)?;
            scene.set_motion(id, step / 0.02, 10.0)?;
        }
        if rng.chance(0.25) {
            scene.remove(bodies.swap_remove(rng.below(bodies.len())))?;
            exchanged += 1;
        }
        if rng.chance(0.1) && !bodies.is_empty() {
            deformed += 1;
            let chosen = rng.below(shapes.len());
            let Deformed { deforming, phase } = &mut shapes[chosen];
            if rng.chance(0.5) {
                let (old, new) = (*phase, 0.1 * frame as f64);
                let wave = |&[x, y, z]: &[f64; 3]| [x, y, z + 0.2 * ((new + 3.0 * x).sin() - (old + 3.0 * x).sin())];
                let moved: Vec<[f64; 3]> = deforming.mesh().vertices.iter().map(wave).collect();
                deforming.move_vertices(&moved)?;
                *phase = new;
            } else {
                let index = rng.below(deforming.mesh().triangles.len()) as u32;
                deforming.remove(&[index])?;
                let center = DVec3::from_array(rng.point(-1.0, 1.0));
                deforming.insert(&[[0; 3].map(|_| center + DVec3::from_array(rng.point(-0.1, 0.1)))])?;
            }
            let body = bodies[rng.below(bodies.len())];
            scene.set_shape(PartId { body, part: 0 }, shapes[chosen].deforming.model()?)?;
        }
        let found = scene.settle().colliding()?;
        let found: Vec<(PartId, PartId)> = found.found.iter().map(|touch| (touch.a.id, touch.b.id)).collect();
        if frame % 50 == 0 {
            compared += 1;
            touching += found.len() as u64;
            let expected = by_brute_force(&scene)?;
            ensure!(found == expected, "{kind:?}, frame {frame}: {found:?} is not {expected:?}");
        }
        if frame == frames / 10 {
            early = memory();
        }
    }
    let counts = [frames, exchanged, deformed, compared, touching].map(Cell::Count);
    let mut row = vec![kind.make().name().into()];
    row.extend(counts);
    row.extend([Cell::Number(early, 1), Cell::Number(memory(), 1)]);
    Ok(row)
}

/// Every pair, without boxes.
fn by_brute_force(scene: &Scene) -> anyhow::Result<Vec<(PartId, PartId)>> {
    let parts: Vec<PartId> = scene.ids().map(|body| PartId { body, part: 0 }).collect();
    let (mut scratch, mut found) = (Scratch::new(), Vec::new());
    let is_fixed = |id: PartId| -> anyhow::Result<bool> {
        Ok(scene.body(id.body)?.name.parse::<u64>().context("a number")? % 7 == 0)
    };
    for (place, &a) in parts.iter().enumerate() {
        for &b in &parts[place + 1..] {
            if is_fixed(a)? && is_fixed(b)? {
                continue;
            }
            let [(model_a, at_a), (model_b, at_b)] = [
                (scene.part(a)?.shape.model().expect("a mesh"), scene.part(a)?.world_from_part),
                (scene.part(b)?.shape.model().expect("a mesh"), scene.part(b)?.world_from_part),
            ];
            let pair = Pair::new(model_a, &at_a, model_b, &at_b)?;
            if pair.collide(&Settings::default(), &mut scratch).witness.is_some() {
                found.push((a.min(b), a.max(b)));
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// What the process holds, in megabytes; 0 where it cannot be known.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok())
        .map_or(0.0, |kilobytes| kilobytes / 1024.0)
}
