//! Point clouds, height fields and octrees against brute force over all their pieces: exact
//! rational arithmetic where all is flat, certified brackets where something is round.

use nearhit::glam::DVec3;
use nearhit::shape::{Shape, ShapeError, ShapePair};
use nearhit::{Budget, Mesh, Model, Pose, Scratch, Seed, Settings, Tolerance, Verdict};
use nearhit_testkit::convex::{BITS, Core, Solid};
use nearhit_testkit::pieces::{Many, ManyKind, least_distance, touching_pieces};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::shape_pairs::{self, Kind, Sizes};
use std::collections::BTreeMap;

/// How many rounds: more with `NEARHIT_LONG=1`.
fn rounds(few: usize, many: usize) -> usize {
    if std::env::var("NEARHIT_LONG").is_ok_and(|told| told != "0") { many } else { few }
}

/// A shape, and the solids that it is made of.
#[derive(Clone, Debug)]
enum Told {
    Many(Many, f64),
    One(shape_pairs::Shape),
    Soup(Vec<[[f64; 3]; 3]>),
}

type Rows = [[f64; 3]; 3];

impl Told {
    fn shape(&self) -> Shape {
        let made = match self {
            Told::Many(Many::Cloud { points, radii }, margin) => {
                Shape::point_cloud(points, radii).and_then(|shape| shape.grown(*margin))
            }
            Told::Many(Many::Field { heights, columns, spacing, floor }, margin) => match floor {
                None => Shape::height_field(heights, *columns, *spacing),
                Some(floor) => Shape::solid_height_field(heights, *columns, *spacing, *floor),
            }
            .and_then(|shape| shape.grown(*margin)),
            Told::Many(Many::Cells { boxes, resolution }, margin) => {
                Shape::octree_of_cells(boxes, *resolution).and_then(|shape| shape.grown(*margin))
            }
            Told::One(shape) => return convex(shape),
            Told::Soup(triangles) => {
                let vertices: Vec<[f64; 3]> = triangles.concat();
                let indices: Vec<[u32; 3]> =
                    (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
                return Shape::mesh(Model::new(Mesh::new(&vertices, &indices).expect("legal")));
            }
        };
        made.unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    fn solids(&self, pose: Option<(&Rows, &[f64; 3])>) -> Vec<Solid> {
        match self {
            Told::Many(many, margin) => many.solids(*margin, pose),
            Told::One(shape) => vec![pose.map_or(shape.solid(), |(rows, translation)| shape.posed(rows, translation))],
            Told::Soup(triangles) => {
                let place = |corner: [f64; 3]| match pose {
                    None => corner,
                    Some((rows, translation)) => nearhit_testkit::pose::pose_point(rows, translation, corner),
                };
                let solid =
                    |corners: &[[f64; 3]; 3]| Solid { core: Core::Points(corners.map(place).to_vec()), margin: 0.0 };
                triangles.iter().map(solid).collect()
            }
        }
    }
}

fn convex(told: &shape_pairs::Shape) -> Shape {
    use shape_pairs::Shape as Told;
    let grown = |made: Result<Shape, ShapeError>, margin: f64| made.and_then(|shape| shape.grown(margin));
    match told {
        Told::Ball { radius } => Shape::ball(*radius),
        Told::Capsule { half_length, radius } => Shape::capsule(*radius, 2.0 * half_length),
        Told::Box { half_extents, margin } => grown(Shape::cuboid(half_extents.map(|half| 2.0 * half)), *margin),
        Told::Triangle { corners, margin } => grown(Shape::hull(corners), *margin),
        Told::Hull { corners, margin } => grown(Shape::hull(corners), *margin),
        Told::Cylinder { radius, half_height, margin } => grown(Shape::cylinder(*radius, 2.0 * half_height), *margin),
        Told::Cone { bottom_radius, top_radius, half_height, margin } => {
            grown(Shape::truncated_cone(*bottom_radius, *top_radius, 2.0 * half_height), *margin)
        }
        Told::Ellipsoid { radii } => Shape::ellipsoid(*radii),
        Told::HalfSpace { normal, offset } => Shape::half_space(*normal, *offset),
    }
    .unwrap_or_else(|error| panic!("{told:?}: {error}"))
}

/// What stands beside a shape of many pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Beside {
    Many(ManyKind),
    One(Kind),
    Mesh,
}

struct Setup {
    a: Told,
    b: Told,
    kinds: (ManyKind, Beside),
    rows: Rows,
    translation: [f64; 3],
    pose: Pose,
    size: f64,
    is_flat: bool,
}

/// Turns by quarters, so that what lies on a grid stays there.
const QUARTERS: [Rows; 3] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
];

fn setup(rng: &mut Rng, sizes: &[i32]) -> Setup {
    let size = 2f64.powi(*rng.choice(sizes));
    let on_grid = rng.chance(0.5);
    let kind = *rng.choice(&ManyKind::ALL);
    let margin = if rng.chance(0.3) { 0.125 * size } else { 0.0 };
    let many = Told::Many(Many::random(kind, size, on_grid, rng), margin);
    let beside = match rng.below(10) {
        0..4 => Beside::Many(*rng.choice(&ManyKind::ALL)),
        4..9 => Beside::One(*rng.choice(&Kind::ALL)),
        _ => Beside::Mesh,
    };
    let other = match beside {
        Beside::Many(kind) => Told::Many(Many::random(kind, size, on_grid, rng), 0.0),
        Beside::One(kind) => Told::One(shape_pairs::Shape::random(kind, Sizes::Ordinary, rng).scaled(0.25 * size)),
        Beside::Mesh => Told::Soup(soup(rng, size)),
    };
    // A hull may drop points that are no corners: those would be posed and rounded by the oracle.
    let other = match other {
        Told::One(shape_pairs::Shape::Hull { corners, margin }) => {
            let hull = Shape::hull(&corners).expect("legal").corners();
            let corners = hull.into_iter().map(|corner| corner.to_array()).collect();
            Told::One(shape_pairs::Shape::Hull { corners, margin })
        }
        other => other,
    };
    let rows = if on_grid { *rng.choice(&QUARTERS) } else { rng.rotation() };
    let apart = rng.range(0.2, 1.6);
    let translation =
        rng.point(-apart, apart).map(|value| size * if on_grid { (8.0 * value).round() / 8.0 } else { value });
    let pose = Pose::from_rows(rows, translation).expect("rigid");
    let rows = pose.rotation().transpose().to_cols_array_2d();
    let is_flat = !matches!(beside, Beside::One(kind) if !kind.is_flat());
    let (a, b) = if rng.chance(0.5) { (many, other) } else { (other, many) };
    Setup { a, b, kinds: (kind, beside), rows, translation, pose, size, is_flat }
}

/// Few triangles, some without area.
fn soup(rng: &mut Rng, size: f64) -> Vec<[[f64; 3]; 3]> {
    let count = 1 + rng.below(20);
    (0..count)
        .map(|_| {
            let middle = rng.point(-1.0, 1.0);
            let spread = *rng.choice(&[0.0, 0.05, 0.4]);
            [(); 3].map(|()| {
                let corner = rng.point(-spread, spread);
                std::array::from_fn(|axis| size * (middle[axis] + corner[axis]))
            })
        })
        .collect()
}

/// Yes and no are those of all pieces, one by one; contacts are exactly the pieces that touch.
#[test]
fn yes_and_no_are_those_of_the_pieces() {
    let mut rng = Rng::new(31);
    let mut scratch = Scratch::new();
    let settings = Settings::default();
    let mut seen: BTreeMap<(ManyKind, bool), usize> = BTreeMap::new();
    let mut beside = BTreeMap::new();
    let sizes = [0, 0, 0, -20, 30, -500, -990, 500, 990];
    let count = rounds(700, 40_000);
    for _ in 0..count {
        let setup = setup(&mut rng, &sizes);
        if !setup.is_flat {
            continue;
        }
        let (a, b) = (setup.a.shape(), setup.b.shape());
        let pair = ShapePair::relative(&a, &b, &setup.pose).expect("in range");
        let told = || format!("{:?} {:?} {:?} {:?}", setup.a, setup.b, setup.rows, setup.translation);
        let (solids_a, solids_b) = (setup.a.solids(None), setup.b.solids(Some((&setup.rows, &setup.translation))));
        let truth = touching_pieces(&solids_a, &solids_b).expect("flat");
        let found = pair.collide(&settings, &mut scratch);
        assert_eq!(found.verdict == Verdict::Yes, !truth.is_empty(), "{}", told());
        let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
        assert_eq!(distance.upper == 0.0, !truth.is_empty(), "{distance:?} {}", told());
        let contacts = pair.contacts(&settings, &mut scratch);
        assert!(contacts.is_complete);
        // The octree numbers its cubes as it likes.
        let numbered = |told: &Told| !matches!(told, Told::Many(Many::Cells { .. }, _));
        assert_eq!(contacts.contacts.len(), truth.len(), "{}", told());
        if numbered(&setup.a) && numbered(&setup.b) {
            let pieces: Vec<(usize, usize)> =
                contacts.contacts.iter().map(|one| (one.pieces.a as usize, one.pieces.b as usize)).collect();
            assert_eq!(pieces, truth, "{}", told());
        }
        for contact in &contacts.contacts {
            assert!(contact.depth.lower <= contact.depth.upper, "{contact:?} {}", told());
            assert!((contact.normal.length() - 1.0).abs() < 1e-9, "{contact:?} {}", told());
        }
        *seen.entry((setup.kinds.0, !truth.is_empty())).or_default() += 1;
        *beside.entry(setup.kinds.1).or_insert(0) += 1;
    }
    for kind in ManyKind::ALL {
        let [yes, no] = [true, false].map(|truth| seen.get(&(kind, truth)).copied().unwrap_or(0));
        assert!(yes > count / 70 && no > count / 70, "{kind:?}: {yes} {no}");
    }
    assert!(beside.len() >= 14, "{beside:?}");
}

/// The distance lies in the interval, which is narrow; `within` agrees with it; a budget widens it
/// and never breaks it; a seed changes nothing.
#[test]
fn distances_are_those_of_the_pieces() {
    let mut rng = Rng::new(32);
    let mut scratch = Scratch::new();
    let settings = Settings::default();
    let (mut apart, mut asked, mut spent) = (0, 0, 0);
    for _ in 0..rounds(350, 15_000) {
        let setup = setup(&mut rng, &[0, 0, -20, 30, -300, 300]);
        let (a, b) = (setup.a.shape(), setup.b.shape());
        let pair = ShapePair::relative(&a, &b, &setup.pose).expect("in range");
        let told = || format!("{:?} {:?} {:?} {:?}", setup.a, setup.b, setup.rows, setup.translation);
        let (solids_a, solids_b) = (setup.a.solids(None), setup.b.solids(Some((&setup.rows, &setup.translation))));
        let [lower, upper] = least_distance(&solids_a, &solids_b, BITS).expect("not empty").doubles();
        let found = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
        assert!(found.lower <= upper && lower <= found.upper, "{found:?} {lower:e} {upper:e} {}", told());
        let slack = 1e-12 * setup.size;
        let tangent = !setup.is_flat && found.lower == 0.0;
        assert!(found.upper - found.lower <= if tangent { 1e-7 * setup.size } else { slack }, "{found:?} {}", told());
        assert!(found.is_complete, "{}", told());
        let gap = (found.on_a - found.on_b).length();
        assert!((gap - found.upper).abs() <= slack, "{found:?} {gap:e} {}", told());
        let touching = pair.collide(&settings, &mut scratch).verdict == Verdict::Yes;
        assert_eq!(touching, found.lower == 0.0, "{found:?} {}", told());
        for limit in [0.5 * found.lower, found.lower, found.upper, found.upper * 1.5 + slack] {
            let near = pair.within(limit, &settings, &mut scratch);
            assert!(near.lower <= found.upper && near.upper.is_none_or(|upper| upper >= found.lower), "{near:?}");
            let expected = found.lower <= limit;
            // Between the ends of the interval either is right of flat shapes, which decide exactly.
            let certain = !(found.lower..found.upper).contains(&limit) || !setup.is_flat;
            assert!(!certain || (near.verdict == Verdict::Yes) == expected, "within {limit:e} {found:?} {}", told());
        }
        let seeded = settings.seed(Some(Seed(found.witness)));
        let again = pair.distance(Tolerance::EXACT, &seeded, &mut scratch);
        assert_eq!((again.lower, again.upper), (found.lower, found.upper), "{}", told());
        let rough = pair.distance(Tolerance::relative(0.2), &settings, &mut scratch);
        assert!(rough.lower <= upper && lower <= rough.upper, "{rough:?} {lower:e} {upper:e} {}", told());
        assert!(rough.upper <= 1.2 * rough.lower + slack || tangent, "{rough:?} {}", told());
        let budget = Settings::new().budget(Budget::work(rng.below(30) as u64));
        let hurried = pair.distance(Tolerance::EXACT, &budget, &mut scratch);
        assert!(hurried.lower <= upper && lower <= hurried.upper, "{hurried:?} {lower:e} {upper:e} {}", told());
        let verdict = pair.collide(&budget, &mut scratch).verdict;
        assert!(verdict == Verdict::Maybe || (verdict == Verdict::Yes) == touching, "{}", told());
        spent += usize::from(!hurried.is_complete);
        apart += usize::from(!touching);
        asked += 1;
    }
    assert!(apart * 5 > asked && apart * 5 < asked * 4, "{apart} of {asked} are apart");
    assert!(spent * 10 > asked, "{spent} of {asked} budgets were spent");
}

/// Thousands of points: several levels of the tree, on every path from probe to leaf.
#[test]
fn large_clouds_hold() {
    let mut rng = Rng::new(33);
    let mut scratch = Scratch::new();
    let settings = Settings::default();
    let (mut touching, mut spent, mut known) = (0, 0, 0);
    let count = rounds(60, 2_000);
    for round in 0..count {
        let size = *rng.choice(&[1.0, 1e-9, 1e12, 1e-200]);
        let points: Vec<[f64; 3]> = (0..1 + rng.below(3_000)).map(|_| rng.point(-size, size)).collect();
        let each = rng.chance(0.5);
        let radii: Vec<f64> = (0..if each { points.len() } else { 1 })
            .map(|_| rng.range(0.0, if round % 4 == 3 { 0.1 } else { 0.02 }) * size)
            .collect();
        let cloud = Shape::point_cloud(&points, &radii).expect("legal");
        let other = match round % 3 {
            0 => Shape::ball(0.08 * size),
            1 => Shape::capsule(0.04 * size, 0.3 * size),
            _ => Shape::cuboid([0.2 * size, 0.15 * size, 0.1 * size]),
        };
        let other = other.expect("legal");
        for _ in 0..20 {
            let pose = Pose::from_rows(rng.rotation(), rng.point(-1.2 * size, 1.2 * size)).expect("rigid");
            let first = rng.chance(0.5);
            let pair = if first {
                ShapePair::relative(&cloud, &other, &pose)
            } else {
                ShapePair::relative(&other, &cloud, &pose)
            };
            let pair = pair.expect("in range");
            let found = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
            // By brute force: one ball beside the shape after the other.
            let mut least = [f64::INFINITY; 2];
            for (index, point) in points.iter().enumerate() {
                let ball = Shape::ball(radii[index % radii.len()]).expect("legal");
                let at = if first { DVec3::from(*point) } else { pose.apply(DVec3::from(*point)) };
                let at = Pose::from_translation(at.to_array()).expect("rigid");
                let here = if first { pose } else { Pose::IDENTITY };
                let alone = ShapePair::new(&ball, &at, &other, &here).expect("in range");
                let alone = alone.distance(Tolerance::EXACT, &settings, &mut scratch);
                least = [least[0].min(alone.lower), least[1].min(alone.upper)];
            }
            let slack = 1e-12 * size;
            assert!(found.lower <= least[1] + slack && least[0] <= found.upper + slack, "{found:?} {least:?}");
            for work in [1, 3, 10, 40] {
                let hurried = Settings::new().budget(Budget::work(work));
                let hurried = pair.distance(Tolerance::EXACT, &hurried, &mut scratch);
                assert!(
                    hurried.lower <= least[1] + slack && least[0] <= hurried.upper + slack,
                    "{hurried:?} {least:?}"
                );
                spent += usize::from(!hurried.is_complete);
                known += usize::from(!hurried.is_complete && hurried.lower > 0.0);
            }
            let yes = pair.collide(&settings, &mut scratch).verdict == Verdict::Yes;
            assert_eq!(yes, found.lower == 0.0, "{found:?} {least:?}");
            assert!(least[0] > slack || yes || least[1] > 0.0, "{found:?} {least:?}");
            touching += usize::from(yes);
        }
    }
    assert!(touching * 20 > count * 20 && touching < count * 16, "{touching} of {} touch", count * 20);
    assert!(spent > count * 20 && known > count, "{spent} ended early, {known} with a bound");
}

/// What lies inside of a solid mesh touches it.
#[test]
fn pieces_inside_of_a_solid_touch_it() {
    let corners: Vec<[f64; 3]> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| 4.0 * f64::from(bit))).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let cube = || Model::new(Mesh::new(&corners, &triangles).expect("legal"));
    let (solid, surface) = (Shape::solid(cube()), Shape::mesh(cube()));
    // Most of each lies outside, one piece inside.
    let points: Vec<[f64; 3]> = (0..100).map(|i| [10.0 + f64::from(i), 0.0, 0.0]).chain([[2.0, 2.0, 2.0]]).collect();
    let cells: Vec<[[i32; 3]; 2]> = [[9, 9, 9], [2, 1, 1], [-7, 0, 3]].map(|cell| [cell, cell]).to_vec();
    let many = [
        Shape::point_cloud(&points, &[0.25]).expect("legal"),
        Shape::octree_of_cells(&cells, 1.25).expect("legal"),
        Shape::height_field(&[1.0; 9], 3, [0.5, 0.5]).expect("legal"),
    ];
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    let near = Pose::from_translation([0.1, 0.2, 0.3]).expect("rigid");
    let far = Pose::from_translation([0.0, -50.0, 0.0]).expect("rigid");
    for shape in &many {
        for (mesh, pose, expected) in [(&solid, &near, true), (&surface, &near, false), (&solid, &far, false)] {
            for pair in
                [ShapePair::new(mesh, &Pose::IDENTITY, shape, pose), ShapePair::new(shape, pose, mesh, &Pose::IDENTITY)]
            {
                let pair = pair.expect("in range");
                let yes = pair.collide(&settings, &mut scratch).verdict == Verdict::Yes;
                assert_eq!(yes, expected, "{}", shape.name());
                let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
                assert_eq!(distance.upper == 0.0, expected, "{} {distance:?}", shape.name());
                assert_eq!(pair.within(0.01, &settings, &mut scratch).verdict == Verdict::Yes, expected);
                assert!(pair.penetration(&mut scratch).is_none());
                // Nothing is claimed that a spent budget left open.
                let none = Settings::new().budget(Budget::work(0));
                assert_eq!(pair.collide(&none, &mut scratch).verdict, Verdict::Maybe);
            }
        }
    }
}

/// Bounds enclose all pieces with their radii and margins, and are tight.
#[test]
fn bounds_enclose_the_pieces() {
    let mut rng = Rng::new(34);
    for round in 0..500 {
        let size = 2f64.powi(*rng.choice(&[0, -990, 990, 7]));
        let kind = ManyKind::ALL[round % 5];
        let told = Told::Many(Many::random(kind, size, rng.chance(0.5), &mut rng), 0.25 * size);
        let (low, high) = told.shape().bounds().expect("bounded");
        let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mut widest = 0.0_f64;
        for solid in told.solids(None) {
            let Core::Points(corners) = &solid.core else { unreachable!() };
            for corner in corners.iter().map(|corner| DVec3::from(*corner)) {
                (least, most) = (least.min(corner - solid.margin), most.max(corner + solid.margin));
            }
            widest = widest.max(solid.margin);
        }
        let slack = DVec3::splat(1e-15 * size * 8.0);
        assert!((low - slack).cmple(least).all() && (high + slack).cmpge(most).all(), "{told:?} {low} {high}");
        // Of balls with radii of their own the largest counts everywhere.
        let loose = if kind == ManyKind::Balls { widest } else { 1e-12 * size };
        assert!(((least - low).abs().max_element()).max((high - most).abs().max_element()) <= loose, "{told:?}");
    }
}

/// What no shape can be made of is refused by name.
#[test]
fn refusals() {
    let point = [0.0; 3];
    assert!(matches!(Shape::point_cloud(&[], &[1.0]), Err(ShapeError::NoPoints { .. })));
    assert!(matches!(
        Shape::point_cloud(&[point, [0.0, f64::NAN, 0.0]], &[1.0]),
        Err(ShapeError::BadPoint { index: 1, .. })
    ));
    assert!(matches!(Shape::point_cloud(&[[1e301, 0.0, 0.0]], &[1.0]), Err(ShapeError::BadPoint { .. })));
    assert!(matches!(Shape::point_cloud(&[point; 3], &[1.0; 2]), Err(ShapeError::WrongRadii { points: 3, radii: 2 })));
    assert!(matches!(Shape::point_cloud(&[point], &[]), Err(ShapeError::WrongRadii { .. })));
    for radius in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Shape::point_cloud(&[point], &[radius]), Err(ShapeError::BadSize { .. })), "{radius}");
    }
    assert!(matches!(Shape::height_field(&[0.0; 5], 2, [1.0; 2]), Err(ShapeError::NoGrid { .. })));
    assert!(matches!(Shape::height_field(&[0.0; 2], 2, [1.0; 2]), Err(ShapeError::NoGrid { .. })));
    assert!(matches!(Shape::height_field(&[0.0; 4], 1, [1.0; 2]), Err(ShapeError::NoGrid { .. })));
    assert!(matches!(Shape::height_field(&[], 0, [1.0; 2]), Err(ShapeError::NoGrid { .. })));
    for spacing in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
        let made = Shape::height_field(&[0.0; 9], 3, [1.0, spacing]);
        assert!(matches!(made, Err(ShapeError::NotPositive { size: "dy", .. })), "{spacing}");
    }
    let bad = Shape::height_field(&[0.0, 0.0, 0.0, 0.0, f64::NAN, 0.0], 3, [1.0; 2]);
    assert!(matches!(bad, Err(ShapeError::BadHeight { row: 1, column: 1, .. })));
    for floor in [0.5, f64::NAN, f64::NEG_INFINITY] {
        let made = Shape::solid_height_field(&[0.0; 4], 2, [1.0; 2], floor);
        assert!(matches!(made, Err(ShapeError::FloorTooHigh { .. })), "{floor}");
    }
    for resolution in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Shape::octree(&[point], resolution), Err(ShapeError::NotPositive { .. })), "{resolution}");
    }
    assert!(matches!(Shape::octree(&[[1e300, 0.0, 0.0]], 1.0), Err(ShapeError::CellTooFar { .. })));
    assert!(matches!(Shape::octree_of_cells(&[], 1.0), Err(ShapeError::NoPoints { .. })));
    let inverted = Shape::octree_of_cells(&[[[0; 3], [0, -1, 0]]], 1.0);
    assert!(matches!(inverted, Err(ShapeError::BadCells { first: 0, last: -1, .. })));
    assert!(matches!(Shape::octree_of_cells(&[[[0; 3], [1 << 29; 3]]], 1e300), Err(ShapeError::BadSize { .. })));
}

/// Sizes from the smallest to the largest, mixed in one pair: no panic, and intervals in order.
#[test]
fn mixed_sizes_do_no_harm() {
    let mut rng = Rng::new(35);
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    let mut asked = 0;
    for _ in 0..rounds(600, 20_000) {
        let exponents: Vec<i32> = (0..3).map(|_| rng.integer(-995, 995) as i32).collect();
        let [p, q, r] = [0, 1, 2].map(|i| 2f64.powi(exponents[i]));
        let a = Told::Many(Many::random(*rng.choice(&ManyKind::ALL), p, rng.chance(0.5), &mut rng), 0.0).shape();
        let b = if rng.chance(0.5) {
            Told::Many(Many::random(*rng.choice(&ManyKind::ALL), q, rng.chance(0.5), &mut rng), 0.0).shape()
        } else {
            convex(&shape_pairs::Shape::random(*rng.choice(&Kind::ALL), Sizes::Ordinary, &mut rng).scaled(q))
        };
        let a = if rng.chance(0.3) { a.grown(r).expect("legal") } else { a };
        let pose = Pose::from_rows(rng.rotation(), rng.point(-r, r)).expect("rigid");
        let (a, b) = if rng.chance(0.5) { (a, b) } else { (b, a) };
        let Ok(pair) = ShapePair::relative(&a, &b, &pose) else { continue };
        asked += 1;
        let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
        assert!(distance.lower >= 0.0 && distance.lower <= distance.upper, "{distance:?}");
        assert!(distance.upper < f64::INFINITY && distance.on_a.is_finite() && distance.on_b.is_finite());
        let yes = pair.collide(&settings, &mut scratch).verdict == Verdict::Yes;
        // Apart by less than the smallest number: only the upper end tells.
        assert!(yes == (distance.lower == 0.0) || (!yes && distance.upper <= 1e-300), "{yes} {distance:?}");
    }
    assert!(asked > 200, "{asked}");
}

/// Every point lies in a cell of its octree, also where a quotient is rounded up to the next cell;
/// and a cell is no larger than said.
#[test]
fn octrees_hold_their_points() {
    let mut rng = Rng::new(36);
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    let mut rounded = 0;
    for round in 0..rounds(2_000, 100_000) {
        let resolution = *rng.choice(&[0.1, 0.7, 1e-3, 3e-250, 1e250]);
        let multiple = |rng: &mut Rng| {
            let value = rng.integer(-2_000, 2_000) as f64 * resolution;
            *rng.choice(&[value, value.next_up(), value.next_down()])
        };
        let point = if round % 2 == 0 {
            [multiple(&mut rng), multiple(&mut rng), multiple(&mut rng)]
        } else {
            rng.point(-50.0, 50.0).map(|value| value * resolution)
        };
        rounded += usize::from(point.iter().any(|value| (value / resolution).floor() * resolution > *value));
        let octree = Shape::octree(&[point], resolution).expect("legal");
        let at = Pose::from_translation(point).expect("rigid");
        let alone = Shape::ball(0.0).expect("legal");
        let pair = ShapePair::relative(&octree, &alone, &at).expect("in range");
        assert_eq!(pair.collide(&settings, &mut scratch).verdict, Verdict::Yes, "{point:?} {resolution:e}");
        let (low, high) = octree.bounds().expect("bounded");
        let slack = 1e-12 * resolution;
        assert!(((high - low) - resolution).abs().max_element() <= slack, "{point:?} {resolution:e}");
    }
    assert!(rounded > 5, "{rounded} quotients were rounded up");
}
