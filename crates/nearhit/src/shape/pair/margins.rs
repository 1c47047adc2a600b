//! What two shapes are grown by, added with outward rounding.

/// What two shapes are grown by.
#[derive(Debug, Clone, Copy)]
pub(in crate::shape) struct Margins {
    pub(in crate::shape) a: f64,
    pub(in crate::shape) b: f64,
}

impl Margins {
    /// Their sum, not rounded down.
    #[inline]
    pub(in crate::shape) fn up(&self) -> f64 {
        let sum = self.a + self.b;
        if self.a == 0.0 || self.b == 0.0 { sum } else { sum.next_up() }
    }

    /// Their sum, not rounded up.
    #[inline]
    pub(in crate::shape) fn down(&self) -> f64 {
        let sum = self.a + self.b;
        if self.a == 0.0 || self.b == 0.0 { sum } else { sum.next_down() }
    }

    /// A lower bound of the grown shapes' distance, from one of their cores'.
    #[inline]
    pub(in crate::shape) fn lower(&self, core: f64) -> f64 {
        if self.up() == 0.0 { core } else { (core - self.up()).next_down().max(0.0) }
    }

    /// An upper bound.
    #[inline]
    pub(in crate::shape) fn upper(&self, core: f64) -> f64 {
        if self.up() == 0.0 { core } else { (core - self.down()).next_up().max(0.0) }
    }
}
