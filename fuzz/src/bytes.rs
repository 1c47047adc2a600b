//! Bytes of a fuzzer as numbers.

/// Hands out bytes; zeros when there are no more.
#[derive(Debug)]
pub(crate) struct Bytes<'b>(std::slice::Iter<'b, u8>);

impl<'b> Bytes<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self(bytes.iter())
    }

    pub(crate) fn next(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    /// Eighths from -16 to 16.
    pub(crate) fn eighths(&mut self) -> f64 {
        f64::from(self.next() as i8) / 8.0
    }
}
