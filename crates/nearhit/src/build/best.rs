//! The best place to cut along a direction: all of them, or a sample (k-DOP paper, §3.3.4, end).

use super::fitting::Fitting;
use super::split::{Cost, Item};
use crate::mesh::{Mesh, Triangle};
use glam::DVec3;
use std::ops::Range;

/// Sorts `items` along `direction` and returns the best place to cut; 0 if there is none because
/// all centroids coincide along it. Items are grouped between neighbouring places first.
pub(super) fn cut(
    (mesh, fitting): (&Mesh, &dyn Fitting),
    direction: DVec3,
    candidates: usize,
    cost: Cost,
    items: &mut [Item],
) -> usize {
    let along = |item: &Item| direction.dot(item.centroid);
    items.sort_unstable_by(|p, q| along(p).total_cmp(&along(q)).then(p.id.cmp(&q.id)));
    let positions: Vec<f64> = items.iter().map(along).collect();
    let groups = groups(&positions, candidates.max(1));
    let triangles: Vec<Triangle> = items.iter().map(|item| mesh.triangle(item.id)).collect();
    let sides = fitting.costs_of_sides(&triangles, &groups, cost, fitting.size(&triangles));
    let mut best = (f64::INFINITY, 0);
    for (place, [left, right]) in groups.iter().skip(1).map(|group| group.start).zip(sides) {
        let cost = left * place as f64 + right * (items.len() - place) as f64;
        if cost < best.0 {
            best = (cost, place);
        }
    }
    best.1
}

/// Runs of sorted positions between the places to try. Equal positions stay together.
fn groups(positions: &[f64], candidates: usize) -> Vec<Range<usize>> {
    let (low, high) = (positions[0], positions[positions.len() - 1]);
    let everywhere = candidates >= positions.len() - 1;
    let bin = |position: f64| {
        let share = (position * 0.5 - low * 0.5) / (high * 0.5 - low * 0.5);
        (share * (candidates + 1) as f64) as usize
    };
    let starts_group = |i: usize| {
        let (before, here) = (positions[i - 1], positions[i]);
        if everywhere { before < here } else { bin(before).min(candidates) < bin(here).min(candidates) }
    };
    let mut groups = Vec::new();
    let mut start = 0;
    for i in 1..positions.len() {
        if starts_group(i) {
            groups.push(start..i);
            start = i;
        }
    }
    groups.push(start..positions.len());
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::fitting::FittingOf;
    use crate::volume::aabb::Aabb;
    use crate::volume::obb::Obb;

    #[test]
    fn places_are_between_different_positions() {
        assert_eq!(groups(&[1.0, 1.0, 2.0, 3.0, 3.0], 9), [0..2, 2..3, 3..5]);
        assert_eq!(groups(&[1.0, 1.0, 1.0], 9).len(), 1);
        assert_eq!(groups(&[1.0, 1.0, 1.0], 1).len(), 1);
        assert_eq!(groups(&[0.0, 0.1, 0.2, 0.9, 1.0], 1), [0..3, 3..5]);
        assert_eq!(groups(&[-1e300, 0.9e300, 1e300], 1), [0..1, 1..3]);
    }

    /// Two clumps of unequal size with a gap: neither the mean nor the median cuts there.
    #[test]
    fn the_gap_between_clumps_is_found() {
        let corner = |i: u32, j: u32| {
            let x = if i < 3 { f64::from(i) } else { 100.0 + f64::from(i) };
            [x + 0.5 * f64::from(j % 2), f64::from(j / 2), 0.1 * f64::from(i)]
        };
        let vertices: Vec<[f64; 3]> = (0..60).map(|i| corner(i / 3, i % 3)).collect();
        let triangles: Vec<[u32; 3]> = (0..20).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mesh = Mesh::new(&vertices, &triangles).expect("a mesh");
        for candidates in [4, 16, 1000] {
            for cost in [Cost::Volume, Cost::Surface] {
                let mut items: Vec<Item> = (0..20).map(|id| Item { id, centroid: mesh.triangle(id)[0] }).collect();
                // One can be merged, the other not.
                for fitting in [&FittingOf::<Aabb>::NEW as &dyn Fitting, &FittingOf::<Obb>::NEW] {
                    assert_eq!(cut((&mesh, fitting), DVec3::X, candidates, cost, &mut items), 3);
                }
            }
        }
    }
}
