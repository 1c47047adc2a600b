//! A pair of links in the search for a collision matrix: what is known of it, and what of the joint
//! ranges that matter for it is still open.

use crate::check::{BodyPair, Checker};
use crate::joint::JointKind;

/// What is known of a pair of links, over all configurations within the limits.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PairVerdict {
    /// They touch in no configuration: proven.
    Never,
    /// They touch in every configuration: proven.
    Always,
    /// They touch in one configuration and not in another.
    #[non_exhaustive]
    Sometimes {
        /// Here they touch.
        touching: Vec<f64>,
        /// Here they do not.
        clear: Vec<f64>,
    },
    /// Not known yet.
    #[non_exhaustive]
    Open {
        /// The share of the joint ranges for which nothing is proven yet.
        left: f64,
        /// In all configurations seen so far they touch, or in none of them.
        touching: bool,
    },
}

/// A pair of links.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MatrixEntry {
    /// Indices of the links, ascending.
    pub links: [usize; 2],
    /// What is known.
    pub verdict: PairVerdict,
    /// Indices of the coordinates that matter for them.
    pub coordinates: Vec<usize>,
    /// The smallest distance seen, or a little more; 0 if they touch somewhere, infinite if they
    /// were always too far apart to be asked.
    pub closest: f64,
    /// How often bodies were asked about.
    pub tests: u64,
}

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Witnesses, by trying.
    Sampling,
    /// All configurations seen are clear: a proof that none touches, or one that does.
    Never,
    /// All configurations seen touch: a proof that none is clear, or one that is.
    Always,
    Done,
}

/// A box of the coordinates that matter: lowest and highest values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    pub(super) low: Vec<f64>,
    pub(super) high: Vec<f64>,
}

/// A pair of links, and how far its search is.
#[derive(Debug, Clone)]
pub(super) struct LinkPair {
    pub(super) entry: MatrixEntry,
    pub(super) phase: Phase,
    /// What the coordinates that matter may be.
    pub(super) whole: Block,
    pub(super) bodies: Vec<BodyPair>,
    /// For each joint: which of the coordinates that matter moves it.
    pub(super) moved_by: Vec<Option<usize>>,
    pub(super) touching: Option<Vec<f64>>,
    pub(super) clear: Option<Vec<f64>>,
    /// Boxes for which nothing is proven yet; the last is next.
    pub(super) open: Vec<Block>,
    /// Boxes that are too small to go on: bodies come within a hair of contact there.
    pub(super) stuck: Vec<Block>,
}

/// Boxes are not halved below this share of a range.
const SMALLEST: f64 = 1e-7;

pub(super) fn ordered(a: usize, b: usize) -> BodyPair {
    BodyPair { a: a.min(b), b: a.max(b) }
}

impl LinkPair {
    /// None if there is nothing to ask.
    pub(super) fn new(checker: &Checker, links: [usize; 2], bodies: Vec<BodyPair>) -> Option<Self> {
        let robot = checker.robot();
        let between = robot.joints_between(links[0], links[1]);
        let moving: Vec<usize> =
            between.into_iter().filter(|&joint| robot.joints()[joint].kind != JointKind::Fixed).collect();
        if bodies.is_empty() || moving.is_empty() {
            return None;
        }
        let own = |joint: usize| match robot.joints()[joint].mimic {
            Some(mimic) => mimic.joint,
            None => joint,
        };
        let mut coordinates: Vec<usize> = Vec::new();
        for &joint in &moving {
            let joint = &robot.joints()[own(joint)];
            let first = joint.first_coordinate?;
            coordinates.extend(first..first + joint.kind.coordinates());
        }
        coordinates.sort_unstable();
        coordinates.dedup();
        let mut moved_by = vec![None; robot.joints().len()];
        for &joint in &moving {
            let first = robot.joints()[own(joint)].first_coordinate?;
            moved_by[joint] = coordinates.iter().position(|&coordinate| coordinate == first);
        }
        let limits = robot.limits();
        let low: Vec<f64> = coordinates.iter().map(|&coordinate| limits[coordinate][0]).collect();
        let high: Vec<f64> = coordinates.iter().map(|&coordinate| limits[coordinate][1]).collect();
        let is_bounded = moving.iter().all(|&joint| robot.joints()[joint].kind.coordinates() == 1)
            && low.iter().chain(&high).all(|value| value.is_finite());
        let whole = Block { low, high };
        let verdict = PairVerdict::Open { left: 1.0, touching: false };
        let entry = MatrixEntry { links, verdict, coordinates, closest: f64::INFINITY, tests: 0 };
        let phase = if is_bounded { Phase::Sampling } else { Phase::Done };
        let open = vec![whole.clone()];
        Some(Self { entry, phase, whole, bodies, moved_by, touching: None, clear: None, open, stuck: Vec::new() })
    }

    pub(super) fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    /// Whether nothing of the range is left.
    fn is_proven(&self) -> bool {
        self.open.is_empty() && self.stuck.is_empty()
    }

    pub(super) fn entry(&self) -> MatrixEntry {
        let verdict = match (&self.touching, &self.clear) {
            (Some(touching), Some(clear)) => {
                PairVerdict::Sometimes { touching: touching.clone(), clear: clear.clone() }
            }
            (None, _) if self.is_proven() => PairVerdict::Never,
            (_, None) if self.is_proven() => PairVerdict::Always,
            (touching, _) => PairVerdict::Open { left: self.left(), touching: touching.is_some() },
        };
        MatrixEntry { verdict, ..self.entry.clone() }
    }

    /// Both halves, unless the box is too small to go on.
    pub(super) fn halve(&mut self, block: Block, axis: usize) {
        let middle = 0.5 * (block.low[axis] + block.high[axis]);
        if block.high[axis] - block.low[axis] <= SMALLEST * (self.whole.high[axis] - self.whole.low[axis]) {
            self.stuck.push(block);
            return;
        }
        let (mut first, mut second) = (block.clone(), block);
        first.high[axis] = middle;
        second.low[axis] = middle;
        self.open.extend([second, first]);
    }

    /// The share of the range that the open boxes have.
    fn left(&self) -> f64 {
        let share = |block: &Block| {
            let sides = block.low.iter().zip(&block.high).zip(self.whole.low.iter().zip(&self.whole.high));
            sides
                .map(|((low, high), (least, most))| if most > least { (high - low) / (most - least) } else { 1.0 })
                .product::<f64>()
        };
        self.open.iter().chain(&self.stuck).map(share).sum::<f64>().min(1.0)
    }
}
