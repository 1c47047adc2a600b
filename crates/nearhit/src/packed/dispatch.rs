//! Runs a kernel that no table has ([`super::kernels`]) on the path chosen for the CPU.

#[cfg(target_arch = "x86_64")]
use super::kernels::Path;
use super::lanes::{Portable, Simd};

/// Work that is written once for every path. `run` must be `#[inline(always)]`, or it is not
/// compiled for the CPU of the path.
pub(super) trait Kernel {
    type Output;
    fn run<S: Simd>(self) -> Self::Output;
}

#[inline]
pub(super) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if !Path::chosen().is_portable() {
        #[target_feature(enable = "avx2,fma")]
        fn wide<K: Kernel>(kernel: K) -> K::Output {
            kernel.run::<super::lanes::Avx2>()
        }
        // SAFETY: every path but the portable one is only chosen on a CPU that has both features.
        #[allow(unsafe_code)]
        return unsafe { wide(kernel) };
    }
    kernel.run::<Portable>()
}
