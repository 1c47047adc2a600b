//! Which medial balls can be one? (§8)
//!
//! Neighbours are merged, the cheapest pair first, until few are left. A merged ball bounds the
//! forming points of both; its cost is how far it sticks out over one of them along the normal
//! there (the paper's Figure 8). The normal at a forming point is taken from the deepest ball
//! through it, which touches the surface there: so flipped triangles do not matter.

use super::medial::MedialAxis;
use glam::DVec3;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// A ball about forming points.
#[derive(Debug, Clone)]
pub(super) struct Merged {
    pub(super) center: DVec3,
    /// Sample points that it must hold.
    pub(super) forming: Vec<u32>,
}

/// A pair of neighbours that may be merged, and how many balls were in the two groups when the cost
/// was found. Equal costs and pairs are the same merger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Merger {
    candidate: Candidate,
    sizes: (u32, u32),
}

/// A pair of spheres that may be merged; the cheapest is the greatest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    pub(super) cost: f64,
    pub(super) pair: (u32, u32),
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then(other.pair.cmp(&self.pair))
    }
}

/// Merges some balls of the axis, by index, until `count` are left or no two are adjacent. Those
/// that hold most points come first.
pub(super) fn merge(axis: &MedialAxis, of: &[u32], count: usize) -> Vec<Merged> {
    let mut groups = Groups::new(axis, of);
    let number: HashMap<u32, u32> = of.iter().enumerate().map(|(number, &ball)| (ball, number as u32)).collect();
    let mut queue = BinaryHeap::new();
    for (one, &ball) in of.iter().enumerate() {
        for two in axis.balls[ball as usize].adjacent.iter().filter_map(|other| number.get(other).copied()) {
            if (one as u32) < two {
                queue.push(groups.merger(one as u32, two));
            }
        }
    }
    let mut left = of.len();
    while left > count {
        let Some(merger) = queue.pop() else { break };
        let [one, two] = [merger.candidate.pair.0, merger.candidate.pair.1].map(|ball| groups.of(ball));
        if one == two {
            continue;
        }
        // Groups only grow, and so do the costs of merging them, nearly always: it is soon enough
        // to look again when a pair's turn comes.
        if merger.sizes != (groups.sizes[one as usize], groups.sizes[two as usize]) {
            queue.push(groups.merger(one, two));
            continue;
        }
        groups.join(one, two);
        left -= 1;
    }
    groups.merged(count)
}

/// Balls that are one.
struct Groups<'a> {
    axis: &'a MedialAxis,
    /// Another of the same group, or itself.
    toward: Vec<u32>,
    /// Of whole groups, by the ball that stands for them.
    sizes: Vec<u32>,
    forming: Vec<Vec<u32>>,
}

impl<'a> Groups<'a> {
    fn new(axis: &'a MedialAxis, of: &[u32]) -> Self {
        let forming = |&ball: &u32| {
            let mut forming = axis.balls[ball as usize].forming.to_vec();
            forming.sort_unstable();
            forming
        };
        let toward = (0..of.len() as u32).collect();
        Self { axis, toward, sizes: vec![1; of.len()], forming: of.iter().map(forming).collect() }
    }

    /// The ball that stands for a ball's group.
    fn of(&mut self, mut ball: u32) -> u32 {
        while self.toward[ball as usize] != ball {
            let next = self.toward[ball as usize];
            self.toward[ball as usize] = self.toward[next as usize];
            ball = next;
        }
        ball
    }

    fn merger(&self, one: u32, two: u32) -> Merger {
        // Of many points some tell enough about a cost.
        let some = |group: u32| {
            let points = &self.forming[group as usize];
            points.iter().copied().step_by(points.len().div_ceil(MOST_POINTS))
        };
        let forming: Vec<u32> = some(one).chain(some(two)).collect();
        let (center, radius) = bounding_ball(&self.axis.points, &forming);
        let sizes = (self.sizes[one as usize], self.sizes[two as usize]);
        let cost = cost(&self.axis.points, &self.axis.normals, &forming, center, radius);
        Merger { candidate: Candidate { cost, pair: (one, two) }, sizes }
    }

    fn join(&mut self, one: u32, two: u32) {
        let taken = std::mem::take(&mut self.forming[two as usize]);
        let points = &mut self.forming[one as usize];
        points.extend(taken);
        points.sort_unstable();
        points.dedup();
        self.sizes[one as usize] += self.sizes[two as usize];
        self.toward[two as usize] = one;
    }

    fn merged(self, count: usize) -> Vec<Merged> {
        let groups = self.forming.into_iter().filter(|forming| !forming.is_empty());
        let mut merged: Vec<Merged> =
            groups.map(|forming| Merged { center: bounding_ball(&self.axis.points, &forming).0, forming }).collect();
        merged.sort_by_key(|merged| std::cmp::Reverse(merged.forming.len()));
        merged.truncate(count);
        merged
    }
}

/// Points of each group that a cost is found from.
const MOST_POINTS: usize = 32;

/// How far a ball sticks out over one of the points, along the normal there.
pub(super) fn cost(points: &[DVec3], normals: &[DVec3], forming: &[u32], center: DVec3, radius: f64) -> f64 {
    let over = |&index: &u32| {
        let (away, normal) = (center - points[index as usize], normals[index as usize]);
        let height = away.dot(normal);
        let aside = (away.length_squared() - height * height).max(0.0);
        (radius * radius - aside).max(0.0).sqrt() + height
    };
    forming.iter().map(over).fold(0.0, f64::max)
}

/// Nearly the smallest ball (Ritter 1990).
pub(super) fn bounding_ball(points: &[DVec3], of: &[u32]) -> (DVec3, f64) {
    let at = |&index: &u32| points[index as usize];
    let farthest = |from: DVec3| {
        let all = of.iter().map(at);
        all.max_by(|p, q| p.distance_squared(from).total_cmp(&q.distance_squared(from))).unwrap_or(from)
    };
    let one = farthest(at(&of[0]));
    let two = farthest(one);
    let (mut center, mut radius) = ((one + two) * 0.5, one.distance(two) * 0.5);
    for point in of.iter().map(at) {
        let away = point.distance(center);
        if away > radius {
            let grown = 0.5 * (radius + away);
            center += (point - center) * ((away - grown) / away);
            radius = grown;
        }
    }
    (center, radius)
}

#[cfg(test)]
mod tests {
    use super::super::field::Depth;
    use super::super::medial::MedialBall;
    use super::*;

    /// Balls along a straight tube of radius 1, each touching it in four points, and one beside it
    /// that only its neighbour knows.
    fn tube(count: u32) -> MedialAxis {
        let mut axis = MedialAxis { points: Vec::new(), normals: Vec::new(), balls: Vec::new() };
        for index in 0..count {
            let at = DVec3::X * (0.1 * f64::from(index));
            for side in [DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z] {
                axis.points.push(at + side);
                axis.normals.push(side);
            }
            let adjacent =
                [index.checked_sub(1), (index + 1 < count).then_some(index + 1)].into_iter().flatten().collect();
            let depth = Depth { at, distance: -1.0, nearest: at + DVec3::Y, triangle: 0 };
            axis.balls.push(MedialBall { depth, radius: 1.0, forming: [0, 1, 2, 3].map(|i| 4 * index + i), adjacent });
        }
        axis
    }

    #[test]
    fn a_tube_is_divided_evenly_and_no_point_is_lost() {
        let axis = tube(32);
        let merged = merge(&axis, &(0..32).collect::<Vec<_>>(), 4);
        assert_eq!(merged.len(), 4);
        let mut points: Vec<u32> = merged.iter().flat_map(|group| group.forming.clone()).collect();
        points.sort_unstable();
        assert_eq!(points, (0..128).collect::<Vec<_>>());
        for group in &merged {
            let (first, last) = (group.forming[0], group.forming[group.forming.len() - 1]);
            assert_eq!((first % 4, last - first), (0, group.forming.len() as u32 - 1), "a run of the tube");
            assert!((16..=64).contains(&group.forming.len()), "{merged:?}");
            assert!(group.center.y.abs() + group.center.z.abs() < 0.2);
        }
    }

    fn over(axis: &MedialAxis, forming: &[u32], center: DVec3, radius: f64) -> f64 {
        cost(&axis.points, &axis.normals, forming, center, radius)
    }

    /// The paper's figure: the ball of radius r about the axis sticks out by r - 1 over the points
    /// in its middle, by nothing over those on its rim.
    #[test]
    fn the_cost_is_along_the_normal() {
        let axis = tube(21);
        let (center, radius) = (DVec3::X, 2f64.sqrt());
        assert!((over(&axis, &[40], center, radius) - (radius - 1.0)).abs() < 1e-12);
        assert!(over(&axis, &[0, 80], center, radius) < 1e-12);
        // Seen from above the surface the distances add up.
        assert!((over(&axis, &[40], center + DVec3::Y * 1.5, radius) - (radius + 0.5)).abs() < 1e-12);
    }

    #[test]
    fn what_is_not_adjacent_stays_apart() {
        let mut axis = tube(8);
        axis.balls[3].adjacent.pop();
        axis.balls[4].adjacent.remove(0);
        let merged = merge(&axis, &(0..8).collect::<Vec<_>>(), 1);
        assert_eq!(merged.len(), 1);
        assert_eq!(merged[0].forming.len(), 16);
    }
}
