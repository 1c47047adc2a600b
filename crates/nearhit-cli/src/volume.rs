//! Which volume was asked for?

use anyhow::{Result, bail};
use nearhit::research::build::BuildOptions;
use nearhit::{Mesh, Model, Preset, VolumeKind};
use std::fmt;

/// What a model is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The default engine.
    Auto(Preset),
    /// A tree of one kind of volume.
    Volume(VolumeKind),
}

impl Engine {
    /// As typed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto(preset) => preset.volume_name(),
            Self::Volume(kind) => kind.name(),
        }
    }

    /// A model of this mesh.
    #[must_use]
    pub fn build(self, mesh: Mesh) -> Model {
        match self {
            Self::Auto(preset) => Model::with_preset(mesh, preset),
            Self::Volume(kind) => Model::with(mesh, kind, &BuildOptions::default()),
        }
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::Auto(Preset::default())
    }
}

impl From<VolumeKind> for Engine {
    fn from(kind: VolumeKind) -> Self {
        Self::Volume(kind)
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The volume of that name.
pub(crate) fn engine(name: &str) -> Result<Engine> {
    if let Some(preset) = Preset::of_volume(name) {
        return Ok(Engine::Auto(preset?));
    }
    if let Ok(kind) = name.parse() {
        return Ok(Engine::Volume(kind));
    }
    let built: Vec<&str> = VolumeKind::ALL.iter().map(|kind| kind.name()).collect();
    let built = built.join(", ");
    match name.strip_prefix("kdop").map(str::parse::<u32>) {
        Some(Ok(k)) if k < 6 || k % 2 == 1 => bail!("volume {name}: a k-DOP has an even number of faces, at least 6"),
        Some(Ok(_)) => bail!("volume {name} is not built yet; built: auto, {built}"),
        _ => bail!("unknown volume '{name}'; known: auto, {built}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_volume_has_its_name() {
        for &kind in VolumeKind::ALL {
            assert_eq!(engine(kind.name()).expect("built"), Engine::Volume(kind));
        }
        for preset in Preset::ALL {
            assert_eq!(engine(preset.volume_name()).expect("always there"), Engine::Auto(preset));
        }
    }

    #[test]
    fn tells_unbuilt_from_unknown() {
        let message = |name: &str| engine(name).expect_err("refused").to_string();
        assert!(message("kdop22").starts_with("volume kdop22 is not built yet; built: auto, sphere"));
        assert!(message("kdop7").contains("even number"));
        assert!(message("box").starts_with("unknown volume 'box'; known: auto, sphere"));
        assert!(message("kdopN").starts_with("unknown volume"));
        assert_eq!(message("auto:quick"), "unknown preset 'quick'; known: fast, balanced, best, compact");
        assert!(message("OBB").starts_with("unknown volume"));
    }
}
