//! What the build shows: items, and the components of their objects.
//!
//! Goes over a list, not into functions that call themselves; objects that are used again and again
//! are counted against the budget.

use super::archive::{Archive, within};
use super::model::{self, Model, Object, Reference};
use crate::budget::Budget;
use crate::error::{ParseError, XmlProblem};
use crate::part::{Inside, Paths};
use crate::placing::{Instance, Placing};
use crate::text::excerpt;
use crate::units::{Units, UpAxis};
use crate::xml::too_much;
use glam::DAffine3;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

pub(super) fn placing(archive: &mut Archive<'_>, budget: &mut Budget) -> Result<Placing, ParseError> {
    let start = archive.start()?;
    let mut models = Models { all: HashMap::new(), root: normal(&start) };
    models.load_all(archive, &start)?;
    let Models { all, root } = &models;
    let mut walk =
        Walk { models: &models, budget, placing: Placing::default(), paths: Paths::default(), mesh_of: HashMap::new() };
    let build = all.get(root).map_or(&[][..], |model| &model.build);
    for item in build {
        walk.item(root, item)?;
    }
    let metres_per_unit = all.get(root).map(|model| model.metres_per_unit);
    walk.placing.units = Units { metres_per_unit, up: Some(UpAxis::Z) };
    Ok(walk.placing)
}

/// Every model that is reached, by the name of its file.
#[derive(Debug)]
struct Models {
    all: HashMap<Rc<str>, Model>,
    root: Rc<str>,
}

impl Models {
    fn load_all(&mut self, archive: &mut Archive<'_>, start: &str) -> Result<(), ParseError> {
        let mut waiting = vec![start.to_owned()];
        while let Some(path) = waiting.pop() {
            if self.all.contains_key(&normal(&path)) {
                continue;
            }
            let (entry, bytes) = archive.read(&path)?;
            let model = model::parse(&bytes).map_err(|error| within(&entry, error))?;
            let components = model.objects.values().flat_map(|object| &object.components);
            waiting.extend(components.chain(&model.build).filter_map(|reference| reference.path.clone()));
            self.all.insert(normal(&path), model);
        }
        Ok(())
    }

    /// The object that a reference in the model `from` names, and the model that it is in.
    fn object(&self, from: &Rc<str>, reference: &Reference) -> Result<(Rc<str>, &Object), ParseError> {
        let path = reference.path.as_deref().map_or_else(|| Rc::clone(from), normal);
        let object = self.all.get(&path).and_then(|model| model.objects.get(&reference.object));
        let missing = || {
            let id = excerpt(reference.object.as_bytes());
            within(from, reference.place.error(XmlProblem::NoSuch { what: "object", id }))
        };
        object.map(|object| (path, object)).ok_or_else(missing)
    }
}

/// As names are compared in archives of this kind.
fn normal(path: &str) -> Rc<str> {
    path.trim_start_matches('/').to_ascii_lowercase().into()
}

/// The name of a model and the id of an object in it.
type Key = (Rc<str>, Rc<str>);

/// What is still to be done.
enum Step<'m> {
    Enter(Rc<str>, &'m Reference, DAffine3, Inside),
    Leave(Key),
}

struct Walk<'w> {
    models: &'w Models,
    budget: &'w mut Budget,
    placing: Placing,
    /// Objects that are shown.
    paths: Paths<'w>,
    mesh_of: HashMap<Key, usize>,
}

impl<'w> Walk<'w> {
    fn item(&mut self, from: &Rc<str>, item: &'w Reference) -> Result<(), ParseError> {
        let mut waiting = vec![Step::Enter(Rc::clone(from), item, DAffine3::IDENTITY, None)];
        // Objects that the present one is in.
        let mut open: HashSet<Key> = HashSet::new();
        while let Some(step) = waiting.pop() {
            let (from, reference, world_from_parent, inside) = match step {
                Step::Enter(from, reference, world_from_parent, inside) => (from, reference, world_from_parent, inside),
                Step::Leave(key) => {
                    open.remove(&key);
                    continue;
                }
            };
            self.budget.take(1).map_err(|exceeded| within(&from, too_much(&reference.place, exceeded)))?;
            let (path, object) = self.models.object(&from, reference)?;
            let world_from_object = world_from_parent * reference.to_from_object;
            let key = (Rc::clone(&path), Rc::clone(&reference.object));
            if !open.insert(key.clone()) {
                let id = excerpt(reference.object.as_bytes());
                return Err(within(&from, reference.place.error(XmlProblem::Cycle { id })));
            }
            waiting.push(Step::Leave(key.clone()));
            self.show(&key, object, (reference, inside), world_from_object).map_err(|error| within(&from, error))?;
            let own = self.paths.enter(inside, &object.name);
            let components = object.components.iter().rev();
            waiting
                .extend(components.map(|component| Step::Enter(Rc::clone(&path), component, world_from_object, own)));
        }
        Ok(())
    }

    /// Adds the object's own mesh, if it has one.
    fn show(
        &mut self,
        key: &Key,
        object: &Object,
        (reference, inside): (&Reference, Inside),
        world_from_mesh: DAffine3,
    ) -> Result<(), ParseError> {
        let Some(mesh) = &object.mesh else { return Ok(()) };
        self.budget
            .take(self.paths.length(inside, &object.name))
            .map_err(|exceeded| too_much(&reference.place, exceeded))?;
        let mesh = match self.mesh_of.get(key) {
            Some(&index) => index,
            None => {
                self.placing.meshes.push(mesh.clone());
                self.mesh_of.insert(key.clone(), self.placing.meshes.len() - 1);
                self.placing.meshes.len() - 1
            }
        };
        let (name, place) = (self.paths.path(inside, &object.name), reference.place.clone());
        self.placing.instances.push(Instance { name, mesh, world_from_mesh, place });
        Ok(())
    }
}
