//! Two triangles, one moved by an infinitely small step: where the edges of each pass through the
//! other, with nothing left to chance.
//!
//! The step is (±ε, ±ε², ±ε³) along the axes in some order (simulation of simplicity, Edelsbrunner
//! and Mücke 1990). A determinant that is zero takes the sign of its first derivative along the
//! step that is not: then no corner is in a plane and no edge meets an edge. What is still zero
//! belongs to a triangle without area, which nothing passes through, or to parallel edges, of which
//! neither passes through a triangle at the other.
//!
//! Moved triangles are real ones, for some ε small enough. So answers fit together as those about
//! real triangles do: two that meet, meet along a segment with two ends, and curves are closed.

use super::exact;
use super::intersect::EDGES;
use super::predicates::{Drop, Plane, Sign, orient2d, orient3d};
use crate::mesh::Triangle;
use arrayvec::ArrayVec;
use glam::DVec3;

/// An infinitely small step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shift {
    /// The axis of the largest part first.
    axes: [usize; 3],
    /// In the same order.
    is_forward: [bool; 3],
}

/// An edge of one triangle that passes through the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piercing {
    /// Of the first triangle? Otherwise of the second.
    pub(crate) is_of_first: bool,
    /// From corner `edge` to the next.
    pub(crate) edge: u8,
    /// From the side that the other one faces to the one behind it?
    pub(crate) enters: bool,
}

/// How two triangles meet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Meeting {
    /// None, or the two ends of the segment that they share.
    pub(crate) piercings: ArrayVec<Piercing, 6>,
    /// In one plane, face to face, and moved into each other.
    pub(crate) is_pressed: bool,
}

impl Shift {
    /// A step that is largest along the largest component of a direction.
    pub(crate) fn towards(direction: DVec3) -> Self {
        let mut axes = [0, 1, 2];
        axes.sort_by(|&one, &other| direction[other].abs().total_cmp(&direction[one].abs()));
        Self { axes, is_forward: axes.map(|axis| direction[axis] >= 0.0) }
    }

    /// The other way.
    pub(crate) fn reversed(self) -> Self {
        Self { is_forward: self.is_forward.map(|is_forward| !is_forward), ..self }
    }

    /// The sign of the scalar product with a vector, of which the signs of the components are
    /// given.
    fn along(self, component: impl Fn(usize) -> Sign) -> Sign {
        let turned = |(axis, is_forward): (usize, bool)| match component(axis) {
            Sign::Zero => None,
            sign => Some(if is_forward { sign } else { sign.flipped() }),
        };
        self.axes.into_iter().zip(self.is_forward).find_map(turned).unwrap_or(Sign::Zero)
    }

    /// How the first triangle, moved by this step, meets the second.
    pub(crate) fn meeting(self, first: &Triangle, second: &Triangle) -> Meeting {
        let mut meeting = Meeting::default();
        let (plane, exact) = sides(second, first);
        let first_sides = self.resolved(&plane, exact);
        if all_same(first_sides) {
            meeting.is_pressed = exact == [Sign::Zero; 3] && first_sides[0] == Sign::Positive && face(first, second);
            return meeting;
        }
        let (plane, exact) = sides(first, second);
        let second_sides = self.reversed().resolved(&plane, exact);
        if all_same(second_sides) {
            return meeting;
        }
        self.pierce(first, first_sides, second, true, &mut meeting);
        self.reversed().pierce(second, second_sides, first, false, &mut meeting);
        meeting
    }

    /// Sides of moved corners.
    fn resolved(self, plane: &Triangle, sides: [Sign; 3]) -> [Sign; 3] {
        if !sides.contains(&Sign::Zero) {
            return sides;
        }
        // The determinant falls along the normal.
        let moved = self.along(|axis| normal(plane, axis).flipped());
        sides.map(|side| if side == Sign::Zero { moved } else { side })
    }

    fn pierce(self, own: &Triangle, sides: [Sign; 3], other: &Triangle, is_of_first: bool, meeting: &mut Meeting) {
        for (edge, (i, j)) in EDGES.into_iter().enumerate() {
            if !sides[i].opposes(sides[j]) {
                continue;
            }
            let turns = EDGES.map(|(k, l)| self.turn([own[i], own[j]], [other[k], other[l]]));
            if turns[0] != Sign::Zero && all_same(turns) {
                // Positive is behind.
                let enters = sides[j] == Sign::Positive;
                meeting.piercings.push(Piercing { is_of_first, edge: edge as u8, enters });
            }
        }
    }

    /// [`orient3d`] of a moved edge and another.
    fn turn(self, [p, q]: [DVec3; 2], [a, b]: [DVec3; 2]) -> Sign {
        match orient3d(p, q, a, b) {
            Sign::Zero => self.along(|axis| {
                let [p, q, a, b] = [p, q, a, b].map(|point| Drop::ALL[axis].project(point));
                cross([p, q], [b, a])
            }),
            sign => sign,
        }
    }

    /// How often a surface winds around a point that is moved by this step: what one of its
    /// triangles adds, seen along the first axis.
    pub(crate) fn winding(self, point: DVec3, triangle: &Triangle) -> i32 {
        let (low, high) = triangle[1..].iter().fold((triangle[0], triangle[0]), |(l, h), c| (l.min(*c), h.max(*c)));
        if point.x > high.x || point.y < low.y || point.y > high.y || point.z < low.z || point.z > high.z {
            return 0;
        }
        let facing = EDGES.map(|(i, j)| self.side_of_line(triangle[i], triangle[j], point));
        if facing[0] == Sign::Zero || !all_same(facing) {
            return 0;
        }
        let (plane, exact) = (triangle, orient3d(triangle[0], triangle[1], triangle[2], point));
        let side = self.resolved(plane, [exact; 3])[0];
        match (side == facing[0], facing[0]) {
            (false, _) => 0,
            (true, Sign::Positive) => 1,
            (true, _) => -1,
        }
    }

    /// On which side of a line is the moved point, seen along the first axis? Zero only where the
    /// line is seen as a point.
    fn side_of_line(self, a: DVec3, b: DVec3, point: DVec3) -> Sign {
        let [a, b, point] = [a, b, point].map(|point| Drop::X.project(point));
        match orient2d(a, b, point) {
            // It grows with the point's coordinates by a1 - b1 and by b0 - a0.
            Sign::Zero => self.along(|axis| match axis {
                1 => compared(a[1], b[1]),
                2 => compared(b[0], a[0]),
                _ => Sign::Zero,
            }),
            sign => sign,
        }
    }
}

/// A plane, and on which sides of it the corners of a triangle are, before any step.
fn sides(plane: &Triangle, triangle: &Triangle) -> (Triangle, [Sign; 3]) {
    let of = Plane::of(plane);
    // A corner of both needs no arithmetic.
    let side = |corner: &DVec3| if plane.contains(corner) { Sign::Zero } else { of.side(*corner) };
    (*plane, [side(&triangle[0]), side(&triangle[1]), side(&triangle[2])])
}

/// The sign of a component of a triangle's normal.
pub(crate) fn normal(triangle: &Triangle, axis: usize) -> Sign {
    let [a, b, c] = triangle.map(|corner| Drop::ALL[axis].project(corner));
    orient2d(a, b, c)
}

/// Do two triangles of one plane face each other?
pub(crate) fn face(one: &Triangle, other: &Triangle) -> bool {
    (0..3).any(|axis| normal(one, axis).opposes(normal(other, axis)))
}

fn all_same([p, q, r]: [Sign; 3]) -> bool {
    p == q && q == r
}

fn compared(x: f64, y: f64) -> Sign {
    match x.partial_cmp(&y) {
        Some(std::cmp::Ordering::Greater) => Sign::Positive,
        Some(std::cmp::Ordering::Less) => Sign::Negative,
        _ => Sign::Zero,
    }
}

/// The sign of `(q - p) × (b - a)` in the plane. Exact.
fn cross([p, q]: [[f64; 2]; 2], [a, b]: [[f64; 2]; 2]) -> Sign {
    let (left, right) = ((q[0] - p[0]) * (b[1] - a[1]), (q[1] - p[1]) * (b[0] - a[0]));
    let vanishes = |one: usize, other: usize| p[one] == q[one] || a[other] == b[other];
    if vanishes(0, 1) && vanishes(1, 0) {
        return Sign::Zero;
    }
    // As for the doubled area of three points: each difference, product and the last difference
    // round once.
    let bound = 4.0 * f64::EPSILON * (left.abs() + right.abs()) + f64::MIN_POSITIVE;
    let determinant = left - right;
    if determinant.abs() > bound { compared(determinant, 0.0) } else { exact::cross2d([p, q, a, b]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    fn grid(rng: &mut Rng) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| rng.integer(-2, 3) as f64))
    }

    /// Triangles on a small grid, where nearly everything is in line with something: what is said
    /// of the infinitely small step holds for a small one.
    #[test]
    fn small_steps_are_like_infinitely_small_ones() {
        let mut rng = Rng::new(27);
        let (mut met, mut flat) = (0, 0);
        for round in 0..20_000 {
            let first: Triangle = std::array::from_fn(|_| grid(&mut rng));
            let second: Triangle = std::array::from_fn(|_| grid(&mut rng));
            // Every fourth pair in one plane.
            let flattened = |corner: DVec3| if round % 4 == 0 { corner.with_z(0.0) } else { corner };
            let (first, second) = (first.map(flattened), second.map(flattened));
            let direction = DVec3::from_array(rng.point(-1.0, 1.0));
            let shift = Shift::towards(direction);
            let mut step = DVec3::ZERO;
            for (place, axis) in shift.axes.into_iter().enumerate() {
                step[axis] = direction[axis].signum() * 2.0_f64.powi(-12 * (place as i32 + 1));
            }
            let moved = first.map(|corner| corner + step);
            let (symbolic, real) = (shift.meeting(&first, &second), shift.meeting(&moved, &second));
            assert_eq!(symbolic.piercings, real.piercings, "{first:?} {second:?} {shift:?}");
            assert!(matches!(symbolic.piercings.len(), 0 | 2), "{symbolic:?}");
            met += usize::from(!symbolic.piercings.is_empty());
            flat += usize::from(symbolic.is_pressed);
        }
        assert!(met > 2000 && flat > 50, "{met} {flat}");
    }

    #[test]
    fn differences_of_hairs_cross_exactly() {
        let p = [0.1, 0.3];
        assert_eq!(cross([p, p], [p, [0.7, 0.9]]), Sign::Zero);
        assert_eq!(cross([p, [0.1_f64.next_up(), 0.3]], [p, [0.7, 0.9]]), Sign::Positive);
        let (huge, tiny) = ([1e300, 1e300], [0.0, 5e-324]);
        assert_eq!(cross([[0.0; 2], [1e300, 0.0]], [[0.0; 2], tiny]), Sign::Positive);
        assert_eq!(cross([[0.0; 2], huge], [[0.0; 2], [1.0, 1.0]]), Sign::Zero);
        assert_eq!(cross([[0.0; 2], huge], [[1.0, 1.0], [1.0, 0.5]]), Sign::Negative);
    }
}
