//! Identities of findings that stay the same over runs, and what changed since an earlier run.

use super::finding::Class;
use std::collections::HashMap;
use std::fmt;

/// Identity of a finding: the same for the same two names, in whatever order, in every run and on
/// every machine. Written as a UUID (version 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingId(u128);

/// Of Fowler, Noll and Vo's hash (FNV-1a) with 128 bits: short, and the same everywhere.
const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

impl FindingId {
    /// Of two parts.
    #[must_use]
    pub fn new(a: &str, b: &str) -> Self {
        let (first, second) = if a <= b { (a, b) } else { (b, a) };
        // The length in between, so that no two pairs of names are one text.
        let text = format!("{}:{first}{second}", first.len());
        let hash = text.bytes().fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
        // Version 8 (made by an application) and variant 1 of a UUID.
        Self(hash & !(0xf << 76 | 0x3 << 62) | 0x8 << 76 | 0x2 << 62)
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |shift: u32, bits: u32| self.0 >> shift & ((1 << bits) - 1);
        write!(
            formatter,
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            part(96, 32),
            part(80, 16),
            part(64, 16),
            part(48, 16),
            part(0, 48)
        )
    }
}

/// A finding as a baseline keeps it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KnownFinding {
    /// How the parts clashed.
    pub class: Class,
    /// Names of the parts.
    pub names: [String; 2],
    /// Depth or gap, if there was one.
    pub measure: Option<f64>,
    /// Where, in the world.
    pub place: [f64; 3],
}

impl KnownFinding {
    /// A finding of an earlier run: class, names of the parts, depth or gap, and where.
    #[must_use]
    pub fn new(class: Class, names: [String; 2], measure: Option<f64>, place: [f64; 3]) -> Self {
        Self { class, names, measure, place }
    }
}

/// What became of a finding since an earlier run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Change {
    /// It was not there.
    New,
    /// It was there, with another class, depth or gap, or somewhere else.
    Changed,
    /// It is as it was.
    Persistent,
}

impl From<Change> for &'static str {
    /// As in files: `new`, `changed`, `persistent`.
    fn from(change: Change) -> Self {
        match change {
            Change::New => "new",
            Change::Changed => "changed",
            Change::Persistent => "persistent",
        }
    }
}

/// What changed since an earlier run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// Of each finding, in order.
    pub changes: Vec<Change>,
    /// Findings of the earlier run that are gone: by index, in order.
    pub resolved: Vec<usize>,
}

/// Depths and gaps that differ by no more than this share are the same: depths are sought to one
/// part in a hundred.
const SAME: f64 = 0.05;

impl Comparison {
    /// Compares findings with those of an earlier run. Lengths that differ by no more than the
    /// tolerance are the same.
    ///
    /// ```
    /// use nearhit::clash::{Change, Class, Comparison, KnownFinding};
    ///
    /// let known = |a: &str, depth: f64| {
    ///     KnownFinding::new(Class::Hard, [a.to_owned(), "plate".to_owned()], Some(depth), [0.0; 3])
    /// };
    /// let before = [known("bolt_1", 0.5), known("bolt_2", 0.5)];
    /// let now = [known("bolt_2", 0.25), known("bolt_3", 0.5)];
    /// let compared = Comparison::new(&before, &now, 1e-6);
    /// assert_eq!(compared.changes, [Change::Changed, Change::New]);
    /// assert_eq!(compared.resolved, [0]);
    /// ```
    #[doc(alias = "baseline")]
    #[must_use]
    pub fn new(before: &[KnownFinding], now: &[KnownFinding], tolerance: f64) -> Self {
        let id = |finding: &KnownFinding| FindingId::new(&finding.names[0], &finding.names[1]);
        let mut known: HashMap<FindingId, Vec<usize>> = HashMap::new();
        before.iter().enumerate().for_each(|(index, finding)| known.entry(id(finding)).or_default().push(index));
        let mut is_there = vec![false; before.len()];
        let change = |finding: &KnownFinding| {
            let earlier = known.get_mut(&id(finding)).filter(|earlier| !earlier.is_empty());
            let Some(earlier) = earlier else { return Change::New };
            // Names should differ; where they do not, the one most like it.
            let like = |index: &usize| before[*index].is_like(finding, tolerance);
            let at = earlier.iter().position(like).unwrap_or(0);
            let index = earlier.remove(at);
            is_there[index] = true;
            if like(&index) { Change::Persistent } else { Change::Changed }
        };
        let changes = now.iter().map(change).collect();
        Self { changes, resolved: (0..before.len()).filter(|&index| !is_there[index]).collect() }
    }
}

impl KnownFinding {
    fn is_like(&self, other: &Self, tolerance: f64) -> bool {
        let near = |one: f64, two: f64| (one - two).abs() <= tolerance.max(SAME * one.abs().max(two.abs()));
        let measures = match (self.measure, other.measure) {
            (Some(one), Some(two)) => near(one, two),
            (one, two) => one.is_some() == two.is_some(),
        };
        // Where a clash is deepest, or faces touch, is a matter of the search; only a move of more
        // than the clash itself counts.
        let reach = tolerance.max(4.0 * self.measure.unwrap_or(0.0).max(other.measure.unwrap_or(0.0)));
        let moved = (0..3).map(|axis| (self.place[axis] - other.place[axis]).abs()).fold(0.0, f64::max);
        let is_placed = matches!(self.class, Class::Hard | Class::Close);
        self.class == other.class && measures && (!is_placed || moved <= reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_of_two_names() {
        let id = FindingId::new("bolt", "plate");
        assert_eq!(id.to_string(), "24a26ab2-c9de-80d5-9b90-5f662cae82e8");
        assert_eq!(id, FindingId::new("plate", "bolt"));
        let pairs = [("a", "bc"), ("ab", "c"), ("", "abc"), ("1:a", "b"), ("a", "b")];
        let mut all: Vec<FindingId> = pairs.iter().map(|(a, b)| FindingId::new(a, b)).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), pairs.len());
    }

    #[test]
    fn duplicate_names_are_told_apart_by_what_they_are_like() {
        let known = |depth: f64| KnownFinding {
            class: Class::Hard,
            names: ["x".to_owned(), "y".to_owned()],
            measure: Some(depth),
            place: [0.0; 3],
        };
        let compared = Comparison::new(&[known(1.0), known(2.0)], &[known(2.0), known(1.0), known(3.0)], 1e-9);
        assert_eq!(compared.changes, [Change::Persistent, Change::Persistent, Change::New]);
        assert!(compared.resolved.is_empty());
    }

    /// Where faces touch is a matter of the search; a hard clash somewhere else is another one.
    #[test]
    fn places_count_where_they_are_found() {
        let known = |class: Class, x: f64| KnownFinding {
            class,
            names: ["x".to_owned(), "y".to_owned()],
            measure: (class == Class::Hard).then_some(0.1),
            place: [x, 0.0, 0.0],
        };
        for (class, moved, change) in [
            (Class::Hard, 0.3, Change::Persistent),
            (Class::Hard, 5.0, Change::Changed),
            (Class::Touching, 5.0, Change::Persistent),
        ] {
            let compared = Comparison::new(&[known(class, 0.0)], &[known(class, moved)], 1e-9);
            assert_eq!(compared.changes, [change], "{class:?} moved by {moved}");
        }
    }
}
