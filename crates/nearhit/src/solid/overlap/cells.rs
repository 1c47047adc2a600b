//! Overlap of solids of which one has holes or flipped triangles: space is divided into cells that
//! are inside both, outside one, or not decided.
//!
//! No surface is in a ball that is smaller than the distance to the nearest triangle, so there the
//! winding number of a closed mesh does not change. That of a mesh with holes does, but not by
//! much: away from the surface its gradient is that of the holes' edges alone (by the law of Biot
//! and Savart), at most their length over 4πd² at a distance d. What is left of one half at the
//! middle of a cell decides for all of the cell.

use super::super::pair::{Side, SolidPair};
use super::SolidOverlap;
use crate::inside::InsideMethod;
use crate::point::{Placed, Room};
use crate::query::{Interval, Scratch, Settings};
use crate::traverse::Stats;
use glam::DVec3;
use std::collections::{BinaryHeap, HashMap};
use std::f64::consts::PI;

/// Cells that are looked at, unless the overlap is known well enough before.
const MOST_CELLS: usize = 60_000;
/// Of the volume: well enough.
const WELL_ENOUGH: f64 = 0.01;
/// Edges of holes that are taken together.
const TOGETHER: usize = 16;
/// What distances in doubles are off, relative to the coordinates.
const ROUNDED: f64 = 64.0 * f64::EPSILON;

/// By winding number; as certain as the cells.
pub(super) fn overlap(
    pair: &SolidPair<'_>,
    common: [DVec3; 2],
    settings: &Settings<'_>,
    scratch: &mut Scratch,
) -> SolidOverlap {
    let bodies = [Side::A, Side::B].map(|side| Body::new(pair.placed(side)));
    let mut search = Search { bodies: &bodies, common, within: 0.0, open: 0.0, stats: Stats::default() };
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut heap = BinaryHeap::new();
    let sides = common[1] * 0.5 - common[0] * 0.5;
    let whole = Cell { center: common[0] * 0.5 + common[1] * 0.5, half: sides, known: [false; 2] };
    search.look(whole, scratch.room(), &mut heap);
    let (mut looked_at, mut is_complete) = (1, true);
    while let Some(Ranked(cell)) = heap.pop() {
        if search.open <= WELL_ENOUGH * search.within {
            heap.push(Ranked(cell));
            break;
        }
        if looked_at >= MOST_CELLS || settings.budget.is_spent(&search.stats) {
            is_complete = false;
            heap.push(Ranked(cell));
            break;
        }
        search.open -= cell.volume();
        looked_at += 8;
        for part in cell.parts() {
            if search.look(part, scratch.room(), &mut heap) {
                (low, high) = (low.min(part.center - part.half), high.max(part.center + part.half));
            }
        }
    }
    for Ranked(cell) in &heap {
        (low, high) = (low.min(cell.center - cell.half), high.max(cell.center + cell.half));
    }
    let rounding = 1.0 + 1e-9;
    let open: f64 = heap.iter().map(|Ranked(cell)| cell.volume()).sum();
    let volume = Interval { lower: search.within / rounding, upper: (search.within + open) * rounding };
    let bounds = (volume.upper > 0.0).then_some([low.max(common[0]), high.min(common[1])]);
    let stats = search.stats;
    SolidOverlap { volume, area: None, bounds, is_complete, ..SolidOverlap::empty(pair.is_exact(), stats) }
}

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cell {
    center: DVec3,
    half: DVec3,
    /// Known to be inside of which bodies.
    known: [bool; 2],
}

impl Cell {
    fn volume(&self) -> f64 {
        8.0 * self.half.x * self.half.y * self.half.z
    }

    fn parts(self) -> impl Iterator<Item = Self> {
        let half = self.half * 0.5;
        (0..8).map(move |corner: u32| {
            let sign = |bit: u32| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
            Self { center: self.center + half * DVec3::new(sign(0), sign(1), sign(2)), half, known: self.known }
        })
    }
}

/// By volume, then by place: an order that repeats.
#[derive(Debug, PartialEq)]
struct Ranked(Cell);

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let (one, another) = (&self.0, &other.0);
        let axis = |axis: usize| one.center[axis].total_cmp(&another.center[axis]);
        one.volume().total_cmp(&another.volume()).then_with(|| axis(0).then(axis(1)).then(axis(2)))
    }
}

struct Search<'s, 'm> {
    bodies: &'s [Body<'m>; 2],
    common: [DVec3; 2],
    /// Volume inside both.
    within: f64,
    /// Volume not decided.
    open: f64,
    stats: Stats,
}

impl Search<'_, '_> {
    /// Decides about a cell, or keeps it for later. Is it inside both?
    fn look(&mut self, mut cell: Cell, room: &mut Room, heap: &mut BinaryHeap<Ranked>) -> bool {
        let size = self.common[0].abs().max(self.common[1].abs()).max_element();
        let radius = cell.half.length() * (1.0 + ROUNDED) + ROUNDED * size;
        for (body, known) in self.bodies.iter().zip(&mut cell.known) {
            match if *known { Some(true) } else { body.is_inside(cell.center, radius, room, &mut self.stats) } {
                Some(true) => *known = true,
                Some(false) => return false,
                None => {}
            }
        }
        if cell.known == [true; 2] {
            self.within += cell.volume();
            return true;
        }
        self.open += cell.volume();
        heap.push(Ranked(cell));
        false
    }
}

/// A body and the edges of its holes.
struct Body<'m> {
    placed: Placed<'m>,
    rims: Vec<Rim>,
}

/// Some edges of holes: a ball around them, and how long they are together.
#[derive(Debug, Clone, Copy)]
struct Rim {
    center: DVec3,
    radius: f64,
    length: f64,
}

impl<'m> Body<'m> {
    fn new(placed: Placed<'m>) -> Self {
        let has_holes = placed.model.inside().method() == InsideMethod::Generalised;
        let edges = if has_holes { open_edges(&placed) } else { Vec::new() };
        Self { placed, rims: edges.chunks(TOGETHER).map(Rim::new).collect() }
    }

    /// Is a whole ball inside, or outside? None: not decided.
    fn is_inside(&self, center: DVec3, radius: f64, room: &mut Room, stats: &mut Stats) -> Option<bool> {
        let distance = self.placed.closest_counted(center, room, stats).distance;
        if distance <= radius + self.placed.slack(center) {
            return None;
        }
        let found = self.placed.contains_counted(center, room, stats);
        let (winding, is_in_solid) = (found.winding?, found.is_in_solid());
        let change: f64 = self.rims.iter().map(|rim| rim.change(center, radius)).sum();
        let is_sure = self.rims.is_empty() || (winding.abs() - 0.5).abs() > change + found.winding_error;
        is_sure.then_some(is_in_solid)
    }
}

impl Rim {
    fn new(edges: &[[DVec3; 2]]) -> Self {
        let ends = || edges.iter().flatten();
        let center = ends().sum::<DVec3>() / (2 * edges.len()) as f64;
        let radius = ends().map(|end| (*end - center).length()).fold(0.0, f64::max);
        let length = edges.iter().map(|[p, q]| (*q - *p).length()).sum::<f64>() * (1.0 + 1e-9);
        Self { center, radius: radius * (1.0 + 1e-9), length }
    }

    /// How much of the winding number these edges can change within a ball: the gradient times the
    /// radius.
    fn change(&self, center: DVec3, radius: f64) -> f64 {
        let nearest = (center - self.center).length() - self.radius - radius;
        if nearest <= 0.0 { f64::INFINITY } else { self.length * radius / (4.0 * PI * nearest * nearest) }
    }
}

/// The edges that not as many triangles use in one direction as in the other, in order, each as
/// often as that.
fn open_edges(body: &Placed<'_>) -> Vec<[DVec3; 2]> {
    let mesh = body.model.mesh();
    let neighbours = body.model.inside().neighbours(mesh);
    let mut uses: HashMap<(u32, u32), i32> = HashMap::new();
    for corners in mesh.triangles() {
        let [a, b, c] = corners.map(|vertex| neighbours.place(vertex));
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let step = match from.cmp(&to) {
                std::cmp::Ordering::Less => 1,
                std::cmp::Ordering::Greater => -1,
                std::cmp::Ordering::Equal => continue,
            };
            *uses.entry((from.min(to), from.max(to))).or_insert(0) += step;
        }
    }
    let mut open: Vec<((u32, u32), i32)> = uses.into_iter().filter(|(_, net)| *net != 0).collect();
    open.sort_unstable();
    let point = |place: u32| body.point(mesh.vertices()[place as usize]);
    let edge = |((from, to), net): ((u32, u32), i32)| {
        std::iter::repeat_n([point(from), point(to)], net.unsigned_abs() as usize)
    };
    open.into_iter().flat_map(edge).collect()
}
