//! Bytes of a file, taken one field after the other; nothing is believed before it is checked
//! against what is left.

use super::error::FileError;

/// The rest of a part of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'b> {
    bytes: &'b [u8],
    /// Of the next byte, in the file.
    offset: usize,
    /// What the part is called.
    part: &'static str,
}

impl<'b> Source<'b> {
    pub(crate) fn new(bytes: &'b [u8], offset: usize, part: &'static str) -> Self {
        Self { bytes, offset, part }
    }

    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn take(&mut self, count: usize, what: &'static str) -> Result<&'b [u8], FileError> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or_else(|| self.truncated(what, count as u128))?;
        (self.bytes, self.offset) = (rest, self.offset + count);
        Ok(taken)
    }

    /// `count` records of `size` bytes each.
    pub(crate) fn records(&mut self, count: u64, size: usize, what: &'static str) -> Result<&'b [u8], FileError> {
        let needed = u128::from(count) * size as u128;
        if needed > self.bytes.len() as u128 {
            return Err(self.truncated(what, needed));
        }
        self.take(needed as usize, what)
    }

    pub(crate) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], FileError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, what)?);
        Ok(array)
    }

    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32, FileError> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self, what: &'static str) -> Result<u64, FileError> {
        self.array(what).map(u64::from_le_bytes)
    }

    pub(crate) fn f32s<const N: usize>(&mut self, what: &'static str) -> Result<[f32; N], FileError> {
        let bytes = self.take(4 * N, what)?;
        Ok(std::array::from_fn(|i| f32::from_bits(u32s(&bytes[4 * i..4 * i + 4]).next().unwrap_or(0))))
    }

    /// An error about what was last taken, which started at `offset`.
    pub(crate) fn refuse<T>(
        offset: usize,
        what: &'static str,
        value: impl std::fmt::Display,
        expected: &'static str,
    ) -> Result<T, FileError> {
        Err(FileError::Value { offset, what, value: value.to_string(), expected })
    }

    /// Everything must have been taken.
    pub(crate) fn end(self) -> Result<(), FileError> {
        match self.bytes.len() {
            0 => Ok(()),
            count => Err(FileError::Surplus { what: self.part, offset: self.offset, count }),
        }
    }

    fn truncated(&self, what: &'static str, needed: u128) -> FileError {
        FileError::Truncated { what, offset: self.offset, needed, left: self.bytes.len() }
    }
}

/// Whole words of a run of bytes.
pub(crate) fn u32s(bytes: &[u8]) -> impl ExactSizeIterator<Item = u32> + '_ {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

/// Whole double words of a run of bytes, as numbers.
pub(crate) fn f64s(bytes: &[u8]) -> impl ExactSizeIterator<Item = f64> + '_ {
    bytes
        .chunks_exact(8)
        .map(|word| f64::from_le_bytes([word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7]]))
}
