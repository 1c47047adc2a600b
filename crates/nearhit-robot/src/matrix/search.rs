//! Branch and bound over the joint ranges that matter for a pair of links.

use super::link_pair::{Block, LinkPair, MatrixEntry, Phase, ordered};
use super::overlap;
use crate::check::{BodyPair, CheckScratch, Checker, ParentFrame, within};
use crate::error::CheckError;
use crate::motion::Line;
use crate::random::Random;
use nearhit::batch::{self, BatchOptions};
use nearhit::{Settings, Tolerance, Verdict};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// How a matrix is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MatrixOptions {
    /// Configurations that are tried for each pair before anything is proven.
    pub samples: u32,
    /// Another seed tries others.
    pub seed: u64,
}

impl Default for MatrixOptions {
    fn default() -> Self {
        Self { samples: 500, seed: 0 }
    }
}

impl MatrixOptions {
    /// Default options: 500 samples, seed 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many configurations are tried for each pair before anything is proven.
    #[must_use]
    pub fn samples(self, samples: u32) -> Self {
        Self { samples, ..self }
    }

    /// Sets the seed: another tries other configurations.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}

/// The search for a collision matrix: it goes on until every pair is decided, or is stopped, saved
/// and resumed.
///
/// ```
/// use nearhit_robot::{Checker, MatrixSearch, PairVerdict, Robot};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let checker = Checker::new(Robot::example(), Default::default())?;
/// let mut search = MatrixSearch::new(&checker, Default::default())?;
/// search.advance(20_000, None)?; // so many tests more for each pair that is open
/// let never = search.entries().filter(|entry| entry.verdict == PairVerdict::Never).count();
/// assert!(never >= 1);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "allowed-collision matrix")]
#[doc(alias = "self-collision matrix")]
#[derive(Debug)]
pub struct MatrixSearch<'c> {
    pub(super) checker: &'c Checker,
    pub(super) options: MatrixOptions,
    pub(super) pairs: Vec<Mutex<LinkPair>>,
}

/// What is known of a box.
enum Known {
    /// What is looked for, for all of it.
    Proven,
    /// Nothing: which coordinate to halve.
    Split(usize),
}

impl<'c> MatrixSearch<'c> {
    /// All pairs of links with bodies and a joint between them that moves. Allowed pairs are asked
    /// about too.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::{Checker, MatrixOptions, MatrixSearch, Robot};
    ///
    /// let checker = Checker::new(Robot::example(), Default::default())?;
    /// let search = MatrixSearch::new(&checker, MatrixOptions::new().samples(100))?;
    /// assert!(search.entries().count() > 0 && !search.is_done());
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(checker: &'c Checker, options: MatrixOptions) -> Result<Self, CheckError> {
        let count = checker.robot().links().len();
        let mut own: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (index, body) in checker.bodies().iter().enumerate() {
            if let ParentFrame::Link(link) = body.parent {
                own[link].push(index);
            }
        }
        let mut pairs = Vec::new();
        for a in 0..count {
            for b in a + 1..count {
                let bodies = own[a].iter().flat_map(|&a| own[b].iter().map(move |&b| ordered(a, b))).collect();
                pairs.extend(LinkPair::new(checker, [a, b], bodies));
            }
        }
        Ok(Self { checker, options, pairs: pairs.into_iter().map(Mutex::new).collect() })
    }

    /// Gives every pair that is open so many tests more, on all cores. The answers do not depend on
    /// the number of threads. `cancel` ends it early, and nothing that was proven is lost.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::{Checker, MatrixSearch, PairVerdict, Robot};
    ///
    /// let checker = Checker::new(Robot::example(), Default::default())?;
    /// let mut search = MatrixSearch::new(&checker, Default::default())?;
    /// let decided = |search: &MatrixSearch<'_>| {
    ///     search.entries().filter(|entry| !matches!(entry.verdict, PairVerdict::Open { .. })).count()
    /// };
    /// search.advance(100, None)?;
    /// let early = decided(&search);
    /// search.advance(20_000, None)?; // goes on where it stopped
    /// assert!(decided(&search) >= early);
    /// # Ok(())
    /// # }
    /// ```
    pub fn advance(&mut self, tests: u64, cancel: Option<&AtomicBool>) -> Result<(), CheckError> {
        let wanted: Vec<usize> = (0..self.pairs.len()).filter(|&index| !self.pair(index).is_done()).collect();
        let (checker, options, pairs) = (self.checker, &self.options, &self.pairs);
        let never = AtomicBool::new(false);
        let cancel = cancel.unwrap_or(&never);
        let one = |index: usize| {
            let mut pair = pairs[wanted[index]].lock().unwrap_or_else(PoisonError::into_inner);
            let mut search = Search { checker, line: Line::default(), scratch: CheckScratch::default(), cancel };
            search.advance(&mut pair, options, tests)
        };
        let found = batch::each(wanted.len(), one, &BatchOptions::new(), |(), _, _| ((), None));
        match found {
            Err(batch::BatchError::Refused { error, .. }) => Err(error),
            _ => Ok(()),
        }
    }

    /// What is known of every pair, in the order of the links.
    pub fn entries(&self) -> impl Iterator<Item = MatrixEntry> {
        (0..self.pairs.len()).map(|index| self.pair(index).entry())
    }

    /// Whether every pair that can be decided is.
    #[must_use]
    pub fn is_done(&self) -> bool {
        (0..self.pairs.len()).all(|index| self.pair(index).is_done())
    }

    pub(super) fn pair(&self, index: usize) -> std::sync::MutexGuard<'_, LinkPair> {
        self.pairs[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Working memory of one thread.
struct Search<'s> {
    checker: &'s Checker,
    line: Line,
    scratch: CheckScratch,
    cancel: &'s AtomicBool,
}

/// What one configuration showed.
struct Seen {
    touches: bool,
    q: Vec<f64>,
}

impl Search<'_> {
    fn advance(&mut self, pair: &mut LinkPair, options: &MatrixOptions, tests: u64) -> Result<(), CheckError> {
        let most = pair.entry.tests.saturating_add(tests);
        if pair.phase == Phase::Sampling {
            self.sample(pair, options)?;
        }
        while pair.entry.tests < most && !self.cancel.load(Ordering::Relaxed) {
            if pair.touching.is_some() && pair.clear.is_some() {
                (pair.open, pair.stuck) = (Vec::new(), Vec::new());
            }
            let Some(block) = pair.open.pop() else {
                pair.phase = Phase::Done;
                break;
            };
            if let Known::Split(axis) = self.look(pair, &block)? {
                pair.halve(block, axis);
            }
        }
        if pair.touching.is_some() && pair.clear.is_some() {
            (pair.phase, pair.open, pair.stuck) = (Phase::Done, Vec::new(), Vec::new());
        }
        Ok(())
    }

    /// Tries configurations, those that others found first.
    fn sample(&mut self, pair: &mut LinkPair, options: &MatrixOptions) -> Result<(), CheckError> {
        let [a, b] = pair.entry.links;
        let mut random = Random::new(options.seed ^ ((a as u64) << 32 | b as u64));
        let mut nearest: Option<(f64, Vec<f64>)> = None;
        for _ in 0..options.samples.max(1) {
            let ends = pair.whole.low.iter().zip(&pair.whole.high);
            let values: Vec<f64> = ends.map(|(&low, &high)| random.between(low, high)).collect();
            let (seen, gap) = self.see(pair, &values)?;
            if !seen.touches && nearest.as_ref().is_none_or(|(best, _)| gap < *best) {
                nearest = Some((gap, values));
            }
            self.note(pair, seen);
            if pair.touching.is_some() && pair.clear.is_some() {
                return Ok(());
            }
        }
        pair.phase = if pair.touching.is_some() { Phase::Always } else { Phase::Never };
        match nearest {
            Some((gap, values)) if pair.phase == Phase::Never => self.descend(pair, gap, values, &mut random),
            _ => Ok(()),
        }
    }

    /// From the nearest configuration seen to nearer ones, by small random steps: contacts that are
    /// rare are often found so.
    fn descend(
        &mut self,
        pair: &mut LinkPair,
        mut gap: f64,
        mut values: Vec<f64>,
        random: &mut Random,
    ) -> Result<(), CheckError> {
        const STEPS: usize = 400;
        let mut reach = 0.25;
        for _ in 0..STEPS {
            let mut next = values.clone();
            for (index, value) in next.iter_mut().enumerate() {
                let (low, high) = (pair.whole.low[index], pair.whole.high[index]);
                let step = reach * (high - low);
                *value = (*value + random.between(-step, step)).clamp(low, high);
            }
            let (seen, found) = self.see(pair, &next)?;
            let touches = seen.touches;
            self.note(pair, seen);
            if touches {
                break;
            }
            if found < gap {
                (gap, values) = (found, next);
            } else {
                reach = (reach * 0.97_f64).max(1e-3);
            }
        }
        Ok(())
    }

    fn note(&mut self, pair: &mut LinkPair, seen: Seen) {
        let place = if seen.touches { &mut pair.touching } else { &mut pair.clear };
        if place.is_none() {
            *place = Some(seen.q);
        }
    }

    fn place(&mut self, pair: &LinkPair, values: &[f64]) -> Result<Vec<f64>, CheckError> {
        let mut q = self.checker.robot().neutral();
        for (&coordinate, &value) in pair.entry.coordinates.iter().zip(values) {
            q[coordinate] = value;
        }
        self.checker.place(&q, &mut self.scratch)?;
        Ok(q)
    }

    /// Whether they touch at a configuration, and if not, how far they are apart.
    fn see(&mut self, pair: &mut LinkPair, values: &[f64]) -> Result<(Seen, f64), CheckError> {
        let q = self.place(pair, values)?;
        let (mut gap, mut touches) = (f64::INFINITY, false);
        for &bodies in &pair.bodies {
            if Checker::ball_gap(bodies, &self.scratch.bodies) > gap {
                continue;
            }
            pair.entry.tests += 1;
            let shapes = self.checker.shapes(bodies, &self.scratch.bodies)?;
            let (about, settings) = (Tolerance::new(0.1, 0.0), Settings::default());
            let found = shapes.distance(about, &settings, &mut self.scratch.scratch);
            // Of round shapes the interval may begin at 0: then only the exact question tells.
            touches |= found.lower == 0.0 && within(&shapes, 0.0, &mut self.scratch.scratch);
            gap = gap.min(found.upper);
        }
        let gap = if touches { 0.0 } else { gap };
        pair.entry.closest = pair.entry.closest.min(gap);
        Ok((Seen { touches, q }, gap))
    }

    /// What is known of a box, by its middle.
    fn look(&mut self, pair: &mut LinkPair, block: &Block) -> Result<Known, CheckError> {
        let middle: Vec<f64> = block.low.iter().zip(&block.high).map(|(low, high)| 0.5 * (low + high)).collect();
        let [q0, q1] = [&block.low, &block.high].map(|values| {
            let mut q = self.checker.robot().neutral();
            pair.entry.coordinates.iter().zip(values).for_each(|(&coordinate, &value)| q[coordinate] = value);
            q
        });
        self.line.prepare(self.checker.robot(), &q0, &q1);
        let q = self.place(pair, &middle)?;
        match pair.phase {
            Phase::Always => self.look_for_contact(pair, q),
            _ => self.look_for_gap(pair, q),
        }
    }

    /// Whether all bodies stay apart in the box.
    fn look_for_gap(&mut self, pair: &mut LinkPair, q: Vec<f64>) -> Result<Known, CheckError> {
        let (mut widest, mut touches) = (None::<(f64, BodyPair)>, false);
        for &bodies in &pair.bodies {
            let change = self.change(bodies);
            if Checker::ball_gap(bodies, &self.scratch.bodies) > change {
                continue;
            }
            pair.entry.tests += 1;
            let shapes = self.checker.shapes(bodies, &self.scratch.bodies)?;
            let found = shapes.within(change, &Settings::default(), &mut self.scratch.scratch);
            if found.verdict == Verdict::No {
                continue;
            }
            touches |= within(&shapes, 0.0, &mut self.scratch.scratch);
            pair.entry.closest = pair.entry.closest.min(found.upper.unwrap_or(f64::INFINITY));
            if widest.is_none_or(|(most, _)| change > most) {
                widest = Some((change, bodies));
            }
            if touches {
                break;
            }
        }
        self.note(pair, Seen { touches, q });
        Ok(widest.map_or(Known::Proven, |(_, bodies)| Known::Split(self.axis(pair, bodies))))
    }

    /// Whether two bodies stay in contact in the box.
    fn look_for_contact(&mut self, pair: &mut LinkPair, q: Vec<f64>) -> Result<Known, CheckError> {
        let mut best = None::<(f64, BodyPair)>;
        for &bodies in &pair.bodies {
            if Checker::ball_gap(bodies, &self.scratch.bodies) > 0.0 {
                continue;
            }
            pair.entry.tests += 1;
            let shapes = self.checker.shapes(bodies, &self.scratch.bodies)?;
            if !within(&shapes, 0.0, &mut self.scratch.scratch) {
                continue;
            }
            let (kept, change) = (overlap::kept(self.checker, bodies, &mut self.scratch)?, self.change(bodies));
            if kept > change {
                return Ok(Known::Proven);
            }
            if best.is_none_or(|(most, _)| kept - change > most) {
                best = Some((kept - change, bodies));
            }
        }
        self.note(pair, Seen { touches: best.is_some(), q });
        let bodies = best.map_or(pair.bodies[0], |(_, bodies)| bodies);
        Ok(Known::Split(self.axis(pair, bodies)))
    }

    /// How far the distance of two bodies can change in the box.
    fn change(&self, bodies: BodyPair) -> f64 {
        let (links, placed) = (&self.scratch.world_from_link, &self.scratch.bodies);
        self.line.change(self.checker, bodies, 0.5, links, placed) * (1.0 + 4.0 * f64::EPSILON)
    }

    /// The coordinate that moves them most.
    fn axis(&self, pair: &LinkPair, bodies: BodyPair) -> usize {
        let mut parts = vec![0.0; pair.entry.coordinates.len()];
        let placed = (&self.scratch.world_from_link[..], &self.scratch.bodies[..]);
        self.line.each_part(self.checker, bodies, 0.5, placed, |joint, part| {
            if let Some(index) = pair.moved_by[joint] {
                parts[index] += part;
            }
        });
        let largest = parts.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1));
        largest.map_or(0, |(index, _)| index)
    }
}
