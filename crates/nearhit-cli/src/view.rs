//! `nearhit view`: two bodies in the browser, to be dragged while the library tells their distance.

use crate::bodies::{PoseArgs, names, poses};
use crate::browser;
use crate::exit::Finish;
use crate::model_file;
use crate::terminal::{self, Style};
use anyhow::{Context, Result, bail};
use nearhit::{Model, Pose};
use nearhit_cases::folder::Case;
use nearhit_view::{Body, Scene, Server};
use std::path::{Path, PathBuf};

/// Look at two meshes in the browser: drag them, see contacts, distance and volumes live.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// The first mesh, or a case folder whose flight is to be played.
    #[arg(value_name = "A")]
    pub a: PathBuf,

    /// The second mesh.
    #[arg(value_name = "B")]
    pub b: Option<PathBuf>,

    /// Where they are at first.
    #[command(flatten)]
    pub places: PoseArgs,

    /// Say the address, but do not open it.
    #[arg(long)]
    pub no_open: bool,

    /// Listen on this port instead of any that is free.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
}

const ABOUT: &str = "\
Look at two meshes in the browser: drag them, see contacts, distance and volumes live.

Every volume can be drawn level by level, and counted beside the others. Sphere-trees can be refined under a budget that a slider sets: the page then shows the balls that still meet, the \
level that was reached, and the interval that is certain to hold the distance.

The page comes from this program, on this machine only, under an address that cannot be guessed, and shows what was named here and nothing else. Ctrl-C ends it.";

const EXAMPLES: &str = "\
Examples:
  Two parts, one moved aside:
      nearhit view wheel.stl axle.stl --a-translate \"0 0 2.5\"

  A flight: play it, scrub through it, see the time of each query:
      nearhit cases pipes --quick
      nearhit view cases/pipes

  On a machine without a display, through a tunnel:
      nearhit view wheel.stl axle.stl --no-open --port 8080";

/// Runs `nearhit view`, until Ctrl-C.
pub fn command(args: &Args) -> Result<Finish> {
    let scene = scene(args)?;
    let server = Server::start(scene, args.port)
        .with_context(|| format!("--port {}: cannot listen there; choose another, or leave it out", args.port))?;
    let (url, style) = (server.url(), Style::of_stdout());
    terminal::print(&format!("The view: {}\n", style.bold(&url)))?;
    if !args.no_open {
        terminal::print(&browser::open(url.as_ref(), "drag to turn, click a body to move it"))?;
    }
    terminal::print("Ctrl-C ends it.\n")?;
    server.run();
    Ok(Finish::Done)
}

fn scene(args: &Args) -> Result<Scene> {
    let places = poses(&args.places)?;
    match &args.b {
        Some(b) => {
            let [name_a, name_b] = names(&args.a, b);
            let bodies = [body(name_a, &args.a, places[0])?, body(name_b, b, places[1])?];
            Ok(Scene::new(bodies, Vec::new()))
        }
        None if args.a.is_dir() && args.places != PoseArgs::default() => {
            bail!("{}: a case has its own poses; leave out where a and b are", args.a.display())
        }
        None if args.a.is_dir() => flight(&args.a),
        None => bail!("{}: name a second mesh, or a case folder", args.a.display()),
    }
}

fn body(name: String, path: &Path, world_from_body: Pose) -> Result<Body> {
    Ok(Body { name, model: Model::new(model_file::mesh(path)?), world_from_body })
}

fn flight(folder: &Path) -> Result<Scene> {
    let Case { name, a, b, poses } = Case::load(folder)?;
    let poses: Vec<[Pose; 2]> = poses.iter().map(|placed| [placed.world_from_a, placed.world_from_b]).collect();
    let body = |part: &str, mesh, pose| Body {
        name: format!("{name}/{part}"),
        model: Model::new(mesh),
        world_from_body: pose,
    };
    let [first_a, first_b] = poses.first().copied().unwrap_or([Pose::IDENTITY; 2]);
    Ok(Scene::new([body("a", a, first_a), body("b", b, first_b)], poses))
}
