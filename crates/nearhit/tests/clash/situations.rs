//! Situations that tests of other clash programs are about: members that pierce, cross, lie flush,
//! are buried or enclosed, near the origin and far from it. With what is true of the solids.

use crate::common::mesh;
use nearhit::Pose;
use nearhit::clash::{Assembly, Class, Finding, Options, Report, Rules};
use nearhit_testkit::Soup;
use nearhit_testkit::shapes::cuboid;

/// A box of half sides about its middle.
fn block(middle: [f64; 3], half: [f64; 3]) -> Soup {
    let corner = |sign: f64| std::array::from_fn(|axis| middle[axis] + sign * half[axis]);
    cuboid(corner(-1.0), corner(1.0))
}

/// An outline that is a fan about its first corner, from one height to another.
fn prism(outline: &[[f64; 2]], [low, high]: [f64; 2]) -> Soup {
    let count = outline.len() as u32;
    let ring = |z: f64| outline.iter().map(move |&[x, y]| [x, y, z]);
    let mut triangles = Vec::new();
    for corner in 1..count - 1 {
        triangles.push([0, corner + 1, corner]);
        triangles.push([count, count + corner, count + corner + 1]);
    }
    for corner in 0..count {
        let next = (corner + 1) % count;
        triangles.push([corner, next, count + next]);
        triangles.push([corner, count + next, count + corner]);
    }
    Soup { vertices: ring(low).chain(ring(high)).collect(), triangles }
}

/// A block of 10 by 10 by 1 with a recess in its top, whose floor is at 0.875.
fn tub() -> Soup {
    let ring = |from: f64, to: f64, z: f64| [[from, from, z], [to, from, z], [to, to, z], [from, to, z]];
    let rings = [ring(0.0, 10.0, 0.0), ring(0.0, 10.0, 1.0), ring(1.0, 9.0, 1.0), ring(1.0, 9.0, 0.875)];
    let mut triangles = vec![[0, 2, 1], [0, 3, 2], [12, 13, 14], [12, 14, 15]];
    for (ring, corner) in (0..3).flat_map(|ring| (0..4).map(move |corner| (4 * ring, corner))) {
        let (one, next) = (ring + corner, ring + (corner + 1) % 4);
        triangles.extend([[one, next, next + 4], [one, next + 4, one + 4]]);
    }
    Soup { vertices: rings.concat(), triangles }
}

/// Turned about all axes, then moved, and rounded to single precision if asked.
#[derive(Debug, Clone, Copy)]
struct Place {
    angles: [f64; 3],
    offset: [f64; 3],
    is_single: bool,
}

impl Place {
    fn put(&self, soup: &Soup) -> Soup {
        let turn = |mut point: [f64; 3]| {
            for (axis, angle) in self.angles.into_iter().enumerate() {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let (sin, cos) = angle.sin_cos();
                (point[u], point[v]) = (cos * point[u] - sin * point[v], sin * point[u] + cos * point[v]);
            }
            std::array::from_fn(|axis| {
                let value = point[axis] + self.offset[axis];
                if self.is_single { f64::from(value as f32) } else { value }
            })
        };
        Soup { vertices: soup.vertices.iter().map(|&point| turn(point)).collect(), triangles: soup.triangles.clone() }
    }
}

fn pair(a: &Soup, b: &Soup) -> Assembly {
    let mut built = Assembly::new();
    for (name, soup) in [("a", a), ("b", b)] {
        let shape = built.add_mesh(mesh(soup));
        built.add_part(name, shape, Pose::IDENTITY).expect("in range");
    }
    built
}

fn judged(a: &Soup, b: &Soup, options: &Options<'_>) -> Option<Finding> {
    let report: Report = pair(a, b).clashes(options).expect("an answer");
    report.findings.first().cloned()
}

struct Situation {
    name: &'static str,
    bodies: [Soup; 2],
    class: Option<Class>,
    /// How deep the deepest point of one surface is in the other body, or the gap.
    measure: f64,
    volume: f64,
    /// Which passes through the other.
    through: Option<usize>,
}

fn situation(name: &'static str, bodies: [Soup; 2], class: Class, measure: f64, volume: f64) -> Situation {
    Situation { name, bodies, class: Some(class), measure, volume, through: None }
}

fn situations() -> Vec<Situation> {
    use Class::{Close, Hard, Inside, Touching};
    let (slab, wall) = (block([5.0, 5.0, 0.1], [5.0, 5.0, 0.1]), block([0.0; 3], [2.5, 0.1, 1.5]));
    let cube = |x: f64| block([x, 0.0, 0.0], [0.5; 3]);
    let tall = |half: [f64; 2], height: f64| block([0.0, 0.0, height / 2.0], [half[0], half[1], height / 2.0]);
    let angle = prism(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]], [0.0, 1.0]);
    let wedge = prism(&[[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]], [0.0, 1.0]);
    let column = prism(&[[4.0, 4.0], [4.3, 4.0], [4.15, 4.3]], [-5.0, 5.0]);
    let turned = Place { angles: [0.0, 0.0, 15_f64.to_radians()], offset: [0.0; 3], is_single: false };
    let duct = block([0.0; 3], [0.2, 1.0, 0.2]);
    let pierces = |name, duct: Soup, volume: f64| Situation {
        through: Some(1),
        ..situation(name, [wall.clone(), duct], Hard, 0.2, volume)
    };
    let apart = |name, bodies| Situation { class: None, ..situation(name, bodies, Hard, 0.0, 0.0) };
    let plate = |top: f64| block([5.0, 5.0, (0.4 + top) / 2.0], [3.0, 3.0, (top - 0.4) / 2.0]);
    vec![
        situation(
            "a block in a slab",
            [slab.clone(), block([4.5, 4.5, 0.5625], [0.5, 0.5, 0.4375])],
            Hard,
            0.075,
            0.075,
        ),
        pierces("a duct through a wall", duct.clone(), 0.032),
        pierces("a turned duct through a wall", turned.put(&duct), 0.032 / 15_f64.to_radians().cos()),
        Situation {
            through: Some(1),
            ..situation("a column through a slab", [slab.clone(), column], Hard, 0.0, 0.009)
        },
        situation("walls that cross", [tall([5.0, 0.1], 3.0), tall([0.1, 5.0], 3.0)], Hard, 0.1, 0.12),
        situation("walls of two heights that cross", [tall([5.0, 0.1], 3.0), tall([0.1, 5.0], 2.5)], Hard, 0.1, 0.1),
        situation(
            "bars that cross",
            [block([0.0; 3], [5.0, 0.5, 0.5]), block([0.0; 3], [0.5, 5.0, 0.5])],
            Hard,
            0.5,
            1.0,
        ),
        situation("a plate flush with a recess", [tub(), plate(0.875)], Hard, 0.4375, 17.1),
        situation("a plate an ulp below a recess", [tub(), plate(0.875_f64.next_down())], Hard, 0.4375, 17.1),
        situation("a plate an ulp above a recess", [tub(), plate(0.875_f64.next_up())], Hard, 0.4375, 17.1),
        situation("a plate through a recess", [tub(), plate(0.885)], Hard, 0.4375, 17.1),
        situation(
            "layers on one footprint",
            [slab.clone(), block([5.0, 5.0, 0.285], [5.0, 5.0, 0.125])],
            Hard,
            0.04,
            4.0,
        ),
        situation(
            "a layer in a layer",
            [block([5.0, 5.0, 0.02], [5.0, 5.0, 0.02]), block([5.0, 5.0, 0.125], [5.0, 5.0, 0.125])],
            Hard,
            0.04,
            4.0,
        ),
        situation("cubes flush on four sides", [cube(0.0), cube(0.5)], Hard, 0.5, 0.5),
        situation(
            "a bar in a block",
            [block([0.0; 3], [1.0; 3]), block([1.75, 0.0, 0.0], [1.25, 0.1, 0.1])],
            Hard,
            0.5,
            0.02,
        ),
        situation(
            "bars that overlap a little",
            [block([0.0; 3], [5.0, 0.5, 0.5]), block([5.4, 0.0, 0.0], [0.5; 3])],
            Hard,
            0.1,
            0.1,
        ),
        situation("a box in an angle", [angle.clone(), block([1.2, 1.4, 0.5], [0.25, 0.2, 0.2])], Hard, 0.05, 0.008),
        apart("a box before an angle", [angle, block([1.5, 1.5, 0.5], [0.2, 0.2, 0.2])]),
        situation("a box across a slope", [wedge.clone(), block([1.0, 1.0, 0.5], [0.5; 3])], Hard, 0.0, 0.5),
        situation(
            "wedges with one face",
            [wedge, prism(&[[2.0, 0.0], [5.0, 5.0], [0.0, 2.0]], [0.0, 1.0])],
            Touching,
            0.0,
            0.0,
        ),
        situation("cubes on each other", [cube(0.0), cube(1.0)], Touching, 0.0, 0.0),
        situation("a cube in a cube", [block([0.0; 3], [5.0; 3]), cube(0.0)], Inside, 4.5, 1.0),
        situation("a gap", [cube(0.0), cube(1.125)], Close, 0.125, 0.0),
        apart("a wide gap", [cube(0.0), cube(2.0)]),
    ]
}

const PLACES: [Place; 4] = [
    Place { angles: [0.0; 3], offset: [0.0; 3], is_single: false },
    Place { angles: [0.0; 3], offset: [1e6, -2e5, 3e5], is_single: false },
    Place { angles: [1.1, 0.37, -0.61], offset: [3.7, -12.9, 2.35], is_single: false },
    Place { angles: [0.3, -0.2, 0.7], offset: [1e4, 123.456, -45.678], is_single: false },
];

/// A millionth: tolerances and rounding far from the origin are below, and every measure above.
const NEAR: f64 = 1e-6;

#[test]
fn piercing_crossing_flush_buried_and_far() {
    let all: Vec<Situation> = situations();
    for (situation, place) in all.iter().flat_map(|situation| PLACES.map(|place| (situation, place))) {
        let &Situation { name, bodies: [ref a, ref b], class, measure, volume, through } = situation;
        let found = judged(&place.put(a), &place.put(b), &Options::new().tolerance(2.0 * NEAR).clearance(0.25));
        assert_eq!(found.as_ref().map(|found| found.class), class, "{name} {place:?}");
        let Some(found) = found else { continue };
        if let Some(depth) = found.depth.filter(|_| measure > 0.0) {
            let most = found.depth_at_most.expect("closed");
            assert!(depth <= measure + NEAR && measure - NEAR <= most && depth > 0.98 * measure, "{name}: {found:?}");
        } else if let Some(gap) = found.gap {
            assert!((gap - measure).abs() < NEAR, "{name} {place:?}: {gap}");
        }
        let Some(overlap) = found.overlap else {
            assert_eq!(volume, 0.0, "{name}: {found:?}");
            continue;
        };
        let near = overlap.volume.lower <= volume + NEAR && volume - NEAR <= overlap.volume.upper;
        assert!(near && overlap.volume.upper - overlap.volume.lower < NEAR, "{name} {place:?}: {overlap:?}");
        if through.is_some() {
            assert_eq!(overlap.through, through, "{name} {place:?}");
        }
    }
}

/// A panel and a mullion as files have them: turned, moved by up to ten kilometres, and then
/// rounded to single precision. The tolerance is that of practice, two millimetres.
#[test]
fn flush_faces_touch_wherever_a_file_puts_them() {
    let panel = block([1.0, 2.0, 1.5], [0.025, 0.75, 1.5]);
    for angles in [[0.0; 3], [0.0, -std::f64::consts::FRAC_PI_2, 0.0], [0.0, 0.0, 0.3], [1.1, 0.37, -0.61]] {
        for offset in [[0.0; 3], [7.4, 0.0, 0.0], [3.7, -12.9, 2.35], [1e3, 0.0, 0.0], [0.0, 0.0, 1e3], [0.0, 1e4, 0.0]]
        {
            let place = Place { angles, offset, is_single: true };
            for (overlap, class) in [(0.0, Class::Touching), (0.02, Class::Hard), (-0.02, Class::Close)] {
                let mullion = block([1.125 - overlap, 2.0, 1.5], [0.1, 0.1, 1.5]);
                let options = Options::new().tolerance(0.002).clearance(0.05);
                let found = judged(&place.put(&panel), &place.put(&mullion), &options).expect("a finding");
                assert_eq!(found.class, class, "{overlap} {place:?}");
                let measured = found.depth.or(found.gap).unwrap_or(0.0);
                // Single precision at ten kilometres is half a millimetre, for each of two faces.
                assert!((measured - f64::abs(overlap)).abs() < 0.0025, "{overlap} {place:?}: {measured}");
            }
        }
    }
}

/// An overlap of a hundredth of a millimetre, sixty metres away: no more and no less.
#[test]
fn a_small_overlap_far_away_is_one() {
    for overlap in [1e-5, 1e-4] {
        let [a, b] =
            [block([50.0, 0.0, 60.0], [2.0, 0.25, 0.25]), block([50.0, 0.0, 60.5 - overlap], [0.25, 2.0, 0.25])];
        let found = judged(&a, &b, &Options::new()).expect("a finding");
        let volume = found.overlap.expect("closed").volume.upper;
        assert_eq!(found.class, Class::Hard);
        assert!((volume - 0.25 * overlap).abs() < 1e-12, "{overlap}: {volume}");
        let touching = judged(&a, &b, &Options::new().tolerance(1e-3)).expect("a finding");
        assert_eq!(touching.class, Class::Touching, "{overlap}");
    }
}

/// Sets of parts: only pairs of the one with the other, also where one set is empty.
#[test]
fn one_set_beside_another() {
    let mut built = Assembly::new();
    let shape = built.add_mesh(mesh(&block([0.0; 3], [0.5; 3])));
    for (name, x) in [("wall", 0.0), ("pipe_1", 0.5), ("site/pipe_2", 0.75), ("wall_far", 10.0)] {
        built.add_part(name, shape, Pose::from_translation([x, 0.0, 0.0]).expect("finite")).expect("in range");
    }
    let mut found = |only: &[&str]| {
        let rules = Rules::new(only, &["walls=wall*"]).expect("rules");
        let report = built.clashes(&Options::new().rules(&rules)).expect("an answer");
        let pairs: Vec<[usize; 2]> = report.findings.iter().map(|finding| finding.parts).collect();
        assert_eq!((report.is_complete, report.pairs_near), (true, report.pairs_judged));
        assert!(report.unused_rules.is_empty());
        pairs.into_iter().collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(found(&[]), [[0, 1], [0, 2], [1, 2]]);
    assert_eq!(found(&["only @walls:pipe_*"]), [[0, 1], [0, 2]]);
    assert_eq!(found(&["only pipe_*:pipe_*"]), [[1, 2]]);
    assert_eq!(found(&["only @walls:site/*", "only pipe_1:site/*"]), [[0, 2], [1, 2]]);
    assert!(found(&["only pipe_*:door*"]).is_empty());
}
