//! The clash report as an HTML page: one file, nothing fetched from anywhere.

use super::pictures::Pictures;
use super::summary::{Summary, facets, place, undecided, words, words_of};
use crate::format;
use crate::terminal::{grouped, plural};
use anyhow::Result;
use nearhit::clash::{Assembly, Basis, Class, Finding as Found};
use nearhit::report::{Finding, Group};
use std::fmt::Write;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(include_str!("../matrices.js"), include_str!("page.js"));

/// The text of the page.
pub(super) fn page(summary: &Summary<'_>, assembly: &Assembly, findings: &[Found], unit: &str) -> Result<String> {
    let pictures = Pictures::new(findings, assembly)?;
    // "</" would end the script element that the data is in.
    let data = serde_json::to_string(&pictures)?.replace("</", "<\\/");
    let parts = [
        ("{{style}}", STYLE.to_owned()),
        ("{{files}}", escaped(&summary.files.join(", "))),
        ("{{about}}", escaped(&about(summary, pictures.count(), unit))),
        ("{{state}}", state(summary)),
        ("{{chips}}", chips(summary)),
        ("{{rows}}", rows(summary, unit)),
        ("{{groups}}", groups(summary)),
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

fn about(summary: &Summary<'_>, pictures: usize, unit: &str) -> String {
    let mut text = summary.about();
    let _ = write!(text, " Lengths in {unit}. Tolerance {} {unit}", format::digits(summary.clash.tolerance, SHOWN));
    let clearance = format::digits(summary.clash.clearance, SHOWN);
    let has_clearance = summary.clash.clearance > 0.0;
    let _ = if has_clearance { write!(text, ", clearance {clearance} {unit}.") } else { write!(text, ".") };
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

fn rows(summary: &Summary<'_>, unit: &str) -> String {
    let mut text = String::new();
    for (index, finding) in summary.clash.findings.iter().enumerate() {
        let (key, words) = (finding.class.to_string(), words(finding.class));
        let measure = finding.measure.map_or(String::new(), |value| format!("{value:?}"));
        let volume = finding.overlap.as_ref().filter(|_| finding.class == Class::Hard);
        let volume = volume.map_or(String::new(), |overlap| format!("{:?}", overlap.volume.upper));
        let change = finding.change.map_or(String::new(), |change| format!(" <small>{change}</small>"));
        let at = place(finding).map(|value| format::decimals(value, summary.clash.tolerance)).join(", ");
        let note = escaped(&note(finding, unit));
        let _ = writeln!(
            text,
            "<tr data-class=\"{key}\" data-index=\"{index}\" data-id=\"{}\" data-severity=\"{}\" data-at=\"{at}\" data-note=\"{note}\"><td>{}</td>\
             <td data-sort=\"{}\"><span class=\"tag {key}\">{words}</span>{change}</td><td>{}</td><td>{}</td>\
             <td data-sort=\"{measure}\">{}</td><td class=\"number\" data-sort=\"{volume}\">{}</td><td></td></tr>",
            finding.id,
            finding.severity,
            index + 1,
            finding.class as u8,
            name(&finding.a),
            name(&finding.b),
            escaped(&much(finding, unit)),
            escaped(&volume_of(finding, unit)),
        );
    }
    text
}

/// Digits that a person reads.
const SHOWN: usize = 3;

/// What the class is about, with its unit: "0.0352 mm deep".
fn much(finding: &Finding, unit: &str) -> String {
    let length = finding.measure.map(|value| format!("{} {unit}", format::digits(value, SHOWN)));
    let is_open = finding.basis == Some(Basis::WindingNumber);
    match (finding.class, length, &finding.inside) {
        (Class::Hard, Some(length), _) if is_open => {
            format!("at least {length} deep")
        }
        (Class::Hard, Some(length), _) => format!("{length} deep"),
        (Class::Close, Some(length), _) => format!("{length} apart"),
        (Class::Undecided, length, _) => undecided(finding.touches, length),
        (Class::Hard, None, _) => "surfaces with holes pass through each other".to_owned(),
        (Class::Inside, _, Some(inner)) => format!("{inner} is inside"),
        _ => String::new(),
    }
}

/// What else there is to say: what a depth rests on, what passes through, copies.
fn note(finding: &Finding, unit: &str) -> String {
    let is_open = finding.basis == Some(Basis::WindingNumber);
    let open = is_open.then(|| "by winding number: a mesh has holes".to_owned());
    let facets = finding.touching_with.map(|tolerance| facets(tolerance, &format!(" {unit}")));
    let through = finding.overlap.as_ref().and_then(|overlap| overlap.through.as_ref());
    let through = through.map(|inner| format!("{inner} passes through"));
    let copies = (!finding.copies.is_empty()).then(|| format!("in the same place: {}", shortened(&finding.copies)));
    [through, open, facets, copies].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The first few names.
fn shortened(names: &[String]) -> String {
    const MOST: usize = 20;
    let listed = names.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    if names.len() <= MOST { listed } else { format!("{listed} and {} more", grouped((names.len() - MOST) as u64)) }
}

fn volume_of(finding: &Finding, unit: &str) -> String {
    let volume = finding.overlap.as_ref().filter(|_| finding.class == Class::Hard).map(|overlap| overlap.volume);
    volume.map_or(String::new(), |volume| format!("{} {unit}³", format::digits(volume.upper, SHOWN)))
}

/// Groups to choose from, with the findings of each.
fn groups(summary: &Summary<'_>) -> String {
    let option = |group: &Group| {
        let findings: Vec<String> = group.findings.iter().map(usize::to_string).collect();
        let count = grouped(group.findings.len() as u64);
        format!("<option value=\"{}\">{count} × {}</option>\n", findings.join(" "), escaped(&group.name))
    };
    summary.clash.groups.iter().map(option).collect()
}

/// Names with more characters, paths and what a line could be broken after are put together from
/// pieces.
const WHOLE: usize = 16;

/// A name as a cell shows it: a path may be broken after its slashes, and nowhere else; pieces that
/// are too wide are cut by the style, and what they are in is told softly.
fn name(name: &str) -> String {
    if name.chars().count() <= WHOLE && !name.contains(['/', '-', ' ']) {
        return escaped(name);
    }
    let last = name.rfind('/').map_or(0, |slash| slash + 1);
    let mut text = format!("<span title=\"{}\">", escaped(name));
    for piece in name[..last].split_inclusive('/') {
        let _ = write!(text, "<span class=\"piece up\">{}</span><wbr>", escaped(piece));
    }
    let _ = write!(text, "<span class=\"piece\">{}</span></span>", escaped(&name[last..]));
    text
}

/// Safe between tags and in attributes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::name;

    /// What a cell says is the name, whatever is in it; paths are in pieces.
    #[test]
    fn cells_say_whole_names() {
        assert_eq!(name("bolt_<1>"), "bolt_&lt;1&gt;");
        let told = name("left/a&b/bolt");
        assert_eq!(told.matches("class=\"piece").count(), 3);
        for text in ["left/a&b/bolt", "/", "a//", "a very long name without any slash"] {
            let shown = name(text);
            let pieces = shown.split('<').filter_map(|part| part.split_once('>').map(|(_, text)| text));
            assert_eq!(pieces.collect::<String>().replace("&amp;", "&"), text);
        }
    }
}
