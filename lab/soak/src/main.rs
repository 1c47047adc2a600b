//! Differential soak: setups of every size and many degenerate families are made from a seed, every
//! query is asked of every engine, and the answers are compared with rational arithmetic. What
//! fails is made smaller and written to a file, which `--replay` asks again and which becomes a
//! test.
//!
//! | module | what |
//! |---|---|
//! | `setup` | two soups, a pose, a point and a ray from a seed; as a file |
//! | `surfaces` | questions about two surfaces, by every engine and agenda |
//! | `budgets` | what is said when work runs out |
//! | `points` | points and rays against one mesh |
//! | `solids` | solids, clash, scenes, files |
//! | `shapes` | two convex shapes; a mesh with one |
//! | `volumes` | volumes in common, depths |
//! | `motions` | first contact, all contacts, series of poses |
//! | `others` | self-contacts, points by every engine, refinement, estimates, scenes' distances |
//! | `shrink` | the smallest setup that still fails |
//! | `state` | where to go on, and what was counted |

mod budgets;
mod motions;
mod others;
mod points;
mod setup;
mod shapes;
mod shrink;
mod solids;
mod state;
mod surfaces;
mod volumes;

use anyhow::{Context, Result};
use clap::Parser;
use setup::Setup;
use state::State;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Asks every query of every engine about random setups and compares with rational arithmetic.
#[derive(Debug, Parser)]
#[command(name = "soak")]
struct Args {
    /// How long.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Of the setups; the same seed asks the same questions. Default: that of the state file, or 1.
    #[arg(long)]
    seed: Option<u64>,
    /// At most so many setups.
    #[arg(long)]
    rounds: Option<u64>,
    /// Where to go on next time, and where failures are put.
    #[arg(long, default_value = "target/soak")]
    folder: PathBuf,
    /// Only checks whose name contains this.
    #[arg(long)]
    only: Option<String>,
    /// Asks again what a file of a failure says, and nothing else.
    #[arg(long)]
    replay: Option<PathBuf>,
}

/// One kind of question, judged. The answer: how many were asked.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    /// Asked of one setup in so many.
    pub(crate) every: u64,
    pub(crate) ask: fn(&Setup) -> Result<u64, String>,
}

const CHECKS: [Check; 24] = [
    Check { name: "collide", every: 1, ask: surfaces::collide },
    Check { name: "contacts", every: 1, ask: surfaces::contacts },
    Check { name: "distance", every: 1, ask: surfaces::distance },
    Check { name: "within", every: 1, ask: surfaces::within },
    Check { name: "pairs", every: 3, ask: surfaces::pairs },
    Check { name: "exchange", every: 3, ask: surfaces::exchange },
    Check { name: "budgets", every: 1, ask: budgets::budgets },
    Check { name: "closest", every: 1, ask: points::closest },
    Check { name: "rays", every: 1, ask: points::rays },
    Check { name: "contains", every: 1, ask: points::contains },
    Check { name: "solids", every: 3, ask: solids::solids },
    Check { name: "rooms", every: 7, ask: solids::rooms },
    Check { name: "convex", every: 1, ask: shapes::convex },
    Check { name: "meshes", every: 3, ask: shapes::meshes },
    Check { name: "overlap", every: 1, ask: volumes::overlap },
    Check { name: "boxes", every: 3, ask: volumes::boxes },
    Check { name: "hulls", every: 1, ask: volumes::hulls },
    Check { name: "motions", every: 3, ask: motions::motions },
    Check { name: "paths", every: 7, ask: motions::paths },
    Check { name: "self", every: 3, ask: others::self_contacts },
    Check { name: "engines", every: 3, ask: others::points },
    Check { name: "refine", every: 3, ask: others::refine },
    Check { name: "estimates", every: 7, ask: others::estimates },
    Check { name: "scenes", every: 7, ask: others::scenes },
];

/// Asks, and takes a panic for a failure.
pub(crate) fn asked(check: &Check, setup: &Setup) -> Result<u64, String> {
    catch_unwind(AssertUnwindSafe(|| (check.ask)(setup))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

fn main() -> Result<()> {
    let args = Args::parse();
    std::panic::set_hook(Box::new(|_| ()));
    if let Some(file) = &args.replay {
        return replay(file);
    }
    std::fs::create_dir_all(&args.folder).with_context(|| args.folder.display().to_string())?;
    let mut state = State::load(&args.folder, args.seed)?;
    println!("seed {}, from setup {}", state.seed, state.next);
    let (start, minutes) = (Instant::now(), Duration::from_secs_f64(60.0 * args.minutes.max(0.0)));
    let (mut done, mut saved) = (0, Instant::now());
    while start.elapsed() < minutes && args.rounds.is_none_or(|rounds| done < rounds) {
        ask_all(&mut state, &args)?;
        done += 1;
        if saved.elapsed() > Duration::from_secs(20) {
            state.save(&args.folder)?;
            saved = Instant::now();
        }
    }
    state.minutes += start.elapsed().as_secs_f64() / 60.0;
    state.save(&args.folder)?;
    print!("{}", state.table());
    if state.failures() > 0 { std::process::exit(1) } else { Ok(()) }
}

fn ask_all(state: &mut State, args: &Args) -> Result<()> {
    let (seed, round) = (state.seed, state.next);
    let setup = Setup::new(seed, round);
    for check in CHECKS.iter().filter(|check| round % check.every == 0) {
        if args.only.as_ref().is_some_and(|only| !check.name.contains(only.as_str())) {
            continue;
        }
        match asked(check, &setup) {
            Ok(count) => state.count(check.name, setup.family, count, 0),
            Err(_) => {
                let small = shrink::shrink(check, &setup);
                let message = asked(check, &small).err().unwrap_or_default();
                let file = args.folder.join(format!("{}-{seed}-{round}.soak", check.name));
                std::fs::write(&file, small.text(check.name, &message)).with_context(|| file.display().to_string())?;
                println!("FAILED {} seed {seed} setup {round} ({}): {}", check.name, setup.family, file.display());
                println!("  {}", message.lines().next().unwrap_or_default());
                state.count(check.name, setup.family, 1, 1);
            }
        }
    }
    state.next += 1;
    Ok(())
}

fn replay(file: &Path) -> Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let (name, setup) = Setup::from_text(&text).with_context(|| file.display().to_string())?;
    let check = CHECKS.iter().find(|check| check.name == name).with_context(|| format!("no check {name}"))?;
    match asked(check, &setup) {
        Ok(count) => println!("{name}: {count} questions, all right"),
        Err(message) => {
            println!("{name}: {message}");
            std::process::exit(1);
        }
    }
    Ok(())
}
