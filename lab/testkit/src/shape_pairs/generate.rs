//! Single shapes with sizes of a given sort.

use super::shape::{Kind, Shape};
use crate::Point;
use crate::pose::pose_point;
use crate::rng::Rng;

/// How the sizes of a shape are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sizes {
    /// Between a tenth and two.
    Ordinary,
    /// Whole multiples of a quarter, up to two: touching shapes touch exactly.
    Grid,
    /// As `Ordinary`, but each may be zero.
    Flat,
    /// Each of its own power of ten from -300 to 298.
    Mixed,
    /// All of one power of ten.
    Decade(i32),
}

impl Sizes {
    /// One length.
    pub fn draw(self, rng: &mut Rng) -> f64 {
        match self {
            Sizes::Ordinary => 10f64.powf(rng.range(-1.0, 0.3)),
            Sizes::Grid => 0.25 * rng.integer(1, 8) as f64,
            Sizes::Flat if rng.chance(0.4) => 0.0,
            Sizes::Flat => Sizes::Ordinary.draw(rng),
            Sizes::Mixed => 10f64.powf(rng.range(-300.0, 298.0)),
            Sizes::Decade(decade) => 10f64.powi(decade / 2) * 10f64.powi(decade - decade / 2) * rng.range(1.0, 5.0),
        }
    }

    /// A coordinate of either sign.
    fn coordinate(self, rng: &mut Rng) -> f64 {
        match self {
            Sizes::Grid => 0.5 * rng.integer(-3, 3) as f64,
            Sizes::Mixed => self.draw(rng) * *rng.choice(&[-1.0, 1.0]),
            _ => self.draw(rng) * rng.range(-1.0, 1.0),
        }
    }

    fn point(self, rng: &mut Rng) -> Point {
        std::array::from_fn(|_| self.coordinate(rng))
    }

    /// Most shapes are not grown.
    fn margin(self, rng: &mut Rng) -> f64 {
        if rng.chance(0.25) { self.draw(rng) } else { 0.0 }
    }
}

impl Shape {
    /// A shape of a kind.
    pub fn random(kind: Kind, sizes: Sizes, rng: &mut Rng) -> Shape {
        match kind {
            Kind::Point => Shape::Ball { radius: 0.0 },
            Kind::Ball => Shape::Ball { radius: sizes.draw(rng) },
            Kind::Segment => Shape::Capsule { half_length: sizes.draw(rng), radius: 0.0 },
            Kind::Capsule => Shape::Capsule { half_length: sizes.draw(rng), radius: sizes.draw(rng) },
            Kind::Box => Shape::Box { half_extents: [0; 3].map(|_| sizes.draw(rng)), margin: 0.0 },
            Kind::RoundedBox => Shape::Box { half_extents: [0; 3].map(|_| sizes.draw(rng)), margin: sizes.draw(rng) },
            Kind::Triangle => triangle(sizes, rng),
            Kind::Hull => hull(sizes, rng),
            Kind::FlatHull => flat_hull(sizes, rng),
            Kind::Cylinder => {
                Shape::Cylinder { radius: sizes.draw(rng), half_height: sizes.draw(rng), margin: sizes.margin(rng) }
            }
            Kind::Cone => cone(0.0, sizes, rng),
            Kind::TruncatedCone => cone(sizes.draw(rng), sizes, rng),
            Kind::Ellipsoid => Shape::Ellipsoid { radii: [0; 3].map(|_| sizes.draw(rng)) },
            Kind::HalfSpace => half_space(sizes, rng),
        }
    }
}

fn triangle(sizes: Sizes, rng: &mut Rng) -> Shape {
    let mut corners: [Point; 3] = [0; 3].map(|_| sizes.point(rng));
    if sizes == Sizes::Flat {
        corners[2] = *rng.choice(&corners);
    }
    Shape::Triangle { corners, margin: sizes.margin(rng) }
}

fn hull(sizes: Sizes, rng: &mut Rng) -> Shape {
    let count = rng.integer(4, 24);
    let mut corners: Vec<Point> = (0..count).map(|_| sizes.point(rng)).collect();
    if rng.chance(0.2) {
        corners.push(corners[0]);
    }
    Shape::Hull { corners, margin: sizes.margin(rng) }
}

/// In a plane along two axes exactly, or in any plane up to rounding.
fn flat_hull(sizes: Sizes, rng: &mut Rng) -> Shape {
    let count = rng.integer(3, 12);
    let height = if rng.chance(0.5) { 0.0 } else { sizes.coordinate(rng) };
    let mut corners: Vec<Point> = (0..count)
        .map(|_| {
            let [x, y, _] = sizes.point(rng);
            [x, y, height]
        })
        .collect();
    let turned = sizes != Sizes::Grid && rng.chance(0.4);
    if turned {
        let rotation = rng.rotation();
        corners = corners.into_iter().map(|corner| pose_point(&rotation, &[0.0; 3], corner)).collect();
    }
    Shape::Hull { corners, margin: sizes.margin(rng) }
}

fn cone(top_radius: f64, sizes: Sizes, rng: &mut Rng) -> Shape {
    let (bottom_radius, half_height) = (sizes.draw(rng), sizes.draw(rng));
    Shape::Cone { bottom_radius, top_radius, half_height, margin: sizes.margin(rng) }
}

fn half_space(sizes: Sizes, rng: &mut Rng) -> Shape {
    let along_axis = sizes == Sizes::Grid || rng.chance(0.4);
    let normal = if along_axis { axis_direction(rng) } else { rng.unit_vector() };
    let offset = if rng.chance(0.5) { 0.0 } else { sizes.coordinate(rng) };
    Shape::HalfSpace { normal, offset }
}

/// One of the six directions along the axes.
pub(crate) fn axis_direction(rng: &mut Rng) -> Point {
    let mut direction = [0.0; 3];
    direction[rng.below(3)] = *rng.choice(&[-1.0, 1.0]);
    direction
}
