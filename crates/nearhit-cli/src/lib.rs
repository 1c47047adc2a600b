//! The command `nearhit`.
//!
//! | module | question |
//! |---|---|
//! | [`run`] | `nearhit run`: a case, a query, what it answers and what it costs |
//! | [`demo`] | `nearhit demo`: the same on built-in data, as a page to look at |
//! | [`case`], [`poses`] | what is in a case folder? |
//! | [`exit`] | how does a command end? |
//!
//! Every subcommand has two stages: what was typed becomes what it means (all complaints come here), then that is done.

pub mod case;
pub mod demo;
pub mod exit;
pub mod poses;
mod progress;
pub mod run;
mod terminal;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Proximity questions about triangle meshes: do they touch, where, and at what cost.
#[derive(Debug, Parser)]
#[command(name = "nearhit", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Typed),
    Demo(demo::Typed),
}

const EXAMPLES: &str = "\
Examples:
  nearhit demo                              see it work on built-in data, in the terminal and in the browser
  nearhit run cases/pipes --query collide   how often do they touch, and how long does an answer take?
  nearhit run --help                        all about cases, queries and volumes

Exit codes: 0 done, 1 contact found (commands that look for it), 2 error, 3 stopped early with a partial answer.";

/// Runs the command with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let result = match CommandLine::parse().command {
        Command::Run(typed) => run::command(&typed),
        Command::Demo(typed) => demo::command(&typed),
    };
    exit::code(result)
}
