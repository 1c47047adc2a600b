//! Snapshots of findings as PNG files, for coordination tools: two parts as a perspective camera
//! sees them, the larger one as glass, with a mark where the finding is.
//!
//! A rasteriser with a depth buffer and flat shading: a few hundred pixels need no graphics card,
//! and the same findings give the same bytes on every machine.

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use glam::{DVec2, DVec3};
use std::io::Write;

/// Pixels: as wide as [`ASPECT`] times the height.
const SIZE: [usize; 2] = [360, 240];
/// Width by height, as the viewpoint says.
pub(super) const ASPECT: f64 = 1.5;
/// Of the view from top to bottom, in degrees, as the viewpoint says.
pub(super) const FIELD_OF_VIEW: f64 = 60.0;
/// What is nearer to the eye than this share of the distance to the finding is not drawn.
const NEAR: f64 = 0.02;
const PAPER: [f64; 3] = [0.97, 0.97, 0.97];
/// Of the smaller part, of the larger part, of the mark.
const COLOURS: [[f64; 3]; 3] = [[0.93, 0.52, 0.16], [0.35, 0.55, 0.80], [0.82, 0.05, 0.10]];
/// How much of what is behind the larger part is seen through it.
const GLASS: f64 = 0.5;
/// Depths that differ by no more than this share are one: copies in the same place.
const SAME: f64 = 1e-6;
/// The mark's radius in pixels, and that of its hole.
const MARK: [f64; 2] = [7.0, 4.0];

/// Where a picture is taken from. Directions have length 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Camera {
    pub(super) eye: DVec3,
    pub(super) direction: DVec3,
    pub(super) up: DVec3,
    /// Where the finding is.
    pub(super) target: DVec3,
}

/// One part as it is seen: for each pixel the depth of what is nearest, and how light it is.
struct Layer {
    depth: Vec<f64>,
    light: Vec<f64>,
}

impl Camera {
    /// A picture of two parts, the smaller first: corners of their triangles, in the world.
    pub(super) fn png(&self, parts: [&mut dyn Iterator<Item = [DVec3; 3]>; 2]) -> Result<Vec<u8>> {
        let [smaller, larger] = parts.map(|triangles| self.layer(triangles));
        let mark = self.projected(self.seen(self.target));
        let mut pixels = Vec::with_capacity(SIZE[0] * SIZE[1] * 3);
        for row in 0..SIZE[1] {
            for column in 0..SIZE[0] {
                let far = (DVec2::new(column as f64 + 0.5, row as f64 + 0.5) - mark).length();
                let colour = if (MARK[1]..=MARK[0]).contains(&far) {
                    COLOURS[2]
                } else {
                    composed(&smaller, &larger, row * SIZE[0] + column)
                };
                pixels.extend(colour.map(|value| (value * 255.0).round() as u8));
            }
        }
        encoded(&pixels)
    }

    /// Right, up and ahead, in units of the distance to the target.
    fn seen(&self, point: DVec3) -> DVec3 {
        let ahead = (point - self.eye) / (self.target - self.eye).length();
        let side = self.direction.cross(self.up);
        DVec3::new(ahead.dot(side), ahead.dot(self.up), ahead.dot(self.direction))
    }

    /// Of a seen point ahead of the eye: where it is in the picture.
    fn projected(&self, seen: DVec3) -> DVec2 {
        let half = 0.5 * SIZE[1] as f64;
        let scale = half / (0.5 * FIELD_OF_VIEW).to_radians().tan() / seen.z;
        DVec2::new(0.5 * SIZE[0] as f64 + seen.x * scale, half - seen.y * scale)
    }

    fn layer(&self, triangles: &mut dyn Iterator<Item = [DVec3; 3]>) -> Layer {
        let count = SIZE[0] * SIZE[1];
        let mut layer = Layer { depth: vec![f64::INFINITY; count], light: vec![0.0; count] };
        for triangle in triangles {
            let seen = triangle.map(|corner| self.seen(corner));
            let normal = (seen[1] - seen[0]).cross(seen[2] - seen[0]).normalize_or_zero();
            let light = 0.4 + 0.6 * normal.dot(DVec3::new(0.36, 0.48, -0.8)).abs();
            let ahead = clipped(seen);
            for corner in 1..ahead.len().saturating_sub(1) {
                let fan = [ahead[0], ahead[corner], ahead[corner + 1]];
                layer.fill(fan.map(|seen| (self.projected(seen), seen.z)), light);
            }
        }
        layer
    }
}

/// What of a triangle is ahead of the eye: a polygon.
fn clipped(seen: [DVec3; 3]) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(4);
    for (index, &one) in seen.iter().enumerate() {
        let next = seen[(index + 1) % 3];
        if one.z >= NEAR {
            kept.push(one);
        }
        if (one.z >= NEAR) != (next.z >= NEAR) {
            kept.push(one + (next - one) * ((NEAR - one.z) / (next.z - one.z)));
        }
    }
    kept
}

impl Layer {
    /// Every pixel whose middle is in the triangle, where nothing nearer is. One over the depth is
    /// linear in a picture.
    fn fill(&mut self, corners: [(DVec2, f64); 3], light: f64) {
        let [(a, at_a), (b, at_b), (c, at_c)] = corners;
        let area = (b - a).perp_dot(c - a);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        if !(area.is_finite() && area != 0.0 && low.is_finite() && high.is_finite()) {
            return;
        }
        // Casts end at the limits of the type, and clamps at those of the picture.
        let range = |axis: usize| {
            let first = (low[axis] - 0.5).ceil().clamp(0.0, SIZE[axis] as f64) as usize;
            let end = (high[axis] - 0.5).floor().clamp(-1.0, SIZE[axis] as f64 - 1.0) + 1.0;
            first..end as usize
        };
        for row in range(1) {
            for column in range(0) {
                let pixel = DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
                let share = |from: DVec2, to: DVec2| (to - from).perp_dot(pixel - from) / area;
                let (of_c, of_a, of_b) = (share(a, b), share(b, c), share(c, a));
                let depth = 1.0 / (of_a / at_a + of_b / at_b + of_c / at_c);
                let index = row * SIZE[0] + column;
                if of_a >= 0.0 && of_b >= 0.0 && of_c >= 0.0 && depth < self.depth[index] {
                    (self.depth[index], self.light[index]) = (depth, light);
                }
            }
        }
    }
}

/// The colour of a pixel: the larger part is glass before the smaller one and the paper.
fn composed(smaller: &Layer, larger: &Layer, pixel: usize) -> [f64; 3] {
    let lit = |part: usize, layer: &Layer| COLOURS[part].map(|value| value * layer.light[pixel]);
    let solid = if smaller.depth[pixel].is_finite() { lit(0, smaller) } else { PAPER };
    if larger.depth[pixel] >= smaller.depth[pixel] * (1.0 - SAME) {
        return solid;
    }
    let glass = lit(1, larger);
    std::array::from_fn(|channel| GLASS * solid[channel] + (1.0 - GLASS) * glass[channel])
}

/// As a PNG file (ISO/IEC 15948): three bytes a pixel, rows unfiltered.
fn encoded(pixels: &[u8]) -> Result<Vec<u8>> {
    let mut data = ZlibEncoder::new(Vec::new(), Compression::new(4));
    for row in pixels.chunks(3 * SIZE[0]) {
        data.write_all(&[0]).and_then(|()| data.write_all(row)).context("a picture")?;
    }
    let data = data.finish().context("a picture")?;
    let mut header = Vec::new();
    header.extend(SIZE.map(|count| (count as u32).to_be_bytes()).concat());
    // Bits a channel, colours without transparency, and the only ways of the rest that there are.
    header.extend([8, 2, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in [(b"IHDR", &header), (b"IDAT", &data), (b"IEND", &Vec::new())] {
        file.extend((content.len() as u32).to_be_bytes());
        let checked = file.len();
        file.extend(kind);
        file.extend(content);
        file.extend(crc32fast::hash(&file[checked..]).to_be_bytes());
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> Camera {
        Camera { eye: DVec3::ZERO, direction: DVec3::Y, up: DVec3::Z, target: DVec3::new(0.0, 10.0, 0.0) }
    }

    /// A square across the view: so far ahead, so high from its middle.
    fn wall(ahead: f64, half: f64) -> Vec<[DVec3; 3]> {
        let at = |x: f64, z: f64| DVec3::new(x * half, ahead, z * half);
        let [a, b, c, d] = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
        vec![[a, b, c], [a, c, d]]
    }

    #[test]
    fn walls_are_where_they_are_seen() {
        let layer = camera().layer(&mut wall(10.0, 2.0).into_iter());
        let drawn = |column: usize, row: usize| layer.depth[row * SIZE[0] + column];
        // Half the height shows tan 30° × 10 = 5.77: the wall's edge is at 2 of these.
        let edge = (120.0 * 2.0 / 5.773_502_691_9) as usize;
        assert!((drawn(180, 120) - 1.0).abs() < 1e-12 && (drawn(180 - edge + 1, 120 + edge - 2) - 1.0).abs() < 1e-12);
        assert!(drawn(180 - edge - 2, 120).is_infinite() && drawn(180, 120 + edge + 1).is_infinite());
        let count = layer.depth.iter().filter(|depth| depth.is_finite()).count();
        assert_eq!(count, (2 * edge + 2) * (2 * edge + 2), "no seam, no pixel twice");
    }

    #[test]
    fn what_is_nearer_is_seen_and_what_is_behind_is_not() {
        let mut both = wall(10.0, 2.0).into_iter().chain(wall(5.0, 1.0)).chain(wall(-5.0, 3.0));
        let layer = camera().layer(&mut both);
        assert!((layer.depth[120 * SIZE[0] + 180] - 0.5).abs() < 1e-12);
        // A floor that begins behind the eye is cut, not turned over.
        let floor = [[-9.0, -9.0], [9.0, -9.0], [0.0, 90.0]].map(|[x, y]| DVec3::new(x, y, -1.0));
        let layer = camera().layer(&mut [floor].into_iter());
        let drawn = |row: usize| layer.depth[row * SIZE[0] + 180].is_finite();
        assert!(drawn(239) && !drawn(100) && !drawn(0));
        let odd = [DVec3::NAN, DVec3::ONE, DVec3::splat(f64::MAX)];
        assert!(camera().layer(&mut [odd].into_iter()).depth.iter().all(|depth| depth.is_infinite()));
    }

    #[test]
    fn glass_is_seen_through() {
        let layer = |depth: f64| Layer { depth: vec![depth], light: vec![1.0] };
        let middle = |channel: usize| 0.5 * (COLOURS[0][channel] + COLOURS[1][channel]);
        assert_eq!(composed(&layer(2.0), &layer(1.0), 0), [0, 1, 2].map(middle));
        assert_eq!(composed(&layer(1.0), &layer(2.0), 0), COLOURS[0]);
        assert_eq!(composed(&layer(1.0), &layer(1.0 - 1e-9), 0), COLOURS[0], "copies do not flicker");
        assert_eq!(composed(&layer(f64::INFINITY), &layer(f64::INFINITY), 0), PAPER);
    }
}
