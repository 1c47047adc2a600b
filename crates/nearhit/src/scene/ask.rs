//! Scene-wide queries: collisions, contacts, clearance and nearest bodies of a whole scene.
//!
//! Near pairs come from the broad phase in a fixed order and are asked about on all cores, each on
//! its own. Searches for the closest go through them by the gap of their boxes, in groups of a
//! fixed size: all of a group know the best of the groups before it, so that neither answers nor
//! work depend on the number of threads. What the search finds for the best is then asked for again
//! without a bound: where several triangles are equally close, the bound would choose among them.

use super::body::Part;
use super::filter::Candidate;
use super::part_pair::{PartContacts, PartPair, UpTo};
use super::{PartId, Scene, SceneError};
use crate::bounds::Bounds;
use crate::error::QueryError;
use crate::parallel::*;
use crate::query::{Distance, Scratch, Settings, Tolerance, TrianglePair, Verdict};
use crate::shape::ShapeContact;
use crate::solid::{Side, SolidCollision, SolidContact};
use crate::traverse::{Limit, Stats};
use std::fmt;

/// A scene with an up-to-date broad phase, ready for queries.
///
/// Every answer is complete, unless a limit is set: then it names the pairs for which there was too
/// little work or time. All of a scene within one budget: [`Scene::detect`].
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use nearhit::Limit;
/// use nearhit::scene::{BodySpec, Scene};
/// use std::sync::Arc;
///
/// let cube = Arc::new(cube(1.0));
/// let mut scene = Scene::default();
/// scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
/// scene.insert(BodySpec::rigid("right", cube.clone()).at(at(1.5, 0.0, 0.0)))?;
/// let mut settled = scene.settle();
/// settled.limit = Limit::Work(10_000);
/// let answer = settled.colliding()?;
/// assert_eq!((answer.found.len(), answer.undecided.len()), (1, 0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Settled<'s> {
    pub(super) scene: &'s Scene,
    /// What each question of two parts may take; no limit unless it is set.
    pub limit: Limit,
}

/// A part in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member<'s> {
    /// Which.
    pub id: PartId,
    /// Name of the body.
    pub body: &'s str,
    /// Name of the part: the body's own for a rigid one.
    pub part: &'s str,
}

impl fmt::Display for Member<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { body, part, .. } = self;
        if body == part { formatter.write_str(body) } else { write!(formatter, "{body}/{part}") }
    }
}

/// Answer of a scene query, with its cost.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Answer<T> {
    /// In the order of the parts' ids, or from the closest on.
    pub found: Vec<T>,
    /// Pairs that the limit left undecided: whether they belong to `found`, or all that belongs to
    /// them, is not known. None without a limit.
    pub undecided: Vec<(PartId, PartId)>,
    /// How many pairs of parts were asked about.
    pub asked: usize,
    /// Work done on triangles and their trees.
    pub stats: Stats,
}

/// Two parts in contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Touch<'s> {
    /// One.
    pub a: Member<'s>,
    /// The other.
    pub b: Member<'s>,
    /// Two triangles that share a point (0 for a shape that is no mesh); or, of solids whose
    /// surfaces do not touch, who is inside whom (vertex 0 for a shape that is no mesh).
    pub contact: SolidContact,
}

/// Two parts in contact, with all triangles that touch.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Touching<'s> {
    /// One.
    pub a: Member<'s>,
    /// The other.
    pub b: Member<'s>,
    /// Every pair of triangles that share a point, in order, 0 for a shape that is no mesh; none
    /// where one is inside the other.
    pub contacts: Vec<TrianglePair>,
    /// Where, which way out and how deep, one for each of `contacts`, in a's frame. Empty for two
    /// meshes without margins: [`ShapePair::contacts`](crate::shape::ShapePair::contacts) has them.
    pub points: Vec<ShapeContact>,
    /// Of solids whose surfaces do not touch: which of the two, or a piece of it, is inside the
    /// other.
    pub inside: Option<Side>,
}

/// Distance of two parts.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Gap<'s> {
    /// One.
    pub a: Member<'s>,
    /// The other.
    pub b: Member<'s>,
    /// Exact between meshes, an interval where a shape is none or a limit is set. Of two solid
    /// meshes in contact, an interval below zero that holds the signed distance
    /// ([`crate::SolidPair::distance`]); of two convex shapes in contact, minus their penetration
    /// depth. Points are in a's frame. Of a solid and a surface within it, both points are one of
    /// the surface.
    pub distance: Distance,
}

/// Two parts, the smaller id first.
pub(super) type Parts = (PartId, PartId);

/// What one pair adds to an answer.
struct Asked<T> {
    found: Option<T>,
    is_decided: bool,
    stats: Stats,
}

/// Groups grow to this many pairs.
const GROUP: usize = 64;
/// The first is small, so that a bound is known soon.
const FIRST_GROUP: usize = 4;

impl<'s> Settled<'s> {
    /// The scene.
    #[must_use]
    pub fn scene(&self) -> &'s Scene {
        self.scene
    }

    /// All pairs of parts that may be within `reach` of each other: not filtered out, and boxes no
    /// farther apart.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// scene.insert(BodySpec::rigid("right", cube.clone()).at(at(3.0, 0.0, 0.0)))?;
    /// assert_eq!(scene.settle().near_pairs(1.0)?.len(), 1);
    /// assert!(scene.settle().near_pairs(0.0)?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "broad phase")]
    #[doc(alias = "candidate pairs")]
    pub fn near_pairs(&self, reach: f64) -> Result<Vec<(PartId, PartId)>, SceneError> {
        checked("the distance", reach)?;
        Ok(self.candidates(reach))
    }

    /// No two parts that are not near each other touch before this time, if all bodies keep to what
    /// was said about their motion (`Scene::set_motion`). The present, unless the broad phase
    /// looks ahead.
    #[must_use]
    pub(crate) fn earliest_contact(&self) -> f64 {
        let items = &self.scene.items;
        // Broad phases do not hear of half-spaces.
        if items.are_bounded() { self.scene.broad.earliest_contact(items) } else { items.time() }
    }

    /// How far time may advance before this scene must be asked again: to the earliest possible
    /// contact, but at least `shortest` (a minimum temporal resolution) and at most `longest`.
    #[must_use]
    pub(crate) fn next_step(&self, shortest: f64, longest: f64) -> f64 {
        (self.earliest_contact() - self.scene.items.time()).min(longest).max(shortest)
    }

    /// All pairs of parts in contact: those that touch and, of solids, those of which one is inside
    /// the other.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// scene.insert(BodySpec::rigid("right", cube.clone()).at(at(1.5, 0.0, 0.0)))?;
    /// let touching = scene.settle().colliding()?.found.len();
    /// assert_eq!(touching, 1);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "collision pairs")]
    pub fn colliding(&self) -> Result<Answer<Touch<'s>>, SceneError> {
        self.each(self.candidates(0.0), |parts, pair, scratch| {
            let SolidCollision { contact, is_complete, stats, .. } = pair.collide(&self.settings(), scratch);
            let touch = |contact| Touch { a: self.member(parts.0), b: self.member(parts.1), contact };
            Asked { found: contact.map(touch), is_decided: is_complete, stats }
        })
    }

    /// Are any two parts in contact? Stops at the first that are found.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// scene.insert(BodySpec::rigid("right", cube.clone()).at(at(1.5, 0.0, 0.0)))?;
    /// assert!(scene.settle().collides()?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Error besides those of a pair: the limit left one undecided, and no other is in contact.
    pub fn collides(&self) -> Result<bool, SceneError> {
        let (pairs, mut size, mut undecided) = (self.candidates(0.0), FIRST_GROUP, None);
        let mut rest = &pairs[..];
        while !rest.is_empty() {
            let (group, later) = rest.split_at(size.min(rest.len()));
            let found = self.each(group.to_vec(), |_, pair, scratch| {
                let SolidCollision { contact, is_complete, stats, .. } = pair.collide(&self.settings(), scratch);
                Asked { found: contact.map(drop), is_decided: is_complete, stats }
            })?;
            if !found.found.is_empty() {
                return Ok(true);
            }
            undecided = undecided.or(found.undecided.first().copied());
            (rest, size) = (later, (2 * size).min(GROUP));
        }
        match undecided {
            Some((a, b)) => Err(SceneError::Undecided { a: self.member(a).to_string(), b: self.member(b).to_string() }),
            None => Ok(false),
        }
    }

    /// The same pairs, with all triangles that touch.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// scene.insert(BodySpec::rigid("right", cube.clone()).at(at(1.5, 0.0, 0.0)))?;
    /// let found = scene.settle().contacts()?.found;
    /// assert!(!found[0].contacts.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn contacts(&self) -> Result<Answer<Touching<'s>>, SceneError> {
        self.each(self.candidates(0.0), |parts, pair, scratch| {
            let PartContacts { pieces: contacts, points, inside, is_complete, stats } =
                pair.contacts(&self.settings(), scratch);
            let (a, b) = (self.member(parts.0), self.member(parts.1));
            let is_contact = !contacts.is_empty() || inside.is_some();
            let found = is_contact.then_some(Touching { a, b, contacts, points, inside });
            Asked { found, is_decided: is_complete, stats }
        })
    }

    /// All pairs of parts that are at most `limit` apart, with their distances: those in contact,
    /// too.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// scene.insert(BodySpec::rigid("right", cube.clone()).at(at(3.0, 0.0, 0.0)))?;
    /// assert_eq!(scene.settle().within(1.0)?.found[0].distance.upper, 1.0);
    /// assert!(scene.settle().within(0.5)?.found.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "clearance")]
    pub fn within(&self, limit: f64) -> Result<Answer<Gap<'s>>, SceneError> {
        checked("the limit", limit)?;
        self.each(self.candidates(limit), |parts, pair, scratch| {
            let (verdict, mut stats) = pair.within(limit, &self.settings(), scratch);
            if verdict != Verdict::Yes {
                return Asked { found: None, is_decided: verdict == Verdict::No, stats };
            }
            let distance = pair.distance(Tolerance::EXACT, &self.settings(), scratch);
            stats += distance.stats;
            let found = Some(Gap { a: self.member(parts.0), b: self.member(parts.1), distance });
            Asked { found, is_decided: true, stats }
        })
    }

    /// The two parts that are closest, or, of solids, deepest in each other; none if there is no
    /// pair to ask about. With a limit others may be closer: [`Settled::nearest`] names them.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// scene.insert(BodySpec::rigid("right", cube.clone()).at(at(3.0, 0.0, 0.0)))?;
    /// let settled = scene.settle();
    /// let closest = settled.closest()?.expect("a pair");
    /// assert_eq!((closest.a.body, closest.b.body, closest.distance.upper), ("left", "right", 1.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn closest(&self) -> Result<Option<Gap<'s>>, SceneError> {
        Ok(self.nearest(1)?.found.pop())
    }

    /// The `count` pairs of parts that are closest, from the closest on; of equally close ones
    /// those with the smaller ids. Solids in contact come first, by the upper ends of their signed
    /// distances. With a limit, `undecided` are those that may be closer than the last of them.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::{BodySpec, Scene};
    /// use std::sync::Arc;
    ///
    /// let cube = Arc::new(cube(1.0));
    /// let mut scene = Scene::default();
    /// scene.insert(BodySpec::rigid("left", cube.clone()).at(at(0.0, 0.0, 0.0)))?;
    /// scene.insert(BodySpec::rigid("right", cube.clone()).at(at(3.0, 0.0, 0.0)))?;
    /// assert_eq!(scene.settle().nearest(5)?.found.len(), 1); // there is but one pair
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "k nearest")]
    pub fn nearest(&self, count: usize) -> Result<Answer<Gap<'s>>, SceneError> {
        let (mut reach, mut known) = (0.0, Nearest::new(count));
        let mut answer = Answer { found: Vec::new(), undecided: Vec::new(), asked: 0, stats: Stats::default() };
        if count == 0 {
            return Ok(answer);
        }
        // Wider and wider until the bound is within what was looked at: then nothing outside can be
        // closer. Ends: reaches double up to everything; a reach that is a bound is the last but
        // one, as bounds only fall.
        loop {
            let pairs = self.by_gap(reach, &known);
            answer.asked += pairs.len();
            self.improve(&mut known, &pairs, &mut answer.stats)?;
            if known.bound() <= reach || reach == f64::INFINITY {
                break;
            }
            reach = if known.bound() < f64::INFINITY { known.bound() } else { self.wider(reach) };
        }
        answer.undecided = known.undecided();
        let best = known.best.iter().map(|&(_, parts)| parts).collect();
        let exact = self.each(best, |parts, pair, scratch| {
            let distance = pair.distance(Tolerance::EXACT, &self.settings(), scratch);
            let found = Some(Gap { a: self.member(parts.0), b: self.member(parts.1), distance });
            Asked { found, is_decided: true, stats: distance.stats }
        })?;
        answer.stats += exact.stats;
        answer.found = exact.found;
        Ok(answer)
    }

    /// Twice as wide, from the size of a usual part on (a floor under all the others says nothing
    /// about their gaps); at last everything.
    fn wider(&self, reach: f64) -> f64 {
        let bounds = || self.scene.items.iter().map(|(_, item)| item.bounds);
        let whole = bounds().fold(Bounds::EMPTY, |whole, bounds| whole.join(&bounds));
        let everything = (whole.high - whole.low).max_element();
        let usual = || {
            let mut sizes: Vec<f64> = bounds().map(|bounds| (bounds.high - bounds.low).max_element()).collect();
            sizes.sort_unstable_by(f64::total_cmp);
            sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
        };
        let next = if reach > 0.0 { 2.0 * reach } else { usual() };
        if next > 0.0 && next < everything { next } else { f64::INFINITY }
    }

    /// Pairs within reach that were not looked at yet, by the gap of their boxes: each with a lower
    /// bound on its distance.
    fn by_gap(&self, reach: f64, known: &Nearest) -> Vec<(f64, Parts)> {
        let fresh = |parts: &Parts| known.looked_at.binary_search(parts).is_err();
        let pairs = self.candidates(reach).into_iter().filter(fresh);
        let mut pairs: Vec<(f64, Parts)> = pairs.map(|parts| (self.least(parts), parts)).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        pairs
    }

    /// By their boxes: the distance of two parts is at least this.
    fn least(&self, (a, b): Parts) -> f64 {
        let scene = self.scene;
        let (Ok(part_a), Ok(part_b)) = (scene.part(a), scene.part(b)) else { return f64::NEG_INFINITY };
        let gap = scene.items.least_gap(part_a.key, part_b.key);
        let solid = |part: &'s Part| part.shape.model().filter(|_| part.shape.is_solid());
        // Two meshes have another depth than convex shapes, all others none.
        let (Some(model_a), Some(model_b)) = (solid(part_a), solid(part_b)) else { return gap };
        let boxes = scene.items.get(part_a.key).zip(scene.items.get(part_b.key));
        let Some((box_a, box_b)) = boxes.map(|(a, b)| (a.bounds, b.bounds)) else { return f64::NEG_INFINITY };
        if gap > 0.0 {
            return gap;
        }
        if !(model_a.inside().is_exact() && model_b.inside().is_exact()) {
            // With holes, what is inside need not be within the box.
            return f64::NEG_INFINITY;
        }
        -box_a.depth_of(&box_b).max(box_b.depth_of(&box_a))
    }

    fn improve(&self, known: &mut Nearest, pairs: &[(f64, Parts)], stats: &mut Stats) -> Result<(), SceneError> {
        let (mut rest, mut size) = (pairs, FIRST_GROUP);
        while !rest.is_empty() {
            let bound = known.bound();
            // Sorted by gap: no later pair can be closer either.
            if rest[0].0 > bound {
                break;
            }
            let (group, later) = rest.split_at(size.min(rest.len()));
            (rest, size) = (later, (2 * size).min(GROUP));
            let parts = group.iter().map(|&(_, parts)| parts).collect();
            let found = self.each(parts, |parts, pair, scratch| {
                let UpTo { upper, open_from, stats } = pair.distance_up_to(bound, &self.settings(), scratch);
                let found = (upper.is_some() || open_from.is_some()).then_some((upper, open_from, parts));
                Asked { found, is_decided: true, stats }
            })?;
            *stats += found.stats;
            known.open.extend(found.found.iter().filter_map(|&(_, lower, parts)| Some((lower?, parts))));
            known.add(found.found.into_iter().filter_map(|(upper, _, parts)| Some((upper?, parts))).collect());
        }
        known.looked_at.extend(pairs.iter().map(|&(_, parts)| parts));
        known.looked_at.sort_unstable();
        Ok(())
    }

    /// What the broad phase names and the filter leaves, sorted.
    fn candidates(&self, reach: f64) -> Vec<Parts> {
        let scene = self.scene;
        let mut keys = Vec::new();
        scene.broad.pairs(&scene.items, reach, &mut keys);
        scene.items.unbounded_pairs(reach, &mut keys);
        let part = |key: u32| scene.items.part(key).and_then(|part| scene.candidate(part));
        let asked = |(a, b)| part(a).zip(part(b)).filter(|&(a, b)| scene.filter.asks(a, b));
        let ordered = |(a, b): (Candidate, Candidate)| (a.id.min(b.id), a.id.max(b.id));
        let mut pairs: Vec<Parts> = keys.into_iter().filter_map(asked).map(ordered).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Asks about each pair, on all cores.
    fn each<T: Send>(
        &self,
        pairs: Vec<Parts>,
        ask: impl Fn(Parts, &PartPair<'s>, &mut Scratch) -> Asked<T> + Sync,
    ) -> Result<Answer<T>, SceneError> {
        let placed = |&parts: &Parts| Ok((parts, self.pair(parts)?));
        let placed: Vec<(Parts, PartPair<'s>)> = pairs.iter().map(placed).collect::<Result<_, SceneError>>()?;
        // What a model makes on first use it makes here, not within a task; what tells inside from
        // outside was made before.
        placed.iter().for_each(|(_, pair)| pair.prepare());
        let answers: Vec<Asked<T>> =
            placed.par_iter().map_init(Scratch::new, |scratch, (parts, pair)| ask(*parts, pair, scratch)).collect();
        let (found, undecided, stats) = (Vec::new(), Vec::new(), Stats::default());
        let mut answer = Answer { found, undecided, asked: answers.len(), stats };
        for (Asked { found, is_decided, stats }, (parts, _)) in answers.into_iter().zip(placed) {
            answer.found.extend(found);
            answer.undecided.extend((!is_decided).then_some(parts));
            answer.stats += stats;
        }
        Ok(answer)
    }

    /// Of one question, which begins now.
    fn settings(&self) -> Settings<'static> {
        Settings::new().budget(self.limit)
    }

    pub(super) fn pair(&self, (a, b): Parts) -> Result<PartPair<'s>, SceneError> {
        let (part_a, part_b) = (self.scene.part(a)?, self.scene.part(b)?);
        let pair = PartPair::new(&part_a.shape, &part_a.world_from_part, &part_b.shape, &part_b.world_from_part);
        pair.map_err(|error| self.refused((a, b), error))
    }

    fn refused(&self, (a, b): Parts, error: QueryError) -> SceneError {
        SceneError::Pair { a: self.member(a).to_string(), b: self.member(b).to_string(), error }
    }

    /// A part that is in the scene.
    pub(super) fn member(&self, id: PartId) -> Member<'s> {
        let part = self.scene.part(id).map_or("", |part| &part.name);
        Member { id, body: self.scene.body(id.body).map_or("", |body| &body.name), part }
    }
}

/// The best pairs so far, and which were looked at, sorted.
struct Nearest {
    count: usize,
    best: Vec<(f64, Parts)>,
    looked_at: Vec<Parts>,
    /// Whose distances the limit left open, with the least that they can be.
    open: Vec<(f64, Parts)>,
}

impl Nearest {
    fn new(count: usize) -> Self {
        Self { count, best: Vec::new(), looked_at: Vec::new(), open: Vec::new() }
    }

    /// Pairs besides the best that may be as close as one of them.
    fn undecided(&self) -> Vec<Parts> {
        let is_best = |parts: &Parts| self.best.iter().any(|(_, best)| best == parts);
        let near = self.open.iter().filter(|(lower, parts)| *lower <= self.bound() && !is_best(parts));
        let mut undecided: Vec<Parts> = near.map(|&(_, parts)| parts).collect();
        undecided.sort_unstable();
        undecided
    }

    /// Only pairs of at most this distance matter.
    fn bound(&self) -> f64 {
        if self.best.len() < self.count { f64::INFINITY } else { self.best[self.count - 1].0 }
    }

    fn add(&mut self, found: Vec<(f64, Parts)>) {
        self.best.extend(found);
        self.best.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        self.best.truncate(self.count);
    }
}

pub(super) fn checked(what: &str, value: f64) -> Result<(), SceneError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(SceneError::BadNumber { what: what.to_owned(), value, must: "a finite number of at least 0" })
}
