//! Errors of clash detection.

use crate::error::{MeshError, PoseError, QueryError};
use thiserror::Error;

/// Error of clash detection: a part, a rule or an option was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ClashError {
    /// A part names a shape that does not exist.
    #[error("part \"{part}\": there is no shape {shape}; the assembly has {shapes} (numbered from 0)")]
    UnknownShape {
        /// The part's name.
        part: String,
        /// The shape it names.
        shape: usize,
        /// How many there are.
        shapes: usize,
    },
    /// A part lies beyond [`crate::MAX_COORDINATE`].
    #[error("part \"{part}\" reaches {value:e}, beyond the limit of 1e300")]
    TooFar {
        /// The part's name.
        part: String,
        /// The coordinate.
        value: f64,
    },
    /// A tolerance that rounding would swallow, or no number.
    #[error(
        "tolerance {value}: must be a number and at least {least:e} for an assembly of this size, because coordinates are rounded"
    )]
    Tolerance {
        /// The tolerance asked for.
        value: f64,
        /// The least that is possible.
        least: f64,
    },
    /// A clearance that is no length.
    #[error("clearance {value}: must be a finite number, at least 0")]
    Clearance {
        /// The clearance asked for.
        value: f64,
    },
    /// A least volume that is no volume.
    #[error("min-volume {value}: must be a finite number, at least 0")]
    MinVolume {
        /// The volume asked for.
        value: f64,
    },
    /// The search would take more memory than it may.
    #[error("the search takes about {needed} bytes of memory, more than the limit of {limit}")]
    Memory {
        /// About what it takes, in bytes.
        needed: u64,
        /// The limit, in bytes.
        limit: u64,
    },
    /// A part that does not exist was to be moved.
    #[error("there is no part {part}; the assembly has {parts} (numbered from 0)")]
    UnknownPart {
        /// Its index.
        part: usize,
        /// How many there are.
        parts: usize,
    },
    /// A rule that cannot be read.
    #[error(
        "{text}: a rule is A:B, two names, patterns with * and ?, or groups as @bolts; write \\: for a colon in a name"
    )]
    Rule {
        /// As written.
        text: String,
    },
    /// A rule names a group that is not defined.
    #[error("{text}: there is no group \"{group}\"")]
    UnknownGroup {
        /// The rule, as written.
        text: String,
        /// The group's name.
        group: String,
    },
    /// A group that cannot be read.
    #[error(
        "{text}: a group is NAME=PATTERN,PATTERN,…, as in bolts=bolt_*,screw_*; names and patterns must not be empty; write \\, for a comma in a name"
    )]
    Group {
        /// As written.
        text: String,
    },
    /// Two parts cannot be compared.
    #[error("parts \"{a}\" and \"{b}\": {error}")]
    Pair {
        /// The first part's name.
        a: String,
        /// The second part's name.
        b: String,
        /// Why.
        error: QueryError,
    },
    /// A mesh was refused.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A pose was refused.
    #[error(transparent)]
    Pose(#[from] PoseError),
}
