//! The triangles of one part that may meet another part: in the pair's frame, corners welded,
//! repeated triangles once.

use super::cover::Line;
use crate::bounds::Bounds;
use crate::error::MeshError;
use crate::mesh::{Mesh, Triangle};
use crate::model::Model;
use crate::packed::point::Near;
use crate::point::{Placed, Room};
use crate::primitive::distance::distance_from_within;
use crate::traverse::Stats;
use glam::DVec3;
use std::collections::{HashMap, HashSet};

/// A part of a surface, with a tree of its own.
#[derive(Debug)]
pub(super) struct Surface {
    pub(super) model: Model,
    /// Triangles of the part's mesh, and which triangle here stands for each.
    pub(super) members: Vec<(u32, u32)>,
}

impl Surface {
    /// The triangles that come near the box. Corners in the same cell of a grid are one corner.
    /// Nothing if there is no such triangle.
    pub(super) fn new(placed: &Placed<'_>, near: &Bounds, cell: f64) -> Result<Option<Self>, MeshError> {
        let mesh = placed.model.mesh();
        let (mut corners, mut known) = (Vec::new(), HashMap::new());
        let mut weld = |point: DVec3| {
            let key = (point / cell).round().to_array().map(|x| x as i64);
            *known.entry(key).or_insert_with(|| {
                corners.push(point.to_array());
                corners.len() as u32 - 1
            })
        };
        let (mut triangles, mut members, mut first) = (Vec::new(), Vec::new(), HashMap::new());
        for index in 0..mesh.triangles().len() as u32 {
            let triangle = placed.triangle(index);
            if !triangle.into_iter().collect::<Bounds>().near(near, 0.0) {
                continue;
            }
            let places = triangle.map(&mut weld);
            let mut sorted = places;
            sorted.sort_unstable();
            let kept = *first.entry(sorted).or_insert_with(|| {
                triangles.push(places);
                triangles.len() as u32 - 1
            });
            members.push((index, kept));
        }
        if triangles.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { model: Model::new(Mesh::new(&corners, &triangles)?), members }))
    }

    pub(super) fn len(&self) -> usize {
        self.model.mesh().triangles().len()
    }

    pub(super) fn triangle(&self, index: u32) -> Triangle {
        self.model.mesh().triangle(index)
    }

    /// Some triangle that is at most `limit` from a point: the search ends with the first.
    pub(super) fn any_within(&self, point: DVec3, limit: f64, room: &mut Room, stats: &mut Stats) -> Option<u32> {
        let is_within = |triangle: &Triangle| distance_from_within(point, triangle, limit).is_some();
        self.any(point, limit, is_within, room, stats)
    }

    /// The same to rounding: where a point lies on a triangle exact arithmetic takes long.
    pub(super) fn any_near(&self, point: DVec3, limit: f64, room: &mut Room, stats: &mut Stats) -> Option<u32> {
        let line = Line::new([point; 2]);
        self.any(point, limit, |triangle: &Triangle| line.near(triangle, limit).is_some(), room, stats)
    }

    fn any(
        &self,
        point: DVec3,
        limit: f64,
        is_within: impl Fn(&Triangle) -> bool,
        room: &mut Room,
        stats: &mut Stats,
    ) -> Option<u32> {
        let mut any = Any { surface: self, limit, is_within, found: None };
        *stats += Placed::own(&self.model).near(point, &mut any, &mut room.open);
        any.found
    }

    /// Does one triangle come within `limit` of the whole of this one? Distance to a triangle is
    /// convex: the corners tell.
    pub(super) fn covers(&self, triangle: &Triangle, limit: f64, room: &mut Room, stats: &mut Stats) -> bool {
        let middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
        let Some(cover) = self.any_near(middle, limit, room, stats) else { return false };
        let cover = self.triangle(cover);
        triangle.iter().all(|&corner| Line::new([corner; 2]).near(&cover, limit).is_some())
    }

    /// The indices in the part's mesh of the triangles that are marked here.
    pub(super) fn marked(&self, marks: &HashSet<u32>) -> Vec<u32> {
        self.members.iter().filter(|(_, kept)| marks.contains(kept)).map(|&(index, _)| index).collect()
    }
}

struct Any<'s, F> {
    surface: &'s Surface,
    limit: f64,
    is_within: F,
    found: Option<u32>,
}

impl<F: Fn(&Triangle) -> bool> Near for Any<'_, F> {
    fn threshold(&self) -> f64 {
        // A negative one ends the search.
        if self.found.is_some() { -1.0 } else { self.limit.next_up() }
    }

    fn look(&mut self, triangle: u32) {
        if self.found.is_none() && (self.is_within)(&self.surface.triangle(triangle)) {
            self.found = Some(triangle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::{Soup, shapes};

    /// Corners that differ in the last digits are one, and so are the triangles on them; those a
    /// few cells apart are not.
    #[test]
    fn corners_of_one_cell_are_welded() {
        const CELL: f64 = 1e-6;
        let welded = |soup: &Soup| {
            let model = Model::new(Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh"));
            let near = Bounds::from_iter([DVec3::splat(-9.0), DVec3::splat(9.0)]);
            Surface::new(&Placed::own(&model), &near, CELL).expect("legal").expect("some")
        };
        let cube = shapes::cuboid([0.0; 3], [1.0; 3]);
        let mut twice = cube.clone();
        twice.append(&cube.translated([0.01 * CELL; 3]));
        let one = welded(&twice);
        assert_eq!((one.len(), one.members.len(), one.model.mesh().vertices().len()), (12, 24, 8));
        let mut apart = cube.clone();
        apart.append(&cube.translated([20.0 * CELL, 0.0, 0.0]));
        let two = welded(&apart);
        assert_eq!((two.len(), two.members.len(), two.model.mesh().vertices().len()), (24, 24, 16));
    }
}
