//! Certificate of a convex hull: is a list of triangles the hull of some points? Checking is
//! linear, finding is not.
//!
//! After Mehlhorn, Näher, Schilz, Schirra, Seel, Seidel and Uhrig (*Checking geometric programs or
//! verification of geometric structures*, 1996). All signs are exact.
//!
//! 1. The triangles form a closed surface: each side is the side, the other way round, of one other
//!    triangle.
//! 2. A centre is strictly inside of every triangle, no triangle has its neighbours' corners
//!    outside, and one ray from the centre meets one triangle only. Then the surface goes around
//!    the centre once, and as it bends inwards everywhere it is the border of a convex body: the
//!    hull of its corners.
//! 3. Any other point is inside if it is not beyond the triangle that the ray from the centre
//!    through it meets. That is found by walking on the surface, a step or two from the point
//!    before.

use super::sides::Sides;
use crate::parallel::*;
use crate::primitive::predicates::{Sign, orient3d};
use glam::DVec3;

/// The sides of the faces, if it is. `points` need not contain the corners, and should be in an
/// order in which neighbours are near each other: for speed only.
pub(super) fn proven(corners: &[DVec3], faces: &[[u32; 3]], points: &[DVec3]) -> Option<Sides> {
    let known = |face: &[u32; 3]| face.iter().all(|&corner| (corner as usize) < corners.len());
    if faces.is_empty() || !faces.iter().all(known) {
        return None;
    }
    let sides = Sides::new(corners.len(), faces);
    // A corner that no face has would pass for one that the faces enclose.
    if (0..corners.len() as u32).any(|corner| sides.of(corner).is_empty()) {
        return None;
    }
    let across = sides.across(faces)?;
    let centre = corners.iter().sum::<DVec3>() / corners.len() as f64;
    let surface = Surface { corners, faces, across, centre };
    let is_convex = surface.bends_inwards() && surface.goes_around_once();
    // Walks are short on a convex surface only.
    (is_convex && points.par_chunks(POINTS).all(|run| surface.encloses(run))).then_some(sides)
}

/// So many points are found one after the other.
const POINTS: usize = 4096;

/// A closed surface and a point that should be inside.
struct Surface<'h> {
    corners: &'h [DVec3],
    faces: &'h [[u32; 3]],
    /// The face beyond each side; side `i` goes from corner `i` to the next.
    across: Vec<[u32; 3]>,
    centre: DVec3,
}

impl Surface<'_> {
    fn triangle(&self, face: usize) -> [DVec3; 3] {
        self.faces[face].map(|corner| self.corners[corner as usize])
    }

    /// Has every triangle the centre strictly inside and no corner of its neighbours outside?
    fn bends_inwards(&self) -> bool {
        (0..self.faces.len()).into_par_iter().all(|face| {
            let triangle = self.triangle(face);
            // The same four corners decide for both neighbours. Those that they share are in the
            // plane.
            let mut later = self.across[face].iter().filter(|&&other| other as usize > face);
            let holds =
                |&other: &u32| self.triangle(other as usize).iter().all(|&p| side(&triangle, p) != Sign::Negative);
            side(&triangle, self.centre) == Sign::Positive && later.all(holds)
        })
    }

    /// Does the ray from the centre through the largest triangle meet no other one, not even at its
    /// border?
    fn goes_around_once(&self) -> bool {
        let sized = |face: usize| {
            let [a, b, c] = self.triangle(face);
            ((b - a).cross(c - a).length_squared(), face)
        };
        let by_area = |p: &(f64, usize), q: &(f64, usize)| p.0.total_cmp(&q.0);
        let Some((_, largest)) = (0..self.faces.len()).map(sized).max_by(by_area) else { return false };
        let [a, b, c] = self.triangle(largest);
        let target = (a + b + c) / 3.0;
        (0..self.faces.len()).into_par_iter().all(|face| {
            let sides = [0, 1, 2].map(|side| self.turn(face, side, target));
            if face == largest {
                sides.iter().all(|&sign| sign == Sign::Positive)
            } else {
                sides.contains(&Sign::Negative)
            }
        })
    }

    /// Positive if `point`, seen from the centre, is on the face's side of its side `side`.
    fn turn(&self, face: usize, side: usize, point: DVec3) -> Sign {
        let corner = |place: usize| self.corners[self.faces[face][place % 3] as usize];
        orient3d(corner(side), corner(side + 1), point, self.centre)
    }

    fn encloses(&self, points: &[DVec3]) -> bool {
        let mut at = 0;
        points.iter().all(|&point| match self.towards(point, at) {
            Some(face) => {
                at = face;
                side(&self.triangle(face), point) != Sign::Negative
            }
            None => false,
        })
    }

    /// The face that the ray from the centre through `point` meets, walking from another one. Each
    /// step leads to a plane that the ray meets sooner, or to a face in the same plane: there the
    /// walk could go round in circles, and then it is given up.
    fn towards(&self, point: DVec3, from: usize) -> Option<usize> {
        let (mut at, mut before) = (from, usize::MAX);
        for _ in 0..=self.faces.len() {
            // Many points are corners: no signs are needed to see them through a face that has
            // them.
            if self.triangle(at).contains(&point) {
                return Some(at);
            }
            let leaves = |&side: &usize| {
                self.across[at][side] as usize != before && self.turn(at, side, point) == Sign::Negative
            };
            match (0..3).find(leaves) {
                None => return Some(at),
                Some(side) => (at, before) = (self.across[at][side] as usize, at),
            }
        }
        None
    }
}

/// Positive is inside. Most of the points that are near a face are its own corners: exact
/// arithmetic is not needed to tell where these are.
fn side(triangle: &[DVec3; 3], point: DVec3) -> Sign {
    let [a, b, c] = *triangle;
    if triangle.contains(&point) { Sign::Zero } else { orient3d(a, b, c, point) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::hull::Hull;
    use nearhit_testkit::rng::Rng;
    use std::f64::consts::PI;

    fn holds(corners: &[DVec3], faces: &[[u32; 3]], points: &[DVec3]) -> bool {
        proven(corners, faces, points).is_some()
    }

    fn blob(rng: &mut Rng, count: usize) -> Vec<DVec3> {
        (0..count).map(|_| DVec3::from_array(rng.unit_vector()) * rng.range(0.2, 1.0)).collect()
    }

    fn grid() -> Vec<DVec3> {
        (0..343).map(|i| DVec3::new((i % 7) as f64, (i / 7 % 7) as f64, (i / 49) as f64) / 8.0).collect()
    }

    #[test]
    fn what_is_found_is_certified() {
        let mut rng = Rng::new(41);
        for count in [4, 5, 20, 300, 5000] {
            let points = blob(&mut rng, count);
            let hull = Hull::new(&points).expect("not flat");
            assert!(holds(&hull.points, &hull.faces, &points.iter().map(|&p| p / hull.scale).collect::<Vec<_>>()));
        }
        let hull = Hull::new(&grid()).expect("not flat");
        assert!(holds(&hull.points, &hull.faces, &grid().iter().map(|&p| p / hull.scale).collect::<Vec<_>>()));
    }

    /// Around five corners twice, as the sides of a pentagram go: everywhere convex, everywhere
    /// around the centre.
    #[test]
    fn a_surface_that_goes_around_twice_is_refused() {
        let around = |i: u32| DVec3::new((f64::from(i) * 0.4 * PI).cos(), (f64::from(i) * 0.4 * PI).sin(), 0.0);
        let corners: Vec<DVec3> = (0..5).map(around).chain([DVec3::Z, DVec3::NEG_Z]).collect();
        let wound = |step: u32| -> Vec<[u32; 3]> {
            let both = |i: u32| [[i, (i + step) % 5, 5], [(i + step) % 5, i, 6]];
            (0..5).flat_map(both).collect()
        };
        assert!(holds(&corners, &wound(1), &corners));
        assert!(!holds(&corners, &wound(2), &[]));
    }

    #[test]
    fn a_corner_that_no_face_has_is_refused() {
        let hull = Hull::new(&blob(&mut Rng::new(43), 30)).expect("not flat");
        assert!(holds(&hull.points, &hull.faces, &[]));
        let more: Vec<DVec3> = hull.points.iter().copied().chain([DVec3::ONE]).collect();
        assert!(!holds(&more, &hull.faces, &[]));
    }

    /// Any change to a hull is refused, or climbing on it still finds the farthest point.
    #[test]
    fn no_list_that_is_accepted_misleads() {
        let mut rng = Rng::new(42);
        let (mut accepted, mut refused) = (0, 0);
        for round in 0..1500 {
            let points = if round / 6 % 2 == 0 { grid() } else { blob(&mut rng, 40) };
            let hull = Hull::new(&points).expect("not flat");
            let scaled: Vec<DVec3> = points.iter().map(|&point| point / hull.scale).collect();
            let (mut corners, mut faces) = (hull.points.clone(), hull.faces.clone());
            let face = rng.below(faces.len());
            match round % 6 {
                0 => drop(faces.remove(face)),
                1 => faces[face].swap(0, 1),
                2 => faces[face][rng.below(3)] = rng.below(corners.len()) as u32,
                3 => corners[rng.below(hull.points.len())] = scaled[rng.below(scaled.len())],
                // The other diagonal of two neighbours: right if they are in a plane.
                4 => {
                    let [a, b, c] = faces[face];
                    let is_back = |other: &[u32; 3]| (0..3).any(|i| (other[i], other[(i + 1) % 3]) == (b, a));
                    let other = faces.iter().position(is_back).expect("closed");
                    let d = *faces[other].iter().find(|&&corner| corner != a && corner != b).expect("a third");
                    (faces[face], faces[other]) = ([a, d, c], [d, b, c]);
                }
                // A tetrahedron of four of its corners.
                _ => faces = Hull::new(&corners[..4]).map_or(vec![], |four| four.faces),
            }
            if !holds(&corners, &faces, &scaled) {
                refused += 1;
                continue;
            }
            accepted += 1;
            let changed = Hull::connect(&corners, &faces, &Sides::new(corners.len(), &faces), hull.scale);
            for _ in 0..60 {
                let direction = DVec3::from_array(rng.unit_vector());
                assert!((changed.reach(direction) - hull.reach(direction)).abs() < 1e-14, "round {round}");
            }
        }
        assert!(accepted > 25 && refused > 900, "{accepted} accepted, {refused} refused");
    }
}
