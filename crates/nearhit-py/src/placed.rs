//! A model or shape where it is, and the questions of two of them: what `nearhit.fcl` and
//! `nearhit.trimesh` ask. One call, few objects: made for many quick questions one by one.

use crate::answer::table;
use crate::errors::of_query;
use crate::once::Once;
use crate::poses::{Body, pose};
use crate::query::with_scratch;
use crate::subject::Subject;
use glam::DVec3;
use nearhit::shape::{Shape, ShapeContact, ShapePair};
use nearhit::{Pair, Pose, Scratch, Settings, Tolerance, TrianglePair, Verdict};
use numpy::{PyArray1, PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::sync::Arc;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Placed>()?;
    module.add_function(wrap_pyfunction!(placed_collide, module)?)?;
    module.add_function(wrap_pyfunction!(placed_touching, module)?)?;
    module.add_function(wrap_pyfunction!(placed_contacts, module)?)?;
    module.add_function(wrap_pyfunction!(placed_distance, module)?)?;
    module.add_function(wrap_pyfunction!(placed_penetration, module)?)?;
    module.add_function(wrap_pyfunction!(placed_deepest, module)?)?;
    module.add_function(wrap_pyfunction!(is_rigid, module)?)
}

/// A model or shape, where it is in the world, and a box around it there. Immutable.
#[pyclass(frozen, module = "nearhit._native")]
pub(crate) struct Placed {
    pub(crate) shape: Shape,
    pub(crate) pose: Pose,
    /// In its own frame: middle and half sizes. A half-space has none.
    own: Option<(DVec3, DVec3)>,
    pub(crate) bounds: Bounds,
    /// Is what is inside of it in contact with it?
    pub(crate) is_solid: bool,
    /// Of a convex solid mesh.
    pub(crate) hull: Option<LazyHull>,
}

/// A convex mesh without triangles, whose depth is quickly told; made when first asked for, once
/// for all places of the mesh.
#[derive(Clone)]
pub(crate) struct LazyHull(Arc<Once<Option<Shape>>>);

impl LazyHull {
    fn new() -> Self {
        Self(Arc::new(Once::new()))
    }

    /// Of that mesh, always the same one; none of what has no hull.
    pub(crate) fn get(&self, mesh: &Shape) -> Option<&Shape> {
        let made = self.0.get_or_make(|| {
            let corners: Vec<[f64; 3]> =
                mesh.model()?.mesh().vertices().iter().map(|vertex| vertex.to_array()).collect();
            Shape::hull(&corners).ok()
        });
        made.as_ref()
    }
}

/// A box in the world; infinite around a half-space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
}

impl Bounds {
    const ALL: Self = Self { low: DVec3::NEG_INFINITY, high: DVec3::INFINITY };

    /// A hair wider than what is computed: boxes only say which pairs are worth a question.
    fn around(own: Option<(DVec3, DVec3)>, pose: &Pose) -> Self {
        let Some((middle, half)) = own else { return Self::ALL };
        let (center, turn) = (pose.apply(middle), pose.rotation());
        let reach = turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
        let size = center.abs().max_element() + middle.abs().max_element() + half.max_element();
        let reach = reach + DVec3::splat(1e-12 * size + f64::MIN_POSITIVE);
        Self { low: center - reach, high: center + reach }
    }

    /// Points of the two are at least this far apart.
    pub(crate) fn gap(&self, other: &Self) -> f64 {
        (self.low - other.high).max(other.low - self.high).max(DVec3::ZERO).length()
    }

    /// The shortest translation along an axis that takes one out of the other; zero if they are
    /// apart. What is within the boxes needs no longer one.
    pub(crate) fn overlap(&self, other: &Self) -> f64 {
        (self.high - other.low).min(other.high - self.low).min_element().max(0.0)
    }
}

impl Placed {
    fn new(shape: Shape, pose: Pose, is_solid: bool, hull: Option<LazyHull>) -> Self {
        let own = shape.bounds().map(|(low, high)| (low * 0.5 + high * 0.5, high * 0.5 - low * 0.5));
        Self { bounds: Bounds::around(own, &pose), own, shape, pose, is_solid, hull }
    }

    fn at(&self, pose: Pose) -> Self {
        let (is_solid, hull) = (self.is_solid, self.hull.clone());
        Self { shape: self.shape.clone(), own: self.own, bounds: Bounds::around(self.own, &pose), pose, is_solid, hull }
    }

    pub(crate) fn is_mesh(&self) -> bool {
        self.shape.model().is_some()
    }

    /// No point is farther than this from the origin of its frame; none of a half-space.
    pub(crate) fn reach(&self) -> Option<f64> {
        self.own.map(|(middle, half)| (middle.abs() + half).length())
    }

    pub(crate) fn pair<'p>(&'p self, other: &'p Self) -> PyResult<ShapePair<'p>> {
        ShapePair::new(&self.shape, &self.pose, &other.shape, &other.pose).map_err(of_query)
    }
}

#[pymethods]
impl Placed {
    /// `solid`: what is inside of a model touches it; and if it is `convex`, it is its own hull.
    /// Shapes always are solids.
    #[new]
    #[pyo3(signature = (subject, pose = None, solid = false, convex = false))]
    fn made(subject: Subject, pose: Option<&Bound<'_, PyAny>>, solid: bool, convex: bool) -> PyResult<Self> {
        let shape = match &subject {
            Subject::Model(model) if solid => Shape::solid(model.get().native.clone()),
            _ => subject.shape(),
        };
        let is_solid = solid || matches!(subject, Subject::Shape(_));
        let hull = (solid && convex && shape.model().is_some()).then(LazyHull::new);
        Ok(Self::new(shape, self::pose(pose, Body::A)?, is_solid, hull))
    }

    /// The same somewhere else.
    fn moved(&self, pose: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(self.at(self::pose(Some(pose), Body::A)?))
    }

    /// (2, 3): the lowest and the highest corner of a box around it in the world.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        table(py, [self.bounds.low.to_array(), self.bounds.high.to_array()].into_iter())
    }

    /// Has it triangles?
    #[getter]
    fn has_triangles(&self) -> bool {
        self.is_mesh()
    }
}

/// Do they touch?
#[pyfunction]
fn placed_collide(py: Python<'_>, a: &Placed, b: &Placed) -> PyResult<bool> {
    if a.bounds.gap(&b.bounds) > 0.0 {
        return Ok(false);
    }
    let pair = a.pair(b)?;
    let ask = |scratch: &mut Scratch| pair.collide(&Settings::default(), scratch).verdict == Verdict::Yes;
    Ok(py.detach(|| with_scratch(ask)))
}

/// Triangles, -1 for a shape.
fn sides(a: &Placed, b: &Placed, pieces: TrianglePair) -> [i64; 2] {
    [if a.is_mesh() { pieces.a.into() } else { -1 }, if b.is_mesh() { pieces.b.into() } else { -1 }]
}

/// (n, 2): at most `most` pairs of triangles that touch, -1 for a shape. One is found quickly.
#[pyfunction]
fn placed_touching<'py>(py: Python<'py>, a: &Placed, b: &Placed, most: usize) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let pair = a.pair(b)?;
    let ask = |scratch: &mut Scratch| -> Vec<TrianglePair> {
        let settings = Settings::default();
        if most <= 1 || !(a.is_mesh() || b.is_mesh()) {
            let found = pair.collide(&settings, scratch);
            return (found.verdict == Verdict::Yes).then_some(found.witness).flatten().into_iter().collect();
        }
        match surfaces(a, b) {
            Some(surfaces) => surfaces.contacts(&settings, scratch).pairs.to_vec(),
            None => pair.contacts(&settings, scratch).contacts.iter().map(|contact| contact.pieces).collect(),
        }
    };
    let mut found = py.detach(|| with_scratch(ask));
    found.truncate(most);
    Ok(table(py, found.into_iter().map(|pieces| sides(a, b, pieces))))
}

/// As a pair of surfaces, if both are meshes without margins.
fn surfaces<'p>(a: &'p Placed, b: &'p Placed) -> Option<Pair<'p>> {
    let (model_a, model_b) = (a.shape.model()?, b.shape.model()?);
    Pair::new(model_a, &a.pose, model_b, &b.pose).ok()
}

type Contacts<'py> =
    (Bound<'py, PyArray2<i64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>);

/// At most `most` contacts, in the world: triangles (n, 2), normals (n, 3) from a to b, points
/// (n, 3) and depths (n,).
#[pyfunction]
fn placed_contacts<'py>(py: Python<'py>, a: &Placed, b: &Placed, most: usize) -> PyResult<Contacts<'py>> {
    let pair = a.pair(b)?;
    let ask = |scratch: &mut Scratch| pair.contacts(&Settings::default(), scratch).contacts;
    let mut found = py.detach(|| with_scratch(ask));
    found.truncate(most);
    let turn = a.pose.rotation();
    let each = || found.iter();
    let depth = |contact: &ShapeContact| contact.depth.upper;
    Ok((
        table(py, each().map(|contact| sides(a, b, contact.pieces))),
        table(py, each().map(|contact| (turn * contact.normal).to_array())),
        table(py, each().map(|contact| a.pose.apply(contact.point).to_array())),
        crate::answer::column(py, each().map(depth)),
    ))
}

type Gap<'py> = (f64, f64, Bound<'py, PyArray2<f64>>, [i64; 2]);

/// Bounds of the distance, nearest points (2, 3) in the world, triangles. None if it is more than
/// `limit`.
#[pyfunction]
#[pyo3(signature = (a, b, limit = f64::INFINITY))]
fn placed_distance<'py>(py: Python<'py>, a: &Placed, b: &Placed, limit: f64) -> PyResult<Option<Gap<'py>>> {
    if a.bounds.gap(&b.bounds) > limit {
        return Ok(None);
    }
    let pair = a.pair(b)?;
    let ask = |scratch: &mut Scratch| {
        let settings = Settings::default();
        let is_far = limit < f64::INFINITY && pair.within(limit, &settings, scratch).verdict == Verdict::No;
        (!is_far).then(|| pair.distance(Tolerance::EXACT, &settings, scratch))
    };
    let found = py.detach(|| with_scratch(ask));
    Ok(found.map(|found| {
        let points = [found.on_a, found.on_b].map(|point| a.pose.apply(point).to_array());
        (found.lower, found.upper, table(py, points.into_iter()), sides(a, b, found.witness))
    }))
}

type Overlap<'py> = (f64, f64, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>);

/// Bounds of the depth, the normal (3,) from a to b and the deepest points (2, 3), in the world.
/// None for a mesh.
#[pyfunction]
fn placed_penetration<'py>(py: Python<'py>, a: &Placed, b: &Placed) -> PyResult<Option<Overlap<'py>>> {
    let pair = a.pair(b)?;
    let found = py.detach(|| with_scratch(|scratch| pair.penetration(scratch)));
    Ok(found.map(|found| {
        let points = [found.on_a, found.on_b].map(|point| a.pose.apply(point).to_array());
        let normal = (a.pose.rotation() * found.normal).to_array();
        let normal = crate::answer::column(py, normal.into_iter());
        (found.depth.lower, found.depth.upper, normal, table(py, points.into_iter()))
    }))
}

/// Of two convex solid meshes: their triangles nearest to the deepest points, and these (2, 3), in
/// the world. None of others.
#[pyfunction]
#[allow(clippy::type_complexity)] // Triangles and points.
fn placed_deepest<'py>(
    py: Python<'py>,
    a: &Placed,
    b: &Placed,
) -> PyResult<Option<((u32, u32), Bound<'py, PyArray2<f64>>)>> {
    let hull = |body: &'_ Placed| Some((body.hull.clone()?, body.shape.model()?.clone()));
    let (Some((of_a, model_a)), Some((of_b, model_b))) = (hull(a), hull(b)) else { return Ok(None) };
    let found = py.detach(|| -> Result<_, nearhit::QueryError> {
        let (Some(hull_a), Some(hull_b)) = (of_a.get(&a.shape), of_b.get(&b.shape)) else { return Ok(None) };
        let pair = ShapePair::new(hull_a, &a.pose, hull_b, &b.pose)?;
        with_scratch(|scratch| {
            let Some(found) = pair.penetration(scratch) else { return Ok(None) };
            let points = [found.on_a, found.on_b].map(|point| a.pose.apply(point));
            let on_a = model_a.closest_point(a.pose.inverse().apply(points[0]), scratch)?;
            let on_b = model_b.closest_point(b.pose.inverse().apply(points[1]), scratch)?;
            Ok(Some((on_a.triangle, on_b.triangle, points)))
        })
    });
    let told = |(of_a, of_b, points): (u32, u32, [DVec3; 2])| {
        ((of_a, of_b), table(py, points.into_iter().map(|point| point.to_array())))
    };
    Ok(found.map_err(of_query)?.map(told))
}

/// Does a (4, 4) matrix turn and move only: does it neither scale nor mirror?
#[pyfunction]
fn is_rigid(matrix: PyReadonlyArray2<'_, f64>) -> bool {
    if matrix.shape() != [4, 4] {
        return false;
    }
    let array = matrix.as_array();
    let row = |index: usize| DVec3::new(array[[index, 0]], array[[index, 1]], array[[index, 2]]);
    let rows = [row(0), row(1), row(2)];
    let off = |i: usize, j: usize| (rows[i].dot(rows[j]) - f64::from(u8::from(i == j))).abs() < 1e-6;
    (0..3).all(|i| (i..3).all(|j| off(i, j))) && rows[0].cross(rows[1]).dot(rows[2]) > 0.0
}
