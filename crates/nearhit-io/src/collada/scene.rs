//! The nodes of the scene: which geometries are shown, and where.
//!
//! Goes over a list, not into functions that call themselves: a chain of a million nodes is no
//! deeper than one. Nodes that are instanced again and again are counted against the budget.

use super::library::Library;
use super::{geometry, transform};
use crate::budget::Budget;
use crate::error::{ParseError, XmlProblem};
use crate::part::{Inside, Paths};
use crate::placing::{Instance, Placing};
use crate::text::excerpt;
use crate::xml::{self, Lines, Place, too_much};
use glam::DAffine3;
use roxmltree::{Node, NodeId};
use std::collections::{HashMap, HashSet};

pub(super) fn placing<'a, 'input>(
    root: Node<'a, 'input>,
    library: &Library<'a, 'input>,
    budget: &mut Budget,
) -> Result<Placing, ParseError> {
    let mut walk = Walk {
        library,
        lines: Lines::of(root.document().input_text()),
        parent_from_node: HashMap::new(),
        budget,
        placing: Placing::default(),
        paths: Paths::default(),
        mesh_of: HashMap::new(),
        waiting: Vec::new(),
        open: HashSet::new(),
    };
    let scenes = scenes(root, library)?;
    if scenes.is_empty() {
        walk.all_geometries(root)?;
    }
    for scene in scenes {
        walk.nodes(scene)?;
    }
    Ok(walk.placing)
}

/// Those that the document shows, else all there are.
fn scenes<'a, 'input>(
    root: Node<'a, 'input>,
    library: &Library<'a, 'input>,
) -> Result<Vec<Node<'a, 'input>>, ParseError> {
    let shown = xml::named(root, "scene").flat_map(|scene| xml::named(scene, "instance_visual_scene"));
    let shown: Vec<_> =
        shown.map(|instance| library.named(instance, "url", "visual_scene")).collect::<Result<_, _>>()?;
    if !shown.is_empty() {
        return Ok(shown);
    }
    let libraries = xml::named(root, "library_visual_scenes");
    Ok(libraries.flat_map(|library| xml::named(library, "visual_scene")).collect())
}

/// What is still to be done.
enum Step<'a, 'input> {
    /// An element of a node or scene: where, and in what. Of what a node shows: in what the node
    /// is.
    Enter(Node<'a, 'input>, DAffine3, Inside),
    /// All of a node is done.
    Leave(NodeId),
}

struct Walk<'w, 'a, 'input> {
    library: &'w Library<'a, 'input>,
    lines: Lines,
    /// Read once for a node that is shown often.
    parent_from_node: HashMap<NodeId, DAffine3>,
    budget: &'w mut Budget,
    placing: Placing,
    /// Nodes that are shown.
    paths: Paths<'a>,
    mesh_of: HashMap<NodeId, usize>,
    waiting: Vec<Step<'a, 'input>>,
    /// Nodes that the present one is in.
    open: HashSet<NodeId>,
}

impl<'a, 'input> Walk<'_, 'a, 'input> {
    fn nodes(&mut self, scene: Node<'a, 'input>) -> Result<(), ParseError> {
        self.push_children(scene, DAffine3::IDENTITY, [None, None]);
        while let Some(step) = self.waiting.pop() {
            match step {
                Step::Leave(node) => drop(self.open.remove(&node)),
                Step::Enter(element, world_from_parent, inside) => self.element(element, world_from_parent, inside)?,
            }
        }
        Ok(())
    }

    /// In the order of the file, since the last one put there is taken first.
    fn push_children(&mut self, node: Node<'a, 'input>, world_from_node: DAffine3, [around, inside]: [Inside; 2]) {
        let first = self.waiting.len();
        let step = |child: Node<'a, 'input>| {
            // The node's own name is the last of a path already.
            let is_shown = child.tag_name().name() == "instance_geometry";
            Step::Enter(child, world_from_node, if is_shown { around } else { inside })
        };
        self.waiting.extend(xml::elements(node).map(step));
        self.waiting[first..].reverse();
    }

    fn element(
        &mut self,
        element: Node<'a, 'input>,
        world_from_parent: DAffine3,
        inside: Inside,
    ) -> Result<(), ParseError> {
        self.budget.take(1).map_err(|exceeded| too_much(&Place::of(element), exceeded))?;
        match element.tag_name().name() {
            "node" => self.enter(element, element, world_from_parent, inside)?,
            "instance_node" => {
                let node = self.library.named(element, "url", "node")?;
                self.enter(node, element, world_from_parent, inside)?;
            }
            "instance_geometry" => {
                let geometry = self.library.named(element, "url", "geometry")?;
                self.show(geometry, (inside, name(element.parent_element(), geometry)), element, world_from_parent)?;
            }
            "instance_controller" => return Err(xml::unsupported(element, "a skin or morph (<instance_controller>)")),
            _ => {}
        }
        Ok(())
    }

    /// `from` is the element that shows the node: itself, or an instance of it.
    fn enter(
        &mut self,
        node: Node<'a, 'input>,
        from: Node<'a, 'input>,
        world_from_parent: DAffine3,
        inside: Inside,
    ) -> Result<(), ParseError> {
        if !self.open.insert(node.id()) {
            let id = excerpt(node.attribute("id").unwrap_or_default().as_bytes());
            return Err(xml::error(from, XmlProblem::Cycle { id }));
        }
        self.waiting.push(Step::Leave(node.id()));
        let parent_from_node = match self.parent_from_node.get(&node.id()) {
            Some(&known) => known,
            None => transform::parent_from_node(node)?,
        };
        self.parent_from_node.insert(node.id(), parent_from_node);
        let own = self.paths.enter(inside, called(node).unwrap_or_default());
        self.push_children(node, world_from_parent * parent_from_node, [inside, own]);
        Ok(())
    }

    fn show(
        &mut self,
        geometry: Node<'a, 'input>,
        (inside, name): (Inside, &str),
        from: Node<'a, 'input>,
        world_from_mesh: DAffine3,
    ) -> Result<(), ParseError> {
        let place = self.lines.place(from);
        let length = self.paths.length(inside, name);
        self.budget.take(length).map_err(|exceeded| too_much(&place, exceeded))?;
        let name = self.paths.path(inside, name);
        let mesh = match self.mesh_of.get(&geometry.id()) {
            Some(&mesh) => mesh,
            None => {
                self.placing.meshes.push(geometry::mesh(geometry, self.library)?);
                self.mesh_of.insert(geometry.id(), self.placing.meshes.len() - 1);
                self.placing.meshes.len() - 1
            }
        };
        self.placing.instances.push(Instance { name, mesh, world_from_mesh, place });
        Ok(())
    }

    fn all_geometries(&mut self, root: Node<'a, 'input>) -> Result<(), ParseError> {
        for library in xml::named(root, "library_geometries") {
            for geometry in xml::named(library, "geometry") {
                self.show(geometry, (None, name(None, geometry)), geometry, DAffine3::IDENTITY)?;
            }
        }
        Ok(())
    }
}

/// The node's, else the geometry's, else an id, else a word.
fn name<'a>(node: Option<Node<'a, '_>>, geometry: Node<'a, '_>) -> &'a str {
    let given = |key| [node, Some(geometry)].into_iter().flatten().find_map(move |element| element.attribute(key));
    let name = given("name").filter(|name| !name.is_empty()).or_else(|| given("id"));
    name.filter(|name| !name.is_empty()).unwrap_or("geometry")
}

/// What a node is called: its name, else its id.
fn called<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    ["name", "id"].into_iter().filter_map(|key| node.attribute(key)).find(|name| !name.is_empty())
}
