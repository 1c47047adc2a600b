//! What the paper found, on other models and a machine of 2003.

/// Mean errors in per cent between distances 1 and 2: car body, door lock, pipes (§4.3.1).
pub(super) const ERRORS_FROM_1_TO_2: [f64; 3] = [3.19, 1.71, 3.15];

/// The same between distances 0.4 and 2.1.
pub(super) const ERRORS_FROM_04_TO_21: [f64; 3] = [1.89, 1.54, 2.10];

/// Table 1: bytes a node.
pub(super) const BYTES: [(&str, usize); 5] =
    [("ADB-tree of AABBs", 36), ("sphere tree", 16), ("AABB tree", 28), ("OBB tree", 64), ("24-DOP tree", 100)];

/// The ten lookup tables: bytes of one without the paper's cuts, by how much these reduce it, and
/// hours to make them (§4.2.3).
pub(super) const TABLES: (f64, f64, f64) = (256e6, 17.0, 93.0);
