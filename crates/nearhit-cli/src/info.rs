//! `nearhit info`: mesh inspection, what is in a file and what is unusual about it.

use crate::exit::Finish;
use crate::format;
use crate::model_file;
use crate::terminal::{self, Style};
use anyhow::{Result, bail};
use nearhit::Diagnostics;
use nearhit::report::MeshReport;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Inspect mesh files: size, holes, duplicates, self-intersections.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// Mesh files.
    #[arg(required = true, value_name = "FILE", help = model_file::help("A mesh"))]
    pub files: Vec<PathBuf>,

    /// Print one line of JSON per file.
    #[arg(long)]
    pub json: bool,
}

const ABOUT: &str = "\
Inspect mesh files: size, holes, duplicates, self-intersections.

None of these is an error: queries take any triangle soup. But they may explain surprising
answers. A mesh is closed when every edge lies between two triangles of the same orientation.";

const EXAMPLES: &str = "\
Examples:
  nearhit info wheel.stl
  nearhit info parts/*.obj --json";

/// Runs `nearhit info`. A file that cannot be read does not keep the others from being inspected.
pub fn command(args: &Args) -> Result<Finish> {
    let style = Style::of_stdout();
    let mut failed = 0;
    for (index, path) in args.files.iter().enumerate() {
        match inspect(path) {
            Ok((info, _)) if args.json => terminal::print(&(serde_json::to_string(&info)? + "\n"))?,
            Ok((info, found)) => {
                let gap = if index > 0 { "\n" } else { "" };
                terminal::print(&(gap.to_owned() + &sentences(&info, &found, style)))?;
            }
            Err(error) if args.files.len() == 1 => return Err(error),
            Err(error) => {
                terminal::complain(&error);
                failed += 1;
            }
        }
    }
    if failed > 0 {
        bail!("{failed} of {} files could not be read", args.files.len());
    }
    Ok(Finish::Done)
}

/// A file as a line of JSON.
#[derive(Debug, Serialize)]
struct Info {
    file: String,
    #[serde(flatten)]
    mesh: MeshReport,
}

fn inspect(path: &Path) -> Result<(Info, Diagnostics)> {
    let mesh = model_file::mesh(path)?;
    let found = mesh.diagnostics();
    Ok((Info { file: path.display().to_string(), mesh: MeshReport::new(&mesh, &found) }, found))
}

fn sentences(info: &Info, found: &Diagnostics, style: Style) -> String {
    let MeshReport { min, max, .. } = info.mesh;
    let size = std::array::from_fn(|axis| max[axis] - min[axis]);
    let [low, high, size] = [min, max, size].map(format::point);
    format!("{}: {found}  box from {low} to {high}, size {size}\n", style.bold(&info.file))
}
