//! The wide node.

use super::lanes::{Lanes, WIDTH};

/// Eight boxes in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct WideNode {
    /// Middles of the boxes along the node's axes, from its origin. Unused lanes are far away.
    pub(super) center: [Lanes; 3],
    /// Half extents, rounded up.
    pub(super) half: [Lanes; 3],
    /// What each slot holds: see [`Content`].
    content: [u32; WIDTH],
    /// The node's axes, one per row: a point p has the coordinates `axes · (p - origin)`. Orthonormal to single precision; these
    /// rounded numbers are the axes, so boxes are exact about them.
    pub(super) axes: [[f32; 3]; 3],
    /// Where the node's coordinates start, relative to the model's centre.
    pub(super) origin: [f32; 3],
    /// How many slots are used.
    pub(super) count: u32,
    /// The largest |coordinate| inside any of the boxes: the unit of rounding errors.
    pub(super) reach: f32,
}

/// What a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// A node, by index.
    Node(u32),
    /// A triangle, by index in the mesh.
    Triangle(u32),
}

const TRIANGLE: u32 = 1 << 31;
/// Far outside every box, with a square that is still finite.
const NOWHERE: f32 = 1e18;

impl WideNode {
    pub(super) fn empty(axes: [[f32; 3]; 3], origin: [f32; 3]) -> Self {
        let (center, half) = ([Lanes([NOWHERE; WIDTH]); 3], [Lanes([0.0; WIDTH]); 3]);
        Self { center, half, content: [0; WIDTH], axes, origin, count: 0, reach: 0.0 }
    }

    pub(super) fn push(&mut self, center: [f32; 3], half: [f32; 3], content: Content) {
        let lane = self.count as usize;
        for axis in 0..3 {
            self.center[axis].0[lane] = center[axis];
            self.half[axis].0[lane] = half[axis];
            self.reach = self.reach.max((center[axis].abs() + half[axis]).next_up());
        }
        self.content[lane] = match content {
            Content::Node(index) => index,
            Content::Triangle(index) => index | TRIANGLE,
        };
        self.count += 1;
    }

    /// One bit for each slot that holds a triangle.
    #[inline(always)]
    pub(super) fn triangles(&self) -> u32 {
        let mut mask = 0;
        for lane in 0..WIDTH {
            mask |= (self.content[lane] >> 31) << lane;
        }
        mask
    }

    #[inline(always)]
    pub(super) fn content(&self, lane: usize) -> Content {
        match self.content[lane] {
            index if index & TRIANGLE != 0 => Content::Triangle(index & !TRIANGLE),
            index => Content::Node(index),
        }
    }

    /// The longest half extent of a slot.
    #[inline(always)]
    pub(super) fn size(&self, lane: usize) -> f32 {
        self.half[0].0[lane].max(self.half[1].0[lane]).max(self.half[2].0[lane])
    }
}

/// A slot of a tree: node and lane in one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot(pub(super) u32);

impl Slot {
    /// The whole model: the only slot of the first node.
    pub(super) const ROOT: Self = Self(0);

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
