//! Bodies of a scene: rigid and articulated, of one shape or of several.

use super::error::SceneError;
use super::extent::Extent;
use super::ranks::Rank;
use crate::pose::Pose;
use crate::shape::Shape;
use glam::DVec3;
use std::sync::Arc;

/// A body to be inserted: one rigid piece, or a tree of parts.
///
/// ```
/// use nearhit::scene::BodySpec;
/// # use nearhit::{Mesh, Model, Pose};
/// # use std::sync::Arc;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// # let link = Arc::new(Model::new(Mesh::new(&corners, &[[0, 1, 2]])?));
/// let elbow = Pose::from_translation([1.0, 0.0, 0.0])?;
/// let arm = BodySpec::articulated("arm")
///     .part("upper", link.clone(), None, Pose::IDENTITY)
///     .part("lower", link, Some("upper"), elbow)
///     .group("robots");
/// # let mut scene = nearhit::scene::Scene::default();
/// # scene.insert(arm)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct BodySpec {
    pub(super) name: String,
    pub(super) group: Option<String>,
    pub(super) is_fixed: bool,
    pub(super) importance: f64,
    /// As the scene has it, unless said.
    pub(super) is_solid: Option<bool>,
    pub(super) pose: Pose,
    pub(super) parts: Vec<PartSpec>,
}

#[derive(Debug, Clone)]
pub(super) struct PartSpec {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) parent: Option<String>,
    pub(super) parent_from_part: Pose,
}

impl BodySpec {
    /// A rigid body. Its only part has the body's name.
    #[must_use]
    pub fn rigid(name: impl Into<String>, shape: impl Into<Shape>) -> Self {
        let name = name.into();
        Self::articulated(name.clone()).part(name, shape, None, Pose::IDENTITY)
    }

    /// An articulated body; add its parts with [`BodySpec::part`].
    #[must_use]
    pub fn articulated(name: impl Into<String>) -> Self {
        let (pose, parts) = (Pose::IDENTITY, Vec::new());
        Self { name: name.into(), group: None, is_fixed: false, importance: 0.0, is_solid: None, pose, parts }
    }

    /// Adds a part: a link whose parent is an earlier one, or the body's own frame. A part and its
    /// parent are never tested against each other: they touch at their joint.
    #[must_use]
    pub fn part(
        mut self,
        name: impl Into<String>,
        shape: impl Into<Shape>,
        parent: Option<&str>,
        parent_from_part: Pose,
    ) -> Self {
        let parent = parent.map(str::to_owned);
        self.parts.push(PartSpec { name: name.into(), shape: shape.into(), parent, parent_from_part });
        self
    }

    /// Sets the initial pose.
    #[must_use]
    pub fn at(self, world_from_body: Pose) -> Self {
        Self { pose: world_from_body, ..self }
    }

    /// Sets the group, which collision filters can name.
    #[must_use]
    pub fn group(self, group: impl Into<String>) -> Self {
        Self { group: Some(group.into()), ..self }
    }

    /// Makes it a part of the environment: never asked about against another such.
    #[must_use]
    pub fn fixed(self) -> Self {
        Self { is_fixed: true, ..self }
    }

    /// Its meshes are solids: what is inside one is in contact with it. See [`super::Scene`].
    /// Shapes that are no meshes are solids by nature.
    #[must_use]
    pub fn solid(self) -> Self {
        Self { is_solid: Some(true), ..self }
    }

    /// Its meshes are surfaces, also in a scene of solids: what is inside one is not in contact
    /// with it.
    #[must_use]
    pub fn surface(self) -> Self {
        Self { is_solid: Some(false), ..self }
    }

    /// Sets the importance: the more important come first when time is short. 0 unless said.
    #[must_use]
    pub fn importance(self, importance: f64) -> Self {
        Self { importance, ..self }
    }
}

/// How a body moves, as far as is known: from now on its velocity changes by at most
/// `max_acceleration` a unit of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Movement {
    pub(super) velocity: DVec3,
    /// Infinite where nothing is known.
    pub(super) max_acceleration: f64,
}

impl Movement {
    pub(super) const UNKNOWN: Self = Self { velocity: DVec3::ZERO, max_acceleration: f64::INFINITY };
}

/// A body of a scene.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Body {
    /// Its name.
    pub name: Arc<str>,
    /// Its group, if it has one.
    pub group: Option<Arc<str>>,
    /// Is it of the environment?
    pub is_fixed: bool,
    /// Are all its parts solids?
    pub is_solid: bool,
    /// How important it is when time is short.
    pub importance: f64,
    /// Where it is: world from body.
    pub pose: Pose,
    /// In the order in which they were named; never empty.
    pub parts: Vec<Part>,
    pub(super) movement: Movement,
    /// In the filter.
    pub(super) group_number: Option<u32>,
    /// What its meshes are.
    pub(super) meshes: Meshes,
}

/// What the meshes of a body are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meshes {
    /// As their shapes say.
    AsMade,
    Solids,
    Surfaces,
}

impl Meshes {
    /// By what the body said, or the scene.
    fn new(said: Option<bool>, solid_unless_said: bool) -> Self {
        match said {
            Some(true) => Self::Solids,
            Some(false) => Self::Surfaces,
            None if solid_unless_said => Self::Solids,
            None => Self::AsMade,
        }
    }

    pub(super) fn of(self, shape: Shape) -> Shape {
        match self {
            Self::AsMade => shape,
            Self::Solids => shape.with_inside(true),
            Self::Surfaces => shape.with_inside(false),
        }
    }
}

/// A part of a body.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Part {
    /// Its name: the body's own for a rigid one.
    pub name: Arc<str>,
    /// Its shape.
    pub shape: Shape,
    /// Its parent, by number, smaller than its own; none for the body's frame.
    pub parent: Option<u32>,
    /// Where it is relative to that.
    pub parent_from_part: Pose,
    /// Where it is.
    pub world_from_part: Pose,
    /// Its shape's; none for a half-space.
    pub(super) extent: Option<Extent>,
    /// In the broad phase.
    pub(super) key: u32,
}

impl Part {
    pub(super) fn set_shape(&mut self, shape: Shape) {
        self.extent = Extent::of(&shape);
        self.shape = shape;
    }
}

impl Body {
    /// Checks what was asked for. Poses in the world, keys and its group are the scene's to give.
    pub(super) fn new(spec: BodySpec, solid_unless_said: bool) -> Result<Self, SceneError> {
        let BodySpec { name, group, is_fixed, importance, is_solid, pose, parts } = spec;
        if parts.is_empty() {
            return Err(SceneError::NoParts { body: name });
        }
        if !importance.is_finite() {
            let what = format!("the importance of \"{name}\"");
            return Err(SceneError::BadNumber { what, value: importance, must: "a finite number" });
        }
        let meshes = Meshes::new(is_solid, solid_unless_said);
        let mut made: Vec<Part> = Vec::with_capacity(parts.len());
        for PartSpec { name: part, shape, parent, parent_from_part } in parts {
            let find = |name: &str| made.iter().position(|part| &*part.name == name);
            if find(&part).is_some() {
                return Err(SceneError::DuplicatePart { body: name, part });
            }
            let number = parent.as_deref().and_then(find);
            if let (None, Some(parent)) = (number, parent) {
                return Err(SceneError::UnknownParent { body: name, part, parent });
            }
            let parent = number.map(|number| number as u32);
            let (shape, world_from_part) = (meshes.of(shape), Pose::IDENTITY);
            let (name, extent) = (part.into(), Extent::of(&shape));
            made.push(Part { name, shape, parent, parent_from_part, world_from_part, extent, key: 0 });
        }
        let is_solid = made.iter().all(|part| part.shape.is_solid());
        let (name, group) = (name.into(), group.map(Into::into));
        let (movement, group_number) = (Movement::UNKNOWN, None);
        Ok(Self { name, group, is_fixed, is_solid, importance, pose, parts: made, movement, group_number, meshes })
    }

    /// Where its parts stand among all.
    pub(super) fn ranks(&self) -> impl Iterator<Item = Rank> {
        self.parts.iter().map(|part| Rank { importance: self.importance, key: part.key })
    }

    /// Where its parts are if it is at `pose`, or the first that would be too far away.
    pub(super) fn poses(&self, pose: &Pose, joint: impl Fn(usize) -> Pose) -> Result<Vec<Pose>, SceneError> {
        let mut poses: Vec<Pose> = Vec::with_capacity(self.parts.len());
        for (number, part) in self.parts.iter().enumerate() {
            let base = part.parent.map_or(*pose, |parent| poses[parent as usize]);
            // The usual single part keeps the pose's bits.
            let own = if joint(number) == Pose::IDENTITY { base } else { base * joint(number) };
            let far = |value: &&f64| value.is_nan() || value.abs() > crate::error::MAX_COORDINATE;
            if let Some(&value) = own.translation().to_array().iter().find(far) {
                let (body, part) = (self.name.to_string(), part.name.to_string());
                return Err(SceneError::TooFar { body, part, value });
            }
            poses.push(own);
        }
        Ok(poses)
    }
}
