//! Closest point, signed distance and nearest triangles of a point.

use super::Room;
use super::contains::{Containment, Location, each};
use super::placed::Placed;
use crate::error::QueryError;
use crate::model::Model;
use crate::packed::point::Near;
use crate::primitive::distance::{Nearest, distance_from_within};
use crate::primitive::ray::check_point;
use crate::query::Scratch;
use crate::traverse::Stats;
use glam::DVec3;

/// The answer of [`Model::closest_point`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ClosestPoint {
    /// On the surface, to rounding.
    pub point: DVec3,
    /// How far away it is: the canonical distance ([`crate::primitive::distance`]), zero exactly on
    /// the surface.
    pub distance: f64,
    /// The triangle it is on: of those that are as near, the first.
    pub triangle: u32,
}

/// The answer of [`Model::signed_distance`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SignedDistance {
    /// The distance from the surface, negative inside.
    pub distance: f64,
    /// The nearest point of the surface.
    pub closest: ClosestPoint,
    /// Where the point is.
    pub containment: Containment,
}

/// A triangle and how far away it is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct NearTriangle {
    /// By index.
    pub triangle: u32,
    /// Its canonical distance.
    pub distance: f64,
}

impl Model {
    /// The point of the surface nearest to a point.
    ///
    /// Error: the point is not finite.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::Scratch;
    /// use nearhit::glam::DVec3;
    ///
    /// let (model, mut scratch) = (cube(1.0), Scratch::new());
    /// let found = model.closest_point(DVec3::new(3.0, 0.0, 0.0), &mut scratch)?;
    /// assert_eq!((found.point, found.distance), (DVec3::X, 2.0));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "point projection")]
    #[doc(alias = "nearest point")]
    pub fn closest_point(&self, point: DVec3, scratch: &mut Scratch) -> Result<ClosestPoint, QueryError> {
        check_point(0, point)?;
        Ok(Placed::own(self).closest(point, scratch.room()))
    }

    /// [`Model::closest_point`] of a finite point: the same answer, sooner if a triangle is known
    /// that may be near.
    pub(crate) fn closest_point_from(&self, known: u32, point: DVec3, scratch: &mut Scratch) -> ClosestPoint {
        let placed = Placed::own(self);
        let mut search = Closest { placed: &placed, point, best: None };
        search.look(known);
        placed.near(point, &mut search, &mut scratch.room::<Room>().open);
        search.closest()
    }

    /// [`Model::closest_point`] for many points, on all threads.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::glam::DVec3;
    ///
    /// let (model, points) = (cube(1.0), [DVec3::ZERO, DVec3::new(3.0, 0.0, 0.0)]);
    /// let found = model.closest_point_each(&points)?;
    /// assert_eq!((found[0].distance, found[1].distance), (1.0, 2.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn closest_point_each(&self, points: &[DVec3]) -> Result<Vec<ClosestPoint>, QueryError> {
        let _made = self.point_tree();
        each(self, points, |point, room| Placed::own(self).closest_after(point, room))
    }

    /// How far a point is from the surface, negative if it is inside.
    ///
    /// Error: the point is not finite.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::Scratch;
    /// use nearhit::glam::DVec3;
    ///
    /// let (model, mut scratch) = (cube(1.0), Scratch::new());
    /// assert_eq!(model.signed_distance(DVec3::ZERO, &mut scratch)?.distance, -1.0);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "signed distance field")]
    #[doc(alias = "SDF")]
    pub fn signed_distance(&self, point: DVec3, scratch: &mut Scratch) -> Result<SignedDistance, QueryError> {
        check_point(0, point)?;
        Ok(Placed::own(self).signed_distance(point, scratch.room()))
    }

    /// [`Model::signed_distance`] for many points, on all threads.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::glam::DVec3;
    ///
    /// let (model, points) = (cube(1.0), [DVec3::ZERO, DVec3::new(3.0, 0.0, 0.0)]);
    /// let found = model.signed_distance_each(&points)?;
    /// assert_eq!((found[0].distance, found[1].distance), (-1.0, 2.0));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "signed distance field")]
    #[doc(alias = "SDF")]
    pub fn signed_distance_each(&self, points: &[DVec3]) -> Result<Vec<SignedDistance>, QueryError> {
        let _made = self.inside();
        each(self, points, |point, room| {
            let placed = Placed::own(self);
            placed.signed(placed.closest_after(point, room), point, room)
        })
    }

    /// The `count` triangles nearest to a point, nearest first, ties by index. The list lives in
    /// `scratch`.
    ///
    /// Error: the point is not finite.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::Scratch;
    /// use nearhit::glam::DVec3;
    ///
    /// let (model, mut scratch) = (cube(1.0), Scratch::new());
    /// let found = model.nearest_triangles(DVec3::new(3.0, 0.0, 0.0), 2, &mut scratch)?;
    /// assert_eq!((found.len(), found[0].distance), (2, 2.0));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "k nearest")]
    pub fn nearest_triangles<'s>(
        &self,
        point: DVec3,
        count: usize,
        scratch: &'s mut Scratch,
    ) -> Result<&'s [NearTriangle], QueryError> {
        check_point(0, point)?;
        Ok(Placed::own(self).several(point, count, scratch.room()))
    }

    /// [`Model::nearest_triangles`] for many points, on all threads.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::glam::DVec3;
    ///
    /// let (model, points) = (cube(1.0), [DVec3::ZERO, DVec3::new(3.0, 0.0, 0.0)]);
    /// let found = model.nearest_triangles_each(&points, 2)?;
    /// assert_eq!((found.len(), found[1].len()), (2, 2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn nearest_triangles_each(&self, points: &[DVec3], count: usize) -> Result<Vec<Vec<NearTriangle>>, QueryError> {
        let _made = self.point_tree();
        each(self, points, |point, room| Placed::own(self).several(point, count, room).to_vec())
    }
}

impl Placed<'_> {
    pub(crate) fn closest(&self, point: DVec3, room: &mut Room) -> ClosestPoint {
        self.closest_counted(point, room, &mut Stats::default())
    }

    /// The same, with the work added up.
    pub(crate) fn closest_counted(&self, point: DVec3, room: &mut Room, stats: &mut Stats) -> ClosestPoint {
        let mut search = Closest { placed: self, point, best: None };
        *stats += self.near(point, &mut search, &mut room.open);
        search.closest()
    }

    /// The same in a batch: the triangle nearest to the point before may be near this one, too.
    fn closest_after(&self, point: DVec3, room: &mut Room) -> ClosestPoint {
        let mut search = Closest { placed: self, point, best: None };
        room.last.into_iter().for_each(|known| search.look(known));
        self.near(point, &mut search, &mut room.open);
        let found = search.closest();
        room.last = Some(found.triangle);
        found
    }

    fn several<'r>(&self, point: DVec3, count: usize, room: &'r mut Room) -> &'r [NearTriangle] {
        let Room { open, near: found, .. } = room;
        found.clear();
        if count > 0 {
            self.near(point, &mut Several { placed: self, point, count, found }, open);
        }
        found
    }

    pub(crate) fn signed_distance(&self, point: DVec3, room: &mut Room) -> SignedDistance {
        let closest = self.closest(point, room);
        self.signed(closest, point, room)
    }

    fn signed(&self, closest: ClosestPoint, point: DVec3, room: &mut Room) -> SignedDistance {
        let containment = self.contains(point, room);
        let sign = if containment.location == Location::Inside { -1.0 } else { 1.0 };
        SignedDistance { distance: sign * closest.distance, closest, containment }
    }
}

struct Closest<'c> {
    placed: &'c Placed<'c>,
    point: DVec3,
    best: Option<(u32, Nearest)>,
}

impl Closest<'_> {
    fn closest(&self) -> ClosestPoint {
        let (triangle, nearest) = self.best.expect("a mesh has a triangle, and no distance is beyond infinity");
        ClosestPoint { point: nearest.on_b, distance: nearest.distance, triangle }
    }
}

impl Near for Closest<'_> {
    #[inline]
    fn threshold(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |(_, nearest)| nearest.distance.next_up())
    }

    #[inline]
    fn look(&mut self, triangle: u32) {
        let limit = self.best.map_or(f64::INFINITY, |(_, nearest)| nearest.distance);
        // Nothing is nearer than zero: only an earlier triangle would be better.
        if limit == 0.0 && self.best.is_some_and(|(known, _)| known < triangle) {
            return;
        }
        let Some(nearest) = distance_from_within(self.point, &self.placed.triangle(triangle), limit) else { return };
        if self.best.is_none_or(|(known, _)| nearest.distance < limit || triangle < known) {
            self.best = Some((triangle, nearest));
        }
    }
}

struct Several<'c> {
    placed: &'c Placed<'c>,
    point: DVec3,
    count: usize,
    /// In order.
    found: &'c mut Vec<NearTriangle>,
}

impl Several<'_> {
    fn limit(&self) -> f64 {
        if self.found.len() < self.count { f64::INFINITY } else { self.found[self.count - 1].distance }
    }
}

impl Near for Several<'_> {
    fn threshold(&self) -> f64 {
        self.limit().next_up()
    }

    fn look(&mut self, triangle: u32) {
        let corners = self.placed.triangle(triangle);
        let Some(nearest) = distance_from_within(self.point, &corners, self.limit()) else { return };
        let near = NearTriangle { triangle, distance: nearest.distance };
        let before = |known: &NearTriangle| (known.distance, known.triangle) < (near.distance, near.triangle);
        let at = self.found.partition_point(before);
        self.found.insert(at, near);
        self.found.truncate(self.count);
    }
}
