//! Is everything covered? A check that knows nothing of how a tree was built.
//!
//! A triangle is covered by balls if it is in one of them, or if both its halves are covered: so
//! every triangle is halved until each part has its corners in one ball. Parts that are still open
//! after many halvings count as uncovered. This needs no case of the boundary lemma (§9.1), whose
//! exceptions (a triangle that no disk's boundary meets, disks that coincide) are just triangles
//! here.

use super::{SphereTree, TreeSphere};
use crate::mesh::{Mesh, Triangle};
use crate::parallel::*;
use glam::DVec3;
use thiserror::Error;

/// What is wrong with a tree.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Flaw {
    /// Links that do not fit.
    #[error("sphere {sphere}: parent and child links do not match, or do not lead to the next level")]
    Links {
        /// By index.
        sphere: u32,
    },
    /// A number that is none.
    #[error("sphere {sphere}: centre, radius or error is not a finite number, or negative")]
    NotFinite {
        /// By index.
        sphere: u32,
    },
    /// A part of the surface that no ball of a level holds.
    #[error("level {level} does not cover triangle {triangle} near {near:?}")]
    Uncovered {
        /// From the root.
        level: usize,
        /// Of the mesh.
        triangle: u32,
        /// A corner of the part.
        near: [f64; 3],
    },
    /// A triangle that no leaf has.
    #[error("no leaf has triangle {triangle}")]
    Lost {
        /// Of the mesh.
        triangle: u32,
    },
}

/// A ball in units of the mesh's size.
#[derive(Debug, Clone, Copy)]
struct Ball {
    center: DVec3,
    radius: f64,
}

/// A part of a 2^-48th of a triangle's area that is in no ball is a hole.
const MOST_HALVINGS: u32 = 48;

pub(super) fn check(tree: &SphereTree, mesh: &Mesh) -> Result<(), Flaw> {
    check_links(tree)?;
    let mut found = vec![false; mesh.triangles().len()];
    tree.triangles.iter().for_each(|&triangle| found[triangle as usize] = true);
    if let Some(lost) = found.iter().position(|found| !found) {
        return Err(Flaw::Lost { triangle: lost as u32 });
    }
    (0..tree.levels().len()).try_for_each(|level| check_level(tree, mesh, level))
}

fn check_links(tree: &SphereTree) -> Result<(), Flaw> {
    let last = tree.levels.len() - 1;
    for (level, range) in tree.levels.iter().enumerate() {
        for index in range.clone() {
            let sphere = &tree.spheres[index as usize];
            let numbers = [sphere.radius, sphere.error];
            if !sphere.center.is_finite() || numbers.iter().any(|it| !it.is_finite() || *it < 0.0) {
                return Err(Flaw::NotFinite { sphere: index });
            }
            let is_parents = sphere.parent.is_none_or(|parent| tree.spheres[parent as usize].children.contains(&index));
            let are_its = sphere.children.clone().all(|child| tree.spheres[child as usize].parent == Some(index));
            let on_next =
                sphere.children.clone().all(|child| tree.levels.get(level + 1).is_some_and(|it| it.contains(&child)));
            let has_some = (level == last) == sphere.children.is_empty() && (level == 0) == sphere.parent.is_none();
            if !(is_parents && are_its && on_next && has_some) {
                return Err(Flaw::Links { sphere: index });
            }
        }
    }
    Ok(())
}

fn check_level(tree: &SphereTree, mesh: &Mesh, level: usize) -> Result<(), Flaw> {
    // Squares of what is compared must not overflow or vanish; powers of two lose nothing.
    let unit = f64::from_bits(mesh.max_coordinate().max(f64::MIN_POSITIVE).to_bits() & 0x7ff0_0000_0000_0000);
    let scaled = |sphere: &TreeSphere| Ball { center: sphere.center / unit, radius: sphere.radius / unit };
    let spheres: Vec<Ball> = tree.level(level).iter().map(scaled).collect();
    (0..mesh.triangles().len() as u32).into_par_iter().try_for_each(|index| {
        let triangle = mesh.triangle(index).map(|corner| corner / unit);
        let near: Vec<&Ball> = spheres.iter().filter(|sphere| reaches(sphere, &triangle)).collect();
        match uncovered(&triangle, &near, MOST_HALVINGS) {
            None => Ok(()),
            Some(corner) => Err(Flaw::Uncovered { level, triangle: index, near: (corner * unit).to_array() }),
        }
    })
}

/// A corner of a part that is not covered.
fn uncovered(triangle: &Triangle, spheres: &[&Ball], halvings: u32) -> Option<DVec3> {
    if spheres.iter().any(|sphere| holds(sphere, triangle)) {
        return None;
    }
    if halvings == 0 || spheres.is_empty() {
        return Some(triangle[0]);
    }
    halves(triangle).iter().find_map(|half| {
        let near: Vec<&Ball> = spheres.iter().copied().filter(|sphere| reaches(sphere, half)).collect();
        uncovered(half, &near, halvings - 1)
    })
}

fn holds(sphere: &Ball, triangle: &Triangle) -> bool {
    triangle.iter().all(|corner| corner.distance(sphere.center) <= sphere.radius)
}

/// May a ball reach a triangle? By the ball around it.
fn reaches(sphere: &Ball, [a, b, c]: &Triangle) -> bool {
    let middle = *a / 3.0 + *b / 3.0 + *c / 3.0;
    let reach = middle.distance(*a).max(middle.distance(*b)).max(middle.distance(*c));
    middle.distance(sphere.center) <= (sphere.radius + reach) * (1.0 + 1e-9)
}

/// Across the longest edge.
pub(super) fn halves([a, b, c]: &Triangle) -> [Triangle; 2] {
    let lengths = [a.distance(*b), b.distance(*c), c.distance(*a)];
    let [p, q, r] = if lengths[0] >= lengths[1] && lengths[0] >= lengths[2] {
        [*a, *b, *c]
    } else if lengths[1] >= lengths[2] {
        [*b, *c, *a]
    } else {
        [*c, *a, *b]
    };
    let middle = p * 0.5 + q * 0.5;
    [[p, middle, r], [middle, q, r]]
}
