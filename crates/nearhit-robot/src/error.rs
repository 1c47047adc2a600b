//! What can be wrong with a robot's files and with a configuration, said with file, line and
//! element.
//!
//! Every message is complete in itself: no error here has a `source`, so a report that walks
//! sources does not say things twice.

use std::path::PathBuf;
use thiserror::Error;

/// Why a robot was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RobotError {
    /// The operating system would not hand a file over.
    #[error("{}: cannot be read: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// Something else than a file of text.
    #[error("{}: {message}", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// What it is.
        message: String,
    },
    /// Not XML, or XML with a document type definition, whose entities may grow without end.
    #[error("{}:{line}: column {column}: {message}", path.display())]
    Xml {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Number of the column, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// A program that makes a robot, not a robot.
    #[error(
        "{}:{line}: this is a xacro file, which is a program that writes a URDF; run it first: \
         `xacro {} > robot.urdf` (of the ROS package xacro, or `pip install xacrodoc`)",
        path.display(), path.display()
    )]
    Xacro {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
    },
    /// Something is wrong with an element.
    #[error("{}:{line}: {element}: {problem}", path.display())]
    Element {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// The element, as `<joint name="elbow">`.
        element: String,
        /// What is wrong with it.
        problem: Problem,
    },
    /// A mesh that is not what it should be.
    #[error("{}:{line}: link {link:?}: {error}", path.display())]
    Mesh {
        /// The file that names the mesh.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// The link.
        link: String,
        /// What is wrong with the mesh.
        error: Box<nearhit_io::ReadError>,
    },
    /// A shape that the library refuses.
    #[error("{}:{line}: link {link:?}: {message}", path.display())]
    Shape {
        /// The file that has it.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// The link.
        link: String,
        /// Why.
        message: String,
    },
}

/// What is wrong with an element. Texts are as in the file, cut short if long.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// What can be wrong with an element of any file: something is missing, is there twice, or is
    /// no number.
    #[error(transparent)]
    Xml(#[from] nearhit_io::XmlProblem),
    /// A URDF where an SRDF should be.
    #[error("this is a URDF, which describes links; an SRDF has groups, states and pairs that are not checked")]
    UrdfAsSrdf,
    /// No pose.
    #[error(transparent)]
    Pose(#[from] nearhit::PoseError),
    /// A length that is zero or less, or a factor of zero.
    #[error("{what} is {value}: {should}")]
    OutOfRange {
        /// As "attribute \"radius\"".
        what: String,
        /// The value.
        value: f64,
        /// As "it must be above 0".
        should: &'static str,
    },
    /// Too many or too few numbers.
    #[error("{what} has {found} numbers, not {expected}")]
    Count {
        /// As "attribute \"xyz\"".
        what: String,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A value that is none of those the format has.
    #[error("{what} is {text:?}; known: {known}")]
    Unknown {
        /// As "the type".
        what: &'static str,
        /// The word found.
        text: String,
        /// Those there are.
        known: &'static str,
    },
    /// No link.
    #[error("the robot has no links")]
    NoLinks,
    /// A link that is the child of two joints.
    #[error("link {link:?} is the child of joint {other:?} already: links must form a tree")]
    TwoParents {
        /// The link.
        link: String,
        /// The joint that comes first in the file.
        other: String,
    },
    /// No root, or links that no root reaches.
    #[error("link {link:?} is its own ancestor: links must form a tree")]
    Cycle {
        /// A link of the cycle.
        link: String,
    },
    /// Several trees.
    #[error("links {first:?} and {second:?} both have no parent: a robot has one root")]
    TwoRoots {
        /// The first in the file.
        first: String,
        /// The second.
        second: String,
    },
    /// A joint that mimics itself, by way of others.
    #[error("it mimics itself, by way of {joint:?}")]
    MimicCycle {
        /// The joint it mimics.
        joint: String,
    },
    /// A joint of no or several coordinates cannot mimic or be mimicked.
    #[error("joint {joint:?} is {kind}: only joints of one coordinate can mimic or be mimicked")]
    MimicKind {
        /// The joint.
        joint: String,
        /// As "fixed".
        kind: &'static str,
    },
    /// A lower limit above the upper one.
    #[error("the lower limit {lower} is above the upper limit {upper}")]
    Limits {
        /// The lower.
        lower: f64,
        /// The upper.
        upper: f64,
    },
    /// An axis without a direction.
    #[error("the axis is {axis:?}, which has no direction")]
    Axis {
        /// The axis.
        axis: [f64; 3],
    },
    /// A group that contains itself.
    #[error("it contains itself, by way of {group:?}")]
    GroupCycle {
        /// The group inside it.
        group: String,
    },
    /// Two links that are not on one way to the root.
    #[error("the chain goes from {base:?} to {tip:?}, but {base:?} is not an ancestor of {tip:?}")]
    NoChain {
        /// Where it should begin.
        base: String,
        /// Where it should end.
        tip: String,
    },
    /// An address of a file that is nowhere.
    #[error("{address:?} was not found; looked for {}{}", list(tried), packaged(address))]
    Unresolved {
        /// As in the file.
        address: String,
        /// Where it was looked for.
        tried: Vec<PathBuf>,
    },
    /// An address that is not of a file.
    #[error("{address:?} is not an address of a file: known are package://, model://, file:// and paths")]
    Address {
        /// As in the file.
        address: String,
    },
}

fn list(paths: &[PathBuf]) -> String {
    const MOST: usize = 8;
    let mut names: Vec<String> = paths.iter().take(MOST).map(|path| path.display().to_string()).collect();
    if paths.len() > MOST {
        names.push(format!("and {} more", paths.len() - MOST));
    }
    if names.is_empty() { "no folder of that name".to_owned() } else { names.join(", ") }
}

/// How to say where a package is.
fn packaged(address: &str) -> &'static str {
    if address.starts_with("package://") || address.starts_with("model://") {
        "; name the folder that has the package as a search folder (--package FOLDER of the command)"
    } else {
        ""
    }
}

/// Error of a configuration or of a buffer for its answer.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ConfigurationError {
    /// Too many or too few numbers.
    #[error("the configuration has {found} numbers, the robot {expected} coordinates")]
    Length {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// NaN, an infinity, or beyond what kinematics can bear.
    #[error("coordinate {index} ({name}) is {value}, not a finite number of at most 1e12")]
    NotFinite {
        /// Index in the configuration.
        index: usize,
        /// The coordinate's name.
        name: String,
        /// The value.
        value: f64,
    },
    /// A rotation whose quaternion is not of length 1.
    #[error("the quaternion of joint {joint:?} has the length {length}, not 1")]
    Quaternion {
        /// The floating joint.
        joint: String,
        /// The length.
        length: f64,
    },
    /// A buffer of another length.
    #[error("the buffer has room for {found} {what}, not {expected}")]
    Buffer {
        /// As "poses".
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// No such link.
    #[error("there is no link {index}: the robot has {count}")]
    NoLink {
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
}

/// Why a question about a configuration has no answer.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The configuration is none.
    #[error("{0}")]
    Configuration(ConfigurationError),
    /// Two bodies that the library refuses to compare.
    #[error("{a:?} and {b:?}: {message}")]
    Query {
        /// One body.
        a: String,
        /// The other.
        b: String,
        /// Why.
        message: String,
    },
    /// No such name.
    #[error("there is no {what} {name:?}")]
    NoSuch {
        /// As "link" or "body".
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Which of the two is meant?
    #[error("there is a body {name:?} already")]
    Twice {
        /// The name.
        name: String,
    },
    /// A length below zero, or no number.
    #[error("{what} is {value}: it must be a finite number of at least 0")]
    Length {
        /// As "the clearance".
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// A length that is zero or less, or no number.
    #[error("{what} is {value}: it must be a finite number above 0")]
    NotAbove {
        /// As "the limit".
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// A number of things that is not possible.
    #[error("{what} is {count}: it must be at most {most}")]
    TooMany {
        /// As "the number of balls".
        what: &'static str,
        /// How many were asked for.
        count: usize,
        /// How many there can be.
        most: usize,
    },
    /// A shape that the library refuses.
    #[error("{name:?}: {message}")]
    Shape {
        /// The body.
        name: String,
        /// Why.
        message: String,
    },
}

impl From<ConfigurationError> for CheckError {
    fn from(error: ConfigurationError) -> Self {
        Self::Configuration(error)
    }
}
