//! Any text as an NC program, as a tool table and as a machine; then a few moves are checked.

use nearhit::shape::Shape;
use nearhit::{Model, Pose};
use nearhit_nc::{
    Body, CheckOptions, Checker, Class, Cutter, Demo, Label, Machine, Move, Program, ReadOptions, Role, Rules, Stage,
    Tool, ToolTable,
};
use std::sync::{Arc, LazyLock};

/// A table that tips and turns.
const MACHINE: &str = r#"{"axes": [{"letter": "A", "on": "table", "direction": [1, 0, 0], "point": [0, 0, -50]},
    {"letter": "C", "on": "table", "direction": [0, 0, 1], "point": [0, 0, 0]}]}"#;

/// Through most of the demo's bodies: lines, arcs, a helix, a rapid, two angles.
const MOVES: &str = "G21 G90\nG1 X60 Y30 Z-3 F100\nG2 X40 Y50 Z-9 I-20 J0\nG18 G3 X80 Z-5 R30\nG0 X0 Y0 Z2\n\
    G1 X30 A30 C200\nG43.4 H0\nG1 X10 Z-20 A0";

/// As many moves of a program are checked, with so many questions each.
const CHECKED: usize = 6;
const WORK: u64 = 40;

static BODIES: LazyLock<Vec<Body>> = LazyLock::new(|| {
    let ball = Pose::from_translation([20.0, 10.0, -6.0]).expect("legal");
    let ball = Body::shape("ball", Role::Machine, Shape::ball(4.0).expect("legal"), ball).expect("legal");
    let corners = [[30.0, 0.0, -9.0], [60.0, 60.0, -4.0], [-5.0, 50.0, 3.0]];
    let sheet = Model::new(nearhit::Mesh::new(&corners, &[[0, 1, 2]]).expect("legal"));
    let mut bodies = Demo::bodies().expect("legal");
    bodies.extend([ball, Body::mesh("sheet", Role::Part, sheet)]);
    bodies
});

/// Parses as G-code, as APT and as poses; then as every kind of tool table. Nothing may panic, an
/// error must name its file, and every place must be a number. Then some moves are checked: of the
/// program with a tool of our own, or of a program of our own with the table's tools.
pub fn check_nc(text: &str) {
    for name in ["fuzz.nc", "fuzz.apt", "fuzz.csv"] {
        for start in [None, Some([0.0; 3])] {
            let machine = start.and_then(|_| Machine::parse(MACHINE, "machine.json").ok());
            match Program::parse(text, name, &reading(start, machine)) {
                Ok(program) => {
                    for one in &program.moves {
                        let ends = [0.0, 0.5, 1.0].map(|t| (one.path.tip(t), one.path.axis(t)));
                        assert!(ends.iter().all(|(tip, axis)| tip.is_finite() && axis.is_finite()), "{one:?}");
                        assert!(one.line >= 1 && one.line <= text.lines().count() + 1, "{one:?}");
                    }
                    check_moves(&mill(), &program.moves);
                }
                Err(error) => assert!(error.to_string().contains(name), "{error}"),
            }
        }
    }
    match Machine::parse(text, "fuzz.json") {
        Ok(machine) => {
            if let Ok(program) = Program::parse(MOVES, "fuzz.nc", &reading(Some([0.0; 3]), Some(machine))) {
                check_moves(&mill(), &program.moves);
            }
        }
        Err(error) => assert!(error.to_string().contains("fuzz.json"), "{error}"),
    }
    let machine = Machine::parse(MACHINE, "machine.json").ok();
    let moves = Program::parse(MOVES, "moves.nc", &reading(Some([0.0; 3]), machine)).expect("legal").moves;
    for name in ["fuzz.json", "fuzz.tbl", "fuzz.fctb"] {
        match ToolTable::parse(text, name) {
            Ok(tools) => {
                for tool in tools.iter() {
                    assert!(tool.length().is_finite() && tool.length() >= 0.0, "{tool:?}");
                    let sections = tool.sections();
                    assert!(sections.iter().flat_map(|(_, points)| points).flatten().all(|value| value.is_finite()));
                }
                for tool in tools.iter().take(2) {
                    check_moves(tool, &moves);
                }
            }
            Err(error) => assert!(error.to_string().contains(name), "{error}"),
        }
    }
}

fn reading(start: Option<[f64; 3]>, machine: Option<Machine>) -> ReadOptions {
    ReadOptions { start, machine: machine.map(Arc::new), ..ReadOptions::default() }
}

fn mill() -> Tool {
    let stage = |diameter: f64, length: f64| Stage { bottom: diameter, top: diameter, length };
    Tool::new(1, Cutter::Bull { corner_radius: 1.0 }, 6.0, 10.0)
        .and_then(|tool| tool.with(Label::Shank, stage(4.0, 20.0)))
        .and_then(|tool| tool.with(Label::Holder, stage(20.0, 30.0)))
        .expect("legal")
}

/// Whatever number the moves have for the tool. A body that a shape cannot be swept for is an
/// error, not a panic; findings are in order and made of numbers.
fn check_moves(tool: &Tool, moves: &[Move]) {
    let rules = Rules { clearance: 0.5, holder_clearance: 1.0, ..Rules::default() };
    let options = CheckOptions { rules, work: WORK, ..CheckOptions::default() };
    let mut table = ToolTable::default();
    table.insert(tool.clone());
    let Ok(checker) = Checker::new(table, BODIES.clone(), options) else { return };
    for (index, one) in moves.iter().take(CHECKED).enumerate() {
        let one = Move { tool: None, ..one.clone() };
        let Ok(findings) = checker.check_move(index, &one) else { continue };
        for found in findings {
            assert!(0.0 <= found.after && found.after <= found.at && found.at <= 1.0, "{found:?}");
            let [lower, upper] = [found.clearance.lower, found.clearance.upper];
            assert!(lower.is_finite() && lower <= upper, "{found:?}");
            assert!(found.class == Class::Undecided || found.class == Class::Possible || upper <= found.needed);
            let places = [found.tip, found.point];
            assert!(places.iter().flatten().flatten().all(|value| value.is_finite()), "{found:?}");
        }
    }
}
