//! Records as bytes, one after the other without gaps.

use super::header::ByteOrder;
use super::{Missing, Property, Scalar};
use crate::error::{LineProblem, ParseError};
use nearhit::MAX_COORDINATE;

#[derive(Debug)]
pub(super) struct Source<'a> {
    rest: &'a [u8],
    order: ByteOrder,
    /// Length of the whole file.
    length: usize,
    last: f64,
    last_offset: usize,
}

impl<'a> Source<'a> {
    /// `offset` is the place of the first byte in the file.
    pub(super) fn new(body: &'a [u8], offset: usize, order: ByteOrder) -> Self {
        Self { rest: body, order, length: offset + body.len(), last: 0.0, last_offset: offset }
    }

    #[inline]
    fn take<const SIZE: usize>(&mut self) -> Result<[u8; SIZE], Missing> {
        self.last_offset = self.length - self.rest.len();
        let (&taken, rest) = self.rest.split_first_chunk().ok_or(Missing::Rest)?;
        self.rest = rest;
        Ok(taken)
    }
}

/// The next value of a type.
macro_rules! take {
    ($source:expr, $type:ty) => {{
        let bytes = $source.take()?;
        f64::from(match $source.order {
            ByteOrder::LittleEndian => <$type>::from_le_bytes(bytes),
            ByteOrder::BigEndian => <$type>::from_be_bytes(bytes),
        })
    }};
}

impl super::Source for Source<'_> {
    fn most_records(&self, smallest_record: u64) -> u64 {
        self.rest.len() as u64 / smallest_record.max(1)
    }

    fn begin_record(&mut self) -> bool {
        self.last_offset = self.length - self.rest.len();
        !self.rest.is_empty()
    }

    /// Every type widens exactly.
    #[inline]
    fn number(&mut self, scalar: Scalar, _property: &Property<'_>) -> Result<Option<f64>, Missing> {
        self.last = match scalar {
            Scalar::I8 => take!(self, i8),
            Scalar::U8 => take!(self, u8),
            Scalar::I16 => take!(self, i16),
            Scalar::U16 => take!(self, u16),
            Scalar::I32 => take!(self, i32),
            Scalar::U32 => take!(self, u32),
            Scalar::F32 => take!(self, f32),
            Scalar::F64 => take!(self, f64),
        };
        Ok(Some(self.last))
    }

    fn skip(&mut self, scalar: Scalar, _property: &Property<'_>) -> Result<(), Missing> {
        self.last_offset = self.length - self.rest.len();
        self.rest = self.rest.get(scalar.size()..).ok_or(Missing::Rest)?;
        Ok(())
    }

    fn end_record(&mut self) -> Result<(), ParseError> {
        Ok(())
    }

    /// Some writers end a file with a line end or fill it up with zeros.
    fn finish(&mut self) -> Result<(), ParseError> {
        if self.rest.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace()) {
            return Ok(());
        }
        let offset = self.length - self.rest.len();
        Err(ParseError::Byte { offset, problem: LineProblem::Trailing { count: self.rest.len() } })
    }

    fn last_text(&self) -> String {
        let magnitude = self.last.abs();
        if (1e-5..1e16).contains(&magnitude) { format!("{}", self.last) } else { format!("{:e}", self.last) }
    }

    #[inline]
    fn coordinate(&self, value: Option<f64>, axis: char) -> Result<f64, LineProblem> {
        let value = value.unwrap_or(f64::NAN);
        if value.abs() <= MAX_COORDINATE {
            return Ok(value);
        }
        let text = self.last_text();
        Err(if value.is_finite() {
            LineProblem::TooLarge { axis, text }
        } else {
            LineProblem::NotFinite { axis, text }
        })
    }

    fn error(&self, problem: LineProblem) -> ParseError {
        ParseError::Byte { offset: self.last_offset, problem }
    }
}
