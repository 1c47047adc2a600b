//! Text STL: `solid` name, then for each triangle `facet normal` x y z, `outer loop`, three times
//! `vertex` x y z, `endloop`, `endfacet`, and at last `endsolid` name; then perhaps the next solid.
//!
//! A missing `endsolid` is an error: the file may have been cut.

use crate::error::{LineProblem, ParseError};
use crate::text::{Dialect, Scanner, excerpt};
use crate::weld::Welder;
use nearhit::RawMesh;

const DIALECT: Dialect = Dialect { comment: None, continuation: None };

pub(super) fn parse(bytes: &[u8]) -> Result<RawMesh, ParseError> {
    let mut parser = Parser { scanner: Scanner::new(bytes, DIALECT)?, welder: Welder::default() };
    while let Some(word) = parser.scanner.word_anywhere() {
        if !word.eq_ignore_ascii_case(b"solid") {
            return Err(parser.unexpected("\"solid\" or the end of the file", word));
        }
        parser.solid()?;
    }
    Ok(parser.welder.finish())
}

#[derive(Debug)]
struct Parser<'a> {
    scanner: Scanner<'a>,
    welder: Welder,
}

impl Parser<'_> {
    /// From the name to the `endsolid`.
    fn solid(&mut self) -> Result<(), ParseError> {
        const EXPECTED: &str = "\"facet\" or \"endsolid\"";
        self.scanner.next_line();
        loop {
            let word = self.keyword(EXPECTED)?;
            if word.eq_ignore_ascii_case(b"facet") {
                let corners = self.facet()?;
                self.welder.push(corners);
            } else if word.eq_ignore_ascii_case(b"endsolid") {
                self.scanner.next_line();
                return Ok(());
            } else {
                return Err(self.unexpected(EXPECTED, word));
            }
        }
    }

    fn facet(&mut self) -> Result<[[f64; 3]; 3], ParseError> {
        let line = self.scanner.line();
        self.expect(b"normal", "\"normal\"")?;
        // Not looked at: exporters write NaN in many spellings for the normal of a degenerate
        // triangle.
        for _ in 0..3 {
            self.scanner.word();
        }
        self.expect(b"outer", "\"outer\"")?;
        self.expect(b"loop", "\"loop\"")?;
        let (corners, found) = self.corners()?;
        if found != 3 {
            return Err(ParseError::Line { line, problem: LineProblem::WrongCornerCount { found } });
        }
        self.expect(b"endfacet", "\"endfacet\"")?;
        Ok(corners)
    }

    /// Up to the `endloop`: the first three corners, and how many there are.
    fn corners(&mut self) -> Result<([[f64; 3]; 3], usize), ParseError> {
        const EXPECTED: &str = "\"vertex\" or \"endloop\"";
        let mut corners = [[0.0; 3]; 3];
        let mut found = 0;
        loop {
            let word = self.keyword(EXPECTED)?;
            if word.eq_ignore_ascii_case(b"endloop") {
                return Ok((corners, found));
            } else if !word.eq_ignore_ascii_case(b"vertex") {
                return Err(self.unexpected(EXPECTED, word));
            }
            let point = self.scanner.point()?;
            if let Some(corner) = corners.get_mut(found) {
                *corner = point;
            }
            found += 1;
        }
    }

    fn expect(&mut self, keyword: &[u8], expected: &'static str) -> Result<(), ParseError> {
        match self.keyword(expected)? {
            word if word.eq_ignore_ascii_case(keyword) => Ok(()),
            word => Err(self.unexpected(expected, word)),
        }
    }
}

impl<'a> Parser<'a> {
    fn keyword(&mut self, expected: &'static str) -> Result<&'a [u8], ParseError> {
        let word = self.scanner.word_anywhere();
        word.ok_or_else(|| self.scanner.error(LineProblem::UnexpectedEnd { expected }))
    }

    fn unexpected(&self, expected: &'static str, word: &[u8]) -> ParseError {
        self.scanner.error(LineProblem::Unexpected { expected, found: excerpt(word) })
    }
}
