//! Two bodies, placed: do they touch, are they closer than a limit, how far apart are they?
//!
//! Shapes answer for themselves; this adds the inside of closed meshes.

use super::body::Body;
use crate::error::CheckError;
use nearhit::shape::ShapePair;
use nearhit::{Distance, Pair, Pose, Scratch, Settings, Tolerance, Verdict};

/// Two bodies and how they lie.
pub(crate) struct Narrow<'b> {
    pub(crate) a: &'b Body,
    pub(crate) b: &'b Body,
    pair: ShapePair<'b>,
}

impl<'b> Narrow<'b> {
    pub(crate) fn new(a: &'b Body, world_from_a: &Pose, b: &'b Body, world_from_b: &Pose) -> Result<Self, CheckError> {
        let pair = ShapePair::new(&a.shape, world_from_a, &b.shape, world_from_b);
        let pair = pair.map_err(|error| CheckError::Query {
            a: a.name.clone(),
            b: b.name.clone(),
            message: error.to_string(),
        })?;
        Ok(Self { a, b, pair })
    }

    pub(crate) fn collide(&self, scratch: &mut Scratch) -> bool {
        self.pair.collide(&Settings::default(), scratch).verdict != Verdict::No || self.is_nested(scratch)
    }

    /// Is the distance at most `limit`?
    pub(crate) fn within(&self, limit: f64, scratch: &mut Scratch) -> bool {
        self.pair.within(limit, &Settings::default(), scratch).verdict != Verdict::No || self.is_nested(scratch)
    }

    /// In a's frame. Zero if one is inside the other.
    pub(crate) fn distance(&self, tolerance: Tolerance, scratch: &mut Scratch) -> Distance {
        let mut found = self.pair.distance(tolerance, &Settings::default(), scratch);
        if found.upper > 0.0 && self.is_nested(scratch) {
            (found.lower, found.upper) = (0.0, 0.0);
            found.on_b = found.on_a;
        }
        found
    }

    /// Is one inside a closed mesh that the other is? Their surfaces do not touch.
    fn is_nested(&self, scratch: &mut Scratch) -> bool {
        match (self.a.is_solid, self.b.is_solid) {
            (false, false) => false,
            _ if !self.balls_meet() => false,
            (true, true) => self.both_meshes(scratch),
            (true, false) => self.inside(self.a, self.b, self.pair.a_from_b(), scratch),
            (false, true) => self.inside(self.b, self.a, &self.pair.a_from_b().inverse(), scratch),
        }
    }

    /// Cheap, and only ever too careful: what is inside of a ball is within reach of it.
    fn balls_meet(&self) -> bool {
        let (Some((low_a, high_a)), Some((low_b, high_b))) = (self.a.shape.bounds(), self.b.shape.bounds()) else {
            return true;
        };
        let (middle_a, middle_b) = (0.5 * (low_a + high_a), self.pair.a_from_b().apply(0.5 * (low_b + high_b)));
        let reach = 0.5 * ((high_a - low_a).length() + (high_b - low_b).length());
        let apart = (middle_a - middle_b).length();
        apart <= reach + 1e-12 * (reach + middle_a.length() + middle_b.length())
    }

    fn both_meshes(&self, scratch: &mut Scratch) -> bool {
        let (Some(a), Some(b)) = (self.a.shape.model(), self.b.shape.model()) else { return false };
        let Ok(pair) = Pair::relative(a, b, self.pair.a_from_b()) else { return false };
        pair.solid().collide(&Settings::default(), scratch).verdict != Verdict::No
    }

    /// Is `inner` inside the closed mesh of `outer`? A mesh that is a surface has pieces, each of
    /// which may be; a convex shape has one.
    fn inside(&self, outer: &Body, inner: &Body, outer_from_inner: &Pose, scratch: &mut Scratch) -> bool {
        let Some(model) = outer.shape.model() else { return false };
        if let Some(other) = inner.shape.model() {
            let Ok(pair) = Pair::relative(model, other, outer_from_inner) else { return false };
            return pair.solid().collide(&Settings::default(), scratch).verdict != Verdict::No;
        }
        let Some((low, high)) = inner.shape.bounds() else { return false };
        let point = outer_from_inner.apply(0.5 * (low + high));
        model.contains(point, scratch).is_ok_and(|found| found.is_in_solid())
    }
}
