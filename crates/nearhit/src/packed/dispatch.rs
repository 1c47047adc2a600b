//! Runs a kernel on the fastest path that the CPU has.

use super::lanes::{Portable, Simd};

/// Work that is written once for every path. `run` must be `#[inline(always)]`, or it is not compiled for the CPU of the path.
pub(super) trait Kernel {
    type Output;
    fn run<S: Simd>(self) -> Self::Output;
}

#[inline]
pub(super) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if super::lanes::Avx2::is_available() {
        #[target_feature(enable = "avx2,fma")]
        fn wide<K: Kernel>(kernel: K) -> K::Output {
            kernel.run::<super::lanes::Avx2>()
        }
        // SAFETY: the CPU has just been asked for both features.
        #[allow(unsafe_code)]
        return unsafe { wide(kernel) };
    }
    kernel.run::<Portable>()
}
