//! Threads, by rayon; without the feature `parallel` the same in one thread.
//!
//! All of the library's parallel work goes through this room. Its answers do not depend on the
//! number of threads, so that both kinds of build give the same ones.

#[cfg(feature = "parallel")]
pub(crate) use threads::*;

#[cfg(not(feature = "parallel"))]
pub(crate) use sequence::*;

#[cfg(feature = "parallel")]
mod threads {
    pub(crate) use rayon::join;
    pub(crate) use rayon::prelude::*;
    use rayon::{ThreadPool, ThreadPoolBuilder};
    use std::sync::LazyLock;

    /// Runs work in a pool of so many threads; an error that says why there is no such pool.
    #[cfg(test)]
    pub(crate) fn with_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> Result<T, String> {
        let pool = ThreadPoolBuilder::new().num_threads(count).build().map_err(|error| error.to_string())?;
        Ok(pool.install(work))
    }

    /// Threads for making parts, and for nothing else. None where no threads can be had.
    static MAKERS: LazyLock<Option<ThreadPool>> =
        LazyLock::new(|| ThreadPoolBuilder::new().thread_name(|index| format!("nearhit-make-{index}")).build().ok());

    /// Runs parallel work in the makers' pool, and waits for it without taking up other tasks of
    /// this thread's own pool.
    pub(crate) fn apart<T: Send>(make: impl FnOnce() -> T + Send) -> T {
        // Without threads there are no tasks to take up either.
        let Some(makers) = MAKERS.as_ref() else { return make() };
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
    /// One after the other, in this thread.
    pub(crate) fn join<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
        (first(), second())
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

    /// Rayon's names for iterators by value.
    pub(crate) trait IntoParallelIterator: IntoIterator + Sized {
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoParallelIterator for I {}

    /// Rayon's names for what slices can do.
    pub(crate) trait ParallelSlice<T> {
        fn par_iter(&self) -> std::slice::Iter<'_, T>;
        fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T>;
        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T>;
        fn par_chunks_exact(&self, size: usize) -> std::slice::ChunksExact<'_, T>;
        fn par_sort_unstable(&mut self)
        where
            T: Ord;
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_iter(&self) -> std::slice::Iter<'_, T> {
            self.iter()
        }
        fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
            self.iter_mut()
        }
        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T> {
            self.chunks(size)
        }
        fn par_chunks_exact(&self, size: usize) -> std::slice::ChunksExact<'_, T> {
            self.chunks_exact(size)
        }
        fn par_sort_unstable(&mut self)
        where
            T: Ord,
        {
            self.sort_unstable();
        }
    }

    /// Rayon's name for extending a vector.
    pub(crate) trait ParallelExtend<T>: Extend<T> {
        fn par_extend(&mut self, items: impl IntoIterator<Item = T>) {
            self.extend(items);
        }
    }

    impl<T> ParallelExtend<T> for Vec<T> {}

    /// Rayon's adaptors that iterators do not have. Sizes of shares mean nothing here.
    pub(crate) trait ParallelIterator: Iterator + Sized {
        fn with_min_len(self, _least: usize) -> Self {
            self
        }

        fn with_max_len(self, _most: usize) -> Self {
            self
        }

        fn map_init<S, T>(
            self,
            init: impl FnOnce() -> S,
            mut map: impl FnMut(&mut S, Self::Item) -> T,
        ) -> impl Iterator<Item = T> {
            let mut state = init();
            self.map(move |item| map(&mut state, item))
        }

        fn for_each_init<S>(self, init: impl FnOnce() -> S, mut each: impl FnMut(&mut S, Self::Item)) {
            let mut state = init();
            self.for_each(|item| each(&mut state, item));
        }

        fn flatten_iter(self) -> std::iter::Flatten<Self>
        where
            Self::Item: IntoIterator,
        {
            self.flatten()
        }

        fn find_map_first<T>(mut self, find: impl FnMut(Self::Item) -> Option<T>) -> Option<T> {
            self.find_map(find)
        }
    }

    impl<I: Iterator> ParallelIterator for I {}
}
