//! In which orientation does a model's tree fit best? (k-DOP paper, §4.1, last paragraph.)
//!
//! k-DOPs and axis-aligned boxes depend on the frame that a mesh is given in. A flying model is
//! turned by its pose anyway, so its own frame is free to choose. The caller turns the mesh and
//! undoes the turn in the pose; the turned vertices are rounded, so exact answers are then about
//! the turned mesh.

use super::{BuildOptions, Cost, build};
use crate::mesh::{Mesh, RawMesh};
use crate::volume::BoundingVolume;
use glam::{DMat3, DQuat};

/// Half the angle, as a sine, of the coarse steps; refined twice by three.
const COARSE: i32 = 2;
const REFINEMENTS: usize = 2;

/// The rotation, about the origin, of the mesh's frame after which the volumes of its tree cost
/// least in total; the identity if none is better.
///
/// Looks at about two hundred trees, so it is for models that are used long. Deterministic.
#[must_use]
pub fn best_orientation<V: BoundingVolume>(mesh: &Mesh, options: &BuildOptions, cost: Cost) -> DMat3 {
    let unit = mesh.max_coordinate().max(f64::MIN_POSITIVE);
    let judge = |turn: DQuat| total::<V>(&turned(mesh, DMat3::from_quat(turn)), options, cost, unit);
    let mut best = (judge(DQuat::IDENTITY), DQuat::IDENTITY);
    let mut step = 0.5 / f64::from(COARSE);
    let mut range = COARSE;
    for _ in 0..=REFINEMENTS {
        let middle = best.1;
        for turn in steps(range, step) {
            let turn = turn * middle;
            let total = judge(turn);
            if total < best.0 {
                best = (total, turn);
            }
        }
        (range, step) = (1, step / 3.0);
    }
    DMat3::from_quat(best.1)
}

/// A grid of rotations about the identity. Octahedral symmetry of the volumes makes a quarter turn
/// about each axis enough.
fn steps(range: i32, step: f64) -> impl Iterator<Item = DQuat> {
    let width = 2 * range + 1;
    (0..width.pow(3)).map(move |i| {
        let entry = |digit: i32| f64::from(digit - range) * step;
        DQuat::from_xyzw(entry(i % width), entry(i / width % width), entry(i / width / width), 1.0).normalize()
    })
}

/// The mesh with every vertex turned about the origin.
#[must_use]
pub fn turned(mesh: &Mesh, turn: DMat3) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&vertex| (turn * vertex).to_array()).collect();
    // A turn can only push a coordinate over the limit for meshes at the limit; those stay as they
    // are.
    Mesh::try_from(RawMesh { vertices, triangles: mesh.triangles().to_vec() }).unwrap_or_else(|_| mesh.clone())
}

/// What all volumes of the tree cost together, in units of `unit`.
fn total<V: BoundingVolume>(mesh: &Mesh, options: &BuildOptions, cost: Cost, unit: f64) -> f64 {
    build::<V>(mesh, options).nodes().iter().map(|node| cost.of(&node.volume, unit)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::kdop::KDop;
    use glam::DVec3;
    use nearhit_testkit::shapes;

    /// Bars that lie askew are set upright again, to within the last step.
    #[test]
    fn bars_askew_are_set_upright() {
        let soup = shapes::axis_bars(2.0, 0.1);
        let upright = Mesh::new(&soup.vertices, &soup.triangles).expect("bars");
        let askew = turned(&upright, DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 0.5).normalize(), 0.4));
        let options = BuildOptions { leaf_size: 12, ..BuildOptions::default() };
        let judge = |mesh: &Mesh| total::<KDop<3>>(mesh, &options, Cost::Surface, 1.0);
        let found = turned(&askew, best_orientation::<KDop<3>>(&askew, &options, Cost::Surface));
        assert!(judge(&found) < 0.7 * judge(&askew), "{} {}", judge(&found), judge(&askew));
        assert!(judge(&found) < 1.35 * judge(&upright), "{} {}", judge(&found), judge(&upright));
        let again = turned(&upright, best_orientation::<KDop<3>>(&upright, &options, Cost::Surface));
        assert!(judge(&again) <= judge(&upright));
    }
}
