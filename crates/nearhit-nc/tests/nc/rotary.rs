//! Rotary axes: words A, B and C through a description of the machine.

use crate::oracle::{Random, Vector};
use glam::DVec3;
use nearhit_nc::{Machine, MoveKind, NcError, Program, RapidPath, ReadOptions, ToolPath};
use std::sync::Arc;

/// Tables A and C, or a head C and B, or a table C and a head B.
pub(crate) const MACHINES: [&str; 3] = [
    r#"{"axes": [{"letter": "A", "on": "table", "direction": [1, 0, 0], "point": [2, 3, -40]},
                 {"letter": "C", "on": "table", "direction": [0, 0, 1], "point": [5, -4, 0]}]}"#,
    r#"{"axes": [{"letter": "C", "on": "head", "direction": [0, 0, 1]}, {"letter": "A", "on": "head", "direction": [1, 0, 0]}]}"#,
    r#"{"axes": [{"letter": "C", "on": "table", "direction": [0, 0, 1], "point": [1, 2, 3]},
                 {"letter": "A", "on": "head", "direction": [0.6, 0.8, 0]}]}"#,
];

pub(crate) fn read(machine: &str, text: &str, start: Vector) -> Result<Program, NcError> {
    let machine = Machine::parse(machine, "machine.json").expect("legal");
    let options = ReadOptions {
        start: Some(start),
        rapid: RapidPath::Straight,
        machine: Some(Arc::new(machine)),
        ..ReadOptions::default()
    };
    Program::parse(text, "test.nc", &options)
}

/// Turns a vector about an axis by degrees: along, across, and the third (Rodrigues).
fn turned(v: Vector, axis: Vector, degrees: f64) -> Vector {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let [k, l, m] = axis;
    let cross = [l * v[2] - m * v[1], m * v[0] - k * v[2], k * v[1] - l * v[0]];
    let along = k * v[0] + l * v[1] + m * v[2];
    [0, 1, 2].map(|i| v[i] * cos + cross[i] * sin + axis[i] * along * (1.0 - cos))
}

fn about(p: Vector, center: Vector, axis: Vector, degrees: f64) -> Vector {
    let arm = turned([0, 1, 2].map(|i| p[i] - center[i]), axis, degrees);
    [0, 1, 2].map(|i| arm[i] + center[i])
}

/// Tip and axis as the workpiece sees them, of each machine, by its definition.
pub(crate) fn seen(machine: usize, tip: Vector, [a, c]: [f64; 2]) -> (Vector, Vector) {
    const X: Vector = [1.0, 0.0, 0.0];
    const Z: Vector = [0.0, 0.0, 1.0];
    match machine {
        // The table C stands on the table A.
        0 => {
            let tip = about(about(tip, [2.0, 3.0, -40.0], X, -a), [5.0, -4.0, 0.0], Z, -c);
            (tip, turned(turned(Z, X, -a), Z, -c))
        }
        1 => (tip, turned(turned(Z, X, a), Z, c)),
        _ => (tip, turned(turned(Z, [0.6, 0.8, 0.0], a), Z, -c)),
    }
}

fn near(one: DVec3, other: Vector) {
    assert!((one - DVec3::from(other)).length() < 1e-9, "{one} {other:?}");
}

#[test]
fn ways_are_those_of_the_machine() {
    let mut random = Random(21);
    for round in 0..60 {
        let machine = round % 3;
        let (from, to) = (random.vector(30.0), random.vector(30.0));
        let angles = [0; 4].map(|_| random.between(-200.0, 200.0));
        let [a, c, b, d] = angles;
        let control = if machine == 0 { "" } else { "G43.4 H0 " };
        let [x, y, z] = from;
        let [u, v, w] = to;
        let text = format!(
            "{control}G1 F100 X{x:.12} Y{y:.12} Z{z:.12} A{a:.12} C{c:.12}\nX{u:.12} Y{v:.12} Z{w:.12} A{b:.12} C{d:.12}"
        );
        let program = read(MACHINES[machine], &text, from).expect("legal");
        let one = program.moves.last().expect("a move");
        assert!(matches!(one.path, ToolPath::Turn(_)));
        for step in 0..=10 {
            let t = f64::from(step) / 10.0;
            let mix = |p: f64, q: f64| (1.0 - t) * p + t * q;
            let at = [0, 1, 2].map(|i| mix(from[i], to[i]));
            let (tip, axis) = seen(machine, at, [mix(a, b), mix(c, d)]);
            near(one.path.tip(t), tip);
            near(one.path.axis(t), axis);
        }
    }
}

#[test]
fn indexed_work_is_straight_and_exact() {
    let program = read(MACHINES[0], "G1 A90 F100\nG1 X10\nG0 Z50\nG3 X0 I-5 F100\nG81 X3 Y1 Z-5 R2\n", [0.0; 3]);
    let program = program.expect("legal");
    let [turn, line, up, arc, ..] = &program.moves[..] else { panic!("moves") };
    assert!(matches!(turn.path, ToolPath::Turn(_)));
    let ToolPath::Tilt { from, to, from_axis, to_axis } = &line.path else { panic!("{line:?}") };
    assert_eq!((from_axis, to_axis), (&DVec3::Y, &DVec3::Y), "quarter turns are exact");
    near(*to - *from, [10.0, 0.0, 0.0]);
    assert_eq!(up.kind, MoveKind::Rapid);
    near(up.path.tip(1.0) - up.path.tip(0.0), [0.0, 50.0, 0.0]);
    for step in 0..=8 {
        let t = f64::from(step) / 8.0;
        let (sin, cos) = (std::f64::consts::PI * t).sin_cos();
        let (tip, axis) = seen(0, [5.0 + 5.0 * cos, 5.0 * sin, 50.0], [90.0, 0.0]);
        near(arc.path.tip(t), tip);
        near(arc.path.axis(t), axis);
    }
    let (bottom, _) = seen(0, [3.0, 1.0, -5.0], [90.0, 0.0]);
    assert!(program.moves.iter().any(|one| (one.path.tip(1.0) - DVec3::from(bottom)).length() < 1e-9));
    // A table that turns about z leaves the tool upright.
    let upright = read(MACHINES[0], "G1 C30 F100\nX10", [0.0; 3]).expect("legal");
    assert!(matches!(upright.moves[1].path, ToolPath::Line { .. }));
}

#[test]
fn what_is_assumed_is_told() {
    let told = read(MACHINES[0], "G1 X1 F100\nA10", [0.0; 3]).expect("legal");
    assert_eq!(told.ignored.iter().filter(|note| note.text.contains("taken as 0")).count(), 2);
    assert!(matches!(told.moves[0].path, ToolPath::Line { .. }));
    let home = read(MACHINES[0], "G1 A10 F100\nG28 A0\nX5\nA20\nX6 Y0 Z0\nX7", [0.0; 3]).expect("legal");
    assert_eq!(home.moves.len(), 4, "{:?}", home.moves);
    assert!(home.moves[1].is_arrival);
    let feed = read(MACHINES[0], "G93 G1 X1 A5 F2", [0.0; 3]).expect("legal");
    assert!(feed.ignored.iter().any(|note| note.text.starts_with("G93")));
    let switched = "G43.4 H0 G1 X10 Y0 Z0 A45 F100\nG43 H0\nX20";
    let switched = read(MACHINES[0], switched, [0.0; 3]).expect("legal");
    let end = switched.moves.last().expect("a move").path.tip(0.0);
    near(end, [10.0, 0.0, 0.0]);
    // By the shorter way round, if the machine does so.
    let short = MACHINES[0].replace("\"point\": [5, -4, 0]", "\"shortest\": true, \"point\": [5, -4, 0]");
    let middle = |machine: &str| {
        read(machine, "G1 X20 C350 F1\nX20 C10", [20.0, 0.0, 0.0]).expect("legal").moves[1].path.tip(0.5)
    };
    near(middle(&short), seen(0, [20.0, 0.0, 0.0], [0.0, 0.0]).0);
    near(middle(MACHINES[0]), seen(0, [20.0, 0.0, 0.0], [0.0, 180.0]).0);
}

#[test]
fn what_is_not_followed_is_refused_with_its_line() {
    for (machine, text, line, word) in [
        (0, "G1 X1 F1\nB5", 2, "B5"),
        (0, "G1 X1 A2000000", 1, "A2000000"),
        (1, "G1 X1 F1\n\nA5", 3, "this line"),
        (0, "G1 X5 F1\nG2 X0 I-2.5 A5", 2, "X0"),
        (0, "G92 A0", 1, "G92"),
        (0, "G10 L2 P1 A3", 1, "G10"),
        (0, "G43.5 H1", 1, "G43.5"),
        (0, "G68.2 X0 Y0", 1, "G68.2"),
    ] {
        match read(MACHINES[machine], text, [0.0; 3]) {
            Err(NcError::Program { line: found, word: said, .. }) => assert_eq!((found, said.as_str()), (line, word)),
            other => panic!("{text}: {other:?}"),
        }
    }
    let plain = Program::parse("G43.4 H1", "t.nc", &ReadOptions::default());
    assert!(plain.is_err_and(|error| error.to_string().contains("description of the machine")));
}
