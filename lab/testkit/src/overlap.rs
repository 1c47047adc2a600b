//! How much do two closed, oriented soups have in common? In rational arithmetic, by cutting
//! tetrahedra.
//!
//! The winding number of a soup is a sum of tetrahedra with signs: one over each triangle, from any
//! point. So the integral of the product of two winding numbers is a sum over pairs of tetrahedra
//! of the volume that both have, which is what is left of one after the other's four planes have
//! cut it.

use crate::{Point, Soup, Tri};
use dashu_ratio::RBig;
use std::cmp::Ordering;

type Exact = [RBig; 3];
/// A face as directed edges, in no order, counter-clockwise seen from outside.
type Face = Vec<[Exact; 2]>;

/// Integrals of the product of two winding numbers, without any rounding.
#[derive(Debug, Clone, PartialEq)]
pub struct Common {
    volume: RBig,
    first: Exact,
}

impl Common {
    /// Of two closed and oriented soups.
    pub fn new(a: &Soup, b: &Soup) -> Self {
        let apex = [0.40625, 0.28125, 0.15625];
        let cones = |soup: &Soup| -> Vec<Cone> { soup.corners().filter_map(|tri| Cone::new(&tri, apex)).collect() };
        let (of_a, of_b) = (cones(a), cones(b));
        let mut common = Self { volume: RBig::ZERO, first: [RBig::ZERO, RBig::ZERO, RBig::ZERO] };
        for one in &of_a {
            for other in of_b.iter().filter(|other| one.may_meet(other)) {
                let mut faces = one.faces();
                other.planes().iter().for_each(|plane| faces = cut(&faces, plane));
                common.add(&faces, one.is_positive == other.is_positive);
            }
        }
        common
    }

    /// The volume, rounded once.
    pub fn volume(&self) -> f64 {
        self.volume.to_f64().value()
    }

    /// Is the volume in a closed interval?
    pub fn volume_is_within(&self, lower: f64, upper: f64) -> bool {
        exact_number(lower) <= self.volume && self.volume <= exact_number(upper)
    }

    /// The centre, rounded once; the volume must not be 0.
    pub fn center(&self) -> Point {
        self.first.clone().map(|moment| (moment / &self.volume).to_f64().value())
    }

    fn add(&mut self, faces: &[Face], is_positive: bool) {
        for face in faces {
            let Some([apex, _]) = face.first() else { continue };
            for [p, q] in face {
                let mut six = determinant(apex, p, q);
                if !is_positive {
                    six = -six;
                }
                for axis in 0..3 {
                    let sum = &apex[axis] + &p[axis] + &q[axis];
                    self.first[axis] += &six * sum / RBig::from(24);
                }
                self.volume += six / RBig::from(6);
            }
        }
    }
}

/// A tetrahedron over a triangle, turned so that its volume is positive.
struct Cone {
    corners: [Exact; 4],
    rough: [[f64; 2]; 3],
    is_positive: bool,
}

impl Cone {
    fn new(triangle: &Tri, apex: Point) -> Option<Self> {
        let [a, b, c] = triangle.map(exact);
        let top = exact(apex);
        let volume = determinant(&minus(&a, &top), &minus(&b, &top), &minus(&c, &top));
        let is_positive = match volume.cmp(&RBig::ZERO) {
            Ordering::Equal => return None,
            order => order == Ordering::Greater,
        };
        let rough = std::array::from_fn(|axis| {
            let values = [apex[axis], triangle[0][axis], triangle[1][axis], triangle[2][axis]];
            [
                values.iter().copied().fold(f64::INFINITY, f64::min),
                values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ]
        });
        let corners = if is_positive { [top, a, b, c] } else { [top, a, c, b] };
        Some(Self { corners, rough, is_positive })
    }

    fn may_meet(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.rough[axis][0] <= other.rough[axis][1] && other.rough[axis][0] <= self.rough[axis][1])
    }

    fn triangles(&self) -> [[&Exact; 3]; 4] {
        let [t, a, b, c] = &self.corners;
        [[a, b, c], [t, b, a], [t, c, b], [t, a, c]]
    }

    fn faces(&self) -> Vec<Face> {
        let face =
            |[p, q, r]: [&Exact; 3]| vec![[p.clone(), q.clone()], [q.clone(), r.clone()], [r.clone(), p.clone()]];
        self.triangles().map(face).into()
    }

    /// Normals that face outwards, and where they begin.
    fn planes(&self) -> [(Exact, Exact); 4] {
        self.triangles().map(|[p, q, r]| (cross(&minus(q, p), &minus(r, p)), p.clone()))
    }
}

/// What is behind a plane.
fn cut(faces: &[Face], (normal, origin): &(Exact, Exact)) -> Vec<Face> {
    let height = |point: &Exact| dot(normal, &minus(point, origin));
    let (mut cap, mut kept) = (Face::new(), Vec::new());
    for face in faces {
        let (mut edges, mut leaves, mut enters) = (Face::new(), None, None);
        for [p, q] in face {
            let (from, to) = (height(p), height(q));
            let is_out = [from > RBig::ZERO, to > RBig::ZERO];
            let crossing = || {
                let share = &from / (&from - &to);
                std::array::from_fn(|axis| &p[axis] + &share * (&q[axis] - &p[axis]))
            };
            match is_out {
                [false, false] => edges.push([p.clone(), q.clone()]),
                [false, true] => {
                    let point: Exact = crossing();
                    edges.push([p.clone(), point.clone()]);
                    leaves = Some(point);
                }
                [true, false] => {
                    let point: Exact = crossing();
                    edges.push([point.clone(), q.clone()]);
                    enters = Some(point);
                }
                [true, true] => {}
            }
        }
        if let (Some(leaves), Some(enters)) = (leaves, enters) {
            cap.push([enters.clone(), leaves.clone()]);
            edges.push([leaves, enters]);
        }
        if !edges.is_empty() {
            kept.push(edges);
        }
    }
    if !cap.is_empty() {
        kept.push(cap);
    }
    kept
}

fn exact_number(value: f64) -> RBig {
    RBig::try_from(value).expect("finite")
}

fn exact(point: Point) -> Exact {
    point.map(exact_number)
}

fn minus(a: &Exact, b: &Exact) -> Exact {
    std::array::from_fn(|axis| &a[axis] - &b[axis])
}

fn cross(a: &Exact, b: &Exact) -> Exact {
    let term = |i: usize, j: usize| &a[i] * &b[j] - &a[j] * &b[i];
    [term(1, 2), term(2, 0), term(0, 1)]
}

fn dot(a: &Exact, b: &Exact) -> RBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn determinant(a: &Exact, b: &Exact, c: &Exact) -> RBig {
    dot(a, &cross(b, c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;

    #[test]
    fn boxes_share_a_box() {
        let (a, b) = (shapes::cuboid([0.0; 3], [4.0, 3.0, 2.0]), shapes::cuboid([1.0, 1.0, 1.0], [9.0; 3]));
        let common = Common::new(&a, &b);
        assert_eq!((common.volume(), common.center()), (6.0, [2.5, 2.0, 1.5]));
        assert!(common.volume_is_within(6.0, 6.0) && !common.volume_is_within(6.0_f64.next_up(), 7.0));
        let flush = Common::new(&a, &shapes::cuboid([4.0, 0.0, 0.0], [5.0, 3.0, 2.0]));
        assert_eq!(flush.volume(), 0.0);
        assert_eq!(Common::new(&a, &a).volume(), 24.0);
    }
}
