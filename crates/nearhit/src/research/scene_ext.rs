//! Scenes for experiments: a chosen broad phase, and one that looks ahead.

use super::sealed::Sealed;
use crate::hierarchy::VolumeKind;
use crate::mesh::Mesh;
use crate::scene::broad::BroadPhase;
use crate::scene::deform::Buffer;
use crate::scene::{BodyId, DeformError, Deforming, Detector, Scene, SceneError, Settled};
use glam::DVec3;

/// Research methods of a [`Scene`]: its broad phase, and motions for broad phases that look ahead
/// ([`SpaceTime`](super::broad::SpaceTime)).
pub trait SceneExt: Sealed + Sized {
    /// An empty scene with a chosen broad phase: a [`BroadKind`](super::broad::BroadKind), or one
    /// of your own.
    ///
    /// ```
    /// use nearhit::research::SceneExt;
    /// use nearhit::research::broad::BroadKind;
    /// use nearhit::scene::Scene;
    ///
    /// assert!(Scene::with_broad_phase(BroadKind::Sweep).is_empty());
    /// ```
    #[must_use]
    fn with_broad_phase(broad: impl Into<Box<dyn BroadPhase>>) -> Self;

    /// Says how a body's origin moves: its velocity now, and how much that can change a unit of
    /// time. Broad phases that look ahead are faster for it; no answer depends on it.
    fn set_motion(&mut self, id: BodyId, velocity: DVec3, max_acceleration: f64) -> Result<(), SceneError>;

    /// Lets time pass. Bodies stay where they are until they are moved.
    fn advance(&mut self, time: f64) -> Result<(), SceneError>;

    /// The time since the scene was made, as far as it was told.
    #[must_use]
    fn time(&self) -> f64;
}

impl Sealed for Scene {}

impl SceneExt for Scene {
    fn with_broad_phase(broad: impl Into<Box<dyn BroadPhase>>) -> Self {
        Self::with_broad_phase(broad.into())
    }

    fn set_motion(&mut self, id: BodyId, velocity: DVec3, max_acceleration: f64) -> Result<(), SceneError> {
        Self::set_motion(self, id, velocity, max_acceleration)
    }

    fn advance(&mut self, time: f64) -> Result<(), SceneError> {
        Self::advance(self, time)
    }

    fn time(&self) -> f64 {
        Self::time(self)
    }
}

/// Prediction by a broad phase that looks ahead.
pub trait SettledExt: Sealed + Sized {
    /// No two parts that are not near each other touch before this time, if all bodies keep to what
    /// was said about their motion ([`SceneExt::set_motion`]). The present, unless the broad phase
    /// looks ahead.
    #[must_use]
    fn earliest_contact(&self) -> f64;

    /// How far time may advance before this scene must be asked again: to the earliest possible
    /// contact, but at least `shortest` (a minimum temporal resolution) and at most `longest`.
    #[must_use]
    fn next_step(&self, shortest: f64, longest: f64) -> f64;
}

impl Sealed for Settled<'_> {}

impl SettledExt for Settled<'_> {
    fn earliest_contact(&self) -> f64 {
        Self::earliest_contact(self)
    }

    fn next_step(&self, shortest: f64, longest: f64) -> f64 {
        Self::next_step(self, shortest, longest)
    }
}

/// Deformable meshes with a tree of a chosen volume.
pub trait DeformingExt: Sealed + Sized {
    /// [`Deforming::new`] with this volume, and with room around moving triangles.
    fn with_volume(mesh: &Mesh, volume: VolumeKind, buffer: Buffer) -> Result<Self, DeformError>;
}

impl Sealed for Deforming {}

impl DeformingExt for Deforming {
    fn with_volume(mesh: &Mesh, volume: VolumeKind, buffer: Buffer) -> Result<Self, DeformError> {
        Self::with_volume(mesh, volume, buffer)
    }
}

/// Frames that go on from the frame before.
pub trait DetectorExt: Sealed + Sized {
    /// Pairs with sphere-trees begin where they were in the frame before
    /// ([`Refinement::follow`](crate::Refinement::follow)), not at the roots. Verdicts stay true
    /// and complete frames the same; separations of pairs that were not decided may be wider.
    ///
    /// ```
    /// use nearhit::research::DetectorExt;
    /// use nearhit::scene::{Detector, Scene};
    /// use nearhit::Budget;
    ///
    /// # fn main() -> Result<(), nearhit::scene::SceneError> {
    /// let mut detector = Detector::following(); // kept from frame to frame
    /// assert!(Scene::default().detect(&mut detector, &Budget::UNLIMITED)?.is_complete);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "temporal coherence")]
    #[doc(alias = "warm start")]
    #[must_use]
    fn following() -> Self;
}

impl Sealed for Detector {}

impl DetectorExt for Detector {
    fn following() -> Self {
        Self::following()
    }
}
