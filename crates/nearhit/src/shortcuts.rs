//! The simple case in one call: two models and two poses in, an answer out.
//!
//! These functions are [`Pair`](crate::query::Pair)'s queries without settings: exact, without a
//! budget, with working memory that each thread keeps. For warm starts, tolerances, budgets and
//! counters use the pair.

use crate::error::QueryError;
use crate::model::Model;
use crate::pose::Pose;
use crate::query::{Distance, Pair, Scratch, Settings, Tolerance, TrianglePair, Verdict};
use std::cell::RefCell;

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Queries call nothing of the caller's, so the memory is never wanted twice.
fn with_scratch<T>(query: impl FnOnce(&mut Scratch) -> T) -> T {
    SCRATCH.with_borrow_mut(query)
}

/// Do two surfaces touch? (Collision detection, an intersection test.)
///
/// ```
/// use nearhit::{Mesh, Model, Pose};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let a = Model::new(Mesh::new(&corners, &[[0, 1, 2]])?);
/// let above = Pose::from_translation([0.0, 0.0, 0.5])?;
/// assert!(!nearhit::collide(&a, &Pose::IDENTITY, &a, &above)?);
/// assert!(nearhit::collide(&a, &Pose::IDENTITY, &a, &Pose::IDENTITY)?);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "intersection_test")]
pub fn collide(a: &Model, world_from_a: &Pose, b: &Model, world_from_b: &Pose) -> Result<bool, QueryError> {
    let pair = Pair::new(a, world_from_a, b, world_from_b)?;
    Ok(with_scratch(|scratch| pair.collide(&Settings::default(), scratch).verdict == Verdict::Yes))
}

/// The distance of two surfaces and their closest points.
///
/// ```
/// use nearhit::{Mesh, Model, Pose};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let a = Model::new(Mesh::new(&corners, &[[0, 1, 2]])?);
/// let above = Pose::from_translation([0.0, 0.0, 0.5])?;
/// let nearest = nearhit::distance(&a, &Pose::IDENTITY, &a, &above)?;
/// assert_eq!((nearest.lower, nearest.upper), (0.5, 0.5));
/// println!("{} and {} in a's frame", nearest.on_a, nearest.on_b);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "closest_points")]
pub fn distance(a: &Model, world_from_a: &Pose, b: &Model, world_from_b: &Pose) -> Result<Distance, QueryError> {
    let pair = Pair::new(a, world_from_a, b, world_from_b)?;
    Ok(with_scratch(|scratch| pair.distance(Tolerance::EXACT, &Settings::default(), scratch)))
}

/// Are two surfaces at most `limit` apart? Cheaper than their distance. A negative or NaN limit is
/// never met.
///
/// ```
/// use nearhit::{Mesh, Model, Pose};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let a = Model::new(Mesh::new(&corners, &[[0, 1, 2]])?);
/// let above = Pose::from_translation([0.0, 0.0, 0.5])?;
/// assert!(nearhit::within(&a, &Pose::IDENTITY, &a, &above, 0.5)?);
/// assert!(!nearhit::within(&a, &Pose::IDENTITY, &a, &above, 0.49)?);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "tolerance verification")]
pub fn within(a: &Model, world_from_a: &Pose, b: &Model, world_from_b: &Pose, limit: f64) -> Result<bool, QueryError> {
    let pair = Pair::new(a, world_from_a, b, world_from_b)?;
    Ok(with_scratch(|scratch| pair.within(limit, &Settings::default(), scratch).verdict == Verdict::Yes))
}

/// All pairs of triangles that touch, ordered. [`Pair::overlap`](crate::query::Pair::overlap) says
/// along what.
///
/// ```
/// use nearhit::{Mesh, Model, Pose, TrianglePair};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let a = Model::new(Mesh::new(&corners, &[[0, 1, 2]])?);
/// let contacts = nearhit::contacts(&a, &Pose::IDENTITY, &a, &Pose::IDENTITY)?;
/// assert_eq!(contacts, [TrianglePair { a: 0, b: 0 }]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "contact pairs")]
pub fn contacts(
    a: &Model,
    world_from_a: &Pose,
    b: &Model,
    world_from_b: &Pose,
) -> Result<Vec<TrianglePair>, QueryError> {
    let pair = Pair::new(a, world_from_a, b, world_from_b)?;
    Ok(with_scratch(|scratch| pair.contacts(&Settings::default(), scratch).pairs.to_vec()))
}
