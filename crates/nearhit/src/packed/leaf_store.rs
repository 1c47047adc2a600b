//! Where a tree keeps its leaves: whole, or without the corners, which are in the mesh.

use super::build::leaf;
use super::lanes::WIDTH;
use super::node::{Frame, Leaf};
use crate::mesh::Mesh;
use glam::DVec3;

/// All leaves of a tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Leaves {
    /// Ready for the kernels: 48 bytes a triangle, where leaves are full.
    Whole(Vec<Leaf>),
    /// 10 bytes a triangle.
    Bare(Vec<BareLeaf>),
}

/// Which triangles, and the frame that their corners are in once they are fetched.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub(super) struct BareLeaf {
    /// The unused ones at the end are [`NOBODY`].
    triangles: [u32; WIDTH],
    axes: [[f32; 3]; 3],
    origin: [f32; 3],
}

/// No mesh has so many triangles.
const NOBODY: u32 = u32::MAX;

impl BareLeaf {
    fn new(leaf: &Leaf) -> Self {
        let mut triangles = leaf.triangles;
        triangles[leaf.count as usize..].fill(NOBODY);
        Self { triangles, axes: leaf.frame.axes, origin: leaf.frame.origin }
    }

    fn ids(&self) -> &[u32] {
        &self.triangles[..self.triangles.iter().position(|&id| id == NOBODY).unwrap_or(WIDTH)]
    }

    /// Without extents: those follow from the corners.
    fn frame(&self) -> Frame {
        Frame::new(self.axes, self.origin)
    }
}

impl Leaves {
    /// Without the corners.
    pub(super) fn bare(self) -> Self {
        match self {
            Self::Whole(leaves) => Self::Bare(leaves.iter().map(BareLeaf::new).collect()),
            bare @ Self::Bare(_) => bare,
        }
    }

    pub(super) fn is_bare(&self) -> bool {
        matches!(self, Self::Bare(_))
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Whole(leaves) => leaves.len(),
            Self::Bare(leaves) => leaves.len(),
        }
    }

    /// The triangles of a leaf.
    pub(super) fn ids(&self, leaf: u32) -> &[u32] {
        match self {
            Self::Whole(leaves) => leaves[leaf as usize].ids(),
            Self::Bare(leaves) => leaves[leaf as usize].ids(),
        }
    }

    /// The same by lane; unused ones are any number.
    #[inline(always)]
    pub(super) fn lanes(&self, leaf: u32) -> &[u32; WIDTH] {
        match self {
            Self::Whole(leaves) => &leaves[leaf as usize].triangles,
            Self::Bare(leaves) => &leaves[leaf as usize].triangles,
        }
    }

    /// Its axes and origin; the extents, too, of a whole leaf.
    pub(super) fn frame(&self, leaf: u32) -> Frame {
        match self {
            Self::Whole(leaves) => leaves[leaf as usize].frame,
            Self::Bare(leaves) => leaves[leaf as usize].frame(),
        }
    }

    /// A leaf, unless its corners are in the mesh only.
    #[inline(always)]
    pub(super) fn whole(&self, leaf: u32) -> Option<&Leaf> {
        match self {
            Self::Whole(leaves) => Some(&leaves[leaf as usize]),
            Self::Bare(_) => None,
        }
    }

    /// A leaf; made of the mesh, in `room`, if its corners are only there.
    #[inline(always)]
    pub(super) fn fetched<'l>(&'l self, index: u32, mesh: &Mesh, center: DVec3, room: &'l mut Leaf) -> &'l Leaf {
        match self {
            Self::Whole(leaves) => &leaves[index as usize],
            Self::Bare(leaves) => {
                let bare = &leaves[index as usize];
                *room = leaf(mesh, center, bare.frame(), bare.ids());
                room
            }
        }
    }

    /// Of a tree that has them whole.
    #[cfg(test)]
    pub(super) fn all(&self) -> &[Leaf] {
        match self {
            Self::Whole(leaves) => leaves,
            Self::Bare(_) => &[],
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Whole(leaves) => leaves.capacity() * size_of::<Leaf>(),
            Self::Bare(leaves) => leaves.capacity() * size_of::<BareLeaf>(),
        }
    }
}
