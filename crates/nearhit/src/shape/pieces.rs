//! Shapes of many convex pieces (point cloud, height field, octree, mesh), as trees that any two of
//! can be descended together.

use super::core::Core;
use super::half_space::Plane;
use super::{height_field::HeightField, octree::Octree, point_cloud::PointCloud};
use crate::model::Model;
use crate::packed::{MAX_PACKED, Packed};
use glam::DVec3;

/// A node of a tree or a piece, in a box along the axes of the tree's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) place: Place,
    /// The middle of the box around the pieces' cores, and half of its sizes, rounded outwards.
    pub(super) middle: DVec3,
    pub(super) half: DVec3,
    /// No piece is grown by more, but for the shape's margin.
    pub(super) radius: f64,
}

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// A node, by a number that its tree understands.
    Node(u64),
    /// A piece, by index.
    Piece(u32),
}

/// A set of convex pieces with a tree over it, in its own frame.
pub(super) trait Pieces {
    /// The whole tree.
    fn root(&self) -> Part;

    /// Adds what a node holds.
    fn open(&self, node: u64, found: &mut Vec<Part>);

    /// The core of a piece.
    fn core(&self, piece: u32) -> Core<'_>;

    /// How many pieces there are.
    fn len(&self) -> usize;

    /// No coordinate of a core is larger.
    fn reach(&self) -> f64;

    /// What a piece is grown by, without the shape's margin.
    fn radius(&self, _piece: u32) -> f64 {
        0.0
    }

    /// The largest of the radii.
    fn largest_radius(&self) -> f64 {
        0.0
    }
}

/// A box around all pieces with their radii: its middle and half of its sizes.
pub(super) fn bounds(pieces: &impl Pieces) -> (DVec3, DVec3) {
    let root = pieces.root();
    (root.middle, (root.half + root.radius).to_array().map(f64::next_up).into())
}

/// One side of a pair: what a shape is made of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Set<'s> {
    /// A convex shape: one piece.
    One(Core<'s>),
    /// In the frame of the pair.
    HalfSpace(Plane),
    /// True if it is a solid.
    Mesh(&'s Model, bool),
    Cloud(&'s PointCloud),
    Field(&'s HeightField),
    Cells(&'s Octree),
}

impl Set<'_> {
    pub(super) fn root(&self) -> Part {
        let whole = |middle: DVec3, half: DVec3, place: Place| Part { place, middle, half, radius: 0.0 };
        match self {
            Self::One(core) => {
                let (middle, half) = core.bounds();
                whole(middle, half, Place::Piece(0))
            }
            Self::HalfSpace(_) => whole(DVec3::ZERO, DVec3::ZERO, Place::Piece(0)),
            Self::Mesh(model, _) => {
                let size = model.mesh().max_coordinate();
                whole(DVec3::ZERO, DVec3::splat(size), Place::Node(0))
            }
            Self::Cloud(cloud) => cloud.root(),
            Self::Field(field) => field.root(),
            Self::Cells(cells) => cells.root(),
        }
    }

    pub(super) fn open(&self, node: u64, found: &mut Vec<Part>) {
        match self {
            Self::One(_) | Self::HalfSpace(_) => {}
            Self::Mesh(model, _) => open_mesh(model, node, found),
            Self::Cloud(cloud) => cloud.open(node, found),
            Self::Field(field) => field.open(node, found),
            Self::Cells(cells) => cells.open(node, found),
        }
    }

    /// The core of a piece, in the set's frame. A half-space has none.
    #[inline]
    pub(super) fn core(&self, piece: u32) -> Core<'_> {
        match self {
            Self::One(core) => *core,
            Self::HalfSpace(_) => Core::Point(DVec3::ZERO),
            Self::Mesh(model, _) => Core::Triangle(model.mesh().triangle(piece)),
            Self::Cloud(cloud) => cloud.core(piece),
            Self::Field(field) => field.core(piece),
            Self::Cells(cells) => cells.core(piece),
        }
    }

    /// What a piece is grown by, without the shape's margin.
    #[inline]
    pub(super) fn radius(&self, piece: u32) -> f64 {
        match self {
            Self::Cloud(cloud) => cloud.radius(piece),
            _ => 0.0,
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::One(_) | Self::HalfSpace(_) => 1,
            Self::Mesh(model, _) => model.mesh().triangles().len(),
            Self::Cloud(cloud) => cloud.len(),
            Self::Field(field) => field.len(),
            Self::Cells(cells) => cells.len(),
        }
    }

    /// No length is larger: coordinates of cores and radii.
    pub(super) fn size(&self) -> f64 {
        match self {
            Self::One(core) => core.reach(),
            Self::HalfSpace(plane) => plane.level().abs(),
            Self::Mesh(model, _) => model.mesh().max_coordinate(),
            Self::Cloud(cloud) => cloud.reach() + cloud.largest_radius(),
            Self::Field(field) => field.reach(),
            Self::Cells(cells) => cells.reach(),
        }
    }

    pub(super) fn plane(&self) -> Option<&Plane> {
        match self {
            Self::HalfSpace(plane) => Some(plane),
            _ => None,
        }
    }

    /// A mesh that is a solid.
    pub(super) fn solid(&self) -> Option<&Model> {
        match self {
            Self::Mesh(model, true) => Some(model),
            _ => None,
        }
    }
}

fn open_mesh(model: &Model, node: u64, found: &mut Vec<Part>) {
    let triangle = |index: u32| {
        let (middle, half) = super::core::around(&model.mesh().triangle(index));
        Part { place: Place::Piece(index), middle, half, radius: 0.0 }
    };
    let small = model.mesh().max_coordinate() <= MAX_PACKED;
    let Some(tree) = model.point_tree().filter(|_| small) else {
        found.extend((0..model.mesh().triangles().len() as u32).map(triangle));
        return;
    };
    for opened in Packed::opened(tree, node as u32) {
        match opened {
            Ok((node, middle, half)) => {
                found.push(Part { place: Place::Node(node.into()), middle, half, radius: 0.0 });
            }
            Err(index) => found.push(triangle(index)),
        }
    }
}
