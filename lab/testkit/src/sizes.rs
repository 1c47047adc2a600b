//! Pairs of soups of every size that doubles have, alone and mixed: where squares, fourth powers
//! and single precision underflow or overflow.
//!
//! Soups are about the origin unless the family says otherwise, so that small details keep their
//! digits.

use crate::pose::{IDENTITY, Rows, pose_point};
use crate::rng::Rng;
use crate::{Point, Soup, Tri};

/// How the sizes of a soup's triangles are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// All of about the size asked for.
    Whole,
    /// Of the size asked for, about the origin, and a few of size one at the corners of a cube.
    /// Where the size is above one, it is the cube's.
    Cluster,
    /// From 1e-300 up to the size asked for, evenly over the exponents, in one soup.
    Mixed,
    /// Of the size asked for, up to a million times as far from the origin.
    Far,
    /// Corners on whole multiples of the size: many coincide, lie on one line or in one plane.
    Grid,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 5] = [Family::Whole, Family::Cluster, Family::Mixed, Family::Far, Family::Grid];
}

/// Powers of ten worth a look: the whole range in steps, and every one where something underflows
/// or overflows: denormals, fourth powers and squares of doubles, single precision and its squares,
/// and the limit of the default engine.
pub fn decades() -> Vec<i32> {
    let coarse = (-320..=290).step_by(10);
    let fine = [-323..=-305, -165..=-148, -82..=-74, -48..=-36, -26..=-17, 12..=17, 36..=40, 73..=79, 148..=155];
    let mut decades: Vec<i32> = coarse.chain(fine.into_iter().flatten()).collect();
    decades.sort_unstable();
    decades.dedup();
    decades
}

/// Two soups and a pose of the second in the first's frame.
#[derive(Clone, Debug)]
pub struct SizedPair {
    /// Stays as it is.
    pub a: Soup,
    /// Is posed.
    pub b: Soup,
    /// Of b.
    pub rotation: Rows,
    /// Of b.
    pub translation: Point,
}

/// A pair of the given family; sizes about `10^decade`. No posed coordinate exceeds 1e299.
pub fn pair(family: Family, decade: i32, rng: &mut Rng) -> SizedPair {
    let size = power_of_ten(decade) * rng.range(1.0, 9.0);
    let rotation = if rng.chance(0.4) { IDENTITY } else { rng.rotation() };
    let mut a = soup(family, size, rng);
    let b = soup(family, size, rng);
    // The size of the details decides whether they meet, in mixtures the smallest.
    let detail = match family {
        Family::Whole | Family::Grid => size,
        Family::Cluster => size.min(1.0),
        Family::Mixed => 1e-300,
        Family::Far => size * if rng.chance(0.5) { 1.0 } else { 1e6 },
    };
    let (direction, reach) = (rng.unit_vector(), if rng.chance(0.2) { 0.0 } else { rng.range(0.0, 5.0) });
    let translation = if family == Family::Grid {
        std::array::from_fn(|_| rng.integer(-3, 3) as f64 * size)
    } else {
        direction.map(|x| x * reach * detail)
    };
    if rng.chance(0.3) {
        kiss(&mut a, &b, &rotation, &translation, rng);
    }
    SizedPair { a, b, rotation, translation }
}

/// Denormals included: `powi` takes the reciprocal of what overflows.
fn power_of_ten(decade: i32) -> f64 {
    let half = decade / 2;
    10f64.powi(half) * 10f64.powi(decade - half)
}

fn soup(family: Family, size: f64, rng: &mut Rng) -> Soup {
    let count = *rng.choice(&[1, 2, 5, 9, 20]);
    let mut soup = Soup::default();
    let offset: Point = match family {
        Family::Far => rng.point(-1e6, 1e6).map(|x| x * size),
        _ => [0.0; 3],
    };
    for _ in 0..count {
        let triangle = match family {
            Family::Whole | Family::Far => free(size, rng),
            Family::Cluster => free(size.min(1.0), rng),
            Family::Mixed => {
                let exponent = rng.range(-300.0, size.log10().max(-299.0));
                free(10f64.powf(exponent), rng)
            }
            Family::Grid => std::array::from_fn(|_| std::array::from_fn(|_| rng.integer(-2, 2) as f64 * size)),
        };
        push(&mut soup, triangle.map(|corner| std::array::from_fn(|axis| corner[axis] + offset[axis])));
    }
    if family == Family::Cluster {
        corners_of_a_cube(&mut soup, size.max(1.0), rng);
    }
    soup
}

/// Within about two sizes of the origin; now and then without area.
fn free(size: f64, rng: &mut Rng) -> Tri {
    let (middle, spread) = (rng.point(-1.0, 1.0), rng.range(0.1, 1.6));
    let mut corner = || -> Point {
        let offset = rng.point(-spread, spread);
        std::array::from_fn(|axis| (middle[axis] + offset[axis]) * size)
    };
    let mut triangle = [corner(), corner(), corner()];
    match rng.below(12) {
        0 => triangle[1] = triangle[0],
        1 => triangle = [triangle[0]; 3],
        _ => {}
    }
    triangle
}

/// Small triangles in opposite corners, so that the box around the soup has its middle exactly at
/// the origin.
fn corners_of_a_cube(soup: &mut Soup, size: f64, rng: &mut Rng) {
    let signs: Point = std::array::from_fn(|_| if rng.chance(0.5) { 1.0 } else { -1.0 });
    for side in [-1.0, 1.0] {
        let tip: Point = std::array::from_fn(|axis| side * signs[axis] * size);
        let inwards = |part: Point| -> Point { std::array::from_fn(|axis| tip[axis] * (1.0 - 0.2 * part[axis])) };
        push(soup, [tip, inwards(rng.point(0.0, 1.0)), inwards(rng.point(0.0, 1.0))]);
    }
}

/// Adds a triangle to a that shares exactly one rounded corner with one of b, and lies on the other
/// side of it.
fn kiss(a: &mut Soup, b: &Soup, rotation: &Rows, translation: &Point, rng: &mut Rng) {
    let posed = b.triangle(rng.below(b.len())).map(|corner| pose_point(rotation, translation, corner));
    let opposite = |corner: Point| -> Point { std::array::from_fn(|axis| posed[0][axis] * 2.0 - corner[axis]) };
    push(a, [posed[0], opposite(posed[1]), opposite(posed[2])]);
}

fn push(soup: &mut Soup, triangle: Tri) {
    let corners = triangle.map(|corner| soup.push_vertex(corner));
    soup.triangles.push(corners);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brute;

    /// Every family, in every part of the range, has pairs that touch and pairs that do not.
    #[test]
    fn every_family_is_represented_at_every_size() {
        let mut rng = Rng::new(81);
        for family in Family::ALL {
            for decades in decades().chunks(20) {
                let (mut touching, mut apart) = (0, 0);
                for &decade in decades {
                    for _ in 0..4 {
                        let pair = pair(family, decade, &mut rng);
                        let largest = pair.a.vertices.iter().chain(&pair.b.vertices).flatten();
                        assert!(largest.fold(0.0, |most: f64, x| most.max(x.abs())) < 1e299, "{family:?} 1e{decade}");
                        let touch = brute::collides(&pair.a, &pair.b, &pair.rotation, &pair.translation);
                        *(if touch { &mut touching } else { &mut apart }) += 1;
                    }
                }
                assert!(touching * 10 > apart && apart * 10 > touching, "{family:?} {decades:?}: {touching} {apart}");
            }
        }
    }

    #[test]
    fn sizes_are_what_they_say() {
        assert_eq!(power_of_ten(-323), 1e-323);
        assert_eq!(power_of_ten(290), 1e290);
        let mut rng = Rng::new(82);
        for _ in 0..50 {
            let cluster = pair(Family::Cluster, -155, &mut rng).b;
            let tiny = cluster.corners().filter(|triangle| triangle.iter().flatten().all(|x| x.abs() < 1e-150)).count();
            assert_eq!(tiny + 2, cluster.len());
            assert_eq!(cluster.bounds(), Some(([-1.0; 3], [1.0; 3])));
        }
    }
}
