//! Caps over the holes of a mesh. Where a surface has holes, inside and outside meet with nothing
//! in between: a ball that looks deep by its distance from the surface sticks out through the hole.
//! So caps count as surface when balls are chosen: they are where the winding number is one half,
//! found on a grid. (What is covered, and errors, are about the surface alone.)

use super::field::Depth;
use crate::model::Model;
use crate::parallel::*;
use crate::primitive::ray::Ray;
use crate::query::Scratch;
use glam::DVec3;

/// Points over the holes of a surface; none if it is closed.
#[derive(Debug, Clone, Default)]
pub(super) struct HoleCaps {
    points: Vec<DVec3>,
}

impl HoleCaps {
    /// From a grid of so many cells along the longest side.
    pub(super) fn new(model: &Model, cells: u32) -> Self {
        let vertices = model.mesh().vertices();
        let (low, high) = vertices.iter().fold((vertices[0], vertices[0]), |(l, h), &p| (l.min(p), h.max(p)));
        let step = (high - low).max_element() / f64::from(cells);
        if model.inside().is_exact() || step <= 0.0 {
            return Self::default();
        }
        let grid = Grid::new(low, high, step);
        let winding = |scratch: &mut Scratch, index: usize| {
            let found = model.contains(grid.at(index), scratch).expect("finite");
            found.winding.map(f64::abs)
        };
        let winding: Vec<Option<f64>> = (0..grid.count())
            .into_par_iter()
            .map_init(Scratch::new, |scratch, index| winding(scratch, index))
            .collect();
        let between = |scratch: &mut Scratch, one: usize, other: usize| {
            let [w, v] = [winding[one]?, winding[other]?];
            if (w > 0.5) == (v > 0.5) {
                return None;
            }
            let [p, q] = [one, other].map(|index| grid.at(index));
            let hit = model.first_hit(&Ray::between(p, q).ok()?, scratch);
            hit.is_none_or(|hit| hit.distance > step).then(|| p.lerp(q, (0.5 - w) / (v - w)))
        };
        let around = |scratch: &mut Scratch, index: usize| {
            let beside = grid.next(index).map(|other| between(scratch, index, other?));
            beside.into_iter().flatten().collect::<Vec<DVec3>>()
        };
        let points = (0..grid.count()).into_par_iter().map_init(Scratch::new, |scratch, index| around(scratch, index));
        Self { points: points.collect::<Vec<_>>().into_iter().flatten().collect() }
    }

    /// The depth of a point inside, where the cap is nearer than the surface.
    pub(super) fn limit(&self, depth: Depth) -> Depth {
        let mut limited = depth;
        let mut least = depth.distance * depth.distance;
        for &point in &self.points {
            let away = point.distance_squared(depth.at);
            if away < least {
                least = away;
                limited.nearest = point;
            }
        }
        if least < depth.distance * depth.distance {
            limited.distance = -least.sqrt();
        }
        limited
    }
}

/// Points in rows.
struct Grid {
    origin: DVec3,
    step: f64,
    counts: [usize; 3],
}

impl Grid {
    fn new(low: DVec3, high: DVec3, step: f64) -> Self {
        // Not where the faces of boxes are.
        let origin = low - DVec3::new(0.37, 0.41, 0.43) * step;
        let counts = ((high - low) / step).to_array().map(|count| count as usize + 3);
        Self { origin, step, counts }
    }

    fn count(&self) -> usize {
        self.counts.iter().product()
    }

    fn place(&self, index: usize) -> [usize; 3] {
        let [x, y, _] = self.counts;
        [index % x, index / x % y, index / (x * y)]
    }

    fn at(&self, index: usize) -> DVec3 {
        let [x, y, z] = self.place(index).map(|it| it as f64);
        self.origin + DVec3::new(x, y, z) * self.step
    }

    /// The next ones along each axis.
    fn next(&self, index: usize) -> [Option<usize>; 3] {
        let (place, [x, y, _]) = (self.place(index), self.counts);
        let stride = [1, x, x * y];
        [0, 1, 2].map(|axis| (place[axis] + 1 < self.counts[axis]).then_some(index + stride[axis]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;

    /// A cube without its lid at z = 1, or with it.
    fn cube(lid: bool) -> Model {
        let vertices: Vec<[f64; 3]> = (0..8u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
        let faces = [[0, 2, 3, 1], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6], [4, 5, 7, 6]];
        let triangles: Vec<[u32; 3]> =
            faces[..if lid { 6 } else { 5 }].iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Model::new(Mesh::new(&vertices, &triangles).expect("legal"))
    }

    #[test]
    fn what_is_closed_has_none() {
        assert!(HoleCaps::new(&cube(true), 20).points.is_empty());
    }

    #[test]
    fn an_open_lid_is_spanned() {
        let caps = HoleCaps::new(&cube(false), 20);
        // About one in each cell of the lid, and more where it is bent.
        assert!(caps.points.len() > 300, "{}", caps.points.len());
        assert!(caps.points.iter().all(|point| (0.5..1.4).contains(&point.z)), "{:?}", caps.points);
        let depth = |z: f64| {
            let at = DVec3::new(0.5, 0.5, z);
            caps.limit(Depth { at, distance: -0.5, nearest: DVec3::new(0.0, 0.5, z), triangle: 0 })
        };
        // Deep down the walls are nearer, at the opening the cap is.
        assert_eq!(depth(0.2).distance, -0.5);
        let limited = depth(0.7);
        assert!(limited.distance > -0.45 && limited.nearest.z > 0.7, "{limited:?}");
    }
}
