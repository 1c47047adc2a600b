//! Solids against the surfaces of triangle soups, triangle by triangle.

use super::distance::{Certified, distance_bracket};
use super::sample::reach;
use super::solid::{Core, Solid};
use super::touch::flat_solids_touch;
use crate::{Point, Soup};

/// Bounds on the distance of a solid from the triangles of a soup, as [`distance_bracket`] gives
/// for each; `None` of an empty soup.
pub fn soup_distance(soup: &Soup, solid: &Solid, bits: usize) -> Option<Certified> {
    let mut order: Vec<(f64, usize)> = {
        let bounds = bounding_box(solid);
        (0..soup.triangles.len()).map(|index| (box_gap(&bounds, &soup.triangle(index)), index)).collect()
    };
    order.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut best: Option<Certified> = None;
    for (gap, index) in order {
        if best.as_ref().is_some_and(|best| best.doubles()[1] < gap) {
            break;
        }
        let found = distance_bracket(&triangle(soup, index), solid, bits);
        best = Some(match best {
            Some(best) => Certified { lower: best.lower.min(found.lower), upper: best.upper.min(found.upper) },
            None => found,
        });
    }
    best
}

/// The triangles that share a point with a solid whose core is flat, in order; `None` for a curved
/// one.
pub fn soup_contacts(soup: &Soup, solid: &Solid) -> Option<Vec<usize>> {
    let bounds = bounding_box(solid);
    let mut found = Vec::new();
    for index in 0..soup.triangles.len() {
        // Curved solids are found out by the first triangle, near or far.
        let near = index == 0 || box_gap(&bounds, &soup.triangle(index)) <= 0.0;
        if near && flat_solids_touch(&triangle(soup, index), solid)? {
            found.push(index);
        }
    }
    Some(found)
}

fn triangle(soup: &Soup, index: usize) -> Solid {
    Solid { core: Core::Points(soup.triangle(index).to_vec()), margin: 0.0 }
}

/// Around the solid, rounded outwards; endless for a half-space.
fn bounding_box(solid: &Solid) -> [Point; 2] {
    let end = |axis: usize, side: f64| {
        let mut direction = [0.0; 3];
        direction[axis] = side;
        reach(solid, direction).map_or(f64::INFINITY, |bounds| bounds.doubles()[1])
    };
    [std::array::from_fn(|axis| -end(axis, -1.0)), std::array::from_fn(|axis| end(axis, 1.0))]
}

/// Not above the distance of a triangle and a box; not positive when their boxes overlap.
fn box_gap([low, high]: &[Point; 2], corners: &[Point; 3]) -> f64 {
    (0..3)
        .map(|axis| {
            let least = corners.iter().map(|corner| corner[axis]).fold(f64::INFINITY, f64::min);
            let most = corners.iter().map(|corner| corner[axis]).fold(f64::NEG_INFINITY, f64::max);
            // A difference that is not zero may round up, but never from zero or below.
            let gap = (low[axis] - most).max(least - high[axis]);
            if gap > 0.0 { gap.next_down() } else { gap }
        })
        .fold(f64::NEG_INFINITY, f64::max)
}
