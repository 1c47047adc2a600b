//! Every query about a pair, as a number of units of work.

use crate::families::Setup;
use nearhit::research::PairExt;
use nearhit::research::SphereTreeExt;
use nearhit::research::adb::{Averages, Options, Quality};
use nearhit::research::motion::contact_intervals;
use nearhit::research::sphere_tree::SphereOptions;
use nearhit::scene::{BodySpec, Motion, Moving, PosePath, Scene, Settled, Shape, first_contact};
use nearhit::shape::ShapePair;
use nearhit::{Limit, Pair, Pose, QueryError, Refinement, Scratch, Settings, SpherePair, SphereTree, Stats, Tolerance};

/// A query's name, the most units that it may take for two meshes of 100 triangles, and how it is
/// asked.
pub(crate) struct Query {
    pub(crate) name: &'static str,
    pub(crate) most: u64,
    pub(crate) ask: fn(&Setup, &Settings<'_>, &mut Scratch) -> u64,
}

fn units(stats: Stats) -> u64 {
    stats.volume_tests + stats.triangle_tests
}

fn pair(setup: &Setup) -> Pair<'_> {
    Pair::relative(&setup.a, &setup.b, &setup.a_from_b).expect("in range")
}

const ROUGHLY: Tolerance = Tolerance::relative(0.01);

/// 100 by 100 pairs of triangles, and as many volumes above them: what a query takes that looks at
/// everything once.
const ONCE: u64 = 40_000;

/// Those that need nothing but the models.
pub(crate) const QUERIES: [Query; 19] = [
    Query { name: "collide", most: ONCE, ask: |setup, how, room| units(pair(setup).collide(how, room).stats) },
    Query { name: "contacts", most: ONCE, ask: |setup, how, room| units(pair(setup).contacts(how, room).stats) },
    Query {
        name: "distance",
        most: ONCE,
        ask: |setup, how, room| units(pair(setup).distance(Tolerance::EXACT, how, room).stats),
    },
    Query {
        name: "within",
        most: ONCE,
        ask: |setup, how, room| units(pair(setup).within(0.1 * setup.size, how, room).stats),
    },
    Query {
        name: "nearest pairs",
        most: ONCE,
        ask: |setup, how, room| units(pair(setup).nearest_pairs(10, how, room).stats),
    },
    Query {
        name: "pairs within",
        most: ONCE,
        ask: |setup, how, room| units(pair(setup).pairs_within(0.1 * setup.size, how, room).stats),
    },
    // Along 26 directions, and for a contact.
    Query { name: "assess", most: 27 * ONCE, ask: |setup, how, room| units(pair(setup).assess(how, room).stats) },
    Query { name: "self-contacts", most: ONCE, ask: |setup, how, room| units(setup.a.self_contacts(how, room).stats) },
    Query {
        name: "solid collide",
        most: ONCE,
        ask: |setup, how, room| units(pair(setup).solid().collide(how, room).stats),
    },
    Query {
        name: "solid within",
        most: 100 * ONCE,
        ask: |setup, how, room| units(pair(setup).solid().within(-0.1 * setup.size, how, room).stats),
    },
    Query {
        name: "solid distance",
        most: 100 * ONCE,
        ask: |setup, how, room| units(pair(setup).solid().distance(ROUGHLY, how, room).stats),
    },
    Query {
        name: "local depth",
        most: 100 * ONCE,
        ask: |setup, how, room| units(pair(setup).solid().local_depth(ROUGHLY, how, room).stats),
    },
    Query {
        name: "contact regions",
        most: 100 * ONCE,
        ask: |setup, how, room| units(pair(setup).solid().contact_regions(how, room).stats),
    },
    Query {
        name: "translational depth",
        most: 400 * ONCE,
        ask: |setup, how, room| match pair(setup).solid().translational_depth(how, room) {
            Ok(found) => units(found.stats),
            Err(QueryError::TooFarApart { .. }) => 0,
            Err(error) => panic!("{error}"),
        },
    },
    Query {
        name: "overlap",
        most: 400 * ONCE,
        ask: |setup, how, room| units(pair(setup).solid().overlap(how, room).stats),
    },
    Query {
        name: "shapes collide",
        most: ONCE / 4,
        ask: |setup, how, room| grown(setup, |pair| units(pair.collide(how, room).stats)),
    },
    Query {
        name: "shapes within",
        most: ONCE / 4,
        ask: |setup, how, room| grown(setup, |pair| units(pair.within(0.1 * setup.size, how, room).stats)),
    },
    Query {
        name: "shapes distance",
        most: ONCE / 4,
        ask: |setup, how, room| grown(setup, |pair| units(pair.distance(Tolerance::EXACT, how, room).stats)),
    },
    Query {
        name: "shapes contacts",
        most: ONCE / 4,
        ask: |setup, how, room| grown(setup, |pair| units(pair.contacts(how, room).stats)),
    },
];

/// A solid mesh with a margin, and a point cloud of the corners of the other: neither convex, nor
/// two plain meshes.
fn grown(setup: &Setup, ask: impl FnOnce(&ShapePair<'_>) -> u64) -> u64 {
    let a = Shape::solid(setup.a.clone()).grown(0.01 * setup.size).expect("a length");
    let corners: Vec<[f64; 3]> = setup.b.mesh().vertices().iter().map(|corner| corner.to_array()).collect();
    let b = Shape::point_cloud(&corners, &[0.02 * setup.size]).expect("points");
    ask(&ShapePair::relative(&a, &b, &setup.a_from_b).expect("in range"))
}

/// Those that need more to be made, or a motion: asked less often.
pub(crate) const COSTLY: [Query; 11] = [
    Query { name: "first contact", most: 20 * ONCE, ask: moving },
    Query { name: "refine", most: 10 * ONCE, ask: refined },
    Query { name: "estimate", most: 2 * ONCE, ask: guessed },
    Query { name: "contact intervals", most: 20 * ONCE, ask: touching_for_a_while },
    Query {
        name: "first contact of a path",
        most: ONCE,
        ask: |setup, how, room| along(setup, |path| units(path.first_contact(how, room).stats)),
    },
    Query {
        name: "least clearance of a path",
        most: 2 * ONCE,
        ask: |setup, how, room| along(setup, |path| units(path.least_clearance(how, room).stats)),
    },
    Query {
        name: "clearances of a path",
        most: POSES * ONCE / 4,
        ask: |setup, _, _| {
            let all = |path: &PosePath<'_>| path.clearances(Tolerance::EXACT, Limit::None);
            along(setup, |path| all(path).iter().map(|found| units(found.stats)).sum())
        },
    },
    Query {
        name: "contacts of a scene",
        most: 2 * PARTS * ONCE,
        ask: |setup, _, _| scene(setup, |scene| units(scene.contacts().expect("in range").stats)),
    },
    Query {
        name: "collisions of a scene",
        most: 2 * PARTS * ONCE,
        ask: |setup, _, _| scene(setup, |scene| units(scene.colliding().expect("in range").stats)),
    },
    Query {
        name: "near pairs of a scene",
        most: 100 * PARTS * ONCE,
        ask: |setup, _, _| scene(setup, |scene| units(scene.within(0.1 * setup.size).expect("in range").stats)),
    },
    Query {
        name: "nearest pairs of a scene",
        most: 100 * PARTS * ONCE,
        ask: |setup, _, _| scene(setup, |scene| units(scene.nearest(2).expect("in range").stats)),
    },
];

/// Poses of a path.
const POSES: u64 = 40;
/// Pairs of parts of a scene.
const PARTS: u64 = 6;

/// Past each other, from far to far.
fn along(setup: &Setup, ask: impl FnOnce(&PosePath<'_>) -> u64) -> u64 {
    let at = |share: f64| [share * setup.size, 0.0, 0.25 * share * setup.size];
    let shift = |i: u64| Pose::from_translation(at(i as f64 / (0.5 * POSES as f64) - 1.0)).expect("finite");
    let poses: Vec<Pose> = (0..POSES).map(|i| shift(i) * setup.a_from_b).collect();
    let [a, b] = [&setup.a, &setup.b].map(|model| Shape::solid(model.clone()));
    ask(&PosePath::new(&a, &b, &poses).expect("in range"))
}

/// Each twice, as a solid.
fn scene(setup: &Setup, ask: impl FnOnce(&Settled<'_>) -> u64) -> u64 {
    let mut scene = Scene::default();
    for (number, model) in [&setup.a, &setup.b, &setup.a, &setup.b].into_iter().enumerate() {
        let shift = Pose::from_translation([0.5 * (number / 2) as f64 * setup.size, 0.0, 0.0]).expect("finite");
        let place = if number % 2 == 0 { shift } else { shift * setup.a_from_b };
        let spec = BodySpec::rigid(format!("{number}"), Shape::solid(model.clone()));
        scene.insert(spec.at(place)).expect("in range");
    }
    ask(&scene.settle())
}

fn touching_for_a_while(setup: &Setup, how: &Settings<'_>, room: &mut Scratch) -> u64 {
    let shift = Pose::from_translation([0.5 * setup.size, 0.0, 0.25 * setup.size]).expect("finite");
    let motion = Motion::linear(setup.a_from_b, shift * setup.a_from_b);
    let [a, b] = [&setup.a, &setup.b].map(|model| Shape::solid(model.clone()));
    let (a, b) = (Moving { shape: &a, motion: Motion::still(Pose::IDENTITY) }, Moving { shape: &b, motion });
    match contact_intervals(&a, &b, 1e-2 * setup.size, how, room) {
        Ok(found) => units(found.stats),
        // As for first contact.
        Err(nearhit::scene::MotionError::Tolerance { .. }) => 0,
        Err(error) => panic!("{error}"),
    }
}

fn moving(setup: &Setup, how: &Settings<'_>, room: &mut Scratch) -> u64 {
    let shift = Pose::from_translation([0.5 * setup.size, 0.0, 0.25 * setup.size]).expect("finite");
    let motion = Motion::linear(setup.a_from_b, shift * setup.a_from_b);
    let [a, b] = [&setup.a, &setup.b].map(|model| Shape::mesh(model.clone()));
    let (a, b) = (Moving { shape: &a, motion: Motion::still(Pose::IDENTITY) }, Moving { shape: &b, motion });
    match first_contact(&a, &b, 1e-3 * setup.size, how, room) {
        Ok(found) => units(found.stats),
        // Degenerate soups are far from the origin: the tolerance is below their rounding.
        Err(nearhit::scene::MotionError::Tolerance { .. }) => 0,
        Err(error) => panic!("{error}"),
    }
}

fn refined(setup: &Setup, how: &Settings<'_>, _: &mut Scratch) -> u64 {
    let [a, b] = [&setup.a, &setup.b].map(|model| SphereTree::build(model, &SphereOptions::new().depth(2)));
    units(Refinement::default().run(&SpherePair::new(pair(setup), &a, &b), &how.budget).stats)
}

fn guessed(setup: &Setup, how: &Settings<'_>, room: &mut Scratch) -> u64 {
    let [a, b] = [&setup.a, &setup.b].map(|model| Averages::new(model, &Options::default()));
    let pair = pair(setup);
    let averaged = pair.averaged(&a, &b).expect("the same volume");
    units(averaged.collide(&Quality::default(), how, room).stats)
}
