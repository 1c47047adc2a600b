//! However volumes are brought from one frame into the other, answers are those of brute force.

mod common;

use common::{mesh, plain, poses, small_cases};
use nearhit::research::ClimbExt;
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::research::hierarchy::Tumbling;
use nearhit::{Model, Pair, Pose, Scratch, Settings, TrianglePair};
use nearhit_testkit::brute;
use rayon::prelude::*;

const EVERY_TUMBLING: [Tumbling; 4] = [
    Tumbling::PAPER,
    Tumbling::HULL_AT_ROOT,
    Tumbling { hull_levels: 0, corner_levels: u32::MAX },
    Tumbling { hull_levels: u32::MAX, corner_levels: 0 },
];

#[test]
fn every_tumbling_agrees_with_brute_force() {
    let kinds = [VolumeKind::KDop6, VolumeKind::KDop14, VolumeKind::KDop18, VolumeKind::KDop26, VolumeKind::KDop50];
    small_cases().into_par_iter().for_each(|case| {
        let mut scratch = Scratch::new();
        let environment = BuildOptions::default();
        let flying = environment.leaf_size(5);
        let truth: Vec<(Pose, Vec<TrianglePair>)> = case
            .poses
            .iter()
            .map(|pose| {
                let (world_from_a, world_from_b) = poses(pose);
                let a_from_b = Pose::a_from_b(&world_from_a, &world_from_b);
                let (rotation, translation) = plain(&a_from_b);
                let pairs = brute::colliding_pairs(&case.a, &case.b, &rotation, &translation);
                (a_from_b, pairs.into_iter().map(|(a, b)| TrianglePair { a, b }).collect())
            })
            .collect();
        for kind in kinds {
            let plain = Model::with(mesh(&case.a), kind, &flying);
            let b = Model::with(mesh(&case.b), kind, &environment);
            for tumbling in EVERY_TUMBLING {
                let a = plain.clone().tumbling(tumbling);
                assert!(a.hierarchy().outlines().is_some());
                for (a_from_b, pairs) in &truth {
                    let pair = Pair::relative(&a, &b, a_from_b).expect("in range");
                    // The scratch of other models and volumes, too: corners of their hulls.
                    for settings in [Settings::default(), Settings::new().remembering_climbs()] {
                        let contacts = pair.contacts(&settings, &mut scratch);
                        assert_eq!(&contacts.pairs, pairs, "{}: {kind} {tumbling:?} {settings:?}", case.name);
                    }
                }
            }
        }
    });
}

/// Tighter volumes cull more: the hull is exact, the corners are those of the volume, and the plain
/// way is looser still.
#[test]
fn tighter_tumbling_tests_fewer_volumes() {
    let tests = |tumbling: Tumbling| -> u64 {
        let mut scratch = Scratch::new();
        let cases = small_cases();
        let tests_of = |case: &nearhit_testkit::cases::Case, scratch: &mut Scratch| -> u64 {
            let flying = BuildOptions::new().leaf_size(5);
            let a = Model::with(mesh(&case.a), VolumeKind::KDop18, &flying).tumbling(tumbling);
            let b = Model::with(mesh(&case.b), VolumeKind::KDop18, &BuildOptions::default());
            let count = |pose| {
                let (world_from_a, world_from_b) = poses(pose);
                let pair = Pair::new(&a, &world_from_a, &b, &world_from_b).expect("in range");
                pair.contacts(&Settings::default(), scratch).stats.volume_tests
            };
            case.poses.iter().map(count).sum()
        };
        cases.iter().map(|case| tests_of(case, &mut scratch)).sum()
    };
    let plain = tests(Tumbling::PLAIN);
    let corners = tests(Tumbling { hull_levels: 0, corner_levels: u32::MAX });
    let hulls = tests(Tumbling { hull_levels: u32::MAX, corner_levels: 0 });
    assert!(hulls < corners && corners < plain, "{hulls} {corners} {plain}");
}
