//! How the two frames of a pair lie, both ways; of one pair, or of up to eight at once, a lane a
//! pair.
//!
//! To relate two frames takes a third of what it costs to open them, and one step waits for the
//! other: eight related at once take twice as long as one. A descent that will open all pairs of its
//! agenda anyway has them related together, and what is apart as a whole is known at once.

use super::boxes::Single;
use super::lanes::{Lanes, Simd, WIDTH};
use super::node::Frame;
use super::quad::Quad;
use super::relation::{Between, ROUNDING, Relation};

/// Frame a from frame b, the way back, and the box around everything in either, along the axes of
/// the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facing<Q> {
    pub(super) relation: Relation<Q>,
    pub(super) back: Relation<Q>,
    pub(super) around_a: Single,
    pub(super) around_b: Single,
}

impl<Q: Quad> Facing<Q> {
    #[inline(always)]
    pub(super) fn new(a: &Frame, b: &Frame, between: &Between) -> Self {
        let relation = Relation::new(a, b, between);
        let back = relation.reversed();
        Self { relation, back, around_a: back.around(a), around_b: relation.around(b) }
    }

    #[inline(always)]
    pub(super) fn recorded(record: &Record) -> Self {
        let (rows, columns) = ([record.quad(0), record.quad(1), record.quad(2)], [
            record.quad(3),
            record.quad(4),
            record.quad(5),
        ]);
        let [first, second, third, last] = &record.0;
        let (size, slack) = (last.0[7], last.0[3]);
        let relation = Relation { rows, columns, translation: record.quad(6), size, slack };
        let back = Relation { rows: columns, columns: rows, translation: record.quad(7), size, slack };
        Self {
            relation,
            back,
            around_a: Single { center: [last.0[4], last.0[5], last.0[6]], half: [second.0[7], third.0[3], third.0[7]] },
            around_b: Single { center: [last.0[0], last.0[1], last.0[2]], half: [first.0[3], first.0[7], second.0[3]] },
        }
    }

    /// A bound for everything in the frames, from their own boxes: the largest gap along the axes
    /// of either, or the larger squared distance.
    #[inline(always)]
    pub(super) fn whole<const CONTACT: bool>(&self, a: &Frame, b: &Frame) -> f32 {
        let gaps_a = self.relation.translation.abs().sub(Q::load(&a.half)).sub(Q::load(&self.around_b.half));
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

/// A [`Facing`] as it is kept: the three rows of the relation, its three columns, its translation
/// and that of the way back, and after each of the eight a number of the boxes, the slack or the
/// size.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Record([Lanes; 4]);

impl Record {
    pub(super) const EMPTY: Self = Self([Lanes([0.0; WIDTH]); 4]);

    #[inline(always)]
    fn quad<Q: Quad>(&self, index: usize) -> Q {
        let lanes = &self.0[index / 2].0;
        let at = 4 * (index % 2);
        Q::load_all(&[lanes[at], lanes[at + 1], lanes[at + 2], lanes[at + 3]])
    }
}

/// What a [`Facing`] is made of.
pub(super) trait Related {
    fn facing<Q: Quad>(&self, a: &Frame, b: &Frame) -> Facing<Q>;
}

/// How the models lie.
impl Related for Between {
    #[inline(always)]
    fn facing<Q: Quad>(&self, a: &Frame, b: &Frame) -> Facing<Q> {
        Facing::new(a, b, self)
    }
}

/// How these two frames lie.
impl Related for Record {
    #[inline(always)]
    fn facing<Q: Quad>(&self, _: &Frame, _: &Frame) -> Facing<Q> {
        Facing::recorded(self)
    }
}

/// Two frames in each lane.
pub(super) type Frames<'f> = ([&'f Frame; WIDTH], [&'f Frame; WIDTH]);

/// Relates the frames of all pairs. Returns one bit for each that may be below the limit, as far as
/// the boxes around everything tell: their largest gaps along six axes, or squared distances.
#[inline(always)]
pub(super) fn relate<S: Simd, const CONTACT: bool>(
    (frames_a, frames_b): &Frames<'_>,
    between: &Between,
    limit: f32,
    records: &mut [Record; WIDTH],
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
    let absolute = [magnitudes(&rows[0]), magnitudes(&rows[1]), magnitudes(&rows[2])];
    let around_b =
        [row(&absolute[0], &b.half, slack), row(&absolute[1], &b.half, slack), row(&absolute[2], &b.half, slack)];
    let around_a = [
        column(&absolute, &a.half, 0).add(slack),
        column(&absolute, &a.half, 1).add(slack),
        column(&absolute, &a.half, 2).add(slack),
    ];
    keep::<S>((&rows, &translation, &back), (&around_a, &around_b), (size, slack), records);
    let gaps_a = gaps(&translation, &a.half, &around_b);
    let gaps_b = gaps(&back, &b.half, &around_a);
    let bound = if CONTACT { largest(&gaps_a).max(largest(&gaps_b)) } else { squared(&gaps_a).max(squared(&gaps_b)) };
    bound.below(S::splat(limit))
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
        let [ux, uy, uz, vx, vy, vz, wx, wy] =
            S::transposed(&[a[0], b[0], c[0], d[0], e[0], f[0], g[0], h[0]]);
        let [_, wz, x, y, z, half_x, half_y, half_z] =
            S::transposed(&[a[1], b[1], c[1], d[1], e[1], f[1], g[1], h[1]]);
        Self {
            axes: [[ux, uy, uz], [vx, vy, vz], [wx, wy, wz]],
            origin: [x, y, z],
            half: [half_x, half_y, half_z],
        }
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
        [dot(&self.axes[0], vector), dot(&self.axes[1], vector), dot(&self.axes[2], vector)]
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

#[inline(always)]
fn dot<S: Simd>(x: &[S; 3], y: &[S; 3]) -> S {
    x[0].mul_add(y[0], x[1].mul_add(y[1], x[2].mul(y[2])))
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

#[inline(always)]
fn magnitudes<S: Simd>([x, y, z]: &[S; 3]) -> [S; 3] {
    [x.abs(), y.abs(), z.abs()]
}

/// Between boxes about the origin, and boxes about these middles.
#[inline(always)]
fn gaps<S: Simd>([x, y, z]: &[S; 3], half: &[S; 3], other: &[S; 3]) -> [S; 3] {
    [
        x.abs().sub(half[0]).sub(other[0]),
        y.abs().sub(half[1]).sub(other[1]),
        z.abs().sub(half[2]).sub(other[2]),
    ]
}

#[inline(always)]
fn largest<S: Simd>([x, y, z]: &[S; 3]) -> S {
    x.max(*y).max(*z)
}

#[inline(always)]
fn squared<S: Simd>([x, y, z]: &[S; 3]) -> S {
    let zero = S::splat(0.0);
    let (x, y, z) = (x.max(zero), y.max(zero), z.max(zero));
    x.mul_add(x, y.mul_add(y, z.mul(z)))
}

/// Writes the lanes' records.
#[inline(always)]
fn keep<S: Simd>(
    (rows, translation, back): (&[[S; 3]; 3], &[S; 3], &[S; 3]),
    (around_a, around_b): (&[S; 3], &[S; 3]),
    (size, slack): (S, S),
    records: &mut [Record; WIDTH],
) {
    let [[a, b, c], [d, e, f], [g, h, i]] = *rows;
    let parts = [
        S::transposed(&[a, b, c, around_b[0], d, e, f, around_b[1]]),
        S::transposed(&[g, h, i, around_b[2], a, d, g, around_a[0]]),
        S::transposed(&[b, e, h, around_a[1], c, f, i, around_a[2]]),
        S::transposed(&[translation[0], translation[1], translation[2], slack, back[0], back[1], back[2], size]),
    ];
    for pair in 0..WIDTH {
        for part in 0..4 {
            records[pair].0[part] = parts[part][pair].store();
        }
    }
}
