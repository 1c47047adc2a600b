//! The local bodies of solids in fixed-point numbers, and how far they reach.
//!
//! Every bounded core is the image of a local body under an affine map: an ellipsoid of the unit
//! ball, a cylinder or cone of a solid of revolution, a hull of itself.

use dashu_int::IBig;

use super::fixed::{Places, norm, unit, zero};
use super::nearest::highest;
use crate::exact::integers::Vector;

/// Three columns.
pub(crate) type Matrix = [Vector; 3];

#[derive(Clone, Debug)]
pub(crate) enum Local {
    /// `|x| <= 1`.
    UnitBall,
    /// About z, from `-half_height` with the radius `bottom` to `half_height` with the radius
    /// `top`.
    Frustum { bottom: IBig, top: IBig, half_height: IBig },
    /// A hull.
    Hull(Vec<Vector>),
}

impl Local {
    /// The largest `direction * point`.
    pub(crate) fn support(&self, places: Places, direction: &Vector) -> IBig {
        match self {
            Local::UnitBall => super::fixed::length(direction),
            Local::Frustum { bottom, top, half_height } => {
                let across = norm(&[&direction[0], &direction[1]]);
                let rise = places.times(&direction[2], half_height);
                let upper = places.times(&across, top) + &rise;
                upper.max(places.times(&across, bottom) - rise)
            }
            Local::Hull(points) => highest(points, direction).0 >> places.0,
        }
    }

    /// A point that is about the farthest along a direction, and off the body by a few units at
    /// most.
    pub(crate) fn support_point(&self, places: Places, direction: &Vector) -> Vector {
        match self {
            Local::UnitBall => unit(places, direction),
            Local::Frustum { bottom, top, half_height } => {
                let across = norm(&[&direction[0], &direction[1]]);
                let rise = places.times(&direction[2], half_height);
                let upper = places.times(&across, top) + &rise >= places.times(&across, bottom) - rise;
                let (radius, height) = if upper { (top, half_height.clone()) } else { (bottom, -half_height) };
                let [x, y, _] = unit(places, &[direction[0].clone(), direction[1].clone(), IBig::ZERO]);
                [places.times(&x, radius), places.times(&y, radius), height]
            }
            Local::Hull(points) => points[highest(points, direction).1].clone(),
        }
    }
}

pub(crate) fn identity(places: Places) -> Matrix {
    let mut columns = [zero(), zero(), zero()];
    (0..3).for_each(|axis| columns[axis][axis] = places.one());
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::integers::{dot, sign};
    use crate::rng::Rng;

    /// Directions of any length down to a few units, where a rounded length is worth nothing, and
    /// such that are almost along an axis.
    fn direction(places: Places, rng: &mut Rng) -> Vector {
        std::array::from_fn(|_| {
            let small = IBig::from(rng.integer(-3, 3));
            match rng.below(3) {
                0 => small,
                1 => small << rng.below(places.0 - 2),
                _ => places.number(rng.range(-0.5, 0.5)),
            }
        })
    }

    /// What the bounds rest on: support points are points of the body, and farthest, up to a few
    /// units.
    #[test]
    fn support_points_are_in_the_body_and_farthest() {
        let (places, units) = (Places(100), IBig::from(16));
        let mut rng = Rng::new(131);
        let mut reached = 0;
        for round in 0..4000 {
            let mut length =
                || if rng.chance(0.2) { IBig::ZERO } else { places.number(10f64.powf(rng.range(-35.0, 0.0))) };
            let (bottom, top, half_height) = (length(), length(), length());
            let local = match round % 2 {
                0 => Local::UnitBall,
                _ => Local::Frustum { bottom: bottom.clone(), top: top.clone(), half_height: half_height.clone() },
            };
            let direction = direction(places, &mut rng);
            let point = local.support_point(places, &direction);
            let height = dot(&direction, &point) >> places.0;
            assert!(height >= local.support(places, &direction) - &units, "{local:?} {direction:?}");
            if let Local::UnitBall = local {
                assert!(super::super::fixed::length(&point) <= places.one() + &units, "{direction:?}");
                continue;
            }
            let radius = match () {
                () if half_height.is_zero() => top.clone().max(bottom.clone()),
                () if point[2] == half_height => top.clone(),
                () => bottom.clone(),
            };
            assert!(point[2] == half_height || point[2] == -&half_height);
            let across = norm(&[&point[0], &point[1]]);
            assert!(across <= &radius + &units, "{local:?} {direction:?}");
            reached += usize::from(sign(&across) > 0);
        }
        assert!(reached > 1000, "{reached}");
    }
}
