//! Is a list of triangles the hull of some points, to climb on? Checking is much cheaper than finding.
//!
//! What is asked of the list: its triangles form a closed surface (each side is the side, the other way round, of one other triangle); each has all points on its inner side, exactly, and some
//! strictly so; and every corner has two triangles that are not in one plane. Then the climb is right. For let a corner have no higher neighbour along some direction. Its triangles lie in planes
//! with all points on one side, so in the border of the cone that the corner sees the points in; around the corner they close, turning the same way, so they cover that border; and as the cone is no
//! half-space, it is spanned by its border. So no point is higher.

use crate::primitive::predicates::{Sign, orient3d};
use glam::DVec3;
use rayon::prelude::*;

/// `points` in an order in which neighbours are near each other, for speed only.
pub(super) fn holds(corners: &[DVec3], faces: &[[u32; 3]], points: &[DVec3]) -> bool {
    let known = |face: &[u32; 3]| face.iter().all(|&corner| (corner as usize) < corners.len());
    if faces.is_empty() || !faces.iter().all(known) {
        return false;
    }
    let Some(sides) = closed_sides(faces) else { return false };
    let Some(inside) = tetrahedron(corners, faces) else { return false };
    // The corners are to be among the points, but need not be.
    let blocks = [Blocks::new(points), Blocks::new(corners)];
    let encloses = |face: &[u32; 3]| {
        let triangle = face.map(|corner| corners[corner as usize]);
        let strictly = inside.iter().any(|&point| side(&triangle, point) == Sign::Positive);
        strictly && blocks.iter().all(|blocks| blocks.are_inside(&triangle))
    };
    every_corner_is_bent(corners, faces, &sides) && faces.par_iter().all(encloses)
}

/// Positive is inside. Most of the points that are near a face are its own corners: exact arithmetic is not needed to tell where these are.
fn side(triangle: &[DVec3; 3], point: DVec3) -> Sign {
    let [a, b, c] = *triangle;
    if triangle.contains(&point) { Sign::Zero } else { orient3d(a, b, c, point) }
}

/// Start, end and face of every side, sorted; `None` if they do not match in pairs.
fn closed_sides(faces: &[[u32; 3]]) -> Option<Vec<(u32, u32, u32)>> {
    let of_face = |(id, &[a, b, c]): (usize, &[u32; 3])| [(a, b), (b, c), (c, a)].map(|(p, q)| (p, q, id as u32));
    let mut sides: Vec<(u32, u32, u32)> = faces.iter().enumerate().flat_map(of_face).collect();
    sides.sort_unstable();
    let mut reversed: Vec<(u32, u32)> = sides.iter().map(|&(from, to, _)| (to, from)).collect();
    reversed.sort_unstable();
    let matching = sides.iter().zip(&reversed).all(|(side, back)| (side.0, side.1) == *back);
    let once = reversed.windows(2).all(|pair| pair[0] != pair[1]) && reversed.iter().all(|side| side.0 != side.1);
    (matching && once).then_some(sides)
}

/// Four corners that do not lie in a plane: no triangle with an area has them all in its plane.
fn tetrahedron(corners: &[DVec3], faces: &[[u32; 3]]) -> Option<[DVec3; 4]> {
    let [a, b, c] = faces[0].map(|corner| corners[corner as usize]);
    corners.iter().find(|&&point| side(&[a, b, c], point) != Sign::Zero).map(|&d| [a, b, c, d])
}

/// Has every corner a side along which the surface bends? That one is used at all follows.
fn every_corner_is_bent(corners: &[DVec3], faces: &[[u32; 3]], sides: &[(u32, u32, u32)]) -> bool {
    let mut bent = vec![false; corners.len()];
    for &(from, to, face) in sides {
        if bent[from as usize] && bent[to as usize] {
            continue;
        }
        // There is exactly one.
        let Ok(back) = sides.binary_search_by_key(&(to, from), |side| (side.0, side.1)) else { return false };
        let triangle = faces[face as usize].map(|corner| corners[corner as usize]);
        let across = faces[sides[back].2 as usize];
        if across.iter().any(|&corner| side(&triangle, corners[corner as usize]) == Sign::Positive) {
            (bent[from as usize], bent[to as usize]) = (true, true);
        }
    }
    bent.into_iter().all(|bent| bent)
}

/// Points in boxes, boxes in larger boxes.
struct Blocks<'p> {
    points: &'p [DVec3],
    /// Middles and half extents: of runs of points first, of runs of everything last.
    levels: Vec<Vec<[DVec3; 2]>>,
}

/// So many of the next finer level make a block.
const RUN: usize = 16;

impl<'p> Blocks<'p> {
    fn new(points: &'p [DVec3]) -> Self {
        let bounds = |low: DVec3, high: DVec3| [low * 0.5 + high * 0.5, high * 0.5 - low * 0.5];
        let around = |run: &[DVec3]| {
            let low = run.iter().fold(DVec3::INFINITY, |low, &point| low.min(point));
            bounds(low, run.iter().fold(DVec3::NEG_INFINITY, |high, &point| high.max(point)))
        };
        let mut levels = vec![points.chunks(RUN).map(around).collect::<Vec<_>>()];
        while let Some(finest) = levels.last().filter(|level| level.len() > RUN) {
            let joined = |run: &[[DVec3; 2]]| {
                let low = run.iter().fold(DVec3::INFINITY, |low, [middle, half]| low.min(middle - half));
                bounds(low, run.iter().fold(DVec3::NEG_INFINITY, |high, [middle, half]| high.max(middle + half)))
            };
            let coarser = finest.chunks(RUN).map(joined).collect();
            levels.push(coarser);
        }
        Self { points, levels }
    }

    /// No point is beyond the triangle's plane. Boxes are judged by rounded numbers with room to spare, points exactly.
    fn are_inside(&self, triangle: &[DVec3; 3]) -> bool {
        let normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        let (lengths, offset) = (normal.abs(), normal.dot(triangle[0]));
        // Coordinates are at most 2. A hundred times what the products and boxes, rounded a dozen times, can be off; the normal itself is off by some ulps of
        // products of edges, which may be all of it for a sliver: its points are then looked at one by one.
        let sizes = (triangle[1] - triangle[0]).abs().max_element() * (triangle[2] - triangle[0]).abs().max_element();
        let rounding = 1e-13 * (lengths.element_sum() + sizes) + f64::MIN_POSITIVE;
        let is_clear = |[middle, half]: &[DVec3; 2]| normal.dot(*middle) + lengths.dot(*half) < offset - rounding;
        let coarsest = self.levels.len() - 1;
        (0..self.levels[coarsest].len()).all(|block| self.block_is_inside(coarsest, block, triangle, &is_clear))
    }

    fn block_is_inside(
        &self,
        level: usize,
        block: usize,
        triangle: &[DVec3; 3],
        is_clear: &impl Fn(&[DVec3; 2]) -> bool,
    ) -> bool {
        if is_clear(&self.levels[level][block]) {
            return true;
        }
        let run = |count: usize| block * RUN..count.min((block + 1) * RUN);
        match level {
            0 => self.points[run(self.points.len())].iter().all(|&point| side(triangle, point) != Sign::Negative),
            _ => run(self.levels[level - 1].len())
                .all(|finer| self.block_is_inside(level - 1, finer, triangle, is_clear)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::hull::Hull;
    use nearhit_testkit::rng::Rng;

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
            let changed = Hull::connect(&corners, &faces, hull.scale);
            for _ in 0..60 {
                let direction = DVec3::from_array(rng.unit_vector());
                assert!((changed.reach(direction) - hull.reach(direction)).abs() < 1e-14, "round {round}");
            }
        }
        assert!(accepted > 25 && refused > 900, "{accepted} accepted, {refused} refused");
    }
}
