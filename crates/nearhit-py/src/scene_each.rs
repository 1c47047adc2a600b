//! A scene at many places of its bodies, one after the other: as if they were moved and asked about
//! by hand, in one call. Each question runs on all cores.

use crate::errors::{self, Refusal};
use crate::fork::on_threads;
use crate::poses::{Body, Poses, View};
use crate::scene_told::refused;
use nearhit::Pose;
use nearhit::scene::{BodyId, Scene, SceneError, Settled};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::Range;
use std::sync::MutexGuard;

/// Why there is no answer, and at which place.
enum Problem {
    Scene(SceneError),
    Pose(usize, Refusal),
}

impl From<SceneError> for Problem {
    fn from(error: SceneError) -> Self {
        Self::Scene(error)
    }
}

impl Problem {
    fn into_error(self) -> PyErr {
        match self {
            Self::Scene(error) => refused(error),
            Self::Pose(index, refusal) => refusal.into_error(Some(index)),
        }
    }
}

/// So many places are asked about before the scene is let go, and Ctrl-C heeded.
const SOME: usize = 256;

/// Asks at each of the places; `moves` has (k, 4, 4) poses by the names of bodies. Afterwards all
/// are where they were.
///
/// The scene is locked by the thread that asks, never by one of a pool: that might take up another
/// question about the same scene while it waits.
pub(crate) fn each<'s, T: Send>(
    py: Python<'_>,
    lock: impl Fn() -> MutexGuard<'s, Scene> + Send + Sync,
    moves: &Bound<'_, PyDict>,
    ask: impl Fn(&Settled<'_>) -> Result<T, SceneError> + Send + Sync,
) -> PyResult<Vec<T>> {
    let mut names: Vec<String> = Vec::new();
    let mut held = Vec::new();
    for (name, poses) in moves.iter() {
        names.push(name.extract()?);
        held.push(Poses::new(None, Some(&poses), Body::B)?.hold(py));
    }
    let views: Vec<View<'_>> = held.iter().map(|held| held.view()).collect();
    let count = views.first().and_then(View::count).unwrap_or(0);
    if views.iter().any(|view| view.count() != Some(count)) {
        return Err(PyValueError::new_err("give as many poses for each body"));
    }
    let (names, views) = (&names[..], &views[..]);
    let mut found = errors::room(count)?;
    for first in (0..count).step_by(SOME) {
        let places = first..count.min(first + SOME);
        let some = on_threads(py, || at_places(&mut lock(), names, views, places, &ask))?;
        found.extend(some.map_err(Problem::into_error)?);
        py.check_signals()?;
    }
    Ok(found)
}

fn at_places<T>(
    scene: &mut Scene,
    names: &[String],
    views: &[View<'_>],
    places: Range<usize>,
    ask: &impl Fn(&Settled<'_>) -> Result<T, SceneError>,
) -> Result<Vec<T>, Problem> {
    let mut bodies: Vec<(BodyId, Pose)> = Vec::with_capacity(names.len());
    for name in names {
        let id = scene.find(name)?;
        bodies.push((id, scene.body(id)?.pose));
    }
    let found = places.map(|index| at_place(scene, &bodies, views, index, ask)).collect();
    for (id, pose) in bodies {
        scene.set_pose(id, pose)?;
    }
    found
}

fn at_place<T>(
    scene: &mut Scene,
    bodies: &[(BodyId, Pose)],
    views: &[View<'_>],
    index: usize,
    ask: &impl Fn(&Settled<'_>) -> Result<T, SceneError>,
) -> Result<T, Problem> {
    for ((id, _), view) in bodies.iter().zip(views) {
        let pose = view.pose(index, Body::B).map_err(|refusal| Problem::Pose(index, refusal))?;
        scene.set_pose(*id, pose)?;
    }
    Ok(ask(&scene.settle())?)
}
