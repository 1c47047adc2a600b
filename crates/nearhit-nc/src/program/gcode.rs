//! G-code: the state of a control between two blocks, and the moves that it makes.

use super::block::Block;
use super::cycle::Cycle;
use super::rotary::Angles;
use super::words::{Wrong, wrong};
use super::{AfterChange, MOST_MOVES, Move, MoveKind, Program, RapidPath, ReadOptions, ToolPath, note};
use crate::error::Problem;
use glam::DVec3;

/// What axis words do until another motion is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Motion {
    None,
    Rapid,
    Feed,
    Arc { clockwise: bool },
    Cycle(Cycle),
}

/// Whose tip the coordinates are about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Length {
    /// No word about it so far: the tip is where the program says.
    Assumed,
    /// G43: likewise.
    Active,
    /// G49 after G43, or another tool: heights are those of the spindle.
    Spindle,
}

/// The state of the control.
#[derive(Debug)]
pub(super) struct State<'o> {
    pub(super) options: &'o ReadOptions,
    pub(super) program: Program,
    pub(super) line: usize,
    /// The tip, in the coordinates of the bodies; none where only the machine knows.
    pub(super) place: [Option<f64>; 3],
    /// Millimetres in a unit of the program.
    pub(super) unit: f64,
    pub(super) absolute: bool,
    pub(super) absolute_centers: bool,
    /// Axes of the plane, and the one at right angles.
    pub(super) plane: [usize; 3],
    pub(super) motion: Motion,
    pub(super) offsets: [Option<[f64; 3]>; 9],
    pub(super) system: usize,
    /// G92.
    pub(super) shift: [f64; 3],
    pub(super) length: Length,
    pub(super) chosen_tool: Option<u32>,
    pub(super) tool: Option<u32>,
    pub(super) was_changed: bool,
    /// G98: cycles return to where they began.
    pub(super) returns_high: bool,
    pub(super) ended: bool,
    pub(super) jump: Option<Jump>,
    pub(super) angles: Angles,
}

/// Where to go on after a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Jump {
    /// M98: a subprogram, and how often if that is said.
    Call { number: u64, runs: Option<u32> },
    /// M99.
    Back,
}

impl<'o> State<'o> {
    pub(super) fn new(options: &'o ReadOptions) -> Self {
        Self {
            options,
            program: Program::default(),
            line: 0,
            place: options.start.map_or([None; 3], |start| start.map(Some)),
            unit: 1.0,
            absolute: true,
            absolute_centers: false,
            plane: [0, 1, 2],
            motion: Motion::None,
            offsets: options.offsets,
            system: 0,
            shift: [0.0; 3],
            length: Length::Assumed,
            chosen_tool: None,
            tool: None,
            was_changed: false,
            returns_high: true,
            ended: false,
            jump: None,
            angles: Angles::new(options.machine.as_ref().map_or(0, |machine| machine.axes().len())),
        }
    }

    /// Where program coordinates are counted from.
    pub(super) fn origin(&self) -> Result<[f64; 3], Problem> {
        let known = self.offsets[self.system];
        // Without any offset, the first system is that of the bodies.
        let offset = known.or((self.system == 0).then_some([0.0; 3])).ok_or(Problem::NoOffset)?;
        Ok([0, 1, 2].map(|axis| offset[axis] + self.shift[axis]))
    }

    /// The place that axis words name.
    pub(super) fn target(&self, block: &Block) -> Result<[Option<f64>; 3], Wrong> {
        let mut target = self.place;
        for axis in 0..3 {
            let Some(word) = block.axis(axis) else { continue };
            let value = word.value * self.unit;
            target[axis] = if self.absolute {
                let origin = self.origin().map_err(|problem| wrong(&system_name(self.system), problem))?;
                (axis != 2 || self.length != Length::Spindle).then_some(origin[axis] + value)
            } else {
                self.place[axis].map(|place| place + value)
            };
            if target[axis].is_some_and(|value| !(value.abs() <= 1e7)) {
                return Err(wrong(&word.text, Problem::TooLarge));
            }
        }
        Ok(target)
    }

    /// Moves in a straight line, as far as places are known.
    pub(super) fn go(&mut self, target: [Option<f64>; 3], kind: MoveKind) -> Result<(), Wrong> {
        if self.go_turned(target, kind)? {
            return Ok(());
        }
        let (from, to) = (known(self.place), known(target));
        self.place = target;
        match (from, to) {
            (Some(from), Some(to)) => {
                if from == to {
                    return Ok(());
                }
                let paths = match (kind, self.options.rapid) {
                    (MoveKind::Rapid, RapidPath::Anywhere) if is_oblique(from, to) => {
                        vec![ToolPath::Anywhere { from, to }]
                    }
                    (MoveKind::Rapid, RapidPath::DogLeg { speeds }) => dog_leg(from, to, speeds),
                    _ => vec![ToolPath::Line { from, to }],
                };
                paths.into_iter().try_for_each(|path| self.push(kind, path, false))
            }
            (None, Some(to)) => {
                note(
                    &mut self.program.unchecked,
                    self.line,
                    "comes from a place that is not known: only its end is checked",
                );
                self.push(kind, ToolPath::Line { from: to, to }, true)
            }
            (_, None) => {
                note(&mut self.program.unchecked, self.line, "goes to a place that is not known: it is not checked");
                Ok(())
            }
        }
    }

    pub(super) fn push(&mut self, kind: MoveKind, path: ToolPath, is_arrival: bool) -> Result<(), Wrong> {
        if self.program.moves.len() >= MOST_MOVES {
            return Err(wrong("this line", Problem::TooMany(MOST_MOVES)));
        }
        // Without a change of tools, the tool that was chosen is the one.
        let tool = if self.was_changed { self.tool } else { self.chosen_tool };
        self.program.moves.push(Move { line: self.line, tool, kind, path, is_arrival });
        Ok(())
    }

    /// M6.
    pub(super) fn change_tool(&mut self) {
        let is_other = !self.was_changed || self.tool != self.chosen_tool;
        (self.tool, self.was_changed) = (self.chosen_tool, true);
        if !is_other {
            return;
        }
        if self.length == Length::Active {
            self.length = Length::Spindle;
        }
        match self.options.after_change {
            AfterChange::Unknown => self.place = [None; 3],
            AfterChange::Same => {}
            AfterChange::At(place) => self.place = place.map(Some),
        }
    }

    pub(super) fn ignore(&mut self, text: &str) {
        note(&mut self.program.ignored, self.line, text);
    }
}

pub(super) fn known([x, y, z]: [Option<f64>; 3]) -> Option<DVec3> {
    Some(DVec3::new(x?, y?, z?))
}

/// Do several axes move?
fn is_oblique(from: DVec3, to: DVec3) -> bool {
    (0..3).filter(|&axis| from[axis] != to[axis]).count() > 1
}

/// Each axis at its own speed until it is there.
fn dog_leg(from: DVec3, to: DVec3, speeds: [f64; 3]) -> Vec<ToolPath> {
    let time = |axis: usize| (to[axis] - from[axis]).abs() / speeds[axis];
    let mut stops: Vec<f64> = (0..3).map(time).filter(|&time| time > 0.0).collect();
    stops.sort_by(f64::total_cmp);
    stops.dedup();
    let mut place = from;
    let mut paths = Vec::new();
    for stop in stops {
        let mut next = to;
        for axis in 0..3 {
            if time(axis) > stop {
                next[axis] = from[axis] + (to[axis] - from[axis]) * (stop / time(axis));
            }
        }
        paths.push(ToolPath::Line { from: place, to: next });
        place = next;
    }
    paths
}

/// "G54" to "G59.3".
pub(super) fn system_name(system: usize) -> String {
    if system < 6 { format!("G{}", 54 + system) } else { format!("G59.{}", system - 5) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dog_leg_ends_where_it_should() {
        let (from, to) = (DVec3::ZERO, DVec3::new(10.0, -5.0, 1.0));
        let legs = dog_leg(from, to, [1.0, 1.0, 0.5]);
        let ends: Vec<(DVec3, DVec3)> = legs
            .iter()
            .map(|path| match path {
                ToolPath::Line { from, to } => (*from, *to),
                other => panic!("{other:?}"),
            })
            .collect();
        let expected = [[0.0, 0.0, 0.0], [2.0, -2.0, 1.0], [5.0, -5.0, 1.0], [10.0, -5.0, 1.0]].map(DVec3::from);
        assert_eq!(ends, [(expected[0], expected[1]), (expected[1], expected[2]), (expected[2], expected[3])]);
        assert!(dog_leg(from, from, [1.0; 3]).is_empty());
    }
}
