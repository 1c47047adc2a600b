//! Planar proxies (patches): the surface in a node of a bounding volume hierarchy as one flat
//! piece: where it is, which way it faces, and an ellipse that it surely fills. Where two such
//! ellipses cross, the surfaces do; and how close two pieces are tells which pair to look at first.
//!
//! Everything is in single precision, in units of the model: what is within rounding never counts
//! as a crossing, and never as apart.

use super::block::{Block, Sight};
use super::rank::Lanes;
use crate::bounds::Bounds;
use crate::hierarchy::{Content, Skeleton};
use crate::mesh::{Mesh, Triangle};
use crate::parallel::*;
use crate::volume::Placement;
use crate::volume::frame::{Moments, triangle_axes};
use glam::{DVec3, Mat3A, Vec3, Vec3A};

/// The ellipse in a triangle that touches the middles of its sides (Steiner's) has half axes of √2
/// deviations; the one through its corners has twice that.
const OF_TRIANGLE: f64 = std::f64::consts::SQRT_2;
/// A piece of several triangles has any outline: a smaller ellipse is surely filled.
const OF_SEVERAL: f64 = 0.85 * OF_TRIANGLE;
/// A sheet's area, in parts of that of a rectangle of the same deviations: less, and there are
/// holes; more, and it is folded.
const COVERED: std::ops::Range<f64> = 0.7..1.2;
/// A sheet's deviation across it, in parts of the lesser one along it.
const FLAT: f64 = 0.2;
/// A triangle with less of a second deviation, in parts of the first, is a needle: it has no plane.
const NEEDLE: f64 = 1e-3;

/// What a piece is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// No one plane describes it: it never crosses anything.
    Rough,
    /// Flat and without holes.
    Sheet,
    /// One triangle.
    Triangle,
}

/// The surface in a node; one line of a processor's cache.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub struct Patch {
    pub(super) center: Vec3,
    /// No point of it is farther from the center.
    pub(super) reach: f32,
    pub(super) normal: Vec3,
    /// The sum of the squared deviations along it.
    pub(super) spread: f32,
    /// Half axes of the ellipse that it surely fills.
    u: Vec3,
    /// The deviation across it.
    thickness: f32,
    v: Vec3,
    kind: Kind,
}

impl Patch {
    /// What it is like.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

/// The pieces of all nodes of a tree and boxes around them, about the root's middle, in units of
/// the root's reach.
#[derive(Debug, Clone)]
pub struct Patches {
    list: Vec<Patch>,
    blocks: Vec<Block>,
    origin: DVec3,
    unit: f64,
}

impl Patches {
    pub(super) fn new(tree: &Skeleton<'_>, mesh: &Mesh) -> Self {
        let bounds: Bounds = mesh.vertices().iter().copied().collect();
        let (origin, half) = (bounds.middle(), bounds.half());
        // The length of the diagonal without squares of 1e300.
        let longest = half.max_element();
        let unit = if longest > 0.0 { longest * (half / longest).length() } else { 1.0 };
        let corners_of = |index: u32| mesh.triangle(index).map(|corner| (corner - origin) / unit);
        let mut moments = vec![Moments::default(); tree.contents().len()];
        for (id, content) in tree.contents().iter().enumerate().rev() {
            let mut own = Moments::default();
            match content {
                Content::Children(children) => {
                    children.clone().for_each(|child| own = own.joined(&moments[child as usize]));
                }
                Content::Triangles(run) => {
                    tree.triangles(run).iter().for_each(|&index| own.add(&corners_of(index)));
                }
            }
            moments[id] = own;
        }
        let both = |(id, own): (usize, &Moments)| {
            // Not by runs: those of an octree's cells are anywhere.
            let below = tree.triangles_below(id as u32);
            let corners = || below.iter().map(|&index| corners_of(index));
            let axes = match below[..] {
                [single] => triangle_axes(&corners_of(single)),
                _ => None,
            };
            let children = tree.children(id as u32);
            let block = Block::new(axes.unwrap_or_else(|| own.axes()), corners, children);
            (piece(own, corners, below.len() == 1), block)
        };
        let (list, blocks) = moments.par_iter().enumerate().map(both).unzip();
        Self { list, blocks, origin, unit }
    }

    /// Of a node.
    #[must_use]
    #[inline]
    pub fn of(&self, node: u32) -> &Patch {
        &self.list[node as usize]
    }

    /// The box around a node's triangles.
    #[must_use]
    #[inline]
    pub fn block(&self, node: u32) -> &Block {
        &self.blocks[node as usize]
    }

    /// Memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<Patch>() + self.blocks.capacity() * size_of::<Block>()
    }
}

fn piece<T: Iterator<Item = Triangle>>(moments: &Moments, triangles: impl Fn() -> T, single: bool) -> Patch {
    let (center, axes, covariance) = (moments.mean(), moments.axes(), moments.covariance());
    let deviation = |axis: DVec3| axis.dot(covariance * axis).max(0.0).sqrt();
    let [first, second, across] = [axes.x_axis, axes.y_axis, axes.z_axis].map(deviation);
    let kind = if single {
        if second > NEEDLE * first { Kind::Triangle } else { Kind::Rough }
    } else if COVERED.contains(&(moments.area() / (12.0 * first * second))) && across < FLAT * second {
        Kind::Sheet
    } else {
        Kind::Rough
    };
    let filled = if kind == Kind::Triangle { OF_TRIANGLE } else { OF_SEVERAL };
    let farthest = triangles().flatten().map(|corner| (corner - center).length_squared()).fold(0.0, f64::max).sqrt();
    Patch {
        center: center.as_vec3(),
        reach: farthest as f32,
        normal: axes.z_axis.as_vec3(),
        // Of a point: no division by nothing.
        spread: ((first * first + second * second) as f32).max(f32::MIN_POSITIVE),
        u: (axes.x_axis * (filled * first)).as_vec3(),
        thickness: if kind == Kind::Triangle { 0.0 } else { across as f32 },
        v: (axes.y_axis * (filled * second)).as_vec3(),
        kind,
    }
}

/// How two models' pieces lie: from a's units and frame to b's.
#[derive(Debug, Clone, Copy)]
pub struct Across {
    turn: Mat3A,
    scaled: Mat3A,
    offset: Vec3A,
    ratio: f32,
    /// No coordinate of a placed piece is farther from the truth.
    slack: f32,
    /// For ranking.
    pub(super) lanes: Lanes,
    /// For boxes.
    pub(super) sight: Sight,
}

/// What two pieces say of each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Contact {
    /// The surfaces cross, by this margin: from where they do to the rims, in thicknesses.
    Crossing(f32),
    /// Two triangles that cannot touch.
    Apart,
    /// Neither is sure.
    Unclear,
}

impl Across {
    /// Of two tables and how their models lie.
    #[must_use]
    pub fn new(a: &Patches, b: &Patches, placement: &Placement) -> Self {
        let b_from_a = placement.b_from_a();
        let rotation = b_from_a.rotation();
        let turn = Mat3A::from_cols(rotation.x_axis.as_vec3a(), rotation.y_axis.as_vec3a(), rotation.z_axis.as_vec3a());
        let ratio = (a.unit / b.unit) as f32;
        let offset = ((b_from_a.apply(a.origin) - b.origin) / b.unit).as_vec3a();
        // Each of some ten roundings is within 1e-7 of what is added up; and the pose's own, in
        // doubles.
        let slack = 2e-6 * (ratio + offset.length() + 1.0) + (placement.slack() / b.unit) as f32;
        let (lanes, sight) = (Lanes::new(&turn, offset, ratio, slack), Sight::new(turn, offset, ratio, slack));
        Self { turn, scaled: turn * ratio, offset, ratio, slack, lanes, sight }
    }

    /// Two pieces' spreads, in b's units.
    #[must_use]
    #[inline]
    pub fn spreads(&self, a: &Patch, b: &Patch) -> (f32, f32) {
        (a.spread * (self.ratio * self.ratio), b.spread)
    }

    /// A spread as a power of 2 of the smaller of two bodies: at most 0.
    pub(super) fn fineness(&self, spread: f32, a: &Patch, b: &Patch) -> f64 {
        let body = (a.spread * (self.ratio * self.ratio)).min(b.spread);
        let ratio = f64::from(spread / body);
        // Of points and of bodies whose size is no number: nothing is known.
        if ratio > 0.0 && ratio < 1.0 { 0.5 * ratio.log2().max(-128.0) } else { 0.0 }
    }

    /// From 0, two pieces that lie along each other, to 1, upright on each other.
    pub(super) fn skew(&self, a: &Patch, b: &Patch) -> f64 {
        f64::from(1.0 - (self.turn * Vec3A::from(a.normal)).dot(Vec3A::from(b.normal)).abs())
    }

    /// Whether two patches cross.
    #[must_use]
    #[inline]
    pub fn contact(&self, a: &Patch, b: &Patch) -> Contact {
        if a.kind == Kind::Rough || b.kind == Kind::Rough { Contact::Unclear } else { self.contact_of_flat(a, b) }
    }

    fn contact_of_flat(&self, a: &Patch, b: &Patch) -> Contact {
        let offset = self.scaled * Vec3A::from(a.center) + self.offset - Vec3A::from(b.center);
        let (normal_a, normal_b) = (self.turn * Vec3A::from(a.normal), Vec3A::from(b.normal));
        let (ellipse_a, ellipse_b) =
            ([self.scaled * Vec3A::from(a.u), self.scaled * Vec3A::from(a.v)], [Vec3A::from(b.u), Vec3A::from(b.v)]);
        let triangles = a.kind == Kind::Triangle && b.kind == Kind::Triangle;
        // How far each middle is from the other's plane, and how far its own ellipse reaches that
        // way.
        let (off_a, off_b) = (normal_b.dot(offset), -normal_a.dot(offset));
        let (chord_a, chord_b) = (Chord::new(ellipse_a, normal_b, off_a), Chord::new(ellipse_b, normal_a, off_b));
        let out = |chord: &Chord| chord.off - self.slack > 2.01 * (chord.rise + self.slack);
        if triangles && (out(&chord_a) || out(&chord_b)) {
            return Contact::Apart;
        }
        // Most pairs.
        let both_cut = chord_a.is_in() && chord_b.is_in();
        if !triangles && !both_cut {
            return Contact::Unclear;
        }
        let line = normal_a.cross(normal_b);
        let sine = line.length();
        let gap = ((offset + chord_a.middle - chord_b.middle).dot(line) / sine).abs();
        let (long_a, long_b) = (chord_a.longest, chord_b.longest);
        // Where planes are nearly the same, their common line is anywhere.
        if triangles && sine > 0.1 && gap > 2.01 * (long_a + long_b) + 40.0 * self.slack {
            return Contact::Apart;
        }
        if both_cut && gap < chord_a.half() + chord_b.half() {
            let thickness = a.thickness * self.ratio + b.thickness + self.slack;
            return Contact::Crossing((chord_a.rise - chord_a.off).min(chord_b.rise - chord_b.off) / thickness);
        }
        Contact::Unclear
    }
}

/// Where a plane cuts an ellipse.
struct Chord {
    /// The plane's distance from the ellipse's middle.
    off: f32,
    /// How far the ellipse reaches towards the plane.
    rise: f32,
    /// From the ellipse's middle to the chord's.
    middle: Vec3A,
    /// Half the chord through the ellipse's middle.
    longest: f32,
}

impl Chord {
    #[inline]
    fn new([u, v]: [Vec3A; 2], normal: Vec3A, off: f32) -> Self {
        let (along_u, along_v) = (normal.dot(u), normal.dot(v));
        let squared = along_u * along_u + along_v * along_v;
        let rise = squared.sqrt();
        Self {
            off: off.abs(),
            rise,
            middle: (u * along_u + v * along_v) * (-off / squared),
            longest: (u * along_v - v * along_u).length() / rise,
        }
    }

    #[inline]
    fn is_in(&self) -> bool {
        self.off < self.rise
    }

    /// Half its length.
    #[inline]
    fn half(&self) -> f32 {
        let share = self.off / self.rise;
        self.longest * (1.0 - share * share).sqrt()
    }
}
