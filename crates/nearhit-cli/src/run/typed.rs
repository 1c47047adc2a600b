//! What can be typed after `nearhit run`. What it means is decided in [`Plan`](super::Plan).

use crate::limit::TypedLimit;
use crate::tolerance::TypedTolerance;
use clap::{Args, ValueEnum};
use nearhit::research::adb::Rule;
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

    /// What the trees are made of: auto (auto:fast, auto:best, auto:compact to build it sooner, better, smaller), sphere, aabb, obb, kdop6, 14, 18, 26, 50, 74 or 98, lss, rss, mixed or dynamic.
    #[arg(long, value_name = "VOLUME", default_value = "auto")]
    pub volume: String,

    /// Which open pair of nodes next: depth, best, breadth or plain [default: depth].
    #[arg(long, value_name = "ORDER")]
    pub agenda: Option<String>,

    /// How exact a distance must be.
    #[command(flatten)]
    pub tolerance: TypedTolerance,

    /// Start each query from what the one before found. Verdicts are the same; intervals of --query refine may be wider.
    #[arg(long)]
    pub warm: bool,

    /// When each query stops.
    #[command(flatten)]
    pub limit: TypedLimit,

    /// Count a pair of nodes as likely if its estimated probability is at least this [default: 0.99].
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub p_min: Option<f64>,

    /// End the search after this many pairs that count [default: 10].
    #[arg(long, value_name = "K")]
    pub k_min: Option<u32>,

    /// How often bodies touch whose boxes meet, if you know: probabilities of answers that are not certain lean on it, those of interrupted searches most. Taken as 0.001 to 0.999 [default: as in what they were fitted on, half].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub base_rate: Option<f64>,

    /// Which pairs of nodes count: those whose surfaces are flat and cross, and triangles that touch; or likely ones anywhere in the trees, as in the paper: often wrong where bodies pass closely.
    #[arg(long, value_name = "RULE", value_enum, default_value_t)]
    pub rule: TypedRule,

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

    /// Add to each pose's line the triangles that decided it and their closest points, in world coordinates.
    #[arg(long, requires = "per_pose")]
    pub witness: bool,
}

/// Which pairs of nodes an average-case search counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum TypedRule {
    /// Flat pieces that cross, and triangles that touch.
    #[default]
    Crossings,
    /// Likely ones, anywhere in the trees.
    Anywhere,
}

impl From<TypedRule> for Rule {
    fn from(typed: TypedRule) -> Self {
        match typed {
            TypedRule::Crossings => Self::Crossings,
            TypedRule::Anywhere => Self::Anywhere,
        }
    }
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

  How far apart, to one per cent, each query starting from the pair of triangles that the one before found:
      nearhit run cases/swept --query distance --rel-error 0.01 --warm

  At how many poses are they at most 0.05 apart? At most 20 microseconds a query; a line for scripts:
      nearhit run cases/swept --query within=0.05 --budget-us 20 --json

  How likely is a contact? An average-case search of at most 50 volume tests a pose; null where it was interrupted:
      nearhit run cases/pipes --query adb --k-min 5 --work 50 --per-pose pipes.jsonl

--query adb stops at flat pieces of surface that cross, and has a calibrated probability, also when interrupted; 0 and 1
are certain. With --volume auto it searches trees of oriented boxes, for which it is calibrated. --rule anywhere is the
paper's search: calibrated for tumbling bodies only, and where bodies pass closely it says yes too often.

In the JSON, null means \"not produced by this query\" or, in a pose's line, \"maybe: the budget ran out\". `colliding` counts
the poses that certainly touch (--query adb: that likely do), `within` those that are certainly close enough; `contacts` is null if any pose's list is
incomplete; `sum_distance` adds up the upper ends of the intervals.";
