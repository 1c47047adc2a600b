//! A search after some parts have moved: only pairs with one of them are looked at.

use super::assembly::Assembly;
use super::error::ClashError;
use super::find::Earlier;
use super::finding::{Class, Finding, Report};
use super::options::Options;

impl Assembly {
    /// Finds clashes after some parts have moved ([`Assembly::move_part`]) or were added, given the
    /// report from before: only pairs with one of these parts are looked at, all other findings are
    /// taken over. The findings are those of [`Assembly::clashes`] with the same options and the
    /// earlier report's tolerance; counts of pairs and of work are of this search alone.
    ///
    /// Errors: as [`Assembly::clashes`], and a part that does not exist.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::clash::{Assembly, Options};
    ///
    /// let mut assembly = Assembly::new();
    /// let shape = assembly.add_mesh(cube(1.0).mesh().clone());
    /// for number in 0..10 {
    ///     assembly.add_part(format!("block_{number}"), shape, at(1.5 * f64::from(number), 0.0, 0.0))?;
    /// }
    /// let before = assembly.clashes(&Options::new())?;
    /// assert_eq!((before.findings.len(), before.pairs_judged), (9, 9));
    /// assembly.move_part(9, at(50.0, 0.0, 0.0))?;
    /// let after = assembly.clashes_after(&before, &[9], &Options::new())?;
    /// assert_eq!((after.findings.len(), after.pairs_judged), (8, 0));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "incremental")]
    pub fn clashes_after(
        &mut self,
        before: &Report,
        moved: &[usize],
        options: &Options<'_>,
    ) -> Result<Report, ClashError> {
        let options = options.tolerance(before.tolerance);
        let limits = self.limits(&options)?;
        let mut is_moved = vec![false; self.parts.len()];
        for &part in moved {
            let parts = is_moved.len();
            *is_moved.get_mut(part).ok_or(ClashError::UnknownPart { part, parts })? = true;
        }
        if !self.is_tame() {
            return self.clashes(&options);
        }
        let touches = |is_moved: &[bool], finding: &Finding| {
            finding.parts.iter().chain(&finding.copies).any(|&part| is_moved.get(part).copied().unwrap_or(true))
        };
        // Where copies are folded, findings of a moved part stand for those of its copies.
        let duplicates = before.findings.iter().filter(|finding| finding.class == Class::Duplicate);
        for copies in duplicates.filter(|_| options.folds_copies) {
            if touches(&is_moved, copies) {
                for &part in copies.parts.iter().chain(&copies.copies) {
                    is_moved.get_mut(part).into_iter().for_each(|is_moved| *is_moved = true);
                }
            }
        }
        let kept = before.findings.iter().filter(|finding| !touches(&is_moved, finding)).cloned().collect();
        let is_kept = |parts: &&[usize; 2]| parts.iter().all(|&part| is_moved.get(part) == Some(&false));
        let earlier = Earlier {
            findings: kept,
            allowed_pairs: before.allowed_pairs.iter().filter(is_kept).copied().collect(),
            is_complete: before.is_complete,
        };
        let mut pairs = self.pairs_with(&is_moved, limits.reach());
        pairs.retain(|&pair| self.is_asked(pair, &options));
        self.look_at(&pairs, limits, &options, earlier)
    }

    /// Pairs that are near each other and have one of these parts, sorted.
    fn pairs_with(&self, wanted: &[bool], reach: f64) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for one in (0..wanted.len()).filter(|&part| wanted[part]) {
            let own = &self.parts[one].bounds;
            for (other, part) in self.parts.iter().enumerate() {
                if other != one && !(wanted[other] && other < one) && own.near(&part.bounds, reach) {
                    pairs.push((one.min(other), one.max(other)));
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }
}
