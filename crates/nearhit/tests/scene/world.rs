//! Bodies that fly about, the same for every broad phase.

use crate::common;
use glam::DVec3;
use nearhit::research::SceneExt;
use nearhit::research::broad::BroadKind;
use nearhit::scene::{BodyId, BodySpec, Scene, Shape};
use nearhit::{Model, Pose};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shapes;
use std::sync::Arc;

/// A shape from the testkit, off its origin, as models are.
pub(crate) fn shape(soup: &nearhit_testkit::Soup) -> Shape {
    Shape::mesh(Arc::new(Model::new(common::mesh(soup))))
}

pub(crate) fn small_shapes() -> Vec<Shape> {
    vec![
        shape(&shapes::tetrahedron([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])),
        shape(&shapes::cuboid([0.2, -0.1, -0.9], [0.5, 0.3, 0.9])),
        shape(&shapes::axis_bars(0.8, 0.1)),
        shape(&shapes::icosphere(1)),
    ]
}

/// What one body does; its motion keeps to its bound on acceleration, but for jumps.
#[derive(Debug, Clone)]
struct Flyer {
    name: String,
    shape: usize,
    position: DVec3,
    velocity: DVec3,
    /// Its acceleration, for a while.
    push: DVec3,
    spin: [f64; 4],
    is_fixed: bool,
    /// Says nothing about its motion.
    is_silent: bool,
    id: Option<BodyId>,
}

/// The same bodies in several scenes.
pub(crate) struct World {
    pub(crate) scenes: Vec<Scene>,
    pub(crate) kinds: Vec<BroadKind>,
    shapes: Vec<Shape>,
    flyers: Vec<Flyer>,
    rng: Rng,
    side: f64,
    made: usize,
    /// How often bodies were put in after others were taken out.
    pub(crate) returns: usize,
}

const MAX_ACCELERATION: f64 = 3.0;
const TOP_SPEED: f64 = 8.0;
const STEP: f64 = 0.05;

impl World {
    pub(crate) fn new(count: usize, side: f64, kinds: &[BroadKind], seed: u64) -> Self {
        let scenes = kinds.iter().map(|&kind| Scene::with_broad_phase(kind)).collect();
        let (rng, shapes) = (Rng::new(seed), small_shapes());
        let mut world =
            Self { scenes, kinds: kinds.to_vec(), shapes, flyers: Vec::new(), rng, side, made: 0, returns: 0 };
        for _ in 0..count {
            let flyer = world.fresh();
            world.insert(flyer);
        }
        world
    }

    fn fresh(&mut self) -> Flyer {
        self.made += 1;
        let rng = &mut self.rng;
        Flyer {
            name: format!("body {}", self.made),
            shape: rng.below(self.shapes.len()),
            position: rng.point(0.0, self.side).into(),
            velocity: DVec3::from_array(rng.unit_vector())
                * if rng.chance(0.3) { TOP_SPEED } else { rng.range(0.0, 2.0) },
            push: DVec3::ZERO,
            spin: rng.quaternion(),
            is_fixed: rng.chance(0.1),
            is_silent: rng.chance(0.1),
            id: None,
        }
    }

    fn insert(&mut self, mut flyer: Flyer) {
        for scene in &mut self.scenes {
            let spec = BodySpec::rigid(flyer.name.clone(), self.shapes[flyer.shape].clone()).at(pose(&flyer));
            let id = scene.insert(if flyer.is_fixed { spec.fixed() } else { spec }).expect("a new name");
            assert_eq!(*flyer.id.get_or_insert(id), id, "ids depend on the history alone");
            if !flyer.is_silent {
                scene.set_motion(id, flyer.velocity, MAX_ACCELERATION).expect("finite");
            }
        }
        self.flyers.push(flyer);
    }

    /// One frame: all fly, some turn, jump, stop, come and go.
    pub(crate) fn step(&mut self) {
        for scene in &mut self.scenes {
            scene.advance(STEP).expect("finite");
        }
        for index in 0..self.flyers.len() {
            let flyer = &mut self.flyers[index];
            let rng = &mut self.rng;
            // Some are not moved at all in a frame, whatever they said.
            if flyer.is_fixed && !rng.chance(0.002) || rng.chance(0.02) {
                continue;
            }
            if rng.chance(0.002) {
                flyer.position = rng.point(0.0, self.side).into();
            }
            if rng.chance(0.05) {
                flyer.push = DVec3::from_array(rng.unit_vector()) * rng.range(0.0, MAX_ACCELERATION);
            }
            if flyer.velocity.length() > TOP_SPEED {
                flyer.push = flyer.velocity.normalize() * -MAX_ACCELERATION;
            }
            let push = flyer.push;
            flyer.position += flyer.velocity * STEP + push * (0.5 * STEP * STEP);
            flyer.velocity += push * STEP;
            for axis in 0..3 {
                if flyer.position[axis] < 0.0 && flyer.velocity[axis] < 0.0
                    || flyer.position[axis] > self.side && flyer.velocity[axis] > 0.0
                {
                    flyer.velocity[axis] *= -1.0;
                }
            }
            if rng.chance(0.5) {
                flyer.spin = rng.quaternion();
            }
            let (pose, id) = (pose(flyer), flyer.id.expect("inserted"));
            for scene in &mut self.scenes {
                scene.set_pose(id, pose).expect("it is there");
                if !flyer.is_silent {
                    scene.set_motion(id, flyer.velocity, MAX_ACCELERATION).expect("finite");
                }
            }
        }
        if self.rng.chance(0.3) {
            let gone = self.flyers.swap_remove(self.rng.below(self.flyers.len()));
            for scene in &mut self.scenes {
                scene.remove(gone.id.expect("inserted")).expect("it is there");
            }
            let flyer = self.fresh();
            self.insert(flyer);
            self.returns += 1;
        }
    }
}

fn pose(flyer: &Flyer) -> Pose {
    Pose::from_quaternion(flyer.spin, flyer.position.to_array()).expect("a unit quaternion")
}
