//! All instants of contact in a scene whose bodies move (k-DOP paper, §1): which parts touch, and
//! from when to when?
//!
//! Boxes around all that a part sweeps leave the pairs that can touch, as for the first contact
//! (`impact.rs`); each is followed to the end (`contact_intervals.rs`), all at once.

use super::ask::{Member, Settled, checked};
use super::contact_intervals::{ContactIntervals, contact_intervals};
use super::motion::Motion;
use super::{BodyId, SceneError};
use crate::parallel::*;
use crate::query::{Scratch, Settings};

/// Two parts of a scene that touch on their way, and when.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Meeting<'s> {
    /// One.
    pub a: Member<'s>,
    /// The other.
    pub b: Member<'s>,
    /// From when to when.
    pub contact: ContactIntervals,
}

/// All instants of contact of a scene: bodies move as told, from 0 to 1, all others rest where they
/// are. Every pair of parts that touches at some time, in the order in which they first do; and
/// every one of which it is not known to the end.
///
/// Pairs that do not move relative to each other are not asked about, nor those that are filtered
/// out. What an interval promises is in [`ContactIntervals`].
///
/// ```
/// use nearhit::Pose;
/// use nearhit::research::motion::meetings;
/// use nearhit::scene::{BodySpec, Motion, Scene, Shape};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]);
/// let mut scene = Scene::default();
/// let ball = scene.insert(BodySpec::rigid("ball", Shape::ball(0.5)?).at(at(-5.0)?))?;
/// for (name, x) in [("near", -2.0), ("far", 3.0)] {
///     scene.insert(BodySpec::rigid(name, Shape::cuboid([1.0, 4.0, 4.0])?).at(at(x)?).fixed())?;
/// }
/// let flight = Motion::linear(at(-5.0)?, at(5.0)?);
/// let found = meetings(&scene.settle(), &[(ball, flight)], 1e-3)?;
/// assert_eq!([found[0].b.body, found[1].b.body], ["near", "far"]);
/// let [[from, to]] = found[1].contact.intervals[..] else { panic!("once") };
/// assert!((from - 0.7).abs() < 1e-3 && (to - 0.9).abs() < 1e-3);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "continuous collision detection")]
#[doc(alias = "all contacts along a motion")]
pub fn meetings<'s>(
    settled: &Settled<'s>,
    motions: &[(BodyId, Motion)],
    tolerance: f64,
) -> Result<Vec<Meeting<'s>>, SceneError> {
    checked("the tolerance", tolerance)?;
    let parts = settled.followed(motions)?;
    let pairs = settled.meeting(&parts, tolerance);
    for &(a, b) in &pairs {
        settled.pair((parts[a].id, parts[b].id))?.prepare();
    }
    let follow = |scratch: &mut Scratch, &(a, b): &(usize, usize)| {
        let found = contact_intervals(&parts[a].moving(), &parts[b].moving(), tolerance, &Settings::default(), scratch);
        found.map_err(|error| settled.of_motion((parts[a].id, parts[b].id), error))
    };
    let found: Vec<Result<ContactIntervals, SceneError>> = pairs.par_iter().map_init(Scratch::new, follow).collect();
    let mut meetings = Vec::new();
    for (found, &(a, b)) in found.into_iter().zip(&pairs) {
        let contact = found?;
        if !contact.intervals.is_empty() || !contact.is_complete {
            meetings.push(Meeting { a: settled.member(parts[a].id), b: settled.member(parts[b].id), contact });
        }
    }
    let begins = |meeting: &Meeting<'_>| {
        let contact = &meeting.contact;
        contact.intervals.first().map_or(contact.known_until, |interval| interval[0])
    };
    meetings.sort_by(|p, q| begins(p).total_cmp(&begins(q)).then((p.a.id, p.b.id).cmp(&(q.a.id, q.b.id))));
    Ok(meetings)
}
