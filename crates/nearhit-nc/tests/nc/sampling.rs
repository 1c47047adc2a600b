//! Random moves against dense sampling in closed form: nothing missed, nothing invented.

use crate::known::{KINDS, Known, TOP};
use crate::oracle::{Random, Section, Vector, distance, dot};
use crate::rotary::{MACHINES, read, seen};
use glam::DVec3;
use nearhit::shape::Shape;
use nearhit::{Mesh, Model, Pose};
use nearhit_nc::{
    Arc, Body, CheckOptions, Checker, Class, Finding, Label, Move, MoveKind, Role, Rules, Tool, ToolPath, ToolTable,
};

/// A move, and where the tip and the axis are at a share of it: by the definition, not by the
/// crate.
pub(crate) struct Case {
    pub(crate) path: ToolPath,
    pub(crate) at: Box<dyn Fn(f64) -> (Vector, Vector)>,
}

fn line(random: &mut Random) -> Case {
    let (from, to) = (random.vector(20.0), random.vector(20.0));
    let at = move |t: f64| ([0, 1, 2].map(|axis| (1.0 - t) * from[axis] + t * to[axis]), [0.0, 0.0, 1.0]);
    Case { path: ToolPath::Line { from: from.into(), to: to.into() }, at: Box::new(at) }
}

fn arc(random: &mut Random) -> Case {
    let (center, radius) = (random.vector(10.0), random.between(0.5, 20.0));
    let (start, turn, rise) = (random.between(-3.0, 3.0), random.between(-9.0, 9.0), random.between(-8.0, 8.0));
    let upright = random.next() < 0.5;
    let plane = if upright { [DVec3::Z, DVec3::X] } else { [DVec3::X, DVec3::Y] };
    let path = Arc {
        center: center.into(),
        plane,
        start,
        turn,
        radius: [radius; 2],
        rise: rise * plane[0].cross(plane[1]),
        axis: DVec3::Z,
    };
    let at = move |t: f64| {
        let (u, v) = ((start + turn * t).cos() * radius, (start + turn * t).sin() * radius);
        let [x, y, z] = center;
        let tip = if upright { [x + v, y + rise * t, z + u] } else { [x + u, y + v, z + rise * t] };
        (tip, [0.0, 0.0, 1.0])
    };
    Case { path: ToolPath::Arc(path), at: Box::new(at) }
}

fn tilt(random: &mut Random) -> Case {
    let (from, to) = (random.vector(10.0), random.vector(10.0));
    let (first, mut last) = (random.unit(), random.unit());
    if dot(first, last) < -0.5 {
        last = last.map(|x| -x);
    }
    let angle = dot(first, last).clamp(-1.0, 1.0).acos();
    let at = move |t: f64| {
        let (a, b) = (((1.0 - t) * angle).sin() / angle.sin(), (t * angle).sin() / angle.sin());
        let axis = [0, 1, 2].map(|i| a * first[i] + b * last[i]);
        ([0, 1, 2].map(|i| (1.0 - t) * from[i] + t * to[i]), axis)
    };
    let path = ToolPath::Tilt { from: from.into(), to: to.into(), from_axis: first.into(), to_axis: last.into() };
    Case { path, at: Box::new(at) }
}

/// Rotary axes of a machine, and linear ones with them.
fn rotary(random: &mut Random) -> Case {
    let machine = (random.next() * 3.0) as usize;
    let (from, to) = (random.vector(10.0), random.vector(10.0));
    let [a, c, b, d] = [0; 4].map(|_| random.between(-90.0, 90.0));
    let places = [(from, a, c), (to, b, d)]
        .map(|([x, y, z], a, c)| format!("G1 F100 X{x:.15} Y{y:.15} Z{z:.15} A{a:.15} C{c:.15}\n"));
    let control = if machine == 0 { "" } else { "G43.4 H0\n" };
    let program = read(MACHINES[machine], &format!("{control}{}", places.concat()), from).expect("legal");
    let at = move |t: f64| {
        let mix = |p: f64, q: f64| (1.0 - t) * p + t * q;
        seen(machine, [0, 1, 2].map(|i| mix(from[i], to[i])), [mix(a, b), mix(c, d)])
    };
    Case { path: program.moves.last().expect("a move").path.clone(), at: Box::new(at) }
}

/// Lines, arcs, tilts and rotary axes in turn.
pub(crate) fn case(round: usize, random: &mut Random) -> Case {
    [line, arc, tilt, rotary][round % 4](random)
}

/// The least distance of a point from the tool during the move.
fn least(case: &Case, sections: &[Section], point: Vector) -> f64 {
    least_of(|t| {
        let (tip, axis) = (case.at)(t);
        distance(sections, tip, axis, point)
    })
}

/// The least value from 0 to 1: 400 samples, and the best ones narrowed down.
pub(crate) fn least_of(ask: impl Fn(f64) -> f64) -> f64 {
    let steps = 400;
    let mut best = f64::INFINITY;
    let values: Vec<f64> = (0..=steps).map(|step| ask(f64::from(step) / f64::from(steps))).collect();
    for step in 0..=steps as usize {
        let is_low =
            values[step] <= values[step.saturating_sub(1)] && values[step] <= values[(step + 1).min(steps as usize)];
        best = best.min(values[step]);
        if !is_low {
            continue;
        }
        let mut low = (step as f64 - 1.0).max(0.0) / f64::from(steps);
        let mut high = (step as f64 + 1.0).min(f64::from(steps)) / f64::from(steps);
        for _ in 0..60 {
            let (p, q) = ((2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0);
            let (at_p, at_q) = (ask(p), ask(q));
            best = best.min(at_p).min(at_q);
            if at_p < at_q { high = q } else { low = p }
        }
    }
    best
}

fn tools() -> Vec<Known> {
    (0..KINDS).map(Known::new).collect()
}

fn checker(tool: &Tool, body: Body, distance: f64) -> Checker {
    let mut tools = ToolTable::default();
    tools.insert(tool.clone());
    let rules = Rules { clearance: distance, holder_clearance: distance, ..Rules::default() };
    Checker::new(tools, vec![body], CheckOptions { rules, ..CheckOptions::default() }).expect("legal")
}

pub(crate) fn one(path: ToolPath) -> Move {
    Move { line: 7, tool: None, kind: MoveKind::Feed, path, is_arrival: false }
}

/// The finding is what it says: at its instant its point is as near as it must be.
fn is_true(finding: &Finding, case: &Case, sections: &[Section], distance_kept: f64) {
    let (tip, axis) = (case.at)(finding.at);
    let (Some(said), Some(point)) = (finding.tip, finding.point) else { panic!("without a place: {finding:?}") };
    let now = distance(sections, tip, axis, point);
    assert!(now <= distance_kept + 2e-3, "{finding:?}: {now}");
    assert!(finding.after <= finding.at && finding.line == 7);
    for axis in 0..3 {
        assert!((said[axis] - tip[axis]).abs() < 1e-9, "{finding:?} {tip:?}");
    }
}

#[test]
fn points_are_found_exactly_when_they_are_near() {
    let rounds = if std::env::var_os("NEARHIT_LONG").is_some() { 10_000 } else { 400 };
    let (mut random, tools) = (Random(11), tools());
    let (mut near, mut far, mut undecided) = ([0; KINDS], [0; KINDS], 0);
    for round in 0..rounds {
        let case = case(round, &mut random);
        let kind = random.between(0.0, KINDS as f64) as usize;
        let known = &tools[kind];
        let kept = if round % 2 == 0 { 0.0 } else { random.between(0.0, 2.0) };
        // Mostly near the way.
        let (tip, axis) = (case.at)(random.next());
        let (height, side) = (random.between(-2.0, TOP), random.vector(8.0));
        let point = [0, 1, 2].map(|i| tip[i] + height * axis[i] + side[i]);
        let body = Shape::ball(0.0).and_then(|ball| ball.grown(0.0)).expect("legal");
        let body =
            Body::shape("point", Role::Fixture, body, Pose::from_translation(point).expect("legal")).expect("legal");
        let findings = checker(&known.tool, body, kept).check_move(3, &one(case.path.clone())).expect("legal");
        let mut is_undecided = false;
        for label in [Label::Cutter, Label::Shank, Label::Holder] {
            let sections = known.sections(label);
            let truth = least(&case, &sections, point);
            let found = findings.iter().find(|finding| finding.piece == label);
            if found.is_some_and(|finding| finding.class == Class::Undecided) {
                is_undecided |= truth > kept + 1e-6 * TOP;
                assert!((truth - kept).abs() < 1e-3, "undecided at {truth}, {kept}");
            } else if truth > kept + 1e-6 {
                assert!(found.is_none(), "invented: {truth} > {kept}: {found:?} {:?}", case.path);
                far[kind] += 1;
            } else if truth < kept - 1e-6 || (kept == 0.0 && truth == 0.0) {
                let found =
                    found.unwrap_or_else(|| panic!("missed: {truth} < {kept}: {:?} {label} {point:?}", case.path));
                is_true(found, &case, &sections, kept);
                near[kind] += 1;
                if truth > 0.0 {
                    assert!(
                        found.clearance.lower <= truth + 1e-9 && truth <= found.clearance.upper + 1e-9,
                        "{found:?} {truth}"
                    );
                }
            }
        }
        undecided += usize::from(is_undecided);
    }
    let least = rounds / (8 * KINDS);
    assert!(near.iter().chain(&far).all(|&count| count > least), "{near:?} {far:?}");
    // Of moves that are clear by more than a millionth of the size, at most one in a thousand.
    assert!(undecided * 1000 <= rounds, "{undecided}");
}

/// A soup of triangles: points spread over each, at many instants. Nothing may be missed, and every
/// finding must be true.
#[test]
fn meshes_are_touched_where_samples_are() {
    let rounds = if std::env::var_os("NEARHIT_LONG").is_some() { 1000 } else { 72 };
    let (mut random, tools) = (Random(5), tools());
    let (mut hits, mut clear) = (0, 0);
    for round in 0..rounds {
        let case = case(round, &mut random);
        let known = &tools[round / 4 % KINDS];
        let mut corners: Vec<Vector> = Vec::new();
        for _ in 0..6 {
            let (tip, axis) = (case.at)(random.next());
            let (height, side) = (random.between(0.0, TOP), random.vector(25.0));
            let middle = [0, 1, 2].map(|i| tip[i] + height * axis[i] + side[i]);
            corners.extend((0..3).map(|_| {
                let off = random.vector(3.0);
                [0, 1, 2].map(|i| middle[i] + off[i])
            }));
        }
        let triangles: Vec<[u32; 3]> = (0..6).map(|index| [3 * index, 3 * index + 1, 3 * index + 2]).collect();
        let body = Body::mesh("soup", Role::Fixture, Model::new(Mesh::new(&corners, &triangles).expect("legal")));
        assert!(body.is_open());
        let findings = checker(&known.tool, body, 0.0).check_move(3, &one(case.path.clone())).expect("legal");
        for label in [Label::Cutter, Label::Shank, Label::Holder] {
            let sections = known.sections(label);
            let found = findings.iter().find(|finding| finding.piece == label && finding.class == Class::Contact);
            let touched = triangles.iter().any(|triangle| {
                let [a, b, c] = triangle.map(|index| corners[index as usize]);
                (0..=12).any(|u| {
                    (0..=12 - u).any(|v| {
                        let (u, v) = (f64::from(u) / 12.0, f64::from(v) / 12.0);
                        let point = [0, 1, 2].map(|i| a[i] + u * (b[i] - a[i]) + v * (c[i] - a[i]));
                        (0..=100).any(|step| {
                            let (tip, axis) = (case.at)(f64::from(step) / 100.0);
                            distance(&sections, tip, axis, point) == 0.0
                        })
                    })
                })
            });
            match found {
                Some(finding) => {
                    is_true(finding, &case, &sections, 0.0);
                    hits += 1;
                }
                None => {
                    assert!(!touched, "missed: {:?} {label}", case.path);
                    clear += 1;
                }
            }
        }
    }
    assert!(hits > rounds / 4 && clear > rounds / 4, "{hits} {clear}");
}

/// Pins far thinner than any step of a simulation, beside the way of a tool and in it.
#[test]
fn thin_pins_between_samples_are_found() {
    let (mut random, tools) = (Random(77), tools());
    let (mut found, mut passed) = (0, 0);
    for round in 0..60 {
        let case = case(round, &mut random);
        let known = &tools[round % KINDS];
        let (tip, axis) = (case.at)(random.between(0.1, 0.9));
        let side = random.vector(4.0);
        let point = [0, 1, 2].map(|i| tip[i] + 3.0 * axis[i] + side[i]);
        let sections = known.sections(Label::Cutter);
        let truth = least(&case, &sections, point);
        let pin = Shape::ball(1e-7).expect("legal");
        let pin = Body::shape("pin", Role::Fixture, pin, Pose::from_translation(point).expect("legal")).expect("legal");
        let findings = checker(&known.tool, pin, 0.0).check_move(3, &one(case.path.clone())).expect("legal");
        let hit = findings.iter().any(|finding| finding.piece == Label::Cutter && finding.class == Class::Contact);
        if truth > 2e-6 {
            assert!(!hit, "{truth}");
            passed += 1;
        } else if truth == 0.0 {
            assert!(hit);
            found += 1;
        }
    }
    assert!(found > 10 && passed > 3, "{found} {passed}");
}

/// A tool inside of a closed mesh touches it, though not its surface.
#[test]
fn inside_of_a_solid_is_contact() {
    let corner = |index: u32| [0, 1, 2].map(|axis| if index >> axis & 1 == 0 { -500.0 } else { 500.0 });
    let corners: Vec<Vector> = (0..8).map(corner).collect();
    let faces = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    let model = std::sync::Arc::new(Model::new(Mesh::new(&corners, &faces).expect("legal")));
    let body = Body::mesh("block", Role::Machine, model.clone());
    assert!(!body.is_open());
    let Known { tool, .. } = &tools()[1];
    let path = ToolPath::Line { from: DVec3::ZERO, to: DVec3::new(10.0, 0.0, 0.0) };
    let findings = checker(tool, body, 0.0).check_move(0, &one(path.clone())).expect("legal");
    // The same block elsewhere is clear, and touched where it is.
    let away = DVec3::new(4000.0, -3000.0, 50.0);
    let there = Body::mesh_at("block", Role::Machine, model, Pose::from_translation(away.into()).expect("legal"));
    assert!(checker(tool, there.clone(), 0.0).check_move(0, &one(path)).expect("legal").is_empty());
    let moved = ToolPath::Line { from: away, to: away + DVec3::X };
    assert_eq!(checker(tool, there, 0.0).check_move(0, &one(moved)).expect("legal").len(), 3);
    assert_eq!(findings.len(), 3);
    assert!(findings.iter().all(|finding| finding.at == 0.0 && finding.clearance.upper < -1.9), "{findings:?}");
}
