//! Puts a question to one pair of models, or to many on all cores. The interpreter's lock is released meanwhile; the thread that asked
//! comes back for it now and then, to see whether the user wants to stop (Ctrl-C) and to tell how far it is.

use crate::errors::Refusal;
use crate::model::Model;
use crate::places::Places;
use glam::DVec3;
use nearhit::batch::{self, BatchError, BatchOptions, Limit, Seeding};
use nearhit::{Budget, Clock, Pair, Scratch, Seed, Settings, TrianglePair};
use numpy::PyReadonlyArrayDyn;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often the asking thread looks up.
const LOOK_UP: Duration = Duration::from_millis(50);

/// How to go about it: `(work, microseconds, seed, warm, threads, progress)`.
pub(crate) type How<'py> =
    (Option<u64>, Option<f64>, Option<(u32, u32)>, bool, Option<usize>, Option<Bound<'py, PyAny>>);

/// An array of poses, or none for the origin.
pub(crate) type Poses<'py> = Option<PyReadonlyArrayDyn<'py, f64>>;

/// One answer, or one for each pose.
pub(crate) enum Asked<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> Asked<T> {
    pub(crate) fn into_vec(self) -> Vec<T> {
        match self {
            Self::One(one) => vec![one],
            Self::Many(many) => many,
        }
    }
}

/// Two models and where they are.
pub(crate) struct Placed<'a> {
    a: &'a nearhit::Model,
    b: &'a nearhit::Model,
    places_a: Places<'a>,
    places_b: Places<'a>,
}

impl<'a> Placed<'a> {
    pub(crate) fn new(a: &'a Model, b: &'a Model, poses_a: &'a Poses<'_>, poses_b: &'a Poses<'_>) -> PyResult<Self> {
        let (places_a, places_b) = (Places::new(poses_a.as_ref(), 'a')?, Places::new(poses_b.as_ref(), 'b')?);
        if let (Some(a), Some(b)) = (places_a.count(), places_b.count())
            && a != b
        {
            return Err(PyValueError::new_err(format!("there are {a} poses of a, but {b} of b")));
        }
        Ok(Self { a: &a.native, b: &b.native, places_a, places_b })
    }

    fn pair(&self, index: usize) -> Result<Pair<'a>, Refusal> {
        let (a, b) = (self.places_a.pose(index, 'a')?, self.places_b.pose(index, 'b')?);
        Pair::new(self.a, &a, self.b, &b).map_err(Refusal::Query)
    }

    /// Points of a's frame in the world. The pose was accepted when the question was asked.
    pub(crate) fn world(&self, index: usize, points: &mut [[f64; 3]]) {
        if let Ok(pose) = self.places_a.pose(index, 'a') {
            points.iter_mut().for_each(|point| *point = pose.apply((*point).into()).to_array());
        }
    }

    /// A direction of a's frame in the world.
    pub(crate) fn world_direction(&self, index: usize, direction: DVec3) -> [f64; 3] {
        let rotation = self.places_a.pose(index, 'a').map_or(glam::DMat3::IDENTITY, |pose| pose.rotation());
        (rotation * direction).to_array()
    }

    /// Asks once or many times, by the shape of the poses.
    pub(crate) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        how: &How<'_>,
        question: impl Fn(&Pair<'a>, &Settings<'_>, &mut Scratch) -> (T, Option<Seed>) + Sync,
    ) -> PyResult<Asked<T>> {
        // A clock is only read by who has a use for it: short queries take no longer than that.
        let clock = how.1.map(|_| WallClock(Instant::now()));
        let limit = limit(how, clock.as_ref())?;
        match self.places_a.count().or(self.places_b.count()) {
            None => self.ask_once(py, seed(how), limit, question).map(Asked::One),
            Some(count) => self.ask_many(py, count, how, limit, question).map(Asked::Many),
        }
    }

    fn ask_once<T: Send>(
        &self,
        py: Python<'_>,
        seed: Option<Seed>,
        limit: Limit<'_>,
        question: impl Fn(&Pair<'a>, &Settings<'_>, &mut Scratch) -> (T, Option<Seed>) + Sync,
    ) -> PyResult<T> {
        let pair = self.pair(0).map_err(|refusal| refusal.into_error(None))?;
        Ok(py.detach(|| {
            let settings = Settings::new().budget(budget(limit)).seed(seed);
            with_scratch(|scratch| question(&pair, &settings, scratch).0)
        }))
    }

    fn ask_many<T: Send>(
        &self,
        py: Python<'_>,
        count: usize,
        how: &How<'_>,
        limit: Limit<'_>,
        question: impl Fn(&Pair<'a>, &Settings<'_>, &mut Scratch) -> (T, Option<Seed>) + Sync,
    ) -> PyResult<Vec<T>> {
        let (_, _, _, warm, threads, progress) = how;
        let (cancel, done) = (AtomicBool::new(false), AtomicUsize::new(0));
        let note = |now: usize| {
            done.fetch_max(now, Ordering::Relaxed);
        };
        let seeding = if *warm { Seeding::Warm } else { Seeding::Cold };
        let options = BatchOptions::new().limit(limit).seeding(seeding).seed(seed(how)).progress(&note).cancel(&cancel);
        let pool = threads.map(pool).transpose()?;
        let progress = progress.as_ref().map(|progress| progress.clone().unbind());
        let tell = |py: Python<'_>| -> PyResult<()> {
            py.check_signals()?;
            match &progress {
                Some(progress) => progress.call1(py, (done.load(Ordering::Relaxed), count)).map(drop),
                None => Ok(()),
            }
        };
        let mut interrupted = None;
        let result = py.detach(|| {
            let (send, receive) = mpsc::channel();
            let each = || batch::each(count, |index| self.pair(index), &options, &question);
            scoped(pool.as_ref(), |scope| {
                // The sender goes along: should the task not end well, the receiver hears of it.
                scope.spawn(move |_| drop(send.send(each())));
                loop {
                    match receive.recv_timeout(LOOK_UP) {
                        Ok(answers) => return Some(answers),
                        Err(RecvTimeoutError::Disconnected) => return None,
                        Err(RecvTimeoutError::Timeout) if interrupted.is_none() => {
                            if let Err(error) = Python::attach(tell) {
                                cancel.store(true, Ordering::Relaxed);
                                interrupted = Some(error);
                            }
                        }
                        Err(RecvTimeoutError::Timeout) => {}
                    }
                }
            })
        });
        if let Some(error) = interrupted {
            return Err(error);
        }
        if progress.is_some() {
            tell(py)?;
        }
        match result {
            Some(Ok(answers)) => Ok(answers),
            Some(Err(BatchError::Refused { index, error })) => Err(error.into_error(Some(index))),
            Some(Err(error)) => Err(PyRuntimeError::new_err(error.to_string())),
            None => Err(PyRuntimeError::new_err("a thread ended without an answer")),
        }
    }
}

/// Working memory that stays warm from call to call, one for each thread.
pub(crate) fn with_scratch<T>(work: impl FnOnce(&mut Scratch) -> T) -> T {
    thread_local!(static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new()));
    SCRATCH.with_borrow_mut(work)
}

/// The tasks run in the pool, the function itself here.
fn scoped<'s, T>(pool: Option<&rayon::ThreadPool>, function: impl FnOnce(&rayon::Scope<'s>) -> T) -> T {
    match pool {
        Some(pool) => pool.in_place_scope(function),
        None => rayon::in_place_scope(function),
    }
}

fn seed(how: &How<'_>) -> Option<Seed> {
    how.2.map(|(a, b)| Seed(TrianglePair { a, b }))
}

fn limit<'c>(how: &How<'_>, clock: Option<&'c WallClock>) -> PyResult<Limit<'c>> {
    match (how.0, how.1.zip(clock)) {
        (None, None) => Ok(Limit::None),
        (Some(work), None) => Ok(Limit::Work(work)),
        (None, Some((microseconds, clock))) => match Duration::try_from_secs_f64(microseconds * 1e-6) {
            Ok(time) => Ok(Limit::Time(clock, time)),
            Err(_) => Err(PyValueError::new_err(format!("budget_us must be at least 0, not {microseconds}"))),
        },
        (Some(_), Some(_)) => Err(PyValueError::new_err("give work or budget_us, not both")),
    }
}

fn budget(limit: Limit<'_>) -> Budget<'_> {
    match limit {
        Limit::None => Budget::UNLIMITED,
        Limit::Work(units) => Budget::work(units),
        Limit::Time(clock, time) => Budget::until(clock, clock.now().saturating_add(time)),
    }
}

fn pool(threads: usize) -> PyResult<rayon::ThreadPool> {
    if threads == 0 {
        return Err(PyValueError::new_err("threads must be at least 1"));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

#[derive(Debug)]
struct WallClock(Instant);

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
