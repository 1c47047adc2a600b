//! STL: which of the two kinds it is.

mod binary;
mod text;

use crate::error::ParseError;
use crate::format::{Parse, Reader};
use crate::text::without_byte_order_mark;
use nearhit::RawMesh;

pub(crate) const READER: Reader = Reader { name: "STL", extensions: &["stl"], parse: Parse::Mesh(parse) };

fn parse(bytes: &[u8]) -> Result<RawMesh, ParseError> {
    match kind(bytes) {
        Kind::Binary => binary::parse(bytes),
        Kind::Text => text::parse(bytes),
        Kind::Neither => Err(ParseError::NotStl),
    }
}

enum Kind {
    Binary,
    Text,
    Neither,
}

/// The length decides first: binary files that begin with "solid" are common, and a text would need
/// several gigabytes for the four characters at the place of the count to match its length.
fn kind(bytes: &[u8]) -> Kind {
    let header = bytes.get(..binary::HEADER_LENGTH);
    if binary::has_declared_length(bytes) {
        Kind::Binary
    } else if begins_with_solid(bytes) && !header.is_some_and(|header| header.contains(&0)) {
        Kind::Text
    } else if header.is_some_and(|header| !header.iter().all(|&byte| is_printable(byte))) {
        Kind::Binary
    } else {
        Kind::Neither
    }
}

fn begins_with_solid(bytes: &[u8]) -> bool {
    let text = without_byte_order_mark(bytes).trim_ascii_start();
    text.get(..5).is_some_and(|keyword| keyword.eq_ignore_ascii_case(b"solid"))
}

fn is_printable(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte.is_ascii_whitespace()
}
