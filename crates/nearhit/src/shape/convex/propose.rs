//! Two points proposed to a descent of round bodies, which alone would only come nearer step by
//! step: by Newton's method on the support function, or by projections.

use super::Body;
use super::curvature;
use super::gjk::{Descent, ROUNDING, Vertex};
use super::project;
use crate::shape::core::Core;
use arrayvec::ArrayVec;
use glam::DVec3;

impl Descent<'_, '_> {
    /// Asks about two points that projections found; are they as good as rounding allows? Whatever
    /// the goal: a search that only decides must not know more than one that does not.
    pub(super) fn propose(&mut self) -> bool {
        let Some((on_a, on_b)) = self.touching_planes().or_else(|| self.projected()) else { return false };
        self.ask(on_a - on_b);
        let is_good = (on_a - on_b).length() + 2.0 * ROUNDING - self.lower <= 8.0 * ROUNDING;
        self.proposal = is_good.then_some((on_a, on_b));
        is_good
    }

    /// By Newton's method on the support function, of ellipsoids: their projections are iterations.
    fn touching_planes(&self) -> Option<(DVec3, DVec3)> {
        let is_ellipsoid = |body: &Body<'_>| matches!(body.core, Core::Quadric(_) | Core::Worn(_));
        if !is_ellipsoid(&self.bodies.a) && !is_ellipsoid(&self.bodies.b) {
            return None;
        }
        let point = self.nearest.point;
        let length = point.length();
        // The distance is off by half the square of what is left of the slope, over itself.
        let least = curvature::least(self.bodies, point / -length, (0.5 * ROUNDING * length).sqrt())?;
        Some((least.vertex.on_a, least.vertex.on_b))
    }

    /// By projections. Of a hull only the corners that carry the nearest point are looked at: where
    /// these are the right ones the proposal is good.
    fn projected(&self) -> Option<(DVec3, DVec3)> {
        let start = self.witnesses().1;
        let [a, b] = [self.bodies.a.core.is_polytope(), self.bodies.b.core.is_polytope()];
        if !a && !b {
            return project::nearest(self.bodies, start);
        }
        let mut bodies = *self.bodies;
        if a {
            bodies.a = self.carrying(&bodies.a, |vertex| vertex.on_a)?;
        }
        if b {
            bodies.b = self.carrying(&bodies.b, |vertex| vertex.on_b)?;
        }
        project::nearest(&bodies, start)
    }

    /// The corner, edge or triangle of a body that carries the nearest point.
    fn carrying<'b>(&self, body: &Body<'b>, corner: impl Fn(&Vertex) -> DVec3) -> Option<Body<'b>> {
        let mut corners: ArrayVec<DVec3, 4> = ArrayVec::new();
        for vertex in self.simplex.iter() {
            let corner = corner(vertex) * self.bodies.length;
            if !corners.contains(&corner) {
                corners.push(corner);
            }
        }
        let core = match corners[..] {
            [a] => Core::Point(a),
            [a, b] => Core::Triangle([a, b, b]),
            [a, b, c] => Core::Triangle([a, b, c]),
            _ => return None,
        };
        Some(Body { core, pose: None, ..*body })
    }
}
