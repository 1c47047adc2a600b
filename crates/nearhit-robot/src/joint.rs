//! Joints: what they are, and how they move.

use glam::{DMat3, DQuat, DVec3};
use nearhit::Pose;

/// How a joint moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JointKind {
    /// Not at all.
    Fixed,
    /// Turns about its axis, within limits: one coordinate, an angle.
    Revolute,
    /// Turns about its axis without limits: one coordinate, an angle.
    Continuous,
    /// Slides along its axis, within limits: one coordinate, a length.
    Prismatic,
    /// Slides in the plane across its axis and turns about it: three coordinates, x, y and an
    /// angle. x and y are those of the joint's frame, turned the shortest way so that z is the
    /// axis; an axis of -z is turned about x.
    Planar,
    /// Moves freely: seven coordinates, a point x, y, z and a quaternion qx, qy, qz, qw of length
    /// 1.
    Floating,
}

impl JointKind {
    pub(crate) const NAMES: &str = "fixed, revolute, continuous, prismatic, planar, floating";

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Fixed, Self::Revolute, Self::Continuous, Self::Prismatic, Self::Planar, Self::Floating];
        all.into_iter().find(|kind| kind.name() == name)
    }

    /// As in a URDF.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute => "revolute",
            Self::Continuous => "continuous",
            Self::Prismatic => "prismatic",
            Self::Planar => "planar",
            Self::Floating => "floating",
        }
    }

    /// How many numbers of a configuration belong to it.
    #[must_use]
    pub fn coordinates(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute | Self::Continuous | Self::Prismatic => 1,
            Self::Planar => 3,
            Self::Floating => 7,
        }
    }

    /// How many directions it can move in.
    #[must_use]
    pub fn velocities(self) -> usize {
        if self == Self::Floating { 6 } else { self.coordinates() }
    }

    /// Names of its coordinates after the joint's.
    pub(crate) fn suffixes(self) -> &'static [&'static str] {
        match self {
            Self::Fixed => &[],
            Self::Revolute | Self::Continuous | Self::Prismatic => &[""],
            Self::Planar => &["/x", "/y", "/angle"],
            Self::Floating => &["/x", "/y", "/z", "/qx", "/qy", "/qz", "/qw"],
        }
    }
}

/// Joint limits: the element `<limit>`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// Smallest coordinate: an angle or a length.
    pub lower: f64,
    /// Largest coordinate.
    pub upper: f64,
    /// Largest speed; 0 if the file does not say.
    pub velocity: f64,
    /// Largest force or torque; 0 if the file does not say.
    pub effort: f64,
}

/// A coordinate that follows another: `multiplier * q + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Mimic {
    /// The joint that is followed. It follows none itself: chains are resolved.
    pub joint: usize,
    /// The factor.
    pub multiplier: f64,
    /// What is added.
    pub offset: f64,
}

/// A joint between two links.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Joint {
    /// No other joint of the robot has the same.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// Index of the link it is on.
    pub parent: usize,
    /// Index of the link that it moves.
    pub child: usize,
    /// Where it is on its parent.
    pub parent_from_joint: Pose,
    /// What it turns about or slides along, of length 1, in the joint's frame.
    pub axis: [f64; 3],
    /// What its coordinate may be.
    pub limits: Option<Limits>,
    /// Whether its coordinate follows another.
    pub mimic: Option<Mimic>,
    /// Index of its first coordinate in a configuration, unless it has none of its own.
    pub first_coordinate: Option<usize>,
    /// Index of its first velocity, unless it has none of its own.
    pub first_velocity: Option<usize>,
    /// Number of the line in the URDF, from 1.
    pub line: usize,
}

impl Joint {
    pub(crate) fn unit_axis(&self) -> DVec3 {
        DVec3::from(self.axis)
    }

    /// Where the child is in the frame of a joint of several coordinates. There must be as many as
    /// the kind has; a quaternion must be of length 1, near enough.
    pub(crate) fn motion(&self, q: &[f64]) -> Pose {
        let motion = match (self.kind, q) {
            (JointKind::Planar, &[x, y, angle]) => self.planar(x, y, angle),
            (JointKind::Floating, &[x, y, z, qx, qy, qz, qw]) => Pose::from_quaternion([qx, qy, qz, qw], [x, y, z]),
            _ => Ok(Pose::IDENTITY),
        };
        // Coordinates are finite and quaternions of length 1: both were checked with the
        // configuration.
        motion.unwrap_or(Pose::IDENTITY)
    }

    fn planar(&self, x: f64, y: f64, angle: f64) -> Result<Pose, nearhit::PoseError> {
        let [along_x, along_y] = self.plane();
        let place = along_x * x + along_y * y;
        let turn = turned(self.unit_axis(), angle)?;
        Ok(Pose::from_translation(place.to_array())? * turn)
    }

    /// The two directions in which a planar joint slides, in the joint's frame.
    pub(crate) fn plane(&self) -> [DVec3; 2] {
        let axis = self.unit_axis();
        let turn = if axis.z < -0.999_999_999 {
            DMat3::from_diagonal(DVec3::new(1.0, -1.0, -1.0))
        } else {
            DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Z, axis))
        };
        [turn.x_axis, turn.y_axis]
    }
}

/// A rotation about an axis of length 1.
fn turned(axis: DVec3, angle: f64) -> Result<Pose, nearhit::PoseError> {
    let (sine, cosine) = (0.5 * angle).sin_cos();
    let [x, y, z] = (axis * sine).to_array();
    Pose::from_quaternion([x, y, z, cosine], [0.0; 3])
}
