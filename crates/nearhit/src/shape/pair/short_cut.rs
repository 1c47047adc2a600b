//! Answers that need no bodies: closed forms of two cores, and a core over a half-space.

use super::ShapePair;
use crate::shape::Kind;
use crate::shape::convex::{self, Gap, Goal, Placed};
use glam::DVec3;

impl ShapePair<'_> {
    /// What a short cut says of two convex cores, without making bodies of them.
    #[inline]
    pub(super) fn short_cut(&self, goal: Goal) -> Option<Gap> {
        if let (Kind::Point, Kind::Point) = (self.a.kind(), self.b.kind()) {
            return between_points(self.a_from_b.translation());
        }
        let (a, b) = (self.a.core()?, self.b.core()?);
        let pose = &self.a_from_b;
        let size = a.reach() + (2.0 * b.reach() + pose.translation().abs().max_element());
        let (a, b) = (Placed { core: &a, pose: None }, Placed { core: &b, pose: Some(pose) });
        convex::short_cut(&a, &b, convex::common_length(size), goal)
    }

    /// A convex shape over a half-space.
    #[inline]
    pub(super) fn over_plane(&self) -> Option<Gap> {
        let (plane, core, pose) = match (self.a.kind(), self.b.kind()) {
            (Kind::HalfSpace(plane), _) => (*plane, self.b.core()?, Some(&self.a_from_b)),
            (_, Kind::HalfSpace(plane)) => (plane.posed(&self.a_from_b), self.a.core()?, None),
            _ => return None,
        };
        let point = Placed { core: &core, pose }.support(-plane.normal);
        let size = pose.map_or(core.reach(), |pose| 2.0 * core.reach() + pose.translation().abs().max_element());
        let (height, rounding) = (plane.height(point), plane.rounding(size));
        let (lower, upper) = ((height - rounding).max(0.0), (height + rounding).max(0.0));
        let overlap = height + rounding < 0.0;
        let foot = point - plane.normal * height;
        let (on_a, on_b, normal) =
            if pose.is_some() { (foot, point, -plane.normal) } else { (point, foot, plane.normal) };
        Some(Gap { lower, upper, on_a, on_b, normal, overlap, wide: false })
    }
}

/// Two points, the first at the origin: the length of a vector has five roundings, each of half a
/// unit in the last place at most. Beyond these sizes its square leaves the range of numbers.
#[inline]
fn between_points(on_b: DVec3) -> Option<Gap> {
    let length = on_b.length();
    if !(1e-100..1e100).contains(&length) {
        return None;
    }
    let (slack, normal) = (4.0 * f64::EPSILON * length, on_b / -length);
    let (lower, upper) = (length - slack, length + slack);
    Some(Gap { lower, upper, on_a: DVec3::ZERO, on_b, normal, overlap: false, wide: false })
}
