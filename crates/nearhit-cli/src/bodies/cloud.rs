//! Shapes of many pieces in the place of files: `cloud:FILE,RADIUS`, `heights:FILE,DX,DY`,
//! `octree:FILE,RESOLUTION`. Their numbers come from files.

use anyhow::{Context, Result, bail};
use nearhit::shape::Shape;
use std::path::Path;

/// What such a text begins with.
const KINDS: [&str; 3] = ["cloud", "heights", "octree"];

/// What is written in the place of a file, if it is one of these and no file of that name.
pub(super) fn shape(path: &Path) -> Option<Result<Shape>> {
    let text = path.to_str()?;
    let (kind, rest) = text.split_once(':')?;
    (KINDS.contains(&kind) && !path.exists()).then(|| read(kind, rest).with_context(|| format!("'{text}'")))
}

fn read(kind: &str, rest: &str) -> Result<Shape> {
    // Names of files may have commas and plus signs: only what is behind the name is numbers.
    let (rest, margin) = match rest.rsplit_once('+') {
        Some((rest, margin)) if margin.parse::<f64>().is_ok() && !rest.ends_with(['e', 'E']) => {
            (rest, margin.parse().unwrap_or(0.0))
        }
        _ => (rest, 0.0),
    };
    let mut numbers = Vec::new();
    let mut name = rest;
    while let Some((before, number)) = name.rsplit_once(',') {
        let Ok(number) = number.trim().parse::<f64>() else { break };
        numbers.insert(0, number);
        name = before;
    }
    let file = Path::new(name);
    let shape = match (kind, &numbers[..]) {
        ("cloud", &[radius]) => Shape::point_cloud(&nearhit_io::read_points(file)?, &[radius])?,
        ("octree", &[resolution]) => Shape::octree(&nearhit_io::read_points(file)?, resolution)?,
        ("heights", &[dx, dy]) => {
            let (heights, columns) = nearhit_io::read_heights(file)?;
            Shape::height_field(&heights, columns, [dx, dy])?
        }
        ("heights", &[dx, dy, floor]) => {
            let (heights, columns) = nearhit_io::read_heights(file)?;
            Shape::solid_height_field(&heights, columns, [dx, dy], floor)?
        }
        ("cloud", _) => bail!("write cloud:FILE,RADIUS, for example cloud:scan.ply,0.01"),
        ("octree", _) => bail!("write octree:FILE,RESOLUTION, for example octree:scan.xyz,0.05"),
        _ => bail!("write heights:FILE,DX,DY, or heights:FILE,DX,DY,FLOOR for a solid"),
    };
    Ok(shape.grown(margin)?)
}
