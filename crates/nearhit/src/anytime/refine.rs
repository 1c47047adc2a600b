//! Progressive refinement of two sphere-trees, level by level, as long as there is time (§4).
//!
//! # What is certain at any moment
//!
//! *Lower bound.* A pair of balls that do not meet is left behind with its gap; everything else is
//! still in the front. So the surfaces are at least as far apart as the smallest gap left behind,
//! if the front is empty, and at least 0 otherwise.
//!
//! *Upper bound.* Let e₁, e₂ be the errors of two spheres: the largest distances from the surface
//! of any of their points. The paper takes e₁ + e₂ for a bound on the distance of the surfaces
//! whenever the balls meet, and e₁ + e₂ less their overlap for a better one. For solids, or where
//! the two *spheres* cross, the first is true. For surfaces it is not: with one ball inside the
//! other there need not be a common point of the two spheres. The second is not true even then.
//! What is true, always:
//!
//! 1. With g the distance of the two spheres as surfaces (0 where they cross, `|r₁ - r₂| - d` where
//!    one is inside the other, `d - r₁ - r₂` where they are apart): take their points nearest to
//!    each other; a point of surface 1 is within e₁ of the one, a point of surface 2 within e₂ of
//!    the other. So the surfaces are at most **e₁ + g + e₂** apart.
//! 2. Any two points of the surfaces bound their distance. Each sphere keeps one, the nearest to
//!    its centre, as its **witness**: `|w₁ - w₂|`.
//!
//! The smaller of the two is taken, over all pairs of balls that were found to meet; in the end the
//! triangles' own distances.
//!
//! # The next frame
//!
//! If nothing of b has moved by more than δ against a, every gap that was left behind is smaller by
//! δ at most, and the distance of the surfaces has changed by δ at most. So the pairs of the
//! deepest level stay complete on the way to which no gap of δ or less was left behind:
//! [`Refinement::follow`] looks at them again and goes on from there, not from the roots (§12).
//! What was apart by more than δ still is, and triangles that touched are looked at first: as long
//! as nothing changes, an answer costs one test or none.
//!
//! # Units of work
//!
//! The budget is looked at before every unit: one sphere against at most eight others, or one
//! triangle against a sphere or another triangle.

mod descent;
mod fair;
mod leaves;

pub use fair::refine_fairly;

use super::sphere_pair::SpherePair;
use crate::mesh::Triangle;
use crate::pose::Pose;
use crate::primitive::intersect::intersects;
use crate::query::{Interval, TrianglePair, Verdict};
use crate::traverse::{Budget, Stats};
use descent::{Front, Row, witnesses_apart};
use leaves::Leaves;

/// State of knowledge about a pair: verdict, separation, level.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Refined {
    /// Do the surfaces share a point? Maybe, as long as balls meet and not all is done; to the end
    /// if a tree is not exact.
    pub verdict: Verdict,
    /// The deepest level whose balls have all been looked at; one more than the trees have when all
    /// triangles have.
    pub level: u32,
    /// The distance of the surfaces.
    pub separation: Interval,
    /// Two triangles that share a point, when the verdict is yes.
    pub witness: Option<TrianglePair>,
    /// Is there nothing left to do? False: the budget ran out. The verdict of trees that are not
    /// exact may stay maybe.
    pub is_complete: bool,
    /// Work done on this pair so far.
    pub stats: Stats,
}

/// How far a pair has been refined. Owned by the caller, who may go on with it whenever there is
/// time again, use it for the same pair after it has moved ([`Refinement::follow`]), or for another
/// one ([`Refinement::restart`]).
#[derive(Debug, Clone)]
pub struct Refinement {
    stage: Stage,
    level: u32,
    /// As far as they are known; those below `level` may be of an earlier pose, with pairs that do
    /// not meet any more.
    fronts: Vec<Front>,
    /// Where the balls are in all of this.
    pose: Option<Pose>,
    at: usize,
    /// Of the pairs looked at again, those that still meet.
    kept: usize,
    row: Row,
    leaves: Leaves,
    lower: f64,
    upper: f64,
    witness: Option<TrianglePair>,
    /// Was anything left behind that may be held by balls elsewhere?
    loose: bool,
    stats: Stats,
}

impl Default for Refinement {
    fn default() -> Self {
        Self {
            stage: Stage::Fresh,
            level: 0,
            fronts: vec![Front::default()],
            pose: None,
            at: 0,
            kept: 0,
            row: Row::default(),
            leaves: Leaves::default(),
            lower: f64::INFINITY,
            upper: f64::INFINITY,
            witness: None,
            loose: false,
            stats: Stats::default(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing has been looked at.
    Fresh,
    /// These triangles touched before b moved.
    Touched(TrianglePair),
    /// The pairs of `level` met before b moved.
    Again,
    Balls,
    Triangles,
    /// No balls meet.
    Done,
    /// All triangles have been looked at, or two that touch were found.
    Tested,
}

impl Refinement {
    /// Starts over, for another pair; allocated memory is kept.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Budget, Pair, Refinement, SpherePair, SphereTree, Verdict};
    ///
    /// let model = cube(1.0);
    /// let tree = SphereTree::new(&model);
    /// let pair = Pair::new(&model, &at(0.0, 0.0, 0.0), &model, &at(3.0, 0.0, 0.0))?;
    /// let pair = SpherePair::new(pair, &tree, &tree);
    /// let mut refinement = Refinement::default();
    /// assert_eq!(refinement.run(&pair, &Budget::UNLIMITED).verdict, Verdict::No);
    /// refinement.restart();
    /// assert_eq!(refinement.known().verdict, Verdict::Maybe);
    /// # Ok(())
    /// # }
    /// ```
    pub fn restart(&mut self) {
        let (mut fronts, mut leaves) = (std::mem::take(&mut self.fronts), std::mem::take(&mut self.leaves));
        fronts.iter_mut().for_each(Front::clear);
        leaves.clear();
        *self = Self { fronts, leaves, ..Self::default() };
    }

    /// After a move: keeps what is still certain of the same two trees where they are now, and
    /// forgets the rest. What is known then is true at once; the smaller the move, the deeper the
    /// level from which the next step goes on.
    ///
    /// Separations are wider than those of a refinement from the roots by up to the sum of all
    /// moves since what they come from was looked at.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Budget, Pair, Refinement, SpherePair, SphereTree, Verdict};
    ///
    /// let model = cube(1.0);
    /// let tree = SphereTree::new(&model);
    /// let pair = Pair::new(&model, &at(0.0, 0.0, 0.0), &model, &at(3.0, 0.0, 0.0))?;
    /// let pair = SpherePair::new(pair, &tree, &tree);
    /// let mut refinement = Refinement::default();
    /// refinement.run(&pair, &Budget::UNLIMITED);
    /// let moved = Pair::new(&model, &at(0.0, 0.0, 0.0), &model, &at(2.99, 0.0, 0.0))?;
    /// let moved = SpherePair::new(moved, &tree, &tree);
    /// refinement.follow(&moved);
    /// assert_eq!(refinement.run(&moved, &Budget::UNLIMITED).verdict, Verdict::No);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "temporal coherence")]
    #[doc(alias = "warm start")]
    pub fn follow(&mut self, pair: &SpherePair<'_>) {
        let Some(before) = self.pose.filter(|_| self.stage != Stage::Fresh) else { return self.restart() };
        let (verdict, moved) = (self.known().verdict, pair.moved_since(&before));
        self.upper += moved;
        self.lower -= moved;
        self.fronts.iter_mut().for_each(|front| front.gap -= moved);
        self.pose = Some(*pair.pose());
        self.stats = Stats::default();
        match (verdict, self.witness.take()) {
            // Nothing can meet yet.
            (Verdict::No, _) if self.lower > 0.0 => {}
            (_, Some(touched)) => self.stage = Stage::Touched(touched),
            _ => self.resume(pair),
        }
    }

    /// Goes back to the deepest level whose pairs are complete.
    fn resume(&mut self, pair: &SpherePair<'_>) {
        if self.stage == Stage::Again {
            // Those that were found to be apart.
            self.fronts[self.level as usize].pairs.drain(self.kept..self.at);
        }
        let complete = self.fronts[..=self.level as usize].iter().take_while(|front| front.gap > 0.0).count();
        let (known, unknown) = self.fronts.split_at_mut(complete);
        unknown.iter_mut().for_each(Front::clear);
        self.lower = known.iter().map(|front| front.gap).fold(f64::INFINITY, f64::min);
        self.leaves.clear();
        (self.row, self.at, self.kept) = (Row::default(), 0, 0);
        // The roots are looked at again if not even they are certain.
        self.level = complete.saturating_sub(1) as u32;
        self.stage = if complete == 0 { Stage::Fresh } else { Stage::Again };
        self.loose = self.level > 1 && !pair.are_exact();
    }

    /// Refines until the budget is spent or everything is known. The budget is for this call.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Budget, Pair, Refinement, SpherePair, SphereTree, Verdict};
    ///
    /// let model = cube(1.0);
    /// let tree = SphereTree::new(&model);
    /// let pair = Pair::new(&model, &at(0.0, 0.0, 0.0), &model, &at(3.0, 0.0, 0.0))?;
    /// let pair = SpherePair::new(pair, &tree, &tree);
    /// let mut refinement = Refinement::default();
    /// let early = refinement.run(&pair, &Budget::work(1));
    /// assert!(early.separation.lower <= 1.0 && 1.0 <= early.separation.upper);
    /// let known = refinement.run(&pair, &Budget::UNLIMITED); // goes on where it stopped
    /// assert_eq!((known.verdict, known.is_complete), (Verdict::No, true));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "anytime")]
    #[doc(alias = "progressive refinement")]
    #[doc(alias = "time-critical collision detection")]
    #[doc(alias = "interruptible")]
    pub fn run(&mut self, pair: &SpherePair<'_>, budget: &Budget<'_>) -> Refined {
        let mut spent = Stats::default();
        while !self.is_done() && self.step(pair, budget, &mut spent) {}
        self.known()
    }

    /// One level more, or what the budget allows of it; `spent` is what it is compared with, and
    /// grows. False when the budget ended it: it goes on where it was.
    pub(crate) fn step(&mut self, pair: &SpherePair<'_>, budget: &Budget<'_>, spent: &mut Stats) -> bool {
        match self.stage {
            Stage::Fresh => {
                if budget.is_spent(spent) {
                    // No look is needed for that.
                    self.upper = witnesses_apart(pair);
                    return false;
                }
                self.upper = f64::INFINITY;
                self.count(Stats { volume_tests: 1, ..Stats::default() }, spent);
                self.pose = Some(*pair.pose());
                if self.meet(pair, (0, 0), 0) {
                    self.fronts[0].pairs.push((0, 0));
                }
                self.stage = if self.fronts[0].pairs.is_empty() { Stage::Done } else { Stage::Balls };
                true
            }
            Stage::Touched(triangles) => {
                if budget.is_spent(spent) {
                    return false;
                }
                self.count(Stats { triangle_tests: 1, ..Stats::default() }, spent);
                if intersects(&pair.pair.a().mesh().triangle(triangles.a), &posed(pair, triangles.b)) {
                    (self.witness, self.upper, self.stage) = (Some(triangles), 0.0, Stage::Tested);
                } else {
                    self.resume(pair);
                }
                true
            }
            Stage::Again => self.again(pair, budget, spent),
            Stage::Balls => self.balls(pair, budget, spent),
            Stage::Triangles => self.triangles(pair, budget, spent),
            Stage::Done | Stage::Tested => true,
        }
    }

    /// Steps made so far.
    fn steps(&self) -> u32 {
        match self.stage {
            Stage::Fresh => 0,
            Stage::Touched(_) => 0,
            Stage::Again => self.level,
            Stage::Balls => self.level + 1,
            Stage::Triangles | Stage::Done | Stage::Tested => self.level + 2,
        }
    }

    /// Is there nothing left to do?
    #[must_use]
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done | Stage::Tested)
    }

    /// The pairs of balls that meet, by index in a's and in b's tree: those of [`Refined::level`].
    /// After the last level those whose triangles have not been looked at yet come last. After
    /// [`Refinement::follow`] and before the next step, those that met before.
    #[must_use]
    pub(crate) fn colliding(&self) -> &[(u32, u32)] {
        &self.fronts[self.level as usize].pairs
    }

    /// The state of knowledge now.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Budget, Pair, Refinement, SpherePair, SphereTree, Verdict};
    ///
    /// let model = cube(1.0);
    /// let tree = SphereTree::new(&model);
    /// let pair = Pair::new(&model, &at(0.0, 0.0, 0.0), &model, &at(3.0, 0.0, 0.0))?;
    /// let pair = SpherePair::new(pair, &tree, &tree);
    /// let mut refinement = Refinement::default();
    /// assert_eq!(refinement.known().verdict, Verdict::Maybe); // nothing has been looked at
    /// refinement.run(&pair, &Budget::UNLIMITED);
    /// assert_eq!(refinement.known().verdict, Verdict::No);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn known(&self) -> Refined {
        let verdict = match (self.stage, self.witness) {
            (_, Some(_)) => Verdict::Yes,
            (Stage::Done | Stage::Tested, None) if !self.loose => Verdict::No,
            _ => Verdict::Maybe,
        };
        let separation = match verdict {
            Verdict::Yes => Interval::ZERO,
            Verdict::No => Interval { lower: self.lower.min(self.upper), upper: self.upper },
            Verdict::Maybe => Interval { lower: 0.0, upper: self.upper },
        };
        let level = self.level + u32::from(self.stage == Stage::Tested);
        Refined { verdict, level, separation, witness: self.witness, is_complete: self.is_done(), stats: self.stats }
    }

    fn count(&mut self, stats: Stats, spent: &mut Stats) {
        self.stats += stats;
        *spent += stats;
    }
}

fn posed(pair: &SpherePair<'_>, index: u32) -> Triangle {
    pair.pair.b().mesh().triangle(index).map(|corner| pair.pose().apply(corner))
}
