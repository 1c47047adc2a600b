//! Sphere-trees, and their refinement until time is over.

use crate::border::{guard, lend, look, make, needed, needed_mut, release, shared};
use crate::model::nearhit_model;
use crate::pose::{checked, nearhit_pose};
use crate::results::{nearhit_stats, nearhit_triangle_pair, nearhit_verdict};
use crate::settings::{Checked, nearhit_settings};
use crate::status::{Failure, nearhit_error, nearhit_status};
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions, TreeSphere};
use nearhit::{Model, Pair, Pose, Refined, Refinement, SpherePair, SphereTree};
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, TryLockError};

/// A model's surface covered by balls, level by level. Never changes; any number of threads may use
/// it at once. It keeps its model.
#[derive(Debug)]
pub struct nearhit_sphere_tree(Arc<Tree>);

#[derive(Debug)]
struct Tree {
    model: Arc<Model>,
    tree: SphereTree,
    levels: Vec<Vec<nearhit_sphere>>,
}

/// What the balls of a tree come from.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum nearhit_sphere_method {
    /// The medial axis and an optimisation: tight.
    Medial = 0,
    /// The same, built several times quicker; balls stick out up to a third more.
    QuickMedial = 1,
    /// The cells of an octree: quick to build, loose.
    Octree = 2,
}

/// A ball of a tree, in the model's frame.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_sphere {
    /// Its centre.
    pub center: [f64; 3],
    /// Its radius.
    pub radius: f64,
    /// How far it reaches beyond the surface at most.
    pub error: f64,
    /// The place of its parent in the level above, -1 for the root.
    pub parent: i64,
}

/// How far two trees have been refined: to go on with when there is time again.
#[derive(Debug, Default)]
pub struct nearhit_refinement(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    refinement: Refinement,
    /// What was refined, and where: the trees are held so that no other can have their place.
    of: Option<(Arc<Tree>, Arc<Tree>, Pose)>,
}

/// The answer of nearhit_refinement_run.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct nearhit_refine_result {
    /// Do the surfaces share a point? Maybe, as long as balls meet and not all is done.
    pub verdict: nearhit_verdict,
    /// The deepest level whose balls have all been looked at.
    pub level: u32,
    /// The distance of the surfaces is at least this.
    pub lower: f64,
    /// The distance of the surfaces is at most this.
    pub upper: f64,
    /// Two triangles that touch, if the verdict is yes; otherwise NEARHIT_NO_TRIANGLE twice.
    pub triangles: nearhit_triangle_pair,
    /// Is there nothing left to do?
    pub is_complete: bool,
    /// Work done on this pair so far.
    pub stats: nearhit_stats,
}

impl From<Refined> for nearhit_refine_result {
    fn from(known: Refined) -> Self {
        Self {
            verdict: known.verdict.into(),
            level: known.level,
            lower: known.separation.lower,
            upper: known.separation.upper,
            triangles: known.witness.into(),
            is_complete: known.is_complete,
            stats: known.stats.into(),
        }
    }
}

impl State {
    /// Goes on with the same trees where they are, follows them where they have moved to, and
    /// begins anew with others.
    fn run(&mut self, a: &Arc<Tree>, b: &Arc<Tree>, pair: Pair<'_>, settings: &Checked<'_>) -> Refined {
        let (pose, pair) = (*pair.a_from_b(), SpherePair::new(pair, &a.tree, &b.tree));
        match &self.of {
            Some((of_a, of_b, before)) if Arc::ptr_eq(of_a, a) && Arc::ptr_eq(of_b, b) => {
                if *before != pose {
                    self.refinement.follow(&pair);
                }
            }
            _ => self.refinement.restart(),
        }
        self.of = Some((a.clone(), b.clone(), pose));
        self.refinement.run(&pair, &settings.budget())
    }
}

fn options(depth: u32, method: i32) -> Result<SphereOptions, Failure> {
    if depth > SphereOptions::DEEPEST {
        let message = format!("depth is {depth}: it must be at most {}", SphereOptions::DEEPEST);
        return Err(Failure::argument(message));
    }
    let options = SphereOptions::new().depth(depth);
    match method {
        0 => Ok(options.method(SphereMethod::Medial)),
        1 => Ok(options.method(SphereMethod::Medial).effort(BuildEffort::Quick)),
        2 => Ok(options.method(SphereMethod::Octree)),
        other => Err(Failure::argument(format!("method is {other}: there is no such nearhit_sphere_method"))),
    }
}

fn level(tree: &SphereTree, level: usize) -> Vec<nearhit_sphere> {
    let above = level.checked_sub(1).map_or(0, |above| tree.levels()[above].start);
    let sphere = |sphere: &TreeSphere| nearhit_sphere {
        center: sphere.center.to_array(),
        radius: sphere.radius,
        error: sphere.error,
        parent: sphere.parent.map_or(-1, |parent| i64::from(parent - above)),
    };
    tree.level(level).iter().map(sphere).collect()
}

/// Builds the sphere-tree of a model: `depth` levels below the root, at most 6; `method` is a
/// nearhit_sphere_method. The tree is the caller's, to be freed with nearhit_sphere_tree_free; it
/// keeps the model.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_sphere_tree_new(
    model: Option<&nearhit_model>,
    depth: u32,
    method: i32,
    out: Option<&mut MaybeUninit<*mut nearhit_sphere_tree>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        let (model, options) = (needed(model, "model")?.0.clone(), options(depth, method)?);
        let tree = SphereTree::build(&model, &options);
        let levels = (0..tree.levels().len()).map(|number| level(&tree, number)).collect();
        Ok(nearhit_sphere_tree(Arc::new(Tree { model, tree, levels })))
    })
}

/// Frees a tree; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_sphere_tree_free(tree: Option<Box<nearhit_sphere_tree>>) {
    release(tree);
}

/// The number of levels, the root's included; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_sphere_tree_level_count(tree: Option<&nearhit_sphere_tree>) -> usize {
    look(0, || Some(needed(tree, "tree").ok()?.0.levels.len()))
}

/// The balls of a level, from 0 for the root's; their number goes to `count`, which may be NULL.
/// They are the tree's and live as long as it does. NULL, and a count of 0, if there is no such
/// level.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_sphere_tree_level(
    tree: Option<&nearhit_sphere_tree>,
    level: usize,
    mut count: Option<&mut MaybeUninit<usize>>,
) -> *const nearhit_sphere {
    look(std::ptr::null(), || {
        if let Some(count) = count.as_deref_mut() {
            count.write(0);
        }
        Some(lend(needed(tree, "tree").ok()?.0.levels.get(level)?, count))
    })
}

/// A refinement that has not begun. It is the caller's, to be freed with nearhit_refinement_free.
/// One thread at a time: a second gets NEARHIT_STATUS_BUSY.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_refinement_new(
    out: Option<&mut MaybeUninit<*mut nearhit_refinement>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_refinement::default()))
}

/// Frees a refinement; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_refinement_free(refinement: Option<Box<nearhit_refinement>>) {
    release(refinement);
}

/// Refines until the settings' limit, and says what is certain by then. Called again with the same
/// trees and poses it goes on where it was; with the same trees elsewhere it keeps what is still
/// certain; with other trees it begins anew. The limit is for this call. Poses and settings may be
/// NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_refinement_run(
    refinement: Option<NonNull<nearhit_refinement>>,
    a: Option<&nearhit_sphere_tree>,
    world_from_a: Option<&nearhit_pose>,
    b: Option<&nearhit_sphere_tree>,
    world_from_b: Option<&nearhit_pose>,
    settings: Option<&nearhit_settings>,
    result: Option<&mut MaybeUninit<nearhit_refine_result>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        // SAFETY: handles are NULL or live, as the caller promises.
        let (refinement, settings) = unsafe { (shared(refinement, "refinement")?, Checked::new(settings)?) };
        let (a, b, result) = (&needed(a, "a")?.0, &needed(b, "b")?.0, needed_mut(result, "result")?);
        let pair = Pair::new(&a.model, &checked(world_from_a, "a")?, &b.model, &checked(world_from_b, "b")?)?;
        let known = match refinement.0.try_lock() {
            Ok(mut state) => state.run(a, b, pair, &settings),
            // Nothing is certain after a query that ended badly.
            Err(TryLockError::Poisoned(state)) => {
                let mut state = state.into_inner();
                *state = State::default();
                state.run(a, b, pair, &settings)
            }
            Err(TryLockError::WouldBlock) => return Err(Failure::busy("the refinement")),
        };
        result.write(known.into());
        Ok(())
    })
}
