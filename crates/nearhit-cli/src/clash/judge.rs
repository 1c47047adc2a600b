//! What is the matter with two parts?

use super::cover::{Leftover, RADIUS, Sample, Side, both_ways};
use super::finding::Class;
use anyhow::Result;
use glam::DVec3;
use nearhit::{Body, Method, Model, NearPair, Pair, Pose, Scratch, Settings, SolidContact, Tolerance, Verdict};

/// Lengths that decide.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Parts no deeper in each other than this only touch, and so do parts this close.
    pub(super) tolerance: f64,
    /// Parts closer than this are too close.
    pub(super) clearance: f64,
}

/// What was found, in a's frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judgement {
    pub(super) class: Class,
    pub(super) depth: Option<[f64; 2]>,
    pub(super) gap: Option<f64>,
    pub(super) inside: Option<Body>,
    pub(super) points: [DVec3; 2],
    /// Triangles of a and of b that are within the tolerance of the other part, sorted.
    pub(super) contact: [Vec<u32>; 2],
}

/// Depths are sought to one part in a hundred: no one sets a wrench by more.
const DEPTH: f64 = 0.01;

/// `None`: nothing is the matter.
pub(super) fn judge(
    pair: &Pair<'_>,
    limits: Limits,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
) -> Result<Option<Judgement>> {
    let Limits { tolerance, clearance } = limits;
    if is_copy(pair, tolerance) {
        return Ok(Some(copy(pair)));
    }
    if pair.within(clearance.max(tolerance), settings, scratch).verdict == Verdict::No {
        return Ok(contained(pair, settings, scratch));
    }
    let near = pair.pairs_within(tolerance, settings, scratch).pairs.to_vec();
    if near.is_empty() {
        let inside = contained(pair, settings, scratch);
        return Ok(inside.or_else(|| (clearance > 0.0).then(|| too_close(pair, settings, scratch))));
    }
    in_contact(pair, near, tolerance, settings, scratch).map(Some)
}

/// The same shape in the same place? This is quick, and the common duplicate.
fn is_copy(pair: &Pair<'_>, tolerance: f64) -> bool {
    let moved = |point: &DVec3| (pair.a_from_b().apply(*point) - *point).length() > RADIUS * tolerance;
    std::ptr::eq(pair.a(), pair.b()) && !pair.a().mesh().vertices().iter().any(moved)
}

fn copy(pair: &Pair<'_>) -> Judgement {
    let triangles: Vec<u32> = (0..pair.a().mesh().triangles().len() as u32).collect();
    let point = pair.a().mesh().triangle(0)[0];
    Judgement {
        class: Class::Duplicate,
        depth: None,
        gap: None,
        inside: None,
        points: [point; 2],
        contact: [triangles.clone(), triangles],
    }
}

/// One in the other, given that the surfaces are apart.
fn contained(pair: &Pair<'_>, settings: &Settings<'_>, scratch: &mut Scratch) -> Option<Judgement> {
    let Some(SolidContact::Contained { body, .. }) = pair.solid().collide(settings, scratch).contact else {
        return None;
    };
    let found = pair.distance(Tolerance { relative: DEPTH, absolute: 0.0 }, settings, scratch);
    Some(Judgement {
        class: Class::Inside,
        depth: None,
        gap: Some(found.upper),
        inside: Some(body),
        points: [found.on_a, found.on_b],
        contact: [vec![found.witness.a], vec![found.witness.b]],
    })
}

fn too_close(pair: &Pair<'_>, settings: &Settings<'_>, scratch: &mut Scratch) -> Judgement {
    let found = pair.distance(Tolerance::EXACT, settings, scratch);
    Judgement {
        class: Class::Close,
        depth: None,
        gap: Some(found.upper),
        inside: None,
        points: [found.on_a, found.on_b],
        contact: [vec![found.witness.a], vec![found.witness.b]],
    }
}

fn in_contact(
    pair: &Pair<'_>,
    near: Vec<NearPair>,
    tolerance: f64,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
) -> Result<Judgement> {
    let [from_a, from_b] = both_ways(&near);
    let (a_from_b, b_from_a) = (*pair.a_from_b(), pair.a_from_b().inverse());
    let side_a = Side { own: pair.a(), other: pair.b(), other_from_own: b_from_a, tolerance };
    let side_b = Side { own: pair.b(), other: pair.a(), other_from_own: a_from_b, tolerance };
    let (of_a, of_b) = (side_a.leftover(&from_a, scratch)?, side_b.leftover(&from_b, scratch)?);
    let contact = [distinct(&from_a), distinct(&from_b)];
    let touching = Judgement {
        class: Class::Touching,
        depth: None,
        gap: None,
        inside: None,
        points: touching_points(pair, &near),
        contact,
    };
    if let Some(points) = deepest(&of_a, &of_b, &a_from_b) {
        let ([on_a, on_b], depth) = points;
        return Ok(hard(pair, touching, [on_a, on_b], depth, settings, scratch));
    }
    if !of_a.any && !of_b.any {
        return Ok(Judgement { class: Class::Duplicate, ..touching });
    }
    // A surface that lies wholly on the other: a plug in its hole, or a copy of a piece of the other part?
    for (covered, side) in [(!of_a.any, &side_a), (!of_b.any, &side_b)] {
        if let Some(depth) = covered.then(|| copied(side, scratch)).transpose()?.flatten() {
            return Ok(Judgement { class: Class::Hard, depth: Some([depth, depth]), ..touching });
        }
    }
    let has_holes = |model: &Model| model.inside().method() == Method::Generalised;
    if (has_holes(pair.a()) || has_holes(pair.b())) && near.iter().any(|near| cross(pair, near, tolerance)) {
        return Ok(Judgement { class: Class::Hard, ..touching });
    }
    Ok(touching)
}

/// The deeper of the two samples, its points on a and on b in a's frame.
fn deepest(of_a: &Leftover, of_b: &Leftover, a_from_b: &Pose) -> Option<([DVec3; 2], f64)> {
    let on_a = of_a.inside.map(|Sample { point, closest, depth }| ([point, closest], depth));
    let on_b =
        of_b.inside.map(|Sample { point, closest, depth }| ([a_from_b.apply(closest), a_from_b.apply(point)], depth));
    match (on_a, on_b) {
        (Some(a), Some(b)) => Some(if a.1 >= b.1 { a } else { b }),
        (a, b) => a.or(b),
    }
}

fn hard(
    pair: &Pair<'_>,
    touching: Judgement,
    points: [DVec3; 2],
    depth: f64,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
) -> Judgement {
    let found = pair.solid().local_depth(Tolerance { relative: DEPTH, absolute: 0.0 }, settings, scratch);
    let (points, depth) = if found.depth > depth {
        let swapped = found.body == Body::B;
        (if swapped { [found.closest, found.point] } else { [found.point, found.closest] }, found.depth)
    } else {
        (points, depth)
    };
    Judgement { class: Class::Hard, depth: Some([depth, found.at_most.max(depth)]), points, ..touching }
}

/// How deep inside both parts a point is that lies below the surface of the first: nothing if they do not have the same inside there.
fn copied(side: &Side<'_>, scratch: &mut Scratch) -> Result<Option<f64>> {
    let mesh = side.own.mesh();
    let facing = if side.own.inside().is_inside_out() { -1.0 } else { 1.0 };
    let mut best: Option<f64> = None;
    for triangle in (0..mesh.triangles().len() as u32).step_by(mesh.triangles().len().div_ceil(64)) {
        let [a, b, c] = mesh.triangle(triangle);
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
        let size = (b - a).length().max((c - a).length());
        let point = (a + b + c) / 3.0 - normal * (facing * 0.25 * size);
        let other = side.other_from_own.apply(point);
        if side.own.contains(point, scratch)?.is_in_solid() && side.other.contains(other, scratch)?.is_in_solid() {
            let depth = side.own.closest_point(point, scratch)?.distance;
            let depth = depth.min(side.other.closest_point(other, scratch)?.distance);
            if depth > side.tolerance && best.is_none_or(|best| depth > best) {
                best = Some(depth);
            }
        }
    }
    Ok(best)
}

/// Do two triangles pass through each other, by more than the tolerance on all sides?
fn cross(pair: &Pair<'_>, near: &NearPair, tolerance: f64) -> bool {
    let (a, b) = pair.triangles(near.pair);
    let straddles = |[p, q, r]: [DVec3; 3], corners: [DVec3; 3]| {
        let normal = (q - p).cross(r - p).normalize_or_zero();
        let heights = corners.map(|corner| normal.dot(corner - p));
        heights.iter().any(|&height| height > tolerance) && heights.iter().any(|&height| height < -tolerance)
    };
    let shared = pair.overlap(near.pair);
    let length = match shared.points() {
        [from, to] => (*to - *from).length(),
        _ => 0.0,
    };
    near.distance == 0.0 && length > tolerance && straddles(a, b) && straddles(b, a)
}

/// A point of each of the two nearest triangles, the first of them.
fn touching_points(pair: &Pair<'_>, near: &[NearPair]) -> [DVec3; 2] {
    let nearest = near.iter().fold(near[0], |best, next| if next.distance < best.distance { *next } else { best });
    let shared = pair.overlap(nearest.pair);
    match shared.points() {
        [] => {
            let (a, b) = pair.triangles(nearest.pair);
            let found = nearhit::primitive::distance::distance(&a, &b);
            [found.on_a, found.on_b]
        }
        points => [points.iter().sum::<DVec3>() / points.len() as f64; 2],
    }
}

fn distinct(pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut own: Vec<u32> = pairs.iter().map(|&(own, _)| own).collect();
    own.dedup();
    own
}
