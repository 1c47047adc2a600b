//! `nearhit within`: tolerance verification, whether two mesh files are closer than a limit.

use crate::bodies::{Bodies, PairArgs, Shapes};
use crate::exit::Finish;
use crate::format;
use crate::solid;
use crate::terminal::{self, Style};
use crate::tolerance;
use anyhow::Result;
use nearhit::Scratch;
use nearhit::report::{Nesting, Within};

/// Test whether two meshes are at most a distance apart. Exits with 1 if they are.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// The distance to keep, in the unit of the files.
    #[arg(value_name = "T", allow_negative_numbers = true)]
    pub limit: String,

    /// Files, poses and settings.
    #[command(flatten)]
    pub pair: PairArgs,
}

const ABOUT: &str = "\
Test whether two meshes are at most a distance apart. Exits with 1 if they are.

Of two meshes the answer is exact, and the same as comparing `nearhit distance` with T, but faster:
the search stops at the first two triangles that are close enough. With T = 0 it is the same as
`nearhit check`. T is the threshold \u{3b5} of the k-DOP paper. With --solid a part inside another is
0 apart; without it the output mentions that it is inside. Triangles are numbered from 0 in the
order of their file; points are in world coordinates.

A ball, a box or another shape may be written in the place of a file (box:1,2,3). Shapes are solids:
what is inside one is 0 apart from it. The distance of a shape is known as an interval: the answer
is yes if its lower end is at most T; \"no\" is proven.";

const EXAMPLES: &str = "\
Examples:
  nearhit within 0.5 wheel.stl axle.stl
  nearhit within 2 arm.ply table.obj --a-euler \"0 0 45\" --a-translate \"0.4 0 1.1\" --json
  nearhit within 0.1 part.stl half-space:0,0,1,0

Exit codes: 0 farther apart, 1 too close, 2 error, 3 the budget ran out before the answer was known.";

/// Runs `nearhit within`.
pub fn command(args: &Args) -> Result<Finish> {
    let limit = tolerance::length(&args.limit, "within ", "tolerance")?;
    if let Some(shapes) = Shapes::load(&args.pair)? {
        let report = shapes.within(limit)?;
        let (json, style) = (args.pair.json, Style::of_stdout());
        terminal::print(&if json { shapes.json(&report)? } else { shape_sentences(&report, &shapes, style) })?;
        return Ok(finish(&report));
    }
    let bodies = Bodies::load(&args.pair)?;
    let placement = bodies.placement()?;
    let pair = placement.pair();
    let mut scratch = Scratch::new();
    let settings = bodies.settings();
    let mut report = Within::new(&placement, limit, &pair.within(limit, &settings, &mut scratch));
    if args.pair.solid {
        let are_apart = report.within == Some(false);
        let solids = are_apart.then(|| pair.solid().within(limit, &settings, &mut scratch));
        report.add_solid(&placement, solids.as_ref());
    } else if report.within == Some(false) {
        report.inside = Nesting::ask(&placement, &bodies.settings(), &mut scratch);
    }
    let json = args.pair.json;
    terminal::print(&if json { bodies.json(&report)? } else { sentences(&report, &bodies, Style::of_stdout()) })?;
    Ok(finish(&report))
}

fn finish(report: &Within) -> Finish {
    match report.within {
        Some(true) => Finish::Found,
        Some(false) => Finish::Done,
        None => Finish::Partial,
    }
}

fn shape_sentences(report: &Within, shapes: &Shapes, style: Style) -> String {
    let (both, limit) = (shapes.both(), report.limit);
    let witness = report.witness();
    match (report.within, witness) {
        (Some(true), Some(witness)) => {
            let length = format::number(report.interval.upper);
            let verdict = style.bold(&format!("{both} are at most {limit} apart"));
            format!("{verdict}:\n{length} {}.\n", shapes.between(&witness))
        }
        (Some(true), None) => format!("{}.\n", style.bold(&format!("{both} are at most {limit} apart"))),
        (None, _) => format!("It is not known whether {both} are at most {limit} apart: the budget ran out.\n"),
        (Some(false), _) => format!("{}.\n", style.good(&format!("{both} are more than {limit} apart"))),
    }
}

fn sentences(report: &Within, bodies: &Bodies, style: Style) -> String {
    let methods = report.methods.map_or(String::new(), |methods| solid::method_sentences(bodies, methods));
    let nesting = report.inside.map_or(String::new(), |nesting| solid::nesting_sentence(nesting, bodies));
    verdict(report, bodies, style) + &nesting + &methods
}

fn verdict(report: &Within, bodies: &Bodies, style: Style) -> String {
    let (both, limit, lower) = (bodies.both(), report.limit, report.interval.lower);
    let witness = report.witness();
    match (report.within, witness, report.contained.flatten()) {
        (Some(true), Some(witness), _) => {
            let length = format::number(report.interval.upper);
            let verdict = style.bold(&format!("{both} are at most {limit} apart"));
            format!("{verdict}:\n{length} {}.\n", bodies.between(&witness))
        }
        (Some(true), None, Some(inner)) => solid::inside_sentence(bodies, inner, style),
        (Some(true), None, None) => format!("{}.\n", style.bold(&format!("{both} are at most {limit} apart"))),
        (None, ..) => format!("It is not known whether {both} are at most {limit} apart: the budget ran out.\n"),
        (Some(false), ..) => {
            // Search may end just beyond the limit: that would only say the same again.
            let known = if lower > 1.001 * limit { format!(" (at least {lower})") } else { String::new() };
            format!("{}{known}.\n", style.good(&format!("{both} are more than {limit} apart")))
        }
    }
}
