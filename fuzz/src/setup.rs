//! Bytes as two small meshes and a pose: on a coarse grid mostly, where everything is parallel,
//! coplanar or coincident.

use crate::bytes::Bytes;
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::{Mesh, Model, Pose, Preset};

/// What is asked about.
#[derive(Debug)]
pub struct Setup {
    /// One.
    pub a: Model,
    /// The other.
    pub b: Model,
    /// Where b is.
    pub a_from_b: Pose,
    engine: u8,
}

/// Most triangles, or boxes, of a mesh.
const MOST: u8 = 16;

/// One, mostly; otherwise a power of ten that double precision has.
fn scale_of(bytes: &mut Bytes<'_>) -> f64 {
    match bytes.next() {
        0..200 => 1.0,
        byte => 10_f64.powi((i32::from(byte) - 228) * 10),
    }
}

impl Setup {
    /// None if the bytes make no legal mesh.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut bytes = Bytes::new(bytes);
        let engine = bytes.next();
        let scale = scale_of(&mut bytes);
        let a = mesh(&mut bytes, scale)?;
        let b = if engine & 0x80 == 0 { mesh(&mut bytes, scale)? } else { a.clone() };
        let a_from_b = pose(&mut bytes, scale)?;
        Some(Self { a: Model::new(a), b: Model::new(b), a_from_b, engine })
    }

    /// The same mesh in another engine.
    #[must_use]
    pub fn other_engine(&self, model: &Model) -> Model {
        let (mesh, which) = (model.mesh().clone(), usize::from(self.engine & 0x7f));
        match which % (VolumeKind::ALL.len() + 1) {
            0 => Model::with_preset(mesh, Preset::Compact),
            volume => Model::with(mesh, VolumeKind::ALL[volume - 1], &BuildOptions::default()),
        }
    }
}

/// Boxes, or triangles between some points.
fn mesh(bytes: &mut Bytes<'_>, scale: f64) -> Option<Mesh> {
    let kind = bytes.next();
    let count = usize::from(kind % MOST) + 1;
    let (mut vertices, mut triangles): (Vec<[f64; 3]>, Vec<[u32; 3]>) = Default::default();
    if kind & 0x80 != 0 {
        for _ in 0..count.div_ceil(12) {
            let low = [bytes.eighths(), bytes.eighths(), bytes.eighths()];
            let high = low.map(|from| from + f64::from(bytes.next() % 32 + 1) / 8.0);
            let first = vertices.len() as u32;
            vertices.extend(
                (0..8).map(|i| std::array::from_fn(|axis| if i >> axis & 1 == 0 { low[axis] } else { high[axis] })),
            );
            let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
            triangles
                .extend(quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).map(|it| it.map(|i| first + i)));
        }
    } else {
        let corners = count + 2;
        for _ in 0..corners {
            let own = scale_of(bytes);
            vertices.push([bytes.eighths() * own, bytes.eighths() * own, bytes.eighths() * own]);
        }
        triangles.extend((0..count).map(|_| [0; 3].map(|_| u32::from(bytes.next()) % corners as u32)));
    }
    let vertices: Vec<[f64; 3]> = vertices.iter().map(|vertex| vertex.map(|part| part * scale)).collect();
    Mesh::new(&vertices, &triangles).ok()
}

/// Nowhere else, along the grid, by quarter turns, or any way.
fn pose(bytes: &mut Bytes<'_>, scale: f64) -> Option<Pose> {
    let kind = bytes.next();
    let by = [bytes.eighths(), bytes.eighths(), bytes.eighths()].map(|part| part * scale);
    let quarter = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    match kind % 4 {
        0 => Some(Pose::IDENTITY),
        1 => Pose::from_translation(by).ok(),
        2 => Pose::from_rows(quarter, by).ok(),
        _ => {
            let quaternion = [0; 4].map(|_| f64::from(bytes.next() as i8));
            let length = quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
            Pose::from_quaternion(quaternion.map(|part| part / length), by).ok()
        }
    }
}
