//! Overlap of two solids: what they have in common.

use super::Placement;
use crate::clash;
use crate::query::Interval;
use crate::solid::SolidOverlap;

/// What two solids have in common, in the world.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Overlap {
    /// Its volume.
    pub volume: Interval,
    /// Its surface area. Null where that is not known.
    pub area: Option<Interval>,
    /// Its centre of volume. Null where the volume may be 0.
    pub center: Option<[f64; 3]>,
    /// The least and the greatest corner of a box around it. Null if it is empty.
    #[cfg_attr(feature = "serde", serde(rename = "box"))]
    pub bounds: Option<[[f64; 3]; 2]>,
    /// The body that passes through the other, by name; "a" or "b" of two meshes.
    pub through: Option<String>,
}

impl Overlap {
    /// Report of an overlap.
    pub(super) fn new(placement: &Placement<'_>, found: &SolidOverlap) -> Self {
        let side = |side| if side == crate::solid::Side::A { "a" } else { "b" };
        Self {
            volume: found.volume,
            area: found.area,
            center: found.center.map(|(center, _)| placement.point(center)),
            bounds: found.bounds.map(|corners| placement.bounds(corners)),
            through: found.through.map(|found| side(found).to_owned()),
        }
    }

    /// Of two parts of an assembly.
    pub(super) fn of_parts(found: &clash::Overlap, name: impl Fn(usize) -> String) -> Self {
        Self {
            volume: found.volume,
            area: found.area,
            center: found.center.map(|center| center.to_array()),
            bounds: found.bounds.map(|bounds| [bounds.low.to_array(), bounds.high.to_array()]),
            through: found.through.map(name),
        }
    }
}
