//! Collisions of shank and holder and five-axis moves in a cube of stock: the situations that
//! cutrail (a crate that removes material by mesh booleans) tests itself with, as findings.

use crate::oracle::{Section, Vector, distance};
use glam::DVec3;
use nearhit::Pose;
use nearhit::shape::Shape;
use nearhit_nc::{
    Body, CheckOptions, Checker, Cutter, Finding, Label, Move, MoveKind, Role, Stage, Tool, ToolPath, ToolTable,
};

fn block(role: Role, sizes: [f64; 3], middle: [f64; 3]) -> Body {
    let pose = Pose::from_translation(middle).expect("legal");
    Body::shape("block", role, Shape::cuboid(sizes).expect("legal"), pose).expect("legal")
}

fn stock() -> Body {
    block(Role::Stock, [10.0; 3], [5.0; 3])
}

fn findings(tool: &Tool, body: Body, path: ToolPath) -> Vec<Finding> {
    let mut tools = ToolTable::default();
    tools.insert(tool.clone());
    let checker = Checker::new(tools, vec![body], CheckOptions::default()).expect("legal");
    let one = Move { line: 1, tool: None, kind: MoveKind::Feed, path, is_arrival: false };
    checker.check_move(0, &one).expect("legal")
}

fn plunge(to: f64) -> ToolPath {
    ToolPath::Line { from: DVec3::new(5.0, 5.0, 10.0), to: DVec3::new(5.0, 5.0, to) }
}

fn stage(diameter: f64, length: f64) -> Stage {
    Stage { bottom: diameter, top: diameter, length }
}

fn tip(finding: &Finding) -> [f64; 3] {
    finding.tip.expect("a place")
}

/// The shank, wider than the cutter, follows it 2 mm into the stock; 4 mm higher it does not.
#[test]
fn a_shank_follows_its_cutter_into_the_stock() {
    let tool = Tool::new(1, Cutter::Flat, 4.0, 6.0).and_then(|tool| tool.with(Label::Shank, stage(8.0, 10.0)));
    let tool = tool.expect("legal");
    let found = findings(&tool, stock(), plunge(2.0));
    assert_eq!(found.len(), 1, "the cutter may cut the stock: {found:?}");
    assert_eq!((found[0].piece, found[0].role), (Label::Shank, Role::Stock));
    assert!((tip(&found[0])[2] - 4.0).abs() < 2e-3, "{:?}", found[0].tip);
    assert!(found[0].clearance.lower <= -2.0 && -2.0 <= found[0].clearance.upper + 1e-9, "{:?}", found[0].clearance);
    assert!(findings(&tool, stock(), plunge(6.0)).is_empty());
}

/// The holder goes 4 mm into the stock. The shank is as wide as the hole: without removal of
/// material it is found in the stock where cutrail has it in the hole.
#[test]
fn a_holder_hits_the_stock() {
    let tool = Tool::new(1, Cutter::Flat, 4.0, 3.0).and_then(|tool| tool.with(Label::Shank, stage(4.0, 2.0)));
    let tool = tool.and_then(|tool| tool.with(Label::Holder, stage(10.0, 5.0))).expect("legal");
    let found = findings(&tool, stock(), plunge(1.0));
    let pieces: Vec<Label> = found.iter().map(|finding| finding.piece).collect();
    assert_eq!(pieces, [Label::Shank, Label::Holder]);
    assert!((tip(&found[1])[2] - 5.0).abs() < 2e-3, "{:?}", found[1].tip);
    // No point is deeper below the surface of a holder of 5 mm than its half.
    let kept = found[1].clearance;
    assert!(kept.lower <= -2.5 && kept.upper < -2.499, "{kept:?}");
    assert!(findings(&tool, stock(), plunge(7.5)).is_empty());
}

fn tilted(degrees: f64) -> Vector {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [sin, 0.0, cos]
}

fn five_axis(from: Vector, to: Vector, tilt: [f64; 2]) -> ToolPath {
    let [from_axis, to_axis] = tilt.map(|degrees| DVec3::from(tilted(degrees)));
    ToolPath::Tilt { from: from.into(), to: to.into(), from_axis, to_axis }
}

/// Points of the cube are met exactly if the tool is there at one of many instants: a rotation
/// about the tip, one with a translation, and a fixed tilt along its axis.
#[test]
fn five_axis_moves_meet_the_points_of_their_sweep() {
    let (s, c) = 30f64.to_radians().sin_cos();
    let cases: [(f64, f64, Vector, Vector, [f64; 2]); 3] = [
        (4.0, 8.0, [5.0, 5.0, 6.0], [5.0, 5.0, 6.0], [0.0, 40.0]),
        (4.0, 8.0, [2.0, 5.0, 7.0], [8.0, 5.0, 7.0], [-25.0, 25.0]),
        (3.0, 10.0, [5.0 - 10.0 * s, 5.0, 5.0 - 10.0 * c], [5.0 + 2.0 * s, 5.0, 5.0 + 2.0 * c], [30.0, 30.0]),
    ];
    for (diameter, length, from, to, tilt) in cases {
        let tool = Tool::new(1, Cutter::Flat, diameter, length).expect("legal");
        let sections = [Section::Cylinder(0.5 * diameter, 0.0, length)];
        let least = |point: Vector| {
            let at = |step: u32| {
                let t = f64::from(step) / 256.0;
                let tip = [0, 1, 2].map(|i| from[i] + t * (to[i] - from[i]));
                distance(&sections, tip, tilted(tilt[0] + t * (tilt[1] - tilt[0])), point)
            };
            (0..=256).map(at).fold(f64::INFINITY, f64::min)
        };
        let (mut met, mut missed) = (0, 0);
        for index in 0..1000 {
            let point = [index % 10, index / 10 % 10, index / 100].map(|i| f64::from(i) + 0.5);
            let body = block(Role::Fixture, [1e-6; 3], point);
            let is_met = !findings(&tool, body, five_axis(from, to, tilt)).is_empty();
            let truth = least(point);
            // Between two of the instants no point moves farther than 0.03 mm.
            assert!(is_met || truth > 0.0, "{point:?} is missed");
            assert!(!is_met || truth < 0.05, "{point:?} is {truth} away");
            (met, missed) = (met + usize::from(is_met), missed + usize::from(!is_met));
        }
        assert!(met > 50 && missed > 500, "{met} {missed}");
    }
}

/// 200 moves whose tilt follows a sine of 20 degrees: the edge of the cutter is below its tip by
/// its radius times the sine of the tilt, and a plate is met by exactly those that go deeper.
#[test]
fn a_swinging_tool_meets_a_plate_where_its_edge_is_lowest() {
    let tool = Tool::new(1, Cutter::Flat, 4.0, 10.0).expect("legal");
    let tilt = |index: u32| 20.0 * (std::f64::consts::TAU * f64::from(index) / 40.0).sin();
    let place = |index: u32| [3.0 + f64::from(index), 5.0, 7.0];
    for (top, some) in [(6.2, false), (6.5, true)] {
        let mut met = 0;
        for index in 0..200 {
            let ends = [index, index + 1].map(tilt);
            let path = five_axis(place(index), place(index + 1), ends);
            let body = block(Role::Fixture, [400.0, 100.0, 10.0], [100.0, 0.0, top - 5.0]);
            let lowest =
                7.0 - 2.0 * ends.map(|degrees| degrees.to_radians().sin().abs()).into_iter().fold(0.0, f64::max);
            let found = findings(&tool, body, path);
            assert_eq!(found.is_empty(), lowest > top, "move {index}: {lowest} above {top}");
            met += found.len();
        }
        assert_eq!(met > 50, some);
    }
}

/// A wall that leans over the tool is met by its upper end first, whichever piece is asked about
/// first; and a move that begins in it is found at its beginning.
#[test]
fn the_first_contact_is_that_of_the_earliest_piece() {
    let tool = Tool::new(1, Cutter::Drill { angle: 118.0 }, 6.0, 20.0).expect("legal");
    assert_eq!(tool.pieces().len(), 2);
    let at = |y: f64, z: f64| [10.0 - 0.3 * z, y, z];
    let corners = [at(-50.0, -20.0), at(50.0, -20.0), at(50.0, 60.0), at(-50.0, 60.0)];
    let mesh = nearhit::Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]).expect("legal");
    let wall = Body::mesh("wall", Role::Fixture, nearhit::Model::new(mesh));
    let line = |from: f64, to: f64| ToolPath::Line { from: DVec3::X * from, to: DVec3::X * to };
    let found = findings(&tool, wall.clone(), line(-20.0, 20.0));
    assert_eq!(found.len(), 1);
    // The upper rim, 3 mm from the axis, where the wall is at x = 4.
    assert!((tip(&found[0])[0] - 1.0).abs() < 2e-3, "{:?}", found[0].tip);
    assert!(found[0].after < found[0].at && found[0].at - found[0].after < 1e-4);
    let inside = findings(&tool, wall, line(5.0, 20.0));
    assert_eq!((inside[0].after, inside[0].at), (0.0, 0.0));
}
