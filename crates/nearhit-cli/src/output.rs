//! Output files: never one of the inputs, no two the same file, and refused before the work where
//! they cannot be written.

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

/// Refuses two outputs of one command that are the same file, however they are named: the second
/// would overwrite the first.
pub(crate) fn check_different(outputs: &[&Path]) -> Result<()> {
    for (index, output) in outputs.iter().enumerate() {
        let others = &outputs[index + 1..];
        let is_same = || others.iter().any(|other| is_same_file(output, other).unwrap_or(false));
        // Devices and pipes may have many writers.
        let is_twice = match std::fs::metadata(output) {
            Ok(about) => about.is_file() && is_same(),
            Err(_) => made_for_a_moment(output, is_same).with_context(|| unwritable(output))?,
        };
        if is_twice {
            bail!("{}: two outputs would be written to this file", output.display());
        }
    }
    Ok(())
}

/// Whether this file can be written. What is there stays as it is, and nothing is left behind.
fn check_writable(output: &Path) -> Result<()> {
    let refused = || unwritable(output);
    match std::fs::metadata(output) {
        // To open a pipe waits for its reader.
        Ok(about) if !about.is_file() && !about.is_dir() => {}
        Ok(_) => drop(OpenOptions::new().append(true).open(output).with_context(refused)?),
        Err(_) => made_for_a_moment(output, || ()).with_context(refused)?,
    }
    Ok(())
}

fn unwritable(output: &Path) -> String {
    format!("{}: cannot be written", output.display())
}

/// What `look` sees while there is a file of this name, which was not there before.
fn made_for_a_moment<T>(output: &Path, look: impl FnOnce() -> T) -> std::io::Result<T> {
    drop(OpenOptions::new().append(true).create(true).open(output)?);
    let seen = look();
    // A link to a file that was not there stays.
    std::fs::remove_file(output.canonicalize()?)?;
    Ok(seen)
}
