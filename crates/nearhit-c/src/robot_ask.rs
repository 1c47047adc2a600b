//! What is asked of a robot: at one configuration, at many, and along a line of them.

use crate::border::{
    array, array_mut, check_count, fill, guard, lend, look, make, needed, needed_mut, release, shared,
};
use crate::pose::nearhit_pose;
use crate::results::nearhit_verdict;
use crate::robot::nearhit_robot;
use crate::status::{Failure, nearhit_error, nearhit_status};
use ::nearhit_robot::{BodyPair, CheckScratch, Checker, Closest, PathCheck, PathOptions, PathVerdict};
use nearhit::Pose;
use nearhit::batch::BatchError;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::{Mutex, TryLockError};

/// Working memory of questions about robots, which also remembers what touched before. One for each
/// thread: used by two at once, the second gets NEARHIT_STATUS_BUSY. Answers do not depend on it.
#[derive(Debug, Default)]
pub struct nearhit_robot_scratch(Mutex<CheckScratch>);

/// A number of no body.
pub const NEARHIT_NO_ROBOT_BODY: u32 = u32::MAX;

/// Two bodies of a robot, by number (NEARHIT_ROBOT_ITEM_BODY).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct nearhit_body_pair {
    /// One.
    pub a: u32,
    /// The other.
    pub b: u32,
}

const NO_PAIR: nearhit_body_pair = nearhit_body_pair { a: NEARHIT_NO_ROBOT_BODY, b: NEARHIT_NO_ROBOT_BODY };

impl From<BodyPair> for nearhit_body_pair {
    fn from(BodyPair { a, b, .. }: BodyPair) -> Self {
        let [a, b] = [a, b].map(|body| u32::try_from(body).unwrap_or(NEARHIT_NO_ROBOT_BODY));
        Self { a, b }
    }
}

/// The closest two bodies: the answer of nearhit_robot_distance.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_robot_distance_result {
    /// Which; NEARHIT_NO_ROBOT_BODY twice if no pair is checked.
    pub bodies: nearhit_body_pair,
    /// The least distance of all pairs is at least this; infinite if no pair is checked.
    pub lower: f64,
    /// At most this; 0 in contact.
    pub upper: f64,
    /// A point of the first, in the world.
    pub point_a: [f64; 3],
    /// A point of the second, in the world.
    pub point_b: [f64; 3],
}

impl From<Option<Closest>> for nearhit_robot_distance_result {
    fn from(closest: Option<Closest>) -> Self {
        let far = f64::INFINITY;
        let none = Self { bodies: NO_PAIR, lower: far, upper: far, point_a: [0.0; 3], point_b: [0.0; 3] };
        closest.map_or(none, |found| Self {
            bodies: found.pair.into(),
            lower: found.lower,
            upper: found.upper,
            point_a: found.on_a,
            point_b: found.on_b,
        })
    }
}

/// How a line is checked. All zero is the default, and so is NULL.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_path_options {
    /// Bodies must be farther apart than this at every instant.
    pub clearance: f64,
    /// A contact is located to this share of the line; 0 for a millionth.
    pub resolution: f64,
    /// How many pairs may be asked for their distance; 0 for any number.
    pub budget: u64,
}

/// The answer of nearhit_robot_path_clear. Instants are shares of the line, from 0 to 1.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_path_result {
    /// Are all pairs farther apart than the clearance at every instant? Maybe: the budget ran out,
    /// or two bodies come within a hair of the clearance.
    pub is_clear: nearhit_verdict,
    /// Before this instant they certainly are.
    pub certain_until: f64,
    /// At this instant two are not; infinite if there is none or none was found.
    pub contact_at: f64,
    /// These two, or a pair that is not known; NEARHIT_NO_ROBOT_BODY twice if all is clear.
    pub bodies: nearhit_body_pair,
    /// Configurations looked at.
    pub configurations: u64,
    /// Pairs asked for their distance.
    pub tests: u64,
}

impl From<PathCheck> for nearhit_path_result {
    fn from(found: PathCheck) -> Self {
        let (is_clear, certain_until, contact_at, bodies) = match found.verdict {
            PathVerdict::Clear => (nearhit_verdict::Yes, 1.0, f64::INFINITY, NO_PAIR),
            PathVerdict::Contact { after, at, pair, .. } => (nearhit_verdict::No, after, at, pair.into()),
            PathVerdict::Undecided { certain_until, pair, .. } => {
                (nearhit_verdict::Maybe, certain_until, f64::INFINITY, pair.into())
            }
            _ => (nearhit_verdict::Maybe, 0.0, f64::INFINITY, NO_PAIR),
        };
        let (configurations, tests) = (found.configurations, found.tests);
        Self { is_clear, certain_until, contact_at, bodies, configurations, tests }
    }
}

/// Pairs of bodies that a question fills in. One thread at a time.
#[derive(Debug, Default)]
pub struct nearhit_body_pair_list(Vec<nearhit_body_pair>);

/// Working memory for one thread. It is the caller's, to be freed with nearhit_robot_scratch_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_robot_scratch_new(
    out: Option<&mut MaybeUninit<*mut nearhit_robot_scratch>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_robot_scratch::default()))
}

/// Frees working memory; NULL is allowed. No question may be using it.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_robot_scratch_free(scratch: Option<Box<nearhit_robot_scratch>>) {
    release(scratch);
}

/// An empty list. It is the caller's, to be freed with nearhit_body_pair_list_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_body_pair_list_new(
    out: Option<&mut MaybeUninit<*mut nearhit_body_pair_list>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_body_pair_list::default()))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_body_pair_list_free(list: Option<Box<nearhit_body_pair_list>>) {
    release(list);
}

/// The pairs; their number goes to `count`, which may be NULL. They are the list's and live until
/// it is filled again or freed. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_body_pair_list_pairs(
    list: Option<&nearhit_body_pair_list>,
    count: Option<&mut MaybeUninit<usize>>,
) -> *const nearhit_body_pair {
    look(std::ptr::null(), || Some(lend(&needed(list, "list").ok()?.0, count)))
}

/// Asks a robot, with the caller's working memory or with new.
///
/// # Safety
///
/// `count` numbers at `q`; robot and scratch are live handles. Each may be NULL.
unsafe fn ask<T>(
    robot: Option<NonNull<nearhit_robot>>,
    q: *const f64,
    count: usize,
    scratch: Option<NonNull<nearhit_robot_scratch>>,
    question: impl FnOnce(&Checker, &[f64], &mut CheckScratch) -> Result<T, Failure>,
) -> Result<T, Failure> {
    // SAFETY: as promised by the caller.
    let (checker, q) = unsafe { (shared(robot, "robot")?.read(), array(q, count, "q")?) };
    let Some(scratch) = scratch else { return question(&checker, q, &mut CheckScratch::default()) };
    // SAFETY: the same; a handle is only ever used by shared reference.
    match unsafe { scratch.as_ref() }.0.try_lock() {
        Ok(mut memory) => question(&checker, q, &mut memory),
        // Every question starts it afresh, so that one that ended badly leaves no trace.
        Err(TryLockError::Poisoned(memory)) => question(&checker, q, &mut memory.into_inner()),
        Err(TryLockError::WouldBlock) => Err(Failure::busy("the scratch")),
    }
}

/// Where every link is in the world at the configuration `q` of `count` numbers (forward
/// kinematics): `poses` has room for `pose_count` of them, as many as there are links.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_link_poses(
    robot: Option<NonNull<nearhit_robot>>,
    q: *const f64,
    count: usize,
    poses: *mut nearhit_pose,
    pose_count: usize,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: a live handle, numbers and room, or NULL, as the caller promises.
        let (checker, q, places) =
            unsafe { (shared(robot, "robot")?.read(), array(q, count, "q")?, array_mut(poses, pose_count, "poses")?) };
        let mut found = vec![Pose::IDENTITY; checker.robot().links().len()];
        check_count(places.len(), found.len(), "poses")?;
        checker.robot().link_poses(q, &mut found)?;
        fill(places, found.iter().map(nearhit_pose::of), "poses")
    })
}

/// Do any two bodies touch at the configuration `q` of `count` numbers? `scratch` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_collides(
    robot: Option<NonNull<nearhit_robot>>,
    q: *const f64,
    count: usize,
    scratch: Option<NonNull<nearhit_robot_scratch>>,
    result: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let result = needed_mut(result, "result")?;
        // SAFETY: as the caller promises.
        result.write(unsafe { ask(robot, q, count, scratch, |robot, q, scratch| Ok(robot.collides(q, scratch)?)) }?);
        Ok(())
    })
}

/// nearhit_robot_collides of `count` configurations, one after the other in `q`, each of as many
/// numbers as there are coordinates, on all cores. `results` has room for `count` answers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_collides_each(
    robot: Option<NonNull<nearhit_robot>>,
    q: *const f64,
    count: usize,
    results: *mut bool,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: a live handle or NULL, as the caller promises.
        let checker = unsafe { shared(robot, "robot") }?.read();
        let many = || Failure::size(format!("q: {count} configurations are more than memory holds"));
        let numbers = checker.robot().coordinates().checked_mul(count).ok_or_else(many)?;
        // SAFETY: so many numbers and so much room, as the caller promises.
        let (q, places) = unsafe { (array(q, numbers, "q")?, array_mut(results, count, "results")?) };
        if count == 0 {
            return Ok(());
        }
        let found = checker.collides_each(q).map_err(|error| match error {
            BatchError::Refused { index, error } => Failure::from(error).at(index),
            error => Failure::robot(error.to_string()),
        })?;
        fill(places, found.into_iter(), "results")
    })
}

/// All pairs of bodies that touch at `q`, or that are at most `limit` apart if `limit` is above 0.
/// What was in `list` before is gone; after an error it is empty. `scratch` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_pairs(
    robot: Option<NonNull<nearhit_robot>>,
    q: *const f64,
    count: usize,
    limit: f64,
    scratch: Option<NonNull<nearhit_robot_scratch>>,
    list: Option<&mut nearhit_body_pair_list>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let list = &mut needed_mut(list, "list")?.0;
        list.clear();
        let mut found = Vec::new();
        // SAFETY: as the caller promises.
        unsafe {
            ask(robot, q, count, scratch, |robot, q, scratch| {
                if limit == 0.0 {
                    robot.contacts(q, scratch, &mut found)?;
                } else {
                    robot.pairs_within(q, limit, scratch, &mut found)?;
                }
                Ok(())
            })
        }?;
        list.extend(found.into_iter().map(nearhit_body_pair::from));
        Ok(())
    })
}

/// The closest two bodies at the configuration `q` of `count` numbers, and how far apart they are.
/// `scratch` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_distance(
    robot: Option<NonNull<nearhit_robot>>,
    q: *const f64,
    count: usize,
    scratch: Option<NonNull<nearhit_robot_scratch>>,
    result: Option<&mut MaybeUninit<nearhit_robot_distance_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let result = needed_mut(result, "result")?;
        // SAFETY: as the caller promises.
        let found = unsafe { ask(robot, q, count, scratch, |robot, q, scratch| Ok(robot.closest(q, scratch)?)) }?;
        result.write(found.into());
        Ok(())
    })
}

/// nearhit_robot_distance, and how it changes with the configuration: `gradient` has room for
/// `gradient_count` numbers, one for each coordinate (six for a floating joint: three of
/// translation, three of rotation). Zeros where the pair touches (`upper` is 0): the distance stays
/// 0 there, or is at its least.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_gradient(
    robot: Option<NonNull<nearhit_robot>>,
    q: *const f64,
    count: usize,
    scratch: Option<NonNull<nearhit_robot_scratch>>,
    result: Option<&mut MaybeUninit<nearhit_robot_distance_result>>,
    gradient: *mut f64,
    gradient_count: usize,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let result = needed_mut(result, "result")?;
        // SAFETY: so much room, as the caller promises.
        let places = unsafe { array_mut(gradient, gradient_count, "gradient") }?;
        let question = |robot: &Checker, q: &[f64], scratch: &mut CheckScratch| {
            check_count(gradient_count, robot.robot().velocities(), "gradient")?;
            let (closest, mut slope) = (robot.closest(q, scratch)?, Vec::new());
            let known = match &closest {
                Some(closest) => robot.gradient(q, closest, scratch, &mut slope)?,
                None => false,
            };
            if !known {
                slope = vec![0.0; gradient_count];
            }
            Ok((closest, slope))
        };
        // SAFETY: as the caller promises.
        let (closest, slope) = unsafe { ask(robot, q, count, scratch, question) }?;
        fill(places, slope.into_iter(), "gradient")?;
        result.write(closest.into());
        Ok(())
    })
}

/// Are all pairs of bodies farther apart than a clearance at every instant of the straight line
/// from the configuration `from` to `to`, each of `count` numbers? Proven for every instant, not
/// for samples. Options and `scratch` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_path_clear(
    robot: Option<NonNull<nearhit_robot>>,
    from: *const f64,
    to: *const f64,
    count: usize,
    options: Option<&nearhit_path_options>,
    scratch: Option<NonNull<nearhit_robot_scratch>>,
    result: Option<&mut MaybeUninit<nearhit_path_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let result = needed_mut(result, "result")?;
        let mut how = PathOptions::default();
        if let Some(given) = options {
            how.clearance = given.clearance;
            how.resolution = if given.resolution == 0.0 { how.resolution } else { given.resolution };
            how.budget = if given.budget == 0 { how.budget } else { given.budget };
        }
        // SAFETY: so many numbers and live handles, as the caller promises.
        let found = unsafe {
            let to = array(to, count, "to")?;
            ask(robot, from, count, scratch, |robot, from, scratch| Ok(robot.path_clear(from, to, &how, scratch)?))
        }?;
        result.write(found.into());
        Ok(())
    })
}
