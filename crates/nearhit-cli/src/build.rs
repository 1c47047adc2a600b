//! `nearhit build`: BVH construction, saved with the mesh in a model file.

use crate::exit::Finish;
use crate::model_file;
use crate::output::check_output;
use crate::terminal::{self, Style, grouped, plural};
use crate::volume::{Engine, RESEARCH, VolumeArgs};
use anyhow::{Result, bail};
use clap::ValueEnum;
use nearhit::Model;
use nearhit::research::ModelExt;
use nearhit::research::build::{AxisRule, BuildOptions};
use nearhit::research::hierarchy::{Level, Tumbling};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// Save a mesh with its tree in a model file, which all commands but clash accept.
#[derive(Debug, Clone, clap::Args)]
#[command(after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// The mesh.
    #[arg(help = model_file::mesh_help("The mesh"))]
    pub mesh: PathBuf,

    /// The model file to write [default: the name of the mesh with the extension nhm]
    #[arg(short, long, value_name = "FILE.nhm")]
    pub output: Option<PathBuf>,

    /// Bounding volumes.
    #[command(flatten)]
    pub volume: VolumeArgs,

    /// Splitting rule: the axis along which sets of triangles are split (not with --volume auto).
    #[arg(long, value_name = "RULE", help_heading = RESEARCH)]
    pub rule: Option<Rule>,

    /// Largest number of triangles in a leaf (not with --volume auto).
    #[arg(long, value_name = "N", help_heading = RESEARCH)]
    pub leaf_size: Option<usize>,

    /// For a moving model: prepare k-DOPs for rotation (k-DOPs only).
    #[arg(long, help_heading = RESEARCH)]
    pub flying: bool,

    /// Print one line of JSON instead of a table.
    #[arg(long)]
    pub json: bool,
}

/// The k-DOP paper's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rule {
    /// Largest variance of the centroids.
    Splatter,
    /// Longest side of the box.
    LongestSide,
    /// Least sum of the two volumes.
    MinSum,
    /// Least maximum of the two volumes.
    MinMax,
}

impl From<Rule> for AxisRule {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::Splatter => Self::Splatter,
            Rule::LongestSide => Self::LongestSide,
            Rule::MinSum => Self::MinSum,
            Rule::MinMax => Self::MinMax,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  The default engine's tree:
      nearhit build engine.stl
      nearhit check engine.nhm wheel.stl

  A tree of 26-DOPs for a moving model:
      nearhit build wing.obj --volume kdop26 --rule min-sum --leaf-size 40 --flying -o wing.nhm

A model file is not an exchange format: it is read by the version that wrote it. It contains the mesh exactly. Volumes
and surfaces in the table are sums over a level, relative to the root's.";

/// Runs `nearhit build`.
pub fn command(args: &Args) -> Result<Finish> {
    let engine = args.volume.engine()?;
    let output = args.output.clone().unwrap_or_else(|| args.mesh.with_extension(model_file::EXTENSION));
    if args.mesh.is_dir() {
        bail!("{}: is a directory, not a mesh file", args.mesh.display());
    }
    if model_file::is_model(&args.mesh) {
        bail!("{}: is already a model file; give the mesh that it was built from", args.mesh.display());
    }
    if !model_file::is_model(&output) {
        bail!("{}: the name of a model file must end in .{}", output.display(), model_file::EXTENSION);
    }
    if matches!(engine, Engine::Auto(_)) && (args.rule.is_some() || args.leaf_size.is_some() || args.flying) {
        bail!("--rule, --leaf-size and --flying need a --volume other than auto");
    }
    if args.flying && !engine.name().starts_with("kdop") {
        bail!("--flying needs k-DOPs, not --volume {}", engine.name());
    }
    check_output(&output, [args.mesh.as_path()], "is the mesh itself")?;
    let mesh = nearhit_io::read_mesh(&args.mesh)?;
    let start = Instant::now();
    let model = match engine {
        Engine::Auto(preset) => Model::with_preset(mesh, preset),
        Engine::Volume(kind) => {
            let tumbling = if args.flying { Tumbling::PAPER } else { Tumbling::PLAIN };
            Model::with(mesh, kind, &options(args)?).tumbling(tumbling)
        }
    };
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    model_file::save(&model, &output)?;
    let report = Report {
        file: output.display().to_string(),
        volume: model.volume_name(),
        triangles: model.mesh().triangles().len(),
        build_ms: milliseconds,
        bytes: model.bytes(),
        levels: model.levels().iter().map(Row::from).collect(),
    };
    terminal::report(&report, args.json, Report::table)?;
    Ok(Finish::Done)
}

fn options(args: &Args) -> Result<BuildOptions> {
    let mut options = BuildOptions::default();
    if let Some(rule) = args.rule {
        options.axis = rule.into();
    }
    if let Some(size) = args.leaf_size {
        if size == 0 {
            bail!("--leaf-size must be at least 1");
        }
        options.leaf_size = size;
    }
    Ok(options)
}

/// What was built.
#[derive(Debug, Serialize)]
struct Report {
    file: String,
    volume: &'static str,
    triangles: usize,
    build_ms: f64,
    bytes: usize,
    levels: Vec<Row>,
}

/// A level. Volume and surface in cubes and squares of the root's size.
#[derive(Debug, Clone, Copy, Serialize)]
struct Row {
    nodes: usize,
    leaves: usize,
    volume: f64,
    surface: f64,
    bytes: usize,
}

impl From<&Level> for Row {
    fn from(level: &Level) -> Self {
        let Level { nodes, leaves, volume, surface, bytes, .. } = *level;
        Self { nodes, leaves, volume, surface, bytes }
    }
}

impl Report {
    fn table(&self, style: Style) -> String {
        let triangles = plural(self.triangles as u64, "triangle");
        let mut text = format!(
            "{}: {triangles}, {}, built in {:.1} ms, {} bytes in memory\n",
            style.bold(&self.file),
            self.volume,
            self.build_ms,
            grouped(self.bytes as u64)
        );
        if let Some(root) = self.levels.first() {
            text += &format!(
                "{:>6} {:>11} {:>11} {:>9} {:>9} {:>14}\n",
                "level", "nodes", "leaves", "volume", "surface", "bytes"
            );
            for (depth, row) in self.levels.iter().enumerate() {
                let (volume, surface) = (share(row.volume, root.volume), share(row.surface, root.surface));
                let [nodes, leaves, bytes] = [row.nodes, row.leaves, row.bytes].map(|count| grouped(count as u64));
                text += &format!("{depth:>6} {nodes:>11} {leaves:>11} {volume:>9} {surface:>9} {bytes:>14}\n");
            }
        }
        text
    }
}

/// A flat root has no volume to compare with.
fn share(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:.4}", part / whole) } else { "-".to_owned() }
}
