//! Contacts of many pairs of meshes in one call: where, which way out and how deep. What is known
//! of a pair stays known as long as anyone holds it.

use crate::answer::{column, starts, table};
use crate::errors::of_query;
use crate::placed::{LazyHull, Placed};
use crate::query::with_scratch;
use crate::watch::{Watched, watched};
use glam::DVec3;
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Pair, Pose, QueryError, Scratch, Settings, TrianglePair};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Touched>()
}

/// Two meshes that touch where they are, and the triangles that do: none if one is inside the
/// other.
pub(crate) struct Touch {
    shapes: [Shape; 2],
    poses: [Pose; 2],
    hulls: Option<[LazyHull; 2]>,
    pairs: Vec<TrianglePair>,
    ways: OnceLock<Vec<Way>>,
    middles: OnceLock<Vec<[f64; 3]>>,
}

/// The way out for the second, of length one, and how long it is.
type Way = (DVec3, f64);

impl Touch {
    pub(crate) fn new([a, b]: [&Placed; 2], pairs: Vec<TrianglePair>) -> Self {
        Self {
            shapes: [a, b].map(|body| body.shape.clone()),
            poses: [a.pose, b.pose],
            hulls: a.hull.clone().zip(b.hull.clone()).map(|(a, b)| [a, b]),
            pairs,
            ways: OnceLock::new(),
            middles: OnceLock::new(),
        }
    }

    fn pair(&self) -> Result<Option<Pair<'_>>, QueryError> {
        let [a, b] = &self.shapes;
        let (Some(model_a), Some(model_b)) = (a.model(), b.model()) else { return Ok(None) };
        Pair::new(model_a, &self.poses[0], model_b, &self.poses[1]).map(Some)
    }

    /// Of each contact, in the world.
    fn ways(&self, scratch: &mut Scratch) -> Result<Vec<Way>, QueryError> {
        let Some(pair) = self.pair()? else { return Ok(Vec::new()) };
        let turn = self.poses[0].rotation();
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
            self.poses[0].apply(points.iter().sum::<DVec3>() / points.len().max(1) as f64).to_array()
        };
        Ok(self.pairs.iter().map(middle).collect())
    }

    /// Of convex solids all contacts are one: the way out, and how long it is.
    fn convex(&self, scratch: &mut Scratch) -> Result<Option<Way>, QueryError> {
        let Some([a, b]) = &self.hulls else { return Ok(None) };
        let (Some(a), Some(b)) = (a.get(&self.shapes[0]), b.get(&self.shapes[1])) else { return Ok(None) };
        let hulls = ShapePair::new(a, &self.poses[0], b, &self.poses[1])?;
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

/// Pairs of meshes that touch, in order.
#[pyclass(frozen, module = "nearhit._native")]
pub(crate) struct Touched {
    indices: Vec<[i64; 2]>,
    touches: Vec<Arc<Touch>>,
}

/// So many triangles that touch are looked at where the caller is.
const FEW: usize = 200;

impl Touched {
    pub(crate) fn new(indices: Vec<[i64; 2]>, touches: Vec<Arc<Touch>>) -> Self {
        Self { indices, touches }
    }

    /// Finds out what is not known yet, on all cores unless there is little to do.
    fn learn<T: Send + Sync>(
        &self,
        py: Python<'_>,
        of: impl Fn(&Touch) -> &OnceLock<T> + Sync,
        ask: impl Fn(&Touch, &mut Scratch) -> Result<T, QueryError> + Sync,
    ) -> PyResult<()> {
        let todo: Vec<&Touch> =
            self.touches.iter().map(|touch| &**touch).filter(|touch| of(touch).get().is_none()).collect();
        let cancel = AtomicBool::new(false);
        let one = |scratch: &mut Scratch, touch: &&Touch| -> Result<(), QueryError> {
            if !cancel.load(Ordering::Relaxed) {
                // Another thread may have been quicker, with the same.
                _ = of(touch).set(ask(touch, scratch)?);
            }
            Ok(())
        };
        let found: Result<(), QueryError> = if todo.iter().map(|touch| touch.pairs.len()).sum::<usize>() <= FEW {
            py.detach(|| with_scratch(|scratch| todo.iter().try_for_each(|touch| one(scratch, touch))))
        } else {
            let task = || todo.par_iter().map_init(Scratch::new, one).collect();
            let Watched { result, interrupted } = watched(py, None, &cancel, |py| py.check_signals(), task)?;
            interrupted.map_or(Ok(()), Err)?;
            result
        };
        found.map_err(of_query)
    }
}

#[pymethods]
impl Touched {
    /// (n, 2): which of the bodies.
    #[getter]
    fn pairs<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        table(py, self.indices.iter().copied())
    }

    /// (n + 1,): where the triangles of each pair start. A pair without triangles: one is inside
    /// the other.
    #[getter]
    fn starts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        column(py, starts(self.touches.iter().map(|touch| touch.pairs.len())))
    }

    /// (m, 2): the triangles that touch.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        let all: Vec<TrianglePair> = self.touches.iter().flat_map(|touch| touch.pairs.iter().copied()).collect();
        table(py, all.into_iter().map(|pair| [pair.a.into(), pair.b.into()]))
    }

    /// Normals (m, 3) and depths (m,) of all contacts: the way out for the second, in the world,
    /// and how deep the contact is.
    #[allow(clippy::type_complexity)] // Two arrays.
    fn ways<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>)> {
        self.learn(py, |touch| &touch.ways, Touch::ways)?;
        let all: Vec<Way> = self.touches.iter().filter_map(|touch| touch.ways.get()).flatten().copied().collect();
        Ok((
            table(py, all.iter().map(|(normal, _)| normal.to_array())),
            column(py, all.iter().map(|(_, depth)| *depth)),
        ))
    }

    /// (m, 3): the middles of what the triangles of all contacts share, in the world.
    fn middles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.learn(py, |touch| &touch.middles, |touch, _| touch.middles())?;
        let all: Vec<[f64; 3]> =
            self.touches.iter().filter_map(|touch| touch.middles.get()).flatten().copied().collect();
        Ok(table(py, all.into_iter()))
    }
}
