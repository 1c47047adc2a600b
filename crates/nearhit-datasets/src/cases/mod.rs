//! Two meshes and the poses in which they are asked about: the papers' experiments, in any size.
//!
//! Model `a` is the flying object, `b` the environment; `world = R x + t` for each. Everything
//! follows from the parameters and a seed.

mod billiard;
mod flights;
mod machines;
mod small;
mod spheres;
mod swept;
mod write;

pub use billiard::{Billiard, Collision, billiard_path, no_collision};
pub use flights::{
    aeroplane_among_tetrahedra, degenerate_soup_far, hand_in_cabin, piano, pipes, tetra, tori, torus_in_cave,
    wavy_sheets,
};
pub use machines::{engine, falling_rings, planning};
pub use small::{boxes, links, tetrahedra};
pub use spheres::{nested, nested_same_orientation, separated_spheres};
pub use swept::swept;

use crate::pose::{IDENTITY, Rows, multiplied, pose_point, transposed};
use crate::{Point, Soup};

/// Where both models are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CasePose {
    /// Rotation of `a`, by rows.
    pub r_a: Rows,
    /// Translation of `a`.
    pub t_a: Point,
    /// Rotation of `b`, by rows.
    pub r_b: Rows,
    /// Translation of `b`.
    pub t_b: Point,
}

impl CasePose {
    /// `b` stays where it is and `a` is posed.
    pub fn of_a(r_a: Rows, t_a: Point) -> CasePose {
        CasePose { r_a, t_a, r_b: IDENTITY, t_b: [0.0; 3] }
    }

    /// The rotation and translation that map points of `b` into the frame of `a`, in plain double
    /// arithmetic.
    ///
    /// The judged library composes its own; compare bits only after handing both sides the same
    /// composed pose.
    pub fn a_from_b(&self) -> (Rows, Point) {
        let back = transposed(&self.r_a);
        let between = std::array::from_fn(|axis| self.t_b[axis] - self.t_a[axis]);
        (multiplied(&back, &self.r_b), pose_point(&back, &[0.0; 3], between))
    }
}

/// How the poses follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each is near the one before.
    Path,
    /// They have nothing to do with each other.
    Random,
}

/// Two meshes and a list of poses.
#[derive(Clone, Debug)]
pub struct Case {
    /// A name for the directory.
    pub name: String,
    /// One sentence on what it is.
    pub note: String,
    /// How the poses follow each other.
    pub order: Order,
    /// The flying object.
    pub a: Soup,
    /// The environment.
    pub b: Soup,
    /// The queries.
    pub poses: Vec<CasePose>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn relative_pose_agrees_with_the_two_poses() {
        let mut rng = Rng::new(91);
        for _ in 0..100 {
            let pose = CasePose {
                r_a: rng.rotation(),
                t_a: rng.point(-5.0, 5.0),
                r_b: rng.rotation(),
                t_b: rng.point(-5.0, 5.0),
            };
            let point = rng.point(-1.0, 1.0);
            let (rotation, translation) = pose.a_from_b();
            let direct = pose_point(&pose.r_b, &pose.t_b, point);
            let through_a = pose_point(&pose.r_a, &pose.t_a, pose_point(&rotation, &translation, point));
            assert!((0..3).all(|axis| (direct[axis] - through_a[axis]).abs() < 1e-13));
        }
    }
}
