//! What is in a scene: bodies and parts by name and id.

use super::{Body, BodyId, Part, PartId, Scene, SceneError};

impl Scene {
    /// The number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether the scene is empty.
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

    pub(super) fn named(&self, id: BodyId) -> String {
        self.bodies.get(id).map_or_else(String::new, |body| body.name.to_string())
    }
}
