//! Sweep and prune: the ends of all boxes sorted along the three axes (Baraff 1992, Cohen et al.
//! 1995).
//!
//! From frame to frame the order changes little, so that sorting by insertion swaps few ends; where
//! the beginning of one box changes place with the end of another, the two begin or cease to
//! overlap along that axis. Who overlaps whom along all three is kept.

use super::{BroadPhase, Items, KeyPair, ordered};
use crate::bounds::Bounds;
use crate::scene::PartId;
use std::cmp::Ordering;

/// An end of a box on one axis.
#[derive(Debug, Clone, Copy, PartialEq)]
struct End {
    value: f64,
    /// The lowest bit tells beginnings (0) from ends (1).
    key_and_kind: u32,
}

impl End {
    fn key(self) -> u32 {
        self.key_and_kind >> 1
    }

    fn is_upper(self) -> bool {
        self.key_and_kind & 1 == 1
    }

    /// At one place beginnings come first: boxes that touch overlap.
    fn is_before(self, other: Self) -> bool {
        self.value < other.value || (self.value == other.value && !self.is_upper() && other.is_upper())
    }
}

/// Ends sorted along three axes, and whose boxes overlap.
#[derive(Debug, Clone, Default)]
pub struct Sweep {
    ends: [Vec<End>; 3],
    /// By key: whose boxes meet this one's, in ascending order.
    meets: Vec<Vec<u32>>,
    /// By key: whose ends are in the lists.
    known: Vec<Option<PartId>>,
    /// The boxes as sorted.
    boxes: Vec<Bounds>,
}

impl Sweep {
    /// Sorts everything and finds all pairs: at the start, and when much is new.
    fn restart(&mut self, items: &Items) {
        self.meets.iter_mut().for_each(Vec::clear);
        for axis in 0..3 {
            let ends = &mut self.ends[axis];
            ends.clear();
            for (key, item) in items.iter() {
                ends.push(End { value: item.bounds.low[axis], key_and_kind: key << 1 });
                ends.push(End { value: item.bounds.high[axis], key_and_kind: key << 1 | 1 });
            }
            // Not by the total order, which tells -0 from 0.
            let order = |a: &End, b: &End| a.value.partial_cmp(&b.value).unwrap_or(Ordering::Equal);
            ends.sort_unstable_by(|a, b| order(a, b).then(a.is_upper().cmp(&b.is_upper())));
        }
        let mut pairs = Vec::new();
        self.sweep(items, 0.0, |a, b| pairs.push((a, b)));
        for (a, b) in pairs {
            self.meets[a as usize].push(b);
            self.meets[b as usize].push(a);
        }
        self.meets.iter_mut().for_each(|keys| keys.sort_unstable());
    }

    /// Along the widest axis each box meets those that begin before it ends.
    fn sweep(&self, items: &Items, reach: f64, mut found: impl FnMut(u32, u32)) {
        let span = |axis: &usize| match (self.ends[*axis].first(), self.ends[*axis].last()) {
            (Some(first), Some(last)) => last.value - first.value,
            _ => 0.0,
        };
        let axis = (1..3).fold(0, |widest, axis| if span(&axis) > span(&widest) { axis } else { widest });
        let lowers: Vec<End> = self.ends[axis].iter().filter(|end| !end.is_upper()).copied().collect();
        for (position, lower) in lowers.iter().enumerate() {
            let Some(item) = items.get(lower.key()) else { continue };
            let high = item.bounds.high[axis];
            for other in lowers[position + 1..].iter().take_while(|other| other.value - high <= reach) {
                if items.boxes_are_near(lower.key(), other.key(), reach) {
                    found(lower.key(), other.key());
                }
            }
        }
    }

    fn meet(&mut self, a: u32, b: u32) {
        for (key, other) in [(a, b), (b, a)] {
            let keys = &mut self.meets[key as usize];
            if let Err(place) = keys.binary_search(&other) {
                keys.insert(place, other);
            }
        }
    }

    fn part(&mut self, a: u32, b: u32) {
        for (key, other) in [(a, b), (b, a)] {
            let keys = &mut self.meets[key as usize];
            if let Ok(place) = keys.binary_search(&other) {
                keys.remove(place);
            }
        }
    }

    /// New values for all ends of an axis, then sorted by insertion.
    fn sort(&mut self, items: &Items, axis: usize) {
        let mut ends = std::mem::take(&mut self.ends[axis]);
        for end in &mut ends {
            let bounds = &self.boxes[end.key() as usize];
            end.value = if end.is_upper() { bounds.high[axis] } else { bounds.low[axis] };
        }
        for place in 1..ends.len() {
            let moving = ends[place];
            let mut at = place;
            while at > 0 && moving.is_before(ends[at - 1]) {
                let passed = ends[at - 1];
                ends[at] = passed;
                at -= 1;
                match (moving.is_upper(), passed.is_upper()) {
                    (false, true) if items.boxes_are_near(moving.key(), passed.key(), 0.0) => {
                        self.meet(moving.key(), passed.key());
                    }
                    (true, false) => self.part(moving.key(), passed.key()),
                    _ => {}
                }
            }
            ends[at] = moving;
        }
        self.ends[axis] = ends;
    }

    fn forget(&mut self, key: u32) {
        for other in std::mem::take(&mut self.meets[key as usize]) {
            let keys = &mut self.meets[other as usize];
            if let Ok(place) = keys.binary_search(&key) {
                keys.remove(place);
            }
        }
    }
}

impl BroadPhase for Sweep {
    fn name(&self) -> &'static str {
        "sweep"
    }

    fn update(&mut self, items: &Items, changed: &[u32]) {
        if self.meets.len() < items.end() {
            self.meets.resize(items.end(), Vec::new());
            self.known.resize(items.end(), None);
            self.boxes.resize(items.end(), Bounds::EMPTY);
        }
        let mut come = Vec::new();
        let mut gone = Vec::new();
        for &key in changed {
            let (item, known) = (items.get(key), self.known[key as usize]);
            if let Some(item) = item {
                self.boxes[key as usize] = item.bounds;
            }
            // A key that was used again in between is another part.
            let part = item.map(|item| item.part);
            if known != part {
                gone.extend(known.map(|_| key));
                come.extend(part.map(|_| key));
                self.known[key as usize] = part;
            }
        }
        if !gone.is_empty() {
            gone.iter().for_each(|&key| self.forget(key));
            let leaves = |end: &End| gone.binary_search(&end.key()).is_ok();
            self.ends.iter_mut().for_each(|ends| ends.retain(|end| !leaves(end)));
        }
        // Inserting one by one walks through all ends each time.
        if come.len() * 16 > self.ends[0].len() {
            self.restart(items);
            return;
        }
        for axis in 0..3 {
            let far =
                |key: u32| [key << 1, key << 1 | 1].map(|key_and_kind| End { value: f64::INFINITY, key_and_kind });
            self.ends[axis].extend(come.iter().flat_map(|&key| far(key)));
        }
        if !changed.is_empty() {
            (0..3).for_each(|axis| self.sort(items, axis));
        }
    }

    fn pairs(&self, items: &Items, reach: f64, found: &mut Vec<KeyPair>) {
        let mut add = |a: u32, b: u32| found.extend(items.are_near(a, b, reach).then_some(ordered(a, b)));
        if reach > 0.0 {
            self.sweep(items, reach, add);
            return;
        }
        for (key, others) in self.meets.iter().enumerate() {
            let key = key as u32;
            others.iter().filter(|&&other| other > key).for_each(|&other| add(key, other));
        }
    }

    fn neighbours(&self, items: &Items, key: u32, found: &mut Vec<u32>) {
        let others = self.meets.get(key as usize).into_iter().flatten();
        found.extend(others.filter(|&&other| items.are_near(key, other, 0.0)));
    }
}

/// Pairs of boxes that are no farther apart than `reach` along any axis, smaller index first,
/// sorted: swept once, for boxes that do not move.
#[must_use]
pub fn near_pairs(boxes: &[Bounds], reach: f64) -> Vec<(usize, usize)> {
    few_near_pairs(boxes, reach, usize::MAX, |_| true).unwrap_or_default()
}

/// The same of pairs that are wanted; nothing if there are more than `most`, which could fill any
/// memory.
pub(crate) fn few_near_pairs(
    boxes: &[Bounds],
    reach: f64,
    most: usize,
    is_wanted: impl Fn((usize, usize)) -> bool,
) -> Option<Vec<(usize, usize)>> {
    let whole = boxes.iter().fold(Bounds::EMPTY, |whole, bounds| whole.join(bounds));
    let spread = whole.high - whole.low;
    let axis = (1..3).fold(0, |widest, axis| if spread[axis] > spread[widest] { axis } else { widest });
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|&i, &j| boxes[i].low[axis].total_cmp(&boxes[j].low[axis]).then(i.cmp(&j)));
    let mut pairs = Vec::new();
    for (position, &i) in order.iter().enumerate() {
        let later = order[position + 1..].iter().take_while(|&&j| boxes[j].low[axis] - boxes[i].high[axis] <= reach);
        let near = later.filter(|&&j| boxes[i].near(&boxes[j], reach)).map(|&j| (i.min(j), i.max(j)));
        pairs.extend(near.filter(|&pair| is_wanted(pair)));
        if pairs.len() > most {
            return None;
        }
    }
    pairs.sort_unstable();
    Some(pairs)
}
