//! Shapes in their local frames, and what they are as solids.

use crate::Point;
use crate::convex::{Core, Frame, Solid};
use crate::pose::{IDENTITY, Rows, pose_point, transposed};
use crate::vector::{along, dot, length};

/// The kinds of shapes that pairs are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A ball without a radius.
    Point,
    /// A ball.
    Ball,
    /// A capsule without a radius.
    Segment,
    /// A capsule.
    Capsule,
    /// A box.
    Box,
    /// A box grown by a radius.
    RoundedBox,
    /// A triangle, one in four grown by a radius.
    Triangle,
    /// A hull of 4 to 24 points, one in four grown by a radius.
    Hull,
    /// A hull of 3 to 12 points in one plane.
    FlatHull,
    /// A cylinder, one in four grown by a radius.
    Cylinder,
    /// A cone with a tip.
    Cone,
    /// A truncated cone.
    TruncatedCone,
    /// An ellipsoid.
    Ellipsoid,
    /// A half-space.
    HalfSpace,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 14] = [
        Kind::Point,
        Kind::Ball,
        Kind::Segment,
        Kind::Capsule,
        Kind::Box,
        Kind::RoundedBox,
        Kind::Triangle,
        Kind::Hull,
        Kind::FlatHull,
        Kind::Cylinder,
        Kind::Cone,
        Kind::TruncatedCone,
        Kind::Ellipsoid,
        Kind::HalfSpace,
    ];

    /// Whether exact arithmetic decides all about it: hulls of points, grown or not, and
    /// half-spaces.
    pub fn is_flat(self) -> bool {
        !matches!(self, Kind::Cylinder | Kind::Cone | Kind::TruncatedCone | Kind::Ellipsoid)
    }
}

/// A shape in its local frame. Margins grow it by a ball.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// About the origin.
    Ball {
        /// May be zero.
        radius: f64,
    },
    /// All points within `radius` of the segment from `(0, 0, -half_length)` to `(0, 0,
    /// half_length)`.
    Capsule {
        /// Of the segment.
        half_length: f64,
        /// May be zero.
        radius: f64,
    },
    /// About the origin, along the axes.
    Box {
        /// Before it is grown.
        half_extents: Point,
        /// The radius of its rounding.
        margin: f64,
    },
    /// Three corners.
    Triangle {
        /// May coincide.
        corners: [Point; 3],
        /// The radius of its rounding.
        margin: f64,
    },
    /// The hull of points.
    Hull {
        /// In any order, inner ones and duplicates among them.
        corners: Vec<Point>,
        /// The radius of its rounding.
        margin: f64,
    },
    /// About the origin, its axis along z.
    Cylinder {
        /// Of its discs.
        radius: f64,
        /// Of its axis.
        half_height: f64,
        /// The radius of its rounding.
        margin: f64,
    },
    /// Its axis along z, its base at `-half_height`, its tip or top at `half_height`.
    Cone {
        /// Of its base.
        bottom_radius: f64,
        /// Of its top; zero for a tip.
        top_radius: f64,
        /// Of its axis.
        half_height: f64,
        /// The radius of its rounding.
        margin: f64,
    },
    /// About the origin.
    Ellipsoid {
        /// Along x, y and z.
        radii: Point,
    },
    /// All points with `normal * x <= offset`.
    HalfSpace {
        /// Of about unit length.
        normal: Point,
        /// In units of the normal's length.
        offset: f64,
    },
}

impl Shape {
    /// The solid that it is in its own frame.
    pub fn solid(&self) -> Solid {
        let margin = self.margin();
        let frame = Frame { center: [0.0; 3], axes: IDENTITY };
        let core = match *self {
            Shape::HalfSpace { normal, offset } => Core::HalfSpace { normal, offset },
            _ => self.curved(frame).unwrap_or_else(|| Core::Points(self.corners())),
        };
        Solid { core, margin }
    }

    /// The solid that it is when posed.
    pub fn posed(&self, rotation: &Rows, translation: &Point) -> Solid {
        let frame = Frame { center: *translation, axes: transposed(rotation) };
        let posed = |corner| pose_point(rotation, translation, corner);
        let core = match *self {
            Shape::HalfSpace { normal, offset } => {
                let (normal, offset) = pose_plane(rotation, translation, normal, offset);
                Core::HalfSpace { normal, offset }
            }
            _ => self.curved(frame).unwrap_or_else(|| Core::Points(self.corners().into_iter().map(posed).collect())),
        };
        Solid { core, margin: self.margin() }
    }

    fn curved(&self, frame: Frame) -> Option<Core> {
        match *self {
            Shape::Cylinder { radius, half_height, .. } => Some(Core::Cylinder { frame, radius, half_height }),
            Shape::Cone { bottom_radius, top_radius, half_height, .. } => {
                Some(Core::Frustum { frame, bottom_radius, top_radius, half_height })
            }
            Shape::Ellipsoid { radii } => Some(Core::Ellipsoid { frame, radii }),
            _ => None,
        }
    }

    /// The radius by which the core is grown.
    pub fn margin(&self) -> f64 {
        match *self {
            Shape::Ball { radius } | Shape::Capsule { radius, .. } => radius,
            Shape::Box { margin, .. }
            | Shape::Triangle { margin, .. }
            | Shape::Hull { margin, .. }
            | Shape::Cylinder { margin, .. }
            | Shape::Cone { margin, .. } => margin,
            Shape::Ellipsoid { .. } | Shape::HalfSpace { .. } => 0.0,
        }
    }

    /// The corners of the core in the local frame; none of what is curved or endless.
    pub fn corners(&self) -> Vec<Point> {
        match self {
            Shape::Ball { .. } => vec![[0.0; 3]],
            Shape::Capsule { half_length, .. } => vec![[0.0, 0.0, -half_length], [0.0, 0.0, *half_length]],
            Shape::Box { half_extents, .. } => {
                (0..8)
                    .map(|corner| {
                        std::array::from_fn(|axis| {
                            if corner >> axis & 1 == 1 { half_extents[axis] } else { -half_extents[axis] }
                        })
                    })
                    .collect()
            }
            Shape::Triangle { corners, .. } => corners.to_vec(),
            Shape::Hull { corners, .. } => corners.clone(),
            _ => Vec::new(),
        }
    }

    /// A point of the shape that lies farthest along a unit vector, about right: for generators.
    pub(crate) fn support(&self, direction: Point) -> Point {
        let core = match *self {
            Shape::Cylinder { radius, half_height, .. } => {
                disc_support(direction, radius, half_height.copysign(direction[2]))
            }
            Shape::Cone { bottom_radius, top_radius, half_height, .. } => {
                let top = disc_support(direction, top_radius, half_height);
                let bottom = disc_support(direction, bottom_radius, -half_height);
                if dot(top, direction) >= dot(bottom, direction) { top } else { bottom }
            }
            Shape::Ellipsoid { radii } => {
                let stretched: Point = std::array::from_fn(|axis| radii[axis] * direction[axis]);
                let largest = stretched.iter().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
                let scaled = stretched.map(|x| x / largest);
                let norm = length(scaled).max(f64::MIN_POSITIVE);
                std::array::from_fn(|axis| radii[axis] * (scaled[axis] / norm))
            }
            Shape::HalfSpace { normal, offset } => normal.map(|x| x * offset),
            _ => farthest(&self.corners(), direction),
        };
        along(core, direction, self.margin())
    }
}

fn farthest(corners: &[Point], direction: Point) -> Point {
    let higher = |best: Point, next: &Point| if dot(*next, direction) > dot(best, direction) { *next } else { best };
    corners.iter().fold(corners[0], higher)
}

fn disc_support(direction: Point, radius: f64, height: f64) -> Point {
    let across = direction[0].hypot(direction[1]);
    if across == 0.0 {
        return [0.0, 0.0, height];
    }
    [direction[0] / across * radius, direction[1] / across * radius, height]
}

/// The plane of a posed half-space, each operation rounded on its own: the rotated normal, and the
/// offset grown by the product of that normal and the translation.
pub fn pose_plane(rotation: &Rows, translation: &Point, normal: Point, offset: f64) -> (Point, f64) {
    let normal = pose_point(rotation, &[0.0; 3], normal);
    let [x, y, z] = [0, 1, 2].map(|axis| normal[axis] * translation[axis]);
    let shift = x + y;
    let shift = shift + z;
    (normal, shift + offset)
}
