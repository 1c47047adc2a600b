//! `nearhit view`: interactive viewer of two bodies in the browser.

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

/// View two meshes in the browser: drag them, with contacts, distance and volumes live.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// The first mesh, or a case folder to play.
    #[arg(value_name = "A")]
    pub a: PathBuf,

    /// The second mesh.
    #[arg(value_name = "B")]
    pub b: Option<PathBuf>,

    /// Initial poses.
    #[command(flatten)]
    pub poses: PoseArgs,

    /// Print the address, but do not open it.
    #[arg(long)]
    pub no_open: bool,

    /// Port to listen on [default: any free port]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
}

const ABOUT: &str = "\
View two meshes in the browser: drag them, with contacts, distance and volumes live.

Bounding volumes can be drawn level by level and compared by their work. Sphere-trees can be
refined under a budget set with a slider: the page shows the spheres that still overlap, the level
reached, and the certified interval of the distance.

The page is served by this program, on this machine only, under an address that cannot be guessed,
and shows only the files given here. Ctrl-C stops it.";

const EXAMPLES: &str = "\
Examples:
  Two parts, one moved aside:
      nearhit view wheel.stl axle.stl --a-translate \"0 0 2.5\"

  A case: play it, scrub through it, see the clearance along it:
      nearhit cases pipes --quick
      nearhit view cases/pipes

  On a machine without a display, through a tunnel:
      nearhit view wheel.stl axle.stl --no-open --port 8080";

/// Runs `nearhit view`, until Ctrl-C.
pub fn command(args: &Args) -> Result<Finish> {
    let scene = scene(args)?;
    let server = Server::start(scene, args.port)
        .with_context(|| format!("--port {}: cannot listen there; choose another port", args.port))?;
    let (url, style) = (server.url(), Style::of_stdout());
    terminal::print(&format!("The view: {}\n", style.bold(&url)))?;
    if !args.no_open {
        terminal::print(&browser::open(url.as_ref(), "drag to turn, click a body to move it"))?;
    }
    terminal::print("Press Ctrl-C to stop.\n")?;
    server.run();
    Ok(Finish::Done)
}

fn scene(args: &Args) -> Result<Scene> {
    let places = poses(&args.poses)?;
    match &args.b {
        Some(b) => {
            let [name_a, name_b] = names(&args.a, b);
            let bodies = [body(name_a, &args.a, places[0])?, body(name_b, b, places[1])?];
            Ok(Scene::new(bodies, Vec::new()))
        }
        None if args.a.is_dir() && args.poses != PoseArgs::default() => {
            bail!("{}: a case has its own poses; --a-… and --b-… have no effect", args.a.display())
        }
        None if args.a.is_dir() => flight(&args.a),
        None => bail!("{}: a second mesh is missing (or give a case folder)", args.a.display()),
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
