//! What the tool moves among: parts, stock, fixtures, the machine.

use super::surface::surface;
use crate::error::NcError;
use glam::DVec3;
use nearhit::shape::Shape;
use nearhit::{InsideMethod, Model, Pose, Scratch};
use serde::Serialize;
use std::sync::Arc;

/// What may happen to a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// What is to be made: the cutter may touch it, but not cut deeper than the tolerance. Nothing
    /// else may touch it.
    Part,
    /// What it is made from: the cutter may cut it, but not at rapid. Nothing else may touch it.
    Stock,
    /// What holds it: nothing may touch it.
    Fixture,
    /// The machine: nothing may touch it.
    Machine,
}

impl std::fmt::Display for Role {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(match self {
            Self::Part => "part",
            Self::Stock => "stock",
            Self::Fixture => "fixture",
            Self::Machine => "machine",
        })
    }
}

/// A body that stands still, in the coordinates of the program.
#[derive(Debug, Clone)]
pub struct Body {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) shape: Shape,
    pub(super) pose: Pose,
    pub(super) low: DVec3,
    pub(super) high: DVec3,
    /// A closed mesh: what is inside of it touches it.
    solid: Option<Arc<Model>>,
    is_open: bool,
}

impl Body {
    /// A mesh in the coordinates of the program. A closed one is solid; one with holes is a
    /// surface.
    #[must_use]
    pub fn mesh(name: impl Into<String>, role: Role, model: impl Into<Arc<Model>>) -> Self {
        Self::mesh_at(name, role, model, Pose::IDENTITY)
    }

    /// The same in another place.
    #[must_use]
    pub fn mesh_at(name: impl Into<String>, role: Role, model: impl Into<Arc<Model>>, pose: Pose) -> Self {
        let model: Arc<Model> = model.into();
        let (low, high) = around(model.mesh().vertices().iter().copied(), &pose);
        let is_open = model.inside_method() == InsideMethod::Generalised;
        let solid = (!is_open).then(|| model.clone());
        let shape = Shape::mesh(model);
        Self { name: name.into(), role, shape, pose, low, high, solid, is_open }
    }

    /// A box, cylinder or other shape that is not a mesh.
    ///
    /// ```
    /// use nearhit::{Pose, shape::Shape};
    /// use nearhit_nc::{Body, Role};
    ///
    /// let vise = Body::shape("vise", Role::Fixture, Shape::cuboid([40.0, 10.0, 20.0])?, Pose::IDENTITY)?;
    /// assert_eq!(vise.name(), "vise");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shape(name: impl Into<String>, role: Role, shape: Shape, pose: Pose) -> Result<Self, NcError> {
        let name = name.into();
        let wrong = |message: &str| NcError::Body { name: name.clone(), message: message.to_owned() };
        if shape.model().is_some() {
            return Err(wrong("a mesh is made with Body::mesh"));
        }
        let (low, high) = shape.bounds().ok_or_else(|| wrong("a half-space has no end; give a box"))?;
        let corner = |index: usize| {
            let axis = |axis: usize| if index >> axis & 1 == 0 { low[axis] } else { high[axis] };
            DVec3::new(axis(0), axis(1), axis(2))
        };
        let (low, high) = around((0..8).map(corner), &pose);
        Ok(Self { name, role, shape, pose, low, high, solid: None, is_open: false })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What may happen to it.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// Has its mesh holes, so that it has no inside?
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Its surface as triangles in the coordinates of the program, for pictures: a mesh as it is, a
    /// round shape by points on it.
    #[must_use]
    pub fn surface(&self) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        if let Some(model) = self.shape.model() {
            let corners = model.mesh().vertices().iter().map(|&corner| self.pose.apply(corner));
            return (corners.collect(), model.mesh().triangles().to_vec());
        }
        let (points, triangles) = surface(&self.shape);
        (points.into_iter().map(|point| self.pose.apply(point)).collect(), triangles)
    }

    /// Is a point inside of a closed mesh?
    pub(super) fn holds(&self, point: DVec3, scratch: &mut Scratch) -> bool {
        let Some(model) = &self.solid else { return false };
        let is_near = point.cmpge(self.low).all() && point.cmple(self.high).all();
        // What is asked about is away from the surface by far more than the rounding here.
        let local = || if self.pose == Pose::IDENTITY { point } else { self.pose.inverse().apply(point) };
        is_near && model.contains(local(), scratch).is_ok_and(|found| found.is_in_solid())
    }
}

/// A box around posed points, larger by more than the rounding of the pose: what it turns is no
/// longer than what comes out and what it moves by.
fn around(points: impl Iterator<Item = DVec3>, pose: &Pose) -> (DVec3, DVec3) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let posed = points.map(|point| pose.apply(point));
    let (low, high) = posed.fold(start, |(low, high), point| (low.min(point), high.max(point)));
    let room = 1e-12 * low.abs().max(high.abs()).max(pose.translation().abs()).max_element();
    (low - room, high + room)
}
