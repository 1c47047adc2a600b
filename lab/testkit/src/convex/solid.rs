//! Convex solids in plain numbers.

use crate::Point;

/// An affine map: `center + axes[0] * x + axes[1] * y + axes[2] * z`, of real numbers.
///
/// The axes are the columns of a matrix. They are used as they are, neither made orthogonal nor of
/// unit length, so that a posed body is the exact image of the local one under the given doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The image of the origin.
    pub center: Point,
    /// The images of the unit vectors.
    pub axes: [Point; 3],
}

/// What a solid is before it is grown. The curved ones are about the origin of their frame, their
/// axis along its z.
#[derive(Clone, Debug, PartialEq)]
pub enum Core {
    /// The hull of points: point, segment, triangle, box, any polytope. Not empty.
    Points(Vec<Point>),
    /// `x^2 + y^2 <= radius^2`, `|z| <= half_height`; a disc when that is zero.
    Cylinder {
        /// Where it is.
        frame: Frame,
        /// Of the discs.
        radius: f64,
        /// Of the axis.
        half_height: f64,
    },
    /// The hull of a disc at `z = -half_height` and one at `z = half_height`; a cone when the upper
    /// radius is zero.
    Frustum {
        /// Where it is.
        frame: Frame,
        /// Of the disc at `-half_height`.
        bottom_radius: f64,
        /// Of the disc at `half_height`.
        top_radius: f64,
        /// Of the axis.
        half_height: f64,
    },
    /// The image of the unit ball stretched by the radii.
    Ellipsoid {
        /// Where it is.
        frame: Frame,
        /// Along x, y and z.
        radii: Point,
    },
    /// All points with `normal * x <= offset`.
    HalfSpace {
        /// Outwards, not zero, of any length.
        normal: Point,
        /// In units of the normal's length.
        offset: f64,
    },
}

/// A convex solid: a core grown by a ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// What is grown.
    pub core: Core,
    /// The radius of the ball; not negative.
    pub margin: f64,
}

impl Solid {
    /// Whether exact arithmetic decides all about it: a hull or half-space.
    pub fn is_flat(&self) -> bool {
        matches!(self.core, Core::Points(_) | Core::HalfSpace { .. })
    }
}
