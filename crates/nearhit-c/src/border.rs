//! How every function of the interface is entered and left: pointers become references, panics and
//! refusals become statuses.
//!
//! Answers go to `Option<&mut MaybeUninit<T>>`: C need not have initialised them, and NULL is
//! `None`.
//!
//! Invariant: nothing unwinds out of [`guard`], `make`, `look` and `release`, and every function of
//! the interface is one of them, but for those that return a constant.

use crate::status::{Failure, nearhit_error, nearhit_status};
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

/// Runs the body of a function. What it says when it fails is written to `error`, if there is one;
/// on success `error` is left alone.
pub fn guard(
    error: Option<&mut MaybeUninit<nearhit_error>>,
    work: impl FnOnce() -> Result<(), Failure>,
) -> nearhit_status {
    match caught(work).and_then(|done| done) {
        Ok(()) => nearhit_status::Ok,
        Err(failure) => failure.tell(error),
    }
}

/// Runs the body of a function that makes a handle. Where it fails the handle is NULL.
pub(crate) fn make<T>(
    out: Option<&mut MaybeUninit<*mut T>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
    work: impl FnOnce() -> Result<T, Failure>,
) -> nearhit_status {
    guard(error, || {
        let out = needed_mut(out, "out")?.write(std::ptr::null_mut());
        *out = Box::into_raw(Box::new(work()?));
        Ok(())
    })
}

/// Ends a handle's life; NULL has none.
pub(crate) fn release<T>(handle: Option<Box<T>>) {
    // A destructor that panicked has nobody to tell.
    let _ = caught(|| drop(handle));
}

/// Reads something of a handle that cannot fail but by a fault of the library.
pub(crate) fn look<T>(otherwise: T, work: impl FnOnce() -> Option<T>) -> T {
    caught(work).ok().flatten().unwrap_or(otherwise)
}

fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    // What a panic leaves behind is behind locks, and every query starts its working memory afresh.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let failure = Failure::panicked(panic.as_ref());
        // Its destructor might panic again.
        std::mem::forget(panic);
        failure
    })
}

/// A value that must be there.
pub(crate) fn needed<'a, T>(value: Option<&'a T>, name: &str) -> Result<&'a T, Failure> {
    value.ok_or_else(|| Failure::null(name))
}

/// A place for an answer that must be there.
pub(crate) fn needed_mut<'a, T>(value: Option<&'a mut T>, name: &str) -> Result<&'a mut T, Failure> {
    value.ok_or_else(|| Failure::null(name))
}

/// A handle that locks itself, and which several threads may hold.
///
/// # Safety
///
/// NULL, or a handle that is not freed while the reference lives.
pub(crate) unsafe fn shared<'a, T>(handle: Option<NonNull<T>>, name: &str) -> Result<&'a T, Failure> {
    let handle = handle.ok_or_else(|| Failure::null(name))?;
    // SAFETY: as promised by the caller; no mutable reference to it is ever made.
    Ok(unsafe { handle.as_ref() })
}

/// An array. NULL is allowed for an empty one.
///
/// # Safety
///
/// `count` values at `start`, or NULL; nobody writes to them while the slice lives.
pub(crate) unsafe fn array<'a, T>(start: *const T, count: usize, name: &str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    check_array(start, count, name)?;
    // SAFETY: not NULL, aligned and of a possible size; the rest as promised by the caller.
    Ok(unsafe { std::slice::from_raw_parts(start, count) })
}

/// An array for answers, which C need not have initialised.
///
/// # Safety
///
/// Room for `count` values at `start`, or NULL; nobody else uses it while the slice lives.
pub(crate) unsafe fn array_mut<'a, T>(
    start: *mut T,
    count: usize,
    name: &str,
) -> Result<&'a mut [MaybeUninit<T>], Failure> {
    if count == 0 {
        return Ok(&mut []);
    }
    check_array(start, count, name)?;
    // SAFETY: not NULL, aligned and of a possible size; the rest as promised by the caller.
    Ok(unsafe { std::slice::from_raw_parts_mut(start.cast(), count) })
}

fn check_array<T>(start: *const T, count: usize, name: &str) -> Result<(), Failure> {
    if start.is_null() {
        return Err(Failure::null(name));
    }
    if !start.is_aligned() {
        return Err(Failure::argument(format!("{name} is not aligned to {} bytes", align_of::<T>())));
    }
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Failure::size(format!("{name}: {count} elements are more than memory holds"))),
    }
}

/// A text in UTF-8 that ends with a zero.
///
/// # Safety
///
/// Such a text, or NULL; nobody writes to it while the reference lives.
pub(crate) unsafe fn text<'a>(start: *const c_char, name: &str) -> Result<&'a str, Failure> {
    if start.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: not NULL; the rest as promised by the caller.
    let text = unsafe { CStr::from_ptr(start) };
    text.to_str().map_err(|error| Failure::argument(format!("{name} is not UTF-8: {error}")))
}

/// As many answers as there is room for: neither more nor fewer.
pub(crate) fn fill<T>(
    places: &mut [MaybeUninit<T>],
    answers: impl ExactSizeIterator<Item = T>,
    name: &str,
) -> Result<(), Failure> {
    check_count(places.len(), answers.len(), name)?;
    for (place, answer) in places.iter_mut().zip(answers) {
        place.write(answer);
    }
    Ok(())
}

/// Is there room for this many answers, and for no more?
pub(crate) fn check_count(room: usize, needed: usize, name: &str) -> Result<(), Failure> {
    if room == needed {
        return Ok(());
    }
    Err(Failure::size(format!("{name} has room for {room} answers, but there are {needed}")))
}

/// The first of some values and how many there are; `count` may be NULL.
pub(crate) fn lend<T>(values: &[T], count: Option<&mut MaybeUninit<usize>>) -> *const T {
    if let Some(count) = count {
        count.write(values.len());
    }
    values.as_ptr()
}
