//! The command `nearhit`.
//!
//! | module | question |
//! |---|---|
//! | [`check`], [`distance`], [`within`] | two files: do they touch, how far apart are they, are they too close? |
//! | [`clash`] | many parts: which clash, touch, are too close, inside each other, duplicates? |
//! | [`info`] | what is in a file? |
//! | [`build`] | a tree is built once and kept in a file |
//! | [`spheres`] | a mesh is covered with spheres, level by level |
//! | [`run`] | `nearhit run`: a case, a query, what it answers and what it costs |
//! | [`cases`] | the papers' data sets |
//! | [`view`] | `nearhit view`: two bodies in the browser, to be dragged |
//! | [`demo`] | `nearhit demo`: the same on built-in data, as a page to look at |
//! | [`fly`] | `nearhit fly`: a ship among drones, in frames that end in time |
//! | [`completions`] | how does a shell complete all this? |
//! | [`bodies`] | two files as two placed bodies |
//! | [`volume`], [`limit`], [`tolerance`] | what are models made of, when must a query stop, how exact must it be? |
//! | [`exit`] | how does a command end? |
//!
//! Every subcommand has two stages: what was typed becomes what it means (all complaints come here), then that is done.

pub mod bodies;
mod browser;
pub mod build;
pub mod cases;
pub mod check;
pub mod clash;
pub mod completions;
pub mod demo;
pub mod distance;
pub mod exit;
pub mod fly;
mod hint;
pub mod info;
mod interrupt;
mod assessment;
pub mod budget;
mod model_file;
mod output;
mod progress;
pub mod run;
mod format;
mod solid;
pub mod spheres;
mod terminal;
pub mod tolerance;
pub mod view;
pub mod volume;
pub mod within;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

/// Proximity questions about triangle meshes: do they touch, where, how far apart are they, and at what cost.
#[derive(Debug, Parser)]
#[command(name = "nearhit", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Args),
    Distance(distance::Args),
    Within(within::Args),
    Clash(clash::Args),
    Info(info::Args),
    Build(build::Args),
    Spheres(spheres::Args),
    Run(run::Args),
    Cases(cases::Args),
    View(view::Args),
    Demo(demo::Args),
    Fly(fly::Args),
    Completions(completions::Args),
}

const EXAMPLES: &str = "\
Examples:
  nearhit demo                              see it work on built-in data, in the terminal and in the browser
  nearhit check wheel.stl axle.stl          do they touch, and where?
  nearhit distance wheel.stl axle.stl       how far apart are they, and where are they closest?
  nearhit within 0.5 wheel.stl axle.stl     are they too close?
  nearhit clash machine.glb --html out.html which parts of an assembly clash, with a picture of each?
  nearhit view wheel.stl axle.stl           look at both in the browser, drag them, see the distance
  nearhit info wheel.stl                    what is in the file?
  nearhit build wheel.stl                   build its tree once: wheel.nhm then stands for it
  nearhit spheres wheel.stl -o wheel.json   cover it with spheres, level by level
  nearhit run cases/pipes --query collide   how often do they touch, and how long does an answer take?
  nearhit cases pipes                       make one of the papers' data sets
  nearhit fly                               steer a space-ship among drones, in frames that end in time
  nearhit check --help                      all about poses, budgets and exit codes

Exit codes: 0 done, 1 contact found (commands that look for it), 2 error, 3 stopped early with a partial answer.";

/// Runs the command with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let result = match CommandLine::parse().command {
        Command::Check(args) => check::command(&args),
        Command::Distance(args) => distance::command(&args),
        Command::Within(args) => within::command(&args),
        Command::Clash(args) => clash::command(&args),
        Command::Info(args) => info::command(&args),
        Command::Build(args) => build::command(&args),
        Command::Spheres(args) => spheres::command(&args),
        Command::Run(args) => run::command(&args),
        Command::Cases(args) => cases::command(&args),
        Command::View(args) => view::command(&args),
        Command::Demo(args) => demo::command(&args),
        Command::Fly(args) => fly::command(&args),
        Command::Completions(args) => completions::command(&args, CommandLine::command()),
    };
    exit::code(result)
}

#[cfg(test)]
mod tests {
    use super::{CommandFactory, CommandLine};

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }
}
