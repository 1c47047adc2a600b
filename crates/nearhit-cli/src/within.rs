//! `nearhit within`: are two files closer than a tolerance?

use crate::bodies::{Bodies, Heading, TypedBodies, Work};
use crate::exit::Finish;
use crate::hint::Hint;
use crate::limit::WallClock;
use crate::say;
use crate::solid;
use crate::terminal::{self, Style};
use crate::tolerance;
use anyhow::Result;
use clap::Args;
use nearhit::research::primitive::distance::{Nearest, distance};
use nearhit::{Pair, Scratch, TrianglePair, Within};
use serde::Serialize;

/// Are two meshes at most a distance apart? Exit code 1 if they are.
#[derive(Debug, Clone, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Typed {
    /// The distance to keep, in the unit of the files.
    #[arg(value_name = "T", allow_negative_numbers = true)]
    pub limit: String,

    /// The two files, and where they are.
    #[command(flatten)]
    pub bodies: TypedBodies,
}

const ABOUT: &str = "\
Are two meshes at most a distance apart? Exit code 1 if they are.

T is the threshold \u{3b5} of the k-DOP paper: with 0 the question is that of `nearhit check`. The answer is exact. With --solid a part inside another is 0 apart; without, that it is inside is said beside the answer. The same as comparing `nearhit distance` with T, and faster: it stops at the first two triangles that are close enough. \
Triangles are numbered from 0 in the order of their file; points are in world coordinates.";

const EXAMPLES: &str = "\
Examples:
  nearhit within 0.5 wheel.stl axle.stl
  nearhit within 2 arm.ply table.obj --a-euler \"0 0 45\" --a-translate \"0.4 0 1.1\" --json

Exit codes: 0 farther apart, 1 too close, 2 error, 3 the budget ran out before that was known.";

/// Runs `nearhit within`.
pub fn command(typed: &Typed) -> Result<Finish> {
    let limit = tolerance::limit(&typed.limit, "within ", "tolerance")?;
    let bodies = Bodies::load(&typed.bodies)?;
    let pair = bodies.pair()?;
    let (clock, mut scratch) = (WallClock::start(), Scratch::new());
    let settings = bodies.settings(&clock);
    let found = pair.within(limit, &settings, &mut scratch);
    let mut report = Report::new(&bodies, &pair, limit, &found);
    if typed.bodies.solid {
        report.methods = Some(solid::methods(&pair));
    }
    if typed.bodies.solid && report.within == Some(false) {
        let contact = pair.solid().within(limit, &settings, &mut scratch);
        report.within = contact.verdict.known();
        report.contained = Some(solid::contained(contact.contained));
        if report.within != Some(false) {
            // Of solids in contact the surfaces' distance says nothing.
            report.lower = report.lower.min(0.0);
        }
    }
    if !typed.bodies.solid && report.within == Some(false) {
        report.inside = Hint::new(&pair, &bodies.settings(&clock), &mut scratch);
    }
    let text = if typed.bodies.json {
        serde_json::to_string(&report)? + "\n"
    } else {
        report.sentences(&bodies, Style::of_stdout())
    };
    terminal::print(&text)?;
    Ok(match report.within {
        Some(true) => Finish::Found,
        Some(false) => Finish::Done,
        None => Finish::Partial,
    })
}

/// The answer as a line of JSON.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(flatten)]
    heading: Heading,
    /// The threshold ε.
    limit: f64,
    /// Null: the budget ran out before it was known.
    within: Option<bool>,
    lower: f64,
    /// Null where nothing is known but that they are farther apart than the limit.
    upper: Option<f64>,
    /// `upper` apart, where they are within the limit; not necessarily the closest.
    triangles: Option<[u32; 2]>,
    points: Option<[[f64; 3]; 2]>,
    /// Without --solid, where the surfaces are farther apart: "a_in_b" or "b_in_a" if one is inside the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<Hint>,
    /// With --solid, where the surfaces are farther apart: which of the two is inside the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    contained: Option<Option<&'static str>>,
    /// With --solid: how each mesh is judged, as in `check`.
    #[serde(skip_serializing_if = "Option::is_none")]
    methods: Option<[&'static str; 2]>,
    #[serde(flatten)]
    work: Work,
}

impl Report {
    fn new(bodies: &Bodies, pair: &Pair<'_>, limit: f64, found: &Within) -> Self {
        let points = found.witness.map(|witness| {
            let (a, b) = pair.triangles(witness);
            let Nearest { on_a, on_b, .. } = distance(&a, &b);
            [on_a, on_b].map(|point| bodies.world(point))
        });
        Self {
            heading: bodies.heading(),
            limit,
            within: found.verdict.known(),
            lower: found.lower,
            upper: found.upper,
            triangles: found.witness.map(|witness| [witness.a, witness.b]),
            points,
            inside: None,
            contained: None,
            methods: None,
            work: found.stats.into(),
        }
    }

    fn sentences(&self, bodies: &Bodies, style: Style) -> String {
        let judged = self.methods.map_or(String::new(), |methods| solid::method_sentences(bodies, methods));
        let hint = self.inside.map_or(String::new(), |hint| hint.sentence(bodies));
        self.verdict(bodies, style) + &hint + &judged
    }

    fn verdict(&self, bodies: &Bodies, style: Style) -> String {
        let (both, Self { limit, lower, .. }) = (bodies.both(), self);
        match (self.within, self.triangles, self.points) {
            (Some(true), Some([a, b]), Some(points)) => {
                let length = say::number(self.upper.unwrap_or(*limit));
                let verdict = style.bold(&format!("{both} are at most {limit} apart"));
                format!("{verdict}:\n{length} {}.\n", bodies.between(TrianglePair { a, b }, points))
            }
            (Some(true), ..) => solid::inside_sentence(bodies, self.contained.flatten(), style),
            (None, ..) => {
                format!("It is not known whether {both} are at most {limit} apart: the budget ran out first.\n")
            }
            _ => {
                // Search may end just beyond the limit: that would only say the same again.
                let known = if *lower > 1.001 * limit { format!(" (at least {lower})") } else { String::new() };
                format!("{}{known}.\n", style.good(&format!("{both} are more than {limit} apart")))
            }
        }
    }
}
