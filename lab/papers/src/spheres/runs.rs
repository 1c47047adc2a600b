//! Runs 1 to 4 of §11.3: Figures 17, 18, 19 and 21.

use super::simulator::{Engine, FRAME, Frame, Setup, Simulator};
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Claim, Plot, Report, Series, Table, Verdict};
use nearhit::Mesh;
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions};
use nearhit_cases::generated;
use nearhit_datasets::shapes::{desktop_lamp, truck_chassis};
use std::time::Duration;

/// Collisions by level in the paper's run 3 (Figure 18).
const LEVELS: [u64; 4] = [82, 25, 26, 141];

/// Mean, deviation and maximum.
type Spread = [f64; 3];

/// Detection of run 1 (Figure 17); frames and detection of run 3 (Figure 19); detection of run 4
/// (Figure 21). In seconds.
const BSP: Spread = [5.825, 1.586, 10.627];
const FRAMES: Spread = [0.101, 0.002, 0.116];
const DETECTION: Spread = [0.019, 0.003, 0.028];
const TRUCKS: Spread = [0.018, 0.005, 0.047];

/// Detection gets this part of its time in the second set of runs.
const FASTER: u32 = 1000;

struct Run {
    name: &'static str,
    engine: Engine,
    method: SphereMethod,
    faster: u32,
    trucks: bool,
    /// Detection in the paper.
    published: Option<Spread>,
}

const RUNS: [Run; 6] = [
    run("1: lamps, BSP trees", Engine::Bsp, SphereMethod::Octree, 1, Some(BSP)),
    run("2: lamps, octrees", Engine::Spheres, SphereMethod::Octree, 1, None),
    run("3: lamps, the paper's trees", Engine::Spheres, SphereMethod::Merged, 1, Some(DETECTION)),
    run("2, a thousandth of the time", Engine::Spheres, SphereMethod::Octree, FASTER, None),
    run("3, a thousandth of the time", Engine::Spheres, SphereMethod::Merged, FASTER, None),
    Run { trucks: true, ..run("4: lamp and trucks", Engine::Spheres, SphereMethod::Merged, 1, Some(TRUCKS)) },
];

const fn run(name: &'static str, engine: Engine, method: SphereMethod, faster: u32, published: Option<Spread>) -> Run {
    Run { name, engine, method, faster, trucks: false, published }
}

/// How long, and how large.
struct Size {
    frames: usize,
    target: Duration,
    depth: u32,
    /// Of the paper's trees: points on the surface.
    points: usize,
}

fn size(scale: Scale, trucks: bool) -> Size {
    let target = |trucks: bool| Duration::from_millis(if trucks { 1000 } else { 100 });
    match scale {
        Scale::Quick => Size { frames: 30, target: Duration::from_millis(5), depth: 3, points: 300 },
        Scale::Full => Size { frames: 100, target: Duration::from_millis(100), depth: 4, points: 1000 },
        Scale::Paper => Size { frames: 400, target: target(trucks), depth: 4, points: 1000 },
    }
}

fn fly(run: &Run, scale: Scale) -> Vec<Frame> {
    progress::begins(&format!("run {}", run.name));
    let lamp = generated::mesh(&desktop_lamp(626).scaled(2.0));
    let truck = run.trucks.then(|| generated::mesh(&truck_chassis(10_172)));
    let Size { frames, target, depth, points } = size(scale, run.trucks);
    let options = match run.method {
        SphereMethod::Merged if run.trucks => SphereOptions::new().effort(BuildEffort::Quick),
        SphereMethod::Merged => SphereOptions::paper().points(points),
        method => SphereOptions::new().method(method),
    };
    let drone: &Mesh = truck.as_ref().unwrap_or(&lamp);
    let setup = Setup {
        engine: run.engine,
        meshes: [&lamp, drone],
        options,
        room: if run.trucks { 8.0 } else { 4.0 },
        target,
        rendering: target.mul_f64(if run.trucks { 0.9 } else { 0.75 }),
        faster: run.faster,
    };
    let mut simulator = Simulator::new(setup, depth);
    (0..frames).map(|_| simulator.frame()).collect()
}

fn spread(frames: &[Frame], of: impl Fn(&Frame) -> f64) -> Spread {
    let count = frames.len() as f64;
    let mean = frames.iter().map(&of).sum::<f64>() / count;
    let variance = frames.iter().map(|frame| (of(frame) - mean).powi(2)).sum::<f64>() / count;
    [mean, variance.sqrt(), frames.iter().map(of).fold(0.0, f64::max)]
}

fn levels(frames: &[Frame]) -> [u64; 6] {
    std::array::from_fn(|level| frames.iter().map(|frame| frame.levels[level]).sum())
}

fn collisions(frames: &[Frame]) -> u64 {
    frames.iter().map(Frame::collisions).sum()
}

fn mean_gap(frames: &[Frame]) -> f64 {
    frames.iter().map(|frame| frame.apart).sum::<f64>() / collisions(frames).max(1) as f64
}

/// Adds tables, profiles and claims.
pub(super) fn show(report: &mut Report, scale: Scale) {
    report.heading("§11.3: the simulator's four runs");
    let runs = &RUNS[..scale.pick(5, 6)];
    let flown: Vec<Vec<Frame>> = runs.iter().map(|run| fly(run, scale)).collect();
    let of = size(scale, false);
    report.text(format!(
        "{} frames of {FRAME} units of time in {} ms each by the wall clock (the paper: 400 in 100 ms; run 4 in 1 s), two detections a frame, lamps of 626 triangles, a chassis of 10,172. Rendering is a wait of about three quarters of a frame (run 4: nine tenths), detection gets what the mean of the last ten leaves, the rest of the frame is waited for. \
         Every collision is refined to level 1 at least and to level 4 at most; response is along the mean line of the colliding spheres (how the paper combines several it does not say). Detection includes the broad phase, all pairs of bounding spheres, and response. A machine of today needs about a thousandth of the paper's time: the runs with a thousandth of detection's time are those in which time is short. \
         The chassis' tree is ours, made quickly.",
        of.frames,
        of.target.as_millis()
    ));
    times(report, runs, &flown);
    let columns = ["run", "1", "2", "3", "4", "polygons", "in all", "mean gap", "largest"];
    let mut table = Table::new("Figure 18: collisions by the level at which response was invoked", &columns);
    for (run, frames) in runs.iter().zip(&flown) {
        let counts = levels(frames)[1..].iter().map(|&count| Cell::Count(count)).collect::<Vec<_>>();
        let farthest = frames.iter().map(|frame| frame.farthest).fold(0.0, f64::max);
        let tail = [Cell::Count(collisions(frames)), Cell::Number(mean_gap(frames), 4), Cell::Number(farthest, 4)];
        table.row(std::iter::once(run.name.into()).chain(counts).chain(tail));
    }
    let paper = LEVELS.iter().map(|&count| Cell::Count(count));
    let rest = [Cell::Empty, Cell::Count(LEVELS.iter().sum()), Cell::Empty, Cell::Empty];
    table.row(std::iter::once("paper's run 3".into()).chain(paper).chain(rest));
    report.table(table);
    for (run, frames) in runs.iter().zip(&flown) {
        report.plot(profile(run, frames));
    }
    claims(report, runs, &flown, scale);
}

fn times(report: &mut Report, runs: &[Run], flown: &[Vec<Frame>]) {
    let columns = [
        "run",
        "detection ms, mean",
        "deviation",
        "maximum",
        "paper's, s",
        "frame ms, mean",
        "deviation",
        "maximum",
        "rendering ms",
        "slack ms",
        "allotted ms",
    ];
    let mut table = Table::new("Figures 17, 19 and 21: what frames take by the wall clock", &columns);
    for (run, frames) in runs.iter().zip(flown) {
        let cells = |of: &dyn Fn(&Frame) -> f64| spread(frames, of).map(|seconds| Cell::Number(seconds * 1e3, 3));
        let mean = |of: &dyn Fn(&Frame) -> f64| Cell::Number(spread(frames, of)[0] * 1e3, 3);
        let published = run
            .published
            .map_or(Cell::Empty, |[mean, deviation, most]| format!("{mean} ± {deviation}, at most {most}").into());
        let mut row = vec![run.name.into()];
        row.extend(cells(&|frame| frame.detection));
        row.push(published);
        row.extend(cells(&|frame| frame.whole));
        row.extend([mean(&|frame| frame.rendering), mean(&|frame| frame.slack), mean(&|frame| frame.allotted)]);
        table.row(row);
    }
    report.table(table);
}

fn profile(run: &Run, frames: &[Frame]) -> Plot {
    let curves: [(&str, fn(&Frame) -> f64); 4] = [
        ("detection", |frame| frame.detection),
        ("rendering", |frame| frame.rendering),
        ("slack", |frame| frame.slack),
        ("frame", |frame| frame.whole),
    ];
    let series = curves.map(|(name, of)| Series {
        name: name.to_owned(),
        points: frames.iter().enumerate().map(|(number, frame)| (number as f64 * FRAME, of(frame) * 1e3)).collect(),
    });
    Plot {
        caption: format!("Performance of run {}", run.name),
        x: Axis::linear("simulated time"),
        y: Axis::logarithmic("ms"),
        series: series.to_vec(),
    }
}

fn claims(report: &mut Report, runs: &[Run], flown: &[Vec<Frame>], scale: Scale) {
    let target = size(scale, false).target.as_secs_f64();
    let mut claim = |place: &str, claim: &str, verdict, evidence| {
        report.claim(Claim { place: place.into(), claim: claim.into(), verdict, evidence, counts_work: false });
    };
    let [bsp, octrees, trees] = [&flown[0], &flown[3], &flown[4]];
    let late = bsp.iter().filter(|frame| frame.detection > target / f64::from(FASTER)).count();
    let [mean, ..] = spread(bsp, |frame| frame.detection);
    let slower = mean * f64::from(FASTER) / target;
    claim(
        "§11.3, Figure 17",
        "BSP trees miss the target at almost all frames, often by 10 to 100 times (a thousandth of the paper's target)",
        match (late * 10 >= 9 * bsp.len(), slower >= 10.0) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::Fails,
            _ => Verdict::Differs,
        },
        format!("late in {late} of {} frames, {slower:.1} times the target on average (paper: 58)", bsp.len()),
    );
    let [gap_octree, gap] = [octrees, trees].map(|frames| mean_gap(frames));
    claim(
        "§11.3, run 2",
        "With octrees' trees objects bounce farther apart than with the paper's, in the same time",
        Verdict::of(gap_octree > gap),
        format!("mean gap of what bounced {gap_octree:.4} and {gap:.4}, with a thousandth of the time"),
    );
    let [mean, deviation, most] = spread(&flown[2], |frame| frame.whole / target);
    claim(
        "§11.3, Figure 19",
        "Frames meet their target: 1.01 of it on average, deviation 0.02, 1.16 at most",
        match (mean <= FRAMES[0] / 0.1, deviation <= FRAMES[1] / 0.1 && most <= FRAMES[2] / 0.1) {
            (true, true) => Verdict::Holds,
            (true, false) => Verdict::Differs,
            _ => Verdict::Fails,
        },
        format!("{mean:.3}, {deviation:.3} and {most:.3} of the target"),
    );
    let [kept, all] = [levels(trees)[1..=4].iter().filter(|&&count| count > 0).count() as u64, collisions(trees)];
    claim(
        "§11.3, Figure 18",
        "Where time is short, response is invoked at every level from 1 to 4, most often at the last",
        match (kept == 4, levels(trees)[4] == levels(trees).into_iter().max().unwrap_or(0)) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::Fails,
            _ => Verdict::Differs,
        },
        format!("{all} collisions, by level {:?} (paper: {LEVELS:?})", &levels(trees)[1..=4]),
    );
    if let Some(at) = runs.iter().position(|run| run.trucks) {
        let [lamps, ..] = spread(&flown[2], |frame| frame.detection);
        let [trucks, ..] = spread(&flown[at], |frame| frame.detection);
        let target = size(scale, true).target.as_secs_f64();
        let late = flown[at].iter().filter(|frame| frame.whole > FRAMES[2] / 0.1 * target).count();
        claim(
            "§11.3, Figure 21",
            "More complicated objects keep to the target, and detection takes no longer than for lamps",
            match (late == 0, trucks <= lamps) {
                (true, true) => Verdict::Holds,
                (true, false) => Verdict::Differs,
                _ => Verdict::Fails,
            },
            format!(
                "{late} frames late; detection {:.3} ms, lamps {:.3} (paper: 18 and 19)",
                trucks * 1e3,
                lamps * 1e3
            ),
        );
    }
}
