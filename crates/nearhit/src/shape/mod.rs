//! Primitives and convex hulls as solids: ball, capsule, box, cylinder, cone, ellipsoid, hull,
//! half-space; point clouds, height fields and octrees; and meshes beside them.
//!
//! A [`Shape`] is any of them; a [`ShapePair`] is two of them placed, and answers the same
//! questions as a pair of meshes. Shapes are never turned into triangles.
//!
//! ```
//! use nearhit::shape::{Shape, ShapePair};
//! use nearhit::{Pose, Scratch, Settings, Tolerance};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let table = Shape::cuboid([1.0, 2.0, 0.1])?;
//! let cup = Shape::cylinder(0.04, 0.12)?;
//! let above = Pose::from_translation([0.2, 0.3, 0.2])?;
//! let pair = ShapePair::new(&table, &Pose::IDENTITY, &cup, &above)?;
//! let gap = pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new());
//! assert!((gap.upper - 0.09).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```
//!
//! # What an answer means
//!
//! * Shapes are **solids**: what lies inside of one touches it. Meshes are surfaces, or solids if
//!   made so ([`Shape::solid`]).
//! * Point clouds, height fields and octrees are sets of convex pieces, each with its own tree: a
//!   ball for each point, two triangles (or prisms down to a floor) for each cell of a grid, a box
//!   for each full cube. An answer about them is that of their pieces.
//! * Where all is flat, or flat and grown by a margin (ball, capsule, box, rounded box, hull,
//!   half-space, mesh, point cloud, height field, octree), yes and no are those of exact
//!   arithmetic: a posed shape is the hull of its corners as [`Pose::apply`](crate::Pose::apply)
//!   rounds them, a posed half-space its rounded plane.
//! * Cylinders, cones and ellipsoids are round: there the distance is an interval, some tens of
//!   units in the last place of the largest coordinate wide. "Apart" is said only when it is
//!   proven; what lies within the interval counts as touching.
//! * Every lower bound comes with a direction along which the shapes are that far apart, every
//!   upper bound with two points.

#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "what is not a number falls on the side that proves nothing")]

pub(crate) mod cone;
mod contacts;
pub(crate) mod convex;
pub(crate) mod core;
pub(crate) mod cuboid;
pub(crate) mod cylinder;
mod descent;
pub(crate) mod ellipsoid;
mod error;
mod extent;
pub(crate) mod extremes;
pub(crate) mod half_space;
pub(crate) mod height_field;
pub(crate) mod hull;
mod mesh;
pub(crate) mod octree;
mod pair;
mod pieces;
mod plane;
mod point;
pub(crate) mod point_cloud;
mod ray;
mod sets;
mod simplify;
pub(crate) mod sweep;
mod text;

pub use contacts::{ShapeContact, ShapeContacts};
pub use error::ShapeError;
pub use pair::{Penetration, ShapePair};
pub use plane::SeparatingPlane;
pub use ray::ShapeHit;

use crate::anytime::SphereTree;
use crate::error::MAX_COORDINATE;
use crate::model::Model;
use cone::Frustum;
use core::Core;
use cuboid::Box3;
use cylinder::Tube;
use ellipsoid::Quadric;
use extremes::Extremes;
use glam::DVec3;
use half_space::Plane;
use height_field::HeightField;
use hull::Corners;
use octree::Octree;
use point_cloud::PointCloud;
use std::sync::Arc;
use sweep::Sweep;

/// A solid primitive, a convex hull, a half-space, or a mesh; with a margin that it is grown by.
///
/// Primitives lie about the origin of their frame; capsules, cylinders and cones along z. Sizes are
/// whole lengths, as in URDF files, not halves. Cheap to clone.
#[doc(alias = "primitive")]
#[doc(alias = "collision geometry")]
#[derive(Debug, Clone)]
pub struct Shape {
    kind: Kind,
    margin: f64,
    /// Of a mesh, for frames that must end in time.
    spheres: Option<Arc<SphereTree>>,
    /// Of a mesh, for distances over a gap.
    extremes: Option<Arc<Extremes>>,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Point,
    Segment(f64),
    Box3(Box3),
    Tube(Tube),
    Frustum(Frustum),
    Quadric(Quadric),
    Corners(Arc<Corners>),
    Sweep(Box<Sweep>),
    HalfSpace(Plane),
    Mesh { model: Arc<Model>, is_solid: bool },
    Cloud(Arc<PointCloud>),
    Field(Arc<HeightField>),
    Cells(Arc<Octree>),
}

/// Checks that there are points, and that all are finite and in range.
fn check_points(shape: &'static str, points: &[[f64; 3]]) -> Result<(), ShapeError> {
    if points.is_empty() {
        return Err(ShapeError::NoPoints { shape });
    }
    let bad = |point: &[f64; 3]| point.iter().any(|value| value.is_nan() || value.abs() > MAX_COORDINATE);
    match points.iter().position(bad) {
        None => Ok(()),
        Some(index) => {
            let [x, y, z] = points[index];
            Err(ShapeError::BadPoint { shape, index, x, y, z })
        }
    }
}

/// Checks one size of a shape.
fn size(shape: &'static str, size: &'static str, value: f64) -> Result<f64, ShapeError> {
    let legal = (0.0..=MAX_COORDINATE).contains(&value);
    if legal { Ok(value) } else { Err(ShapeError::BadSize { shape, size, value }) }
}

impl Shape {
    fn new(kind: Kind) -> Self {
        Self::with_margin(kind, 0.0)
    }

    fn with_margin(kind: Kind, margin: f64) -> Self {
        Self { kind, margin, spheres: None, extremes: None }
    }

    /// A ball.
    ///
    /// ```
    /// # use nearhit::shape::Shape;
    /// assert_eq!(Shape::ball(0.5)?.name(), "ball");
    /// assert!(Shape::ball(-1.0).is_err());
    /// # Ok::<(), nearhit::shape::ShapeError>(())
    /// ```
    #[doc(alias = "sphere")]
    pub fn ball(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self::with_margin(Kind::Point, size("ball", "radius", radius)?))
    }

    /// All points within `radius` of a segment of this length along z.
    pub fn capsule(radius: f64, length: f64) -> Result<Self, ShapeError> {
        let half = 0.5 * size("capsule", "length", length)?;
        Ok(Self::with_margin(Kind::Segment(half), size("capsule", "radius", radius)?))
    }

    /// A box by its whole sizes. With [`Shape::grown`] it has round edges.
    #[doc(alias = "box")]
    pub fn cuboid(sizes: [f64; 3]) -> Result<Self, ShapeError> {
        let [x, y, z] = sizes;
        let half = [size("box", "x", x)? * 0.5, size("box", "y", y)? * 0.5, size("box", "z", z)? * 0.5];
        Ok(Self::new(Kind::Box3(Box3 { half: half.into() })))
    }

    /// A cylinder about z.
    pub fn cylinder(radius: f64, length: f64) -> Result<Self, ShapeError> {
        let radius = size("cylinder", "radius", radius)?;
        Ok(Self::new(Kind::Tube(Tube { radius, half: 0.5 * size("cylinder", "length", length)? })))
    }

    /// A cone about z: its base at `-length / 2`, its tip at `+length / 2`.
    pub fn cone(radius: f64, length: f64) -> Result<Self, ShapeError> {
        Self::truncated_cone(radius, 0.0, length)
    }

    /// A truncated cone about z: radii of the bottom at `-length / 2` and of the top at
    /// `+length / 2`.
    #[doc(alias = "frustum")]
    pub fn truncated_cone(bottom: f64, top: f64, length: f64) -> Result<Self, ShapeError> {
        let (bottom, top) = (size("cone", "bottom radius", bottom)?, size("cone", "top radius", top)?);
        Ok(Self::new(Kind::Frustum(Frustum { bottom, top, half: 0.5 * size("cone", "length", length)? })))
    }

    /// An ellipsoid along the axes.
    pub fn ellipsoid(radii: [f64; 3]) -> Result<Self, ShapeError> {
        let [x, y, z] = radii;
        let radii = [size("ellipsoid", "x", x)?, size("ellipsoid", "y", y)?, size("ellipsoid", "z", z)?];
        Ok(Self::new(Kind::Quadric(Quadric { radii: radii.into() })))
    }

    /// The convex hull of points. They may coincide or lie in a plane.
    #[doc(alias = "convex")]
    pub fn hull(points: &[[f64; 3]]) -> Result<Self, ShapeError> {
        check_points("hull", points)?;
        let points: Vec<DVec3> = points.iter().map(|&point| point.into()).collect();
        Ok(Self::new(Kind::Corners(Arc::new(Corners::new(&points)))))
    }

    /// Everything with `normal · x <= offset`; the normal need not have length one.
    #[doc(alias = "plane")]
    pub fn half_space(normal: [f64; 3], offset: f64) -> Result<Self, ShapeError> {
        let [x, y, z] = normal;
        let finite = normal.iter().all(|value| value.is_finite());
        let plane = Some(DVec3::from(normal)).filter(|_| finite).and_then(|normal| Plane::new(normal, offset));
        let plane = plane.ok_or(ShapeError::NoNormal { x, y, z })?;
        if !(plane.level().abs() <= MAX_COORDINATE) {
            return Err(ShapeError::BadSize { shape: "half-space", size: "offset", value: offset });
        }
        Ok(Self::new(Kind::HalfSpace(plane)))
    }

    /// A point cloud: a ball about each point, with one radius for all of them or one for each.
    /// Grown by a margin, each radius is the sum, rounded once.
    ///
    /// ```
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Pose, Scratch, Settings, Verdict};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let seen = Shape::point_cloud(&[[1.0, 0.0, 0.0], [1.0, 0.1, 0.0]], &[0.02])?;
    /// let (tool, at) = (Shape::capsule(0.05, 0.4)?, Pose::from_translation([0.95, 0.0, 0.0])?);
    /// let pair = ShapePair::new(&seen, &Pose::IDENTITY, &tool, &at)?;
    /// assert_eq!(pair.collide(&Settings::default(), &mut Scratch::new()).verdict, Verdict::Yes);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "depth camera")]
    pub fn point_cloud(points: &[[f64; 3]], radii: &[f64]) -> Result<Self, ShapeError> {
        Ok(Self::new(Kind::Cloud(Arc::new(PointCloud::new(points, radii)?))))
    }

    /// A height field as a surface: rows of `columns` heights along z. Column `j` lies at
    /// `x = j * spacing[0]`, row `i` at `y = i * spacing[1]`. Each cell of the grid has two
    /// triangles; its diagonal goes from the corner of least x and y to that of largest. What lies
    /// below the surface does not touch it: see [`Shape::solid_height_field`].
    ///
    /// Triangle `2 * c` of cell `c`, counted row by row, is the one at its larger x, `2 * c + 1`
    /// the one at its larger y.
    #[doc(alias = "terrain")]
    #[doc(alias = "heightmap")]
    pub fn height_field(heights: &[f64], columns: usize, spacing: [f64; 2]) -> Result<Self, ShapeError> {
        Ok(Self::new(Kind::Field(Arc::new(HeightField::new(heights, columns, spacing, None)?))))
    }

    /// A height field as a solid: everything between the surface and a floor, which may not be
    /// above any of the heights.
    pub fn solid_height_field(
        heights: &[f64],
        columns: usize,
        spacing: [f64; 2],
        floor: f64,
    ) -> Result<Self, ShapeError> {
        Ok(Self::new(Kind::Field(Arc::new(HeightField::new(heights, columns, spacing, Some(floor))?))))
    }

    /// An octree of the cells of a grid that hold points, as a solid. Cell `i` of an axis goes from
    /// `i * resolution` to `(i + 1) * resolution`, both rounded; a point between two cells belongs
    /// to the higher one.
    ///
    /// ```
    /// # use nearhit::shape::Shape;
    /// let map = Shape::octree(&[[0.01, 0.02, 0.03], [0.04, 0.04, 0.04], [0.31, 0.0, 0.0]], 0.1)?;
    /// let (low, high) = map.bounds().expect("not a half-space");
    /// assert!(low.x <= 0.0 && high.x >= 0.4);
    /// # Ok::<(), nearhit::shape::ShapeError>(())
    /// ```
    #[doc(alias = "occupancy grid")]
    #[doc(alias = "OctoMap")]
    #[doc(alias = "voxel grid")]
    pub fn octree(points: &[[f64; 3]], resolution: f64) -> Result<Self, ShapeError> {
        Ok(Self::new(Kind::Cells(Arc::new(Octree::of_points(points, resolution)?))))
    }

    /// An octree of boxes of cells, each given by its first and last cell.
    pub fn octree_of_cells(boxes: &[[[i32; 3]; 2]], resolution: f64) -> Result<Self, ShapeError> {
        Ok(Self::new(Kind::Cells(Arc::new(Octree::of_boxes(boxes, resolution)?))))
    }

    /// A mesh as a surface.
    #[must_use]
    pub fn mesh(model: impl Into<Arc<Model>>) -> Self {
        Self::new(Kind::Mesh { model: model.into(), is_solid: false })
    }

    /// A mesh as a solid: what lies inside of it touches it.
    #[must_use]
    pub fn solid(model: impl Into<Arc<Model>>) -> Self {
        Self::new(Kind::Mesh { model: model.into(), is_solid: true })
    }

    /// A mesh with a sphere-tree of the same model, for frames of a scene that must end in time
    /// ([`Detector`](crate::scene::Detector)).
    ///
    /// Error: the tree was made of another mesh, or the shape is no mesh.
    pub fn with_spheres(self, spheres: Arc<SphereTree>) -> Result<Self, ShapeError> {
        match self.model() {
            Some(model) if spheres.is_of(model.mesh()) => Ok(Self { spheres: Some(spheres), ..self }),
            Some(model) => Err(ShapeError::OtherSpheres { triangles: model.mesh().triangles().len() }),
            None => Err(ShapeError::NoMesh { shape: self.name() }),
        }
    }

    /// A mesh that keeps its convex hull, for many distances from what is some way off: they are
    /// found faster, and are the same. Other shapes stay as they are. Making the hull takes about
    /// as long as reading the mesh.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::shape::{Shape, ShapePair};
    /// use nearhit::{Scratch, Settings, Tolerance};
    ///
    /// let body = Shape::mesh(cube(1.0)).with_hull(); // corners at ±1
    /// let pair = ShapePair::new(&body, &at(0.0, 0.0, 0.0), &body, &at(5.0, 0.5, 0.0))?;
    /// let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new());
    /// assert_eq!(found.upper, 3.0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_hull(mut self) -> Self {
        if self.extremes.is_none() {
            self.extremes = self.model().and_then(|model| Extremes::new(model.mesh())).map(Arc::new);
        }
        self
    }

    /// The shape grown by a margin all around (padding, security margin): distances become shorter
    /// by it. A radius or margin that is there already and the new one are added, rounded once.
    ///
    /// ```
    /// # use nearhit::shape::Shape;
    /// let rounded = Shape::cuboid([1.0, 1.0, 1.0])?.grown(0.1)?;
    /// assert_eq!(rounded.margin(), 0.1);
    /// # Ok::<(), nearhit::shape::ShapeError>(())
    /// ```
    #[doc(alias = "padding")]
    #[doc(alias = "security margin")]
    #[doc(alias = "rounded box")]
    pub fn grown(mut self, margin: f64) -> Result<Self, ShapeError> {
        let name = self.name();
        self.margin = size(name, "margin", self.margin + size(name, "margin", margin)?)?;
        Ok(self)
    }

    /// What it is grown by: the radius of a ball or capsule.
    #[must_use]
    #[inline]
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// Kind of shape, as in [`Shape::from_str`](std::str::FromStr).
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Point => "ball",
            Kind::Segment(_) => "capsule",
            Kind::Box3(_) => "box",
            Kind::Tube(_) => "cylinder",
            Kind::Frustum(_) => "cone",
            Kind::Quadric(_) => "ellipsoid",
            Kind::Corners(_) => "hull",
            Kind::Sweep(_) => "sweep",
            Kind::HalfSpace(_) => "half-space",
            Kind::Mesh { .. } => "mesh",
            Kind::Cloud(_) => "point cloud",
            Kind::Field(_) => "height field",
            Kind::Cells(_) => "octree",
        }
    }

    /// The model of a mesh.
    #[must_use]
    pub fn model(&self) -> Option<&Arc<Model>> {
        match &self.kind {
            Kind::Mesh { model, .. } => Some(model),
            _ => None,
        }
    }

    /// The corners of a box, of a hull, of what a ball or capsule is grown from; none of round
    /// shapes, half-spaces, meshes, point clouds, height fields and octrees. Posed, the shape is
    /// the hull of these as [`Pose::apply`] moves them.
    ///
    /// [`Pose::apply`]: crate::Pose::apply
    #[must_use]
    pub fn corners(&self) -> Vec<DVec3> {
        let mut corners = Vec::new();
        if let Some(core) = self.core() {
            core.corners(&mut corners);
        }
        corners
    }

    /// A box around the shape in its own frame, as its lowest and highest corner. Half-spaces have
    /// none.
    #[doc(alias = "AABB")]
    #[must_use]
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        let (middle, half) = match &self.kind {
            Kind::HalfSpace(_) => return None,
            Kind::Mesh { model, .. } => core::around(model.mesh().vertices()),
            Kind::Cloud(cloud) => pieces::bounds(&**cloud),
            Kind::Field(field) => pieces::bounds(&**field),
            Kind::Cells(cells) => pieces::bounds(&**cells),
            _ => self.core()?.bounds(),
        };
        let half = (half + self.margin).to_array().map(|size| if size > 0.0 { size.next_up() } else { size });
        let half = DVec3::from(half);
        Some((middle - half, middle + half))
    }

    #[inline]
    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The sphere-tree that it was given.
    pub(crate) fn spheres(&self) -> Option<&Arc<SphereTree>> {
        self.spheres.as_ref()
    }

    /// The hull that it keeps.
    pub(crate) fn extremes(&self) -> Option<&Extremes> {
        self.extremes.as_deref()
    }

    /// Does what lies inside of it touch it?
    pub(crate) fn is_solid(&self) -> bool {
        !matches!(self.kind, Kind::Mesh { is_solid: false, .. })
    }

    /// If it is a mesh: a solid or a surface, as told.
    pub(crate) fn with_inside(mut self, solid: bool) -> Self {
        if let Kind::Mesh { is_solid, .. } = &mut self.kind {
            *is_solid = solid;
        }
        self
    }

    /// The convex core, unless it is a half-space, a mesh or a set of pieces.
    #[inline]
    pub(crate) fn core(&self) -> Option<Core<'_>> {
        Some(match &self.kind {
            Kind::Point => Core::Point(DVec3::ZERO),
            Kind::Segment(half) => Core::Segment(*half),
            Kind::Box3(core) => Core::Box3(*core),
            Kind::Tube(core) => Core::Tube(*core),
            Kind::Frustum(core) => Core::Frustum(*core),
            Kind::Quadric(core) => Core::Quadric(*core),
            Kind::Corners(core) => Core::Corners(core),
            Kind::Sweep(core) => Core::Sweep(core),
            Kind::HalfSpace(_) | Kind::Mesh { .. } | Kind::Cloud(_) | Kind::Field(_) | Kind::Cells(_) => return None,
        })
    }
}

impl From<Model> for Shape {
    fn from(model: Model) -> Self {
        Self::mesh(model)
    }
}

impl From<Arc<Model>> for Shape {
    fn from(model: Arc<Model>) -> Self {
        Self::mesh(model)
    }
}
