//! COLLADA: XML with libraries of geometries, and nodes that show them.

mod geometry;
mod library;
mod primitive;
mod scene;
mod source;
mod transform;

use crate::assembly::Assembly;
use crate::budget::Budget;
use crate::error::{ParseError, XmlProblem};
use crate::format::{Parse, Reader};
use crate::part::Part;
use crate::placing::Placing;
use crate::text::excerpt;
use crate::units::{Units, UpAxis};
use crate::xml;
use library::Library;
use roxmltree::Node;
use std::path::Path;

pub(crate) const READER: Reader =
    Reader { name: "COLLADA", extensions: &["dae"], parse: Parse::Parts { placed, shared } };

fn placed(bytes: &[u8], _: Option<&Path>) -> Result<(Vec<Part>, Units), ParseError> {
    let mut budget = Budget::new(bytes.len() as u64);
    read(bytes, &mut budget)?.parts(&mut budget)
}

fn shared(bytes: &[u8], _: Option<&Path>) -> Result<(Assembly, Units), ParseError> {
    let mut budget = Budget::new(bytes.len() as u64);
    read(bytes, &mut budget)?.assembly(&mut budget)
}

fn read(bytes: &[u8], budget: &mut Budget) -> Result<Placing, ParseError> {
    let document = xml::parse(xml::text(bytes)?)?;
    let root = xml::root(&document, "COLLADA")?;
    let units = units(root)?;
    let library = Library::of(root)?;
    let mut placing = scene::placing(root, &library, budget)?;
    placing.units = units;
    Ok(placing)
}

/// What `<asset>` says, and what the specification says where it does not.
fn units(root: Node<'_, '_>) -> Result<Units, ParseError> {
    let asset = xml::named(root, "asset").next();
    let in_asset = |name| asset.and_then(|asset| xml::named(asset, name).next());
    let metres = match in_asset("unit") {
        Some(unit) if unit.has_attribute("meter") => {
            let metres = xml::number(unit, "meter")?;
            if metres <= 0.0 {
                let text = excerpt(xml::attribute(unit, "meter")?.as_bytes());
                return Err(xml::error(unit, XmlProblem::Unknown { what: "the length of the unit", text }));
            }
            metres
        }
        _ => 1.0,
    };
    let up = match in_asset("up_axis") {
        None => UpAxis::Y,
        Some(axis) => match axis.text().unwrap_or_default().trim() {
            "X_UP" => UpAxis::X,
            "Y_UP" => UpAxis::Y,
            "Z_UP" => UpAxis::Z,
            other => {
                let text = excerpt(other.as_bytes());
                return Err(xml::error(axis, XmlProblem::Unknown { what: "the axis", text }));
            }
        },
    };
    Ok(Units { metres_per_unit: Some(metres), up: Some(up) })
}
