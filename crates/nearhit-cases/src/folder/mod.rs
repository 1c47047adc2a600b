//! What is in a case folder? Two meshes, their poses, and perhaps a name.

mod poses;

use anyhow::{Context, Result, bail};
use nearhit::Mesh;
use serde::Deserialize;
use std::path::Path;

pub use poses::Placed;

/// Two meshes and how they lie, query by query: `a.obj`, `b.obj` and `poses.txt`, as `nearhit run`
/// takes them.
#[derive(Debug, Clone)]
pub struct Case {
    /// What it is called.
    pub name: String,
    /// The flying object.
    pub a: Mesh,
    /// The environment.
    pub b: Mesh,
    /// One query each; never empty.
    pub poses: Vec<Placed>,
}

impl Case {
    /// Reads `a.obj`, `b.obj`, `poses.txt` and, if there is one, `case.json`.
    pub fn load(folder: &Path) -> Result<Self> {
        check_folder(folder)?;
        let name = name(folder)?;
        let poses = poses::read(&folder.join("poses.txt"))?;
        let a = nearhit_io::read_mesh(&folder.join("a.obj"))?;
        let b = nearhit_io::read_mesh(&folder.join("b.obj"))?;
        Ok(Self { name, a, b, poses })
    }
}

fn check_folder(folder: &Path) -> Result<()> {
    const CONTENTS: &str = "a case is a folder with a.obj, b.obj and poses.txt";
    let shown = folder.display();
    if !folder.exists() {
        bail!("{shown}: there is no such folder; {CONTENTS}");
    }
    if !folder.is_dir() {
        bail!("{shown}: is not a folder; {CONTENTS}");
    }
    for file in ["a.obj", "b.obj", "poses.txt"] {
        if !folder.join(file).exists() {
            bail!("{shown}: {file} is missing; {CONTENTS}");
        }
    }
    Ok(())
}

/// What `case.json` may say that matters here.
#[derive(Deserialize)]
struct Description {
    name: Option<String>,
}

/// As `case.json` has it, or else the folder's.
fn name(folder: &Path) -> Result<String> {
    let path = folder.join("case.json");
    let described = path.exists().then(|| described_name(&path)).transpose()?.flatten();
    Ok(described.unwrap_or_else(|| folder_name(folder)))
}

fn described_name(path: &Path) -> Result<Option<String>> {
    let shown = path.display();
    nearhit_io::check_regular(path)?;
    let text = std::fs::read_to_string(path).with_context(|| format!("{shown}: cannot be read"))?;
    let description: Description =
        serde_json::from_str(&text).with_context(|| format!("{shown}: is not a case description"))?;
    Ok(description.name)
}

/// The last part of the path, also for `.` and `..`.
fn folder_name(folder: &Path) -> String {
    let absolute = folder.canonicalize();
    let path = absolute.as_deref().unwrap_or(folder);
    path.file_name().map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
}
