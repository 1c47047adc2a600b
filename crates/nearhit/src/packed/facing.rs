//! How the two frames of a pair lie, both ways; of one pair, or of up to eight at once, a lane a
//! pair.
//!
//! To relate two frames takes a third of what it costs to open them, and one step waits for the
//! other: eight related at once take a few times as long as one. A descent that will open all pairs
//! of its agenda anyway has them related together, and what is apart as a whole is known at once.

use super::boxes::Single;
use super::lanes::{Lanes, Simd, WIDTH};
use super::node::{Frame, WideNode};
use super::quad::Quad;
use super::relation::{Between, ROUNDING, Relate, Relation, Slots, absolute, along, splat};
use super::slabs::Slab;

/// Frame a from frame b, the way back, and the box around everything in either, along the axes of
/// the other.
pub(super) trait Facing<S: Simd> {
    type There: Relate<S>;
    type Back: Relate<S>;
    fn there(&self) -> &Self::There;
    fn back(&self) -> &Self::Back;
    fn around_a(&self) -> Single;
    fn around_b(&self) -> Single;
    /// The sum of all lengths that rounding is proportional to.
    fn size(&self) -> f32;
    fn slack(&self) -> f32;
    /// May anything of the two be below the limit, as far as the boxes around everything tell?
    fn may_matter<const CONTACT: bool>(&self, a: &Frame, b: &Frame, limit: f32) -> bool;
}

/// Of one pair, made when it is opened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alone<Q> {
    there: Relation<Q>,
    back: Relation<Q>,
    around_a: Single,
    around_b: Single,
}

impl<Q: Quad> Alone<Q> {
    #[inline(always)]
    pub(super) fn new(a: &Frame, b: &Frame, between: &Between) -> Self {
        let there = Relation::new(a, b, between);
        let back = there.reversed();
        Self { there, back, around_a: back.around(a), around_b: there.around(b) }
    }

    /// A bound for everything in the frames, from their own boxes: the largest gap along the axes
    /// of either, or the larger squared distance.
    #[inline(always)]
    pub(super) fn whole<const CONTACT: bool>(&self, a: &Frame, b: &Frame) -> f32 {
        let gaps_a = self.there.translation.abs().sub(Q::load(&a.half)).sub(Q::load(&self.around_b.half));
        let gaps_b = self.back.translation.abs().sub(Q::load(&b.half)).sub(Q::load(&self.around_a.half));
        if CONTACT {
            let [x, y, z] = gaps_a.max(gaps_b).store();
            return x.max(y).max(z);
        }
        let (gaps_a, gaps_b) = (gaps_a.max(Q::splat(0.0)).store(), gaps_b.max(Q::splat(0.0)).store());
        sum_of_squares(&gaps_a).max(sum_of_squares(&gaps_b))
    }
}

#[inline(always)]
fn sum_of_squares(x: &[f32; 3]) -> f32 {
    x[0] * x[0] + x[1] * x[1] + x[2] * x[2]
}

impl<S: Simd> Facing<S> for Alone<S::Quad> {
    type There = Relation<S::Quad>;
    type Back = Relation<S::Quad>;
    #[inline(always)]
    fn there(&self) -> &Self::There {
        &self.there
    }
    #[inline(always)]
    fn back(&self) -> &Self::Back {
        &self.back
    }
    #[inline(always)]
    fn around_a(&self) -> Single {
        self.around_a
    }
    #[inline(always)]
    fn around_b(&self) -> Single {
        self.around_b
    }
    #[inline(always)]
    fn size(&self) -> f32 {
        self.there.size
    }
    #[inline(always)]
    fn slack(&self) -> f32 {
        self.there.slack
    }
    #[inline(always)]
    fn may_matter<const CONTACT: bool>(&self, a: &Frame, b: &Frame, limit: f32) -> bool {
        // What is not a number is no reason to leave anything out.
        let is_beyond = self.whole::<CONTACT>(a, b) >= limit;
        !is_beyond
    }
}

/// The relations of up to eight pairs, made together: a pair in each lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relations {
    rows: [[Lanes; 3]; 3],
    translation: [Lanes; 3],
    back: [Lanes; 3],
    /// Half extents.
    around_a: [Lanes; 3],
    around_b: [Lanes; 3],
    size: Lanes,
    slack: Lanes,
    /// Which of them is next.
    pub(super) next: usize,
}

impl Relations {
    pub(super) const NONE: Self = {
        let (none, three) = (Lanes([0.0; WIDTH]), [Lanes([0.0; WIDTH]); 3]);
        Self {
            rows: [three; 3],
            translation: three,
            back: three,
            around_a: three,
            around_b: three,
            size: none,
            slack: none,
            next: 0,
        }
    };
}

/// One of them, either way. Numbers are loaded where they are used: into every lane at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct OneWay<'r, const BACK: bool> {
    all: &'r Relations,
    lane: usize,
}

impl<S: Simd, const BACK: bool> Relate<S> for OneWay<'_, BACK> {
    #[inline(always)]
    fn row(&self, axis: usize) -> [S; 3] {
        let rows = &self.all.rows;
        if BACK {
            splat(&[rows[0][axis].0[self.lane], rows[1][axis].0[self.lane], rows[2][axis].0[self.lane]])
        } else {
            splat(&[rows[axis][0].0[self.lane], rows[axis][1].0[self.lane], rows[axis][2].0[self.lane]])
        }
    }

    #[inline(always)]
    fn shift(&self, axis: usize) -> S {
        let shift = if BACK { &self.all.back } else { &self.all.translation };
        S::splat(shift[axis].0[self.lane])
    }

    #[inline(always)]
    fn slack(&self) -> S {
        S::splat(self.all.slack.0[self.lane])
    }

    type Slots<'n>
        = Seen
    where
        Self: 'n;

    #[inline(always)]
    fn slots<'n>(&'n self, node: &'n WideNode) -> Seen {
        let boxes = Relate::<S>::boxes(self, node).stored();
        Seen { boxes, turned: Slab::<S>::of(node, self).turned() }
    }
}

/// All slots, made at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    boxes: [[Lanes; 3]; 2],
    turned: [Lanes; 3],
}

impl<S: Simd> Slots<S> for Seen {
    #[inline(always)]
    fn single(&self, lane: usize) -> Single {
        Single::stored(&self.boxes, lane)
    }

    #[inline(always)]
    fn turned_axis(&self, lane: usize) -> [f32; 3] {
        [self.turned[0].0[lane], self.turned[1].0[lane], self.turned[2].0[lane]]
    }
}

/// Of one of the pairs in [`Relations`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Together<'r> {
    there: OneWay<'r, false>,
    back: OneWay<'r, true>,
}

impl<'r, S: Simd> Facing<S> for Together<'r> {
    type There = OneWay<'r, false>;
    type Back = OneWay<'r, true>;
    #[inline(always)]
    fn there(&self) -> &Self::There {
        &self.there
    }
    #[inline(always)]
    fn back(&self) -> &Self::Back {
        &self.back
    }
    #[inline(always)]
    fn around_a(&self) -> Single {
        let OneWay { all, lane } = self.there;
        single(&all.back, &all.around_a, lane)
    }
    #[inline(always)]
    fn around_b(&self) -> Single {
        let OneWay { all, lane } = self.there;
        single(&all.translation, &all.around_b, lane)
    }
    #[inline(always)]
    fn size(&self) -> f32 {
        self.there.all.size.0[self.there.lane]
    }
    #[inline(always)]
    fn slack(&self) -> f32 {
        self.there.all.slack.0[self.there.lane]
    }
    /// That was asked when they were related.
    #[inline(always)]
    fn may_matter<const CONTACT: bool>(&self, _: &Frame, _: &Frame, _: f32) -> bool {
        true
    }
}

#[inline(always)]
fn single(center: &[Lanes; 3], half: &[Lanes; 3], lane: usize) -> Single {
    Single {
        center: [center[0].0[lane], center[1].0[lane], center[2].0[lane]],
        half: [half[0].0[lane], half[1].0[lane], half[2].0[lane]],
    }
}

/// What a [`Facing`] is made of.
pub(super) trait Lie {
    type Facing<'l, S: Simd>: Facing<S>
    where
        Self: 'l;
    fn facing<S: Simd>(&self, a: &Frame, b: &Frame) -> Self::Facing<'_, S>;
}

impl Lie for Between {
    type Facing<'l, S: Simd> = Alone<S::Quad>;
    #[inline(always)]
    fn facing<S: Simd>(&self, a: &Frame, b: &Frame) -> Alone<S::Quad> {
        Alone::new(a, b, self)
    }
}

/// The pair that is next.
impl Lie for Relations {
    type Facing<'l, S: Simd> = Together<'l>;
    #[inline(always)]
    fn facing<S: Simd>(&self, _: &Frame, _: &Frame) -> Together<'_> {
        let lane = self.next % WIDTH;
        Together { there: OneWay { all: self, lane }, back: OneWay { all: self, lane } }
    }
}

/// Two frames in each lane.
pub(super) type Frames<'f> = ([&'f Frame; WIDTH], [&'f Frame; WIDTH]);

/// Relates the frames of all pairs. Returns one bit for each that may be below the limit, as far as
/// the boxes around everything tell: their largest gaps along six axes.
#[inline(always)]
pub(super) fn relate<S: Simd>(
    (frames_a, frames_b): &Frames<'_>,
    between: &Between,
    limit: f32,
    relations: &mut Relations,
) -> u32 {
    let (a, b) = (Side::<S>::of(frames_a), Side::<S>::of(frames_b));
    let [u, v, w] = &between.rotation;
    // Vectors in b's model, of the axes of a.
    let turned = [a.row_through(0, [u, v, w]), a.row_through(1, [u, v, w]), a.row_through(2, [u, v, w])];
    let rows = [b.along_axes(&turned[0]), b.along_axes(&turned[1]), b.along_axes(&turned[2])];
    let offset = S::offset(&between.exact, &b.origin, &a.origin);
    let translation = a.along_axes(&offset);
    let zero = S::splat(0.0);
    let back = [
        zero.sub(column(&rows, &translation, 0)),
        zero.sub(column(&rows, &translation, 1)),
        zero.sub(column(&rows, &translation, 2)),
    ];
    let far = offset[0].abs().add(offset[1].abs()).add(offset[2].abs());
    let size = a.reach().add(b.reach()).add(far);
    let slack = size.mul_add(S::splat(ROUNDING), S::splat(between.slack));
    let magnitudes = [absolute(&rows[0]), absolute(&rows[1]), absolute(&rows[2])];
    let around_b =
        [row(&magnitudes[0], &b.half, slack), row(&magnitudes[1], &b.half, slack), row(&magnitudes[2], &b.half, slack)];
    let around_a = [
        column(&magnitudes, &a.half, 0).add(slack),
        column(&magnitudes, &a.half, 1).add(slack),
        column(&magnitudes, &a.half, 2).add(slack),
    ];
    let gaps_a = gaps(&translation, &a.half, &around_b);
    let gaps_b = gaps(&back, &b.half, &around_a);
    let left = largest(&gaps_a).max(largest(&gaps_b)).below(S::splat(limit));
    if left == 0 {
        return 0;
    }
    relations.rows = [stored(&rows[0]), stored(&rows[1]), stored(&rows[2])];
    (relations.translation, relations.back) = (stored(&translation), stored(&back));
    (relations.around_a, relations.around_b) = (stored(&around_a), stored(&around_b));
    (relations.size, relations.slack) = (size.store(), slack.store());
    left
}

#[inline(always)]
fn stored<S: Simd>([x, y, z]: &[S; 3]) -> [Lanes; 3] {
    [x.store(), y.store(), z.store()]
}

/// One frame in each lane.
struct Side<S> {
    axes: [[S; 3]; 3],
    origin: [S; 3],
    half: [S; 3],
}

impl<S: Simd> Side<S> {
    #[inline(always)]
    fn of(frames: &[&Frame; WIDTH]) -> Self {
        let [a, b, c, d, e, f, g, h] = frames;
        let (a, b, c, d) = (S::of_frame(a), S::of_frame(b), S::of_frame(c), S::of_frame(d));
        let (e, f, g, h) = (S::of_frame(e), S::of_frame(f), S::of_frame(g), S::of_frame(h));
        let [ux, uy, uz, vx, vy, vz, wx, wy] = S::transposed(&[a[0], b[0], c[0], d[0], e[0], f[0], g[0], h[0]]);
        let [_, wz, x, y, z, half_x, half_y, half_z] = S::transposed(&[a[1], b[1], c[1], d[1], e[1], f[1], g[1], h[1]]);
        Self { axes: [[ux, uy, uz], [vx, vy, vz], [wx, wy, wz]], origin: [x, y, z], half: [half_x, half_y, half_z] }
    }

    /// An axis times the columns of a matrix.
    #[inline(always)]
    fn row_through(&self, axis: usize, [u, v, w]: [&[f32; 3]; 3]) -> [S; 3] {
        let axis = &self.axes[axis];
        [through(axis, u), through(axis, v), through(axis, w)]
    }

    /// A vector along the three axes.
    #[inline(always)]
    fn along_axes(&self, vector: &[S; 3]) -> [S; 3] {
        [along(&self.axes[0], vector), along(&self.axes[1], vector), along(&self.axes[2], vector)]
    }

    #[inline(always)]
    fn reach(&self) -> S {
        self.half[0].max(self.half[1]).max(self.half[2])
    }
}

#[inline(always)]
fn through<S: Simd>(vector: &[S; 3], [x, y, z]: &[f32; 3]) -> S {
    vector[0].mul_add(S::splat(*x), vector[1].mul_add(S::splat(*y), vector[2].mul(S::splat(*z))))
}

/// A row of a matrix times a vector, and something more.
#[inline(always)]
fn row<S: Simd>(row: &[S; 3], vector: &[S; 3], more: S) -> S {
    row[0].mul_add(vector[0], row[1].mul_add(vector[1], row[2].mul_add(vector[2], more)))
}

/// A column of a matrix times a vector.
#[inline(always)]
fn column<S: Simd>(rows: &[[S; 3]; 3], vector: &[S; 3], at: usize) -> S {
    rows[0][at].mul_add(vector[0], rows[1][at].mul_add(vector[1], rows[2][at].mul(vector[2])))
}

/// Between boxes about the origin, and boxes about these middles.
#[inline(always)]
fn gaps<S: Simd>([x, y, z]: &[S; 3], half: &[S; 3], other: &[S; 3]) -> [S; 3] {
    [x.abs().sub(half[0]).sub(other[0]), y.abs().sub(half[1]).sub(other[1]), z.abs().sub(half[2]).sub(other[2])]
}

#[inline(always)]
fn largest<S: Simd>([x, y, z]: &[S; 3]) -> S {
    x.max(*y).max(*z)
}
