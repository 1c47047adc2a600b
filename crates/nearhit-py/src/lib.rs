//! The native module of the Python package `nearhit`: what needs Rust's speed, and nothing else.
//!
//! What users see is in `python/nearhit/`: there a query has its signature, its documentation and
//! the class of its answer. Here it is one function that takes a [`query::Query`] and
//! returns the fields of that class, in order. The interpreter's lock is not held while a query
//! runs.
//!
//! | module | content |
//! |---|---|
//! | `model`, `deform`, `shape`, `meshes`, `scene` | classes of the package, and meshes as Python has them |
//! | `query`, `subject`, `poses`, `watch`, `fork`, `once` | what is asked: two models or shapes, poses, options; how and on which threads it is run; parts made on first use |
//! | `answer`, `results`, `errors` | fields of answers; classes of answers that must be quick; exceptions |
//! | `robot`, `matrix` | robots: what `nearhit.Robot` holds; collision matrices |
//! | `nc` | NC programs: what `nearhit.nc` asks |
//! | `picture` | surfaces as triangles, for `nearhit.show` |
//! | `placed`, `near`, `touching`, `advance` | bodies where they are, broad phase, time of impact: for `nearhit.fcl` and `nearhit.trimesh` |
//! | `surfaces`, `pairs`, `solids`, `shape`, `anytime`, `points`, `checks`, `clash` | the queries, each with its list of functions |

mod advance;
mod answer;
mod anytime;
mod checks;
mod clash;
mod deform;
mod details;
mod errors;
mod fork;
mod matrix;
mod meshes;
mod model;
mod nc;
mod near;
mod once;
mod pairs;
mod picture;
mod placed;
mod points;
mod poses;
mod query;
mod results;
mod robot;
mod robot_ask;
mod scene;
mod scene_each;
mod scene_meetings;
mod scene_told;
mod shape;
mod solids;
mod subject;
mod surfaces;
mod touching;
mod watch;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fork::begin();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Model>()?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<deform::Deforming>()?;
    errors::add(module)?;
    module.add_class::<query::Query>()?;
    results::add(module)?;
    surfaces::add(module)?;
    pairs::add(module)?;
    shape::add(module)?;
    solids::add(module)?;
    points::add(module)?;
    clash::add(module)?;
    robot::add(module)?;
    matrix::add(module)?;
    nc::add(module)?;
    picture::add(module)?;
    placed::add(module)?;
    near::add(module)?;
    touching::add(module)?;
    details::add(module)?;
    advance::add(module)?;
    checks::add(module)?;
    anytime::add(module)
}
