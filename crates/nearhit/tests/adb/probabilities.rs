//! The hypergeometric tail and equations (6) to (8) against exact counts.

use nearhit::research::adb::hypergeometric::{ERROR, MOST_CELLS, MOST_SHARED, at_least, collision};
use nearhit_testkit::bins::Bins;
use nearhit_testkit::rng::Rng;

const MOST: usize = MOST_CELLS as usize;

fn is_long() -> bool {
    std::env::var_os("NEARHIT_LONG").is_some()
}

/// All ten tails of one configuration; how many of them are neither 0 nor 1.
fn judge(counts: &Bins, bins: usize, blue: usize, red: usize) -> usize {
    let mut telling = 0;
    for (x, ratio) in counts.tails(MOST_SHARED, bins, blue, red).iter().enumerate() {
        let made = at_least(x, bins as u32, blue as u32, red as u32);
        assert!(ratio.is_near(made, ERROR), "{made} for at least {x}, {bins} bins, {blue} and {red} balls");
        telling += usize::from(0.001 < made && made < 0.999);
    }
    telling
}

/// Every number of bins, with one colour few, or nearly all, or all there are, and the other
/// anything; or both just filling the bins. An ordinary run takes every 64th number of bins and
/// both ends.
#[test]
fn boundaries_are_exact() {
    let counts = Bins::new(MOST);
    let wanted = |bins: &usize| is_long() || *bins < 20 || *bins > MOST - 2 || bins.is_multiple_of(64);
    for bins in (0..=MOST).filter(wanted) {
        for red in 0..=bins {
            let edges = [0, 1, 2, bins.saturating_sub(1), bins, bins - red, (bins - red + 1).min(bins), red];
            for blue in edges.map(|blue| blue.min(bins)) {
                judge(&counts, bins, blue, red);
            }
        }
    }
}

/// 10,000 configurations, or a million with `NEARHIT_LONG=1`: evenly by the number of bins and the
/// expected number of shared ones.
#[test]
fn stratified_points_are_exact() {
    let counts = Bins::new(MOST);
    let mut rng = Rng::new(703);
    let (points, mut telling) = (if is_long() { 1_000_000 } else { 10_000 }, 0);
    for point in 0..points {
        let bins = 1 + point % MOST;
        // By factors: few balls are as frequent as many.
        let blue = (bins as f64).powf(rng.f64()).round() as usize;
        let red = if rng.chance(0.5) { rng.below(bins + 1) } else { (bins as f64).powf(rng.f64()).round() as usize };
        telling += judge(&counts, bins, blue, red);
    }
    assert!(telling > points, "{telling} probabilities of {points} points are neither 0 nor 1");
}

/// Equation (8) by its words: every x, both factors.
#[test]
fn the_best_number_of_cells_is_found() {
    let mut rng = Rng::new(704);
    let mut beyond_one = 0;
    for _ in 0..20_000 {
        let bins = 1 + rng.below(MOST) as u32;
        let (blue, red) = (rng.below(bins as usize + 1) as u32, rng.below(bins as usize / 4 + 1) as u32);
        let hit = rng.f64();
        let terms: Vec<f64> = (1..=MOST_SHARED.min(blue.min(red) as usize))
            .map(|x| at_least(x, bins, blue, red) * (1.0 - (1.0 - hit).powi(x as i32)))
            .collect();
        let best = terms.iter().copied().fold(0.0, f64::max);
        let made = collision(bins, blue, red, hit);
        assert!((made - best).abs() < 1e-13, "{made} is not {best}: {bins}, {blue}, {red}, {hit}");
        beyond_one += usize::from(best > terms.first().copied().unwrap_or(0.0) + 1e-3);
    }
    assert!(beyond_one > 5_000, "only {beyond_one} where several cells say more than one");
}

#[test]
fn nothing_shared_is_impossible() {
    assert_eq!(collision(0, 0, 0, 1.0), 0.0);
    assert_eq!(collision(512, 0, 512, 1.0), 0.0);
    assert_eq!(collision(512, 512, 512, 1.0), 1.0);
    assert_eq!(collision(1, 1, 1, 0.25), 0.25, "one cell, surely shared");
    assert_eq!(collision(10, 5, 5, 0.0), 0.0, "no hit in any cell");
}

#[test]
#[should_panic(expected = "of 10 bins")]
fn more_balls_than_bins_are_refused() {
    let _ = at_least(1, 10, 11, 3);
}
