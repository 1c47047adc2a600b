//! The clash report as a table, as JSON and as CSV.

use super::read::Files;
use crate::format;
use crate::solid::volume_words;
use crate::terminal::{Style, grouped, plain, plural};
use nearhit::clash::{Basis, Class, Report};
use nearhit::report::{Assertion, Baseline, Clash, Finding};
use serde::Serialize;

/// More findings than these are not listed in the terminal.
const LISTED: usize = 100;

/// The findings with the files that they are about, as one line of JSON.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'c> {
    pub(super) files: Vec<String>,
    /// Names of parts without triangles.
    pub(super) empty_parts: &'c [String],
    #[serde(flatten)]
    pub(super) clash: Clash,
}

/// Where a finding is: the middle of its two points.
pub(super) fn place(finding: &Finding) -> [f64; 3] {
    std::array::from_fn(|axis| 0.5 * finding.points[0][axis] + 0.5 * finding.points[1][axis])
}

/// As people call a class.
pub(super) fn words(class: Class) -> &'static str {
    match class {
        Class::Hard => "hard clash",
        Class::Close => "too close",
        other => other.into(),
    }
}

/// With a number before it.
pub(super) fn words_of(class: Class, count: usize) -> &'static str {
    match class {
        Class::Hard if count != 1 => "hard clashes",
        Class::Duplicate if count != 1 => "duplicates",
        other => words(other),
    }
}

impl<'c> Summary<'c> {
    pub(super) fn new(names: Vec<String>, files: &'c Files, report: &Report) -> Self {
        Self { files: names, empty_parts: &files.empty, clash: Clash::new(&files.assembly, report) }
    }

    /// One line: what was looked at.
    pub(super) fn about(&self) -> String {
        let clash = &self.clash;
        format!(
            "{} ({}, {}), {} near each other.",
            plural(clash.parts as u64, "part"),
            plural(clash.triangles, "triangle"),
            plural(clash.shapes as u64, "shape"),
            plural(clash.pairs_near as u64, "pair")
        )
    }

    /// For the terminal.
    pub(super) fn sentences(&self, style: Style) -> String {
        let mut text = self.about() + "\n";
        if !self.clash.is_complete {
            let (judged, near) = (grouped(self.clash.pairs_judged as u64), grouped(self.clash.pairs_near as u64));
            text += &style.bold(&format!("Stopped: {judged} of {near} pairs were checked.\n"));
        }
        if self.clash.findings.is_empty() {
            let nothing = if self.clash.is_complete { "No clashes found." } else { "No clashes found so far." };
            text += &format!("{}\n", style.good(nothing));
        } else {
            let counts =
                Class::ALL.map(|class| (self.clash.counts[class], class)).into_iter().filter(|(count, _)| *count > 0);
            let counts: Vec<String> =
                counts.map(|(count, class)| format!("{} {}", grouped(count as u64), words_of(class, count))).collect();
            text += &format!("{}\n\n{}", style.bold(&format!("Found: {}.", counts.join(", "))), self.table(style));
        }
        text + &self.groups() + &self.changes() + &self.assertions(style) + &self.remarks()
    }

    fn groups(&self) -> String {
        let mut text = String::new();
        for group in self.clash.groups.iter().take(LISTED) {
            text += &format!("  {} × {}\n", grouped(group.findings.len() as u64), plain(&group.name));
        }
        if text.is_empty() { text } else { format!("\nGroups:\n{text}") }
    }

    fn changes(&self) -> String {
        let Some(baseline) = &self.clash.baseline else { return String::new() };
        let Baseline { new, changed, persistent, resolved, .. } = baseline;
        let mut text = format!(
            "Since the baseline: {} new, {} changed, {} persistent, {} resolved.\n",
            grouped(*new as u64),
            grouped(*changed as u64),
            grouped(*persistent as u64),
            grouped(resolved.len() as u64)
        );
        for gone in resolved.iter().take(LISTED) {
            text += &format!("  resolved: {} of {} and {}\n", words(gone.class), plain(&gone.a), plain(&gone.b));
        }
        text
    }

    fn assertions(&self, style: Style) -> String {
        let mut text = String::new();
        for Assertion { name, standing, worst, distance, .. } in &self.clash.assertions {
            let name = plain(name);
            text += &match (*standing, worst, distance) {
                ("holds", ..) => format!("{}: {name}\n", style.good("holds")),
                ("violated", Some([a, b]), Some(distance)) => format!(
                    "{}: {name} ({} and {}: distance {})\n",
                    style.bad("violated"),
                    plain(a),
                    plain(b),
                    format::number(distance.upper)
                ),
                _ => format!("{}: {name} (no two parts have such names)\n", style.bold("stale")),
            };
        }
        text
    }

    fn table(&self, style: Style) -> String {
        let rows: Vec<[String; 4]> = self.clash.findings.iter().take(LISTED).map(row).collect();
        let header = ["what", "a", "b", "how much"].map(str::to_owned);
        let width =
            |column: usize| rows.iter().chain([&header]).map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths = [0, 1, 2].map(width);
        let line = |[what, a, b, much]: &[String; 4], set_off: &dyn Fn(&str) -> String| {
            let what = set_off(&format!("{what:0$}", widths[0]));
            let text = format!("  {what}  {a:0$}  {b:1$}  {much}", widths[1], widths[2]);
            text.trim_end().to_owned() + "\n"
        };
        let mut text = style.dim(line(&header, &str::to_owned).trim_end()) + "\n";
        for (row, finding) in rows.iter().zip(&self.clash.findings) {
            let is_bad = finding.class == Class::Hard;
            text += &line(row, &|what| if is_bad { style.bad(what) } else { what.to_owned() });
        }
        if self.clash.findings.len() > LISTED {
            let more = grouped((self.clash.findings.len() - LISTED) as u64);
            text += &format!("  … and {more} more: use --csv FILE, --html FILE or --json for all of them.\n");
        }
        text
    }

    fn remarks(&self) -> String {
        let mut text = String::new();
        if self.clash.allowed > 0 {
            text += &format!("{} allowed by rules.\n", plural(self.clash.allowed as u64, "finding"));
        }
        for rule in &self.clash.unused_rules {
            text += &format!("The rule {} allowed nothing: check its names.\n", plain(rule));
        }
        if !self.empty_parts.is_empty() {
            let names: Vec<String> = self.empty_parts.iter().map(|name| plain(name)).collect();
            text += &format!("Left out because they have no triangles: {}.\n", names.join(", "));
        }
        text
    }

    /// A line a finding. Absent numbers are empty.
    pub(super) fn csv(&self) -> String {
        let mut text = "class,a,b,depth,depth_at_most,depth_basis,gap,inside,x,y,z,volume,volume_at_most,through,id,severity,change,copies,touches,touching_with\n".to_owned();
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:?}"));
        for finding in &self.clash.findings {
            let [x, y, z] = place(finding).map(|value| format!("{value:?}"));
            let overlap = finding.overlap.as_ref();
            let cells = [
                words(finding.class).to_owned(),
                quoted(&finding.a),
                quoted(&finding.b),
                number(finding.depth),
                number(finding.depth_at_most),
                finding.basis.map_or(String::new(), |basis| basis.to_string()),
                number(finding.gap),
                finding.inside.as_deref().map_or(String::new(), quoted),
                x,
                y,
                z,
                number(overlap.map(|overlap| overlap.volume.lower)),
                number(overlap.map(|overlap| overlap.volume.upper)),
                overlap.and_then(|overlap| overlap.through.as_deref()).map_or(String::new(), quoted),
                finding.id.clone(),
                finding.severity.to_owned(),
                finding.change.unwrap_or_default().to_owned(),
                quoted(&finding.copies.join(" ")),
                finding.touches.map_or(String::new(), |touches| touches.to_string()),
                number(finding.touching_with),
            ];
            text += &(cells.join(",") + "\n");
        }
        text
    }
}

fn row(finding: &Finding) -> [String; 4] {
    let what = match finding.change {
        Some("new") => format!("{} (new)", words(finding.class)),
        Some("changed") => format!("{} (changed)", words(finding.class)),
        _ => words(finding.class).to_owned(),
    };
    [what, plain(&finding.a), plain(&finding.b), plain(&how_much(finding))]
}

/// "0.5 deep, volume 2", "gap 0.01", "nut is inside".
pub(super) fn how_much(finding: &Finding) -> String {
    let extent = extent(finding);
    let overlap = finding.overlap.as_ref().filter(|_| finding.class == Class::Hard);
    let volume = overlap.map(|overlap| format!("volume {}", volume_words(overlap.volume)));
    let through = overlap.and_then(|overlap| overlap.through.as_ref()).map(|inner| format!("{inner} passes through"));
    let copies = match finding.copies.len() {
        0 => None,
        1 => Some(format!("and {}", finding.copies[0])),
        count => Some(format!("and {} more in the same place", grouped(count as u64))),
    };
    let facets = finding.touching_with.map(|tolerance| facets(tolerance, ""));
    [Some(extent).filter(|text| !text.is_empty()), volume, through, facets, copies]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// Of a clash that may be nothing but facets.
pub(super) fn facets(tolerance: f64, unit: &str) -> String {
    let digits = format::digits_up(tolerance, 2);
    format!("no deeper than the facets are exact: touching with a tolerance of {digits}{unit}")
}

fn extent(finding: &Finding) -> String {
    let is_open = finding.basis == Some(Basis::WindingNumber);
    match (finding.class, finding.measure, &finding.inside) {
        (Class::Hard, Some(depth), _) if is_open => {
            format!("at least {} deep (by winding number: a mesh has holes)", format::number(depth))
        }
        (Class::Hard, Some(depth), _) => format!("{} deep", format::number(depth)),
        (Class::Hard, None, _) => "surfaces with holes pass through each other".to_owned(),
        (Class::Undecided, most, _) => undecided(finding.touches, most.map(format::number)),
        (Class::Inside, _, Some(inner)) => format!("{inner} is inside"),
        (Class::Close, Some(gap), _) => format!("gap {}", format::number(gap)),
        _ => String::new(),
    }
}

/// What is known of a pair whose limit of work was reached; `most`: a bound on the depth.
pub(super) fn undecided(touches: Option<bool>, most: Option<String>) -> String {
    match (touches, most) {
        (Some(true), Some(most)) => format!("touching or at most {most} deep"),
        (Some(true), None) => "touching or deeper".to_owned(),
        (Some(false), Some(most)) => format!("surfaces apart, one may be inside the other, at most {most} deep"),
        (Some(false), None) => "surfaces apart, one may be inside the other".to_owned(),
        (None, Some(most)) => format!("not known whether they touch, at most {most} deep"),
        (None, None) => "not known whether they touch".to_owned(),
    }
}

/// As CSV wants a name: in quotes where it must be, and never the beginning of a formula.
pub(crate) fn quoted(name: &str) -> String {
    let formula = name.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if formula || name.contains([',', '"', '\n', '\r']) {
        format!("\"{}{}\"", if formula { "'" } else { "" }, name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, undecided};

    /// Only what is known to touch is said to.
    #[test]
    fn undecided_pairs_are_of_three_kinds() {
        let told = [Some(true), Some(false), None].map(|touches| undecided(touches, Some("2 mm".to_owned())));
        assert_eq!(
            told,
            [
                "touching or at most 2 mm deep",
                "surfaces apart, one may be inside the other, at most 2 mm deep",
                "not known whether they touch, at most 2 mm deep"
            ]
        );
        let told = [Some(true), Some(false), None].map(|touches| undecided(touches, None));
        assert_eq!(
            told,
            ["touching or deeper", "surfaces apart, one may be inside the other", "not known whether they touch"]
        );
    }

    #[test]
    fn names_in_csv_are_safe() {
        let names = ["bolt", "a,b", "say \"hi\"", "=1+1"];
        assert_eq!(names.map(quoted), ["bolt", "\"a,b\"", "\"say \"\"hi\"\"\"", "\"'=1+1\""]);
    }
}
