//! The contract that every volume keeps before it is used in a query.
//!
//! Comparing final answers with brute force lets wrong bounds through: a bound that is 10 % too
//! high seldom prunes the closest pair. So each volume is tested directly, through its support map
//! and an oracle that knows nothing else of it:
//!
//! 1. it encloses what it was fitted to, and its support map agrees with `contains`;
//! 2. `lower_bound` is never above the distance of the two volumes, nor of the triangles inside as
//!    the exact questions see them;
//! 3. `disjoint` is never true of volumes, or triangles, that meet;
//! 4. both are as tight as the volume claims ([`Tightness`]), and no volume is so loose that it
//!    says nothing;
//! 5. a move that is not `blocked` takes them past each other, and is not far longer than it must
//!    be where the volume says anything;
//! 6. triangles that touch in one rounded corner, with volumes that only kiss there, are never
//!    culled.
//!
//! Cases are drawn from blobs, flat, thin, point-like and single-triangle sets, and from mixtures
//! of sizes, at ordinary scales, far from the origin and at every scale of doubles; the suite
//! asserts that enough of them touch, nearly touch and are apart, ordinary or not.

use super::{Placement, Support, Tightness};
use crate::mesh::Triangle;
use crate::pose::Pose;
use glam::DVec3;
use nearhit_testkit::convex::convex_distance;
use nearhit_testkit::exact;
use nearhit_testkit::rng::Rng;

const CASES: usize = 1200;

/// Runs the whole suite; panics with the case at the first violation.
pub(crate) fn holds_for<V: Support>() {
    let mut rng = Rng::new(0x5eed);
    let mut shares = Shares::default();
    for index in 0..CASES {
        let case = Case::draw(&mut rng);
        let judged = Judged::<V>::new(&case);
        let at = |what: &str| format!("{}: case {index}: {what}\n{case:?}\n{judged:?}", V::NAME);
        check_enclosure(&case.triangles_a, &judged.a, &mut rng, &at);
        check_enclosure(&case.triangles_b, &judged.b, &mut rng, &at);
        check_against_volumes(&judged, &at);
        check_against_triangles(&case, &judged, &at);
        check_claim(&judged, &at);
        check_moves(&judged, DVec3::from_array(rng.unit_vector()), &at);
        shares.count(&judged, case.scale);
    }
    shares.assert_representative::<V>();
    check_kisses::<V>(&mut rng);
    check_edges::<V>(&mut rng);
}

/// Edges of boxes close to each other: what few directions tell apart.
fn check_edges<V: Support>(rng: &mut Rng) {
    for index in 0..CASES / 2 {
        let case = Case::draw(rng);
        if case.scale != 1.0 {
            continue;
        }
        let case = case.edge_to_edge(rng);
        let judged = Judged::<V>::new(&case);
        let at = |what: &str| format!("{}: edges {index}: {what}\n{case:?}\n{judged:?}", V::NAME);
        check_against_volumes(&judged, &at);
        check_claim(&judged, &at);
    }
}

/// A set of triangles against its own mirror image in one of its corners: the triangles share that
/// corner exactly, as posed, while the volumes touch there and nowhere else, within rounding of
/// being apart.
fn check_kisses<V: Support>(rng: &mut Rng) {
    for index in 0..2000 {
        let mut case = Case::draw(rng);
        if index % 2 == 0 {
            let (leg, corner) = (DVec3::from_array(rng.point(0.1, 1.0)), DVec3::from_array(rng.point(-9.0, 9.0)));
            case.triangles_b = vec![[corner, corner + leg * DVec3::X, corner + leg * DVec3::new(0.0, 1.0, 1.0)]];
        } else {
            case.triangles_b.truncate(1);
        }
        let posed = case.triangles_b[0].map(|corner| case.a_from_b.apply(corner));
        case.triangles_a = vec![[posed[0], posed[0] * 2.0 - posed[1], posed[0] * 2.0 - posed[2]]];
        let (a, b) = (V::fit(&case.triangles_a), V::fit(&case.triangles_b));
        let reach = |set: &[Triangle]| super::largest_coordinate(set);
        let placement = Placement::new(&case.a_from_b, reach(&case.triangles_a), reach(&case.triangles_b));
        let placed = a.place(&V::motion(&placement));
        assert!(!b.disjoint(&placed), "{}: kiss {index} is culled\n{case:?}", V::NAME);
        assert!(b.lower_bound(&placed) == 0.0, "{}: kiss {index} has a distance\n{case:?}", V::NAME);
        let up_to = b.lower_bound_up_to(&placed, f64::MIN_POSITIVE);
        assert!(up_to == 0.0, "{}: kiss {index} is {up_to} apart\n{case:?}", V::NAME);
    }
}

/// Two sets of triangles and how they lie.
#[derive(Debug)]
struct Case {
    triangles_a: Vec<Triangle>,
    triangles_b: Vec<Triangle>,
    a_from_b: Pose,
    scale: f64,
}

impl Case {
    fn draw(rng: &mut Rng) -> Self {
        // Half of the cases are of ordinary size; the others anywhere among the exponents of
        // doubles, where squares and fourth powers under- or overflow.
        let scale = if rng.chance(0.5) { 1.0 } else { 10_f64.powf(rng.range(-305.0, 299.0)) };
        let far = if scale == 1.0 && rng.chance(0.2) { DVec3::from_array(rng.point(-1e6, 1e6)) } else { DVec3::ZERO };
        let (a, b) = (shape(rng), shape(rng));
        let to_scale = |set: Vec<Triangle>| -> Vec<Triangle> {
            set.into_iter().map(|triangle| triangle.map(|corner| corner * scale + far)).collect()
        };
        // The middles are up to three units apart: from deep overlap over near contact to well
        // apart.
        let apart = DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 3.0) * scale;
        let rotation =
            if rng.chance(0.2) { [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] } else { rng.rotation() };
        let turned = Pose::from_rows(rotation, [0.0; 3]).expect("a rotation");
        let translation = far + apart - turned.apply(far);
        let a_from_b = Pose::from_rows(rotation, translation.to_array()).expect("a rotation");
        Self { triangles_a: to_scale(a), triangles_b: to_scale(b), a_from_b, scale }
    }

    /// Moves b so that an edge of its oriented box comes close to one of a's: few other directions
    /// than that across both edges tell that the boxes are apart.
    fn edge_to_edge(self, rng: &mut Rng) -> Self {
        let [a, b] =
            [&self.triangles_a, &self.triangles_b].map(|set| <super::obb::Obb as super::BoundingVolume>::fit(set));
        let rotation = self.a_from_b.rotation();
        let turned = rotation * b.axes();
        let across = a.axes().col(rng.below(3)).cross(turned.col(rng.below(3)));
        let Some(across) = across.try_normalize() else { return self };
        let reach = (a.axes().transpose() * across).abs().dot(a.half_extents())
            + (turned.transpose() * across).abs().dot(b.half_extents());
        let middle = a.center() + across * (reach + rng.range(-0.01, 0.05));
        let translation = middle - rotation * b.center();
        let rows = rotation.transpose().to_cols_array_2d();
        let a_from_b = Pose::from_rows(rows, translation.to_array()).expect("a rotation");
        Self { a_from_b, ..self }
    }
}

/// One to six triangles within about one unit.
fn shape(rng: &mut Rng) -> Vec<Triangle> {
    let stretch = match rng.below(5) {
        0 => DVec3::new(1.0, 1.0, 1.0),
        1 => DVec3::new(1.0, 0.8, 0.0),
        2 => DVec3::new(1.0, 0.02, 0.01),
        3 => DVec3::new(1.0, 0.3, 0.1),
        _ => DVec3::ZERO,
    };
    let turn = Pose::from_rows(rng.rotation(), rng.point(-0.3, 0.3)).expect("a rotation");
    let count = 1 + rng.below(6);
    let mut triangle =
        |size: f64| [(); 3].map(|()| turn.apply(DVec3::from_array(rng.point(-1.0, 1.0)) * stretch) * size);
    let mut shape: Vec<Triangle> = (0..count).map(|_| triangle(1.0)).collect();
    // Sizes mixed in one set: details that are nothing beside the rest.
    if count == 3 {
        shape[1] = triangle(1e-9);
        shape[2] = triangle(1e-150);
    }
    shape
}

/// A volume with its support map: from the corners where it has some, because finding those anew
/// for every direction takes most of a suite's time.
#[derive(Debug)]
struct Shape<V: Support> {
    volume: V,
    corners: Vec<DVec3>,
}

impl<V: Support> Shape<V> {
    fn fit(triangles: &[Triangle]) -> Self {
        let volume = V::fit(triangles);
        Self { volume, corners: volume.corners() }
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        let farther = |p: &&DVec3, q: &&DVec3| p.dot(direction).total_cmp(&q.dot(direction));
        self.corners.iter().max_by(farther).map_or_else(|| self.volume.support(direction), |corner| *corner)
    }
}

/// What a volume says of a case, and what the oracle says of the volume.
#[derive(Debug)]
struct Judged<V: Support> {
    a: Shape<V>,
    b: Shape<V>,
    placed: V::Placed,
    b_from_a: Pose,
    /// Rounding that both the volume and this suite may lose.
    tolerance: f64,
    disjoint: bool,
    lower_bound: f64,
    /// Limits, and the bounds given when the search has no use for more.
    up_to: [(f64, f64); 5],
    truth: nearhit_testkit::convex::Bounds,
}

impl<V: Support> Judged<V> {
    fn new(case: &Case) -> Self {
        let reach = |set: &[Triangle]| super::largest_coordinate(set);
        let placement = Placement::new(&case.a_from_b, reach(&case.triangles_a), reach(&case.triangles_b));
        let (a, b) = (Shape::<V>::fit(&case.triangles_a), Shape::<V>::fit(&case.triangles_b));
        let placed = a.volume.place(&V::motion(&placement));
        let b_from_a = *placement.b_from_a();
        let truth = convex_distance(
            |direction| support_in_b(&a, &b_from_a, direction.into()).to_array(),
            |direction| b.support(direction.into()).to_array(),
            1e-10,
        );
        let tolerance = 16.0 * placement.slack();
        let (disjoint, lower_bound) = (b.volume.disjoint(&placed), b.volume.lower_bound(&placed));
        let limits = [0.0, 0.3 * lower_bound, lower_bound, lower_bound.next_up(), 1.5 * lower_bound];
        let up_to = limits.map(|limit| (limit, b.volume.lower_bound_up_to(&placed, limit)));
        Self { a, b, placed, b_from_a, tolerance, disjoint, lower_bound, up_to, truth }
    }

    /// Of all bounds it gave.
    fn largest_bound(&self) -> f64 {
        self.up_to.iter().fold(self.lower_bound, |largest, &(_, bound)| largest.max(bound))
    }

    /// How far apart the two volumes are along a unit axis, negative when their shadows overlap.
    fn gap(&self, axis: DVec3) -> f64 {
        let high = |direction: DVec3| {
            let (a, b) = (support_in_b(&self.a, &self.b_from_a, direction), self.b.support(direction));
            (direction.dot(a), direction.dot(b))
        };
        let (a_high, b_high) = high(axis);
        let (a_low, b_low) = high(-axis);
        (-a_low - b_high).max(-b_low - a_high)
    }
}

/// Support map of a volume of a, in b's frame.
fn support_in_b<V: Support>(a: &Shape<V>, b_from_a: &Pose, direction: DVec3) -> DVec3 {
    b_from_a.apply(a.support(b_from_a.rotation().transpose() * direction))
}

fn check_enclosure<V: Support>(triangles: &[Triangle], shape: &Shape<V>, rng: &mut Rng, at: &dyn Fn(&str) -> String) {
    let volume = &shape.volume;
    let along = DVec3::from_array(rng.unit_vector());
    assert_eq!(
        volume.support(along).dot(along),
        shape.support(along).dot(along),
        "{}",
        at("support and corners differ")
    );
    let rounding = 1e-14 * super::largest_coordinate(triangles) + f64::MIN_POSITIVE;
    for corner in super::corners(triangles) {
        assert!(volume.contains(corner), "{}", at(&format!("{corner} is not contained")));
        for _ in 0..8 {
            let direction = DVec3::from_array(rng.unit_vector());
            let reach = direction.dot(shape.support(direction));
            assert!(
                reach >= direction.dot(corner) - rounding,
                "{}",
                at(&format!("{corner} sticks out along {direction}"))
            );
        }
    }
    assert!(volume.size() >= 0.0 && volume.size().is_finite(), "{}", at("size"));
}

fn check_against_volumes<V: Support>(judged: &Judged<V>, at: &dyn Fn(&str) -> String) {
    assert!(judged.lower_bound >= 0.0 && judged.lower_bound.is_finite(), "{}", at("the bound is not a length"));
    assert!(judged.largest_bound() <= judged.truth.upper, "{}", at("the bound is above the volumes' distance"));
    for (limit, bound) in judged.up_to {
        assert!(bound >= limit || bound == judged.lower_bound, "{}", at(&format!("up to {limit} it is neither")));
        assert!(bound >= limit || judged.lower_bound < limit, "{}", at(&format!("up to {limit} it stops short")));
    }
    assert!(!(judged.disjoint && judged.truth.overlap), "{}", at("overlapping volumes are called disjoint"));
    // A volume so loose that it says nothing would pass all of the above.
    let size = judged.a.volume.size() + judged.b.volume.size();
    if judged.truth.lower > 3.0 * size + judged.tolerance {
        assert!(judged.disjoint, "{}", at("far volumes are not called disjoint"));
        assert!(judged.lower_bound >= 0.5 * judged.truth.lower, "{}", at("the bound of far volumes is useless"));
    }
}

/// Against the triangles as the exact questions see them: in a's frame, posed by the documented
/// formula.
fn check_against_triangles<V: Support>(case: &Case, judged: &Judged<V>, at: &dyn Fn(&str) -> String) {
    if !judged.disjoint && judged.lower_bound == 0.0 {
        return;
    }
    let bound_squared = exact::square_of(judged.largest_bound());
    for a in &case.triangles_a {
        for b in &case.triangles_b {
            let a = a.map(|corner| corner.to_array());
            let b = b.map(|corner| case.a_from_b.apply(corner).to_array());
            assert!(!(judged.disjoint && exact::intersects(&a, &b)), "{}", at("triangles that meet are culled"));
            assert!(
                exact::squared_distance(&a, &b) >= bound_squared,
                "{}",
                at("the bound is above the triangles' distance")
            );
        }
    }
}

/// Moves a past b, and not yet to it.
fn check_moves<V: Support>(judged: &Judged<V>, direction: DVec3, at: &dyn Fn(&str) -> String) {
    let blocked = judged.b.volume.blocked(&judged.placed, direction);
    let size = judged.a.volume.size() + judged.b.volume.size();
    let past = blocked.to * (1.0 + 1e-12) + judged.tolerance;
    let overlaps = |length: f64| {
        convex_distance(
            |along| (support_in_b(&judged.a, &judged.b_from_a, along.into()) + direction * length).to_array(),
            |along| judged.b.support(along.into()).to_array(),
            1e-3,
        )
        .overlap
    };
    if blocked.is_never() {
        assert!(!judged.truth.overlap, "{}", at("overlapping volumes are never in each other's way"));
        assert!(!overlaps(size) && !overlaps(3.0 * size), "{}", at("a move meets what it was said never to meet"));
        return;
    }
    assert!(blocked.from == 0.0 || !judged.truth.overlap, "{}", at("overlapping volumes are not in each other's way"));
    assert!(blocked.from == 0.0 || !overlaps(blocked.from * 0.999), "{}", at("a move reaches sooner than was said"));
    assert!(!past.is_finite() || !overlaps(past), "{}", at("a move past the volume still meets it"));
    let far = 10.0 * (judged.truth.upper + size + judged.tolerance);
    assert!(blocked.to == f64::INFINITY || past < far, "{}", at("a move past the volume is far too long"));
}

fn check_claim<V: Support>(judged: &Judged<V>, at: &dyn Fn(&str) -> String) {
    let tight = |bound: f64| judged.lower_bound >= bound * (1.0 - 1e-8) - judged.tolerance;
    match judged.b.volume.claim(&judged.a.volume, &judged.b_from_a) {
        Tightness::Exact => assert!(tight(judged.truth.lower), "{}", at("the bound is not the volumes' distance")),
        Tightness::Axes(axes) => {
            let gap = axes.iter().map(|&axis| judged.gap(axis)).fold(f64::NEG_INFINITY, f64::max);
            assert!(tight(gap), "{}", at(&format!("the gap along an axis is {gap}")));
            assert!(gap <= judged.tolerance || judged.disjoint, "{}", at(&format!("an axis separates by {gap}")));
        }
        Tightness::Boxes(frames) => {
            for frame in frames {
                let gaps = DVec3::from_array(frame.map(|axis| judged.gap(axis).max(0.0)));
                let distance = crate::vector::length(gaps);
                assert!(tight(distance), "{}", at(&format!("the boxes along {frame:?} are {distance} apart")));
                assert!(distance <= 2.0 * judged.tolerance || judged.disjoint, "{}", at("a face separates"));
            }
        }
        Tightness::Basic => {}
    }
}

/// Is the suite about anything? Counts what its cases were.
#[derive(Debug, Default)]
struct Shares {
    touching: usize,
    near: usize,
    apart: usize,
    culled: usize,
    /// Below 1e-140 and above 1e140: of those that touch, and of those that do not.
    tiny: [usize; 2],
    huge: [usize; 2],
}

impl Shares {
    fn count<V: Support>(&mut self, judged: &Judged<V>, scale: f64) {
        let size = judged.a.volume.size() + judged.b.volume.size();
        let kind = match judged.truth {
            truth if truth.overlap => &mut self.touching,
            truth if truth.upper < 0.3 * size => &mut self.near,
            _ => &mut self.apart,
        };
        *kind += 1;
        self.culled += usize::from(judged.disjoint);
        let apart = usize::from(!judged.truth.overlap);
        self.tiny[apart] += usize::from(scale < 1e-140);
        self.huge[apart] += usize::from(scale > 1e140);
    }

    fn assert_representative<V: Support>(&self) {
        let share = |count: usize| count as f64 / CASES as f64;
        assert!(share(self.touching) > 0.1, "{}: {self:?}", V::NAME);
        assert!(share(self.near) > 0.1, "{}: {self:?}", V::NAME);
        assert!(share(self.apart) > 0.1, "{}: {self:?}", V::NAME);
        assert!(share(self.culled) > 0.2 && share(self.culled) < 0.9, "{}: {self:?}", V::NAME);
        assert!(self.tiny.iter().chain(&self.huge).all(|&count| count > 20), "{}: {self:?}", V::NAME);
    }
}
