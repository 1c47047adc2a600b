//! The questions, and their answers as numbers or arrays. Each returns a tuple; the names are given in Python.

use crate::ask::{Asked, How, Placed, Poses};
use crate::model::Model;
use nearhit::{NearPair, Pair, Stats, Tolerance, TrianglePair, Verdict};
use numpy::ndarray::{Array1, Array2, Array3};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(collide, module)?)?;
    module.add_function(wrap_pyfunction!(within, module)?)?;
    module.add_function(wrap_pyfunction!(distance, module)?)?;
    module.add_function(wrap_pyfunction!(contacts, module)?)?;
    module.add_function(wrap_pyfunction!(nearest_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(pairs_within, module)?)
}

/// N_v, N_p, N_u.
pub(crate) type Work = (u64, u64, u64);
pub(crate) type Works<'py> = Bound<'py, PyArray2<u64>>;
pub(crate) type Numbers<'py> = Bound<'py, PyArray1<f64>>;
pub(crate) type Triangles<'py> = Bound<'py, PyArray2<i64>>;

pub(crate) fn work(stats: &Stats) -> Work {
    (stats.volume_tests, stats.triangle_tests, stats.updates)
}

pub(crate) fn works<'py>(py: Python<'py>, stats: impl ExactSizeIterator<Item = Stats>) -> Works<'py> {
    table(py, stats.map(|stats| [stats.volume_tests, stats.triangle_tests, stats.updates]))
}

pub(crate) fn table<'py, T: numpy::Element, const N: usize>(
    py: Python<'py>,
    rows: impl ExactSizeIterator<Item = [T; N]>,
) -> Bound<'py, PyArray2<T>> {
    let shape = (rows.len(), N);
    Array2::from_shape_vec(shape, rows.flatten().collect()).expect("N numbers a row").into_pyarray(py)
}

pub(crate) fn column<T: numpy::Element>(py: Python<'_>, values: impl Iterator<Item = T>) -> Bound<'_, PyArray1<T>> {
    Array1::from_iter(values).into_pyarray(py)
}

/// 1 for yes, 0 for no, -1 for maybe.
pub(crate) fn verdict(verdict: Verdict) -> i8 {
    verdict.known().map_or(-1, i8::from)
}

pub(crate) fn pair_of(witness: Option<TrianglePair>) -> [i64; 2] {
    witness.map_or([-1; 2], |pair| [pair.a.into(), pair.b.into()])
}

type OneCollided = (i8, [i64; 2], Work);
type Collided<'py> = (Bound<'py, PyArray1<i8>>, Triangles<'py>, Works<'py>);

#[derive(IntoPyObject)]
pub(crate) enum Either<One, Many> {
    One(One),
    Many(Many),
}

#[pyfunction]
fn collide<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
) -> PyResult<Either<OneCollided, Collided<'py>>> {
    let placed = Placed::new(a, b, &poses_a, &poses_b)?;
    let asked = placed.ask(py, &how, |pair, settings, scratch| {
        let collision = pair.collide(settings, scratch);
        (collision, collision.witness.map(nearhit::Seed))
    })?;
    Ok(match asked {
        Asked::One(one) => Either::One((verdict(one.verdict), pair_of(one.witness), work(&one.stats))),
        Asked::Many(many) => Either::Many((
            column(py, many.iter().map(|one| verdict(one.verdict))),
            table(py, many.iter().map(|one| pair_of(one.witness))),
            works(py, many.iter().map(|one| one.stats)),
        )),
    })
}

type OneNear = (i8, [i64; 2], f64, f64, Work);
type Near<'py> = (Bound<'py, PyArray1<i8>>, Triangles<'py>, Numbers<'py>, Numbers<'py>, Works<'py>);

#[pyfunction]
fn within<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
    limit: f64,
) -> PyResult<Either<OneNear, Near<'py>>> {
    let placed = Placed::new(a, b, &poses_a, &poses_b)?;
    let asked = placed.ask(py, &how, |pair, settings, scratch| {
        let within = pair.within(limit, settings, scratch);
        (within, within.witness.map(nearhit::Seed))
    })?;
    let upper = |one: &nearhit::Within| one.upper.unwrap_or(f64::INFINITY);
    Ok(match asked {
        Asked::One(one) => {
            Either::One((verdict(one.verdict), pair_of(one.witness), one.lower, upper(&one), work(&one.stats)))
        }
        Asked::Many(many) => Either::Many((
            column(py, many.iter().map(|one| verdict(one.verdict))),
            table(py, many.iter().map(|one| pair_of(one.witness))),
            column(py, many.iter().map(|one| one.lower)),
            column(py, many.iter().map(upper)),
            works(py, many.iter().map(|one| one.stats)),
        )),
    })
}

type OneDistance<'py> = (f64, f64, [i64; 2], Bound<'py, PyArray2<f64>>, Work);
type Distances<'py> = (Numbers<'py>, Numbers<'py>, Triangles<'py>, Bound<'py, PyArray3<f64>>, Works<'py>);

#[pyfunction]
#[allow(clippy::too_many_arguments)] // As typed in Python.
fn distance<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
    relative: f64,
    absolute: f64,
) -> PyResult<Either<OneDistance<'py>, Distances<'py>>> {
    let placed = Placed::new(a, b, &poses_a, &poses_b)?;
    let tolerance = Tolerance::new(relative, absolute);
    let asked = placed.ask(py, &how, |pair, settings, scratch| {
        let distance = pair.distance(tolerance, settings, scratch);
        (distance, Some(distance.seed()))
    })?;
    let points = |index: usize, one: &nearhit::Distance| {
        let mut points = [one.on_a.to_array(), one.on_b.to_array()];
        placed.world(index, &mut points);
        points
    };
    Ok(match asked {
        Asked::One(one) => Either::One((
            one.lower,
            one.upper,
            pair_of(Some(one.witness)),
            table(py, points(0, &one).into_iter()),
            work(&one.stats),
        )),
        Asked::Many(many) => {
            let all = many.iter().enumerate().flat_map(|(index, one)| points(index, one)).flatten().collect();
            let all = Array3::from_shape_vec((many.len(), 2, 3), all).expect("six numbers each");
            Either::Many((
                column(py, many.iter().map(|one| one.lower)),
                column(py, many.iter().map(|one| one.upper)),
                table(py, many.iter().map(|one| pair_of(Some(one.witness)))),
                all.into_pyarray(py),
                works(py, many.iter().map(|one| one.stats)),
            ))
        }
    })
}

/// Lists of pairs of all queries, one after the other, and where each query's start: `(triangles, distances, points, starts of points, starts, complete, work)`.
type Lists<'py> = (
    Triangles<'py>,
    Numbers<'py>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<bool>>,
    Works<'py>,
);

/// The pairs of one query.
struct Listed {
    pairs: Vec<NearPair>,
    /// Corners of what each pair shares, if asked for: in a's frame, with their number.
    shared: Vec<(usize, [[f64; 3]; MOST_CORNERS])>,
    complete: bool,
    stats: Stats,
}

/// Two triangles in a plane share at most a hexagon.
const MOST_CORNERS: usize = 6;

fn lists<'py>(py: Python<'py>, placed: &Placed<'_>, asked: Asked<Listed>) -> Lists<'py> {
    let mut all = asked.into_vec();
    for (index, one) in all.iter_mut().enumerate() {
        one.shared.iter_mut().for_each(|(count, points)| placed.world(index, &mut points[..*count]));
    }
    let pairs = || all.iter().flat_map(|one| &one.pairs);
    let shared = || all.iter().flat_map(|one| &one.shared);
    let flat: Vec<[i64; 2]> = pairs().map(|near| pair_of(Some(near.pair))).collect();
    let points: Vec<[f64; 3]> = shared().flat_map(|(count, points)| &points[..*count]).copied().collect();
    (
        table(py, flat.into_iter()),
        column(py, pairs().map(|near| near.distance)),
        table(py, points.into_iter()),
        column(py, starts(shared().map(|(count, _)| *count))),
        column(py, starts(all.iter().map(|one| one.pairs.len()))),
        column(py, all.iter().map(|one| one.complete)),
        works(py, all.iter().map(|one| one.stats)),
    )
}

/// Where runs of these lengths start, and the last ends.
pub(crate) fn starts(lengths: impl Iterator<Item = usize>) -> impl Iterator<Item = i64> {
    std::iter::once(0).chain(lengths).scan(0, |end, length| {
        *end += length as i64;
        Some(*end)
    })
}

fn shared(pair: &Pair<'_>, touching: TrianglePair) -> (usize, [[f64; 3]; MOST_CORNERS]) {
    let overlap = pair.overlap(touching);
    let mut corners = [[0.0; 3]; MOST_CORNERS];
    let count = overlap.points().len().min(MOST_CORNERS);
    corners.iter_mut().zip(overlap.points()).for_each(|(corner, point)| *corner = point.to_array());
    (count, corners)
}

#[pyfunction]
fn contacts<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
    with_points: bool,
) -> PyResult<Lists<'py>> {
    let placed = Placed::new(a, b, &poses_a, &poses_b)?;
    let asked = placed.ask(py, &how, |pair, settings, scratch| {
        let contacts = pair.contacts(settings, scratch);
        let pairs: Vec<NearPair> = contacts.pairs.iter().map(|&pair| NearPair { pair, distance: 0.0 }).collect();
        let wanted = if with_points { contacts.pairs } else { &[] };
        let shared = wanted.iter().map(|&touching| shared(pair, touching)).collect();
        (Listed { pairs, shared, complete: contacts.is_complete(), stats: contacts.stats }, None)
    })?;
    Ok(lists(py, &placed, asked))
}

#[pyfunction]
fn nearest_pairs<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
    count: usize,
) -> PyResult<Lists<'py>> {
    let placed = Placed::new(a, b, &poses_a, &poses_b)?;
    let asked = placed.ask(py, &how, |pair, settings, scratch| {
        let near = pair.nearest_pairs(count, settings, scratch);
        let listed =
            Listed { pairs: near.pairs.to_vec(), shared: vec![], complete: near.is_complete(), stats: near.stats };
        (listed, None)
    })?;
    Ok(lists(py, &placed, asked))
}

#[pyfunction]
fn pairs_within<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
    limit: f64,
) -> PyResult<Lists<'py>> {
    let placed = Placed::new(a, b, &poses_a, &poses_b)?;
    let asked = placed.ask(py, &how, |pair, settings, scratch| {
        let near = pair.pairs_within(limit, settings, scratch);
        let listed =
            Listed { pairs: near.pairs.to_vec(), shared: vec![], complete: near.is_complete(), stats: near.stats };
        (listed, None)
    })?;
    Ok(lists(py, &placed, asked))
}
