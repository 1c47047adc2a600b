//! What exact arithmetic says of a pair.

use crate::common::{mesh, plain};
use nearhit::research::primitive::distance::distance;
use nearhit::{Mesh, Pose, TrianglePair};
use nearhit_testkit::brute;
use nearhit_testkit::sizes::SizedPair;

/// The oracle's pairs that touch, and the smallest canonical distance of any pair.
pub(crate) struct Truth {
    pub(crate) a_from_b: Pose,
    pub(crate) pairs: Vec<TrianglePair>,
    pub(crate) distance: f64,
}

pub(crate) fn truth(case: &SizedPair) -> Truth {
    let a_from_b = Pose::from_rows(case.rotation, case.translation).expect("a rotation");
    let (rotation, translation) = plain(&a_from_b);
    let pairs = brute::colliding_pairs(&case.a, &case.b, &rotation, &translation);
    let (a, b) = (mesh(&case.a), mesh(&case.b));
    let count = |mesh: &Mesh| mesh.triangles().len() as u32;
    let posed: Vec<_> = (0..count(&b)).map(|j| b.triangle(j).map(|corner| a_from_b.apply(corner))).collect();
    let distances = (0..count(&a)).flat_map(|i| posed.iter().map(move |triangle| (i, triangle)));
    let distance =
        distances.map(|(i, triangle)| distance(&a.triangle(i), triangle).distance).fold(f64::INFINITY, f64::min);
    assert_eq!(distance == 0.0, !pairs.is_empty(), "the canonical distance and the oracle: {case:?}");
    Truth { a_from_b, pairs: pairs.into_iter().map(|(a, b)| TrianglePair { a, b }).collect(), distance }
}
