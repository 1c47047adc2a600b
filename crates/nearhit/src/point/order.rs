//! In which order are the points or rays of a large batch answered?
//!
//! Those near each other one after another, along a curve through the box around all (Morton's
//! order): what one goes through in the tree is at hand for the next. Answers stay where they were
//! asked for, and none depends on another.

use super::Room;
use crate::bounds::Bounds;
use crate::model::Model;
use crate::parallel::*;
use glam::DVec3;

/// Fewer are answered sooner than put in order.
const FEW: usize = 256;
/// Trees of fewer triangles are at hand anyway.
const SMALL: usize = 10_000;

/// The answers, in the order of the places they are asked for: of the points, and of the directions
/// from there.
pub(super) fn answers<T: Send>(
    model: &Model,
    count: usize,
    place: impl Fn(usize) -> (DVec3, DVec3) + Sync,
    answer: impl Fn(usize, &mut Room) -> T + Sync,
) -> Vec<T> {
    if count < FEW || model.mesh().triangles().len() < SMALL {
        return (0..count).into_par_iter().map_init(Room::default, |room, index| answer(index, room)).collect();
    }
    let order = along_a_curve(count, place);
    let mut found: Vec<Option<T>> =
        order.par_iter().map_init(Room::default, |room, &index| Some(answer(index as usize, room))).collect();
    let mut at = vec![0; count];
    order.iter().zip(0_u32..).for_each(|(&index, rank)| at[index as usize] = rank);
    at.into_iter().map(|rank| found[rank as usize].take().expect("each was answered once")).collect()
}

/// The indices of all.
fn along_a_curve(count: usize, place: impl Fn(usize) -> (DVec3, DVec3) + Sync) -> Vec<u32> {
    let bounds: Bounds = (0..count).map(|index| place(index).0).collect();
    // Halves: coordinates may be so large that differences are beyond numbers.
    let (low, side) = (bounds.low, bounds.half().max_element().max(f64::MIN_POSITIVE));
    let key = |index: usize| {
        let (point, direction) = place(index);
        code((point * 0.5 - low * 0.5) / side) << 30 | code(direction * 0.5 + 0.5)
    };
    let mut keys: Vec<(u64, u32)> =
        (0..count as u32).into_par_iter().map(|index| (key(index as usize), index)).collect();
    keys.par_sort_unstable();
    keys.into_iter().map(|(_, index)| index).collect()
}

/// Of a point in the unit cube: the first ten bits of its coordinates, interleaved.
fn code(point: DVec3) -> u64 {
    let spread = |value: f64| {
        let bits = (value * 1023.0) as u64 & 1023;
        let bits = (bits | bits << 16) & 0x0300_00ff;
        let bits = (bits | bits << 8) & 0x0300_f00f;
        let bits = (bits | bits << 4) & 0x030c_30c3;
        (bits | bits << 2) & 0x0924_9249
    };
    spread(point.x) | spread(point.y) << 1 | spread(point.z) << 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    /// Every index once, and neighbours near each other.
    #[test]
    fn the_curve_passes_each_point_once() {
        let mut rng = Rng::new(66);
        for size in [1e-300, 1.0, 1e300] {
            let points: Vec<DVec3> = (0..4096).map(|_| DVec3::from_array(rng.point(-1.0, 1.0)) * size).collect();
            let order = along_a_curve(points.len(), |index| (points[index], DVec3::X));
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().zip(0_u32..).all(|(&index, expected)| index == expected));
            let step = |pair: &[u32]| (points[pair[0] as usize] / size).distance(points[pair[1] as usize] / size);
            let mean = order.windows(2).map(step).sum::<f64>() / 4095.0;
            assert!(mean < 0.3, "{mean} of 1.3 at random");
        }
        assert_eq!(code(DVec3::ONE), (1 << 30) - 1);
        assert_eq!(along_a_curve(3, |_| (DVec3::ONE, DVec3::X)), [0, 1, 2]);
    }
}
