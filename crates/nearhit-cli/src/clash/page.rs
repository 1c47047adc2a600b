//! The clash report as an HTML page: one file, nothing fetched from anywhere.

use super::pictures::Pictures;
use super::summary::{Summary, how_much, place, words, words_of};
use crate::format;
use crate::terminal::{grouped, plural};
use anyhow::Result;
use nearhit::clash::{Assembly, Class, Finding};
use std::fmt::Write;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(include_str!("../matrices.js"), include_str!("page.js"));

/// The text of the page.
pub(super) fn page(summary: &Summary<'_>, assembly: &Assembly, findings: &[Finding]) -> Result<String> {
    let pictures = Pictures::new(findings, assembly);
    // "</" would end the script element that the data is in.
    let data = serde_json::to_string(&pictures)?.replace("</", "<\\/");
    let parts = [
        ("{{style}}", STYLE.to_owned()),
        ("{{files}}", escaped(&summary.files.join(", "))),
        ("{{about}}", escaped(&about(summary, pictures.count()))),
        ("{{state}}", state(summary)),
        ("{{chips}}", chips(summary)),
        ("{{rows}}", rows(summary)),
        ("{{version}}", env!("CARGO_PKG_VERSION").to_owned()),
        ("{{data}}", data),
        ("{{script}}", SCRIPT.to_owned()),
    ];
    Ok(filled(FRAME, &parts))
}

/// A frame with its marks, such as `{{style}}`, replaced by their parts.
pub(crate) fn filled(frame: &str, parts: &[(&str, String)]) -> String {
    // One pass, so that a name that looks like a mark stays a name.
    let mut text = String::new();
    let mut rest = frame;
    while let Some((before, mark)) = rest.split_once("{{") {
        let Some((name, after)) = mark.split_once("}}") else { break };
        text += before;
        let mark = format!("{{{{{name}}}}}");
        text += parts.iter().find(|(known, _)| *known == mark).map_or("", |(_, part)| part);
        rest = after;
    }
    text + rest
}

fn about(summary: &Summary<'_>, pictures: usize) -> String {
    let mut text = summary.about();
    let _ = write!(text, " Tolerance {}", format::number(summary.clash.tolerance));
    let clearance = summary.clash.clearance;
    let _ =
        if clearance > 0.0 { write!(text, ", clearance {}.", format::number(clearance)) } else { write!(text, ".") };
    if summary.clash.allowed > 0 {
        let _ = write!(text, " {} allowed by rules, not listed.", plural(summary.clash.allowed as u64, "finding"));
    }
    if pictures < summary.clash.findings.len() {
        let _ = write!(text, " The first {} findings have a picture.", grouped(pictures as u64));
    }
    text
}

fn state(summary: &Summary<'_>) -> String {
    if summary.clash.is_complete {
        return String::new();
    }
    let (judged, near) = (grouped(summary.clash.pairs_judged as u64), grouped(summary.clash.pairs_near as u64));
    format!("<p class=\"stopped\">This report is not complete: {judged} of {near} pairs were checked.</p>")
}

fn chips(summary: &Summary<'_>) -> String {
    let chip = |class: Class| {
        let count = summary.clash.counts[class];
        let (name, count) = (words_of(class, count), grouped(count as u64));
        let key: &str = class.into();
        format!(
            "<label class=\"chip {key}\"><input type=\"checkbox\" data-class=\"{key}\" checked> <b>{count}</b> {name}</label>\n"
        )
    };
    Class::ALL.into_iter().map(chip).collect()
}

fn rows(summary: &Summary<'_>) -> String {
    let mut text = String::new();
    for (index, finding) in summary.clash.findings.iter().enumerate() {
        let (key, words) = (finding.class.to_string(), words(finding.class));
        let measure = finding.measure.map_or(String::new(), |value| format!("{value:?}"));
        // What is nothing but rounding is zero.
        let tidy = |value: f64| if value.abs() < 1e-3 * summary.clash.tolerance { 0.0 } else { value };
        let at = place(finding).map(|value| format::number(tidy(value))).join(", ");
        let _ = writeln!(
            text,
            "<tr data-class=\"{key}\" data-index=\"{index}\"><td>{}</td><td data-sort=\"{}\"><span class=\"tag {key}\">{words}</span></td>\
             <td>{}</td><td>{}</td><td data-sort=\"{measure}\">{}</td><td class=\"at\">{at}</td></tr>",
            index + 1,
            finding.class as u8,
            escaped(&finding.a),
            escaped(&finding.b),
            escaped(&how_much(finding)),
        );
    }
    text
}

/// Safe between tags and in attributes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
