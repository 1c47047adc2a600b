//! What a scene found, as the named tuples of the package.

use crate::answer::table;
use crate::errors::SceneError;
use nearhit::scene::{FramePair, Gap, Member, Scene as Native, SceneError as Refused, Touching};
use nearhit::{Side, TrianglePair};
use numpy::PyArray1;
use pyo3::prelude::*;

/// Names of a body and of its part.
pub(crate) type Names = (String, String);

pub(crate) fn names(member: &Member<'_>) -> Names {
    (member.body.to_owned(), member.part.to_owned())
}

/// A named tuple of the package: names of the bodies, what was found, names of the parts.
pub(crate) fn told<'py, T>(py: Python<'py>, kind: &str, a: Names, b: Names, found: T) -> PyResult<Bound<'py, PyAny>>
where
    T: IntoPyObject<'py>,
{
    py.import("nearhit._scene")?.getattr(kind)?.call1((a.0, b.0, found, a.1, b.1))
}

/// The same of a contact, with which of the two is inside the other.
pub(crate) fn touching<'py, T>(
    py: Python<'py>,
    a: Names,
    b: Names,
    found: T,
    inside: Option<Side>,
    points: Option<&Points>,
) -> PyResult<Bound<'py, PyAny>>
where
    T: IntoPyObject<'py>,
{
    let inside = inside.map(|body| if body == Side::A { "a" } else { "b" });
    let rows = |of: fn(&Points) -> &Vec<[f64; 3]>| points.map(|points| table(py, of(points).iter().copied()));
    let depths = points.map(|points| PyArray1::from_slice(py, &points.depths));
    let (at, normals) = (rows(|points| &points.at), rows(|points| &points.normals));
    py.import("nearhit._scene")?.getattr("Touch")?.call1((a.0, b.0, found, a.1, b.1, inside, at, normals, depths))
}

/// Where two parts touch, which way out and how deep, in the world.
pub(crate) struct Points {
    at: Vec<[f64; 3]>,
    normals: Vec<[f64; 3]>,
    depths: Vec<f64>,
}

impl Points {
    /// None for two models.
    pub(crate) fn of(scene: &Native, hit: &Touching<'_>) -> Result<Option<Self>, Refused> {
        let world_from_a = scene.part(hit.a.id)?.world_from_part;
        Ok((!hit.points.is_empty()).then(|| Self {
            at: hit.points.iter().map(|contact| world_from_a.apply(contact.point).to_array()).collect(),
            normals: hit.points.iter().map(|contact| (world_from_a.rotation() * contact.normal).to_array()).collect(),
            depths: hit.points.iter().map(|contact| contact.depth.upper).collect(),
        }))
    }
}

/// The triangles of two parts, -1 for a shape.
pub(crate) fn pieces(scene: &Native, a: &Member<'_>, b: &Member<'_>, pair: TrianglePair) -> [i64; 2] {
    let is_mesh = |member: &Member<'_>| scene.part(member.id).is_ok_and(|part| part.shape.model().is_some());
    [(a, pair.a), (b, pair.b)].map(|(member, piece)| if is_mesh(member) { i64::from(piece) } else { -1 })
}

/// The fields of `FramePair`.
pub(crate) type Seen =
    (String, String, Option<bool>, (f64, f64), Option<(u32, u32)>, Option<&'static str>, String, String);

pub(crate) fn seen(pair: &FramePair<'_>) -> Seen {
    let (a, b) = (names(&pair.a), names(&pair.b));
    let inside = pair.inside.map(|body| if body == Side::A { "a" } else { "b" });
    let bounds = (pair.separation.lower, pair.separation.upper);
    let triangles = pair.witness.map(|pair| (pair.a, pair.b));
    (a.0, b.0, pair.verdict.known(), bounds, triangles, inside, a.1, b.1)
}

pub(crate) struct Measured {
    a: Names,
    b: Names,
    distance: f64,
    points: [[f64; 3]; 2],
    triangles: (i64, i64),
}

pub(crate) fn measured(scene: &Native, gap: &Gap<'_>) -> Result<Measured, Refused> {
    let (found, world_from_a) = (&gap.distance, scene.part(gap.a.id)?.world_from_part);
    let [of_a, of_b] = pieces(scene, &gap.a, &gap.b, found.witness);
    Ok(Measured {
        a: names(&gap.a),
        b: names(&gap.b),
        distance: found.upper,
        points: [found.on_a, found.on_b].map(|point| world_from_a.apply(point).to_array()),
        triangles: (of_a, of_b),
    })
}

impl Measured {
    pub(crate) fn told(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let found = (self.distance, table(py, self.points.into_iter()), self.triangles);
        told(py, "Gap", self.a, self.b, found)
    }
}

pub(crate) fn refused(error: Refused) -> PyErr {
    SceneError::new_err(error.to_string())
}
