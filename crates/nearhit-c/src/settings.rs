//! How to go about a question: budget, tolerance, where to look first, working memory.

use crate::border::{make, release};
use crate::results::nearhit_triangle_pair;
use crate::status::{Failure, nearhit_error, nearhit_status};
use nearhit::{Budget, Limit, Scratch, Seed, Settings, Tolerance};
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::{Mutex, TryLockError};

/// What a query stops at.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum nearhit_limit {
    /// Nothing: it is answered in full.
    None = 0,
    /// After `work` tests of volumes and triangles. Repeats exactly.
    Work = 1,
    /// After `microseconds`.
    Time = 2,
}

/// How to go about a question. All zero (`nearhit_settings settings = {0};`) is the default, and so
/// is NULL where a pointer to settings is taken: exact, without a limit, with working memory made
/// for this call.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nearhit_settings {
    /// A nearhit_limit. What runs into it answers with what is certain: NEARHIT_VERDICT_MAYBE, or a
    /// wider interval.
    pub limit: i32,
    /// Not zero: look at `seed` first.
    pub has_seed: i32,
    /// For NEARHIT_LIMIT_WORK.
    pub work: u64,
    /// For NEARHIT_LIMIT_TIME: finite, at least 0.
    pub microseconds: f64,
    /// Triangles of an earlier answer for the same models (a warm start). Never changes an answer,
    /// only the time it takes; triangles that do not exist are ignored.
    pub seed: nearhit_triangle_pair,
    /// A distance need not be better than to this share of it, 0.01 for one per cent. Finite, at
    /// least 0.
    pub relative_error: f64,
    /// Nor better than to this length: either is enough. Finite, at least 0.
    pub absolute_error: f64,
    /// Working memory to use again from call to call, or NULL. Belongs to the caller.
    pub scratch: Option<NonNull<nearhit_scratch>>,
}

impl Default for nearhit_settings {
    fn default() -> Self {
        Self {
            limit: 0,
            has_seed: 0,
            work: 0,
            microseconds: 0.0,
            seed: nearhit_triangle_pair { a: 0, b: 0 },
            relative_error: 0.0,
            absolute_error: 0.0,
            scratch: None,
        }
    }
}

/// Working memory of queries. With it a warm query allocates nothing. One for each thread: used by
/// two at once, the second gets NEARHIT_STATUS_BUSY.
#[derive(Debug, Default)]
pub struct nearhit_scratch(Mutex<Scratch>);

/// Settings that have been checked.
#[derive(Debug)]
pub(crate) struct Checked<'s> {
    pub(crate) limit: Limit,
    pub(crate) tolerance: Tolerance,
    pub(crate) seed: Option<Seed>,
    scratch: Option<&'s nearhit_scratch>,
}

impl Checked<'_> {
    /// # Safety
    ///
    /// The settings' working memory is NULL or a handle that lives as long as the call.
    pub(crate) unsafe fn new(settings: Option<&nearhit_settings>) -> Result<Self, Failure> {
        let default = nearhit_settings::default();
        let settings = settings.unwrap_or(&default);
        let limit = match settings.limit {
            0 => Limit::None,
            1 => Limit::Work(settings.work),
            2 => Limit::microseconds(settings.microseconds).map_err(|error| Failure::argument(error.to_string()))?,
            other => return Err(Failure::argument(format!("limit is {other}: there is no such nearhit_limit"))),
        };
        let relative = not_negative(settings.relative_error, "relative_error")?;
        let absolute = not_negative(settings.absolute_error, "absolute_error")?;
        let seed = (settings.has_seed != 0).then(|| Seed(settings.seed.into()));
        // SAFETY: as promised by the caller; a handle is only ever used by shared reference.
        let scratch = settings.scratch.map(|scratch| unsafe { scratch.as_ref() });
        Ok(Self { limit, tolerance: Tolerance::new(relative, absolute), seed, scratch })
    }

    /// Of a query that begins now.
    pub(crate) fn budget(&self) -> Budget<'static> {
        self.limit.into()
    }

    /// Asks a question with the library's settings and the caller's working memory.
    pub(crate) fn ask<T>(&self, question: impl FnOnce(&Settings<'_>, &mut Scratch) -> T) -> Result<T, Failure> {
        let settings = Settings::new().budget(self.budget()).seed(self.seed);
        let Some(scratch) = self.scratch else { return Ok(question(&settings, &mut Scratch::new())) };
        match scratch.0.try_lock() {
            Ok(mut memory) => Ok(question(&settings, &mut memory)),
            // Every query starts it afresh, so that one that ended badly leaves no trace.
            Err(TryLockError::Poisoned(memory)) => Ok(question(&settings, &mut memory.into_inner())),
            Err(TryLockError::WouldBlock) => Err(Failure::busy("the scratch")),
        }
    }
}

/// A finite number of at least 0.
pub(crate) fn not_negative(value: f64, name: &str) -> Result<f64, Failure> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(Failure::argument(format!("{name} is {value}: it must be finite and at least 0")))
}

/// Working memory for queries of one thread. It is the caller's, to be freed with
/// nearhit_scratch_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_scratch_new(
    out: Option<&mut MaybeUninit<*mut nearhit_scratch>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_scratch::default()))
}

/// Frees working memory; NULL is allowed. No query may be using it.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_scratch_free(scratch: Option<Box<nearhit_scratch>>) {
    release(scratch);
}
