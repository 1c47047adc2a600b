//! Programs, tools and checks against closed forms and dense sampling.

mod demo;
mod depths;
mod drop_cutter;
mod each;
mod freecad;
mod gouges;
mod hostile;
mod known;
mod limits;
mod oracle;
mod programs;
mod rotary;
mod sampling;
mod scenarios;
mod subprograms;
mod tables;
