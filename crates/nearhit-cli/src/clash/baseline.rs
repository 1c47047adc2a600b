//! A baseline: the findings of an earlier run, from its JSON.

use anyhow::{Context, Result, bail};
use nearhit::clash::{Class, KnownFinding};
use serde_json::Value;
use std::path::Path;

/// Reads what `nearhit clash --json` wrote.
pub(super) fn read(path: &Path) -> Result<Vec<KnownFinding>> {
    let text = super::read::text(path)?;
    let report: Value = serde_json::from_str(&text)
        .with_context(|| format!("{}: not JSON; a baseline is what `nearhit clash --json` prints", path.display()))?;
    let Some(findings) = report.get("findings").and_then(Value::as_array) else {
        bail!("{}: there are no findings in it; a baseline is what `nearhit clash --json` prints", path.display());
    };
    let read = |(index, value): (usize, &Value)| {
        finding(value).with_context(|| format!("{}: findings[{index}]", path.display()))
    };
    findings.iter().enumerate().map(read).collect()
}

fn finding(value: &Value) -> Result<KnownFinding> {
    let text = |key: &str| {
        value.get(key).and_then(Value::as_str).map(str::to_owned).with_context(|| format!("{key} is no text"))
    };
    let name = text("class")?;
    let Some(class) = Class::ALL.into_iter().find(|class| class.to_string() == name) else {
        bail!("there is no class \"{name}\"");
    };
    let number = |key: &str| value.get(key).and_then(Value::as_f64);
    let measure = match class {
        Class::Hard => number("depth"),
        Class::Undecided => number("depth_at_most"),
        _ => number("gap"),
    };
    let coordinate = |side: usize, axis: usize| {
        let found = value.get("points").and_then(|points| points.get(side)?.get(axis)?.as_f64());
        found.with_context(|| format!("points[{side}][{axis}] is no number"))
    };
    let mut place = [0.0; 3];
    for (axis, value) in place.iter_mut().enumerate() {
        *value = 0.5 * coordinate(0, axis)? + 0.5 * coordinate(1, axis)?;
    }
    Ok(KnownFinding::new(class, [text("a")?, text("b")?], measure, place))
}
