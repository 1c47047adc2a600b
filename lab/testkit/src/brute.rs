//! Every pair of triangles of two soups, decided exactly: slow, short, and right.
//!
//! `a` stays as it is; `b` is posed into the frame of `a` by the documented rounding
//! ([`crate::pose`]), and the exact questions are asked of the rounded coordinates.

use dashu_ratio::RBig;

use crate::cases::Collision;
use crate::closest;
use crate::exact::{Bracket, intersects, square_of, square_root, squared_distance};
use crate::pose::{Rows, pose_soup};
use crate::{Point, Soup, Tri};

/// All intersecting pairs `(triangle of a, triangle of b)`, sorted.
pub fn colliding_pairs(a: &Soup, b: &Soup, rotation: &Rows, translation: &Point) -> Vec<(u32, u32)> {
    let (a, b) = (boxed(a), boxed(&pose_soup(rotation, translation, b)));
    let mut pairs = Vec::new();
    for_box_pairs(&a, &b, |i, j| {
        if intersects(&a[i].triangle, &b[j].triangle) {
            pairs.push((i as u32, j as u32));
        }
        true
    });
    pairs
}

/// Whether any pair of triangles shares a point.
pub fn collides(a: &Soup, b: &Soup, rotation: &Rows, translation: &Point) -> bool {
    let (a, b) = (boxed(a), boxed(&pose_soup(rotation, translation, b)));
    let mut found = false;
    for_box_pairs(&a, &b, |i, j| {
        found = intersects(&a[i].triangle, &b[j].triangle);
        !found
    });
    found
}

/// The closest pair of triangles and how far apart they are.
#[derive(Clone, Debug)]
pub struct Nearest {
    /// The exact squared distance.
    pub squared: RBig,
    /// Neighbouring doubles around the distance.
    pub distance: Bracket,
    /// A pair that has it: of those, the first in order of pairs.
    pub pair: (u32, u32),
}

/// The exact minimum over all pairs; `None` when one of the soups is empty.
pub fn min_squared_distance(a: &Soup, b: &Soup, rotation: &Rows, translation: &Point) -> Option<Nearest> {
    let (a, b) = (boxed(a), boxed(&pose_soup(rotation, translation, b)));
    let mut best: Option<(RBig, (u32, u32))> = None;
    for (lower, pair) in candidates(&a, &b) {
        // Sorted by lower bound: nothing later can be closer, but ties are settled by the smallest
        // pair.
        if best.as_ref().is_some_and(|(square, _)| square_of(lower) > *square) {
            break;
        }
        let squared = squared_distance(&a[pair.0 as usize].triangle, &b[pair.1 as usize].triangle);
        let offered = (squared, pair);
        if best.as_ref().is_none_or(|best| offered < *best) {
            best = Some(offered);
        }
    }
    best.map(|(squared, pair)| Nearest { distance: square_root(&squared), squared, pair })
}

/// Whether the distance is at most `tolerance`, which counts as it is: a double without rounding.
pub fn within(a: &Soup, b: &Soup, rotation: &Rows, translation: &Point, tolerance: f64) -> bool {
    tolerance >= 0.0
        && min_squared_distance(a, b, rotation, translation)
            .is_some_and(|nearest| tolerance.is_infinite() || nearest.squared <= square_of(tolerance))
}

/// How clearly the soups are apart: their distance over the largest posed coordinate. 0 when they
/// touch, infinite when one is empty. Answers of rounded libraries are comparable where this is
/// well above rounding.
pub fn margin(a: &Soup, b: &Soup, rotation: &Rows, translation: &Point) -> f64 {
    let posed = pose_soup(rotation, translation, b);
    let largest = a.vertices.iter().chain(&posed.vertices).flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    match min_squared_distance(a, b, rotation, translation) {
        Some(nearest) if nearest.distance.low == 0.0 => 0.0,
        Some(nearest) => nearest.distance.low / largest,
        None => f64::INFINITY,
    }
}

struct Boxed {
    triangle: Tri,
    low: Point,
    high: Point,
}

fn boxed(soup: &Soup) -> Vec<Boxed> {
    let bound = |triangle: &Tri, pick: fn(f64, f64) -> f64| -> Point {
        std::array::from_fn(|axis| pick(pick(triangle[0][axis], triangle[1][axis]), triangle[2][axis]))
    };
    soup.corners()
        .map(|triangle| Boxed { low: bound(&triangle, f64::min), high: bound(&triangle, f64::max), triangle })
        .collect()
}

/// Visits the pairs whose boxes share a point, in order, until the visitor says stop. Comparing
/// doubles is exact.
fn for_box_pairs(a: &[Boxed], b: &[Boxed], mut visit: impl FnMut(usize, usize) -> bool) {
    for (i, of_a) in a.iter().enumerate() {
        for (j, of_b) in b.iter().enumerate() {
            let apart = (0..3).any(|axis| of_a.low[axis] > of_b.high[axis] || of_b.low[axis] > of_a.high[axis]);
            if !apart && !visit(i, j) {
                return;
            }
        }
    }
}

/// Pairs that may be the closest, with a safe lower bound on their distance, sorted by it.
fn candidates(a: &[Boxed], b: &[Boxed]) -> Vec<(f64, (u32, u32))> {
    let mut upper = f64::INFINITY;
    let mut kept = Vec::new();
    for (i, of_a) in a.iter().enumerate() {
        for (j, of_b) in b.iter().enumerate() {
            if box_distance(of_a, of_b) > upper {
                continue;
            }
            let bounds = closest::bounds(&of_a.triangle, &of_b.triangle);
            if bounds.lower <= upper {
                upper = upper.min(bounds.upper);
                kept.push((bounds.lower, (i as u32, j as u32)));
            }
        }
        kept.retain(|(lower, _)| *lower <= upper);
    }
    kept.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    kept
}

/// A lower bound on the distance of the boxes; 0 where the squares leave the range of doubles.
fn box_distance(a: &Boxed, b: &Boxed) -> f64 {
    let square: f64 = (0..3)
        .map(|axis| {
            let gap = (a.low[axis] - b.high[axis]).max(b.low[axis] - a.high[axis]).max(0.0);
            gap * gap
        })
        .sum();
    if square.is_finite() && square > 1e-200 { square.sqrt() * (1.0 - 1e-14) } else { 0.0 }
}

/// Collision by exact brute force, for paths through small meshes.
pub fn exact_collision<'m>(a: &'m Soup, b: &'m Soup) -> Collision<'m> {
    Box::new(move |pose| {
        let (rotation, translation) = pose.a_from_b();
        collides(a, b, &rotation, &translation)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::{IDENTITY, pose_point};
    use crate::rng::Rng;

    fn random_soup(rng: &mut Rng, count: u32, size: f64) -> Soup {
        let mut soup = Soup::default();
        for index in 0..count {
            let center = rng.point(-1.0, 1.0);
            for _ in 0..3 {
                let offset = rng.point(-size, size);
                soup.push_vertex(std::array::from_fn(|axis| center[axis] + offset[axis]));
            }
            soup.triangles.push([3 * index, 3 * index + 1, 3 * index + 2]);
        }
        soup
    }

    #[test]
    fn agrees_with_the_plain_double_loop() {
        let mut rng = Rng::new(51);
        let (mut touching, mut apart) = (0, 0);
        for _ in 0..40 {
            let (a, b) = (random_soup(&mut rng, 12, 0.3), random_soup(&mut rng, 9, 0.3));
            let (rotation, translation) = (rng.rotation(), rng.point(-0.8, 0.8));
            let (mut pairs, mut squares) = (Vec::new(), Vec::new());
            for (i, on_a) in a.corners().enumerate() {
                for (j, on_b) in b.corners().enumerate() {
                    let on_b = on_b.map(|p| pose_point(&rotation, &translation, p));
                    squares.push((squared_distance(&on_a, &on_b), (i as u32, j as u32)));
                    if intersects(&on_a, &on_b) {
                        pairs.push((i as u32, j as u32));
                    }
                }
            }
            let nearest = min_squared_distance(&a, &b, &rotation, &translation).unwrap();
            let expected = squares.into_iter().min().unwrap();
            assert_eq!((nearest.squared.clone(), nearest.pair), expected);
            assert_eq!(collides(&a, &b, &rotation, &translation), !pairs.is_empty());
            assert_eq!(nearest.squared.is_zero(), !pairs.is_empty());
            assert!(within(&a, &b, &rotation, &translation, nearest.distance.high));
            if nearest.distance.low < nearest.distance.high {
                assert!(!within(&a, &b, &rotation, &translation, nearest.distance.low));
                assert!(margin(&a, &b, &rotation, &translation) > 0.0);
            }
            *(if pairs.is_empty() { &mut apart } else { &mut touching }) += 1;
            assert_eq!(colliding_pairs(&a, &b, &rotation, &translation), pairs);
        }
        assert!(touching >= 8 && apart >= 8, "{touching} {apart}");
    }

    #[test]
    fn empty_and_extreme_soups() {
        let mut rng = Rng::new(52);
        let soup = random_soup(&mut rng, 3, 0.5);
        assert!(min_squared_distance(&soup, &Soup::default(), &IDENTITY, &[0.0; 3]).is_none());
        assert!(!within(&soup, &Soup::default(), &IDENTITY, &[0.0; 3], f64::INFINITY));
        let huge = soup.scaled(1e300);
        let nearest = min_squared_distance(&huge, &huge, &IDENTITY, &[1e305, 0.0, 0.0]).unwrap();
        assert!(nearest.distance.low > 9.9e304 && nearest.distance.high < 1e305);
        assert_eq!(margin(&huge, &huge, &IDENTITY, &[0.0; 3]), 0.0);
    }
}
