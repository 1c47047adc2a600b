//! Parts that are made on first use are made once, from wherever they are asked for: no batch waits
//! for itself.
//!
//! Without a place of their own for making parts these tests stop for ever, mostly in the first
//! rounds.

mod common;

use common::{ends, mesh};
use glam::DVec3;
use nearhit::batch::{self, BatchOptions};
use nearhit::research::ModelExt;
use nearhit::research::VolumeKind;
use nearhit::research::build::BuildOptions;
use nearhit::{Mesh, Model, Pair, Pose, Scratch, Settings, Tolerance, Verdict};
use nearhit_testkit::shapes;
use rayon::prelude::*;

/// Far more threads than cores: tasks of one batch then meet in every state of each other.
const THREADS: usize = 16;
const ROUNDS: usize = 16;

fn in_wide_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(THREADS).build().expect("a pool").install(work)
}

fn ball() -> Mesh {
    mesh(&shapes::icosphere(16))
}

fn shifted(x: f64) -> Pose {
    Pose::from_translation([x, 0.0, 0.0]).expect("finite")
}

/// Beyond the default engine's range the trees of classic volumes are made by the first query.
fn far_apart(mesh: &Mesh) -> Vec<f64> {
    let (a, b) = (Model::new(mesh.clone()), Model::new(mesh.clone()));
    let pair = |i: usize| Pair::new(&a, &Pose::IDENTITY, &b, &shifted(1e16 * (1 + i % 3) as f64));
    let ask = |pair: &Pair<'_>, settings: &Settings<'_>, scratch: &mut Scratch| {
        (pair.distance(Tolerance::relative(0.5), settings, scratch).upper, None)
    };
    batch::each(64, pair, &BatchOptions::default(), ask).expect("in range")
}

#[test]
fn a_batch_beyond_the_default_engines_range_ends() {
    let mesh = ball();
    let expected = far_apart(&mesh);
    for _ in 0..ROUNDS {
        let mesh = mesh.clone();
        assert_eq!(ends("poses 1e16 away", move || in_wide_pool(|| far_apart(&mesh))), expected);
    }
}

/// What tells inside from outside, and the tree for points of a model of another volume, are made
/// by the first query about solids.
fn nested(mesh: &Mesh, make: impl Fn(Mesh) -> Model) -> Vec<Verdict> {
    let outer = make(mesh.clone());
    let corners: Vec<[f64; 3]> = mesh.vertices().iter().map(|vertex| (*vertex * 0.25).to_array()).collect();
    let inner = make(Mesh::new(&corners, mesh.triangles()).expect("legal"));
    let pair = |i: usize| Pair::new(&outer, &Pose::IDENTITY, &inner, &shifted(0.03 * i as f64));
    let ask = |pair: &Pair<'_>, settings: &Settings<'_>, scratch: &mut Scratch| {
        (pair.solid().collide(settings, scratch).verdict, None)
    };
    batch::each(64, pair, &BatchOptions::default(), ask).expect("in range")
}

#[test]
fn a_batch_of_fresh_solids_ends() {
    let mesh = ball();
    let expected = nested(&mesh, Model::new);
    assert!(expected.contains(&Verdict::Yes) && expected.contains(&Verdict::No));
    for _ in 0..ROUNDS {
        let mesh = mesh.clone();
        assert_eq!(ends("solids", move || in_wide_pool(|| nested(&mesh, Model::new))), expected);
    }
}

#[test]
fn a_batch_of_fresh_solids_of_classic_volumes_ends() {
    let mesh = ball();
    let make = |mesh| Model::with(mesh, VolumeKind::Aabb, &BuildOptions::default());
    let expected = nested(&mesh, make);
    for _ in 0..ROUNDS {
        let mesh = mesh.clone();
        assert_eq!(ends("solids of boxes", move || in_wide_pool(|| nested(&mesh, make))), expected);
    }
}

/// A thread outside of all pools, and tasks of the global one, ask for the same parts.
#[test]
fn threads_within_and_without_pools_share_parts() {
    let mesh = ball();
    for _ in 0..ROUNDS {
        let model = Model::with(mesh.clone(), VolumeKind::Aabb, &BuildOptions::default());
        ends("points from everywhere", move || {
            let inside = |i: usize| model.contains(DVec3::X * (0.03 * i as f64), &mut Scratch::new()).expect("finite");
            let all = || (0..64).into_par_iter().with_max_len(1).map(inside).collect::<Vec<_>>();
            std::thread::scope(|scope| {
                let others = [scope.spawn(all), scope.spawn(all), scope.spawn(|| (0..64).map(inside).collect())];
                let here = in_wide_pool(all);
                others.into_iter().for_each(|other| assert_eq!(other.join().expect("no panic"), here));
            });
        });
    }
}
