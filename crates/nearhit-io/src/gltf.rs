//! glTF 2.0: nodes that place meshes, whose numbers are in buffers. As JSON, or as GLB with a
//! buffer inside.

mod accessor;
mod buffers;
mod builder;
mod container;
mod document;
mod nodes;
mod scene;
mod uri;

use crate::assembly::Assembly;
use crate::error::{GltfPlace, GltfProblem, ParseError};
use crate::format::{Parse, Reader};
use crate::part::Part;
use crate::units::{Units, UpAxis};
use buffers::Buffers;
use document::Document;
use glam::DAffine3;
use std::path::Path;

pub(crate) const READER: Reader = Reader { name: "glTF", extensions: &["gltf", "glb"], parse: PARSE };
const PARSE: Parse = Parse::Parts { placed, shared };

/// What the specification says of all files.
const UNITS: Units = Units { metres_per_unit: Some(1.0), up: Some(UpAxis::Y) };

/// Extensions that say nothing about where triangles are: materials, textures, lights, other
/// descriptions of them.
const HARMLESS: [&str; 8] = [
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_xmp",
    // Positions in small integers, which the accessors understand.
    "KHR_mesh_quantization",
];

/// `folder` is where the files are that the buffers name; without one there are none.
fn placed(bytes: &[u8], folder: Option<&Path>) -> Result<(Vec<Part>, Units), ParseError> {
    Ok((parse(bytes, folder, scene::parts)?, UNITS))
}

fn shared(bytes: &[u8], folder: Option<&Path>) -> Result<(Assembly, Units), ParseError> {
    Ok((parse(bytes, folder, scene::assembly)?, UNITS))
}

/// The opened document, its buffers, where its nodes are, and the length of it all, made into
/// something.
type Make<T> = fn(&Document, &Buffers<'_>, &[DAffine3], u64) -> Result<T, ParseError>;

fn parse<T>(bytes: &[u8], folder: Option<&Path>, make: Make<T>) -> Result<T, ParseError> {
    let (document, chunk) = container::open(bytes)?;
    let version = &document.asset.version;
    if version != "2" && !version.starts_with("2.") {
        return Err(error(GltfPlace::File, GltfProblem::Version { version: version.clone() }));
    }
    check_extensions(&document.extensions_required)?;
    let world_from_node = nodes::world_from_node(&document.nodes)?;
    let buffers = Buffers::load(&document.buffers, chunk, folder)?;
    let length = bytes.len() as u64 + buffers.loaded_bytes();
    make(&document, &buffers, &world_from_node, length)
}

fn check_extensions(required: &[String]) -> Result<(), ParseError> {
    let harmless = |name: &String| HARMLESS.iter().any(|harmless| name.starts_with(harmless));
    match required.iter().find(|name| !harmless(name)) {
        None => Ok(()),
        Some(name) => Err(error(GltfPlace::File, GltfProblem::Extension { name: name.clone() })),
    }
}

fn error(place: GltfPlace, problem: GltfProblem) -> ParseError {
    ParseError::Gltf { place, problem }
}

/// The object that an index in the file means.
fn get<'a, T>(all: &'a [T], what: &'static str, index: usize, place: GltfPlace) -> Result<&'a T, ParseError> {
    all.get(index).ok_or_else(|| error(place, GltfProblem::NoSuch { what, index, count: all.len() }))
}
