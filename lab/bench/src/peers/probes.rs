//! Random points and rays about a mesh, the same for every contender.

use anyhow::Result;
use glam::DVec3;
use nearhit::{Mesh, Ray};
use nearhit_datasets::rng::Rng;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Rays start at the points, and their directions have unit length.
#[derive(Debug)]
pub(super) struct Probes {
    pub(super) points: Vec<DVec3>,
    pub(super) rays: Vec<Ray>,
    /// The same for the peers, six numbers a line.
    pub(super) file: PathBuf,
}

impl Probes {
    /// In the mesh's box, half as large again.
    pub(super) fn about(mesh: &Mesh, count: usize, file: &Path) -> Result<Self> {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &vertex in mesh.vertices() {
            (low, high) = (low.min(vertex), high.max(vertex));
        }
        let (center, half) = (0.5 * (low + high), 0.75 * (high - low));
        let mut rng = Rng::new(11);
        let (mut points, mut rays, mut text) = (Vec::new(), Vec::new(), String::new());
        for _ in 0..count {
            let point = center + half * DVec3::from_array(std::array::from_fn(|_| rng.range(-1.0, 1.0)));
            let direction = DVec3::from_array(rng.unit_vector());
            let [x, y, z] = point.to_array();
            let [u, v, w] = direction.to_array();
            writeln!(text, "{x:e} {y:e} {z:e} {u:e} {v:e} {w:e}")?;
            points.push(point);
            rays.push(Ray::new(point, direction)?);
        }
        std::fs::write(file, text)?;
        Ok(Self { points, rays, file: file.to_owned() })
    }
}
