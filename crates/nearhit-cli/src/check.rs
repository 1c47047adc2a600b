//! `nearhit check`: do two files touch, and where?

use crate::bodies::{Bodies, Heading, TypedBodies, Work};
use crate::exit::Finish;
use crate::hint::Hint;
use crate::known::Known;
use crate::limit::WallClock;
use crate::say;
use crate::solid::Solid;
use crate::terminal::{self, Style, plural};
use anyhow::Result;
use clap::Args;
use nearhit::{Assessment, Contacts, Pair, Scratch, TrianglePair, Verdict};
use serde::Serialize;

/// Do two meshes touch, and where? Exit code 1 if they do.
#[derive(Debug, Clone, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Typed {
    /// The two files, and where they are.
    #[command(flatten)]
    pub bodies: TypedBodies,

    /// List all pairs of triangles that touch, with what they share.
    #[arg(long)]
    pub contacts: bool,
}

const ABOUT: &str = "\
Do two meshes touch, and where? Exit code 1 if they do.

The meshes are surfaces: they touch when a triangle of one and a triangle of the other share a point, so a part that is \
wholly inside another does not touch it unless --solid is given; that it is inside is said all the same. The answer is exact: a threshold of 0; for one above 0 see `nearhit within`. Triangles are numbered from 0 in the order of their file; \
points are in world coordinates.

A budget (--work, --budget-us) that ends before all contacts are found is spent a second time on what is certain nevertheless: how far apart the surfaces are at most (separation), and a translation that \
takes them apart, with its length (penetration). Both never grow with the budget.";

const EXAMPLES: &str = "\
Examples:
  Two parts of an assembly, in place as they are:
      nearhit check wheel.stl axle.stl

  One turned by 90 degrees about z and lifted; all contacts, as JSON:
      nearhit check wheel.stl axle.stl --a-euler \"0 0 90\" --a-translate \"0 0 2.5\" --contacts --json

  Is a part inside another? How deep, and how to get it out:
      nearhit check screw.stl housing.stl --solid

  In a script:
      if nearhit check a.obj b.obj > report.txt; then echo free; fi

Exit codes: 0 they do not touch, 1 they touch, 2 error, 3 the budget ran out before that (with --contacts: before the list)
was known.";

/// Runs `nearhit check`.
pub fn command(typed: &Typed) -> Result<Finish> {
    let bodies = Bodies::load(&typed.bodies)?;
    let pair = bodies.pair()?;
    let (clock, mut scratch) = (WallClock::start(), Scratch::new());
    let settings = bodies.settings(&clock);
    let found = pair.contacts(&settings, &mut scratch);
    let mut report = Report::new(&bodies, &pair, found, typed.contacts);
    if report.contacts.is_none() {
        // The default engine makes the trees that this needs on first use: that is not the query's time.
        let _made = (pair.a().hierarchy(), pair.b().hierarchy());
        let (known, said) = Known::new(&bodies, &pair, &bodies.settings(&clock), &mut scratch);
        report.learn(&bodies, &pair, known, &said);
    }
    if typed.bodies.solid {
        let solid = Solid::new(&bodies, &pair, &settings, &mut scratch)?;
        report.collides = report.collides.filter(|touch| *touch).or(solid.collides());
        report.solid = Some(solid);
    } else if report.collides == Some(false) {
        report.inside = Hint::new(&pair, &bodies.settings(&clock), &mut scratch);
    }
    let text = if typed.bodies.json {
        serde_json::to_string(&report)? + "\n"
    } else {
        report.sentences(&bodies, Style::of_stdout())
    };
    terminal::print(&text)?;
    Ok(report.finish())
}

/// The answer as a line of JSON. `pairs` is null unless the list was asked for.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(flatten)]
    heading: Heading,
    /// Null: the budget ran out before a contact was found.
    collides: Option<bool>,
    /// Null: the budget ran out before all were found.
    contacts: Option<usize>,
    contacts_at_least: usize,
    first: Option<Contact>,
    pairs: Option<Vec<Contact>>,
    /// Without --solid, where the surfaces do not touch: "a_in_b" or "b_in_a" if one is inside the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<Hint>,
    /// With --solid.
    #[serde(skip_serializing_if = "Option::is_none")]
    solid: Option<Solid>,
    /// Where the budget ended before all contacts were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<Known>,
    #[serde(flatten)]
    work: Work,
}

#[derive(Debug, Serialize)]
struct Contact {
    triangles: [u32; 2],
    /// Corners of what the two share: one for a point, two for a segment, more for a flat patch.
    points: Vec<[f64; 3]>,
}

impl Contact {
    fn new(bodies: &Bodies, pair: &Pair<'_>, triangles: TrianglePair) -> Self {
        let points = pair.overlap(triangles).points().iter().map(|&point| bodies.world(point)).collect();
        Self { triangles: [triangles.a, triangles.b], points }
    }
}

impl Report {
    fn new(bodies: &Bodies, pair: &Pair<'_>, found: Contacts<'_>, list: bool) -> Self {
        let (Contacts { pairs, stats, .. }, complete) = (found, found.is_complete());
        let contact = |&triangles: &TrianglePair| Contact::new(bodies, pair, triangles);
        Self {
            heading: bodies.heading(),
            collides: if pairs.is_empty() { complete.then_some(false) } else { Some(true) },
            contacts: complete.then_some(pairs.len()),
            contacts_at_least: pairs.len(),
            first: pairs.first().map(contact),
            pairs: list.then(|| pairs.iter().map(contact).collect()),
            inside: None,
            solid: None,
            known: None,
            work: stats.into(),
        }
    }

    /// What a second query, for bounds, has found out: perhaps the verdict, too.
    fn learn(&mut self, bodies: &Bodies, pair: &Pair<'_>, known: Known, said: &Assessment) {
        match said.verdict {
            Verdict::Yes if self.first.is_none() => {
                self.collides = Some(true);
                self.contacts_at_least = 1;
                self.first = said.witness.map(|triangles| Contact::new(bodies, pair, triangles));
            }
            Verdict::No => (self.collides, self.contacts) = (Some(false), Some(0)),
            Verdict::Yes | Verdict::Maybe => {}
        }
        self.known = Some(known);
        self.work += said.stats;
    }

    fn finish(&self) -> Finish {
        let whole_list = self.pairs.is_none() || self.contacts.is_some();
        match self.collides {
            Some(true) if whole_list => Finish::Found,
            Some(false) => Finish::Done,
            _ => Finish::Partial,
        }
    }

    fn sentences(&self, bodies: &Bodies, style: Style) -> String {
        match &self.solid {
            Some(solid) if solid.is_contained() => solid.sentences(bodies, style),
            Some(solid) => self.about_surfaces(bodies, style) + &solid.sentences(bodies, style),
            None => {
                let hint = self.inside.map_or(String::new(), |hint| hint.sentence(bodies));
                self.about_surfaces(bodies, style) + &hint
            }
        }
    }

    fn about_surfaces(&self, bodies: &Bodies, style: Style) -> String {
        let both = bodies.both();
        let known = match (&self.known, self.collides) {
            (None, _) | (_, Some(false)) => String::new(),
            (Some(known), collides) => known.sentences(bodies, collides == Some(true)),
        };
        let verdict = match (self.collides, &self.pairs, &self.first) {
            (Some(true), Some(pairs), _) => format!("{}\n{}", self.verdict(&both, style), listed(pairs, bodies)),
            (Some(true), None, Some(first)) => {
                let [a, b] = first.triangles;
                let triangles = bodies.triangles(TrianglePair { a, b });
                format!(
                    "{}\n{}: {triangles} share {}.\n",
                    self.verdict(&both, style),
                    if self.contacts.is_some() { "The first" } else { "One of them" },
                    say::shared(&first.points)
                )
            }
            (None, ..) => format!("It is not known whether {both} touch: the budget ran out first.\n"),
            _ => format!("{}\n", style.good(&format!("{both} do not touch."))),
        };
        verdict + &known
    }

    fn verdict(&self, both: &str, style: Style) -> String {
        let pairs = plural(self.contacts_at_least as u64, "triangle pair");
        let (least, why) = if self.contacts.is_none() { ("at least ", " (the budget ran out)") } else { ("", "") };
        style.bold(&format!("{both} touch: {least}{pairs}{why}."))
    }
}

fn listed(pairs: &[Contact], bodies: &Bodies) -> String {
    let [a, b] = bodies.names();
    let mut text = format!("Triangles of {a} and of {b}, and what they share:\n");
    for Contact { triangles: [a, b], points } in pairs {
        text += &format!("  {a} and {b}: {}\n", say::shared(points));
    }
    text
}
