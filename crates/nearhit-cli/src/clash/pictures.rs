//! Pictures of clashes: meshes in single precision, each once, and which two of them a finding
//! shows.

use glam::DVec3;
use nearhit::Mesh;
use nearhit::clash::{Assembly, Finding};
use serde::Serialize;
use std::collections::HashMap;

/// Of a part with more triangles only these many around the finding are drawn.
const MOST_OF_A_PART: usize = 20_000;
/// The page has no more triangles than these: what comes later has no picture.
const MOST_OF_ALL: usize = 600_000;
/// Triangles drawn red.
const MOST_RED: usize = 4000;

/// Everything that is drawn.
#[derive(Debug, Default, Serialize)]
pub(super) struct Pictures {
    meshes: Vec<Drawn>,
    /// One for each finding, in order; null where the page would become too large.
    pictures: Vec<Option<Picture>>,
    #[serde(skip)]
    triangles: usize,
    #[serde(skip)]
    drawn: HashMap<usize, usize>,
}

/// Of a finding.
#[derive(Debug, Serialize)]
struct Picture {
    /// What it turns about.
    focus: [f64; 3],
    /// On a and on b, from the focus.
    points: [[f64; 3]; 2],
    bodies: [Body; 2],
}

/// A mesh about its own middle, so that single precision does.
#[derive(Debug, Serialize)]
struct Drawn {
    /// Little-endian single precision numbers and 32-bit indices, as base64.
    positions: String,
    triangles: String,
}

/// A part in a picture.
#[derive(Debug, Clone, Serialize)]
struct Body {
    mesh: usize,
    /// Rows of the rotation, and where the mesh's middle is.
    rotation: [[f64; 3]; 3],
    translation: [f64; 3],
    /// Half the size of the whole part.
    radius: f64,
    /// Triangles in contact, as numbered in the mesh drawn.
    red: Vec<u32>,
}

impl Pictures {
    pub(super) fn new(findings: &[Finding], assembly: &Assembly) -> Self {
        let mut pictures = Self::default();
        for finding in findings {
            let picture = (pictures.triangles < MOST_OF_ALL).then(|| {
                let focus = middle(finding);
                let points = finding.points.map(|point| (point - focus).to_array());
                Picture {
                    focus: focus.to_array(),
                    points,
                    bodies: [0, 1].map(|side| pictures.body(finding, side, assembly)),
                }
            });
            pictures.pictures.push(picture);
        }
        pictures
    }

    /// How many findings have a picture.
    pub(super) fn count(&self) -> usize {
        self.pictures.iter().flatten().count()
    }

    fn body(&mut self, finding: &Finding, side: usize, assembly: &Assembly) -> Body {
        let part = &assembly.parts()[finding.parts[side]];
        let (pose, bounds) = (part.world_from_shape, part.bounds);
        let mesh = assembly.shape_mesh(part.shape).expect("a part has a shape");
        let middle_of = centre(mesh);
        let mut red: Vec<u32> = finding.triangles[side].iter().copied().take(MOST_RED).collect();
        let drawn = if mesh.triangles().len() > MOST_OF_A_PART {
            let focus = pose.inverse().apply(middle(finding));
            let (kept, renumbered) = around(mesh, focus, &red);
            red = renumbered;
            self.draw(mesh, &kept, middle_of)
        } else if let Some(&known) = self.drawn.get(&part.shape) {
            known
        } else {
            let index = self.draw(mesh, mesh.triangles(), middle_of);
            self.drawn.insert(part.shape, index);
            index
        };
        Body {
            mesh: drawn,
            rotation: pose.rotation().transpose().to_cols_array_2d(),
            translation: pose.apply(middle_of).to_array(),
            radius: (bounds.high - bounds.low).length() * 0.5,
            red,
        }
    }

    fn draw(&mut self, mesh: &Mesh, triangles: &[[u32; 3]], middle: DVec3) -> usize {
        // Only the vertices that are used.
        let (mut place, mut positions, mut indices) = (HashMap::new(), Vec::new(), Vec::new());
        for &vertex in triangles.iter().flatten() {
            let index = *place.entry(vertex).or_insert_with(|| {
                let point = (mesh.vertices()[vertex as usize] - middle).to_array();
                positions.extend(point.into_iter().flat_map(|x| (x as f32).to_le_bytes()));
                (positions.len() / 12 - 1) as u32
            });
            indices.extend(index.to_le_bytes());
        }
        self.triangles += triangles.len();
        self.meshes.push(Drawn { positions: base64(&positions), triangles: base64(&indices) });
        self.meshes.len() - 1
    }
}

/// Where a finding is.
fn middle(finding: &Finding) -> DVec3 {
    finding.points[0] * 0.5 + finding.points[1] * 0.5
}

/// The triangles nearest to a point, in the order of the mesh, and the new numbers of those that
/// are red.
fn around(mesh: &Mesh, focus: DVec3, red: &[u32]) -> (Vec<[u32; 3]>, Vec<u32>) {
    let far = |triangle: u32| {
        let corners = mesh.triangle(triangle);
        corners.iter().map(|corner| corner.distance_squared(focus)).fold(f64::INFINITY, f64::min)
    };
    let mut order: Vec<(f64, u32)> =
        (0..mesh.triangles().len() as u32).map(|triangle| (far(triangle), triangle)).collect();
    order.select_nth_unstable_by(MOST_OF_A_PART, |one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let mut kept: Vec<u32> = order[..MOST_OF_A_PART].iter().map(|&(_, triangle)| triangle).collect();
    kept.sort_unstable();
    let renumbered = red.iter().filter_map(|red| kept.binary_search(red).ok()).map(|index| index as u32).collect();
    (kept.iter().map(|&triangle| mesh.triangles()[triangle as usize]).collect(), renumbered)
}

/// Of the box around a mesh.
fn centre(mesh: &Mesh) -> DVec3 {
    let used = mesh.triangles().iter().flatten().map(|&vertex| mesh.vertices()[vertex as usize]);
    let (low, high) =
        used.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), point| (low.min(point), high.max(point)));
    low * 0.5 + high * 0.5
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let shown = digit <= chunk.len();
            text.push(if shown { DIGITS[(bits >> (18 - 6 * digit) & 63) as usize] as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_is_padded() {
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }
}
