//! `nearhit robot example`: a small robot to try things with.

use crate::exit::Finish;
use crate::output::{check_different, check_output};
use crate::terminal;
use anyhow::{Context, Result};
use std::path::PathBuf;

/// Write a small robot: a URDF file of primitives, and an SRDF file beside it.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Args {
    /// The URDF file to write; the SRDF file has the same name.
    #[arg(short, long, value_name = "FILE.urdf", default_value = "example.urdf")]
    output: PathBuf,
}

/// Runs `nearhit robot example`.
pub(super) fn command(args: &Args) -> Result<Finish> {
    let srdf = args.output.with_extension("srdf");
    let outputs = [args.output.as_path(), &srdf];
    outputs.iter().try_for_each(|output| check_output(output, [], ""))?;
    check_different(&outputs)?;
    for (path, text) in [(&args.output, nearhit_robot::EXAMPLE_URDF), (&srdf, nearhit_robot::EXAMPLE_SRDF)] {
        std::fs::write(path, text).with_context(|| format!("{}: cannot be written", path.display()))?;
        terminal::print(&format!("{}\n", path.display()))?;
    }
    Ok(Finish::Done)
}
