//! `nearhit spheres`: bounding sphere hierarchies, written to a file; or a number of balls that
//! contain the solid (`cover`).

mod cover;

use crate::exit::Finish;
use crate::model_file;
use crate::output::check_output;
use crate::progress::Progress;
use crate::robot::formats;
use crate::terminal::{self, Style, grouped, plural, significant};
use crate::volume::RESEARCH;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions, TreeSphere};
use nearhit::research::sphere_tree::{Policy, SearchEffort, Side, inaccuracy};
use nearhit::{Model, SphereTree};
use nearhit_robot::SphereFormat;
use rayon::prelude::*;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Cover a mesh with spheres, level by level, and write them to a file.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// The mesh.
    #[arg(help = model_file::help("The mesh"))]
    pub mesh: PathBuf,

    /// The file to write; optional with --measure, --count and --sticks-out.
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["measure", "count", "sticks_out"])]
    pub output: Option<PathBuf>,

    /// Instead of levels: this number of balls, which together contain the solid with its inside.
    #[arg(long, value_name = "N", conflicts_with_all = ["sticks_out", "depth", "method", "policy", "quick", "measure"])]
    pub count: Option<usize>,

    /// Instead of levels: as many balls as are needed to contain the solid with no point of a ball
    /// farther than this outside of it.
    #[arg(long, value_name = "X", allow_hyphen_values = true, conflicts_with_all = ["depth", "method", "policy", "quick", "measure"])]
    pub sticks_out: Option<String>,

    /// With --count or --sticks-out: format of the file.
    #[arg(long, value_parser = formats(), default_value = "json")]
    pub format: SphereFormat,

    /// Number of levels below the root sphere; each has up to eight times as many spheres as the
    /// one above.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub depth: u32,

    /// How the spheres are constructed.
    #[arg(long, value_enum, default_value_t = Method::Medial, help_heading = RESEARCH)]
    pub method: Method,

    /// What the children of a sphere must cover. Every level covers the surface either way.
    #[arg(long, value_enum, default_value_t = Cover::Safest, help_heading = RESEARCH)]
    pub policy: Cover,

    /// Build faster; the spheres protrude a little more.
    #[arg(long)]
    pub quick: bool,

    /// Also measure the protrusion of the spheres: the largest distance from the surface of any
    /// point of a sphere that is outside the solid, as a mean and a maximum for each level.
    #[arg(long, help_heading = RESEARCH)]
    pub measure: bool,

    /// Print one line of JSON instead of a table.
    #[arg(long)]
    pub json: bool,
}

/// What spheres come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// From the medial axis: tight.
    Medial,
    /// From the cells of an octree: loose.
    Octree,
}

/// What the spheres below a sphere cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Cover {
    /// All that the sphere covers: a search of the tree misses nothing.
    Safest,
    /// Not necessarily: a little tighter, but a search from the top can miss a contact.
    Looser,
}

const ABOUT: &str = "\
Cover a mesh with spheres, level by level, and write them to a file.

Every level covers the whole surface, which is proven for every triangle, also of meshes that are
open, flipped, self-intersecting or flat. Each sphere comes with its error: no point of it is
farther from the surface. The file holds
{\"levels\":[[{\"center\":[x,y,z],\"radius\":r,\"error\":e,\"parent\":i}, ...], ...]}, where i is the index
of the parent on the level above, null for the first sphere.

With --count or --sticks-out there are no levels: the balls contain the whole solid, by proof, and
no point of a ball is farther outside of it than the number printed. Of a mesh that is not closed they
contain the surface. --format says what is written, as for \"nearhit robot spheres\": json, urdf,
srdf, curobo, xrdf, foam, with the mesh as the one link.";

const EXAMPLES: &str = "\
Examples:
  nearhit spheres arm.stl -o arm.json
  nearhit spheres arm.stl --depth 3 --method octree -o arm-octree.json
  nearhit spheres arm.stl --count 12 -o arm.urdf --format urdf
  nearhit spheres arm.stl --sticks-out 0.01                       how many balls that takes
  nearhit spheres arm.stl --measure                               protrusion of each level
  nearhit spheres arm.stl --policy looser -o arm-looser.json      each level covers; not for exact searches";

/// Runs `nearhit spheres`.
pub fn command(args: &Args) -> Result<Finish> {
    if args.count.is_some() || args.sticks_out.is_some() {
        return cover::command(args);
    }
    if args.format != SphereFormat::Json {
        bail!("--format is for --count and --sticks-out; levels are written as JSON");
    }
    if args.depth > SphereOptions::DEEPEST {
        bail!("--depth {}: must be at most {}", args.depth, SphereOptions::DEEPEST);
    }
    if args.quick && args.method == Method::Octree {
        bail!("--quick has no effect on --method octree");
    }
    if args.policy == Cover::Looser && args.method == Method::Octree {
        bail!("--policy looser has no effect on --method octree");
    }
    if let Some(output) = &args.output {
        check_output(output, [args.mesh.as_path()], "is the mesh itself")?;
    }
    let model = Model::new(model_file::mesh(&args.mesh)?);
    // Before the work, so that it is not lost because there is no place to write it.
    let file = args.output.as_deref().map(|output| create(output).map(|file| (output, file))).transpose()?;
    let (tree, time) = build(&model, args);
    if let Some((output, file)) = file {
        write(&tree, file).with_context(|| unwritable(output))?;
    }
    let mut report = Report::new(args.output.as_deref(), &model, &tree, time);
    if args.measure {
        report.measure(&model, &tree);
    }
    terminal::report(&report, args.json, Report::table)?;
    Ok(Finish::Done)
}

fn create(output: &Path) -> Result<File> {
    File::create(output).with_context(|| unwritable(output))
}

fn unwritable(output: &Path) -> String {
    format!("{}: cannot be written", output.display())
}

fn build(model: &Model, args: &Args) -> (SphereTree, Duration) {
    let method = match args.method {
        Method::Medial => SphereMethod::Medial,
        Method::Octree => SphereMethod::Octree,
    };
    let care = if args.quick { BuildEffort::Quick } else { BuildEffort::Full };
    let policy = match args.policy {
        Cover::Safest => Policy::Safest,
        Cover::Looser => Policy::Looser,
    };
    let options = SphereOptions::new().depth(args.depth).method(method).effort(care).policy(policy);
    let progress = Progress::new(100, "per cent");
    let started = Instant::now();
    let tree = SphereTree::build_telling(model, &options, &|share| progress.reach((100.0 * share) as u64));
    (tree, started.elapsed())
}

/// The file's format is a contract.
#[derive(Debug, Serialize)]
struct Sphere {
    center: [f64; 3],
    radius: f64,
    error: f64,
    parent: Option<u32>,
}

#[derive(Debug, Serialize)]
struct Levels {
    levels: Vec<Vec<Sphere>>,
}

fn write(tree: &SphereTree, file: File) -> Result<()> {
    let level = |level: usize| {
        let above = level.checked_sub(1).map_or(0, |above| tree.levels()[above].start);
        let sphere = |sphere: &TreeSphere| Sphere {
            center: sphere.center.to_array(),
            radius: sphere.radius,
            error: sphere.error,
            parent: sphere.parent.map(|parent| parent - above),
        };
        tree.level(level).iter().map(sphere).collect()
    };
    let mut file = BufWriter::new(file);
    serde_json::to_writer(&mut file, &Levels { levels: (0..tree.levels().len()).map(level).collect() })?;
    writeln!(file)?;
    Ok(file.flush()?)
}

/// What was built.
#[derive(Debug, Serialize)]
struct Report {
    /// What was written, if anything.
    file: Option<String>,
    triangles: usize,
    build_ms: f64,
    levels: Vec<Row>,
}

/// A level.
#[derive(Debug, Serialize)]
struct Row {
    spheres: usize,
    mean_radius: f64,
    mean_error: f64,
    max_error: f64,
    #[serde(flatten)]
    protrusion: Option<Protrusion>,
}

/// How far the spheres of a level stick out of the solid.
#[derive(Debug, Clone, Copy, Serialize)]
struct Protrusion {
    mean_protrusion: f64,
    max_protrusion: f64,
}

/// Where a sphere sticks out farthest is found to a per cent.
const EFFORT: SearchEffort = SearchEffort { relative: 0.01, most: 4000 };

impl Report {
    fn new(output: Option<&Path>, model: &Model, tree: &SphereTree, time: Duration) -> Self {
        let row = |level: usize| {
            let spheres = tree.level(level);
            // Each share by itself: the sum of huge lengths is no number.
            let count = spheres.len() as f64;
            let mean = |of: fn(&TreeSphere) -> f64| spheres.iter().map(|sphere| of(sphere) / count).sum::<f64>();
            Row {
                spheres: spheres.len(),
                mean_radius: mean(|sphere| sphere.radius),
                mean_error: mean(|sphere| sphere.error),
                max_error: spheres.iter().map(|sphere| sphere.error).fold(0.0, f64::max),
                protrusion: None,
            }
        };
        Self {
            file: output.map(|output| output.display().to_string()),
            triangles: model.mesh().triangles().len(),
            build_ms: time.as_secs_f64() * 1e3,
            levels: (0..tree.levels().len()).map(row).collect(),
        }
    }

    /// The largest distances that are seen.
    fn measure(&mut self, model: &Model, tree: &SphereTree) {
        let progress = Progress::new(tree.spheres().len() as u64, "spheres");
        for (level, row) in self.levels.iter_mut().enumerate() {
            let out = |sphere: &TreeSphere| {
                let seen = inaccuracy(model, sphere.center, sphere.radius, Side::Outside, EFFORT).lower;
                progress.tick(Instant::now());
                seen
            };
            let seen: Vec<f64> = tree.level(level).par_iter().map(out).collect();
            row.protrusion = Some(Protrusion {
                mean_protrusion: seen.iter().map(|it| it / seen.len() as f64).sum(),
                max_protrusion: seen.iter().copied().fold(0.0, f64::max),
            });
        }
    }

    fn table(&self, style: Style) -> String {
        let triangles = plural(self.triangles as u64, "triangle");
        let file = self.file.as_deref().unwrap_or("not written");
        let mut text = format!("{}: {triangles}, built in {:.1} ms\n", style.bold(file), self.build_ms);
        let mut line = |cells: &[String]| {
            let cells = cells.iter().map(|cell| format!("{cell:>12}")).collect::<Vec<_>>().join(" ");
            text += &format!("{cells}\n");
        };
        let measured = self.levels.iter().any(|row| row.protrusion.is_some());
        let columns = ["level", "spheres", "mean radius", "mean error", "max error", "protrusion", "at most"];
        line(&columns[..if measured { 7 } else { 5 }].iter().map(ToString::to_string).collect::<Vec<_>>());
        for (level, row) in self.levels.iter().enumerate() {
            let mut cells = vec![level.to_string(), grouped(row.spheres as u64)];
            cells.extend([row.mean_radius, row.mean_error, row.max_error].map(length));
            cells.extend(row.protrusion.iter().flat_map(|it| [it.mean_protrusion, it.max_protrusion].map(length)));
            line(&cells);
        }
        text
    }
}

/// A length of any size: meshes come in nanometres and light years.
fn length(value: f64) -> String {
    if value == 0.0 || (0.1..1e9).contains(&value) { significant(value) } else { format!("{value:.3e}") }
}
