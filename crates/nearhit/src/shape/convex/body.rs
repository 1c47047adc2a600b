//! A convex core where it lies, in units that keep squares in range.

use super::super::core::Core;
use crate::pose::Pose;
use glam::DVec3;

/// A convex set in the frame of a pair: the core as it is or moved by a pose, times a power of two.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body<'s> {
    pub(crate) core: Core<'s>,
    pub(crate) pose: Option<Pose>,
    /// A power of two. The bodies of a pair share it.
    pub(crate) unit: f64,
}

impl<'s> Body<'s> {
    /// In its own frame.
    pub(crate) fn own(core: Core<'s>) -> Self {
        Self { core, pose: None, unit: 1.0 }
    }

    /// Moved.
    pub(crate) fn posed(core: Core<'s>, pose: &Pose) -> Self {
        Self { core, pose: Some(*pose), unit: 1.0 }
    }

    /// A point of the core farthest along a direction, to rounding. Of a core with corners it is
    /// one of them, moved by [`Pose::apply`] to the bit.
    #[inline]
    pub(super) fn support(&self, direction: DVec3) -> DVec3 {
        self.place(self.farthest(direction))
    }

    /// The same in the ordinary unit.
    #[inline]
    fn farthest(&self, direction: DVec3) -> DVec3 {
        match &self.pose {
            None => self.core.support(direction),
            Some(pose) => pose.apply(self.core.support(pose.rotation().transpose() * direction)),
        }
    }

    #[inline]
    fn place(&self, point: DVec3) -> DVec3 {
        point * self.unit
    }

    /// The point least far along a direction, in the ordinary unit.
    pub(crate) fn lowest(&self, direction: DVec3) -> DVec3 {
        self.farthest(-direction)
    }

    /// A point inside, in the ordinary unit.
    pub(crate) fn middle(&self) -> DVec3 {
        Self { unit: 1.0, ..*self }.center()
    }

    /// A point inside.
    #[inline]
    pub(super) fn center(&self) -> DVec3 {
        let center = self.core.center();
        self.place(self.pose.map_or(center, |pose| pose.apply(center)))
    }

    /// No coordinate of the body is larger, in the pair's frame and its ordinary unit.
    #[inline]
    pub(crate) fn size(&self) -> f64 {
        let reach = self.core.reach();
        self.pose.map_or(reach, |pose| 2.0 * reach + pose.translation().abs().max_element())
    }

    /// The corners as the exact questions see them, for a core that is the hull of some.
    pub(crate) fn corners(&self, found: &mut Vec<DVec3>) -> bool {
        let start = found.len();
        if !self.core.corners(found) {
            return false;
        }
        if let Some(pose) = &self.pose {
            found[start..].iter_mut().for_each(|corner| *corner = pose.apply(*corner));
        }
        true
    }
}

/// Two bodies in a common unit that brings their coordinates to at most one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bodies<'s> {
    pub(crate) a: Body<'s>,
    pub(crate) b: Body<'s>,
    /// What a length in the common unit is to be multiplied with.
    pub(crate) length: f64,
}

impl<'s> Bodies<'s> {
    pub(crate) fn new(a: Body<'s>, b: Body<'s>) -> Self {
        let (unit, length) = unit_for(a.size() + b.size());
        Self { a: Body { unit, ..a }, b: Body { unit, ..b }, length }
    }

    /// The first in its own frame, the second posed in it.
    #[inline]
    pub(crate) fn posed(a: Core<'s>, b: Core<'s>, pose: &Pose) -> Self {
        let size = a.reach() + (2.0 * b.reach() + pose.translation().abs().max_element());
        let (unit, length) = unit_for(size);
        Self { a: Body { core: a, pose: None, unit }, b: Body { core: b, pose: Some(*pose), unit }, length }
    }

    /// Are both made of corners, so that exact arithmetic can decide?
    #[inline]
    pub(crate) fn are_flat(&self) -> bool {
        self.a.core.is_flat() && self.b.core.is_flat()
    }
}

/// What lengths in the common unit are to be multiplied with, for bodies of such a size together.
#[inline]
pub(crate) fn common_length(size: f64) -> f64 {
    unit_for(size).1
}

/// A power of two that brings a size into [½, 1), and its inverse. Both are normal numbers; the
/// smallest sizes stay smaller.
#[inline]
fn unit_for(size: f64) -> (f64, f64) {
    let exponent = (size.to_bits() >> 52 & 0x7ff) as i64;
    let exponent = (exponent - 1022).clamp(-1020, 1020);
    let power = |exponent: i64| f64::from_bits(((exponent + 1023) as u64) << 52);
    (power(-exponent), power(exponent))
}
