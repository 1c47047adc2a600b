//! Directions between the nearest points of two bodies, about right, by double arithmetic.
//!
//! It only saves steps: nothing depends on its being right.

use super::body::Body;
use super::bounds::{nearest_in_simplex, unit};
use super::fixed::Places;
use super::local::Local;
use crate::Point;
use crate::exact::integers::Vector;
use crate::vector::{along, dot, length, subtract};

const MAX_STEPS: usize = 100;

/// The simplices of a descent have at most four corners.
const KEPT: usize = 4;

/// The last directions of a descent towards the nearest points, the best last.
pub(crate) fn directions(a: &Body, b: &Body, places: Places) -> Vec<Vector> {
    let (a, b) = (Rounded::new(a, places), Rounded::new(b, places));
    let corner = |direction: Point| subtract(a.support(direction.map(|x| -x)), b.support(direction));
    let mut simplex = vec![corner([1.0, 0.0, 0.0])];
    let mut found = vec![simplex[0]];
    for _ in 0..MAX_STEPS {
        let Some(&best) = found.last() else { break };
        let next = corner(best);
        if simplex.contains(&next) || dot(best, subtract(best, next)) <= 1e-15 * dot(best, best) {
            break;
        }
        simplex.push(next);
        let (reduced, point) = nearest_in_simplex(&simplex);
        if length(point) >= length(best) {
            break;
        }
        simplex = reduced;
        found.push(point);
        if simplex.len() == 4 {
            break;
        }
    }
    let kept = found.len().saturating_sub(KEPT);
    found[kept..].iter().map(|&direction| unit(direction).map(|x| places.number(x))).collect()
}

/// A body in doubles.
struct Rounded {
    center: Point,
    columns: [Point; 3],
    local: RoundedLocal,
}

enum RoundedLocal {
    UnitBall,
    Frustum { bottom: f64, top: f64, half_height: f64 },
    Hull(Vec<Point>),
}

impl Rounded {
    fn new(body: &Body, places: Places) -> Rounded {
        let point = |vector: &Vector| -> Point { std::array::from_fn(|axis| places.to_double(&vector[axis])) };
        let local = match &body.local {
            Local::UnitBall => RoundedLocal::UnitBall,
            Local::Frustum { bottom, top, half_height } => RoundedLocal::Frustum {
                bottom: places.to_double(bottom),
                top: places.to_double(top),
                half_height: places.to_double(half_height),
            },
            Local::Hull(points) => RoundedLocal::Hull(points.iter().map(point).collect()),
        };
        Rounded { center: point(&body.center), columns: std::array::from_fn(|i| point(&body.columns[i])), local }
    }

    fn place(&self, local: Point) -> Point {
        (0..3).fold(self.center, |sum, column| along(sum, self.columns[column], local[column]))
    }

    fn support(&self, direction: Point) -> Point {
        self.place(self.local_support(direction))
    }

    fn local_support(&self, direction: Point) -> Point {
        let local: Point = std::array::from_fn(|column| dot(self.columns[column], direction));
        match &self.local {
            RoundedLocal::UnitBall => {
                let norm = length(local);
                if norm > 0.0 { local.map(|x| x / norm) } else { [0.0; 3] }
            }
            &RoundedLocal::Frustum { bottom, top, half_height } => {
                let across = local[0].hypot(local[1]);
                let rim = |radius: f64, height: f64| match across > 0.0 {
                    true => [local[0] / across * radius, local[1] / across * radius, height],
                    false => [0.0, 0.0, height],
                };
                let (upper, lower) = (rim(top, half_height), rim(bottom, -half_height));
                if dot(upper, local) >= dot(lower, local) { upper } else { lower }
            }
            RoundedLocal::Hull(points) => {
                let higher =
                    |best: Point, next: &Point| if dot(*next, local) > dot(best, local) { *next } else { best };
                points.iter().fold(points[0], higher)
            }
        }
    }
}
