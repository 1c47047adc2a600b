//! Collision checks of a robot: with itself and with the world.

mod batch;
mod body;
mod boxes;
mod gradient;
mod matrix;
mod query;

pub use body::{Body, ParentFrame, Solids};
pub use matrix::{Allowed, AllowedCollisions};
pub use query::{BodyPair, CheckScratch, Closest, PairDistance};

pub(crate) use query::{Placed, within};

use crate::error::{CheckError, RobotError};
use crate::robot::Robot;
use body::Loader;
use nearhit::Pose;
use nearhit::shape::Shape;
use std::sync::atomic::{AtomicU64, Ordering};

/// How a robot is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// What closed meshes are.
    pub solids: Solids,
}

impl CheckOptions {
    /// Default options: closed meshes are solids.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what closed meshes are.
    #[must_use]
    pub fn solids(mut self, solids: Solids) -> Self {
        self.solids = solids;
        self
    }
}

/// A robot with shapes, a world around it, and pairs that are checked.
///
/// Pairs are bodies of two links that the [`AllowedCollisions`] do not name, and bodies of links
/// with bodies of the world. Bodies of the world are not checked with each other.
///
/// ```
/// use nearhit::{Pose, shape::Shape};
/// use nearhit_robot::{Checker, ReadOptions, Robot};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = r#"<robot name="arm"><link name="base"/><link name="hand"><collision>
///     <geometry><sphere radius="0.1"/></geometry></collision></link>
///     <joint name="slide" type="prismatic"><parent link="base"/><child link="hand"/>
///         <axis xyz="1 0 0"/><limit lower="0" upper="2"/></joint></robot>"#;
/// let robot = Robot::parse(text, "arm.urdf".as_ref(), &ReadOptions::default())?;
/// let mut checker = Checker::new(robot, Default::default())?;
/// checker.add_to_world("wall", Shape::cuboid([0.1, 1.0, 1.0])?, Pose::from_translation([1.0, 0.0, 0.0])?)?;
///
/// let mut scratch = checker.scratch();
/// assert!(!checker.collides(&[0.5], &mut scratch)?);
/// assert!(checker.collides(&[0.9], &mut scratch)?);
/// let closest = checker.closest(&[0.5], &mut scratch)?.expect("there is a pair");
/// assert!((closest.upper - 0.35).abs() < 1e-12);
/// assert_eq!(checker.bodies()[closest.pair.b].name, "wall");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Checker {
    robot: Robot,
    options: CheckOptions,
    bodies: Vec<Body>,
    allowed: AllowedCollisions,
    pairs: Vec<BodyPair>,
    /// Joints that move bodies, parents first.
    joints: Vec<usize>,
    /// No two lists of pairs have the same.
    revision: u64,
}

/// Numbers for lists of pairs.
static REVISIONS: AtomicU64 = AtomicU64::new(1);

impl Checker {
    /// Reads the meshes of a robot's collision geometry.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::{CheckOptions, Checker, Robot, Solids};
    ///
    /// let surfaces = Checker::new(Robot::example(), CheckOptions::new().solids(Solids::Surface))?;
    /// assert_eq!(surfaces.bodies().len(), 7);
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(robot: Robot, options: CheckOptions) -> Result<Self, RobotError> {
        let bodies = Loader::new(&robot, options.solids).bodies()?;
        let allowed = AllowedCollisions::of(&robot);
        let (pairs, joints) = (Vec::new(), Vec::new());
        let mut checker = Self { robot, options, bodies, allowed, pairs, joints, revision: 0 };
        checker.choose_pairs();
        Ok(checker)
    }

    /// The robot.
    #[must_use]
    pub fn robot(&self) -> &Robot {
        &self.robot
    }

    /// How it was made.
    #[must_use]
    pub fn options(&self) -> CheckOptions {
        self.options
    }

    /// All bodies: of links in the order of the file, then what was added and attached, in that
    /// order.
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Pairs that are checked.
    #[must_use]
    pub fn pairs(&self) -> &[BodyPair] {
        &self.pairs
    }

    /// Which links may touch.
    #[must_use]
    pub fn allowed(&self) -> &AllowedCollisions {
        &self.allowed
    }

    /// Changes which links may touch.
    pub fn set_allowed(&mut self, allowed: AllowedCollisions) {
        self.allowed = allowed;
        self.choose_pairs();
    }

    /// Puts a body into the world. A mesh is the surface or the solid that the shape says it is;
    /// [`Solids::shape`] makes one as the robot's are.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut checker = slide();
    /// let floor = nearhit::shape::Shape::half_space([0.0, 0.0, 1.0], -0.5)?;
    /// checker.add_to_world("floor", floor, nearhit::Pose::IDENTITY)?;
    /// assert_eq!(checker.pairs().len(), 2); // the hand with the wall and with the floor
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_to_world(&mut self, name: &str, shape: Shape, world_from_body: Pose) -> Result<(), CheckError> {
        self.add(name, ParentFrame::World, shape, world_from_body)
    }

    /// Attaches a body to a link: it moves with it, and is checked as if it were the link's. A mesh
    /// is what the shape says it is, as in [`Checker::add_to_world`].
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut checker = slide();
    /// let tool = nearhit::shape::Shape::capsule(0.02, 0.2)?;
    /// checker.attach("hand", "tool", tool, nearhit::Pose::from_translation([0.2, 0.0, 0.0])?)?;
    /// assert!(checker.collides(&[0.75], &mut checker.scratch())?); // the tool, not the hand
    /// # Ok(())
    /// # }
    /// ```
    pub fn attach(&mut self, link: &str, name: &str, shape: Shape, link_from_body: Pose) -> Result<(), CheckError> {
        let parent = ParentFrame::Link(self.link(link)?);
        self.add(name, parent, shape, link_from_body)?;
        if let Some(body) = self.bodies.last_mut() {
            body.is_attached = true;
        }
        Ok(())
    }

    /// Takes away a body that was added or attached.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut checker = slide();
    /// checker.remove("wall")?;
    /// assert!(!checker.collides(&[0.9], &mut checker.scratch())?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn remove(&mut self, name: &str) -> Result<(), CheckError> {
        let own = |body: &Body| body.name == name && (body.is_attached || body.parent == ParentFrame::World);
        let missing = || CheckError::NoSuch { what: "added body", name: name.to_owned() };
        let index = self.bodies.iter().position(own).ok_or_else(missing)?;
        self.bodies.remove(index);
        self.choose_pairs();
        Ok(())
    }

    /// Grows all bodies of a link by a margin, beside what they are grown by already.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut checker = slide();
    /// checker.pad("hand", 0.1)?;
    /// assert!(checker.collides(&[0.8], &mut checker.scratch())?); // 0.05 from the wall
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "padding")]
    pub fn pad(&mut self, link: &str, margin: f64) -> Result<(), CheckError> {
        if !(margin >= 0.0 && margin.is_finite()) {
            return Err(CheckError::Length { what: "the margin", value: margin });
        }
        let parent = ParentFrame::Link(self.link(link)?);
        for body in self.bodies.iter_mut().filter(|body| body.parent == parent) {
            let wrong = |error: nearhit::shape::ShapeError| CheckError::Shape {
                name: body.name.clone(),
                message: error.to_string(),
            };
            body.shape = body.shape.clone().grown(margin).map_err(wrong)?;
            body.enclose();
        }
        Ok(())
    }

    fn link(&self, name: &str) -> Result<usize, CheckError> {
        self.robot.link(name).ok_or_else(|| CheckError::NoSuch { what: "link", name: name.to_owned() })
    }

    fn add(&mut self, name: &str, parent: ParentFrame, shape: Shape, parent_from_body: Pose) -> Result<(), CheckError> {
        if self.bodies.iter().any(|body| body.name == name) {
            return Err(CheckError::Twice { name: name.to_owned() });
        }
        self.bodies.push(Body::new(name.to_owned(), parent, parent_from_body, shape));
        self.choose_pairs();
        Ok(())
    }

    fn choose_pairs(&mut self) {
        let mut pairs = Vec::new();
        for (a, first) in self.bodies.iter().enumerate() {
            for (b, second) in self.bodies.iter().enumerate().skip(a + 1) {
                let wanted = match (first.parent, second.parent) {
                    (ParentFrame::World, ParentFrame::World) => false,
                    (ParentFrame::Link(a), ParentFrame::Link(b)) => a != b && self.allowed.reason(a, b).is_none(),
                    _ => true,
                };
                if wanted {
                    pairs.push(BodyPair { a, b });
                }
            }
        }
        self.pairs = pairs;
        self.joints = self.joints_of_bodies();
        self.revision = REVISIONS.fetch_add(1, Ordering::Relaxed);
    }
    /// Joints on the ways from the root to links with bodies.
    fn joints_of_bodies(&self) -> Vec<usize> {
        let mut carries = vec![false; self.robot.links().len()];
        for body in &self.bodies {
            if let ParentFrame::Link(link) = body.parent {
                carries[link] = true;
            }
        }
        let (order, joints) = (&self.robot.tree.order, self.robot.joints());
        for &index in order.iter().rev() {
            carries[joints[index].parent] |= carries[joints[index].child];
        }
        order.iter().copied().filter(|&index| carries[joints[index].child]).collect()
    }
}
