//! What changes a scene: bodies come and go, move, get another shape; time passes.

use super::body::Movement;
use super::broad::{Item, Mover, Unbounded};
use super::{Body, BodyId, BodySpec, PartId, Scene, SceneError};
use crate::pose::Pose;
use crate::shape::Shape;
use glam::DVec3;

impl Scene {
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

    /// Moves a joint: a part, with all its descendants, relative to its parent.
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

    fn body_mut(&mut self, id: BodyId) -> Result<&mut Body, SceneError> {
        self.bodies.get_mut(id).ok_or(SceneError::UnknownBody { id })
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
