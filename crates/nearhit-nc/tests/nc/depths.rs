//! How deep straight moves go, against closed forms; and what it costs.

use crate::oracle::Random;
use nearhit::Pose;
use nearhit::shape::Shape;
use nearhit_nc::{Body, CheckOptions, Checker, Cutter, Program, ReadOptions, Role, Tool, ToolTable, Watch};

const RADIUS: f64 = 3.0;
const EDGE: f64 = 1.0;

/// How deep a point is below a cutter's surface, at a height above the tip and a distance from the
/// axis.
fn depth(cutter: Cutter, height: f64, off: f64) -> f64 {
    let edge = match cutter {
        Cutter::Ball => RADIUS,
        Cutter::Bull { corner_radius } => corner_radius,
        _ => 0.0,
    };
    let middle = RADIUS - edge;
    if height < edge && off > middle { edge - (off - middle).hypot(edge - height) } else { height.min(RADIUS - off) }
}

/// The interval holds the depth and is as narrow as the resolution, for few questions: a first look
/// tells where the depth lies, and two more prove it. By halving alone they would be a dozen.
#[test]
fn depths_of_straight_moves_are_found_with_few_questions() {
    let mut random = Random(23);
    let options = CheckOptions::default();
    let (mut deep, mut asked) = (0, 0);
    for round in 0..300 {
        let cutter = [Cutter::Flat, Cutter::Ball, Cutter::Bull { corner_radius: EDGE }][round % 3];
        let (height, off) = (random.between(0.01, 8.0), random.between(-2.99, 2.99));
        let truth = depth(cutter, height, off.abs());
        if truth < 0.005 {
            continue;
        }
        let mut tools = ToolTable::default();
        tools.insert(Tool::new(1, cutter, 2.0 * RADIUS, 20.0).expect("legal"));
        let point = Pose::from_translation([random.between(-5.0, 5.0), off, height]).expect("legal");
        let body = Body::shape("point", Role::Fixture, Shape::ball(0.0).expect("legal"), point).expect("legal");
        let checker = Checker::new(tools, vec![body], options).expect("legal");
        let reading = ReadOptions { start: Some([-20.0, 0.0, 0.0]), ..ReadOptions::default() };
        let program = Program::parse("G21 G90\nG1 X20 F100\n", "depth.nc", &reading).expect("legal");
        let report = checker.check(&program, &Watch::new()).expect("legal");
        let kept = report.findings[0].clearance;
        assert!(kept.lower <= -truth + 1e-9 && -truth <= kept.upper + 1e-9, "{cutter:?} {truth} {kept:?}");
        assert!(kept.upper - kept.lower <= options.resolution, "{kept:?}");
        deep += 1;
        asked += report.tests;
    }
    assert!(deep > 150, "{deep}");
    // To find the first contact takes up to 30 of them.
    assert!(asked < 38 * deep, "{asked} questions for {deep} depths");
}
