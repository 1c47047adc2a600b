//! A wide tree over balls: point clouds, eight to a leaf.
//!
//! Coordinates are single-precision, about the middle of all points and in units of a power of two
//! that brings them to at most one: clouds of any size have the same tree. As everywhere in this
//! room, single precision only culls.

use super::lanes::{Lanes, WIDTH};
use glam::DVec3;

/// Eight boxes around points, and the largest radius in each.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct BallNode {
    pub(super) low: [Lanes; 3],
    pub(super) high: [Lanes; 3],
    pub(super) radius: Lanes,
    /// Which node, or which leaf, by [`LEAF`].
    pub(super) content: [u32; WIDTH],
    pub(super) count: u32,
}

/// Eight balls.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct BallLeaf {
    pub(super) at: [Lanes; 3],
    pub(super) radius: Lanes,
    pub(super) ids: [u32; WIDTH],
    pub(super) count: u32,
}

/// Marks leaves among contents.
pub(super) const LEAF: u32 = 1 << 31;

/// Far outside every box, with a square that is still finite.
const NOWHERE: f32 = 1e18;

/// A tree over balls.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BallTree {
    pub(super) nodes: Vec<BallNode>,
    pub(super) leaves: Vec<BallLeaf>,
    pub(super) center: DVec3,
    /// What lengths are multiplied with, a power of two, and its inverse.
    pub(super) unit: f64,
    pub(super) length: f64,
}

/// What a node of the tree holds, for descents in double precision: boxes in the cloud's frame.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Opened {
    /// A node or leaf, the middle and half sizes of a box around its points, and the largest
    /// radius.
    Part(u32, DVec3, DVec3, f64),
    /// A ball.
    Ball(u32),
}

/// A power of two that brings a length to at most one, and its inverse; both are normal numbers.
fn unit_for(size: f64) -> (f64, f64) {
    let exponent = ((size.to_bits() >> 52 & 0x7ff) as i64 - 1022).clamp(-1020, 1020);
    let power = |exponent: i64| f64::from_bits(((exponent + 1023) as u64) << 52);
    (power(-exponent), power(exponent))
}

impl BallTree {
    /// Of at least one ball. Coordinates and radii are at most 1e300.
    pub(crate) fn new(points: &[DVec3], radius: impl Fn(u32) -> f64) -> Self {
        let (low, high) = around(points.iter().copied());
        let center = low * 0.5 + high * 0.5;
        let largest = (0..points.len() as u32).fold(0.0_f64, |most, ball| most.max(radius(ball)));
        let (unit, length) = unit_for((high - center).max(center - low).max_element().max(largest));
        let mut builder = Builder {
            points,
            radius: &radius,
            tree: Self { nodes: Vec::new(), leaves: Vec::new(), center, unit, length },
        };
        let mut ids: Vec<u32> = (0..points.len() as u32).collect();
        builder.tree.nodes.push(empty_node());
        builder.fill(0, &mut ids);
        builder.tree
    }

    /// In the tree's coordinates.
    fn local(&self, point: DVec3) -> [f32; 3] {
        ((point - self.center) * self.unit).to_array().map(|value| value as f32)
    }

    /// Rounded up.
    fn local_length(&self, length: f64) -> f32 {
        if length == 0.0 { 0.0 } else { ((length * self.unit) as f32).next_up() }
    }

    /// What a part holds; 0 is the whole tree.
    pub(crate) fn open(&self, part: u32, mut found: impl FnMut(Opened)) {
        if part & LEAF != 0 {
            let leaf = &self.leaves[(part & !LEAF) as usize];
            leaf.ids[..leaf.count as usize].iter().for_each(|&ball| found(Opened::Ball(ball)));
            return;
        }
        let node = &self.nodes[part as usize];
        for lane in 0..node.count as usize {
            let at = |lanes: &[Lanes; 3]| {
                DVec3::new(lanes[0].0[lane].into(), lanes[1].0[lane].into(), lanes[2].0[lane].into())
            };
            let (low, high) = (at(&node.low), at(&node.high));
            // Twice the rounding to single precision of coordinates that are at most one.
            let half = (high - low) * 0.5 + f64::from(f32::EPSILON);
            let middle = self.center + (low + high) * 0.5 * self.length;
            let radius = f64::from(node.radius.0[lane]) * self.length;
            found(Opened::Part(node.content[lane], middle, half * self.length, radius));
        }
    }
}

fn around(points: impl Iterator<Item = DVec3>) -> (DVec3, DVec3) {
    points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), point| (low.min(point), high.max(point)))
}

fn empty_node() -> BallNode {
    let nowhere = [Lanes([NOWHERE; WIDTH]); 3];
    BallNode { low: nowhere, high: nowhere, radius: Lanes([0.0; WIDTH]), content: [0; WIDTH], count: 0 }
}

struct Builder<'b, R> {
    points: &'b [DVec3],
    radius: &'b R,
    tree: BallTree,
}

impl<R: Fn(u32) -> f64> Builder<'_, R> {
    /// Fills a node with these balls: halved three times, each time across the longest side.
    fn fill(&mut self, node: usize, ids: &mut [u32]) {
        let mut rest: arrayvec::ArrayVec<&mut [u32], WIDTH> = arrayvec::ArrayVec::new();
        rest.push(ids);
        while rest.len() < WIDTH {
            let Some(largest) = (0..rest.len()).max_by_key(|&i| (rest[i].len(), std::cmp::Reverse(i))) else { break };
            if rest[largest].len() <= WIDTH {
                break;
            }
            let whole = rest.remove(largest);
            let (left, right) = self.halved(whole);
            rest.insert(largest, right);
            rest.insert(largest, left);
        }
        for (lane, part) in rest.into_iter().enumerate() {
            let content = if part.len() <= WIDTH {
                self.leaf(part)
            } else {
                self.tree.nodes.push(empty_node());
                let child = self.tree.nodes.len() - 1;
                self.fill(child, part);
                child as u32
            };
            self.set(node, lane, content);
        }
    }

    /// Two halves of which the first fills its leaves.
    fn halved<'i>(&self, ids: &'i mut [u32]) -> (&'i mut [u32], &'i mut [u32]) {
        let (low, high) = around(ids.iter().map(|&ball| self.points[ball as usize]));
        let sides = high * 0.5 - low * 0.5;
        let axis = if sides.x >= sides.y && sides.x >= sides.z {
            0
        } else if sides.y >= sides.z {
            1
        } else {
            2
        };
        let half = (ids.len() / 2).next_multiple_of(WIDTH).min(ids.len() - 1);
        // By index where coordinates are equal: the tree is the same everywhere.
        let key = |ball: &u32| self.points[*ball as usize][axis];
        ids.select_nth_unstable_by(half, |p, q| key(p).total_cmp(&key(q)).then(p.cmp(q)));
        ids.split_at_mut(half)
    }

    fn leaf(&mut self, ids: &mut [u32]) -> u32 {
        ids.sort_unstable();
        let mut leaf = BallLeaf {
            at: [Lanes([NOWHERE; WIDTH]); 3],
            radius: Lanes([0.0; WIDTH]),
            ids: [0; WIDTH],
            count: ids.len() as u32,
        };
        for (lane, &ball) in ids.iter().enumerate() {
            let at = self.tree.local(self.points[ball as usize]);
            for axis in 0..3 {
                leaf.at[axis].0[lane] = at[axis];
            }
            leaf.radius.0[lane] = self.tree.local_length((self.radius)(ball));
            leaf.ids[lane] = ball;
        }
        self.tree.leaves.push(leaf);
        (self.tree.leaves.len() - 1) as u32 | LEAF
    }

    /// A lane around a node or leaf that is complete.
    fn set(&mut self, node: usize, lane: usize, content: u32) {
        let mut ends = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        let mut radius = 0.0_f32;
        let mut include = |low: &[Lanes; 3], high: &[Lanes; 3], radii: &Lanes, count: u32| {
            for lane in 0..count as usize {
                for axis in 0..3 {
                    ends[0][axis] = ends[0][axis].min(low[axis].0[lane]);
                    ends[1][axis] = ends[1][axis].max(high[axis].0[lane]);
                }
                radius = radius.max(radii.0[lane]);
            }
        };
        if content & LEAF != 0 {
            let leaf = &self.tree.leaves[(content & !LEAF) as usize];
            include(&leaf.at, &leaf.at, &leaf.radius, leaf.count);
        } else {
            let child = &self.tree.nodes[content as usize];
            include(&child.low, &child.high, &child.radius, child.count);
        }
        let node = &mut self.tree.nodes[node];
        for axis in 0..3 {
            node.low[axis].0[lane] = ends[0][axis];
            node.high[axis].0[lane] = ends[1][axis];
        }
        (node.radius.0[lane], node.content[lane], node.count) = (radius, content, lane as u32 + 1);
    }
}
