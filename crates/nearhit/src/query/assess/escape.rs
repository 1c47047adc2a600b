//! How short a translation is proven to take the surfaces apart?
//!
//! Along each of 26 directions a *front* of pairs covers all pairs of triangles; every pair,
//! whether culled by the contact search or not, is in the way for an interval of lengths
//! ([`crate::volume::Blocked`]). The first length that no interval holds is a translation that
//! separates every pair. Opening a pair of the front narrows its interval; the widest of those that
//! reach down to length 0 is opened first, along the direction that promises most. Where an
//! interval is a triangle pair's own (`triangles.rs`) nothing can be narrowed any more.
//!
//! After a small move the last translation's direction is a 27th, and every second step is along
//! it.

use super::triangles::blocked_by_triangles;
use super::{Opened, View, child};
use crate::traverse::NodePair;
use crate::vector::{length, unit};
use crate::volume::{Blocked, BoundingVolume};
use glam::DVec3;

/// How many directions are tried: those of the 26-DOP's faces, in b's frame, whatever the volume.
const DIRECTIONS: usize = 26;

/// For each direction its front.
pub(super) type Room = Vec<Vec<Entry>>;

/// A pair that is in the way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    blocked: Blocked,
    /// `None` when it is two triangles: final.
    pair: Option<NodePair>,
}

impl Entry {
    fn width(&self) -> f64 {
        self.blocked.to - self.blocked.from
    }
}

/// One in so many pairs of a chain is opened before the front is looked at again.
const SHARE: usize = 16;

pub(super) struct EscapeSearch<'r> {
    fronts: &'r mut Room,
    /// The last one is remembered: none, or that of an earlier translation.
    tried: [Direction; DIRECTIONS + 1],
    /// Is the next step along the remembered direction?
    remembered_next: bool,
    /// More than rounding, as a length.
    margin: f64,
    best: f64,
    translation: Option<DVec3>,
}

#[derive(Debug, Clone, Copy)]
struct Direction {
    /// a moves along this, seen from b.
    of_a_in_b: DVec3,
    /// Which is b moving along this, seen from a.
    of_b_in_a: DVec3,
    /// The first free length so far.
    free: f64,
    /// The width of the widest pair that can be opened; nothing when this direction is finished.
    widest: Option<f64>,
    /// How many entries stand before the first free length.
    chain: usize,
}

impl<'r> EscapeSearch<'r> {
    /// `remembered` is a translation of b in a's frame that once took the surfaces apart.
    pub(super) fn new<V: BoundingVolume>(
        view: &mut View<'_, V>,
        fronts: &'r mut Room,
        remembered: Option<DVec3>,
    ) -> Self {
        fronts.resize_with(DIRECTIONS + 1, Vec::new);
        let rotation = view.pair.a_from_b().rotation();
        let remembered = remembered.and_then(unit).map(|along| -(rotation.transpose() * along));
        let tried = std::array::from_fn(|index| {
            let of_a_in_b = if index < DIRECTIONS { direction(index) } else { remembered.unwrap_or(DVec3::X) };
            Direction { of_a_in_b, of_b_in_a: -(rotation * of_a_in_b), free: f64::INFINITY, widest: None, chain: 0 }
        });
        let margin = view.pair.slack();
        let remembered_next = remembered.is_some();
        let mut search = Self { fronts, tried, remembered_next, margin, best: f64::INFINITY, translation: None };
        for index in 0..DIRECTIONS + usize::from(remembered_next) {
            search.fronts[index].clear();
            search.enter(view, index, View::<V>::ROOTS);
            search.survey(index);
        }
        search
    }

    /// Is nothing left to open?
    pub(super) fn is_done(&self) -> bool {
        self.tried.iter().all(|direction| direction.widest.is_none())
    }

    /// Is it proven that no translation is needed?
    pub(super) fn is_free(&self) -> bool {
        self.best == 0.0
    }

    /// The shortest translation found, as a length and as a vector.
    pub(super) fn shortest(&self) -> (f64, Option<DVec3>) {
        (self.best, self.translation)
    }

    /// Opens the widest pairs along the most promising direction: one, or a share of many, so that
    /// looking for them stays cheaper than opening them.
    pub(super) fn step<V: BoundingVolume>(&mut self, view: &mut View<'_, V>) {
        let promising = (0..=DIRECTIONS)
            .filter(|&index| self.tried[index].widest.is_some())
            .min_by(|&i, &j| self.tried[i].free.total_cmp(&self.tried[j].free));
        let remembered = (self.remembered_next && self.tried[DIRECTIONS].widest.is_some()).then_some(DIRECTIONS);
        self.remembered_next = remembered.is_none();
        let Some(index) = remembered.or(promising) else { return };
        let Direction { widest: Some(widest), chain, .. } = self.tried[index] else { return };
        let mut left = 1 + chain / SHARE;
        let mut place = 0;
        for _ in 0..chain {
            let entry = self.fronts[index][place];
            match entry.pair {
                Some(pair) if left > 0 && 2.0 * entry.width() >= widest => {
                    left -= 1;
                    // The last takes its place and is looked at in a later step, if it is in the
                    // way at all.
                    self.fronts[index].swap_remove(place);
                    self.open(view, index, pair);
                }
                _ => place += 1,
            }
        }
        // Every step opens a pair, of which there are finitely many, or finishes a direction: one
        // whose widths are no numbers has nothing to be opened.
        if left == 1 + chain / SHARE {
            self.tried[index].widest = None;
            return;
        }
        self.survey(index);
    }

    fn open<V: BoundingVolume>(&mut self, view: &mut View<'_, V>, index: usize, pair: NodePair) {
        match view.open(pair) {
            Opened::Children { of_a, run } => {
                run.for_each(|node| self.enter(view, index, child(pair, of_a, node)));
            }
            Opened::Triangles { a, b } => {
                for triangles in view.triangle_pairs(a, b) {
                    view.stats.triangle_tests += 1;
                    let (a, b) = view.pair.triangles(triangles);
                    let blocked = blocked_by_triangles(&a, &b, self.tried[index].of_b_in_a, self.margin);
                    self.keep(index, Entry { blocked, pair: None });
                }
            }
        }
    }

    fn enter<V: BoundingVolume>(&mut self, view: &mut View<'_, V>, index: usize, pair: NodePair) {
        let direction = self.tried[index].of_a_in_b;
        let blocked = view.test(pair, |b, a| b.blocked(a, direction));
        self.keep(index, Entry { blocked, pair: Some(pair) });
    }

    /// Adds an entry, unless it can never matter: what is only in the way of translations longer
    /// than the best known stays out.
    fn keep(&mut self, index: usize, entry: Entry) {
        if !entry.blocked.is_never() && entry.blocked.from <= self.best {
            self.fronts[index].push(entry);
        }
    }

    /// Finds the first free length along a direction, and the widest of the pairs that stand before
    /// it.
    fn survey(&mut self, index: usize) {
        let front = &mut self.fronts[index];
        front.sort_unstable_by(|one, other| one.blocked.from.total_cmp(&other.blocked.from));
        let (mut covered, mut final_cover) = (0.0, 0.0);
        let mut widest: Option<f64> = None;
        let mut chain = 0;
        for entry in front.iter() {
            let Blocked { from, to } = entry.blocked;
            if from > covered {
                break;
            }
            chain += 1;
            // Beyond the end by more than rounding, so that the proof survives moving by a rounded
            // vector.
            let past = to * (1.0 + 1e-12) + self.margin;
            covered = past.max(covered);
            match entry.pair {
                None if from <= final_cover => final_cover = past.max(final_cover),
                Some(_) if widest.is_none_or(|width| entry.width() > width) => widest = Some(entry.width()),
                _ => {}
            }
        }
        let tried = &mut self.tried[index];
        tried.free = covered;
        // What two triangles block cannot be opened: this direction is no better than that.
        tried.widest = widest.filter(|_| final_cover < self.best);
        tried.chain = chain;
        // An entry that was kept out begins beyond the best, so beyond anything better.
        let translation = tried.of_b_in_a * covered;
        let reached = covered.max(length(translation) * (1.0 + 4.0 * f64::EPSILON));
        if reached < self.best {
            self.translation = Some(translation);
            self.best = reached;
        }
    }
}

/// Unit vectors to the faces, edges and corners of a cube.
fn direction(index: usize) -> DVec3 {
    // 27 codes without the middle one, which is no direction.
    let code = if index < DIRECTIONS / 2 { index } else { index + 1 };
    let digit = |place: usize| (code / place % 3) as f64 - 1.0;
    DVec3::new(digit(9), digit(3), digit(1)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_units_and_all_different() {
        let all: Vec<DVec3> = (0..DIRECTIONS).map(direction).collect();
        for (i, u) in all.iter().enumerate() {
            assert!((u.length() - 1.0).abs() < 1e-15);
            assert!(all[..i].iter().all(|v| u.dot(*v) < 0.9), "{u}");
        }
    }
}
