//! `nearhit completions`: a script that lets a shell complete the command.

use crate::exit::Finish;
use crate::terminal;
use anyhow::{Context, Result};
use clap_complete::Shell;

/// Print a script that lets a shell complete `nearhit`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Which shell.
    pub shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  nearhit completions bash > ~/.local/share/bash-completion/completions/nearhit
  nearhit completions zsh > ~/.zfunc/_nearhit       (with ~/.zfunc in fpath)
  nearhit completions fish > ~/.config/fish/completions/nearhit.fish";

/// Runs `nearhit completions`.
pub fn command(args: &Args, mut nearhit: clap::Command) -> Result<Finish> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut nearhit, "nearhit", &mut script);
    terminal::print(&String::from_utf8(script).context("the script is not text")?)?;
    Ok(Finish::Done)
}
