//! The five flights of §5.2.2, generated.

use lab_report::scale::Scale;
use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings, Verdict};
use nearhit_cases::generated;
use nearhit_testkit::Soup;
use nearhit_testkit::cases::{self, Case, CasePose, Collision};

/// An object, an environment, and where the environment is in the object's frame from step to step.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) name: &'static str,
    pub(super) object: Mesh,
    pub(super) environment: Mesh,
    pub(super) poses: Vec<Pose>,
}

/// How large: triangles divided, and steps.
struct Sizes {
    divisor: usize,
    steps: usize,
}

/// At full scale the paper's numbers of triangles, and a stretch of some hundred steps.
pub(super) fn all(scale: Scale) -> Vec<Flight> {
    generate(&scale.pick(Sizes { divisor: 32, steps: 60 }, Sizes { divisor: 1, steps: 300 }))
}

/// For experiments that build many trees.
pub(super) fn small(scale: Scale) -> Vec<Flight> {
    generate(&scale.pick(Sizes { divisor: 48, steps: 40 }, Sizes { divisor: 8, steps: 150 }))
}

fn generate(sizes: &Sizes) -> Vec<Flight> {
    let of = |count: usize| count / sizes.divisor;
    // Billiard flights start outside; what counts is what comes after.
    let start = 60 + sizes.steps;
    let flight = |name, case: &Case, first: usize| flight(name, case, first, sizes.steps);
    vec![
        flight("Pipes", &cases::pipes(of(143_690), start + sizes.steps, 6, collision), start),
        flight("Torus", &cases::torus_in_cave(of(98_114), start + sizes.steps, 8, collision), start),
        flight("747", &cases::tetra(of(25_000), of(14_646), start + sizes.steps, 7, collision), start),
        flight("Swept", &cases::swept(of(10_000), 2 * sizes.steps, 9), sizes.steps / 2),
        flight("Interior", &cases::hand_in_cabin(of(169_944), 2528, 10), 1000),
    ]
}

fn flight(name: &'static str, case: &Case, first: usize, steps: usize) -> Flight {
    let (object, environment, poses) = generated::case(case);
    Flight { name, object, environment, poses: poses[first..first + steps].to_vec() }
}

/// Billiard paths turn back where the library says that something was hit.
fn collision<'m>(a: &'m Soup, b: &'m Soup) -> Collision<'m> {
    let (a, b) = (Model::new(generated::mesh(a)), Model::new(generated::mesh(b)));
    let mut scratch = Scratch::new();
    Box::new(move |pose: &CasePose| {
        let pair = Pair::relative(&a, &b, &generated::a_from_b(pose)).expect("generators stay in range");
        pair.collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes
    })
}
