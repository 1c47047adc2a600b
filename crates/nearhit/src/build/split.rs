//! Where to cut a set of triangles in two (k-DOP paper, §3.3.4).
//!
//! Each triangle stands for its centroid. Rules are deterministic: ties go by position and id, sums run in a fixed order.

use glam::DVec3;

/// Along which coordinate axis to split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisRule {
    /// The axis along which the centroids vary most.
    Splatter,
    /// The axis along which the triangles' box is longest.
    LongestSide,
}

/// Where on the axis to split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionRule {
    /// At the mean of the centroids.
    Mean,
    /// Half of the triangles on either side.
    Median,
}

/// What the rules look at: a triangle's id, middle and box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) id: u32,
    pub(super) centroid: DVec3,
    pub(super) low: DVec3,
    pub(super) high: DVec3,
}

/// Chooses the axis, 0 to 2.
pub(super) fn choose_axis(rule: AxisRule, items: &[Item]) -> usize {
    let spread = match rule {
        AxisRule::Splatter => variance(items),
        AxisRule::LongestSide => {
            let low = items.iter().fold(DVec3::INFINITY, |low, item| low.min(item.low));
            let high = items.iter().fold(DVec3::NEG_INFINITY, |high, item| high.max(item.high));
            high * 0.5 - low * 0.5
        }
    };
    (0..3).fold(0, |best, axis| if spread[axis] > spread[best] { axis } else { best })
}

fn mean(items: &[Item]) -> DVec3 {
    // Shares are added, not values: a sum of many coordinates of 1e300 would overflow.
    let share = 1.0 / items.len() as f64;
    items.iter().fold(DVec3::ZERO, |sum, item| sum + item.centroid * share)
}

/// Per axis, in units of the largest deviation (squares of 1e300 or 1e-300 are of no use).
fn variance(items: &[Item]) -> DVec3 {
    let mean = mean(items);
    let unit = items.iter().fold(f64::MIN_POSITIVE, |unit, item| (item.centroid - mean).abs().max_element().max(unit));
    items.iter().fold(DVec3::ZERO, |sum, item| {
        let deviation = (item.centroid - mean) / unit;
        sum + deviation * deviation
    })
}

/// Reorders `items` and returns where the second part begins: never at an end.
pub(super) fn partition(rule: PositionRule, axis: usize, items: &mut [Item]) -> usize {
    match rule {
        PositionRule::Median => median(axis, items),
        PositionRule::Mean => {
            let position = mean(items)[axis];
            let middle = partition_in_place(items, |item| item.centroid[axis] <= position);
            // All centroids coincide, or rounding put the mean beyond them.
            if middle == 0 || middle == items.len() { median(axis, items) } else { middle }
        }
    }
}

fn median(axis: usize, items: &mut [Item]) -> usize {
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |p, q| p.centroid[axis].total_cmp(&q.centroid[axis]).then(p.id.cmp(&q.id)));
    middle
}

fn partition_in_place(items: &mut [Item], first: impl Fn(&Item) -> bool) -> usize {
    let mut middle = 0;
    for i in 0..items.len() {
        if first(&items[i]) {
            items.swap(middle, i);
            middle += 1;
        }
    }
    middle
}
