//! The application of §11 to the letter: ships that fly, bounce and must be drawn in time.
//!
//! A frame (Figure 2 and §4.2): all ships fly for half of it, collisions are found and responded
//! to, and so for the other half; then it is drawn, and what is left of its time is waited for.
//! Detection is given what the mean of earlier rendering times leaves. Colliding pairs are refined
//! in turn, each at least to level 1 whatever the time, none below level 4. There is no picture: a
//! wait stands for rendering.

use super::bsp::Bsp;
use crate::adb::SUITABLE;
use glam::DVec3;
use nearhit::research::VolumeKind;
use nearhit::research::adb::{Averages, Options, Quality};
use nearhit::research::build::BuildOptions;
use nearhit::research::pace::{Expected, Pacer};
use nearhit::research::sphere_tree::TreeSphere;
use nearhit::research::{ModelExt, PairExt, RefinementExt, SphereTreeExt};
use nearhit::{
    Budget, Clock, Model, Pair, Pose, Refinement, Scratch, Settings, SpherePair, SphereTree, Stats, Tolerance, Verdict,
    WallClock,
};
use nearhit_cases::flight::response::bounce;
use nearhit_cases::flight::ship::{Controls, Ship};
use nearhit_datasets::rng::Rng;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Time between frames, and the shortest between two detections (Δt_r and Δt_d).
pub(super) const FRAME: f64 = 0.1;
const RESOLUTION: f64 = 0.05;

/// How collisions are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Engine {
    /// BSP trees, however long it takes.
    Bsp,
    /// Sphere-trees, as far as there is time.
    Spheres,
    /// The same, each pair going on from where it was in the frame before (§12).
    Following,
    /// The average-case search of Klein and Zachmann (2003), with the budget of a frame.
    Averages(Search),
}

/// Whose average-case search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// Our default rule, that of crossings.
    Ours,
    /// The paper's rule, with our estimates.
    Tuned,
    /// The paper's configuration in every part, MaxArea chosen.
    Paper,
}

impl Search {
    fn quality(self) -> Quality {
        match self {
            Self::Ours => Quality::default(),
            Self::Tuned => Quality::tuned(),
            Self::Paper => Quality::paper(),
        }
    }
}

/// What flies, and how long a frame may take.
#[derive(Clone, Copy)]
pub(super) struct Setup<'m> {
    pub(super) engine: Engine,
    /// The user's ship and a drone.
    pub(super) crafts: [&'m Craft; 2],
    pub(super) room: f64,
    /// By the wall.
    pub(super) target: Duration,
    /// What drawing takes, more or less.
    pub(super) rendering: Duration,
    /// Detection gets its time divided by this: as if the machine were so much slower. With 0 it
    /// gets all that it needs, whatever the clock says.
    pub(super) slower: f64,
}

/// What a frame took, in seconds by the wall.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    pub(super) allotted: f64,
    /// Broad phase, refinement and response, as the paper counts.
    pub(super) detection: f64,
    pub(super) rendering: f64,
    pub(super) slack: f64,
    pub(super) whole: f64,
    /// Collisions by the level at which response was invoked; BSP trees' at the last.
    pub(super) levels: [u64; 6],
    /// True distances of what bounced, and how many those are.
    pub(super) apart: f64,
    pub(super) farthest: f64,
}

impl Frame {
    pub(super) fn collisions(&self) -> u64 {
        self.levels.iter().sum()
    }
}

/// The deepest level of the paper's trees.
pub(super) const DEEPEST: u32 = 4;

/// A kind of ship.
pub(super) struct Craft {
    pub(super) model: Model,
    pub(super) tree: SphereTree,
    pub(super) bsp: Option<Bsp>,
    /// For the average-case search, made when it is asked for: trees of oriented boxes with our
    /// tables, and axis-aligned boxes with the paper's.
    averaged: [OnceLock<(Model, Averages)>; 2],
}

impl Craft {
    pub(super) fn new(model: Model, tree: SphereTree, bsp: Option<Bsp>) -> Self {
        Self { model, tree, bsp, averaged: [const { OnceLock::new() }; 2] }
    }

    fn averaged(&self, search: Search) -> &(Model, Averages) {
        let (place, volume, options) = match search {
            Search::Ours | Search::Tuned => (0, VolumeKind::Obb, Options::default()),
            Search::Paper => (1, VolumeKind::Aabb, Options::paper().enough(SUITABLE)),
        };
        self.averaged[place].get_or_init(|| {
            let model = Model::with(self.model.mesh().clone(), volume, &BuildOptions::default());
            let averages = Averages::new(&model, &options);
            (model, averages)
        })
    }

    fn root(&self) -> &TreeSphere {
        &self.tree.spheres()[0]
    }
}

/// A collision: who, at which level, and along which line.
struct Hit {
    ships: (usize, usize),
    level: u32,
    normal: DVec3,
}

pub(super) struct Simulator<'m> {
    setup: Setup<'m>,
    ships: Vec<Ship>,
    rng: Rng,
    /// By the mean of drawing times.
    pacer: Pacer,
    refinements: Vec<Refinement>,
    /// By the pair they are of, if pairs are followed.
    followed: BTreeMap<(usize, usize), Refinement>,
    /// Tests of spheres and triangles so far.
    pub(super) work: u64,
    time: f64,
}

impl<'m> Simulator<'m> {
    /// The user's ship and nine drones.
    pub(super) fn new(setup: Setup<'m>) -> Self {
        if let Engine::Averages(search) = setup.engine {
            // Not in a frame's time.
            for craft in setup.crafts {
                craft.averaged(search);
            }
        }
        let mut rng = Rng::new(1996);
        let drones = (0..9).map(|_| Ship::drone(&mut rng, 0.6 * setup.room));
        let ships = std::iter::once(Ship::steered()).chain(drones).collect();
        Self {
            setup,
            ships,
            rng,
            pacer: Pacer::new(setup.target).expecting(Expected::Mean),
            refinements: Vec::new(),
            followed: BTreeMap::new(),
            work: 0,
            time: 0.0,
        }
    }

    fn craft(&self, ship: usize) -> &'m Craft {
        self.setup.crafts[usize::from(ship > 0)]
    }

    /// One frame.
    pub(super) fn frame(&mut self) -> Frame {
        let started = Instant::now();
        let mut record = Frame::default();
        let allotted = match self.setup.slower {
            0.0 => Duration::from_secs(3_600),
            slower => self.pacer.allotment().div_f64(slower),
        };
        record.allotted = allotted.as_secs_f64();
        let (mut left, mut judged) = (allotted, Duration::ZERO);
        for half in [2, 1] {
            self.fly();
            let detection = Instant::now();
            let hits = self.detect(left / half);
            for hit in &hits {
                self.respond(hit);
            }
            let took = detection.elapsed();
            record.detection += took.as_secs_f64();
            left = left.saturating_sub(took);
            // Not part of the frame: how wrong was it?
            let judging = Instant::now();
            self.judge(&hits, &mut record);
            judged += judging.elapsed();
        }
        let drawing = Instant::now();
        std::thread::sleep(self.setup.rendering.mul_f64(self.rng.range(0.9, 1.1)));
        let drawn = drawing.elapsed();
        record.rendering = drawn.as_secs_f64();
        self.pacer.other_work(drawn);
        let slack = self.setup.target.saturating_sub(started.elapsed().saturating_sub(judged));
        std::thread::sleep(slack);
        record.slack = slack.as_secs_f64();
        record.whole = started.elapsed().saturating_sub(judged).as_secs_f64();
        record
    }

    fn fly(&mut self) {
        for (number, ship) in self.ships.iter_mut().enumerate() {
            match number {
                0 => ship.controls = Controls::scripted(self.time),
                _ => ship.choose(&mut self.rng, RESOLUTION),
            }
            ship.fly(RESOLUTION, self.setup.room);
        }
        self.time += RESOLUTION;
    }

    /// Pairs whose bounding spheres meet, with b's pose in a's frame.
    fn near(&self) -> Vec<((usize, usize), Pose)> {
        let poses: Vec<Pose> = self.ships.iter().map(|ship| ship.pose().expect("ships stay in range")).collect();
        let middles: Vec<(DVec3, f64)> = poses
            .iter()
            .enumerate()
            .map(|(ship, pose)| (pose.apply(self.craft(ship).root().center), self.craft(ship).root().radius))
            .collect();
        let all = (0..poses.len()).flat_map(|a| (a + 1..poses.len()).map(move |b| (a, b)));
        let meet = |&(a, b): &(usize, usize)| middles[a].0.distance(middles[b].0) <= middles[a].1 + middles[b].1;
        all.filter(meet).map(|(a, b)| ((a, b), Pose::a_from_b(&poses[a], &poses[b]))).collect()
    }

    fn detect(&mut self, time: Duration) -> Vec<Hit> {
        let near = self.near();
        let mut refinements = std::mem::take(&mut self.refinements);
        let pair = |&((a, b), pose): &((usize, usize), Pose)| {
            Pair::relative(&self.craft(a).model, &self.craft(b).model, &pose).expect("ships stay in range")
        };
        if self.setup.engine == Engine::Bsp {
            let hit = |near: &((usize, usize), Pose)| {
                let ((a, b), _) = *near;
                let bsp = self.craft(a).bsp.as_ref().expect("made for this engine");
                let normal = self.ships[b].position - self.ships[a].position;
                let level = DEEPEST + 1;
                bsp.collides(&pair(near), self.craft(b).model.mesh()).then_some(Hit { ships: (a, b), level, normal })
            };
            return near.iter().filter_map(hit).collect();
        }
        if let Engine::Averages(search) = self.setup.engine {
            return self.guess(search, &near, time);
        }
        let pairs: Vec<SpherePair<'_>> = near
            .iter()
            .map(|it| SpherePair::new(pair(it), &self.craft(it.0.0).tree, &self.craft(it.0.1).tree))
            .collect();
        let follows = self.setup.engine == Engine::Following;
        if follows {
            let of = |near: &((usize, usize), Pose)| self.followed.remove(&near.0).unwrap_or_default();
            refinements = near.iter().map(of).collect();
            refinements.iter_mut().zip(&pairs).for_each(|(refinement, pair)| refinement.follow(pair));
        } else {
            refinements.resize_with(pairs.len(), Refinement::default);
            refinements.iter_mut().for_each(Refinement::restart);
        }
        let spent = refine(&pairs, &mut refinements, time);
        self.work += spent.volume_tests + spent.triangle_tests;
        let hits = near.iter().zip(&refinements).filter_map(|(&(ships, pose), of)| self.hit(ships, &pose, of));
        let hits = hits.collect();
        drop(pairs);
        if follows {
            self.followed = near.iter().map(|near| near.0).zip(refinements).collect();
        } else {
            self.refinements = refinements;
        }
        hits
    }

    /// What likely collides, each pair with its share of the time; responded to along the line of
    /// the ships' origins.
    fn guess(&mut self, search: Search, near: &[((usize, usize), Pose)], time: Duration) -> Vec<Hit> {
        let mut hits = Vec::new();
        for &(ships, pose) in near {
            let [(a, table_a), (b, table_b)] = [ships.0, ships.1].map(|ship| self.craft(ship).averaged(search));
            let pair = Pair::relative(a, b, &pose).expect("ships stay in range");
            let averaged = pair.averaged(table_a, table_b).expect("their own tables");
            let clock = WallClock::start();
            let share = time / near.len() as u32;
            let settings = Settings::new().budget(Budget::until(&clock, clock.now() + share));
            let mut scratch = Scratch::new();
            let guess = averaged.collide(&search.quality(), &settings, &mut scratch);
            self.work += guess.stats.volume_tests + guess.stats.triangle_tests;
            // Interrupted: the likelier answer.
            if guess.collides().unwrap_or_else(|| guess.probability() >= 0.5) {
                let normal = self.ships[ships.1].position - self.ships[ships.0].position;
                let level = if guess.is_complete { DEEPEST + 1 } else { 1 };
                hits.push(Hit { ships, level, normal });
            }
        }
        hits
    }

    /// A pair whose spheres still meet: the mean of the lines between those that do.
    fn hit(&self, ships: (usize, usize), pose: &Pose, refinement: &Refinement) -> Option<Hit> {
        let known = refinement.known();
        if known.verdict == Verdict::No || refinement.colliding().is_empty() {
            return None;
        }
        let (a, b) = (self.craft(ships.0).tree.spheres(), self.craft(ships.1).tree.spheres());
        let line = |&(i, j): &(u32, u32)| pose.apply(b[j as usize].center) - a[i as usize].center;
        let mean: DVec3 = refinement.colliding().iter().map(line).sum();
        let normal = self.ships[ships.0].heading * mean;
        Some(Hit { ships, level: known.level, normal })
    }

    /// Ships that converge along the line of the colliding spheres bounce.
    fn respond(&mut self, hit: &Hit) {
        let (first, rest) = self.ships.split_at_mut(hit.ships.1);
        bounce(&mut first[hit.ships.0], &mut rest[0], hit.normal);
    }

    fn judge(&self, hits: &[Hit], record: &mut Frame) {
        for hit in hits {
            record.levels[hit.level as usize] += 1;
            let (a, b) = hit.ships;
            let [of_a, of_b] = [a, b].map(|ship| self.ships[ship].pose().expect("ships stay in range"));
            let pair = Pair::new(&self.craft(a).model, &of_a, &self.craft(b).model, &of_b).expect("near");
            let gap = pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new()).upper;
            record.apart += gap;
            record.farthest = record.farthest.max(gap);
        }
    }
}

/// §4.2: every collision to level 1, then all in turn until the time is spent or the last level is
/// reached.
fn refine(pairs: &[SpherePair<'_>], refinements: &mut [Refinement], time: Duration) -> Stats {
    let clock = WallClock::start();
    let budget = Budget::until(&clock, clock.now() + time);
    let mut spent = Stats::default();
    for (pair, refinement) in pairs.iter().zip(refinements.iter_mut()) {
        while !refinement.is_done() && refinement.known().level < 1 {
            refinement.step(pair, &Budget::UNLIMITED, &mut spent);
        }
    }
    let mut within = true;
    for level in 1..DEEPEST {
        for (pair, refinement) in pairs.iter().zip(refinements.iter_mut()) {
            while within && !refinement.is_done() && refinement.known().level == level {
                within = refinement.step(pair, &budget, &mut spent);
            }
        }
    }
    spent
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit::research::sphere_tree::{SphereMethod, SphereOptions};
    use nearhit_cases::generated;
    use nearhit_datasets::shapes::robot_arm;

    fn craft(depth: u32) -> Craft {
        let model = Model::new(generated::mesh(&robot_arm(3, 0.7)));
        let tree = SphereTree::build(&model, &SphereOptions::new().method(SphereMethod::Octree).depth(depth));
        let bsp = Some(Bsp::new(model.mesh()));
        Craft::new(model, tree, bsp)
    }

    fn simulated(engine: Engine, slower: f64) -> Vec<Frame> {
        let craft = craft(2);
        let [target, rendering] = [2, 1].map(Duration::from_millis);
        let setup = Setup { engine, crafts: [&craft; 2], room: 3.0, target, rendering, slower };
        let mut simulator = Simulator::new(setup);
        (0..25).map(|_| simulator.frame()).collect()
    }

    /// A frame lasts as long as it should at least, drawn and waited for; nothing is responded to
    /// above level 1, even without any time; with time, at the last level alone.
    #[test]
    fn frames_are_as_the_paper_has_them() {
        let frames = simulated(Engine::Spheres, 1e12);
        assert!(frames.iter().all(|frame| frame.whole >= 2e-3 && frame.rendering >= 0.9e-3));
        let levels = |frames: &[Frame]| {
            frames.iter().fold([0; 6], |mut sum: [u64; 6], frame| {
                sum.iter_mut().zip(frame.levels).for_each(|(sum, count)| *sum += count);
                sum
            })
        };
        let hurried = levels(&frames);
        assert!(hurried[0] == 0 && hurried[1] > 0 && hurried[2..].iter().sum::<u64>() == 0, "{hurried:?}");
        let bsp = levels(&simulated(Engine::Bsp, 1.0));
        assert!(bsp[5] > 0 && bsp[..5].iter().sum::<u64>() == 0, "{bsp:?}");
    }

    /// With time enough our rule of crossings takes for a collision what is none as good as never;
    /// the paper's rule, in the same frames, believes in likely pairs and lets ships bounce apart.
    #[test]
    fn the_papers_rule_and_ours_are_two_engines() {
        let gap = |search| {
            let frames = simulated(Engine::Averages(search), 0.0);
            let bounced = frames.iter().map(Frame::collisions).sum::<u64>();
            (bounced, frames.iter().map(|frame| frame.apart).sum::<f64>() / bounced.max(1) as f64)
        };
        let [ours, tuned, paper] = [Search::Ours, Search::Tuned, Search::Paper].map(gap);
        assert!(ours.0 > 0 && ours.1 < 1e-3, "{ours:?}");
        assert!(tuned.0 > 0 && tuned.1 > 10.0 * ours.1.max(1e-4), "{tuned:?} {ours:?}");
        assert!(paper.0 > 0 && paper.1 > 10.0 * ours.1.max(1e-4), "{paper:?} {ours:?}");
    }

    /// With all the time there is, the last level is reached, and what bounces is nearer than in a
    /// hurry.
    #[test]
    fn time_makes_bounces_truer() {
        let gap = |frames: &[Frame]| {
            frames.iter().map(|frame| frame.apart).sum::<f64>()
                / frames.iter().map(Frame::collisions).sum::<u64>().max(1) as f64
        };
        let Craft { model, tree, .. } = craft(DEEPEST);
        let pose = Pose::from_translation([0.3, 0.2, 0.1]).expect("finite");
        let pair = SpherePair::new(Pair::relative(&model, &model, &pose).expect("near"), &tree, &tree);
        let mut refinements = [Refinement::default()];
        refine(&[pair], &mut refinements, Duration::from_secs(60));
        assert_eq!(refinements[0].known().level, DEEPEST);
        let (hurried, exact) = (simulated(Engine::Spheres, 1e12), simulated(Engine::Bsp, 1.0));
        assert!(gap(&exact) == 0.0 && gap(&hurried) > 0.0);
    }
}
