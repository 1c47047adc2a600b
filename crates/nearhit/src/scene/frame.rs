//! Frames that must end in time: one budget for finding near pairs and for refining them (Hubbard
//! 1996, §4 and §12).
//!
//! Important bodies come first when neighbours are found and in every round of refinement. What
//! there was no time for is not left out: a pair that is not decided is "maybe" with bounds on its
//! distance, and a part whose neighbours were not found is named; that is every part as long as the
//! broad phase has not been told of all that moved.
//!
//! Solids: where the surfaces are found not to touch, one vertex of each piece is tested for being
//! inside the other part. Until that is done the pair is "maybe", however far apart the surfaces
//! are.
//!
//! A unit of work, before which the budget is looked at: telling the broad phase about some parts
//! that moved, finding the neighbours of one part, the units of [`Refinement`], and one vertex
//! inside or outside.

use super::ask::{Member, Settled};
use super::broad::Items;
use super::part_pair::PartPair;
use super::ranks::Rank;
use super::{PartId, Scene, SceneError};
use crate::anytime::refine::refine_fairly;
use crate::anytime::{Refinement, SpherePair, SphereTree};
use crate::query::{Interval, Scratch, Settings, TrianglePair, Verdict};
use crate::solid::{Side, SolidContact};
use crate::traverse::{Budget, Limit, Stats};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Contacts of a frame.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Frame<'s> {
    /// Pairs that touch, or may: the most important first. Pairs that are certainly apart are not
    /// here.
    pub pairs: Vec<FramePair<'s>>,
    /// How many pairs were near each other.
    pub near: usize,
    /// Is everything decided? False: the budget ran out.
    pub is_complete: bool,
    /// Work done, the broad phase's too (a change it is told of, a visit to a part, or a pair
    /// found, counts as a volume test).
    pub stats: Stats,
    scene: Settled<'s>,
    /// From here on in the order of importance parts were not looked at.
    stopped: Option<Rank>,
}

impl<'s> Frame<'s> {
    /// Parts whose neighbours there was no time to find, the most important first. They may touch
    /// others that are here too, and any that are not in `pairs`.
    ///
    /// Named when asked for: a frame that has no time for ten thousand parts has none to list them
    /// either.
    pub fn unseen(&self) -> impl Iterator<Item = Member<'s>> {
        let scene = self.scene.scene;
        let ranks = self.stopped.into_iter().flat_map(|first| scene.ranks.range(first..));
        let settled = self.scene;
        ranks.filter_map(move |rank| Some(settled.member(scene.items.part(rank.key)?)))
    }
}

/// A pair in contact, or that may be.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct FramePair<'s> {
    /// One.
    pub a: Member<'s>,
    /// The other.
    pub b: Member<'s>,
    /// Yes or maybe.
    pub verdict: Verdict,
    /// The distance of the surfaces; 0 where a solid has the other, or a piece of it, inside:
    /// frames do not measure depths.
    pub separation: Interval,
    /// The deepest level of the sphere-trees that was done with; 0 where there are none.
    pub level: u32,
    /// Two triangles that touch, when the verdict is yes and the surfaces do; 0 for a shape that is
    /// no mesh.
    pub witness: Option<TrianglePair>,
    /// Which of the two, or a piece of it, is inside the other, when that is why the verdict is
    /// yes.
    pub inside: Option<Side>,
}

/// Working memory for frames: keep it from one to the next.
#[derive(Debug, Default)]
pub struct Detector {
    refinements: Vec<Refinement>,
    /// Of the frame before, if pairs are followed.
    followed: Option<BTreeMap<(PartId, PartId), Followed>>,
    scratch: Scratch,
    seen: Vec<bool>,
}

/// What was known about a pair in the frame before, and of which trees: a part may have got
/// another shape since.
#[derive(Debug)]
struct Followed {
    trees: [Arc<SphereTree>; 2],
    refinement: Refinement,
}

impl Detector {
    /// Pairs with sphere-trees begin where they were in the frame before.
    pub(crate) fn following() -> Self {
        Self { followed: Some(BTreeMap::new()), ..Self::default() }
    }

    /// A refinement for each pair: from the frame before if it was of these trees, or a fresh one.
    fn begin(&mut self, near: &[Near<'_>]) {
        let Self { refinements, followed, .. } = self;
        let trees = || near.iter().filter_map(|near| Some((near, near.trees.as_ref()?)));
        let Some(followed) = followed else {
            refinements.resize_with(trees().count().max(refinements.len()), Refinement::default);
            return refinements.iter_mut().for_each(Refinement::restart);
        };
        refinements.clear();
        for (near, NearTrees { pair, shared }) in trees() {
            let before = followed
                .remove(&near.parts)
                .filter(|before| before.trees.iter().zip(shared).all(|(before, now)| Arc::ptr_eq(before, now)));
            let mut refinement = before.map(|before| before.refinement).unwrap_or_default();
            refinement.follow(pair);
            refinements.push(refinement);
        }
    }

    /// Keeps what is known for the next frame; pairs that are not near any more are forgotten.
    fn end(&mut self, near: &[Near<'_>]) {
        let Some(followed) = &mut self.followed else { return };
        followed.clear();
        let trees = near.iter().filter_map(|near| Some((near.parts, near.trees.as_ref()?)));
        for ((parts, NearTrees { shared, .. }), refinement) in trees.zip(self.refinements.drain(..)) {
            followed.insert(parts, Followed { trees: shared.map(Arc::clone), refinement });
        }
    }
}

/// The sphere-trees of a near pair.
struct NearTrees<'s> {
    pair: SpherePair<'s>,
    shared: [&'s Arc<SphereTree>; 2],
}

/// A near pair on its way.
struct Near<'s> {
    parts: (PartId, PartId),
    /// Named before the budget ends: after that there should be nothing left to do but to hand out.
    members: (Member<'s>, Member<'s>),
    importance: [f64; 2],
    pair: PartPair<'s>,
    trees: Option<NearTrees<'s>>,
    /// From the balls around the parts.
    at_most: f64,
}

impl Near<'_> {
    /// Surfaces that do not touch may be those of solids one of which is inside the other.
    fn look_inside(&self, pair: &mut FramePair<'_>, budget: &Budget<'_>, scratch: &mut Scratch, stats: &mut Stats) {
        let (settings, mut more) = (Settings { budget: budget.after(stats), ..Settings::default() }, Stats::default());
        let (verdict, contact) = self.pair.contained(&settings, scratch, &mut more);
        *stats += more;
        pair.verdict = verdict;
        match (verdict, contact) {
            (Verdict::Yes, Some(SolidContact::Contained { body, .. })) => {
                pair.inside = Some(body);
                pair.separation = Interval::ZERO;
            }
            (Verdict::No, _) => {}
            _ => pair.separation.lower = 0.0,
        }
    }
}

impl Scene {
    /// Finds what touches or may, within a budget that begins to run before the call. With
    /// sphere-trees ([`Shape::with_spheres`](crate::shape::Shape::with_spheres)) pairs are refined
    /// level by level in turn; those without are asked about exactly, one after the other.
    ///
    /// What the broad phase was not told in time it is told in the next frame.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene, Detector};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// scene.insert(BodySpec::rigid("right", cube.clone()).at(at(1.5, 0.0, 0.0)))?;
    /// let mut detector = Detector::default(); // kept from frame to frame
    /// let frame = scene.detect(&mut detector, &std::time::Duration::from_secs(1).into())?;
    /// assert!(!frame.is_complete || frame.pairs.len() == 1);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "time-critical collision detection")]
    #[doc(alias = "frame budget")]
    pub fn detect(&mut self, detector: &mut Detector, budget: &Budget<'_>) -> Result<Frame<'_>, SceneError> {
        let mut stats = Stats::default();
        let is_settled = self.settle_within(budget, &mut stats);
        let settled = Settled { scene: self, limit: Limit::None };
        let first = settled.scene.ranks.first().copied();
        let (near, stopped) =
            if is_settled { settled.near_within(detector, budget, &mut stats)? } else { (Vec::new(), first) };
        let mut frame =
            Frame { pairs: Vec::new(), near: near.len(), is_complete: false, stats, scene: settled, stopped };
        settled.refine_within(near, detector, budget, &mut frame);
        frame.is_complete = stopped.is_none() && frame.pairs.iter().all(|pair| pair.verdict != Verdict::Maybe);
        Ok(frame)
    }

    /// Tells the broad phase what moved, as long as there is time. Was that all?
    fn settle_within(&mut self, budget: &Budget<'_>, stats: &mut Stats) -> bool {
        while !budget.is_spent(stats) {
            let now = self.changes.take(self.broad.unit().max(1));
            // Even nothing: time passes for those that look ahead.
            self.broad.update(&self.items, &now);
            stats.volume_tests += now.len() as u64;
            if self.changes.is_empty() {
                return true;
            }
        }
        false
    }

    fn important(&self, part: PartId) -> f64 {
        self.body(part.body).map_or(0.0, |body| body.importance)
    }
}

impl<'s> Settled<'s> {
    /// Near pairs, the most important first, and who was not looked at any more.
    fn near_within(
        &self,
        detector: &mut Detector,
        budget: &Budget<'_>,
        stats: &mut Stats,
    ) -> Result<(Vec<Near<'s>>, Option<Rank>), SceneError> {
        let scene = self.scene;
        let items = &scene.items;
        let seen = &mut detector.seen;
        seen.clear();
        seen.resize(items.end(), false);
        let (mut near, mut stopped, mut found) = (Vec::new(), None, Vec::new());
        for &rank in &scene.ranks {
            if budget.is_spent(stats) {
                stopped = Some(rank);
                break;
            }
            seen[rank.key as usize] = true;
            found.clear();
            scene.broad.neighbours(items, rank.key, &mut found);
            items.unbounded_neighbours(rank.key, &mut found);
            found.sort_unstable();
            stats.volume_tests += 1 + found.len() as u64;
            for &other in found.iter().filter(|&&other| !seen[other as usize]) {
                near.extend(self.near(items, rank.key, other)?);
            }
        }
        let first = |near: &Near<'_>| near.importance;
        near.sort_by(|a, b| {
            let [a_most, a_least] = first(a);
            let [b_most, b_least] = first(b);
            b_most.total_cmp(&a_most).then(b_least.total_cmp(&a_least)).then(a.parts.cmp(&b.parts))
        });
        Ok((near, stopped))
    }

    /// A pair, unless it is filtered out.
    fn near(&self, items: &Items, key: u32, other: u32) -> Result<Option<Near<'s>>, SceneError> {
        let scene = self.scene;
        let (Some(a), Some(b)) = (items.part(key), items.part(other)) else { return Ok(None) };
        let candidates = scene.candidate(a).zip(scene.candidate(b));
        if !candidates.is_some_and(|(a, b)| scene.filter.asks(a, b)) {
            return Ok(None);
        }
        let parts = (a.min(b), a.max(b));
        let importance = [a, b].map(|part| scene.important(part));
        let importance = [importance[0].max(importance[1]), importance[0].min(importance[1])];
        let spheres = |part: PartId| scene.part(part).ok().and_then(|part| part.shape.spheres());
        let pair = self.pair(parts)?;
        let trees = match &pair {
            PartPair::Meshes(meshes) => spheres(parts.0)
                .zip(spheres(parts.1))
                .map(|(a, b)| NearTrees { pair: SpherePair::new(meshes.pair, a, b), shared: [a, b] }),
            PartPair::Shapes(_) => None,
        };
        let members = (self.member(parts.0), self.member(parts.1));
        Ok(Some(Near { parts, members, importance, pair, trees, at_most: items.at_most(key, other) }))
    }

    fn refine_within(&self, near: Vec<Near<'s>>, detector: &mut Detector, budget: &Budget<'_>, frame: &mut Frame<'s>) {
        detector.begin(&near);
        let Detector { refinements, scratch, .. } = detector;
        let pairs: Vec<SpherePair<'s>> = near.iter().filter_map(|near| Some(near.trees.as_ref()?.pair)).collect();
        refine_fairly(&pairs, &mut refinements[..pairs.len()], &budget.after(&frame.stats));
        let mut refined = refinements.iter();
        for near in &near {
            let (a, b) = near.members;
            let mut pair = if near.trees.is_some() {
                let Some(known) = refined.next().map(Refinement::known) else { continue };
                let separation = Interval { upper: known.separation.upper.min(near.at_most), ..known.separation };
                frame.stats += known.stats;
                let (verdict, level, witness) = (known.verdict, known.level, known.witness);
                FramePair { a, b, verdict, separation, level, witness, inside: None }
            } else {
                let left = budget.after(&frame.stats);
                // Many pairs may be left when it is: each asked about would cost more than to say
                // so.
                let collision = (!left.is_spent(&Stats::default()))
                    .then(|| near.pair.collide_surfaces(&Settings { budget: left, ..Settings::default() }, scratch));
                let verdict = collision.map_or(Verdict::Maybe, |collision| collision.verdict);
                frame.stats += collision.map(|collision| collision.stats).unwrap_or_default();
                let upper = if verdict == Verdict::Yes { 0.0 } else { near.at_most };
                let separation = Interval { lower: 0.0, upper };
                let contact = collision.and_then(|known| known.contact);
                let (witness, inside) =
                    (contact.and_then(SolidContact::witness), contact.and_then(SolidContact::inside));
                FramePair { a, b, verdict, separation, level: 0, witness, inside }
            };
            if pair.verdict == Verdict::No {
                near.look_inside(&mut pair, budget, scratch, &mut frame.stats);
            }
            if pair.verdict != Verdict::No {
                frame.pairs.push(pair);
            }
        }
        detector.end(&near);
    }
}
