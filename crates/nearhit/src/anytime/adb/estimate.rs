//! What is asked, and what the answer carries.

use super::averages::Averages;
use super::calibration::{self, Calibration};
use super::patch::Across;
use super::patch_search::{Body, Dive, least_margin};
use super::probability::{Boxes, Side, View};
use super::quality::{Quality, Rule};
use super::search::Room;
use super::search::Search;
use crate::error::QueryError;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::PairOperation;
use crate::query::{Pair, Scratch, Settings};
use crate::traverse::{Memo, NodePair, Stats};
use crate::volume::region::Region;
use crate::volume::{BoundingVolume, Placement, Support};
use glam::DVec3;

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outcome {
    /// Enough likely pairs were found.
    Collision,
    /// No pair is left that could be opened.
    #[default]
    NoCollision,
    /// The budget was spent.
    Interrupted,
}

/// Two nodes that likely hold triangles that meet.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct LikelyPair {
    /// The nodes.
    pub nodes: NodePair,
    /// The estimate.
    pub probability: f64,
}

/// All that a search has seen: what a probability is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Evidence {
    /// How it ended.
    pub outcome: Outcome,
    /// Which pairs counted.
    pub rule: Rule,
    /// Pairs found that counted.
    pub likely: u32,
    /// Of these, crossings.
    pub crossings: u32,
    /// How many would have been believed.
    pub k_min: u32,
    /// Pairs left open.
    pub open: u32,
    /// The least size of a pair whose volumes met, as a power of 2: the larger node's over that of
    /// the smaller body. At most 0, and 0 by the paper's rule.
    pub finest: f64,
    /// How the pieces of pairs left open lie to each other, the close ones counting more: from 0,
    /// along each other, to 1, upright on each other. 0 unless interrupted, and by the paper's
    /// rule.
    pub skew: f64,
    /// Of pairs left open, and of crossings and contacts found: the product of all 1 - p.
    pub none: f64,
    /// Their sum.
    pub expected: f64,
    /// The largest of them.
    pub best: f64,
    /// Pairs whose volumes met. By the paper's rule, each was estimated.
    pub met: u64,
    /// Pairs ranked by how close they are.
    pub ranked: u64,
    /// Pairs of flat pieces that met: do they cross?
    pub compared: u64,
    /// Pairs of regions compared for them.
    pub overlaps: u64,
    /// Pairs of volumes tested.
    pub volume_tests: u64,
}

impl Evidence {
    fn new(quality: &Quality) -> Self {
        Self {
            outcome: Outcome::NoCollision,
            rule: quality.rule,
            likely: 0,
            crossings: 0,
            k_min: quality.k_min,
            open: 0,
            finest: 0.0,
            skew: 0.0,
            none: 1.0,
            expected: 0.0,
            best: 0.0,
            met: 0,
            ranked: 0,
            compared: 0,
            overlaps: 0,
            volume_tests: 0,
        }
    }

    #[inline]
    pub(super) fn add(&mut self, probability: f64) {
        self.none *= 1.0 - probability;
        self.expected += probability;
        self.best = self.best.max(probability);
    }

    /// Whether the answer is certain. By [`Rule::Crossings`] all are but those of interrupted
    /// searches and of crossings; by the paper's rule, if not even the roots meet.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        let by_triangles = self.rule == Rule::Crossings && self.outcome != Outcome::Interrupted && self.crossings == 0;
        self.met == 0 || by_triangles
    }

    /// The paper's measure of confidence, were the pairs independent: that in at least one of them
    /// triangles meet.
    #[must_use]
    pub fn raw(&self) -> f64 {
        1.0 - self.none
    }
}

/// The answer of [`AveragedPair::collide`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Estimate<'s> {
    /// What the search has seen.
    pub evidence: Evidence,
    /// The likely pairs found: where the contact is. Also when interrupted.
    pub likely: &'s [LikelyPair],
    /// Did the search come to its end? False: the budget ran out.
    pub is_complete: bool,
    /// Work done; by the paper's rule no triangles are looked at.
    pub stats: Stats,
}

impl Estimate<'_> {
    /// Whether they touch, as far as can be told. `None` when interrupted.
    #[must_use]
    pub fn collides(&self) -> Option<bool> {
        match self.evidence.outcome {
            Outcome::Interrupted => None,
            outcome => Some(outcome == Outcome::Collision),
        }
    }
    /// The uncalibrated estimate that they touch.
    #[must_use]
    pub fn raw(&self) -> f64 {
        self.evidence.raw()
    }

    /// The calibrated probability that they touch: of many answers with about this value, about
    /// this share is right.
    #[must_use]
    pub fn probability(&self) -> f64 {
        self.calibrated(&calibration::FITTED)
    }

    /// The same by another calibration.
    #[must_use]
    pub fn calibrated(&self, calibration: &Calibration) -> f64 {
        calibration.probability(&self.evidence)
    }
}

/// Two placed models with their tables.
#[derive(Debug, Clone, Copy)]
pub struct AveragedPair<'p> {
    pair: &'p Pair<'p>,
    a: &'p Averages,
    b: &'p Averages,
}

impl<'m> Pair<'m> {
    /// For average-case questions. Errors if a table was made for another tree.
    pub(crate) fn averaged<'p>(&'p self, a: &'p Averages, b: &'p Averages) -> Result<AveragedPair<'p>, QueryError> {
        let fits = self.a().hierarchy().with_pair(self.b().hierarchy(), Fits { a, b })?;
        match fits {
            [true, true] => Ok(AveragedPair { pair: self, a, b }),
            [false, _] => Err(QueryError::OtherTree { model: 'a' }),
            [true, false] => Err(QueryError::OtherTree { model: 'b' }),
        }
    }
}

struct Fits<'p> {
    a: &'p Averages,
    b: &'p Averages,
}

impl PairOperation for Fits<'_> {
    type Output = [bool; 2];

    fn run<V: Support>(self, a: &Hierarchy<V>, b: &Hierarchy<V>) -> [bool; 2] {
        [self.a.is_of(a), self.b.is_of(b)]
    }
}

impl AveragedPair<'_> {
    /// Do they touch, at this quality? Of the settings only the budget matters: the likeliest pair
    /// is always next.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::research::adb::{Averages, Options, Quality};
    /// use nearhit::research::PairExt;
    /// use nearhit::{Pair, Scratch, Settings};
    ///
    /// let model = cube(1.0);
    /// let averages = Averages::new(&model, &Options::default());
    /// let pair = Pair::new(&model, &at(0.0, 0.0, 0.0), &model, &at(5.0, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new();
    /// let guess = pair.averaged(&averages, &averages)?.collide(&Quality::default(), &Settings::default(), &mut scratch);
    /// assert_eq!(guess.collides(), Some(false));
    /// assert!(guess.probability() < 0.01 && guess.is_complete);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "average-case")]
    #[doc(alias = "probability of collision")]
    #[must_use]
    pub fn collide<'s>(&self, quality: &Quality, settings: &Settings<'_>, scratch: &'s mut Scratch) -> Estimate<'s> {
        let ask = Ask { averaged: self, quality, settings, scratch: &mut *scratch };
        let trees = (self.pair.a().hierarchy(), self.pair.b().hierarchy());
        let (evidence, stats) = trees.0.with_pair(trees.1, ask).expect("checked when the pair was made");
        let is_complete = evidence.outcome != Outcome::Interrupted;
        Estimate { evidence, likely: &scratch.room::<Room>().likely, is_complete, stats }
    }

    /// Where a likely pair may meet: a box in a's frame, along a's axes, as its low and high
    /// corner.
    #[must_use]
    pub fn contact_box(&self, likely: &LikelyPair) -> [DVec3; 2] {
        let operation = ContactBox { averaged: self, nodes: likely.nodes };
        let trees = (self.pair.a().hierarchy(), self.pair.b().hierarchy());
        trees.0.with_pair(trees.1, operation).expect("checked when the pair was made")
    }
}

struct ContactBox<'p> {
    averaged: &'p AveragedPair<'p>,
    nodes: NodePair,
}

impl PairOperation for ContactBox<'_> {
    type Output = [DVec3; 2];

    fn run<V: Support>(self, a: &Hierarchy<V>, b: &Hierarchy<V>) -> [DVec3; 2] {
        let AveragedPair { pair, a: averages_a, b: averages_b } = *self.averaged;
        let (own, other) = (averages_a.region(a.node(self.nodes.a)), averages_b.region(b.node(self.nodes.b)));
        let a_from_b = pair.a_from_b();
        let moved = Region { center: a_from_b.apply(other.center), axes: a_from_b.rotation() * other.axes, ..other };
        let ([low, high], [least, most]) = (own.bounds(), moved.bounds());
        [low.max(least), high.min(most)]
    }
}

struct Ask<'q, 'c> {
    averaged: &'q AveragedPair<'q>,
    quality: &'q Quality,
    settings: &'q Settings<'c>,
    scratch: &'q mut Scratch,
}

impl PairOperation for Ask<'_, '_> {
    type Output = (Evidence, Stats);

    fn run<V: Support>(self, a: &Hierarchy<V>, b: &Hierarchy<V>) -> (Evidence, Stats) {
        let AveragedPair { pair, a: averages_a, b: averages_b } = *self.averaged;
        let meshes = (pair.a().mesh(), pair.b().mesh());
        let placement = Placement::new(pair.a_from_b(), meshes.0.max_coordinate(), meshes.1.max_coordinate());
        let motion = <V as BoundingVolume>::motion(&placement);
        let evidence = Evidence::new(self.quality);
        let (stats, quality) = (Stats::default(), *self.quality);
        if quality.rule == Rule::Crossings {
            let pieces = (averages_a.pieces_of(a, meshes.0), averages_b.pieces_of(b, meshes.1));
            let across = Across::new(pieces.0, pieces.1, &placement);
            let (memo, room) = self.scratch.rooms::<Memo<V::Placed>, Room>();
            memo.start(a.nodes().len());
            let (open, likely) = room.start_buckets();
            let (a, b) = (Body { tree: a, pieces: pieces.0 }, Body { tree: b, pieces: pieces.1 });
            let (least_margin, fine) = (least_margin(&quality), across.is_fine());
            let mut dive =
                Dive { a, b, across, motion: &motion, memo, open, likely, pair, least_margin, fine, stats, evidence };
            dive.run(&self.settings.budget);
            return (dive.evidence, dive.stats);
        }
        let (memo, room) = self.scratch.rooms::<Memo<(V::Placed, Region)>, Room>();
        memo.start(a.nodes().len());
        let estimator = self.quality.estimator;
        let front = room.start();
        let view = View {
            a: Side { tree: a, averages: averages_a },
            b: Side { tree: b, averages: averages_b },
            b_from_a: placement.b_from_a(),
            motion: &motion,
            memo,
            estimator,
            boxes: Boxes::new::<V>(averages_a, averages_b, &placement),
            updates: 0,
            overlaps: 0,
        };
        let mut search = Search { view, quality, front, stats, evidence };
        search.run(&self.settings.budget);
        (search.evidence, search.stats)
    }
}
