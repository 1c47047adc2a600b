//! Broad phases: sweep and prune, dynamic AABB tree, space-time bounds, brute force. Which parts
//! are near each other at all?
//!
//! All of them find the same pairs, those that [`Items::are_near`] names; they differ in how much
//! they look at. [`BruteForce`] looks at everything and judges the others.

mod box_tree;
mod brute;
mod space_time;
mod sweep;
mod tree;
mod unbounded;

pub(crate) use box_tree::Layout;
pub use box_tree::{BoxTree, Place};
pub use brute::BruteForce;
pub use space_time::{Mover, SpaceTime};
pub(crate) use sweep::few_near_pairs;
pub use sweep::{Sweep, near_pairs};
pub use tree::DynamicTree;
pub(crate) use unbounded::Unbounded;

use super::PartId;
use crate::bounds::Bounds;
use std::fmt::Debug;

/// Two keys, the smaller first.
pub type KeyPair = (u32, u32);

/// What a broad phase knows of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item {
    /// Whose it is.
    pub part: PartId,
    /// Where the part is.
    pub bounds: Bounds,
    /// Where it may be whichever way its body turns, and how it moves.
    pub mover: Mover,
    /// Is it of the environment? Two such are no pair.
    pub is_fixed: bool,
}

/// All parts that have bounds, by key, and the time. Half-spaces are not for broad phases: the
/// scene compares them with all others.
#[derive(Debug, Clone, Default)]
pub struct Items {
    pub(super) slots: Vec<Option<Item>>,
    /// By key.
    unbounded: Vec<Unbounded>,
    pub(super) time: f64,
}

impl Items {
    /// The part with this key, if there is one.
    #[must_use]
    #[inline]
    pub fn get(&self, key: u32) -> Option<&Item> {
        self.slots.get(key as usize)?.as_ref()
    }

    /// Where a part is from now on.
    pub(super) fn put(&mut self, key: u32, item: Item) {
        self.take(key);
        self.slots[key as usize] = Some(item);
    }

    /// There is none with this key any more.
    pub(super) fn take(&mut self, key: u32) {
        self.slots[key as usize] = None;
        self.unbounded.retain(|one| one.key != key);
    }

    /// All parts, by key.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Item)> {
        self.slots.iter().enumerate().filter_map(|(key, item)| Some((key as u32, item.as_ref()?)))
    }

    /// One more than the largest key.
    #[must_use]
    pub fn end(&self) -> usize {
        self.slots.len()
    }

    /// The scene's time.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Are both there, not both of the environment, their boxes no more than `reach` apart along
    /// any axis, and their balls neither? The one condition of all broad phases.
    #[must_use]
    #[inline]
    pub fn are_near(&self, a: u32, b: u32, reach: f64) -> bool {
        self.boxes_are_near(a, b, reach) && self.balls_are_near(a, b, reach)
    }

    /// The same by boxes alone.
    #[must_use]
    #[inline]
    fn boxes_are_near(&self, a: u32, b: u32, reach: f64) -> bool {
        match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => !(a.is_fixed && b.is_fixed) && a.bounds.near(&b.bounds, reach),
            _ => false,
        }
    }

    fn balls_are_near(&self, a: u32, b: u32, reach: f64) -> bool {
        let (Some(a), Some(b)) = (self.get(a), self.get(b)) else { return false };
        let apart = crate::vector::length(a.mover.center - b.mover.center);
        let is_apart = apart - (a.mover.radius + b.mover.radius) > reach;
        !is_apart
    }
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for super::BruteForce {}
    impl Sealed for super::DynamicTree {}
    impl Sealed for super::SpaceTime {}
    impl Sealed for super::Sweep {}
}

/// Finds the pairs that are near each other.
///
/// Sealed: a scene believes what it is told, so a broad phase is a file of this library, judged by
/// [`BruteForce`].
///
/// ```compile_fail,E0277
/// use nearhit::research::broad::{BroadPhase, Items, KeyPair};
///
/// #[derive(Debug)]
/// struct Mine;
///
/// impl BroadPhase for Mine {
///     fn name(&self) -> &'static str { "mine" }
///     fn update(&mut self, _: &Items, _: &[u32]) {}
///     fn pairs(&self, _: &Items, _: f64, _: &mut Vec<KeyPair>) {}
///     fn neighbours(&self, _: &Items, _: u32, _: &mut Vec<u32>) {}
/// }
/// ```
pub trait BroadPhase: sealed::Sealed + Debug + Send + Sync {
    /// As on a command line.
    fn name(&self) -> &'static str;

    /// Brings it up to date: `changed` are all keys that were inserted, removed or moved since the
    /// last call, in ascending order.
    fn update(&mut self, items: &Items, changed: &[u32]);

    /// Adds all pairs that are near ([`Items::are_near`]), in any order, each once.
    fn pairs(&self, items: &Items, reach: f64, found: &mut Vec<KeyPair>);

    /// Adds all keys whose boxes meet that of `key`, in any order, each once: a unit of work for a
    /// frame that must end in time.
    fn neighbours(&self, items: &Items, key: u32, found: &mut Vec<u32>);

    /// How many changes it is told of at once when time is short: those that can only do all of
    /// them say so.
    fn unit(&self) -> usize {
        usize::MAX
    }

    /// No two parts that are not near now are before this time, if all keep to what they said of
    /// their motion; a broad phase that does not look ahead says the present.
    fn earliest_contact(&self, items: &Items) -> f64 {
        items.time()
    }
}

/// Which broad phase a scene uses.
#[doc(alias = "broad phase")]
#[doc(alias = "sweep and prune")]
#[doc(alias = "dynamic AABB tree")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum BroadKind {
    /// Every pair.
    Brute,
    /// Ends of boxes sorted along the three axes, kept sorted from frame to frame.
    Sweep,
    /// A tree of boxes that is mended as they move.
    #[default]
    Tree,
    /// Velocities and bounds on accelerations tell when a pair must be looked at again.
    SpaceTime,
}

impl BroadKind {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Brute, Self::Sweep, Self::Tree, Self::SpaceTime];

    /// A new broad phase, without parts.
    #[must_use]
    pub fn make(self) -> Box<dyn BroadPhase> {
        match self {
            Self::Brute => Box::new(BruteForce),
            Self::Sweep => Box::new(Sweep::default()),
            Self::Tree => Box::new(DynamicTree::default()),
            Self::SpaceTime => Box::new(SpaceTime::default()),
        }
    }
}

impl From<BroadKind> for Box<dyn BroadPhase> {
    fn from(kind: BroadKind) -> Self {
        kind.make()
    }
}

/// Near pairs, by a tree in which every part is within its box.
fn pairs_of(tree: &BoxTree, items: &Items, reach: f64, found: &mut Vec<KeyPair>) {
    tree.visit_pairs(reach, |a, b| found.extend(items.are_near(a, b, reach).then_some(ordered(a, b))));
}

/// Who is near one part, by such a tree.
fn neighbours_of(tree: &BoxTree, items: &Items, key: u32, found: &mut Vec<u32>) {
    let Some(item) = items.get(key) else { return };
    let near = |other: u32| found.extend((other != key && items.are_near(key, other, 0.0)).then_some(other));
    tree.visit(&item.bounds, 0.0, &mut Vec::new(), near);
}

fn ordered(a: u32, b: u32) -> KeyPair {
    (a.min(b), a.max(b))
}
