//! The shapes that parts are made of: closed, about a thousand triangles each.

use crate::shapes::{Ring, cuboid, torus, tube, uv_sphere};
use crate::{Point, Soup};
use std::collections::HashMap;
use std::f64::consts::TAU;

/// By name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A cube of half side 1, its faces cut into 9 × 9 squares.
    Block,
    /// The same with faces cut into 10 × 10 squares.
    OtherBlock,
    /// A cube of half side 0.5.
    Small,
    /// Half sides 2, 0.25, 0.25.
    Bar,
    /// Radius 1.
    Ball,
    /// Radius 0.5.
    SmallBall,
    /// A ball of radius 2 with a hollow of radius 1.5.
    Shell,
    /// Radius 0.5, height 3, along z.
    Peg,
    /// Radius 0.46: a tight fit in the bush.
    TightPeg,
    /// Radius 0.4: a loose one.
    LoosePeg,
    /// Around z: outer radius 1, a hole of radius 0.5, height 2.
    Bush,
    /// Ring radius 1, tube radius 0.25.
    Link,
}

/// In the order of the names.
pub(super) fn all() -> Vec<Soup> {
    vec![
        block([1.0; 3], 9),
        block([1.0; 3], 10),
        block([0.5; 3], 9),
        block([2.0, 0.25, 0.25], 9),
        uv_sphere(17, 32),
        uv_sphere(17, 32).scaled(0.5),
        shell(),
        peg(0.5),
        peg(0.46),
        peg(0.4),
        bush(0.5, 1.0, 1.0),
        torus(32, 16, 1.0, 0.25),
    ]
}

/// A box whose faces are cut into squares.
fn block(half: Point, cells: u32) -> Soup {
    let mut soup = Soup::default();
    let mut known: HashMap<[u32; 3], u32> = HashMap::new();
    for [a, b, c] in cuboid([-1.0; 3], [1.0; 3]).corners().collect::<Vec<_>>().chunks(2).map(|quad| {
        // Corners a, b, c of the first triangle, c and d of the second: a and two edges span the
        // face.
        let (a, b, d) = (quad[0][0], quad[0][1], quad[1][2]);
        [a, b, d]
    }) {
        let mut vertex = |i: u32, j: u32| {
            let share = |axis: usize| {
                let along = |to: Point, steps: u32| (to[axis] - a[axis]) * 0.5 * f64::from(steps);
                ((a[axis] + 1.0) * 0.5 * f64::from(cells) + along(b, i) + along(c, j)).round() as u32
            };
            let place = [0, 1, 2].map(share);
            *known.entry(place).or_insert_with(|| {
                let at = |axis: usize| half[axis] * (2.0 * f64::from(place[axis]) / f64::from(cells) - 1.0);
                soup.vertices.push([0, 1, 2].map(at));
                (soup.vertices.len() - 1) as u32
            })
        };
        let mut squares = Vec::new();
        for (i, j) in (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j))) {
            squares.push([vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)]);
        }
        soup.triangles.extend(squares.iter().flat_map(|&[p, q, r, s]| [[p, q, r], [p, r, s]]));
    }
    soup
}

fn peg(radius: f64) -> Soup {
    let ring = |i: u32| Ring {
        center: [0.0, 0.0, -1.5 + 3.0 * f64::from(i) / 15.0],
        right: [1.0, 0.0, 0.0],
        up: [0.0, 1.0, 0.0],
        radius,
    };
    tube(&(0..16).map(ring).collect::<Vec<_>>(), 32)
}

/// Four rings of corners, joined to walls and ends.
fn bush(inner: f64, outer: f64, half_height: f64) -> Soup {
    const SIDES: u32 = 32;
    const BANDS: u32 = 7;
    let mut soup = Soup::default();
    // The closed profile, against the clock seen with z up: up the outer wall, down the inner one.
    let height = |i: u32| half_height * (2.0 * f64::from(i) / f64::from(BANDS) - 1.0);
    let profile: Vec<(f64, f64)> =
        (0..=BANDS).map(|i| (outer, height(i))).chain((0..=BANDS).rev().map(|i| (inner, height(i)))).collect();
    for &(radius, z) in &profile {
        for side in 0..SIDES {
            let (sine, cosine) = (TAU * f64::from(side) / f64::from(SIDES)).sin_cos();
            soup.push_vertex([radius * cosine, radius * sine, z]);
        }
    }
    let rings = profile.len() as u32;
    let vertex = |ring: u32, side: u32| ring % rings * SIDES + side % SIDES;
    for (ring, side) in (0..rings).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
        let [a, b] = [vertex(ring, side), vertex(ring, side + 1)];
        let [c, d] = [vertex(ring + 1, side + 1), vertex(ring + 1, side)];
        soup.triangles.extend([[a, b, c], [a, c, d]]);
    }
    soup
}

fn shell() -> Soup {
    let mut soup = uv_sphere(13, 24).scaled(2.0);
    let mut hollow = uv_sphere(13, 24).scaled(1.5);
    hollow.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    soup.append(&hollow);
    soup
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{signed_volume, unmatched_edges};

    #[test]
    fn shapes_are_closed_and_face_outwards() {
        for (index, soup) in all().iter().enumerate() {
            assert_eq!(unmatched_edges(soup), 0, "{index}");
            assert!(signed_volume(soup) > 0.0, "{index}");
            assert!((700..1300).contains(&soup.len()), "{index}: {}", soup.len());
        }
        let volumes = [Shape::Block, Shape::OtherBlock, Shape::Bar].map(|shape| signed_volume(&all()[shape as usize]));
        assert!(volumes.iter().zip([8.0, 8.0, 1.0]).all(|(found, known)| (found - known).abs() < 1e-12), "{volumes:?}");
    }
}
