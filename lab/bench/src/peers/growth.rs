//! How cost grows with the number of triangles: two equal wrinkled tori, the same shape and the
//! same poses at every size.

use super::table::{Times, micros};
use super::{Measured, Options, measure};
use anyhow::Result;
use lab_report::{Axis, Cell, Plot, Report, Series, Table};
use nearhit_datasets::cases::{Case, CasePose, Order};
use nearhit_datasets::rng::Rng;
use nearhit_datasets::shapes;
use std::path::PathBuf;

/// Triangles of each body.
const SIZES: [usize; 5] = [1_000, 10_000, 100_000, 1_000_000, 4_000_000];
const POSES: usize = 40;
/// Of what exponents are fitted to: smaller bodies are in the caches.
const LARGE: usize = 10_000;

/// Times of builds and queries from a thousand triangles a body up to `largest`, and the exponents
/// they grow by.
pub fn run(programs: PathBuf, largest: usize, seconds: f64) -> Result<Report> {
    let folder = std::env::temp_dir().join(format!("nearhit-growth-{}", std::process::id()));
    let questions = vec!["collide".to_owned(), "distance".to_owned()];
    let options = Options { programs, cases: Vec::new(), seconds, questions };
    let mut all = Vec::new();
    for size in SIZES.into_iter().filter(|&size| size <= largest) {
        eprintln!("{size} triangles a body");
        case(size).write(&folder)?;
        all.push((size, measure(&folder, &options)?));
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(report(&all))
}

fn case(size: usize) -> Case {
    // Twice as many around the ring as around the tube, two triangles each.
    let across = ((size as f64 / 4.0).sqrt().round() as u32).max(3);
    let body = shapes::wrinkled_torus(2 * across, across, 1);
    let mut rng = Rng::new(2);
    let mut pose = || {
        let away = rng.unit_vector().map(|x| x * rng.range(1.5, 3.5));
        CasePose::of_a(rng.rotation(), away)
    };
    let poses = (0..POSES).map(|_| pose()).collect();
    let name = format!("growth-{size}");
    Case { name, note: String::new(), a: body.clone(), b: body, poses, order: Order::Random }
}

fn report(all: &[(usize, Measured)]) -> Report {
    let mut report = Report::new("Growth");
    report.text(
        "Two equal wrinkled tori at random places, one and a half to three and a half radii apart: the same shape and the same poses at every size. Microseconds a query by median, one thread; milliseconds to build both \
         bodies. The last row has the exponent that time grows by with the number of triangles, fitted from ten thousand on.",
    );
    for question in ["collide", "distance"] {
        let time = |measured: &Measured, name: &str| {
            let compared = measured.questions.get(question)?;
            let index = compared.names.iter().position(|other| other == name)?;
            Some(if index == 0 { Times::of(compared, 0)?.ours.0 } else { Times::of(compared, index)?.theirs.0 })
        };
        add(&mut report, &format!("{question}, µs"), all, time);
    }
    let time = |measured: &Measured, name: &str| {
        let made = measured.made.iter().find(|(other, _)| other == name)?;
        Some(made.1.milliseconds)
    };
    add(&mut report, "Building both, ms", all, time);
    report
}

/// A table and a plot of one time, by contender.
fn add(report: &mut Report, caption: &str, all: &[(usize, Measured)], time: impl Fn(&Measured, &str) -> Option<f64>) {
    let Some((_, first)) = all.first() else { return };
    let has_any = |name: &&String| all.iter().any(|(_, measured)| time(measured, name).is_some());
    let names: Vec<&String> = first.made.iter().map(|(name, _)| name).filter(has_any).collect();
    let columns = std::iter::once("triangles a body".to_owned()).chain(names.iter().map(|name| (*name).clone()));
    let series: Vec<Series> = names
        .iter()
        .map(|name| {
            let points = all.iter().filter_map(|(size, measured)| Some((*size as f64, time(measured, name)?)));
            Series { name: (*name).clone(), points: points.collect() }
        })
        .collect();
    let row = |(size, measured): &(usize, Measured)| {
        let cells = names.iter().map(|name| time(measured, name).map_or(Cell::Empty, micros));
        std::iter::once(Cell::Count(*size as u64)).chain(cells).collect()
    };
    let mut rows: Vec<Vec<Cell>> = all.iter().map(row).collect();
    let exponents = series.iter().map(|one| exponent(&one.points).map_or(Cell::Empty, |slope| Cell::Number(slope, 2)));
    rows.push(std::iter::once(Cell::from("exponent")).chain(exponents).collect());
    report.table(Table { caption: caption.to_owned(), columns: columns.collect(), rows });
    let (x, y) = (Axis::logarithmic("triangles a body"), Axis::logarithmic(caption));
    report.plot(Plot { caption: caption.to_owned(), x, y, series });
}

/// The slope of the logarithms, by least squares.
fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let points: Vec<(f64, f64)> =
        points.iter().filter(|(size, _)| *size >= LARGE as f64).map(|(size, time)| (size.ln(), time.ln())).collect();
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let across: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let along: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    (points.len() > 1).then_some(along / across)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_has_its_exponent() {
        let points: Vec<(f64, f64)> = SIZES.map(|size| (size as f64, 3.0 * (size as f64).powf(0.4))).to_vec();
        assert!((exponent(&points).expect("enough points") - 0.4).abs() < 1e-12);
        assert_eq!(exponent(&points[..2]), None);
    }

    #[test]
    fn bodies_have_the_size_asked_for() {
        for size in [1_000, 10_000] {
            let case = case(size);
            assert!((case.a.len() as f64 / size as f64 - 1.0).abs() < 0.05, "{}", case.a.len());
        }
    }
}
