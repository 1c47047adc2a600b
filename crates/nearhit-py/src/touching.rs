//! Many placed bodies: which of them touch, where, and which two are nearest. Boxes first, then
//! pairs on all cores, without the interpreter's lock; Ctrl-C ends it. What is known of a pair is
//! not found out again as long as neither moves ([`Crowd`]).

use crate::answer::table;
use crate::details::{Touch, Touched};
use crate::errors::of_query;
use crate::near::{Near, near};
use crate::placed::{Bounds, Placed};
use crate::query::with_scratch;
use crate::watch::{Watched, watched};
use nearhit::shape::ShapePair;
use nearhit::{Pair, QueryError, Scratch, Settings, Tolerance, Verdict};
use numpy::PyArray2;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Crowd>()?;
    module.add_function(wrap_pyfunction!(placed_any, module)?)?;
    module.add_function(wrap_pyfunction!(placed_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(placed_touched, module)?)?;
    module.add_function(wrap_pyfunction!(placed_nearest, module)?)
}

type Bodies<'py> = Vec<PyRef<'py, Placed>>;

/// Bodies of which pairs are asked about: all of them, or each with each of others.
struct Field<'p> {
    bodies: Vec<&'p Placed>,
    others: Option<Vec<&'p Placed>>,
}

/// A pair whose boxes meet, and what is known of it.
#[derive(Clone)]
struct Entry {
    near: Near,
    /// No deeper than this are two in each other.
    overlap: f64,
    touch: Option<bool>,
    /// Of two solids; none if they do not touch.
    depth: Option<Option<f64>>,
    details: Option<Option<Arc<Touch>>>,
}

impl<'p> Field<'p> {
    fn between(bodies: &'p Bodies<'_>, others: &'p Bodies<'_>) -> Self {
        let each = |bodies: &'p Bodies<'_>| bodies.iter().map(|body| &**body).collect();
        Self { bodies: each(bodies), others: Some(each(others)) }
    }

    fn is_small(&self) -> bool {
        let triangles = |body: &&Placed| body.shape.model().map_or(1, |model| model.mesh().triangles().len());
        self.bodies.iter().chain(self.others.iter().flatten()).map(triangles).sum::<usize>() <= FEW
    }

    fn near(&self, reach: f64) -> Vec<Near> {
        let boxes = |bodies: &[&Placed]| bodies.iter().map(|body| body.bounds).collect::<Vec<Bounds>>();
        near(&boxes(&self.bodies), self.others.as_deref().map(boxes).as_deref(), reach)
    }

    fn entry(&self, near: Near) -> Entry {
        let [a, b] = self.pair(&near);
        Entry { near, overlap: a.bounds.overlap(&b.bounds), touch: None, depth: None, details: None }
    }

    /// All pairs whose boxes meet, nothing known.
    fn entries(&self) -> Vec<Entry> {
        self.near(0.0).into_iter().map(|near| self.entry(near)).collect()
    }

    fn pair(&self, near: &Near) -> [&'p Placed; 2] {
        [self.bodies[near.a], self.others.as_ref().unwrap_or(&self.bodies)[near.b]]
    }

    fn are_solids(&self, near: &Near) -> bool {
        self.pair(near).iter().all(|body| body.is_solid)
    }

    fn shapes(&self, near: &Near) -> Result<ShapePair<'p>, QueryError> {
        let [a, b] = self.pair(near);
        ShapePair::new(&a.shape, &a.pose, &b.shape, &b.pose)
    }

    fn touch(&self, near: &Near, scratch: &mut Scratch) -> Result<bool, QueryError> {
        Ok(self.shapes(near)?.collide(&Settings::default(), scratch).verdict == Verdict::Yes)
    }

    /// The triangles of two meshes that touch; none if they do not.
    fn details(&self, near: &Near, scratch: &mut Scratch) -> Result<Option<Arc<Touch>>, QueryError> {
        let [a, b] = self.pair(near);
        let (Some(model_a), Some(model_b)) = (a.shape.model(), b.shape.model()) else { return Ok(None) };
        let pair = Pair::new(model_a, &a.pose, model_b, &b.pose)?;
        let pairs = pair.contacts(&Settings::default(), scratch).pairs.to_vec();
        if pairs.is_empty() && !self.touch(near, scratch)? {
            return Ok(None);
        }
        Ok(Some(Arc::new(Touch::new([a, b], pairs))))
    }

    /// How long a translation takes two solids apart; none if they do not touch.
    fn depth(&self, near: &Near, scratch: &mut Scratch) -> Result<Option<f64>, QueryError> {
        let [a, b] = self.pair(near);
        let hull = |body: &'p Placed| body.hull.as_ref()?.get(&body.shape);
        if let (Some(hull_a), Some(hull_b)) = (hull(a), hull(b)) {
            let hulls = ShapePair::new(hull_a, &a.pose, hull_b, &b.pose)?;
            if let Some(found) = hulls.penetration(scratch) {
                let touch = found.depth.lower > 0.0 || self.touch(near, scratch)?;
                return Ok(touch.then_some(found.depth.upper));
            }
        }
        if !self.touch(near, scratch)? {
            return Ok(None);
        }
        let (Some(model_a), Some(model_b)) = (a.shape.model(), b.shape.model()) else { return Ok(Some(0.0)) };
        let pair = Pair::new(model_a, &a.pose, model_b, &b.pose)?;
        Ok(Some(pair.solid().translational_depth(&Settings::default(), scratch)?.upper))
    }
}

/// So many triangles are asked about where the caller is: other threads would take longer to wake.
const FEW: usize = 20_000;

/// Runs a task that heeds `cancel`.
fn run<T: Send>(
    py: Python<'_>,
    field: &Field<'_>,
    task: impl FnOnce(&AtomicBool) -> Result<T, QueryError> + Send,
) -> PyResult<T> {
    let cancel = AtomicBool::new(false);
    if field.is_small() {
        return py.detach(|| task(&cancel)).map_err(of_query);
    }
    let Watched { result, interrupted } = watched(py, None, &cancel, |py| py.check_signals(), || task(&cancel))?;
    match interrupted {
        Some(error) => Err(error),
        None => result.map_err(of_query),
    }
}

/// Finds out what is not known of some pairs, on all cores unless they are small.
fn learn<T: Send>(
    field: &Field<'_>,
    entries: &mut [Entry],
    cancel: &AtomicBool,
    is_known: impl Fn(&Entry) -> bool,
    ask: impl Fn(&Near, &mut Scratch) -> Result<T, QueryError> + Sync,
    keep: impl Fn(&mut Entry, T),
) -> Result<(), QueryError> {
    let todo: Vec<(usize, Near)> =
        entries.iter().enumerate().filter(|(_, entry)| !is_known(entry)).map(|(at, entry)| (at, entry.near)).collect();
    let one = |scratch: &mut Scratch, (at, near): &(usize, Near)| {
        if cancel.load(Ordering::Relaxed) { Ok(None) } else { ask(near, scratch).map(|found| Some((*at, found))) }
    };
    let found: Result<Vec<Option<(usize, T)>>, QueryError> = if field.is_small() {
        with_scratch(|scratch| todo.iter().map(|near| one(scratch, near)).collect())
    } else {
        todo.par_iter().map_init(Scratch::new, one).collect()
    };
    for (at, found) in found?.into_iter().flatten() {
        keep(&mut entries[at], found);
    }
    Ok(())
}

fn learn_touch(field: &Field<'_>, entries: &mut [Entry], cancel: &AtomicBool) -> Result<(), QueryError> {
    let ask = |near: &Near, scratch: &mut Scratch| field.touch(near, scratch);
    learn(field, entries, cancel, |entry| entry.touch.is_some(), ask, |entry, touch| entry.touch = Some(touch))
}

/// Whether any two touch. Stops soon after the first that do.
fn any(field: &Field<'_>, entries: &mut [Entry], cancel: &AtomicBool) -> Result<bool, QueryError> {
    if entries.iter().any(|entry| entry.touch == Some(true)) {
        return Ok(true);
    }
    Ok(first_touching(field, entries, cancel, |_| true)?.is_some())
}

/// Of pairs in order the first that touches.
fn first_touching(
    field: &Field<'_>,
    entries: &mut [Entry],
    cancel: &AtomicBool,
    of: impl Fn(&Near) -> bool,
) -> Result<Option<Near>, QueryError> {
    let (mut start, mut size) = (0, 1);
    while start < entries.len() && !cancel.load(Ordering::Relaxed) {
        let end = entries.len().min(start + size);
        let group = &mut entries[start..end];
        let ask = |near: &Near, scratch: &mut Scratch| field.touch(near, scratch);
        let is_known = |entry: &Entry| entry.touch.is_some() || !of(&entry.near);
        learn(field, group, cancel, is_known, ask, |entry, touch| entry.touch = Some(touch))?;
        if let Some(first) = group.iter().find(|entry| entry.touch == Some(true) && of(&entry.near)) {
            return Ok(Some(first.near));
        }
        (start, size) = (end, (2 * size).min(64));
    }
    Ok(None)
}

fn indices(near: &Near) -> [i64; 2] {
    [near.a as i64, near.b as i64]
}

/// All pairs that touch.
fn touching(field: &Field<'_>, entries: &mut [Entry], cancel: &AtomicBool) -> Result<Vec<[i64; 2]>, QueryError> {
    learn_touch(field, entries, cancel)?;
    Ok(entries.iter().filter(|entry| entry.touch == Some(true)).map(|entry| indices(&entry.near)).collect())
}

/// All pairs of meshes that touch, with their triangles.
fn touched(field: &Field<'_>, entries: &mut [Entry], cancel: &AtomicBool) -> Result<Touched, QueryError> {
    let ask = |near: &Near, scratch: &mut Scratch| field.details(near, scratch);
    learn(field, entries, cancel, |entry| entry.details.is_some(), ask, |entry, found| entry.details = Some(found))?;
    let known = |entry: &Entry| Some((indices(&entry.near), entry.details.clone()??));
    let (indices, touches) = entries.iter().filter_map(known).unzip();
    Ok(Touched::new(indices, touches))
}

/// Two indices, a distance or a depth, and whether it is a depth.
type Nearest = ((usize, usize), f64, bool);

/// The two nearest, and their distance. Or, if any two touch, how deep the deepest two solids are
/// in each other, 0 if no two solids touch; the flag says so.
fn nearest(field: &Field<'_>, entries: &mut [Entry], cancel: &AtomicBool) -> Result<Option<Nearest>, QueryError> {
    let told = |near: Near, value: f64, touch: bool| Some(((near.a, near.b), value, touch));
    if let Some((near, depth)) = deepest(field, entries, cancel)? {
        return Ok(told(near, depth, true));
    }
    if let Some(first) = first_touching(field, entries, cancel, |near| !field.are_solids(near))? {
        return Ok(told(first, 0.0, true));
    }
    Ok(farther(field, cancel)?.and_then(|(near, distance)| told(near, distance, false)))
}

/// The deepest of pairs of solids, and how deep; none if no two touch. By how long a way takes
/// their boxes apart: no pair is deeper than that, so that few are looked at.
fn deepest(field: &Field<'_>, entries: &mut [Entry], cancel: &AtomicBool) -> Result<Option<(Near, f64)>, QueryError> {
    let solids = entries.iter().enumerate().filter(|(_, entry)| field.are_solids(&entry.near));
    let mut order: BinaryHeap<(Ordered, Reverse<usize>)> =
        solids.map(|(at, entry)| (Ordered(entry.overlap), Reverse(at))).collect();
    let mut best: Option<(Near, f64)> = None;
    with_scratch(|scratch| {
        while let Some((Ordered(most), Reverse(at))) = order.pop() {
            if best.is_some_and(|best| most <= best.1) || cancel.load(Ordering::Relaxed) {
                break;
            }
            let entry = &mut entries[at];
            let depth = match entry.depth {
                Some(depth) => depth,
                None => field.depth(&entry.near, scratch)?,
            };
            entry.depth = Some(depth);
            if let Some(depth) = depth.filter(|&depth| best.is_none_or(|best| depth > best.1)) {
                best = Some((entry.near, depth));
            }
        }
        Ok(best)
    })
}

/// A number that is one, in order.
#[derive(PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The nearest two of bodies that do not touch: farther and farther away until no boxes outside of
/// what was looked at can be nearer.
fn farther(field: &Field<'_>, cancel: &AtomicBool) -> Result<Option<(Near, f64)>, QueryError> {
    let (mut best, mut done, mut reach): (Option<(Near, f64)>, f64, f64) = (None, -1.0, 0.0);
    let mut scratch = Scratch::new();
    loop {
        for near in field.near(reach).iter().filter(|near| near.gap > done) {
            let bound = best.map_or(f64::INFINITY, |best| best.1);
            if near.gap >= bound || cancel.load(Ordering::Relaxed) {
                break;
            }
            let pair = field.shapes(near)?;
            let settings = Settings::default();
            if bound < f64::INFINITY && pair.within(bound, &settings, &mut scratch).verdict == Verdict::No {
                continue;
            }
            let found = pair.distance(Tolerance::EXACT, &settings, &mut scratch).upper;
            if found < bound {
                best = Some((*near, found));
            }
        }
        let bound = best.map_or(f64::INFINITY, |best| best.1);
        if bound <= reach || reach == f64::INFINITY {
            return Ok(best);
        }
        (done, reach) = (reach, if bound < f64::INFINITY { bound } else { wider(field, reach) });
    }
}

/// Twice as wide, from the size of a usual body on; at last everything.
fn wider(field: &Field<'_>, reach: f64) -> f64 {
    let bodies = field.bodies.iter().chain(field.others.iter().flatten());
    let mut sizes: Vec<f64> =
        bodies.map(|body| (body.bounds.high - body.bounds.low).max_element()).filter(|size| size.is_finite()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let usual = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    let next = if reach > 0.0 { 8.0 * reach } else { usual };
    // Some dozens of usual sizes away everything may be asked about at once.
    if next > 0.0 && next < 1e3 * usual { next } else { f64::INFINITY }
}

/// Whether any body touches one of the others.
#[pyfunction]
fn placed_any(py: Python<'_>, bodies: Bodies<'_>, others: Bodies<'_>) -> PyResult<bool> {
    let field = Field::between(&bodies, &others);
    run(py, &field, |cancel| any(&field, &mut field.entries(), cancel))
}

/// (n, 2): all pairs that touch, by their indices.
#[pyfunction]
fn placed_pairs<'py>(py: Python<'py>, bodies: Bodies<'py>, others: Bodies<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let field = Field::between(&bodies, &others);
    let found = run(py, &field, |cancel| touching(&field, &mut field.entries(), cancel))?;
    Ok(table(py, found.into_iter()))
}

/// All pairs of meshes that touch, with their triangles.
#[pyfunction]
fn placed_touched(py: Python<'_>, bodies: Bodies<'_>, others: Bodies<'_>) -> PyResult<Touched> {
    let field = Field::between(&bodies, &others);
    run(py, &field, |cancel| touched(&field, &mut field.entries(), cancel))
}

/// The two nearest, as [`nearest`].
#[pyfunction]
fn placed_nearest(py: Python<'_>, bodies: Bodies<'_>, others: Bodies<'_>) -> PyResult<Option<Nearest>> {
    let field = Field::between(&bodies, &others);
    run(py, &field, |cancel| nearest(&field, &mut field.entries(), cancel))
}

/// Bodies that are asked about again and again while some of them move: what is known of a pair
/// stays known until one of the two has moved.
#[pyclass(frozen, module = "nearhit._native")]
pub(crate) struct Crowd(Mutex<Members>);

struct Members {
    bodies: Vec<Py<Placed>>,
    /// In order.
    entries: Vec<Entry>,
}

/// Of bodies that move, all pairs.
fn field_of(bodies: &[Py<Placed>]) -> Field<'_> {
    Field { bodies: bodies.iter().map(Py::get).collect(), others: None }
}

impl Members {
    /// One is somewhere else.
    fn put(&mut self, index: usize, body: Py<Placed>) {
        self.bodies[index] = body;
        let Self { bodies, entries } = self;
        entries.retain(|entry| entry.near.a != index && entry.near.b != index);
        let field = field_of(bodies);
        let bounds = field.bodies[index].bounds;
        for (other, body) in field.bodies.iter().enumerate() {
            let gap = bounds.gap(&body.bounds);
            if other != index && gap <= 0.0 {
                entries.push(field.entry(Near { gap, a: index.min(other), b: index.max(other) }));
            }
        }
        // Two runs in order: quickly done.
        entries.sort_by_key(|entry| (entry.near.a, entry.near.b));
    }
}

impl Crowd {
    /// Asks without the interpreter's lock.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&Field<'_>, &mut [Entry], &AtomicBool) -> Result<T, QueryError> + Send,
    ) -> PyResult<T> {
        let mut members = self.members(py);
        let Members { bodies, entries } = &mut *members;
        let field = field_of(bodies);
        run(py, &field, |cancel| ask(&field, entries, cancel))
    }

    /// Waits without the interpreter's lock.
    fn members(&self, py: Python<'_>) -> MutexGuard<'_, Members> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Crowd {
    #[new]
    fn new(bodies: Vec<Py<Placed>>) -> Self {
        let entries = field_of(&bodies).entries();
        Self(Mutex::new(Members { bodies, entries }))
    }

    /// The body of that index is somewhere else.
    fn put(&self, py: Python<'_>, index: usize, body: Py<Placed>) -> PyResult<()> {
        let mut members = self.members(py);
        if index >= members.bodies.len() {
            let count = members.bodies.len();
            return Err(PyIndexError::new_err(format!("there is no body {index}: there are {count}")));
        }
        members.put(index, body);
        Ok(())
    }

    /// Whether any two touch.
    fn any(&self, py: Python<'_>) -> PyResult<bool> {
        self.ask(py, any)
    }

    /// (n, 2): all pairs that touch, by their indices.
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        Ok(table(py, self.ask(py, touching)?.into_iter()))
    }

    /// All pairs of meshes that touch, with their triangles.
    fn touched(&self, py: Python<'_>) -> PyResult<Touched> {
        self.ask(py, touched)
    }

    /// The two nearest, as [`nearest`].
    fn nearest(&self, py: Python<'_>) -> PyResult<Option<Nearest>> {
        self.ask(py, nearest)
    }
}
