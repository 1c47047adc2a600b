//! Opening nodes: which of their slots can still matter?

use super::found::Found;
use super::lanes::{Lanes, Simd, WIDTH};
use super::node::WideNode;
use super::relation::{Between, Boxes, Relation, Single, squared_gap};
use super::slabs::{self, Slots};

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

/// The boxes of two nodes in b's frame.
struct FromB<S> {
    /// b's frame from a's.
    back: Relation,
    own_b: Boxes<S>,
    seen_a: Boxes<S>,
    stored_a: [[Lanes; 3]; 2],
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
    let mut from_b: Option<FromB<S>> = None;
    found.clear(a.count * b.count);
    for lane_a in 0..a.count as usize {
        let first = bounds::<S, CONTACT>(&Single::of(a, lane_a), &boxes_b);
        if first.below(top) & used == 0 {
            continue;
        }
        if from_b.is_none() {
            let back = relation.reversed();
            let seen_a = back.boxes::<S>(a);
            from_b = Some(FromB { back, own_b: Boxes::of(b), seen_a, stored_a: seen_a.stored() });
        }
        let Some(view) = &from_b else { continue };
        let bounds = first.max(bounds::<S, CONTACT>(&Single::stored(&view.stored_a, lane_a), &view.own_b));
        found.survivors.extend(lane_a, bounds.below(top) & used, &bounds.store());
    }
    let Some(FromB { back, own_b, seen_a, .. }) = &from_b else { return };
    let views = Views { own: (&Boxes::of(a), own_b), seen: (&seen_a.center, &boxes_b.center), back };
    refine::<S, CONTACT>(&relation, &views, (a, b), limit, found);
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
    let (single, own_a) = (relation.single(b, lane_b), Boxes::<S>::of(a));
    let first = bounds::<S, CONTACT>(&single, &own_a);
    if first.below(top) & used == 0 {
        return;
    }
    let back = relation.reversed();
    let seen_a = back.boxes::<S>(a);
    let bounds = first.max(bounds::<S, CONTACT>(&Single::of(b, lane_b), &seen_a));
    found.survivors.extend_swapped(lane_b, bounds.below(top) & used, &bounds.store());
    // The one slot in every lane: any lane of b will do.
    let views = Views { own: (&own_a, &Boxes::of(b)), seen: (&seen_a.center, &single.middles()), back: &back };
    refine::<S, CONTACT>(&relation, &views, (a, b), limit, found);
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
    let seen_b = relation.boxes::<S>(b);
    let first = bounds::<S, CONTACT>(&Single::of(a, lane_a), &seen_b);
    if first.below(top) & used == 0 {
        return;
    }
    let back = relation.reversed();
    let (single, own_b) = (back.single(a, lane_a), Boxes::<S>::of(b));
    let bounds = first.max(bounds::<S, CONTACT>(&single, &own_b));
    found.survivors.extend(lane_a, bounds.below(top) & used, &bounds.store());
    let views = Views { own: (&Boxes::of(a), &own_b), seen: (&single.middles(), &seen_b.center), back: &back };
    refine::<S, CONTACT>(&relation, &views, (a, b), limit, found);
}

/// The boxes of two nodes, each in its own frame and with its middles in the other's.
struct Views<'v, S> {
    own: (&'v Boxes<S>, &'v Boxes<S>),
    seen: (&'v [S; 3], &'v [S; 3]),
    /// b's frame from a's.
    back: &'v Relation,
}

/// Makes the survivors' bounds better, eight pairs at a time, and keeps those that are still below the limit: by the slabs, and for distances by one well-chosen direction each. Of boxes that meet along all six
/// axes that direction tells hardly any apart (1 % fewer tests), so questions of contact do without.
#[inline(always)]
fn refine<S: Simd, const CONTACT: bool>(
    relation: &Relation,
    views: &Views<'_, S>,
    (a, b): (&WideNode, &WideNode),
    limit: f32,
    found: &mut Found,
) {
    let slots_a = Slots { own: views.own.0, seen: views.seen.0, slabs: &a.slabs };
    let slots_b = Slots { own: views.own.1, seen: views.seen.1, slabs: &b.slabs };
    let mut start = 0;
    while let Some(batch) = found.survivors.batch(start) {
        start += WIDTH;
        let gaps = slabs::gaps((relation, views.back), &slots_a, &slots_b, &batch);
        let known = S::load(batch.bounds);
        let bounds = if CONTACT {
            gaps.max(known)
        } else {
            let gaps = gaps.max(S::splat(0.0));
            let boxes_a = views.own.0.permuted(batch.lanes_a);
            let boxes_b = views.own.1.permuted(batch.lanes_b);
            squared_gap(relation.along_nearest(&boxes_a, &boxes_b)).max(gaps.mul(gaps)).max(known)
        };
        found.kept.extend(bounds.below(S::splat(limit)) & batch.used, &bounds.store(), &batch);
    }
}
