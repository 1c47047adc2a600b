//! Clash detection: find clashes between the parts of an assembly. Hard clashes with their
//! penetration depth, clearance violations, parts inside each other, duplicates, faces that touch.
//!
//! | module | content |
//! |---|---|
//! | `assembly`, `options`, `rules` | what is searched, and how; which pairs may be in contact |
//! | `find`, `again` | all pairs of parts that are near each other, on all threads; those of parts that have moved |
//! | `judge` | the class of two parts |
//! | `penetration` | is a point of one surface inside the other solid, deeper than the tolerance? With a proof, and the cost |
//! | `surface`, `flat`, `boxes`, `cover` | what that takes: welded triangles, flat faces, boxes around features, intervals of segments |
//! | `contact`, `outline`, `facets` | which triangles touch; the curve along which surfaces meet; how exact facets are |
//! | `assertion` | named claims about pairs |
//! | `group`, `identity`, `severity` | findings together, over runs, by weight |
//! | `finding`, `error` | what is answered |
//!
//! ```
//! use nearhit::clash::{Assembly, Class, Options};
//! use nearhit::{Mesh, Pose};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A cube, in three places: the second is half a unit inside the first, the third lies on the second.
//! let corners: Vec<[f64; 3]> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
//! let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
//! let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
//! let mut assembly = Assembly::new();
//! let cube = assembly.add_mesh(Mesh::new(&corners, &triangles)?);
//! for (name, at) in [("block", [0.0; 3]), ("wedge", [0.5, 0.25, 0.25]), ("cap", [1.5, 0.5, 0.0])] {
//!     assembly.add_part(name, cube, Pose::from_translation(at)?)?;
//! }
//!
//! let report = assembly.clashes(&Options::new())?;
//! assert_eq!(report.findings.len(), 2);
//! let worst = &report.findings[0];
//! assert_eq!((worst.class, worst.parts), (Class::Hard, [0, 1]));
//! assert!(worst.depth.is_some_and(|depth| (depth - 0.5).abs() < 0.01));
//! assert_eq!((report.findings[1].class, report.findings[1].parts), (Class::Touching, [1, 2]));
//! # Ok(())
//! # }
//! ```

mod again;
mod assembly;
mod assertion;
mod boxes;
mod candidates;
mod contact;
mod cover;
mod error;
mod facets;
mod find;
mod finding;
mod flat;
mod group;
mod identity;
mod judge;
mod options;
mod outline;
mod penetration;
mod rules;
mod severity;
mod surface;

pub use assembly::{Assembly, Part};
pub use assertion::{Asserted, Claim, Standing};
pub use error::ClashError;
pub use finding::{Basis, Class, Finding, Overlap, Report};
pub use group::{Group, GroupBy};
pub use identity::{Change, Comparison, FindingId, KnownFinding};
pub use options::{Options, Progress};
pub use rules::Rules;
pub use severity::Severity;
