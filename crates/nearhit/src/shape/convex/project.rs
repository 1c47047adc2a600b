//! The nearest points of two bodies of which one is round, by projections.
//!
//! To go from a point of b to the nearest of a, and from there to the nearest of b, and so on, ends
//! at the nearest points of both. Projections have closed forms, and Anderson's acceleration, which
//! takes secant steps in all three coordinates, makes the end of it superlinear where the descent's
//! is linear. All this only proposes two points: the descent bounds the distance by them, and goes
//! on where they are not good enough.

use super::body::{Bodies, Body};
use super::gjk::ROUNDING;
use crate::shape::cone::Frustum;
use crate::shape::core::Core;
use crate::shape::ellipsoid::Quadric;
use arrayvec::ArrayVec;
use glam::{DVec2, DVec3};

/// Beyond these sizes squares leave the range of numbers.
const SIZES: std::ops::Range<f64> = 1e-100..1e100;
/// Steps at most; most pairs take six.
const STEPS: usize = 16;
/// Two points that move less than this, in the common unit, have arrived.
const ARRIVED: f64 = 4e-16;

/// Points of a and of b that are about nearest to each other, from a point of b on; none where a
/// projection has no closed form, or the bodies are next to touching.
pub(super) fn nearest(bodies: &Bodies<'_>, start: DVec3) -> Option<(DVec3, DVec3)> {
    if !SIZES.contains(&bodies.length) {
        return None;
    }
    let mut secants = Secants::default();
    let (mut at, mut last, mut best) = (start, f64::INFINITY, None);
    for _ in 0..STEPS {
        let on_a = project(&bodies.a, at, bodies.length)?;
        let on_b = project(&bodies.b, on_a, bodies.length)?;
        // Next to touching the direction has few digits: not the way to go.
        if !((on_a - on_b).length() > 1e4 * ROUNDING) {
            return None;
        }
        let moved = (on_b - at).length();
        if moved > 2.0 * last {
            // A step too far: from here on without the past.
            secants = Secants::default();
            at = on_b;
            continue;
        }
        if moved < last {
            (best, last) = (Some((on_a, on_b)), moved);
        }
        if moved <= ARRIVED {
            break;
        }
        at = secants.next(at, on_b);
    }
    best.filter(|_| last < 1e-11)
}

/// Anderson's acceleration of a map of points: the last points and where they went.
#[derive(Default)]
struct Secants {
    known: ArrayVec<(DVec3, DVec3), 4>,
}

impl Secants {
    /// The next point to try, after `image` was the map's answer for `point`.
    fn next(&mut self, point: DVec3, image: DVec3) -> DVec3 {
        let residual = image - point;
        // The combination of earlier steps that leaves the least residual: by Gram and Schmidt.
        let (mut rest, mut next) = (residual, image);
        let mut basis: ArrayVec<(DVec3, DVec3), 3> = ArrayVec::new();
        for &(known, known_image) in self.known.iter().rev().take(3) {
            let mut change = residual - (known_image - known);
            let mut carried = image - known_image;
            let whole = change.length();
            for &(unit, its_image) in &basis {
                let along = unit.dot(change);
                (change, carried) = (change - unit * along, carried - its_image * along);
            }
            let length = change.length();
            // Along the others, or nothing but rounding.
            if !(length > 1e-6 * whole) {
                continue;
            }
            let (unit, its_image) = (change / length, carried / length);
            let along = unit.dot(rest);
            (rest, next) = (rest - unit * along, next - its_image * along);
            basis.push((unit, its_image));
        }
        if self.known.is_full() {
            self.known.remove(0);
        }
        self.known.push((point, image));
        if next.is_finite() { next } else { image }
    }
}

/// The point of a body nearest to a point, both in the common unit, which is `length` long.
fn project(body: &Body<'_>, point: DVec3, length: f64) -> Option<DVec3> {
    let point = point * length;
    let nearest = match &body.pose {
        None => in_core(&body.core, point)?,
        Some(pose) => pose.apply(in_core(&body.core, pose.rotation().transpose() * (point - pose.translation()))?),
    };
    Some(nearest * body.unit)
}

/// In the core's own frame and unit.
pub(super) fn in_core(core: &Core<'_>, point: DVec3) -> Option<DVec3> {
    Some(match core {
        Core::Point(at) => *at,
        Core::Segment(half) => DVec3::new(0.0, 0.0, point.z.clamp(-half, *half)),
        Core::Box3(core) => point.clamp(-core.half, core.half),
        Core::Triangle(corners) => in_triangle(*corners, point),
        Core::Tube(core) => {
            let from_axis = point.truncate().length();
            let z = point.z.clamp(-core.half, core.half);
            let shrunk = if from_axis > core.radius { core.radius / from_axis } else { 1.0 };
            (point.truncate() * shrunk).extend(z)
        }
        Core::Frustum(core) => in_frustum(core, point),
        Core::Quadric(core) => in_ellipsoid(core, point)?,
        Core::Corners(_) | Core::Sweep(_) | Core::Prism(_) | Core::Cell(_) | Core::Worn(_) => return None,
    })
}

/// In the half-plane through the axis and the point: a trapezoid.
fn in_frustum(core: &Frustum, point: DVec3) -> DVec3 {
    let around = point.truncate();
    let from_axis = around.length();
    let (low, high) = (DVec2::new(core.bottom, -core.half), DVec2::new(core.top, core.half));
    let (here, slant) = (DVec2::new(from_axis, point.z), high - low);
    let outward = DVec2::new(slant.y, -slant.x);
    let beside = outward.dot(here - low) > 0.0;
    if !beside && here.y.abs() <= core.half {
        return point;
    }
    let square = slant.length_squared();
    let along = if square > 0.0 { ((here - low).dot(slant) / square).clamp(0.0, 1.0) } else { 0.0 };
    let caps = [DVec2::new(here.x.min(low.x), low.y), DVec2::new(here.x.min(high.x), high.y)];
    let nearer = |p: DVec2, q: DVec2| if (q - here).length_squared() < (p - here).length_squared() { q } else { p };
    let nearest = caps.into_iter().fold(low + slant * along, nearer);
    let shrunk = if from_axis > 0.0 { nearest.x / from_axis } else { 0.0 };
    (around * shrunk).extend(nearest.y)
}

/// By the root of the Lagrange multiplier's equation, which Newton's method reaches from one side.
fn in_ellipsoid(core: &Quadric, point: DVec3) -> Option<DVec3> {
    let (radii, squares) = (core.radii, core.radii * core.radii);
    // Of a disc or segment the equation is another.
    if !(radii.min_element() > 1e-6 * radii.max_element()) {
        return None;
    }
    if (point / radii).length_squared() <= 1.0 {
        return Some(point);
    }
    let mut multiplier = 0.0;
    for _ in 0..40 {
        let sums = squares + multiplier;
        let share = radii * point / sums;
        let excess = share.length_squared() - 1.0;
        let slope = 2.0 * (share * share / sums).element_sum();
        let step = excess / slope;
        if !(step > 1e-16 * (multiplier + squares.max_element())) {
            break;
        }
        multiplier += step;
    }
    let found = squares * point / (squares + multiplier);
    // Not outside, however far the iteration came.
    let out = (found / radii).length();
    Some(if out > 1.0 { found / out } else { found })
}

/// Ericson, Real-Time Collision Detection, 5.1.5.
fn in_triangle([a, b, c]: [DVec3; 3], point: DVec3) -> DVec3 {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let whole = va + vb + vc;
    a + ab * (vb / whole) + ac * (vc / whole)
}
