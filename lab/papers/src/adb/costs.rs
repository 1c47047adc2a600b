//! What each unit of work costs: the weights of weighted work.

use super::scene::{MODELS, object};
use super::tally::{OF_BOXES, OF_DOPS, OF_PIECES};
use lab_report::scale::Scale;
use lab_report::stopwatch::interleaved;
use lab_report::{Cell, Report, Table};
use nearhit::Pose;
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::adb::overlap::{Overlap, shared};
use nearhit::research::adb::patch::{Across, Contact, Kind};
use nearhit::research::adb::{Averages, FLATTEST, Options, hypergeometric, thickened};
use nearhit::research::hierarchy::{AnyHierarchy, Hierarchy};
use nearhit::research::primitive::intersect::intersects;
use nearhit::research::volume::{BoundingVolume, Placement, Support};
use std::hint::black_box;

/// Adds the table of costs, beside the fixed weights.
pub(super) fn table(report: &mut Report, scale: Scale) {
    let object = object(MODELS[1], scale.pick(1_000, 20_000));
    let pose = Pose::from_rows(nearhit_testkit::rng::axis_angle_to_rows([0.6, 0.0, 0.8], 1.0), [1.2, 0.0, 0.0])
        .expect("a rotation");
    let placement = Placement::new(&pose, 1.0, 1.0);
    let (dops, boxes) = (object.model(VolumeKind::KDop18), object.model(VolumeKind::Obb));
    let model = boxes;
    let (AnyHierarchy::KDop18(dops), AnyHierarchy::Obb(boxes)) = (dops.hierarchy(), model.hierarchy()) else { return };
    let rounds = scale.pick(3, 9);
    let ([dop_test, dop_update], [box_test, box_update]) =
        (of_volume(dops, &placement, rounds), of_volume(boxes, &placement, rounds));
    let count = boxes.nodes().len();
    let regions: Vec<_> = boxes.nodes().iter().map(|node| thickened(node.volume.region(), FLATTEST)).collect();
    let triangles: Vec<_> = (0..object.size() as u32).map(|index| object.mesh.triangle(index)).collect();
    let mut estimate = || {
        let sum: f64 = (0..count as u32)
            .map(|index| {
                let cells = 100 + index % 400;
                hypergeometric::collision(cells, cells / 5, cells / 6, 0.7)
            })
            .sum();
        black_box(sum);
    };
    let mut overlap = || {
        let part = |index: usize| shared(&regions[index], &regions[(index + 1) % count], Overlap::default()).of_a;
        black_box((0..count).map(part).sum::<f64>());
    };
    let mut meet = || {
        black_box(
            (0..object.size()).filter(|&i| intersects(&triangles[i], &triangles[(i * 7 + 1) % object.size()])).count(),
        );
    };
    let averages = Averages::new(&model, &Options::default());
    let (pieces, flat) = (averages.pieces().expect("kept"), flat_nodes(&averages, count));
    let across = Across::new(pieces, pieces, &placement);
    let mut rank = || {
        // Two children of a node against two of another, as in a search.
        let two = |id: usize| [id % count, (id + 1) % count].map(|id| pieces.of(id as u32));
        let of = |id: usize| across.rank(two(id), two(id * 7 + 1)).distances.element_sum();
        black_box((0..count).map(of).sum::<f32>());
    };
    let mut cull = || {
        let apart = |id: usize| across.apart(pieces.block(id as u32), pieces.block(((id * 7 + 1) % count) as u32));
        black_box((0..count).filter(|&id| apart(id)).count());
    };
    let mut compare = || {
        let crosses = |index: usize| {
            let pair = (pieces.of(flat[index]), pieces.of(flat[(index * 7 + 1) % flat.len()]));
            matches!(across.contact(pair.0, pair.1), Contact::Crossing(_))
        };
        black_box((0..flat.len()).filter(|&index| crosses(index)).count());
    };
    let times = interleaved(rounds, &mut [&mut estimate, &mut meet, &mut overlap, &mut rank, &mut compare, &mut cull]);
    let nanoseconds = |index: usize, count: usize| times[index].as_secs_f64() * 1e9 / count as f64;
    let mut table = Table::new("Costs of the units of work, in nanoseconds", &["unit", "measured", "weight"]);
    for (name, measured, weight) in [
        ("test of two 18-DOPs", dop_test, OF_DOPS.test),
        ("18-DOP brought into the other frame", dop_update, OF_DOPS.update),
        ("test of two triangles", nanoseconds(1, object.size()), OF_DOPS.triangles),
        ("test of two oriented boxes", box_test, OF_PIECES.update - OF_BOXES.update),
        ("oriented box brought into the other frame", box_update, OF_BOXES.update),
        ("what two regions share", nanoseconds(2, count), OF_BOXES.overlap),
        ("probability from s, s_A and s_B", nanoseconds(0, count), OF_BOXES.estimate),
        ("oriented boxes in single precision: placed and tested", nanoseconds(5, count), OF_PIECES.test),
        ("how close are two pieces?", nanoseconds(3, 4 * count), OF_PIECES.rank),
        ("do two flat pieces cross?", nanoseconds(4, flat.len()), OF_PIECES.compare),
    ] {
        table.row([name.into(), Cell::Number(measured, 1), Cell::Number(weight, 0)]);
    }
    report.table(table);
}

/// Nodes whose surface is flat.
fn flat_nodes(averages: &Averages, count: usize) -> Vec<u32> {
    (0..count as u32).filter(|&id| averages.pieces().expect("kept").of(id).kind() != Kind::Rough).collect()
}

/// Nanoseconds of a test and of an update.
fn of_volume<V: Support>(tree: &Hierarchy<V>, placement: &Placement, rounds: usize) -> [f64; 2] {
    let motion = <V as BoundingVolume>::motion(placement);
    let count = tree.nodes().len();
    let placed: Vec<V::Placed> = (0..count as u32).map(|id| tree.place(id, &motion)).collect();
    let mut test = || {
        black_box((0..count).filter(|&i| tree.node(i as u32).volume.disjoint(&placed[(i * 7 + 1) % count])).count());
    };
    let mut update = || {
        (0..count as u32).for_each(|id| {
            black_box(tree.place(id, &motion));
        });
    };
    let times = interleaved(rounds, &mut [&mut test, &mut update]);
    [times[0], times[1]].map(|time| time.as_secs_f64() * 1e9 / count as f64)
}
