//! `nearhit robot spheres`: balls that contain the links of a robot.

use super::read::RobotArgs;
use crate::exit::Finish;
use crate::output::check_output;
use crate::terminal::{self, Style, plain, significant};
use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use nearhit_robot::{LinkSpheres, Robot, SphereCount, SphereFormat};
use serde::Serialize;
use std::path::PathBuf;

/// Cover the links of a robot with balls, and write them for a planner.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub(super) struct Args {
    #[command(flatten)]
    robot: RobotArgs,

    /// Number of balls in all, at least one for each link; they are distributed so that the largest
    /// is as small as possible.
    #[arg(long, value_name = "N", default_value_t = 60)]
    count: usize,

    /// Instead of --count: number of balls for each link.
    #[arg(long, value_name = "N", conflicts_with = "count")]
    per_link: Option<usize>,

    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Format of the file.
    #[arg(long, value_parser = formats(), default_value = "json")]
    format: SphereFormat,
}

const ABOUT: &str = "\
Cover the links of a robot with balls, and write them for a planner.

Every link's solid is contained in its balls: a closed mesh with its inside, an open one as a
surface. The formats: json, urdf (collision geometry replaced by balls, as VAMP has them), srdf
(link_sphere_approximation), curobo (YAML), xrdf, foam (JSON: for each link a list of origin and
radius).";

const EXAMPLES: &str = "\
Examples:
  nearhit robot spheres panda.urdf --count 59 -o panda-balls.urdf --format urdf
  nearhit robot spheres panda.urdf --per-link 4 -o panda.yaml --format curobo";

/// The formats by their names.
pub(crate) fn formats() -> impl TypedValueParser<Value = SphereFormat> {
    let format = |name: String| SphereFormat::ALL.into_iter().find(|(other, _)| *other == name).map(|(_, it)| it);
    PossibleValuesParser::new(SphereFormat::ALL.map(|(name, _)| name))
        .map(move |name| format(name).expect("the parser knows only names of formats"))
}

#[derive(Debug, Serialize)]
struct Report {
    robot: String,
    file: Option<String>,
    spheres: usize,
    links: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    link: String,
    spheres: usize,
    smallest: f64,
    largest: f64,
}

/// Runs `nearhit robot spheres`.
pub(super) fn command(args: &Args) -> Result<Finish> {
    let count = args.per_link.map_or(SphereCount::Total(args.count), SphereCount::PerLink);
    if let SphereCount::Total(0) | SphereCount::PerLink(0) = count {
        bail!("the number of balls must be at least 1");
    }
    if let Some(output) = &args.output {
        let inputs = std::iter::once(args.robot.urdf.as_path()).chain(args.robot.srdf.as_deref());
        check_output(output, inputs, "is one of the robot's files")?;
    }
    let checker = args.robot.checker()?;
    let balls = checker.spheres(count)?;
    if let Some(output) = &args.output {
        let text = args.format.text(checker.robot(), &balls);
        std::fs::write(output, text).with_context(|| format!("{}: cannot be written", output.display()))?;
    }
    let report = Report::new(checker.robot(), &balls, args);
    let text = match args.robot.json {
        true => serde_json::to_string(&report)? + "\n",
        false => report.table(Style::of_stdout()),
    };
    terminal::print(&text)?;
    Ok(Finish::Done)
}

impl Report {
    fn new(robot: &Robot, balls: &[LinkSpheres], args: &Args) -> Self {
        let row = |own: &LinkSpheres| {
            let radii = || own.spheres.iter().map(|(_, radius)| *radius);
            Row {
                link: robot.links()[own.link].name.clone(),
                spheres: own.spheres.len(),
                smallest: radii().fold(f64::INFINITY, f64::min),
                largest: radii().fold(0.0, f64::max),
            }
        };
        Self {
            robot: robot.name().to_owned(),
            file: args.output.as_ref().map(|path| path.display().to_string()),
            spheres: balls.iter().map(|own| own.spheres.len()).sum(),
            links: balls.iter().map(row).collect(),
        }
    }

    fn table(&self, style: Style) -> String {
        let mut text = format!("{}: {} balls\n", style.bold(&plain(&self.robot)), self.spheres);
        let width = self.links.iter().map(|row| row.link.chars().count()).max().unwrap_or(0);
        for row in &self.links {
            let radii = format!("radius {} to {}", significant(row.smallest), significant(row.largest));
            text += &format!("  {:width$}  {:>4}  {radii}\n", plain(&row.link), row.spheres);
        }
        text
    }
}
