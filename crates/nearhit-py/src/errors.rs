//! The library's errors as Python exceptions, with the library's words.

use crate::poses::Body;
use nearhit_io::ReadError;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;

// Under the names that they have in the package: exceptions are pickled by name.
pyo3::create_exception!(nearhit, NearhitError, PyValueError, "Something about the data that was given.");
pyo3::create_exception!(nearhit, MeshError, NearhitError, "A mesh that is none: index and value are in the message.");
pyo3::create_exception!(
    nearhit,
    ShapeError,
    NearhitError,
    "Sizes that make no shape: which and what are in the message."
);
pyo3::create_exception!(nearhit, PoseError, NearhitError, "A matrix that is not a rotation and a translation.");
pyo3::create_exception!(nearhit, QueryError, NearhitError, "A question that cannot be asked of these models.");
pyo3::create_exception!(nearhit, SceneError, NearhitError, "Something that a scene refuses; it is as it was before.");
pyo3::create_exception!(
    nearhit,
    RobotError,
    NearhitError,
    "A robot's file or a configuration that is none: file, line and element, or coordinate and value are in the message."
);
pyo3::create_exception!(
    nearhit,
    NcError,
    NearhitError,
    "An NC program, tool table or body that cannot be checked: file, line and word are in the message."
);
pyo3::create_exception!(nearhit, FileError, NearhitError, "A file that cannot be understood.");

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("NearhitError", py.get_type::<NearhitError>())?;
    module.add("MeshError", py.get_type::<MeshError>())?;
    module.add("ShapeError", py.get_type::<ShapeError>())?;
    module.add("PoseError", py.get_type::<PoseError>())?;
    module.add("QueryError", py.get_type::<QueryError>())?;
    module.add("SceneError", py.get_type::<SceneError>())?;
    module.add("RobotError", py.get_type::<RobotError>())?;
    module.add("NcError", py.get_type::<NcError>())?;
    module.add("FileError", py.get_type::<FileError>())
}

pub(crate) fn of_mesh(error: nearhit::MeshError) -> PyErr {
    MeshError::new_err(error.to_string())
}

pub(crate) fn of_shape(error: nearhit::shape::ShapeError) -> PyErr {
    ShapeError::new_err(error.to_string())
}

/// A file that is not there is an `OSError`, everything else a `RobotError`.
pub(crate) fn of_robot(error: nearhit_robot::RobotError) -> PyErr {
    match &error {
        nearhit_robot::RobotError::Io { path, error: cause } => of_io(cause, path, &error.to_string()),
        _ => RobotError::new_err(error.to_string()),
    }
}

/// A file that is not there is an `OSError`, everything else an `NcError`.
pub(crate) fn of_nc(error: nearhit_nc::NcError) -> PyErr {
    match &error {
        nearhit_nc::NcError::Io { path, error: cause } => of_io(cause, path, &error.to_string()),
        _ => NcError::new_err(error.to_string()),
    }
}

/// With a number Python chooses the right class: `FileNotFoundError` and the like.
fn of_io(cause: &std::io::Error, path: &std::path::Path, message: &str) -> PyErr {
    match cause.raw_os_error() {
        Some(number) => PyOSError::new_err((number, cause.to_string(), path.display().to_string())),
        None => PyOSError::new_err(message.to_owned()),
    }
}

/// A file that is not there is an `OSError`, one that makes no sense a `FileError`.
pub(crate) fn of_reading(error: ReadError) -> PyErr {
    match error {
        ReadError::Io { ref path, error: ref cause } => of_io(cause, path, &error.to_string()),
        ReadError::Mesh { .. } => MeshError::new_err(error.to_string()),
        _ => FileError::new_err(error.to_string()),
    }
}

pub(crate) fn of_file(error: nearhit::FileError, name: &str) -> PyErr {
    FileError::new_err(format!("{name}: {error}"))
}

/// Why a query of a batch has no answer.
#[derive(Debug)]
pub(crate) enum Refusal {
    Pose { body: Body, error: nearhit::PoseError },
    Query(nearhit::QueryError),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pose { body, error } => write!(formatter, "of {}: {error}", body.name()),
            Self::Query(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    /// `index` is the number of the query, in a batch.
    pub(crate) fn into_error(self, index: Option<usize>) -> PyErr {
        let place = index.map_or(String::new(), |index| format!("query {index}: "));
        match self {
            Self::Pose { body, error } => PoseError::new_err(format!("{place}{}'s {error}", body.name())),
            Self::Query(error) => QueryError::new_err(format!("{place}{error}")),
        }
    }
}

/// About points: the library names the index itself.
pub(crate) fn of_query(error: nearhit::QueryError) -> PyErr {
    QueryError::new_err(error.to_string())
}

/// One of several points or rays that cannot be asked about.
#[derive(Debug)]
pub(crate) struct QueryFailure {
    pub(crate) index: usize,
    pub(crate) error: nearhit::QueryError,
}

impl QueryFailure {
    pub(crate) fn into_error(self) -> PyErr {
        QueryError::new_err(format!("query {}: {}", self.index, self.error))
    }
}

/// A part's pose that was refused: with the part's name in place of the body's.
pub(crate) fn of_part(name: &str, error: &PyErr) -> PyErr {
    Python::attach(|py| {
        let message = error.value(py).to_string();
        let message = message.strip_prefix("b's ").unwrap_or(&message);
        PyErr::from_type(error.get_type(py), format!("part \"{name}\": {message}"))
    })
}

/// Room for the answers of a batch: an array of poses may be larger than memory (one pose that is
/// shown many times), and an allocation that fails would end the process.
pub(crate) fn room<T>(count: usize) -> PyResult<Vec<T>> {
    let mut room = Vec::new();
    let refused = |_| PyMemoryError::new_err(format!("no memory for the answers to {count} questions"));
    room.try_reserve_exact(count).map_err(refused)?;
    Ok(room)
}
