//! All pairs of triangles that touch, and along what.

use crate::border::{guard, lend, look, make, needed, needed_mut, release};
use crate::model::nearhit_model;
use crate::pair::{Body, Placed};
use crate::pose::nearhit_pose;
use crate::results::{nearhit_stats, nearhit_triangle_pair};
use crate::settings::{Checked, nearhit_settings};
use crate::status::{Failure, nearhit_error, nearhit_status};
use nearhit::Stats;
use std::mem::MaybeUninit;

/// A list of contacts that a query fills in and that is used again for the next, without
/// allocating. One thread at a time.
#[derive(Debug, Default)]
pub struct nearhit_contact_list {
    pairs: Vec<nearhit_triangle_pair>,
    /// What each pair shares, in the world: those of pair i from `starts[i]` to `starts[i + 1]`.
    points: Vec<[f64; 3]>,
    starts: Vec<usize>,
    is_complete: bool,
    stats: Stats,
}

/// What is asked for beside the pairs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Pairs,
    Points,
}

impl nearhit_contact_list {
    fn find(&mut self, placed: &Placed<'_>, settings: &Checked<'_>, detail: Detail) -> Result<(), Failure> {
        let pair = placed.pair()?;
        self.clear();
        settings.ask(|settings, scratch| {
            let found = pair.contacts(settings, scratch);
            self.pairs.extend(found.pairs.iter().map(|&pair| nearhit_triangle_pair::from(pair)));
            (self.is_complete, self.stats) = (found.is_complete, found.stats);
        })?;
        if detail == Detail::Points {
            self.starts.push(0);
            for &triangles in &self.pairs {
                let shared = pair.overlap(triangles.into());
                self.points.extend(shared.points().iter().map(|&point| placed.in_world(point)));
                self.starts.push(self.points.len());
            }
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.pairs.clear();
        self.points.clear();
        self.starts.clear();
        (self.is_complete, self.stats) = (false, Stats::default());
    }

    fn points_of(&self, index: usize) -> Option<&[[f64; 3]]> {
        let (start, end) = (*self.starts.get(index)?, *self.starts.get(index.checked_add(1)?)?);
        self.points.get(start..end)
    }
}

/// An empty list. It is the caller's, to be freed with nearhit_contact_list_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_contact_list_new(
    out: Option<&mut MaybeUninit<*mut nearhit_contact_list>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_contact_list::default()))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_contact_list_free(list: Option<Box<nearhit_contact_list>>) {
    release(list);
}

/// Fills a list.
///
/// # Safety
///
/// The settings' working memory is NULL or a live handle.
unsafe fn find(
    [(a, world_from_a), (b, world_from_b)]: [Body<'_, '_>; 2],
    settings: Option<&nearhit_settings>,
    list: Option<&mut nearhit_contact_list>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
    detail: Detail,
) -> nearhit_status {
    guard(error, || {
        let list = needed_mut(list, "list")?;
        list.clear();
        let placed = Placed::new(a, world_from_a, b, world_from_b)?;
        // SAFETY: as promised by the caller.
        list.find(&placed, &unsafe { Checked::new(settings) }?, detail)
    })
}

/// All pairs of triangles that share a point, ordered by a's index, then b's. What was in `list`
/// before is gone; after an error it is empty. Poses and settings may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_contacts(
    a: Option<&nearhit_model>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_model>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    list: Option<&mut nearhit_contact_list>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe { find([(a, world_from_a), (b, world_from_b)], settings, list, error, Detail::Pairs) }
}

/// nearhit_contacts, and for each pair the points that its triangles share
/// (nearhit_contact_list_points).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_contacts_with_points(
    a: Option<&nearhit_model>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_model>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    list: Option<&mut nearhit_contact_list>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: the settings' working memory is NULL or a live handle, as the caller promises.
    unsafe { find([(a, world_from_a), (b, world_from_b)], settings, list, error, Detail::Points) }
}

/// The pairs; their number goes to `count`, which may be NULL. They are the list's and live until
/// it is filled again or freed. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_contact_list_pairs(
    list: Option<&nearhit_contact_list>,
    count: Option<&mut MaybeUninit<usize>>,
) -> *const nearhit_triangle_pair {
    look(std::ptr::null(), || Some(lend(&needed(list, "list").ok()?.pairs, count)))
}

/// The corners of what pair `index` shares, three numbers each, in the world; their number goes to
/// `count`, which may be NULL: 1 a point, 2 a segment, 3 to 6 a convex polygon. They are the list's
/// and live until it is filled again or freed. NULL, and a count of 0, if there is no such pair or
/// if the list was filled without points.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_contact_list_points(
    list: Option<&nearhit_contact_list>,
    index: usize,
    mut count: Option<&mut MaybeUninit<usize>>,
) -> *const f64 {
    look(std::ptr::null(), || {
        if let Some(count) = count.as_deref_mut() {
            count.write(0);
        }
        Some(lend(needed(list, "list").ok()?.points_of(index)?, count).cast())
    })
}

/// Was everything looked at? False: the limit came first, and there may be more contacts. False for
/// NULL, and for a list that was not filled.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_contact_list_is_complete(list: Option<&nearhit_contact_list>) -> bool {
    look(false, || Some(needed(list, "list").ok()?.is_complete))
}

/// Work done; zeros for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_contact_list_stats(list: Option<&nearhit_contact_list>) -> nearhit_stats {
    look(Stats::default().into(), || Some(needed(list, "list").ok()?.stats.into()))
}
