//! From what Python has to a mesh: a path, `(vertices, faces)`, or anything with `.vertices` and
//! `.faces`. Arrays are converted once, by numpy, and only if they are not yet what is needed.

use crate::errors;
use nearhit::{Mesh, RawMesh};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The two arrays of a mesh-like object.
pub(crate) fn parts<'py>(mesh: &Bound<'py, PyAny>) -> PyResult<[Bound<'py, PyAny>; 2]> {
    if let Ok(pair) = mesh.cast::<PyTuple>()
        && pair.len() == 2
    {
        return Ok([pair.get_item(0)?, pair.get_item(1)?]);
    }
    match (mesh.getattr("vertices"), mesh.getattr("faces")) {
        (Ok(vertices), Ok(faces)) => Ok([vertices, faces]),
        _ => {
            let found = mesh.get_type().name()?.to_string();
            let expected = "a path, (vertices, faces), or something with .vertices and .faces";
            Err(PyTypeError::new_err(format!("a mesh is {expected}, not {found}")))
        }
    }
}

pub(crate) fn from_arrays(vertices: &Bound<'_, PyAny>, faces: &Bound<'_, PyAny>) -> PyResult<Mesh> {
    let raw = RawMesh { vertices: points(vertices, "vertices")?, triangles: corners(faces)? };
    Mesh::try_from(raw).map_err(errors::of_mesh)
}

/// As a C-contiguous array of the given type: numpy copies only if it must.
fn converted<'py>(array: &Bound<'py, PyAny>, kind: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(array.py());
    if let Some(kind) = kind {
        options.set_item("dtype", kind)?;
    }
    options.set_item("order", "C")?;
    array.py().import("numpy")?.call_method("asarray", (array,), Some(&options))
}

/// Rows of three numbers.
pub(crate) fn points(vertices: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<[f64; 3]>> {
    let array = converted(vertices, Some("float64"))?;
    let array: PyReadonlyArray2<'_, f64> = array.extract().map_err(|_| wrong_shape(name, &array))?;
    if array.shape()[1] != 3 {
        return Err(wrong_shape(name, array.as_any()));
    }
    Ok(array.as_array().rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect())
}

fn corners(faces: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 3]>> {
    let array = converted(faces, None)?;
    let data_type = array.getattr("dtype")?;
    let kind: String = data_type.getattr("kind")?.extract()?;
    let size: usize = data_type.getattr("itemsize")?.extract()?;
    match kind.as_str() {
        "u" if size == 8 => indices::<u64>(&converted(&array, Some("uint64"))?),
        "i" | "u" => indices::<i64>(&converted(&array, Some("int64"))?),
        _ => {
            let found = data_type.str()?.to_string();
            Err(PyTypeError::new_err(format!("faces must be integers, not {found}")))
        }
    }
}

fn indices<T: numpy::Element + Copy + TryInto<u32> + std::fmt::Display>(
    array: &Bound<'_, PyAny>,
) -> PyResult<Vec<[u32; 3]>> {
    let array: PyReadonlyArray2<'_, T> = array.extract().map_err(|_| wrong_shape("faces", array))?;
    if array.shape()[1] != 3 {
        return Err(wrong_shape("faces", array.as_any()));
    }
    let row = |(face, row): (usize, numpy::ndarray::ArrayView1<'_, T>)| {
        let index = |corner: usize| {
            let value = row[corner];
            value.try_into().map_err(|_| refused_index(face, corner, value))
        };
        Ok([index(0)?, index(1)?, index(2)?])
    };
    array.as_array().rows().into_iter().enumerate().map(row).collect()
}

fn refused_index(face: usize, corner: usize, value: impl std::fmt::Display) -> PyErr {
    let message = format!("triangle {face}: corner {corner} names vertex {value}, which is not an index");
    errors::MeshError::new_err(message)
}

fn wrong_shape(what: &str, array: &Bound<'_, PyAny>) -> PyErr {
    let shape = array.getattr("shape").and_then(|shape| shape.str()).map_or(String::new(), |shape| shape.to_string());
    PyValueError::new_err(format!("{what} must have the shape (n, 3), not {shape}"))
}
