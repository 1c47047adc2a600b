//! Where the surfaces of two parts meet: what a picture of a clash shows.

use super::assembly::Assembly;
use super::error::ClashError;
use super::finding::Finding;
use crate::query::{Scratch, Settings};
use crate::traverse::Limit;
use glam::DVec3;

/// Tests that a curve may take: a picture is no proof.
const WORK: u64 = 2_000_000;

impl Assembly {
    /// The curve along which the surfaces of a finding's two parts meet, as segments in the world:
    /// the outline of what they have in common. At most so many; flat faces that lie on each other
    /// give the edges of what they share. What takes too long to find is left out.
    ///
    /// Empty if the parts have not been searched for clashes. Error: they cannot be compared.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::clash::{Assembly, Options};
    ///
    /// let mut assembly = Assembly::new();
    /// let shape = assembly.add_mesh(cube(1.0).mesh().clone());
    /// assembly.add_part("block", shape, at(0.0, 0.0, 0.0))?;
    /// assembly.add_part("wedge", shape, at(1.5, 0.25, 0.25))?;
    /// let report = assembly.clashes(&Options::new())?;
    /// let curve = assembly.outline(&report.findings[0], 1000)?;
    /// assert!(curve.iter().flatten().all(|point| point.x >= 0.5 && point.x <= 1.0));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "intersection curve")]
    pub fn outline(&self, finding: &Finding, most: usize) -> Result<Vec<[DVec3; 2]>, ClashError> {
        let Some(pair) = self.built_pair(finding.parts)? else { return Ok(Vec::new()) };
        let world_from_a = self.parts[finding.parts[0]].world_from_shape;
        let mut scratch = Scratch::new();
        let found = pair.contacts(&Settings::new().budget(Limit::Work(WORK)), &mut scratch);
        let mut segments = Vec::new();
        for &meeting in found.pairs {
            let shared = pair.overlap(meeting);
            let points: Vec<DVec3> = shared.points().iter().map(|&point| world_from_a.apply(point)).collect();
            match points[..] {
                [from, to] => segments.push([from, to]),
                [_, _, ..] => segments.extend((0..points.len()).map(|i| [points[i], points[(i + 1) % points.len()]])),
                _ => {}
            }
            if segments.len() >= most {
                segments.truncate(most);
                break;
            }
        }
        Ok(segments)
    }
}
