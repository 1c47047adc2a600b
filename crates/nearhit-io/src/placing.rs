//! Meshes put in their places: every one by itself, or shapes and poses.

use crate::assembly::{Assembly, PlacedPart};
use crate::budget::Budget;
use crate::error::{ParseError, XmlProblem};
use crate::part::{Part, distinct_names};
use crate::units::Units;
use crate::xml::{Place, too_much};
use glam::{DAffine3, DMat3, DVec3};
use nearhit::{MAX_COORDINATE, Pose, RawMesh};
use std::collections::HashMap;

/// A mesh shown somewhere.
#[derive(Debug)]
pub(crate) struct Instance {
    /// Its path.
    pub(crate) name: String,
    /// Which of the meshes.
    pub(crate) mesh: usize,
    pub(crate) world_from_mesh: DAffine3,
    /// The element that shows it.
    pub(crate) place: Place,
}

/// Meshes in frames of their own, and where they are shown.
#[derive(Debug, Default)]
pub(crate) struct Placing {
    pub(crate) meshes: Vec<RawMesh>,
    pub(crate) instances: Vec<Instance>,
    pub(crate) units: Units,
}

impl Placing {
    pub(crate) fn parts(self, budget: &mut Budget) -> Result<(Vec<Part>, Units), ParseError> {
        let Self { meshes, instances, units } = self;
        let (names, instances) = named(instances);
        let mut parts = Vec::new();
        for (name, Instance { mesh, world_from_mesh, place, .. }) in names.into_iter().zip(instances) {
            let mesh = placed(&meshes[mesh], &world_from_mesh, &place, budget)?;
            parts.push(Part { name, mesh });
        }
        Ok((parts, units))
    }

    /// The same, with every mesh that is shown several times only once.
    pub(crate) fn assembly(self, budget: &mut Budget) -> Result<(Assembly, Units), ParseError> {
        let Self { meshes, instances, units } = self;
        let mut assembly = Assembly { units, ..Assembly::default() };
        let (names, instances) = named(instances);
        let mut shape_of: HashMap<(usize, [u64; 9]), usize> = HashMap::new();
        for (name, Instance { mesh, world_from_mesh, place, .. }) in names.into_iter().zip(instances) {
            let (world_from_shape, shape_from_mesh) = split(&world_from_mesh);
            let key = (mesh, shape_from_mesh.to_cols_array().map(f64::to_bits));
            let shape = match shape_of.get(&key) {
                Some(&shape) => shape,
                None => {
                    let shape_from_mesh = DAffine3::from_mat3(shape_from_mesh);
                    assembly.shapes.push(placed(&meshes[mesh], &shape_from_mesh, &place, budget)?);
                    shape_of.insert(key, assembly.shapes.len() - 1);
                    assembly.shapes.len() - 1
                }
            };
            assembly.parts.push(PlacedPart { name, shape, world_from_shape });
        }
        Ok((assembly, units))
    }
}

/// Names that differ, taken out of the instances.
fn named(mut instances: Vec<Instance>) -> (Vec<String>, Vec<Instance>) {
    let names = instances.iter_mut().map(|instance| std::mem::take(&mut instance.name)).collect();
    (distinct_names(names), instances)
}

/// A copy in another frame. Where that mirrors, triangles are turned round, so that they face
/// outwards again.
fn placed(mesh: &RawMesh, to_from_mesh: &DAffine3, place: &Place, budget: &mut Budget) -> Result<RawMesh, ParseError> {
    let items = (mesh.vertices.len() + mesh.triangles.len()) as u64;
    budget.take(items).map_err(|exceeded| too_much(place, exceeded))?;
    let mut copy = mesh.clone();
    for (vertex, point) in copy.vertices.iter_mut().enumerate() {
        *point = to_from_mesh.transform_point3(DVec3::from(*point)).to_array();
        let usable = |value: f64| value.abs() <= MAX_COORDINATE;
        if let Some((axis, &value)) = ['x', 'y', 'z'].into_iter().zip(&*point).find(|&(_, &value)| !usable(value)) {
            return Err(place.error(XmlProblem::Misplaced { vertex, axis, value }));
        }
    }
    if to_from_mesh.matrix3.determinant() < 0.0 {
        copy.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
    Ok(copy)
}

/// How far the columns of a matrix may be from orthonormal to be a rotation: rounding, not a scale.
const ROTATION_TOLERANCE: f64 = 1e-12;

/// Into a pose and what else there is: nothing for a rigid transform, else all but the translation.
pub(crate) fn split(world_from_mesh: &DAffine3) -> (Pose, DMat3) {
    let DAffine3 { matrix3, translation } = *world_from_mesh;
    let off = matrix3.transpose() * matrix3 - DMat3::IDENTITY;
    let is_rigid = off.to_cols_array().iter().all(|entry| entry.abs() <= ROTATION_TOLERANCE);
    let rigid = is_rigid.then(|| Pose::from_rows(matrix3.transpose().to_cols_array_2d(), translation.to_array()));
    match rigid {
        Some(Ok(pose)) => (pose, DMat3::IDENTITY),
        // A translation that no point survives is an error of the vertices, not of the pose.
        _ => match Pose::from_translation(translation.to_array()) {
            Ok(pose) => (pose, matrix3),
            Err(_) => (Pose::IDENTITY, DMat3::from_diagonal(DVec3::INFINITY)),
        },
    }
}
