//! The time of impact of a whole scene: bodies move, and which two touch first?
//!
//! Boxes around all that a part sweeps leave the pairs that can touch. They are followed from the
//! closest on, in groups of a fixed size: all of a group know the first contact of the groups
//! before it, and look no further in time.

use super::ask::{Member, Parts, Settled, checked};
use super::broad::near_pairs;
use super::first_contact::{FirstContact, MotionError, Moving, first_contact_until};
use super::motion::Motion;
use super::{BodyId, PartId, SceneError};
use crate::bounds::Bounds;
use crate::parallel::*;
use crate::query::{Scratch, Settings, Verdict};
use crate::shape::Shape;
use std::collections::HashMap;

/// Two parts that touch first: the answer of [`Settled::first_contact`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Impact<'s> {
    /// One.
    pub a: Member<'s>,
    /// The other.
    pub b: Member<'s>,
    /// When, and how far apart they are then. No two parts of the scene touch before. Points are in
    /// a's frame.
    pub contact: FirstContact,
}

/// A part on its way.
pub(super) struct Follow<'s> {
    pub(super) id: PartId,
    key: u32,
    shape: &'s Shape,
    motion: Motion,
    /// Which motion it has; none for what rests.
    mover: Option<BodyId>,
    is_fixed: bool,
}

impl<'s> Follow<'s> {
    pub(super) fn moving(&self) -> Moving<'s> {
        Moving { shape: self.shape, motion: self.motion }
    }
}

/// So many pairs are followed at once.
const GROUP: usize = 16;

impl<'s> Settled<'s> {
    /// Time of impact of the scene: bodies move as told, from 0 to 1, all others rest where they
    /// are. Which two parts are first within `tolerance` of each other? None: no two touch.
    ///
    /// Pairs that do not move relative to each other are not asked about, nor those that are
    /// filtered out. The verdict of an answer is yes, or maybe where
    /// [`first_contact`](super::first_contact) says so.
    ///
    /// ```
    /// use nearhit::scene::{BodySpec, Motion, Scene, Shape};
    /// use nearhit::{Pose, Verdict};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let at = |x: f64, z: f64| Pose::from_translation([x, 0.0, z]);
    /// let mut scene = Scene::default();
    /// let ball = scene.insert(BodySpec::rigid("ball", Shape::ball(0.5)?).at(at(0.0, 3.0)?))?;
    /// scene.insert(BodySpec::rigid("floor", Shape::half_space([0.0, 0.0, 1.0], 0.0)?).fixed())?;
    /// scene.insert(BodySpec::rigid("post", Shape::cuboid([1.0, 1.0, 8.0])?).at(at(4.0, 0.0)?).fixed())?;
    /// let fall = Motion::linear(at(0.0, 3.0)?, at(1.0, -2.0)?);
    /// let impact = scene.settle().first_contact(&[(ball, fall)], 1e-6)?.expect("it falls");
    /// assert_eq!((impact.b.body, impact.contact.verdict), ("floor", Verdict::Yes));
    /// assert!((impact.contact.free_until - 0.5).abs() < 1e-5);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "continuous collision detection")]
    #[doc(alias = "time of impact")]
    pub fn first_contact(
        &self,
        motions: &[(BodyId, Motion)],
        tolerance: f64,
    ) -> Result<Option<Impact<'s>>, SceneError> {
        checked("the tolerance", tolerance)?;
        let parts = self.followed(motions)?;
        let pairs = self.meeting(&parts, tolerance);
        for &(a, b) in &pairs {
            self.pair((parts[a].id, parts[b].id))?.prepare();
        }
        let mut first: Option<(FirstContact, Parts)> = None;
        for group in pairs.chunks(GROUP) {
            let until = first.map_or(1.0, |(contact, _)| contact.free_until);
            let follow = |scratch: &mut Scratch, &(a, b): &(usize, usize)| {
                let [moving_a, moving_b] = [a, b].map(|at| parts[at].moving());
                first_contact_until(until, &moving_a, &moving_b, tolerance, &Settings::default(), scratch)
            };
            let found: Vec<Result<FirstContact, MotionError>> =
                group.par_iter().map_init(Scratch::new, follow).collect();
            for (found, &(a, b)) in found.into_iter().zip(group) {
                let ids = (parts[a].id, parts[b].id);
                let contact = found.map_err(|error| self.of_motion(ids, error))?;
                let key = |contact: &FirstContact, ids: Parts| (contact.free_until, ids);
                let is_first = first.is_none_or(|(known, of)| key(&contact, ids) < key(&known, of));
                if contact.verdict != Verdict::No && is_first {
                    first = Some((contact, ids));
                }
            }
        }
        Ok(first.map(|(contact, (a, b))| Impact { a: self.member(a), b: self.member(b), contact }))
    }

    /// Which two it was.
    pub(super) fn of_motion(&self, ids: Parts, error: MotionError) -> SceneError {
        let [a, b] = [ids.0, ids.1].map(|id| self.member(id).to_string());
        SceneError::Motion { a, b, error }
    }

    /// All parts with their motions, in the order of their ids.
    pub(super) fn followed(&self, motions: &[(BodyId, Motion)]) -> Result<Vec<Follow<'s>>, SceneError> {
        let scene = self.scene;
        for &(id, _) in motions {
            scene.body(id)?;
        }
        let given: HashMap<BodyId, &Motion> = motions.iter().map(|(id, motion)| (*id, motion)).collect();
        let mut parts = Vec::new();
        for (id, body) in scene.bodies.iter() {
            let motion = given.get(&id).copied().filter(|motion| !motion.rests());
            let start = given.get(&id).map_or(body.pose, |motion| motion.start());
            let poses = body.poses(&start, |part| body.parts[part].parent_from_part)?;
            for (number, (part, pose)) in body.parts.iter().zip(poses).enumerate() {
                let (key, shape, is_fixed) = (part.key, &part.shape, body.is_fixed);
                let motion_of_part = motion.map_or(Motion::still(pose), |motion| motion.of_part(pose));
                let (id, mover) = (PartId { body: id, part: number as u32 }, motion.map(|_| id));
                parts.push(Follow { id, key, shape, motion: motion_of_part, mover, is_fixed });
            }
        }
        parts.sort_by_key(|part| part.id);
        Ok(parts)
    }

    /// Pairs that may come within the tolerance, the closest first.
    pub(super) fn meeting(&self, parts: &[Follow<'s>], tolerance: f64) -> Vec<(usize, usize)> {
        let bounded: Vec<usize> = (0..parts.len()).filter(|&at| parts[at].shape.plane().is_none()).collect();
        let boxes: Vec<Bounds> = bounded.iter().map(|&at| parts[at].motion.swept(parts[at].shape)).collect();
        let near = near_pairs(&boxes, tolerance).into_iter().map(|(a, b)| (bounded[a], bounded[b]));
        let planes = (0..parts.len()).filter(|&at| parts[at].shape.plane().is_some());
        let with_planes = planes.flat_map(|plane| {
            let others = (0..parts.len()).filter(move |&other| other < plane || parts[other].shape.plane().is_none());
            others.filter(move |&other| other != plane).map(move |other| (plane.min(other), plane.max(other)))
        });
        let scene = self.scene;
        let asked = |&(a, b): &(usize, usize)| {
            let (a, b) = (&parts[a], &parts[b]);
            let candidates = scene.candidate(a.id).zip(scene.candidate(b.id));
            a.mover != b.mover
                && !(a.is_fixed && b.is_fixed)
                && candidates.is_some_and(|(a, b)| scene.filter.asks(a, b))
        };
        let gap = |(a, b): (usize, usize)| scene.items.least_gap(parts[a].key, parts[b].key);
        let mut pairs: Vec<(f64, (usize, usize))> =
            near.chain(with_planes).filter(asked).map(|pair| (gap(pair), pair)).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        pairs.into_iter().map(|(_, pair)| pair).collect()
    }
}
