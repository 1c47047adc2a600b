//! A polytope of integer corners that is grown, corner by corner, and the face nearest to the
//! origin.
//!
//! The hull is exact: a corner is added by the faces that it sees strictly, so faces in one plane
//! stay side by side and none is without area.

use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_int::ops::{SquareRoot, UnsignedAbs};

use super::fixed::bit_length;
use crate::exact::integers::{Vector, cross, dot, sign, subtract};

/// A triangle of the border; the polytope is where `normal * x <= offset`.
#[derive(Clone, Debug)]
pub(crate) struct Face {
    pub(crate) corners: [usize; 3],
    pub(crate) plane: Plane,
}

/// A plane with an outward normal, compared by its signed distance from the origin.
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    pub(crate) normal: Vector,
    pub(crate) offset: IBig,
    /// The squared length of the normal.
    pub(crate) square: IBig,
    /// The binary logarithm of the distance, up to rounding: most comparisons need no more.
    logarithm: f64,
}

impl Plane {
    pub(crate) fn new(normal: Vector, offset: IBig) -> Plane {
        let square = dot(&normal, &normal);
        let logarithm = logarithm(&offset) - 0.5 * logarithm(&square);
        Plane { normal, offset, square, logarithm }
    }

    /// The signed distance of the origin, its magnitude less than one too small.
    pub(crate) fn units(&self) -> IBig {
        let quotient = &self.offset * &self.offset / &self.square;
        IBig::from(quotient.unsigned_abs().sqrt()) * sign(&self.offset)
    }

    /// By signed distance.
    pub(crate) fn compare(&self, other: &Plane) -> Ordering {
        let side = sign(&self.offset);
        let magnitudes = || {
            if (self.logarithm - other.logarithm).abs() > LOGARITHM_ROUNDING {
                return self.logarithm.total_cmp(&other.logarithm);
            }
            (&self.offset * &self.offset * &other.square).cmp(&(&other.offset * &other.offset * &self.square))
        };
        side.cmp(&sign(&other.offset)).then_with(|| match side {
            0 => Ordering::Equal,
            1 => magnitudes(),
            _ => magnitudes().reverse(),
        })
    }
}

/// More than what logarithms of magnitude 1e5 and their differences are off.
const LOGARITHM_ROUNDING: f64 = 1e-9;

/// Of the magnitude.
fn logarithm(value: &IBig) -> f64 {
    let excess = bit_length(value).saturating_sub(64);
    (value >> excess).to_f64().value().abs().log2() + excess as f64
}

/// The hull of its corners, not flat.
#[derive(Clone, Debug)]
pub(crate) struct Polytope {
    pub(crate) corners: Vec<Vector>,
    pub(crate) faces: Vec<Face>,
}

impl Polytope {
    /// A tetrahedron of farthest points; a vector across all of them when they are in one plane.
    pub(crate) fn tetrahedron(farthest: &impl Fn(&Vector) -> Vector) -> Result<Polytope, Vector> {
        let axes: Vec<Vector> = (0..3).map(axis).collect();
        let both = |directions: &[Vector]| -> Vec<Vector> {
            directions.iter().flat_map(|d| [farthest(d), farthest(&d.each_ref().map(|x| -x))]).collect()
        };
        let first = farthest(&axes[0]);
        let second = both(&axes).into_iter().find(|p| *p != first).ok_or_else(|| axis(0))?;
        let edge = subtract(&second, &first);
        let across: Vec<Vector> = axes.iter().map(|axis| cross(&edge, axis)).filter(|d| !is_zero(d)).collect();
        let third = both(&across).into_iter().find(|p| !is_zero(&cross(&edge, &subtract(p, &first))));
        let third = third.ok_or_else(|| across[0].clone())?;
        let normal = cross(&edge, &subtract(&third, &first));
        let fourth = both(std::slice::from_ref(&normal))
            .into_iter()
            .find(|p| sign(&dot(&normal, &subtract(p, &first))) != 0)
            .ok_or_else(|| normal.clone())?;
        let mut corners = vec![first, second, third, fourth];
        if sign(&dot(&normal, &subtract(&corners[3], &corners[0]))) > 0 {
            corners.swap(1, 2);
        }
        let mut polytope = Polytope { corners, faces: Vec::new() };
        for corners in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]] {
            polytope.add_face(corners);
        }
        Ok(polytope)
    }

    fn add_face(&mut self, corners: [usize; 3]) {
        let [p, q, r] = corners.map(|index| &self.corners[index]);
        let normal = cross(&subtract(q, p), &subtract(r, p));
        let offset = dot(&normal, p);
        self.faces.push(Face { corners, plane: Plane::new(normal, offset) });
    }

    /// The hull with one more point; false when that is no larger.
    pub(crate) fn insert(&mut self, point: Vector) -> bool {
        let seen = |face: &Face| dot(&face.plane.normal, &point) > face.plane.offset;
        let (visible, hidden): (Vec<Face>, Vec<Face>) = self.faces.drain(..).partition(seen);
        self.faces = hidden;
        if visible.is_empty() {
            return false;
        }
        let edges: Vec<[usize; 2]> =
            visible.iter().flat_map(|Face { corners: [p, q, r], .. }| [[*p, *q], [*q, *r], [*r, *p]]).collect();
        let top = self.corners.len();
        self.corners.push(point);
        for &[from, to] in &edges {
            if !edges.contains(&[to, from]) {
                self.add_face([from, to, top]);
            }
        }
        true
    }

    /// The face whose plane is nearest to the origin, one that has the origin outside before all.
    pub(crate) fn nearest_face(&self) -> &Face {
        let mut best = &self.faces[0];
        for face in &self.faces[1..] {
            if face.plane.compare(&best.plane).is_lt() {
                best = face;
            }
        }
        best
    }
}

fn axis(index: usize) -> Vector {
    std::array::from_fn(|axis| if axis == index { IBig::ONE } else { IBig::ZERO })
}

fn is_zero(vector: &Vector) -> bool {
    vector.iter().all(IBig::is_zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn closed_and_convex(polytope: &Polytope) {
        let edges: Vec<[usize; 2]> =
            polytope.faces.iter().flat_map(|Face { corners: [p, q, r], .. }| [[*p, *q], [*q, *r], [*r, *p]]).collect();
        assert!(edges.iter().all(|&[from, to]| edges.contains(&[to, from])));
        for face in &polytope.faces {
            assert!(sign(&face.plane.square) > 0);
            assert!(polytope.corners.iter().all(|p| dot(&face.plane.normal, p) <= face.plane.offset));
        }
    }

    /// On small grids most points are in faces or edges of the hull of the others.
    #[test]
    fn hulls_of_grid_points() {
        let mut rng = Rng::new(101);
        let mut full = 0;
        for round in 0..300 {
            let reach = 1 + round % 3;
            let points: Vec<Vector> =
                (0..12).map(|_| std::array::from_fn(|_| IBig::from(rng.integer(-reach, reach)))).collect();
            let farthest = |d: &Vector| points[super::super::nearest::highest(&points, d).1].clone();
            let Ok(mut polytope) = Polytope::tetrahedron(&farthest) else { continue };
            full += 1;
            for point in &points {
                polytope.insert(point.clone());
            }
            closed_and_convex(&polytope);
            assert!(points.iter().all(|point| !polytope.clone().insert(point.clone())));
        }
        assert!(full > 250, "{full}");
    }
}
