//! The distance of two convex polygons by Gilbert, Johnson and Keerthi's algorithm, as the paper's
//! §4.3.5 compares with: for any support points, not made for rectangles.

use glam::DVec3;

/// The corners of a point (1), a segment (2), a rectangle (4) or a box (8).
#[derive(Debug, Clone, Copy)]
pub struct Corners {
    points: [DVec3; 8],
    count: usize,
}

impl Corners {
    /// A point.
    #[must_use]
    pub fn point(point: DVec3) -> Self {
        Self { points: [point; 8], count: 1 }
    }

    /// A segment, by its middle and half of it.
    #[must_use]
    pub fn segment(middle: DVec3, half: DVec3) -> Self {
        Self { points: [middle - half, middle + half, middle, middle, middle, middle, middle, middle], count: 2 }
    }

    /// A rectangle, by its middle and half of either side.
    #[must_use]
    pub fn rectangle(middle: DVec3, half: DVec3, other: DVec3) -> Self {
        let corners = [middle - half - other, middle + half - other, middle + half + other, middle - half + other];
        Self { points: std::array::from_fn(|corner| corners[corner % 4]), count: 4 }
    }

    /// A box, by its middle and half of each side.
    #[must_use]
    pub fn cuboid(middle: DVec3, [x, y, z]: [DVec3; 3]) -> Self {
        let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
        let at = |corner: usize| middle + x * sign(corner, 0) + y * sign(corner, 1) + z * sign(corner, 2);
        Self { points: std::array::from_fn(at), count: 8 }
    }

    fn farthest(&self, direction: DVec3) -> DVec3 {
        let mut best = (self.points[0].dot(direction), self.points[0]);
        for &point in &self.points[1..self.count] {
            let along = point.dot(direction);
            if along > best.0 {
                best = (along, point);
            }
        }
        best.1
    }
}

/// No pair of rectangles has needed more.
const MAX_STEPS: usize = 40;

/// The distance, to a relative 1e-9.
#[must_use]
pub fn distance(a: &Corners, b: &Corners) -> f64 {
    let mut simplex = Simplex { points: [a.points[0] - b.points[0]; 4], count: 1 };
    let mut nearest = simplex.points[0];
    for _ in 0..MAX_STEPS {
        let square = nearest.length_squared();
        let next = a.farthest(-nearest) - b.farthest(nearest);
        if square == 0.0 || square - nearest.dot(next) <= 1e-9 * square {
            break;
        }
        simplex.add(next);
        let closer = simplex.reduce();
        if closer.length_squared() >= square {
            break;
        }
        nearest = closer;
        if simplex.count == 4 {
            return 0.0;
        }
    }
    nearest.length()
}

/// Up to four points of the difference of the two bodies.
struct Simplex {
    points: [DVec3; 4],
    count: usize,
}

impl Simplex {
    fn add(&mut self, point: DVec3) {
        self.points[self.count] = point;
        self.count += 1;
    }

    /// The point nearest to the origin; only the corners that carry it are kept.
    fn reduce(&mut self) -> DVec3 {
        let [p, q, r, s] = self.points;
        let (nearest, kept) = match self.count {
            2 => on_segment(p, q),
            3 => on_triangle(p, q, r),
            _ => on_tetrahedron([p, q, r, s]),
        };
        let mut count = 0;
        for corner in 0..self.count {
            if kept >> corner & 1 == 1 {
                self.points[count] = self.points[corner];
                count += 1;
            }
        }
        self.count = count;
        nearest
    }
}

/// Nearest point to the origin, and a bit for each corner that carries it.
type Nearest = (DVec3, u8);

fn on_segment(p: DVec3, q: DVec3) -> Nearest {
    let edge = q - p;
    let along = -p.dot(edge);
    let square = edge.length_squared();
    if along <= 0.0 {
        (p, 1)
    } else if along >= square {
        (q, 2)
    } else {
        (p + edge * (along / square), 3)
    }
}

/// By the Voronoi regions of corners, edges and face.
fn on_triangle(p: DVec3, q: DVec3, r: DVec3) -> Nearest {
    let (pq, pr) = (q - p, r - p);
    let (d1, d2) = (-pq.dot(p), -pr.dot(p));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (p, 1);
    }
    let (d3, d4) = (-pq.dot(q), -pr.dot(q));
    if d3 >= 0.0 && d4 <= d3 {
        return (q, 2);
    }
    let vr = d1 * d4 - d3 * d2;
    if vr <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (p + pq * (d1 / (d1 - d3)), 3);
    }
    let (d5, d6) = (-pq.dot(r), -pr.dot(r));
    if d6 >= 0.0 && d5 <= d6 {
        return (r, 4);
    }
    let vq = d5 * d2 - d1 * d6;
    if vq <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (p + pr * (d2 / (d2 - d6)), 5);
    }
    let vp = d3 * d6 - d5 * d4;
    if vp <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return (q + (r - q) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), 6);
    }
    let sum = vp + vq + vr;
    (p + pq * (vq / sum) + pr * (vr / sum), 7)
}

/// The nearest of the faces that the origin is beyond; the origin itself if it is beyond none.
fn on_tetrahedron(points: [DVec3; 4]) -> Nearest {
    let mut best: Option<Nearest> = None;
    for (face, opposite) in [([0, 1, 2], 3), ([0, 2, 3], 1), ([0, 3, 1], 2), ([1, 3, 2], 0)] {
        let [p, q, r] = face.map(|corner: usize| points[corner]);
        let normal = (q - p).cross(r - p);
        let (origin, inside) = (-p.dot(normal), (points[opposite] - p).dot(normal));
        if origin * inside > 0.0 {
            continue;
        }
        let (nearest, local) = on_triangle(p, q, r);
        let kept = (0..3).fold(0, |bits, corner| bits | (local >> corner & 1) << face[corner]);
        if best.is_none_or(|(known, _)| nearest.length_squared() < known.length_squared()) {
            best = Some((nearest, kept));
        }
    }
    best.unwrap_or((DVec3::ZERO, 15))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::convex::convex_distance;
    use nearhit_testkit::rng::Rng;

    #[test]
    fn agrees_with_the_oracle() {
        let mut rng = Rng::new(11);
        let (mut apart, mut all) = (0, 0);
        for round in 0..6000 {
            let mut draw = |kind: usize| {
                let middle = DVec3::from_array(rng.point(-1.5, 1.5));
                let [x, y, _] = rng.rotation().map(DVec3::from_array);
                let (half, other) = (x * rng.range(0.1, 1.0), y * rng.range(0.1, 1.0));
                match kind {
                    0 => Corners::point(middle),
                    1 => Corners::segment(middle, half),
                    _ => Corners::rectangle(middle, half, other),
                }
            };
            let (a, b) = (draw(round % 3), draw(round / 3 % 3));
            let support = |body: Corners| move |direction: [f64; 3]| body.farthest(direction.into()).to_array();
            let truth = convex_distance(support(a), support(b), 1e-12);
            let found = distance(&a, &b);
            assert!((found - truth.upper).abs() < 1e-6, "{found} {truth:?}\n{a:?}\n{b:?}");
            apart += usize::from(found > 1e-6);
            all += 1;
        }
        assert!(apart * 2 > all && apart < all, "{apart} of {all}");
    }
}
