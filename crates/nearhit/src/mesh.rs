//! Triangle meshes: validated polygon soup.
//!
//! Invariant of [`Mesh`]: at least one triangle, every index in range, every coordinate finite and
//! at most [`MAX_COORDINATE`] in magnitude. Nothing else is asked: cracks, self-intersections,
//! degenerate and duplicate triangles are legal, are kept, and keep their index.

use crate::bounds::Extent;
use crate::error::{MAX_COORDINATE, MeshError};
use glam::DVec3;
use std::collections::HashMap;

/// An unchecked mesh, from a file reader or a caller: not checked yet.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RawMesh {
    /// Corner coordinates.
    pub vertices: Vec<[f64; 3]>,
    /// Three indices into `vertices` each.
    pub triangles: Vec<[u32; 3]>,
}

/// A triangle by its corners.
pub type Triangle = [DVec3; 3];

/// A validated triangle mesh (polygon soup).
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    max_coordinate: f64,
}

impl Mesh {
    /// What is around its triangles.
    pub(crate) fn extent(&self) -> Extent {
        Extent::of(self.triangles.iter().flatten().map(|&vertex| self.vertices[vertex as usize]))
    }

    /// Equal meshes have the same; others hardly ever.
    pub(crate) fn fingerprint(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.triangles.hash(&mut hasher);
        self.vertices.iter().for_each(|point| point.to_array().map(f64::to_bits).hash(&mut hasher));
        hasher.finish()
    }

    /// Most triangles a mesh may have: node and triangle ids are 32-bit with one bit to spare.
    pub(crate) const MAX_TRIANGLES: usize = (1 << 31) - 1;

    /// Checks and copies `vertices` and `triangles`.
    pub fn new(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        Self::try_from(RawMesh { vertices: vertices.to_vec(), triangles: triangles.to_vec() })
    }

    /// Vertex positions.
    #[must_use]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Vertex indices of each triangle.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Corners of triangle `index`.
    #[must_use]
    #[inline]
    pub fn triangle(&self, index: u32) -> Triangle {
        // Written out, here and in `posed_b`: an array's `map` costs more than the fetching.
        let [a, b, c] = self.triangles[index as usize];
        [self.vertices[a as usize], self.vertices[b as usize], self.vertices[c as usize]]
    }

    /// The largest magnitude of any coordinate, vertices that no triangle uses included.
    #[must_use]
    pub(crate) fn max_coordinate(&self) -> f64 {
        self.max_coordinate
    }

    /// Heap memory held, in bytes.
    #[must_use]
    pub(crate) fn bytes(&self) -> usize {
        self.vertices.capacity() * size_of::<DVec3>() + self.triangles.capacity() * size_of::<[u32; 3]>()
    }
}

impl TryFrom<RawMesh> for Mesh {
    type Error = MeshError;

    fn try_from(raw: RawMesh) -> Result<Self, MeshError> {
        check_counts(raw.triangles.len(), raw.vertices.len())?;
        check_memory(&raw)?;
        let max_coordinate = check_coordinates(&raw.vertices)?;
        check_indices(&raw)?;
        let mut vertices: Vec<DVec3> = raw.vertices.into_iter().map(DVec3::from_array).collect();
        let mut triangles = raw.triangles;
        // A mesh does not grow; readers that do not know its size leave up to half of the memory
        // unused.
        vertices.shrink_to_fit();
        triangles.shrink_to_fit();
        Ok(Self { vertices, triangles, max_coordinate })
    }
}

fn check_counts(triangles: usize, vertices: usize) -> Result<(), MeshError> {
    let too_many = |what, count, limit| Err(MeshError::TooMany { what, count, limit });
    match (triangles, vertices) {
        (0, _) => Err(MeshError::NoTriangles),
        (count, _) if count > Mesh::MAX_TRIANGLES => too_many("triangles", count, Mesh::MAX_TRIANGLES),
        (_, count) if count > u32::MAX as usize => too_many("vertices", count, u32::MAX as usize),
        _ => Ok(()),
    }
}

/// The most that the default engine's tree takes for a triangle while it is made (measured: 190 to
/// 230 bytes).
const TREE_BYTES: usize = 256;
/// A mesh with fewer triangles is not worth asking for.
const MANY: usize = 1 << 16;

/// Is there memory for the mesh's tree? It is asked for once and given back: nobody can refuse
/// while trees are made, and a process without memory is ended.
fn check_memory(raw: &RawMesh) -> Result<(), MeshError> {
    let triangles = raw.triangles.len();
    let bytes = triangles.saturating_mul(TREE_BYTES);
    if triangles < MANY || is_free(bytes) {
        return Ok(());
    }
    Err(MeshError::Memory { triangles, megabytes: bytes / 1_000_000 })
}

fn is_free(bytes: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let is_free = room.try_reserve_exact(bytes).is_ok();
    // What nobody looks at need not be asked for.
    std::hint::black_box(&room);
    is_free
}

/// Returns the largest magnitude.
pub(crate) fn check_coordinates(vertices: &[[f64; 3]]) -> Result<f64, MeshError> {
    let mut largest = 0.0_f64;
    for (vertex, point) in vertices.iter().enumerate() {
        for (axis, &value) in ['x', 'y', 'z'].into_iter().zip(point) {
            if !value.is_finite() {
                return Err(MeshError::NotFinite { vertex, axis, value });
            }
            if value.abs() > MAX_COORDINATE {
                return Err(MeshError::TooLarge { vertex, axis, value });
            }
            largest = largest.max(value.abs());
        }
    }
    Ok(largest)
}

fn check_indices(raw: &RawMesh) -> Result<(), MeshError> {
    let vertices = raw.vertices.len();
    for (triangle, corners) in raw.triangles.iter().enumerate() {
        for (corner, &index) in corners.iter().enumerate() {
            if index as usize >= vertices {
                return Err(MeshError::IndexOutOfRange { triangle, corner, index: index.into(), vertices });
            }
        }
    }
    Ok(())
}

/// For each vertex the first one at the same place.
pub(crate) fn places(vertices: &[DVec3]) -> Vec<u32> {
    let mut first = HashMap::with_capacity(vertices.len());
    let at = vertices.iter().enumerate().map(|(vertex, point)| {
        // Adding zero makes -0 and 0 one place.
        *first.entry(point.to_array().map(|value| (value + 0.0).to_bits())).or_insert(vertex as u32)
    });
    at.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

    #[test]
    fn keeps_degenerate_and_duplicate_triangles() {
        let mesh = Mesh::new(&CORNERS, &[[0, 1, 2], [0, 1, 2], [1, 1, 1]]).expect("legal soup");
        assert_eq!(mesh.triangles().len(), 3);
        assert_eq!(mesh.triangle(2), [DVec3::X; 3]);
        assert_eq!(mesh.max_coordinate(), 1.0);
    }

    /// By numbers alone: nobody has memory for so many.
    #[test]
    fn meshes_that_cannot_be_counted_are_an_error() {
        let (triangles, vertices) = (Mesh::MAX_TRIANGLES, u32::MAX as usize);
        assert_eq!(triangles, (1 << 31) - 1);
        assert_eq!(check_counts(triangles, vertices), Ok(()));
        let error = check_counts(triangles + 1, 3).expect_err("one more");
        assert_eq!(error, MeshError::TooMany { what: "triangles", count: triangles + 1, limit: triangles });
        let error = check_counts(1, vertices + 1).expect_err("one more");
        assert_eq!(error, MeshError::TooMany { what: "vertices", count: vertices + 1, limit: vertices });
        assert_eq!(check_counts(0, 3), Err(MeshError::NoTriangles));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        assert_eq!(Mesh::new(&CORNERS, &[]), Err(MeshError::NoTriangles));
        let mut corners = CORNERS;
        corners[1][2] = f64::NEG_INFINITY;
        assert_eq!(
            Mesh::new(&corners, &[[0, 1, 2]]),
            Err(MeshError::NotFinite { vertex: 1, axis: 'z', value: f64::NEG_INFINITY })
        );
        corners[1][2] = -1.1e300;
        assert_eq!(
            Mesh::new(&corners, &[[0, 1, 2]]),
            Err(MeshError::TooLarge { vertex: 1, axis: 'z', value: -1.1e300 })
        );
        corners[1][2] = f64::NAN;
        let message = Mesh::new(&corners, &[[0, 1, 2]]).expect_err("NaN").to_string();
        assert_eq!(message, "vertex 1: coordinate z is NaN, not a finite number");
        assert_eq!(
            Mesh::new(&CORNERS, &[[0, 1, 2], [0, 3, 1]]),
            Err(MeshError::IndexOutOfRange { triangle: 1, corner: 1, index: 3, vertices: 3 })
        );
    }
}
