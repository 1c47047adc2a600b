//! Down two trees of pieces together, nearest boxes first.
//!
//! Boxes lie along the axes of their own frames. Their gaps along the three axes of either frame
//! add up as squares; the larger length of the two, less the radii and all rounding, is not above
//! the distance of any two pieces in them.

use super::half_space::Plane;
use super::pieces::{Part, Place, Set};
use crate::pose::Pose;
use crate::traverse::{Budget, Stats};
use crate::vector::length;
use crate::volume::slack;
use glam::{DMat3, DVec3};

/// What a search wants of the pieces that it meets.
pub(super) trait Visit {
    /// Only pieces closer than this matter: the distance of their cores less what the pieces
    /// themselves are grown by. It may fall while the search goes on, and never rises. A negative
    /// one ends the search.
    fn threshold(&self) -> f64;

    /// Looks at a piece of each.
    fn look(&mut self, piece_a: u32, piece_b: u32);
}

/// Two parts that may be close.
#[derive(Debug, Clone, Copy)]
struct Both {
    bound: f64,
    a: Part,
    b: Part,
}

/// Working memory of descents.
#[derive(Debug, Default)]
pub(super) struct Room {
    open: Vec<Both>,
    parts: Vec<Part>,
}

/// How two frames lie to each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frames {
    a_from_b: Pose,
    /// The rotation without signs.
    size: DMat3,
    slack: f64,
}

impl Frames {
    /// `lengths` is the sum of the margins.
    pub(super) fn new(a: &Set<'_>, b: &Set<'_>, a_from_b: &Pose, lengths: f64) -> Self {
        let turn = a_from_b.rotation();
        let size = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        let reach = a.size() + 2.0 * b.size() + a_from_b.translation().abs().max_element() + lengths;
        Self { a_from_b: *a_from_b, size, slack: slack(reach) }
    }

    /// No two pieces in these parts are closer.
    fn bound(&self, a: &Part, b: &Part) -> f64 {
        let away = self.a_from_b.apply(b.middle) - a.middle;
        let along_a = away.abs() - a.half - self.size * b.half;
        let along_b = (self.a_from_b.rotation().transpose() * away).abs() - b.half - self.size.transpose() * a.half;
        let gap = length(along_a.max(DVec3::ZERO)).max(length(along_b.max(DVec3::ZERO)));
        gap - a.radius - b.radius - self.slack
    }

    /// No piece in this part is less high over the plane; true if the part is b's.
    fn height(&self, plane: &Plane, part: &Part, is_b: bool) -> f64 {
        let (middle, across) = if is_b {
            (self.a_from_b.apply(part.middle), self.a_from_b.rotation().transpose() * plane.normal)
        } else {
            (part.middle, plane.normal)
        };
        plane.height(middle) - across.abs().dot(part.half) - part.radius - self.slack
    }
}

/// A search through two sets.
pub(super) struct Descent<'d, 's> {
    pub(super) a: &'d Set<'s>,
    pub(super) b: &'d Set<'s>,
    pub(super) frames: Frames,
    pub(super) budget: &'d Budget<'d>,
}

impl Descent<'_, '_> {
    fn both(&self, a: Part, b: Part) -> Both {
        let bound = match (self.a.plane(), self.b.plane()) {
            (Some(plane), _) => self.frames.height(plane, &b, true),
            (_, Some(plane)) => self.frames.height(plane, &a, false),
            _ => self.frames.bound(&a, &b),
        };
        Both { bound, a, b }
    }

    /// Shows every two pieces that may be closer than the threshold. Also returns what everything
    /// that was not looked at is not nearer than, should the budget end the search.
    pub(super) fn run(&self, visit: &mut impl Visit, room: &mut Room) -> (Stats, Option<f64>) {
        let mut stats = Stats::default();
        room.open.clear();
        room.open.push(self.both(self.a.root(), self.b.root()));
        while visit.threshold() >= 0.0
            && let Some(both) = room.open.pop()
        {
            if both.bound > visit.threshold() {
                continue;
            }
            if self.budget.is_spent(&stats) {
                let least = room.open.iter().fold(both.bound, |least, other| least.min(other.bound));
                return (stats, Some(least.max(0.0)));
            }
            match (both.a.place, both.b.place) {
                (Place::Piece(a), Place::Piece(b)) => {
                    stats.triangle_tests += 1;
                    visit.look(a, b);
                }
                _ => self.open(&both, visit.threshold(), room, &mut stats),
            }
        }
        (stats, None)
    }

    /// Opens the larger of the two, nearest last.
    fn open(&self, both: &Both, threshold: f64, room: &mut Room, stats: &mut Stats) {
        let Both { a, b, .. } = *both;
        let Room { open, parts } = room;
        let start = open.len();
        parts.clear();
        let larger = a.half.max_element() + a.radius >= b.half.max_element() + b.radius;
        match (a.place, b.place) {
            (Place::Node(node), Place::Piece(_)) => self.a.open(node, parts),
            (Place::Node(node), Place::Node(_)) if larger => self.a.open(node, parts),
            (_, Place::Node(node)) => {
                self.b.open(node, parts);
                open.extend(parts.iter().map(|&part| self.both(a, part)));
                parts.clear();
            }
            (Place::Piece(_), Place::Piece(_)) => {}
        }
        open.extend(parts.iter().map(|&part| self.both(part, b)));
        stats.volume_tests += (open.len() - start) as u64;
        let mut kept = start;
        for at in start..open.len() {
            if !(open[at].bound > threshold) {
                open.swap(kept, at);
                kept += 1;
            }
        }
        open.truncate(kept);
        open[start..].sort_unstable_by(|p, q| q.bound.total_cmp(&p.bound));
    }
}
