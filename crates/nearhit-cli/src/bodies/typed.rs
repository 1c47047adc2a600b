//! What can be typed about two bodies, for every command that looks at two files.

use crate::limit::TypedLimit;
use clap::Args;
use std::path::PathBuf;

/// Two files, where the bodies are, and how to go about the query.
#[derive(Debug, Clone, Args)]
pub struct TypedBodies {
    /// The first mesh: an obj, stl, ply, off, gltf or glb file, or what `nearhit build` wrote.
    pub a: PathBuf,

    /// The second mesh.
    pub b: PathBuf,

    /// Where the bodies are.
    #[command(flatten)]
    pub places: TypedPlaces,

    /// What the trees are made of (a mesh beside a built model gets its volume): auto (auto:fast, auto:best, auto:compact to build it sooner, better, smaller), sphere, aabb, obb, kdop6, 14, 18, 26, 50, 74 or 98, lss, rss, mixed or dynamic.
    #[arg(long, value_name = "VOLUME", default_value = "auto")]
    pub volume: String,

    /// When the query stops.
    #[command(flatten)]
    pub limit: TypedLimit,

    /// Take the meshes for solids: one inside the other is contact, and distances below zero say how deep.
    #[arg(long)]
    pub solid: bool,

    /// One line of JSON on stdout instead of sentences.
    #[arg(long)]
    pub json: bool,
}

/// Where two bodies are.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct TypedPlaces {
    /// Where a is, as a matrix row by row: 16 numbers, 12 (without the last row) or 9 (a rotation only).
    #[arg(long, value_name = "NUMBERS", group = "rotation of a", allow_hyphen_values = true, help_heading = PLACES)]
    pub a_matrix: Option<String>,

    /// How a is turned, as a unit quaternion: x y z w.
    #[arg(long, value_name = "X Y Z W", group = "rotation of a", allow_hyphen_values = true, help_heading = PLACES)]
    pub a_quaternion: Option<String>,

    /// How a is turned, by three angles in degrees: about its x axis, then its new y axis, then its new z axis.
    #[arg(long, value_name = "RX RY RZ", group = "rotation of a", allow_hyphen_values = true, help_heading = PLACES)]
    pub a_euler: Option<String>,

    /// Where a is moved to after it is turned.
    #[arg(long, value_name = "X Y Z", allow_hyphen_values = true, help_heading = PLACES)]
    pub a_translate: Option<String>,

    /// The same for b.
    #[arg(long, value_name = "NUMBERS", group = "rotation of b", allow_hyphen_values = true, help_heading = PLACES)]
    pub b_matrix: Option<String>,

    /// The same for b.
    #[arg(long, value_name = "X Y Z W", group = "rotation of b", allow_hyphen_values = true, help_heading = PLACES)]
    pub b_quaternion: Option<String>,

    /// The same for b.
    #[arg(long, value_name = "RX RY RZ", group = "rotation of b", allow_hyphen_values = true, help_heading = PLACES)]
    pub b_euler: Option<String>,

    /// The same for b.
    #[arg(long, value_name = "X Y Z", allow_hyphen_values = true, help_heading = PLACES)]
    pub b_translate: Option<String>,
}

const PLACES: &str = "Where the bodies are (numbers in quotes, with blanks or commas between them)";
