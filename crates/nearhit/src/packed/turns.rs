//! Sums of angles by one arctangent: the argument of a product of complex numbers is the sum of
//! their arguments, but for whole turns, which are counted.
//!
//! Angles are in (-π, π], above or below the real axis. Two that are above it add up to at most 2π:
//! they have passed π when their product is below it, and at 2π itself it is one with real part
//! above zero. Two that are below likewise, the other way round; one of each cannot pass. Where the
//! product is within rounding of the negative axis either side is right: the argument jumps by just
//! what the count does. Elsewhere both terms of the imaginary part have the sign that it must have.
//!
//! Rounding: a product is off by √5 units of 2⁻⁵³, relative to its length, and scaling by one more;
//! the sum of n angles by less than 4n of them.

use std::f64::consts::TAU;

/// A sum of some hundred angles: the product shrinks with each, to 1/√2 at most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Turns {
    re: f64,
    im: f64,
    /// Whole turns beside the angle of `re + i im`.
    rounds: f64,
}

impl Turns {
    /// No angle.
    pub(crate) const NONE: Self = Self { re: 1.0, im: 0.0, rounds: 0.0 };

    /// Adds the angle of `re + i im`; none of zero, nor of what is not a number.
    #[inline]
    pub(crate) fn add(&mut self, re: f64, im: f64) {
        let size = re.abs() + im.abs();
        if !(size > 0.0 && size < f64::INFINITY) {
            return;
        }
        let (re, im) = (re / size, im / size);
        let (x, y) = (self.re * re - self.im * im, self.re * im + self.im * re);
        let (is_up, is_down) = (self.im >= 0.0 && im >= 0.0, self.im < 0.0 && im < 0.0);
        if is_up && (y < 0.0 || (y == 0.0 && x > 0.0 && re < 0.0)) {
            self.rounds += 1.0;
        } else if is_down && y >= 0.0 {
            self.rounds -= 1.0;
        }
        (self.re, self.im) = (x, y);
    }

    /// The sum, in whole turns.
    #[inline]
    pub(crate) fn value(&self) -> f64 {
        // Adding zero: a negative zero is an angle of zero or π.
        self.rounds + (self.im + 0.0).atan2(self.re) / TAU
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;
    use nearhit_testkit::rng::Rng;
    use std::f64::consts::{PI, TAU};

    fn sum(angles: &[(f64, f64)]) -> (f64, f64) {
        let mut turns = Turns::NONE;
        angles.iter().for_each(|&(re, im)| turns.add(re, im));
        (turns.value(), angles.iter().map(|&(re, im)| im.atan2(re)).sum::<f64>() / TAU)
    }

    /// Against a sum of arctangents: any angles, small ones, and those near the axes, at any size.
    #[test]
    fn a_product_is_a_sum_of_angles() {
        let mut rng = Rng::new(21);
        let (mut wound, mut edges) = (0, 0);
        for _ in 0..20_000 {
            let count = 1 + rng.below(12);
            let angles: Vec<(f64, f64)> = (0..count)
                .map(|_| {
                    let near = *rng.choice(&[-PI, -0.5 * PI, 0.0, 0.5 * PI, PI]);
                    let angle = match rng.below(3) {
                        0 => rng.range(-PI, PI),
                        1 => near + rng.range(-1e-9, 1e-9),
                        _ => near,
                    };
                    let size = 10_f64.powi(rng.integer(-300, 300) as i32);
                    edges += usize::from((angle - near).abs() < 1e-6);
                    (size * angle.cos(), size * angle.sin())
                })
                .collect();
            let (found, expected) = sum(&angles);
            assert!((found - expected).abs() < 1e-12, "{angles:?}: {found} {expected}");
            wound += usize::from(expected.abs() > 1.5);
        }
        assert!(wound > 1_000 && edges > 10_000, "{wound} {edges}");
    }

    #[test]
    fn edges_of_the_half_planes() {
        for (angles, expected) in [
            (&[(-1.0, 0.0), (-1.0, 0.0)][..], 1.0),
            (&[(-1.0, 0.0), (-1.0, 0.0), (-1.0, 0.0)], 1.5),
            (&[(0.0, 1.0), (0.0, 1.0)], 0.5),
            (&[(0.0, -1.0), (0.0, -1.0)], -0.5),
            (&[(-1.0, -1e-300), (-1.0, -1e-300)], -1.0),
            (&[(1.0, -1e-300), (1.0, -1e-300)], 0.0),
            (&[(0.0, 0.0), (f64::NAN, 1.0), (1.0, 0.0)], 0.0),
        ] {
            let (found, _) = sum(angles);
            assert!((found - expected).abs() < 1e-15, "{angles:?}: {found}");
        }
        assert!((sum(&[(-1.0, 1.0); 512]).0 - 0.375 * 512.0).abs() < 1e-11);
    }
}
