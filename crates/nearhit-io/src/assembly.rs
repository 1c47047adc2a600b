//! Assemblies: shapes, and parts that are shapes put in a place. Parts that look the same share a
//! shape.

use crate::units::Units;
use nearhit::{Pose, RawMesh};

/// What a file shows, with every shape once.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Assembly {
    /// Meshes in frames of their own. One may have no triangles.
    pub shapes: Vec<RawMesh>,
    /// In the order of the file.
    pub parts: Vec<PlacedPart>,
    /// What the file says about the numbers of both.
    pub units: Units,
}

/// A shape in its place.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlacedPart {
    /// No other part of the file has the same.
    pub name: String,
    /// Which of the shapes.
    pub shape: usize,
    /// Where it is.
    pub world_from_shape: Pose,
}
