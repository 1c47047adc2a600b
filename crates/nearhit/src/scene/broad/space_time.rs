//! Space-time bounds (Hubbard 1993, 1995): a ball, its velocity and a bound on its acceleration
//! tell where it can be at any later time, and so when two of them can meet at the earliest.
//!
//! A part whose centre was at c with velocity v is, s later, within `½·a·s²` of `c + v·s`, if it
//! keeps to its bound a. Two parts need not be looked at before their growing balls can meet. Balls
//! that cannot meet soon are not even paired: each part has a box around all it can reach in a
//! while, in a tree, and only parts whose boxes meet have a time at which to look.
//!
//! What a part claims about its motion is never believed: when it is not where it said it could be
//! it starts anew. So a wrong claim costs time, not truth.

use super::{BoxTree, BroadPhase, Items, KeyPair, ordered};
use crate::bounds::Bounds;
use crate::scene::PartId;
use glam::DVec3;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A ball that a part stays in however it turns, and how that ball moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mover {
    /// The origin of its body.
    pub center: DVec3,
    /// Around all of the part.
    pub radius: f64,
    /// Of the centre.
    pub velocity: DVec3,
    /// Infinite where nothing is known.
    pub max_acceleration: f64,
}

impl Mover {
    /// Where the ball can be after `time`, as a box.
    fn reached(&self, time: f64) -> Bounds {
        let (center, radius) = (self.center + self.velocity * time, self.radius + self.spread(time));
        // Rounding, generously: a box too large costs next to nothing.
        let radius = radius * (1.0 + 1e-9) + (center.abs().max_element() + radius) * 1e-12;
        Bounds { low: center - radius, high: center + radius }
    }

    fn spread(&self, time: f64) -> f64 {
        if time == 0.0 { 0.0 } else { 0.5 * self.max_acceleration * time * time }
    }

    /// How long until it has moved about its own size: as long as its box is kept.
    fn patience(&self) -> f64 {
        let (speed, acceleration) = (crate::vector::length(self.velocity), self.max_acceleration);
        time_to_cover(self.radius, speed, acceleration)
    }

    /// `other`, seen `time` later, is within what this one can reach.
    fn allows(&self, other: &Self, time: f64) -> bool {
        let drift = crate::vector::length(other.center - (self.center + self.velocity * time));
        // Less than what `earliest` holds back.
        drift + other.radius <= self.radius * (1.0 + 1e-13) + self.spread(time)
    }

    /// A time before which the two balls cannot meet, this one as of `since.0` ago and the other as
    /// of `since.1` ago; 0 if they may now.
    ///
    /// Distance shrinks no faster than the relative speed, which grows no faster than both
    /// accelerations: a step of so much time is safe. A few of them come near the first moment of
    /// contact, and stop early where the two move apart.
    fn earliest(&self, other: &Self, since: [f64; 2]) -> f64 {
        let now = |mover: &Self, age: f64| (mover.center + mover.velocity * age, mover.radius + mover.spread(age));
        let ((center_a, radius_a), (center_b, radius_b)) = (now(self, since[0]), now(other, since[1]));
        let (offset, velocity) = (center_b - center_a, other.velocity - self.velocity);
        let acceleration = self.max_acceleration + other.max_acceleration;
        if acceleration == f64::INFINITY {
            return 0.0;
        }
        // By which the speeds may have changed already.
        let changed = self.max_acceleration * since[0] + other.max_acceleration * since[1];
        let (speed, scale) = (crate::vector::length(velocity), crate::vector::length(offset) + radius_a + radius_b);
        let mut time = 0.0;
        for _ in 0..STEPS {
            let grown = radius_a + radius_b + changed * time + 0.5 * acceleration * time * time;
            let gap = crate::vector::length(offset + velocity * time) - grown - scale * 1e-12;
            if gap <= 0.0 {
                break;
            }
            time += time_to_cover(gap, speed + changed + acceleration * time, acceleration);
            if time == f64::INFINITY {
                break;
            }
        }
        time
    }
}

const STEPS: usize = 6;

/// How much larger the box of a part is that says nothing about its motion, as a share of its ball.
const MARGIN: f64 = 0.1;

/// The largest time that surely does not cover more than `length`, from a speed and under an
/// acceleration.
fn time_to_cover(length: f64, speed: f64, acceleration: f64) -> f64 {
    if acceleration == f64::INFINITY {
        return 0.0;
    }
    // Of speed·s + ½·acceleration·s² = length, without cancellation.
    let denominator = speed + (speed * speed + 2.0 * acceleration * length).sqrt();
    if denominator == 0.0 { f64::INFINITY } else { 2.0 * length / denominator * (1.0 - 1e-9) }
}

/// What a part said about itself, and when.
#[derive(Debug, Clone, Copy)]
struct Claim {
    part: PartId,
    mover: Mover,
    made: f64,
    /// Until then its box in the tree holds it.
    until: f64,
    /// Tells alarms for this claim from those for earlier ones.
    edition: u32,
}

/// A moment at which two parts must be looked at again.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Alarm {
    time: f64,
    pair: KeyPair,
    editions: (u32, u32),
}

impl Eq for Alarm {}

impl Ord for Alarm {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.pair.cmp(&other.pair)).then(self.editions.cmp(&other.editions))
    }
}

impl PartialOrd for Alarm {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Growing balls, and when to look at whom.
#[derive(Debug, Clone, Default)]
pub struct SpaceTime {
    claims: Vec<Option<Claim>>,
    editions: Vec<u32>,
    tree: BoxTree,
    alarms: BinaryHeap<Reverse<Alarm>>,
    /// Pairs whose growing balls meet now.
    awake: Vec<Alarm>,
    now: f64,
    /// How many alarms there may be before void ones are looked for.
    room: usize,
}

impl SpaceTime {
    fn is_current(&self, alarm: &Alarm) -> bool {
        let current =
            |key: u32, edition: u32| self.claims[key as usize].is_some_and(|claim: Claim| claim.edition == edition);
        current(alarm.pair.0, alarm.editions.0) && current(alarm.pair.1, alarm.editions.1)
    }

    /// Must a part start anew? It has come or gone, is not where it said it could be, or its box is
    /// too old.
    fn is_outdated(&self, items: &Items, key: u32) -> bool {
        let (Some(claim), Some(item)) = (self.claims[key as usize], items.get(key)) else {
            return self.claims[key as usize].is_some() != items.get(key).is_some();
        };
        let Mover { velocity, max_acceleration, .. } = item.mover;
        let age = items.time - claim.made;
        let in_box = self.tree.get(key).is_some_and(|reached| reached.holds(&item.bounds));
        let in_ball = claim.mover.max_acceleration == f64::INFINITY || claim.mover.allows(&item.mover, age);
        // Another velocity that breaks nothing can wait a while.
        let says_else =
            !item.is_fixed && (velocity, max_acceleration) != (claim.mover.velocity, claim.mover.max_acceleration);
        claim.part != item.part
            || !in_box
            || !in_ball
            || claim.until < items.time
            || says_else && age > 0.5 * (claim.until - claim.made)
    }

    /// Asks a part anew; its alarms are void.
    fn renew(&mut self, items: &Items, key: u32) {
        let edition = &mut self.editions[key as usize];
        *edition = edition.wrapping_add(1);
        let Some(item) = items.get(key) else {
            self.claims[key as usize] = None;
            self.tree.remove(key);
            return;
        };
        let still = Mover { velocity: DVec3::ZERO, max_acceleration: 0.0, ..item.mover };
        let mover = if item.is_fixed { still } else { item.mover };
        let patience = mover.patience();
        let (swept, until) = if mover.max_acceleration == f64::INFINITY {
            (item.bounds.grown(MARGIN * mover.radius), f64::INFINITY)
        } else if patience == f64::INFINITY {
            (item.bounds.join(&mover.reached(0.0)), f64::INFINITY)
        } else {
            (mover.reached(0.0).join(&mover.reached(patience)), items.time + patience)
        };
        let claim = Claim { part: item.part, mover, made: items.time, until, edition: *edition };
        self.claims[key as usize] = Some(claim);
        self.tree.insert(key, swept);
    }

    /// A moment for every part whose box meets this one's.
    fn pair_up(&mut self, items: &Items, key: u32, fresh: &[u32]) {
        let Some(&bounds) = self.tree.get(key) else { return };
        let mut others = Vec::new();
        let is_fixed = |key: u32| items.get(key).is_some_and(|item| item.is_fixed);
        self.tree.visit(&bounds, 0.0, &mut Vec::new(), |other| {
            // Two fresh ones meet once.
            let twice = other < key && fresh.binary_search(&other).is_ok();
            if other != key && !twice && !(is_fixed(key) && is_fixed(other)) {
                others.push(other);
            }
        });
        for other in others {
            let pair = ordered(key, other);
            let editions = (self.editions[pair.0 as usize], self.editions[pair.1 as usize]);
            self.set(Alarm { time: items.time, pair, editions });
        }
    }

    /// When must the pair be looked at next? Never within the claims' time, perhaps: then it is
    /// looked at when one of them is renewed.
    fn set(&mut self, alarm: Alarm) {
        let claims = [alarm.pair.0, alarm.pair.1].map(|key| self.claims[key as usize]);
        let [Some(a), Some(b)] = claims else { return };
        let time = self.now + a.mover.earliest(&b.mover, [self.now - a.made, self.now - b.made]);
        // No number: the two move too fast for any.
        if time <= self.now || time.is_nan() {
            self.awake.push(alarm);
        } else if time <= a.until.min(b.until) {
            self.alarms.push(Reverse(Alarm { time, ..alarm }));
        }
    }
}

impl BroadPhase for SpaceTime {
    fn name(&self) -> &'static str {
        "space-time"
    }

    /// Looks at all parts: what does not move may break its word too.
    fn update(&mut self, items: &Items, _: &[u32]) {
        if self.claims.len() < items.end() {
            self.claims.resize(items.end(), None);
            self.editions.resize(items.end(), 0);
        }
        let outdated: Vec<u32> = (0..items.end() as u32).filter(|&key| self.is_outdated(items, key)).collect();
        self.now = items.time;
        for &key in &outdated {
            self.renew(items, key);
        }
        let mut due = std::mem::take(&mut self.awake);
        while let Some(&Reverse(alarm)) = self.alarms.peek().filter(|alarm| alarm.0.time <= items.time) {
            self.alarms.pop();
            due.push(alarm);
        }
        due.retain(|alarm| self.is_current(alarm));
        due.drain(..).for_each(|alarm| self.set(alarm));
        for &key in &outdated {
            self.pair_up(items, key, &outdated);
        }
        // Void alarms are dropped before they are most of what there is.
        if self.alarms.len() > self.room {
            let mut alarms = std::mem::take(&mut self.alarms).into_vec();
            alarms.retain(|alarm| self.is_current(&alarm.0));
            self.room = 64 + 2 * alarms.len();
            self.alarms = alarms.into();
        }
    }

    fn pairs(&self, items: &Items, reach: f64, found: &mut Vec<KeyPair>) {
        if reach == 0.0 {
            found.extend(self.awake.iter().map(|alarm| alarm.pair).filter(|&(a, b)| items.are_near(a, b, 0.0)));
            return;
        }
        super::pairs_of(&self.tree, items, reach, found);
    }

    fn neighbours(&self, items: &Items, key: u32, found: &mut Vec<u32>) {
        super::neighbours_of(&self.tree, items, key, found);
    }

    fn earliest_contact(&self, items: &Items) -> f64 {
        let may_jump = self.claims.iter().flatten().any(|claim| claim.mover.max_acceleration == f64::INFINITY);
        let are_near = |alarm: &Alarm| items.are_near(alarm.pair.0, alarm.pair.1, 0.0);
        if may_jump || self.awake.iter().any(|alarm| !are_near(alarm)) {
            return items.time;
        }
        // What is not paired cannot meet before a box is too old.
        let boxes = self.claims.iter().flatten().map(|claim| claim.until).fold(f64::INFINITY, f64::min);
        self.alarms.peek().map_or(boxes, |alarm| alarm.0.time.min(boxes)).max(items.time)
    }
}
