//! Tasks on all threads of the current pool: the only place that knows of rayon.

#[cfg(feature = "parallel")]
pub(crate) use threads::*;

#[cfg(not(feature = "parallel"))]
pub(crate) use sequence::*;

/// Runs both, perhaps at the same time.
pub(crate) fn join<A: Send, B: Send>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B + Send) -> (A, B) {
    let (mut first, mut second) = (Work::Todo(first), Work::Todo(second));
    both(&mut || first.run(), &mut || second.run());
    (first.done(), second.done())
}

/// A closure, then what came of it: so that tasks can be told by references of one type.
enum Work<F, T> {
    Todo(F),
    Running,
    Done(T),
}

impl<T, F: FnOnce() -> T> Work<F, T> {
    fn run(&mut self) {
        if let Self::Todo(work) = std::mem::replace(self, Self::Running) {
            *self = Self::Done(work());
        }
    }

    fn done(self) -> T {
        match self {
            Self::Done(done) => done,
            // A panic of either would have ended both.
            Self::Todo(_) | Self::Running => unreachable!("both have run"),
        }
    }
}

#[cfg(feature = "parallel")]
mod threads {
    use rayon::prelude::*;
    use rayon::{ThreadPool, ThreadPoolBuilder};
    use std::mem::forget;
    use std::ops::Range;
    use std::sync::{Arc, Mutex, PoisonError};

    /// How many threads there are in the current pool, which is started if need be.
    pub(crate) fn count() -> usize {
        rayon::current_num_threads()
    }

    /// Runs a task for every number.
    pub(crate) fn each(numbers: Range<usize>, run: &(dyn Fn(usize) + Sync)) {
        match numbers.len() {
            0 => {}
            1 => run(numbers.start),
            count => {
                let middle = numbers.start + count / 2;
                rayon::join(|| each(numbers.start..middle, run), || each(middle..numbers.end, run));
            }
        }
    }

    pub(super) fn both(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
        rayon::join(first, second);
    }

    /// One of each, `share` at least to a task, written where they stay: for large arrays only,
    /// because each use is compiled with a loop of its own.
    pub(crate) fn made_in_place<T: Send>(
        count: usize,
        share: usize,
        make: impl Fn(usize) -> T + Sync + Send,
    ) -> Vec<T> {
        (0..count).into_par_iter().with_min_len(share).map(make).collect()
    }

    pub(crate) fn sort_unstable<T: Ord + Send>(items: &mut [T]) {
        items.par_sort_unstable();
    }

    /// Runs work in a pool of so many threads; an error that says why there is no such pool.
    #[cfg(test)]
    pub(crate) fn with_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> Result<T, String> {
        let pool = ThreadPoolBuilder::new().num_threads(count).build().map_err(|error| error.to_string())?;
        Ok(pool.install(work))
    }

    /// Threads for making parts, and for nothing else, and the process whose threads they are: a
    /// child made with `fork` has none of its parent's, and would wait for them without end.
    static MAKERS: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

    /// None where no threads can be had.
    fn makers() -> Option<Arc<ThreadPool>> {
        let process = std::process::id();
        let mut known = MAKERS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, pool)) = &*known
            && *of == process
        {
            return Some(pool.clone());
        }
        let pool = ThreadPoolBuilder::new().thread_name(|index| format!("nearhit-make-{index}")).build().ok()?;
        let pool = Arc::new(pool);
        // Threads of another process cannot be ended from here.
        forget(known.replace((process, pool.clone())));
        Some(pool)
    }

    /// Runs parallel work in the makers' pool, and waits for it without taking up other tasks of
    /// this thread's own pool.
    pub(crate) fn apart<T: Send>(make: impl FnOnce() -> T + Send) -> T {
        // Without threads there are no tasks to take up either.
        let Some(makers) = makers() else { return make() };
        debug_assert!(makers.current_thread_index().is_none(), "a lazy part was asked for while another was made");
        // Threads outside of all pools wait for a pool's work and do nothing else; those of a pool
        // must not wait for another's themselves.
        if rayon::current_thread_index().is_none() {
            return makers.install(make);
        }
        std::thread::scope(|scope| match scope.spawn(|| makers.install(make)).join() {
            Ok(made) => made,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    }
}

#[cfg(not(feature = "parallel"))]
mod sequence {
    use std::ops::Range;

    /// This one.
    pub(crate) fn count() -> usize {
        1
    }

    /// Runs a task for every number, one after the other.
    pub(crate) fn each(numbers: Range<usize>, run: &(dyn Fn(usize) + Sync)) {
        numbers.for_each(run);
    }

    pub(super) fn both(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
        first();
        second();
    }

    /// One of each.
    pub(crate) fn made_in_place<T>(count: usize, _share: usize, make: impl Fn(usize) -> T) -> Vec<T> {
        (0..count).map(make).collect()
    }

    pub(crate) fn sort_unstable<T: Ord>(items: &mut [T]) {
        items.sort_unstable();
    }

    /// In this thread, whatever the count.
    #[cfg(test)]
    pub(crate) fn with_threads<T>(_count: usize, work: impl FnOnce() -> T) -> Result<T, String> {
        Ok(work())
    }

    /// In this thread: there are no tasks that it could take up meanwhile.
    pub(crate) fn apart<T>(make: impl FnOnce() -> T) -> T {
        make()
    }
}
