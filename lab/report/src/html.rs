//! A report as one HTML page that needs nothing from outside: plots are inline SVG, tables sort on
//! a click, and it prints.

use super::{Block, Claim, Report, Table, Verdict};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SORT: &str = include_str!("sort.js");

/// The whole page.
#[must_use]
pub fn render(report: &Report) -> String {
    let title = escaped(&report.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<meta name=\"viewport\" \
         content=\"width=device-width\"><style>\n{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
    );
    push_summary(&mut out, report);
    for block in &report.blocks {
        let _ = match block {
            Block::Heading(heading) => writeln!(out, "<h2>{}</h2>", escaped(heading)),
            Block::Text(text) => writeln!(out, "<p>{}</p>", escaped(text)),
            Block::Table(table) => push_table(&mut out, table),
            Block::Plot(plot) => {
                writeln!(out, "<figure>{}<figcaption>{}</figcaption></figure>", plot.svg(), escaped(&plot.caption))
            }
            Block::Claim(claim) => push_claim(&mut out, claim),
        };
    }
    let _ = write!(out, "<script>\n{SORT}</script></body></html>\n");
    out
}

fn push_summary(out: &mut String, report: &Report) {
    let count = |verdict| report.claims().filter(|claim| claim.verdict == verdict).count();
    if report.claims().next().is_some() {
        let counts = [Verdict::Holds, Verdict::Differs, Verdict::Fails]
            .map(|verdict| format!("{} {}", count(verdict), verdict.words()));
        let _ = writeln!(out, "<p class=\"summary\">Claims: {}.</p>", counts.join(", "));
    }
}

fn push_table(out: &mut String, table: &Table) -> std::fmt::Result {
    write!(out, "<div class=\"wide\"><table><caption>{}</caption><thead><tr>", escaped(&table.caption))?;
    for name in &table.columns {
        write!(out, "<th>{}</th>", escaped(name))?;
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for cell in row {
            let class = if cell.is_figure() { " class=\"figure\"" } else { "" };
            write!(out, "<td{class}>{}</td>", escaped(&cell.shown()))?;
        }
        out.push_str("</tr>\n");
    }
    writeln!(out, "</tbody></table></div>")
}

fn push_claim(out: &mut String, claim: &Claim) -> std::fmt::Result {
    let class = match claim.verdict {
        Verdict::Holds => "holds",
        Verdict::Differs => "differs",
        Verdict::Fails => "fails",
    };
    writeln!(
        out,
        "<div class=\"claim {class}\"><b>{}</b> <span>{}</span> {}. <i>{}</i></div>",
        claim.verdict.words(),
        escaped(&claim.place),
        escaped(&claim.claim),
        escaped(&claim.evidence)
    )
}

/// Safe between tags and in attributes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
