//! The command `nearhit`: collision, distance and clash checks of mesh files.
//!
//! | module | content |
//! |---|---|
//! | [`check`], [`distance`], [`within`] | collision, distance and tolerance of two mesh files |
//! | [`path`] | smallest clearance and first contact along a path |
//! | [`clash`] | clash detection in an assembly |
//! | [`nc`] | NC programs: tool and holder against part, stock and fixture |
//! | [`robot`] | robots: URDF and SRDF, collisions, certified motion |
//! | [`info`] | mesh inspection |
//! | [`build`] | BVH construction, saved in a model file |
//! | [`spheres`] | bounding sphere hierarchies |
//! | [`run`](mod@run) | benchmarks: a query at every pose of a case |
//! | [`cases`] | generated data sets |
//! | [`view`] | interactive viewer of two bodies, or of a robot |
//! | [`demo`] | demonstration on built-in data, as a page |
//! | [`fly`] | flight simulator with time-critical detection |
//! | [`mcp`] | a server for agents (Model Context Protocol) |
//! | [`completions`] | shell completions |
//! | [`bodies`] | two mesh files as two placed bodies |
//! | [`volume`], [`budget`], [`tolerance`] | options that several commands share |
//! | [`exit`] | exit codes |
//!
//! Answers are those of [`nearhit::report`]. Every subcommand checks all its arguments before it
//! reads a file.

mod assessment;
pub mod bodies;
mod browser;
pub mod budget;
pub mod build;
pub mod cases;
pub mod check;
pub mod clash;
pub mod completions;
pub mod demo;
pub mod distance;
pub mod exit;
pub mod fly;
mod format;
mod help;
pub mod info;
mod interrupt;
pub mod mcp;
mod model_file;
pub mod nc;
mod output;
pub mod path;
mod progress;
pub mod robot;
pub mod run;
mod solid;
pub mod spheres;
mod terminal;
pub mod tolerance;
pub mod view;
pub mod volume;
pub mod within;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Collision, distance and clash checks of triangle meshes.
#[derive(Debug, Parser)]
#[command(name = "nearhit", version, arg_required_else_help = true, after_help = EXAMPLES, max_term_width = help::WIDEST)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Args),
    Distance(distance::Args),
    Within(within::Args),
    Path(path::Args),
    Clash(clash::Args),
    Nc(nc::Args),
    Robot(robot::Args),
    Info(info::Args),
    Build(build::Args),
    Spheres(spheres::Args),
    Run(run::Args),
    Cases(cases::Args),
    View(view::Args),
    Demo(demo::Args),
    Fly(fly::Args),
    Mcp(mcp::Args),
    Completions(completions::Args),
}

/// Commands for benchmarks and studies: the help lists them after the others.
const RESEARCH: [&str; 4] = ["spheres", "run", "cases", "fly"];

fn help_template(width: usize) -> String {
    let all = Command::augment_subcommands(clap::Command::new("nearhit"));
    let list = |is_research: bool| -> String {
        let listed = all.get_subcommands().filter(|one| RESEARCH.contains(&one.get_name()) == is_research);
        listed
            .map(|one| format!("  {:<12}  {}", one.get_name(), one.get_about().cloned().unwrap_or_default()))
            .map(|line| help::wrapped(&line, width) + "\n")
            .collect()
    };
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\nCommands:\n{}\nResearch:\n{}\nOptions:\n{{options}}{{after-help}}",
        list(false),
        list(true),
    )
}

const EXAMPLES: &str = "\
Examples:
  nearhit demo                              a demonstration on built-in data
  nearhit check wheel.stl axle.stl          do they touch, and where?
  nearhit distance wheel.stl axle.stl       distance and closest points
  nearhit within 0.5 wheel.stl axle.stl     are they closer than 0.5?
  nearhit path wheel.stl axle.stl --poses way.txt  smallest clearance along a path
  nearhit clash machine.glb --html out.html clashes of an assembly, with a picture of each
  nearhit nc --demo                         check an NC program, built in; nc --help has more
  nearhit robot check arm.urdf --q \"0 1 2\"    which bodies of a robot touch?
  nearhit view wheel.stl axle.stl           view and drag both in the browser
  nearhit info wheel.stl                    inspect a mesh file
  nearhit build wheel.stl                   build its tree once, as wheel.nhm
  nearhit mcp                               serve agents (Model Context Protocol)
  nearhit check --help                      poses, budgets and exit codes
  nearhit cases pipes                       generate a data set
  nearhit run cases/pipes --query collide   benchmark a query on it

Exit codes: 0 done, 1 contact found (check, within, path, clash, nc, robot), 2 error, 3 stopped early with a partial answer.";

/// The command line with help for lines of so many characters.
fn fitted_command(width: usize) -> clap::Command {
    help::fitted(CommandLine::command().help_template(help_template(width)), width)
}

/// Runs the command with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    run(std::env::args_os())
}

/// Its arguments, for programs that offer them in other ways.
#[must_use]
pub fn command_line() -> clap::Command {
    CommandLine::command()
}

/// Runs the command with these arguments; the first is the program's name.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let matches = fitted_command(help::width()).get_matches_from(arguments);
    let line = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let result = match line.command {
        Command::Check(args) => check::command(&args),
        Command::Distance(args) => distance::command(&args),
        Command::Within(args) => within::command(&args),
        Command::Path(args) => path::command(&args),
        Command::Clash(args) => clash::command(&args),
        Command::Nc(args) => nc::command(&args),
        Command::Robot(args) => robot::command(&args),
        Command::Info(args) => info::command(&args),
        Command::Build(args) => build::command(&args),
        Command::Spheres(args) => spheres::command(&args),
        Command::Run(args) => run::command(&args),
        Command::Cases(args) => cases::command(&args),
        Command::View(args) => view::command(&args),
        Command::Demo(args) => demo::command(&args),
        Command::Fly(args) => fly::command(&args),
        Command::Mcp(args) => mcp::command(&args),
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

    /// On a terminal of 80 columns, too; what cannot be broken may be longer.
    #[test]
    fn help_fits_narrow_terminals() {
        for width in [80, 100] {
            let mut all = vec![super::fitted_command(width).term_width(width)];
            while let Some(mut command) = all.pop() {
                let help = command.render_long_help().to_string();
                let wide = help.lines().find(|line| line.chars().count() > width && line.trim().contains(' '));
                assert_eq!(wide, None, "{} at {width}:\n{help}", command.get_name());
                all.extend(command.get_subcommands().map(|one| one.clone().term_width(width)));
            }
        }
    }

    #[test]
    fn the_help_lists_every_command_once() {
        let help = super::fitted_command(100).render_help().to_string();
        for command in CommandLine::command().get_subcommands() {
            let listed = help.lines().filter(|line| line.starts_with(&format!("  {} ", command.get_name()))).count();
            assert_eq!(listed, 1, "{}\n{help}", command.get_name());
        }
        assert!(help.find("\nResearch:").is_some_and(|at| help[at..].contains("\n  run ")), "{help}");
    }
}
