//! What was measured, as tables: a row a case, and how many times longer each peer takes.

use super::{Answer, Compared, Measured, QUESTIONS};
use lab_report::{Cell, Report, Table};
use std::collections::BTreeMap;

pub(super) fn report(all: &[Measured]) -> Report {
    let mut report = Report::new("Peers");
    report.text(
        "Microseconds a query, one thread, all contenders in turn on the same poses; × is how many times longer a peer takes than nearhit, by median over the poses that both \
         answered. FCL is the packaged one: compiled for the machine it would be about 2.0 times faster at contact and 1.2 times at distance.",
    );
    for &question in QUESTIONS {
        let measured: Vec<(&str, &Compared)> =
            all.iter().filter_map(|one| Some((one.case.as_str(), one.questions.get(question)?))).collect();
        if !measured.is_empty() {
            report.table(table(question, &measured));
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

fn table(question: &str, measured: &[(&str, &Compared)]) -> Table {
    // A peer that answered nothing anywhere has no column.
    let names = &measured[0].1.names;
    let peers: Vec<&String> =
        names[1..].iter().filter(|name| measured.iter().any(|(_, compared)| of(compared, name).is_some())).collect();
    let mut columns: Vec<String> = ["case", "queries", "N_v", "N_p", "nearhit p50", "mean"].map(str::to_owned).to_vec();
    for name in &peers {
        columns.extend([format!("{name} p50"), "mean".to_owned(), "×".to_owned()]);
    }
    let mut rows = Vec::new();
    let mut ratios: BTreeMap<&str, Vec<(f64, &str)>> = BTreeMap::new();
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
                    ratios.entry(name.as_str()).or_default().push((times.ratio(), case));
                    row.extend([micros(times.theirs.0), micros(times.theirs.1), Cell::Number(times.ratio(), 2)]);
                }
                None => row.extend([Cell::Empty, Cell::Empty, Cell::Empty]),
            }
        }
        rows.push(row);
    }
    rows.push(last_row("geometric mean", &peers, |name| {
        let all = ratios.get(name).filter(|all| !all.is_empty())?;
        let logarithms: f64 = all.iter().map(|(ratio, _)| ratio.ln()).sum();
        Some([Cell::Empty, Cell::Number((logarithms / all.len() as f64).exp(), 2)])
    }));
    rows.push(last_row("worst", &peers, |name| {
        let &(ratio, case) = ratios.get(name)?.iter().min_by(|x, y| x.0.total_cmp(&y.0))?;
        Some([Cell::from(case), Cell::Number(ratio, 2)])
    }));
    Table { caption: question.to_owned(), columns, rows }
}

/// A row about all cases: two cells a peer, the case that it is about and a ratio.
fn last_row(caption: &str, peers: &[&String], about: impl Fn(&str) -> Option<[Cell; 2]>) -> Vec<Cell> {
    let mut row = vec![Cell::from(caption), Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty];
    for name in peers {
        row.push(Cell::Empty);
        row.extend(about(name).unwrap_or([Cell::Empty, Cell::Empty]));
    }
    row
}

fn of(compared: &Compared, name: &str) -> Option<Times> {
    Times::of(compared, compared.names.iter().position(|other| other == name)?)
}

pub(super) fn micros(value: f64) -> Cell {
    Cell::Number(value, if value < 10.0 { 2 } else { usize::from(value < 100.0) })
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
