//! The findings as a table for people, as JSON and as CSV.

use super::assembly::Assembly;
use super::finding::{Class, Finding};
use super::search::{Found, Request};
use crate::say;
use crate::terminal::{Style, grouped, plural};
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
    /// How many of those were looked at: fewer after Ctrl-C.
    pub(super) pairs_judged: usize,
    pub(super) complete: bool,
    /// Findings that rules allow.
    pub(super) allowed: usize,
    /// Rules that nothing came under.
    pub(super) unused_rules: Vec<&'c str>,
    pub(super) counts: Counts,
    pub(super) findings: &'c [Finding],
}

/// How many findings of each class.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Counts {
    hard: usize,
    inside: usize,
    duplicate: usize,
    touching: usize,
    close: usize,
}

impl Counts {
    fn new(findings: &[Finding]) -> Self {
        let of = |class| findings.iter().filter(|finding| finding.class == class).count();
        Self {
            hard: of(Class::Hard),
            inside: of(Class::Inside),
            duplicate: of(Class::Duplicate),
            touching: of(Class::Touching),
            close: of(Class::Close),
        }
    }

    pub(super) fn of(&self, class: Class) -> usize {
        match class {
            Class::Hard => self.hard,
            Class::Inside => self.inside,
            Class::Duplicate => self.duplicate,
            Class::Touching => self.touching,
            Class::Close => self.close,
        }
    }
}

impl<'c> Summary<'c> {
    pub(super) fn new(files: Vec<String>, assembly: &'c Assembly, request: &'c Request, found: &'c Found) -> Self {
        Self {
            files,
            parts: assembly.parts.len(),
            shapes: assembly.shapes.len(),
            triangles: assembly.triangles(),
            empty_parts: &assembly.empty,
            tolerance: request.limits.tolerance,
            clearance: request.limits.clearance,
            pairs_near: found.near,
            pairs_judged: found.judged,
            complete: found.judged == found.near,
            allowed: found.allowed,
            unused_rules: if found.judged == found.near { request.allowed.unused() } else { Vec::new() },
            counts: Counts::new(&found.findings),
            findings: &found.findings,
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
            text += &style.bold(&format!("Stopped: {judged} of {near} pairs were looked at.\n"));
        }
        if self.findings.is_empty() {
            let nothing =
                if self.complete { "Nothing is the matter with any of them." } else { "Nothing was found so far." };
            text += &format!("{}\n", style.good(nothing));
        } else {
            let counts =
                Class::ALL.map(|class| (self.counts.of(class), class)).into_iter().filter(|(count, _)| *count > 0);
            let counts: Vec<String> =
                counts.map(|(count, class)| format!("{} {}", grouped(count as u64), class.words_of(count))).collect();
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
        for (row, finding) in rows.iter().zip(self.findings) {
            let is_bad = finding.class == Class::Hard;
            text += &line(row, &|what| if is_bad { style.bad(what) } else { what.to_owned() });
        }
        if self.findings.len() > LISTED {
            let more = grouped((self.findings.len() - LISTED) as u64);
            text += &format!("  … and {more} more: --csv FILE, --html FILE and --json tell of all.\n");
        }
        text
    }

    fn remarks(&self) -> String {
        let mut text = String::new();
        if self.allowed > 0 {
            text += &format!("{} allowed by rules.\n", plural(self.allowed as u64, "finding"));
        }
        for rule in &self.unused_rules {
            text += &format!("The rule {rule} allowed nothing: check its names.\n");
        }
        if !self.empty_parts.is_empty() {
            text += &format!("Left out, for they have no triangles: {}.\n", self.empty_parts.join(", "));
        }
        text
    }

    /// A line a finding. Absent numbers are empty.
    pub(super) fn csv(&self) -> String {
        let mut text = "class,a,b,depth,depth_at_most,gap,inside,x,y,z\n".to_owned();
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:?}"));
        for finding in self.findings {
            let [x, y, z] = middle(finding).map(|value| format!("{value:?}"));
            let cells = [
                finding.class.words().to_owned(),
                quoted(&finding.a),
                quoted(&finding.b),
                number(finding.depth),
                number(finding.depth_at_most),
                number(finding.gap),
                finding.inside.as_deref().map_or(String::new(), quoted),
                x,
                y,
                z,
            ];
            text += &(cells.join(",") + "\n");
        }
        text
    }
}

fn row(finding: &Finding) -> [String; 4] {
    [finding.class.words().to_owned(), finding.a.clone(), finding.b.clone(), how_much(finding)]
}

/// "0.5 deep", "gap 0.01", "nut is inside".
pub(super) fn how_much(finding: &Finding) -> String {
    match (finding.class, finding.measure(), &finding.inside) {
        (Class::Hard, Some(depth), _) => format!("{} deep", say::number(depth)),
        (Class::Hard, None, _) => "surfaces with holes pass through each other".to_owned(),
        (Class::Inside, _, Some(inner)) => format!("{inner} is inside"),
        (Class::Close, Some(gap), _) => format!("gap {}", say::number(gap)),
        _ => String::new(),
    }
}

/// Where it is.
pub(super) fn middle(finding: &Finding) -> [f64; 3] {
    std::array::from_fn(|axis| 0.5 * finding.points[0][axis] + 0.5 * finding.points[1][axis])
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
