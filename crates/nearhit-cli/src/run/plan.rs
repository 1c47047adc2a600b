//! What does the typed line mean? All complaints about it come from here, before anything is read.

use super::query::Query;
use super::typed::Typed;
use crate::limit::Limit;
use crate::volume::{Engine, engine};
use anyhow::{Result, bail};
use nearhit::AgendaKind;

/// More threads than this are a typing error.
const MOST_THREADS: usize = 1024;

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
    /// Where each query starts.
    pub start: Start,
    /// When each query stops.
    pub limit: Limit,
    /// At least one.
    pub threads: usize,
    /// At least one pass; the last is timed.
    pub passes: usize,
}

/// Where a query starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// From nothing.
    Cold,
    /// From the last witness that this thread found in this pass, or from where the last refinement ended. The answers are the same; the work is less. (Of refinements: the verdicts; intervals may be wider.)
    Warm,
}

impl Plan {
    /// What was typed, understood.
    pub fn new(typed: &Typed) -> Result<Self> {
        let plan = Self::of(Query::new(typed)?, engine(&typed.volume)?);
        Ok(Self {
            query_name: typed.query.clone(),
            agenda: agenda(typed.agenda.as_deref())?,
            start: if typed.warm { Start::Warm } else { Start::Cold },
            limit: Limit::new(&typed.limit)?,
            threads: threads(typed.threads)?,
            passes: passes(typed.repeat)?,
            ..plan
        })
    }

    /// The defaults: depth first, cold, no limit, one thread, two passes.
    #[must_use]
    pub fn of(query: Query, volume: impl Into<Engine>) -> Self {
        let query_name = query.to_string();
        let (agenda, start, limit) = (AgendaKind::default(), Start::Cold, Limit::None);
        Self { query, query_name, volume: volume.into(), agenda, start, limit, threads: 1, passes: 2 }
    }
}

fn agenda(name: Option<&str>) -> Result<AgendaKind> {
    match name {
        None => Ok(AgendaKind::default()),
        Some("depth") => Ok(AgendaKind::Depth),
        Some("best") => Ok(AgendaKind::BEST),
        Some("breadth") => Ok(AgendaKind::Breadth),
        Some("plain") => Ok(AgendaKind::Plain),
        Some(other) => bail!("there is no agenda {other:?}; known: depth, best, breadth, plain"),
    }
}

fn threads(count: usize) -> Result<usize> {
    match count {
        0 => bail!("--threads 0: someone has to do the work; at least 1"),
        1..=MOST_THREADS => Ok(count),
        _ => bail!("--threads {count}: at most {MOST_THREADS}"),
    }
}

fn passes(repeat: usize) -> Result<usize> {
    if repeat == 0 {
        bail!("--repeat 0: at least one pass is needed, the last is timed");
    }
    Ok(repeat)
}
