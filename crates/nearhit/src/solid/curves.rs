//! From what pairs of triangles share to curves: ends that are the same point are joined, and
//! chains are followed.

use crate::inside::Joined;
use crate::primitive::overlap::Overlap;
use glam::DVec3;
use std::collections::HashMap;

/// Intersection curve of two surfaces, as a chain of points.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Curve {
    /// In order along it. A single one where the surfaces touch in a point.
    pub points: Vec<DVec3>,
    /// Does it lead back to its first point, which is not repeated?
    pub is_closed: bool,
}

impl Curve {
    /// Its length.
    #[must_use]
    pub fn length(&self) -> f64 {
        let steps: f64 = self.points.windows(2).map(|step| (step[1] - step[0]).length()).sum();
        match (self.is_closed, self.points.as_slice()) {
            (true, [first, .., last]) => steps + (*first - *last).length(),
            _ => steps,
        }
    }
}

/// What all pairs share, joined where it meets.
#[derive(Debug)]
pub(super) struct Web {
    /// Places, numbered in the order in which the pairs show them.
    places: Vec<DVec3>,
    /// For each connected part, in the order of its first place: its edges, each once, as numbers
    /// of places.
    parts: Vec<Part>,
    /// For each pair its part.
    pub(super) part_of: Vec<usize>,
}

#[derive(Debug, Default)]
struct Part {
    first: u32,
    edges: Vec<[u32; 2]>,
}

impl Web {
    /// `overlaps` in the order of the pairs; ends nearer than `tolerance` are one point.
    pub(super) fn new(overlaps: &[Overlap], tolerance: f64) -> Self {
        let ends: Vec<DVec3> = overlaps.iter().flat_map(|overlap| overlap.points().iter().copied()).collect();
        let place_of = welded(&ends, tolerance);
        let mut places = Vec::new();
        for (&end, &place) in ends.iter().zip(&place_of) {
            if place as usize == places.len() {
                places.push(end);
            }
        }
        let edges = edges(overlaps, &place_of);
        let mut joined = Joined::new(places.len());
        let mut first_of_pair = Vec::with_capacity(overlaps.len());
        let mut at = 0;
        for overlap in overlaps {
            let own = &place_of[at..at + overlap.points().len()];
            own.windows(2).for_each(|pair| joined.join(pair[0], pair[1]));
            first_of_pair.push(own.first().copied().unwrap_or(0));
            at += own.len();
        }
        let mut parts: Vec<Part> = Vec::new();
        let mut part_of_root = HashMap::new();
        for place in 0..places.len() as u32 {
            part_of_root.entry(joined.root(place)).or_insert_with(|| {
                parts.push(Part { first: place, edges: Vec::new() });
                parts.len() - 1
            });
        }
        for edge in edges {
            parts[part_of_root[&joined.root(edge[0])]].edges.push(edge);
        }
        let part_of = first_of_pair.iter().map(|&place| part_of_root[&joined.root(place)]).collect();
        Self { places, parts, part_of }
    }

    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The chains of a part. Where three or more edges meet, chains end.
    pub(super) fn curves(&self, part: usize) -> Vec<Curve> {
        let Part { first, edges } = &self.parts[part];
        if edges.is_empty() {
            return vec![Curve { points: vec![self.places[*first as usize]], is_closed: false }];
        }
        let mut around: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, edge) in edges.iter().enumerate() {
            edge.iter().for_each(|&end| around.entry(end).or_default().push(index));
        }
        let mut used = vec![false; edges.len()];
        let mut curves = Vec::new();
        // First the chains that begin at an end or a branch, then what is left: loops.
        let begins = |end: u32| around[&end].len() != 2;
        let open = edges.iter().enumerate().flat_map(|(index, edge)| edge.map(|end| (index, end)));
        let open: Vec<(usize, u32)> = open.filter(|&(_, end)| begins(end)).collect();
        let loops = edges.iter().enumerate().map(|(index, edge)| (index, edge[0]));
        for (index, start) in open.into_iter().chain(loops) {
            if used[index] {
                continue;
            }
            let (mut chain, mut next) = (vec![start], Some(index));
            while let Some(edge) = next {
                used[edge] = true;
                let at = chain[chain.len() - 1];
                let end = if edges[edge][0] == at { edges[edge][1] } else { edges[edge][0] };
                chain.push(end);
                next = if begins(end) { None } else { around[&end].iter().copied().find(|&edge| !used[edge]) };
            }
            let is_closed = chain.len() > 2 && chain.last() == chain.first();
            if is_closed {
                chain.pop();
            }
            curves.push(Curve { points: chain.iter().map(|&end| self.places[end as usize]).collect(), is_closed });
        }
        curves
    }
}

/// For each point a number, the same for points within the tolerance, counted in order of first
/// appearance.
fn welded(points: &[DVec3], tolerance: f64) -> Vec<u32> {
    // Along a direction that no ordinary plane or line is perpendicular to, few points are as close
    // as the tolerance.
    let key = |point: DVec3| point.dot(DVec3::new(0.548_13, 0.383_77, 0.743_19));
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_by(|&p, &q| key(points[p as usize]).total_cmp(&key(points[q as usize])).then(p.cmp(&q)));
    let mut joined = Joined::new(points.len());
    for (at, &one) in order.iter().enumerate() {
        let near = |other: &&u32| key(points[**other as usize]) - key(points[one as usize]) <= 2.0 * tolerance;
        for &other in order[at + 1..].iter().take_while(near) {
            if (points[one as usize] - points[other as usize]).abs().max_element() <= tolerance {
                joined.join(one, other);
            }
        }
    }
    let mut numbers = HashMap::new();
    (0..points.len() as u32)
        .map(|point| {
            let next = numbers.len() as u32;
            *numbers.entry(joined.root(point)).or_insert(next)
        })
        .collect()
}

/// The edges of all overlaps, each once, in order of first appearance. Where faces lie on each
/// other, edges between two patches are inside the common one, and left out.
fn edges(overlaps: &[Overlap], place_of: &[u32]) -> Vec<[u32; 2]> {
    let mut order = Vec::new();
    // How often an edge is a segment, and how often one of a patch.
    let mut uses: HashMap<[u32; 2], (u32, u32)> = HashMap::new();
    let mut at = 0;
    for overlap in overlaps {
        let own = &place_of[at..at + overlap.points().len()];
        at += own.len();
        let count = match own.len() {
            0 | 1 => 0,
            2 => 1,
            corners => corners,
        };
        for i in 0..count {
            let (from, to) = (own[i], own[(i + 1) % own.len()]);
            if from == to {
                continue;
            }
            let edge = [from.min(to), from.max(to)];
            let uses = uses.entry(edge).or_insert_with(|| {
                order.push(edge);
                (0, 0)
            });
            if own.len() == 2 { uses.0 += 1 } else { uses.1 += 1 }
        }
    }
    order.retain(|edge| uses[edge].0 > 0 || uses[edge].1 % 2 == 1);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(p: [f64; 2], q: [f64; 2]) -> Overlap {
        Overlap::Segment([DVec3::new(p[0], p[1], 0.0), DVec3::new(q[0], q[1], 0.0)])
    }

    /// A square loop given in disorder and with rounding, a chain with a branch, and a point.
    #[test]
    fn chains_loops_and_points() {
        let hair = 1e-15;
        let overlaps = [
            segment([0.0, 0.0], [1.0, 0.0]),
            segment([0.0, 1.0], [1.0 + hair, 1.0]),
            segment([1.0, hair], [1.0, 1.0]),
            segment([0.0, 0.0], [0.0, 1.0]),
            segment([5.0, 0.0], [6.0, 0.0]),
            segment([6.0, 0.0], [7.0, 0.0]),
            segment([7.0, 0.0], [8.0, 1.0]),
            segment([7.0, 0.0], [8.0, -1.0]),
            Overlap::Point(DVec3::new(9.0, 9.0, 9.0)),
        ];
        let web = Web::new(&overlaps, 1e-13);
        assert_eq!((web.len(), web.part_of.as_slice()), (3, [0, 0, 0, 0, 1, 1, 1, 1, 2].as_slice()));
        let square = web.curves(0);
        assert_eq!((square.len(), square[0].is_closed, square[0].points.len()), (1, true, 4));
        assert!((square[0].length() - 4.0).abs() < 1e-12);
        let branch = web.curves(1);
        assert_eq!(branch.iter().map(|curve| curve.points.len()).collect::<Vec<_>>(), [3, 2, 2]);
        assert_eq!(web.curves(2), [Curve { points: vec![DVec3::splat(9.0)], is_closed: false }]);
    }
}
