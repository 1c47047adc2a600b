//! Opening nodes: which of their slots can still matter?

use super::found::Found;
use super::lanes::{Lanes, Simd, WIDTH};
use super::node::WideNode;
use super::relation::{Between, Boxes, Relation, Single, squared_gap};

/// Largest gaps, for questions of contact, or squared distances.
#[inline(always)]
pub(super) fn bounds<S: Simd, const CONTACT: bool>(single: &Single, boxes: &Boxes<S>) -> S {
    if CONTACT { single.largest_gaps(boxes) } else { single.squared_distances(boxes) }
}

/// One bit for each lane in use.
#[inline(always)]
pub(super) fn lanes(count: u32) -> u32 {
    (1 << count) - 1
}

/// Every slot of one node against every slot of the other.
#[inline(always)]
pub(super) fn both<S: Simd, const CONTACT: bool>(
    (a, b): (&WideNode, &WideNode),
    between: &Between,
    limit: f32,
    found: &mut Found,
) {
    let relation = Relation::new(&a.frame, &b.frame, between);
    if relation.whole::<CONTACT>(&a.frame, &b.frame) >= limit {
        return found.clear(0);
    }
    let boxes_b = relation.boxes::<S>(b);
    let (used, top) = (lanes(b.count), S::splat(limit));
    // The view from b's frame is only made if the one from a's leaves something.
    let mut from_b: Option<(Boxes<S>, [[Lanes; 3]; 2])> = None;
    found.clear(a.count * b.count);
    for lane_a in 0..a.count as usize {
        let first = bounds::<S, CONTACT>(&Single::of(a, lane_a), &boxes_b);
        if first.below(top) & used == 0 {
            continue;
        }
        if from_b.is_none() {
            from_b = Some((Boxes::of(b), relation.reversed().boxes::<S>(a).stored()));
        }
        let Some((own_b, seen_a)) = &from_b else { continue };
        let bounds = first.max(bounds::<S, CONTACT>(&Single::stored(seen_a, lane_a), own_b));
        keep_row::<S, CONTACT>(lane_a, bounds, top, used, found);
    }
    if !CONTACT {
        refine::<S>(&relation, (a, b), limit, found);
    }
}

/// Every slot of a node of a against one slot of a node of b.
#[inline(always)]
pub(super) fn first<S: Simd, const CONTACT: bool>(
    (a, b): (&WideNode, &WideNode),
    lane_b: usize,
    between: &Between,
    limit: f32,
    found: &mut Found,
) {
    let relation = Relation::new(&a.frame, &b.frame, between);
    let (used, top) = (lanes(a.count), S::splat(limit));
    found.clear(a.count);
    let first = bounds::<S, CONTACT>(&relation.single(b, lane_b), &Boxes::of(a));
    if first.below(top) & used == 0 {
        return;
    }
    let boxes_a = relation.reversed().boxes::<S>(a);
    let bounds = first.max(bounds::<S, CONTACT>(&Single::of(b, lane_b), &boxes_a));
    let mask = bounds.below(top) & used;
    if CONTACT {
        found.kept.extend_column(lane_b, mask, &bounds.store());
    } else {
        found.survivors.extend_swapped(lane_b, mask, &bounds.store());
    }
    if !CONTACT {
        refine::<S>(&relation, (a, b), limit, found);
    }
}

/// One slot of a node of a against every slot of a node of b.
#[inline(always)]
pub(super) fn second<S: Simd, const CONTACT: bool>(
    (a, b): (&WideNode, &WideNode),
    lane_a: usize,
    between: &Between,
    limit: f32,
    found: &mut Found,
) {
    let relation = Relation::new(&a.frame, &b.frame, between);
    let (used, top) = (lanes(b.count), S::splat(limit));
    found.clear(b.count);
    let first = bounds::<S, CONTACT>(&Single::of(a, lane_a), &relation.boxes::<S>(b));
    if first.below(top) & used == 0 {
        return;
    }
    let seen = relation.reversed().single(a, lane_a);
    let bounds = first.max(bounds::<S, CONTACT>(&seen, &Boxes::of(b)));
    keep_row::<S, CONTACT>(lane_a, bounds, top, used, found);
    if !CONTACT {
        refine::<S>(&relation, (a, b), limit, found);
    }
}

/// What is below the limit survives; of questions of contact nothing more is asked.
#[inline(always)]
fn keep_row<S: Simd, const CONTACT: bool>(lane_a: usize, bounds: S, top: S, used: u32, found: &mut Found) {
    let mask = bounds.below(top) & used;
    if CONTACT {
        found.kept.extend_row(lane_a, mask, &bounds.store());
    } else {
        found.survivors.extend(lane_a, mask, &bounds.store());
    }
}

/// Makes the survivors' bounds better by one well-chosen direction each, and keeps those that are still below the limit. Of boxes that meet along all six axes hardly any are apart (1 % fewer tests), so
/// questions of contact do without.
#[inline(always)]
fn refine<S: Simd>(relation: &Relation, (a, b): (&WideNode, &WideNode), limit: f32, found: &mut Found) {
    let mut start = 0;
    while let Some(batch) = found.survivors.batch(start) {
        start += WIDTH;
        let boxes_a = Boxes::<S>::of(a).permuted(batch.lanes_a);
        let boxes_b = Boxes::<S>::of(b).permuted(batch.lanes_b);
        let bounds = squared_gap(relation.along_nearest(&boxes_a, &boxes_b)).max(S::load(batch.bounds));
        found.kept.extend(bounds.below(S::splat(limit)) & batch.used, &bounds.store(), &batch);
    }
}
