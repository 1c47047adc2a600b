//! Words of a text file, with their line.
//!
//! Works on bytes: names and comments in whatever encoding pass through unread. A line ends with
//! `\n`, `\r\n` or a lone `\r`.

use crate::error::{LineProblem, ParseError};
use nearhit::MAX_COORDINATE;

/// What is special in a format's lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dialect {
    /// A word that begins with this byte and all after it on the line is a comment.
    pub(crate) comment: Option<u8>,
    /// This byte at the end of a line makes the next one part of it.
    pub(crate) continuation: Option<u8>,
}

/// A place in a text.
#[derive(Debug)]
pub(crate) struct Scanner<'a> {
    bytes: &'a [u8],
    position: usize,
    line: usize,
    dialect: Dialect,
}

impl<'a> Scanner<'a> {
    /// Starts after the byte order mark, if there is one. Refuses a text with a zero byte.
    pub(crate) fn new(bytes: &'a [u8], dialect: Dialect) -> Result<Self, ParseError> {
        Self::continued(without_byte_order_mark(bytes), 1, dialect)
    }

    /// A text that goes on from another: its first line has the given number.
    pub(crate) fn continued(bytes: &'a [u8], line: usize, dialect: Dialect) -> Result<Self, ParseError> {
        let mut scanner = Self { bytes, position: 0, line, dialect };
        if !bytes.contains(&0) {
            return Ok(scanner);
        }
        while scanner.peek() != Some(0) {
            scanner.step_over_byte();
        }
        Err(scanner.error(LineProblem::ZeroByte))
    }

    /// Number of the line of the last word, from 1.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// An error on this line.
    pub(crate) fn error(&self, problem: LineProblem) -> ParseError {
        ParseError::Line { line: self.line, problem }
    }

    /// The next word of this line.
    #[inline]
    pub(crate) fn word(&mut self) -> Option<&'a [u8]> {
        self.skip_blanks();
        let rest = &self.bytes[self.position..];
        if rest.first().copied() == self.dialect.comment {
            return None;
        }
        let mut length = rest.iter().position(|&byte| is_white(byte)).unwrap_or(rest.len());
        if let Some(before_last) = length.checked_sub(1)
            && self.continues_at(self.position + before_last)
        {
            length = before_last;
        }
        self.position += length;
        (length > 0).then(|| &rest[..length])
    }

    /// Goes to the start of the next line; false at the end of the text.
    pub(crate) fn next_line(&mut self) -> bool {
        while self.word().is_some() {}
        while self.peek().is_some_and(|byte| !is_line_end(byte)) {
            self.position += 1;
        }
        self.step_over_byte();
        self.position < self.bytes.len()
    }

    /// The next word, on this line or a later one.
    pub(crate) fn word_anywhere(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(word) = self.word() {
                return Some(word);
            }
            if !self.next_line() {
                return None;
            }
        }
    }

    /// Goes to the next word, on this line or a later one, without reading it; false if there is
    /// none.
    pub(crate) fn seek_word(&mut self) -> bool {
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(byte) if !is_line_end(byte) && Some(byte) != self.dialect.comment => return true,
                _ if !self.next_line() => return false,
                _ => {}
            }
        }
    }

    /// The next three words of this line as a vertex.
    #[inline]
    pub(crate) fn point(&mut self) -> Result<[f64; 3], ParseError> {
        let line = self.line;
        let mut point = [0.0; 3];
        for (found, axis) in ['x', 'y', 'z'].into_iter().enumerate() {
            let Some(word) = self.word() else {
                return Err(ParseError::Line { line, problem: LineProblem::TooFewCoordinates { found } });
            };
            point[found] = coordinate(number(word), axis, word).map_err(|problem| self.error(problem))?;
        }
        Ok(point)
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            if is_white(byte) && !is_line_end(byte) {
                self.position += 1;
            } else if self.continues_at(self.position) {
                self.position += 1;
                self.step_over_byte();
            } else {
                return;
            }
        }
    }

    #[inline]
    fn continues_at(&self, position: usize) -> bool {
        self.bytes.get(position).copied() == self.dialect.continuation
            && self.bytes.get(position + 1).is_some_and(|&next| is_line_end(next))
    }

    /// Also counts the line if the byte ends one; `\r\n` counts as one byte.
    fn step_over_byte(&mut self) {
        match self.peek() {
            Some(b'\r') if self.bytes.get(self.position + 1) == Some(&b'\n') => self.position += 2,
            Some(_) => self.position += 1,
            None => return,
        }
        self.line += usize::from(is_line_end(self.bytes[self.position - 1]));
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Blank, tab, vertical tab, form feed or a line end.
fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// What follows the mark that some editors put before UTF-8.
pub(crate) fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// The number that a word was read as, if it is one that a mesh may have.
#[inline]
pub(crate) fn coordinate(value: Option<f64>, axis: char, word: &[u8]) -> Result<f64, LineProblem> {
    let Some(value) = value else {
        return Err(LineProblem::NotANumber { axis, text: excerpt(word) });
    };
    if value.abs() <= MAX_COORDINATE {
        return Ok(value);
    }
    // The number 1e999 parses as an infinity, but whoever wrote it did not write one.
    let written_in_digits = word.iter().any(u8::is_ascii_digit);
    let text = excerpt(word);
    Err(if written_in_digits { LineProblem::TooLarge { axis, text } } else { LineProblem::NotFinite { axis, text } })
}

/// Also NaN and the infinities.
#[inline]
pub(crate) fn number(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Digits without a sign; what is beyond 64 bits saturates.
#[inline]
pub(crate) fn count(word: &[u8]) -> Option<u64> {
    if word.is_empty() || !word.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let append = |value: u64, digit: &u8| value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    Some(word.iter().fold(0, append))
}

/// The word as a message can show it.
pub(crate) fn excerpt(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    // A character has at most four bytes: no need to decode more of a word that may be the whole
    // file.
    let text = String::from_utf8_lossy(&word[..word.len().min(4 * LONGEST)]);
    if text.chars().count() <= LONGEST && word.len() <= 4 * LONGEST {
        return text.into_owned();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}
