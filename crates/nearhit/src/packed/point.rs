//! From one point down one tree, nearest boxes first.
//!
//! Rounding, in half-ulps of the point's offset from the node plus the boxes' reach: 1 for the
//! offset, 5 for its products with the axes, 3 for the differences, 8 for axes that are orthonormal
//! only to single precision; in leaves 1 for corners, 2 for their differences from the point in
//! units of the size, and 10 for the projection of those on a direction. [`ROUNDING`] takes 64;
//! boxes are grown by that and by the query's double-precision slack.

use super::Packed;
use super::boxes::Boxes;
use super::dispatch::{Kernel, dispatch};
use super::lanes::{Lanes, Simd, WIDTH};
use super::node::{Content, Frame, Leaf, WideNode};
use super::relation::squared_limit;
use super::triangles::{Corners, squared_from_origin};
use crate::traverse::Stats;
use arrayvec::ArrayVec;
use glam::DVec3;

pub(super) const ROUNDING: f32 = 64.0 * 0.5 * f32::EPSILON;

/// What a search from a point wants of the triangles it meets.
pub(crate) trait Near {
    /// Only triangles closer than this matter. It may fall while the search goes on, and never
    /// rises. A negative one ends the search.
    fn threshold(&self) -> f64;

    /// Looks at a triangle, by index.
    fn look(&mut self, triangle: u32);
}

/// Nodes and leaves still to be opened, by [`Part`], and their bounds: squared for points, lengths
/// for rays.
pub(crate) type Open = Vec<(f32, Part)>;

/// A node or a leaf of a tree, in one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part(u32);

const LEAF: u32 = 1 << 31;

impl Part {
    /// The whole tree.
    pub(crate) const ROOT: Self = Self(0);

    #[inline(always)]
    pub(super) fn new(content: Content) -> Self {
        match content {
            Content::Node(index) => Self(index),
            Content::Leaf(index) => Self(index | LEAF),
        }
    }

    /// As told by [`Part::number`].
    pub(super) fn from_number(number: u32) -> Self {
        Self(number)
    }

    pub(super) fn number(self) -> u32 {
        self.0
    }

    #[inline(always)]
    pub(super) fn content(self) -> Content {
        if self.0 & LEAF == 0 { Content::Node(self.0) } else { Content::Leaf(self.0 & !LEAF) }
    }
}

/// Shows `near` every triangle that may be closer to the point than its threshold. `slack` bounds
/// the double-precision rounding of the point and of the distances that are compared with the
/// threshold.
pub(crate) fn search<N: Near>(tree: &Packed, point: DVec3, slack: f64, near: &mut N, open: &mut Open) -> Stats {
    dispatch(Search { tree, point: point - tree.center, slack: upward(slack), near, open })
}

#[inline(always)]
pub(super) fn upward(slack: f64) -> f32 {
    (slack as f32).next_up() + f32::MIN_POSITIVE
}

/// A point in a node's coordinates, and how much the boxes must grow for all rounding.
pub(super) struct Local {
    pub(super) point: [f32; 3],
    /// What rounding is proportional to: no coordinate about the point is larger.
    size: f32,
    pub(super) grow: f32,
}

impl Local {
    #[inline(always)]
    pub(super) fn new(frame: &Frame, point: DVec3, slack: f32) -> Self {
        let [x, y, z] = frame.origin;
        let offset =
            [(point.x - f64::from(x)) as f32, (point.y - f64::from(y)) as f32, (point.z - f64::from(z)) as f32];
        let size = frame.reach() + offset[0].abs() + offset[1].abs() + offset[2].abs();
        Self { point: rotated(frame, &offset), size, grow: ROUNDING * size + slack }
    }

    #[inline(always)]
    fn unit(&self) -> f32 {
        self.size.max(1e-30)
    }

    /// The corners of a leaf's triangles about the point, and how much they are to grow. In units
    /// of the size: products of several lengths neither overflow nor vanish.
    #[inline(always)]
    pub(super) fn about<S: Simd>(&self, leaf: &Leaf) -> (Corners<S>, f32) {
        let inverse = 1.0 / self.unit();
        let scale = S::splat(inverse);
        let [p, q, r] = &leaf.corners;
        let corners = [self.from::<S>(p, scale), self.from::<S>(q, scale), self.from::<S>(r, scale)];
        (corners, self.grow * inverse * (1.0 + 4.0 * f32::EPSILON))
    }

    #[inline(always)]
    fn from<S: Simd>(&self, [x, y, z]: &[Lanes; 3], scale: S) -> [S; 3] {
        let [u, v, w] = self.point;
        [
            S::load(x).sub(S::splat(u)).mul(scale),
            S::load(y).sub(S::splat(v)).mul(scale),
            S::load(z).sub(S::splat(w)).mul(scale),
        ]
    }
}

/// A vector along the frame's axes.
#[inline(always)]
pub(super) fn rotated(frame: &Frame, vector: &[f32; 3]) -> [f32; 3] {
    let mut result = [0.0; 3];
    for axis in 0..3 {
        let [x, y, z] = frame.axes[axis];
        result[axis] = x * vector[0] + y * vector[1] + z * vector[2];
    }
    result
}

struct Search<'s, N> {
    tree: &'s Packed,
    point: DVec3,
    slack: f32,
    near: &'s mut N,
    open: &'s mut Open,
}

impl<N: Near> Kernel for Search<'_, N> {
    type Output = Stats;

    #[inline(always)]
    fn run<S: Simd>(self) -> Stats {
        let Self { tree, point, slack, near, open } = self;
        let mut stats = Stats::default();
        let mut limit = limit_of(near.threshold());
        open.clear();
        // Of a negative threshold there is nothing below.
        let mut next = (limit > 0.0).then_some(Part::ROOT);
        while let Some(part) = next.take().or_else(|| next_below(open, limit)) {
            match part.content() {
                Content::Node(index) => {
                    let node = &tree.nodes[index as usize];
                    stats.volume_tests += u64::from(node.count);
                    let local = Local::new(&node.frame, point, slack);
                    let bounds = squared_distances::<S>(&Boxes::of(node), &local);
                    let mask = bounds.below(S::splat(limit)) & ((1 << node.count) - 1);
                    next = nearest(node, mask, bounds, open);
                }
                Content::Leaf(index) => {
                    let Some(leaf) = tree.leaves.whole(index) else {
                        let ids = tree.leaves.ids(index);
                        stats.triangle_tests += ids.len() as u64;
                        ids.iter().for_each(|&triangle| near.look(triangle));
                        limit = limit_of(near.threshold());
                        continue;
                    };
                    let local = Local::new(&leaf.frame, point, slack);
                    let bounds = squared_triangle_distances::<S>(leaf, &local);
                    let mask = bounds.below(S::splat(limit)) & ((1 << leaf.count) - 1);
                    let bounds = bounds.store();
                    for &lane in &in_order(mask, &bounds.0) {
                        if bounds.0[usize::from(lane)] >= limit {
                            continue;
                        }
                        stats.triangle_tests += 1;
                        near.look(leaf.triangles[usize::from(lane)]);
                        limit = limit_of(near.threshold());
                    }
                }
            }
        }
        stats
    }
}

/// Bounds below this matter; none does for a negative threshold, which ends a search.
#[inline(always)]
fn limit_of(threshold: f64) -> f32 {
    if threshold < 0.0 { 0.0 } else { squared_limit(threshold) }
}

/// The boxes of a leaf's triangles. Their corners are rounded, by less than the boxes grow.
#[cfg(test)]
pub(super) fn around<S: Simd>(leaf: &Leaf) -> Boxes<S> {
    let [p, q, r] = &leaf.corners;
    let corners = [
        [S::load(&p[0]), S::load(&p[1]), S::load(&p[2])],
        [S::load(&q[0]), S::load(&q[1]), S::load(&q[2])],
        [S::load(&r[0]), S::load(&r[1]), S::load(&r[2])],
    ];
    Boxes::around(&corners, S::splat(0.0))
}

/// The squared distance of the point from each box.
#[inline(always)]
fn squared_distances<S: Simd>(boxes: &Boxes<S>, local: &Local) -> S {
    let (zero, grow) = (S::splat(0.0), S::splat(local.grow));
    let mut sum = zero;
    for axis in 0..3 {
        let apart = S::splat(local.point[axis]).sub(boxes.center[axis]).abs();
        let gap = apart.sub(boxes.half[axis]).sub(grow).max(zero);
        sum = gap.mul_add(gap, sum);
    }
    sum
}

/// The squared distance of the point from each triangle of a leaf.
#[inline(always)]
fn squared_triangle_distances<S: Simd>(leaf: &Leaf, local: &Local) -> S {
    let (corners, slack) = local.about::<S>(leaf);
    let back = S::splat(local.unit() * (1.0 - 8.0 * f32::EPSILON));
    squared_from_origin(&corners, S::splat(slack)).mul(back).mul(back)
}

/// The part put last of those that are below the limit.
#[inline(always)]
pub(super) fn next_below(open: &mut Open, limit: f32) -> Option<Part> {
    while let Some((bound, part)) = open.pop() {
        // So asked, what is not a number is opened.
        if bound >= limit {
            continue;
        }
        return Some(part);
    }
    None
}

/// Of a node's slots in the mask the one of the smallest bound, to be opened at once. The others
/// are left open, smaller bounds last. Mostly there are one or two.
#[inline(always)]
pub(super) fn nearest<S: Simd>(node: &WideNode, mask: u32, bounds: S, open: &mut Open) -> Option<Part> {
    let part = |lane: usize| Part::new(node.content(lane));
    let others = mask & mask.wrapping_sub(1);
    if others == 0 {
        return (mask != 0).then(|| part(mask.trailing_zeros() as usize % WIDTH));
    }
    let bounds = bounds.store();
    if others & (others - 1) == 0 {
        let (first, second) = (mask.trailing_zeros() as usize % WIDTH, others.trailing_zeros() as usize % WIDTH);
        let swapped = bounds.0[second] < bounds.0[first];
        let (near, far) = if swapped { (second, first) } else { (first, second) };
        open.push((bounds.0[far], part(far)));
        return Some(part(near));
    }
    let lanes = in_order(mask, &bounds.0);
    for &lane in lanes[1..].iter().rev() {
        open.push((bounds.0[usize::from(lane)], part(lane.into())));
    }
    Some(part(lanes[0].into()))
}

/// The lanes of the mask, smallest bound first.
#[inline(always)]
pub(super) fn in_order(mut mask: u32, bounds: &[f32; WIDTH]) -> ArrayVec<u8, WIDTH> {
    let mut lanes = ArrayVec::new();
    while mask != 0 {
        let lane = mask.trailing_zeros() as u8;
        mask &= mask - 1;
        let mut at = lanes.len();
        lanes.push(lane);
        while at > 0 && bounds[usize::from(lanes[at - 1])] > bounds[usize::from(lane)] {
            lanes[at] = lanes[at - 1];
            at -= 1;
        }
        lanes[at] = lane;
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::super::Preset;
    use super::super::descend::key;
    use super::super::lanes::Portable;
    use super::*;
    use crate::mesh::Mesh;
    use nearhit_testkit::exact;
    use nearhit_testkit::rng::Rng;

    fn soup(rng: &mut Rng, offset: f64, scale: f64) -> Mesh {
        let count = 1 + rng.below(8);
        let vertices: Vec<[f64; 3]> =
            (0..3 * count).map(|_| rng.point(-1.0, 1.0).map(|x| x * scale + offset)).collect();
        let triangles: Vec<[u32; 3]> = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Mesh::new(&vertices, &triangles).expect("legal")
    }

    fn bounds<S: Simd>(leaf: &Leaf, point: DVec3, slack: f64, boxes: bool) -> Lanes {
        let local = Local::new(&leaf.frame, point, upward(slack));
        if boxes {
            squared_distances::<S>(&around(leaf), &local)
        } else {
            squared_triangle_distances::<S>(leaf, &local)
        }
        .store()
    }

    /// No bound is above the exact distance, on either path, also for points on the very corners of
    /// the boxes; and those of triangles are hardly below it.
    #[test]
    fn bounds_are_never_above_the_truth() {
        let mut rng = Rng::new(21);
        let (mut apart, mut tight, mut all) = ([0; 2], 0, 0);
        for _ in 0..1500 {
            let (offset, scale) = (*rng.choice(&[0.0, 1e6, 1e-3]), *rng.choice(&[1.0, 1e-4, 1e8]));
            let mesh = soup(&mut rng, offset, scale);
            let tree = Packed::build(&mesh, Preset::Balanced).expect("in range");
            let leaf = tree.leaves.all().last().expect("a leaf");
            let corner = mesh.vertices()[rng.below(mesh.vertices().len())];
            let away = DVec3::from_array(rng.unit_vector()) * scale * rng.range(0.0, 3.0);
            let point = if rng.chance(0.3) { corner } else { corner + away };
            let slack = (mesh.max_coordinate() + point.abs().max_element()) * 256.0 * f64::EPSILON;
            for lane in 0..leaf.count as usize {
                let corners = mesh.triangle(leaf.triangles[lane]).map(|corner| corner.to_array());
                let truth = exact::squared_distance(&[point.to_array(); 3], &corners);
                for boxes in [true, false] {
                    let found = bounds::<Portable>(leaf, point - tree.center, slack, boxes);
                    assert!(exact::square_of(key(found.0[lane])) <= truth, "{point} {corners:?}");
                    #[cfg(target_arch = "x86_64")]
                    if super::super::lanes::Avx2::is_available() {
                        let found = bounds::<super::super::lanes::Avx2>(leaf, point - tree.center, slack, boxes);
                        assert!(exact::square_of(key(found.0[lane])) <= truth, "{point} {corners:?}");
                    }
                    apart[usize::from(boxes)] += usize::from(found.0[lane] > 0.0);
                    let nearly = 1.001 * key(found.0[lane]) + 1e-4 * scale + 1e3 * slack;
                    tight += usize::from(!boxes && exact::square_of(nearly) >= truth);
                }
                all += 1;
            }
        }
        let [triangles, boxes] = apart;
        assert!(boxes * 3 > all && triangles > boxes && triangles * 20 < all * 19, "{apart:?} of {all} are apart");
        assert_eq!(tight, all, "a bound of a triangle is too low");
    }
}
