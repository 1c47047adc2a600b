//! The paper's algorithm (Figures 3 and 5) once more, small enough to be changed: for what it
//! leaves open and the library has no choice for. Trees of axis-aligned boxes made here, any number
//! of cells, any chance of a hit. Without speed: compare its counts.

use glam::DVec3;
use nearhit::research::adb::clip::{SIDE, shares};
use nearhit::research::adb::overlap::{Overlap, shared};
use nearhit::research::adb::{FLATTEST, largest_section, thickened};
use nearhit::research::volume::aabb::Aabb;
use nearhit::research::volume::region::Region;
use nearhit::research::volume::{BoundingVolume, Placement};
use nearhit::{Mesh, Pose};
use std::collections::BinaryHeap;
use std::sync::LazyLock;

/// How a tree is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Split {
    /// Across the longest axis, at the mean of the middles.
    Longest,
    /// Along whichever axis, at whichever place the two boxes have the least volume in sum: what
    /// the construction of [31] goes by (the paper refers to it and says no more).
    LeastVolume,
    /// The same on restricted boxes: a child is its parent with one side moved in, or cut in two
    /// where that leaves less. A node stores one plane.
    Restricted,
}

/// A node.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) low: DVec3,
    pub(super) high: DVec3,
    /// None, one (of restricted boxes) or two.
    pub(super) children: Vec<u32>,
    /// Below it.
    pub(super) triangles: Vec<u32>,
    pub(super) depth: u32,
}

impl Branch {
    pub(super) fn region(&self) -> Region {
        thickened(Region::upright(self.low, self.high), FLATTEST)
    }
}

/// A tree of boxes, one triangle a leaf, the root first, children after their parents.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Branch>,
    pub(super) height: u32,
}

fn bounds(mesh: &Mesh, triangles: &[u32]) -> (DVec3, DVec3) {
    let corners = triangles.iter().flat_map(|&index| mesh.triangle(index));
    corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), corner| (low.min(corner), high.max(corner)))
}

fn volume((low, high): (DVec3, DVec3)) -> f64 {
    (high - low).element_product()
}

fn middle(mesh: &Mesh, index: u32) -> DVec3 {
    mesh.triangle(index).into_iter().sum::<DVec3>() / 3.0
}

impl Tree {
    pub(super) fn new(mesh: &Mesh, split: Split) -> Self {
        let triangles: Vec<u32> = (0..mesh.triangles().len() as u32).collect();
        let (low, high) = bounds(mesh, &triangles);
        let mut tree = Self { nodes: vec![Branch { low, high, children: Vec::new(), triangles, depth: 0 }], height: 0 };
        let mut next = 0;
        while next < tree.nodes.len() {
            tree.grow(mesh, split, next);
            next += 1;
        }
        tree
    }

    fn grow(&mut self, mesh: &Mesh, split: Split, node: usize) {
        let parent = self.nodes[node].clone();
        self.height = self.height.max(parent.depth);
        if parent.triangles.len() < 2 {
            return;
        }
        if split == Split::Restricted
            && let Some((low, high)) = tighter(&parent, bounds(mesh, &parent.triangles))
        {
            return self.add(node, vec![Branch { low, high, depth: parent.depth + 1, ..parent }]);
        }
        let (axis, parts) = match split {
            Split::Longest => longest(mesh, &parent),
            Split::LeastVolume | Split::Restricted => least_volume(mesh, &parent.triangles),
        };
        let child = |(half, triangles): (usize, Vec<u32>)| {
            let (mut low, mut high) = bounds(mesh, &triangles);
            if split == Split::Restricted {
                // The parent's sides but along the axis, and there, too, the one that stays.
                let (own_low, own_high) = (low, high);
                (low, high) = (parent.low, parent.high);
                if half == 0 { high[axis] = own_high[axis] } else { low[axis] = own_low[axis] }
            }
            Branch { low, high, children: Vec::new(), triangles, depth: parent.depth + 1 }
        };
        self.add(node, parts.into_iter().enumerate().map(child).collect());
    }

    fn add(&mut self, node: usize, children: Vec<Branch>) {
        let first = self.nodes.len() as u32;
        self.nodes[node].children = (first..first + children.len() as u32).collect();
        self.nodes.extend(children);
    }
}

/// A restricted box with one side moved in, if that cuts off a tenth or more.
fn tighter(parent: &Branch, (low, high): (DVec3, DVec3)) -> Option<(DVec3, DVec3)> {
    let whole = volume((parent.low, parent.high));
    let cuts = (0..3).flat_map(|axis| {
        let (mut cut_low, mut cut_high) = (parent.low, parent.high);
        cut_low[axis] = low[axis];
        cut_high[axis] = high[axis];
        [(cut_low, parent.high), (parent.low, cut_high)]
    });
    cuts.min_by(|p, q| volume(*p).total_cmp(&volume(*q))).filter(|&cut| volume(cut) < 0.9 * whole)
}

fn longest(mesh: &Mesh, parent: &Branch) -> (usize, [Vec<u32>; 2]) {
    let axis = (parent.high - parent.low).max_position();
    let at = |index: &u32| middle(mesh, *index)[axis];
    let mean = parent.triangles.iter().map(at).sum::<f64>() / parent.triangles.len() as f64;
    let (below, above): (Vec<u32>, Vec<u32>) = parent.triangles.iter().partition(|index| at(index) < mean);
    if below.is_empty() || above.is_empty() {
        let (first, second) = parent.triangles.split_at(parent.triangles.len() / 2);
        return (axis, [first.to_vec(), second.to_vec()]);
    }
    (axis, [below, above])
}

fn least_volume(mesh: &Mesh, triangles: &[u32]) -> (usize, [Vec<u32>; 2]) {
    let mut best = (f64::INFINITY, 0, 0, Vec::new());
    let whole = volume(bounds(mesh, triangles));
    for axis in 0..3 {
        let mut sorted = triangles.to_vec();
        sorted.sort_by(|&p, &q| middle(mesh, p)[axis].total_cmp(&middle(mesh, q)[axis]).then(p.cmp(&q)));
        let sweep = |indices: &mut dyn Iterator<Item = &u32>| -> Vec<f64> {
            let mut around = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            indices
                .map(|&index| {
                    let (low, high) = bounds(mesh, &[index]);
                    around = (around.0.min(low), around.1.max(high));
                    volume(around)
                })
                .collect()
        };
        let (up, down) = (sweep(&mut sorted.iter()), sweep(&mut sorted.iter().rev()));
        for count in 1..sorted.len() {
            let sum = up[count - 1] + down[sorted.len() - count - 1];
            // Flat sets have no volume anywhere: the middle of them is as good.
            let off = 1e-9 * whole * count.abs_diff(sorted.len() / 2) as f64;
            if sum + off < best.0 || best.3.is_empty() {
                best = (sum + off, axis, count, sorted.clone());
            }
        }
    }
    let (_, axis, count, sorted) = best;
    (axis, [sorted[..count].to_vec(), sorted[count..].to_vec()])
}

/// How cells are counted and used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Knobs {
    /// Cells along a side.
    pub(super) side: usize,
    /// Of MaxArea, in a possible cell.
    pub(super) enough: f64,
    pub(super) overlap: Overlap,
    pub(super) hit: Hit,
    pub(super) crowding: f64,
    /// Are regions thickened before they are divided?
    pub(super) thick: bool,
}

/// LB, the chance of a hit in a shared cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hit {
    /// The paper's: depths over heights.
    Depth,
    /// By curvature: the mean over both nodes of how much the normals in a possible cell agree (1:
    /// flat, 0: they cancel).
    Curvature,
}

impl Knobs {
    /// To the letter.
    pub(super) const PAPER: Self =
        Self { side: SIDE, enough: 1.0, overlap: Overlap::Paper, hit: Hit::Depth, crowding: 1.0, thick: false };
    /// With the table's and estimator's tuned numbers.
    pub(super) const TUNED: Self =
        Self { side: SIDE, enough: 0.01, overlap: Overlap::Shares, hit: Hit::Depth, crowding: 1.7, thick: true };
}

/// What is known about the nodes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    /// Possible cells, and how flat the surface in them is.
    pub(super) entries: Vec<(u32, f64)>,
    knobs: Knobs,
}

/// Area, and the sum of normals weighted by it.
type Held = (f64, DVec3);

impl Table {
    pub(super) fn new(mesh: &Mesh, tree: &Tree, knobs: Knobs) -> Self {
        let mut table = Self { entries: vec![(0, 0.0); tree.nodes.len()], knobs };
        let (reaches, all) = (reaches(tree, knobs), (0..mesh.triangles().len() as u32).collect());
        let mut open: Vec<(u32, Vec<u32>)> = vec![(0, all)];
        while let Some((node, candidates)) = open.pop() {
            table.count(mesh, tree, node, &candidates);
            let below = tree.nodes[node as usize].children.iter();
            open.extend(below.map(|&child| (child, meeting(mesh, reaches[child as usize], &candidates))));
        }
        table
    }

    /// Counts a node; `candidates` may reach into it (Definition 1).
    pub(super) fn count(&mut self, mesh: &Mesh, tree: &Tree, node: u32, candidates: &[u32]) {
        let region = divided(&tree.nodes[node as usize], self.knobs);
        let cells = held(mesh, &region, self.knobs.side, candidates);
        let unit = region.half_extents.max_element();
        let sides = region.half_extents / unit * (2.0 / self.knobs.side as f64);
        let least = (self.knobs.enough * largest_section(sides)).max(f64::MIN_POSITIVE);
        let possible: Vec<&Held> = cells.iter().filter(|(area, _)| *area >= least).collect();
        let flat: f64 = possible.iter().map(|(area, normals)| normals.length() / area).sum();
        self.entries[node as usize] = (possible.len() as u32, flat / possible.len().max(1) as f64);
    }
}

/// A hair, where boxes are flat.
fn divided(node: &Branch, knobs: Knobs) -> Region {
    thickened(Region::upright(node.low, node.high), if knobs.thick { FLATTEST } else { 1e-6 })
}

/// Boxes around what is divided of each node and of all below: thickened, children may reach beyond
/// their parents.
pub(super) fn reaches(tree: &Tree, knobs: Knobs) -> Vec<[DVec3; 2]> {
    let mut reaches: Vec<[DVec3; 2]> = tree.nodes.iter().map(|node| divided(node, knobs).bounds()).collect();
    for id in (0..tree.nodes.len()).rev() {
        for &child in &tree.nodes[id].children {
            let ([low, high], [least, most]) = (reaches[id], reaches[child as usize]);
            reaches[id] = [low.min(least), high.max(most)];
        }
    }
    reaches
}

/// Those whose boxes meet what is divided.
pub(super) fn reaching(mesh: &Mesh, node: &Branch, knobs: Knobs, candidates: &[u32]) -> Vec<u32> {
    meeting(mesh, divided(node, knobs).bounds(), candidates)
}

/// Those whose boxes meet a box.
pub(super) fn meeting(mesh: &Mesh, [low, high]: [DVec3; 2], candidates: &[u32]) -> Vec<u32> {
    let reaches = |index: &u32| {
        let (least, most) = bounds(mesh, &[*index]);
        least.cmple(high).all() && most.cmpge(low).all()
    };
    candidates.iter().copied().filter(reaches).collect()
}

/// What each of side³ cells holds, in blocks of the library's 8³.
fn held(mesh: &Mesh, region: &Region, side: usize, triangles: &[u32]) -> Vec<Held> {
    let mut cells = vec![(0.0, DVec3::ZERO); side.pow(3)];
    let unit = region.half_extents.max_element();
    if unit <= 0.0 {
        return cells;
    }
    let scale = DVec3::splat(side as f64 / 2.0) / (region.half_extents / unit);
    let blocks = side.div_ceil(SIDE);
    for &index in triangles {
        let local = mesh.triangle(index).map(|corner| (corner - region.center) / unit);
        let area = (local[1] - local[0]).cross(local[2] - local[0]) * 0.5;
        let grid = local.map(|corner| corner * scale + DVec3::splat(side as f64 / 2.0));
        for block in 0..blocks.pow(3) {
            let corner = [block % blocks, block / blocks % blocks, block / blocks / blocks].map(|at| at * SIDE);
            let moved = grid.map(|point| point - DVec3::from_array(corner.map(|at| at as f64)));
            shares(&moved, |cell, share| {
                let at = [cell % SIDE + corner[0], cell / SIDE % SIDE + corner[1], cell / SIDE / SIDE + corner[2]];
                if at.iter().all(|&along| along < side) {
                    let (held, normals) = &mut cells[at[0] + side * (at[1] + side * at[2])];
                    *held += share * area.length();
                    *normals += area * share;
                }
            });
        }
    }
    cells
}

/// Of 0 to 16³.
static LOG_FACTORIALS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let mut logs = vec![0.0];
    (1..=16 * 16 * 16).for_each(|n| logs.push(logs[n - 1] + (n as f64).ln()));
    logs
});

/// Equation (8) for any number of cells up to 16³.
pub(super) fn collision(cells: u32, of_a: u32, of_b: u32, hit: f64) -> f64 {
    let (u, v, w) = (f64::from(cells), f64::from(of_a), f64::from(of_b));
    // Exactly t shared, from the fewest there can be on.
    let fewest = (v + w - u).max(0.0);
    let log = |n: f64| LOG_FACTORIALS[n as usize];
    let log_choose = |n: f64, k: f64| log(n) - log(k) - log(n - k);
    let mut exactly = (log_choose(w, fewest) + log_choose(u - w, v - fewest) - log_choose(u, v)).exp();
    let (mut at_least, mut best, mut shared) = (1.0, 0.0_f64, fewest);
    for x in 1..=10 {
        while shared < f64::from(x) && shared <= v.min(w) {
            at_least -= exactly;
            exactly *= (w - shared) * (v - shared) / ((shared + 1.0) * (u - w - v + shared + 1.0));
            shared += 1.0;
        }
        if f64::from(x) > v.min(w) {
            break;
        }
        best = best.max(at_least.clamp(0.0, 1.0) * (1.0 - (1.0 - hit).powi(x)));
    }
    best
}

/// A body: a tree and its table.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) mesh: Mesh,
    pub(super) tree: Tree,
    pub(super) table: Table,
}

impl Body {
    pub(super) fn new(mesh: &Mesh, split: Split, knobs: Knobs) -> Self {
        let tree = Tree::new(mesh, split);
        Self { mesh: mesh.clone(), table: Table::new(mesh, &tree, knobs), tree }
    }

    pub(super) fn node(&self, node: u32) -> &Branch {
        &self.tree.nodes[node as usize]
    }
}

/// A pair of nodes and its estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Likely {
    pub(super) nodes: (u32, u32),
    pub(super) probability: f64,
}

/// What a search found.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    pub(super) collides: bool,
    pub(super) tests: u64,
    /// Did the search end by its budget?
    pub(super) given_up: bool,
    pub(super) likely: Vec<Likely>,
}

/// Two bodies, b's pose in a's frame.
pub(super) struct Scene<'b> {
    pub(super) a: &'b Body,
    pub(super) b: &'b Body,
    pub(super) pose: Pose,
    a_from_b: Placement,
}

impl<'b> Scene<'b> {
    pub(super) fn new(a: &'b Body, b: &'b Body, pose: Pose) -> Self {
        // Boxes of b are placed in a's frame.
        let reach = |body: &Body| body.node(0).low.abs().max(body.node(0).high.abs()).max_element();
        Self { a, b, pose, a_from_b: Placement::new(&pose.inverse(), reach(b), reach(a)) }
    }

    pub(super) fn moved(&self, region: Region) -> Region {
        Region { center: self.pose.apply(region.center), axes: self.pose.rotation() * region.axes, ..region }
    }

    fn meet(&self, (a, b): (u32, u32)) -> bool {
        let [of_a, of_b] = [self.a.node(a), self.b.node(b)].map(|node| Aabb::fit(&[[node.low, node.high, node.high]]));
        !of_a.disjoint(&of_b.place(&Aabb::motion(&self.a_from_b)))
    }

    /// `computeProb` (Figure 5); nodes of different size by equation (5).
    pub(super) fn estimate(&self, (a, b): (u32, u32)) -> f64 {
        let knobs = self.a.table.knobs;
        let (own, other) = (divided(self.a.node(a), knobs), self.moved(divided(self.b.node(b), knobs)));
        let part = shared(&own, &other, knobs.overlap);
        let ([possible_a, flat_a], [possible_b, flat_b]) = {
            let of = |body: &Body, node: u32| {
                let (possible, flat) = body.table.entries[node as usize];
                [f64::from(possible), flat]
            };
            (of(self.a, a), of(self.b, b))
        };
        let (side_a, side_b) = (own.side(), other.side());
        let all = knobs.side.pow(3) as f64;
        let cells = all * if side_a <= side_b { part.of_a } else { part.of_b };
        let finer = |own: f64, other: f64| if own > other { (own / other).powi(2) } else { 1.0 };
        let cells = (cells.round() as u32).clamp(1, all as u32);
        let whole = |count: f64| (count.round() as u32).min(cells);
        let of_a = whole(part.of_a * possible_a * finer(side_a, side_b) * knobs.crowding);
        let of_b = whole(part.of_b * possible_b * finer(side_b, side_a) * knobs.crowding);
        let hit = match knobs.hit {
            Hit::Depth => {
                let deepest = f64::from(self.a.tree.height + self.b.tree.height).max(1.0);
                f64::from(self.a.node(a).depth + self.b.node(b).depth) / deepest
            }
            Hit::Curvature => 0.5 * (flat_a + flat_b),
        };
        collision(cells, of_a, of_b, hit)
    }

    /// Without a hierarchy: all pairs of the boxes of one level (and of leaves above it), in order.
    pub(super) fn flat(&self, depth: u32) -> Found {
        let list = |body: &Body| -> Vec<u32> {
            let is_in = |node: &Branch| node.depth == depth || node.depth < depth && node.children.is_empty();
            (0..body.tree.nodes.len() as u32).filter(|&node| is_in(body.node(node))).collect()
        };
        let (of_a, of_b) = (list(self.a), list(self.b));
        let mut found = Found::default();
        for &a in &of_a {
            for &b in &of_b {
                found.tests += 1;
                let probability = if self.meet((a, b)) { self.estimate((a, b)) } else { 0.0 };
                if probability >= 0.99 {
                    found.likely.push(Likely { nodes: (a, b), probability });
                }
                if found.likely.len() >= 10 {
                    found.collides = true;
                    return found;
                }
            }
        }
        found
    }

    /// Figure 3, with p_min = 0.99 and k_min = 10; it stops after `budget` tests.
    pub(super) fn search(&self, budget: u64) -> Found {
        let mut found = Found { tests: 1, ..Found::default() };
        let mut open = BinaryHeap::new();
        if self.meet((0, 0)) {
            open.push((u64::MAX, (0, 0)));
        }
        while let Some((_, (a, b))) = open.pop() {
            let below = |node: u32, children: &[u32]| {
                if children.is_empty() { vec![node] } else { children.to_vec() }
            };
            let (of_a, of_b) = (below(a, &self.a.node(a).children), below(b, &self.b.node(b).children));
            if of_a == [a] && of_b == [b] {
                continue;
            }
            for &a in &of_a {
                for &b in &of_b {
                    found.tests += 1;
                    if !self.meet((a, b)) {
                        continue;
                    }
                    let probability = self.estimate((a, b));
                    if probability > 0.0 {
                        open.push((probability.to_bits(), (a, b)));
                    }
                    if probability >= 0.99 {
                        found.likely.push(Likely { nodes: (a, b), probability });
                    }
                    if found.likely.len() >= 10 {
                        found.collides = true;
                        return found;
                    }
                }
            }
            if found.tests >= budget {
                found.given_up = !open.is_empty();
                break;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::scene::{MODELS, object};
    use super::*;
    use nearhit::research::VolumeKind;
    use nearhit::research::adb::hypergeometric;
    use nearhit::research::adb::{Averages, Options};
    use nearhit_testkit::rng::Rng;

    #[test]
    fn equation_8_is_the_librarys() {
        let mut rng = Rng::new(8);
        for _ in 0..3_000 {
            let u = 1 + (rng.u64() % 512) as u32;
            let [v, w] = [(); 2].map(|()| (rng.u64() % u64::from(u + 1)) as u32);
            let hit = rng.f64();
            let (ours, library) = (collision(u, v, w, hit), hypergeometric::collision(u, v, w, hit));
            assert!((ours - library).abs() < 1e-9, "{u}, {v}, {w}, {hit}: {ours}, {library}");
        }
    }

    /// A search that its budget ends says so; the others end with an answer or an empty queue.
    #[test]
    fn what_is_given_up_is_told() {
        let object = object(MODELS[1], 300);
        let body = Body::new(&object.mesh, Split::LeastVolume, Knobs::PAPER);
        let scene = Scene::new(&body, &body, Pose::from_translation([0.7, 0.1, 0.2]).expect("finite"));
        let (short, whole) = (scene.search(4), scene.search(u64::MAX));
        assert!(short.given_up && !short.collides && !whole.given_up && whole.tests > 4, "{short:?} {whole:?}");
    }

    /// Of the root, which is the same box in every tree.
    #[test]
    fn cells_are_the_librarys() {
        for &maker in &MODELS[1..4] {
            let object = object(maker, 300);
            for (knobs, options) in [
                (Knobs::PAPER, Options::paper()),
                (Knobs::PAPER, Options::paper().enough(0.05)),
                (Knobs::TUNED, Options::default().least_triangles(1)),
            ] {
                let knobs = Knobs { enough: options.enough, ..knobs };
                let model = object.model(VolumeKind::Aabb);
                let (library, _) = Averages::new(&model, &options).cells(0);
                let body = Body::new(&object.mesh, Split::Longest, knobs);
                let ours = body.table.entries[0].0;
                assert!(ours.abs_diff(library) <= 2, "{}: {ours}, {library}", object.name);
            }
        }
    }

    /// Every triangle is in one leaf, inside all its boxes; restricted boxes share all sides but
    /// one with their parents.
    #[test]
    fn trees_hold_what_they_should() {
        let object = object(MODELS[3], 300);
        for split in [Split::Longest, Split::LeastVolume, Split::Restricted] {
            let tree = Tree::new(&object.mesh, split);
            let leaves: usize = tree.nodes.iter().filter(|node| node.children.is_empty()).count();
            assert_eq!(leaves, object.size());
            for node in &tree.nodes {
                let (low, high) = bounds(&object.mesh, &node.triangles);
                assert!(node.low.cmple(low).all() && node.high.cmpge(high).all(), "{split:?}");
                for child in node.children.iter().map(|&child| &tree.nodes[child as usize]) {
                    let moved = child.low.cmpne(node.low).bitmask().count_ones()
                        + child.high.cmpne(node.high).bitmask().count_ones();
                    assert!(split != Split::Restricted || moved <= 1, "{moved}");
                }
            }
        }
    }
}
