//! Tool bits (`.fctb`) and libraries (`.fctl`) of FreeCAD: JSON with quantities as text.
//!
//! A bit is at least as wide here as its Diameter says, and as long as its Length. Cones follow
//! their angle, as the operations of FreeCAD do: its own V-bits have a CuttingEdgeHeight of 1 mm
//! whatever their angle, far below the height at which the cone reaches the diameter.

use super::table::{Plain, ToolTable, located, read_text};
use super::{Cutter, Label, Stage, Tool};
use crate::error::{NcError, of_json, shown};
use serde_json::Value;
use std::path::Path;

/// Lengths in files are rounded: a length that is shorter by less than this, in millimetres, is no
/// contradiction.
const ROUNDED: f64 = 1e-3;

/// Where errors are.
const BIT: &str = "tool bit";

pub(super) fn read_library(text: &str, name: &str, folder: &Path, table: &mut ToolTable) -> Result<(), NcError> {
    let wrong = |message: String| NcError::Tool { file: name.to_owned(), at: "tools".into(), message };
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(of_json(&error)))?;
    let entries =
        value.get("tools").and_then(Value::as_array).ok_or_else(|| wrong("there is no list of tools".into()))?;
    for (index, entry) in entries.iter().enumerate() {
        let number = entry.get("nr").and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
        let number = number.ok_or_else(|| wrong(format!("entry {index} has no number nr")))?;
        let file =
            entry.get("path").and_then(Value::as_str).ok_or_else(|| wrong(format!("entry {index} has no path")))?;
        // Libraries name bits that lie beside them, or in the folder Bit beside theirs.
        let places = [folder.join(file), folder.join("../Bit").join(file)];
        let path = places.iter().find(|path| path.is_file()).unwrap_or(&places[0]);
        let name_of_bit = path.display().to_string();
        let read = read_text(path).and_then(|text| bit(&text, &name_of_bit, number));
        // A library holds what a shop has: saws, probes and taps beside what this program needs.
        match read {
            Ok(read) => read.insert(&name_of_bit, table),
            Err(error) => table.leave_out(number, name, error.to_string()),
        }
    }
    Ok(())
}

pub(super) fn read_bit(text: &str, name: &str, table: &mut ToolTable) -> Result<(), NcError> {
    let number = table.iter().map(|tool| tool.number).max().map_or(1, |most| most + 1);
    bit(text, name, number)?.insert(name, table);
    Ok(())
}

/// A tool, and what was assumed about it.
struct Read {
    tool: Tool,
    note: Option<String>,
}

impl Read {
    fn insert(self, name: &str, table: &mut ToolTable) {
        if let Some(note) = self.note {
            table.note(format!("{name}: {note}"));
        }
        table.insert(self.tool);
    }
}

/// What a bit has: its shape and its parameters.
struct Bit<'b> {
    file: &'b str,
    shape: String,
    parameters: &'b Value,
}

impl Bit<'_> {
    fn wrong(&self, message: impl Into<String>) -> NcError {
        NcError::Tool { file: self.file.to_owned(), at: BIT.into(), message: message.into() }
    }

    fn get(&self, key: &str) -> Result<Option<f64>, NcError> {
        let value = self.parameters.get(key);
        value.map(|value| quantity(value).map_err(|message| self.wrong(format!("{key}: {message}")))).transpose()
    }

    fn needed(&self, key: &str) -> Result<f64, NcError> {
        self.get(key)?.ok_or_else(|| self.wrong(format!("{} needs the parameter {key}", self.shape)))
    }

    /// The cutter, its largest diameter, and how high it must be to reach that.
    fn cutter(&self) -> Result<(Cutter, f64, f64), NcError> {
        let diameter = self.needed("Diameter")?;
        Ok(match self.shape.as_str() {
            "endmill" | "reamer" => (Cutter::Flat, diameter, 0.0),
            "ballend" | "ballnose" => (Cutter::Ball, diameter, 0.5 * diameter),
            "bullnose" | "torus" => {
                let corner_radius = match (self.get("CornerRadius")?, self.get("TorusRadius")?) {
                    (Some(radius), _) | (None, Some(radius)) => radius,
                    _ => match self.get("FlatRadius")? {
                        Some(flat) => 0.5 * diameter - flat,
                        None => return Err(self.wrong("bullnose needs CornerRadius, TorusRadius or FlatRadius")),
                    },
                };
                (Cutter::Bull { corner_radius }, diameter, corner_radius)
            }
            "chamfer" | "v-bit" | "vbit" => {
                let tip_diameter = self.get("TipDiameter")?.unwrap_or(0.0);
                let angle = self.needed("CuttingEdgeAngle")?;
                (Cutter::Chamfer { angle, tip_diameter }, diameter, cone(angle, diameter - tip_diameter))
            }
            "drill" => {
                let angle = self.get("TipAngle")?.unwrap_or(118.0);
                (Cutter::Drill { angle }, diameter, cone(angle, diameter))
            }
            // Its Diameter is that of the ball, its angle the whole one.
            "taperedballnose" => {
                let (angle, top) = (self.needed("TaperAngle")?, self.needed("TaperDiameter")?);
                let cutter = Cutter::Taper { side_angle: 0.5 * angle, tip_radius: 0.5 * diameter };
                // The cone goes on from where the ball is as steep, not from where it is widest.
                let (sine, cosine) = (0.5 * angle).to_radians().sin_cos();
                let ball = 0.5 * diameter * (1.0 - sine);
                (cutter, top, ball + cone(angle, top - diameter * cosine))
            }
            // Of its sides with each other, or with the bottom: by the wider one of both.
            "dovetail" => {
                let angle = self.needed("CuttingEdgeAngle")?;
                (Cutter::Dovetail { angle: (0.5 * (180.0 - angle)).max(angle) }, diameter, 0.0)
            }
            other => {
                let known = "endmill, reamer, ballend, bullnose, chamfer, v-bit, drill, taperedballnose, dovetail";
                return Err(self.wrong(format!("shape {:?} is none of {known}", shown(other, 40))));
            }
        })
    }

    fn tool(&self, name: String, number: u32) -> Result<Read, NcError> {
        let (cutter, diameter, rise) = self.cutter()?;
        let (edge, length) = (self.get("CuttingEdgeHeight")?, self.get("Length")?);
        let said = edge.or(length).ok_or_else(|| self.wrong("there is neither CuttingEdgeHeight nor Length"))?;
        let length = length.unwrap_or(0.0);
        if length > 0.0 && rise > length + ROUNDED {
            let sizes = format!("its diameter of {diameter} mm at {rise:.3} mm, above its Length of {length} mm");
            return Err(self.wrong(format!("by its angle it reaches {sizes}")));
        }
        let cutting_length = said.max(rise);
        let plain = Plain { number, name, cutter, diameter, cutting_length, stick_out: None, shank: None };
        let mut tool = plain.tool(self.file, BIT)?;
        let shank = self.get("ShankDiameter")?.into_iter().chain(self.get("NeckDiameter")?).reduce(f64::max);
        let shank = shank.unwrap_or(diameter);
        // Whether the edge of a cone begins at its tip or above it is not said: as far up as it may
        // go the tool keeps its width.
        let is_cone = matches!(cutter, Cutter::Chamfer { .. } | Cutter::Taper { .. });
        let straight = if is_cone { rise + edge.unwrap_or(0.0) } else { 0.0 };
        for (wide, top) in [(shank.max(diameter), straight.min(length)), (shank, length)] {
            let rest = top - tool.length();
            if rest > ROUNDED {
                let stage = Stage { bottom: wide, top: wide, length: rest };
                tool = tool.with(Label::Shank, stage).map_err(|error| located(error, self.file, BIT))?;
            }
        }
        let note = edge.filter(|edge| is_cone && *edge + ROUNDED < rise);
        let note = note.map(|edge| {
            format!(
                "by its angle the cone is {rise:.3} mm high, by its CuttingEdgeHeight {edge} mm: the angle is taken"
            )
        });
        Ok(Read { tool, note })
    }
}

/// How high a cone of this whole angle is where it has become this much wider.
fn cone(angle: f64, wider: f64) -> f64 {
    if angle > 0.0 && angle < 180.0 { 0.5 * wider / (0.5 * angle).to_radians().tan() } else { 0.0 }
}

fn bit(text: &str, file: &str, number: u32) -> Result<Read, NcError> {
    let wrong = |message: &str| NcError::Tool { file: file.to_owned(), at: BIT.into(), message: message.into() };
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(&of_json(&error)))?;
    let title = value.get("name").and_then(Value::as_str).unwrap_or("tool bit").to_owned();
    let shape = value.get("shape").or_else(|| value.get("shape-type")).and_then(Value::as_str);
    let shape = shape.ok_or_else(|| wrong("there is no shape"))?.to_ascii_lowercase();
    let shape = shape.rsplit(['/', '\\']).next().unwrap_or("").trim_end_matches(".fcstd").to_owned();
    let parameters = value.get("parameter").ok_or_else(|| wrong("there are no parameters"))?;
    Bit { file, shape, parameters }.tool(title, number)
}

/// `"5.0000 mm"`, `"0.25 \""`, `"90 °"`, or a number: in millimetres or degrees.
fn quantity(value: &Value) -> Result<f64, String> {
    if let Some(number) = value.as_f64() {
        return Ok(number);
    }
    let text = value.as_str().ok_or_else(|| format!("{} is not a quantity", shown(&value.to_string(), 40)))?.trim();
    let split = text.find(|c: char| !(c.is_ascii_digit() || "+-.,eE".contains(c))).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 =
        number.replace(',', ".").parse().map_err(|_| format!("{:?} is not a quantity", shown(text, 40)))?;
    let factor = match unit.trim() {
        "" | "mm" | "°" | "deg" => 1.0,
        "cm" => 10.0,
        "m" => 1000.0,
        "µm" | "um" => 0.001,
        "in" | "\"" => 25.4,
        other => return Err(format!("the unit {:?} is not known", shown(other, 40))),
    };
    Ok(number * factor)
}
