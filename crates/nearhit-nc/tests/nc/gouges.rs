//! Gouges by cutters of every kind, on lines, arcs and turning axes: found exactly where the cutter
//! is deeper in the part than it may be, and as deep as it is. Against depths in closed form.

use crate::known::{KINDS, Known};
use crate::oracle::{Random, around};
use crate::sampling::{case, least_of, one};
use nearhit::Pose;
use nearhit::shape::Shape;
use nearhit_nc::{Body, CheckOptions, Checker, Class, Label, Role, Rules, ToolTable};

#[test]
fn gouges_are_as_deep_as_the_cutter_goes() {
    let rounds = if std::env::var_os("NEARHIT_LONG").is_some() { 10_000 } else { 400 };
    let (mut random, tools) = (Random(41), (0..KINDS).map(Known::new).collect::<Vec<_>>());
    let (mut deep, mut shallow, mut undecided) = ([0; KINDS], [0; KINDS], 0);
    for round in 0..rounds {
        let case = case(round, &mut random);
        let kind = random.between(0.0, KINDS as f64) as usize;
        let known = &tools[kind];
        let gouge = [0.02, 0.3, random.between(0.0, 1.0)][round % 3];
        let (tip, axis) = (case.at)(random.next());
        let (height, side) = (random.between(-1.0, 6.0), random.vector(3.5));
        let point = [0, 1, 2].map(|i| tip[i] + height * axis[i] + side[i]);
        let part = Pose::from_translation(point).expect("legal");
        let part = Body::shape("point", Role::Part, Shape::ball(0.0).expect("legal"), part).expect("legal");
        let mut table = ToolTable::default();
        table.insert(known.tool.clone());
        let options = CheckOptions { rules: Rules { gouge, ..Rules::default() }, ..CheckOptions::default() };
        let checker = Checker::new(table, vec![part], options).expect("legal");
        let findings = checker.check_move(3, &one(case.path.clone())).expect("legal");
        let found = findings.iter().find(|finding| finding.piece == Label::Cutter);
        let truth = -least_of(|t| {
            let (tip, axis) = (case.at)(t);
            -known.depth(around(tip, axis, point))
        });
        let about = || format!("kind {kind}, {truth} deep, {gouge} allowed: {:?}", case.path);
        match found {
            Some(found) if found.class == Class::Undecided => {
                undecided += usize::from(truth < gouge - 1e-6);
                assert!((truth - gouge).abs() < 1e-3, "{}", about());
            }
            Some(found) => {
                assert!(truth > gouge - 1e-6, "invented: {} {found:?}", about());
                assert!(found.clearance.lower <= -truth + 1e-6, "{} {found:?}", about());
                assert!(-truth <= found.clearance.upper + 1e-6, "{} {found:?}", about());
                let width = found.clearance.upper - found.clearance.lower;
                assert!(width < 2e-3, "{} {found:?}", about());
                deep[kind] += 1;
            }
            None => {
                assert!(truth < gouge + 1e-6, "missed: {}", about());
                shallow[kind] += 1;
            }
        }
    }
    let least = rounds / (8 * KINDS);
    assert!(deep.iter().chain(&shallow).all(|&count| count > least), "{deep:?} {shallow:?}");
    assert!(undecided * 1000 <= rounds, "{undecided}");
}
