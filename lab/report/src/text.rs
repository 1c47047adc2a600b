//! A report for the terminal.

use super::{Block, Cell, Claim, Plot, Report, Table};
use std::fmt::Write;

/// The report as plain text; plots as the points of each series, of many as their range.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut out = format!("{}\n{}\n", report.title, "=".repeat(report.title.chars().count()));
    for block in &report.blocks {
        out.push('\n');
        match block {
            Block::Heading(heading) => {
                let _ = writeln!(out, "{heading}\n{}", "-".repeat(heading.chars().count()));
            }
            Block::Text(text) => {
                let _ = writeln!(out, "{text}");
            }
            Block::Table(table) => push_table(&mut out, table),
            Block::Plot(plot) => push_plot(&mut out, plot),
            Block::Claim(claim) => push_claim(&mut out, claim),
        }
    }
    out
}

fn push_table(out: &mut String, table: &Table) {
    let cells: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect();
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|column| {
            let shown = cells.iter().map(|row| row[column].chars().count());
            shown.max().unwrap_or(0).max(table.columns[column].chars().count())
        })
        .collect();
    let _ = writeln!(out, "{}", table.caption);
    push_row(out, &table.columns, &widths, |column| table.rows.iter().any(|row| row[column].is_figure()));
    for (row, shown) in table.rows.iter().zip(&cells) {
        push_row(out, shown, &widths, |column| row[column].is_figure());
    }
}

fn push_row(out: &mut String, cells: &[String], widths: &[usize], right: impl Fn(usize) -> bool) {
    let mut line = String::new();
    for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        let _ = if right(column) { write!(line, "  {cell:>width$}") } else { write!(line, "  {cell:<width$}") };
    }
    let _ = writeln!(out, "{}", line.trim_end());
}

/// A series of more is not printed point by point.
const MOST_POINTS: usize = 64;

fn push_plot(out: &mut String, plot: &Plot) {
    let _ = writeln!(out, "{} ({} over {}; drawn in the HTML report)", plot.caption, plot.y.label, plot.x.label);
    for series in &plot.series {
        if series.points.len() <= MOST_POINTS {
            let points: Vec<String> = series.points.iter().map(|(x, y)| format!("{x:.4}: {y:.4}")).collect();
            let _ = writeln!(out, "  {}: {}", series.name, points.join(", "));
            continue;
        }
        let least = series.points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        let most = series.points.iter().map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
        let _ = writeln!(out, "  {}: {} points, {least:.3} to {most:.3}", series.name, series.points.len());
    }
}

fn push_claim(out: &mut String, claim: &Claim) {
    let _ = writeln!(out, "{}: {} {}. {}", claim.verdict.words(), claim.place, claim.claim, claim.evidence);
}
