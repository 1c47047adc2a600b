//! Reports: the answer of every query as plain data, in world coordinates, serialisable with the
//! feature `serde`.
//!
//! A query answers in a's frame and in terms of working memory; what a program writes down, sends
//! or shows is here, each described once. The command's JSON is made of these types, and
//! `docs/schema` describes it. Fields that a budget leaves unknown are `None` (null), an infinite
//! upper end of an [`Interval`](crate::query::Interval) is null, and `is_complete` (`complete` in
//! JSON) is false on whatever a budget or the user cut short. The same question gives the same
//! bytes.
//!
//! | file | answers |
//! |---|---|
//! | `placement` | two placed models: from a's frame to the world |
//! | `witness` | which triangles decided an answer, and where; one contact |
//! | `interval`, `work` | certified bounds; the papers' counters |
//! | `check`, `distance`, `within` | collision and contacts, distance, tolerance verification |
//! | `assessment`, `refinement` | what is known when time is short |
//! | `solid`, `overlap` | containment, penetration depth, separating translation, contact regions; volume |
//! | `shapes` | the same of primitives, hulls and sets of them |
//! | `path` | a series of poses: first contact, smallest clearance |
//! | `clash`, `mesh` | findings of an assembly; what is in a mesh |
//!
//! ```
//! use nearhit::report::{self, Placement};
//! use nearhit::{Mesh, Model, Pose, Scratch, Settings, Tolerance};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let a = Model::new(Mesh::new(&corners, &[[0, 1, 2]])?);
//! let (up, higher) = (Pose::from_translation([0.0, 0.0, 5.0])?, Pose::from_translation([0.0, 0.0, 7.0])?);
//! let placement = Placement::new(&a, &up, &a, &higher)?;
//! let found = placement.pair().distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new());
//! let report = report::Distance::new(&placement, &found);
//! assert_eq!((report.interval.upper, report.is_complete), (2.0, true));
//! assert_eq!(report.witness.points.map(|[_, _, z]| z), [5.0, 7.0], "in the world");
//! # Ok(())
//! # }
//! ```

mod assessment;
mod check;
mod clash;
mod distance;
mod interval;
mod mesh;
mod overlap;
mod path;
mod placement;
mod refinement;
mod shapes;
mod solid;
mod within;
mod witness;
mod work;

pub use assessment::Assessment;
pub use check::Check;
pub use clash::{Assertion, Baseline, Clash, Counts, Finding, Group, Resolved};
pub use distance::Distance;
pub use mesh::MeshReport;
pub use overlap::Overlap;
pub use path::Path;
pub use placement::Placement;
pub use refinement::Refinement;
pub use solid::{Nesting, Region, Separation, Solid};
pub use within::Within;
pub use witness::{Contact, Witness};
pub use work::Work;
