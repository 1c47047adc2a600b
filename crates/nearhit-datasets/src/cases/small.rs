//! Two small bodies at random poses about each other: what robots and games are made of.

use super::{Case, CasePose, Order};
use crate::Soup;
use crate::rng::Rng;
use crate::shapes::{cuboid, tetrahedron, uv_sphere_of};
use crate::vector::along;

/// Two cubes of side 1, 12 triangles each, with their middles `from` to `to` apart.
pub fn boxes(from: f64, to: f64, poses: usize, seed: u64) -> Case {
    about_each_other("boxes", &cuboid([-0.5; 3], [0.5; 3]), from, to, poses, seed)
}

/// Two tetrahedra, 4 triangles each, about half of them touching.
pub fn tetrahedra(poses: usize, seed: u64) -> Case {
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    about_each_other("tetrahedra", &tetrahedron(corners), 0.5, 3.0, poses, seed)
}

/// Two links of a robot, long round bodies with a waist of about `triangles` triangles each, some
/// touching.
pub fn links(triangles: u32, poses: usize, seed: u64) -> Case {
    let link = uv_sphere_of(triangles).map(|[x, y, z]| {
        let radius = 0.35 - 0.15 * (1.0 - z * z);
        [radius * x, radius * y, z]
    });
    about_each_other(&format!("links-{triangles}"), &link, 0.3, 1.8, poses, seed)
}

fn about_each_other(name: &str, body: &Soup, from: f64, to: f64, poses: usize, seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    let poses = (0..poses)
        .map(|_| {
            let t_b = along([0.0; 3], rng.unit_vector(), rng.range(from, to));
            CasePose { r_a: rng.rotation(), t_a: [0.0; 3], r_b: rng.rotation(), t_b }
        })
        .collect();
    Case {
        name: name.to_owned(),
        note: format!("two bodies of {} triangles, turned anyhow, {from} to {to} apart", body.len()),
        order: Order::Random,
        a: body.clone(),
        b: body.clone(),
        poses,
    }
}
