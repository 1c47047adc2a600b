//! Generalised winding numbers down one tree: near triangles by their solid angles, far nodes by an expansion with a proven error.
//!
//! A node far away is a dipole: its area vector, and the first moments of that about its middle (Barill et al. 2018; order one). For a node of area A and radius r seen
//! from distance R, with ρ = r/R, what the expansion leaves out is at most A/(4πR²) · ρ²(3 - 2ρ)/(1 - ρ)²: the terms of 1/|x - q| are r^n/R^(n+1)·P_n, the gradient
//! of the n-th is at most (n+1)·r^n/R^(n+2) because P_n² + (1 - x²)P_n'²/(n(n+1)) ≤ 1, and the sum over n > 1 of (n+1)ρ^n is that fraction.

use super::Packed;
use super::lanes::WIDTH;
use super::node::Content;
use super::point::{Open, Part};
use crate::mesh::Mesh;
use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// The triangles below each node and in each leaf, as seen from afar. Coordinates are about the model's centre.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expansions {
    nodes: Vec<Expansion>,
    leaves: Vec<Expansion>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Expansion {
    middle: DVec3,
    radius: f64,
    area: f64,
    /// Sum of the triangles' area vectors.
    dipole: DVec3,
    /// Sum of (triangle's middle - middle) ⊗ area vector: column j is what goes with component j of the area vector.
    moments: DMat3,
}

/// A winding number: the true sum over the triangles is at most `error` away.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Winding {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

impl Expansions {
    pub(crate) fn new(tree: &Packed, mesh: &Mesh) -> Self {
        let of_triangle =
            |&triangle: &u32| Expansion::of_triangle(mesh.triangle(triangle).map(|corner| corner - tree.center));
        let of_leaf = |leaf: u32| {
            let parts: ArrayVec<Expansion, WIDTH> = tree.leaves.ids(leaf).iter().map(of_triangle).collect();
            Expansion::merged(&parts)
        };
        let leaves: Vec<Expansion> = (0..tree.leaves.len() as u32).map(of_leaf).collect();
        let mut nodes = vec![Expansion::default(); tree.nodes.len()];
        // Children come after their parents.
        for (index, node) in tree.nodes.iter().enumerate().rev() {
            let parts: ArrayVec<Expansion, WIDTH> = (0..node.count as usize)
                .map(|lane| match node.content(lane) {
                    Content::Node(child) => nodes[child as usize],
                    Content::Leaf(leaf) => leaves[leaf as usize],
                })
                .collect();
            nodes[index] = Expansion::merged(&parts);
        }
        Self { nodes, leaves }
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.nodes.capacity() + self.leaves.capacity()) * size_of::<Expansion>()
    }

    /// The winding number at a point, each node with an error of at most `tolerance`. `near` gives the solid angle of a triangle, over 4π, and is called
    /// for those that are not far enough away.
    pub(crate) fn winding(
        &self,
        tree: &Packed,
        point: DVec3,
        tolerance: f64,
        open: &mut Open,
        mut near: impl FnMut(u32) -> f64,
    ) -> Winding {
        let from = point - tree.center;
        let mut sum = Winding::default();
        open.clear();
        open.push((0.0, Part::ROOT));
        while let Some((_, part)) = open.pop() {
            let far = match part.content() {
                Content::Node(index) => self.nodes[index as usize].seen_from(from),
                Content::Leaf(index) => self.leaves[index as usize].seen_from(from),
            };
            if far.error <= tolerance {
                sum.value += far.value;
                sum.error += far.error;
                continue;
            }
            match part.content() {
                Content::Node(index) => {
                    let node = &tree.nodes[index as usize];
                    open.extend((0..node.count as usize).map(|lane| (0.0, Part::new(node.content(lane)))));
                }
                Content::Leaf(index) => {
                    sum.value += tree.leaves.ids(index).iter().map(|&triangle| near(triangle)).sum::<f64>();
                }
            }
        }
        sum
    }
}

impl Expansion {
    fn of_triangle([a, b, c]: [DVec3; 3]) -> Self {
        let middle = (a + b + c) / 3.0;
        let dipole = (b - a).cross(c - a) * 0.5;
        let radius = (a - middle).length().max((b - middle).length()).max((c - middle).length());
        // Moments about the triangle's own middle are zero.
        Self { middle, radius, area: dipole.length(), dipole, moments: DMat3::ZERO }
    }

    fn merged(parts: &[Self]) -> Self {
        let area: f64 = parts.iter().map(|part| part.area).sum();
        let weighted = parts.iter().fold(DVec3::ZERO, |sum, part| sum + part.middle * part.area);
        let middle = if area > 0.0 { weighted / area } else { DVec3::ZERO };
        let mut whole = Self { middle, area, ..Self::default() };
        for part in parts.iter().filter(|part| part.area > 0.0) {
            let shift = part.middle - middle;
            whole.radius = whole.radius.max((shift.length() + part.radius) * (1.0 + 1e-12));
            whole.dipole += part.dipole;
            let shifted = DMat3::from_cols(shift * part.dipole.x, shift * part.dipole.y, shift * part.dipole.z);
            whole.moments += part.moments + shifted;
        }
        whole
    }

    #[inline]
    fn seen_from(&self, point: DVec3) -> Winding {
        if self.area == 0.0 {
            return Winding::default();
        }
        let offset = self.middle - point;
        let squared = offset.length_squared();
        let distance = squared.sqrt();
        let ratio = self.radius / distance;
        if ratio.is_nan() || ratio >= 0.7 {
            return Winding { value: 0.0, error: f64::INFINITY };
        }
        let scale = 1.0 / (4.0 * PI * squared);
        let error = self.area * scale * ratio * ratio * (3.0 - 2.0 * ratio) / ((1.0 - ratio) * (1.0 - ratio));
        // The field x/|x|³ and its derivative (1 - 3 x xᵀ/|x|²)/|x|³, contracted with the moments.
        let direction = offset / distance;
        let trace = self.moments.x_axis.x + self.moments.y_axis.y + self.moments.z_axis.z;
        let along = direction.dot(self.moments * direction);
        let value = scale * (self.dipole.dot(direction) + (trace - 3.0 * along) / distance);
        Winding { value, error }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Preset;
    use super::*;
    use nearhit_testkit::rng::Rng;
    use nearhit_testkit::{Soup, solid};

    /// Few and small triangles: what the dipoles leave out is all there is to their places, and the bound on it is nearly reached.
    #[test]
    fn what_is_left_out_is_within_its_bound() {
        let mut rng = Rng::new(61);
        let mut used = 0;
        for _ in 0..400 {
            let mut soup = Soup::default();
            for index in 0..2 + rng.below(3) as u32 {
                let middle = rng.point(-1.0, 1.0);
                for _ in 0..3 {
                    let offset = rng.point(-0.05, 0.05);
                    soup.push_vertex(std::array::from_fn(|axis| middle[axis] + offset[axis]));
                }
                soup.triangles.push([3 * index, 3 * index + 1, 3 * index + 2]);
            }
            let mesh = Mesh::new(&soup.vertices, &soup.triangles).expect("legal");
            let tree = Packed::build(&mesh, Preset::Balanced).expect("in range");
            let expansions = Expansions::new(&tree, &mesh);
            let point = DVec3::from_array(rng.unit_vector()) * rng.range(3.0, 40.0);
            let found = expansions.winding(&tree, point, 1.0, &mut Open::new(), |_| unreachable!("all is far"));
            let truth = solid::generalised_winding_number(&soup, point.to_array()).expect("off the surface");
            assert!((found.value - truth).abs() <= found.error + 1e-16, "{found:?} {truth}");
            used += usize::from(found.error > 0.0 && found.error < 0.1 * truth.abs());
        }
        assert!(used > 40, "{used} bounds say something");
    }
}
