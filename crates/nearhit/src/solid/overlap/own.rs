//! A closed mesh with itself: its volume, and how much of it the winding number counts more than
//! once.
//!
//! For a whole number w, w² is at least |w|, and equal only for 0, 1 and -1. So the integral of w²,
//! which is the overlap of the mesh with itself, exceeds the integral of w exactly as far as the
//! mesh overlaps itself or has a piece that faces the wrong way; and by no less than what a product
//! of winding numbers can be off as a volume.

use super::product;
use super::sum::{Area, Moments, Sum};
use super::{Frame, bounds};
use crate::inside::Excess;
use crate::model::Model;
use crate::point::Placed;
use crate::pose::Pose;
use crate::query::{Pair, Scratch, Settings};
use crate::traverse::Stats;

/// Tests that a mesh may take, and those for each of its triangles. It is one mesh's own business
/// and not counted for a pair, so that answers within a budget do not depend on what was asked
/// before.
const WORK: [u64; 2] = [50_000_000, 2_000];

/// What is known of a closed mesh; none if that would take too long.
pub(super) fn excess(model: &Model, settings: &Settings<'_>, scratch: &mut Scratch) -> Option<Excess> {
    let inside = model.inside();
    if let Some(known) = inside.excess() {
        return Some(known);
    }
    let pair = Pair::relative(model, model, &Pose::IDENTITY).ok()?;
    let count = model.mesh().triangles().len() as u64;
    let own = Settings { budget: settings.budget.without_work().capped(WORK[0] + WORK[1] * count), ..*settings };
    let square = product(&pair, &own, scratch, &mut Stats::default())?;
    let (volume, area) = volume(model);
    let frame = square.frame;
    let size = Sum { value: volume.value.abs(), ..volume };
    let least = frame.sized(size.interval(), 3).lower;
    let squared = frame.sized(square.moments.volume.interval(), 3);
    let made = Excess {
        sign: if volume.value < 0.0 { -1.0 } else { 1.0 },
        volume: least,
        area: frame.sized(area.interval(), 2).upper,
        twice: (squared.upper - least).max(0.0).next_up(),
        most: square.most.max(1),
    };
    Some(inside.keep_excess(made))
}

/// The enclosed volume and the area of all triangles, in the frame of [`product`].
fn volume(model: &Model) -> (Sum, Sum) {
    let body = Placed::own(model);
    let frame = Frame::new(bounds(&body));
    let mut moments = Moments::default();
    for triangle in 0..model.mesh().triangles().len() as u32 {
        if model.inside().counts(triangle) {
            let mut area = Area::default();
            moments.add(body.triangle(triangle).map(|corner| frame.point(corner)), 1.0, &mut area);
            moments.area.add_sum(area.length());
        }
    }
    (moments.volume, moments.area)
}
