//! `nearhit path`: two bodies along a series of poses: smallest clearance, first contact.

mod plot;
mod table;

use crate::bodies::{PairArgs, PoseArgs, Series, Shapes};
use crate::exit::Finish;
use crate::format;
use crate::output::{check_different, check_output};
use crate::terminal::{self, Style, grouped, plural};
use crate::tolerance;
use anyhow::{Context, Result, bail};
use nearhit::report;
use nearhit::scene::PosePath;
use nearhit::{Distance, Limit, Scratch, Tolerance};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Find the clearance along a path, and the first contact. Exits with 1 if they touch.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// Files, the pose of a, and settings.
    #[command(flatten)]
    pub pair: PairArgs,

    /// Poses of b, one on each line: 3 numbers (x y z), 7 (x y z qx qy qz qw), 12 or 16 (a matrix
    /// row by row), or 24 (poses of a and b as in a case: R_a, t_a, R_b, t_b).
    #[arg(long, value_name = "FILE", required_unless_present = "from", conflicts_with_all = ["from", "to", "steps"],
        help_heading = PATH)]
    pub poses: Option<PathBuf>,

    /// Instead: the pose of b at the start, in one of these forms.
    #[arg(long, value_name = "NUMBERS", requires = "to", allow_hyphen_values = true, help_heading = PATH)]
    pub from: Option<String>,

    /// The pose of b at the end; it moves along a line and turns the shorter way round.
    #[arg(long, value_name = "NUMBERS", requires = "from", allow_hyphen_values = true, help_heading = PATH)]
    pub to: Option<String>,

    /// Steps from start to end.
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = PATH)]
    pub steps: u32,

    /// Exit with 1 also if they come this close.
    #[arg(long, value_name = "T", allow_hyphen_values = true, default_value = "0")]
    pub clearance: String,

    /// Write the clearance at every pose as a table.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Draw the clearance along the path, as FILE.svg or FILE.html.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

const PATH: &str = "Path";

const ABOUT: &str = "\
Find the clearance along a path, and the first contact. Exits with 1 if they touch.

A path is a series of poses of b. The answer is that of a query at every pose, but most poses need
no query: while every point has moved by less than the last distance, they cannot touch. The
clearance is their distance, 0 where they touch. Motion between two poses is not checked.

The meshes are surfaces unless --solid is given; then a part inside another touches it. A ball, a
box or another shape may be written in the place of a file (box:1,2,3). Poses are numbered from 0,
triangles from 0 in the order of their file; points are in world coordinates.

--csv and --plot need the clearance at every pose, and so a query at each. The number of poses in
the answer counts the queries of the search alone.";

const EXAMPLES: &str = "\
Examples:
  A part on its way out, in 1,000 steps, with a drawing of the clearance:
      nearhit path housing.stl gear.stl --from \"0 0 0\" --to \"0 0 80\" --steps 1000 --plot out.svg

  Poses from a file, as solids; at least 2 apart; a table of all clearances:
      nearhit path housing.stl gear.stl --poses way.txt --solid --clearance 2 --csv out.csv

  The flight of a case:
      nearhit path cases/pipes/a.obj cases/pipes/b.obj --poses cases/pipes/poses.txt

  A tool over a floor:
      nearhit path half-space:0,0,1,0 tool.stl --from \"0 0 50\" --to \"200 0 1 0 0 0.6 0.8\" --json

Exit codes: 0 no contact (nor closer than --clearance), 1 contact or too close, 2 error, 3 the budget ran out before the
answer was known.";

/// Runs `nearhit path`.
pub fn command(args: &Args) -> Result<Finish> {
    let clearance = tolerance::length(&args.clearance, "--clearance ", "clearance")?;
    check(args)?;
    let bodies = Shapes::any(&args.pair)?;
    let series = series(args, &bodies)?;
    let poses = series.a_from_b();
    let (a, b) = bodies.shapes();
    let path = PosePath::new(a, b, &poses)?;
    let found = path.least_clearance(&bodies.settings(), &mut Scratch::new());
    let report = report::Path::new(&found, poses.len(), series.world_from_a(found.pose));
    if args.csv.is_some() || args.plot.is_some() {
        write(args, &bodies, &series, &path.clearances(Tolerance::EXACT, Limit::None), clearance)?;
    }
    let too_close = too_close(&report, clearance);
    let answer = Answer { clearance, too_close, report };
    terminal::print(&match args.pair.json {
        true => bodies.json(&answer)?,
        false => answer.sentences(&bodies, Style::of_stdout()),
    })?;
    Ok(match too_close {
        Some(true) => Finish::Found,
        Some(false) => Finish::Done,
        None => Finish::Partial,
    })
}

/// What can be said against the arguments before a file is read.
fn check(args: &Args) -> Result<()> {
    let PoseArgs { b_matrix, b_quaternion, b_euler, b_translate, .. } = &args.pair.poses;
    if [b_matrix, b_quaternion, b_euler, b_translate].into_iter().any(Option::is_some) {
        bail!("--b-…: the poses of b are those of the path");
    }
    let is_limited = args.pair.budget.limit()? != Limit::None;
    let inputs = || [Some(&args.pair.a), Some(&args.pair.b), args.poses.as_ref()].into_iter().flatten();
    for (output, flag) in [(&args.csv, "--csv"), (&args.plot, "--plot")] {
        let Some(output) = output else { continue };
        if is_limited {
            bail!("{flag} asks about every pose: it takes no budget");
        }
        check_output(output, inputs().map(PathBuf::as_path), &format!("{flag} would write over a file that is read"))?;
    }
    let outputs: Vec<&Path> = args.csv.iter().chain(&args.plot).map(PathBuf::as_path).collect();
    check_different(&outputs)?;
    match &args.plot {
        Some(path) => plot::check(path),
        None => Ok(()),
    }
}

fn series(args: &Args, bodies: &Shapes) -> Result<Series> {
    let PoseArgs { a_matrix, a_quaternion, a_euler, a_translate, .. } = &args.pair.poses;
    let is_a_placed = [a_matrix, a_quaternion, a_euler, a_translate].into_iter().any(Option::is_some);
    match (&args.poses, &args.from, &args.to) {
        (Some(file), ..) => Series::read(file, bodies.world_from_a(), is_a_placed),
        (_, Some(from), Some(to)) => Series::between(from, to, args.steps, bodies.world_from_a()),
        _ => bail!("give --poses, or --from and --to"),
    }
}

fn write(args: &Args, bodies: &Shapes, series: &Series, found: &[Distance], clearance: f64) -> Result<()> {
    let save = |path: &Path, text: String| {
        std::fs::write(path, text).with_context(|| format!("{}: cannot be written", path.display()))
    };
    if let Some(path) = &args.csv {
        save(path, table::csv(series, found))?;
    }
    if let Some(path) = &args.plot {
        save(path, plot::drawing(path, &format!("Clearance of {}", bodies.both()), found, clearance))?;
    }
    Ok(())
}

/// Whether the clearance is at most `limit` at some pose. Contact is too close whatever the limit.
fn too_close(report: &report::Path, limit: f64) -> Option<bool> {
    if report.collides == Some(true) || report.interval.upper <= limit {
        return Some(true);
    }
    let is_certain = report.is_complete || report.interval.lower > limit;
    (is_certain && report.collides.is_some()).then_some(false)
}

#[derive(Debug, Serialize)]
struct Answer {
    /// What was asked for.
    clearance: f64,
    too_close: Option<bool>,
    #[serde(flatten)]
    report: report::Path,
}

impl Answer {
    fn sentences(&self, bodies: &Shapes, style: Style) -> String {
        let report = &self.report;
        let both = bodies.both();
        let of = format!("{} of {}", grouped(report.pose as u64), grouped(report.poses as u64));
        let asked =
            format!("Asked about {} of {}.\n", grouped(report.asked as u64), plural(report.poses as u64, "pose"));
        let between = bodies.between(&report.witness);
        let upper = format::number(report.interval.upper);
        match (report.collides, report.is_complete) {
            (Some(true), true) => {
                let ([a, b], [point, _]) = (bodies.pieces(report.witness.triangles), report.witness.points);
                let verdict = style.bold(&format!("{both} touch, for the first time at pose {of}."));
                format!("{verdict}\nThere {a} and {b} share the point {}.\n{asked}", format::point(point))
            }
            (Some(true), false) => {
                let verdict = style.bold(&format!("{both} touch at pose {of}."));
                format!("{verdict}\nWhether they do before is not known: the budget ran out.\n{asked}")
            }
            (_, false) => {
                let lower = report.interval.lower;
                format!("The smallest clearance of {both} is between {lower} and {upper}: the budget ran out.\n{asked}")
            }
            _ => {
                let closest = style.good(&format!("{both} are at least {upper} apart"));
                let limit = if self.too_close == Some(true) {
                    style.bold(&format!("That is not more than {}.\n", self.clearance))
                } else {
                    String::new()
                };
                format!("{closest}: at pose {of}\n{between}.\n{limit}They touch at no pose. {asked}")
            }
        }
    }
}
