//! Paths: two shapes at a series of poses. Which is the first at which they touch, and at which are
//! they closest?
//!
//! The answers are those of asking at every pose, but most poses are not asked about: a distance
//! says that the shapes cannot touch, or be closer, as long as no point has moved farther
//! (`displacement`).

use super::displacement::Displacement;
use super::part_pair::PartPair;
use crate::batch::{self, BatchError, BatchOptions, Seeding};
use crate::error::QueryError;
use crate::pose::Pose;
use crate::query::{Distance, Scratch, Seed, Settings, Tolerance, Verdict};
use crate::shape::Shape;
use crate::traverse::{Limit, Stats};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use thiserror::Error;

/// A path: two shapes, and a series of poses of b in a's frame.
///
/// Contact is that of scenes ([`Shape::solid`] says which meshes have an inside); the clearance is
/// the distance, zero where the two are in contact.
#[doc(alias = "trajectory")]
#[doc(alias = "path validation")]
#[derive(Debug, Clone)]
pub struct PosePath<'s> {
    a: &'s Shape,
    b: &'s Shape,
    a_from_b: &'s [Pose],
    /// None where a distance says nothing about other poses: what is inside a mesh with holes.
    displacement: Option<Displacement>,
}

/// First contact along a series of poses: the answer of [`PosePath::first_contact`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathContact {
    /// Yes: they touch at `pose`. No: they touch at none. Maybe: the budget ran out.
    pub verdict: Verdict,
    /// The first pose at which they touch, from 0.
    pub pose: Option<usize>,
    /// So many poses, from the first on, are certainly free.
    pub free: usize,
    /// How many poses were asked about.
    pub asked: usize,
    /// Work done.
    pub stats: Stats,
}

/// Smallest clearance along a series of poses: the answer of [`PosePath::least_clearance`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PathClearance {
    /// The pose at which they are closest, from 0; of several the first.
    pub pose: usize,
    /// The clearance there, and where: points are in a's frame.
    pub clearance: Distance,
    /// At every pose the clearance is at least this.
    pub lower: f64,
    /// Is it certain that none is closer? False: the budget ran out.
    pub is_complete: bool,
    /// How many poses were asked about.
    pub asked: usize,
    /// Work done.
    pub stats: Stats,
}

/// Error of a path: there is none, or a pose cannot be asked about.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PathError {
    /// Nothing to ask about.
    #[error("a path needs at least one pose")]
    NoPoses,
    /// The shapes cannot be placed so.
    #[error("pose {pose}: {error}")]
    Query {
        /// Which, from 0.
        pose: usize,
        /// Why.
        error: QueryError,
    },
}

/// How wide the interval of a distance may be that only tells which poses are free.
const LOOSELY: Tolerance = Tolerance { relative: 0.05, absolute: 0.0 };

impl<'s> PosePath<'s> {
    /// A path of b in a's frame: see [`Pose::a_from_b`] for bodies that both move.
    ///
    /// Errors: no pose; one at which the shapes cannot be asked about, even if an answer would not
    /// need it.
    pub fn new(a: &'s Shape, b: &'s Shape, a_from_b: &'s [Pose]) -> Result<Self, PathError> {
        if a_from_b.is_empty() {
            return Err(PathError::NoPoses);
        }
        for (pose, placed) in a_from_b.iter().enumerate() {
            let pair = PartPair::relative(a, b, placed).map_err(|error| PathError::Query { pose, error })?;
            if pose == 0 {
                pair.prepare();
            }
        }
        let is_sound = |shape: &Shape| {
            let model = shape.model().filter(|_| shape.is_solid());
            model.is_none_or(|model| model.inside().is_exact())
        };
        let displacement = (is_sound(a) && is_sound(b)).then(|| Displacement::new(a, b));
        Ok(Self { a, b, a_from_b, displacement })
    }

    /// The first pose at which the two touch, or proof that there is none.
    ///
    /// ```
    /// use nearhit::scene::PosePath;
    /// use nearhit::shape::Shape;
    /// use nearhit::{Pose, Scratch, Settings, Verdict};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (post, arm) = (Shape::cylinder(0.5, 8.0)?, Shape::capsule(0.1, 2.0)?);
    /// let at = |i: u32| Pose::from_translation([4.0 - 0.01 * f64::from(i), 0.0, 0.0]);
    /// let poses = (0..1000).map(at).collect::<Result<Vec<Pose>, _>>()?;
    /// let found = PosePath::new(&post, &arm, &poses)?.first_contact(&Settings::default(), &mut Scratch::new());
    /// assert_eq!((found.verdict, found.pose), (Verdict::Yes, Some(340)));
    /// assert!(found.asked < 20);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "edge validation")]
    #[must_use]
    pub fn first_contact(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> PathContact {
        let count = self.a_from_b.len();
        let (mut free, mut hit, mut seed) = (vec![false; count], count, settings.seed);
        let (mut asked, mut stats, mut ahead, mut first) = (0, Stats::default(), 0.0, 0);
        let known = |verdict, free, asked, stats| {
            let pose = (verdict == Verdict::Yes).then_some(free);
            PathContact { verdict, pose, free, asked, stats }
        };
        loop {
            first += free[first..hit].iter().take_while(|&&is_free| is_free).count();
            if first == hit {
                return known(if hit < count { Verdict::Yes } else { Verdict::No }, first, asked, stats);
            }
            // A pose far from contact is told at the root of the trees, which no budget forbids.
            if settings.budget.is_spent(&stats) {
                return known(Verdict::Maybe, first, asked, stats);
            }
            let pose = self.next(first, hit, &free, ahead);
            let (verdict, clearance) =
                self.touches(pose, &Settings { seed, ..settings.after(&stats) }, scratch, &mut stats);
            asked += 1;
            match verdict {
                Verdict::Yes => hit = pose,
                Verdict::Maybe => return known(Verdict::Maybe, first, asked, stats),
                Verdict::No => {
                    self.spread(pose, clearance.lower, first, hit, &mut free);
                    ahead = clearance.lower;
                }
            }
            seed = Some(Seed(clearance.witness));
        }
    }

    /// Which pose is asked about next, given the first that may touch: on unknown ground one whose
    /// clearance will hardly reach back farther, if it is `ahead`; between known poses the middle.
    fn next(&self, first: usize, hit: usize, free: &[bool], ahead: f64) -> usize {
        let end = first + free[first..hit].iter().take_while(|&&is_free| !is_free).count();
        match &self.displacement {
            Some(displacement) if end == free.len() => {
                let start = &self.a_from_b[first];
                let reach = |pose: &&Pose| displacement.between(start, pose) < 0.8 * ahead;
                first + self.a_from_b[first + 1..end].iter().take_while(reach).count()
            }
            Some(_) => first + (end - first) / 2,
            None => first,
        }
    }

    /// Do they touch at a pose? If not, how far apart are they at least?
    fn touches(
        &self,
        pose: usize,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> (Verdict, Distance) {
        let pair = self.pair(pose);
        let clearance = pair.clearance(LOOSELY, settings, scratch);
        *stats += clearance.stats;
        if clearance.lower > 0.0 {
            return (Verdict::No, clearance);
        }
        if clearance.upper == 0.0 {
            return (Verdict::Yes, clearance);
        }
        let found = pair.collide(&settings.after(&clearance.stats), scratch);
        *stats += found.stats;
        (found.verdict, clearance)
    }

    /// Marks poses about this one, from `first` to before `end`, that its clearance keeps free.
    fn spread(&self, pose: usize, clearance: f64, first: usize, end: usize, free: &mut [bool]) {
        free[pose] = true;
        let Some(displacement) = &self.displacement else { return };
        let from = &self.a_from_b[pose];
        let is_free = |other: &usize| displacement.between(from, &self.a_from_b[*other]) < clearance;
        (pose + 1..end).take_while(is_free).for_each(|other| free[other] = true);
        (first..pose).rev().take_while(is_free).for_each(|other| free[other] = true);
    }

    /// The smallest clearance of all poses, and the first pose that has it.
    ///
    /// ```
    /// use nearhit::scene::PosePath;
    /// use nearhit::shape::Shape;
    /// use nearhit::{Pose, Scratch, Settings};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (post, arm) = (Shape::ball(0.5)?, Shape::ball(0.1)?);
    /// let at = |i: i32| Pose::from_translation([0.01 * f64::from(i - 500), 1.0, 0.0]);
    /// let poses = (0..1000).map(at).collect::<Result<Vec<Pose>, _>>()?;
    /// let found = PosePath::new(&post, &arm, &poses)?.least_clearance(&Settings::default(), &mut Scratch::new());
    /// assert_eq!(found.pose, 500);
    /// assert!((found.clearance.upper - 0.4).abs() < 1e-12 && found.asked < 200);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "minimum clearance")]
    #[must_use]
    pub fn least_clearance(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> PathClearance {
        let count = self.a_from_b.len();
        let (stats, seed, lower) = (Stats::default(), settings.seed, f64::INFINITY);
        let mut search = Search { path: self, settings, asked: 0, stats, seed, lower, best: None };
        let mut gaps = BinaryHeap::new();
        let from = search.ask(0, scratch);
        let mut is_complete = from.is_complete;
        if count > 1 && is_complete {
            let to = search.ask(count - 1, scratch);
            is_complete = to.is_complete;
            gaps.extend(self.gap(End { pose: 0, lower: from.lower }, End { pose: count - 1, lower: to.lower }));
        }
        while is_complete && let Some(gap) = gaps.peek().copied() {
            if !search.may_beat(&gap) {
                break;
            }
            gaps.pop();
            let found = search.ask(gap.pose, scratch);
            is_complete = found.is_complete;
            let middle = End { pose: gap.pose, lower: found.lower };
            gaps.extend(self.gap(gap.from, middle).into_iter().chain(self.gap(middle, gap.to)));
        }
        let open = if is_complete { f64::INFINITY } else { gaps.peek().map_or(0.0, |gap| gap.lower) };
        search.finish(open, is_complete, scratch)
    }

    /// The poses between two that were asked about, of which one may be the closest.
    fn gap(&self, from: End, to: End) -> Option<Gap> {
        let lower = |pose: usize| {
            let Some(displacement) = &self.displacement else { return 0.0 };
            let by = |end: &End| end.lower - displacement.between(&self.a_from_b[end.pose], &self.a_from_b[pose]);
            by(&from).max(by(&to)).max(0.0)
        };
        let bounds = (from.pose + 1..to.pose).map(|pose| (lower(pose), pose));
        let middle = from.pose + (to.pose - from.pose) / 2;
        // Of equals the one in the middle.
        let first = bounds
            .min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.abs_diff(middle).cmp(&other.1.abs_diff(middle))));
        first.map(|(lower, pose)| Gap { lower, pose, from, to })
    }

    /// The clearance at every pose: each is asked about, on all cores, with that limit each.
    ///
    /// ```
    /// use nearhit::scene::PosePath;
    /// use nearhit::shape::Shape;
    /// use nearhit::{Limit, Pose, Tolerance};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (post, arm) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::cuboid([1.0, 1.0, 1.0])?);
    /// let poses = [Pose::from_translation([2.0, 0.0, 0.0])?, Pose::from_translation([1.0, 0.0, 0.0])?];
    /// let found = PosePath::new(&post, &arm, &poses)?.clearances(Tolerance::EXACT, Limit::None);
    /// assert_eq!((found[1].lower, found[1].upper), (0.0, 0.0));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn clearances(&self, tolerance: Tolerance, limit: Limit) -> Vec<Distance> {
        let options = BatchOptions::new().seeding(Seeding::Warm).limit(limit);
        let pair = |pose: usize| -> Result<PartPair<'_>, QueryError> { Ok(self.pair(pose)) };
        let asked = batch::each(self.a_from_b.len(), pair, &options, |pair, settings, scratch| {
            let found = pair.clearance(tolerance, settings, scratch);
            (found, Some(found.seed()))
        });
        asked.unwrap_or_else(|error: BatchError<QueryError>| unreachable!("poses were checked: {error}"))
    }

    fn pair(&self, pose: usize) -> PartPair<'s> {
        PartPair::relative(self.a, self.b, &self.a_from_b[pose]).expect("checked when the path was made")
    }
}

/// A pose that was asked about, and how far apart the shapes are there at least.
#[derive(Debug, Clone, Copy, PartialEq)]
struct End {
    pose: usize,
    lower: f64,
}

/// Poses between two that were asked about; `pose` has the smallest lower bound of them.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Gap {
    lower: f64,
    pose: usize,
    from: End,
    to: End,
}

impl Eq for Gap {}

impl Ord for Gap {
    /// The heap's largest is the smallest bound, of equals the first pose.
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower.total_cmp(&self.lower).then(other.from.pose.cmp(&self.from.pose))
    }
}

impl PartialOrd for Gap {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A search for the smallest clearance.
struct Search<'p, 's, 'c> {
    path: &'p PosePath<'s>,
    settings: &'p Settings<'c>,
    asked: usize,
    stats: Stats,
    seed: Option<Seed>,
    /// At no pose that was asked about is the clearance less than this.
    lower: f64,
    /// The pose with the smallest clearance yet.
    best: Option<(usize, Distance)>,
}

impl Search<'_, '_, '_> {
    fn ask(&mut self, pose: usize, scratch: &mut Scratch) -> Distance {
        let settings = Settings { seed: self.seed, ..self.settings.after(&self.stats) };
        let found = self.path.pair(pose).clearance(Tolerance::EXACT, &settings, scratch);
        self.asked += 1;
        self.stats += found.stats;
        self.seed = Some(found.seed());
        self.lower = self.lower.min(found.lower);
        let is_less = |(known, best): &(usize, Distance)| {
            height(&found).total_cmp(&height(best)).then(pose.cmp(known)) == Ordering::Less
        };
        if self.best.as_ref().is_none_or(is_less) {
            self.best = Some((pose, found));
        }
        found
    }

    /// Can a pose of the gap be closer than the closest yet, or as close and earlier?
    fn may_beat(&self, gap: &Gap) -> bool {
        let Some((pose, best)) = &self.best else { return true };
        let least = height(best);
        gap.lower < least || (gap.lower == least && gap.from.pose < *pose)
    }

    /// The answer, given a lower bound for the poses that were not asked about.
    fn finish(mut self, open: f64, is_complete: bool, scratch: &mut Scratch) -> PathClearance {
        let (pose, best) = self.best.expect("a path has a pose");
        // Once more without a seed: the witness is then that of asking about this pose alone.
        let again = self.path.pair(pose).clearance(Tolerance::EXACT, &self.settings.after(&self.stats), scratch);
        self.stats += again.stats;
        let clearance = if again.is_complete { again } else { best };
        let lower = if is_complete { clearance.lower } else { self.lower.min(open) };
        PathClearance { pose, clearance, lower, is_complete, asked: self.asked + 1, stats: self.stats }
    }
}

/// What clearances are compared by: zero wherever the shapes are not proven apart.
fn height(found: &Distance) -> f64 {
    if found.lower > 0.0 { found.upper } else { 0.0 }
}
