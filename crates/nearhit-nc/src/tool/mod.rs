//! Tools: bodies of revolution in labelled pieces, from the tip at the origin up along z.
//!
//! | module | content |
//! |---|---|
//! | `outline` | a cutter's section, and the same moved inwards |
//! | `table` | tables of tools: which format is it? |
//! | `own`, `camotics`, `linuxcnc`, `freecad` | one file a format |

mod camotics;
mod freecad;
mod linuxcnc;
pub(crate) mod outline;
mod own;
mod table;

pub(crate) use table::read_text;
pub use table::{ToolTable, Unit};

use crate::error::NcError;
use nearhit::shape::Shape;
use outline::{Outline, Round, Solid};
use serde::Serialize;

/// What a piece of a tool may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// It cuts.
    Cutter,
    /// What carries the cutter; its neck too.
    Shank,
    /// What holds the shank.
    Holder,
    /// What holds the holder.
    Spindle,
}

impl std::fmt::Display for Label {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(match self {
            Self::Cutter => "cutter",
            Self::Shank => "shank",
            Self::Holder => "holder",
            Self::Spindle => "spindle",
        })
    }
}

/// A cutter by its sizes. Lengths are millimetres, angles degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Cutter {
    /// A flat end mill.
    Flat,
    /// A ball-nose end mill.
    Ball,
    /// A bull-nose (torus) end mill.
    Bull {
        /// Of its edge.
        corner_radius: f64,
    },
    /// A truncated cone that widens upwards to the diameter: chamfer mill, engraver, V-bit. Its
    /// cutting length holds the whole cone.
    Chamfer {
        /// Whole angle of the cone.
        angle: f64,
        /// Of the flat at the tip; 0 for a point.
        tip_diameter: f64,
    },
    /// A drill: a cone, and a cylinder above it.
    Drill {
        /// Whole angle of the point.
        angle: f64,
    },
    /// A tapered ball-nose: a ball, and a cone above it up to the diameter, or to the end of its
    /// cutting length if that comes first.
    Taper {
        /// Between its side and the axis.
        side_angle: f64,
        /// Of the ball at the tip.
        tip_radius: f64,
    },
    /// A ball on a neck.
    Lollipop,
    /// A cone that is widest at the bottom.
    Dovetail {
        /// Between its side and the bottom.
        angle: f64,
    },
}

/// A length of shank, holder or spindle: a cylinder or truncated cone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stage {
    /// Lower diameter.
    pub bottom: f64,
    /// Upper diameter.
    pub top: f64,
    /// Length along the axis.
    pub length: f64,
}

/// A convex piece of a tool.
#[derive(Debug, Clone)]
pub struct Piece {
    /// What it may do.
    pub label: Label,
    /// About its own middle.
    pub shape: Shape,
    /// Height of its middle above the tip.
    pub height: f64,
    /// No point of it is farther from its middle.
    pub radius: f64,
    /// Half of its width and height.
    pub half: [f64; 2],
}

/// A tool.
#[derive(Debug, Clone)]
pub struct Tool {
    /// As programs call it.
    pub number: u32,
    /// As people call it.
    pub name: String,
    /// All pieces, from the tip up.
    pieces: Vec<Piece>,
    outlines: Vec<(Label, Outline)>,
    length: f64,
}

impl Tool {
    /// A cutter of this diameter and length of its cutting edge, with nothing above it.
    ///
    /// ```
    /// use nearhit_nc::{Cutter, Tool};
    ///
    /// let mill = Tool::new(1, Cutter::Flat, 8.0, 25.0)?.named("8 mm end mill");
    /// assert_eq!(mill.length(), 25.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(number: u32, cutter: Cutter, diameter: f64, cutting_length: f64) -> Result<Self, NcError> {
        let outline = outline_of(cutter, diameter, cutting_length).map_err(|message| wrong(number, &message))?;
        let length = outline.corners[outline.corners.len() - 1][1];
        let mut tool = Self { number, name: format!("T{number}"), pieces: Vec::new(), outlines: Vec::new(), length };
        tool.add(Label::Cutter, outline)?;
        Ok(tool)
    }

    /// With a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// With one more stage on top of what there is.
    ///
    /// ```
    /// use nearhit_nc::{Cutter, Label, Stage, Tool};
    ///
    /// let shank = Stage { bottom: 8.0, top: 8.0, length: 35.0 };
    /// let mill = Tool::new(1, Cutter::Flat, 8.0, 25.0)?.with(Label::Shank, shank)?;
    /// assert_eq!(mill.length(), 60.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with(mut self, label: Label, stage: Stage) -> Result<Self, NcError> {
        let Stage { bottom, top, length } = stage;
        let legal = [bottom, top, length].iter().all(|size| (0.0..=1e6).contains(size));
        if !legal || length == 0.0 || bottom.max(top) == 0.0 {
            return Err(wrong(
                self.number,
                &format!("{label}: diameters {bottom} and {top}, length {length}: {SIZES}"),
            ));
        }
        let low = self.length;
        self.length += length;
        self.add(label, Outline::frustum(low, 0.5 * bottom, self.length, 0.5 * top, true))?;
        Ok(self)
    }

    fn add(&mut self, label: Label, outline: Outline) -> Result<(), NcError> {
        let number = self.number;
        self.pieces.extend(pieces(number, label, &outline.eroded(0.0))?);
        self.outlines.push((label, outline));
        Ok(())
    }

    /// All pieces, from the tip up.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Pieces with this label, moved inwards by a depth all around, but for where the cutter goes
    /// on as shank: they hold exactly the points that are deeper than that below the surface of the
    /// cutter, or of one stage.
    ///
    /// ```
    /// use nearhit_nc::{Cutter, Label, Tool};
    ///
    /// let mill = Tool::new(1, Cutter::Ball, 6.0, 20.0)?;
    /// let inner = mill.eroded(Label::Cutter, 0.5)?;
    /// assert!(inner.iter().all(|piece| piece.half[0] <= 2.5 + 1e-9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn eroded(&self, label: Label, depth: f64) -> Result<Vec<Piece>, NcError> {
        let solids = self.outlines.iter().filter(|(of, _)| *of == label).map(|(_, outline)| outline.eroded(depth));
        let found: Result<Vec<Vec<Piece>>, NcError> =
            solids.map(|solids| pieces(self.number, label, &solids)).collect();
        Ok(found?.into_iter().flatten().collect())
    }

    /// Half of the section along the axis, from the tip up, for pictures: corners of the cutter and
    /// of each stage as (radius, height), from the axis to the axis. Round edges are points on
    /// them.
    #[must_use]
    pub fn sections(&self) -> Vec<(Label, Vec<[f64; 2]>)> {
        self.outlines.iter().map(|(label, outline)| (*label, outline.drawn())).collect()
    }

    /// From the tip to the top.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }
}

const SIZES: &str = "sizes must be numbers above 0, at most 1e6";

fn wrong(number: u32, message: &str) -> NcError {
    NcError::Tool { file: "tools".into(), at: format!("tool {number}"), message: message.to_owned() }
}

fn pieces(number: u32, label: Label, solids: &[Solid]) -> Result<Vec<Piece>, NcError> {
    let piece = |solid: &Solid| {
        let (shape, height) = solid.shape().map_err(|error| wrong(number, &error.to_string()))?;
        let half = match *solid {
            Solid::Disc { radius, edge, .. } => [radius + edge, edge],
            Solid::Frustum { low, bottom, high, top } => [bottom.max(top), 0.5 * (high - low)],
        };
        let radius = match *solid {
            Solid::Disc { radius, edge, .. } => radius + edge,
            Solid::Frustum { .. } => half[0].hypot(half[1]),
        };
        Ok(Piece { label, shape, height, radius: radius * (1.0 + 1e-14), half })
    };
    solids.iter().map(piece).collect()
}

/// The section of a cutter, or what is wrong with its sizes.
fn outline_of(cutter: Cutter, diameter: f64, length: f64) -> Result<Outline, String> {
    let is_size = |value: f64| value > 0.0 && value <= 1e6;
    if !is_size(diameter) || !is_size(length) {
        return Err(format!("diameter {diameter}, cutting length {length}: {SIZES}"));
    }
    let radius = 0.5 * diameter;
    let open = |corners: Vec<[f64; 2]>, round: Option<Round>| Outline { corners, round, closed_top: false };
    Ok(match cutter {
        Cutter::Flat => open(vec![[radius, 0.0], [radius, length]], None),
        Cutter::Ball => rounded(radius, radius, length)?,
        Cutter::Bull { corner_radius } => {
            if !(corner_radius >= 0.0 && corner_radius <= radius) {
                return Err(format!("corner radius {corner_radius}: it must be between 0 and half of {diameter}"));
            }
            if corner_radius == 0.0 {
                return outline_of(Cutter::Flat, diameter, length);
            }
            rounded(radius, corner_radius, length)?
        }
        Cutter::Chamfer { angle, tip_diameter } => {
            if !(0.0..=diameter).contains(&tip_diameter) {
                return Err(format!("tip diameter {tip_diameter}: it must be between 0 and {diameter}"));
            }
            pointed(0.5 * tip_diameter, radius, half_angle(angle)?, length)?
        }
        Cutter::Drill { angle } => pointed(0.0, radius, half_angle(angle)?, length)?,
        Cutter::Taper { side_angle, tip_radius } => tapered(radius, side_angle, tip_radius, length)?,
        // Nothing but the ball: its neck, which is shank, begins inside of it.
        Cutter::Lollipop => Outline {
            corners: vec![[radius, radius], [radius, radius]],
            round: Some(Round { disc: 0.0, edge: radius, side: 0.0 }),
            closed_top: true,
        },
        Cutter::Dovetail { angle } => {
            if !(angle > 0.0 && angle < 90.0) {
                return Err(format!("angle {angle}: it must be between 0 and 90 degrees"));
            }
            let top = radius - length / angle.to_radians().tan();
            if top < 0.0 {
                return Err(format!("its sides meet below its length of {length}"));
            }
            Outline::frustum(0.0, radius, length, top, true)
        }
    })
}

fn rounded(radius: f64, edge: f64, length: f64) -> Result<Outline, String> {
    if length < edge {
        return Err(format!("cutting length {length}: it is shorter than the round edge, {edge}"));
    }
    let round = Some(Round { disc: radius - edge, edge, side: 0.0 });
    Ok(Outline { corners: vec![[radius, edge], [radius, length]], round, closed_top: false })
}

fn half_angle(angle: f64) -> Result<f64, String> {
    if angle > 0.0 && angle < 180.0 {
        Ok(0.5 * angle.to_radians())
    } else {
        Err(format!("angle {angle}: it must be between 0 and 180 degrees"))
    }
}

/// A cone with a point or a flat up to the diameter, and a cylinder above it if the length goes on.
fn pointed(tip: f64, radius: f64, half_angle: f64, length: f64) -> Result<Outline, String> {
    let rise = (radius - tip) / half_angle.tan();
    // A shorter one would be a tool that is narrower than it says.
    if rise > length * (1.0 + 1e-6) {
        let diameter = 2.0 * radius;
        return Err(format!("cutting length {length}: the cone reaches the diameter of {diameter} only at {rise:.6}"));
    }
    let rise = rise.min(length);
    let mut corners = vec![[tip, 0.0], [radius, rise]];
    if rise < length {
        corners.push([radius, length]);
    }
    Ok(Outline { corners, round: None, closed_top: false })
}

fn tapered(radius: f64, side_angle: f64, tip: f64, length: f64) -> Result<Outline, String> {
    let side = side_angle.to_radians();
    if !(side_angle > 0.0 && side_angle < 80.0 && tip > 0.0 && tip <= radius) {
        let sizes = format!("side angle {side_angle}, tip radius {tip}");
        return Err(format!("{sizes}: an angle between 0 and 80 degrees and a radius up to {radius} are needed"));
    }
    let (start, low) = (tip * side.cos(), tip - tip * side.sin());
    if length <= low {
        return Err(format!("cutting length {length}: it is shorter than the ball at the tip"));
    }
    let high = (low + (radius - start) / side.tan()).min(length);
    let mut corners = vec![[start, low], [start + (high - low) * side.tan(), high]];
    if high < length {
        corners.push([radius, length]);
    }
    Ok(Outline { corners, round: Some(Round { disc: 0.0, edge: tip, side }), closed_top: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_stand_on_each_other() {
        let tool = Tool::new(3, Cutter::Ball, 6.0, 10.0).expect("legal");
        let shank = Stage { bottom: 6.0, top: 6.0, length: 20.0 };
        let holder = Stage { bottom: 30.0, top: 40.0, length: 50.0 };
        let tool = tool.with(Label::Shank, shank).and_then(|tool| tool.with(Label::Holder, holder)).expect("legal");
        assert_eq!(tool.length(), 80.0);
        let labels: Vec<Label> = tool.pieces().iter().map(|piece| piece.label).collect();
        assert_eq!(labels, [Label::Cutter, Label::Cutter, Label::Shank, Label::Holder]);
        assert_eq!(tool.pieces()[3].height, 55.0);
        assert_eq!(tool.eroded(Label::Cutter, 1.0).expect("legal").len(), 2);
        assert!(tool.eroded(Label::Cutter, 3.0).expect("legal").is_empty());
    }

    #[test]
    fn every_kind_of_cutter_has_pieces() {
        let kinds = [
            (Cutter::Flat, 1),
            (Cutter::Ball, 2),
            (Cutter::Bull { corner_radius: 1.0 }, 2),
            (Cutter::Bull { corner_radius: 0.0 }, 1),
            (Cutter::Chamfer { angle: 90.0, tip_diameter: 1.0 }, 2),
            (Cutter::Chamfer { angle: 2.0 * 0.25_f64.atan().to_degrees(), tip_diameter: 0.0 }, 1),
            (Cutter::Drill { angle: 118.0 }, 2),
            (Cutter::Taper { side_angle: 5.0, tip_radius: 1.0 }, 2),
            (Cutter::Taper { side_angle: 20.0, tip_radius: 1.0 }, 3),
            (Cutter::Lollipop, 1),
            (Cutter::Dovetail { angle: 80.0 }, 1),
        ];
        for (kind, count) in kinds {
            let tool = Tool::new(1, kind, 8.0, 16.0).expect("legal");
            assert_eq!(tool.pieces().len(), count, "{kind:?}: {:?}", tool.pieces());
        }
    }

    #[test]
    fn wrong_sizes_are_refused() {
        let kinds = [
            Cutter::Bull { corner_radius: 4.5 },
            Cutter::Bull { corner_radius: f64::NAN },
            Cutter::Drill { angle: 0.0 },
            Cutter::Drill { angle: 180.0 },
            // Too slim to reach 8 mm within 16.
            Cutter::Drill { angle: 25.0 },
            Cutter::Chamfer { angle: 25.0, tip_diameter: 0.5 },
            Cutter::Taper { side_angle: 0.0, tip_radius: 1.0 },
            Cutter::Chamfer { angle: 90.0, tip_diameter: 9.0 },
            Cutter::Dovetail { angle: 10.0 },
        ];
        for kind in kinds {
            assert!(Tool::new(1, kind, 8.0, 16.0).is_err(), "{kind:?}");
        }
        for (diameter, length) in [(0.0, 1.0), (-1.0, 1.0), (1.0, 0.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
            assert!(Tool::new(1, Cutter::Flat, diameter, length).is_err());
        }
    }
}
