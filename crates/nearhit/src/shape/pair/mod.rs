//! Two shapes, placed: the questions of a pair of meshes, for any two shapes.

mod distance;
mod margins;
mod meshes;
mod over_plane;
mod penetration;
mod short_cut;
mod within;

pub(super) use distance::{Separation, separation};
pub(super) use margins::Margins;
pub(super) use over_plane::{plane_distance, plane_penetration, plane_within};
pub use penetration::Penetration;
pub(super) use penetration::convex_penetration;
pub(super) use within::{Near, convex_within};

use super::convex::{Bodies, Body};
use super::half_space::Plane;
use super::mesh::MeshSide;
use super::pieces::Pieces;
use super::sets::Sets;
use super::{Kind, Shape};
use crate::error::{MAX_COORDINATE, QueryError};
use crate::pose::Pose;
use crate::query::{Distance, Pair};
use crate::solid::Side;
use crate::traverse::Stats;
use glam::DVec3;
use meshes::Meshes;

/// Two shapes and how they lie: what a question is asked of. All points and directions are in a's
/// frame.
#[doc(alias = "narrow phase")]
#[doc(alias = "GJK")]
#[derive(Debug, Clone, Copy)]
pub struct ShapePair<'s> {
    pub(in crate::shape) a: &'s Shape,
    pub(in crate::shape) b: &'s Shape,
    pub(in crate::shape) a_from_b: Pose,
}

/// Which two kinds meet.
pub(in crate::shape) enum Case<'s> {
    Convex(Bodies<'s>),
    /// A half-space, and a convex shape; true if the half-space is b.
    Below(Plane, Body<'s>, bool),
    HalfSpaces(Plane, Plane),
    Meshes(Meshes<'s>),
    /// A mesh, and a convex shape.
    Mesh(MeshSide<'s>, Body<'s>),
    /// A mesh over a half-space.
    MeshBelow(MeshSide<'s>, Plane),
    /// A point cloud, height field or octree, and anything.
    Sets(Sets<'s>),
}

impl<'s> ShapePair<'s> {
    /// Two shapes, each placed in the world.
    ///
    /// Errors: the two are meshes with trees of different volumes, or a coordinate of b in a's
    /// frame exceeds 1e300.
    pub fn new(a: &'s Shape, world_from_a: &Pose, b: &'s Shape, world_from_b: &Pose) -> Result<Self, QueryError> {
        Self::relative(a, b, &Pose::a_from_b(world_from_a, world_from_b))
    }

    /// Two shapes, b placed in a's frame.
    #[inline]
    pub fn relative(a: &'s Shape, b: &'s Shape, a_from_b: &Pose) -> Result<Self, QueryError> {
        let translation = a_from_b.translation();
        if !(translation.abs().max_element() <= MAX_COORDINATE) {
            let beyond = translation.to_array().into_iter().find(|value| !(value.abs() <= MAX_COORDINATE));
            return Err(QueryError::TooFarApart { value: beyond.unwrap_or(translation.x) });
        }
        let pair = Self { a, b, a_from_b: *a_from_b };
        match (a.kind(), b.kind()) {
            (Kind::Mesh { model: a, .. }, Kind::Mesh { model: b, .. }) => {
                Pair::relative(a, b, a_from_b)?;
            }
            (_, Kind::HalfSpace(plane)) => {
                let value = plane.posed(a_from_b).level();
                if !(value.abs() <= MAX_COORDINATE) {
                    return Err(QueryError::TooFarApart { value });
                }
            }
            _ => pair.check_reach()?,
        }
        Ok(pair)
    }

    fn check_reach(&self) -> Result<(), QueryError> {
        let (reach, points) = match self.b.kind() {
            Kind::Mesh { model, .. } => (model.mesh().max_coordinate(), model.mesh().vertices()),
            Kind::Corners(corners) => (self.b.core().map_or(0.0, |core| core.reach()), corners.points()),
            Kind::Cloud(cloud) => (cloud.reach(), cloud.points()),
            Kind::Field(field) => (field.reach(), &[][..]),
            Kind::Cells(cells) => (cells.reach(), &[][..]),
            _ => (self.b.core().map_or(0.0, |core| core.reach()), &[][..]),
        };
        let largest = 2.0 * reach + self.a_from_b.translation().abs().max_element();
        if largest <= MAX_COORDINATE {
            return Ok(());
        }
        if points.is_empty() {
            return Err(QueryError::TooFarApart { value: largest });
        }
        for (vertex, &point) in points.iter().enumerate() {
            let moved = self.a_from_b.apply(point).to_array();
            if let Some(&value) = moved.iter().find(|value| !(value.abs() <= MAX_COORDINATE)) {
                return Err(QueryError::PosedTooLarge { vertex, value });
            }
        }
        Ok(())
    }

    /// Shape a.
    #[must_use]
    pub fn a(&self) -> &'s Shape {
        self.a
    }

    /// Shape b.
    #[must_use]
    pub fn b(&self) -> &'s Shape {
        self.b
    }

    /// The pose that the questions are asked in.
    #[must_use]
    pub fn a_from_b(&self) -> &Pose {
        &self.a_from_b
    }

    #[inline]
    pub(in crate::shape) fn case(&self) -> Case<'s> {
        let pose = &self.a_from_b;
        match (self.a.kind(), self.b.kind()) {
            (Kind::Cloud(_) | Kind::Field(_) | Kind::Cells(_), _)
            | (_, Kind::Cloud(_) | Kind::Field(_) | Kind::Cells(_)) => Case::Sets(Sets::new(self.a, self.b, pose)),
            (Kind::HalfSpace(a), Kind::HalfSpace(b)) => Case::HalfSpaces(*a, b.posed(pose)),
            (Kind::Mesh { model: a, is_solid: of_a }, Kind::Mesh { model: b, is_solid: of_b }) => {
                Case::Meshes(Meshes { a, b, is_solid: [*of_a, *of_b] })
            }
            (Kind::Mesh { model: a, .. }, Kind::HalfSpace(b)) => Case::MeshBelow(MeshSide::a(a, false), b.posed(pose)),
            (Kind::HalfSpace(a), Kind::Mesh { model: b, .. }) => Case::MeshBelow(MeshSide::b(b, pose, false), *a),
            (Kind::HalfSpace(a), _) => Case::Below(*a, self.posed_b(), false),
            (_, Kind::HalfSpace(b)) => Case::Below(b.posed(pose), self.own_a(), true),
            (Kind::Mesh { model, is_solid }, _) => Case::Mesh(MeshSide::a(model, *is_solid), self.posed_b()),
            (_, Kind::Mesh { model, is_solid }) => Case::Mesh(MeshSide::b(model, pose, *is_solid), self.own_a()),
            _ => Case::Convex(Bodies::new(self.own_a(), self.posed_b())),
        }
    }

    /// Two convex shapes, without a way through all other cases.
    #[inline]
    fn bodies(&self) -> Option<Bodies<'s>> {
        Some(Bodies::posed(self.a.core()?, self.b.core()?, &self.a_from_b))
    }

    #[inline]
    fn own_a(&self) -> Body<'s> {
        Body::own(self.a.core().unwrap_or(super::core::Core::Point(DVec3::ZERO)))
    }

    #[inline]
    fn posed_b(&self) -> Body<'s> {
        Body::posed(self.b.core().unwrap_or(super::core::Core::Point(DVec3::ZERO)), &self.a_from_b)
    }

    /// What the shapes are grown by.
    #[inline]
    pub(in crate::shape) fn margins(&self) -> Margins {
        Margins { a: self.a.margin(), b: self.b.margin() }
    }

    /// A direction from a to b of length one, in a's frame, and how far the shapes are apart along
    /// it at least, given their distance: for convex shapes that are apart.
    pub(crate) fn separating_direction(&self, found: &Distance) -> Option<(DVec3, f64)> {
        let margins = self.margins();
        match self.case() {
            Case::Convex(bodies) => {
                let away = found.on_b - found.on_a;
                let length = crate::vector::length(away);
                let direction = (length > 0.0).then(|| away / length)?;
                let [high, low] = [bodies.a.lowest(-direction), bodies.b.lowest(direction)];
                let gap = low.dot(direction) - high.dot(direction);
                let rounding = 32.0 * f64::EPSILON * (bodies.a.size() + bodies.b.size() + margins.up());
                Some((direction, gap - margins.up() - rounding - f64::MIN_POSITIVE))
            }
            Case::Below(plane, _, flipped) => Some((if flipped { -plane.normal } else { plane.normal }, found.lower)),
            Case::MeshBelow(mesh, plane) => {
                Some((if mesh.other() == Side::A { plane.normal } else { -plane.normal }, found.lower))
            }
            _ => None,
        }
    }

    /// Makes what meshes make on first use.
    pub(crate) fn prepare(&self) {
        if let Case::Meshes(meshes) = self.case() {
            self.surfaces(&meshes).prepare();
        }
        for shape in [self.a, self.b] {
            if let Some(model) = shape.model() {
                let _made = model.point_tree();
                if shape.is_solid() {
                    let _made = model.inside();
                }
            }
        }
    }
}

const ONE: Stats = Stats { volume_tests: 0, triangle_tests: 1, updates: 0 };
