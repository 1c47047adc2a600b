//! Generated meshes and poses of `nearhit-datasets`, as the library's types.

use nearhit::{Mesh, Pose};
use nearhit_datasets::Soup;
use nearhit_datasets::cases::{Case, CasePose};

/// A generated soup as a mesh.
///
/// # Panics
/// If the generator made something that is not a mesh.
#[must_use]
pub fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(&soup.vertices, &soup.triangles).expect("generators make valid meshes")
}

/// Where b is in a's frame.
///
/// # Panics
/// If the generator made something that is not a pose.
#[must_use]
pub fn a_from_b(pose: &CasePose) -> Pose {
    let place = |rows, translation| Pose::from_rows(rows, translation).expect("generators make valid poses");
    Pose::a_from_b(&place(pose.r_a, pose.t_a), &place(pose.r_b, pose.t_b))
}

/// Both meshes of a case and b's poses in a's frame.
#[must_use]
pub fn case(case: &Case) -> (Mesh, Mesh, Vec<Pose>) {
    (mesh(&case.a), mesh(&case.b), case.poses.iter().map(a_from_b).collect())
}
