//! Contacts of many pairs of meshes in one call: where, which way out and how deep.

use crate::answer::{column, table};
use crate::errors::of_query;
use crate::placed::Placed;
use crate::query::with_scratch;
use crate::watch::{Watched, watched};
use glam::DVec3;
use nearhit::shape::ShapePair;
use nearhit::{Pair, QueryError, Scratch, Settings, TrianglePair};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(placed_ways, module)?)?;
    module.add_function(wrap_pyfunction!(placed_middles, module)?)
}

/// One of a pair: where it is, and its hull if it is a convex solid.
type Side<'py> = (PyRef<'py, Placed>, Option<PyRef<'py, Placed>>);

/// Two meshes that touch, and the triangles that do.
struct Touch<'p> {
    placed: [&'p Placed; 2],
    hulls: Option<[&'p Placed; 2]>,
    pairs: Vec<TrianglePair>,
}

/// The way out for the second, of length one, and how long it is.
type Way = (DVec3, f64);

impl<'p> Touch<'p> {
    fn pair(&self) -> Result<Option<Pair<'p>>, QueryError> {
        let [a, b] = self.placed;
        let (Some(model_a), Some(model_b)) = (a.shape.model(), b.shape.model()) else { return Ok(None) };
        Pair::new(model_a, &a.pose, model_b, &b.pose).map(Some)
    }

    /// Of each contact, in the world.
    fn ways(&self, scratch: &mut Scratch) -> Result<Vec<Way>, QueryError> {
        let Some(pair) = self.pair()? else { return Ok(Vec::new()) };
        let turn = self.placed[0].pose.rotation();
        Ok(match self.convex(scratch)? {
            Some((normal, depth)) => vec![(turn * normal, depth); self.pairs.len()],
            None => self.by_region(&pair, scratch).into_iter().map(|(normal, depth)| (turn * normal, depth)).collect(),
        })
    }

    /// The middles of what the triangles share, in the world.
    fn middles(&self) -> Result<Vec<[f64; 3]>, QueryError> {
        let Some(pair) = self.pair()? else { return Ok(Vec::new()) };
        let middle = |&pieces: &TrianglePair| {
            let overlap = pair.overlap(pieces);
            let points = overlap.points();
            self.placed[0].pose.apply(points.iter().sum::<DVec3>() / points.len().max(1) as f64).to_array()
        };
        Ok(self.pairs.iter().map(middle).collect())
    }

    /// Of convex solids all contacts are one: the way out, and how long it is.
    fn convex(&self, scratch: &mut Scratch) -> Result<Option<Way>, QueryError> {
        let Some([a, b]) = self.hulls else { return Ok(None) };
        let hulls = ShapePair::new(&a.shape, &self.placed[0].pose, &b.shape, &self.placed[1].pose)?;
        let found = hulls.penetration(scratch).filter(|found| found.depth.upper > 0.0);
        Ok(found.map(|found| (found.normal, found.depth.upper)))
    }

    /// Of each pair of triangles that of the region of contact which it belongs to.
    fn by_region(&self, pair: &Pair<'_>, scratch: &mut Scratch) -> Vec<Way> {
        let found = pair.solid().contact_regions(&Settings::default(), scratch);
        let of = |(index, region): (usize, &nearhit::ContactRegion)| -> Vec<(TrianglePair, usize)> {
            region.pairs.iter().map(|&pieces| (pieces, index)).collect()
        };
        let mut regions: Vec<(TrianglePair, usize)> = found.regions.iter().enumerate().flat_map(of).collect();
        let order = |pieces: &TrianglePair| (pieces.a, pieces.b);
        regions.sort_unstable_by_key(|(pieces, _)| order(pieces));
        let way = |pieces: &TrianglePair| {
            let place = regions.binary_search_by_key(&order(pieces), |(pieces, _)| order(pieces));
            let region = place.ok().and_then(|place| found.regions.get(regions[place].1));
            // Every pair of triangles that touch belongs to a region.
            region.map_or((DVec3::ZERO, 0.0), |region| (region.normal, region.depth))
        };
        self.pairs.iter().map(way).collect()
    }
}

/// The triangles of each pair, if there are such.
fn read<'p>(
    sides: &'p [(Side<'_>, Side<'_>)],
    starts: &PyReadonlyArray1<'_, i64>,
    triangles: &PyReadonlyArray2<'_, i64>,
) -> PyResult<Vec<Touch<'p>>> {
    let (starts, rows) = (starts.as_slice()?, triangles.as_array());
    let wrong = || PyValueError::new_err("triangles are not those of the pairs");
    if starts.len() != sides.len() + 1 || rows.ncols() != 2 {
        return Err(wrong());
    }
    let place = |start: i64| usize::try_from(start).ok().filter(|&start| start <= rows.nrows()).ok_or_else(wrong);
    let mut touches = Vec::with_capacity(sides.len());
    for (((a, hull_a), (b, hull_b)), bounds) in sides.iter().zip(starts.windows(2)) {
        let counts = [a, b].map(|side| side.shape.model().map_or(0, |model| model.mesh().triangles().len()));
        let index = |value: i64, count: usize| {
            u32::try_from(value).ok().filter(|&index| (index as usize) < count).ok_or_else(wrong)
        };
        let pieces = (place(bounds[0])?..place(bounds[1])?)
            .map(|row| Ok(TrianglePair { a: index(rows[[row, 0]], counts[0])?, b: index(rows[[row, 1]], counts[1])? }));
        let hulls = hull_a.as_deref().zip(hull_b.as_deref()).map(|(a, b)| [a, b]);
        touches.push(Touch { placed: [a, b], hulls, pairs: pieces.collect::<PyResult<_>>()? });
    }
    Ok(touches)
}

/// So many triangles that touch are looked at where the caller is.
const FEW: usize = 200;

/// Asks about each pair, on all cores unless there is little to do.
fn each<'py, T: Send>(
    py: Python<'py>,
    pairs: &[(Side<'py>, Side<'py>)],
    starts: &PyReadonlyArray1<'py, i64>,
    triangles: &PyReadonlyArray2<'py, i64>,
    ask: impl Fn(&Touch<'_>, &mut Scratch) -> Result<Vec<T>, QueryError> + Sync,
) -> PyResult<Vec<T>> {
    let touches = read(pairs, starts, triangles)?;
    let found: Result<Vec<Vec<T>>, QueryError> = if triangles.as_array().nrows() <= FEW {
        py.detach(|| with_scratch(|scratch| touches.iter().map(|touch| ask(touch, scratch)).collect()))
    } else {
        let cancel = AtomicBool::new(false);
        let one = |scratch: &mut Scratch, touch: &Touch<'_>| {
            if cancel.load(Ordering::Relaxed) { Ok(Vec::new()) } else { ask(touch, scratch) }
        };
        let task = || touches.par_iter().map_init(Scratch::new, one).collect();
        let Watched { result, interrupted } = watched(py, None, &cancel, |py| py.check_signals(), task)?;
        interrupted.map_or(Ok(()), Err)?;
        result
    };
    Ok(found.map_err(of_query)?.into_iter().flatten().collect())
}

/// Normals (n, 3) and depths (n,) of all contacts of pairs of meshes: the way out for the second,
/// in the world, and how deep the contact is. `starts` says which of `triangles` (n, 2) are whose.
/// Each of a pair comes with its hull if it is a convex solid.
#[pyfunction]
#[allow(clippy::type_complexity)] // Two arrays.
fn placed_ways<'py>(
    py: Python<'py>,
    pairs: Vec<(Side<'py>, Side<'py>)>,
    starts: PyReadonlyArray1<'py, i64>,
    triangles: PyReadonlyArray2<'py, i64>,
) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>)> {
    let all = each(py, &pairs, &starts, &triangles, |touch, scratch| touch.ways(scratch))?;
    Ok((table(py, all.iter().map(|(normal, _)| normal.to_array())), column(py, all.iter().map(|(_, depth)| *depth))))
}

/// (n, 3): the middles of what the triangles of all contacts share, in the world. Arguments as
/// those of `placed_ways`.
#[pyfunction]
fn placed_middles<'py>(
    py: Python<'py>,
    pairs: Vec<(Side<'py>, Side<'py>)>,
    starts: PyReadonlyArray1<'py, i64>,
    triangles: PyReadonlyArray2<'py, i64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    Ok(table(py, each(py, &pairs, &starts, &triangles, |touch, _| touch.middles())?.into_iter()))
}
