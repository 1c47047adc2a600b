//! Batches: many queries at once, on all cores of the current rayon pool (one after the other
//! without the feature `parallel`).
//!
//! ```
//! use nearhit::batch::{self, BatchOptions};
//! use nearhit::{Mesh, Model, Pair, Pose, Tolerance};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let a = Model::new(Mesh::new(&corners, &[[0, 1, 2]])?);
//! let b = a.clone();
//! let lift = |i: usize| Pose::from_translation([0.0, 0.0, i as f64]).expect("finite");
//! let distances = batch::each(
//!     100,
//!     |i| Pair::new(&a, &Pose::IDENTITY, &b, &lift(i)),
//!     &BatchOptions::default(),
//!     |pair, settings, scratch| {
//!         let distance = pair.distance(Tolerance::EXACT, settings, scratch);
//!         (distance.upper, Some(distance.seed()))
//!     },
//! )?;
//! assert_eq!(distances[99], 99.0);
//! # Ok(())
//! # }
//! ```
//!
//! Answers come in the order of the queries and are the same for every number of threads: queries
//! are done in chunks whose size does not depend on the threads, and what one may leave for the
//! next (a seed) never crosses the border of a chunk.

use crate::parallel::*;
use crate::query::{Scratch, Seed, Settings};
use crate::traverse::{AgendaKind, Limit, Opening};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use thiserror::Error;

/// Queries that one thread does in a row, at most: enough for a seed to pay.
const CHUNK: usize = 16;
/// A batch has about so many chunks at least, if queries leave nothing for the next: at its end no
/// thread waits long for another.
const CHUNKS: usize = 256;

/// Options of a batch: limits, warm starts, progress, cancellation.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct BatchOptions<'o> {
    /// Which open pair next.
    pub agenda: AgendaKind,
    /// Which of two nodes to open.
    pub opening: Opening,
    /// When each query must stop.
    pub limit: Limit,
    /// Where a query looks first.
    pub seeding: Seeding,
    /// Where a query looks first that has none before it.
    pub seed: Option<Seed>,
    /// Told how many queries are done, from any thread, some times.
    pub progress: Option<&'o (dyn Fn(usize) + Sync)>,
    /// When it becomes true no further query begins.
    pub cancel: Option<&'o AtomicBool>,
}

impl<'o> BatchOptions<'o> {
    /// Default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the limit of each query.
    #[must_use]
    pub fn limit(self, limit: Limit) -> Self {
        Self { limit, ..self }
    }

    /// Sets where a query starts: cold, or warm from the one before it.
    #[must_use]
    pub fn seeding(self, seeding: Seeding) -> Self {
        Self { seeding, ..self }
    }

    /// Sets the seed of queries that have none before them.
    #[must_use]
    pub fn seed(self, seed: impl Into<Option<Seed>>) -> Self {
        Self { seed: seed.into(), ..self }
    }

    /// Sets a callback for the number of queries done.
    #[must_use]
    pub fn progress(self, progress: &'o (dyn Fn(usize) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Sets a flag that cancels: when it becomes true no further query begins.
    #[must_use]
    pub fn cancel(self, cancel: &'o AtomicBool) -> Self {
        Self { cancel: Some(cancel), ..self }
    }
}

impl fmt::Debug for BatchOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agenda, opening, limit, seeding, seed, progress, cancel } = self;
        let mut fields = formatter.debug_struct("BatchOptions");
        fields.field("agenda", agenda).field("opening", opening).field("limit", limit).field("seeding", seeding);
        fields.field("seed", seed);
        fields.field("progress", &progress.is_some()).field("cancel", cancel).finish()
    }
}

/// Start of a query in a batch: cold or warm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Seeding {
    /// Nowhere in particular: queries have nothing to do with each other.
    #[default]
    Cold,
    /// Where the one before it found its answer: for poses along a path.
    Warm,
}

/// Error of a batch.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BatchError<E: std::error::Error> {
    /// As asked for.
    #[error("cancelled after {done} of {count} queries")]
    Cancelled {
        /// How many queries were done.
        done: usize,
        /// How many there are.
        count: usize,
    },
    /// The first query that was refused.
    #[error("query {index}: {error}")]
    Refused {
        /// Its number, from 0.
        index: usize,
        /// Why.
        error: E,
    },
}

/// Runs `count` queries in parallel: `pair` places the bodies of a query (as a
/// [`Pair`](crate::Pair), a [`ShapePair`](crate::shape::ShapePair), or what else is asked about),
/// `ask` asks it and says where the next should look first.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use nearhit::batch::{self, BatchOptions, Seeding};
/// use nearhit::{Pair, Tolerance};
///
/// let (a, b) = (cube(1.0), cube(1.0));
/// let along = BatchOptions::new().seeding(Seeding::Warm); // poses of a path: each starts where the last ended
/// let distances = batch::each(
///     10,
///     |i| Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(3.0 + i as f64, 0.0, 0.0)),
///     &along,
///     |pair, settings, scratch| {
///         let found = pair.distance(Tolerance::EXACT, settings, scratch);
///         (found.upper, Some(found.seed()))
///     },
/// )?;
/// assert_eq!(distances[9], 10.0);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "parallel")]
#[doc(alias = "multi-threaded")]
pub fn each<P, T, E>(
    count: usize,
    pair: impl Fn(usize) -> Result<P, E> + Sync,
    options: &BatchOptions<'_>,
    ask: impl Fn(&P, &Settings<'_>, &mut Scratch) -> (T, Option<Seed>) + Sync,
) -> Result<Vec<T>, BatchError<E>>
where
    T: Send,
    E: std::error::Error + Send,
{
    let is_cancelled = || options.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
    let (done, warm) = (AtomicUsize::new(0), Mutex::new(Vec::<Scratch>::new()));
    let size = match options.seeding {
        Seeding::Warm => CHUNK,
        Seeding::Cold => (count / CHUNKS).clamp(1, CHUNK),
    };
    let chunk = |number: usize| -> Result<Vec<T>, Stop<E>> {
        let mut scratch = lock(&warm).pop().unwrap_or_default();
        let queries = number * size..count.min((number + 1) * size);
        let (mut answers, mut seed) = (Vec::with_capacity(queries.len()), options.seed);
        for index in queries {
            if is_cancelled() {
                return Err(Stop::Cancelled);
            }
            let pair = pair(index).map_err(|error| Stop::Refused { index, error })?;
            let settings = Settings {
                agenda: options.agenda,
                opening: options.opening,
                ..Settings::new().budget(options.limit).seed(seed)
            };
            let (answer, next) = ask(&pair, &settings, &mut scratch);
            seed = next.filter(|_| options.seeding == Seeding::Warm).or(options.seed);
            answers.push(answer);
        }
        let now_done = done.fetch_add(answers.len(), Ordering::Relaxed) + answers.len();
        if let Some(progress) = options.progress {
            progress(now_done);
        }
        lock(&warm).push(scratch);
        Ok(answers)
    };
    // Every chunk is a task of its own. Otherwise a thread keeps a quarter of the batch to itself,
    // and poses along a path differ much in what they take.
    let chunks: Vec<Result<Vec<T>, Stop<E>>> =
        (0..count.div_ceil(size)).into_par_iter().with_max_len(1).map(chunk).collect();
    gathered(chunks, count, done.load(Ordering::Relaxed))
}

/// All answers in order, or why the first chunk that ended early did.
fn gathered<T, E>(chunks: Vec<Result<Vec<T>, Stop<E>>>, count: usize, done: usize) -> Result<Vec<T>, BatchError<E>>
where
    E: std::error::Error + Send,
{
    let mut answers = Vec::with_capacity(count);
    for chunk in chunks {
        answers.extend(chunk.map_err(|stop| match stop {
            Stop::Cancelled => BatchError::Cancelled { done, count },
            Stop::Refused { index, error } => BatchError::Refused { index, error },
        })?);
    }
    Ok(answers)
}

/// Why a chunk ended early.
enum Stop<E> {
    Cancelled,
    Refused { index: usize, error: E },
}

/// A panic elsewhere does not spoil working memory: every query starts it afresh.
fn lock(warm: &Mutex<Vec<Scratch>>) -> std::sync::MutexGuard<'_, Vec<Scratch>> {
    warm.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
