//! Four double-precision numbers at once: arrays that run everywhere, or one register. Without
//! fused operations, so that both compute the same numbers.

/// Arithmetic on four numbers.
pub(crate) trait Doubles: Copy {
    fn splat(value: f64) -> Self;
    fn load(numbers: &[f64; 4]) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// One bit for each number greater than `other`'s; none where either is not a number.
    fn above(self, other: Self) -> u32;
    /// One bit for each number with a negative sign.
    fn negative(self) -> u32;
    /// Numbers with a negative sign where the signs differ.
    fn sign_differs(self, other: Self) -> Self;
    /// `then` where the sign is negative, `otherwise` in the rest.
    fn choose(self, then: Self, otherwise: Self) -> Self;
}

/// Arrays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PortableDoubles([f64; 4]);

impl PortableDoubles {
    #[inline(always)]
    fn each(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut result = [0.0; 4];
        for at in 0..4 {
            result[at] = f(self.0[at], other.0[at]);
        }
        Self(result)
    }
}

impl Doubles for PortableDoubles {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; 4])
    }
    #[inline(always)]
    fn load(numbers: &[f64; 4]) -> Self {
        Self(*numbers)
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
    fn abs(self) -> Self {
        self.each(self, |x, _| x.abs())
    }
    #[inline(always)]
    fn above(self, other: Self) -> u32 {
        let mut mask = 0;
        for at in 0..4 {
            mask |= u32::from(self.0[at] > other.0[at]) << at;
        }
        mask
    }
    #[inline(always)]
    fn negative(self) -> u32 {
        let mut mask = 0;
        for at in 0..4 {
            mask |= u32::from(self.0[at].is_sign_negative()) << at;
        }
        mask
    }
    #[inline(always)]
    fn sign_differs(self, other: Self) -> Self {
        self.each(other, |x, y| f64::from_bits(x.to_bits() ^ y.to_bits()))
    }
    #[inline(always)]
    fn choose(self, then: Self, otherwise: Self) -> Self {
        let mut result = otherwise.0;
        for at in 0..4 {
            if self.0[at].is_sign_negative() {
                result[at] = then.0[at];
            }
        }
        Self(result)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx::Avx;

/// The register path.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx {
    use super::Doubles;
    use std::arch::x86_64::*;

    /// One register. Used only in code reached after AVX2 was detected; every `unsafe` below stands
    /// on that, and none touches memory but through references.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Avx(__m256d);

    impl Doubles for Avx {
        #[inline(always)]
        fn splat(value: f64) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_set1_pd(value) })
        }
        #[inline(always)]
        fn load(numbers: &[f64; 4]) -> Self {
            // SAFETY: see the type; the reference is valid for four doubles.
            Self(unsafe { _mm256_loadu_pd(numbers.as_ptr()) })
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_add_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_sub_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_mul_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
        }
        #[inline(always)]
        fn above(self, other: Self) -> u32 {
            // SAFETY: see the type.
            unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0)) as u32 }
        }
        #[inline(always)]
        fn negative(self) -> u32 {
            // SAFETY: see the type.
            unsafe { _mm256_movemask_pd(self.0) as u32 }
        }
        #[inline(always)]
        fn sign_differs(self, other: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_xor_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn choose(self, then: Self, otherwise: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm256_blendv_pd(otherwise.0, then.0, self.0) })
        }
    }
}
