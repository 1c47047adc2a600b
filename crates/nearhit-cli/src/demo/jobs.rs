//! The other jobs of the command, each on built-in data: an assembly, a robot, an NC program.

use crate::terminal::{Style, grouped, plural, significant};
use anyhow::Result;
use nearhit::Pose;
use nearhit::clash::{Assembly, Class, Options};
use nearhit::shape::Shape;
use nearhit_cases::generated;
use nearhit_datasets::assembly::{CLEARANCE, assembly};
use nearhit_nc::{Demo, Program, ReadOptions, ToolTable, Watch};
use nearhit_robot::{CheckOptions, Checker, PathOptions, PathVerdict, Random, Robot};
use std::time::Instant;

const PARTS: usize = 45;
const CONFIGURATIONS: usize = 1000;

/// One line a job, with the command that does it for files.
pub(super) fn done(style: Style) -> Result<String> {
    let mut text = format!("\n{}\n", style.bold("Other jobs, on built-in data"));
    for (command, lines) in [("nearhit clash", clash()?), ("nearhit robot", robot()?), ("nearhit nc", nc()?)] {
        for (number, line) in lines.iter().enumerate() {
            let left = if number == 0 { style.dim(&format!("{command:<15}")) } else { " ".repeat(15) };
            text += &format!("{left}{line}\n");
        }
    }
    Ok(text)
}

fn milliseconds(since: Instant) -> String {
    format!("{} ms", significant(since.elapsed().as_secs_f64() * 1e3))
}

fn clash() -> Result<Vec<String>> {
    let made = assembly(PARTS, 0xc1a5);
    let mut parts = Assembly::new();
    let shapes: Vec<usize> = made.shapes.iter().map(|soup| parts.add_mesh(generated::mesh(soup))).collect();
    for part in &made.parts {
        parts.add_part(&part.name, shapes[part.shape], Pose::from_rows(part.rotation, part.translation)?)?;
    }
    let start = Instant::now();
    let report = parts.clashes(&Options::new().clearance(CLEARANCE))?;
    let count = |class| report.findings.iter().filter(|finding| finding.class == class).count();
    let counts = Class::ALL.map(|class| (count(class), <&str>::from(class)));
    let counts: Vec<String> =
        counts.into_iter().filter(|&(count, _)| count > 0).map(|(count, class)| format!("{count} {class}")).collect();
    let (counts, time) = (counts.join(", "), milliseconds(start));
    Ok(vec![format!("an assembly of {PARTS} parts, clearance {CLEARANCE}: {counts}, in {time}")])
}

fn robot() -> Result<Vec<String>> {
    let mut checker = Checker::new(Robot::example(), CheckOptions::default())?;
    // Two millimetres thick: samples along a motion would miss it.
    checker.add_to_world("sheet", Shape::cuboid([0.002, 0.6, 0.6])?, Pose::from_translation([0.3, 0.0, 0.4])?)?;
    let (robot, mut random) = (checker.robot(), Random::new(1));
    let all: Vec<Vec<f64>> = (0..CONFIGURATIONS).map(|_| robot.random_configuration(&mut random)).collect();
    let start = Instant::now();
    let colliding = checker.collides_each(&all.concat())?;
    let each = start.elapsed().as_secs_f64() * 1e6 / CONFIGURATIONS as f64;
    let first = format!(
        "an arm of {} beside a thin sheet: {} of {} random configurations collide, {} µs each",
        plural(robot.coordinate_names().len() as u64, "joint"),
        colliding.iter().filter(|&&one| one).count(),
        grouped(CONFIGURATIONS as u64),
        significant(each)
    );
    let free: Vec<&Vec<f64>> = all.iter().zip(&colliding).filter(|(_, collides)| !**collides).map(|(q, _)| q).collect();
    let mut scratch = checker.scratch();
    let (mut clear, mut met, mut lines) = (0, 0, 0);
    let start = Instant::now();
    for ends in free.chunks_exact(2).take(100) {
        let found = checker.path_clear(ends[0], ends[1], &PathOptions::default(), &mut scratch)?;
        clear += usize::from(matches!(found.verdict, PathVerdict::Clear));
        met += usize::from(matches!(found.verdict, PathVerdict::Contact { .. }));
        lines += 1;
    }
    let each = start.elapsed().as_secs_f64() * 1e3 / f64::from(lines.max(1));
    let second = format!(
        "of {lines} motions between free ones {clear} are proven clear at every instant, {met} meet something, {} ms each",
        significant(each)
    );
    Ok(vec![first, second])
}

fn nc() -> Result<Vec<String>> {
    let program = Program::parse(Demo::PROGRAM, "demo.nc", &ReadOptions::default())?;
    let tools = ToolTable::parse(Demo::TOOLS, "demo.tools.json")?;
    let checker = nearhit_nc::Checker::new(tools, Demo::bodies()?, nearhit_nc::CheckOptions::default())?;
    let start = Instant::now();
    let report = checker.check(&program, &Watch::new())?;
    Ok(vec![format!(
        "a program of {}: {} proven clear, {}, in {}",
        plural(report.moves as u64, "move"),
        report.clear,
        plural(report.findings.len() as u64, "finding"),
        milliseconds(start)
    )])
}
