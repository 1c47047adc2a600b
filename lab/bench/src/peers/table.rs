//! What was measured, as tables: a row a case, and how many times longer each peer takes.

use super::{Answer, Compared, Measured, QUESTIONS};
use lab_report::{Cell, Report, Table};
use std::collections::BTreeMap;

/// How long PQP takes, with FCL's time as the unit: both compiled with `-O3 -march=native` on one
/// machine (medians; means for contacts and within). PQP itself has a licence that keeps it out of
/// this bench. Its distances are warm-started.
const PQP_OVER_FCL: &[(&str, &str, f64)] = &[
    ("collide", "piano", 4.1 / 4.6),
    ("collide", "falling-tori", 21.0 / 25.4),
    ("collide", "bunny-close", 10.2 / 11.1),
    ("collide", "separated-spheres-40k", 3.3 / 3.7),
    ("collide", "nested-2k-a0.01", 2560.0 / 2400.0),
    ("collide", "nested-20k-a0.1", 120.0 / 140.0),
    ("collide", "nested-20k-a0.01", 1868.0 / 2114.0),
    ("collide", "tetra-747", 3.9 / 4.5),
    ("collide", "pipes", 24.3 / 28.4),
    ("collide", "swept", 148.0 / 172.0),
    ("contacts", "piano", 51.2 / 63.5),
    ("contacts", "bunny-close", 44.3 / 52.3),
    ("contacts", "falling-tori", 34.4 / 42.4),
    ("contacts", "swept", 145.0 / 167.0),
    ("contacts", "pipes", 35.5 / 41.8),
    ("within", "piano", 16.1 / 22.0),
    ("within", "bunny-close", 20.2 / 179.0),
    ("within", "falling-tori", 45.5 / 97.8),
    ("within", "swept", 83.8 / 567.0),
    ("within", "tetra-747", 29.3 / 38.3),
    ("within", "nested-20k-a0.1", 554.0 / 624.0),
    ("warm", "piano", 67.6 / 87.7),
    ("warm", "falling-tori", 131.0 / 343.0),
    ("warm", "bunny-close", 701.0 / 877.0),
    ("warm", "separated-spheres-40k", 682.0 / 790.0),
    ("warm", "nested-2k-a0.01", 13_465.0 / 15_468.0),
    ("warm", "nested-20k-a0.1", 159_600.0 / 180_800.0),
    ("warm", "nested-20k-a0.01", 133_500.0 / 156_300.0),
    ("warm", "tetra-747", 300.0 / 1991.0),
    ("warm", "pipes", 143.0 / 889.0),
    ("warm", "swept", 473.0 / 678.0),
];

/// How much slower FCL is as packaged than compiled for the machine, measured with the figures
/// above.
fn packaged_over_native(question: &str) -> f64 {
    if matches!(question, "collide" | "contacts") { 2.0 } else { 1.2 }
}

pub(super) fn report(all: &[Measured]) -> Report {
    let mut report = Report::new("Peers");
    report.text(
        "Microseconds a query, one thread, all contenders in turn on the same poses; × is how many times longer a peer takes than nearhit, by median over the poses that both \
         answered. FCL is the packaged one: compiled for the machine it would be about 2.0 times faster at contact and 1.2 times at distance. PQP is FCL's time here times a factor measured elsewhere.",
    );
    for &question in QUESTIONS {
        let measured: Vec<(&str, &Compared)> =
            all.iter().filter_map(|one| Some((one.case.as_str(), one.questions.get(question)?))).collect();
        if !measured.is_empty() {
            report.table(table(question, &measured, all));
            for (case, compared) in measured {
                for sentence in disagreements(question, case, compared) {
                    report.text(sentence);
                }
            }
        }
    }
    report.table(builds(all));
    report
}

/// Median and mean of one contender and of ours, over what both answered.
pub(super) struct Times {
    pub(super) ours: (f64, f64),
    pub(super) theirs: (f64, f64),
}

impl Times {
    pub(super) fn of(compared: &Compared, index: usize) -> Option<Self> {
        let both = compared.answers[0].iter().zip(&compared.answers[index]);
        let (ours, theirs): (Vec<f64>, Vec<f64>) =
            both.filter_map(|(a, b)| Some((a.as_ref()?.microseconds, b.as_ref()?.microseconds))).unzip();
        (!ours.is_empty()).then(|| Self { ours: median_and_mean(ours), theirs: median_and_mean(theirs) })
    }

    fn ratio(&self) -> f64 {
        self.theirs.0 / self.ours.0
    }
}

fn median_and_mean(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times.iter().sum::<f64>() / times.len() as f64)
}

fn table(question: &str, measured: &[(&str, &Compared)], all: &[Measured]) -> Table {
    // A peer that answered nothing anywhere has no column.
    let names = &measured[0].1.names;
    let peers: Vec<&String> =
        names[1..].iter().filter(|name| measured.iter().any(|(_, compared)| of(compared, name).is_some())).collect();
    let with_pqp = PQP_OVER_FCL.iter().any(|(asked, ..)| *asked == question);
    let mut columns: Vec<String> = ["case", "queries", "N_v", "N_p", "nearhit p50", "mean"].map(str::to_owned).to_vec();
    for name in &peers {
        columns.extend([format!("{name} p50"), "mean".to_owned(), "×".to_owned()]);
    }
    if with_pqp {
        columns.push("PQP ×".to_owned());
    }
    let mut rows = Vec::new();
    let mut ratios: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (case, compared) in measured {
        let ours = Times::of(compared, 0).expect("ours answers everything");
        let count = compared.answers[0].iter().flatten().count() as u64;
        // Each group was asked twice.
        let work = |total: u64| Cell::Number(total as f64 / (2 * count) as f64, 1);
        let mut row = vec![Cell::from(*case), Cell::Count(count), work(compared.stats.volume_tests)];
        row.extend([work(compared.stats.triangle_tests), micros(ours.ours.0), micros(ours.ours.1)]);
        for name in &peers {
            match of(compared, name) {
                Some(times) => {
                    ratios.entry(name.as_str()).or_default().push(times.ratio());
                    row.extend([micros(times.theirs.0), micros(times.theirs.1), Cell::Number(times.ratio(), 2)]);
                }
                None => row.extend([Cell::Empty, Cell::Empty, Cell::Empty]),
            }
        }
        if with_pqp {
            let ratio = pqp(question, case, compared, all);
            ratios.entry("PQP").or_default().extend(ratio);
            row.push(ratio.map_or(Cell::Empty, |ratio| Cell::Number(ratio, 2)));
        }
        rows.push(row);
    }
    let mean = |name: &str| {
        ratios.get(name).filter(|some| !some.is_empty()).map_or(Cell::Empty, |some| {
            Cell::Number((some.iter().map(|ratio| ratio.ln()).sum::<f64>() / some.len() as f64).exp(), 2)
        })
    };
    let mut last = vec![Cell::from("geometric mean"), Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty];
    for name in &peers {
        last.extend([Cell::Empty, Cell::Empty, mean(name)]);
    }
    if with_pqp {
        last.push(mean("PQP"));
    }
    rows.push(last);
    Table { caption: question.to_owned(), columns, rows }
}

fn of(compared: &Compared, name: &str) -> Option<Times> {
    Times::of(compared, compared.names.iter().position(|other| other == name)?)
}

pub(super) fn micros(value: f64) -> Cell {
    Cell::Number(value, if value < 10.0 { 2 } else { usize::from(value < 100.0) })
}

/// PQP's time by its factor over ours.
fn pqp(question: &str, case: &str, compared: &Compared, all: &[Measured]) -> Option<f64> {
    let &(.., factor) = PQP_OVER_FCL.iter().find(|(asked, name, _)| (*asked, *name) == (question, case))?;
    // PQP's warm distance was compared with FCL's cold one.
    let fcl = match question {
        "warm" => of(all.iter().find(|one| one.case == case)?.questions.get("distance")?, "fcl")?,
        _ => of(compared, "fcl")?,
    };
    let ours = Times::of(compared, 0)?.ours;
    let by_mean = matches!(question, "contacts" | "within");
    let (fcl, ours) = if by_mean { (fcl.theirs.1, ours.1) } else { (fcl.theirs.0, ours.0) };
    Some(fcl / packaged_over_native(question) * factor / ours)
}

/// Where a peer says something else.
fn disagreements(question: &str, case: &str, compared: &Compared) -> Vec<String> {
    let differs = |(a, b): &(&Option<Answer>, &Option<Answer>)| match (a, b) {
        (Some(a), Some(b)) => (a.value - b.value).abs() > compared.tolerance,
        _ => false,
    };
    let mut sentences = Vec::new();
    for (name, theirs) in compared.names.iter().zip(&compared.answers).skip(1) {
        let count = compared.answers[0].iter().zip(theirs).filter(differs).count();
        let asked = theirs.iter().flatten().count();
        if count > 0 {
            sentences.push(format!("{question}, {case}: {name} gives another answer in {count} of {asked} queries."));
        }
    }
    sentences
}

fn builds(all: &[Measured]) -> Table {
    let names: Vec<&String> = all
        .iter()
        .map(|one| &one.made)
        .max_by_key(|made| made.len())
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
        .collect();
    let mut columns = vec!["case".to_owned(), "triangles".to_owned()];
    for name in &names {
        columns.extend([format!("{name} ms"), "bytes a triangle".to_owned()]);
    }
    let row = |one: &Measured| {
        let mut cells = vec![Cell::from(one.case.as_str()), Cell::Count(one.triangles as u64)];
        for name in &names {
            match one.made.iter().find(|(other, _)| other == *name) {
                Some((_, made)) => cells.extend([
                    Cell::Number(made.milliseconds, 1),
                    Cell::Number(made.bytes as f64 / one.triangles as f64, 0),
                ]),
                None => cells.extend([Cell::Empty, Cell::Empty]),
            }
        }
        cells
    };
    let caption = "Building both models (Embree: a alone), with what the meshes themselves take".to_owned();
    Table { caption, columns, rows: all.iter().map(row).collect() }
}
