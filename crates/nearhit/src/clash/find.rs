//! Find all clashes of an assembly: pairs whose boxes are near each other, judged on all threads.

use super::assembly::{Assembly, Part, Shape};
use super::error::ClashError;
use super::finding::{Finding, Overlap, Report, times_power};
use super::group::fold_copies;
use super::judge::{Judge, Judgement, Limits};
use super::options::{Options, Progress};
use super::rules::Rules;
use crate::bounds::Bounds;
use crate::mesh::Mesh;
use crate::parallel::*;
use crate::query::{Pair, Scratch};
use crate::scene::broad::few_near_pairs;
use crate::solid::Side;
use crate::traverse::{Budget, Clock, Stats};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The default tolerance, as a share of the assembly's size.
const DEFAULT_TOLERANCE: f64 = 1e-6;
/// The least tolerance, as a share of the size, and of a tenth of the largest coordinate.
const LEAST_TOLERANCE: f64 = 1e-11;
/// Posed coordinates of denormal size are rounded by up to half of the smallest number: what
/// touches then must not be apart in an assembly that was enlarged first. Eight of those numbers.
const DENORMAL_TOLERANCE: f64 = f64::from_bits(8);
/// The default limit of work for a pair, and for each of its triangles.
const PAIR_WORK: [u64; 2] = [30_000_000, 1_000];
/// Heap memory of a tree and what inside tests need, for each triangle: more than was measured.
const TREE_BYTES: usize = 400;
/// Of a pair that is being judged, with its answer.
const PAIR_BYTES: usize = size_of::<([usize; 2], Pair<'static>)>() + size_of::<Option<Judged>>();
/// An assembly with more pairs near each other is refused, unless a limit of memory allows them.
const MOST_PAIRS: usize = 1 << 24;
/// So many are listed anyway, to tell how much memory they take.
const FEW_PAIRS: usize = 1 << 16;
/// Coordinates up to this, and down to its inverse, can be squared four times over.
const TAME: f64 = 1e50;
/// An assembly is enlarged by at most this power of two: the inverse is a normal number, too.
const MOST_DOUBLINGS: f64 = 1000.0;

impl Assembly {
    /// Finds clashes between the parts.
    ///
    /// Every pair of parts is judged as two solids and is of one class ([`Class`](super::Class)) or
    /// does not clash. Parts that are far from all others cost nothing but their box. The trees
    /// that are made stay in the assembly.
    ///
    /// Errors: a tolerance or clearance that makes no sense, or models that cannot be compared.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::clash::{Assembly, Class, Options};
    ///
    /// let mut assembly = Assembly::new();
    /// let shape = assembly.add_mesh(cube(1.0).mesh().clone());
    /// assembly.add_part("block", shape, at(0.0, 0.0, 0.0))?;
    /// assembly.add_part("wedge", shape, at(1.5, 0.25, 0.25))?;
    /// let report = assembly.clashes(&Options::new())?;
    /// assert!(report.is_complete);
    /// assert_eq!(report.findings[0].class, Class::Hard);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "clash detection")]
    #[doc(alias = "interference check")]
    #[doc(alias = "hard clash")]
    #[doc(alias = "soft clash")]
    pub fn clashes(&mut self, options: &Options<'_>) -> Result<Report, ClashError> {
        let limits = self.limits(options)?;
        let whole = self.whole();
        let largest = whole.high.abs().max(whole.low.abs()).max_element();
        let shapes = self.shapes.iter().map(|shape| shape.mesh().max_coordinate()).fold(largest, f64::max);
        if self.is_tame() {
            return self.search(limits, options);
        }
        // A power of two rounds nothing. The inverse of a denormal is no number.
        let factor = (-shapes.log2().floor()).min(MOST_DOUBLINGS).exp2();
        let mut scaled = self.scaled(factor)?;
        let limits = Limits {
            tolerance: limits.tolerance * factor,
            clearance: limits.clearance * factor,
            of_rules: limits.of_rules * factor,
            min_volume: times_power(limits.min_volume, factor, 3),
            unit: factor,
        };
        Ok(scaled.search(limits, options)?.scaled(1.0 / factor))
    }

    /// Can all coordinates be squared a few times?
    pub(super) fn is_tame(&self) -> bool {
        let whole = self.whole();
        let largest = whole.high.abs().max(whole.low.abs()).max_element();
        let shapes = self.shapes.iter().map(|shape| shape.mesh().max_coordinate()).fold(largest, f64::max);
        (1.0 / TAME..=TAME).contains(&largest) && shapes <= TAME || largest == 0.0 || self.parts.is_empty()
    }

    pub(super) fn limits(&self, options: &Options<'_>) -> Result<Limits, ClashError> {
        let whole = self.whole();
        let largest = if self.parts.is_empty() { 0.0 } else { whole.high.abs().max(whole.low.abs()).max_element() };
        let least = LEAST_TOLERANCE * self.size().max(0.1 * largest);
        let smallest = if largest > 0.0 { DENORMAL_TOLERANCE } else { 0.0 };
        let tolerance = options.tolerance.unwrap_or_else(|| (DEFAULT_TOLERANCE * self.size()).max(least).max(smallest));
        if !(tolerance.is_finite() && tolerance >= least && (tolerance > 0.0 || options.tolerance.is_none())) {
            return Err(ClashError::Tolerance { value: tolerance, least });
        }
        let clearance = options.clearance;
        if !(clearance.is_finite() && clearance >= 0.0) {
            return Err(ClashError::Clearance { value: clearance });
        }
        let min_volume = options.min_volume;
        if !(min_volume.is_finite() && min_volume >= 0.0) {
            return Err(ClashError::MinVolume { value: min_volume });
        }
        let of_rules = options.rules.map_or(0.0, Rules::largest_clearance);
        Ok(Limits { tolerance, clearance, of_rules, min_volume, unit: 1.0 })
    }

    fn search(&mut self, limits: Limits, options: &Options<'_>) -> Result<Report, ClashError> {
        let boxes: Vec<Bounds> = self.parts.iter().map(|part| part.bounds).collect();
        // Where no class is reported there is nothing to look for.
        let is_idle = options.ignored.iter().all(|&is_ignored| is_ignored);
        let boxes = if is_idle { &[][..] } else { &boxes };
        // Parts that all lie in one place make more pairs than any memory holds.
        let limit = options.memory.unwrap_or((MOST_PAIRS * PAIR_BYTES) as u64);
        let most = usize::try_from(limit / PAIR_BYTES as u64).unwrap_or(usize::MAX).max(FEW_PAIRS);
        let pairs = few_near_pairs(boxes, limits.reach(), most, |pair| self.is_asked(pair, options));
        let needed = limit.saturating_add(PAIR_BYTES as u64);
        let pairs = pairs.ok_or(ClashError::Memory { needed, limit })?;
        self.look_at(&pairs, limits, options, Earlier { is_complete: true, ..Earlier::default() })
    }

    /// Judges these pairs. Their findings and those of an earlier search are the report.
    pub(super) fn look_at(
        &mut self,
        pairs: &[(usize, usize)],
        limits: Limits,
        options: &Options<'_>,
        earlier: Earlier,
    ) -> Result<Report, ClashError> {
        self.fits(pairs, options)?;
        self.build(pairs, options);
        let found = if is_set(options.cancel) { Vec::new() } else { self.judge_all(pairs, limits, options)? };
        let Earlier { mut findings, allowed_pairs: mut allowed, is_complete } = earlier;
        let allows = |[a, b]: [usize; 2]| {
            let [a, b] = [a, b].map(|part| self.parts[part].name.as_str());
            options.rules.is_some_and(|rules| rules.allows(a, b))
        };
        // A rule that allowed something then has not become idle.
        allowed.retain(|&parts| allows(parts));
        let (mut stats, judged) = (Stats::default(), found.len());
        for (finding, work) in found {
            stats += work;
            let Some(finding) = finding.filter(|finding| !options.ignored[finding.class as usize]) else { continue };
            if allows(finding.parts) { allowed.push(finding.parts) } else { findings.push(finding) }
        }
        let names = |finding: &Finding| finding.parts.map(|part| &self.parts[part].name);
        findings.sort_by(|one, other| one.order(other, names));
        if options.folds_copies {
            findings = fold_copies(findings, self.parts.len());
        }
        let is_complete = is_complete && judged == pairs.len();
        let unused_rules = options.rules.filter(|_| is_complete).map_or(Vec::new(), |rules| rules.unused());
        let Limits { tolerance, clearance, .. } = limits;
        Ok(Report {
            findings,
            tolerance,
            clearance,
            pairs_near: pairs.len(),
            pairs_judged: judged,
            is_complete,
            allowed: allowed.len(),
            allowed_pairs: allowed,
            unused_rules,
            stats,
        })
    }

    /// Do the rules let this pair be looked at?
    pub(super) fn is_asked(&self, (a, b): (usize, usize), options: &Options<'_>) -> bool {
        options.rules.is_none_or(|rules| rules.asks_about(&self.parts[a].name, &self.parts[b].name))
    }

    /// Is the memory that the search takes allowed?
    fn fits(&self, pairs: &[(usize, usize)], options: &Options<'_>) -> Result<(), ClashError> {
        let Some(limit) = options.memory else { return Ok(()) };
        let wanted = self.shapes_of(pairs);
        let of_shape = |(shape, wanted): (&Shape, bool)| match shape {
            Shape::Model(model) => model.bytes(),
            Shape::Mesh(mesh) => mesh.bytes() + if wanted { TREE_BYTES * mesh.triangles().len() } else { 0 },
        };
        let shapes: usize = self.shapes.iter().zip(wanted).map(of_shape).sum();
        let of_parts: usize = self.parts.iter().map(|part| size_of::<Part>() + part.name.capacity()).sum();
        let needed = (shapes + of_parts + pairs.len() * PAIR_BYTES) as u64;
        if needed <= limit { Ok(()) } else { Err(ClashError::Memory { needed, limit }) }
    }

    /// Shapes of these parts.
    fn shapes_of(&self, pairs: &[(usize, usize)]) -> Vec<bool> {
        let mut wanted = vec![false; self.shapes.len()];
        for part in pairs.iter().flat_map(|&(a, b)| [a, b]) {
            wanted[self.parts[part].shape] = true;
        }
        wanted
    }

    /// Trees for the shapes of parts that are near others.
    pub(super) fn build(&mut self, pairs: &[(usize, usize)], options: &Options<'_>) {
        let wanted = self.shapes_of(pairs);
        let (done, count) = (AtomicUsize::new(0), wanted.iter().filter(|&&wanted| wanted).count());
        let build = |(shape, wanted): (Shape, bool)| {
            if !wanted || is_set(options.cancel) {
                return shape;
            }
            let shape = shape.built();
            options.tell(Progress::Shape { done: done.fetch_add(1, Ordering::Relaxed) + 1, count });
            shape
        };
        let shapes = std::mem::take(&mut self.shapes);
        self.shapes = shapes.into_par_iter().zip(wanted).map(build).collect();
    }

    /// An answer for every pair that was judged before a cancellation.
    fn judge_all(
        &self,
        pairs: &[(usize, usize)],
        limits: Limits,
        options: &Options<'_>,
    ) -> Result<Vec<Judged>, ClashError> {
        let (done, count) = (AtomicUsize::new(0), pairs.len());
        let mut placed = Vec::with_capacity(pairs.len());
        for &(a, b) in pairs {
            let pair = self.pair([a, b])?;
            pair.prepare();
            placed.push(([a, b], pair));
        }
        let ask = |scratch: &mut Scratch, (parts, pair): &([usize; 2], Pair<'_>)| {
            if is_set(options.cancel) {
                return Ok(None);
            }
            let names = parts.map(|part| self.parts[part].name.as_str());
            options.tell(Progress::Begun { parts: names, count });
            let mut stats = Stats::default();
            let found = self.judge(*parts, pair, limits, options, scratch, &mut stats)?;
            // An answer that may have been cut short is none.
            if is_set(options.cancel) {
                return Ok(None);
            }
            options.tell(Progress::Judged { parts: names, done: done.fetch_add(1, Ordering::Relaxed) + 1, count });
            Ok(Some((found, stats)))
        };
        // Small pieces, so that no thread waits long for another at the end.
        let found: Result<Vec<Option<Judged>>, ClashError> =
            placed.par_iter().with_max_len(1).map_init(Scratch::new, ask).collect();
        Ok(found?.into_iter().flatten().collect())
    }

    /// Two parts whose trees were made, if they were.
    pub(super) fn built_pair(&self, parts: [usize; 2]) -> Result<Option<Pair<'_>>, ClashError> {
        let is_built = parts
            .iter()
            .all(|&part| self.parts.get(part).is_some_and(|part| self.shapes[part.shape].model().is_some()));
        if is_built { self.pair(parts).map(Some) } else { Ok(None) }
    }

    pub(super) fn pair(&self, parts: [usize; 2]) -> Result<Pair<'_>, ClashError> {
        let [a, b] = parts.map(|part| &self.parts[part]);
        let model = |part: &Part| self.shapes[part.shape].model().expect("shapes of near parts were built");
        Pair::new(model(a), &a.world_from_shape, model(b), &b.world_from_shape).map_err(|error| ClashError::Pair {
            a: a.name.clone(),
            b: b.name.clone(),
            error,
        })
    }

    fn judge(
        &self,
        parts: [usize; 2],
        pair: &Pair<'_>,
        limits: Limits,
        options: &Options<'_>,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> Result<Option<Finding>, ClashError> {
        let clock = options.cancel.map(Cancellation);
        let until_cancelled =
            clock.as_ref().map_or(Budget::UNLIMITED, |clock| Budget::until(clock, Duration::from_secs(1)));
        let triangles = [pair.a(), pair.b()].map(|model| model.mesh().triangles().len() as u64);
        let work = options.pair_work.unwrap_or(PAIR_WORK[0] + PAIR_WORK[1] * triangles.iter().sum::<u64>());
        let budget = until_cancelled.capped(work);
        let [a, b] = parts.map(|part| self.parts[part].name.as_str());
        let of_pair = options.rules.and_then(|rules| rules.clearance_of(a, b)).map(|clearance| clearance * limits.unit);
        let limits = Limits { clearance: of_pair.unwrap_or(limits.clearance), ..limits };
        let mut judge = Judge { pair: *pair, limits, budget, until_cancelled, scratch, stats };
        let mut judgement = judge.run()?;
        if let Some(judgement) = judgement.as_mut().filter(|_| !options.without_overlaps) {
            judge.add_overlap(judgement);
        }
        Ok(judgement.map(|judgement| self.finding(parts, judgement)))
    }

    fn finding(&self, parts: [usize; 2], judgement: Judgement) -> Finding {
        let Judgement { class, touches, depth, depth_at_most, touching_with, gap, inside, overlap, points, triangles } =
            judgement;
        let world_from_a = self.parts[parts[0]].world_from_shape;
        let part = |body: Side| parts[usize::from(body == Side::B)];
        Finding {
            class,
            parts,
            touches,
            depth: depth.map(|(depth, _)| depth),
            basis: depth.map(|(_, basis)| basis),
            depth_at_most,
            touching_with,
            gap,
            inside: inside.map(part),
            overlap: overlap.map(|found| Overlap {
                volume: found.volume,
                area: found.area,
                center: found.center.map(|(center, _)| world_from_a.apply(center)),
                bounds: found.bounds.map(|corners| Bounds::around(corners, &world_from_a)),
                through: found.through.map(part),
            }),
            copies: Vec::new(),
            points: points.map(|point| world_from_a.apply(point)),
            triangles,
        }
    }

    /// The same assembly in another unit of length.
    fn scaled(&self, factor: f64) -> Result<Self, ClashError> {
        let mut scaled = Self::new();
        for shape in &self.shapes {
            let mesh = shape.mesh();
            let vertices: Vec<[f64; 3]> = mesh.vertices().iter().map(|vertex| (*vertex * factor).to_array()).collect();
            scaled.add_mesh(Mesh::new(&vertices, mesh.triangles())?);
        }
        for part in &self.parts {
            scaled.add_part(part.name.clone(), part.shape, part.world_from_shape.scaled(factor))?;
        }
        Ok(scaled)
    }
}

/// What is taken over from an earlier search.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    pub(super) findings: Vec<Finding>,
    /// Pairs whose findings were allowed.
    pub(super) allowed_pairs: Vec<[usize; 2]>,
    /// Were all pairs judged then?
    pub(super) is_complete: bool,
}

impl Limits {
    /// How far apart parts are that have to be looked at: a little more than asked for, because the
    /// difference of two rounded numbers is rounded.
    pub(super) fn reach(&self) -> f64 {
        self.clearance.max(self.tolerance).max(self.of_rules) * (1.0 + 1e-9)
    }
}

/// A finding, if the pair clashes, and the work.
type Judged = (Option<Finding>, Stats);

impl Report {
    /// In another unit of length.
    fn scaled(mut self, factor: f64) -> Self {
        self.tolerance *= factor;
        self.clearance *= factor;
        for finding in &mut self.findings {
            let lengths =
                [&mut finding.depth, &mut finding.depth_at_most, &mut finding.touching_with, &mut finding.gap];
            lengths.into_iter().flatten().for_each(|length| *length *= factor);
            finding.points = finding.points.map(|point| point * factor);
            finding.overlap = finding.overlap.map(|overlap| overlap.scaled(factor));
        }
        self
    }
}

/// A clock that jumps to the end of time when the search is cancelled.
#[derive(Debug)]
struct Cancellation<'c>(&'c AtomicBool);

impl Clock for Cancellation<'_> {
    fn now(&self) -> Duration {
        if self.0.load(Ordering::Relaxed) { Duration::MAX } else { Duration::ZERO }
    }
}

fn is_set(cancel: Option<&AtomicBool>) -> bool {
    cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
}
