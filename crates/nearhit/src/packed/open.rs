//! Opening nodes: which of their slots can still matter?

use super::boxes::{Boxes, Single};
use super::facing::Facing;
use super::lane_pairs::LanePairs;
use super::lanes::{Lanes, Places, Simd, WIDTH};
use super::node::{Frame, WideNode};
use super::relation::{Relate, Slots, along_nearest, squared_gap};
use super::slabs::Slab;

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

/// Slots of one node, in its own frame and in the other node's.
#[derive(Debug, Clone, Copy)]
struct Side<S> {
    own: Boxes<S>,
    seen: Boxes<S>,
    slabs: Slab<S>,
}

impl<S: Simd> Side<S> {
    #[inline(always)]
    fn permuted(&self, lanes: &Places) -> Self {
        Self { own: self.own.permuted(lanes), seen: self.seen.permuted(lanes), slabs: self.slabs.permuted(lanes) }
    }

    /// How far the slots are apart along the slabs of either side, at least, lane by lane.
    #[inline(always)]
    fn slab_gaps(&self, other: &Self, slack: S) -> S {
        let own = self.slabs.gaps(&other.seen.center, &other.own.half);
        own.max(other.slabs.gaps(&self.seen.center, &self.own.half)).sub(slack)
    }
}

/// Frames' axes are sorted by how far the surface spreads along them: the last one is across it.
const THINNEST: usize = 2;

/// How far a node's slots are from the whole of the other frame across its surface, at least, lane
/// by lane.
///
/// Of two curved surfaces that nearly touch most boxes of nodes meet: their corners stick out. But
/// each slot of a node is flatter, and mostly outside the slab that the other surface lies in.
#[inline(always)]
fn across<S: Simd, const CONTACT: bool>(relate: &impl Relate<S>, node: &WideNode, frame: &Frame) -> S {
    let (middle, half) = relate.seen(&Boxes::of(node), THINNEST);
    let gap = middle.abs().sub(half).sub(S::splat(frame.half[THINNEST]));
    let positive = gap.max(S::splat(0.0));
    if CONTACT { gap } else { positive.mul(positive) }
}

/// Every slot of one node against every slot of the other.
#[inline(always)]
pub(super) fn both<S: Simd, const CONTACT: bool>(
    (a, b): (&WideNode, &WideNode),
    facing: &impl Facing<S>,
    limit: f32,
    found: &mut LanePairs,
) {
    let (there, back, top) = (facing.there(), facing.back(), S::splat(limit));
    // Nodes mostly meet with few of their slots: those of a against the whole of b first, and the
    // other way round.
    let rows = bounds::<S, CONTACT>(&facing.around_b(), &Boxes::of(a)).below(top) & lanes(a.count);
    if rows == 0 {
        return found.clear(0);
    }
    let used = bounds::<S, CONTACT>(&facing.around_a(), &Boxes::of(b)).below(top) & lanes(b.count);
    if used == 0 {
        return found.clear(0);
    }
    // Then across the other surface.
    let rows = rows & across::<S, CONTACT>(back, a, &b.frame).below(top);
    if rows == 0 {
        return found.clear(0);
    }
    let used = used & across::<S, CONTACT>(there, b, &a.frame).below(top);
    if used == 0 {
        return found.clear(0);
    }
    found.clear(a.count * b.count);
    if !CONTACT {
        return nearest::<S>((a, rows), (b, used), (there, back), limit, found);
    }
    // Slot by slot on the side with fewer of them.
    if rows.count_ones() <= used.count_ones() {
        touching::<S>((a, rows), (b, used), (back, there), limit, (Few::OfA, found));
    } else {
        touching::<S>((b, used), (a, rows), (there, back), limit, (Few::OfB, found));
    }
}

/// Whose slots are gone through one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Few {
    OfA,
    OfB,
}

/// For questions of contact: each slot of `few` in the mask against all of `many` in theirs. The
/// relations are the frame of the many from that of the few, and back.
#[inline(always)]
fn touching<S: Simd>(
    (few, mut rows): (&WideNode, u32),
    (many, used): (&WideNode, u32),
    (to_many, to_few): (&impl Relate<S>, &impl Relate<S>),
    limit: f32,
    (side, found): (Few, &mut LanePairs),
) {
    let (seen_many, top, slack) = (to_few.boxes(many), S::splat(limit), to_few.slack());
    // Only made if the boxes leave something.
    let (mut slots, mut side_many) = (None, None);
    while rows != 0 {
        let lane = rows.trailing_zeros() as usize % WIDTH;
        rows &= rows - 1;
        let own = Single::of(few, lane);
        let first = bounds::<S, true>(&own, &seen_many);
        if first.below(top) & used == 0 {
            continue;
        }
        // No closures: they would not be compiled for the CPU of the path.
        if slots.is_none() {
            slots = Some(to_many.slots(few));
        }
        let Some(slots) = &slots else { continue };
        let seen = slots.single(lane);
        let bounds = first.max(bounds::<S, true>(&seen, &Boxes::of(many)));
        let left = bounds.below(top) & used;
        if left == 0 {
            continue;
        }
        if side_many.is_none() {
            side_many = Some(Side { own: Boxes::of(many), seen: seen_many, slabs: Slab::of(many, to_few) });
        }
        let Some(eight) = &side_many else { continue };
        let slabs = Slab::single(few, lane, &slots.turned_axis(lane));
        let one = Side { own: own.boxes(), seen: seen.boxes(), slabs };
        let bounds = bounds.max(one.slab_gaps(eight, slack));
        let left = bounds.below(top) & left;
        match side {
            Few::OfA => found.kept.extend_row(lane, left, &bounds.store()),
            Few::OfB => found.kept.extend_column(lane, left, &bounds.store()),
        }
    }
}

/// For distances: each slot of a in the mask against all of b in theirs. The relations are the
/// frame of a from that of b, and back.
#[inline(always)]
fn nearest<S: Simd>(
    (a, mut rows): (&WideNode, u32),
    (b, used): (&WideNode, u32),
    (there, back): (&impl Relate<S>, &impl Relate<S>),
    limit: f32,
    found: &mut LanePairs,
) {
    let (seen_b, top) = (there.boxes(b), S::splat(limit));
    // Only made if the view from a's frame leaves something.
    let mut from_b: Option<FromB<S>> = None;
    while rows != 0 {
        let lane_a = rows.trailing_zeros() as usize % WIDTH;
        rows &= rows - 1;
        let first = bounds::<S, false>(&Single::of(a, lane_a), &seen_b);
        if first.below(top) & used == 0 {
            continue;
        }
        if from_b.is_none() {
            from_b = Some(FromB::new((a, b), (there, back), &seen_b));
        }
        let Some(view) = &from_b else { continue };
        let seen = Single::stored(&view.stored_a, lane_a);
        let bounds = first.max(bounds::<S, false>(&seen, &view.side_b.own));
        found.survivors.extend(lane_a, bounds.below(top) & used, &bounds.store());
    }
    if let Some(FromB { seen_a, side_b, .. }) = &from_b {
        let side_a = Side { own: Boxes::of(a), seen: *seen_a, slabs: Slab::of(a, back) };
        refine((there, back), &side_a, side_b, limit, found);
    }
}

/// The view from b's frame.
struct FromB<S> {
    seen_a: Boxes<S>,
    stored_a: [[Lanes; 3]; 2],
    side_b: Side<S>,
}

impl<S: Simd> FromB<S> {
    #[inline(always)]
    fn new(
        (a, b): (&WideNode, &WideNode),
        (there, back): (&impl Relate<S>, &impl Relate<S>),
        seen_b: &Boxes<S>,
    ) -> Self {
        let seen_a = back.boxes(a);
        let side_b = Side { own: Boxes::of(b), seen: *seen_b, slabs: Slab::of(b, there) };
        Self { seen_a, stored_a: seen_a.stored(), side_b }
    }
}

/// Every slot of a node of a against one slot of a node of b.
#[inline(always)]
pub(super) fn first<S: Simd, const CONTACT: bool>(
    (a, b): (&WideNode, &WideNode),
    lane_b: usize,
    facing: &impl Facing<S>,
    limit: f32,
    found: &mut LanePairs,
) {
    found.clear(a.count);
    let both_ways = (facing.there(), facing.back());
    let Some(met) = one_by_eight::<S, CONTACT>((b, lane_b), a, both_ways, limit) else { return };
    if CONTACT {
        return found.kept.extend_column(lane_b, met.left, &met.bounds.store());
    }
    found.survivors.extend_swapped(lane_b, met.left, &met.bounds.store());
    refine((facing.there(), facing.back()), &met.eight, &met.one, limit, found);
}

/// One slot of a node of a against every slot of a node of b.
#[inline(always)]
pub(super) fn second<S: Simd, const CONTACT: bool>(
    (a, b): (&WideNode, &WideNode),
    lane_a: usize,
    facing: &impl Facing<S>,
    limit: f32,
    found: &mut LanePairs,
) {
    found.clear(b.count);
    let both_ways = (facing.back(), facing.there());
    let Some(met) = one_by_eight::<S, CONTACT>((a, lane_a), b, both_ways, limit) else { return };
    if CONTACT {
        return found.kept.extend_row(lane_a, met.left, &met.bounds.store());
    }
    found.survivors.extend(lane_a, met.left, &met.bounds.store());
    refine((facing.there(), facing.back()), &met.one, &met.eight, limit, found);
}

/// One slot, in every lane, and the eight it was held against.
struct Met<S> {
    one: Side<S>,
    eight: Side<S>,
    bounds: S,
    /// One bit for each lane below the limit.
    left: u32,
}

/// None if nothing is left. The relations are the frame of the eight from that of the one, and
/// back.
#[inline(always)]
fn one_by_eight<S: Simd, const CONTACT: bool>(
    (one, lane): (&WideNode, usize),
    eight: &WideNode,
    (to_eight, to_one): (&impl Relate<S>, &impl Relate<S>),
    limit: f32,
) -> Option<Met<S>> {
    let (used, top) = (lanes(eight.count), S::splat(limit));
    let slots = to_eight.slots(one);
    let (seen_one, own_eight) = (slots.single(lane), Boxes::<S>::of(eight));
    let first = bounds::<S, CONTACT>(&seen_one, &own_eight);
    if first.below(top) & used == 0 {
        return None;
    }
    let (own_one, seen_eight) = (Single::of(one, lane), to_one.boxes(eight));
    let mut bounds = first.max(bounds::<S, CONTACT>(&own_one, &seen_eight));
    let mut left = bounds.below(top) & used;
    if left == 0 {
        return None;
    }
    let slabs = Slab::single(one, lane, &slots.turned_axis(lane));
    let one = Side { own: own_one.boxes(), seen: seen_one.boxes(), slabs };
    let eight = Side { own: own_eight, seen: seen_eight, slabs: Slab::of(eight, to_one) };
    if CONTACT {
        bounds = bounds.max(one.slab_gaps(&eight, to_one.slack()));
        left &= bounds.below(top);
    }
    Some(Met { one, eight, bounds, left })
}

/// Makes the survivors' bounds on distances better, eight pairs at a time, and keeps those that are
/// still below the limit: by the slabs, and by one well-chosen direction each.
///
/// Questions of contact do without. Of boxes that meet along all six axes that direction tells
/// hardly any apart (1 % fewer tests); and few pairs are left, so that it is quicker to hold the
/// slabs of one slot against eight at once, in registers, than to pack pairs: those are written one
/// by one and read eight at a time, for which the CPU waits.
#[inline(always)]
fn refine<S: Simd>(
    (there, back): (&impl Relate<S>, &impl Relate<S>),
    a: &Side<S>,
    b: &Side<S>,
    limit: f32,
    found: &mut LanePairs,
) {
    let mut start = 0;
    while let Some(batch) = found.survivors.batch(start) {
        start += WIDTH;
        let (a, b) = (a.permuted(batch.lanes_a), b.permuted(batch.lanes_b));
        let (gaps, top) = (a.slab_gaps(&b, there.slack()).max(S::splat(0.0)), S::splat(limit));
        let by_slabs = gaps.mul(gaps).max(S::load(batch.bounds));
        if by_slabs.below(top) & batch.used == 0 {
            continue;
        }
        let bounds = squared_gap(along_nearest((there, back), &a.own, &b.own)).max(by_slabs);
        found.kept.extend(bounds.below(top) & batch.used, &bounds.store(), &batch);
    }
}
