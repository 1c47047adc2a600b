//! Overlap of two solids: volume, centre, box and surface of what they have in common, without
//! making a mesh of it.
//!
//! By the divergence theorem the volume that both solids have is a sum over its surface: the part
//! of a's surface inside b, and of b's inside a. Each part of a triangle is bounded by pieces of
//! its edges and by the segments that it shares with triangles of the other body; a cone over each
//! of those is all that has to be added up. *Which* pieces there are is decided exactly, with a
//! moved by an infinitely small step, so that faces that lie on each other are no special case:
//! volumes do not jump. *How large* they are is summed in doubles with a bound on all rounding.
//!
//! | module | content |
//! |---|---|
//! | `meetings` | triangles that meet, and where their edges pass through each other |
//! | `flats` | flat parts of one mesh, whose triangles cannot meet each other |
//! | `skin` | the part of one surface inside the other body |
//! | `sum` | sums and moments with error bounds |
//! | `own` | a mesh with itself: its volume, and how much of it is counted twice |
//! | `cells` | meshes with holes: cells that are inside, outside or undecided |

mod cells;
mod flats;
mod meetings;
mod own;
mod skin;
mod sum;

use super::pair::{Side, SolidPair};
use crate::bounds::Bounds;
use crate::inside::{Excess, InsideMethod, Joined};
use crate::point::Placed;
use crate::primitive::shift::Shift;
use crate::query::{Interval, Pair, Scratch, Settings};
use crate::traverse::Stats;
use glam::DVec3;
use meetings::{Meetings, meetings};
use skin::{Part, Skin};
use std::collections::HashMap;
use sum::{Area, Moments, Near, Sum};

/// A mesh that overlaps itself by more than this share of its volume has no certified surface.
const OVERLAPS_ITSELF: f64 = 1e-9;

/// The answer of [`SolidPair::overlap`]: what two solids have in common, in a's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SolidOverlap {
    /// Its volume. For closed meshes that do not overlap themselves at most some 1e-12 of the
    /// smaller volume wide.
    pub volume: Interval,
    /// Its surface area: faces that lie on each other count once if they face the same way, and not
    /// at all if the bodies only touch there. None where it is not known: a mesh has holes or
    /// overlaps itself, or the budget ran out.
    pub area: Option<Interval>,
    /// Its centre of volume, and how far each coordinate may be off. None where the volume may be
    /// 0.
    pub center: Option<(DVec3, f64)>,
    /// The least and the greatest corner of a box around it. Each side of the box has a point that
    /// both solids share, to rounding; that may be one where they only touch. None if the overlap
    /// is empty.
    pub bounds: Option<[DVec3; 2]>,
    /// The body that passes through the other: a connected piece of its surface inside the other
    /// begins and ends at different curves (a bolt through a plate).
    pub through: Option<Side>,
    /// How many closed curves the surfaces meet along.
    pub curves: usize,
    /// Is it certified for closed meshes? False: a mesh has holes, and its inside is a matter of
    /// winding numbers.
    pub is_exact: bool,
    /// Was everything looked at? False: the budget ran out, or for a mesh with holes the number of
    /// cells that are looked at, and the volume is all that is known.
    pub is_complete: bool,
    /// Work done.
    pub stats: Stats,
}

impl SolidOverlap {
    fn empty(is_exact: bool, stats: Stats) -> Self {
        let zero = Interval::ZERO;
        Self {
            volume: zero,
            area: Some(zero),
            center: None,
            bounds: None,
            through: None,
            curves: 0,
            is_exact,
            is_complete: true,
            stats,
        }
    }

    /// Nothing is known but where it can be.
    fn unknown(common: [DVec3; 2], is_exact: bool, stats: Stats) -> Self {
        let sides = common[1] - common[0];
        let most = (sides.x * sides.y * sides.z) * (1.0 + 8.0 * f64::EPSILON);
        let volume = Interval { lower: 0.0, upper: most.next_up() };
        Self { volume, area: None, bounds: Some(common), is_complete: false, ..Self::empty(is_exact, stats) }
    }
}

/// Where numbers are about one: the middle of what the boxes of both bodies share is the origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    origin: DVec3,
    /// A power of two.
    unit: f64,
}

impl Frame {
    fn new([low, high]: [DVec3; 2]) -> Self {
        let size = (high * 0.5 - low * 0.5).max_element();
        let exponent = (size.log2().ceil() as i32).clamp(-1000, 1000);
        Self { origin: low * 0.5 + high * 0.5, unit: 2.0_f64.powi(-exponent) }
    }

    fn point(&self, point: DVec3) -> Near {
        let at = (point - self.origin) * self.unit;
        Near { at, error: f64::EPSILON * at.abs().max_element() }
    }

    /// Back, for reports.
    fn world(&self, at: DVec3) -> DVec3 {
        at / self.unit + self.origin
    }

    /// A length, an area or a volume in the frame, back in the bodies' units.
    fn sized(&self, Interval { lower, upper }: Interval, power: u32) -> Interval {
        let back = |value: f64| (0..power).fold(value, |value, _| value / self.unit);
        let (low, high) = (back(lower.max(0.0)).min(f64::MAX), back(upper.max(0.0)));
        // What is too small for a double is not nothing.
        Interval { lower: low, upper: if high == 0.0 && upper > 0.0 { f64::MIN_POSITIVE } else { high } }
    }
}

impl SolidPair<'_> {
    /// Overlap of the two solids: volume, centre, box and surface area of what they have in common.
    ///
    /// For closed meshes the volume is a certified interval, as narrow as doubles allow, whatever
    /// lies on each other; of meshes that overlap themselves it is as wide as what they count
    /// twice. For meshes with holes space is divided into cells that are inside, outside or
    /// undecided by winding number, and the interval is some per cent wide. Allocates.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::{Pair, Scratch, Settings};
    ///
    /// let (a, b) = (cube(1.0), cube(1.0)); // corners at ±1
    /// let pair = Pair::new(&a, &at(0.0, 0.0, 0.0), &b, &at(1.5, 0.5, 0.0))?;
    /// let found = pair.solid().overlap(&Settings::default(), &mut Scratch::new());
    /// assert!(found.volume.lower <= 1.5 && 1.5 <= found.volume.upper); // 0.5 · 1.5 · 2
    /// assert!(found.volume.upper - found.volume.lower < 1e-11);
    /// let area = found.area.expect("closed meshes");
    /// assert!(area.lower <= 9.5 && 9.5 <= area.upper);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "intersection volume")]
    #[doc(alias = "boolean intersection")]
    #[doc(alias = "interference volume")]
    #[must_use]
    pub fn overlap(&self, settings: &Settings<'_>, scratch: &mut Scratch) -> SolidOverlap {
        let bodies = [self.placed(Side::A), self.placed(Side::B)];
        let boxes = [bounds(&bodies[0]), bounds(&bodies[1])];
        let common = [boxes[0][0].max(boxes[1][0]), boxes[0][1].min(boxes[1][1])];
        let is_exact = self.is_exact();
        if common[0].cmpge(common[1]).any() {
            return SolidOverlap::empty(is_exact, Stats::default());
        }
        let is_oriented = bodies.iter().all(|body| body.model.inside().method() == InsideMethod::Exact);
        if !is_oriented {
            return cells::overlap(self, common, settings, scratch);
        }
        let mut stats = Stats::default();
        let excesses = [self.pair.a(), self.pair.b()].map(|model| own::excess(model, settings, scratch));
        let found = product(&self.pair, settings, scratch, &mut stats);
        let ([Some(a), Some(b)], Some(found)) = (excesses, found) else {
            return SolidOverlap::unknown(common, is_exact, stats);
        };
        let b = Excess { twice: b.twice + rounded(&self.pair, b.area), ..b };
        found.answer([a, b], common, stats)
    }
}

/// What rounding of a posed mesh may make it overlap itself by: each of its points is off by some
/// ulps.
fn rounded(pair: &Pair<'_>, area: f64) -> f64 {
    let pose = pair.a_from_b();
    if *pose == crate::pose::Pose::IDENTITY {
        return 0.0;
    }
    let reach = 2.0 * pair.b().mesh().max_coordinate() + pose.translation().abs().max_element();
    32.0 * f64::EPSILON * reach * area
}

/// The box around a body's triangles.
fn bounds(body: &Placed<'_>) -> [DVec3; 2] {
    let mesh = body.model.mesh();
    let used = mesh.triangles().iter().flatten().map(|&vertex| body.point(mesh.vertices()[vertex as usize]));
    let Bounds { low, high } = used.collect();
    [low, high]
}

/// The integral of the product of both winding numbers, which is the volume of the overlap if both
/// are nothing but 0 and 1.
pub(super) struct Product {
    frame: Frame,
    moments: Moments,
    low: DVec3,
    high: DVec3,
    most: i32,
    through: Option<Side>,
    curves: usize,
}

/// None if the budget ran out, or if outlines do not close: then nothing is known.
fn product(pair: &Pair<'_>, settings: &Settings<'_>, scratch: &mut Scratch, stats: &mut Stats) -> Option<Product> {
    let solid = pair.solid();
    let bodies = [solid.placed(Side::A), solid.placed(Side::B)];
    let boxes = [bounds(&bodies[0]), bounds(&bodies[1])];
    let frame = Frame::new([boxes[0][0].max(boxes[1][0]), boxes[0][1].min(boxes[1][1])]);
    let middle = |[low, high]: [DVec3; 2]| low * 0.5 + high * 0.5;
    // Away from each other: faces that touch are then apart.
    let shift = Shift::towards(middle(boxes[0]) - middle(boxes[1]));
    let found = meetings(pair, shift, &frame, &settings.after(stats), scratch, stats)?;
    let shifts = [shift, shift.reversed()];
    let parts = [0, 1].map(|own| {
        let skin = Skin {
            own: bodies[own],
            other: bodies[1 - own],
            other_box: boxes[1 - own],
            shift: shifts[own],
            trace: &found.traces[own],
            frame: &frame,
        };
        skin.part(found.ids, &settings.budget, scratch.room(), stats)
    });
    let [Some(a), Some(b)] = parts else { return None };
    let mut parts = [a, b];
    if !found.is_consistent || parts.iter().any(|part| !part.is_consistent) {
        return None;
    }
    let (curves, through) = curves(&found, &mut parts);
    let [a, b] = parts;
    let mut moments = a.moments;
    moments.volume.add_sum(b.moments.volume);
    moments.area.add_sum(b.moments.area);
    (0..3).for_each(|axis| moments.first[axis].add_sum(b.moments.first[axis]));
    found.pressed.iter().for_each(|&pressed| {
        let area = shared_area(pair, pressed, &frame);
        moments.area.add(-2.0 * area.value, 2.0 * area.error);
    });
    let (low, high, most) = (a.low.min(b.low), a.high.max(b.high), a.most.max(b.most));
    Some(Product { frame, moments, low, high, most, through, curves })
}

/// The area of what two triangles of one plane share.
fn shared_area(pair: &Pair<'_>, pressed: crate::query::TrianglePair, frame: &Frame) -> Sum {
    let shared = pair.overlap(pressed);
    let rounded = |point: &DVec3| {
        let near = frame.point(*point);
        let size = (point.abs().max_element() + frame.origin.abs().max_element()) * frame.unit;
        Near { error: near.error + 8.0 * f64::EPSILON * size, ..near }
    };
    let (mut area, mut unused) = (Area::default(), Moments::default());
    if let [first, rest @ ..] = shared.points() {
        rest.windows(2).for_each(|side| {
            unused.add([rounded(first), rounded(&side[0]), rounded(&side[1])], 1.0, &mut area);
        });
    }
    area.length()
}

/// How many closed curves the surfaces meet along, and which body has a piece inside the other that
/// more than one of them bounds.
fn curves(found: &Meetings, parts: &mut [Part; 2]) -> (usize, Option<Side>) {
    let mut joined = Joined::new(found.ids);
    found.traces[0].chords.iter().for_each(|chord| joined.join(chord.ids[0], chord.ids[1]));
    let roots: Vec<u32> = (0..found.ids as u32).filter(|&id| joined.root(id) == id).collect();
    let mut through = [false; 2];
    for (part, through) in parts.iter_mut().zip(&mut through) {
        let mut bounded = HashMap::new();
        for &root in &roots {
            *bounded.entry(part.joined.root(root)).or_insert(0) += 1;
        }
        *through = bounded.values().any(|&count: &u32| count > 1);
    }
    let through = match through {
        [true, false] => Some(Side::A),
        [false, true] => Some(Side::B),
        _ => None,
    };
    (roots.len(), through)
}

impl Product {
    fn answer(&self, [a, b]: [Excess; 2], common: [DVec3; 2], stats: Stats) -> SolidOverlap {
        let frame = &self.frame;
        // What is counted twice or with the wrong sign.
        let twice = a.twice * f64::from(b.most) + b.twice;
        let sign = a.sign * b.sign;
        let signed = Sum { value: self.moments.volume.value * sign, ..self.moments.volume };
        let mut volume = frame.sized(signed.interval(), 3);
        volume.upper = (volume.upper + twice).next_up().min(SolidOverlap::unknown(common, true, stats).volume.upper);
        volume.lower = (volume.lower - twice).next_down().max(0.0).min(volume.upper);
        if self.low.x > self.high.x {
            // No piece of a surface is inside the other body.
            return SolidOverlap::empty(true, stats);
        }
        let is_simple = [a, b].iter().all(|own| own.twice <= OVERLAPS_ITSELF * own.volume);
        let bounds = [frame.world(self.low), frame.world(self.high)];
        let slack = 4.0 * f64::EPSILON * (bounds[0].abs().max(bounds[1].abs()) + frame.origin.abs());
        SolidOverlap {
            volume,
            area: is_simple.then(|| frame.sized(self.moments.area.interval(), 2)),
            center: self.center(sign, twice, volume, slack.max_element()),
            bounds: Some([(bounds[0] - slack).max(common[0]), (bounds[1] + slack).min(common[1])]),
            through: self.through,
            curves: self.curves,
            is_exact: true,
            is_complete: true,
            stats,
        }
    }

    /// The first moments over the volume.
    fn center(&self, sign: f64, twice: f64, volume: Interval, slack: f64) -> Option<(DVec3, f64)> {
        if volume.lower <= 0.0 || !volume.upper.is_finite() {
            return None;
        }
        let frame = &self.frame;
        let of_frame = |value: f64| (0..3).fold(value, |value, _| value * frame.unit);
        let (least, most) = (of_frame(volume.lower), of_frame(volume.upper));
        let middle = 0.5 * (least + most);
        let first = DVec3::from_array(self.moments.first.map(|sum| sum.value)) * sign;
        let at = first / middle;
        let reach = self.low.abs().max(self.high.abs()).max_element();
        let moment_error = self.moments.first.iter().map(|sum| sum.error).fold(0.0, f64::max) + of_frame(twice) * reach;
        let error = (moment_error + at.abs().max_element() * (most - least)) / least + 4.0 * f64::EPSILON * reach;
        let error = (error * (1.0 + 1e-9)) / frame.unit + slack;
        error.is_finite().then(|| (frame.world(at), error))
    }
}
