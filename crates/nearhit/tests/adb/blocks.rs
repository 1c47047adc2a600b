//! Boxes in single precision: never apart wrongly, and nearly as tight as the trees' own.

use nearhit::research::MeshExt;
use nearhit::research::ModelExt;
use nearhit::research::PairExt;
use nearhit::research::VolumeKind;
use nearhit::research::adb::patch::Across;
use nearhit::research::adb::{Averages, Options, Outcome, Quality};
use nearhit::research::build::BuildOptions;
use nearhit::research::hierarchy::AnyHierarchy;
use nearhit::research::volume::{BoundingVolume, Placement};
use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings, Verdict};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Soup, shapes};

fn model(soup: &Soup) -> Model {
    let mesh = Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh");
    Model::with(mesh, VolumeKind::Obb, &BuildOptions::default())
}

fn table(model: &Model) -> Averages {
    Averages::new(model, &Options::default())
}

fn across(models: [&Model; 2], tables: [&Averages; 2], pose: &Pose) -> Across {
    let placement = Placement::new(pose, models[0].mesh().max_coordinate(), models[1].mesh().max_coordinate());
    Across::new(tables[0].pieces().expect("kept"), tables[1].pieces().expect("kept"), &placement)
}

/// A few triangles, some of them slivers.
fn cluster(rng: &mut Rng, size: f64, away: f64) -> Soup {
    let flat = if rng.chance(0.5) { 1e-3 } else { 1.0 };
    let count = 1 + rng.u64() % 3;
    let vertices = (0..3 * count).map(|_| {
        let [x, y, z] = rng.point(-1.0, 1.0);
        [x * size + away, y * size * flat, z * size - away]
    });
    Soup { vertices: vertices.collect(), triangles: (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect() }
}

/// The corner farthest in a direction.
fn farthest(soup: &Soup, way: [f64; 3]) -> [f64; 3] {
    let along = |p: &[f64; 3]| p[0] * way[0] + p[1] * way[1] + p[2] * way[2];
    *soup.vertices.iter().max_by(|p, q| along(p).total_cmp(&along(q))).expect("corners")
}

/// Put together corner to corner, so that nothing but these two touches; at every scale, far from
/// the origin, and a small one at a large one.
#[test]
fn what_touches_is_not_apart() {
    let mut rng = Rng::new(31);
    let mut apart_when_moved = 0;
    for round in 0..4_000 {
        let scale = [1.0, 1e-6, 1e6][round % 3];
        let away = [0.0, 3.0, 1e4][round / 3 % 3] * scale;
        let (a, b) =
            (cluster(&mut rng, scale, away), cluster(&mut rng, scale * [1.0, 0.03, 1e-3][round / 9 % 3], away));
        let (rows, way) = (rng.rotation(), rng.unit_vector());
        let turned = |p: [f64; 3]| -> [f64; 3] { std::array::from_fn(|i| (0..3).map(|j| rows[i][j] * p[j]).sum()) };
        let back: [f64; 3] = std::array::from_fn(|j| (0..3).map(|i| -rows[i][j] * way[i]).sum());
        let (of_a, of_b) = (farthest(&a, way), turned(farthest(&b, back)));
        let (model_a, model_b) = (model(&a), model(&b));
        let tables = [&model_a, &model_b].map(table);
        let apart = |moved: f64| {
            let pose =
                Pose::from_rows(rows, std::array::from_fn(|i| of_a[i] - of_b[i] + moved * way[i])).expect("a pose");
            let across = across([&model_a, &model_b], [&tables[0], &tables[1]], &pose);
            across.apart(tables[0].pieces().expect("kept").block(0), tables[1].pieces().expect("kept").block(0))
        };
        assert!(!apart(0.0), "round {round}");
        assert!(!apart(-1e-9 * scale), "round {round}");
        apart_when_moved += usize::from(apart(2.0 * scale));
    }
    assert!(apart_when_moved > 3_000, "{apart_when_moved}");
}

/// Of pairs of nodes that the trees' boxes tell apart in double precision, nearly all are apart
/// here; of those that meet, nearly none.
#[test]
fn boxes_are_as_tight_as_the_trees() {
    let model = model(&shapes::wrinkled_torus(24, 16, 5));
    let averages = table(&model);
    let AnyHierarchy::Obb(tree) = model.hierarchy() else { panic!("a tree of oriented boxes") };
    let (mut rng, mut counts) = (Rng::new(8), [[0_u32; 2]; 2]);
    for _ in 0..200 {
        let pose = Pose::from_rows(rng.rotation(), rng.unit_vector().map(|part| 0.8 * part)).expect("a pose");
        let across = across([&model, &model], [&averages, &averages], &pose);
        let reach = model.mesh().max_coordinate();
        let motion = nearhit::research::volume::obb::Obb::motion(&Placement::new(&pose, reach, reach));
        for _ in 0..200 {
            // Near the roots: anywhere, most are far apart.
            let (a, b) = ((rng.u64() % 60) as u32, (rng.u64() % 60) as u32);
            let truth = tree.node(b).volume.disjoint(&tree.place(a, &motion));
            let found =
                across.apart(averages.pieces().expect("kept").block(a), averages.pieces().expect("kept").block(b));
            counts[usize::from(truth)][usize::from(found)] += 1;
        }
    }
    let [[meet, wrongly_apart], [not_seen, apart]] = counts;
    assert!(meet > 2_000 && apart > 2_000, "{counts:?}");
    assert!(wrongly_apart * 500 < meet && not_seen * 500 < apart, "{counts:?}");
}

/// Half extents of a box, longest first, and its axes in b's frame.
type Known = ([f64; 3], [[f64; 3]; 3]);

fn dot(x: [f64; 3], y: [f64; 3]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

fn cross(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
}

/// How far a box reaches along a direction from its middle.
fn reach((half, axes): &Known, along: [f64; 3]) -> f64 {
    (0..3).map(|axis| half[axis] * dot(axes[axis], along).abs()).sum()
}

/// Unit vectors along the faces' normals of a, of b, then across edges of both, in rows; none where
/// edges are nearly parallel.
fn fifteen(a: &Known, b: &Known) -> [Option<[f64; 3]>; 15] {
    std::array::from_fn(|index| match index {
        0..3 => Some(a.1[index]),
        3..6 => Some(b.1[index - 3]),
        _ => {
            let across = cross(a.1[(index - 6) / 3], b.1[(index - 6) % 3]);
            let length = dot(across, across).sqrt();
            (length > 0.1).then(|| across.map(|part| part / length))
        }
    })
}

/// Each of the fifteen axes tells boxes apart that no other does. Boxes are shut, so the root's box
/// is known without asking for it; they are put a little apart along one axis, and only those
/// count that overlap along all others.
#[test]
fn every_axis_tells_boxes_apart() {
    let mut rng = Rng::new(77);
    let (mut seen, mut all) = ([0_u32; 15], [0_u32; 15]);
    for round in 0..6_000 {
        let wanted = round % 15;
        let mut half = || {
            let [x, y, z] = [(); 3].map(|()| rng.range(0.4, 1.0));
            [x + 0.8, y + 0.3, z]
        };
        let (half_a, half_b) = (half(), half());
        let rows = rng.rotation();
        let upright = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let columns = |axis: usize| [rows[0][axis], rows[1][axis], rows[2][axis]];
        let (a, b): (Known, Known) = ((half_a, upright), (half_b, [columns(0), columns(1), columns(2)]));
        let axes = fifteen(&a, &b);
        let Some(way) = axes[wanted] else { continue };
        let gap = rng.range(0.01, 0.05);
        // Anywhere across the axis: half of the offsets are such that the shadows on all others
        // overlap.
        let aside = rng.point(-1.0, 1.0);
        let length = reach(&a, way) + reach(&b, way) + gap - dot(aside, way);
        let offset: [f64; 3] = std::array::from_fn(|i| aside[i] + length * way[i]);
        let separates = |along: [f64; 3]| dot(offset, along).abs() - reach(&a, along) - reach(&b, along) > 0.0;
        if (0..15).any(|index| index != wanted && axes[index].is_some_and(separates)) {
            continue;
        }
        let cuboid = |half: [f64; 3]| shapes::cuboid(half.map(|x| -x), half);
        let [model_a, model_b] = [half_a, half_b].map(|half| model(&cuboid(half)));
        let tables = [&model_a, &model_b].map(table);
        let pose = Pose::from_rows(rows, offset).expect("a pose");
        let across = across([&model_a, &model_b], [&tables[0], &tables[1]], &pose);
        all[wanted] += 1;
        seen[wanted] += u32::from(
            across.apart(tables[0].pieces().expect("kept").block(0), tables[1].pieces().expect("kept").block(0)),
        );
    }
    assert_eq!(seen, all);
    assert!(all.iter().all(|&count| count >= 20), "{all:?}");
}

/// Four pairs at once are what each pair is alone.
#[test]
fn ranks_of_four_are_those_of_one() {
    let (a, b) = (model(&shapes::wrinkled_torus(12, 8, 5)), model(&shapes::wavy_sheet(8, 0.3, 3)));
    let tables = [&a, &b].map(table);
    let mut rng = Rng::new(12);
    for _ in 0..200 {
        let pose = Pose::from_rows(rng.rotation(), rng.unit_vector()).expect("a pose");
        let across = across([&a, &b], [&tables[0], &tables[1]], &pose);
        let mut two =
            |index: usize| [(); 2].map(|()| tables[index].pieces().expect("kept").of((rng.u64() % 100) as u32));
        let (of_a, of_b) = (two(0), two(1));
        let four = across.rank(of_a, of_b);
        for lane in 0..4 {
            let (of_a, of_b) = (of_a[lane / 2], of_b[lane % 2]);
            let alone = across.rank([of_a, of_a], [of_b, of_b]);
            assert_eq!(alone.distances[0], four.distances[lane]);
            assert_eq!(alone.near == 0b1111, four.near >> lane & 1 == 1);
        }
        let turned = across.rank([of_a[1], of_a[0]], of_b);
        assert_eq!(turned.near, (four.near & 0b11) << 2 | four.near >> 2);
    }
}

/// A speck at the surface of a large body, by some of its own size: single precision does not see
/// the gap, so the trees' own boxes are asked.
#[test]
fn specks_are_told_apart_by_their_trees() {
    let (large, speck) = (shapes::uv_sphere_of(2_000), shapes::wrinkled_torus(16, 12, 5));
    let (mut rng, mut scratch) = (Rng::new(3), Scratch::new());
    let (mut asked, mut apart, mut tested) = (0, 0, 0);
    for size in [1e-6, 1e-7] {
        let models = [&large, &speck.scaled(size)].map(model);
        let tables = models.each_ref().map(table);
        for round in 0..30 {
            let corner = large.vertices[(rng.u64() % 900) as usize];
            let out = 1.0 + size * [1.5, 2.5, 0.0][round % 3];
            let pose = Pose::from_rows(rng.rotation(), corner.map(|part| part * out)).expect("a pose");
            let pair = Pair::relative(&models[0], &models[1], &pose).expect("near");
            let touches = pair.collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes;
            let averaged = pair.averaged(&tables[0], &tables[1]).expect("their own");
            let guess = averaged.collide(&Quality::default(), &Settings::default(), &mut scratch);
            assert_eq!(guess.evidence.outcome == Outcome::Collision, touches, "{:?}", guess.evidence);
            assert!(guess.stats.updates > 0);
            asked += 1;
            apart += u32::from(!touches);
            tested += guess.stats.triangle_tests * u64::from(!touches);
        }
    }
    assert!(apart > 10 && apart < asked, "{apart} of {asked}");
    assert!(tested < 20 * u64::from(apart), "{tested} tests of triangles for {apart}");
}
