//! Build presets of the default engine, by name.

use super::lanes::WIDTH;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Build preset of the default engine's tree: build time, query time or memory first. Answers do
/// not depend on it, only how long they and the tree take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Preset {
    /// Built in the shortest time: for meshes that are asked a few questions, or change.
    Fast,
    /// For most.
    #[default]
    Balanced,
    /// Built with more effort, for meshes that are asked very many questions.
    Best,
    /// In the least memory: triangles are fetched from the mesh whenever they are tested, which
    /// takes longer.
    Compact,
}

/// Error: unknown preset name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown preset '{name}'; known: fast, balanced, best, compact")]
pub struct UnknownPreset {
    name: String,
}

impl Preset {
    /// All presets, from fast to best, then the small one.
    pub const ALL: [Self; 4] = [Self::Fast, Self::Balanced, Self::Best, Self::Compact];

    pub(super) fn effort(self) -> BuildEffort {
        match self {
            Self::Fast => BuildEffort { every_axis: false, swept: WIDTH, scattered: 1.3 },
            Self::Balanced => BuildEffort { every_axis: true, swept: MAX_SWEPT, scattered: 1.3 },
            Self::Compact => BuildEffort { every_axis: true, swept: MAX_SWEPT, scattered: 2.0 },
            Self::Best => BuildEffort { every_axis: true, swept: MAX_SWEPT, scattered: 1.1 },
        }
    }
}

impl From<Preset> for &'static str {
    /// In lower case.
    fn from(preset: Preset) -> Self {
        match preset {
            Preset::Fast => "fast",
            Preset::Balanced => "balanced",
            Preset::Best => "best",
            Preset::Compact => "compact",
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str((*self).into())
    }
}

impl Preset {
    /// Of the default engine where a volume is named: `auto`, or `auto:` and a preset. Nothing for
    /// other names.
    pub(crate) fn of_volume(name: &str) -> Option<Result<Self, UnknownPreset>> {
        if name == "auto" {
            return Some(Ok(Self::default()));
        }
        name.strip_prefix("auto:").map(str::parse)
    }

    /// As a volume is named.
    #[must_use]
    pub(crate) const fn volume_name(self) -> &'static str {
        match self {
            Self::Fast => "auto:fast",
            Self::Balanced => "auto",
            Self::Best => "auto:best",
            Self::Compact => "auto:compact",
        }
    }
}

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(name: &str) -> Result<Self, UnknownPreset> {
        let found = Self::ALL.into_iter().find(|&preset| <&str>::from(preset) == name);
        found.ok_or_else(|| UnknownPreset { name: name.to_owned() })
    }
}

/// What makes a tree better and its building longer.
#[derive(Debug, Clone, Copy)]
pub(super) struct BuildEffort {
    /// Are splits between bins looked for along every axis, or along the longest alone?
    pub(super) every_axis: bool,
    /// Up to so many triangles every split is tried; above, those between bins.
    pub(super) swept: usize,
    /// Triangles that fit one leaf are parted all the same if that makes the total cost this many
    /// times smaller: they have little to do with each other.
    pub(super) scattered: f32,
}

/// The most that any preset sweeps.
pub(super) const MAX_SWEPT: usize = 48;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_its_names() {
        for preset in Preset::ALL {
            assert_eq!(preset.to_string().parse(), Ok(preset));
            assert_eq!(Preset::of_volume(preset.volume_name()), Some(Ok(preset)));
        }
        assert_eq!(Preset::of_volume("auto:balanced"), Some(Ok(Preset::Balanced)));
        assert_eq!(Preset::of_volume("obb"), None);
        let unknown = Preset::of_volume("auto:quick").expect("the engine's").expect_err("no such preset");
        assert_eq!(unknown.to_string(), "unknown preset 'quick'; known: fast, balanced, best, compact");
    }
}
