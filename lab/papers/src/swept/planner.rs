//! §7.2: a randomised planner that plans. It probes random placements of the wrinkled torus in the
//! cave, asks for the distance at each, and from that computes a free path: a probabilistic roadmap
//! (Hsu et al. 1998), whose edges are checked when the shortest way needs them. Table 5 is then of
//! the planner's own probes, and of its own path in as many steps as the paper's.

use super::benchmarks::{Benchmark, Benchmarks};
use super::traversal;
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::{Block, Claim, Report, Verdict};
use nearhit::scene::{Motion, Moving, first_contact};
use nearhit::shape::Shape;
use nearhit::{Model, Pair, Pose, Scratch, Settings, Tolerance, Verdict as Answer};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

/// Steps of the paper's path.
const STEPS: usize = 487;
/// Every place is tried with so many of the nearest.
const NEIGHBOURS: usize = 12;
/// So many goals are tried.
const GOALS: usize = 10;
/// An edge is free if nothing comes nearer than this.
const TOLERANCE: f64 = 1e-3;

struct Roadmap<'m> {
    torus: &'m Shape,
    cave: &'m Shape,
    /// Of the torus in the cave: free probes, then the start.
    places: Vec<Pose>,
    /// How far a point of the torus is from its origin, at most.
    reach: f64,
    /// Places that may be joined.
    near: Vec<Vec<usize>>,
    /// What is known of edges, the smaller place first.
    known: HashMap<(usize, usize), bool>,
    scratch: Scratch,
    checks: u64,
}

/// The first of the places by length, in a queue that hands out the largest.
#[derive(PartialEq)]
struct Next(f64, usize);

impl Eq for Next {}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

impl<'m> Roadmap<'m> {
    fn new(shapes: [&'m Shape; 2], places: Vec<Pose>, reach: f64) -> Self {
        let [torus, cave] = shapes;
        let mut map = Self {
            torus,
            cave,
            places,
            reach,
            near: Vec::new(),
            known: HashMap::new(),
            scratch: Scratch::new(),
            checks: 0,
        };
        let count = map.places.len();
        let mut near = vec![Vec::new(); count];
        for from in 0..count {
            let mut others: Vec<usize> = (0..count).filter(|&to| to != from).collect();
            others.sort_by(|&p, &q| map.length(from, p).total_cmp(&map.length(from, q)));
            for &to in others.iter().take(NEIGHBOURS) {
                near[from].push(to);
                near[to].push(from);
            }
        }
        map.near = near;
        map
    }

    /// How far a point of the torus moves from one place to another, at most.
    fn length(&self, from: usize, to: usize) -> f64 {
        let (p, q) = (&self.places[from], &self.places[to]);
        let turn = glam::DQuat::from_mat3(&(q.rotation() * p.rotation().transpose()));
        p.translation().distance(q.translation()) + self.reach * 2.0 * turn.xyz().length().atan2(turn.w.abs())
    }

    /// The shortest way of edges that are not known to be blocked.
    fn shortest(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut best = vec![(f64::INFINITY, usize::MAX); self.places.len()];
        let mut open = BinaryHeap::from([Next(0.0, from)]);
        best[from].0 = 0.0;
        while let Some(Next(length, at)) = open.pop() {
            if at == to {
                let mut way = vec![to];
                while way[way.len() - 1] != from {
                    way.push(best[way[way.len() - 1]].1);
                }
                way.reverse();
                return Some(way);
            }
            if length > best[at].0 {
                continue;
            }
            for &next in &self.near[at] {
                let longer = length + self.length(at, next);
                if self.known.get(&(at.min(next), at.max(next))) != Some(&false) && longer < best[next].0 {
                    best[next] = (longer, at);
                    open.push(Next(longer, next));
                }
            }
        }
        None
    }

    /// Is the motion from one place to another free, at every instant?
    fn is_free(&mut self, from: usize, to: usize) -> bool {
        let key = (from.min(to), from.max(to));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.checks += 1;
        let moving = Moving { shape: self.torus, motion: Motion::linear(self.places[key.0], self.places[key.1]) };
        let still = Moving { shape: self.cave, motion: Motion::still(Pose::IDENTITY) };
        let found = first_contact(&moving, &still, TOLERANCE, &Settings::default(), &mut self.scratch);
        let is_free = found.is_ok_and(|found| found.verdict == Answer::No);
        self.known.insert(key, is_free);
        is_free
    }

    /// A free way, if these places have one.
    fn plan(&mut self, from: usize, to: usize) -> Option<Vec<usize>> {
        loop {
            let way = self.shortest(from, to)?;
            if way.windows(2).all(|edge| self.is_free(edge[0], edge[1])) {
                return Some(way);
            }
        }
    }

    /// A free way from a place to one as far from it as there is one, of some of the farthest; and
    /// how far that is.
    fn farthest(&mut self, from: usize) -> (Option<Vec<usize>>, f64) {
        let distance = |map: &Self, to: usize| map.places[from].translation().distance(map.places[to].translation());
        let mut goals: Vec<usize> = (0..self.places.len()).filter(|&to| to != from).collect();
        goals.sort_by(|&p, &q| distance(self, q).total_cmp(&distance(self, p)));
        for goal in goals.into_iter().take(GOALS) {
            if let Some(way) = self.plan(from, goal) {
                return (Some(way), distance(self, goal));
            }
        }
        (None, 0.0)
    }

    /// The way in steps of about the same length.
    fn steps(&self, way: &[usize], count: usize) -> Vec<Pose> {
        let lengths: Vec<f64> = way.windows(2).map(|edge| self.length(edge[0], edge[1])).collect();
        let whole: f64 = lengths.iter().sum();
        let at = |step: usize| {
            let (mut left, mut edge) = (whole * step as f64 / (count - 1) as f64, 0);
            while edge + 1 < lengths.len() && left > lengths[edge] {
                left -= lengths[edge];
                edge += 1;
            }
            let motion = Motion::linear(self.places[way[edge]], self.places[way[edge + 1]]);
            motion.pose((left / lengths[edge]).clamp(0.0, 1.0)).expect("between two places")
        };
        (0..count).map(at).collect()
    }
}

/// Adds the planner's story and Table 5 of it.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§7.2 and Table 5: a planner that plans");
    progress::begins("planning a path");
    let Benchmarks { probes, path, .. } = Benchmarks::of(scale);
    let steps = scale.pick(60, STEPS);
    let [torus, cave] = [&probes.a, &probes.b].map(|mesh| Arc::new(Model::new(mesh.clone())));
    let mut scratch = Scratch::new();
    let mut is_free = |pose: &Pose| {
        let pair = Pair::relative(&torus, &cave, pose).expect("generated poses are in range");
        pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper > TOLERANCE
    };
    let mut places: Vec<Pose> = probes.poses.iter().filter(|pose| is_free(pose)).map(Pose::inverse).collect();
    let free = places.len();
    places.push(path.poses[0].inverse());
    let reach = probes.a.vertices().iter().map(|vertex| vertex.length()).fold(0.0, f64::max);
    let shapes = [&torus, &cave].map(|model| Shape::mesh(Arc::clone(model)));
    let mut map = Roadmap::new([&shapes[0], &shapes[1]], places, reach);
    let (way, apart) = map.farthest(free);
    let told = way.as_ref().map_or("no path".to_owned(), |way| format!("a path over {} places", way.len()));
    report.text(format!(
        "{} probes, {free} of them free; {} edges checked by first contact, at every instant; from the start to a place {apart:.1} away: {told} (the paper: 2,880 probes, a path of {STEPS} steps).",
        probes.poses.len(),
        map.checks
    ));
    let planned = way.as_ref().map(|way| {
        let poses: Vec<Pose> = map.steps(way, steps).iter().map(Pose::inverse).collect();
        let what = format!("the planner's own path in {steps} steps");
        Benchmark { name: "Path verification", what, poses, ..path.clone() }
    });
    let blocked = planned.as_ref().map(|path| path.poses.iter().filter(|pose| !is_free(pose)).count());
    report.claim(Claim {
        place: "§7.2".into(),
        claim: "From random probes and their distances the planner computes a collision-free path".into(),
        verdict: Verdict::of(blocked == Some(0)),
        evidence: format!("{told}; steps that touch: {blocked:?} of {steps}"),
        counts_work: true,
    });
    let Some(path) = planned else { return };
    let mut table_5 = Report::new("Table 5");
    traversal::table(&mut table_5, probes, &path);
    for mut block in table_5.blocks {
        if let Block::Claim(claim) = &mut block {
            claim.place.push_str(", planned");
        }
        report.blocks.push(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball beside a wall with a door: the way goes through the door, and nothing else is free.
    #[test]
    fn the_way_goes_through_the_door() {
        let at = |x: f64, y: f64| Pose::from_translation([x, y, 0.0]).expect("finite");
        let ball = Shape::ball(0.2).expect("a ball");
        let wall = Shape::cuboid([0.2, 4.0, 4.0]).expect("a box");
        let places = vec![at(0.0, 2.6), at(-1.0, 2.6), at(1.0, 2.6), at(-1.0, 0.0), at(1.0, 0.0)];
        let mut map = Roadmap::new([&ball, &wall], places, 0.2);
        assert!(!map.is_free(3, 4));
        let way = map.plan(3, 4).expect("there is a door");
        assert_eq!((way.first(), way.last()), (Some(&3), Some(&4)));
        assert!(way.windows(2).all(|edge| map.is_free(edge[0], edge[1])), "{way:?}");
        let steps = map.steps(&way, 50);
        assert_eq!(steps.len(), 50);
        let ends = [steps[0], steps[49]].map(|pose| pose.translation());
        assert!(ends[0].distance(map.places[3].translation()) < 1e-9, "{ends:?}");
        assert!(ends[1].distance(map.places[4].translation()) < 1e-9, "{ends:?}");
        let stepped = |pose: &Pose| (pose.translation().x.abs() - 0.1).max(pose.translation().y.abs() - 2.0);
        assert!(steps.iter().all(|pose| stepped(pose) >= 0.2 - 1e-9));
        // Without the door there is none.
        map.places[0] = at(0.0, 0.0);
        map.known.clear();
        map.known.insert((1, 2), false);
        assert!(map.plan(3, 4).is_none());
    }
}
