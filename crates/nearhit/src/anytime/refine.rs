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

use super::sphere_pair::SpherePair;
use super::sphere_tree::SphereTree;
use crate::mesh::Triangle;
use crate::pose::Pose;
use crate::primitive::distance::{Nearest, distance_within};
use crate::primitive::intersect::intersects;
use crate::query::{Interval, TrianglePair, Verdict};
use crate::traverse::{Budget, Stats};
use crate::vector::length;
use glam::DVec3;

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

/// The pairs of balls of a level.
#[derive(Debug, Clone)]
struct Front {
    /// Those that meet.
    pairs: Vec<(u32, u32)>,
    /// The least gap of what was left behind on the way to them from the level above.
    gap: f64,
}

impl Default for Front {
    fn default() -> Self {
        Self { pairs: Vec::new(), gap: f64::INFINITY }
    }
}

impl Front {
    fn clear(&mut self) {
        self.pairs.clear();
        self.gap = f64::INFINITY;
    }
}

/// Pairs that are looked at again in one unit of work.
const AGAIN: usize = 8;

/// Within a pair of balls: which of their children meet the other ball, and which of a's is next.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    /// How many of the two are known.
    known: u8,
    children_a: u8,
    children_b: u8,
    next: u32,
}

/// Within a pair of leaves: which triangles are near the other ball, and which two are next.
#[derive(Debug, Clone, Default)]
struct Leaves {
    looked_a: usize,
    looked_b: usize,
    near_a: Vec<u32>,
    near_b: Vec<(u32, Triangle)>,
    at_a: usize,
    at_b: usize,
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
            Verdict::Yes => Interval { lower: 0.0, upper: 0.0 },
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

    /// Do two balls meet? If not, their gap is left behind on the way to a level; if they do, the
    /// upper bound may fall.
    fn meet(&mut self, pair: &SpherePair<'_>, balls: (u32, u32), level: usize) -> bool {
        let (a, b) = (pair.ball_a(balls.0), pair.ball_b(balls.1));
        let center_b = pair.pose().apply(b.center);
        let apart = length(a.center - center_b);
        let gap = apart - a.radius - b.radius - pair.slack;
        // Before it is left behind: the first pair must leave an upper bound.
        if gap <= 0.0 || self.upper == f64::INFINITY {
            let witnesses = length(a.witness - pair.pose().apply(b.witness));
            let spheres = (apart - a.radius - b.radius).max((a.radius - b.radius).abs() - apart).max(0.0);
            let bound = witnesses.min(a.error + spheres + b.error) + pair.slack;
            self.upper = self.upper.min(bound);
        }
        if gap > 0.0 {
            self.lower = self.lower.min(gap);
            self.fronts[level].gap = self.fronts[level].gap.min(gap);
        }
        gap <= 0.0
    }

    /// The pairs that met before b moved.
    fn again(&mut self, pair: &SpherePair<'_>, budget: &Budget<'_>, spent: &mut Stats) -> bool {
        let level = self.level as usize;
        while self.at < self.fronts[level].pairs.len() {
            if budget.is_spent(spent) {
                return false;
            }
            let end = (self.at + AGAIN).min(self.fronts[level].pairs.len());
            self.count(Stats { volume_tests: (end - self.at) as u64, ..Stats::default() }, spent);
            for index in self.at..end {
                let balls = self.fronts[level].pairs[index];
                if self.meet(pair, balls, level) {
                    self.fronts[level].pairs[self.kept] = balls;
                    self.kept += 1;
                }
            }
            self.at = end;
        }
        self.fronts[level].pairs.truncate(self.kept);
        self.at = 0;
        self.stage = if self.kept == 0 { Stage::Done } else { Stage::Balls };
        true
    }

    /// The next level's pairs.
    fn balls(&mut self, pair: &SpherePair<'_>, budget: &Budget<'_>, spent: &mut Stats) -> bool {
        if self.level == pair.deepest() {
            self.stage = Stage::Triangles;
            self.at = 0;
            return true;
        }
        let level = self.level as usize;
        if self.fronts.len() == level + 1 {
            self.fronts.push(Front::default());
        }
        while self.at < self.fronts[level].pairs.len() {
            if budget.is_spent(spent) {
                return false;
            }
            self.unit(pair, spent);
        }
        // The balls of level 1 are all looked at, and cover everything.
        self.loose |= self.level > 0 && !pair.are_exact();
        self.at = 0;
        self.level += 1;
        if self.fronts[level + 1].pairs.is_empty() {
            self.stage = Stage::Done;
        }
        true
    }

    /// One of: a's children against b's ball, b's children against a's ball, one child of a against
    /// b's children.
    fn unit(&mut self, pair: &SpherePair<'_>, spent: &mut Stats) {
        let below = self.level as usize + 1;
        let (a, b) = self.fronts[below - 1].pairs[self.at];
        let (first_a, count_a) = children(pair.a, a);
        let (first_b, count_b) = children(pair.b, b);
        if self.row.known == 0 {
            let mut mask = 0;
            for child in 0..count_a {
                mask |= u8::from(self.meet(pair, (first_a + child, b), below)) << child;
            }
            self.count(Stats { volume_tests: count_a.into(), ..Stats::default() }, spent);
            self.row = Row { known: 1, children_a: mask, children_b: 0, next: 0 };
            return;
        }
        if self.row.known == 1 && self.row.children_a != 0 {
            let mut mask = 0;
            for child in 0..count_b {
                mask |= u8::from(self.meet(pair, (a, first_b + child), below)) << child;
            }
            self.count(Stats { volume_tests: count_b.into(), ..Stats::default() }, spent);
            let children_a = if mask == 0 { 0 } else { self.row.children_a };
            self.row = Row { known: 2, children_a, children_b: mask, next: 0 };
            return;
        }
        let Row { children_a, children_b, next, .. } = self.row;
        // A unit is over after one child of a that has something to do.
        let child_a = (next..count_a).find(|child| children_a >> child & 1 == 1);
        let Some(child_a) = child_a else {
            self.row = Row::default();
            self.at += 1;
            return;
        };
        for child_b in (0..count_b).filter(|child| children_b >> child & 1 == 1) {
            let both = (first_a + child_a, first_b + child_b);
            if self.meet(pair, both, below) {
                self.fronts[below].pairs.push(both);
            }
        }
        self.count(Stats { volume_tests: children_b.count_ones().into(), ..Stats::default() }, spent);
        self.row.next = child_a + 1;
    }

    /// The triangles of leaves that meet, pair by pair.
    fn triangles(&mut self, pair: &SpherePair<'_>, budget: &Budget<'_>, spent: &mut Stats) -> bool {
        while self.at < self.fronts[self.level as usize].pairs.len() {
            if budget.is_spent(spent) {
                return false;
            }
            self.triangle_unit(pair, spent);
            if self.witness.is_some() {
                self.upper = 0.0;
                break;
            }
        }
        self.stage = Stage::Tested;
        true
    }

    fn triangle_unit(&mut self, pair: &SpherePair<'_>, spent: &mut Stats) {
        let (a, b) = self.fronts[self.level as usize].pairs[self.at];
        let (leaf_a, leaf_b) = (pair.ball_a(a), pair.ball_b(b));
        let (all_a, all_b) = (pair.a.triangles(leaf_a), pair.b.triangles(leaf_b));
        let one = |leaves: &Leaves| leaves.at_a < leaves.near_a.len() && leaves.at_b < leaves.near_b.len();
        if self.leaves.looked_a < all_a.len() {
            let index = all_a[self.leaves.looked_a];
            self.leaves.looked_a += 1;
            let gap = gap(&pair.pair.a().mesh().triangle(index), pair.pose().apply(leaf_b.center), leaf_b.radius)
                - pair.slack;
            self.count(Stats { volume_tests: 1, ..Stats::default() }, spent);
            if gap > 0.0 { self.lower = self.lower.min(gap) } else { self.leaves.near_a.push(index) }
        } else if self.leaves.looked_b < all_b.len() && !self.leaves.near_a.is_empty() {
            let index = all_b[self.leaves.looked_b];
            self.leaves.looked_b += 1;
            let triangle = posed(pair, index);
            let gap = gap(&triangle, leaf_a.center, leaf_a.radius) - pair.slack;
            self.count(Stats { volume_tests: 1, ..Stats::default() }, spent);
            if gap > 0.0 { self.lower = self.lower.min(gap) } else { self.leaves.near_b.push((index, triangle)) }
        } else if one(&self.leaves) {
            let (index_a, (index_b, triangle_b)) =
                (self.leaves.near_a[self.leaves.at_a], self.leaves.near_b[self.leaves.at_b]);
            let triangle_a = pair.pair.a().mesh().triangle(index_a);
            self.count(Stats { triangle_tests: 1, ..Stats::default() }, spent);
            if let Some(Nearest { distance, .. }) = distance_within(&triangle_a, &triangle_b, self.upper) {
                (self.upper, self.lower) = (distance, self.lower.min(distance));
                if distance == 0.0 {
                    self.witness = Some(TrianglePair { a: index_a, b: index_b });
                }
            }
            self.leaves.at_b += 1;
            if self.leaves.at_b == self.leaves.near_b.len() {
                (self.leaves.at_a, self.leaves.at_b) = (self.leaves.at_a + 1, 0);
            }
        } else {
            self.leaves.clear();
            self.at += 1;
        }
    }
}

impl Leaves {
    fn clear(&mut self) {
        self.near_a.clear();
        self.near_b.clear();
        (self.looked_a, self.looked_b, self.at_a, self.at_b) = (0, 0, 0, 0);
    }
}

/// The first child and how many; where a tree ends before the other, a leaf stands for its only
/// child.
fn children(tree: &SphereTree, index: u32) -> (u32, u32) {
    let children = &tree.spheres()[index as usize].children;
    if children.is_empty() { (index, 1) } else { (children.start, children.end - children.start) }
}

fn posed(pair: &SpherePair<'_>, index: u32) -> Triangle {
    pair.pair.b().mesh().triangle(index).map(|corner| pair.pose().apply(corner))
}

/// How far a point of one surface is from one of the other: the bodies are no farther apart.
fn witnesses_apart(pair: &SpherePair<'_>) -> f64 {
    length(pair.ball_a(0).witness - pair.pose().apply(pair.ball_b(0).witness)) + pair.slack
}

/// How far the ball around a triangle is from a ball, negative if they overlap.
fn gap([a, b, c]: &Triangle, center: DVec3, radius: f64) -> f64 {
    let middle = (*a + *b + *c) / 3.0;
    let reach = [a, b, c].map(|corner| length(middle - *corner)).into_iter().fold(0.0, f64::max);
    length(middle - center) - reach - radius
}

/// Refines many pairs with one budget: one level each in turn, so that every pair whose balls meet
/// gets its first step before any gets its second. Returns the pairs, by index, that had none when
/// the budget ended.
///
/// A pair that was begun in an earlier call goes on where it was.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use nearhit::research::sphere_tree::refine_fairly;
/// use nearhit::{Budget, Pair, Refinement, SpherePair, SphereTree, Verdict};
///
/// let model = cube(1.0);
/// let tree = SphereTree::new(&model);
/// let pair = Pair::new(&model, &at(0.0, 0.0, 0.0), &model, &at(3.0, 0.0, 0.0))?;
/// let pair = SpherePair::new(pair, &tree, &tree);
/// let mut states = [Refinement::default()];
/// let without = refine_fairly(&[pair], &mut states, &Budget::work(1000));
/// assert!(without.is_empty());
/// assert_eq!(states[0].known().verdict, Verdict::No);
/// # Ok(())
/// # }
/// ```
pub fn refine_fairly(pairs: &[SpherePair<'_>], states: &mut [Refinement], budget: &Budget<'_>) -> Vec<usize> {
    let mut spent = Stats::default();
    let mut open: Vec<usize> = (0..pairs.len().min(states.len())).filter(|&index| !states[index].is_done()).collect();
    let mut within = true;
    while within && !open.is_empty() {
        // Those that are behind first: a budget may have ended in the middle of a round.
        let behind = open.iter().map(|&index| states[index].steps()).min().unwrap_or(0);
        let mut turn =
            open.iter().filter(|&&index| states[index].steps() == behind).copied().collect::<Vec<_>>().into_iter();
        within = turn.all(|index| states[index].step(&pairs[index], budget, &mut spent));
        open.retain(|&index| !states[index].is_done());
    }
    open.retain(|&index| states[index].level == 0);
    open
}
