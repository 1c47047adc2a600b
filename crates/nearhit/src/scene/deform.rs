//! Deformable meshes, refitted: vertices move, triangles come and go.
//!
//! The shape of the tree is kept as a tree of boxes around triangles; the volumes of a chosen kind
//! are fitted to that shape when the model is asked for. A moved triangle that stays in its box
//! changes nothing; boxes are therefore made a little too large, by where the triangle will be if
//! it goes on as it does (the k-DOP paper's buffering, §6.1). Where boxes have grown too much, or
//! much was inserted and deleted, that part of the tree is built afresh and only that.
//!
//! Answers are those of a model built afresh from the same mesh.

use super::broad::BoxTree;
use crate::bounds::Bounds;
use crate::build::Shape as TreeShape;
use crate::error::MeshError;
use crate::hierarchy::VolumeKind;
use crate::mesh::{Mesh, RawMesh, Triangle};
use crate::model::{Model, Tree};
use glam::DVec3;
use std::sync::Arc;
use thiserror::Error;

/// How much room a moving triangle gets.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Buffer {
    /// For so many further moves like the last one; 0 for none.
    pub moves: f64,
    /// And by this length to all sides.
    pub margin: f64,
}

impl Buffer {
    /// Room for so many moves, and by this length to all sides.
    #[must_use]
    pub const fn new(moves: f64, margin: f64) -> Self {
        Self { moves, margin }
    }
}

/// Error of a change; nothing has changed then.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DeformError {
    /// What was given makes no mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// As many positions as vertices are needed.
    #[error("{given} positions for {vertices} vertices")]
    Count {
        /// How many were given.
        given: usize,
        /// How many there are.
        vertices: usize,
    },
    /// There is no such triangle.
    #[error("there is no triangle {triangle}: there are {triangles} (numbered from 0)")]
    UnknownTriangle {
        /// As given.
        triangle: u32,
        /// How many there are.
        triangles: usize,
    },
    /// NaN, infinite or negative.
    #[error("the buffer's {what} is {value}: it must be finite and at least 0")]
    Buffer {
        /// `moves` or `margin`.
        what: &'static str,
        /// The value.
        value: f64,
    },
}

/// A mesh that changes, with its tree.
#[derive(Debug, Clone)]
pub struct Deforming {
    mesh: RawMesh,
    /// By vertex: how many corners of triangles it is; those of none are used again.
    uses: Vec<u32>,
    unused: Vec<u32>,
    kind: VolumeKind,
    buffer: Buffer,
    /// Boxes by triangle.
    tree: BoxTree,
    model: Arc<Model>,
    /// What of the model is to be made again.
    stale: Stale,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stale {
    Nothing,
    Vertices,
    Volumes,
}

impl Deforming {
    /// Builds the tree. The default engine's nodes cannot be refitted: a volume must be chosen;
    /// boxes and k-DOPs are fitted from the leaves up, others node by node.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::Deforming;
    ///
    /// let mut soft = Deforming::new(cube(1.0).mesh())?;
    /// let mut vertices = soft.mesh().vertices.clone();
    /// vertices[0][0] -= 0.5;
    /// soft.move_vertices(&vertices)?;
    /// assert_eq!(soft.model()?.mesh().vertices()[0].x, -1.5);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "deformable")]
    #[doc(alias = "refit")]
    #[doc(alias = "soft body")]
    pub fn new(mesh: &Mesh) -> Result<Self, DeformError> {
        Self::with_volume(mesh, VolumeKind::default(), Buffer::default())
    }

    /// With a tree of the given volume.
    pub(crate) fn with_volume(mesh: &Mesh, kind: VolumeKind, buffer: Buffer) -> Result<Self, DeformError> {
        for (what, value) in [("moves", buffer.moves), ("margin", buffer.margin)] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(DeformError::Buffer { what, value });
            }
        }
        let vertices = mesh.vertices().iter().map(|vertex| vertex.to_array()).collect();
        let raw = RawMesh { vertices, triangles: mesh.triangles().to_vec() };
        let mut uses = vec![0; raw.vertices.len()];
        raw.triangles.iter().flatten().for_each(|&vertex| uses[vertex as usize] += 1);
        let model = Arc::new(Model::with(mesh.clone(), kind, &crate::build::BuildOptions::default()));
        let (tree, unused, stale) = (BoxTree::default(), Vec::new(), Stale::Volumes);
        let mut deforming = Self { mesh: raw, uses, unused, kind, buffer, tree, model, stale };
        for triangle in 0..deforming.mesh.triangles.len() as u32 {
            let bounds = deforming.room(deforming.bounds(triangle));
            deforming.tree.insert(triangle, bounds);
        }
        deforming.tree.mend_worn();
        Ok(deforming)
    }

    /// The mesh as it is now.
    #[must_use]
    pub fn mesh(&self) -> &RawMesh {
        &self.mesh
    }

    /// Moves all vertices. Returns how many triangles left the room that they had, so that boxes
    /// were refitted.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::Deforming;
    ///
    /// let mut soft = Deforming::new(cube(1.0).mesh())?;
    /// let higher: Vec<[f64; 3]> = soft.mesh().vertices.iter().map(|&[x, y, z]| [x, y, z + 5.0]).collect();
    /// assert_eq!(soft.move_vertices(&higher)?, 12);
    /// # Ok(())
    /// # }
    /// ```
    pub fn move_vertices(&mut self, positions: &[[f64; 3]]) -> Result<usize, DeformError> {
        if positions.len() != self.mesh.vertices.len() {
            return Err(DeformError::Count { given: positions.len(), vertices: self.mesh.vertices.len() });
        }
        crate::mesh::check_coordinates(positions)?;
        let before = std::mem::replace(&mut self.mesh.vertices, positions.to_vec());
        let mut left = Vec::new();
        let moved = |&vertex: &u32| before[vertex as usize] != self.mesh.vertices[vertex as usize];
        for triangle in 0..self.mesh.triangles.len() as u32 {
            let bounds = self.bounds(triangle);
            let in_room = self.tree.get(triangle).is_some_and(|room| room.holds(&bounds));
            // Without a buffer volumes hold the triangles and not their boxes.
            let stays = in_room && (self.is_buffered() || !self.mesh.triangles[triangle as usize].iter().any(moved));
            if !stays {
                left.push((triangle, self.buffered(triangle, bounds, &before)));
            }
        }
        let refitted = left.len();
        self.stale = self.stale.max(if left.is_empty() { Stale::Vertices } else { Stale::Volumes });
        if !left.is_empty() {
            self.tree.reshape(left.into_iter());
            self.tree.mend_worn();
        }
        Ok(refitted)
    }

    /// Adds triangles with corners of their own; returns the first one's index, the others follow.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::glam::DVec3;
    /// use nearhit::scene::Deforming;
    ///
    /// let mut soft = Deforming::new(cube(1.0).mesh())?;
    /// assert_eq!(soft.insert(&[[DVec3::X * 3.0, DVec3::X * 4.0, DVec3::X * 3.0 + DVec3::Y]])?, 12);
    /// assert_eq!(soft.model()?.mesh().triangles().len(), 13);
    /// # Ok(())
    /// # }
    /// ```
    pub fn insert(&mut self, triangles: &[Triangle]) -> Result<u32, DeformError> {
        let first = self.mesh.triangles.len();
        let corners: Vec<[f64; 3]> = triangles.iter().flatten().map(DVec3::to_array).collect();
        crate::mesh::check_coordinates(&corners)?;
        if first + triangles.len() > Mesh::MAX_TRIANGLES {
            let (what, count, limit) = ("triangles", first + triangles.len(), Mesh::MAX_TRIANGLES);
            return Err(MeshError::TooMany { what, count, limit }.into());
        }
        for triangle in triangles {
            let corners = triangle.map(|corner| self.vertex(corner.to_array()));
            let index = self.mesh.triangles.len() as u32;
            self.mesh.triangles.push(corners);
            let bounds = self.room(self.bounds(index));
            let place = self.tree.insert(index, bounds);
            self.tree.mend_above(place);
        }
        self.stale = Stale::Volumes;
        Ok(first as u32)
    }

    /// Deletes triangles. The last ones take their indices: after `remove(&[3])` of ten, the tenth
    /// is number 3.
    ///
    /// Errors: an index that does not exist; or nothing would be left, which is no mesh.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::Deforming;
    ///
    /// let mut soft = Deforming::new(cube(1.0).mesh())?;
    /// soft.remove(&[3])?;
    /// assert_eq!(soft.model()?.mesh().triangles().len(), 11);
    /// # Ok(())
    /// # }
    /// ```
    pub fn remove(&mut self, triangles: &[u32]) -> Result<(), DeformError> {
        let count = self.mesh.triangles.len();
        let mut gone = triangles.to_vec();
        gone.sort_unstable();
        gone.dedup();
        if let Some(&triangle) = gone.last().filter(|&&last| last as usize >= count) {
            return Err(DeformError::UnknownTriangle { triangle, triangles: count });
        }
        if gone.len() == count {
            return Err(MeshError::NoTriangles.into());
        }
        // From the last on: what takes a place is never one that is to go.
        for &index in gone.iter().rev() {
            let last = self.mesh.triangles.len() as u32 - 1;
            for vertex in self.mesh.triangles.swap_remove(index as usize) {
                self.release(vertex);
            }
            let place = self.tree.remove(index);
            self.tree.mend_above(place);
            if let Some(bounds) = self.tree.get(last).copied().filter(|_| last != index) {
                self.tree.rename(last, index);
                debug_assert_eq!(self.tree.get(index), Some(&bounds));
            }
        }
        self.stale = Stale::Volumes;
        Ok(())
    }

    /// The model as it is now; earlier ones stay valid.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::scene::Deforming;
    ///
    /// let mut soft = Deforming::new(cube(1.0).mesh())?;
    /// let before = soft.model()?;
    /// soft.remove(&[0])?;
    /// assert_eq!((before.mesh().triangles().len(), soft.model()?.mesh().triangles().len()), (12, 11));
    /// # Ok(())
    /// # }
    /// ```
    pub fn model(&mut self) -> Result<Arc<Model>, DeformError> {
        if self.stale != Stale::Nothing {
            let mesh = Mesh::try_from(self.mesh.clone())?;
            let tree = match (self.stale, self.model.tree()) {
                (Stale::Vertices, Tree::Classic(tree)) => tree.clone(),
                _ => {
                    let crate::scene::broad::Layout { nodes, order } = self.tree.layout();
                    let enclosed = |id: u32, triangles: &mut Vec<Triangle>| self.enclosed(&mesh, id, triangles);
                    self.kind.assemble(TreeShape { nodes, order }, &enclosed)
                }
            };
            self.model = Arc::new(Model::from_tree(mesh, Tree::Classic(tree)));
            self.stale = Stale::Nothing;
        }
        Ok(Arc::clone(&self.model))
    }

    /// What the leaf of a triangle must hold: the triangle, or the whole box that it may move in.
    fn enclosed(&self, mesh: &Mesh, id: u32, triangles: &mut Vec<Triangle>) {
        triangles.push(mesh.triangle(id));
        if let Some(Bounds { low, high }) = self.tree.get(id).copied().filter(|_| self.is_buffered()) {
            let corner = |x: bool, y: bool, z: bool| {
                let pick = |high_side: bool, axis: usize| if high_side { high[axis] } else { low[axis] };
                DVec3::new(pick(x, 0), pick(y, 1), pick(z, 2))
            };
            for [a, b, c] in [[0, 1, 2], [3, 4, 5], [6, 7, 7]] {
                triangles.push([a, b, c].map(|bits: u8| corner(bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)));
            }
        }
    }

    fn is_buffered(&self) -> bool {
        self.buffer != Buffer::default()
    }

    fn bounds(&self, triangle: u32) -> Bounds {
        let corners = self.mesh.triangles[triangle as usize];
        corners.into_iter().map(|vertex| DVec3::from_array(self.mesh.vertices[vertex as usize])).collect()
    }

    /// Room for the moves to come, if they are like the last one.
    fn buffered(&self, triangle: u32, bounds: Bounds, before: &[[f64; 3]]) -> Bounds {
        let ahead = |vertex: u32| {
            let [was, is] = [before, &self.mesh.vertices].map(|all| DVec3::from_array(all[vertex as usize]));
            is + (is - was) * self.buffer.moves
        };
        let corners = self.mesh.triangles[triangle as usize];
        let later: Bounds = corners.into_iter().map(ahead).filter(|point| point.is_finite()).collect();
        self.room(bounds.join(&later))
    }

    /// Longer by the margin, but not beyond where a vertex can be.
    fn room(&self, bounds: Bounds) -> Bounds {
        let limit = DVec3::splat(crate::error::MAX_COORDINATE);
        let Bounds { low, high } = bounds.grown(self.buffer.margin);
        Bounds { low: low.max(-limit), high: high.min(limit) }
    }

    fn vertex(&mut self, position: [f64; 3]) -> u32 {
        if let Some(vertex) = self.unused.pop() {
            self.mesh.vertices[vertex as usize] = position;
            self.uses[vertex as usize] = 1;
            return vertex;
        }
        self.mesh.vertices.push(position);
        self.uses.push(1);
        self.mesh.vertices.len() as u32 - 1
    }

    fn release(&mut self, vertex: u32) {
        let uses = &mut self.uses[vertex as usize];
        *uses -= 1;
        if *uses == 0 {
            // Far-away leftovers would make all rounding bounds of the mesh larger.
            self.mesh.vertices[vertex as usize] = [0.0; 3];
            self.unused.push(vertex);
        }
    }
}
