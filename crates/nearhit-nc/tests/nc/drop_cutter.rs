//! Drop-cutter heights in closed form: a cutter goes down until it touches a vertex, an edge or a
//! plane.

use nearhit::{Mesh, Model};
use nearhit_nc::{Body, CheckOptions, Checker, Class, Cutter, Move, MoveKind, Role, Rules, Tool, ToolPath, ToolTable};

const RADIUS: f64 = 3.0;
const CORNER: f64 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Flat,
    Ball,
    Bull,
}

fn cutter(kind: Kind) -> Cutter {
    match kind {
        Kind::Flat => Cutter::Flat,
        Kind::Ball => Cutter::Ball,
        Kind::Bull => Cutter::Bull { corner_radius: CORNER },
    }
}

/// How much the cutter's surface lies above its tip, this far from the axis.
fn rise(kind: Kind, away: f64) -> f64 {
    match kind {
        Kind::Flat => 0.0,
        Kind::Ball => RADIUS - (RADIUS * RADIUS - away * away).sqrt(),
        Kind::Bull => {
            let out = (away - (RADIUS - CORNER)).max(0.0);
            CORNER - (CORNER * CORNER - out * out).sqrt()
        }
    }
}

fn body(corners: &[[f64; 3]], triangles: &[[u32; 3]], role: Role) -> Body {
    Body::mesh("part", role, Model::new(Mesh::new(corners, triangles).expect("legal")))
}

fn checker(kind: Kind, body: Body, gouge: f64) -> Checker {
    let mut tools = ToolTable::default();
    tools.insert(Tool::new(1, cutter(kind), 2.0 * RADIUS, 20.0).expect("legal"));
    let options =
        CheckOptions { rules: Rules { gouge, ..Rules::default() }, resolution: 1e-6, ..CheckOptions::default() };
    Checker::new(tools, vec![body], options).expect("legal")
}

fn down(x: f64, y: f64, from: f64, to: f64) -> Move {
    let path = ToolPath::Line { from: [x, y, from].into(), to: [x, y, to].into() };
    Move { line: 1, tool: Some(1), kind: MoveKind::Feed, path, is_arrival: false }
}

/// The height at which a cutter that goes down touches a fixture; and the same above and below it.
fn dropped(kind: Kind, corners: &[[f64; 3]], triangles: &[[u32; 3]], [x, y]: [f64; 2], expected: f64) {
    let checker = checker(kind, body(corners, triangles, Role::Fixture), 0.0);
    let findings = checker.check_move(0, &down(x, y, 30.0, -5.0)).expect("legal");
    assert_eq!(findings.len(), 1, "{kind:?} at {x} {y}");
    assert_eq!(findings[0].class, Class::Contact);
    let [.., height] = findings[0].tip.expect("a place");
    assert!((height - expected).abs() < 2e-6, "{kind:?} at {x} {y}: {height} not {expected}");
    let at = |height: f64| checker.check_move(0, &down(x, y, height + 1.0, height)).expect("legal").len();
    assert_eq!((at(expected + 1e-4), at(expected - 1e-4)), (0, 1), "{kind:?} at {x} {y}");
}

const KINDS: [Kind; 3] = [Kind::Flat, Kind::Ball, Kind::Bull];

#[test]
fn onto_a_vertex() {
    // A needle with its tip in the origin.
    let corners = [[0.0, 0.0, 0.0], [0.01, 0.0, -30.0], [-0.01, 0.01, -30.0], [-0.01, -0.01, -30.0]];
    let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
    for kind in KINDS {
        for away in [0.0, 0.7, 1.9, 2.0, 2.5, 2.95] {
            dropped(kind, &corners, &triangles, [away * 0.6, away * 0.8], -rise(kind, away));
        }
    }
}

#[test]
fn onto_an_edge() {
    // An edge along x that rises with a slope, over a thin wall.
    for slope in [0.0, 0.3, -0.7] {
        let at = |x: f64, y: f64, low: f64| [x, y, x * slope - low];
        let corners = [at(-50.0, 0.0, 0.0), at(50.0, 0.0, 0.0), at(-50.0, 0.0, 60.0), at(50.0, 0.0, 60.0)];
        let triangles = [[0, 1, 2], [1, 3, 2]];
        let cos = 1.0 / (1.0 + slope * slope).sqrt();
        for away in [0.0, 1.0, 2.2, 2.9_f64] {
            let reach = (RADIUS * RADIUS - away * away).sqrt();
            dropped(Kind::Flat, &corners, &triangles, [0.0, away], slope.abs() * reach);
            dropped(Kind::Ball, &corners, &triangles, [0.0, away], reach / cos - RADIUS);
            if slope == 0.0 {
                dropped(Kind::Bull, &corners, &triangles, [0.0, away], -rise(Kind::Bull, away));
            }
        }
    }
}

#[test]
fn onto_a_plane() {
    for slope in [0.0, 0.4, 1.2] {
        let at = |x: f64, y: f64| [x, y, slope * x];
        let corners = [at(-80.0, -90.0), at(90.0, -80.0), at(70.0, 85.0), at(-95.0, 75.0)];
        let triangles = [[0, 1, 2], [0, 2, 3]];
        let cos = 1.0 / (1.0_f64 + slope * slope).sqrt();
        for [x, y] in [[0.0, 0.0], [1.3, -0.6], [-2.0, 5.0]] {
            let height = slope * x;
            dropped(Kind::Flat, &corners, &triangles, [x, y], height + RADIUS * slope);
            dropped(Kind::Ball, &corners, &triangles, [x, y], height + RADIUS / cos - RADIUS);
            let bull = (RADIUS - CORNER) * slope + CORNER / cos - CORNER;
            dropped(Kind::Bull, &corners, &triangles, [x, y], height + bull);
        }
    }
}

/// Below a horizontal plane a cutter is as deep as it is below it, however the edge is rounded.
#[test]
fn gouges_are_as_deep_as_they_are() {
    let corners = [[-80.0, -90.0, 0.0], [90.0, -80.0, 0.0], [70.0, 85.0, 0.0], [-95.0, 75.0, 0.0]];
    let triangles = [[0, 1, 2], [0, 2, 3]];
    for kind in KINDS {
        for depth in [0.015, 0.3, 0.9, 1.7] {
            let checker = checker(kind, body(&corners, &triangles, Role::Part), 0.01);
            let path = ToolPath::Line { from: [-10.0, 0.0, -depth].into(), to: [10.0, 2.0, -depth].into() };
            let one = Move { path, ..down(0.0, 0.0, 1.0, 0.0) };
            let findings = checker.check_move(0, &one).expect("legal");
            assert_eq!(findings.len(), 1, "{kind:?} {depth}");
            let found = findings[0].clearance;
            assert!(found.lower <= -depth + 1e-9 && -depth <= found.upper + 1e-9, "{kind:?} {depth}: {found:?}");
            assert!(found.upper - found.lower < 1e-5);
        }
        // As deep as is allowed, but for a hair.
        let checker = checker(kind, body(&corners, &triangles, Role::Part), 0.01);
        let at = |depth: f64| checker.check_move(0, &down(0.0, 0.0, 1.0, -depth)).expect("legal").len();
        assert_eq!((at(0.0099), at(0.0101)), (0, 1), "{kind:?}");
    }
}
