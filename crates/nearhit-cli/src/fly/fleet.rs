//! Scenes of the flight simulator: one of the paper's fleets, or meshes named in a file.

use crate::model_file;
use anyhow::{Context, Result, anyhow, bail};
use nearhit::Mesh;
use nearhit::research::MeshExt;
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

/// The scene, or what is wrong and where. What the JSON library says about types is not repeated:
/// it names those of this program.
fn parse(text: &str) -> Result<Written, String> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column, message) = (error.line(), error.column(), error.to_string());
        let problem = match message.split([',', ';']).next().unwrap_or_default() {
            field if field.starts_with("unknown field") => field.replace('`', "\""),
            field if field.starts_with("missing field") => "a field is missing".to_owned(),
            _ if error.is_data() => "a value has the wrong type".to_owned(),
            _ => "is not JSON".to_owned(),
        };
        format!("{line}:{column}: {problem}; a scene is {FORMAT}")
    })
}

const FORMAT: &str =
    "{\"ship\": FILE, \"drones\": [{\"mesh\": FILE, \"count\": NUMBER}, ...], \"room\": NUMBER (optional)}";

fn read(file: &Path) -> Result<(Fleet, Vec<PathBuf>)> {
    nearhit_io::check_regular(file)?;
    let text = std::fs::read_to_string(file).with_context(|| {
        format!("--scene {}: not 'lamps' or 'trucks', and cannot be read as a file", file.display())
    })?;
    let written = parse(&text).map_err(|error| anyhow!("{}:{error}", file.display()))?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let mesh = |path: &Path| -> Result<Arc<Mesh>> { Ok(Arc::new(model_file::mesh(&folder.join(path))?)) };
    let count: usize = written.drones.iter().map(|drones| drones.count).fold(0, usize::saturating_add);
    if count == 0 || count > MOST {
        bail!("{}: {count} drones; must be from 1 to {MOST}", file.display());
    }
    let ship = mesh(&written.ship)?;
    let mut drones = Vec::new();
    for Drones { mesh: path, count } in &written.drones {
        drones.extend(std::iter::repeat_n(mesh(path)?, *count));
    }
    let size = drones.iter().chain([&ship]).map(|mesh| mesh.max_coordinate()).fold(0.0, f64::max);
    let room = written.room.unwrap_or(2.0 * size * (count as f64 + 1.0).cbrt());
    if !(room.is_finite() && room > 0.0) {
        bail!("{}: room is {room}; must be a finite number above 0", file.display());
    }
    let meshes = written.drones.iter().map(|drones| &drones.mesh).chain([&written.ship]);
    let files = meshes.map(|path| folder.join(path)).chain([file.to_owned()]).collect();
    Ok((Fleet { ship, drones, room }, files))
}
