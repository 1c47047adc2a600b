//! Seeded randomness: the same seed gives the same bits on every machine and in every release.

use crate::Point;

/// A small generator (xoshiro256++ seeded through splitmix64).
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// A generator whose whole stream is decided by `seed`.
    pub fn new(seed: u64) -> Rng {
        let mut counter = seed;
        Rng { state: std::array::from_fn(|_| split_mix(&mut counter)) }
    }

    /// Sixty-four random bits.
    pub fn u64(&mut self) -> u64 {
        let [s0, s1, s2, s3] = self.state;
        let result = s0.wrapping_add(s3).rotate_left(23).wrapping_add(s0);
        let (s2, s3) = (s2 ^ s0, s3 ^ s1);
        self.state = [s0 ^ s3, s1 ^ s2, s2 ^ (s1 << 17), s3.rotate_left(45)];
        result
    }

    /// Uniform in `[0, 1)`, a multiple of 2⁻⁵³.
    pub fn f64(&mut self) -> f64 {
        (self.u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in `[low, high)`.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.f64()
    }

    /// Uniform among `0..count`; the bias is below 2⁻³² for the counts used here.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.u64()) * count as u128) >> 64) as usize
    }

    /// Uniform among `low..=high`.
    pub fn integer(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.f64() < probability
    }

    /// Standard normal, by Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.f64()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.f64()).cos()
    }

    /// Each coordinate uniform in `[low, high)`.
    pub fn point(&mut self, low: f64, high: f64) -> Point {
        std::array::from_fn(|_| self.range(low, high))
    }

    /// Uniform on the unit sphere.
    pub fn unit_vector(&mut self) -> Point {
        let height = self.range(-1.0, 1.0);
        let angle = self.range(0.0, std::f64::consts::TAU);
        let radius = (1.0 - height * height).sqrt();
        [radius * angle.cos(), radius * angle.sin(), height]
    }

    /// Uniform random rotation as a unit quaternion `[x, y, z, w]`.
    pub fn quaternion(&mut self) -> [f64; 4] {
        let raw: [f64; 4] = std::array::from_fn(|_| self.normal());
        let length = raw.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length < 1e-12 { [0.0, 0.0, 0.0, 1.0] } else { raw.map(|x| x / length) }
    }

    /// Uniform random rotation as a row-major matrix.
    pub fn rotation(&mut self) -> [[f64; 3]; 3] {
        quaternion_to_rows(self.quaternion())
    }

    /// One of the items; panics on an empty slice.
    pub fn choice<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// The rotation matrix, by rows, of a unit quaternion `[x, y, z, w]`.
pub fn quaternion_to_rows([x, y, z, w]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// The rotation matrix, by rows, about a unit axis.
pub fn axis_angle_to_rows(axis: Point, angle: f64) -> [[f64; 3]; 3] {
    let (sine, cosine) = (0.5 * angle).sin_cos();
    quaternion_to_rows([axis[0] * sine, axis[1] * sine, axis[2] * sine, cosine])
}

fn split_mix(counter: &mut u64) -> u64 {
    *counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*counter ^ (*counter >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ_by_seed() {
        let take = |seed| {
            let mut rng = Rng::new(seed);
            (0..8).map(|_| rng.u64()).collect::<Vec<_>>()
        };
        assert_eq!(take(7), take(7));
        assert_ne!(take(7), take(8));
    }

    #[test]
    fn moments_are_right() {
        let mut rng = Rng::new(1);
        let count = 100_000;
        let (mut uniform, mut normal, mut square, mut direction) = (0.0, 0.0, 0.0, [0.0; 3]);
        for _ in 0..count {
            uniform += rng.f64();
            let sample = rng.normal();
            normal += sample;
            square += sample * sample;
            let unit = rng.unit_vector();
            (0..3).for_each(|axis| direction[axis] += unit[axis] * unit[axis]);
        }
        let mean = |sum: f64| sum / f64::from(count);
        assert!((mean(uniform) - 0.5).abs() < 0.01);
        assert!(mean(normal).abs() < 0.02 && (mean(square) - 1.0).abs() < 0.02);
        assert!(direction.iter().all(|&sum| (mean(sum) - 1.0 / 3.0).abs() < 0.01));
    }

    #[test]
    fn rotations_are_proper_and_balanced() {
        let mut rng = Rng::new(2);
        let mut trace = 0.0;
        for _ in 0..20_000 {
            let r = rng.rotation();
            for i in 0..3 {
                for j in 0..3 {
                    let dot: f64 = (0..3).map(|k| r[i][k] * r[j][k]).sum();
                    assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-14);
                }
            }
            let determinant = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1])
                - r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0])
                + r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
            assert!((determinant - 1.0).abs() < 1e-14);
            trace += r[0][0] + r[1][1] + r[2][2];
        }
        // Under the uniform measure the trace has mean zero.
        assert!((trace / 20_000.0).abs() < 0.03);
    }

    #[test]
    fn shuffle_keeps_the_items() {
        let mut items: Vec<u32> = (0..50).collect();
        Rng::new(3).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
