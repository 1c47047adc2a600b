//! One block (line) of G-code: what its words mean together, and in which order.

use super::arc::{ArcCenter, ArcWords};
use super::cycle::Cycle;
use super::gcode::{Jump, Length, Motion, State, known, system_name};
use super::words::{Word, Wrong, wrong};
use super::{MoveKind, ToolPath, note};
use crate::error::Problem;
use glam::DVec3;

/// The words of a block, by letter.
#[derive(Debug)]
pub(super) struct Block<'w> {
    codes: Vec<&'w Word>,
    words: [Option<&'w Word>; 26],
}

/// G-codes times ten that set something for one block only, or once.
const ONCE: [i64; 9] = [40, 100, 280, 300, 530, 920, 921, 922, 923];

/// Times ten, codes of which a block may have one: planes, units, absolute and incremental places
/// and centres, lengths of tools, coordinate systems, returns of cycles, and what is for one block
/// only.
const GROUPS: [&[i64]; 8] = [
    &[170, 180, 190],
    &[200, 210],
    &[900, 910],
    &[901, 911],
    &[430, 434, 490],
    &[540, 550, 560, 570, 580, 590, 591, 592, 593],
    &[980, 990],
    &ONCE,
];

impl<'w> Block<'w> {
    pub(super) fn new(found: &'w [Word]) -> Result<Self, Wrong> {
        let mut block = Self { codes: Vec::new(), words: [None; 26] };
        for word in found {
            match word.letter {
                'G' | 'M' => block.codes.push(word),
                letter => {
                    let slot = &mut block.words[(letter as u8 - b'A') as usize];
                    if slot.replace(word).is_some() {
                        return Err(wrong(&word.text, Problem::Twice));
                    }
                }
            }
        }
        Ok(block)
    }

    pub(super) fn word(&self, letter: char) -> Option<&'w Word> {
        self.words[(letter as u8 - b'A') as usize]
    }

    pub(super) fn axis(&self, axis: usize) -> Option<&'w Word> {
        self.word(['X', 'Y', 'Z'][axis])
    }

    fn turns_an_axis(&self) -> Option<&'w Word> {
        ['A', 'B', 'C'].into_iter().find_map(|letter| self.word(letter))
    }

    /// Which of two codes of one group holds is not the same on all controls.
    fn refuse_contradictions(&self) -> Result<(), Wrong> {
        let mut said: [Option<(&Word, i64)>; GROUPS.len()] = [None; GROUPS.len()];
        for &word in self.codes.iter().filter(|word| word.letter == 'G') {
            let code = tenths(word)?;
            let Some(group) = GROUPS.iter().position(|group| group.contains(&code)) else { continue };
            match said[group] {
                Some((other, known)) if known != code => return Err(contradicts(word, other)),
                _ => said[group] = Some((word, code)),
            }
        }
        Ok(())
    }

    fn moves_an_axis(&self) -> Option<&'w Word> {
        (0..3).find_map(|axis| self.axis(axis))
    }
}

fn contradicts(word: &Word, other: &Word) -> Wrong {
    let other = wrong(&other.text, Problem::NotAWord).word;
    wrong(&word.text, Problem::Contradicts(other))
}

/// A code as ten times its number.
fn tenths(word: &Word) -> Result<i64, Wrong> {
    let tenths = (word.value * 10.0).round();
    if !(0.0..1e6).contains(&tenths) || (tenths - word.value * 10.0).abs() > 1e-6 {
        return Err(wrong(&word.text, Problem::Unknown));
    }
    Ok(tenths as i64)
}

impl State<'_> {
    pub(super) fn execute(&mut self, block: &Block<'_>) -> Result<(), Wrong> {
        self.refuse_letters(block)?;
        if let Some(word) = block.word('T') {
            let is_number = word.value >= 0.0 && word.value.fract() == 0.0 && word.value <= 1e6;
            self.chosen_tool =
                Some(is_number.then_some(word.value as u32).ok_or_else(|| wrong(&word.text, Problem::NotANumber))?);
        }
        block.refuse_contradictions()?;
        let mut once = None;
        let mut motion: Option<(&Word, Motion)> = None;
        let mut miscellaneous = Vec::new();
        for &word in &block.codes {
            let code = tenths(word)?;
            match word.letter {
                'M' => miscellaneous.push((word, code)),
                _ if ONCE.contains(&code) => once = Some((word, code)),
                _ => {
                    if let Some(new) = self.motion_of(code) {
                        if let Some((other, _)) = motion {
                            return Err(contradicts(word, other));
                        }
                        motion = Some((word, new));
                    } else {
                        self.set(word, code, block)?;
                    }
                }
            }
        }
        for &(word, code) in &miscellaneous {
            self.miscellaneous(word, code, block)?;
        }
        if let Some((word, new)) = motion {
            self.motion = new;
            if matches!(new, Motion::Arc { .. } | Motion::Cycle(_))
                && block.moves_an_axis().is_none()
                && !has_center(block)
            {
                return Err(wrong(&word.text, Problem::Needs("X, Y or Z")));
            }
        }
        self.take_angles(block)?;
        match once {
            Some((word, code)) => self.once(word, code, block)?,
            None => self.move_by(block)?,
        }
        // What ends a program ends it after the block's motion.
        self.ended = miscellaneous.iter().any(|&(_, code)| matches!(code, 20 | 300));
        Ok(())
    }

    fn refuse_letters(&self, block: &Block<'_>) -> Result<(), Wrong> {
        for letter in ['E', 'U', 'V', 'W'] {
            if let Some(word) = block.word(letter) {
                return Err(wrong(&word.text, Problem::Unknown));
            }
        }
        Ok(())
    }

    fn motion_of(&self, code: i64) -> Option<Motion> {
        Some(match code {
            0 => Motion::Rapid,
            10 => Motion::Feed,
            20 => Motion::Arc { clockwise: true },
            30 => Motion::Arc { clockwise: false },
            730 | 810 | 820 | 830 => Motion::Cycle(Cycle::rapid_return(self.place[2])),
            740 | 840 | 850 | 890 => Motion::Cycle(Cycle::feed_return(self.place[2])),
            860 => Motion::Cycle(Cycle::rapid_return(self.place[2])),
            _ => return None,
        })
    }

    /// Codes that hold until another of their group.
    fn set(&mut self, word: &Word, code: i64, block: &Block<'_>) -> Result<(), Wrong> {
        match code {
            170 => self.plane = [0, 1, 2],
            180 => self.plane = [2, 0, 1],
            190 => self.plane = [1, 2, 0],
            200 => self.unit = 25.4,
            210 => self.unit = 1.0,
            430 => {
                self.length_of_tool(word, block)?;
                self.follow_tip(word, false)?;
            }
            434 => {
                self.length_of_tool(word, block)?;
                self.follow_tip(word, true)?;
            }
            490 => {
                self.follow_tip(word, false)?;
                if self.length == Length::Active {
                    self.length = Length::Spindle;
                    self.place[2] = None;
                }
            }
            540..=593 => self.choose_system(word, code)?,
            800 => self.motion = Motion::None,
            900 => self.absolute = true,
            901 => self.absolute_centers = true,
            910 => self.absolute = false,
            911 => self.absolute_centers = false,
            980 => self.returns_high = true,
            990 => self.returns_high = false,
            // Compensation off, exact stop, feed modes, spindle modes, no scaling.
            400 | 500 | 610 | 611 | 690 | 940 | 950 | 970 => {}
            930 => self.ignore("G93: inverse-time feed, which does not change the way"),
            640 => self.ignore("G64: corners are taken as sharp; what blending cuts off is not followed"),
            410 | 411 | 420 | 421 => {
                return Err(wrong(
                    &word.text,
                    Problem::Unsupported("cutter compensation; the path must be that of the tool's centre"),
                ));
            }
            431 | 432 => return Err(wrong(&word.text, Problem::Unsupported("tool lengths as numbers"))),
            435 => return Err(wrong(&word.text, Problem::Unsupported("directions of the tool as I, J and K"))),
            682 => return Err(wrong(&word.text, Problem::Unsupported("tilted working planes"))),
            510 | 520 | 680 => {
                return Err(wrong(&word.text, Problem::Unsupported("scaling, shifting or turning coordinates")));
            }
            _ => return Err(wrong(&word.text, Problem::Unknown)),
        }
        Ok(())
    }

    fn length_of_tool(&mut self, word: &Word, block: &Block<'_>) -> Result<(), Wrong> {
        let tool = if self.was_changed { self.tool } else { self.chosen_tool };
        if let (Some(height), Some(tool)) = (block.word('H'), tool)
            && height.value != f64::from(tool)
            && height.value != 0.0
        {
            return Err(wrong(
                &format!("{} {}", word.text, height.text),
                Problem::OtherLength(height.value as u32, tool),
            ));
        }
        if self.length != Length::Active {
            // Heights until now were assumed to be the tip's, or were the spindle's.
            if self.length == Length::Spindle {
                self.place[2] = None;
            }
            self.length = Length::Active;
        }
        Ok(())
    }

    fn choose_system(&mut self, word: &Word, code: i64) -> Result<(), Wrong> {
        let system = match code {
            540 | 550 | 560 | 570 | 580 | 590 => (code as usize - 540) / 10,
            591..=593 => code as usize - 585,
            _ => return Err(wrong(&word.text, Problem::Unknown)),
        };
        self.system = system;
        let nothing_known = self.offsets.iter().all(Option::is_none);
        if nothing_known && self.program.moves.is_empty() {
            // The only system of a program is that of the bodies.
            self.offsets[system] = Some([0.0; 3]);
            if system > 0 {
                self.ignore(&format!("{}: taken as the coordinates of the bodies", system_name(system)));
            }
        }
        Ok(())
    }

    fn miscellaneous(&mut self, word: &Word, code: i64, block: &Block<'_>) -> Result<(), Wrong> {
        match code {
            // Stops, ends, spindle, coolant, overrides.
            0 | 10 | 20 | 30 | 40 | 50 | 70 | 80 | 90 | 300 | 480 | 490 => {}
            60 => self.change_tool(),
            970 => return Err(wrong(&word.text, Problem::Unsupported("calls of lines by N; use M98"))),
            980 => self.jump = Some(called(word, block)?),
            990 if block.word('P').is_some() => {
                return Err(wrong(&word.text, Problem::Unsupported("returns to another line")));
            }
            990 => self.jump = Some(Jump::Back),
            _ => self.ignore(&format!("M{}: not known, taken as a switch", word.value)),
        }
        Ok(())
    }

    /// Codes of one block.
    fn once(&mut self, word: &Word, code: i64, block: &Block<'_>) -> Result<(), Wrong> {
        match code {
            40 => {}
            100 => {
                self.refuse_angles(word)?;
                self.set_offset(word, block)?;
            }
            280 | 300 => {
                if block.moves_an_axis().is_some() {
                    let target = self.target(block)?;
                    self.go(target, MoveKind::Rapid)?;
                }
                note(&mut self.program.unchecked, self.line, "goes home: it is not checked");
                let all = block.moves_an_axis().is_none() && block.turns_an_axis().is_none();
                self.forget_angles(block, all);
                self.forget(|axis| all || block.axis(axis).is_some());
            }
            530 => {
                note(&mut self.program.unchecked, self.line, "is in machine coordinates (G53): it is not checked");
                self.forget_angles(block, false);
                self.forget(|axis| block.axis(axis).is_some());
            }
            920 => {
                self.refuse_angles(word)?;
                self.shift_to(block)?;
            }
            921 | 922 => self.shift = [0.0; 3],
            _ => return Err(wrong(&word.text, Problem::Unknown)),
        }
        Ok(())
    }

    fn forget(&mut self, which: impl Fn(usize) -> bool) {
        for axis in (0..3).filter(|&axis| which(axis)) {
            self.place[axis] = None;
        }
    }

    /// G10 L2 and L20.
    fn set_offset(&mut self, word: &Word, block: &Block<'_>) -> Result<(), Wrong> {
        let number = |letter: char| block.word(letter).map(|word| word.value);
        let (how, system) = (number('L'), number('P').unwrap_or(0.0));
        let system = match system {
            0.0 => self.system,
            number if number.fract() == 0.0 && (1.0..=9.0).contains(&number) => number as usize - 1,
            _ => return Err(wrong(&word.text, Problem::Needs("P from 0 to 9"))),
        };
        let mut offset = self.offsets[system].unwrap_or([0.0; 3]);
        for axis in 0..3 {
            let Some(given) = block.axis(axis) else { continue };
            let value = given.value * self.unit;
            offset[axis] = match how {
                Some(2.0) => value,
                Some(20.0) => {
                    let place = self.place[axis].ok_or_else(|| wrong(&given.text, Problem::UnknownPlace))?;
                    place - self.shift[axis] - value
                }
                _ => return Err(wrong(&word.text, Problem::Unsupported("other than L2 and L20"))),
            };
            if !(offset[axis].abs() <= 1e7) {
                return Err(wrong(&given.text, Problem::TooLarge));
            }
        }
        self.offsets[system] = Some(offset);
        Ok(())
    }

    /// G92: the place where the tool is gets these coordinates.
    fn shift_to(&mut self, block: &Block<'_>) -> Result<(), Wrong> {
        let origin = self.origin().map_err(|problem| wrong("G92", problem))?;
        for axis in 0..3 {
            let Some(given) = block.axis(axis) else { continue };
            let value = given.value * self.unit;
            match self.place[axis] {
                Some(place) => self.shift[axis] += place - origin[axis] - value,
                // Nobody knows where it is but the program: this is where.
                None => self.place[axis] = Some(origin[axis] + value),
            }
            if !(self.shift[axis].abs() <= 1e7 && value.abs() <= 1e7) {
                return Err(wrong(&given.text, Problem::TooLarge));
            }
        }
        Ok(())
    }

    /// The motion that holds, with the axis words of the block.
    fn move_by(&mut self, block: &Block<'_>) -> Result<(), Wrong> {
        let turning = || block.turns_an_axis().filter(|_| self.turns());
        let word = block.moves_an_axis().or_else(|| self.center_word(block)).or_else(turning);
        let Some(word) = word else { return Ok(()) };
        match self.motion {
            Motion::None => Err(wrong(&word.text, Problem::NoMotion)),
            Motion::Rapid => {
                let target = self.target(block)?;
                self.go(target, MoveKind::Rapid)
            }
            Motion::Feed => {
                let target = self.target(block)?;
                self.go(target, MoveKind::Feed)
            }
            Motion::Arc { clockwise } => self.arc(clockwise, word, block),
            Motion::Cycle(cycle) => self.drill(cycle, word, block),
        }
    }

    /// Arcs may say nothing but where their centre is.
    fn center_word<'w>(&self, block: &Block<'w>) -> Option<&'w Word> {
        let is_arc = matches!(self.motion, Motion::Arc { .. });
        ['I', 'J', 'K'].into_iter().filter(|_| is_arc).find_map(|letter| block.word(letter))
    }

    fn arc(&mut self, clockwise: bool, word: &Word, block: &Block<'_>) -> Result<(), Wrong> {
        let from = known(self.place).ok_or_else(|| wrong(&word.text, Problem::UnknownPlace))?;
        let target = self.target(block)?;
        let to = known(target).ok_or_else(|| wrong(&word.text, Problem::UnknownPlace))?;
        let how = self.center(from, word, block)?;
        let turns = match block.word('P') {
            Some(word) if word.value.fract() == 0.0 && (1.0..=1000.0).contains(&word.value) => word.value as u32,
            Some(word) => return Err(wrong(&word.text, Problem::Needs("a whole number of turns up to 1000"))),
            None => 1,
        };
        let arc = ArcWords { from, to, axes: self.plane, clockwise, how, turns };
        let arc = self.turned_arc(arc.arc().map_err(|problem| wrong(&word.text, problem))?, word)?;
        self.place = target;
        self.push(MoveKind::Feed, ToolPath::Arc(arc), false)
    }

    fn center(&self, from: DVec3, word: &Word, block: &Block<'_>) -> Result<ArcCenter, Wrong> {
        if let Some(radius) = block.word('R') {
            let value = radius.value * self.unit;
            if value == 0.0 || !(value.abs() <= 1e7) {
                return Err(wrong(&radius.text, Problem::Needs("a radius that is not 0")));
            }
            return Ok(ArcCenter::Radius(value));
        }
        if !has_center(block) {
            return Err(wrong(&word.text, Problem::Needs("I, J, K or R")));
        }
        let origin = self.origin().map_err(|problem| wrong(&word.text, problem))?;
        let mut center = [0.0; 2];
        for (slot, &axis) in center.iter_mut().zip(&self.plane[..2]) {
            let given = block.word(['I', 'J', 'K'][axis]);
            let value = given.map_or(0.0, |word| word.value * self.unit);
            *slot = if self.absolute_centers { origin[axis] + value } else { from[axis] + value };
            if !(slot.abs() <= 1e7) {
                return Err(wrong(&word.text, Problem::TooLarge));
            }
        }
        Ok(ArcCenter::At(center))
    }
}

/// M98 with its words.
fn called(word: &Word, block: &Block<'_>) -> Result<Jump, Wrong> {
    if let Some(axis) = block.moves_an_axis() {
        return Err(wrong(&axis.text, Problem::Unsupported("axis words in the block of a call")));
    }
    let whole = |word: &Word, most: f64| {
        let is_whole = word.value.fract() == 0.0 && (0.0..=most).contains(&word.value);
        is_whole.then_some(word.value as u64).ok_or_else(|| wrong(&word.text, Problem::NotANumber))
    };
    let number = block.word('P').ok_or_else(|| wrong(&word.text, Problem::Needs("P, the number of the subprogram")))?;
    let runs = block.word('L').map(|runs| whole(runs, 1e9)).transpose()?;
    Ok(Jump::Call { number: whole(number, 1e12)?, runs: runs.map(|runs| runs as u32) })
}

fn has_center(block: &Block<'_>) -> bool {
    ['I', 'J', 'K', 'R'].into_iter().any(|letter| block.word(letter).is_some())
}
