//! Generated cases, small enough for brute force, and conversions from the testkit's plain types.
#![allow(dead_code)]

use nearhit::{BuildOptions, Mesh, Model, Pose, VolumeKind};
use nearhit_testkit::cases::{self, Case, CasePose};
use nearhit_testkit::{Point, Soup};

/// One of each kind of the papers' and the public cases: smooth and scattered, nested and apart, path and random, clean and degenerate.
pub(crate) fn small_cases() -> Vec<Case> {
    vec![
        cases::nested(180, 0.1, 6, 1),
        cases::nested(180, 0.001, 10, 2),
        cases::nested_same_orientation(320, 0.05, 4, 3),
        cases::separated_spheres(180, &[0.01, 1.0], 5, 4),
        cases::tori(12, 24, 5),
        cases::pipes(900, 24, 6, cases::exact_collision),
        cases::tetra(80, 200, 24, 7, cases::exact_collision),
        cases::swept(60, 12, 8),
        cases::piano(40, 9),
        cases::hand_in_cabin(900, 20, 10),
        cases::wavy_sheets(10, 12, 11),
        cases::degenerate_soup_far(1e6, 120, 30, 12),
    ]
}

pub(crate) fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(&soup.vertices, &soup.triangles).expect("generated meshes are legal")
}

pub(crate) fn poses(pose: &CasePose) -> (Pose, Pose) {
    let of = |rows, translation| Pose::from_rows(rows, translation).expect("generated poses are rigid");
    (of(pose.r_a, pose.t_a), of(pose.r_b, pose.t_b))
}

/// Rows and translation of a pose, as the testkit wants them.
pub(crate) fn plain(pose: &Pose) -> ([[f64; 3]; 3], Point) {
    (pose.rotation().transpose().to_cols_array_2d(), pose.translation().to_array())
}

/// Every volume by name, the default engine first.
pub(crate) fn every_volume() -> Vec<Option<VolumeKind>> {
    std::iter::once(None).chain(VolumeKind::ALL.iter().copied().map(Some)).collect()
}

/// A model of the given volume, or of the default engine.
pub(crate) fn model(soup: &Soup, volume: Option<VolumeKind>, options: &BuildOptions) -> Model {
    match volume {
        None => Model::new(mesh(soup)),
        Some(volume) => Model::with(mesh(soup), volume, options),
    }
}
