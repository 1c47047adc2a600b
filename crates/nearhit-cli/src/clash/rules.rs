//! Rules of allowed contacts, clearances and assertions, from the command line and from a file.

use crate::tolerance::length;
use anyhow::Result;
use nearhit::clash::{Claim, ClashError, Rules};
use std::path::Path;

/// Rules, and lengths that a file of rules sets.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) rules: Rules,
    pub(super) tolerance: Option<f64>,
    pub(super) clearance: Option<f64>,
    pub(super) min_volume: Option<f64>,
    pub(super) has_assertions: bool,
}

/// Rules on the command line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Args<'t> {
    pub(super) allow: &'t [String],
    pub(super) only: &'t [String],
    pub(super) groups: &'t [String],
    pub(super) assertions: &'t [String],
}

/// Rules of the command line and of a file. Groups may be used before they are defined.
pub(super) fn read(args: Args<'_>, file: Option<&Path>) -> Result<Read> {
    let mut lines: Vec<Line> = Vec::new();
    if let Some(path) = file {
        let text = super::read::text(path)?;
        for (index, line) in text.lines().enumerate() {
            let line = without_comment(line).trim();
            if !line.is_empty() {
                lines.push(Line::new(line, format!("{}:{}: ", path.display(), index + 1)));
            }
        }
    }
    let line = |kind: Kind, text: &String, flag: &str| Line { kind, text: text.clone(), place: format!("{flag} ") };
    lines.extend(args.groups.iter().map(|group| line(Kind::Group, group, "--group")));
    lines.extend(args.allow.iter().map(|rule| line(Kind::Rule, rule, "--allow")));
    lines.extend(args.only.iter().map(|pair| line(Kind::Rule, &format!("only {pair}"), "--only")));
    lines.extend(args.assertions.iter().map(|claim| line(Kind::Assert, claim, "--assert")));
    let of = |kind: Kind| lines.iter().filter(move |line| line.kind == kind).map(|line| line.text.as_str());
    let (rules, groups): (Vec<&str>, Vec<&str>) = (of(Kind::Rule).collect(), of(Kind::Group).collect());
    let rules =
        Rules::new(&rules, &groups).map_err(|error| anyhow::anyhow!("{}{}", place(&error, &lines), told(&error)))?;
    let mut read = Read { rules, ..Read::default() };
    for line in &lines {
        read.add(line).map_err(|error| anyhow::anyhow!("{}{error}", line.place))?;
    }
    Ok(read)
}

impl Read {
    /// Lines that are neither rules nor groups.
    fn add(&mut self, line: &Line) -> Result<()> {
        let text = line.text.as_str();
        match line.kind {
            Kind::Group | Kind::Rule => {}
            Kind::Tolerance => self.tolerance = Some(length(text, "", "tolerance")?),
            Kind::MinVolume => self.min_volume = Some(length(text, "", "min-volume")?),
            Kind::Clearance => match text.rsplit_once(char::is_whitespace) {
                None => self.clearance = Some(length(text, "", "clearance")?),
                Some((pair, value)) => {
                    let value = length(value, "", "clearance")?;
                    self.rules.clearance(pair.trim(), value).map_err(|error| anyhow::anyhow!(told(&error)))?;
                }
            },
            Kind::Assert => {
                let (name, pair, claim) = assertion(text)?;
                self.rules.assert(name, pair, claim).map_err(|error| anyhow::anyhow!(told(&error)))?;
                self.has_assertions = true;
            }
        }
        Ok(())
    }
}

/// `NAME = A:B clears T` or `NAME = A:B touches`.
fn assertion(text: &str) -> Result<(&str, &str, Claim)> {
    let refused = || anyhow::anyhow!("{text}: an assertion is NAME = A:B clears T, or NAME = A:B touches");
    let (name, claim) = text.split_once('=').ok_or_else(refused)?;
    let claim = claim.trim();
    if let Some(pair) = claim.strip_suffix(" touches") {
        return Ok((name.trim(), pair.trim(), Claim::Touches));
    }
    let (rest, distance) = claim.rsplit_once(char::is_whitespace).ok_or_else(refused)?;
    let pair = rest.trim().strip_suffix(" clears").ok_or_else(refused)?;
    Ok((name.trim(), pair.trim(), Claim::Clears(length(distance, "", "distance")?)))
}

/// What is before a `#` that no backslash is before.
fn without_comment(line: &str) -> &str {
    let mut is_escaped = false;
    let comment = line.find(|letter| {
        let begins = letter == '#' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        begins
    });
    &line[..comment.unwrap_or(line.len())]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Group,
    Rule,
    Clearance,
    Tolerance,
    MinVolume,
    Assert,
}

/// First words of lines that are no rules.
const KINDS: [(&str, Kind); 5] = [
    ("group ", Kind::Group),
    ("clearance ", Kind::Clearance),
    ("tolerance ", Kind::Tolerance),
    ("min-volume ", Kind::MinVolume),
    ("assert ", Kind::Assert),
];

struct Line {
    kind: Kind,
    text: String,
    /// Where it comes from.
    place: String,
}

impl Line {
    fn new(line: &str, place: String) -> Self {
        let found = KINDS.into_iter().find_map(|(word, kind)| Some((kind, line.strip_prefix(word)?)));
        let (kind, text) = found.unwrap_or((Kind::Rule, line));
        Self { kind, text: text.trim().to_owned(), place }
    }
}

/// Where the line that an error is about comes from.
fn place<'l>(error: &ClashError, lines: &'l [Line]) -> &'l str {
    let (kind, text) = match error {
        ClashError::Group { text } => (Kind::Group, text),
        ClashError::Rule { text } | ClashError::UnknownGroup { text, .. } => (Kind::Rule, text),
        _ => return "",
    };
    // Of pairs that alone are looked at the error tells the pair.
    let is_meant = |line: &&Line| {
        line.kind == kind
            && (line.text == *text || line.text.strip_prefix("only ").is_some_and(|pair| pair.trim() == text))
    };
    lines.iter().find(is_meant).map_or("", |line| line.place.as_str())
}

fn told(error: &ClashError) -> String {
    match error {
        ClashError::UnknownGroup { group, .. } => format!("{error}; define it with --group {group}=PATTERN,…"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::without_comment;

    #[test]
    fn a_backslash_keeps_what_would_begin_a_comment() {
        assert_eq!(without_comment("a:b # why"), "a:b ");
        assert_eq!(without_comment(r"a\#1:b # why"), r"a\#1:b ");
        assert_eq!(without_comment(r"a:b\\# why"), r"a:b\\");
        assert_eq!(without_comment("a:b"), "a:b");
    }
}
