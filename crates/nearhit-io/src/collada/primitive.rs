//! Triangles, polygons, strips and fans: lists of indices, of which only those of vertices count.

use crate::error::{ParseError, XmlProblem};
use crate::polygon::{Fan, Strip};
use crate::xml::{self, Word};
use nearhit::RawMesh;
use roxmltree::Node;

/// What an element with corners is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Triangles,
    Polylist,
    Polygons,
    Strips,
    Fans,
}

impl Kind {
    /// None for lines, which have no triangles, and for what is no primitive at all.
    pub(super) fn of(element: Node<'_, '_>) -> Option<Self> {
        match element.tag_name().name() {
            "triangles" => Some(Self::Triangles),
            "polylist" => Some(Self::Polylist),
            "polygons" => Some(Self::Polygons),
            "tristrips" => Some(Self::Strips),
            "trifans" => Some(Self::Fans),
            _ => None,
        }
    }
}

/// How the indices of a corner lie beside each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Indices of a corner.
    pub(super) stride: usize,
    /// Which of them is the vertex's.
    pub(super) vertex: usize,
    /// Index of the first vertex in the mesh, and how many there are.
    pub(super) first: usize,
    pub(super) vertices: usize,
}

impl Layout {
    /// The corners of a list of indices, as vertices of the mesh.
    fn corners(self, list: Node<'_, '_>) -> Result<Vec<u32>, ParseError> {
        let mut corners = Vec::new();
        let mut found = 0;
        for word in xml::words(list) {
            if found % self.stride == self.vertex {
                corners.push(self.corner(list, word)?);
            }
            found += 1;
        }
        if found % self.stride == 0 {
            return Ok(corners);
        }
        let expected = found.next_multiple_of(self.stride);
        Err(xml::error(list, XmlProblem::Count { what: "indices", expected, found }))
    }

    fn corner(self, list: Node<'_, '_>, word: Word<'_>) -> Result<u32, ParseError> {
        let index = word.count(list, "an index")?;
        if index >= self.vertices {
            return Err(word.error(list, XmlProblem::NoVertex { index, vertices: self.vertices }));
        }
        // Past 2^32 vertices the index saturates, which the mesh check refuses.
        Ok(u32::try_from(self.first + index).unwrap_or(u32::MAX))
    }
}

/// Appends the triangles of one element.
pub(super) fn read(kind: Kind, element: Node<'_, '_>, layout: Layout, mesh: &mut RawMesh) -> Result<(), ParseError> {
    let before = mesh.triangles.len();
    match kind {
        Kind::Polylist => polylist(element, layout, mesh)?,
        Kind::Triangles => {
            for list in xml::named(element, "p") {
                let corners = layout.corners(list)?;
                if corners.len() % 3 != 0 {
                    return Err(xml::error(list, XmlProblem::Corners { found: corners.len() }));
                }
                mesh.triangles.extend(corners.chunks_exact(3).map(|corner| [corner[0], corner[1], corner[2]]));
            }
            check_count(element, mesh.triangles.len() - before)?;
        }
        Kind::Polygons => {
            if let Some(holes) = xml::named(element, "ph").next() {
                return Err(xml::unsupported(holes, "a polygon with holes"));
            }
            each_list(element, layout, |corners| fan(corners, mesh))?;
        }
        Kind::Fans => each_list(element, layout, |corners| fan(corners, mesh))?,
        Kind::Strips => each_list(element, layout, |corners| strip(corners, mesh))?,
    }
    Ok(())
}

/// Every `<p>` is a polygon, a fan or a strip.
fn each_list(element: Node<'_, '_>, layout: Layout, mut add: impl FnMut(&[u32])) -> Result<(), ParseError> {
    let mut lists = 0;
    for list in xml::named(element, "p") {
        let corners = layout.corners(list)?;
        if corners.len() < 3 {
            return Err(xml::error(list, XmlProblem::Corners { found: corners.len() }));
        }
        add(&corners);
        lists += 1;
    }
    check_count(element, lists)
}

/// Corners of all polygons one after the other, and how many each has.
fn polylist(element: Node<'_, '_>, layout: Layout, mesh: &mut RawMesh) -> Result<(), ParseError> {
    let corners = match xml::named(element, "p").next() {
        Some(list) => layout.corners(list)?,
        None => Vec::new(),
    };
    let mut rest = &corners[..];
    let (mut polygons, mut declared) = (0, 0usize);
    for counts in xml::named(element, "vcount") {
        for word in xml::words(counts) {
            let count = word.count(counts, "a number of corners")?;
            if count < 3 {
                return Err(word.error(counts, XmlProblem::Corners { found: count }));
            }
            declared = declared.saturating_add(count);
            if let Some((polygon, others)) = rest.split_at_checked(count) {
                fan(polygon, mesh);
                rest = others;
            }
            polygons += 1;
        }
    }
    if declared != corners.len() {
        let problem = XmlProblem::Count { what: "corners", expected: declared, found: corners.len() };
        return Err(xml::error(element, problem));
    }
    check_count(element, polygons)
}

/// The attribute `count` is believed only where it is right.
fn check_count(element: Node<'_, '_>, found: usize) -> Result<(), ParseError> {
    let expected = if element.has_attribute("count") { xml::count(element, "count")? } else { found };
    let problem = XmlProblem::Count { what: "primitives", expected, found };
    if expected == found { Ok(()) } else { Err(xml::error(element, problem)) }
}

fn fan(corners: &[u32], mesh: &mut RawMesh) {
    let mut fan = Fan::default();
    corners.iter().for_each(|&corner| fan.push(corner, &mut mesh.triangles));
}

fn strip(corners: &[u32], mesh: &mut RawMesh) {
    let mut strip = Strip::default();
    corners.iter().for_each(|&corner| strip.push(corner, &mut mesh.triangles));
}
