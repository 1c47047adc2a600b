//! An assembly: shapes, and parts that are shapes in their places. Parts that look the same share a
//! shape.

use super::error::ClashError;
use crate::bounds::Bounds;
use crate::error::MAX_COORDINATE;
use crate::mesh::Mesh;
use crate::model::Model;
use crate::pose::Pose;
use std::sync::Arc;

/// Shapes and parts, to be searched for clashes with [`Assembly::clashes`].
#[derive(Debug, Clone, Default)]
pub struct Assembly {
    pub(super) shapes: Vec<Shape>,
    pub(super) parts: Vec<Part>,
}

/// A mesh; a model as soon as it has to answer queries.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    Mesh(Mesh),
    Model(Arc<Model>),
}

/// A part of an assembly: a shape in its place.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Part {
    /// As given.
    pub name: String,
    /// Which shape, by index.
    pub shape: usize,
    /// Where it is.
    pub world_from_shape: Pose,
    /// The box around its triangles, in the world.
    pub bounds: Bounds,
}

impl Assembly {
    /// An empty assembly.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a shape by its mesh. Its tree is made when a part of this shape is near another part.
    /// Returns its index.
    pub fn add_mesh(&mut self, mesh: Mesh) -> usize {
        self.shapes.push(Shape::Mesh(mesh));
        self.shapes.len() - 1
    }

    /// Adds a shape by a model that is there already: all models of an assembly must have the same
    /// volume. Returns its index.
    pub fn add_model(&mut self, model: Arc<Model>) -> usize {
        self.shapes.push(Shape::Model(model));
        self.shapes.len() - 1
    }

    /// Adds a part: a shape in its place. Returns the part's index. Names should differ: rules and
    /// reports use them.
    ///
    /// Errors: there is no such shape, or a vertex would be beyond 1e300.
    pub fn add_part(
        &mut self,
        name: impl Into<String>,
        shape: usize,
        world_from_shape: Pose,
    ) -> Result<usize, ClashError> {
        let name = name.into();
        let Some(found) = self.shapes.get(shape) else {
            return Err(ClashError::UnknownShape { part: name, shape, shapes: self.shapes.len() });
        };
        let bounds = placed(found, &world_from_shape, &name)?;
        self.parts.push(Part { name, shape, world_from_shape, bounds });
        Ok(self.parts.len() - 1)
    }

    /// Moves a part. [`Assembly::clashes_after`] then looks at its neighbourhood alone.
    ///
    /// Errors: there is no such part, or a vertex would be beyond 1e300; then nothing has changed.
    pub fn move_part(&mut self, part: usize, world_from_shape: Pose) -> Result<(), ClashError> {
        let parts = self.parts.len();
        let moved = self.parts.get_mut(part).ok_or(ClashError::UnknownPart { part, parts })?;
        moved.bounds = placed(&self.shapes[moved.shape], &world_from_shape, &moved.name)?;
        moved.world_from_shape = world_from_shape;
        Ok(())
    }

    /// The parts, in the order in which they were added.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How many shapes there are.
    pub(crate) fn shape_count(&self) -> usize {
        self.shapes.len()
    }

    /// The mesh of a shape, if there is one with this index.
    #[must_use]
    pub fn shape_mesh(&self, shape: usize) -> Option<&Mesh> {
        self.shapes.get(shape).map(Shape::mesh)
    }

    /// The longest side of the box around all parts; 0 without parts.
    pub(super) fn size(&self) -> f64 {
        let whole = self.whole();
        (whole.high - whole.low).max_element().max(0.0)
    }

    pub(super) fn whole(&self) -> Bounds {
        self.parts.iter().fold(Bounds::EMPTY, |whole, part| whole.join(&part.bounds))
    }
}

/// The box around a part that is placed so.
fn placed(shape: &Shape, world_from_shape: &Pose, part: &str) -> Result<Bounds, ClashError> {
    let bounds = bounds(shape.mesh(), world_from_shape);
    let farthest = bounds.high.abs().max(bounds.low.abs()).max_element();
    // A sum of infinities is no number.
    if !bounds.high.is_finite() || !bounds.low.is_finite() || farthest > MAX_COORDINATE {
        return Err(ClashError::TooFar { part: part.to_owned(), value: farthest });
    }
    Ok(bounds)
}

/// The box around the triangles of a placed mesh.
pub(super) fn bounds(mesh: &Mesh, pose: &Pose) -> Bounds {
    mesh.triangles().iter().flatten().map(|&vertex| pose.apply(mesh.vertices()[vertex as usize])).collect()
}

impl Shape {
    pub(super) fn mesh(&self) -> &Mesh {
        match self {
            Self::Mesh(mesh) => mesh,
            Self::Model(model) => model.mesh(),
        }
    }

    pub(super) fn model(&self) -> Option<&Model> {
        match self {
            Self::Mesh(_) => None,
            Self::Model(model) => Some(model),
        }
    }

    /// With a tree, and with what inside tests need: made here, because a parallel task that waits
    /// for another to make it could wait for itself.
    pub(super) fn built(self) -> Self {
        let model = match self {
            Self::Mesh(mesh) => Arc::new(Model::new(mesh)),
            Self::Model(model) => model,
        };
        let _made = model.inside();
        Self::Model(model)
    }
}
