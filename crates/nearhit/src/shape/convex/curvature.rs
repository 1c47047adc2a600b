//! How the support function of two bodies curves over the sphere of directions: Newton's method for
//! its smallest value, and a proof of what it is at least around that.
//!
//! The depth of two bodies is the least value of the support function h of their Minkowski
//! difference over all unit vectors; their distance is minus that value. Along a great circle with
//! axis m, h'' + h is a sum of terms of the round parts: r (a·m)² / |n × a|³ for a circle of radius
//! r about an axis a, |cof(R) m|² / |R n|³ for an ellipsoid with radii R. Only the denominators
//! change along the circle. Flat parts are linear where they are not bent, and bends only add.
//!
//! If h'' + h is at least k within an angle of a direction n where h has no slope, then there h is
//! at least k + (h(n) - k) cos of the angle from n (Sturm's comparison): not below h(n), if k is
//! not.
//!
//! Often the least value lies on a bend: where a cylinder's side, or the edge of a box, is all in
//! the plane of support. Across the bend the function rises at once, by the steepness s times the
//! sine; along it all is as above. Together it is not below h(n) within an angle w, if along the
//! bend k is not, and s is at least tan(w / 2) times what the curvature could take away.

use super::Bodies;
use super::body::Body;
use super::gjk::{ROUNDING, Vertex};
use crate::shape::core::Core;
use arrayvec::ArrayVec;
use glam::DVec3;

/// Steps at most: where the function is smooth they are five.
const STEPS: usize = 8;

/// A direction in which the support function is least among its neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Least {
    /// Unit vector.
    pub(super) direction: DVec3,
    /// The point of the difference that is farthest along it.
    pub(super) vertex: Vertex,
    pub(super) height: f64,
    /// Length of the slope that is left; along the bend, if it lies on one.
    slope: f64,
    /// The bend: a unit vector across it, and how steeply the function rises both ways at least.
    bend: Option<(DVec3, f64)>,
}

/// An edge of a body, all of it in the plane of support where directions are across it.
#[derive(Debug, Clone, Copy)]
struct Edge {
    /// Unit vector.
    along: DVec3,
    half: f64,
    is_of_b: bool,
}

/// The edges that a direction is nearly across: the sides of cylinders, segments, boxes.
fn edges(bodies: &Bodies<'_>, direction: DVec3) -> ArrayVec<Edge, 6> {
    let mut found = ArrayVec::new();
    for (body, is_of_b) in [(&bodies.a, false), (&bodies.b, true)] {
        let halves = match &body.core {
            Core::Tube(core) => DVec3::new(0.0, 0.0, core.half),
            Core::Segment(half) => DVec3::new(0.0, 0.0, *half),
            Core::Box3(core) => core.half,
            _ => continue,
        };
        for axis in 0..3 {
            let own = DVec3::AXES[axis];
            let along = body.pose.as_ref().map_or(own, |pose| pose.rotation() * own);
            if halves[axis] > 0.0 && along.dot(direction).abs() < 0.3 {
                found.push(Edge { along, half: halves[axis] * body.unit, is_of_b });
            }
        }
    }
    found.sort_by(|p: &Edge, q: &Edge| p.along.dot(direction).abs().total_cmp(&q.along.dot(direction).abs()));
    found
}

/// The same on the bend of an edge, from the direction across it that is nearest to the start.
fn least_across(bodies: &Bodies<'_>, start: DVec3, edge: &Edge) -> Option<Least> {
    let across = |direction: DVec3| (direction - edge.along * edge.along.dot(direction)).normalize();
    let mut direction = across(across(start));
    let mut last = f64::INFINITY;
    for _ in 0..STEPS {
        let vertex = bodies.vertex(-direction);
        let height = direction.dot(vertex.point);
        let aside = edge.along.cross(direction);
        let slope = vertex.point.dot(aside);
        if slope.abs() <= 4.0 * ROUNDING {
            let steep = edge.steepness(bodies, &vertex);
            let bend = Some((edge.along, steep));
            return (steep > 0.0).then_some(Least { direction, vertex, height, slope: slope.abs(), bend });
        }
        let rise = form(bodies, direction, [edge.along, aside], 0.0).yy - height;
        let step = -slope / rise;
        if !(slope.abs() < 0.7 * last && rise > 0.0 && step.abs() < 1.0) {
            return None;
        }
        last = slope.abs();
        direction = across(across(direction + aside * step));
    }
    None
}

impl Edge {
    /// How steeply the function rises across the bend at least: half of the edge, less what the
    /// rest slopes one way. The support lies on one end of the edge, or in its middle.
    fn steepness(&self, bodies: &Bodies<'_>, vertex: &Vertex) -> f64 {
        let (body, point) = if self.is_of_b { (&bodies.b, vertex.on_b) } else { (&bodies.a, vertex.on_a) };
        let end = self.along.dot(point - body.center());
        let end = if self.is_of_b { -end } else { end };
        self.half - (self.along.dot(vertex.point) - end).abs() - 8.0 * ROUNDING
    }
}

/// Newton's method from a direction on. None where it leads nowhere: at a bend, for instance.
pub(super) fn least(bodies: &Bodies<'_>, start: DVec3, slope_enough: f64) -> Option<Least> {
    let mut direction = start;
    let mut last = f64::INFINITY;
    for _ in 0..STEPS {
        let vertex = bodies.vertex(-direction);
        let height = direction.dot(vertex.point);
        let gradient = vertex.point - direction * height;
        let slope = gradient.length();
        if slope <= slope_enough {
            return Some(Least { direction, vertex, height, slope, bend: None });
        }
        // A bend throws it back and forth.
        if !(slope < 0.7 * last) {
            return None;
        }
        last = slope;
        let (e, f) = direction.any_orthonormal_pair();
        let Form { xx, xy, yy } = form(bodies, direction, [e, f], 0.0);
        let (xx, yy) = (xx - height, yy - height);
        let (x, y, whole) = (gradient.dot(e), gradient.dot(f), xx * yy - xy * xy);
        if !(xx > 0.0 && whole > 0.0) {
            return None;
        }
        let step = (e * (xy * y - yy * x) + f * (xy * x - xx * y)) / whole;
        if !(step.length_squared() < 1.0) {
            return None;
        }
        direction = (direction + step).normalize();
    }
    None
}

/// The least support next to a direction, whether smooth there or on the bend of an edge.
pub(super) fn least_near(bodies: &Bodies<'_>, start: DVec3) -> Option<Least> {
    let bends = edges(bodies, start);
    let on_a_bend = || bends.iter().take(2).find_map(|edge| least_across(bodies, start, edge));
    least(bodies, start, 4.0 * ROUNDING).or_else(on_a_bend)
}

/// Directions around one, and what the support function is at least in all of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cap {
    middle: DVec3,
    angle: f64,
    pub(super) floor: f64,
}

impl Cap {
    /// As wide as can be shown; none if the function may be lower as near as one can see.
    pub(super) fn around(bodies: &Bodies<'_>, least: &Least) -> Option<Self> {
        let direction = least.direction;
        let smooth = direction.any_orthonormal_pair();
        let across = least.bend.map_or([smooth.0, smooth.1], |(along, _)| [along, along.cross(direction)]);
        let needed = least.height * (1.0 + 1e-9);
        let angle = [0.6, 0.4, 0.25, 0.15, 0.08, 0.04].into_iter().find(|&angle| {
            let Form { xx, xy, yy } = form(bodies, direction, across, angle);
            if let Some((_, steep)) = least.bend {
                return yy > needed && steep > (0.5 * angle).tan() * (yy + 2.0 * xy.abs() + (-xx).max(0.0));
            }
            let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
            mean - (half * half + xy * xy).sqrt() > needed
        })?;
        let floor = least.height - (least.slope + ROUNDING) * angle - 4.0 * ROUNDING;
        Some(Self { middle: least.direction, angle, floor })
    }

    /// Are all directions in here, in which a triangle is nearer than the floor? It lies no nearer
    /// than `height` along its normal: its points within a ball of the floor's radius are at most
    /// the angle with the cosine `height / floor` from the normal.
    pub(super) fn covers(&self, normal: DVec3, height: f64) -> bool {
        let (from_middle, from_normal) = (normal.dot(self.middle).min(1.0), (height / self.floor).min(1.0));
        // Angles whose cosines are near one have few digits.
        height > 0.0 && from_middle > 0.0 && from_middle.acos() + from_normal.acos() + 1e-6 < self.angle
    }
}

/// A quadratic form on the directions across a unit vector.
#[derive(Debug, Clone, Copy, Default)]
struct Form {
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Form {
    /// Adds the products of two vectors, divided.
    fn add(&mut self, x: DVec3, y: DVec3, by: f64) {
        self.xx += x.dot(x) / by;
        self.xy += x.dot(y) / by;
        self.yy += y.dot(y) / by;
    }
}

/// Of both bodies' round parts: the least that the second derivative and the function add up to,
/// up to an angle around a direction.
fn form(bodies: &Bodies<'_>, direction: DVec3, across: [DVec3; 2], angle: f64) -> Form {
    let mut form = Form::default();
    add(&mut form, &bodies.a, direction, across, angle);
    // The other body is mirrored: circles and ellipsoids curve as before.
    add(&mut form, &bodies.b, -direction, across, angle);
    form
}

fn add(form: &mut Form, body: &Body<'_>, direction: DVec3, across: [DVec3; 2], angle: f64) {
    let local = |vector: DVec3| body.pose.as_ref().map_or(vector, |pose| pose.rotation().transpose() * vector);
    let radius = match &body.core {
        Core::Tube(core) => core.radius,
        // The rim that the support lies on. What the other adds is left out.
        Core::Frustum(core) if core.support_is_top(local(direction)) => core.top,
        Core::Frustum(core) => core.bottom,
        Core::Quadric(core) => {
            return add_ellipsoid(form, core.radii * body.unit, [direction, across[0], across[1]].map(local), angle);
        }
        Core::Worn(core) => {
            add_ellipsoid(form, core.whole.radii * body.unit, [direction, across[0], across[1]].map(local), angle);
            form.xx -= core.by * body.unit;
            form.yy -= core.by * body.unit;
            return;
        }
        _ => return,
    };
    let axis = body.pose.as_ref().map_or(DVec3::Z, |pose| pose.rotation().z_axis);
    let slope = axis.cross(direction);
    let (x, y) = (slope.dot(across[0]), slope.dot(across[1]));
    // The sine of the angle from the axis, at most: it lies below its tangent.
    let sine = (slope.length() + angle * axis.dot(direction).abs()).min(1.0);
    let by = sine * sine * sine / (radius * body.unit);
    form.xx += x * x / by;
    form.xy += x * y / by;
    form.yy += y * y / by;
}

/// All in the ellipsoid's frame. The axis of the great circle from the direction towards the first
/// of the two across it is the second, and the other way round.
fn add_ellipsoid(form: &mut Form, radii: DVec3, [direction, e, f]: [DVec3; 3], angle: f64) {
    let cofactors = DVec3::new(radii.y * radii.z, radii.z * radii.x, radii.x * radii.y);
    let length = (radii * direction).length() + angle * radii.max_element();
    form.add(cofactors * f, cofactors * -e, length * length * length);
}
