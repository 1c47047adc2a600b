//! Words A, B and C: angles of a machine's rotary axes, and what moves them.

use super::arc::Arc;
use super::block::Block;
use super::gcode::{State, known};
use super::turn::Ends;
use super::words::{Word, Wrong, wrong};
use super::{MoveKind, RapidPath, ToolPath, note};
use crate::error::Problem;
use glam::DVec3;

/// Angles in degrees; none where only the machine knows.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Angles {
    now: Vec<Option<f64>>,
    /// What the words of the block ask for, until something moves.
    asked: Option<Vec<Option<f64>>>,
    /// Is the tip controlled (G43.4)?
    pub(super) follows_tip: bool,
    /// Has the program said where the axis is?
    is_said: Vec<bool>,
}

impl Angles {
    pub(super) fn new(count: usize) -> Self {
        Self { now: vec![Some(0.0); count], is_said: vec![false; count], ..Self::default() }
    }

    fn known(angles: &[Option<f64>]) -> Option<Vec<f64>> {
        angles.iter().copied().collect()
    }

    /// What the block asks for, to be given back: something else moves first.
    pub(super) fn hold(&mut self) -> Option<Vec<Option<f64>>> {
        self.asked.take()
    }

    pub(super) fn release(&mut self, held: Option<Vec<Option<f64>>>) {
        self.asked = held;
    }

    /// Are all axes at 0 and stay there?
    fn is_still(&self, before: &[Option<f64>]) -> bool {
        self.now.iter().chain(before).all(|&angle| angle == Some(0.0))
    }
}

/// Angles beyond this are no machine's.
const MOST: f64 = 1e6;

impl State<'_> {
    /// Takes the rotary words of a block.
    pub(super) fn take_angles(&mut self, block: &Block<'_>) -> Result<(), Wrong> {
        self.angles.asked = None;
        for letter in ['A', 'B', 'C'] {
            let Some(word) = block.word(letter) else { continue };
            let Some(machine) = &self.options.machine else {
                if word.value == 0.0 {
                    self.ignore(&format!("{}0: a rotary axis at 0", word.letter));
                    continue;
                }
                let how =
                    "rotary axes without a description of the machine; give one, or the program as APT/CL or poses";
                return Err(wrong(&word.text, Problem::Unsupported(how)));
            };
            let Some(index) = machine.position(letter) else {
                let how = "a rotary axis that the machine's description does not have";
                return Err(wrong(&word.text, Problem::Unsupported(how)));
            };
            let (now, shortest) = (self.angles.now[index], machine.axes()[index].shortest);
            let target = match (self.absolute, now) {
                (true, Some(now)) if shortest => Some(now + (word.value - now + 180.0).rem_euclid(360.0) - 180.0),
                (true, _) => Some(word.value),
                (false, now) => now.map(|now| now + word.value),
            };
            if target.is_some_and(|angle| !(angle.abs() <= MOST)) {
                return Err(wrong(&word.text, Problem::TooLarge));
            }
            self.angles.is_said[index] = true;
            let current = self.angles.now.clone();
            self.angles.asked.get_or_insert(current)[index] = target;
        }
        Ok(())
    }

    /// Codes that do not move take no rotary words.
    pub(super) fn refuse_angles(&self, word: &Word) -> Result<(), Wrong> {
        match self.angles.asked {
            Some(_) => Err(wrong(&word.text, Problem::Unsupported("with rotary axes"))),
            None => Ok(()),
        }
    }

    /// G28, G30 and G53 move axes to places that only the machine knows.
    pub(super) fn forget_angles(&mut self, block: &Block<'_>, all: bool) {
        let Some(machine) = &self.options.machine else { return };
        self.angles.asked = None;
        for (now, axis) in self.angles.now.iter_mut().zip(machine.axes()) {
            if all || block.word(axis.letter).is_some() {
                *now = None;
            }
        }
    }

    /// Does a rotary axis turn in this block?
    pub(super) fn turns(&self) -> bool {
        self.angles.asked.is_some()
    }

    /// G43.4, or its end. The place keeps its meaning: as seen from the workpiece, or from the
    /// machine.
    pub(super) fn follow_tip(&mut self, word: &Word, follows: bool) -> Result<(), Wrong> {
        if self.angles.follows_tip == follows {
            return Ok(());
        }
        let Some(machine) = self.options.machine.clone() else {
            let how = "tool centre point control without a description of the machine";
            return Err(wrong(&word.text, Problem::Unsupported(how)));
        };
        self.angles.follows_tip = follows;
        let place = known(self.place).zip(Angles::known(&self.angles.now));
        self.place = match place {
            Some((place, angles)) if follows => machine.work_from_machine(place, &angles).to_array().map(Some),
            Some((place, angles)) => machine.machine_from_work(place, &angles).to_array().map(Some),
            None => [None; 3],
        };
        Ok(())
    }

    /// Moves with a rotary machine. False if nothing is turned, so that there is nothing to do
    /// here.
    pub(super) fn go_turned(&mut self, target: [Option<f64>; 3], kind: MoveKind) -> Result<bool, Wrong> {
        let Some(machine) = self.options.machine.clone() else { return Ok(false) };
        self.tell_angles();
        let before = self.angles.now.clone();
        if let Some(asked) = self.angles.asked.take() {
            self.angles.now = asked;
        }
        if self.angles.is_still(&before) {
            return Ok(false);
        }
        let from = known(self.place).zip(Angles::known(&before));
        let to = known(target).zip(Angles::known(&self.angles.now));
        self.place = target;
        let Some((to, to_angles)) = to else {
            note(&mut self.program.unchecked, self.line, "goes to a place that is not known: it is not checked");
            return Ok(true);
        };
        let is_arrival = from.is_none();
        if is_arrival {
            let text = "comes from a place that is not known: only its end is checked";
            note(&mut self.program.unchecked, self.line, text);
        }
        let (from, from_angles) = from.unwrap_or_else(|| (to, to_angles.clone()));
        if (from, &from_angles) == (to, &to_angles) && !is_arrival {
            return Ok(true);
        }
        let follows_tip = self.angles.follows_tip;
        if !follows_tip && (machine.head_is_turned(&from_angles) || machine.head_is_turned(&to_angles)) {
            let how = "turning the head without G43.4: where the tip is depends on the tool's length";
            return Err(wrong("this line", Problem::Unsupported(how)));
        }
        if kind == MoveKind::Rapid && self.options.rapid != RapidPath::Straight && !is_arrival {
            let text = "is a rapid with rotary axes: only the way with all axes in step is checked";
            note(&mut self.program.unchecked, self.line, text);
        }
        let ends = Ends { from, to, from_angles: &from_angles, to_angles: &to_angles, follows_tip };
        self.push(kind, ends.path(&machine), is_arrival)?;
        Ok(true)
    }

    /// Axes that no word was about.
    fn tell_angles(&mut self) {
        let Some(machine) = self.options.machine.clone() else { return };
        for (index, axis) in machine.axes().iter().enumerate() {
            if !std::mem::replace(&mut self.angles.is_said[index], true) {
                self.ignore(&format!("{} is not said before the first move: taken as 0", axis.letter));
            }
        }
    }

    /// An arc as the workpiece sees it.
    pub(super) fn turned_arc(&self, arc: Arc, word: &Word) -> Result<Arc, Wrong> {
        let Some(machine) = &self.options.machine else { return Ok(arc) };
        if self.turns() {
            return Err(wrong(&word.text, Problem::Unsupported("an arc while a rotary axis turns")));
        }
        let angles = Angles::known(&self.angles.now);
        let angles = angles.ok_or_else(|| wrong(&word.text, Problem::UnknownPlace))?;
        if self.angles.follows_tip {
            return Ok(Arc { axis: machine.tool_axis(&angles), ..arc });
        }
        if machine.head_is_turned(&angles) {
            return Err(wrong(&word.text, Problem::Unsupported("turning the head without G43.4")));
        }
        let seen = |point: DVec3| machine.work_from_machine(point, &angles);
        let turned = |direction: DVec3| seen(direction) - seen(DVec3::ZERO);
        Ok(Arc {
            center: seen(arc.center),
            plane: arc.plane.map(|direction| turned(direction).normalize_or(direction)),
            rise: turned(arc.rise),
            axis: machine.tool_axis(&angles),
            ..arc
        })
    }
}

impl ToolPath {
    /// Does the axis of the tool leave z?
    #[must_use]
    pub fn is_tilted(&self) -> bool {
        match self {
            Self::Line { .. } | Self::Anywhere { .. } => false,
            Self::Arc(arc) => arc.axis != DVec3::Z,
            Self::Tilt { .. } | Self::Turn(_) => true,
        }
    }
}
