//! What trees are built for (`--preset`), and bounding volumes that they are made of (`--volume`).

use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use nearhit::research::ModelExt;
use nearhit::research::PresetExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::{Mesh, Model, Preset};
use std::fmt;

/// The help heading of options that only research needs.
pub(crate) const RESEARCH: &str = "Research";

/// `--preset` and `--volume`.
#[derive(Debug, Clone, clap::Args)]
pub struct VolumeArgs {
    /// What the trees are built for: fast for few queries, best for very many, compact for little
    /// memory. Answers do not depend on it.
    #[arg(long, value_parser = presets(), conflicts_with = "volume", value_name = "PRESET")]
    pub preset: Option<Preset>,

    /// What the trees are made of.
    #[arg(long, value_name = "VOLUME", default_value = "auto", help = help(), help_heading = RESEARCH)]
    pub volume: String,
}

impl VolumeArgs {
    /// The one that was asked for.
    pub(crate) fn engine(&self) -> Result<Engine> {
        self.preset.map_or_else(|| engine(&self.volume), |preset| Ok(Engine::Auto(preset)))
    }
}

fn presets() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(<&str>::from)).try_map(|name| name.parse::<Preset>())
}

fn help() -> String {
    format!("Bounding volumes of the trees: {}", names())
}

/// All names, separated by commas.
fn names() -> String {
    let default = Preset::default();
    let others = Preset::ALL.into_iter().filter(|&preset| preset != default);
    let presets = std::iter::once(default).chain(others).map(Preset::volume_name);
    presets.chain(VolumeKind::ALL.iter().map(|kind| kind.name())).collect::<Vec<_>>().join(", ")
}

/// What a model is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The default engine.
    Auto(Preset),
    /// A tree of one kind of volume.
    Volume(VolumeKind),
}

impl Engine {
    /// As on the command line.
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
    match name.strip_prefix("kdop").map(str::parse::<u32>) {
        Some(Ok(k)) if k < 6 || k % 2 == 1 => {
            bail!("unknown volume '{name}': a k-DOP has an even number of faces, at least 6; known: {}", names())
        }
        _ => bail!("unknown volume '{name}'; known: {}", names()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_volume_has_its_name() {
        for &kind in VolumeKind::ALL {
            assert_eq!(engine(kind.name()).expect("built"), Engine::Volume(kind));
            assert!(help().contains(kind.name()), "{kind:?}");
        }
        for preset in Preset::ALL {
            assert_eq!(engine(preset.volume_name()).expect("always there"), Engine::Auto(preset));
        }
    }

    #[test]
    fn unknown_names_are_told_with_the_known_ones() {
        let message = |name: &str| engine(name).expect_err("refused").to_string();
        assert!(message("kdop22").starts_with("unknown volume 'kdop22'; known: auto"));
        assert!(message("kdop7").contains("even number"));
        assert!(message("box").starts_with("unknown volume 'box'; known: auto") && message("box").contains("kdop18"));
        assert!(message("kdopN").starts_with("unknown volume 'kdopN'"));
        assert_eq!(message("auto:quick"), "unknown preset 'quick'; known: fast, balanced, best, compact");
        assert!(message("OBB").starts_with("unknown volume 'OBB'"));
    }
}
