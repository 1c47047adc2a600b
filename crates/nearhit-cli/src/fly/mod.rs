//! `nearhit fly`: a flight simulator after the sphere-tree paper's, with time-critical collision
//! detection.
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
use crate::output::check_output;
use crate::progress::Progress;
use crate::terminal::{self, Style};
use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use live::Live;
use logbook::Logbook;
use nearhit::research::sphere_tree::BuildEffort;
use nearhit::{Limit, LimitError};
use nearhit_cases::flight::{Detect, Flight, Plan};
use nearhit_view::Server;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Fly a ship among drones, with time-critical collision detection.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// Scene: lamps, trucks, or a JSON file.
    #[arg(long, value_name = "lamps|trucks|FILE", default_value = "lamps")]
    pub scene: String,

    /// Number of frames, of 0.1 units of simulated time each [default: until Ctrl-C; 400 with
    /// --headless]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub frames: Option<u64>,

    /// Time of a frame, in microseconds; detection gets what motion and response leave of it.
    #[arg(long, value_name = "B", default_value_t = 100_000.0, allow_negative_numbers = true)]
    pub budget_us: f64,

    /// Collision detection.
    #[arg(long, value_enum, default_value_t = Detection::Medial)]
    pub detect: Detection,

    /// Seed of the drones' random steering.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Write the times of each frame to this file.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Without the browser: the ship is steered by a script, and frames follow without a pause.
    #[arg(long)]
    pub headless: bool,

    /// Print the address of the page, but do not open it.
    #[arg(long, conflicts_with = "headless")]
    pub no_open: bool,

    /// Port to listen on [default: any free port]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, conflicts_with = "headless")]
    pub port: u16,
}

/// How contacts are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Detection {
    /// Triangle tests, however long they take.
    Exact,
    /// Sphere-trees from octrees, as far as the time allows.
    Octree,
    /// Sphere-trees from the medial axis, as far as the time allows.
    Medial,
    /// The average-case search, as far as the time allows: then the likelier answer.
    Average,
}

impl Detection {
    fn detect(self) -> Detect {
        match self {
            Self::Exact => Detect::Exact,
            Self::Octree => Detect::Octree,
            Self::Medial => Detect::Medial,
            Self::Average => Detect::Average,
        }
    }

    fn of(detect: Detect) -> Self {
        match detect {
            Detect::Exact => Self::Exact,
            Detect::Octree => Self::Octree,
            Detect::Medial => Self::Medial,
            Detect::Average => Self::Average,
        }
    }
}

const ABOUT: &str = "\
Fly a ship among drones, with time-critical collision detection.

After the simulator of the sphere-tree paper (Hubbard 1996, §11). Drones steer at random; motion is
integrated by second-order Runge-Kutta steps; space-time bounds say when to look for contacts;
ships that collide bounce, with energy and momentum conserved; the steered ship has infinite mass.
With sphere-trees, detection stops when the time of the frame is over: pairs not separated by then
count as colliding, as in the paper. Ships for which there was no time at all fly on, and are
counted as unseen. With --detect average (a search after Klein and Zachmann 2003, by our own rule)
ships that likely touch bounce; where the search was stopped, the likelier answer counts.

In the browser the ship is steered with the keyboard (the page lists the keys), at ten frames per
second. Ships that touch are red, those not separated in time amber; the plot shows the time of
each frame against its target. Detection and target can be changed during the flight. The page is
served by this program, on this machine only, under an address that cannot be guessed. Ctrl-C
stops it and prints the times (with --headless the exit code is 3 then).

A scene file names meshes: {\"ship\": \"a.stl\", \"drones\": [{\"mesh\": \"b.stl\", \"count\": 9}], \"room\":
12}. Paths are relative to the file; drones farther than \"room\" from the origin turn back.

The file of --csv has one line per frame. A flight restarted in the browser counts from 0 again.
Times are in microseconds, by the wall clock except for *_cpu_us; late_cpu_us is the overrun of
detection; mean_gap and max_gap are the true distances of ships that bounced without touching;
near counts the pairs tested, unseen the ships without a test.";

const EXAMPLES: &str = "\
Examples:
  Ten lamps in the browser, one of them steered:
      nearhit fly
  A lamp among nine trucks, in frames of 100 microseconds, with times in a file:
      nearhit fly --scene trucks --budget-us 100 --csv trucks.csv
  As in the paper's third run: ten lamps, frames of a tenth of a second:
      nearhit fly --headless --csv lamps.csv
  The same with frames of a tenth of a millisecond:
      nearhit fly --headless --budget-us 100
  Exact detection, for comparison:
      nearhit fly --headless --detect exact";

/// Runs `nearhit fly`.
pub fn command(args: &Args) -> Result<Finish> {
    let target = target(args.budget_us).map_err(|error| anyhow!("--budget-us {error}"))?;
    let (fleet, files) = fleet::named(&args.scene)?;
    if let Some(csv) = &args.csv {
        check_output(csv, files.iter().map(PathBuf::as_path), "belongs to the scene; frames would overwrite it")?;
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
        .with_context(|| format!("--port {}: cannot listen there; choose another port", args.port))?;
    let interrupt = Interrupt::of_process()?;
    let url = server.url();
    terminal::print(&format!("The flight: {}\n", Style::of_stdout().bold(&url)))?;
    if !args.no_open {
        terminal::print(&browser::open(url.as_ref(), "steer with W, S and the arrows"))?;
    }
    terminal::print("Press Ctrl-C to stop.\n")?;
    server.run_until(|live| interrupt.is_set() || live.is_over());
    server.into_site().into_book()
}

/// The time of a frame.
fn target(microseconds: f64) -> Result<Duration, LimitError> {
    match Limit::microseconds(microseconds)? {
        Limit::Time(time) => Ok(time),
        _ => Ok(Duration::MAX),
    }
}
