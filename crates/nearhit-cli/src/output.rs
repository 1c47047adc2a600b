//! Output files: never one of the inputs, and refused before the work where they cannot be written.

use anyhow::{Context, Result, bail};
use same_file::is_same_file;
use std::fs::OpenOptions;
use std::path::Path;

/// Refuses what cannot be written, before the work whose report would be lost; and to write over
/// one of the files that are read, however it is named: links of both kinds are looked through.
pub(crate) fn check_output<'p>(output: &Path, inputs: impl IntoIterator<Item = &'p Path>, what: &str) -> Result<()> {
    // What is not there, or cannot be looked at, is not the same file.
    if inputs.into_iter().any(|input| is_same_file(output, input).unwrap_or(false)) {
        bail!("{}: {what}", output.display());
    }
    check_writable(output)
}

/// Whether this file can be written. What is there stays as it is, and nothing is left behind.
fn check_writable(output: &Path) -> Result<()> {
    let refused = || format!("{}: cannot be written", output.display());
    match std::fs::metadata(output) {
        // To open a pipe waits for its reader.
        Ok(about) if !about.is_file() && !about.is_dir() => {}
        Ok(_) => drop(OpenOptions::new().append(true).open(output).with_context(refused)?),
        Err(_) => {
            drop(OpenOptions::new().append(true).create(true).open(output).with_context(refused)?);
            std::fs::remove_file(output).with_context(refused)?;
        }
    }
    Ok(())
}
