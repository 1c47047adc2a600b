//! URDF: links, joints and geometry, as the file has them. What the tree makes of them is in
//! [`tree`](crate::tree).

use crate::error::{Problem, RobotError};
use crate::geometry::{Geometry, LinkGeometry};
use crate::joint::{JointKind, Limits};
use crate::resource::SearchPath;
use crate::xml::{self, Ignored, Xml, elements, excerpt};
use glam::DVec3;
use nearhit::Pose;
use nearhit_io::XmlProblem;
use roxmltree::Node;
use std::path::Path;

/// A robot's file.
pub(crate) struct Urdf {
    pub(crate) name: String,
    pub(crate) links: Vec<Link>,
    pub(crate) joints: Vec<NamedJoint>,
    pub(crate) ignored: Vec<Ignored>,
}

/// A link of a robot: a rigid body.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Link {
    /// No other link of the robot has the same.
    pub name: String,
    /// What collides.
    pub collision: Vec<LinkGeometry>,
    /// What is seen.
    pub visual: Vec<LinkGeometry>,
    /// Number of the line in the URDF, from 1.
    pub line: usize,
}

/// A joint whose links are names.
pub(crate) struct NamedJoint {
    pub(crate) name: String,
    pub(crate) kind: JointKind,
    pub(crate) parent: String,
    pub(crate) child: String,
    pub(crate) parent_from_joint: Pose,
    pub(crate) axis: DVec3,
    pub(crate) limits: Option<Limits>,
    pub(crate) mimic: Option<(String, f64, f64)>,
    pub(crate) line: usize,
}

/// Which geometry of the links is read. Files that are not there are errors only where they are
/// asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum LoadGeometry {
    /// What collides.
    #[default]
    Collision,
    /// What collides, and what is seen.
    All,
    /// None: for kinematics.
    Nothing,
}

pub(crate) fn parse(path: &Path, text: &str, wanted: LoadGeometry, search: &SearchPath) -> Result<Urdf, RobotError> {
    let document = xml::parse(path, text)?;
    let reader = Reader { xml: Xml::new(path, text), wanted, search };
    let root = document.root_element();
    check_xacro(&reader.xml, root)?;
    if !root.has_tag_name("robot") {
        return Err(reader.xml.error(root, XmlProblem::Root { expected: "robot" }));
    }
    let name = root.attribute("name").unwrap_or_default().to_owned();
    let mut urdf = Urdf { name, links: Vec::new(), joints: Vec::new(), ignored: Vec::new() };
    for element in elements(root) {
        match element.tag_name().name() {
            "link" => urdf.links.push(reader.link(element)?),
            "joint" => urdf.joints.push(reader.joint(element)?),
            // Colours, to be looked up by name.
            "material" => {}
            _ => reader.xml.ignore(element),
        }
    }
    urdf.ignored = reader.xml.into_ignored();
    Ok(urdf)
}

/// Elements and attributes of the namespace of xacro, or what its programs leave in values.
fn check_xacro(xml: &Xml<'_>, root: Node<'_, '_>) -> Result<(), RobotError> {
    let is_xacro = |node: &Node<'_, '_>| {
        let name = node.tag_name();
        let of_namespace = name.namespace().is_some_and(|uri| uri.contains("xacro"));
        of_namespace
            || node.attributes().any(|attribute| attribute.value().contains("${") || attribute.value().contains("$("))
    };
    let plugin = |node: &Node<'_, '_>| node.ancestors().any(|above| above.has_tag_name("gazebo"));
    match root.descendants().filter(Node::is_element).find(|node| is_xacro(node) && !plugin(node)) {
        Some(node) => Err(RobotError::Xacro { path: xml.path.into(), line: xml.line(node) }),
        None => Ok(()),
    }
}

struct Reader<'a> {
    xml: Xml<'a>,
    wanted: LoadGeometry,
    search: &'a SearchPath,
}

impl Reader<'_> {
    fn link(&self, element: Node<'_, '_>) -> Result<Link, RobotError> {
        let name = self.xml.attribute(element, "name")?.to_owned();
        let mut link = Link { name, collision: Vec::new(), visual: Vec::new(), line: self.xml.line(element) };
        for child in elements(element) {
            match (child.tag_name().name(), self.wanted) {
                ("collision", LoadGeometry::All | LoadGeometry::Collision) => {
                    link.collision.extend(self.geometry(child)?)
                }
                ("visual", LoadGeometry::All) => link.visual.extend(self.geometry(child)?),
                ("collision" | "visual" | "inertial", _) => {}
                _ => self.xml.ignore(child),
            }
        }
        Ok(link)
    }

    fn geometry(&self, element: Node<'_, '_>) -> Result<Option<LinkGeometry>, RobotError> {
        let link_from_geometry = self.origin(element)?;
        let geometry = self.xml.child(element, "geometry")?;
        let Some(shape) = elements(geometry).next() else {
            return Err(self.xml.error(geometry, XmlProblem::Missing { what: "shape".into() }));
        };
        let name = element.attribute("name").map(str::to_owned);
        let line = self.xml.line(element);
        let geometry = self.shape(shape)?;
        Ok(Some(LinkGeometry { name, link_from_geometry, geometry, line }))
    }

    fn shape(&self, shape: Node<'_, '_>) -> Result<Geometry, RobotError> {
        let xml = &self.xml;
        Ok(match shape.tag_name().name() {
            "box" => {
                let size = xml.numbers::<3>(shape, "size")?;
                let should = "a side must be above 0";
                if let Some(&value) = size.iter().find(|&&side| side <= 0.0) {
                    let what = "attribute \"size\"".to_owned();
                    return Err(xml.error(shape, Problem::OutOfRange { what, value, should }));
                }
                Geometry::Box { size }
            }
            "cylinder" => {
                Geometry::Cylinder { radius: xml.length(shape, "radius")?, length: xml.length(shape, "length")? }
            }
            "capsule" => {
                Geometry::Capsule { radius: xml.length(shape, "radius")?, length: xml.length(shape, "length")? }
            }
            "sphere" => Geometry::Sphere { radius: xml.length(shape, "radius")? },
            "mesh" => self.mesh(shape)?,
            other => {
                let known = "box, cylinder, sphere, capsule, mesh";
                return Err(xml.error(shape, Problem::Unknown { what: "the shape", text: excerpt(other), known }));
            }
        })
    }

    fn mesh(&self, shape: Node<'_, '_>) -> Result<Geometry, RobotError> {
        let address = self.xml.attribute(shape, "filename")?;
        let scale = if shape.has_attribute("scale") { self.xml.numbers::<3>(shape, "scale")? } else { [1.0; 3] };
        if scale.contains(&0.0) {
            let what = "attribute \"scale\"".to_owned();
            return Err(self
                .xml
                .error(shape, Problem::OutOfRange { what, value: 0.0, should: "a factor must not be 0" }));
        }
        let path = self.search.resolve(address, self.xml.path).map_err(|problem| self.xml.error(shape, problem))?;
        Ok(Geometry::Mesh { address: address.to_owned(), path, scale })
    }

    /// Where an element is: the identity if it does not say.
    fn origin(&self, element: Node<'_, '_>) -> Result<Pose, RobotError> {
        let Some(origin) = self.xml.optional(element, "origin")? else { return Ok(Pose::IDENTITY) };
        let numbers =
            |name| if origin.has_attribute(name) { self.xml.numbers::<3>(origin, name) } else { Ok([0.0; 3]) };
        let (xyz, rpy) = (numbers("xyz")?, numbers("rpy")?);
        pose_of_origin(xyz, rpy).map_err(|error| self.xml.error(origin, error))
    }

    fn joint(&self, element: Node<'_, '_>) -> Result<NamedJoint, RobotError> {
        let name = self.xml.attribute(element, "name")?.to_owned();
        let kind = self.xml.attribute(element, "type")?;
        let unknown = || Problem::Unknown { what: "the type", text: excerpt(kind), known: JointKind::NAMES };
        let kind = JointKind::from_name(kind).ok_or_else(|| self.xml.error(element, unknown()))?;
        for child in elements(element) {
            match child.tag_name().name() {
                "origin" | "parent" | "child" | "axis" | "limit" | "mimic" => {}
                // Of dynamics and control.
                _ => self.xml.ignore(child),
            }
        }
        let link = |end| self.xml.attribute(self.xml.child(element, end)?, "link").map(str::to_owned);
        Ok(NamedJoint {
            parent: link("parent")?,
            child: link("child")?,
            parent_from_joint: self.origin(element)?,
            axis: self.axis(element, kind)?,
            limits: self.limits(element, kind)?,
            mimic: self.mimic(element, kind)?,
            line: self.xml.line(element),
            name,
            kind,
        })
    }

    fn axis(&self, joint: Node<'_, '_>, kind: JointKind) -> Result<DVec3, RobotError> {
        let Some(element) = self.xml.optional(joint, "axis")? else { return Ok(DVec3::X) };
        let axis = DVec3::from(self.xml.numbers::<3>(element, "xyz")?);
        let largest = axis.abs().max_element();
        if matches!(kind, JointKind::Fixed | JointKind::Floating) {
            return Ok(DVec3::X);
        }
        if largest == 0.0 {
            return Err(self.xml.error(element, Problem::Axis { axis: axis.to_array() }));
        }
        // An axis of the frame keeps its bits. Scaled first: squares of small numbers vanish.
        Ok((axis / largest).normalize())
    }

    /// Revolute and prismatic joints must have them; what others say is kept for their speeds.
    fn limits(&self, joint: Node<'_, '_>, kind: JointKind) -> Result<Option<Limits>, RobotError> {
        let needs = matches!(kind, JointKind::Revolute | JointKind::Prismatic);
        let Some(element) = self.xml.optional(joint, "limit")? else {
            let missing = || self.xml.error(joint, XmlProblem::Missing { what: "<limit>".into() });
            return if needs { Err(missing()) } else { Ok(None) };
        };
        let number = |name| self.xml.wide_number_or(element, name, 0.0);
        let (lower, upper) = (number("lower")?, number("upper")?);
        if needs && lower > upper {
            return Err(self.xml.error(element, Problem::Limits { lower, upper }));
        }
        Ok(Some(Limits { lower, upper, velocity: number("velocity")?, effort: number("effort")? }))
    }

    /// A fixed joint has nothing that could follow: exporters leave such elements behind.
    fn mimic(&self, joint: Node<'_, '_>, kind: JointKind) -> Result<Option<(String, f64, f64)>, RobotError> {
        let Some(element) = self.xml.optional(joint, "mimic")? else { return Ok(None) };
        if kind == JointKind::Fixed {
            self.xml.ignore(element);
            return Ok(None);
        }
        let followed = self.xml.attribute(element, "joint")?.to_owned();
        let multiplier = self.xml.number_or(element, "multiplier", 1.0)?;
        Ok(Some((followed, multiplier, self.xml.number_or(element, "offset", 0.0)?)))
    }
}

/// A pose as URDF writes it: `<origin xyz="..." rpy="..."/>`.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use nearhit_robot::pose_of_origin;
///
/// // A quarter turn about z, and then up by 1.
/// let pose = pose_of_origin([0.0, 0.0, 1.0], [0.0, 0.0, std::f64::consts::FRAC_PI_2])?;
/// assert!((pose.apply([1.0, 0.0, 0.0].into()).y - 1.0).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
pub fn pose_of_origin(xyz: [f64; 3], rpy: [f64; 3]) -> Result<Pose, nearhit::PoseError> {
    Pose::from_rows(rotation_rows(rpy), xyz)
}

/// Roll about x, then pitch about y, then yaw about z, all of the parent's frame.
fn rotation_rows([roll, pitch, yaw]: [f64; 3]) -> [[f64; 3]; 3] {
    let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}
