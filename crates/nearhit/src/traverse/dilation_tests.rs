//! A distance query is a collision query (§5.2 of the swept-sphere paper).
//!
//! The ideal distance query, which knows the distance δ from the start, and the collision query of
//! the same trees with all volumes dilated by α and β, α + β = δ, compare the same pairs of
//! volumes. Neither stops at the first contact here. One asks `lower_bound`, the other `disjoint`:
//! two computations, so pairs may fall on either side where the distance of the volumes is δ to
//! rounding. Those are listed.
//!
//! The cases have no nodes of a and b of equal size: there rounding decides which is the larger,
//! and dilation may turn it.

use super::{Budget, DepthFirst, Memo, NodePair, Opening, Question, Record, Trees, traverse};
use crate::build::{self, BuildOptions};
use crate::hierarchy::{Content, Hierarchy, Node};
use crate::mesh::{Mesh, Triangle};
use crate::model::Model;
use crate::pose::Pose;
use crate::query::{Pair, Scratch, Settings, Tolerance, TrianglePair};
use crate::volume::sphere::Sphere;
use crate::volume::swept::{LineSwept, RectSwept};
use crate::volume::{BoundingVolume, Placement};
use nearhit_testkit::Soup;
use nearhit_testkit::cases::{self, Case};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Grown on all sides: for swept spheres that adds to the radius.
trait Dilate: BoundingVolume {
    fn dilated(&self, by: f64) -> Self;
}

impl Dilate for Sphere {
    fn dilated(&self, by: f64) -> Self {
        Self::new(self.center(), self.radius() + by)
    }
}

impl Dilate for LineSwept {
    fn dilated(&self, by: f64) -> Self {
        self.with_radius(self.radius() + by)
    }
}

impl Dilate for RectSwept {
    fn dilated(&self, by: f64) -> Self {
        self.with_radius(self.radius() + by)
    }
}

/// Opens what is no farther than the distance; finds nothing.
struct Ideal {
    distance: f64,
    compared: BTreeSet<NodePair>,
}

impl Question for Ideal {
    fn only_contact(&self) -> bool {
        false
    }

    fn threshold(&self) -> f64 {
        self.distance.next_up()
    }

    fn compared(&mut self, pair: NodePair) {
        self.compared.insert(pair);
    }

    fn look(&mut self, _: TrianglePair, _: &Triangle, _: &Triangle) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Opens what overlaps; finds nothing.
#[derive(Default)]
struct Overlapping {
    compared: BTreeSet<NodePair>,
}

impl Question for Overlapping {
    fn only_contact(&self) -> bool {
        true
    }

    fn threshold(&self) -> f64 {
        f64::MIN_POSITIVE
    }

    fn compared(&mut self, pair: NodePair) {
        self.compared.insert(pair);
    }

    fn look(&mut self, _: TrianglePair, _: &Triangle, _: &Triangle) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(&soup.vertices, &soup.triangles).expect("generated meshes are legal")
}

fn dilated<V: Dilate>(tree: &Hierarchy<V>, by: f64) -> Hierarchy<V> {
    let node = |node: &Node<V>| match node.content() {
        Content::Children(run) => Node::inner(node.volume.dilated(by), run),
        Content::Triangles(run) => Node::leaf(node.volume.dilated(by), run),
    };
    Hierarchy::from_parts(tree.nodes().iter().map(node).collect(), tree.order().to_vec())
}

/// For each node its parent; the root is its own.
fn parents<V: BoundingVolume>(tree: &Hierarchy<V>) -> Vec<u32> {
    let mut parents = vec![0; tree.nodes().len()];
    for (id, node) in (0..).zip(tree.nodes()) {
        if let Content::Children(children) = node.content() {
            children.for_each(|child| parents[child as usize] = id);
        }
    }
    parents
}

/// Is it the node `above`, or below it?
fn is_below(parents: &[u32], node: u32, above: u32) -> bool {
    std::iter::successors(Some(node), |&id| (id != 0).then(|| parents[id as usize])).any(|id| id == above)
}

/// Two trees and how they lie.
struct Setting<'p, V> {
    a: Hierarchy<V>,
    b: Hierarchy<V>,
    pair: &'p Pair<'p>,
    placement: Placement,
}

impl<V: Dilate> Setting<'_, V> {
    fn ask(&self, trees: (&Hierarchy<V>, &Hierarchy<V>), opening: Opening, question: &mut impl Question) {
        let motion = V::motion(&self.placement);
        let mut memo = Memo::default();
        memo.start(trees.0.nodes().len());
        let trees = Trees {
            a: trees.0,
            b: trees.1,
            motion: &motion,
            opening,
            memo: &mut memo,
            climbs: None,
            meshes: &self.pair.meshes,
        };
        traverse(trees, question, &mut DepthFirst::default(), &Budget::UNLIMITED, &mut Record::new(None));
    }

    /// How many pairs both compare, and the pairs that the two decide differently.
    fn compare(&self, distance: f64, share_of_a: f64, opening: Opening) -> (usize, Vec<NodePair>) {
        let mut ideal = Ideal { distance, compared: BTreeSet::new() };
        self.ask((&self.a, &self.b), opening, &mut ideal);
        let mut overlapping = Overlapping::default();
        let (a, b) = (dilated(&self.a, share_of_a * distance), dilated(&self.b, (1.0 - share_of_a) * distance));
        self.ask((&a, &b), opening, &mut overlapping);
        let both: BTreeSet<NodePair> = ideal.compared.intersection(&overlapping.compared).copied().collect();
        let motion = V::motion(&self.placement);
        let differs = |pair: &NodePair| {
            let far = self.b.node(pair.b).volume.lower_bound(&self.a.place(pair.a, &motion)) > distance;
            far != b.node(pair.b).volume.disjoint(&a.place(pair.a, &motion))
        };
        let decided_differently: Vec<NodePair> = both.iter().copied().filter(differs).collect();
        let (parents_a, parents_b) = (parents(&self.a), parents(&self.b));
        for pair in ideal.compared.symmetric_difference(&overlapping.compared) {
            let descends = |from: &NodePair| {
                is_below(&parents_a, pair.a, from.a) && is_below(&parents_b, pair.b, from.b) && pair != from
            };
            assert!(decided_differently.iter().any(descends), "{pair:?} was compared by one of them alone");
        }
        for &pair in &decided_differently {
            let bound = self.b.node(pair.b).volume.lower_bound(&self.a.place(pair.a, &motion));
            let off = (bound - distance).abs();
            assert!(off <= 8.0 * self.placement.slack(), "{pair:?}: {bound} against {distance}");
        }
        (both.len(), decided_differently)
    }
}

fn identity_holds_for<V: Dilate>(case: &Case) -> (usize, usize) {
    let (mesh_a, mesh_b) = (mesh(&case.a), mesh(&case.b));
    let options = BuildOptions::default();
    let (a, b) = (Model::new(mesh_a.clone()), Model::new(mesh_b.clone()));
    let (mut compared, mut differing) = (0, 0);
    for pose in &case.poses {
        let (rotation, translation) = pose.a_from_b();
        let a_from_b = Pose::from_rows(rotation, translation).expect("generated poses are rigid");
        let pair = Pair::relative(&a, &b, &a_from_b).expect("in range");
        let answer = pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new());
        if answer.upper == 0.0 {
            continue;
        }
        let placement = Placement::new(&a_from_b, mesh_a.max_coordinate(), mesh_b.max_coordinate());
        let setting = Setting::<V> {
            a: build::build(&mesh_a, &options),
            b: build::build(&mesh_b, &options),
            pair: &pair,
            placement,
        };
        // Dilated alike, the larger of two nodes stays the larger; dilated otherwise, the opening
        // must not depend on size.
        for (share_of_a, opening) in
            [(0.5, Opening::Larger), (1.0, Opening::EnvironmentFirst), (0.25, Opening::EnvironmentFirst)]
        {
            let (both, different) = setting.compare(answer.upper, share_of_a, opening);
            compared += both;
            differing += different.len();
            for pair in different {
                println!("{}, {}: {pair:?} is {} to rounding", case.name, V::NAME, answer.upper);
            }
        }
    }
    (compared, differing)
}

fn identity_holds_everywhere<V: Dilate>() {
    let all = [cases::tori(16, 12, 3), cases::nested(320, 0.1, 4, 4), cases::swept(60, 6, 8)];
    let (mut compared, mut differing) = (0, 0);
    for case in &all {
        let (here, different) = identity_holds_for::<V>(case);
        compared += here;
        differing += different;
    }
    println!("{}: {compared} pairs compared, {differing} decided differently", V::NAME);
    assert!(compared > 10_000, "{}: {compared}", V::NAME);
    assert!(differing * 1000 <= compared, "{}: {differing} of {compared}", V::NAME);
}

#[test]
fn spheres() {
    identity_holds_everywhere::<Sphere>();
}

#[test]
fn lines() {
    identity_holds_everywhere::<LineSwept>();
}

#[test]
fn rectangles() {
    identity_holds_everywhere::<RectSwept>();
}
