//! Rules of allowed contacts, from the command line and from a file.

use anyhow::{Context, Result};
use nearhit::clash::{ClashError, Rules};
use std::path::Path;

/// What was typed and what is in a file. Groups may be used before they are defined.
pub(super) fn read(allow: &[String], groups: &[String], file: Option<&Path>) -> Result<Rules> {
    let mut lines: Vec<Line> = Vec::new();
    if let Some(path) = file {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        for (index, line) in text.lines().enumerate() {
            let line = without_comment(line).trim();
            let place = format!("{}:{}: ", path.display(), index + 1);
            match line.strip_prefix("group ") {
                _ if line.is_empty() => {}
                Some(group) => lines.push(Line { kind: Kind::Group, text: group.trim().to_owned(), place }),
                None => lines.push(Line { kind: Kind::Rule, text: line.to_owned(), place }),
            }
        }
    }
    let line = |kind: Kind, text: &String, flag: &str| Line { kind, text: text.clone(), place: format!("{flag} ") };
    lines.extend(groups.iter().map(|group| line(Kind::Group, group, "--group")));
    lines.extend(allow.iter().map(|rule| line(Kind::Rule, rule, "--allow")));
    let of = |kind: Kind| lines.iter().filter(move |line| line.kind == kind).map(|line| line.text.as_str());
    let (rules, groups): (Vec<&str>, Vec<&str>) = (of(Kind::Rule).collect(), of(Kind::Group).collect());
    Rules::new(&rules, &groups).map_err(|error| anyhow::anyhow!("{}{}", place(&error, &lines), told(&error)))
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
}

struct Line {
    kind: Kind,
    text: String,
    /// Where it comes from.
    place: String,
}

/// Where the line that an error is about comes from.
fn place<'l>(error: &ClashError, lines: &'l [Line]) -> &'l str {
    let (kind, text) = match error {
        ClashError::Group { text } => (Kind::Group, text),
        ClashError::Rule { text } | ClashError::UnknownGroup { text, .. } => (Kind::Rule, text),
        _ => return "",
    };
    lines.iter().find(|line| line.kind == kind && line.text == *text).map_or("", |line| line.place.as_str())
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
