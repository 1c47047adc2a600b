//! Translational depth: the translation separates, a hair less does not, and no bound is beyond the
//! truth.

use crate::common::{mesh, plain};
use glam::{DMat3, DVec3};
use nearhit::{
    Budget, LocalDepth, Model, Pair, Pose, Scratch, Settings, Stats, Tolerance, TranslationalDepth, Verdict,
};
use nearhit_testkit::pose::pose_soup;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Soup, shapes, solid};
use rayon::prelude::*;

/// A convex solid: stretched and sheared.
fn convex(rng: &mut Rng) -> Soup {
    let round = match rng.below(4) {
        0 => shapes::cuboid([-1.0; 3], [1.0; 3]),
        1 => shapes::tetrahedron([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]]),
        2 => shapes::icosphere(1),
        _ => shapes::uv_sphere(4, 6),
    };
    loop {
        let matrix = DMat3::from_cols_array(&std::array::from_fn(|_| rng.range(-0.6, 0.6)));
        if matrix.determinant() > 0.02 {
            return round.map(|vertex| (matrix * DVec3::from_array(vertex)).to_array());
        }
    }
}

fn any_solid(rng: &mut Rng) -> Soup {
    let size = rng.range(0.3, 1.0);
    match rng.below(5) {
        0 => shapes::torus(8, 5, 0.7, 0.25).scaled(size),
        1 => shapes::axis_bars(1.0, 0.2).scaled(size),
        2 => {
            let mut pieces = shapes::cuboid([-0.9; 3], [-0.1; 3]);
            pieces.append(&shapes::cuboid([0.1; 3], [0.9; 3]));
            pieces.scaled(size)
        }
        _ => convex(rng),
    }
}

fn touches(pair: &Pair<'_>, translation: DVec3, scratch: &mut Scratch) -> bool {
    let moved = Pose::from_translation(translation.to_array()).expect("finite") * *pair.a_from_b();
    let moved = Pair::relative(pair.a(), pair.b(), &moved).expect("in range");
    moved.solid().collide(&Settings::default(), scratch).verdict == Verdict::Yes
}

/// The counts that a run of random pairs gives.
#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    in_contact: usize,
    convex: usize,
}

fn separates_by_a_hair(seed: u64, long: bool) -> Seen {
    let mut rng = Rng::new(seed);
    let mut scratch = Scratch::new();
    let (a, b) = (Model::new(mesh(&any_solid(&mut rng))), Model::new(mesh(&any_solid(&mut rng))));
    let a_from_b = Pose::from_rows(rng.rotation(), rng.point(-0.7, 0.7)).expect("rigid");
    let pair = Pair::relative(&a, &b, &a_from_b).expect("in range");
    let budget = if long || seed.is_multiple_of(8) { Budget::UNLIMITED } else { Budget::work(4000) };
    let settings = Settings::new().budget(budget);
    let found = pair.solid().translational_depth(&settings, &mut scratch).expect("in range");
    let is_complete = found.is_complete;
    let TranslationalDepth { lower, upper, translation, is_convex, .. } = found;
    assert!(is_complete || !(long || seed.is_multiple_of(8)), "seed {seed}: {found:?}");
    assert!(0.0 <= lower && lower <= upper, "seed {seed}: {found:?}");
    assert!(!touches(&pair, translation, &mut scratch), "seed {seed}: {found:?}");
    if !touches(&pair, DVec3::ZERO, &mut scratch) {
        assert!(upper == 0.0 || !is_complete && lower == 0.0, "seed {seed}: {found:?}");
        return Seen::default();
    }
    assert!((translation.length() - upper).abs() <= 1e-15 * upper);
    let shorter = translation * (1.0 - 1e-6);
    assert!(!is_complete || touches(&pair, shorter, &mut scratch), "seed {seed}: {found:?}");
    // No translation shorter than the lower bound separates: some are tried.
    for _ in 0..4 {
        let short = DVec3::from_array(rng.unit_vector()) * (lower * rng.range(0.5, 1.0) * (1.0 - 1e-9));
        assert!(touches(&pair, short, &mut scratch), "seed {seed}: {found:?} {short}");
    }
    Seen { in_contact: 1, convex: usize::from(is_convex) }
}

/// `NEARHIT_LONG=1` tries 10,000 pairs in contact and without budgets.
#[test]
fn the_translation_separates_and_a_hair_less_does_not() {
    let long = std::env::var_os("NEARHIT_LONG").is_some();
    let count = if long { 14_000 } else { 1_400 };
    let seen: Vec<Seen> = (0..count).into_par_iter().map(|seed| separates_by_a_hair(seed, long)).collect();
    let (in_contact, convex) = seen.iter().fold((0, 0), |sum, seen| (sum.0 + seen.in_contact, sum.1 + seen.convex));
    assert!(in_contact as u64 * 14 > count * 10, "{in_contact} of {count} in contact");
    assert!(convex * 10 > in_contact && convex * 2 < in_contact, "{convex} of {in_contact} convex");
}

#[test]
fn convex_depths_are_the_minkowski_depth() {
    let worst = (0..250_u64).into_par_iter().filter_map(|seed| {
        let mut rng = Rng::new(seed + 1000);
        let (a, b) = (convex(&mut rng), convex(&mut rng));
        let a_from_b = Pose::from_rows(rng.rotation(), rng.point(-0.6, 0.6)).expect("rigid");
        let (rotation, translation) = plain(&a_from_b);
        let expected = solid::minkowski_depth(&a, &pose_soup(&rotation, &translation, &b))?;
        let (a, b) = (Model::new(mesh(&a)), Model::new(mesh(&b)));
        let pair = Pair::relative(&a, &b, &a_from_b).expect("in range");
        let found = pair.solid().translational_depth(&Settings::default(), &mut Scratch::new()).expect("in range");
        assert!(found.is_convex, "seed {seed}");
        assert!(
            found.lower <= expected && expected <= found.upper * (1.0 + 1e-12),
            "seed {seed}: {found:?} {expected}"
        );
        assert!(found.lower >= 0.99 * expected - 1e-8, "seed {seed}: {found:?} {expected}");
        Some(found.upper / expected)
    });
    let ratios: Vec<f64> = worst.collect();
    let worst = ratios.iter().fold(1.0, |worst: f64, ratio| worst.max(*ratio));
    assert!(ratios.len() > 150, "{}", ratios.len());
    assert!(worst <= 1.01, "upper is up to {worst} of the depth");
}

/// Elsewhere the lower bound is at least the depth at the deepest point.
#[test]
fn the_lower_bound_is_at_least_the_deepest_point() {
    let mut rng = Rng::new(77);
    let mut scratch = Scratch::new();
    let mut compared = 0;
    while compared < 40 {
        let (a, b) = (Model::new(mesh(&any_solid(&mut rng))), Model::new(mesh(&any_solid(&mut rng))));
        let a_from_b = Pose::from_rows(rng.rotation(), rng.point(-0.5, 0.5)).expect("rigid");
        let pair = Pair::relative(&a, &b, &a_from_b).expect("in range");
        let found = pair.solid().translational_depth(&Settings::default(), &mut scratch).expect("in range");
        if found.upper == 0.0 {
            continue;
        }
        compared += 1;
        let fine = Tolerance::relative(0.02);
        let deepest = pair.solid().local_depth(fine, &Settings::default(), &mut scratch);
        assert!(found.lower >= deepest.depth * (1.0 - 1e-6) - 1e-8, "{found:?} {deepest:?}");
    }
}

/// A peg in a hole: the way out is along the hole, though the hulls say otherwise; a ball in the
/// hollow of another needs to stay there.
#[test]
fn ways_out_of_hollows() {
    let mut plate = shapes::torus(24, 12, 1.0, 0.4);
    plate = plate.map(|[x, y, z]| [x, y, 0.3 * z]);
    let peg = shapes::cuboid([-0.2, -0.2, -1.0], [0.2, 0.2, 1.0]);
    let (plate, peg) = (Model::new(mesh(&plate)), Model::new(mesh(&peg)));
    let mut scratch = Scratch::new();
    // Pressed a little into the rim of the hole.
    let pair =
        Pair::relative(&plate, &peg, &Pose::from_translation([0.45, 0.0, 0.0]).expect("finite")).expect("in range");
    let found = pair.solid().translational_depth(&Settings::default(), &mut scratch).expect("in range");
    assert!(found.upper < 0.1 && found.lower > 0.01, "{found:?}");
    assert!(found.translation.x < -0.04, "{found:?}");
}

/// Surfaces that only touch are parted by ever shorter translations: the search ends at rounding.
#[test]
fn flat_meshes_that_touch_are_parted_at_once() {
    let flat = nearhit::Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]).expect("legal");
    let model = Model::new(flat);
    let pair = Pair::relative(&model, &model, &Pose::IDENTITY).expect("same volume");
    let mut scratch = Scratch::new();
    let found = pair.solid().translational_depth(&Settings::default(), &mut scratch).expect("in range");
    assert!(found.upper > 0.0 && found.upper < 1e-12, "{found:?}");
}

/// A triangle seen from both sides, and a corner beside it, hardly out of its plane: the hull is a
/// square, of which the solid is one half.
#[test]
fn what_is_flat_to_rounding_is_not_its_hull() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1e-13]];
    // All of it in a corner, and three vertices that no triangle uses.
    let unused = [[-8.0, 4.0, -13.0], [3.0, 15.0, 7.0], [-4.0, -5.0, -8.0], [-14.0, 11.0, 14.0]];
    let point = Model::new(nearhit::Mesh::new(&unused, &[[0, 0, 0], [0, 0, 0]]).expect("legal"));
    let pair = Pair::relative(&point, &point, &Pose::IDENTITY).expect("same volume");
    let found = pair.solid().translational_depth(&Settings::default(), &mut Scratch::new()).expect("in range");
    assert!(found.lower <= 1e-12 && !found.is_convex, "{found:?}");
    let flat = nearhit::Mesh::new(&corners, &[[0, 1, 2], [2, 1, 0], [1, 3, 1]]).expect("legal");
    let (flat, block) = (Model::new(flat), Model::new(mesh(&shapes::cuboid([0.45, 0.45, -0.2], [0.95, 0.95, 0.2]))));
    let pair = Pair::relative(&flat, &block, &Pose::IDENTITY).expect("same volume");
    let found = pair.solid().translational_depth(&Settings::default(), &mut Scratch::new()).expect("in range");
    assert!(found.lower <= 0.1 / 2.0_f64.sqrt() && !found.is_convex, "{found:?}");
}

/// Where a body is a few numbers wide its triangles cannot be halved as often as a depth needs: the
/// search ends all the same, and its bounds hold.
#[test]
fn local_depth_ends_where_numbers_are_sparse() {
    let (mut rng, mut scratch) = (Rng::new(77), Scratch::new());
    let (cube, mut deep) = (shapes::cuboid([-1.0; 3], [1.0; 3]), 0);
    for far in [1e12, 1e13, 1e14, 2e15] {
        for _ in 0..8 {
            let place = rng.unit_vector().map(|x| x * far);
            let a = Model::new(mesh(&cube.translated(place)));
            let b = Model::new(mesh(&cube));
            let offset = rng.point(-1.0, 1.0);
            let a_from_b =
                Pose::from_rows(rng.rotation(), std::array::from_fn(|i| place[i] + offset[i])).expect("rigid");
            let pair = Pair::relative(&a, &b, &a_from_b).expect("in range");
            let limit = Settings::new().budget(Budget::work(20_000_000));
            let found = pair.solid().local_depth(Tolerance::relative(1e-9), &limit, &mut scratch);
            assert!(found.stats.volume_tests + found.stats.triangle_tests < 20_000_000, "{far:e}: {found:?}");
            assert!(found.depth <= found.at_most, "{far:e}: {found:?}");
            is_as_exact_as_it_says(&found, Tolerance::relative(1e-9), 2.0 * 3.0_f64.sqrt());
            deep += usize::from(found.depth > 0.0);
        }
    }
    assert!(deep > 8, "{deep}");
}

/// A box without one of its faces beside a whole one in the same place, shifted along its faces, or
/// bars through it: in the plane of the missing face every winding number is one half, however
/// small the piece of a triangle, and the search ends all the same.
#[test]
fn local_depth_ends_in_the_plane_of_a_missing_face() {
    let mut scratch = Scratch::new();
    let whole = shapes::cuboid([-1.0; 3], [1.0; 3]);
    let (mut deep, mut flat, mut loose) = (0, 0, 0);
    for missing in 0..6 {
        let mut open = whole.clone();
        open.triangles.drain(2 * missing..2 * missing + 2);
        let open = Model::new(mesh(&open));
        for (other, offset) in [
            (whole.clone(), [0.0; 3]),
            (whole.clone(), [0.5, 0.0, 0.0]),
            (whole.clone(), [0.0, -1.0, 0.0]),
            (whole.clone(), [0.0, 0.25, 1.0]),
            (shapes::cuboid([-1.0, -0.5, -0.5], [1.0, 0.5, 0.5]), [0.0; 3]),
            (shapes::axis_bars(1.0, 0.3), [0.0; 3]),
            (shapes::cuboid([-3.0, -3.0, -1.0], [3.0, 3.0, 1.0]), [0.0; 3]),
        ] {
            let other = Model::new(mesh(&other));
            let place = Pose::from_translation(offset).expect("finite");
            for pair in [
                Pair::new(&open, &Pose::IDENTITY, &other, &place).expect("in range"),
                Pair::new(&other, &place, &open, &Pose::IDENTITY).expect("in range"),
            ] {
                let limit = Settings::new().budget(Budget::work(1_000_000));
                let found = pair.solid().local_depth(Tolerance::relative(0.01), &limit, &mut scratch);
                let ends = |stats: Stats| stats.volume_tests + stats.triangle_tests < 1_000_000;
                assert!(ends(found.stats), "face {missing}, {offset:?}: {found:?}");
                assert!(found.depth <= found.at_most, "face {missing}, {offset:?}: {found:?}");
                let signed = pair.solid().distance(Tolerance::EXACT, &limit, &mut scratch);
                assert!(ends(signed.stats), "face {missing}, {offset:?}: {signed:?}");
                is_as_exact_as_it_says(&found, Tolerance::relative(0.01), 2.0 * 3.0_f64.sqrt());
                let width = signed.upper - signed.lower;
                assert!(!signed.is_complete || width <= 4e-3, "face {missing}, {offset:?}: {signed:?}");
                loose += usize::from(!found.is_complete && !signed.is_complete);
                deep += usize::from(found.depth > 0.1);
                flat += usize::from(found.depth <= 0.0);
            }
        }
    }
    assert!(deep > 10 && flat > 10 && loose > 10, "{deep} deep, {flat} flat, {loose} loose");
}

/// Complete is what is as exact as asked for, and nothing else: by the tolerance, or by the least
/// one that there is, 1e-4 or 1e-3 of the smaller body, which is no larger than this.
fn is_as_exact_as_it_says(found: &LocalDepth, tolerance: Tolerance, size: f64) {
    let LocalDepth { depth, at_most, .. } = *found;
    let (relative, absolute) = (tolerance.relative.max(1e-4), tolerance.absolute.max(1e-3 * size));
    let is_exact = at_most <= depth.max(0.0) * (1.0 + relative) || at_most <= depth + absolute || at_most <= 0.0;
    assert!(is_exact || !found.is_complete, "{found:?}");
}

/// The collision test, the distance and the depth share one budget of work.
#[test]
fn signed_distance_has_one_budget() {
    let torus = Model::new(mesh(&shapes::torus(60, 30, 1.0, 0.4)));
    let ball = Model::new(mesh(&shapes::icosphere(3).scaled(0.55)));
    let mut scratch = Scratch::new();
    let mut cut = 0;
    for step in 0..12 {
        let a_from_b = Pose::from_translation([0.0, 0.0, 0.05 * f64::from(step)]).expect("finite");
        let pair = Pair::relative(&torus, &ball, &a_from_b).expect("in range").solid();
        let first = pair.collide(&Settings::default(), &mut scratch).stats;
        let work = first.volume_tests + first.triangle_tests + 300;
        let settings = Settings::new().budget(Budget::work(work));
        let found = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
        let spent = found.stats.volume_tests + found.stats.triangle_tests;
        // A pair once opened is finished.
        assert!(spent <= work + 250, "step {step}: {spent} of {work}");
        cut += usize::from(!found.is_complete);
    }
    assert!(cut > 3, "{cut}");
}
