//! Which triangles would close a mesh with holes?
//!
//! The edges that triangles run along more often in one direction than in the other form closed
//! curves: a boundary has none itself. Taken apart into simple cycles, each is filled by triangles
//! between its corners that run along it the other way. Mesh and caps together are balanced at
//! every edge, so that they wind around a point a whole number of times, which a ray counts
//! exactly. What the mesh winds is that number less what the caps do: a sum over the holes instead
//! of the surface. Which triangles fill a cycle does not matter for that.

use super::shell::uses;
use crate::mesh::{Mesh, RawMesh};
use crate::packed::winding::Expansions;
use crate::packed::{Packed, Preset};

/// Triangles that close a mesh, with a tree of their own.
#[derive(Debug, Clone)]
pub(crate) struct Caps {
    mesh: Mesh,
    tree: Packed,
    expansions: Expansions,
}

/// Of fewer triangles the sum is short.
const FEWEST: usize = 1_000;

impl Caps {
    /// None where they would save nothing. `places`: for each vertex the first one there.
    pub(super) fn new(mesh: &Mesh, places: &[u32]) -> Option<Self> {
        if mesh.triangles().len() < FEWEST {
            return None;
        }
        let placed: Vec<[u32; 3]> =
            mesh.triangles().iter().map(|corners| corners.map(|vertex| places[vertex as usize])).collect();
        let Filled { vertices, triangles } = fill(&surplus(&placed))?;
        // Caps of more than half as many triangles are a mesh as long as the one they close.
        if triangles.is_empty() || 2 * triangles.len() > mesh.triangles().len() {
            return None;
        }
        let vertices = vertices.iter().map(|&place| mesh.vertices()[place as usize].to_array()).collect();
        let mesh = Mesh::try_from(RawMesh { vertices, triangles }).ok()?;
        let tree = Packed::build(&mesh, Preset::default())?;
        let expansions = Expansions::new(&tree, &mesh);
        Some(Self { mesh, tree, expansions })
    }

    pub(crate) fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    pub(crate) fn tree(&self) -> &Packed {
        &self.tree
    }

    pub(crate) fn expansions(&self) -> &Expansions {
        &self.expansions
    }

    pub(super) fn bytes(&self) -> usize {
        self.mesh.bytes() + self.tree.bytes() + self.expansions.bytes()
    }
}

/// The edges that would balance a mesh, in order.
fn surplus(triangles: &[[u32; 3]]) -> Vec<(u32, u32)> {
    let uses = uses(triangles);
    let mut edges = Vec::new();
    for edge in uses.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
        let (low, high, _) = edge[0];
        let along = edge.iter().filter(|use_of| use_of.2).count();
        let against = edge.len() - along;
        let lacking = if along > against { (high, low) } else { (low, high) };
        edges.extend(std::iter::repeat_n(lacking, along.abs_diff(against)));
    }
    edges.sort_unstable();
    edges
}

/// Triangles by places in a list of vertices.
#[derive(Debug, Default, PartialEq)]
struct Filled {
    vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
}

const NOWHERE: u32 = u32::MAX;

/// Triangles that run along all these edges, in order of their first vertices, and balance each
/// other elsewhere. None if the edges form no closed curves.
fn fill(edges: &[(u32, u32)]) -> Option<Filled> {
    let mut vertices: Vec<u32> = edges.iter().map(|edge| edge.0).collect();
    vertices.dedup();
    let number = |vertex: u32| vertices.binary_search(&vertex).ok();
    // The edges that leave vertex i and were not followed yet: `next[i]..end[i]`.
    let (mut next, mut end) = (vec![0; vertices.len()], vec![0; vertices.len()]);
    for (index, edge) in edges.iter().enumerate() {
        end[number(edge.0)?] = index + 1;
    }
    (1..vertices.len()).for_each(|at| next[at] = end[at - 1]);
    let targets: Vec<u32> = edges.iter().map(|edge| number(edge.1).map(|at| at as u32)).collect::<Option<_>>()?;
    let (mut path, mut reached) = (Vec::new(), vec![NOWHERE; vertices.len()]);
    let mut triangles = Vec::new();
    for start in 0..vertices.len() {
        reached[start] = 0;
        path.push(start as u32);
        while let Some(&at) = path.last() {
            let at = at as usize;
            if next[at] == end[at] {
                break;
            }
            let to = targets[next[at]];
            next[at] += 1;
            let known = reached[to as usize];
            if known == NOWHERE {
                reached[to as usize] = path.len() as u32;
                path.push(to);
                continue;
            }
            // Back on the path: a cycle.
            span(&path[known as usize..], &mut triangles);
            path.drain(known as usize + 1..).for_each(|vertex| reached[vertex as usize] = NOWHERE);
        }
        // Whatever leads to a vertex leads on, but for the first.
        if path.len() != 1 {
            return None;
        }
        path.clear();
        reached[start] = NOWHERE;
    }
    Some(Filled { vertices, triangles })
}

/// Triangles between the corners of a cycle that run along it; halved again and again, so that most
/// are small.
fn span(cycle: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let [first, .., last] = *cycle else { return };
    if cycle.len() == 2 {
        return;
    }
    let half = cycle.len() / 2;
    triangles.push([first, cycle[half], last]);
    span(&cycle[..=half], triangles);
    span(&cycle[half..], triangles);
}

#[cfg(test)]
mod tests {
    use super::super::shell::{Closure, Shell};
    use super::*;
    use crate::mesh::places;
    use nearhit_testkit::rng::Rng;
    use nearhit_testkit::{Soup, shapes};

    /// Whatever is missing, flipped or repeated: with its caps the mesh is balanced at every edge.
    #[test]
    fn with_its_caps_every_mesh_is_closed() {
        let mut rng = Rng::new(64);
        let mut most = 0;
        for round in 0..60 {
            let whole = if round % 2 == 0 { shapes::icosphere(8) } else { shapes::torus(40, 20, 1.0, 0.4) };
            let mut open = Soup { vertices: whole.vertices.clone(), triangles: Vec::new() };
            let missing = rng.range(0.01, 0.2);
            for &[a, b, c] in &whole.triangles {
                match rng.f64() / missing {
                    share if share < 0.8 => {}
                    share if share < 0.9 => open.triangles.push([b, a, c]),
                    share if share < 1.0 => open.triangles.extend([[a, b, c]; 2]),
                    _ => open.triangles.push([a, b, c]),
                }
            }
            let mesh = Mesh::new(&open.vertices, &open.triangles).expect("legal");
            let edges = surplus(mesh.triangles());
            let filled = fill(&edges).expect("closed curves");
            most = most.max(filled.triangles.len());
            let caps = filled.triangles.iter().map(|corners| corners.map(|vertex| filled.vertices[vertex as usize]));
            open.triangles.extend(caps);
            let closed = Mesh::new(&open.vertices, &open.triangles).expect("legal");
            assert_eq!(surplus(closed.triangles()), [], "round {round}");
            let shell = Shell::new(&closed, &places(closed.vertices()));
            assert_eq!(shell.closure, Closure::Oriented, "round {round}");
        }
        assert!(most > 300, "{most} triangles in caps");
        assert_eq!(fill(&[(0, 1), (1, 2)]), None, "not closed");
    }

    /// A hole of four edges and one of three that meet in a vertex.
    #[test]
    fn cycles_are_taken_apart() {
        let edges = [(0, 1), (0, 4), (1, 2), (2, 3), (3, 0), (4, 5), (5, 0)];
        let filled = fill(&edges).expect("closed curves");
        assert_eq!(filled.triangles, [[0, 2, 3], [0, 1, 2], [0, 4, 5]]);
    }
}
