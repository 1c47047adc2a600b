//! The corners and faces of a k-DOP, exactly as its planes say (k-DOP paper, §3.3.4 footnote 4 and
//! §4.1).
//!
//! The paper finds them by the convex hull of the dual points, which does not exist for flat
//! k-DOPs. Here the box is cut by one slab plane after the other, and which corners a plane cuts
//! off is decided exactly: normals are small integers, so the decision is the sign of a sum of four
//! doubles with small integer factors.
//!
//! A corner that lies *on* a plane is kept. That is what would happen if each plane in turn were
//! moved outwards by a distance that is vanishing, yet much larger than those of the planes before
//! it. Such planes are in general position whatever the k-DOP, and enclose a body with an inside.
//! So in every case, flat, segment and point included, each corner lies on exactly three planes,
//! the cuts never meet a special case, and nothing of the k-DOP is lost.

use super::KDop;
use crate::volume::Measure;
use crate::volume::expansion::{halves, sign_of_sum, two_sum};
use arrayvec::ArrayVec;
use glam::DVec3;
use std::cmp::Ordering;

/// Most planes of any k-DOP.
const PLANES: usize = 98;

/// A half-space `normal · x <= offset`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    /// Small integers: sums of products of three of their coordinates are exact.
    pub(super) normal: DVec3,
    offset: f64,
}

/// The planes of a k-DOP: upper and lower end of one slab after the other.
pub(super) fn planes<const N: usize>(volume: &KDop<N>) -> ArrayVec<Plane, PLANES> {
    (0..N)
        .flat_map(|slab| {
            let normal = KDop::<N>::DIRECTIONS[slab];
            [Plane { normal, offset: volume.high[slab] }, Plane { normal: -normal, offset: -volume.low[slab] }]
        })
        .collect()
}

/// Where three planes meet.
#[derive(Debug, Clone, Copy)]
struct Corner {
    /// Counter-clockwise seen from outside: the determinant of their normals is positive.
    planes: [u8; 3],
    /// `next[i]` is the corner at the other end of the edge that leaves plane `planes[i]`.
    next: [u16; 3],
    /// Correct to two units in the last place.
    point: DVec3,
}

/// The boundary of a k-DOP: its corners, each on three planes and with three neighbours.
///
/// Corners may coincide, and faces may have no area, where more than three planes meet.
#[derive(Debug, Clone)]
pub(super) struct Brep {
    planes: ArrayVec<Plane, PLANES>,
    corners: Vec<Corner>,
}

impl Brep {
    /// `None` if the slabs have no common point; a k-DOP that was fitted to something has one.
    pub(super) fn new<const N: usize>(volume: &KDop<N>) -> Option<Self> {
        let planes = planes(volume);
        if (0..3).any(|axis| volume.low[axis] > volume.high[axis]) {
            return None;
        }
        let corners = box_corners(&volume.low, &volume.high);
        let mut brep = Self { planes, corners };
        let mut cut = Cut::default();
        for plane in 6..2 * N {
            brep.cut(plane as u8, &mut cut);
            if brep.corners.is_empty() {
                return None;
            }
        }
        Some(brep)
    }

    /// The corner points; some may be equal.
    pub(super) fn points(&self) -> impl Iterator<Item = DVec3> + '_ {
        // Zeros are positive, whichever way they came about.
        self.corners.iter().map(|corner| corner.point + DVec3::ZERO)
    }

    /// The planes that meet in each corner.
    pub(super) fn triples(&self) -> impl Iterator<Item = [u8; 3]> + '_ {
        self.corners.iter().map(|corner| corner.planes)
    }

    /// The corner farthest along `direction`.
    pub(super) fn farthest(&self, direction: DVec3) -> DVec3 {
        let along = |point: DVec3| point.dot(direction);
        self.points().reduce(|best, point| if along(point) > along(best) { point } else { best }).unwrap_or(DVec3::ZERO)
    }

    /// Removes what lies beyond a plane.
    fn cut(&mut self, plane: u8, cut: &mut Cut) {
        cut.start(self.corners.iter().map(|corner| self.is_beyond(corner, plane)));
        if !cut.beyond.contains(&true) {
            return;
        }
        for id in 0..self.corners.len() {
            if !cut.beyond[id] {
                for side in 0..3 {
                    if cut.beyond[usize::from(self.corners[id].next[side])] {
                        self.cross(id, side, plane, cut);
                    }
                }
            }
        }
        self.drop_beyond(cut);
    }

    /// Adds the corner where the edge of corner `id` that leaves its plane `side` meets the cutting
    /// plane.
    fn cross(&mut self, id: usize, side: usize, plane: u8, cut: &mut Cut) {
        let old = self.corners[id];
        // Along the edge the cutting plane takes the place of the plane that is left, facing the
        // other way: hence the swap.
        let planes = [old.planes[(side + 2) % 3], old.planes[(side + 1) % 3], plane];
        let new = self.corners.len() as u16;
        self.corners[id].next[side] = new;
        let mut next = [0, 0, id as u16];
        for slot in 0..2 {
            // The edge that leaves planes[slot] lies on the other old plane, which the cut crosses
            // in exactly one other place.
            let shared = usize::from(planes[1 - slot]);
            match cut.waiting[shared].take() {
                None => cut.waiting[shared] = Some((new, slot)),
                Some((other, other_slot)) => {
                    next[slot] = other;
                    self.corners[usize::from(other)].next[other_slot] = new;
                }
            }
        }
        let point = meet(planes.map(|plane| self.planes[usize::from(plane)]));
        self.corners.push(Corner { planes, next, point });
        cut.beyond.push(false);
    }

    /// Removes the marked corners and renumbers the rest.
    fn drop_beyond(&mut self, cut: &mut Cut) {
        cut.renumbered.clear();
        let mut kept = 0;
        for &beyond in &cut.beyond {
            cut.renumbered.push(kept);
            kept += u16::from(!beyond);
        }
        let mut beyond = cut.beyond.iter();
        self.corners.retain(|_| beyond.next() == Some(&false));
        for corner in &mut self.corners {
            corner.next = corner.next.map(|id| cut.renumbered[usize::from(id)]);
        }
    }

    /// Does the corner lie strictly beyond the plane? Exact, in three stages.
    #[inline]
    fn is_beyond(&self, corner: &Corner, plane: u8) -> bool {
        let Plane { normal, offset } = self.planes[usize::from(plane)];
        let terms = normal * corner.point;
        let excess = terms.element_sum() - offset;
        // Products with 0, 1 and 2 are exact. The point is off by two half-ulps, the sum by two
        // more: 4 half-ulps of the terms together (6 allowed), and a few denormals. The difference
        // keeps its sign.
        if excess.abs() > 3.0 * f64::EPSILON * terms.abs().element_sum() + 1e3 * f64::from_bits(1) {
            return excess > 0.0;
        }
        self.is_beyond_exactly(corner.planes, normal, offset)
    }

    /// With the corner as a quotient of determinants: the sign of `Σ [n, q, r] β_p - [p, q, r] β`,
    /// where every bracket is an integer below 128.
    #[cold]
    fn is_beyond_exactly(&self, planes: [u8; 3], normal: DVec3, offset: f64) -> bool {
        let [p, q, r] = planes.map(|plane| self.planes[usize::from(plane)]);
        let (qr, rp, pq) = (q.normal.cross(r.normal), r.normal.cross(p.normal), p.normal.cross(q.normal));
        let factors = [normal.dot(qr), normal.dot(rp), normal.dot(pq), -pq.dot(r.normal)];
        let halves = [p.offset, q.offset, r.offset, offset].map(halves);
        let (mut sum, mut rest, mut magnitude) = (0.0, 0.0, 0.0);
        for (factor, (high, low)) in factors.into_iter().zip(halves) {
            let (rounded, error) = two_sum(sum, factor * high);
            sum = rounded;
            rest += error + factor * low;
            magnitude += (factor * high).abs();
        }
        let excess: f64 = sum + rest;
        // Only `rest`, at most 2^-44 of the magnitudes, was summed with rounding, eight times.
        if excess.abs() > 1e-28 * magnitude + f64::from_bits(16) {
            return excess > 0.0;
        }
        let terms = factors.into_iter().zip(halves).flat_map(|(factor, (high, low))| [factor * high, factor * low]);
        sign_of_sum(terms) == Ordering::Greater
    }

    /// Volume and surface in units of `unit`, so that neither overflows: faces as fans of
    /// triangles, the volume as tetrahedra about the middle.
    pub(super) fn measure(&self, unit: f64) -> Measure {
        let share = 1.0 / self.corners.len() as f64;
        let middle = self.points().fold(DVec3::ZERO, |sum, point| sum + point * share);
        let points: Vec<DVec3> = self.points().map(|point| (point - middle) / unit).collect();
        let mut walked = [false; PLANES];
        let mut measure = Measure { volume: 0.0, surface: 0.0 };
        for id in 0..self.corners.len() {
            for side in 0..3 {
                let plane = usize::from(self.corners[id].planes[side]);
                if !std::mem::replace(&mut walked[plane], true) {
                    let doubled = self.doubled_area(id, side, &points);
                    let area = 0.5 * doubled.dot(self.planes[plane].normal.normalize());
                    measure.surface += area.max(0.0);
                    measure.volume += doubled.dot(points[id]) / 6.0;
                }
            }
        }
        measure.volume = measure.volume.max(0.0);
        measure
    }

    /// Twice the area of the face that corner `id` has on its plane `side`, as a vector along the
    /// normal.
    fn doubled_area(&self, id: usize, side: usize, points: &[DVec3]) -> DVec3 {
        let (mut doubled, mut at, mut side) = (DVec3::ZERO, id, side);
        let plane = self.corners[id].planes[side];
        // A face has no more corners than there are. Where rounding has spoilt what is next to
        // what, the walk ends all the same: an area that is off costs time and no truth.
        for _ in 0..self.corners.len() {
            let corner = &self.corners[at];
            // Leaving the plane after this one in the cycle, the edge runs counter-clockwise on
            // this plane and the one before it.
            let next = usize::from(corner.next[(side + 1) % 3]);
            doubled += (points[at] - points[id]).cross(points[next] - points[id]);
            if next == id {
                break;
            }
            at = next;
            side = self.corners[at].planes.iter().position(|&other| other == plane).unwrap_or(0);
        }
        doubled
    }
}

/// The point where three planes meet, correct to two units in the last place (and a few denormals):
/// the sums are compensated, so that only the last addition and the division round.
pub(super) fn meet([p, q, r]: [Plane; 3]) -> DVec3 {
    let (qr, rp, pq) = (q.normal.cross(r.normal), r.normal.cross(p.normal), p.normal.cross(q.normal));
    let determinant = pq.dot(r.normal);
    debug_assert!(determinant > 0.0, "{p:?} {q:?} {r:?}: {determinant}");
    let offsets = [p.offset, q.offset, r.offset].map(halves);
    let coordinate = |factors: [f64; 3]| {
        let (mut sum, mut rest) = (0.0, 0.0);
        for (factor, (high, low)) in factors.into_iter().zip(offsets) {
            let (rounded, error) = two_sum(sum, factor * high);
            sum = rounded;
            rest += error + factor * low;
        }
        (sum + rest) / determinant
    };
    let point = [[qr.x, rp.x, pq.x], [qr.y, rp.y, pq.y], [qr.z, rp.z, pq.z]].map(coordinate);
    DVec3::from_array(point) + DVec3::ZERO
}

/// Working memory of a cut.
#[derive(Debug)]
struct Cut {
    beyond: Vec<bool>,
    /// For each plane: the new corner on it whose neighbour across the cut is not known yet, and
    /// the place to note it.
    waiting: [Option<(u16, usize)>; PLANES],
    renumbered: Vec<u16>,
}

impl Default for Cut {
    fn default() -> Self {
        Self { beyond: Vec::new(), waiting: [None; PLANES], renumbered: Vec::new() }
    }
}

impl Cut {
    fn start(&mut self, beyond: impl Iterator<Item = bool>) {
        self.beyond.clear();
        self.beyond.extend(beyond);
    }
}

/// Corner `i` has the upper end along the axes whose bit is set in `i`.
fn box_corners(low: &[f64], high: &[f64]) -> Vec<Corner> {
    let corner = |i: usize| {
        let upper = [i & 1 != 0, i & 2 != 0, i & 4 != 0];
        let plane = |axis: usize| 2 * axis as u8 + u8::from(!upper[axis]);
        let end = |axis: usize| if upper[axis] { high[axis] } else { low[axis] };
        let other_end = |axis: usize| (i ^ 1 << axis) as u16;
        // A mirrored corner lists two of its planes the other way round.
        let order = if i.count_ones() % 2 == 1 { [0, 1, 2] } else { [1, 0, 2] };
        Corner { planes: order.map(plane), next: order.map(other_end), point: DVec3::new(end(0), end(1), end(2)) }
    };
    (0..8).map(corner).collect()
}

#[cfg(test)]
#[path = "brep_tests.rs"]
mod tests;
