//! The five flights of §5.2.2, generated.

use super::published::STEPS;
use lab_report::progress;
use lab_report::scale::Scale;
use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings, Verdict};
use nearhit_cases::generated;
use nearhit_datasets::shapes;
use nearhit_testkit::Soup;
use nearhit_testkit::cases::{self, Case, CasePose, Collision};
use std::sync::OnceLock;

/// An object, an environment, and where the environment is in the object's frame from step to step.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) name: &'static str,
    pub(super) object: Mesh,
    pub(super) environment: Mesh,
    pub(super) poses: Vec<Pose>,
}

/// How large: triangles divided, and steps by flight.
struct Sizes {
    divisor: usize,
    steps: [usize; 5],
}

/// The paper's numbers of triangles, and its steps at the paper's scale, a stretch of some hundred
/// otherwise.
pub(super) fn all(scale: Scale) -> Vec<Flight> {
    generate(&scale.pick_of(
        Sizes { divisor: 32, steps: [60; 5] },
        Sizes { divisor: 1, steps: [300; 5] },
        Sizes { divisor: 1, steps: STEPS.map(|steps| steps as usize) },
    ))
}

/// For experiments that build many trees; made once.
pub(super) fn small(scale: Scale) -> &'static [Flight] {
    static MADE: [OnceLock<Vec<Flight>>; 3] = [const { OnceLock::new() }; 3];
    MADE[scale.pick_of(0, 1, 2)].get_or_init(|| {
        progress::begins("the five flights, smaller unless at the paper's sizes");
        generate(&scale.pick_of(
            Sizes { divisor: 48, steps: [40; 5] },
            Sizes { divisor: 8, steps: [150; 5] },
            Sizes { divisor: 1, steps: STEPS.map(|steps| steps as usize) },
        ))
    })
}

fn generate(sizes: &Sizes) -> Vec<Flight> {
    let of = |count: usize| count / sizes.divisor;
    let [pipes, torus, plane, swept, interior] = sizes.steps;
    // Billiard flights start outside; what counts is what comes after.
    let start = |steps: usize| 60 + steps.min(300);
    let all = |steps: usize| start(steps) + steps;
    // The whole of the hand's path at the paper's steps, its middle otherwise.
    let reach_in = 1000.min(2528 - interior);
    vec![
        flight("Pipes", &cases::pipes(of(143_690), all(pipes), 6, collision), start(pipes), pipes),
        flight("Torus", &cases::torus_in_cave(of(98_114), all(torus), 8, collision), start(torus), torus),
        flight("747", &among_tetrahedra(sizes, all(plane)), start(plane), plane),
        flight("Swept", &cases::swept(of(10_000), 2 * swept, 9), swept / 2, swept),
        flight("Interior", &hand_in_cabin(sizes), reach_in, interior),
    ]
}

/// Smaller objects of other shapes will do.
const SMALL: usize = 32;

/// An aeroplane of the paper's number of triangles; a deformed torus where all is small.
fn among_tetrahedra(sizes: &Sizes, steps: usize) -> Case {
    let (count, object) = (25_000 / sizes.divisor, 14_646 / sizes.divisor);
    if sizes.divisor >= SMALL {
        return cases::tetra(count, object, steps, 7, collision);
    }
    cases::aeroplane_among_tetrahedra(count, object + object % 2, steps, 7, collision)
}

/// With the paper's 404 triangles for the hand, unless all is small.
fn hand_in_cabin(sizes: &Sizes) -> Case {
    let case = cases::hand_in_cabin(169_944 / sizes.divisor, 2528, 10);
    if sizes.divisor >= SMALL { case } else { Case { a: shapes::refined_to(&case.a, 404), ..case } }
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
