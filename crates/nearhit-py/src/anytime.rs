//! When time is short: sphere-trees that are refined until a budget ends, and guesses from averages.

use crate::answers::{Either, Numbers, Triangles, Work, Works, column, pair_of, table, verdict, work, works};
use crate::ask::{Asked, How, Placed, Poses};
use crate::model::Model;
use nearhit::research::adb::Quality;
use nearhit::{BuildEffort, Refined, Refinement, SphereMethod, SphereOptions, SpherePair, SphereTree as Native, Stats};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use std::cell::RefCell;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SphereTree>()?;
    module.add_function(wrap_pyfunction!(refine, module)?)?;
    module.add_function(wrap_pyfunction!(adb, module)?)
}

/// A model's surface covered by balls, level by level, each ball with how far it reaches beyond the surface at most.
///
/// `method` is "medial" or "octree"; a `quick` medial tree is built several times faster and fits less well.
///
/// >>> import nearhit as nh
/// >>> cube = nh.Model(([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)],
/// ...     [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]))
/// >>> tree = nh.SphereTree(cube, depth=2, method="octree")
/// >>> len(tree), tree.level(0)[1].shape
/// (3, (1,))
#[pyclass(frozen, module = "nearhit", name = "SphereTree")]
pub(crate) struct SphereTree {
    model: Py<Model>,
    tree: Native,
}

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
        Ok(Self { model, tree: py.detach(|| Native::build(&native, &options)) })
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

    /// The balls of a level: centers (n, 3), radii (n,), how far each reaches beyond the surface at most (n,), and the place of each one's parent in the level above (n,), -1 for the root.
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

/// Verdict, triangles, level, lower, upper, work.
type One = (i8, [i64; 2], u32, f64, f64, Work);
type Many<'py> =
    (Bound<'py, PyArray1<i8>>, Triangles<'py>, Bound<'py, PyArray1<u32>>, Numbers<'py>, Numbers<'py>, Works<'py>);

#[pyfunction]
fn refine<'py>(
    py: Python<'py>,
    a: &SphereTree,
    b: &SphereTree,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
) -> PyResult<Either<One, Many<'py>>> {
    thread_local!(static STATE: RefCell<Refinement> = RefCell::new(Refinement::default()));
    let (model_a, model_b) = (a.model.get(), b.model.get());
    let placed = Placed::new(model_a, model_b, &poses_a, &poses_b)?;
    let asked = placed.ask(py, &how, |pair, settings, _| {
        let pair = SpherePair::new(*pair, &a.tree, &b.tree);
        let refined = STATE.with_borrow_mut(|state| {
            state.restart();
            state.run(&pair, &settings.budget)
        });
        (refined, None)
    })?;
    let bounds = |one: &Refined| (one.separation.lower, one.separation.upper);
    Ok(match asked {
        Asked::One(one) => {
            let (lower, upper) = bounds(&one);
            Either::One((verdict(one.verdict), pair_of(one.witness), one.level, lower, upper, work(&one.stats)))
        }
        Asked::Many(many) => Either::Many((
            column(py, many.iter().map(|one| verdict(one.verdict))),
            table(py, many.iter().map(|one| pair_of(one.witness))),
            column(py, many.iter().map(|one| one.level)),
            column(py, many.iter().map(|one| bounds(one).0)),
            column(py, many.iter().map(|one| bounds(one).1)),
            works(py, many.iter().map(|one| one.stats)),
        )),
    })
}

/// Verdict, probability, work.
type OneGuess = (i8, f64, Work);
type Guesses<'py> = (Bound<'py, PyArray1<i8>>, Numbers<'py>, Works<'py>);

#[pyfunction]
#[allow(clippy::too_many_arguments)] // As typed in Python.
fn adb<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
    p_min: Option<f64>,
    k_min: Option<u32>,
    rule: &str,
) -> PyResult<Either<OneGuess, Guesses<'py>>> {
    let usual = match rule {
        "crossings" => Quality::default(),
        "anywhere" => Quality::paper(),
        _ => return Err(PyValueError::new_err(format!("there is no rule '{rule}'; known: crossings, anywhere"))),
    };
    let quality = usual.p_min(p_min.unwrap_or(usual.p_min)).k_min(k_min.unwrap_or(usual.k_min));
    if !(quality.p_min > 0.0 && quality.p_min <= 1.0) {
        return Err(PyValueError::new_err(format!("p_min must be above 0 and at most 1, not {}", quality.p_min)));
    }
    if quality.k_min == 0 {
        return Err(PyValueError::new_err("k_min must be at least 1, not 0"));
    }
    let (of_a, of_b) = py.detach(|| (a.averages(), b.averages()));
    let placed = Placed::new(a, b, &poses_a, &poses_b)?;
    let asked = placed.ask(py, &how, |pair, settings, scratch| {
        let guess = pair.averaged(of_a, of_b).map(|pair| {
            let guess = pair.collide(&quality, settings, scratch);
            (guess.collides().map_or(-1, i8::from), guess.probability(), guess.stats)
        });
        (guess, None)
    })?;
    let unlike = |error| crate::errors::Refusal::Query(error).into_error(None);
    Ok(match asked {
        Asked::One(one) => {
            let (verdict, probability, stats) = one.map_err(unlike)?;
            Either::One((verdict, probability, work(&stats)))
        }
        Asked::Many(many) => {
            let many: Vec<(i8, f64, Stats)> = many.into_iter().collect::<Result<_, _>>().map_err(unlike)?;
            Either::Many((
                column(py, many.iter().map(|one| one.0)),
                column(py, many.iter().map(|one| one.1)),
                works(py, many.iter().map(|one| one.2)),
            ))
        }
    })
}
