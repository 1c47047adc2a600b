//! Pairs of solids.

use crate::point::Placed;
use crate::query::Pair;

/// One of the two models of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Model a.
    A,
    /// Model b.
    B,
}

impl Side {
    /// The other one.
    #[must_use]
    pub(crate) fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// A pair of models asked about as solids: made by [`Pair::solid`]. All points and directions are
/// in a's frame.
///
/// The questions are those of [`Pair`], with a part inside another counting as contact; what it
/// takes to tell inside from outside is made when a model is first asked, so whoever only asks
/// about surfaces pays nothing.
///
/// ```
/// use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings, Tolerance, Verdict};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let cube = |half: f64| {
///     let corners: Vec<[f64; 3]> =
///         (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| if bit == 0 { -half } else { half })).collect();
///     let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
///     let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
///     Mesh::new(&corners, &triangles)
/// };
/// let (outer, inner) = (Model::new(cube(2.0)?), Model::new(cube(0.5)?));
/// let pair = Pair::new(&outer, &Pose::IDENTITY, &inner, &Pose::from_translation([1.0, 0.0, 0.0])?)?;
/// let (settings, mut scratch) = (Settings::default(), Scratch::new());
///
/// assert_eq!(pair.collide(&settings, &mut scratch).verdict, Verdict::No, "the surfaces do not touch");
/// assert_eq!(pair.solid().collide(&settings, &mut scratch).verdict, Verdict::Yes, "but one is inside the other");
///
/// // Signed distance: how deep the deepest point of one surface lies below the other.
/// let found = pair.solid().distance(Tolerance::relative(0.01), &settings, &mut scratch);
/// assert!(found.lower <= -1.5 && -1.52 <= found.lower && found.upper <= -1.48);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SolidPair<'m> {
    pub(super) pair: Pair<'m>,
}

impl<'m> Pair<'m> {
    /// The same two models as solids.
    #[must_use]
    pub fn solid(&self) -> SolidPair<'m> {
        SolidPair { pair: *self }
    }
}

impl<'m> SolidPair<'m> {
    /// Are both meshes closed? Otherwise what counts as inside is a matter of generalised winding
    /// numbers, and bounds on depths hold only as far as those do.
    pub(crate) fn is_exact(&self) -> bool {
        self.pair.a().inside().is_exact() && self.pair.b().inside().is_exact()
    }

    /// A body where it lies in a's frame.
    pub(crate) fn placed(&self, body: Side) -> Placed<'m> {
        match body {
            Side::A => Placed::own(self.pair.a()),
            Side::B => Placed::posed(self.pair.b(), self.pair.a_from_b()),
        }
    }
}
