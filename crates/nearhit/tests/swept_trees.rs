//! Trees of swept spheres: what they are made of, and that their work is of the order the paper
//! reports.

mod common;

use common::{mesh, poses};
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::research::hierarchy::AnyHierarchy;
use nearhit::research::volume::swept::{Member, Mixed};
use nearhit::{Model, Pair, Scratch, Settings, Tolerance};
use nearhit_testkit::cases;

/// Volume tests and triangle tests of all contacts over a case's poses.
fn work(case: &cases::Case, volume: VolumeKind) -> (u64, u64) {
    let build = |soup| Model::with(mesh(soup), volume, &BuildOptions::default());
    let (a, b) = (build(&case.a), build(&case.b));
    let mut scratch = Scratch::new();
    case.poses.iter().fold((0, 0), |(volumes, triangles), pose| {
        let (world_from_a, world_from_b) = poses(pose);
        let pair = Pair::new(&a, &world_from_a, &b, &world_from_b).expect("the same volume");
        let stats = pair.contacts(&Settings::default(), &mut scratch).stats;
        (volumes + stats.volume_tests, triangles + stats.triangle_tests)
    })
}

/// §7.4: rectangles prune about as well as oriented boxes, mixed trees little worse; lines are
/// looser, spheres loosest.
#[test]
fn pruning_is_ordered_as_in_the_paper() {
    let case = cases::tori(24, 60, 5);
    let [sphere, line, rect, mixed, boxes] =
        [VolumeKind::Sphere, VolumeKind::Lss, VolumeKind::Rss, VolumeKind::Mixed, VolumeKind::Obb]
            .map(|volume| work(&case, volume).0 as f64);
    assert!(rect < 1.3 * boxes && rect < 0.7 * line && line < sphere, "{sphere} {line} {rect} {boxes}");
    assert!(mixed < 1.6 * rect, "{mixed} {rect}");
}

#[test]
fn a_mixed_tree_is_mixed() {
    let case = cases::tori(24, 6, 5);
    let model = Model::with(mesh(&case.a), VolumeKind::Mixed, &BuildOptions::default());
    let AnyHierarchy::Mixed(tree) = model.hierarchy() else { panic!("asked for a mixed tree") };
    let mut counts = [0; 3];
    for node in tree.nodes() {
        let kind = match node.volume {
            Mixed::Point(_) => 0,
            Mixed::Line(_) => 1,
            Mixed::Rect(_) => 2,
        };
        counts[kind] += 1;
    }
    let fewest = tree.nodes().len() / 100;
    assert!(counts[1] > fewest && counts[2] > fewest, "{counts:?}");
}

/// A room of furniture: the members are chosen by how they fit, so long triangles do not become fat
/// lines as by the factor of two.
#[test]
fn a_dynamic_tree_chooses_what_fits() {
    let case = cases::piano(40, 3);
    let model = Model::with(mesh(&case.b), VolumeKind::Dynamic, &BuildOptions::default());
    let AnyHierarchy::Dynamic(tree) = model.hierarchy() else { panic!("asked for a dynamic tree") };
    let (mut swept, mut slabs) = (0, 0);
    for node in tree.nodes() {
        match node.volume.fitted() {
            Member::Swept(_) => swept += 1,
            Member::Slabs(_) => slabs += 1,
        }
    }
    let fewest = tree.nodes().len() / 100;
    assert!(swept > fewest && slabs > fewest, "{swept} swept, {slabs} slabs");
    let [dynamic, rect, mixed] = [VolumeKind::Dynamic, VolumeKind::Rss, VolumeKind::Mixed].map(|v| work(&case, v));
    assert!(dynamic.0 < rect.0 && dynamic.1 < rect.1 && rect.1 < mixed.1, "{dynamic:?} {rect:?} {mixed:?}");
}

/// Leaves covered with tiles: the same answers as without, each pair of triangles told once.
#[test]
fn tiles_change_the_work_and_no_answer() {
    let case = cases::piano(30, 3);
    let build = |soup, tiles| Model::with(mesh(soup), VolumeKind::Sphere, &BuildOptions::new().tiles(tiles));
    let [plain, tiled] = [None, Some(0.15)].map(|tiles| (build(&case.a, tiles), build(&case.b, tiles)));
    tiled.1.check().expect("a sound tree");
    assert!(tiled.1.hierarchy().is_tiled() && !plain.1.hierarchy().is_tiled());
    let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
    let (mut tests, mut touching) = ([0, 0], 0);
    let settings = Settings::default();
    for pose in &case.poses {
        let (world_from_a, world_from_b) = poses(pose);
        let [p, t] = [&plain, &tiled].map(|(a, b)| Pair::new(a, &world_from_a, b, &world_from_b).expect("one volume"));
        let (expected, found) = (p.contacts(&settings, &mut scratch), t.contacts(&settings, &mut other));
        assert_eq!(expected.pairs, found.pairs);
        touching += usize::from(!found.pairs.is_empty());
        let [far, near] = [&p, &t].map(|pair| pair.distance(Tolerance::EXACT, &settings, &mut scratch));
        assert_eq!((far.lower, far.upper), (near.lower, near.upper));
        tests = [tests[0] + far.stats.triangle_tests, tests[1] + near.stats.triangle_tests];
        let limit = near.upper + 0.1;
        let expected = p.pairs_within(limit, &settings, &mut scratch).pairs;
        assert_eq!(expected, t.pairs_within(limit, &settings, &mut other).pairs);
        let expected = p.nearest_pairs(25, &settings, &mut scratch).pairs;
        assert_eq!(expected, t.nearest_pairs(25, &settings, &mut other).pairs);
    }
    assert!((5..25).contains(&touching), "{touching} of 30 touch");
    assert_ne!(tests[0], tests[1]);
}
