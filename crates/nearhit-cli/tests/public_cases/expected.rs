//! What other libraries said about a case, and how far we may be from it.

use glam::DVec3;
use nearhit::Mesh;
use nearhit_cases::folder::Case;
use nearhit_cli::volume::Engine;
use serde::Deserialize;
use std::path::Path;

/// The answers in `expected.json`.
#[derive(Deserialize)]
struct File {
    colliding: Vec<bool>,
    distances: Vec<f64>,
    /// Poses too close to call in rounded arithmetic: not scored.
    ambiguous: Vec<usize>,
}

pub(crate) struct Expected {
    name: String,
    file: File,
    /// How far a distance may be off.
    error: f64,
    /// Of the axis-aligned box around a.
    pub(crate) diagonal_of_a: f64,
}

impl Expected {
    pub(crate) fn load(folder: &Path, case: &Case) -> Self {
        let text = std::fs::read_to_string(folder.join("expected.json")).expect("the expected answers");
        let file: File = serde_json::from_str(&text).expect("answers");
        assert_eq!(case.poses.len(), file.colliding.len());
        assert_eq!(case.poses.len(), file.distances.len());
        Self { name: case.name.clone(), file, error: error(case), diagonal_of_a: sides(&case.a).length() }
    }

    /// Intersecting triangle pairs over all poses, by two libraries and, where tried, exact
    /// predicates.
    pub(crate) fn contacts(&self) -> u64 {
        match self.name.as_str() {
            "falling-tori" => 7540,
            "bunny-close" => 4158,
            "pipes" => 2076,
            "tetra-747" => 1670,
            "piano" => 81663,
            "nested-2k-a0.001" => 127_004,
            _ => 0,
        }
    }

    #[track_caller]
    pub(crate) fn check_contact(&self, pose: usize, hit: bool, volume: Engine) {
        let expected = self.file.colliding[pose];
        let scored = !self.file.ambiguous.contains(&pose);
        assert!(!scored || hit == expected, "{} {volume} pose {pose}: {hit}, expected {expected}", self.name);
    }

    #[track_caller]
    pub(crate) fn check_distances(&self, poses: &[usize], distances: &[f64], volume: Engine) {
        assert_eq!(poses.len(), distances.len());
        for (&pose, &distance) in poses.iter().zip(distances) {
            let expected = self.file.distances[pose];
            let off = (distance - expected).abs();
            assert!(off <= self.error, "{} {volume} pose {pose}: {distance}, expected {expected}", self.name);
        }
    }
}

/// A part in 1e9 of the largest posed coordinate, or less: however a mesh is turned and moved, one
/// coordinate is at least its longest side over 2√3. The tori's rotations have six digits, and
/// everyone reads them in another way: 5e-6.
fn error(case: &Case) -> f64 {
    if case.name == "falling-tori" {
        return 5e-6;
    }
    let longest = sides(&case.a).max(sides(&case.b)).max_element();
    1e-9 * longest / 12.0_f64.sqrt()
}

/// Of the axis-aligned box.
fn sides(mesh: &Mesh) -> DVec3 {
    let first = mesh.vertices()[0];
    let corners = mesh.vertices().iter().fold((first, first), |(low, high), &point| (low.min(point), high.max(point)));
    corners.1 - corners.0
}
