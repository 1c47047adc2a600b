//! Eight single-precision numbers at once.
//!
//! One trait, two implementations: [`Portable`], plain arrays that run everywhere (and that the
//! compiler turns into SSE2 on any x86-64), and [`Avx2`], one register. Kernels are written once
//! against the trait. The paths differ in rounding only (fused multiply-add), which the slack of
//! [`super::relation`] covers; they are compared lane by lane in the tests.

use super::quad::{PortableQuad, Quad};

pub(super) const WIDTH: usize = 8;

/// Eight numbers as they are stored.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Lanes(pub(super) [f32; WIDTH]);

/// Arithmetic on eight numbers.
pub(super) trait Simd: Copy {
    /// For one vector at a time, on the same path.
    type Quad: Quad;
    fn splat(value: f32) -> Self;
    fn load(lanes: &Lanes) -> Self;
    fn store(self) -> Lanes;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// `self · factor + term`, rounded once or twice.
    fn mul_add(self, factor: Self, term: Self) -> Self;
    fn abs(self) -> Self;
    /// The larger; `other` where `self` is not a number.
    fn max(self, other: Self) -> Self;
    /// The smaller; `other` where `self` is not a number.
    fn min(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    /// One bit for each lane that is less than `other`'s, or where either is not a number: a bound
    /// that is none culls nothing.
    fn below(self, other: Self) -> u32;
    /// `then` in the lanes that are less than `other`'s, `otherwise` in the rest.
    fn choose(self, other: Self, then: Self, otherwise: Self) -> Self;
    /// The smallest of the eight.
    fn smallest(self) -> f32;
    /// The largest of the eight.
    fn largest(self) -> f32;
    /// In each lane the number of the lane given, of which the last three bits count.
    fn permute(self, lanes: &Places) -> Self;
}

/// Eight numbers of lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Places(pub(super) [u32; WIDTH]);

/// Arrays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portable([f32; WIDTH]);

impl Portable {
    #[inline(always)]
    fn each(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut result = [0.0; WIDTH];
        for lane in 0..WIDTH {
            result[lane] = f(self.0[lane], other.0[lane]);
        }
        Self(result)
    }
}

impl Simd for Portable {
    type Quad = PortableQuad;
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; WIDTH])
    }
    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        Self(lanes.0)
    }
    #[inline(always)]
    fn store(self) -> Lanes {
        Lanes(self.0)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.each(other, |x, y| x + y)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.each(other, |x, y| x - y)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.each(other, |x, y| x * y)
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // Without hardware a fused operation is a library call.
        self.mul(factor).add(term)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.each(self, |x, _| x.abs())
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.each(other, |x, y| if x > y { x } else { y })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.each(other, |x, y| if x < y { x } else { y })
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.each(other, |x, y| x / y)
    }
    #[inline(always)]
    fn choose(self, other: Self, then: Self, otherwise: Self) -> Self {
        let mut result = otherwise.0;
        for lane in 0..WIDTH {
            if self.0[lane] < other.0[lane] {
                result[lane] = then.0[lane];
            }
        }
        Self(result)
    }
    #[inline(always)]
    fn smallest(self) -> f32 {
        let mut least = self.0[0];
        for lane in 1..WIDTH {
            least = if self.0[lane] < least { self.0[lane] } else { least };
        }
        least
    }
    #[inline(always)]
    fn largest(self) -> f32 {
        let mut most = self.0[0];
        for lane in 1..WIDTH {
            most = if self.0[lane] > most { self.0[lane] } else { most };
        }
        most
    }
    #[inline(always)]
    fn permute(self, lanes: &Places) -> Self {
        let mut result = [0.0; WIDTH];
        for lane in 0..WIDTH {
            result[lane] = self.0[lanes.0[lane] as usize % WIDTH];
        }
        Self(result)
    }
    #[inline(always)]
    fn below(self, other: Self) -> u32 {
        let mut mask = 0;
        for lane in 0..WIDTH {
            let is_beyond = self.0[lane] >= other.0[lane];
            mask |= u32::from(!is_beyond) << lane;
        }
        mask
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;

/// The register path: unsafe because the compiler cannot know that the CPU was asked.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use super::super::quad::Sse;
    use super::{Lanes, Places, Simd};
    use std::arch::x86_64::*;

    /// One 256-bit register. Used only in code reached after AVX2 and FMA were detected
    /// ([`Avx2::is_available`]); every `unsafe` below stands on that, and none touches memory but
    /// through references.
    #[derive(Debug, Clone, Copy)]
    pub(in crate::packed) struct Avx2(__m256);

    impl Avx2 {
        /// Does this CPU have what this path needs?
        #[inline]
        pub(in crate::packed) fn is_available() -> bool {
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
        }
    }

    impl Simd for Avx2 {
        type Quad = Sse;
        #[inline(always)]
        fn splat(value: f32) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_set1_ps(value) })
        }
        #[inline(always)]
        fn load(lanes: &Lanes) -> Self {
            // SAFETY: see the type; the reference is valid for eight aligned floats.
            Self(unsafe { _mm256_load_ps(lanes.0.as_ptr()) })
        }
        #[inline(always)]
        fn store(self) -> Lanes {
            let mut lanes = Lanes([0.0; 8]);
            // SAFETY: see the type; the array is valid for eight aligned floats.
            unsafe { _mm256_store_ps(lanes.0.as_mut_ptr(), self.0) };
            lanes
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_sub_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_mul_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn mul_add(self, factor: Self, term: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
        }
        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: see the type. The instruction returns its second operand where one is not a
            // number.
            Self(unsafe { _mm256_max_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: see the type. The instruction returns its second operand where one is not a
            // number.
            Self(unsafe { _mm256_min_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn div(self, other: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_div_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn choose(self, other: Self, then: Self, otherwise: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_blendv_ps(otherwise.0, then.0, _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)) })
        }
        #[inline(always)]
        fn smallest(self) -> f32 {
            // SAFETY: see the type.
            unsafe {
                let four = _mm_min_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
                let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps::<1>(two, two)))
            }
        }
        #[inline(always)]
        fn largest(self) -> f32 {
            // SAFETY: see the type.
            unsafe {
                let four = _mm_max_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
                let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps::<1>(two, two)))
            }
        }
        #[inline(always)]
        fn permute(self, lanes: &Places) -> Self {
            // SAFETY: see the type; the reference is valid for eight aligned integers.
            Self(unsafe { _mm256_permutevar8x32_ps(self.0, _mm256_load_si256(lanes.0.as_ptr().cast())) })
        }
        #[inline(always)]
        fn below(self, other: Self) -> u32 {
            // SAFETY: see the type.
            unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_NGE_UQ>(self.0, other.0)) as u32 }
        }
    }
}
