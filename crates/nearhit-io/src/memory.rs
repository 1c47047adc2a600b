//! Is there memory to read a file?
//!
//! It is asked for once, before the reader begins, and given back: nobody can refuse while lists
//! grow, and a process without memory is ended.

use crate::error::ReadError;
use std::path::Path;

/// How much a reader may need for each byte of a file: lists of vertices and triangles while they
/// grow, tables of corners, trees of XML.
const BYTES_PER_BYTE: usize = 12;

/// A shorter file is not worth asking for.
const LONG: usize = 1 << 20;

/// Whether there is memory to read a file of so many bytes.
pub(crate) fn check(path: &Path, length: usize) -> Result<(), ReadError> {
    let bytes = length.saturating_mul(BYTES_PER_BYTE);
    if length < LONG || is_free(bytes) {
        return Ok(());
    }
    Err(ReadError::Memory { path: path.into(), megabytes: bytes / 1_000_000 })
}

fn is_free(bytes: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let is_free = room.try_reserve_exact(bytes).is_ok();
    // What nobody looks at need not be asked for.
    std::hint::black_box(&room);
    is_free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_is_refused() {
        let path = Path::new("huge.obj");
        assert!(check(path, 100 << 20).is_ok());
        let error = check(path, 1 << 60).expect_err("no machine has as much");
        assert!(error.to_string().starts_with("huge.obj: not enough memory: to read it may take 13835058055282"));
    }
}
