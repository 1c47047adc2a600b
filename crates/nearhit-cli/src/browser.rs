//! Opens a page in the browser, if there is a display.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Tries to open a file or an address. Returns what to tell the user, with `hint` if it worked; not
/// being able to is no error.
pub(crate) fn open(target: &OsStr, hint: &str) -> String {
    if !has_display() {
        return "No display: open it in a browser.\n".to_owned();
    }
    let quiet = || Stdio::null();
    match opener(target).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn() {
        Ok(_) => format!("Opening it in the browser; {hint}.\n"),
        Err(_) => "No browser was found: open it in one.\n".to_owned(),
    }
}

fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(target_os = "macos", windows)) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

fn opener(target: &OsStr) -> Command {
    if cfg!(windows) {
        let mut command = Command::new("cmd");
        // The empty argument is the window's title, which `start` would else take the target for.
        command.args(["/C", "start", ""]).arg(target);
        return command;
    }
    let mut command = Command::new(if cfg!(target_os = "macos") { "open" } else { "xdg-open" });
    command.arg(target);
    command
}
