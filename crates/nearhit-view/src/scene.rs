//! What is shown: two bodies, where they are, and where they fly.

use crate::spheres::Spheres;
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::adb::{Averages, Options};
use nearhit::research::build::BuildOptions;
use nearhit::research::sphere_tree::SphereMethod;
use nearhit::{Mesh, Model, Pose, SphereTree};
use std::sync::{Arc, OnceLock};

/// A mesh with a name and a place.
#[derive(Debug)]
pub struct Body {
    /// As it is called on the page.
    pub name: String,
    /// With the default engine's tree.
    pub model: Model,
    /// Where it is at first.
    pub world_from_body: Pose,
}

/// Everything the page can ask about.
#[derive(Debug)]
pub struct Scene {
    pub(crate) bodies: Arc<[Body; 2]>,
    /// Where both are, from pose to pose.
    pub(crate) poses: Vec<[Pose; 2]>,
    /// Trees of the classic volumes, in the order of the list; made when first asked for.
    trees: Vec<OnceLock<[Model; 2]>>,
    /// Tables of the trees of oriented boxes, made when first asked for.
    averages: OnceLock<[Averages; 2]>,
    medial: Spheres,
    octree: Spheres,
    merged: Spheres,
    pub(crate) flight: OnceLock<Vec<crate::flight::Moment>>,
}

impl Scene {
    /// Two bodies; `poses` may be empty.
    #[must_use]
    pub fn new(bodies: [Body; 2], poses: Vec<[Pose; 2]>) -> Self {
        let trees = VolumeKind::ALL.iter().map(|_| OnceLock::new()).collect();
        Self {
            bodies: Arc::new(bodies),
            poses,
            trees,
            averages: OnceLock::new(),
            medial: Spheres::default(),
            octree: Spheres::default(),
            merged: Spheres::default(),
            flight: OnceLock::new(),
        }
    }

    pub(crate) fn mesh(&self, body: usize) -> &Mesh {
        self.bodies[body].model.mesh()
    }

    /// Both bodies with trees of a volume.
    pub(crate) fn trees(&self, volume: VolumeKind) -> Option<&[Model; 2]> {
        let index = VolumeKind::ALL.iter().position(|kind| *kind == volume)?;
        let build = |body: usize| Model::with(self.mesh(body).clone(), volume, &BuildOptions::default());
        Some(self.trees[index].get_or_init(|| [build(0), build(1)]))
    }

    /// Tables for the average-case search, of both bodies' trees of oriented boxes.
    pub(crate) fn averages(&self, models: &[Model; 2]) -> &[Averages; 2] {
        self.averages.get_or_init(|| [0, 1].map(|body| Averages::new(&models[body], &Options::default())))
    }

    /// Both bodies' sphere-trees, or the share of them that is made.
    pub(crate) fn spheres(&self, method: SphereMethod) -> Result<&[SphereTree; 2], f64> {
        let spheres = match method {
            SphereMethod::Medial => &self.medial,
            SphereMethod::Octree => &self.octree,
            SphereMethod::Merged => &self.merged,
        };
        spheres.get(&self.bodies, method)
    }
}
