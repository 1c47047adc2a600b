//! Scenes (collision worlds) of many bodies that move, with a broad phase: which of them touch,
//! where, how far apart are they?
//!
//! ```
//! use nearhit::scene::{BodySpec, Scene, Shape};
//! use nearhit::{Mesh, Model, Pose};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
//! let shape = Shape::mesh(Model::new(mesh));
//!
//! let mut scene = Scene::default();
//! let place = |x: f64| Pose::from_translation([x, 0.0, 0.0]);
//! let ship = scene.insert(BodySpec::rigid("ship", shape.clone()).at(place(0.0)?))?;
//! scene.insert(BodySpec::rigid("drone", shape.clone()).at(place(0.5)?))?;
//! scene.insert(BodySpec::rigid("station", shape).at(place(4.0)?).fixed())?;
//!
//! let touching = scene.settle().colliding()?;
//! assert_eq!(touching.found.len(), 1);
//! assert_eq!((touching.found[0].a.body, touching.found[0].b.body), ("ship", "drone"));
//!
//! scene.set_pose(ship, place(2.5)?)?;
//! let now = scene.settle();
//! assert!(now.colliding()?.found.is_empty());
//! assert_eq!(now.closest()?.map(|gap| gap.b.body), Some("station"));
//! assert_eq!(now.within(0.75)?.found.len(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! # Shapes
//!
//! A part is any [`Shape`]: a mesh, a ball, a box, a hull, a half-space, each with a margin if
//! wanted. Two meshes without margins are asked about by [`Pair`](crate::Pair), all others by
//! [`ShapePair`](crate::shape::ShapePair).
//!
//! # Surfaces and solids
//!
//! Shapes are solids but for meshes, which are surfaces unless they are said to be solids: by
//! [`Shape::solid`], all of a scene by [`Scene::solid`], one by [`BodySpec::solid`] (or
//! [`BodySpec::surface`] in a scene of solids).
//!
//! * Two parts are **in contact** when their surfaces share a point, or when a piece of one is
//!   inside the other and the other, around it, is a solid. A surface has no inside for anything to
//!   be in: a solid within a closed surface is free.
//! * Two solid meshes have a **signed distance**, that of
//!   [`SolidPair::distance`](crate::SolidPair::distance): below zero, the negative of how deep the
//!   deepest point of one surface is below the other, as an interval. Frames do not measure depths.
//! * Two convex shapes in contact have minus their
//!   [penetration depth](crate::shape::ShapePair::penetration).
//! * All others, a solid and a surface, a mesh and a convex shape, two grown meshes, have the
//!   distance 0 when they are in contact.
//! * What is inside is told by [`Model::inside_method`](crate::Model::inside_method): exactly for
//!   closed meshes, by winding numbers for those with holes. What that takes is made when a body is
//!   inserted or gets another shape, never within a question.
//!
//! A [`Scene`] is told what moves; [`Scene::settle`] brings its broad phase up to date and lends it
//! out for questions, which take `&self`. Answers do not depend on the broad phase or the number of
//! threads, to the last bit.
//!
//! | file | question |
//! |---|---|
//! | `body`, `slots`, `filter` | what is in a scene, and which pairs matter |
//! | `bounds`, `broad/` | who is near whom (one trait, four ways; ADR 18) |
//! | `part_pair`, `solids` | two parts: any shapes; two meshes, each a surface or a solid |
//! | `ask` | every question, scene-wide with one bound |
//! | `frame`, `pace` | what is certain when a frame must end, and how much time it has |
//! | `changes`, `ranks` | what the broad phase must hear, and who comes first in a frame |
//! | `deform` | meshes that change |
//! | `motion`, `first_contact`, `contact_intervals`, `impact`, `meetings` | when do two moving shapes touch, first and in all; when does something of a scene (ADR 19) |
//! | `path`, `displacement` | a series of poses: the first that touches, the smallest clearance |

mod ask;
mod body;
pub(crate) mod bounds;
pub(crate) mod broad;
mod changes;
pub(crate) mod contact_intervals;
pub(crate) mod deform;
mod displacement;
mod error;
mod filter;
mod first_contact;
mod frame;
mod impact;
pub(crate) mod meetings;
mod motion;
pub(crate) mod pace;
mod part_pair;
mod path;
mod ranks;
mod slots;
mod solids;

pub use crate::shape::Shape;
pub use ask::{Answer, Gap, Member, Settled, Touch, Touching};
pub use body::{Body, BodySpec, Part};
pub(crate) use bounds::Bounds;
use broad::{BroadKind, BroadPhase};
pub use deform::{DeformError, Deforming};
pub use error::SceneError;
pub use filter::Who;
pub use first_contact::{FirstContact, MotionError, Moving, first_contact};
pub use frame::{Detector, Frame, FramePair};
pub use impact::Impact;
pub use motion::Motion;
pub use path::{PathClearance, PathContact, PathError, PosePath};
pub use slots::BodyId;

use crate::pose::Pose;
use crate::traverse::Limit;
use body::Movement;
use broad::{Item, Items, Mover, Unbounded};
use changes::Changes;
use filter::{Candidate, Filter, Side};
use glam::DVec3;
use ranks::Ranks;
use slots::Slots;
use std::collections::HashMap;

/// A part of a body: the body's id and the number of the part, in the order in which the parts were
/// named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId {
    /// Whose part.
    pub body: BodyId,
    /// Which, from 0.
    pub part: u32,
}

/// A scene (collision world): bodies with a broad phase.
///
/// ```
/// use nearhit::scene::{BodySpec, Scene, Shape};
/// # use nearhit::{Mesh, Model, Pose, Side, SolidContact};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let tetrahedron = |size: f64| {
/// #     let corners = [[-1.0, -1.0, -1.0], [3.0, -1.0, -1.0], [-1.0, 3.0, -1.0], [-1.0, -1.0, 3.0]];
/// #     let corners = corners.map(|corner: [f64; 3]| corner.map(|x| x * size));
/// #     Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
/// # };
/// # let (plate, chip) = (Shape::mesh(Model::new(tetrahedron(4.0)?)), Shape::mesh(Model::new(tetrahedron(0.5)?)));
/// // Their surfaces do not touch: the chip is inside the plate.
/// let mut surfaces = Scene::default();
/// let mut solids = Scene::default().solid();
/// for scene in [&mut surfaces, &mut solids] {
///     scene.insert(BodySpec::rigid("plate", plate.clone()))?;
///     scene.insert(BodySpec::rigid("chip", chip.clone()))?;
/// }
/// assert!(surfaces.settle().colliding()?.found.is_empty());
/// let touching = solids.settle().colliding()?.found;
/// assert_eq!(touching[0].contact.inside(), Some(Side::B), "the second, the chip, is inside the first");
/// assert!(solids.settle().closest()?.is_some_and(|gap| gap.distance.upper < -2.0), "more than 2 deep");
/// # Ok(())
/// # }
/// ```
#[doc(alias = "collision world")]
#[doc(alias = "broad phase")]
#[derive(Debug)]
pub struct Scene {
    bodies: Slots<Body>,
    names: HashMap<String, BodyId>,
    filter: Filter,
    items: Items,
    free_keys: Vec<u32>,
    changes: Changes,
    ranks: Ranks,
    broad: Box<dyn BroadPhase>,
    volume: Option<&'static str>,
    /// Are bodies solids that do not say what they are?
    solid_unless_said: bool,
    /// Was a solid mesh ever inserted? Then all models are ready to tell what is inside.
    has_solids: bool,
}

impl Default for Scene {
    fn default() -> Self {
        Self::with_broad_phase(BroadKind::default().into())
    }
}

impl Scene {
    /// An empty scene with a broad phase of your own.
    #[must_use]
    pub(crate) fn with_broad_phase(broad: Box<dyn BroadPhase>) -> Self {
        Self {
            bodies: Slots::new(),
            names: HashMap::new(),
            filter: Filter::default(),
            items: Items::default(),
            free_keys: Vec::new(),
            changes: Changes::default(),
            ranks: Ranks::new(),
            broad,
            volume: None,
            solid_unless_said: false,
            has_solids: false,
        }
    }

    /// Bodies inserted from now on are solids unless they say otherwise ([`BodySpec::surface`]).
    #[must_use]
    pub fn solid(self) -> Self {
        Self { solid_unless_said: true, ..self }
    }

    /// Inserts a body.
    pub fn insert(&mut self, spec: BodySpec) -> Result<BodyId, SceneError> {
        if self.names.contains_key(&spec.name) {
            return Err(SceneError::DuplicateName { name: spec.name });
        }
        let group = spec.group.clone();
        let mut body = Body::new(spec, self.solid_unless_said)?;
        let volume = self.volume_with(&body.name, body.parts.iter().map(|part| &part.shape))?;
        let poses = body.poses(&body.pose, |part| body.parts[part].parent_from_part)?;
        // Nothing can go wrong any more.
        self.volume = volume;
        body.group_number = group.map(|group| self.filter.group(&group));
        for part in &mut body.parts {
            part.key = self.free_keys.pop().unwrap_or_else(|| {
                self.items.slots.push(None);
                self.items.slots.len() as u32 - 1
            });
        }
        if !body.is_fixed {
            self.ranks.extend(body.ranks());
        }
        let name = body.name.to_string();
        let id = self.bodies.insert(body);
        self.names.insert(name, id);
        self.make_insides(id);
        self.place(id, &poses);
        Ok(id)
    }

    /// Removes a body. Its id and its entries in the filter are void from now on.
    pub fn remove(&mut self, id: BodyId) -> Result<(), SceneError> {
        let body = self.bodies.remove(id).ok_or(SceneError::UnknownBody { id })?;
        self.names.remove(&*body.name);
        self.filter.forget(id);
        for rank in body.ranks() {
            self.ranks.remove(&rank);
            self.items.take(rank.key);
            self.changes.note(rank.key);
            self.free_keys.push(rank.key);
        }
        if self.names.is_empty() {
            self.volume = None;
        }
        Ok(())
    }

    /// Moves a body with all its parts.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// let left = scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// let right = scene.insert(BodySpec::rigid("right", cube).at(at(1.5, 0.0, 0.0)))?;
    /// scene.set_pose(right, at(5.0, 0.0, 0.0))?;
    /// assert!(scene.settle().colliding()?.found.is_empty());
    /// # let _ = left;
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_pose(&mut self, id: BodyId, world_from_body: Pose) -> Result<(), SceneError> {
        let body = self.body(id)?;
        let poses = body.poses(&world_from_body, |part| body.parts[part].parent_from_part)?;
        self.body_mut(id)?.pose = world_from_body;
        self.place(id, &poses);
        Ok(())
    }

    /// Moves a joint: a part, with what hangs on it, relative to its parent.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let link = Arc::new(cube(0.5));
    /// let mut scene = Scene::default();
    /// let arm = BodySpec::articulated("arm")
    ///     .part("upper", link.clone(), None, at(0.0, 0.0, 0.0))
    ///     .part("lower", link.clone(), Some("upper"), at(2.0, 0.0, 0.0))
    ///     .part("hand", link, Some("lower"), at(2.0, 0.0, 0.0));
    /// let arm = scene.insert(arm)?;
    /// let hand = scene.find_part(arm, "hand")?;
    /// assert!(scene.settle().colliding()?.found.is_empty());
    /// scene.set_joint(hand, at(-2.5, 0.0, 0.0))?; // folded back onto the upper arm
    /// assert_eq!(scene.settle().colliding()?.found.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_joint(&mut self, id: PartId, parent_from_part: Pose) -> Result<(), SceneError> {
        self.part(id)?;
        let body = self.body(id.body)?;
        let joint = |part: usize| {
            if part == id.part as usize { parent_from_part } else { body.parts[part].parent_from_part }
        };
        let poses = body.poses(&body.pose, joint)?;
        self.body_mut(id.body)?.parts[id.part as usize].parent_from_part = parent_from_part;
        self.place(id.body, &poses);
        Ok(())
    }

    /// Replaces the shape of a part: a deformed one, say.
    pub fn set_shape(&mut self, id: PartId, shape: impl Into<Shape>) -> Result<(), SceneError> {
        self.part(id)?;
        let shape = self.body(id.body)?.meshes.of(shape.into());
        self.volume = self.volume_with(&self.named(id.body), std::iter::once(&shape))?;
        let body = self.body_mut(id.body)?;
        body.parts[id.part as usize].set_shape(shape);
        body.is_solid = body.parts.iter().all(|part| part.shape.is_solid());
        let poses: Vec<Pose> = body.parts.iter().map(|part| part.world_from_part).collect();
        self.make_insides(id.body);
        self.place(id.body, &poses);
        Ok(())
    }

    /// Says how a body's origin moves: its velocity now, and how much that can change a unit of
    /// time. Broad phases that look ahead are faster for it; no answer depends on it.
    pub(crate) fn set_motion(&mut self, id: BodyId, velocity: DVec3, max_acceleration: f64) -> Result<(), SceneError> {
        let body = self.body_mut(id)?;
        let what = |what: &str| format!("the {what} of \"{}\"", body.name);
        if let Some(&value) = velocity.to_array().iter().find(|value| !value.is_finite()) {
            return Err(SceneError::BadNumber { what: what("velocity"), value, must: "a finite number" });
        }
        if max_acceleration.is_nan() || max_acceleration < 0.0 {
            let (what, must) = (what("largest acceleration"), "at least 0");
            return Err(SceneError::BadNumber { what, value: max_acceleration, must });
        }
        body.movement = Movement { velocity, max_acceleration };
        let poses: Vec<Pose> = body.parts.iter().map(|part| part.world_from_part).collect();
        self.place(id, &poses);
        Ok(())
    }

    /// Lets time pass. Bodies stay where they are until they are moved.
    pub(crate) fn advance(&mut self, time: f64) -> Result<(), SceneError> {
        if !(time.is_finite() && time >= 0.0) {
            let what = "the time to pass".to_owned();
            return Err(SceneError::BadNumber { what, value: time, must: "a finite number of at least 0" });
        }
        let then = self.items.time + time;
        if !then.is_finite() {
            let what = "the time of the scene".to_owned();
            return Err(SceneError::BadNumber { what, value: then, must: "a finite number" });
        }
        self.items.time = then;
        Ok(())
    }

    /// The time since the scene was made, as far as it was told.
    #[must_use]
    pub(crate) fn time(&self) -> f64 {
        self.items.time
    }

    /// Allows contact of two sides: their pairs are not queried from now on. A body or group with
    /// itself means all pairs within it.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// scene.insert(BodySpec::rigid("right", cube.clone()).at(at(1.5, 0.0, 0.0)))?;
    /// let (left, right) = (scene.find("left")?, scene.find("right")?);
    /// scene.allow(left, right)?;
    /// assert!(scene.settle().colliding()?.found.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "allowed collision matrix")]
    #[doc(alias = "ACM")]
    #[doc(alias = "collision filter")]
    pub fn allow(&mut self, a: impl Into<Who>, b: impl Into<Who>) -> Result<(), SceneError> {
        let (a, b) = (self.side(a.into())?, self.side(b.into())?);
        self.filter.allow(a, b);
        Ok(())
    }

    /// Reverts [`Scene::allow`] with the same two sides.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// let left = scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// let right = scene.insert(BodySpec::rigid("right", cube).at(at(1.5, 0.0, 0.0)))?;
    /// scene.allow(left, right)?;
    /// scene.forbid(left, right)?;
    /// assert_eq!(scene.settle().colliding()?.found.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn forbid(&mut self, a: impl Into<Who>, b: impl Into<Who>) -> Result<(), SceneError> {
        let (a, b) = (self.side(a.into())?, self.side(b.into())?);
        self.filter.forbid(a, b);
        Ok(())
    }

    /// Updates the broad phase; the scene can then be queried.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// let left = scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// let right = scene.insert(BodySpec::rigid("right", cube).at(at(1.5, 0.0, 0.0)))?;
    /// let now = scene.settle(); // queries of it take `&self`
    /// assert_eq!(now.colliding()?.found.len(), 1);
    /// assert_eq!(now.within(10.0)?.found.len(), 1);
    /// # let _ = (left, right);
    /// # Ok(())
    /// # }
    /// ```
    pub fn settle(&mut self) -> Settled<'_> {
        self.broad.update(&self.items, &self.changes.take(usize::MAX));
        Settled { scene: self, limit: Limit::None }
    }

    /// The number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Is the scene empty?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Ids of all bodies, in the order of their slots.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> {
        self.bodies.iter().map(|(id, _)| id)
    }

    /// The body with a name.
    pub fn find(&self, name: &str) -> Result<BodyId, SceneError> {
        self.names.get(name).copied().ok_or_else(|| SceneError::UnknownName { name: name.to_owned() })
    }

    /// The part with a name.
    pub fn find_part(&self, body: BodyId, name: &str) -> Result<PartId, SceneError> {
        let parts = &self.body(body)?.parts;
        let number = parts.iter().position(|part| &*part.name == name);
        let unknown = || SceneError::UnknownPart { body: self.named(body), part: format!("\"{name}\"") };
        number.map(|number| PartId { body, part: number as u32 }).ok_or_else(unknown)
    }

    /// A body: its name, group and pose, and its parts.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, PartId, Scene};
    /// use std::sync::Arc;
    ///
    /// let mut scene = Scene::default();
    /// let id = scene.insert(BodySpec::rigid("cube", Arc::new(cube(1.0))).at(at(2.0, 0.0, 0.0)))?;
    /// let body = scene.body(id)?;
    /// assert_eq!((&*body.name, body.is_solid, body.parts.len()), ("cube", false, 1));
    /// assert_eq!(scene.part(PartId { body: id, part: 0 })?.world_from_part, body.pose);
    /// # Ok(())
    /// # }
    /// ```
    pub fn body(&self, id: BodyId) -> Result<&Body, SceneError> {
        self.bodies.get(id).ok_or(SceneError::UnknownBody { id })
    }

    /// A part of a body: its name, shape and place.
    pub fn part(&self, id: PartId) -> Result<&Part, SceneError> {
        let body = self.body(id.body)?;
        let unknown = || SceneError::UnknownPart { body: body.name.to_string(), part: id.part.to_string() };
        body.parts.get(id.part as usize).ok_or_else(unknown)
    }

    fn named(&self, id: BodyId) -> String {
        self.bodies.get(id).map_or_else(String::new, |body| body.name.to_string())
    }

    fn body_mut(&mut self, id: BodyId) -> Result<&mut Body, SceneError> {
        self.bodies.get_mut(id).ok_or(SceneError::UnknownBody { id })
    }

    fn side(&self, who: Who) -> Result<Side, SceneError> {
        match who {
            Who::Part(part) => self.part(part).map(|_| Side::Part(part)),
            Who::Body(body) => self.body(body).map(|_| Side::Body(body)),
            Who::Group(group) => self.filter.find_group(&group).map(Side::Group),
        }
    }

    /// The volume of the scene's trees with these shapes of a body: all meshes of a scene have the
    /// same.
    fn volume_with<'a>(
        &self,
        body: &str,
        shapes: impl Iterator<Item = &'a Shape>,
    ) -> Result<Option<&'static str>, SceneError> {
        let mut volume = self.volume;
        for found in shapes.filter_map(Shape::model).map(|model| model.engine_name()) {
            let expected = *volume.get_or_insert(found);
            if found != expected {
                return Err(SceneError::DifferentVolumes { body: body.to_owned(), found, expected });
            }
        }
        Ok(volume)
    }

    /// Makes what tells inside from outside for the meshes of a body, and, with the first solid
    /// one, for all others: against a solid a surface must know its pieces. Not within a question:
    /// those run in parallel, as making it does, or within a budget.
    fn make_insides(&mut self, id: BodyId) {
        let Some(body) = self.bodies.get(id) else { return };
        let is_solid = body.parts.iter().any(|part| part.shape.model().is_some() && part.shape.is_solid());
        let is_first = is_solid && !self.has_solids;
        self.has_solids |= is_solid;
        if !self.has_solids {
            return;
        }
        for (_, body) in self.bodies.iter().filter(|&(other, _)| is_first || other == id) {
            for model in body.parts.iter().filter_map(|part| part.shape.model()) {
                let _made = model.inside();
            }
        }
    }

    /// What the filter wants to know of a part that is in the scene.
    fn candidate(&self, id: PartId) -> Option<Candidate> {
        let body = self.bodies.get(id.body)?;
        Some(Candidate { id, group: body.group_number, parent: body.parts.get(id.part as usize)?.parent })
    }

    /// Puts the parts of a body where they are, and notes what the broad phase must hear.
    fn place(&mut self, id: BodyId, poses: &[Pose]) {
        let Some(body) = self.bodies.get_mut(id) else { return };
        let (center, Movement { velocity, max_acceleration }) = (body.pose.translation(), body.movement);
        for (number, (part, pose)) in body.parts.iter_mut().zip(poses).enumerate() {
            part.world_from_part = *pose;
            let part_id = PartId { body: id, part: number as u32 };
            let (is_fixed, key) = (body.is_fixed, part.key);
            if let Some(extent) = &part.extent {
                let mover = Mover { center, radius: extent.reach(pose, center), velocity, max_acceleration };
                self.items.put(key, Item { part: part_id, bounds: extent.placed(pose), mover, is_fixed });
            } else if let Some(plane) = part.shape.plane() {
                self.items.put_unbounded(Unbounded::new(key, part_id, plane, part.shape.margin(), pose, is_fixed));
            }
            self.changes.note(key);
        }
    }
}
