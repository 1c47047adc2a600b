//! The built-in job: its faults are found, and only they.

use nearhit_nc::{CheckOptions, Checker, Class, Demo, Label, Program, ReadOptions, Report, Role, ToolTable, Watch};
use std::sync::atomic::{AtomicBool, Ordering};

fn checker(options: CheckOptions) -> Checker {
    let tools = ToolTable::parse(Demo::TOOLS, "demo.tools.json").expect("legal");
    Checker::new(tools, Demo::bodies().expect("legal"), options).expect("legal")
}

fn program() -> Program {
    Program::parse(Demo::PROGRAM, "demo.nc", &ReadOptions::default()).expect("legal")
}

fn check() -> Report {
    checker(CheckOptions::default()).check(&program(), &Watch::new()).expect("legal")
}

#[test]
fn the_planted_faults_are_found() {
    let report = check();
    assert!(report.is_complete && report.checked == report.moves);
    let found: Vec<(usize, Label, Role)> =
        report.findings.iter().map(|finding| (finding.line, finding.piece, finding.role)).collect();
    let lines: Vec<&str> = Demo::PROGRAM.lines().collect();
    // A gouge of 0.3 mm in the wall, for as long as the tool is there.
    let gouge: Vec<_> =
        report.findings.iter().filter(|finding| finding.role == Role::Part && finding.piece == Label::Cutter).collect();
    assert!(gouge.iter().any(|finding| lines[finding.line - 1].starts_with("G1 X54.7")), "{found:?}");
    assert!(gouge.iter().all(|finding| (finding.clearance.lower + 0.3).abs() < 2e-3), "{gouge:?}");
    // The clamp is in the way of a rapid.
    assert!(
        report.findings.iter().any(|finding| finding.role == Role::Fixture
            && finding.piece == Label::Cutter
            && lines[finding.line - 1] == "G0 X20"),
        "{found:?}"
    );
    // The holder of the drill meets the wall, on the way down and up.
    assert!(
        report.findings.iter().any(|finding| finding.role == Role::Part
            && finding.piece == Label::Holder
            && lines[finding.line - 1].starts_with("G81")),
        "{found:?}"
    );
    assert!(report.findings.iter().all(|finding| finding.class != Class::Undecided), "{found:?}");
    assert_eq!(
        report.clear + report.ends_only + {
            let mut moves: Vec<usize> = report.findings.iter().map(|finding| finding.index).collect();
            moves.dedup();
            moves.len()
        },
        report.moves
    );
    // The first move of each of the two tools.
    assert_eq!(report.ends_only, 2);
}

#[test]
fn threads_change_nothing() {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    let many = rayon::ThreadPoolBuilder::new().num_threads(7).build().expect("a pool");
    assert_eq!(alone.install(check), many.install(check));
}

#[test]
fn an_end_can_be_asked_for() {
    let flag = AtomicBool::new(true);
    let report = checker(CheckOptions::default()).check(&program(), &Watch::new().cancel(&flag)).expect("legal");
    assert!(!report.is_complete && report.checked == 0 && report.findings.is_empty());
    flag.store(false, Ordering::Relaxed);
    let seen = AtomicBool::new(false);
    let tell = |_: usize, _: usize| seen.store(true, Ordering::Relaxed);
    let report =
        checker(CheckOptions::default()).check(&program(), &Watch::new().cancel(&flag).progress(&tell)).expect("legal");
    assert!(report.is_complete && seen.load(Ordering::Relaxed));
}

#[test]
fn clearances_are_measured() {
    let report = checker(CheckOptions { measure: 1000.0, ..CheckOptions::default() })
        .check(&program(), &Watch::new())
        .expect("legal");
    assert!(report.clearances.iter().all(|least| least.at_least > 0.0 && least.at_least <= 1000.0 && least.line > 0));
    let holder =
        report.clearances.iter().find(|least| least.piece == Label::Holder && least.body == "clamp").expect("measured");
    assert!(holder.at_least < 100.0, "{holder:?}");
}
