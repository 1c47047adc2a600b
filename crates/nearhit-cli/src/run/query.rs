//! Which queries are there, which options does each have a use for, and how is it asked? A new query is added here.

use super::answer::Answer;
use super::typed::Typed;
use anyhow::{Result, anyhow, bail};
use nearhit::{Contacts, Pair, Scratch, Settings};

/// A query that can be asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Query {
    /// Do they touch?
    Collide,
    /// Which triangles intersect?
    Contacts,
}

/// An option that only some queries have a use for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Knob {
    Agenda,
    RelError,
    AbsError,
    Warm,
    BudgetUs,
    Work,
    PMin,
    KMin,
}

impl Knob {
    /// As typed.
    fn flag(self) -> &'static str {
        match self {
            Self::Agenda => "--agenda",
            Self::RelError => "--rel-error",
            Self::AbsError => "--abs-error",
            Self::Warm => "--warm",
            Self::BudgetUs => "--budget-us",
            Self::Work => "--work",
            Self::PMin => "--p-min",
            Self::KMin => "--k-min",
        }
    }
}

/// A name on the command line.
struct Known {
    name: &'static str,
    /// Makes the query of what was typed and the tolerance; `None` where the library cannot answer it yet.
    make: Option<fn(&Typed, f64) -> Query>,
    knobs: &'static [Knob],
}

const KNOWN: &[Known] = {
    use Knob::{AbsError, Agenda, BudgetUs, KMin, PMin, RelError, Warm, Work};
    &[
        Known { name: "collide", make: Some(|_, _| Query::Collide), knobs: &[Agenda, BudgetUs, Work] },
        Known { name: "contacts", make: Some(|_, _| Query::Contacts), knobs: &[Agenda, BudgetUs, Work] },
        Known { name: "distance", make: None, knobs: &[Agenda, RelError, AbsError, Warm, BudgetUs, Work] },
        Known { name: "within", make: None, knobs: &[Agenda, Warm, BudgetUs, Work] },
        Known { name: "refine", make: None, knobs: &[BudgetUs, Work] },
        Known { name: "adb", make: None, knobs: &[BudgetUs, Work, PMin, KMin] },
    ]
};

impl Query {
    /// The query that was typed, if it has a use for all the options that were.
    pub(super) fn new(typed: &Typed) -> Result<Self> {
        let (name, value) =
            typed.query.split_once('=').map_or((&*typed.query, None), |(name, value)| (name, Some(value)));
        let known = KNOWN.iter().find(|known| known.name == name).ok_or_else(|| unknown(name))?;
        let tolerance = tolerance(name, value)?;
        let make = known.make.ok_or_else(|| anyhow!("query {name} is not built yet; built: {}", built()))?;
        if let Some(knob) = turned(typed).find(|knob| !known.knobs.contains(knob)) {
            bail!("{} does nothing for --query {name}: leave it out (it is for {})", knob.flag(), owners(knob));
        }
        Ok(make(typed, tolerance))
    }

    /// As typed.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Collide => "collide",
            Self::Contacts => "contacts",
        }
    }

    /// Did the budget run out before the answer was certain and whole?
    pub(super) fn is_undecided(self, answer: &Answer) -> bool {
        match self {
            Self::Collide => answer.collides.is_none(),
            Self::Contacts => answer.contacts.is_none(),
        }
    }

    /// Asks it. The time is the caller's to measure.
    pub(super) fn ask(self, pair: &Pair<'_>, settings: &Settings<'_>, scratch: &mut Scratch) -> Answer {
        match self {
            Self::Collide => {
                let collision = pair.collide(settings, scratch);
                Answer { collides: collision.verdict.known(), stats: collision.stats, ..Answer::default() }
            }
            Self::Contacts => {
                let Contacts { pairs, complete, stats } = pair.contacts(settings, scratch);
                // One contact settles it, however many more there are; an unfinished search settles nothing else.
                let collides = if pairs.is_empty() { complete.then_some(false) } else { Some(true) };
                Answer { collides, contacts: complete.then_some(pairs.len() as u64), stats, ..Answer::default() }
            }
        }
    }
}

/// The options in use that not every query has a use for.
fn turned(typed: &Typed) -> impl Iterator<Item = Knob> {
    let all = [
        (typed.agenda.is_some(), Knob::Agenda),
        (typed.rel_error.is_some(), Knob::RelError),
        (typed.abs_error.is_some(), Knob::AbsError),
        (typed.warm, Knob::Warm),
        (typed.budget_us.is_some(), Knob::BudgetUs),
        (typed.work.is_some(), Knob::Work),
        (typed.p_min.is_some(), Knob::PMin),
        (typed.k_min.is_some(), Knob::KMin),
    ];
    all.into_iter().filter_map(|(given, knob)| given.then_some(knob))
}

/// Only `within` takes a value, and it must be a distance; 0 for the others.
fn tolerance(name: &str, value: Option<&str>) -> Result<f64> {
    match (name, value) {
        ("within", None) => bail!("--query within needs a tolerance: within=0.5"),
        ("within", Some(text)) => match text.parse::<f64>() {
            Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
            _ => bail!("--query within={text}: the tolerance must be a number, at least 0"),
        },
        (_, Some(text)) => bail!("--query {name}={text}: {name} takes no value"),
        (_, None) => Ok(0.0),
    }
}

/// Names of the queries that fit, separated by commas.
fn names(fits: impl Fn(&Known) -> bool) -> String {
    KNOWN.iter().filter(|known| fits(known)).map(|known| known.name).collect::<Vec<_>>().join(", ")
}

fn built() -> String {
    names(|known| known.make.is_some())
}

fn owners(knob: Knob) -> String {
    names(|known| known.knobs.contains(&knob))
}

fn unknown(name: &str) -> anyhow::Error {
    anyhow!("there is no query {name:?}; known: {}", names(|_| true).replace("within", "within=T"))
}
