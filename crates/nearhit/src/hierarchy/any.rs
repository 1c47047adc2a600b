//! The one list of volumes, and trees whose volume is chosen at run time.
//!
//! A line in the list `volumes!` gives a volume every query, its name on the command line and the
//! contract suite.

use super::Hierarchy;
use crate::bytes::FileError;
use crate::bytes::Source;
use crate::error::QueryError;
use crate::mesh::Mesh;
use crate::volume::{self, BoundingVolume};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

macro_rules! volumes {
    ($($(#[$doc:meta])* $variant:ident = $volume:ty,)+) => {
        /// Which volume a tree is made of.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum VolumeKind {
            $($(#[$doc])* $variant,)+
        }

        impl VolumeKind {
            /// Every volume there is.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// As on the command line.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => <$volume as BoundingVolume>::NAME,)+
                }
            }

            /// A tree of this volume, made by `operation`.
            pub(crate) fn made_by<O: MakeTree>(self, operation: O) -> AnyHierarchy {
                match self {
                    $(Self::$variant => AnyHierarchy::$variant(operation.run::<$volume>()),)+
                }
            }

            /// From the parts of a file.
            pub(crate) fn read(self, tree: Source<'_>, flying: Source<'_>, mesh: &Mesh) -> Result<AnyHierarchy, FileError> {
                match self {
                    $(Self::$variant => Hierarchy::read(tree, flying, mesh).map(AnyHierarchy::$variant),)+
                }
            }
        }

        /// A tree of one of the volumes.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum AnyHierarchy {
            $(#[doc = concat!("Of [`", stringify!($volume), "`].")] $variant(Hierarchy<$volume>),)+
        }

        impl AnyHierarchy {
            /// Which volume it is made of.
            #[must_use]
            pub fn kind(&self) -> VolumeKind {
                match self {
                    $(Self::$variant(_) => VolumeKind::$variant,)+
                }
            }

            /// Does `operation` with the tree, typed.
            pub fn with<O: TreeOperation>(&self, operation: O) -> O::Output {
                match self {
                    $(Self::$variant(tree) => operation.run(tree),)+
                }
            }

            /// See [`Hierarchy::set_tumbling`].
            pub fn set_tumbling(&mut self, mesh: &Mesh, tumbling: super::Tumbling) {
                match self {
                    $(Self::$variant(tree) => tree.set_tumbling(mesh, tumbling),)+
                }
            }

            /// See [`Hierarchy::outlines`].
            #[must_use]
            pub fn outlines(&self) -> Option<&super::Outlines> {
                match self {
                    $(Self::$variant(tree) => tree.outlines(),)+
                }
            }

            /// As a part of a file.
            pub(crate) fn write(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$variant(tree) => tree.write(out),)+
                }
            }

            /// What is beside the tree, as a part of a file; nothing if nothing is.
            pub(crate) fn write_outlines(&self, mesh: &Mesh, out: &mut Vec<u8>) {
                match self {
                    $(Self::$variant(tree) => tree.write_outlines(mesh, out),)+
                }
            }

            /// Does `operation` with two trees of the same volume, typed.
            pub(crate) fn with_pair<O: PairOperation>(&self, b: &Self, operation: O) -> Result<O::Output, QueryError> {
                match (self, b) {
                    $((Self::$variant(a), Self::$variant(b)) => Ok(operation.run(a, b)),)+
                    _ => Err(QueryError::DifferentVolumes { a: self.kind().name(), b: b.kind().name() }),
                }
            }
        }

        #[cfg(test)]
        #[allow(non_snake_case)]
        mod contract {
            $(
                mod $variant {
                    use super::super::*;
                    #[test]
                    fn holds() {
                        volume::contract::holds_for::<$volume>();
                    }
                }
            )+
        }
    };
}

volumes! {
    /// Minimum enclosing ball.
    Sphere = volume::sphere::Sphere,
    /// Axis-aligned box.
    Aabb = volume::aabb::Aabb,
    /// Oriented box.
    Obb = volume::obb::Obb,
    /// 6-DOP: intervals along the axes.
    KDop6 = volume::kdop::KDop<3>,
    /// 14-DOP: with the corners cut off.
    KDop14 = volume::kdop::KDop<7>,
    /// 18-DOP: with the edges cut off.
    KDop18 = volume::kdop::KDop<9>,
    /// 26-DOP: with corners and edges cut off.
    KDop26 = volume::kdop::KDop<13>,
    /// 50-DOP: with normals like (2, 1, 0) too.
    KDop50 = volume::kdop::KDop<25>,
    /// 74-DOP: with normals like (2, 1, 1) too.
    KDop74 = volume::kdop::KDop<37>,
    /// 98-DOP: with normals like (2, 2, 1) too.
    KDop98 = volume::kdop::KDop<49>,
    /// Line-swept sphere: a segment grown by a radius.
    Lss = volume::swept::LineSwept,
    /// Rectangle-swept sphere: a rectangle grown by a radius.
    Rss = volume::swept::RectSwept,
    /// Point-, line- or rectangle-swept sphere, by the shape of each set.
    Mixed = volume::swept::Mixed,
    /// A ball, and in it a swept sphere of any kind or an 18-DOP: which of them is tested is
    /// decided pair by pair.
    Dynamic = volume::swept::Dynamic,
}

/// Makes a tree of whatever volume: builders stand above this room.
pub(crate) trait MakeTree {
    /// Does it.
    fn run<V: volume::Support>(self) -> Hierarchy<V>;
}

/// Something to do with a tree of whatever volume.
pub trait TreeOperation {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<V: volume::Support>(self, tree: &Hierarchy<V>) -> Self::Output;
}

/// Something to do with two trees of the same volume, whatever that is.
pub(crate) trait PairOperation {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<V: volume::Support>(self, a: &Hierarchy<V>, b: &Hierarchy<V>) -> Self::Output;
}

impl Default for VolumeKind {
    /// The best all-rounder of the classic volumes.
    fn default() -> Self {
        Self::Obb
    }
}

impl fmt::Display for VolumeKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// There is no volume of that name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown volume '{name}'; known: {}", known_volumes())]
pub struct UnknownVolume {
    name: String,
}

impl UnknownVolume {
    /// The name that was asked for.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

fn known_volumes() -> String {
    let known: Vec<&str> = VolumeKind::ALL.iter().map(|kind| kind.name()).collect();
    known.join(", ")
}

impl FromStr for VolumeKind {
    type Err = UnknownVolume;

    fn from_str(name: &str) -> Result<Self, UnknownVolume> {
        let found = Self::ALL.iter().copied().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownVolume { name: name.to_owned() })
    }
}

struct Bytes;

impl TreeOperation for Bytes {
    type Output = usize;
    fn run<V: volume::Support>(self, tree: &Hierarchy<V>) -> usize {
        tree.bytes()
    }
}

struct IsTiled;

impl TreeOperation for IsTiled {
    type Output = bool;
    fn run<V: volume::Support>(self, tree: &Hierarchy<V>) -> bool {
        tree.is_tiled()
    }
}

struct Check<'m>(&'m Mesh);

impl TreeOperation for Check<'_> {
    type Output = Result<(), super::Violation>;
    fn run<V: volume::Support>(self, tree: &Hierarchy<V>) -> Self::Output {
        tree.check(self.0)
    }
}

impl AnyHierarchy {
    /// Heap memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.with(Bytes)
    }

    /// See [`Hierarchy::is_tiled`].
    #[must_use]
    pub fn is_tiled(&self) -> bool {
        self.with(IsTiled)
    }

    /// See [`Hierarchy::check`].
    pub fn check(&self, mesh: &Mesh) -> Result<(), super::Violation> {
        self.with(Check(mesh))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_unknown_ones_refused_by_name() {
        for &kind in VolumeKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        let unknown = "kdop22".parse::<VolumeKind>().expect_err("there is none");
        assert_eq!(unknown.name(), "kdop22");
        assert!(unknown.to_string().starts_with("unknown volume 'kdop22'; known: sphere, aabb, obb, kdop6"));
    }
}
