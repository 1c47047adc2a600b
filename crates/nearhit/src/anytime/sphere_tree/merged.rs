//! The paper's own hierarchy (§8): spheres about the vertices of the medial axis, merged pass by
//! pass, eight children a parent; `grow.rs` then covers the surface.
//!
//! Where nothing adjacent is left to merge (a body of several pieces, on which the paper is
//! silent), all spheres that are left count as adjacent.

use super::build::{Node, Policy, SphereOptions};
use super::children::DEGREE;
use super::field::Field;
use super::grow::{Ball, grow};
use super::hole_caps::HoleCaps;
use super::medial::{MedialAxis, medial_axis};
use super::merge::{Candidate, bounding_ball, cost};
use super::pieces::Pieces;
use super::sample::samples;
use crate::mesh::Mesh;
use crate::model::Model;
use crate::parallel::*;
use crate::primitive::distance::distance_from_within;
use crate::volume::BoundingVolume;
use crate::volume::sphere::Sphere;
use glam::DVec3;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

/// A sphere that bounds forming points, and the medial spheres it was merged from.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) center: DVec3,
    pub(super) radius: f64,
    forming: Vec<u32>,
    /// Indices of balls of the axis.
    pub(super) balls: Vec<u32>,
}

/// What all passes work on.
#[derive(Debug)]
pub(super) struct Ground {
    axis: MedialAxis,
    /// Of the polygon that each sample point is on, out of the body.
    normals: Vec<DVec3>,
    /// The triangles, whole.
    pub(super) faces: Pieces,
    pub(super) root: Ball,
}

/// Points on the surface unless the caller says how many.
pub(super) const POINTS: usize = 1000;

impl Ground {
    pub(super) fn new(model: &Model, options: &SphereOptions) -> Self {
        let mesh = model.mesh();
        let caps = HoleCaps::new(model, 20);
        let axis = medial_axis(model, &caps, samples(model, options.points.unwrap_or(POINTS).max(4), 1), 2);
        let normals = axis.points.par_iter().zip(&axis.normals).map_init(
            || Field::new(model),
            |field, (&point, &outward)| {
                let [a, b, c] = mesh.triangle(field.distance(point).triangle);
                let normal = (b - a).cross(c - a).normalize_or(outward);
                if normal.dot(outward) < 0.0 { -normal } else { normal }
            },
        );
        let normals = normals.collect();
        let faces = Pieces::whole(mesh);
        let triangles: Vec<_> = (0..mesh.triangles().len() as u32).map(|index| mesh.triangle(index)).collect();
        let center = Sphere::fit(&triangles).center();
        let radius = super::fit::reach(&faces.points, center);
        Self { axis, normals, faces, root: Ball { center, radius } }
    }

    /// All balls of the axis.
    pub(super) fn all(&self) -> Vec<u32> {
        (0..self.axis.balls.len() as u32).collect()
    }

    /// Merges some balls of the axis until at most `count` spheres are left. The root's ball if
    /// there are none: of a flat body.
    pub(super) fn merge(&self, of: &[u32], count: usize) -> Vec<Group> {
        if of.is_empty() {
            let Ball { center, radius } = self.root;
            return vec![Group { center, radius, forming: Vec::new(), balls: Vec::new() }];
        }
        let mut merging = Merging::new(self, of);
        while merging.left > count {
            merging.step();
        }
        merging.groups.into_iter().flatten().collect()
    }

    /// The triangles that a ball meets, in order.
    pub(super) fn triangles_in(&self, mesh: &Mesh, ball: Ball) -> Vec<u32> {
        let meets = |&index: &u32| {
            let triangle = mesh.triangle(index);
            let middle = triangle.into_iter().sum::<DVec3>() / 3.0;
            let reach = triangle.iter().fold(0.0_f64, |reach, corner| reach.max(corner.distance(middle)));
            let limit = ball.radius * (1.0 + 1e-9);
            middle.distance(ball.center) <= (limit + reach) * (1.0 + 1e-9)
                && distance_from_within(ball.center, &triangle, limit).is_some()
        };
        (0..mesh.triangles().len() as u32).filter(meets).collect()
    }
}

/// Spheres while they are merged. Each merger makes a new one, so what is in the queue stays true
/// as long as both of its spheres are there.
struct Merging<'g> {
    ground: &'g Ground,
    groups: Vec<Option<Group>>,
    beside: Vec<BTreeSet<u32>>,
    queue: BinaryHeap<Candidate>,
    left: usize,
    /// Is everything adjacent, because nothing else was left?
    all_linked: bool,
}

impl<'g> Merging<'g> {
    fn new(ground: &'g Ground, of: &[u32]) -> Self {
        let group = |&ball: &u32| {
            let medial = &ground.axis.balls[ball as usize];
            let (center, mut forming) = (medial.depth.at, medial.forming.to_vec());
            forming.sort_unstable();
            Some(Group { center, radius: medial.radius, forming, balls: vec![ball] })
        };
        let groups: Vec<Option<Group>> = of.iter().map(group).collect();
        let beside = adjacent(ground, of);
        let mut merging = Self { ground, groups, beside, queue: BinaryHeap::new(), left: of.len(), all_linked: false };
        let pairs: Vec<(u32, u32)> = (0_u32..)
            .zip(&merging.beside)
            .flat_map(|(one, beside)| beside.iter().filter(move |&&two| one < two).map(move |&two| (one, two)))
            .collect();
        merging.queue = pairs.into_par_iter().map(|pair| merging.candidate(pair)).collect::<Vec<_>>().into();
        merging
    }

    fn candidate(&self, pair: (u32, u32)) -> Candidate {
        let (forming, center, radius) = self.together(pair);
        let over = |points: &[u32]| cost(&self.ground.axis.points, &self.ground.normals, points, center, radius);
        Candidate { cost: over(&forming), pair }
    }

    /// The forming points of two spheres and the ball that bounds them.
    fn together(&self, (one, two): (u32, u32)) -> (Vec<u32>, DVec3, f64) {
        let [one, two] = [one, two].map(|group| self.groups[group as usize].as_ref());
        let mut forming: Vec<u32> = [one, two].into_iter().flatten().flat_map(|group| group.forming.clone()).collect();
        forming.sort_unstable();
        forming.dedup();
        let (center, radius) = bounding_ball(&self.ground.axis.points, &forming);
        (forming, center, radius)
    }

    /// Merges the cheapest pair of adjacent spheres.
    fn step(&mut self) {
        let Some(Candidate { pair, .. }) = self.queue.pop() else { return self.link_all() };
        let (one, two) = (pair.0 as usize, pair.1 as usize);
        if self.groups[one].is_none() || self.groups[two].is_none() {
            return;
        }
        let (forming, center, radius) = self.together(pair);
        let parts = [self.groups[one].take(), self.groups[two].take()];
        let balls = parts.into_iter().flatten().flat_map(|group| group.balls).collect();
        let new = self.groups.len() as u32;
        self.groups.push(Some(Group { center, radius, forming, balls }));
        let mut beside = std::mem::take(&mut self.beside[one]);
        beside.extend(std::mem::take(&mut self.beside[two]));
        beside.retain(|&other| other != pair.0 && other != pair.1);
        for &other in &beside {
            let of_other = &mut self.beside[other as usize];
            of_other.remove(&pair.0);
            of_other.remove(&pair.1);
            of_other.insert(new);
            let candidate = self.candidate((other, new));
            self.queue.push(candidate);
        }
        self.beside.push(beside);
        self.left -= 1;
    }

    fn link_all(&mut self) {
        // With everything adjacent the queue is empty only when one sphere is left.
        assert!(!self.all_linked, "no two spheres are left");
        self.all_linked = true;
        let alive: Vec<u32> =
            (0..self.groups.len() as u32).filter(|&group| self.groups[group as usize].is_some()).collect();
        for (place, &one) in alive.iter().enumerate() {
            self.beside[one as usize] = alive.iter().copied().filter(|&other| other != one).collect();
            for &two in &alive[place + 1..] {
                let candidate = self.candidate((one, two));
                self.queue.push(candidate);
            }
        }
    }
}

/// Vertices of the Voronoi diagram are adjacent if they lie on one face of a cell (§7): a face is
/// between two sample points, and its vertices are the balls through both.
fn adjacent(ground: &Ground, of: &[u32]) -> Vec<BTreeSet<u32>> {
    let mut faces: HashMap<(u32, u32), Vec<u32>> = HashMap::new();
    for (number, &ball) in (0_u32..).zip(of) {
        let forming = ground.axis.balls[ball as usize].forming;
        for (place, &p) in forming.iter().enumerate() {
            for &q in &forming[place + 1..] {
                faces.entry((p.min(q), p.max(q))).or_default().push(number);
            }
        }
    }
    let mut beside = vec![BTreeSet::new(); of.len()];
    for face in faces.values() {
        for &one in face {
            beside[one as usize].extend(face.iter().copied().filter(|&other| other != one));
        }
    }
    beside
}

/// The levels of the paper's tree: the root's children are merged from all spheres, those of a
/// parent from the spheres that it was merged from.
pub(super) fn levels(
    model: &Model,
    depth: u32,
    options: &SphereOptions,
    progress: &(dyn Fn(f64) + Sync),
) -> Vec<Vec<Node>> {
    let ground = Ground::new(model, options);
    let node = |ball: Ball, parent: usize| {
        let Ball { center, radius: reach } = ball;
        Node { center, radius: ground.faces.radius(reach), reach, parent, triangles: Vec::new() }
    };
    let mut levels = vec![vec![node(ground.root, 0)]];
    let mut above = vec![(ground.root, ground.all())];
    for level in 1..=depth {
        let families: Vec<Vec<Group>> = above.par_iter().map(|(_, balls)| ground.merge(balls, DEGREE)).collect();
        let mut balls: Vec<Vec<Ball>> = families
            .iter()
            .map(|family| family.iter().map(|&Group { center, radius, .. }| Ball { center, radius }).collect())
            .collect();
        cover(&ground, options.policy, &above, &mut balls);
        let parents =
            balls.iter().enumerate().flat_map(|(parent, family)| family.iter().map(move |&ball| (ball, parent)));
        levels.push(parents.map(|(ball, parent)| node(ball, parent)).collect());
        let merged_from = families.into_iter().flatten().map(|group| group.balls);
        above = balls.into_iter().flatten().zip(merged_from).collect();
        progress(0.8 * f64::from(level) / f64::from(depth));
    }
    let mesh = model.mesh();
    levels.last_mut().expect("the root").par_iter_mut().for_each(|leaf| {
        leaf.triangles = ground.triangles_in(mesh, Ball { center: leaf.center, radius: leaf.radius });
    });
    levels
}

/// §9.1: each level covers the surface; by the safest policy the children of a parent cover what it
/// covers.
fn cover(ground: &Ground, policy: Policy, above: &[(Ball, Vec<u32>)], families: &mut [Vec<Ball>]) {
    let faces = &ground.faces;
    match policy {
        Policy::Looser => {
            let mut all: Vec<Ball> = families.iter().flatten().copied().collect();
            grow(faces, faces.all(), None, &mut all);
            let mut grown = all.into_iter();
            families.iter_mut().flatten().zip(&mut grown).for_each(|(ball, grown)| *ball = grown);
        }
        Policy::Safest => families.par_iter_mut().zip(above).for_each(|(family, &(parent, _))| {
            let radius = faces.radius(parent.radius) * (1.0 + 1e-9);
            grow(faces, faces.all(), Some(Ball { radius, ..parent }), family);
        }),
    }
}
