//! Records as text: one on a line, values between blanks.

use super::{Missing, Property, Scalar};
use crate::error::{LineProblem, ParseError};
use crate::text::{self, Dialect, Scanner, excerpt};

const DIALECT: Dialect = Dialect { comment: None, continuation: None };

#[derive(Debug)]
pub(super) struct Source<'a> {
    scanner: Scanner<'a>,
    last: &'a [u8],
}

impl<'a> Source<'a> {
    pub(super) fn new(body: &'a [u8], line: usize) -> Result<Self, ParseError> {
        Ok(Self { scanner: Scanner::continued(body, line, DIALECT)?, last: b"" })
    }

    fn word(&mut self, property: &Property<'_>) -> Result<&'a [u8], Missing> {
        let Some(word) = self.scanner.word() else {
            let problem = LineProblem::MissingProperty { property: excerpt(property.name) };
            return Err(Missing::Value(self.scanner.error(problem)));
        };
        self.last = word;
        Ok(word)
    }
}

impl super::Source for Source<'_> {
    /// Not known: room is made as the records come.
    fn most_records(&self, _smallest_record: u64) -> u64 {
        0
    }

    fn begin_record(&mut self) -> bool {
        self.scanner.seek_word()
    }

    /// The type does not matter: whatever a number's type, its digits say what it is.
    #[inline]
    fn number(&mut self, _scalar: Scalar, property: &Property<'_>) -> Result<Option<f64>, Missing> {
        let word = self.word(property)?;
        // Most words are indices; up to fifteen digits a double is exact.
        match text::count(word) {
            Some(index) if word.len() <= 15 => Ok(Some(index as f64)),
            _ => Ok(text::number(word)),
        }
    }

    fn skip(&mut self, _scalar: Scalar, property: &Property<'_>) -> Result<(), Missing> {
        self.word(property).map(drop)
    }

    fn end_record(&mut self) -> Result<(), ParseError> {
        match self.scanner.word() {
            None => {
                self.scanner.next_line();
                Ok(())
            }
            Some(word) => Err(self
                .scanner
                .error(LineProblem::Unexpected { expected: "the end of the line", found: excerpt(word) })),
        }
    }

    fn finish(&mut self) -> Result<(), ParseError> {
        match self.scanner.word_anywhere() {
            None => Ok(()),
            Some(word) => Err(self
                .scanner
                .error(LineProblem::Unexpected { expected: "the end of the file", found: excerpt(word) })),
        }
    }

    fn last_text(&self) -> String {
        excerpt(self.last)
    }

    #[inline]
    fn coordinate(&self, value: Option<f64>, axis: char) -> Result<f64, LineProblem> {
        text::coordinate(value, axis, self.last)
    }

    fn error(&self, problem: LineProblem) -> ParseError {
        self.scanner.error(problem)
    }
}
