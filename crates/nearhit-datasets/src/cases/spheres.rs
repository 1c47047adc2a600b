//! Concentric spheres in parallel close proximity, and spheres side by side.

use super::{Case, CasePose, Order};
use crate::pose::Rows;
use crate::rng::Rng;
use crate::shapes::icosphere;
use crate::vector::along;

/// Concentric unit spheres of about `triangles` triangles each, `a` scaled by `1 - alpha`, each in
/// its own random rotation. With alpha below the facets' sag they do touch.
pub fn nested(triangles: u32, alpha: f64, poses: usize, seed: u64) -> Case {
    nested_by(triangles, alpha, "own rotations", poses, seed, |rng| (rng.rotation(), rng.rotation()))
}

/// As [`nested`], both in the same random rotation, as in the k-DOP paper's Tables 6 and 7: they
/// never touch.
pub fn nested_same_orientation(triangles: u32, alpha: f64, poses: usize, seed: u64) -> Case {
    nested_by(triangles, alpha, "same rotation", poses, seed, |rng| {
        let both = rng.rotation();
        (both, both)
    })
}

fn nested_by(
    triangles: u32,
    alpha: f64,
    how: &str,
    poses: usize,
    seed: u64,
    rotations: impl Fn(&mut Rng) -> (Rows, Rows),
) -> Case {
    let mut rng = Rng::new(seed);
    let sphere = sphere_of(triangles);
    let pose = |rng: &mut Rng| {
        let (r_a, r_b) = rotations(rng);
        CasePose { r_a, t_a: [0.0; 3], r_b, t_b: [0.0; 3] }
    };
    Case {
        name: format!("nested-{triangles}-a{alpha}"),
        note: format!("concentric unit spheres, a scaled by 1-{alpha}, {how}"),
        order: Order::Random,
        a: sphere.scaled(1.0 - alpha),
        b: sphere,
        poses: (0..poses).map(|_| pose(&mut rng)).collect(),
    }
}

/// Two unit spheres of about `triangles` triangles in random rotations, `each` poses at every gap
/// in turn.
pub fn separated_spheres(triangles: u32, gaps: &[f64], each: usize, seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    let sphere = sphere_of(triangles);
    let gaps_in_turn = gaps.iter().flat_map(|&gap| std::iter::repeat_n(gap, each));
    let poses = gaps_in_turn
        .map(|gap| {
            let t_a = rng.point(-1.0, 1.0);
            let t_b = along(t_a, rng.unit_vector(), 2.0 + gap);
            CasePose { r_a: rng.rotation(), t_a, r_b: rng.rotation(), t_b }
        })
        .collect();
    Case {
        name: format!("separated-spheres-{triangles}"),
        note: format!("two unit spheres, {each} poses each at gaps {gaps:?}"),
        order: Order::Random,
        a: sphere.clone(),
        b: sphere,
        poses,
    }
}

fn sphere_of(triangles: u32) -> crate::Soup {
    icosphere(((f64::from(triangles) / 20.0).sqrt().round() as u32).max(1))
}
