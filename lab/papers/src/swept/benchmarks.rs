//! The four benchmarks of §7.2: the paper's own data where it is at hand, generated stand-ins
//! otherwise.

use super::rings;
use lab_report::scale::Scale;
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings, Verdict};
use nearhit_cases::folder::{Case as CaseFolder, Placed};
use nearhit_cases::generated;
use nearhit_testkit::Soup;
use nearhit_testkit::cases::{self, CasePose, Collision};
use std::path::PathBuf;
use std::sync::OnceLock;

/// Two meshes and b's poses in a's frame.
#[derive(Debug, Clone)]
pub(crate) struct Benchmark {
    /// The paper's name for it.
    pub(crate) name: &'static str,
    /// What it is here.
    pub(crate) what: String,
    /// Column of the paper's Tables 2 to 4.
    pub(crate) column: usize,
    /// The flying object.
    pub(crate) a: Mesh,
    /// The environment.
    pub(crate) b: Mesh,
    /// The queries.
    pub(crate) poses: Vec<Pose>,
}

impl Benchmark {
    fn generated(name: &'static str, column: usize, case: &cases::Case) -> Self {
        let (a, b, poses) = generated::case(case);
        let what = format!(
            "{} ({} and {} triangles, {} queries)",
            case.note,
            a.triangles().len(),
            b.triangles().len(),
            poses.len()
        );
        Self { name, what, column, a, b, poses }
    }

    /// Both models with trees of a volume, built as the paper says (§4.1): split across the longest
    /// axis of the oriented box, volumes by the covariance of the corners.
    #[must_use]
    pub(super) fn models(&self, volume: VolumeKind) -> (Model, Model) {
        let build = |mesh: &Mesh| Model::with(mesh.clone(), volume, &BuildOptions::obb_tree());
        (build(&self.a), build(&self.b))
    }
}

/// All of them.
#[derive(Debug)]
pub(super) struct Benchmarks {
    pub(super) prototyping: Benchmark,
    /// Where the paper's data is at hand.
    pub(super) tori: Option<Benchmark>,
    pub(super) probes: Benchmark,
    pub(super) path: Benchmark,
    pub(super) dynamics: Benchmark,
}

impl Benchmarks {
    /// At a scale; made once.
    pub(super) fn of(scale: Scale) -> &'static Self {
        static MADE: [OnceLock<Benchmarks>; 3] = [const { OnceLock::new() }; 3];
        MADE[scale.pick_of(0, 1, 2)].get_or_init(|| {
            let [probes, path] = path_planning(scale);
            let (prototyping, dynamics) = (virtual_prototyping(scale), rings::benchmark(scale.pick(4, 60)));
            Self { prototyping, tori: falling_tori(scale), probes, path, dynamics }
        })
    }
}

/// Pistons in an engine block.
pub(super) fn virtual_prototyping(scale: Scale) -> Benchmark {
    let (cylinders, sides, fins, steps) = scale.pick((3, 24, 8, 8), (4, 96, 60, 20));
    Benchmark::generated("Virtual prototyping", 0, &cases::engine(cylinders, sides, fins, steps, 41))
}

/// The wrinkled torus in the cave: random probes, and a path.
pub(super) fn path_planning(scale: Scale) -> [Benchmark; 2] {
    let sizes = scale.pick((1_000, 5_000), (20_000, 50_970));
    let counts = scale.pick_of((60, 60), (720, 487), (2880, 487));
    let [probes, path] = cases::planning(sizes, counts, 43, by_tree);
    [Benchmark::generated("Path planning", 2, &probes), Benchmark::generated("Path verification", 2, &path)]
}

fn by_tree<'m>(a: &'m Soup, b: &'m Soup) -> Collision<'m> {
    let (a, b) = (Model::new(generated::mesh(a)), Model::new(generated::mesh(b)));
    let mut scratch = Scratch::new();
    Box::new(move |pose: &CasePose| {
        let pair = Pair::relative(&a, &b, &generated::a_from_b(pose)).expect("generated poses are in range");
        pair.collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes
    })
}

/// The paper's own falling tori, if they are in `../shared/cases`.
fn falling_tori(scale: Scale) -> Option<Benchmark> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases/falling-tori");
    let CaseFolder { a, b, poses, .. } = CaseFolder::load(&folder).ok()?;
    let every = scale.pick(24, 1);
    let poses: Vec<Pose> = poses.iter().step_by(every).map(Placed::a_from_b).collect();
    let (large, small) = (b.triangles().len(), a.triangles().len());
    let what = format!("the paper's own data ({small} and {large} triangles, {} queries)", poses.len());
    Some(Benchmark { name: "Falling tori", what, column: 1, a, b, poses })
}
