//! The same question about many poses, on all cores.

use crate::border::{array, array_mut, check_count, fill, guard, needed};
use crate::model::nearhit_model;
use crate::pose::{checked, nearhit_pose};
use crate::settings::{Checked, nearhit_settings};
use crate::status::{Failure, nearhit_error, nearhit_status};
use crate::surfaces::{a_number, nearhit_collide_result, nearhit_distance_result, nearhit_within_result};
use nearhit::batch::{self, BatchError, BatchOptions, Seeding};
use nearhit::{Model, Pair, Pose, Scratch, Seed, Settings, Tolerance};
use std::mem::MaybeUninit;

/// Poses of two models: query i is about pose i of a and pose i of b. A body with one pose keeps it
/// in all queries; one with none (`count` 0) is at the identity.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nearhit_batch {
    /// Poses of a.
    pub poses_a: *const nearhit_pose,
    /// How many: as many as there are queries, or 1, or 0.
    pub count_a: usize,
    /// Poses of b.
    pub poses_b: *const nearhit_pose,
    /// How many: as many as there are queries, or 1, or 0.
    pub count_b: usize,
    /// Not zero: each query looks first where the one before it found its answer, which pays for
    /// poses along a path. Never changes a distance.
    pub warm: i32,
    /// So many threads, made for this call; 0: all cores.
    pub threads: u32,
}

/// A batch that has been checked, but for its poses.
struct Batch<'m> {
    a: &'m Model,
    b: &'m Model,
    poses_a: &'m [nearhit_pose],
    poses_b: &'m [nearhit_pose],
    count: usize,
    warm: bool,
    threads: u32,
    settings: Checked<'m>,
}

impl<'m> Batch<'m> {
    /// # Safety
    ///
    /// The batch's arrays are as long as it says.
    unsafe fn new(
        a: Option<&'m nearhit_model>,
        b: Option<&'m nearhit_model>,
        batch: Option<&nearhit_batch>,
        settings: Option<&nearhit_settings>,
        room: usize,
    ) -> Result<Self, Failure> {
        let (a, b, batch) = (needed(a, "a")?, needed(b, "b")?, needed(batch, "batch")?);
        // SAFETY: as promised by the caller.
        let (poses_a, poses_b, settings) = unsafe {
            let poses_a = array(batch.poses_a, batch.count_a, "poses_a")?;
            (poses_a, array(batch.poses_b, batch.count_b, "poses_b")?, Checked::new(settings)?)
        };
        let count = poses_a.len().max(poses_b.len());
        if [poses_a.len(), poses_b.len()].iter().any(|&own| own > 1 && own != count) {
            let message = format!("there are {} poses of a, but {} of b", poses_a.len(), poses_b.len());
            return Err(Failure::size(message));
        }
        check_count(room, count, "results")?;
        Ok(Self { a: &a.0, b: &b.0, poses_a, poses_b, count, warm: batch.warm != 0, threads: batch.threads, settings })
    }

    /// Where a is in query `index`.
    fn pose_a(&self, index: usize) -> Result<Pose, Failure> {
        checked(nth(self.poses_a, index), "a")
    }

    fn pair(&self, index: usize) -> Result<Pair<'m>, Failure> {
        Ok(Pair::new(self.a, &self.pose_a(index)?, self.b, &checked(nth(self.poses_b, index), "b")?)?)
    }

    fn ask<T: Send>(
        &self,
        question: impl Fn(&Pair<'m>, &Settings<'_>, &mut Scratch) -> (T, Option<Seed>) + Sync,
    ) -> Result<Vec<T>, Failure> {
        let seeding = if self.warm { Seeding::Warm } else { Seeding::Cold };
        let options = BatchOptions::new().limit(self.settings.limit).seeding(seeding).seed(self.settings.seed);
        let task = || batch::each(self.count, |index| self.pair(index), &options, &question);
        on_threads(self.threads, task)?.map_err(|error| match error {
            BatchError::Refused { index, error } => error.at(index),
            other => Failure::argument(other.to_string()),
        })
    }
}

fn nth(poses: &[nearhit_pose], index: usize) -> Option<&nearhit_pose> {
    if poses.len() == 1 { poses.first() } else { poses.get(index) }
}

/// As in the command: more than any machine has use for.
const MOST_THREADS: u32 = 1024;

fn on_threads<T: Send>(threads: u32, task: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    if threads == 0 {
        return Ok(task());
    }
    if threads > MOST_THREADS {
        return Err(Failure::argument(format!("{threads} threads: must be at most {MOST_THREADS}")));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build();
    let pool = pool.map_err(|error| Failure::argument(format!("{threads} threads: {error}")))?;
    Ok(pool.install(task))
}

/// Runs a query at every pose of a batch, and writes as many answers.
///
/// # Safety
///
/// The batch's arrays are as long as it says, and there is room for so many results.
unsafe fn batch_query<A: Send, T>(
    [a, b]: [Option<&nearhit_model>; 2],
    batch: Option<&nearhit_batch>,
    settings: Option<&nearhit_settings>,
    (results, result_count): (*mut T, usize),
    error: Option<&mut MaybeUninit<nearhit_error>>,
    ask: impl Fn(&Pair<'_>, Tolerance, &Settings<'_>, &mut Scratch) -> (A, Option<Seed>) + Sync,
    answer: impl Fn(A, &Batch<'_>, usize) -> T,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: as promised by the caller.
        let (batch, results) = unsafe {
            let batch = Batch::new(a, b, batch, settings, result_count)?;
            (batch, array_mut(results, result_count, "results")?)
        };
        let tolerance = batch.settings.tolerance;
        let found = batch.ask(|pair, settings, scratch| ask(pair, tolerance, settings, scratch))?;
        let answers = found.into_iter().enumerate().map(|(index, one)| answer(one, &batch, index));
        fill(results, answers, "results")
    })
}

/// nearhit_collide for many poses, on all cores. `results` has room for `result_count` answers,
/// which must be the number of queries. The error's index says which query was refused; then no
/// answer is written. The settings' scratch is not used. Settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_collide_batch(
    a: Option<&nearhit_model>,
    b: Option<&nearhit_model>,
    batch: Option<&nearhit_batch>,
    settings: Option<&nearhit_settings>,
    results: *mut nearhit_collide_result,
    result_count: usize,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    let ask = |pair: &Pair<'_>, _, settings: &Settings<'_>, scratch: &mut Scratch| {
        let found = pair.collide(settings, scratch);
        (found, found.witness.map(Seed))
    };
    // SAFETY: arrays are as long as the caller says.
    unsafe { batch_query([a, b], batch, settings, (results, result_count), error, ask, |found, _, _| found.into()) }
}

/// nearhit_distance for many poses, on all cores; see nearhit_collide_batch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_distance_batch(
    a: Option<&nearhit_model>,
    b: Option<&nearhit_model>,
    batch: Option<&nearhit_batch>,
    settings: Option<&nearhit_settings>,
    results: *mut nearhit_distance_result,
    result_count: usize,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    let ask = |pair: &Pair<'_>, tolerance, settings: &Settings<'_>, scratch: &mut Scratch| {
        let found = pair.distance(tolerance, settings, scratch);
        (found, Some(found.seed()))
    };
    // Each pose was accepted when its query was asked.
    let answer = |found, batch: &Batch<'_>, index| {
        nearhit_distance_result::new(&found, &batch.pose_a(index).unwrap_or(Pose::IDENTITY))
    };
    // SAFETY: arrays are as long as the caller says.
    unsafe { batch_query([a, b], batch, settings, (results, result_count), error, ask, answer) }
}

/// nearhit_within for many poses, on all cores; see nearhit_collide_batch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_within_batch(
    a: Option<&nearhit_model>,
    b: Option<&nearhit_model>,
    batch: Option<&nearhit_batch>,
    limit: f64,
    settings: Option<&nearhit_settings>,
    results: *mut nearhit_within_result,
    result_count: usize,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    if let Err(failure) = a_number(limit, "limit") {
        return guard(error, || Err(failure));
    }
    let ask = |pair: &Pair<'_>, _, settings: &Settings<'_>, scratch: &mut Scratch| {
        let found = pair.within(limit, settings, scratch);
        (found, found.witness.map(Seed))
    };
    // SAFETY: arrays are as long as the caller says.
    unsafe { batch_query([a, b], batch, settings, (results, result_count), error, ask, |found, _, _| found.into()) }
}
