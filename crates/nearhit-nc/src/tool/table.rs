//! Tables of tools: which format is it?

use super::{Cutter, Label, Stage, Tool, camotics, freecad, linuxcnc, own};
use crate::error::NcError;
use std::collections::BTreeMap;
use std::path::Path;

/// Tools by their numbers.
#[derive(Debug, Clone, Default)]
pub struct ToolTable {
    tools: BTreeMap<u32, Tool>,
    /// What the files say that means nothing here, or what was assumed.
    notes: Vec<String>,
}

/// Largest table that is read.
const MOST_BYTES: u64 = 64 << 20;

impl ToolTable {
    /// Reads a table: our own JSON, CAMotics (`.json`, `.camotics`), LinuxCNC (`.tbl`), or FreeCAD
    /// (`.fctb`; `.fctl` for a library of them).
    pub fn read(path: &Path) -> Result<Self, NcError> {
        let text = read_text(path)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        Self::parse_in(&text, &path.display().to_string(), folder)
    }

    /// Parses the text of a table. `name` is the file's name: its ending tells the format.
    pub fn parse(text: &str, name: &str) -> Result<Self, NcError> {
        Self::parse_in(text, name, Path::new("."))
    }

    fn parse_in(text: &str, name: &str, folder: &Path) -> Result<Self, NcError> {
        let ending = Path::new(name).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let mut table = Self::default();
        match ending.as_deref() {
            Some("tbl") => linuxcnc::read(text, name, &mut table)?,
            Some("fctb") => freecad::read_bit(text, name, None, &mut table)?,
            Some("fctl") => freecad::read_library(text, name, folder, &mut table)?,
            _ => {
                let value: serde_json::Value = serde_json::from_str(text).map_err(|error| NcError::Tool {
                    file: name.to_owned(),
                    at: format!("line {}", error.line()),
                    message: format!("{error}; tables are JSON, .tbl (LinuxCNC), .fctb or .fctl (FreeCAD)"),
                })?;
                if value.get("tools").is_some_and(serde_json::Value::is_array) {
                    own::read(&value, name, &mut table)?;
                } else {
                    camotics::read(&value, name, &mut table)?;
                }
            }
        }
        Ok(table)
    }

    /// Adds a tool; one of the same number is replaced.
    pub fn insert(&mut self, tool: Tool) {
        self.tools.insert(tool.number, tool);
    }

    /// Adds all tools of another table; those of the same number are replaced.
    pub fn extend(&mut self, other: Self) {
        self.tools.extend(other.tools);
        self.notes.extend(other.notes);
    }

    pub(super) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// A tool by its number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&Tool> {
        self.tools.get(&number)
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

/// The text of a file; what is not UTF-8 (comments of old controls) is replaced.
pub(crate) fn read_text(path: &Path) -> Result<String, NcError> {
    let wrong = |error: std::io::Error| NcError::Io { path: path.to_owned(), error };
    let about = std::fs::metadata(path).map_err(wrong)?;
    if !about.is_file() {
        return Err(wrong(std::io::Error::other("it is not a file")));
    }
    if about.len() > MOST_BYTES * 16 {
        return Err(wrong(std::io::Error::other("it is larger than 1 GiB")));
    }
    Ok(String::from_utf8_lossy(&std::fs::read(path).map_err(wrong)?).into_owned())
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
        let wrong = |error: NcError| match error {
            NcError::Tool { message, .. } => NcError::Tool { file: file.to_owned(), at: at.to_owned(), message },
            other => other,
        };
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
