//! One model of the archive: its objects and its build.

use crate::error::{ParseError, XmlProblem};
use crate::text::excerpt;
use crate::xml::{self, Lines, Place};
use glam::{DAffine3, DMat3, DVec3};
use nearhit::RawMesh;
use roxmltree::Node;
use std::collections::HashMap;
use std::rc::Rc;

/// Extensions that hide no triangles, or none that this reader would miss.
const HARMLESS: [&str; 2] = [
    // Components of other models of the archive, which are followed.
    "http://schemas.microsoft.com/3dmanufacturing/production/2015/06",
    // Colours and materials.
    "http://schemas.microsoft.com/3dmanufacturing/material/2015/02",
];
const PRODUCTION: &str = HARMLESS[0];

#[derive(Debug)]
pub(super) struct Model {
    pub(super) metres_per_unit: f64,
    pub(super) objects: HashMap<Rc<str>, Object>,
    pub(super) build: Vec<Reference>,
}

/// An object is a mesh or made of components, or neither.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) name: String,
    pub(super) mesh: Option<RawMesh>,
    pub(super) components: Vec<Reference>,
}

/// An object shown somewhere.
#[derive(Debug)]
pub(super) struct Reference {
    /// Another model of the archive.
    pub(super) path: Option<String>,
    pub(super) object: Rc<str>,
    pub(super) to_from_object: DAffine3,
    pub(super) place: Place,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Model, ParseError> {
    let text = xml::text(bytes)?;
    let document = xml::parse(text)?;
    let root = xml::root(&document, "model")?;
    check_extensions(root)?;
    let lines = Lines::of(text);
    let mut objects = HashMap::new();
    for object in xml::named(root, "resources").flat_map(|resources| xml::named(resources, "object")) {
        let id = xml::attribute(object, "id")?;
        if objects.insert(id.into(), read_object(object, &lines)?).is_some() {
            let id = excerpt(id.as_bytes());
            return Err(xml::error(object, XmlProblem::Twice { what: "object", id }));
        }
    }
    let items = xml::named(root, "build").flat_map(|build| xml::named(build, "item"));
    let build = items.map(|item| reference(item, &lines)).collect::<Result<_, _>>()?;
    Ok(Model { metres_per_unit: metres_per_unit(root)?, objects, build })
}

fn metres_per_unit(root: Node<'_, '_>) -> Result<f64, ParseError> {
    Ok(match root.attribute("unit").unwrap_or("millimeter") {
        "micron" => 1e-6,
        "millimeter" => 1e-3,
        "centimeter" => 1e-2,
        "inch" => 0.0254,
        "foot" => 0.3048,
        "meter" => 1.0,
        other => {
            let text = excerpt(other.as_bytes());
            return Err(xml::error(root, XmlProblem::Unknown { what: "the unit", text }));
        }
    })
}

fn check_extensions(root: Node<'_, '_>) -> Result<(), ParseError> {
    for prefix in root.attribute("requiredextensions").unwrap_or_default().split_ascii_whitespace() {
        let address = root.lookup_namespace_uri(Some(prefix)).unwrap_or(prefix);
        if !HARMLESS.contains(&address) {
            let address = excerpt(address.as_bytes());
            return Err(xml::unsupported(root, format!("the required extension {address:?}")));
        }
    }
    Ok(())
}

fn read_object(object: Node<'_, '_>, lines: &Lines) -> Result<Object, ParseError> {
    let given =
        ["name", "partnumber"].into_iter().filter_map(|key| object.attribute(key)).find(|name| !name.is_empty());
    let id = object.attribute("id").unwrap_or_default();
    let name = given.map_or_else(|| format!("object_{id}"), str::to_owned);
    let mesh = xml::named(object, "mesh").next().map(read_mesh).transpose()?;
    let components = xml::named(object, "components").flat_map(|all| xml::named(all, "component"));
    let components = components.map(|component| reference(component, lines)).collect::<Result<_, _>>()?;
    Ok(Object { name, mesh, components })
}

fn reference(element: Node<'_, '_>, lines: &Lines) -> Result<Reference, ParseError> {
    let to_from_object = match element.attribute("transform") {
        None => DAffine3::IDENTITY,
        Some(text) => {
            // A row of the file is where an axis goes: its points are rows, and stand on the left.
            let rows = xml::numbers::<12>(element, text)?;
            let row = |index: usize| DVec3::new(rows[3 * index], rows[3 * index + 1], rows[3 * index + 2]);
            DAffine3::from_mat3_translation(DMat3::from_cols(row(0), row(1), row(2)), row(3))
        }
    };
    Ok(Reference {
        path: element.attribute((PRODUCTION, "path")).map(str::to_owned),
        object: xml::attribute(element, "objectid")?.into(),
        to_from_object,
        place: lines.place(element),
    })
}

fn read_mesh(element: Node<'_, '_>) -> Result<RawMesh, ParseError> {
    let mut mesh = RawMesh::default();
    if let Some(lattice) = xml::named(element, "beamlattice").next() {
        return Err(xml::unsupported(lattice, "a lattice of beams"));
    }
    for vertex in xml::named(element, "vertices").flat_map(|all| xml::named(all, "vertex")) {
        mesh.vertices.push([xml::number(vertex, "x")?, xml::number(vertex, "y")?, xml::number(vertex, "z")?]);
    }
    let vertices = mesh.vertices.len();
    for triangle in xml::named(element, "triangles").flat_map(|all| xml::named(all, "triangle")) {
        let corner = |name| match xml::count(triangle, name)? {
            // Past 2^32 vertices the index saturates, which the mesh check refuses.
            index if index < vertices => Ok(u32::try_from(index).unwrap_or(u32::MAX)),
            index => Err(xml::error(triangle, XmlProblem::NoVertex { index, vertices })),
        };
        mesh.triangles.push([corner("v1")?, corner("v2")?, corner("v3")?]);
    }
    Ok(mesh)
}
