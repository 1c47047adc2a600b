//! What the numbers of a file mean: the length of its unit, and which axis is up.
//!
//! Readers give the numbers as the file has them. A [`Convention`] asks for others: who mixes files
//! in inches and in metres wants [`Length::Metres`] of all of them.

use crate::assembly::Assembly;
use crate::part::Part;
use glam::{DMat3, DVec3};
use nearhit::{MAX_COORDINATE, Pose, RawMesh};

/// What a file says about its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Units {
    /// Length of one unit in metres. Only glTF (always 1), COLLADA (1 unless it says otherwise) and
    /// 3MF (0.001 unless it says otherwise) have it.
    pub metres_per_unit: Option<f64>,
    /// The axis that points up. Only glTF (always y), COLLADA (y unless it says otherwise) and 3MF
    /// (always z) have it.
    pub up: Option<UpAxis>,
}

/// An axis that points up. The other two are those of the COLLADA specification, which says where
/// right and the viewer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UpAxis {
    /// x is up, -y is to the right.
    X,
    /// y is up, x is to the right.
    Y,
    /// z is up, x is to the right.
    Z,
}

/// In what unit coordinates should come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Length {
    /// The numbers of the file.
    #[default]
    AsWritten,
    /// Metres. A format without units (OBJ, STL, PLY, OFF) is taken to be in metres.
    Metres,
}

/// How coordinates should come. The default is as the file has them.
///
/// ```
/// use nearhit_io::{Convention, Length, UpAxis};
///
/// let robots = Convention { length: Length::Metres, up: None };
/// let buildings = Convention { length: Length::Metres, up: Some(UpAxis::Z) };
/// # assert_ne!(robots, buildings);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Convention {
    /// The unit.
    pub length: Length,
    /// The axis that should point up; none leaves axes as they are. A format that does not say what
    /// is up is left as it is.
    pub up: Option<UpAxis>,
}

/// A vertex that left the range of coordinates when its unit was changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OutOfRange {
    pub(crate) vertex: usize,
    pub(crate) value: f64,
}

/// What a convention does to the numbers of one file.
#[derive(Debug, Clone, Copy)]
struct Change {
    scale: f64,
    turn: DMat3,
}

impl Convention {
    fn change(self, units: &mut Units) -> Change {
        let scale = match self.length {
            Length::AsWritten => 1.0,
            Length::Metres => units.metres_per_unit.replace(1.0).unwrap_or(1.0),
        };
        let turn = match (self.up, units.up) {
            (Some(wanted), Some(given)) => {
                units.up = Some(wanted);
                viewer_from_axes(wanted).transpose() * viewer_from_axes(given)
            }
            _ => DMat3::IDENTITY,
        };
        Change { scale, turn }
    }

    pub(crate) fn mesh(self, mesh: &mut RawMesh, mut units: Units) -> Result<(), OutOfRange> {
        let change = self.change(&mut units);
        change.vertices(mesh, change.turn)
    }

    pub(crate) fn parts(self, parts: &mut [Part], mut units: Units) -> Result<(), OutOfRange> {
        let change = self.change(&mut units);
        parts.iter_mut().try_for_each(|part| change.vertices(&mut part.mesh, change.turn))
    }

    pub(crate) fn assembly(self, assembly: &mut Assembly) -> Result<(), OutOfRange> {
        let change = self.change(&mut assembly.units);
        // Shapes are turned where they are placed.
        assembly.shapes.iter_mut().try_for_each(|shape| change.vertices(shape, DMat3::IDENTITY))?;
        for part in &mut assembly.parts {
            part.world_from_shape = change.pose(&part.world_from_shape)?;
        }
        Ok(())
    }
}

impl Change {
    fn vertices(&self, mesh: &mut RawMesh, turn: DMat3) -> Result<(), OutOfRange> {
        if self.scale == 1.0 && turn == DMat3::IDENTITY {
            return Ok(());
        }
        for (vertex, point) in mesh.vertices.iter_mut().enumerate() {
            // Entries of the turn are 0, 1 and -1: it changes no digits.
            *point = (turn * DVec3::from(*point) * self.scale).to_array();
            let usable = |value: &&f64| value.abs() > MAX_COORDINATE || value.is_nan();
            if let Some(&value) = point.iter().find(usable) {
                return Err(OutOfRange { vertex, value });
            }
        }
        Ok(())
    }

    fn pose(&self, world_from_shape: &Pose) -> Result<Pose, OutOfRange> {
        if self.scale == 1.0 && self.turn == DMat3::IDENTITY {
            return Ok(*world_from_shape);
        }
        let rotation = self.turn * world_from_shape.rotation();
        let translation = (self.turn * world_from_shape.translation() * self.scale).to_array();
        let value = translation.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        Pose::from_rows(rotation.transpose().to_cols_array_2d(), translation)
            .map_err(|_| OutOfRange { vertex: 0, value })
    }
}

/// Right, up and towards the viewer, from the axes of a file.
fn viewer_from_axes(up: UpAxis) -> DMat3 {
    let rows = match up {
        UpAxis::X => [-DVec3::Y, DVec3::X, DVec3::Z],
        UpAxis::Y => [DVec3::X, DVec3::Y, DVec3::Z],
        UpAxis::Z => [DVec3::X, DVec3::Z, -DVec3::Y],
    };
    DMat3::from_cols(rows[0], rows[1], rows[2]).transpose()
}
