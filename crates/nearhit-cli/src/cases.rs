//! `nearhit cases`: data sets, generated: after the papers' benchmarks, and an assembly.

use crate::exit::Finish;
use crate::terminal::{self, Style, plural};
use anyhow::{Context, Result, bail};
use nearhit::{Model, Pair, Scratch, Settings, Verdict};
use nearhit_cases::generated;
use nearhit_datasets::Soup;
use nearhit_datasets::assembly::{CLEARANCE, sparse_assembly};
use nearhit_datasets::cases::{self, Case, CasePose, Collision};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Generate data sets like the papers' for `nearhit run`, and an assembly for `nearhit clash`.
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct Args {
    /// Data sets to generate, or "all"; without a name they are listed.
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,

    /// Generate small versions: a few thousand triangles, a few dozen poses.
    #[arg(long)]
    pub quick: bool,

    /// Folder in which a folder for each data set is created.
    #[arg(long, value_name = "FOLDER", default_value = "cases")]
    pub out: PathBuf,

    /// Number of parts of the assembly [default: 200]
    #[arg(long, value_name = "N")]
    pub parts: Option<usize>,

    /// Only one in N of the assembly's groups of parts has findings [default: 1]
    #[arg(long, value_name = "N")]
    pub every: Option<usize>,

    /// Write a mesh for every part of the assembly, even where several are equal.
    #[arg(long)]
    pub unshared: bool,
}

const ABOUT: &str = "\
Generate data sets like the papers' for `nearhit run`, and an assembly for `nearhit clash`.

A case is a folder with a.obj (the moving body), b.obj (its surroundings), poses.txt (24 numbers
per query: rotation by rows and translation of a, then of b) and case.json. The papers' own models
are not public: these are generated, of about the same sizes. Without a name the command lists them.
Seeds are fixed: the files are the same everywhere.";

const EXAMPLES: &str = "\
Examples:
  nearhit cases                                list them
  nearhit cases pipes swept                    generate two, in cases/pipes and cases/swept
  nearhit run cases/pipes --query collide      run one
  nearhit cases assembly --parts 2000          generate cases/assembly/assembly.glb, with its expected clashes";

/// A data set.
struct DataSet {
    name: &'static str,
    what: &'static str,
    /// Given whether it is to be small.
    make: fn(bool) -> Case,
}

const ASSEMBLY: &str = "assembly";

const ALL: &[DataSet] = &[
    DataSet {
        name: "pipes",
        what: "k-DOP paper: a pipe network flies in a copy of twice its size",
        make: |quick| cases::pipes(pick(quick, 143_690), pick_steps(quick, 400), 6, by_tree),
    },
    DataSet {
        name: "torus",
        what: "k-DOP paper: a deformed torus among stalagmites",
        make: |quick| cases::torus_in_cave(pick(quick, 98_114), pick_steps(quick, 400), 8, by_tree),
    },
    DataSet {
        name: "747",
        what: "k-DOP paper: an object among 25,000 disjoint tetrahedra",
        make: |quick| cases::tetra(pick(quick, 25_000), pick(quick, 14_646), pick_steps(quick, 400), 7, by_tree),
    },
    DataSet {
        name: "swept",
        what: "k-DOP paper: crossed bars on a path among tetrahedra, touching none",
        make: |quick| cases::swept(pick(quick, 10_000), pick_steps(quick, 400), 9),
    },
    DataSet {
        name: "interior",
        what: "k-DOP paper: a hand on its way through a cabin, touching much",
        make: |quick| cases::hand_in_cabin(pick(quick, 169_944), pick_steps(quick, 2528), 10),
    },
    DataSet {
        name: "nested",
        what: "swept-sphere paper: a sphere in a slightly larger one, in random orientations",
        make: |quick| cases::nested(pick(quick, 20_000) as u32, 0.01, pick_steps(quick, 100), 21),
    },
    DataSet {
        name: "separated",
        what: "swept-sphere paper: two spheres side by side at several gaps",
        make: |quick| {
            cases::separated_spheres(pick(quick, 40_000) as u32, &[0.01, 0.1, 1.0], pick_steps(quick, 30), 22)
        },
    },
    DataSet {
        name: "engine",
        what: "swept-sphere paper, virtual prototyping: pistons in their bores",
        make: |quick| {
            let (sides, fins, steps) = if quick { (24, 8, 8) } else { (96, 60, 20) };
            cases::engine(4, sides, fins, steps, 41)
        },
    },
    DataSet {
        name: "rings",
        what: "swept-sphere paper, dynamics: a chain of ten rings, falling and swaying by formulas",
        make: |quick| cases::falling_rings(16, 8, if quick { 4 } else { 60 }, 42),
    },
    DataSet {
        name: "planning",
        what: "swept-sphere paper, path planning: a wrinkled torus at random places in a cave",
        make: |quick| planning(quick)[0].clone(),
    },
    DataSet {
        name: "verification",
        what: "swept-sphere paper, path verification: the torus of planning on a path through the cave",
        make: |quick| planning(quick)[1].clone(),
    },
    DataSet {
        name: "piano",
        what: "a piano at random places in a room",
        make: |quick| cases::piano(pick_steps(quick, 1000), 23),
    },
    DataSet {
        name: "boxes",
        what: "two cubes of 12 triangles, near each other or touching",
        make: |quick| cases::boxes(0.6, 1.6, pick_steps(quick, 1000), 51),
    },
    DataSet {
        name: "boxes-far",
        what: "two cubes of 12 triangles, three to six sides apart",
        make: |quick| cases::boxes(3.0, 6.0, pick_steps(quick, 1000), 52),
    },
    DataSet {
        name: "tetrahedra",
        what: "two tetrahedra of 4 triangles, near each other or touching",
        make: |quick| cases::tetrahedra(pick_steps(quick, 1000), 53),
    },
    DataSet {
        name: "links-100",
        what: "two links of a robot, of about 100 triangles each",
        make: |quick| cases::links(100, pick_steps(quick, 1000), 54),
    },
    DataSet {
        name: "links-500",
        what: "two links of a robot, of about 500 triangles each",
        make: |quick| cases::links(500, pick_steps(quick, 1000), 55),
    },
    DataSet {
        name: "links-2000",
        what: "two links of a robot, of about 2,000 triangles each",
        make: |quick| cases::links(2000, pick_steps(quick, 1000), 56),
    },
    DataSet {
        name: "sheets",
        what: "two wavy sheets, one close above the other",
        make: |quick| cases::wavy_sheets(if quick { 20 } else { 100 }, pick_steps(quick, 200), 57),
    },
];

fn pick(quick: bool, triangles: usize) -> usize {
    if quick { triangles / 32 } else { triangles }
}

fn pick_steps(quick: bool, steps: usize) -> usize {
    if quick { steps.min(40) } else { steps }
}

fn planning(quick: bool) -> [Case; 2] {
    let (sizes, counts) = if quick { ((1_000, 5_000), (60, 60)) } else { ((20_000, 50_970), (720, 487)) };
    cases::planning(sizes, counts, 43, by_tree)
}

/// Runs `nearhit cases`.
pub fn command(args: &Args) -> Result<Finish> {
    let style = Style::of_stdout();
    if args.names.is_empty() {
        terminal::print(&listed(style))?;
        return Ok(Finish::Done);
    }
    let (sets, with_assembly) = chosen(&args.names)?;
    if !with_assembly && (args.parts.is_some() || args.every.is_some() || args.unshared) {
        bail!("--parts, --every and --unshared have no effect without the data set 'assembly'");
    }
    for set in sets {
        let folder = args.out.join(set.name);
        let mut case = (set.make)(args.quick);
        case.name = set.name.to_owned();
        case.write(&folder).with_context(|| format!("{}: cannot be written", folder.display()))?;
        let (a, b, poses) = (case.a.len(), case.b.len(), plural(case.poses.len() as u64, "pose"));
        terminal::print(&format!("{}: {a} and {b} triangles, {poses}\n", style.bold(&folder.display().to_string())))?;
    }
    if with_assembly {
        write_assembly(args, &args.out.join(ASSEMBLY), style)?;
    }
    Ok(Finish::Done)
}

fn listed(style: Style) -> String {
    let mut text = "Data sets (see --help):\n".to_owned();
    let all = ALL.iter().map(|set| (set.name, set.what));
    let assembly = (
        ASSEMBLY,
        "parts that clash, touch, are too close, are inside each other or duplicate each other, for `nearhit clash`",
    );
    for (name, what) in all.chain([assembly]) {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "  {}  {what}", style.bold(&format!("{name:12}")));
    }
    text
}

/// Data sets, and whether the assembly is wanted.
fn chosen(names: &[String]) -> Result<(Vec<&'static DataSet>, bool)> {
    let (mut sets, mut with_assembly) = (Vec::new(), false);
    for name in names {
        match (name.as_str(), ALL.iter().find(|set| set.name == name)) {
            ("all", _) => {
                sets.extend(ALL);
                with_assembly = true;
            }
            (ASSEMBLY, _) => with_assembly = true,
            (_, Some(set)) => sets.push(set),
            _ => {
                let known: Vec<&str> = ALL.iter().map(|set| set.name).collect();
                bail!("unknown data set '{name}'; known: {}, {ASSEMBLY}, all", known.join(", "));
            }
        }
    }
    Ok((sets, with_assembly))
}

/// A thousand triangles each: some gigabytes.
const MOST_PARTS: usize = 100_000;
const DEFAULT_PARTS: usize = 200;

fn write_assembly(args: &Args, folder: &Path, style: Style) -> Result<()> {
    let parts = args.parts.unwrap_or(DEFAULT_PARTS);
    if !(2..=MOST_PARTS).contains(&parts) {
        bail!("--parts {parts}: must be from 2 to {MOST_PARTS}");
    }
    let made = sparse_assembly(parts, args.every.unwrap_or(1), 0xc1a5);
    let mut known = "class,a,b\n".to_owned();
    for expected in &made.expected {
        let _ = writeln!(known, "{},{},{}", expected.known.class(), expected.names[0], expected.names[1]);
    }
    let bytes = if args.unshared { made.to_glb_unshared() } else { made.to_glb() };
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).with_context(|| format!("{}: cannot be written", path.display()))
    };
    std::fs::create_dir_all(folder).with_context(|| format!("{}: cannot be created", folder.display()))?;
    put("assembly.glb", &bytes)?;
    put("expected.csv", known.as_bytes())?;
    let file = style.bold(&folder.join("assembly.glb").display().to_string());
    let (parts, findings) = (plural(parts as u64, "part"), plural(made.expected.len() as u64, "finding"));
    terminal::print(&format!("{file}: {parts}; expected.csv lists the {findings} of --clearance {CLEARANCE}\n"))
}

/// Billiard paths turn back where the library says that something was hit.
fn by_tree<'m>(a: &'m Soup, b: &'m Soup) -> Collision<'m> {
    let (a, b) = (Model::new(generated::mesh(a)), Model::new(generated::mesh(b)));
    let mut scratch = Scratch::new();
    Box::new(move |pose: &CasePose| match Pair::relative(&a, &b, &generated::a_from_b(pose)) {
        Ok(pair) => pair.collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes,
        // Out of range, which generated poses are not.
        Err(_) => false,
    })
}
