//! Cells shared out among balls: farthest cells first, then each ball where its cells are (Lloyd).

use super::cells::Cells;
use glam::DVec3;

/// Cells, each the farthest from those before it.
#[derive(Debug)]
pub(super) struct Order {
    seeds: Vec<usize>,
    /// With so many balls, less one: how far the farthest cell is from the nearest.
    reaches: Vec<f64>,
}

impl Order {
    /// At most so many.
    pub(super) fn new(cells: &Cells, most: usize) -> Self {
        let middles = &cells.middles;
        let mean = middles.iter().sum::<DVec3>() / middles.len().max(1) as f64;
        let farther = |one: &(usize, f64), other: &(usize, f64)| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0));
        // The first is in the middle.
        let first = middles.iter().map(|middle| -middle.distance(mean)).enumerate().max_by(farther);
        let mut order = Self { seeds: Vec::new(), reaches: Vec::new() };
        let Some((mut next, _)) = first else { return order };
        let mut gaps = vec![f64::INFINITY; middles.len()];
        for _ in 0..most.min(middles.len()) {
            order.seeds.push(next);
            for (gap, middle) in gaps.iter_mut().zip(middles) {
                *gap = gap.min(middle.distance(middles[next]));
            }
            let farthest = gaps.iter().copied().enumerate().max_by(farther).unwrap_or((0, 0.0));
            order.reaches.push(farthest.1);
            next = farthest.0;
        }
        order
    }

    /// How far the farthest cell is from the nearest of so many.
    pub(super) fn reach(&self, count: usize) -> f64 {
        self.reaches.get(count.saturating_sub(1)).copied().unwrap_or(0.0)
    }
}

/// How often balls move to their cells.
const ROUNDS: usize = 12;

/// At most so many balls that contain all points of all cells.
pub(super) fn balls(cells: &Cells, order: &Order, count: usize) -> Vec<([f64; 3], f64)> {
    let seeds = order.seeds.iter().take(count.max(1));
    let mut centers: Vec<DVec3> = seeds.map(|&seed| cells.middles[seed]).collect();
    let mut best: Option<(f64, Vec<(DVec3, f64)>)> = None;
    for _ in 0..ROUNDS {
        let mut owned: Vec<Vec<DVec3>> = vec![Vec::new(); centers.len()];
        for (middle, points) in cells.middles.iter().zip(&cells.points) {
            let gap = |index: usize| centers[index].distance_squared(*middle);
            let nearest = (0..centers.len()).min_by(|&one, &other| gap(one).total_cmp(&gap(other)));
            owned[nearest.unwrap_or(0)].extend(points);
        }
        let found: Vec<(DVec3, f64)> =
            owned.iter().filter(|points| !points.is_empty()).map(|it| enclosing(it)).collect();
        let volume: f64 = found.iter().map(|(_, radius)| radius.powi(3)).sum();
        centers = found.iter().map(|(center, _)| *center).collect();
        if best.as_ref().is_none_or(|(least, _)| volume < *least) {
            best = Some((volume, found));
        }
    }
    let grown = |(center, radius): (DVec3, f64)| (center.to_array(), radius * (1.0 + 1e-12) + cells.extra);
    best.map(|(_, balls)| balls).unwrap_or_default().into_iter().map(grown).collect()
}

/// A small ball around points: its centre goes to the farthest of them in ever smaller steps
/// (Bădoiu and Clarkson). The radius is what it must be for the centre found.
fn enclosing(points: &[DVec3]) -> (DVec3, f64) {
    const STEPS: usize = 40;
    let farthest = |center: DVec3| {
        let apart = |point: &DVec3| point.distance(center);
        points.iter().map(|point| (apart(point), *point)).max_by(|one, other| one.0.total_cmp(&other.0))
    };
    let (low, high) = points
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &point| (low.min(point), high.max(point)));
    let mut center = 0.5 * (low + high);
    let mut best = (center, f64::INFINITY);
    for step in 1..=STEPS {
        let Some((radius, point)) = farthest(center) else { break };
        if radius < best.1 {
            best = (center, radius);
        }
        center += (point - center) / (step + 1) as f64;
    }
    best
}
