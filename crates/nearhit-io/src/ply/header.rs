//! The header of a PLY file: which elements there are, how many of each, and what every one
//! consists of.

use crate::error::{ElementProblem, LineProblem, ParseError};
use crate::text::{Dialect, Scanner, count, excerpt};

const DIALECT: Dialect = Dialect { comment: None, continuation: None };

/// What the header says.
#[derive(Debug)]
pub(super) struct Header<'a> {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    Binary(ByteOrder),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    LittleEndian,
    BigEndian,
}

/// A kind of record.
#[derive(Debug)]
pub(super) struct Element<'a> {
    pub(super) name: &'a [u8],
    pub(super) count: u64,
    pub(super) properties: Vec<Property<'a>>,
    /// Of the statement that declares it.
    line: usize,
}

impl Element<'_> {
    /// An error where the element is declared.
    pub(super) fn error(&self, problem: ElementProblem) -> ParseError {
        let problem = LineProblem::Element { element: excerpt(self.name), problem };
        ParseError::Line { line: self.line, problem }
    }

    /// Length in bytes, in a binary file, of a record whose lists are all empty.
    pub(super) fn smallest_record(&self) -> u64 {
        self.properties.iter().map(|property| property.smallest()).sum()
    }
}

/// A value, or a list of values, of a record.
#[derive(Debug)]
pub(super) struct Property<'a> {
    pub(super) name: &'a [u8],
    /// The type of the length, if it is a list.
    pub(super) length: Option<Scalar>,
    pub(super) scalar: Scalar,
}

impl Property<'_> {
    fn smallest(&self) -> u64 {
        self.length.unwrap_or(self.scalar).size() as u64
    }
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn from_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// In bytes.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// The header with its last line end, and what follows. A file without the end of a header is all
/// header.
///
/// After `\r` alone a `\n` belongs to the data, unless the first line ends with both.
pub(super) fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let carriage_return_only = match bytes.iter().position(|&byte| matches!(byte, b'\r' | b'\n')) {
        Some(place) => bytes[place] == b'\r' && bytes.get(place + 1) != Some(&b'\n'),
        None => return (bytes, &[]),
    };
    let line_end = if carriage_return_only { b'\r' } else { b'\n' };
    let mut rest = bytes;
    while let Some(place) = rest.iter().position(|&byte| byte == line_end) {
        let line = &rest[..place];
        rest = &rest[place + 1..];
        if line.trim_ascii() == b"end_header" {
            return (&bytes[..bytes.len() - rest.len()], rest);
        }
    }
    (bytes, &[])
}

impl<'a> Header<'a> {
    /// Also returns the number of the line that follows.
    pub(super) fn parse(text: &'a [u8]) -> Result<(Self, usize), ParseError> {
        let mut parser = Parser { scanner: Scanner::new(text, DIALECT)?, encoding: None, elements: Vec::new() };
        // The magic word, which has been seen to be there.
        parser.scanner.word();
        parser.end_line()?;
        while parser.statement()? == Statement::More {}
        let line = parser.scanner.line();
        let Some(encoding) = parser.encoding else {
            return Err(ParseError::Line { line, problem: LineProblem::UnexpectedEnd { expected: "\"format\"" } });
        };
        parser.end_line()?;
        Ok((Self { encoding, elements: parser.elements }, parser.scanner.line()))
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Statement {
    More,
    EndHeader,
}

#[derive(Debug)]
struct Parser<'a> {
    scanner: Scanner<'a>,
    encoding: Option<Encoding>,
    elements: Vec<Element<'a>>,
}

impl<'a> Parser<'a> {
    fn statement(&mut self) -> Result<Statement, ParseError> {
        const EXPECTED: &str = "\"format\", \"element\", \"property\", \"comment\", \"obj_info\" or \"end_header\"";
        if !self.scanner.seek_word() {
            return Err(self.scanner.error(LineProblem::UnexpectedEnd { expected: "\"end_header\"" }));
        }
        match self.word(EXPECTED)? {
            b"comment" | b"obj_info" => {
                self.scanner.next_line();
                return Ok(Statement::More);
            }
            b"end_header" => return Ok(Statement::EndHeader),
            b"format" => self.format()?,
            b"element" => self.element()?,
            b"property" => self.property()?,
            other => return Err(self.unexpected(EXPECTED, other)),
        }
        self.end_line()?;
        Ok(Statement::More)
    }

    fn format(&mut self) -> Result<(), ParseError> {
        const EXPECTED: &str = "\"ascii\", \"binary_little_endian\" or \"binary_big_endian\"";
        if self.encoding.is_some() {
            return Err(self.unexpected("one \"format\" only", b"format"));
        }
        self.encoding = Some(match self.word(EXPECTED)? {
            b"ascii" => Encoding::Text,
            b"binary_little_endian" => Encoding::Binary(ByteOrder::LittleEndian),
            b"binary_big_endian" => Encoding::Binary(ByteOrder::BigEndian),
            other => return Err(self.unexpected(EXPECTED, other)),
        });
        match self.word("\"1.0\"")? {
            b"1.0" => Ok(()),
            other => Err(self.unexpected("\"1.0\"", other)),
        }
    }

    fn element(&mut self) -> Result<(), ParseError> {
        const WHAT: &str = "the number of elements";
        let name = self.word("the name of an element")?;
        let word = self.word(WHAT)?;
        let count = count(word)
            .ok_or_else(|| self.scanner.error(LineProblem::NotACount { what: WHAT, text: excerpt(word) }))?;
        self.elements.push(Element { name, count, properties: Vec::new(), line: self.scanner.line() });
        Ok(())
    }

    fn property(&mut self) -> Result<(), ParseError> {
        let property = match self.word("a type or \"list\"")? {
            b"list" => {
                let length = Some(self.scalar("the type of the length")?);
                let scalar = self.scalar("the type of the values")?;
                Property { name: self.word("the name of a property")?, length, scalar }
            }
            word => {
                let scalar = Scalar::from_name(word).ok_or_else(|| self.unexpected("a type or \"list\"", word))?;
                Property { name: self.word("the name of a property")?, length: None, scalar }
            }
        };
        match self.elements.last_mut() {
            Some(element) => element.properties.push(property),
            None => return Err(self.unexpected("\"element\" before the first property", b"property")),
        }
        Ok(())
    }

    fn scalar(&mut self, expected: &'static str) -> Result<Scalar, ParseError> {
        let word = self.word(expected)?;
        Scalar::from_name(word).ok_or_else(|| self.unexpected(expected, word))
    }

    /// The next word of this line.
    fn word(&mut self, expected: &'static str) -> Result<&'a [u8], ParseError> {
        self.scanner.word().ok_or_else(|| self.unexpected(expected, b""))
    }

    fn end_line(&mut self) -> Result<(), ParseError> {
        match self.scanner.word() {
            Some(word) => Err(self.unexpected("the end of the line", word)),
            None => {
                self.scanner.next_line();
                Ok(())
            }
        }
    }

    fn unexpected(&self, expected: &'static str, word: &[u8]) -> ParseError {
        self.scanner.error(LineProblem::Unexpected { expected, found: excerpt(word) })
    }
}
