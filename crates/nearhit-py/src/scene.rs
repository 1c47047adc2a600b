//! Many named bodies that move. Questions run without the interpreter's lock, on all cores.

use crate::answer::{column, table};
use crate::fork::on_threads;
use crate::model::Model;
use crate::poses::{Body, pose};
use crate::query::limit;
use crate::scene_each::each;
use crate::scene_meetings;
use crate::scene_told::{Points, measured, names, pieces, refused, seen, touching};
use crate::subject::Subject;
use nearhit::research::SceneExt;
use nearhit::research::broad::BroadKind;
use nearhit::scene::{BodySpec, Detector, Gap, Impact, PartId, Scene as Native, Settled, Shape, Touch, Touching, Who};
use nearhit::{Budget, Pose, TrianglePair, Verdict};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bodies by name, where they are, and which of them touch or are near.
///
/// A body is a model or a shape, or parts joined to one another (`add_parts`). Models are
/// surfaces unless they are said to be solids, all of them (`Scene(solid=True)`) or one (`add(...,
/// solid=True)`); shapes are solids. What is inside a solid is in contact with it. Two solid models
/// in contact have a distance below zero, minus the depth, and so have two shapes; a solid and a
/// surface, a model and a shape have no depth: in contact their distance is 0. `broad`, how near
/// ones are found, changes no answer: "tree", "sweep", "space-time" or "brute".
///
/// >>> import nearhit as nh
/// >>> plate = nh.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
/// >>> scene = nh.Scene()
/// >>> I = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
/// >>> for name, height in (("a", 0), ("b", 0), ("c", 2)):
/// ...     scene.add(name, plate, pose=(I, [0, 0, height]))
/// >>> [(hit.a, hit.b) for hit in scene.collisions()]
/// [('a', 'b')]
/// >>> scene.move("b", (I, [0, 0, 1.5]))
/// >>> scene.collisions(), scene.closest().distance
/// ([], 0.5)
/// >>> corners = [[-1, -1, -1], [3, -1, -1], [-1, 3, -1], [-1, -1, 3]]
/// >>> solid = nh.Model((corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))
/// >>> chip = nh.Model(([[0.1 * x for x in corner] for corner in corners], solid.faces))
/// >>> scene = nh.Scene(solid=True)
/// >>> scene.add("plate", solid)
/// >>> scene.add("chip", chip)
/// >>> scene.collisions()[0].inside, scene.closest().distance < -0.6
/// ('b', True)
/// >>> scene = nh.Scene()
/// >>> scene.add("floor", nh.HalfSpace([0, 0, 1], 0), fixed=True)
/// >>> scene.add("ball", nh.Ball(0.5), pose=(I, [0, 0, 2]))
/// >>> round(scene.closest().distance, 12), scene.first_contact({"ball": (I, [0, 0, -1])}).b
/// (1.5, 'ball')
#[pyclass(frozen, module = "nearhit", name = "Scene")]
pub(crate) struct Scene {
    native: Mutex<Native>,
    /// What budgeted questions remember.
    ///
    /// Apart: Python aligns objects less than working memory needs.
    detector: Mutex<Box<Detector>>,
}

/// Where bodies move to, by name.
fn ends<'m>(moves: &'m HashMap<String, Bound<'_, PyAny>>) -> PyResult<Vec<(&'m str, Pose)>> {
    let mut ends = Vec::new();
    for (name, end) in moves {
        ends.push((name.as_str(), pose(Some(end), Body::B)?));
    }
    ends.sort_by_key(|(name, _)| *name);
    Ok(ends)
}

impl Scene {
    fn lock(&self) -> MutexGuard<'_, Native> {
        // A question that ended badly has left the bodies where they are.
        self.native.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A body by its name, a part by both names, a group if there is no such body.
    fn who(native: &Native, name: &str, part: Option<&str>) -> Result<Who, nearhit::scene::SceneError> {
        match (native.find(name), part) {
            (Ok(body), Some(part)) => native.find_part(body, part).map(Who::Part),
            (Ok(body), None) => Ok(Who::Body(body)),
            (Err(error), Some(_)) => Err(error),
            (Err(_), None) => Ok(Who::Group(name.to_owned())),
        }
    }
}

/// A body or group, or a body and a part.
#[derive(FromPyObject)]
enum Named {
    Whole(String),
    Part(String, String),
}

impl Named {
    fn names(&self) -> (&str, Option<&str>) {
        match self {
            Self::Whole(name) => (name, None),
            Self::Part(name, part) => (name, Some(part)),
        }
    }
}

/// Name, model or shape, its parent, where.
type PartGiven<'py> = (String, Subject, Option<String>, Option<Bound<'py, PyAny>>);

#[pymethods]
impl Scene {
    #[new]
    #[pyo3(signature = (*, broad = "tree", solid = false))]
    fn new(broad: &str, solid: bool) -> PyResult<Self> {
        let known = [
            ("tree", BroadKind::Tree),
            ("sweep", BroadKind::Sweep),
            ("space-time", BroadKind::SpaceTime),
            ("brute", BroadKind::Brute),
        ];
        match known.iter().find(|(name, _)| *name == broad) {
            Some((_, kind)) => {
                let native = Native::with_broad_phase(*kind);
                let native = if solid { native.solid() } else { native };
                Ok(Self { native: Mutex::new(native), detector: Mutex::default() })
            }
            None => {
                let names = known.map(|(name, _)| name).join(", ");
                Err(PyValueError::new_err(format!("there is no broad phase '{broad}'; known: {names}")))
            }
        }
    }

    /// Puts a body in: a model or a shape. A `fixed` one is part of the environment, and not asked
    /// about against others such. `solid`: a model as a solid or as a surface, as the scene's are
    /// unless said.
    #[pyo3(signature = (name, model, *, pose = None, group = None, fixed = false, solid = None))]
    fn add(
        &self,
        name: String,
        model: Subject,
        pose: Option<&Bound<'_, PyAny>>,
        group: Option<String>,
        fixed: bool,
        solid: Option<bool>,
    ) -> PyResult<()> {
        let spec = BodySpec::rigid(name, model.shape()).at(self::pose(pose, Body::B)?);
        self.insert(spec, group, fixed, solid)
    }

    /// Puts a body of parts in: `(name, model or shape, name of its parent or None, pose relative
    /// to that)` each. A part and its parent are never tested against each other.
    #[pyo3(signature = (name, parts, *, pose = None, group = None, fixed = false, solid = None))]
    fn add_parts(
        &self,
        name: String,
        parts: Vec<PartGiven<'_>>,
        pose: Option<&Bound<'_, PyAny>>,
        group: Option<String>,
        fixed: bool,
        solid: Option<bool>,
    ) -> PyResult<()> {
        let mut spec = BodySpec::articulated(name).at(self::pose(pose, Body::B)?);
        for (part, model, parent, at) in parts {
            spec = spec.part(part, model.shape(), parent.as_deref(), self::pose(at.as_ref(), Body::B)?);
        }
        self.insert(spec, group, fixed, solid)
    }

    /// Takes a body out.
    fn remove(&self, name: &str) -> PyResult<()> {
        let mut native = self.lock();
        native.find(name).and_then(|body| native.remove(body)).map_err(refused)
    }

    /// Moves a body, or, with `part`, a part relative to its parent.
    #[pyo3(signature = (name, pose, *, part = None))]
    fn r#move(&self, name: &str, pose: &Bound<'_, PyAny>, part: Option<&str>) -> PyResult<()> {
        let pose = self::pose(Some(pose), Body::B)?;
        let mut native = self.lock();
        let body = native.find(name).map_err(refused)?;
        let moved = match part {
            None => native.set_pose(body, pose),
            Some(part) => native.find_part(body, part).and_then(|part| native.set_joint(part, pose)),
        };
        moved.map_err(refused)
    }

    /// Pairs of these two are not asked about from now on. Either is a body, a group, or `(body,
    /// part)`.
    fn allow(&self, a: Named, b: Named) -> PyResult<()> {
        let mut native = self.lock();
        let [a, b] = [a, b].map(|side| Self::who(&native, side.names().0, side.names().1));
        native.allow(a.map_err(refused)?, b.map_err(refused)?).map_err(refused)
    }

    /// Takes back what `allow` was told in the same words.
    fn forbid(&self, a: Named, b: Named) -> PyResult<()> {
        let mut native = self.lock();
        let [a, b] = [a, b].map(|side| Self::who(&native, side.names().0, side.names().1));
        native.forbid(a.map_err(refused)?, b.map_err(refused)?).map_err(refused)
    }

    /// Names of all bodies.
    #[getter]
    fn names(&self) -> PyResult<Vec<String>> {
        let native = self.lock();
        native.ids().map(|id| native.body(id).map(|body| body.name.to_string()).map_err(refused)).collect()
    }

    /// Names of body and part, corners and triangles in the world, of everything that has an end.
    #[allow(clippy::type_complexity)] // Rows.
    fn _surfaces<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, String, crate::picture::Surface<'py>)>> {
        let native = self.lock();
        let mut found = Vec::new();
        for id in native.ids() {
            let body = native.body(id).map_err(refused)?;
            for part in &body.parts {
                if let Some(surface) = crate::picture::placed(py, &part.shape, &part.world_from_part) {
                    found.push((body.name.to_string(), part.name.to_string(), surface));
                }
            }
        }
        Ok(found)
    }

    fn __len__(&self) -> usize {
        self.lock().len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.lock().find(name).is_ok()
    }

    /// All pairs of bodies in contact: those that touch and, of solids, those of which one is
    /// inside the other.
    fn collisions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let found = on_threads(py, || -> Result<Vec<_>, _> {
            let mut native = self.lock();
            let settled = native.settle();
            let found = settled.colliding()?.found;
            let of = |hit: &Touch<'_>| {
                let pair = |pair: TrianglePair| <(i64, i64)>::from(pieces(settled.scene(), &hit.a, &hit.b, pair));
                (names(&hit.a), names(&hit.b), hit.contact.witness().map(pair), hit.contact.inside())
            };
            Ok(found.iter().map(of).collect())
        })?;
        found.map_err(refused)?.into_iter().map(|(a, b, pair, inside)| touching(py, a, b, pair, inside, None)).collect()
    }

    /// Collision test: whether any two bodies are in contact. Stops at the first two that are.
    fn collides(&self, py: Python<'_>) -> PyResult<bool> {
        on_threads(py, || self.lock().settle().collides())?.map_err(refused)
    }

    /// (k,): are any two bodies in contact, at each of k places? `moves` has poses (k, 4, 4) by the
    /// names of bodies; the others stay where they are, and so do all afterwards.
    ///
    /// >>> import nearhit as nh
    /// >>> scene = nh.Scene()
    /// >>> scene.add("floor", nh.HalfSpace([0, 0, 1], 0))
    /// >>> scene.add("ball", nh.Ball(0.5))
    /// >>> I = [[[1, 0, 0], [0, 1, 0], [0, 0, 1]]] * 3
    /// >>> scene.collides_each({"ball": (I, [[0, 0, 2], [0, 0, 0.5], [5, 0, 1]])})
    /// array([False,  True, False])
    fn collides_each<'py>(&self, py: Python<'py>, moves: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(column(py, each(py, || self.lock(), moves, |now| now.collides())?.into_iter()))
    }

    /// (k,): how far apart are the closest two bodies, at each of k places? Arguments as those of
    /// `collides_each`, answers as those of `closest`; infinite where there are no two.
    fn distances_each<'py>(&self, py: Python<'py>, moves: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let ask = |now: &Settled<'_>| Ok(now.closest()?.map_or(f64::INFINITY, |gap| gap.distance.upper));
        Ok(column(py, each(py, || self.lock(), moves, ask)?.into_iter()))
    }

    /// The same with all triangles that touch: arrays (n, 2). Where one of the two is a shape, also
    /// points, normals and depths.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let found = on_threads(py, || -> Result<Vec<_>, _> {
            let mut native = self.lock();
            let settled = native.settle();
            let found = settled.contacts()?.found;
            let of = |hit: &Touching<'_>| {
                let pair = |&pair: &TrianglePair| pieces(settled.scene(), &hit.a, &hit.b, pair);
                let pairs: Vec<[i64; 2]> = hit.contacts.iter().map(pair).collect();
                let points = Points::of(settled.scene(), hit)?;
                Ok((names(&hit.a), names(&hit.b), pairs, hit.inside, points))
            };
            found.iter().map(of).collect()
        })?;
        let found = found.map_err(refused)?.into_iter();
        found
            .map(|(a, b, pairs, inside, points)| {
                touching(py, a, b, table(py, pairs.into_iter()), inside, points.as_ref())
            })
            .collect()
    }

    /// Finds what touches or may, within a budget: a `Frame`. Working memory is kept from call to
    /// call.
    #[pyo3(signature = (*, work = None, budget_us = None))]
    fn detect<'py>(&self, py: Python<'py>, work: Option<i64>, budget_us: Option<f64>) -> PyResult<Bound<'py, PyAny>> {
        let limit = limit(work, budget_us)?;
        let found = on_threads(py, || -> Result<_, nearhit::scene::SceneError> {
            let budget = Budget::from(limit);
            let (mut native, mut detector) =
                (self.lock(), self.detector.lock().unwrap_or_else(PoisonError::into_inner));
            let frame = native.detect(&mut detector, &budget)?;
            let pairs: Vec<_> = frame.pairs.iter().map(seen).collect();
            let unseen: Vec<_> = frame.unseen().map(|member| names(&member)).collect();
            Ok((pairs, frame.is_complete, frame.near, unseen))
        })?;
        let (pairs, is_complete, near, unseen) = found.map_err(refused)?;
        let module = py.import("nearhit._scene")?;
        let pair = module.getattr("FramePair")?;
        let pairs = pairs.into_iter().map(|fields| pair.call1(fields)).collect::<PyResult<Vec<_>>>()?;
        module.getattr("Frame")?.call1((pairs, is_complete, near, unseen))
    }

    /// Gives a body, or a part of it, another model: of a mesh that deforms.
    #[pyo3(signature = (name, model, *, part = None))]
    fn set_model(&self, name: &str, model: &Model, part: Option<&str>) -> PyResult<()> {
        let mut native = self.lock();
        let body = native.find(name).map_err(refused)?;
        let id = match part {
            Some(part) => native.find_part(body, part).map_err(refused)?,
            None => PartId { body, part: 0 },
        };
        native.set_shape(id, Shape::mesh(model.native.clone())).map_err(refused)
    }

    /// All pairs of bodies that are at most `limit` apart.
    fn within<'py>(&self, py: Python<'py>, limit: f64) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.gaps(py, |scene| Ok(scene.within(limit)?.found))
    }

    /// The `count` closest pairs, from the closest on.
    fn nearest<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.gaps(py, |scene| Ok(scene.nearest(count)?.found))
    }

    /// The two bodies that are closest, or, of solids, deepest in each other; None if there is no
    /// pair to ask about.
    fn closest<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.gaps(py, |scene| Ok(scene.closest()?.into_iter().collect()))?.pop())
    }

    /// When do two bodies touch first, if those named move from where they are to these poses in
    /// the time from 0 to 1, turning the shorter way round? Nothing touches before, at no instant;
    /// None if nothing touches at all. The bodies stay where they are. Contact is what is within
    /// `tolerance`.
    #[pyo3(signature = (moves, *, tolerance = 1e-6))]
    fn first_contact<'py>(
        &self,
        py: Python<'py>,
        moves: HashMap<String, Bound<'py, PyAny>>,
        tolerance: f64,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let ends = ends(&moves)?;
        let found = on_threads(py, || -> Result<_, nearhit::scene::SceneError> {
            let mut native = self.lock();
            let motions = scene_meetings::motions(&native, ends)?;
            let settled = native.settle();
            let of = |hit: Impact<'_>| {
                (names(&hit.a), names(&hit.b), hit.contact.free_until, hit.contact.verdict == Verdict::Yes)
            };
            Ok(settled.first_contact(&motions, tolerance)?.map(of))
        })?;
        let Some((a, b, time, is_certain)) = found.map_err(refused)? else { return Ok(None) };
        let kind = py.import("nearhit._scene")?.getattr("Impact")?;
        kind.call1((a.0, b.0, time, a.1, b.1, is_certain)).map(Some)
    }

    /// All instants of contact, if the bodies named move from where they are to these poses in the
    /// time from 0 to 1, turning the shorter way round: every pair that touches, in the order in
    /// which they first do, with from when to when. Outside of the intervals nothing touches;
    /// within them the two are at most twice the `tolerance` apart. It takes about way / tolerance
    /// steps where two touch.
    #[pyo3(signature = (moves, *, tolerance = 1e-3))]
    fn meetings<'py>(
        &self,
        py: Python<'py>,
        moves: HashMap<String, Bound<'py, PyAny>>,
        tolerance: f64,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let ends = ends(&moves)?;
        let found = on_threads(py, || scene_meetings::found(&mut self.lock(), ends, tolerance))?;
        scene_meetings::told(py, found)
    }

    fn __repr__(&self) -> String {
        format!("Scene({} bodies)", self.lock().len())
    }
}

impl Scene {
    fn insert(&self, spec: BodySpec, group: Option<String>, fixed: bool, solid: Option<bool>) -> PyResult<()> {
        let spec = if let Some(group) = group { spec.group(group) } else { spec };
        let spec = if fixed { spec.fixed() } else { spec };
        let spec = match solid {
            Some(true) => spec.solid(),
            Some(false) => spec.surface(),
            None => spec,
        };
        self.lock().insert(spec).map(drop).map_err(refused)
    }

    fn gaps<'py>(
        &self,
        py: Python<'py>,
        ask: impl for<'s> FnOnce(&Settled<'s>) -> Result<Vec<Gap<'s>>, nearhit::scene::SceneError> + Send,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let found = on_threads(py, || {
            let mut native = self.lock();
            let settled = native.settle();
            let found = ask(&settled)?;
            found.iter().map(|gap| measured(settled.scene(), gap)).collect::<Result<Vec<_>, _>>()
        })?;
        found.map_err(refused)?.into_iter().map(|gap| gap.told(py)).collect()
    }
}
