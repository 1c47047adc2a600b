//! Half-spaces beside convex shapes and each other: near, how far, how deep?

use super::Near;
use super::{Margins, Penetration, Separation};
use crate::query::Interval;
use crate::shape::convex::Body;
use crate::shape::half_space::Plane;
use glam::DVec3;
use std::cmp::Ordering;

/// The lowest point of a body over a plane, and bounds of its height.
fn lowest(plane: &Plane, body: &Body<'_>) -> (f64, f64, DVec3) {
    let point = body.lowest(plane.normal);
    let height = plane.height(point);
    let rounding = plane.rounding(body.size());
    (height - rounding, height + rounding, point)
}

pub(in crate::shape) fn plane_within(plane: &Plane, body: &Body<'_>, margins: &Margins, limit: f64) -> Near {
    let (lower, upper, _) = lowest(plane, body);
    let sum = margins.up() + limit;
    let (lower_bound, upper_bound) = (margins.lower(lower.max(0.0)), margins.upper(upper.max(0.0)));
    let near = if lower > sum * (1.0 + 8.0 * f64::EPSILON) {
        false
    } else if upper < sum * (1.0 - 8.0 * f64::EPSILON) {
        return Near { near: true, lower: 0.0, upper: upper_bound };
    } else if !body.core.is_flat() {
        // The lower end decides about round bodies.
        lower_bound <= limit
    } else {
        let mut corners = Vec::new();
        body.corners(&mut corners);
        plane.compare(&corners, &[margins.a, margins.b, limit]) != Ordering::Greater
    };
    Near { near, lower: lower_bound, upper: upper_bound }
}

pub(in crate::shape) fn plane_distance(plane: &Plane, body: &Body<'_>, margins: &Margins, flipped: bool) -> Separation {
    let (lower, upper, point) = lowest(plane, body);
    let near = plane_within(plane, body, margins, 0.0).near;
    let foot = point - plane.normal * plane.height(point);
    let (on_a, on_b) = if flipped { (point, foot) } else { (foot, point) };
    if near && (body.core.is_flat() || upper <= margins.down()) {
        return Separation::touching(on_a, on_b, margins);
    }
    let grown = Separation { lower: lower.max(0.0), upper: upper.max(0.0), on_a, on_b }.grown(margins);
    if near {
        return Separation { lower: 0.0, ..grown };
    }
    if !body.core.is_flat() {
        return grown;
    }
    let mut corners = Vec::new();
    body.corners(&mut corners);
    grown.apart(|hair| plane.compare(&corners, &[margins.a, margins.b, hair]))
}

pub(in crate::shape) fn plane_penetration(
    plane: &Plane,
    body: &Body<'_>,
    margins: &Margins,
    flipped: bool,
) -> Penetration {
    let (lower, upper, point) = lowest(plane, body);
    let depth = Interval {
        lower: (margins.down() - upper).next_down().max(0.0),
        upper: if lower >= margins.up() { 0.0 } else { (margins.up() - lower).next_up() },
    };
    let foot = point - plane.normal * plane.height(point);
    let normal = if flipped { -plane.normal } else { plane.normal };
    let (on_a, on_b) = if flipped { (point, foot) } else { (foot, point) };
    Penetration { depth, normal, on_a: on_a + normal * margins.a, on_b: on_b - normal * margins.b }
}

pub(super) fn half_space_distance(a: &Plane, b: &Plane, margins: &Margins) -> Separation {
    let (lower, upper) = a.gap(b);
    let (on_a, on_b) = (a.normal * a.level(), a.normal * (a.level() + upper));
    Separation { lower, upper, on_a, on_b }.grown(margins)
}

pub(super) fn half_space_penetration(a: &Plane, b: &Plane, margins: &Margins) -> Penetration {
    let overlap = a.level() + b.level();
    let rounding = 8.0 * f64::EPSILON * (a.level().abs() + b.level().abs());
    let depth = if a.is_opposite(b) {
        Interval {
            lower: (overlap - rounding + margins.down()).max(0.0),
            upper: (overlap + rounding + margins.up()).max(0.0),
        }
    } else {
        Interval { lower: f64::INFINITY, upper: f64::INFINITY }
    };
    let point = a.normal * a.level();
    Penetration { depth, normal: a.normal, on_a: point, on_b: point }
}
