//! Solids in sentences: containment, penetration depth, separating translation, contact regions
//! (`--solid`).

use crate::bodies::Bodies;
use crate::format;
use crate::terminal::{Style, plural};
use nearhit::report::{Nesting, Overlap, Separation, Solid};
use nearhit::{InsideMethod, Interval, Side};

pub(crate) fn sentences(solid: &Solid, bodies: &Bodies, style: Style) -> String {
    let mut text = String::new();
    if let Some(inner) = solid.contained {
        text += &inside_sentence(bodies, inner, style);
    }
    if let Some(Interval { lower, .. }) = solid.depth {
        let regions = match solid.regions.len() {
            0 => String::new(),
            count => format!(" in {}", plural(count as u64, "connected region")),
        };
        text += &format!("Penetration depth: {}{regions}.\n", format::number(lower));
    }
    text += &solid.overlap.as_ref().map_or(String::new(), |overlap| overlap_sentence(overlap, bodies));
    if let Some(Separation { translation, length: Interval { lower, upper }, .. }) = solid.separation {
        let [_, b] = bodies.names();
        // All digits: a rounded translation might not separate them.
        let [x, y, z] = translation.map(|component| component + 0.0);
        text += &format!("Moving {b} by ({x}, {y}, {z}), a length of {upper}, separates them");
        text += &format!("; nothing shorter than {lower} does.\n");
    }
    text + &method_sentences(bodies, solid.methods)
}

/// Volume, area and box of what both have.
fn overlap_sentence(overlap: &Overlap, bodies: &Bodies) -> String {
    let Some([low, high]) = overlap.bounds else { return String::new() };
    let area = overlap.area.map_or(String::new(), |area| format!(", surface {}", format::number(area.upper)));
    let through = match overlap.through.as_deref() {
        None => String::new(),
        Some(side) => {
            let [a, b] = bodies.names();
            let (inner, outer) = if side == "a" { (a, b) } else { (b, a) };
            format!(" {inner} passes through {outer}.")
        }
    };
    let (volume, low, high) = (volume_words(overlap.volume), format::point(low), format::point(high));
    format!("Overlap: volume {volume}{area}, from {low} to {high}.{through}\n")
}

/// A volume as narrow as its interval: one number where both ends are the same in six digits.
pub(crate) fn volume_words(Interval { lower, upper }: Interval) -> String {
    let [least, most] = [lower, upper].map(format::number);
    if least == most || lower >= upper * (1.0 - 1e-6) { most } else { format!("{least} to {most}") }
}

/// About the meshes that are not closed and oriented; nothing about others.
pub(crate) fn method_sentences(bodies: &Bodies, methods: [InsideMethod; 2]) -> String {
    let sentence = |(method, name): (InsideMethod, &str)| match method {
        InsideMethod::Generalised => {
            format!("{name} has holes: its inside is where its generalised winding number is above one half.\n")
        }
        InsideMethod::Parity => {
            format!("{name} has flipped triangles: its inside is where a ray crosses it an odd number of times.\n")
        }
        _ => String::new(),
    };
    methods.into_iter().zip(bodies.names()).map(sentence).collect()
}

/// The names of the one inside and of the other.
fn inner_and_outer(bodies: &Bodies, inner: Side) -> (&str, &str) {
    let [a, b] = bodies.names();
    if inner == Side::A { (a, b) } else { (b, a) }
}

/// For a solid inside another.
pub(crate) fn inside_sentence(bodies: &Bodies, inner: Side, style: Style) -> String {
    let (inner, outer) = inner_and_outer(bodies, inner);
    let verdict = style.bold(&format!("{inner}, or a piece of it, is inside {outer}."));
    format!("{verdict} Their surfaces do not touch.\n")
}

/// For a surface inside another, not asked about as a solid.
pub(crate) fn nesting_sentence(nesting: Nesting, bodies: &Bodies) -> String {
    let (inner, outer) = inner_and_outer(bodies, nesting.into());
    format!("{inner}, or a piece of it, is inside {outer}: use --solid to count that as contact.\n")
}

/// For solids in contact.
pub(crate) fn depth_sentences(bodies: &Bodies, lower: f64, upper: f64, points: [[f64; 3]; 2], style: Style) -> String {
    let (both, [at_a, at_b]) = (bodies.both(), points.map(format::point));
    if upper > 0.0 {
        return format!(
            "It is not known whether {both} are in contact: the signed distance is between {lower} and {upper}.\n"
        );
    }
    let (shallow, deep) = (format::number(0.0 - upper), 0.0 - lower);
    let verdict = style.bold(&format!("{both} are in contact, penetration depth {shallow}"));
    // All digits: a rounded number might be less.
    let deep = if (1e-5..1e9).contains(&deep) || deep == 0.0 { deep.to_string() } else { format!("{deep:e}") };
    format!("{verdict} (at most {deep}),\nbetween {at_a} on the first and {at_b} on the second.\n")
}
