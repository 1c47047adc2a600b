//! Ray casting: the first or all triangles that a ray hits.

use super::Room;
use super::order::answers;
use super::placed::Placed;
use crate::model::Model;
use crate::packed::ray::Along;
use crate::primitive::ray::{Ray, hit};
use crate::query::Scratch;
use glam::DVec3;
use std::ops::ControlFlow;

/// Where a ray meets a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// How far along the ray; zero exactly when it starts on the triangle.
    pub distance: f64,
    /// The triangle, by index.
    pub triangle: u32,
    /// Where.
    pub point: DVec3,
}

impl RayHit {
    fn key(&self) -> (f64, u32) {
        (self.distance, self.triangle)
    }
}

impl Model {
    /// The first triangle along a ray; of those hit at the same length, the one with the smallest
    /// index. Exact about hit or miss, of the numbers the ray was made of: nothing slips between
    /// two triangles.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::glam::DVec3;
    /// use nearhit::{Ray, Scratch};
    ///
    /// let model = cube(1.0);
    /// let ray = Ray::new(DVec3::new(0.5, 0.25, -3.0), DVec3::Z)?;
    /// let hit = model.first_hit(&ray, &mut Scratch::new());
    /// assert_eq!(hit.map(|hit| hit.distance), Some(2.0));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "ray casting")]
    #[doc(alias = "raycast")]
    #[doc(alias = "ray tracing")]
    #[must_use]
    pub fn first_hit(&self, ray: &Ray, scratch: &mut Scratch) -> Option<RayHit> {
        self.first(ray, scratch.room())
    }

    /// [`Model::first_hit`] for many rays, on all threads.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::glam::DVec3;
    /// use nearhit::Ray;
    ///
    /// let model = cube(1.0);
    /// let ray = Ray::new(DVec3::new(0.5, 0.25, -3.0), DVec3::Z)?;
    /// assert_eq!(model.first_hit_each(&[ray])[0].map(|hit| hit.distance), Some(2.0));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "ray casting")]
    #[doc(alias = "raycast")]
    #[must_use]
    pub fn first_hit_each(&self, rays: &[Ray]) -> Vec<Option<RayHit>> {
        let _made = self.point_tree();
        self.answers_of(rays, |ray, room| self.first(ray, room))
    }

    /// Every triangle that the ray meets, in the order of [`Model::first_hit`]. A ray through an
    /// edge meets both of its triangles. The list lives in `scratch`.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::glam::DVec3;
    /// use nearhit::{Ray, Scratch};
    ///
    /// let model = cube(1.0);
    /// let ray = Ray::new(DVec3::new(0.5, 0.25, -3.0), DVec3::Z)?;
    /// let mut scratch = Scratch::new();
    /// let hits = model.all_hits(&ray, &mut scratch);
    /// assert_eq!(hits.iter().map(|hit| hit.distance).collect::<Vec<_>>(), [2.0, 4.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "ray casting")]
    pub fn all_hits<'s>(&self, ray: &Ray, scratch: &'s mut Scratch) -> &'s [RayHit] {
        self.all(ray, scratch.room())
    }

    /// [`Model::all_hits`] for many rays, on all threads.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::glam::DVec3;
    /// use nearhit::Ray;
    ///
    /// let model = cube(1.0);
    /// let ray = Ray::new(DVec3::new(0.5, 0.25, -3.0), DVec3::Z)?;
    /// assert_eq!(model.all_hits_each(&[ray])[0].len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn all_hits_each(&self, rays: &[Ray]) -> Vec<Vec<RayHit>> {
        let _made = self.point_tree();
        self.answers_of(rays, |ray, room| self.all(ray, room).to_vec())
    }

    fn answers_of<T: Send>(&self, rays: &[Ray], answer: impl Fn(&Ray, &mut Room) -> T + Sync) -> Vec<T> {
        let place = |index: usize| (rays[index].origin(), rays[index].direction());
        answers(self, rays.len(), place, |index, room| answer(&rays[index], room))
    }

    fn all<'r>(&self, ray: &Ray, room: &'r mut Room) -> &'r [RayHit] {
        let Room { open, hits, .. } = room;
        hits.clear();
        let placed = Placed::own(self);
        placed.along(ray.origin(), ray.direction(), &mut All { model: self, ray, hits }, open);
        hits.sort_unstable_by(|one, other| {
            one.distance.total_cmp(&other.distance).then(one.triangle.cmp(&other.triangle))
        });
        hits
    }

    fn first(&self, ray: &Ray, room: &mut Room) -> Option<RayHit> {
        let mut first = First { model: self, ray, best: None };
        Placed::own(self).along(ray.origin(), ray.direction(), &mut first, &mut room.open);
        first.best
    }

    #[inline]
    fn hit(&self, ray: &Ray, triangle: u32) -> Option<RayHit> {
        let distance = hit(ray, &self.mesh().triangle(triangle))?;
        Some(RayHit { distance, triangle, point: ray.at(distance) })
    }
}

struct First<'r> {
    model: &'r Model,
    ray: &'r Ray,
    best: Option<RayHit>,
}

impl Along for First<'_> {
    #[inline]
    fn limit(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |best| best.distance)
    }

    #[inline]
    fn look(&mut self, triangle: u32) -> ControlFlow<()> {
        if let Some(found) = self.model.hit(self.ray, triangle)
            && self.best.is_none_or(|best| found.key() < best.key())
        {
            self.best = Some(found);
        }
        ControlFlow::Continue(())
    }
}

struct All<'r> {
    model: &'r Model,
    ray: &'r Ray,
    hits: &'r mut Vec<RayHit>,
}

impl Along for All<'_> {
    fn limit(&self) -> f64 {
        f64::INFINITY
    }

    fn look(&mut self, triangle: u32) -> ControlFlow<()> {
        self.hits.extend(self.model.hit(self.ray, triangle));
        ControlFlow::Continue(())
    }
}
