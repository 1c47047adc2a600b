//! A robot: links, joints, groups, and the order of its coordinates.

use crate::error::RobotError;
use crate::joint::Joint;
use crate::kinematics::Turn;
use crate::resource::SearchPath;
use crate::srdf::{self, Semantics};
use crate::tree::{self, Tree};
use crate::urdf::{self, Link, LoadGeometry};
use crate::xml::{self, Ignored};
use nearhit::Pose;
use std::path::{Path, PathBuf};

/// How a robot is read.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Where packages are.
    pub search: SearchPath,
    /// Which geometry is read.
    pub geometry: LoadGeometry,
}

impl ReadOptions {
    /// Default options: no packages, collision geometry.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets where packages are.
    #[must_use]
    pub fn search(self, search: SearchPath) -> Self {
        Self { search, ..self }
    }

    /// Sets which geometry is read.
    #[must_use]
    pub fn geometry(self, geometry: LoadGeometry) -> Self {
        Self { geometry, ..self }
    }
}

/// A tree of links and joints.
///
/// A configuration `q` is a list of numbers, [`Robot::coordinate_names`] says of what: every joint
/// that moves and follows no other has its coordinates there, in the order of the joints in the
/// file ([`JointKind`](crate::JointKind) says which).
#[derive(Debug, Clone)]
pub struct Robot {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) links: Vec<Link>,
    pub(crate) tree: std::sync::Arc<TreeParts>,
    pub(crate) semantics: Semantics,
    pub(crate) ignored: Vec<Ignored>,
    pub(crate) world_from_root: Pose,
}

/// What the shape of the tree says.
#[derive(Debug)]
pub(crate) struct TreeParts {
    pub(crate) joints: Vec<Joint>,
    /// What each of them does where it turns.
    pub(crate) turns: Vec<Turn>,
    pub(crate) root: usize,
    pub(crate) order: Vec<usize>,
    pub(crate) joint_of: Vec<Option<usize>>,
    pub(crate) coordinate_names: Vec<String>,
    pub(crate) velocities: usize,
}

impl Robot {
    /// Reads a URDF. Packages are looked for above the file and in the folders of ROS's
    /// environment.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::Robot;
    ///
    /// let robot = Robot::read("panda.urdf".as_ref())?;
    /// println!("{}: {:?}", robot.name(), robot.coordinate_names());
    /// # Ok(())
    /// # }
    /// ```
    pub fn read(path: &Path) -> Result<Self, RobotError> {
        let search = SearchPath::from_environment();
        Self::read_with(path, &ReadOptions::new().search(search))
    }

    /// Reads a URDF with options.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::{ReadOptions, Robot, SearchPath};
    ///
    /// let search = SearchPath::new().with_folder("ros/share");
    /// let robot = Robot::read_with("panda.urdf".as_ref(), &ReadOptions::new().search(search))?;
    /// println!("{} links", robot.links().len());
    /// # Ok(())
    /// # }
    /// ```
    pub fn read_with(path: &Path, options: &ReadOptions) -> Result<Self, RobotError> {
        Self::parse(&xml::read(path)?, path, options)
    }

    /// Reads the text of a URDF as if it were in the file `path`, which need not exist.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::{EXAMPLE_URDF, ReadOptions, Robot};
    ///
    /// let robot = Robot::parse(EXAMPLE_URDF, "arm.urdf".as_ref(), &ReadOptions::new())?;
    /// assert_eq!(robot.coordinates(), 5);
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse(text: &str, path: &Path, options: &ReadOptions) -> Result<Self, RobotError> {
        let urdf = urdf::parse(path, text, options.geometry, &options.search)?;
        let Tree { joints, root, order, joint_of } = tree::build(&urdf, path)?;
        let own = joints.iter().filter(|joint| joint.first_coordinate.is_some());
        let names = |joint: &Joint| {
            joint.kind.suffixes().iter().map(|suffix| format!("{}{suffix}", joint.name)).collect::<Vec<_>>()
        };
        let coordinate_names = own.clone().flat_map(names).collect();
        let velocities = own.map(|joint| joint.kind.velocities()).sum();
        let turns = joints.iter().map(Turn::new).collect();
        let tree = TreeParts { joints, turns, root, order, joint_of, coordinate_names, velocities };
        Ok(Self {
            name: urdf.name,
            path: path.into(),
            links: urdf.links,
            tree: std::sync::Arc::new(tree),
            semantics: Semantics::default(),
            ignored: urdf.ignored,
            world_from_root: Pose::IDENTITY,
        })
    }

    /// Adds what an SRDF says: groups, disabled pairs, states.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::Robot;
    ///
    /// let mut robot = Robot::read("panda.urdf".as_ref())?;
    /// robot.read_srdf("panda.srdf".as_ref())?;
    /// println!("{:?}", robot.state("ready"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn read_srdf(&mut self, path: &Path) -> Result<(), RobotError> {
        self.parse_srdf(&xml::read(path)?, path)
    }

    /// Adds what the text of an SRDF says, as if it were in the file `path`.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit_robot::{EXAMPLE_SRDF, Robot};
    ///
    /// let mut robot = Robot::example();
    /// robot.parse_srdf(EXAMPLE_SRDF, "arm.srdf".as_ref())?;
    /// assert!(!robot.semantics().groups.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse_srdf(&mut self, text: &str, path: &Path) -> Result<(), RobotError> {
        let (semantics, ignored) = srdf::parse(self, path, text)?;
        self.semantics = semantics;
        self.ignored.extend(ignored);
        Ok(())
    }

    /// Puts the root link somewhere else than at the origin of the world.
    #[must_use]
    pub fn with_base(mut self, world_from_root: Pose) -> Self {
        self.world_from_root = world_from_root;
        self
    }

    /// As the file calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The URDF.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// In the order of the file.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// In the order of the file.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.tree.joints
    }

    /// Index of the link with this name.
    #[must_use]
    pub fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// Index of the joint with this name.
    #[must_use]
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.tree.joints.iter().position(|joint| joint.name == name)
    }

    /// Index of the link without a parent.
    #[must_use]
    pub fn root(&self) -> usize {
        self.tree.root
    }

    /// Index of the joint that moves a link; none for the root and for links that are not there.
    #[must_use]
    pub fn joint_of_link(&self, link: usize) -> Option<usize> {
        self.tree.joint_of.get(link).copied().flatten()
    }

    /// What the SRDF said.
    #[must_use]
    pub fn semantics(&self) -> &Semantics {
        &self.semantics
    }

    /// What the files have that means nothing here, in the order of the files.
    #[must_use]
    pub fn ignored(&self) -> &[Ignored] {
        &self.ignored
    }

    /// How many numbers a configuration has.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.tree.coordinate_names.len()
    }

    /// What the numbers of a configuration are: a joint's name, and for joints of several
    /// coordinates which of them, as `base/qx`.
    #[must_use]
    pub fn coordinate_names(&self) -> &[String] {
        &self.tree.coordinate_names
    }

    /// In how many directions the robot can move: columns of its Jacobians. Less than
    /// [`Robot::coordinates`] where a floating joint has a quaternion.
    #[must_use]
    pub fn velocities(&self) -> usize {
        self.tree.velocities
    }

    /// Joints between two links: those of both ways to the root that are not on both.
    pub(crate) fn joints_between(&self, a: usize, b: usize) -> Vec<usize> {
        let (a, b) = (self.chain(a), self.chain(b));
        let shared = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
        a[shared..].iter().chain(&b[shared..]).copied().collect()
    }

    /// Joints from the root to a link, in that order.
    pub(crate) fn chain(&self, link: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut at = link;
        while let Some(joint) = self.joint_of_link(at) {
            chain.push(joint);
            at = self.tree.joints[joint].parent;
        }
        chain.reverse();
        chain
    }
}
