//! Points and rays: many at once, without the interpreter's lock; those of models on all cores.

use crate::answer::{column, starts, table};
use crate::errors::{QueryFailure, of_query};
use crate::fork::on_threads;
use crate::model::Model;
use crate::subject::Subject;
use glam::DVec3;
use nearhit::shape::ShapeHit;
use nearhit::{Distance, Location, QueryError, Ray, RayHit, Scratch};
use numpy::{PyArray1, PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(inside, module)?)?;
    module.add_function(wrap_pyfunction!(closest_points, module)?)?;
    module.add_function(wrap_pyfunction!(signed_distances, module)?)?;
    module.add_function(wrap_pyfunction!(nearest_triangles, module)?)?;
    module.add_function(wrap_pyfunction!(first_hits, module)?)?;
    module.add_function(wrap_pyfunction!(all_hits, module)?)
}

type Points<'py> = PyReadonlyArray2<'py, f64>;
type Numbers<'py> = Bound<'py, PyArray1<f64>>;
type Rows<'py> = Bound<'py, PyArray2<f64>>;
type Indices<'py> = Bound<'py, PyArray1<i64>>;

/// One conversion pass; the caller has made it an array of doubles.
fn vectors(array: &Points<'_>, name: &str) -> PyResult<Vec<DVec3>> {
    match array.shape() {
        [_, 3] => Ok(array.as_array().rows().into_iter().map(|row| DVec3::new(row[0], row[1], row[2])).collect()),
        shape => Err(PyValueError::new_err(format!("{name} must have the shape (n, 3), not {shape:?}"))),
    }
}

/// Signed distances of a shape.
fn of_shape(py: Python<'_>, shape: &nearhit::shape::Shape, points: &[DVec3]) -> PyResult<Vec<Distance>> {
    let found = py.detach(|| {
        let mut scratch = Scratch::new();
        let each = |(index, &point): (usize, &DVec3)| {
            shape.signed_distance(point, &mut scratch).map_err(|error| match error {
                QueryError::BadPoint { axis, value, .. } => QueryError::BadPoint { index, axis, value },
                other => other,
            })
        };
        points.iter().enumerate().map(each).collect::<Result<Vec<_>, _>>()
    });
    found.map_err(of_query)
}

/// `(place, winding)`: 0 outside, 1 on the surface, 2 inside; the winding number is NaN on the
/// surface.
#[pyfunction]
fn inside<'py>(
    py: Python<'py>,
    model: Subject,
    points: Points<'py>,
) -> PyResult<(Bound<'py, PyArray1<u8>>, Numbers<'py>, &'static str)> {
    let points = vectors(&points, "points")?;
    let model = match &model {
        Subject::Model(model) => model.get(),
        Subject::Shape(_) => {
            let found = of_shape(py, &model.shape(), &points)?;
            let place = |one: &Distance| if one.lower > 0.0 { 0 } else { 1 + u8::from(one.upper < 0.0) };
            let winding = |one: &Distance| [0.0, f64::NAN, 1.0][usize::from(place(one))];
            return Ok((column(py, found.iter().map(place)), column(py, found.iter().map(winding)), "exact"));
        }
    };
    let (found, method) =
        on_threads(py, || (model.native.contains_each(&points), model.native.inside_method().into()))?;
    let found = found.map_err(of_query)?;
    let place = |place| match place {
        Location::Outside => 0,
        Location::Surface => 1,
        Location::Inside => 2,
    };
    let places = column(py, found.iter().map(|one| place(one.location)));
    Ok((places, column(py, found.iter().map(|one| one.winding.unwrap_or(f64::NAN))), method))
}

type Closest<'py> = (Rows<'py>, Numbers<'py>, Indices<'py>);

/// Of a shape: there are no triangles.
fn closest<'py>(py: Python<'py>, found: &[Distance], distance: impl Fn(&Distance) -> f64) -> Closest<'py> {
    (
        table(py, found.iter().map(|one| one.on_a.to_array())),
        column(py, found.iter().map(distance)),
        column(py, found.iter().map(|_| -1)),
    )
}

#[pyfunction]
fn closest_points<'py>(py: Python<'py>, model: Subject, points: Points<'py>) -> PyResult<Closest<'py>> {
    let points = vectors(&points, "points")?;
    let model = match &model {
        Subject::Model(model) => model.get(),
        Subject::Shape(_) => {
            let found = of_shape(py, &model.shape(), &points)?;
            return Ok(closest(py, &found, |one| if one.upper < 0.0 { -one.lower } else { one.upper }));
        }
    };
    let found = on_threads(py, || model.native.closest_point_each(&points))?.map_err(of_query)?;
    Ok((
        table(py, found.iter().map(|one| one.point.to_array())),
        column(py, found.iter().map(|one| one.distance)),
        column(py, found.iter().map(|one| i64::from(one.triangle))),
    ))
}

#[pyfunction]
fn signed_distances<'py>(py: Python<'py>, model: Subject, points: Points<'py>) -> PyResult<Closest<'py>> {
    let points = vectors(&points, "points")?;
    let model = match &model {
        Subject::Model(model) => model.get(),
        Subject::Shape(_) => return Ok(closest(py, &of_shape(py, &model.shape(), &points)?, |one| one.upper)),
    };
    let found = on_threads(py, || model.native.signed_distance_each(&points))?.map_err(of_query)?;
    Ok((
        table(py, found.iter().map(|one| one.closest.point.to_array())),
        column(py, found.iter().map(|one| one.distance)),
        column(py, found.iter().map(|one| i64::from(one.closest.triangle))),
    ))
}

/// Of all points, one after the other: `(triangles, distances, starts)`.
#[pyfunction]
fn nearest_triangles<'py>(
    py: Python<'py>,
    model: &Model,
    points: Points<'py>,
    count: usize,
) -> PyResult<(Indices<'py>, Numbers<'py>, Indices<'py>)> {
    let points = vectors(&points, "points")?;
    let found = on_threads(py, || model.native.nearest_triangles_each(&points, count))?.map_err(of_query)?;
    Ok((
        column(py, found.iter().flatten().map(|near| i64::from(near.triangle))),
        column(py, found.iter().flatten().map(|near| near.distance)),
        column(py, starts(found.iter().map(Vec::len))),
    ))
}

fn rays(origins: &Points<'_>, directions: &Points<'_>) -> PyResult<Vec<Ray>> {
    let (origins, directions) = (vectors(origins, "origins")?, vectors(directions, "directions")?);
    if origins.len() != directions.len() {
        let message = format!("there are {} origins, but {} directions", origins.len(), directions.len());
        return Err(PyValueError::new_err(message));
    }
    let ray = |(index, (origin, direction))| {
        Ray::new(origin, direction).map_err(|error| QueryFailure { index, error }.into_error())
    };
    origins.into_iter().zip(directions).enumerate().map(ray).collect()
}

/// `(triangles, distances, points)`: -1, infinity and NaN where nothing is hit.
#[pyfunction]
fn first_hits<'py>(
    py: Python<'py>,
    model: Subject,
    origins: Points<'py>,
    directions: Points<'py>,
) -> PyResult<(Indices<'py>, Numbers<'py>, Rows<'py>)> {
    let rays = rays(&origins, &directions)?;
    let model = match &model {
        Subject::Model(model) => model.get(),
        Subject::Shape(_) => {
            let (shape, mut scratch) = (model.shape(), Scratch::new());
            let found: Vec<Option<ShapeHit>> =
                py.detach(|| rays.iter().map(|ray| shape.first_hit(ray, &mut scratch)).collect());
            return Ok((
                column(py, found.iter().map(|_| -1)),
                column(py, found.iter().map(|hit| hit.map_or(f64::INFINITY, |hit| hit.distance.lower))),
                table(py, found.iter().map(|hit| hit.map_or([f64::NAN; 3], |hit| hit.point.to_array()))),
            ));
        }
    };
    let found = on_threads(py, || model.native.first_hit_each(&rays))?;
    Ok((
        column(py, found.iter().map(|hit| hit.map_or(-1, |hit| i64::from(hit.triangle)))),
        column(py, found.iter().map(|hit| hit.map_or(f64::INFINITY, |hit| hit.distance))),
        table(py, found.iter().map(|hit| hit.map_or([f64::NAN; 3], |hit| hit.point.to_array()))),
    ))
}

/// The hits of all rays, one after the other: `(triangles, distances, points, starts)`.
#[pyfunction]
fn all_hits<'py>(
    py: Python<'py>,
    model: &Model,
    origins: Points<'py>,
    directions: Points<'py>,
) -> PyResult<(Indices<'py>, Numbers<'py>, Rows<'py>, Indices<'py>)> {
    let rays = rays(&origins, &directions)?;
    let found: Vec<Vec<RayHit>> = on_threads(py, || model.native.all_hits_each(&rays))?;
    let hits: Vec<RayHit> = found.iter().flatten().copied().collect();
    Ok((
        column(py, hits.iter().map(|hit| i64::from(hit.triangle))),
        column(py, hits.iter().map(|hit| hit.distance)),
        table(py, hits.iter().map(|hit| hit.point.to_array())),
        column(py, starts(found.iter().map(Vec::len))),
    ))
}
