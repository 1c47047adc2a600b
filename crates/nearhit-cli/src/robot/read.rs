//! What the subcommands share: files, the world around the robot, configurations.

use crate::bodies::shape_text;
use crate::model_file;
use anyhow::{Context, Result, anyhow, bail};
use nearhit::shape::Shape;
use nearhit::{Model, Pose};
use nearhit_robot::{BodyPair, CheckOptions, Checker, ReadOptions, Robot, SearchPath, Solids};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The robot's files.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RobotArgs {
    /// The robot: a URDF file (a xacro file must be converted first).
    #[arg(value_name = "FILE.urdf")]
    pub(crate) urdf: PathBuf,

    /// Its SRDF file: groups, states, and pairs of links that are not checked.
    #[arg(long, value_name = "FILE")]
    pub(crate) srdf: Option<PathBuf>,

    /// A folder in which package:// is looked for, before those above the file and those of ROS's
    /// environment. Can be repeated.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) package: Vec<PathBuf>,

    /// Take closed meshes as surfaces, not as solids: what is inside of one does not touch it.
    #[arg(long)]
    pub(crate) surfaces: bool,

    /// Print one line of JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Changes of the robot, and what is around it.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub struct WorldArgs {
    /// A body of the world: a shape (box:1,2,0.1) or a mesh file, and where it is; angles as in a
    /// URDF. Can be repeated.
    #[arg(long, value_name = "NAME=SHAPE[@X,Y,Z[,ROLL,PITCH,YAW]]")]
    world: Vec<String>,

    /// A body that moves with a link, and where it is on it. Can be repeated.
    #[arg(long, value_name = "LINK=SHAPE[@X,Y,Z[,ROLL,PITCH,YAW]]")]
    attach: Vec<String>,

    /// Grow the bodies of a link by a margin. Can be repeated.
    #[arg(long, value_name = "LINK=MARGIN")]
    pad: Vec<String>,

    /// Two links that may touch. Can be repeated.
    #[arg(long, value_name = "LINK:LINK")]
    allow: Vec<String>,
}

impl RobotArgs {
    pub(super) fn robot(&self) -> Result<Robot> {
        let search = self.package.iter().fold(SearchPath::from_environment(), SearchPath::with_folder);
        let mut robot = Robot::read_with(&self.urdf, &ReadOptions::new().search(search))?;
        if let Some(srdf) = &self.srdf {
            robot.read_srdf(srdf)?;
        }
        Ok(robot)
    }

    pub(super) fn checker(&self) -> Result<Checker> {
        let solids = if self.surfaces { Solids::Surface } else { Solids::Solid };
        Ok(Checker::new(self.robot()?, CheckOptions::new().solids(solids))?)
    }

    /// With the world around it.
    pub(crate) fn placed(&self, world: &WorldArgs) -> Result<Checker> {
        let mut checker = self.checker()?;
        let solids = checker.options().solids;
        for text in &world.world {
            let (name, shape, pose) = body(text, solids).with_context(|| format!("--world {text}"))?;
            checker.add_to_world(name, shape, pose).with_context(|| format!("--world {text}"))?;
        }
        for (index, text) in world.attach.iter().enumerate() {
            let (link, shape, pose) = body(text, solids).with_context(|| format!("--attach {text}"))?;
            let name = format!("attached {}", index + 1);
            checker.attach(link, &name, shape, pose).with_context(|| format!("--attach {text}"))?;
        }
        for text in &world.pad {
            let mut pad = |text: &str| -> Result<()> {
                let (link, margin) = text.split_once('=').context("it has no '=' behind the link")?;
                Ok(checker.pad(link, number(margin)?)?)
            };
            pad(text).with_context(|| format!("--pad {text}"))?;
        }
        allow(&mut checker, &world.allow)?;
        Ok(checker)
    }
}

fn allow(checker: &mut Checker, pairs: &[String]) -> Result<()> {
    let mut allowed = checker.allowed().clone();
    for text in pairs {
        let find = |name: &str| {
            checker.robot().link(name).with_context(|| format!("--allow {text}: there is no link {name:?}"))
        };
        let (a, b) =
            text.split_once(':').with_context(|| format!("--allow {text}: it has no ':' between two links"))?;
        allowed.allow(find(a)?, find(b)?);
    }
    checker.set_allowed(allowed);
    Ok(())
}

/// `NAME=SHAPE@X,Y,Z,ROLL,PITCH,YAW`.
fn body(text: &str, solids: Solids) -> Result<(&str, Shape, Pose)> {
    let (name, rest) = text.split_once('=').context("it has no '=' behind the name")?;
    let (shape, place) = match rest.rsplit_once('@') {
        Some((shape, place)) => (shape, pose(place)?),
        None => (rest, Pose::IDENTITY),
    };
    let path = Path::new(shape);
    let shape = match shape_text(path) {
        Some(shape) => shape?,
        None => solids.shape(Arc::new(Model::new(model_file::mesh(path)?))),
    };
    Ok((name, shape, place))
}

fn pose(text: &str) -> Result<Pose> {
    match *numbers(text)?.as_slice() {
        [x, y, z] => Ok(Pose::from_translation([x, y, z])?),
        [x, y, z, roll, pitch, yaw] => Ok(nearhit_robot::pose_of_origin([x, y, z], [roll, pitch, yaw])?),
        ref other => bail!("{} numbers behind '@', not 3 or 6", other.len()),
    }
}

fn number(text: &str) -> Result<f64> {
    text.trim().parse().map_err(|_| anyhow!("{text:?} is not a number"))
}

/// Separated by spaces or commas.
pub(super) fn numbers(text: &str) -> Result<Vec<f64>> {
    let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    words.filter(|word| !word.is_empty()).map(number).collect()
}

/// A configuration: its numbers, the name of a state of the SRDF, or `NAME=VALUE` for some joints,
/// the others neutral.
pub(super) fn configuration(robot: &Robot, text: &str, flag: &str) -> Result<Vec<f64>> {
    let trimmed = text.trim();
    if let Some(q) = robot.state(trimmed) {
        return Ok(q);
    }
    let read = || if trimmed.contains('=') { by_name(robot, trimmed) } else { numbers(trimmed) };
    let q = read().map_err(|error| named(robot, trimmed, error)).with_context(|| format!("{flag} {text:?}"))?;
    if q.len() != robot.coordinates() {
        let names = robot.coordinate_names().join(" ");
        bail!("{flag} {text:?}: {} numbers, but the robot has {}: {names}", q.len(), robot.coordinates());
    }
    Ok(q)
}

/// A single word that is no number may be meant as the name of a state.
fn named(robot: &Robot, text: &str, error: anyhow::Error) -> anyhow::Error {
    let is_name = text.starts_with(char::is_alphabetic) && !text.contains([' ', ',', '=']);
    let states: Vec<&str> = robot.semantics().states.iter().map(|state| &*state.name).collect();
    match (is_name, states.is_empty()) {
        (false, _) => error,
        (true, true) => anyhow!("{error}; names of states need --srdf with a file that has them"),
        (true, false) => anyhow!("{error}, nor a state of the SRDF; known: {}", states.join(", ")),
    }
}

fn by_name(robot: &Robot, text: &str) -> Result<Vec<f64>> {
    let mut q = robot.neutral();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let (name, value) = word.split_once('=').with_context(|| format!("{word:?} has no '='"))?;
        let index = robot.coordinate_names().iter().position(|other| other == name);
        let missing = || format!("there is no coordinate {name:?}; known: {}", robot.coordinate_names().join(" "));
        q[index.with_context(missing)?] = number(value)?;
    }
    Ok(q)
}

/// A configuration a line; `#` begins a comment.
pub(super) fn configurations(robot: &Robot, path: &Path) -> Result<Vec<Vec<f64>>> {
    nearhit_io::check_regular(path)?;
    let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.split('#').next().unwrap_or("").trim()));
    let wanted = lines.filter(|(_, line)| !line.is_empty());
    let read = |(line, text)| configuration(robot, text, &format!("{}:{line}:", path.display()));
    let all = wanted.map(read).collect::<Result<Vec<_>>>()?;
    if all.is_empty() {
        bail!("{}: has no configurations", path.display());
    }
    Ok(all)
}

/// Names of two bodies.
pub(super) fn names(checker: &Checker, pair: BodyPair) -> [String; 2] {
    [pair.a, pair.b].map(|body| checker.bodies()[body].name.clone())
}
