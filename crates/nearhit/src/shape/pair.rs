//! Two shapes, placed: the questions of a pair of meshes, for any two shapes.

use super::convex::{self, Bodies, Body, Gap, Goal, Placed};
use super::extremes::{self, Extremes};
use super::half_space::Plane;
use super::mesh::MeshSide;
use super::pieces::Pieces;
use super::point::ball_depth;
use super::sets::Sets;
use super::{Kind, Shape};
use crate::error::{MAX_COORDINATE, QueryError};
use crate::model::Model;
use crate::pose::Pose;
use crate::query::{
    Collision, Distance, Interval, Pair, Scratch, Seed, Settings, Tolerance, TrianglePair, Verdict, Within,
};
use crate::solid::{Side, SolidCollision, SolidContact};
use crate::traverse::Stats;
use glam::DVec3;
use std::cmp::Ordering;

/// Two shapes and how they lie: what a question is asked of. All points and directions are in a's
/// frame.
#[doc(alias = "narrow phase")]
#[doc(alias = "GJK")]
#[derive(Debug, Clone, Copy)]
pub struct ShapePair<'s> {
    pub(super) a: &'s Shape,
    pub(super) b: &'s Shape,
    pub(super) a_from_b: Pose,
}

/// How deep two shapes overlap: the answer of [`ShapePair::penetration`].
#[doc(alias = "penetration depth")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Penetration {
    /// The length of the shortest translation that takes the shapes apart; zero if they are.
    /// Infinite between half-spaces that cannot be taken apart.
    pub depth: Interval,
    /// Unit vector from a to b: moving b along it by the upper end of the depth leaves the shapes
    /// touching at most.
    pub normal: DVec3,
    /// The point of a that lies deepest in b, along the normal.
    pub on_a: DVec3,
    /// The point of b that lies deepest in a.
    pub on_b: DVec3,
}

/// The distance of two shapes with points and a direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Separation {
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) on_a: DVec3,
    pub(super) on_b: DVec3,
}

/// Which two kinds meet.
pub(super) enum Case<'s> {
    Convex(Bodies<'s>),
    /// A half-space, and a convex shape; true if the half-space is b.
    Below(Plane, Body<'s>, bool),
    HalfSpaces(Plane, Plane),
    Meshes(Meshes<'s>),
    /// A mesh, and a convex shape.
    Mesh(MeshSide<'s>, Body<'s>),
    /// A mesh over a half-space.
    MeshBelow(MeshSide<'s>, Plane),
    /// A point cloud, height field or octree, and anything.
    Sets(Sets<'s>),
}

/// Two meshes, each a surface or a solid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meshes<'s> {
    pub(super) a: &'s Model,
    pub(super) b: &'s Model,
    is_solid: [bool; 2],
}

impl<'s> ShapePair<'s> {
    /// Two shapes, each placed in the world.
    ///
    /// Errors: the two are meshes with trees of different volumes, or a coordinate of b in a's
    /// frame exceeds 1e300.
    pub fn new(a: &'s Shape, world_from_a: &Pose, b: &'s Shape, world_from_b: &Pose) -> Result<Self, QueryError> {
        Self::relative(a, b, &Pose::a_from_b(world_from_a, world_from_b))
    }

    /// Two shapes, b placed in a's frame.
    #[inline]
    pub fn relative(a: &'s Shape, b: &'s Shape, a_from_b: &Pose) -> Result<Self, QueryError> {
        let translation = a_from_b.translation();
        if let Some(&value) = translation.to_array().iter().find(|value| !(value.abs() <= MAX_COORDINATE)) {
            return Err(QueryError::TooFarApart { value });
        }
        let pair = Self { a, b, a_from_b: *a_from_b };
        match (a.kind(), b.kind()) {
            (Kind::Mesh { model: a, .. }, Kind::Mesh { model: b, .. }) => {
                Pair::relative(a, b, a_from_b)?;
            }
            (_, Kind::HalfSpace(plane)) => {
                let value = plane.posed(a_from_b).level();
                if !(value.abs() <= MAX_COORDINATE) {
                    return Err(QueryError::TooFarApart { value });
                }
            }
            _ => pair.check_reach()?,
        }
        Ok(pair)
    }

    fn check_reach(&self) -> Result<(), QueryError> {
        let (reach, points) = match self.b.kind() {
            Kind::Mesh { model, .. } => (model.mesh().max_coordinate(), model.mesh().vertices()),
            Kind::Corners(corners) => (self.b.core().map_or(0.0, |core| core.reach()), corners.points()),
            Kind::Cloud(cloud) => (cloud.reach(), cloud.points()),
            Kind::Field(field) => (field.reach(), &[][..]),
            Kind::Cells(cells) => (cells.reach(), &[][..]),
            _ => (self.b.core().map_or(0.0, |core| core.reach()), &[][..]),
        };
        let largest = 2.0 * reach + self.a_from_b.translation().abs().max_element();
        if largest <= MAX_COORDINATE {
            return Ok(());
        }
        if points.is_empty() {
            return Err(QueryError::TooFarApart { value: largest });
        }
        for (vertex, &point) in points.iter().enumerate() {
            let moved = self.a_from_b.apply(point).to_array();
            if let Some(&value) = moved.iter().find(|value| !(value.abs() <= MAX_COORDINATE)) {
                return Err(QueryError::PosedTooLarge { vertex, value });
            }
        }
        Ok(())
    }

    /// Shape a.
    #[must_use]
    pub fn a(&self) -> &'s Shape {
        self.a
    }

    /// Shape b.
    #[must_use]
    pub fn b(&self) -> &'s Shape {
        self.b
    }

    /// The pose that the questions are asked in.
    #[must_use]
    pub fn a_from_b(&self) -> &Pose {
        &self.a_from_b
    }

    #[inline]
    pub(super) fn case(&self) -> Case<'s> {
        let pose = &self.a_from_b;
        match (self.a.kind(), self.b.kind()) {
            (Kind::Cloud(_) | Kind::Field(_) | Kind::Cells(_), _)
            | (_, Kind::Cloud(_) | Kind::Field(_) | Kind::Cells(_)) => Case::Sets(Sets::new(self.a, self.b, pose)),
            (Kind::HalfSpace(a), Kind::HalfSpace(b)) => Case::HalfSpaces(*a, b.posed(pose)),
            (Kind::Mesh { model: a, is_solid: of_a }, Kind::Mesh { model: b, is_solid: of_b }) => {
                Case::Meshes(Meshes { a, b, is_solid: [*of_a, *of_b] })
            }
            (Kind::Mesh { model: a, .. }, Kind::HalfSpace(b)) => Case::MeshBelow(MeshSide::a(a, false), b.posed(pose)),
            (Kind::HalfSpace(a), Kind::Mesh { model: b, .. }) => Case::MeshBelow(MeshSide::b(b, pose, false), *a),
            (Kind::HalfSpace(a), _) => Case::Below(*a, self.posed_b(), false),
            (_, Kind::HalfSpace(b)) => Case::Below(b.posed(pose), self.own_a(), true),
            (Kind::Mesh { model, is_solid }, _) => Case::Mesh(MeshSide::a(model, *is_solid), self.posed_b()),
            (_, Kind::Mesh { model, is_solid }) => Case::Mesh(MeshSide::b(model, pose, *is_solid), self.own_a()),
            _ => Case::Convex(Bodies::new(self.own_a(), self.posed_b())),
        }
    }

    /// Two convex shapes, without a way through all other cases.
    #[inline]
    fn bodies(&self) -> Option<Bodies<'s>> {
        Some(Bodies::posed(self.a.core()?, self.b.core()?, &self.a_from_b))
    }

    #[inline]
    fn own_a(&self) -> Body<'s> {
        Body::own(self.a.core().unwrap_or(super::core::Core::Point(DVec3::ZERO)))
    }

    #[inline]
    fn posed_b(&self) -> Body<'s> {
        Body::posed(self.b.core().unwrap_or(super::core::Core::Point(DVec3::ZERO)), &self.a_from_b)
    }

    /// What the shapes are grown by.
    #[inline]
    pub(super) fn margins(&self) -> Margins {
        Margins { a: self.a.margin(), b: self.b.margin() }
    }

    /// Do the two shapes share a point?
    ///
    /// ```
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch, Settings, Verdict};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (a, b) = (Shape::cuboid([2.0, 2.0, 2.0])?, Shape::ball(0.5)?);
    /// let beside = Pose::from_translation([1.5, 0.0, 0.0])?;
    /// let pair = ShapePair::new(&a, &Pose::IDENTITY, &b, &beside)?;
    /// let found = pair.collide(&Settings::default(), &mut Scratch::new());
    /// assert_eq!(found.verdict, Verdict::Yes); // touching counts
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "collision detection")]
    #[doc(alias = "intersection test")]
    #[must_use]
    pub fn collide(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> Collision {
        let Within { verdict, witness, is_complete, stats, .. } = self.within(0.0, settings, scratch);
        Collision { verdict, witness, is_complete, stats }
    }

    /// The same, telling contact from one being inside the other without touching its surface: of a
    /// solid mesh and what is within it.
    pub(crate) fn touch(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> SolidCollision {
        let found = self.within(0.0, settings, scratch);
        let Some(pieces) = found.witness.filter(|_| found.verdict == Verdict::Yes) else {
            return SolidCollision::new(found.verdict, None, found.stats);
        };
        let margins = self.margins();
        let inside = match self.case() {
            Case::Mesh(mesh, body) if mesh.is_solid() => {
                let touches = convex_within(&mesh.bodies(mesh.triangle_of(pieces), &body), &margins, 0.0).near;
                (!touches).then(|| mesh.other())
            }
            Case::Meshes(meshes) if meshes.is_solid != [false, false] => {
                let pair = self.surfaces(&meshes);
                let near = pair.within(margins.up(), settings, scratch).witness.is_some();
                let mut stats = Stats::default();
                let mut contained = || meshes.contained(&pair, settings, scratch, &mut stats).1;
                if near { None } else { contained().and_then(SolidContact::inside) }
            }
            _ => None,
        };
        let contact = match inside {
            Some(body) => SolidContact::Contained { body, vertex: 0 },
            None => SolidContact::Surfaces(pieces),
        };
        SolidCollision::new(found.verdict, Some(contact), found.stats)
    }

    /// A direction from a to b of length one, in a's frame, and how far the shapes are apart along
    /// it at least, given their distance: for convex shapes that are apart.
    pub(crate) fn separating_direction(&self, found: &Distance) -> Option<(DVec3, f64)> {
        let margins = self.margins();
        match self.case() {
            Case::Convex(bodies) => {
                let away = found.on_b - found.on_a;
                let length = crate::vector::length(away);
                let direction = (length > 0.0).then(|| away / length)?;
                let [high, low] = [bodies.a.lowest(-direction), bodies.b.lowest(direction)];
                let gap = low.dot(direction) - high.dot(direction);
                let rounding = 32.0 * f64::EPSILON * (bodies.a.size() + bodies.b.size() + margins.up());
                Some((direction, gap - margins.up() - rounding - f64::MIN_POSITIVE))
            }
            Case::Below(plane, _, flipped) => Some((if flipped { -plane.normal } else { plane.normal }, found.lower)),
            Case::MeshBelow(mesh, plane) => {
                Some((if mesh.other() == Side::A { plane.normal } else { -plane.normal }, found.lower))
            }
            _ => None,
        }
    }

    /// Makes what meshes make on first use.
    pub(crate) fn prepare(&self) {
        if let Case::Meshes(meshes) = self.case() {
            self.surfaces(&meshes).prepare();
        }
        for shape in [self.a, self.b] {
            if let Some(model) = shape.model() {
                let _made = model.point_tree();
                if shape.is_solid() {
                    let _made = model.inside();
                }
            }
        }
    }

    /// Are the two shapes at most `limit` apart? A negative or NaN limit is never met.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch, Settings, Verdict};
    ///
    /// let (floor, tool) = (Shape::half_space([0.0, 0.0, 1.0], 0.0)?, Shape::cylinder(0.1, 1.0)?);
    /// let above = Pose::from_translation([0.0, 0.0, 0.75])?;
    /// let pair = ShapePair::new(&floor, &Pose::IDENTITY, &tool, &above)?;
    /// let (settings, mut scratch) = (Settings::default(), Scratch::new());
    /// assert_eq!(pair.within(0.3, &settings, &mut scratch).verdict, Verdict::Yes);
    /// assert_eq!(pair.within(0.2, &settings, &mut scratch).verdict, Verdict::No);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "tolerance verification")]
    #[doc(alias = "clearance")]
    #[must_use]
    pub fn within(&self, limit: f64, settings: &Settings<'_>, scratch: &mut Scratch) -> Within {
        if !(limit >= 0.0) {
            let (verdict, is_complete, stats) = (Verdict::No, true, Stats::default());
            return Within { verdict, witness: None, lower: 0.0, upper: None, is_complete, stats };
        }
        if let Some(direction) = settings.direction
            && let Some(lower) = self.apart_along(direction, limit)
        {
            let (verdict, is_complete, stats) = (Verdict::No, true, Stats::default());
            return Within { verdict, witness: None, lower, upper: None, is_complete, stats };
        }
        let margins = self.margins();
        let sum = margins.up() + limit;
        let gap = self.short_cut(Goal::Decide(sum));
        let clear = match &gap {
            Some(gap) => Near::clearly(gap, &margins, sum),
            None => self.clearly_over(&margins, sum),
        };
        if let Some(near) = clear {
            return near.answer();
        }
        if let Some(bodies) = self.bodies() {
            return convex_within(&bodies, &margins, limit).answer();
        }
        let near = match self.case() {
            Case::Convex(bodies) => convex_within(&bodies, &margins, limit),
            Case::Below(plane, body, _) => plane_within(&plane, &body, &margins, limit),
            Case::HalfSpaces(a, b) => {
                let (lower, upper) = a.gap(&b);
                let near = lower <= margins.up() + limit;
                Near { near, lower: margins.lower(lower), upper: margins.upper(upper) }
            }
            Case::Meshes(meshes) => return self.meshes_within(&meshes, limit, settings, scratch),
            Case::Mesh(mesh, body) => return mesh.within(&body, &margins, limit, settings, scratch),
            Case::MeshBelow(mesh, plane) => return mesh.above_within(&plane, &margins, limit),
            Case::Sets(sets) => return sets.within(limit, settings, scratch),
        };
        near.answer()
    }

    /// What a short cut says of two convex cores, without making bodies of them.
    #[inline]
    fn short_cut(&self, goal: Goal) -> Option<Gap> {
        let (a, b) = (self.a.core()?, self.b.core()?);
        let pose = &self.a_from_b;
        let size = a.reach() + (2.0 * b.reach() + pose.translation().abs().max_element());
        let (a, b) = (Placed { core: &a, pose: None }, Placed { core: &b, pose: Some(pose) });
        convex::short_cut(&a, &b, convex::common_length(size), goal)
    }

    /// A convex shape over a half-space, where that is clear.
    #[inline]
    fn clearly_over(&self, margins: &Margins, sum: f64) -> Option<Near> {
        let (plane, core, pose) = match (self.a.kind(), self.b.kind()) {
            (Kind::HalfSpace(plane), _) => (*plane, self.b.core()?, Some(&self.a_from_b)),
            (_, Kind::HalfSpace(plane)) => (plane.posed(&self.a_from_b), self.a.core()?, None),
            _ => return None,
        };
        let point = Placed { core: &core, pose }.support(-plane.normal);
        let size = pose.map_or(core.reach(), |pose| 2.0 * core.reach() + pose.translation().abs().max_element());
        let (height, rounding) = (plane.height(point), plane.rounding(size));
        let (lower, upper) = ((height - rounding).max(0.0), (height + rounding).max(0.0));
        let overlap = height + rounding < 0.0;
        let gap = Gap { lower, upper, on_a: point, on_b: point, normal: plane.normal, overlap, wide: false };
        Near::clearly(&gap, margins, sum)
    }

    /// The two models as a pair of surfaces.
    pub(super) fn surfaces(&self, meshes: &Meshes<'s>) -> Pair<'s> {
        Pair::relative(meshes.a, meshes.b, &self.a_from_b).expect("checked when this pair was made")
    }

    fn meshes_within(&self, meshes: &Meshes<'s>, limit: f64, settings: &Settings<'_>, scratch: &mut Scratch) -> Within {
        let (margins, pair) = (self.margins(), self.surfaces(meshes));
        let limit = margins.up() + limit;
        if limit > 0.0 && self.extremes().is_some_and(|both| extremes::are_beyond(&pair, both, limit)) {
            let (verdict, lower) = (Verdict::No, margins.lower(limit));
            return Within { verdict, witness: None, lower, upper: None, is_complete: true, stats: ONE };
        }
        let mut found = if limit == 0.0 {
            let found = pair.collide(settings, scratch);
            let upper = (found.verdict == Verdict::Yes).then_some(0.0);
            let Collision { verdict, witness, is_complete, stats } = found;
            Within { verdict, witness, lower: 0.0, upper, is_complete, stats }
        } else {
            let found = pair.within(limit, settings, scratch);
            let upper = found.upper.map(|upper| margins.upper(upper));
            Within { lower: margins.lower(found.lower), upper, ..found }
        };
        if found.verdict == Verdict::No {
            let (verdict, contact) = meshes.contained(&pair, settings, scratch, &mut found.stats);
            (found.verdict, found.is_complete) = (verdict, verdict != Verdict::Maybe);
            if contact.is_some() {
                (found.witness, found.lower, found.upper) = (Some(TrianglePair { a: 0, b: 0 }), 0.0, Some(0.0));
            } else if verdict == Verdict::Maybe {
                found.lower = 0.0;
            }
        }
        found
    }

    /// How far are the two shapes apart, and where are they closest? Zero if they overlap: see
    /// [`ShapePair::penetration`].
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch, Settings, Tolerance};
    ///
    /// let (a, b) = (Shape::cuboid([2.0, 2.0, 2.0])?, Shape::capsule(0.25, 1.0)?);
    /// let beside = Pose::from_translation([2.0, 0.0, 0.0])?;
    /// let pair = ShapePair::new(&a, &Pose::IDENTITY, &b, &beside)?;
    /// let nearest = pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new());
    /// assert!((nearest.upper - 0.75).abs() < 1e-12);
    /// assert!((nearest.on_a.x - 1.0).abs() < 1e-12 && (nearest.on_b.x - 1.75).abs() < 1e-12);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "closest points")]
    #[doc(alias = "separation distance")]
    #[must_use]
    pub fn distance(&self, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Distance {
        let margins = self.margins();
        let settled = self.short_cut(Goal::Narrow).and_then(|gap| Separation::clearly(&gap, &margins));
        if let Some(found) = settled {
            return found.answer(TrianglePair { a: 0, b: 0 }, true, ONE);
        }
        if let Some(bodies) = self.bodies() {
            return convex_distance(&bodies, &margins).answer(TrianglePair { a: 0, b: 0 }, true, ONE);
        }
        let found = match self.case() {
            Case::Convex(bodies) => convex_distance(&bodies, &margins),
            Case::Below(plane, body, flipped) => plane_distance(&plane, &body, &margins, flipped),
            Case::HalfSpaces(a, b) => half_space_distance(&a, &b, &margins),
            Case::Meshes(meshes) => return self.mesh_distance(&meshes, tolerance, settings, scratch),
            Case::Mesh(mesh, body) => {
                let mesh = mesh.with_extremes(self.a.extremes().or(self.b.extremes()));
                return mesh.distance(&body, &margins, tolerance, settings, scratch);
            }
            Case::MeshBelow(mesh, plane) => return mesh.above_distance(&plane, &margins),
            Case::Sets(sets) => return sets.distance(tolerance, settings, scratch),
        };
        found.answer(TrianglePair { a: 0, b: 0 }, true, ONE)
    }

    fn mesh_distance(
        &self,
        meshes: &Meshes<'s>,
        tolerance: Tolerance,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Distance {
        let (margins, pair) = (self.margins(), self.surfaces(meshes));
        // A share of the distance of what is grown is much less than one of the meshes' distance.
        let tolerance = if margins.up() > 0.0 { Tolerance::EXACT } else { tolerance };
        let mut found = match self.extreme_distance(&pair, settings, scratch) {
            Ok(found) => {
                let separation =
                    Separation { lower: found.lower, upper: found.upper, on_a: found.on_a, on_b: found.on_b };
                return separation.grown(&margins).answer(found.witness, true, found.stats);
            }
            Err(seed) => pair.distance(tolerance, &settings.seed(seed), scratch),
        };
        if found.upper > 0.0 {
            let (verdict, contact) = meshes.contained(&pair, settings, scratch, &mut found.stats);
            if let Some(SolidContact::Contained { body, vertex }) = contact {
                let shared = pair.solid().shared_vertex(body, vertex, scratch);
                found = Distance { stats: found.stats, ..shared };
            } else if verdict == Verdict::Maybe {
                (found.lower, found.is_complete) = (0.0, false);
            }
        }
        let separation = Separation { lower: found.lower, upper: found.upper, on_a: found.on_a, on_b: found.on_b };
        separation.grown(&margins).answer(found.witness, found.is_complete, found.stats)
    }

    /// The hulls that both meshes keep.
    fn extremes(&self) -> Option<[&'s Extremes; 2]> {
        Some([self.a.extremes()?, self.b.extremes()?])
    }

    /// The distance of the surfaces, where hulls tell it: then neither is inside the other. If not,
    /// what is known to be near.
    fn extreme_distance(
        &self,
        pair: &Pair<'s>,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> Result<Distance, Option<Seed>> {
        let Some(both) = self.extremes().filter(|_| settings.budget.is_unlimited()) else { return Err(settings.seed) };
        match extremes::distance(pair, both, scratch.room()) {
            extremes::Known::All(witness, nearest, stats) => {
                let (lower, upper) = (nearest.distance, nearest.distance);
                let (on_a, on_b) = (nearest.on_a, nearest.on_b);
                Ok(Distance { lower, upper, witness, on_a, on_b, is_complete: true, stats })
            }
            extremes::Known::Some(pieces) => Err(Some(Seed(pieces))),
            extremes::Known::Nothing => Err(settings.seed),
        }
    }

    /// How deep do the two shapes overlap, and which way out is the shortest? For convex shapes and
    /// half-spaces; `None` if one of them is a mesh, which has no inside here, or has many pieces
    /// (point cloud, height field, octree): see [`ShapePair::contacts`].
    ///
    /// ```
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (a, b) = (Shape::cuboid([2.0, 2.0, 2.0])?, Shape::cuboid([1.0, 1.0, 1.0])?);
    /// let inside = Pose::from_translation([0.75, 0.0, 0.0])?;
    /// let pair = ShapePair::new(&a, &Pose::IDENTITY, &b, &inside)?;
    /// let found = pair.penetration(&mut Scratch::new()).expect("both are convex");
    /// assert!((found.depth.upper - 0.75).abs() < 1e-12 && found.normal.x > 0.999);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "penetration depth")]
    #[doc(alias = "EPA")]
    #[doc(alias = "minimum translation")]
    #[must_use]
    pub fn penetration(&self, scratch: &mut Scratch) -> Option<Penetration> {
        let margins = self.margins();
        match self.case() {
            Case::Convex(bodies) => Some(convex_penetration(&bodies, &margins, scratch.room())),
            Case::Below(plane, body, flipped) => Some(plane_penetration(&plane, &body, &margins, flipped)),
            Case::HalfSpaces(a, b) => Some(half_space_penetration(&a, &b, &margins)),
            _ => None,
        }
    }
}

impl Meshes<'_> {
    /// A piece of one inside the other, if that is a solid; given that the surfaces do not touch.
    fn contained(
        &self,
        pair: &Pair<'_>,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> (Verdict, Option<SolidContact>) {
        for (inner, counts) in [(Side::B, self.is_solid[0]), (Side::A, self.is_solid[1])] {
            if counts {
                let found = pair.solid().piece_inside(inner, settings, scratch, stats);
                if found.0 != Verdict::No {
                    return found;
                }
            }
        }
        (Verdict::No, None)
    }
}

const ONE: Stats = Stats { volume_tests: 0, triangle_tests: 1, updates: 0 };

/// What two shapes are grown by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Margins {
    pub(super) a: f64,
    pub(super) b: f64,
}

impl Margins {
    /// Their sum, not rounded down.
    #[inline]
    pub(super) fn up(&self) -> f64 {
        let sum = self.a + self.b;
        if self.a == 0.0 || self.b == 0.0 { sum } else { sum.next_up() }
    }

    /// Their sum, not rounded up.
    #[inline]
    pub(super) fn down(&self) -> f64 {
        let sum = self.a + self.b;
        if self.a == 0.0 || self.b == 0.0 { sum } else { sum.next_down() }
    }

    /// A lower bound of the grown shapes' distance, from one of their cores'.
    #[inline]
    pub(super) fn lower(&self, core: f64) -> f64 {
        if self.up() == 0.0 { core } else { (core - self.up()).next_down().max(0.0) }
    }

    /// An upper bound.
    #[inline]
    pub(super) fn upper(&self, core: f64) -> f64 {
        if self.up() == 0.0 { core } else { (core - self.down()).next_up().max(0.0) }
    }
}

/// Closer than a limit?
pub(super) struct Near {
    pub(super) near: bool,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Separation {
    /// From a gap of cores, where it is clear on which side of the margins it lies.
    #[inline]
    fn clearly(gap: &Gap, margins: &Margins) -> Option<Self> {
        let Gap { lower, upper, on_a, on_b, .. } = *gap;
        if gap.overlap || upper < margins.down() {
            return Some(Self::touching(on_a, on_b, margins));
        }
        (lower > margins.up()).then(|| Self { lower, upper, on_a, on_b }.grown(margins))
    }

    /// From cores to shapes.
    #[inline]
    pub(super) fn grown(self, margins: &Margins) -> Self {
        let (lower, upper) = (margins.lower(self.lower), margins.upper(self.upper));
        let (on_a, on_b) = surface_points(self.on_a, self.on_b, margins, upper == 0.0);
        Self { lower, upper, on_a, on_b }
    }

    /// The shapes touch; points of cores are given.
    #[inline]
    fn touching(on_a: DVec3, on_b: DVec3, margins: &Margins) -> Self {
        let (on_a, on_b) = surface_points(on_a, on_b, margins, true);
        Self { lower: 0.0, upper: 0.0, on_a, on_b }
    }

    /// The shapes touch.
    pub(super) fn touching_at(self, margins: &Margins) -> Self {
        Self::touching(self.on_a, self.on_b, margins)
    }

    /// Known to be apart, however little: the lower bound says so, too, unless it is by less than
    /// the smallest number.
    pub(super) fn apart(self, order: impl Fn(f64) -> Ordering) -> Self {
        let hair = f64::from_bits(1);
        let lower = if self.lower == 0.0 && order(hair) != Ordering::Less { hair } else { self.lower };
        Self { lower, upper: self.upper.max(hair), ..self }
    }

    /// With a and b exchanged.
    pub(super) fn swapped(self) -> Self {
        Self { on_a: self.on_b, on_b: self.on_a, ..self }
    }

    pub(super) fn answer(self, witness: TrianglePair, is_complete: bool, stats: Stats) -> Distance {
        let Self { lower, upper, on_a, on_b } = self;
        Distance { lower: lower.min(upper), upper, witness, on_a, on_b, is_complete, stats }
    }
}

/// From points of two cores to points of the grown shapes: the same point twice, if those touch.
#[inline]
fn surface_points(on_a: DVec3, on_b: DVec3, margins: &Margins, touching: bool) -> (DVec3, DVec3) {
    let away = on_b - on_a;
    let length = crate::vector::length(away);
    if touching {
        let share = if margins.up() > 0.0 { margins.a / margins.up() } else { 0.5 };
        let shared = on_a + away * share;
        return (shared, shared);
    }
    if length == 0.0 || margins.up() == 0.0 {
        return (on_a, on_b);
    }
    let direction = away / length;
    (on_a + direction * margins.a, on_b - direction * margins.b)
}

impl Near {
    /// Where a gap of cores lies clearly on one side of a limit: both roundings of the sum, and of
    /// the bound itself, are out of the way.
    #[inline]
    fn clearly(gap: &Gap, margins: &Margins, sum: f64) -> Option<Self> {
        let (low, high) = (sum * (1.0 - 8.0 * f64::EPSILON), sum * (1.0 + 8.0 * f64::EPSILON));
        let (lower, upper) = (margins.lower(gap.lower), margins.upper(gap.upper));
        if gap.lower > high {
            return Some(Self { near: false, lower, upper });
        }
        (gap.overlap || gap.upper < low).then_some(Self { near: true, lower: 0.0, upper })
    }

    fn answer(&self) -> Within {
        let witness = self.near.then_some(TrianglePair { a: 0, b: 0 });
        let verdict = if self.near { Verdict::Yes } else { Verdict::No };
        Within { verdict, witness, lower: self.lower, upper: Some(self.upper), is_complete: true, stats: ONE }
    }
}

pub(super) fn convex_within(bodies: &Bodies<'_>, margins: &Margins, limit: f64) -> Near {
    let sum = margins.up() + limit;
    let gap = convex::gap(bodies, Goal::Decide(sum), None);
    if let Some(near) = Near::clearly(&gap, margins, sum) {
        return near;
    }
    if bodies.are_flat() {
        let exact = convex::compare(bodies, &[margins.a, margins.b, limit]);
        let (lower, upper) = (margins.lower(exact.lower), margins.upper(exact.upper));
        return Near { near: exact.order != Ordering::Greater, lower, upper };
    }
    let found = convex_distance(bodies, margins);
    Near { near: found.lower <= limit, lower: found.lower, upper: found.upper }
}

/// The one function that decides about round shapes, and the distance of all convex ones.
fn convex_distance(bodies: &Bodies<'_>, margins: &Margins) -> Separation {
    let gap = convex::gap(bodies, Goal::Narrow, None);
    separation(bodies, margins, &gap)
}

pub(super) fn separation(bodies: &Bodies<'_>, margins: &Margins, gap: &Gap) -> Separation {
    let Gap { upper, on_a, on_b, .. } = *gap;
    let touches = gap.overlap || upper < margins.down();
    let clear = Separation::clearly(gap, margins).filter(|_| touches || !(gap.wide && bodies.are_flat()));
    if let Some(clear) = clear {
        return clear;
    }
    if !bodies.are_flat() {
        return Separation { lower: 0.0, upper, on_a, on_b }.grown(margins);
    }
    let exact = convex::compare(bodies, &[margins.a, margins.b]);
    let convex::Exact { order, lower, upper, on_a, on_b } = exact;
    if order != Ordering::Greater {
        return Separation::touching(on_a, on_b, margins);
    }
    // Apart, however little.
    let grown = Separation { lower, upper, on_a, on_b }.grown(margins);
    let order = |hair: f64| convex::compare(bodies, &[margins.a, margins.b, hair]).order;
    grown.apart(order)
}

pub(super) fn convex_penetration(bodies: &Bodies<'_>, margins: &Margins, room: &mut convex::Room) -> Penetration {
    if let Some(found) = ball_depth(bodies, margins) {
        return found;
    }
    let gap = convex::gap(bodies, Goal::Narrow, None);
    let (up, down) = (margins.up(), margins.down());
    if gap.lower > 0.0 {
        // The cores are apart: what is left of the margins.
        let depth = Interval {
            lower: (down - gap.upper).next_down().max(0.0),
            upper: if gap.lower >= up { 0.0 } else { (up - gap.lower).next_up() },
        };
        let normal = -gap.normal;
        return Penetration { depth, normal, on_a: gap.on_a + normal * margins.a, on_b: gap.on_b - normal * margins.b };
    }
    let core = convex::depth(bodies, room);
    // Cores that were not proven to overlap may be apart, by what rounding hides.
    let least = if gap.overlap || core.lower > 0.0 { core.lower } else { -gap.upper };
    let depth = Interval { lower: (least + down).next_down().max(0.0), upper: (core.upper + up).next_up() };
    let normal = core.normal;
    Penetration { depth, normal, on_a: core.on_a + normal * margins.a, on_b: core.on_b - normal * margins.b }
}

/// The lowest point of a body over a plane, and bounds of its height.
fn lowest(plane: &Plane, body: &Body<'_>) -> (f64, f64, DVec3) {
    let point = body.lowest(plane.normal);
    let height = plane.height(point);
    let rounding = plane.rounding(body.size());
    (height - rounding, height + rounding, point)
}

pub(super) fn plane_within(plane: &Plane, body: &Body<'_>, margins: &Margins, limit: f64) -> Near {
    let (lower, upper, _) = lowest(plane, body);
    let sum = margins.up() + limit;
    let (lower_bound, upper_bound) = (margins.lower(lower.max(0.0)), margins.upper(upper.max(0.0)));
    let near = if lower > sum * (1.0 + 8.0 * f64::EPSILON) {
        false
    } else if upper < sum * (1.0 - 8.0 * f64::EPSILON) {
        return Near { near: true, lower: 0.0, upper: upper_bound };
    } else if !body.core.is_flat() {
        // The lower end decides about round bodies.
        lower_bound <= limit
    } else {
        let mut corners = Vec::new();
        body.corners(&mut corners);
        plane.compare(&corners, &[margins.a, margins.b, limit]) != Ordering::Greater
    };
    Near { near, lower: lower_bound, upper: upper_bound }
}

pub(super) fn plane_distance(plane: &Plane, body: &Body<'_>, margins: &Margins, flipped: bool) -> Separation {
    let (lower, upper, point) = lowest(plane, body);
    let near = plane_within(plane, body, margins, 0.0).near;
    let foot = point - plane.normal * plane.height(point);
    let (on_a, on_b) = if flipped { (point, foot) } else { (foot, point) };
    if near && (body.core.is_flat() || upper <= margins.down()) {
        return Separation::touching(on_a, on_b, margins);
    }
    let grown = Separation { lower: lower.max(0.0), upper: upper.max(0.0), on_a, on_b }.grown(margins);
    if near {
        return Separation { lower: 0.0, ..grown };
    }
    if !body.core.is_flat() {
        return grown;
    }
    let mut corners = Vec::new();
    body.corners(&mut corners);
    grown.apart(|hair| plane.compare(&corners, &[margins.a, margins.b, hair]))
}

pub(super) fn plane_penetration(plane: &Plane, body: &Body<'_>, margins: &Margins, flipped: bool) -> Penetration {
    let (lower, upper, point) = lowest(plane, body);
    let depth = Interval {
        lower: (margins.down() - upper).next_down().max(0.0),
        upper: if lower >= margins.up() { 0.0 } else { (margins.up() - lower).next_up() },
    };
    let foot = point - plane.normal * plane.height(point);
    let normal = if flipped { -plane.normal } else { plane.normal };
    let (on_a, on_b) = if flipped { (point, foot) } else { (foot, point) };
    Penetration { depth, normal, on_a: on_a + normal * margins.a, on_b: on_b - normal * margins.b }
}

fn half_space_distance(a: &Plane, b: &Plane, margins: &Margins) -> Separation {
    let (lower, upper) = a.gap(b);
    let (on_a, on_b) = (a.normal * a.level(), a.normal * (a.level() + upper));
    Separation { lower, upper, on_a, on_b }.grown(margins)
}

fn half_space_penetration(a: &Plane, b: &Plane, margins: &Margins) -> Penetration {
    let overlap = a.level() + b.level();
    let rounding = 8.0 * f64::EPSILON * (a.level().abs() + b.level().abs());
    let depth = if a.is_opposite(b) {
        Interval {
            lower: (overlap - rounding + margins.down()).max(0.0),
            upper: (overlap + rounding + margins.up()).max(0.0),
        }
    } else {
        Interval { lower: f64::INFINITY, upper: f64::INFINITY }
    };
    let point = a.normal * a.level();
    Penetration { depth, normal: a.normal, on_a: point, on_b: point }
}
