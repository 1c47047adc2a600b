//! Arguments about two bodies, for every command that takes two files.

use crate::budget::BudgetArgs;
use crate::model_file;
use crate::volume::VolumeArgs;
use std::path::PathBuf;

const SHAPES: &str = ". Or a shape: ball:0.5, capsule:R,LENGTH, box:1,2,3, cylinder:R,LENGTH, cone:R,LENGTH, \
    cone:BOTTOM,TOP,LENGTH, ellipsoid:X,Y,Z, half-space:NX,NY,NZ,OFFSET, hull:X,Y,Z,X,Y,Z,…; a margin grows it: \
    box:1,2,3+0.1. Or a shape of many pieces from a file: cloud:FILE,RADIUS, octree:FILE,RESOLUTION, heights:FILE,DX,DY \
    or heights:FILE,DX,DY,FLOOR";

/// Two files, their poses, and how to go about the query.
#[derive(Debug, Clone, clap::Args)]
pub struct PairArgs {
    /// The first mesh or shape.
    #[arg(help = model_file::help("The first mesh") + SHAPES)]
    pub a: PathBuf,

    /// The second mesh or shape.
    pub b: PathBuf,

    /// Poses.
    #[command(flatten)]
    pub poses: PoseArgs,

    /// Bounding volumes.
    #[command(flatten)]
    pub volume: VolumeArgs,

    /// When the query stops.
    #[command(flatten)]
    pub budget: BudgetArgs,

    /// Treat the meshes as solids: a part inside another is contact, and distances below zero are
    /// penetration depths.
    #[arg(long)]
    pub solid: bool,

    /// Print one line of JSON instead of sentences.
    #[arg(long)]
    pub json: bool,
}

/// Poses of two bodies.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub struct PoseArgs {
    /// Pose of a as a matrix, row by row: 16 numbers, 12 (without the last row) or 9 (a rotation
    /// only).
    #[arg(long, value_name = "NUMBERS", group = "rotation of a", allow_hyphen_values = true, help_heading = POSES)]
    pub a_matrix: Option<String>,

    /// Rotation of a as a unit quaternion: x y z w.
    #[arg(long, value_name = "X Y Z W", group = "rotation of a", allow_hyphen_values = true, help_heading = POSES)]
    pub a_quaternion: Option<String>,

    /// Rotation of a by three angles in degrees: about its x axis, then its new y axis, then its
    /// new z axis.
    #[arg(long, value_name = "RX RY RZ", group = "rotation of a", allow_hyphen_values = true, help_heading = POSES)]
    pub a_euler: Option<String>,

    /// Translation of a, after its rotation.
    #[arg(long, value_name = "X Y Z", allow_hyphen_values = true, help_heading = POSES)]
    pub a_translate: Option<String>,

    /// Pose of b as a matrix, as for a.
    #[arg(long, value_name = "NUMBERS", group = "rotation of b", allow_hyphen_values = true, help_heading = POSES)]
    pub b_matrix: Option<String>,

    /// Rotation of b as a unit quaternion, as for a.
    #[arg(long, value_name = "X Y Z W", group = "rotation of b", allow_hyphen_values = true, help_heading = POSES)]
    pub b_quaternion: Option<String>,

    /// Rotation of b by three angles in degrees, as for a.
    #[arg(long, value_name = "RX RY RZ", group = "rotation of b", allow_hyphen_values = true, help_heading = POSES)]
    pub b_euler: Option<String>,

    /// Translation of b, after its rotation.
    #[arg(long, value_name = "X Y Z", allow_hyphen_values = true, help_heading = POSES)]
    pub b_translate: Option<String>,
}

const POSES: &str = "Poses (numbers in quotes, separated by blanks or commas)";
