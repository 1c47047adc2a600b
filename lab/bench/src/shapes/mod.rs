//! Shapes beside Coal, FCL and parry: every pair of kinds that they share with us, and convex
//! shapes beside a mesh.
//!
//! All take turns, each with one thread: a turn is so many rounds over the same poses that it takes
//! about a millisecond, and the least of a contender's turns counts. Answers are compared.

mod bodies;
mod contender;
pub mod hunt;
mod pairs;

use anyhow::{Context, Result};
use bodies::Body;
use contender::{PEERS, Peer};
use lab_report::{Cell, Report, Table};
use nearhit_datasets::rng::Rng;
use pairs::Placed;
use std::path::{Path, PathBuf};

/// What to compare.
#[derive(Debug)]
pub struct Options {
    /// Where the harnesses are.
    pub programs: PathBuf,
    /// Turns of each contender.
    pub turns: usize,
    /// Only pairs whose names, "a + b", contain this.
    pub only: String,
}

/// One question of one pair: nanoseconds of ours and of each peer, and how many of a peer's answers
/// are others than ours.
struct Row {
    pair: String,
    ours: f64,
    theirs: Vec<Option<(f64, usize)>>,
    /// How many answers each gave.
    asked: usize,
}

impl Row {
    /// The fastest peer's time over ours, of those that answer the question: at most a tenth of
    /// their answers are others.
    fn ratio(&self) -> Option<f64> {
        let answers = |(_, others): &&(f64, usize)| others * 10 <= self.asked;
        let fastest = self.theirs.iter().flatten().filter(answers).map(|(time, _)| *time).reduce(f64::min)?;
        Some(fastest / self.ours)
    }
}

/// Runs the comparison.
pub fn run(options: &Options) -> Result<Report> {
    let mut rng = Rng::new(22);
    let (bodies, placed) = everything(&mut rng)?;
    let file = write(&bodies, &placed)?;
    let mut peers = start(&options.programs, &file);
    let mut report = Report::new("Shapes beside other libraries");
    report.text(
        "Nanoseconds a query, one thread, the least of turns taken one after the other. Collide: 100 poses that touch and 100 that do not; distance: those that do not; depth: those that do; warm: \
         distances along a path of small steps, from what the last step found. Ratio: the fastest over ours, of those others that have at most a tenth of other answers. In brackets: answers other than ours, for distances and depths by more than 1e-4.",
    );
    for question in ["collide", "distance", "depth", "warm"] {
        let mut rows = Vec::new();
        for (index, pair) in placed.iter().enumerate() {
            let name = format!("{} + {}", bodies[pair.a].name, bodies[pair.b].name);
            let is_path = pair.touching == 0;
            let has_depth = bodies[pair.a].name != "mesh";
            if is_path == (question == "warm") && name.contains(&options.only) && (question != "depth" || has_depth) {
                eprintln!("  {question}: {name}");
                rows.push(row(question, name, &bodies, (index, pair), &mut peers, options.turns)?);
            }
        }
        tables(&mut report, question, &rows, &peers);
    }
    std::fs::remove_file(&file)?;
    Ok(report)
}

/// What the harnesses read.
fn write(bodies: &[Body], placed: &[Placed]) -> Result<PathBuf> {
    let file = std::env::temp_dir().join(format!("nearhit-shapes-{}.txt", std::process::id()));
    let lines: Vec<&str> = bodies.iter().map(|body| body.line.as_str()).collect();
    let pairs: String = placed.iter().map(Placed::text).collect();
    std::fs::write(&file, lines.join("\n") + "\n" + &pairs).with_context(|| file.display().to_string())?;
    Ok(file)
}

/// All bodies and all pairs: primitives beside each other, over a half-space and beside a mesh;
/// hulls of some sizes, at random and along a path.
fn everything(rng: &mut Rng) -> Result<(Vec<Body>, Vec<Placed>)> {
    let mut all = bodies::primitives(rng)?;
    let count = all.len();
    let mut pairs: Vec<(usize, usize)> = (0..count).flat_map(|a| (a..count).map(move |b| (a, b))).collect();
    all.push(bodies::half_space()?);
    all.push(bodies::mesh()?);
    pairs.extend((0..count).map(|b| (count, b)));
    pairs.extend((0..count).map(|b| (count + 1, b)));
    let mut paths: Vec<(usize, usize)> = (0..count).map(|a| (a, a)).collect();
    for size in [100, 1000] {
        all.push(Body::hull(&format!("hull {size}"), &bodies::on_a_ball(size, rng))?);
        pairs.push((all.len() - 1, all.len() - 1));
        paths.push((all.len() - 1, all.len() - 1));
    }
    let mut placed: Vec<Placed> =
        pairs.into_iter().map(|(a, b)| Placed::at_random(&all, a, b, rng)).collect::<Result<_>>()?;
    for (a, b) in paths {
        placed.push(Placed::on_a_path(&all, a, b)?);
    }
    Ok((all, placed))
}

fn start(programs: &Path, file: &Path) -> Vec<Peer> {
    let mut peers = Vec::new();
    for &(name, program) in PEERS {
        match Peer::start(name, &programs.join(program), file) {
            Ok(peer) => peers.push(peer),
            Err(error) => eprintln!("without {name}: {error:#}"),
        }
    }
    peers
}

/// How many rounds take a millisecond.
fn rounds(nanoseconds: f64, poses: usize) -> usize {
    (1e6 / (nanoseconds * poses as f64)).clamp(1.0, 1000.0) as usize
}

fn row(
    question: &str,
    pair: String,
    bodies: &[Body],
    (index, placed): (usize, &Placed),
    peers: &mut [Peer],
    turns: usize,
) -> Result<Row> {
    let expected = contender::answers(question, bodies, placed);
    let count = expected.len();
    let mut theirs = Vec::new();
    for peer in peers.iter_mut() {
        let others = peer.answers(question, index)?.map(|found| {
            let tolerance = if question == "collide" { 0.0 } else { 1e-4 };
            expected
                .iter()
                .zip(&found)
                .filter(|(ours, theirs)| (*ours - *theirs).abs() > tolerance || theirs.is_nan())
                .count()
        });
        let first = if others.is_some() { peer.time(question, index, 1)? } else { None };
        theirs.push(first.zip(others));
    }
    let mut ours = contender::time(question, bodies, placed, 1);
    for _ in 0..turns {
        ours = ours.min(contender::time(question, bodies, placed, rounds(ours, count)));
        for (peer, theirs) in peers.iter_mut().zip(&mut theirs) {
            if let Some((best, _)) = theirs {
                let time = peer.time(question, index, rounds(*best, count))?;
                *best = best.min(time.unwrap_or(f64::INFINITY));
            }
        }
    }
    Ok(Row { pair, ours, theirs, asked: count })
}

fn tables(report: &mut Report, question: &str, rows: &[Row], peers: &[Peer]) {
    let mut columns = vec!["pair", "nearhit"];
    columns.extend(peers.iter().map(|peer| peer.name));
    columns.push("ratio");
    let mut table = Table::new(question, &columns);
    for row in rows {
        let mut cells = vec![Cell::from(row.pair.as_str()), Cell::Number(row.ours, 0)];
        cells.extend(row.theirs.iter().map(|theirs| match theirs {
            Some((time, 0)) => Cell::Number(*time, 0),
            Some((time, others)) => Cell::from(format!("{time:.0} ({others})")),
            None => Cell::Empty,
        }));
        cells.push(row.ratio().map_or(Cell::Empty, |ratio| Cell::Number(ratio, 2)));
        table.row(cells);
    }
    report.table(table);
    let mean = |name: &str, is_counted: &dyn Fn(&str) -> bool| {
        let ratios: Vec<f64> = rows.iter().filter(|row| is_counted(&row.pair)).filter_map(Row::ratio).collect();
        let product: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let (mean, count) = ((product / ratios.len() as f64).exp(), ratios.len());
        if count == 0 {
            String::new()
        } else {
            format!("{name}: {count} pairs, ratio {mean:.2} in geometric mean, {least:.2} at least. ")
        }
    };
    report.text(
        mean("Convex shapes", &|pair| !pair.starts_with("mesh"))
            + &mean("Beside a mesh", &|pair| pair.starts_with("mesh")),
    );
}
