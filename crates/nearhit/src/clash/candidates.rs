//! Pairs of triangles that may be near each other, without the exact arithmetic that
//! [`Pair::pairs_within`](crate::query::Pair::pairs_within) decides by: faces that lie on each
//! other would need it for every pair.

use super::penetration::local;
use crate::mesh::Triangle;
use crate::model::Model;
use crate::primitive::distance::may_be_within;
use crate::primitive::overlap::overlap;
use crate::query::{Scratch, Settings, TrianglePair};
use crate::traverse::{Outcome, Question, Stats};
use glam::DVec3;
use std::ops::ControlFlow;

/// All pairs that are within a limit, and perhaps some that are hardly farther; sorted.
pub(super) struct Candidates {
    pub(super) pairs: Vec<(u32, u32)>,
    /// False: the budget ran out.
    pub(super) is_complete: bool,
    pub(super) stats: Stats,
}

/// Two meshes of one frame.
pub(super) fn candidates(
    a: &Model,
    b: &Model,
    limit: f64,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
) -> Candidates {
    collect(a, b, Search { limit, most: usize::MAX, found: Vec::new() }, settings, scratch)
}

/// The same; incomplete if there are more than `most`.
pub(super) fn few_candidates(a: &Model, b: &Model, limit: f64, most: usize, scratch: &mut Scratch) -> Candidates {
    collect(a, b, Search { limit, most, found: Vec::new() }, &Settings::default(), scratch)
}

fn collect(a: &Model, b: &Model, mut search: Search, settings: &Settings<'_>, scratch: &mut Scratch) -> Candidates {
    let (outcome, stats) = local(a, b).descend(&mut search, settings, scratch);
    let mut pairs = search.found;
    pairs.sort_unstable();
    pairs.dedup();
    Candidates { pairs, is_complete: outcome == Outcome::Complete, stats }
}

struct Search {
    limit: f64,
    most: usize,
    found: Vec<(u32, u32)>,
}

impl Question for Search {
    fn only_contact(&self) -> bool {
        false
    }

    #[inline]
    fn threshold(&self) -> f64 {
        self.limit.next_up()
    }

    #[inline]
    fn look(&mut self, pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()> {
        if may_be_within(a, b, self.limit) {
            self.found.push((pair.a, pair.b));
        }
        if self.found.len() > self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Do two triangles pass through each other, by more than the tolerance on all sides? What the
/// budget does not allow to look at does not count.
pub(super) fn any_crossing(
    a: &Model,
    b: &Model,
    tolerance: f64,
    settings: &Settings<'_>,
    scratch: &mut Scratch,
) -> (bool, Stats) {
    let mut search = Crossing { tolerance };
    let (outcome, stats) = local(a, b).descend(&mut search, settings, scratch);
    (outcome == Outcome::Satisfied, stats)
}

struct Crossing {
    tolerance: f64,
}

impl Question for Crossing {
    fn only_contact(&self) -> bool {
        true
    }

    #[inline]
    fn threshold(&self) -> f64 {
        f64::MIN_POSITIVE
    }

    #[inline]
    fn look(&mut self, _pair: TrianglePair, a: &Triangle, b: &Triangle) -> ControlFlow<()> {
        if cross(a, b, self.tolerance) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn cross(a: &Triangle, b: &Triangle, tolerance: f64) -> bool {
    let straddles = |[p, q, r]: &Triangle, corners: &Triangle| {
        let normal = (*q - *p).cross(*r - *p).normalize_or_zero();
        let heights = corners.map(|corner: DVec3| normal.dot(corner - *p));
        heights.iter().any(|&height| height > tolerance) && heights.iter().any(|&height| height < -tolerance)
    };
    // What they share takes exact arithmetic: last.
    straddles(a, b)
        && straddles(b, a)
        && match overlap(a, b).points() {
            [from, to] => (*to - *from).length() > tolerance,
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitive::distance::distance;
    use nearhit_testkit::rng::Rng;

    /// No pair within the limit is lost, touching ones and those in one plane included; hardly any
    /// other is kept.
    #[test]
    fn candidates_are_all_that_is_near() {
        let mut rng = Rng::new(71);
        let (mut near, mut far, mut kept) = (0, 0, 0);
        for _ in 0..4000 {
            let flat = rng.chance(0.5);
            let mut corner = || {
                let point = DVec3::from_array(std::array::from_fn(|_| rng.integer(-3, 4) as f64 * 0.25));
                if flat { point.with_z(0.0) } else { point }
            };
            let (a, b) = ([corner(), corner(), corner()], [corner(), corner(), corner()]);
            let (limit, apart) = (*rng.choice(&[0.0, 1e-6, 0.25]), distance(&a, &b).distance);
            let may_be = may_be_within(&a, &b, limit);
            assert!(may_be || apart > limit, "{a:?} {b:?}: {apart}");
            near += usize::from(apart <= limit);
            far += usize::from(apart > limit + 1e-9);
            kept += usize::from(apart > limit + 1e-9 && may_be);
        }
        assert!(near > 1000 && far > 1000 && kept * 50 < far, "{near} near, {far} far, {kept} of them kept");
    }
}
