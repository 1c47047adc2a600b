//! When time is short: sphere-trees that are refined until a budget ends, and guesses from
//! averages.

use crate::answer::{Answers, Fields, column, table};
use crate::fork::on_threads;
use crate::model::Model;
use crate::query::Query;
use nearhit::research::PairExt;
use nearhit::research::SphereTreeExt;
use nearhit::research::adb::Quality;
use nearhit::research::adb::calibration::FITTED;
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions};
use nearhit::{Refined, Refinement, SpherePair, SphereTree as Native};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SphereTree>()?;
    module.add_class::<RefinementState>()?;
    module.add_function(wrap_pyfunction!(refine, module)?)?;
    module.add_function(wrap_pyfunction!(refine_on, module)?)?;
    module.add_function(wrap_pyfunction!(adb, module)?)
}

/// A model's surface covered by balls, level by level, each ball with how far it reaches beyond the
/// surface at most.
///
/// `method` is "medial" or "octree"; a `quick` medial tree is built several times faster and fits
/// less well.
///
/// >>> import nearhit as nh
/// >>> cube = nh.Model(([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)],
/// ...     [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6],
/// ...      [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]))
/// >>> tree = nh.SphereTree(cube, depth=2, method="octree")
/// >>> len(tree), tree.level(0)[1].shape
/// (3, (1,))
#[pyclass(frozen, module = "nearhit", name = "SphereTree")]
pub(crate) struct SphereTree {
    model: Py<Model>,
    tree: Native,
}

type Numbers<'py> = Bound<'py, PyArray1<f64>>;
/// Centers, radii, errors and parents.
type Level<'py> = (Bound<'py, PyArray2<f64>>, Numbers<'py>, Numbers<'py>, Bound<'py, PyArray1<i64>>);

#[pymethods]
impl SphereTree {
    #[new]
    #[pyo3(signature = (model, *, depth = 3, method = "medial", quick = false))]
    fn new(py: Python<'_>, model: Py<Model>, depth: u32, method: &str, quick: bool) -> PyResult<Self> {
        let method = match method {
            "medial" => SphereMethod::Medial,
            "octree" if quick => return Err(PyValueError::new_err("quick does nothing for method 'octree'")),
            "octree" => SphereMethod::Octree,
            _ => {
                return Err(PyValueError::new_err(format!("there is no method '{method}'; known: medial, octree")));
            }
        };
        if depth > SphereOptions::DEEPEST {
            let most = SphereOptions::DEEPEST;
            return Err(PyValueError::new_err(format!("depth must be at most {most}, not {depth}")));
        }
        let care = if quick { BuildEffort::Quick } else { BuildEffort::Full };
        let options = SphereOptions::new().depth(depth).method(method).effort(care);
        let native = model.get().native.clone();
        Ok(Self { model, tree: on_threads(py, || Native::build(&native, &options))? })
    }

    /// The model it covers.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<Model> {
        self.model.clone_ref(py)
    }

    /// The number of levels.
    fn __len__(&self) -> usize {
        self.tree.levels().len()
    }

    /// The balls of a level: centers (n, 3), radii (n,), how far each reaches beyond the surface at
    /// most (n,), and the place of each one's parent in the level above (n,), -1 for the root.
    fn level<'py>(&self, py: Python<'py>, level: usize) -> PyResult<Level<'py>> {
        if level >= self.tree.levels().len() {
            let count = self.tree.levels().len();
            return Err(PyIndexError::new_err(format!("there is no level {level}: the tree has {count}")));
        }
        let above = level.checked_sub(1).map_or(0, |above| self.tree.levels()[above].start);
        let spheres = self.tree.level(level);
        Ok((
            table(py, spheres.iter().map(|sphere| sphere.center.to_array())),
            column(py, spheres.iter().map(|sphere| sphere.radius)),
            column(py, spheres.iter().map(|sphere| sphere.error)),
            column(py, spheres.iter().map(|sphere| sphere.parent.map_or(-1, |parent| i64::from(parent - above)))),
        ))
    }

    fn __repr__(&self) -> String {
        let counts: Vec<String> = self.tree.levels().iter().map(|level| level.len().to_string()).collect();
        format!("SphereTree({} spheres)", counts.join(" + "))
    }
}

/// The fields of `Refined` or `Refineds`.
fn fields(found: Answers<'_, Refined>) -> Fields<'_> {
    found
        .verdict(|one| one.verdict.known())?
        .pair(|one| one.witness)?
        .value(|one| one.level)?
        .value(|one| one.separation.lower)?
        .value(|one| one.separation.upper)?
        .work(|one| one.stats)?
        .fields()
}

/// Of the trees' models, from the roots.
#[pyfunction]
fn refine<'py>(py: Python<'py>, query: &Query, a: &SphereTree, b: &SphereTree) -> Fields<'py> {
    thread_local!(static STATE: RefCell<Refinement> = RefCell::new(Refinement::default()));
    fields(query.ask(py, |pair, settings, _| {
        let pair = SpherePair::new(*pair, &a.tree, &b.tree);
        let refined = STATE.with_borrow_mut(|state| {
            state.restart();
            state.run(&pair, &settings.budget)
        });
        (refined, None)
    })?)
}

/// What the package's `Refinement` knows of two trees where they are.
#[pyclass(frozen, module = "nearhit._native")]
#[derive(Default)]
pub(crate) struct RefinementState(Mutex<Refinement>);

#[pymethods]
impl RefinementState {
    #[new]
    fn new() -> Self {
        Self::default()
    }
}

/// Goes on with a single query. `moved`: since the last call; what is still certain is kept.
#[pyfunction]
fn refine_on<'py>(
    py: Python<'py>,
    query: &Query,
    a: &SphereTree,
    b: &SphereTree,
    state: &RefinementState,
    moved: bool,
) -> Fields<'py> {
    fields(query.ask(py, |pair, settings, _| {
        let pair = SpherePair::new(*pair, &a.tree, &b.tree);
        let mut state = state.0.lock().unwrap_or_else(PoisonError::into_inner);
        if moved {
            state.follow(&pair);
        }
        (state.run(&pair, &settings.budget), None)
    })?)
}

/// The fields of `Guess` or `Guesses`.
#[pyfunction]
fn adb<'py>(
    py: Python<'py>,
    query: &Query,
    p_min: Option<f64>,
    k_min: Option<i64>,
    rule: &str,
    base_rate: Option<f64>,
) -> Fields<'py> {
    let quality = quality(p_min, k_min, rule)?;
    if let Some(share) = base_rate
        && !(0.0..=1.0).contains(&share)
    {
        return Err(PyValueError::new_err(format!("base_rate must be a share from 0 to 1, not {share}")));
    }
    let calibration = base_rate.map(|share| FITTED.expecting(share));
    let (a, b) = query.models()?;
    let (of_a, of_b) = on_threads(py, || (a.averages(), b.averages()))?;
    let found = query.ask(py, |pair, settings, scratch| {
        let guess = pair.averaged(of_a, of_b).map(|pair| {
            let guess = pair.collide(&quality, settings, scratch);
            let probability = calibration.as_ref().map_or_else(|| guess.probability(), |told| guess.calibrated(told));
            (guess.collides(), probability, guess.stats)
        });
        (guess, None)
    })?;
    found.accepted()?.verdict(|one| one.0)?.value(|one| one.1)?.work(|one| one.2)?.fields()
}

fn quality(p_min: Option<f64>, k_min: Option<i64>, rule: &str) -> PyResult<Quality> {
    let usual = match rule {
        "crossings" => Quality::default(),
        "anywhere" => Quality::tuned(),
        _ => return Err(PyValueError::new_err(format!("there is no rule '{rule}'; known: crossings, anywhere"))),
    };
    let p_min = p_min.unwrap_or(usual.p_min);
    if !(p_min > 0.0 && p_min <= 1.0) {
        return Err(PyValueError::new_err(format!("p_min must be above 0 and at most 1, not {p_min}")));
    }
    match k_min.map_or(Ok(usual.k_min), u32::try_from) {
        Ok(k_min) if k_min > 0 => Ok(usual.p_min(p_min).k_min(k_min)),
        _ => Err(PyValueError::new_err(format!("k_min must be at least 1, not {}", k_min.unwrap_or(0)))),
    }
}
