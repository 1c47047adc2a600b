//! Two leaves: which of their triangles are worth a look in double precision?
//!
//! The triangles are stored in single precision, so all 64 pairs are sifted without touching the
//! mesh: first by boxes along the axes of either leaf, then, eight pairs at a time, by the
//! triangles themselves.

use super::boxes::{Boxes, Single};
use super::facing::Facing;
use super::lane_pairs::LanePairs;
use super::lanes::{Lanes, Places, Simd, WIDTH};
use super::node::Leaf;
use super::open::{bounds, lanes};
use super::relation::{Relate, permuted};
use super::triangles::{Corners, Planes, squared_bounds};

/// Every triangle of one leaf against every triangle of the other.
#[inline(always)]
pub(super) fn sift<S: Simd, const CONTACT: bool>(
    (a, b): (&Leaf, &Leaf),
    facing: &impl Facing<S>,
    limit: f32,
    found: &mut LanePairs,
) {
    if !facing.may_matter::<CONTACT>(&a.frame, &b.frame, limit) {
        return found.clear(0);
    }
    found.clear(a.count * b.count);
    // In units of the size: products of several lengths neither overflow nor vanish.
    let unit = facing.size().max(1e-30);
    let inverse = 1.0 / unit;
    let slack = S::splat(facing.slack() * inverse * (1.0 + 4.0 * f32::EPSILON));
    if CONTACT {
        return touching::<S>((a, b), facing, (inverse, slack), limit, found);
    }
    let scale = S::splat(inverse);
    let limit = (limit * inverse * inverse * (1.0 + 8.0 * f32::EPSILON)).next_up();
    let (corners_a, corners_b) = (scaled::<S>(a, scale), facing.there().corners(b, scale));
    sift_boxes::<S>((a, b), (&corners_a, &corners_b), facing, (scale, slack), limit, found);
    let back = S::splat(unit * (1.0 - 8.0 * f32::EPSILON));
    let mut start = 0;
    while let Some(batch) = found.survivors.batch(start) {
        start += WIDTH;
        let (first, second) = (corners_of(&corners_a, batch.lanes_a), corners_of(&corners_b, batch.lanes_b));
        let top = S::splat(limit);
        let bounds = squared_bounds((&first, &second), slack, S::load(batch.bounds), (top, batch.used));
        let mask = bounds.below(top) & batch.used;
        found.kept.extend(mask, &bounds.mul(back).mul(back).store(), &batch);
    }
    found.triangles = found.survivors.count() as u32;
}

/// For questions of contact: by boxes along the axes of either leaf, then by the planes of the
/// triangles. One triangle of a against all of b at once, as for slots: pairs that are packed are
/// written one by one and read eight at a time, for which the CPU waits.
#[inline(always)]
fn touching<S: Simd>(
    (a, b): (&Leaf, &Leaf),
    facing: &impl Facing<S>,
    (inverse, slack): (f32, S),
    limit: f32,
    found: &mut LanePairs,
) {
    let (zero, top, scale) = (S::splat(0.0), S::splat(limit), S::splat(inverse));
    let (corners_a, corners_b) = (scaled::<S>(a, scale), facing.there().corners(b, scale));
    let (own_a, seen_b) = (Boxes::around(&corners_a, zero), Boxes::around(&corners_b, slack));
    // Leaves mostly meet with few of their triangles: each triangle against the box of the other
    // leaf first. (Unused lanes lie at the leaf's origin.)
    let used = Single::whole(&a.frame).scaled(inverse).largest_gaps(&seen_b).below(top) & lanes(b.count);
    let mut rows = facing.around_b().scaled(inverse).largest_gaps(&own_a).below(top) & lanes(a.count);
    if used == 0 || rows == 0 {
        return;
    }
    let (boxes_a, points_a) = (own_a.stored(), stored(&corners_a));
    // Only made if the view from a's frame leaves something.
    let mut from_b: Option<FromB<S>> = None;
    while rows != 0 {
        let lane_a = rows.trailing_zeros() as usize % WIDTH;
        rows &= rows - 1;
        let first = Single::stored(&boxes_a, lane_a).largest_gaps(&seen_b);
        if first.below(top) & used == 0 {
            continue;
        }
        if from_b.is_none() {
            let seen_a = Boxes::around(&facing.back().corners(a, scale), slack);
            let own_b = Boxes::around(&scaled::<S>(b, scale), zero);
            from_b = Some(FromB { own_b, seen_a: seen_a.stored(), planes: Planes::of(&corners_b, slack) });
        }
        let Some(view) = &from_b else { continue };
        let bounds = first.max(Single::stored(&view.seen_a, lane_a).largest_gaps(&view.own_b));
        let left = bounds.below(top) & used;
        if left == 0 {
            continue;
        }
        found.triangles += left.count_ones();
        let gaps = view.planes.gaps(&in_every_lane(&points_a, lane_a));
        found.kept.extend_row(lane_a, gaps.below(top) & left, &gaps.store());
    }
}

/// The view from b's frame, and the planes of b's triangles.
struct FromB<S> {
    own_b: Boxes<S>,
    seen_a: [[Lanes; 3]; 2],
    planes: Planes<S>,
}

#[inline(always)]
fn stored<S: Simd>([p, q, r]: &Corners<S>) -> [[Lanes; 3]; 3] {
    [
        [p[0].store(), p[1].store(), p[2].store()],
        [q[0].store(), q[1].store(), q[2].store()],
        [r[0].store(), r[1].store(), r[2].store()],
    ]
}

#[inline(always)]
fn in_every_lane<S: Simd>([p, q, r]: &[[Lanes; 3]; 3], lane: usize) -> Corners<S> {
    [
        [S::splat(p[0].0[lane]), S::splat(p[1].0[lane]), S::splat(p[2].0[lane])],
        [S::splat(q[0].0[lane]), S::splat(q[1].0[lane]), S::splat(q[2].0[lane])],
        [S::splat(r[0].0[lane]), S::splat(r[1].0[lane]), S::splat(r[2].0[lane])],
    ]
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

/// For distances: boxes along the axes of a, then of b.
#[inline(always)]
fn sift_boxes<S: Simd>(
    (a, b): (&Leaf, &Leaf),
    (corners_a, corners_b): (&Corners<S>, &Corners<S>),
    facing: &impl Facing<S>,
    (scale, slack): (S, S),
    limit: f32,
    found: &mut LanePairs,
) {
    let (zero, top) = (S::splat(0.0), S::splat(limit));
    let (own_a, seen_b) = (Boxes::around(corners_a, zero), Boxes::around(corners_b, slack));
    // Leaves mostly meet with few of their triangles: each triangle against the box of the other
    // leaf first. (Unused lanes lie at the leaf's origin.)
    let used = bounds::<S, false>(&own_a.union(), &seen_b).below(top) & lanes(b.count);
    let mut rows = bounds::<S, false>(&seen_b.union(), &own_a).below(top) & lanes(a.count);
    if used == 0 {
        return;
    }
    let own_a = own_a.stored();
    let mut from_b: Option<(Boxes<S>, [[Lanes; 3]; 2])> = None;
    while rows != 0 {
        let lane_a = rows.trailing_zeros() as usize;
        rows &= rows - 1;
        let first = bounds::<S, false>(&Single::stored(&own_a, lane_a), &seen_b);
        if first.below(top) & used == 0 {
            continue;
        }
        if from_b.is_none() {
            let seen_a = Boxes::around(&facing.back().corners(a, scale), slack);
            from_b = Some((Boxes::around(&scaled::<S>(b, scale), zero), seen_a.stored()));
        }
        let Some((own_b, seen_a)) = &from_b else { continue };
        let bounds = first.max(bounds::<S, false>(&Single::stored(seen_a, lane_a), own_b));
        found.survivors.extend(lane_a, bounds.below(top) & used, &bounds.store());
    }
}

#[inline(always)]
fn corners_of<S: Simd>([p, q, r]: &Corners<S>, lanes: &Places) -> Corners<S> {
    [permuted(p, lanes), permuted(q, lanes), permuted(r, lanes)]
}
