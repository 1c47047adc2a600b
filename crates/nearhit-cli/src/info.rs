//! `nearhit info`: what is in a file, and what is unusual about it?

use crate::exit::Finish;
use crate::model_file;
use crate::format;
use crate::terminal::{self, Style};
use anyhow::{Result, bail};
use glam::DVec3;
use nearhit::{Diagnostics, Mesh};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What is in a mesh file, and what is unusual about it?
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// Mesh files (obj, stl, ply, off, gltf or glb), or what `nearhit build` wrote.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// A line of JSON for each file.
    #[arg(long)]
    pub json: bool,
}

const ABOUT: &str = "\
What is in a mesh file, and what is unusual about it?

Nothing that is reported here is an error: any soup of triangles can be asked about. But some of it explains surprising \
answers. A mesh is closed when every edge lies between two triangles of the same orientation.";

const EXAMPLES: &str = "\
Examples:
  nearhit info wheel.stl
  nearhit info parts/*.obj --json";

/// Runs `nearhit info`. A file that cannot be read does not keep the others from being told about.
pub fn command(args: &Args) -> Result<Finish> {
    let style = Style::of_stdout();
    let mut failed = 0;
    for (index, path) in args.files.iter().enumerate() {
        match look(path) {
            Ok(info) if args.json => terminal::print(&(serde_json::to_string(&info.line())? + "\n"))?,
            Ok(info) => terminal::print(&(if index > 0 { "\n" } else { "" }.to_owned() + &info.sentences(style)))?,
            Err(error) if args.files.len() == 1 => return Err(error),
            Err(error) => {
                terminal::complain(&error);
                failed += 1;
            }
        }
    }
    if failed > 0 {
        bail!("{failed} of {} files cannot be told about", args.files.len());
    }
    Ok(Finish::Done)
}

struct Info {
    file: String,
    corners: [DVec3; 2],
    found: Diagnostics,
}

fn look(path: &Path) -> Result<Info> {
    let mesh = model_file::mesh(path)?;
    Ok(Info { file: path.display().to_string(), corners: corners(&mesh), found: mesh.diagnostics() })
}

/// Of the box around all triangles; vertices that none uses do not count.
fn corners(mesh: &Mesh) -> [DVec3; 2] {
    let used = mesh.triangles().iter().flatten().map(|&vertex| mesh.vertices()[vertex as usize]);
    used.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], point| [low.min(point), high.max(point)])
}

impl Info {
    fn sentences(&self, style: Style) -> String {
        let [low, high] = self.corners;
        let size = high - low;
        let [low, high, size] = [low, high, size].map(|point| format::point(point.to_array()));
        let heading = style.bold(&self.file);
        format!("{heading}: {}  box from {low} to {high}, size {size}\n", self.found)
    }

    fn line(&self) -> Line<'_> {
        let found = &self.found;
        Line {
            file: &self.file,
            triangles: found.triangles,
            vertices: found.vertices,
            min: self.corners[0].to_array(),
            max: self.corners[1].to_array(),
            closed: found.is_closed(),
            degenerate: found.degenerate.len(),
            duplicate: found.duplicate.len(),
            unused_vertices: found.unused_vertices,
            coincident_vertices: found.coincident_vertices,
            open_edges: found.open_edges,
            crowded_edges: found.crowded_edges,
            flipped_edges: found.flipped_edges,
            self_intersections: found.self_intersections.len(),
        }
    }
}

/// A file as a line of JSON: counts, and the corners of the box around the triangles.
#[derive(Debug, Serialize)]
struct Line<'i> {
    file: &'i str,
    triangles: usize,
    vertices: usize,
    min: [f64; 3],
    max: [f64; 3],
    closed: bool,
    degenerate: usize,
    duplicate: usize,
    unused_vertices: usize,
    coincident_vertices: usize,
    open_edges: usize,
    crowded_edges: usize,
    flipped_edges: usize,
    self_intersections: usize,
}
