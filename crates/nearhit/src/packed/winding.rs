//! Generalised winding numbers down one tree: near triangles by their solid angles, far nodes by an
//! expansion with a proven error.
//!
//! A node far away is a dipole: its area vector, and the first moments of that about its middle
//! (Barill et al. 2018; order one). Seen from distance R, what the expansion leaves out of a
//! surface within the radius r, ρ = r/R, is at most S/(4πR⁴) · (3 - 2ρ)/(1 - ρ)², where S is the
//! integral of s² over the surface, s the distance from the middle: the terms of 1/|x - q| are
//! s^n/R^(n+1)·P_n, the gradient of the n-th is at most (n+1)·s^n/R^(n+2) because P_n² + (1 -
//! x²)P_n'²/(n(n+1)) ≤ 1, and the sum over n > 1 of (n+1)(s/R)^n is at most s²/R² times that
//! fraction, as s ≤ r.

use super::Packed;
use super::lanes::WIDTH;
use super::node::Content;
use super::point::Part;
use super::turns::Turns;
use crate::mesh::Mesh;
use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::f64::consts::PI;

/// The triangles below each node and in each leaf, as seen from afar. Coordinates are about the
/// model's centre.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expansions {
    nodes: Vec<Expansion>,
    leaves: Vec<Expansion>,
}

/// Of distances from which expansions are used.
const SMALLEST_SQUARED: f64 = 1e-120;
/// The largest radius that is left to an expansion, as a share of the distance.
const NEAREST: f64 = 0.7;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Expansion {
    middle: DVec3,
    radius: f64,
    area: f64,
    /// The integral over the surface of the squared distance from the middle.
    spread: f64,
    /// Sum of the triangles' area vectors.
    dipole: DVec3,
    /// Sum of (triangle's middle - middle) ⊗ area vector: column j is what goes with component j of
    /// the area vector.
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

    /// The winding number at a point. What is too near for an expansion is opened; then what may be
    /// off most is refined first, until `enough`, or until no part may be off by more than
    /// [`NEGLIGIBLE`]. `near` gives half of the solid angle of a triangle, as that of a complex
    /// number, and is called for those that are not far enough away.
    pub(crate) fn winding(
        &self,
        tree: &Packed,
        point: DVec3,
        enough: impl Fn(&Winding) -> bool,
        parts: &mut Seen,
        mut near: impl FnMut(u32) -> (f64, f64),
    ) -> Winding {
        let from = point - tree.center;
        let mut sum = Winding::default();
        parts.worst.clear();
        parts.fresh.clear();
        parts.open.clear();
        parts.open.push(Part::ROOT);
        loop {
            while let Some(part) = parts.open.pop() {
                match part.content() {
                    Content::Node(index) => self.look(tree, index, from, parts, &mut sum),
                    Content::Leaf(index) => {
                        let mut turns = Turns::NONE;
                        for &triangle in tree.leaves.ids(index) {
                            let (re, im) = near(triangle);
                            turns.add(re, im);
                        }
                        sum.value += turns.value();
                    }
                }
            }
            if enough(&sum) {
                return sum;
            }
            // Put in order only when that is needed.
            parts.worst.extend(parts.fresh.drain(..));
            let Some(SeenPart { seen, part }) = parts.worst.pop() else { return sum };
            sum.value -= seen.value;
            sum.error = (sum.error - seen.error).max(0.0);
            parts.open.push(part);
        }
    }

    /// Adds what is seen of a node's slots; those that are too near are left open.
    #[inline]
    fn look(&self, tree: &Packed, node: u32, from: DVec3, parts: &mut Seen, sum: &mut Winding) {
        for content in tree.nodes[node as usize].contents() {
            let seen = match content {
                Content::Node(index) => self.nodes[index as usize].seen_from(from),
                Content::Leaf(index) => self.leaves[index as usize].seen_from(from),
            };
            if seen.error == f64::INFINITY {
                parts.open.push(Part::new(content));
                continue;
            }
            sum.value += seen.value;
            sum.error += seen.error;
            if seen.error > NEGLIGIBLE {
                parts.fresh.push(SeenPart { seen, part: Part::new(content) });
            }
        }
    }
}

/// What was seen of a part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenPart {
    seen: Winding,
    part: Part,
}

/// Working memory: what is to be opened; what was seen from afar, lately, and before, the part that
/// may be off most first.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    open: Vec<Part>,
    fresh: Vec<SeenPart>,
    worst: BinaryHeap<SeenPart>,
}

/// An error of one part that is not worth refining.
const NEGLIGIBLE: f64 = 1e-9;

impl PartialEq for SeenPart {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for SeenPart {}
impl PartialOrd for SeenPart {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for SeenPart {
    fn cmp(&self, other: &Self) -> Ordering {
        self.seen.error.total_cmp(&other.seen.error)
    }
}

impl Expansion {
    fn of_triangle([a, b, c]: [DVec3; 3]) -> Self {
        let middle = (a + b + c) / 3.0;
        let dipole = (b - a).cross(c - a) * 0.5;
        let radius = (a - middle).length().max((b - middle).length()).max((c - middle).length());
        let area = dipole.length();
        let squares = (a - middle).length_squared() + (b - middle).length_squared() + (c - middle).length_squared();
        // Moments about the triangle's own middle are zero.
        Self { middle, radius, area, spread: area * squares / 12.0, dipole, moments: DMat3::ZERO }
    }

    fn merged(parts: &[Self]) -> Self {
        let area: f64 = parts.iter().map(|part| part.area).sum();
        let weighted = parts.iter().fold(DVec3::ZERO, |sum, part| sum + part.middle * part.area);
        let mean = parts.iter().fold(DVec3::ZERO, |sum, part| sum + part.middle / parts.len() as f64);
        let middle = if area > 0.0 { weighted / area } else { mean };
        // The default of a matrix is one, not zero: what it adds cancels but for rounding.
        let mut whole = Self { middle, area, moments: DMat3::ZERO, ..Self::default() };
        // Those without area, too: the radius tells where the surface may be.
        for part in parts {
            let shift = part.middle - middle;
            whole.radius = whole.radius.max((shift.length() + part.radius) * (1.0 + 1e-12));
            whole.spread += (part.spread + part.area * shift.length_squared()) * (1.0 + 1e-12);
            whole.dipole += part.dipole;
            let shifted = DMat3::from_cols(shift * part.dipole.x, shift * part.dipole.y, shift * part.dipole.z);
            whole.moments += part.moments + shifted;
        }
        whole
    }

    #[inline]
    fn seen_from(&self, point: DVec3) -> Winding {
        let offset = self.middle - point;
        let squared = offset.length_squared();
        // Also what has no area: the point may be on it. Where fourth powers would vanish nothing
        // is left to an expansion.
        let is_far = self.radius * self.radius < NEAREST * NEAREST * squared && squared >= SMALLEST_SQUARED;
        if !is_far {
            return Winding { value: 0.0, error: f64::INFINITY };
        }
        if self.area == 0.0 {
            return Winding::default();
        }
        let inverse = 1.0 / squared.sqrt();
        let ratio = self.radius * inverse;
        let scale = inverse * inverse * (0.25 / PI);
        let left_out = (3.0 - 2.0 * ratio) / ((1.0 - ratio) * (1.0 - ratio));
        let error = self.spread * scale * inverse * inverse * left_out;
        // The field x/|x|³ and its derivative (1 - 3 x xᵀ/|x|²)/|x|³, contracted with the moments.
        let direction = offset * inverse;
        let trace = self.moments.x_axis.x + self.moments.y_axis.y + self.moments.z_axis.z;
        let along = direction.dot(self.moments * direction);
        let value = scale * (self.dipole.dot(direction) + (trace - 3.0 * along) * inverse);
        Winding { value, error }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Preset;
    use super::*;
    use nearhit_testkit::rng::Rng;
    use nearhit_testkit::{Soup, solid};

    /// Few and small triangles: what the dipoles leave out is all there is to their places, and the
    /// bound on it is nearly reached.
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
            let found =
                expansions.winding(&tree, point, |_| true, &mut Seen::default(), |_| unreachable!("all is far"));
            let truth = solid::generalised_winding_number(&soup, point.to_array()).expect("off the surface");
            assert!((found.value - truth).abs() <= found.error + 1e-16, "{found:?} {truth}");
            used += usize::from(found.error > 0.0 && found.error < 0.1 * truth.abs());
        }
        assert!(used > 40, "{used} bounds say something");
    }
}
