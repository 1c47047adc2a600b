//! Small closed meshes for the examples. Real programs read theirs with `nearhit_io::read_mesh`.

#![allow(dead_code, reason = "each example uses some of them")]

use nearhit::{Mesh, MeshError};
use std::f64::consts::TAU;

/// A box around the origin with these side lengths: 12 triangles.
pub(crate) fn block(sides: [f64; 3]) -> Result<Mesh, MeshError> {
    let corner = |index: usize| -> [f64; 3] {
        std::array::from_fn(|axis| if index >> axis & 1 == 1 { 0.5 * sides[axis] } else { -0.5 * sides[axis] })
    };
    let vertices: Vec<[f64; 3]> = (0..8).map(corner).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh::new(&vertices, &triangles)
}

/// A ring around the z axis: `2 · around · across` triangles.
pub(crate) fn torus(ring: f64, tube: f64, around: u32, across: u32) -> Result<Mesh, MeshError> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..around {
        for j in 0..across {
            let (sin_u, cos_u) = (TAU * f64::from(i) / f64::from(around)).sin_cos();
            let (sin_v, cos_v) = (TAU * f64::from(j) / f64::from(across)).sin_cos();
            let reach = ring + tube * cos_v;
            vertices.push([reach * cos_u, reach * sin_u, tube * sin_v]);
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Mesh::new(&vertices, &triangles)
}

/// A ball around the origin: rings of `2 · rings` vertices between two poles.
pub(crate) fn ball(radius: f64, rings: u32) -> Result<Mesh, MeshError> {
    let around = 2 * rings;
    let (mut vertices, mut triangles) = (vec![[0.0, 0.0, -radius], [0.0, 0.0, radius]], Vec::new());
    for ring in 1..rings {
        let (sin_v, cos_v) = (0.5 * TAU * f64::from(ring) / f64::from(rings)).sin_cos();
        for i in 0..around {
            let (sin_u, cos_u) = (TAU * f64::from(i) / f64::from(around)).sin_cos();
            vertices.push([radius * sin_v * cos_u, radius * sin_v * sin_u, -radius * cos_v]);
        }
    }
    let at = |ring: u32, i: u32| 2 + (ring - 1) * around + i % around;
    for i in 0..around {
        triangles.extend([[0, at(1, i + 1), at(1, i)], [1, at(rings - 1, i), at(rings - 1, i + 1)]]);
        for ring in 1..rings - 1 {
            let [a, b, c, d] = [at(ring, i), at(ring, i + 1), at(ring + 1, i + 1), at(ring + 1, i)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Mesh::new(&vertices, &triangles)
}
