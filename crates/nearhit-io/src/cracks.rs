//! Welding: vertices that differ in their last digits become one, so that a mesh that was written
//! triangle by triangle with rounded corners is closed again.

use nearhit::RawMesh;
use std::collections::HashMap;

/// The mesh with vertices no farther apart than `distance` as one: each is the first that was near
/// enough. Triangles that lose an edge by that are left out; so indices of triangles may change.
///
/// ```
/// use nearhit::RawMesh;
///
/// let vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1e-9, 0.0]];
/// let cracked = RawMesh { vertices, triangles: vec![[0, 1, 2], [1, 3, 2], [2, 3, 0]] };
/// let welded = nearhit_io::welded(&cracked, 1e-6);
/// assert_eq!(welded.triangles, [[0, 1, 2], [2, 1, 0]]);
/// ```
#[must_use]
pub fn welded(mesh: &RawMesh, distance: f64) -> RawMesh {
    let first = first_near(&mesh.vertices, distance);
    let corners = |triangle: &[u32; 3]| triangle.map(|corner| first.get(corner as usize).copied().unwrap_or(corner));
    let has_area = |[a, b, c]: &[u32; 3]| a != b && b != c && c != a;
    // Those that had no area before stay: they may be what fills a crack.
    let kept = |triangle: &&[u32; 3]| has_area(&corners(triangle)) || !has_area(triangle);
    let triangles = mesh.triangles.iter().filter(kept).map(corners).collect();
    RawMesh { vertices: mesh.vertices.clone(), triangles }
}

/// For each vertex the first one that is near enough to it.
fn first_near(vertices: &[[f64; 3]], distance: f64) -> Vec<u32> {
    // A cell is as wide as the distance: what is near is in one of 27.
    let width = distance.max(f64::MIN_POSITIVE);
    let cell = |point: &[f64; 3]| point.map(|value| (value / width).floor().clamp(-9e18, 9e18) as i64);
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut first = Vec::with_capacity(vertices.len());
    for (index, point) in vertices.iter().enumerate() {
        let at = cell(point);
        let is_near = |&other: &u32| {
            let other = vertices[other as usize];
            let squared: f64 = (0..3).map(|axis| (point[axis] - other[axis]).powi(2)).sum();
            *point == other || squared.sqrt() <= distance
        };
        let near = around(at).filter_map(|cell| cells.get(&cell)?.iter().copied().find(is_near)).min();
        if near.is_none() {
            cells.entry(at).or_default().push(index as u32);
        }
        first.push(near.unwrap_or(index as u32));
    }
    first
}

fn around([x, y, z]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    (0..27).map(move |index| {
        let step = |value: i64, by: i64| value.saturating_add(by - 1);
        [step(x, index % 3), step(y, index / 3 % 3), step(z, index / 9)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit::{InsideMethod, Mesh, Model};

    /// A cube triangle by triangle, every corner off by some last digits.
    #[test]
    fn cracked_cubes_are_closed_again() {
        let corner = |index: usize| [index & 1, index >> 1 & 1, index >> 2].map(|bit| bit as f64);
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let mut cracked = RawMesh::default();
        for [a, b, c, d] in quads {
            for triangle in [[a, b, c], [a, c, d]] {
                let first = cracked.vertices.len() as u32;
                for index in triangle {
                    let off = 1e-7 * (cracked.vertices.len() % 7) as f64;
                    cracked.vertices.push(corner(index).map(|value| value + off));
                }
                cracked.triangles.push([first, first + 1, first + 2]);
            }
        }
        let method = |mesh: &RawMesh| Model::new(Mesh::try_from(mesh.clone()).expect("legal")).inside_method();
        assert_eq!(method(&cracked), InsideMethod::Generalised);
        assert_eq!(method(&welded(&cracked, 1e-8)), InsideMethod::Generalised);
        let closed = welded(&cracked, 1e-5);
        assert_eq!((method(&closed), closed.triangles.len()), (InsideMethod::Exact, 12));
        // Far too much leaves nothing, and does not panic; neither do absurd numbers.
        assert!(welded(&cracked, 10.0).triangles.is_empty());
        assert_eq!(welded(&RawMesh { vertices: vec![[1e300; 3]; 3], triangles: vec![] }, 0.0).vertices.len(), 3);
    }
}
