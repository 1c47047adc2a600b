//! Wide nodes: eight boxes, or eight triangles, in one frame.

use super::lanes::{Lanes, WIDTH};
use super::slabs::Slabs;

/// An oriented frame of single precision.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub(super) struct Frame {
    /// The axes, one per row: a point p has the coordinates `axes · (p - origin)`. Orthonormal to
    /// single precision; these rounded numbers are the axes, so boxes are exact about them.
    pub(super) axes: [[f32; 3]; 3],
    /// Where coordinates start, relative to the model's centre: about the middle of what is stored.
    pub(super) origin: [f32; 3],
    /// The largest |coordinates| of anything stored in this frame: a box around all of it.
    pub(super) half: [f32; 3],
}

impl Frame {
    pub(super) fn new(axes: [[f32; 3]; 3], origin: [f32; 3]) -> Self {
        Self { axes, origin, half: [f32::MIN_POSITIVE; 3] }
    }

    fn include(&mut self, axis: usize, coordinate: f32) {
        self.half[axis] = self.half[axis].max(coordinate.abs().next_up());
    }

    /// Are the axes what all rounding was counted for?
    pub(super) fn is_orthonormal(&self) -> bool {
        is_orthonormal(&self.axes)
    }

    /// Coordinates in this frame of a point about the model's centre, to rounding.
    #[inline(always)]
    pub(super) fn local(&self, point: &[f32; 3]) -> [f32; 3] {
        let [x, y, z] = [point[0] - self.origin[0], point[1] - self.origin[1], point[2] - self.origin[2]];
        let [u, v, w] = &self.axes;
        [u[0] * x + u[1] * y + u[2] * z, v[0] * x + v[1] * y + v[2] * z, w[0] * x + w[1] * y + w[2] * z]
    }

    /// The way back.
    #[inline(always)]
    pub(super) fn global(&self, local: &[f32; 3]) -> [f32; 3] {
        let ([x, y, z], [u, v, w], o) = (local, &self.axes, &self.origin);
        [
            u[0] * x + v[0] * y + w[0] * z + o[0],
            u[1] * x + v[1] * y + w[1] * z + o[1],
            u[2] * x + v[2] * y + w[2] * z + o[2],
        ]
    }

    /// The largest |coordinate| of anything stored in this frame: the unit of rounding errors.
    #[inline(always)]
    pub(super) fn reach(&self) -> f32 {
        larger(larger(self.half[0], self.half[1]), self.half[2])
    }
}

/// Of two numbers that are numbers: `max` looks whether they are.
#[inline(always)]
fn larger(x: f32, y: f32) -> f32 {
    if x > y { x } else { y }
}

/// Orthonormal to single precision: entries are off by half an ulp each. NaN is not.
pub(super) fn is_orthonormal(axes: &[[f32; 3]; 3]) -> bool {
    let product = |i: usize, j: usize| (0..3).map(|k| f64::from(axes[i][k]) * f64::from(axes[j][k])).sum::<f64>();
    let target = |i, j| if i == j { 1.0 } else { 0.0 };
    (0..9).all(|at| (product(at / 3, at % 3) - target(at / 3, at % 3)).abs() <= 4.0 * f64::from(f32::EPSILON))
}

/// Far outside every box, with a square that is still finite.
const NOWHERE: f32 = 1e18;

/// Eight boxes, each around a node or a leaf.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct WideNode {
    /// Middles of the boxes along the frame's axes. Unused lanes are far away.
    pub(super) center: [Lanes; 3],
    /// Half extents, rounded up.
    pub(super) half: [Lanes; 3],
    pub(super) slabs: Slabs,
    /// What each slot holds: see [`Content`].
    content: [u32; WIDTH],
    pub(super) frame: Frame,
    /// How many slots are used.
    pub(super) count: u32,
}

/// What a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// A node, by index.
    Node(u32),
    /// A leaf, by index.
    Leaf(u32),
}

const LEAF: u32 = 1 << 31;

impl Content {
    pub(super) fn to_bits(self) -> u32 {
        match self {
            Self::Node(index) => index,
            Self::Leaf(index) => index | LEAF,
        }
    }

    #[inline(always)]
    pub(super) fn from_bits(bits: u32) -> Self {
        match bits {
            index if index & LEAF != 0 => Self::Leaf(index & !LEAF),
            index => Self::Node(index),
        }
    }
}

impl WideNode {
    pub(super) fn empty(frame: Frame) -> Self {
        let (center, half) = ([Lanes([NOWHERE; WIDTH]); 3], [Lanes([0.0; WIDTH]); 3]);
        Self { center, half, slabs: Slabs::NONE, content: [0; WIDTH], frame, count: 0 }
    }

    pub(super) fn push(&mut self, center: [f32; 3], half: [f32; 3], content: Content) {
        let lane = self.count as usize;
        for axis in 0..3 {
            self.center[axis].0[lane] = center[axis];
            self.half[axis].0[lane] = half[axis];
            self.frame.include(axis, center[axis].abs() + half[axis]);
        }
        self.content[lane] = content.to_bits();
        self.count += 1;
    }

    #[inline(always)]
    pub(super) fn content(&self, lane: usize) -> Content {
        Content::from_bits(self.content[lane])
    }

    /// What the used slots hold.
    pub(super) fn contents(&self) -> impl Iterator<Item = Content> + '_ {
        (0..self.count as usize).map(|lane| self.content(lane))
    }

    /// A point of the frame moved into a slot's box.
    #[inline(always)]
    pub(super) fn clamped(&self, lane: usize, local: &[f32; 3]) -> [f32; 3] {
        let mut inside = *local;
        for axis in 0..3 {
            let (center, half) = (self.center[axis].0[lane], self.half[axis].0[lane]);
            inside[axis] = local[axis].max(center - half).min(center + half);
        }
        inside
    }

    /// The longest half extent of a slot.
    #[inline(always)]
    pub(super) fn size(&self, lane: usize) -> f32 {
        larger(larger(self.half[0].0[lane], self.half[1].0[lane]), self.half[2].0[lane])
    }
}

/// Up to eight triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Leaf {
    /// `corners[i][axis]`: corner i of each triangle along the frame's axes, rounded.
    pub(super) corners: [[Lanes; 3]; 3],
    /// Which triangles of the mesh.
    pub(super) triangles: [u32; WIDTH],
    pub(super) frame: Frame,
    /// How many there are.
    pub(super) count: u32,
}

impl Default for Leaf {
    fn default() -> Self {
        Self::empty(Frame::new([[0.0; 3]; 3], [0.0; 3]))
    }
}

impl Leaf {
    pub(super) fn empty(frame: Frame) -> Self {
        Self { corners: [[Lanes([0.0; WIDTH]); 3]; 3], triangles: [0; WIDTH], frame, count: 0 }
    }

    /// Ids of its triangles.
    pub(super) fn ids(&self) -> &[u32] {
        &self.triangles[..self.count as usize]
    }

    pub(super) fn push(&mut self, corners: [[f32; 3]; 3], triangle: u32) {
        let lane = self.count as usize;
        for corner in 0..3 {
            for axis in 0..3 {
                self.corners[corner][axis].0[lane] = corners[corner][axis];
                self.frame.include(axis, corners[corner][axis]);
            }
        }
        self.triangles[lane] = triangle;
        self.count += 1;
    }
}

/// A slot of a tree: node and lane in one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot(pub(super) u32);

impl Slot {
    #[inline(always)]
    pub(super) fn new(node: u32, lane: usize) -> Self {
        Self(node * WIDTH as u32 + lane as u32)
    }

    #[inline(always)]
    pub(super) fn node(self) -> usize {
        self.0 as usize / WIDTH
    }

    #[inline(always)]
    pub(super) fn lane(self) -> usize {
        self.0 as usize % WIDTH
    }
}
