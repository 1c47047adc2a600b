//! All instants of contact of a scene whose bodies move: which touch, and from when to when.

use crate::answer::table;
use crate::scene_told::{Names, names, refused};
use nearhit::Pose;
use nearhit::research::motion::meetings;
use nearhit::scene::{BodyId, Motion, Scene, SceneError};
use pyo3::prelude::*;

/// Two parts, from when to when they touch, and until when that is known.
type Told = (Names, Names, Vec<[f64; 2]>, f64);

/// The motions of bodies from where they are to these poses.
pub(crate) fn motions(scene: &Scene, ends: Vec<(&str, Pose)>) -> Result<Vec<(BodyId, Motion)>, SceneError> {
    let motion = |(name, end): (&str, Pose)| {
        let body = scene.find(name)?;
        Ok((body, Motion::linear(scene.body(body)?.pose, end)))
    };
    ends.into_iter().map(motion).collect()
}

/// Without the interpreter's lock.
pub(crate) fn found(scene: &mut Scene, ends: Vec<(&str, Pose)>, tolerance: f64) -> Result<Vec<Told>, SceneError> {
    let motions = motions(scene, ends)?;
    let settled = scene.settle();
    let found = meetings(&settled, &motions, tolerance)?;
    let told = found.into_iter().map(|it| (names(&it.a), names(&it.b), it.contact.intervals, it.contact.known_until));
    Ok(told.collect())
}

/// As the package's named tuples.
pub(crate) fn told(py: Python<'_>, found: Result<Vec<Told>, SceneError>) -> PyResult<Vec<Bound<'_, PyAny>>> {
    let found = found.map_err(refused)?;
    let kind = py.import("nearhit._scene")?.getattr("Meeting")?;
    let one = |(a, b, intervals, known_until): Told| {
        kind.call1((a.0, b.0, table(py, intervals.into_iter()), a.1, b.1, known_until))
    };
    found.into_iter().map(one).collect()
}
