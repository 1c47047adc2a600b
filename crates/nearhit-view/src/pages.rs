//! The pages, and what they are made of: parts of the program. three.js is in `three.js`, with
//! which all scripts were bundled.

use crate::site::Reply;

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PAGE: &str = "text/html; charset=utf-8";

/// The viewer's.
pub(crate) fn view(path: &str) -> Option<Reply> {
    match path {
        "/" => Some(Reply::asset(include_str!("../assets/page.html"), PAGE)),
        "/view.js" => Some(Reply::asset(include_str!("../assets/view.js"), SCRIPT)),
        _ => shared(path),
    }
}

/// The simulator's: what is at a path of its page, if anything is.
#[must_use]
pub fn fly(path: &str) -> Option<Reply> {
    match path {
        "/" => Some(Reply::asset(include_str!("../assets/fly.html"), PAGE)),
        "/fly.js" => Some(Reply::asset(include_str!("../assets/fly.js"), SCRIPT)),
        "/fly.css" => Some(Reply::asset(include_str!("../assets/fly.css"), STYLE)),
        _ => shared(path),
    }
}

/// A robot's: what is at a path of its page, if anything is.
#[must_use]
pub fn robot(path: &str) -> Option<Reply> {
    match path {
        "/" => Some(Reply::asset(include_str!("../assets/robot.html"), PAGE)),
        "/robot.js" => Some(Reply::asset(include_str!("../assets/robot.js"), SCRIPT)),
        _ => shared(path),
    }
}

fn shared(path: &str) -> Option<Reply> {
    match path {
        "/three.js" => Some(Reply::asset(include_str!("../assets/three.js"), SCRIPT)),
        "/page.css" => Some(Reply::asset(include_str!("../assets/page.css"), STYLE)),
        "/licences" => Some(Reply::asset(include_str!("../assets/LICENSE-three.txt"), "text/plain; charset=utf-8")),
        _ => None,
    }
}
