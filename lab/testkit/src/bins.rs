//! Balls in bins, counted exactly: the probability behind average-case collision detection (Klein
//! and Zachmann 2003, Definition 6).

use dashu_int::UBig;

/// Counts for up to so many bins.
#[derive(Debug)]
pub struct Bins {
    /// `binomials[n][k]`, by Pascal's rule.
    binomials: Vec<Vec<UBig>>,
}

/// A probability as a ratio of counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ratio {
    /// Ways in which it happens.
    pub favourable: UBig,
    /// All ways.
    pub all: UBig,
}

impl Bins {
    /// For up to `most` bins.
    pub fn new(most: usize) -> Bins {
        let mut binomials = vec![vec![UBig::ONE]];
        for n in 1..=most {
            let last: &Vec<UBig> = &binomials[n - 1];
            let inner = last.windows(2).map(|pair| &pair[0] + &pair[1]);
            binomials.push([UBig::ONE].into_iter().chain(inner).chain([UBig::ONE]).collect());
        }
        Bins { binomials }
    }

    /// Of `bins` bins, `blue` get a blue ball and `red` a red one, each colour in all ways alike.
    /// The probabilities that at least 0, 1, … up to `most` bins get both.
    pub fn tails(&self, most: usize, bins: usize, blue: usize, red: usize) -> Vec<Ratio> {
        let all = self.choose(bins, blue);
        let mut favourable = all.clone();
        let mut tails = Vec::new();
        for shared in 0..=most {
            tails.push(Ratio { favourable: favourable.clone(), all: all.clone() });
            if shared <= blue {
                favourable -= self.choose(red, shared) * self.choose(bins - red, blue - shared);
            }
        }
        tails
    }

    fn choose(&self, n: usize, k: usize) -> UBig {
        self.binomials[n].get(k).cloned().unwrap_or(UBig::ZERO)
    }
}

impl Ratio {
    /// Is `value`, which must be from 0 to 1, within `tolerance` of the ratio? Decided to 2⁻⁸⁰.
    pub fn is_near(&self, value: f64, tolerance: f64) -> bool {
        let unit = 2f64.powi(80);
        let scaled = u128::try_from((self.favourable.clone() << 80) / &self.all).unwrap_or(u128::MAX);
        (0.0..=1.0).contains(&value)
            && (value * unit) as u128 >= scaled.saturating_sub((tolerance * unit) as u128)
            && (value * unit) as u128 <= scaled + (tolerance * unit) as u128 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to throw the balls, one by one.
    #[test]
    fn counts_what_enumeration_counts() {
        let counts = Bins::new(8);
        for bins in 0_usize..8 {
            let throws: Vec<u32> = (0..1_u32 << bins).collect();
            for blue in 0..=bins {
                for red in 0..=bins {
                    let red_throw = (1_u32 << red) - 1;
                    let blues = || throws.iter().filter(|throw| throw.count_ones() as usize == blue);
                    for (least, tail) in counts.tails(bins, bins, blue, red).into_iter().enumerate() {
                        let shared = blues().filter(|&throw| (throw & red_throw).count_ones() as usize >= least);
                        assert_eq!(tail.favourable, UBig::from(shared.count()));
                        assert_eq!(tail.all, UBig::from(blues().count()));
                    }
                }
            }
        }
    }

    #[test]
    fn nearness_is_two_sided() {
        let third = Ratio { favourable: UBig::ONE, all: UBig::from(3_u8) };
        assert!(third.is_near(1.0 / 3.0, 1e-16));
        assert!(!third.is_near(1.0 / 3.0 + 1e-12, 1e-13) && !third.is_near(1.0 / 3.0 - 1e-12, 1e-13));
        assert!(!third.is_near(-0.1, 1.0) && !third.is_near(f64::NAN, 1.0));
    }
}
