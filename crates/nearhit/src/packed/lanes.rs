//! Eight single-precision numbers at once.
//!
//! One trait, two implementations: [`Portable`], plain arrays that run everywhere (and that the
//! compiler turns into SSE2 on any x86-64), and [`Avx2`], one register. Kernels are written once
//! against the trait. The paths differ in rounding only (fused multiply-add), which the slack of
//! [`super::relation`] covers; they are compared lane by lane in the tests.

use super::node::Frame;
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
    /// Lane i of row j becomes lane j of row i.
    fn transposed(rows: &[Self; WIDTH]) -> [Self; WIDTH];
    /// The first eight numbers of a frame, and the last eight: one is in both.
    fn of_frame(frame: &Frame) -> [Self; 2];
    /// As [`Quad::offset`], of a pair of origins in each lane.
    fn offset(columns: &[[f64; 4]; 4], from: &[Self; 3], to: &[Self; 3]) -> [Self; 3];
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
    fn transposed(rows: &[Self; WIDTH]) -> [Self; WIDTH] {
        let mut columns = [Self([0.0; WIDTH]); WIDTH];
        for row in 0..WIDTH {
            for lane in 0..WIDTH {
                columns[lane].0[row] = rows[row].0[lane];
            }
        }
        columns
    }
    #[inline(always)]
    fn of_frame(frame: &Frame) -> [Self; 2] {
        let ([[a, b, c], [d, e, f], [g, h, i]], [x, y, z], [u, v, w]) = (frame.axes, frame.origin, frame.half);
        [Self([a, b, c, d, e, f, g, h]), Self([h, i, x, y, z, u, v, w])]
    }
    #[inline(always)]
    fn offset(columns: &[[f64; 4]; 4], from: &[Self; 3], to: &[Self; 3]) -> [Self; 3] {
        let mut offset = [Self([0.0; WIDTH]); 3];
        for lane in 0..WIDTH {
            let from = [from[0].0[lane], from[1].0[lane], from[2].0[lane]];
            let to = [to[0].0[lane], to[1].0[lane], to[2].0[lane]];
            let one = PortableQuad::offset(columns, &from, &to).store();
            for axis in 0..3 {
                offset[axis].0[lane] = one[axis];
            }
        }
        offset
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
    use super::super::node::Frame;
    use super::super::quad::Sse;
    use super::{Lanes, Places, Simd, WIDTH};
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
        fn transposed(rows: &[Self; WIDTH]) -> [Self; WIDTH] {
            let [a, b, c, d, e, f, g, h] = *rows;
            // SAFETY: see the type.
            unsafe {
                // Lanes 0 and 4, or 1 and 5, of two rows; then of four.
                let (ab, cd) = (_mm256_unpacklo_ps(a.0, b.0), _mm256_unpacklo_ps(c.0, d.0));
                let (ef, gh) = (_mm256_unpacklo_ps(e.0, f.0), _mm256_unpacklo_ps(g.0, h.0));
                let (high_ab, high_cd) = (_mm256_unpackhi_ps(a.0, b.0), _mm256_unpackhi_ps(c.0, d.0));
                let (high_ef, high_gh) = (_mm256_unpackhi_ps(e.0, f.0), _mm256_unpackhi_ps(g.0, h.0));
                let (p0, q0) = (_mm256_shuffle_ps::<0x44>(ab, cd), _mm256_shuffle_ps::<0x44>(ef, gh));
                let (p1, q1) = (_mm256_shuffle_ps::<0xee>(ab, cd), _mm256_shuffle_ps::<0xee>(ef, gh));
                let (p2, q2) =
                    (_mm256_shuffle_ps::<0x44>(high_ab, high_cd), _mm256_shuffle_ps::<0x44>(high_ef, high_gh));
                let (p3, q3) =
                    (_mm256_shuffle_ps::<0xee>(high_ab, high_cd), _mm256_shuffle_ps::<0xee>(high_ef, high_gh));
                [
                    Self(_mm256_permute2f128_ps::<0x20>(p0, q0)),
                    Self(_mm256_permute2f128_ps::<0x20>(p1, q1)),
                    Self(_mm256_permute2f128_ps::<0x20>(p2, q2)),
                    Self(_mm256_permute2f128_ps::<0x20>(p3, q3)),
                    Self(_mm256_permute2f128_ps::<0x31>(p0, q0)),
                    Self(_mm256_permute2f128_ps::<0x31>(p1, q1)),
                    Self(_mm256_permute2f128_ps::<0x31>(p2, q2)),
                    Self(_mm256_permute2f128_ps::<0x31>(p3, q3)),
                ]
            }
        }
        #[inline(always)]
        fn of_frame(frame: &Frame) -> [Self; 2] {
            let numbers = std::ptr::from_ref(frame).cast::<f32>();
            // SAFETY: see the type; a frame is fifteen floats in order, from which eight are loaded at
            // the first and at the eighth.
            unsafe { [Self(_mm256_loadu_ps(numbers)), Self(_mm256_loadu_ps(numbers.add(7)))] }
        }
        #[inline(always)]
        fn offset(columns: &[[f64; 4]; 4], from: &[Self; 3], to: &[Self; 3]) -> [Self; 3] {
            let (from_low, to_low) = (low(from), low(to));
            let (from_high, to_high) = (high(from), high(to));
            [
                joined(offset(columns, 0, from_low, to_low[0]), offset(columns, 0, from_high, to_high[0])),
                joined(offset(columns, 1, from_low, to_low[1]), offset(columns, 1, from_high, to_high[1])),
                joined(offset(columns, 2, from_low, to_low[2]), offset(columns, 2, from_high, to_high[2])),
            ]
        }
        #[inline(always)]
        fn below(self, other: Self) -> u32 {
            // SAFETY: see the type.
            unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_NGE_UQ>(self.0, other.0)) as u32 }
        }
    }

    /// The first four lanes, in double precision.
    #[inline(always)]
    fn low([x, y, z]: &[Avx2; 3]) -> [__m256d; 3] {
        // SAFETY: see the type.
        unsafe {
            [
                _mm256_cvtps_pd(_mm256_castps256_ps128(x.0)),
                _mm256_cvtps_pd(_mm256_castps256_ps128(y.0)),
                _mm256_cvtps_pd(_mm256_castps256_ps128(z.0)),
            ]
        }
    }

    /// The last four.
    #[inline(always)]
    fn high([x, y, z]: &[Avx2; 3]) -> [__m256d; 3] {
        // SAFETY: see the type.
        unsafe {
            [
                _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(x.0)),
                _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(y.0)),
                _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(z.0)),
            ]
        }
    }

    #[inline(always)]
    fn joined(low: __m128, high: __m128) -> Avx2 {
        // SAFETY: see the type.
        Avx2(unsafe { _mm256_set_m128(high, low) })
    }

    /// One coordinate of four offsets.
    #[inline(always)]
    fn offset([u, v, w, shift]: &[[f64; 4]; 4], axis: usize, [x, y, z]: [__m256d; 3], to: __m256d) -> __m128 {
        // SAFETY: see the type.
        unsafe {
            let start = _mm256_sub_pd(_mm256_set1_pd(shift[axis]), to);
            let from_x = _mm256_fmadd_pd(_mm256_set1_pd(u[axis]), x, start);
            let from_y = _mm256_fmadd_pd(_mm256_set1_pd(v[axis]), y, from_x);
            _mm256_cvtpd_ps(_mm256_fmadd_pd(_mm256_set1_pd(w[axis]), z, from_y))
        }
    }
}
