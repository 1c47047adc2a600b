//! From one convex shape down a tree of balls, nearest boxes first.
//!
//! The shape is a point, a segment or an oriented box. Rounding, in half-ulps of the shape's offset
//! from the tree's middle plus one (the tree's size): 1 for stored coordinates, 1 for the offset, 2
//! for differences, 6 for products with axes, 4 for the foot on a segment. [`ROUNDING`] takes 64;
//! every box and ball is grown by that and by the query's double-precision slack.

use super::ball_tree::{BallLeaf, BallNode, BallTree, LEAF};
use super::convex::Block;
use super::dispatch::{Kernel, dispatch};
use super::lanes::{Lanes, Simd};
use super::point::{Near, ROUNDING, in_order, upward};
use super::relation::certain_root;
use crate::traverse::{Budget, Stats};
use glam::DVec3;

/// Nodes and leaves still to be opened: squared distance, largest radius, which.
pub(crate) type OpenBalls = Vec<(f32, f32, u32)>;

/// Beyond this the shape is too far for single precision, in the tree's unit.
const FARTHEST: f64 = 1e15;

/// Squares are shrunk by no more than this when they are rounded, three of them added.
const GROW: f32 = 1.0 + 64.0 * f32::EPSILON;

/// Squares of lengths below 1e-19 are denormal.
const DENORMAL: f32 = 1e-43;

/// Shows `near` every ball whose distance from the block may be below its threshold: the distance
/// of the ball's middle less its radius. `slack` bounds the double-precision rounding of the block
/// and of what is compared with the threshold. None if the block is out of range.
///
/// Also returns what everything that was not looked at is not nearer than, should the budget end
/// the search.
pub(crate) fn search<N: Near>(
    tree: &BallTree,
    block: &Block,
    slack: f64,
    near: &mut N,
    open: &mut OpenBalls,
    budget: &Budget<'_>,
) -> Option<(Stats, Option<f64>)> {
    let center = (block.center - tree.center) * tree.unit;
    let half = block.half * tree.unit;
    let farthest = center.abs().max_element() + half.max_element();
    if farthest.is_nan() || farthest > FARTHEST {
        return None;
    }
    let single = |vector: DVec3| vector.to_array().map(|value| value as f32);
    let reach = half.to_array().map(|half| if half == 0.0 { 0.0 } else { (half as f32).next_up() });
    let center = single(center);
    let size = 1.0 + center[0].abs() + center[1].abs() + center[2].abs() + reach[0] + reach[1] + reach[2];
    let about = About { center, grow: ROUNDING * size + upward(slack * tree.unit) };
    let axes = [single(block.axes.x_axis), single(block.axes.y_axis), single(block.axes.z_axis)];
    Some(match reach {
        [0.0, 0.0, 0.0] => dispatch(Search { tree, probe: Point(about), near, open, budget }),
        [0.0, 0.0, _] => {
            let oriented = Oriented::new(about, axes, reach);
            dispatch(Search { tree, probe: Rod(oriented), near, open, budget })
        }
        _ => dispatch(Search { tree, probe: Oriented::new(about, axes, reach), near, open, budget }),
    })
}

/// The shape's middle, and how much everything grows for rounding.
#[derive(Debug, Clone, Copy)]
struct About {
    center: [f32; 3],
    grow: f32,
}

/// Squared distances of the shape from eight boxes or points, not above the true ones.
trait Probe {
    fn boxes<S: Simd>(&self, low: &[Lanes; 3], high: &[Lanes; 3]) -> S;

    fn points<S: Simd>(&self, at: &[Lanes; 3]) -> S;
}

struct Point(About);

impl Probe for Point {
    #[inline(always)]
    fn boxes<S: Simd>(&self, low: &[Lanes; 3], high: &[Lanes; 3]) -> S {
        let (zero, grow) = (S::splat(0.0), S::splat(self.0.grow));
        let mut sum = zero;
        for axis in 0..3 {
            let center = S::splat(self.0.center[axis]);
            let gap = S::load(&low[axis]).sub(center).max(center.sub(S::load(&high[axis])));
            let gap = gap.sub(grow).max(zero);
            sum = gap.mul_add(gap, sum);
        }
        sum
    }

    #[inline(always)]
    fn points<S: Simd>(&self, at: &[Lanes; 3]) -> S {
        let (zero, grow) = (S::splat(0.0), S::splat(self.0.grow));
        let mut sum = zero;
        for axis in 0..3 {
            let gap = S::load(&at[axis]).sub(S::splat(self.0.center[axis])).abs().sub(grow).max(zero);
            sum = gap.mul_add(gap, sum);
        }
        sum
    }
}

/// An oriented box.
struct Oriented {
    about: About,
    /// One per row.
    axes: [[f32; 3]; 3],
    half: [f32; 3],
    /// How far it reaches along the tree's axes.
    extent: [f32; 3],
}

impl Oriented {
    fn new(about: About, axes: [[f32; 3]; 3], half: [f32; 3]) -> Self {
        let extent = std::array::from_fn(|axis| (0..3).map(|i| axes[i][axis].abs() * half[i]).sum());
        Self { about, axes, half, extent }
    }

    /// Along one of its axes.
    #[inline(always)]
    fn along<S: Simd>(&self, axis: usize, away: &[S; 3]) -> S {
        let [u, v, w] = self.axes[axis];
        away[0].mul(S::splat(u)).add(away[1].mul(S::splat(v))).add(away[2].mul(S::splat(w)))
    }

    #[inline(always)]
    fn away<S: Simd>(&self, at: &[Lanes; 3]) -> [S; 3] {
        let [x, y, z] = self.about.center;
        [S::load(&at[0]).sub(S::splat(x)), S::load(&at[1]).sub(S::splat(y)), S::load(&at[2]).sub(S::splat(z))]
    }
}

impl Probe for Oriented {
    #[inline(always)]
    fn boxes<S: Simd>(&self, low: &[Lanes; 3], high: &[Lanes; 3]) -> S {
        let (zero, grow, by_two) = (S::splat(0.0), S::splat(self.about.grow), S::splat(0.5));
        let (from, to) = (self.away::<S>(low), self.away::<S>(high));
        let mut half = [zero; 3];
        let mut away = [zero; 3];
        let (mut along_tree, mut along_block) = (zero, zero);
        for axis in 0..3 {
            half[axis] = to[axis].sub(from[axis]).mul(by_two);
            away[axis] = to[axis].add(from[axis]).mul(by_two);
            let reach = S::splat(self.extent[axis]).add(half[axis]).add(grow);
            let gap = away[axis].abs().sub(reach).max(zero);
            along_tree = gap.mul_add(gap, along_tree);
        }
        for axis in 0..3 {
            let [u, v, w] = self.axes[axis];
            let (u, v, w) = (S::splat(u.abs()), S::splat(v.abs()), S::splat(w.abs()));
            let reach = half[0].mul(u).add(half[1].mul(v)).add(half[2].mul(w));
            let reach = reach.add(S::splat(self.half[axis])).add(grow);
            let gap = self.along::<S>(axis, &away).abs().sub(reach).max(zero);
            along_block = gap.mul_add(gap, along_block);
        }
        along_tree.max(along_block)
    }

    #[inline(always)]
    fn points<S: Simd>(&self, at: &[Lanes; 3]) -> S {
        let zero = S::splat(0.0);
        let away = self.away::<S>(at);
        let mut sum = zero;
        for axis in 0..3 {
            let reach = S::splat(self.half[axis] + self.about.grow);
            let gap = self.along::<S>(axis, &away).abs().sub(reach).max(zero);
            sum = gap.mul_add(gap, sum);
        }
        sum
    }
}

/// A segment along the third axis.
struct Rod(Oriented);

impl Probe for Rod {
    #[inline(always)]
    fn boxes<S: Simd>(&self, low: &[Lanes; 3], high: &[Lanes; 3]) -> S {
        self.0.boxes(low, high)
    }

    /// From the foot of each point on the segment. A foot that is off along the segment is farther
    /// from the point by less than it is off.
    #[inline(always)]
    fn points<S: Simd>(&self, at: &[Lanes; 3]) -> S {
        let (zero, grow) = (S::splat(0.0), S::splat(self.0.about.grow));
        let half = S::splat(self.0.half[2]);
        let away = self.0.away::<S>(at);
        let foot = self.0.along::<S>(2, &away).min(half).max(zero.sub(half));
        let mut sum = zero;
        for axis in 0..3 {
            let rest = away[axis].sub(foot.mul(S::splat(self.0.axes[2][axis])));
            let gap = rest.abs().sub(grow).max(zero);
            sum = gap.mul_add(gap, sum);
        }
        sum
    }
}

struct Search<'s, P, N> {
    tree: &'s BallTree,
    probe: P,
    near: &'s mut N,
    open: &'s mut OpenBalls,
    budget: &'s Budget<'s>,
}

/// Squared distances below this matter, for a threshold and radii in the tree's unit.
#[inline(always)]
fn limits<S: Simd>(threshold: f32, radius: &Lanes) -> S {
    let reach = S::load(radius).add(S::splat(threshold)).mul(S::splat(GROW));
    reach.mul(reach).mul(S::splat(GROW)).add(S::splat(DENORMAL))
}

/// The same of one radius.
#[inline(always)]
fn limit(threshold: f32, radius: f32) -> f32 {
    let reach = (radius + threshold) * GROW;
    reach * reach * GROW + DENORMAL
}

impl<P: Probe, N: Near> Search<'_, P, N> {
    /// The threshold in the tree's unit, rounded up; negative where the search is to end.
    #[inline(always)]
    fn threshold(&self) -> f32 {
        let threshold = self.near.threshold();
        if threshold < 0.0 { -1.0 } else { ((threshold * self.tree.unit) as f32).next_up() }
    }

    /// What is still open is not nearer than this.
    fn left(&self, bound: f32, radius: f32) -> f64 {
        let away = |bound: f32, radius: f32| certain_root(bound) - f64::from(radius) * f64::from(GROW);
        let least =
            self.open.iter().fold(away(bound, radius), |least, &(bound, radius, _)| least.min(away(bound, radius)));
        least.max(0.0) * self.tree.length
    }
}

impl<P: Probe, N: Near> Kernel for Search<'_, P, N> {
    type Output = (Stats, Option<f64>);

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Output {
        let mut stats = Stats::default();
        let mut threshold = self.threshold();
        self.open.clear();
        self.open.push((0.0, f32::INFINITY, 0));
        while threshold >= 0.0
            && let Some((bound, radius, part)) = self.open.pop()
        {
            if bound >= limit(threshold, radius) {
                continue;
            }
            if self.budget.is_spent(&stats) {
                return (stats, Some(self.left(bound, radius)));
            }
            if part & LEAF != 0 {
                let leaf: &BallLeaf = &self.tree.leaves[(part & !LEAF) as usize];
                let bounds = self.probe.points::<S>(&leaf.at);
                let mask = bounds.below(limits::<S>(threshold, &leaf.radius)) & ((1 << leaf.count) - 1);
                if mask == 0 {
                    continue;
                }
                let bounds = bounds.store();
                for &lane in &in_order(mask, &bounds.0) {
                    let lane = usize::from(lane);
                    if threshold < 0.0 || bounds.0[lane] >= limit(threshold, leaf.radius.0[lane]) {
                        continue;
                    }
                    stats.triangle_tests += 1;
                    self.near.look(leaf.ids[lane]);
                    threshold = self.threshold();
                }
                continue;
            }
            let node: &BallNode = &self.tree.nodes[part as usize];
            stats.volume_tests += u64::from(node.count);
            let bounds = self.probe.boxes::<S>(&node.low, &node.high);
            let mask = bounds.below(limits::<S>(threshold, &node.radius)) & ((1 << node.count) - 1);
            if mask == 0 {
                continue;
            }
            let bounds = bounds.store();
            for &lane in in_order(mask, &bounds.0).iter().rev() {
                let lane = usize::from(lane);
                self.open.push((bounds.0[lane], node.radius.0[lane], node.content[lane]));
            }
        }
        (stats, None)
    }
}
