//! `nearhit distance`: how far apart are two files, and where are they closest?

use crate::bodies::{Bodies, Heading, TypedBodies, Work};
use crate::exit::Finish;
use crate::hint::Hint;
use crate::limit::WallClock;
use crate::run::touches;
use crate::say;
use crate::solid;
use crate::terminal::{self, Style};
use crate::tolerance::{self, TypedTolerance};
use anyhow::Result;
use clap::Args;
use nearhit::{Distance, Scratch, Tolerance, TrianglePair};
use serde::Serialize;

/// How far apart are two meshes, and where are they closest?
#[derive(Debug, Clone, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Typed {
    /// The two files, and where they are.
    #[command(flatten)]
    pub bodies: TypedBodies,

    /// How exact the distance must be.
    #[command(flatten)]
    pub tolerance: TypedTolerance,
}

const ABOUT: &str = "\
How far apart are two meshes, and where are they closest?

The distance is that of the surfaces, exact unless an error is allowed or a budget set; then it is an interval that \
certainly contains it. It is 0 exactly when they touch; a part inside another is some way from its surface, and that it is inside is said beside that. With --solid it is signed: below zero, it tells how deep the deepest \
point of one surface lies inside the other, to 1e-4 of that depth or 1e-3 of the smaller part's size. Triangles are numbered from 0 in the order of their file; points \
are in world coordinates.";

const EXAMPLES: &str = "\
Examples:
  nearhit distance wheel.stl axle.stl
  nearhit distance arm.ply table.obj --a-quaternion \"0 0 0.6 0.8\" --a-translate \"0.4, 0, 1.1\"
  nearhit distance screw.stl housing.stl --solid
  nearhit distance bunny.ply bunny.ply --b-translate \"1 0 0\" --rel-error 0.01 --json

Exit codes: 0 done, 2 error, 3 the budget ran out before the distance was as exact as asked for.";

/// Runs `nearhit distance`.
pub fn command(typed: &Typed) -> Result<Finish> {
    let tolerance = tolerance::tolerance(&typed.tolerance)?;
    let bodies = Bodies::load(&typed.bodies)?;
    let pair = bodies.pair()?;
    let (clock, mut scratch) = (WallClock::start(), Scratch::new());
    let settings = bodies.settings(&clock);
    let report = if typed.bodies.solid {
        let found = Distance::from(pair.solid().distance(tolerance, &settings, &mut scratch));
        let methods = Some(solid::methods(&pair));
        Report { complete: found.is_complete(), methods, ..Report::new(&bodies, &found, tolerance) }
    } else {
        let found = pair.distance(tolerance, &settings, &mut scratch);
        let are_apart = found.lower > 0.0;
        let inside = are_apart.then(|| Hint::new(&pair, &bodies.settings(&clock), &mut scratch)).flatten();
        Report { inside, ..Report::new(&bodies, &found, tolerance) }
    };
    let text = if typed.bodies.json {
        serde_json::to_string(&report)? + "\n"
    } else {
        report.sentences(&bodies, Style::of_stdout())
    };
    terminal::print(&text)?;
    Ok(if report.complete { Finish::Done } else { Finish::Partial })
}

/// The answer as a line of JSON.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(flatten)]
    heading: Heading,
    /// Null: the interval does not tell.
    collides: Option<bool>,
    lower: f64,
    upper: f64,
    /// As exact as asked for? False: the budget ran out.
    complete: bool,
    /// They are `upper` apart.
    triangles: [u32; 2],
    points: [[f64; 3]; 2],
    /// Without --solid, where the surfaces are apart: "a_in_b" or "b_in_a" if one is inside the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<Hint>,
    /// With --solid: how each mesh is judged, as in `check`.
    #[serde(skip_serializing_if = "Option::is_none")]
    methods: Option<[&'static str; 2]>,
    #[serde(flatten)]
    work: Work,
}

impl Report {
    fn new(bodies: &Bodies, found: &Distance, tolerance: Tolerance) -> Self {
        let Distance { lower, upper, witness, on_a, on_b, stats, .. } = *found;
        Self {
            heading: bodies.heading(),
            collides: if lower < 0.0 && upper <= 0.0 { Some(true) } else { touches(lower, upper) },
            lower,
            upper,
            complete: tolerance::is_met(tolerance, lower, upper),
            triangles: [witness.a, witness.b],
            points: [on_a, on_b].map(|point| bodies.world(point)),
            inside: None,
            methods: None,
            work: stats.into(),
        }
    }

    fn sentences(&self, bodies: &Bodies, style: Style) -> String {
        let judged = self.methods.map_or(String::new(), |methods| solid::method_sentences(bodies, methods));
        let hint = self.inside.map_or(String::new(), |hint| hint.sentence(bodies));
        self.answer(bodies, style) + &hint + &judged
    }

    fn answer(&self, bodies: &Bodies, style: Style) -> String {
        let (both, [a, b]) = (bodies.both(), self.triangles);
        let witness = TrianglePair { a, b };
        let Self { lower, upper, points, .. } = *self;
        let bold = |text: String| style.bold(&text);
        if lower < 0.0 {
            return solid::depth_sentences(bodies, lower, upper, points, style);
        }
        if upper == 0.0 {
            let (triangles, point) = (bodies.triangles(witness), say::point(points[0]));
            return format!("{}\nFor one, {triangles} share the point {point}.\n", bold(format!("{both} touch.")));
        }
        let between = bodies.between(witness, points);
        if lower == upper {
            return format!("{} apart,\n{between}.\n", bold(format!("{both} are {}", say::number(upper))));
        }
        let why = if self.complete { "as exact as asked for" } else { "the budget ran out" };
        // All digits: rounded ones might not contain the distance.
        let interval = bold(format!("{both} are between {lower} and {upper}"));
        format!("{interval} apart ({why});\nthe latter {between}.\n")
    }
}
