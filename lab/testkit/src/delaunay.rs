//! A convex outline with random points inside, cut into triangles whose circles hold no other
//! corner (Lawson's flips). For making meshes, not for judging: signs are those of doubles.

use crate::rng::Rng;
use std::collections::HashMap;

type Flat = [f64; 2];

/// The outline's corners, then `inner` points; and triangles, counter-clockwise.
pub fn delaunay(outline: &[Flat], inner: usize) -> (Vec<Flat>, Vec<[u32; 3]>) {
    let mut cut = Cut::of_convex(outline);
    let mut rng = Rng::new(outline.len() as u64);
    let reach = outline.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    let mut left = inner;
    while left > 0 {
        let point = [rng.range(-reach, reach), rng.range(-reach, reach)];
        left -= usize::from(cut.insert(point));
    }
    cut.flip_all();
    (cut.points, cut.triangles)
}

struct Cut {
    points: Vec<Flat>,
    triangles: Vec<[u32; 3]>,
}

impl Cut {
    fn of_convex(outline: &[Flat]) -> Self {
        let triangles = (1..outline.len() as u32 - 1).map(|i| [0, i, i + 1]).collect();
        Self { points: outline.to_vec(), triangles }
    }

    /// Divides the triangle around a point in three; false if it is in none, or on an edge.
    fn insert(&mut self, point: Flat) -> bool {
        let holds = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|corner| self.points[corner as usize]);
            let area = turn(a, b, c);
            [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| turn(from, to, point) > 1e-6 * area)
        };
        let Some(index) = self.triangles.iter().position(holds) else { return false };
        let [a, b, c] = self.triangles[index];
        let middle = self.points.len() as u32;
        self.points.push(point);
        self.triangles[index] = [a, b, middle];
        self.triangles.extend([[b, c, middle], [c, a, middle]]);
        true
    }

    /// Turns edges until each is Delaunay, to rounding. Every turn lowers the surface that lifts
    /// the points on a paraboloid, so this ends; a count guards against rounding.
    fn flip_all(&mut self) {
        let mut owner: HashMap<(u32, u32), usize> = HashMap::new();
        for (index, &[a, b, c]) in self.triangles.iter().enumerate() {
            owner.extend([((a, b), index), ((b, c), index), ((c, a), index)]);
        }
        let mut open: Vec<(u32, u32)> = owner.keys().copied().filter(|(from, to)| from < to).collect();
        open.sort_unstable();
        let mut left = 100 * self.triangles.len() + 10_000;
        while let Some((from, to)) = open.pop() {
            let (Some(&one), Some(&other)) = (owner.get(&(from, to)), owner.get(&(to, from))) else { continue };
            let (p, q) = (self.apex(one, from, to), self.apex(other, to, from));
            let at = |corner: u32| self.points[corner as usize];
            let is_convex = turn(at(p), at(from), at(q)) > 1e-12 && turn(at(q), at(to), at(p)) > 1e-12;
            if left == 0 || !is_convex || in_circle(at(from), at(to), at(p), at(q)) <= 1e-12 {
                continue;
            }
            left -= 1;
            (self.triangles[one], self.triangles[other]) = ([p, from, q], [q, to, p]);
            owner.remove(&(from, to));
            owner.remove(&(to, from));
            for (index, [a, b, c]) in [(one, [p, from, q]), (other, [q, to, p])] {
                owner.extend([((a, b), index), ((b, c), index), ((c, a), index)]);
            }
            open.extend([(p, from), (from, q), (q, to), (to, p)]);
        }
    }

    /// The corner opposite of an edge.
    fn apex(&self, triangle: usize, from: u32, to: u32) -> u32 {
        let corners = self.triangles[triangle];
        corners.into_iter().find(|&corner| corner != from && corner != to).expect("three corners")
    }
}

fn turn([ax, ay]: Flat, [bx, by]: Flat, [cx, cy]: Flat) -> f64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// Positive: the last is in the circle through the others, which turn left.
fn in_circle(a: Flat, b: Flat, c: Flat, point: Flat) -> f64 {
    let [p, q, r] = [a, b, c].map(|[x, y]| {
        let (x, y) = (x - point[0], y - point[1]);
        [x, y, x * x + y * y]
    });
    p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0]) + p[2] * (q[0] * r[1] - q[1] * r[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_fill_the_outline_and_circles_are_empty() {
        let outline = crate::mates::circle(40, 1.0, 0.3);
        let (points, triangles) = delaunay(&outline, 60);
        let area = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|corner| points[corner as usize]);
            turn(a, b, c)
        };
        let whole: f64 = (1..39).map(|i| turn(outline[0], outline[i], outline[i + 1])).sum();
        assert!(triangles.iter().all(|corners| area(corners) > 0.0));
        assert!((triangles.iter().map(area).sum::<f64>() - whole).abs() < 1e-12);
        assert_eq!(triangles.len(), 40 - 2 + 2 * 60);
        for corners in &triangles {
            let [a, b, c] = corners.map(|corner| points[corner as usize]);
            assert!(points.iter().all(|&point| in_circle(a, b, c, point) < 1e-9));
        }
    }
}
