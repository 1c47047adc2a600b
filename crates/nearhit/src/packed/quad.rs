//! Four single-precision numbers at once: a vector of three dimensions, with one number to spare.
//!
//! Two frames are related by products of three matrices. Written with numbers those take several
//! hundred instructions, more than the eight boxes they are made for; row by row they take some
//! seventy. As with [`super::lanes::Simd`] there is one trait and a type for each path.

/// A matrix of three rows; the fourth column is anything.
pub(super) type Rows<Q> = [Q; 3];

/// Arithmetic on three numbers. The fourth is never looked at.
pub(super) trait Quad: Copy {
    fn splat(value: f32) -> Self;
    fn load(vector: &[f32; 3]) -> Self;
    fn store(self) -> [f32; 3];
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// `self · factor + term`, rounded once or twice.
    fn mul_add(self, factor: Self, term: Self) -> Self;
    fn abs(self) -> Self;
    fn max(self, other: Self) -> Self;
    fn transposed(rows: &Rows<Self>) -> Rows<Self>;
    /// The difference of two origins in double precision, rounded once: the columns of a rotation
    /// and a translation applied to `from`, less `to`.
    fn offset(columns: &[[f64; 4]; 4], from: &[f32; 3], to: &[f32; 3]) -> Self;

    /// The rows times the entries of a vector, added up: the vector in the frame that has these
    /// rows for columns.
    #[inline(always)]
    fn combined(rows: &Rows<Self>, vector: &[f32; 3]) -> Self {
        let [x, y, z] = *vector;
        let from_z = rows[2].mul(Self::splat(z));
        rows[0].mul_add(Self::splat(x), rows[1].mul_add(Self::splat(y), from_z))
    }
}

/// Arrays.
#[derive(Debug, Clone, Copy)]
pub(super) struct PortableQuad([f32; 4]);

impl PortableQuad {
    #[inline(always)]
    fn each(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut result = [0.0; 4];
        for at in 0..4 {
            result[at] = f(self.0[at], other.0[at]);
        }
        Self(result)
    }
}

impl Quad for PortableQuad {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; 4])
    }
    #[inline(always)]
    fn load(&[x, y, z]: &[f32; 3]) -> Self {
        Self([x, y, z, 0.0])
    }
    #[inline(always)]
    fn store(self) -> [f32; 3] {
        [self.0[0], self.0[1], self.0[2]]
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
    fn transposed([a, b, c]: &Rows<Self>) -> Rows<Self> {
        [Self([a.0[0], b.0[0], c.0[0], 0.0]), Self([a.0[1], b.0[1], c.0[1], 0.0]), Self([a.0[2], b.0[2], c.0[2], 0.0])]
    }
    #[inline(always)]
    fn offset([u, v, w, shift]: &[[f64; 4]; 4], from: &[f32; 3], to: &[f32; 3]) -> Self {
        let (x, y, z) = (f64::from(from[0]), f64::from(from[1]), f64::from(from[2]));
        let mut offset = [0.0; 4];
        for at in 0..3 {
            offset[at] = (u[at] * x + v[at] * y + w[at] * z + shift[at] - f64::from(to[at])) as f32;
        }
        Self(offset)
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use sse::Sse;

/// The register path, reached as that of [`super::lanes`] is: after AVX2 and FMA were detected.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod sse {
    use super::{Quad, Rows};
    use std::arch::x86_64::*;

    /// Half a register. Used only in code reached after AVX2 and FMA were detected; every `unsafe`
    /// below stands on that, and none touches memory but through references.
    #[derive(Debug, Clone, Copy)]
    pub(in crate::packed) struct Sse(__m128);

    impl Quad for Sse {
        #[inline(always)]
        fn splat(value: f32) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm_set1_ps(value) })
        }
        #[inline(always)]
        fn load(&[x, y, z]: &[f32; 3]) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm_setr_ps(x, y, z, 0.0) })
        }
        #[inline(always)]
        fn store(self) -> [f32; 3] {
            let mut all = [0.0; 4];
            // SAFETY: see the type; the array is valid for four floats.
            unsafe { _mm_storeu_ps(all.as_mut_ptr(), self.0) };
            [all[0], all[1], all[2]]
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm_sub_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm_mul_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn mul_add(self, factor: Self, term: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm_fmadd_ps(self.0, factor.0, term.0) })
        }
        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm_andnot_ps(_mm_set1_ps(-0.0), self.0) })
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: see the type.
            Self(unsafe { _mm_max_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn transposed([a, b, c]: &Rows<Self>) -> Rows<Self> {
            // SAFETY: see the type.
            unsafe {
                let (low, high) = (_mm_unpacklo_ps(a.0, b.0), _mm_unpackhi_ps(a.0, b.0));
                [
                    Self(_mm_movelh_ps(low, c.0)),
                    Self(_mm_shuffle_ps::<0b01_01_11_10>(low, c.0)),
                    Self(_mm_shuffle_ps::<0b10_10_01_00>(high, c.0)),
                ]
            }
        }
        #[inline(always)]
        fn offset([u, v, w, shift]: &[[f64; 4]; 4], from: &[f32; 3], to: &[f32; 3]) -> Self {
            // SAFETY: see the type; the references are valid for four doubles each.
            unsafe {
                // Written out: a closure would not be compiled for the CPU of the path.
                let (u, v) = (_mm256_loadu_pd(u.as_ptr()), _mm256_loadu_pd(v.as_ptr()));
                let (w, shift) = (_mm256_loadu_pd(w.as_ptr()), _mm256_loadu_pd(shift.as_ptr()));
                let start = _mm256_sub_pd(shift, _mm256_cvtps_pd(Self::load(to).0));
                let from_x = _mm256_fmadd_pd(u, _mm256_set1_pd(f64::from(from[0])), start);
                let from_y = _mm256_fmadd_pd(v, _mm256_set1_pd(f64::from(from[1])), from_x);
                Self(_mm256_cvtpd_ps(_mm256_fmadd_pd(w, _mm256_set1_pd(f64::from(from[2])), from_y)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearhit_testkit::rng::Rng;

    fn every_operation<Q: Quad>() {
        let rows = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
        let quads = [Q::load(&rows[0]), Q::load(&rows[1]), Q::load(&rows[2])];
        let [x, y, z] = Q::transposed(&quads);
        assert_eq!([x.store(), y.store(), z.store()], [[1.0, 4.0, 7.0], [2.0, 5.0, 8.0], [3.0, 6.0, 9.0]]);
        assert_eq!(Q::combined(&quads, &[1.0, 10.0, 100.0]).store(), [741.0, 852.0, 963.0]);
        let (p, q) = (Q::load(&[-1.0, 2.0, -3.0]), Q::splat(0.5));
        assert_eq!(p.abs().store(), [1.0, 2.0, 3.0]);
        assert_eq!((p.add(q).store(), p.sub(q).store()), ([-0.5, 2.5, -2.5], [-1.5, 1.5, -3.5]));
        assert_eq!((p.mul(q).store(), p.max(q).store()), ([-0.5, 1.0, -1.5], [0.5, 2.0, 0.5]));
        assert_eq!(p.mul_add(q, Q::splat(1.0)).store(), [0.5, 2.0, -0.5]);
    }

    #[test]
    fn operations_are_what_they_are_called() {
        every_operation::<PortableQuad>();
        #[cfg(target_arch = "x86_64")]
        if super::super::lanes::Avx2::is_available() {
            every_operation::<Sse>();
        }
    }

    /// Origins far from the centres and near each other: single precision would lose their
    /// difference.
    fn offsets_keep_their_digits<Q: Quad>() {
        let mut rng = Rng::new(5);
        for _ in 0..100 {
            let rows = rng.rotation();
            let mut columns = [[0.0; 4]; 4];
            let from = [rng.range(-1e3, 1e3) as f32, rng.range(-1e3, 1e3) as f32, rng.range(-1e3, 1e3) as f32];
            let (to, mut expected) = ([100.5_f32, -300.25, 700.125], [0.0; 3]);
            for at in 0..3 {
                expected[at] = rng.range(-1e-3, 1e-3);
                let turned: f64 = (0..3).map(|k| rows[at][k] * f64::from(from[k])).sum();
                columns[3][at] = expected[at] + f64::from(to[at]) - turned;
                (0..3).for_each(|k| columns[k][at] = rows[at][k]);
            }
            let offset = Q::offset(&columns, &from, &to).store();
            for at in 0..3 {
                let off = (f64::from(offset[at]) - expected[at]).abs();
                assert!(off < 2e-10, "{off:e}");
            }
        }
    }

    #[test]
    fn offsets_are_rounded_once() {
        offsets_keep_their_digits::<PortableQuad>();
        #[cfg(target_arch = "x86_64")]
        if super::super::lanes::Avx2::is_available() {
            offsets_keep_their_digits::<Sse>();
        }
    }
}
