//! Broad phase of placed bodies: which boxes are near each other.

use crate::answer::{column, table};
use crate::placed::{Bounds, Placed};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(placed_near, module)?)
}

/// Two boxes that are near each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near {
    pub(crate) gap: f64,
    pub(crate) a: usize,
    pub(crate) b: usize,
}

/// Pairs of bodies whose boxes are at most `reach` apart, the nearest first, then by index: (n, 2),
/// and the gaps of their boxes: (n,). With `others` each pair is one of the bodies and one of
/// those.
#[pyfunction]
#[pyo3(signature = (bodies, others = None, reach = 0.0))]
#[allow(clippy::type_complexity)] // Two arrays.
fn placed_near<'py>(
    py: Python<'py>,
    bodies: Vec<PyRef<'py, Placed>>,
    others: Option<Vec<PyRef<'py, Placed>>>,
    reach: f64,
) -> PyResult<(Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<f64>>)> {
    if reach.is_nan() || reach < 0.0 {
        return Err(PyValueError::new_err(format!("the reach must be at least 0, not {reach}")));
    }
    let boxes = |bodies: &[PyRef<'py, Placed>]| bodies.iter().map(|body| body.bounds).collect::<Vec<Bounds>>();
    let (bodies, others) = (boxes(&bodies), others.map(|others| boxes(&others)));
    let found = py.detach(|| near(&bodies, others.as_deref(), reach));
    Ok((
        table(py, found.iter().map(|near| [near.a as i64, near.b as i64])),
        column(py, found.iter().map(|near| near.gap)),
    ))
}

/// Sort and sweep along x.
pub(crate) fn near(bodies: &[Bounds], others: Option<&[Bounds]>, reach: f64) -> Vec<Near> {
    let of = |side: usize, boxes: &[Bounds]| {
        boxes.iter().enumerate().map(|(index, bounds)| (side, index, *bounds)).collect::<Vec<_>>()
    };
    let mut all = of(0, bodies);
    all.extend(of(1, others.unwrap_or(&[])));
    all.sort_by(|one, other| one.2.low.x.total_cmp(&other.2.low.x));
    let mut found = Vec::new();
    for (rank, first) in all.iter().enumerate() {
        let end = first.2.high.x + reach;
        for second in all[rank + 1..].iter().take_while(|second| second.2.low.x <= end) {
            if others.is_some() && first.0 == second.0 {
                continue;
            }
            let gap = first.2.gap(&second.2);
            if gap <= reach {
                let (a, b) = if (first.0, first.1) < (second.0, second.1) { (first, second) } else { (second, first) };
                found.push(Near { gap, a: a.1, b: b.1 });
            }
        }
    }
    found.sort_by(|one, other| one.gap.total_cmp(&other.gap).then((one.a, one.b).cmp(&(other.a, other.b))));
    found
}
