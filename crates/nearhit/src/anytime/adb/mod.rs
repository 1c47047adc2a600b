//! Average-case collision detection (Klein and Zachmann 2003): how likely is it that two meshes
//! touch?
//!
//! Nodes of a tree are divided into 8³ cells. [`Averages`], a table beside the tree, knows how many
//! cells of each node hold enough surface to be hit; by the paper no triangle is looked at after
//! that. Of two nodes, the share of their cells that lie in both ([`overlap`]) and the
//! [`hypergeometric`] of a hypergeometric distribution tell how likely they hold triangles that
//! meet. The paper's search opens the likeliest pair first and believes in a collision after
//! [`Quality::k_min`] pairs of at least [`Quality::p_min`]: [`Rule::Anywhere`]. That is fast, and
//! wrong where bodies pass closely. By default a search ends where two flat [pieces](piece) of
//! surface cross, or with triangles that touch, or with the proof that none do:
//! [`Rule::Crossings`]. It can be stopped at any moment.
//!
//! The estimates are not probabilities that one could bet on; the paper leaves it at that.
//! [`calibration`] maps what the search has seen to one.
//!
//! ```
//! use nearhit::research::adb::{Averages, Options, Quality};
//! use nearhit::research::PairExt;
//! use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let model = Model::new(Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?);
//! let averages = Averages::new(&model, &Options::default());
//! let pair = Pair::relative(&model, &model, &Pose::from_translation([5.0, 0.0, 0.0])?)?;
//! let mut scratch = Scratch::new();
//! let guess = pair.averaged(&averages, &averages)?.collide(&Quality::default(), &Settings::default(), &mut scratch);
//! assert_eq!(guess.collides(), Some(false));
//! assert!(guess.probability() < 0.01);
//! # Ok(())
//! # }
//! ```

mod averages;
pub mod block;
mod bucket_queue;
pub mod calibration;
mod cells;
pub mod clip;
mod estimate;
mod fitted;
pub mod hypergeometric;
mod octree;
pub mod overlap;
mod partition;
pub mod patch;
mod patch_search;
mod probability;
mod quality;
pub mod rank;
mod search;

pub use averages::{Averages, Options};
pub use cells::{FLATTEST, largest_section, thickened};
pub use estimate::{AveragedPair, Estimate, Evidence, LikelyPair, Outcome};
pub use octree::octree_model;
pub use overlap::Overlap;
pub use partition::Partition;
pub use probability::{Estimator, Hits, Sizes};
pub use quality::{Quality, Rule};
