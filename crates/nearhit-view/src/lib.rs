//! The viewer: two bodies in the browser, asked about by the library while they are dragged.
//!
//! | module | question |
//! |---|---|
//! | [`scene`] | what is shown |
//! | [`server`] | who may ask, and what |
//! | `answer` | do they touch, where, how far apart are they, in these places |
//! | `volumes` | what does a level of a tree look like |
//! | `compare` | what does each volume cost here |
//! | `flight` | what happens along the poses of a case |
//!
//! The page, with three.js in it, is part of the binary (`assets/`, made from `web/` by `scripts/viewer-bundle`). The server listens on the loopback address only, on a free port, under a path that
//! cannot be guessed, and has no way to read a file: everything it tells was handed to it at the start.

mod answer;
mod compare;
mod flight;
pub mod scene;
pub mod server;
mod volumes;

pub use scene::{Body, Scene};
pub use server::Server;
