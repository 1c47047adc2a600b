//! Shapes as text: `box:1,2,3`, `ball:0.5`, `box:1,2,3+0.1` for one grown by a margin. Meshes,
//! point clouds, height fields and octrees have no text.

use super::{Shape, ShapeError};
use std::str::FromStr;

/// Kinds of shapes as they are written, and the numbers that each needs.
const KINDS: [(&str, &str); 9] = [
    ("ball", "1 number: the radius"),
    ("sphere", "1 number: the radius"),
    ("capsule", "2 numbers: radius,length"),
    ("box", "3 numbers: x,y,z"),
    ("cylinder", "2 numbers: radius,length"),
    ("cone", "2 numbers: radius,length, or 3: bottom,top,length"),
    ("ellipsoid", "3 numbers: x,y,z"),
    ("half-space", "4 numbers: nx,ny,nz,offset"),
    ("hull", "3 numbers for each point: x,y,z,x,y,z,…"),
];

/// Why so many numbers behind this name are no shape.
fn wrong(name: &str, numbers: usize) -> String {
    match KINDS.iter().find(|(kind, _)| *kind == name) {
        Some((kind, needs)) => {
            let article = if *kind == "ellipsoid" { "an" } else { "a" };
            format!("{article} {kind} needs {needs} (found {numbers})")
        }
        None => {
            let known: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).collect();
            format!("unknown shape '{name}' (known: {})", known.join(", "))
        }
    }
}

impl FromStr for Shape {
    type Err = ShapeError;

    /// `ball:R`, `capsule:R,LENGTH`, `box:X,Y,Z`, `cylinder:R,LENGTH`, `cone:R,LENGTH`,
    /// `cone:BOTTOM,TOP,LENGTH`, `ellipsoid:X,Y,Z`, `half-space:NX,NY,NZ,OFFSET`,
    /// `hull:X,Y,Z,X,Y,Z,…`; `+MARGIN` behind any of them grows it.
    ///
    /// ```
    /// # use nearhit::shape::Shape;
    /// let rounded: Shape = "box:1,2,3+0.1".parse()?;
    /// assert_eq!((rounded.name(), rounded.margin()), ("box", 0.1));
    /// assert!("box:1,2".parse::<Shape>().is_err());
    /// # Ok::<(), nearhit::shape::ShapeError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, ShapeError> {
        let unknown = |reason: String| ShapeError::Unknown { text: text.to_string(), reason };
        let Some((name, sizes)) = text.split_once(':') else {
            return Err(unknown("there is no ':' after its kind".into()));
        };
        // A plus sign may also stand in an exponent.
        let margin_at = sizes.match_indices('+').map(|(at, _)| at).find(|&at| !sizes[..at].ends_with(['e', 'E']));
        let (sizes, margin) = match margin_at {
            Some(at) => (&sizes[..at], Some(&sizes[at + 1..])),
            None => (sizes, None),
        };
        let number =
            |text: &str| text.trim().parse::<f64>().map_err(|_| unknown(format!("'{}' is not a number", text.trim())));
        let numbers = sizes.split(',').map(number).collect::<Result<Vec<f64>, _>>()?;
        let shape = match (name, &numbers[..]) {
            ("ball" | "sphere", &[radius]) => Self::ball(radius),
            ("capsule", &[radius, length]) => Self::capsule(radius, length),
            ("box", &[x, y, z]) => Self::cuboid([x, y, z]),
            ("cylinder", &[radius, length]) => Self::cylinder(radius, length),
            ("cone", &[radius, length]) => Self::cone(radius, length),
            ("cone", &[bottom, top, length]) => Self::truncated_cone(bottom, top, length),
            ("ellipsoid", &[x, y, z]) => Self::ellipsoid([x, y, z]),
            ("half-space", &[x, y, z, offset]) => Self::half_space([x, y, z], offset),
            ("hull", points) if points.len() % 3 == 0 => Self::hull(points.as_chunks::<3>().0),
            _ => return Err(unknown(wrong(name, numbers.len()))),
        }?;
        match margin {
            Some(margin) => shape.grown(number(margin)?),
            None => Ok(shape),
        }
    }
}
