//! Billiard paths: straight and tumbling on, back where something is hit (Klosowski et al., section
//! 5.2).

use super::CasePose;
use crate::pose::{IDENTITY, multiplied};
use crate::rng::{Rng, axis_angle_to_rows};
use crate::vector::{along, length};
use crate::{Point, Soup};

/// What a path is made of.
#[derive(Clone, Copy, Debug)]
pub struct Billiard {
    /// Decides directions and axes.
    pub seed: u64,
    /// Number of poses.
    pub steps: usize,
    /// How far `a` moves at a step.
    pub step_length: f64,
    /// How far it turns at a step, in radians.
    pub step_angle: f64,
    /// The box its origin stays in.
    pub room: (Point, Point),
    /// Where its origin starts.
    pub start: Point,
}

/// The poses of a tumbling `a` in a standing `b`. A step that collides is recorded, then undone,
/// and the motion reversed; a little randomness at every turn keeps the path from repeating itself.
pub fn billiard_path(settings: &Billiard, collides: &mut dyn FnMut(&CasePose) -> bool) -> Vec<CasePose> {
    let mut rng = Rng::new(settings.seed);
    let mut direction = rng.unit_vector();
    let mut spin = axis_angle_to_rows(rng.unit_vector(), settings.step_angle);
    let (mut rotation, mut position) = (rng.rotation(), settings.start);
    // Whoever starts inside something moves on until it is free for the first time, or it would
    // never get out.
    let mut was_free = false;
    let mut poses = Vec::with_capacity(settings.steps);
    for step in 0..settings.steps {
        let next_rotation = if step == 0 { rotation } else { orthonormal(multiplied(&spin, &rotation)) };
        let next_position = if step == 0 { position } else { along(position, direction, settings.step_length) };
        let pose = CasePose::of_a(next_rotation, next_position);
        poses.push(pose);
        let hit = collides(&pose);
        was_free |= !hit;
        if hit && was_free {
            direction = deflected(direction.map(|x| -x), &mut rng);
            spin = axis_angle_to_rows(rng.unit_vector(), settings.step_angle);
        } else {
            (rotation, position) = (next_rotation, next_position);
            let inwards = turned_inwards(direction, position, &settings.room);
            direction = if inwards == direction { direction } else { deflected(inwards, &mut rng) };
        }
    }
    poses
}

/// Says whether two meshes touch in a pose: the paths ask it where to turn back. This crate calls
/// no library, so the caller brings the test.
pub type Collision<'m> = Box<dyn FnMut(&CasePose) -> bool + 'm>;

/// A path through nothing, for any two meshes.
pub fn no_collision<'m>(_: &'m Soup, _: &'m Soup) -> Collision<'m> {
    Box::new(|_| false)
}

fn deflected(direction: Point, rng: &mut Rng) -> Point {
    let raw = along(direction, rng.unit_vector(), 0.3);
    let norm = length(raw);
    raw.map(|x| x / norm)
}

fn turned_inwards(direction: Point, position: Point, (low, high): &(Point, Point)) -> Point {
    std::array::from_fn(|axis| match position[axis] {
        x if x < low[axis] => direction[axis].abs(),
        x if x > high[axis] => -direction[axis].abs(),
        _ => direction[axis],
    })
}

/// One step of Newton's iteration towards the nearest rotation: products of many small turns stay
/// rotations.
fn orthonormal(matrix: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let gram = multiplied(&crate::pose::transposed(&matrix), &matrix);
    let correction: [[f64; 3]; 3] =
        std::array::from_fn(|row| std::array::from_fn(|column| 1.5 * IDENTITY[row][column] - 0.5 * gram[row][column]));
    multiplied(&matrix, &correction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_starts_inside_gets_out() {
        let room = ([-5.0; 3], [5.0; 3]);
        let settings = Billiard { seed: 2, steps: 100, step_length: 0.1, step_angle: 0.1, room, start: [0.0; 3] };
        let poses = billiard_path(&settings, &mut |pose| length(pose.t_a) < 1.0);
        assert!(length(poses[5].t_a) < 1.0);
        assert!(poses[12..].iter().all(|pose| length(pose.t_a) > 0.89));
    }

    #[test]
    fn paths_stay_in_the_room_and_turn_back_at_walls() {
        let settings = Billiard {
            seed: 1,
            steps: 3000,
            step_length: 0.05,
            step_angle: 0.02,
            room: ([-1.0; 3], [1.0; 3]),
            start: [-0.5, 0.0, 0.0],
        };
        let mut hits = 0;
        let poses = billiard_path(&settings, &mut |pose| {
            let hit = pose.t_a[0] > 0.0;
            hits += usize::from(hit);
            hit
        });
        assert_eq!(poses.len(), 3000);
        assert!((20..1000).contains(&hits), "{hits}");
        assert!(poses.iter().all(|pose| pose.t_a.iter().all(|x| x.abs() < 1.06) && pose.t_a[0] < 0.06));
        let last = poses[2999].r_a;
        let product = multiplied(&last, &crate::pose::transposed(&last));
        assert!((0..3).all(|i| (0..3).all(|j| (product[i][j] - IDENTITY[i][j]).abs() < 1e-14)));
        assert_eq!(poses, billiard_path(&settings, &mut |pose| pose.t_a[0] > 0.0));
    }
}
