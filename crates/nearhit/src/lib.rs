//! Proximity questions about triangle meshes.

pub mod error;
pub mod mesh;

pub use error::{MAX_COORDINATE, MeshError, PoseError, QueryError};
pub use mesh::{Mesh, RawMesh, Triangle};
