//! Two boxes that are turned anyhow: how far apart are they at least, and are they apart at all
//! (separating axis test, SAT)?

use glam::{DMat3, DVec3};

/// Two boxes, in the frame of the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxes {
    pub(super) half_a: DVec3,
    pub(super) half_b: DVec3,
    /// The axes of the second are its columns.
    pub(super) turn: DMat3,
    /// From the middle of the first to that of the second.
    pub(super) between: DVec3,
    /// Far more than all these numbers, and what comes of them here, are rounded by, along any
    /// direction of length 1.
    pub(super) rounding: f64,
}

impl Boxes {
    /// A distance that they are certainly apart: the most along an axis of one of them. May be
    /// below 0; is not above 0 where a box has no end.
    #[inline]
    pub(super) fn gap(&self) -> f64 {
        let Self { half_a, half_b, turn, between, rounding } = self;
        let seen = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        let along_a = between.abs() - *half_a - seen * *half_b;
        let along_b = (turn.transpose() * *between).abs() - *half_b - seen.transpose() * *half_a;
        // Written so that what is not a number is left out: infinite sizes times 0.
        let most = along_a.to_array().into_iter().chain(along_b.to_array()).fold(f64::NEG_INFINITY, f64::max);
        most - rounding
    }

    /// Whether they are certainly apart along a direction across an edge of each.
    #[inline]
    pub(super) fn apart_along_edges(&self) -> bool {
        let Self { half_a, half_b, turn, between, rounding } = self;
        for j in 0..3 {
            let (axis, [j1, j2]) = (turn.col(j), [(j + 1) % 3, (j + 2) % 3]);
            let (next, last) = (turn.col(j1), turn.col(j2));
            for i in 0..3 {
                let [i1, i2] = [(i + 1) % 3, (i + 2) % 3];
                // The direction is across the axes i of a and j of b; no longer than 1.
                let middles = (between[i2] * axis[i1] - between[i1] * axis[i2]).abs();
                let of_a = half_a[i1] * axis[i2].abs() + half_a[i2] * axis[i1].abs();
                let of_b = half_b[j1] * last[i].abs() + half_b[j2] * next[i].abs();
                if middles > of_a + of_b + 2.0 * rounding {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Boxes;
    use crate::random::Random;
    use glam::{DMat3, DQuat, DVec3};
    use nearhit::shape::{Shape, ShapePair};
    use nearhit::{Pose, Scratch, Settings, Tolerance};

    /// Beside the exact distance: never more, and apart exactly where they are (but for rounding).
    #[test]
    fn gaps_are_no_more_than_distances_and_all_that_is_apart_is_found() {
        let (mut random, mut scratch) = (Random::new(3), Scratch::new());
        let mut seen = [0; 3];
        for _ in 0..4000 {
            let mut three = |low: f64, high: f64| DVec3::from([0; 3].map(|_| random.between(low, high)));
            let (half_a, half_b, between) = (three(0.05, 1.0), three(0.05, 1.0), three(-2.0, 2.0));
            let (axis, angle) = (three(-1.0, 1.0).normalize(), three(-3.0, 3.0).x);
            let rotation = DQuat::from_axis_angle(axis, angle);
            let turn = DMat3::from_quat(rotation);
            let boxes = Boxes { half_a, half_b, turn, between, rounding: 1e-13 };
            let [a, b] = [half_a, half_b].map(|half| Shape::cuboid((2.0 * half).to_array()).expect("a box"));
            let place = Pose::from_quaternion(rotation.to_array(), between.to_array()).expect("a pose");
            let pair = ShapePair::new(&a, &Pose::IDENTITY, &b, &place).expect("a pair");
            let apart = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
            assert!(boxes.gap() <= apart.upper, "{boxes:?} {apart:?}");
            let found = boxes.gap() > 0.0 || boxes.apart_along_edges();
            assert_eq!(found, apart.upper > 1e-9, "{boxes:?} {apart:?}");
            seen[if !found { 0 } else { usize::from(boxes.gap() > 0.0) + 1 }] += 1;
        }
        assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
        let endless = Boxes {
            half_a: DVec3::INFINITY,
            half_b: DVec3::ONE,
            turn: DMat3::IDENTITY,
            between: DVec3::splat(9.0),
            rounding: 0.0,
        };
        assert!(!(endless.gap() > 0.0 || endless.apart_along_edges()));
    }
}
