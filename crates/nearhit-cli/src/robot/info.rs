//! `nearhit robot info`: what is in a robot's files.

use super::read::RobotArgs;
use crate::exit::Finish;
use crate::format;
use crate::terminal::{self, Style, plain, plural};
use anyhow::Result;
use nearhit_robot::{Checker, Joint, ParentFrame};
use serde::Serialize;

/// Inspect a robot: joints, limits, bodies, pairs that are checked, what is ignored.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    robot: RobotArgs,
}

#[derive(Debug, Serialize)]
struct Info {
    robot: String,
    file: String,
    links: Vec<String>,
    coordinates: Vec<Coordinate>,
    joints: Vec<JointRow>,
    bodies: Vec<BodyRow>,
    pairs: usize,
    /// Pairs of links that are not checked.
    allowed: usize,
    groups: Vec<String>,
    states: Vec<String>,
    ignored: Vec<String>,
}

/// Null where there is no limit.
#[derive(Debug, Serialize)]
struct Coordinate {
    name: String,
    lower: Option<f64>,
    upper: Option<f64>,
}

#[derive(Debug, Serialize)]
struct JointRow {
    name: String,
    kind: &'static str,
    parent: String,
    child: String,
    mimics: Option<String>,
}

#[derive(Debug, Serialize)]
struct BodyRow {
    name: String,
    link: Option<String>,
    shape: &'static str,
    triangles: usize,
}

/// Runs `nearhit robot info`.
pub(super) fn command(args: &Args) -> Result<Finish> {
    let checker = args.robot.checker()?;
    let info = Info::new(&checker);
    let text = if args.robot.json { serde_json::to_string(&info)? + "\n" } else { info.table(Style::of_stdout()) };
    terminal::print(&text)?;
    Ok(Finish::Done)
}

impl Info {
    fn new(checker: &Checker) -> Self {
        let robot = checker.robot();
        let link = |index: usize| robot.links()[index].name.clone();
        let finite = |value: f64| value.is_finite().then_some(value);
        let coordinates = robot.coordinate_names().iter().zip(robot.limits());
        let joint = |joint: &Joint| JointRow {
            name: joint.name.clone(),
            kind: joint.kind.name(),
            parent: link(joint.parent),
            child: link(joint.child),
            mimics: joint.mimic.map(|mimic| robot.joints()[mimic.joint].name.clone()),
        };
        let body = |body: &nearhit_robot::Body| BodyRow {
            name: body.name.clone(),
            link: if let ParentFrame::Link(index) = body.parent { Some(link(index)) } else { None },
            shape: body.shape.name(),
            triangles: body.shape.model().map_or(0, |model| model.mesh().triangles().len()),
        };
        let semantics = robot.semantics();
        Self {
            robot: robot.name().to_owned(),
            file: robot.path().display().to_string(),
            links: robot.links().iter().map(|link| link.name.clone()).collect(),
            coordinates: coordinates
                .map(|(name, [lower, upper])| Coordinate {
                    name: name.clone(),
                    lower: finite(lower),
                    upper: finite(upper),
                })
                .collect(),
            joints: robot.joints().iter().map(joint).collect(),
            bodies: checker.bodies().iter().map(body).collect(),
            pairs: checker.pairs().len(),
            allowed: checker.allowed().iter().count(),
            groups: semantics.groups.iter().map(|group| group.name.clone()).collect(),
            states: semantics.states.iter().map(|state| state.name.clone()).collect(),
            ignored: robot.ignored().iter().map(ToString::to_string).collect(),
        }
    }

    fn table(&self, style: Style) -> String {
        let count = |count: usize, thing: &str| plural(count as u64, thing);
        let (links, joints) = (count(self.links.len(), "link"), count(self.joints.len(), "joint"));
        let bodies = if self.bodies.len() == 1 { "1 body".into() } else { format!("{} bodies", self.bodies.len()) };
        let pairs = count(self.pairs, "pair");
        let mut text = format!("{}: {links}, {joints}, {bodies}, {pairs} checked\n", style.bold(&plain(&self.robot)));
        let width = self.coordinates.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
        text += "coordinates:\n";
        for Coordinate { name, lower, upper } in &self.coordinates {
            let name = plain(name);
            let range = match (lower, upper) {
                (Some(lower), Some(upper)) => format!("{} to {}", format::number(*lower), format::number(*upper)),
                _ => "no limits".to_owned(),
            };
            text += &format!("  {name:width$}  {range}\n");
        }
        text += "bodies:\n";
        let width = self.bodies.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
        for BodyRow { name, shape, triangles, .. } in &self.bodies {
            let name = plain(name);
            let triangles =
                if *triangles > 0 { format!(", {}", plural(*triangles as u64, "triangle")) } else { String::new() };
            text += &format!("  {name:width$}  {shape}{triangles}\n");
        }
        for (what, names) in [("groups", &self.groups), ("states", &self.states)] {
            if !names.is_empty() {
                text += &format!("{what}: {}\n", plain(&names.join(", ")));
            }
        }
        if !self.ignored.is_empty() {
            text += &format!("ignored: {} ({})\n", count(self.ignored.len(), "element"), plain(&self.ignored[0]));
        }
        text
    }
}
