//! Mixed trees: at each node the cheapest swept sphere that fits its shape (§4.2 of the
//! swept-sphere paper).
//!
//! The choice is made when the tree is built, from the dimensions of the oriented box. Every pair
//! of kinds has its own core distance, so trees of any mixture can be compared.

use super::point_distance::{point_rectangle, point_segment};
use super::rectangle_distance::{rectangle_rectangle, rectangles_apart};
use super::segment_distance::segment_segment;
use super::segment_rectangle_distance::segment_rectangle;
use super::{LineSwept, RectSwept, clearance};
use crate::mesh::Triangle;
use crate::pose::Pose;
use crate::vector::length;
use crate::volume::obb::Obb;
use crate::volume::sphere::Sphere;
use crate::volume::stored::Stored;
use crate::volume::{BoundingVolume, Covariance, Measure, Placement, Support, Tightness};
use glam::{DVec2, DVec3};

/// One of the swept spheres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mixed {
    /// For sets about as long as wide as high.
    Point(Sphere),
    /// For long, thin sets.
    Line(LineSwept),
    /// For all others.
    Rect(RectSwept),
}

/// One dimension is larger than another when it is so by this factor.
const LARGER: f64 = 2.0;

impl Mixed {
    fn radius(&self) -> f64 {
        match self {
            Self::Point(volume) => volume.radius(),
            Self::Line(volume) => volume.radius(),
            Self::Rect(volume) => volume.radius(),
        }
    }

    pub(super) fn center(&self) -> DVec3 {
        match self {
            Self::Point(volume) => volume.center(),
            Self::Line(volume) => volume.center(),
            Self::Rect(volume) => volume.center(),
        }
    }

    /// Middle and half length of the interval that it covers along a direction of the given length.
    #[inline]
    pub(super) fn shadow(&self, direction: DVec3, length: f64) -> (f64, f64) {
        let core = match self {
            Self::Point(_) => 0.0,
            Self::Line(volume) => volume.core.half_length * volume.core.axis.dot(direction).abs(),
            Self::Rect(RectSwept { core, .. }) => {
                let tilt = DVec2::new(core.axes.x_axis.dot(direction), core.axes.y_axis.dot(direction));
                core.half_lengths.dot(tilt.abs())
            }
        };
        (self.center().dot(direction), core + self.radius() * length)
    }

    #[inline]
    fn core_distance(&self, a: &Self) -> f64 {
        use Mixed::{Line, Point, Rect};
        match (self, a) {
            (Point(p), Point(q)) => length(p.center() - q.center()),
            (Point(point), Line(line)) | (Line(line), Point(point)) => point_segment(point.center(), &line.core),
            (Point(point), Rect(rect)) | (Rect(rect), Point(point)) => point_rectangle(point.center(), &rect.core),
            (Line(b), Line(a)) => segment_segment(&a.core, &b.core),
            (Line(line), Rect(rect)) | (Rect(rect), Line(line)) => segment_rectangle(&line.core, &rect.core),
            (Rect(b), Rect(a)) => rectangle_rectangle(&a.core, &b.core),
        }
    }
}

impl crate::volume::sealed::Sealed for Mixed {}

impl BoundingVolume for Mixed {
    type Motion = Placement;
    type Placed = Self;
    const NAME: &'static str = "mixed";

    fn fit(triangles: &[Triangle]) -> Self {
        Self::fit_by(triangles, Covariance::Surface)
    }

    fn fit_by(triangles: &[Triangle], covariance: Covariance) -> Self {
        let mut dimensions = Obb::fit_by(triangles, covariance).half_extents().to_array();
        dimensions.sort_by(f64::total_cmp);
        let [least, middle, largest] = dimensions;
        if largest <= LARGER * least {
            Self::Point(Sphere::fit(triangles))
        } else if largest > LARGER * middle {
            Self::Line(LineSwept::fit_by(triangles, covariance))
        } else {
            Self::Rect(RectSwept::fit_by(triangles, covariance))
        }
    }

    fn measure(&self, unit: f64) -> Measure {
        match self {
            Self::Point(volume) => volume.measure(unit),
            Self::Line(volume) => volume.measure(unit),
            Self::Rect(volume) => volume.measure(unit),
        }
    }

    fn size(&self) -> f64 {
        match self {
            Self::Point(volume) => volume.size(),
            Self::Line(volume) => volume.size(),
            Self::Rect(volume) => volume.size(),
        }
    }

    fn motion(placement: &Placement) -> Placement {
        *placement
    }

    fn place(&self, placement: &Placement) -> Self {
        match self {
            Self::Point(volume) => Self::Point(volume.place(placement)),
            Self::Line(volume) => Self::Line(volume.place(placement)),
            Self::Rect(volume) => Self::Rect(volume.place(placement)),
        }
    }

    #[inline]
    fn disjoint(&self, a: &Self) -> bool {
        match (self, a) {
            (Self::Rect(b), Self::Rect(a)) => rectangles_apart(&a.core, &b.core, a.radius + b.radius),
            _ => self.lower_bound(a) > 0.0,
        }
    }

    #[inline]
    fn lower_bound(&self, a: &Self) -> f64 {
        clearance(self.core_distance(a), self.radius() + a.radius())
    }

    #[inline]
    fn lower_bound_up_to(&self, a: &Self, limit: f64) -> f64 {
        match (self, a) {
            (Self::Rect(b), Self::Rect(a)) => b.lower_bound_up_to(a, limit),
            _ => self.lower_bound(a),
        }
    }
}

impl Support for Mixed {
    fn support(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Point(volume) => volume.support(direction),
            Self::Line(volume) => volume.support(direction),
            Self::Rect(volume) => volume.support(direction),
        }
    }

    fn contains(&self, point: DVec3) -> bool {
        match self {
            Self::Point(volume) => volume.contains(point),
            Self::Line(volume) => volume.contains(point),
            Self::Rect(volume) => volume.contains(point),
        }
    }

    fn claim(&self, _a: &Self, _b_from_a: &Pose) -> Tightness {
        Tightness::Exact
    }
}

impl Stored for Mixed {
    /// The kind, then the numbers of the kind, then zeros.
    const NUMBERS: usize = 1 + RectSwept::NUMBERS;

    fn store(&self, numbers: &mut Vec<f64>) {
        let end = numbers.len() + Self::NUMBERS;
        match self {
            Self::Point(volume) => {
                numbers.push(0.0);
                volume.store(numbers);
            }
            Self::Line(volume) => {
                numbers.push(1.0);
                volume.store(numbers);
            }
            Self::Rect(volume) => {
                numbers.push(2.0);
                volume.store(numbers);
            }
        }
        numbers.resize(end, 0.0);
    }

    fn restore(numbers: &[f64], reach: f64) -> Option<Self> {
        let (&kind, numbers) = numbers.split_first()?;
        match kind {
            0.0 => Sphere::restore(numbers, reach).map(Self::Point),
            1.0 => LineSwept::restore(numbers, reach).map(Self::Line),
            2.0 => RectSwept::restore(numbers, reach).map(Self::Rect),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::convex::convex_distance;
    use nearhit_testkit::rng::Rng;

    /// The surface of a box.
    fn cuboid(half_extents: [f64; 3], placed: &Pose) -> Vec<Triangle> {
        let corner = |i: usize| {
            let signs = [i & 1, i >> 1 & 1, i >> 2].map(|bit| if bit == 0 { -1.0 } else { 1.0 });
            placed.apply(DVec3::from_array(half_extents) * DVec3::from_array(signs))
        };
        let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
        faces.iter().flat_map(|[p, q, r, s]| [[p, q, r], [p, r, s]].map(|face| face.map(|&i| corner(i)))).collect()
    }

    fn anywhere(rng: &mut Rng) -> Pose {
        Pose::from_rows(rng.rotation(), rng.point(-1.6, 1.6)).expect("a rotation")
    }

    #[test]
    fn the_shape_decides_by_a_factor_of_two() {
        let mut rng = Rng::new(81);
        for _ in 0..50 {
            let placed = anywhere(&mut rng);
            let fitted = |half_extents| Mixed::fit(&cuboid(half_extents, &placed));
            assert!(matches!(fitted([1.0, 1.9, 1.5]), Mixed::Point(_)), "{placed:?}");
            assert!(matches!(fitted([1.9, 0.9, 1.7]), Mixed::Rect(_)), "{placed:?}");
            assert!(matches!(fitted([0.2, 1.9, 1.0]), Mixed::Rect(_)), "{placed:?}");
            assert!(matches!(fitted([0.2, 2.1, 1.0]), Mixed::Line(_)), "{placed:?}");
        }
    }

    #[test]
    fn every_pair_of_kinds_has_the_distance_of_the_two_volumes() {
        let mut rng = Rng::new(82);
        let mut apart = 0;
        for _ in 0..500 {
            let mut each = || {
                let half_extents = [rng.range(0.2, 2.0), rng.range(0.1, 0.5), rng.range(0.0, 0.3)];
                let placed = anywhere(&mut rng);
                let triangles = cuboid(half_extents, &placed);
                [
                    Mixed::Point(Sphere::fit(&triangles)),
                    Mixed::Line(LineSwept::fit(&triangles)),
                    Mixed::Rect(RectSwept::fit(&triangles)),
                ]
            };
            for (a, b) in each().into_iter().flat_map(|a| each().map(|b| (a, b))) {
                let support = |volume: Mixed| move |direction: [f64; 3]| volume.support(direction.into()).to_array();
                let truth = convex_distance(support(a), support(b), 1e-11);
                let found = b.lower_bound(&a);
                assert!(found <= truth.upper + 1e-13 && found >= truth.lower * (1.0 - 1e-9) - 1e-12, "{a:?} {b:?}");
                assert!(b.disjoint(&a) || found == 0.0, "{a:?} {b:?}");
                apart += usize::from(found > 0.0);
            }
        }
        assert!((1000..3500).contains(&apart), "{apart} of 4500 are apart");
    }
}
