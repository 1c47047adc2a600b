//! Collision and contacts of two surfaces.

use super::{Assessment, Contact, Nesting, Placement, Solid, Work};
use crate::query::{self, Contacts, TrianglePair, Verdict};

/// The report of a collision test: [`Pair::contacts`](crate::query::Pair::contacts), and
/// containment or an assessment if they were asked for.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Check {
    /// Do they touch? With `solid`, as solids. Null: the budget ran out before a contact was found.
    pub collides: Option<bool>,
    /// Were all contacts found? False: the budget ran out.
    #[cfg_attr(feature = "serde", serde(rename = "complete"))]
    pub is_complete: bool,
    /// How many pairs of triangles touch. Null: the budget ran out before all were found.
    pub contacts: Option<usize>,
    /// How many were found.
    pub contacts_at_least: usize,
    /// The first of them, in the order of a's and then b's triangles; one of them, if not all were
    /// found.
    pub first: Option<Contact>,
    /// All that were found. Null unless the list was asked for.
    pub pairs: Option<Vec<Contact>>,
    /// Surfaces that do not touch, not asked about as solids: is one inside the other? Absent if
    /// not.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub inside: Option<Nesting>,
    /// The answer about solids. Absent unless asked for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub solid: Option<Solid>,
    /// What is certain where the budget ended before all contacts were found, and how deep two
    /// shapes overlap. Absent otherwise.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub known: Option<Assessment>,
    /// Work done.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub work: Work,
}

impl Check {
    /// Report of contacts; with the whole list or only the first.
    #[must_use]
    pub fn new(placement: &Placement<'_>, found: &Contacts<'_>, list: bool) -> Self {
        let Contacts { pairs, is_complete, stats } = *found;
        let contact = |&triangles: &TrianglePair| Contact::new(placement, triangles);
        Self {
            collides: if pairs.is_empty() { is_complete.then_some(false) } else { Some(true) },
            is_complete,
            contacts: is_complete.then_some(pairs.len()),
            contacts_at_least: pairs.len(),
            first: pairs.first().map(contact),
            pairs: list.then(|| pairs.iter().map(contact).collect()),
            inside: None,
            solid: None,
            known: None,
            work: stats.into(),
        }
    }

    /// Adds what a second query, for bounds, has found out: perhaps the verdict, too.
    pub fn add_assessment(&mut self, placement: &Placement<'_>, found: &query::Assessment) {
        match found.verdict {
            Verdict::Yes if self.first.is_none() => {
                self.collides = Some(true);
                self.contacts_at_least = 1;
                self.first = found.witness.map(|triangles| Contact::new(placement, triangles));
            }
            Verdict::No => (self.collides, self.contacts, self.is_complete) = (Some(false), Some(0), true),
            Verdict::Yes | Verdict::Maybe => {}
        }
        self.known = Some(Assessment::new(placement, found));
        self.work += found.stats;
    }

    /// Adds the answer about solids, for which a part inside another is contact.
    pub fn add_solid(&mut self, solid: Solid) {
        self.collides = self.collides.filter(|touch| *touch).or(solid.collides);
        self.solid = Some(solid);
    }
}
