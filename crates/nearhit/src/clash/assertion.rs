//! Assertions: named claims about pairs of parts that hold, are violated, or are stale because no
//! part has such a name.

use super::assembly::Assembly;
use super::error::ClashError;
use super::options::Options;
use super::rules::Sides;
use crate::parallel::*;
use crate::query::{Interval, Scratch, Settings, Tolerance, Verdict};

/// What is claimed of two parts.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Claim {
    /// They are at least this far apart, and none is inside the other. With 0: they do not touch.
    Clears(f64),
    /// They are in contact: no farther apart than the tolerance.
    Touches,
}

/// A named claim about all pairs of parts that two patterns name.
#[derive(Debug, Clone)]
pub(super) struct Assertion {
    pub(super) name: String,
    pub(super) sides: Sides,
    pub(super) claim: Claim,
}

/// Whether an assertion holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Standing {
    /// Of every pair.
    Holds,
    /// Of some pair it does not.
    Violated,
    /// No two parts have such names.
    Stale,
}

impl From<Standing> for &'static str {
    /// As in files: `holds`, `violated`, `stale`.
    fn from(standing: Standing) -> Self {
        match standing {
            Standing::Holds => "holds",
            Standing::Violated => "violated",
            Standing::Stale => "stale",
        }
    }
}

/// The answer to one assertion.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Asserted {
    /// The assertion's name.
    pub name: String,
    /// Does it hold?
    pub standing: Standing,
    /// How many pairs of parts it is about.
    pub pairs: usize,
    /// The pair that violates it most, by index, and the signed distance of its solids.
    pub worst: Option<([usize; 2], Interval)>,
}

impl Assembly {
    /// Checks the assertions of rules ([`Rules::assert`](super::Rules::assert)): in their order.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::clash::{Assembly, Claim, Options, Rules, Standing};
    ///
    /// let mut assembly = Assembly::new();
    /// let shape = assembly.add_mesh(cube(1.0).mesh().clone());
    /// assembly.add_part("bolt", shape, at(0.0, 0.0, 0.0))?;
    /// assembly.add_part("cover", shape, at(3.5, 0.0, 0.0))?;
    /// let mut rules = Rules::default();
    /// rules.assert("room for a spanner", "bolt:cover", Claim::Clears(2.0))?;
    /// rules.assert("a part that was renamed", "bolt:lid", Claim::Clears(2.0))?;
    /// let found = assembly.check(&rules, &Options::new())?;
    /// assert_eq!((found[0].standing, found[1].standing), (Standing::Violated, Standing::Stale));
    /// assert_eq!(found[0].worst.map(|(_, distance)| distance.upper), Some(1.5));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "design rule check")]
    pub fn check(&mut self, rules: &super::Rules, options: &Options<'_>) -> Result<Vec<Asserted>, ClashError> {
        let tolerance = self.limits(options)?.tolerance;
        let assertions = rules.assertions();
        let pairs: Vec<Vec<(usize, usize)>> = assertions.iter().map(|assertion| self.named(&assertion.sides)).collect();
        let reach = |claim: Claim| match claim {
            Claim::Clears(distance) => distance,
            Claim::Touches => f64::INFINITY,
        };
        // What is farther apart than a claim is about needs no tree.
        let near = |(pairs, assertion): (&Vec<(usize, usize)>, &Assertion)| -> Vec<(usize, usize)> {
            let is_near = |&(a, b): &(usize, usize)| {
                self.parts[a].bounds.near(&self.parts[b].bounds, reach(assertion.claim) * (1.0 + 1e-9))
            };
            pairs.iter().copied().filter(is_near).collect()
        };
        let asked: Vec<Vec<(usize, usize)>> = pairs.iter().zip(assertions).map(near).collect();
        self.build(&asked.concat(), options);
        let mut answers = Vec::new();
        for ((assertion, pairs), asked) in assertions.iter().zip(&pairs).zip(&asked) {
            let worst = self.worst(assertion.claim, asked, tolerance)?;
            let standing = match (pairs.is_empty(), &worst) {
                (true, _) => Standing::Stale,
                (false, None) => Standing::Holds,
                (false, Some(_)) => Standing::Violated,
            };
            answers.push(Asserted { name: assertion.name.clone(), standing, pairs: pairs.len(), worst });
        }
        Ok(answers)
    }

    /// All pairs of parts that two patterns name, each once.
    fn named(&self, sides: &Sides) -> Vec<(usize, usize)> {
        let of = |side: usize| -> Vec<usize> {
            (0..self.parts.len()).filter(|&part| sides.meets(side, &self.parts[part].name)).collect()
        };
        let (left, right) = (of(0), of(1));
        let mut pairs: Vec<(usize, usize)> = left
            .iter()
            .flat_map(|&a| right.iter().map(move |&b| (a.min(b), a.max(b))))
            .filter(|(a, b)| a != b)
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The pair that a claim is most wrong about.
    fn worst(
        &self,
        claim: Claim,
        pairs: &[(usize, usize)],
        tolerance: f64,
    ) -> Result<Option<([usize; 2], Interval)>, ClashError> {
        let ask = |scratch: &mut Scratch, &(a, b): &(usize, usize)| {
            let pair = self.pair([a, b])?;
            let limit = match claim {
                Claim::Clears(distance) => (distance - tolerance).max(0.0),
                Claim::Touches => tolerance,
            };
            let is_within = pair.solid().within(limit, &Settings::default(), scratch).verdict == Verdict::Yes;
            if is_within != matches!(claim, Claim::Clears(_)) {
                return Ok(None);
            }
            let exactness = Tolerance { relative: 0.01, absolute: tolerance };
            let found = pair.solid().distance(exactness, &Settings::default(), scratch);
            Ok(Some(([a, b], Interval::from(&found))))
        };
        let found: Result<Vec<_>, ClashError> = pairs.par_iter().with_max_len(1).map_init(Scratch::new, ask).collect();
        let sign = if claim == Claim::Touches { -1.0 } else { 1.0 };
        let order = |one: &([usize; 2], Interval), other: &([usize; 2], Interval)| {
            (sign * one.1.upper).total_cmp(&(sign * other.1.upper)).then(one.0.cmp(&other.0))
        };
        Ok(found?.into_iter().flatten().min_by(order))
    }
}
