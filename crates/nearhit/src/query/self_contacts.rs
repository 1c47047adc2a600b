//! Self-intersections: where does a mesh meet itself, other than in the corners and edges that its
//! triangles share?

use super::{Contacts, Pair, Scratch, Settings, TrianglePair};
use crate::mesh::{Mesh, Triangle, places};
use crate::model::Model;
use crate::pose::Pose;
use crate::primitive::intersect::{intersects, is_degenerate, same_side_of_edge, segment_meets_triangle};
use crate::traverse::{Outcome, Question};
use arrayvec::ArrayVec;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The triangles of a mesh by the places of their corners, and those of which nothing is asked.
/// Vertices at exactly the same place count as one.
#[derive(Debug)]
pub(crate) struct Faces {
    /// For each vertex the first one at its place.
    pub(crate) places: Vec<u32>,
    /// For each triangle its corners' places.
    pub(crate) corners: Vec<[u32; 3]>,
    /// Triangles without area.
    pub(crate) degenerate: Vec<u32>,
    /// Triangles with the corners of an earlier one.
    pub(crate) duplicate: Vec<u32>,
    ignored: Vec<bool>,
}

impl Faces {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let places = places(mesh.vertices());
        let corners: Vec<[u32; 3]> =
            mesh.triangles().iter().map(|corners| corners.map(|vertex| places[vertex as usize])).collect();
        let all = 0..mesh.triangles().len() as u32;
        let degenerate: Vec<u32> = all.clone().filter(|&id| is_degenerate(&mesh.triangle(id))).collect();
        let mut seen = BTreeSet::new();
        let sorted = |mut corners: [u32; 3]| {
            corners.sort_unstable();
            corners
        };
        let duplicate: Vec<u32> = all.filter(|&id| !seen.insert(sorted(corners[id as usize]))).collect();
        let mut ignored = vec![false; corners.len()];
        degenerate.iter().chain(&duplicate).for_each(|&id| ignored[id as usize] = true);
        Self { places, corners, degenerate, duplicate, ignored }
    }

    pub(crate) fn is_ignored(&self, triangle: u32) -> bool {
        self.ignored[triangle as usize]
    }
}

impl Model {
    /// All pairs of triangles of the model's own mesh that meet elsewhere than in corners and edges
    /// they share: neighbours count when they fold onto each other or pierce. Exact. Each pair
    /// once, `a < b`; triangles without area and repeated ones are left out. The list lives in
    /// `scratch`.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Scratch, Settings};
    ///
    /// let mut scratch = Scratch::new();
    /// let found = cube(1.0).self_contacts(&Settings::default(), &mut scratch).pairs.len();
    /// assert_eq!(found, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "self-intersection")]
    #[doc(alias = "self-collision")]
    #[must_use]
    pub fn self_contacts<'s>(&self, settings: &Settings<'_>, scratch: &'s mut Scratch) -> Contacts<'s> {
        self.self_contacts_of(&Faces::new(self.mesh()), settings, scratch)
    }

    pub(crate) fn self_contacts_of<'s>(
        &self,
        faces: &Faces,
        settings: &Settings<'_>,
        scratch: &'s mut Scratch,
    ) -> Contacts<'s> {
        let pair = Pair::relative(self, self, &Pose::IDENTITY).expect("coordinates of a mesh are in range");
        let mut found = std::mem::take(&mut scratch.found);
        found.clear();
        let mut question = SelfContacts { faces, found };
        let (outcome, stats) = pair.descend(&mut question, settings, scratch);
        scratch.found = question.found;
        scratch.found.sort_unstable();
        Contacts { pairs: &scratch.found, is_complete: outcome == Outcome::Complete, stats }
    }
}

/// Contacts of a mesh with itself, each once, but for those of neighbours in what they share.
struct SelfContacts<'d> {
    faces: &'d Faces,
    found: Vec<TrianglePair>,
}

impl Question for SelfContacts<'_> {
    fn only_contact(&self) -> bool {
        true
    }

    fn threshold(&self) -> f64 {
        f64::MIN_POSITIVE
    }

    fn look(&mut self, pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()> {
        let Faces { corners, .. } = self.faces;
        if pair.a < pair.b
            && !self.faces.is_ignored(pair.a)
            && !self.faces.is_ignored(pair.b)
            && meets_elsewhere(a, b, corners[pair.a as usize], corners[pair.b as usize])
        {
            self.found.push(pair);
        }
        ControlFlow::Continue(())
    }
}

/// Do two proper triangles meet outside the corners and the edge they share?
fn meets_elsewhere(a: &Triangle, b: &Triangle, corners_a: [u32; 3], corners_b: [u32; 3]) -> bool {
    let shared: ArrayVec<usize, 3> = (0..3).filter(|&i| corners_b.contains(&corners_a[i])).collect();
    let other_in_b = |i: usize| (0..3).find(|&j| corners_b[j] == corners_a[i]);
    match *shared {
        [] => intersects(a, b),
        // Two convex sets with a common corner: any further common point continues to the side
        // across from it in one of them.
        [i] => other_in_b(i).is_some_and(|j| {
            segment_meets_triangle(a[(i + 1) % 3], a[(i + 2) % 3], b)
                || segment_meets_triangle(b[(j + 1) % 3], b[(j + 2) % 3], a)
        }),
        // A common edge: only if folded onto each other.
        [i, j] => (0..3)
            .find(|k| !corners_a.contains(&corners_b[*k]))
            .is_some_and(|k| same_side_of_edge(a[i], a[j], a[3 - i - j], b[k])),
        _ => false,
    }
}
