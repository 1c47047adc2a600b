//! All instants of contact of two moving shapes (k-DOP paper, §1: "all instants in time at which
//! there exists a nonempty intersection").
//!
//! As for the first contact (`first_contact.rs`) time advances, where the shapes are apart, by as
//! much as they certainly stay apart. Where they are within the tolerance it advances by as much as
//! they need to part by the tolerance: over that stretch they are never farther apart than twice
//! the tolerance.

use super::first_contact::{LOOSELY, MOST_ADVANCES, MotionError, Moving, Speeds, checked_rounding, inside, placed};
use crate::query::{Scratch, Seed, Settings, Verdict};
use crate::traverse::Stats;

/// When two moving shapes touch, as far as it is certain.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ContactIntervals {
    /// From when to when, in order, without common points. At no other time until `known_until` is
    /// there a contact; at every time in one of them the shapes are within twice the tolerance of
    /// each other, or one is inside of the other, which is a solid.
    pub intervals: Vec<[f64; 2]>,
    /// 1, unless the budget or the steps ran out before.
    pub known_until: f64,
    /// Is the whole motion known? False: the budget or the steps ran out.
    pub is_complete: bool,
    /// How often the distance was asked for.
    pub steps: u64,
    /// Work done.
    pub stats: Stats,
}

impl ContactIntervals {
    /// Adds a stretch of contact, to the last interval if that ends where it begins.
    fn add(&mut self, from: f64, to: f64) {
        match self.intervals.last_mut() {
            Some(last) if last[1] >= from => last[1] = to,
            _ => self.intervals.push([from, to]),
        }
    }
}

/// All times, from 0 to 1, at which the two are in contact: intervals that hold them all, and
/// nothing that is farther apart than twice the tolerance.
///
/// It takes about (distance travelled) / tolerance steps where they touch; a budget in `settings`
/// ends it with what is known, and so does the 100,000th step. What slips into a mesh with holes
/// between two steps goes unnoticed, as for [`first_contact`](super::first_contact).
///
/// ```
/// use nearhit::research::motion::contact_intervals;
/// use nearhit::scene::{Motion, Moving};
/// use nearhit::shape::Shape;
/// use nearhit::{Pose, Scratch, Settings};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (wall, ball) = (Shape::cuboid([2.0, 2.0, 2.0])?, Shape::ball(1.0)?); // the wall is 2 thick
/// let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]);
/// let still = Moving { shape: &wall, motion: Motion::still(at(0.0)?) };
/// let moving = Moving { shape: &ball, motion: Motion::linear(at(8.0)?, at(-8.0)?) };
/// let (settings, mut scratch) = (Settings::default(), Scratch::new());
/// let found = contact_intervals(&still, &moving, 1e-3, &settings, &mut scratch)?;
/// let [[from, to]] = found.intervals[..] else { panic!("once") };
/// assert!((from - 6.0 / 16.0).abs() < 1e-3 && (to - 10.0 / 16.0).abs() < 1e-3);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "continuous collision detection")]
#[doc(alias = "all contacts along a motion")]
pub fn contact_intervals(
    a: &Moving<'_>,
    b: &Moving<'_>,
    tolerance: f64,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
) -> Result<ContactIntervals, MotionError> {
    let rounding = checked_rounding(a, b, tolerance)?;
    let speeds = Speeds::new(a, b);
    let mut found = ContactIntervals::default();
    let (mut time, mut seed, mut touched) = (0.0, settings.seed, true);
    let mut contained = false;
    while time < 1.0 {
        let pair = placed(a, b, time)?;
        let distance = pair.separation(LOOSELY, &Settings { seed, ..settings.after(&found.stats) }, scratch);
        found.steps += 1;
        found.stats += distance.stats;
        let touches = distance.upper <= tolerance;
        // Whoever is inside stays there until the surfaces touch.
        if !touches && (touched || !contained) {
            let told = inside(&pair, touched, settings, &mut found.stats, scratch).map(|(verdict, _)| verdict);
            contained = told == Some(Verdict::Yes);
            if told == Some(Verdict::Maybe) {
                break;
            }
        }
        touched = touches;
        contained &= !touches;
        let stretch = if touches {
            // In this time they cannot come apart by more than the tolerance.
            speeds.time_for(tolerance)
        } else {
            speeds.safe_time(&pair, &distance, rounding, &a.motion, time)
        };
        let next = (time + stretch * (1.0 - 1e-12)).min(1.0);
        if next <= time || (next < 1.0 && (settings.budget.is_spent(&found.stats) || found.steps >= MOST_ADVANCES)) {
            break;
        }
        if touches || contained {
            found.add(time, next);
        }
        seed = Some(Seed(distance.witness));
        time = next;
    }
    found.known_until = time;
    found.is_complete = time >= 1.0;
    Ok(found)
}
