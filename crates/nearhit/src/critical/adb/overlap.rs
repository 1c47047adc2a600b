//! How much of two regions lies in both? (§3.6)
//!
//! Exact for balls. For boxes there are several ways, none of them exact; which is best was measured (`nearhit-bench papers adb`).

use crate::volume::region::{Region, Shape};
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// Ways to estimate what two boxes share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overlap {
    /// The share of each box between every two opposite sides of the other one, multiplied as if they had nothing to do with each other; the geometric mean of both views. Right for boxes along each other's
    /// axes.
    #[default]
    Shares,
    /// The paper's max{V1, V2, V3}, which looks at sizes and distance alone; balls around boxes of different size. It is not the upper bound that the paper takes it for.
    Paper,
    /// The box around a along b's axes: never too small.
    Aligned,
    /// The best parallelepiped between three of the six pairs of opposite sides: never too small.
    Slabs,
    /// Balls around the boxes: never too small.
    Balls,
}

impl Overlap {
    /// Every way.
    pub const ALL: [Self; 5] = [Self::Shares, Self::Paper, Self::Aligned, Self::Slabs, Self::Balls];
}

/// What two regions share, in parts of each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shared {
    /// Of a's volume.
    pub of_a: f64,
    /// Of b's volume.
    pub of_b: f64,
}

impl Shared {
    const NOTHING: Self = Self { of_a: 0.0, of_b: 0.0 };

    /// From a volume, neither of the two regions' own.
    #[inline]
    fn new(volume: f64, volume_a: f64, volume_b: f64) -> Self {
        if volume > 0.0 {
            Self { of_a: (volume / volume_a).min(1.0), of_b: (volume / volume_b).min(1.0) }
        } else {
            Self::NOTHING
        }
    }
}

/// What two regions in one frame share.
#[must_use]
#[inline]
pub fn shared(a: &Region, b: &Region, how: Overlap) -> Shared {
    if a.shape == Shape::Ball && b.shape == Shape::Ball {
        return balls(a, b, a.half_extents.x, b.half_extents.x);
    }
    match how {
        Overlap::Shares => by_shares(a, b),
        Overlap::Paper => by_distance(a, b),
        Overlap::Aligned => in_one_frame(a, b),
        Overlap::Slabs => by_slabs(a, b),
        Overlap::Balls => balls(a, b, a.half_extents.length(), b.half_extents.length()),
    }
}

#[inline]
fn volume(half_extents: DVec3) -> f64 {
    8.0 * half_extents.element_product()
}

#[inline]
fn by_shares(a: &Region, b: &Region) -> Shared {
    let to_b = b.axes.transpose();
    let rotation = to_b * a.axes;
    let offset_b = to_b * (a.center - b.center);
    let offset_a = rotation.transpose() * offset_b;
    let (half_a, half_b) = (a.half_extents, b.half_extents);
    let columns = rotation.abs();
    let rows = columns.transpose();
    let mut inside = [Inside { over: 1.0, under: 1.0 }; 2];
    for axis in 0..3 {
        inside[0].narrow(offset_b[axis], rows.col(axis) * half_a, half_b[axis]);
        inside[1].narrow(offset_a[axis], columns.col(axis) * half_b, half_a[axis]);
    }
    // One division for each view: they are what this costs.
    let both = (inside[0].over / inside[0].under) * (inside[1].over / inside[1].under);
    if both > 0.0 {
        let ratio = (half_b / half_a).element_product();
        let of_a = (both * ratio).sqrt();
        Shared { of_a: of_a.min(1.0), of_b: (of_a / ratio).min(1.0) }
    } else {
        Shared::NOTHING
    }
}

/// The share of a box between opposite sides of another, as a fraction.
#[derive(Clone, Copy)]
struct Inside {
    over: f64,
    under: f64,
}

impl Inside {
    /// Multiplies by the share within `limit` of a plane that the box's middle is `offset` away from; `shadows` are the shadows of its half extents on the plane's normal.
    ///
    /// Along the normal its points are spread like the sum of three uniform variables. The two smaller ones are taken for one of about the same variance: a trapezoid, whose integral is a difference
    /// of squares.
    #[inline]
    fn narrow(&mut self, offset: f64, shadows: DVec3, limit: f64) {
        let widest = shadows.x.max(shadows.y).max(shadows.z);
        let least = shadows.x.min(shadows.y).min(shadows.z);
        let middle = shadows.x + shadows.y + shadows.z - widest - least;
        // √(middle² + least²) to 4 %, without the root.
        let others = middle.max(0.96 * middle + 0.398 * least);
        let wide = widest.max(others);
        // Never quite a rectangle, which would divide nothing by nothing.
        let narrow = widest.min(others).max(1e-3 * wide);
        let (reach, flat) = (wide + narrow, wide - narrow);
        let square = |x: f64| x.max(0.0) * x.max(0.0);
        let below = |x: f64| {
            let x = x.min(reach).max(-reach);
            square(x + reach) - square(x + flat) - square(x - flat)
        };
        self.over *= (below(limit - offset) - below(-limit - offset)).max(0.0);
        self.under *= 8.0 * wide * narrow;
    }
}

fn by_distance(a: &Region, b: &Region) -> Shared {
    /// "If the difference of the size is above a certain threshold": the paper does not say which.
    const SAME_SIZE: f64 = 2.0;
    let (volume_a, volume_b) = (volume(a.half_extents), volume(b.half_extents));
    let (small, large) = if volume_a < volume_b { (a, volume_b / volume_a) } else { (b, volume_a / volume_b) };
    if large > SAME_SIZE {
        return balls(a, b, a.half_extents.length(), b.half_extents.length());
    }
    Shared::new(paper(2.0 * small.half_extents, (a.center - b.center).length()), volume_a, volume_b)
}

/// The paper's max{V1, V2, V3} for two boxes with these sides at this distance.
#[must_use]
pub fn paper(sides: DVec3, distance: f64) -> f64 {
    let mut sorted = sides.to_array();
    sorted.sort_by(|p, q| q.total_cmp(p));
    let [a, b, c] = sorted;
    let left = |diagonal: f64| (1.0 - distance / diagonal).max(0.0);
    a * b * c * left(a).max(left(a.hypot(b)).powi(2)).max(left(sides.length()).powi(3))
}

fn in_one_frame(a: &Region, b: &Region) -> Shared {
    let to_b = b.axes.transpose();
    let reach: DVec3 = (to_b * a.axes).abs() * a.half_extents;
    let offset = to_b * (a.center - b.center);
    let low = (offset - reach).max(-b.half_extents);
    let high = (offset + reach).min(b.half_extents);
    let (volume_a, volume_b) = (volume(a.half_extents), volume(b.half_extents));
    Shared::new((high - low).max(DVec3::ZERO).element_product().min(volume_a), volume_a, volume_b)
}

fn by_slabs(a: &Region, b: &Region) -> Shared {
    /// Normals that span less give no bound worth having.
    const FLAT: f64 = 1e-6;
    let offset = a.center - b.center;
    let width = |normal: DVec3| {
        let reach = |axes: &DMat3, half: DVec3| (axes.transpose() * normal).abs().dot(half);
        let (reach_a, reach_b) = (reach(&a.axes, a.half_extents), reach(&b.axes, b.half_extents));
        let along = offset.dot(normal);
        (reach_b.min(along + reach_a) - (-reach_b).max(along - reach_a)).max(0.0)
    };
    let normals: [DVec3; 6] = std::array::from_fn(|i| if i < 3 { a.axes.col(i) } else { b.axes.col(i - 3) });
    let widths = normals.map(width);
    let (volume_a, volume_b) = (volume(a.half_extents), volume(b.half_extents));
    let mut least = volume_a.min(volume_b);
    for i in 0..6 {
        for j in i + 1..6 {
            for k in j + 1..6 {
                let spanned = normals[i].cross(normals[j]).dot(normals[k]).abs();
                if spanned > FLAT {
                    least = least.min(widths[i] * widths[j] * widths[k] / spanned);
                }
            }
        }
    }
    Shared::new(least, volume_a, volume_b)
}

/// The lens of two balls about the regions' middles, in parts of the regions.
#[inline]
fn balls(a: &Region, b: &Region, radius_a: f64, radius_b: f64) -> Shared {
    let own = |region: &Region| match region.shape {
        Shape::Box => volume(region.half_extents),
        Shape::Ball => 4.0 / 3.0 * PI * region.half_extents.x.powi(3),
    };
    Shared::new(lens((a.center - b.center).length(), radius_a, radius_b), own(a), own(b))
}

/// The volume that two balls share.
#[must_use]
#[inline]
pub fn lens(distance: f64, radius_a: f64, radius_b: f64) -> f64 {
    let depth = radius_a + radius_b - distance;
    if depth <= 0.0 {
        return 0.0;
    }
    if distance <= (radius_a - radius_b).abs() {
        return 4.0 / 3.0 * PI * radius_a.min(radius_b).powi(3);
    }
    let sum = radius_a + radius_b;
    let difference = radius_a - radius_b;
    PI * depth * depth * (distance * (distance + 2.0 * sum) - 3.0 * difference * difference) / (12.0 * distance)
}
