//! Bounding volumes compared: the work of the same query with every tree.

use crate::answer::{self, Place};
use crate::scene::Scene;
use nearhit::report::Work;
use nearhit::research::{UnknownVolume, VolumeKind};
use nearhit::{Pair, Scratch, Settings, Tolerance};
use serde::{Deserialize, Serialize};

/// Where, and for which volumes; all if none is named.
#[derive(Debug, Deserialize)]
pub(crate) struct Ask {
    places: [Place; 2],
    #[serde(default)]
    volumes: Vec<String>,
}

/// A volume's work.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    volume: &'static str,
    distance: f64,
    /// Of the distance.
    #[serde(flatten)]
    work: Work,
    /// Of the collision test.
    collide_n_v: u64,
    bytes: usize,
}

pub(crate) fn compare(scene: &Scene, ask: &Ask) -> Result<Vec<Row>, String> {
    let poses = answer::Ask { places: ask.places }.poses()?;
    let parsed: Result<Vec<VolumeKind>, UnknownVolume> = ask.volumes.iter().map(|name| name.parse()).collect();
    let named = parsed.map_err(|error| error.to_string())?;
    let volumes = if named.is_empty() { VolumeKind::ALL } else { &named };
    let (settings, mut scratch) = (Settings::default(), Scratch::new());
    let mut rows = Vec::new();
    for &volume in volumes {
        let Some([a, b]) = scene.trees(volume) else { continue };
        let pair = Pair::new(a, &poses[0], b, &poses[1]).map_err(|error| error.to_string())?;
        let distance = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
        let collision = pair.collide(&settings, &mut scratch);
        rows.push(Row {
            volume: volume.name(),
            distance: distance.upper,
            work: distance.stats.into(),
            collide_n_v: collision.stats.volume_tests,
            bytes: a.bytes() + b.bytes(),
        });
    }
    Ok(rows)
}
