//! What two regions share, against Gauss's theorem on rationally clipped faces and closed forms.

use glam::{DMat3, DVec3};
use nearhit::research::adb::Overlap;
use nearhit::research::adb::overlap::{lens, paper, shared};
use nearhit::research::volume::region::{Region, Shape};
use nearhit_testkit::clip::shared_box_volume;
use nearhit_testkit::rng::Rng;

fn boxed(center: DVec3, axes: DMat3, half_extents: DVec3) -> Region {
    Region { center, axes, half_extents, shape: Shape::Box }
}

fn volume(region: &Region) -> f64 {
    8.0 * region.half_extents.element_product()
}

struct Pair {
    a: Region,
    b: Region,
    truth: f64,
}

fn pairs(count: usize) -> Vec<Pair> {
    let mut rng = Rng::new(711);
    let mut pairs = Vec::new();
    while pairs.len() < count {
        let half = |rng: &mut Rng| rng.point(0.5, 1.2);
        let (half_a, half_b, rows) = (half(&mut rng), half(&mut rng), rng.rotation());
        let offset = rng.point(-1.3, 1.3);
        let truth = shared_box_volume(half_b, half_a, rows, offset);
        let axes = DMat3::from_cols_array_2d(&rows).transpose();
        let a = boxed(offset.into(), axes, half_a.into());
        pairs.push(Pair { a, b: boxed(DVec3::ZERO, DMat3::IDENTITY, half_b.into()), truth });
    }
    pairs
}

#[test]
fn upper_bounds_are_and_shares_are_near() {
    let mut off = [0.0; 5];
    let pairs = pairs(80);
    for Pair { a, b, truth } in &pairs {
        for (sum, how) in off.iter_mut().zip(Overlap::ALL) {
            let part = shared(a, b, how);
            let made = part.of_a * volume(a);
            assert!((0.0..=1.0).contains(&part.of_a) && (0.0..=1.0).contains(&part.of_b));
            if part.of_a < 1.0 && part.of_b < 1.0 {
                assert!((made - part.of_b * volume(b)).abs() < 1e-9, "both shares are of one volume");
            }
            if matches!(how, Overlap::Aligned | Overlap::Slabs | Overlap::Balls) {
                assert!(made >= truth - 1e-9 || part.of_a == 1.0 || part.of_b == 1.0, "{how:?}: {made} < {truth}");
            }
            *sum += (made - truth).abs() / volume(a).min(volume(b));
        }
    }
    let off = off.map(|sum| sum / pairs.len() as f64);
    assert!(pairs.iter().filter(|pair| pair.truth > 0.0).count() > 60);
    assert!(off[0] < 0.05 && off[1..].iter().all(|other| off[0] < *other), "{off:?}");
}

#[test]
fn boxes_along_each_other_are_exact() {
    let mut rng = Rng::new(712);
    for _ in 0..200 {
        let half = |rng: &mut Rng| DVec3::from_array(rng.point(0.2, 1.0));
        let (half_a, half_b, offset) = (half(&mut rng), half(&mut rng), DVec3::from_array(rng.point(-1.5, 1.5)));
        let axes = DMat3::from_cols_array_2d(&rng.rotation());
        let (a, b) = (boxed(axes * offset, axes, half_a), boxed(DVec3::ZERO, axes, half_b));
        let sides = (half_b.min(offset + half_a) - (-half_b).max(offset - half_a)).max(DVec3::ZERO);
        let made = shared(&a, &b, Overlap::Shares).of_a * volume(&a);
        // The trapezoid is never quite a rectangle.
        assert!((made - sides.element_product()).abs() < 2e-3 * volume(&a), "{made} {sides}");
    }
}

/// The paper's formula is no upper bound: its own boxes, off along two axes.
#[test]
fn the_papers_formula_is_too_small() {
    let sides = DVec3::new(1.0, 0.5, 0.1);
    let formula = paper(sides, 0.98_f64.hypot(0.377));
    let truth = (1.0 - 0.98) * (0.5 - 0.377) * 0.1;
    assert!((formula - 1.9e-4).abs() < 1e-5 && formula < 0.8 * truth, "{formula} {truth}");
    // And right where its derivation looks: along the longest axis.
    assert!((paper(sides, 0.5) - 0.5 * 0.05).abs() < 1e-12);
}

/// Slices through two balls, added up.
#[test]
fn balls_are_exact() {
    let mut rng = Rng::new(713);
    for _ in 0..60 {
        let (r, s, distance) = (rng.range(0.3, 1.0), rng.range(0.3, 1.0), rng.range(0.0, 2.0));
        let disc = |radius: f64, from: f64| (radius * radius - from * from).max(0.0);
        let steps = 20_000;
        let slice = |step: usize| -r + (step as f64 + 0.5) * 2.0 * r / steps as f64;
        let areas = (0..steps).map(|step| disc(r, slice(step)).min(disc(s, slice(step) - distance)));
        let truth = areas.sum::<f64>() * std::f64::consts::PI * 2.0 * r / steps as f64;
        let made = lens(distance, r, s);
        assert!((made - truth).abs() < 1e-6, "{made} {truth}: {r} {s} {distance}");
        let ball = |center: DVec3, radius: f64| Region {
            center,
            axes: DMat3::IDENTITY,
            half_extents: DVec3::splat(radius),
            shape: Shape::Ball,
        };
        let part = shared(&ball(DVec3::X * distance, r), &ball(DVec3::ZERO, s), Overlap::Paper);
        assert!(
            (part.of_a * 4.0 / 3.0 * std::f64::consts::PI * r.powi(3) - made).abs() < 1e-9,
            "whatever is chosen for boxes"
        );
    }
}

/// Single precision inside does not limit how large or small a model may be.
#[test]
fn shares_do_not_depend_on_the_unit() {
    for Pair { a, b, truth } in &pairs(30) {
        let usual = shared(a, b, Overlap::Shares);
        for unit in [1e-250, 1e-30, 1e12, 1e30, 1e250] {
            let [a, b] = [a, b].map(|it| boxed(it.center * unit, it.axes, it.half_extents * unit));
            let scaled = shared(&a, &b, Overlap::Shares);
            let off = (scaled.of_a - usual.of_a).abs().max((scaled.of_b - usual.of_b).abs());
            // What barely meets is rounded away or not.
            assert!(off < 1e-5 || (*truth < 1e-3 && off < 1e-2), "{unit}: {scaled:?} for {usual:?}");
        }
    }
}

#[test]
fn points_share_nothing() {
    let point = boxed(DVec3::ZERO, DMat3::IDENTITY, DVec3::ZERO);
    for how in Overlap::ALL {
        let part = shared(&point, &point, how);
        assert!(part.of_a.is_finite() && part.of_b.is_finite(), "{how:?}: {part:?}");
    }
}
