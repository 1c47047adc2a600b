//! Made-up counterparts of the papers' and planners' scenes: a hand in a cabin, a piano in a room,
//! a robot arm.
//!
//! They are soups of closed parts, which may overlap each other as modelled assemblies do.

use super::solids::cuboid;
use super::tubes::cylinder;
use crate::pose::pose_soup;
use crate::rng::{Rng, axis_angle_to_rows};
use crate::vector::along;
use crate::{Point, Soup};

/// A hand of palm, wrist and five fingers of three links each, about 350 triangles and two units
/// long. `curl` bends every joint, in radians.
pub fn hand(curl: f64) -> Soup {
    let mut soup = cuboid([-0.4, -0.12, -0.5], [0.4, 0.12, 0.4]);
    soup.append(&cylinder([0.0, 0.0, -0.9], [0.0, 0.0, -0.45], [0.2, 0.25], 8));
    for (index, reach) in [0.85, 1.0, 0.95, 0.75].into_iter().enumerate() {
        let start = [-0.3 + 0.2 * index as f64, 0.0, 0.38];
        soup.append(&finger(start, [0.0, 0.0, 1.0], reach, curl));
    }
    soup.append(&finger([0.36, 0.0, -0.2], [0.8, 0.0, 0.6], 0.7, curl));
    soup
}

fn finger(start: Point, outward: Point, reach: f64, curl: f64) -> Soup {
    let mut soup = Soup::default();
    let mut joint = start;
    for (link, share) in [0.45, 0.32, 0.23].into_iter().enumerate() {
        let (sine, cosine) = (curl * link as f64).sin_cos();
        let direction: Point = [outward[0] * cosine, -sine, outward[2] * cosine];
        let end = along(joint, direction, reach * share);
        let width = 0.09 - 0.015 * link as f64;
        soup.append(&cylinder(joint, end, [width, width * 0.85], 6));
        joint = end;
    }
    soup
}

/// The inside of a cabin: floor and walls, rows of seats, pipes and bins along the ceiling; about
/// `triangles` triangles. It is 4 wide, 3 high, and as long as it takes.
pub fn interior(triangles: usize, seed: u64) -> Soup {
    let mut rng = Rng::new(seed);
    let mut soup = Soup::default();
    let mut row = 0;
    // A row has some 1,400 triangles: stop at the nearest.
    while row == 0 || soup.len() + 700 < triangles {
        let back = f64::from(row);
        for x in [-1.4, -0.7, 0.7, 1.4] {
            soup.append(&seat([x, back, 0.0], &mut rng));
        }
        for side in [-1.0, 1.0] {
            soup.append(&cuboid([side * 1.4 - 0.5, back, 2.2], [side * 1.4 + 0.5, back + 0.9, 2.7]));
            let pipe_height = rng.range(2.75, 2.9);
            let (from, to) = ([side * 0.4, back, pipe_height], [side * 0.4, back + 1.1, pipe_height]);
            soup.append(&cylinder(from, to, [0.05; 2], 24));
        }
        row += 1;
    }
    let end = f64::from(row);
    for x in [-2.0, 2.0] {
        soup.append(&cuboid([x - 0.05, -0.5, 0.0], [x + 0.05, end + 0.5, 3.0]));
    }
    soup.append(&cuboid([-2.0, -0.5, -0.1], [2.0, end + 0.5, 0.0]));
    soup
}

fn seat(place: Point, rng: &mut Rng) -> Soup {
    let mut soup = cuboid([-0.25, 0.0, 0.4], [0.25, 0.5, 0.5]);
    let back = cuboid([-0.25, -0.05, 0.0], [0.25, 0.05, 0.7]);
    let lean = axis_angle_to_rows([1.0, 0.0, 0.0], rng.range(0.05, 0.35));
    soup.append(&pose_soup(&lean, &[0.0, 0.0, 0.5], &back));
    for x in [-0.2, 0.2] {
        for y in [0.05, 0.45] {
            soup.append(&cylinder([x, y, 0.0], [x, y, 0.4], [0.03; 2], 16));
        }
        soup.append(&cuboid([x * 1.3 - 0.03, 0.0, 0.7], [x * 1.3 + 0.03, 0.45, 0.75]));
    }
    soup.translated(place)
}

/// A grand piano, about two units long: body, lid, keyboard, legs, pedals.
pub fn piano() -> Soup {
    let mut soup = cuboid([-0.75, -1.0, 0.6], [0.75, 0.2, 0.9]);
    soup.append(&cuboid([-0.75, 0.2, 0.6], [0.3, 0.7, 0.9]));
    soup.append(&cylinder([-0.2, 0.7, 0.6], [-0.2, 0.7, 0.9], [0.5; 2], 16));
    soup.append(&cuboid([-0.7, -1.25, 0.65], [0.7, -1.0, 0.75]));
    let lid = cuboid([0.0, -0.9, 0.0], [1.4, 0.6, 0.03]);
    let opened = axis_angle_to_rows([0.0, 1.0, 0.0], -0.6);
    soup.append(&pose_soup(&opened, &[-0.75, 0.0, 0.9], &lid));
    for [x, y] in [[-0.65, -0.9], [0.65, -0.9], [-0.2, 0.8]] {
        soup.append(&cylinder([x, y, 0.0], [x, y, 0.6], [0.04, 0.08], 8));
    }
    for pedal in [-0.1, 0.0, 0.1] {
        soup.append(&cuboid([pedal - 0.02, -1.0, 0.05], [pedal + 0.02, -0.8, 0.08]));
    }
    soup
}

/// A room of 8 x 8 x 3 with a dividing wall and its doorway, tables, chairs and columns at random
/// places; about 2,000 triangles.
pub fn room(seed: u64) -> Soup {
    let mut rng = Rng::new(seed);
    let mut soup = cuboid([-4.0, -4.0, -0.1], [4.0, 4.0, 0.0]);
    soup.append(&cuboid([-4.0, -4.0, 3.0], [4.0, 4.0, 3.1]));
    for side in [-4.0, 4.0] {
        soup.append(&cuboid([side - 0.05, -4.0, 0.0], [side + 0.05, 4.0, 3.0]));
        soup.append(&cuboid([-4.0, side - 0.05, 0.0], [4.0, side + 0.05, 3.0]));
    }
    soup.append(&cuboid([-4.0, -0.1, 0.0], [-0.8, 0.1, 3.0]));
    soup.append(&cuboid([0.8, -0.1, 0.0], [4.0, 0.1, 3.0]));
    soup.append(&cuboid([-0.8, -0.1, 2.2], [0.8, 0.1, 3.0]));
    for _ in 0..5 {
        let [x, y, _] = rng.point(-3.5, 3.5);
        soup.append(&cylinder([x, y, 0.0], [x, y, 3.0], [0.15; 2], 20));
        let table = rng.point(-3.2, 3.2);
        soup.append(&cuboid([table[0] - 0.6, table[1] - 0.4, 0.7], [table[0] + 0.6, table[1] + 0.4, 0.75]));
        soup.append(&cylinder([table[0], table[1], 0.0], [table[0], table[1], 0.7], [0.3, 0.05], 20));
        let chair = rng.point(-3.5, 3.5);
        soup.append(&seat([chair[0], chair[1], 0.0], &mut rng));
    }
    soup
}

/// An arm of `joints` links on a foot, bent by the given angle at every joint in turn about two
/// axes.
pub fn robot_arm(joints: u32, bend: f64) -> Soup {
    let mut soup = cylinder([0.0, 0.0, 0.0], [0.0, 0.0, 0.2], [0.4, 0.3], 24);
    let mut joint = [0.0, 0.0, 0.2];
    for link in 0..joints {
        let (sine, cosine) = (bend * f64::from(link)).sin_cos();
        let direction = if link % 2 == 0 { [sine, 0.0, cosine] } else { [0.0, sine, cosine] };
        let end = along(joint, direction, 0.6);
        soup.append(&cylinder(joint, end, [0.12, 0.1], 16));
        let half = 0.14;
        let low: Point = end.map(|x| x - half);
        soup.append(&cuboid(low, end.map(|x| x + half)));
        joint = end;
    }
    soup
}

#[cfg(test)]
mod tests {
    use super::super::topology::{signed_volume, unmatched_edges};
    use super::*;

    #[test]
    fn every_part_is_closed() {
        for soup in [hand(0.0), hand(0.5), interior(2000, 1), piano(), room(2), robot_arm(6, 0.3)] {
            assert_eq!(unmatched_edges(&soup), 0);
            assert!(signed_volume(&soup) > 0.0);
        }
    }

    #[test]
    fn sizes_are_as_promised() {
        assert!((300..450).contains(&hand(0.4).len()), "{}", hand(0.4).len());
        assert!((1500..2600).contains(&room(3).len()), "{}", room(3).len());
        let cabin = interior(170_000, 4).len() as f64;
        assert!((cabin / 170_000.0 - 1.0).abs() < 0.05);
    }
}
