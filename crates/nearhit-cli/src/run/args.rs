//! Arguments of `nearhit run`. What they mean is decided in [`Plan`](super::Plan).

use crate::budget::BudgetArgs;
use crate::tolerance::ToleranceArgs;
use crate::volume::{RESEARCH, VolumeArgs};
use clap::ValueEnum;
use nearhit::research::adb::Rule;
use std::path::PathBuf;

/// Benchmark a query at every pose of a case: answers, work and times.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES, after_help = "See --help for examples.")]
pub struct Args {
    /// Folder with a.obj, b.obj and poses.txt.
    pub case: PathBuf,

    /// Query: collide, contacts, distance, within=T, refine or adb.
    #[arg(long, value_name = "QUERY")]
    pub query: String,

    /// Bounding volumes.
    #[command(flatten)]
    pub volume: VolumeArgs,

    /// Order of traversal: auto, depth, best, breadth or plain [default: auto]
    #[arg(long, value_name = "ORDER", help_heading = RESEARCH)]
    pub agenda: Option<String>,

    /// How exact a distance must be.
    #[command(flatten)]
    pub tolerance: ToleranceArgs,

    /// Warm start: each query begins with the witness of the one before. Verdicts are the same;
    /// intervals of --query refine may be wider.
    #[arg(long)]
    pub warm: bool,

    /// When each query stops.
    #[command(flatten)]
    pub budget: BudgetArgs,

    /// With --query adb: count a pair of nodes if its estimated probability is at least this
    /// [default: 0.99]
    #[arg(long, value_name = "P", allow_negative_numbers = true, help_heading = RESEARCH)]
    pub p_min: Option<f64>,

    /// With --query adb: stop after this many pairs that count [default: 10]
    #[arg(long, value_name = "K", help_heading = RESEARCH)]
    pub k_min: Option<u32>,

    /// With --query adb: how often bodies touch whose boxes meet, if known, from 0 to 1; what is
    /// nearer to 0 or 1 than 0.001 counts as 0.001 or 0.999 [default: 0.5]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, help_heading = RESEARCH)]
    pub base_rate: Option<f64>,

    /// With --query adb: which pairs of nodes count.
    #[arg(long, value_name = "RULE", value_enum, default_value_t, help_heading = RESEARCH)]
    pub rule: RuleArg,

    /// Number of threads; the answers do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,

    /// Number of passes over all poses; the last is timed.
    #[arg(long, value_name = "K", default_value_t = 2)]
    pub repeat: usize,

    /// Print one line of JSON instead of a table.
    #[arg(long)]
    pub json: bool,

    /// Also write the answer of each pose to this file, one line of JSON each.
    #[arg(long, value_name = "FILE.jsonl")]
    pub per_pose: Option<PathBuf>,

    /// Add the triangles that decided each answer and their closest points, in world coordinates,
    /// to --per-pose.
    #[arg(long, requires = "per_pose")]
    pub witness: bool,
}

/// Pairs of nodes that an average-case search counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum RuleArg {
    /// Flat patches of surface that cross, and triangles that touch.
    #[default]
    Crossings,
    /// Likely pairs anywhere in the trees, as in the paper: often wrong where bodies pass closely.
    Anywhere,
}

impl From<RuleArg> for Rule {
    fn from(arg: RuleArg) -> Self {
        match arg {
            RuleArg::Crossings => Self::Crossings,
            RuleArg::Anywhere => Self::Anywhere,
        }
    }
}

const ABOUT: &str = "\
Benchmark a query at every pose of a case: answers, work and times.

A case is a folder with two meshes, a.obj and b.obj, and poses.txt: one line per query with 24
numbers, the rotation of a row by row, its translation, and the same of b (world = R x + t). Times
are per query, without loading and building.";

const EXAMPLES: &str = "\
Examples:
  Collision tests: a table of answers, work (N_v, N_p, N_u) and times:
      nearhit run cases/pipes --query collide

  All intersecting triangle pairs, with 18-DOPs and two threads, the answer of each pose in a file:
      nearhit run cases/pipes --query contacts --volume kdop18 --threads 2 --per-pose pipes.jsonl

  Distances to one per cent, with warm starts:
      nearhit run cases/swept --query distance --rel-error 0.01 --warm

  Poses at most 0.05 apart, in at most 20 microseconds a query; a line of JSON:
      nearhit run cases/swept --query within=0.05 --budget-us 20 --json

  Probability of collision after at most 50 volume tests a pose; null where the search was interrupted:
      nearhit run cases/pipes --query adb --k-min 5 --work 50 --per-pose pipes.jsonl

--query adb stops at flat patches of surface that cross, and gives a calibrated probability, also when interrupted; 0
and 1 are certain. With --volume auto it searches trees of oriented boxes, for which it is calibrated. --rule anywhere
is the paper's search: calibrated for tumbling bodies only, and too often positive where bodies pass closely.

In the JSON, null means \"not produced by this query\" or, in the line of a pose, \"maybe: the budget ran out\".
`colliding` counts the poses that certainly touch (--query adb: that likely do), `within` those that are certainly
close enough; `contacts` is null if any list is incomplete; `sum_distance` adds up the upper ends of the intervals, and
is null if one of them is not known.";
