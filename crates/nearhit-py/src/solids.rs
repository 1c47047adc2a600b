//! The questions about solids: containment is contact, distance has a sign, and there is a way out.

use crate::answers::{Either, Numbers, Triangles, Work, Works, column, pair_of, starts, table, verdict, work, works};
use crate::ask::{Asked, How, Placed, Poses};
use crate::model::Model;
use nearhit::{ContactRegion, Pair, QueryError, Side, SolidContact, Stats, Tolerance, TranslationalDepth};
use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(solid_collide, module)?)?;
    module.add_function(wrap_pyfunction!(solid_within, module)?)?;
    module.add_function(wrap_pyfunction!(solid_distance, module)?)?;
    module.add_function(wrap_pyfunction!(translational_depth, module)?)?;
    module.add_function(wrap_pyfunction!(contact_regions, module)?)
}

/// Makes what tells inside from outside before any thread asks for it: it is made on several threads itself.
fn prepare(py: Python<'_>, a: &Model, b: &Model) {
    py.detach(|| _ = (a.native.inside(), b.native.inside()));
}

/// 0 for a, 1 for b, -1 for neither.
fn contained(contact: Option<SolidContact>) -> i8 {
    match contact {
        Some(SolidContact::Contained { body: Side::A, .. }) => 0,
        Some(SolidContact::Contained { body: Side::B, .. }) => 1,
        _ => -1,
    }
}

/// Verdict, triangles, which is contained, work.
type One = (i8, [i64; 2], i8, Work);
type Many<'py> = (Bound<'py, PyArray1<i8>>, Triangles<'py>, Bound<'py, PyArray1<i8>>, Works<'py>);

/// What one pose gave.
struct Found {
    verdict: i8,
    triangles: [i64; 2],
    contained: i8,
    stats: Stats,
}

fn told<'py>(py: Python<'py>, asked: Asked<Found>) -> Either<One, Many<'py>> {
    match asked {
        Asked::One(one) => Either::One((one.verdict, one.triangles, one.contained, work(&one.stats))),
        Asked::Many(many) => Either::Many((
            column(py, many.iter().map(|one| one.verdict)),
            table(py, many.iter().map(|one| one.triangles)),
            column(py, many.iter().map(|one| one.contained)),
            works(py, many.iter().map(|one| one.stats)),
        )),
    }
}

#[pyfunction]
fn solid_collide<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
) -> PyResult<Either<One, Many<'py>>> {
    prepare(py, a, b);
    let placed = Placed::new(a, b, &poses_a, &poses_b)?;
    let asked = placed.ask(py, &how, |pair, settings, scratch| {
        let found = pair.solid().collide(settings, scratch);
        let witness = match found.contact {
            Some(SolidContact::Surfaces(pair)) => Some(pair),
            _ => None,
        };
        let (triangles, contained) = (pair_of(witness), contained(found.contact));
        let found = Found { verdict: verdict(found.verdict), triangles, contained, stats: found.stats };
        (found, witness.map(nearhit::Seed))
    })?;
    Ok(told(py, asked))
}

#[pyfunction]
fn solid_within<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
    limit: f64,
) -> PyResult<Either<One, Many<'py>>> {
    prepare(py, a, b);
    let placed = Placed::new(a, b, &poses_a, &poses_b)?;
    let asked = placed.ask(py, &how, |pair, settings, scratch| {
        let found = pair.solid().within(limit, settings, scratch);
        let contained = contained(found.contained);
        (Found { verdict: verdict(found.verdict), triangles: [-1; 2], contained, stats: found.stats }, None)
    })?;
    Ok(told(py, asked))
}

type OneDistance<'py> = (f64, f64, [i64; 2], Bound<'py, PyArray2<f64>>, bool, Work);
type Distances<'py> =
    (Numbers<'py>, Numbers<'py>, Triangles<'py>, Bound<'py, PyArray3<f64>>, Bound<'py, PyArray1<bool>>, Works<'py>);

#[pyfunction]
#[allow(clippy::too_many_arguments)] // As typed in Python.
fn solid_distance<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
    relative: f64,
    absolute: f64,
) -> PyResult<Either<OneDistance<'py>, Distances<'py>>> {
    prepare(py, a, b);
    let placed = Placed::new(a, b, &poses_a, &poses_b)?;
    let tolerance = Tolerance::new(relative, absolute);
    let asked =
        placed.ask(py, &how, |pair, settings, scratch| (pair.solid().distance(tolerance, settings, scratch), None))?;
    let points = |index: usize, one: &nearhit::SolidDistance| {
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
            one.is_complete(),
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
                column(py, many.iter().map(|one| one.is_complete())),
                works(py, many.iter().map(|one| one.stats)),
            ))
        }
    })
}

/// Lower, upper, translations in the world, whether both are convex, work: of one pose or of many.
type Depths<'py> = (Numbers<'py>, Numbers<'py>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<bool>>, Works<'py>);

#[pyfunction]
fn translational_depth<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
) -> PyResult<Depths<'py>> {
    prepare(py, a, b);
    let placed = Placed::new(a, b, &poses_a, &poses_b)?;
    let asked =
        placed.ask(py, &how, |pair, settings, scratch| (pair.solid().translational_depth(settings, scratch), None))?;
    let many: Vec<TranslationalDepth> = asked
        .into_vec()
        .into_iter()
        .collect::<Result<_, QueryError>>()
        .map_err(|error| crate::errors::Refusal::Query(error).into_error(None))?;
    let direction = |(index, one): (usize, &TranslationalDepth)| placed.world_direction(index, one.translation);
    Ok((
        column(py, many.iter().map(|one| one.lower)),
        column(py, many.iter().map(|one| one.upper)),
        table(py, many.iter().enumerate().map(direction)),
        column(py, many.iter().map(|one| one.is_convex)),
        works(py, many.iter().map(|one| one.stats)),
    ))
}

/// One region after the other: `(normals, depths, points on a and b, depths of points, starts of points, pairs, starts of pairs, starts of poses, complete, work)`.
type Regions<'py> = (
    Bound<'py, PyArray2<f64>>,
    Numbers<'py>,
    Bound<'py, PyArray2<f64>>,
    Numbers<'py>,
    Starts<'py>,
    Triangles<'py>,
    Starts<'py>,
    Starts<'py>,
    Bound<'py, PyArray1<bool>>,
    Works<'py>,
);
type Starts<'py> = Bound<'py, PyArray1<i64>>;

struct Listed {
    regions: Vec<ContactRegion>,
    complete: bool,
    stats: Stats,
}

#[pyfunction]
fn contact_regions<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    poses_a: Poses<'py>,
    poses_b: Poses<'py>,
    how: How<'py>,
    most_points: usize,
) -> PyResult<Regions<'py>> {
    prepare(py, a, b);
    let placed = Placed::new(a, b, &poses_a, &poses_b)?;
    let asked = placed.ask(py, &how, |pair: &Pair<'_>, settings, scratch| {
        let found = pair.solid().contact_regions(settings, scratch);
        (Listed { complete: found.is_complete(), regions: found.regions, stats: found.stats }, None)
    })?;
    let all = asked.into_vec();
    let (mut normals, mut depths, mut points, mut point_depths) = (vec![], vec![], vec![], vec![]);
    let (mut counts, mut pairs, mut pair_counts) = (vec![], vec![], vec![]);
    for (index, one) in all.iter().enumerate() {
        for region in &one.regions {
            normals.push(placed.world_direction(index, region.normal));
            depths.push(region.depth);
            let manifold = region.manifold(most_points);
            counts.push(manifold.len());
            for point in manifold {
                let mut both = [point.on_a.to_array(), point.on_b.to_array()];
                placed.world(index, &mut both);
                let [[x, y, z], [u, v, w]] = both;
                points.push([x, y, z, u, v, w]);
                point_depths.push(point.depth);
            }
            pair_counts.push(region.pairs.len());
            pairs.extend(region.pairs.iter().map(|&pair| pair_of(Some(pair))));
        }
    }
    Ok((
        table(py, normals.into_iter()),
        column(py, depths.into_iter()),
        table(py, points.into_iter()),
        column(py, point_depths.into_iter()),
        column(py, starts(counts.into_iter())),
        table(py, pairs.into_iter()),
        column(py, starts(pair_counts.into_iter())),
        column(py, starts(all.iter().map(|one| one.regions.len()))),
        column(py, all.iter().map(|one| one.complete)),
        works(py, all.iter().map(|one| one.stats)),
    ))
}
