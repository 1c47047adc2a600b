//! Parts of a file: meshes with names.

use nearhit::RawMesh;
use std::collections::HashMap;

/// A mesh of a file that may have several.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// No other part of the file has the same.
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

/// Gives every part a name of its own.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Names given, each with the number that its next namesake tries first.
    given: HashMap<String, u64>,
}

impl Names {
    /// The name itself if it is still free, else the first free one of `name_2`, `name_3`, ...
    pub(crate) fn unique(&mut self, name: &str) -> String {
        let mut number = self.given.get(name).copied().unwrap_or(1);
        let mut candidate = if number == 1 { name.to_owned() } else { format!("{name}_{number}") };
        while self.given.contains_key(&candidate) {
            number += 1;
            candidate = format!("{name}_{number}");
        }
        self.given.insert(name.to_owned(), number + 1);
        self.given.entry(candidate.clone()).or_insert(2);
        candidate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namesakes_are_numbered_past_names_that_are_taken() {
        let mut names = Names::default();
        let given = ["a", "a", "a_2", "b", "a", "a_2", "b_2", "b"].map(|name| names.unique(name));
        assert_eq!(given, ["a", "a_2", "a_2_2", "b", "a_3", "a_2_3", "b_2", "b_3"]);
    }

    #[test]
    fn many_namesakes_are_numbered_in_no_time() {
        let mut names = Names::default();
        let last = (0..100_000).map(|_| names.unique("a")).last();
        assert_eq!(last.as_deref(), Some("a_100000"));
    }
}
