//! A model where it lies, for points and rays given in the frame it lies in.
//!
//! Trees only cull, in the model's own frame and with slack; decisions are taken on triangles as
//! [`Pose::apply`] moves them.

use crate::mesh::Triangle;
use crate::model::Model;
use crate::packed::point::{Near, Open};
use crate::packed::ray::Along;
use crate::packed::{self, MAX_PACKED, Packed};
use crate::pose::Pose;
use crate::traverse::Stats;
use crate::volume::slack;
use glam::DVec3;

/// A model in its own frame or posed in another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed<'m> {
    pub(crate) model: &'m Model,
    /// From the model's frame here, and back.
    poses: Option<(Pose, Pose)>,
}

impl<'m> Placed<'m> {
    /// In its own frame.
    pub(crate) fn own(model: &'m Model) -> Self {
        Self { model, poses: None }
    }

    /// Moved by `here_from_model`.
    pub(crate) fn posed(model: &'m Model, here_from_model: &Pose) -> Self {
        Self { model, poses: Some((*here_from_model, here_from_model.inverse())) }
    }

    /// From the model's frame here, if that is another.
    pub(crate) fn pose(&self) -> Option<&Pose> {
        self.poses.as_ref().map(|(here_from_model, _)| here_from_model)
    }

    /// A point of the model, here: the bits that decide.
    #[inline]
    pub(crate) fn point(&self, point: DVec3) -> DVec3 {
        self.poses.map_or(point, |(here_from_model, _)| here_from_model.apply(point))
    }

    /// A triangle, here.
    #[inline]
    pub(crate) fn triangle(&self, index: u32) -> Triangle {
        self.model.mesh().triangle(index).map(|corner| self.point(corner))
    }

    /// A triangle's corners as seen from a point of here, where that is another frame than the
    /// model's.
    #[inline]
    pub(crate) fn offsets(&self, index: u32, from: DVec3) -> Option<Triangle> {
        self.poses.is_some().then(|| self.triangle(index).map(|corner| corner - from))
    }

    /// A point of here in the model's frame, to rounding.
    #[inline]
    pub(crate) fn local(&self, point: DVec3) -> DVec3 {
        self.poses.map_or(point, |(_, model_from_here)| model_from_here.apply(point))
    }

    /// How far rounding may be off around a point of here.
    pub(crate) fn slack(&self, point: DVec3) -> f64 {
        let moved = self.poses.map_or(0.0, |(pose, _)| pose.translation().abs().max_element());
        slack(self.model.mesh().max_coordinate() + point.abs().max_element() + moved)
    }

    /// The tree, unless it or the point is beyond its range.
    pub(crate) fn tree_at(&self, local: DVec3) -> Option<&'m Packed> {
        self.model.point_tree().filter(|_| local.abs().max_element() <= MAX_PACKED)
    }

    fn triangles(&self) -> std::ops::Range<u32> {
        0..self.model.mesh().triangles().len() as u32
    }

    /// Shows every triangle that may be within the threshold of a point of here.
    pub(crate) fn near<N: Near>(&self, point: DVec3, near: &mut N, open: &mut Open) -> Stats {
        let local = self.local(point);
        match self.tree_at(local) {
            Some(tree) => packed::point::search(tree, local, self.slack(point), near, open),
            None => {
                self.triangles().for_each(|triangle| near.look(triangle));
                Stats { triangle_tests: self.triangles().len() as u64, ..Stats::default() }
            }
        }
    }

    /// Shows every triangle that a ray of here may meet within the limit; the direction has length
    /// one.
    pub(crate) fn along<A: Along>(&self, origin: DVec3, direction: DVec3, along: &mut A, open: &mut Open) -> Stats {
        match self.tree_at(self.local(origin)) {
            Some(tree) => self.along_in(tree, origin, direction, along, open),
            None => {
                let looked_at = self.triangles().take_while(|&triangle| along.look(triangle).is_continue()).count();
                Stats { triangle_tests: looked_at as u64, ..Stats::default() }
            }
        }
    }

    /// The same of a tree over vertices of the model, for an origin in its range.
    pub(crate) fn along_in<A: Along>(
        &self,
        tree: &Packed,
        origin: DVec3,
        direction: DVec3,
        along: &mut A,
        open: &mut Open,
    ) -> Stats {
        let turned = self.poses.map_or(direction, |(_, model_from_here)| model_from_here.rotation() * direction);
        packed::ray::search(tree, self.local(origin), turned, self.slack(origin), along, open)
    }
}
