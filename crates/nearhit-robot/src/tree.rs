//! Links and joints as one tree: names become indices, and what is no tree is refused.

use crate::error::{Problem, RobotError};
use crate::joint::{Joint, JointKind, Mimic};
use crate::urdf::{Link, NamedJoint, Urdf};
use nearhit_io::XmlProblem;
use std::collections::HashMap;
use std::path::Path;

/// Joints with indices, parents before children.
pub(crate) struct Tree {
    pub(crate) joints: Vec<Joint>,
    /// Index of the link without a parent.
    pub(crate) root: usize,
    /// Joints so that the parent of each comes before it.
    pub(crate) order: Vec<usize>,
    /// For each link the joint that moves it.
    pub(crate) joint_of: Vec<Option<usize>>,
}

/// Says where something wrong is: at a line, with a label.
struct Fault<'a> {
    path: &'a Path,
}

impl Fault<'_> {
    fn link(&self, link: &Link, problem: impl Into<Problem>) -> RobotError {
        let element = format!("<link name={:?}>", link.name);
        RobotError::Element { path: self.path.into(), line: link.line, element, problem: problem.into() }
    }

    fn joint(&self, joint: &NamedJoint, problem: impl Into<Problem>) -> RobotError {
        let element = format!("<joint name={:?}>", joint.name);
        RobotError::Element { path: self.path.into(), line: joint.line, element, problem: problem.into() }
    }

    fn robot(&self, problem: impl Into<Problem>) -> RobotError {
        RobotError::Element { path: self.path.into(), line: 1, element: "<robot>".into(), problem: problem.into() }
    }
}

pub(crate) fn build(urdf: &Urdf, path: &Path) -> Result<Tree, RobotError> {
    let fault = Fault { path };
    let links = link_indices(urdf, &fault)?;
    let joint_indices = joint_indices(urdf, &fault)?;
    let joint_of = joint_of_links(urdf, &links, &fault)?;
    let mut joints = Vec::with_capacity(urdf.joints.len());
    for joint in &urdf.joints {
        joints.push(numbered(joint, &links, &fault)?);
    }
    resolve_mimics(urdf, &joint_indices, &mut joints, &fault)?;
    number_coordinates(&mut joints);
    let root = root(urdf, &joint_of, &joints, &fault)?;
    let order = order(root, &joints, urdf.links.len());
    if order.len() < joints.len() {
        let reached: Vec<usize> = order.iter().map(|&joint| joints[joint].child).collect();
        let lost = (0..urdf.links.len()).find(|link| *link != root && !reached.contains(link)).unwrap_or(root);
        return Err(cycle(urdf, lost, &joint_of, &joints, &fault));
    }
    Ok(Tree { joints, root, order, joint_of })
}

fn link_indices<'u>(urdf: &'u Urdf, fault: &Fault<'_>) -> Result<HashMap<&'u str, usize>, RobotError> {
    let mut indices = HashMap::new();
    for (index, link) in urdf.links.iter().enumerate() {
        if indices.insert(link.name.as_str(), index).is_some() {
            return Err(fault.link(link, XmlProblem::Twice { what: "link", id: link.name.clone() }));
        }
    }
    if urdf.links.is_empty() { Err(fault.robot(Problem::NoLinks)) } else { Ok(indices) }
}

fn joint_indices<'u>(urdf: &'u Urdf, fault: &Fault<'_>) -> Result<HashMap<&'u str, usize>, RobotError> {
    let mut indices = HashMap::new();
    for (index, joint) in urdf.joints.iter().enumerate() {
        if indices.insert(joint.name.as_str(), index).is_some() {
            return Err(fault.joint(joint, XmlProblem::Twice { what: "joint", id: joint.name.clone() }));
        }
    }
    Ok(indices)
}

fn joint_of_links(
    urdf: &Urdf,
    links: &HashMap<&str, usize>,
    fault: &Fault<'_>,
) -> Result<Vec<Option<usize>>, RobotError> {
    let mut joint_of = vec![None; urdf.links.len()];
    for (index, joint) in urdf.joints.iter().enumerate() {
        let Some(&child) = links.get(joint.child.as_str()) else {
            return Err(fault.joint(joint, XmlProblem::NoSuch { what: "link", id: joint.child.clone() }));
        };
        if let Some(first) = joint_of[child].replace(index) {
            let other = urdf.joints[first].name.clone();
            return Err(fault.joint(joint, Problem::TwoParents { link: joint.child.clone(), other }));
        }
    }
    Ok(joint_of)
}

fn numbered(joint: &NamedJoint, links: &HashMap<&str, usize>, fault: &Fault<'_>) -> Result<Joint, RobotError> {
    let link = |name: &String| {
        let missing = || fault.joint(joint, XmlProblem::NoSuch { what: "link", id: name.clone() });
        links.get(name.as_str()).copied().ok_or_else(missing)
    };
    Ok(Joint {
        name: joint.name.clone(),
        kind: joint.kind,
        parent: link(&joint.parent)?,
        child: link(&joint.child)?,
        parent_from_joint: joint.parent_from_joint,
        axis: joint.axis.to_array(),
        limits: joint.limits,
        mimic: None,
        first_coordinate: None,
        first_velocity: None,
        line: joint.line,
    })
}

/// Chains of joints that follow each other become one step.
fn resolve_mimics(
    urdf: &Urdf,
    indices: &HashMap<&str, usize>,
    joints: &mut [Joint],
    fault: &Fault<'_>,
) -> Result<(), RobotError> {
    for (index, joint) in urdf.joints.iter().enumerate() {
        let (mut multiplier, mut offset) = (1.0, 0.0);
        let mut at = index;
        let mut steps = 0;
        while let Some((name, factor, added)) = &urdf.joints[at].mimic {
            let missing = || XmlProblem::NoSuch { what: "joint", id: name.clone() };
            let next = indices.get(name.as_str()).copied().ok_or_else(|| fault.joint(joint, missing()))?;
            steps += 1;
            if next == index || steps > urdf.joints.len() {
                return Err(fault.joint(joint, Problem::MimicCycle { joint: name.clone() }));
            }
            offset += multiplier * added;
            multiplier *= factor;
            for one in [&urdf.joints[at], &urdf.joints[next]] {
                if one.kind.coordinates() != 1 {
                    let (kind, joint_name) = (one.kind.name(), one.name.clone());
                    return Err(fault.joint(joint, Problem::MimicKind { joint: joint_name, kind }));
                }
            }
            at = next;
        }
        if at != index {
            joints[index].mimic = Some(Mimic { joint: at, multiplier, offset });
        }
    }
    Ok(())
}

/// Joints that follow none have coordinates, in the order of the file.
fn number_coordinates(joints: &mut [Joint]) {
    let (mut coordinate, mut velocity) = (0, 0);
    for joint in joints.iter_mut().filter(|joint| joint.mimic.is_none() && joint.kind != JointKind::Fixed) {
        joint.first_coordinate = Some(coordinate);
        joint.first_velocity = Some(velocity);
        coordinate += joint.kind.coordinates();
        velocity += joint.kind.velocities();
    }
}

fn root(urdf: &Urdf, joint_of: &[Option<usize>], joints: &[Joint], fault: &Fault<'_>) -> Result<usize, RobotError> {
    let mut roots = (0..urdf.links.len()).filter(|&link| joint_of[link].is_none());
    let Some(root) = roots.next() else { return Err(cycle(urdf, 0, joint_of, joints, fault)) };
    match roots.next() {
        None => Ok(root),
        Some(other) => {
            let (first, second) = (urdf.links[root].name.clone(), urdf.links[other].name.clone());
            Err(fault.link(&urdf.links[other], Problem::TwoRoots { first, second }))
        }
    }
}

/// From a link that no root reaches, up to one that is its own ancestor.
fn cycle(urdf: &Urdf, from: usize, joint_of: &[Option<usize>], joints: &[Joint], fault: &Fault<'_>) -> RobotError {
    let up = |link: usize| joint_of[link].map_or(link, |joint| joints[joint].parent);
    let link = (0..urdf.links.len()).fold(from, |link, _| up(link));
    fault.link(&urdf.links[link], Problem::Cycle { link: urdf.links[link].name.clone() })
}

/// Level by level, in the order of the file within a level.
fn order(root: usize, joints: &[Joint], links: usize) -> Vec<usize> {
    let mut children = vec![Vec::new(); links];
    for (index, joint) in joints.iter().enumerate() {
        children[joint.parent].push(index);
    }
    let mut order: Vec<usize> = children[root].clone();
    let mut at = 0;
    while at < order.len() {
        let child = joints[order[at]].child;
        order.extend(&children[child]);
        at += 1;
    }
    order
}
