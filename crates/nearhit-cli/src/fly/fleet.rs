//! What flies: one of the paper's fleets, or meshes named in a file.

use crate::model_file;
use anyhow::{Context, Result, bail};
use nearhit::Mesh;
use nearhit_cases::flight::Fleet;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The format of a file is a contract.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    ship: PathBuf,
    drones: Vec<Drones>,
    room: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Drones {
    mesh: PathBuf,
    count: usize,
}

/// More would not be a scene but a mistake.
const MOST: usize = 100_000;

/// A fleet, and the files that it was read from.
pub(super) fn named(scene: &str) -> Result<(Fleet, Vec<PathBuf>)> {
    match scene {
        "lamps" => Ok((Fleet::lamps(), Vec::new())),
        "trucks" => Ok((Fleet::trucks(), Vec::new())),
        file => read(Path::new(file)),
    }
}

fn read(file: &Path) -> Result<(Fleet, Vec<PathBuf>)> {
    let text = std::fs::read_to_string(file).with_context(|| {
        format!("--scene {}: neither lamps nor trucks, nor a file that can be read", file.display())
    })?;
    let written: Written = serde_json::from_str(&text)
        .with_context(|| format!("{}: not a fleet, which is JSON (see nearhit fly --help)", file.display()))?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let mesh = |path: &Path| -> Result<Arc<Mesh>> { Ok(Arc::new(model_file::mesh(&folder.join(path))?)) };
    let count: usize = written.drones.iter().map(|drones| drones.count).fold(0, usize::saturating_add);
    if count == 0 || count > MOST {
        bail!("{}: {count} drones; there must be 1 to {MOST}", file.display());
    }
    let ship = mesh(&written.ship)?;
    let mut drones = Vec::new();
    for Drones { mesh: path, count } in &written.drones {
        drones.extend(std::iter::repeat_n(mesh(path)?, *count));
    }
    let size = drones.iter().chain([&ship]).map(|mesh| mesh.max_coordinate()).fold(0.0, f64::max);
    let room = written.room.unwrap_or(2.0 * size * (count as f64 + 1.0).cbrt());
    if !(room.is_finite() && room > 0.0) {
        bail!("{}: room is {room}; it must be a positive number", file.display());
    }
    let meshes = written.drones.iter().map(|drones| &drones.mesh).chain([&written.ship]);
    let files = meshes.map(|path| folder.join(path)).chain([file.to_owned()]).collect();
    Ok((Fleet { ship, drones, room }, files))
}
