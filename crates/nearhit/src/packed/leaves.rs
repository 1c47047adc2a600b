//! Two leaves: which of their triangles are worth a look in double precision?
//!
//! The triangles are stored in single precision, so all 64 pairs are sifted without touching the
//! mesh: first by boxes along the axes of either leaf, then, eight pairs at a time, by the
//! triangles themselves.

use super::lane_pairs::LanePairs;
use super::lanes::{Lanes, Places, Simd, WIDTH};
use super::node::Leaf;
use super::open::{bounds, lanes};
use super::relation::{Between, Boxes, Relation, Single, permuted};
use super::triangles::{Corners, plane_gaps, squared_bounds};

/// Every triangle of one leaf against every triangle of the other.
#[inline(always)]
pub(super) fn sift<S: Simd, const CONTACT: bool>(
    (a, b): (&Leaf, &Leaf),
    between: &Between,
    limit: f32,
    found: &mut LanePairs,
) {
    let relation = Relation::new(&a.frame, &b.frame, between);
    if relation.whole::<CONTACT>(&a.frame, &b.frame) >= limit {
        return found.clear(0);
    }
    // In units of the size: products of several lengths neither overflow nor vanish.
    let unit = relation.size.max(1e-30);
    let inverse = 1.0 / unit;
    let scale = S::splat(inverse);
    let slack = S::splat(relation.slack * inverse * (1.0 + 4.0 * f32::EPSILON));
    let limit = if CONTACT { limit } else { (limit * inverse * inverse * (1.0 + 8.0 * f32::EPSILON)).next_up() };
    let (corners_a, corners_b) = (scaled::<S>(a, scale), relation.corners::<S>(b, scale));
    found.clear(a.count * b.count);
    sift_boxes::<S, CONTACT>((a, b), (&corners_a, &corners_b), &relation, (scale, slack), limit, found);
    let back = S::splat(unit * (1.0 - 8.0 * f32::EPSILON));
    let mut start = 0;
    while let Some(batch) = found.survivors.batch(start) {
        start += WIDTH;
        let (first, second) = (corners_of(&corners_a, batch.lanes_a), corners_of(&corners_b, batch.lanes_b));
        let known = S::load(batch.bounds);
        let top = S::splat(limit);
        let bounds = if CONTACT {
            plane_gaps(&first, &second, slack).max(known)
        } else {
            squared_bounds((&first, &second), slack, known, (top, batch.used))
        };
        let mask = bounds.below(top) & batch.used;
        found.kept.extend(mask, &bounds.mul(back).mul(back).store(), &batch);
    }
}

#[inline(always)]
fn scaled<S: Simd>(leaf: &Leaf, scale: S) -> Corners<S> {
    let [p, q, r] = &leaf.corners;
    [
        [S::load(&p[0]).mul(scale), S::load(&p[1]).mul(scale), S::load(&p[2]).mul(scale)],
        [S::load(&q[0]).mul(scale), S::load(&q[1]).mul(scale), S::load(&q[2]).mul(scale)],
        [S::load(&r[0]).mul(scale), S::load(&r[1]).mul(scale), S::load(&r[2]).mul(scale)],
    ]
}

/// Boxes along the axes of a, then of b.
#[inline(always)]
fn sift_boxes<S: Simd, const CONTACT: bool>(
    (a, b): (&Leaf, &Leaf),
    (corners_a, corners_b): (&Corners<S>, &Corners<S>),
    relation: &Relation,
    (scale, slack): (S, S),
    limit: f32,
    found: &mut LanePairs,
) {
    let (zero, top) = (S::splat(0.0), S::splat(limit));
    let (own_a, seen_b) = (Boxes::around(corners_a, zero), Boxes::around(corners_b, slack));
    // Leaves mostly meet with few of their triangles: each triangle against the box of the other
    // leaf first. (Unused lanes lie at the leaf's origin.)
    let used = bounds::<S, CONTACT>(&own_a.union(), &seen_b).below(top) & lanes(b.count);
    let mut rows = bounds::<S, CONTACT>(&seen_b.union(), &own_a).below(top) & lanes(a.count);
    if used == 0 {
        return;
    }
    let own_a = own_a.stored();
    let mut from_b: Option<(Boxes<S>, [[Lanes; 3]; 2])> = None;
    while rows != 0 {
        let lane_a = rows.trailing_zeros() as usize;
        rows &= rows - 1;
        let first = bounds::<S, CONTACT>(&Single::stored(&own_a, lane_a), &seen_b);
        if first.below(top) & used == 0 {
            continue;
        }
        if from_b.is_none() {
            let seen_a = Boxes::around(&relation.reversed().corners::<S>(a, scale), slack);
            from_b = Some((Boxes::around(&scaled::<S>(b, scale), zero), seen_a.stored()));
        }
        let Some((own_b, seen_a)) = &from_b else { continue };
        let bounds = first.max(bounds::<S, CONTACT>(&Single::stored(seen_a, lane_a), own_b));
        found.survivors.extend(lane_a, bounds.below(top) & used, &bounds.store());
    }
}

#[inline(always)]
fn corners_of<S: Simd>([p, q, r]: &Corners<S>, lanes: &Places) -> Corners<S> {
    [permuted(p, lanes), permuted(q, lanes), permuted(r, lanes)]
}
