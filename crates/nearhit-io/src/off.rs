//! OFF: a header, the counts, a line for each vertex, a line for each face.
//!
//! Going by lines makes what follows the coordinates of a vertex, or the corners of a face, easy to
//! skip, however many numbers it has. A file with other line breaks has fewer lines than its counts
//! say, so it is refused.

use crate::error::{LineProblem, ParseError};
use crate::format::{Parse, Reader};
use crate::polygon::Fan;
use crate::text::{Dialect, Scanner, count, excerpt};
use nearhit::RawMesh;

pub(crate) const READER: Reader = Reader { name: "OFF", extensions: &["off"], parse: Parse::Mesh(parse) };

const DIALECT: Dialect = Dialect { comment: Some(b'#'), continuation: None };

fn parse(bytes: &[u8]) -> Result<RawMesh, ParseError> {
    check_not_binary(bytes)?;
    let mut parser = Parser { scanner: Scanner::new(bytes, DIALECT)?, mesh: RawMesh::default() };
    let (vertices, faces) = parser.counts()?;
    for index in 0..vertices {
        parser.vertex(index, vertices)?;
    }
    for index in 0..faces {
        parser.face(index, faces)?;
    }
    parser.finish()
}

/// Before the zero bytes of a binary file could be complained of.
fn check_not_binary(bytes: &[u8]) -> Result<(), ParseError> {
    let first_line = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or(bytes);
    let mut words = first_line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    match (words.next(), words.next()) {
        (Some(header), Some(b"BINARY")) if header.ends_with(b"OFF") => {
            let reason = "a binary OFF file must be converted to a text file";
            Err(ParseError::Line { line: 1, problem: LineProblem::UnsupportedKind { text: "BINARY".into(), reason } })
        }
        _ => Ok(()),
    }
}

#[derive(Debug)]
struct Parser<'a> {
    scanner: Scanner<'a>,
    mesh: RawMesh,
}

impl<'a> Parser<'a> {
    /// From the header to the end of the counts: of vertices and of faces. That of edges is often
    /// wrong or missing.
    fn counts(&mut self) -> Result<(u64, u64), ParseError> {
        const EXPECTED: &str = "\"OFF\"";
        let Some(header) = self.scanner.word_anywhere() else {
            return Err(self.scanner.error(LineProblem::UnexpectedEnd { expected: EXPECTED }));
        };
        let Some((prefix, rest)) = split_header(header) else {
            return Err(self.scanner.error(LineProblem::Unexpected { expected: EXPECTED, found: excerpt(header) }));
        };
        check_prefix(prefix, header).map_err(|problem| self.scanner.error(problem))?;
        let vertices = match rest {
            [] => self.scanner.word_anywhere(),
            // "OFF8 6 12": a well-known collection is full of such files.
            glued => Some(glued),
        };
        let vertices = self.count("the number of vertices", vertices)?;
        let faces = self.scanner.word();
        let faces = self.count("the number of faces", faces)?;
        self.scanner.next_line();
        Ok((vertices, faces))
    }

    fn count(&self, what: &'static str, word: Option<&[u8]>) -> Result<u64, ParseError> {
        let word = word.unwrap_or_default();
        count(word).ok_or_else(|| self.scanner.error(LineProblem::NotACount { what, text: excerpt(word) }))
    }

    fn vertex(&mut self, index: u64, declared: u64) -> Result<(), ParseError> {
        self.begin("vertex", index, declared)?;
        let point = self.scanner.point()?;
        self.mesh.vertices.push(point);
        self.scanner.next_line();
        Ok(())
    }

    fn face(&mut self, index: u64, declared: u64) -> Result<(), ParseError> {
        self.begin("face", index, declared)?;
        let word = self.scanner.word();
        let declared = self.count("the number of corners", word)?;
        if declared < 3 {
            return Err(self.scanner.error(LineProblem::TooFewCorners { found: declared as usize }));
        }
        let mut fan = Fan::default();
        for found in 0..declared {
            let Some(word) = self.scanner.word() else {
                return Err(self.scanner.error(LineProblem::MissingCorners { declared, found }));
            };
            let corner = self.corner(word)?;
            fan.push(corner, &mut self.mesh.triangles);
        }
        self.scanner.next_line();
        Ok(())
    }

    /// Goes to the line of the next vertex or face.
    fn begin(&mut self, element: &str, index: u64, declared: u64) -> Result<(), ParseError> {
        if self.scanner.seek_word() {
            return Ok(());
        }
        Err(self.scanner.error(LineProblem::TooFewElements { element: element.into(), index, declared }))
    }

    #[inline]
    fn corner(&self, word: &[u8]) -> Result<u32, ParseError> {
        let vertices = self.mesh.vertices.len() as u64;
        match count(word) {
            None => Err(self.scanner.error(LineProblem::NotAVertex { text: excerpt(word) })),
            // What saturates names one of more vertices than a mesh may have.
            Some(index) if index < vertices => Ok(u32::try_from(index).unwrap_or(u32::MAX)),
            Some(_) => Err(self.scanner.error(LineProblem::NoSuchVertex { text: excerpt(word), vertices })),
        }
    }

    fn finish(mut self) -> Result<RawMesh, ParseError> {
        const EXPECTED: &str = "the end of the file";
        match self.scanner.word_anywhere() {
            None => Ok(self.mesh),
            Some(word) => Err(self.scanner.error(LineProblem::Unexpected { expected: EXPECTED, found: excerpt(word) })),
        }
    }
}

/// What comes before and after the three letters.
fn split_header(header: &[u8]) -> Option<(&[u8], &[u8])> {
    let place = header.windows(3).position(|letters| letters == b"OFF")?;
    let (prefix, rest) = (&header[..place], &header[place + 3..]);
    rest.iter().all(u8::is_ascii_digit).then_some((prefix, rest))
}

/// Normals, colours and texture coordinates, in any order; no other number of coordinates.
fn check_prefix(prefix: &[u8], header: &[u8]) -> Result<(), LineProblem> {
    let unsupported = |reason| Err(LineProblem::UnsupportedKind { text: excerpt(header), reason });
    let mut rest = prefix;
    loop {
        rest = match rest {
            [] => return Ok(()),
            [b'S', b'T', rest @ ..] | [b'C' | b'N', rest @ ..] => rest,
            [b'4', ..] => return unsupported("its vertices have four coordinates"),
            [b'n', ..] => return unsupported("its vertices may have any number of coordinates"),
            _ => return unsupported("the letters before OFF may be C, N and ST"),
        };
    }
}
