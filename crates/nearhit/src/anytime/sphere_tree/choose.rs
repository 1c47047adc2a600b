//! Which few of many balls take a surface best? A rough answer, from points and medial balls alone:
//! nothing is asked of the surface, so hundreds of tries cost little.
//!
//! The largest of *distance plus signed depth* over all points is minimised (see `fit.rs`),
//! together with the mean over the balls: points go to the ball that takes them best, each ball
//! becomes the candidate that is best for its points, and so on; then the ball that would be missed
//! least is moved to where it is needed most, as long as that helps.

use super::field::Depth;
use super::sample::Random;
use crate::parallel::*;
use glam::{DMat3, DVec3};

/// What to choose for and from.
#[derive(Debug)]
pub(super) struct Choice<'c> {
    pub(super) points: &'c [DVec3],
    pub(super) candidates: &'c [Depth],
    pub(super) count: usize,
}

/// How hard to try.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Begin from merged medial balls, too.
    pub(super) merges: bool,
    /// Begin anywhere so often.
    pub(super) starts: usize,
    /// Move so many balls to where they are needed more.
    pub(super) swaps: usize,
    /// Look closer at so many.
    pub(super) ways: usize,
    /// Share out and choose again at most so often.
    pub(super) rounds: usize,
    /// The same with all pieces and free centres.
    pub(super) settling: u32,
}

/// Balls, by candidate, and what each costs for the points it has.
#[derive(Debug, Clone)]
struct Chosen {
    balls: Vec<u32>,
    costs: Vec<f64>,
    /// The point that costs most.
    worst: u32,
    score: f64,
}

impl Chosen {
    fn largest(&self) -> f64 {
        self.costs.iter().copied().fold(0.0, f64::max)
    }
}

/// Working memory.
#[derive(Debug, Default)]
struct Room {
    shares: Vec<Vec<u32>>,
}

impl Choice<'_> {
    /// Some ways to choose at most `count` candidates, by index, the best first. They may be better
    /// than the `given` one, which may be none.
    pub(super) fn best(&self, given: Vec<u32>, effort: Effort, seed: u64) -> Vec<Vec<u32>> {
        let mut random = Random(seed);
        let mut starts: Vec<Vec<u32>> = (0..effort.starts.max(1)).map(|_| self.spread(&mut random)).collect();
        starts.extend((!given.is_empty()).then_some(given));
        let settled =
            starts.into_par_iter().map_init(Room::default, |room, start| self.settle(start, effort.rounds, room));
        // Sorting keeps the first of equals first, whatever the number of threads.
        let mut settled: Vec<Chosen> = settled.collect();
        settled.sort_by(|a, b| a.score.total_cmp(&b.score));
        settled.dedup_by(|a, b| a.score == b.score);
        settled.truncate(effort.ways.max(1));
        let mut swapped: Vec<Chosen> =
            settled.into_par_iter().map(|chosen| self.swap(chosen, effort, &mut Room::default())).collect();
        swapped.sort_by(|a, b| a.score.total_cmp(&b.score));
        swapped.dedup_by(|a, b| a.score == b.score);
        swapped.into_iter().map(|chosen| chosen.balls).collect()
    }

    /// Mean and largest cost of a choice that is made quickly.
    pub(super) fn estimate(&self) -> [f64; 2] {
        let (mut random, mut room) = (Random(0), Room::default());
        let mut best: Option<Chosen> = None;
        for _ in 0..3 {
            let chosen = self.settle(self.spread(&mut random), 8, &mut room);
            if best.as_ref().is_none_or(|best| chosen.score < best.score) {
                best = Some(chosen);
            }
        }
        let best = best.expect("three tries");
        [best.costs.iter().sum::<f64>() / self.count as f64, best.largest()]
    }

    fn cost(&self, point: DVec3, candidate: u32) -> f64 {
        let ball = &self.candidates[candidate as usize];
        point.distance(ball.at) + ball.distance
    }

    /// The deepest candidate that takes a point at half of what it costs now, or else the one that
    /// takes it best.
    fn ball_for(&self, point: DVec3, now: f64) -> u32 {
        let (mut best, mut least) = (0, f64::INFINITY);
        let (mut good, mut deepest) = (None, 0.0);
        for (index, candidate) in self.candidates.iter().enumerate() {
            let cost = point.distance(candidate.at) + candidate.distance;
            if cost < least {
                (best, least) = (index as u32, cost);
            }
            if cost <= 0.5 * now && candidate.distance < deepest {
                (good, deepest) = (Some(index as u32), candidate.distance);
            }
        }
        good.unwrap_or(best)
    }

    /// Each new ball for the point that is worst off, beginning anywhere.
    fn spread(&self, random: &mut Random) -> Vec<u32> {
        let first = ((random.unit() * self.points.len() as f64) as usize).min(self.points.len() - 1);
        let mut balls = vec![self.ball_for(self.points[first], 0.0)];
        let mut costs: Vec<f64> = self.points.iter().map(|&point| self.cost(point, balls[0])).collect();
        while balls.len() < self.count {
            let worst = costs.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(index, _)| index);
            let ball = self.ball_for(self.points[worst], costs[worst]);
            for (cost, &point) in costs.iter_mut().zip(self.points) {
                *cost = cost.min(self.cost(point, ball));
            }
            balls.push(ball);
        }
        balls
    }

    fn settle(&self, mut balls: Vec<u32>, rounds: usize, room: &mut Room) -> Chosen {
        let mut best: Option<Chosen> = None;
        for _ in 0..rounds {
            self.assign(&balls, room);
            let chosen = self.refit(&balls, room);
            let next = self.completed(&chosen, room);
            if best.as_ref().is_some_and(|best| chosen.score >= best.score * (1.0 - 1e-4)) {
                break;
            }
            best = Some(chosen);
            balls = next;
        }
        best.expect("one round at least")
    }

    /// Where balls are missing, the costliest shares get two in place of one.
    fn completed(&self, chosen: &Chosen, room: &Room) -> Vec<u32> {
        let mut balls = chosen.balls.clone();
        let mut order: Vec<usize> = (0..balls.len()).collect();
        order.sort_by(|&i, &j| chosen.costs[j].total_cmp(&chosen.costs[i]));
        let shares: Vec<&Vec<u32>> = room.shares.iter().filter(|share| !share.is_empty()).collect();
        for costly in order.into_iter().take(self.count - chosen.balls.len().min(self.count)) {
            if let Some((one, two)) = self.split(shares[costly], balls[costly]) {
                balls[costly] = one;
                balls.push(two);
            }
        }
        balls
    }

    /// Balls for the two halves of a share, across its longest extent.
    fn split(&self, share: &[u32], ball: u32) -> Option<(u32, u32)> {
        let (one, two) = halves(share, |point| self.points[point as usize])?;
        Some((self.best_for(&one, ball).0, self.best_for(&two, ball).0))
    }

    fn assign(&self, balls: &[u32], room: &mut Room) {
        room.shares.iter_mut().for_each(Vec::clear);
        room.shares.resize_with(balls.len(), Vec::new);
        let centers: Vec<(DVec3, f64)> = balls
            .iter()
            .map(|&ball| (self.candidates[ball as usize].at, self.candidates[ball as usize].distance))
            .collect();
        for (index, &point) in self.points.iter().enumerate() {
            let (mut best, mut least) = (0, f64::INFINITY);
            for (number, &(at, depth)) in centers.iter().enumerate() {
                let cost = point.distance(at) + depth;
                if cost < least {
                    (best, least) = (number, cost);
                }
            }
            room.shares[best].push(index as u32);
        }
    }

    /// The best candidate for each share; empty shares are dropped.
    fn refit(&self, balls: &[u32], room: &Room) -> Chosen {
        let mut chosen = Chosen { balls: Vec::new(), costs: Vec::new(), worst: 0, score: 0.0 };
        let mut most = f64::NEG_INFINITY;
        for (share, &ball) in room.shares.iter().zip(balls).filter(|(share, _)| !share.is_empty()) {
            let (best, least, worst) = self.best_for(share, ball);
            chosen.balls.push(best);
            chosen.costs.push(least);
            if least > most && share.len() > 1 {
                (most, chosen.worst) = (least, worst);
            }
        }
        chosen.score = 0.5 * chosen.largest() + chosen.costs.iter().sum::<f64>() / self.count as f64;
        chosen
    }

    /// The best candidate for some points, what it costs, and for which of them.
    fn best_for(&self, share: &[u32], known: u32) -> (u32, f64, u32) {
        let (mut best, (mut least, mut worst)) = (known, self.reach(share, known));
        let outermost = self.outermost(share, worst);
        for (candidate, ball) in self.candidates.iter().enumerate() {
            let limit = least - ball.distance;
            let too_far = |point: DVec3| point.distance_squared(ball.at) >= limit * limit;
            // Few points rule out nearly all candidates.
            if limit <= 0.0 || outermost.iter().any(|&point| too_far(point)) {
                continue;
            }
            if share.iter().all(|&point| !too_far(self.points[point as usize])) {
                best = candidate as u32;
                (least, worst) = self.reach(share, best);
            }
        }
        (best, least, worst)
    }

    /// The largest cost of a candidate over points, and which.
    fn reach(&self, share: &[u32], candidate: u32) -> (f64, u32) {
        let ball = &self.candidates[candidate as usize];
        let (mut far, mut worst) = (-1.0, 0);
        for &point in share {
            let away = self.points[point as usize].distance_squared(ball.at);
            if away > far {
                (far, worst) = (away, point);
            }
        }
        (far.max(0.0).sqrt() + ball.distance, worst)
    }

    /// Points that are farthest out along a few directions, after the one that is known to be.
    fn outermost(&self, share: &[u32], worst: u32) -> [DVec3; 9] {
        let mut found = [(f64::NEG_INFINITY, self.points[worst as usize]); 9];
        for &point in share {
            let point = self.points[point as usize];
            let along = [
                point.x,
                -point.x,
                point.y,
                -point.y,
                point.z,
                -point.z,
                point.x + point.y + point.z,
                -(point.x + point.y + point.z),
            ];
            for (known, along) in found[1..].iter_mut().zip(along) {
                if along > known.0 {
                    *known = (along, point);
                }
            }
        }
        found.map(|(_, point)| point)
    }

    fn swap(&self, mut best: Chosen, effort: Effort, room: &mut Room) -> Chosen {
        let mut order: Vec<usize> = Vec::new();
        let mut stale = 0;
        for _ in 0..effort.swaps {
            if order.is_empty() {
                order = (0..best.balls.len()).collect();
                order.sort_by(|&i, &j| best.costs[j].total_cmp(&best.costs[i]));
            }
            let Some(out) = order.pop() else { break };
            let better = |tried: &Chosen| tried.score < best.score * (1.0 - 1e-4);
            let needed = self.where_needed(&best, out, room);
            let tried = needed.into_iter().map(|balls| self.settle(balls, effort.rounds, room)).find(better);
            if let Some(tried) = tried {
                (best, stale) = (tried, 0);
                order.clear();
            } else {
                stale += 1;
                if stale == best.balls.len() {
                    break;
                }
            }
        }
        best
    }

    /// The same balls but for one, which goes to the point that is worst off, or takes a half of
    /// the costliest share.
    fn where_needed(&self, chosen: &Chosen, out: usize, room: &mut Room) -> Vec<Vec<u32>> {
        let mut to_point = chosen.balls.clone();
        to_point[out] = self.ball_for(self.points[chosen.worst as usize], chosen.largest());
        let mut ways = vec![to_point];
        let costliest = (0..chosen.balls.len()).max_by(|&i, &j| chosen.costs[i].total_cmp(&chosen.costs[j]));
        if let Some(costliest) = costliest.filter(|&index| index != out) {
            self.assign(&chosen.balls, room);
            if let Some((one, two)) = self.split(&room.shares[costliest], chosen.balls[costliest]) {
                let mut halved = chosen.balls.clone();
                (halved[costliest], halved[out]) = (one, two);
                ways.push(halved);
            }
        }
        ways
    }
}

/// Divides points across their longest extent; none if they all coincide.
pub(super) fn halves(share: &[u32], at: impl Fn(u32) -> DVec3) -> Option<(Vec<u32>, Vec<u32>)> {
    let points = share.iter().map(|&point| at(point));
    let middle = points.clone().sum::<DVec3>() / share.len() as f64;
    let spread = points.fold(DMat3::ZERO, |sum, point| {
        let away = point - middle;
        sum + DMat3::from_cols(away * away.x, away * away.y, away * away.z)
    });
    // A few steps of the power method are near enough.
    let longest = (0..8).fold(DVec3::new(0.6, 0.5, 0.4), |along, _| (spread * along).normalize_or(along));
    let (one, two): (Vec<u32>, Vec<u32>) = share.iter().partition(|&&point| (at(point) - middle).dot(longest) < 0.0);
    (!one.is_empty() && !two.is_empty()).then_some((one, two))
}
