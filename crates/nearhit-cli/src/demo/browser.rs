//! Opens the page, where there is someone to see it.

use std::path::Path;
use std::process::{Command, Stdio};

/// Tries to open `path` in the browser. Returns what to tell the user; not being able to is no error.
pub(super) fn open(path: &Path) -> String {
    if !has_display() {
        return "There is no display here: open that file in a browser.\n".to_owned();
    }
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let quiet = || Stdio::null();
    match opener(&path).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn() {
        Ok(_) => "Opening it in the browser; drag to turn it, move the slider to fly.\n".to_owned(),
        Err(_) => "No program was found to open it: open that file in a browser.\n".to_owned(),
    }
}

fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(target_os = "macos", windows)) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

fn opener(path: &Path) -> Command {
    if cfg!(windows) {
        let mut command = Command::new("cmd");
        // The empty argument is the window's title, which `start` would else take the path for.
        command.args(["/C", "start", ""]).arg(path);
        return command;
    }
    let mut command = Command::new(if cfg!(target_os = "macos") { "open" } else { "xdg-open" });
    command.arg(path);
    command
}
