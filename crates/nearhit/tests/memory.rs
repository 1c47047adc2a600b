//! The k-DOP paper's memory (§5): an environment takes 16k + 108 bytes a triangle; what a flying
//! model needs more is counted apart.

mod common;

use common::mesh;
use nearhit::Model;
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::research::hierarchy::Tumbling;
use nearhit_testkit::shapes;

const KDOPS: [(VolumeKind, usize); 7] = [
    (VolumeKind::KDop6, 6),
    (VolumeKind::KDop14, 14),
    (VolumeKind::KDop18, 18),
    (VolumeKind::KDop26, 26),
    (VolumeKind::KDop50, 50),
    (VolumeKind::KDop74, 74),
    (VolumeKind::KDop98, 98),
];

#[test]
fn an_environment_takes_no_more_than_the_papers() {
    // Shared corners, and none shared.
    for soup in [shapes::pipes(3000, 1), shapes::disjoint_tetrahedra(700, 10.0, 2)] {
        let triangles = soup.triangles.len();
        for (kind, k) in KDOPS {
            let model = Model::with(mesh(&soup), kind, &BuildOptions::default());
            let allowed = (16 * k + 108) * triangles;
            assert!(model.bytes() <= allowed, "{kind}: {} bytes of {allowed}", model.bytes());
            assert!(model.bytes() > 16 * k * (triangles - 1), "{kind}: two volumes a triangle are counted");
            let flying = model.clone().tumbling(Tumbling::PAPER);
            assert_eq!(flying.bytes(), model.bytes(), "tumbling data is apart");
            assert!(flying.hierarchy().outlines().is_some_and(|outlines| outlines.bytes() > 100 * triangles));
        }
    }
}
