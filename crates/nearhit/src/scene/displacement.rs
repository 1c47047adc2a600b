//! How far a shape moves from one pose to another: a bound on how much a distance can change.
//!
//! A point `x` of b that lies at `P x` at one pose and at `Q x` at another has moved by
//! `(Q - P) x`. Its length is a convex function of `x`: over a box it is largest at a corner, over
//! a ball at most its middle's plus the radius times the norm of the difference of the rotations.
//! No distance from a to b, solids or surfaces, changes by more. Neither does it by more than
//! points of a move in b's frame; of half-spaces only the other shape's points have a bound.

use crate::bounds::Extent;
use crate::pose::Pose;
use crate::shape::Shape;
use crate::vector::length;
use glam::{DMat3, DVec3};

/// Two shapes, and what bounds their points.
#[derive(Debug, Clone)]
pub(super) struct Displacement {
    of_a: Option<Extent>,
    of_b: Option<Extent>,
    /// No coordinate of either in its own frame is larger.
    reach: f64,
}

impl Displacement {
    pub(super) fn new(a: &Shape, b: &Shape) -> Self {
        Self { of_a: a.extent(), of_b: b.extent(), reach: a.reach() + b.reach() }
    }

    /// The distance of the two at one pose of b in a's frame and at another differs by no more than
    /// this. Margins do not turn: what shapes are grown by does not count.
    pub(super) fn between(&self, from: &Pose, to: &Pose) -> f64 {
        let far = [from, to].map(|pose| pose.translation().abs().max_element());
        let of_b = self.of_b.map_or(f64::INFINITY, |extent| farthest(&extent, from, to));
        let of_a = self.of_a.map_or(f64::INFINITY, |extent| farthest(&extent, &from.inverse(), &to.inverse()));
        // For rounding: of both posed shapes, both distances, and of this bound.
        of_b.min(of_a) + 512.0 * f64::EPSILON * (2.0 * self.reach + far[0] + far[1]) + 1e3 * f64::MIN_POSITIVE
    }
}

/// No point of a shape moves farther than this, to rounding.
fn farthest(extent: &Extent, from: &Pose, to: &Pose) -> f64 {
    let turned: DMat3 = to.rotation() - from.rotation();
    let shifted = to.translation() - from.translation();
    let middle = turned * extent.center + shifted;
    // Of a difference of two rotations one singular value is zero and the others are equal.
    let [x, y, z] = [turned.x_axis, turned.y_axis, turned.z_axis];
    let norm = (0.5 * (x.length_squared() + y.length_squared() + z.length_squared())).sqrt();
    let by_ball = length(middle) + norm * extent.radius;
    let [x, y, z] = [x * extent.half.x, y * extent.half.y, z * extent.half.z];
    let corners = [x + y + z, x + y - z, x - y + z, x - y - z];
    let by_box = corners
        .iter()
        .fold(0.0, |most: f64, &corner: &DVec3| most.max(length(middle + corner)).max(length(middle - corner)));
    by_ball.min(by_box)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::{Mesh, Scratch, Settings, Tolerance, shape::ShapePair};
    use nearhit_testkit::rng::Rng;

    fn pose(rng: &mut Rng, spread: f64) -> Pose {
        Pose::from_quaternion(rng.quaternion(), rng.point(-spread, spread)).expect("a unit quaternion")
    }

    /// A small turn about some axis, and a small step.
    fn nearby(rng: &mut Rng, pose: &Pose, size: f64) -> Pose {
        let [x, y, z] = rng.unit_vector();
        let (sin, cos) = (0.5 * size * rng.range(0.0, 1.0)).sin_cos();
        let turn = Pose::from_quaternion([x * sin, y * sin, z * sin, cos], rng.point(-size, size));
        turn.expect("a unit quaternion") * *pose
    }

    fn shapes() -> Vec<Shape> {
        let soup = nearhit_testkit::shapes::cuboid([0.5, -0.1, 0.0], [1.5, 0.1, 0.4]);
        let mesh = Mesh::new(&soup.vertices, &soup.triangles).expect("legal");
        let legal = "a legal shape";
        vec![
            Shape::mesh(Model::new(mesh)),
            Shape::ball(0.3).expect(legal),
            Shape::cylinder(0.2, 1.5).expect(legal),
            Shape::cuboid([0.2, 0.4, 2.0]).expect(legal).grown(0.1).expect(legal),
            Shape::half_space([0.3, 0.2, 1.0], -0.5).expect(legal),
            Shape::point_cloud(&[[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]], &[0.1]).expect(legal),
        ]
    }

    /// No distance changes by more than the bound, and by much of it now and then.
    #[test]
    fn distances_change_by_no_more() {
        let (shapes, mut rng, mut scratch) = (shapes(), Rng::new(41), Scratch::new());
        let (mut changes, mut tight) = (0, 0);
        for _ in 0..6_000 {
            let (a, b) = (rng.choice(&shapes), rng.choice(&shapes));
            if a.plane().is_some() && b.plane().is_some() {
                continue;
            }
            let from = pose(&mut rng, 4.0);
            let size = *rng.choice(&[1e-3, 0.1, 1.0]);
            let to = nearby(&mut rng, &from, size);
            let bound = Displacement::new(a, b).between(&from, &to);
            let [one, other] = [from, to].map(|pose| {
                let pair = ShapePair::relative(a, b, &pose).expect("near");
                pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch)
            });
            let change = (one.lower - other.upper).max(other.lower - one.upper);
            assert!(change <= bound, "{} and {}: {change} > {bound}", a.name(), b.name());
            changes += usize::from(one.lower > 0.0 && other.lower > 0.0);
            tight += usize::from(change > 0.7 * bound);
        }
        assert!(changes > 2_000 && tight > 200, "{changes} {tight}");
    }

    /// A turn about a far axis, a screw, a turn in place: the bound is the farthest vertex's way to
    /// within the box's corners.
    #[test]
    fn a_box_moves_as_far_as_its_farthest_corner() {
        let shape = Shape::cuboid([0.2, 0.4, 2.0]).expect("legal");
        let extent = shape.extent().expect("not a half-space");
        let mut rng = Rng::new(42);
        for _ in 0..1_000 {
            let (from, to) = (pose(&mut rng, 9.0), pose(&mut rng, 9.0));
            let moved = |corner: &DVec3| to.apply(*corner).distance(from.apply(*corner));
            let truth = shape.corners().iter().map(moved).fold(0.0, f64::max);
            let bound = farthest(&extent, &from, &to);
            assert!((bound - truth).abs() <= 1e-12 * truth, "{bound} {truth}");
        }
    }
}
