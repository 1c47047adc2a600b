//! What must hold between the answers about two shapes, whatever their sizes and poses.

use crate::bytes::Bytes;
use nearhit::shape::{Shape, ShapePair};
use nearhit::{Pose, Scratch, Settings, Stats, Tolerance, Verdict, Within};

/// The most units of work for two shapes of at most some hundred pieces each.
const MOST_UNITS: u64 = 40_000;

fn units(stats: Stats) -> u64 {
    stats.volume_tests + stats.triangle_tests
}

/// Sixteenths up to 16, or any power of two that a size may have.
fn size(bytes: &mut Bytes<'_>) -> f64 {
    let byte = bytes.next();
    match byte {
        0..224 => f64::from(byte) / 16.0,
        224 => 0.0,
        225 => f64::from_bits(1),
        _ => 2_f64.powi((i32::from(byte) - 240) * 60),
    }
}

fn coordinate(bytes: &mut Bytes<'_>) -> f64 {
    let size = size(bytes);
    if bytes.next() & 1 == 0 { size } else { -size }
}

fn point(bytes: &mut Bytes<'_>) -> [f64; 3] {
    [coordinate(bytes), coordinate(bytes), coordinate(bytes)]
}

/// Of any kind that is not a mesh.
fn shape(bytes: &mut Bytes<'_>) -> Option<Shape> {
    let kind = bytes.next();
    let made = match kind % 11 {
        0 => Shape::ball(size(bytes)),
        1 => Shape::capsule(size(bytes), size(bytes)),
        2 => Shape::cuboid([size(bytes), size(bytes), size(bytes)]),
        3 => Shape::cylinder(size(bytes), size(bytes)),
        4 => Shape::truncated_cone(size(bytes), size(bytes), size(bytes)),
        5 => Shape::ellipsoid([size(bytes), size(bytes), size(bytes)]),
        6 => {
            let count = 1 + bytes.next() % 12;
            Shape::hull(&(0..count).map(|_| point(bytes)).collect::<Vec<_>>())
        }
        7 => Shape::half_space(point(bytes), coordinate(bytes)),
        8 => {
            let count = 1 + bytes.next() % 12;
            Shape::point_cloud(&(0..count).map(|_| point(bytes)).collect::<Vec<_>>(), &[size(bytes)])
        }
        9 => {
            let heights: Vec<f64> = (0..9).map(|_| coordinate(bytes)).collect();
            Shape::height_field(&heights, 3, [size(bytes), size(bytes)])
        }
        _ => {
            let corner = |bytes: &mut Bytes<'_>| [0; 3].map(|_: i32| i32::from(bytes.next() % 4));
            let (low, extent) = (corner(bytes), corner(bytes));
            let high = [low[0] + extent[0], low[1] + extent[1], low[2] + extent[2]];
            Shape::octree_of_cells(&[[low, high]], size(bytes))
        }
    };
    let shape = made.ok()?;
    if kind & 0x80 == 0 { Some(shape) } else { shape.grown(size(bytes)).ok() }
}

fn pose(bytes: &mut Bytes<'_>) -> Option<Pose> {
    let quaternion: [f64; 4] = std::array::from_fn(|_| f64::from(bytes.next() as i8));
    let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    let unit = if length > 0.0 { quaternion.map(|x| x / length) } else { [0.0, 0.0, 0.0, 1.0] };
    Pose::from_quaternion(unit, point(bytes)).ok()
}

/// Makes two shapes and a pose, and asks everything. False if the bytes made none.
pub fn check_shapes(bytes: &[u8]) -> bool {
    let mut bytes = Bytes::new(bytes);
    let (Some(a), Some(b), Some(pose)) = (shape(&mut bytes), shape(&mut bytes), pose(&mut bytes)) else { return false };
    let Ok(pair) = ShapePair::relative(&a, &b, &pose) else { return false };
    check_pair(&pair, &mut Scratch::new());
    true
}

/// Contact is distance zero, limits are kept exactly when the distance is no larger, depths and
/// planes belong to what touches and what does not; a plane that is tried first changes nothing.
fn check_pair(pair: &ShapePair<'_>, scratch: &mut Scratch) {
    let settings = Settings::default();
    let found = pair.distance(Tolerance::EXACT, &settings, scratch);
    let context = || format!("{pair:?}: {found:?}");
    assert!(found.lower >= 0.0 && found.lower <= found.upper, "{}", context());
    assert!(units(found.stats) <= MOST_UNITS, "{}", context());
    let collision = pair.collide(&settings, scratch);
    let touches = collision.verdict == Verdict::Yes;
    assert!(units(collision.stats) <= MOST_UNITS, "{collision:?} {}", context());
    assert_eq!(touches, found.lower == 0.0, "{}", context());
    let plane = pair.separating_plane(None);
    let directions =
        [plane.map(|plane| plane.normal), Some(found.on_b - found.on_a), Some(Pose::IDENTITY.rotation().x_axis)];
    for limit in [0.0, 0.5 * found.lower, found.lower.next_down().max(0.0), found.upper, found.upper.next_up()] {
        let Within { verdict: near, stats, .. } = pair.within(limit, &settings, scratch);
        assert!(units(stats) <= MOST_UNITS, "{limit}: {stats:?} {}", context());
        assert_ne!(near, Verdict::Maybe, "{limit}: {}", context());
        if limit < found.lower || limit > found.upper {
            assert_eq!(near == Verdict::Yes, limit > found.upper, "{limit}: {}", context());
        }
        for direction in directions {
            let warm = pair.within(limit, &Settings::new().direction(direction), scratch).verdict;
            assert_eq!(warm, near, "{limit} along {direction:?}: {}", context());
        }
    }
    if let Some(plane) = plane {
        assert!(!touches && plane.gap() > 0.0 && plane.gap() <= found.upper, "{plane:?} {}", context());
        for corner in pair.a().corners() {
            assert!(plane.normal.dot(corner) <= plane.above_a, "{corner} {plane:?} {}", context());
        }
        for corner in pair.b().corners() {
            let corner = pair.a_from_b().apply(corner);
            assert!(plane.normal.dot(corner) >= plane.below_b, "{corner} {plane:?} {}", context());
        }
    }
    if let Some(depth) = pair.penetration(scratch) {
        let bounds = [pair.a(), pair.b()].map(Shape::bounds);
        if let [Some(a), Some(b)] = bounds {
            let size = [a.0, a.1, b.0, b.1, pair.a_from_b().translation()];
            let size = size.iter().fold(f64::MIN_POSITIVE, |most, corner| corner.abs().max_element().max(most));
            assert!(plane.is_some() || found.lower <= 1e-9 * size, "no plane {}", context());
        }
        assert!(depth.depth.lower >= 0.0 && depth.depth.lower <= depth.depth.upper, "{depth:?} {}", context());
        assert!(found.lower == 0.0 || depth.depth.lower == 0.0, "{depth:?} {}", context());
    }
    let contacts = pair.contacts(&settings, scratch);
    assert_eq!(contacts.contacts.is_empty(), !touches, "{contacts:?} {}", context());
    assert!(units(contacts.stats) <= MOST_UNITS, "{contacts:?} {}", context());
}
