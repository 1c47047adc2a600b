//! What `--solid` adds to answers: containment, depth, regions, the way out.

use crate::bodies::Bodies;
use crate::say;
use crate::terminal::{Style, plural};
use anyhow::Result;
use nearhit::{
    ContactRegion, Curve, Pair, QueryError, Scratch, Settings, Side, SolidContact, SolidDistance, Tolerance,
    TranslationalDepth, Verdict,
};
use serde::Serialize;

/// Depths are at most this exact: more would take for ever where faces lie on each other.
const DEPTH: f64 = 0.01;

/// What is known of two solids.
#[derive(Debug, Serialize)]
pub(crate) struct Solid {
    /// Do they share a point? Null: the budget ran out first.
    collides: Option<bool>,
    /// How each mesh was judged: exact, parity or generalised (it has holes).
    methods: [&'static str; 2],
    /// Which is inside the other, where the surfaces do not touch.
    contained: Option<&'static str>,
    /// Null unless they are in contact.
    depth: Option<Interval>,
    /// How b can be moved out, in world coordinates; null unless they are in contact.
    separation: Option<Separation>,
    /// Connected contacts of the surfaces.
    regions: Vec<Region>,
}

/// The deepest point of one surface below the other.
#[derive(Debug, Clone, Copy, Serialize)]
struct Interval {
    lower: f64,
    upper: f64,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Separation {
    translation: [f64; 3],
    lower: f64,
    upper: f64,
}

impl Separation {
    /// In the world, where coordinates are rounded once more: lengthened until it is seen to separate there, too.
    fn new(bodies: &Bodies, out: &TranslationalDepth, scratch: &mut Scratch) -> Result<Self> {
        let mut more = 0.0;
        loop {
            let translation = bodies.world_direction(out.translation * (1.0 + more));
            let moved = bodies.pair_with_b_moved(translation)?.solid();
            if moved.collide(&Settings::default(), scratch).verdict == Verdict::No {
                return Ok(Self { translation, lower: out.lower, upper: out.upper * (1.0 + more) });
            }
            more = more * 8.0 + f64::EPSILON;
        }
    }
}

#[derive(Debug, Serialize)]
struct Region {
    pairs: usize,
    curves: usize,
    length: f64,
    normal: [f64; 3],
    depth: f64,
    /// On a and on b, where it is deepest.
    points: [[f64; 3]; 2],
}

impl Region {
    fn new(bodies: &Bodies, region: &ContactRegion) -> Self {
        Self {
            pairs: region.pairs.len(),
            curves: region.curves.len(),
            length: region.curves.iter().map(Curve::length).sum(),
            normal: bodies.world_direction(region.normal),
            depth: region.depth,
            points: [region.deepest.on_a, region.deepest.on_b].map(|point| bodies.world(point)),
        }
    }
}

impl Solid {
    pub(crate) fn new(
        bodies: &Bodies,
        pair: &Pair<'_>,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Result<Self> {
        let solid = pair.solid();
        let collision = solid.collide(settings, scratch);
        let mut report = Self {
            collides: collision.verdict.known(),
            methods: methods(pair),
            contained: contained(collision.contact),
            depth: None,
            separation: None,
            regions: Vec::new(),
        };
        if collision.verdict == Verdict::Yes {
            let SolidDistance { lower, upper, .. } = solid.distance(Tolerance::relative(DEPTH), settings, scratch);
            report.depth = Some(Interval { lower: 0.0 - upper, upper: 0.0 - lower });
            report.separation = match solid.translational_depth(settings, scratch) {
                Ok(out) => Some(Separation::new(bodies, &out, scratch)?),
                // Nothing is known of a way out of the numbers there are.
                Err(QueryError::TooFarApart { .. }) => None,
                Err(error) => return Err(error.into()),
            };
            let regions = solid.contact_regions(settings, scratch).regions;
            report.regions = regions.iter().map(|region| Region::new(bodies, region)).collect();
        }
        Ok(report)
    }

    pub(crate) fn collides(&self) -> Option<bool> {
        self.collides
    }

    pub(crate) fn is_contained(&self) -> bool {
        self.contained.is_some()
    }

    pub(crate) fn sentences(&self, bodies: &Bodies, style: Style) -> String {
        let mut text = String::new();
        if self.is_contained() {
            text += &inside_sentence(bodies, self.contained, style);
        }
        if let Some(Interval { lower, .. }) = self.depth {
            let regions = match self.regions.len() {
                0 => String::new(),
                count => format!(" in {}", plural(count as u64, "connected region")),
            };
            text += &format!("They are {} deep in each other{regions}.\n", say::number(lower));
        }
        if let Some(Separation { translation, lower, upper }) = self.separation {
            let [_, b] = bodies.names();
            // All digits: a rounded translation might not separate them.
            let [x, y, z] = translation.map(|component| component + 0.0);
            text += &format!("Moving {b} by ({x}, {y}, {z}), a length of {upper}, separates them");
            text += &format!("; nothing shorter than {lower} does.\n");
        }
        text + &method_sentences(bodies, self.methods)
    }
}

/// How each mesh is judged.
pub(crate) fn methods(pair: &Pair<'_>) -> [&'static str; 2] {
    [pair.a(), pair.b()].map(|model| model.inside().method().name())
}

/// About the meshes that are not closed and oriented; nothing is to be said of others.
pub(crate) fn method_sentences(bodies: &Bodies, methods: [&str; 2]) -> String {
    let sentence = |(method, name): (&str, &str)| match method {
        "generalised" => {
            format!("{name} has holes: its inside is where its generalised winding number is above one half.\n")
        }
        "parity" => {
            format!("{name} has flipped triangles: its inside is where a ray crosses it an odd number of times.\n")
        }
        _ => String::new(),
    };
    methods.into_iter().zip(bodies.names()).map(sentence).collect()
}

/// "a" or "b".
pub(crate) fn contained(contact: Option<SolidContact>) -> Option<&'static str> {
    match contact {
        Some(SolidContact::Contained { body: Side::A, .. }) => Some("a"),
        Some(SolidContact::Contained { body: Side::B, .. }) => Some("b"),
        _ => None,
    }
}

pub(crate) fn inside_sentence(bodies: &Bodies, contained: Option<&str>, style: Style) -> String {
    let [a, b] = bodies.names();
    let (inner, outer) = if contained == Some("a") { (a, b) } else { (b, a) };
    let verdict = style.bold(&format!("{inner}, or a piece of it, is inside {outer}."));
    format!("{verdict} Their surfaces do not touch.\n")
}

/// For solids in contact.
pub(crate) fn depth_sentences(bodies: &Bodies, lower: f64, upper: f64, points: [[f64; 3]; 2], style: Style) -> String {
    let (both, [at_a, at_b]) = (bodies.both(), points.map(say::point));
    if upper > 0.0 {
        return format!(
            "It is not known whether {both} are in contact: the signed distance is between {lower} and {upper}.\n"
        );
    }
    let (shallow, deep) = (say::number(0.0 - upper), 0.0 - lower);
    let verdict = style.bold(&format!("{both} are {shallow} deep in each other"));
    // All digits: a rounded number might be less.
    let deep = if (1e-5..1e9).contains(&deep) || deep == 0.0 { deep.to_string() } else { format!("{deep:e}") };
    format!("{verdict} (at most {deep}),\nbetween {at_a} on the first and {at_b} on the second.\n")
}
