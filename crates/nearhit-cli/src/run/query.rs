//! Queries of `nearhit run`, and the options that each takes. A new query is added here.

use super::answer::Answer;
use super::args::Args;
use super::precomputed::Precomputed;
use crate::tolerance;
use anyhow::{Result, anyhow, bail};
use nearhit::batch::Seeding;
use nearhit::research::PairExt;
use nearhit::research::adb::calibration::FITTED;
use nearhit::research::adb::{Estimate, Quality};
use nearhit::{
    Budget, Collision, Contacts, Distance, Pair, QueryError, Refinement, Scratch, Settings, SpherePair, Tolerance,
};
use std::fmt;

/// A query that can be asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Query {
    /// Whether they touch.
    Collide,
    /// Which triangles intersect?
    Contacts,
    /// How far apart are they?
    Distance(Tolerance),
    /// Whether they are at most so far apart.
    Within(f64),
    /// What do sphere-trees know in time?
    Refine,
    /// How likely do they touch?
    Adb(Quality, Option<f64>),
}

/// As typed.
impl fmt::Display for Query {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Collide => formatter.write_str("collide"),
            Self::Contacts => formatter.write_str("contacts"),
            Self::Distance(_) => formatter.write_str("distance"),
            Self::Within(limit) => write!(formatter, "within={limit}"),
            Self::Refine => formatter.write_str("refine"),
            Self::Adb(..) => formatter.write_str("adb"),
        }
    }
}

/// An option that only some queries have a use for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QueryOption {
    Agenda,
    RelError,
    AbsError,
    Warm,
    BudgetUs,
    Work,
    PMin,
    KMin,
    BaseRate,
}

impl QueryOption {
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
            Self::BaseRate => "--base-rate",
        }
    }
}

/// A name on the command line.
struct QuerySpec {
    name: &'static str,
    /// Makes the query of what was typed and the value after the `=`.
    make: fn(&Args, f64) -> Result<Query>,
    options: &'static [QueryOption],
}

const QUERIES: &[QuerySpec] = {
    use QueryOption::{AbsError, Agenda, BaseRate, BudgetUs, KMin, PMin, RelError, Warm, Work};
    &[
        QuerySpec { name: "collide", make: |_, _| Ok(Query::Collide), options: &[Agenda, Warm, BudgetUs, Work] },
        QuerySpec { name: "contacts", make: |_, _| Ok(Query::Contacts), options: &[Agenda, BudgetUs, Work] },
        QuerySpec {
            name: "distance",
            make: |args, _| args.tolerance.tolerance().map(Query::Distance),
            options: &[Agenda, RelError, AbsError, Warm, BudgetUs, Work],
        },
        QuerySpec {
            name: "within",
            make: |_, limit| Ok(Query::Within(limit)),
            options: &[Agenda, Warm, BudgetUs, Work],
        },
        QuerySpec { name: "refine", make: |_, _| Ok(Query::Refine), options: &[Warm, BudgetUs, Work] },
        QuerySpec {
            name: "adb",
            make: |args, _| Ok(Query::Adb(quality(args)?, base_rate(args)?)),
            options: &[BudgetUs, Work, PMin, KMin, BaseRate],
        },
    ]
};

impl Query {
    /// The query that was typed, if it has a use for all the options that were.
    pub(super) fn new(args: &Args) -> Result<Self> {
        let (name, value) =
            args.query.split_once('=').map_or((&*args.query, None), |(name, value)| (name, Some(value)));
        let spec = QUERIES.iter().find(|spec| spec.name == name).ok_or_else(|| unknown(name))?;
        let value = value_of(name, value)?;
        if let Some(option) = given_options(args).find(|option| !spec.options.contains(option)) {
            bail!("{} has no effect on --query {name} (only on {})", option.flag(), owners(option));
        }
        (spec.make)(args, value)
    }

    /// Asks it. The time is the caller's to measure; what the query needs beside the models is
    /// made.
    pub(super) fn ask(
        self,
        pair: &Pair<'_>,
        precomputed: &Precomputed,
        settings: &Settings<'_>,
        room: &mut Room,
    ) -> Result<Answer, QueryError> {
        let Room { scratch, refinement, start } = room;
        Ok(match self {
            Self::Collide => collide(pair, settings, scratch),
            Self::Contacts => contacts(pair, settings, scratch),
            Self::Distance(tolerance) => distance(pair, tolerance, settings, scratch),
            Self::Within(limit) => within(pair, limit, settings, scratch),
            Self::Refine => {
                let [a, b] = precomputed.spheres();
                let pair = SpherePair::new(*pair, a, b);
                match start {
                    Seeding::Warm => refinement.follow(&pair),
                    _ => refinement.restart(),
                }
                refine(&pair, &settings.budget, refinement)
            }
            Self::Adb(quality, base_rate) => {
                let [a, b] = precomputed.averages();
                let estimate = pair.averaged(a, b)?.collide(&quality, settings, scratch);
                averaged(&estimate, base_rate)
            }
        })
    }
}

/// Quality thresholds of --query adb.
fn quality(args: &Args) -> Result<Quality> {
    let usual = Quality::default();
    let (p_min, k_min) = (args.p_min.unwrap_or(usual.p_min), args.k_min.unwrap_or(usual.k_min));
    if !(p_min > 0.0 && p_min <= 1.0) {
        bail!("--p-min {p_min}: must be above 0 and at most 1");
    }
    if k_min == 0 {
        bail!("--k-min must be at least 1");
    }
    Ok(usual.p_min(p_min).k_min(k_min).rule(args.rule.into()))
}

/// How often bodies touch, as far as the caller knows.
fn base_rate(args: &Args) -> Result<Option<f64>> {
    match args.base_rate {
        Some(share) if !(0.0..=1.0).contains(&share) => bail!("--base-rate {share}: must be from 0 to 1"),
        share => Ok(share),
    }
}

fn averaged(estimate: &Estimate<'_>, base_rate: Option<f64>) -> Answer {
    let told = |share: f64| estimate.calibrated(&FITTED.expecting(share));
    let probability = Some(base_rate.map_or_else(|| estimate.probability(), told));
    // The search knows no base rate: where what it says is less likely than not, given one, nothing
    // is said.
    let is_likely = |collides: &bool| {
        base_rate.is_none() || probability.is_none_or(|share| if *collides { share >= 0.5 } else { share <= 0.5 })
    };
    let (collides, is_complete) = (estimate.collides().filter(is_likely), estimate.is_complete);
    Answer { collides, probability, is_complete, stats: estimate.stats, ..Answer::default() }
}

fn collide(pair: &Pair<'_>, settings: &Settings<'_>, scratch: &mut Scratch) -> Answer {
    let found = pair.collide(settings, scratch);
    let Collision { verdict, witness, is_complete, stats, .. } = found;
    Answer { collides: verdict.known(), witness, is_complete, stats, ..Answer::default() }
}

fn contacts(pair: &Pair<'_>, settings: &Settings<'_>, scratch: &mut Scratch) -> Answer {
    let found = pair.contacts(settings, scratch);
    let Contacts { pairs, is_complete, stats, .. } = found;
    // One contact settles it, however many more there are; an unfinished search settles nothing
    // else.
    let collides = if pairs.is_empty() { is_complete.then_some(false) } else { Some(true) };
    let contacts = is_complete.then_some(pairs.len() as u64);
    Answer { collides, contacts, witness: pairs.first().copied(), is_complete, stats, ..Answer::default() }
}

fn distance(pair: &Pair<'_>, tolerance: Tolerance, settings: &Settings<'_>, scratch: &mut Scratch) -> Answer {
    let found = pair.distance(tolerance, settings, scratch);
    let collides = if found.upper == 0.0 { Some(true) } else { (found.lower > 0.0).then_some(false) };
    let (lower, upper) = (Some(found.lower), Some(found.upper));
    let Distance { witness, is_complete, stats, .. } = found;
    Answer { collides, lower, upper, witness: Some(witness), is_complete, stats, ..Answer::default() }
}

/// What is known is said; `collides` is not: it would depend on how tight the volumes happen to be.
fn within(pair: &Pair<'_>, limit: f64, settings: &Settings<'_>, scratch: &mut Scratch) -> Answer {
    let found = pair.within(limit, settings, scratch);
    let (lower, upper) = (Some(found.lower), found.upper);
    Answer {
        within: found.verdict.known(),
        lower,
        upper,
        witness: found.witness,
        is_complete: found.is_complete,
        stats: found.stats,
        ..Answer::default()
    }
}

fn refine(pair: &SpherePair<'_>, budget: &Budget<'_>, refinement: &mut Refinement) -> Answer {
    let found = refinement.run(pair, budget);
    // Before the first look nothing is known.
    let upper = Some(found.separation.upper).filter(|upper| upper.is_finite());
    let collides = found.verdict.known();
    Answer {
        collides,
        lower: Some(found.separation.lower),
        upper,
        level: Some(found.level),
        witness: found.witness,
        is_complete: collides.is_some(),
        stats: found.stats,
        ..Answer::default()
    }
}

/// Working memory of a thread.
#[derive(Debug)]
pub(super) struct Room {
    scratch: Scratch,
    refinement: Refinement,
    start: Seeding,
}

impl Room {
    pub(super) fn new(start: Seeding) -> Self {
        Self { scratch: Scratch::new(), refinement: Refinement::default(), start }
    }

    /// Forgets all answers.
    pub(super) fn restart(&mut self) {
        self.refinement.restart();
    }
}

/// The options in use that not every query has a use for.
fn given_options(args: &Args) -> impl Iterator<Item = QueryOption> {
    let all = [
        (args.agenda.is_some(), QueryOption::Agenda),
        (args.tolerance.rel_error.is_some(), QueryOption::RelError),
        (args.tolerance.abs_error.is_some(), QueryOption::AbsError),
        (args.warm, QueryOption::Warm),
        (args.budget.budget_us.is_some(), QueryOption::BudgetUs),
        (args.budget.work.is_some(), QueryOption::Work),
        (args.p_min.is_some(), QueryOption::PMin),
        (args.k_min.is_some(), QueryOption::KMin),
        (args.base_rate.is_some(), QueryOption::BaseRate),
    ];
    all.into_iter().filter_map(|(given, option)| given.then_some(option))
}

/// Only `within` takes a value, and it must be a distance; 0 for the others.
fn value_of(name: &str, value: Option<&str>) -> Result<f64> {
    match (name, value) {
        ("within", None) => bail!("--query within needs a tolerance: within=0.5"),
        ("within", Some(text)) => tolerance::length(text, "--query within=", "tolerance"),
        (_, Some(text)) => bail!("--query {name}={text}: {name} takes no value"),
        (_, None) => Ok(0.0),
    }
}

/// Names of the queries that fit, separated by commas.
fn names(fits: impl Fn(&QuerySpec) -> bool) -> String {
    QUERIES.iter().filter(|spec| fits(spec)).map(|spec| spec.name).collect::<Vec<_>>().join(", ")
}

fn owners(option: QueryOption) -> String {
    names(|spec| spec.options.contains(&option))
}

fn unknown(name: &str) -> anyhow::Error {
    anyhow!("unknown query '{name}'; known: {}", names(|_| true).replace("within", "within=T"))
}
