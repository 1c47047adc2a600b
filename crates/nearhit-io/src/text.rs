//! Words of a text file, with their line.
//!
//! Works on bytes: names and comments in whatever encoding pass through unread. A line ends with `\n`, `\r\n` or a
//! lone `\r`.

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
        let bytes = without_byte_order_mark(bytes);
        let mut scanner = Self { bytes, position: 0, line: 1, dialect };
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

    /// The next three words of this line as a vertex.
    #[inline]
    pub(crate) fn point(&mut self) -> Result<[f64; 3], ParseError> {
        let line = self.line;
        let mut point = [0.0; 3];
        for (found, axis) in ['x', 'y', 'z'].into_iter().enumerate() {
            let Some(word) = self.word() else {
                return Err(ParseError::Line { line, problem: LineProblem::TooFewCoordinates { found } });
            };
            point[found] = coordinate(word, axis).map_err(|problem| self.error(problem))?;
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

fn coordinate(word: &[u8], axis: char) -> Result<f64, LineProblem> {
    let Some(value) = std::str::from_utf8(word).ok().and_then(|text| text.parse::<f64>().ok()) else {
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

/// The word as a message can show it.
pub(crate) fn excerpt(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    // A character has at most four bytes: no need to decode more of a word that may be the whole file.
    let text = String::from_utf8_lossy(&word[..word.len().min(4 * LONGEST)]);
    if text.chars().count() <= LONGEST && word.len() <= 4 * LONGEST {
        return text.into_owned();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}
