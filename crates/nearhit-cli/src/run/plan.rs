//! The plan of a run: arguments checked and understood, before anything is read.

use super::args::Args;
use super::query::Query;
use crate::volume::Engine;
use anyhow::{Result, bail};
use nearhit::Limit;
use nearhit::batch::Seeding;
use nearhit::research::AgendaKind;

/// More threads than this are a typing error.
const MOST_THREADS: usize = 1024;
/// More passes than this are a typing error.
const MOST_PASSES: usize = 1_000_000;

/// What is to be done with a case.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What to ask.
    pub query: Query,
    /// The query as typed.
    pub query_name: String,
    /// What the models are made of.
    pub volume: Engine,
    /// Which open pair next.
    pub agenda: AgendaKind,
    /// Where each query starts: cold, or from the last witness that its thread found in this pass
    /// (of refinements: where the last ended). Verdicts are the same; intervals of refinements may
    /// be wider.
    pub start: Seeding,
    /// When each query stops.
    pub limit: Limit,
    /// At least one.
    pub threads: usize,
    /// At least one pass; the last is timed.
    pub passes: usize,
}

impl Plan {
    /// What was typed, understood.
    pub fn new(args: &Args) -> Result<Self> {
        let plan = Self::of(Query::new(args)?, args.volume.engine()?);
        Ok(Self {
            query_name: args.query.clone(),
            agenda: agenda(args.agenda.as_deref())?,
            start: if args.warm { Seeding::Warm } else { Seeding::Cold },
            limit: args.budget.limit()?,
            threads: threads(args.threads)?,
            passes: passes(args.repeat)?,
            ..plan
        })
    }

    /// The defaults: cold, no limit, one thread, two passes.
    #[must_use]
    pub fn of(query: Query, volume: impl Into<Engine>) -> Self {
        let query_name = query.to_string();
        let (agenda, start, limit) = (AgendaKind::default(), Seeding::Cold, Limit::None);
        Self { query, query_name, volume: volume.into(), agenda, start, limit, threads: 1, passes: 2 }
    }
}

fn agenda(name: Option<&str>) -> Result<AgendaKind> {
    match name {
        None | Some("auto") => Ok(AgendaKind::default()),
        Some("depth") => Ok(AgendaKind::Depth),
        Some("best") => Ok(AgendaKind::BEST),
        Some("breadth") => Ok(AgendaKind::Breadth),
        Some("plain") => Ok(AgendaKind::Plain),
        Some(other) => bail!("unknown agenda '{other}'; known: auto, depth, best, breadth, plain"),
    }
}

fn threads(count: usize) -> Result<usize> {
    match count {
        0 => bail!("--threads must be at least 1"),
        1..=MOST_THREADS => Ok(count),
        _ => bail!("--threads {count}: must be at most {MOST_THREADS}"),
    }
}

fn passes(repeat: usize) -> Result<usize> {
    match repeat {
        0 => bail!("--repeat must be at least 1"),
        1..=MOST_PASSES => Ok(repeat),
        _ => bail!("--repeat {repeat}: must be at most {MOST_PASSES}"),
    }
}
