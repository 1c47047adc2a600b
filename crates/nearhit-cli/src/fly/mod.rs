//! `nearhit fly`: the sphere-tree paper's space-ship simulator, whose frames end in time.
//!
//! | file | question |
//! |---|---|
//! | `fleet` | what flies, from a file |
//! | `summary` | what the frames took |

mod fleet;
mod summary;

use crate::exit::Finish;
use crate::progress::Progress;
use crate::terminal::{self, Style};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use nearhit::Care;
use nearhit_bench::scenes::flight::record::FrameRecord;
use nearhit_bench::scenes::flight::{Detect, Flight, Plan};
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Fly a ship among drones that bounce off each other, in frames that end in time.
#[derive(Debug, Clone, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Typed {
    /// What flies: lamps, trucks, or a JSON file.
    #[arg(long, value_name = "lamps|trucks|FILE", default_value = "lamps")]
    pub scene: String,

    /// How many frames, of a tenth of a unit of simulated time each.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..))]
    pub frames: u64,

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

const ABOUT: &str = "\
Fly a ship among drones that bounce off each other, in frames that end in time.

The simulator of the sphere-tree paper (Hubbard 1996, §11). Drones steer at random; motion is solved by second-order Runge-Kutta steps; space-time bounds say when to look for \
contacts; ships that meet bounce, and energy and momentum stay the same; the steered ship has infinite mass. With sphere-trees detection ends when the frame's time does: \
what was not told apart by then is taken to have met, as in the paper.

A scene file names meshes: {\"ship\": \"a.stl\", \"drones\": [{\"mesh\": \"b.stl\", \"count\": 9}], \"room\": 12}. Paths are relative to the file; drones farther than \
\"room\" from the middle turn back.

The file of --csv has a line for each frame. Times are in microseconds, by the wall clock but for *_cpu_us; late_cpu_us is how much longer detection took than it \
might; mean_gap and max_gap are the true distances of ships that bounced without touching.";

const EXAMPLES: &str = "\
Examples:
  The paper's third run, ten lamps, a tenth of a second for each frame:
      nearhit fly --headless --csv lamps.csv
  The same with a tenth of a millisecond:
      nearhit fly --headless --budget-us 100
  Exactly, for comparison:
      nearhit fly --headless --detect exact";

/// Runs `nearhit fly`.
pub fn command(typed: &Typed) -> Result<Finish> {
    if !typed.headless {
        bail!("steering the ship live is not there yet: add --headless, and a script steers it");
    }
    let target = Duration::try_from_secs_f64(typed.budget_us * 1e-6)
        .ok()
        .with_context(|| format!("--budget-us {}: must be a number of microseconds, at least 0", typed.budget_us))?;
    let fleet = fleet::named(&typed.scene)?;
    // Before the work, so that it is not lost because there is no place to write it.
    let mut csv = typed.csv.as_ref().map(|path| Ok::<_, anyhow::Error>((path, create(path)?))).transpose()?;
    let (detect, care) = match typed.detect {
        Detection::Exact => (Detect::Exact, Care::Quick),
        Detection::Octree => (Detect::Octree, Care::Quick),
        Detection::Medial => (Detect::Medial, Care::Quick),
    };
    let plan = Plan { detect, target, detection: None, seed: typed.seed, care, steering: true };
    // It takes some seconds; only people want to know.
    if detect != Detect::Exact && std::io::stderr().is_terminal() {
        eprintln!("building sphere-trees");
    }
    let mut flight = Flight::new(&fleet, plan)?;
    let progress = Progress::new(typed.frames, "frames");
    let mut records = Vec::new();
    for _ in 0..typed.frames {
        let record = flight.frame()?;
        if let Some((path, file)) = &mut csv {
            writeln!(file, "{}", record.csv()).with_context(|| format!("{}: cannot be written", path.display()))?;
        }
        records.push(record);
        progress.tick(Instant::now());
    }
    if let Some((path, file)) = &mut csv {
        file.flush().with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    drop(progress);
    terminal::print(&summary::table(&records, target, Style::of_stdout()))?;
    Ok(Finish::Done)
}

fn create(path: &PathBuf) -> Result<BufWriter<File>> {
    let unwritable = || format!("{}: cannot be written", path.display());
    let mut file = BufWriter::new(File::create(path).with_context(unwritable)?);
    writeln!(file, "{}", FrameRecord::COLUMNS).with_context(unwritable)?;
    Ok(file)
}
