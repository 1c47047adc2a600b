//! Clash detection: which parts of an assembly clash, and how.

use crate::border::{guard, lend, look, make, needed, needed_mut, release, shared, text};
use crate::model::nearhit_model;
use crate::pose::{checked, nearhit_pose};
use crate::status::{Failure, nearhit_error, nearhit_status};
use nearhit::clash::{Assembly, Class, Finding, Options};
use std::collections::HashMap;
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Parts with names and places, of which clashes are sought. Calls from several threads wait for
/// each other.
#[derive(Debug)]
pub struct nearhit_assembly(Mutex<State>);

#[derive(Debug)]
struct State {
    assembly: Assembly,
    /// Numbers of models as shapes, by where they are in memory: the assembly keeps them there.
    shapes: HashMap<usize, usize>,
}

impl nearhit_assembly {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A search that ended badly has changed nothing.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn shape(&mut self, model: &Arc<nearhit::Model>) -> usize {
        let assembly = &mut self.assembly;
        *self.shapes.entry(Arc::as_ptr(model) as usize).or_insert_with(|| assembly.add_model(model.clone()))
    }
}

/// How two parts clash, worst first.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum nearhit_clash_class {
    /// A point of one surface is inside the other part, deeper than the tolerance.
    Hard = 0,
    /// The surfaces do not touch, and one part, or a piece of it, is inside the other.
    Inside = 1,
    /// Both surfaces are in the same place.
    Duplicate = 2,
    /// A limit of work was reached: they touch, or are in each other.
    Undecided = 3,
    /// They touch, no deeper than the tolerance.
    Touching = 4,
    /// They do not touch, but are at most the clearance apart.
    Close = 5,
}

/// What is sought. All zero is the default, and so is NULL.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_clash_options {
    /// Parts no deeper in each other than this only touch; 0 for a millionth of the assembly's
    /// size.
    pub tolerance: f64,
    /// Parts closer than this are too close.
    pub clearance: f64,
    /// Hard clashes whose overlap has certainly less than this volume only touch.
    pub min_volume: f64,
    /// Not zero: volumes of overlaps are not sought, which takes about half of the time.
    pub without_volumes: i32,
    /// Not zero: parts that only touch are not listed.
    pub ignore_touching: i32,
}

/// Two parts that clash.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_clash {
    /// How.
    pub kind: nearhit_clash_class,
    /// Number of one part, the smaller.
    pub part_a: usize,
    /// Number of the other.
    pub part_b: usize,
    /// How deep the deepest point of one surface is inside the other part: at least this.
    pub depth_lower: f64,
    /// At most this; infinite where that is not known.
    pub depth_upper: f64,
    /// The distance of parts that do not touch; 0 otherwise.
    pub gap: f64,
    /// The volume that both have in common: at least this.
    pub volume_lower: f64,
    /// At most this; infinite where that was not sought, or is not known.
    pub volume_upper: f64,
    /// The deepest or nearest point of the first, in the world.
    pub point_a: [f64; 3],
    /// That of the second.
    pub point_b: [f64; 3],
}

impl From<&Finding> for nearhit_clash {
    fn from(found: &Finding) -> Self {
        let kind = match found.class {
            Class::Hard => nearhit_clash_class::Hard,
            Class::Inside => nearhit_clash_class::Inside,
            Class::Duplicate => nearhit_clash_class::Duplicate,
            Class::Touching => nearhit_clash_class::Touching,
            Class::Close => nearhit_clash_class::Close,
            _ => nearhit_clash_class::Undecided,
        };
        let volume = found.overlap.map(|overlap| overlap.volume);
        Self {
            kind,
            part_a: found.parts[0],
            part_b: found.parts[1],
            depth_lower: found.depth.unwrap_or(0.0),
            depth_upper: found.depth_at_most.unwrap_or(f64::INFINITY),
            gap: found.gap.unwrap_or(0.0),
            volume_lower: volume.map_or(0.0, |volume| volume.lower),
            volume_upper: volume.map_or(f64::INFINITY, |volume| volume.upper),
            point_a: found.points[0].to_array(),
            point_b: found.points[1].to_array(),
        }
    }
}

/// Clashes that a search fills in. One thread at a time.
#[derive(Debug, Default)]
pub struct nearhit_clash_list(Vec<nearhit_clash>);

/// An assembly without parts. It is the caller's, to be freed with nearhit_assembly_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_assembly_new(
    out: Option<&mut MaybeUninit<*mut nearhit_assembly>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_assembly(Mutex::new(State { assembly: Assembly::new(), shapes: HashMap::new() }))))
}

/// Frees an assembly; NULL is allowed. No other call may be using it.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_assembly_free(assembly: Option<Box<nearhit_assembly>>) {
    release(assembly);
}

/// Adds a part. `name` (UTF-8) is copied; the assembly keeps the model, which several parts may
/// share. Its number, from 0, goes to `part`, which may be NULL. The pose may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_assembly_add(
    assembly: Option<NonNull<nearhit_assembly>>,
    name: *const c_char,
    model: Option<&nearhit_model>,
    world_from_part: Option<&nearhit_pose>,
    part: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: a live handle and a text, or NULL, as the caller promises.
        let (assembly, name) = unsafe { (shared(assembly, "assembly")?, text(name, "name")?) };
        let (model, pose) = (needed(model, "model")?, checked(world_from_part, "the part")?);
        let mut state = assembly.lock();
        let shape = state.shape(&model.0);
        state.assembly.add_part(name, shape, pose)?;
        if let Some(part) = part {
            part.write(state.assembly.parts().len() - 1);
        }
        Ok(())
    })
}

/// The number of parts; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_assembly_count(assembly: Option<NonNull<nearhit_assembly>>) -> usize {
    // SAFETY: a live handle or NULL, as the caller promises.
    look(0, || Some(unsafe { shared(assembly, "assembly") }.ok()?.lock().assembly.parts().len()))
}

/// An empty list. It is the caller's, to be freed with nearhit_clash_list_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_clash_list_new(
    out: Option<&mut MaybeUninit<*mut nearhit_clash_list>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_clash_list::default()))
}

/// Frees a list; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_clash_list_free(list: Option<Box<nearhit_clash_list>>) {
    release(list);
}

/// The clashes; their number goes to `count`, which may be NULL. They are the list's and live until
/// it is filled again or freed. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_clash_list_clashes(
    list: Option<&nearhit_clash_list>,
    count: Option<&mut MaybeUninit<usize>>,
) -> *const nearhit_clash {
    look(std::ptr::null(), || Some(lend(&needed(list, "list").ok()?.0, count)))
}

/// All pairs of parts that clash, worst first, sought on all cores. What was in `list` before is
/// gone; after an error it is empty. Options may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_assembly_clashes(
    assembly: Option<NonNull<nearhit_assembly>>,
    options: Option<&nearhit_clash_options>,
    list: Option<&mut nearhit_clash_list>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let list = &mut needed_mut(list, "list")?.0;
        list.clear();
        let mut how = Options::new();
        if let Some(options) = options {
            how = how.clearance(options.clearance).min_volume(options.min_volume);
            how = if options.tolerance == 0.0 { how } else { how.tolerance(options.tolerance) };
            how = if options.without_volumes != 0 { how.without_overlaps() } else { how };
            how = if options.ignore_touching != 0 { how.ignore(Class::Touching) } else { how };
        }
        // SAFETY: a live handle or NULL, as the caller promises.
        let report = unsafe { shared(assembly, "assembly") }?.lock().assembly.clashes(&how)?;
        if !report.is_complete {
            return Err(Failure::clash("the search did not end"));
        }
        list.extend(report.findings.iter().map(nearhit_clash::from));
        Ok(())
    })
}
