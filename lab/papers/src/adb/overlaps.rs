//! §3.6: how good are estimates of what two boxes share?

use glam::{DMat3, DVec3};
use lab_report::scale::Scale;
use lab_report::{Cell, Claim, Report, Table, Verdict};
use nearhit::research::adb::Overlap;
use nearhit::research::adb::overlap::{paper, shared};
use nearhit::research::volume::region::{Region, Shape};
use nearhit_testkit::clip::shared_box_volume;
use nearhit_testkit::rng::Rng;

/// Two boxes that meet, and what they share in parts of the smaller one.
fn boxes(rng: &mut Rng) -> Option<(Region, Region, f64)> {
    let half = |rng: &mut Rng, size: f64| DVec3::from_array([(); 3].map(|()| size * 0.6_f64.powf(rng.f64())));
    let (half_a, size_b) = (half(rng, 1.0), rng.range(0.7, 1.4));
    let half_b = half(rng, size_b);
    let rows = rng.rotation();
    let reach = rng.range(0.0, 1.6);
    let offset = rng.unit_vector().map(|part| part * reach);
    let axes = DMat3::from_cols_array_2d(&rows).transpose();
    let a = Region { center: DVec3::from_array(offset), axes, half_extents: half_a, shape: Shape::Box };
    let b = Region { center: DVec3::ZERO, axes: DMat3::IDENTITY, half_extents: half_b, shape: Shape::Box };
    let truth = shared_box_volume(half_b.to_array(), half_a.to_array(), rows, offset);
    let smaller = 8.0 * half_a.element_product().min(half_b.element_product());
    (truth > 1e-4 * smaller).then_some((a, b, truth / smaller))
}

/// Adds the table.
pub(super) fn table(report: &mut Report, scale: Scale) {
    let mut rng = Rng::new(75);
    let pairs: Vec<_> = (0..scale.pick(60, 2_000)).filter_map(|_| boxes(&mut rng)).collect();
    let mut table = Table::new(
        format!("§3.6: what {} pairs of boxes share, in parts of the smaller one", pairs.len()),
        &["estimate", "mean error", "bias", "too small, %"],
    );
    let mut errors = Vec::new();
    for how in Overlap::ALL {
        let made = |a: &Region, b: &Region| {
            let part = shared(a, b, how);
            part.of_a.max(part.of_b)
        };
        let off: Vec<f64> = pairs.iter().map(|(a, b, truth)| made(a, b) - truth).collect();
        let mean = |value: &dyn Fn(f64) -> f64| off.iter().map(|&off| value(off)).sum::<f64>() / off.len() as f64;
        let error = mean(&f64::abs);
        table.row([
            format!("{how:?}").into(),
            Cell::Number(error, 4),
            Cell::Number(mean(&|off| off), 4),
            Cell::Number(100.0 * mean(&|off| f64::from(u8::from(off < -1e-9))), 1),
        ]);
        errors.push(error);
    }
    report.table(table);
    // The box of the issue: 1, 0.5, 0.1 at (0.98, 0.377, 0), along each other's axes.
    let distance = 0.98_f64.hypot(0.377);
    let (formula, truth) = (paper(DVec3::new(1.0, 0.5, 0.1), distance), (1.0 - 0.98) * (0.5 - 0.377) * 0.1);
    report.claim(Claim {
        place: "§3.6".into(),
        claim: "max{V1, V2, V3} is an upper bound of what two boxes share".into(),
        verdict: Verdict::of(formula >= truth),
        evidence: format!(
            "boxes of 1 × 0.5 × 0.1 offset by (0.98, 0.377, 0) share {truth:.2e}; the formula says {formula:.2e}"
        ),
        counts_work: true,
    });
    report.claim(Claim {
        place: "beyond the paper".into(),
        claim: "Shares along the axes estimate better than every other way".into(),
        verdict: Verdict::of(errors[1..].iter().all(|error| errors[0] < *error)),
        evidence: format!("mean errors in the order of the table: {errors:.4?}"),
        counts_work: true,
    });
}
