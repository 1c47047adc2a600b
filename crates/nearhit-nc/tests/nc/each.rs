//! What is certain of every move: how far it stays away, beside sampling in closed form.

use crate::known::{KINDS, Known};
use crate::oracle::{Random, around, distance};
use crate::sampling::{case, least_of, one};
use nearhit::Pose;
use nearhit::shape::Shape;
use nearhit_nc::{
    Body, CheckOptions, Checker, Cutter, Label, MoveClass, MoveKind, Program, ReadOptions, Role, Rules, Tool,
    ToolTable, Watch,
};

const FAR: f64 = 15.0;

/// What is said may be less than the truth by this, and by a fiftieth, for lines, arcs, tilts and
/// rotary axes in turn.
///
/// A share of a move is halved until what the tool may leave its chord's sweep by, `d`, is at most
/// a hundredth of the distance `f` from that sweep: `f - d` is told and the truth is at most `f +
/// d`, so that no more than `1 - 0.99 / 1.01`, a fiftieth, is lost. Or until it is no longer than a
/// thousandth, which is 1/1024 of the move; then `2 d` is lost. There the middle of the highest
/// piece, at 40 mm, leaves its chord by 40 a²/8 when the axis turns by `a`, and the corners of the
/// holder, 14.2 mm from its middle, by 14.2 a/2 more. An arc of 20 mm by 9 rad leaves its chord by
/// 20 (9/1024)²/8 = 0.0002 mm. A tilt turns by 2π/3 at most: a = 0.00205, d = 0.0146 mm. Two rotary
/// axes turn by π at most each: a = 0.00614, and their tip is accelerated by less than 3500 mm in a
/// move's time squared: d = 0.0436 + 0.0002 + 3500/1024²/8 = 0.0442 mm.
const LOST: [f64; 4] = [1e-6, 0.0005, 0.03, 0.09];

fn point(role: Role, place: [f64; 3]) -> Body {
    let place = Pose::from_translation(place).expect("legal");
    Body::shape(role.to_string(), role, Shape::ball(0.0).expect("legal"), place).expect("legal")
}

/// Never more than is true; of lines not less either, of others by little.
#[test]
fn moves_are_clear_by_what_they_keep() {
    let mut random = Random(3);
    let tools: Vec<Known> = (0..KINDS).map(Known::new).collect();
    let (mut clear, mut far, mut met, mut cutting) = (0, 0, 0, 0);
    for round in 0..400 {
        let (case, known) = (case(round, &mut random), &tools[round / 4 % KINDS]);
        let mut near = |[low, high]: [f64; 2], aside: f64| {
            let (tip, axis) = (case.at)(random.next());
            let (height, side) = (random.between(low, high), random.vector(aside));
            [0, 1, 2].map(|i| tip[i] + height * axis[i] + side[i])
        };
        // Every eighth part is close to the cutter, 10 mm long with a radius of 3 mm: of 8 mm by 8
        // about its axis it covers 44 %, so that even if it stood still it would cut some 18 of 50.
        // Every eighth pair is far below the tip.
        let (part, fixture) = match round / 4 % 8 {
            0 => (near([1.0, 9.0], 4.0), near([-10.0, 40.0], 16.0)),
            4 => (near([-70.0, -60.0], 16.0), near([-70.0, -60.0], 16.0)),
            _ => (near([-10.0, 40.0], 16.0), near([-10.0, 40.0], 16.0)),
        };
        let mut table = ToolTable::default();
        table.insert(known.tool.clone());
        let options = CheckOptions {
            rules: Rules { gouge: 0.5, ..Rules::default() },
            measure: FAR,
            each: true,
            ..CheckOptions::default()
        };
        let bodies = vec![point(Role::Part, part), point(Role::Fixture, fixture)];
        let checker = Checker::new(table, bodies, options).expect("legal");
        let mut program = Program::default();
        program.moves.push(one(case.path.clone()));
        let report = checker.check(&program, &Watch::new()).expect("legal");
        let [each] = report.each[..] else { panic!("{:?}", report.each) };
        let least = |label: Label, place: [f64; 3]| {
            least_of(|t| {
                let (tip, axis) = (case.at)(t);
                distance(&known.sections(label), tip, axis, place)
            })
        };
        if report.findings.is_empty() {
            let pairs =
                [(Label::Cutter, 1), (Label::Shank, 0), (Label::Shank, 1), (Label::Holder, 0), (Label::Holder, 1)];
            let away = |(label, body): (Label, usize)| least(label, [part, fixture][body]);
            let truth = pairs.into_iter().map(away).fold(f64::MAX, f64::min);
            assert_eq!(each.class, MoveClass::Clear);
            assert!(each.clear_by <= truth + 1e-9, "{each:?} {truth}");
            // Of lines it is exact.
            let lost = |truth: f64| if round % 4 == 0 { LOST[0] } else { LOST[round % 4].max(0.02 * truth) };
            let least = (truth - lost(truth)).min(FAR);
            assert!(each.clear_by >= least, "{each:?} {truth} {:?}", case.path);
            match (each.piece, each.body) {
                (Some(piece), Some(body)) => {
                    let away = away((piece, body));
                    assert!(away - lost(away) <= truth, "{each:?} {away}");
                    clear += 1;
                }
                (None, None) => {
                    assert!(truth >= FAR && each.clear_by == FAR);
                    far += 1;
                }
                _ => panic!("{each:?}"),
            }
        } else {
            assert!(each.class != MoveClass::Clear && each.piece.is_some(), "{each:?}");
            let worst = report.findings.iter().map(|finding| finding.clearance.lower).fold(f64::MAX, f64::min);
            assert!(each.clear_by >= worst, "{each:?}");
            met += 1;
        }
        // Of the part: never more than is true, and within the tolerance if it is touched.
        let kept = each.from_part.expect("a part");
        let truth = match least(Label::Cutter, part) {
            away if away > 0.0 => away,
            _ => {
                cutting += 1;
                least_of(|t| {
                    let (tip, axis) = (case.at)(t);
                    -known.depth(around(tip, axis, part)).max(0.0)
                })
            }
        };
        assert!(kept <= truth + 1e-6 && kept <= FAR, "{each:?} {truth}");
        assert!(truth == 0.0 || kept >= (0.97 * truth).min(truth) - 0.51 || kept == FAR, "{each:?} {truth}");
    }
    assert!(clear > 100 && far > 5 && met > 20 && cutting > 10, "{clear} {far} {met} {cutting}");
}

/// Thinner than the gouge that is allowed, and wholly inside of the part.
#[test]
fn a_cutter_inside_of_its_part_is_not_away_from_it() {
    let mut table = ToolTable::default();
    table.insert(Tool::new(1, Cutter::Flat, 1.0, 5.0).expect("legal"));
    let corner = |index: usize| [0, 1, 2].map(|axis| if index >> axis & 1 == 0 { -50.0 } else { 50.0 });
    let corners: Vec<[f64; 3]> = (0..8).map(corner).collect();
    let faces = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7]];
    let faces = [&faces[..], &[[0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]].concat();
    let model = nearhit::Model::new(nearhit::Mesh::new(&corners, &faces).expect("legal"));
    let options = CheckOptions {
        rules: Rules { gouge: 2.0, ..Rules::default() },
        measure: FAR,
        each: true,
        ..CheckOptions::default()
    };
    let checker = Checker::new(table, vec![Body::mesh("block", Role::Part, model)], options).expect("legal");
    let reading = ReadOptions { start: Some([0.0; 3]), ..ReadOptions::default() };
    let program = Program::parse("G21 G90\nG1 X5 F100\n", "in.nc", &reading).expect("legal");
    let report = checker.check(&program, &Watch::new()).expect("legal");
    assert_eq!(report.each[0].from_part, Some(-2.0));
}

/// One for each move, in order, whatever the threads; with names for what is near; nothing unless
/// it is asked for.
#[test]
fn every_move_has_its_line() {
    let lines: String =
        (0..500).map(|k| format!("G1 X{} Z{}\n", k % 7, if k % 100 == 99 { -1 } else { 1 + k % 5 })).collect();
    let program = format!("G21 G90 F100\nT1 M6\nG0 X0 Y0 Z5\n{lines}");
    let program = Program::parse(&program, "many.nc", &ReadOptions::default()).expect("legal");
    let mut table = ToolTable::default();
    table.insert(Tool::new(1, Cutter::Ball, 2.0, 10.0).expect("legal"));
    let floor = Shape::cuboid([100.0, 100.0, 1.0]).expect("legal");
    let floor = Body::shape("floor", Role::Fixture, floor, Pose::from_translation([0.0, 0.0, -0.5]).expect("legal"));
    let floor = floor.expect("legal");
    let check = |each: bool, measure: f64, clearance: f64| {
        let rules = Rules { clearance, ..Rules::default() };
        let options = CheckOptions { rules, measure, each, ..CheckOptions::default() };
        let checker = Checker::new(table.clone(), vec![floor.clone()], options).expect("legal");
        checker.check(&program, &Watch::new()).expect("legal")
    };
    assert!(check(false, 10.0, 0.0).each.is_empty());
    let report = check(true, 10.0, 0.0);
    assert_eq!(report.each.len(), program.moves.len());
    assert_eq!((report.each[0].class, report.each[0].line), (MoveClass::End, 3));
    let count = |class: MoveClass| report.each.iter().filter(|each| each.class == class).count();
    assert_eq!((count(MoveClass::Clear), count(MoveClass::End)), (report.clear, report.ends_only));
    // Down to it and up again, and what begins where one ended in it.
    assert_eq!((count(MoveClass::Contact), report.findings.len()), (9, 9));
    for (index, (each, one)) in report.each.iter().zip(&program.moves).enumerate() {
        assert_eq!(each.line, one.line, "{index}");
        let low = one.path.tip(0.0).z.min(one.path.tip(1.0).z);
        assert!((each.clear_by - low).abs() < 1e-2 && each.clear_by <= low, "{index}: {each:?} {low}");
        assert_eq!((each.piece, each.body, each.from_part), (Some(Label::Cutter), Some(0), None));
        assert!(one.kind == MoveKind::Feed || index == 0);
    }
    // Without measuring, what was asked for is proven, and no more.
    let report = check(true, 0.0, 0.5);
    assert!(report.each.iter().filter(|each| each.class == MoveClass::Clear).all(|each| each.clear_by == 0.5));
    assert!(report.clear > 400);
}
