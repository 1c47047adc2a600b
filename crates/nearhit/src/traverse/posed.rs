//! Two meshes as the exact questions see them: a's vertices as they are, b's moved into a's frame.

use crate::mesh::{Mesh, Triangle};
use crate::pose::Pose;
use crate::volume::Placement;

/// A triangle of a and a triangle of b, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrianglePair {
    /// In a's mesh.
    pub a: u32,
    /// In b's mesh.
    pub b: u32,
}

/// Two meshes and how they lie.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PosedMeshes<'m> {
    pub(crate) a: &'m Mesh,
    pub(crate) b: &'m Mesh,
    pub(crate) a_from_b: Pose,
    slack: f64,
}

impl<'m> PosedMeshes<'m> {
    #[inline]
    pub(crate) fn new(a: &'m Mesh, b: &'m Mesh, a_from_b: &Pose) -> Self {
        let slack = Placement::slack_between(a_from_b, a.max_coordinate(), b.max_coordinate());
        Self { a, b, a_from_b: *a_from_b, slack }
    }

    /// For classic volumes.
    pub(crate) fn placement(&self) -> Placement {
        Placement::new(&self.a_from_b, self.a.max_coordinate(), self.b.max_coordinate())
    }

    /// Triangle `index` of b in a's frame.
    #[inline]
    pub(crate) fn posed_b(&self, index: u32) -> Triangle {
        let [a, b, c] = self.b.triangle(index);
        [self.a_from_b.apply(a), self.a_from_b.apply(b), self.a_from_b.apply(c)]
    }

    /// Both triangles in a's frame.
    pub(crate) fn triangles(&self, pair: TrianglePair) -> (Triangle, Triangle) {
        (self.a.triangle(pair.a), self.posed_b(pair.b))
    }

    /// The bound on double-precision rounding.
    #[inline]
    pub(crate) fn slack(&self) -> f64 {
        self.slack
    }
}
