//! Drives the built binary.

mod bodies;
mod build;
mod cases;
mod check;
mod clash;
mod clash_files;
mod demo;
mod distances;
mod fly;
mod info;
mod nc;
mod path;
mod refusals;
mod robot;
mod run;
mod schema;
mod shapes;
mod solid;
mod spheres;
mod support;
mod view;
