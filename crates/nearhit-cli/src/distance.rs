//! `nearhit distance`: distance of two mesh files, with the closest points.

use crate::bodies::{Bodies, PairArgs, Shapes};
use crate::exit::Finish;
use crate::format;
use crate::solid;
use crate::terminal::{self, Style};
use crate::tolerance::ToleranceArgs;
use anyhow::Result;
use nearhit::report::{Distance, Nesting};
use nearhit::{InsideMethod, Interval, Scratch};

/// Compute the distance of two meshes, and their closest points.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// Files, poses and settings.
    #[command(flatten)]
    pub pair: PairArgs,

    /// How exact the distance must be.
    #[command(flatten)]
    pub tolerance: ToleranceArgs,
}

const ABOUT: &str = "\
Compute the distance of two meshes, and their closest points.

The distance is that of the surfaces. It is exact, unless an error is allowed or a budget is set;
then it is a certified interval. It is 0 exactly when the surfaces touch. A part inside another is
some distance from its surface; the output mentions that it is inside. With --solid the distance
is signed: below zero it is the penetration depth, how deep the deepest point of one surface lies
inside the other, to 1e-4 of that depth or 1e-3 of the smaller part's size. Triangles are numbered
from 0 in the order of their file; points are in world coordinates.

A ball, a box or another shape may be written in the place of a file (box:1,2,3). Shapes are solids:
what is inside one is 0 apart from it. The distance of shapes is an interval a few roundings wide.";

const EXAMPLES: &str = "\
Examples:
  nearhit distance wheel.stl axle.stl
  nearhit distance arm.ply table.obj --a-quaternion \"0 0 0.6 0.8\" --a-translate \"0.4, 0, 1.1\"
  nearhit distance screw.stl housing.stl --solid
  nearhit distance bunny.ply bunny.ply --b-translate \"1 0 0\" --rel-error 0.01 --json
  nearhit distance part.stl cylinder:0.5,2 --b-euler \"90 0 0\"

Exit codes: 0 done, 2 error, 3 not as exact as asked for: the budget ran out or, of a depth, a mesh
has holes.";

/// Runs `nearhit distance`.
pub fn command(args: &Args) -> Result<Finish> {
    let tolerance = args.tolerance.tolerance()?;
    if let Some(shapes) = Shapes::load(&args.pair)? {
        let report = shapes.distance(tolerance)?;
        let (json, style) = (args.pair.json, Style::of_stdout());
        terminal::print(&if json { shapes.json(&report)? } else { shape_sentences(&report, &shapes, style) })?;
        return Ok(if report.is_complete { Finish::Done } else { Finish::Partial });
    }
    let bodies = Bodies::load(&args.pair)?;
    let placement = bodies.placement()?;
    let mut scratch = Scratch::new();
    let settings = bodies.settings();
    let report = if args.pair.solid {
        let found = placement.pair().solid().distance(tolerance, &settings, &mut scratch);
        Distance::of_solids(&placement, &found)
    } else {
        let found = placement.pair().distance(tolerance, &settings, &mut scratch);
        let mut report = Distance::new(&placement, &found);
        if found.lower > 0.0 {
            report.inside = Nesting::ask(&placement, &bodies.settings(), &mut scratch);
        }
        report
    };
    let json = args.pair.json;
    terminal::print(&if json { bodies.json(&report)? } else { sentences(&report, &bodies, Style::of_stdout()) })?;
    Ok(if report.is_complete { Finish::Done } else { Finish::Partial })
}

fn sentences(report: &Distance, bodies: &Bodies, style: Style) -> String {
    let methods = report.methods.map_or(String::new(), |methods| solid::method_sentences(bodies, methods));
    let nesting = report.inside.map_or(String::new(), |nesting| solid::nesting_sentence(nesting, bodies));
    answer(report, bodies, style) + &partial(report, bodies) + &nesting + &methods
}

/// Of solids in contact: why the exit code is 3.
fn partial(report: &Distance, bodies: &Bodies) -> String {
    let Some(methods) = report.methods.filter(|_| !report.is_complete && report.interval.lower <= 0.0) else {
        return String::new();
    };
    let named = methods.into_iter().zip(bodies.names());
    let open: Vec<&str> = named.filter(|(method, _)| *method != InsideMethod::Exact).map(|(_, name)| name).collect();
    match open.is_empty() {
        true => "The depth is partial: the budget ran out before it was as exact as asked for.\n".to_owned(),
        false => format!(
            "The depth is partial: {} is no closed mesh, and no better bound than this is known.\n",
            open.join(" and ")
        ),
    }
}

fn shape_sentences(report: &Distance, shapes: &Shapes, style: Style) -> String {
    let (both, Interval { lower, upper }) = (shapes.both(), report.interval);
    if upper == 0.0 {
        let ([a, b], point) = (shapes.pieces(report.witness.triangles), format::point(report.witness.points[0]));
        let verdict = style.bold(&format!("{both} touch."));
        return format!("{verdict}\nFor example, {a} and {b} share the point {point}.\n");
    }
    let why = if report.is_complete { "as exact as asked for" } else { "the budget ran out" };
    // All digits: rounded ones might not contain the distance.
    let interval = style.bold(&format!("{both} are between {lower} and {upper}"));
    format!("{interval} apart ({why});\nthe latter {}.\n", shapes.between(&report.witness))
}

fn answer(report: &Distance, bodies: &Bodies, style: Style) -> String {
    let both = bodies.both();
    let Interval { lower, upper } = report.interval;
    let bold = |text: String| style.bold(&text);
    if lower < 0.0 {
        return solid::depth_sentences(bodies, lower, upper, report.witness.points, style);
    }
    if upper == 0.0 {
        let (triangles, point) = (bodies.triangles(report.witness.triangles), format::point(report.witness.points[0]));
        return format!("{}\nFor example, {triangles} share the point {point}.\n", bold(format!("{both} touch.")));
    }
    let between = bodies.between(&report.witness);
    if lower == upper {
        return format!("{} apart,\n{between}.\n", bold(format!("{both} are {}", format::number(upper))));
    }
    let why = if report.is_complete { "as exact as asked for" } else { "the budget ran out" };
    // All digits: rounded ones might not contain the distance.
    let interval = bold(format!("{both} are between {lower} and {upper}"));
    format!("{interval} apart ({why});\nthe latter {between}.\n")
}
