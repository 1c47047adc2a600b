//! Binary STL: an 80 byte header, a 32 bit count, and 50 bytes for each triangle.
//!
//! The count is believed only as far as there are bytes for it.

use crate::error::ParseError;
use crate::weld::Welder;
use nearhit::RawMesh;

/// Length of the header with the count.
pub(super) const HEADER_LENGTH: usize = 84;
/// Normal, three corners and two attribute bytes.
const RECORD_LENGTH: usize = 50;
const NORMAL_LENGTH: usize = 12;
const CORNER_LENGTH: usize = 12;

/// Whether the file is exactly as long as its count says.
pub(super) fn has_declared_length(bytes: &[u8]) -> bool {
    split(bytes).is_some_and(|(declared, records)| records.len() as u64 == declared_length(declared))
}

pub(super) fn parse(bytes: &[u8]) -> Result<RawMesh, ParseError> {
    let (declared, records) = split(bytes).ok_or(ParseError::NotStl)?;
    check_length(declared, records)?;
    let mut welder = Welder::with_capacity(declared as usize);
    for (triangle, record) in records.chunks_exact(RECORD_LENGTH).enumerate() {
        welder.push(corners(record, triangle)?);
    }
    Ok(welder.finish())
}

/// The count, and what comes after it.
fn split(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (header, records) = bytes.split_at_checked(HEADER_LENGTH)?;
    Some((u32::from_le_bytes(*header.last_chunk()?), records))
}

/// Of all records together. Does not fit in a 32 bit `usize`.
fn declared_length(declared: u32) -> u64 {
    u64::from(declared) * RECORD_LENGTH as u64
}

fn check_length(declared: u32, records: &[u8]) -> Result<(), ParseError> {
    let present = records.len() / RECORD_LENGTH;
    if (present as u64) < u64::from(declared) {
        return Err(ParseError::Truncated { declared, present, length: HEADER_LENGTH + records.len() });
    }
    if (present as u64) > u64::from(declared) {
        let excess = records.len() - declared as usize * RECORD_LENGTH;
        return Err(ParseError::Excess { declared, excess });
    }
    Ok(())
}

fn corners(record: &[u8], triangle: usize) -> Result<[[f64; 3]; 3], ParseError> {
    let mut corners = [[0.0; 3]; 3];
    let given = record[NORMAL_LENGTH..].chunks_exact(CORNER_LENGTH);
    for (corner, bytes) in given.enumerate() {
        for (place, axis) in ['x', 'y', 'z'].into_iter().enumerate() {
            let value = f32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[4 * place + byte]));
            if !value.is_finite() {
                return Err(ParseError::NotFinite { triangle, corner, axis, value });
            }
            corners[corner][place] = f64::from(value);
        }
    }
    Ok(corners)
}
