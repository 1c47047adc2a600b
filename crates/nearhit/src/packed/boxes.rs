//! Boxes along the axes of one frame: how far is one from eight others?
//!
//! Their rounding is counted in [`super::relation`].

use super::lanes::{Lanes, Places, Simd};
use super::node::{Frame, WideNode};
use super::relation::{permuted, splat};

/// Eight boxes along one frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxes<S> {
    pub(super) center: [S; 3],
    pub(super) half: [S; 3],
}

impl<S: Simd> Boxes<S> {
    #[inline(always)]
    pub(super) fn of(node: &WideNode) -> Self {
        Self {
            center: [S::load(&node.center[0]), S::load(&node.center[1]), S::load(&node.center[2])],
            half: [S::load(&node.half[0]), S::load(&node.half[1]), S::load(&node.half[2])],
        }
    }

    /// The boxes around eight triangles, grown.
    #[inline(always)]
    pub(super) fn around(corners: &[[S; 3]; 3], slack: S) -> Self {
        let (x, y, z) = (interval(corners, 0, slack), interval(corners, 1, slack), interval(corners, 2, slack));
        Self { center: [x.0, y.0, z.0], half: [x.1, y.1, z.1] }
    }

    /// The boxes of the lanes given.
    #[inline(always)]
    pub(super) fn permuted(&self, lanes: &Places) -> Self {
        Self { center: permuted(&self.center, lanes), half: permuted(&self.half, lanes) }
    }

    /// Written out, to take single boxes from.
    #[inline(always)]
    pub(super) fn stored(&self) -> [[Lanes; 3]; 2] {
        let ([x, y, z], [u, v, w]) = (self.center, self.half);
        [[x.store(), y.store(), z.store()], [u.store(), v.store(), w.store()]]
    }

    /// One box around all eight.
    #[inline(always)]
    pub(super) fn union(&self) -> Single {
        let mut single = Single { center: [0.0; 3], half: [0.0; 3] };
        for axis in 0..3 {
            let low = self.center[axis].sub(self.half[axis]).smallest();
            let high = self.center[axis].add(self.half[axis]).largest();
            single.center[axis] = 0.5 * (low + high);
            single.half[axis] = 0.5 * (high - low);
        }
        single
    }

    /// Coordinates of points moved into the boxes.
    #[inline(always)]
    pub(super) fn clamped(&self, point: &[S; 3], axis: usize) -> S {
        let (low, high) = (self.center[axis].sub(self.half[axis]), self.center[axis].add(self.half[axis]));
        point[axis].max(low).min(high)
    }
}

/// Middles and half extents of eight triangles along an axis. Rounding is the slack's.
#[inline(always)]
fn interval<S: Simd>([p, q, r]: &[[S; 3]; 3], axis: usize, slack: S) -> (S, S) {
    let (low, high) = (p[axis].min(q[axis]).min(r[axis]), p[axis].max(q[axis]).max(r[axis]));
    let half = S::splat(0.5);
    (low.add(high).mul(half), high.sub(low).mul_add(half, slack))
}

/// One box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Single {
    pub(super) center: [f32; 3],
    pub(super) half: [f32; 3],
}

impl Single {
    #[inline(always)]
    pub(super) fn of(node: &WideNode, lane: usize) -> Self {
        Self::at(&node.center, &node.half, lane)
    }

    #[inline(always)]
    pub(super) fn stored([center, half]: &[[Lanes; 3]; 2], lane: usize) -> Self {
        Self::at(center, half, lane)
    }

    #[inline(always)]
    fn at(center: &[Lanes; 3], half: &[Lanes; 3], lane: usize) -> Self {
        Self {
            center: [center[0].0[lane], center[1].0[lane], center[2].0[lane]],
            half: [half[0].0[lane], half[1].0[lane], half[2].0[lane]],
        }
    }

    /// Around everything in a frame, along its own axes.
    #[inline(always)]
    pub(super) fn whole(frame: &Frame) -> Self {
        Self { center: [0.0; 3], half: frame.half }
    }

    /// In other units.
    #[inline(always)]
    pub(super) fn scaled(&self, factor: f32) -> Self {
        let ([x, y, z], [u, v, w]) = (self.center, self.half);
        Self { center: [x * factor, y * factor, z * factor], half: [u * factor, v * factor, w * factor] }
    }

    /// In every lane.
    #[inline(always)]
    pub(super) fn boxes<S: Simd>(&self) -> Boxes<S> {
        Boxes { center: splat(&self.center), half: splat(&self.half) }
    }

    /// Gaps to eight boxes along an axis; negative where the intervals overlap.
    #[inline(always)]
    fn gap<S: Simd>(&self, boxes: &Boxes<S>, axis: usize) -> S {
        let apart = S::splat(self.center[axis]).sub(boxes.center[axis]).abs();
        apart.sub(S::splat(self.half[axis])).sub(boxes.half[axis])
    }

    /// The largest gap to each of eight boxes; negative where all intervals overlap.
    #[inline(always)]
    pub(super) fn largest_gaps<S: Simd>(&self, boxes: &Boxes<S>) -> S {
        self.gap(boxes, 0).max(self.gap(boxes, 1)).max(self.gap(boxes, 2))
    }

    /// The squared distance to each of eight boxes.
    #[inline(always)]
    pub(super) fn squared_distances<S: Simd>(&self, boxes: &Boxes<S>) -> S {
        let zero = S::splat(0.0);
        let (x, y, z) = (self.gap(boxes, 0).max(zero), self.gap(boxes, 1).max(zero), self.gap(boxes, 2).max(zero));
        x.mul_add(x, y.mul_add(y, z.mul(z)))
    }
}
