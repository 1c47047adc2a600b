//! A table of parts: mesh files, each in its places.

use anyhow::{Context, Result, bail};
use nearhit::Pose;
use std::path::{Path, PathBuf};

/// A part: which file, its name, where it is.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) file: PathBuf,
    pub(super) name: String,
    pub(super) world_from_file: Pose,
}

/// Reads lines `FILE,NAME,` and the three rows of a rigid transform, twelve numbers. A line that
/// begins with # is a comment; files are sought beside the table.
pub(super) fn read(path: &Path) -> Result<Vec<Row>> {
    let text = super::read::text(path)?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let rows = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    rows.map(|(number, line)| row(line, beside).with_context(|| format!("{}:{number}", path.display()))).collect()
}

fn row(line: &str, beside: &Path) -> Result<Row> {
    let cells: Vec<&str> = line.split(',').map(str::trim).collect();
    let [file, name, numbers @ ..] = &cells[..] else { bail!("{line}: a line is FILE,NAME and twelve numbers") };
    if numbers.len() != 12 || file.is_empty() || name.is_empty() {
        bail!(
            "a line is FILE,NAME and twelve numbers (three rows of a rotation, each followed by a coordinate of the \
             translation), found {} numbers",
            numbers.len()
        );
    }
    let mut values = [0.0; 12];
    for (value, text) in values.iter_mut().zip(numbers) {
        *value = text.parse().with_context(|| format!("\"{text}\" is no number"))?;
    }
    let rows = [0, 4, 8].map(|first| [values[first], values[first + 1], values[first + 2]]);
    let world_from_file = Pose::from_rows(rows, [values[3], values[7], values[11]])?;
    Ok(Row { file: beside.join(file), name: (*name).to_owned(), world_from_file })
}
