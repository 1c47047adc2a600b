//! Every pair: slow, and too simple to be wrong. The other broad phases are judged by it.

use super::{BroadPhase, Items, KeyPair};

/// Looks at every pair.
#[derive(Debug, Clone, Copy, Default)]
pub struct BruteForce;

impl BroadPhase for BruteForce {
    fn name(&self) -> &'static str {
        "brute"
    }

    fn update(&mut self, _: &Items, _: &[u32]) {}

    fn unit(&self) -> usize {
        16
    }

    fn pairs(&self, items: &Items, reach: f64, found: &mut Vec<KeyPair>) {
        for (a, _) in items.iter() {
            let later = a + 1..items.end() as u32;
            found.extend(later.filter(|&b| items.are_near(a, b, reach)).map(|b| (a, b)));
        }
    }

    fn neighbours(&self, items: &Items, key: u32, found: &mut Vec<u32>) {
        found.extend((0..items.end() as u32).filter(|&other| other != key && items.are_near(key, other, 0.0)));
    }
}
