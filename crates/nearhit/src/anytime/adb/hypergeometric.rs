//! How likely are at least x cells shared? The hypergeometric tail, and what it says of a collision
//! (§3.5 of the paper).
//!
//! The paper's ten tables took 93 hours and, without its cuts, 256 MB each. Here the first ten
//! terms are made when they are asked for, from 513 factorials that the compiler makes: 8 KB,
//! nothing at start, tens of nanoseconds a call, within [`ERROR`] of the truth.

/// The most cells of a node, 8³.
pub const MOST_CELLS: u32 = 512;

/// Equation (8) looks at up to this many shared cells.
pub const MOST_SHARED: usize = 10;

/// No probability of [`at_least`] is farther from the true one.
pub const ERROR: f64 = 1e-14;

/// `n! = mantissa · 2^exponent`, with the mantissa in [1, 2).
#[derive(Debug, Clone, Copy)]
struct Factorial {
    mantissa: f64,
    exponent: i32,
}

/// From 0! to 512!, each rounded once.
static FACTORIALS: [Factorial; MOST_CELLS as usize + 1] = {
    /// Products keep this many bits: with a factor of ten bits more they still fit into a `u128`.
    const BITS: u32 = 117;
    let mut list = [Factorial { mantissa: 1.0, exponent: 0 }; MOST_CELLS as usize + 1];
    let (mut product, mut exponent) = (1_u128 << (BITS - 1), 1 - BITS as i32);
    let mut n = 1;
    while n < list.len() {
        product *= n as u128;
        let surplus = (128 - product.leading_zeros()) as i32 - BITS as i32;
        product >>= surplus;
        exponent += surplus;
        let unit = (1_u128 << (BITS - 1)) as f64;
        list[n] = Factorial { mantissa: product as f64 / unit, exponent: exponent + BITS as i32 - 1 };
        n += 1;
    }
    list
};

/// 1/n, for n from 1.
static RECIPROCALS: [f64; MOST_CELLS as usize + 2] = {
    let mut list = [0.0; MOST_CELLS as usize + 2];
    let mut n = 1;
    while n < list.len() {
        list[n] = 1.0 / n as f64;
        n += 1;
    }
    list
};

/// Pr[# filled bins ≥ x] of Definition 6: of `bins` bins, `blue` get a blue and `red` a red ball;
/// at least `x` get both. Equations (6) and (7).
///
/// # Panics
/// If there are more than [`MOST_CELLS`] bins, or more balls of a colour than bins.
#[must_use]
pub fn at_least(x: usize, bins: u32, blue: u32, red: u32) -> f64 {
    if x > blue.min(red) as usize {
        return 0.0;
    }
    let mut masses = Masses::new(bins, blue, red);
    (0..x).fold(1.0, |tail, t| tail - masses.next(t as u32)).clamp(0.0, 1.0)
}

/// Equation (8): the largest, over x up to [`MOST_SHARED`], of the probability of x shared cells
/// times that of a hit in one of them, where a shared cell holds a hit with probability `hit`.
///
/// # Panics
/// As [`at_least`].
#[must_use]
#[inline]
pub fn collision(bins: u32, blue: u32, red: u32, hit: f64) -> f64 {
    let most = (blue.min(red) as usize).min(MOST_SHARED);
    if most == 0 {
        return 0.0;
    }
    let mut masses = Masses::new(bins, blue, red);
    let (mut best, mut tail, mut all_miss) = (0.0_f64, 1.0, 1.0);
    for t in 0..most {
        tail -= masses.next(t as u32);
        all_miss *= 1.0 - hit;
        best = best.max(tail * (1.0 - all_miss));
        // More cells are less likely still.
        if tail <= best {
            break;
        }
    }
    best.clamp(0.0, 1.0)
}

/// The probabilities of exactly 0, 1, 2, … bins with both, one after the other.
struct Masses {
    bins: u32,
    blue: u32,
    red: u32,
    /// The fewest there can be: both colours may need more bins than there are.
    least: u32,
    mass: f64,
}

impl Masses {
    #[inline]
    fn new(bins: u32, blue: u32, red: u32) -> Self {
        assert!(bins <= MOST_CELLS && blue <= bins && red <= bins, "{blue} and {red} of {bins} bins");
        let least = (blue + red).saturating_sub(bins);
        // red! (bins-red)! blue! (bins-blue)! / (least! (red-least)! (blue-least)!
        // (bins-red-blue+least)! bins!): one of the two middle factorials of the denominator
        // cancels.
        let of = |n: u32| FACTORIALS[n as usize];
        let (above, below) = if least == 0 {
            ([of(bins - red), of(bins - blue)], [of(bins - red - blue), of(bins)])
        } else {
            ([of(red), of(blue)], [of(least), of(bins)])
        };
        let ratio = above[0].mantissa * above[1].mantissa / (below[0].mantissa * below[1].mantissa);
        let exponent = above[0].exponent + above[1].exponent - below[0].exponent - below[1].exponent;
        Self { bins, blue, red, least, mass: ratio * power_of_two(exponent) }
    }

    /// The one of `t`; to be asked for 0, 1, 2, … in turn.
    #[inline]
    fn next(&mut self, t: u32) -> f64 {
        if t < self.least {
            return 0.0;
        }
        let mass = self.mass;
        if t < self.blue.min(self.red) {
            let left = f64::from(self.red - t) * f64::from(self.blue - t);
            let more = (t + 1) as usize;
            let free = (self.bins + t + 1 - self.red - self.blue) as usize;
            self.mass *= left * RECIPROCALS[more] * RECIPROCALS[free];
        }
        mass
    }
}

/// 2^exponent; 0 where that is too small to matter. Never above 1 here, save for the mantissas'
/// share.
#[inline]
fn power_of_two(exponent: i32) -> f64 {
    if exponent < -1000 { 0.0 } else { f64::from_bits(((exponent + 1023) as u64) << 52) }
}
