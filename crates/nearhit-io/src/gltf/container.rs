//! Finds the JSON and the binary chunk: GLB has both in a frame, other files are the JSON itself.

use super::document::Document;
use super::error;
use crate::error::{GltfPlace, GltfProblem, LineProblem, ParseError};
use crate::text::{excerpt, without_byte_order_mark};

const MAGIC: &[u8] = b"glTF";
const HEADER_LENGTH: usize = 12;

/// The document, and the bytes of the chunk that its first buffer may mean.
pub(super) fn open(bytes: &[u8]) -> Result<(Document, Option<&[u8]>), ParseError> {
    if bytes.starts_with(MAGIC) {
        let (json, chunk) = chunks(bytes)?;
        // Some writers fill up with zeros, where blanks should be.
        let padding = json.iter().rev().take_while(|&&byte| byte == 0).count();
        return Ok((parse_chunk(&json[..json.len() - padding])?, chunk));
    }
    Ok((parse_text(without_byte_order_mark(bytes))?, None))
}

fn parse_text(json: &[u8]) -> Result<Document, ParseError> {
    serde_json::from_slice(json).map_err(|error| {
        let problem = LineProblem::Json { column: error.column(), message: message(&error) };
        ParseError::Line { line: error.line().max(1), problem }
    })
}

fn parse_chunk(json: &[u8]) -> Result<Document, ParseError> {
    serde_json::from_slice(json).map_err(|problem| {
        let (line, column) = (problem.line(), problem.column());
        error(GltfPlace::File, GltfProblem::JsonChunk { line, column, message: message(&problem) })
    })
}

/// Without the place, which is told apart.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    // A message may quote a string of any length.
    if text.len() <= 160 { text.to_owned() } else { excerpt(text.as_bytes()) }
}

/// The JSON chunk, and the binary one if there is one.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ParseError> {
    let version = number(bytes, 4)?;
    if version != 2 {
        return Err(damaged(4, format!("the version of the GLB container is {version}, not 2")));
    }
    let declared = number(bytes, 8)?;
    if declared as usize != bytes.len() {
        let message = format!("the header declares a length of {declared} bytes, but the file has {}", bytes.len());
        return Err(damaged(8, message));
    }
    let (kind, json, next) = chunk(bytes, HEADER_LENGTH)?;
    if kind != *b"JSON" {
        return Err(damaged(HEADER_LENGTH, format!("the first chunk is {:?}, not \"JSON\"", excerpt(&kind))));
    }
    // What kinds follow the second chunk, or come instead of it, extensions may say; the document
    // does not need them.
    match next {
        _ if next == bytes.len() => Ok((json, None)),
        next => match chunk(bytes, next)? {
            (kind, binary, _) if kind == *b"BIN\0" => Ok((json, Some(binary))),
            _ => Ok((json, None)),
        },
    }
}

/// Kind and contents of the chunk at this place, and where the next one begins.
fn chunk(bytes: &[u8], place: usize) -> Result<([u8; 4], &[u8], usize), ParseError> {
    let length = number(bytes, place)?;
    let kind = number(bytes, place + 4)?.to_le_bytes();
    let contents = &bytes[place + 8..];
    match contents.split_at_checked(length as usize) {
        Some((contents, rest)) => Ok((kind, contents, bytes.len() - rest.len())),
        None => Err(damaged(place, format!("a chunk of {length} bytes, but {} are left", contents.len()))),
    }
}

fn number(bytes: &[u8], place: usize) -> Result<u32, ParseError> {
    let found = bytes.get(place..).and_then(<[u8]>::first_chunk);
    found.map(|bytes| u32::from_le_bytes(*bytes)).ok_or_else(|| damaged(place, "the file ends in a header".into()))
}

fn damaged(offset: usize, message: String) -> ParseError {
    error(GltfPlace::File, GltfProblem::Container { offset, message })
}
