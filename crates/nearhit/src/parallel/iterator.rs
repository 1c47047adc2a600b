//! Parallel iterators: what is done with the items of [`Pieces`], each run of them by one task.

use super::pieces::{Chunks, Pieces, Zip};
use super::tasks;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// So many tasks for each thread, where nothing else is said: items differ in what they take.
const TASKS: usize = 16;

/// Items in runs, in order. The results of runs are put together in that order, so that nothing
/// depends on how many there are.
pub(crate) trait ParallelIterator: Sized {
    type Item;
    type Items<'s>: Iterator<Item = Self::Item>
    where
        Self: 's;

    /// Consumes every run by a task of its own, once; what comes of them, in order.
    fn drive<'s, R: Send>(&'s mut self, consume: impl Fn(Self::Items<'s>) -> R + Sync) -> Vec<R>;

    fn filter<F: Fn(&Self::Item) -> bool + Sync>(self, keep: F) -> Filter<Self, F> {
        Filter { inner: self, keep }
    }

    fn collect<C: Gather<Self::Item>>(self) -> C {
        C::gather(self)
    }

    fn unzip<A: Send, B: Send>(mut self) -> (Vec<A>, Vec<B>)
    where
        Self: ParallelIterator<Item = (A, B)>,
    {
        let runs = self.drive(|items| items.unzip::<A, B, Vec<A>, Vec<B>>());
        let (first, second): (Vec<Vec<A>>, Vec<Vec<B>>) = runs.into_iter().unzip();
        (joined(first), joined(second))
    }

    fn for_each(mut self, each: impl Fn(Self::Item) + Sync) {
        self.drive(|items| items.for_each(&each));
    }

    fn all(mut self, holds: impl Fn(Self::Item) -> bool + Sync) -> bool {
        let so_far = AtomicBool::new(true);
        self.drive(|mut items| {
            if so_far.load(Ordering::Relaxed) && !items.all(&holds) {
                so_far.store(false, Ordering::Relaxed);
            }
        });
        so_far.into_inner()
    }

    fn find_map_first<T: Send>(mut self, find: impl Fn(Self::Item) -> Option<T> + Sync) -> Option<T> {
        self.drive(|mut items| items.find_map(&find)).into_iter().flatten().next()
    }

    /// The first error.
    fn try_for_each<E: Send>(self, each: impl Fn(Self::Item) -> Result<(), E> + Sync) -> Result<(), E> {
        self.find_map_first(|item| each(item).err()).map_or(Ok(()), Err)
    }
}

/// What items can be collected into.
pub(crate) trait Gather<T> {
    fn gather(items: impl ParallelIterator<Item = T>) -> Self;
}

impl<T: Send> Gather<T> for Vec<T> {
    fn gather(mut items: impl ParallelIterator<Item = T>) -> Self {
        joined(items.drive(|items| items.collect()))
    }
}

/// The first error ends it.
impl<T: Send, E: Send> Gather<Result<T, E>> for Result<Vec<T>, E> {
    fn gather(mut items: impl ParallelIterator<Item = Result<T, E>>) -> Self {
        let runs = items.drive(|items| items.collect::<Result<Vec<T>, E>>());
        Ok(joined(runs.into_iter().collect::<Result<_, E>>()?))
    }
}

/// `None` ends it.
impl<T: Send> Gather<Option<T>> for Option<Vec<T>> {
    fn gather(mut items: impl ParallelIterator<Item = Option<T>>) -> Self {
        let runs = items.drive(|items| items.collect::<Option<Vec<T>>>());
        Some(joined(runs.into_iter().collect::<Option<_>>()?))
    }
}

fn joined<T>(runs: Vec<Vec<T>>) -> Vec<T> {
    let count: usize = runs.iter().map(Vec::len).sum();
    let mut runs = runs.into_iter();
    let mut all = runs.next().unwrap_or_default();
    all.reserve_exact(count - all.len());
    runs.for_each(|mut run| all.append(&mut run));
    all
}

/// The beginning of a chain: pieces, and how many items a task takes.
#[derive(Debug)]
pub(crate) struct Par<P> {
    /// Until they are given to tasks.
    pieces: Option<P>,
    least: usize,
    most: usize,
}

impl<P: Pieces> Par<P> {
    fn new(pieces: P) -> Self {
        Self { pieces: Some(pieces), least: 1, most: usize::MAX }
    }

    /// A task takes so many items at least.
    pub(crate) fn with_min_len(self, least: usize) -> Self {
        Self { least, ..self }
    }

    /// A task takes so many items at most.
    pub(crate) fn with_max_len(self, most: usize) -> Self {
        Self { most, ..self }
    }

    pub(crate) fn zip<I: IntoPieces>(self, others: I) -> Par<Zip<P, I::Pieces>> {
        Par { pieces: self.pieces.map(|pieces| Zip(pieces, others.into_pieces())), least: self.least, most: self.most }
    }

    pub(crate) fn enumerate(self) -> Par<Zip<Range<usize>, P>> {
        Par { pieces: self.pieces.map(|pieces| Zip(0..pieces.len(), pieces)), least: self.least, most: self.most }
    }

    pub(crate) fn map<T, F: Fn(P::Item) -> T + Sync>(self, map: F) -> Map<P, F> {
        Map { from: self, map }
    }

    /// With a state for every task.
    pub(crate) fn map_init<S, T, I, F>(self, init: I, map: F) -> MapInit<P, I, F>
    where
        I: Fn() -> S + Sync,
        F: Fn(&mut S, P::Item) -> T + Sync,
    {
        MapInit { from: self, init, map }
    }

    /// With a state for every task.
    pub(crate) fn for_each_init<S>(mut self, init: impl Fn() -> S + Sync, each: impl Fn(&mut S, P::Item) + Sync) {
        self.drive(|items| {
            let mut state = init();
            items.for_each(|item| each(&mut state, item));
        });
    }

    /// Every task's share, in order.
    fn shares(&mut self) -> Vec<P> {
        let Some(mut rest) = self.pieces.take() else { return Vec::new() };
        let count = rest.len();
        // A single share does not so much as ask how many threads there are, which would start
        // them.
        let size = match count <= self.least.max(1) {
            true => count.max(1),
            false => count.div_ceil(TASKS * tasks::count()).max(self.least),
        };
        let size = size.clamp(1, self.most.max(1));
        let mut shares = Vec::with_capacity(count.div_ceil(size));
        // From the end: of a vector, which is cut there, every item is moved once.
        for start in (1..count.div_ceil(size)).rev() {
            let (before, share) = rest.split_at(start * size);
            shares.push(share);
            rest = before;
        }
        shares.push(rest);
        shares.reverse();
        shares
    }
}

/// A task: its share of the items, then what came of it.
enum Task<P, R> {
    Todo(P),
    Running,
    Done(R),
}

impl<P: Pieces> ParallelIterator for Par<P> {
    type Item = P::Item;
    type Items<'s>
        = P::Items
    where
        P: 's;

    fn drive<'s, R: Send>(&'s mut self, consume: impl Fn(Self::Items<'s>) -> R + Sync) -> Vec<R> {
        // Plain loops: this is compiled for every chain in the library.
        let shares = self.shares();
        let mut tasks: Vec<Mutex<Task<P, R>>> = Vec::with_capacity(shares.len());
        for share in shares {
            tasks.push(Mutex::new(Task::Todo(share)));
        }
        let run = |number: usize| {
            // Every number comes once, so nobody waits; a panic ends the whole.
            let mut task = tasks[number].lock().unwrap_or_else(PoisonError::into_inner);
            if let Task::Todo(share) = std::mem::replace(&mut *task, Task::Running) {
                *task = Task::Done(consume(share.items()));
            }
        };
        tasks::each(0..tasks.len(), &run);
        let mut results = Vec::with_capacity(tasks.len());
        for task in tasks {
            if let Task::Done(done) = task.into_inner().unwrap_or_else(PoisonError::into_inner) {
                results.push(done);
            }
        }
        results
    }
}

/// See [`Par::map`].
#[derive(Debug)]
pub(crate) struct Map<P, F> {
    from: Par<P>,
    map: F,
}

impl<T, P: Pieces, F: Fn(P::Item) -> T + Sync> ParallelIterator for Map<P, F> {
    type Item = T;
    type Items<'s>
        = std::iter::Map<P::Items, &'s F>
    where
        Self: 's;

    fn drive<'s, R: Send>(&'s mut self, consume: impl Fn(Self::Items<'s>) -> R + Sync) -> Vec<R> {
        let Self { from, map } = self;
        let map: &F = map;
        from.drive(|items| consume(items.map(map)))
    }
}

/// See [`Par::map_init`].
#[derive(Debug)]
pub(crate) struct MapInit<P, I, F> {
    from: Par<P>,
    init: I,
    map: F,
}

impl<S, T, P: Pieces, I: Fn() -> S + Sync, F: Fn(&mut S, P::Item) -> T + Sync> ParallelIterator for MapInit<P, I, F> {
    type Item = T;
    type Items<'s>
        = MapWith<P::Items, S, &'s F>
    where
        Self: 's;

    fn drive<'s, R: Send>(&'s mut self, consume: impl Fn(Self::Items<'s>) -> R + Sync) -> Vec<R> {
        let Self { from, init, map } = self;
        let (init, map): (&I, &F) = (init, map);
        from.drive(|items| consume(MapWith { items, state: init(), map }))
    }
}

/// The items of one task, mapped with its state.
#[derive(Debug)]
pub(crate) struct MapWith<I, S, F> {
    items: I,
    state: S,
    map: F,
}

impl<T, S, I: Iterator, F: Fn(&mut S, I::Item) -> T> Iterator for MapWith<I, S, F> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let item = self.items.next()?;
        Some((self.map)(&mut self.state, item))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

/// See [`ParallelIterator::filter`].
#[derive(Debug)]
pub(crate) struct Filter<I, F> {
    inner: I,
    keep: F,
}

impl<I: ParallelIterator, F: Fn(&I::Item) -> bool + Sync> ParallelIterator for Filter<I, F> {
    type Item = I::Item;
    type Items<'s>
        = std::iter::Filter<I::Items<'s>, &'s F>
    where
        Self: 's;

    fn drive<'s, R: Send>(&'s mut self, consume: impl Fn(Self::Items<'s>) -> R + Sync) -> Vec<R> {
        let Self { inner, keep } = self;
        let keep: &F = keep;
        inner.drive(|items| consume(items.filter(keep)))
    }
}

/// What becomes pieces, by value or by reference.
pub(crate) trait IntoPieces {
    type Pieces: Pieces;
    fn into_pieces(self) -> Self::Pieces;
}

impl<P: Pieces> IntoPieces for P {
    type Pieces = P;

    fn into_pieces(self) -> P {
        self
    }
}

impl<'s, T: Sync> IntoPieces for &'s Vec<T> {
    type Pieces = &'s [T];

    fn into_pieces(self) -> &'s [T] {
        self
    }
}

/// Rayon's name for iterators by value.
pub(crate) trait IntoParallelIterator: Pieces {
    fn into_par_iter(self) -> Par<Self> {
        Par::new(self)
    }
}

impl<P: Pieces> IntoParallelIterator for P {}

/// Rayon's names for what slices can do.
pub(crate) trait ParallelSlice<T> {
    fn par_iter(&self) -> Par<&[T]>
    where
        T: Sync;

    fn par_iter_mut(&mut self) -> Par<&mut [T]>
    where
        T: Send;

    /// Runs of `size` items; the last may be shorter.
    fn par_chunks(&self, size: usize) -> Par<Chunks<'_, T>>
    where
        T: Sync;

    fn par_sort_unstable(&mut self)
    where
        T: Ord + Send;
}

impl<T> ParallelSlice<T> for [T] {
    fn par_iter(&self) -> Par<&[T]>
    where
        T: Sync,
    {
        self.into_par_iter()
    }

    fn par_iter_mut(&mut self) -> Par<&mut [T]>
    where
        T: Send,
    {
        self.into_par_iter()
    }

    fn par_chunks(&self, size: usize) -> Par<Chunks<'_, T>>
    where
        T: Sync,
    {
        Chunks { items: self, size: size.max(1) }.into_par_iter()
    }

    fn par_sort_unstable(&mut self)
    where
        T: Ord + Send,
    {
        tasks::sort_unstable(self);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{join, with_threads};
    use super::*;

    /// Everything once and in order, whatever the number of threads and the sizes of shares.
    #[test]
    fn every_item_comes_once_and_in_order() {
        for (threads, count) in [(1, 1), (2, 7), (3, 1000), (8, 0), (8, 16), (5, 129)] {
            let run = || {
                let numbers: Vec<usize> = (0..count).collect();
                let squares = |number: usize| number * number;
                let expected: Vec<usize> = (0..count).map(squares).collect();
                for (least, most) in [(1, usize::MAX), (1, 1), (10, 20), (5000, usize::MAX)] {
                    let par = || numbers.clone().into_par_iter().with_min_len(least).with_max_len(most);
                    assert_eq!(par().map(squares).collect::<Vec<_>>(), expected);
                    let (places, same): (Vec<usize>, Vec<usize>) = par().enumerate().map(|it| it).unzip();
                    assert!(places == numbers && same == numbers);
                }
                let mut doubled = numbers.clone();
                doubled.par_iter_mut().zip(&numbers).for_each(|(place, number)| *place += number);
                assert!(doubled.iter().zip(&numbers).all(|(double, number)| *double == 2 * number));
                let chunks: Vec<Vec<usize>> = numbers.par_chunks(3).map(<[usize]>::to_vec).collect();
                assert_eq!(chunks, numbers.chunks(3).map(<[usize]>::to_vec).collect::<Vec<_>>());
                let odd: Vec<usize> = numbers.clone().into_par_iter().filter(|number| number % 2 == 1).collect();
                assert_eq!(odd, (1..count).step_by(2).collect::<Vec<_>>());
            };
            with_threads(threads, run).expect("a pool");
        }
    }

    #[test]
    fn of_several_errors_the_first_is_told() {
        let check = |number: u32| if number % 40 == 39 { Err(number) } else { Ok(number) };
        let refused = with_threads(4, || (0..1000_u32).into_par_iter().map(check).collect::<Result<Vec<_>, _>>());
        assert_eq!(refused, Ok(Err(39)));
        let found = || (0..1000_u32).into_par_iter().find_map_first(|number| check(number).err());
        assert_eq!(with_threads(4, found), Ok(Some(39)));
        assert_eq!((0..1000_u32).into_par_iter().try_for_each(|number| check(number).map(|_| ())), Err(39));
        assert!(!(0..1000_u32).into_par_iter().all(|number| check(number).is_ok()));
        assert!((0..39_u32).into_par_iter().all(|number| check(number).is_ok()));
    }

    #[test]
    fn both_halves_are_done() {
        assert_eq!(join(|| 1, || join(|| 2, || "three")), (1, (2, "three")));
    }

    /// A state belongs to one task: items of a task come to it in order.
    #[test]
    fn states_are_not_shared() {
        let count = |seen: &mut Vec<u32>, number: u32| {
            seen.push(number);
            seen.windows(2).all(|pair| pair[1] == pair[0] + 1)
        };
        let consecutive: Vec<bool> = (0..500_u32).into_par_iter().map_init(Vec::new, count).collect();
        assert!(consecutive.len() == 500 && consecutive.into_iter().all(|holds| holds));
    }
}
