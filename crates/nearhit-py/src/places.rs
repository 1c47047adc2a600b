//! Where the bodies are: one 4 × 4 matrix, or an array of them, read where it is.

use crate::errors::Refusal;
use nearhit::Pose;
use numpy::ndarray::{ArrayView3, Axis, Ix2, Ix3};
use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Of one body.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Places<'a> {
    Origin,
    One(ArrayView3<'a, f64>),
    Many(ArrayView3<'a, f64>),
}

impl<'a> Places<'a> {
    pub(crate) fn new(array: Option<&'a PyReadonlyArrayDyn<'_, f64>>, body: char) -> PyResult<Self> {
        let Some(array) = array else { return Ok(Self::Origin) };
        let complaint = || {
            PyValueError::new_err(format!(
                "the pose of {body} must have the shape (4, 4) or (k, 4, 4), not {:?}",
                array.shape()
            ))
        };
        match array.shape() {
            [4, 4] => {
                let view = array.as_array().into_dimensionality::<Ix2>().map_err(|_| complaint())?;
                Ok(Self::One(view.insert_axis(Axis(0))))
            }
            [_, 4, 4] => array.as_array().into_dimensionality::<Ix3>().map(Self::Many).map_err(|_| complaint()),
            _ => Err(complaint()),
        }
    }

    /// How many queries there are; none if it is a single one.
    pub(crate) fn count(&self) -> Option<usize> {
        match self {
            Self::Many(array) => Some(array.len_of(Axis(0))),
            Self::Origin | Self::One(_) => None,
        }
    }

    /// Of query `index`.
    pub(crate) fn pose(&self, index: usize, body: char) -> Result<Pose, Refusal> {
        let (array, index) = match self {
            Self::Origin => return Ok(Pose::IDENTITY),
            Self::One(array) => (array, 0),
            Self::Many(array) => (array, index),
        };
        let rows = [0, 1, 2, 3].map(|row| [0, 1, 2, 3].map(|column| array[[index, row, column]]));
        Pose::from_matrix(rows).map_err(|error| Refusal::Pose { body, error })
    }
}
