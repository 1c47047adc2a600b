//! Turns the corners of a polygon into triangles, one by one as they come.

/// The fan around a polygon's first corner.
#[derive(Debug, Default)]
pub(crate) struct Fan {
    first: u32,
    last: u32,
    corners: usize,
}

impl Fan {
    /// Appends a corner, and from the third one on a triangle.
    #[inline]
    pub(crate) fn push(&mut self, corner: u32, triangles: &mut Vec<[u32; 3]>) {
        match self.corners {
            0 => self.first = corner,
            1 => {}
            _ => triangles.push([self.first, self.last, corner]),
        }
        self.last = corner;
        self.corners += 1;
    }

    /// How many corners there are.
    pub(crate) fn corners(&self) -> usize {
        self.corners
    }
}

/// A strip: each corner makes a triangle with the two before it, every other one turned round so
/// that all face the same way.
#[derive(Debug, Default)]
pub(crate) struct Strip {
    before: [u32; 2],
    corners: usize,
}

impl Strip {
    /// Appends a corner, and from the third one on a triangle.
    #[inline]
    pub(crate) fn push(&mut self, corner: u32, triangles: &mut Vec<[u32; 3]>) {
        let [older, newer] = self.before;
        match self.corners {
            0 | 1 => {}
            even if even % 2 == 0 => triangles.push([older, newer, corner]),
            _ => triangles.push([older, corner, newer]),
        }
        self.before = [newer, corner];
        self.corners += 1;
    }

    /// How many corners there are.
    pub(crate) fn corners(&self) -> usize {
        self.corners
    }
}
