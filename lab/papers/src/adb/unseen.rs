//! Models that nothing was tuned on.

use super::scene::{Maker, refined};
use glam::DVec3;
use nearhit_testkit::shapes::Ring;
use nearhit_testkit::{Soup, shapes};

/// What calibrations are judged on: chosen before any of them was looked at, and nothing was tuned
/// on them.
pub(super) const JUDGED: [Maker; 6] = [
    ("tetrahedra", |size| shapes::disjoint_tetrahedra(size / 4, 2.0, 17)),
    ("spring", |size| refined(swept(spring, 96, 8), size)),
    ("knot", |size| refined(swept(knot, 128, 6), size)),
    ("vase", |size| refined(vase(), size)),
    ("shelf", |size| refined(shelf(), size)),
    ("crate", |size| refined(crate_of_slats(), size)),
];

/// A place on a line, the direction there, and the half width of what is swept along it.
pub(super) type Line = fn(f64) -> ([f64; 3], f64);

pub(super) fn spring(at: f64) -> ([f64; 3], f64) {
    let (sine, cosine) = (5.0 * std::f64::consts::TAU * at).sin_cos();
    ([cosine, sine, 3.0 * at], 0.15)
}

pub(super) fn knot(at: f64) -> ([f64; 3], f64) {
    let turn = std::f64::consts::TAU * at;
    let out = 2.0 + (3.0 * turn).cos();
    ([out * (2.0 * turn).cos(), out * (2.0 * turn).sin(), (3.0 * turn).sin()], 0.35)
}

/// A tube along a line.
pub(super) fn swept(line: Line, rings: u32, sides: u32) -> Soup {
    let ring = |index: u32| {
        let at = f64::from(index) / f64::from(rings);
        let ((center, radius), (ahead, _)) = (line(at), line(at + 1e-4));
        let [center, ahead] = [DVec3::from_array(center), DVec3::from_array(ahead)];
        let right = (ahead - center).normalize().cross(DVec3::Z).normalize();
        let up = (ahead - center).normalize().cross(right);
        Ring { center: center.to_array(), right: right.to_array(), up: up.to_array(), radius }
    };
    shapes::tube(&(0..=rings).map(ring).collect::<Vec<_>>(), sides)
}

/// Round, with a foot, a belly and a neck.
pub(super) fn vase() -> Soup {
    let radii = [0.6, 0.5, 0.3, 0.5, 0.9, 1.1, 1.0, 0.7, 0.4, 0.35, 0.5];
    let ring = |(index, &radius): (usize, &f64)| Ring {
        center: [0.0, 0.0, 0.25 * index as f64],
        right: [1.0, 0.0, 0.0],
        up: [0.0, 1.0, 0.0],
        radius,
    };
    shapes::tube(&radii.iter().enumerate().map(ring).collect::<Vec<_>>(), 24)
}

/// Boards between two sides.
pub(super) fn shelf() -> Soup {
    let mut soup = shapes::cuboid([0.0, 0.0, 0.0], [0.05, 0.6, 2.0]);
    soup.append(&shapes::cuboid([1.2, 0.0, 0.0], [1.25, 0.6, 2.0]));
    for board in 0..5 {
        let low = 0.1 + 0.45 * f64::from(board);
        soup.append(&shapes::cuboid([0.05, 0.0, low], [1.2, 0.6, low + 0.04]));
    }
    soup
}

/// Bars along three axes, as a box with gaps.
pub(super) fn crate_of_slats() -> Soup {
    let mut soup = Soup::default();
    for step in 0..4 {
        let at = 0.1 + 0.5 * f64::from(step);
        for side in [0.0, 1.8] {
            soup.append(&shapes::cuboid([at, side, 0.0], [at + 0.3, side + 0.1, 1.6]));
            soup.append(&shapes::cuboid([side, at, 0.2], [side + 0.1, at + 0.3, 1.4]));
        }
        soup.append(&shapes::cuboid([0.0, at, -0.1], [1.9, at + 0.3, 0.0]));
    }
    soup
}
