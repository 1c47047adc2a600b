//! The paper's future work (§5): contacts, deformable meshes, rays; and a picture of a likely pair
//! (Figure 13). Distances and depths: `lengths.rs`.

use super::lengths;
use super::plain::{Body, Knobs, Scene, Split, Table, meeting, reaches, reaching};
use super::scene::{MODELS, Maker, Object, Trial, object, trials};
use glam::DVec3;
use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Claim, Plot, Report, Series, Table as Sheet, Verdict};
use nearhit::{Mesh, Model, Pair, Ray, Scratch, Settings};
use nearhit_testkit::rng::Rng;

/// Adds them all.
pub(super) fn show(report: &mut Report, scale: Scale) {
    report.heading("§5: what the paper leaves for later");
    let size = scale.pick(200, 2_000);
    picture(report);
    contacts(report, scale, size);
    lengths::table(report, scale, size);
    deforming(report, scale, size);
    rays(report, scale, size);
}

/// A model, its tree with a table, and tests.
pub(super) struct Staged {
    pub(super) object: Object,
    pub(super) body: Body,
    pub(super) trials: Vec<Trial>,
}

pub(super) fn staged(maker: Maker, size: usize, at: &[f64], turns: u32) -> Staged {
    let object = object(maker, size);
    let trials = trials(&object, at, turns);
    Staged { body: Body::new(&object.mesh, Split::LeastVolume, Knobs::TUNED), trials, object }
}

/// The edges of a box in one stroke.
const STROKE: [usize; 16] = [0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4];

/// Figure 13: two pipes, and the two boxes that hold a shared cell with high probability.
fn picture(report: &mut Report) {
    let Staged { object, body, trials } = staged(MODELS[3], 300, &[1.0, 1.2], 3);
    let found = trials.iter().find_map(|trial| {
        let scene = Scene::new(&body, &body, trial.pose);
        let likely = scene.search(2_000).likely.into_iter().max_by(|p, q| p.probability.total_cmp(&q.probability));
        likely.filter(|_| trial.touches).map(|likely| (*trial, likely))
    });
    let Some((trial, likely)) = found else { return };
    // Seen along no axis.
    let seen = |point: DVec3| (point.x + 0.35 * point.y, point.z + 0.2 * point.y);
    let surface = |pose: Option<&Trial>| -> Vec<(f64, f64)> {
        let place = |corner: DVec3| pose.map_or(corner, |trial| trial.pose.apply(corner));
        let corners = (0..object.size() as u32).flat_map(|index| object.mesh.triangle(index));
        corners.map(|corner| seen(place(corner))).collect()
    };
    let outline = |node: u32, pose: Option<&Trial>| -> Vec<(f64, f64)> {
        let (low, high) = (body.node(node).low, body.node(node).high);
        let corner = |index: usize| {
            let pick = |axis: usize| if index >> axis & 1 == 1 { high[axis] } else { low[axis] };
            let corner = DVec3::new(pick(0), pick(1), pick(2));
            seen(pose.map_or(corner, |trial| trial.pose.apply(corner)))
        };
        STROKE.map(corner).into()
    };
    let series = |name: &str, points| Series { name: name.into(), points };
    report.plot(Plot {
        caption: format!(
            "Figure 13: a pair of boxes that holds a collision cell with probability {:.3}",
            likely.probability
        ),
        x: Axis::linear("across"),
        y: Axis::linear("up"),
        series: vec![
            series("a", surface(None)),
            series("b", surface(Some(&trial))),
            series("box of a", outline(likely.nodes.0, None)),
            series("box of b", outline(likely.nodes.1, Some(&trial))),
        ],
    });
}

/// The mean normal of what is below a node, whichever way it faces.
fn normal(body: &Body, node: u32) -> DVec3 {
    let crosses = body.node(node).triangles.iter().map(|&index| {
        let [a, b, c] = body.mesh.triangle(index);
        (b - a).cross(c - a)
    });
    crosses.sum::<DVec3>().normalize_or_zero()
}

/// Modelling of contacts: a region and a normal for each likely pair, against the triangles that
/// meet.
fn contacts(report: &mut Report, scale: Scale, size: usize) {
    let (mut near, mut regions, mut turned, mut judged) = (0_u64, 0_u64, 0.0, 0_u64);
    for &maker in &MODELS {
        let Staged { object, body, trials } = staged(maker, size, &[1.0, 1.4], scale.pick(3, 6));
        let model = Model::new(object.mesh.clone());
        let mut scratch = Scratch::new();
        for trial in trials.iter().filter(|trial| trial.touches) {
            let scene = Scene::new(&body, &body, trial.pose);
            let found = scene.search(2_000);
            let pair = Pair::relative(&model, &model, &trial.pose).expect("in range");
            let touching = pair.contacts(&Settings::default(), &mut scratch).pairs.to_vec();
            for likely in found.collides.then_some(found.likely).into_iter().flatten() {
                let (a, b) = likely.nodes;
                let ([low, high], [least, most]) =
                    (body.node(a).region().bounds(), scene.moved(body.node(b).region()).bounds());
                let (low, high) = (low.max(least), high.min(most));
                regions += 1;
                let inside = touching.iter().filter(|pair| {
                    let corners = object.mesh.triangle(pair.a);
                    let least = corners.into_iter().fold(DVec3::INFINITY, DVec3::min);
                    let most = corners.into_iter().fold(DVec3::NEG_INFINITY, DVec3::max);
                    least.cmple(high).all() && most.cmpge(low).all()
                });
                let true_normal: DVec3 = inside
                    .clone()
                    .map(|pair| {
                        let [p, q, r] = object.mesh.triangle(pair.a);
                        (q - p).cross(r - p).normalize_or_zero()
                    })
                    .sum();
                near += u64::from(inside.clone().next().is_some());
                let (told, truth) = (normal(&body, a), true_normal.normalize_or_zero());
                if told != DVec3::ZERO && truth != DVec3::ZERO {
                    turned += told.dot(truth).abs().min(1.0).acos().to_degrees();
                    judged += 1;
                }
            }
        }
    }
    let (share, angle) = (near as f64 / regions.max(1) as f64, turned / judged.max(1) as f64);
    report.claim(Claim {
        place: "§5, contacts".into(),
        claim: "Likely pairs model contacts: most regions hold a true contact, with normals to 30° in the mean".into(),
        verdict: match (share > 0.5, angle <= 30.0) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::Fails,
            _ => Verdict::Differs,
        },
        evidence: format!(
            "{:.1} % of {regions} regions hold a contact; normals of a are off by {angle:.1}° in the mean",
            100.0 * share
        ),
        counts_work: true,
    });
}

/// The paper's tables for a mesh that changes: only nodes that changed triangles reach into are
/// counted again, on the same splits.
fn deforming(report: &mut Report, scale: Scale, size: usize) {
    let columns = ["model", "triangles moved", "nodes", "counted again", "share", "same table"];
    let mut table = Sheet::new("§5: the table of a deforming mesh, updated", &columns);
    let (mut same, mut shares) = (true, Vec::new());
    for &maker in &MODELS[..scale.pick(3, 6)] {
        let object = object(maker, size);
        let body = Body::new(&object.mesh, Split::LeastVolume, Knobs::TUNED);
        let moved = dented(&object.mesh);
        let changed: Vec<u32> =
            (0..object.size() as u32).filter(|&index| object.mesh.triangle(index) != moved.triangle(index)).collect();
        let (updated, counted) = update(&body, &moved, &changed);
        let fresh = Table::new(&moved, &updated.tree, Knobs::TUNED);
        let equal = fresh == updated.table;
        let share = counted as f64 / updated.tree.nodes.len() as f64;
        table.row([
            object.name.into(),
            Cell::Count(changed.len() as u64),
            Cell::Count(updated.tree.nodes.len() as u64),
            Cell::Count(counted),
            Cell::Number(share, 2),
            if equal { "yes".into() } else { "no".into() },
        ]);
        same &= equal;
        shares.push(share);
    }
    report.table(table);
    report.claim(Claim {
        place: "§5, deformable meshes".into(),
        claim: "A table can be updated: the same as made anew, with fewer nodes counted than half of all".into(),
        verdict: match (same, shares.iter().filter(|&&share| share < 0.5).count()) {
            (false, _) | (true, 0) => Verdict::Fails,
            (true, all) if all == shares.len() => Verdict::Holds,
            _ => Verdict::Differs,
        },
        evidence: format!("equal: {same}; share of nodes counted: {shares:.2?}"),
        counts_work: true,
    });
}

/// A dent at one end.
fn dented(mesh: &Mesh) -> Mesh {
    let top = mesh.vertices().iter().map(|vertex| vertex.x).fold(f64::NEG_INFINITY, f64::max);
    let corners: Vec<[f64; 3]> = mesh
        .vertices()
        .iter()
        .map(|vertex| {
            let depth = (vertex.x - (top - 0.2)).max(0.0);
            (*vertex - DVec3::X * 0.5 * depth).to_array()
        })
        .collect();
    Mesh::new(&corners, mesh.triangles()).expect("finite")
}

/// Boxes fitted again from below; counted again where boxes changed or changed triangles reach,
/// before or now.
pub(super) fn update(body: &Body, moved: &Mesh, changed: &[u32]) -> (Body, u64) {
    let mut updated = Body { mesh: moved.clone(), ..body.clone() };
    for node in (0..updated.tree.nodes.len()).rev() {
        let corners = || updated.tree.nodes[node].triangles.iter().flat_map(|&index| moved.triangle(index));
        let low = corners().fold(DVec3::INFINITY, DVec3::min);
        let high = corners().fold(DVec3::NEG_INFINITY, DVec3::max);
        (updated.tree.nodes[node].low, updated.tree.nodes[node].high) = (low, high);
    }
    let all: Vec<u32> = (0..moved.triangles().len() as u32).collect();
    let (mut counted, mut open) = (0, vec![(0_u32, all)]);
    let reaches = reaches(&updated.tree, Knobs::TUNED);
    while let Some((node, candidates)) = open.pop() {
        let (before, now) = (body.node(node).clone(), updated.tree.nodes[node as usize].clone());
        let same_box = before.low == now.low && before.high == now.high;
        let reached = |mesh: &Mesh, at| !reaching(mesh, at, Knobs::TUNED, changed).is_empty();
        let is_touched = !same_box || reached(&body.mesh, &before) || reached(moved, &now);
        if is_touched {
            updated.table.count(moved, &updated.tree, node, &candidates);
            counted += 1;
        }
        let below = now.children.iter();
        open.extend(below.map(|&child| (child, meeting(moved, reaches[child as usize], &candidates))));
    }
    (updated, counted)
}

/// Is a ray stopped? By the average case: a ray through n of a node's cells misses the possible
/// ones with the chance that n cells drawn from all are none of them.
fn rays(report: &mut Report, scale: Scale, size: usize) {
    let (mut asked, mut wrong, mut nodes, mut exact_nodes) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut rng = Rng::new(34);
    for &maker in &MODELS {
        let object = object(maker, size);
        let body = Body::new(
            &object.mesh,
            Split::LeastVolume,
            Knobs { enough: 0.3, crowding: 1.0, thick: false, ..Knobs::TUNED },
        );
        let (model, mut scratch) = (Model::new(object.mesh.clone()), Scratch::new());
        for _ in 0..scale.pick(60, 400) {
            let from = DVec3::from_array(rng.unit_vector()) * 3.0;
            let to = DVec3::from_array(rng.point(-0.8, 0.8));
            let Ok(ray) = Ray::new(from, to - from) else { continue };
            let truth = model.first_hit(&ray, &mut scratch).is_some();
            let (says, seen) = stopped(&body, from, to - from, 0.9);
            let (_, all) = stopped(&body, from, to - from, 2.0);
            asked += 1;
            wrong += u64::from(says != truth);
            nodes += seen;
            exact_nodes += all;
        }
    }
    let share = 100.0 * wrong as f64 / asked as f64;
    report.claim(Claim {
        place: "§5, rays".into(),
        claim: "An average-case approach can be applied to occlusion by rays: at most 10 % wrong with fewer nodes looked at".into(),
        verdict: match (share <= 10.0, nodes < exact_nodes) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::Fails,
            _ => Verdict::Differs,
        },
        evidence: format!("{share:.1} % of {asked} rays wrong; {nodes} nodes looked at, {exact_nodes} by every leaf's box"),
        counts_work: true,
    });
}

/// Where a ray is in a box, in parts of its direction.
fn crossing(low: DVec3, high: DVec3, from: DVec3, along: DVec3) -> Option<(f64, f64)> {
    let (one, other) = ((low - from) / along, (high - from) / along);
    let (enter, leave) = (one.min(other).max_element().max(0.0), one.max(other).min_element());
    (enter <= leave).then_some((enter, leave))
}

/// Does the ray end in the body, as far as can be told without a triangle? Likely nodes first; a
/// leaf's box stops it. With the nodes looked at.
fn stopped(body: &Body, from: DVec3, along: DVec3, p_min: f64) -> (bool, u64) {
    let (mut open, mut seen, mut none) = (vec![0_u32], 0, 1.0);
    while let Some(node) = open.pop() {
        seen += 1;
        let branch = body.node(node);
        let Some((enter, leave)) = crossing(branch.low, branch.high, from, along) else { continue };
        let extent = (branch.high - branch.low).max(DVec3::splat(1e-9));
        let through = ((along * (leave - enter) / extent).abs().element_sum() * 8.0).ceil().clamp(1.0, 24.0);
        let (possible, flat) = body.table.entries[node as usize];
        let share = f64::from(possible) / 512.0;
        let hit = (1.0 - (1.0 - share).powf(through)) * flat;
        if hit >= p_min {
            return (true, seen);
        }
        if branch.children.is_empty() {
            // Half of a leaf's box is its triangle, as seen along it.
            none *= 0.5;
            if none < 0.2 {
                return (true, seen);
            }
        }
        open.extend(&branch.children);
    }
    (none < 0.6, seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_updated_table_is_the_one_made_anew() {
        for &maker in &MODELS[..3] {
            let object = object(maker, 200);
            let body = Body::new(&object.mesh, Split::LeastVolume, Knobs::TUNED);
            let moved = dented(&object.mesh);
            let changed: Vec<u32> = (0..object.size() as u32)
                .filter(|&index| object.mesh.triangle(index) != moved.triangle(index))
                .collect();
            assert!(!changed.is_empty() && changed.len() < object.size());
            let (updated, counted) = update(&body, &moved, &changed);
            assert_eq!(updated.table, Table::new(&moved, &updated.tree, Knobs::TUNED), "{}", object.name);
            assert!(counted > 0 && counted < updated.tree.nodes.len() as u64);
        }
    }

    #[test]
    fn the_stroke_has_all_twelve_edges() {
        let edges: std::collections::BTreeSet<(usize, usize)> =
            STROKE.windows(2).map(|two| (two[0].min(two[1]), two[0].max(two[1]))).collect();
        assert_eq!(edges.len(), 12);
        assert!(edges.iter().all(|(p, q)| (p ^ q).count_ones() == 1));
    }
}
