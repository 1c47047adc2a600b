//! A case folder: `a.obj`, `b.obj` and `poses.txt`, as `nearhit run` takes it.

use anyhow::{Context, Result, bail};
use nearhit::{Mesh, Pose};
use std::fs;
use std::path::Path;

/// Two meshes and where both are, query by query.
#[derive(Debug, Clone)]
pub struct CaseFolder {
    /// The folder's own name.
    pub name: String,
    /// The flying object.
    pub a: Mesh,
    /// The environment.
    pub b: Mesh,
    /// Where a and b are.
    pub poses: Vec<(Pose, Pose)>,
}

impl CaseFolder {
    /// Reads it.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("poses.txt");
        let text = fs::read_to_string(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
        let filled = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let poses: Result<Vec<_>> = filled
            .map(|(index, line)| pose(line).with_context(|| format!("{}:{}", path.display(), index + 1)))
            .collect();
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        let mesh = |file: &str| nearhit_io::read_mesh(&folder.join(file));
        Ok(Self { name, a: mesh("a.obj")?, b: mesh("b.obj")?, poses: poses? })
    }
}

/// A line of 24 numbers: rotation by rows and translation of a, then of b.
fn pose(line: &str) -> Result<(Pose, Pose)> {
    let numbers: Vec<f64> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    if numbers.len() != 24 {
        bail!("{} numbers, not 24", numbers.len());
    }
    let placed = |from: usize| {
        let rows = std::array::from_fn(|row| std::array::from_fn(|column| numbers[from + 3 * row + column]));
        Pose::from_rows(rows, std::array::from_fn(|axis| numbers[from + 9 + axis]))
    };
    Ok((placed(0)?, placed(12)?))
}
