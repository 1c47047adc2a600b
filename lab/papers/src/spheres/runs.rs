//! Runs 1 to 4 of §11.3: Figures 17, 18, 19 and 21.

use super::models::lamp;
use super::simulator::{Craft, Engine, FRAME, Frame, Search, Setup, Simulator};
use lab_report::progress;
use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Claim, Plot, Report, Series, Table, Verdict};
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{SphereMethod, SphereOptions};
use nearhit::{Model, SphereTree};
use nearhit_cases::generated;
use nearhit_datasets::shapes::truck_chassis;
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

/// What the paper's frames took, and what of that it did not draw.
const TARGET: f64 = 0.1;
const DRAWING: f64 = 0.8;

/// How long, and how often.
struct Size {
    frames: usize,
    target: Duration,
}

fn size(scale: Scale, trucks: bool) -> Size {
    let millis = scale.pick_of(5, 100, if trucks { 1000 } else { 100 });
    Size { frames: scale.pick_of(30, 100, 400), target: Duration::from_millis(millis) }
}

struct Run {
    name: &'static str,
    frames: Vec<Frame>,
    /// Tests of spheres, volumes and triangles.
    work: u64,
    /// Detection in the paper.
    published: Option<Spread>,
}

/// Lamps with octrees' trees, as the paper has them; and trucks.
struct Crafts {
    octree: Craft,
    trucks: Option<Craft>,
}

fn crafts(scale: Scale) -> Crafts {
    let (lamp, depth) = (lamp(scale), scale.pick(3, 4));
    let model = Model::new(lamp.model.mesh().clone());
    let tree = SphereTree::build(&model, &SphereOptions::new().method(SphereMethod::Octree).depth(depth));
    let truck = || {
        let model = Model::new(generated::mesh(&truck_chassis(10_172)));
        let tree = SphereTree::build(&model, &SphereOptions::paper().depth(depth));
        Craft::new(model, tree, None)
    };
    Crafts { octree: Craft::new(model, tree, None), trucks: (scale != Scale::Quick).then(truck) }
}

fn fly(name: &'static str, scale: Scale, setup: Setup<'_>, published: Option<Spread>) -> Run {
    progress::begins(&format!("run {name}"));
    let trucks = setup.room > LAMPS_ROOM;
    let Size { frames, target } = size(scale, trucks);
    let rendering = target.mul_f64(if trucks { 0.9 } else { DRAWING });
    let mut simulator = Simulator::new(Setup { target, rendering, ..setup });
    let frames = (0..frames).map(|_| simulator.frame()).collect();
    Run { name, frames, work: simulator.work, published }
}

const LAMPS_ROOM: f64 = 4.0;
const TRUCKS_ROOM: f64 = 8.0;

/// All of them, in order: 1, 2, 3, then 2 and 3 with as little time as the paper's machine had, and
/// 4.
fn flown(scale: Scale) -> Vec<Run> {
    let (paper, others) = (lamp(scale), crafts(scale));
    let (engine, room, slower) = (Engine::Spheres, LAMPS_ROOM, 1.0);
    let zero = Duration::ZERO;
    let with = |craft| Setup { engine, crafts: [craft, craft], room, target: zero, rendering: zero, slower };
    let (own, octree) = (with(paper), with(&others.octree));
    let bsp = fly("1: lamps, BSP trees", scale, Setup { engine: Engine::Bsp, ..own }, Some(BSP));
    let slower = slowness(&bsp.frames) * size(scale, false).target.as_secs_f64() / TARGET;
    let mut runs = vec![
        bsp,
        fly("2: lamps, octrees", scale, octree, None),
        fly("3: lamps, the paper's trees", scale, own, Some(DETECTION)),
        fly("2, as slow as the paper's machine", scale, Setup { slower, ..octree }, None),
        fly("3, as slow as the paper's machine", scale, Setup { slower, ..own }, None),
    ];
    if let Some(truck) = &others.trucks {
        let setup = Setup { crafts: [paper, truck], room: TRUCKS_ROOM, ..own };
        runs.push(fly("4: lamp and trucks", scale, setup, Some(TRUCKS)));
    }
    runs
}

/// How many times as long the paper's machine took for the BSP trees of a frame.
fn slowness(bsp: &[Frame]) -> f64 {
    BSP[0] / spread(bsp, |frame| frame.detection)[0]
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

/// Tests a frame of the lamps, each pair refined to the end: the clock has no part in it.
fn to_the_end(engine: Engine, scale: Scale) -> f64 {
    let (target, frames) = (Duration::from_millis(1), size(scale, false).frames);
    let (crafts, rendering) = ([lamp(scale); 2], Duration::ZERO);
    // As if the machine were a billion times faster.
    let setup = Setup { engine, crafts, room: LAMPS_ROOM, target, rendering, slower: 1e-9 };
    let mut simulator = Simulator::new(setup);
    for _ in 0..frames {
        simulator.frame();
    }
    simulator.work as f64 / frames as f64
}

/// Adds tables, profiles and claims.
pub(super) fn show(report: &mut Report, scale: Scale) {
    report.heading("§11.3: the simulator's four runs");
    let (runs, of) = (flown(scale), size(scale, false));
    report.text(format!(
        "{} frames of {FRAME} units of time in {} ms each by the wall clock (the paper: 400 in 100 ms; run 4 in 1 s), two detections a frame, lamps of 626 triangles, a chassis of 10,172. Rendering is a wait of about 0.8 of a frame (run 4: 0.9), detection gets what the mean of the last ten leaves, the rest of the frame is waited for. \
         Every collision is refined to level 1 at least and to level 4 at most; response is along the mean line of the colliding spheres (how the paper combines several it does not say). Detection includes the broad phase, all pairs of bounding spheres, and response. By its BSP trees the paper's machine was {:.0} times slower than this one: in the runs \"as slow\" detection gets that part of its time.",
        of.frames,
        of.target.as_millis(),
        slowness(&runs[0].frames)
    ));
    times(report, &runs);
    let columns = ["run", "1", "2", "3", "4", "polygons", "in all", "mean gap", "largest"];
    let mut table = Table::new("Figure 18: collisions by the level at which response was invoked", &columns);
    for Run { name, frames, .. } in &runs {
        let counts = levels(frames)[1..].iter().map(|&count| Cell::Count(count)).collect::<Vec<_>>();
        let farthest = frames.iter().map(|frame| frame.farthest).fold(0.0, f64::max);
        let tail = [Cell::Count(collisions(frames)), Cell::Number(mean_gap(frames), 4), Cell::Number(farthest, 4)];
        table.row(std::iter::once((*name).into()).chain(counts).chain(tail));
    }
    let paper = LEVELS.iter().map(|&count| Cell::Count(count));
    let rest = [Cell::Empty, Cell::Count(LEVELS.iter().sum()), Cell::Empty, Cell::Empty];
    table.row(std::iter::once("paper's run 3".into()).chain(paper).chain(rest));
    report.table(table);
    runs.iter().for_each(|run| report.plot(profile(run)));
    claims(report, &runs, scale);
}

/// Run 3 once more as the papers leave for later: pairs followed from frame to frame, and by
/// average-case searches, also with as little time as the paper's machine had.
fn flown_beyond(scale: Scale) -> Vec<Run> {
    let (engine, room, slower, zero) = (Engine::Spheres, LAMPS_ROOM, 1.0, Duration::ZERO);
    let own = Setup { engine, crafts: [lamp(scale); 2], room, target: zero, rendering: zero, slower };
    let bsp = fly("1: lamps, BSP trees", scale, Setup { engine: Engine::Bsp, ..own }, Some(BSP));
    let slower = slowness(&bsp.frames) * size(scale, false).target.as_secs_f64() / TARGET;
    let averages = |search| Setup { engine: Engine::Averages(search), ..own };
    let mut runs = vec![
        bsp,
        fly("3: lamps, the paper's trees", scale, own, Some(DETECTION)),
        fly("3, pairs followed (§12)", scale, Setup { engine: Engine::Following, ..own }, None),
    ];
    let slow = |search| Setup { slower, ..averages(search) };
    runs.extend(SEARCHES.map(|(_, search, name, _)| fly(name, scale, averages(search), None)));
    runs.extend(SEARCHES.map(|(_, search, _, name)| fly(name, scale, slow(search), None)));
    runs
}

/// Whose average-case search, and the names of its two runs.
const SEARCHES: [(&str, Search, &str, &str); 3] = [
    (
        "the paper's configuration, MaxArea chosen",
        Search::Paper,
        "3, average case, the paper's, MaxArea chosen",
        "the same, as slow as the paper's machine",
    ),
    (
        "the paper's rule with our estimates",
        Search::Tuned,
        "3, average case, the paper's rule tuned",
        "the same, as slow as the paper's machine",
    ),
    ("our rule", Search::Ours, "3, average case, our rule", "the same, as slow as the paper's machine"),
];

/// Adds a table of times, gaps and work, and the claims on both.
pub(super) fn beyond(report: &mut Report, scale: Scale) {
    report.heading("§12, and Klein and Zachmann 2003, §5: the simulator with pairs followed, and by the average case");
    let runs = flown_beyond(scale);
    times(report, &runs);
    let columns = ["run", "collisions", "mean gap", "largest gap", "tests a frame"];
    let mut table = Table::new("What bounced, and tests of volumes and triangles", &columns);
    for Run { name, frames, work, .. } in &runs {
        let farthest = frames.iter().map(|frame| frame.farthest).fold(0.0, f64::max);
        let each = if *work > 0 { Cell::Number(*work as f64 / frames.len() as f64, 1) } else { Cell::Empty };
        let gaps = [Cell::Number(mean_gap(frames), 4), Cell::Number(farthest, 4), each];
        table.row([(*name).into(), Cell::Count(collisions(frames))].into_iter().chain(gaps));
    }
    report.table(table);
    let mut claim = |place: &str, claim: &str, verdict, evidence| {
        report.claim(Claim { place: place.into(), claim: claim.into(), verdict, evidence, counts_work: false });
    };
    let [hurried, followed] = [1, 2].map(|run| runs[run].work as f64 / runs[run].frames.len() as f64);
    let [anew, on] = [Engine::Spheres, Engine::Following].map(|engine| to_the_end(engine, scale));
    claim(
        "§12, interframe coherence",
        "Remembering what collided at the previous frame reduces the work (every pair refined to the last level)",
        // A twentieth is no more than what the flights differ by.
        match (on < 0.95 * anew, on < 1.05 * anew) {
            (true, _) => Verdict::Holds,
            (false, true) => Verdict::Differs,
            _ => Verdict::Fails,
        },
        format!(
            "{on:.1} tests a frame followed, {anew:.1} from the roots; in frames of the target's time {followed:.1} and {hurried:.1}"
        ),
    );
    let [exact, by_spheres] = [0, 1].map(|run| &runs[run].frames);
    for (place, (name, ..)) in SEARCHES.iter().enumerate() {
        let [guessed, hurried] = [place, place + SEARCHES.len()].map(|run| &runs[3 + run].frames);
        let near = mean_gap(guessed) <= mean_gap(by_spheres).max(1e-3);
        // Flights differ: a fifth more or less says nothing.
        let often = collisions(guessed) * 5 >= collisions(exact) * 4;
        claim(
            &format!("After Klein and Zachmann 2003, §5 (they fly nothing), {name}"),
            "A simulation can take collisions from an average-case search, interrupted by its frame: what bounces is as near as with sphere-trees, and as often as with BSP trees",
            match (near, often) {
                (true, true) => Verdict::Holds,
                (false, false) => Verdict::Fails,
                _ => Verdict::Differs,
            },
            format!(
                "{} bounces, mean gap {:.4} (as slow as the paper's machine: {}, {:.4}); sphere-trees {}, {:.4}; BSP trees {}",
                collisions(guessed),
                mean_gap(guessed),
                collisions(hurried),
                mean_gap(hurried),
                collisions(by_spheres),
                mean_gap(by_spheres),
                collisions(exact)
            ),
        );
    }
}

fn times(report: &mut Report, runs: &[Run]) {
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
    for run in runs {
        let frames = &run.frames;
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

fn profile(run: &Run) -> Plot {
    type Time = fn(&Frame) -> f64;
    let curves: [(&str, Time); 4] = [
        ("detection", |frame| frame.detection),
        ("rendering", |frame| frame.rendering),
        ("slack", |frame| frame.slack),
        ("frame", |frame| frame.whole),
    ];
    let series = curves.map(|(name, of)| Series {
        name: name.to_owned(),
        points: run.frames.iter().enumerate().map(|(number, frame)| (number as f64 * FRAME, of(frame) * 1e3)).collect(),
    });
    Plot {
        caption: format!("Performance of run {}", run.name),
        x: Axis::linear("simulated time"),
        y: Axis::logarithmic("ms"),
        series: series.to_vec(),
    }
}

fn claims(report: &mut Report, runs: &[Run], scale: Scale) {
    let mut claim = |place: &str, claim: &str, verdict, evidence| {
        report.claim(Claim { place: place.into(), claim: claim.into(), verdict, evidence, counts_work: false });
    };
    let target = size(scale, false).target.as_secs_f64();
    let frames = |run: usize| &runs[run].frames;
    let (bsp, octrees, trees) = (frames(0), frames(3), frames(4));
    let late = bsp.iter().filter(|frame| frame.detection > target).count();
    let [mean, _, most] = spread(bsp, |frame| frame.detection / target);
    claim(
        "§11.3, Figure 17",
        "BSP trees miss the target at almost all frames, often being 10 to 100 times too slow",
        Verdict::of(late * 10 >= 9 * bsp.len() && most >= 10.0),
        format!(
            "detection alone is late in {late} of {} frames; {mean:.2} of the target on average, {most:.2} at most (paper: 58 and 106, on a machine of 1996)",
            bsp.len()
        ),
    );
    let [by_octree, by_paper] = [octrees, trees].map(|frames| mean_gap(frames));
    claim(
        "§11.3, run 2",
        "With octrees' trees objects bounce farther apart than with the paper's, in the same time",
        Verdict::of(by_octree > by_paper),
        format!("mean gap of what bounced {by_octree:.4} and {by_paper:.4}, as slow as the paper's machine"),
    );
    for (run, name) in [(2, "here"), (4, "as slow as the paper's machine")] {
        let [mean, deviation, most] = spread(frames(run), |frame| frame.whole / target);
        claim(
            &format!("§11.3, Figure 19, {name}"),
            "Frames meet their target: 1.01 of it on average, deviation 0.02, 1.16 at most",
            match (mean <= FRAMES[0] / TARGET, deviation <= FRAMES[1] / TARGET && most <= FRAMES[2] / TARGET) {
                (true, true) => Verdict::Holds,
                (true, false) => Verdict::Differs,
                _ => Verdict::Fails,
            },
            format!("{mean:.3}, {deviation:.3} and {most:.3} of the target"),
        );
    }
    let found = &levels(trees)[1..=4];
    let is_mostly_last = found.iter().max() == found.last();
    claim(
        "§11.3, Figure 18",
        "Response is invoked at every level from 1 to 4, most often at the last",
        match (found.iter().all(|&count| count > 0), is_mostly_last) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::Fails,
            _ => Verdict::Differs,
        },
        format!("{} collisions, by level {found:?} (paper: {LEVELS:?}), as slow as its machine", collisions(trees)),
    );
    let Some(trucks) = runs.get(5) else { return };
    let [of_lamps, of_trucks] = [&runs[2], trucks].map(|run| spread(&run.frames, |frame| frame.detection)[0]);
    let target = size(scale, true).target.as_secs_f64();
    let late = trucks.frames.iter().filter(|frame| frame.whole > FRAMES[2] / TARGET * target).count();
    claim(
        "§11.3, Figure 21",
        "More complicated objects keep to the target, and detection takes no longer than for lamps",
        match (late == 0, of_trucks <= of_lamps) {
            (true, true) => Verdict::Holds,
            (true, false) => Verdict::Differs,
            _ => Verdict::Fails,
        },
        format!(
            "{late} frames late; detection {:.3} ms, lamps {:.3} (paper: 18 and 19)",
            of_trucks * 1e3,
            of_lamps * 1e3
        ),
    );
}
