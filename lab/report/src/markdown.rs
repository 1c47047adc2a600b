//! A report as Markdown, with plots as files beside it.

use super::{Block, Cell, Plot, Report, Table};
use std::fmt::Write;

/// The report as Markdown. `file_of` keeps a plot somewhere and says under what name.
#[must_use]
pub fn render(report: &Report, mut file_of: impl FnMut(&Plot) -> String) -> String {
    let mut out = format!("# {}\n", report.title);
    for block in &report.blocks {
        out.push('\n');
        let _ = match block {
            Block::Heading(heading) => writeln!(out, "## {heading}"),
            Block::Text(text) => writeln!(out, "{text}"),
            Block::Table(table) => push_table(&mut out, table),
            Block::Plot(plot) => writeln!(out, "![{}]({})", plot.caption, file_of(plot)),
            Block::Claim(claim) => {
                writeln!(out, "* **{}** – {}: {}. {}", claim.verdict.words(), claim.place, claim.claim, claim.evidence)
            }
        };
    }
    out
}

fn push_table(out: &mut String, table: &Table) -> std::fmt::Result {
    writeln!(out, "{}\n", table.caption)?;
    push_row(out, table.columns.iter().map(|name| escaped(name)))?;
    push_row(
        out,
        (0..table.columns.len()).map(|column| {
            let figures = table.rows.iter().any(|row| row[column].is_figure());
            if figures { "---:".to_owned() } else { "---".to_owned() }
        }),
    )?;
    for row in &table.rows {
        push_row(out, row.iter().map(|cell: &Cell| escaped(&cell.shown())))?;
    }
    Ok(())
}

fn push_row(out: &mut String, cells: impl Iterator<Item = String>) -> std::fmt::Result {
    writeln!(out, "| {} |", cells.collect::<Vec<_>>().join(" | "))
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}
