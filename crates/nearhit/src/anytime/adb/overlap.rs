//! How much of two regions lies in both? (§3.6)
//!
//! Exact for balls. For boxes there are several ways, none of them exact; which is best was
//! measured (`nearhit-papers adb`).

use crate::volume::region::{Region, Shape};
use glam::{DMat3, DVec3, Mat3A, Vec3A};
use std::f64::consts::PI;

/// Ways to estimate what two boxes share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overlap {
    /// The share of each box between every two opposite sides of the other one, multiplied as if
    /// they had nothing to do with each other; the geometric mean of both views. Right for boxes
    /// along each other's axes.
    #[default]
    Shares,
    /// The paper's max{V1, V2, V3}, which looks at sizes and distance alone; balls around boxes of
    /// different size. It is not the upper bound that the paper takes it for.
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

/// Lengths from 1 / FAR to FAR have squares in single precision.
const FAR: f32 = 1e15;

/// In a unit of their own, where lengths are too large or too small.
#[cold]
fn by_shares_far(a: &Region, b: &Region) -> Shared {
    let unit = a.half_extents.max_element().max(b.half_extents.max_element());
    let scaled = |region: &Region| Region {
        center: (region.center - b.center) / unit,
        half_extents: (region.half_extents / unit).max(DVec3::splat(2.0 / f64::from(FAR))),
        ..*region
    };
    if unit > 0.0 { by_shares(&scaled(a), &scaled(b)) } else { Shared::NOTHING }
}

/// In single precision: it is an estimate, and three sides fit into a register.
#[inline]
fn by_shares(a: &Region, b: &Region) -> Shared {
    let (half_a, half_b) = (a.half_extents.as_vec3a(), b.half_extents.as_vec3a());
    if (half_a.min(half_b).cmplt(Vec3A::splat(1.0 / FAR)) | half_a.max(half_b).cmpgt(Vec3A::splat(FAR))).any() {
        return by_shares_far(a, b);
    }
    let to_b = narrowed(&b.axes).transpose();
    let b_from_a = to_b * narrowed(&a.axes);
    let a_from_b = b_from_a.transpose();
    let offset_b = to_b * (a.center - b.center).as_vec3a();
    let of_a = between_sides(offset_b, &b_from_a, half_a, half_b);
    let of_b = between_sides(a_from_b * offset_b, &a_from_b, half_b, half_a);
    let both = f64::from(of_a.element_product() * of_b.element_product());
    if both > 0.0 {
        let ratio = b.half_extents.element_product() / a.half_extents.element_product();
        let of_a = (both * ratio).sqrt();
        Shared { of_a: of_a.min(1.0), of_b: (of_a / ratio).min(1.0) }
    } else {
        Shared::NOTHING
    }
}

#[inline]
fn narrowed(axes: &DMat3) -> Mat3A {
    Mat3A::from_cols(axes.x_axis.as_vec3a(), axes.y_axis.as_vec3a(), axes.z_axis.as_vec3a())
}

/// The share of a box between each two opposite sides of another one that are `limits` from its
/// middle. The box's middle is at `offset`, its axes are the columns of `rotation`.
///
/// Along a normal its points are spread like the sum of three uniform variables. The two smaller
/// ones are taken for one of about the same variance: a trapezoid, whose integral is a difference
/// of squares.
#[inline]
fn between_sides(offset: Vec3A, rotation: &Mat3A, half: Vec3A, limits: Vec3A) -> Vec3A {
    let x = rotation.x_axis.abs() * half.x;
    let y = rotation.y_axis.abs() * half.y;
    let z = rotation.z_axis.abs() * half.z;
    let widest = x.max(y).max(z);
    let least = x.min(y).min(z);
    let middle = x + y + z - widest - least;
    // √(middle² + least²) to 4 %, without the root.
    let others = middle.max(0.96 * middle + 0.398 * least);
    let wide = widest.max(others);
    // Never quite a rectangle, which would divide nothing by nothing.
    let narrow = widest.min(others).max(1e-3 * wide);
    let (reach, flat) = (wide + narrow, wide - narrow);
    let square = |x: Vec3A| {
        let x = x.max(Vec3A::ZERO);
        x * x
    };
    let below = |x: Vec3A| {
        let x = x.min(reach).max(-reach);
        square(x + reach) - square(x + flat) - square(x - flat)
    };
    (below(limits - offset) - below(-limits - offset)).max(Vec3A::ZERO) / (8.0 * wide * narrow)
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
