//! Hulls of few corners around shapes of many: planes that touch the shape, each new one where a
//! corner of what the others leave sticks out farthest.

use super::convex::{self, Bodies, Body, Goal};
use super::core::Core;
use super::hull::Corners;
use super::pair::ShapePair;
use super::{Kind, Shape, ShapeError};
use crate::pose::Pose;
use crate::query::{Scratch, Settings, Verdict};
use crate::volume::hull::faces;
use glam::DVec3;

/// A plane at a level above the middle, in units of the shape's size.
#[derive(Debug, Clone, Copy)]
struct Face {
    normal: DVec3,
    level: f64,
}

/// A flat shape is taken to be this thick.
const THIN: f64 = 1e-9;

impl Shape {
    /// A hull of at most `most` corners, four or more, that encloses a shape made of corners: a
    /// hull or a box. The margin stays. Every corner of the shape is inside, exactly; a shape of no
    /// more corners is returned as it is.
    ///
    /// ```
    /// use nearhit::shape::Shape;
    ///
    /// let circle = |i: u32| (f64::from(i) * 0.2).sin_cos();
    /// let points: Vec<[f64; 3]> = (0..64).map(|i| [circle(i).0, circle(i).1, f64::from(i % 2)]).collect();
    /// let coarse = Shape::hull(&points)?.simplified(12)?;
    /// assert!(coarse.corners().len() <= 12);
    /// # Ok::<(), nearhit::shape::ShapeError>(())
    /// ```
    #[doc(alias = "decimation")]
    pub fn simplified(&self, most: usize) -> Result<Self, ShapeError> {
        let bad = |size: &'static str, value: f64| ShapeError::BadSize { shape: self.name(), size, value };
        let corners = self.corners();
        if corners.is_empty() {
            return Err(ShapeError::NoPoints { shape: self.name() });
        }
        if most < 4 {
            return Err(bad("number of corners", most as f64));
        }
        if corners.len() <= most {
            return Ok(self.clone());
        }
        let (middle, half) = super::core::around(&corners);
        let size = half.max_element();
        let scaled: Vec<DVec3> = corners.iter().map(|&corner| (corner - middle) / size).collect();
        let around = around(&Corners::new(&scaled), most);
        // What rounding took off the corners is given back, as much as it needs.
        for more in [1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6] {
            let grown: Vec<DVec3> = around.iter().map(|&corner| corner * ((1.0 + more) * size) + middle).collect();
            let shape = Self::with_margin(Kind::Corners(std::sync::Arc::new(Corners::new(&grown))), self.margin());
            if shape.corners().len() <= most && shape.encloses(&corners) {
                return Ok(shape);
            }
        }
        Err(bad("extent", size))
    }

    /// Are all these points inside, exactly?
    fn encloses(&self, points: &[DVec3]) -> bool {
        let (bare, spot) = (Self { margin: 0.0, ..self.clone() }, Self::new(Kind::Point));
        let inside = |point: &DVec3| {
            let at = Pose::from_translation(point.to_array()).ok()?;
            let pair = ShapePair::relative(&bare, &spot, &at).ok()?;
            Some(pair.collide(&Settings::default(), &mut Scratch::new()).verdict == Verdict::Yes)
        };
        points.iter().all(|point| inside(point) == Some(true))
    }
}

/// The corners of a body around a hull about the origin, of size one: at most so many, but for
/// rounding.
fn around(hull: &Corners, most: usize) -> Vec<DVec3> {
    let face = |normal: DVec3| {
        let level = hull.points().iter().map(|corner| corner.dot(normal)).fold(0.0, f64::max);
        Face { normal, level: level.max(THIN) }
    };
    let first = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let mut planes: Vec<Face> = first.map(|normal| face(DVec3::from(normal).normalize())).to_vec();
    let mut best = corners_of(&planes);
    // Each plane takes a corner away and brings three or more: enough planes exceed any number.
    for _ in 0..4 * most {
        let Some(outward) = farthest(hull, &best) else { break };
        planes.push(face(outward));
        let next = corners_of(&planes);
        if next.len() > most || next.is_empty() {
            break;
        }
        best = next;
    }
    best
}

/// The direction from the hull to that of some points which is farthest from it; none if all are on
/// the hull, to what rounding shows.
fn farthest(hull: &Corners, points: &[DVec3]) -> Option<DVec3> {
    let away = |&point: &DVec3| {
        let bodies = Bodies::new(Body::own(Core::Corners(hull)), Body::own(Core::Point(point)));
        let gap = convex::gap(&bodies, Goal::Narrow, None);
        (gap.lower, -gap.normal)
    };
    let (distance, outward) = points.iter().map(away).max_by(|p, q| p.0.total_cmp(&q.0))?;
    (distance > 1e-6).then_some(outward)
}

/// The corners of what lies below all planes: a face of the planes' dual hull stands for each.
fn corners_of(planes: &[Face]) -> Vec<DVec3> {
    let dual: Vec<DVec3> = planes.iter().map(|plane| plane.normal / plane.level).collect();
    let mut corners: Vec<DVec3> = Vec::new();
    for face in faces(&dual).unwrap_or_default() {
        let [p, q, r] = face.map(|plane| planes[plane as usize]);
        let across = q.normal.cross(r.normal);
        let volume = p.normal.dot(across);
        let sum = across * p.level + r.normal.cross(p.normal) * q.level + p.normal.cross(q.normal) * r.level;
        let corner = sum / volume;
        // Four planes through a point are two faces there.
        if corner.is_finite() && corners.iter().all(|known| (*known - corner).length() > 1e-9) {
            corners.push(corner);
        }
    }
    corners
}
