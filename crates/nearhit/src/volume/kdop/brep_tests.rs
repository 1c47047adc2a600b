//! Corners against every triple of planes, volumes against known ones and against counting points.

use super::*;
use crate::mesh::Triangle;
use crate::volume::{BoundingVolume, Support};
use glam::DMat3;
use nearhit_testkit::rng::Rng;

/// The slow way: each corner is the meeting point of three planes that lies within all slabs.
fn farthest_by_triples<const N: usize>(volume: &KDop<N>, direction: DVec3) -> f64 {
    let planes: Vec<(DVec3, f64)> = (0..N)
        .flat_map(|slab| {
            let normal = KDop::<N>::DIRECTIONS[slab];
            [(normal, volume.high[slab]), (-normal, -volume.low[slab])]
        })
        .collect();
    let scale = volume.low.iter().chain(&volume.high).fold(f64::MIN_POSITIVE, |most, value| most.max(value.abs()));
    let inside = |point: DVec3| planes.iter().all(|(normal, offset)| normal.dot(point) <= offset + 1e-13 * scale);
    let mut best = f64::NEG_INFINITY;
    for (i, p) in planes.iter().enumerate() {
        for (j, q) in planes.iter().enumerate().skip(i + 1) {
            for r in &planes[j + 1..] {
                let matrix = DMat3::from_cols(p.0, q.0, r.0).transpose();
                if matrix.determinant() != 0.0 {
                    let corner = matrix.inverse() * DVec3::new(p.1, q.1, r.1);
                    best = if inside(corner) { best.max(corner.dot(direction)) } else { best };
                }
            }
        }
    }
    best
}

/// Blobs, flat sets along and across the slabs, segments, points; some far away, some large, some
/// small.
fn draw<const N: usize>(rng: &mut Rng, round: usize) -> KDop<N> {
    let stretch = [DVec3::ONE, DVec3::new(1.0, 1.0, 0.0), DVec3::X, DVec3::ZERO, DVec3::new(1.0, 1e-9, 0.5)][round % 5];
    let turn = match round / 5 % 3 {
        0 => DMat3::IDENTITY,
        1 => DMat3::from_rotation_z(std::f64::consts::FRAC_PI_4),
        _ => DMat3::from_cols_array_2d(&rng.rotation()),
    };
    let (scale, away) = [(1.0, 0.0), (1.0, 1e6), (1e290, 0.0), (1e-300, 0.0)][round / 15 % 4];
    let corner =
        |rng: &mut Rng| turn * (DVec3::from_array(rng.point(-1.0, 1.0)) * stretch) * scale + DVec3::splat(away);
    let triangles: Vec<Triangle> = (0..1 + rng.below(4)).map(|_| [(); 3].map(|()| corner(rng))).collect();
    KDop::fit(&triangles)
}

fn corners_are_those_of_all_triples<const N: usize>(rounds: usize) {
    let mut rng = Rng::new(N as u64);
    for round in 0..rounds {
        let volume = draw::<N>(&mut rng, round);
        let scale = volume.low.iter().chain(&volume.high).fold(f64::MIN_POSITIVE, |most, value| most.max(value.abs()));
        let brep = Brep::new(&volume).expect("fitted");
        check_shape(&brep);
        for point in brep.points() {
            for (slab, normal) in KDop::<N>::DIRECTIONS.iter().enumerate() {
                let along = normal.dot(point);
                let slack = 1e-15 * scale;
                assert!((volume.low[slab] - slack..=volume.high[slab] + slack).contains(&along), "round {round}");
            }
        }
        for _ in 0..4 {
            let direction = DVec3::from_array(rng.unit_vector());
            let (slow, fast) = (farthest_by_triples(&volume, direction), brep.farthest(direction).dot(direction));
            assert!((slow - fast).abs() <= 1e-12 * scale, "k = {}, round {round}: {slow} or {fast}", 2 * N);
        }
    }
}

/// Three planes and three neighbours each, mutual, Euler's formula, normals that span.
fn check_shape(brep: &Brep) {
    let mut used = [false; PLANES];
    for (id, corner) in brep.corners.iter().enumerate() {
        let [p, q, r] = corner.planes.map(|plane| brep.planes[usize::from(plane)].normal);
        assert!(p.cross(q).dot(r) > 0.0, "corner {id} is turned over");
        for (side, &next) in corner.next.iter().enumerate() {
            let other = &brep.corners[usize::from(next)];
            assert!(other.next.contains(&(id as u16)), "corner {id} and {next}");
            let kept = corner.planes.iter().enumerate().filter(|(at, _)| *at != side).map(|(_, plane)| plane);
            assert!(kept.into_iter().all(|plane| other.planes.contains(plane)), "edge {id} to {next}");
        }
        corner.planes.iter().for_each(|&plane| used[usize::from(plane)] = true);
    }
    let faces = used.into_iter().filter(|&used| used).count();
    assert_eq!(brep.corners.len(), 2 * (faces - 2), "a simple polytope with {faces} faces");
}

#[test]
fn corners_are_the_meeting_points_of_planes() {
    corners_are_those_of_all_triples::<3>(120);
    corners_are_those_of_all_triples::<7>(120);
    corners_are_those_of_all_triples::<9>(120);
    corners_are_those_of_all_triples::<13>(60);
}

#[test]
fn corners_of_many_planes_are_their_meeting_points() {
    corners_are_those_of_all_triples::<25>(60);
    corners_are_those_of_all_triples::<49>(15);
}

/// The most corners that the paper gives (§5, memory).
#[test]
fn a_round_body_has_as_many_corners_as_the_paper_says() {
    fn corners<const N: usize>() -> usize {
        let mut ball = KDop::<N> { low: [0.0; N], high: [0.0; N] };
        for (slab, normal) in KDop::<N>::DIRECTIONS.iter().enumerate() {
            (ball.low[slab], ball.high[slab]) = (-normal.length(), normal.length());
        }
        Brep::new(&ball).expect("a ball").corners.len()
    }
    assert_eq!([corners::<3>(), corners::<7>(), corners::<9>(), corners::<13>()], [8, 24, 32, 48]);
    assert_eq!([corners::<25>(), corners::<37>(), corners::<49>()], [96, 144, 192]);
}

#[test]
fn slabs_without_a_common_point_have_no_corners() {
    let mut empty = KDop::<7>::fit(&[[DVec3::ZERO, DVec3::X, DVec3::Y]]);
    empty.low[3] = 7.0;
    empty.high[3] = 8.0;
    assert!(Brep::new(&empty).is_none());
    assert_eq!((empty.measure(1.0).volume, empty.corners().len()), (0.0, 0));
}

#[test]
fn measures_of_known_bodies() {
    let close = |measured: f64, known: f64| assert!((measured - known).abs() < 1e-12, "{measured} is not {known}");
    let cuboid: [Triangle; 2] =
        [[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0]], [[2.0, 3.0, 4.0], [0.0, 3.0, 4.0], [2.0, 0.0, 4.0]]]
            .map(|triangle| triangle.map(DVec3::from_array));
    close(KDop::<3>::fit(&cuboid).measure(1.0).volume, 24.0);
    close(KDop::<3>::fit(&cuboid).measure(1.0).surface, 52.0);
    close(KDop::<3>::fit(&cuboid).measure(2.0).volume, 3.0);
    // A regular octahedron |x| + |y| + |z| <= 1 is a 14-DOP, a rhombic dodecahedron |x| + |y| <= 2
    // (and so on) an 18-DOP.
    let mut octahedron = KDop::<7> { low: [-1.0; 7], high: [1.0; 7] };
    close(octahedron.measure(1.0).volume, 4.0 / 3.0);
    close(octahedron.measure(1.0).surface, 4.0 * 3.0_f64.sqrt());
    let dodecahedron = KDop::<9> { low: [-2.0; 9], high: [2.0; 9] };
    close(dodecahedron.measure(1.0).volume, 16.0);
    close(dodecahedron.measure(1.0).surface, 24.0 * 2.0_f64.sqrt());
    // Flat: squeezed along (1, 1, 1).
    (octahedron.low[3], octahedron.high[3]) = (0.0, 0.0);
    close(octahedron.measure(1.0).volume, 0.0);
    close(octahedron.measure(1.0).surface, 2.0 * 0.75 * 3.0_f64.sqrt());
}

fn volume_is_the_share_of_points_inside<const N: usize>(rng: &mut Rng) {
    let triangles: Vec<Triangle> = (0..3).map(|_| [(); 3].map(|()| rng.point(-1.0, 1.0).into())).collect();
    let volume = KDop::<N>::fit(&triangles);
    let count = 40_000;
    let inside = (0..count).filter(|_| volume.contains(DVec3::from_array(rng.point(-1.0, 1.0)))).count();
    let (measured, counted) = (volume.measure(1.0).volume, 8.0 * inside as f64 / f64::from(count));
    assert!((measured - counted).abs() < 0.08, "k = {}: {measured}, counted {counted}", 2 * N);
    assert!(volume.measure(1.0).surface.powi(3) >= 113.0 * measured * measured, "no body beats the ball");
}

#[test]
fn volumes_agree_with_counting_points() {
    let mut rng = Rng::new(77);
    for _ in 0..6 {
        volume_is_the_share_of_points_inside::<3>(&mut rng);
        volume_is_the_share_of_points_inside::<7>(&mut rng);
        volume_is_the_share_of_points_inside::<9>(&mut rng);
        volume_is_the_share_of_points_inside::<13>(&mut rng);
        volume_is_the_share_of_points_inside::<49>(&mut rng);
    }
}
