//! Our own tables: everything that the others leave out, as JSON.
//!
//! ```json
//! {"units": "mm", "tools": [
//!   {"number": 1, "name": "ball 6", "shape": "ball", "diameter": 6, "cutting_length": 12,
//!    "shank_diameter": 6, "stick_out": 40,
//!    "holder": [{"diameter": 28, "length": 30}, {"diameter": 28, "top_diameter": 50, "length": 20}],
//!    "spindle": [{"diameter": 120, "length": 150}]}]}
//! ```

use super::table::{Plain, ToolTable, Unit, located};
use super::{Cutter, Label, Stage};
use crate::error::{NcError, of_json, shown};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with a list of tools")]
struct File {
    units: Option<Units>,
    tools: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Units {
    Mm,
    Inch,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object that describes a tool")]
struct Entry {
    number: u32,
    name: Option<String>,
    shape: String,
    diameter: f64,
    cutting_length: f64,
    corner_radius: Option<f64>,
    angle: Option<f64>,
    tip_diameter: Option<f64>,
    shank_diameter: Option<f64>,
    stick_out: Option<f64>,
    #[serde(default)]
    holder: Vec<Part>,
    #[serde(default)]
    spindle: Vec<Part>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with diameter and length")]
struct Part {
    diameter: f64,
    top_diameter: Option<f64>,
    length: f64,
}

pub(super) fn read(value: &serde_json::Value, name: &str, unit: Unit, table: &mut ToolTable) -> Result<(), NcError> {
    let wrong = |at: String, message: String| NcError::Tool { file: name.to_owned(), at, message };
    let file = File::deserialize(value).map_err(|error| wrong("tools".into(), of_json(&error)))?;
    let unit = match file.units {
        Some(Units::Mm) => Unit::Millimetre,
        Some(Units::Inch) => Unit::Inch,
        None => {
            table.note_unit(name, unit);
            unit
        }
    };
    let unit = unit.millimetres();
    for entry in file.tools {
        let at = format!("tool {}", entry.number);
        if table.get(entry.number).is_some() {
            return Err(wrong(at, "is there twice".into()));
        }
        let cutter = cutter(&entry, unit).map_err(|message| wrong(at.clone(), message))?;
        let mut tool = Plain {
            number: entry.number,
            name: entry.name.unwrap_or_else(|| format!("T{}", entry.number)),
            cutter,
            diameter: entry.diameter * unit,
            cutting_length: entry.cutting_length * unit,
            stick_out: entry.stick_out.map(|length| length * unit),
            shank: entry.shank_diameter.map(|diameter| diameter * unit),
        }
        .tool(name, &at)?;
        for (label, parts) in [(Label::Holder, &entry.holder), (Label::Spindle, &entry.spindle)] {
            for part in parts {
                let (bottom, top) = (part.diameter * unit, part.top_diameter.unwrap_or(part.diameter) * unit);
                let stage = Stage { bottom, top, length: part.length * unit };
                tool = tool.with(label, stage).map_err(|error| located(error, name, &at))?;
            }
        }
        table.insert(tool);
    }
    Ok(())
}

fn cutter(entry: &Entry, unit: f64) -> Result<Cutter, String> {
    let angle = || entry.angle.ok_or_else(|| format!("a {} needs an angle, in degrees", entry.shape));
    Ok(match entry.shape.as_str() {
        "flat" => Cutter::Flat,
        "ball" => Cutter::Ball,
        "bull" => {
            let corner_radius = entry.corner_radius.ok_or("a bull needs a corner_radius")? * unit;
            Cutter::Bull { corner_radius }
        }
        "chamfer" => Cutter::Chamfer { angle: angle()?, tip_diameter: entry.tip_diameter.unwrap_or(0.0) * unit },
        "drill" => Cutter::Drill { angle: angle()? },
        "taper" => {
            let tip = entry.tip_diameter.ok_or("a taper needs a tip_diameter, that of its ball")? * unit;
            Cutter::Taper { side_angle: angle()?, tip_radius: 0.5 * tip }
        }
        "lollipop" => Cutter::Lollipop,
        "dovetail" => Cutter::Dovetail { angle: angle()? },
        other => {
            let known = "flat, ball, bull, chamfer, drill, taper, lollipop, dovetail";
            return Err(format!("there is no shape {:?}; there are {known}", shown(other, 40)));
        }
    })
}
