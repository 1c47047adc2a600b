//! Meshes that keep their hulls ([`Shape::with_hull`]) say what brute force over all triangles
//! says, to the bit, and what meshes without them say beside other shapes.

use nearhit::research::primitive::distance::distance;
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Mesh, Model, Pose, Scratch, Seed, Settings, Tolerance, TrianglePair, Verdict};
use nearhit_testkit::Soup;
use nearhit_testkit::mates::{Cut, circle, gear, prism};
use nearhit_testkit::rng::Rng;
use std::sync::Arc;

/// How many poses: more with `NEARHIT_LONG=1`.
fn rounds(few: usize, many: usize) -> usize {
    if std::env::var("NEARHIT_LONG").is_ok_and(|told| told != "0") { many } else { few }
}

/// A ball of triangles with dents.
fn lump(rng: &mut Rng, dents: f64) -> Soup {
    let mut soup = prism(&circle(12, 1.0, 0.0), -1.0, 1.0, Cut::Rings);
    for vertex in &mut soup.vertices {
        let length = vertex.iter().map(|value| value * value).sum::<f64>().sqrt().max(0.1);
        let radius = 1.0 - dents * rng.range(0.0, 1.0);
        *vertex = vertex.map(|value| value / length * radius);
    }
    soup
}

/// Two posts on a plate: what is between them is far from the hull.
fn fork() -> Soup {
    let parts = [([-1.0, -0.2], -1.0, -0.8, 2.0), ([-1.0, -0.2], -0.7, 1.0, 0.3), ([0.7, -0.2], -0.7, 1.0, 0.3)];
    let mut soup = Soup { vertices: Vec::new(), triangles: Vec::new() };
    for ([x, y], low, high, width) in parts {
        let outline = [[x, y], [x + width, y], [x + width, y + 0.4], [x, y + 0.4]];
        let part = prism(&outline, low, high, Cut::RimFan);
        let first = soup.vertices.len() as u32;
        soup.vertices.extend(part.vertices);
        soup.triangles.extend(part.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
    }
    soup
}

fn meshes() -> Vec<Mesh> {
    let mut rng = Rng::new(41);
    let soups = [
        lump(&mut rng, 0.0),
        lump(&mut rng, 0.3),
        fork(),
        prism(&circle(24, 0.6, 0.3), -1.5, 1.5, Cut::Fan),
        prism(&gear(7, 0.5, 0.9), -0.2, 0.2, Cut::Fan),
        Soup { vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.3, 0.8, 0.0]], triangles: vec![[0, 1, 2]] },
    ];
    soups.iter().map(|soup| Mesh::new(&soup.vertices, &soup.triangles).expect("legal")).collect()
}

/// Near and far, turned at random or not at all: then faces are parallel.
fn pose(rng: &mut Rng) -> Pose {
    let apart = [0.3, 1.5, 3.0, 8.0, 60.0][rng.below(5)];
    let translation = rng.point(-apart, apart);
    if rng.below(4) == 0 {
        return Pose::from_translation(translation.map(|value| (value * 4.0).round() / 4.0)).expect("finite");
    }
    Pose::from_rows(rng.rotation(), translation).expect("rigid")
}

/// The least canonical distance of two triangles.
fn brute_force(a: &Mesh, b: &Mesh, a_from_b: &Pose) -> f64 {
    let corners = |mesh: &Mesh, index: usize| mesh.triangles()[index].map(|corner| mesh.vertices()[corner as usize]);
    let posed: Vec<_> =
        (0..b.triangles().len()).map(|index| corners(b, index).map(|corner| a_from_b.apply(corner))).collect();
    let all = (0..a.triangles().len()).flat_map(|i| posed.iter().map(move |other| (i, other)));
    all.map(|(i, other)| distance(&corners(a, i), other).distance).fold(f64::INFINITY, f64::min)
}

#[test]
fn distances_of_meshes_are_those_of_brute_force() {
    let (mut rng, mut scratch) = (Rng::new(42), Scratch::new());
    let meshes = meshes();
    let shapes: Vec<_> = meshes.iter().map(|mesh| Shape::mesh(Model::new(mesh.clone())).with_hull()).collect();
    let (mut by_hulls, mut by_trees, mut touching) = (0, 0, 0);
    for round in 0..rounds(1500, 20_000) {
        let (i, j) = (round % meshes.len(), rng.below(meshes.len()));
        let a_from_b = pose(&mut rng);
        let expected = brute_force(&meshes[i], &meshes[j], &a_from_b);
        let pair = ShapePair::new(&shapes[i], &Pose::IDENTITY, &shapes[j], &a_from_b).expect("near");
        let seed = Some(Seed(TrianglePair { a: rng.below(9) as u32, b: rng.below(9) as u32 }));
        for seed in [None, seed] {
            let found = pair.distance(Tolerance::EXACT, &Settings::new().seed(seed), &mut scratch);
            assert_eq!((found.lower, found.upper), (expected, expected), "{i} {j} {a_from_b:?}");
            let apart = (found.on_b - found.on_a).length();
            assert!((apart - expected).abs() <= 1e-12 * (1.0 + expected), "{apart} {expected}");
            match found.stats.volume_tests {
                _ if expected == 0.0 => touching += 1,
                0 => by_hulls += 1,
                _ => by_trees += 1,
            }
        }
        for limit in [expected, expected.next_down(), expected.next_up(), 0.9 * expected, 1.1 * expected] {
            let within = pair.within(limit, &Settings::default(), &mut scratch);
            let verdict = if limit >= expected { Verdict::Yes } else { Verdict::No };
            assert_eq!(within.verdict, verdict, "{i} {j} {limit} {expected}");
            assert!(within.lower <= expected, "{} {expected}", within.lower);
        }
    }
    let all = by_hulls + by_trees + touching;
    assert!(by_hulls > all / 3 && by_trees > all / 100 && touching > all / 20, "{by_hulls} {by_trees} {touching}");
}

#[test]
fn grown_and_solid_meshes_are_as_far_apart_as_without_hulls() {
    let (mut rng, mut scratch) = (Rng::new(43), Scratch::new());
    let models: Vec<_> = meshes().into_iter().map(|mesh| Arc::new(Model::new(mesh))).collect();
    for round in 0..rounds(600, 10_000) {
        let [a, b] = [round % models.len(), rng.below(models.len())].map(|index| {
            let model = Arc::clone(&models[index]);
            let shape = if rng.below(2) == 0 { Shape::mesh(model) } else { Shape::solid(model) };
            if rng.below(2) == 0 { shape } else { shape.grown(rng.range(0.0, 0.5)).expect("legal") }
        });
        let a_from_b = pose(&mut rng);
        let plain = ShapePair::new(&a, &Pose::IDENTITY, &b, &a_from_b).expect("near");
        let expected = plain.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
        let (a, b) = (a.clone().with_hull(), b.clone().with_hull());
        let pair = ShapePair::new(&a, &Pose::IDENTITY, &b, &a_from_b).expect("near");
        let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
        assert_eq!((found.lower, found.upper), (expected.lower, expected.upper), "{a_from_b:?}");
        let limit = rng.range(0.0, 3.0);
        let [mine, theirs] = [&pair, &plain].map(|pair| pair.within(limit, &Settings::default(), &mut scratch).verdict);
        assert_eq!(mine, theirs, "{limit}");
    }
}

#[test]
fn meshes_are_as_far_from_shapes_as_without_hulls() {
    let (mut rng, mut scratch) = (Rng::new(44), Scratch::new());
    let meshes: Vec<_> = meshes().into_iter().map(|mesh| Arc::new(Model::new(mesh))).collect();
    let others = [
        Shape::ball(0.4),
        Shape::capsule(0.2, 1.0),
        Shape::cuboid([0.5, 1.0, 1.5]),
        Shape::cuboid([0.5, 1.0, 1.5]).and_then(|shape| shape.grown(0.1)),
        Shape::cylinder(0.3, 1.2),
        Shape::cone(0.5, 0.7),
        Shape::ellipsoid([0.2, 0.5, 0.9]),
        Shape::hull(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.2], [0.2, 0.2, 1.0]]),
    ]
    .map(|shape| shape.expect("legal"));
    let (mut by_hulls, mut by_trees) = (0, 0);
    for round in 0..rounds(1500, 20_000) {
        let (model, other) = (Arc::clone(&meshes[round % meshes.len()]), &others[rng.below(others.len())]);
        let mesh = if rng.below(2) == 0 { Shape::mesh(model) } else { Shape::solid(model) };
        let mesh = if rng.below(3) > 0 { mesh } else { mesh.grown(0.2).expect("legal") };
        let (a_from_b, kept, mesh_first) = (pose(&mut rng), mesh.clone().with_hull(), rng.below(2) == 0);
        let [plain, pair] = [&mesh, &kept].map(|mesh| {
            let (a, b) = if mesh_first { (mesh, other) } else { (other, mesh) };
            ShapePair::new(a, &Pose::IDENTITY, b, &a_from_b).expect("near")
        });
        let expected = plain.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
        let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch);
        assert_eq!((found.lower, found.upper), (expected.lower, expected.upper), "{} {a_from_b:?}", other.name());
        *(if found.stats.volume_tests == 0 { &mut by_hulls } else { &mut by_trees }) += 1;
    }
    assert!(by_hulls > by_trees / 2 && by_trees > by_hulls / 20, "{by_hulls} {by_trees}");
}
