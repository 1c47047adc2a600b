//! What a convex shape covers while it is moved along a straight line without turning: its
//! Minkowski sum with a segment.

use super::core::{Convex, Core};
use super::{Kind, Shape, ShapeError};
use crate::error::MAX_COORDINATE;
use glam::DVec3;

/// A core without corners of its own to store, and up to three segments that it is moved along, one
/// after the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sweep {
    base: Core<'static>,
    by: [DVec3; 3],
}

impl Sweep {
    /// All ways to be at one end or the other of each segment, the base's point given.
    fn ends(&self, point: DVec3) -> impl Iterator<Item = DVec3> + use<'_> {
        (0..8_usize).map(move |choice| self.shifted(point, |index| choice >> index & 1 == 1))
    }

    /// One sum in one order, so that a support point is a corner to the bit.
    #[inline]
    fn shifted(&self, point: DVec3, is_at_end: impl Fn(usize) -> bool) -> DVec3 {
        let mut point = point;
        for (index, &by) in self.by.iter().enumerate() {
            point += if is_at_end(index) { by } else { DVec3::ZERO };
        }
        point
    }

    /// Made of corners?
    #[inline]
    pub(crate) fn is_flat(&self) -> bool {
        self.base.is_flat()
    }
}

impl Convex for Sweep {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        self.shifted(self.base.support(direction), |index| self.by[index].dot(direction) > 0.0)
    }

    fn reach(&self) -> f64 {
        let longest = self.by.iter().map(|by| by.abs().max_element()).sum::<f64>();
        ((self.base.reach() + longest) * (1.0 + 4.0 * f64::EPSILON)).next_up()
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        let (mut middle, mut half) = self.base.bounds();
        for by in self.by {
            (middle, half) = (middle + 0.5 * by, half + 0.5 * by.abs());
        }
        // For the rounding of the sums.
        let reach = self.reach();
        (middle, half + DVec3::splat(8.0 * f64::EPSILON * reach))
    }

    fn corners(&self, found: &mut Vec<DVec3>) -> bool {
        let mut of_base = Vec::new();
        if !self.base.corners(&mut of_base) {
            return false;
        }
        let start = found.len();
        found.extend(of_base.into_iter().flat_map(|corner| self.ends(corner)));
        let mut new = found.split_off(start);
        new.sort_by(|p, q| p.to_array().partial_cmp(&q.to_array()).unwrap_or(std::cmp::Ordering::Equal));
        new.dedup();
        found.append(&mut new);
        true
    }

    fn center(&self) -> DVec3 {
        self.base.center() + 0.5 * (self.by[0] + self.by[1] + self.by[2])
    }
}

impl Shape {
    /// What the shape covers while it is moved by `by` without turning, from where it is. Of a ball
    /// it is a capsule, of a capsule a rounded parallelogram. Three times at most, one after the
    /// other: everything that the shape may cover on some way through a parallelepiped.
    ///
    /// ```
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch, Settings, Verdict};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let cutter = Shape::cylinder(3.0, 20.0)?.swept([100.0, 0.0, 0.0])?;
    /// let (pin, beside) = (Shape::ball(0.01)?, Pose::from_translation([40.0, 3.005, 1.0])?);
    /// let pair = ShapePair::new(&cutter, &Pose::IDENTITY, &pin, &beside)?;
    /// assert_eq!(pair.collide(&Settings::default(), &mut Scratch::new()).verdict, Verdict::Yes);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Errors: a mesh, a half-space, a fourth sweep, or a coordinate that is not finite.
    #[doc(alias = "swept volume")]
    #[doc(alias = "Minkowski sum")]
    #[doc(alias = "extrude")]
    pub fn swept(mut self, by: [f64; 3]) -> Result<Self, ShapeError> {
        let [x, y, z] = by;
        if by.iter().any(|value| value.is_nan() || value.abs() > MAX_COORDINATE) {
            return Err(ShapeError::BadPoint { shape: "sweep", index: 0, x, y, z });
        }
        let by = DVec3::from(by);
        let base = match &self.kind {
            Kind::Point => Core::Point(DVec3::ZERO),
            Kind::Segment(half) => Core::Segment(*half),
            Kind::Box3(core) => Core::Box3(*core),
            Kind::Tube(core) => Core::Tube(*core),
            Kind::Frustum(core) => Core::Frustum(*core),
            Kind::Quadric(core) => Core::Quadric(*core),
            Kind::Sweep(sweep) => {
                let sweep = **sweep;
                return self.swept_again(sweep, by);
            }
            Kind::Corners(corners) => {
                let points = corners.points().iter();
                let both: Vec<[f64; 3]> = points.flat_map(|&point| [point, point + by]).map(Into::into).collect();
                return Self::hull(&both)?.grown(self.margin);
            }
            Kind::HalfSpace(_) | Kind::Mesh { .. } | Kind::Cloud(_) | Kind::Field(_) | Kind::Cells(_) => {
                return Err(ShapeError::NoSweep { shape: self.name() });
            }
        };
        self.kind = Kind::Sweep(Box::new(Sweep { base, by: [by, DVec3::ZERO, DVec3::ZERO] }));
        Ok(self)
    }

    fn swept_again(mut self, mut sweep: Sweep, by: DVec3) -> Result<Self, ShapeError> {
        let free = sweep.by.iter().position(|&known| known == DVec3::ZERO);
        let Some(free) = free else { return Err(ShapeError::NoSweep { shape: self.name() }) };
        sweep.by[free] = by;
        self.kind = Kind::Sweep(Box::new(sweep));
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::ShapePair;
    use crate::{Pose, Scratch, Settings, Tolerance, Verdict};

    /// A plain generator of numbers from -1 to 1.
    fn numbers(mut state: u64) -> impl FnMut() -> f64 {
        move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    fn bases() -> Vec<Shape> {
        vec![
            Shape::ball(0.3).expect("legal"),
            Shape::capsule(0.1, 0.8).expect("legal"),
            Shape::cuboid([0.4, 0.6, 0.8]).expect("legal"),
            Shape::cylinder(0.4, 0.9).expect("legal"),
            Shape::cylinder(0.3, 0.0).expect("legal").grown(0.2).expect("legal"),
            Shape::truncated_cone(0.5, 0.2, 0.7).expect("legal"),
            Shape::ellipsoid([0.3, 0.4, 0.5]).expect("legal"),
            Shape::hull(&[[0.0, 0.0, 0.0], [0.5, 0.0, 0.1], [0.0, 0.4, 0.0], [0.1, 0.1, 0.6]]).expect("legal"),
        ]
    }

    fn distance(a: &Shape, b: &Shape, at: &Pose) -> (f64, f64) {
        let pair = ShapePair::relative(a, b, at).expect("near");
        let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new());
        (found.lower, found.upper)
    }

    /// The sweep is as near as the nearest of the shape's places, and never nearer.
    #[test]
    fn a_sweep_is_as_near_as_the_nearest_instant() {
        let mut next = numbers(7);
        let (mut apart, mut touching) = (0, 0);
        for (index, base) in bases().iter().cycle().take(160).enumerate() {
            let by = DVec3::new(next(), next(), next()) * 3.0;
            let other = [Shape::ball(0.2), Shape::cuboid([0.3, 0.1, 0.2])][index / 8 % 2].clone().expect("legal");
            let far = if index % 3 == 0 { 0.4 } else { 2.0 };
            let at = Pose::from_translation([far * next(), far * next(), far * next()]).expect("legal");
            let (lower, upper) = distance(&base.clone().swept(by.into()).expect("convex"), &other, &at);
            let mut least = f64::INFINITY;
            // The distance is a convex function of time: ternary search.
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..80 {
                let thirds = [(2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0];
                let [p, q] = thirds.map(|t| {
                    let moved = Pose::from_translation((at.translation() - by * t).into()).expect("legal");
                    distance(base, &other, &moved).1
                });
                least = least.min(p).min(q);
                if p < q { high = thirds[1] } else { low = thirds[0] }
            }
            assert!(lower <= least + 1e-12, "{base:?} {by}: {lower} above {least}");
            if least > 1e-6 {
                assert!((upper - least).abs() < 1e-6, "{base:?} {by}: {upper} is not {least}");
                apart += 1;
            } else {
                assert!(lower < 1e-6, "{base:?} {by}");
                touching += 1;
            }
        }
        assert!(apart > 30 && touching > 30, "{apart} {touching}");
    }

    /// Three sweeps of a point are a parallelepiped, and exact: a touch is a touch, a hair is not.
    #[test]
    fn three_sweeps_of_a_point_are_a_box() {
        let mut swept = Shape::ball(0.0).expect("legal");
        for by in [[2.0, 0.0, 0.0], [0.0, -3.0, 0.0], [0.0, 0.0, 4.0]] {
            swept = swept.swept(by).expect("convex");
        }
        assert_eq!(swept.corners().len(), 8);
        let (low, high) = swept.bounds().expect("an end");
        assert!(low.cmple(DVec3::new(0.0, -3.0, 0.0)).all() && high.cmpge(DVec3::new(2.0, 0.0, 4.0)).all());
        assert!((high - low - DVec3::new(2.0, 3.0, 4.0)).abs().max_element() < 1e-13);
        let point = Shape::ball(0.0).expect("legal");
        let touches = |x: f64| {
            let at = Pose::from_translation([x, -1.0, 2.0]).expect("legal");
            let pair = ShapePair::relative(&swept, &point, &at).expect("near");
            pair.collide(&Settings::default(), &mut Scratch::new()).verdict == Verdict::Yes
        };
        assert!(touches(2.0) && touches(0.0) && !touches(2.0_f64.next_up()) && !touches(-f64::from_bits(1)));
        assert!(swept.swept([1.0, 0.0, 0.0]).is_err(), "a fourth");
    }

    #[test]
    fn what_cannot_be_swept_says_so() {
        let half_space = Shape::half_space([0.0, 0.0, 1.0], 0.0).expect("legal");
        assert!(matches!(half_space.swept([1.0, 0.0, 0.0]), Err(ShapeError::NoSweep { .. })));
        let ball = Shape::ball(1.0).expect("legal");
        assert!(matches!(ball.swept([f64::NAN, 0.0, 0.0]), Err(ShapeError::BadPoint { .. })));
    }
}
