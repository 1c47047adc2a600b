//! Collision filter: the allowed collision matrix (ACM), pairs that are not queried.

use super::slots::BodyId;
use super::{PartId, Scene, SceneError};
use std::collections::{HashMap, HashSet};

/// One side of an entry: a part, a body with all its parts, or a group of bodies by name.
#[doc(alias = "allowed collision matrix")]
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Who {
    /// One part.
    Part(PartId),
    /// All parts of a body.
    Body(BodyId),
    /// All bodies of a group, those of the future too.
    Group(String),
}

impl From<PartId> for Who {
    fn from(part: PartId) -> Self {
        Self::Part(part)
    }
}

impl From<BodyId> for Who {
    fn from(body: BodyId) -> Self {
        Self::Body(body)
    }
}

impl From<&str> for Who {
    fn from(group: &str) -> Self {
        Self::Group(group.to_owned())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Side {
    Part(PartId),
    Body(BodyId),
    Group(u32),
}

/// What is needed of a part to look it up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) id: PartId,
    pub(super) group: Option<u32>,
    pub(super) parent: Option<u32>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Filter {
    groups: HashMap<String, u32>,
    allowed: HashSet<(Side, Side)>,
}

impl Filter {
    /// The number of a group, new if it must be.
    pub(super) fn group(&mut self, name: &str) -> u32 {
        let next = self.groups.len() as u32;
        *self.groups.entry(name.to_owned()).or_insert(next)
    }

    pub(super) fn find_group(&self, name: &str) -> Result<u32, SceneError> {
        self.groups.get(name).copied().ok_or_else(|| SceneError::UnknownGroup { name: name.to_owned() })
    }

    pub(super) fn allow(&mut self, a: Side, b: Side) {
        self.allowed.insert((a.min(b), a.max(b)));
    }

    pub(super) fn forbid(&mut self, a: Side, b: Side) {
        self.allowed.remove(&(a.min(b), a.max(b)));
    }

    /// Entries that name a removed body are dropped: nothing has its id again.
    pub(super) fn forget(&mut self, body: BodyId) {
        let names = |side: &Side| match *side {
            Side::Part(part) => part.body == body,
            Side::Body(other) => other == body,
            Side::Group(_) => false,
        };
        self.allowed.retain(|(a, b)| !names(a) && !names(b));
    }

    /// Is the pair to be asked about?
    pub(super) fn asks(&self, a: Candidate, b: Candidate) -> bool {
        if a.id.body == b.id.body && (a.parent == Some(b.id.part) || b.parent == Some(a.id.part)) {
            return false;
        }
        if self.allowed.is_empty() {
            return true;
        }
        let allows = |a: Side, b: Side| self.allowed.contains(&(a.min(b), a.max(b)));
        !sides(a).any(|side_a| sides(b).any(|side_b| allows(side_a, side_b)))
    }
}

fn sides(candidate: Candidate) -> impl Iterator<Item = Side> {
    let Candidate { id, group, .. } = candidate;
    [Side::Part(id), Side::Body(id.body)].into_iter().chain(group.map(Side::Group))
}

impl Scene {
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

    fn side(&self, who: Who) -> Result<Side, SceneError> {
        match who {
            Who::Part(part) => self.part(part).map(|_| Side::Part(part)),
            Who::Body(body) => self.body(body).map(|_| Side::Body(body)),
            Who::Group(group) => self.filter.find_group(&group).map(Side::Group),
        }
    }

    /// What the filter wants to know of a part that is in the scene.
    pub(super) fn candidate(&self, id: PartId) -> Option<Candidate> {
        let body = self.bodies.get(id.body)?;
        Some(Candidate { id, group: body.group_number, parent: body.parts.get(id.part as usize)?.parent })
    }
}
