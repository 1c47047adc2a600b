//! Terminal output: colours only on terminals; a closed pipe is no error.

use anyhow::{Context, Result};
use serde::Serialize;
use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal, Write};

/// Writes to stdout. When the reader has closed the pipe (`nearhit … | head`), that is its good
/// right.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to stdout"),
    }
}

/// Writes a report to stdout: as one line of JSON, or as a table.
pub(crate) fn report<R: Serialize>(report: &R, as_json: bool, table: impl FnOnce(&R, Style) -> String) -> Result<()> {
    let text = if as_json { serde_json::to_string(report)? + "\n" } else { table(report, Style::of_stdout()) };
    print(&text)
}

/// Tells an error on stderr, with all its causes.
pub(crate) fn complain(error: &anyhow::Error) {
    let lines: Vec<String> = format!("{error:#}").lines().map(plain).collect();
    // Without a stderr to complain to, the exit code has to say it.
    let _ = writeln!(io::stderr(), "nearhit: {}", lines.join("\n"));
}

/// Text from outside as a terminal may show it: control characters (escape sequences, ends of
/// lines) and characters that turn the direction of writing are escaped.
pub(crate) fn plain(text: &str) -> String {
    let is_dangerous = |c: char| {
        c.is_control() || matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if is_dangerous(c) { plain.extend(c.escape_default()) } else { plain.push(c) }
    }
    plain
}

/// How text on stdout is set off: not at all in pipes, on dumb terminals and under `NO_COLOR`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    enabled: bool,
}

impl Style {
    pub(crate) fn of_stdout() -> Self {
        let variable = |name: &str| std::env::var_os(name).unwrap_or_default();
        Self { enabled: io::stdout().is_terminal() && colours_are_welcome(variable) }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.wrap("32", text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.wrap("31", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.enabled { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// By the environment: `NO_COLOR` refuses them unless it is empty, a dumb terminal cannot show
/// them.
fn colours_are_welcome(variable: impl Fn(&str) -> OsString) -> bool {
    variable("NO_COLOR").is_empty() && variable("TERM") != "dumb"
}

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 pose`, `2 poses`.
pub(crate) fn plural(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// About three digits, without an exponent: `0.512`, `5.12`, `51.2`, `512`, `5,120`.
pub(crate) fn significant(value: f64) -> String {
    match value.abs() {
        size if size < 1.0 => format!("{value:.3}"),
        size if size < 10.0 => format!("{value:.2}"),
        size if size < 100.0 => format!("{value:.1}"),
        _ => grouped(value.round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::{colours_are_welcome, grouped, plain, significant};

    #[test]
    fn colours_can_be_refused() {
        let welcome = |no_color: &str, term: &str| {
            colours_are_welcome(|name| if name == "NO_COLOR" { no_color.into() } else { term.into() })
        };
        assert!(welcome("", "xterm") && welcome("", ""));
        assert!(!welcome("1", "xterm") && !welcome("0", "xterm") && !welcome("", "dumb"));
    }

    #[test]
    fn escape_sequences_are_shown_and_not_obeyed() {
        assert_eq!(plain("bolt \u{1b}[31m\nred\u{202e}"), "bolt \\u{1b}[31m\\nred\\u{202e}");
        assert_eq!(plain("Schraube M8 × 40"), "Schraube M8 × 40");
    }

    #[test]
    fn numbers_are_set_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.5123, 5.123, 51.23, 512.3, 5123.4].map(significant), ["0.512", "5.12", "51.2", "512", "5,123"]);
    }
}
