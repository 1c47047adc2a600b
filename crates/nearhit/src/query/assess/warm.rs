//! What an assessment leaves to the next one: temporal coherence for the worst case (k-DOP paper,
//! §6.1).

use super::contact::{self, ContactSearch};
use super::{Assess, Assessment, View};
use crate::hierarchy::TreeId;
use crate::query::{Pair, Scratch, Settings, TrianglePair};
use crate::traverse::NodePair;
use crate::volume::BoundingVolume;
use glam::DVec3;

/// Where an earlier assessment ended, kept by the caller from pose to pose: its front, its nearest
/// triangles and its translation. No certificate depends on it; one that belongs to other trees is
/// forgotten.
///
/// A front only sinks, so every third search for contact starts from the roots.
#[doc(alias = "temporal coherence")]
#[doc(alias = "warm start")]
#[derive(Debug, Clone, Default)]
pub struct Footing {
    trees: Option<(TreeId, TreeId)>,
    nearest: Option<TrianglePair>,
    translation: Option<DVec3>,
    front: Vec<NodePair>,
    /// The next front while an assessment runs.
    left: Vec<NodePair>,
    /// Assessments since the last one from the roots.
    age: u32,
}

impl Footing {
    const LIFETIME: u32 = 2;

    /// Before an assessment of these trees: the translation to remember.
    pub(super) fn begin(&mut self, trees: (TreeId, TreeId)) -> Option<DVec3> {
        if self.trees != Some(trees) {
            *self = Self { trees: Some(trees), ..Self::default() };
        }
        if self.age > Self::LIFETIME {
            self.front.clear();
        }
        self.age = if self.front.is_empty() { 1 } else { self.age + 1 };
        self.translation
    }

    /// The search for contact that goes on.
    pub(super) fn contact<'r, V: BoundingVolume>(
        &'r mut self,
        view: &mut View<'_, V>,
        room: &'r mut contact::Room,
    ) -> ContactSearch<'r> {
        ContactSearch::again(view, room, self.nearest, &self.front, &mut self.left)
    }

    /// After it.
    pub(super) fn end(&mut self, nearest: Option<TrianglePair>, translation: Option<DVec3>) {
        std::mem::swap(&mut self.front, &mut self.left);
        self.nearest = nearest.or(self.nearest);
        self.translation = translation.filter(|by| *by != DVec3::ZERO).or(self.translation);
    }
}

impl Pair<'_> {
    /// [`Pair::assess`], going on from an earlier one.
    pub(crate) fn assess_from(
        &self,
        footing: &mut Footing,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Assessment {
        let operation = Assess { pair: self, settings, scratch, footing: Some(footing) };
        self.a.hierarchy().with_pair(self.b.hierarchy(), operation).expect("checked when the pair was made")
    }
}
