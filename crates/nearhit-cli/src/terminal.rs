//! How does a command write? Colours only where someone sees them; a reader that went away is no error.

use anyhow::{Context, Result};
use std::io::{self, ErrorKind, IsTerminal, Write};

/// Writes to stdout. When the reader has closed the pipe (`nearhit … | head`), that is its good right.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to stdout"),
    }
}

/// How text on stdout is set off: not at all in pipes, on dumb terminals and under `NO_COLOR`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    enabled: bool,
}

impl Style {
    pub(crate) fn of_stdout() -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Self { enabled: io::stdout().is_terminal() && !refused && !dumb }
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

    fn wrap(self, code: &str, text: &str) -> String {
        if self.enabled { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
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
    use super::{grouped, significant};

    #[test]
    fn numbers_are_set_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.5123, 5.123, 51.23, 512.3, 5123.4].map(significant), ["0.512", "5.12", "51.2", "512", "5,123"]);
    }
}
