//! `nearhit view`: interactive viewer of two bodies, or of a robot, in the browser.
//!
//! | module | content |
//! |---|---|
//! | `robot` | what the page of a robot may ask |
//! | `outline` | what a shape looks like |

mod outline;
mod robot;

use crate::bodies::{PoseArgs, names, poses};
use crate::browser;
use crate::exit::Finish;
use crate::model_file;
use crate::robot::{RobotArgs, WorldArgs};
use crate::terminal::{self, Style};
use anyhow::{Context, Result, bail};
use nearhit::{Model, Pose};
use nearhit_cases::folder::Case;
use nearhit_view::{Body, Scene, Server, Site};
use std::path::{Path, PathBuf};

/// View two meshes or a robot in the browser, with contacts and distance live.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// The first mesh, a case folder to play, or a robot (a URDF file).
    #[arg(value_name = "A")]
    pub a: PathBuf,

    /// The second mesh.
    #[arg(value_name = "B")]
    pub b: Option<PathBuf>,

    /// Initial poses.
    #[command(flatten)]
    pub poses: PoseArgs,

    /// Of a robot: its SRDF file.
    #[arg(long, value_name = "FILE", help_heading = ROBOTS)]
    pub srdf: Option<PathBuf>,

    /// Of a robot: a folder in which package:// is looked for. Can be repeated.
    #[arg(long, value_name = "FOLDER", help_heading = ROBOTS)]
    pub package: Vec<PathBuf>,

    /// Of a robot: take closed meshes as surfaces, not as solids.
    #[arg(long, help_heading = ROBOTS)]
    pub surfaces: bool,

    /// What is around a robot.
    #[command(flatten, next_help_heading = ROBOTS)]
    pub world: WorldArgs,

    /// Print the address of the page, but do not open it.
    #[arg(long)]
    pub no_open: bool,

    /// Port to listen on [default: any free port]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
}

const ROBOTS: &str = "Robots";

const ABOUT: &str = "\
View two meshes or a robot in the browser, with contacts and distance live.

Bounding volumes can be drawn level by level and compared by their work. Sphere-trees can be
refined under a budget set with a slider: the page shows the spheres that still overlap, the level
reached, and the certified interval of the distance.

A robot has a slider for each joint. Bodies that touch are red, with their names and the points of
contact; the closest pair is marked. What is checked and how is as in \"nearhit robot check\".

The page is served by this program, on this machine only, under an address that cannot be guessed,
and shows only the files given here. Ctrl-C stops it.";

const EXAMPLES: &str = "\
Examples:
  Two parts, one moved aside:
      nearhit view wheel.stl axle.stl --a-translate \"0 0 2.5\"

  A case: play it, scrub through it, see the clearance along it:
      nearhit cases pipes --quick
      nearhit view cases/pipes

  A robot in a world:
      nearhit robot example -o arm.urdf
      nearhit view arm.urdf --srdf arm.srdf --world \"table=box:2,2,0.1@0,0,-0.3\"

  On a machine without a display, through a tunnel:
      nearhit view wheel.stl axle.stl --no-open --port 8080";

/// Runs `nearhit view`, until Ctrl-C.
pub fn command(args: &Args) -> Result<Finish> {
    if args.a.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("urdf")) {
        return serve(robot(args)?, args, "move the sliders");
    }
    if args.srdf.is_some() || !args.package.is_empty() || args.surfaces || args.world != WorldArgs::default() {
        bail!(
            "{}: --srdf, --package, --surfaces, --world, --attach, --pad and --allow are for robots (FILE.urdf)",
            args.a.display()
        );
    }
    serve(scene(args)?, args, "drag to turn, click a body to move it")
}

fn serve<S: Site>(site: S, args: &Args, hint: &str) -> Result<Finish> {
    let server = Server::start(site, args.port)
        .with_context(|| format!("--port {}: cannot listen there; choose another port", args.port))?;
    let (url, style) = (server.url(), Style::of_stdout());
    terminal::print(&format!("The view: {}\n", style.bold(&url)))?;
    if !args.no_open {
        terminal::print(&browser::open(url.as_ref(), hint))?;
    }
    terminal::print("Press Ctrl-C to stop.\n")?;
    server.run();
    Ok(Finish::Done)
}

fn robot(args: &Args) -> Result<robot::RobotSite> {
    if args.b.is_some() || args.poses != PoseArgs::default() {
        bail!("{}: a robot is viewed by itself, in its own place; see --world and --attach", args.a.display());
    }
    let files = RobotArgs {
        urdf: args.a.clone(),
        srdf: args.srdf.clone(),
        package: args.package.clone(),
        surfaces: args.surfaces,
        json: false,
    };
    robot::RobotSite::new(files.placed(&args.world)?)
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
        None => bail!("{}: a second mesh is missing (or give a case folder, or a robot)", args.a.display()),
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
