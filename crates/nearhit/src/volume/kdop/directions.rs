//! Which directions? The slab normals of each k, and how any direction is combined from them.
//!
//! Normals have coordinates in {0, ±1, ±2} and come in families that are closed under permutations
//! and signs of the coordinates. So every question about directions is answered once, for `x ≥ y ≥
//! z ≥ 0`, and carried over.

use glam::DVec3;

/// First members of the families; the others are their permutations and signs. The paper has the
/// first three (§3.3.3).
const AXIS: [f64; 3] = [1.0, 0.0, 0.0];
const CORNER: [f64; 3] = [1.0, 1.0, 1.0];
const EDGE: [f64; 3] = [1.0, 1.0, 0.0];
const BESIDE_EDGE: [f64; 3] = [2.0, 1.0, 0.0];
const BESIDE_AXIS: [f64; 3] = [2.0, 1.0, 1.0];
const BESIDE_CORNER: [f64; 3] = [2.0, 2.0, 1.0];

/// As listed in the paper, so that slabs are stored in its order.
const PAPER: [[f64; 3]; 13] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, 0.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 1.0],
    [1.0, -1.0, 0.0],
    [1.0, 0.0, -1.0],
    [0.0, 1.0, -1.0],
];

/// How many directions each family beyond the paper has.
const FAMILY: usize = 12;

/// The slab normals for `N = k / 2`: axes, then corners, edges and the families with a 2, as far as
/// k has them.
pub(super) const fn directions<const N: usize>() -> [DVec3; N] {
    let mut list = [DVec3::ZERO; N];
    let mut filled = 0;
    let mut i = 0;
    while i < PAPER.len() {
        let wanted = match i {
            0..3 => true,
            3..7 => N != 3 && N != 9,
            _ => N != 3 && N != 7,
        };
        if wanted {
            list[filled] = DVec3::from_array(PAPER[i]);
            filled += 1;
        }
        i += 1;
    }
    let families = [BESIDE_EDGE, BESIDE_AXIS, BESIDE_CORNER];
    let mut family = 0;
    while filled < N && family < families.len() {
        filled = append_family(&mut list, filled, families[family]);
        family += 1;
    }
    assert!(filled == N, "k must be 6, 14, 18, 26, 50, 74 or 98");
    list
}

/// Appends every vector whose coordinates are those of `member` in some order with some signs, the
/// first one that is not zero positive.
const fn append_family<const N: usize>(list: &mut [DVec3; N], mut filled: usize, member: [f64; 3]) -> usize {
    let before = filled;
    let mut code = 124_i32;
    while code >= 0 {
        let [x, y, z] = [code / 25 - 2, code / 5 % 5 - 2, code % 5 - 2];
        let first_is_positive = x > 0 || x == 0 && (y > 0 || y == 0 && z > 0);
        if first_is_positive && same_family([x, y, z], member) {
            list[filled] = DVec3::new(x as f64, y as f64, z as f64);
            filled += 1;
        }
        code -= 1;
    }
    assert!(filled == before + FAMILY);
    filled
}

/// Magnitudes up to 2 are the same up to order exactly when their sum and their sum of squares are.
const fn same_family(vector: [i32; 3], member: [f64; 3]) -> bool {
    let [x, y, z] = vector;
    let [p, q, r] = member;
    (x.abs() + y.abs() + z.abs()) as f64 == p + q + r && (x * x + y * y + z * z) as f64 == p * p + q * q + r * r
}

/// One slab direction of a combination; the sign of the weight says which way.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Term {
    pub(super) slab: usize,
    pub(super) weight: f64,
}

/// A direction as a combination of three slab normals.
pub(super) type Cone = [Term; 3];

/// The cones that tile the chamber `x ≥ y ≥ z ≥ 0` (some reach over its walls), between
/// neighbouring normals.
const fn chamber<const N: usize>() -> &'static [[[f64; 3]; 3]] {
    const ACROSS_CORNER: [f64; 3] = [1.0, 1.0, -1.0];
    const ACROSS_EDGE: [f64; 3] = [1.0, 0.0, 1.0];
    const FAR_EDGE: [f64; 3] = [0.0, 1.0, 1.0];
    match N {
        7 => &[[AXIS, CORNER, ACROSS_CORNER]],
        9 => &[[AXIS, EDGE, ACROSS_EDGE], [EDGE, ACROSS_EDGE, FAR_EDGE]],
        13 => &[[AXIS, EDGE, CORNER]],
        25 => &[[AXIS, BESIDE_EDGE, CORNER], [BESIDE_EDGE, EDGE, CORNER]],
        37 => &[[AXIS, BESIDE_EDGE, BESIDE_AXIS], [BESIDE_EDGE, EDGE, BESIDE_AXIS], [BESIDE_AXIS, EDGE, CORNER]],
        49 => &[
            [AXIS, BESIDE_EDGE, BESIDE_AXIS],
            [BESIDE_EDGE, EDGE, BESIDE_CORNER],
            [BESIDE_AXIS, BESIDE_CORNER, CORNER],
            [BESIDE_EDGE, BESIDE_CORNER, BESIDE_AXIS],
        ],
        _ => &[[AXIS, [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]],
    }
}

/// Weights of the cone of neighbouring slab normals that holds `u`.
///
/// Any combination that sums to `u` gives a valid bound; this one is merely tight. So it does not
/// matter that rounding may pick a neighbouring cone for a `u` on a wall.
pub(super) fn nearest_cone<const N: usize>(u: DVec3) -> Cone {
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| u[j].abs().total_cmp(&u[i].abs()));
    let sorted = DVec3::from_array(order.map(|axis| u[axis].abs()));
    let (normals, weights) = const { chamber::<N>() }
        .iter()
        .zip(const { inverses(chamber::<N>()) })
        .map(|(normals, rows)| (normals, DVec3::from_array(rows.map(|row| DVec3::from_array(row).dot(sorted)))))
        .reduce(|best, other| if other.1.min_element() > best.1.min_element() { other } else { best })
        .unwrap_or((&[AXIS; 3], DVec3::ZERO));
    [0, 1, 2].map(|corner| {
        let mut direction = [0_i32; 3];
        for (axis, entry) in order.into_iter().zip(normals[corner]) {
            direction[axis] = (entry * u[axis].signum()) as i32;
        }
        term::<N>(direction, weights[corner])
    })
}

/// Most cones that a chamber is tiled by.
const CONES: usize = 4;

/// For each cone the rows that give the weights in `u = Σ weight · normal`: cross products of its
/// normals over their determinant.
const fn inverses(cones: &[[[f64; 3]; 3]]) -> [[[f64; 3]; 3]; CONES] {
    let mut rows = [[[0.0; 3]; 3]; CONES];
    let mut cone = 0;
    while cone < cones.len() {
        let mut i = 0;
        while i < 3 {
            let (p, q, r) = (cones[cone][i], cones[cone][(i + 1) % 3], cones[cone][(i + 2) % 3]);
            let across = [q[1] * r[2] - q[2] * r[1], q[2] * r[0] - q[0] * r[2], q[0] * r[1] - q[1] * r[0]];
            let volume = p[0] * across[0] + p[1] * across[1] + p[2] * across[2];
            rows[cone][i] = [across[0] / volume, across[1] / volume, across[2] / volume];
            i += 1;
        }
        cone += 1;
    }
    rows
}

/// The combination of the coordinate axes: what a box would say.
pub(super) fn axes_cone(u: DVec3) -> Cone {
    [0, 1, 2].map(|slab| Term { slab, weight: u[slab] })
}

/// Finds the slab of a direction, which is on the list up to its sign.
fn term<const N: usize>(direction: [i32; 3], weight: f64) -> Term {
    let code = direction.iter().fold(0, |code, entry| 5 * code + entry + 2);
    let signed_slab = const { slab_table::<N>() }[code as usize];
    assert!(signed_slab != 0, "the families are closed under permutations and signs");
    let slab = usize::from(signed_slab.unsigned_abs()) - 1;
    Term { slab, weight: if signed_slab > 0 { weight } else { -weight } }
}

/// For each vector with entries from -2 to 2: one more than the slab it is the normal of, negative
/// when the slab lists the opposite, 0 when there is none.
const fn slab_table<const N: usize>() -> [i8; 125] {
    let list = directions::<N>();
    let mut table = [0; 125];
    let mut slab = 0;
    while slab < N {
        let code = (list[slab].x as i32 * 25 + list[slab].y as i32 * 5 + list[slab].z as i32) as isize;
        table[(62 + code) as usize] = slab as i8 + 1;
        table[(62 - code) as usize] = -(slab as i8) - 1;
        slab += 1;
    }
    table
}

/// One over the length of a slab normal.
pub(super) const fn inverse_length(normal: DVec3) -> f64 {
    match (normal.x * normal.x + normal.y * normal.y + normal.z * normal.z) as u32 {
        1 => 1.0,
        2 => std::f64::consts::FRAC_1_SQRT_2,
        3 => 0.577_350_269_189_625_8,
        5 => 0.447_213_595_499_957_9,
        6 => 0.408_248_290_463_863,
        _ => 1.0 / 3.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_the_papers_order_then_grow() {
        let all = directions::<49>();
        assert_eq!(directions::<13>(), PAPER.map(DVec3::from_array));
        assert_eq!(directions::<7>()[3..], directions::<13>()[3..7]);
        assert_eq!(directions::<9>()[3..], directions::<13>()[7..]);
        assert_eq!(directions::<25>(), all[..25]);
        assert_eq!(directions::<37>(), all[..37]);
        for (i, p) in all.iter().enumerate() {
            assert!((p.length() * inverse_length(*p) - 1.0).abs() < 1e-15, "{p}");
            assert!(all[..i].iter().all(|q| p.cross(*q) != DVec3::ZERO), "{p} is there twice");
        }
        let squares = |range: std::ops::Range<usize>| all[range].iter().map(|p| p.length_squared()).collect::<Vec<_>>();
        assert_eq!(squares(13..25), [5.0; 12]);
        assert_eq!(squares(25..37), [6.0; 12]);
        assert_eq!(squares(37..49), [9.0; 12]);
    }

    #[test]
    fn cones_reproduce_their_direction_with_neighbours() {
        fn check<const N: usize>(u: DVec3) {
            let sum = |cone: Cone| {
                cone.iter().fold(DVec3::ZERO, |sum, term| sum + directions::<N>()[term.slab] * term.weight)
            };
            for cone in [nearest_cone::<N>(u), axes_cone(u)] {
                assert!((sum(cone) - u).length() < 2e-15, "k = {}: {u} became {}", 2 * N, sum(cone));
            }
            // Without negative weights: each normal points to the side of u.
            let neighbours = nearest_cone::<N>(u);
            assert!(neighbours.iter().all(|t| t.weight * directions::<N>()[t.slab].dot(u) > -1e-15), "{neighbours:?}");
        }
        for i in 0..1000 {
            let (s, c) = (f64::from(i) * 0.7).sin_cos();
            let u = DVec3::new(s, c * (f64::from(i) * 0.1).sin(), c * (f64::from(i) * 0.1).cos());
            check::<3>(u);
            check::<7>(u);
            check::<9>(u);
            check::<13>(u);
            check::<25>(u);
            check::<37>(u);
            check::<49>(u);
        }
    }
}
