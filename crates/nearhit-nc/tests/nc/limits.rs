//! Tiny limits of work: what is told of a move is certain, and a place is told only where it is
//! known.

use crate::known::{KINDS, Known, TOP};
use crate::oracle::{Random, distance};
use crate::sampling::{case, one};
use nearhit::Pose;
use nearhit::shape::Shape;
use nearhit_nc::{
    Body, CheckOptions, Checker, Class, Cutter, Label, Program, ReadOptions, Role, Tool, ToolTable, Watch,
};

#[test]
fn places_are_told_where_they_are_known() {
    let mut random = Random(41);
    let tools: Vec<Known> = (0..KINDS).map(Known::new).collect();
    let (mut located, mut open, mut undecided) = (0, 0, 0);
    for round in 0..120 {
        let (case, known) = (case(round, &mut random), &tools[round / 4 % KINDS]);
        let (tip, axis) = (case.at)(random.next());
        let (height, side) = (random.between(0.0, TOP), random.vector(4.0));
        let point = [0, 1, 2].map(|i| tip[i] + height * axis[i] + side[i]);
        let place = Pose::from_translation(point).expect("legal");
        let body = Body::shape("point", Role::Fixture, Shape::ball(0.0).expect("legal"), place).expect("legal");
        for work in [0, 1, 3, 12, 10_000] {
            let mut table = ToolTable::default();
            table.insert(known.tool.clone());
            let options = CheckOptions { work, ..CheckOptions::default() };
            let checker = Checker::new(table, vec![body.clone()], options).expect("legal");
            for found in checker.check_move(0, &one(case.path.clone())).expect("legal") {
                let sections = known.sections(found.piece);
                let away = |t: f64| {
                    let (tip, axis) = (case.at)(t);
                    distance(&sections, tip, axis, point)
                };
                // Before `after` it is clear, whatever the limit.
                assert!(
                    (0..50).all(|step| f64::from(step) / 50.0 >= found.after || away(f64::from(step) / 50.0) > 0.0)
                );
                assert!(found.clearance.lower <= 0.0 && found.after <= found.at, "{found:?}");
                assert_eq!(found.tip.is_some(), found.point.is_some());
                // On a line a place is one where no point of the tool moves farther than the
                // resolution; elsewhere the tool is in contact there.
                let far = (0..3).map(|i| ((case.at)(found.at).0[i] - (case.at)(found.after).0[i]).powi(2)).sum::<f64>();
                match (found.tip, found.class) {
                    (Some(_), Class::Contact) => {
                        assert!(round % 4 > 0 || far.sqrt() <= 1.001e-3, "{work}: {found:?} {far:?}");
                        assert!(away(found.at) <= 2e-3, "{work}: {found:?}");
                        located += 1;
                    }
                    (Some(_), _) => assert!(work > 3, "of a share of an eighth no place is known: {found:?}"),
                    (None, class) => {
                        assert!(work < 10_000, "{found:?}");
                        open += 1;
                        undecided += usize::from(class == Class::Undecided);
                    }
                }
                assert!(work > 3 || found.at - found.after < 0.1 || found.tip.is_none(), "{found:?}");
            }
        }
    }
    assert!(located > 50 && open > 100 && undecided > 20, "{located} {open} {undecided}");
}

/// What only some way of a rapid's axes meets has no place.
#[test]
fn a_possible_contact_has_no_place() {
    let mut table = ToolTable::default();
    table.insert(Tool::new(1, Cutter::Flat, 10.0, 20.0).expect("legal"));
    let post = Pose::from_translation([90.0, 10.0, 0.0]).expect("legal");
    let post = Body::shape("post", Role::Fixture, Shape::cuboid([2.0, 2.0, 50.0]).expect("legal"), post);
    let checker = Checker::new(table, vec![post.expect("legal")], CheckOptions::default()).expect("legal");
    let reading = ReadOptions { start: Some([0.0; 3]), ..ReadOptions::default() };
    let program = Program::parse("G0 X100 Y100\n", "rapid.nc", &reading).expect("legal");
    let report = checker.check(&program, &Watch::new()).expect("legal");
    let [found] = &report.findings[..] else { panic!("{report:?}") };
    assert_eq!((found.class, found.piece, found.tip, found.point), (Class::Possible, Label::Cutter, None, None));
}
