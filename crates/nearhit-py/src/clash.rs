//! Clash detection: the parts of an assembly as Python has them, and what is found.

use crate::answer::{column, table, work};
use crate::errors;
use crate::fork::on_threads;
use crate::meshes;
use crate::model::Model;
use crate::poses::{Body, pose};
use crate::watch::{Watched, watched};
use nearhit::clash::{Assembly, ClashError, Class, Finding, Options, Progress, Report, Rules};
use nearhit::{Interval, Mesh, Pose};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PartMesh>()?;
    module.add_function(wrap_pyfunction!(read_parts, module)?)?;
    module.add_function(wrap_pyfunction!(distinct_names, module)?)?;
    module.add_function(wrap_pyfunction!(clash, module)?)
}

/// A mesh without a tree: it gets one when a part of this shape is near another part.
#[pyclass(frozen, module = "nearhit._native")]
pub(crate) struct PartMesh(Mesh);

#[pymethods]
impl PartMesh {
    #[new]
    fn new(mesh: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(path) = mesh.extract::<PathBuf>() {
            return nearhit_io::read_mesh(&path).map(Self).map_err(errors::of_reading);
        }
        let [vertices, faces] = meshes::parts(mesh)?;
        Ok(Self(meshes::from_arrays(&vertices, &faces)?))
    }
}

/// Names, shapes (None if without triangles) and poses.
type Parts = Vec<(String, Option<Py<PartMesh>>, [[f64; 4]; 4])>;

/// Whether files of this format have several parts, and the parts. Nodes that show the same mesh
/// share a shape.
#[pyfunction]
fn read_parts(py: Python<'_>, path: PathBuf) -> PyResult<(bool, Parts)> {
    let read = on_threads(py, || nearhit_io::read_assembly(&path))?.map_err(errors::of_reading)?;
    let shape = |raw: nearhit::RawMesh| {
        if raw.triangles.is_empty() {
            return Ok(None);
        }
        let refused = |error| errors::of_reading(nearhit_io::ReadError::Mesh { path: path.clone(), error });
        Py::new(py, PartMesh(Mesh::try_from(raw).map_err(refused)?)).map(Some)
    };
    let shapes: Vec<Option<Py<PartMesh>>> = read.shapes.into_iter().map(shape).collect::<PyResult<_>>()?;
    let part = |part: nearhit_io::PlacedPart| {
        let shape = shapes.get(part.shape).and_then(|shape| shape.as_ref().map(|shape| shape.clone_ref(py)));
        (part.name, shape, matrix(&part.world_from_shape))
    };
    let has_parts = nearhit_io::Format::from_path(&path).is_ok_and(nearhit_io::Format::has_parts);
    Ok((has_parts, read.parts.into_iter().map(part).collect()))
}

/// Names that differ.
#[pyfunction]
fn distinct_names(given: Vec<String>) -> Vec<String> {
    nearhit_io::distinct_names(given)
}

fn matrix(pose: &Pose) -> [[f64; 4]; 4] {
    let (rotation, translation) = (pose.rotation(), pose.translation());
    let row = |axis: usize| {
        let row = rotation.row(axis);
        [row.x, row.y, row.z, translation[axis]]
    };
    [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]]
}

/// With a tree or without.
#[derive(FromPyObject)]
enum AnyShape<'py> {
    Model(Bound<'py, Model>),
    Mesh(Bound<'py, PartMesh>),
}

/// Name, which of the shapes, pose.
type Placed<'py> = (String, usize, Option<Bound<'py, PyAny>>);

fn assembly(shapes: &[AnyShape<'_>], parts: Vec<Placed<'_>>) -> PyResult<Assembly> {
    let mut assembly = Assembly::new();
    for shape in shapes {
        match shape {
            AnyShape::Model(model) => assembly.add_model(model.get().native.clone()),
            AnyShape::Mesh(shape) => assembly.add_mesh(shape.get().0.clone()),
        };
    }
    for (name, shape, at) in parts {
        let at = pose(at.as_ref(), Body::B).map_err(|error| errors::of_part(&name, &error))?;
        assembly.add_part(name, shape, at).map_err(refused)?;
    }
    Ok(assembly)
}

fn refused(error: ClashError) -> PyErr {
    errors::QueryError::new_err(error.to_string())
}

fn class(name: &str) -> PyResult<Class> {
    Class::ALL.into_iter().find(|class| class.to_string() == name).ok_or_else(|| {
        let known = Class::ALL.map(<&str>::from).join(", ");
        PyValueError::new_err(format!("there is no class '{name}'; known: {known}"))
    })
}

/// What is asked, beside the parts.
#[derive(FromPyObject)]
struct Asked {
    tolerance: Option<f64>,
    clearance: f64,
    min_volume: f64,
    /// Rules, as `A:B` and `only A:B`.
    allow: Vec<String>,
    /// As `NAME=PATTERN,PATTERN`.
    groups: Vec<String>,
    ignore: Vec<String>,
    pair_work: Option<u64>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
}

/// Findings as the fields of `Clash` each, the other fields of `ClashReport`, and the exception
/// that interrupted the search, if one did.
type Found<'py> = (Bound<'py, PyList>, Summary<'py>, Option<PyErr>);

#[pyfunction]
fn clash<'py>(
    py: Python<'py>,
    shapes: Vec<AnyShape<'py>>,
    parts: Vec<Placed<'py>>,
    asked: Asked,
) -> PyResult<Found<'py>> {
    let mut assembly = assembly(&shapes, parts)?;
    let rules = Rules::new(&asked.allow, &asked.groups).map_err(refused)?;
    let ignored: Vec<Class> = asked.ignore.iter().map(|name| class(name)).collect::<PyResult<_>>()?;
    let (cancel, done, count) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let note = |step: Progress<'_>| {
        if let Progress::Judged { done: now, count: all, .. } = step {
            done.fetch_max(now, Ordering::Relaxed);
            count.store(all, Ordering::Relaxed);
        }
    };
    let options = Options::new()
        .clearance(asked.clearance)
        .min_volume(asked.min_volume)
        .rules(&rules)
        .cancel(&cancel)
        .progress(&note);
    let options = asked.tolerance.map_or(options, |tolerance| options.tolerance(tolerance));
    let options = asked.pair_work.map_or(options, |units| options.pair_work(units));
    let options = ignored.into_iter().fold(options, |options, class| options.ignore(class));
    let look_up = |py: Python<'_>| -> PyResult<()> {
        py.check_signals()?;
        let Some(progress) = &asked.progress else { return Ok(()) };
        let told = (done.load(Ordering::Relaxed), count.load(Ordering::Relaxed));
        // False, and nothing else, ends the search.
        if progress.call1(py, told)?.bind(py).extract::<bool>().is_ok_and(|goes_on| !goes_on) {
            cancel.store(true, Ordering::Relaxed);
        }
        Ok(())
    };
    let task = || assembly.clashes(&options);
    let Watched { result, interrupted } = watched(py, asked.threads, &cancel, look_up, task)?;
    let report = result.map_err(refused)?;
    let interrupted = match interrupted {
        // The last word on progress; it can fail like the others.
        None if asked.progress.is_some() => look_up(py).err(),
        interrupted => interrupted,
    };
    let findings = report.findings.iter().map(|finding| fields(py, finding, &assembly));
    Ok((PyList::new(py, findings.collect::<Vec<_>>())?, summary(py, &report)?, interrupted))
}

/// Names of the parts, class, depth from and to, basis, gap, which is inside, points, triangles,
/// whether the surfaces touch, with which tolerance they only touch, overlap.
type Clash<'py> = (
    (String, String),
    &'static str,
    Option<(f64, f64)>,
    Option<&'static str>,
    Option<f64>,
    Option<String>,
    Bound<'py, PyArray2<f64>>,
    Triangles<'py>,
    Triangles<'py>,
    Option<bool>,
    Option<f64>,
    Option<Overlap<'py>>,
);
/// Volume from and to, area from and to, centre, box, which passes through.
type Overlap<'py> =
    ((f64, f64), Option<(f64, f64)>, Option<[f64; 3]>, Option<Bound<'py, PyArray2<f64>>>, Option<String>);
type Triangles<'py> = Bound<'py, PyArray1<i64>>;

fn fields<'py>(py: Python<'py>, finding: &Finding, assembly: &Assembly) -> Clash<'py> {
    let name = |part: usize| assembly.parts()[part].name.clone();
    let [a, b] = finding.parts.map(name);
    let depth = match (finding.depth, finding.depth_at_most) {
        (None, None) => None,
        (lower, upper) => Some((lower.unwrap_or(0.0), upper.unwrap_or(f64::INFINITY))),
    };
    let triangles = |ids: &[u32]| column(py, ids.iter().map(|&id| i64::from(id)));
    (
        (a, b),
        finding.class.into(),
        depth,
        finding.basis.map(<&str>::from),
        finding.gap,
        finding.inside.map(name),
        table(py, finding.points.map(|point| point.to_array()).into_iter()),
        triangles(&finding.triangles[0]),
        triangles(&finding.triangles[1]),
        finding.touches,
        finding.touching_with,
        finding.overlap.map(|overlap| {
            let ends = |interval: Interval| (interval.lower, interval.upper);
            let corners = overlap.bounds.map(|bounds| [bounds.low, bounds.high].map(|corner| corner.to_array()));
            (
                ends(overlap.volume),
                overlap.area.map(ends),
                overlap.center.map(|center| center.to_array()),
                corners.map(|corners| table(py, corners.into_iter())),
                overlap.through.map(name),
            )
        }),
    )
}

/// Whether it is complete, pairs near and judged, findings allowed, rules unused, tolerance,
/// clearance, work.
type Summary<'py> = (bool, usize, usize, usize, Vec<String>, f64, f64, Bound<'py, PyAny>);

fn summary<'py>(py: Python<'py>, report: &Report) -> PyResult<Summary<'py>> {
    let work = work(py, crate::answer::counts(&report.stats))?;
    Ok((
        report.is_complete,
        report.pairs_near,
        report.pairs_judged,
        report.allowed,
        report.unused_rules.clone(),
        report.tolerance,
        report.clearance,
        work,
    ))
}
