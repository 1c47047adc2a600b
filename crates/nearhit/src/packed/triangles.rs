//! Eight pairs of triangles at once: how far apart are they, at least?
//!
//! Every bound is the gap between the two triangles' projections on some direction, so it is true
//! however the direction was found; only the projection's rounding counts, and the slack has room
//! for it. Directions tried: both normals, then a few steps of Gilbert's method from the line
//! between the middles.

use super::lanes::Simd;
use super::relation::{absolute, along, squared_gap};

/// Corners of eight triangles, in one frame.
pub(super) type Corners<S> = [[S; 3]; 3];

/// Steps of Gilbert's method.
const STEPS: usize = 3;

/// A squared length to divide by is at least this.
const TINY: f32 = 1e-30;

#[inline(always)]
fn minus<S: Simd>(x: &[S; 3], y: &[S; 3]) -> [S; 3] {
    [x[0].sub(y[0]), x[1].sub(y[1]), x[2].sub(y[2])]
}

#[inline(always)]
pub(super) fn cross<S: Simd>(x: &[S; 3], y: &[S; 3]) -> [S; 3] {
    [x[1].mul(y[2]).sub(x[2].mul(y[1])), x[2].mul(y[0]).sub(x[0].mul(y[2])), x[0].mul(y[1]).sub(x[1].mul(y[0]))]
}

#[inline(always)]
fn normal<S: Simd>([p, q, r]: &Corners<S>) -> [S; 3] {
    cross(&minus(q, p), &minus(r, p))
}

/// Three times the middles.
#[inline(always)]
fn sum<S: Simd>([p, q, r]: &Corners<S>) -> [S; 3] {
    [p[0].add(q[0]).add(r[0]), p[1].add(q[1]).add(r[1]), p[2].add(q[2]).add(r[2])]
}

/// The gap between projections on a direction, whichever comes first, times the direction's length,
/// less the slack; and the length squared.
#[inline(always)]
fn gap_on<S: Simd>(direction: &[S; 3], a: &Corners<S>, b: &Corners<S>, slack: S) -> (S, S) {
    let ((low_a, high_a), (low_b, high_b)) = (shadow(direction, a), shadow(direction, b));
    let gap = low_b.sub(high_a).max(low_a.sub(high_b));
    (less_slack(gap, direction, slack), along(direction, direction))
}

/// The sum of the components is no less than the length.
#[inline(always)]
fn less_slack<S: Simd>(gap: S, direction: &[S; 3], slack: S) -> S {
    let [x, y, z] = absolute(direction);
    gap.sub(slack.mul(x.add(y).add(z)))
}

/// Eight triangles, and their shadows on their own normals.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planes<S> {
    corners: Corners<S>,
    normal: [S; 3],
    low: S,
    high: S,
    slack: S,
}

impl<S: Simd> Planes<S> {
    #[inline(always)]
    pub(super) fn of(corners: &Corners<S>, slack: S) -> Self {
        let normal = normal(corners);
        let (low, high) = shadow(&normal, corners);
        Self { corners: *corners, normal, low, high, slack }
    }

    /// Gaps to other triangles on the normals of both, times lengths: positive where a plane
    /// separates.
    #[inline(always)]
    pub(super) fn gaps(&self, others: &Corners<S>) -> S {
        let (low, high) = shadow(&self.normal, others);
        let gap = self.low.sub(high).max(low.sub(self.high));
        let own = less_slack(gap, &self.normal, self.slack);
        own.max(gap_on(&normal(others), others, &self.corners, self.slack).0)
    }
}

/// The lowest and the highest of three corners along a direction.
#[inline(always)]
fn shadow<S: Simd>(direction: &[S; 3], [p, q, r]: &Corners<S>) -> (S, S) {
    let (p, q, r) = (along(direction, p), along(direction, q), along(direction, r));
    (p.min(q).min(r), p.max(q).max(r))
}

/// Squares of lower bounds on the distances, at least `known`. Coordinates must be at most about
/// one, the slack is the rounding in them and in projections of them. Nothing is made better once
/// no lane of `used` is below `top`.
#[inline(always)]
pub(super) fn squared_bounds<S: Simd>(
    (a, b): (&Corners<S>, &Corners<S>),
    slack: S,
    known: S,
    (top, used): (S, u32),
) -> S {
    let planes = squared_gap(gap_on(&normal(a), a, b, slack)).max(squared_gap(gap_on(&normal(b), a, b, slack)));
    let mut best = planes.max(known);
    let (zero, third) = (S::splat(0.0), S::splat(1.0 / 3.0));
    let [x, y, z] = minus(&sum(b), &sum(a));
    // A point of the body of differences, b - a; the search is for its point nearest to the origin.
    let mut point = [x.mul(third), y.mul(third), z.mul(third)];
    for _ in 0..STEPS {
        if best.below(top) & used == 0 {
            break;
        }
        let (far_a, high_a) = highest(a, &point);
        let (near_b, low_b) = lowest(b, &point);
        let gap = less_slack(low_b.sub(high_a), &point, slack);
        best = best.max(squared_gap((gap, along(&point, &point))));
        let way = minus(&minus(&near_b, &far_a), &point);
        let part = zero.sub(along(&point, &way)).div(along(&way, &way).max(S::splat(TINY)));
        let part = part.max(zero).min(S::splat(1.0));
        point = [part.mul_add(way[0], point[0]), part.mul_add(way[1], point[1]), part.mul_add(way[2], point[2])];
    }
    best
}

/// Squares of lower bounds on the distances of the origin from triangles; of the true distances,
/// but for rounding. Coordinates and slack as in [`squared_bounds`].
///
/// The nearest point is in the face, and its direction the normal; or it is on an edge, and the
/// nearest of those of the three edges shows the direction.
#[inline(always)]
pub(super) fn squared_from_origin<S: Simd>(corners: &Corners<S>, slack: S) -> S {
    let [p, q, r] = corners;
    let (first, second, third) = (nearest_on(p, q), nearest_on(q, r), nearest_on(r, p));
    let nearest = nearer(&nearer(&first, &second), &third);
    let normal = normal(corners);
    squared_gap(gap_from_origin(&nearest, corners, slack)).max(squared_gap(gap_from_origin(&normal, corners, slack)))
}

/// The points of edges nearest to the origin.
#[inline(always)]
fn nearest_on<S: Simd>(p: &[S; 3], q: &[S; 3]) -> [S; 3] {
    let (zero, edge) = (S::splat(0.0), minus(q, p));
    let part = zero.sub(along(p, &edge)).div(along(&edge, &edge).max(S::splat(TINY)));
    let part = part.max(zero).min(S::splat(1.0));
    [part.mul_add(edge[0], p[0]), part.mul_add(edge[1], p[1]), part.mul_add(edge[2], p[2])]
}

#[inline(always)]
fn nearer<S: Simd>(x: &[S; 3], y: &[S; 3]) -> [S; 3] {
    let (from_x, from_y) = (along(x, x), along(y, y));
    [from_x.choose(from_y, x[0], y[0]), from_x.choose(from_y, x[1], y[1]), from_x.choose(from_y, x[2], y[2])]
}

/// The gap between the origin and the triangles' projections on a direction, as in [`gap_on`].
#[inline(always)]
fn gap_from_origin<S: Simd>(direction: &[S; 3], [p, q, r]: &Corners<S>, slack: S) -> (S, S) {
    let (x, y, z) = (along(direction, p), along(direction, q), along(direction, r));
    let gap = x.min(y).min(z).max(S::splat(0.0).sub(x.max(y).max(z)));
    (less_slack(gap, direction, slack), along(direction, direction))
}

/// The corners highest along a direction, and how high.
#[inline(always)]
fn highest<S: Simd>([p, q, r]: &Corners<S>, direction: &[S; 3]) -> ([S; 3], S) {
    let (x, y, z) = (along(direction, p), along(direction, q), along(direction, r));
    let most = x.max(y);
    let first = [y.choose(x, p[0], q[0]), y.choose(x, p[1], q[1]), y.choose(x, p[2], q[2])];
    let corner = [z.choose(most, first[0], r[0]), z.choose(most, first[1], r[1]), z.choose(most, first[2], r[2])];
    (corner, most.max(z))
}

/// The lowest ones.
#[inline(always)]
fn lowest<S: Simd>([p, q, r]: &Corners<S>, direction: &[S; 3]) -> ([S; 3], S) {
    let (x, y, z) = (along(direction, p), along(direction, q), along(direction, r));
    let least = x.min(y);
    let first = [x.choose(y, p[0], q[0]), x.choose(y, p[1], q[1]), x.choose(y, p[2], q[2])];
    let corner = [least.choose(z, first[0], r[0]), least.choose(z, first[1], r[1]), least.choose(z, first[2], r[2])];
    (corner, least.min(z))
}
