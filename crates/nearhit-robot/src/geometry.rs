//! The geometry of links, as the file has it.

use nearhit::Pose;
use std::path::PathBuf;

/// A shape of a link, in its own frame.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Geometry {
    /// A box about its origin.
    Box {
        /// Full lengths of its sides.
        size: [f64; 3],
    },
    /// A cylinder about its origin, along z.
    Cylinder {
        /// The radius.
        radius: f64,
        /// From one flat end to the other.
        length: f64,
    },
    /// A ball about its origin.
    Sphere {
        /// The radius.
        radius: f64,
    },
    /// A cylinder along z with a half ball at each end.
    Capsule {
        /// The radius.
        radius: f64,
        /// Of the cylinder, without the half balls.
        length: f64,
    },
    /// A file with triangles.
    Mesh {
        /// As in the file.
        address: String,
        /// Where the file is.
        path: PathBuf,
        /// Factors of x, y and z, applied after the file's unit is changed to metres. A product
        /// below 0 mirrors.
        scale: [f64; 3],
    },
}

/// A geometry of a link: for collision, or visual.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LinkGeometry {
    /// Its own name, if it has one.
    pub name: Option<String>,
    /// Where it is on the link.
    pub link_from_geometry: Pose,
    /// What it is.
    pub geometry: Geometry,
    /// Number of the line in the URDF, from 1.
    pub line: usize,
}
