//! What must hold between the answers about a robot: an arm of primitives, its limits and two
//! configurations from bytes.

use crate::bytes::Bytes;
use nearhit::shape::Shape;
use nearhit::{Limit, Pose};
use nearhit_robot::{CheckOptions, Checker, Closest, PathOptions, PathVerdict, ReadOptions, Robot};
use std::fmt::Write;
use std::path::Path;

/// The most distances that a line may take.
const MOST_TESTS: u64 = 2_000;

/// Sixteenths, above 0.
fn size(bytes: &mut Bytes<'_>) -> f64 {
    f64::from(bytes.next() % 32 + 1) / 16.0
}

/// A URDF of two to six links, each on one before it.
fn urdf(bytes: &mut Bytes<'_>) -> String {
    let mut text = "<robot name=\"arm\">".to_owned();
    let count = 2 + bytes.next() % 5;
    let mut wrote = Ok(());
    for link in 0..count {
        let kind = bytes.next();
        let geometry = match kind % 4 {
            0 => format!("<sphere radius=\"{}\"/>", size(bytes)),
            1 => format!("<box size=\"{} {} {}\"/>", size(bytes), size(bytes), size(bytes)),
            2 => format!("<cylinder radius=\"{}\" length=\"{}\"/>", size(bytes), size(bytes)),
            _ => format!("<capsule radius=\"{}\" length=\"{}\"/>", size(bytes), size(bytes)),
        };
        let turn = if kind & 0x80 == 0 { 0.0 } else { bytes.eighths() };
        wrote = wrote.and(write!(
            text,
            "<link name=\"l{link}\"><collision><origin xyz=\"{} 0 {}\" rpy=\"0 {turn} 0\"/>\
             <geometry>{geometry}</geometry></collision></link>",
            bytes.eighths(),
            bytes.eighths()
        ));
    }
    for link in 1..count {
        let kind = ["revolute", "prismatic", "continuous", "fixed", "planar", "floating"];
        let kind = kind[usize::from(bytes.next()) % if link == 1 { 6 } else { 4 }];
        let (parent, axis) = (bytes.next() % link, ["1 0 0", "0 1 0", "0 0 1", "0.6 0 0.8"]);
        let axis = axis[usize::from(bytes.next()) % 4];
        wrote = wrote.and(write!(
            text,
            "<joint name=\"j{link}\" type=\"{kind}\"><parent link=\"l{parent}\"/><child link=\"l{link}\"/>\
             <origin xyz=\"{} {} {}\"/><axis xyz=\"{axis}\"/><limit lower=\"-2\" upper=\"2\" effort=\"1\" velocity=\"1\"/>\
             </joint>",
            bytes.eighths(),
            bytes.eighths(),
            bytes.eighths()
        ));
    }
    wrote.expect("a string takes everything");
    text + "</robot>"
}

/// Eighths; numbers of a quaternion are made one of length one by the robot's own rule.
fn configuration(robot: &Robot, bytes: &mut Bytes<'_>) -> Vec<f64> {
    let mut q = robot.neutral();
    let limits = robot.limits();
    for (value, [lower, upper]) in q.iter_mut().zip(limits) {
        if (lower, upper) != (-1.0, 1.0) {
            *value = bytes.eighths().clamp(lower, upper);
        }
    }
    q
}

/// Makes a robot and two configurations, and asks everything. False if the bytes made none.
pub fn check_robots(bytes: &[u8]) -> bool {
    let mut bytes = Bytes::new(bytes);
    let text = urdf(&mut bytes);
    let Ok(robot) = Robot::parse(&text, Path::new("fuzzed.urdf"), &ReadOptions::default()) else { return false };
    let Ok(mut checker) = Checker::new(robot, CheckOptions::new()) else { return false };
    if bytes.next() & 1 == 1 {
        let sheet = Shape::cuboid([0.01, size(&mut bytes), size(&mut bytes)]).expect("sizes above 0");
        let at = Pose::from_translation([bytes.eighths(), bytes.eighths(), bytes.eighths()]).expect("finite");
        checker.add_to_world("sheet", sheet, at).expect("in range");
    }
    let ends = [0; 2].map(|_| configuration(checker.robot(), &mut bytes));
    ends.iter().for_each(|q| check_at(&checker, q, &text));
    check_line(&checker, &ends, &text);
    true
}

/// Contact, list of contacts, distance zero and limits say the same.
fn check_at(checker: &Checker, q: &[f64], text: &str) {
    let (mut scratch, mut found) = (checker.scratch(), Vec::new());
    let context = || format!("{q:?} {text}");
    let touches = checker.collides(q, &mut scratch).expect("a configuration");
    checker.contacts(q, &mut scratch, &mut found).expect("asked before");
    assert_eq!(!found.is_empty(), touches, "{found:?} {}", context());
    let first = checker.first_contact(q, &mut scratch).expect("asked before");
    assert_eq!(first.is_some(), touches, "{first:?} {}", context());
    assert!(first.is_none_or(|pair| found.contains(&pair)), "{first:?} {found:?} {}", context());
    let closest = checker.closest(q, &mut scratch).expect("asked before");
    assert_eq!(closest.is_some(), !checker.pairs().is_empty());
    let Some(Closest { lower, upper, .. }) = closest else { return };
    assert!(0.0 <= lower && lower <= upper, "{closest:?} {}", context());
    assert_eq!(lower == 0.0, touches, "{closest:?} {}", context());
    for limit in [0.0, 0.5 * lower, lower.next_down().max(0.0), upper.next_up(), 2.0 * upper] {
        checker.pairs_within(q, limit, &mut scratch, &mut found).expect("asked before");
        if limit < lower || limit > upper {
            assert_eq!(!found.is_empty(), limit > upper, "{limit}: {closest:?} {}", context());
        }
    }
    let mut gradient = Vec::new();
    let closest = closest.expect("a pair");
    if checker.gradient(q, &closest, &mut scratch, &mut gradient).expect("asked before") {
        assert!(
            gradient.len() == checker.robot().velocities() && gradient.iter().all(|x| x.is_finite()),
            "{}",
            context()
        );
    }
    // Whatever the limit, what is said to touch does, and what is left open is counted.
    for work in [0, 1, 10] {
        scratch.limit = Limit::Work(work);
        checker.contacts(q, &mut scratch, &mut found).expect("asked before");
        assert!(touches || found.is_empty(), "{work}: {found:?} {}", context());
        assert!(!found.is_empty() || !touches || scratch.undecided > 0, "{work}: {}", context());
    }
}

/// Before the instant that is told, nothing touches; at a contact two do.
fn check_line(checker: &Checker, [from, to]: &[Vec<f64>; 2], text: &str) {
    let mut scratch = checker.scratch();
    let options = PathOptions::new().resolution(1e-3).budget(MOST_TESTS);
    let Ok(found) = checker.path_clear(from, to, &options, &mut scratch) else { return };
    assert!(found.tests <= MOST_TESTS + checker.pairs().len() as u64, "{found:?} {text}");
    let until = match found.verdict {
        PathVerdict::Contact { after, .. } => after,
        PathVerdict::Undecided { certain_until, .. } => certain_until,
        _ => 1.0,
    };
    assert!((0.0..=1.0).contains(&until), "{found:?} {text}");
    let mut q = from.clone();
    for share in [0.0, 0.3, 0.5, 0.8, 0.999] {
        if until > 0.0 {
            checker.robot().interpolate(from, to, share * until, &mut q).expect("between two configurations");
            let touches = checker.collides(&q, &mut scratch).expect("a configuration");
            assert!(!touches, "a contact at {share} of {until}: {found:?} {from:?} {to:?} {text}");
        }
    }
}
