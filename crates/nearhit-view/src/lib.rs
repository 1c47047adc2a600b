//! The viewer: two bodies in the browser, asked about by the library while they are dragged; and
//! what any page of this program needs, as the simulator's does.
//!
//! | module | question |
//! |---|---|
//! | [`server`] | who may ask, how much and for how long, and who answers (its own modules are listed there) |
//! | [`site`] | what is behind a server: questions in, replies out |
//! | [`pages`] | the pages, as parts of the program |
//! | [`scene`] | what the viewer shows |
//! | `view` | what its page may ask |
//! | `answer` | do they touch, where, how far apart are they, in these places |
//! | `volumes` | what does a level of a tree look like |
//! | `compare` | what does each volume cost here |
//! | `flight` | what happens along the poses of a case |
//! | `likely` | where do they likely touch, by an average-case search |
//! | `refine` | what is certain when there is little time; `spheres` makes the trees for it |
//!
//! The page, with three.js in it, is part of the binary (`assets/`, made from `web/` by
//! `scripts/viewer-bundle`). The server listens on the loopback address only, on a free port, under
//! a path that cannot be guessed, and has no way to read a file: everything it tells was handed to
//! it at the start.

mod admission;
mod answer;
mod compare;
mod connections;
mod conversation;
mod flight;
mod likely;
pub mod limits;
pub mod pages;
mod refine;
pub mod scene;
pub mod server;
pub mod site;
mod spheres;
mod view;
mod volumes;
mod wire;

pub use limits::Limits;
pub use scene::{Body, Scene};
pub use server::Server;
pub use site::{Question, Reply, Site};

/// The code of the crate's README is compiled with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
