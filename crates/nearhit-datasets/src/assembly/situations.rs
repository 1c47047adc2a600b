//! Groups of parts with known clashes, from which assemblies are made.

use super::shapes::Shape::{self, *};
use crate::Point;
use crate::pose::{IDENTITY, Rows};

/// Parts closer than this are too close.
pub const CLEARANCE: f64 = 0.05;

/// The clash of two parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// A point of one is this deep inside the other, from and to: round shapes are not quite round.
    Hard(f64, f64),
    /// The surfaces touch.
    Touching,
    /// They are this far apart, from and to.
    Close(f64, f64),
    /// The second is inside the first.
    Inside,
    /// They are in the same place.
    Duplicate,
}

impl Known {
    /// In a word.
    pub fn class(&self) -> &'static str {
        match self {
            Known::Hard(..) => "hard",
            Known::Touching => "touching",
            Known::Close(..) => "close",
            Known::Inside => "inside",
            Known::Duplicate => "duplicate",
        }
    }
}

/// How a part is turned.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turn {
    /// Not at all.
    None,
    /// A quarter about z.
    QuarterZ,
    /// A quarter about x.
    QuarterX,
    /// An eighth about x: stands on its edge.
    EighthX,
}

impl Turn {
    pub(super) fn rows(self) -> Rows {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        match self {
            Turn::None => IDENTITY,
            Turn::QuarterZ => [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
            Turn::QuarterX => [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
            Turn::EighthX => [[1.0, 0.0, 0.0], [0.0, half, -half], [0.0, half, half]],
        }
    }
}

pub(super) struct Placed {
    pub(super) shape: Shape,
    pub(super) turn: Turn,
    pub(super) at: Point,
}

pub(super) struct Situation {
    pub(super) name: &'static str,
    pub(super) parts: &'static [Placed],
    /// All clashes among the parts, by index.
    pub(super) known: &'static [(usize, usize, Known)],
}

const fn at(shape: Shape, at: Point) -> Placed {
    Placed { shape, turn: Turn::None, at }
}

const fn turned(shape: Shape, turn: Turn, at: Point) -> Placed {
    Placed { shape, turn, at }
}

const ORIGIN: Point = [0.0; 3];

/// The first is a part that stands alone.
pub(super) const SITUATIONS: &[Situation] = &[
    Situation { name: "alone", parts: &[at(Block, ORIGIN)], known: &[] },
    // A corner of b is a quarter below the nearest face of a.
    Situation {
        name: "corner",
        parts: &[at(Block, ORIGIN), at(OtherBlock, [1.75, 1.5, 1.25])],
        known: &[(0, 1, Known::Hard(0.25, 0.25))],
    },
    Situation {
        name: "pressed",
        parts: &[at(Block, ORIGIN), at(Small, [0.125, -0.25, 1.5 - 1.0 / 1024.0])],
        known: &[(0, 1, Known::Hard(1.0 / 1024.0, 1.0 / 1024.0))],
    },
    // No vertex of one is inside the other; side faces pass through the other's middle.
    Situation {
        name: "crossed",
        parts: &[at(Bar, ORIGIN), turned(Bar, Turn::QuarterZ, [0.0, 0.0, 0.125])],
        known: &[(0, 1, Known::Hard(0.24, 0.25))],
    },
    Situation {
        name: "balls",
        parts: &[at(Ball, ORIGIN), at(Ball, [1.5, 0.0, 0.0])],
        known: &[(0, 1, Known::Hard(0.45, 0.5))],
    },
    // In one plane on one side, and yet inside: deepest in the middle of the face opposite.
    Situation {
        name: "flush",
        parts: &[at(Block, ORIGIN), at(Small, [0.5, 0.0, 0.0])],
        known: &[(0, 1, Known::Hard(0.98, 1.0))],
    },
    Situation {
        name: "stack",
        parts: &[at(Block, ORIGIN), at(OtherBlock, [0.375, -0.5, 2.0]), at(Small, [0.375, -0.5, 3.5])],
        known: &[(0, 1, Known::Touching), (1, 2, Known::Touching)],
    },
    Situation {
        name: "edge",
        parts: &[at(Block, ORIGIN), turned(Small, Turn::EighthX, [0.0, 0.0, 1.0 + std::f64::consts::FRAC_1_SQRT_2])],
        known: &[(0, 1, Known::Touching)],
    },
    // The whole wall of the peg lies on the wall of the hole.
    Situation { name: "fit", parts: &[at(Bush, ORIGIN), at(Peg, [0.0, 0.0, 0.25])], known: &[(0, 1, Known::Touching)] },
    Situation {
        name: "pole",
        parts: &[at(Block, ORIGIN), at(Ball, [0.0625, 0.125, 2.0])],
        known: &[(0, 1, Known::Touching)],
    },
    Situation {
        name: "gap",
        parts: &[at(Block, ORIGIN), at(OtherBlock, [2.031_25, 0.25, 0.5])],
        known: &[(0, 1, Known::Close(0.031_24, 0.031_26))],
    },
    Situation {
        name: "tight",
        parts: &[at(Bush, ORIGIN), at(TightPeg, ORIGIN)],
        known: &[(0, 1, Known::Close(0.039, 0.04))],
    },
    Situation { name: "wide", parts: &[at(Block, ORIGIN), at(OtherBlock, [2.0625, 0.25, 0.5])], known: &[] },
    Situation { name: "loose", parts: &[at(Bush, ORIGIN), at(LoosePeg, ORIGIN)], known: &[] },
    Situation {
        name: "lost",
        parts: &[at(Block, ORIGIN), at(SmallBall, [0.25, 0.125, -0.25])],
        known: &[(0, 1, Known::Inside)],
    },
    // In the hollow is not inside.
    Situation { name: "rattle", parts: &[at(Shell, ORIGIN), at(SmallBall, [0.5, 0.25, 0.0])], known: &[] },
    Situation { name: "twice", parts: &[at(Bush, ORIGIN), at(Bush, ORIGIN)], known: &[(0, 1, Known::Duplicate)] },
    Situation {
        name: "recut",
        parts: &[at(Block, ORIGIN), at(OtherBlock, ORIGIN)],
        known: &[(0, 1, Known::Duplicate)],
    },
    Situation {
        name: "turned",
        parts: &[at(Block, ORIGIN), turned(Block, Turn::QuarterX, ORIGIN)],
        known: &[(0, 1, Known::Duplicate)],
    },
    Situation { name: "links", parts: &[at(Link, ORIGIN), turned(Link, Turn::QuarterX, [1.0, 0.0, 0.0])], known: &[] },
];
