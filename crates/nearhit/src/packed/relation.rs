//! Overlap test and distance bound of oriented boxes (OBB) in single precision: how two frames lie,
//! and how far apart the boxes and triangles in them are, at least.
//!
//! Rounding. The rotation is composed in single precision, the offset of the two origins in double
//! precision and rounded once. So all errors are proportional to the local sizes: the reach of both
//! frames and the offset. Counted in half-ulps of their sum: 8 for axes that are orthonormal only
//! to single precision (each side), 12 for the product of three matrices, 6 for a transformed
//! point, 4 for extents, 3 for differences, 2 for a change of units, 10 for the projection of a
//! difference on a direction of length one; under 60 in all. [`Relation::new`] takes 128 and adds
//! the query's double-precision slack; everything that is transformed is grown by that. A computed
//! length of gaps exceeds the true one by no more than the axes' stretch: [`SHRINK`] takes that
//! off.

use super::boxes::{Boxes, Single};
use super::lanes::{Places, Simd};
use super::node::{Frame, Leaf, WideNode};
use super::quad::{Quad, Rows};
use glam::{DMat3, DVec3};

/// a_from_b between the models' centres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Between {
    /// Columns.
    pub(super) rotation: [[f32; 3]; 3],
    /// Columns, the last one the translation.
    pub(super) exact: [[f64; 4]; 4],
    pub(super) slack: f32,
}

impl Between {
    pub(super) fn new(rotation: DMat3, translation: DVec3, slack: f64) -> Self {
        let [u, v, w] = rotation.to_cols_array_2d();
        let exact = [u, v, w, translation.to_array()].map(|[x, y, z]| [x, y, z, 0.0]);
        Self {
            rotation: [u, v, w].map(|column| column.map(|entry| entry as f32)),
            exact,
            slack: (slack as f32).next_up() + f32::MIN_POSITIVE,
        }
    }

    #[inline(always)]
    fn shift(&self) -> [f32; 3] {
        let [x, y, z, _] = self.exact[3];
        [x as f32, y as f32, z as f32]
    }

    /// A point about b's centre, about a's: to rounding, for guesses.
    #[inline(always)]
    pub(super) fn seen_from_a(&self, point: &[f32; 3]) -> [f32; 3] {
        let ([u, v, w], [x, y, z]) = (&self.rotation, point);
        let shift = self.shift();
        [
            u[0] * x + v[0] * y + w[0] * z + shift[0],
            u[1] * x + v[1] * y + w[1] * z + shift[1],
            u[2] * x + v[2] * y + w[2] * z + shift[2],
        ]
    }

    /// The way back.
    #[inline(always)]
    pub(super) fn seen_from_b(&self, point: &[f32; 3]) -> [f32; 3] {
        let shift = self.shift();
        let offset = [point[0] - shift[0], point[1] - shift[1], point[2] - shift[2]];
        [dot(&self.rotation[0], &offset), dot(&self.rotation[1], &offset), dot(&self.rotation[2], &offset)]
    }
}

/// A rotation and translation between two frames, and the slack for everything computed with them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relation<Q> {
    pub(super) rows: Rows<Q>,
    pub(super) columns: Rows<Q>,
    pub(super) translation: Q,
    /// The sum of all lengths that rounding is proportional to.
    pub(super) size: f32,
    pub(super) slack: f32,
}

pub(super) const ROUNDING: f32 = 128.0 * 0.5 * f32::EPSILON;
/// Applied to squared lengths: axes may stretch by 8 half-ulps, three squares are added.
const SHRINK: f32 = 1.0 - 40.0 * f32::EPSILON;
/// Squares of lengths below 1e-19 are denormal: each of some ten operations may then be off by half
/// of the smallest number there is, 1.4e-45, however small they are.
const DENORMAL: f32 = 1e-43;

/// Computed squared distances below this matter to a search that has no use for distances from the
/// threshold on.
#[inline(always)]
pub(super) fn squared_limit(threshold: f64) -> f32 {
    let threshold = (threshold as f32).next_up();
    (threshold * threshold / SHRINK).next_up() + DENORMAL
}

/// A length that the true distance is certainly not below, from a computed squared one; zero of
/// what is not a number.
#[inline(always)]
pub(super) fn certain_root(squared: f32) -> f64 {
    let least = (squared * SHRINK - DENORMAL).max(0.0);
    f64::from(least.sqrt() * (1.0 - f32::EPSILON))
}
/// Squared lengths below this have lost digits.
const TINY: f32 = 1e-30;

#[inline(always)]
fn dot(x: &[f32; 3], y: &[f32; 3]) -> f32 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

impl<Q: Quad> Relation<Q> {
    /// Frame `a` from frame `b`.
    #[inline(always)]
    pub(super) fn new(a: &Frame, b: &Frame, between: &Between) -> Self {
        // Vectors in b's model, then in b, of what are rows here: the axes of a.
        let axes_a = Q::transposed(&[Q::load(&a.axes[0]), Q::load(&a.axes[1]), Q::load(&a.axes[2])]);
        let [u, v, w] = &between.rotation;
        let half_way = [Q::combined(&axes_a, u), Q::combined(&axes_a, v), Q::combined(&axes_a, w)];
        let [x, y, z] = &b.axes;
        let columns = [Q::combined(&half_way, x), Q::combined(&half_way, y), Q::combined(&half_way, z)];
        let offset = Q::offset(&between.exact, &b.origin, &a.origin);
        let translation = Q::combined(&axes_a, &offset.store());
        let [x, y, z] = offset.abs().store();
        let size = a.reach() + b.reach() + x + y + z;
        let rows = Q::transposed(&columns);
        Self { rows, columns, translation, size, slack: ROUNDING * size + between.slack }
    }

    /// The same the other way round: frame `b` from frame `a`.
    #[inline(always)]
    pub(super) fn reversed(&self) -> Self {
        let translation = Q::splat(0.0).sub(Q::combined(&self.rows, &self.translation.store()));
        Self { rows: self.columns, columns: self.rows, translation, ..*self }
    }

    /// The half extents of a box of the other frame along the axes of this one, grown by the slack.
    #[inline(always)]
    fn extents(&self, half: &[f32; 3]) -> Q {
        let [x, y, z] = self.columns;
        Q::combined(&[x.abs(), y.abs(), z.abs()], half).add(Q::splat(self.slack))
    }

    /// The box around everything in `b`, as a box along the axes of a.
    #[inline(always)]
    pub(super) fn around(&self, b: &Frame) -> Single {
        Single { center: self.translation.store(), half: self.extents(&b.half).store() }
    }
}

impl<S: Simd> Relate<S> for Relation<S::Quad> {
    #[inline(always)]
    fn row(&self, axis: usize) -> [S; 3] {
        splat(&self.rows[axis].store())
    }

    #[inline(always)]
    fn shift(&self, axis: usize) -> S {
        S::splat(self.translation.store()[axis])
    }

    #[inline(always)]
    fn slack(&self) -> S {
        S::splat(self.slack)
    }

    type Slots<'n>
        = (Self, &'n WideNode)
    where
        Self: 'n;

    #[inline(always)]
    fn slots<'n>(&'n self, node: &'n WideNode) -> Self::Slots<'n> {
        (*self, node)
    }
}

/// Made one by one.
impl<S: Simd> Slots<S> for (Relation<S::Quad>, &WideNode) {
    #[inline(always)]
    fn single(&self, lane: usize) -> Single {
        let (relation, own) = (&self.0, Single::of(self.1, lane));
        let center = S::Quad::combined(&relation.columns, &own.center).add(relation.translation);
        Single { center: center.store(), half: relation.extents(&own.half).store() }
    }

    #[inline(always)]
    fn turned_axis(&self, lane: usize) -> [f32; 3] {
        S::Quad::combined(&self.0.columns, &self.1.slabs.axis_of(lane)).abs().store()
    }
}

/// The slots of a node, seen from another frame one at a time.
pub(super) trait Slots<S: Simd> {
    /// As a box along the other frame's axes, grown by the slack.
    fn single(&self, lane: usize) -> Single;

    /// The axis of its slab, without signs.
    fn turned_axis(&self, lane: usize) -> [f32; 3];
}

/// One frame seen from another: numbers of the relation in every lane.
pub(super) trait Relate<S: Simd> {
    /// A row of the rotation.
    fn row(&self, axis: usize) -> [S; 3];

    /// A coordinate of the translation.
    fn shift(&self, axis: usize) -> S;

    /// What everything that is transformed is grown by.
    fn slack(&self) -> S;

    type Slots<'n>: Slots<S>
    where
        Self: 'n;

    /// What is in a node's slots, to be looked at one by one.
    fn slots<'n>(&'n self, node: &'n WideNode) -> Self::Slots<'n>;

    /// The rotation alone, of eight vectors.
    #[inline(always)]
    fn turned(&self, vector: &[S; 3], axis: usize) -> S {
        along(&self.row(axis), vector)
    }

    /// Eight points.
    #[inline(always)]
    fn moved(&self, point: &[S; 3], axis: usize) -> S {
        let [x, y, z] = self.row(axis);
        x.mul_add(point[0], y.mul_add(point[1], z.mul_add(point[2], self.shift(axis))))
    }

    /// Eight boxes along one axis: middles and half extents.
    #[inline(always)]
    fn seen(&self, boxes: &Boxes<S>, axis: usize) -> (S, S) {
        let [x, y, z] = self.row(axis);
        let (center, half) = (&boxes.center, &boxes.half);
        let middle = x.mul_add(center[0], y.mul_add(center[1], z.mul_add(center[2], self.shift(axis))));
        let from_z = z.abs().mul_add(half[2], self.slack());
        (middle, x.abs().mul_add(half[0], y.abs().mul_add(half[1], from_z)))
    }

    /// All boxes of a node, as boxes along the other frame's axes, grown by the slack.
    #[inline(always)]
    fn boxes(&self, node: &WideNode) -> Boxes<S> {
        let from = Boxes::<S>::of(node);
        // Written out: a closure would not be compiled for the CPU of the path.
        let (x, y, z) = (self.seen(&from, 0), self.seen(&from, 1), self.seen(&from, 2));
        Boxes { center: [x.0, y.0, z.0], half: [x.1, y.1, z.1] }
    }

    /// The corners of all triangles of a leaf in the other frame, times `scale`.
    #[inline(always)]
    fn corners(&self, leaf: &Leaf, scale: S) -> [[S; 3]; 3] {
        [self.corner(leaf, 0, scale), self.corner(leaf, 1, scale), self.corner(leaf, 2, scale)]
    }

    #[inline(always)]
    fn corner(&self, leaf: &Leaf, corner: usize, scale: S) -> [S; 3] {
        let [x, y, z] = &leaf.corners[corner];
        let point = [S::load(x), S::load(y), S::load(z)];
        [self.moved(&point, 0).mul(scale), self.moved(&point, 1).mul(scale), self.moved(&point, 2).mul(scale)]
    }
}

/// A bound on the distance of eight boxes of one frame from eight of the other, lane by lane, from
/// one well-chosen direction: from the point of a's box that is nearest to the middle of b's, to
/// the point of b's that is nearest to that. Returns the gap between the boxes' shadows times the
/// direction's length, or less, and the length's square.
///
/// Any direction gives a true bound. This one was found to be nearly as good as the boxes'
/// distance: ADR 6.
#[inline(always)]
pub(super) fn along_nearest<S: Simd>(
    (relation, back): (&impl Relate<S>, &impl Relate<S>),
    a: &Boxes<S>,
    b: &Boxes<S>,
) -> (S, S) {
    let center = [relation.moved(&b.center, 0), relation.moved(&b.center, 1), relation.moved(&b.center, 2)];
    let nearest_a = [a.clamped(&center, 0), a.clamped(&center, 1), a.clamped(&center, 2)];
    let seen = [back.moved(&nearest_a, 0), back.moved(&nearest_a, 1), back.moved(&nearest_a, 2)];
    let in_b = [b.clamped(&seen, 0).sub(seen[0]), b.clamped(&seen, 1).sub(seen[1]), b.clamped(&seen, 2).sub(seen[2])];
    let in_a = [relation.turned(&in_b, 0), relation.turned(&in_b, 1), relation.turned(&in_b, 2)];
    let between = [center[0].sub(a.center[0]), center[1].sub(a.center[1]), center[2].sub(a.center[2])];
    let slack = relation.slack();
    let half_a = [a.half[0].add(slack), a.half[1].add(slack), a.half[2].add(slack)];
    let shadows = along(&absolute(&in_a), &half_a).add(along(&absolute(&in_b), &b.half));
    (along(&in_a, &between).sub(shadows), along(&in_b, &in_b))
}

/// Scalar products.
#[inline(always)]
pub(super) fn along<S: Simd>(x: &[S; 3], y: &[S; 3]) -> S {
    x[0].mul_add(y[0], x[1].mul_add(y[1], x[2].mul(y[2])))
}

#[inline(always)]
pub(super) fn absolute<S: Simd>(x: &[S; 3]) -> [S; 3] {
    [x[0].abs(), x[1].abs(), x[2].abs()]
}

/// Vectors of the lanes given.
#[inline(always)]
pub(super) fn permuted<S: Simd>([x, y, z]: &[S; 3], lanes: &Places) -> [S; 3] {
    [x.permute(lanes), y.permute(lanes), z.permute(lanes)]
}

/// One vector in every lane.
#[inline(always)]
pub(super) fn splat<S: Simd>([x, y, z]: &[f32; 3]) -> [S; 3] {
    [S::splat(*x), S::splat(*y), S::splat(*z)]
}

/// The square of a gap that was multiplied by a length; zero for overlaps, and where the length is
/// too small to divide by.
#[inline(always)]
pub(super) fn squared_gap<S: Simd>((gap, length_squared): (S, S)) -> S {
    let gap = gap.max(S::splat(0.0));
    // In this order nothing overflows: the quotient is at most a length over a length.
    gap.div(length_squared.max(S::splat(TINY))).mul(gap)
}
