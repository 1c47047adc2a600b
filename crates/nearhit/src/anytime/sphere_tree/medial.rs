//! Balls on the medial axis: Voronoi vertices of points on the surface that lie inside it (§7 of
//! the paper).

use super::delaunay::{Delaunay, Simplex, circumcenter};
use super::field::{Depth, Field};
use super::hole_caps::HoleCaps;
use super::sample::{Random, Samples};
use crate::bounds::Bounds;
use crate::model::Model;
use crate::parallel::*;
use glam::DVec3;
use std::collections::{HashMap, HashSet};

/// A ball through four points of the surface.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MedialBall {
    /// The centre and how far it really is from the surface.
    pub(super) depth: Depth,
    /// Through the forming points.
    pub(super) radius: f64,
    /// Indices of sample points.
    pub(super) forming: [u32; 4],
    /// Indices of balls across the facets.
    pub(super) adjacent: Vec<u32>,
}

/// The medial axis, as far as sample points tell.
#[derive(Debug, Clone)]
pub(super) struct MedialAxis {
    pub(super) points: Vec<DVec3>,
    /// Out of the deepest ball through each point.
    pub(super) normals: Vec<DVec3>,
    pub(super) balls: Vec<MedialBall>,
}

/// How often points are added where the axis leaves the body or bridges a gap.
const REPAIRS: usize = 3;
/// A ball whose centre is nearer to the surface than this share of its radius reaches through it.
const BRIDGES: f64 = 0.8;
/// The surface this near to a forming point, in spacings, is known: along a sharp edge balls reach
/// through it however many points there are.
const KNOWN: f64 = 0.5;

/// From sample points; more are added where the surface passes through a ball unnoticed.
pub(super) fn medial_axis(model: &Model, caps: &HoleCaps, samples: Samples, seed: u64) -> MedialAxis {
    let Samples { mut points, mut triangles, spacing } = samples;
    if is_flat(model) {
        let normals = vec![DVec3::ZERO; points.len()];
        return MedialAxis { points, normals, balls: Vec::new() };
    }
    let Bounds { low, high } = points.iter().copied().collect();
    let center = (low + high) * 0.5;
    let reach = (high - low).length().max(f64::MIN_POSITIVE);
    let mut delaunay = Delaunay::new(center, reach);
    let mut random = Random(seed);
    let mut moved: Vec<DVec3> = Vec::new();
    let mut first = 0;
    let mut known = Known::new();
    for round in 0..=REPAIRS {
        // Points of a plane, of a cylinder: moved by a hair they are no longer special.
        moved.extend(points[first..].iter().map(|&point| point + random.offset() * (1e-5 * spacing)));
        delaunay.insert(&moved[first..], by_place(&moved[first..], low, reach));
        first = points.len();
        let balls = interior_balls(model, &delaunay, &moved, &triangles, &mut known);
        let mut added = missing(&balls, &points, spacing);
        added.truncate(points.len());
        if round == REPAIRS || added.is_empty() {
            let mut axis = MedialAxis { normals: normals(&points, &balls), points, balls };
            axis.balls.iter_mut().for_each(|ball| ball.depth = caps.limit(ball.depth));
            return axis;
        }
        points.extend(added.iter().map(|depth| depth.nearest));
        triangles.extend(added.iter().map(|depth| depth.triangle));
    }
    unreachable!("the last round returns")
}

/// Is all of it in one plane, to rounding? Then nothing is inside, and points of a plane are the
/// worst that exact predicates can be asked about.
fn is_flat(model: &Model) -> bool {
    let mesh = model.mesh();
    let normal = |index: u32| {
        let [a, b, c] = mesh.triangle(index);
        (b - a).cross(c - a)
    };
    let normals = (0..mesh.triangles().len() as u32).map(normal);
    let largest =
        normals.fold(DVec3::ZERO, |most, it| if it.length_squared() > most.length_squared() { it } else { most });
    let (along, origin) = (largest.normalize_or_zero(), mesh.vertices()[0]);
    let rounding = 16.0 * f64::EPSILON * mesh.max_coordinate();
    mesh.vertices().iter().all(|&vertex| (vertex - origin).dot(along).abs() <= rounding)
}

fn normals(points: &[DVec3], balls: &[MedialBall]) -> Vec<DVec3> {
    let mut deepest = vec![(0.0, DVec3::ZERO); points.len()];
    for ball in balls {
        for &point in &ball.forming {
            let known = &mut deepest[point as usize];
            if ball.depth.distance < known.0 {
                *known = (ball.depth.distance, (points[point as usize] - ball.depth.at).normalize_or_zero());
            }
        }
    }
    deepest.into_iter().map(|(_, normal)| normal).collect()
}

/// An order that keeps neighbours together, so that each is found from the one before.
fn by_place(points: &[DVec3], low: DVec3, size: f64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&index| morton((points[index] - low) / size));
    order
}

/// Bits of the three coordinates, interleaved.
fn morton(unit: DVec3) -> u64 {
    let spread = |value: f64| {
        let bits = (value.clamp(0.0, 1.0) * 1023.0) as u64;
        (0..10).fold(0, |sum, bit| sum | (bits >> bit & 1) << (3 * bit))
    };
    spread(unit.x) | spread(unit.y) << 1 | spread(unit.z) << 2
}

/// Centres that were looked at before, by their forming points.
type Known = HashMap<[u32; 4], Option<Center>>;

/// The centre of the sphere through four points.
#[derive(Debug, Clone, Copy)]
struct Center {
    /// Without a sign.
    depth: Depth,
    radius: f64,
    /// Is it inside, if that was asked already?
    inside: Option<bool>,
}

fn interior_balls(
    model: &Model,
    delaunay: &Delaunay,
    points: &[DVec3],
    triangles: &[u32],
    known: &mut Known,
) -> Vec<MedialBall> {
    let simplices = delaunay.simplices();
    let look = |field: &mut Field<'_>, simplex: &Simplex| match known.get(&simplex.corners) {
        Some(&center) => center,
        None => {
            let corners = simplex.corners.map(|corner| points[corner as usize]);
            let center = circumcenter(corners)?;
            // The surface is hardly nearer than the points of it that the sphere goes through.
            let depth = field.distance_from(triangles[simplex.corners[0] as usize], center);
            Some(Center { depth, radius: corners[0].distance(center), inside: None })
        }
    };
    let mut centers: Vec<Option<Center>> = simplices.par_iter().map_init(|| Field::new(model), look).collect();
    let inside = insides(model, &simplices, &centers);
    for (center, &inside) in centers.iter_mut().zip(&inside) {
        center.iter_mut().for_each(|center| center.inside = Some(inside));
    }
    known.clear();
    known.extend(simplices.iter().map(|simplex| simplex.corners).zip(centers.iter().copied()));
    let mut number = vec![None; inside.len()];
    for (count, (index, _)) in inside.iter().enumerate().filter(|(_, inside)| **inside).enumerate() {
        number[index] = Some(count as u32);
    }
    let ball = |(index, simplex): (usize, &Simplex)| {
        let Center { depth, radius, .. } = centers[index].filter(|_| inside[index])?;
        let depth = Depth { distance: -depth.distance, ..depth };
        let adjacent = simplex.beside.iter().flatten().filter_map(|&other| number[other as usize]).collect();
        Some(MedialBall { depth, radius, forming: simplex.corners, adjacent })
    };
    simplices.iter().enumerate().filter_map(ball).collect()
}

/// Which centres are inside? If there are no holes, one look tells about all that can be reached
/// without meeting the surface.
fn insides(model: &Model, simplices: &[Simplex], centers: &[Option<Center>]) -> Vec<bool> {
    let mut field = Field::new(model);
    if !model.inside().is_exact() {
        let side = |field: &mut Field<'_>, center: &Option<Center>| {
            center.is_some_and(|it| it.inside.unwrap_or_else(|| field.is_inside(it.depth.at)))
        };
        return centers.par_iter().map_init(|| Field::new(model), side).collect();
    }
    let mut inside: Vec<Option<bool>> = vec![None; simplices.len()];
    let mut open = Vec::new();
    for start in 0..simplices.len() {
        let Some(center) = centers[start].filter(|_| inside[start].is_none()) else { continue };
        let side = field.is_inside(center.depth.at);
        inside[start] = Some(side);
        open.push((start, center));
        while let Some((index, from)) = open.pop() {
            for &other in simplices[index].beside.iter().flatten() {
                let Some(to) = centers[other as usize].filter(|_| inside[other as usize].is_none()) else { continue };
                let free = from.depth.distance.max(to.depth.distance) * (1.0 - 1e-9);
                if from.depth.at.distance(to.depth.at) < free {
                    inside[other as usize] = Some(side);
                    open.push((other as usize, to));
                }
            }
        }
    }
    inside.into_iter().map(|inside| inside == Some(true)).collect()
}

/// Points of the surface inside balls that do not know of them, not too close to each other.
fn missing(balls: &[MedialBall], points: &[DVec3], spacing: f64) -> Vec<Depth> {
    let mut seen = HashSet::new();
    let far = |ball: &MedialBall, point: u32| points[point as usize].distance(ball.depth.nearest) >= KNOWN * spacing;
    let is_news = |ball: &&MedialBall| ball.forming.iter().all(|&point| far(ball, point));
    let bridging = balls.iter().filter(|ball| -ball.depth.distance < BRIDGES * ball.radius).filter(is_news);
    bridging
        .map(|ball| ball.depth)
        .filter(|depth| seen.insert((depth.nearest / (0.5 * spacing)).floor().as_i64vec3()))
        .collect()
}
