//! Models for sphere-trees: thin and thick, generated and, where they are installed, scanned.

use super::bsp::Bsp;
use super::simulator::Craft;
use lab_report::scale::Scale;
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::{BuildEffort, SphereMethod, SphereOptions};
use nearhit::{Model, SphereTree};
use nearhit_cases::generated;
use nearhit_datasets::shapes::desktop_lamp;
use nearhit_testkit::Soup;
use nearhit_testkit::shapes::{axis_bars, cuboid, engine_block, hand, icosphere, pipes, robot_arm, torus};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A model with both kinds of trees.
pub(super) struct Subject {
    pub(super) name: &'static str,
    /// Thin models are those that the paper's measure tells apart.
    pub(super) thin: bool,
    pub(super) model: Model,
    pub(super) medial: SphereTree,
    pub(super) octree: SphereTree,
    /// Average and maximum protrusion at levels 1 to 3 of the best builder of a toolkit of 2003,
    /// after its spheres were grown until samples were covered.
    pub(super) toolkit: Option<[[f64; 2]; 3]>,
}

const TORUS_A: [[f64; 2]; 3] = [[0.219, 0.237], [0.0215, 0.038], [0.0045, 0.0093]];
const TORUS_B: [[f64; 2]; 3] = [[0.124, 0.154], [0.0198, 0.044], [0.0030, 0.0098]];

/// The lamp of the simulator: as many triangles as the paper's, with its own tree and a BSP tree;
/// made once.
pub(super) fn lamp(scale: Scale) -> &'static Craft {
    static MADE: [OnceLock<Craft>; 3] = [const { OnceLock::new() }; 3];
    MADE[scale.pick_of(0, 1, 2)].get_or_init(|| {
        let model = Model::new(generated::mesh(&desktop_lamp(626).scaled(2.0)));
        let tree = SphereTree::build(&model, &SphereOptions::paper().depth(scale.pick(3, 4)));
        let bsp = Some(Bsp::new(model.mesh()));
        Craft::new(model, tree, bsp)
    })
}

pub(super) fn models(scale: Scale) -> Vec<Subject> {
    let care = scale.pick(BuildEffort::Quick, BuildEffort::Full);
    let generated = [
        ("lamp (a jointed arm)", true, robot_arm(4, 0.7)),
        ("truck frame", true, truck_frame()),
        ("pipes in a box", true, pipes(scale.pick(600, 6000), 6)),
        ("ring", true, torus(48, 12, 1.0, 0.06)),
        ("crossed bars", true, axis_bars(1.0, 0.05)),
        ("hand", false, hand(0.4)),
        ("engine block", false, engine_block(4, 16, 3)),
        ("ball", false, icosphere(scale.pick(6, 16))),
    ];
    let mut subjects: Vec<Subject> = generated
        .into_iter()
        .map(|(name, thin, soup)| subject(name, thin, Model::new(generated::mesh(&soup)), care, None))
        .collect();
    let real = [
        ("falling-tori a", "falling-tori/a.obj", Some(TORUS_A)),
        ("falling-tori b", "falling-tori/b.obj", Some(TORUS_B)),
        ("bunny", "bunny-close/a.obj", None),
    ];
    for (name, file, toolkit) in real.into_iter().take(scale.pick(0, 3)) {
        if let Ok(mesh) = nearhit_io::read_mesh(&shared_cases().join(file)) {
            subjects.push(subject(name, false, Model::new(mesh), care, toolkit));
        }
    }
    subjects
}

/// Cases that are not in the tree of the project.
pub(super) fn shared_cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases")
}

fn subject(name: &'static str, thin: bool, model: Model, care: BuildEffort, toolkit: Option<[[f64; 2]; 3]>) -> Subject {
    let build = |method| SphereTree::build(&model, &SphereOptions::new().depth(3).method(method).effort(care));
    let (medial, octree) = (build(SphereMethod::Medial), build(SphereMethod::Octree));
    Subject { name, thin, model, medial, octree, toolkit }
}

/// What is left of a truck without its cabin and wheels: two rails, five beams across, two axles.
fn truck_frame() -> Soup {
    let mut soup = Soup::default();
    let mut bar = |middle: [f64; 3], half: [f64; 3]| {
        let end = |sign: f64| std::array::from_fn(|axis| middle[axis] + sign * half[axis]);
        soup.append(&cuboid(end(-1.0), end(1.0)));
    };
    for side in [-0.4, 0.4] {
        bar([0.0, side, 0.0], [3.0, 0.04, 0.1]);
    }
    for beam in 0..5 {
        bar([-2.8 + 1.4 * f64::from(beam), 0.0, 0.0], [0.06, 0.4, 0.06]);
    }
    for axle in [-2.0, 2.2] {
        bar([axle, 0.0, -0.2], [0.05, 1.0, 0.05]);
    }
    soup
}
