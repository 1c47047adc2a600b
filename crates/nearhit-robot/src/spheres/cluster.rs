//! Cells shared out among balls: farthest cells first, then each ball where its cells are (Lloyd).

use super::cells::Cells;
use glam::DVec3;
use nearhit::research::broad::Bounds;

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
/// How often cells that two balls contain are taken from the larger.
const SHRINKINGS: usize = 8;
/// Steps towards the farthest point, while balls still move, and at the end.
const STEPS: [usize; 2] = [40, 400];

type Ball = (DVec3, f64);

/// At most so many balls that contain all points of all cells.
pub(super) fn balls(cells: &Cells, order: &Order, count: usize) -> Vec<([f64; 3], f64)> {
    let seeds = order.seeds.iter().take(count.max(1));
    let mut centers: Vec<DVec3> = seeds.map(|&seed| cells.middles[seed]).collect();
    let mut best: Option<(f64, Shares)> = None;
    for _ in 0..ROUNDS {
        let shares = Shares::nearest(cells, &centers);
        centers = shares.balls.iter().map(|(center, _)| *center).collect();
        if best.as_ref().is_none_or(|(least, _)| shares.volume() < *least) {
            best = Some((shares.volume(), shares));
        }
    }
    let Some((_, mut shares)) = best else { return Vec::new() };
    for _ in 0..SHRINKINGS {
        shares.shrink(cells);
    }
    let grown = |(center, radius): Ball| (center.to_array(), radius * (1.0 + 1e-12) + cells.extra);
    shares.balls.into_iter().map(grown).collect()
}

/// Which ball contains which cell. Every cell is contained in its ball.
struct Shares {
    /// Of each cell, its ball.
    owners: Vec<usize>,
    balls: Vec<Ball>,
}

impl Shares {
    /// Each cell goes to the nearest centre; balls without cells are left out.
    fn nearest(cells: &Cells, centers: &[DVec3]) -> Self {
        let nearest = |middle: &DVec3| {
            let gap = |index: usize| centers[index].distance_squared(*middle);
            (0..centers.len()).min_by(|&one, &other| gap(one).total_cmp(&gap(other))).unwrap_or(0)
        };
        let mut owners: Vec<usize> = cells.middles.iter().map(nearest).collect();
        let mut number = vec![usize::MAX; centers.len()];
        let mut count = 0;
        for owner in &mut owners {
            if number[*owner] == usize::MAX {
                number[*owner] = count;
                count += 1;
            }
            *owner = number[*owner];
        }
        let mut shares = Self { owners, balls: vec![(DVec3::ZERO, f64::INFINITY); count] };
        (0..count).for_each(|ball| shares.fit(cells, ball, STEPS[0]));
        shares
    }

    fn volume(&self) -> f64 {
        self.balls.iter().map(|(_, radius)| radius.powi(3)).sum()
    }

    /// Makes a ball as small as its cells allow.
    fn fit(&mut self, cells: &Cells, ball: usize, steps: usize) {
        let own = self.owners.iter().zip(&cells.points).filter(|(owner, _)| **owner == ball);
        let points: Vec<DVec3> = own.flat_map(|(_, points)| points).copied().collect();
        let fitted = enclosing(&points, steps);
        let (_, radius) = self.balls[ball];
        // The one before contains what is left, too.
        if fitted.1 < radius {
            self.balls[ball] = fitted;
        }
    }

    /// From the largest ball to the smallest: cells that a smaller one contains go there, and the
    /// ball is made smaller. One that has no cell left is done with.
    fn shrink(&mut self, cells: &Cells) {
        let mut order: Vec<usize> = (0..self.balls.len()).collect();
        order.sort_by(|&one, &other| self.balls[other].1.total_cmp(&self.balls[one].1).then(one.cmp(&other)));
        for &ball in &order {
            for (cell, points) in cells.points.iter().enumerate() {
                let smaller = |other: &usize| self.balls[*other].1 < self.balls[ball].1;
                let holds = |other: &usize| points.iter().all(|point| contains(&self.balls[*other], *point));
                if self.owners[cell] == ball
                    && let Some(other) = (0..self.balls.len()).filter(smaller).find(holds)
                {
                    self.owners[cell] = other;
                }
            }
            self.fit(cells, ball, STEPS[1]);
        }
        let mut number = vec![usize::MAX; self.balls.len()];
        let mut kept = Vec::new();
        for ball in 0..self.balls.len() {
            if self.owners.contains(&ball) {
                number[ball] = kept.len();
                kept.push(self.balls[ball]);
            }
        }
        self.owners.iter_mut().for_each(|owner| *owner = number[*owner]);
        self.balls = kept;
    }
}

fn contains((center, radius): &Ball, point: DVec3) -> bool {
    center.distance(point) <= *radius
}

/// A small ball around points: its centre goes to the farthest of them in ever smaller steps
/// (Bădoiu and Clarkson). The radius is what it must be for the centre found.
fn enclosing(points: &[DVec3], steps: usize) -> Ball {
    let farthest = |center: DVec3| {
        let apart = |point: &DVec3| point.distance_squared(center);
        let found = points.iter().map(|point| (apart(point), *point)).max_by(|one, other| one.0.total_cmp(&other.0));
        found.map(|(_, point)| (point.distance(center), point))
    };
    let Bounds { low, high } = points.iter().copied().collect();
    let mut center = 0.5 * (low + high);
    let mut best = (center, f64::INFINITY);
    for step in 1..=steps {
        let Some((radius, point)) = farthest(center) else { return (DVec3::ZERO, 0.0) };
        if radius < best.1 {
            best = (center, radius);
        }
        center += (point - center) / (step + 1) as f64;
    }
    best
}
