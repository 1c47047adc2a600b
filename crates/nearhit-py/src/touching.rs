//! Many placed bodies: which of them touch, where, and which two are nearest. Boxes first, then
//! pairs on all cores, without the interpreter's lock; Ctrl-C ends it.

use crate::answer::{column, starts, table};
use crate::errors::of_query;
use crate::near::{Near, near};
use crate::placed::{Bounds, Placed};
use crate::query::with_scratch;
use crate::watch::{Watched, watched};
use nearhit::shape::ShapePair;
use nearhit::{Pair, QueryError, Scratch, Settings, Tolerance, TrianglePair, Verdict};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(placed_any, module)?)?;
    module.add_function(wrap_pyfunction!(placed_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(placed_pair_contacts, module)?)?;
    module.add_function(wrap_pyfunction!(placed_nearest, module)?)
}

type Bodies<'py> = Vec<PyRef<'py, Placed>>;

/// Bodies of which pairs are asked about: all of them, or each with each of others.
struct Field<'p> {
    bodies: Vec<&'p Placed>,
    others: Option<Vec<&'p Placed>>,
}

impl<'p> Field<'p> {
    fn new(bodies: &'p Bodies<'_>, others: Option<&'p Bodies<'_>>) -> Self {
        let each = |bodies: &'p Bodies<'_>| bodies.iter().map(|body| &**body).collect();
        Self { bodies: each(bodies), others: others.map(each) }
    }

    fn is_small(&self) -> bool {
        let triangles = |body: &&Placed| body.shape.model().map_or(1, |model| model.mesh().triangles().len());
        self.bodies.iter().chain(self.others.iter().flatten()).map(triangles).sum::<usize>() <= FEW
    }

    fn near(&self, reach: f64) -> Vec<Near> {
        let boxes = |bodies: &[&Placed]| bodies.iter().map(|body| body.bounds).collect::<Vec<Bounds>>();
        near(&boxes(&self.bodies), self.others.as_deref().map(boxes).as_deref(), reach)
    }

    fn pair(&self, near: &Near) -> [&'p Placed; 2] {
        [self.bodies[near.a], self.others.as_ref().unwrap_or(&self.bodies)[near.b]]
    }

    fn shapes(&self, near: &Near) -> Result<ShapePair<'p>, QueryError> {
        let [a, b] = self.pair(near);
        ShapePair::new(&a.shape, &a.pose, &b.shape, &b.pose)
    }

    fn touch(&self, near: &Near, scratch: &mut Scratch) -> Result<bool, QueryError> {
        Ok(self.shapes(near)?.collide(&Settings::default(), scratch).verdict == Verdict::Yes)
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

/// Asks about each pair, on all cores unless they are small; what is found, in order.
fn each<T: Send>(
    field: &Field<'_>,
    pairs: &[Near],
    cancel: &AtomicBool,
    ask: impl Fn(&Near, &mut Scratch) -> Result<Option<T>, QueryError> + Sync,
) -> Result<Vec<T>, QueryError> {
    let one = |scratch: &mut Scratch, near: &Near| {
        if cancel.load(Ordering::Relaxed) { Ok(None) } else { ask(near, scratch) }
    };
    let found: Result<Vec<Option<T>>, QueryError> = if field.is_small() {
        with_scratch(|scratch| pairs.iter().map(|near| one(scratch, near)).collect())
    } else {
        pairs.par_iter().map_init(Scratch::new, one).collect()
    };
    Ok(found?.into_iter().flatten().collect())
}

fn indices(near: &Near) -> [i64; 2] {
    [near.a as i64, near.b as i64]
}

/// Do any two touch? Stops at the first that do.
#[pyfunction]
#[pyo3(signature = (bodies, others = None))]
fn placed_any(py: Python<'_>, bodies: Bodies<'_>, others: Option<Bodies<'_>>) -> PyResult<bool> {
    let field = Field::new(&bodies, others.as_ref());
    run(py, &field, |cancel| {
        let pairs = field.near(0.0);
        let one = |scratch: &mut Scratch, near: &Near| match cancel.load(Ordering::Relaxed) {
            true => Some(Ok(false)),
            false => field.touch(near, scratch).map(|touch| touch.then_some(true)).transpose(),
        };
        let found = if field.is_small() {
            with_scratch(|scratch| pairs.iter().find_map(|near| one(scratch, near)))
        } else {
            pairs.par_iter().map_init(Scratch::new, one).find_map_any(|found| found)
        };
        Ok(found.transpose()?.unwrap_or(false))
    })
}

/// (n, 2): all pairs that touch, by their indices.
#[pyfunction]
#[pyo3(signature = (bodies, others = None))]
fn placed_pairs<'py>(
    py: Python<'py>,
    bodies: Bodies<'py>,
    others: Option<Bodies<'py>>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let field = Field::new(&bodies, others.as_ref());
    let found = run(py, &field, |cancel| {
        let ask = |near: &Near, scratch: &mut Scratch| Ok(field.touch(near, scratch)?.then_some(*near));
        each(&field, &field.near(0.0), cancel, ask)
    })?;
    Ok(table(py, found.iter().map(indices)))
}

/// Two bodies that touch.
struct Touching {
    near: Near,
    /// None if one is inside the other.
    pairs: Vec<TrianglePair>,
}

type PairContacts<'py> = (Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<i64>>);

/// All pairs of meshes that touch (n, 2), where the triangles of each start (n + 1,), and the
/// triangles that touch (m, 2). A pair without triangles: one is inside the other.
#[pyfunction]
#[pyo3(signature = (bodies, others = None))]
fn placed_pair_contacts<'py>(
    py: Python<'py>,
    bodies: Bodies<'py>,
    others: Option<Bodies<'py>>,
) -> PyResult<PairContacts<'py>> {
    let field = Field::new(&bodies, others.as_ref());
    let found = run(py, &field, |cancel| {
        each(&field, &field.near(0.0), cancel, |near, scratch| contacts(&field, near, scratch))
    })?;
    let pairs: Vec<TrianglePair> = found.iter().flat_map(|one| one.pairs.iter().copied()).collect();
    Ok((
        table(py, found.iter().map(|one| indices(&one.near))),
        column(py, starts(found.iter().map(|one| one.pairs.len()))),
        table(py, pairs.into_iter().map(|pair| [pair.a.into(), pair.b.into()])),
    ))
}

fn contacts(field: &Field<'_>, near: &Near, scratch: &mut Scratch) -> Result<Option<Touching>, QueryError> {
    let [a, b] = field.pair(near);
    let (Some(model_a), Some(model_b)) = (a.shape.model(), b.shape.model()) else { return Ok(None) };
    let pair = Pair::new(model_a, &a.pose, model_b, &b.pose)?;
    let pairs = pair.contacts(&Settings::default(), scratch).pairs.to_vec();
    if pairs.is_empty() && !field.touch(near, scratch)? {
        return Ok(None);
    }
    Ok(Some(Touching { near: *near, pairs }))
}

/// Two indices, a distance or a depth, and whether it is a depth.
type Nearest = ((usize, usize), f64, bool);

/// The two nearest, and their distance. Or, if any two touch, how deep the deepest two solids are
/// in each other, 0 if no two solids touch; the flag says so. `solids` has, for each body and then
/// for each of `others`, whether it is a solid and, if it is convex, its hull.
#[pyfunction]
fn placed_nearest<'py>(
    py: Python<'py>,
    bodies: Bodies<'py>,
    others: Option<Bodies<'py>>,
    solids: Vec<(bool, Option<PyRef<'py, Placed>>)>,
) -> PyResult<Option<Nearest>> {
    let field = Field::new(&bodies, others.as_ref());
    let offset = if others.is_some() { bodies.len() } else { 0 };
    let solids: Vec<Matter<'_>> =
        solids.iter().map(|(is_solid, hull)| Matter { is_solid: *is_solid, hull: hull.as_deref() }).collect();
    if solids.len() != offset + field.others.as_ref().unwrap_or(&field.bodies).len() {
        return Err(PyValueError::new_err("say of each body whether it is a solid"));
    }
    let found = run(py, &field, |cancel| {
        let matter = |near: &Near| [solids[near.a], solids[near.b + offset]];
        let (both, rest): (Vec<Near>, Vec<Near>) =
            field.near(0.0).into_iter().partition(|near| matter(near).iter().all(|one| one.is_solid));
        if let Some((near, depth)) = deepest(&field, both, matter, cancel)? {
            return Ok(Some((near, depth, true)));
        }
        if let Some(first) = first_touching(&field, &rest, cancel)? {
            return Ok(Some((first, 0.0, true)));
        }
        Ok(nearest(&field, cancel)?.map(|(near, distance)| (near, distance, false)))
    })?;
    Ok(found.map(|(near, value, touch)| ((near.a, near.b), value, touch)))
}

/// What a body is.
#[derive(Clone, Copy)]
struct Matter<'p> {
    is_solid: bool,
    /// Of a convex one.
    hull: Option<&'p Placed>,
}

/// The deepest of pairs of solids, and how deep; none if no two touch. By how long a way takes
/// their boxes apart: no pair is deeper than that, so that few are looked at.
fn deepest<'p>(
    field: &Field<'p>,
    pairs: Vec<Near>,
    matter: impl Fn(&Near) -> [Matter<'p>; 2],
    cancel: &AtomicBool,
) -> Result<Option<(Near, f64)>, QueryError> {
    let overlap = |near: Near| {
        let [a, b] = field.pair(&near);
        (near, a.bounds.overlap(&b.bounds))
    };
    let mut pairs: Vec<(Near, f64)> = pairs.into_iter().map(overlap).collect();
    pairs.sort_by(|one, other| other.1.total_cmp(&one.1).then(indices(&one.0).cmp(&indices(&other.0))));
    let mut best: Option<(Near, f64)> = None;
    with_scratch(|scratch| {
        for (near, most) in pairs {
            if best.is_some_and(|best| most <= best.1) || cancel.load(Ordering::Relaxed) {
                break;
            }
            let depth = depth(field, &near, matter(&near), scratch)?;
            if let Some(depth) = depth.filter(|&depth| best.is_none_or(|best| depth > best.1)) {
                best = Some((near, depth));
            }
        }
        Ok(best)
    })
}

/// How long a translation takes two solids apart; none if they do not touch.
fn depth(
    field: &Field<'_>,
    near: &Near,
    [of_a, of_b]: [Matter<'_>; 2],
    scratch: &mut Scratch,
) -> Result<Option<f64>, QueryError> {
    let [a, b] = field.pair(near);
    if let (Some(hull_a), Some(hull_b)) = (of_a.hull, of_b.hull) {
        let hulls = ShapePair::new(&hull_a.shape, &a.pose, &hull_b.shape, &b.pose)?;
        if let Some(found) = hulls.penetration(scratch) {
            let touch = found.depth.lower > 0.0 || field.touch(near, scratch)?;
            return Ok(touch.then_some(found.depth.upper));
        }
    }
    if !field.touch(near, scratch)? {
        return Ok(None);
    }
    let (Some(model_a), Some(model_b)) = (a.shape.model(), b.shape.model()) else { return Ok(Some(0.0)) };
    let pair = Pair::new(model_a, &a.pose, model_b, &b.pose)?;
    Ok(Some(pair.solid().translational_depth(&Settings::default(), scratch)?.upper))
}

/// Of pairs in order the first that touches.
fn first_touching(field: &Field<'_>, pairs: &[Near], cancel: &AtomicBool) -> Result<Option<Near>, QueryError> {
    let (mut rest, mut size) = (pairs, 1);
    while !rest.is_empty() {
        let (group, later) = rest.split_at(size.min(rest.len()));
        let ask = |near: &Near, scratch: &mut Scratch| Ok(field.touch(near, scratch)?.then_some(*near));
        if let Some(first) = each(field, group, cancel, ask)?.first() {
            return Ok(Some(*first));
        }
        (rest, size) = (later, (2 * size).min(64));
    }
    Ok(None)
}

/// The nearest two of bodies that do not touch: farther and farther away until no boxes outside of
/// what was looked at can be nearer.
fn nearest(field: &Field<'_>, cancel: &AtomicBool) -> Result<Option<(Near, f64)>, QueryError> {
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
