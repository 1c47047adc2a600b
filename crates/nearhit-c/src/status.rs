//! What can go wrong, as a number and in words.

use ::nearhit_robot::{CheckError, ConfigurationError, RobotError};
use nearhit::clash::ClashError;
use nearhit::scene::{MotionError, SceneError};
use nearhit::shape::ShapeError;
use nearhit::{FileError, MeshError, PoseError, QueryError};
use nearhit_io::ReadError;
use std::any::Any;
use std::ffi::c_char;
use std::mem::MaybeUninit;

/// What became of a call. Zero is success.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum nearhit_status {
    /// It was done.
    Ok = 0,
    /// A pointer is NULL that must not be.
    NullPointer = 1,
    /// A number, a choice or a text that is none of those allowed.
    InvalidArgument = 2,
    /// The length of an array does not fit the others.
    WrongSize = 3,
    /// A mesh that is none: an index out of range, a coordinate that is not finite, no triangles.
    Mesh = 4,
    /// A matrix that is not a rotation, or a number of a pose that is not finite.
    Pose = 5,
    /// A question that cannot be asked of these models, points or rays.
    Query = 6,
    /// Something that a scene refuses; it is as it was before.
    Scene = 7,
    /// A motion that cannot be followed.
    Motion = 8,
    /// A file that cannot be read or written.
    Io = 9,
    /// A file that makes no sense.
    File = 10,
    /// Working memory, or a refinement, that another thread is using at this moment.
    Busy = 11,
    /// A fault of the library: please report it. What was asked has no answer; all handles stay
    /// valid.
    Panic = 12,
    /// A shape that is none, or a question that it has no answer to.
    Shape = 13,
    /// A robot's file, name or configuration that is refused.
    Robot = 14,
    /// A part, rule or option of an assembly that is refused.
    Clash = 15,
}

/// Bytes of a message, its zero included.
pub const NEARHIT_MESSAGE_BYTES: usize = 512;

/// What went wrong, in words. The caller's: it needs no initialising and no freeing. Every function
/// takes a pointer to one, which may be NULL, and fills it in when its status is not
/// NEARHIT_STATUS_OK; on success it is left as it was.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nearhit_error {
    /// The same as the function's.
    pub status: nearhit_status,
    /// Which of many queries, points or rays, from 0; -1 where there is but one.
    pub index: i64,
    /// UTF-8 that ends with a zero, with names, indices and values; cut if it is longer.
    pub message: [c_char; NEARHIT_MESSAGE_BYTES],
}

/// Why a call has no answer.
#[derive(Debug, Clone)]
pub struct Failure {
    status: nearhit_status,
    index: Option<usize>,
    message: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl Failure {
    fn new(status: nearhit_status, message: impl Into<String>) -> Self {
        Self { status, index: None, message: message.into() }
    }

    pub(crate) fn null(name: &str) -> Self {
        Self::new(nearhit_status::NullPointer, format!("{name} is NULL"))
    }

    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(nearhit_status::InvalidArgument, message)
    }

    pub(crate) fn size(message: impl Into<String>) -> Self {
        Self::new(nearhit_status::WrongSize, message)
    }

    pub(crate) fn busy(name: &str) -> Self {
        let message = format!("{name} is in use by another thread: give each thread its own");
        Self::new(nearhit_status::Busy, message)
    }

    pub(crate) fn pose(whose: &str, error: &PoseError) -> Self {
        Self::new(nearhit_status::Pose, format!("{whose}'s {error}"))
    }

    pub(crate) fn scene(message: impl Into<String>) -> Self {
        Self::new(nearhit_status::Scene, message)
    }

    pub(crate) fn shape(message: impl Into<String>) -> Self {
        Self::new(nearhit_status::Shape, message)
    }

    pub(crate) fn robot(message: impl Into<String>) -> Self {
        Self::new(nearhit_status::Robot, message)
    }

    pub(crate) fn clash(message: impl Into<String>) -> Self {
        Self::new(nearhit_status::Clash, message)
    }

    pub(crate) fn writing(path: &str, error: &std::io::Error) -> Self {
        Self::new(nearhit_status::Io, format!("{path}: cannot be written: {error}"))
    }

    pub(crate) fn model_file(path: &str, error: &FileError) -> Self {
        let status = if matches!(error, FileError::Io(_)) { nearhit_status::Io } else { nearhit_status::File };
        Self::new(status, format!("{path}: {error}"))
    }

    pub(crate) fn panicked(panic: &(dyn Any + Send)) -> Self {
        let said = panic.downcast_ref::<&str>().copied();
        let said = said.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        Self::new(nearhit_status::Panic, format!("a fault of nearhit, please report it: {said}"))
    }

    /// Of this query of many.
    pub(crate) fn at(self, index: usize) -> Self {
        Self { index: Some(index), message: format!("query {index}: {}", self.message), ..self }
    }

    /// Writes it down for the caller.
    pub(crate) fn tell(&self, error: Option<&mut MaybeUninit<nearhit_error>>) -> nearhit_status {
        if let Some(error) = error {
            let index = self.index.and_then(|index| i64::try_from(index).ok()).unwrap_or(-1);
            error.write(nearhit_error { status: self.status, index, message: cut(&self.message) });
        }
        self.status
    }
}

/// As much of a text as fits, without half a character, and a zero.
fn cut(text: &str) -> [c_char; NEARHIT_MESSAGE_BYTES] {
    let mut end = text.len().min(NEARHIT_MESSAGE_BYTES - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut message = [0; NEARHIT_MESSAGE_BYTES];
    for (place, byte) in message.iter_mut().zip(text[..end].bytes()) {
        // A zero in a name of a file or a body would end the message early.
        *place = if byte == 0 { b'?' as c_char } else { byte as c_char };
    }
    message
}

impl From<MeshError> for Failure {
    fn from(error: MeshError) -> Self {
        Self::new(nearhit_status::Mesh, error.to_string())
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        let index = if let QueryError::BadPoint { index, .. } = error { Some(index) } else { None };
        Self { index, ..Self::new(nearhit_status::Query, error.to_string()) }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self::new(nearhit_status::Scene, error.to_string())
    }
}

impl From<ShapeError> for Failure {
    fn from(error: ShapeError) -> Self {
        Self::shape(error.to_string())
    }
}

impl From<RobotError> for Failure {
    fn from(error: RobotError) -> Self {
        Self::robot(error.to_string())
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        Self::robot(error.to_string())
    }
}

impl From<ConfigurationError> for Failure {
    fn from(error: ConfigurationError) -> Self {
        Self::robot(error.to_string())
    }
}

impl From<ClashError> for Failure {
    fn from(error: ClashError) -> Self {
        Self::clash(error.to_string())
    }
}

impl From<MotionError> for Failure {
    fn from(error: MotionError) -> Self {
        Self::new(nearhit_status::Motion, error.to_string())
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        let status = match error {
            ReadError::Io { .. }
            | ReadError::Memory { .. }
            | ReadError::Directory { .. }
            | ReadError::NotAFile { .. } => nearhit_status::Io,
            ReadError::Mesh { .. } => nearhit_status::Mesh,
            _ => nearhit_status::File,
        };
        Self::new(status, error.to_string())
    }
}

/// The name of a status as in this header, such as "NEARHIT_STATUS_MESH"; "unknown status" for a
/// number that is none. The text is the library's and lives as long as it is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_status_name(status: i32) -> *const c_char {
    let name = match status {
        0 => c"NEARHIT_STATUS_OK",
        1 => c"NEARHIT_STATUS_NULL_POINTER",
        2 => c"NEARHIT_STATUS_INVALID_ARGUMENT",
        3 => c"NEARHIT_STATUS_WRONG_SIZE",
        4 => c"NEARHIT_STATUS_MESH",
        5 => c"NEARHIT_STATUS_POSE",
        6 => c"NEARHIT_STATUS_QUERY",
        7 => c"NEARHIT_STATUS_SCENE",
        8 => c"NEARHIT_STATUS_MOTION",
        9 => c"NEARHIT_STATUS_IO",
        10 => c"NEARHIT_STATUS_FILE",
        11 => c"NEARHIT_STATUS_BUSY",
        12 => c"NEARHIT_STATUS_PANIC",
        13 => c"NEARHIT_STATUS_SHAPE",
        14 => c"NEARHIT_STATUS_ROBOT",
        15 => c"NEARHIT_STATUS_CLASH",
        _ => c"unknown status",
    };
    name.as_ptr()
}
