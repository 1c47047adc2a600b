//! Continuous collision detection (CCD): the time of impact (TOI) of two moving bodies, by
//! conservative advancement on the distance (ADR 19).
//!
//! At some time the surfaces are at least d apart, and no point moves faster than v relative to any
//! of the other body. So they cannot touch for another d/v: time advances by that much, as often as
//! it takes. It never jumps over a contact, however thin the bodies and however fast.
//!
//! Of two closed solids neither can get into the other but through its surface: who is not inside
//! at the start is not before the first contact of the surfaces.

use super::motion::Motion;
use crate::error::{PoseError, QueryError};
use crate::model::Model;
use crate::query::{Distance, Pair, Scratch, Seed, Settings, Tolerance, Verdict};
use crate::traverse::Stats;
use thiserror::Error;

/// A moving model.
#[derive(Debug, Clone, Copy)]
pub struct Moving<'m> {
    /// The model.
    pub model: &'m Model,
    /// Its motion.
    pub motion: Motion,
}

/// Time of impact, as far as it is certain.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct FirstContact {
    /// Yes: at `free_until` the surfaces are within the tolerance, or one solid is inside the
    /// other. No: they do not touch from 0 to 1. Maybe: the budget ran out, or 100,000 steps were
    /// taken.
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
const LOOSELY: Tolerance = Tolerance { relative: 0.05, absolute: 0.0 };

/// Advances in one query, at most. Bodies at least the tolerance apart take at most speed / (0.8 ·
/// tolerance) of them; a tolerance may be as small as rounding.
const MOST_ADVANCES: u64 = 100_000;

/// Time of impact: the first time, from 0 to 1, at which the two are within `tolerance` of each
/// other. There is certainly no contact before it.
///
/// Bodies that slide along each other just above the tolerance take many steps; a budget in
/// `settings` ends them with what is known, and so does the 100,000th step: the verdict is then
/// "maybe".
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use nearhit::scene::{Motion, Moving, first_contact};
/// use nearhit::{Scratch, Settings, Verdict};
///
/// let cube = cube(1.0);
/// let still = Moving { model: &cube, motion: Motion::still(at(0.0, 0.0, 0.0)) };
/// let moving = Moving { model: &cube, motion: Motion::linear(at(4.0, 0.0, 0.0), at(0.0, 0.0, 0.0)) };
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
    advance(a, b, tolerance, settings, &mut |_, _, _| None, scratch)
}

/// [`first_contact`] of two solids: if one, or a piece of it, is inside the other at the start,
/// that is contact at time 0.
///
/// Closed solids cannot get into each other without their surfaces touching, so the start is all
/// that is to be looked at. Of a mesh with holes that is not true: there both are looked at
/// whenever the distance is, and what has slipped in through a hole between two such times, or
/// after the last, goes unnoticed.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use nearhit::scene::{Motion, Moving, first_contact_of_solids};
/// use nearhit::{Scratch, Settings, Verdict};
///
/// let (cube, large) = (cube(1.0), cube(3.0));
/// let still = Moving { model: &cube, motion: Motion::still(at(0.0, 0.0, 0.0)) };
/// let around = Moving { model: &large, motion: Motion::linear(at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0)) };
/// let found = first_contact_of_solids(&still, &around, 1e-6, &Settings::default(), &mut Scratch::new())?;
/// assert_eq!((found.verdict, found.free_until), (Verdict::Yes, 0.0)); // inside from the start
/// # Ok(())
/// # }
/// ```
#[doc(alias = "continuous collision detection")]
#[doc(alias = "CCD")]
#[doc(alias = "time of impact")]
#[doc(alias = "TOI")]
pub fn first_contact_of_solids(
    a: &Moving<'_>,
    b: &Moving<'_>,
    tolerance: f64,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
) -> Result<FirstContact, MotionError> {
    let mut is_first = true;
    let mut inside = |pair: &Pair<'_>, stats: &mut Stats, scratch: &mut Scratch| {
        let solid = pair.solid();
        if !std::mem::replace(&mut is_first, false) && solid.is_exact() {
            return None;
        }
        let within = Settings { budget: settings.budget.after(stats), ..*settings };
        let mut more = Stats::default();
        let (verdict, _) = solid.contained(&within, scratch, &mut more);
        *stats += more;
        let depth = (verdict == Verdict::Yes).then(|| solid.distance(LOOSELY, &within, scratch));
        *stats += depth.map(|found| found.stats).unwrap_or_default();
        (verdict != Verdict::No).then_some((verdict, depth))
    };
    advance(a, b, tolerance, settings, &mut inside, scratch)
}

/// What is known of one inside the other, unless that is certainly not so; with the depth.
type Contained = Option<(Verdict, Option<Distance>)>;

fn advance(
    a: &Moving<'_>,
    b: &Moving<'_>,
    tolerance: f64,
    settings: &Settings<'_>,
    inside: &mut dyn FnMut(&Pair<'_>, &mut Stats, &mut Scratch) -> Contained,
    scratch: &mut Scratch,
) -> Result<FirstContact, MotionError> {
    let rounding = rounding(a) + rounding(b);
    if !(tolerance.is_finite() && tolerance >= 8.0 * rounding) {
        return Err(MotionError::Tolerance { tolerance, least: 8.0 * rounding });
    }
    let turning = [a, b].map(|body| body.motion.turning_speed(body.model.mesh()));
    let drifting = crate::vector::length(b.motion.drift() - a.motion.drift());
    // A little more than the sum, for its own rounding.
    let speed = (drifting + turning[0] + turning[1]) * (1.0 + 1e-12);
    let (mut time, mut steps, mut stats, mut seed) = (0.0, 0, Stats::default(), settings.seed);
    loop {
        let pair = placed(a, b, time)?;
        let distance = pair.distance(LOOSELY, &Settings { seed, ..settings.after(&stats) }, scratch);
        steps += 1;
        stats += distance.stats;
        if let Some((verdict, depth)) = (distance.lower > 0.0).then(|| inside(&pair, &mut stats, scratch)).flatten() {
            let distance = depth.unwrap_or(distance);
            let is_complete = verdict != Verdict::Maybe;
            return Ok(FirstContact { verdict, free_until: time, distance, is_complete, steps, stats });
        }
        let known = |verdict, free_until| {
            let is_complete = verdict != Verdict::Maybe;
            FirstContact { verdict, free_until, distance, is_complete, steps, stats }
        };
        if distance.upper <= tolerance {
            return Ok(known(Verdict::Yes, time));
        }
        let safe = distance.lower - rounding;
        // By division alone: rounding must not carry time beyond what is safe.
        let next = if speed > 0.0 { time + (safe / speed).max(0.0) * (1.0 - 1e-12) } else { 1.0 };
        if safe > 0.0 && next >= 1.0 {
            return Ok(known(Verdict::No, 1.0));
        }
        if settings.budget.is_spent(&stats) || next <= time || steps >= MOST_ADVANCES {
            return Ok(known(Verdict::Maybe, time));
        }
        seed = Some(Seed(distance.witness));
        time = next;
    }
}

fn placed<'m>(a: &Moving<'m>, b: &Moving<'m>, time: f64) -> Result<Pair<'m>, MotionError> {
    let pose = |motion: &Motion| motion.pose(time).map_err(|error| MotionError::Pose { time, error });
    let (world_from_a, world_from_b) = (pose(&a.motion)?, pose(&b.motion)?);
    Pair::new(a.model, &world_from_a, b.model, &world_from_b).map_err(|error| MotionError::Query { time, error })
}

/// How far a vertex may be from where the motion has it, and a distance from the true one: some
/// dozens of units in the last place.
fn rounding(body: &Moving<'_>) -> f64 {
    256.0 * f64::EPSILON * body.motion.reach(2.0 * body.model.mesh().max_coordinate()) + 1e3 * f64::MIN_POSITIVE
}
