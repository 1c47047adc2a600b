//! §7.6, and the k-DOP paper's comparator: RAPID, PQP and SOLID run beside, where they are.
//!
//! None of them is part of this project or needed by it. A program that speaks for one is named by
//! a variable of the environment; it is called with two files of triangles (nine numbers each), a
//! file of poses (b in a's frame: nine numbers of the rotation by rows, three of the translation)
//! and `collide`, `distance` or `approximate` (to a relative error of a tenth), and prints one
//! line: pairs of volumes, pairs of triangles, seconds (the best of three rounds, without
//! building), contacts (distances up to a millionth count), sum of distances. Zero for what it does
//! not count.

use super::benchmarks::{Benchmark, Benchmarks};
use super::work::{Query, over_all};
use lab_report::scale::Scale;
use lab_report::stopwatch::time;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::VolumeKind;
use nearhit::{Mesh, Pair, Scratch, Settings, Tolerance};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A system of the papers, the variable that names its program, its volume here, and what it can
/// be asked.
struct Peer {
    name: &'static str,
    variable: &'static str,
    volumes: [VolumeKind; 2],
    queries: &'static [Query],
}

/// Collision by the first volume, distance by the second.
const PEERS: [Peer; 3] = [
    Peer { name: "RAPID", variable: "NEARHIT_PAPERS_RAPID", volumes: [VolumeKind::Obb; 2], queries: &[Query::Collide] },
    Peer {
        name: "PQP",
        variable: "NEARHIT_PAPERS_PQP",
        volumes: [VolumeKind::Obb, VolumeKind::Rss],
        queries: &[Query::Collide, Query::Distance, Query::Approximate],
    },
    Peer {
        name: "SOLID",
        variable: "NEARHIT_PAPERS_SOLID",
        volumes: [VolumeKind::Aabb; 2],
        queries: &[Query::Collide, Query::Distance],
    },
];

/// What a program said.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Said {
    volumes: u64,
    triangles: u64,
    seconds: f64,
    hits: u64,
    distances: f64,
}

fn read(line: &str) -> Option<Said> {
    let mut words = line.split_whitespace();
    let mut next = || words.next();
    let said = Said {
        volumes: next()?.parse().ok()?,
        triangles: next()?.parse().ok()?,
        seconds: next()?.parse().ok()?,
        hits: next()?.parse().ok()?,
        distances: next()?.parse().ok()?,
    };
    (said.seconds.is_finite() && said.distances.is_finite()).then_some(said)
}

/// A benchmark as files.
struct Files([PathBuf; 3]);

impl Files {
    fn write(folder: &Path, benchmark: &Benchmark) -> std::io::Result<Self> {
        let triangles = |mesh: &Mesh| {
            let mut text = String::new();
            for index in 0..mesh.triangles().len() as u32 {
                for corner in mesh.triangle(index) {
                    let _ = writeln!(text, "{} {} {}", corner.x, corner.y, corner.z);
                }
            }
            text
        };
        let mut poses = String::new();
        for pose in &benchmark.poses {
            let numbers = pose.rotation().transpose().to_cols_array().into_iter().chain(pose.translation().to_array());
            numbers.for_each(|number| {
                let _ = write!(poses, "{number} ");
            });
            poses.push('\n');
        }
        let files = ["a.txt", "b.txt", "poses.txt"].map(|name| folder.join(name));
        for (file, text) in files.iter().zip([triangles(&benchmark.a), triangles(&benchmark.b), poses]) {
            std::fs::write(file, text)?;
        }
        Ok(Self(files))
    }

    fn ask(&self, program: &str, query: Query) -> Option<Said> {
        let word = match query {
            Query::Collide => "collide",
            Query::Distance => "distance",
            Query::Approximate => "approximate",
        };
        let output = Command::new(program).args(&self.0).arg(word).output().ok()?;
        output.status.success().then(|| read(&String::from_utf8_lossy(&output.stdout)))?
    }
}

/// The same by the volume that stands for a peer, and the truth by the default engine.
fn ours(benchmark: &Benchmark, volume: VolumeKind, query: Query) -> Said {
    let models = benchmark.models(volume);
    let mut scratch = Scratch::new();
    let (mut counts, mut seconds) = ((0, 0), f64::INFINITY);
    for _ in 0..3 {
        let took = time(|| counts = over_all(&models, &benchmark.poses, query, &mut scratch));
        seconds = seconds.min(took.as_secs_f64());
    }
    let (mut hits, mut distances) = (0, 0.0);
    for pose in &benchmark.poses {
        let pair = Pair::relative(&models.0, &models.1, pose).expect("generated poses are in range");
        let distance = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper;
        hits += u64::from(distance == 0.0);
        distances += distance;
    }
    Said { volumes: counts.0, triangles: counts.1, seconds, hits, distances }
}

/// Pairs of volumes: theirs over ours, by query.
struct Row {
    peer: &'static str,
    query: Query,
    volumes: f64,
    time: f64,
    same: bool,
}

/// Adds the table and the claims of the paper's benchmarks.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§7.6: other systems");
    let Benchmarks { prototyping, tori, probes, dynamics, .. } = Benchmarks::of(scale);
    let benchmarks = [Some(prototyping), tori.as_ref(), Some(probes), Some(dynamics)];
    beside(report, "§7.6", &PEERS, benchmarks.into_iter().flatten());
}

/// Adds a table and claims, as far as there are programs for these systems.
fn beside<'b>(report: &mut Report, place: &str, peers: &[Peer], benchmarks: impl Iterator<Item = &'b Benchmark>) {
    let program = |peer: &Peer| std::env::var(peer.variable).ok();
    let missing: Vec<&str> = peers.iter().filter(|peer| program(peer).is_none()).map(|peer| peer.variable).collect();
    if !missing.is_empty() {
        report.text(format!("Not run beside: no program is named by {}.", missing.join(", ")));
    }
    let programs: Vec<(&Peer, String)> = peers.iter().filter_map(|peer| Some((peer, program(peer)?))).collect();
    if programs.is_empty() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("nearhit-beside-{}", std::process::id()));
    let columns =
        ["benchmark", "query", "system", "N_bv", "N_p", "µs a query", "contacts", "its N_bv : ours", "its time : ours"];
    let names: Vec<&str> = peers.iter().map(|peer| peer.name).collect();
    let mut table = Table::new(format!("{place}: {} beside the same volumes here", names.join(", ")), &columns);
    let (mut rows, mut failed) = (Vec::new(), Vec::new());
    for benchmark in benchmarks {
        let files = std::fs::create_dir_all(&folder).and_then(|()| Files::write(&folder, benchmark));
        let Ok(files) = files else {
            failed.push(format!("{}: its files cannot be written", benchmark.name));
            continue;
        };
        for (peer, program) in &programs {
            for &query in peer.queries {
                let Some(theirs) = files.ask(program, query) else {
                    failed.push(format!("{}: no answer of {} to {query:?}", benchmark.name, peer.name));
                    continue;
                };
                let volume = peer.volumes[usize::from(query != Query::Collide)];
                let own = ours(benchmark, volume, query);
                rows.push(compare(&mut table, benchmark, (peer.name, &theirs), (volume.name(), &own), query));
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    report.table(table);
    if !failed.is_empty() {
        report.text(format!("Left out: {}.", failed.join("; ")));
    }
    claims(report, place, &rows);
}

/// RAPID alone, on other benchmarks.
pub(crate) fn rapid(report: &mut Report, place: &str, benchmarks: &[Benchmark]) {
    beside(report, place, &PEERS[..1], benchmarks.iter());
}

fn compare(
    table: &mut Table,
    benchmark: &Benchmark,
    (peer, theirs): (&'static str, &Said),
    (volume, own): (&str, &Said),
    query: Query,
) -> Row {
    let (volumes, time) = (theirs.volumes as f64 / own.volumes as f64, theirs.seconds / own.seconds);
    let micros = |said: &Said| Cell::Number(said.seconds * 1e6 / benchmark.poses.len() as f64, 1);
    let counts = |said: &Said| [Cell::Count(said.volumes), Cell::Count(said.triangles)];
    for (name, said) in [(peer.to_owned(), theirs), (format!("{volume} here"), own)] {
        let [bv, p] = counts(said);
        let of = |ratio: f64| if said == theirs && ratio > 0.0 { Cell::Number(ratio, 2) } else { Cell::Empty };
        table.row([
            benchmark.name.into(),
            format!("{query:?}").into(),
            name.into(),
            bv,
            p,
            micros(said),
            Cell::Count(said.hits),
            of(volumes),
            of(time),
        ]);
    }
    let far = (theirs.distances - own.distances).abs() > 1e-6 * own.distances.abs();
    Row { peer, query, volumes, time, same: theirs.hits == own.hits && !(query == Query::Distance && far) }
}

fn claims(report: &mut Report, place: &str, rows: &[Row]) {
    for peer in PEERS.iter().map(|peer| peer.name) {
        let of = || rows.iter().filter(|row| row.peer == peer);
        if of().next().is_none() {
            continue;
        }
        let listed = |value: fn(&Row) -> f64| {
            of().map(|row| format!("{:?} {:.2}", row.query, value(row))).collect::<Vec<_>>().join(", ")
        };
        let exact = || of().filter(|row| row.query != Query::Approximate);
        let mut claim = |claim: String, holds: bool, evidence: String, counts_work: bool| {
            let (place, verdict) = (format!("{place}, {peer}"), Verdict::of(holds));
            report.claim(Claim { place, claim, verdict, evidence, counts_work });
        };
        let same = exact().filter(|row| row.same).count();
        claim(
            format!("{peer} finds as many contacts, and the same distances in sum (to a millionth)"),
            same == exact().count(),
            format!("in {same} of {} runs", exact().count()),
            false,
        );
        if of().all(|row| row.volumes > 0.0) {
            claim(
                format!("The tree that stands for {peer} prunes as it does (N_bv within a factor of two)"),
                of().all(|row| (0.5..=2.0).contains(&row.volumes)),
                format!("its N_bv over ours: {}", listed(|row| row.volumes)),
                false,
            );
        }
        claim(
            format!("The tree that stands for {peer} takes no longer than it does"),
            of().all(|row| row.time >= 1.0),
            format!("its time over ours: {}", listed(|row| row.time)),
            false,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_whole_or_not_at_all() {
        let said = Said { volumes: 3, triangles: 2, seconds: 0.5, hits: 1, distances: 7.25 };
        assert_eq!(read("3 2 0.5 1 7.25\n"), Some(said));
        for wrong in ["", "3 2 0.5 1", "3 2 x 1 0", "3 2 NaN 1 0", "-1 2 0.5 1 0"] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }
}
