//! On which side of a plane or line does a point lie? Exactly, for every finite input up to 1e300.
//!
//! Three stages, each only when the one before cannot decide:
//! 1. doubles with an error bound that also covers underflow, so it holds at every scale;
//! 2. adaptive expansions (`robust`), exact where no product can overflow or lose bits below the
//!    smallest double;
//! 3. big integers (`exact.rs`): slow, and only ever reached by coordinates of absurd size.

use super::exact;
use crate::mesh::Triangle;
use glam::DVec3;

/// A sign: of which side a point lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// Below zero.
    Negative = -1,
    /// Exactly zero.
    Zero = 0,
    /// Above zero.
    Positive = 1,
}

impl Sign {
    #[inline]
    fn of(value: f64) -> Self {
        if value > 0.0 {
            Self::Positive
        } else if value < 0.0 {
            Self::Negative
        } else {
            Self::Zero
        }
    }

    /// The other side.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Negative => Self::Positive,
            Self::Zero => Self::Zero,
            Self::Positive => Self::Negative,
        }
    }

    /// Both strictly on the same side.
    #[must_use]
    #[inline]
    pub fn strictly_agrees(self, other: Self) -> bool {
        self == other && self != Self::Zero
    }

    /// Strictly on opposite sides.
    #[must_use]
    #[inline]
    pub fn opposes(self, other: Self) -> bool {
        self as i8 * other as i8 == -1
    }
}

/// Which coordinate a projection onto a coordinate plane leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drop {
    /// Leaves (y, z).
    X,
    /// Leaves (z, x).
    Y,
    /// Leaves (x, y).
    Z,
}

impl Drop {
    /// All three projections.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// The two coordinates that are left.
    #[must_use]
    #[inline]
    pub fn project(self, point: DVec3) -> [f64; 2] {
        match self {
            Self::X => [point.y, point.z],
            Self::Y => [point.z, point.x],
            Self::Z => [point.x, point.y],
        }
    }
}

/// Relative error of the double evaluation of [`orient3d`] against the sum of magnitudes of its
/// terms: 7 + 56ε half-ulps after Shewchuk (1997), rounded up.
pub(super) const BOUND_3D: f64 = 8.0 * f64::EPSILON / 2.0;
/// The same for [`orient2d`]: 3 + 16ε, rounded up.
const BOUND_2D: f64 = 4.0 * f64::EPSILON / 2.0;

/// Sign of `det(a - d, b - d, c - d)`: positive when `d` lies below the plane of `a`, `b`, `c`,
/// where "below" is the side from which they appear clockwise.
#[must_use]
#[inline]
pub fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    let (ad, bd, cd) = (a - d, b - d, c - d);
    let (bc, cb) = (bd.x * cd.y, cd.x * bd.y);
    let (ca, ac) = (cd.x * ad.y, ad.x * cd.y);
    let (ab, ba) = (ad.x * bd.y, bd.x * ad.y);
    let determinant = ad.z * (bc - cb) + bd.z * (ca - ac) + cd.z * (ab - ba);
    let magnitude =
        (bc.abs() + cb.abs()) * ad.z.abs() + (ca.abs() + ac.abs()) * bd.z.abs() + (ab.abs() + ba.abs()) * cd.z.abs();
    // Each inner product can lose up to 2^-1074 to underflow, which its z factor multiplies. If
    // anything overflows, so does `magnitude`, and the comparison below is false.
    let underflow = f64::MIN_POSITIVE * (ad.z.abs() + bd.z.abs() + cd.z.abs() + 1.0);
    if determinant.abs() > BOUND_3D * magnitude + underflow {
        Sign::of(determinant)
    } else {
        orient3d_exact(a, b, c, d)
    }
}

/// The plane of a triangle, for several points: what [`orient3d`] computes of the triangle alone is
/// computed once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    corners: Triangle,
    normal: DVec3,
    /// Of the terms of the normal, added without signs.
    magnitude: DVec3,
}

/// Relative error of a scalar product with the normal against the sum of magnitudes of its terms:
/// (1 + ε/2)⁸ - 1, rounded up generously.
pub(super) const BOUND_PLANE: f64 = 10.0 * f64::EPSILON / 2.0;

impl Plane {
    #[inline]
    pub(super) fn of(corners: &Triangle) -> Self {
        let (u, v) = (corners[1] - corners[0], corners[2] - corners[0]);
        let (plus, minus) = (
            DVec3::new(u.y, u.z, u.x) * DVec3::new(v.z, v.x, v.y),
            DVec3::new(u.z, u.x, u.y) * DVec3::new(v.y, v.z, v.x),
        );
        Self { corners: *corners, normal: plus - minus, magnitude: plus.abs() + minus.abs() }
    }

    /// [`orient3d`] of the corners and `point`.
    #[inline]
    pub(super) fn side(&self, point: DVec3) -> Sign {
        let way = self.corners[0] - point;
        let (length, determinant) = (way.abs(), self.normal.dot(way));
        // As in `orient3d`: an overflow anywhere makes the comparison false.
        let underflow = f64::MIN_POSITIVE * (length.x + length.y + length.z + 1.0);
        if determinant.abs() > BOUND_PLANE * self.magnitude.dot(length) + underflow {
            Sign::of(determinant)
        } else {
            orient3d_exact(self.corners[0], self.corners[1], self.corners[2], point)
        }
    }
}

/// Sign of the doubled area of `a`, `b`, `c`: positive when they turn counter-clockwise.
#[must_use]
#[inline]
pub fn orient2d(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Sign {
    let left = (a[0] - c[0]) * (b[1] - c[1]);
    let right = (a[1] - c[1]) * (b[0] - c[0]);
    let determinant = left - right;
    let bound = BOUND_2D * (left.abs() + right.abs()) + f64::MIN_POSITIVE;
    if determinant.abs() > bound { Sign::of(determinant) } else { orient2d_exact(a, b, c) }
}

/// A half-line, for questions about the very numbers that it was given by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Course {
    pub(super) origin: DVec3,
    /// Along it. Exact if there is no second point, rounded otherwise.
    pub(super) step: DVec3,
    /// A second point, if there is one in doubles.
    pub(super) through: Option<DVec3>,
}

impl Course {
    /// [`orient3d`] of the origin, the point a step from it, `p` and `q`, which are also given as
    /// they are seen from the origin, rounded.
    #[inline]
    pub(super) fn turn(&self, [p, q]: [DVec3; 2], [p_off, q_off]: [DVec3; 2]) -> Sign {
        let (plus, minus) = (
            DVec3::new(p_off.y, p_off.z, p_off.x) * DVec3::new(q_off.z, q_off.x, q_off.y),
            DVec3::new(p_off.z, p_off.x, p_off.y) * DVec3::new(q_off.y, q_off.z, q_off.x),
        );
        let (length, determinant) = (self.step.abs(), self.step.dot(minus - plus));
        let magnitude = (plus.abs() + minus.abs()).dot(length);
        // As in `orient3d`: an overflow anywhere makes the comparison false.
        let underflow = f64::MIN_POSITIVE * (length.x + length.y + length.z + 1.0);
        if determinant.abs() > BOUND_PLANE * magnitude + underflow {
            Sign::of(determinant)
        } else {
            self.turn_exact(p, q)
        }
    }

    #[cold]
    fn turn_exact(&self, p: DVec3, q: DVec3) -> Sign {
        match self.through {
            Some(through) => orient3d_exact(self.origin, through, p, q),
            None => {
                let [origin, step, p, q] = [self.origin, self.step, p, q].map(|point| point.to_array());
                exact::turn3d(origin, step, p, q)
            }
        }
    }

    /// [`orient2d`] of the shadows of the origin, of the point a step from it, and of a point.
    pub(super) fn turn_of_shadow(&self, drop: Drop, point: [f64; 2]) -> Sign {
        let origin = drop.project(self.origin);
        match self.through {
            Some(through) => orient2d(origin, drop.project(through), point),
            None => exact::turn2d(origin, drop.project(self.step), point),
        }
    }
}

/// Whether the three points are on one line (or coincident).
#[must_use]
pub fn collinear(a: DVec3, b: DVec3, c: DVec3) -> bool {
    Drop::ALL.into_iter().all(|drop| orient2d(drop.project(a), drop.project(b), drop.project(c)) == Sign::Zero)
}

/// Magnitudes for which every partial product of stage 2 is free of overflow and of underflow: the
/// lowest bit of a coordinate is at least 2^(-300 - 52), and three of those multiply to 2^-1056,
/// above 2^-1074.
fn tame(values: &[f64]) -> bool {
    const LOW: f64 = f64::from_bits((1023 - 300) << 52);
    const HIGH: f64 = f64::from_bits((1023 + 300) << 52);
    values.iter().all(|value| *value == 0.0 || (LOW..=HIGH).contains(&value.abs()))
}

/// Zero without arithmetic: two of the points coincide, or all share a coordinate. Needles, points
/// and faces along the axes come to the exact stages again and again, and there expansions of zeros
/// are what takes longest.
fn plainly_flat<const N: usize, const D: usize>(points: &[[f64; D]; N]) -> bool {
    let share_coordinate = (0..D).any(|axis| points.iter().all(|point| point[axis] == points[0][axis]));
    share_coordinate || (1..N).any(|place| points[..place].contains(&points[place]))
}

#[cold]
fn orient3d_exact(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    let points = [a, b, c, d].map(|point| point.to_array());
    if plainly_flat(&points) {
        return Sign::Zero;
    }
    if !tame(points.as_flattened()) {
        return exact::orient3d(points);
    }
    let [a, b, c, d] = points.map(|[x, y, z]| robust::Coord3D { x, y, z });
    Sign::of(robust::orient3d(a, b, c, d))
}

#[cold]
fn orient2d_exact(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Sign {
    let points = [a, b, c];
    if plainly_flat(&points) {
        return Sign::Zero;
    }
    if !tame(points.as_flattened()) {
        return exact::orient2d(points);
    }
    let [a, b, c] = points.map(|[x, y]| robust::Coord { x, y });
    Sign::of(robust::orient2d(a, b, c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_follow_the_documented_convention() {
        let (a, b, c) = (DVec3::ZERO, DVec3::X, DVec3::Y);
        assert_eq!(orient3d(a, b, c, -DVec3::Z), Sign::Positive);
        assert_eq!(orient3d(a, b, c, DVec3::Z), Sign::Negative);
        assert_eq!(orient3d(a, b, c, DVec3::new(7.0, -3.0, 0.0)), Sign::Zero);
        assert_eq!(orient2d([0.0, 0.0], [1.0, 0.0], [0.0, 1.0]), Sign::Positive);
    }

    /// The exact stage decides both alike, so what is compared is the doubles' bound: points that
    /// are in the plane but for rounding.
    #[test]
    fn a_plane_tells_the_sides_that_orient3d_tells() {
        let mut rng = nearhit_testkit::rng::Rng::new(31);
        let mut seen = [0, 0, 0];
        for round in 0..60_000 {
            // In every third round small whole numbers, which give exact zeros.
            let rounded = |value: f64| if round % 3 == 0 { (8.0 * value).round() } else { value };
            let scale = 2.0_f64.powi([0, -10, 500, -530, -900][round % 5]);
            let far = [0.0, 1e3, 1e6][round % 7 % 3];
            let [a, b, c] = [0; 3].map(|_| DVec3::from_array(rng.point(-1.0, 1.0).map(|x| rounded(x) + far)) * scale);
            let (s, t) = (rounded(rng.range(-2.0, 2.0)), rounded(rng.range(-2.0, 2.0)));
            let near = a + (b - a) * s + (c - a) * t;
            let off = DVec3::from_array(rng.point(-1.0, 1.0)) * (scale * [0.0, 1e-16, 1e-12, 1.0][round % 4]);
            let (point, plane) = (near + off, Plane::of(&[a, b, c]));
            let side = plane.side(point);
            assert_eq!(side, exact::orient3d([a, b, c, point].map(|point| point.to_array())), "{a} {b} {c} {point}");
            seen[(side as i8 + 1) as usize] += 1;
            assert_eq!(plane.side(b), Sign::Zero);
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }

    /// Three points in a plane along the axes, on a line but for rounding, and one off that plane:
    /// hardly ever flat, and too close for doubles.
    #[test]
    fn three_points_that_share_a_coordinate_are_not_flat() {
        let (mut rng, mut off) = (nearhit_testkit::rng::Rng::new(37), 0);
        for round in 0..2_000 {
            let [mut a, mut b, apex] = [(); 3].map(|()| DVec3::from_array(rng.point(-1.0, 1.0)));
            let axis = round % 3;
            b[axis] = a[axis];
            let mut middle = a + (b - a) * rng.f64();
            middle[axis] = a[axis];
            let mut points = [apex, a, b, middle];
            points.rotate_left(round % 4);
            let [p, q, r, s] = points;
            let truth = exact::orient3d(points.map(|point| point.to_array()));
            assert_eq!(orient3d(p, q, r, s), truth, "{points:?}");
            off += usize::from(truth != Sign::Zero);
            // In the plane two of the three share a coordinate as well.
            a[(axis + 1) % 3] = b[(axis + 1) % 3];
            let shadow = [a, b, apex].map(|point| Drop::ALL[axis].project(point));
            assert_eq!(orient2d(shadow[0], shadow[1], shadow[2]), exact::orient2d(shadow), "{shadow:?}");
        }
        assert!(off > 500, "{off}");
    }

    #[test]
    fn huge_tiny_and_mixed_scales_are_exact() {
        for scale in [1e300, 1e-300, 5e-324, 1e-160, 1e150] {
            let (a, b, c) = (DVec3::ZERO, DVec3::X * scale, DVec3::Y * scale);
            assert_eq!(orient3d(a, b, c, DVec3::Z * -scale), Sign::Positive, "{scale}");
            assert_eq!(orient3d(a, b, c, DVec3::new(scale, scale, 0.0)), Sign::Zero, "{scale}");
            assert_eq!(orient3d(a, b, c, DVec3::new(1.0, 1.0, -5e-324)), Sign::Positive, "{scale}");
            assert_eq!(orient2d([0.0, 0.0], [scale, 0.0], [1e300, 5e-324]), Sign::Positive, "{scale}");
            assert_eq!(orient2d([0.0, 0.0], [scale, scale], [1e300, 1e300]), Sign::Zero, "{scale}");
        }
    }
}
