//! The log of a flight: a line of CSV per frame, and totals.

use super::summary::Tally;
use crate::terminal::Style;
use anyhow::{Context, Result};
use nearhit_cases::flight::record::FrameRecord;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Logbook {
    csv: Option<(PathBuf, File)>,
    tally: Tally,
}

impl Logbook {
    /// The file is made at once: work should not be lost because there is no place to write about
    /// it.
    pub(super) fn new(csv: Option<&Path>) -> Result<Self> {
        let mut book = Self { csv: None, tally: Tally::default() };
        if let Some(path) = csv {
            book.csv = Some((path.to_owned(), File::create(path).with_context(|| unwritable(path))?));
            book.line(FrameRecord::COLUMNS)?;
        }
        Ok(book)
    }

    pub(super) fn add(&mut self, record: &FrameRecord, target: Duration) -> Result<()> {
        self.tally.add(record, target);
        self.line(&record.csv())
    }

    pub(super) fn table(&self, style: Style) -> String {
        self.tally.table(style)
    }

    /// Written as it is made: a flight may be ended at any moment.
    fn line(&mut self, text: &str) -> Result<()> {
        match &mut self.csv {
            Some((path, file)) => file.write_all(format!("{text}\n").as_bytes()).with_context(|| unwritable(path)),
            None => Ok(()),
        }
    }
}

fn unwritable(path: &Path) -> String {
    format!("{}: cannot be written", path.display())
}
