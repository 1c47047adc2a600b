//! The exact triangle test against rational arithmetic that shares no code with it.

use glam::DVec3;
use nearhit::Triangle;
use nearhit::research::primitive::intersect::intersects;
use nearhit::research::primitive::overlap::{Overlap, overlap};
use nearhit_testkit::adversarial::{self, Kind};
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Tri, exact};
use std::collections::BTreeMap;

/// 50,000 pairs, or a million with `NEARHIT_LONG=1`.
fn pair_count() -> usize {
    if std::env::var_os("NEARHIT_LONG").is_some() { 1_000_000 } else { 50_000 }
}

fn triangle(corners: &Tri) -> Triangle {
    corners.map(DVec3::from_array)
}

#[test]
fn agrees_with_rational_arithmetic() {
    let mut rng = Rng::new(1998);
    let mut shares: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for index in 0..pair_count() {
        let (a, b, kind) = adversarial::pair(&mut rng);
        let truth = exact::intersects(&a, &b);
        let (ours, swapped) = (intersects(&triangle(&a), &triangle(&b)), intersects(&triangle(&b), &triangle(&a)));
        assert_eq!(ours, truth, "pair {index} ({kind:?}): {a:?} {b:?}");
        assert_eq!(swapped, truth, "pair {index} ({kind:?}), swapped: {a:?} {b:?}");
        let share = shares.entry(format!("{kind:?}")).or_default();
        share.0 += 1;
        share.1 += usize::from(truth);
    }
    assert_eq!(shares.len(), Kind::ALL.len(), "every kind occurs: {shares:?}");
    let touching: usize = shares.values().map(|share| share.1).sum();
    let share = touching as f64 / pair_count() as f64;
    assert!((0.3..0.7).contains(&share), "{share} of the pairs touch: {shares:?}");
}

/// Every corner of a reported overlap lies on both triangles, to rounding, and there is an overlap
/// exactly when they touch.
#[test]
fn overlaps_lie_on_both_triangles() {
    let mut rng = Rng::new(7);
    let (mut points, mut segments, mut polygons) = (0, 0, 0);
    for index in 0..pair_count() / 10 {
        let (a, b, kind) = adversarial::pair(&mut rng);
        let shared = overlap(&triangle(&a), &triangle(&b));
        match shared {
            Overlap::Nothing => assert!(!exact::intersects(&a, &b), "pair {index} ({kind:?}): {a:?} {b:?}"),
            Overlap::Point(_) => points += 1,
            Overlap::Segment(_) => segments += 1,
            Overlap::Polygon(_) => polygons += 1,
        }
        let size = a.iter().chain(&b).flatten().fold(0.0_f64, |size, value| size.max(value.abs()));
        for point in shared.points() {
            let point = [point.to_array(); 3];
            for other in [&a, &b] {
                let away = exact::square_root(&exact::squared_distance(&point, other)).low;
                assert!(
                    away <= 1e-14 * size + 1e-323,
                    "pair {index} ({kind:?}): {away:e} away\n{a:?}\n{b:?}\n{shared:?}"
                );
            }
        }
    }
    assert!(
        points > 100 && segments > 100 && polygons > 100,
        "{points} points, {segments} segments, {polygons} polygons"
    );
}
