//! The kernels, compiled once for each path and kind of question, and the choice among them.
//!
//! They are functions of their own, not inlined into the descent: the descent is compiled for every
//! question, the kernels are not.

use super::lane_pairs::LanePairs;
use super::lanes::Portable;
use super::node::{Leaf, WideNode};
use super::relation::Between;
use super::{leaves, open};
use crate::primitive::doubles::PortableDoubles;
use crate::primitive::fours::{Decided, Four, decide};
use std::sync::LazyLock;

/// Sifts pairs of slots, or of triangles, by bounds below a limit: gaps, or squared distances.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kernels {
    /// All slots of both nodes.
    pub(super) both: fn((&WideNode, &WideNode), &Between, f32, &mut LanePairs),
    /// All slots of the first, one of the second.
    pub(super) first: fn((&WideNode, &WideNode), usize, &Between, f32, &mut LanePairs),
    /// One slot of the first, all of the second.
    pub(super) second: fn((&WideNode, &WideNode), usize, &Between, f32, &mut LanePairs),
    /// All triangles of both leaves.
    pub(super) leaves: fn((&Leaf, &Leaf), &Between, f32, &mut LanePairs),
    /// Four pairs of triangles that were left.
    pub(super) meeting: fn(&Four) -> Decided,
}

/// For questions of contact, and of distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Path {
    pub(super) name: &'static str,
    contact: Kernels,
    distance: Kernels,
}

impl Path {
    /// Runs everywhere.
    pub(super) const PORTABLE: Self =
        Self { name: "portable", contact: portable::<true>(), distance: portable::<false>() };

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
        #[cfg(target_arch = "x86_64")]
        let faster = avx2::path();
        #[cfg(not(target_arch = "x86_64"))]
        let faster = None;
        std::iter::once(Self::PORTABLE).chain(faster).collect()
    }

    /// Then the CPU has AVX2 and FMA: without them there is no such path.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn is_avx2(&self) -> bool {
        self.name == avx2::NAME
    }

    #[inline]
    pub(super) fn kernels(&self, only_contact: bool) -> &Kernels {
        if only_contact { &self.contact } else { &self.distance }
    }
}

const fn portable<const CONTACT: bool>() -> Kernels {
    Kernels {
        both: open::both::<Portable, CONTACT>,
        first: open::first::<Portable, CONTACT>,
        second: open::second::<Portable, CONTACT>,
        leaves: leaves::sift::<Portable, CONTACT>,
        meeting: decide::<PortableDoubles>,
    }
}

/// The same kernels, compiled for AVX2 and FMA. The unsafe calls stand on the detection in
/// [`avx2::path`], without which none of these functions can be reached.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use super::super::lanes::Avx2;
    use super::{Between, Decided, Four, Kernels, LanePairs, Leaf, Path, WideNode, decide, leaves, open};
    use crate::primitive::doubles::Avx;

    pub(super) const NAME: &str = "avx2";

    pub(super) fn path() -> Option<Path> {
        let path = Path { name: NAME, contact: kernels::<true>(), distance: kernels::<false>() };
        Avx2::is_available().then_some(path)
    }

    fn kernels<const CONTACT: bool>() -> Kernels {
        Kernels {
            both: both::<CONTACT>,
            first: first::<CONTACT>,
            second: second::<CONTACT>,
            leaves: sift::<CONTACT>,
            meeting,
        }
    }

    fn both<const CONTACT: bool>(nodes: (&WideNode, &WideNode), between: &Between, limit: f32, found: &mut LanePairs) {
        #[target_feature(enable = "avx2,fma")]
        fn wide<const C: bool>(nodes: (&WideNode, &WideNode), between: &Between, limit: f32, found: &mut LanePairs) {
            open::both::<Avx2, C>(nodes, between, limit, found);
        }
        // SAFETY: see the module.
        unsafe { wide::<CONTACT>(nodes, between, limit, found) }
    }

    fn first<const CONTACT: bool>(
        nodes: (&WideNode, &WideNode),
        lane: usize,
        between: &Between,
        limit: f32,
        found: &mut LanePairs,
    ) {
        #[target_feature(enable = "avx2,fma")]
        fn wide<const C: bool>(
            nodes: (&WideNode, &WideNode),
            lane: usize,
            between: &Between,
            limit: f32,
            found: &mut LanePairs,
        ) {
            open::first::<Avx2, C>(nodes, lane, between, limit, found);
        }
        // SAFETY: see the module.
        unsafe { wide::<CONTACT>(nodes, lane, between, limit, found) }
    }

    fn second<const CONTACT: bool>(
        nodes: (&WideNode, &WideNode),
        lane: usize,
        between: &Between,
        limit: f32,
        found: &mut LanePairs,
    ) {
        #[target_feature(enable = "avx2,fma")]
        fn wide<const C: bool>(
            nodes: (&WideNode, &WideNode),
            lane: usize,
            between: &Between,
            limit: f32,
            found: &mut LanePairs,
        ) {
            open::second::<Avx2, C>(nodes, lane, between, limit, found);
        }
        // SAFETY: see the module.
        unsafe { wide::<CONTACT>(nodes, lane, between, limit, found) }
    }

    fn sift<const CONTACT: bool>(pair: (&Leaf, &Leaf), between: &Between, limit: f32, found: &mut LanePairs) {
        #[target_feature(enable = "avx2,fma")]
        fn wide<const C: bool>(pair: (&Leaf, &Leaf), between: &Between, limit: f32, found: &mut LanePairs) {
            leaves::sift::<Avx2, C>(pair, between, limit, found);
        }
        // SAFETY: see the module.
        unsafe { wide::<CONTACT>(pair, between, limit, found) }
    }

    fn meeting(four: &Four) -> Decided {
        #[target_feature(enable = "avx2,fma")]
        fn wide(four: &Four) -> Decided {
            decide::<Avx>(four)
        }
        // SAFETY: see the module.
        unsafe { wide(four) }
    }
}
