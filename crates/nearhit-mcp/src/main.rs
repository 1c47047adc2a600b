//! The binary `nearhit-mcp`: a server of the Model Context Protocol (MCP) on stdin and stdout, with
//! the questions of the command `nearhit` as tools.
//!
//! | module | content |
//! |---|---|
//! | `tools` | which tools there are, and their arguments as those of the command |
//! | `answer` | a call: the command in a process of its own, its report as the answer |
//! | `lines` | messages that the protocol's library would drop without an answer |
//! | `server` | the protocol |

mod answer;
mod lines;
mod server;
mod tools;

use std::ffi::OsString;
use std::process::ExitCode;

const HELP: &str = "\
Collision, distance and clash checks of mesh files for agents: a Model Context Protocol server on stdin and stdout.

Usage: nearhit-mcp

Tools: info, distance, overlap, clash, assertions. A client starts it; for example, in its settings:
  { \"mcpServers\": { \"nearhit\": { \"command\": \"nearhit-mcp\" } } }

Paths are read as the command `nearhit` reads them, relative to the folder that the server was started in.
Nothing is written.";

/// What a call's own process is started with: it is the command then.
const COMMAND: &str = "command";

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match arguments.first().and_then(|first| first.to_str()) {
        None if arguments.is_empty() => finish(server::serve()),
        Some(COMMAND) => {
            let rest = arguments.into_iter().skip(1);
            nearhit_cli::run([OsString::from("nearhit")].into_iter().chain(rest))
        }
        Some("--version" | "-V") => {
            println!("nearhit-mcp {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        Some("--help" | "-h") => {
            println!("{HELP}");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("nearhit-mcp: it takes no arguments; see --help");
            ExitCode::from(2)
        }
    }
}

fn finish(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("nearhit-mcp: {error:#}");
            ExitCode::from(2)
        }
    }
}
