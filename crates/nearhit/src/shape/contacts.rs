//! Contact points of two shapes: where they touch, which way out, how deep.

use super::convex::{Bodies, Body};
use super::core::Core;
use super::half_space::Plane;
use super::mesh::MeshSide;
use super::pair::{Case, Penetration, ShapePair, convex_penetration};
use crate::query::{Interval, Scratch, Settings, TrianglePair, Verdict};
use crate::traverse::Stats;
use glam::DVec3;
use std::cmp::Ordering;

/// One contact of two shapes. Points and directions are in a's frame.
#[doc(alias = "contact point")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ShapeContact {
    /// Which triangles of a mesh; which points, triangles or cells of a cloud, height field or
    /// octree; 0 otherwise.
    pub pieces: TrianglePair,
    /// Half-way between the two points that lie deepest in the other shape.
    pub point: DVec3,
    /// Unit vector from a to b: the shortest way out for b.
    pub normal: DVec3,
    /// How far b would have to move along it to touch only.
    pub depth: Interval,
}

impl ShapeContact {
    fn new(pieces: TrianglePair, found: &Penetration) -> Self {
        let point = found.on_a * 0.5 + found.on_b * 0.5;
        Self { pieces, point, normal: found.normal, depth: found.depth }
    }
}

/// The answer of [`ShapePair::contacts`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ShapeContacts {
    /// By pieces, where a shape has some; one for two convex shapes.
    pub contacts: Vec<ShapeContact>,
    /// Work done.
    pub stats: Stats,
    /// Was everything looked at? False: the budget ran out, and there may be more.
    pub is_complete: bool,
}

impl ShapePair<'_> {
    /// Where do the two shapes touch, and how deep? One contact for two convex shapes, one for each
    /// pair of pieces that touch where a shape is a mesh, point cloud, height field or octree. A
    /// shape wholly inside of a solid mesh touches no triangle: it has no contacts, though it
    /// collides.
    ///
    /// ```
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch, Settings};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (ground, ball) = (Shape::half_space([0.0, 0.0, 1.0], 0.0)?, Shape::ball(1.0)?);
    /// let low = Pose::from_translation([3.0, 0.0, 0.75])?;
    /// let pair = ShapePair::new(&ground, &Pose::IDENTITY, &ball, &low)?;
    /// let found = pair.contacts(&Settings::default(), &mut Scratch::new());
    /// assert_eq!(found.contacts.len(), 1);
    /// assert!((found.contacts[0].depth.upper - 0.25).abs() < 1e-12);
    /// assert_eq!(found.contacts[0].normal.z, 1.0);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "contact manifold")]
    #[must_use]
    pub fn contacts(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> ShapeContacts {
        match self.case() {
            Case::Mesh(mesh, body) => self.with_mesh(&mesh, &body, settings, scratch),
            Case::MeshBelow(mesh, plane) => self.mesh_below(&mesh, &plane),
            Case::Sets(sets) => {
                let (pieces, is_complete, stats) = sets.touching(settings, scratch);
                let contact = |pieces| ShapeContact::new(pieces, &sets.penetration(pieces, scratch));
                ShapeContacts { contacts: pieces.into_iter().map(contact).collect(), stats, is_complete }
            }
            Case::Meshes(meshes) => {
                let (pair, margins) = (self.surfaces(&meshes), self.margins());
                let (pieces, is_complete, stats): (Vec<TrianglePair>, _, _) = if margins.up() > 0.0 {
                    let found = pair.pairs_within(margins.up(), settings, scratch);
                    (found.pairs.iter().map(|near| near.pair).collect(), found.is_complete, found.stats)
                } else {
                    let found = pair.contacts(settings, scratch);
                    (found.pairs.to_vec(), found.is_complete, found.stats)
                };
                let contact = |pieces: TrianglePair| {
                    let (a, b) = pair.triangles(pieces);
                    let bodies = Bodies::new(Body::own(Core::Triangle(a)), Body::own(Core::Triangle(b)));
                    ShapeContact::new(pieces, &convex_penetration(&bodies, &self.margins(), scratch.room()))
                };
                ShapeContacts { contacts: pieces.into_iter().map(contact).collect(), stats, is_complete }
            }
            _ => {
                let collision = self.collide(settings, scratch);
                let found = (collision.verdict == Verdict::Yes).then(|| self.penetration(scratch)).flatten();
                let pieces = TrianglePair { a: 0, b: 0 };
                let contacts = found.iter().map(|found| ShapeContact::new(pieces, found)).collect();
                ShapeContacts { contacts, stats: collision.stats, is_complete: true }
            }
        }
    }

    fn with_mesh(
        &self,
        mesh: &MeshSide<'_>,
        body: &Body<'_>,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> ShapeContacts {
        let margins = self.margins();
        let (triangles, is_complete, stats) = mesh.touching(body, &margins, settings, scratch);
        let contact = |triangle: u32| {
            let found = convex_penetration(&mesh.bodies(triangle, body), &mesh.margins(&margins), scratch.room());
            ShapeContact::new(mesh.witness(triangle), &mesh.turned(found))
        };
        ShapeContacts { contacts: triangles.into_iter().map(contact).collect(), stats, is_complete }
    }

    /// Every triangle with a corner below the plane, or near enough.
    fn mesh_below(&self, mesh: &MeshSide<'_>, plane: &Plane) -> ShapeContacts {
        let margins = self.margins();
        let mut contacts = Vec::new();
        for triangle in mesh.triangles() {
            let corners = mesh.corners(triangle);
            if plane.compare(&corners, &[margins.a, margins.b]) == Ordering::Greater {
                continue;
            }
            let above = plane.above(corners.into_iter());
            let lowest = corners[above.lowest];
            let foot = lowest - plane.normal * plane.height(lowest);
            let depth = Interval {
                lower: (margins.down() - above.upper).max(0.0),
                upper: (margins.up() - above.lower).max(0.0),
            };
            // As if the mesh were a.
            let found = Penetration { depth, normal: -plane.normal, on_a: lowest, on_b: foot };
            contacts.push(ShapeContact::new(mesh.witness(triangle), &mesh.turned(found)));
        }
        let stats = Stats { triangle_tests: mesh.triangles().len() as u64, ..Stats::default() };
        ShapeContacts { contacts, stats, is_complete: true }
    }
}
