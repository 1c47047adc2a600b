//! Limits on the vertices and triangles of a scene file, for its length.
//!
//! Nodes may share a mesh, and primitives their numbers: without a limit a small file could fill
//! any memory.

/// Vertices, triangles and letters that any file may have, and how many more for each of its bytes.
const FREE_ITEMS: u64 = 1 << 20;
const ITEMS_PER_BYTE: u64 = 64;

/// How much more may come.
#[derive(Debug)]
pub(crate) struct Budget {
    left: u64,
    limit: u64,
    length: u64,
}

/// More came than the file's length explains.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exceeded {
    /// How many items there may be.
    pub(crate) limit: u64,
    /// Length of the file with all that it names, in bytes.
    pub(crate) length: u64,
}

impl Budget {
    pub(crate) fn new(length: u64) -> Self {
        let limit = FREE_ITEMS.saturating_add(length.saturating_mul(ITEMS_PER_BYTE)).min(u64::from(u32::MAX));
        Self { left: limit, limit, length }
    }

    pub(crate) fn take(&mut self, items: u64) -> Result<(), Exceeded> {
        let exceeded = Exceeded { limit: self.limit, length: self.length };
        self.left = self.left.checked_sub(items).ok_or(exceeded)?;
        Ok(())
    }
}
