//! Tool tables of LinuxCNC: `T1 P1 Z25.4 D6 ; comment`. They have a diameter and a length, no
//! shape: tools are taken to be flat end mills that cut along their whole length. They have no unit
//! either, but for a comment: it is that of the machine's configuration.

use super::Cutter;
use super::table::{Plain, ToolTable, Unit};
use crate::error::{NcError, shown};

/// Without a length, this many diameters.
const LENGTHS: f64 = 4.0;

pub(super) fn read(text: &str, name: &str, unit: Unit, table: &mut ToolTable) -> Result<(), NcError> {
    let (assumed, mut unit, mut is_said, mut is_assumed) = (unit, unit.millimetres(), false, false);
    for (index, line) in text.lines().enumerate() {
        let wrong =
            |message: String| NcError::Tool { file: name.to_owned(), at: format!("line {}", index + 1), message };
        let (words, comment) = line.split_once(';').unwrap_or((line, ""));
        if words.trim().is_empty() {
            // A comment alone may tell the unit.
            match comment.trim().to_ascii_lowercase().as_str() {
                "inch" | "units: inch" => (unit, is_said) = (Unit::Inch.millimetres(), true),
                "mm" | "units: mm" => (unit, is_said) = (Unit::Millimetre.millimetres(), true),
                _ => {}
            }
            continue;
        }
        is_assumed |= !is_said;
        let (mut number, mut diameter, mut length) = (None, None, None);
        for word in words.split_whitespace() {
            let mut letters = word.chars();
            let letter = letters.next().unwrap_or(' ').to_ascii_uppercase();
            let value: f64 = letters
                .as_str()
                .parse()
                .map_err(|_| wrong(format!("{} is not a letter and a number", shown(word, 40))))?;
            match letter {
                'T' if value >= 0.0 && value.fract() == 0.0 && value < 1e9 => number = Some(value as u32),
                'D' => diameter = Some(value.abs() * unit),
                'Z' => length = Some(value.abs() * unit),
                'P' | 'X' | 'Y' | 'A' | 'B' | 'C' | 'U' | 'V' | 'W' | 'I' | 'J' | 'Q' => {}
                _ => return Err(wrong(format!("{} is not understood", shown(word, 40)))),
            }
        }
        let number = number.ok_or_else(|| wrong("there is no tool number, as T1".into()))?;
        let Some(diameter) = diameter.filter(|&diameter| diameter > 0.0) else {
            table.leave_out(number, name, "it has no diameter".into());
            continue;
        };
        let cutting_length = length.filter(|&length| length > 0.0).unwrap_or(LENGTHS * diameter);
        let title = if comment.trim().is_empty() { format!("T{number}") } else { comment.trim().to_owned() };
        let cutter = Cutter::Flat;
        let plain = Plain { number, name: title, cutter, diameter, cutting_length, stick_out: None, shank: None };
        table.insert(plain.tool(name, &format!("line {}", index + 1))?);
    }
    if is_assumed {
        table.note_unit(name, assumed);
    }
    table.note(format!("{name}: tables of LinuxCNC have no shapes; all tools are taken to be flat, without holder"));
    Ok(())
}
