//! Drilling cycles: G73, G74, G81 to G86, G89.
//!
//! Pecks go up and down the hole that the feed has cut before: they are the feed from the retract
//! plane to the bottom, and one return.

use super::MoveKind;
use super::block::Block;
use super::gcode::{Motion, State};
use super::words::{Word, Wrong, wrong};
use crate::error::Problem;

/// A height, as a word says it. Controls differ in what it is after a change of units.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Said {
    value: f64,
    unit: f64,
    absolute: bool,
}

/// What a cycle keeps from block to block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cycle {
    retract: Option<Said>,
    bottom: Option<Said>,
    /// Height at which the first hole began.
    initial: Option<f64>,
    feeds_back: bool,
}

impl Cycle {
    /// Back at full speed.
    pub(super) fn rapid_return(initial: Option<f64>) -> Self {
        Self { retract: None, bottom: None, initial, feeds_back: false }
    }

    /// Back at the feed rate: tapping, boring.
    pub(super) fn feed_return(initial: Option<f64>) -> Self {
        Self { feeds_back: true, ..Self::rapid_return(initial) }
    }
}

/// More holes in a block than this are no program.
const MOST_HOLES: f64 = 100_000.0;

impl State<'_> {
    pub(super) fn drill(&mut self, mut cycle: Cycle, word: &Word, block: &Block<'_>) -> Result<(), Wrong> {
        if self.plane != [0, 1, 2] {
            return Err(wrong(&word.text, Problem::Unsupported("drilling cycles in another plane than G17")));
        }
        let number = |letter: char| block.word(letter).map(|word| word.value);
        let (unit, absolute) = (self.unit, self.absolute);
        let said = |letter: char| number(letter).map(|value| Said { value, unit, absolute });
        cycle.retract = said('R').or(cycle.retract);
        cycle.bottom = said('Z').or(cycle.bottom);
        self.motion = Motion::Cycle(cycle);
        let retract = cycle.retract.ok_or_else(|| wrong(&word.text, Problem::Needs("R, the height to return to")))?;
        let bottom = cycle.bottom.ok_or_else(|| wrong(&word.text, Problem::Needs("Z, the depth")))?;
        if [retract, bottom].iter().any(|said| said.unit != unit || said.absolute != absolute) {
            let again = "R and Z once more, as units (G20, G21) or G90 and G91 have changed within the cycle";
            return Err(wrong(&word.text, Problem::Needs(again)));
        }
        let (retract, bottom) = (retract.value, bottom.value);
        let height = self.place[2].ok_or_else(|| wrong(&word.text, Problem::UnknownPlace))?;
        let origin = self.origin().map_err(|problem| wrong(&word.text, problem))?;
        let (retract, bottom) = if self.absolute {
            (origin[2] + retract * self.unit, origin[2] + bottom * self.unit)
        } else {
            let retract = height + retract * self.unit;
            (retract, retract + bottom * self.unit)
        };
        if !(retract.abs() <= 1e7 && bottom.abs() <= 1e7) {
            return Err(wrong(&word.text, Problem::TooLarge));
        }
        if retract < bottom {
            return Err(wrong(&word.text, Problem::Needs("R above Z")));
        }
        let holes = number('L').or(number('K')).unwrap_or(1.0);
        if !(0.0..=MOST_HOLES).contains(&holes) {
            return Err(wrong(&word.text, Problem::Needs("at most 100,000 repeats")));
        }
        let high = if self.returns_high { retract.max(cycle.initial.unwrap_or(height)) } else { retract };
        for _ in 0..holes as u32 {
            self.hole(cycle.feeds_back, retract, bottom, high, block)?;
        }
        Ok(())
    }

    fn hole(&mut self, feeds_back: bool, retract: f64, bottom: f64, high: f64, block: &Block<'_>) -> Result<(), Wrong> {
        let above = self.target(block)?;
        let at = |height: Option<f64>| [above[0], above[1], height];
        if self.place[2].is_some_and(|height| height < retract) {
            let [x, y, _] = self.place;
            let turn = self.angles.hold();
            self.go([x, y, Some(retract)], MoveKind::Rapid)?;
            self.angles.release(turn);
        }
        self.go(at(self.place[2]), MoveKind::Rapid)?;
        self.go(at(Some(retract)), MoveKind::Rapid)?;
        self.go(at(Some(bottom)), MoveKind::Feed)?;
        let back = if feeds_back { MoveKind::Feed } else { MoveKind::Retrace };
        self.go(at(Some(retract)), back)?;
        self.go(at(Some(high)), MoveKind::Rapid)
    }
}
