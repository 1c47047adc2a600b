//! The tree of nodes: where each is in the scene.
//!
//! Goes over lists, not into functions that call themselves: a chain of a million nodes is no
//! deeper than one.

use super::document::Node;
use super::{error, get};
use crate::error::{GltfPlace, GltfProblem, ParseError};
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// How far the length of a rotation's quaternion may be from 1: it is taken for one of length 1.
const QUATERNION_TOLERANCE: f64 = 1e-3;

/// The transform of every node into the scene.
pub(super) fn world_from_node(nodes: &[Node]) -> Result<Vec<DAffine3>, ParseError> {
    let parents = parents(nodes)?;
    let mut world_from_node = vec![DAffine3::IDENTITY; nodes.len()];
    let mut waiting: Vec<usize> = (0..nodes.len()).filter(|&node| parents[node].is_none()).collect();
    let mut visited = vec![false; nodes.len()];
    while let Some(node) = waiting.pop() {
        let message = |message| error(GltfPlace::Node(node), GltfProblem::Transform { message });
        let parent_from_node = parent_from_node(&nodes[node]).map_err(message)?;
        let world_from_parent = parents[node].map_or(DAffine3::IDENTITY, |parent| world_from_node[parent]);
        world_from_node[node] = world_from_parent * parent_from_node;
        visited[node] = true;
        waiting.extend(&nodes[node].children);
    }
    match visited.iter().position(|visited| !visited) {
        None => Ok(world_from_node),
        Some(node) => Err(error(GltfPlace::Node(own_ancestor(node, &parents)), GltfProblem::Cycle)),
    }
}

/// The parent of every node that has one.
fn parents(nodes: &[Node]) -> Result<Vec<Option<usize>>, ParseError> {
    let mut parents = vec![None; nodes.len()];
    for (node, children) in nodes.iter().map(|node| &node.children).enumerate() {
        for &child in children {
            get(nodes, "node", child, GltfPlace::Node(node))?;
            if let Some(first) = parents[child].replace(node) {
                return Err(error(GltfPlace::Node(child), GltfProblem::TwoParents { first, second: node }));
            }
        }
    }
    Ok(parents)
}

/// The least node of the cycle that is above one that no root reaches.
fn own_ancestor(node: usize, parents: &[Option<usize>]) -> usize {
    let up = |node: usize| parents[node].unwrap_or(node);
    let on_cycle = (0..parents.len()).fold(node, |node, _| up(node));
    let mut least = on_cycle;
    let mut node = up(on_cycle);
    while node != on_cycle {
        least = least.min(node);
        node = up(node);
    }
    least
}

fn parent_from_node(node: &Node) -> Result<DAffine3, String> {
    let rows = (&node.translation, &node.rotation, &node.scale);
    let Some(matrix) = &node.matrix else {
        let rotation = node.rotation.as_ref().map_or(Ok(DQuat::IDENTITY), |xyzw| unit_quaternion(**xyzw))?;
        let vector = |given: &Option<Box<[f64; 3]>>, otherwise| given.as_ref().map_or(otherwise, |v| DVec3::from(**v));
        let (scale, translation) = (vector(&node.scale, DVec3::ONE), vector(&node.translation, DVec3::ZERO));
        return Ok(DAffine3::from_scale_rotation_translation(scale, rotation, translation));
    };
    if !matches!(rows, (None, None, None)) {
        return Err("it has a matrix, and also a translation, rotation or scale".into());
    }
    let [x, y, z, translation] = [0, 1, 2, 3].map(|column| [0, 1, 2, 3].map(|row| matrix[4 * column + row]));
    let bottom = [x[3], y[3], z[3], translation[3]];
    if bottom != [0.0, 0.0, 0.0, 1.0] {
        return Err(format!("the last row of its matrix is {bottom:?}, not [0, 0, 0, 1]"));
    }
    let [x, y, z, translation] = [x, y, z, translation].map(|[x, y, z, _]| DVec3::new(x, y, z));
    Ok(DAffine3::from_mat3_translation(DMat3::from_cols(x, y, z), translation))
}

fn unit_quaternion(xyzw: [f64; 4]) -> Result<DQuat, String> {
    let quaternion = DQuat::from_array(xyzw);
    let length = quaternion.length();
    // Written so that an overflow to infinity is refused too.
    let near = (length - 1.0).abs() <= QUATERNION_TOLERANCE;
    if !near {
        return Err(format!("the length of its rotation is {length}, not 1"));
    }
    // Dividing by a length of 1 keeps the bits.
    Ok(quaternion / length)
}
