//! A robot with its world, for `python/nearhit/_robot.py`: one lock around a checker, and questions
//! about one configuration or many that run without the interpreter's lock.

use crate::errors::{self, RobotError};
use crate::fork::on_threads;
use crate::poses::{Body, pose};
use crate::robot_ask::{Batch, PathRow, closest, path_row, refused, with_scratch};
use crate::subject::Subject;
use nearhit_robot::{
    Allowed, BodyPair, CheckOptions, Checker, Closest, ParentFrame, PathOptions, Random, ReadOptions, Robot as Native,
    SearchPath, Solids, SphereCount, SphereFormat,
};
use numpy::PyUntypedArrayMethods;
use numpy::ndarray::{Array2, Array3, Array4};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArray4, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EXAMPLE_URDF", nearhit_robot::EXAMPLE_URDF)?;
    module.add("EXAMPLE_SRDF", nearhit_robot::EXAMPLE_SRDF)?;
    module.add_class::<RobotChecker>()
}

/// What `nearhit.Robot` holds.
#[pyclass(frozen, module = "nearhit._native")]
pub(crate) struct RobotChecker {
    native: RwLock<Checker>,
}

/// Two names.
pub(crate) type Names = (String, String);
/// Name, kind, link, parent, child, limits if any, name of the joint it follows if any.
type JointRow = (String, &'static str, String, String, Option<(f64, f64)>, Option<String>);
/// Name, link or none of the world, kind of shape, triangles, whether it was attached.
type BodyRow = (String, Option<String>, &'static str, usize, bool);
/// Indices of the pair's bodies, lower and upper ends, points, gradients.
type Distances<'py> = (
    Bound<'py, PyArray2<i64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray3<f64>>,
    Option<Bound<'py, PyArray2<f64>>>,
);
/// In one array of random configurations: 2 GB.
const MOST_NUMBERS: usize = 1 << 28;

impl RobotChecker {
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Checker> {
        // A question that ended badly has changed nothing.
        self.native.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// As it is now.
    pub(crate) fn snapshot(&self) -> Checker {
        self.read().clone()
    }

    fn write(&self) -> RwLockWriteGuard<'_, Checker> {
        self.native.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn new(robot: Native, surfaces: bool, py: Python<'_>) -> PyResult<Self> {
        let options = CheckOptions::new().solids(if surfaces { Solids::Surface } else { Solids::Solid });
        let checker = on_threads(py, || Checker::new(robot, options))?.map_err(errors::of_robot)?;
        Ok(Self { native: RwLock::new(checker) })
    }
}

pub(crate) fn names(checker: &Checker, pair: BodyPair) -> Names {
    let name = |body: usize| checker.bodies()[body].name.clone();
    (name(pair.a), name(pair.b))
}

fn reason(allowed: &Allowed) -> String {
    match allowed {
        Allowed::Rigid => "rigid".to_owned(),
        Allowed::Adjacent => "adjacent".to_owned(),
        Allowed::Srdf(reason) => format!("srdf: {reason}"),
        Allowed::Hand => "allowed".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// As a 4 × 4 matrix, row by row.
fn rows(pose: &nearhit::Pose) -> [f64; 16] {
    let (r, t) = (pose.rotation().transpose().to_cols_array(), pose.translation());
    [r[0], r[1], r[2], t.x, r[3], r[4], r[5], t.y, r[6], r[7], r[8], t.z, 0.0, 0.0, 0.0, 1.0]
}

fn shaped<T>(array: Result<T, numpy::ndarray::ShapeError>) -> PyResult<T> {
    array.map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

#[pymethods]
impl RobotChecker {
    #[staticmethod]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        srdf: Option<PathBuf>,
        packages: Vec<PathBuf>,
        surfaces: bool,
        base: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let search = packages.into_iter().fold(SearchPath::from_environment(), SearchPath::with_folder);
        let options = ReadOptions::new().search(search);
        let mut robot = on_threads(py, || Native::read_with(&path, &options))?.map_err(errors::of_robot)?;
        if let Some(srdf) = srdf {
            robot.read_srdf(&srdf).map_err(errors::of_robot)?;
        }
        Self::new(robot.with_base(pose(base, Body::B)?), surfaces, py)
    }

    #[staticmethod]
    fn parse(
        py: Python<'_>,
        urdf: &str,
        srdf: Option<&str>,
        folder: PathBuf,
        surfaces: bool,
        base: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let options = ReadOptions::new().search(SearchPath::from_environment());
        let mut robot = Native::parse(urdf, &folder.join("robot.urdf"), &options).map_err(errors::of_robot)?;
        if let Some(srdf) = srdf {
            robot.parse_srdf(srdf, &folder.join("robot.srdf")).map_err(errors::of_robot)?;
        }
        Self::new(robot.with_base(pose(base, Body::B)?), surfaces, py)
    }

    fn copy(&self) -> Self {
        Self { native: RwLock::new(self.read().clone()) }
    }

    #[getter]
    fn name(&self) -> String {
        self.read().robot().name().to_owned()
    }

    #[getter]
    fn links(&self) -> Vec<String> {
        self.read().robot().links().iter().map(|link| link.name.clone()).collect()
    }

    #[getter]
    fn coordinate_names(&self) -> Vec<String> {
        self.read().robot().coordinate_names().to_vec()
    }

    #[getter]
    fn velocities(&self) -> usize {
        self.read().robot().velocities()
    }

    /// For each coordinate.
    #[getter]
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let limits = self.read().robot().limits();
        let flat: Vec<f64> = limits.iter().flatten().copied().collect();
        Ok(shaped(Array2::from_shape_vec((limits.len(), 2), flat))?.into_pyarray(py))
    }

    #[getter]
    fn joints(&self) -> Vec<JointRow> {
        let checker = self.read();
        let robot = checker.robot();
        let link = |index: usize| robot.links()[index].name.clone();
        let row = |joint: &nearhit_robot::Joint| {
            let limits = joint.limits.map(|limits| (limits.lower, limits.upper));
            let followed = joint.mimic.map(|mimic| robot.joints()[mimic.joint].name.clone());
            (joint.name.clone(), joint.kind.name(), link(joint.parent), link(joint.child), limits, followed)
        };
        robot.joints().iter().map(row).collect()
    }

    #[getter]
    fn bodies(&self) -> Vec<BodyRow> {
        let checker = self.read();
        let row = |body: &nearhit_robot::Body| {
            let link = match body.parent {
                ParentFrame::Link(link) => Some(checker.robot().links()[link].name.clone()),
                _ => None,
            };
            let triangles = body.shape.model().map_or(0, |model| model.mesh().triangles().len());
            (body.name.clone(), link, body.shape.name(), triangles, body.is_attached)
        };
        checker.bodies().iter().map(row).collect()
    }

    /// Name, corners and triangles in the world, of everything that has an end.
    #[allow(clippy::type_complexity)] // Rows.
    fn surfaces<'py>(
        &self,
        py: Python<'py>,
        q: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<Vec<(String, crate::picture::Surface<'py>)>> {
        let checker = self.read();
        let mut poses = vec![nearhit::Pose::IDENTITY; checker.robot().links().len()];
        let refused = |error: nearhit_robot::ConfigurationError| RobotError::new_err(error.to_string());
        checker.robot().link_poses(q.as_slice()?, &mut poses).map_err(refused)?;
        let surface = |body: &nearhit_robot::Body| {
            let parent = match body.parent {
                ParentFrame::Link(link) => poses[link],
                _ => nearhit::Pose::IDENTITY,
            };
            // A picture may be rounded.
            let at = parent * body.parent_from_body;
            crate::picture::placed(py, &body.shape, &at).map(|surface| (body.name.clone(), surface))
        };
        Ok(checker.bodies().iter().filter_map(surface).collect())
    }

    #[getter]
    fn pairs(&self) -> Vec<Names> {
        let checker = self.read();
        checker.pairs().iter().map(|&pair| names(&checker, pair)).collect()
    }

    #[getter]
    fn allowed(&self) -> Vec<(String, String, String)> {
        let checker = self.read();
        let link = |index: usize| checker.robot().links()[index].name.clone();
        checker.allowed().iter().map(|([a, b], why)| (link(a), link(b), reason(why))).collect()
    }

    #[getter]
    fn ignored(&self) -> Vec<String> {
        self.read().robot().ignored().iter().map(ToString::to_string).collect()
    }

    /// Names of groups and, of each, the names of its joints.
    #[getter]
    fn groups(&self) -> Vec<(String, Vec<String>)> {
        let checker = self.read();
        let robot = checker.robot();
        let joints = |joints: &[usize]| joints.iter().map(|&joint| robot.joints()[joint].name.clone()).collect();
        robot.semantics().groups.iter().map(|group| (group.name.clone(), joints(&group.joints))).collect()
    }

    fn state<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let q = self.read().robot().state(name).ok_or_else(|| {
            let checker = self.read();
            let known: Vec<&str> = checker.robot().semantics().states.iter().map(|state| &*state.name).collect();
            RobotError::new_err(format!("there is no state {name:?}; known: {}", known.join(", ")))
        })?;
        Ok(q.into_pyarray(py))
    }

    fn random<'py>(&self, py: Python<'py>, count: usize, seed: u64) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let checker = self.read();
        let (mut random, length) = (Random::new(seed), checker.robot().coordinates());
        // All are in one array.
        if count.saturating_mul(length.max(1)) > MOST_NUMBERS {
            let most = MOST_NUMBERS / length.max(1);
            return Err(PyValueError::new_err(format!("count is {count}: it must be at most {most}")));
        }
        let flat: Vec<f64> = (0..count).flat_map(|_| checker.robot().random_configuration(&mut random)).collect();
        Ok(shaped(Array2::from_shape_vec((count, length), flat))?.into_pyarray(py))
    }

    fn link_poses<'py>(
        &self,
        py: Python<'py>,
        q: PyReadonlyArray2<'_, f64>,
        batch: Batch,
    ) -> PyResult<Bound<'py, PyArray4<f64>>> {
        let links = self.read().robot().links().len();
        let found = self.each(py, &q, &batch, |checker, q, _| {
            let mut poses = vec![nearhit::Pose::IDENTITY; links];
            checker.robot().link_poses(q, &mut poses)?;
            Ok(poses.iter().flat_map(rows).collect::<Vec<f64>>())
        })?;
        let (count, flat) = (found.len(), found.concat());
        Ok(shaped(Array4::from_shape_vec((count, links, 4, 4), flat))?.into_pyarray(py))
    }

    fn collides(&self, py: Python<'_>, q: PyReadonlyArray1<'_, f64>) -> PyResult<bool> {
        self.one(py, &q, Checker::collides)
    }

    fn collides_each<'py>(
        &self,
        py: Python<'py>,
        q: PyReadonlyArray2<'_, f64>,
        batch: Batch,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(self.each(py, &q, &batch, Checker::collides)?.into_pyarray(py))
    }

    fn contacts(&self, py: Python<'_>, q: PyReadonlyArray1<'_, f64>, limit: f64) -> PyResult<Vec<Names>> {
        self.one(py, &q, |checker, q, scratch| {
            let mut found = Vec::new();
            checker.pairs_within(q, limit, scratch, &mut found)?;
            Ok(found.into_iter().map(|pair| names(checker, pair)).collect())
        })
    }

    fn closest<'py>(
        &self,
        py: Python<'py>,
        q: PyReadonlyArray2<'_, f64>,
        gradient: bool,
        batch: Batch,
    ) -> PyResult<Distances<'py>> {
        let found = if q.shape()[0] == 1 {
            let q = q.as_slice()?;
            let ask = || with_scratch(|scratch| closest(&self.read(), q, gradient, scratch));
            vec![py.detach(ask).map_err(refused)?]
        } else {
            self.each(py, &q, &batch, |checker, q, scratch| closest(checker, q, gradient, scratch))?
        };
        if found.iter().any(|(closest, _)| closest.is_none()) {
            return Err(RobotError::new_err("no pair of bodies is checked: there is no distance"));
        }
        let (closest, gradients): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let closest: Vec<Closest> = closest.into_iter().flatten().collect();
        let count = closest.len();
        let pairs = closest.iter().flat_map(|one| [one.pair.a as i64, one.pair.b as i64]).collect();
        let points = closest.iter().flat_map(|one| [one.on_a, one.on_b]).flatten().collect();
        let velocities = self.read().robot().velocities();
        let gradients = gradient.then(|| {
            let flat: Vec<f64> = gradients.into_iter().flatten().flatten().collect();
            shaped(Array2::from_shape_vec((count, velocities), flat))
        });
        Ok((
            shaped(Array2::from_shape_vec((count, 2), pairs))?.into_pyarray(py),
            closest.iter().map(|one| one.lower).collect::<Vec<_>>().into_pyarray(py),
            closest.iter().map(|one| one.upper).collect::<Vec<_>>().into_pyarray(py),
            shaped(Array3::from_shape_vec((count, 2, 3), points))?.into_pyarray(py),
            gradients.transpose()?.map(|gradients| gradients.into_pyarray(py)),
        ))
    }

    /// (k, pairs, 2): lower and upper ends.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        q: PyReadonlyArray2<'_, f64>,
        batch: Batch,
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let found = self.each(py, &q, &batch, |checker, q, scratch| {
            let mut found = Vec::with_capacity(checker.pairs().len());
            checker.distances(q, scratch, &mut found)?;
            Ok(found.iter().flat_map(|one| [one.lower, one.upper]).collect::<Vec<f64>>())
        })?;
        let (count, pairs) = (found.len(), self.read().pairs().len());
        Ok(shaped(Array3::from_shape_vec((count, pairs, 2), found.concat()))?.into_pyarray(py))
    }

    fn path_clear(
        &self,
        py: Python<'_>,
        q0: PyReadonlyArray1<'_, f64>,
        q1: PyReadonlyArray1<'_, f64>,
        clearance: f64,
        resolution: f64,
        budget: Option<u64>,
    ) -> PyResult<PathRow> {
        let (q0, q1) = (q0.as_slice()?, q1.as_slice()?);
        let options = PathOptions::new().clearance(clearance).resolution(resolution).budget(budget.unwrap_or(u64::MAX));
        py.detach(|| path_row(&self.read(), [q0, q1], &options)).map_err(refused)
    }

    /// Names of links and, of each, centres and radii of its balls: (n, 4). And the model as a
    /// text.
    #[allow(clippy::type_complexity)] // As typed in Python.
    fn spheres<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        per_link: bool,
        format: &str,
    ) -> PyResult<(Vec<(String, Bound<'py, PyArray2<f64>>)>, String)> {
        let known = SphereFormat::ALL.iter().find(|(name, _)| *name == format).map(|(_, format)| *format);
        let format = known.ok_or_else(|| {
            let names = SphereFormat::ALL.map(|(name, _)| name).join(", ");
            PyValueError::new_err(format!("there is no format {format:?}; known: {names}"))
        })?;
        let count = if per_link { SphereCount::PerLink(count) } else { SphereCount::Total(count) };
        let checker = self.snapshot();
        let balls = on_threads(py, || checker.spheres(count))?.map_err(refused)?;
        let text = format.text(checker.robot(), &balls);
        let rows = balls.into_iter().map(|own| {
            let flat: Vec<f64> = own.spheres.iter().flat_map(|([x, y, z], radius)| [*x, *y, *z, *radius]).collect();
            let array = shaped(Array2::from_shape_vec((own.spheres.len(), 4), flat))?;
            Ok((checker.robot().links()[own.link].name.clone(), array.into_pyarray(py)))
        });
        Ok((rows.collect::<PyResult<_>>()?, text))
    }

    fn add_to_world(&self, name: &str, body: Subject, at: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let (at, mut checker) = (pose(at, Body::B)?, self.write());
        let shape = body.solid(checker.options().solids);
        checker.add_to_world(name, shape, at).map_err(refused)
    }

    fn attach(&self, link: &str, name: &str, body: Subject, at: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let (at, mut checker) = (pose(at, Body::B)?, self.write());
        let shape = body.solid(checker.options().solids);
        checker.attach(link, name, shape, at).map_err(refused)
    }

    fn remove(&self, name: &str) -> PyResult<()> {
        self.write().remove(name).map_err(refused)
    }

    fn pad(&self, link: &str, margin: f64) -> PyResult<()> {
        self.write().pad(link, margin).map_err(refused)
    }

    /// Two links may touch, or may not.
    fn set_allowed(&self, a: &str, b: &str, may_touch: bool) -> PyResult<()> {
        let mut checker = self.write();
        let mut index = [0, 0];
        for (index, name) in index.iter_mut().zip([a, b]) {
            let missing = || RobotError::new_err(format!("there is no link {name:?}"));
            *index = checker.robot().link(name).ok_or_else(missing)?;
        }
        if index[0] == index[1] {
            return Err(PyValueError::new_err("a link is not checked with itself"));
        }
        let mut allowed = checker.allowed().clone();
        if may_touch {
            allowed.allow(index[0], index[1])
        } else {
            allowed.check(index[0], index[1])
        };
        checker.set_allowed(allowed);
        Ok(())
    }
}
