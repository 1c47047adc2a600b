//! `nearhit robot`: questions about a robot of a URDF file. The answers are those of
//! [`nearhit_robot`].
//!
//! | module | content |
//! |---|---|
//! | `read` | files, the world around the robot, configurations |
//! | `limits` | coordinates beyond the limits of their joints |
//! | `info`, `check`, `path`, `matrix`, `spheres`, `example` | the subcommands |

mod check;
mod example;
mod info;
mod limits;
mod matrix;
mod path;
mod read;
mod spheres;

pub(crate) use read::{RobotArgs, WorldArgs};
pub(crate) use spheres::formats;

use crate::exit::Finish;
use anyhow::Result;
use clap::Subcommand;

/// Check a robot (URDF, SRDF): collisions, distances, certified motion and matrices.
#[derive(Debug, Clone, clap::Args)]
#[command(arg_required_else_help = true, long_about = ABOUT, after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Clone, Subcommand)]
enum Command {
    Info(info::Args),
    Check(check::Args),
    Path(path::Args),
    Matrix(matrix::Args),
    Spheres(spheres::Args),
    Example(example::Args),
}

const ABOUT: &str = "\
Check a robot (URDF, SRDF): collisions, distances, certified motion and matrices.

Collision geometry of the URDF is checked with itself and with bodies of the world. Closed meshes
are solids. Links that are one piece or neighbours, and pairs that the SRDF disables, are not
checked with each other. Lengths are metres, angles radians.";

const EXAMPLES: &str = "\
Examples:
  nearhit robot info panda.urdf --srdf panda.srdf
  nearhit robot check panda.urdf --q \"0 -0.8 0 -2.4 0 1.6 0.8 0.02\"
  nearhit robot path panda.urdf --from \"0 0 0 -1 0 1 0 0\" --to \"1 0 0 -2 0 2 0 0\" --clearance 0.005
  nearhit robot matrix panda.urdf -o panda.srdf
  nearhit robot spheres panda.urdf --count 59 -o balls.urdf --format urdf
  nearhit robot example -o arm.urdf           a small robot to try all this with";

/// Runs `nearhit robot`.
pub fn command(args: &Args) -> Result<Finish> {
    match &args.command {
        Command::Info(args) => info::command(args),
        Command::Check(args) => check::command(args),
        Command::Path(args) => path::command(args),
        Command::Matrix(args) => matrix::command(args),
        Command::Spheres(args) => spheres::command(args),
        Command::Example(args) => example::command(args),
    }
}
