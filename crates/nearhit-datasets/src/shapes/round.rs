//! Spheres and tori.

use std::collections::HashMap;
use std::f64::consts::{PI, TAU};

use crate::rng::Rng;
use crate::{Point, Soup};

/// The unit sphere by `rings` bands from pole to pole and `segments` around: `2 * segments *
/// (rings - 1)` triangles. Needs two rings and three segments.
pub fn uv_sphere(rings: u32, segments: u32) -> Soup {
    assert!(rings >= 2 && segments >= 3);
    let mut soup = Soup::default();
    let north = soup.push_vertex([0.0, 0.0, 1.0]);
    for ring in 1..rings {
        let (sine, cosine) = (PI * f64::from(ring) / f64::from(rings)).sin_cos();
        for segment in 0..segments {
            let (y, x) = (TAU * f64::from(segment) / f64::from(segments)).sin_cos();
            soup.push_vertex([sine * x, sine * y, cosine]);
        }
    }
    let south = soup.push_vertex([0.0, 0.0, -1.0]);
    let vertex = |ring: u32, segment: u32| 1 + (ring - 1) * segments + segment % segments;
    for segment in 0..segments {
        soup.triangles.push([north, vertex(1, segment), vertex(1, segment + 1)]);
        for ring in 1..rings - 1 {
            let [a, b] = [vertex(ring, segment), vertex(ring + 1, segment)];
            let [c, d] = [vertex(ring + 1, segment + 1), vertex(ring, segment + 1)];
            soup.triangles.extend([[a, b, c], [a, c, d]]);
        }
        soup.triangles.push([vertex(rings - 1, segment), south, vertex(rings - 1, segment + 1)]);
    }
    soup
}

/// A unit sphere by [`uv_sphere`] with about `triangles` triangles: exactly 2,000 and 20,000 when
/// asked for those.
pub fn uv_sphere_of(triangles: u32) -> Soup {
    let half = (triangles / 2).max(3);
    let ideal = (f64::from(half) / 2.0).sqrt();
    let fits = |bands: &u32| half.is_multiple_of(*bands) && half / bands >= 3;
    let near = |bands: u32| (f64::from(bands) / ideal).ln().abs();
    let divisor = (1..=half).filter(fits).min_by(|x, y| near(*x).total_cmp(&near(*y))).unwrap_or(1);
    let bands = if near(divisor) < 0.7 { divisor } else { (ideal.round() as u32).max(1) };
    uv_sphere(bands + 1, (half / bands).max(3))
}

/// The unit sphere from an icosahedron whose edges are cut into `frequency` parts: `20 *
/// frequency²` triangles.
pub fn icosphere(frequency: u32) -> Soup {
    assert!(frequency >= 1);
    let (corners, faces) = icosahedron();
    let mut soup = Soup::default();
    // Named by their weights on the corners, so that faces share the points on common edges.
    let mut known: HashMap<[(u32, u32); 3], u32> = HashMap::new();
    for face in faces {
        let mut vertex = |i: u32, j: u32| {
            let mut name = [(face[0], frequency - i - j), (face[1], i), (face[2], j)];
            name.iter_mut().filter(|part| part.1 == 0).for_each(|part| *part = (u32::MAX, 0));
            name.sort_unstable();
            *known.entry(name).or_insert_with(|| soup.push_vertex(on_sphere(&corners, &name)))
        };
        let mut triangles = Vec::new();
        for i in 0..frequency {
            for j in 0..frequency - i {
                triangles.push([vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)]);
                if i + j + 2 <= frequency {
                    triangles.push([vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)]);
                }
            }
        }
        soup.triangles.extend(triangles);
    }
    soup
}

fn on_sphere(corners: &[Point], weights: &[(u32, u32); 3]) -> Point {
    let mut sum = [0.0; 3];
    for &(corner, weight) in weights.iter().filter(|part| part.1 > 0) {
        (0..3).for_each(|axis| sum[axis] += f64::from(weight) * corners[corner as usize][axis]);
    }
    let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
    sum.map(|x| x / length)
}

fn icosahedron() -> (Vec<Point>, [[u32; 3]; 20]) {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    // Poles on the long diagonals of three golden rectangles.
    let mut corners = Vec::with_capacity(12);
    for axis in 0..3 {
        for (short, long) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
            let mut corner = [0.0; 3];
            corner[axis] = short;
            corner[(axis + 1) % 3] = long;
            corners.push(corner);
        }
    }
    let faces = nearest_faces(&corners);
    (corners, faces)
}

/// The 20 triples at mutual edge length, turned outwards.
fn nearest_faces(corners: &[Point]) -> [[u32; 3]; 20] {
    let adjacent = |i: usize, j: usize| {
        let square: f64 = (0..3).map(|axis| (corners[i][axis] - corners[j][axis]).powi(2)).sum();
        (square - 4.0).abs() < 1e-9
    };
    let mut faces = [[0; 3]; 20];
    let mut count = 0;
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if adjacent(i, j) && adjacent(j, k) && adjacent(i, k) {
                    let outward = crate::vector::dot(corners[i], crate::vector::cross(corners[j], corners[k])) > 0.0;
                    faces[count] = (if outward { [i, j, k] } else { [i, k, j] }).map(|index| index as u32);
                    count += 1;
                }
            }
        }
    }
    faces
}

/// A torus about the z axis: `around` cuts along the ring, `across` cuts of the tube, `2 * around *
/// across` triangles.
pub fn torus(around: u32, across: u32, ring_radius: f64, tube_radius: f64) -> Soup {
    torus_by(around, across, |_, _| (ring_radius, tube_radius))
}

/// A deformed torus: ring and tube swell and wind by a few random waves, about radius 1 and 0.35.
pub fn wrinkled_torus(around: u32, across: u32, seed: u64) -> Soup {
    let mut rng = Rng::new(seed);
    let waves: Vec<(f64, f64, f64, f64)> = (0..8)
        .map(|_| {
            let (along, over) = (rng.integer(1, 9) as f64, rng.integer(-6, 6) as f64);
            (along, over, rng.range(0.0, TAU), rng.range(0.2, 1.0) * 0.04)
        })
        .collect();
    torus_by(around, across, |u, v| {
        let swell: f64 =
            waves.iter().map(|(along, over, phase, size)| size * (along * u + over * v + phase).sin()).sum();
        // The ring radius must not depend on the angle over the tube, or the tube would not close.
        (1.0 + 0.15 * (3.0 * u + waves[0].2).sin(), 0.35 + 0.8 * swell)
    })
}

/// Radii of ring and tube as functions of the two angles.
fn torus_by(around: u32, across: u32, radii: impl Fn(f64, f64) -> (f64, f64)) -> Soup {
    assert!(around >= 3 && across >= 3);
    let mut soup = Soup::default();
    for i in 0..around {
        let u = TAU * f64::from(i) / f64::from(around);
        for j in 0..across {
            let v = TAU * f64::from(j) / f64::from(across);
            let (ring, tube) = radii(u, v);
            let radius = ring + tube * v.cos();
            soup.push_vertex([radius * u.cos(), radius * u.sin(), tube * v.sin()]);
        }
    }
    let vertex = |i: u32, j: u32| (i % around) * across + j % across;
    for i in 0..around {
        for j in 0..across {
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            soup.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    soup
}

#[cfg(test)]
mod tests {
    use super::super::topology::{assert_solid, signed_volume};
    use super::*;

    #[test]
    fn spheres_are_closed_and_of_the_asked_size() {
        for count in [2000, 20_000] {
            assert_eq!(uv_sphere_of(count).len() as u32, count);
        }
        for count in [6, 50, 1234, 40_006] {
            let made = uv_sphere_of(count).len() as f64;
            assert!((made / f64::from(count) - 1.0).abs() < 0.35, "{count} {made}");
        }
        for soup in [uv_sphere(2, 3), uv_sphere(9, 14), uv_sphere_of(2000), icosphere(1), icosphere(7)] {
            assert_solid(&soup);
            assert!(soup.vertices.iter().all(|v| (v.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-14));
        }
        assert_eq!(icosphere(10).len(), 2000);
        assert!((signed_volume(&icosphere(32)) - 4.0 * PI / 3.0).abs() < 0.02);
    }

    #[test]
    fn tori_are_closed() {
        assert_solid(&torus(3, 3, 2.0, 0.5));
        assert_eq!(torus(20, 9, 2.0, 0.5).len(), 360);
        let expected = 2.0 * PI * PI * 2.0 * 0.25;
        assert!((signed_volume(&torus(200, 100, 2.0, 0.5)) / expected - 1.0).abs() < 0.01);
        for seed in 0..5 {
            assert_solid(&wrinkled_torus(60, 24, seed));
        }
        assert_ne!(wrinkled_torus(9, 9, 1), wrinkled_torus(9, 9, 2));
    }
}
