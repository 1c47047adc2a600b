//! Surfaces of shapes as triangles, for pictures: boxes and hulls by their faces, round shapes by
//! rings about their axis.

use glam::DVec3;
use nearhit::shape::Shape;
use nearhit::{Ray, Scratch};
use std::f64::consts::{PI, TAU};

/// Points and triangles.
type Surface = (Vec<DVec3>, Vec<[u32; 3]>);

/// More corners than these are drawn by rays.
const MOST_CORNERS: usize = 64;
/// Points of a ring, and rings of a round shape.
const AROUND: u32 = 72;
const RINGS: u32 = 36;

/// The surface of a shape in its own frame.
pub(super) fn surface(shape: &Shape) -> Surface {
    let is_sharp = shape.margin() == 0.0;
    let corners = shape.corners();
    match shape.name() {
        "box" | "hull" if is_sharp && (4..=MOST_CORNERS).contains(&corners.len()) => faces(corners),
        "cylinder" | "cone" if is_sharp => rings(shape, &[0.0, 1.0]),
        "ball" | "capsule" | "ellipsoid" | "cylinder" | "cone" | "box" => {
            let share = |ring: u32| 0.5 - 0.5 * (PI * f64::from(ring) / f64::from(RINGS)).cos();
            rings(shape, &(0..=RINGS).map(share).collect::<Vec<_>>())
        }
        _ => star(shape),
    }
}

/// The faces of a convex hull with few corners: all planes of three corners that have the others on
/// one side.
fn faces(corners: Vec<DVec3>) -> Surface {
    let size = corners.iter().fold(0.0_f64, |most, corner| most.max((*corner - corners[0]).length()));
    let mut triangles = Vec::new();
    let count = corners.len();
    for i in 0..count {
        for j in i + 1..count {
            for k in j + 1..count {
                let normal = (corners[j] - corners[i]).cross(corners[k] - corners[i]);
                let room = 1e-9 * size * normal.length();
                let above = |index: &usize| normal.dot(corners[*index] - corners[i]);
                let on_plane: Vec<usize> = (0..count).filter(|index| above(index).abs() <= room).collect();
                // Once for each face.
                if normal.length() <= 1e-12 * size * size || on_plane[..3] != [i, j, k] {
                    continue;
                }
                let sides = (0..count).filter(|index| above(index).abs() > room).map(|index| above(&index));
                let (low, high) =
                    sides.fold((false, false), |(low, high), side| (low || side < 0.0, high || side > 0.0));
                if !(low && high) {
                    let outwards = if high { -normal } else { normal };
                    triangles.extend(fan(&corners, on_plane, outwards));
                }
            }
        }
    }
    (corners, triangles)
}

/// A convex face as triangles, in order around its normal.
fn fan(corners: &[DVec3], mut face: Vec<usize>, normal: DVec3) -> Vec<[u32; 3]> {
    let middle = face.iter().map(|&index| corners[index]).sum::<DVec3>() / face.len() as f64;
    let first = corners[face[0]] - middle;
    let second = normal.normalize_or(DVec3::Z).cross(first);
    let angle = |&index: &usize| {
        let arm = corners[index] - middle;
        arm.dot(second).atan2(arm.dot(first))
    };
    face.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    face.windows(2).skip(1).map(|pair| [face[0] as u32, pair[0] as u32, pair[1] as u32]).collect()
}

/// Rings about z at these shares of the height, and a lid on both ends.
fn rings(shape: &Shape, shares: &[f64]) -> Surface {
    let Some((low, high)) = shape.bounds() else { return Surface::default() };
    let (middle, far) = (0.5 * (low + high), 2.0 * (high - low).length() + 1e-9);
    let mut scratch = Scratch::new();
    let mut points = vec![middle.with_z(low.z)];
    for share in shares {
        // The ends themselves may be missed by a ray along them.
        let inside = share.clamp(1e-9, 1.0 - 1e-9);
        let height = |share: f64| low.z + share * (high.z - low.z);
        for around in 0..AROUND {
            let (sin, cos) = (TAU * f64::from(around) / f64::from(AROUND)).sin_cos();
            let direction = DVec3::new(cos, sin, 0.0);
            let axis = middle.with_z(height(inside));
            let ray = Ray::new(axis + far * direction, -direction).ok();
            let hit = ray.and_then(|ray| shape.first_hit(&ray, &mut scratch)).map_or(axis, |hit| hit.point);
            points.push(hit.with_z(height(*share)));
        }
    }
    points.push(middle.with_z(high.z));
    let (rings, last) = (shares.len() as u32, points.len() as u32 - 1);
    let at = |ring: u32, around: u32| 1 + ring * AROUND + around % AROUND;
    let mut triangles: Vec<[u32; 3]> = (0..AROUND).map(|around| [0, at(0, around + 1), at(0, around)]).collect();
    triangles.extend((0..AROUND).map(|around| [last, at(rings - 1, around), at(rings - 1, around + 1)]));
    for ring in 0..rings - 1 {
        triangles.extend((0..AROUND).flat_map(|around| {
            let [a, b] = [at(ring, around), at(ring, around + 1)];
            let [c, d] = [at(ring + 1, around), at(ring + 1, around + 1)];
            [[a, b, d], [a, d, c]]
        }));
    }
    (points, triangles)
}

/// What rays towards the middle meet, as a grid of triangles over the directions.
fn star(shape: &Shape) -> Surface {
    let Some((low, high)) = shape.bounds() else { return Surface::default() };
    let (middle, far) = (0.5 * (low + high), 2.0 * (high - low).length() + 1e-9);
    let mut scratch = Scratch::new();
    let mut meet = |direction: DVec3| {
        let ray = Ray::new(middle + far * direction, -direction).ok()?;
        shape.first_hit(&ray, &mut scratch).map(|hit| hit.point)
    };
    let mut points = Vec::new();
    for along in 0..=RINGS {
        let (sine, cosine) = (PI * f64::from(along) / f64::from(RINGS)).sin_cos();
        for around in 0..AROUND {
            let (y, x) = (TAU * f64::from(around) / f64::from(AROUND)).sin_cos();
            points.push(meet(DVec3::new(sine * x, sine * y, cosine)).unwrap_or(middle));
        }
    }
    let cell = |along: u32, around: u32| {
        let next = (around + 1) % AROUND;
        let [a, b] = [along * AROUND + around, along * AROUND + next];
        let [c, d] = [a + AROUND, b + AROUND];
        [[a, c, d], [a, d, b]]
    };
    (points, (0..RINGS).flat_map(|along| (0..AROUND).flat_map(move |around| cell(along, around))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume that triangles enclose: below zero if they look inwards.
    fn volume((points, triangles): &Surface) -> f64 {
        let corner = |index: u32| points[index as usize];
        triangles.iter().map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c)))).sum::<f64>() / 6.0
    }

    #[test]
    fn surfaces_enclose_the_shape() {
        let turns = f64::from(AROUND) / TAU * (TAU / f64::from(AROUND)).sin();
        let cube: Vec<[f64; 3]> = (0..8).map(|i| [0, 1, 2].map(|axis| f64::from(i >> axis & 1))).collect();
        let round = PI * turns;
        for (shape, expected, tolerance) in [
            (Shape::cuboid([2.0, 3.0, 4.0]), 24.0, 1e-12),
            (Shape::hull(&cube), 1.0, 1e-12),
            (Shape::hull(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), 1.0 / 6.0, 1e-12),
            (Shape::cylinder(2.0, 5.0), 20.0 * round, 1e-6),
            (Shape::truncated_cone(3.0, 1.0, 3.0), 13.0 * round, 1e-6),
            (Shape::ball(1.0), 4.0 / 3.0 * PI, 0.02),
            (Shape::capsule(1.0, 2.0), 10.0 / 3.0 * PI, 0.04),
            (Shape::cuboid([2.0, 2.0, 2.0]).and_then(|shape| shape.grown(0.5)), 8.0 + 12.0 + 1.5 * PI + PI / 6.0, 0.4),
        ] {
            let shape = shape.expect("legal");
            let found = volume(&surface(&shape));
            assert!((found - expected).abs() < tolerance * expected, "{}: {found} not {expected}", shape.name());
        }
        assert_eq!(surface(&Shape::cuboid([1.0; 3]).expect("legal")).1.len(), 12);
    }
}
