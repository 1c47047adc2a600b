//! Builders of trees whose volume is chosen at run time.

use super::{BuildOptions, Shape, assemble, build};
use crate::hierarchy::any::MakeTree;
use crate::hierarchy::{AnyHierarchy, Hierarchy, VolumeKind};
use crate::mesh::{Mesh, Triangle};
use crate::volume::Support;

struct Build<'b> {
    mesh: &'b Mesh,
    options: &'b BuildOptions,
}

impl MakeTree for Build<'_> {
    fn run<V: Support>(self) -> Hierarchy<V> {
        build(self.mesh, self.options)
    }
}

struct Assemble<'b> {
    shape: Shape,
    enclosed: &'b dyn Fn(u32, &mut Vec<Triangle>),
}

impl MakeTree for Assemble<'_> {
    fn run<V: Support>(self) -> Hierarchy<V> {
        assemble(self.shape, self.enclosed)
    }
}

impl VolumeKind {
    pub(crate) fn build(self, mesh: &Mesh, options: &BuildOptions) -> AnyHierarchy {
        self.made_by(Build { mesh, options })
    }

    /// With the shape of a tree that was decided elsewhere.
    pub(crate) fn assemble(self, shape: Shape, enclosed: &dyn Fn(u32, &mut Vec<Triangle>)) -> AnyHierarchy {
        self.made_by(Assemble { shape, enclosed })
    }
}
