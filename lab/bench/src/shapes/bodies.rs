//! The bodies of the comparison: one of each kind, about one in size; and what a harness is told of
//! them.

use anyhow::Result;
use nearhit::shape::Shape;
use nearhit::{Mesh, Model};
use nearhit_datasets::rng::Rng;
use nearhit_datasets::shapes;
use std::fmt::Write;

type Point = [f64; 3];

/// A body as we know it, and as a line of the file that the harnesses read.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) line: String,
    /// Of a ball about the origin around it: how far apart to place it.
    pub(super) radius: f64,
}

impl Body {
    fn new(name: &str, shape: Shape, line: String, radius: f64) -> Self {
        Self { name: name.to_owned(), shape, line, radius }
    }

    /// The hull of points in general position about the origin. The others are told of its corners
    /// only: some climb from any point that they were given.
    pub(super) fn hull(name: &str, points: &[Point]) -> Result<Self> {
        let faces = faces(points);
        let mut corners: Vec<u32> = faces.iter().flatten().copied().collect();
        corners.sort_unstable();
        corners.dedup();
        let number = |corner: u32| corners.partition_point(|&known| known < corner) as u32;
        let faces: Vec<[u32; 3]> = faces.iter().map(|face| face.map(number)).collect();
        let points: Vec<Point> = corners.iter().map(|&corner| points[corner as usize]).collect();
        let radius = points.iter().map(|p| length(*p)).fold(0.0, f64::max);
        Ok(Self::new(name, Shape::hull(&points)?, soup_line("hull", &points, &faces), radius))
    }
}

/// Ball, capsule, box, cylinder, cone, ellipsoid, and a hull of 20 corners.
pub(super) fn primitives(rng: &mut Rng) -> Result<Vec<Body>> {
    let made = |name: &str, shape: Shape, radius: f64| {
        let text = shape_words(name);
        Body::new(name, shape, text, radius)
    };
    Ok(vec![
        made("ball", Shape::ball(0.6)?, 0.6),
        made("capsule", Shape::capsule(0.3, 1.0)?, 0.8),
        made("box", Shape::cuboid([1.0, 0.7, 0.5])?, 0.66),
        made("cylinder", Shape::cylinder(0.4, 1.0)?, 0.64),
        made("cone", Shape::cone(0.5, 1.0)?, 0.71),
        made("ellipsoid", Shape::ellipsoid([0.7, 0.5, 0.3])?, 0.7),
        Body::hull("hull 20", &on_a_ball(20, rng))?,
    ])
}

fn shape_words(name: &str) -> String {
    let sizes = match name {
        "ball" => "0.6",
        "capsule" => "0.3 1.0",
        "box" => "1.0 0.7 0.5",
        "cylinder" => "0.4 1.0",
        "cone" => "0.5 1.0",
        _ => "0.7 0.5 0.3",
    };
    format!("shape {name} {sizes}")
}

/// Everything below z = 0.
pub(super) fn half_space() -> Result<Body> {
    let shape = Shape::half_space([0.0, 0.0, 1.0], 0.0)?;
    Ok(Body::new("half-space", shape, "shape halfspace 0 0 1 0".to_owned(), 0.0))
}

/// A body of 20,000 triangles that is far from convex.
pub(super) fn mesh() -> Result<Body> {
    let soup = shapes::wrinkled_torus(142, 71, 1);
    let line = soup_line("mesh", &soup.vertices, &soup.triangles);
    let mesh = Mesh::new(&soup.vertices, &soup.triangles)?;
    let radius = mesh.vertices().iter().map(|p| p.length()).fold(0.0, f64::max);
    Ok(Body::new("mesh", Shape::mesh(Model::new(mesh)), line, radius))
}

/// Points on an ellipsoid: each is a corner of their hull.
pub(super) fn on_a_ball(count: usize, rng: &mut Rng) -> Vec<Point> {
    (0..count)
        .map(|_| {
            let [x, y, z] = rng.unit_vector();
            [0.7 * x, 0.5 * y, 0.4 * z]
        })
        .collect()
}

fn soup_line(kind: &str, points: &[Point], faces: &[[u32; 3]]) -> String {
    let mut line = format!("shape {kind} {} {}", points.len(), faces.len());
    for [x, y, z] in points {
        write!(line, " {x:e} {y:e} {z:e}").expect("a string takes all");
    }
    for [i, j, k] in faces {
        write!(line, " {i} {j} {k}").expect("a string takes all");
    }
    line
}

fn minus(p: Point, q: Point) -> Point {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

fn length(p: Point) -> f64 {
    p.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Positive if `p` sees the face from outside.
fn above([a, b, c]: [Point; 3], p: Point) -> f64 {
    let ([e, f, g], [h, i, j], [k, l, m]) = (minus(b, a), minus(c, a), minus(p, a));
    e * (i * m - j * l) - f * (h * m - j * k) + g * (h * l - i * k)
}

/// The triangles of a hull, counter-clockwise from outside: point by point, for points in general
/// position, all of them corners or not.
fn faces(points: &[Point]) -> Vec<[u32; 3]> {
    let at = |face: &[u32; 3]| face.map(|corner| points[corner as usize]);
    let upright = above([points[0], points[1], points[2]], points[3]) < 0.0;
    let mut faces = if upright {
        vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]
    } else {
        vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
    };
    for (index, &point) in points.iter().enumerate().skip(4) {
        let (seen, kept): (Vec<[u32; 3]>, Vec<[u32; 3]>) = faces.iter().partition(|face| above(at(face), point) > 0.0);
        let edges: Vec<[u32; 2]> = seen.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        let horizon = edges.iter().filter(|&&[a, b]| !edges.contains(&[b, a]));
        faces = kept;
        faces.extend(horizon.map(|&[a, b]| [a, b, index as u32]));
    }
    faces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_close_around_all_points() {
        let points = on_a_ball(100, &mut Rng::new(3));
        let faces = faces(&points);
        assert_eq!(faces.len(), 2 * points.len() - 4);
        for face in &faces {
            let at = face.map(|corner| points[corner as usize]);
            assert!(points.iter().all(|&point| above(at, point) < 1e-12), "{face:?}");
        }
    }
}
