//! The findings as a table for people, as JSON and as CSV.

use super::read::Files;
use crate::format;
use crate::terminal::{Style, grouped, plain, plural};
use nearhit::clash::{Basis, Class, Finding, Report};
use serde::Serialize;

/// More findings than these are not listed in the terminal.
const LISTED: usize = 100;

/// Everything there is to tell.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'c> {
    pub(super) files: Vec<String>,
    pub(super) parts: usize,
    pub(super) shapes: usize,
    pub(super) triangles: u64,
    /// Names of parts without triangles.
    pub(super) empty_parts: &'c [String],
    pub(super) tolerance: f64,
    pub(super) clearance: f64,
    /// Pairs whose boxes are near each other.
    pub(super) pairs_near: usize,
    /// How many of those were judged: fewer after Ctrl-C.
    pub(super) pairs_judged: usize,
    pub(super) complete: bool,
    /// Findings that rules allow.
    pub(super) allowed: usize,
    /// Rules that allowed nothing.
    pub(super) unused_rules: &'c [String],
    pub(super) counts: Counts,
    pub(super) findings: Vec<Row<'c>>,
}

/// A finding as it is written.
#[derive(Debug, Serialize)]
pub(super) struct Row<'c> {
    #[serde(serialize_with = "by_name")]
    pub(super) class: Class,
    /// Names.
    pub(super) a: &'c str,
    pub(super) b: &'c str,
    /// Of a hard clash: a point of one surface is this deep inside the other part. Null where no point is proven inside.
    pub(super) depth: Option<f64>,
    /// No point is deeper than this. Null where that is not known.
    pub(super) depth_at_most: Option<f64>,
    /// `exact`, or `winding-number` where a mesh has holes.
    pub(super) depth_basis: Option<&'static str>,
    /// The distance of parts that do not touch.
    pub(super) gap: Option<f64>,
    /// The name of the one that is inside.
    pub(super) inside: Option<&'c str>,
    /// Where: a point of a and one of b, the deepest or the closest, in the world.
    pub(super) points: [[f64; 3]; 2],
    /// How many triangles of each touch the other part.
    pub(super) triangles: [usize; 2],
    #[serde(skip)]
    pub(super) finding: &'c Finding,
}

fn by_name<S: serde::Serializer>(class: &Class, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(class.name())
}

/// As people call a class.
pub(super) fn words(class: Class) -> &'static str {
    match class {
        Class::Hard => "hard clash",
        Class::Close => "too close",
        other => other.name(),
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

/// How many findings of each class.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Counts {
    hard: usize,
    inside: usize,
    duplicate: usize,
    undecided: usize,
    touching: usize,
    close: usize,
}

impl Counts {
    fn new(report: &Report) -> Self {
        let [hard, inside, duplicate, undecided, touching, close] = Class::ALL.map(|class| report.count(class));
        Self { hard, inside, duplicate, undecided, touching, close }
    }

    pub(super) fn of(&self, class: Class) -> usize {
        match class {
            Class::Hard => self.hard,
            Class::Inside => self.inside,
            Class::Duplicate => self.duplicate,
            Class::Undecided => self.undecided,
            Class::Touching => self.touching,
            Class::Close => self.close,
            _ => 0,
        }
    }
}

impl<'c> Row<'c> {
    fn new(finding: &'c Finding, files: &'c Files) -> Self {
        let name = |part: usize| files.assembly.parts()[part].name();
        Self {
            class: finding.class,
            a: name(finding.parts[0]),
            b: name(finding.parts[1]),
            depth: finding.depth,
            depth_at_most: finding.depth_at_most,
            depth_basis: finding.basis.map(Basis::name),
            gap: finding.gap,
            inside: finding.inside.map(name),
            points: finding.points.map(|point| point.to_array()),
            triangles: [0, 1].map(|side| finding.triangles[side].len()),
            finding,
        }
    }
}

impl<'c> Summary<'c> {
    pub(super) fn new(names: Vec<String>, files: &'c Files, report: &'c Report) -> Self {
        Self {
            files: names,
            parts: files.assembly.parts().len(),
            shapes: files.assembly.shape_count(),
            triangles: files.triangles(),
            empty_parts: &files.empty,
            tolerance: report.tolerance,
            clearance: report.clearance,
            pairs_near: report.pairs_near,
            pairs_judged: report.pairs_judged,
            complete: report.is_complete(),
            allowed: report.allowed,
            unused_rules: &report.unused_rules,
            counts: Counts::new(report),
            findings: report.findings.iter().map(|finding| Row::new(finding, files)).collect(),
        }
    }

    /// One line: what was looked at.
    pub(super) fn about(&self) -> String {
        format!(
            "{} ({}, {}), {} near each other.",
            plural(self.parts as u64, "part"),
            plural(self.triangles, "triangle"),
            plural(self.shapes as u64, "shape"),
            plural(self.pairs_near as u64, "pair")
        )
    }

    /// For the terminal.
    pub(super) fn sentences(&self, style: Style) -> String {
        let mut text = self.about() + "\n";
        if !self.complete {
            let (judged, near) = (grouped(self.pairs_judged as u64), grouped(self.pairs_near as u64));
            text += &style.bold(&format!("Stopped: {judged} of {near} pairs were checked.\n"));
        }
        if self.findings.is_empty() {
            let nothing = if self.complete { "No clashes found." } else { "No clashes found so far." };
            text += &format!("{}\n", style.good(nothing));
        } else {
            let counts =
                Class::ALL.map(|class| (self.counts.of(class), class)).into_iter().filter(|(count, _)| *count > 0);
            let counts: Vec<String> =
                counts.map(|(count, class)| format!("{} {}", grouped(count as u64), words_of(class, count))).collect();
            text += &format!("{}\n\n{}", style.bold(&format!("Found: {}.", counts.join(", "))), self.table(style));
        }
        text + &self.remarks()
    }

    fn table(&self, style: Style) -> String {
        let rows: Vec<[String; 4]> = self.findings.iter().take(LISTED).map(row).collect();
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
        for (row, finding) in rows.iter().zip(&self.findings) {
            let is_bad = finding.class == Class::Hard;
            text += &line(row, &|what| if is_bad { style.bad(what) } else { what.to_owned() });
        }
        if self.findings.len() > LISTED {
            let more = grouped((self.findings.len() - LISTED) as u64);
            text += &format!("  … and {more} more: use --csv FILE, --html FILE or --json for all of them.\n");
        }
        text
    }

    fn remarks(&self) -> String {
        let mut text = String::new();
        if self.allowed > 0 {
            text += &format!("{} allowed by rules.\n", plural(self.allowed as u64, "finding"));
        }
        for rule in self.unused_rules {
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
        let mut text = "class,a,b,depth,depth_at_most,depth_basis,gap,inside,x,y,z\n".to_owned();
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:?}"));
        for finding in &self.findings {
            let [x, y, z] = middle(finding.points).map(|value| format!("{value:?}"));
            let cells = [
                words(finding.class).to_owned(),
                quoted(finding.a),
                quoted(finding.b),
                number(finding.depth),
                number(finding.depth_at_most),
                finding.depth_basis.unwrap_or_default().to_owned(),
                number(finding.gap),
                finding.inside.map_or(String::new(), quoted),
                x,
                y,
                z,
            ];
            text += &(cells.join(",") + "\n");
        }
        text
    }
}

fn row(finding: &Row<'_>) -> [String; 4] {
    [words(finding.class).to_owned(), plain(finding.a), plain(finding.b), plain(&how_much(finding))]
}

/// "0.5 deep", "gap 0.01", "nut is inside".
pub(super) fn how_much(finding: &Row<'_>) -> String {
    let is_open = finding.depth_basis == Some(Basis::WindingNumber.name());
    match (finding.class, finding.finding.measure(), finding.inside) {
        (Class::Hard, Some(depth), _) if is_open => {
            format!("{} deep (by winding number: a mesh has holes)", format::number(depth))
        }
        (Class::Hard, Some(depth), _) => format!("{} deep", format::number(depth)),
        (Class::Hard, None, _) => "surfaces with holes pass through each other".to_owned(),
        (Class::Undecided, Some(most), _) => format!("touching or at most {} deep", format::number(most)),
        (Class::Inside, _, Some(inner)) => format!("{inner} is inside"),
        (Class::Close, Some(gap), _) => format!("gap {}", format::number(gap)),
        _ => String::new(),
    }
}

/// Where it is.
pub(super) fn middle(points: [[f64; 3]; 2]) -> [f64; 3] {
    std::array::from_fn(|axis| 0.5 * points[0][axis] + 0.5 * points[1][axis])
}

/// As CSV wants a name: in quotes where it must be, and never the beginning of a formula.
fn quoted(name: &str) -> String {
    let formula = name.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if formula || name.contains([',', '"', '\n', '\r']) {
        format!("\"{}{}\"", if formula { "'" } else { "" }, name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names_in_csv_are_safe() {
        let names = ["bolt", "a,b", "say \"hi\"", "=1+1"];
        assert_eq!(names.map(quoted), ["bolt", "\"a,b\"", "\"say \"\"hi\"\"\"", "\"'=1+1\""]);
    }
}
