//! Output files: never one of the inputs.

use anyhow::{Result, bail};
use same_file::is_same_file;
use std::path::Path;

/// Refuses to write over one of the files that are read, however it is named: links of both kinds
/// are looked through.
pub(crate) fn keep_inputs<'p>(output: &Path, inputs: impl IntoIterator<Item = &'p Path>, what: &str) -> Result<()> {
    // What is not there, or cannot be looked at, is not the same file.
    if inputs.into_iter().any(|input| is_same_file(output, input).unwrap_or(false)) {
        bail!("{}: {what}", output.display());
    }
    Ok(())
}
