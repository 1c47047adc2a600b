//! Mesh diagnostics: holes, flipped and degenerate triangles, self-intersections. Everything
//! reported here is legal and kept; some of it explains surprising answers.

use crate::build::BuildOptions;
use crate::hierarchy::VolumeKind;
use crate::mesh::Mesh;
use crate::model::Model;
use crate::query::{Faces, Scratch, Settings, TrianglePair};
use crate::traverse::Budget;
use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// What [`Mesh::diagnostics`] found. Vertices at exactly the same place count as one, because file
/// formats repeat them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostics {
    /// Number of triangles.
    pub triangles: usize,
    /// Number of vertices, as given.
    pub vertices: usize,
    /// Triangles without area: segments and points. Exact: a sliver of any width is not one.
    pub degenerate: Vec<u32>,
    /// Triangles with the same three corners as an earlier one, in any order.
    pub duplicate: Vec<u32>,
    /// Vertices that no triangle uses.
    pub unused_vertices: usize,
    /// Vertices at the place of an earlier one.
    pub coincident_vertices: usize,
    /// Edges with one triangle: borders and cracks. Degenerate and duplicate triangles do not count
    /// here and below.
    pub open_edges: usize,
    /// Edges with more than two triangles.
    pub crowded_edges: usize,
    /// Edges whose two triangles run along them in the same direction: neighbours with opposite
    /// orientation.
    pub flipped_edges: usize,
    /// Pairs of triangles that meet elsewhere than in corners and edges they share, in order.
    /// Degenerate and duplicate triangles are left out.
    pub self_intersections: Vec<TrianglePair>,
    /// Was the whole mesh searched for self-intersections? False when so many triangles share
    /// corners that the search was ended.
    pub is_complete: bool,
}

impl Diagnostics {
    /// Does the surface enclose a volume without holes: every edge between two consistently
    /// oriented triangles?
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let some = self.degenerate.len() + self.duplicate.len() < self.triangles;
        some && self.open_edges == 0 && self.crowded_edges == 0 && self.flipped_edges == 0
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let closed = if self.is_closed() { "closed" } else { "not closed" };
        writeln!(formatter, "{} triangles, {} vertices, {closed}", self.triangles, self.vertices)?;
        let findings = [
            (self.degenerate.len(), "degenerate triangles"),
            (self.duplicate.len(), "duplicate triangles"),
            (self.unused_vertices, "unused vertices"),
            (self.coincident_vertices, "vertices at the place of another"),
            (self.open_edges, "open edges"),
            (self.crowded_edges, "edges of more than two triangles"),
            (self.flipped_edges, "edges between triangles of opposite orientation"),
            (self.self_intersections.len(), "self-intersections"),
        ];
        for (count, what) in findings.iter().filter(|(count, _)| *count > 0) {
            writeln!(formatter, "  {count} {what}")?;
        }
        if !self.is_complete {
            writeln!(
                formatter,
                "  the search for self-intersections was ended early: too many triangles share corners"
            )?;
        }
        Ok(())
    }
}

impl Mesh {
    /// Inspects the mesh. Nothing found here is an error.
    ///
    /// Complexity: that of a self-collision query, ended early where thousands of triangles share a
    /// corner: a second or two for 100,000 triangles.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let found = cube(1.0).mesh().diagnostics();
    /// assert!(found.is_closed() && found.self_intersections.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "mesh check")]
    #[doc(alias = "manifold check")]
    #[doc(alias = "watertight")]
    #[must_use]
    pub fn diagnostics(&self) -> Diagnostics {
        let faces = Faces::new(self);
        let counted = (0..self.triangles().len() as u32).filter(|&id| !faces.is_ignored(id));
        let edges = Edges::count(counted.map(|id| faces.corners[id as usize]));
        let (self_intersections, is_complete) = self_intersections(self, &faces);
        let Faces { places, degenerate, duplicate, .. } = faces;
        let used: BTreeSet<u32> = self.triangles().iter().flatten().copied().collect();
        Diagnostics {
            triangles: self.triangles().len(),
            vertices: self.vertices().len(),
            unused_vertices: self.vertices().len() - used.len(),
            coincident_vertices: places.iter().enumerate().filter(|&(vertex, &place)| place != vertex as u32).count(),
            open_edges: edges.open,
            crowded_edges: edges.crowded,
            flipped_edges: edges.flipped,
            self_intersections,
            is_complete,
            degenerate,
            duplicate,
        }
    }
}

#[derive(Debug, Default)]
struct Edges {
    open: usize,
    crowded: usize,
    flipped: usize,
}

impl Edges {
    fn count(triangles: impl Iterator<Item = [u32; 3]>) -> Self {
        // Uses of each edge along and against the order of its ends.
        let mut uses: HashMap<(u32, u32), (u32, u32)> = HashMap::new();
        for corners in triangles {
            for i in 0..3 {
                let (from, to) = (corners[i], corners[(i + 1) % 3]);
                let use_of = uses.entry((from.min(to), from.max(to))).or_default();
                if from < to { use_of.0 += 1 } else { use_of.1 += 1 }
            }
        }
        uses.into_values().fold(Self::default(), |mut edges, (along, against)| {
            match along + against {
                1 => edges.open += 1,
                2 => edges.flipped += usize::from(along != 1),
                _ => edges.crowded += 1,
            }
            edges
        })
    }
}

/// Tests of volumes and triangles after which the search for self-intersections ends: many times
/// what ordinary meshes need. Thousands of triangles around one corner would make it quadratic.
fn most_work(triangles: usize) -> u64 {
    2_000_000 + 200 * triangles as u64
}

fn self_intersections(mesh: &Mesh, faces: &Faces) -> (Vec<TrianglePair>, bool) {
    let model = Model::with(mesh.clone(), VolumeKind::Aabb, &BuildOptions::default());
    let settings = Settings { budget: Budget::work(most_work(mesh.triangles().len())), ..Settings::default() };
    let mut scratch = Scratch::new();
    let found = model.self_contacts_of(faces, &settings, &mut scratch);
    (found.pairs.to_vec(), found.is_complete)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::shapes;

    fn diagnose(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Diagnostics {
        Mesh::new(vertices, triangles).expect("legal").diagnostics()
    }

    #[test]
    fn a_clean_solid_has_nothing_to_report() {
        let torus = shapes::torus(24, 12, 2.0, 0.5);
        let found = diagnose(&torus.vertices, &torus.triangles);
        assert!(found.is_closed() && found.self_intersections.is_empty(), "{found}");
        assert_eq!(found.to_string(), "576 triangles, 288 vertices, closed\n");
    }

    #[test]
    fn every_oddity_is_counted_once() {
        let corners = [
            [0.0, 0.0, 0.0],
            [4.0, 0.0, 0.0],
            [0.0, 4.0, 0.0],
            [0.0, 0.0, 0.0],
            [1.0, 1.0, -1.0],
            [1.0, 1.0, 1.0],
            [9.0, 9.0, 1.0],
            [7.0, 7.0, 7.0],
        ];
        let found = diagnose(&corners, &[[0, 1, 2], [1, 2, 3], [0, 0, 1], [4, 5, 6]]);
        assert_eq!((found.degenerate.as_slice(), found.duplicate.as_slice()), ([2].as_slice(), [1].as_slice()));
        assert_eq!((found.unused_vertices, found.coincident_vertices, found.open_edges), (1, 1, 6));
        assert_eq!(found.self_intersections, [TrianglePair { a: 0, b: 3 }], "the duplicate is left out");
        assert!(found.is_complete && !found.is_closed());
    }

    #[test]
    fn neighbours_are_not_self_intersections_unless_they_fold_or_pierce() {
        let square = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0], [3.0, 1.0, 0.0]];
        assert!(diagnose(&square, &[[0, 1, 2], [0, 2, 3]]).self_intersections.is_empty());
        assert_eq!(
            diagnose(&square, &[[0, 1, 2], [0, 4, 2]]).self_intersections.len(),
            1,
            "folded over the shared edge"
        );
        assert_eq!(diagnose(&square, &[[0, 1, 2], [0, 2, 1]]).self_intersections.len(), 0, "that is a duplicate");
        let fan =
            [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [2.0, 1.0, -1.0], [2.0, 1.0, 1.0], [0.0, -4.0, 3.0]];
        assert_eq!(
            diagnose(&fan, &[[0, 1, 2], [0, 3, 4]]).self_intersections.len(),
            1,
            "pierces beyond the shared corner"
        );
        assert_eq!(
            diagnose(&fan, &[[0, 1, 2], [0, 4, 5]]).self_intersections.len(),
            0,
            "meets in the shared corner only"
        );
    }

    /// A point repeated is nothing closed, and thousands of triangles around one corner end the
    /// search instead of hanging it.
    #[test]
    fn crowds_around_one_corner() {
        let point = diagnose(&[[0.0; 3]], &[[0, 0, 0]; 3000]);
        assert!(!point.is_closed() && point.self_intersections.is_empty());
        let rim = |i: u32| [f64::from(i).cos(), f64::from(i).sin(), 0.0];
        let vertices: Vec<[f64; 3]> = std::iter::once([0.0; 3]).chain((0..6001).map(rim)).collect();
        let triangles: Vec<[u32; 3]> = (1..6001).map(|i| [0, i, i + 1]).collect();
        assert!(!diagnose(&vertices, &triangles).is_complete);
    }

    #[test]
    fn flipped_and_crowded_edges() {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]];
        assert_eq!(diagnose(&corners, &[[0, 1, 2], [0, 1, 3]]).flipped_edges, 1);
        assert_eq!(diagnose(&corners, &[[0, 1, 2], [1, 0, 3], [0, 1, 4]]).crowded_edges, 1);
    }
}
