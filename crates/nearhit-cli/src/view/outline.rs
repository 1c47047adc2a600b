//! What a shape looks like: triangles to draw. Answers never come from these.

use anyhow::Result;
use glam::{DVec2, DVec3};
use nearhit::shape::Shape;
use nearhit::{Mesh, Ray, Scratch};
use std::f64::consts::{FRAC_PI_2, PI};

/// Corners around an axis.
const AROUND: usize = 48;
/// Corners of a quarter of a circle, where an edge is round.
const QUARTER: usize = 8;

/// Of a shape that is no mesh. What has no end is drawn as far as `reach`; a cloud, an octree or a
/// height field as the box around it.
pub(super) fn outline(shape: &Shape, reach: f64) -> Result<Mesh> {
    let Some((low, high)) = shape.bounds() else { return Ok(plane(shape, reach)?) };
    let (half, margin) = (0.5 * (high - low), shape.margin());
    let middle = 0.5 * (low + high);
    let end = half.z - margin;
    let made = match shape.name() {
        "box" => cuboid(half - margin, margin),
        "ball" | "capsule" | "cylinder" => {
            let radius = (half.x - margin).max(0.0);
            revolved([DVec2::new(radius, -end), DVec2::new(radius, end)], margin)
        }
        "cone" => revolved(cone(shape, middle, end), margin),
        "ellipsoid" => {
            let mut ball = revolved([DVec2::ZERO; 2], 1.0);
            ball.vertices.iter_mut().for_each(|vertex| *vertex *= half);
            ball
        }
        "hull" => return wrapped(shape, half),
        _ => cuboid(half, 0.0),
    };
    made.at(middle)
}

/// Rows of corners, each joined with the next.
struct Net {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl Net {
    /// Rows from bottom to top; the last corner of a row is the neighbour of the first. The first
    /// and the last row are closed.
    fn new(rows: &[Vec<DVec3>]) -> Self {
        let count = rows.first().map_or(0, Vec::len) as u32;
        let mut triangles = Vec::new();
        for row in 1..rows.len() as u32 {
            for column in 0..count {
                let next = (column + 1) % count;
                let [a, b] = [(row - 1) * count + column, (row - 1) * count + next];
                let [c, d] = [row * count + column, row * count + next];
                triangles.extend([[a, b, d], [a, d, c]]);
            }
        }
        let top = (rows.len() as u32).saturating_sub(1) * count;
        for column in 1..count.saturating_sub(1) {
            triangles.push([0, column + 1, column]);
            triangles.push([top, top + column, top + column + 1]);
        }
        Self { vertices: rows.concat(), triangles }
    }

    fn at(self, middle: DVec3) -> Result<Mesh> {
        let vertices: Vec<[f64; 3]> = self.vertices.iter().map(|&vertex| (middle + vertex).to_array()).collect();
        Ok(Mesh::new(&vertices, &self.triangles)?)
    }
}

/// Angles of a quarter of a circle; only its ends where nothing is round.
fn quarter(from: f64, to: f64, is_round: bool) -> impl Iterator<Item = f64> {
    let steps = if is_round { QUARTER } else { 1 };
    (0..=steps).map(move |step| from + (to - from) * step as f64 / steps as f64)
}

/// A line from bottom to top, as radii and heights, turned about z and grown by a margin.
fn revolved([bottom, top]: [DVec2; 2], margin: f64) -> Net {
    // Out of the line, to its right.
    let side = (bottom.x - top.x).atan2(top.y - bottom.y);
    let side = if top == bottom { 0.0 } else { side };
    let is_round = margin > 0.0;
    let lower = quarter(-FRAC_PI_2, side, is_round).map(|angle| (bottom, angle));
    let upper = quarter(side, FRAC_PI_2, is_round).map(|angle| (top, angle));
    let row = |(corner, angle): (DVec2, f64)| -> Vec<DVec3> {
        let (sine, cosine) = angle.sin_cos();
        let (radius, height) = (corner.x + margin * cosine, corner.y + margin * sine);
        let turned = |step: usize| DVec2::from_angle(2.0 * PI * step as f64 / AROUND as f64) * radius;
        (0..AROUND).map(turned).map(|place| place.extend(height)).collect()
    };
    Net::new(&lower.chain(upper).map(row).collect::<Vec<_>>())
}

/// A box, grown by a margin.
fn cuboid(half: DVec3, margin: f64) -> Net {
    let is_round = margin > 0.0;
    let heights = [-1.0, 1.0].into_iter().flat_map(|up: f64| {
        quarter(FRAC_PI_2 * (up - 1.0) * 0.5, FRAC_PI_2 * (up + 1.0) * 0.5, is_round).map(move |angle| (up, angle))
    });
    let row = |(up, rise): (f64, f64)| -> Vec<DVec3> {
        let quarters = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].into_iter().enumerate();
        let around = quarters.flat_map(|(index, [x, y])| {
            let first = FRAC_PI_2 * index as f64;
            quarter(first, first + FRAC_PI_2, is_round).map(move |angle| (DVec3::new(x, y, up), angle))
        });
        let place = |(corner, angle): (DVec3, f64)| {
            let flat = DVec2::from_angle(angle) * rise.cos();
            half * corner + margin * flat.extend(rise.sin())
        };
        around.map(place).collect()
    };
    Net::new(&heights.map(row).collect::<Vec<_>>())
}

/// What is seen of a hull from all sides of a ball around it.
fn wrapped(shape: &Shape, half: DVec3) -> Result<Mesh> {
    // Inside, which the middle of the box around it need not be.
    let corners = shape.corners();
    let middle = corners.iter().sum::<DVec3>() / corners.len().max(1) as f64;
    let (reach, mut scratch) = (2.0 * half.length().max(f64::MIN_POSITIVE), Scratch::new());
    let rows = 4 * QUARTER;
    let mut row = |index: usize| -> Vec<DVec3> {
        let rise = PI * (index as f64 / rows as f64 - 0.5);
        let mut place = |step: usize| {
            let flat = DVec2::from_angle(2.0 * PI * step as f64 / AROUND as f64) * rise.cos();
            let out = flat.extend(rise.sin());
            let ray = Ray::new(middle + reach * out, -out).ok();
            let hit = ray.and_then(|ray| shape.first_hit(&ray, &mut scratch));
            hit.map_or(DVec3::ZERO, |hit| hit.point - middle)
        };
        (0..AROUND).map(&mut place).collect()
    };
    Net::new(&(0..=rows).map(&mut row).collect::<Vec<_>>()).at(middle)
}

/// The ends of a cone's side, before it is grown: from two places where it is straight.
fn cone(shape: &Shape, middle: DVec3, end: f64) -> [DVec2; 2] {
    let far = 4.0 * shape.bounds().map_or(1.0, |(low, high)| (high - low).max_element());
    let [low, high] = [-0.25, 0.25].map(|share| radius_at(shape, middle + share * end * DVec3::Z, far));
    let slope = (high - low) / (0.5 * end).max(f64::MIN_POSITIVE);
    let core = 0.5 * (low + high) - shape.margin() * slope.hypot(1.0);
    [-end, end].map(|height| DVec2::new((core + slope * height).max(0.0), height))
}

/// How far a shape around z reaches at a point of it.
fn radius_at(shape: &Shape, place: DVec3, reach: f64) -> f64 {
    let ray = Ray::new(place + reach * DVec3::X, -DVec3::X).ok();
    let hit = ray.and_then(|ray| shape.first_hit(&ray, &mut Scratch::new()));
    hit.map_or(0.0, |hit| (hit.point.x - place.x).max(0.0))
}

/// A square of the plane that bounds a half-space.
fn plane(shape: &Shape, reach: f64) -> Result<Mesh, nearhit::MeshError> {
    let mut scratch = Scratch::new();
    let mut hits = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]).filter_map(|out| {
        let ray = Ray::new(1e3 * reach * out, -out).ok()?;
        shape.first_hit(&ray, &mut scratch).filter(|hit| hit.normal != DVec3::ZERO)
    });
    let Some(hit) = hits.next() else { return Mesh::new(&[], &[]) };
    let foot = hit.point.dot(hit.normal) * hit.normal;
    let (u, v) = hit.normal.any_orthonormal_pair();
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let corners = corners.map(|[x, y]| (foot + reach * (x * u + y * v)).to_array());
    Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3]])
}

#[cfg(test)]
mod tests {
    use super::outline;
    use nearhit::Scratch;
    use nearhit::glam::DVec3;
    use nearhit::shape::Shape;

    /// Every corner that is drawn is on the surface, and what is drawn is closed and as large as
    /// the shape.
    #[test]
    fn what_is_drawn_is_the_surface() {
        let text = [
            "box:1,2,3",
            "box:1,2,3+0.25",
            "ball:0.5",
            "capsule:0.5,2",
            "cylinder:0.5,2",
            "cylinder:0.5,2+0.1",
            "cone:0.5,2",
            "cone:0.5,0.25,2",
            "cone:0.25,0.5,2+0.125",
            "ellipsoid:1,2,3",
            "hull:0,0,0,1,0,0,0,1,0,0,0,1",
        ];
        let mut scratch = Scratch::new();
        for text in text {
            let shape: Shape = text.parse().expect(text);
            let mesh = outline(&shape, 10.0).expect(text);
            for &vertex in mesh.vertices() {
                let apart = shape.signed_distance(vertex, &mut scratch).expect(text);
                assert!(apart.lower < 1e-6 && apart.upper > -1e-6, "{text}: {vertex} is {apart:?} from the surface");
            }
            let (low, high) = shape.bounds().expect(text);
            let reached =
                mesh.vertices().iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &vertex| {
                    (low.min(vertex), high.max(vertex))
                });
            let share = if text.starts_with("hull") { 0.2 } else { 1e-2 };
            assert!((reached.0 - low).abs().max((reached.1 - high).abs()).max_element() < share, "{text}: {reached:?}");
            let volume: f64 = mesh
                .triangles()
                .iter()
                .map(|corners| {
                    let [a, b, c] = corners.map(|corner| mesh.vertices()[corner as usize]);
                    a.dot(b.cross(c)) / 6.0
                })
                .sum();
            assert!(volume > 0.0, "{text}: {volume}, its triangles look inwards");
        }
    }

    #[test]
    fn a_half_space_is_a_square_of_its_plane() {
        let shape: Shape = "half-space:0,0.6,0.8,2".parse().expect("a half-space");
        let mesh = outline(&shape, 5.0).expect("a square");
        assert_eq!(mesh.triangles().len(), 2);
        for vertex in mesh.vertices() {
            assert!((vertex.dot(DVec3::new(0.0, 0.6, 0.8)) - 2.0).abs() < 1e-6, "{vertex}");
        }
    }
}
