//! What does a frame cost as scenes grow, with each broad phase?

use glam::DVec3;
use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Plot, Report, Series, Table};
use nearhit::research::SceneExt;
use nearhit::research::broad::BroadKind;
use nearhit::scene::{BodyId, BodySpec, Scene, Shape};
use nearhit::{Model, Pose};
use nearhit_cases::flight::clock::Stopwatch;
use nearhit_cases::generated::mesh;
use nearhit_datasets::rng::Rng;
use std::sync::Arc;

/// Bodies that fly straight on and turn back at the walls.
pub(super) struct Swarm {
    pub(super) scene: Scene,
    bodies: Vec<(BodyId, DVec3, DVec3, [f64; 4])>,
    side: f64,
}

const STEP: f64 = 1.0 / 60.0;

impl Swarm {
    pub(super) fn new(shape: &Shape, count: usize, kind: BroadKind) -> anyhow::Result<Self> {
        let (mut rng, mut scene) = (Rng::new(7), Scene::with_broad_phase(kind));
        // One body, of about unit radius, in a cube of side 5.
        let side = 5.0 * (count as f64).cbrt();
        let mut bodies = Vec::new();
        for number in 0..count {
            let (at, turn) = (DVec3::from_array(rng.point(0.0, side)), rng.quaternion());
            let velocity = DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 2.0);
            let spec = BodySpec::rigid(number.to_string(), shape.clone());
            let id = scene.insert(spec.at(Pose::from_quaternion(turn, at.to_array())?))?;
            scene.set_motion(id, velocity, 0.5)?;
            bodies.push((id, at, velocity, turn));
        }
        Ok(Self { scene, bodies, side })
    }

    pub(super) fn step(&mut self) -> anyhow::Result<()> {
        self.scene.advance(STEP)?;
        for (id, at, velocity, turn) in &mut self.bodies {
            *at += *velocity * STEP;
            let mut turned = false;
            for axis in 0..3 {
                if at[axis] < 0.0 && velocity[axis] < 0.0 || at[axis] > self.side && velocity[axis] > 0.0 {
                    velocity[axis] *= -1.0;
                    turned = true;
                }
            }
            self.scene.set_pose(*id, Pose::from_quaternion(*turn, at.to_array())?)?;
            if turned {
                self.scene.set_motion(*id, *velocity, 0.5)?;
            }
        }
        Ok(())
    }
}

/// About 1,000 triangles.
pub(super) fn ring() -> Shape {
    Shape::mesh(Arc::new(Model::new(mesh(&nearhit_datasets::shapes::wrinkled_torus(25, 20, 3)))))
}

pub(super) fn run(scale: Scale) -> anyhow::Result<Report> {
    let mut report = Report::new("Broad phases as scenes grow");
    report.text("Bodies of about 1,000 triangles (wrinkled rings of radius about 1), one in 125 cubic units, flying at up to 2 units a second in frames of 1/60 s. One thread's CPU time; narrow: exact collision of all near pairs, on all cores, by the wall clock.");
    let columns =
        ["broad phase", "bodies", "moving µs", "update µs", "pairs µs", "near pairs", "narrow µs", "touching"];
    let mut table = Table::new(
        "Cost of a frame: telling the scene about motion, the broad phase's update, listing pairs, exact answers",
        &columns,
    );
    let shape = ring();
    let mut curves: Vec<Series> = Vec::new();
    for kind in BroadKind::ALL {
        let name = kind.make().name();
        let mut points = Vec::new();
        for count in [100, 300, 1_000, 3_000, 10_000].into_iter().take(scale.pick(3, 5)) {
            let mut swarm = Swarm::new(&shape, count, kind)?;
            swarm.scene.settle();
            let frames = scale.pick(10, 60);
            let (mut moving, mut update, mut listing, mut narrow) = (0.0, 0.0, 0.0, 0.0);
            let (mut near, mut touching) = (0, 0);
            let us = |watch: &Stopwatch| watch.read().cpu.as_secs_f64() * 1e6;
            for frame in 0..frames {
                let watch = Stopwatch::start();
                swarm.step()?;
                moving += us(&watch);
                let watch = Stopwatch::start();
                let settled = swarm.scene.settle();
                update += us(&watch);
                let watch = Stopwatch::start();
                let pairs = settled.near_pairs(0.0)?;
                listing += us(&watch);
                near += pairs.len();
                if frame % 10 == 0 {
                    let watch = Stopwatch::start();
                    touching += settled.colliding()?.found.len();
                    narrow += 10.0 * watch.read().wall.as_secs_f64() * 1e6;
                }
            }
            let mean = |sum: f64| Cell::Number(sum / frames as f64, 1);
            let counted = [mean(near as f64), mean(narrow), mean(10.0 * touching as f64)];
            let row = [name.into(), Cell::Count(count as u64), mean(moving), mean(update), mean(listing)];
            table.row(row.into_iter().chain(counted));
            points.push((count as f64, (update + listing) / frames as f64));
        }
        curves.push(Series { name: name.to_owned(), points });
    }
    report.table(table);
    report.plot(Plot {
        caption: "Broad phase (update and pairs) by number of bodies".into(),
        x: Axis::logarithmic("bodies"),
        y: Axis::logarithmic("µs a frame"),
        series: curves,
    });
    Ok(report)
}
