//! Tables of tools: which format is it?

use super::{Cutter, Label, Stage, Tool, camotics, freecad, linuxcnc, own};
use crate::error::{NcError, of_json};
use std::collections::BTreeMap;
use std::path::Path;

/// A unit of lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Unit {
    /// Millimetres.
    #[default]
    Millimetre,
    /// Inches, of 25.4 mm.
    Inch,
}

impl Unit {
    /// How many millimetres one is.
    pub(super) fn millimetres(self) -> f64 {
        match self {
            Self::Millimetre => 1.0,
            Self::Inch => 25.4,
        }
    }
}

/// Tools by their numbers.
#[derive(Debug, Clone, Default)]
pub struct ToolTable {
    tools: BTreeMap<u32, Tool>,
    /// Numbers that files have, but whose tools cannot be checked, and why.
    left_out: BTreeMap<u32, String>,
    /// What the files say that means nothing here, or what was assumed.
    notes: Vec<String>,
}

/// Largest table that is read.
const MOST_BYTES: u64 = 64 << 20;

impl ToolTable {
    /// Reads a table: our own JSON, CAMotics (`.json`, `.camotics`), LinuxCNC (`.tbl`), or FreeCAD
    /// (`.fctb`; `.fctl` for a library of them). Lengths without a unit are millimetres.
    ///
    /// ```no_run
    /// let tools = nearhit_nc::ToolTable::read("tools.json".as_ref())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(path: &Path) -> Result<Self, NcError> {
        Self::read_in(path, Unit::Millimetre)
    }

    /// The same, for a table that does not say its unit: those of LinuxCNC never do.
    ///
    /// ```no_run
    /// use nearhit_nc::{ToolTable, Unit};
    ///
    /// let tools = ToolTable::read_in("shop.tbl".as_ref(), Unit::Inch)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_in(path: &Path, unit: Unit) -> Result<Self, NcError> {
        let text = read_text(path)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        Self::of(&text, &path.display().to_string(), folder, unit)
    }

    /// Parses the text of a table. `name` is the file's name: its ending tells the format. Lengths
    /// without a unit are millimetres.
    ///
    /// ```
    /// use nearhit_nc::{Demo, ToolTable};
    ///
    /// let tools = ToolTable::parse(Demo::TOOLS, "demo.tools.json")?;
    /// assert!(tools.iter().count() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(text: &str, name: &str) -> Result<Self, NcError> {
        Self::parse_in(text, name, Unit::Millimetre)
    }

    /// The same, for a text that does not say its unit.
    ///
    /// ```
    /// use nearhit_nc::{ToolTable, Unit};
    ///
    /// let tools = ToolTable::parse_in("T1 P1 D0.25 Z2.0 ;end mill\n", "shop.tbl", Unit::Inch)?;
    /// assert_eq!(tools.iter().map(|tool| tool.number).collect::<Vec<_>>(), [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_in(text: &str, name: &str, unit: Unit) -> Result<Self, NcError> {
        Self::of(text, name, Path::new("."), unit)
    }

    fn of(text: &str, name: &str, folder: &Path, unit: Unit) -> Result<Self, NcError> {
        let ending = Path::new(name).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let mut table = Self::default();
        match ending.as_deref() {
            Some("tbl") => linuxcnc::read(text, name, unit, &mut table)?,
            Some("fctb") => freecad::read_bit(text, name, &mut table)?,
            Some("fctl") => freecad::read_library(text, name, folder, &mut table)?,
            _ => {
                let value: serde_json::Value = serde_json::from_str(text).map_err(|error| NcError::Tool {
                    file: name.to_owned(),
                    at: format!("line {}", error.line()),
                    message: format!("{}; tables are JSON, .tbl (LinuxCNC), .fctb or .fctl (FreeCAD)", of_json(&error)),
                })?;
                if value.get("tools").is_some_and(serde_json::Value::is_array) {
                    own::read(&value, name, unit, &mut table)?;
                } else {
                    camotics::read(&value, name, unit, &mut table)?;
                }
            }
        }
        Ok(table)
    }

    /// Adds a tool; one of the same number is replaced.
    pub fn insert(&mut self, tool: Tool) {
        self.left_out.remove(&tool.number);
        self.tools.insert(tool.number, tool);
    }

    /// Adds all tools of another table; those of the same number are replaced, also by one that is
    /// left out: the tool in the machine is not the one that was here. The notes say so.
    pub fn extend(&mut self, other: Self) {
        for number in other.tools.keys().chain(other.left_out.keys()) {
            if self.tools.contains_key(number) {
                self.note(format!("tool {number} is in several tables: the last one counts"));
            }
        }
        for number in other.left_out.keys() {
            self.tools.remove(number);
        }
        for number in other.tools.keys() {
            self.left_out.remove(number);
        }
        self.left_out.extend(other.left_out);
        self.tools.extend(other.tools);
        self.notes.extend(other.notes);
    }

    /// Leaves a tool out that cannot be checked: a program that asks for it is told why.
    pub(super) fn leave_out(&mut self, number: u32, file: &str, why: String) {
        self.note(format!("{file}: tool {number} is left out: {why}"));
        self.tools.remove(&number);
        self.left_out.insert(number, why);
    }

    /// Says which unit lengths are taken to have.
    pub(super) fn note_unit(&mut self, file: &str, unit: Unit) {
        let unit = match unit {
            Unit::Millimetre => "millimetres",
            Unit::Inch => "inches",
        };
        self.note(format!("{file}: it does not say its unit; lengths are taken as {unit}"));
    }

    pub(super) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// A tool by its number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&Tool> {
        self.tools.get(&number)
    }

    /// Why a tool that a file has was left out; none if it was not.
    #[must_use]
    pub fn left_out(&self, number: u32) -> Option<&str> {
        self.left_out.get(&number).map(String::as_str)
    }

    /// The only tool, of a table that has and had no other.
    pub(crate) fn only(&self) -> Option<&Tool> {
        self.tools.values().next().filter(|_| self.tools.len() == 1 && self.left_out.is_empty())
    }

    /// All tools, by number.
    pub fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.tools.values()
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// What was assumed or ignored.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// The text of a file without its byte order mark; what is not UTF-8 (comments of old controls) is
/// replaced.
pub(crate) fn read_text(path: &Path) -> Result<String, NcError> {
    let wrong = |error: std::io::Error| NcError::Io { path: path.to_owned(), error };
    let about = std::fs::metadata(path).map_err(wrong)?;
    if !about.is_file() {
        return Err(wrong(std::io::Error::other("it is not a file")));
    }
    if about.len() > MOST_BYTES * 16 {
        return Err(wrong(std::io::Error::other("it is larger than 1 GiB")));
    }
    let bytes = std::fs::read(path).map_err(wrong)?;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    Ok(String::from_utf8_lossy(text).into_owned())
}

/// An error about a tool, with its place.
pub(super) fn located(error: NcError, file: &str, at: &str) -> NcError {
    match error {
        NcError::Tool { message, .. } => NcError::Tool { file: file.to_owned(), at: at.to_owned(), message },
        other => other,
    }
}

/// What the formats have in common: a cutter with a shank of its own diameter up to its whole
/// length.
pub(super) struct Plain {
    pub(super) number: u32,
    pub(super) name: String,
    pub(super) cutter: Cutter,
    pub(super) diameter: f64,
    pub(super) cutting_length: f64,
    /// From the tip to the holder.
    pub(super) stick_out: Option<f64>,
    pub(super) shank: Option<f64>,
}

impl Plain {
    /// `at` says which tool an error is about.
    pub(super) fn tool(self, file: &str, at: &str) -> Result<Tool, NcError> {
        let wrong = |error| located(error, file, at);
        let mut tool =
            Tool::new(self.number, self.cutter, self.diameter, self.cutting_length).map_err(wrong)?.named(self.name);
        let rest = self.stick_out.map_or(0.0, |length| length - tool.length());
        if rest > 0.0 {
            let diameter = self.shank.unwrap_or(self.diameter);
            let shank = Stage { bottom: diameter, top: diameter, length: rest };
            tool = tool.with(Label::Shank, shank).map_err(wrong)?;
        }
        Ok(tool)
    }
}
