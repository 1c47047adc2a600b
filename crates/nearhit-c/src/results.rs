//! Fields of all results: verdict, triangle pair (witness, warm start), side, work counters.

use nearhit::{Side, Stats, TrianglePair, Verdict};

/// Yes, no, or not known yet.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum nearhit_verdict {
    /// Certainly not.
    No = 0,
    /// Certainly.
    Yes = 1,
    /// The limit of the settings came first.
    Maybe = 2,
}

impl From<Verdict> for nearhit_verdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::No => Self::No,
            Verdict::Yes => Self::Yes,
            Verdict::Maybe => Self::Maybe,
        }
    }
}

/// One of two bodies, or none.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum nearhit_side {
    /// None of the two.
    None = 0,
    /// The first.
    A = 1,
    /// The second.
    B = 2,
}

impl From<Option<Side>> for nearhit_side {
    fn from(side: Option<Side>) -> Self {
        match side {
            None => Self::None,
            Some(Side::A) => Self::A,
            Some(Side::B) => Self::B,
        }
    }
}

/// A triangle of a and a triangle of b, by index.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct nearhit_triangle_pair {
    /// In a's mesh.
    pub a: u32,
    /// In b's mesh.
    pub b: u32,
}

/// No triangle: where an answer has none to show.
pub const NEARHIT_NO_TRIANGLE: u32 = u32::MAX;

impl From<TrianglePair> for nearhit_triangle_pair {
    fn from(TrianglePair { a, b }: TrianglePair) -> Self {
        Self { a, b }
    }
}

impl From<Option<TrianglePair>> for nearhit_triangle_pair {
    fn from(pair: Option<TrianglePair>) -> Self {
        pair.map_or(Self { a: NEARHIT_NO_TRIANGLE, b: NEARHIT_NO_TRIANGLE }, Self::from)
    }
}

impl From<nearhit_triangle_pair> for TrianglePair {
    fn from(nearhit_triangle_pair { a, b }: nearhit_triangle_pair) -> Self {
        Self { a, b }
    }
}

/// Work done.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct nearhit_stats {
    /// Pairs of bounding volumes tested.
    pub volume_tests: u64,
    /// Pairs of triangles tested.
    pub triangle_tests: u64,
    /// Volumes brought into the other's frame.
    pub updates: u64,
}

impl From<Stats> for nearhit_stats {
    fn from(stats: Stats) -> Self {
        let Stats { volume_tests, triangle_tests, updates, .. } = stats;
        Self { volume_tests, triangle_tests, updates }
    }
}
