//! Are frames in time? Detection budgets of 0.1, 1 and 10 ms, and what they cost in accuracy.

use super::growth::Swarm;
use lab_report::scale::Scale;
use lab_report::{Cell, Report, Table};
use nearhit::research::SphereTreeExt;
use nearhit::research::broad::BroadKind;
use nearhit::research::pace::Reserve;
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions};
use nearhit::scene::Detector;
use nearhit::{Budget, Clock, SphereTree, Verdict, WallClock};
use nearhit_cases::flight::clock::{Stopwatch, Took};
use nearhit_cases::flight::{Detect, Fleet, Flight, Plan};
use std::sync::Arc;
use std::time::Duration;

/// The longest unit of work (one ball against eight, a triangle pair, the neighbours of one ship),
/// with reading the clock: see the text.
const UNIT: Duration = Duration::from_micros(5);

/// Time for idle loops, for each budget.
const IDLE: Duration = Duration::from_secs(4);

/// By how much a loop that ends when the budget does takes longer.
fn idle_late(budget: Duration) -> Took {
    let (watch, clock) = (Stopwatch::start(), WallClock::start());
    while clock.now() < budget {}
    watch.read().without(Took { wall: budget, cpu: budget })
}

pub(super) fn run(scale: Scale) -> anyhow::Result<Report> {
    let mut report = Report::new("Budgets of frames");
    let frames = scale.pick(300, 10_000);
    report.text(format!(
        "{frames} frames of ten lamps each. A frame is in time when its two detections together took no longer than the budget plus one unit of work, taken as {} µs. The last column is what this machine allows: the same budget spent between frames by a loop that does nothing but read the clock, and how often that ends in time by the CPU clock. An interruption by the \
         operating system counts as the thread's time, and makes late whatever ends in it.",
        UNIT.as_micros()
    ));
    let columns = [
        "detection",
        "budget µs",
        "in time %, CPU clock",
        "in time %, wall",
        "latest µs, CPU",
        "latest µs, wall",
        "collisions",
        "certain %",
        "mean gap",
        "largest gap",
        "idle loop in time %",
    ];
    let mut table = Table::new(
        "Frames within their budget, by the thread's CPU clock and by the wall clock; true distances of ships that bounced without certainty",
        &columns,
    );
    for (detect, name) in [(Detect::Octree, "octree"), (Detect::Medial, "medial axis")] {
        for micros in [20, 100, 1_000, 10_000] {
            let budget = Duration::from_micros(micros);
            let (target, detection) = (2 * budget, Some(budget));
            let plan = Plan { detect, target, detection, seed: 2, care: BuildEffort::Quick, steering: true };
            let mut flight = Flight::new(&Fleet::lamps(), plan)?;
            let (mut by_cpu, mut by_wall, mut latest) = (0_u64, 0_u64, [Duration::ZERO; 2]);
            let (mut collisions, mut certain, mut apart, mut farthest) = (0, 0, 0.0, 0.0_f64);
            let (mut idle, mut idle_in_time) = (0_u64, 0_u64);
            for _ in 0..frames {
                if budget * (idle as u32) < IDLE {
                    idle += 1;
                    idle_in_time += u64::from(idle_late(budget).cpu <= UNIT);
                }
                let record = flight.frame()?;
                by_cpu += u64::from(record.late().cpu <= UNIT);
                by_wall += u64::from(record.late().wall <= UNIT);
                latest = [latest[0].max(record.late().cpu), latest[1].max(record.late().wall)];
                collisions += record.collisions();
                certain += record.certain;
                apart += record.apart;
                farthest = farthest.max(record.farthest);
            }
            let per_cent = |count: u64, of: u64| Cell::Number(100.0 * count as f64 / of.max(1) as f64, 2);
            let [cpu, wall] = latest.map(|time| Cell::Number(time.as_secs_f64() * 1e6, 1));
            table.row([
                name.into(),
                Cell::Count(micros),
                per_cent(by_cpu, frames),
                per_cent(by_wall, frames),
                cpu,
                wall,
                Cell::Count(collisions),
                per_cent(certain, collisions),
                Cell::Number(apart / (collisions - certain).max(1) as f64, 4),
                Cell::Number(farthest, 4),
                per_cent(idle_in_time, idle),
            ]);
        }
    }
    report.table(table);
    report.table(many(scale)?);
    Ok(report)
}

/// Thousands of bodies, for which there is not always time.
fn many(scale: Scale) -> anyhow::Result<Table> {
    let (count, frames) = (scale.pick(1_000, 10_000), scale.pick(20, 500));
    let caption = format!(
        "{frames} frames of {count} flying bodies of 1,000 triangles, with octree spheres: detection with its reserve, by the thread's CPU clock"
    );
    let columns =
        ["broad phase", "budget µs", "in time %", "latest µs", "not looked at %", "near pairs", "of these undecided %"];
    let mut table = Table::new(&caption, &columns);
    let shape = super::growth::ring();
    let options = SphereOptions::new().depth(3).method(SphereMethod::Octree).effort(BuildEffort::Quick);
    let spheres = Arc::new(SphereTree::build(shape.model().expect("a mesh"), &options));
    let shape = shape.with_spheres(spheres)?;
    for kind in [BroadKind::Tree, BroadKind::Sweep, BroadKind::SpaceTime] {
        for micros in [100, 1_000, 10_000] {
            let budget = Duration::from_micros(micros);
            let mut swarm = Swarm::new(&shape, count, kind)?;
            swarm.scene.settle();
            let (mut detector, mut reserve, clock) = (Detector::default(), Reserve::default(), WallClock::start());
            let (mut in_time, mut latest) = (0_u64, Duration::ZERO);
            let (mut unseen, mut near, mut undecided) = (0, 0, 0);
            for _ in 0..frames {
                swarm.step()?;
                let watch = Stopwatch::start();
                let deadline = clock.now() + reserve.of(budget);
                let frame = swarm.scene.detect(&mut detector, &Budget::until(&clock, deadline))?;
                let late = watch.read().cpu.saturating_sub(budget);
                reserve.ended(late);
                in_time += u64::from(late <= UNIT);
                latest = latest.max(late);
                unseen += frame.unseen().count();
                near += frame.near;
                undecided += frame.pairs.iter().filter(|pair| pair.verdict == Verdict::Maybe).count();
            }
            let share = |part: usize, of: usize| Cell::Number(100.0 * part as f64 / of.max(1) as f64, 2);
            table.row([
                kind.make().name().into(),
                Cell::Count(micros),
                share(in_time as usize, frames),
                Cell::Number(latest.as_secs_f64() * 1e6, 1),
                share(unseen, count * frames),
                Cell::Number(near as f64 / frames as f64, 1),
                share(undecided, near),
            ]);
        }
    }
    Ok(table)
}
