//! PLY: a text header that says what follows, then text or binary records.

mod binary;
mod elements;
mod header;
mod text;

use crate::error::{LineProblem, ParseError};
use crate::format::{Parse, Reader};
use crate::text::{excerpt, without_byte_order_mark};
use header::{Encoding, Header, Property, Scalar};
use nearhit::RawMesh;

pub(crate) const READER: Reader = Reader { name: "PLY", extensions: &["ply"], parse: Parse::Mesh(parse) };

fn parse(bytes: &[u8]) -> Result<RawMesh, ParseError> {
    check_magic(bytes)?;
    let (header_text, body) = header::split(bytes);
    let (header, body_line) = Header::parse(header_text)?;
    match header.encoding {
        Encoding::Text => elements::read(&header, &mut text::Source::new(body, body_line)?),
        Encoding::Binary(order) => {
            let offset = bytes.len() - body.len();
            elements::read(&header, &mut binary::Source::new(body, offset, order))
        }
    }
}

fn check_magic(bytes: &[u8]) -> Result<(), ParseError> {
    let text = without_byte_order_mark(bytes);
    let first_word = text.split(u8::is_ascii_whitespace).next().unwrap_or(text);
    if first_word == b"ply" {
        return Ok(());
    }
    let problem = LineProblem::Unexpected { expected: "\"ply\"", found: excerpt(first_word) };
    Err(ParseError::Line { line: 1, problem })
}

/// Where the values of the records come from, one after the other.
trait Source {
    /// How many records of at least this many bytes can follow, as far as is known without reading
    /// them.
    fn most_records(&self, smallest_record: u64) -> u64;

    /// Goes to the next record; false at the end of the file.
    fn begin_record(&mut self) -> bool;

    /// The next value of the record, `None` if it is not a number.
    ///
    /// The outer error is the end of the record or the file.
    fn number(&mut self, scalar: Scalar, property: &Property<'_>) -> Result<Option<f64>, Missing>;

    /// Passes over the next value of the record, whatever it is.
    fn skip(&mut self, scalar: Scalar, property: &Property<'_>) -> Result<(), Missing>;

    /// Checks that the record has no more values than were read.
    fn end_record(&mut self) -> Result<(), ParseError>;

    /// Checks that nothing follows the last record.
    fn finish(&mut self) -> Result<(), ParseError>;

    /// The value read last, as a message shows it.
    fn last_text(&self) -> String;

    /// A coordinate, checked to be one a mesh may have. It was read last.
    fn coordinate(&self, value: Option<f64>, axis: char) -> Result<f64, LineProblem>;

    /// An error at the value read last.
    fn error(&self, problem: LineProblem) -> ParseError;
}

/// Why there is no value.
enum Missing {
    /// The line of the record is too short.
    Value(ParseError),
    /// The file is too short.
    Rest,
}
