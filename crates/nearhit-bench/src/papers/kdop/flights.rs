//! The five flights of §5.2.2, generated.

use crate::scale::Scale;
use crate::subject;
use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings, Verdict};
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

/// How large: triangles and steps, divided.
struct Sizes {
    divisor: usize,
    most_steps: usize,
}

/// At full scale the paper's numbers of triangles; its 2,000, 2,000, 10,000, 1,000 and 2,528 steps are thinned out.
pub(super) fn all(scale: Scale) -> Vec<Flight> {
    generate(&scale.pick(Sizes { divisor: 24, most_steps: 60 }, Sizes { divisor: 1, most_steps: 500 }))
}

/// For experiments that build many trees.
pub(super) fn small(scale: Scale) -> Vec<Flight> {
    generate(&scale.pick(Sizes { divisor: 32, most_steps: 40 }, Sizes { divisor: 8, most_steps: 200 }))
}

fn generate(sizes: &Sizes) -> Vec<Flight> {
    let of = |count: usize| count / sizes.divisor;
    let steps = |count: usize| count.min(sizes.most_steps);
    vec![
        flight("Pipes", &cases::pipes(of(143_690), steps(2000), 6, collision)),
        flight("Torus", &cases::torus_in_cave(of(98_114), steps(2000), 8, collision)),
        flight("747", &cases::tetra(of(25_000), of(14_646), steps(10_000), 7, collision)),
        flight("Swept", &cases::swept(of(10_000), steps(1000), 9)),
        flight("Interior", &cases::hand_in_cabin(of(169_944), steps(2528), 10)),
    ]
}

fn flight(name: &'static str, case: &Case) -> Flight {
    let (object, environment, poses) = subject::case(case);
    Flight { name, object, environment, poses }
}

/// Billiard paths turn back where the library says that something was hit.
fn collision<'m>(a: &'m Soup, b: &'m Soup) -> Collision<'m> {
    let (a, b) = (Model::new(subject::mesh(a)), Model::new(subject::mesh(b)));
    let mut scratch = Scratch::new();
    Box::new(move |pose: &CasePose| {
        let pair = Pair::relative(&a, &b, &subject::a_from_b(pose)).expect("generators stay in range");
        pair.collide(&Settings::default(), &mut scratch).verdict == Verdict::Yes
    })
}
