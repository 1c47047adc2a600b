//! A space-ship simulator after the sphere-tree paper's (§11): a steered ship among drones that
//! steer at random, bounce off each other, and must not make a frame late.
//!
//! | file | question |
//! |---|---|
//! | `ship` | how does a ship move: controls, second-order Runge–Kutta with adaptive step |
//! | `hangar` | what ships are made of |
//! | `guess` | which ships likely meet, by the average-case search |
//! | `response` | what happens when two meet: energy and momentum are kept |
//! | `record` | what a frame took |
//! | `clock` | time by the wall and by the thread's CPU |

pub mod clock;
mod guess;
mod hangar;
pub mod record;
pub mod response;
pub mod ship;

use clock::Stopwatch;
use hangar::Hangar;
use nearhit::research::SceneExt;
use nearhit::research::SettledExt;
use nearhit::research::broad::BroadKind;
use nearhit::research::pace::{Pacer, Reserve};
use nearhit::research::sphere_tree::BuildEffort;
use nearhit::scene::{BodyId, BodySpec, Detector, PartId, Scene};
use nearhit::{Budget, Clock, Interval, Mesh, Model, Pair, Scratch, Settings, Tolerance, WallClock};
use nearhit_datasets::rng::Rng;
use record::FrameRecord;
use ship::{Controls, Ship, Steering};
use std::sync::Arc;
use std::time::Duration;

/// Time between frames, in units of simulated time (the paper's Δt_r).
pub const FRAME: f64 = 0.1;
/// The shortest time between two detections (the paper's Δt_d).
pub const RESOLUTION: f64 = 0.05;

/// How contacts are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detect {
    /// Triangles against triangles, however long it takes.
    Exact,
    /// Sphere-trees from octrees, as far as there is time.
    Octree,
    /// Sphere-trees from the medial axis, as far as there is time.
    Medial,
    /// The average-case search by our rule of crossings (ADR 16), as far as there is time: where it
    /// is interrupted, the likelier answer.
    Average,
}

/// What flies.
#[derive(Debug, Clone)]
pub struct Fleet {
    /// The steered ship.
    pub ship: Arc<Mesh>,
    /// The drones.
    pub drones: Vec<Arc<Mesh>>,
    /// Drones that are farther from the middle than this turn back.
    pub room: f64,
}

impl Fleet {
    /// The paper's ten lamps: ours is a jointed arm of 596 triangles, theirs has 626.
    #[must_use]
    pub fn lamps() -> Self {
        let lamp = Arc::new(lamp());
        Self { ship: Arc::clone(&lamp), drones: vec![lamp; 9], room: 4.0 }
    }

    /// A lamp among nine trucks: ours are pipes, of about as many triangles as the paper's chassis
    /// (10,171).
    #[must_use]
    pub fn trucks() -> Self {
        let truck = Arc::new(crate::generated::mesh(&nearhit_datasets::shapes::pipes(10_171, 6)));
        Self { ship: Arc::new(lamp()), drones: vec![truck; 9], room: 20.0 }
    }
}

fn lamp() -> Mesh {
    crate::generated::mesh(&nearhit_datasets::shapes::robot_arm(7, 0.7))
}

/// How it is run.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How contacts are found.
    pub detect: Detect,
    /// How long a frame may take.
    pub target: Duration,
    /// How long detection may take in a frame; what other work is expected to leave, unless said.
    pub detection: Option<Duration>,
    /// Of all chance.
    pub seed: u64,
    /// How carefully sphere-trees are made.
    pub care: BuildEffort,
    /// Do pilots steer, and does the room hold drones back? Otherwise all fly straight on.
    pub steering: bool,
}

/// A flight under way.
#[derive(Debug)]
pub struct Flight {
    hangar: Hangar,
    scene: Scene,
    detector: Detector,
    ships: Vec<Ship>,
    ids: Vec<BodyId>,
    hits: Vec<Hit>,
    unseen: Vec<usize>,
    rng: Rng,
    pacer: Pacer,
    reserve: Reserve,
    /// What the frame that comes takes to draw, as far as whoever draws it says.
    drawing: Duration,
    plan: Plan,
    /// Who steers; the script if nobody does.
    hand: Option<Steering>,
    room: f64,
    clock: WallClock,
    time: f64,
    frames: u64,
}

impl Flight {
    /// Builds models and sphere-trees, and puts everything where it begins.
    pub fn new(fleet: &Fleet, plan: Plan) -> anyhow::Result<Self> {
        let mut flight = Self {
            hangar: Hangar::new(fleet, plan.care),
            scene: Scene::with_broad_phase(BroadKind::SpaceTime),
            detector: Detector::default(),
            ships: Vec::new(),
            ids: Vec::new(),
            hits: Vec::new(),
            unseen: Vec::new(),
            rng: Rng::new(plan.seed),
            pacer: Pacer::new(plan.target),
            reserve: Reserve::default(),
            drawing: Duration::ZERO,
            plan,
            hand: None,
            room: fleet.room,
            clock: WallClock::start(),
            time: 0.0,
            frames: 0,
        };
        flight.restart()?;
        Ok(flight)
    }

    /// Back to the beginning, as planned now.
    pub fn restart(&mut self) -> anyhow::Result<()> {
        self.rng = Rng::new(self.plan.seed);
        self.pacer = Pacer::new(self.plan.target);
        (self.time, self.frames) = (0.0, 0);
        let (rng, room) = (&mut self.rng, 0.6 * self.room);
        let ship = |number| if number == 0 { Ship::steered() } else { Ship::drone(rng, room) };
        self.ships = (0..self.hangar.of_ship().len()).map(ship).collect();
        self.fill()
    }

    /// From now on contacts are found in this way, and frames may take this long. Sphere-trees are
    /// made if they are needed for the first time.
    pub fn replan(&mut self, detect: Detect, target: Duration) -> anyhow::Result<()> {
        if target != self.plan.target {
            self.plan.target = target;
            self.pacer = Pacer::new(target);
        }
        if detect != self.plan.detect {
            self.plan.detect = detect;
            self.fill()?;
        }
        Ok(())
    }

    /// The ships as they are, in a scene of their own.
    fn fill(&mut self) -> anyhow::Result<()> {
        self.scene = Scene::with_broad_phase(BroadKind::SpaceTime);
        self.ids.clear();
        self.hits.clear();
        self.unseen.clear();
        for ((number, ship), shape) in self.ships.iter().enumerate().zip(self.hangar.shapes(self.plan.detect)) {
            let name = if number == 0 { "ship".to_owned() } else { format!("drone {number}") };
            let important = f64::from(number == 0);
            let id = self.scene.insert(BodySpec::rigid(name, shape).at(ship.pose()?).importance(important))?;
            self.ids.push(id);
        }
        Ok(())
    }

    /// Takes the steered ship from the script, or gives it back.
    pub fn steer(&mut self, hand: Option<Steering>) {
        self.hand = hand;
    }

    /// What drawing a frame takes, from now on: part of what a frame does besides detection, as far
    /// as the pacer can know (Hubbard 1996, §4.2). Nothing unless somebody says.
    pub fn draws_in(&mut self, drawing: Duration) {
        self.drawing = drawing;
    }

    /// How it is run now.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Frames since the beginning.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Simulated time since the beginning.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The models that fly, each once.
    #[must_use]
    pub fn models(&self) -> &[Arc<Model>] {
        self.hangar.models()
    }

    /// Which of them each ship is.
    #[must_use]
    pub fn model_of_ship(&self) -> &[usize] {
        self.hangar.of_ship()
    }

    /// What the last frame responded to. A pair can be there once for each detection in the frame.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Ships that the broad phase had no time for at the end of the last frame.
    #[must_use]
    pub fn unseen(&self) -> &[usize] {
        &self.unseen
    }

    /// The ships as they are; the steered one first.
    #[must_use]
    pub fn ships(&self) -> &[Ship] {
        &self.ships
    }

    /// The same, to change them between frames.
    pub fn ships_mut(&mut self) -> &mut [Ship] {
        &mut self.ships
    }

    /// One frame: motion, detection and response, then what is left of its time.
    pub fn frame(&mut self) -> anyhow::Result<FrameRecord> {
        let whole = Stopwatch::start();
        let mut record =
            FrameRecord::new(self.frames, self.time, self.plan.detection.unwrap_or(self.pacer.allotment()));
        let end = (self.frames + 1) as f64 * FRAME;
        let mut left = record.allotted;
        self.hits.clear();
        while self.time < end - 1e-9 {
            let motion = Stopwatch::start();
            let step = self.scene.settle().next_step(RESOLUTION, end - self.time).min(end - self.time);
            self.fly(step)?;
            record.motion += motion.read();
            // The rest of the frame may need as many detections as there are shortest steps in it.
            let rest = ((end - self.time) / RESOLUTION).round().max(0.0) as u32;
            let detection = Stopwatch::start();
            // Only the last one can make the frame late.
            let time = if rest == 0 { self.reserve.of(left) } else { left / (rest + 1) };
            let mut hits = self.detect(time, &mut record)?;
            let took = detection.read();
            record.detection += took;
            left = left.saturating_sub(took.wall);
            let response = Stopwatch::start();
            self.respond(&hits);
            record.response += response.read();
            // Not part of the frame: how wrong were the hits?
            record.judge(&mut hits, |hit| self.distance(hit))?;
            self.hits.append(&mut hits);
        }
        self.frames += 1;
        record.busy = whole.read().without(record.judged);
        record.drawing = self.drawing;
        record.slack = self.plan.target.saturating_sub(record.busy.wall.saturating_add(self.drawing));
        // With a budget of its own detection has nothing to do with how long the rest of the frame
        // takes.
        let whole_late = record.busy.cpu.saturating_sub(self.plan.target);
        let whole_late = if self.plan.detection.is_some() { Duration::ZERO } else { whole_late };
        self.reserve.ended(record.late().cpu.max(whole_late));
        let other = record.busy.wall.saturating_sub(record.detection.wall);
        self.pacer.other_work(other.saturating_add(self.drawing));
        Ok(record)
    }

    /// All ships for a step of time.
    fn fly(&mut self, step: f64) -> anyhow::Result<()> {
        for (index, ship) in self.ships.iter_mut().enumerate() {
            match (self.plan.steering, index) {
                (false, _) => ship.controls = Controls::NONE,
                (true, 0) => {
                    ship.controls = match self.hand {
                        Some(hand) => hand.controls(ship.heading),
                        None => Controls::scripted(self.time),
                    }
                }
                (true, _) => ship.choose(&mut self.rng, step),
            }
            ship.fly(step, if self.plan.steering { self.room } else { f64::INFINITY });
        }
        self.time += step;
        self.scene.advance(step)?;
        for (ship, &id) in self.ships.iter().zip(&self.ids) {
            self.scene.set_pose(id, ship.pose()?)?;
            self.scene.set_motion(id, ship.velocity, ship::MAX_ACCELERATION)?;
        }
        Ok(())
    }

    fn detect(&mut self, time: Duration, record: &mut FrameRecord) -> anyhow::Result<Vec<Hit>> {
        let budget = match self.plan.detect {
            Detect::Average => return self.guess(time, record),
            Detect::Exact => Budget::UNLIMITED,
            Detect::Octree | Detect::Medial => Budget::until(&self.clock, self.clock.now() + time),
        };
        let frame = self.scene.detect(&mut self.detector, &budget)?;
        record.near += frame.near;
        // They were put into an empty scene in their order.
        let place = |id: BodyId| Some(id.index() as usize).filter(|&number| self.ids.get(number) == Some(&id));
        self.unseen = frame.unseen().filter_map(|member| place(member.id.body)).collect();
        record.unseen += self.unseen.len();
        let hit = |pair: &nearhit::scene::FramePair<'_>| {
            let (a, b) = (place(pair.a.id.body)?, place(pair.b.id.body)?);
            let certain = pair.verdict == nearhit::Verdict::Yes;
            let (parts, separation) = ((pair.a.id, pair.b.id), pair.separation);
            Some(Hit { a, b, parts, level: pair.level, certain, separation, gap: 0.0 })
        };
        Ok(frame.pairs.iter().filter_map(hit).collect())
    }

    /// Ships that meet and come nearer bounce.
    fn respond(&mut self, hits: &[Hit]) {
        for hit in hits {
            let normal = self.ships[hit.b].position - self.ships[hit.a].position;
            let (before, after) = self.ships.split_at_mut(hit.a.max(hit.b));
            let (first, second) = (&mut before[hit.a.min(hit.b)], &mut after[0]);
            let normal = if hit.a < hit.b { normal } else { -normal };
            response::bounce(first, second, normal);
        }
    }

    /// The true distance of two that were taken to have met.
    fn distance(&self, hit: &Hit) -> anyhow::Result<f64> {
        let part = |id: PartId| -> anyhow::Result<_> {
            Ok((self.scene.part(id)?.shape.model().expect("of models alone"), self.scene.part(id)?.world_from_part))
        };
        let (a, b) = (part(hit.parts.0)?, part(hit.parts.1)?);
        let pair = Pair::new(a.0, &a.1, b.0, &b.1)?;
        Ok(pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new()).upper)
    }
}

/// Two ships that touch, or were not told apart in time.
#[derive(Debug, Clone, Copy)]
pub struct Hit {
    /// One, by its number.
    pub a: usize,
    /// The other.
    pub b: usize,
    parts: (PartId, PartId),
    /// Of the sphere-trees, that was done with; 0 without any.
    pub level: u32,
    /// Do they touch for certain?
    pub certain: bool,
    /// What detection knew of their distance.
    pub separation: Interval,
    /// Their true distance when it stopped, found out outside the frame's time.
    pub gap: f64,
}
