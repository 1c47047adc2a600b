//! Solid contact, signed distance and local depth.

use crate::common::{mesh, plain};
use crate::shapes::{closed, flipped, joined};
use glam::DVec3;
use nearhit::research::VolumeKind;
use nearhit::{Budget, LocalDepth, Model, Pair, Pose, Scratch, Settings, Side, SolidContact, Tolerance, Verdict};
use nearhit_testkit::pose::pose_soup;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Soup, brute, shapes, solid};

const FINE: Tolerance = Tolerance::relative(0.01);

fn moved(offset: [f64; 3]) -> Pose {
    Pose::from_translation(offset).expect("finite")
}

/// By brute force, on the posed vertices: do surfaces touch, or is a vertex of one inside the
/// other?
fn solids_touch(a: &Soup, b: &Soup, a_from_b: &Pose) -> bool {
    let (rotation, translation) = plain(a_from_b);
    let posed = pose_soup(&rotation, &translation, b);
    let inside = |point: &[f64; 3], soup: &Soup| solid::winding_number(soup, *point) != Some(0);
    brute::collides(a, b, &rotation, &translation)
        || posed.vertices.iter().any(|vertex| inside(vertex, a))
        || a.vertices.iter().any(|vertex| inside(vertex, &posed))
}

#[test]
fn contact_agrees_with_brute_force() {
    let mut rng = Rng::new(41);
    let (mut surfaces, mut contained, mut apart) = (0, [0, 0], 0);
    let solids: Vec<Soup> = closed().into_iter().map(|(_, soup)| soup).filter(|soup| soup.len() < 1000).collect();
    let mut scratch = Scratch::new();
    for round in 0..240 {
        let (a, b) = (rng.choice(&solids), rng.choice(&solids));
        let (size_a, size_b) = (*rng.choice(&[1.0, 0.2, 0.1]), *rng.choice(&[1.0, 0.2, 0.1]));
        let (a, b) = (a.scaled(size_a), b.scaled(size_b));
        let a_from_b = Pose::from_rows(rng.rotation(), rng.point(-0.8, 0.8)).expect("rigid");
        let expected = solids_touch(&a, &b, &a_from_b);
        for volume in [None, Some(VolumeKind::Aabb)] {
            let of =
                |soup: &Soup| crate::common::model(soup, volume, &nearhit::research::build::BuildOptions::default());
            let (a, b) = (of(&a), of(&b));
            let pair = Pair::relative(&a, &b, &a_from_b).expect("in range");
            let found = pair.solid().collide(&Settings::default(), &mut scratch);
            assert_eq!(found.verdict.known(), Some(expected), "round {round}");
            assert_eq!(found.contact.is_some(), expected);
            let within = pair.solid().within(0.0, &Settings::default(), &mut scratch);
            assert_eq!(within.verdict.known(), Some(expected), "round {round}");
            let signed = pair.solid().distance(FINE, &Settings::default(), &mut scratch);
            assert_eq!(signed.upper <= 0.0, expected, "round {round}: {signed:?}");
            assert!(signed.lower <= signed.upper);
            if volume.is_some() {
                continue;
            }
            match found.contact {
                Some(SolidContact::Surfaces(_)) => surfaces += 1,
                Some(SolidContact::Contained { body, .. }) => contained[usize::from(body == Side::B)] += 1,
                None => apart += 1,
            }
        }
    }
    let fair = surfaces > 20 && apart > 20 && contained.iter().all(|&count| count > 10);
    assert!(fair, "{surfaces} surfaces, {contained:?} contained, {apart} apart");
}

/// A ball in the hollow of a ball touches nothing; in its shell, or around all of it, it does.
/// Several pieces, in either order.
#[test]
fn cavities_and_pieces() {
    let ball = shapes::uv_sphere(16, 24);
    let hollow = joined(&[ball.scaled(4.0), flipped(&ball.scaled(2.0))]);
    let far = ball.scaled(0.25).translated([100.0, 0.0, 0.0]);
    let pieces = joined(&[far, ball.scaled(0.25)]);
    let mut scratch = Scratch::new();
    let mut both = |a: &Soup, b: &Soup, offset: f64| {
        let (a, b) = (Model::new(mesh(a)), Model::new(mesh(b)));
        let mut ask = |a: &Model, b: &Model, offset: f64| {
            let a_from_b = moved([offset, 0.0, 0.0]);
            let pair = Pair::relative(a, b, &a_from_b).expect("in range");
            assert_eq!(pair.collide(&Settings::default(), &mut scratch).verdict, Verdict::No, "surfaces");
            pair.solid().collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes
        };
        [ask(&a, &b, offset), ask(&b, &a, -offset)]
    };
    assert_eq!(both(&hollow, &pieces, 0.5), [false, false], "in the hollow");
    assert_eq!(both(&hollow, &pieces, 3.0), [true, true], "in the shell");
    assert_eq!(both(&hollow, &pieces, 9.0), [false, false], "beside it");
    assert_eq!(both(&hollow, &pieces, -97.0), [true, true], "the other piece in the shell");
    assert_eq!(both(&hollow, &ball.scaled(9.0), 0.0), [true, true], "around all of it");
}

/// Moving by a step changes the signed distance by no more than the step, through touching,
/// crossing and containment.
#[test]
fn signed_distance_is_continuous_through_contact() {
    let mut rng = Rng::new(42);
    let solids = [shapes::cuboid([-1.0; 3], [1.0; 3]), shapes::uv_sphere(8, 12), shapes::torus(16, 8, 1.0, 0.4)];
    let mut scratch = Scratch::new();
    let (mut apart, mut deep) = (0, 0);
    for _ in 0..12 {
        let (a, b) = (Model::new(mesh(rng.choice(&solids))), Model::new(mesh(&rng.choice(&solids).scaled(0.4))));
        let rotation = rng.rotation();
        let direction = DVec3::from_array(rng.unit_vector());
        let mut last: Option<nearhit::Distance> = None;
        let step = 0.11;
        for index in 0..24 {
            let offset = direction * (2.4 - step * f64::from(index)) + DVec3::new(0.05, 0.1, 0.0);
            let a_from_b = Pose::from_rows(rotation, offset.to_array()).expect("rigid");
            let pair = Pair::relative(&a, &b, &a_from_b).expect("in range");
            let found = pair.solid().distance(FINE, &Settings::default(), &mut scratch);
            assert!(found.lower <= found.upper && found.upper - found.lower <= 0.011 * found.upper.abs() + 2e-3);
            if let Some(last) = last {
                assert!(found.upper >= last.lower - step && found.lower <= last.upper + step, "{last:?} {found:?}");
            }
            apart += usize::from(found.lower > 0.0);
            deep += usize::from(found.upper < -0.05);
            last = Some(found);
        }
    }
    assert!(apart > 50 && deep > 50, "{apart} apart, {deep} deep");
}

fn depth_of(a: &Soup, b: &Soup, a_from_b: &Pose) -> LocalDepth {
    let (a, b) = (Model::new(mesh(a)), Model::new(mesh(b)));
    let pair = Pair::relative(&a, &b, a_from_b).expect("in range");
    pair.solid().local_depth(FINE, &Settings::default(), &mut Scratch::new())
}

#[test]
fn depths_by_hand() {
    let cube = shapes::cuboid([-1.0; 3], [1.0; 3]);
    let near = |found: LocalDepth, depth: f64| {
        assert!(found.depth <= depth + 1e-12 && found.at_most >= depth - 1e-12, "{found:?}");
        assert!(found.at_most <= 1.011 * found.depth + 1e-3 * 6.0, "{found:?}");
        assert!(((found.point - found.closest).length() - found.depth).abs() < 1e-12, "{found:?}");
    };
    near(depth_of(&cube, &cube.scaled(0.5), &moved([1.25, 0.1, 0.2])), 0.25);
    near(depth_of(&cube, &cube.scaled(0.5), &moved([0.0, 0.1, 0.0])), 0.6);
    // A corner first: turned by 45 degrees about two axes.
    let corner = shapes::tetrahedron([[0.0; 3], [3.0, 1.0, 0.0], [3.0, -1.0, 1.0], [3.0, -1.0, -1.0]]);
    near(depth_of(&cube, &corner, &moved([0.75, 0.1, 0.05])), 0.25);
    // An edge over an edge: no vertex of one is inside the other.
    let roof = |soup: &Soup, axis: usize| {
        soup.map(|[x, y, z]| {
            let (c, s) = (0.5f64.sqrt(), 0.5f64.sqrt());
            if axis == 0 { [3.0 * x, c * y - s * z, s * y + c * z] } else { [c * x + s * z, 3.0 * y, c * z - s * x] }
        })
    };
    let (along_x, along_y) = (roof(&cube, 0), roof(&cube, 1));
    let lift = 2.0 * 2f64.sqrt() - 0.1;
    near(depth_of(&along_x, &along_y, &moved([0.0, 0.0, lift])), 0.1 * 0.5f64.sqrt());
    // Faces on each other, and far apart.
    let flush = depth_of(&cube, &cube.scaled(0.5), &moved([1.5, 0.0, 0.0]));
    assert!(flush.depth == 0.0 && flush.at_most < 2e-3, "{flush:?}");
    assert!(depth_of(&cube, &cube, &moved([5.0, 0.0, 0.0])).depth < -2.9);
    // Far below the tolerance, but inside all the same.
    let shallow = depth_of(&cube, &cube, &moved([2.0 - 1e-6, 0.5, 0.5])).depth;
    assert!((shallow - 1e-6).abs() < 1e-12, "{shallow}");
}

/// No sampled point is deeper than the bound, and the point shown is as deep as claimed.
#[test]
fn local_depth_agrees_with_sampling() {
    let mut rng = Rng::new(43);
    let solids = [
        shapes::cuboid([-1.0; 3], [1.0; 3]),
        shapes::uv_sphere(7, 9),
        shapes::torus(14, 8, 1.0, 0.4),
        shapes::axis_bars(1.0, 0.3),
    ];
    let mut deep = 0;
    for _ in 0..24 {
        let (a, b) = (rng.choice(&solids).clone(), rng.choice(&solids).scaled(rng.range(0.3, 1.2)));
        let a_from_b = Pose::from_rows(rng.rotation(), rng.point(-0.9, 0.9)).expect("rigid");
        let (rotation, translation) = plain(&a_from_b);
        let posed = pose_soup(&rotation, &translation, &b);
        let found = depth_of(&a, &b, &a_from_b);
        let depth = |point: [f64; 3], soup: &Soup| {
            let nearest = solid::squared_distances(soup, point).into_iter().min().expect("some");
            let distance = nearhit_testkit::exact::square_root(&nearest).high;
            if solid::winding_number(soup, point).is_none_or(|winding| winding != 0) { distance } else { -distance }
        };
        let (own, other) = if found.body == Side::A { (&a, &posed) } else { (&posed, &a) };
        assert!((depth(found.point.to_array(), other) - found.depth).abs() < 1e-12, "{found:?}");
        let on = nearhit_testkit::exact::square_root(
            &solid::squared_distances(own, found.point.to_array()).into_iter().min().expect("some"),
        );
        assert!(on.high < 1e-12, "{found:?}");
        for (own, other) in [(&a, &posed), (&posed, &a)] {
            for _ in 0..30 {
                let [p, q, r] = own.triangle(rng.below(own.len()));
                let (u, v) = (rng.f64(), rng.f64());
                let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                let point: [f64; 3] =
                    std::array::from_fn(|axis| p[axis] + u * (q[axis] - p[axis]) + v * (r[axis] - p[axis]));
                assert!(depth(point, other) <= found.at_most + 1e-12, "{found:?}: {point:?}");
            }
        }
        deep += usize::from(found.depth > 0.05);
    }
    assert!(deep > 9, "{deep}");
}

#[test]
fn budgets_never_break_an_answer() {
    let (a, b) =
        (Model::new(mesh(&shapes::uv_sphere(12, 16))), Model::new(mesh(&shapes::uv_sphere(10, 14).scaled(0.3))));
    let mut scratch = Scratch::new();
    for offset in [0.2, 0.9, 1.25, 3.0] {
        let a_from_b = moved([offset, 0.03, 0.01]);
        let pair = Pair::relative(&a, &b, &a_from_b).expect("in range");
        let full = pair.solid().distance(FINE, &Settings::default(), &mut scratch);
        let contact = pair.solid().collide(&Settings::default(), &mut scratch).verdict;
        for work in [0, 10, 100, 1000, 10_000] {
            let settings = Settings::new().budget(Budget::work(work));
            let part = pair.solid().distance(FINE, &settings, &mut scratch);
            assert!(part.lower <= full.upper && part.upper >= full.lower, "{offset} {work}: {part:?} {full:?}");
            let verdict = pair.solid().collide(&settings, &mut scratch).verdict;
            assert!(verdict == contact || verdict == Verdict::Maybe);
        }
        for limit in [-0.3, -0.01, 0.0, 0.5] {
            let verdict = pair.solid().within(limit, &Settings::default(), &mut scratch).verdict;
            assert!(verdict != Verdict::Yes || full.lower <= limit, "{limit}: {full:?}");
            assert!(verdict != Verdict::No || full.upper > limit, "{limit}: {full:?}");
        }
    }
}

/// Solids that only touch: there is nothing to halve, and the interval closes all the same.
#[test]
fn touching_is_no_depth() {
    let cube = Model::new(mesh(&shapes::cuboid([-1.0; 3], [1.0; 3])));
    let mut scratch = Scratch::new();
    for offset in [[2.0, 0.0, 0.0], [0.25, -2.0, 0.5], [2.0, 2.0, 0.0], [-2.0, 2.0, -2.0]] {
        let pair = Pair::relative(&cube, &cube, &moved(offset)).expect("in range");
        let found = pair.solid().distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
        assert_eq!((found.lower, found.upper, found.is_complete), (0.0, 0.0, true), "{offset:?}");
    }
    // A little deeper than that.
    for depth in [1e-9, 1e-4, 1.5e-3] {
        let pair = Pair::relative(&cube, &cube, &moved([2.0 - depth, 0.25, 0.5])).expect("in range");
        let found = pair.solid().distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
        assert!(found.lower <= -depth * (1.0 - 1e-6) && -depth * (1.0 + 1e-6) <= found.upper, "{depth}: {found:?}");
        assert!(found.lower >= -depth * (1.0 + 1e-6), "{depth}: {found:?}");
    }
    // In no axis-aligned place: to rounding.
    let mut rng = Rng::new(47);
    for _ in 0..20 {
        let turned = Pose::from_rows(rng.rotation(), rng.point(-3.0, 3.0)).expect("rigid");
        let pair = Pair::new(&cube, &turned, &cube, &(turned * moved([2.0, 0.5, 0.25]))).expect("in range");
        let found = pair.solid().distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
        assert!(-1e-13 <= found.lower && found.lower <= found.upper && found.upper.abs() <= 1e-13, "{found:?}");
    }
}

/// Squares of these lengths are no doubles.
#[test]
fn depths_of_huge_and_tiny_solids() {
    let mut scratch = Scratch::new();
    for size in [1e300, 1e150, 1e-150, 1e-300] {
        let cube = |half: f64| Model::new(mesh(&shapes::cuboid([-half * size; 3], [half * size; 3])));
        let (outer, inner) = (cube(1.0), cube(0.25));
        let pair = Pair::relative(&outer, &inner, &moved([0.5 * size, 0.0, 0.0])).expect("in range");
        let found = pair.solid().distance(FINE, &Settings::default(), &mut scratch);
        let (lower, upper) = (found.lower / size, found.upper / size);
        // The farthest corner is 0.75 below the nearest face.
        assert!((-0.76..=-0.74).contains(&lower) && lower <= -0.75 && -0.75 <= upper + 1e-12, "{size}: {found:?}");
        let out = pair.solid().translational_depth(&Settings::default(), &mut scratch);
        match out {
            Ok(out) => assert!((0.74..0.76).contains(&(out.upper / size)), "{size}: {out:?}"),
            Err(error) => assert!(size == 1e300, "{error}"),
        }
        let regions = pair.solid().contact_regions(&Settings::default(), &mut scratch).regions.len();
        assert_eq!(regions, 0, "the surfaces do not touch");
    }
}
