//! How far is a point from the surface, and on which side?

use super::hole_caps::HoleCaps;
use crate::model::Model;
use crate::point::Location;
use crate::query::Scratch;
use glam::DVec3;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// A point with its distance from the surface, negative inside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Depth {
    pub(super) at: DVec3,
    pub(super) distance: f64,
    /// The point of the surface that is so near.
    pub(super) nearest: DVec3,
    /// The triangle that has it.
    pub(super) triangle: u32,
}

/// In parts of the largest coordinate.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The distance from a surface, with working memory.
#[derive(Debug)]
pub(super) struct Field<'m> {
    model: &'m Model,
    /// Counts as surface, seen from inside.
    caps: Option<&'m HoleCaps>,
    scratch: Scratch,
    /// The triangle found last: the next point is often near it.
    last: u32,
    pub(super) marks: Marks,
}

/// Which of many have been seen, begun anew at no cost.
#[derive(Debug, Default)]
pub(super) struct Marks {
    seen: Vec<u32>,
    round: u32,
}

impl Marks {
    pub(super) fn restart(&mut self, count: usize) {
        self.seen.resize(self.seen.len().max(count), 0);
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.seen.fill(0);
            1
        });
    }

    /// Is it the first time?
    pub(super) fn mark(&mut self, index: u32) -> bool {
        std::mem::replace(&mut self.seen[index as usize], self.round) != self.round
    }
}

/// Fields of one surface that are used again and again: working memory is made once for each
/// thread.
#[derive(Debug)]
pub(super) struct Fields<'m> {
    model: &'m Model,
    caps: &'m HoleCaps,
    idle: Mutex<Vec<Field<'m>>>,
}

impl<'m> Fields<'m> {
    pub(super) fn new(model: &'m Model, caps: &'m HoleCaps) -> Self {
        Self { model, caps, idle: Mutex::new(Vec::new()) }
    }

    /// One that nobody else has; it comes back by itself.
    pub(super) fn take(&self) -> Taken<'_, 'm> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Taken {
            fields: self,
            field: Some(idle.unwrap_or_else(|| Field { caps: Some(self.caps), ..Field::new(self.model) })),
        }
    }
}

/// A field on loan.
#[derive(Debug)]
pub(super) struct Taken<'f, 'm> {
    fields: &'f Fields<'m>,
    /// There until it is dropped.
    field: Option<Field<'m>>,
}

impl<'m> Deref for Taken<'_, 'm> {
    type Target = Field<'m>;

    fn deref(&self) -> &Field<'m> {
        self.field.as_ref().expect("not yet dropped")
    }
}

impl<'m> DerefMut for Taken<'_, 'm> {
    fn deref_mut(&mut self) -> &mut Field<'m> {
        self.field.as_mut().expect("not yet dropped")
    }
}

impl Drop for Taken<'_, '_> {
    fn drop(&mut self) {
        self.fields.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(self.field.take());
    }
}

impl<'m> Field<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self { model, caps: None, scratch: Scratch::new(), last: 0, marks: Marks::default() }
    }

    /// Without a sign.
    pub(super) fn distance(&mut self, point: DVec3) -> Depth {
        let found = self.distance_from(self.last, point);
        self.last = found.triangle;
        found
    }

    /// The same, sooner if a triangle is known that may be the nearest.
    pub(super) fn distance_from(&mut self, known: u32, point: DVec3) -> Depth {
        let found = self.model.closest_point_from(known, point, &mut self.scratch);
        Depth { at: point, distance: found.distance, nearest: found.point, triangle: found.triangle }
    }

    pub(super) fn is_inside(&mut self, point: DVec3) -> bool {
        self.model.contains(point, &mut self.scratch).expect("centres are finite").location == Location::Inside
    }

    pub(super) fn depth(&mut self, point: DVec3) -> Depth {
        let found = self.distance(point);
        self.sided(found)
    }

    /// With a sign.
    fn sided(&mut self, found: Depth) -> Depth {
        // On the surface to rounding: either side is right, and exact tests would take long.
        let is_on = found.distance <= ROUNDING * self.model.mesh().max_coordinate();
        if !is_on && self.is_inside(found.at) { self.inner(found) } else { found }
    }

    /// The depth of a point that is inside.
    fn inner(&self, found: Depth) -> Depth {
        let depth = Depth { distance: -found.distance, ..found };
        self.caps.map_or(depth, |caps| caps.limit(depth))
    }

    /// Has the surface no holes?
    pub(super) fn is_closed(&self) -> bool {
        self.model.inside().is_exact()
    }

    /// With a sign, where a point nearby is known: as long as the way there is shorter than the way
    /// to the surface, both are on the same side, unless the way leads through a hole.
    pub(super) fn sided_near(&mut self, known: &Depth, found: Depth) -> Depth {
        if known.at.distance(found.at) >= known.distance.abs() * (1.0 - 1e-9) {
            return self.sided(found);
        }
        if known.distance < 0.0 { self.inner(found) } else { found }
    }
}
