//! What does the typed line mean? All complaints about it come from here, before anything is read.

use super::query::Query;
use super::typed::Typed;
use super::volume::volume;
use anyhow::{Result, bail};
use nearhit::{AgendaKind, VolumeKind};
use std::time::Duration;

/// More threads than this are a typing error.
const MOST_THREADS: usize = 1024;

/// What is to be done with a case.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What to ask.
    pub query: Query,
    /// The query as typed.
    pub query_name: String,
    /// What the trees are made of.
    pub volume: VolumeKind,
    /// The volume as typed: `auto` stays `auto`.
    pub volume_name: String,
    /// Which open pair next.
    pub agenda: AgendaKind,
    /// When each query stops.
    pub limit: Limit,
    /// At least one.
    pub threads: usize,
    /// At least one pass; the last is timed.
    pub passes: usize,
}

/// When a query must stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// When it is done.
    None,
    /// After so many tests.
    Work(u64),
    /// After so much time.
    Time(Duration),
}

impl Plan {
    /// What was typed, understood.
    pub fn new(typed: &Typed) -> Result<Self> {
        let plan = Self::of(Query::new(typed)?, volume(&typed.volume)?);
        Ok(Self {
            query_name: typed.query.clone(),
            volume_name: typed.volume.clone(),
            agenda: agenda(typed.agenda.as_deref())?,
            limit: limit(typed)?,
            threads: threads(typed.threads)?,
            passes: passes(typed.repeat)?,
            ..plan
        })
    }

    /// The defaults: depth first, no limit, one thread, two passes.
    #[must_use]
    pub fn of(query: Query, volume: VolumeKind) -> Self {
        let query_name = query.name().to_owned();
        let volume_name = volume.name().to_owned();
        let (agenda, limit, threads, passes) = (AgendaKind::default(), Limit::None, 1, 2);
        Self { query, query_name, volume, volume_name, agenda, limit, threads, passes }
    }
}

fn agenda(name: Option<&str>) -> Result<AgendaKind> {
    match name {
        None => Ok(AgendaKind::default()),
        Some("depth") => Ok(AgendaKind::Depth),
        Some("best") => Ok(AgendaKind::BEST),
        Some("breadth") => Ok(AgendaKind::Breadth),
        Some(other) => bail!("there is no agenda {other:?}; known: depth, best, breadth"),
    }
}

fn limit(typed: &Typed) -> Result<Limit> {
    match (typed.budget_us, typed.work) {
        (None, None) => Ok(Limit::None),
        (None, Some(units)) => Ok(Limit::Work(units)),
        (Some(microseconds), _) => match Duration::try_from_secs_f64(microseconds * 1e-6) {
            Ok(time) => Ok(Limit::Time(time)),
            Err(_) => bail!("--budget-us {microseconds}: must be a number of microseconds, at least 0"),
        },
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
