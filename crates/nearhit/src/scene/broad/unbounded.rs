//! Half-spaces: parts without bounds. No broad phase hears of them; each is compared with the box
//! of every other part, and two of them are always near.

use super::{Items, KeyPair, ordered};
use crate::bounds::Bounds;
use crate::pose::Pose;
use crate::scene::PartId;
use crate::shape::half_space::Plane;
use glam::{BVec3, DVec3};

/// A half-space where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unbounded {
    pub(in crate::scene) key: u32,
    pub(in crate::scene) part: PartId,
    plane: Plane,
    margin: f64,
    /// The largest number that its place is made of.
    size: f64,
    is_fixed: bool,
}

impl Unbounded {
    pub(in crate::scene) fn new(
        key: u32,
        part: PartId,
        plane: &Plane,
        margin: f64,
        world_from_part: &Pose,
        is_fixed: bool,
    ) -> Self {
        let placed = plane.posed(world_from_part);
        let size = plane.level().abs() + world_from_part.translation().abs().max_element() + margin;
        Self { key, part, plane: placed, margin, size: size + placed.level().abs(), is_fixed }
    }

    /// What is in the box is at least this far from the half-space, or at most this deep in it,
    /// then below zero: to all rounding of places and questions.
    pub(in crate::scene) fn gap(&self, bounds: &Bounds) -> f64 {
        let up = self.plane.normal.cmpge(DVec3::ZERO);
        let lowest = DVec3::select(up, bounds.low, bounds.high);
        self.plane.height(lowest) - self.margin - self.slack(bounds)
    }

    /// Something in the box is at most this far from the half-space.
    pub(in crate::scene) fn at_most(&self, bounds: &Bounds) -> f64 {
        let up: BVec3 = self.plane.normal.cmpge(DVec3::ZERO);
        let highest = DVec3::select(up, bounds.high, bounds.low);
        (self.plane.height(highest) - self.margin + self.slack(bounds)).max(0.0)
    }

    fn slack(&self, bounds: &Bounds) -> f64 {
        let size = self.size + bounds.low.abs().max(bounds.high.abs()).max_element();
        size * (512.0 * f64::EPSILON) + 1e3 * f64::MIN_POSITIVE
    }
}

impl Items {
    /// Where a half-space is from now on.
    pub(in crate::scene) fn put_unbounded(&mut self, new: Unbounded) {
        self.take(new.key);
        let place = self.unbounded.partition_point(|known| known.key < new.key);
        self.unbounded.insert(place, new);
    }

    /// The half-space with this key, if it is one.
    pub(in crate::scene) fn unbounded(&self, key: u32) -> Option<&Unbounded> {
        let place = self.unbounded.binary_search_by_key(&key, |known| known.key).ok()?;
        Some(&self.unbounded[place])
    }

    /// Is there a half-space?
    pub(in crate::scene) fn are_bounded(&self) -> bool {
        self.unbounded.is_empty()
    }

    /// Adds all pairs with a half-space that are no farther apart than `reach`.
    pub(in crate::scene) fn unbounded_pairs(&self, reach: f64, found: &mut Vec<KeyPair>) {
        for (number, one) in self.unbounded.iter().enumerate() {
            let near = self.iter().filter(|&(key, _)| self.is_near_unbounded(one, key, reach));
            found.extend(near.map(|(key, _)| ordered(one.key, key)));
            let others = self.unbounded[..number].iter().filter(|other| !(one.is_fixed && other.is_fixed));
            found.extend(others.map(|other| ordered(one.key, other.key)));
        }
    }

    /// Adds all keys that are near one part where one of the two is a half-space.
    pub(in crate::scene) fn unbounded_neighbours(&self, key: u32, found: &mut Vec<u32>) {
        let Some(one) = self.unbounded(key) else {
            let near = self.unbounded.iter().filter(|one| self.is_near_unbounded(one, key, 0.0));
            found.extend(near.map(|one| one.key));
            return;
        };
        found.extend(self.iter().map(|(key, _)| key).filter(|&key| self.is_near_unbounded(one, key, 0.0)));
        let others = self.unbounded.iter().filter(|other| other.key != key && !(one.is_fixed && other.is_fixed));
        found.extend(others.map(|other| other.key));
    }

    fn is_near_unbounded(&self, one: &Unbounded, key: u32, reach: f64) -> bool {
        self.get(key).is_some_and(|item| {
            // What is not a number is no reason to leave a pair out.
            let is_apart = one.gap(&item.bounds) > reach;
            !(is_apart || one.is_fixed && item.is_fixed)
        })
    }

    /// Whose key this is.
    pub(in crate::scene) fn part(&self, key: u32) -> Option<PartId> {
        self.get(key).map(|item| item.part).or_else(|| self.unbounded(key).map(|one| one.part))
    }

    /// By boxes and planes: two parts are at least this far apart; below zero, at most so deep in
    /// each other, if they are convex.
    pub(in crate::scene) fn least_gap(&self, a: u32, b: u32) -> f64 {
        match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => {
                let gap = a.bounds.gap(&b.bounds);
                if gap > 0.0 { gap } else { -a.bounds.overlap(&b.bounds) }
            }
            (Some(item), None) => self.unbounded(b).map_or(f64::NEG_INFINITY, |one| one.gap(&item.bounds)),
            (None, Some(item)) => self.unbounded(a).map_or(f64::NEG_INFINITY, |one| one.gap(&item.bounds)),
            (None, None) => f64::NEG_INFINITY,
        }
    }

    /// Two parts are at most this far apart.
    pub(in crate::scene) fn at_most(&self, a: u32, b: u32) -> f64 {
        match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => {
                let apart = crate::vector::length(a.mover.center - b.mover.center);
                (apart + a.mover.radius + b.mover.radius) * (1.0 + 1e-12)
            }
            (Some(item), None) => self.unbounded(b).map_or(f64::INFINITY, |one| one.at_most(&item.bounds)),
            (None, Some(item)) => self.unbounded(a).map_or(f64::INFINITY, |one| one.at_most(&item.bounds)),
            (None, None) => f64::INFINITY,
        }
    }
}
