//! Construction of the wide BVH: binned top-down splits by a cost like the surface area heuristic
//! (SAH), collapse to eight children, orient, fit.
//!
//! The SAH weighs a box by its surface, as likely as a line meets it. Here a box costs the square
//! of the sum of its extents ([`box_cost`]): queries are about two boxes that come near each other,
//! and long thin ones do from farther than their surface says.

use super::Packed;
use super::lanes::WIDTH;
use super::leaf_store::Leaves;
use super::node::{Content, Frame, Leaf, WideNode};
use super::preset::{BuildEffort, MAX_SWEPT, Preset};
use crate::mesh::Mesh;
use crate::parallel::*;
use crate::vector::length;
use crate::volume::frame::Moments;
use arrayvec::ArrayVec;
use glam::{DMat3, DVec3, Vec3};
use std::ops::Range;

/// Bins along an axis when looking for the best split.
const BINS: usize = 16;
/// Smaller meshes are built in one thread: to wake the others takes longer.
const ONE_THREAD: usize = 5_000;
/// Smaller sets are not worth a task.
const TASK: usize = 1024;
/// So many nodes or leaves, too.
pub(super) const SHARE: usize = 64;
/// Deeper sets are halved by count, so that no distribution makes a deep tree.
const DEEP: u32 = 100;

/// No tree is deeper: from there on sets are halved until one triangle is left, of which there are
/// less than 2^32. A file that says otherwise would make checking enclosure, the triangles times
/// the height, slow.
pub(super) const MAX_HEIGHT: usize = DEEP as usize + 32;

/// A triangle's box and middle about the model's centre, in single precision: good enough to choose
/// splits by.
#[derive(Debug, Clone, Copy)]
struct Item {
    low: Vec3,
    high: Vec3,
    triangle: u32,
}

impl Item {
    /// Twice the middle.
    #[inline]
    fn middle(&self) -> Vec3 {
        self.low + self.high
    }
}

/// A decided split of a run of items. Without halves it is a leaf.
#[derive(Debug)]
struct Branch {
    run: Range<u32>,
    /// The least total cost of nodes when the branch takes at most 1, 2, … 8 slots of the node
    /// above it.
    costs: [f32; WIDTH],
    halves: Option<Box<[Branch; 2]>>,
}

impl Branch {
    fn leaf(run: Range<u32>, cost: f32) -> Self {
        Self { run, costs: [cost; WIDTH], halves: None }
    }

    /// As one slot it is a node of its own, whose eight slots its halves share; otherwise they
    /// share the slots given (a dynamic program over the tree, after Ylitie, Karras and Laine,
    /// 2017).
    fn inner(run: Range<u32>, cost: f32, halves: [Branch; 2]) -> Self {
        let mut costs = [0.0; WIDTH];
        costs[0] = cost + Self::shared(&halves, WIDTH).0;
        for slots in 2..=WIDTH {
            costs[slots - 1] = Self::shared(&halves, slots).0.min(costs[slots - 2]);
        }
        Self { run, costs, halves: Some(Box::new(halves)) }
    }

    /// The least cost of two halves in `slots` slots, and how many of them the first takes.
    fn shared([left, right]: &[Branch; 2], slots: usize) -> (f32, usize) {
        let splits = (1..slots).map(|first| (left.costs[first - 1] + right.costs[slots - first - 1], first));
        splits.fold((f32::INFINITY, 1), |best, split| if split.0 < best.0 { split } else { best })
    }

    /// Takes the branch apart into at most `slots` slots, at the least cost.
    fn into_slots(self, slots: usize, found: &mut Vec<Branch>) {
        match self.halves {
            Some(halves) if slots > 1 && Self::shared(&halves, slots).0 <= self.costs[0] => {
                let (_, first) = Self::shared(&halves, slots);
                let [left, right] = *halves;
                left.into_slots(first, found);
                right.into_slots(slots - first, found);
            }
            halves => found.push(Self { halves, ..self }),
        }
    }

    /// The slots of this branch's own node.
    fn into_node(self) -> Vec<Branch> {
        let mut found = Vec::with_capacity(WIDTH);
        match self.halves {
            Some(halves) => {
                let (_, first) = Self::shared(&halves, WIDTH);
                let [left, right] = *halves;
                left.into_slots(first, &mut found);
                right.into_slots(WIDTH - first, &mut found);
            }
            None => found.push(self),
        }
        found
    }
}

pub(super) fn build(mesh: &Mesh, preset: Preset) -> Packed {
    let (center, threads) = (middle_of(mesh.vertices()), Threads::for_mesh(mesh));
    let mut items = threads.all(mesh.triangles().len(), TASK, |triangle| item(mesh, center, triangle as u32));
    let root = split(&mut items, 0, 0, &preset.effort(), threads);
    let layout = lay_out(root);
    let order = items.iter().map(|item| item.triangle).collect();
    let source = Source::new(mesh, center, order, &layout, threads);
    let nodes = threads.all(layout.groups.len(), SHARE, |index| source.node(&layout, index));
    let leaves = threads.all(layout.leaves.len(), SHARE, |index| source.leaf(&layout, index));
    let radius = radius_about(center, mesh.vertices());
    let packed = Packed { nodes, leaves: Leaves::Whole(leaves), center, radius, twins: Vec::new() };
    let packed = packed.with_slabs(threads).with_twins(mesh);
    if preset == Preset::Compact { Packed { leaves: packed.leaves.bare(), ..packed } } else { packed }
}

/// One thread, or all there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Threads {
    One,
    All,
}

impl Threads {
    /// To wake a thread takes longer than to build a small model.
    pub(super) fn for_mesh(mesh: &Mesh) -> Self {
        if mesh.triangles().len() < ONE_THREAD { Self::One } else { Self::All }
    }

    /// One of each, in parallel if there are enough to give every thread `share` of them.
    fn all<T: Send>(self, count: usize, share: usize, make: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
        if self == Self::One || count < 2 * share {
            // Without so much as asking how many threads there are, which would start them.
            return (0..count).map(make).collect();
        }
        made_in_place(count, share, make)
    }
}

pub(super) fn middle_of(vertices: &[DVec3]) -> DVec3 {
    let (low, high) = vertices
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &vertex| (low.min(vertex), high.max(vertex)));
    low * 0.5 + high * 0.5
}

/// Rounded up. Squares of lengths below 1e-140 lose their digits, and then the ball would be too
/// small: there the half diagonal of the box does.
pub(super) fn radius_about(center: DVec3, vertices: &[DVec3]) -> f64 {
    let squared = vertices.iter().fold(0.0_f64, |largest, &vertex| largest.max((vertex - center).length_squared()));
    if squared > 1e-280 {
        return squared.sqrt() * (1.0 + 8.0 * f64::EPSILON);
    }
    let half = vertices.iter().fold(DVec3::ZERO, |largest, &vertex| largest.max((vertex - center).abs()));
    length(half) * (1.0 + 8.0 * f64::EPSILON)
}

fn item(mesh: &Mesh, center: DVec3, triangle: u32) -> Item {
    // Written out: an array's `map` may be left a call.
    let [a, b, c] = mesh.triangle(triangle);
    let (a, b, c) = ((a - center).as_vec3(), (b - center).as_vec3(), (c - center).as_vec3());
    Item { low: a.min(b).min(c), high: a.max(b).max(c), triangle }
}

/// What a box costs: the square of its extents' sum. Two boxes are tested when they come near each
/// other, and long thin ones do from farther than their area says.
fn box_cost(low: Vec3, high: Vec3) -> f32 {
    let sum = (high - low).element_sum();
    sum * sum
}

/// A box that grows.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Bounds {
    const EMPTY: Self = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    #[inline]
    fn add(&mut self, low: Vec3, high: Vec3) {
        self.low = self.low.min(low);
        self.high = self.high.max(high);
    }

    fn cost(&self) -> f32 {
        box_cost(self.low, self.high)
    }
}

fn split(items: &mut [Item], start: u32, depth: u32, effort: &BuildEffort, threads: Threads) -> Branch {
    let run = start..start + items.len() as u32;
    let (mut bounds, mut middles) = (Bounds::EMPTY, Bounds::EMPTY);
    for item in items.iter() {
        bounds.add(item.low, item.high);
        middles.add(item.middle(), item.middle());
    }
    if items.len() <= 1 {
        return Branch::leaf(run, bounds.cost());
    }
    let best = match items.len() {
        _ if depth >= DEEP => None,
        count if count <= effort.swept => Some(swept_split(items)),
        _ => best_split(items, &middles, effort),
    };
    let small = items.len() <= WIDTH;
    let Split { at, cost } = match best {
        Some(split) => split,
        None if small => return Branch::leaf(run, bounds.cost()),
        None => Split { at: halve(items, &middles), cost: bounds.cost() },
    };
    if small && cost * effort.scattered > bounds.cost() {
        return Branch::leaf(run, bounds.cost());
    }
    let parallel = threads == Threads::All && items.len() >= TASK;
    let (left, right) = items.split_at_mut(at);
    let (left, right) = if parallel {
        crate::parallel::join(
            || split(left, start, depth + 1, effort, threads),
            || split(right, start + at as u32, depth + 1, effort, threads),
        )
    } else {
        (split(left, start, depth + 1, effort, threads), split(right, start + at as u32, depth + 1, effort, threads))
    };
    Branch::inner(run, bounds.cost(), [left, right])
}

fn longest_axis(bounds: &Bounds) -> usize {
    let size = bounds.high - bounds.low;
    (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best })
}

/// Half of the items on either side along the longest axis.
fn halve(items: &mut [Item], middles: &Bounds) -> usize {
    let (axis, at) = (longest_axis(middles), items.len() / 2);
    items.select_nth_unstable_by(at, |p, q| {
        p.middle()[axis].total_cmp(&q.middle()[axis]).then(p.triangle.cmp(&q.triangle))
    });
    at
}

/// Where a run is parted, and the cost of both parts together.
#[derive(Debug, Clone, Copy)]
struct Split {
    at: usize,
    cost: f32,
}

/// For few items: the best of every split along every axis.
fn swept_split(items: &mut [Item]) -> Split {
    let mut best = (f32::INFINITY, Split { at: items.len() / 2, cost: f32::INFINITY }, 0);
    let mut costs_right = [0.0; MAX_SWEPT + 1];
    let mut orders = [const { ArrayVec::<u128, MAX_SWEPT>::new_const() }; 3];
    for (axis, order) in orders.iter_mut().enumerate() {
        order.extend(items.iter().enumerate().map(|(place, item)| ranked(item.middle()[axis], item.triangle, place)));
        order.sort_unstable();
        let mut bounds = Bounds::EMPTY;
        for at in (1..items.len()).rev() {
            let item = &items[place_of(order[at])];
            bounds.add(item.low, item.high);
            costs_right[at] = bounds.cost();
        }
        let mut bounds = Bounds::EMPTY;
        for at in 1..items.len() {
            let item = &items[place_of(order[at - 1])];
            bounds.add(item.low, item.high);
            let (left, right) = (bounds.cost(), costs_right[at]);
            let cost = left * leaves_for(at as u32) + right * leaves_for((items.len() - at) as u32);
            if cost < best.0 {
                best = (cost, Split { at, cost: left + right }, axis);
            }
        }
    }
    let sorted: ArrayVec<Item, MAX_SWEPT> = orders[best.2].iter().map(|&rank| items[place_of(rank)]).collect();
    items.copy_from_slice(&sorted);
    best.1
}

/// A coordinate, the triangle that has it and its place, in one number that is sorted like the
/// coordinate, by triangle where those are equal: numbers are sorted faster than items.
///
/// Equal ones keep to the order of the mesh, which mostly has together what belongs together.
#[inline]
fn ranked(coordinate: f32, triangle: u32, place: usize) -> u128 {
    let bits = coordinate.to_bits();
    // Negative ones backwards, and below the others.
    let order = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
    u128::from(order) << 64 | u128::from(triangle) << 32 | place as u128
}

#[inline]
fn place_of(rank: u128) -> usize {
    rank as u32 as usize
}

/// Leaves needed for so many triangles, as a weight.
fn leaves_for(count: u32) -> f32 {
    count.div_ceil(WIDTH as u32) as f32
}

/// Partitions by the binned split with the smallest sum of cost times leaves; none if all middles
/// coincide.
fn best_split(items: &mut [Item], middles: &Bounds, effort: &BuildEffort) -> Option<Split> {
    let size = middles.high - middles.low;
    let (mut best_cost, mut best) = ((f32::INFINITY, 0.0), None);
    let longest = longest_axis(middles);
    for axis in if effort.every_axis { 0..3 } else { longest..longest + 1 } {
        let scale = BINS as f32 / size[axis];
        if !(size[axis] > 0.0 && scale.is_finite()) {
            continue;
        }
        let bin = |item: &Item| (((item.middle()[axis] - middles.low[axis]) * scale) as usize).min(BINS - 1);
        let mut bins = [(Bounds::EMPTY, 0_u32); BINS];
        for item in items.iter() {
            let (bounds, count) = &mut bins[bin(item)];
            bounds.add(item.low, item.high);
            *count += 1;
        }
        let mut costs_right = [(0.0, 0.0); BINS];
        let (mut bounds, mut count) = (Bounds::EMPTY, 0);
        for i in (1..BINS).rev() {
            bounds.add(bins[i].0.low, bins[i].0.high);
            count += bins[i].1;
            costs_right[i] =
                if count == 0 { (f32::INFINITY, 0.0) } else { (bounds.cost() * leaves_for(count), bounds.cost()) };
        }
        let (mut bounds, mut count) = (Bounds::EMPTY, 0);
        for i in 0..BINS - 1 {
            bounds.add(bins[i].0.low, bins[i].0.high);
            count += bins[i].1;
            let (weighted_right, cost_right) = costs_right[i + 1];
            let cost = (bounds.cost() * leaves_for(count) + weighted_right, bounds.cost() + cost_right);
            if count > 0 && cost < best_cost {
                (best_cost, best) = (cost, Some((axis, i)));
            }
        }
    }
    let (axis, last) = best?;
    let scale = BINS as f32 / size[axis];
    let in_left = |item: &Item| (((item.middle()[axis] - middles.low[axis]) * scale) as usize).min(BINS - 1) <= last;
    let mut at = 0;
    for i in 0..items.len() {
        if in_left(&items[i]) {
            items.swap(at, i);
            at += 1;
        }
    }
    (at > 0 && at < items.len()).then_some(Split { at, cost: best_cost.1 })
}

/// What goes into one node: for each slot its triangles and what holds them.
type Group = Vec<(Range<u32>, Content)>;

/// All nodes and leaves, by what goes into them.
#[derive(Debug, Default)]
struct Layout {
    groups: Vec<Group>,
    leaves: Vec<Range<u32>>,
}

/// Collapses the binary tree into nodes of up to eight slots. The first node has one slot, the
/// whole.
fn lay_out(root: Branch) -> Layout {
    let mut layout = Layout::default();
    layout.groups.push(Group::new());
    let mut open = vec![(0_usize, vec![root])];
    while let Some((index, branches)) = open.pop() {
        for branch in branches {
            let run = branch.run.clone();
            let content = if branch.halves.is_some() {
                layout.groups.push(Group::new());
                open.push((layout.groups.len() - 1, branch.into_node()));
                Content::Node(layout.groups.len() as u32 - 1)
            } else {
                layout.leaves.push(run.clone());
                Content::Leaf(layout.leaves.len() as u32 - 1)
            };
            layout.groups[index].push((run, content));
        }
    }
    layout
}

/// The mesh in the order of the leaves.
struct Source<'m> {
    mesh: &'m Mesh,
    center: DVec3,
    order: Vec<u32>,
    /// The corners about the centre, leaf by leaf, each once a leaf.
    points: Vec<DVec3>,
    /// Where the points of the leaf that begins with a triangle begin; by place in the order, and
    /// one more at the end.
    starts: Vec<u32>,
    node_moments: Vec<Moments>,
    leaf_moments: Vec<Moments>,
}

impl<'m> Source<'m> {
    fn new(mesh: &'m Mesh, center: DVec3, order: Vec<u32>, layout: &Layout, threads: Threads) -> Self {
        let triangles = |run: &Range<u32>| &order[run.start as usize..run.end as usize];
        let leaves = &layout.leaves;
        let corners = threads.all(leaves.len(), SHARE, |leaf| distinct_corners(mesh, center, triangles(&leaves[leaf])));
        let leaf_moments = threads.all(leaves.len(), SHARE, |leaf| moments(mesh, center, triangles(&leaves[leaf])));
        let mut starts = vec![0; order.len() + 1];
        for (run, corners) in layout.leaves.iter().zip(&corners) {
            starts[run.start as usize + 1] = corners.len() as u32;
        }
        (1..starts.len()).for_each(|place| starts[place] += starts[place - 1]);
        let mut points = vec![DVec3::ZERO; starts[order.len()] as usize];
        for (run, corners) in layout.leaves.iter().zip(&corners) {
            let start = starts[run.start as usize] as usize;
            points[start..start + corners.len()].copy_from_slice(corners);
        }
        // Children come after their parents.
        let mut node_moments = vec![Moments::default(); layout.groups.len()];
        for (index, group) in layout.groups.iter().enumerate().rev() {
            node_moments[index] = group.iter().fold(Moments::default(), |sum, (_, content)| match *content {
                Content::Node(node) => sum.joined(&node_moments[node as usize]),
                Content::Leaf(leaf) => sum.joined(&leaf_moments[leaf as usize]),
            });
        }
        Self { mesh, center, order, points, starts, node_moments, leaf_moments }
    }

    fn points(&self, run: &Range<u32>) -> &[DVec3] {
        &self.points[self.starts[run.start as usize] as usize..self.starts[run.end as usize] as usize]
    }

    fn node(&self, layout: &Layout, index: usize) -> WideNode {
        let group = &layout.groups[index];
        let frame = frame(&self.node_moments[index]);
        let extents: ArrayVec<Extent, WIDTH> =
            group.iter().map(|(run, _)| Extent::of(&frame, self.points(run))).collect();
        let (frame, shift) = centered(&frame, &extents);
        let mut node = WideNode::empty(frame);
        for (extent, (_, content)) in extents.iter().zip(group) {
            let (center, half) = extent.rounded(shift, &frame);
            node.push(center, half, *content);
        }
        node
    }

    fn leaf(&self, layout: &Layout, index: usize) -> Leaf {
        let run = &layout.leaves[index];
        let frame = frame(&self.leaf_moments[index]);
        let (frame, _) = centered(&frame, &[Extent::of(&frame, self.points(run))]);
        leaf(self.mesh, self.center, frame, &self.order[run.start as usize..run.end as usize])
    }
}

fn frame(moments: &Moments) -> Frame {
    let axes = moments.axes().to_cols_array_2d().map(|row| row.map(|entry| entry as f32));
    Frame::new(axes, moments.mean().as_vec3().to_array())
}

fn moments(mesh: &Mesh, center: DVec3, triangles: &[u32]) -> Moments {
    let mut moments = Moments::default();
    for &triangle in triangles {
        let [a, b, c] = mesh.triangle(triangle);
        moments.add(&[a - center, b - center, c - center]);
    }
    moments
}

/// The corners of at most eight triangles, about the centre.
fn distinct_corners(mesh: &Mesh, center: DVec3, triangles: &[u32]) -> ArrayVec<DVec3, { 3 * WIDTH }> {
    let mut seen = ArrayVec::<u32, { 3 * WIDTH }>::new();
    for &triangle in triangles {
        for vertex in mesh.triangles()[triangle as usize] {
            if !seen.contains(&vertex) {
                seen.push(vertex);
            }
        }
    }
    seen.iter().map(|&vertex| mesh.vertices()[vertex as usize] - center).collect()
}

/// The triangles, at most eight, in a frame.
pub(super) fn leaf(mesh: &Mesh, center: DVec3, frame: Frame, triangles: &[u32]) -> Leaf {
    let (rows, origin) = exact(&frame);
    let mut leaf = Leaf::empty(frame);
    for &id in triangles {
        let local = |corner: DVec3| (rows * (corner - center - origin)).as_vec3().to_array();
        let [a, b, c] = mesh.triangle(id);
        leaf.push([local(a), local(b), local(c)], id);
    }
    leaf
}

/// A frame's axes, as a matrix that takes vectors into it, and its origin.
fn exact(frame: &Frame) -> (DMat3, DVec3) {
    let exact = |[x, y, z]: [f32; 3]| DVec3::new(x.into(), y.into(), z.into());
    let [x, y, z] = frame.axes.map(exact);
    (DMat3::from_cols(x, y, z).transpose(), exact(frame.origin))
}

/// How far points extend along a frame's rounded axes.
#[derive(Debug, Clone, Copy)]
struct Extent {
    low: DVec3,
    high: DVec3,
}

impl Extent {
    fn of(frame: &Frame, points: &[DVec3]) -> Self {
        let (rows, origin) = exact(frame);
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &point in points {
            let local = rows * (point - origin);
            (low, high) = (low.min(local), high.max(local));
        }
        Self { low, high }
    }

    /// Middle and half extents, rounded outwards, in a frame whose origin was moved by `shift`.
    fn rounded(&self, shift: DVec3, frame: &Frame) -> ([f32; 3], [f32; 3]) {
        let (low, high) = (self.low - shift, self.high - shift);
        let center = ((low + high) * 0.5).as_vec3();
        let exact_center = center.as_dvec3();
        let half = (high - exact_center).max(exact_center - low);
        // The products round too, in double precision: along every axis by what there is along any.
        let origin = Vec3::from_array(frame.origin).as_dvec3();
        let size = (self.low.abs().max(self.high.abs()) + shift.abs()).max_element() + origin.abs().max_element();
        let half = (half + size * 4e-15).to_array().map(|value| (value as f32).next_up().max(f32::MIN_POSITIVE));
        (center.to_array(), half)
    }
}

/// The frame with its origin moved to the middle of the extents, and by how much, along its axes.
fn centered(frame: &Frame, extents: &[Extent]) -> (Frame, DVec3) {
    let (rows, origin) = exact(frame);
    let low = extents.iter().fold(DVec3::INFINITY, |low, extent| low.min(extent.low));
    let high = extents.iter().fold(DVec3::NEG_INFINITY, |high, extent| high.max(extent.high));
    let moved = origin + rows.transpose() * ((low + high) * 0.5);
    let frame = Frame::new(frame.axes, moved.as_vec3().to_array());
    let (_, rounded) = exact(&frame);
    (frame, rows * (rounded - origin))
}
