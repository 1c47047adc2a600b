//! Contact geometry and self-intersections.

use crate::common::{mesh, model, plain};
use crate::shapes::joined;
use glam::DVec3;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::{ContactRegions, Model, Pair, Pose, Scratch, Settings, TrianglePair};
use nearhit_testkit::exact::intersects;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Soup, brute, shapes};

fn regions(a: &Soup, b: &Soup, a_from_b: &Pose, volume: Option<VolumeKind>) -> ContactRegions {
    let of = |soup: &Soup| model(soup, volume, &BuildOptions::default());
    let (a, b) = (of(a), of(b));
    let pair = Pair::relative(&a, &b, a_from_b).expect("in range");
    pair.solid().contact_regions(&Settings::default(), &mut Scratch::new())
}

fn moved(offset: [f64; 3]) -> Pose {
    Pose::from_translation(offset).expect("finite")
}

#[test]
fn a_peg_through_a_plate_has_two_loops() {
    let plate = shapes::cuboid([-2.0, -2.0, -0.25], [2.0, 2.0, 0.25]);
    let peg = shapes::cuboid([-0.5, -0.25, -1.0], [0.5, 0.25, 1.0]);
    let found = regions(&plate, &peg, &moved([0.1, 0.2, 0.0]), None);
    assert!(found.is_complete);
    assert_eq!(found.regions.len(), 2);
    let mut heights: Vec<f64> = found.regions.iter().map(|region| region.curves[0].points[0].z).collect();
    heights.sort_by(f64::total_cmp);
    assert_eq!(heights, [-0.25, 0.25]);
    for region in &found.regions {
        assert_eq!(region.curves.len(), 1);
        let curve = &region.curves[0];
        assert!(curve.is_closed && (curve.length() - 3.0).abs() < 1e-12, "{curve:?}");
        // b leaves through the face where the loop is; the peg's sides cancel out.
        let side = curve.points[0].z.signum();
        assert!((region.normal - DVec3::Z * side).length() < 1e-9, "{}", region.normal);
    }
}

/// Face on face: one region with the outline of the common patch, depth zero, normals facing.
#[test]
fn a_box_on_a_table() {
    let table = shapes::cuboid([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0]);
    let cube = shapes::cuboid([-0.5, -0.5, 0.0], [0.5, 0.5, 1.0]);
    let found = regions(&table, &cube, &moved([0.3, 0.2, 0.0]), None);
    assert_eq!(found.regions.len(), 1);
    let region = &found.regions[0];
    let outline: f64 = region.curves.iter().map(nearhit::Curve::length).sum();
    assert!((outline - 4.0).abs() < 1e-12, "{outline}: {:?}", region.curves);
    assert!((region.normal - DVec3::Z).length() < 1e-9 && region.depth == 0.0, "{region:?}");
    let mut corners: Vec<[f64; 2]> = region.manifold(4).iter().map(|point| [point.on_a.x, point.on_a.y]).collect();
    corners.sort_by(|p, q| p.partial_cmp(q).expect("numbers"));
    assert_eq!(corners, [[-0.2, -0.3], [-0.2, 0.7], [0.8, -0.3], [0.8, 0.7]].map(|[x, y]| [x + 0.0, y]));
    // Pressed in: the four corners below carry it.
    let found = regions(&table, &cube, &moved([0.3, 0.2, -0.125]), None);
    assert_eq!(found.regions.len(), 1);
    let manifold = found.regions[0].manifold(4);
    assert!(found.regions[0].depth == 0.125 && (found.regions[0].normal - DVec3::Z).length() < 1e-9);
    assert_eq!(manifold.len(), 4);
    assert!(found.regions[0].points.iter().filter(|point| point.depth == 0.125).count() >= 4);
}

/// A ball pressed into a table: of the many points of the loop, three far apart stand for it.
#[test]
fn a_manifold_spreads_over_its_region() {
    let table = shapes::cuboid([-3.0, -3.0, -1.0], [3.0, 3.0, 0.0]);
    let found = regions(&table, &shapes::uv_sphere(20, 30), &moved([0.01, 0.02, 0.9]), None);
    assert_eq!(found.regions.len(), 1);
    let region = &found.regions[0];
    assert!(region.points.len() > 30 && region.depth > 0.099, "{region:?}");
    let manifold = region.manifold(4);
    assert_eq!((manifold.len(), manifold[0]), (4, region.deepest));
    // The loop has a radius of sqrt(1 - 0.9²), some 0.43.
    for (i, one) in manifold.iter().enumerate() {
        for other in &manifold[..i] {
            assert!((one.on_b - other.on_b).length() > 0.3, "{manifold:?}");
        }
    }
}

/// Two legs: two regions, each with its own depth.
#[test]
fn regions_have_their_own_depths() {
    let table = shapes::cuboid([-3.0, -3.0, -1.0], [3.0, 3.0, 0.0]);
    let legs = joined(&[
        shapes::cuboid([-2.0, -0.5, -0.25], [-1.0, 0.5, 2.0]),
        shapes::cuboid([1.0, -0.5, -0.5], [2.0, 0.5, 2.0]),
    ]);
    let found = regions(&table, &legs, &moved([0.0, 0.01, 0.0]), None);
    let mut depths: Vec<f64> = found.regions.iter().map(|region| region.depth).collect();
    depths.sort_by(f64::total_cmp);
    assert_eq!(depths, [0.25, 0.5]);
}

/// Every pair of triangles is in one region, every curve point is on both surfaces, and engines
/// agree.
#[test]
fn regions_hold_all_contacts_and_curves_lie_on_both() {
    let mut rng = Rng::new(51);
    let solids = [
        shapes::uv_sphere(8, 12),
        shapes::torus(14, 8, 1.0, 0.4),
        shapes::axis_bars(1.2, 0.25),
        shapes::cuboid([-1.0; 3], [1.0; 3]),
    ];
    let (mut several, mut loops, mut chains) = (0, 0, 0);
    for _ in 0..30 {
        let (a, b) = (rng.choice(&solids), rng.choice(&solids).scaled(rng.range(0.5, 1.0)));
        let a_from_b = Pose::from_rows(rng.rotation(), rng.point(-1.0, 1.0)).expect("rigid");
        let found = regions(a, &b, &a_from_b, None);
        assert_eq!(found.regions, regions(a, &b, &a_from_b, Some(VolumeKind::Obb)).regions);
        let (rotation, translation) = plain(&a_from_b);
        let expected = brute::colliding_pairs(a, &b, &rotation, &translation);
        let mut pairs: Vec<(u32, u32)> =
            found.regions.iter().flat_map(|region| region.pairs.iter().map(|pair| (pair.a, pair.b))).collect();
        let firsts: Vec<(u32, u32)> =
            found.regions.iter().map(|region| (region.pairs[0].a, region.pairs[0].b)).collect();
        assert!(firsts.is_sorted(), "{firsts:?}");
        pairs.sort_unstable();
        assert_eq!(pairs, expected);
        let models =
            (Model::new(mesh(a)), Model::new(mesh(&nearhit_testkit::pose::pose_soup(&rotation, &translation, &b))));
        let mut scratch = Scratch::new();
        for region in &found.regions {
            assert!((region.normal.length() - 1.0).abs() < 1e-12);
            for curve in &region.curves {
                for &point in &curve.points {
                    let off = [&models.0, &models.1]
                        .map(|model| model.closest_point(point, &mut scratch).expect("finite").distance);
                    assert!(off[0] < 1e-14 && off[1] < 1e-14, "{point} is {off:?} off");
                }
                loops += usize::from(curve.is_closed);
                chains += usize::from(!curve.is_closed && a.len() != 36 && b.len() != 36);
            }
            assert!((region.deepest.on_a - region.deepest.on_b).length() - region.depth < 1e-12);
        }
        several += usize::from(found.regions.len() > 1);
    }
    // Closed surfaces in general position meet in loops, unless they cross themselves, as the bars
    // do.
    assert!(several > 4 && loops > 30 && chains == 0, "{several} with several, {loops} loops, {chains} chains");
}

/// By brute force in exact arithmetic, on soups whose triangles share no corners; then neighbours
/// by hand.
#[test]
fn self_intersections_agree_with_brute_force() {
    let mut rng = Rng::new(52);
    let mut scratch = Scratch::new();
    let mut found_some = 0;
    for round in 0..20 {
        let mut soup = Soup::default();
        for index in 0..40 {
            let center = rng.point(-1.0, 1.0);
            for _ in 0..3 {
                let offset = rng.point(-0.4, 0.4);
                soup.push_vertex(std::array::from_fn(|axis| center[axis] + offset[axis]));
            }
            soup.triangles.push([3 * index, 3 * index + 1, 3 * index + 2]);
        }
        let triangles: Vec<_> = soup.corners().collect();
        let expected: Vec<TrianglePair> = (0..40_u32)
            .flat_map(|a| (a + 1..40).map(move |b| TrianglePair { a, b }))
            .filter(|pair| intersects(&triangles[pair.a as usize], &triangles[pair.b as usize]))
            .collect();
        let volume = *rng.choice(&[None, Some(VolumeKind::KDop18)]);
        let own = model(&soup, volume, &BuildOptions::default());
        let contacts = own.self_contacts(&Settings::default(), &mut scratch);
        assert_eq!((contacts.pairs, contacts.is_complete), (expected.as_slice(), true), "round {round}");
        found_some += usize::from(!expected.is_empty());
    }
    assert!(found_some > 15);
    let clean = Model::new(mesh(&shapes::wrinkled_torus(40, 20, 2)));
    assert_eq!(clean.self_contacts(&Settings::default(), &mut scratch).pairs, []);
    let crossed = joined(&[shapes::cuboid([0.0; 3], [2.0; 3]), shapes::cuboid([1.0; 3], [3.0; 3])]);
    let crossed = Model::new(mesh(&crossed));
    let pairs = crossed.self_contacts(&Settings::default(), &mut scratch).pairs;
    assert!(pairs.len() >= 6 && pairs.iter().all(|pair| pair.a < 12 && pair.b >= 12), "{pairs:?}");
    assert_eq!(crossed.mesh().diagnostics().self_intersections, pairs);
}
