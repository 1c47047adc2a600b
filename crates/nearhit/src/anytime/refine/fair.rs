//! Fair refinement: many pairs with one budget.

use super::{Refinement, SpherePair};
use crate::traverse::{Budget, Stats};

/// Refines many pairs with one budget: one level each in turn, so that every pair whose balls meet
/// gets its first step before any gets its second. Returns the pairs, by index, that had none when
/// the budget ended.
///
/// A pair that was begun in an earlier call goes on where it was.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use nearhit::research::sphere_tree::refine_fairly;
/// use nearhit::{Budget, Pair, Refinement, SpherePair, SphereTree, Verdict};
///
/// let model = cube(1.0);
/// let tree = SphereTree::new(&model);
/// let pair = Pair::new(&model, &at(0.0, 0.0, 0.0), &model, &at(3.0, 0.0, 0.0))?;
/// let pair = SpherePair::new(pair, &tree, &tree);
/// let mut states = [Refinement::default()];
/// let without = refine_fairly(&[pair], &mut states, &Budget::work(1000));
/// assert!(without.is_empty());
/// assert_eq!(states[0].known().verdict, Verdict::No);
/// # Ok(())
/// # }
/// ```
pub fn refine_fairly(pairs: &[SpherePair<'_>], states: &mut [Refinement], budget: &Budget<'_>) -> Vec<usize> {
    let mut spent = Stats::default();
    let mut open: Vec<usize> = (0..pairs.len().min(states.len())).filter(|&index| !states[index].is_done()).collect();
    let mut within = true;
    while within && !open.is_empty() {
        // Those that are behind first: a budget may have ended in the middle of a round.
        let behind = open.iter().map(|&index| states[index].steps()).min().unwrap_or(0);
        let mut turn =
            open.iter().filter(|&&index| states[index].steps() == behind).copied().collect::<Vec<_>>().into_iter();
        within = turn.all(|index| states[index].step(&pairs[index], budget, &mut spent));
        open.retain(|&index| !states[index].is_done());
    }
    open.retain(|&index| states[index].level == 0);
    open
}
