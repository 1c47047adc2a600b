//! Makes a part of every node with a mesh.

use super::accessor::Access;
use super::buffers::Buffers;
use super::builder::{Builder, take};
use super::document::{Document, Mesh, Node};
use super::{UNITS, error, get};
use crate::assembly::{Assembly, PlacedPart};
use crate::budget::Budget;
use crate::error::{GltfPlace, GltfProblem, ParseError};
use crate::part::{Inside, Part, Paths, distinct_names};
use crate::placing::split;
use glam::DAffine3;
use nearhit::RawMesh;
use std::collections::HashMap;

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
    let mut assembly = Assembly { units: UNITS, ..Assembly::default() };
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

/// Calls `visit` with a name, the index of the mesh and its place, for every node that has a mesh.
fn each_mesh(
    document: &Document,
    world_from_node: &[DAffine3],
    budget: &mut Budget,
    mut visit: impl FnMut(String, usize, &DAffine3, &mut Budget) -> Result<(), ParseError>,
) -> Result<(), ParseError> {
    let (paths, inside) = paths(&document.nodes);
    let (mut shown, mut names) = (Vec::new(), Vec::new());
    for (index, node) in document.nodes.iter().enumerate() {
        let Some(mesh_index) = node.mesh else { continue };
        let place = GltfPlace::Node(index);
        let mesh = get(&document.meshes, "mesh", mesh_index, place)?;
        let weights = weights(node, mesh);
        // All nodes may share a mesh with many.
        take(budget, weights.len() as u64)?;
        check_shape(node, weights).map_err(|what| error(place, GltfProblem::Unsupported { what }))?;
        let name = name(node, mesh, index);
        // A chain of nodes may be in each other.
        take(budget, paths.length(inside[index], &name))?;
        names.push(paths.path(inside[index], &name));
        shown.push((index, mesh_index));
    }
    for (name, (node, mesh)) in distinct_names(names).into_iter().zip(shown) {
        visit(name, mesh, &world_from_node[node], budget)?;
    }
    Ok(())
}

/// What every node is in. The nodes form trees.
fn paths(nodes: &[Node]) -> (Paths<'_>, Vec<Inside>) {
    let (mut paths, mut inside) = (Paths::default(), vec![None; nodes.len()]);
    let mut is_root = vec![true; nodes.len()];
    nodes.iter().flat_map(|node| &node.children).for_each(|&child| is_root[child] = false);
    let mut waiting: Vec<usize> = (0..nodes.len()).filter(|&node| is_root[node]).collect();
    while let Some(node) = waiting.pop() {
        let own = paths.enter(inside[node], nodes[node].name.as_deref().unwrap_or_default());
        for &child in &nodes[node].children {
            inside[child] = own;
            waiting.push(child);
        }
    }
    (paths, inside)
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

/// Of morph targets: the node's, else the mesh's.
fn weights<'d>(node: &'d Node, mesh: &'d Mesh) -> &'d [f64] {
    node.weights.as_ref().or(mesh.weights.as_ref()).map_or(&[], |weights| weights)
}

/// Whether the numbers in the accessors are where the mesh is.
fn check_shape(node: &Node, weights: &[f64]) -> Result<(), &'static str> {
    if node.skin.is_some() {
        return Err("a mesh with a skin, whose place the joints decide,");
    }
    if weights.iter().any(|&weight| weight != 0.0) {
        return Err("a mesh with morph targets that are not off");
    }
    if node.extensions.instancing.is_some() {
        return Err("EXT_mesh_gpu_instancing, which adds copies of the mesh,");
    }
    Ok(())
}
