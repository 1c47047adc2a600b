//! The Delaunay tetrahedra of points in space: Bowyer and Watson's insertion with exact predicates.
//!
//! It cannot fail: a point whose insertion would make a flat tetrahedron (it coincides with
//! another, or five points lie on a sphere just so) is left out, and exact signs keep all others
//! consistent. Callers who want no point left out move their points by a hair at random.

use glam::DVec3;
use robust::{Coord3D, insphere, orient3d};

/// Beside a hull's facet there is no tetrahedron.
const NONE: u32 = u32::MAX;
/// Corners of the tetrahedron around everything come first.
const OUTER: usize = 4;

#[derive(Debug, Clone, Copy)]
struct Tetrahedron {
    corners: [u32; 4],
    /// Across the facet opposite each corner.
    beside: [u32; 4],
    alive: bool,
}

/// A tetrahedron of given points, by their indices, and those across the facets opposite its
/// corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Simplex {
    pub(super) corners: [u32; 4],
    pub(super) beside: [Option<u32>; 4],
}

/// A growing triangulation.
#[derive(Debug)]
pub(super) struct Delaunay {
    points: Vec<DVec3>,
    tetrahedra: Vec<Tetrahedron>,
    free: Vec<u32>,
    last: u32,
    cavity: Vec<u32>,
    marked: Vec<u64>,
    round: u64,
}

impl Delaunay {
    /// Nothing yet; all points to come are within `reach` of `center`.
    pub(super) fn new(center: DVec3, reach: f64) -> Self {
        let far = 1e4 * reach;
        let corner = |x: f64, y: f64, z: f64| center + DVec3::new(x, y, z) * far;
        let mut points =
            vec![corner(1.0, 1.0, 1.0), corner(1.0, -1.0, -1.0), corner(-1.0, 1.0, -1.0), corner(-1.0, -1.0, 1.0)];
        if orientation(&points, [0, 1, 2, 3]) < 0.0 {
            points.swap(0, 1);
        }
        let first = Tetrahedron { corners: [0, 1, 2, 3], beside: [NONE; 4], alive: true };
        Self {
            points,
            tetrahedra: vec![first],
            free: Vec::new(),
            last: 0,
            cavity: Vec::new(),
            marked: vec![0],
            round: 0,
        }
    }

    /// Adds points; their indices are as they come, whatever the `order` they are worked in. Those
    /// that would make a flat tetrahedron are left out.
    pub(super) fn insert(&mut self, points: &[DVec3], order: impl IntoIterator<Item = usize>) {
        let first = self.points.len();
        self.points.extend(points);
        for index in order {
            self.insert_point((first + index) as u32);
        }
    }

    /// False if it was left out.
    fn insert_point(&mut self, new: u32) -> bool {
        let point = self.points[new as usize];
        let Some(start) = self.locate(point) else { return false };
        self.round += 1;
        self.cavity.clear();
        self.cavity.push(start);
        self.marked[start as usize] = self.round;
        let mut walls = Vec::new();
        let mut next = 0;
        while next < self.cavity.len() {
            let index = self.cavity[next];
            next += 1;
            let Tetrahedron { corners, beside, .. } = self.tetrahedra[index as usize];
            for facet in 0..4 {
                let other = beside[facet];
                if other != NONE && self.marked[other as usize] == self.round {
                    continue;
                }
                if other != NONE && self.in_sphere(other, point) {
                    self.marked[other as usize] = self.round;
                    self.cavity.push(other);
                } else {
                    let mut corners = corners;
                    corners[facet] = new;
                    walls.push((corners, facet, other));
                }
            }
        }
        // A wall was seen before its other side was taken in: no longer a wall.
        walls.retain(|&(_, _, other)| other == NONE || self.marked[other as usize] != self.round);
        if walls.iter().any(|(corners, ..)| orientation(&self.points, *corners) <= 0.0) {
            return false;
        }
        self.fill(&walls);
        true
    }

    /// Stores a tetrahedron, where one was that is gone if there is such a place.
    fn put(&mut self, made: Tetrahedron) -> u32 {
        if let Some(index) = self.free.pop() {
            self.tetrahedra[index as usize] = made;
            return index;
        }
        self.tetrahedra.push(made);
        self.marked.push(0);
        self.tetrahedra.len() as u32 - 1
    }

    /// Replaces the cavity by tetrahedra from its walls to the new point.
    fn fill(&mut self, walls: &[([u32; 4], usize, u32)]) {
        for &index in &self.cavity {
            self.tetrahedra[index as usize].alive = false;
        }
        let mut seams: Vec<(u64, u32, usize)> = Vec::with_capacity(3 * walls.len());
        let olds = std::mem::take(&mut self.cavity);
        self.free.extend(&olds);
        for &(corners, facet, other) in walls {
            let index = self.put(Tetrahedron { corners, beside: [NONE; 4], alive: true });
            self.tetrahedra[index as usize].beside[facet] = other;
            if other != NONE {
                // Corners say which facet it is: indices of the cavity's tetrahedra are in use
                // again.
                let shared = |tetrahedron: &Tetrahedron| {
                    (0..4).find(|&i| {
                        (0..4).all(|j| j == i || corners.contains(&tetrahedron.corners[j]))
                            && !corners.contains(&tetrahedron.corners[i])
                    })
                };
                let side = shared(&self.tetrahedra[other as usize]).expect("neighbours share a facet");
                self.tetrahedra[other as usize].beside[side] = index;
            }
            for opposite in (0..4).filter(|&corner| corner != facet) {
                let edge: Vec<u32> = (0..4)
                    .filter(|&corner| corner != facet && corner != opposite)
                    .map(|corner| corners[corner])
                    .collect();
                let key = u64::from(edge[0].min(edge[1])) << 32 | u64::from(edge[0].max(edge[1]));
                seams.push((key, index, opposite));
            }
            self.last = index;
        }
        self.cavity = olds;
        seams.sort_unstable();
        for pair in seams.chunks_exact(2) {
            let ((_, left, at), (_, right, by)) = (pair[0], pair[1]);
            self.tetrahedra[left as usize].beside[at] = right;
            self.tetrahedra[right as usize].beside[by] = left;
        }
    }

    /// A tetrahedron that holds the point.
    fn locate(&self, point: DVec3) -> Option<u32> {
        let mut index = self.last;
        'walk: for _ in 0..self.tetrahedra.len() + 64 {
            let Tetrahedron { corners, beside, .. } = self.tetrahedra[index as usize];
            for facet in 0..4 {
                if beside[facet] != NONE && self.side(corners, facet, point) < 0.0 {
                    index = beside[facet];
                    continue 'walk;
                }
            }
            return Some(index);
        }
        // A walk through Delaunay tetrahedra ends; whatever else happens, look everywhere.
        (0..self.tetrahedra.len() as u32).find(|&index| {
            let Tetrahedron { corners, alive, .. } = self.tetrahedra[index as usize];
            alive && (0..4).all(|facet| self.side(corners, facet, point) >= 0.0)
        })
    }

    /// Positive on the corner's side of the facet opposite to it.
    fn side(&self, corners: [u32; 4], facet: usize, point: DVec3) -> f64 {
        let at = |corner: usize| {
            if corner == facet { coordinates(point) } else { coordinates(self.points[corners[corner] as usize]) }
        };
        orient3d(at(0), at(1), at(2), at(3))
    }

    fn in_sphere(&self, tetrahedron: u32, point: DVec3) -> bool {
        let at = self.tetrahedra[tetrahedron as usize].corners.map(|corner| coordinates(self.points[corner as usize]));
        insphere(at[0], at[1], at[2], at[3], coordinates(point)) > 0.0
    }

    /// The tetrahedra that have only given points for corners, with the points' indices in the
    /// order they came.
    pub(super) fn simplices(&self) -> Vec<Simplex> {
        let inner = |tetrahedron: &Tetrahedron| {
            tetrahedron.alive && tetrahedron.corners.iter().all(|&corner| corner as usize >= OUTER)
        };
        let mut number = vec![None; self.tetrahedra.len()];
        for (count, (index, _)) in self.tetrahedra.iter().enumerate().filter(|(_, it)| inner(it)).enumerate() {
            number[index] = Some(count as u32);
        }
        let simplex = |it: &Tetrahedron| Simplex {
            corners: it.corners.map(|corner| corner - OUTER as u32),
            beside: it.beside.map(|other| number.get(other as usize).copied().flatten()),
        };
        self.tetrahedra.iter().filter(|it| inner(it)).map(simplex).collect()
    }
}

fn coordinates(point: DVec3) -> Coord3D<f64> {
    Coord3D { x: point.x, y: point.y, z: point.z }
}

fn orientation(points: &[DVec3], corners: [u32; 4]) -> f64 {
    let [a, b, c, d] = corners.map(|corner| coordinates(points[corner as usize]));
    orient3d(a, b, c, d)
}

/// The centre of the sphere through four points; none where they are flat to rounding.
pub(super) fn circumcenter([a, b, c, d]: [DVec3; 4]) -> Option<DVec3> {
    let (u, v, w) = (b - a, c - a, d - a);
    let determinant = u.dot(v.cross(w));
    let scale = u.length() * v.length() * w.length();
    if determinant.abs() <= 1e-12 * scale || scale == 0.0 {
        return None;
    }
    let top = v.cross(w) * u.length_squared() + w.cross(u) * v.length_squared() + u.cross(v) * w.length_squared();
    Some(a + top / (2.0 * determinant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    /// No point is inside the sphere of a tetrahedron; the tetrahedra fill the hull; neighbours
    /// know each other.
    fn check(points: &[DVec3]) -> (usize, f64) {
        let mut delaunay = Delaunay::new(DVec3::ZERO, 2.0);
        delaunay.points.extend(points);
        let inserted: Vec<bool> =
            (0..points.len()).map(|index| delaunay.insert_point((OUTER + index) as u32)).collect();
        let simplices = delaunay.simplices();
        let mut volume = 0.0;
        for (index, simplex) in simplices.iter().enumerate() {
            let corners = simplex.corners.map(|corner| points[corner as usize]);
            let at = corners.map(coordinates);
            let sign = orient3d(at[0], at[1], at[2], at[3]);
            assert!(sign > 0.0);
            volume += sign / 6.0;
            for (&point, _) in points.iter().zip(&inserted).filter(|(_, inserted)| **inserted) {
                assert!(insphere(at[0], at[1], at[2], at[3], coordinates(point)) <= 0.0, "{corners:?} {point:?}");
            }
            for (facet, other) in simplex.beside.iter().enumerate() {
                let Some(other) = other else { continue };
                let other = simplices[*other as usize];
                assert!(other.beside.contains(&Some(index as u32)));
                assert!((0..4).all(|corner| corner == facet || other.corners.contains(&simplex.corners[corner])));
            }
        }
        (inserted.iter().filter(|&&it| it).count(), volume)
    }

    #[test]
    fn random_points() {
        let mut rng = Rng::new(1);
        let corners = (0..8u32).map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2 & 1)));
        let points: Vec<DVec3> = corners.chain((0..150).map(|_| DVec3::from_array(rng.point(0.0, 1.0)))).collect();
        let (inserted, volume) = check(&points);
        assert!(inserted >= 150 && (volume - 1.0).abs() < 1e-9, "{inserted} {volume}");
    }

    /// Points on a grid, repeated points, points in a plane, on a line: some are left out, what is
    /// made is right.
    #[test]
    fn degenerate_points() {
        let grid = |n: u32| {
            (0..n * n * n).map(move |i| DVec3::new(f64::from(i % n), f64::from(i / n % n), f64::from(i / n / n)))
        };
        let mut points: Vec<DVec3> = grid(4).map(|point| point * 0.25).collect();
        points.extend_from_within(..20);
        assert!(check(&points).0 >= 8);
        check(&grid(5).map(|point| DVec3::new(point.x, point.y, 0.0) * 0.2).collect::<Vec<_>>());
        check(&[DVec3::X; 10]);
        check(&(0..10).map(|i| DVec3::X * (0.1 * f64::from(i))).collect::<Vec<_>>());
    }

    #[test]
    fn centers_are_equidistant() {
        let mut rng = Rng::new(2);
        for _ in 0..100 {
            let points = [(); 4].map(|()| DVec3::from_array(rng.point(-1.0, 1.0)));
            let center = circumcenter(points).expect("not flat");
            let [a, b, c, d] = points.map(|point| point.distance(center));
            assert!((a - b).abs() + (a - c).abs() + (a - d).abs() < 1e-7 * a, "{points:?}");
        }
        assert_eq!(circumcenter([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::ONE - DVec3::Z]), None);
    }
}
