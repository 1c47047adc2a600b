//! Pictures of clashes: meshes in single precision, each once, which two of them a finding shows
//! and what is beside them, and where all parts are.

use anyhow::Result;
use glam::DVec3;
use nearhit::Mesh;
use nearhit::clash::{Assembly, Finding};
use nearhit::research::broad::Bounds;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// Of a part with more triangles only these many around the finding are drawn.
const MOST_OF_A_PART: usize = 20_000;
/// The page has no more triangles than these: what comes later has no picture.
const MOST_OF_ALL: usize = 600_000;
/// Segments of the curve along which two parts meet.
const MOST_OF_A_CURVE: usize = 4000;
/// Parts beside a finding that are drawn as ghosts.
const MOST_NEIGHBOURS: usize = 8;
/// Of an assembly with at most so many triangles all parts are drawn as they are, of others those
/// that have findings; the rest are boxes.
const MOST_OF_THE_WHOLE: usize = 300_000;

/// Everything that is drawn.
#[derive(Debug, Default, Serialize)]
pub(super) struct Pictures {
    meshes: Vec<Drawn>,
    /// One for each finding, in order; null where the page would become too large.
    pictures: Vec<Option<Picture>>,
    whole: Whole,
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
    /// How large what is to be seen is: the overlap, a depth or a gap.
    extent: f64,
    bodies: [Body; 2],
    /// What is beside it.
    beside: Vec<Body>,
    /// The curve along which the surfaces meet, from the focus: six numbers a segment, single
    /// precision, as base64.
    curve: String,
}

/// The assembly from afar.
#[derive(Debug, Default, Serialize)]
struct Whole {
    /// What the boxes are about.
    middle: [f64; 3],
    /// Half its size.
    radius: f64,
    /// Parts that are drawn as they are.
    bodies: Vec<Body>,
    /// Boxes of all others: six single precision numbers each, from the middle, as base64.
    boxes: String,
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
}

impl Pictures {
    pub(super) fn new(findings: &[Finding], assembly: &Assembly) -> Result<Self> {
        let mut pictures = Self::default();
        for finding in findings {
            let has_room = pictures.triangles < MOST_OF_ALL;
            let picture = has_room.then(|| pictures.picture(finding, assembly)).transpose()?;
            pictures.pictures.push(picture);
        }
        pictures.whole = pictures.overview(findings, assembly);
        Ok(pictures)
    }

    /// How many findings have a picture.
    pub(super) fn count(&self) -> usize {
        self.pictures.iter().flatten().count()
    }

    fn picture(&mut self, finding: &Finding, assembly: &Assembly) -> Result<Picture> {
        let focus = focus(finding);
        let extent = extent(finding, assembly);
        let curve = assembly.outline(finding, MOST_OF_A_CURVE)?;
        let curve = curve.iter().flatten().flat_map(|&point| single(point - focus)).collect::<Vec<u8>>();
        let bodies = finding.parts.map(|part| self.body(part, focus, assembly));
        let neighbours = nearest_parts(finding, focus, extent, assembly);
        Ok(Picture {
            focus: focus.to_array(),
            points: finding.points.map(|point| (point - focus).to_array()),
            extent,
            bodies,
            beside: neighbours.into_iter().map(|part| self.body(part, focus, assembly)).collect(),
            curve: base64(&curve),
        })
    }

    /// All parts: as they are where there is room, as boxes otherwise.
    fn overview(&mut self, findings: &[Finding], assembly: &Assembly) -> Whole {
        let parts = assembly.parts();
        let boxes = parts.iter().map(|part| part.bounds).reduce(|one, other| one.join(&other));
        let Some((low, high)) = boxes.map(|whole| (whole.low, whole.high)) else { return Whole::default() };
        let middle = low * 0.5 + high * 0.5;
        let count = |part: usize| assembly.shape_mesh(parts[part].shape).map_or(0, |mesh| mesh.triangles().len());
        let is_small = (0..parts.len()).map(count).sum::<usize>() <= MOST_OF_THE_WHOLE;
        let found: HashSet<usize> = findings.iter().flat_map(|finding| finding.parts).collect();
        let (mut bodies, mut boxes, mut left) = (Vec::new(), Vec::new(), MOST_OF_THE_WHOLE);
        for (index, part) in parts.iter().enumerate() {
            // Parts of findings were drawn anyway.
            let is_drawn = is_small || found.contains(&index) && self.drawn.contains_key(&part.shape);
            if is_drawn && count(index) <= left {
                left -= count(index);
                bodies.push(self.body(index, middle, assembly));
            } else {
                boxes
                    .extend([part.bounds.low, part.bounds.high].into_iter().flat_map(|corner| single(corner - middle)));
            }
        }
        let radius = (high - low).length() * 0.5;
        Whole { middle: middle.to_array(), radius, bodies, boxes: base64(&boxes) }
    }

    fn body(&mut self, part: usize, focus: DVec3, assembly: &Assembly) -> Body {
        let part = &assembly.parts()[part];
        let (pose, bounds) = (part.world_from_shape, part.bounds);
        let mesh = assembly.shape_mesh(part.shape).expect("a part has a shape");
        let middle_of = centre(mesh);
        let drawn = if mesh.triangles().len() > MOST_OF_A_PART {
            self.draw(mesh, &around(mesh, pose.inverse().apply(focus)), middle_of)
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

/// What a picture turns about: the overlap's middle, or the finding's place.
fn focus(finding: &Finding) -> DVec3 {
    let overlap = finding.overlap.as_ref().and_then(|overlap| overlap.bounds);
    overlap.map_or_else(|| finding.place(), |bounds| bounds.low * 0.5 + bounds.high * 0.5)
}

/// How large what a finding is about is: its overlap, or else the depth, the gap, or a part of the
/// smaller part.
fn extent(finding: &Finding, assembly: &Assembly) -> f64 {
    let size = |part: usize| {
        let bounds = assembly.parts()[part].bounds;
        (bounds.high - bounds.low).length()
    };
    let smaller = size(finding.parts[0]).min(size(finding.parts[1]));
    let overlap = finding.overlap.as_ref().and_then(|overlap| overlap.bounds);
    let own = overlap.map(|bounds| (bounds.high - bounds.low).length());
    let measured = finding.measure().map(|length| 20.0 * length);
    own.or(measured).filter(|&own| own > 0.0).map_or(0.5 * smaller, |own| own.min(smaller)).max(1e-4 * smaller)
}

/// The parts nearest to a finding that are not its own.
fn nearest_parts(finding: &Finding, focus: DVec3, extent: f64, assembly: &Assembly) -> Vec<usize> {
    let far = |low: DVec3, high: DVec3| (focus.clamp(low, high) - focus).length();
    let own = |part: &usize| finding.parts.contains(part) || finding.copies.contains(part);
    let parts = assembly.parts().iter().enumerate();
    let mut near: Vec<(f64, usize)> = parts
        .filter(|(index, _)| !own(index))
        .map(|(index, part)| (far(part.bounds.low, part.bounds.high), index))
        .filter(|(distance, _)| *distance <= 2.0 * extent)
        .collect();
    near.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    near.into_iter().take(MOST_NEIGHBOURS).map(|(_, part)| part).collect()
}

fn single(point: DVec3) -> impl Iterator<Item = u8> {
    point.to_array().into_iter().flat_map(|x| (x as f32).to_le_bytes())
}

/// The triangles nearest to a point, in the order of the mesh.
fn around(mesh: &Mesh, focus: DVec3) -> Vec<[u32; 3]> {
    let far = |triangle: u32| {
        let corners = mesh.triangle(triangle);
        corners.iter().map(|corner| corner.distance_squared(focus)).fold(f64::INFINITY, f64::min)
    };
    let mut order: Vec<(f64, u32)> =
        (0..mesh.triangles().len() as u32).map(|triangle| (far(triangle), triangle)).collect();
    order.select_nth_unstable_by(MOST_OF_A_PART, |one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let mut kept: Vec<u32> = order[..MOST_OF_A_PART].iter().map(|&(_, triangle)| triangle).collect();
    kept.sort_unstable();
    kept.iter().map(|&triangle| mesh.triangles()[triangle as usize]).collect()
}

/// Of the box around a mesh.
fn centre(mesh: &Mesh) -> DVec3 {
    let used = mesh.triangles().iter().flatten().map(|&vertex| mesh.vertices()[vertex as usize]);
    let Bounds { low, high } = used.collect();
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
