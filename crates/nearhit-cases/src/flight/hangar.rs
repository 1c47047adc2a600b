//! What ships are made of: a model for each mesh, and the sphere-trees of each way to find
//! contacts, made when first asked for.

use super::{Detect, Fleet};
use nearhit::research::SphereTreeExt;
use nearhit::research::adb::{Averages, Options};
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions};
use nearhit::scene::Shape;
use nearhit::{Mesh, Model, SphereTree};
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct Hangar {
    /// One for each mesh, however many ships have it.
    models: Vec<Arc<Model>>,
    /// The model of each ship, the steered one first.
    of_ship: Vec<usize>,
    care: BuildEffort,
    made: Vec<(Detect, Vec<Shape>)>,
    /// Of each model, for the average-case search.
    averages: Vec<Averages>,
    /// Of each model: no point is farther from the origin.
    reaches: Vec<f64>,
}

impl Hangar {
    pub(super) fn new(fleet: &Fleet, care: BuildEffort) -> Self {
        let (mut meshes, mut models, mut of_ship) = (Vec::<Arc<Mesh>>::new(), Vec::new(), Vec::new());
        for mesh in std::iter::once(&fleet.ship).chain(&fleet.drones) {
            let known = meshes.iter().position(|known| Arc::ptr_eq(known, mesh));
            of_ship.push(known.unwrap_or(meshes.len()));
            if known.is_none() {
                meshes.push(Arc::clone(mesh));
                models.push(Arc::new(Model::new((**mesh).clone())));
            }
        }
        let reach = |model: &Arc<Model>| model.mesh().vertices().iter().map(|at| at.length()).fold(0.0, f64::max);
        let reaches = models.iter().map(reach).collect();
        Self { models, of_ship, care, made: Vec::new(), averages: Vec::new(), reaches }
    }

    pub(super) fn models(&self) -> &[Arc<Model>] {
        &self.models
    }

    pub(super) fn of_ship(&self) -> &[usize] {
        &self.of_ship
    }

    /// No point of a ship is farther from its origin.
    pub(super) fn reach(&self, ship: usize) -> f64 {
        self.reaches[self.of_ship[ship]]
    }

    /// A ship's model, and its table for the average-case search if shapes for that were asked for.
    pub(super) fn averaged(&self, ship: usize) -> Option<(&Model, &Averages)> {
        let model = self.of_ship[ship];
        Some((&*self.models[model], self.averages.get(model)?))
    }

    /// A shape for each ship.
    pub(super) fn shapes(&mut self, detect: Detect) -> impl Iterator<Item = Shape> {
        if detect == Detect::Average && self.averages.is_empty() {
            self.averages = self.models.iter().map(|model| Averages::new(model, &Options::default())).collect();
        }
        let place = self.made.iter().position(|(known, _)| *known == detect).unwrap_or_else(|| {
            let shapes = self.models.iter().map(|model| shape(model, detect, self.care)).collect();
            self.made.push((detect, shapes));
            self.made.len() - 1
        });
        let shapes = &self.made[place].1;
        self.of_ship.iter().map(|&model| shapes[model].clone())
    }
}

fn shape(model: &Arc<Model>, detect: Detect, care: BuildEffort) -> Shape {
    let method = match detect {
        Detect::Exact | Detect::Average => return Shape::mesh(Arc::clone(model)),
        Detect::Octree => SphereMethod::Octree,
        Detect::Medial => SphereMethod::Medial,
    };
    let tree = SphereTree::build(model, &SphereOptions::new().depth(4).method(method).effort(care));
    Shape::mesh(Arc::clone(model)).with_spheres(Arc::new(tree)).expect("made of this model above")
}
