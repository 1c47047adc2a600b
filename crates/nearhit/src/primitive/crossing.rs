//! Does a ray along an axis pass through a triangle, and which way? With signs that add up over a
//! closed surface, whatever the ray meets.
//!
//! The ray starts at a point moved by an infinitely small step across it: (ε, ε²) along the two
//! other axes (simulation of simplicity, Edelsbrunner and Mücke 1990). Such a ray meets no edge and
//! no corner, and a triangle seen from its edge is nothing to it. So every triangle is either
//! crossed or not, two triangles with a common edge agree about that edge, and nothing ever has to
//! be tried again.

use super::intersect::{inside_2d, intersects, proper_projection};
use super::predicates::{Drop, Sign, orient2d, orient3d};
use crate::mesh::Triangle;
use glam::DVec3;

/// One of the six directions along the axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heading {
    axis: usize,
    forward: bool,
}

impl Heading {
    /// All six.
    pub const ALL: [Self; 6] = [
        Self { axis: 0, forward: true },
        Self { axis: 0, forward: false },
        Self { axis: 1, forward: true },
        Self { axis: 1, forward: false },
        Self { axis: 2, forward: true },
        Self { axis: 2, forward: false },
    ];

    /// The heading nearest to a direction.
    #[must_use]
    pub fn towards(direction: DVec3) -> Self {
        let magnitudes = direction.abs();
        let axis = (0..3).fold(0, |best, axis| if magnitudes[axis] > magnitudes[best] { axis } else { best });
        Self { axis, forward: direction[axis] >= 0.0 }
    }

    /// One of each axis, the nearest to a direction first.
    #[must_use]
    pub fn by_nearness(direction: DVec3) -> [Self; 3] {
        let mut axes = [0, 1, 2];
        axes.sort_by(|&one, &other| direction[other].abs().total_cmp(&direction[one].abs()));
        axes.map(|axis| Self { axis, forward: direction[axis] >= 0.0 })
    }

    /// As a unit vector.
    #[must_use]
    pub fn direction(self) -> DVec3 {
        let mut direction = DVec3::ZERO;
        direction[self.axis] = if self.forward { 1.0 } else { -1.0 };
        direction
    }
}

/// How a ray passes through a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossing {
    /// Not at all.
    None,
    /// To the side that the triangle faces: out of what it encloses.
    Out,
    /// From the side that it faces.
    In,
    /// The ray starts on the triangle.
    Start,
}

impl Crossing {
    /// What it adds to the winding number.
    #[must_use]
    pub fn sign(self) -> i32 {
        match self {
            Self::Out => 1,
            Self::In => -1,
            Self::None | Self::Start => 0,
        }
    }
}

/// How the ray from `origin` passes through the triangle. Exact.
#[must_use]
#[inline]
pub fn crossing(origin: DVec3, heading: Heading, triangle: &Triangle) -> Crossing {
    let (low, high) = bounds(triangle);
    let Heading { axis, forward } = heading;
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    let beside = |axis: usize| origin[axis] < low[axis] || origin[axis] > high[axis];
    let behind = if forward { origin[axis] > high[axis] } else { origin[axis] < low[axis] };
    if behind || beside(next) || beside(last) {
        return Crossing::None;
    }
    if !beside(axis) && lies_on(origin, triangle) {
        return Crossing::Start;
    }
    let drop = Drop::ALL[axis];
    let [a, b, c] = triangle.map(|corner| drop.project(corner));
    let point = drop.project(origin);
    let facing = side(a, b, point);
    if facing == Sign::Zero || facing != side(b, c, point) || facing != side(c, a, point) {
        return Crossing::None;
    }
    let plane = orient3d(triangle[0], triangle[1], triangle[2], origin);
    let ahead = if forward { plane == facing } else { plane == facing.flipped() };
    match (ahead, (facing == Sign::Positive) == forward) {
        (false, _) => Crossing::None,
        (true, true) => Crossing::Out,
        (true, false) => Crossing::In,
    }
}

/// Whether the point is on the closed triangle. Exact.
#[must_use]
pub fn lies_on(point: DVec3, triangle: &Triangle) -> bool {
    if orient3d(triangle[0], triangle[1], triangle[2], point) != Sign::Zero {
        return false;
    }
    // In the plane of a triangle with an area: its shadow tells, which is much cheaper.
    match proper_projection(triangle) {
        Some(drop) => inside_2d(drop.project(point), triangle.map(|corner| drop.project(corner))),
        None => intersects(&[point; 3], triangle),
    }
}

#[inline]
fn bounds([a, b, c]: &Triangle) -> (DVec3, DVec3) {
    (a.min(*b).min(*c), a.max(*b).max(*c))
}

/// On which side of the line from `a` to `b` is the point, moved by (ε, ε²)? Zero only when the two
/// are at the same place.
#[inline]
fn side(a: [f64; 2], b: [f64; 2], point: [f64; 2]) -> Sign {
    let compared = |x: f64, y: f64| if x > y { Sign::Positive } else { Sign::Negative };
    match orient2d(a, b, point) {
        // The orientation grows with the point's coordinates by a1 - b1 and by b0 - a0.
        Sign::Zero if a[1] != b[1] => compared(a[1], b[1]),
        Sign::Zero if a[0] != b[0] => compared(b[0], a[0]),
        sign => sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::{rng::Rng, shapes};

    /// The first leads away along the longest part, and each axis is there once.
    #[test]
    fn headings_are_sorted_by_nearness() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let direction = DVec3::from_array(rng.point(-1.0, 1.0));
            let along = Heading::by_nearness(direction).map(|heading| heading.direction().dot(direction));
            assert_eq!(along[0], direction.abs().max_element(), "{direction}");
            assert_eq!(along[2], direction.abs().min_element(), "{direction}");
            assert_eq!(Heading::by_nearness(direction)[0], Heading::towards(direction));
        }
    }

    /// All six rays give one winding number, at points chosen to lie in line with corners, edges
    /// and faces.
    #[test]
    fn six_rays_agree_at_the_worst_points() {
        let bar = |low, high| shapes::cuboid(low, high);
        let mut solid = bar([0.0; 3], [4.0; 3]);
        solid.append(&bar([1.0; 3], [3.0, 2.0, 2.0]));
        solid.append(&shapes::tetrahedron([[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]]));
        let mut rng = Rng::new(1);
        let mut seen = [0; 4];
        for _ in 0..3000 {
            let point = DVec3::from_array(std::array::from_fn(|_| rng.integer(-1, 10) as f64 * 0.5));
            let windings = Heading::ALL.map(|heading| {
                let crossings: Vec<Crossing> =
                    solid.corners().map(|corners| crossing(point, heading, &corners.map(DVec3::from_array))).collect();
                let start = crossings.contains(&Crossing::Start);
                (start, if start { 0 } else { crossings.iter().map(|crossing| crossing.sign()).sum::<i32>() })
            });
            assert!(windings.iter().all(|winding| *winding == windings[0]), "{point}: {windings:?}");
            seen[windings[0].1 as usize] += 1;
        }
        assert!(seen.iter().take(3).all(|&count| count > 30), "{seen:?}");
    }
}
