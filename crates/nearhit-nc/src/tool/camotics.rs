//! Tool tables of CAMotics: the object `tools` of a project, or that object alone. CAMotics knows
//! neither shank nor holder.

use super::Cutter;
use super::table::{Plain, ToolTable, Unit};
use crate::error::{NcError, of_json, shown};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
struct Entry {
    units: Option<String>,
    shape: String,
    length: f64,
    diameter: f64,
    /// Snub-nosed cones have one.
    snub_diameter: Option<f64>,
    description: Option<String>,
}

pub(super) fn read(value: &serde_json::Value, name: &str, unit: Unit, table: &mut ToolTable) -> Result<(), NcError> {
    let wrong = |at: String, message: String| NcError::Tool { file: name.to_owned(), at, message };
    let tools = value.get("tools").unwrap_or(value);
    let entries: BTreeMap<String, Entry> =
        BTreeMap::deserialize(tools).map_err(|error| wrong("tools".into(), of_json(&error)))?;
    let (assumed, mut is_assumed) = (unit, false);
    for (key, entry) in entries {
        let at = format!("tool {}", shown(&key, 40));
        let number: u32 = key.parse().map_err(|_| wrong(at.clone(), "its number is not a whole number".into()))?;
        let unit = match entry.units.as_deref() {
            None => {
                is_assumed = true;
                assumed
            }
            Some("metric" | "METRIC" | "mm") => Unit::Millimetre,
            Some("imperial" | "IMPERIAL" | "inch") => Unit::Inch,
            Some(other) => {
                return Err(wrong(at, format!("units {:?}: metric or imperial are known", shown(other, 40))));
            }
        };
        let unit = unit.millimetres();
        let (diameter, length) = (entry.diameter * unit, entry.length * unit);
        let whole_angle = |tip: f64| 2.0 * (0.5 * (diameter - tip) / length).atan().to_degrees();
        let (cutter, cutting_length) = match entry.shape.to_ascii_lowercase().as_str() {
            "cylindrical" => (Cutter::Flat, length),
            "ballnose" => (Cutter::Ball, length.max(0.5 * diameter)),
            "spheroid" if entry.length == entry.diameter => (Cutter::Lollipop, length),
            "conical" => (Cutter::Chamfer { angle: whole_angle(0.0), tip_diameter: 0.0 }, length),
            "snubnose" => {
                let tip_diameter = entry.snub_diameter.unwrap_or(0.0) * unit;
                (Cutter::Chamfer { angle: whole_angle(tip_diameter), tip_diameter }, length)
            }
            other => {
                let known = "cylindrical, conical, ballnose, snubnose, or a spheroid that is a ball";
                return Err(wrong(at, format!("shape {:?} is none of {known}", shown(other, 40))));
            }
        };
        let title = entry.description.filter(|text| !text.is_empty()).unwrap_or_else(|| format!("T{number}"));
        let plain = Plain { number, name: title, cutter, diameter, cutting_length, stick_out: None, shank: None };
        table.insert(plain.tool(name, &at)?);
    }
    if is_assumed {
        table.note_unit(name, assumed);
    }
    table.note(format!("{name}: tools of CAMotics have no shank and no holder"));
    Ok(())
}
