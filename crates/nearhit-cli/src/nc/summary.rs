//! The report of a check as a table, as JSON and as CSV.

use crate::format;
use crate::terminal::{Style, grouped, plain, plural};
use nearhit_nc::{Checker, Class, Clearance, Finding, Label, MoveClass, Note, Program, Report};
use serde::Serialize;
use std::fmt::Write;

/// More findings than these are not listed in the terminal.
const LISTED: usize = 50;

/// The findings with what they are about, as one line of JSON.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'c> {
    pub(super) program: String,
    moves: usize,
    checked: usize,
    clear: usize,
    ends_only: usize,
    pub(super) complete: bool,
    pub(super) findings: &'c [Finding],
    clearances: &'c [Clearance],
    /// With `--moves`.
    each: Vec<Each<'c>>,
    ignored: &'c [Note],
    unchecked: &'c [Note],
    /// What tool tables leave open, and bodies with holes.
    remarks: Vec<String>,
    tests: u64,
}

/// A move, with names.
#[derive(Debug, Serialize)]
struct Each<'c> {
    line: usize,
    class: MoveClass,
    clear_by: f64,
    piece: Option<Label>,
    body: Option<&'c str>,
    from_part: Option<f64>,
}

impl<'c> Summary<'c> {
    pub(super) fn new(name: String, program: &'c Program, checker: &'c Checker, report: &'c Report) -> Self {
        let each = report.each.iter().map(|one| Each {
            line: one.line,
            class: one.class,
            clear_by: one.clear_by,
            piece: one.piece,
            body: one.body.and_then(|body| checker.bodies().get(body)).map(nearhit_nc::Body::name),
            from_part: one.from_part,
        });
        Self {
            program: name,
            moves: report.moves,
            checked: report.checked,
            clear: report.clear,
            ends_only: report.ends_only,
            complete: report.is_complete,
            findings: &report.findings,
            clearances: &report.clearances,
            each: each.collect(),
            ignored: &program.ignored,
            unchecked: &program.unchecked,
            remarks: checker.remarks(),
            tests: report.tests,
        }
    }

    /// How many moves are clear.
    pub(super) fn clear(&self) -> String {
        let (clear, checked) = (grouped(self.clear as u64), plural(self.checked as u64, "move"));
        let ends = match self.ends_only {
            0 => String::new(),
            1 => ", 1 only at its end".to_owned(),
            count => format!(", {} only at their ends", grouped(count as u64)),
        };
        format!("{clear} of {checked} clear at every instant{ends}.")
    }

    /// For the terminal.
    pub(super) fn sentences(&self, style: Style) -> String {
        let mut text = self.clear() + "\n";
        if !self.complete {
            let (checked, all) = (grouped(self.checked as u64), grouped(self.moves as u64));
            text += &style.bold(&format!("Stopped: {checked} of {all} moves were checked.\n"));
        }
        if self.moves == 0 && self.unchecked.is_empty() {
            text += &style.bold("The program has no moves.\n");
        } else if self.moves == 0 {
            text += &style.bold("No move could be checked.\n");
        } else if self.complete && self.clear == 0 && self.findings.is_empty() {
            text += &style.bold("Of no move more than its end could be checked.\n");
        } else if self.findings.is_empty() {
            let nothing = if self.complete { "Nothing found." } else { "Nothing found so far." };
            text += &format!("{}\n", style.good(nothing));
        } else {
            let found = plural(self.findings.len() as u64, "finding");
            text += &format!("{}\n\n{}", style.bold(&format!("{found}:")), self.table(style));
        }
        for least in self.clearances {
            let (piece, body, length) = (least.piece, plain(&least.body), format::number(least.at_least));
            text += &format!(
                "Least clearance of {piece} and {body} in moves that are clear: at least {length}, in line {}.\n",
                least.line
            );
        }
        text + &self.notes()
    }

    pub(super) fn notes(&self) -> String {
        let mut text = String::new();
        for note in self.unchecked {
            let times =
                if note.count > 1 { format!(" (and {} more)", grouped(note.count as u64 - 1)) } else { String::new() };
            text += &format!("Line {}{times} {}.\n", note.line, plain(&note.text));
        }
        for note in self.ignored {
            let times =
                if note.count > 1 { format!(" (and {} more)", grouped(note.count as u64 - 1)) } else { String::new() };
            text += &format!("Ignored in line {}{times}: {}.\n", note.line, plain(&note.text));
        }
        for remark in &self.remarks {
            text += &format!("{}.\n", plain(remark));
        }
        text
    }

    fn table(&self, style: Style) -> String {
        let rows: Vec<[String; 6]> = self.findings.iter().take(LISTED).map(row).collect();
        let header = ["line", "what", "tool", "body", "how much", "tip at"].map(str::to_owned);
        let width =
            |column: usize| rows.iter().chain([&header]).map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths = [0, 1, 2, 3, 4].map(width);
        let line = |row: &[String; 6], set_off: &dyn Fn(&str) -> String| {
            let [number, what, tool, body, much, at] = row;
            let [a, b, c, d, e] = widths;
            format!("  {number:>a$}  {}  {tool:c$}  {body:d$}  {much:e$}  {at}", set_off(&format!("{what:b$}")))
        };
        let mut text = style.dim(&line(&header, &str::to_owned)) + "\n";
        for (row, finding) in rows.iter().zip(self.findings) {
            let is_bad = finding.class == Class::Contact;
            text += line(row, &|what| if is_bad { style.bad(what) } else { what.to_owned() }).trim_end();
            text += "\n";
        }
        if self.findings.len() > LISTED {
            let more = grouped((self.findings.len() - LISTED) as u64);
            text += &format!("  … and {more} more: use --csv FILE or --json for all of them.\n");
        }
        text
    }

    /// A line a move.
    pub(super) fn moves_csv(&self) -> String {
        let mut text = "line,move,class,clear_by,piece,body,from_part\n".to_owned();
        for (index, one) in self.each.iter().enumerate() {
            let class = format!("{:?}", one.class).to_lowercase();
            let piece = one.piece.map(|piece| piece.to_string()).unwrap_or_default();
            let body = one.body.map(crate::clash::quoted).unwrap_or_default();
            let part = one.from_part.map(|length| format!("{length:?}")).unwrap_or_default();
            let _ = writeln!(text, "{},{index},{class},{:?},{piece},{body},{part}", one.line, one.clear_by);
        }
        text
    }

    /// A line a finding.
    pub(super) fn csv(&self) -> String {
        let mut text = "class,line,move,kind,tool,piece,body,role,after,at,tip_x,tip_y,tip_z,x,y,z,needed,clearance_lower,clearance_upper\n".to_owned();
        for finding in self.findings {
            let word = |value: &dyn std::fmt::Debug| format!("{value:?}").to_lowercase();
            let number = |value: f64| if value.is_finite() { format!("{value:?}") } else { String::new() };
            let place = |place: Option<[f64; 3]>| place.map_or([const { String::new() }; 3], |place| place.map(number));
            let [tip_x, tip_y, tip_z] = place(finding.tip);
            let [x, y, z] = place(finding.point);
            let cells = [
                word(&finding.class),
                finding.line.to_string(),
                finding.index.to_string(),
                word(&finding.kind),
                finding.tool.to_string(),
                finding.piece.to_string(),
                crate::clash::quoted(&finding.body),
                finding.role.to_string(),
                number(finding.after),
                number(finding.at),
                tip_x,
                tip_y,
                tip_z,
                x,
                y,
                z,
                number(finding.needed),
                number(finding.clearance.lower),
                number(finding.clearance.upper),
            ];
            text += &(cells.join(",") + "\n");
        }
        text
    }
}

/// Line, what, tool, body, how much, where the tip is.
pub(super) fn row(finding: &Finding) -> [String; 6] {
    let what = match finding.class {
        Class::Contact if finding.clearance.upper <= 0.0 && finding.needed < 0.0 => "gouge",
        Class::Contact if finding.clearance.upper <= 0.0 => "contact",
        Class::Contact => "too close",
        Class::Possible => "possible",
        Class::Undecided => "undecided",
    };
    let tool = format!("T{} {}", finding.tool, finding.piece);
    let place = |point: [f64; 3]| format::point(point.map(|value| (value * 1e4).round() / 1e4 + 0.0));
    let place = finding.tip.map_or_else(|| certain(finding), place);
    [finding.line.to_string(), what.into(), tool, plain(&finding.body), how_much(finding), place]
}

/// What is told in place of a place: "certain up to 12.5 %".
pub(super) fn certain(finding: &Finding) -> String {
    if finding.class == Class::Possible {
        return "the place depends on the way".into();
    }
    // Rounded down: no more is certain.
    format!("certain up to {} %", format::number((finding.after * 1e3).floor() / 10.0))
}

/// "0.3 deep", "0.5 away, 1 needed".
fn how_much(finding: &Finding) -> String {
    // To the thousandth that depths are measured to.
    let tidy = |value: f64| format::number((value * 1e3).round() / 1e3 + 0.0);
    let (lower, upper) = (finding.clearance.lower, finding.clearance.upper);
    // Where the limit of work was reached, the depth is not known to a thousandth.
    let is_wide = upper - lower > 2e-3;
    match finding.class {
        Class::Contact if lower < 0.0 && is_wide && upper < 0.0 => format!("{} to {} deep", tidy(-upper), tidy(-lower)),
        Class::Contact if lower < 0.0 && is_wide => format!("at most {} deep", tidy(-lower)),
        Class::Contact if lower < 0.0 => format!("{} deep", tidy(-lower)),
        Class::Contact if upper <= 0.0 => "touching".into(),
        Class::Contact if is_wide => {
            format!("{} to {} away, {} needed", tidy(lower), tidy(upper), tidy(finding.needed))
        }
        Class::Contact => format!("{} away, {} needed", tidy(upper), tidy(finding.needed)),
        Class::Possible => "on some way of the axes".into(),
        Class::Undecided => "not known".into(),
    }
}
