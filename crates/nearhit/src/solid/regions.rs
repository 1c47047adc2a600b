//! Contact manifolds: where two solids meet, as connected regions with curves, a normal, a depth
//! and points.

use super::curves::{Curve, Web};
use super::interior_vertices::InteriorVertices;
use super::local_depth::{Part, Search};
use super::pair::{Side, SolidPair};
use crate::mesh::Triangle;
use crate::point::{Placed, Room};
use crate::primitive::overlap::Overlap;
use crate::query::{Scratch, Settings, Tolerance, TrianglePair};
use crate::traverse::Stats;
use glam::DVec3;
use std::collections::BinaryHeap;

/// One connected contact.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ContactRegion {
    /// The pairs of triangles that meet, ordered by a's index, then b's.
    pub pairs: Vec<TrianglePair>,
    /// Along what they meet, in a's frame.
    pub curves: Vec<Curve>,
    /// The way out for b: a unit vector, the mean of the two surfaces' normals along the curves
    /// (a's, and b's turned round).
    pub normal: DVec3,
    /// How deep the deepest point found of this region is below the other surface; zero where the
    /// surfaces only touch.
    pub depth: f64,
    /// That point, and the point of the other surface nearest to it.
    pub deepest: ContactPoint,
    /// Vertices of one solid inside the other that this region's curves cut off, deepest first;
    /// then the points of the curves.
    pub points: Vec<ContactPoint>,
}

/// A point of contact, in a's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ContactPoint {
    /// On a's surface.
    pub on_a: DVec3,
    /// On b's surface.
    pub on_b: DVec3,
    /// How far apart the two are: zero on a curve.
    pub depth: f64,
}

impl ContactPoint {
    fn new(body: Side, point: DVec3, closest: DVec3, depth: f64) -> Self {
        let (on_a, on_b) = if body == Side::A { (point, closest) } else { (closest, point) };
        Self { on_a, on_b, depth }
    }

    fn touching(point: DVec3) -> Self {
        Self { on_a: point, on_b: point, depth: 0.0 }
    }

    fn middle(&self) -> DVec3 {
        self.on_a * 0.5 + self.on_b * 0.5
    }
}

impl ContactRegion {
    /// At most `count` of the points that stand for all: the deepest, then always the one farthest,
    /// across the normal, from those chosen. In that order.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings};
    ///
    /// let (below, above) = (cube(1.0), cube(0.5));
    /// let pair = Pair::new(&below, &at(0.0, 0.0, 0.0), &above, &at(0.0, 0.0, 1.25))?;
    /// let found = pair.solid().contact_regions(&Settings::default(), &mut Scratch::new());
    /// let points = found.regions[0].manifold(4);
    /// assert_eq!(points.len(), 4);
    /// assert!(points[0].depth >= points[3].depth); // the deepest first
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "contact manifold")]
    #[must_use]
    pub fn manifold(&self, count: usize) -> Vec<ContactPoint> {
        // Of the region's points, and the deepest: there are no more.
        let mut chosen: Vec<ContactPoint> = Vec::with_capacity(count.min(self.points.len() + 1));
        let across = |point: &ContactPoint| point.middle() - self.normal * self.normal.dot(point.middle());
        if count > 0 {
            chosen.push(self.deepest);
        }
        while chosen.len() < count {
            let spread = |point: &ContactPoint| {
                chosen.iter().map(|other| (across(point) - across(other)).length()).fold(f64::INFINITY, f64::min)
            };
            let farthest = self.points.iter().fold((0.0, None), |best, point| {
                let spread = spread(point);
                if spread > best.0 { (spread, Some(*point)) } else { best }
            });
            let Some(next) = farthest.1 else { break };
            chosen.push(next);
        }
        chosen
    }
}

/// The answer of [`SolidPair::contact_regions`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ContactRegions {
    /// In the order of their first pairs of triangles.
    pub regions: Vec<ContactRegion>,
    /// Was everything looked at? False: the budget ran out, there may be more regions, and depths
    /// may be larger.
    pub is_complete: bool,
    /// Work done.
    pub stats: Stats,
}

/// How exact depths of regions are, the second relative to the smaller model's size: points are not
/// sought after that would be deeper by no more than one of these.
const RELATIVE: f64 = 0.02;
const ABSOLUTE: f64 = 0.01;

impl SolidPair<'_> {
    /// Where the surfaces of the two solids meet: connected regions with their curves, normals,
    /// depths and points, in an order that repeats. A solid wholly inside the other has none: ask
    /// [`SolidPair::collide`]. For reports and physics; allocates.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // closed: they have an inside
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(1.5, 0.25, 0.25))?;
    /// let mut scratch = Scratch::new();
    /// let found = pair.solid().contact_regions(&Settings::default(), &mut scratch);
    /// assert_eq!(found.regions.len(), 1);
    /// let region = &found.regions[0];
    /// assert!(region.normal.x > 0.0 && region.depth > 0.0);
    /// assert!(region.manifold(4).len() <= 4); // points for a physics solver
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "contact manifold")]
    #[doc(alias = "contact points")]
    #[doc(alias = "intersection curve")]
    #[doc(alias = "contact normal")]
    #[must_use]
    pub fn contact_regions(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> ContactRegions {
        let contacts = self.pair.contacts(settings, scratch);
        let (pairs, mut is_complete, mut stats) = (contacts.pairs.to_vec(), contacts.is_complete, contacts.stats);
        let overlaps: Vec<Overlap> = pairs.iter().map(|&pair| self.pair.overlap(pair)).collect();
        // Ends of neighbouring segments are the same point computed twice.
        let web = Web::new(&overlaps, 0.25 * self.pair.slack());
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); web.len()];
        web.part_of.iter().enumerate().for_each(|(pair, &part)| members[part].push(pair));
        let mut interior = InteriorVertices::new(self, &pairs);
        let mut regions = Vec::with_capacity(web.len());
        for (part, members) in members.iter().enumerate() {
            let pairs: Vec<TrianglePair> = members.iter().map(|&index| pairs[index]).collect();
            let curves = web.curves(part);
            let mean = self.mean_normal(members.iter().map(|&index| &overlaps[index]), &pairs);
            let (deepest, mut points) = self.depth_of_region(&pairs, &mut interior, settings, scratch, &mut stats);
            is_complete &= !settings.budget.is_spent(&stats);
            let deepest = deepest.unwrap_or_else(|| ContactPoint::touching(curves[0].points[0]));
            points.extend(curves.iter().flat_map(|curve| &curve.points).map(|&point| ContactPoint::touching(point)));
            let normal = mean.or_else(|| (deepest.on_a - deepest.on_b).try_normalize()).unwrap_or(DVec3::Z);
            regions.push(ContactRegion { pairs, curves, normal, depth: deepest.depth, deepest, points });
        }
        ContactRegions { regions, is_complete, stats }
    }

    /// The mean of a's normals less b's, weighted by how much each pair shares.
    fn mean_normal<'o>(&self, overlaps: impl Iterator<Item = &'o Overlap>, pairs: &[TrianglePair]) -> Option<DVec3> {
        let normal = |[a, b, c]: Triangle| (b - a).cross(c - a).normalize_or_zero();
        let (mut sum, mut plain) = (DVec3::ZERO, DVec3::ZERO);
        for (overlap, &pair) in overlaps.zip(pairs) {
            let (a, b) = self.pair.triangles(pair);
            let apart = self.facing(Side::A) * normal(a) - self.facing(Side::B) * normal(b);
            let points = overlap.points();
            let length: f64 = (0..points.len()).map(|i| (points[(i + 1) % points.len()] - points[i]).length()).sum();
            sum += apart * length;
            plain += apart;
        }
        // Points have no length.
        sum.try_normalize().or_else(|| plain.try_normalize())
    }

    /// -1 for a solid whose triangles face inwards as a whole.
    fn facing(&self, body: Side) -> f64 {
        if self.placed(body).model.inside().is_inside_out() { -1.0 } else { 1.0 }
    }

    /// The deepest point of the region, if one is below the other surface, and the vertices that
    /// the region cuts off.
    fn depth_of_region(
        &self,
        pairs: &[TrianglePair],
        interior: &mut InteriorVertices<'_>,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> (Option<ContactPoint>, Vec<ContactPoint>) {
        let (room, parts) = scratch.rooms::<Room, BinaryHeap<Part>>();
        let mut points: Vec<ContactPoint> = Vec::new();
        let size = self.placed(Side::A).model.inside().size().min(self.placed(Side::B).model.inside().size());
        let mut search = Search::new(self, Tolerance { relative: RELATIVE, absolute: ABSOLUTE * size });
        parts.clear();
        for body in [Side::A, Side::B] {
            let (own, other): (Placed<'_>, Placed<'_>) = (self.placed(body), self.placed(body.other()));
            let mut triangles: Vec<u32> =
                pairs.iter().map(|pair| if body == Side::A { pair.a } else { pair.b }).collect();
            triangles.sort_unstable();
            triangles.dedup();
            for (vertex, triangle) in interior.vertices(body, &triangles, &settings.budget, room, stats) {
                if settings.budget.is_spent(stats) {
                    break;
                }
                let point = own.point(own.model.mesh().vertices()[vertex as usize]);
                let closest = other.closest_counted(point, room, stats);
                search.offer_known(body, triangle, point, &closest);
                points.push(ContactPoint::new(body, point, closest.point, closest.distance));
            }
            for triangle in triangles {
                if settings.budget.is_spent(stats) {
                    break;
                }
                search.begin_with(body, triangle, room, parts, stats);
            }
        }
        let deepest = search.finish(&settings.budget, room, parts, stats);
        points.sort_by(|one, other| other.depth.total_cmp(&one.depth));
        let deepest = deepest.filter(|deepest| deepest.depth > 0.0);
        (deepest.map(|found| ContactPoint::new(found.body, found.point, found.closest, found.depth)), points)
    }
}
