//! SRDF: groups of joints, pairs that are not checked, named states, balls for links.

use crate::error::{Problem, RobotError};
use crate::robot::Robot;
use crate::xml::{self, Ignored, Xml, elements, excerpt, named};
use nearhit_io::XmlProblem;
use roxmltree::Node;
use std::collections::HashMap;
use std::path::Path;

/// What an SRDF says. Without one, everything is empty.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Semantics {
    /// In the order of the file.
    pub groups: Vec<Group>,
    /// Pairs of links that are not checked.
    pub disabled: Vec<DisabledPair>,
    /// Named configurations of groups.
    pub states: Vec<GroupState>,
    /// Balls instead of links.
    pub spheres: Vec<LinkSpheres>,
}

/// A group of joints and links.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// No other group has the same.
    pub name: String,
    /// Indices of its joints, ascending: those named, those of its chains and those of its
    /// subgroups.
    pub joints: Vec<usize>,
    /// Indices of its links, ascending: those named, those that its joints move.
    pub links: Vec<usize>,
}

/// A pair of links that is not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DisabledPair {
    /// Indices of the links, ascending.
    pub links: [usize; 2],
    /// As in the file: "Adjacent", "Never", ...
    pub reason: String,
}

/// A named configuration of a group.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GroupState {
    /// Its name, which other groups may have too.
    pub name: String,
    /// The group.
    pub group: String,
    /// Indices of joints, and their values.
    pub values: Vec<(usize, Vec<f64>)>,
}

/// Balls that stand for a link.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LinkSpheres {
    /// Index of the link.
    pub link: usize,
    /// Centres in the link's frame, and radii.
    pub spheres: Vec<([f64; 3], f64)>,
}

impl Semantics {
    /// The group with this name.
    #[must_use]
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }
}

pub(crate) fn parse(robot: &Robot, path: &Path, text: &str) -> Result<(Semantics, Vec<Ignored>), RobotError> {
    let document = xml::parse(path, text)?;
    let root = document.root_element();
    let reader = Reader { robot, xml: Xml::new(path, text) };
    if !root.has_tag_name("robot") {
        return Err(reader.xml.error(root, XmlProblem::Root { expected: "robot" }));
    }
    // Links and joints with a parent are a robot, about which an SRDF speaks.
    if let Some(link) = elements(root).find(|element| element.has_tag_name("link")) {
        return Err(reader.xml.error(link, Problem::UrdfAsSrdf));
    }
    let mut semantics = Semantics { groups: reader.groups(root)?, ..Semantics::default() };
    for element in elements(root) {
        match element.tag_name().name() {
            "group" => {}
            "disable_collisions" => semantics.disabled.extend(reader.disabled(element)?),
            "group_state" => semantics.states.extend(reader.state(element, &semantics.groups)?),
            "link_sphere_approximation" => semantics.spheres.extend(reader.spheres(element)?),
            _ => reader.xml.ignore(element),
        }
    }
    Ok((semantics, reader.xml.into_ignored()))
}

struct Reader<'a> {
    robot: &'a Robot,
    xml: Xml<'a>,
}

impl Reader<'_> {
    /// A link of the robot; none is noted as ignored, since one SRDF often serves several robots.
    fn link(&self, element: Node<'_, '_>, key: &'static str) -> Result<Option<usize>, RobotError> {
        let found = self.robot.link(self.xml.attribute(element, key)?);
        if found.is_none() {
            self.xml.ignore(element);
        }
        Ok(found)
    }

    /// A joint of the robot; none is noted as ignored. Virtual joints are not the robot's.
    fn joint(&self, element: Node<'_, '_>) -> Result<Option<usize>, RobotError> {
        let found = self.robot.joint(self.xml.attribute(element, "name")?);
        if found.is_none() {
            self.xml.ignore(element);
        }
        Ok(found)
    }

    fn groups(&self, root: Node<'_, '_>) -> Result<Vec<Group>, RobotError> {
        let mut elements: HashMap<&str, Node<'_, '_>> = HashMap::new();
        let mut order = Vec::new();
        for group in named(root, "group") {
            let name = self.xml.attribute(group, "name")?;
            if elements.insert(name, group).is_some() {
                return Err(self.xml.error(group, XmlProblem::Twice { what: "group", id: excerpt(name) }));
            }
            order.push(name);
        }
        let mut done: HashMap<&str, Group> = HashMap::new();
        for &name in &order {
            self.resolve(name, &elements, &mut done)?;
        }
        Ok(order.iter().filter_map(|name| done.remove(name)).collect())
    }

    /// A group after the groups it contains. Goes over a list: groups may be nested deeply.
    fn resolve<'n>(
        &self,
        name: &'n str,
        elements: &HashMap<&'n str, Node<'n, 'n>>,
        done: &mut HashMap<&'n str, Group>,
    ) -> Result<(), RobotError> {
        let mut open: Vec<&str> = vec![name];
        while let Some(&name) = open.last() {
            let element = elements[name];
            let mut inner = named(element, "group");
            let missing = inner.find_map(|inner| {
                let subgroup = inner.attribute("name")?;
                (!done.contains_key(subgroup)).then_some((inner, subgroup))
            });
            match missing {
                None => {
                    let group = self.group(name, element, done)?;
                    done.insert(name, group);
                    open.pop();
                }
                Some((inner, subgroup)) if open.contains(&subgroup) => {
                    return Err(self.xml.error(inner, Problem::GroupCycle { group: excerpt(subgroup) }));
                }
                Some((inner, subgroup)) if !elements.contains_key(subgroup) => {
                    return Err(self.xml.error(inner, XmlProblem::NoSuch { what: "group", id: excerpt(subgroup) }));
                }
                Some((_, subgroup)) => open.push(subgroup),
            }
        }
        Ok(())
    }

    fn group(&self, name: &str, element: Node<'_, '_>, done: &HashMap<&str, Group>) -> Result<Group, RobotError> {
        let (mut joints, mut links) = (Vec::new(), Vec::new());
        for child in elements(element) {
            match child.tag_name().name() {
                "joint" => joints.extend(self.joint(child)?),
                // A link stands for the joint that moves it too.
                "link" => {
                    let link = self.link(child, "name")?;
                    links.extend(link);
                    joints.extend(link.and_then(|link| self.robot.joint_of_link(link)));
                }
                "chain" => joints.extend(self.chain(child)?),
                "group" => {
                    if let Some(inner) = done.get(self.xml.attribute(child, "name")?) {
                        joints.extend(&inner.joints);
                        links.extend(&inner.links);
                    }
                }
                _ => self.xml.ignore(child),
            }
        }
        links.extend(joints.iter().map(|&joint| self.robot.joints()[joint].child));
        for list in [&mut joints, &mut links] {
            list.sort_unstable();
            list.dedup();
        }
        Ok(Group { name: name.to_owned(), joints, links })
    }

    /// Joints from the base link to the tip.
    fn chain(&self, element: Node<'_, '_>) -> Result<Vec<usize>, RobotError> {
        let (Some(base), Some(tip)) = (self.link(element, "base_link")?, self.link(element, "tip_link")?) else {
            return Ok(Vec::new());
        };
        let chain = self.robot.chain(tip);
        let parents = |joint: &usize| self.robot.joints()[*joint].parent;
        if base == tip {
            return Ok(Vec::new());
        }
        match chain.iter().position(|joint| parents(joint) == base) {
            Some(start) => Ok(chain[start..].to_vec()),
            None => {
                let name = |link: usize| self.robot.links()[link].name.clone();
                Err(self.xml.error(element, Problem::NoChain { base: name(base), tip: name(tip) }))
            }
        }
    }

    fn disabled(&self, element: Node<'_, '_>) -> Result<Option<DisabledPair>, RobotError> {
        let names = [self.xml.attribute(element, "link1")?, self.xml.attribute(element, "link2")?];
        let [Some(first), Some(second)] = names.map(|name| self.robot.link(name)) else {
            self.xml.ignore(element);
            return Ok(None);
        };
        let reason = element.attribute("reason").unwrap_or_default().to_owned();
        Ok(Some(DisabledPair { links: [first.min(second), first.max(second)], reason }))
    }

    fn state(&self, element: Node<'_, '_>, groups: &[Group]) -> Result<Option<GroupState>, RobotError> {
        let group = self.xml.attribute(element, "group")?;
        if !groups.iter().any(|known| known.name == group) {
            return Err(self.xml.error(element, XmlProblem::NoSuch { what: "group", id: excerpt(group) }));
        }
        let name = self.xml.attribute(element, "name")?.to_owned();
        let mut values = Vec::new();
        for child in elements(element) {
            let Some(joint) = self.joint(child)? else { continue };
            values.push((joint, self.values(child, joint)?));
        }
        Ok(Some(GroupState { name, group: group.to_owned(), values }))
    }

    fn values(&self, element: Node<'_, '_>, joint: usize) -> Result<Vec<f64>, RobotError> {
        match self.robot.joints()[joint].kind.coordinates() {
            0 => Ok(Vec::new()),
            1 => Ok(self.xml.numbers::<1>(element, "value")?.to_vec()),
            3 => Ok(self.xml.numbers::<3>(element, "value")?.to_vec()),
            _ => Ok(self.xml.numbers::<7>(element, "value")?.to_vec()),
        }
    }

    fn spheres(&self, element: Node<'_, '_>) -> Result<Option<LinkSpheres>, RobotError> {
        let Some(link) = self.link(element, "link")? else { return Ok(None) };
        let mut spheres = Vec::new();
        for sphere in named(element, "sphere") {
            let radius = self.xml.number(sphere, "radius")?;
            let problem = Problem::OutOfRange {
                what: "attribute \"radius\"".into(),
                value: radius,
                should: "it must not be below 0",
            };
            if radius < 0.0 {
                return Err(self.xml.error(sphere, problem));
            }
            spheres.push((self.xml.numbers::<3>(sphere, "center")?, radius));
        }
        Ok(Some(LinkSpheres { link, spheres }))
    }
}
