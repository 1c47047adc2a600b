//! Errors of scenes.

use super::first_contact::MotionError;
use super::slots::BodyId;
use crate::error::QueryError;
use thiserror::Error;

/// Error of a scene. It is as it was before.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SceneError {
    /// Names are unique.
    #[error("there is a body \"{name}\" already")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A body must be of something.
    #[error("body \"{body}\" has no parts")]
    NoParts {
        /// Its name.
        body: String,
    },
    /// Names of parts are unique in their body.
    #[error("body \"{body}\" has two parts \"{part}\"")]
    DuplicatePart {
        /// Name of the body.
        body: String,
        /// Name of the part.
        part: String,
    },
    /// The parent of a part must be defined before it.
    #[error("part \"{part}\" of body \"{body}\": parent \"{parent}\" is not defined before it")]
    UnknownParent {
        /// Name of the body.
        body: String,
        /// Name of the part.
        part: String,
        /// Name of the parent.
        parent: String,
    },
    /// All trees of a scene have the same volume.
    #[error("body \"{body}\" is of a tree of {found}, the scene's are of {expected}: build all with the same volume")]
    DifferentVolumes {
        /// Name of the body.
        body: String,
        /// Its volume.
        found: &'static str,
        /// The scene's.
        expected: &'static str,
    },
    /// It was removed, or belongs to another scene.
    #[error("there is no body {id:?}: it was removed, or is another scene's")]
    UnknownBody {
        /// The id.
        id: BodyId,
    },
    /// No body has that name.
    #[error("there is no body \"{name}\"")]
    UnknownName {
        /// The name.
        name: String,
    },
    /// The body has fewer parts, or none of that name.
    #[error("body \"{body}\" has no part {part}")]
    UnknownPart {
        /// Name of the body.
        body: String,
        /// Number or name of the part.
        part: String,
    },
    /// No body was ever in that group.
    #[error("there is no group \"{name}\"")]
    UnknownGroup {
        /// The name.
        name: String,
    },
    /// NaN, an infinity, or a negative number where none may be.
    #[error("{what} is {value}: it must be {must}")]
    BadNumber {
        /// What it was given for.
        what: String,
        /// The value.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// A part would land beyond the limit of coordinates.
    #[error("part \"{part}\" of body \"{body}\" would be at coordinate {value:e}, beyond the limit of 1e300")]
    TooFar {
        /// Name of the body.
        body: String,
        /// Name of the part.
        part: String,
        /// The coordinate.
        value: f64,
    },
    /// Two parts could not be asked about.
    #[error("{a} and {b}: {error}")]
    Pair {
        /// Names of a body and its part.
        a: String,
        /// Names of the other.
        b: String,
        /// Why.
        error: QueryError,
    },
    /// Nothing is known to be in contact, and two parts were left undecided by the limit.
    #[error("{a} and {b}: the limit was reached before it was known whether they are in contact")]
    Undecided {
        /// Names of a body and its part.
        a: String,
        /// Names of the other.
        b: String,
    },
    /// Two parts could not be followed along their motions.
    #[error("{a} and {b}: {error}")]
    Motion {
        /// Names of a body and its part.
        a: String,
        /// Names of the other.
        b: String,
        /// Why.
        error: MotionError,
    },
}
