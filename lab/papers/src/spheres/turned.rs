//! §3: how much larger the axis-aligned box of a turned cube is than the cube.

use lab_report::scale::Scale;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit_testkit::rng::Rng;

/// The paper: on average, and at most (of 500,000 turns).
const PAPER: [f64; 2] = [3.4, 4.7];

/// The volume of the box around a unit cube with these axes: the product, over the coordinates, of
/// what the three edges reach.
fn growth(rows: [[f64; 3]; 3]) -> f64 {
    rows.map(|row| row.map(f64::abs).into_iter().sum::<f64>()).into_iter().product()
}

/// Adds the table and the claims.
pub(super) fn table(report: &mut Report, scale: Scale) {
    report.heading("§3: turned cubes");
    let turns = scale.pick(20_000, 500_000);
    let mut rng = Rng::new(500);
    let (mut sum, mut most) = (0.0, 0.0_f64);
    for _ in 0..turns {
        let grown = growth(rng.rotation());
        sum += grown;
        most = most.max(grown);
    }
    let mean = sum / turns as f64;
    let mut table = Table::new("§3: the box of a turned cube over the cube, by volume", &["", "turns", "mean", "most"]);
    let mut row = |name: &str, turns: u64, [mean, most]: [f64; 2]| {
        table.row([name.into(), Cell::Count(turns), Cell::Number(mean, 3), Cell::Number(most, 3)]);
    };
    row("ours", turns as u64, [mean, most]);
    row("paper", 500_000, PAPER);
    report.table(table);
    report.claim(Claim {
        place: "§3".into(),
        claim: format!("Boxes of turned cubes grow {} times on average, {} at most", PAPER[0], PAPER[1]),
        verdict: Verdict::of((mean - PAPER[0]).abs() < 0.05 && (most - PAPER[1]).abs() < 0.1),
        evidence: format!("{mean:.3} and {most:.3} over {turns} evenly distributed turns"),
        counts_work: true,
    });
}

#[cfg(test)]
mod tests {
    use super::growth;

    #[test]
    fn boxes_of_cubes() {
        assert_eq!(growth([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), 1.0);
        // Axes that go through thirds: every row sums up to 5/3.
        let third = [[1.0, 2.0, -2.0], [2.0, 1.0, 2.0], [2.0, -2.0, -1.0]].map(|row: [f64; 3]| row.map(|x| x / 3.0));
        assert!((growth(third) - (5.0_f64 / 3.0).powi(3)).abs() < 1e-12);
    }
}
