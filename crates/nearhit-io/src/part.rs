//! Parts of a file: meshes with names, which tell where in the file's tree they are.

use nearhit::RawMesh;
use std::collections::{HashMap, HashSet};

/// A mesh of a file that may have several.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// No other part of the file has the same. Of a node inside others: their names, a slash
    /// between each two, and its own.
    pub name: String,
    /// Where it is in the scene. It may have no triangles.
    pub mesh: RawMesh,
}

/// All parts as one mesh, one after the other. Equal vertices stay apart.
pub(crate) fn merge(parts: Vec<Part>) -> RawMesh {
    let mut parts = parts.into_iter().map(|part| part.mesh);
    let mut merged = parts.next().unwrap_or_default();
    for mesh in parts {
        // Past 2^32 vertices the indices saturate; there are too many then, which the mesh check
        // says.
        let first = u32::try_from(merged.vertices.len()).unwrap_or(u32::MAX);
        merged.vertices.extend(mesh.vertices);
        merged.triangles.extend(mesh.triangles.into_iter().map(|corners| corners.map(|i| i.saturating_add(first))));
    }
    merged
}

/// Names that differ: of namesakes the first keeps its name, the others become `name_2`, `name_3`,
/// … No part gets a name that another one is given.
#[must_use]
pub fn distinct_names(given: Vec<String>) -> Vec<String> {
    let mut taken: HashSet<String> = given.iter().cloned().collect();
    // Names that were met, each with the number that its next namesake tries first.
    let mut met: HashMap<String, u64> = HashMap::new();
    let named = |name: String| {
        let Some(number) = met.get_mut(&name) else {
            met.insert(name.clone(), 2);
            return name;
        };
        loop {
            let candidate = format!("{name}_{number}");
            *number += 1;
            if taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    };
    given.into_iter().map(named).collect()
}

/// Names of what parts are in: nodes, and objects with components.
#[derive(Debug, Default)]
pub(crate) struct Paths<'n>(Vec<(Inside, &'n str)>);

/// What something is in, if anything.
pub(crate) type Inside = Option<usize>;

impl<'n> Paths<'n> {
    /// Something with a name, itself in something. Without a name it is not told.
    pub(crate) fn enter(&mut self, inside: Inside, name: &'n str) -> Inside {
        if name.is_empty() {
            return inside;
        }
        self.0.push((inside, name));
        Some(self.0.len() - 1)
    }

    /// How many bytes the path of a part has.
    pub(crate) fn length(&self, inside: Inside, own: &str) -> u64 {
        self.up(inside).map(|name| name.len() as u64 + 1).sum::<u64>() + own.len() as u64
    }

    /// The path of a part: the names of all that it is in, from outside, and its own.
    pub(crate) fn path(&self, inside: Inside, own: &str) -> String {
        let mut names: Vec<&str> = [own].into_iter().chain(self.up(inside)).collect();
        names.reverse();
        names.join("/")
    }

    fn up(&self, inside: Inside) -> impl Iterator<Item = &'n str> {
        let above = |at: &(Inside, &'n str)| at.0.map(|index| self.0[index]);
        std::iter::successors(inside.map(|index| self.0[index]), above).map(|(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(given: &[&str]) -> Vec<String> {
        distinct_names(given.iter().map(|&name| name.to_owned()).collect())
    }

    /// A second `a` beside a real `a_2`, before or after it, takes nothing from it.
    #[test]
    fn namesakes_are_numbered_past_names_that_are_given() {
        let given = named(&["a", "a", "a_2", "b", "a", "a_2", "b_2", "b"]);
        assert_eq!(given, ["a", "a_3", "a_2", "b", "a_4", "a_2_2", "b_2", "b_3"]);
    }

    #[test]
    fn many_namesakes_are_numbered_in_no_time() {
        assert_eq!(named(&["a"; 100_000]).last().map(String::as_str), Some("a_100000"));
    }

    #[test]
    fn paths_begin_outside() {
        let mut paths = Paths::default();
        let machine = paths.enter(None, "machine");
        let gear = paths.enter(machine, "gear");
        let unnamed = paths.enter(gear, "");
        for (inside, path) in [(None, "nut"), (machine, "machine/nut"), (unnamed, "machine/gear/nut")] {
            assert_eq!(paths.path(inside, "nut"), path);
            assert_eq!(paths.length(inside, "nut"), path.len() as u64);
        }
    }
}
