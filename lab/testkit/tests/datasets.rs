//! Are the generated data sets what they say, by exact arithmetic?

#![allow(clippy::unwrap_used)]

use nearhit_testkit::brute::{collides, exact_collision, min_squared_distance};
use nearhit_testkit::cases::*;
use nearhit_testkit::exact::intersects;
use nearhit_testkit::shapes::{disjoint_tetrahedra, unmatched_edges};
use nearhit_testkit::{Point, Soup, Tri, shapes};

fn touching(case: &Case) -> usize {
    let mut collides = exact_collision(&case.a, &case.b);
    case.poses.iter().filter(|pose| collides(pose)).count()
}

#[test]
fn tetrahedra_are_disjoint() {
    let soup = disjoint_tetrahedra(150, 10.0, 5);
    assert_eq!((soup.len(), unmatched_edges(&soup)), (600, 0));
    let corners: Vec<_> = soup.corners().collect();
    for i in 0..corners.len() {
        for j in 0..i / 4 * 4 {
            assert!(!intersects(&corners[i], &corners[j]));
        }
    }
}

#[test]
fn pipes_do_not_touch_each_other() {
    let network = shapes::pipes(5000, 4);
    let owner = owners(&network);
    let corners: Vec<_> = network.corners().collect();
    let bounds = |t: &Tri, axis: usize| {
        t.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p[axis]), h.max(p[axis])))
    };
    let mut tested = 0;
    for i in 0..corners.len() {
        for j in 0..i {
            let near = || {
                (0..3).all(|axis| {
                    let (a, b) = (bounds(&corners[i], axis), bounds(&corners[j], axis));
                    a.0 <= b.1 + 0.5 && b.0 <= a.1 + 0.5
                })
            };
            if owner[i] != owner[j] && near() {
                tested += 1;
                assert!(!intersects(&corners[i], &corners[j]));
            }
        }
    }
    assert!(tested > 50, "{tested}");
}

/// The smallest vertex connected to each triangle: which pipe it belongs to.
fn owners(soup: &Soup) -> Vec<u32> {
    let mut label: Vec<u32> = (0..soup.vertices.len() as u32).collect();
    loop {
        let mut changed = false;
        for triangle in &soup.triangles {
            let smallest = triangle.iter().map(|&v| label[v as usize]).min().unwrap();
            for &vertex in triangle {
                changed |= label[vertex as usize] != smallest;
                label[vertex as usize] = smallest;
            }
        }
        if !changed {
            return soup.triangles.iter().map(|t| label[t[0] as usize]).collect();
        }
    }
}

#[test]
fn swept_bars_touch_nothing_but_are_near_much() {
    let case = swept(200, 60, 1);
    assert_eq!((case.a.len(), case.b.len(), case.poses.len()), (36, 800, 60));
    assert_eq!(unmatched_edges(&case.b), 0);
    let mut near = 0;
    for pose in &case.poses {
        let (rotation, translation) = pose.a_from_b();
        let nearest = min_squared_distance(&case.a, &case.b, &rotation, &translation).unwrap();
        assert!(nearest.distance.low > 0.999e-3, "{nearest:?}");
        near += usize::from(nearest.distance.low < 0.15);
    }
    assert!(near > 30, "{near}");
}

#[test]
fn nested_spheres_do_not_touch_while_the_gap_exceeds_the_sag() {
    let case = nested(500, 0.1, 4, 1);
    assert_eq!((case.a.len(), case.b.len()), (500, 500));
    for pose in &case.poses {
        let (rotation, translation) = pose.a_from_b();
        let nearest = min_squared_distance(&case.a, &case.b, &rotation, &translation).unwrap();
        assert!((0.07..0.1).contains(&nearest.distance.low), "{nearest:?}");
    }
    let same = nested_same_orientation(320, 1e-4, 3, 2);
    for pose in &same.poses {
        let (rotation, translation) = pose.a_from_b();
        assert!(!collides(&same.a, &same.b, &rotation, &translation));
    }
    let tight = nested(320, 1e-4, 2, 3);
    let (rotation, translation) = tight.poses[0].a_from_b();
    assert!(collides(&tight.a, &tight.b, &rotation, &translation));
}

#[test]
fn gaps_are_as_asked() {
    let case = separated_spheres(320, &[0.01, 1.0], 2, 4);
    for (index, pose) in case.poses.iter().enumerate() {
        let (rotation, translation) = pose.a_from_b();
        let nearest = min_squared_distance(&case.a, &case.b, &rotation, &translation).unwrap();
        let gap = [0.01, 1.0][index / 2];
        // Facets lie inside the spheres.
        assert!(nearest.distance.low > gap - 1e-12 && nearest.distance.high < gap + 0.1);
    }
}

#[test]
fn paths_touch_now_and_then() {
    let [probes, path] = planning((200, 2000), (80, 120), 3, exact_collision);
    for (case, least, most) in [
        (tori(16, 100, 1), 10, 90),
        (piano(60, 2), 10, 55),
        (hand_in_cabin(6000, 100, 3), 30, 99),
        (wavy_sheets(12, 40, 4), 3, 37),
        (pipes(600, 200, 5, exact_collision), 5, 150),
        (tetra(40, 400, 150, 6, exact_collision), 4, 120),
        (torus_in_cave(4000, 150, 7, exact_collision), 4, 120),
        (engine(3, 24, 4, 20, 1), 1, 50),
        (falling_rings(16, 8, 6, 2), 2, 100),
        (probes, 8, 72),
        (path, 1, 100),
    ] {
        let count = touching(&case);
        assert!((least..=most).contains(&count), "{} touches in {count} of {}", case.name, case.poses.len());
    }
}

#[test]
fn degenerate_soups_touch_and_miss_far_away() {
    for offset in [0.0, 1e6] {
        let case = degenerate_soup_far(offset, 60, 30, 8);
        let count = touching(&case);
        assert!((3..=27).contains(&count), "{offset} {count}");
        let norm = |p: &Point| p.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!(case.a.vertices.iter().all(|v| (norm(v) - offset).abs() < 2.0));
    }
}
