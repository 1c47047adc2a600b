//! §8: k-DOPs as a family for hybrids, by varying k.
//!
//! Every node has its 6-, 14-, 18- and 26-DOP. Which of them a pair of nodes is compared by: always
//! the same; the least k of either node that is nearly as small as its 26-DOP; or the 6-DOP first,
//! the 26-DOP only where that does not tell them apart. What counts is intervals compared, k/2 for
//! a pair at most: 6, 14 and 18 slabs are among the 26.

use super::benchmarks::{Benchmark, Benchmarks};
use super::boxes::{descend, queries, rectangles};
use lab_report::scale::Scale;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::Model;
use nearhit::research::build::BuildOptions;
use nearhit::research::hierarchy::AnyHierarchy;
use nearhit::research::volume::kdop::KDop;
use nearhit::research::volume::{BoundingVolume, Placement};
use nearhit::research::{ModelExt, VolumeKind};

/// The members of the family in a node, and the least that is nearly as small as the largest.
struct Node {
    six: KDop<3>,
    fourteen: KDop<7>,
    eighteen: KDop<9>,
    twenty_six: KDop<13>,
    enough: usize,
}

/// A member is enough if its volume is at most this many times the 26-DOP's.
const NEARLY: f64 = 1.15;
const SLABS: [u64; 4] = [3, 7, 9, 13];

fn nodes(models: [&Model; 4]) -> Vec<Node> {
    let [
        AnyHierarchy::KDop6(six),
        AnyHierarchy::KDop14(fourteen),
        AnyHierarchy::KDop18(eighteen),
        AnyHierarchy::KDop26(all),
    ] = models.map(|model| model.hierarchy())
    else {
        panic!("other volumes than asked for")
    };
    (0..all.nodes().len() as u32)
        .map(|id| {
            let (six, fourteen) = (six.node(id).volume, fourteen.node(id).volume);
            let (eighteen, twenty_six) = (eighteen.node(id).volume, all.node(id).volume);
            let volumes = [
                six.measure(1.0).volume,
                fourteen.measure(1.0).volume,
                eighteen.measure(1.0).volume,
                twenty_six.measure(1.0).volume,
            ];
            let enough = volumes.iter().position(|&volume| volume <= NEARLY * volumes[3]).unwrap_or(3);
            Node { six, fourteen, eighteen, twenty_six, enough }
        })
        .collect()
}

#[derive(Debug, Clone, Copy)]
enum Choice {
    Always(usize),
    Enough,
    CoarseFirst,
}

const CHOICES: [(&str, Choice); 6] = [
    ("6 always", Choice::Always(0)),
    ("14 always", Choice::Always(1)),
    ("18 always", Choice::Always(2)),
    ("26 always", Choice::Always(3)),
    ("the least k that is enough", Choice::Enough),
    ("6, then 26", Choice::CoarseFirst),
];

/// The members placed.
struct Placed {
    six: <KDop<3> as BoundingVolume>::Placed,
    fourteen: <KDop<7> as BoundingVolume>::Placed,
    eighteen: <KDop<9> as BoundingVolume>::Placed,
    twenty_six: <KDop<13> as BoundingVolume>::Placed,
    enough: usize,
}

impl Placed {
    fn new(node: &Node, placement: &Placement) -> Self {
        Self {
            six: node.six.place(&KDop::<3>::motion(placement)),
            fourteen: node.fourteen.place(&KDop::<7>::motion(placement)),
            eighteen: node.eighteen.place(&KDop::<9>::motion(placement)),
            twenty_six: node.twenty_six.place(&KDop::<13>::motion(placement)),
            enough: node.enough,
        }
    }

    fn bound(&self, b: &Node, member: usize) -> f64 {
        match member {
            0 => b.six.lower_bound(&self.six),
            1 => b.fourteen.lower_bound(&self.fourteen),
            2 => b.eighteen.lower_bound(&self.eighteen),
            _ => b.twenty_six.lower_bound(&self.twenty_six),
        }
    }
}

/// Both bodies' nodes, the trees whose splits they are of, and what is asked.
struct Staged {
    nodes: [Vec<Node>; 2],
    models: (Model, Model),
    queries: Vec<(Placement, f64)>,
}

impl Staged {
    fn new(benchmark: &Benchmark, scale: Scale) -> Self {
        let models = benchmark.models(VolumeKind::Rss);
        let mut queries = queries(benchmark, &models.0, &models.1);
        queries.truncate(scale.pick(8, 60));
        let nodes = [(&benchmark.a, &models.0), (&benchmark.b, &models.1)].map(|(mesh, model)| {
            let kinds = [VolumeKind::KDop6, VolumeKind::KDop14, VolumeKind::KDop18, VolumeKind::KDop26];
            let of_kinds = kinds.map(|kind| Model::with(mesh.clone(), kind, &BuildOptions::obb_tree()));
            let nodes = nodes(of_kinds.each_ref());
            assert_eq!(nodes.len(), rectangles(model).nodes().len(), "the same splits");
            nodes
        });
        Self { nodes, models, queries }
    }

    /// Pairs of nodes, and intervals compared.
    fn work(&self, choice: Choice) -> [u64; 2] {
        let [nodes_a, nodes_b] = &self.nodes;
        let (mut pairs, mut slabs) = (0, 0);
        for (placement, limit) in &self.queries {
            let place = |i: u32| Placed::new(&nodes_a[i as usize], placement);
            pairs += descend(rectangles(&self.models.0), rectangles(&self.models.1), *limit, place, |placed, j| {
                let b = &nodes_b[j as usize];
                let mut compare = |member: usize| {
                    slabs += SLABS[member];
                    Placed::bound(placed, b, member)
                };
                match choice {
                    Choice::Always(member) => compare(member),
                    Choice::Enough => compare(placed.enough.max(b.enough)),
                    Choice::CoarseFirst => {
                        let coarse = compare(0);
                        if coarse > *limit { coarse } else { coarse.max(compare(3)) }
                    }
                }
            });
        }
        [pairs, slabs]
    }
}

/// Adds the table and the claim.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§8: a family of k-DOPs");
    let Benchmarks { prototyping, probes, dynamics, .. } = Benchmarks::of(scale);
    let columns = ["benchmark", "k", "pairs of nodes", "intervals", ": best fixed k"];
    let mut table = Table::new("§8: k-DOPs in a hybrid, by varying k (distance, ε = δ from the start)", &columns);
    let mut ratios = Vec::new();
    for benchmark in [prototyping, probes, dynamics] {
        let staged = Staged::new(benchmark, scale);
        let works = CHOICES.map(|(_, choice)| staged.work(choice));
        let best = works[..4].iter().map(|work| work[1]).min().unwrap_or(1);
        for ((name, _), [pairs, intervals]) in CHOICES.iter().zip(works) {
            let ratio = Cell::Number(intervals as f64 / best as f64, 2);
            table.row([benchmark.name.into(), (*name).into(), Cell::Count(pairs), Cell::Count(intervals), ratio]);
        }
        ratios.push(works[4][1].min(works[5][1]) as f64 / best as f64);
    }
    report.table(table);
    report.claim(Claim {
        place: "§8, k-DOPs".into(),
        claim: "k-DOPs of varying k are a good candidate for hybrids: fewer intervals compared than with any one k"
            .into(),
        verdict: match ratios.iter().filter(|&&ratio| ratio < 1.0).count() {
            0 => Verdict::Fails,
            all if all == ratios.len() => Verdict::Holds,
            _ => Verdict::Differs,
        },
        evidence: format!("the better of two rules over the best fixed k: {ratios:.2?}"),
        counts_work: true,
    });
}
