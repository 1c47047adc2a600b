//! Corners of a k-DOP from a list of plane triples, with a proof that none is missing.
//!
//! Finding the corners means cutting a box by every plane, with exact decisions ([`super::brep`]).
//! Checking a list of them is far cheaper, because nothing need be known about which corner is cut
//! off by which plane. By weak duality, no point of the k-DOP lies farther along a direction than
//! the point where three of its planes meet, if the direction is a non-negative combination of
//! their normals. So the listed points enclose the k-DOP if the cones of their normals hold every
//! direction. And they do if they form a closed surface without folds around the origin: each
//! cone's normals turn the same way, and each side of a cone is the side, the other way round, of
//! exactly one other cone. Then every direction is covered as often as any other, and one is.

use super::KDop;
use super::brep::{Brep, Plane, meet, planes};
use glam::DVec3;

/// Most planes of any k-DOP.
const PLANES: usize = 98;

/// The triples of planes that meet in the corners.
pub(super) fn list<const N: usize>(volume: &KDop<N>) -> Vec<[u8; 3]> {
    Brep::new(volume).map_or(Vec::new(), |brep| brep.triples().collect())
}

/// The points where they meet, if they are certain to enclose the k-DOP, and are no farther away
/// than its corners can be.
pub(super) fn corners<const N: usize>(volume: &KDop<N>, triples: &[[u8; 3]]) -> Option<Vec<DVec3>> {
    let planes = planes(volume);
    let mut sides = Sides::default();
    let mut points = Vec::with_capacity(triples.len());
    let (low, high) = (DVec3::from_slice(&volume.low), DVec3::from_slice(&volume.high));
    let rounding = 1e-9 * low.abs().max(high.abs()).max_element();
    for &triple in triples {
        let known = triple.iter().all(|&plane| usize::from(plane) < planes.len());
        let [p, q, r]: [Plane; 3] = if known { triple.map(|plane| planes[usize::from(plane)]) } else { return None };
        let turns_left = p.normal.cross(q.normal).dot(r.normal) > 0.0;
        if !(turns_left && sides.add(triple)) {
            return None;
        }
        let point = meet([p, q, r]);
        if !(point.cmpge(low - rounding).all() && point.cmple(high + rounding).all()) {
            return None;
        }
        points.push(point);
    }
    (!points.is_empty() && sides.are_closed()).then_some(points)
}

/// For each plane, the planes that follow it around a corner, a bit each.
struct Sides([u128; PLANES]);

impl Default for Sides {
    fn default() -> Self {
        Self([0; PLANES])
    }
}

impl Sides {
    /// Adds the three sides of a cone; false if one is there already.
    fn add(&mut self, [p, q, r]: [u8; 3]) -> bool {
        [(p, q), (q, r), (r, p)].into_iter().all(|(from, to)| {
            let (row, bit) = (&mut self.0[usize::from(from)], 1_u128 << to);
            let is_new = *row & bit == 0;
            *row |= bit;
            is_new
        })
    }

    /// Is every side there the other way round, too?
    fn are_closed(&self) -> bool {
        self.0.iter().enumerate().all(|(from, &row)| {
            let mut rest = row;
            while rest != 0 {
                let to = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if self.0[to] >> from & 1 == 0 {
                    return false;
                }
            }
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Triangle;
    use crate::volume::BoundingVolume;
    use nearhit_testkit::rng::Rng;

    fn fitted<const N: usize>(rng: &mut Rng, flat: f64) -> KDop<N> {
        let corner = |rng: &mut Rng| DVec3::from_array(rng.point(-1.0, 1.0)) * DVec3::new(1.0, 1.0, flat);
        let triangles: Vec<Triangle> = (0..4).map(|_| [(); 3].map(|()| corner(rng))).collect();
        KDop::fit(&triangles)
    }

    fn what_is_listed_is_restored<const N: usize>() {
        let mut rng = Rng::new(31);
        for flat in [1.0, 1.0, 0.01, 0.0] {
            let volume = fitted::<N>(&mut rng, flat);
            assert_eq!(corners(&volume, &list(&volume)), Some(volume.corners()));
        }
    }

    #[test]
    fn every_list_restores_the_corners() {
        what_is_listed_is_restored::<3>();
        what_is_listed_is_restored::<7>();
        what_is_listed_is_restored::<13>();
        what_is_listed_is_restored::<49>();
    }

    /// Any change to a list is refused, or its points reach as far as the corners in every
    /// direction.
    #[test]
    fn no_list_that_is_accepted_leaves_something_out() {
        let mut rng = Rng::new(32);
        let (mut accepted, mut refused) = (0, 0);
        for round in 0..3000 {
            let volume = fitted::<13>(&mut rng, if round % 3 == 0 { 0.0 } else { 1.0 });
            let mut triples = list(&volume);
            match round % 5 {
                0 => drop(triples.remove(rng.below(triples.len()))),
                1 => triples.push(triples[rng.below(triples.len())]),
                2 => {
                    let at = rng.below(triples.len());
                    triples[at][rng.below(3)] = rng.below(26) as u8;
                }
                3 => {
                    let (i, j) = (rng.below(triples.len()), rng.below(26) as u8);
                    let old = triples[i][0];
                    triples.iter_mut().flatten().filter(|plane| **plane == old).for_each(|plane| *plane = j);
                }
                // The box alone: right, but larger.
                _ => triples = list(&KDop::<3>::fit(&[[DVec3::ZERO, DVec3::ONE, DVec3::X]])),
            }
            let Some(points) = corners(&volume, &triples) else {
                refused += 1;
                continue;
            };
            accepted += 1;
            for _ in 0..50 {
                let direction = DVec3::from_array(rng.unit_vector());
                let reach = |points: &[DVec3]| points.iter().map(|p| p.dot(direction)).fold(f64::MIN, f64::max);
                assert!(reach(&points) >= reach(&volume.corners()) - 1e-14, "round {round}: {triples:?}");
            }
        }
        assert!(accepted > 300 && refused > 1000, "{accepted} {refused}");
    }
}
