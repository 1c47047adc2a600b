//! Overlap of solids: volumes, centres, boxes and areas beside rational arithmetic, formulas and
//! other questions.

use crate::common::{mesh, plain};
use glam::DVec3;
use nearhit::{Budget, Model, Pair, Pose, Scratch, Settings, Side, SolidOverlap};
use nearhit_testkit::overlap::Common;
use nearhit_testkit::pose::pose_soup;
use nearhit_testkit::rng::Rng;
use nearhit_testkit::{Soup, shapes};

fn model(soup: &Soup) -> Model {
    Model::new(mesh(soup))
}

fn overlap(a: &Model, b: &Model, a_from_b: &Pose) -> SolidOverlap {
    let pair = Pair::relative(a, b, a_from_b).expect("in range");
    pair.solid().overlap(&Settings::default(), &mut Scratch::new())
}

fn of_soups(a: &Soup, b: &Soup) -> SolidOverlap {
    overlap(&model(a), &model(b), &Pose::IDENTITY)
}

fn holds(found: &SolidOverlap, volume: f64) -> bool {
    found.volume.lower <= volume && volume <= found.volume.upper
}

fn moved(offset: [f64; 3]) -> Pose {
    Pose::from_translation(offset).expect("finite")
}

/// A small solid; on a grid many faces, edges and corners of two lie on each other.
fn small(rng: &mut Rng, on_grid: bool) -> Soup {
    let coordinate = |rng: &mut Rng| if on_grid { rng.integer(-2, 3) as f64 } else { rng.range(-1.0, 1.0) };
    let soup = match rng.below(4) {
        0 => {
            let low: [f64; 3] = std::array::from_fn(|_| coordinate(rng));
            let high = low.map(|value| value + if on_grid { rng.integer(1, 4) as f64 } else { rng.range(0.2, 1.5) });
            shapes::cuboid(low, high)
        }
        1 => loop {
            let soup = shapes::tetrahedron(std::array::from_fn(|_| std::array::from_fn(|_| coordinate(rng))));
            if shapes::signed_volume(&soup).abs() > 0.05 {
                break soup;
            }
        },
        2 => shapes::torus(4, 3, 1.0, 0.5),
        // An L: edges and faces that look at each other.
        _ => {
            let mut soup = shapes::cuboid([-1.0; 3], [1.0, 0.0, 1.0]);
            soup.append(&shapes::cuboid([-1.0, 0.0, -1.0], [0.0, 1.0, 1.0]));
            soup
        }
    };
    // Inside out is the same solid.
    if rng.chance(0.2) {
        let triangles = soup.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        return Soup { triangles, ..soup };
    }
    soup
}

/// Volume and centre beside rational arithmetic, in general position and on a grid.
#[test]
fn volumes_hold_rational_arithmetic() {
    // Rationals of rotated doubles are long: few of those.
    let (count, off_grid) = if std::env::var_os("NEARHIT_LONG").is_some() { (3000, 2) } else { (40, 10) };
    let mut rng = Rng::new(127);
    let (mut positive, mut zero) = (0, 0);
    for round in 0..count {
        let on_grid = round % off_grid != 1;
        let (a, b) = (small(&mut rng, on_grid), small(&mut rng, on_grid));
        let offset = std::array::from_fn(|_| if on_grid { rng.integer(-1, 2) as f64 } else { rng.range(-0.5, 0.5) });
        let pose = if on_grid { moved(offset) } else { Pose::from_rows(rng.rotation(), offset).expect("a rotation") };
        let (rows, translation) = plain(&pose);
        let posed = pose_soup(&rows, &translation, &b);
        let found = overlap(&model(&a), &model(&b), &pose);
        let exact = Common::new(&a, &posed);
        let sign = shapes::signed_volume(&a).signum() * shapes::signed_volume(&b).signum();
        let (lower, upper) = (found.volume.lower * sign, found.volume.upper * sign);
        assert!(exact.volume_is_within(lower.min(upper), lower.max(upper)), "{round}: {found:?} {}", exact.volume());
        let smaller = shapes::signed_volume(&a).abs().min(shapes::signed_volume(&b).abs());
        assert!(found.volume.upper - found.volume.lower < 1e-9 * smaller, "{round}: {found:?}");
        assert!(found.is_complete && found.is_exact);
        let volume = exact.volume().abs();
        positive += usize::from(volume > 0.0);
        zero += usize::from(volume == 0.0);
        if volume > 1e-3 {
            let (center, error) = found.center.expect("there is a volume");
            let truth = DVec3::from_array(exact.center());
            assert!(
                (center - truth).abs().max_element() <= error && error < 1e-10 / volume,
                "{round}: {found:?} {truth}"
            );
            let [low, high] = found.bounds.expect("there is a volume");
            assert!(low.cmple(truth).all() && truth.cmple(high).all());
        }
    }
    assert!(positive > count / 3 && zero > 0, "{positive} {zero}");
}

/// Triangles without area, as exports of CAD programs have them by the thousand: edges doubled, and
/// corners on the edge of a neighbour. They change nothing.
#[test]
fn triangles_without_area_change_nothing() {
    let mut rng = Rng::new(132);
    let mut overlapping = 0;
    for round in 0..200 {
        let plain = [shapes::icosphere(1), shapes::torus(8, 5, 1.0, 0.4)];
        let filled = [0, 1].map(|body| {
            let mut soup = plain[body].clone();
            let count = soup.triangles.len();
            for triangle in 0..count {
                if !rng.chance(0.3) {
                    continue;
                }
                // The third corner on the edge's first one, as a vertex of its own.
                let [a, b, c] = soup.triangles[triangle];
                let again = soup.vertices.len() as u32;
                soup.vertices.push(soup.vertices[a as usize]);
                soup.triangles.push([a, b, again]);
                soup.triangles[triangle] = [again, b, c];
            }
            soup
        });
        let pose = Pose::from_quaternion(rng.quaternion(), rng.point(-1.2, 1.2)).expect("a unit quaternion");
        let [before, after] = [&plain, &filled].map(|soups| overlap(&model(&soups[0]), &model(&soups[1]), &pose));
        assert!(after.is_complete && after.is_exact, "{round}: {after:?}");
        let same = before.volume.lower <= after.volume.upper && after.volume.lower <= before.volume.upper;
        assert!(same && after.volume.upper - after.volume.lower < 1e-9, "{round}: {before:?} {after:?}");
        overlapping += usize::from(before.volume.lower > 0.0);
    }
    assert!(overlapping > 100, "{overlapping}");
}

/// Boxes whose sides have forty binary digits: their overlap is a whole number of 126, which sums
/// in doubles miss. An interval without its error does not hold it.
#[test]
fn intervals_hold_products_of_many_digits() {
    const UNIT: f64 = 1.0 / (1_u64 << 30) as f64;
    let mut rng = Rng::new(131);
    let mut inexact = 0;
    for round in 0..60 {
        let mut sides =
            || -> [[i64; 2]; 3] { std::array::from_fn(|_| [rng.integer(-(1 << 39), 0), rng.integer(1, 1 << 39)]) };
        let [a, b] = [sides(), sides()];
        let offset: [i64; 3] = std::array::from_fn(|_| rng.integer(-(1 << 37), 1 << 37));
        let corner = |sides: [[i64; 2]; 3], end: usize| sides.map(|side| side[end] as f64 * UNIT);
        let [box_a, box_b] = [a, b].map(|sides| shapes::cuboid(corner(sides, 0), corner(sides, 1)));
        let found = overlap(&model(&box_a), &model(&box_b), &moved(offset.map(|way| way as f64 * UNIT)));
        let lengths = (0..3).map(|axis| {
            let (low, high) = (b[axis][0] + offset[axis], b[axis][1] + offset[axis]);
            (a[axis][1].min(high) - a[axis][0].max(low)).max(0) as u128
        });
        let exact: u128 = lengths.product();
        // Doubles of this size are whole numbers in cubes of the unit.
        let whole = |volume: f64| (volume.max(0.0) / UNIT / UNIT / UNIT) as u128;
        assert!(whole(found.volume.lower) <= exact && exact <= whole(found.volume.upper), "{round}: {found:?}");
        inexact += usize::from(whole(found.volume.lower * 0.5 + found.volume.upper * 0.5) != exact);
    }
    assert!(inexact > 30, "{inexact} of 60 middles miss the volume");
}

/// Boxes at whole numbers: everything is known, and nearly everything lies on something.
#[test]
fn boxes_on_a_grid_are_formulas() {
    let mut rng = Rng::new(128);
    let (mut empty, mut flush) = (0, 0);
    for _ in 0..400 {
        let mut cuboid = || {
            let low: [f64; 3] = std::array::from_fn(|_| rng.integer(-1, 2) as f64);
            (low, low.map(|value| value + rng.integer(1, 4) as f64))
        };
        let ((low_a, high_a), (low_b, high_b)) = (cuboid(), cuboid());
        let found = of_soups(&shapes::cuboid(low_a, high_a), &shapes::cuboid(low_b, high_b));
        let low: DVec3 = DVec3::from_array(low_a).max(DVec3::from_array(low_b));
        let high: DVec3 = DVec3::from_array(high_a).min(DVec3::from_array(high_b));
        let sides = (high - low).max(DVec3::ZERO);
        let volume = sides.x * sides.y * sides.z;
        assert!(holds(&found, volume), "{volume} {found:?}");
        empty += usize::from(volume == 0.0);
        if volume > 0.0 {
            let area = found.area.expect("closed");
            let truth = 2.0 * (sides.x * sides.y + sides.y * sides.z + sides.z * sides.x);
            assert!(area.lower <= truth && truth <= area.upper && area.upper - area.lower < 1e-9, "{truth} {area:?}");
            let bounds = found.bounds.expect("not empty");
            let off = (bounds[0] - low).abs().max((bounds[1] - high).abs()).max_element();
            assert!(off < 1e-12, "{bounds:?} {low} {high}");
            flush += usize::from((0..3).any(|axis| low_a[axis] == low_b[axis] || high_a[axis] == high_b[axis]));
        }
    }
    assert!(empty > 40 && flush > 100, "{empty} {flush}");
}

/// Flush faces elsewhere do not add to the surface: a block with a foot on each side of a rail.
#[test]
fn pressed_faces_have_no_surface() {
    // One arm of the U overlaps the rail, the other only touches it.
    let mut staple = shapes::cuboid([-2.0, 0.0, 0.0], [-1.0, 1.0, 1.0]);
    staple.append(&shapes::cuboid([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]));
    for (low, high, area) in [(-1.0, 1.0, 0.0), (-1.5, 1.0, 4.0), (-1.0, 1.25, 3.0)] {
        let found = of_soups(&staple, &shapes::cuboid([low, 0.0, 0.0], [high, 1.0, 1.0]));
        let surface = found.area.expect("closed");
        assert!(
            surface.lower <= area && area <= surface.upper && surface.upper < area + 1e-9,
            "{low} {high} {found:?}"
        );
    }
}

/// From apart through touching to overlap: never a jump, and 0 exactly where they only touch.
#[test]
fn volumes_do_not_jump_at_touching() {
    let (a, b) = (model(&shapes::cuboid([0.0; 3], [1.0; 3])), model(&shapes::torus(24, 12, 0.35, 0.12)));
    let cube = model(&shapes::cuboid([0.0; 3], [1.0; 3]));
    for hair in [-1e-3, -1e-12, -f64::EPSILON, 0.0, f64::EPSILON, 1e-12, 1e-9, 1e-6, 1e-3] {
        let found = overlap(&a, &cube, &moved([1.0 - hair, 0.0, 0.0]));
        assert!(found.volume.upper <= hair.max(0.0) + 1e-11 && found.volume.lower >= hair.max(0.0) - 1e-11);
        if hair <= 0.0 {
            assert_eq!(found.volume.upper, 0.0, "{hair}: {found:?}");
        }
    }
    // A torus that rolls through a face.
    let mut last = 0.0;
    for step in 0..40 {
        let found = overlap(&a, &b, &moved([0.5, 0.5, 1.2 - 0.02 * f64::from(step)]));
        let middle = 0.5 * (found.volume.lower + found.volume.upper);
        assert!((middle - last).abs() < 0.03, "{step}: {found:?}");
        last = middle;
    }
    assert!(last > 0.05);
}

/// The same solid in many poses has the overlap of itself, whatever the bodies' order.
#[test]
fn order_and_frame_change_nothing() {
    let (a, b) = (model(&shapes::icosphere(4)), model(&shapes::torus(18, 9, 0.8, 0.3)));
    let mut rng = Rng::new(129);
    for _ in 0..20 {
        let pose = Pose::from_rows(rng.rotation(), rng.point(-0.6, 0.6)).expect("a rotation");
        let (one, other) = (overlap(&a, &b, &pose), overlap(&b, &a, &pose.inverse()));
        // Posed once more, coordinates are rounded once more.
        let slack = 1e-12;
        assert!(one.volume.lower <= other.volume.upper + slack && other.volume.lower <= one.volume.upper + slack);
        let (area, again) = (one.area.expect("closed"), other.area.expect("closed"));
        assert!((area.lower - again.upper).abs() < 1e-9);
        assert_eq!(
            (one.curves, one.through),
            (
                other.curves,
                other.through.map(|side| match side {
                    Side::A => Side::B,
                    Side::B => Side::A,
                })
            )
        );
    }
    let copy = overlap(&a, &a, &Pose::IDENTITY);
    let volume = shapes::signed_volume(&shapes::icosphere(4));
    assert!((copy.volume.lower - volume).abs() < 1e-10 && (copy.volume.upper - volume).abs() < 1e-10);
}

fn area_of([a, b, c]: [DVec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}

/// A bar through a plate, into a plate, along its edge.
#[test]
fn bars_pass_through_plates() {
    let plate = shapes::cuboid([-2.0, -2.0, 0.0], [2.0, 2.0, 0.5]);
    let bar = |low: f64, high: f64| shapes::cylinder([0.1, 0.2, low], [0.1, 0.2, high], [0.3, 0.3], 12);
    let through = of_soups(&plate, &bar(-1.0, 1.0));
    assert_eq!((through.through, through.curves), (Some(Side::B), 2));
    assert_eq!(of_soups(&bar(-1.0, 1.0), &plate).through, Some(Side::A));
    let blind = of_soups(&plate, &bar(0.25, 1.0));
    assert_eq!((blind.through, blind.curves), (None, 1));
    let inside = of_soups(&plate, &bar(0.125, 0.375));
    assert_eq!((inside.through, inside.curves), (None, 0));
    assert!(
        holds(&inside, shapes::signed_volume(&bar(0.125, 0.375))) && inside.volume.upper - inside.volume.lower < 1e-10
    );
    // Flush with both faces: whatever the curves, the volume is the same.
    let flush = of_soups(&plate, &bar(0.0, 0.5));
    assert!((flush.volume.upper - shapes::signed_volume(&bar(0.0, 0.5))).abs() < 1e-10);
    let area = flush.area.expect("closed");
    let faces: f64 = bar(0.0, 0.5).corners().map(|corners| area_of(corners.map(DVec3::from_array))).sum();
    assert!(area.lower <= faces && faces <= area.upper, "{area:?} {faces}");
}

/// Cavities are not part of a solid; pieces that overlap count once, in a wider interval.
#[test]
fn shells_of_shells_hold() {
    let mut hollow = shapes::cuboid([-2.0; 3], [2.0; 3]);
    let cavity = shapes::cuboid([-1.0; 3], [1.0; 3]);
    hollow.append(&Soup { triangles: cavity.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(), ..cavity.clone() });
    let found = of_soups(&hollow, &shapes::cuboid([0.0; 3], [3.0; 3]));
    assert!(holds(&found, 7.0) && found.volume.upper - found.volume.lower < 1e-9, "{found:?}");
    let mut twice = shapes::cuboid([0.0; 3], [2.0, 1.0, 1.0]);
    twice.append(&shapes::cuboid([1.5, 0.0, 0.0], [4.0, 1.0, 1.0]));
    let found = of_soups(&twice, &shapes::cuboid([0.0; 3], [4.0, 1.0, 1.0]));
    assert!(holds(&found, 4.0) && found.volume.upper - found.volume.lower < 1.1, "{found:?}");
    assert!(found.area.is_none());
    // Repeated triangles and those without area change nothing.
    let mut odd = shapes::cuboid([0.0; 3], [2.0; 3]);
    odd.triangles.push(odd.triangles[3]);
    let found = of_soups(&odd, &shapes::cuboid([1.0; 3], [3.0; 3]));
    assert!(holds(&found, 1.0) && found.volume.upper - found.volume.lower < 1e-9, "{found:?}");
}

/// Holes and flipped triangles: an interval by cells.
#[test]
fn open_meshes_have_stated_errors() {
    let mut open = shapes::icosphere(6);
    open.triangles.remove(17);
    let mut flipped = shapes::icosphere(6);
    flipped.triangles[5].swap(0, 1);
    let volume = shapes::signed_volume(&shapes::icosphere(6));
    let around = shapes::cuboid([-3.0, -3.0, -3.0], [3.0, 3.0, 0.0]);
    for (name, soup) in [("open", &open), ("flipped", &flipped)] {
        let found = of_soups(soup, &around);
        assert!(holds(&found, 0.5 * volume), "{name}: {found:?}");
        assert!(found.volume.upper - found.volume.lower < 0.25 * volume, "{name}: {found:?}");
        assert_eq!((found.is_exact, found.area), (name == "flipped", None));
        // The limit of cells ends it, and that is said.
        assert!(!found.is_complete && found.volume.upper > 1.02 * found.volume.lower, "{name}: {found:?}");
        let [low, high] = found.bounds.expect("not empty");
        assert!(low.cmple(DVec3::splat(-0.9)).any() && high.z >= 0.0);
        let apart = overlap(&model(soup), &model(&around), &moved([0.0, 0.0, -1.5]));
        assert_eq!((apart.volume.lower, apart.volume.upper), (0.0, 0.0));
    }
}

/// A budget widens the interval and never breaks it; the same budget gives the same answer.
#[test]
fn budgets_widen_intervals() {
    let (a, b) = (model(&shapes::icosphere(5)), model(&shapes::torus(30, 15, 0.8, 0.3)));
    let pair = Pair::relative(&a, &b, &moved([0.4, 0.1, 0.2])).expect("in range");
    let full = pair.solid().overlap(&Settings::default(), &mut Scratch::new());
    let mut widths = Vec::new();
    for units in [1, 100, 1_000, 1_000_000] {
        let found = pair.solid().overlap(&Settings::new().budget(Budget::work(units)), &mut Scratch::new());
        assert!(found.volume.lower <= full.volume.lower && full.volume.upper <= found.volume.upper, "{found:?}");
        widths.push((found.is_complete, found.volume.upper - found.volume.lower));
    }
    assert!(!widths[0].0 && widths[3].0 && widths[3].1 < widths[0].1, "{widths:?}");
}

/// Huge, tiny and far away.
#[test]
fn sizes_of_all_kinds() {
    let cube = shapes::cuboid([0.0; 3], [1.0; 3]);
    let other = cube.translated([0.5, 0.25, 0.0]);
    for scale in [1e-90, 1e-30, 1e-6, 1.0, 1e6, 1e30, 1e90] {
        let found = of_soups(&cube.scaled(scale), &other.scaled(scale));
        let volume = (0.5 * scale) * (0.75 * scale) * scale;
        let off = 1e-9 * volume;
        assert!(found.volume.lower <= volume + off && volume - off <= found.volume.upper, "{scale}: {found:?}");
        assert!(found.volume.upper - found.volume.lower <= off, "{scale}: {found:?}");
    }
    // Beyond doubles: not known, and not wrong.
    let found = of_soups(&cube.scaled(1e200), &other.scaled(1e200));
    assert!(found.volume.upper == f64::INFINITY && found.volume.lower >= 0.0, "{found:?}");
    // Small parts far from the origin, in one frame.
    let far = |soup: &Soup| soup.translated([1048576.0, -2097152.0, 524288.0]);
    let found = of_soups(&far(&cube), &far(&other));
    assert!(holds(&found, 0.375) && found.volume.upper - found.volume.lower < 1e-9, "{found:?}");
}
