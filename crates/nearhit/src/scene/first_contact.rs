//! Continuous collision detection (CCD): the time of impact (TOI) of two moving shapes, by
//! conservative advancement on the distance (ADR 19).
//!
//! At some time the shapes are at least d apart, and no point moves faster than v relative to any
//! of the other shape. So they cannot touch for another d/v: time advances by that much, as often
//! as it takes. It never jumps over a contact, however thin the shapes and however fast. Convex
//! shapes are also d apart along one direction, and what they do across it does not count.
//!
//! Of two closed solid meshes neither can get into the other but through its surface: who is not
//! inside at the start is not before the first contact of the surfaces.

use super::motion::Motion;
use super::part_pair::PartPair;
use crate::error::{PoseError, QueryError};
use crate::query::{Distance, Scratch, Seed, Settings, Tolerance, Verdict};
use crate::shape::Shape;
use crate::traverse::Stats;
use glam::DVec3;
use thiserror::Error;

/// A moving shape.
#[derive(Debug, Clone, Copy)]
pub struct Moving<'m> {
    /// The shape.
    pub shape: &'m Shape,
    /// Its motion.
    pub motion: Motion,
}

/// Time of impact, as far as it is certain.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct FirstContact {
    /// Yes: at `free_until` the shapes are within the tolerance, or one is inside the other, which
    /// is a solid. No: they do not touch from 0 to 1. Maybe: the budget ran out, or 100,000 steps
    /// were taken.
    pub verdict: Verdict,
    /// There is no contact before this time. It is 1 when the verdict is no.
    pub free_until: f64,
    /// How far apart they are at `free_until`; when the verdict is no, at the last time looked at.
    /// Below zero if one solid is inside the other.
    pub distance: Distance,
    /// Is it known whether they touch? False: the budget ran out, or the steps, and the verdict is
    /// maybe.
    pub is_complete: bool,
    /// How often the distance was asked for.
    pub steps: u64,
    /// Work done.
    pub stats: Stats,
}

/// Error of a time-of-impact query.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MotionError {
    /// A body would be at no place.
    #[error("at time {time}: {error}")]
    Pose {
        /// When.
        time: f64,
        /// Why.
        error: PoseError,
    },
    /// The two could not be asked about.
    #[error("at time {time}: {error}")]
    Query {
        /// When.
        time: f64,
        /// Why.
        error: QueryError,
    },
    /// Below what rounding allows, NaN or infinite.
    #[error(
        "the tolerance is {tolerance:e}: it must be finite and at least {least:e} for bodies this large, this far away and turning this far"
    )]
    Tolerance {
        /// As given.
        tolerance: f64,
        /// What is possible.
        least: f64,
    },
}

/// How wide the interval of a distance may be: advancing by a little less costs less than knowing
/// exactly.
pub(super) const LOOSELY: Tolerance = Tolerance { relative: 0.05, absolute: 0.0 };

/// Advances in one query, at most. Bodies at least the tolerance apart take at most speed / (0.8 ·
/// tolerance) of them; a tolerance may be as small as rounding.
pub(super) const MOST_ADVANCES: u64 = 100_000;

/// Time of impact: the first time, from 0 to 1, at which the two are within `tolerance` of each
/// other. There is certainly no contact before it.
///
/// What is inside of a solid at the start is in contact with it at time 0. Closed solid meshes
/// cannot get into each other without their surfaces touching, so the start is all that is to be
/// looked at. Of a mesh with holes that is not true: there both are looked at whenever the distance
/// is, and what has slipped in through a hole between two such times, or after the last, goes
/// unnoticed.
///
/// Bodies that slide along each other just above the tolerance take many steps; a budget in
/// `settings` ends them with what is known, and so does the 100,000th step: the verdict is then
/// "maybe".
///
/// ```
/// use nearhit::scene::{Motion, Moving, first_contact};
/// use nearhit::shape::Shape;
/// use nearhit::{Pose, Scratch, Settings, Verdict};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (wall, ball) = (Shape::cuboid([2.0, 2.0, 2.0])?, Shape::ball(1.0)?);
/// let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]);
/// let still = Moving { shape: &wall, motion: Motion::still(at(0.0)?) };
/// let moving = Moving { shape: &ball, motion: Motion::linear(at(4.0)?, at(0.0)?) };
/// let found = first_contact(&still, &moving, 1e-6, &Settings::default(), &mut Scratch::new())?;
/// assert_eq!(found.verdict, Verdict::Yes);
/// assert!((found.free_until - 0.5).abs() < 1e-3); // after half of the way
/// # Ok(())
/// # }
/// ```
#[doc(alias = "continuous collision detection")]
#[doc(alias = "CCD")]
#[doc(alias = "time of impact")]
#[doc(alias = "TOI")]
#[doc(alias = "time of contact")]
#[doc(alias = "conservative advancement")]
#[doc(alias = "swept collision")]
pub fn first_contact(
    a: &Moving<'_>,
    b: &Moving<'_>,
    tolerance: f64,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
) -> Result<FirstContact, MotionError> {
    first_contact_until(1.0, a, b, tolerance, settings, scratch)
}

/// What distances of two moving shapes round to, if the tolerance is well above it.
pub(super) fn checked_rounding(a: &Moving<'_>, b: &Moving<'_>, tolerance: f64) -> Result<f64, MotionError> {
    let rounding = rounding(a, b) + rounding(b, a);
    let least = 8.0 * rounding;
    if tolerance.is_finite() && tolerance >= least {
        Ok(rounding)
    } else {
        Err(MotionError::Tolerance { tolerance, least })
    }
}

/// The same, of the time until `until`: a verdict of no says nothing about later.
pub(super) fn first_contact_until(
    until: f64,
    a: &Moving<'_>,
    b: &Moving<'_>,
    tolerance: f64,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
) -> Result<FirstContact, MotionError> {
    let rounding = checked_rounding(a, b, tolerance)?;
    let speeds = Speeds::new(a, b);
    let (mut time, mut steps, mut stats, mut seed) = (0.0, 0, Stats::default(), settings.seed);
    loop {
        let pair = placed(a, b, time)?;
        let distance = pair.separation(LOOSELY, &Settings { seed, ..settings.after(&stats) }, scratch);
        steps += 1;
        stats += distance.stats;
        let is_free = distance.lower > 0.0;
        if let Some((verdict, depth)) =
            is_free.then(|| inside(&pair, steps == 1, settings, &mut stats, scratch)).flatten()
        {
            let (distance, is_complete) = (depth.unwrap_or(distance), verdict != Verdict::Maybe);
            return Ok(FirstContact { verdict, free_until: time, distance, is_complete, steps, stats });
        }
        let known = |verdict, free_until| {
            let is_complete = verdict != Verdict::Maybe;
            FirstContact { verdict, free_until, distance, is_complete, steps, stats }
        };
        if distance.upper <= tolerance {
            return Ok(known(Verdict::Yes, time));
        }
        let safe = speeds.safe_time(&pair, &distance, rounding, &a.motion, time);
        // Rounding must not carry time beyond what is safe.
        let next = time + safe * (1.0 - 1e-12);
        if safe > 0.0 && (next >= 1.0 || next > until) {
            return Ok(known(Verdict::No, until));
        }
        if settings.budget.is_spent(&stats) || next <= time || steps >= MOST_ADVANCES {
            return Ok(known(Verdict::Maybe, time));
        }
        seed = Some(Seed(distance.witness));
        time = next;
    }
}

/// What is known of a piece of one mesh inside the other, unless that is certainly not so; with the
/// depth.
pub(super) fn inside(
    pair: &PartPair<'_>,
    is_first: bool,
    settings: &Settings<'_>,
    stats: &mut Stats,
    scratch: &mut Scratch,
) -> Option<(Verdict, Option<Distance>)> {
    let PartPair::Meshes(meshes) = pair else { return None };
    if meshes.is_solid == [false, false] || (!is_first && meshes.pair.solid().is_exact()) {
        return None;
    }
    let within = Settings { budget: settings.budget.after(stats), ..*settings };
    let mut more = Stats::default();
    let (verdict, _) = meshes.contained(&within, scratch, &mut more);
    *stats += more;
    let depth = (verdict == Verdict::Yes).then(|| meshes.distance(LOOSELY, &within, scratch));
    *stats += depth.map(|found| found.stats).unwrap_or_default();
    (verdict != Verdict::No).then_some((verdict, depth))
}

/// How fast two shapes can come closer.
pub(super) struct Speeds {
    /// Of b's axis seen from a's.
    drift: DVec3,
    /// Of points about both axes; of a half-space that turns, of the other's points about its axis,
    /// wherever they come to be: so far its plane can move from one that stays as it is.
    turning: f64,
}

impl Speeds {
    pub(super) fn new(a: &Moving<'_>, b: &Moving<'_>) -> Self {
        let of = |one: &Moving<'_>, other: &Moving<'_>| match one.shape.plane() {
            Some(_) => one.motion.turning_speed_of(other.shape, &other.motion),
            None => one.motion.turning_speed(one.shape),
        };
        Self { drift: b.motion.drift() - a.motion.drift(), turning: of(a, b) + of(b, a) }
    }

    /// How long two points of the shapes need at least to come apart, or closer, by a length.
    pub(super) fn time_for(&self, length: f64) -> f64 {
        let speed = (crate::vector::length(self.drift) + self.turning) * (1.0 + 1e-12);
        if speed > 0.0 { length / speed } else { f64::INFINITY }
    }

    /// They are certainly apart for so long from a time on, at which their distance is given.
    pub(super) fn safe_time(
        &self,
        pair: &PartPair<'_>,
        found: &Distance,
        rounding: f64,
        of_a: &Motion,
        time: f64,
    ) -> f64 {
        let drifting = crate::vector::length(self.drift);
        // Speeds a little higher than they are, for their own rounding.
        let until = |gap: f64, speed: f64| {
            let (gap, speed) = (gap - rounding, speed * (1.0 + 1e-12));
            if gap > 0.0 && speed > 0.0 {
                gap / speed
            } else if gap > 0.0 {
                f64::INFINITY
            } else {
                0.0
            }
        };
        let by_distance = until(found.lower, drifting + self.turning);
        let along = match pair {
            PartPair::Shapes(shapes) => shapes.separating_direction(found),
            _ => None,
        };
        let Some((direction, gap)) = along else { return by_distance };
        let closing = -(of_a.rotation(time) * direction).dot(self.drift) + drifting * 1e-12;
        by_distance.max(until(gap, closing.max(0.0) + self.turning))
    }
}

pub(super) fn placed<'m>(a: &Moving<'m>, b: &Moving<'m>, time: f64) -> Result<PartPair<'m>, MotionError> {
    let pose = |motion: &Motion| motion.pose(time).map_err(|error| MotionError::Pose { time, error });
    let (world_from_a, world_from_b) = (pose(&a.motion)?, pose(&b.motion)?);
    PartPair::new(a.shape, &world_from_a, b.shape, &world_from_b).map_err(|error| MotionError::Query { time, error })
}

/// How far a point of a shape may be from where its motion has it, and a distance from the true
/// one: some dozens of units in the last place. A half-space is off by its share where the other
/// is.
pub(super) fn rounding(body: &Moving<'_>, other: &Moving<'_>) -> f64 {
    let there = body.shape.plane().map_or(0.0, |_| other.motion.reach(2.0 * other.shape.reach()));
    256.0 * f64::EPSILON * body.motion.reach(2.0 * body.shape.reach() + there) + 1e3 * f64::MIN_POSITIVE
}
