//! Figure 8: at how many shared cells is equation (8) largest, and what is lost by looking at ten?

use lab_report::scale::Scale;
use lab_report::{Axis, Cell, Claim, Plot, Report, Series, Table, Verdict};
use nearhit::research::adb::hypergeometric::{MOST_SHARED, at_least};

/// What equation (8) takes the largest of.
fn term(x: usize, [s, of_a, of_b]: [u32; 3], hit: f64) -> f64 {
    at_least(x, s, of_a, of_b) * (1.0 - (1.0 - hit).powi(x as i32))
}

/// Where it is largest, how large, and how large it is up to ten.
fn largest(cells: [u32; 3], hit: f64) -> (usize, f64, f64) {
    let (mut best, mut within) = ((1, 0.0), 0.0_f64);
    for x in 1..=cells[1].min(cells[2]) as usize {
        let value = term(x, cells, hit);
        if value > best.1 {
            best = (x, value);
        }
        if x <= MOST_SHARED {
            within = within.max(value);
        }
    }
    (best.0, best.1, within)
}

/// Chances of a hit in a shared cell: by depths over heights they grow from the roots down.
const HITS: [f64; 6] = [0.1, 0.2, 0.3, 0.5, 0.7, 0.9];

/// Shares of the cells that can take part in a collision: a surface of 8³ cells meets a tenth to a
/// quarter of them.
const SHARES: [f64; 5] = [0.02, 0.05, 0.1, 0.2, 0.3];

/// Adds the figure, a table over the parameters, and the claim.
pub(super) fn show(report: &mut Report, _: Scale) {
    report.heading("Figure 8: how many shared cells");
    let curve = |(name, cells, hit): (&str, [u32; 3], f64)| Series {
        name: name.to_owned(),
        points: (1..=30).map(|x| (x as f64, term(x, cells, hit))).collect(),
    };
    let curves = [
        ("s = 512, s_A = s_B = 50, LB = 0.5", [512, 50, 50], 0.5),
        ("s = 512, s_A = s_B = 100, LB = 0.5", [512, 100, 100], 0.5),
        ("s = 128, s_A = s_B = 25, LB = 0.3", [128, 25, 25], 0.3),
        ("s = 128, s_A = s_B = 40, LB = 0.1", [128, 40, 40], 0.1),
        ("s = 27, s_A = s_B = 9, LB = 0.9", [27, 9, 9], 0.9),
    ];
    report.plot(Plot {
        caption: "Figure 8: Pr[c(A ∩ B) ≥ x] · (1 - (1 - LB)^x)".into(),
        x: Axis::linear("x"),
        y: Axis::linear("probability"),
        series: curves.map(curve).to_vec(),
    });
    let columns = ["LB", "parameters", "largest at x ≤ 10", "largest x", "most lost by x ≤ 10"];
    let mut table =
        Table::new("Figure 8: where equation (8) is largest (s = 1³ to 8³; s_A, s_B 2 to 30 % of it)", &columns);
    let (mut all, mut early, mut lost) = (0_u64, 0_u64, 0.0_f64);
    for hit in HITS {
        let (mut count, mut of_ten, mut farthest, mut most) = (0, 0, 0, 0.0_f64);
        for side in 1..=8_u32 {
            for (share_a, share_b) in SHARES.iter().flat_map(|a| SHARES.iter().map(move |b| (a, b))) {
                let of = |share: f64| (f64::from(side.pow(3)) * share).round().max(1.0) as u32;
                let (at, value, within) = largest([side.pow(3), of(*share_a), of(*share_b)], hit);
                count += 1;
                of_ten += u64::from(at <= MOST_SHARED);
                farthest = farthest.max(at);
                most = most.max(value - within);
            }
        }
        table.row([
            Cell::Number(hit, 1),
            Cell::Count(count),
            Cell::Count(of_ten),
            Cell::Count(farthest as u64),
            Cell::Number(most, 4),
        ]);
        all += count;
        early += of_ten;
        lost = lost.max(most);
    }
    report.table(table);
    report.claim(Claim {
        place: "§3.5.2, Figure 8".into(),
        claim: "Usually (in nine of ten) equation (8) is largest for x ≤ 10".into(),
        verdict: Verdict::of(early * 10 >= all * 9),
        evidence: format!("for {early} of {all} parameters; elsewhere at most {lost:.4} of probability is lost"),
        counts_work: true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: of 4 bins, 2 blue and 2 red, the chance of one shared is 5/6, of two 1/6.
    #[test]
    fn a_case_by_hand() {
        let cells = [4, 2, 2];
        assert!((term(1, cells, 0.5) - 5.0 / 12.0).abs() < 1e-12);
        assert!((term(2, cells, 0.5) - 0.125).abs() < 1e-12);
        assert_eq!(largest(cells, 0.5).0, 1);
        // Nearly everything is shared and hardly anything hits: the more cells the better.
        let (at, value, within) = largest([100, 99, 99], 0.01);
        assert!(at > 90 && value > 0.6 && within < 0.1, "{at} {value} {within}");
    }
}
