//! How far apart are two rectangles (§4.3 of the swept-sphere paper)?
//!
//! The paper looks at all 16 pairs of edges for one whose nearest points lie in each other's
//! external Voronoi regions, and falls back on the two face normals. Here the same question is
//! asked of one solid. The differences `a - b` of points of two rectangles fill a zonotope: the
//! middle of a less the middle of b, plus any share of four half sides. Its distance from the
//! origin is the distance of the rectangles. It is centrally symmetric with six pairs of faces: one
//! for each rectangle (a corner of one over the face of the other) and one for each of the four
//! pairs of *directions* of edges. The sign of the normal says which one of two parallel faces
//! looks at the origin, and so which one corner, or which one pair of edges out of four, can be
//! nearest. That leaves six candidates, and they cover every face of the zonotope that the origin
//! can see.
//!
//! The face with the widest gap nearly always has the nearest points, so its candidate is tried
//! first. Nothing rests on that but speed and tightness: a candidate yields a direction, and
//! returned is the gap between the two shadows along it or along one of the six normals: right, or
//! too small, whatever rounding did (§4.3.4). If that gap falls short of the candidate (another
//! face is nearer, or signs are in doubt because edges or planes are parallel), all corners and
//! edge pairs are looked at.

use super::edges::{EdgeGaps, TIGHT, between_edges, per_length, squared_to, squared_to_b, widest_gap};
use super::{Rectangle, beyond, is_ordinary, larger, rescaling, smaller};
use arrayvec::ArrayVec;
use glam::{DVec2, DVec3, Vec3Swizzles};

pub(super) fn rectangle_rectangle(a: &Rectangle, b: &Rectangle) -> f64 {
    rectangle_rectangle_up_to(a, b, f64::INFINITY)
}

/// The distance, or as soon as a gap of at least `limit` is known, that gap.
#[inline]
pub(super) fn rectangle_rectangle_up_to(a: &Rectangle, b: &Rectangle, limit: f64) -> f64 {
    let pair = RectanglePair::new(a, b);
    if is_ordinary(pair.reach) { pair.distance_up_to(limit) } else { pair.extreme_distance() }
}

/// Is the distance certainly more than `radii`? True whenever [`rectangle_rectangle`] exceeds it.
#[inline]
pub(super) fn rectangles_apart(a: &Rectangle, b: &Rectangle, radii: f64) -> bool {
    let pair = RectanglePair::new(a, b);
    if is_ordinary(pair.reach) { pair.is_apart(radii) } else { pair.extreme_distance() > radii }
}

/// Rectangle a seen from the middle of rectangle b, along b's axes.
#[derive(Debug, Clone, Copy)]
struct RectanglePair {
    /// From the middle of b to the middle of a.
    offset: DVec3,
    /// Directions of a's two sides.
    u: DVec3,
    v: DVec3,
    /// Made of `u` and `v` here: taken from elsewhere, its rounding would not fit theirs.
    normal: DVec3,
    half_a: DVec2,
    half_b: DVec2,
    /// The largest length in all this.
    reach: f64,
}

// Always inlined on the hot path: a pair that is handed on through memory costs a fifth of the
// whole.
impl RectanglePair {
    #[inline]
    fn new(a: &Rectangle, b: &Rectangle) -> Self {
        let to_b = b.axes.transpose();
        let offset = to_b * (a.center - b.center);
        let (u, v) = (to_b * a.axes.x_axis, to_b * a.axes.y_axis);
        let halves = larger(a.reach(), b.reach());
        let reach = larger(larger(offset.x.abs(), offset.y.abs()), larger(offset.z.abs(), halves));
        Self { offset, u, v, normal: u.cross(v), half_a: a.half_lengths, half_b: b.half_lengths, reach }
    }

    /// Lengths whose squares overflow or vanish.
    #[cold]
    fn extreme_distance(&self) -> f64 {
        let factor = rescaling(self.reach);
        let scaled = Self {
            offset: self.offset * factor,
            half_a: self.half_a * factor,
            half_b: self.half_b * factor,
            reach: self.reach * factor,
            ..*self
        };
        if is_ordinary(scaled.reach) { scaled.distance_up_to(f64::INFINITY) / factor } else { 0.0 }
    }

    #[inline(always)]
    fn distance_up_to(&self, limit: f64) -> f64 {
        let gaps = Gaps::new(self);
        let across_a_face = larger(gaps.face_a, gaps.face_b);
        if across_a_face >= limit {
            return across_a_face;
        }
        if gaps.overlap(self.reach) {
            return 0.0;
        }
        let (face, gap_squared) = gaps.widest();
        if gap_squared >= limit * limit {
            return gap_squared.sqrt();
        }
        self.settled(self.candidate(&gaps, face), gap_squared)
    }

    #[inline]
    fn is_apart(&self, radii: f64) -> bool {
        let gaps = Gaps::new(self);
        if gaps.exceed(radii) {
            return true;
        }
        if gaps.overlap(self.reach) {
            return false;
        }
        let (face, gap_squared) = gaps.widest();
        let way = self.candidate(&gaps, face);
        way.length_squared() > radii * radii && self.settled(way, gap_squared) > radii
    }

    /// The distance: by the candidate if it is proven, else by the long search; never more than the
    /// candidate's points are apart.
    #[inline(always)]
    fn settled(&self, way: DVec3, gap_squared: f64) -> f64 {
        self.proven(way, gap_squared).unwrap_or_else(|| smaller(self.searched(), way.length()))
    }

    /// The distance, if a gap is as long as the way: the widest along a normal, given squared, or
    /// the one along the way itself.
    #[inline(always)]
    fn proven(&self, way: DVec3, gap_squared: f64) -> Option<f64> {
        let way_squared = way.length_squared();
        if gap_squared >= way_squared * TIGHT {
            return Some(smaller(gap_squared, way_squared).sqrt());
        }
        let (found, points) = (larger(gap_squared.sqrt(), self.gap_along(self.straightened(way))), way_squared.sqrt());
        // Rounding in the way and the gap.
        let enough = points * TIGHT - 64.0 * f64::EPSILON * self.reach;
        (found >= enough).then_some(smaller(found, points))
    }

    /// The shortest way from b to a between the features that make a face of the zonotope. In all
    /// but one of a thousand pairs the nearest points are at the face with the widest gap.
    #[inline(always)]
    fn candidate(&self, gaps: &Gaps, face: Face) -> DVec3 {
        let Self { u, v, half_a, .. } = *self;
        let normal = self.normal;
        let Gaps { edges_u, edges_v, .. } = gaps;
        match face {
            Face::OfA => self.corner_of_b_over_a(),
            Face::OfB => self.corner_of_a_over_b(),
            // Along n = axis × edge, towards a: which of a's two parallel edges comes first, and
            // which of b's last.
            Face::UX => {
                let (offset, square) = (edges_u.offsets.x, edges_u.lengths_squared.x);
                let side = v * half_a.y.copysign(-offset * normal.x);
                self.edges_along_x(u, half_a.x, side, -offset * u.z, square)
            }
            Face::UY => {
                let (offset, square) = (edges_u.offsets.y, edges_u.lengths_squared.y);
                let side = v * half_a.y.copysign(-offset * normal.y);
                self.edges_along_y(u, half_a.x, side, offset * u.z, square)
            }
            Face::VX => {
                let (offset, square) = (edges_v.offsets.x, edges_v.lengths_squared.x);
                let side = u * half_a.x.copysign(offset * normal.x);
                self.edges_along_x(v, half_a.y, side, -offset * v.z, square)
            }
            Face::VY => {
                let (offset, square) = (edges_v.offsets.y, edges_v.lengths_squared.y);
                let side = u * half_a.x.copysign(offset * normal.y);
                self.edges_along_y(v, half_a.y, side, offset * v.z, square)
            }
        }
    }

    /// a's corner that is lowest over b's plane, from b's nearest point.
    #[inline]
    fn corner_of_a_over_b(&self) -> DVec3 {
        let Self { offset, u, v, half_a, .. } = *self;
        let corner = offset + u * half_a.x.copysign(-offset.z * u.z) + v * half_a.y.copysign(-offset.z * v.z);
        self.over_b(corner)
    }

    /// To a point of a from b's nearest point.
    #[inline]
    fn over_b(&self, point: DVec3) -> DVec3 {
        DVec3::new(beyond(point.x, self.half_b.x), beyond(point.y, self.half_b.y), point.z)
    }

    /// a's nearest point, from b's corner that is highest towards a's plane.
    #[inline]
    fn corner_of_b_over_a(&self) -> DVec3 {
        let Self { offset, normal, half_b, .. } = *self;
        let height = normal.dot(offset);
        let corner = DVec3::new(half_b.x.copysign(height * normal.x), half_b.y.copysign(height * normal.y), 0.0);
        self.over_a(corner)
    }

    /// To a's nearest point from a point of b.
    #[inline]
    fn over_a(&self, point: DVec3) -> DVec3 {
        let Self { offset, u, v, normal, half_a, .. } = *self;
        let from_middle = offset - point;
        u * beyond(u.dot(from_middle), half_a.x)
            + v * beyond(v.dot(from_middle), half_a.y)
            + normal * normal.dot(from_middle)
    }

    /// To a's edge along `edge`, moved to `side_a`, from b's edge along x on the side of y that has
    /// the sign of `side_b`.
    #[inline]
    fn edges_along_x(&self, edge: DVec3, half: f64, side_a: DVec3, side_b: f64, sine_squared: f64) -> DVec3 {
        let offset = self.offset + side_a - DVec3::Y * self.half_b.y.copysign(side_b);
        between_edges(edge, half, offset, self.half_b.x, sine_squared)
    }

    /// The same from b's edge along y.
    #[inline]
    fn edges_along_y(&self, edge: DVec3, half: f64, side_a: DVec3, side_b: f64, sine_squared: f64) -> DVec3 {
        let offset = (self.offset + side_a - DVec3::X * self.half_b.x.copysign(side_b)).yxz();
        between_edges(edge.yxz(), half, offset, self.half_b.y, sine_squared).yxz()
    }

    #[inline]
    fn rounding(&self) -> f64 {
        8.0 * f64::EPSILON * self.reach
    }

    #[inline(always)]
    fn straightened(&self, way: DVec3) -> DVec3 {
        self.squared_to_a(squared_to_b(way, self.rounding()))
    }

    #[inline(always)]
    fn squared_to_a(&self, way: DVec3) -> DVec3 {
        squared_to(squared_to(way, self.u, self.rounding()), self.v, self.rounding())
    }

    /// The gap between the shadows of the two rectangles along `way`: a proof, whatever the way.
    #[inline(always)]
    fn gap_along(&self, way: DVec3) -> f64 {
        let tilt = DVec2::new(way.dot(self.u), way.dot(self.v));
        let gap = way.dot(self.offset) - self.half_b.dot(way.truncate().abs()) - self.half_a.dot(tilt.abs());
        per_length(gap, way.length_squared())
    }

    /// Over all corners and all 16 pairs of edges.
    #[cold]
    fn searched(&self) -> f64 {
        let mut ways = ArrayVec::<DVec3, 24>::new();
        for (i, j) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            ways.push(self.over_b(self.offset + self.u * (self.half_a.x * i) + self.v * (self.half_a.y * j)));
            ways.push(self.over_a(DVec3::new(self.half_b.x * i, self.half_b.y * j, 0.0)));
            for (edge, half, side) in [
                (self.u, self.half_a.x, self.v * (self.half_a.y * i)),
                (self.v, self.half_a.y, self.u * (self.half_a.x * i)),
            ] {
                let squares = edge * edge;
                ways.push(self.edges_along_x(edge, half, side, j, squares.y + squares.z));
                ways.push(self.edges_along_y(edge, half, side, j, squares.x + squares.z));
            }
        }
        let gaps = Gaps::new(self);
        larger(gaps.widest().1.sqrt(), widest_gap(&ways, |way| self.widest_along(way)))
    }

    /// Straightened in every way that could be the right one.
    fn widest_along(&self, way: DVec3) -> f64 {
        let to_b = squared_to_b(way, self.rounding());
        let ways = [way, to_b, self.squared_to_a(way), self.squared_to_a(to_b)];
        ways.into_iter().fold(0.0, |widest, way| larger(widest, self.gap_along(way)))
    }
}

/// Which two directions span a face of the zonotope: both of one rectangle, or one of a and one of
/// b.
#[derive(Debug, Clone, Copy)]
enum Face {
    OfA,
    OfB,
    UX,
    UY,
    VX,
    VY,
}

/// The gaps along all six normals; negative where the shadows overlap.
struct Gaps {
    face_a: f64,
    face_b: f64,
    edges_u: EdgeGaps,
    edges_v: EdgeGaps,
}

impl Gaps {
    #[inline]
    fn new(pair: &RectanglePair) -> Self {
        let RectanglePair { offset, u, v, normal, half_a, half_b, .. } = *pair;
        let sides = normal.truncate().abs();
        Self {
            face_a: normal.dot(offset).abs() - half_b.dot(sides),
            face_b: offset.z.abs() - half_a.dot(DVec2::new(u.z, v.z).abs()),
            edges_u: EdgeGaps::new(offset, u, half_b, sides * half_a.y),
            edges_v: EdgeGaps::new(offset, v, half_b, sides * half_a.x),
        }
    }

    /// Is it certain that the rectangles meet? No normal shows a gap, and the zonotope has a
    /// thickness along the two face normals: of a flat one, such as coplanar rectangles make, the
    /// normals do not tell all.
    #[inline]
    fn overlap(&self, reach: f64) -> bool {
        let rounding = 16.0 * f64::EPSILON * reach;
        larger(self.face_a, self.face_b) < -rounding && self.edges_u.overlap() && self.edges_v.overlap()
    }

    #[inline]
    fn exceed(&self, width: f64) -> bool {
        larger(self.face_a, self.face_b) > width || self.edges_u.exceed(width) || self.edges_v.exceed(width)
    }

    #[inline]
    fn widest(&self) -> (Face, f64) {
        let (u, v) = (self.edges_u.squares(), self.edges_v.squares());
        let (a, b) = (larger(self.face_a, 0.0), larger(self.face_b, 0.0));
        let wider = |p: (Face, f64), q: (Face, f64)| if p.1 >= q.1 { p } else { q };
        let faces = wider((Face::OfA, a * a), (Face::OfB, b * b));
        let edges = wider(wider((Face::UX, u.x), (Face::UY, u.y)), wider((Face::VX, v.x), (Face::VY, v.y)));
        wider(faces, edges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat3;
    use nearhit_testkit::rng::Rng;

    /// The long search is right too, so only its rarity shows that faces and sides are chosen well.
    #[test]
    fn the_first_candidate_is_nearly_always_proven() {
        let mut rng = Rng::new(75);
        let (mut apart, mut unproven) = (0, 0);
        for _ in 0..20_000 {
            let mut draw = || Rectangle {
                center: DVec3::from_array(rng.point(-1.5, 1.5)),
                axes: DMat3::from_cols_array_2d(&rng.rotation()),
                half_lengths: DVec2::new(rng.range(0.1, 1.0), rng.range(0.1, 1.0)),
            };
            let pair = RectanglePair::new(&draw(), &draw());
            let gaps = Gaps::new(&pair);
            if !gaps.overlap(pair.reach) {
                let (face, gap_squared) = gaps.widest();
                apart += 1;
                unproven += usize::from(pair.proven(pair.candidate(&gaps, face), gap_squared).is_none());
            }
        }
        assert!(apart > 10_000 && unproven < apart / 50, "{unproven} of {apart}");
    }
}
