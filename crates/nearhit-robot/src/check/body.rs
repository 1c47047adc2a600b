//! Bodies: shapes on links, in the world, or attached; each with a ball around it.

use crate::error::RobotError;
use crate::geometry::{Geometry, LinkGeometry};
use crate::robot::Robot;
use glam::DVec3;
use nearhit::shape::{Shape, ShapeError};
use nearhit::{InsideMethod, Mesh, Model, Pose};
use nearhit_io::{Convention, Length, ReadError};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a body moves with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ParentFrame {
    /// A link, by its index: collision geometry of the URDF, or a body that was attached.
    Link(usize),
    /// The world: it does not move.
    World,
}

/// A shape that is checked.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Body {
    /// The link's name, with `#2`, `#3`, ... if it has several shapes; or the name it was given.
    pub name: String,
    /// What it moves with.
    pub parent: ParentFrame,
    /// Where it is on its link, or in the world.
    pub parent_from_body: Pose,
    /// What it is, with its padding.
    pub shape: Shape,
    /// Whether it was attached to its link, and not read with it.
    pub is_attached: bool,
    /// Of a ball and of a box around it, in the parent's frame.
    pub(crate) center: DVec3,
    /// None for what has no end.
    pub(crate) radius: Option<f64>,
    /// Half the sizes of the box, along the axes of the body's frame.
    pub(crate) half: DVec3,
}

impl Body {
    pub(crate) fn new(name: String, parent: ParentFrame, parent_from_body: Pose, shape: Shape) -> Self {
        let (is_attached, center, radius, half) = (false, DVec3::ZERO, None, DVec3::INFINITY);
        // Distances are asked for many times.
        let shape = shape.with_hull();
        let mut body = Self { name, parent, parent_from_body, shape, is_attached, center, radius, half };
        body.enclose();
        body
    }

    /// Finds the ball and the box again, after the shape has changed.
    pub(crate) fn enclose(&mut self) {
        let Some((low, high)) = self.shape.bounds() else {
            (self.radius, self.half) = (None, DVec3::INFINITY);
            return;
        };
        let middle = 0.5 * (low + high);
        let corners = match self.shape.model() {
            // The vertices are closer to the middle than the corners of the box.
            Some(model) => {
                let most = model.mesh().vertices().iter().map(|&vertex| (vertex - middle).length()).fold(0.0, f64::max);
                most + self.shape.margin()
            }
            None => (0.5 * (high - low)).length(),
        };
        self.center = self.parent_from_body.apply(middle);
        self.half = 0.5 * (high - low);
        // Grown by the rounding of the middle, of the length, and of the pose.
        self.radius = Some(corners + ROUNDING * (corners + middle.length() + self.center.length()));
    }

    /// Largest distance of a point of the body from its parent's origin.
    pub(crate) fn reach(&self) -> f64 {
        self.center.length() + self.radius.unwrap_or_default()
    }
}

/// A few units in the last place, with room.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// What closed meshes are. Open ones are surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Solids {
    /// What is inside of them touches them.
    #[default]
    Solid,
    /// Only their triangles count, as in other libraries.
    Surface,
}

impl Solids {
    /// A mesh as the shape that this choice makes of it: of a closed one a solid or a surface, of
    /// an open one a surface.
    #[must_use]
    pub fn shape(self, model: Arc<Model>) -> Shape {
        let is_closed = model.inside_method() != InsideMethod::Generalised;
        if self == Self::Solid && is_closed { Shape::solid(model) } else { Shape::mesh(model) }
    }
}

/// Makes bodies of the links' collision geometry. A file that several links name is read once.
pub(crate) struct Loader<'r> {
    robot: &'r Robot,
    solids: Solids,
    shapes: HashMap<(PathBuf, [u64; 3]), Shape>,
}

impl<'r> Loader<'r> {
    pub(crate) fn new(robot: &'r Robot, solids: Solids) -> Self {
        Self { robot, solids, shapes: HashMap::new() }
    }

    pub(crate) fn bodies(mut self) -> Result<Vec<Body>, RobotError> {
        let mut bodies = Vec::new();
        for (index, link) in self.robot.links().iter().enumerate() {
            for (number, geometry) in link.collision.iter().enumerate() {
                let shape = self.shape(&link.name, geometry)?;
                let name = if number == 0 { link.name.clone() } else { format!("{}#{}", link.name, number + 1) };
                bodies.push(Body::new(name, ParentFrame::Link(index), geometry.link_from_geometry, shape));
            }
        }
        Ok(bodies)
    }

    fn shape(&mut self, link: &str, from: &LinkGeometry) -> Result<Shape, RobotError> {
        let wrong = |error: ShapeError| RobotError::Shape {
            path: self.robot.path.clone(),
            line: from.line,
            link: link.to_owned(),
            message: error.to_string(),
        };
        match &from.geometry {
            Geometry::Box { size } => Shape::cuboid(*size).map_err(wrong),
            Geometry::Cylinder { radius, length } => Shape::cylinder(*radius, *length).map_err(wrong),
            Geometry::Sphere { radius } => Shape::ball(*radius).map_err(wrong),
            Geometry::Capsule { radius, length } => Shape::capsule(*radius, *length).map_err(wrong),
            Geometry::Mesh { path, scale, .. } => {
                let key = (path.clone(), scale.map(f64::to_bits));
                if let Some(shape) = self.shapes.get(&key) {
                    return Ok(shape.clone());
                }
                let mesh = read_scaled(path, *scale).map_err(|error| RobotError::Mesh {
                    path: self.robot.path.clone(),
                    line: from.line,
                    link: link.to_owned(),
                    error: Box::new(error),
                })?;
                let shape = self.solids.shape(Arc::new(Model::new(mesh))).with_hull();
                self.shapes.insert(key, shape.clone());
                Ok(shape)
            }
        }
    }
}

/// In metres, each axis by its factor. Where these mirror, triangles are turned round.
pub(crate) fn read_scaled(path: &Path, scale: [f64; 3]) -> Result<Mesh, ReadError> {
    let mut raw = nearhit_io::read_with(path, Convention { length: Length::Metres, up: None })?;
    for vertex in &mut raw.vertices {
        for (coordinate, factor) in vertex.iter_mut().zip(scale) {
            *coordinate *= factor;
        }
    }
    if scale.iter().product::<f64>() < 0.0 {
        raw.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
    Mesh::try_from(raw).map_err(|error| ReadError::Mesh { path: path.into(), error })
}
