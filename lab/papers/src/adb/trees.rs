//! Figure 12: the same search on trees of different volumes; Table 1: memory.

use super::literal::SUITABLE;
use super::paper;
use super::scene::{Augmented, MODELS, Object, Trial, distances, object, trials};
use super::tally::{Tally, average};
use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Claim, Plot, Report, Series, Table, Verdict};
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::adb::{Options, Quality, octree_model};
use nearhit::research::build::OctreeLimits;
use nearhit::research::hierarchy::{Hierarchy, TreeOperation};
use nearhit::research::volume::Support;
use std::ops::Range;

/// A name, a tree with its table, and how it is searched.
type Tree = (String, Augmented, Quality);

const VOLUMES: [VolumeKind; 4] = [VolumeKind::Aabb, VolumeKind::KDop18, VolumeKind::Obb, VolumeKind::Sphere];

/// Adds both.
pub(super) fn show(report: &mut Report, scale: Scale) {
    let object = object(MODELS[1], scale.pick(2_000, 20_000));
    let (step, turns, rounds) = scale.pick((0.5, 4, 1), (0.1, 8, 3));
    let at = distances(0.5, 2.0, step);
    let by_distance: Vec<Vec<Trial>> = at.iter().map(|&distance| trials(&object, &[distance], turns)).collect();
    let limits = OctreeLimits { depth: 9, stop_count: 4 };
    let octree = || octree_model(object.mesh.clone(), limits);
    let (letter, tuned) = (Quality::paper(), Quality::tuned());
    let papers = Options::paper().enough(SUITABLE);
    let tree =
        |name: &str, model, options: &Options, quality| (name.to_owned(), Augmented::new(model, options), quality);
    let mut trees = vec![
        tree("octree, MaxArea chosen", octree(), &papers, letter),
        tree("aabb, MaxArea chosen", object.model(VolumeKind::Aabb), &papers, letter),
        tree("octree", octree(), &Options::default(), tuned),
    ];
    trees.extend(VOLUMES.map(|volume| tree(volume.name(), object.model(volume), &Options::default(), tuned)));
    let curves: Vec<Vec<Tally>> = trees
        .iter()
        .map(|(_, tree, quality)| by_distance.iter().map(|trials| average(tree, quality, trials, rounds)).collect())
        .collect();
    let series = |value: fn(&Tally) -> f64| -> Vec<Series> {
        let points = |tallies: &Vec<Tally>| at.iter().copied().zip(tallies.iter().map(value)).collect();
        trees
            .iter()
            .zip(&curves)
            .map(|((name, ..), tallies)| Series { name: name.clone(), points: points(tallies) })
            .collect()
    };
    report.plot(Plot {
        caption: format!("Figure 12: ADB-trees of different volumes ({}, {} triangles)", object.name, object.size()),
        x: Axis::linear("distance of the boxes' middles"),
        y: Axis::logarithmic("µs a test"),
        series: series(Tally::micros),
    });
    let sums: Vec<Tally> = curves
        .iter()
        .map(|tallies| {
            tallies.iter().fold(Tally::default(), |mut sum, tally| {
                sum.add(tally);
                sum
            })
        })
        .collect();
    table(report, &trees, &sums);
    memory(report, &object, trees[1].1.averages.bytes_per_node());
    better(report, "MaxArea chosen", &trees, &sums, 0..2);
    better(report, "tuned", &trees, &sums, 2..trees.len());
}

/// The claim of Figure 12 on some of the trees, the first an octree, the second of AABBs.
fn better(report: &mut Report, way: &str, trees: &[Tree], sums: &[Tally], which: Range<usize>) {
    let tests: Vec<f64> =
        sums[which.clone()].iter().map(|sum| sum.stats.volume_tests as f64 / sum.asked as f64).collect();
    let said: Vec<String> =
        trees[which].iter().zip(&tests).map(|((name, ..), tests)| format!("{name} {tests:.1}")).collect();
    report.claim(Claim {
        place: format!("§4, Figure 12, {way}"),
        claim: "The AABB tree is more than three times better than the octree".into(),
        verdict: match tests[0] / tests[1] {
            more if more > 3.0 => Verdict::Holds,
            more if more > 1.0 => Verdict::Differs,
            _ => Verdict::Fails,
        },
        evidence: format!("N_v a test: {}", said.join(", ")),
        counts_work: true,
    });
}

/// How many nodes a tree has.
struct Nodes;

impl TreeOperation for Nodes {
    type Output = usize;

    fn run<V: Support>(self, tree: &Hierarchy<V>) -> usize {
        tree.nodes().len()
    }
}

/// Table 1: what a node of each tree takes, with the table of the paper's search (so many bytes a
/// node) and without.
fn memory(report: &mut Report, object: &Object, of_cells: usize) {
    let of_cells = of_cells as f64;
    let columns = ["tree", "nodes", "bytes a node", "with the cells", "paper"];
    let mut table = Table::new("Table 1: bytes a node, the tree's list of triangles included", &columns);
    let volumes = [
        (VolumeKind::Sphere, Some(1)),
        (VolumeKind::Aabb, Some(2)),
        (VolumeKind::Obb, Some(3)),
        (VolumeKind::KDop18, None),
        (VolumeKind::KDop26, Some(4)),
    ];
    let mut of_boxes = f64::NAN;
    for (volume, published) in volumes {
        let model = object.model(volume);
        let nodes = model.hierarchy().with(Nodes);
        let bytes = model.hierarchy().bytes() as f64 / nodes as f64;
        let published = published.map(|row: usize| paper::BYTES[row]);
        of_boxes = if volume == VolumeKind::Aabb { bytes } else { of_boxes };
        table.row([
            volume.name().into(),
            Cell::Count(nodes as u64),
            Cell::Number(bytes, 1),
            Cell::Number(bytes + of_cells, 1),
            published.map_or(Cell::Empty, |(tree, bytes)| format!("{tree}: {bytes}").into()),
        ]);
    }
    report.table(table);
    let (_, with_cells) = paper::BYTES[0];
    let (_, without) = paper::BYTES[2];
    let (ours, published) = (of_cells / of_boxes, with_cells as f64 / without as f64 - 1.0);
    report.claim(Claim {
        place: "§4.2.1, Table 1".into(),
        claim: "What an ADB-tree of boxes keeps beside the boxes is at most 2/7 of them".into(),
        verdict: Verdict::of(ours <= published),
        evidence: format!(
            "{of_cells} bytes beside {of_boxes:.1}, {ours:.2} (paper: 8 beside 28, in single precision, {published:.2})"
        ),
        counts_work: true,
    });
}

fn table(report: &mut Report, trees: &[Tree], sums: &[Tally]) {
    let mut table = Table::new(
        "Table 1 and Figure 12: bytes a node, work and errors of ADB-trees",
        &["tree", "nodes", "bytes a node beside the tree", "error %", "N_v", "estimates", "µs"],
    );
    for ((name, tree, _), sum) in trees.iter().zip(sums) {
        let each = |count: u64| Cell::Number(count as f64 / sum.asked as f64, 1);
        table.row([
            name.clone().into(),
            Cell::Count((tree.averages.bytes() / tree.averages.bytes_per_node()) as u64),
            Cell::Count(tree.averages.bytes_per_node() as u64),
            Cell::Number(sum.error(), 2),
            each(sum.stats.volume_tests),
            each(sum.estimates),
            Cell::Number(sum.micros(), 1),
        ]);
    }
    report.table(table);
    let listed: Vec<String> = paper::BYTES.iter().map(|(tree, bytes)| format!("{tree} {bytes}")).collect();
    let (table_bytes, factor, hours) = paper::TABLES;
    report.text(format!(
        "The paper's Table 1: {}. It stores 4 bytes of cells and 4 of volume a node, in single precision; here a node has 16 for the paper's search (the side of its volume as a double, cells, possible cells, depth and thickness) and, in tables that are not of the paper's configuration, 128 for the default one (its surface as a flat piece, and a box around it). \
         Figure 15: the paper's ten tables take about {:.0} MB each after its cuts and took {hours:.0} hours; here 513 factorials and 514 reciprocals take 12 kB, made by the compiler.",
        listed.join(", "),
        table_bytes / factor / 1e6
    ));
}
