//! §4.2, choice during a query: every node has all three volumes, and which two of the nine
//! combinations are compared is decided pair by pair.
//!
//! The paper names the possibility and no rule. Two are tried here in the minimal traversal tree (ε
//! = δ from the start), beside each volume alone, on trees of the same splits: the tightest of each
//! node (by volume, if it saves a tenth over a simpler one), and balls first, the tightest only
//! where the balls do not tell the nodes apart.

use super::benchmarks::Benchmark;
use super::boxes::{descend, queries, rectangles};
use super::costs::members;
use lab_report::stopwatch::interleaved;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::VolumeKind;
use nearhit::research::volume::swept::Mixed;
use nearhit::research::volume::{BoundingVolume, Placement};
use std::f64::consts::PI;

/// A node's ball, swept line and swept rectangle, and which of them is the tightest.
struct Node {
    volumes: [Mixed; 3],
    tightest: usize,
}

/// A simpler volume is as good if it is no larger than this many times a tighter one.
const AS_GOOD: f64 = 1.1;

fn volume(of: &Mixed) -> f64 {
    let ball = |radius: f64| 4.0 / 3.0 * PI * radius.powi(3);
    match of {
        Mixed::Point(point) => ball(point.radius()),
        Mixed::Line(line) => ball(line.radius()) + PI * line.radius().powi(2) * 2.0 * line.half_length(),
        Mixed::Rect(rect) => {
            let (sides, radius) = (rect.half_lengths() * 2.0, rect.radius());
            ball(radius) + PI * radius.powi(2) * (sides.x + sides.y) + sides.x * sides.y * 2.0 * radius
        }
    }
}

fn nodes(benchmark: &Benchmark) -> [Vec<Node>; 2] {
    let models = [VolumeKind::Sphere, VolumeKind::Lss, VolumeKind::Rss].map(|kind| benchmark.models(kind));
    let of = |lists: [Vec<Mixed>; 3]| {
        assert!(lists.iter().all(|list| list.len() == lists[0].len()), "the splits do not depend on the volume");
        (0..lists[0].len())
            .map(|node| {
                let volumes = [0, 1, 2].map(|kind: usize| lists[kind][node]);
                let sizes = volumes.each_ref().map(volume);
                let least = sizes.iter().copied().fold(f64::INFINITY, f64::min);
                let tightest = sizes.iter().position(|&size| size <= AS_GOOD * least).unwrap_or(2);
                Node { volumes, tightest }
            })
            .collect()
    };
    [of(models.each_ref().map(|(a, _)| members(a))), of(models.each_ref().map(|(_, b)| members(b)))]
}

/// How a pair of nodes is compared.
#[derive(Clone, Copy)]
enum Choice {
    /// Always the same volume.
    Alone(usize),
    /// Of each node its tightest.
    Tightest,
    /// Balls, then of each node its tightest.
    BallsFirst,
}

const CHOICES: [(&str, Choice); 5] = [
    ("balls alone", Choice::Alone(0)),
    ("lss alone", Choice::Alone(1)),
    ("rss alone", Choice::Alone(2)),
    ("the tightest of each node", Choice::Tightest),
    ("balls first, then the tightest", Choice::BallsFirst),
];

/// Comparisons by the two kinds: a's kind times three and b's.
type Counts = [u64; 9];

struct Way<'m> {
    nodes: &'m [Vec<Node>; 2],
    choice: Choice,
    counts: Counts,
}

impl Way<'_> {
    fn compare(&mut self, placed: &[Mixed; 3], b: usize, kinds: (usize, usize)) -> f64 {
        self.counts[3 * kinds.0 + kinds.1] += 1;
        self.nodes[1][b].volumes[kinds.1].lower_bound(&placed[kinds.0])
    }

    /// A bound on the distance of two nodes.
    fn bound(&mut self, (placed, a): &([Mixed; 3], u32), b: u32, limit: f64) -> f64 {
        let (a, b) = (*a as usize, b as usize);
        let tightest = (self.nodes[0][a].tightest, self.nodes[1][b].tightest);
        match self.choice {
            Choice::Alone(kind) => self.compare(placed, b, (kind, kind)),
            Choice::Tightest => self.compare(placed, b, tightest),
            Choice::BallsFirst => {
                let by_balls = self.compare(placed, b, (0, 0));
                if by_balls > limit || tightest == (0, 0) {
                    return by_balls;
                }
                by_balls.max(self.compare(placed, b, tightest))
            }
        }
    }

    /// Pairs of nodes looked at.
    fn descend(&mut self, benchmark: &Trees<'_>, queries: &[(Placement, f64)]) -> u64 {
        self.counts = Counts::default();
        let (a, b) = (rectangles(&benchmark.models.0), rectangles(&benchmark.models.1));
        let nodes = self.nodes;
        queries
            .iter()
            .map(|(placement, limit)| {
                let place = |i: u32| (nodes[0][i as usize].volumes.each_ref().map(|of| of.place(placement)), i);
                descend(a, b, *limit, place, |placed, j| self.bound(placed, j, *limit))
            })
            .sum()
    }
}

/// Trees whose splits all volumes share.
struct Trees<'b> {
    name: &'b str,
    models: (nearhit::Model, nearhit::Model),
}

/// Adds the table and the claim.
pub(super) fn table(report: &mut Report, benchmarks: &[&Benchmark]) {
    report.heading("§4.2: all three volumes in a node");
    let columns = ["benchmark", "choice", "pairs of nodes", "comparisons", ": rss alone", "time : rss alone", "kinds"];
    let mut table = Table::new("§4.2: which of nine combinations, decided during a query", &columns);
    let (mut fewer, mut combinations) = (Vec::new(), [false; 9]);
    for benchmark in benchmarks {
        let trees = Trees { name: benchmark.name, models: benchmark.models(VolumeKind::Rss) };
        let (nodes, queries) = (nodes(benchmark), queries(benchmark, &trees.models.0, &trees.models.1));
        let mut ways = CHOICES.map(|(_, choice)| Way { nodes: &nodes, choice, counts: Counts::default() });
        let mut pairs = [0_u64; CHOICES.len()];
        let mut runs: Vec<Box<dyn FnMut() + '_>> = Vec::new();
        for (way, pairs) in ways.iter_mut().zip(&mut pairs) {
            let (trees, queries) = (&trees, &queries);
            runs.push(Box::new(move || *pairs = way.descend(trees, queries)));
        }
        let mut borrowed: Vec<&mut dyn FnMut()> = runs.iter_mut().map(|run| &mut **run as _).collect();
        let times = interleaved(2, &mut borrowed);
        drop(borrowed);
        drop(runs);
        let compared = ways.each_ref().map(|way| way.counts.iter().sum::<u64>());
        for (row, (name, _)) in CHOICES.iter().enumerate() {
            let used = ways[row].counts.iter().filter(|&&count| count > 0).count();
            table.row([
                trees.name.into(),
                (*name).into(),
                Cell::Count(pairs[row]),
                Cell::Count(compared[row]),
                Cell::Number(compared[row] as f64 / compared[2] as f64, 2),
                Cell::Number(times[row].as_secs_f64() / times[2].as_secs_f64(), 2),
                Cell::Count(used as u64),
            ]);
        }
        ways[3].counts.iter().zip(&mut combinations).for_each(|(&count, seen)| *seen |= count > 0);
        fewer.push(pairs[3] as f64 / pairs[2] as f64);
    }
    report.table(table);
    let used = combinations.iter().filter(|&&seen| seen).count();
    let listed: Vec<String> = fewer.iter().map(|ratio| format!("{ratio:.2}")).collect();
    report.claim(Claim {
        place: "§4.2".into(),
        claim: "With all three volumes in a node a query can select among nine combinations, and prunes nearly as well as with rss (at most a fifth more pairs)".into(),
        verdict: match (used == 9, fewer.iter().all(|&ratio| ratio <= 1.2)) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::Fails,
            _ => Verdict::Differs,
        },
        evidence: format!("{used} combinations were compared; pairs of nodes over rss alone by benchmark: {}", listed.join(", ")),
        counts_work: true,
    });
}
