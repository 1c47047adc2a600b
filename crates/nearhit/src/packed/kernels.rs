//! The kernels, compiled once for each path and kind of question, and the choice among them.
//!
//! They are functions of their own, not inlined into the descent: the descent is compiled for every
//! question, the kernels are not.

use super::facing::{Frames, Lie, Relations, relate};
use super::lane_pairs::LanePairs;
#[cfg(target_arch = "x86_64")]
use super::lanes::Avx2;
use super::lanes::{Portable, Simd};
use super::node::{Leaf, WideNode};
use super::relation::Between;
use super::{leaves, open};
use crate::primitive::doubles::PortableDoubles;
use crate::primitive::fours::{Decided, Four, decide};
use std::sync::LazyLock;

/// Sifts pairs of slots, or of triangles, by bounds below a limit: gaps, or squared distances. How
/// two frames lie is made of `R`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sifters<R> {
    /// All slots of both nodes.
    pub(super) both: fn((&WideNode, &WideNode), &R, f32, &mut LanePairs),
    /// All slots of the first, one of the second.
    pub(super) first: fn((&WideNode, &WideNode), usize, &R, f32, &mut LanePairs),
    /// One slot of the first, all of the second.
    pub(super) second: fn((&WideNode, &WideNode), usize, &R, f32, &mut LanePairs),
    /// All triangles of both leaves.
    pub(super) leaves: fn((&Leaf, &Leaf), &R, f32, &mut LanePairs),
}

/// Relates the frames of several pairs, and says which may be below a limit.
type Relate = fn(&Frames<'_>, &Between, f32, &mut Relations) -> u32;

/// For one pair at a time.
pub(super) type Kernels = Sifters<Between>;

/// For pairs of a question of contact that are taken together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Together {
    pub(super) relate: Relate,
    /// Of pairs whose frames are related.
    pub(super) related: Sifters<Relations>,
    /// Four pairs of triangles that were left.
    pub(super) meeting: fn(&Four) -> Decided,
}

/// For questions of contact, and of distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Path {
    pub(super) name: &'static str,
    contact: Kernels,
    distance: Kernels,
    pub(super) together: Together,
}

impl Path {
    /// Runs everywhere.
    pub(super) const PORTABLE: Self = Self {
        name: "portable",
        contact: portable::<_, true>(),
        distance: portable::<_, false>(),
        together: Together {
            relate: relate::<Portable>,
            related: portable::<_, true>(),
            meeting: decide::<PortableDoubles>,
        },
    };

    /// The fastest that this CPU has; or the one that the environment variable `NEARHIT_PATH`
    /// names, if this CPU has it: answers are the same on all.
    #[inline]
    pub(super) fn chosen() -> &'static Self {
        static CHOSEN: LazyLock<Path> = LazyLock::new(|| {
            let mut paths = Path::all();
            let named =
                std::env::var("NEARHIT_PATH").ok().and_then(|name| paths.iter().position(|path| path.name == name));
            paths.truncate(named.map_or(paths.len(), |at| at + 1));
            paths.pop().unwrap_or(Path::PORTABLE)
        });
        &CHOSEN
    }

    /// All that this CPU has, the fastest last.
    pub(super) fn all() -> Vec<Self> {
        #[cfg(not(target_arch = "x86_64"))]
        return vec![Self::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            let mut paths = vec![Self::PORTABLE];
            if Avx2::is_available() {
                paths.push(avx2::path());
            }
            if Avx2::is_available() && has_avx512() {
                paths.push(avx512::path());
            }
            paths
        }
    }

    /// Then the CPU has AVX2 and FMA: without them there is only the portable path.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn is_portable(&self) -> bool {
        self.name == Self::PORTABLE.name
    }

    #[inline]
    pub(super) fn kernels(&self, only_contact: bool) -> &Kernels {
        if only_contact { &self.contact } else { &self.distance }
    }
}

/// What [`avx512`] is compiled for, beside AVX2.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bw")
}

const fn portable<R: Lie, const CONTACT: bool>() -> Sifters<R> {
    Sifters {
        both: both::<Portable, R, CONTACT>,
        first: first::<Portable, R, CONTACT>,
        second: second::<Portable, R, CONTACT>,
        leaves: sift::<Portable, R, CONTACT>,
    }
}

#[inline(always)]
fn both<S: Simd, R: Lie, const CONTACT: bool>(
    nodes: (&WideNode, &WideNode),
    lie: &R,
    limit: f32,
    found: &mut LanePairs,
) {
    open::both::<S, CONTACT>(nodes, &lie.facing::<S>(&nodes.0.frame, &nodes.1.frame), limit, found);
}

#[inline(always)]
fn first<S: Simd, R: Lie, const CONTACT: bool>(
    nodes: (&WideNode, &WideNode),
    lane: usize,
    lie: &R,
    limit: f32,
    found: &mut LanePairs,
) {
    open::first::<S, CONTACT>(nodes, lane, &lie.facing::<S>(&nodes.0.frame, &nodes.1.frame), limit, found);
}

#[inline(always)]
fn second<S: Simd, R: Lie, const CONTACT: bool>(
    nodes: (&WideNode, &WideNode),
    lane: usize,
    lie: &R,
    limit: f32,
    found: &mut LanePairs,
) {
    open::second::<S, CONTACT>(nodes, lane, &lie.facing::<S>(&nodes.0.frame, &nodes.1.frame), limit, found);
}

#[inline(always)]
fn sift<S: Simd, R: Lie, const CONTACT: bool>(pair: (&Leaf, &Leaf), lie: &R, limit: f32, found: &mut LanePairs) {
    leaves::sift::<S, CONTACT>(pair, &lie.facing::<S>(&pair.0.frame, &pair.1.frame), limit, found);
}

/// The same kernels, compiled for a CPU with certain features.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_for {
    ($module:ident, $name:literal, $features:literal) => {
        /// The unsafe calls stand on the detection in [`Path::all`], without which none of these
        /// functions can be reached.
        #[allow(unsafe_code)]
        mod $module {
            use super::super::lanes::Avx2;
            use super::{
                Between, Decided, Four, Frames, LanePairs, Leaf, Lie, Path, Relations, Sifters, Together, WideNode,
            };
            use crate::primitive::doubles::Avx;

            pub(super) const fn path() -> Path {
                Path {
                    name: $name,
                    contact: sifters::<_, true>(),
                    distance: sifters::<_, false>(),
                    together: Together { relate, related: sifters::<_, true>(), meeting },
                }
            }

            const fn sifters<R: Lie, const CONTACT: bool>() -> Sifters<R> {
                Sifters {
                    both: both::<R, CONTACT>,
                    first: first::<R, CONTACT>,
                    second: second::<R, CONTACT>,
                    leaves: sift::<R, CONTACT>,
                }
            }

            fn both<R: Lie, const CONTACT: bool>(
                nodes: (&WideNode, &WideNode),
                lie: &R,
                limit: f32,
                found: &mut LanePairs,
            ) {
                #[target_feature(enable = $features)]
                fn wide<R: Lie, const C: bool>(
                    nodes: (&WideNode, &WideNode),
                    lie: &R,
                    limit: f32,
                    found: &mut LanePairs,
                ) {
                    super::both::<Avx2, R, C>(nodes, lie, limit, found);
                }
                // SAFETY: see the module.
                unsafe { wide::<R, CONTACT>(nodes, lie, limit, found) }
            }

            fn first<R: Lie, const CONTACT: bool>(
                nodes: (&WideNode, &WideNode),
                lane: usize,
                lie: &R,
                limit: f32,
                found: &mut LanePairs,
            ) {
                #[target_feature(enable = $features)]
                fn wide<R: Lie, const C: bool>(
                    nodes: (&WideNode, &WideNode),
                    lane: usize,
                    lie: &R,
                    limit: f32,
                    found: &mut LanePairs,
                ) {
                    super::first::<Avx2, R, C>(nodes, lane, lie, limit, found);
                }
                // SAFETY: see the module.
                unsafe { wide::<R, CONTACT>(nodes, lane, lie, limit, found) }
            }

            fn second<R: Lie, const CONTACT: bool>(
                nodes: (&WideNode, &WideNode),
                lane: usize,
                lie: &R,
                limit: f32,
                found: &mut LanePairs,
            ) {
                #[target_feature(enable = $features)]
                fn wide<R: Lie, const C: bool>(
                    nodes: (&WideNode, &WideNode),
                    lane: usize,
                    lie: &R,
                    limit: f32,
                    found: &mut LanePairs,
                ) {
                    super::second::<Avx2, R, C>(nodes, lane, lie, limit, found);
                }
                // SAFETY: see the module.
                unsafe { wide::<R, CONTACT>(nodes, lane, lie, limit, found) }
            }

            fn sift<R: Lie, const CONTACT: bool>(pair: (&Leaf, &Leaf), lie: &R, limit: f32, found: &mut LanePairs) {
                #[target_feature(enable = $features)]
                fn wide<R: Lie, const C: bool>(pair: (&Leaf, &Leaf), lie: &R, limit: f32, found: &mut LanePairs) {
                    super::sift::<Avx2, R, C>(pair, lie, limit, found);
                }
                // SAFETY: see the module.
                unsafe { wide::<R, CONTACT>(pair, lie, limit, found) }
            }

            fn relate(frames: &Frames<'_>, between: &Between, limit: f32, relations: &mut Relations) -> u32 {
                #[target_feature(enable = $features)]
                fn wide(frames: &Frames<'_>, between: &Between, limit: f32, relations: &mut Relations) -> u32 {
                    super::relate::<Avx2>(frames, between, limit, relations)
                }
                // SAFETY: see the module.
                unsafe { wide(frames, between, limit, relations) }
            }

            fn meeting(four: &Four) -> Decided {
                #[target_feature(enable = $features)]
                fn wide(four: &Four) -> Decided {
                    super::decide::<Avx>(four)
                }
                // SAFETY: see the module.
                unsafe { wide(four) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled_for!(avx2, "avx2", "avx2,fma");
// The same registers, 32 of them, and numbers of memory taken into every lane by the instruction
// that needs them.
#[cfg(target_arch = "x86_64")]
compiled_for!(avx512, "avx512", "avx2,fma,avx512f,avx512vl,avx512dq,avx512bw");
