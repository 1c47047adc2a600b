//! §7.6, and the k-DOP paper's comparator: RAPID, PQP and SOLID run beside, where they are.
//!
//! None of them is part of this project or needed by it. A program that speaks for one is named by
//! a variable of the environment; it is called with two files of triangles (nine numbers each), a
//! file of poses (b in a's frame: nine numbers of the rotation by rows, three of the translation)
//! and `collide`, `distance` or `approximate` (to a relative error of a tenth), and prints one
//! line: pairs of volumes, pairs of triangles, seconds, contacts (of distances those up to a
//! millionth), sum of distances. Zero for what it does not count.
//!
//! Seconds are read and left out. The systems run one after the other, not in turns, and our own
//! trees took 0.6 to 38 times as long in such a run as for the same pairs of volumes in
//! reports/swept-volumes.txt: that says more about what else the machine did than about any system.
//! Counts and contacts repeat.

use super::benchmarks::{Benchmark, Benchmarks};
use super::work::{Query, over_all};
use lab_report::scale::Scale;
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
    hits: u64,
    distances: f64,
}

/// Up to here a distance counts as contact, theirs and ours: systems that compute a distance by
/// rounded arithmetic do not know zero.
const CONTACT: f64 = 1e-6;

fn read(line: &str) -> Option<Said> {
    let mut words = line.split_whitespace();
    let mut next = || words.next();
    let (volumes, triangles) = (next()?.parse().ok()?, next()?.parse().ok()?);
    let seconds: f64 = next()?.parse().ok()?;
    let said = Said { volumes, triangles, hits: next()?.parse().ok()?, distances: next()?.parse().ok()? };
    (seconds.is_finite() && said.distances.is_finite()).then_some(said)
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
    let (volumes, triangles) = over_all(&models, &benchmark.poses, query, &mut scratch);
    let (mut hits, mut distances) = (0, 0.0);
    // Asked whether they touch, all know it as exactly as they can.
    let contact = if query == Query::Collide { 0.0 } else { CONTACT };
    for pose in &benchmark.poses {
        let pair = Pair::relative(&models.0, &models.1, pose).expect("generated poses are in range");
        let distance = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper;
        hits += u64::from(distance <= contact);
        distances += distance;
    }
    Said { volumes, triangles, hits, distances }
}

/// Pairs of volumes: theirs over ours, by query.
struct Row {
    peer: &'static str,
    query: Query,
    volumes: f64,
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
    let columns = ["benchmark", "query", "system", "N_bv", "N_p", "contacts", "sum of distances", "its N_bv : ours"];
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
    let volumes = theirs.volumes as f64 / own.volumes as f64;
    for (name, said) in [(peer.to_owned(), theirs), (format!("{volume} here"), own)] {
        let sum = if query == Query::Distance { Cell::Number(said.distances, 9) } else { Cell::Empty };
        table.row([
            benchmark.name.into(),
            format!("{query:?}").into(),
            name.into(),
            Cell::Count(said.volumes),
            Cell::Count(said.triangles),
            Cell::Count(said.hits),
            sum,
            if said == theirs && volumes > 0.0 { Cell::Number(volumes, 2) } else { Cell::Empty },
        ]);
    }
    let far = (theirs.distances - own.distances).abs() > 1e-6 * own.distances.abs();
    Row { peer, query, volumes, same: theirs.hits == own.hits && !(query == Query::Distance && far) }
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
        let mut claim = |claim: String, holds: bool, evidence: String| {
            let (place, verdict) = (format!("{place}, {peer}"), Verdict::of(holds));
            report.claim(Claim { place, claim, verdict, evidence, counts_work: false });
        };
        let same = exact().filter(|row| row.same).count();
        claim(
            format!("{peer} finds as many contacts, and the same distances in sum (to a millionth)"),
            same == exact().count(),
            format!("in {same} of {} runs", exact().count()),
        );
        if of().all(|row| row.volumes > 0.0) {
            claim(
                format!("The tree that stands for {peer} prunes as it does (N_bv within a factor of two)"),
                of().all(|row| (0.5..=2.0).contains(&row.volumes)),
                format!("its N_bv over ours: {}", listed(|row| row.volumes)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit::Pose;

    /// A triangle above another, touching it, a ten-millionth away and a thousandth away.
    #[test]
    fn a_distance_of_a_millionth_is_a_contact_and_a_collision_is_not() {
        let flat = Mesh::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]).expect("a triangle");
        let poses = [0.0, 1e-7, 1e-3].map(|up| Pose::from_translation([0.0, 0.0, up]).expect("finite")).to_vec();
        let (a, b) = (flat.clone(), flat);
        let benchmark = Benchmark { name: "flat", what: String::new(), column: 0, a, b, poses };
        let [collide, distance] =
            [Query::Collide, Query::Distance].map(|query| ours(&benchmark, VolumeKind::Obb, query).hits);
        assert_eq!([collide, distance], [1, 2]);
    }

    #[test]
    fn a_line_is_read_whole_or_not_at_all() {
        let said = Said { volumes: 3, triangles: 2, hits: 1, distances: 7.25 };
        assert_eq!(read("3 2 0.5 1 7.25\n"), Some(said));
        for wrong in ["", "3 2 0.5 1", "3 2 x 1 0", "3 2 NaN 1 0", "-1 2 0.5 1 0"] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }
}
