//! Wavefront OBJ: one pass over the words, vertices and triangles as they come.
//!
//! Only the indices that name a vertex further down wait for the end of the file to be checked.

use crate::error::{LineProblem, ParseError};
use crate::format::{Parse, Reader};
use crate::polygon::Fan;
use crate::text::{Dialect, Scanner, count, excerpt};
use nearhit::RawMesh;

pub(crate) const READER: Reader = Reader { name: "OBJ", extensions: &["obj"], parse: Parse::Mesh(parse) };

const DIALECT: Dialect = Dialect { comment: Some(b'#'), continuation: Some(b'\\') };

fn parse(bytes: &[u8]) -> Result<RawMesh, ParseError> {
    let mut parser = Parser { scanner: Scanner::new(bytes, DIALECT)?, mesh: RawMesh::default(), forward: Vec::new() };
    loop {
        parser.statement()?;
        if !parser.scanner.next_line() {
            return parser.finish();
        }
    }
}

#[derive(Debug)]
struct Parser<'a> {
    scanner: Scanner<'a>,
    mesh: RawMesh,
    /// Corners that name a later vertex, each further on than all before it: the first corner in
    /// the file that turns out to name no vertex at all is among them.
    forward: Vec<ForwardCorner<'a>>,
}

#[derive(Debug)]
struct ForwardCorner<'a> {
    line: usize,
    /// From 1.
    index: u64,
    text: &'a [u8],
}

impl<'a> Parser<'a> {
    fn statement(&mut self) -> Result<(), ParseError> {
        let Some(keyword) = self.scanner.word() else { return Ok(()) };
        match keyword {
            b"v" | b"V" => self.vertex(),
            // "fo" is what faces were called in the format's second version.
            b"f" | b"F" | b"fo" => self.face(),
            b"surf" | b"bzp" | b"bsp" | b"cdp" | b"call" => {
                Err(self.scanner.error(LineProblem::Unsupported { text: excerpt(keyword) }))
            }
            other if is_keyword(other) => Ok(()),
            other => Err(self.scanner.error(LineProblem::NotAStatement { text: excerpt(other) })),
        }
    }

    fn vertex(&mut self) -> Result<(), ParseError> {
        let point = self.scanner.point()?;
        self.mesh.vertices.push(point);
        Ok(())
    }

    fn face(&mut self) -> Result<(), ParseError> {
        let line = self.scanner.line();
        let mut fan = Fan::default();
        while let Some(word) = self.scanner.word() {
            let corner = self.corner(word)?;
            fan.push(corner, &mut self.mesh.triangles);
        }
        match fan.corners() {
            found @ 0..3 => Err(ParseError::Line { line, problem: LineProblem::TooFewCorners { found } }),
            _ => Ok(()),
        }
    }

    /// The vertex index of `i`, `i/t`, `i//n` or `i/t/n`, from 0.
    #[inline]
    fn corner(&mut self, word: &'a [u8]) -> Result<u32, ParseError> {
        let before_slash = word.split(|&byte| byte == b'/').next().unwrap_or(word);
        let vertices = self.mesh.vertices.len() as u64;
        let index = match signed_index(before_slash) {
            None => return Err(self.scanner.error(LineProblem::NotAnIndex { text: excerpt(word) })),
            Some((_, 0)) => return Err(self.scanner.error(LineProblem::IndexZero { text: excerpt(word) })),
            Some((Sign::Plus, index)) => index - 1,
            Some((Sign::Minus, back)) if back <= vertices => vertices - back,
            Some((Sign::Minus, _)) => {
                let vertices = self.mesh.vertices.len();
                return Err(self.scanner.error(LineProblem::RelativeOutOfRange { text: excerpt(word), vertices }));
            }
        };
        if index >= vertices {
            self.remember_forward(index + 1, word);
        }
        // What saturates here is beyond what `finish` lets pass.
        Ok(u32::try_from(index).unwrap_or(u32::MAX))
    }

    fn remember_forward(&mut self, index: u64, text: &'a [u8]) {
        if self.forward.last().is_none_or(|last| index > last.index) {
            self.forward.push(ForwardCorner { line: self.scanner.line(), index, text });
        }
    }

    fn finish(self) -> Result<RawMesh, ParseError> {
        let vertices = self.mesh.vertices.len();
        let limit = u64::from(u32::MAX).min(vertices as u64);
        match self.forward.iter().find(|corner| corner.index > limit) {
            None => Ok(self.mesh),
            Some(corner) => {
                let problem = LineProblem::IndexOutOfRange { text: excerpt(corner.text), vertices };
                Err(ParseError::Line { line: corner.line, problem })
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

/// Digits with or without a sign; a magnitude beyond 64 bits saturates, which is out of range all
/// the same.
#[inline]
fn signed_index(text: &[u8]) -> Option<(Sign, u64)> {
    let (sign, digits) = match text {
        [b'-', digits @ ..] => (Sign::Minus, digits),
        [b'+', digits @ ..] | digits => (Sign::Plus, digits),
    };
    Some((sign, count(digits)?))
}

/// Whether a line that begins with this may be a statement to skip.
///
/// Compressed or encrypted data and the number rows of other text formats are not: they would read
/// as an OBJ file without faces.
fn is_keyword(word: &[u8]) -> bool {
    let begins_a_number = word.first().is_some_and(|first| matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.'));
    word.iter().all(u8::is_ascii_graphic) && !begins_a_number
}
