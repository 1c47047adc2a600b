//! Time-critical query: bounds on separation and penetration depth when time runs out (k-DOP paper,
//! end of §5.2.)
//!
//! Two searches take turns until the budget is spent or both are finished: one for a contact
//! (`contact.rs`), one for a translation that takes the surfaces apart (`escape.rs`). Each only
//! ever improves what it knows, in an order that does not depend on the budget: so a larger budget
//! never gives a wider answer.

mod contact;
mod escape;
mod triangles;
mod warm;

pub use warm::Footing;

use super::{Pair, Scratch, Settings, TrianglePair, Verdict};
use crate::hierarchy::PairOperation;
use crate::hierarchy::{Content, Hierarchy};
use crate::traverse::{Memo, NodePair, Stats};
use crate::volume::BoundingVolume;
use contact::ContactSearch;
use escape::EscapeSearch;
use glam::DVec3;
use std::ops::Range;

/// A closed interval that contains an unknown number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Not below this.
    pub lower: f64,
    /// Not above this.
    pub upper: f64,
}

impl Interval {
    pub(crate) const ZERO: Self = Self { lower: 0.0, upper: 0.0 };
}

/// The answer of [`Pair::assess`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Assessment {
    /// Do the surfaces share a point? Maybe, if the budget ran out first.
    pub verdict: Verdict,
    /// Two triangles that do, when the verdict is yes.
    pub witness: Option<TrianglePair>,
    /// The distance of the surfaces. The upper end is the distance of two of their points; the
    /// lower one is 0 until every pair is resolved.
    pub separation: Interval,
    /// The length of the shortest translation that makes the surfaces disjoint; 0 when they are.
    /// The upper end is the length of `translation`.
    pub penetration: Interval,
    /// Moving b by this, in a's frame, is proven to leave no pair of triangles in contact, whether
    /// it was in contact before or not. `None` as long as no such translation is known: of the
    /// classic volumes, the line- and rectangle-swept ones know none before they come down to
    /// triangles.
    pub translation: Option<DVec3>,
    /// Has the search come to its end? False: the budget ran out, and more of it may narrow the
    /// answer.
    pub is_complete: bool,
    /// Work done.
    pub stats: Stats,
}

impl Pair<'_> {
    /// Do the surfaces touch, and whatever the answer: how far apart, how deep can it be? For a
    /// caller whose time is limited by [`Settings::budget`]; what it knows when that is spent is
    /// certain, if not sharp. Without a limit it goes on until nothing can be improved along 26
    /// directions.
    ///
    /// The two upper bounds never grow with the budget. Works on trees of classic volumes; a model
    /// of the default engine makes one on first use.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings, Budget};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(1.5, 0.0, 0.0))?;
    /// let mut scratch = Scratch::new(); // one for each thread, used again
    /// let hurried = Settings::new().budget(Budget::work(20));
    /// let known = pair.assess(&hurried, &mut scratch);
    /// assert!(known.separation.lower == 0.0); // they touch, whether it was found out or not
    /// let known = pair.assess(&Settings::default(), &mut scratch);
    /// assert!(known.penetration.upper >= 0.5 && known.translation.is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "anytime")]
    #[doc(alias = "time-critical collision detection")]
    #[doc(alias = "penetration depth")]
    #[must_use]
    pub fn assess(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> Assessment {
        let operation = Assess { pair: self, settings, scratch, footing: None };
        self.a.hierarchy().with_pair(self.b.hierarchy(), operation).expect("checked when the pair was made")
    }
}

/// Working memory of both searches.
#[derive(Debug, Default)]
pub(crate) struct Rooms {
    contact: contact::Room,
    escape: escape::Room,
}

struct Assess<'q, 'm, 'c> {
    pair: &'q Pair<'m>,
    settings: &'q Settings<'c>,
    scratch: &'q mut Scratch,
    footing: Option<&'q mut Footing>,
}

impl PairOperation for Assess<'_, '_, '_> {
    type Output = Assessment;

    fn run<V: BoundingVolume>(self, a: &Hierarchy<V>, b: &Hierarchy<V>) -> Assessment {
        let motion = V::motion(&self.pair.meshes.placement());
        let (memo, rooms) = self.scratch.rooms::<Memo<V::Placed>, Rooms>();
        memo.start(a.nodes().len());
        let mut view = View { pair: self.pair, a, b, motion: &motion, memo, stats: Stats::default() };
        let mut footing = self.footing;
        let remembered = footing.as_deref_mut().and_then(|footing| footing.begin((a.id(), b.id())));
        let mut contact = match footing.as_deref_mut() {
            Some(footing) => footing.contact(&mut view, &mut rooms.contact),
            None => ContactSearch::new(&mut view, &mut rooms.contact),
        };
        let mut escape = EscapeSearch::new(&mut view, &mut rooms.escape, remembered);
        let (mut on_contact, mut on_escape) = (0, 0);
        // Ends: every step opens a pair of nodes, of which there are finitely many, or finishes a
        // direction.
        let mut is_complete = true;
        while !(contact.is_done() && escape.is_done()) && contact.verdict() != Verdict::No && !escape.is_free() {
            if self.settings.budget.is_spent(&view.stats) {
                is_complete = false;
                break;
            }
            let before = view.work();
            if escape.is_done() || !contact.is_done() && on_contact <= on_escape {
                contact.step(&mut view);
                on_contact += view.work() - before;
            } else {
                escape.step(&mut view);
                on_escape += view.work() - before;
            }
        }
        let (nearest, said) = (contact.leave_all(), answer(&contact, &escape, view.stats));
        if let Some(footing) = footing {
            footing.end(nearest, said.translation);
        }
        Assessment { is_complete, ..said }
    }
}

fn answer(contact: &ContactSearch<'_>, escape: &EscapeSearch<'_>, stats: Stats) -> Assessment {
    // A translation by nothing that is proven to separate says that they do not touch.
    let verdict = if escape.is_free() { Verdict::No } else { contact.verdict() };
    let (length, translation) = match verdict {
        Verdict::No => (0.0, Some(DVec3::ZERO)),
        Verdict::Yes | Verdict::Maybe => escape.shortest(),
    };
    Assessment {
        verdict,
        witness: contact.witness(),
        separation: contact.separation(),
        penetration: Interval { lower: 0.0, upper: length },
        translation,
        is_complete: true,
        stats,
    }
}

/// Two trees, how they lie, and the work done on them.
struct View<'t, V: BoundingVolume> {
    pair: &'t Pair<'t>,
    a: &'t Hierarchy<V>,
    b: &'t Hierarchy<V>,
    motion: &'t V::Motion,
    memo: &'t mut Memo<V::Placed>,
    stats: Stats,
}

/// What comes of opening a pair.
enum Opened {
    /// Pairs of nodes: a's or b's node with the other's children.
    Children { of_a: bool, run: Range<u32> },
    /// Positions of triangles in the two trees.
    Triangles { a: Range<u32>, b: Range<u32> },
}

impl<'t, V: BoundingVolume> View<'t, V> {
    const ROOTS: NodePair = NodePair { a: Hierarchy::<V>::ROOT, b: Hierarchy::<V>::ROOT };

    fn work(&self) -> u64 {
        self.stats.volume_tests + self.stats.triangle_tests
    }

    /// Asks something of a pair of volumes.
    fn test<R>(&mut self, pair: NodePair, ask: impl FnOnce(&V, &V::Placed) -> R) -> R {
        let (tree, motion) = (self.a, self.motion);
        let (placed, made) = self.memo.get_or_place(pair.a, || tree.place(pair.a, motion));
        self.stats.updates += u64::from(made);
        self.stats.volume_tests += 1;
        ask(&self.b.node(pair.b).volume, placed)
    }

    /// Opens the larger of the two.
    fn open(&self, pair: NodePair) -> Opened {
        let (node_a, node_b) = (self.a.node(pair.a), self.b.node(pair.b));
        match (node_a.content(), node_b.content()) {
            (Content::Triangles(a), Content::Triangles(b)) => Opened::Triangles { a, b },
            (Content::Children(run), Content::Triangles(_)) => Opened::Children { of_a: true, run },
            (Content::Children(run), Content::Children(_)) if node_a.volume.size() > node_b.volume.size() => {
                Opened::Children { of_a: true, run }
            }
            (_, Content::Children(run)) => Opened::Children { of_a: false, run },
        }
    }

    /// Every pair of triangles of two leaves.
    fn triangle_pairs(&self, a: Range<u32>, b: Range<u32>) -> impl Iterator<Item = TrianglePair> + use<'t, V> {
        let (order_a, order_b) = (self.a.triangles(a), self.b.triangles(b));
        order_b.iter().flat_map(move |&b| order_a.iter().map(move |&a| TrianglePair { a, b }))
    }
}

/// One of the children of a pair.
fn child(pair: NodePair, of_a: bool, node: u32) -> NodePair {
    if of_a { NodePair { a: node, ..pair } } else { NodePair { b: node, ..pair } }
}
