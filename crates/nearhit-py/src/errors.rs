//! The library's errors as Python exceptions, with the library's words.

use nearhit::{FileError, MeshError, PoseError, QueryError};
use nearhit_io::ReadError;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(nearhit, NearhitError, PyValueError, "Something about the data that was given.");
pyo3::create_exception!(nearhit, MeshError_, NearhitError, "A mesh that is none: index and value are in the message.");
pyo3::create_exception!(nearhit, PoseError_, NearhitError, "A matrix that is not a rotation and a translation.");
pyo3::create_exception!(nearhit, QueryError_, NearhitError, "A question that cannot be asked of these models.");
pyo3::create_exception!(nearhit, FileError_, NearhitError, "A file that cannot be understood.");

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("NearhitError", py.get_type::<NearhitError>())?;
    module.add("MeshError", py.get_type::<MeshError_>())?;
    module.add("PoseError", py.get_type::<PoseError_>())?;
    module.add("QueryError", py.get_type::<QueryError_>())?;
    module.add("FileError", py.get_type::<FileError_>())
}

pub(crate) fn of_mesh(error: MeshError) -> PyErr {
    MeshError_::new_err(error.to_string())
}

/// A file that is not there is an `OSError`, one that makes no sense a `FileError`.
pub(crate) fn of_reading(error: ReadError) -> PyErr {
    match error {
        ReadError::Io { ref path, error: ref cause } => {
            let (message, path) = (cause.to_string(), path.display().to_string());
            match cause.raw_os_error() {
                // With a number Python chooses the right class: FileNotFoundError and the like.
                Some(number) => PyOSError::new_err((number, message, path)),
                None => PyOSError::new_err(error.to_string()),
            }
        }
        ReadError::Mesh { .. } => MeshError_::new_err(error.to_string()),
        _ => FileError_::new_err(error.to_string()),
    }
}

pub(crate) fn of_file(error: FileError, name: &str) -> PyErr {
    FileError_::new_err(format!("{name}: {error}"))
}

/// Why a query of a batch has no answer.
#[derive(Debug)]
pub(crate) enum Refusal {
    Pose { body: char, error: PoseError },
    Query(QueryError),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pose { body, error } => write!(formatter, "of {body}: {error}"),
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
            Self::Pose { body, error } => PoseError_::new_err(format!("{place}{body}'s {error}")),
            Self::Query(error) => QueryError_::new_err(format!("{place}{error}")),
        }
    }
}
