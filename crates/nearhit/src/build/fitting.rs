//! What the rules for splitting ask of the volume that a tree is made of, whichever that is: so
//! that builders are compiled once and not for every volume.

use super::split::Cost;
use crate::mesh::Triangle;
use crate::volume::BoundingVolume;
use glam::DVec3;
use std::marker::PhantomData;
use std::ops::Range;

/// Volumes of one kind, fitted to sets of triangles.
pub(super) trait Fitting: Sync {
    /// See [`BoundingVolume::SPLIT_DIRECTIONS`].
    fn directions(&self) -> &'static [DVec3];

    /// How large the volume around triangles is, at least the smallest number above zero.
    fn size(&self, triangles: &[Triangle]) -> f64;

    /// What the volume around triangles costs, in units of `unit`.
    fn cost(&self, triangles: &[Triangle], cost: Cost, unit: f64) -> f64;

    /// For every border between groups of triangles: what the volumes of all before it and of all
    /// after it cost.
    ///
    /// A volume that can be merged is fitted to each group once; one that cannot is fitted anew for
    /// every border.
    fn costs_of_sides(&self, triangles: &[Triangle], groups: &[Range<usize>], cost: Cost, unit: f64) -> Vec<[f64; 2]>;
}

/// Fits volumes of kind `V`.
pub(super) struct FittingOf<V>(PhantomData<fn() -> V>);

impl<V> FittingOf<V> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<V: BoundingVolume> Fitting for FittingOf<V> {
    fn directions(&self) -> &'static [DVec3] {
        V::SPLIT_DIRECTIONS
    }

    fn size(&self, triangles: &[Triangle]) -> f64 {
        V::fit(triangles).size().max(f64::MIN_POSITIVE)
    }

    fn cost(&self, triangles: &[Triangle], cost: Cost, unit: f64) -> f64 {
        cost.of(&V::fit(triangles), unit)
    }

    fn costs_of_sides(&self, triangles: &[Triangle], groups: &[Range<usize>], cost: Cost, unit: f64) -> Vec<[f64; 2]> {
        let volumes: Vec<V> = groups.iter().map(|group| V::fit(&triangles[group.clone()])).collect();
        let merged = merged_costs(volumes.iter(), cost, unit).zip(merged_costs(volumes.iter().rev(), cost, unit));
        let Some((before, after)) = merged else {
            let sides = groups.iter().skip(1).map(|group| triangles.split_at(group.start));
            return sides.map(|(left, right)| [left, right].map(|side| self.cost(side, cost, unit))).collect();
        };
        let after = after.into_iter().rev().skip(1);
        before.into_iter().zip(after).map(|(before, after)| [before, after]).collect()
    }
}

/// What each volume merged with all before it costs; `None` if the kind of volume cannot be merged.
fn merged_costs<'v, V: BoundingVolume>(
    volumes: impl Iterator<Item = &'v V>,
    cost: Cost,
    unit: f64,
) -> Option<Vec<f64>> {
    let (mut costs, mut last) = (Vec::new(), None);
    for volume in volumes {
        let next = match last {
            None => *volume,
            Some(last) => V::merged(&last, volume)?,
        };
        costs.push(cost.of(&next, unit));
        last = Some(next);
    }
    Some(costs)
}
