//! Long comparison of the two exact oracles; run with `--ignored`.

use std::time::Instant;

use nearhit_testkit::adversarial::pair;
use nearhit_testkit::exact::{intersects, squared_distance};
use nearhit_testkit::rng::Rng;

#[test]
#[ignore = "minutes: a million pairs"]
fn a_million_pairs_agree() {
    let mut rng = Rng::new(1);
    let pairs: Vec<_> = (0..1_000_000).map(|_| pair(&mut rng)).collect();
    let started = Instant::now();
    let touching: Vec<bool> = pairs.iter().map(|(a, b, _)| intersects(a, b)).collect();
    println!("intersects: {:.0} pairs a second", pairs.len() as f64 / started.elapsed().as_secs_f64());
    let started = Instant::now();
    for ((a, b, kind), touches) in pairs.iter().zip(&touching) {
        assert_eq!(squared_distance(a, b).is_zero(), *touches, "{kind:?} {a:?} {b:?}");
    }
    println!("squared distance: {:.0} pairs a second", pairs.len() as f64 / started.elapsed().as_secs_f64());
    let share = touching.iter().filter(|&&touches| touches).count() as f64 / touching.len() as f64;
    assert!((0.3..0.8).contains(&share), "{share}");
}
