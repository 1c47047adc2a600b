//! Frames that must end in time: one budget for finding near pairs and for refining them (Hubbard 1996, §4 and §12).
//!
//! Important bodies come first, in the broad phase and in every round of refinement. What there was no time for is not left out: a pair that is not decided is "maybe" with bounds on its distance, and a part
//! that the broad phase did not come to is named.
//!
//! A unit of work, before which the budget is looked at: telling the broad phase about some parts that moved, finding the neighbours of one part, and the units of [`Refinement`].

use super::ask::{Member, Settled};
use super::broad::Items;
use super::{PartId, Scene, SceneError};
use crate::critical::{Refinement, SpherePair, SphereTree, refine_fairly};
use crate::query::{Interval, Pair, Scratch, Settings, TrianglePair, Verdict};
use crate::traverse::{Budget, Stats};
use std::cmp::Ordering;

/// What a frame found.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame<'s> {
    /// Pairs that touch, or may: the most important first. Pairs that are certainly apart are not here.
    pub pairs: Vec<FramePair<'s>>,
    /// Parts whose neighbours there was no time to find. They may touch others that are here too, and any that are not in `pairs`.
    pub unseen: Vec<Member<'s>>,
    /// How many pairs were near each other.
    pub near: usize,
    /// Work done, the broad phase's too (a visit to a part, or a pair found, counts as a volume test).
    pub stats: Stats,
}

impl Frame<'_> {
    /// Is everything decided?
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.unseen.is_empty() && self.pairs.iter().all(|pair| pair.verdict != Verdict::Maybe)
    }
}

/// A pair that touches, or may.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FramePair<'s> {
    /// One.
    pub a: Member<'s>,
    /// The other.
    pub b: Member<'s>,
    /// Yes or maybe.
    pub verdict: Verdict,
    /// The distance of the surfaces.
    pub separation: Interval,
    /// The deepest level of the sphere-trees that was done with; 0 where there are none.
    pub level: u32,
    /// Two triangles that touch, when the verdict is yes.
    pub witness: Option<TrianglePair>,
}

/// Working memory for frames: keep it from one to the next.
#[derive(Debug, Default)]
pub struct Detector {
    refinements: Vec<Refinement>,
    scratch: Scratch,
    seen: Vec<bool>,
}

/// A near pair on its way.
struct Near<'s> {
    parts: (PartId, PartId),
    /// Named before the budget ends: after that there should be nothing left to do but to hand out.
    members: (Member<'s>, Member<'s>),
    importance: [f64; 2],
    pair: Pair<'s>,
    trees: Option<(&'s SphereTree, &'s SphereTree)>,
    /// From the balls around the parts.
    at_most: f64,
}

impl Scene {
    /// Finds what touches or may, within a budget that begins to run before the call. With sphere-trees ([`super::Shape::with_spheres`]) pairs are refined level by level in turn; those without are
    /// asked about exactly, one after the other.
    ///
    /// What the broad phase was not told in time it is told in the next frame.
    pub fn detect(&mut self, detector: &mut Detector, budget: &Budget<'_>) -> Result<Frame<'_>, SceneError> {
        let mut stats = Stats::default();
        self.settle_within(budget, &mut stats);
        // From here on as lent out, but that some parts may be unknown to the broad phase.
        let settled = Settled { scene: self };
        let (near, unseen) = settled.near_within(detector, budget, &mut stats)?;
        let mut frame = Frame { pairs: Vec::new(), unseen, near: near.len(), stats };
        settled.refine_within(near, detector, budget, &mut frame);
        Ok(frame)
    }

    /// Tells the broad phase what moved, the most important first, as long as there is time.
    fn settle_within(&mut self, budget: &Budget<'_>, stats: &mut Stats) {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        changed.sort_by(|&a, &b| self.before(a, b));
        let unit = self.broad.unit().max(1);
        // Even nothing: time passes for those that look ahead.
        let mut rest = changed.as_slice();
        while !budget.is_spent(stats) {
            let (now, later) = rest.split_at(unit.min(rest.len()));
            let mut now = now.to_vec();
            now.sort_unstable();
            self.broad.update(&self.items, &now);
            stats.volume_tests += now.len() as u64;
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
        self.changed = rest.to_vec();
        self.changed.sort_unstable();
    }

    /// The more important first, then by key.
    fn before(&self, a: u32, b: u32) -> Ordering {
        let of = |key: u32| self.items.get(key).map_or(f64::INFINITY, |item| self.important(item.part));
        of(b).total_cmp(&of(a)).then(a.cmp(&b))
    }

    fn important(&self, part: PartId) -> f64 {
        self.importance(part.body).unwrap_or(0.0)
    }
}

type NearAndUnseen<'s> = (Vec<Near<'s>>, Vec<Member<'s>>);

impl<'s> Settled<'s> {
    fn near_within(
        &self,
        detector: &mut Detector,
        budget: &Budget<'_>,
        stats: &mut Stats,
    ) -> Result<NearAndUnseen<'s>, SceneError> {
        let scene = self.scene;
        let items = &scene.items;
        let seen = &mut detector.seen;
        seen.clear();
        seen.resize(items.end(), false);
        let mut keys: Vec<u32> = items.iter().filter(|(_, item)| !item.is_fixed).map(|(key, _)| key).collect();
        keys.sort_by(|&a, &b| scene.before(a, b));
        let (mut near, mut unseen, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for key in keys {
            let Some(item) = items.get(key) else { continue };
            if scene.changed.binary_search(&key).is_ok() || budget.is_spent(stats) {
                unseen.push(self.member(item.part));
                continue;
            }
            seen[key as usize] = true;
            found.clear();
            scene.broad.neighbours(items, key, &mut found);
            found.sort_unstable();
            stats.volume_tests += 1 + found.len() as u64;
            for &other in found.iter().filter(|&&other| !seen[other as usize]) {
                near.extend(self.near(items, key, other)?);
            }
        }
        let first = |near: &Near<'_>| near.importance;
        near.sort_by(|a, b| {
            let [a_most, a_least] = first(a);
            let [b_most, b_least] = first(b);
            b_most.total_cmp(&a_most).then(b_least.total_cmp(&a_least)).then(a.parts.cmp(&b.parts))
        });
        Ok((near, unseen))
    }

    /// A pair, unless it is filtered out.
    fn near(&self, items: &Items, key: u32, other: u32) -> Result<Option<Near<'s>>, SceneError> {
        let scene = self.scene;
        let (Some(a), Some(b)) = (items.get(key), items.get(other)) else { return Ok(None) };
        let candidates = scene.candidate(a.part).zip(scene.candidate(b.part));
        if !candidates.is_some_and(|(a, b)| scene.filter.asks(a, b)) {
            return Ok(None);
        }
        let parts = (a.part.min(b.part), a.part.max(b.part));
        let importance = [a.part, b.part].map(|part| scene.important(part));
        let importance = [importance[0].max(importance[1]), importance[0].min(importance[1])];
        let spheres = |part: PartId| scene.part(part).ok().and_then(|part| part.shape.spheres.as_deref());
        let apart = crate::volume::length(a.mover.center - b.mover.center);
        let at_most = (apart + a.mover.radius + b.mover.radius) * (1.0 + 1e-12);
        let trees = spheres(parts.0).zip(spheres(parts.1));
        let members = (self.member(parts.0), self.member(parts.1));
        Ok(Some(Near { parts, members, importance, pair: self.pair(parts)?, trees, at_most }))
    }

    fn refine_within(&self, near: Vec<Near<'s>>, detector: &mut Detector, budget: &Budget<'_>, frame: &mut Frame<'s>) {
        let Detector { refinements, scratch, .. } = detector;
        let pairs: Vec<SpherePair<'s>> =
            near.iter().filter_map(|near| near.trees.map(|(a, b)| SpherePair::new(near.pair, a, b))).collect();
        if refinements.len() < pairs.len() {
            refinements.resize_with(pairs.len(), Refinement::default);
        }
        refinements[..pairs.len()].iter_mut().for_each(Refinement::restart);
        refine_fairly(&pairs, &mut refinements[..pairs.len()], &budget.after(&frame.stats));
        let mut refined = refinements.iter();
        for near in &near {
            let (a, b) = near.members;
            let pair = if near.trees.is_some() {
                let Some(known) = refined.next().map(Refinement::known) else { continue };
                let separation = Interval { upper: known.separation.upper.min(near.at_most), ..known.separation };
                frame.stats += known.stats;
                FramePair { a, b, verdict: known.verdict, separation, level: known.level, witness: known.witness }
            } else {
                let settings = Settings { budget: budget.after(&frame.stats), ..Settings::default() };
                let collision = near.pair.collide(&settings, scratch);
                frame.stats += collision.stats;
                let upper = if collision.verdict == Verdict::Yes { 0.0 } else { near.at_most };
                let separation = Interval { lower: 0.0, upper };
                FramePair { a, b, verdict: collision.verdict, separation, level: 0, witness: collision.witness }
            };
            if pair.verdict != Verdict::No {
                frame.pairs.push(pair);
            }
        }
    }
}
