//! Solids: containment, penetration depth, separating translation and contact regions.

use super::{Overlap, Placement};
use crate::bounds::Bounds;
use crate::error::QueryError;
use crate::inside::InsideMethod;
use crate::model::Model;
use crate::query::{Distance, Interval, Pair, Scratch, Settings, Tolerance, Verdict};
use crate::solid::{ContactRegion, Curve, Side, SolidContact, TranslationalDepth};
use glam::DVec3;

/// Depths are at most this exact: more would take for ever where faces lie on each other.
const DEPTH: Tolerance = Tolerance { relative: 0.01, absolute: 0.0 };

/// Report of two solids.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Solid {
    /// Do they share a point? Null: the budget ran out first.
    pub collides: Option<bool>,
    /// Was everything found out below? False: the budget ran out.
    #[cfg_attr(feature = "serde", serde(rename = "complete"))]
    pub is_complete: bool,
    /// How inside is told from outside, for each mesh: "exact", "parity" or "generalised" (it has
    /// holes).
    #[cfg_attr(feature = "serde", serde(serialize_with = "both_method_names"))]
    pub methods: [InsideMethod; 2],
    /// Which is inside the other, "a" or "b", where the surfaces do not touch. Null otherwise.
    #[cfg_attr(feature = "serde", serde(serialize_with = "side_name"))]
    pub contained: Option<Side>,
    /// The penetration depth: how deep the deepest point of one surface lies inside the other. Null
    /// unless in contact.
    pub depth: Option<Interval>,
    /// How b can be moved out. Null unless in contact, or where no way out is known.
    pub separation: Option<Separation>,
    /// What they have in common: volume, area, centre, box. Null unless in contact, or where the
    /// budget ran out.
    pub overlap: Option<Overlap>,
    /// Connected contacts of the surfaces.
    pub regions: Vec<Region>,
}

/// A translation that separates two solids.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Separation {
    /// Moves b, in the world.
    pub translation: [f64; 3],
    /// The length of the shortest one, as `lower` and `upper`; `upper` is the length of
    /// `translation`.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub length: Interval,
}

impl Separation {
    /// In the world, where coordinates are rounded once more: lengthened until it is seen to
    /// separate there, too. None where the numbers end first.
    fn new(placement: &Placement<'_>, out: &TranslationalDepth, scratch: &mut Scratch) -> Option<Self> {
        let mut more = 0.0;
        loop {
            let translation = placement.direction(out.translation * (1.0 + more));
            let moved = placement.with_b_moved(translation)?;
            if moved.pair().solid().collide(&Settings::default(), scratch).verdict == Verdict::No {
                let length = Interval { lower: out.lower, upper: out.upper * (1.0 + more) };
                return Some(Self { translation, length });
            }
            more = more * 8.0 + f64::EPSILON;
        }
    }
}

/// One connected contact of two surfaces.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Region {
    /// How many pairs of triangles touch.
    pub pairs: usize,
    /// How many curves they touch along.
    pub curves: usize,
    /// The length of all curves.
    pub length: f64,
    /// The contact normal: a unit vector, the way out for b.
    pub normal: [f64; 3],
    /// How deep the deepest point is.
    pub depth: f64,
    /// On a and on b, where it is deepest.
    pub points: [[f64; 3]; 2],
}

impl Region {
    /// In the world.
    fn new(placement: &Placement<'_>, region: &ContactRegion) -> Self {
        Self {
            pairs: region.pairs.len(),
            curves: region.curves.len(),
            length: region.curves.iter().map(Curve::length).sum(),
            normal: placement.direction(region.normal),
            depth: region.depth,
            points: [region.deepest.on_a, region.deepest.on_b].map(|point| placement.point(point)),
        }
    }
}

impl Solid {
    /// Queries everything about two solids: contact, depth, separating translation, regions.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::report::{Solid, Placement};
    /// use nearhit::{Scratch, Settings};
    ///
    /// let (outer, inner) = (cube(2.0), cube(1.0));
    /// let placement = Placement::new(&outer, &at(0.0, 0.0, 0.0), &inner, &at(0.0, 0.0, 0.0))?;
    /// let report = Solid::ask(&placement, &Settings::default(), &mut Scratch::new())?;
    /// assert_eq!((report.collides, report.regions.len()), (Some(true), 0)); // inside, surfaces apart
    /// # Ok(())
    /// # }
    /// ```
    pub fn ask(placement: &Placement<'_>, settings: &Settings<'_>, scratch: &mut Scratch) -> Result<Self, QueryError> {
        let solid = placement.pair().solid();
        let collision = solid.collide(settings, scratch);
        let mut report = Self {
            collides: collision.verdict.known(),
            is_complete: collision.verdict != Verdict::Maybe,
            methods: methods(placement.pair()),
            contained: collision.contact.and_then(SolidContact::inside),
            depth: None,
            separation: None,
            overlap: None,
            regions: Vec::new(),
        };
        if collision.verdict == Verdict::Yes {
            report.add_contact(placement, settings, scratch)?;
        }
        Ok(report)
    }

    fn add_contact(
        &mut self,
        placement: &Placement<'_>,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), QueryError> {
        let solid = placement.pair().solid();
        let Distance { lower, upper, is_complete, .. } = solid.distance(DEPTH, settings, scratch);
        self.depth = Some(Interval { lower: 0.0 - upper, upper: 0.0 - lower });
        self.is_complete &= is_complete;
        match solid.translational_depth(settings, scratch) {
            Ok(out) => {
                self.is_complete &= out.is_complete;
                self.separation = Separation::new(placement, &out, scratch);
            }
            // Nothing is known of a way out of the numbers there are.
            Err(QueryError::TooFarApart { .. }) => {}
            Err(error) => return Err(error),
        }
        let overlap = solid.overlap(settings, scratch);
        self.is_complete &= overlap.is_complete;
        // Of cells what is known is worth telling, however wide.
        self.overlap = (overlap.is_complete || overlap.volume.lower > 0.0).then(|| Overlap::new(placement, &overlap));
        let found = solid.contact_regions(settings, scratch);
        self.is_complete &= found.is_complete;
        self.regions = found.regions.iter().map(|region| Region::new(placement, region)).collect();
        Ok(())
    }
}

/// How inside is told from outside, for each mesh.
pub(super) fn methods(pair: &Pair<'_>) -> [InsideMethod; 2] {
    [pair.a(), pair.b()].map(|model| model.inside().method())
}

/// Which of two surfaces that do not touch is inside the other, wholly or with a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Nesting {
    /// a is inside b.
    AInB,
    /// b is inside a.
    BInA,
}

impl From<Nesting> for Side {
    /// The one inside.
    fn from(nesting: Nesting) -> Self {
        match nesting {
            Nesting::AInB => Self::A,
            Nesting::BInA => Self::B,
        }
    }
}

impl Nesting {
    /// Queries containment of surfaces that are known not to touch. Costs next to nothing where the
    /// box of neither is within that of the other: then none is wholly inside.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::report::{Nesting, Placement};
    /// use nearhit::{Scratch, Settings};
    ///
    /// let (outer, inner) = (cube(2.0), cube(1.0));
    /// let placement = Placement::new(&outer, &at(0.0, 0.0, 0.0), &inner, &at(0.0, 0.0, 0.0))?;
    /// let nesting = Nesting::ask(&placement, &Settings::default(), &mut Scratch::new());
    /// assert_eq!(nesting, Some(Nesting::BInA));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn ask(placement: &Placement<'_>, settings: &Settings<'_>, scratch: &mut Scratch) -> Option<Self> {
        let pair = placement.pair();
        if !boxes_nest(pair) {
            return None;
        }
        match pair.solid().collide(settings, scratch).contact?.inside()? {
            Side::A => Some(Self::AInB),
            Side::B => Some(Self::BInA),
        }
    }
}

/// Is the box around one of them, in a's frame, within that of the other?
fn boxes_nest(pair: &Pair<'_>) -> bool {
    let box_a: Bounds = corners(pair.a()).collect();
    let box_b: Bounds = corners(pair.b()).map(|corner| pair.a_from_b().apply(corner)).collect();
    box_a.holds(&box_b) || box_b.holds(&box_a)
}

/// Of its triangles: other vertices are no part of a surface.
fn corners(model: &Model) -> impl Iterator<Item = DVec3> {
    let mesh = model.mesh();
    mesh.triangles().iter().flatten().map(|&vertex| mesh.vertices()[vertex as usize])
}

#[cfg(feature = "serde")]
mod names {
    use super::{InsideMethod, Side};
    use serde::ser::{Serialize, Serializer};

    fn name(side: Side) -> &'static str {
        match side {
            Side::A => "a",
            Side::B => "b",
        }
    }

    pub(in crate::report) fn side_name<S: Serializer>(side: &Option<Side>, serializer: S) -> Result<S::Ok, S::Error> {
        side.map(name).serialize(serializer)
    }

    pub(in crate::report) fn side_or_null<S: Serializer>(
        side: &Option<Option<Side>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        side_name(&side.flatten(), serializer)
    }

    pub(in crate::report) fn both_method_names<S: Serializer>(
        methods: &[InsideMethod; 2],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        methods.map(<&str>::from).serialize(serializer)
    }

    pub(in crate::report) fn method_names<S: Serializer>(
        methods: &Option<[InsideMethod; 2]>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        methods.map(|methods| methods.map(<&str>::from)).serialize(serializer)
    }
}

#[cfg(feature = "serde")]
use names::{both_method_names, side_name};
#[cfg(feature = "serde")]
pub(super) use names::{method_names, side_or_null};
