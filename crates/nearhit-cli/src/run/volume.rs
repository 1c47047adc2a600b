//! Which volume was asked for?

use anyhow::{Result, bail};
use nearhit::VolumeKind;

/// Names that the command knows and the library may not have yet.
const KNOWN: &[&str] = &["auto", "sphere", "aabb", "obb", "kdop6", "kdop14", "kdop18", "kdop26", "lss", "rss", "mixed"];

/// The volume of that name.
pub(super) fn volume(name: &str) -> Result<VolumeKind> {
    if name == "auto" {
        return Ok(VolumeKind::default());
    }
    if let Ok(kind) = name.parse() {
        return Ok(kind);
    }
    let built: Vec<&str> = VolumeKind::ALL.iter().map(|kind| kind.name()).collect();
    let built = built.join(", ");
    match name.strip_prefix("kdop").map(str::parse::<u32>) {
        Some(Ok(k)) if k < 6 || k % 2 == 1 => bail!("volume {name}: a k-DOP has an even number of faces, at least 6"),
        Some(Ok(_)) => bail!("volume {name} is not built yet; built: auto, {built}"),
        _ if KNOWN.contains(&name) => bail!("volume {name} is not built yet; built: auto, {built}"),
        _ => bail!("there is no volume {name:?}; known: {}, kdopN", KNOWN.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_volume_has_its_name() {
        for &kind in VolumeKind::ALL {
            assert_eq!(volume(kind.name()).expect("built"), kind);
            assert!(KNOWN.contains(&kind.name()), "{kind} is missing in the list that errors show");
        }
        assert_eq!(volume("auto").expect("always there"), VolumeKind::default());
    }

    #[test]
    fn tells_unbuilt_from_unknown() {
        let message = |name: &str| volume(name).expect_err("refused").to_string();
        assert!(message("kdop22").starts_with("volume kdop22 is not built yet; built: auto, sphere"));
        assert!(message("kdop7").contains("even number"));
        assert!(message("box").starts_with("there is no volume \"box\"; known: auto, sphere"));
        assert!(message("kdopN").starts_with("there is no volume"));
        assert!(message("OBB").starts_with("there is no volume"));
    }
}
