//! What can be typed after `nearhit run`. What it means is decided in [`Plan`](super::Plan).

use clap::Args;
use std::path::PathBuf;

/// Ask one query at every pose of a case; tell the answers and what they cost.
#[derive(Debug, Clone, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Typed {
    /// Folder with a.obj, b.obj and poses.txt.
    pub case: PathBuf,

    /// What to ask: collide, contacts, distance, within=T, refine or adb.
    #[arg(long, value_name = "QUERY")]
    pub query: String,

    /// What the trees are made of: auto, sphere, aabb, obb, kdop6, kdop14, kdop18, kdop26, kdopN, lss, rss or mixed.
    #[arg(long, value_name = "VOLUME", default_value = "auto")]
    pub volume: String,

    /// Which open pair of nodes next: depth, best or breadth [default: depth].
    #[arg(long, value_name = "ORDER")]
    pub agenda: Option<String>,

    /// Accept a distance that is too large by this fraction.
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub rel_error: Option<f64>,

    /// Accept a distance that is too large by this much.
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    pub abs_error: Option<f64>,

    /// Start each query from what the one before found.
    #[arg(long)]
    pub warm: bool,

    /// Stop each query after this many microseconds; what is not known then is "maybe" (null).
    #[arg(long, value_name = "B", conflicts_with = "work", allow_negative_numbers = true)]
    pub budget_us: Option<f64>,

    /// Stop each query after this many tests of volumes and triangles: repeatable, unlike time.
    #[arg(long, value_name = "N")]
    pub work: Option<u64>,

    /// Open only pairs whose probability of collision is at least this.
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub p_min: Option<f64>,

    /// Believe in a collision after this many likely pairs.
    #[arg(long, value_name = "K")]
    pub k_min: Option<u32>,

    /// Threads to divide the poses among; the answers are the same for any number.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,

    /// Go through all poses this many times; the last pass is timed.
    #[arg(long, value_name = "K", default_value_t = 2)]
    pub repeat: usize,

    /// One line of JSON on stdout instead of a table.
    #[arg(long)]
    pub json: bool,

    /// Also write each pose's answer to this file, a line of JSON each.
    #[arg(long, value_name = "FILE.jsonl")]
    pub per_pose: Option<PathBuf>,
}

const ABOUT: &str = "\
Ask one query at every pose of a case; tell the answers and what they cost.

A case is a folder with two meshes, a.obj and b.obj, and poses.txt: a line a query, 24 numbers, the rotation of a row by \
row, its translation, and the same of b (world = R x + t). Times are per query, without loading and building.";

const EXAMPLES: &str = "\
Examples:
  Do they touch? A table of answers, work (N_v, N_p, N_u) and times:
      nearhit run cases/bunny-close --query collide

  All intersecting triangle pairs, in 18-DOPs, two threads, each pose's answer to a file:
      nearhit run cases/pipes --query contacts --volume kdop18 --threads 2 --per-pose pipes.jsonl

  At most 20 microseconds a query; a line for scripts:
      nearhit run cases/swept --query collide --budget-us 20 --json

In the JSON, null means \"not produced by this query\" or, in a pose's line, \"maybe: the budget ran out\". `colliding` counts
the poses that certainly touch; `contacts` is null if any pose's list is incomplete.";
