//! How the two shapes of a pair lie to each other.

use super::ShapePair;
use super::generate::{Sizes, axis_direction};
use super::shape::{Kind, Shape};
use crate::Point;
use crate::pose::{IDENTITY, Rows, multiplied, pose_point, transposed};
use crate::rng::{Rng, axis_angle_to_rows};
use crate::vector::{along, cross, length, subtract};

/// A way to place two shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Any sizes about one, any pose.
    Random,
    /// Faces, edges, corners on each other along an axis, sizes and places on a grid: most touch
    /// exactly, a third is moved by a hair.
    Flush,
    /// An edge of one across an edge of the other.
    EdgeToEdge,
    /// Something pointed of b on a face of a.
    VertexToFace,
    /// A small one inside a large one.
    Nested,
    /// Centres together, or apart by rounding.
    Concentric,
    /// Flush, but turned by 1e-17 to 1e-3.
    NearlyParallel,
    /// Sizes that may be zero, touching or not.
    FlatSizes,
    /// Up to 1e15 sizes apart.
    FarAway,
    /// Every size and the place of its own power of ten.
    MixedSizes,
    /// Both of one power of ten, from -300 to 298.
    Decades,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 11] = [
        Family::Random,
        Family::Flush,
        Family::EdgeToEdge,
        Family::VertexToFace,
        Family::Nested,
        Family::Concentric,
        Family::NearlyParallel,
        Family::FlatSizes,
        Family::FarAway,
        Family::MixedSizes,
        Family::Decades,
    ];
}

/// All pairs of the kinds in turn, of all families in turn, without end.
pub fn pairs<'a>(seed: u64, kinds: &'a [Kind]) -> impl Iterator<Item = ShapePair> + 'a {
    let mut rng = Rng::new(seed);
    let rounds = std::iter::repeat_with(move || {
        Family::ALL
            .iter()
            .flat_map(move |&family| kinds.iter().flat_map(move |&a| kinds.iter().map(move |&b| (family, a, b))))
    });
    rounds.flatten().map(move |(family, a, b)| pair(a, b, family, &mut rng))
}

/// A pair of the given kinds and family. No posed coordinate exceeds 1e300.
pub fn pair(kind_a: Kind, kind_b: Kind, family: Family, rng: &mut Rng) -> ShapePair {
    let sizes = sizes(family, rng);
    let a = Shape::random(kind_a, sizes, rng);
    let b = Shape::random(kind_b, sizes, rng);
    let mut pair = ShapePair { a, b, rotation: IDENTITY, translation: [0.0; 3], family };
    match family {
        Family::Random => random(&mut pair, rng),
        Family::Flush => flush(&mut pair, rng),
        Family::EdgeToEdge => edge_to_edge(&mut pair, rng),
        Family::VertexToFace => vertex_to_face(&mut pair, rng),
        Family::Nested => nested(&mut pair, rng),
        Family::Concentric => concentric(&mut pair, rng),
        Family::NearlyParallel => nearly_parallel(&mut pair, rng),
        Family::FlatSizes if rng.chance(0.5) => flush(&mut pair, rng),
        Family::FlatSizes => random(&mut pair, rng),
        Family::FarAway => far_away(&mut pair, rng),
        Family::MixedSizes | Family::Decades => sized(&mut pair, sizes, rng),
    }
    pair
}

fn sizes(family: Family, rng: &mut Rng) -> Sizes {
    match family {
        Family::Flush | Family::NearlyParallel => Sizes::Grid,
        Family::FlatSizes => Sizes::Flat,
        Family::MixedSizes => Sizes::Mixed,
        Family::Decades => Sizes::Decade(rng.integer(-300, 298) as i32),
        Family::EdgeToEdge | Family::VertexToFace | Family::Concentric if rng.chance(0.3) => Sizes::Grid,
        _ => Sizes::Ordinary,
    }
}

fn random(pair: &mut ShapePair, rng: &mut Rng) {
    pair.rotation = rng.rotation();
    let reach = rng.range(0.0, 4.0);
    pair.translation = rng.unit_vector().map(|x| x * reach);
}

fn flush(pair: &mut ShapePair, rng: &mut Rng) {
    pair.rotation = cube_rotation(rng);
    let direction = axis_direction(rng);
    kiss(pair, direction, rng);
}

/// Across the edges that lie along the chosen lines of either shape.
fn edge_to_edge(pair: &mut ShapePair, rng: &mut Rng) {
    pair.rotation = if rng.chance(0.3) { cube_rotation(rng) } else { rng.rotation() };
    let line_a = edge_line(&pair.a, rng);
    let line_b = pose_point(&pair.rotation, &[0.0; 3], edge_line(&pair.b, rng));
    let common = cross(line_a, line_b);
    let norm = length(common);
    let direction = if norm > 0.0 { common.map(|x| x / norm) } else { axis_direction(rng) };
    kiss(pair, direction, rng);
}

fn edge_line(shape: &Shape, rng: &mut Rng) -> Point {
    match shape {
        Shape::Triangle { corners, .. } => subtract(*rng.choice(corners), corners[0]),
        Shape::Hull { corners, .. } => subtract(*rng.choice(corners), *rng.choice(corners)),
        _ => axis_direction(rng),
    }
}

fn vertex_to_face(pair: &mut ShapePair, rng: &mut Rng) {
    pair.rotation = rng.rotation();
    let direction = match &pair.a {
        Shape::Triangle { corners, .. } => face_normal(corners),
        Shape::Hull { corners, .. } => face_normal(&[0; 3].map(|_| *rng.choice(corners))),
        Shape::HalfSpace { normal, .. } => Some(*normal),
        Shape::Cone { bottom_radius, top_radius, half_height, .. } if rng.chance(0.5) => {
            let norm = (2.0 * half_height).hypot(bottom_radius - top_radius);
            Some([2.0 * half_height / norm, 0.0, (bottom_radius - top_radius) / norm])
        }
        _ => None,
    };
    let direction = direction.unwrap_or_else(|| axis_direction(rng));
    kiss(pair, direction, rng);
}

fn face_normal(corners: &[Point; 3]) -> Option<Point> {
    let normal = cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0]));
    let norm = length(normal);
    (norm > 0.0).then(|| normal.map(|x| x / norm))
}

fn nested(pair: &mut ShapePair, rng: &mut Rng) {
    let small = 10f64.powf(rng.range(-4.0, -1.0));
    pair.b = pair.b.scaled(small);
    pair.rotation = if rng.chance(0.3) { cube_rotation(rng) } else { rng.rotation() };
    // Between points of the surface, often the middle.
    let (direction, share) = (rng.unit_vector(), rng.range(0.0, 1.0));
    let from = pair.a.support(direction);
    let to = pair.a.support(direction.map(|x| -x));
    pair.translation = along(from, subtract(to, from), share);
}

fn concentric(pair: &mut ShapePair, rng: &mut Rng) {
    pair.rotation = match rng.below(3) {
        0 => IDENTITY,
        1 => cube_rotation(rng),
        _ => rng.rotation(),
    };
    let hair = *rng.choice(&[0.0, 0.0, 1e-300, 1e-17, 1e-12]);
    pair.translation = rng.unit_vector().map(|x| x * hair);
}

fn nearly_parallel(pair: &mut ShapePair, rng: &mut Rng) {
    let angle = 10f64.powf(rng.range(-17.0, -3.0));
    pair.rotation = multiplied(&axis_angle_to_rows(rng.unit_vector(), angle), &cube_rotation(rng));
    let direction = axis_direction(rng);
    kiss(pair, direction, rng);
}

fn far_away(pair: &mut ShapePair, rng: &mut Rng) {
    pair.rotation = rng.rotation();
    let reach = 10f64.powf(rng.range(1.0, 15.0));
    pair.translation = rng.unit_vector().map(|x| x * reach);
    if rng.chance(0.3) {
        // Along an axis; the other coordinates stay small.
        pair.translation = along(rng.point(-1.0, 1.0), axis_direction(rng), reach);
    }
}

fn sized(pair: &mut ShapePair, sizes: Sizes, rng: &mut Rng) {
    pair.rotation = if rng.chance(0.4) { cube_rotation(rng) } else { rng.rotation() };
    if rng.chance(0.4) {
        let direction = if rng.chance(0.5) { axis_direction(rng) } else { rng.unit_vector() };
        kiss(pair, direction, rng);
    } else if rng.chance(0.7) {
        let reach = sizes.draw(rng);
        pair.translation = rng.unit_vector().map(|x| x * reach);
    }
}

/// Moves b so that it touches a across a plane with the given unit normal, at corners, at middles
/// of edges or inside faces that lie in it; in one case of three a hair nearer or farther.
fn kiss(pair: &mut ShapePair, direction: Point, rng: &mut Rng) {
    let count = rng.integer(1, 3);
    let back = transposed(&pair.rotation);
    let against = direction.map(|x| -x);
    let on_a = spot(|d| pair.a.support(d), direction, count, rng);
    let turned = |d: Point| pose_point(&pair.rotation, &[0.0; 3], pair.b.support(pose_point(&back, &[0.0; 3], d)));
    let on_b = spot(turned, against, count, rng);
    pair.translation = subtract(on_a, on_b);
    if matches!(pair.family, Family::Flush | Family::NearlyParallel | Family::FlatSizes) {
        pair.translation = off_the_tilt(pair.translation, direction);
    }
    if rng.chance(0.35) {
        let largest = pair.translation.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let hair = largest * *rng.choice(&[1.2e-16, 4e-16, 1e-15, 1e-12, 1e-9, 1e-6]);
        pair.translation = along(pair.translation, direction, hair * *rng.choice(&[-1.0, 1.0]));
    }
}

/// The mean of some of the farthest points, chosen by tilting the direction by a hair.
fn spot(support: impl Fn(Point) -> Point, direction: Point, count: i64, rng: &mut Rng) -> Point {
    let mut sum = [0.0; 3];
    for _ in 0..count {
        let tilted = along(direction, rng.unit_vector(), 1e-9);
        sum = along(sum, support(tilted), 1.0 / count as f64);
    }
    // Along an axis the tilt must not be felt: there the touching is exact.
    let straight = support(direction);
    std::array::from_fn(|axis| if direction[axis].abs() == 1.0 { straight[axis] } else { sum[axis] })
}

/// Across an axis, rounded to about 1e-6: what is round is then met at its very top.
fn off_the_tilt(translation: Point, direction: Point) -> Point {
    const GRID: f64 = (1 << 20) as f64;
    std::array::from_fn(|axis| {
        let x = translation[axis];
        if direction[axis].abs() == 1.0 { x } else { (x * GRID).round() / GRID }
    })
}

/// One of the 24 rotations of the cube, in whole numbers.
fn cube_rotation(rng: &mut Rng) -> Rows {
    let mut order = [0, 1, 2];
    rng.shuffle(&mut order);
    let mut rows = [[0.0; 3]; 3];
    for (row, &column) in order.iter().enumerate() {
        rows[row][column] = *rng.choice(&[-1.0, 1.0]);
    }
    let determinant: f64 = (0..3).map(|axis| rows[0][axis] * cross(rows[1], rows[2])[axis]).sum();
    // Zeros stay positive.
    rows[2] = rows[2].map(|x| x * determinant + 0.0);
    rows
}

impl Shape {
    /// All sizes multiplied, in double arithmetic.
    pub fn scaled(&self, factor: f64) -> Shape {
        let point = |p: &Point| p.map(|x| x * factor);
        let mut scaled = self.clone();
        match &mut scaled {
            Shape::Ball { radius } => *radius *= factor,
            Shape::Capsule { half_length, radius } => {
                (*half_length, *radius) = (*half_length * factor, *radius * factor)
            }
            Shape::Box { half_extents, margin } => (*half_extents, *margin) = (point(half_extents), *margin * factor),
            Shape::Triangle { corners, margin } => (*corners, *margin) = (corners.map(|p| point(&p)), *margin * factor),
            Shape::Hull { corners, margin } => {
                (*corners, *margin) = (corners.iter().map(point).collect(), *margin * factor);
            }
            Shape::Cylinder { radius, half_height, margin } => {
                (*radius, *half_height, *margin) = (*radius * factor, *half_height * factor, *margin * factor);
            }
            Shape::Cone { bottom_radius, top_radius, half_height, margin } => {
                (*bottom_radius, *top_radius) = (*bottom_radius * factor, *top_radius * factor);
                (*half_height, *margin) = (*half_height * factor, *margin * factor);
            }
            Shape::Ellipsoid { radii } => *radii = point(radii),
            Shape::HalfSpace { offset, .. } => *offset *= factor,
        }
        scaled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::{Core, exact_squared_distance, flat_solids_touch};
    use std::collections::BTreeMap;

    const FLAT: [Kind; 10] = [
        Kind::Point,
        Kind::Ball,
        Kind::Segment,
        Kind::Capsule,
        Kind::Box,
        Kind::RoundedBox,
        Kind::Triangle,
        Kind::Hull,
        Kind::FlatHull,
        Kind::HalfSpace,
    ];

    #[test]
    fn every_family_has_touching_and_separate_pairs() {
        let mut counts: BTreeMap<Family, [usize; 3]> = BTreeMap::new();
        for pair in pairs(81, &FLAT).take(11 * 100 * 4) {
            let [a, b] = pair.solids();
            let touching = flat_solids_touch(&a, &b).unwrap();
            let count = counts.entry(pair.family).or_default();
            count[usize::from(touching)] += 1;
            if let (Core::Points(p), Core::Points(q)) = (&a.core, &b.core)
                && a.margin + b.margin == 0.0
                && touching
                && !touches_when_moved_away(&pair)
            {
                // A hair apart they are apart: they touch on their surfaces.
                assert!(exact_squared_distance(p, q).is_zero());
                count[2] += 1;
            }
        }
        for (family, [apart, touching, on_the_surface]) in &counts {
            let enough = match family {
                Family::FarAway => *apart > 200 && *touching > 3,
                Family::Nested | Family::Concentric => *touching > 200 && *apart > 10,
                Family::Flush => *apart > 20 && *touching > 200 && *on_the_surface > 20,
                _ => *apart > 40 && *touching > 40,
            };
            assert!(enough, "{family:?}: {apart} apart, {touching} touching, {on_the_surface} on the surface");
        }
    }

    fn touches_when_moved_away(pair: &ShapePair) -> bool {
        let moved = ShapePair { translation: pair.translation.map(|x| x * (1.0 + 1e-9)), ..pair.clone() };
        let [a, b] = moved.solids();
        flat_solids_touch(&a, &b).unwrap()
    }

    #[test]
    fn all_are_finite_and_below_the_limit() {
        for pair in pairs(82, &Kind::ALL).take(11 * 196) {
            for solid in pair.solids() {
                let inside = |x: &f64| x.is_finite() && x.abs() <= 1e300;
                let fine = match &solid.core {
                    Core::Points(points) => points.iter().flatten().all(inside),
                    Core::Cylinder { frame, radius, half_height } => {
                        frame.center.iter().chain([radius, half_height]).all(inside)
                    }
                    Core::Frustum { frame, bottom_radius, top_radius, half_height } => {
                        frame.center.iter().chain([bottom_radius, top_radius, half_height]).all(inside)
                    }
                    Core::Ellipsoid { frame, radii } => frame.center.iter().chain(radii).all(inside),
                    Core::HalfSpace { normal, offset } => normal.iter().chain([offset]).all(inside),
                };
                assert!(fine && inside(&solid.margin) && solid.margin >= 0.0, "{pair:?}");
            }
        }
    }

    #[test]
    fn the_cube_has_24_rotations() {
        let mut rng = Rng::new(83);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..1000 {
            let rows = cube_rotation(&mut rng);
            assert_eq!(cross(rows[0], rows[1]), rows[2]);
            seen.insert(format!("{rows:?}"));
        }
        assert_eq!(seen.len(), 24);
    }
}
