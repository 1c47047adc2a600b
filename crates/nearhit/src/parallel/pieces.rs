//! What can be cut into runs of consecutive items, one for each task: ranges, slices, vectors,
//! chunks, and two of them side by side.

use std::ops::Range;

/// A sequence of known length that can be cut.
pub(crate) trait Pieces: Sized + Send {
    type Item;
    type Items: Iterator<Item = Self::Item>;

    fn len(&self) -> usize;

    /// What is before `at`, and the rest.
    fn split_at(self, at: usize) -> (Self, Self);

    fn items(self) -> Self::Items;
}

macro_rules! ranges {
    ($($number:ty),+) => {$(
        impl Pieces for Range<$number> {
            type Item = $number;
            type Items = Self;

            fn len(&self) -> usize {
                self.end.saturating_sub(self.start) as usize
            }

            fn split_at(self, at: usize) -> (Self, Self) {
                let middle = self.start + at as $number;
                (self.start..middle, middle..self.end)
            }

            fn items(self) -> Self {
                self
            }
        }
    )+};
}

ranges!(u32, usize);

impl<'s, T: Sync> Pieces for &'s [T] {
    type Item = &'s T;
    type Items = std::slice::Iter<'s, T>;

    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    fn split_at(self, at: usize) -> (Self, Self) {
        <[T]>::split_at(self, at)
    }

    fn items(self) -> Self::Items {
        self.iter()
    }
}

impl<'s, T: Send> Pieces for &'s mut [T] {
    type Item = &'s mut T;
    type Items = std::slice::IterMut<'s, T>;

    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    fn split_at(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }

    fn items(self) -> Self::Items {
        self.iter_mut()
    }
}

impl<T: Send> Pieces for Vec<T> {
    type Item = T;
    type Items = std::vec::IntoIter<T>;

    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn split_at(mut self, at: usize) -> (Self, Self) {
        let rest = self.split_off(at);
        (self, rest)
    }

    fn items(self) -> Self::Items {
        self.into_iter()
    }
}

/// Runs of `size` items; the last may be shorter.
#[derive(Debug)]
pub(crate) struct Chunks<'s, T> {
    pub(super) items: &'s [T],
    pub(super) size: usize,
}

impl<'s, T: Sync> Pieces for Chunks<'s, T> {
    type Item = &'s [T];
    type Items = std::slice::Chunks<'s, T>;

    fn len(&self) -> usize {
        self.items.len().div_ceil(self.size)
    }

    fn split_at(self, at: usize) -> (Self, Self) {
        let (before, rest) = self.items.split_at((at * self.size).min(self.items.len()));
        (Self { items: before, ..self }, Self { items: rest, ..self })
    }

    fn items(self) -> Self::Items {
        self.items.chunks(self.size)
    }
}

/// Two side by side, as long as the shorter one.
#[derive(Debug)]
pub(crate) struct Zip<A, B>(pub(super) A, pub(super) B);

impl<A: Pieces, B: Pieces> Pieces for Zip<A, B> {
    type Item = (A::Item, B::Item);
    type Items = std::iter::Zip<A::Items, B::Items>;

    fn len(&self) -> usize {
        self.0.len().min(self.1.len())
    }

    fn split_at(self, at: usize) -> (Self, Self) {
        let ((a, rest_a), (b, rest_b)) = (self.0.split_at(at), self.1.split_at(at));
        (Self(a, b), Self(rest_a, rest_b))
    }

    fn items(self) -> Self::Items {
        self.0.items().zip(self.1.items())
    }
}
