//! Rotary axes: a machine as tables and heads that turn, and where that puts the tool as seen from
//! the workpiece.
//!
//! Table axes carry the workpiece, head axes the tool. Both are listed from the machine's frame
//! outwards. A positive angle turns what the axis carries about its direction by the right-hand
//! rule, as seen from the machine's frame. Directions and points are those of all axes at 0, in the
//! coordinates of the bodies.

use crate::error::{NcError, of_json};
use crate::tool::read_text;
use glam::{DMat3, DVec3};
use serde::Deserialize;
use std::path::Path;

/// A machine's rotary axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    axes: Vec<RotaryAxis>,
}

/// What an axis turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Carries {
    /// The workpiece.
    Table,
    /// The tool.
    Head,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RotaryAxis {
    pub(crate) letter: char,
    pub(crate) on: Carries,
    /// Of length one.
    pub(crate) direction: DVec3,
    pub(crate) point: DVec3,
    /// Goes to absolute angles by the shorter way round.
    pub(crate) shortest: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with a list of axes")]
struct File {
    #[serde(rename = "name")]
    _name: Option<String>,
    axes: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object that describes an axis")]
struct Entry {
    letter: String,
    on: Carries,
    direction: [f64; 3],
    #[serde(default)]
    point: Option<[f64; 3]>,
    #[serde(default)]
    shortest: bool,
}

const STANDS: &str = "a body of the machine, which does not turn with its table, cannot be checked; what stands \
    on the table is part, stock or fixture";

impl Machine {
    /// Reads a description: JSON with a list of axes.
    ///
    /// ```no_run
    /// let machine = nearhit_nc::Machine::read("trunnion.json".as_ref())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(path: &Path) -> Result<Self, NcError> {
        Self::parse(&read_text(path)?, &path.display().to_string())
    }

    /// Parses the text of a description. `name` is the file's name.
    ///
    /// ```
    /// let text = r#"{"axes": [{"letter": "A", "on": "table", "direction": [1, 0, 0], "point": [0, 0, -50]}]}"#;
    /// let machine = nearhit_nc::Machine::parse(text, "trunnion.json")?;
    /// assert!(machine.turns_the_work());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(text: &str, name: &str) -> Result<Self, NcError> {
        let wrong = |at: String, message: String| NcError::Machine { file: name.to_owned(), at, message };
        let file: File =
            serde_json::from_str(text).map_err(|error| wrong(format!("line {}", error.line()), of_json(&error)))?;
        if !(1..=3).contains(&file.axes.len()) {
            return Err(wrong("axes".into(), format!("{} axes; one to three are needed", file.axes.len())));
        }
        let mut axes: Vec<RotaryAxis> = Vec::new();
        for (index, entry) in file.axes.into_iter().enumerate() {
            let at = format!("axis {}", index + 1);
            let axis = axis(entry).map_err(|message| wrong(at.clone(), message))?;
            if axes.iter().any(|other| other.letter == axis.letter) {
                return Err(wrong(at, format!("the letter {} is there twice", axis.letter)));
            }
            axes.push(axis);
        }
        Ok(Self { axes })
    }

    /// Does a table turn the workpiece, and what stands on it?
    #[must_use]
    pub fn turns_the_work(&self) -> bool {
        self.axes.iter().any(|axis| axis.on == Carries::Table)
    }

    /// Bodies of the machine do not stand still as seen from a workpiece that turns: they are
    /// refused.
    ///
    /// ```
    /// use nearhit_nc::{Demo, Machine};
    ///
    /// let text = r#"{"axes": [{"letter": "A", "on": "table", "direction": [1, 0, 0], "point": [0, 0, -50]}]}"#;
    /// let machine = Machine::parse(text, "trunnion.json")?;
    /// machine.check_bodies(&Demo::bodies()?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_bodies<'b>(&self, bodies: impl IntoIterator<Item = &'b crate::Body>) -> Result<(), NcError> {
        let wrong = |body: &crate::Body| body.role() == crate::Role::Machine && self.turns_the_work();
        match bodies.into_iter().find(|body| wrong(body)) {
            Some(body) => Err(NcError::Body { name: body.name().to_owned(), message: STANDS.into() }),
            None => Ok(()),
        }
    }

    pub(crate) fn axes(&self) -> &[RotaryAxis] {
        &self.axes
    }

    pub(crate) fn position(&self, letter: char) -> Option<usize> {
        self.axes.iter().position(|axis| axis.letter == letter)
    }

    /// Is a head axis turned?
    pub(crate) fn head_is_turned(&self, degrees: &[f64]) -> bool {
        self.axes.iter().zip(degrees).any(|(axis, &angle)| axis.on == Carries::Head && angle != 0.0)
    }

    /// The direction from the tip to the spindle, as seen from the workpiece.
    pub(crate) fn tool_axis(&self, degrees: &[f64]) -> DVec3 {
        let turned = |on: Carries| self.axes.iter().zip(degrees).filter(move |(axis, _)| axis.on == on);
        let mut direction = DVec3::Z;
        // The last head axis carries the tool itself.
        for (axis, &angle) in turned(Carries::Head).rev() {
            direction = about(axis.direction, angle) * direction;
        }
        for (axis, &angle) in turned(Carries::Table) {
            direction = about(axis.direction, -angle) * direction;
        }
        direction
    }

    /// A point of the machine's frame, as seen from the workpiece.
    pub(crate) fn work_from_machine(&self, point: DVec3, degrees: &[f64]) -> DVec3 {
        let tables = self.axes.iter().zip(degrees).filter(|(axis, _)| axis.on == Carries::Table);
        tables.fold(point, |at, (axis, &angle)| axis.point + about(axis.direction, -angle) * (at - axis.point))
    }

    /// And back.
    pub(crate) fn machine_from_work(&self, point: DVec3, degrees: &[f64]) -> DVec3 {
        let tables = self.axes.iter().zip(degrees).filter(|(axis, _)| axis.on == Carries::Table).rev();
        tables.fold(point, |at, (axis, &angle)| axis.point + about(axis.direction, angle) * (at - axis.point))
    }
}

fn axis(entry: Entry) -> Result<RotaryAxis, String> {
    let letter = match entry.letter.to_ascii_uppercase().as_str() {
        "A" => 'A',
        "B" => 'B',
        "C" => 'C',
        other => return Err(format!("letter {other:?}: A, B or C are known")),
    };
    let direction = DVec3::from(entry.direction);
    let length = direction.length();
    if !(length > 1e-3 && length <= 1e6) {
        return Err(format!("direction {:?} has no direction", entry.direction));
    }
    // Along an axis, exactly: the tool is to stay upright when a table turns under it.
    let direction = if (direction / length - direction).length() < 1e-15 { direction } else { direction / length };
    let point = match (entry.on, entry.point) {
        (_, Some(point)) if point.iter().all(|value| value.abs() <= 1e7) => DVec3::from(point),
        (_, Some(point)) => return Err(format!("point {point:?}: numbers up to 1e7 are needed")),
        (Carries::Head, None) => DVec3::ZERO,
        (Carries::Table, None) => return Err("a table needs a point of its axis".into()),
    };
    Ok(RotaryAxis { letter, on: entry.on, direction, point, shortest: entry.shortest })
}

/// A rotation by degrees. Quarter turns are exact.
fn about(direction: DVec3, degrees: f64) -> DMat3 {
    let (sin, cos) = match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        angle => angle.to_radians().sin_cos(),
    };
    let DVec3 { x, y, z } = direction;
    let rest = 1.0 - cos;
    DMat3::from_cols(
        DVec3::new(cos + x * x * rest, y * x * rest + z * sin, z * x * rest - y * sin),
        DVec3::new(x * y * rest - z * sin, cos + y * y * rest, z * y * rest + x * sin),
        DVec3::new(x * z * rest + y * sin, y * z * rest - x * sin, cos + z * z * rest),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUNNION: &str = r#"{"axes": [
        {"letter": "A", "on": "table", "direction": [1, 0, 0], "point": [0, 0, -50]},
        {"letter": "C", "on": "table", "direction": [0, 0, 1], "point": [10, 0, 0]}]}"#;

    #[test]
    fn tables_turn_the_work_under_the_tool() {
        let machine = Machine::parse(TRUNNION, "trunnion.json").expect("legal");
        let near =
            |one: DVec3, other: [f64; 3]| assert!((one - DVec3::from(other)).length() < 1e-12, "{one} {other:?}");
        near(machine.tool_axis(&[0.0, 33.0]), [0.0, 0.0, 1.0]);
        // The table tips the work's top to the front: from there, the spindle is behind.
        near(machine.tool_axis(&[90.0, 0.0]), [0.0, 1.0, 0.0]);
        near(machine.tool_axis(&[90.0, 90.0]), [1.0, 0.0, 0.0]);
        // A point of the work is where the machine has it, and back.
        let work = DVec3::new(3.0, -4.0, 5.0);
        let there = machine.machine_from_work(work, &[37.0, -120.0]);
        near(machine.work_from_machine(there, &[37.0, -120.0]), work.to_array());
        near(machine.machine_from_work(DVec3::new(0.0, 0.0, -40.0), &[90.0, 0.0]), [0.0, -10.0, -50.0]);
    }

    #[test]
    fn heads_turn_the_tool() {
        let text = r#"{"name": "fork", "axes": [{"letter": "C", "on": "head", "direction": [0, 0, 1]},
            {"letter": "B", "on": "head", "direction": [0, 1, 0]}]}"#;
        let machine = Machine::parse(text, "fork.json").expect("legal");
        let axis = machine.tool_axis(&[90.0, 30.0]);
        assert!((axis - DVec3::new(0.0, 0.5, 0.75_f64.sqrt())).length() < 1e-12, "{axis}");
        assert!(machine.head_is_turned(&[0.0, 1.0]) && !machine.head_is_turned(&[0.0, 0.0]));
    }

    #[test]
    fn what_is_no_machine_is_refused() {
        let axis = |rest: &str| format!(r#"{{"axes": [{{"letter": "A", "on": "table", {rest}}}]}}"#);
        for (text, word) in [
            ("{".to_owned(), "line 1"),
            (r#"{"axes": []}"#.to_owned(), "0 axes"),
            (axis(r#""direction": [0, 0, 0], "point": [0, 0, 0]"#), "axis 1: direction"),
            (axis(r#""direction": [1, 0, 0]"#), "axis 1: a table needs a point"),
            (axis(r#""direction": [1, 0, 0], "point": [0, 0, 1e9]"#), "axis 1: point"),
            (axis(r#""direction": [1, 0, 0], "point": [0, 0, 0], "speed": 1"#), "speed"),
            (axis(r#""direction": [1, 0, 0], "point": [0, 0, 0]"#).replace("\"A\"", "\"X\""), "letter \"X\""),
            (TRUNNION.replace("\"C\"", "\"a\""), "axis 2: the letter A is there twice"),
        ] {
            let error = Machine::parse(&text, "m.json").expect_err(&text).to_string();
            assert!(error.starts_with("m.json: ") && error.contains(word), "{text}: {error}");
        }
    }
}
