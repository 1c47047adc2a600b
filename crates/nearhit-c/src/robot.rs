//! Robots: read from URDF and SRDF files, with a world around them.

use crate::border::{array, array_mut, fill, guard, look, make, needed, needed_mut, release, shared, text};
use crate::pose::{checked, nearhit_pose};
use crate::shape::nearhit_shape;
use crate::status::{Failure, nearhit_error, nearhit_status};
use ::nearhit_robot::{CheckOptions, Checker, ReadOptions, Robot, SearchPath, Solids};
use nearhit::Pose;
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A robot with the shapes of its links, a world around it, and pairs of bodies that are checked.
/// Any number of threads may ask it at once; what changes it waits for them. Lengths are metres,
/// angles radians.
#[derive(Debug)]
pub struct nearhit_robot(RwLock<Checker>);

/// What a robot has several of, by number from 0.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum nearhit_robot_item {
    /// Links, in the order of the file.
    Link = 0,
    /// Numbers of a configuration: one for a revolute, continuous or prismatic joint, named as it.
    Coordinate = 1,
    /// Shapes that are checked: those of links in the order of the file, named as their links with
    /// "#2", "#3" where there are several; then what was added and attached. Numbers change when a
    /// body is taken away.
    Body = 2,
}

/// How a robot is read. All zero is the default, and so is NULL.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct nearhit_robot_options {
    /// Folders (UTF-8) in which packages are sought for `package://` addresses, beside those that
    /// ROS_PACKAGE_PATH names and those above the file.
    pub folders: *const *const c_char,
    /// How many.
    pub folder_count: usize,
    /// Not zero: closed meshes are surfaces, as in other libraries, and not solids.
    pub surfaces: i32,
    /// Where the root link is.
    pub world_from_root: *const nearhit_pose,
}

impl nearhit_robot {
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Checker> {
        // A question that ended badly has changed nothing.
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Checker> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Options that have been checked.
struct Options {
    read: ReadOptions,
    check: CheckOptions,
    world_from_root: Pose,
}

impl Options {
    /// # Safety
    ///
    /// So many texts as said, and a pose; each may be NULL.
    unsafe fn new(options: Option<&nearhit_robot_options>) -> Result<Self, Failure> {
        let mut search = SearchPath::from_environment();
        let (mut solids, mut world_from_root) = (Solids::Solid, Pose::IDENTITY);
        if let Some(options) = options {
            // SAFETY: as promised by the caller.
            let folders = unsafe { array(options.folders, options.folder_count, "folders") }?;
            for &folder in folders {
                // SAFETY: the same of each.
                search = search.with_folder(unsafe { text(folder, "a folder") }?);
            }
            solids = if options.surfaces != 0 { Solids::Surface } else { Solids::Solid };
            // SAFETY: a pose or NULL.
            world_from_root = checked(unsafe { options.world_from_root.as_ref() }, "the root")?;
        }
        let read = ReadOptions::new().search(search);
        Ok(Self { read, check: CheckOptions::new().solids(solids), world_from_root })
    }

    fn checker(&self, robot: Robot) -> Result<nearhit_robot, Failure> {
        let checker = Checker::new(robot.with_base(self.world_from_root), self.check)?;
        Ok(nearhit_robot(RwLock::new(checker)))
    }
}

/// Reads a robot from a URDF file and, unless `srdf` is NULL, an SRDF file with pairs of links that
/// may touch. Paths are UTF-8; errors name file, line and element. Options may be NULL. The robot
/// is the caller's, to be freed with nearhit_robot_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_read(
    urdf: *const c_char,
    srdf: *const c_char,
    options: Option<&nearhit_robot_options>,
    out: Option<&mut MaybeUninit<*mut nearhit_robot>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        // SAFETY: texts and options as the caller promises.
        let (urdf, options) = unsafe { (text(urdf, "urdf")?, Options::new(options)?) };
        let mut robot = Robot::read_with(Path::new(urdf), &options.read)?;
        if !srdf.is_null() {
            // SAFETY: the same.
            robot.read_srdf(Path::new(unsafe { text(srdf, "srdf") }?))?;
        }
        options.checker(robot)
    })
}

/// nearhit_robot_read of the files' contents (UTF-8). Files they name are sought from `folder`
/// (UTF-8) on. `srdf` and options may be NULL. The robot is the caller's, to be freed with
/// nearhit_robot_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_parse(
    urdf: *const c_char,
    srdf: *const c_char,
    folder: *const c_char,
    options: Option<&nearhit_robot_options>,
    out: Option<&mut MaybeUninit<*mut nearhit_robot>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        // SAFETY: texts and options as the caller promises.
        let (urdf, folder, options) =
            unsafe { (text(urdf, "urdf")?, Path::new(text(folder, "folder")?), Options::new(options)?) };
        let mut robot = Robot::parse(urdf, &folder.join("robot.urdf"), &options.read)?;
        if !srdf.is_null() {
            // SAFETY: the same.
            robot.parse_srdf(unsafe { text(srdf, "srdf") }?, &folder.join("robot.srdf"))?;
        }
        options.checker(robot)
    })
}

/// A robot like it, with a world of its own. It is the caller's, to be freed with
/// nearhit_robot_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_clone(
    robot: Option<NonNull<nearhit_robot>>,
    out: Option<&mut MaybeUninit<*mut nearhit_robot>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        // SAFETY: a live handle or NULL, as the caller promises.
        let robot = unsafe { shared(robot, "robot") }?;
        let copy = robot.read().clone();
        Ok(nearhit_robot(RwLock::new(copy)))
    })
}

/// Frees a robot; NULL is allowed. No other call may be using it.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_robot_free(robot: Option<Box<nearhit_robot>>) {
    release(robot);
}

/// How many of a nearhit_robot_item it has; 0 for NULL and for an item that is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_count(robot: Option<NonNull<nearhit_robot>>, item: i32) -> usize {
    look(0, || {
        // SAFETY: a live handle or NULL, as the caller promises.
        let checker = unsafe { shared(robot, "robot") }.ok()?.read();
        Some(names(&checker, item).ok()?.len())
    })
}

fn names(checker: &Checker, item: i32) -> Result<Vec<&str>, Failure> {
    let robot = checker.robot();
    match item {
        0 => Ok(robot.links().iter().map(|link| link.name.as_str()).collect()),
        1 => Ok(robot.coordinate_names().iter().map(String::as_str).collect()),
        2 => Ok(checker.bodies().iter().map(|body| body.name.as_str()).collect()),
        other => Err(Failure::argument(format!("item is {other}: there is no such nearhit_robot_item"))),
    }
}

/// The name (UTF-8, with a zero at its end) of number `index` of a nearhit_robot_item, written to
/// `name`, which has room for `room` bytes. Where that is too little, NEARHIT_STATUS_WRONG_SIZE
/// says how many are needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_name(
    robot: Option<NonNull<nearhit_robot>>,
    item: i32,
    index: usize,
    name: *mut c_char,
    room: usize,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: a live handle and so much room, or NULL, as the caller promises.
        let (checker, places) = unsafe { (shared(robot, "robot")?.read(), array_mut(name, room, "name")?) };
        let names = names(&checker, item)?;
        let count = names.len();
        let beyond = || Failure::argument(format!("index is {index}: there are {count}"));
        let found = names.get(index).ok_or_else(beyond)?;
        let bytes = found.bytes().chain(std::iter::once(0));
        if places.len() < found.len() + 1 {
            return Err(Failure::size(format!("name has room for {room} bytes, {} are needed", found.len() + 1)));
        }
        for (place, byte) in places.iter_mut().zip(bytes) {
            place.write(byte as c_char);
        }
        Ok(())
    })
}

/// The number of what has that name (UTF-8) among a nearhit_robot_item.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_find(
    robot: Option<NonNull<nearhit_robot>>,
    item: i32,
    name: *const c_char,
    index: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let index = needed_mut(index, "index")?;
        // SAFETY: a live handle and a text, or NULL, as the caller promises.
        let (checker, name) = unsafe { (shared(robot, "robot")?.read(), text(name, "name")?) };
        let unknown = || Failure::robot(format!("there is no {name:?}"));
        index.write(names(&checker, item)?.iter().position(|&known| known == name).ok_or_else(unknown)?);
        Ok(())
    })
}

/// The limits of each coordinate, lower and upper: `limits` has room for `count` pairs of numbers,
/// as many as there are coordinates. What turns without limits has minus and plus pi, what slides
/// without limits infinite ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_limits(
    robot: Option<NonNull<nearhit_robot>>,
    limits: *mut f64,
    count: usize,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: a live handle and so much room, or NULL, as the caller promises.
        let (checker, places) =
            unsafe { (shared(robot, "robot")?.read(), array_mut(limits.cast::<[f64; 2]>(), count, "limits")?) };
        fill(places, checker.robot().limits().into_iter(), "limits")
    })
}

/// A configuration by its name (UTF-8), as the SRDF has it (a group state), or for NULL the neutral
/// one: all zeros, or the limits nearest to them. `q` has room for `count` numbers, as
/// many as there are coordinates.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_configuration(
    robot: Option<NonNull<nearhit_robot>>,
    name: *const c_char,
    q: *mut f64,
    count: usize,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: a live handle and so much room, or NULL, as the caller promises.
        let (checker, places) = unsafe { (shared(robot, "robot")?.read(), array_mut(q, count, "q")?) };
        let found = if name.is_null() {
            checker.robot().neutral()
        } else {
            // SAFETY: a text, as the caller promises.
            let name = unsafe { text(name, "name") }?;
            let unknown = || Failure::robot(format!("there is no state {name:?}"));
            checker.robot().state(name).ok_or_else(unknown)?
        };
        fill(places, found.into_iter(), "q")
    })
}

/// Changes a robot.
///
/// # Safety
///
/// A live handle or NULL.
unsafe fn change(
    robot: Option<NonNull<nearhit_robot>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
    change: impl FnOnce(&mut Checker) -> Result<(), Failure>,
) -> nearhit_status {
    // SAFETY: as promised by the caller.
    guard(error, || change(&mut unsafe { shared(robot, "robot") }?.write()))
}

/// Puts a body into the world. `name` (UTF-8) is unique, and copied; the robot keeps the shape. The
/// pose may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_add_to_world(
    robot: Option<NonNull<nearhit_robot>>,
    name: *const c_char,
    shape: Option<&nearhit_shape>,
    world_from_body: Option<&nearhit_pose>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: a live handle and a text, or NULL, as the caller promises.
    unsafe {
        change(robot, error, |checker| {
            let (name, shape) = (text(name, "name")?, needed(shape, "shape")?.0.clone());
            Ok(checker.add_to_world(name, shape, checked(world_from_body, "the body")?)?)
        })
    }
}

/// Attaches a body to a link: it moves with it, and is checked as if it were the link's. Otherwise
/// as nearhit_robot_add_to_world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_attach(
    robot: Option<NonNull<nearhit_robot>>,
    link: *const c_char,
    name: *const c_char,
    shape: Option<&nearhit_shape>,
    link_from_body: Option<&nearhit_pose>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: a live handle and texts, or NULL, as the caller promises.
    unsafe {
        change(robot, error, |checker| {
            let (link, name) = (text(link, "link")?, text(name, "name")?);
            let shape = needed(shape, "shape")?.0.clone();
            Ok(checker.attach(link, name, shape, checked(link_from_body, "the body")?)?)
        })
    }
}

/// Takes away a body that was added or attached.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_remove(
    robot: Option<NonNull<nearhit_robot>>,
    name: *const c_char,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: a live handle and a text, or NULL, as the caller promises.
    unsafe { change(robot, error, |checker| Ok(checker.remove(text(name, "name")?)?)) }
}

/// Grows all bodies of a link by a margin (padding), beside what they are grown by already.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_pad(
    robot: Option<NonNull<nearhit_robot>>,
    link: *const c_char,
    margin: f64,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: a live handle and a text, or NULL, as the caller promises.
    unsafe { change(robot, error, |checker| Ok(checker.pad(text(link, "link")?, margin)?)) }
}

/// Two links may touch from now on (`is_allowed` not zero), or are checked from now on (zero): the
/// allowed-collision matrix.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_robot_allow(
    robot: Option<NonNull<nearhit_robot>>,
    a: *const c_char,
    b: *const c_char,
    is_allowed: i32,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    // SAFETY: a live handle and texts, or NULL, as the caller promises.
    unsafe {
        change(robot, error, |checker| {
            let link = |name: &str| {
                let unknown = || Failure::robot(format!("there is no link {name:?}"));
                checker.robot().link(name).ok_or_else(unknown)
            };
            let (a, b) = (link(text(a, "a")?)?, link(text(b, "b")?)?);
            let mut allowed = checker.allowed().clone();
            if is_allowed != 0 {
                allowed.allow(a, b)
            } else {
                allowed.check(a, b)
            }
            checker.set_allowed(allowed);
            Ok(())
        })
    }
}
