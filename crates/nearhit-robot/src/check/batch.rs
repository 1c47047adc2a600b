//! Many configurations at once, on all cores of the current rayon pool.

use super::Checker;
use super::query::CheckScratch;
use crate::error::{CheckError, ConfigurationError};
use nearhit::batch::{self, BatchError, BatchOptions};
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

/// Configurations that one thread does in a row, at most.
const CHUNK: usize = 64;
/// A batch has about so many chunks at least: at its end no thread waits long for another.
const CHUNKS: usize = 128;

impl Checker {
    /// Asks about many configurations, one after the other in `configurations`, on all cores.
    ///
    /// Answers come in the order of the configurations and are the same for every number of
    /// threads. Of the options only progress and cancellation matter here.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::batch::BatchOptions;
    /// use nearhit_robot::{Checker, Robot};
    ///
    /// let checker = Checker::new(Robot::example(), Default::default())?;
    /// let configurations = [[0.0; 5], [0.0, 1.9, 2.5, 0.0, 0.0]].concat();
    /// let gaps = checker.each(&configurations, &BatchOptions::new(), |checker, q, scratch| {
    ///     Ok(checker.closest(q, scratch)?.map(|closest| closest.upper))
    /// })?;
    /// assert!(gaps[0] > Some(0.0) && gaps[1] == Some(0.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn each<T: Send>(
        &self,
        configurations: &[f64],
        options: &BatchOptions<'_>,
        ask: impl Fn(&Self, &[f64], &mut CheckScratch) -> Result<T, CheckError> + Sync,
    ) -> Result<Vec<T>, BatchError<CheckError>> {
        let count = self.count(configurations).map_err(|error| BatchError::Refused { index: 0, error })?;
        let length = self.robot().coordinates();
        let size = (count / CHUNKS).clamp(1, CHUNK);
        let warm = Mutex::new(Vec::<CheckScratch>::new());
        let lock = || warm.lock().unwrap_or_else(PoisonError::into_inner);
        let chunk = |number: usize| -> Result<Cell<Vec<T>>, Refused> {
            let mut scratch = lock().pop().unwrap_or_default();
            let mut answers = Vec::with_capacity(size);
            for index in number * size..count.min((number + 1) * size) {
                let q = &configurations[index * length..][..length];
                answers.push(ask(self, q, &mut scratch).map_err(|error| Refused { index, error })?);
            }
            lock().push(scratch);
            Ok(Cell::new(answers))
        };
        let tell = |chunks: usize| {
            if let Some(progress) = options.progress {
                progress(count.min(chunks * size));
            }
        };
        let inner = options.progress(&tell);
        let found = batch::each(count.div_ceil(size), chunk, &inner, |answers, _, _| (answers.take(), None));
        match found {
            Ok(chunks) => Ok(chunks.into_iter().flatten().collect()),
            Err(BatchError::Refused { error: Refused { index, error }, .. }) => {
                Err(BatchError::Refused { index, error })
            }
            Err(BatchError::Cancelled { done, .. }) => {
                Err(BatchError::Cancelled { done: count.min(done * size), count })
            }
            // There are no others; the enumeration is open.
            Err(_) => Err(BatchError::Cancelled { done: 0, count }),
        }
    }

    /// Collision checks of many configurations, in parallel: whether any pair touches, for each.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/slide.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let checker = slide();
    /// assert_eq!(checker.collides_each(&[0.0, 0.5, 0.9])?, [false, false, true]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn collides_each(&self, configurations: &[f64]) -> Result<Vec<bool>, BatchError<CheckError>> {
        self.each(configurations, &BatchOptions::new(), Self::collides)
    }

    /// How many configurations there are.
    fn count(&self, configurations: &[f64]) -> Result<usize, CheckError> {
        let (length, found) = (self.robot().coordinates(), configurations.len());
        let count = found.checked_div(length).unwrap_or(0);
        if count * length == found {
            return Ok(count);
        }
        Err(ConfigurationError::Length { expected: (count + 1) * length, found }.into())
    }
}

/// A configuration that was refused, by its own number.
#[derive(Debug)]
struct Refused {
    index: usize,
    error: CheckError,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.error.fmt(formatter)
    }
}

impl std::error::Error for Refused {}
