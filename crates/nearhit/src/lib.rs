//! Proximity questions about triangle meshes.

pub mod build;
pub mod diagnostics;
pub mod error;
pub mod hierarchy;
pub mod mesh;
pub mod model;
pub mod pose;
pub mod primitive;
pub mod query;
pub mod traverse;
pub mod volume;

pub use build::{AxisRule, BuildOptions, PositionRule};
pub use diagnostics::Diagnostics;
pub use error::{MAX_COORDINATE, MeshError, PoseError, QueryError};
pub use hierarchy::VolumeKind;
pub use mesh::{Mesh, RawMesh, Triangle};
pub use model::Model;
pub use pose::Pose;
pub use query::{Collision, Contacts, Pair, Scratch, Settings, TrianglePair, Verdict};
pub use traverse::{AgendaKind, Budget, Clock, Opening, Stats};
