//! A geometry as a mesh in its own frame.

use super::library::Library;
use super::primitive::{self, Kind, Layout};
use super::source;
use crate::error::{ParseError, XmlProblem};
use crate::xml;
use nearhit::RawMesh;
use roxmltree::Node;
use std::collections::HashMap;

/// Primitives share their vertices where they name the same `<vertices>`.
pub(super) fn mesh<'a, 'input>(
    geometry: Node<'a, 'input>,
    library: &Library<'a, 'input>,
) -> Result<RawMesh, ParseError> {
    let mut mesh = RawMesh::default();
    for kind in xml::elements(geometry) {
        match kind.tag_name().name() {
            "mesh" => add(kind, library, &mut mesh)?,
            // Surfaces that are no triangles, and would be lost.
            surface @ ("convex_mesh" | "brep") => return Err(xml::unsupported(kind, format!("<{surface}>"))),
            // Curves have no surface; notes say nothing about it.
            _ => {}
        }
    }
    Ok(mesh)
}

fn add<'a, 'input>(
    element: Node<'a, 'input>,
    library: &Library<'a, 'input>,
    mesh: &mut RawMesh,
) -> Result<(), ParseError> {
    let mut ranges: HashMap<roxmltree::NodeId, (usize, usize)> = HashMap::new();
    for primitive in xml::elements(element) {
        let Some(kind) = Kind::of(primitive) else { continue };
        let (stride, vertex, vertices) = inputs(primitive, library)?;
        let (first, count) = match ranges.get(&vertices.id()) {
            Some(&range) => range,
            None => {
                let range = (mesh.vertices.len(), append(vertices, library, mesh)?);
                ranges.insert(vertices.id(), range);
                range
            }
        };
        primitive::read(kind, primitive, Layout { stride, vertex, first, vertices: count }, mesh)?;
    }
    Ok(())
}

/// Appends the points; returns how many.
fn append<'a, 'input>(
    vertices: Node<'a, 'input>,
    library: &Library<'a, 'input>,
    mesh: &mut RawMesh,
) -> Result<usize, ParseError> {
    let positions = source::positions(vertices, library)?;
    mesh.vertices.extend(&positions);
    Ok(positions.len())
}

/// How many indices a corner has, which of them is the vertex, and the vertices.
fn inputs<'a, 'input>(
    primitive: Node<'a, 'input>,
    library: &Library<'a, 'input>,
) -> Result<(usize, usize, Node<'a, 'input>), ParseError> {
    let (mut stride, mut found) = (0, None);
    for input in xml::named(primitive, "input") {
        let offset = if input.has_attribute("offset") { xml::count(input, "offset")? } else { 0 };
        // More than any file could have: the sum must not overflow.
        if offset > 1 << 20 {
            return Err(xml::unsupported(input, format!("an offset of {offset}")));
        }
        stride = stride.max(offset + 1);
        if input.attribute("semantic") == Some("VERTEX") {
            found = Some((offset, library.named(input, "source", "vertices")?));
        }
    }
    let missing = || xml::error(primitive, XmlProblem::Missing { what: "<input semantic=\"VERTEX\">".into() });
    let (vertex, vertices) = found.ok_or_else(missing)?;
    Ok((stride, vertex, vertices))
}
