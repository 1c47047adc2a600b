//! `nearhit check`: collision test of two mesh files, with contacts.

use crate::assessment;
use crate::bodies::{Bodies, PairArgs, Shapes};
use crate::exit::Finish;
use crate::format;
use crate::solid;
use crate::terminal::{self, Style, plural};
use anyhow::{Result, bail};
use nearhit::report::{Check, Contact, Nesting, Solid};
use nearhit::research::ModelExt;
use nearhit::{Interval, Scratch};

/// Test whether two meshes touch, and where. Exits with 1 if they do.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// Files, poses and settings.
    #[command(flatten)]
    pub pair: PairArgs,

    /// List all pairs of triangles that touch, with what they share.
    #[arg(long)]
    pub contacts: bool,
}

const ABOUT: &str = "\
Test whether two meshes touch, and where. Exits with 1 if they do.

The meshes are surfaces: they touch when a triangle of one and a triangle of the other share a
point. A part that is wholly inside another does not touch it, unless --solid is given; the output
mentions it either way. The answer is exact, with a threshold of 0; for a threshold above 0 see
`nearhit within`. Triangles are numbered from 0 in the order of their file; points are in world
coordinates.

A ball, a box or another shape may be written in the place of a file (box:1,2,3). Shapes are solids:
what is inside one touches it. Of two shapes the output also says how deep they overlap, and which
way out is the shortest.

If a budget (--work, --budget-us) runs out before all contacts are found, it is spent a second
time on certified bounds: how far apart the surfaces are at most (separation), and a translation
that separates them, with its length (penetration). Both bounds never grow with the budget.";

const EXAMPLES: &str = "\
Examples:
  Two parts of an assembly, in place:
      nearhit check wheel.stl axle.stl

  One turned by 90 degrees about z and lifted; all contacts, as JSON:
      nearhit check wheel.stl axle.stl --a-euler \"0 0 90\" --a-translate \"0 0 2.5\" --contacts --json

  Is a part inside another? Penetration depth, and a translation that separates them:
      nearhit check screw.stl housing.stl --solid

  A part in a box of 100 x 100 x 50 on the floor; two shapes:
      nearhit check part.stl box:100,100,50 --b-translate \"0 0 25\"
      nearhit check capsule:0.1,1 half-space:0,0,1,0 --a-euler \"90 0 0\"

  In a script:
      if nearhit check a.obj b.obj > report.txt; then echo free; fi

Exit codes: 0 no contact, 1 contact, 2 error, 3 the budget ran out before the answer (with --contacts: the list) was
known.";

/// Runs `nearhit check`.
pub fn command(args: &Args) -> Result<Finish> {
    if let Some(shapes) = Shapes::load(&args.pair)? {
        return of_shapes(args, &shapes);
    }
    let bodies = Bodies::load(&args.pair)?;
    let placement = bodies.placement()?;
    let pair = placement.pair();
    let mut scratch = Scratch::new();
    let settings = bodies.settings();
    let found = pair.contacts(&settings, &mut scratch);
    let mut report = Check::new(&placement, &found, args.contacts);
    if !report.is_complete {
        // The default engine makes the trees that this needs on first use: that is not the query's
        // time.
        let _made = (pair.a().hierarchy(), pair.b().hierarchy());
        report.add_assessment(&placement, &pair.assess(&bodies.settings(), &mut scratch));
    }
    if args.pair.solid {
        report.add_solid(Solid::ask(&placement, &settings, &mut scratch)?);
    } else if report.collides == Some(false) {
        report.inside = Nesting::ask(&placement, &bodies.settings(), &mut scratch);
    }
    let json = args.pair.json;
    terminal::print(&if json { bodies.json(&report)? } else { sentences(&report, &bodies, Style::of_stdout()) })?;
    Ok(finish(&report))
}

fn of_shapes(args: &Args, shapes: &Shapes) -> Result<Finish> {
    if args.contacts {
        bail!("--contacts lists triangles of two meshes; {} are not", shapes.both());
    }
    let report = shapes.check()?;
    let json = args.pair.json;
    let style = Style::of_stdout();
    terminal::print(&if json { shapes.json(&report)? } else { shape_sentences(&report, shapes, style) })?;
    Ok(finish(&report))
}

fn shape_sentences(report: &Check, shapes: &Shapes, style: Style) -> String {
    let both = shapes.both();
    match (report.collides, &report.first) {
        (None, _) => format!("It is not known whether {both} touch: the budget ran out.\n"),
        (Some(true), Some(first)) => {
            let ([a, b], shared) = (shapes.pieces(first.triangles), format::shared(&first.points));
            let verdict = style.bold(&format!("{both} touch."));
            format!("{verdict}\nFor example, {a} and {b} share {shared}.\n") + &depth_sentence(report, shapes)
        }
        _ => format!("{}\n", style.good(&format!("{both} do not touch."))),
    }
}

/// Of two convex shapes.
fn depth_sentence(report: &Check, shapes: &Shapes) -> String {
    let Some(known) = &report.known else { return String::new() };
    let (Interval { lower, upper }, [x, y, z]) = (known.penetration, known.translation.unwrap_or_default());
    let b = shapes.name_b();
    // All digits: rounded ones might not contain the depth.
    let [x, y, z] = [x, y, z].map(|component| component + 0.0);
    format!(
        "Penetration depth: between {lower} and {upper}.\nMoving {b} by ({x}, {y}, {z}) leaves them touching at most.\n"
    )
}

fn finish(report: &Check) -> Finish {
    let whole_list = report.pairs.is_none() || report.is_complete;
    match report.collides {
        Some(true) if whole_list => Finish::Found,
        Some(false) => Finish::Done,
        _ => Finish::Partial,
    }
}

fn sentences(report: &Check, bodies: &Bodies, style: Style) -> String {
    match &report.solid {
        Some(solid) if solid.contained.is_some() => solid::sentences(solid, bodies, style),
        Some(solid) => about_surfaces(report, bodies, style) + &solid::sentences(solid, bodies, style),
        None => {
            let nesting = report.inside.map_or(String::new(), |nesting| solid::nesting_sentence(nesting, bodies));
            about_surfaces(report, bodies, style) + &nesting
        }
    }
}

fn about_surfaces(report: &Check, bodies: &Bodies, style: Style) -> String {
    let both = bodies.both();
    let known = match (&report.known, report.collides) {
        (None, _) | (_, Some(false)) => String::new(),
        (Some(known), collides) => assessment::sentences(known, bodies, collides == Some(true)),
    };
    let answer = match (report.collides, &report.pairs, &report.first) {
        (Some(true), Some(pairs), _) => format!("{}\n{}", verdict(report, &both, style), list(pairs, bodies)),
        (Some(true), None, Some(first)) => {
            let triangles = bodies.triangles(first.triangles);
            let which = if report.is_complete { "The first" } else { "One of them" };
            let shared = format::shared(&first.points);
            format!("{}\n{which}: {triangles} share {shared}.\n", verdict(report, &both, style))
        }
        (None, ..) => format!("It is not known whether {both} touch: the budget ran out.\n"),
        _ => format!("{}\n", style.good(&format!("{both} do not touch."))),
    };
    answer + &known
}

fn verdict(report: &Check, both: &str, style: Style) -> String {
    let pairs = plural(report.contacts_at_least as u64, "triangle pair");
    let (least, why) = if report.contacts.is_none() { ("at least ", " (the budget ran out)") } else { ("", "") };
    style.bold(&format!("{both} touch: {least}{pairs}{why}."))
}

fn list(pairs: &[Contact], bodies: &Bodies) -> String {
    let [a, b] = bodies.names();
    let mut text = format!("Triangles of {a} and of {b}, and what they share:\n");
    for Contact { triangles: [a, b], points, .. } in pairs {
        text += &format!("  {a} and {b}: {}\n", format::shared(points));
    }
    text
}
