//! The local bodies of solids in fixed-point numbers, and how far they reach.
//!
//! Every bounded core is the image of a local body under an affine map: an ellipsoid of the unit
//! ball, a cylinder or cone of a solid of revolution, a hull of itself.

use dashu_int::IBig;

use super::fixed::{Places, norm, zero};
use super::nearest::highest;
use crate::exact::integers::Vector;

/// Three columns.
pub(crate) type Matrix = [Vector; 3];

#[derive(Clone, Debug)]
pub(crate) enum Local {
    /// `|x| <= 1`.
    UnitBall,
    /// About z, from `-half_height` with the radius `bottom` to `half_height` with the radius `top`.
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
            Local::UnitBall => {
                let length = super::fixed::length(direction);
                if length.is_zero() { zero() } else { direction.each_ref().map(|x| places.over(x, &length)) }
            }
            Local::Frustum { bottom, top, half_height } => {
                let across = norm(&[&direction[0], &direction[1]]);
                let rise = places.times(&direction[2], half_height);
                let upper = places.times(&across, top) + &rise >= places.times(&across, bottom) - rise;
                let (radius, height) = if upper { (top, half_height.clone()) } else { (bottom, -half_height) };
                let on_rim = |x: &IBig| if across.is_zero() { IBig::ZERO } else { x * radius / &across };
                [on_rim(&direction[0]), on_rim(&direction[1]), height]
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
