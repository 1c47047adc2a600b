//! The sphere-trees of both bodies: made beside the answers, since that takes seconds and the page
//! goes on asking.

use crate::scene::Body;
use nearhit::SphereTree;
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{SphereMethod, SphereOptions};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// Of one method.
#[derive(Debug, Default)]
pub(crate) struct Spheres {
    begun: OnceLock<()>,
    work: Arc<Work>,
}

#[derive(Debug, Default)]
struct Work {
    per_mille: AtomicU32,
    trees: OnceLock<[SphereTree; 2]>,
}

impl Spheres {
    /// The trees, or the share of the work that is done; who asks first begins it.
    pub(crate) fn get(&self, bodies: &Arc<[Body; 2]>, method: SphereMethod) -> Result<&[SphereTree; 2], f64> {
        self.begun.get_or_init(|| {
            let (work, bodies) = (Arc::clone(&self.work), Arc::clone(bodies));
            std::thread::spawn(move || {
                // Nobody else makes them.
                let _ = work.trees.set(build(&work.per_mille, &bodies, method));
            });
        });
        self.work.trees.get().ok_or_else(|| f64::from(self.work.per_mille.load(Ordering::Relaxed)) * 1e-3)
    }
}

/// As `nearhit run --query refine` makes them. One for both where the meshes are the same.
fn build(per_mille: &AtomicU32, [a, b]: &[Body; 2], method: SphereMethod) -> [SphereTree; 2] {
    let is_twin = a.model.mesh() == b.model.mesh();
    let trees = if is_twin { 1.0 } else { 2.0 };
    let build = |body: &Body, before: f64| {
        let tell = |share: f64| per_mille.store((1e3 * (before + share) / trees) as u32, Ordering::Relaxed);
        let options = SphereOptions::for_triangles(body.model.mesh().triangles().len());
        SphereTree::build_telling(&body.model, &options.method(method), &tell)
    };
    let of_a = build(a, 0.0);
    let of_b = if is_twin { of_a.clone() } else { build(b, 1.0) };
    [of_a, of_b]
}
