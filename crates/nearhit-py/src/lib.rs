//! The native module of the Python package `nearhit`: what needs Rust's speed, and nothing else.
//!
//! What users see is in `python/nearhit/`: arguments are put in order there, and answers given names. Here every function takes models, arrays of poses in double precision (read
//! where they are, in any memory order) and options, and returns numbers and arrays. The interpreter's lock is not held while a query runs.

mod answers;
mod anytime;
mod ask;
mod errors;
mod meshes;
mod model;
mod places;
mod points;
mod scene;
mod single;
mod solids;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Model>()?;
    module.add_class::<scene::Scene>()?;
    errors::add(module)?;
    answers::add(module)?;
    single::add(module)?;
    solids::add(module)?;
    points::add(module)?;
    anytime::add(module)
}
