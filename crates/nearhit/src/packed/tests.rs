//! Every kernel on every path, against exact distances.

use super::boxes::Single;
use super::descend::key;
use super::facing::{Alone, Facing, Lie, Relations};
use super::kernels::{Kernels, Path, Sifters};
use super::lane_pairs::LanePairs;
use super::lanes::Portable;
use super::leaf_store::Leaves;
use super::node::{Content, Frame, Leaf, WideNode};
use super::quad::PortableQuad;
use super::relation::{Between, Relation, squared_limit};
use super::{Packed, Preset, node::Slot};
use crate::error::Violation;
use crate::mesh::{Mesh, Triangle};
use crate::pose::Pose;
use crate::volume::Placement;
use glam::DVec3;
use nearhit_testkit::exact;
use nearhit_testkit::rng::Rng;

struct Case {
    a: Mesh,
    b: Mesh,
    a_from_b: Pose,
}

impl Case {
    fn trees(&self) -> (Packed, Packed, Between) {
        let (a, b) = (
            Packed::build(&self.a, Preset::Balanced).expect("in range"),
            Packed::build(&self.b, Preset::Balanced).expect("in range"),
        );
        let slack = Placement::new(&self.a_from_b, self.a.max_coordinate(), self.b.max_coordinate()).slack();
        let between = Between::new(self.a_from_b.rotation(), self.a_from_b.apply(b.center) - a.center, slack);
        (a, b, between)
    }

    fn triangles(&self, a: u32, b: u32) -> ([[f64; 3]; 3], [[f64; 3]; 3]) {
        let flat = |triangle: Triangle| triangle.map(|corner| corner.to_array());
        (flat(self.a.triangle(a)), flat(self.b.triangle(b).map(|corner| self.a_from_b.apply(corner))))
    }
}

fn soup(rng: &mut Rng, count: usize, offset: f64, scale: f64) -> Mesh {
    let flat = if rng.chance(0.3) { 0.001 } else { 1.0 };
    let spread = rng.range(0.1, 1.6);
    let corner = |rng: &mut Rng, middle: [f64; 3]| {
        let [x, y, z] = rng.point(-spread, spread);
        let [x, y, z] = [middle[0] + x, middle[1] + y, middle[2] + z];
        [x * scale + offset, y * scale - offset, z * flat * scale + offset]
    };
    let mut vertices = Vec::new();
    for _ in 0..count {
        let middle = rng.point(-1.0, 1.0);
        vertices.extend((0..3).map(|_| corner(rng, middle)));
    }
    let triangles: Vec<[u32; 3]> = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(&vertices, &triangles).expect("legal")
}

fn case(rng: &mut Rng, most: usize) -> Case {
    let (offset, scale) = (*rng.choice(&[0.0, 0.0, 1e6, 1e-3]), *rng.choice(&[1.0, 1.0, 1e-4, 1e8]));
    case_at(rng, most, offset, scale)
}

fn case_at(rng: &mut Rng, most: usize, offset: f64, scale: f64) -> Case {
    let mut mesh = || {
        let count = 1 + rng.below(most);
        soup(rng, count, offset, scale)
    };
    let (a, b) = (mesh(), mesh());
    let apart = DVec3::from_array(rng.unit_vector()) * rng.range(0.0, 2.5) * scale;
    let rotation = rng.rotation();
    let middle = DVec3::new(offset, -offset, offset);
    let turned = Pose::from_rows(rotation, [0.0; 3]).expect("a rotation");
    let translation = middle + apart - turned.apply(middle);
    Case { a, b, a_from_b: Pose::from_rows(rotation, translation.to_array()).expect("a rotation") }
}

/// What each kernel says of two leaves, or of two nodes: bounds by pair of lanes, none where it
/// culls.
type Bounds = [[Option<f32>; 8]; 8];

fn bounds(run: impl FnOnce(&mut LanePairs)) -> Bounds {
    let mut found = LanePairs::default();
    run(&mut found);
    let mut bounds = Bounds::default();
    for kept in found.kept.iter() {
        bounds[kept.lane_a()][kept.lane_b()] = Some(kept.bound());
    }
    bounds
}

fn of_leaves(kernels: &Kernels, leaves: (&Leaf, &Leaf), between: &Between, limit: f32) -> Bounds {
    bounds(|found| (kernels.leaves)(leaves, between, limit, found))
}

/// The same of leaves whose frames were related together with others: for questions of contact.
fn of_related_leaves(path: &Path, leaves: (&Leaf, &Leaf), between: &Between) -> Bounds {
    related(path, (&leaves.0.frame, &leaves.1.frame), between, CONTACT).map_or(Bounds::default(), |relations| {
        bounds(|found| (path.together.related.leaves)(leaves, &relations, CONTACT, found))
    })
}

/// The relation of two frames in one of eight lanes, the others the other way round or far away;
/// none if the wholes are apart.
fn related(path: &Path, (a, b): (&Frame, &Frame), between: &Between, limit: f32) -> Option<Relations> {
    let mut relations = Relations::NONE;
    relations.next = a.half[0].to_bits() as usize % 8;
    let far = Frame { origin: a.origin.map(|x| x + 100.0 * a.half[0]), ..*a };
    let (mut frames_a, mut frames_b) = ([&far; 8], [b; 8]);
    (frames_a[(relations.next + 1) % 8], frames_b[(relations.next + 1) % 8]) = (b, a);
    frames_a[relations.next] = a;
    let meeting = (path.together.relate)(&(frames_a, frames_b), between, limit, &mut relations);
    (meeting & 1 << relations.next != 0).then_some(relations)
}

/// The three ways of opening, which must tell the same kind of truth.
fn of_nodes(kernels: &Kernels, nodes: (&WideNode, &WideNode), between: &Between, limit: f32) -> [Bounds; 3] {
    by_sifters(kernels, nodes, between, limit)
}

/// For questions of contact: with two frames related by themselves, and together with others.
fn contacts_of_nodes(path: &Path, nodes: (&WideNode, &WideNode), between: &Between) -> Vec<Bounds> {
    let mut all = of_nodes(path.kernels(true), nodes, between, CONTACT).to_vec();
    let relations = related(path, (&nodes.0.frame, &nodes.1.frame), between, CONTACT);
    all.extend(
        relations.map_or(<[Bounds; 3]>::default(), |relations| {
            by_sifters(&path.together.related, nodes, &relations, CONTACT)
        }),
    );
    all
}

fn by_sifters<R>(sifters: &Sifters<R>, nodes: (&WideNode, &WideNode), lie: &R, limit: f32) -> [Bounds; 3] {
    let both = bounds(|found| (sifters.both)(nodes, lie, limit, found));
    let (mut first, mut second) = (Bounds::default(), Bounds::default());
    for lane in 0..nodes.1.count as usize {
        let column = bounds(|found| (sifters.first)(nodes, lane, lie, limit, found));
        (0..8).for_each(|lane_a| first[lane_a][lane] = column[lane_a][lane]);
    }
    for lane in 0..nodes.0.count as usize {
        second[lane] = bounds(|found| (sifters.second)(nodes, lane, lie, limit, found))[lane];
    }
    [both, first, second]
}

/// The limit of questions of contact.
const CONTACT: f32 = f32::MIN_POSITIVE;

/// No kernel's bound is above the exact distance of two triangles, none culls what touches, and
/// they are tight enough to be of use.
#[test]
fn triangles_in_lanes_are_never_bounded_above_the_truth() {
    let mut rng = Rng::new(11);
    let (mut all, mut touching, mut apart, mut near_truth) = (0, 0, 0, 0);
    for _ in 0..400 {
        let case = case(&mut rng, 8);
        let (a, b, between) = case.trees();
        for (leaf_a, leaf_b) in a.leaves.all().iter().flat_map(|x| b.leaves.all().iter().map(move |y| (x, y))) {
            let told: Vec<_> = Path::all()
                .iter()
                .flat_map(|path| {
                    let (pair, contact, distance) = ((leaf_a, leaf_b), path.kernels(true), path.kernels(false));
                    let alone =
                        (of_leaves(distance, pair, &between, f32::MAX), of_leaves(contact, pair, &between, CONTACT));
                    let together = of_related_leaves(path, pair, &between);
                    [(path.name, alone.0, alone.1), (path.name, alone.0, together)]
                })
                .collect();
            for lane_a in 0..leaf_a.count as usize {
                for lane_b in 0..leaf_b.count as usize {
                    let (first, second) = case.triangles(leaf_a.triangles[lane_a], leaf_b.triangles[lane_b]);
                    let truth = exact::squared_distance(&first, &second);
                    for (path, distances, contacts) in &told {
                        let bound = distances[lane_a][lane_b].map_or(f64::INFINITY, key);
                        assert!(exact::square_of(bound) <= truth, "{path}: {bound} for {first:?} {second:?}");
                        let culled = contacts[lane_a][lane_b].is_none();
                        assert!(!culled || !truth.is_zero(), "{path} culls {first:?} {second:?}");
                        near_truth += usize::from(exact::square_of(bound * 1.02) >= truth && !truth.is_zero());
                        apart += usize::from(culled);
                    }
                    touching += usize::from(truth.is_zero());
                    all += 1;
                }
            }
        }
    }
    let paths = 2 * Path::all().len();
    assert!(touching * 100 > all, "{touching} of {all} touch");
    assert!(apart * 2 > all * paths, "{apart} of {all} are seen to be apart");
    assert!(near_truth * 2 > all * paths, "{near_truth} of {all} bounds are within 2 % of the distance");
}

/// Where squares of lengths, and then lengths, are denormal in single precision: bounds may be of
/// no use there, but true they are.
#[test]
fn tiny_triangles_are_never_bounded_above_the_truth() {
    let mut rng = Rng::new(15);
    let (mut touching, mut apart, mut bounded) = (0, 0, 0);
    for round in 0..1200 {
        let scale = 10f64.powf(rng.range(-26.0, -17.0)) * if round % 6 == 0 { 1e-20 } else { 1.0 };
        let case = case_at(&mut rng, 3, 0.0, scale);
        let (a, b, between) = case.trees();
        let truth = |triangles: (u32, u32)| {
            let (first, second) = case.triangles(triangles.0, triangles.1);
            exact::squared_distance(&first, &second)
        };
        for path in Path::all() {
            let nodes = (&a.nodes[0], &b.nodes[0]);
            let all = (0..case.a.triangles().len() as u32)
                .flat_map(|x| (0..case.b.triangles().len() as u32).map(move |y| (x, y)));
            let least = all.map(truth).min().expect("triangles");
            for bounds in of_nodes(path.kernels(false), nodes, &between, f32::MAX) {
                let bound = bounds[0][0].map_or(f64::INFINITY, key);
                assert!(exact::square_of(bound) <= least, "{}: {bound} at {scale}", path.name);
                bounded += usize::from(bound > 0.0);
            }
            let contacts = contacts_of_nodes(&path, nodes, &between);
            assert!(!least.is_zero() || contacts.iter().all(|bounds| bounds[0][0].is_some()), "{} {scale}", path.name);
            *(if least.is_zero() { &mut touching } else { &mut apart }) += 1;
            for (leaf_a, leaf_b) in a.leaves.all().iter().flat_map(|x| b.leaves.all().iter().map(move |y| (x, y))) {
                let distances = of_leaves(path.kernels(false), (leaf_a, leaf_b), &between, f32::MAX);
                for (lane_a, lane_b) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
                    if let Some(bound) = distances[lane_a][lane_b] {
                        let truth = truth((leaf_a.triangles[lane_a], leaf_b.triangles[lane_b]));
                        assert!(exact::square_of(key(bound)) <= truth, "{}: {bound} at {scale}", path.name);
                    }
                }
            }
        }
    }
    assert!(touching > 100 && apart > 1000 && bounded > 1000, "{touching} touch, {apart} do not, {bounded} bounds");
}

/// Whatever became of a bound, it is no reason to leave anything out.
#[test]
fn what_is_not_a_number_is_kept() {
    let (mut rng, mut kept) = (Rng::new(16), 0);
    for round in 0..200 {
        let case = case(&mut rng, 6);
        let (mut a, b, between) = case.trees();
        let node = &mut a.nodes[0];
        match round % 3 {
            0 => node.frame.axes = [[f32::NAN; 3]; 3],
            1 => node.frame.origin = [f32::NAN; 3],
            _ => (0..3).for_each(|axis| node.half[axis].0 = [f32::NAN; 8]),
        }
        for path in Path::all() {
            let nodes = (&a.nodes[0], &b.nodes[0]);
            let distances = of_nodes(path.kernels(false), nodes, &between, CONTACT);
            for bounds in contacts_of_nodes(&path, nodes, &between).iter().chain(&distances) {
                assert!(bounds[0][0].is_some() || round % 3 == 2, "{}: round {round}", path.name);
                kept += usize::from(bounds[0][0].is_some());
            }
        }
    }
    assert!(kept > 800, "{kept}");
}

/// A box that is too small along one axis only would cull what touches.
#[test]
fn boxes_are_checked_along_every_axis() {
    let mut rng = Rng::new(17);
    for _ in 0..10 {
        let case = case(&mut rng, 200);
        let tree = Packed::build(&case.a, Preset::Balanced).expect("in range");
        let node = rng.below(tree.nodes.len());
        for (axis, lane) in (0..3).flat_map(|axis| (0..tree.nodes[node].count as usize).map(move |lane| (axis, lane))) {
            let mut damaged = tree.clone();
            let half = &mut damaged.nodes[node].half[axis].0[lane];
            if *half > 0.0 {
                *half *= 0.99;
                let found = damaged.check(&case.a);
                assert!(matches!(found, Err(Violation::Outside { .. })), "{found:?}: axis {axis}, lane {lane}");
            }
        }
    }
}

/// A tree with axes that are no frame is found out, wherever it comes from.
#[test]
fn frames_are_checked() {
    let case = case(&mut Rng::new(17), 40);
    for wrong in [f32::NAN, 1.5, f32::INFINITY] {
        let (mut tree, _, _) = case.trees();
        assert_eq!(tree.check(&case.a), Ok(()));
        tree.nodes[0].frame.axes[1][2] = wrong;
        assert_eq!(tree.check(&case.a), Err(Violation::Frame { node: 0 }));
        let (mut tree, _, _) = case.trees();
        if let Leaves::Whole(leaves) = &mut tree.leaves {
            leaves[0].frame.axes[0] = [wrong; 3];
        }
        assert_eq!(tree.check(&case.a), Err(Violation::Frame { node: 0 }));
    }
}

fn below(tree: &Packed, slot: Slot) -> Vec<u32> {
    match tree.nodes[slot.node()].content(slot.lane()) {
        Content::Leaf(leaf) => {
            let leaf = &tree.leaves.all()[leaf as usize];
            leaf.triangles[..leaf.count as usize].to_vec()
        }
        Content::Node(node) => {
            let lanes = 0..tree.nodes[node as usize].count as usize;
            lanes.flat_map(|lane| below(tree, Slot::new(node, lane))).collect()
        }
    }
}

/// The same of boxes: the bound of two slots is never above the distance of any triangles in them.
#[test]
fn boxes_in_lanes_are_never_bounded_above_the_truth() {
    let mut rng = Rng::new(12);
    let (mut all, mut touching, mut apart, mut wholes_apart) = (0, 0, 0, 0);
    for _ in 0..60 {
        let case = case(&mut rng, 40);
        let (a, b, between) = case.trees();
        let nodes = |tree: &Packed| (0..tree.nodes.len() as u32).take(2).collect::<Vec<_>>();
        for (node_a, node_b) in nodes(&a).into_iter().flat_map(|x| nodes(&b).into_iter().map(move |y| (x, y))) {
            let pair = (&a.nodes[node_a as usize], &b.nodes[node_b as usize]);
            let told: Vec<_> = Path::all()
                .iter()
                .flat_map(|path| {
                    let distances = of_nodes(path.kernels(false), pair, &between, f32::MAX);
                    let contacts = contacts_of_nodes(path, pair, &between);
                    distances.into_iter().cycle().zip(contacts).map(|told| (path.name, told)).collect::<Vec<_>>()
                })
                .collect();
            let whole = Alone::<PortableQuad>::new(&pair.0.frame, &pair.1.frame, &between)
                .whole::<false>(&pair.0.frame, &pair.1.frame);
            wholes_apart += usize::from(whole > 0.0);
            for lane_a in 0..pair.0.count as usize {
                for lane_b in 0..pair.1.count as usize {
                    let (in_a, in_b) = (below(&a, Slot::new(node_a, lane_a)), below(&b, Slot::new(node_b, lane_b)));
                    let pairs = in_a.iter().flat_map(|&x| in_b.iter().map(move |&y| (x, y)));
                    let truth = pairs
                        .map(|(x, y)| {
                            let (first, second) = case.triangles(x, y);
                            exact::squared_distance(&first, &second)
                        })
                        .min()
                        .expect("no slot is empty");
                    assert!(exact::square_of(key(whole)) <= truth, "whole: {whole}");
                    for (path, (distances, contacts)) in &told {
                        let bound = distances[lane_a][lane_b].map_or(f64::INFINITY, key);
                        assert!(exact::square_of(bound) <= truth, "{path}: {bound}");
                        assert!(contacts[lane_a][lane_b].is_some() || !truth.is_zero(), "{path} culls");
                    }
                    // A search that has found something a little farther may not leave it out.
                    let farther = squared_limit(1.01 * truth.to_f64().value().sqrt());
                    for path in Path::all() {
                        let left = of_nodes(path.kernels(false), pair, &between, farther);
                        assert!(left.iter().all(|left| left[lane_a][lane_b].is_some()), "{} culls", path.name);
                    }
                    touching += usize::from(truth.is_zero());
                    apart += usize::from(told[0].1.1[lane_a][lane_b].is_none());
                    all += 1;
                }
            }
        }
    }
    assert!(touching * 20 > all && apart * 4 > all, "{touching} touch and {apart} are apart of {all}");
    assert!(wholes_apart > 10, "{wholes_apart} pairs of wholes are seen to be apart");
}

/// Triangles that share one rounded corner and lie on opposite sides of it: only the slack keeps
/// them together.
#[test]
fn what_kisses_is_never_culled() {
    let mut rng = Rng::new(13);
    for index in 0..3000 {
        let mut case = case(&mut rng, 8);
        let posed = case.b.triangle(0).map(|corner| case.a_from_b.apply(corner));
        let mirrored = [posed[0], posed[0] * 2.0 - posed[1], posed[0] * 2.0 - posed[2]].map(|corner| corner.to_array());
        case.a = Mesh::new(&mirrored, &[[0, 1, 2]]).expect("legal");
        let corners = case.b.triangle(0).map(|corner| corner.to_array());
        case.b = Mesh::new(&corners, &[[0, 1, 2]]).expect("legal");
        let (a, b, between) = case.trees();
        for (one, other) in
            [(&a.leaves.all()[0].frame, &b.leaves.all()[0].frame), (&a.nodes[0].frame, &b.nodes[0].frame)]
        {
            let relation = Alone::<PortableQuad>::new(one, other, &between);
            assert_eq!(relation.whole::<false>(one, other), 0.0, "kiss {index}");
            assert!(relation.whole::<true>(one, other) < CONTACT, "kiss {index}");
        }
        for path in Path::all() {
            let kernels = (path.kernels(true), path.kernels(false));
            let leaves = (&a.leaves.all()[0], &b.leaves.all()[0]);
            let nodes = (&a.nodes[0], &b.nodes[0]);
            let mut contacts = contacts_of_nodes(&path, nodes, &between);
            contacts.push(of_leaves(kernels.0, leaves, &between, CONTACT));
            contacts.push(of_related_leaves(&path, leaves, &between));
            let mut distances = of_nodes(kernels.1, nodes, &between, f32::MAX).to_vec();
            distances.push(of_leaves(kernels.1, leaves, &between, f32::MAX));
            for contact in &contacts {
                assert!(contact[0][0].is_some(), "{}: kiss {index} is culled", path.name);
            }
            for distance in &distances {
                assert_eq!(distance[0][0], Some(0.0), "{}: kiss {index}", path.name);
            }
        }
    }
}

/// Paths differ by rounding only. A direction found from a short distance is itself uncertain by as
/// much as rounding is large beside that distance, so bounds may differ by more than the slack
/// where they are small, and are true all the same.
#[test]
fn paths_agree_to_the_slack() {
    let mut rng = Rng::new(14);
    let mut compared = 0;
    for _ in 0..300 {
        let case = case(&mut rng, 8);
        let (a, b, between) = case.trees();
        let leaves = (&a.leaves.all()[0], &b.leaves.all()[0]);
        let relation = Relation::<PortableQuad>::new(&leaves.0.frame, &leaves.1.frame, &between);
        let paths = Path::all();
        let first = of_leaves(paths[0].kernels(false), leaves, &between, f32::MAX);
        for path in &paths[1..] {
            let second = of_leaves(path.kernels(false), leaves, &between, f32::MAX);
            for (one, other) in first.iter().flatten().zip(second.iter().flatten()) {
                let (one, other) = (one.map_or(0.0, f32::sqrt), other.map_or(0.0, f32::sqrt));
                let allowed = relation.slack * (1.0 + relation.size / one.max(relation.slack));
                assert!((one - other).abs() <= allowed, "{}: {one} and {other}, slack {}", path.name, relation.slack);
                compared += usize::from(one > 0.0);
            }
        }
    }
    assert!(Path::all().len() == 1 || compared > 1000, "{compared}");
}

/// To rounding: two frames whose axes have nothing in common, and the boxes around everything.
#[test]
fn what_is_related_together_is_what_is_related_alone() {
    let mut rng = Rng::new(17);
    for round in 0..300 {
        let case = case(&mut rng, 8);
        let (a, b, between) = case.trees();
        let (a, b) = (&a.nodes[0].frame, &b.nodes[0].frame);
        let alone = Alone::<PortableQuad>::new(a, b, &between);
        let slack = Facing::<Portable>::slack(&alone);
        for path in Path::all() {
            let relations = related(&path, (a, b), &between, f32::MAX).expect("nothing is beyond the limit");
            let together = Lie::facing::<Portable>(&relations, a, b);
            let both = |side: fn(&dyn Around) -> Single| (side(&alone), side(&together));
            for (one, other) in [both(|it| it.a()), both(|it| it.b())] {
                for axis in 0..3 {
                    let (centers, halves) = (one.center[axis] - other.center[axis], one.half[axis] - other.half[axis]);
                    assert!(
                        centers.abs() <= slack && halves.abs() <= slack,
                        "{}: {round}: {one:?} {other:?}",
                        path.name
                    );
                }
            }
        }
    }
}

/// The boxes of a facing.
trait Around {
    fn a(&self) -> Single;
    fn b(&self) -> Single;
}

impl<F: Facing<Portable>> Around for F {
    fn a(&self) -> Single {
        self.around_a()
    }
    fn b(&self) -> Single {
        self.around_b()
    }
}
