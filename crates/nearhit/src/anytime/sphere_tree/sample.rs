//! Points spread evenly over a surface: random ones, then relaxed (Turk 1991).

use super::field::Field;
use crate::mesh::Mesh;
use crate::model::Model;
use crate::parallel::*;
use glam::DVec3;
use std::collections::HashMap;

/// Points of a surface, and how far apart neighbours are, about.
#[derive(Debug, Clone)]
pub(super) struct Samples {
    pub(super) points: Vec<DVec3>,
    /// The triangle that each of them is on.
    pub(super) triangles: Vec<u32>,
    pub(super) spacing: f64,
}

/// How often points are pushed apart.
const RELAXATIONS: usize = 4;

/// The same points for the same mesh and seed.
pub(super) fn samples(model: &Model, count: usize, seed: u64) -> Samples {
    let mesh = model.mesh();
    let sums = areas(mesh);
    let area = *sums.last().expect("a mesh has a triangle");
    let spacing = (area / count as f64).sqrt();
    let mut random = Random(seed);
    let (mut points, mut triangles): (Vec<DVec3>, Vec<u32>) =
        (0..count).map(|index| random.on(mesh, &sums, index, count)).unzip();
    if spacing > 0.0 {
        for _ in 0..RELAXATIONS {
            (points, triangles) = relax(model, &points, &triangles, 1.3 * spacing);
        }
    }
    Samples { points, triangles, spacing }
}

/// Areas of the triangles, added up.
fn areas(mesh: &Mesh) -> Vec<f64> {
    let mut sum = 0.0;
    let area = |index| {
        let [a, b, c] = mesh.triangle(index);
        0.5 * (b - a).cross(c - a).length()
    };
    (0..mesh.triangles().len() as u32)
        .map(|index| {
            sum += area(index);
            sum
        })
        .collect()
}

/// Pushes neighbours apart along the surface.
fn relax(model: &Model, points: &[DVec3], triangles: &[u32], radius: f64) -> (Vec<DVec3>, Vec<u32>) {
    let key = |point| cell(point, radius);
    let mut grid: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    for (index, &point) in points.iter().enumerate() {
        grid.entry(key(point)).or_default().push(index as u32);
    }
    let push = |point: DVec3, index: usize| {
        let [x, y, z] = key(point);
        let mut push = DVec3::ZERO;
        for cell in (0..27).map(|i| [x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1]) {
            for &other in grid.get(&cell).map_or(&[][..], Vec::as_slice) {
                let away = point - points[other as usize];
                let distance = away.length();
                if other as usize != index && distance < radius && distance > 0.0 {
                    push += away * ((1.0 - distance / radius) / distance);
                }
            }
        }
        point + push.clamp_length_max(1.0) * (0.4 * radius)
    };
    let moved = points.par_iter().zip(triangles).enumerate().map_init(
        || Field::new(model),
        |field, (index, (&point, &triangle))| {
            let found = field.distance_from(triangle, push(point, index));
            (found.nearest, found.triangle)
        },
    );
    moved.unzip()
}

/// The cell of a point. Beside the cells of slivers a surface may be farther than can be counted:
/// there all is one cell, which has neighbours.
fn cell(point: DVec3, side: f64) -> [i64; 3] {
    const FARTHEST: DVec3 = DVec3::splat((1_i64 << 62) as f64);
    (point / side).floor().clamp(-FARTHEST, FARTHEST).as_i64vec3().to_array()
}

/// Random numbers (splitmix64): spread does not need more.
#[derive(Debug)]
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Between -1 and 1 along each axis.
    pub(super) fn offset(&mut self) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - DVec3::ONE
    }

    /// One of `count` points, each from its own share of the area, and its triangle.
    fn on(&mut self, mesh: &Mesh, sums: &[f64], index: usize, count: usize) -> (DVec3, u32) {
        let at = (index as f64 + self.unit()) / count as f64 * sums[sums.len() - 1];
        let triangle = sums.partition_point(|&sum| sum < at).min(sums.len() - 1) as u32;
        let [a, b, c] = mesh.triangle(triangle);
        let (u, v) = (self.unit().sqrt(), self.unit());
        (a * (1.0 - u) + b * (u * (1.0 - v)) + c * (u * v), triangle)
    }
}
