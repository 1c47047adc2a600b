//! Questions about one configuration: which bodies touch, which are closest, how far apart is each
//! pair.

use super::Checker;
use super::body::ParentFrame;
use super::boxes::Boxes;
use crate::error::CheckError;
use crate::jacobian::JacobianColumn;
use crate::kinematics::Frame;
use glam::DVec3;
use nearhit::shape::ShapePair;
use nearhit::{Interval, Limit, Pose, Scratch, Seed, Settings, Tolerance, Verdict};

/// Two bodies, by their indices in [`Checker::bodies`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyPair {
    /// The one that comes first.
    pub a: usize,
    /// The other.
    pub b: usize,
}

/// The distance of one pair.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PairDistance {
    /// Which.
    pub pair: BodyPair,
    /// The distance is at least this.
    pub lower: f64,
    /// The distance is at most this. They touch when `lower` is 0.
    pub upper: f64,
}

/// The closest pair, with points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Closest {
    /// Which.
    pub pair: BodyPair,
    /// No pair is closer than this.
    pub lower: f64,
    /// This pair is at most this far apart. They touch when `lower` is 0: of round shapes what lies
    /// within the interval counts as touching.
    pub upper: f64,
    /// A point of a, in the world.
    pub on_a: [f64; 3],
    /// A point of b, in the world.
    pub on_b: [f64; 3],
}

impl From<&PairDistance> for Interval {
    /// The distance.
    fn from(found: &PairDistance) -> Self {
        Self { lower: found.lower, upper: found.upper }
    }
}

impl From<&Closest> for Interval {
    /// The distance.
    fn from(found: &Closest) -> Self {
        Self { lower: found.lower, upper: found.upper }
    }
}

/// Working memory of checks. Each thread has its own.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct CheckScratch {
    /// What each question of two bodies may take; no limit unless it is set. Beyond it two bodies
    /// that may touch are said to touch, those that may be near to be near, and distances are wider
    /// intervals. Certified motion and gradients do not heed it.
    pub limit: Limit,
    /// How many pairs the limit left undecided, of the last configuration that was asked about.
    pub undecided: usize,
    /// Of all links once [`Checker::place`] was asked.
    pub(crate) world_from_link: Vec<Pose>,
    frames: Vec<Frame>,
    pub(crate) bodies: Vec<Placed>,
    pub(crate) scratch: Scratch,
    order: Vec<(f64, usize)>,
    pub(crate) columns: Vec<JacobianColumn>,
    learned: Learned,
    pub(crate) motion: crate::motion::MotionScratch,
}

impl CheckScratch {
    /// Of one question, which begins now.
    fn settings(&self) -> Settings<'static> {
        Settings::new().budget(self.limit)
    }

    /// What is not known may be so.
    fn may(&mut self, verdict: Verdict) -> bool {
        self.undecided += usize::from(verdict == Verdict::Maybe);
        verdict != Verdict::No
    }
}

/// In which order pairs are asked for a first contact: those that touched often come early.
#[derive(Debug, Default)]
struct Learned {
    /// Of the checker whose pairs these are.
    revision: u64,
    /// Indices of its pairs.
    order: Vec<u32>,
    /// For each pair where it was closest last, if it was asked: never changes a distance.
    seeds: Vec<Option<Seed>>,
}

impl Learned {
    /// For another checker nothing is learned yet.
    fn of(&mut self, checker: &Checker) -> &mut Self {
        if self.revision != checker.revision {
            self.revision = checker.revision;
            self.order.clear();
            self.order.extend(0..checker.pairs.len() as u32);
            self.seeds.clear();
            self.seeds.resize(checker.pairs.len(), None);
        }
        self
    }

    /// The pair at this place touched: it comes half as late from now on.
    fn hit(&mut self, place: usize) {
        self.order[place / 2..=place].rotate_right(1);
    }
}

/// Where a body is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    /// Once it is settled.
    pub(crate) world_from_body: Pose,
    is_settled: bool,
    /// Of the ball around it, in the world.
    pub(crate) center: DVec3,
    /// An infinity for what has no end.
    pub(crate) radius: f64,
    /// The radius, and what its place rounds to.
    reach: f64,
    rounding: f64,
}

/// What a centre in the world, a distance and the exact question's own numbers round to, with room,
/// as a share of the distance from the origin: far more than a few tens of units in the last place.
const ROUNDING: f64 = 256.0 * f64::EPSILON;
/// And for each joint: how far a chain's product may be from the rotation that it is pulled back
/// to.
const ROUNDING_OF_JOINT: f64 = 64.0 * f64::EPSILON;

impl Placed {
    /// Whether the balls around two bodies are certainly apart.
    #[inline]
    fn is_apart(&self, other: &Self) -> bool {
        let reach = self.reach + other.reach;
        (self.center - other.center).length_squared() > reach * reach
    }
}

/// Whether they are at most `limit` apart.
pub(crate) fn within(shapes: &ShapePair<'_>, limit: f64, scratch: &mut Scratch) -> bool {
    shapes.within(limit, &Settings::default(), scratch).verdict != Verdict::No
}

impl Checker {
    /// Working memory for this checker. It may be used with others.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let checker = slide();
    /// let mut scratch = checker.scratch(); // one for each thread
    /// assert!(!checker.collides(&[0.0], &mut scratch)?);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn scratch(&self) -> CheckScratch {
        CheckScratch::default()
    }

    /// Places all links and bodies.
    pub(crate) fn place(&self, q: &[f64], scratch: &mut CheckScratch) -> Result<(), CheckError> {
        self.place_balls(q, &self.robot.tree.order, scratch)?;
        scratch.world_from_link.clear();
        scratch.world_from_link.extend(scratch.frames.iter().map(Frame::pose));
        (0..self.bodies.len()).for_each(|body| self.settle(body, scratch));
        Ok(())
    }

    /// Places the balls around bodies; of links only what those joints move.
    fn place_balls(&self, q: &[f64], joints: &[usize], scratch: &mut CheckScratch) -> Result<(), CheckError> {
        self.robot.check_configuration(q)?;
        scratch.undecided = 0;
        scratch.frames.resize(self.robot.links().len(), Frame::IDENTITY);
        self.robot.link_frames(q, joints, &mut scratch.frames);
        scratch.bodies.clear();
        let share = ROUNDING + ROUNDING_OF_JOINT * self.robot.joints().len() as f64;
        for body in &self.bodies {
            let center = match body.parent {
                ParentFrame::Link(link) => scratch.frames[link].apply(body.center),
                ParentFrame::World => body.center,
            };
            let radius = body.radius.unwrap_or(f64::INFINITY);
            let rounding = share * (center.length() + radius);
            let (world_from_body, reach) = (Pose::IDENTITY, radius + rounding);
            scratch.bodies.push(Placed { world_from_body, is_settled: false, center, radius, reach, rounding });
        }
        Ok(())
    }

    /// Places a body whose ball is placed.
    fn settle(&self, body: usize, scratch: &mut CheckScratch) {
        let placed = &mut scratch.bodies[body];
        if placed.is_settled {
            return;
        }
        let body = &self.bodies[body];
        placed.is_settled = true;
        placed.world_from_body = match body.parent {
            ParentFrame::World => body.parent_from_body,
            ParentFrame::Link(link) if body.parent_from_body == Pose::IDENTITY => scratch.frames[link].pose(),
            ParentFrame::Link(link) => scratch.frames[link].pose() * body.parent_from_body,
        };
    }

    /// A distance that two placed bodies are certainly apart: that of their balls. May be below 0.
    pub(crate) fn ball_gap(pair: BodyPair, bodies: &[Placed]) -> f64 {
        let (a, b) = (&bodies[pair.a], &bodies[pair.b]);
        // Not a number only where a radius is infinite: then nothing is known.
        let gap = (a.center - b.center).length() - (a.radius + b.radius) - (a.rounding + b.rounding);
        if gap.is_nan() { f64::NEG_INFINITY } else { gap }
    }

    /// A distance that the boxes around two settled bodies are certainly apart, along an axis of
    /// one of them. May be below 0.
    fn box_gap(&self, pair: BodyPair, bodies: &[Placed]) -> f64 {
        self.boxes(pair, bodies).gap()
    }

    /// Whether the boxes around two settled bodies are certainly apart.
    fn boxes_apart(&self, pair: BodyPair, bodies: &[Placed]) -> bool {
        let boxes = self.boxes(pair, bodies);
        boxes.gap() > 0.0 || boxes.apart_along_edges()
    }

    #[inline]
    fn boxes(&self, pair: BodyPair, bodies: &[Placed]) -> Boxes {
        let (a, b) = (&bodies[pair.a], &bodies[pair.b]);
        let (axes_a, axes_b) = (a.world_from_body.rotation().transpose(), b.world_from_body.rotation());
        Boxes {
            half_a: self.bodies[pair.a].half,
            half_b: self.bodies[pair.b].half,
            turn: axes_a * axes_b,
            between: axes_a * (b.center - a.center),
            rounding: a.rounding + b.rounding,
        }
    }

    /// Two placed bodies as a pair of shapes.
    pub(crate) fn shapes<'b>(&'b self, pair: BodyPair, bodies: &[Placed]) -> Result<ShapePair<'b>, CheckError> {
        let (a, b) = (&self.bodies[pair.a], &self.bodies[pair.b]);
        let placed = [pair.a, pair.b].map(|body| &bodies[body].world_from_body);
        let refused = |error: nearhit::QueryError| CheckError::Query {
            a: a.name.clone(),
            b: b.name.clone(),
            message: error.to_string(),
        };
        ShapePair::new(&a.shape, placed[0], &b.shape, placed[1]).map_err(refused)
    }

    /// Whether two bodies touch whose balls are placed.
    fn touches(&self, pair: BodyPair, scratch: &mut CheckScratch) -> Result<bool, CheckError> {
        if scratch.bodies[pair.a].is_apart(&scratch.bodies[pair.b]) {
            return Ok(false);
        }
        self.settle(pair.a, scratch);
        self.settle(pair.b, scratch);
        if self.boxes_apart(pair, &scratch.bodies) {
            return Ok(false);
        }
        let settings = scratch.settings();
        let verdict = self.shapes(pair, &scratch.bodies)?.collide(&settings, &mut scratch.scratch).verdict;
        Ok(scratch.may(verdict))
    }

    /// Are two settled bodies at most `limit` apart, as far as that can be told?
    fn may_be_within(&self, pair: BodyPair, limit: f64, scratch: &mut CheckScratch) -> Result<bool, CheckError> {
        let settings = scratch.settings();
        let verdict = self.shapes(pair, &scratch.bodies)?.within(limit, &settings, &mut scratch.scratch).verdict;
        Ok(scratch.may(verdict))
    }

    /// Collision check: whether any two bodies touch. Pairs that touched before are asked first,
    /// which does not change the answer.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let checker = slide(); // a ball on a slide, and a wall in its way
    /// let mut scratch = checker.scratch();
    /// assert!(!checker.collides(&[0.5], &mut scratch)?);
    /// assert!(checker.collides(&[0.9], &mut scratch)?);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "first contact")]
    pub fn collides(&self, q: &[f64], scratch: &mut CheckScratch) -> Result<bool, CheckError> {
        self.place_balls(q, &self.joints, scratch)?;
        // Out of the way of what a question needs.
        let order = std::mem::take(&mut scratch.learned.of(self).order);
        let mut found = Ok(None);
        for (place, &index) in order.iter().enumerate() {
            match self.touches(self.pairs[index as usize], scratch) {
                Ok(false) => continue,
                Ok(true) => found = Ok(Some(place)),
                Err(error) => found = Err(error),
            }
            break;
        }
        scratch.learned.order = order;
        if let Ok(Some(place)) = found {
            scratch.learned.hit(place);
        }
        found.map(|place| place.is_some())
    }

    /// The first pair of [`Checker::pairs`] that touches.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let checker = slide();
    /// let pair = checker.first_contact(&[0.9], &mut checker.scratch())?.expect("they touch");
    /// assert_eq!(checker.bodies()[pair.b].name, "wall");
    /// # Ok(())
    /// # }
    /// ```
    pub fn first_contact(&self, q: &[f64], scratch: &mut CheckScratch) -> Result<Option<BodyPair>, CheckError> {
        self.place_balls(q, &self.joints, scratch)?;
        for &pair in &self.pairs {
            if self.touches(pair, scratch)? {
                return Ok(Some(pair));
            }
        }
        Ok(None)
    }

    /// All pairs that touch, in the order of [`Checker::pairs`]. `found` is emptied first.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let checker = slide();
    /// let (mut scratch, mut found) = (checker.scratch(), Vec::new());
    /// checker.contacts(&[0.9], &mut scratch, &mut found)?;
    /// assert_eq!(found, checker.pairs()); // there is one: the ball and the wall
    /// # Ok(())
    /// # }
    /// ```
    pub fn contacts(&self, q: &[f64], scratch: &mut CheckScratch, found: &mut Vec<BodyPair>) -> Result<(), CheckError> {
        self.place_balls(q, &self.joints, scratch)?;
        found.clear();
        for &pair in &self.pairs {
            if self.touches(pair, scratch)? {
                found.push(pair);
            }
        }
        Ok(())
    }

    /// All pairs that are at most `limit` apart, in the order of [`Checker::pairs`].
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let checker = slide();
    /// let (mut scratch, mut found) = (checker.scratch(), Vec::new());
    /// checker.pairs_within(&[0.5], 0.4, &mut scratch, &mut found)?; // the gap is 0.35
    /// assert_eq!(found.len(), 1);
    /// checker.pairs_within(&[0.5], 0.3, &mut scratch, &mut found)?;
    /// assert!(found.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn pairs_within(
        &self,
        q: &[f64],
        limit: f64,
        scratch: &mut CheckScratch,
        found: &mut Vec<BodyPair>,
    ) -> Result<(), CheckError> {
        if !(limit >= 0.0 && limit.is_finite()) {
            return Err(CheckError::Length { what: "the limit", value: limit });
        }
        self.place_balls(q, &self.joints, scratch)?;
        found.clear();
        for &pair in &self.pairs {
            let near = Self::ball_gap(pair, &scratch.bodies) <= limit;
            if !near {
                continue;
            }
            self.settle(pair.a, scratch);
            self.settle(pair.b, scratch);
            if self.box_gap(pair, &scratch.bodies) > limit {
                continue;
            }
            if self.may_be_within(pair, limit, scratch)? {
                found.push(pair);
            }
        }
        Ok(())
    }

    /// How far apart every pair is, in the order of [`Checker::pairs`].
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let checker = slide();
    /// let (mut scratch, mut found) = (checker.scratch(), Vec::new());
    /// checker.distances(&[0.5], &mut scratch, &mut found)?;
    /// assert!(found[0].lower <= 0.35 + 1e-12 && 0.35 - 1e-12 <= found[0].upper);
    /// # Ok(())
    /// # }
    /// ```
    pub fn distances(
        &self,
        q: &[f64],
        scratch: &mut CheckScratch,
        found: &mut Vec<PairDistance>,
    ) -> Result<(), CheckError> {
        self.place_balls(q, &self.joints, scratch)?;
        found.clear();
        (0..self.bodies.len()).for_each(|body| self.settle(body, scratch));
        for (index, &pair) in self.pairs.iter().enumerate() {
            let (shapes, settings) = (self.shapes(pair, &scratch.bodies)?, scratch.settings());
            let seed = &mut scratch.learned.of(self).seeds[index];
            let distance = shapes.distance(Tolerance::EXACT, &settings.seed(*seed), &mut scratch.scratch);
            *seed = Some(distance.seed());
            scratch.undecided += usize::from(!distance.is_complete);
            found.push(PairDistance { pair, lower: distance.lower, upper: distance.upper });
        }
        Ok(())
    }

    /// The closest pair; none if no pair is checked. Of several that are as close, the first of
    /// [`Checker::pairs`].
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let checker = slide();
    /// let closest = checker.closest(&[0.5], &mut checker.scratch())?.expect("there is a pair");
    /// assert!((closest.upper - 0.35).abs() < 1e-12);
    /// assert!((closest.on_b[0] - 0.95).abs() < 1e-12); // on the front of the wall
    /// # Ok(())
    /// # }
    /// ```
    pub fn closest(&self, q: &[f64], scratch: &mut CheckScratch) -> Result<Option<Closest>, CheckError> {
        self.place(q, scratch)?;
        scratch.order.clear();
        let gaps = self.pairs.iter().enumerate().map(|(index, &pair)| (Self::ball_gap(pair, &scratch.bodies), index));
        scratch.order.extend(gaps);
        // The nearest balls first: what is found early spares the rest.
        scratch.order.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let mut best: Option<(usize, Closest)> = None;
        let mut lower = f64::INFINITY;
        for at in 0..scratch.order.len() {
            let (gap, index) = scratch.order[at];
            let limit = best.as_ref().map_or(f64::INFINITY, |(_, best)| best.upper);
            if gap > limit {
                break;
            }
            let pair = self.pairs[index];
            if self.box_gap(pair, &scratch.bodies) > limit {
                continue;
            }
            let before = scratch.undecided;
            if limit.is_finite() && !self.may_be_within(pair, limit, scratch)? {
                continue;
            }
            let settings = scratch.settings();
            let found = self.shapes(pair, &scratch.bodies)?.distance(Tolerance::EXACT, &settings, &mut scratch.scratch);
            scratch.undecided = before + usize::from(!found.is_complete);
            lower = lower.min(found.lower);
            let first = best.as_ref().is_none_or(|&(other, ref best)| (found.upper, index) < (best.upper, other));
            if first {
                let world_from_a = scratch.bodies[pair.a].world_from_body;
                let [on_a, on_b] = [found.on_a, found.on_b].map(|point| world_from_a.apply(point).to_array());
                best = Some((index, Closest { pair, lower: found.lower, upper: found.upper, on_a, on_b }));
            }
        }
        // Others may have lower ends below that of the closest, where distances are intervals.
        Ok(best.map(|(_, closest)| Closest { lower, ..closest }))
    }
}
