//! Tool bits (`.fctb`) and libraries (`.fctl`) of FreeCAD: JSON with quantities as text.

use super::Cutter;
use super::table::{Plain, ToolTable, read_text};
use crate::error::NcError;
use serde_json::Value;
use std::path::Path;

pub(super) fn read_library(text: &str, name: &str, folder: &Path, table: &mut ToolTable) -> Result<(), NcError> {
    let wrong = |message: String| NcError::Tool { file: name.to_owned(), at: "tools".into(), message };
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
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
        read_bit(&read_text(path)?, &path.display().to_string(), Some(number), table)?;
    }
    Ok(())
}

pub(super) fn read_bit(text: &str, name: &str, number: Option<u32>, table: &mut ToolTable) -> Result<(), NcError> {
    let wrong = |message: String| NcError::Tool { file: name.to_owned(), at: "tool bit".into(), message };
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let title = value.get("name").and_then(Value::as_str).unwrap_or("tool bit").to_owned();
    let shape = value.get("shape").or_else(|| value.get("shape-type")).and_then(Value::as_str);
    let shape = shape.ok_or_else(|| wrong("there is no shape".into()))?.to_ascii_lowercase();
    let shape = shape.rsplit(['/', '\\']).next().unwrap_or("").trim_end_matches(".fcstd").to_owned();
    let parameters = value.get("parameter").ok_or_else(|| wrong("there are no parameters".into()))?;
    let optional = |key: &str| {
        parameters.get(key).map(|value| quantity(value).map_err(|message| wrong(format!("{key}: {message}"))))
    };
    let needed = |key: &str| optional(key).unwrap_or_else(|| Err(wrong(format!("{shape} needs the parameter {key}"))));
    let diameter = needed("Diameter")?;
    let edge = optional("CuttingEdgeHeight").transpose()?;
    let length = optional("Length").transpose()?;
    let cutter = match shape.as_str() {
        "endmill" | "reamer" => Cutter::Flat,
        "ballend" | "ballnose" => Cutter::Ball,
        "bullnose" | "torus" => {
            let corner_radius = match (optional("TorusRadius"), optional("FlatRadius")) {
                (Some(radius), _) => radius?,
                (None, Some(flat)) => 0.5 * diameter - flat?,
                _ => return Err(wrong("bullnose needs TorusRadius or FlatRadius".into())),
            };
            Cutter::Bull { corner_radius }
        }
        "chamfer" | "v-bit" | "vbit" => {
            let tip_diameter = optional("TipDiameter").transpose()?.unwrap_or(0.0);
            Cutter::Chamfer { angle: needed("CuttingEdgeAngle")?, tip_diameter }
        }
        "drill" => Cutter::Drill { angle: optional("TipAngle").transpose()?.unwrap_or(118.0) },
        "dovetail" => Cutter::Dovetail { angle: 0.5 * (180.0 - needed("CuttingEdgeAngle")?) },
        other => {
            let known = "endmill, ballend, bullnose, chamfer, v-bit, drill, dovetail";
            return Err(wrong(format!("shape {other:?} is none of {known}")));
        }
    };
    let cutting_length =
        edge.or(length).ok_or_else(|| wrong("there is neither CuttingEdgeHeight nor Length".into()))?;
    let number = number.unwrap_or_else(|| table.iter().map(|tool| tool.number).max().map_or(1, |most| most + 1));
    let shank = optional("ShankDiameter").or_else(|| optional("NeckDiameter")).transpose()?;
    let plain = Plain { number, name: title, cutter, diameter, cutting_length, stick_out: length, shank };
    table.insert(plain.tool(name, "tool bit")?);
    Ok(())
}

/// `"5.0000 mm"`, `"0.25 \""`, `"90 °"`, or a number: in millimetres or degrees.
fn quantity(value: &Value) -> Result<f64, String> {
    if let Some(number) = value.as_f64() {
        return Ok(number);
    }
    let text = value.as_str().ok_or_else(|| format!("{value} is not a quantity"))?.trim();
    let split = text.find(|c: char| !(c.is_ascii_digit() || "+-.,eE".contains(c))).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.replace(',', ".").parse().map_err(|_| format!("{text:?} is not a quantity"))?;
    let factor = match unit.trim() {
        "" | "mm" | "°" | "deg" => 1.0,
        "cm" => 10.0,
        "m" => 1000.0,
        "µm" | "um" => 0.001,
        "in" | "\"" => 25.4,
        other => return Err(format!("the unit {other:?} is not known")),
    };
    Ok(number * factor)
}
