//! Balls that contain one mesh: as many as are asked for, or so many that none sticks out far.

use super::cells::Cells;
use super::cluster::{self, Order};
use crate::check::{Body, ParentFrame, Solids};
use crate::error::CheckError;
use crate::robot::{ReadOptions, Robot};
use crate::srdf::LinkSpheres;
use nearhit::glam::DVec3;
use nearhit::research::sphere_tree::{SearchEffort, Side, inaccuracy};
use nearhit::{Model, Pose};
use std::sync::Arc;

/// Balls that contain a mesh: a closed one with its inside, an open one as a surface.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use nearhit::{Mesh, Model};
/// use nearhit_robot::MeshSpheres;
///
/// let mesh = Mesh::new(
///     &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
///     &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
/// )?;
/// let balls = MeshSpheres::new(Model::new(mesh).into(), 4)?;
/// assert!(balls.spheres().len() <= 4);
/// assert!(balls.sticks_out() < 0.5);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct MeshSpheres {
    spheres: Vec<([f64; 3], f64)>,
    sticks_out: f64,
}

/// How far a ball sticks out is found to two per cent, if so many points are enough for that.
const EFFORT: SearchEffort = SearchEffort { relative: 0.02, most: 1000 };

impl MeshSpheres {
    /// More balls are not made of one mesh.
    pub const MOST: usize = 1024;

    /// At most so many balls, and never more than [`MeshSpheres::MOST`].
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Mesh, Model};
    /// use nearhit_robot::MeshSpheres;
    /// use std::sync::Arc;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let balls = MeshSpheres::new(Arc::new(Model::new(mesh)), 8)?;
    /// assert!(balls.spheres().len() <= 8);
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(model: Arc<Model>, count: usize) -> Result<Self, CheckError> {
        let count = count.clamp(1, Self::MOST);
        let shape = Solids::Solid.shape(Arc::clone(&model));
        let body = Body::new("the mesh".to_owned(), ParentFrame::World, Pose::IDENTITY, shape);
        let cells = Cells::of(&[&body], count)?;
        let spheres = cluster::balls(&cells, &Order::new(&cells, count), count);
        let out = |&(center, radius): &([f64; 3], f64)| {
            inaccuracy(&model, DVec3::from(center), radius, Side::Outside, EFFORT).upper
        };
        let sticks_out = spheres.iter().map(out).fold(0.0, f64::max);
        Ok(Self { spheres, sticks_out })
    }

    /// So many balls that none has a point farther than `limit` outside of the mesh: few, though
    /// not the fewest. If [`MeshSpheres::MOST`] do not suffice, those: look at
    /// [`MeshSpheres::sticks_out`].
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Mesh, Model};
    /// use nearhit_robot::MeshSpheres;
    /// use std::sync::Arc;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let balls = MeshSpheres::sticking_out_at_most(&Arc::new(Model::new(mesh)), 0.25)?;
    /// assert!(balls.sticks_out() <= 0.25);
    /// # Ok(())
    /// # }
    /// ```
    pub fn sticking_out_at_most(model: &Arc<Model>, limit: f64) -> Result<Self, CheckError> {
        if !(limit > 0.0 && limit.is_finite()) {
            return Err(CheckError::NotAbove { what: "the limit", value: limit });
        }
        let (mut few, mut count) = (0, 1);
        let mut found = Self::new(Arc::clone(model), count)?;
        while found.sticks_out > limit && count < Self::MOST {
            (few, count) = (count, 2 * count);
            found = Self::new(Arc::clone(model), count)?;
        }
        // Between too few and enough; more balls mostly, but not always, stick out less.
        while found.sticks_out <= limit && count - few > 1 + count / 16 {
            let middle = few + (count - few) / 2;
            let tried = Self::new(Arc::clone(model), middle)?;
            if tried.sticks_out <= limit {
                (found, count) = (tried, middle);
            } else {
                few = middle;
            }
        }
        Ok(found)
    }

    /// Centres and radii.
    #[must_use]
    pub fn spheres(&self) -> &[([f64; 3], f64)] {
        &self.spheres
    }

    /// No point of a ball is farther outside of the mesh than this.
    #[must_use]
    pub fn sticks_out(&self) -> f64 {
        self.sticks_out
    }

    /// As a robot of one link with this name, for [`SphereFormat::text`].
    ///
    /// [`SphereFormat::text`]: crate::SphereFormat::text
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Mesh, Model};
    /// use nearhit_robot::{MeshSpheres, SphereFormat};
    /// use std::sync::Arc;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let (robot, balls) = MeshSpheres::new(Arc::new(Model::new(mesh)), 8)?.robot("part")?;
    /// assert!(SphereFormat::ALL[0].1.text(&robot, &balls).contains("part"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn robot(&self, name: &str) -> Result<(Robot, Vec<LinkSpheres>), crate::RobotError> {
        let name = super::write::escaped(name);
        let text = format!("<robot name=\"{name}\"><link name=\"{name}\"/></robot>");
        let robot = Robot::parse(&text, "mesh".as_ref(), &ReadOptions::default())?;
        Ok((robot, vec![LinkSpheres { link: 0, spheres: self.spheres.clone() }]))
    }
}
