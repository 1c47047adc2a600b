//! Which part of a segment is near a triangle? An interval, for distance to a triangle is convex.

use super::boxes::Segment;
use crate::mesh::Triangle;
use glam::DVec3;

/// From and to, as lengths from the segment's beginning.
pub(super) type Stretch = [f64; 2];

/// A segment, measured along itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    from: DVec3,
    along: DVec3,
    pub(super) length: f64,
}

impl Line {
    pub(super) fn new([from, to]: Segment) -> Self {
        let length = (to - from).length();
        // Of a point any direction will do.
        Self { from, along: (to - from).try_normalize().unwrap_or(DVec3::X), length }
    }

    pub(super) fn at(&self, length: f64) -> DVec3 {
        self.from + self.along * length
    }

    /// The part whose distance to the triangle is at most `limit`: the hull of what is near its
    /// inside, its edges and its corners.
    pub(super) fn near(&self, triangle: &Triangle, limit: f64) -> Option<Stretch> {
        let [a, b, c] = *triangle;
        // Most are far away: by their boxes.
        let (to, limits) = (self.at(self.length), DVec3::splat(limit));
        let low = a.min(b).min(c) - limits;
        let high = a.max(b).max(c) + limits;
        if self.from.max(to).cmplt(low).any() || self.from.min(to).cmpgt(high).any() {
            return None;
        }
        let normal = (b - a).cross(c - a).try_normalize();
        let heights = normal.map(|normal| [normal.dot(self.from - a), normal.dot(to - a)]);
        if heights.is_some_and(|[from, to]| from.min(to) > limit || from.max(to) < -limit) {
            return None;
        }
        let mut hull = normal.and_then(|normal| self.above(triangle, normal, limit));
        for part in 0..6 {
            // Often one part covers all.
            if let Some([from, to]) = hull
                && from <= 0.0
                && to >= self.length
            {
                break;
            }
            let next = match part {
                0 => self.near_edge(a, b, limit),
                1 => self.near_edge(b, c, limit),
                2 => self.near_edge(c, a, limit),
                3 => self.near_point(a, limit),
                4 => self.near_point(b, limit),
                _ => self.near_point(c, limit),
            };
            let joined = |next: Stretch| hull.map_or(next, |hull| [hull[0].min(next[0]), hull[1].max(next[1])]);
            hull = next.map(joined).or(hull);
        }
        let [from, to] = hull?;
        let clipped = [from.max(0.0), to.min(self.length)];
        (clipped[0] <= clipped[1]).then_some(clipped)
    }

    /// What triangles leave of it that are within `limit`.
    pub(super) fn left_by(&self, triangles: impl Iterator<Item = Triangle>, limit: f64) -> Vec<Stretch> {
        let mut covered: Vec<Stretch> = triangles.filter_map(|triangle| self.near(&triangle, limit)).collect();
        gaps(&mut covered, self.length)
    }

    /// Above or below the triangle itself.
    fn above(&self, &[a, b, c]: &Triangle, normal: DVec3, limit: f64) -> Option<Stretch> {
        let mut part = self.between(normal, a, [-limit, limit])?;
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let inwards = normal.cross(to - from);
            part = meet(part, self.between(inwards, from, [0.0, f64::INFINITY])?)?;
        }
        Some(part)
    }

    fn near_edge(&self, from: DVec3, to: DVec3, limit: f64) -> Option<Stretch> {
        let edge = (to - from).try_normalize()?;
        let across = |vector: DVec3| vector - edge * edge.dot(vector);
        let (start, step) = (across(self.from - from), across(self.along));
        let round = self.within(start, step, limit)?;
        meet(round, self.between(edge, from, [0.0, (to - from).length()])?)
    }

    fn near_point(&self, point: DVec3, limit: f64) -> Option<Stretch> {
        self.within(self.from - point, self.along, limit)
    }

    /// Where `start + step · s` is no longer than the limit.
    fn within(&self, start: DVec3, step: DVec3, limit: f64) -> Option<Stretch> {
        let slope = step.length();
        // As good as parallel: the difference over the whole length is nothing beside the limit.
        if slope * self.length <= 1e-3 * limit {
            let middle = start + step * (0.5 * self.length);
            return (middle.length() <= limit).then_some([f64::NEG_INFINITY, f64::INFINITY]);
        }
        let nearest = -start.dot(step) / (slope * slope);
        let least = (start + step * nearest).length();
        let half = (limit - least) * (limit + least);
        (half >= 0.0).then(|| {
            let half = half.sqrt() / slope;
            [nearest - half, nearest + half]
        })
    }

    /// Where the height over a plane is in the range.
    fn between(&self, normal: DVec3, through: DVec3, [low, high]: [f64; 2]) -> Option<Stretch> {
        let (start, slope) = (normal.dot(self.from - through), normal.dot(self.along));
        if slope == 0.0 {
            return (low <= start && start <= high).then_some([f64::NEG_INFINITY, f64::INFINITY]);
        }
        let (one, other) = ((low - start) / slope, (high - start) / slope);
        Some([one.min(other), one.max(other)])
    }
}

fn meet(one: Stretch, other: Stretch) -> Option<Stretch> {
    let both = [one[0].max(other[0]), one[1].min(other[1])];
    (both[0] <= both[1]).then_some(both)
}

/// What intervals leave of a segment of this length. Sorts them.
pub(super) fn gaps(covered: &mut [Stretch], length: f64) -> Vec<Stretch> {
    covered.sort_by(|one, other| one[0].total_cmp(&other[0]));
    let (mut reached, mut gaps) = (0.0, Vec::new());
    for &[from, to] in covered.iter() {
        if from > reached {
            gaps.push([reached, from]);
        }
        reached = f64::max(reached, to);
    }
    if reached < length || covered.is_empty() {
        gaps.push([reached.min(length), length]);
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitive::distance::distance_from_within;
    use nearhit_testkit::rng::Rng;

    #[test]
    fn gaps_of_any_length_are_left() {
        let left = |covered: &[Stretch]| gaps(&mut covered.to_vec(), 1.0);
        assert_eq!(left(&[]), [[0.0, 1.0]]);
        assert_eq!(left(&[[0.25, 0.5], [0.0, 0.25]]), [[0.5, 1.0]]);
        assert_eq!(left(&[[0.0, 0.5], [0.5 + 1e-12, 1.0]]), [[0.5, 0.5 + 1e-12]]);
        assert_eq!(left(&[[0.0, 1.0 - 1e-12], [0.1, 0.2]]), [[1.0 - 1e-12, 1.0]]);
        assert_eq!(left(&[[1e-12, 0.7], [0.3, 1.0]]), [[0.0, 1e-12]]);
        assert_eq!(left(&[[0.0, 0.6], [0.5, 1.0]]), [[0.0; 2]; 0]);
    }

    /// Whether a point of a line is near a triangle, by the distance itself: a hundred points of
    /// many lines, beside triangles of all sizes.
    #[test]
    fn what_is_left_is_away_from_all_triangles() {
        let mut rng = Rng::new(77);
        let (mut away, mut near) = (0, 0);
        for round in 0..400 {
            let size = [0.02, 0.3, 1.0][round % 3];
            let limit = [0.01, 0.1, 0.4][round / 3 % 3];
            let triangles: Vec<Triangle> = (0..1 + round % 6)
                .map(|_| {
                    let middle = DVec3::from_array(rng.point(-0.7, 0.7));
                    [(); 3].map(|()| middle + DVec3::from_array(rng.point(-1.0, 1.0)) * size)
                })
                .collect();
            let line = Line::new([(); 2].map(|()| DVec3::from_array(rng.point(-1.0, 1.0))));
            let left = line.left_by(triangles.iter().copied(), limit);
            for step in 0..=100 {
                let at = line.length * f64::from(step) / 100.0;
                let is_left = |slack: f64| left.iter().any(|&[from, to]| from - slack <= at && at <= to + slack);
                let distance = triangles
                    .iter()
                    .filter_map(|triangle| distance_from_within(line.at(at), triangle, f64::INFINITY))
                    .fold(f64::INFINITY, |least, found| least.min(found.distance));
                if distance < limit * (1.0 - 1e-9) {
                    assert!(!is_left(-1e-9), "round {round}: {at} of {left:?} is {distance} away");
                    near += 1;
                } else if distance > limit * (1.0 + 1e-9) {
                    assert!(is_left(1e-9), "round {round}: {at} is not in {left:?}, but {distance} away");
                    away += 1;
                }
            }
        }
        assert!(near > 5_000 && away > 5_000, "{near} near, {away} away");
    }
}
