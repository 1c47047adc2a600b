//! Checks of one configuration, beside distances of balls computed by hand.

mod support;

use nearhit::shape::Shape;
use nearhit::{Limit, Mesh, Model, Pose};
use nearhit_robot::{CheckError, CheckOptions, Checker, LoadGeometry, Random, ReadOptions, Robot, Solids};
use std::path::Path;
use std::sync::Arc;
use support::{ARM, FLYER, expected, robot};

/// Balls on links: link, place on it, radius.
const BALLS: [(&str, [f64; 3], f64); 7] = [
    ("base", [0.0, 0.0, 0.0], 0.11),
    ("shoulder", [0.0, 0.1, 0.1], 0.09),
    ("upper", [0.0, 0.0, 0.2], 0.12),
    ("fore", [0.05, 0.0, 0.2], 0.1),
    ("hand", [0.0, 0.0, 0.05], 0.08),
    ("left", [0.0, 0.0, 0.08], 0.03),
    ("right", [0.0, 0.0, 0.08], 0.03),
];
/// A ball that stands in the world.
const POST: ([f64; 3], f64) = ([0.4, 0.1, 0.5], 0.15);

fn balls() -> Checker {
    let options = ReadOptions::new().geometry(LoadGeometry::Nothing);
    let robot = Robot::parse(ARM, Path::new("arm.urdf"), &options).expect("a good robot");
    let mut checker = Checker::new(robot, CheckOptions::default()).expect("a good robot");
    for (link, place, radius) in BALLS {
        let shape = Shape::ball(radius).expect("a ball");
        checker
            .attach(link, &format!("{link} ball"), shape, Pose::from_translation(place).expect("a place"))
            .expect("a link");
    }
    let post = Shape::ball(POST.1).expect("a ball");
    checker.add_to_world("post", post, Pose::from_translation(POST.0).expect("a place")).expect("a new body");
    checker
}

/// Gaps of all pairs that are not adjacent, by the names of the bodies.
fn gaps(q: &[f64]) -> Vec<([String; 2], f64)> {
    let links = ["base", "shoulder", "upper", "fore", "flange", "hand", "left", "right"];
    let matrices = expected(ARM, q);
    let mut bodies: Vec<(String, [f64; 3], f64)> = Vec::new();
    for (link, place, radius) in BALLS {
        let matrix = &matrices[links.iter().position(|name| *name == link).expect("a link")];
        let center = std::array::from_fn(|i| matrix[i][3] + (0..3).map(|j| matrix[i][j] * place[j]).sum::<f64>());
        bodies.push((format!("{link} ball"), center, radius));
    }
    bodies.push(("post".into(), POST.0, POST.1));
    let adjacent = ["base shoulder", "shoulder upper", "upper fore", "fore hand", "hand left", "hand right"];
    let mut gaps = Vec::new();
    for (index, a) in bodies.iter().enumerate() {
        for b in &bodies[index + 1..] {
            let links = format!("{} {}", a.0, b.0).replace(" ball", "");
            if !adjacent.contains(&links.as_str()) {
                let apart = (0..3).map(|i| (a.1[i] - b.1[i]).powi(2)).sum::<f64>().sqrt();
                gaps.push(([a.0.clone(), b.0.clone()], apart - a.2 - b.2));
            }
        }
    }
    gaps
}

#[test]
fn answers_are_those_of_balls_by_hand() {
    let checker = balls();
    let mut scratch = checker.scratch();
    let mut random = Random::new(4);
    let names = |pair: nearhit_robot::BodyPair| [pair.a, pair.b].map(|body| checker.bodies()[body].name.clone());
    let (mut touching, mut clear) = (0, 0);
    let (mut contacts, mut distances, mut near) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..400 {
        let q = checker.robot().random_configuration(&mut random);
        let gaps = gaps(&q);
        checker.contacts(&q, &mut scratch, &mut contacts).expect("an answer");
        let found: Vec<_> = contacts.iter().map(|&pair| names(pair)).collect();
        let expected: Vec<_> = gaps.iter().filter(|(_, gap)| *gap <= 0.0).map(|(pair, _)| pair.clone()).collect();
        assert_eq!(found, expected);
        assert_eq!(checker.collides(&q, &mut scratch).expect("an answer"), !expected.is_empty());
        assert_eq!(checker.first_contact(&q, &mut scratch).expect("an answer"), contacts.first().copied());
        checker.distances(&q, &mut scratch, &mut distances).expect("an answer");
        assert_eq!(distances.len(), gaps.len());
        for (distance, (pair, gap)) in distances.iter().zip(&gaps) {
            assert_eq!(&names(distance.pair), pair);
            let expected = gap.max(0.0);
            assert!(
                distance.lower <= expected + 1e-13
                    && expected <= distance.upper + 1e-13
                    && distance.upper - distance.lower < 1e-13
            );
        }
        let smallest = gaps.iter().map(|(_, gap)| gap.max(0.0)).fold(f64::INFINITY, f64::min);
        let closest = checker.closest(&q, &mut scratch).expect("an answer").expect("there are pairs");
        assert!((closest.upper - smallest).abs() < 1e-13, "{closest:?} {smallest}");
        let apart = (0..3).map(|i| (closest.on_a[i] - closest.on_b[i]).powi(2)).sum::<f64>().sqrt();
        assert!((apart - closest.upper).abs() < 1e-13);
        checker.pairs_within(&q, 0.05, &mut scratch, &mut near).expect("an answer");
        assert_eq!(near.len(), gaps.iter().filter(|(_, gap)| *gap <= 0.05).count());
        if expected.is_empty() { clear += 1 } else { touching += 1 }
    }
    assert!(touching > 50 && clear > 50, "{touching} {clear}");
}

#[test]
fn gradients_are_what_small_steps_do() {
    const BY: f64 = 1e-6;
    let checker = balls();
    let mut scratch = checker.scratch();
    let mut random = Random::new(7);
    let (mut gradient, mut compared) = (Vec::new(), 0);
    for _ in 0..400 {
        let q = checker.robot().random_configuration(&mut random);
        let closest = checker.closest(&q, &mut scratch).expect("an answer").expect("there are pairs");
        if !checker.gradient(&q, &closest, &mut scratch, &mut gradient).expect("an answer") {
            assert_eq!(closest.upper, 0.0);
            continue;
        }
        for index in 0..q.len() {
            let ends = [-BY, BY].map(|by| {
                let mut moved = q.clone();
                moved[index] += by;
                let closest = checker.closest(&moved, &mut scratch).expect("an answer").expect("there are pairs");
                (closest.pair, closest.upper)
            });
            if ends[0].0 != ends[1].0 {
                continue;
            }
            let slope = (ends[1].1 - ends[0].1) / (2.0 * BY);
            assert!((slope - gradient[index]).abs() < 1e-5, "{index} {slope} {}", gradient[index]);
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn padding_is_as_much_closer() {
    let mut checker = balls();
    let mut scratch = checker.scratch();
    let q = [0.3, 0.2, -0.4, 0.0, 0.02];
    let mut before = Vec::new();
    checker.distances(&q, &mut scratch, &mut before).expect("an answer");
    checker.pad("upper", 0.01).expect("a link");
    let mut after = Vec::new();
    checker.distances(&q, &mut scratch, &mut after).expect("an answer");
    for (before, after) in before.iter().zip(&after) {
        let [a, b] = [before.pair.a, before.pair.b].map(|body| checker.bodies()[body].name == "upper ball");
        let expected = if a || b { (before.upper - 0.01).max(0.0) } else { before.upper };
        assert!((after.upper - expected).abs() < 1e-14, "{before:?} {after:?}");
    }
    assert!(matches!(checker.pad("upper", f64::NAN), Err(CheckError::Length { .. })));
    assert!(matches!(checker.pad("wheel", 0.1), Err(CheckError::NoSuch { .. })));
}

#[test]
fn bodies_come_and_go() {
    let mut checker = Checker::new(robot(ARM), CheckOptions::default()).expect("a good robot");
    let pairs = checker.pairs().len();
    let stick = || Shape::cylinder(0.01, 0.5).expect("a stick");
    checker.attach("hand", "stick", stick(), Pose::IDENTITY).expect("a link");
    assert!(checker.bodies().last().is_some_and(|body| body.is_attached));
    assert!(checker.pairs().len() > pairs);
    assert_eq!(checker.add_to_world("stick", stick(), Pose::IDENTITY), Err(CheckError::Twice { name: "stick".into() }));
    checker.remove("stick").expect("it is there");
    assert_eq!(checker.pairs().len(), pairs);
    assert!(checker.remove("base").is_err(), "links stay");
    let mut allowed = checker.allowed().clone();
    let [left, right] = ["left", "right"].map(|name| checker.robot().link(name).expect("a link"));
    allowed.allow(left, right);
    checker.set_allowed(allowed.clone());
    assert_eq!(checker.pairs().len(), pairs - 1);
    allowed.check(right, left);
    checker.set_allowed(allowed);
    assert_eq!(checker.pairs().len(), pairs);
}

/// A closed cube with corners at plus and minus one.
fn cube() -> Mesh {
    let corners: Vec<[f64; 3]> =
        (0..8).map(|i| [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { -1.0 } else { 1.0 })).collect();
    let faces = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    Mesh::new(&corners, &faces).expect("a cube")
}

#[test]
fn what_is_inside_a_closed_mesh_touches_it_unless_it_is_a_surface() {
    let rest = [-1.0, -2.0, -3.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    for (solids, expected) in [(Solids::Solid, true), (Solids::Surface, false)] {
        let mut checker = Checker::new(robot(FLYER), CheckOptions::new().solids(solids)).expect("a good robot");
        let hull = checker.robot().joints()[0].parent_from_joint;
        let room = solids.shape(Arc::new(Model::new(cube())));
        checker.add_to_world("room", room, Pose::IDENTITY).expect("a new body");
        let mut scratch = checker.scratch();
        // The joint's frame is turned: its slide is given there.
        let place = hull.inverse().apply([0.0, 0.0, 0.0].into());
        let mut q = rest;
        (q[0], q[1], q[2]) = (place.x, place.y, place.z);
        assert_eq!(checker.collides(&q, &mut scratch).expect("an answer"), expected, "{solids:?}");
        let closest = checker.closest(&q, &mut scratch).expect("an answer").expect("there are pairs");
        assert_eq!(closest.upper == 0.0, expected);
    }
}

/// A ball that slides along x and y out of a room of the given mesh.
fn shell(mesh: &Mesh, solids: Solids) -> Checker {
    let folder = std::env::temp_dir().join(format!("nearhit-shell-{}-{solids:?}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let corners = mesh.vertices().iter().map(|p| format!("v {} {} {}\n", p.x, p.y, p.z));
    let faces = mesh.triangles().iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    std::fs::write(folder.join("room.obj"), corners.chain(faces).collect::<String>()).expect("a file");
    let text = r#"<robot name="shell"><link name="room"><collision><geometry><mesh filename="room.obj"/></geometry></collision></link>
        <link name="mid"/><link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="x" type="prismatic"><parent link="room"/><child link="mid"/><limit lower="-2" upper="2"/></joint>
        <joint name="y" type="prismatic"><parent link="mid"/><child link="ball"/><axis xyz="0 1 0"/><limit lower="-2" upper="2"/></joint></robot>"#;
    let robot = Robot::parse(text, &folder.join("shell.urdf"), &ReadOptions::default()).expect("a good robot");
    let checker = Checker::new(robot, CheckOptions::new().solids(solids)).expect("a good robot");
    std::fs::remove_dir_all(&folder).expect("it is there");
    checker
}

#[test]
fn meshes_of_links_are_solids_where_they_are_closed() {
    let closed = cube();
    let corners: Vec<[f64; 3]> = closed.vertices().iter().map(|p| p.to_array()).collect();
    let open = Mesh::new(&corners, &closed.triangles()[..11]).expect("a cube with a hole");
    for (mesh, solids, is_solid) in
        [(&closed, Solids::Solid, true), (&closed, Solids::Surface, false), (&open, Solids::Solid, false)]
    {
        let checker = shell(mesh, solids);
        let mut scratch = checker.scratch();
        let mut touches = |x: f64| checker.collides(&[x, 0.0], &mut scratch).expect("an answer");
        assert_eq!([0.0, 0.95, 1.5].map(&mut touches), [is_solid, true, false], "{solids:?}");
    }
}

#[test]
fn many_configurations_are_as_one_by_one() {
    use nearhit::batch::{BatchError, BatchOptions};
    let (checker, mut random) = (balls(), Random::new(11));
    let mut all: Vec<f64> = (0..1000).flat_map(|_| checker.robot().random_configuration(&mut random)).collect();
    let found = checker.collides_each(&all).expect("answers");
    let mut scratch = checker.scratch();
    let one_by_one: Vec<bool> =
        all.chunks(5).map(|q| checker.first_contact(q, &mut scratch).expect("an answer").is_some()).collect();
    assert_eq!(found, one_by_one);
    assert!(found.iter().filter(|&&touches| touches).count() > 100);
    // What was learned of one checker is not used for another.
    let other = Checker::new(robot(ARM), CheckOptions::default()).expect("a good robot");
    for q in all.chunks(5).take(100) {
        let expected = other.first_contact(q, &mut scratch).expect("an answer").is_some();
        assert_eq!(other.collides(q, &mut scratch), Ok(expected));
        assert_eq!(checker.collides(q, &mut scratch), checker.first_contact(q, &mut scratch).map(|it| it.is_some()));
    }
    all[777 * 5 + 2] = f64::NAN;
    let refused = checker.collides_each(&all);
    assert!(matches!(refused, Err(BatchError::Refused { index: 777, .. })), "{refused:?}");
    assert!(checker.collides_each(&all[1..]).is_err());
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let stopped = checker.each(&all, &BatchOptions::new().cancel(&cancel), Checker::collides);
    assert!(matches!(stopped, Err(BatchError::Cancelled { count: 1000, .. })), "{stopped:?}");
}

/// A bracket: a box with a corner cut out, as triangles, closed.
fn bracket() -> Mesh {
    let outline = [[0.0, 0.0], [0.6, 0.0], [0.6, 0.1], [0.1, 0.1], [0.1, 0.5], [0.0, 0.5]];
    let corners: Vec<[f64; 3]> = [0.0, 0.2].iter().flat_map(|&z| outline.map(|[x, y]| [x, y, z])).collect();
    let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let mut faces: Vec<[u32; 3]> = caps.iter().flat_map(|&[a, b, c]| [[a, c, b], [a + 6, b + 6, c + 6]]).collect();
    for index in 0..6_u32 {
        let next = (index + 1) % 6;
        faces.extend([[index, next, next + 6], [index, next + 6, index + 6]]);
    }
    Mesh::new(&corners, &faces).expect("a bracket")
}

/// Points inside, and corners; and nothing of a ball is farther out than is told.
#[test]
fn balls_of_a_mesh_contain_it_and_stick_out_as_told() {
    use nearhit_robot::MeshSpheres;
    let (model, mut random) = (Arc::new(Model::new(bracket())), Random::new(5));
    let (shape, mut scratch) = (Shape::solid(Arc::clone(&model)), nearhit::Scratch::new());
    let (low, high) = shape.bounds().expect("an end");
    let enough = MeshSpheres::sticking_out_at_most(&model, 0.1).expect("balls");
    assert!(enough.sticks_out() <= 0.1 && enough.spheres().len() < 1000, "{}", enough.spheres().len());
    let few = [1, 7, 50].map(|count| MeshSpheres::new(Arc::clone(&model), count).expect("balls"));
    for balls in few.iter().chain([&enough]) {
        let holds = |point: nearhit::glam::DVec3| {
            balls.spheres().iter().any(|&(center, radius)| point.distance(center.into()) <= radius)
        };
        assert!(model.mesh().vertices().iter().all(|&vertex| holds(vertex)));
        for _ in 0..5000 {
            let point = [0, 1, 2].map(|axis| random.between(low[axis], high[axis])).into();
            assert!(!shape.contains(point, &mut scratch).expect("a point") || holds(point), "{point}");
        }
        let mut most = 0.0_f64;
        for _ in 0..3000 {
            let (center, radius) = balls.spheres()[random.between(0.0, balls.spheres().len() as f64) as usize];
            let out = nearhit::glam::DVec3::from([0; 3].map(|_| random.between(-1.0, 1.0))).normalize_or_zero();
            let gap = shape.signed_distance(nearhit::glam::DVec3::from(center) + radius * out, &mut scratch);
            most = most.max(gap.expect("a point").lower);
        }
        assert!(most <= balls.sticks_out() && most > 0.3 * balls.sticks_out(), "{most} {}", balls.sticks_out());
    }
    for limit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(MeshSpheres::sticking_out_at_most(&model, limit), Err(CheckError::NotAbove { .. })));
    }
}

/// As many balls as there are cells: nothing is contained by a neighbour's ball. A slanted sheet,
/// whose cells hold nothing but pieces of triangles, and a block, whose cells inside hold nothing
/// but corners of cells.
#[test]
fn small_balls_contain_every_point_of_a_mesh() {
    use nearhit_robot::MeshSpheres;
    let corners = [[-0.3, -0.5, 0.1], [0.9, -0.4, 0.5], [0.8, 0.7, 0.2], [-0.2, 0.6, -0.1]];
    let sheet = Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]).expect("a sheet");
    let mut random = Random::new(6);
    let balls = MeshSpheres::new(Arc::new(Model::new(sheet)), 150).expect("balls");
    let holds = |balls: &MeshSpheres, point: nearhit::glam::DVec3| {
        balls.spheres().iter().any(|&(center, radius)| point.distance(center.into()) <= radius)
    };
    for _ in 0..20_000 {
        let [a, b] = [random.between(0.0, 1.0), random.between(0.0, 1.0)];
        let (near, far) = (a.min(b), a.max(b));
        let weights = [near, far - near, 1.0 - far];
        let triangle = if random.between(0.0, 1.0) < 0.5 { [0, 1, 2] } else { [0, 2, 3] };
        let corner = |index: usize| nearhit::glam::DVec3::from(corners[triangle[index]]) * weights[index];
        let point = corner(0) + corner(1) + corner(2);
        assert!(holds(&balls, point), "{point} of the sheet, {} balls", balls.spheres().len());
    }
    let block: Vec<[f64; 3]> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let block = Arc::new(Model::new(Mesh::new(&block, &faces).expect("a block")));
    let balls = MeshSpheres::new(block, 120).expect("balls");
    for _ in 0..20_000 {
        let point = [0; 3].map(|_| random.between(0.0, 1.0)).into();
        assert!(holds(&balls, point), "{point} of the block, {} balls", balls.spheres().len());
    }
}

#[test]
fn balls_contain_every_point_of_their_link() {
    use nearhit_robot::SphereCount;
    let mut checker = Checker::new(robot(ARM), CheckOptions::default()).expect("a good robot");
    let turned = Pose::from_quaternion([0.1, 0.7, 0.1, 0.7], [0.2, -0.1, 0.05]).expect("a pose");
    let model = Arc::new(Model::new(bracket()));
    checker.attach("flange", "bracket", Shape::solid(Arc::clone(&model)), turned).expect("a link");
    checker.pad("hand", 0.02).expect("a link");
    checker.pad("flange", 0.05).expect("a link");
    let mut random = Random::new(21);
    let mut radii = Vec::new();
    for count in [SphereCount::Total(8), SphereCount::Total(40), SphereCount::PerLink(5)] {
        let balls = checker.spheres(count).expect("balls");
        let largest = balls.iter().flat_map(|own| &own.spheres).map(|(_, radius)| *radius).fold(0.0, f64::max);
        radii.push(largest);
        let mut inside = 0;
        for body in checker.bodies() {
            let nearhit_robot::ParentFrame::Link(link) = body.parent else { continue };
            let own = balls.iter().find(|own| own.link == link).expect("balls of the link");
            let (low, high) = body.shape.bounds().expect("an end");
            for _ in 0..3000 {
                let place = [0, 1, 2].map(|axis| random.between(low[axis], high[axis]));
                let (dot, at) = (Shape::ball(0.0).expect("a dot"), Pose::from_translation(place).expect("a place"));
                let pair = nearhit::shape::ShapePair::new(&body.shape, &Pose::IDENTITY, &dot, &at).expect("a pair");
                let settings = nearhit::Settings::default();
                if pair.collide(&settings, &mut nearhit::Scratch::new()).verdict == nearhit::Verdict::No {
                    continue;
                }
                inside += 1;
                let point = body.parent_from_body.apply(place.into()).to_array();
                let gap = |(center, radius): &([f64; 3], f64)| {
                    (0..3).map(|i| (center[i] - point[i]).powi(2)).sum::<f64>().sqrt() - radius
                };
                assert!(own.spheres.iter().any(|ball| gap(ball) <= 0.0), "{} {place:?} {count:?}", body.name);
            }
        }
        assert!(inside > 5000, "{inside}");
    }
    assert!(radii[1] < 0.6 * radii[0], "more balls are smaller: {radii:?}");
    let plane = Shape::half_space([0.0, 0.0, 1.0], 0.0).expect("a half-space");
    checker.attach("hand", "plane", plane, Pose::IDENTITY).expect("a link");
    assert!(matches!(checker.spheres(SphereCount::Total(10)), Err(CheckError::Shape { .. })));
}

/// A closed ring of 24 by 12 quadrilaterals.
fn torus() -> Mesh {
    let (around, across) = (24_u32, 12_u32);
    let turn = |i: u32, of: u32| (f64::from(i) / f64::from(of) * std::f64::consts::TAU).sin_cos();
    let corner = |i: u32| {
        let ((sine, cosine), (height, out)) = (turn(i / across, around), turn(i % across, across));
        let radius = 0.12 + 0.04 * out;
        [radius * cosine, radius * sine, 0.04 * height]
    };
    let vertices: Vec<[f64; 3]> = (0..around * across).map(corner).collect();
    let at = |i: u32, j: u32| i % around * across + j % across;
    let quad = |i: u32, j: u32| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    let triangles: Vec<[u32; 3]> = (0..around * across).flat_map(|k| quad(k / across, k % across)).collect();
    Mesh::new(&vertices, &triangles).expect("a mesh")
}

/// A robot with meshes for hands, in a world of meshes.
fn meshes() -> Checker {
    let mut checker = balls();
    let ring = Shape::solid(Model::new(torus()));
    for link in ["fore", "hand"] {
        checker.attach(link, &format!("{link} ring"), ring.clone(), Pose::IDENTITY).expect("a link");
    }
    let place = Pose::from_translation([0.3, -0.2, 0.6]).expect("a place");
    checker.add_to_world("ring", ring, place).expect("a new body");
    checker
}

/// With a limit nothing that touches is said to be free, intervals hold, and what is open is
/// counted.
#[test]
fn limits_leave_pairs_undecided() {
    let checker = meshes();
    let (mut exact, mut limited) = (checker.scratch(), checker.scratch());
    let (mut random, mut open, mut free, mut wide) = (Random::new(12), 0, 0, 0);
    for (limit, _) in
        [0, 5, 50, 500, 100_000_000].into_iter().flat_map(|limit| (0..40).map(move |round| (limit, round)))
    {
        limited.limit = Limit::Work(limit);
        let q = checker.robot().random_configuration(&mut random);
        let truth = checker.collides(&q, &mut exact).expect("an answer");
        let said = checker.collides(&q, &mut limited).expect("an answer");
        assert!(said || !truth, "{limit}: {q:?}");
        assert!(said == truth || limited.undecided > 0, "{limit}: {q:?}");
        open += limited.undecided;
        let (mut all, mut told) = (Vec::new(), Vec::new());
        checker.pairs_within(&q, 0.1, &mut exact, &mut all).expect("an answer");
        checker.pairs_within(&q, 0.1, &mut limited, &mut told).expect("an answer");
        assert!(all.iter().all(|pair| told.contains(pair)) && told.len() <= all.len() + limited.undecided, "{limit}");
        let (mut all, mut told) = (Vec::new(), Vec::new());
        checker.distances(&q, &mut exact, &mut all).expect("an answer");
        checker.distances(&q, &mut limited, &mut told).expect("an answer");
        for (one, other) in all.iter().zip(&told) {
            assert!(other.lower <= one.upper && one.lower <= other.upper, "{limit}: {one:?} {other:?}");
            wide += usize::from(one != other);
        }
        let truth = checker.closest(&q, &mut exact).expect("an answer").expect("a pair");
        let closest = checker.closest(&q, &mut limited).expect("an answer").expect("a pair");
        assert!(closest.lower <= truth.upper && truth.lower <= closest.upper, "{limit}: {closest:?} {truth:?}");
        free += usize::from(!said);
        assert!(limit < 1_000_000 || limited.undecided == 0);
        assert_eq!(exact.undecided, 0);
    }
    assert!(open > 2 && free > 10 && wide > 100, "{open} open, {free} free, {wide} wide");
}
