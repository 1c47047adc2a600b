//! COLLADA libraries: geometries, nodes and scenes by their ids.

use crate::error::{ParseError, XmlProblem};
use crate::text::excerpt;
use crate::xml;
use roxmltree::Node;
use std::collections::HashMap;

/// The elements of a document that others may name.
pub(super) struct Library<'a, 'input> {
    by_id: HashMap<&'a str, Node<'a, 'input>>,
}

/// Elements whose ids are looked up. Others may have what ids they like.
const NAMED: [&str; 6] = ["geometry", "node", "visual_scene", "source", "vertices", "float_array"];

impl<'a, 'input> Library<'a, 'input> {
    pub(super) fn of(root: Node<'a, 'input>) -> Result<Self, ParseError> {
        let mut by_id = HashMap::new();
        for node in root.descendants().filter(|node| NAMED.contains(&node.tag_name().name())) {
            let Some(id) = node.attribute("id") else { continue };
            if by_id.insert(id, node).is_some() {
                let id = excerpt(id.as_bytes());
                return Err(xml::error(node, XmlProblem::Twice { what: "element with the id", id }));
            }
        }
        Ok(Self { by_id })
    }

    /// What the attribute `key` of `from`, as `#hull-mesh`, names.
    pub(super) fn named(
        &self,
        from: Node<'a, 'input>,
        key: &'static str,
        what: &'static str,
    ) -> Result<Node<'a, 'input>, ParseError> {
        let address = xml::attribute(from, key)?;
        let Some(id) = address.trim().strip_prefix('#') else {
            return Err(xml::unsupported(
                from,
                format!("an address of another file ({})", excerpt(address.as_bytes())),
            ));
        };
        let found = self.by_id.get(id).filter(|found| found.tag_name().name() == what);
        found.copied().ok_or_else(|| xml::error(from, XmlProblem::NoSuch { what, id: excerpt(id.as_bytes()) }))
    }
}
