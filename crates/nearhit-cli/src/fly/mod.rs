//! `nearhit fly`: the sphere-tree paper's space-ship simulator, whose frames end in time.
//!
//! | file | question |
//! |---|---|
//! | `fleet` | what flies, from a file |
//! | `live` | what the page in the browser asks, and how it is answered |
//! | `logbook` | what is kept of the frames |
//! | `summary` | what they took |

mod fleet;
mod live;
mod logbook;
mod summary;

use crate::browser;
use crate::exit::Finish;
use crate::interrupt::Interrupt;
use crate::output::keep_inputs;
use crate::progress::Progress;
use crate::terminal::{self, Style};
use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use live::Live;
use logbook::Logbook;
use nearhit::BuildEffort;
use nearhit_cases::flight::{Detect, Flight, Plan};
use nearhit_view::Server;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Fly a ship among drones that bounce off each other, in frames that end in time.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// What flies: lamps, trucks, or a JSON file.
    #[arg(long, value_name = "lamps|trucks|FILE", default_value = "lamps")]
    pub scene: String,

    /// How many frames, of a tenth of a unit of simulated time each; in the browser until Ctrl-C, else 400, unless said.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub frames: Option<u64>,

    /// How long a frame may take, in microseconds: what motion and response are expected to leave of it is for detection.
    #[arg(long, value_name = "B", default_value_t = 100_000.0, allow_negative_numbers = true)]
    pub budget_us: f64,

    /// How contacts are found.
    #[arg(long, value_enum, default_value_t = Detection::Medial)]
    pub detect: Detection,

    /// Of the drones' random steering.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Write what each frame took to this file.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Without a picture: the ship is steered by a script, and frames follow each other without a pause.
    #[arg(long)]
    pub headless: bool,

    /// Say the address of the picture, but do not open it.
    #[arg(long, conflicts_with = "headless")]
    pub no_open: bool,

    /// Listen on this port instead of any that is free.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "headless")]
    pub port: u16,
}

/// How contacts are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Detection {
    /// Triangles against triangles, however long that takes.
    Exact,
    /// Sphere-trees made from octrees, as far as there is time.
    Octree,
    /// Sphere-trees made from the medial axis, as far as there is time.
    Medial,
}

impl Detection {
    fn detect(self) -> Detect {
        match self {
            Self::Exact => Detect::Exact,
            Self::Octree => Detect::Octree,
            Self::Medial => Detect::Medial,
        }
    }

    fn of(detect: Detect) -> Self {
        match detect {
            Detect::Exact => Self::Exact,
            Detect::Octree => Self::Octree,
            Detect::Medial => Self::Medial,
        }
    }
}

const ABOUT: &str = "\
Fly a ship among drones that bounce off each other, in frames that end in time.

The simulator of the sphere-tree paper (Hubbard 1996, §11). Drones steer at random; motion is solved by second-order Runge-Kutta steps; space-time bounds say when to look for \
contacts; ships that meet bounce, and energy and momentum stay the same; the steered ship has infinite mass. With sphere-trees detection ends when the frame's time does: \
what was not told apart by then is taken to have met, as in the paper. Ships that there was no time to look at fly on, and are counted as unseen.

In the browser the ship is steered with the keys (a list is on the page), ten frames a second. Ships that touch are red, those that were not told apart in time amber; the plot shows what each \
frame took against its target. How contacts are found and the target can be changed while it flies. The page comes from this program, on this machine only, under an address that cannot be \
guessed. Ctrl-C ends it and says what the frames took (with --headless the exit code is 3 then).

A scene file names meshes: {\"ship\": \"a.stl\", \"drones\": [{\"mesh\": \"b.stl\", \"count\": 9}], \"room\": 12}. Paths are relative to the file; drones farther than \
\"room\" from the middle turn back.

The file of --csv has a line for each frame. A flight that is begun again in the browser counts from 0 again. Times are in microseconds, by the wall clock but for *_cpu_us; late_cpu_us is how much longer detection took than it \
might; mean_gap and max_gap are the true distances of ships that bounced without touching; near counts the pairs that were looked at, unseen the ships that there was no time for.";

const EXAMPLES: &str = "\
Examples:
  Ten lamps in the browser, one of them yours:
      nearhit fly
  A lamp among nine trucks, with a thousandth of the time, and a line for each frame in a file:
      nearhit fly --scene trucks --budget-us 100 --csv trucks.csv
  The paper's third run, ten lamps, a tenth of a second for each frame:
      nearhit fly --headless --csv lamps.csv
  The same with a tenth of a millisecond:
      nearhit fly --headless --budget-us 100
  Exactly, for comparison:
      nearhit fly --headless --detect exact";

/// Runs `nearhit fly`.
pub fn command(args: &Args) -> Result<Finish> {
    let target = target(args.budget_us).map_err(|error| anyhow!("--budget-us {error}"))?;
    let (fleet, files) = fleet::named(&args.scene)?;
    if let Some(csv) = &args.csv {
        keep_inputs(csv, files.iter().map(PathBuf::as_path), "belongs to the scene; frames would overwrite it")?;
    }
    let book = Logbook::new(args.csv.as_deref())?;
    let detect = args.detect.detect();
    let plan = Plan { detect, target, detection: None, seed: args.seed, care: BuildEffort::Quick, steering: true };
    // It takes some seconds; only people want to know.
    if detect != Detect::Exact && std::io::stderr().is_terminal() {
        eprintln!("building sphere-trees");
    }
    let flight = Flight::new(&fleet, plan)?;
    let book = if args.headless {
        headless(flight, book, args.frames.unwrap_or(HEADLESS_FRAMES))?
    } else {
        show(Live::new(flight, fleet.room, book, args.frames), args)?
    };
    terminal::print(&book.table(Style::of_stdout()))?;
    // In the browser Ctrl-C is how a flight ends.
    let cut_short = args.headless && Interrupt::of_process()?.is_set();
    Ok(if cut_short { Finish::Partial } else { Finish::Done })
}

/// Without a picture it must end by itself.
const HEADLESS_FRAMES: u64 = 400;

fn headless(mut flight: Flight, mut book: Logbook, frames: u64) -> Result<Logbook> {
    let (progress, interrupt) = (Progress::new(frames, "frames"), Interrupt::of_process()?);
    for _ in (0..frames).take_while(|_| !interrupt.is_set()) {
        book.add(&flight.frame()?, flight.plan().target)?;
        progress.tick(Instant::now());
    }
    Ok(book)
}

/// In the browser, until Ctrl-C or the last frame.
fn show(live: Live, args: &Args) -> Result<Logbook> {
    let server = Server::start(live, args.port)
        .with_context(|| format!("--port {}: cannot listen there; choose another, or leave it out", args.port))?;
    let interrupt = Interrupt::of_process()?;
    let url = server.url();
    terminal::print(&format!("The flight: {}\n", Style::of_stdout().bold(&url)))?;
    if !args.no_open {
        terminal::print(&browser::open(url.as_ref(), "steer with W, S and the arrows"))?;
    }
    terminal::print("Ctrl-C ends it.\n")?;
    server.run_until(|live| interrupt.is_set() || live.is_over());
    server.into_site().into_book()
}

/// How long a frame may take.
fn target(microseconds: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(microseconds * 1e-6)
        .map_err(|_| format!("{microseconds}: must be a number of microseconds, at least 0"))
}
