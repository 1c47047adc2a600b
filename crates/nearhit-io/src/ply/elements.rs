//! Makes vertices and triangles of the records, and passes over the rest.

use super::header::{Element, Header};
use super::{Missing, Property, Source};
use crate::error::{ElementProblem, LineProblem, ParseError};
use crate::polygon::{Fan, Strip};
use crate::text::excerpt;
use nearhit::RawMesh;

const CORNERS: [&[u8]; 2] = [b"vertex_indices", b"vertex_index"];

/// What becomes of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Vertex,
    Face,
    /// As the old Stanford scans have it: -1 in the list ends a strip, and the next begins.
    Strips,
    Other,
}

/// What becomes of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// The index of the axis.
    Coordinate(usize),
    Corners,
    Skip,
}

pub(super) fn read(header: &Header<'_>, source: &mut impl Source) -> Result<RawMesh, ParseError> {
    let plans = header.elements.iter().map(plan).collect::<Result<Vec<_>, _>>()?;
    check_unique(header)?;
    let vertices = header.elements.iter().find(|element| role(element) == Role::Vertex);
    let mut reader = Reader { source, mesh: RawMesh::default(), vertices: vertices.map_or(0, |element| element.count) };
    for (element, uses) in header.elements.iter().zip(&plans) {
        reader.element(element, uses)?;
    }
    reader.source.finish()?;
    Ok(reader.mesh)
}

fn role(element: &Element<'_>) -> Role {
    match element.name {
        b"vertex" => Role::Vertex,
        b"face" => Role::Face,
        b"tristrips" => Role::Strips,
        _ => Role::Other,
    }
}

fn check_unique(header: &Header<'_>) -> Result<(), ParseError> {
    for wanted in [Role::Vertex, Role::Face, Role::Strips] {
        if let Some(second) = header.elements.iter().filter(|element| role(element) == wanted).nth(1) {
            return Err(second.error(ElementProblem::Twice));
        }
    }
    Ok(())
}

/// What becomes of every property of the element.
fn plan(element: &Element<'_>) -> Result<Vec<Use>, ParseError> {
    let role = role(element);
    let uses: Vec<Use> = element.properties.iter().map(|property| intended_use(role, property)).collect();
    for (place, (property, wanted)) in element.properties.iter().zip(&uses).enumerate() {
        let name = || excerpt(property.name);
        match (wanted, role, property.length) {
            (Use::Skip, ..) => continue,
            (Use::Corners, Role::Other, _) => {
                return Err(element.error(ElementProblem::MayHoldSurfaces { name: name() }));
            }
            (Use::Corners, _, None) => return Err(wrong_shape(element, name(), "a list")),
            (Use::Coordinate(_), _, Some(_)) => return Err(wrong_shape(element, name(), "a number")),
            _ => {}
        }
        if uses[..place].contains(wanted) {
            return Err(element.error(ElementProblem::PropertyTwice { name: name() }));
        }
    }
    match missing_property(role, &uses) {
        // An element that does not occur need not be described.
        Some(name) if element.count > 0 => Err(element.error(ElementProblem::NoProperty { name })),
        _ => Ok(uses),
    }
}

fn wrong_shape(element: &Element<'_>, name: String, expected: &'static str) -> ParseError {
    element.error(ElementProblem::WrongShape { name, expected })
}

fn intended_use(role: Role, property: &Property<'_>) -> Use {
    match (role, property.name) {
        (Role::Vertex, b"x") => Use::Coordinate(0),
        (Role::Vertex, b"y") => Use::Coordinate(1),
        (Role::Vertex, b"z") => Use::Coordinate(2),
        (Role::Face | Role::Strips, name) if CORNERS.contains(&name) => Use::Corners,
        (Role::Other, name) if CORNERS.contains(&name) && property.length.is_some() => Use::Corners,
        _ => Use::Skip,
    }
}

fn missing_property(role: Role, uses: &[Use]) -> Option<&'static str> {
    match role {
        Role::Vertex => (0..3).find(|&axis| !uses.contains(&Use::Coordinate(axis))).map(|axis| ["x", "y", "z"][axis]),
        Role::Face | Role::Strips => (!uses.contains(&Use::Corners)).then_some("vertex_indices"),
        Role::Other => None,
    }
}

struct Reader<'a, S> {
    source: &'a mut S,
    mesh: RawMesh,
    /// How many there will be, whether they come before the faces or after.
    vertices: u64,
}

impl<S: Source> Reader<'_, S> {
    fn element(&mut self, element: &Element<'_>, uses: &[Use]) -> Result<(), ParseError> {
        // Nothing is there to be read, however many times: a count in a header must not keep the
        // reader busy.
        if element.properties.is_empty() {
            return Ok(());
        }
        let role = role(element);
        self.reserve(element, role);
        for index in 0..element.count {
            if !self.source.begin_record() {
                return Err(self.too_few(element, index));
            }
            self.record(element, uses, role).map_err(|missing| match missing {
                Missing::Value(error) => error,
                Missing::Rest => self.too_few(element, index),
            })?;
            self.source.end_record()?;
        }
        Ok(())
    }

    /// No more room than there are bytes for.
    fn reserve(&mut self, element: &Element<'_>, role: Role) {
        let room = |smallest| element.count.min(self.source.most_records(smallest)) as usize;
        match role {
            Role::Vertex => self.mesh.vertices.reserve_exact(room(element.smallest_record())),
            // The smallest face has three corners, of at least one byte each.
            Role::Face => self.mesh.triangles.reserve_exact(room(element.smallest_record() + 3)),
            Role::Strips | Role::Other => {}
        }
    }

    fn too_few(&self, element: &Element<'_>, index: u64) -> ParseError {
        let problem = LineProblem::TooFewElements { element: excerpt(element.name), index, declared: element.count };
        self.source.error(problem)
    }

    fn record(&mut self, element: &Element<'_>, uses: &[Use], role: Role) -> Result<(), Missing> {
        let mut point = [0.0; 3];
        for (property, wanted) in element.properties.iter().zip(uses) {
            match (wanted, role) {
                (Use::Coordinate(axis), _) => point[*axis] = self.coordinate(property, *axis)?,
                (Use::Corners, Role::Strips) => self.strips(property)?,
                (Use::Corners, _) => self.face(property)?,
                (Use::Skip, _) => self.skip(property)?,
            }
        }
        if role == Role::Vertex {
            self.mesh.vertices.push(point);
        }
        Ok(())
    }

    #[inline]
    fn coordinate(&mut self, property: &Property<'_>, axis: usize) -> Result<f64, Missing> {
        let value = self.source.number(property.scalar, property)?;
        self.source.coordinate(value, ['x', 'y', 'z'][axis]).map_err(|problem| self.wrong(problem))
    }

    fn skip(&mut self, property: &Property<'_>) -> Result<(), Missing> {
        for _ in 0..self.values(property)? {
            self.source.skip(property.scalar, property)?;
        }
        Ok(())
    }

    /// How many values the property has.
    #[inline]
    fn values(&mut self, property: &Property<'_>) -> Result<u64, Missing> {
        let Some(length) = property.length else { return Ok(1) };
        let number = self.source.number(length, property)?;
        let whole = number.filter(|number| *number >= 0.0 && number.fract() == 0.0);
        // The conversion saturates; no file has so many values.
        whole.map(|number| number as u64).ok_or_else(|| {
            let text = self.source.last_text();
            self.wrong(LineProblem::NotACount { what: "the length of a list", text })
        })
    }

    fn face(&mut self, property: &Property<'_>) -> Result<(), Missing> {
        let corners = self.values(property)?;
        if corners < 3 {
            return Err(self.wrong(LineProblem::TooFewCorners { found: corners as usize }));
        }
        let mut fan = Fan::default();
        for _ in 0..corners {
            let number = self.source.number(property.scalar, property)?;
            let corner = self.corner(number)?;
            fan.push(corner, &mut self.mesh.triangles);
        }
        Ok(())
    }

    fn strips(&mut self, property: &Property<'_>) -> Result<(), Missing> {
        let mut strip = Strip::default();
        for _ in 0..self.values(property)? {
            let number = self.source.number(property.scalar, property)?;
            if number == Some(-1.0) {
                self.end_strip(&strip)?;
                strip = Strip::default();
            } else {
                let corner = self.corner(number)?;
                strip.push(corner, &mut self.mesh.triangles);
            }
        }
        self.end_strip(&strip)
    }

    fn end_strip(&self, strip: &Strip) -> Result<(), Missing> {
        match strip.corners() {
            found @ 1..3 => Err(self.wrong(LineProblem::TooFewCorners { found })),
            _ => Ok(()),
        }
    }

    #[inline]
    fn corner(&self, number: Option<f64>) -> Result<u32, Missing> {
        let vertices = self.vertices;
        match number {
            Some(index) if index.fract() == 0.0 && index >= 0.0 && (index as u64) < vertices => {
                // What saturates names one of more vertices than a mesh may have.
                Ok(u32::try_from(index as u64).unwrap_or(u32::MAX))
            }
            Some(index) if index.fract() == 0.0 => {
                Err(self.wrong(LineProblem::NoSuchVertex { text: self.source.last_text(), vertices }))
            }
            _ => Err(self.wrong(LineProblem::NotAVertex { text: self.source.last_text() })),
        }
    }

    fn wrong(&self, problem: LineProblem) -> Missing {
        Missing::Value(self.source.error(problem))
    }
}
