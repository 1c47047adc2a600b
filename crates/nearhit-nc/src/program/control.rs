//! Lines that begin with an O word: subroutines, branches and loops of LinuxCNC, and numbers of
//! subprograms. Which line belongs to which is found once, before anything runs.

use super::words::{Wrong, wrong};
use crate::error::Problem;
use std::collections::BTreeMap;

/// What a line with an O word does. Numbers are indices of lines; texts are conditions, counts and
/// arguments.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Control<'t> {
    /// `O1000`: a program begins.
    Label,
    Sub {
        end: usize,
    },
    /// `endsub`, `return`, with a value if given.
    Return(&'t str),
    Call {
        name: String,
        arguments: &'t str,
    },
    /// `if`, or `elseif` that is jumped to: where to go if it does not hold.
    If {
        condition: &'t str,
        next: usize,
    },
    /// `elseif` or `else`; `endif` is its own end. Whoever falls into it is done.
    Branch {
        condition: Option<&'t str>,
        next: usize,
        end: usize,
    },
    While {
        condition: &'t str,
        end: usize,
    },
    Repeat {
        count: &'t str,
        end: usize,
    },
    /// `endwhile`, `endrepeat`.
    Again {
        start: usize,
    },
    Do,
    /// The condition of a `do`.
    DoWhile {
        condition: &'t str,
        start: usize,
    },
    Break {
        start: usize,
        end: usize,
    },
    /// Goes to the end of a loop, which goes on.
    Continue {
        end: usize,
    },
}

/// All O lines of a program.
#[derive(Debug, Default)]
pub(super) struct Controls<'t> {
    pub(super) lines: BTreeMap<usize, Control<'t>>,
    /// Lines of `sub`, by name.
    pub(super) subs: BTreeMap<String, usize>,
    /// Lines of `O1000`, by number.
    pub(super) labels: BTreeMap<u64, usize>,
}

/// An O line as words.
#[derive(Debug, Clone)]
struct Found<'t> {
    line: usize,
    name: String,
    keyword: String,
    rest: &'t str,
    text: &'t str,
}

/// A sub, branch or loop that is not closed yet.
struct Open {
    keyword: String,
    line: usize,
    /// Lines of its branches, and of `break` and `continue`.
    inner: Vec<(usize, String)>,
}

impl<'t> Controls<'t> {
    /// Finds all O lines and what belongs together.
    pub(super) fn new(lines: &[&'t str]) -> Result<Self, (usize, Wrong)> {
        let mut controls = Self::default();
        let mut open: BTreeMap<String, Vec<Open>> = BTreeMap::new();
        for (line, text) in lines.iter().enumerate() {
            if let Some(found) = found(line, text).map_err(|wrong| (line, wrong))? {
                controls.add(&found, &mut open).map_err(|problem| (line, wrong(found.text, problem)))?;
            }
        }
        // The first that is not closed.
        let left = open.iter().flat_map(|(name, list)| list.iter().map(move |open| (open.line, name, &open.keyword)));
        match left.min() {
            Some((line, name, keyword)) => {
                Err((line, wrong(&format!("o{name} {keyword}"), Problem::Needs("the line that ends it"))))
            }
            None => Ok(controls),
        }
    }

    fn add(&mut self, found: &Found<'t>, open: &mut BTreeMap<String, Vec<Open>>) -> Result<(), Problem> {
        let Found { line, ref name, ref keyword, rest, .. } = *found;
        let stack = open.entry(name.clone()).or_default();
        let around = stack.last().map(|open| open.keyword.clone());
        let control = match (keyword.as_str(), around.as_deref()) {
            ("", _) => {
                let number = name.parse().map_err(|_| Problem::Needs("a word as sub, call or if"))?;
                if self.labels.insert(number, line).is_some() {
                    return Err(Problem::Twice);
                }
                Control::Label
            }
            ("call", _) => Control::Call { name: name.clone(), arguments: rest },
            ("return", _) => Control::Return(rest),
            ("while", Some("do")) => {
                let opened = close(stack)?;
                self.join(&opened, line, opened.line);
                Control::DoWhile { condition: rest, start: opened.line }
            }
            ("sub" | "if" | "while" | "do" | "repeat", _) => {
                if keyword == "sub" && self.subs.insert(name.clone(), line).is_some() {
                    return Err(Problem::Twice);
                }
                stack.push(Open { keyword: keyword.clone(), line, inner: Vec::new() });
                match keyword.as_str() {
                    "if" => Control::If { condition: rest, next: line },
                    "while" => Control::While { condition: rest, end: line },
                    "repeat" => Control::Repeat { count: rest, end: line },
                    "sub" => Control::Sub { end: line },
                    _ => Control::Do,
                }
            }
            ("elseif" | "else", Some("if")) | ("break" | "continue", Some("while" | "repeat" | "do")) => {
                if keyword == "continue" && around.as_deref() == Some("do") {
                    return Err(Problem::Unsupported("continue in a loop that begins with do"));
                }
                if let Some(opened) = stack.last_mut() {
                    opened.inner.push((line, keyword.clone()));
                }
                let condition = (keyword == "elseif").then_some(rest);
                Control::Branch { condition, next: line, end: line }
            }
            ("endsub", Some("sub")) => {
                let opened = close(stack)?;
                self.lines.insert(opened.line, Control::Sub { end: line });
                Control::Return(rest)
            }
            ("endif", Some("if")) => {
                let opened = close(stack)?;
                self.branches(&opened, line);
                Control::Branch { condition: None, next: line, end: line }
            }
            ("endwhile", Some("while")) | ("endrepeat", Some("repeat")) => {
                let opened = close(stack)?;
                self.join(&opened, line, opened.line);
                match self.lines.get_mut(&opened.line) {
                    Some(Control::While { end, .. } | Control::Repeat { end, .. }) => *end = line,
                    _ => return Err(Problem::NotAWord),
                }
                Control::Again { start: opened.line }
            }
            ("elseif" | "else" | "endif" | "endsub" | "endwhile" | "endrepeat" | "break" | "continue", _) => {
                return Err(Problem::Needs("the line with the same O word that begins it"));
            }
            _ => return Err(Problem::Unknown),
        };
        self.lines.insert(line, control);
        Ok(())
    }

    /// Tells `break` and `continue` where their loop is.
    fn join(&mut self, opened: &Open, end: usize, start: usize) {
        for (line, keyword) in &opened.inner {
            let control = if keyword == "break" { Control::Break { start, end } } else { Control::Continue { end } };
            self.lines.insert(*line, control);
        }
    }

    /// Tells `if`, `elseif` and `else` where to go on.
    fn branches(&mut self, opened: &Open, last: usize) {
        let mut following = last;
        for line in opened.inner.iter().rev().map(|(line, _)| *line).chain([opened.line]) {
            match self.lines.get_mut(&line) {
                Some(Control::If { next, .. }) => *next = following,
                Some(Control::Branch { next, end, .. }) => (*next, *end) = (following, last),
                _ => {}
            }
            following = line;
        }
    }
}

fn close(stack: &mut Vec<Open>) -> Result<Open, Problem> {
    stack.pop().ok_or(Problem::Needs("the line with the same O word that begins it"))
}

/// The O word of a line, which may have a line number before it.
fn found<'t>(line: usize, text: &'t str) -> Result<Option<Found<'t>>, Wrong> {
    let mut rest = text.trim_start().trim_start_matches('/').trim_start();
    if let Some(number) = rest.strip_prefix(['N', 'n']) {
        rest = number.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
    }
    let Some(word) = rest.strip_prefix(['O', 'o']) else { return Ok(None) };
    let word = without_comments(word).trim();
    let (name, after) = match word.strip_prefix('<') {
        Some(inner) => {
            let end = inner.find('>').ok_or_else(|| wrong(rest, Problem::Needs("a > that ends the name")))?;
            (inner[..end].split_whitespace().collect::<String>().to_ascii_lowercase(), &inner[end + 1..])
        }
        None => {
            let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
            let name = word[..end].trim_start_matches('0');
            (if name.is_empty() && end > 0 { "0".into() } else { name.to_owned() }, &word[end..])
        }
    };
    if name.is_empty() {
        let how = "O words whose name is worked out; a number or <name> is expected";
        return Err(wrong(rest, Problem::Unsupported(how)));
    }
    let after = after.trim_start();
    let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
    let keyword = after[..end].to_ascii_lowercase();
    if keyword.is_empty() && !after.is_empty() {
        return Err(wrong(rest, Problem::Unsupported("other words in the line of a program's number")));
    }
    Ok(Some(Found { line, name, keyword, rest: after[end..].trim(), text: rest }))
}

/// Up to the first comment: nothing but a comment follows one here.
fn without_comments(text: &str) -> &str {
    text.split(['(', ';']).next().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_find_each_other() {
        let text = "o1 if [1]\no2 while [1]\no2 break\no2 endwhile\nO1 elseif [0]\no1 else\no1 endif";
        let lines: Vec<&str> = text.lines().collect();
        let found = Controls::new(&lines).expect("legal").lines;
        assert_eq!(found[&0], Control::If { condition: "[1]", next: 4 });
        assert_eq!(found[&2], Control::Break { start: 1, end: 3 });
        assert_eq!(found[&3], Control::Again { start: 1 });
        assert_eq!(found[&4], Control::Branch { condition: Some("[0]"), next: 5, end: 6 });
        assert_eq!(found[&5], Control::Branch { condition: None, next: 6, end: 6 });
    }

    #[test]
    fn what_is_not_closed_is_named() {
        for (text, line) in [
            ("o1 sub", 0),
            ("G1\no1 endsub", 1),
            ("o1 if [1]\no2 endif", 1),
            ("o1 while [1]\no1 endif", 1),
            ("o1 sub\no1 endsub\no1 sub\no1 endsub", 2),
            ("O100\nO0100", 1),
            ("o1 do\no1 continue\no1 while [0]", 1),
            ("o#1 call", 0),
            ("o<a call", 0),
            ("o1 jump", 0),
            ("o", 0),
            ("o1 [2]", 0),
        ] {
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(Controls::new(&lines).map_err(|(line, _)| line).expect_err(text), line, "{text}");
        }
    }
}
