//! Time-critical (anytime) collision detection, answers when time is short: approximations of a
//! surface that are certain at every level of detail, and estimates that trade certainty for speed
//! and say so ([`adb`](crate::research::adb)).
//!
//! A [`SphereTree`] covers a surface at every level with balls whose error is known; a
//! [`Refinement`] descends two of them level by level, as long as there is time, and says at any
//! moment what is certain.
//!
//! ```
//! use nearhit::{Budget, Mesh, Model, Pair, Pose, Refinement, SpherePair, SphereTree, Verdict};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let model = Model::new(Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?);
//! let tree = SphereTree::new(&model);
//!
//! let apart = Pose::from_translation([1.5, 0.0, 0.0])?;
//! let pair = SpherePair::new(Pair::new(&model, &Pose::IDENTITY, &model, &apart)?, &tree, &tree);
//! let mut refinement = Refinement::default();
//! let known = refinement.run(&pair, &Budget::work(100));
//! assert!(known.separation.lower <= 0.5 && 0.5 <= known.separation.upper);
//! let known = refinement.run(&pair, &Budget::UNLIMITED);
//! assert_eq!(known.verdict, Verdict::No);
//! # Ok(())
//! # }
//! ```

pub(crate) mod adb;
pub(crate) mod refine;
mod sphere_pair;
pub(crate) mod sphere_tree;

pub use refine::{Refined, Refinement};
pub use sphere_pair::SpherePair;
pub use sphere_tree::SphereTree;
