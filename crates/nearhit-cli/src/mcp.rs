//! `nearhit mcp`: the questions of this command as tools for agents, by the program `nearhit-mcp`.
//!
//! A program of its own, because the protocol's library would add some twenty seconds of processor
//! time to the build of this one.

use crate::exit::Finish;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// Serve agents: a Model Context Protocol server on stdin and stdout.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT)]
pub struct Args {}

const ABOUT: &str = "\
Serve agents: a Model Context Protocol server on stdin and stdout.

Starts the program nearhit-mcp, which is installed beside this one: cargo install --path
crates/nearhit-mcp. Its tools are info, distance, overlap, clash and assertions; answers are what
this command prints with --json. Files are read, never written. A client's settings name either:

  { \"mcpServers\": { \"nearhit\": { \"command\": \"nearhit-mcp\" } } }";

const PROGRAM: &str = "nearhit-mcp";

/// Runs `nearhit mcp`.
pub fn command(_args: &Args) -> Result<Finish> {
    let program = installed_program().unwrap_or_else(|| PathBuf::from(PROGRAM));
    let status = match Command::new(&program).status() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!(
            "the program {PROGRAM} is neither beside this one nor on the path; install it: cargo install --path \
             crates/{PROGRAM}"
        ),
        other => other.with_context(|| format!("{}: cannot be started", program.display()))?,
    };
    if !status.success() {
        bail!("{}: {status}", program.display());
    }
    Ok(Finish::Done)
}

/// In the folder of this program, where both are installed.
fn installed_program() -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_file_name(PROGRAM).with_extension(std::env::consts::EXE_EXTENSION);
    path.is_file().then_some(path)
}
