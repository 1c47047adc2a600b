//! Structures that some queries need with the models: sphere-trees, average-case tables. Built
//! once.

use super::query::Query;
use nearhit::research::SphereTreeExt;
use nearhit::research::adb::{Averages, Options};
use nearhit::research::sphere_tree::SphereOptions;
use nearhit::{Model, SphereTree};
use std::sync::OnceLock;

/// Of a and of b each.
#[derive(Debug, Default)]
pub(super) struct Precomputed {
    spheres: OnceLock<[SphereTree; 2]>,
    averages: OnceLock<[Averages; 2]>,
}

impl Precomputed {
    /// Makes what the query needs, unless it is there.
    pub(super) fn make(&self, query: Query, a: &Model, b: &Model) {
        match query {
            Query::Refine => _ = self.spheres.get_or_init(|| spheres(a, b)),
            Query::Adb(..) => {
                _ = self.averages.get_or_init(|| [a, b].map(|model| Averages::new(model, &Options::default())))
            }
            Query::Collide | Query::Contacts | Query::Distance(_) | Query::Within(_) => {}
        }
    }

    /// For refinement.
    ///
    /// # Panics
    /// If they were not made.
    pub(super) fn spheres(&self) -> &[SphereTree; 2] {
        self.spheres.get().expect("made with the models")
    }

    /// For average-case detection.
    ///
    /// # Panics
    /// If they were not made.
    pub(super) fn averages(&self) -> &[Averages; 2] {
        self.averages.get().expect("made with the models")
    }

    /// Memory of what the query needs.
    pub(super) fn bytes(&self, query: Query) -> usize {
        match query {
            Query::Refine => self.spheres().iter().map(SphereTree::bytes).sum(),
            Query::Adb(..) => self.averages().iter().map(Averages::bytes).sum(),
            Query::Collide | Query::Contacts | Query::Distance(_) | Query::Within(_) => 0,
        }
    }
}

/// One for both where the meshes are the same.
fn spheres(a: &Model, b: &Model) -> [SphereTree; 2] {
    let build = |model: &Model| SphereTree::build(model, &SphereOptions::for_triangles(model.mesh().triangles().len()));
    let of_a = build(a);
    let of_b = if a.mesh() == b.mesh() { of_a.clone() } else { build(b) };
    [of_a, of_b]
}
