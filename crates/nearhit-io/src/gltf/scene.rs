//! Makes a part of every node with a mesh.

use super::accessor::{Access, Purpose};
use super::buffers::Buffers;
use super::document::{Document, Mesh, Node, Primitive};
use super::{error, get};
use crate::assembly::{Assembly, PlacedPart};
use crate::error::{GltfPlace, GltfProblem, ParseError};
use crate::part::{Names, Part};
use crate::polygon::{Fan, Strip};
use glam::{DAffine3, DMat3, DVec3};
use nearhit::{MAX_COORDINATE, Pose, RawMesh};
use std::collections::HashMap;

/// Vertices, triangles and letters that any file may have, and how many more for each of its bytes.
const FREE_ITEMS: u64 = 1 << 20;
const ITEMS_PER_BYTE: u64 = 64;

/// In the order of the nodes. `length` is that of the file with all it names.
pub(super) fn parts(
    document: &Document,
    buffers: &Buffers<'_>,
    world_from_node: &[DAffine3],
    length: u64,
) -> Result<Vec<Part>, ParseError> {
    let access = Access { document, buffers };
    let mut budget = Budget::new(length);
    let mut parts = Vec::new();
    each_mesh(document, world_from_node, &mut budget, |name, mesh, world_from_node, budget| {
        parts.push(Part { name, mesh: built(access, mesh, *world_from_node, budget)? });
        Ok(())
    })?;
    Ok(parts)
}

/// The same, with every mesh that several nodes show only once.
pub(super) fn assembly(
    document: &Document,
    buffers: &Buffers<'_>,
    world_from_node: &[DAffine3],
    length: u64,
) -> Result<Assembly, ParseError> {
    let access = Access { document, buffers };
    let mut budget = Budget::new(length);
    let mut assembly = Assembly::default();
    let mut shape_of: HashMap<(usize, [u64; 9]), usize> = HashMap::new();
    each_mesh(document, world_from_node, &mut budget, |name, mesh, world_from_node, budget| {
        let (world_from_shape, shape_from_mesh) = split(world_from_node);
        let key = (mesh, shape_from_mesh.to_cols_array().map(f64::to_bits));
        let shape = match shape_of.get(&key) {
            Some(&shape) => shape,
            None => {
                assembly.shapes.push(built(access, mesh, DAffine3::from_mat3(shape_from_mesh), budget)?);
                let shape = assembly.shapes.len() - 1;
                shape_of.insert(key, shape);
                shape
            }
        };
        assembly.parts.push(PlacedPart { name, shape, world_from_shape });
        Ok(())
    })?;
    Ok(assembly)
}

/// How far the columns of a matrix may be from orthonormal to be a rotation: rounding, not a scale.
const ROTATION_TOLERANCE: f64 = 1e-12;

/// Into a pose and what else there is: nothing for a rigid transform, else all but the translation.
fn split(world_from_node: &DAffine3) -> (Pose, DMat3) {
    let DAffine3 { matrix3, translation } = *world_from_node;
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

/// Calls `visit` with a name, the index of the mesh and its place, for every node that has a mesh.
fn each_mesh(
    document: &Document,
    world_from_node: &[DAffine3],
    budget: &mut Budget,
    mut visit: impl FnMut(String, usize, &DAffine3, &mut Budget) -> Result<(), ParseError>,
) -> Result<(), ParseError> {
    let mut names = Names::default();
    for (index, (node, world_from_node)) in document.nodes.iter().zip(world_from_node).enumerate() {
        let Some(mesh_index) = node.mesh else { continue };
        let place = GltfPlace::Node(index);
        let mesh = get(&document.meshes, "mesh", mesh_index, place)?;
        check_shape(node, mesh).map_err(|what| error(place, GltfProblem::Unsupported { what }))?;
        let name = name(node, mesh, index);
        budget.take(name.len() as u64)?;
        visit(names.unique(&name), mesh_index, world_from_node, budget)?;
    }
    Ok(())
}

/// All primitives of a mesh, placed.
fn built(access: Access<'_>, mesh: usize, place: DAffine3, budget: &mut Budget) -> Result<RawMesh, ParseError> {
    let mut builder = Builder::new(access, place, budget);
    for (primitive, given) in access.document.meshes[mesh].primitives.iter().enumerate() {
        builder.primitive(given, GltfPlace::Primitive { mesh, primitive })?;
    }
    Ok(builder.mesh)
}

/// The node's, else the mesh's, else a number.
fn name(node: &Node, mesh: &Mesh, index: usize) -> String {
    let given = [&node.name, &mesh.name].into_iter().flatten().find(|name| !name.is_empty());
    given.map_or_else(|| format!("node_{index}"), |name| name.to_string())
}

/// Whether the numbers in the accessors are where the mesh is.
fn check_shape(node: &Node, mesh: &Mesh) -> Result<(), &'static str> {
    let weights = node.weights.as_ref().or(mesh.weights.as_ref());
    if node.skin.is_some() {
        return Err("a mesh with a skin, whose place the joints decide,");
    }
    if weights.is_some_and(|weights| weights.iter().any(|&weight| weight != 0.0)) {
        return Err("a mesh with morph targets that are not off");
    }
    if node.extensions.instancing.is_some() {
        return Err("EXT_mesh_gpu_instancing, which adds copies of the mesh,");
    }
    Ok(())
}

/// How much more may come. Nodes may share a mesh and primitives an accessor: without a limit a small file could
/// fill any memory.
struct Budget {
    left: u64,
    limit: u64,
    length: u64,
}

impl Budget {
    fn new(length: u64) -> Self {
        let limit = FREE_ITEMS.saturating_add(length.saturating_mul(ITEMS_PER_BYTE)).min(u64::from(u32::MAX));
        Self { left: limit, limit, length }
    }

    fn take(&mut self, items: u64) -> Result<(), ParseError> {
        let (limit, length) = (self.limit, self.length);
        self.left = self
            .left
            .checked_sub(items)
            .ok_or_else(|| error(GltfPlace::File, GltfProblem::TooMuch { limit, length }))?;
        Ok(())
    }
}

/// Collects the primitives of a node.
struct Builder<'a> {
    access: Access<'a>,
    world_from_node: DAffine3,
    /// Mirrored triangles are turned round, so that they face outwards again.
    mirrored: bool,
    budget: &'a mut Budget,
    mesh: RawMesh,
    /// Where the vertices of an accessor begin: primitives often share one.
    first_of_accessor: HashMap<usize, usize>,
}

impl<'a> Builder<'a> {
    fn new(access: Access<'a>, world_from_node: DAffine3, budget: &'a mut Budget) -> Self {
        let mirrored = world_from_node.matrix3.determinant() < 0.0;
        Self { access, world_from_node, mirrored, budget, mesh: RawMesh::default(), first_of_accessor: HashMap::new() }
    }

    fn primitive(&mut self, primitive: &Primitive, place: GltfPlace) -> Result<(), ParseError> {
        // For its own sake, however little it holds: a mesh may have many, and many nodes.
        self.budget.take(1)?;
        let wrong = |message| error(place, GltfProblem::Primitive { message });
        let topology = match primitive.mode.unwrap_or(4) {
            // Points and lines, which have no triangles.
            0..=3 => return Ok(()),
            4 => Topology::Triangles,
            5 => Topology::Strip,
            6 => Topology::Fan,
            mode => return Err(wrong(format!("its mode is {mode}, which does not exist"))),
        };
        let Some(position) = primitive.attributes.position else {
            return Err(wrong("it has no POSITION".into()));
        };
        let first = self.vertices(position, place)?;
        let vertices = self.access.count(position, place)? as usize;
        let before = self.mesh.triangles.len();
        match primitive.indices {
            None => self.triangles(topology, (0..vertices).map(|index| Ok((first + index) as u32)), place)?,
            Some(indices) => {
                self.budget.take(self.access.count(indices, place)?)?;
                let indices = self.access.read::<1>(indices, Purpose::Indices)?;
                let corner = |(position, [index]): (usize, [f64; 1])| match index as usize {
                    inside if inside < vertices => Ok((first + inside) as u32),
                    _ => {
                        let problem = GltfProblem::IndexOutOfRange { position, index: index as u64, vertices };
                        Err(error(place, problem))
                    }
                };
                self.triangles(topology, indices.into_iter().enumerate().map(corner), place)?;
            }
        }
        if self.mirrored {
            self.mesh.triangles[before..].iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        Ok(())
    }

    /// Places the vertices of an accessor, unless they are there already; returns the index of the first.
    fn vertices(&mut self, accessor: usize, place: GltfPlace) -> Result<usize, ParseError> {
        let count = self.access.count(accessor, place)?;
        // Twice: what becomes of them without indices is as many triangles.
        self.budget.take(count.saturating_mul(2))?;
        if let Some(&first) = self.first_of_accessor.get(&accessor) {
            return Ok(first);
        }
        let first = self.mesh.vertices.len();
        let positions = self.access.read::<3>(accessor, Purpose::Positions)?;
        self.mesh.vertices.reserve(positions.len());
        for (vertex, position) in positions.into_iter().enumerate() {
            let wrong = |problem| error(GltfPlace::Accessor(accessor), problem);
            if let Some((axis, value)) = find_coordinate(position, |value| !value.is_finite()) {
                return Err(wrong(GltfProblem::NotFinite { vertex, axis, value }));
            }
            let point = self.world_from_node.transform_point3(DVec3::from(position)).to_array();
            let usable = |value: f64| value.abs() <= MAX_COORDINATE;
            if let Some((axis, value)) = find_coordinate(point, |value| !usable(value)) {
                return Err(wrong(GltfProblem::TooLarge { vertex, axis, value }));
            }
            self.mesh.vertices.push(point);
        }
        self.first_of_accessor.insert(accessor, first);
        Ok(first)
    }

    fn triangles(
        &mut self,
        topology: Topology,
        corners: impl Iterator<Item = Result<u32, ParseError>>,
        place: GltfPlace,
    ) -> Result<(), ParseError> {
        let triangles = &mut self.mesh.triangles;
        let (mut fan, mut strip, mut found) = (Fan::default(), Strip::default(), 0);
        for corner in corners {
            match topology {
                Topology::Strip => strip.push(corner?, triangles),
                Topology::Fan => fan.push(corner?, triangles),
                Topology::Triangles => {
                    fan.push(corner?, triangles);
                    if fan.corners() == 3 {
                        fan = Fan::default();
                    }
                }
            }
            found += 1;
        }
        let whole = if topology == Topology::Triangles { found % 3 == 0 } else { found == 0 || found >= 3 };
        let message = || format!("its {found} corners do not make whole triangles");
        if whole { Ok(()) } else { Err(error(place, GltfProblem::Primitive { message: message() })) }
    }
}

#[inline]
fn find_coordinate(point: [f64; 3], is_wrong: impl Fn(f64) -> bool) -> Option<(char, f64)> {
    ['x', 'y', 'z'].into_iter().zip(point).find(|&(_, value)| is_wrong(value))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Topology {
    Triangles,
    Strip,
    Fan,
}
