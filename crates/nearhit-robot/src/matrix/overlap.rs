//! How far two bodies that overlap may move and still touch, for certain.

use crate::check::{BodyPair, CheckScratch, Checker, within};
use crate::error::CheckError;
use glam::DVec3;
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Model, Pose};
use std::sync::Arc;

/// Points of a mesh that are tried.
const POINTS: usize = 24;
/// What distances of points round to is far less than this share.
const ROUNDING: f64 = 1e-12;

/// Wherever the points of the two bodies move by less than this in all, they still touch; 0 if
/// nothing is known. The bodies are placed, and touch.
pub(super) fn kept(checker: &Checker, pair: BodyPair, scratch: &mut CheckScratch) -> Result<f64, CheckError> {
    let shapes = checker.shapes(pair, &scratch.bodies)?;
    if let Some(found) = shapes.penetration(&mut scratch.scratch) {
        return Ok(found.depth.lower);
    }
    let a_from_b = *shapes.a_from_b();
    let deep = [
        deepest((shapes.a(), shapes.b()), &a_from_b, scratch),
        deepest((shapes.b(), shapes.a()), &a_from_b.inverse(), scratch),
    ];
    Ok(deep[0].max(deep[1]))
}

/// How deep the deepest of some points of one shape is in the other.
fn deepest((outer, inner): (&Shape, &Shape), outer_from_inner: &Pose, scratch: &mut CheckScratch) -> f64 {
    points(inner).map(|point| depth(outer, outer_from_inner.apply(point), scratch)).fold(0.0, f64::max)
}

/// Points that belong to a shape: some corners of a mesh, the middle of what is convex.
fn points(shape: &Shape) -> impl Iterator<Item = DVec3> {
    let model = shape.model().cloned();
    let middle = shape.bounds().filter(|_| model.is_none()).map(|(low, high)| 0.5 * (low + high));
    let count = model.as_ref().map_or(0, |model| model.mesh().vertices().len());
    let corner = move |index: usize| model.as_ref().map(|model: &Arc<Model>| model.mesh().vertices()[index]);
    (0..count).step_by(count.div_ceil(POINTS).max(1)).filter_map(corner).chain(middle)
}

/// How deep a point is inside a shape; 0 of what is a surface.
fn depth(outer: &Shape, point: DVec3, scratch: &mut CheckScratch) -> f64 {
    let (Ok(dot), Ok(place)) = (Shape::ball(0.0), Pose::from_translation(point.to_array())) else { return 0.0 };
    let Ok(pair) = ShapePair::new(outer, &Pose::IDENTITY, &dot, &place) else { return 0.0 };
    if let Some(found) = pair.penetration(&mut scratch.scratch) {
        return found.depth.lower;
    }
    let (Some(model), Some((low, high))) = (outer.model(), outer.bounds()) else { return 0.0 };
    // A point that touches the shape and is off its surface is inside of a solid.
    if !within(&pair, 0.0, &mut scratch.scratch) {
        return 0.0;
    }
    let size = low.abs().max(high.abs()).max(point.abs()).max_element();
    let nearest = model.closest_point(point, &mut scratch.scratch);
    nearest.map_or(0.0, |nearest| (nearest.distance - ROUNDING * size - outer.margin()).max(0.0))
}
