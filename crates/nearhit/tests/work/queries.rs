//! Every query about a pair, as a number of units of work.

use crate::families::Setup;
use nearhit::research::PairExt;
use nearhit::research::SphereTreeExt;
use nearhit::research::adb::{Averages, Options, Quality};
use nearhit::research::sphere_tree::SphereOptions;
use nearhit::scene::{Motion, Moving, Shape, first_contact};
use nearhit::{Pair, Pose, QueryError, Refinement, Scratch, Settings, SpherePair, SphereTree, Stats, Tolerance};

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
pub(crate) const QUERIES: [Query; 14] = [
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
];

/// Those that need more to be made, or a motion: asked less often.
pub(crate) const COSTLY: [Query; 3] = [
    Query { name: "first contact", most: 20 * ONCE, ask: moving },
    Query { name: "refine", most: 10 * ONCE, ask: refined },
    Query { name: "estimate", most: 2 * ONCE, ask: guessed },
];

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
